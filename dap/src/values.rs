//! What is shown of an event, a decision and the state: names and values, with more inside.

use behavior_agents::native::DEFAULT_SESSION;
use behavior_json::plain::neutral_plain;
use behavior_runtime::report::StateReport;
use behavior_runtime::{Decision, LayeredSession, Layers, Truth};
use serde_json::Value;

/// How many of the targets of a set are shown, the latest.
const MAX_TARGETS: usize = 1000;
/// How much of a text is shown, in characters.
const MAX_TEXT: usize = 64 << 10;

/// A name and what it stands for.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    pub name: String,
    pub value: String,
    pub inside: Vec<Shown>,
}

impl Shown {
    /// Shows a value with nothing inside.
    pub fn plain(name: impl Into<String>, value: impl ToString) -> Self {
        let value = clip(&value.to_string());
        Self { name: name.into(), value, inside: Vec::new() }
    }

    /// Shows a list, by how many there are.
    pub fn list(name: impl Into<String>, inside: Vec<Shown>) -> Self {
        let value = match inside.len() {
            0 => "none".to_owned(),
            count => count.to_string(),
        };
        Self { name: name.into(), value, inside }
    }
}

/// Shortens what is too long, and makes visible what would deceive whoever looks at it.
fn clip(text: &str) -> String {
    let text = neutral_plain(text);
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// Returns the fields of an event, from its line in the native format.
pub fn of_event(native: &str, session: &str) -> Vec<Shown> {
    let Ok(Value::Object(fields)) = serde_json::from_str(native) else {
        return vec![Shown::plain("event", native)];
    };
    let mut shown: Vec<_> = fields.iter().map(|(name, value)| of_json(name, value)).collect();
    if session == DEFAULT_SESSION {
        shown.push(Shown::plain("session", session));
    }
    shown
}

/// Shows JSON. A reader of it does not nest deeper than its parser let it.
fn of_json(name: &str, value: &Value) -> Shown {
    match value {
        Value::String(text) => Shown::plain(name, text),
        Value::Array(items) => Shown {
            name: name.to_owned(),
            value: clip(&value.to_string()),
            inside: (0..).zip(items).map(|(at, item)| of_json(&format!("[{at}]"), item)).collect(),
        },
        Value::Object(fields) => Shown {
            name: name.to_owned(),
            value: clip(&value.to_string()),
            inside: fields.iter().map(|(name, value)| of_json(name, value)).collect(),
        },
        other => Shown::plain(name, other),
    }
}

/// Returns what a decision says.
pub fn of_decision(decision: &Decision, layers: &Layers) -> Vec<Shown> {
    let rules = layers.rules();
    let besides = decision.besides();
    let mut shown = Vec::new();
    shown.extend(decision.verdict.map(|verdict| Shown::plain("verdict", verdict.name())));
    if let Some(permission) = &decision.permission {
        let rule = permission.rule.and_then(|rule| layers.policy().get(rule));
        let by = rule.map(|rule| format!(" by `{}`", rule.name)).unwrap_or_default();
        let value = format!("{}{by} in mode {}", permission.action.name(), permission.mode.name());
        shown.push(Shown::plain("permission", value));
    }
    let findings = decision.findings.iter().chain(&besides.settled);
    let findings = findings.map(|finding| Shown {
        name: rules.id(finding.rule).to_owned(),
        value: format!("{}: {}", finding.action.name(), clip(&finding.message)),
        inside: vec![
            Shown::plain("action", finding.action.name()),
            Shown::plain("phase", finding.phase.name()),
            Shown::plain("layer", rules.layer(finding.rule).name()),
            Shown::plain("message", &finding.message),
            Shown::plain("told", finding.is_delivered()),
        ],
    });
    shown.push(Shown::list("findings", findings.collect()));
    let undecided = decision.undecided.iter();
    let undecided =
        undecided.map(|one| Shown::plain(rules.id(one.rule), format!("needs {}", one.needs)));
    let undecided: Vec<_> = undecided.collect();
    if !undecided.is_empty() {
        shown.push(Shown::list("undecided", undecided));
    }
    if let Some(due) = decision.classifier {
        shown.push(Shown::plain("classifier", due.reason.name()));
    }
    if let Some(due) = besides.verifier.as_ref().and_then(|verifier| verifier.due) {
        shown.push(Shown::plain("verifier", due.reason.name()));
    }
    shown.extend(besides.directive.iter().map(|text| Shown::plain("directive", text)));
    shown.extend(besides.problems.iter().map(|text| Shown::plain("problem", text)));
    shown.extend(besides.notices.iter().map(|notice| Shown::plain("notice", &notice.text)));
    shown
}

/// Returns what is remembered of a session; each layer's apart, where there are several.
pub fn of_session(session: &LayeredSession) -> Vec<Shown> {
    if !session.layers().are_several() {
        return of_state(&session.own().report());
    }
    let layers = session.sessions().map(|(layer, session)| Shown {
        name: layer.name().to_owned(),
        value: format!("turn {}", session.turn()),
        inside: of_state(&session.report()),
    });
    layers.collect()
}

fn of_state(report: &StateReport<'_>) -> Vec<Shown> {
    let streak = match report.streak {
        Some((tool, length)) => format!("{length} × {tool}"),
        None => "none".to_owned(),
    };
    let sets = report.sets.iter().map(|(name, targets)| of_set(name, targets));
    let counters = report.counters.iter().map(|(name, value)| Shown::plain(*name, value));
    let flags = report.flags.iter().map(|(name, value)| Shown::plain(*name, value));
    let recent = report.recent.iter().rev();
    let recent = recent.map(|(tool, target)| Shown::plain(*tool, target));
    vec![
        Shown::plain("turn", report.turn),
        Shown::plain("calls_this_turn", report.calls_this_turn),
        Shown::plain("total_calls", report.total_calls),
        Shown::plain("streak", streak),
        Shown::plain("violations", report.violations),
        Shown::plain("last_violation", report.last_violation.unwrap_or("none")),
        Shown::list("sets", sets.collect()),
        Shown::list("counters", counters.collect()),
        Shown::list("flags", flags.collect()),
        Shown::list("recent", recent.collect()),
    ]
}

/// Shows a set by its targets, the latest first.
fn of_set(name: &str, targets: &[&str]) -> Shown {
    let latest = targets.iter().rev().take(MAX_TARGETS);
    let mut inside: Vec<_> =
        (0..).zip(latest).map(|(at, target)| Shown::plain(format!("[{at}]"), target)).collect();
    let more = targets.len().saturating_sub(MAX_TARGETS);
    if more > 0 {
        inside.push(Shown::plain("…", format!("{more} older ones")));
    }
    let value = match targets {
        [] => "empty".to_owned(),
        [only] => (*only).to_owned(),
        [.., last] => format!("{}, the latest `{last}`", targets.len()),
    };
    Shown { name: name.to_owned(), value: clip(&value), inside }
}

/// Returns a set, a counter, a flag or another part of the state by its name.
pub fn named(session: &LayeredSession, name: &str) -> Option<Shown> {
    in_layers(session, |mut state| {
        let inside = declared(&mut state, &["sets", "counters", "flags"]);
        let found = inside.into_iter().rfind(|part| part.name == name);
        found.or_else(|| state.into_iter().find(|part| part.name == name))
    })
}

/// Returns a counter by its name.
pub fn counter(session: &LayeredSession, name: &str) -> Option<Shown> {
    in_layers(session, |mut state| {
        declared(&mut state, &["counters"]).into_iter().find(|part| part.name == name)
    })
}

/// Looks for something in the state of each layer, the least trusted first.
fn in_layers(
    session: &LayeredSession,
    look: impl Fn(Vec<Shown>) -> Option<Shown>,
) -> Option<Shown> {
    let mut layers: Vec<_> = session.sessions().map(|(_, session)| session).collect();
    layers.reverse();
    layers.into_iter().find_map(|session| look(of_state(&session.report())))
}

/// Takes out what rules declare.
fn declared(state: &mut [Shown], groups: &[&str]) -> Vec<Shown> {
    let groups = state.iter_mut().filter(|part| groups.contains(&&*part.name));
    groups.flat_map(|part| std::mem::take(&mut part.inside)).collect()
}

/// Returns the name of a truth value, with what it means where nobody can tell.
pub fn of_truth(truth: Truth) -> &'static str {
    match truth {
        Truth::True => "true",
        Truth::False => "false",
        Truth::Unknown => "unknown",
        Truth::Opaque => "unknown (the call does not tell before it runs)",
    }
}
