//! The audit log: a line of JSON for each decision and each failure, without secrets.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use behavior_runtime::decision::{Decision, Verdict};
use behavior_runtime::event::Event;
use behavior_runtime::{Image, Session};
use serde_json::{Value, json};

/// The file in the state directory.
pub const FILE: &str = "audit.jsonl";
/// A log that is longer is renamed, and a new one begun.
const LONGEST: u64 = 16 << 20;

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
    /// Knows the names of tools.
    pub names: &'a Session,
    /// What was answered for all the events together.
    pub answered: Option<Verdict>,
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
        self.append(&json!({
            "time": now(),
            "agent": agent,
            "session": session,
            "failure": message,
        }));
    }

    /// Writes a decision down.
    pub fn decision(&self, decided: &Decided<'_>) {
        let Decided { decision, image, .. } = decided;
        let rules: Vec<&str> = decision
            .findings
            .iter()
            .filter_map(|finding| Some(image.rule(finding.rule)?.id))
            .collect();
        self.append(&json!({
            "time": now(),
            "agent": decided.agent,
            "session": decided.session,
            "turn": decision.turn,
            "event": decided.event.name(),
            "tool": decision.tool.map(|tool| decided.names.tool_name(tool)),
            "verdict": decision.verdict.map(Verdict::name),
            "rules": rules,
            "took_us": u64::try_from(decided.took.as_micros()).unwrap_or(u64::MAX),
            "image": format!("{:016x}", image.identity()),
        }));
    }

    fn append(&self, line: &Value) {
        let Some(path) = &self.path else { return };
        let mut text = line.to_string();
        text.push('\n');
        let open = || OpenOptions::new().append(true).create(true).open(path);
        let file = open().or_else(|_| {
            super::create_private(path.parent().unwrap_or(Path::new("")))?;
            open()
        });
        let Ok(mut file) = file else { return };
        // One write a line: lines of processes that run at the same time do not mix.
        let _ = file.write_all(text.as_bytes());
        if file.metadata().is_ok_and(|metadata| metadata.len() > LONGEST) {
            let _ = fs::rename(path, path.with_extension("1.jsonl"));
        }
    }
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
