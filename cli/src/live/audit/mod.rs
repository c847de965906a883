//! The audit log: a line of JSON for each decision and each failure, without secrets.
//!
//! A line is an event in the native form with what was decided on it, so that `simulate` reads a log
//! as it reads any trace. A failure is a `clock` event. Each line is chained to the one before: `chain.rs`.

pub mod chain;
pub mod files;
mod head;
mod writer;

use std::borrow::Cow;
use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use behavior_agents::{Item, to_native};
use behavior_runtime::Layers;
use behavior_runtime::decision::{Decision, Verdict};
use behavior_runtime::event::{Call, Event, Param, ToolResult, Value};
use behavior_runtime::model::{ModelReply, ModelRequest};
use behavior_secrets::redacted;
use serde::Serialize;

use super::secret_key::SecretKey;

pub use files::{FILE, KEPT, files, head, open};
pub use head::{Head, look};

/// Longer texts are cut.
const MAX_TEXT_LENGTH: usize = 2 << 10;

/// Where decisions are written down. A log that cannot be written to stops nothing, and is told of on
/// standard error once.
#[derive(Debug, Default)]
pub struct Log {
    path: Option<PathBuf>,
    key: Option<SecretKey>,
    has_failed: Cell<bool>,
    /// Whether a line had to be written without its turn: then another one does not wait for it again.
    is_late: Cell<bool>,
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

/// A line about a change of the rules of a session.
#[derive(Serialize)]
struct ChangeLine<'a> {
    event: &'static str,
    session: &'a str,
    ts: i64,
    now: i64,
    agent: &'a str,
    changed: String,
}

/// A line about what a user allowed.
#[derive(Serialize)]
struct GrantLine<'a> {
    event: &'static str,
    ts: i64,
    now: i64,
    rules: [&'a str; 1],
    granted: String,
}

/// A question to a model, and what came of it.
pub struct Asked<'a> {
    /// The agent's name.
    pub agent: &'a str,
    /// The session, with the sub-agent where there is one.
    pub session: &'a str,
    /// What was asked.
    pub request: &'a ModelRequest,
    /// Who was asked: provider and model.
    pub brain: &'a str,
    /// How long it took.
    pub took: Duration,
    /// What was answered, if anything.
    pub reply: Option<&'a ModelReply>,
    /// What came of it, without a word of the question or the answer.
    pub outcome: &'a str,
    /// Whether question and answer are kept, too.
    pub with_texts: bool,
}

/// A line about a question to a model.
#[derive(Serialize)]
struct AskedLine<'a> {
    event: &'static str,
    session: &'a str,
    ts: i64,
    now: i64,
    agent: &'a str,
    model: ModelPart<'a>,
}

/// What a line says of a question to a model.
#[derive(Serialize)]
struct ModelPart<'a> {
    purpose: &'static str,
    brain: &'a str,
    took_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_tokens: Option<u64>,
    outcome: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<ModelTexts>,
}

/// What was asked and answered, for whoever wants it kept.
#[derive(Serialize)]
struct ModelTexts {
    system: String,
    user: String,
    reply: String,
}

/// What a line says of a decision, behind the event.
#[derive(Serialize)]
struct About<'a> {
    by: &'a str,
    turn: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    rules: Vec<&'a str>,
    /// Those of the rules that an exception or a grant made silent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    silent: Vec<Silent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a str>,
    took_us: u64,
    /// The identity of the rules, in hexadecimal.
    image: String,
}

/// A rule that fired and had no say.
#[derive(Serialize)]
struct Silent<'a> {
    rule: &'a str,
    /// Whose word it was: `exception`, or a user's name.
    by: &'a str,
    /// The reason of an exception; how long a grant lasts.
    scope: &'a str,
}

impl Log {
    /// The log in the directory with the sessions, chained with the user's key; where nothing says where that
    /// directory is, none is written.
    #[must_use]
    pub fn beside(sessions: Option<&Path>, key: Option<SecretKey>) -> Self {
        let path = sessions.map(|directory| directory.join(FILE));
        Self { path, key, ..Self::default() }
    }

    /// Writes a failure down.
    pub fn failure(&self, agent: &str, session: Option<&str>, message: &str) {
        let now = super::now();
        let failure = redacted(message, MAX_TEXT_LENGTH);
        let line = FailureLine { event: "clock", session, ts: now, now, agent, failure };
        // Plain data is always written.
        self.append(serde_json::to_string(&line).unwrap_or_default());
    }

    /// Writes down that the rules of a session were changed, by whoever may.
    pub fn changed(&self, agent: &str, session: &str, what: &str) {
        let now = super::now();
        let changed = redacted(what, MAX_TEXT_LENGTH);
        let line = ChangeLine { event: "clock", session, ts: now, now, agent, changed };
        // Plain data is always written.
        self.append(serde_json::to_string(&line).unwrap_or_default());
    }

    /// Writes down that a model was asked, and what came of it.
    pub fn asked(&self, asked: &Asked<'_>) {
        let now = super::now();
        let Asked { request, reply, .. } = asked;
        let text = |text: &str| redacted(text, MAX_TEXT_LENGTH);
        let texts = asked.with_texts.then(|| ModelTexts {
            system: text(&request.system),
            user: text(&request.user),
            reply: text(reply.map_or("", |reply| &reply.raw)),
        });
        let model = ModelPart {
            purpose: request.purpose.word(),
            brain: asked.brain,
            took_ms: u64::try_from(asked.took.as_millis()).unwrap_or(u64::MAX),
            input_tokens: reply.and_then(|reply| reply.input_tokens),
            output_tokens: reply.and_then(|reply| reply.output_tokens),
            outcome: asked.outcome,
            texts,
        };
        let (session, agent) = (asked.session, asked.agent);
        let line = AskedLine { event: "clock", session, ts: now, now, agent, model };
        // Plain data is always written.
        self.append(serde_json::to_string(&line).unwrap_or_default());
    }

