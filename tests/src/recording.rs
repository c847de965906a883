//! A stream of events as the files that agents record it in, and such a file run through rules the
//! way `behavior simulate` does. For benches: nothing here checks anything.

use std::sync::Arc;

use behavior_agents::{Format, Item, Problem, Sink, Stats, to_native};
use behavior_runtime::event::{Call, Event, Value};
use behavior_runtime::{Image, Replay};
use serde_json::{Map, json};

/// The events as a native trace of one session.
#[must_use]
pub fn native(events: &[Event<'static>]) -> String {
    let mut text = String::new();
    for (line, event) in (1..).zip(events) {
        let item = Item { line, session: "made-up".into(), ts: None, event: event.clone() };
        text.push_str(&to_native(&item));
        text.push('\n');
    }
    text
}

/// The events as a transcript of Claude Code, each a short record. Kinds of event that transcripts
/// do not have are left out.
#[must_use]
pub fn claude_code(events: &[Event<'static>]) -> String {
    let mut text = String::new();
    for (number, event) in events.iter().enumerate() {
        let (role, content) = match event {
            Event::TurnStart { text } => ("user", json!(text)),
            Event::Text { text } => ("assistant", json!([{ "type": "text", "text": text }])),
            Event::ToolCall(call) => ("assistant", json!([tool_use(call)])),
            Event::ToolResult(result) => {
                let content = result.result.as_ref().and_then(Value::as_text);
                let block =
                    json!({ "type": "tool_result", "tool_use_id": result.id, "content": content });
                ("user", json!([block]))
            }
            _ => continue,
        };
        let record = json!({
            "parentUuid": null,
            "isSidechain": false,
            "userType": "external",
            "cwd": "/home/dev/project",
            "sessionId": "00000000-0000-4000-8000-000000000000",
            "version": "2.1.0",
            "gitBranch": "main",
            "type": role,
            "message": {
                "id": format!("msg_{number}"),
                "type": "message",
                "role": role,
                "content": content,
                "usage": { "input_tokens": 12, "output_tokens": 120 },
            },
            "uuid": format!("{number:08x}-0000-4000-8000-000000000001"),
            "timestamp": "2026-01-01T10:00:00.000Z",
        });
        text.push_str(&record.to_string());
        text.push('\n');
    }
    text
}

fn tool_use(call: &Call<'_>) -> serde_json::Value {
    let mut name = call.tool.to_string();
    name.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
    let input: Map<_, _> = call
        .params
        .iter()
        .map(|param| (param.name.to_string(), json!(param.value.as_text())))
        .collect();
    json!({ "type": "tool_use", "id": call.id, "name": name, "input": input })
}

/// Reads a recording and decides on every event of it.
///
/// # Panics
/// When a line is not understood.
#[must_use]
pub fn simulate(format: Format, recording: &str, image: &Arc<Image>) -> Stats {
    let mut rules = Rules(Replay::new(Arc::clone(image)));
    let mut input = recording.as_bytes();
    behavior_agents::read(format, &mut input, &mut rules).expect("memory can be read")
}

/// Decides, and forgets what was decided.
struct Rules(Replay);

impl Sink for Rules {
    fn item(&mut self, item: Item<'_>) {
        std::hint::black_box(self.0.apply(&item.session, &item.event));
    }

    fn problem(&mut self, problem: Problem) {
        panic!("line {}: {}", problem.line, problem.message);
    }

    fn wants_exchanges(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, write: impl Fn(&[Event<'static>]) -> String) {
        let files = [("behavior.yaml", "profile: dev\n")];
        let compilation = behavior_compiler::compile(&crate::provider(&files), "behavior.yaml");
        let image = Arc::new(compilation.image.expect("the preset compiles"));
        let events = crate::stream::realistic(2_000, 7);
        let recording = write(&events);
        let stats = simulate(format, &recording, &image);
        assert_eq!(behavior_agents::detect(recording.as_bytes()), Some(format));
        assert_eq!((stats.lines, stats.skipped, stats.orphan_results), (2_000, 0, 0));
        assert!(stats.events >= 2_000, "{stats:?}");
    }

    #[test]
    fn no_event_is_lost_in_a_recording() {
        check(Format::NATIVE, native);
        check(Format::CLAUDE_CODE, claude_code);
    }
}
