//! Any bytes as what an agent writes to its hook: reading ends, and whatever was understood is decided on and answered,
//! in the agent's form and without a panic.
#![no_main]

use std::sync::{Arc, LazyLock};

use behavior_agents::hook::{Agent, Answer, Reply};
use behavior_runtime::FactHost;
use behavior_runtime::{Event, Image, Session, Verdict};
use behavior_tests::samples::{self, image_of};
use libfuzzer_sys::fuzz_target;

static RULES: LazyLock<Arc<Image>> = LazyLock::new(|| Arc::new(image_of(samples::EVERYTHING)));

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for agent in Agent::ALL {
        let notice = match agent.read(text) {
            Ok(notice) => notice,
            Err(message) => {
                assert!(!message.is_empty());
                assert_ne!(agent.refuse(&message).exit_code, 0);
                check(&agent.let_pass(&message));
                continue;
            }
        };
        let mut session = Session::new(RULES.clone());
        session.apply(&Event::SessionStart(notice.about.clone()), &mut FactHost::default());
        for event in &notice.events {
            let _ = session.apply(event, &mut FactHost::default());
        }
        let _ = (notice.state_id(), agent.asks_about(&notice));
        for verdict in [None, Some(Verdict::Allow), Some(Verdict::Ask), Some(Verdict::Deny)] {
            let reply = Reply {
                verdict,
                reason: "why \"not\"\n".to_owned(),
                context: vec!["more".to_owned()],
                for_user: "look\u{202e}".to_owned(),
                ..Reply::default()
            };
            check(&agent.answer(&notice, &reply));
        }
    }
});

/// What is answered is JSON, or nothing.
fn check(answer: &Answer) {
    for line in answer.stdout.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{}", answer.stdout);
    }
}