    /// Writes down that a user allowed what a rule stops.
    pub fn granted(&self, rule: &str, what: &str) {
        let now = super::now();
        let granted = redacted(what, MAX_TEXT_LENGTH);
        let line = GrantLine { event: "clock", ts: now, now, rules: [rule], granted };
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
        let rules: Vec<&str> =
            decision.findings.iter().map(|finding| layers.rules().id(finding.rule)).collect();
        let silent = decision.findings.iter().filter_map(|finding| {
            let granted = finding.granted.as_ref()?;
            let rule = layers.rules().id(finding.rule);
            Some(Silent { rule, by: &granted.by, scope: &granted.scope })
        });
        let of_policy = decision.besides().granted.iter().filter_map(|(rule, granted)| {
            let rule = layers.policy().get(*rule)?.name;
            Some(Silent { rule, by: &granted.by, scope: &granted.scope })
        });
        let policy = decision.permission.as_ref().and_then(|permission| permission.rule);
        let about = About {
            by: decided.agent,
            turn: decision.turn,
            verdict: decision.verdict.map(Verdict::name),
            rules,
            silent: silent.chain(of_policy).collect(),
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

    fn append(&self, line: String) {
        let Some(path) = &self.path else { return };
        let wait = if self.is_late.get() { Duration::ZERO } else { writer::LOCK_WAIT };
        let error = match writer::append(path, self.key.as_ref(), wait, line) {
            Ok(had_its_turn) => return self.is_late.set(!had_its_turn),
            Err(error) => error,
        };
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
        Event::TurnEnd { text: said } => Event::TurnEnd { text: said.as_deref().map(text) },
        Event::TurnStart { text: said } => Event::TurnStart { text: said.as_deref().map(text) },
        Event::SessionStart(start) => Event::SessionStart(behavior_runtime::event::SessionStart {
            agent: start.agent.as_deref().map(text),
            cwd: start.cwd.as_deref().map(text),
            mode: start.mode.as_deref().map(text),
            branch: start.branch.as_deref().map(text),
            headless: start.headless,
            subagent: start.subagent,
            tools: start.tools.as_ref().map(|tools| tools.iter().map(|tool| text(tool)).collect()),
            by_exchange: start.by_exchange,
        }),
        Event::ClassifierReply { raw } => Event::ClassifierReply { raw: text(raw) },
        Event::Clock { now } => Event::Clock { now: *now },
        Event::Compaction => Event::Compaction,
        // Files are told by the disk, and what else there is has no place in the log.
        Event::Request { .. } => Event::Request { body: Cow::Borrowed("{\"event\":\"request\"}") },
        Event::Response { body } => Event::Response { body: Cow::Owned(response(body)) },
        Event::Constitution { body } => Event::Constitution { body: Cow::Owned(change(body)) },
        // What a model says is not kept.
        Event::VerifierReply { .. } => Event::VerifierReply { reply: Err(Cow::Borrowed("")) },
        Event::UserShell { command, hidden } => {
            Event::UserShell { command: text(command), hidden: *hidden }
        }
        Event::SessionEnd
        | Event::Fs(_)
        | Event::WorkflowStart { .. }
        | Event::StepEnd(_)
        | Event::WorkflowResume { .. } => Event::SessionEnd,
    }
}

/// Of a change of a session's own rules all, but for secrets.
fn change(body: &str) -> String {
    fn without_secrets(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => *text = redacted(text, MAX_TEXT_LENGTH),
            serde_json::Value::Array(items) => items.iter_mut().for_each(without_secrets),
            serde_json::Value::Object(fields) => fields.values_mut().for_each(without_secrets),
            _ => {}
        }
    }
    let mut body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    without_secrets(&mut body);
    match body.as_object_mut() {
        Some(fields) => {
            fields.insert("event".to_owned(), "constitution".into());
            // Whose agent it is stands there in the log.
            fields.remove("by");
        }
        None => body = serde_json::json!({ "event": "constitution" }),
    }
    body.to_string()
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
        value: match named_secret(&param.name, &param.value) {
            Some(hidden) => Value::Text(hidden.into()),
            None => value_without_secrets(&param.value),
        },
    };
    Call {
        id: call.id.as_deref().map(owned),
        tool: owned(&call.tool),
        native_tool: call.native_tool.as_deref().map(owned),
        params: call.params.iter().map(param).collect(),
    }
}

/// What stands for the value of a parameter that is a secret by the name of the parameter: `password`, `api_key`.
fn named_secret(name: &str, value: &Value<'_>) -> Option<String> {
    const MAX_SECRET: usize = 1_024;
    let Value::Text(text) = value else { return None };
    if text.len() > MAX_SECRET || text.contains('\n') {
        return None;
    }
    let named = format!("{name}={text}");
    let clean = redacted(&named, MAX_TEXT_LENGTH);
    let hidden = clean.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')).unwrap_or(&clean);
    (clean != named).then(|| hidden.to_owned())
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
