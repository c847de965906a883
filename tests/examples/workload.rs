//! One workload of the benches, once, for a profiler or an instruction counter:
//! `valgrind --tool=callgrind target/release/examples/workload compiled 20000`
//!
//! With `--toggle-collect='*workload::measured*'` what prepares the workload is not counted.

use std::hint::black_box;
use std::sync::Arc;

use behavior_agents::Format;
use behavior_runtime::event::{Call, Event, Param, Value};
use behavior_runtime::{FactHost, Image, Session};
use behavior_tests::handwritten::{HandWritten, Patterns};
use behavior_tests::{commands, provider, recording, stream};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let engine = arguments.next().unwrap_or_default();
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    if engine == "compile" {
        let text = stream::many_rules(count);
        let files = [("behavior.yaml", text.as_str())];
        let provider = provider(&files);
        measured(|| behavior_compiler::compile(&provider, "behavior.yaml"));
        return;
    }
    let files = [("behavior.yaml", "profile: dev\n")];
    let compilation = behavior_compiler::compile(&provider(&files), "behavior.yaml");
    let events = stream::realistic(count, 7);
    let image = Arc::new(compilation.image.expect("the preset compiles"));
    match engine.as_str() {
        "none" => {}
        "by-hand" => {
            let mut reference = HandWritten::new(Patterns);
            measured(|| {
                for event in &events {
                    black_box(reference.apply(event));
                }
            });
        }
        "compiled" => {
            let mut session = Session::new(image);
            measured(|| {
                for event in &events {
                    black_box(session.apply(event, &mut FactHost::default()));
                }
            });
        }
        "native" => {
            let recording = recording::native(&events);
            measured(|| recording::simulate(Format::NATIVE, &recording, &image));
        }
        "transcript" => {
            let recording = recording::claude_code(&events);
            measured(|| recording::simulate(Format::CLAUDE_CODE, &recording, &image));
        }
        "load" => {
            let bytes = image.as_bytes();
            measured(|| {
                for _ in 0..count {
                    black_box(behavior_runtime::Image::from_bytes(bytes.to_vec()).is_ok());
                }
            });
        }
        "command" => decide(image, count, commands::everyday),
        "script" => decide(image, count, commands::script),
        other => eprintln!(
            "unknown engine `{other}`: by-hand, compiled, compile, native, transcript, load, \
             command, script or none"
        ),
    }
}

/// Decides on so many calls of a shell.
fn decide(image: Arc<Image>, count: usize, make: fn(usize) -> String) {
    let call = |number| {
        let value = Value::Text(make(number).into());
        let params = vec![Param { name: "command".into(), native: None, value }];
        Event::ToolCall(Call { tool: "bash".into(), params, ..Call::default() })
    };
    let calls: Vec<Event<'static>> = (0..count).map(call).collect();
    let mut session = Session::new(image);
    session.apply(&call(1), &mut FactHost::default());
    measured(|| {
        for call in &calls {
            black_box(session.apply(call, &mut FactHost::default()));
        }
    });
}

/// What is counted; a function of its own so that a profiler can tell.
#[inline(never)]
fn measured<T>(run: impl FnOnce() -> T) {
    black_box(run());
}
