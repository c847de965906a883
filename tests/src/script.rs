//! Events as people write them in documents, a line each: native events, and short forms that stand for a call
//! together with its result. Says nothing of rules.

use std::sync::Arc;

pub use behavior_compiler::rule_test::Step;
use behavior_rule_tests::play;
use behavior_runtime::decision::Decision;
use behavior_runtime::{Image, Layers, Session};
use serde_json::{Map, Value, json};

use crate::documents::Documents;

/// What came of one step.
#[derive(Debug)]
pub struct Outcome<'s> {
    /// The step.
    pub step: &'s Step,
    /// The session that it belongs to.
    pub session: String,
    /// What was decided.
    pub decision: Decision,
    /// The session as it is now; `None` behind its end.
    pub state: Option<Session>,
}

/// A call and its successful result.
#[must_use]
pub fn short(number: usize, tool: &str, params: Value, session: Option<&str>) -> Vec<Step> {
    let id = format!("short-{number}");
    let mut call = json!({"event": "tool_call", "id": id, "tool": tool, "params": params});
    let mut result = json!({"event": "tool_result", "id": id});
    for event in [&mut call, &mut result] {
        if let (Some(session), Some(fields)) = (session, event.as_object_mut()) {
            fields.insert("session".into(), session.into());
        }
    }
    vec![step(number, &call, false), step(number, &result, true)]
}

fn step(at: usize, event: &Value, is_result_of_short: bool) -> Step {
    let starts_workflow = event["event"] == "workflow_start";
    Step { at, event: event.to_string().into(), starts_workflow, is_result_of_short, offset: 0 }
}

/// Reads a script: an event a line, empty lines and lines that start with `#` left out, numbered
/// from 1.
///
/// # Errors
/// The number of the event that was not understood, and why.
pub fn parse(text: &str) -> Result<Vec<Step>, String> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut steps = Vec::new();
    for (index, line) in lines.enumerate() {
        let read = parse_line(index + 1, line);
        steps.extend(read.map_err(|why| format!("event {}, `{line}`: {why}", index + 1))?);
    }
    Ok(steps)
}

fn parse_line(number: usize, line: &str) -> Result<Vec<Step>, String> {
    if line.starts_with('{') {
        let event: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        return Ok(vec![step(number, &event, false)]);
    }
    let (session, line) = match line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
        Some((session, rest)) => (Some(session), rest.trim()),
        None => (None, line),
    };
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (word, id) = match word.split_once('#') {
        Some((word, id)) => (word, Some(id)),
        None => (word, None),
    };
    let rest = rest.trim();
    let native = match word {
        "turn" => with(json!({"event": "turn_start"}), primary(rest, "text")?),
        "turn_end" => with(json!({"event": "turn_end"}), primary(rest, "text")?),
        "text" => with(json!({"event": "text"}), primary(rest, "text")?),
        "file" => with(json!({"event": "fs"}), primary(rest, "path")?),
        "clock" => json!({"event": "clock", "now": value_of(rest)?}),
        "reply" => json!({"event": "classifier_reply", "raw": rest}),
        "verdict" => json!({"event": "verifier_reply", "raw": rest}),
        "no_verdict" => json!({"event": "verifier_reply", "error": rest}),
        "user_shell" => with(json!({"event": "user_shell"}), primary(rest, "command")?),
        "session" => with(json!({"event": "session_start"}), fields(rest)?),
        "compaction" => json!({"event": "compaction"}),
        "end" => json!({"event": "session_end"}),
        "call" => call(id, rest)?,
        "result" => result(id, rest)?,
        tool => return short_form(number, tool, session, rest),
    };
    let event = match session {
        Some(session) => with(native, Map::from_iter([("session".to_owned(), session.into())])),
        None => native,
    };
    Ok(vec![step(number, &event, false)])
}

fn with(mut event: Value, fields: Map<String, Value>) -> Value {
    if let Some(known) = event.as_object_mut() {
        known.extend(fields);
    }
    event
}

/// `call#1 edit file_path=a.rs`.
fn call(id: Option<&str>, rest: &str) -> Result<Value, String> {
    let (tool, params) = rest.split_once(' ').unwrap_or((rest, ""));
    let event = json!({"event": "tool_call", "tool": tool, "params": fields(params)?});
    Ok(with(event, id.map(|id| ("id".to_owned(), id.into())).into_iter().collect()))
}

/// `result#1`, `result#1 => failed`, or `result edit file_path=a.rs => "done"`, with or without
/// the call.
fn result(id: Option<&str>, rest: &str) -> Result<Value, String> {
    let (call, outcome) = rest.split_once("=>").unwrap_or((rest, ""));
    let mut event = json!({"event": "tool_result"});
    let (tool, params) = call.trim().split_once(' ').unwrap_or((call.trim(), ""));
    if !tool.is_empty() {
        event = with(event, Map::from_iter([("tool".to_owned(), tool.into())]));
        event = with(event, Map::from_iter([("params".to_owned(), fields(params)?.into())]));
    }
    let id = id.map(|id| ("id".to_owned(), id.into()));
    event = with(event, id.into_iter().collect());
    Ok(with(event, outcome_fields(outcome)?))
}

