//! `behavior log --right` and `--wrong`: what a user thinks of what was decided, kept beside the log as labels.

use std::io::Write;
use std::path::Path;

use serde_json::Value;

use crate::live::store::files::private;
use crate::precision::Label;
use crate::project::describe;
use crate::terminal::{Exit, Failure, Terminal};

/// The file of the labels, in the state directory.
pub const FILE: &str = "labels.jsonl";

/// Keeps a label for the rules that fired at an event of the log, or for the one that is named.
///
/// # Errors
/// When the event has no rule to speak of, or the label cannot be kept.
pub fn keep(
    entry: &Value,
    is_right: bool,
    rule: Option<&str>,
    directory: &Path,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
    let fired = entry.get("rules").and_then(Value::as_array).into_iter().flatten();
    let fired: Vec<String> = fired.filter_map(Value::as_str).map(str::to_owned).collect();
    let rules = rule.map_or(fired, |rule| vec![rule.to_owned()]);
    let (Some(session), Some(call)) = (text("session"), text("id")) else {
        return Err(Failure::Message(
            "this event is no call with an id: only calls are labelled".to_owned(),
        ));
    };
    if rules.is_empty() {
        let message = "no rule fired at this event: name the one that should have with `--rule`";
        return Err(Failure::Message(message.to_owned()));
    }
    let path = directory.join(FILE);
    let failed = |error: std::io::Error| {
        Failure::Message(format!("cannot write `{}`: {}", path.display(), describe(&error)))
    };
    let mut file = private().append(true).create(true).open(&path).map_err(failed)?;
    for rule in rules {
        let label = Label {
            trace: None,
            line: None,
            session: Some(session.clone()),
            call: Some(call.clone()),
            rule,
            right: is_right,
            note: None,
        };
        let line = serde_json::to_string(&label).map_err(|error| failed(error.into()))?;
        file.write_all(format!("{line}\n").as_bytes()).map_err(failed)?;
        let verb = if is_right { "should" } else { "should not" };
        terminal.say(&format!("kept: `{}` {verb} speak there\n", label.rule));
    }
    Ok(Exit::Clean)
}
