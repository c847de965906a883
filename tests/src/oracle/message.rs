//! Messages, put together line by line; and what is told of documents.

use behavior_compiler::ir::{MessagePart, Rule};

use super::aside::Aside;
use super::condition::Question;
use super::session::{Context, Session};
use super::world::World;
use super::{command, names, paths, values};
use crate::documents::Documents;

/// How many bytes of documents a message has room for.
const ROOM: usize = 16 * 1024;

/// A piece of a line.
enum Piece {
    Text(String),
    Document(Option<String>),
}

/// A rule's message.
pub fn of(rule: &Rule, world: &World<'_>, session: &Session, context: &Context<'_>) -> String {
    let mut lines = vec![Vec::new()];
    for part in &rule.message {
        match part {
            MessagePart::Text(text) => {
                for (index, piece) in text.split('\n').enumerate() {
                    if index > 0 {
                        lines.push(Vec::new());
                    }
                    lines.last_mut().unwrap().push(Piece::Text(piece.to_owned()));
                }
            }
            MessagePart::Document(name) => {
                let text = document(&world.documents, name);
                lines.last_mut().unwrap().push(Piece::Document(text));
            }
            other => {
                let text = match other {
                    MessagePart::Command => command_of(rule, world, session, context),
                    MessagePart::Cause => cause_of(rule, world, session, context),
                    other => value(other, session, context),
                };
                let value = Piece::Text(text);
                lines.last_mut().unwrap().push(value);
            }
        }
    }
    let mut room = ROOM;
    let shown: Vec<Option<String>> = lines.iter().map(|line| show(line, &mut room)).collect();
    let is_left_out = |index: usize| {
        let next_goes = shown.get(index + 1).is_some_and(Option::is_none);
        shown[index].as_ref().is_none_or(|line| next_goes && line.trim_end().ends_with(':'))
    };
    let kept: Vec<&str> = (0..shown.len())
        .filter(|index| !is_left_out(*index))
        .filter_map(|index| shown[index].as_deref())
        .collect();
    let message = kept.join("\n");
    match shown.last() {
        Some(None) => message.trim_end().to_owned(),
        _ => message,
    }
}

/// A line; none where one of its documents has no text.
fn show(line: &[Piece], room: &mut usize) -> Option<String> {
    let mut shown = String::new();
    for piece in line {
        match piece {
            Piece::Text(text) => shown += text,
            Piece::Document(text) => {
                let cut = cut(text.as_ref()?, *room);
                *room = room.saturating_sub(cut.len());
                shown += &cut;
            }
        }
    }
    Some(shown)
}

/// The project's document, else the user's; none where that is blank.
fn document(documents: &Documents, name: &str) -> Option<String> {
    let text = documents.project.get(name).or(documents.user.get(name))?;
    let text = text.trim_end();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The first of the project's and the user's documents that is not blank.
pub fn reminder(documents: &Documents, name: &str) -> Option<String> {
    let both = [documents.project.get(name), documents.user.get(name)];
    let text = both.into_iter().flatten().find(|text| !text.trim().is_empty())?;
    Some(cut(text.trim_end(), ROOM))
}

fn cut(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        if cut.len() + c.len_utf8() + 3 > room {
            break;
        }
        cut.push(c);
    }
    cut + "..."
}

/// The command that the rule is about.
fn command_of(rule: &Rule, world: &World<'_>, session: &Session, context: &Context<'_>) -> String {
    let Some(call) = context.call else { return String::new() };
    let place =
        (session.cwd.as_deref(), &session.state as &dyn paths::Sets, paths::directory(call));
    let text = command::deciding(world, &rule.condition, call, place);
    let whole = || values::param(call, "command").map_or(String::new(), values::whole);
    values::shown(&if text.is_empty() { whole() } else { text })
}

/// What decides: a file, else the command, else the target.
fn cause_of(rule: &Rule, world: &World<'_>, session: &Session, context: &Context<'_>) -> String {
    let question = Question { world, session, context, aside: Aside::default() };
    if let Some(file) = question.deciding_file(&rule.condition) {
        return values::shown(&file);
    }
    match command_of(rule, world, session, context) {
        command if command.is_empty() => value(&MessagePart::Target, session, context),
        command => command,
    }
}

fn value(part: &MessagePart, session: &Session, context: &Context<'_>) -> String {
    match part {
        MessagePart::Target => {
            let target = context.call.and_then(|call| values::target(call, &[]));
            values::shown(&target.map_or(String::new(), |target| target.text))
        }
        MessagePart::Tool => values::shorten(
            &context.call.map_or(String::new(), |call| names::canonical(&call.tool)),
        ),
        MessagePart::Turn => session.state.turn.to_string(),
        MessagePart::TurnCalls => session.state.turn_calls.to_string(),
        MessagePart::Consecutive => context.consecutive.to_string(),
        MessagePart::Param(name) => {
            let value = context.call.and_then(|call| values::param(call, name));
            values::shown(&value.map_or(String::new(), values::whole))
        }
        MessagePart::Counter(index) => session.state.counters[*index as usize].1.to_string(),
        MessagePart::SetCount(index) => session.state.entries(*index).len().to_string(),
        MessagePart::Flag(index) => {
            if session.state.flags[*index as usize].1 { "True" } else { "False" }.to_owned()
        }
        MessagePart::Claims => unreachable!("no random rule says it"),
        MessagePart::Command
        | MessagePart::Cause
        | MessagePart::Text(_)
        | MessagePart::Document(_) => unreachable!("told elsewhere"),
    }
}
