//! Calls that a program of one's own told, kept until their results: those name their call by its id
//! and need not repeat it. Agents repeat it, and nothing of theirs is kept here.

use std::borrow::Cow;

use behavior_agents::{Item, native, to_native};
use behavior_runtime::event::{Call, Event, ToolResult};

use crate::live::audit::without_secrets;

/// So many calls are kept; those that never get a result are forgotten, oldest first.
const MAX: usize = 64;

/// Keeps a call, without its secrets and with its long texts cut.
pub fn keep(open: &mut Vec<String>, event: &Event<'_>) {
    if open.len() >= MAX {
        open.remove(0);
    }
    let session = Cow::Borrowed(native::DEFAULT_SESSION);
    open.push(to_native(&Item { line: 0, session, ts: None, event: without_secrets(event) }));
}

/// Takes out the call that a result belongs to: by its id, else the oldest one.
pub fn take(open: &mut Vec<String>, result: &ToolResult<'_>) -> Option<String> {
    let is_its = |line: &String| {
        result.id.is_none() || call_in(line).is_some_and(|call| call.id == result.id)
    };
    let at = open.iter().position(is_its)?;
    Some(open.remove(at))
}

/// The result with its call, where it does not name one itself.
#[must_use]
pub fn completed<'e>(result: &'e ToolResult<'_>, line: &'e str) -> Option<Event<'e>> {
    let call = call_in(line).filter(|_| result.call.is_none())?;
    Some(Event::ToolResult(ToolResult { call: Some(call), ..result.clone() }))
}

fn call_in(line: &str) -> Option<Call<'_>> {
    match native::parse(line, 1).ok()??.event {
        Event::ToolCall(call) => Some(call),
        _ => None,
    }
}
