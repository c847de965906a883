//! The yardstick of the benches decides as the compiled preset does, or it would measure something
//! else.

use std::sync::Arc;

use behavior_runtime::{FactHost, Session};
use behavior_tests::handwritten::{HandWritten, Patterns};
use behavior_tests::{provider, stream};

#[test]
fn the_handwritten_preset_fires_where_the_compiled_one_does() {
    let compilation = behavior_compiler::compile(
        &provider(&[("behavior.yaml", "profile: dev\n")]),
        "behavior.yaml",
    );
    let mut by_hand = HandWritten::new(Patterns);
    let image = Arc::new(compilation.image.unwrap());
    let mut session = Session::new(Arc::clone(&image));
    let mut fired = 0;
    for (index, event) in stream::realistic(20_000, 7).iter().enumerate() {
        let decision = session.apply(event, &mut FactHost::default());
        let mut compiled: Vec<&str> = decision
            .findings
            .iter()
            .map(|finding| image.rules().get(finding.rule).unwrap().id)
            .collect();
        let mut expected: Vec<&str> = by_hand.apply(event).iter().map(|(id, _)| *id).collect();
        compiled.sort_unstable();
        expected.sort_unstable();
        assert_eq!(compiled, expected, "event {index}: {event:?}");
        fired += compiled.len();
    }
    assert!(fired > 1000, "the stream makes rules fire");
}
