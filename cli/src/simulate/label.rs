//! What an event is about, in a few words: the target of a call, the command of a shell, the
//! beginning of a text.

use std::borrow::Cow;
use std::collections::VecDeque;

use behavior_image::TARGET_PARAMS;
use behavior_runtime::event::{Call, Event, Value};

/// Parameters that tell people what a call does, where there is no target.
const TELLING: [&str; 8] =
    ["command", "cmd", "script", "prompt", "description", "subject", "name", "text"];
/// How much of a label is kept.
const MAX_LENGTH: usize = 400;
/// How many calls that wait for their result are remembered.
const OPEN: usize = 256;

/// What a call is about: its target, relative to the working directory, or the most telling of its
/// parameters.
pub fn of_call<'a>(call: &'a Call<'_>, cwd: Option<&str>) -> Cow<'a, str> {
    let text = |name: &&str| call.param(name).and_then(Value::as_text).filter(|t| !t.is_empty());
    if let Some(command) = call.param("command").and_then(Value::as_text) {
        return Cow::Borrowed(command);
    }
    if let Some(target) = TARGET_PARAMS.iter().find_map(text) {
        return Cow::Borrowed(relative(target, cwd));
    }
    if let Some(telling) = TELLING.iter().find_map(text) {
        return Cow::Borrowed(telling);
    }
    let first = call.params.first().map(|param| match &param.value {
        Value::Text(text) => format!("{}: {text}", param.name),
        Value::Json(json) => format!("{}: {json}", param.name),
    });
    Cow::Owned(first.unwrap_or_default())
}

/// A path under the working directory as seen from there.
pub fn relative<'a>(path: &'a str, cwd: Option<&str>) -> &'a str {
    cwd.map(|cwd| cwd.trim_end_matches('/'))
        .filter(|cwd| !cwd.is_empty())
        .and_then(|cwd| path.strip_prefix(cwd)?.strip_prefix('/'))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(path)
}

/// Remembers what open calls are about, so that their results can be told apart.
#[derive(Default)]
pub struct OpenLabels {
    calls: VecDeque<(usize, Box<str>, Box<str>)>,
}

impl OpenLabels {
    /// Notes a call of session number `slot`.
    pub fn call(&mut self, slot: usize, call: &Call<'_>, label: &str) {
        let Some(id) = call.id.as_deref() else { return };
        if self.calls.len() >= OPEN {
            self.calls.pop_front();
        }
        let label: String = label.chars().take(MAX_LENGTH).collect();
        self.calls.push_back((slot, id.into(), label.into()));
    }

    /// What the call with this id was about; it is no longer open.
    pub fn result(&mut self, slot: usize, id: &str) -> Option<Box<str>> {
        let at = self.calls.iter().position(|(s, known, _)| *s == slot && **known == *id)?;
        self.calls.remove(at).map(|(_, _, label)| label)
    }
}

/// What kind of event it is, for people, where it is about no tool.
pub fn of_kind(event: &Event<'_>) -> &'static str {
    match event {
        Event::SessionStart(_) => "start",
        Event::TurnStart { .. } => "turn",
        Event::TurnEnd { .. } => "turn end",
        Event::Text { .. } => "text",
        Event::ToolCall(_) => "call",
        Event::ToolResult(_) => "result",
        Event::Request { .. } => "request",
        Event::Response { .. } => "response",
        Event::Fs(_) => "fs",
        Event::Clock { .. } => "clock",
        Event::ClassifierReply { .. } => "classifier",
        Event::VerifierReply { .. } => "verifier",
        Event::UserShell { .. } => "user shell",
        Event::Constitution { .. } => "constitution",
        Event::Compaction => "compaction",
        Event::WorkflowStart { .. } => "workflow",
        Event::StepEnd(_) => "step",
        Event::WorkflowResume { .. } => "resume",
        Event::SessionEnd => "end",
    }
}