/// `edit file_path=a.rs => failed "no such file"`.
fn short_form(
    number: usize,
    tool: &str,
    session: Option<&str>,
    rest: &str,
) -> Result<Vec<Step>, String> {
    let (params, outcome) = match split_outcome(rest) {
        Some((params, outcome)) => (params, outcome_fields(outcome)?),
        None => (rest, Map::new()),
    };
    let mut steps = short(number, tool, fields(params)?.into(), session);
    if let Some(result) = steps.last_mut() {
        let event = serde_json::from_str(&result.event).unwrap_or_default();
        result.event = with(event, outcome).to_string().into();
    }
    Ok(steps)
}

/// Splits at a ` => ` that stands in no value.
fn split_outcome(rest: &str) -> Option<(&str, &str)> {
    if let Some(outcome) = rest.strip_prefix("=>") {
        return Some(("", outcome));
    }
    let mut in_text = false;
    let mut previous = ' ';
    for (index, c) in rest.char_indices() {
        if c == '"' && previous != '\\' {
            in_text = !in_text;
        }
        if !in_text && rest.get(index..).is_some_and(|rest| rest.starts_with(" => ")) {
            return Some((rest.get(..index)?, rest.get(index + 4..)?));
        }
        previous = c;
    }
    None
}

fn outcome_fields(text: &str) -> Result<Map<String, Value>, String> {
    let text = text.trim();
    let (ok, text) = match text.strip_prefix("failed") {
        Some(rest) => (false, rest.trim()),
        None => (true, text),
    };
    let mut fields = Map::new();
    if !ok {
        fields.insert("ok".into(), false.into());
    }
    if !text.is_empty() {
        fields.insert("result".into(), value_of(text)?);
    }
    Ok(fields)
}

/// A value that may be written without its name, in front of the others.
fn primary(text: &str, name: &str) -> Result<Map<String, Value>, String> {
    let first = text.split(' ').next().unwrap_or_default();
    if text.is_empty() || !text.starts_with('"') && first.contains('=') {
        return fields(text);
    }
    let (value, rest) = value(text)?;
    let mut all = fields(rest)?;
    all.insert(name.to_owned(), value);
    Ok(all)
}

/// `file_path=a.rs limit=3 edits=["a", "b"]`.
fn fields(text: &str) -> Result<Map<String, Value>, String> {
    let mut fields = Map::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some((name, tail)) = rest.split_once('=') else {
            return Err(format!("expected `name=value`, found `{rest}`"));
        };
        let (value, tail) = value(tail)?;
        fields.insert(name.trim().to_owned(), value);
        rest = tail.trim_start();
    }
    Ok(fields)
}

fn value_of(text: &str) -> Result<Value, String> {
    match value(text)? {
        (value, "") => Ok(value),
        (_, rest) => Err(format!("`{rest}` stands behind the value")),
    }
}

/// A JSON value, or a word that is taken as a string.
fn value(text: &str) -> Result<(Value, &str), String> {
    if text.starts_with(['"', '[', '{']) {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let value = values.next().ok_or("a value is missing")?.map_err(|e| e.to_string())?;
        return Ok((value, text.get(values.byte_offset()..).unwrap_or_default()));
    }
    let end = text.find(' ').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    Ok((serde_json::from_str(word).unwrap_or_else(|_| word.into()), rest))
}

/// Runs a script from the start. A short form whose call is denied has no result.
///
/// # Errors
/// The number of the event that the native format does not have, and why.
pub fn run<'s>(image: &Arc<Image>, steps: &'s [Step]) -> Result<Vec<Outcome<'s>>, String> {
    run_with(&Arc::new(Layers::from(Arc::clone(image))), steps, Documents::default())
}

/// Runs a script where there are documents.
///
/// # Errors
/// As [`run`].
pub fn run_with<'s>(
    layers: &Arc<Layers>,
    steps: &'s [Step],
    documents: Documents,
) -> Result<Vec<Outcome<'s>>, String> {
    let outcomes = play::steps(layers, steps, Box::new(documents), &|_| true)
        .map_err(|(at, why)| format!("event {at}: {why}"))?;
    let outcomes = outcomes.into_iter().filter_map(|outcome| {
        let step = steps.get(outcome.number)?;
        let (session, decision, state) = (outcome.session, outcome.decision, outcome.state);
        Some(Outcome { step, session, decision, state })
    });
    Ok(outcomes.collect())
}
