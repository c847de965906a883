//! One workload of the benches, once, for a profiler or an instruction counter:
//! `valgrind --tool=callgrind target/release/examples/workload compiled 20000`

use std::hint::black_box;
use std::sync::Arc;

use behavior_runtime::{FactHost, Session};
use behavior_tests::handwritten::{HandWritten, Patterns};
use behavior_tests::{provider, stream};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let engine = arguments.next().unwrap_or_default();
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    if engine == "compile" {
        let text = stream::many_rules(count);
        let files = [("behavior.yaml", text.as_str())];
        black_box(behavior_compiler::compile(&provider(&files), "behavior.yaml"));
        return;
    }
    let files = [("behavior.yaml", "profile: dev\n")];
    let compilation = behavior_compiler::compile(&provider(&files), "behavior.yaml");
    let events = stream::realistic(count, 7);
    match engine.as_str() {
        "none" => {}
        "by-hand" => {
            let mut reference = HandWritten::new(Patterns);
            for event in &events {
                black_box(reference.apply(event));
            }
        }
        "compiled" => {
            let image = Arc::new(compilation.image.expect("the preset compiles"));
            let mut session = Session::new(image);
            for event in &events {
                black_box(session.apply(event, &mut FactHost::default()));
            }
        }
        other => eprintln!("unknown engine `{other}`: by-hand, compiled, compile or none"),
    }
}
