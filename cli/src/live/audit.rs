//! The audit log: a line of JSON for each decision and each failure, without secrets.
//!
//! A line is an event in the native form with what was decided on it, so that `simulate` reads a log
//! as it reads any trace. A failure is a `clock` event.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use behavior_agents::{Item, to_native};
use behavior_runtime::Layers;
use behavior_runtime::decision::{Decision, Verdict};
use behavior_runtime::event::{Call, Event, Param, ToolResult, Value};
use behavior_secrets::redacted;
use serde::Serialize;

use super::store::{private, regular};

/// The file in the state directory.
pub const FILE: &str = "audit.jsonl";
/// A log that is longer is renamed, and a new one begun.
const MAX_LENGTH: u64 = 16 << 20;
/// So many logs are kept besides the one that is written to.
const KEPT: u32 = 4;
/// Longer texts are cut.
const MAX_TEXT_LENGTH: usize = 2 << 10;

/// Where decisions are written down. A log that cannot be written to stops nothing, and is told of on
/// standard error once.
#[derive(Debug, Default)]
pub struct Log {
    path: Option<PathBuf>,
    has_failed: Cell<bool>,
}

/// A decision on one event of a live session.
pub struct Decided<'a> {
    /// The agent's name.
    pub agent: &'a str,
    /// The session, with the sub-agent where there is one.
    pub session: &'a str,
    /// What was decided on.
    pub event: &'a Event<'a>,
    /// The decision.
    pub decision: &'a Decision,
    /// The rules.
    pub layers: &'a Layers,
    /// How long it took from the start of the process.
    pub took: Duration,
}

/// A line about a failure.
#[derive(Serialize)]
struct FailureLine<'a> {
    event: &'static str,
    session: Option<&'a str>,
    ts: i64,
    now: i64,
    agent: &'a str,
    failure: String,
}

/// What a line says of a decision, behind the event.
#[derive(Serialize)]
struct About<'a> {
    by: &'a str,
    turn: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    rules: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a str>,
    took_us: u64,
    /// The identity of the rules, in hexadecimal.
    image: String,
}

impl Log {
    /// The log in the directory with the sessions; where nothing says where that is, none is written.
    #[must_use]
    pub fn beside(sessions: Option<&Path>) -> Self {
        Self { path: sessions.map(|directory| directory.join(FILE)), ..Self::default() }
    }

    /// Writes a failure down.
    pub fn failure(&self, agent: &str, session: Option<&str>, message: &str) {
        let now = super::now();
        let failure = redacted(message, MAX_TEXT_LENGTH);
        let line = FailureLine { event: "clock", session, ts: now, now, agent, failure };
        // Plain data is always written.
        self.append(serde_json::to_string(&line).unwrap_or_default());
    }

    /// Writes a decision down.
    pub fn decision(&self, decided: &Decided<'_>) {
        let Decided { decision, layers, .. } = decided;
        let item = Item {
            line: 0,
            session: Cow::Borrowed(decided.session),
            ts: Some(super::now()),
            event: without_secrets(decided.event),
        };
        let rules: Vec<&str> = decision
            .findings
            .iter()
            .filter_map(|finding| Some(layers.rules().get(finding.rule)?.id))
            .collect();
        let policy = decision.permission.as_ref().and_then(|permission| permission.rule);
        let about = About {
            by: decided.agent,
            turn: decision.turn,
            verdict: decision.verdict.map(Verdict::name),
            rules,
            policy: policy.and_then(|rule| layers.policy().get(rule)).map(|rule| rule.name),
            took_us: u64::try_from(decided.took.as_micros()).unwrap_or(u64::MAX),
            image: format!("{:016x}", layers.own().identity()),
        };
        // Plain data is always written.
        let about = serde_json::to_string(&about).unwrap_or_default();
        let mut line = to_native(&item);
        // Both are objects: the first goes on with what the second holds.
        line.truncate(line.len().saturating_sub(1));
        line.push(',');
        line.push_str(about.get(1..).unwrap_or_default());
        self.append(line);
    }

    fn append(&self, mut line: String) {
        let Some(path) = &self.path else { return };
        line.push('\n');
        let Err(error) = write(path, &line) else { return };
        if !self.has_failed.replace(true) {
            // Whether somebody reads it is up to the agent.
            let _ = writeln!(std::io::stderr().lock(), "behavior: {}", unwritten(path, &error));
        }
    }
}

/// Why nothing is written down, for people.
#[must_use]
pub fn unwritten(path: &Path, error: &std::io::Error) -> String {
    let reason = crate::project::describe(error);
    format!("what is decided cannot be written down in `{}`: {reason}", path.display())
}

/// Opens the log at a path to write behind its end; it is made where there is none.
///
/// # Errors
/// When the system refuses.
pub fn open(path: &Path) -> std::io::Result<File> {
    private().append(true).create(true).open(path).and_then(regular)
}

fn write(path: &Path, line: &str) -> std::io::Result<()> {
    let file = open(path).or_else(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            super::store::create_private(path.parent().unwrap_or(Path::new("")))?;
            open(path)
        }
        _ => Err(error),
    });
    let mut file = file?;
    // One write a line: lines of processes that run at the same time do not mix.
    let written = file.write(line.as_bytes())?;
    if written < line.len() {
        take_back(&mut file, written);
        return Err(std::io::ErrorKind::StorageFull.into());
    }
    begin_another(path, &file);
    Ok(())
}

/// Takes back the start of a line for which there was no room, unless others have written since.
fn take_back(file: &mut File, written: usize) {
    let (Ok(end), Ok(metadata)) = (file.stream_position(), file.metadata()) else { return };
    if metadata.len() == end {
        let _ = file.set_len(end.saturating_sub(written as u64));
    }
}

