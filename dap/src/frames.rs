//! The stack at an event: the rules that fired, on top, and the event under them.

use behavior_json::plain::neutral_plain;
use behavior_runtime::event::{Call, Event, Value};
use behavior_runtime::{Decision, Layers};

use crate::recording::Recording;

/// How much of what an event is about is shown, in characters.
const MAX_LABEL: usize = 80;
/// The parameters that tell people what a call is about.
const TELLING: [&str; 6] = ["command", "file_path", "path", "pattern", "url", "prompt"];

/// One frame, with a place in a file.
#[derive(Debug)]
pub struct Frame {
    pub name: String,
    /// The whole path of the file.
    pub path: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// Returns the frames of the rules that fired.
pub fn of_rules(decision: &Decision, layers: &Layers, path: &dyn Fn(&str) -> String) -> Vec<Frame> {
    let findings = decision.findings.iter().chain(&decision.besides().settled);
    let frames = findings.filter_map(|finding| {
        // Rules of a session come and go, and stand in no file.
        let rule = layers.rules().get(finding.rule)?;
        Some(Frame {
            name: format!("{} ({})", rule.id, finding.action.name()),
            path: path(rule.place.file),
            line: rule.place.line,
            column: rule.place.column,
        })
    });
    frames.collect()
}

/// Returns the frame of an event; that behind the last one stands at the end.
pub fn of_event(recording: &Recording, at: usize, path: &str) -> Frame {
    let (name, line) = match recording.events.get(at) {
        Some(recorded) => {
            let about = about(&recorded.event);
            let gap = if about.is_empty() { "" } else { ": " };
            (format!("#{at} {}{gap}{about}", recorded.event.name()), recorded.line)
        }
        None => {
            let last = recording.events.last().map_or(1, |recorded| recorded.line);
            ("the end of the recording".to_owned(), last)
        }
    };
    Frame { name, path: path.to_owned(), line, column: 1 }
}

fn about(event: &Event<'_>) -> String {
    let text = match event {
        Event::ToolCall(call) => of_call(call),
        Event::ToolResult(result) => result.call.as_ref().map(of_call).unwrap_or_default(),
        Event::TurnStart { text } | Event::TurnEnd { text } => {
            text.as_deref().unwrap_or_default().to_owned()
        }
        Event::Text { text } => text.clone().into_owned(),
        Event::UserShell { command, .. } => command.clone().into_owned(),
        Event::Fs(fact) => fact.path.clone().into_owned(),
        _ => String::new(),
    };
    let line = neutral_plain(text.trim().lines().next().unwrap_or_default());
    match line.char_indices().nth(MAX_LABEL) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.into_owned(),
    }
}

fn of_call(call: &Call<'_>) -> String {
    let telling = TELLING.iter().find_map(|name| call.param(name).and_then(Value::as_text));
    format!("{} {}", call.tool, telling.unwrap_or_default()).trim().to_owned()
}
