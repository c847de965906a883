//! `explain_decision`: why the last call that was stopped was, and what would satisfy the rules.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use behavior_agents::{Item, native};
use behavior_runtime::constitution::entry_of;
use behavior_runtime::conversation::Conversation;
use behavior_runtime::{Image, Layer, LayeredSession, Verdict};
use serde_json::{Map, Value, json};

use super::chosen::key_of;
use super::served::{Refused, Served};
use crate::explain::why::{Asked, Why};
use crate::live::audit::files;
use crate::live::host::LiveHost;

/// So much of the end of the log is looked through.
const LOOKED_THROUGH: u64 = 8 << 20;

/// Explains it.
pub fn call(served: &Served, arguments: &Map<String, Value>) -> Result<Value, Refused> {
    let store = served.store()?;
    let chosen = served.chosen(&store, arguments)?;
    let key = key_of(&chosen)?.clone();
    let line = last_stopped(served, &key.session)
        .ok_or_else(|| Refused::new("no call of this session was blocked or asked about lately"))?;
    let told: Value = serde_json::from_str(&line)?;
    let item = native::parse(&line, 1).ok().flatten();
    let item = item.ok_or_else(|| Refused::new("the log cannot be read"))?;
    let taken = served.take(arguments)?;
    let fired: Vec<&str> = told
        .get("rules")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let parts = parts(&taken.session, &item, &fired);
    let now = parts.iter().filter_map(|part| part.verdict).max().unwrap_or(Verdict::Allow);
    let rules: Vec<Value> = parts.iter().flat_map(Part::rules).collect();
    let field = |name: &str| told.get(name).cloned().unwrap_or_default();
    Ok(json!({
        "call": { "tool": field("tool"), "params": field("params"), "at": field("ts") },
        "verdict": field("verdict"),
        "fired": fired,
        "policy": field("policy"),
        "rules": rules,
        "now": now.name(),
    }))
}

/// The line of the log about the last call of a session that was not simply allowed.
fn last_stopped(served: &Served, session: &str) -> Option<String> {
    let path = files::files(&served.state).last()?;
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LOOKED_THROUGH))).ok()?;
    let mut bytes = Vec::new();
    file.take(LOOKED_THROUGH).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let is_it = |line: &&str| {
        // Most lines are about something else, and need not be read for that.
        if !line.contains("\"tool_call\"") {
            return false;
        }
        let Ok(entry) = serde_json::from_str::<Value>(line) else { return false };
        let is = |name: &str, wanted: &str| entry.get(name).and_then(Value::as_str) == Some(wanted);
        is("session", session)
            && is("event", "tool_call")
            && (is("verdict", "deny") || is("verdict", "ask"))
    };
    text.lines().rev().find(is_it).map(str::to_owned)
}

/// A layer, and why its rules decide as they do now.
struct Part {
    layer: Layer,
    image: std::sync::Arc<Image>,
    verdict: Option<Verdict>,
    why: Why,
}

/// How each layer would decide on the call as the session is now, and why those of its rules decide so that fired.
fn parts(session: &LayeredSession, item: &Item<'_>, fired: &[&str]) -> Vec<Part> {
    let mut explanations = session.explain(&item.event, &mut LiveHost::default());
    let own = session.constitution().and_then(|layer| layer.session());
    let sessions = session.sessions().chain(own.map(|session| (Layer::Session, session)));
    let conversation = Conversation::default();
    let parts = sessions.zip(&mut explanations).map(|((layer, session), (_, explanation))| {
        let rules = session.image().rules();
        let has_fired =
            |id: &str| fired.contains(&id) && (entry_of(id).is_none() || layer == Layer::Session);
        explanation
            .rules
            .retain(|trace| rules.get(trace.rule).is_some_and(|rule| has_fired(rule.id)));
        let why = Why::new(Asked {
            file: "",
            index: 0,
            item,
            image: session.image(),
            session,
            explanation,
            sizes: &[],
            conversation: &conversation,
        });
        let image = std::sync::Arc::clone(session.image());
        Part { layer, image, verdict: explanation.decision.verdict, why }
    });
    parts.collect()
}

impl Part {
    /// What there is to say of its rules.
    fn rules(&self) -> Vec<Value> {
        let why = self.why.to_json(&self.image, None);
        let rules = why.get("rules").and_then(Value::as_array);
        rules.into_iter().flatten().map(|rule| self.with_remedy(rule)).collect()
    }

    /// What was seen of a rule, with what it is about and what would satisfy it.
    fn with_remedy(&self, rule: &Value) -> Value {
        let mut told = rule.clone();
        let id = rule.get("rule").and_then(Value::as_str).unwrap_or_default();
        let info = self.image.rules().find(id).and_then(|rule| self.image.rules().get(rule));
        if let (Some(told), Some(info)) = (told.as_object_mut(), info) {
            told.insert("layer".to_owned(), self.layer.name().into());
            told.insert("action".to_owned(), info.action.name().into());
            told.insert("description".to_owned(), info.description.into());
            told.insert("condition".to_owned(), info.condition.into());
            let remedy = match info.condition {
                "" => "the rule stops every such call: only a user can let it run".to_owned(),
                condition => format!("the call runs once this does not hold any more: {condition}"),
            };
            told.insert("satisfied_when".to_owned(), remedy.into());
        }
        told
    }
}