/// Begins another log if this one is long; the oldest one goes.
fn begin_another(path: &Path, file: &File) {
    let is_long = |metadata: fs::Metadata| metadata.len() > MAX_LENGTH;
    // Looked at twice, since another process may have done it.
    if !file.metadata().is_ok_and(is_long) || !fs::metadata(path).is_ok_and(is_long) {
        return;
    }
    for number in (1..KEPT).rev() {
        let _ = fs::rename(numbered(path, number), numbered(path, number + 1));
    }
    let _ = fs::rename(path, numbered(path, 1));
}

/// A log that was begun earlier: 1 is the one before that which is written to.
fn numbered(path: &Path, number: u32) -> PathBuf {
    path.with_extension(format!("{number}.jsonl"))
}

/// All logs in a directory, whether they are there or not: the oldest first, the one that is written to
/// last.
pub fn files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let path = directory.join(FILE);
    let current = path.clone();
    (1..=KEPT).rev().map(move |number| numbered(&path, number)).chain([current])
}

/// The event with its texts cut, and without secrets.
pub fn without_secrets(event: &Event<'_>) -> Event<'static> {
    let text = |text: &str| Cow::Owned(redacted(text, MAX_TEXT_LENGTH));
    match event {
        Event::ToolCall(call) => Event::ToolCall(call_without_secrets(call)),
        Event::ToolResult(result) => Event::ToolResult(ToolResult {
            id: result.id.as_deref().map(text),
            call: result.call.as_ref().map(call_without_secrets),
            result: result.result.as_ref().map(value_without_secrets),
            ok: result.ok,
        }),
        Event::Text { text: written } => Event::Text { text: text(written) },
        Event::TurnStart { text: said } => Event::TurnStart { text: said.as_deref().map(text) },
        Event::SessionStart(start) => Event::SessionStart(behavior_runtime::event::SessionStart {
            agent: start.agent.as_deref().map(text),
            cwd: start.cwd.as_deref().map(text),
            mode: start.mode.as_deref().map(text),
            headless: start.headless,
            by_exchange: start.by_exchange,
        }),
        Event::ClassifierReply { raw } => Event::ClassifierReply { raw: text(raw) },
        Event::Clock { now } => Event::Clock { now: *now },
        Event::Compaction => Event::Compaction,
        // Files are told by the disk, and what else there is has no place in the log.
        Event::Request { .. } => Event::Request { body: Cow::Borrowed("{\"event\":\"request\"}") },
        Event::Response { body } => Event::Response { body: Cow::Owned(response(body)) },
        Event::SessionEnd | Event::Fs(_) | Event::Constitution { .. } => Event::SessionEnd,
    }
}

/// Of a response, why it ended and what it used; what it says is the agent's business.
fn response(body: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    let mut kept = serde_json::Map::new();
    kept.insert("event".to_owned(), "response".into());
    if let Some(reason) = body.get("stop_reason").and_then(serde_json::Value::as_str) {
        kept.insert("stop_reason".to_owned(), redacted(reason, MAX_TEXT_LENGTH).into());
    }
    let numbers = |usage: &serde_json::Map<String, serde_json::Value>| {
        usage
            .iter()
            .filter(|(_, value)| value.is_number())
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    };
    if let Some(usage) = body.get("usage").and_then(serde_json::Value::as_object) {
        kept.insert("usage".to_owned(), serde_json::Value::Object(numbers(usage)));
    }
    serde_json::Value::Object(kept).to_string()
}

fn call_without_secrets(call: &Call<'_>) -> Call<'static> {
    let owned = |text: &str| Cow::Owned(text.to_owned());
    let param = |param: &Param<'_>| Param {
        name: owned(&param.name),
        native: param.native.as_deref().map(owned),
        value: value_without_secrets(&param.value),
    };
    Call {
        id: call.id.as_deref().map(owned),
        tool: owned(&call.tool),
        native_tool: call.native_tool.as_deref().map(owned),
        params: call.params.iter().map(param).collect(),
    }
}

/// What is not a text stays as it is, unless it is long or holds a secret: then it is a text.
fn value_without_secrets(value: &Value<'_>) -> Value<'static> {
    let (Value::Text(text) | Value::Json(text)) = value;
    let clean = redacted(text, MAX_TEXT_LENGTH);
    match value {
        Value::Json(json) if clean == **json => Value::Json(clean.into()),
        _ => Value::Text(clean.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_log_is_put_aside_and_the_oldest_goes() {
        let directory = std::env::temp_dir().join(format!("behavior-audit-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let log = Log::beside(Some(&directory));
        let long = " ".repeat(usize::try_from(MAX_LENGTH).unwrap());
        for round in 0..7 {
            log.failure("pi", None, &format!("round {round}"));
            let path = directory.join(FILE);
            fs::write(&path, fs::read_to_string(&path).unwrap() + &long).unwrap();
            log.failure("pi", None, "the last straw");
        }
        let rounds: Vec<Option<String>> = files(&directory)
            .map(|path| fs::read_to_string(path).ok())
            .map(|text| text?.find("round ").map(|_| String::new()))
            .collect();
        assert_eq!(rounds.iter().flatten().count(), 4, "four of seven are kept");
        assert_eq!(rounds.last(), Some(&None), "the one that is written to was put aside");
        let oldest = fs::read_to_string(directory.join("audit.4.jsonl")).unwrap();
        assert!(oldest.contains("round 3"), "the oldest ones went");
        fs::remove_dir_all(&directory).unwrap();
    }
}
