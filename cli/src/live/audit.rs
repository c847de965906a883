//! The audit log: a line of JSON for each decision and each failure, without secrets.
//!
//! A line is an event in the native form with what was decided on it, so that `simulate` reads a log
//! as it reads any trace. A failure is a `clock` event.

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use behavior_agents::{Item, to_native};
use behavior_runtime::Image;
use behavior_runtime::decision::{Decision, Verdict};
use behavior_runtime::event::{Call, Event, Param, ToolResult, Value};
use serde_json::{Map, json};

use super::redact::redacted;

/// The file in the state directory.
pub const FILE: &str = "audit.jsonl";
/// What the log is called that was begun before this one.
pub const BEFORE: &str = "audit.1.jsonl";
/// A log that is longer is renamed, and a new one begun.
const LONGEST: u64 = 16 << 20;
/// Longer texts are cut.
const LONGEST_TEXT: usize = 2 << 10;

/// Where decisions are written down. A log that cannot be written to stops nothing.
#[derive(Clone, Debug, Default)]
pub struct Log {
    path: Option<PathBuf>,
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
    pub image: &'a Image,
    /// How long it took from the start of the process.
    pub took: Duration,
}

impl Log {
    /// The log in the usual place.
    #[must_use]
    pub fn usual() -> Self {
        let directory = super::usual_directory(|name| std::env::var_os(name));
        Self { path: directory.map(|directory| directory.join(FILE)) }
    }

    /// Writes a failure down.
    pub fn failure(&self, agent: &str, session: Option<&str>, message: &str) {
        let now = now();
        let line = json!({
            "event": "clock",
            "session": session,
            "ts": now,
            "now": now,
            "agent": agent,
            "failure": redacted(message, LONGEST_TEXT),
        });
        self.append(line.to_string());
    }

    /// Writes a decision down.
    pub fn decision(&self, decided: &Decided<'_>) {
        let Decided { decision, image, .. } = decided;
        let item = Item {
            line: 0,
            session: Cow::Borrowed(decided.session),
            ts: Some(now()),
            event: without_secrets(decided.event),
        };
        let rules: Vec<&str> = decision
            .findings
            .iter()
            .filter_map(|finding| Some(image.rule(finding.rule)?.id))
            .collect();
        let policy = decision.permission.as_ref().and_then(|permission| permission.rule);
        let mut more = Map::new();
        more.insert("by".to_owned(), decided.agent.into());
        more.insert("turn".to_owned(), decision.turn.into());
        if let Some(verdict) = decision.verdict {
            more.insert("verdict".to_owned(), Verdict::name(verdict).into());
        }
        more.insert("rules".to_owned(), rules.into());
        if let Some(policy) = policy.and_then(|rule| image.permission(rule)) {
            more.insert("policy".to_owned(), policy.name.into());
        }
        let took = u64::try_from(decided.took.as_micros()).unwrap_or(u64::MAX);
        more.insert("took_us".to_owned(), took.into());
        more.insert("image".to_owned(), format!("{:016x}", image.identity()).into());
        let more = serde_json::Value::Object(more).to_string();
        let mut line = to_native(&item);
        // Both are objects: the first goes on with what the second holds.
        line.truncate(line.len().saturating_sub(1));
        line.push(',');
        line.push_str(more.get(1..).unwrap_or_default());
        self.append(line);
    }

    fn append(&self, mut line: String) {
        let Some(path) = &self.path else { return };
        line.push('\n');
        let open = || {
            #[cfg_attr(not(unix), expect(unused_mut, reason = "there are no modes here"))]
            let mut options = OpenOptions::new();
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.append(true).create(true).open(path)
        };
        let file = open().or_else(|_| {
            super::store::create_private(path.parent().unwrap_or(Path::new("")))?;
            open()
        });
        let Ok(mut file) = file else { return };
        // One write a line: lines of processes that run at the same time do not mix.
        let _ = file.write_all(line.as_bytes());
        if file.metadata().is_ok_and(|metadata| metadata.len() > LONGEST) {
            let _ = fs::rename(path, path.with_file_name(BEFORE));
        }
    }
}

/// The event with its texts cut, and without secrets.
fn without_secrets(event: &Event<'_>) -> Event<'static> {
    let text = |text: &str| Cow::Owned(redacted(text, LONGEST_TEXT));
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
        // Files are told by the disk, and what else there is has no place in the log.
        Event::SessionEnd
        | Event::Fs(_)
        | Event::Request { .. }
        | Event::Response { .. }
        | Event::Constitution { .. } => Event::SessionEnd,
    }
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
    let clean = redacted(text, LONGEST_TEXT);
    match value {
        Value::Json(json) if clean == **json => Value::Json(clean.into()),
        _ => Value::Text(clean.into()),
    }
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
