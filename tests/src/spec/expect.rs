//! What a run came to, in the words of `expect` and `text` blocks.

use std::collections::HashMap;

use behavior_compiler::Compilation;
use behavior_image::code::PermissionAction;
use behavior_runtime::constitution::Content;
use behavior_runtime::decision::{Decision, Phase, Violation};
use behavior_runtime::permission::Permission;
use behavior_runtime::workflow::Transition;
use behavior_runtime::{Layers, Session, Verdict};

use crate::script::Outcome;

/// The titles that `text` blocks may have.
pub const TEXTS: &[&str] = &[
    "prompt",
    "rules",
    "permissions",
    "thresholds",
    "state",
    "files",
    "rendered",
    "snapshot",
    "directive",
    "on_error",
];

/// What happened at one number, in the words of a line: each word, and the message behind it.
type Parts = Vec<(String, Option<String>)>;

/// The lines of an `expect` block. What may be left out, `written` decides: messages are told where
/// it tells them, and those parts of the state that it asks for.
pub fn report(layers: &Layers, outcomes: &[Outcome<'_>], written: &str) -> String {
    let asked: Vec<Asked<'_>> = written.lines().filter_map(asked).collect();
    let told = told_messages(written);
    let mut lines = Vec::new();
    let mut index = 0;
    while let Some(first) = outcomes.get(index) {
        let number = first.step.at;
        let same = outcomes.iter().skip(index).take_while(|o| o.step.at == number).count();
        let group: Vec<&Outcome<'_>> = outcomes.iter().skip(index).take(same).collect();
        index += same;
        lines.extend(line(layers, &group, &told));
        let here = asked.iter().filter(|asked| asked.number == Some(number));
        lines.extend(here.map(|asked| asked.answer(outcomes.get(..index).unwrap_or_default())));
    }
    let at_end = asked.iter().filter(|asked| asked.number.is_none());
    lines.extend(at_end.map(|asked| asked.answer(outcomes)));
    lines.join("\n")
}

/// The findings whose messages are told: the number of their line and their words.
fn told_messages(written: &str) -> HashMap<(String, String), ()> {
    let mut told = HashMap::new();
    for line in written.lines() {
        let Some((number, _)) = line.split_once(' ') else { continue };
        let mut rest = line.split_once(": ").map_or("", |(_, rest)| rest);
        while let Some(quote) = rest.find(" \"") {
            let words = rest.get(..quote).unwrap_or_default();
            let words = words.rsplit("; ").next().unwrap_or(words);
            told.insert((number.to_owned(), words.to_owned()), ());
            let text = rest.get(quote + 1..).unwrap_or_default();
            let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
            let end = match values.next() {
                Some(Ok(_)) => values.byte_offset(),
                _ => text.len(),
            };
            rest = text.get(end..).unwrap_or_default();
        }
    }
    told
}

fn line(
    layers: &Layers,
    group: &[&Outcome<'_>],
    told: &HashMap<(String, String), ()>,
) -> Option<String> {
    let first = group.first()?;
    let number = first.step.at.to_string();
    let mut parts: Parts = Vec::new();
    for outcome in group {
        add_parts(layers, &outcome.decision, &mut parts);
    }
    let is_quiet = parts.is_empty() || matches!(parts.as_slice(), [(only, _)] if only == "allow");
    if is_quiet {
        return None;
    }
    let words = parts.into_iter().map(|(words, message)| {
        match message.filter(|_| told.contains_key(&(number.clone(), words.clone()))) {
            Some(message) => format!("{words} {}", serde_json::Value::from(message)),
            None => words,
        }
    });
    let words = words.collect::<Vec<_>>().join("; ");
    Some(format!("{number} {}: {words}", name(first)))
}

/// What an event is called: the tool, or the kind of event in the words of short forms.
fn name(outcome: &Outcome<'_>) -> String {
    let event: serde_json::Value = serde_json::from_str(&outcome.step.event).unwrap_or_default();
    let field = |name: &str| event.get(name).and_then(serde_json::Value::as_str);
    match field("event").unwrap_or_default() {
        "tool_call" => field("tool").unwrap_or_default().to_owned(),
        "tool_result" => "result".to_owned(),
        "turn_start" => "turn".to_owned(),
        "classifier_reply" => "reply".to_owned(),
        "verifier_reply" => "verdict".to_owned(),
        other => other.to_owned(),
    }
}

fn add_parts(layers: &Layers, decision: &Decision, parts: &mut Parts) {
    let id = |rule: u32| layers.rules().id(rule).to_owned();
    if let Some(verdict) = decision.verdict {
        let word = match verdict {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        };
        let why = decision.permission.map(|permission| why(layers, &permission));
        parts.push((format!("{word}{}", why.unwrap_or_default()), None));
    }
    for finding in &decision.findings {
        let after = if finding.phase == Phase::PostTool { "after " } else { "" };
        let pair = match &finding.violation {
            None => String::new(),
            Some(Violation { pair: Some(pair), .. }) => format!(" (pair {pair})"),
            Some(_) => " (as a whole)".to_owned(),
        };
        let granted = match &finding.granted {
            Some(granted) => format!(" (silent: {})", granted.scope),
            None if finding.is_withheld => " (not told)".to_owned(),
            None => String::new(),
        };
        let words = format!("{after}{} {}{pair}{granted}", finding.action.name(), id(finding.rule));
        parts.push((words, Some(finding.message.clone())));
    }
    for undecided in &decision.undecided {
        let words = format!("undecided {} ({})", id(undecided.rule), undecided.needs);
        parts.push((words, None));
    }
    if let (Some(due), true) = (decision.classifier, layers.own().classifier().is_some()) {
        let words = match due.runs {
            true => "classifier runs".to_owned(),
            false => format!("no classifier ({})", due.reason.name()),
        };
        parts.push((words, None));
    }
    let context =
        decision.besides().context.iter().map(|text| ("context".to_owned(), Some(text.clone())));
    parts.extend(context);
    if let Some(report) = &decision.besides().constitution {
        let count = report.count;
        let noun = if count == 1 { "entry" } else { "entries" };
        parts.push((format!("{}, {count} {noun}", report.op.name()), None));
        let entries = report.entries.iter().flatten();
        parts.extend(entries.map(|entry| {
            let (Content::Text(says) | Content::Rule(says)) = &entry.content;
            ("has".to_owned(), Some(says.clone()))
        }));
        let refused = report.refused.iter();
        parts.extend(refused.map(|refusal| ("refused".to_owned(), Some(refusal.message.clone()))));
    }
    if let Some(transition) = &decision.besides().workflow {
        parts.push((transition_words(transition), None));
    }
    if decision.besides().directive.is_some() {
        parts.push(("directive".to_owned(), None));
    }
    parts.extend(
        decision.besides().problems.iter().map(|problem| (format!("problem ({problem})"), None)),
    );
    verifier_parts(decision, parts);
    if decision.orphan {
        parts.push(("no call known".to_owned(), None));
    }
}

fn verifier_parts(decision: &Decision, parts: &mut Parts) {
    let besides = decision.besides();
    if let Some(verification) = &besides.verifier {
        if let Some(due) = verification.due {
            let words = match due.asks {
                true => "verifier asks".to_owned(),
                false => format!("no verifier ({})", due.reason.name()),
            };
            parts.push((words, None));
        }
        for (what, list) in
            [("calls", &verification.tool_calls), ("inspected", &verification.inspections)]
        {
            if !list.is_empty() {
                parts.push((format!("{what} [{}]", list.join(", ")), None));
            }
        }
        if let Some(answer) = &verification.answer {
            let words = match (&answer.flag, &answer.error) {
                (Some(flag), _) => format!("flagged ({flag})"),
                (None, Some(error)) => format!("no verdict ({error})"),
                (None, None) => "passed".to_owned(),
            };
            parts.push((words, None));
        }
    }
    let told = besides.notices.iter();
    parts.extend(told.map(|told| (format!("user {}", told.level.name()), Some(told.text.clone()))));
}

/// What follows in a workflow: `repeat step 0, repeat 1 (tests fail)`.
fn transition_words(transition: &Transition) -> String {
    let mut words = transition.action.name().to_owned();
    if let Some(error) = transition.error {
        words.push_str(&format!(" {}", error.name()));
    }
    if let Some(agent) = &transition.agent {
        words.push_str(&format!(" {agent}"));
    }
    match transition.step {
        Some(step) => words.push_str(&format!(" step {step}")),
        None => words.push_str(" no step"),
    }
    if let Some(iteration) = transition.iteration {
        words.push_str(&format!(", repeat {iteration}"));
    }
    if let Some(risk) = transition.risk {
        words.push_str(&format!(", risk {} {}", risk.value(), risk.band().name()));
    }
    if transition.paused {
        words.push_str(", paused");
    }
    if let Some(reason) = &transition.reason {
        words.push_str(&format!(" ({reason})"));
    }
    for warning in &transition.warnings {
        words.push_str(&format!(", warning ({warning})"));
    }
    words
}

/// What a policy decided by: ` by git`, ` (no rule)`, ` (perhaps no rm)`.
fn why(layers: &Layers, permission: &Permission) -> String {
    let name = |rule: u32| layers.policy().get(rule).map_or("?", |rule| rule.name);
    let dry = if permission.action == PermissionAction::DryRunFirst { ", dry first" } else { "" };
    match (permission.doubt, permission.rule) {
        (Some(doubt), _) => format!(" (perhaps {})", name(doubt)),
        (None, Some(rule)) => format!("{dry} by {}", name(rule)),
        (None, None) => " (no rule)".to_owned(),
    }
}

/// A question about the state: `3 state: read_files = […]`, `state @s1: turn = 2`.
struct Asked<'w> {
    number: Option<usize>,
    session: &'w str,
    prefix: &'w str,
    key: &'w str,
}

fn asked(line: &str) -> Option<Asked<'_>> {
    let (prefix, rest) = line.split_once(": ")?;
    let (number, word) = match prefix.split_once(' ') {
        Some((number, word)) if number.parse::<usize>().is_ok() => (number.parse().ok(), word),
        _ => (None, prefix),
    };
    let session = match word {
        "state" => "default",
        _ => word.strip_prefix("state @")?,
    };
    let key = rest.split('=').next().unwrap_or_default().trim();
    Some(Asked { number, session, prefix, key })
}

impl Asked<'_> {
    fn answer(&self, outcomes: &[Outcome<'_>]) -> String {
        let last = outcomes.iter().rev().find(|outcome| outcome.session == self.session);
        let state = last.and_then(|outcome| outcome.state.as_ref());
        let value = match state {
            Some(session) => value(session, self.key),
            None => "no session".to_owned(),
        };
        format!("{}: {} = {value}", self.prefix, self.key)
    }
}

fn value(session: &Session, key: &str) -> String {
    let report = session.report();
    match key {
        "turn" => return report.turn.to_string(),
        "calls_this_turn" => return report.calls_this_turn.to_string(),
        "total_calls" => return report.total_calls.to_string(),
        "streak" => {
            return report.streak.map_or("none".to_owned(), |(tool, n)| format!("{tool} x{n}"));
        }
        "violations" => {
            let last = report.last_violation.map(|last| format!(" (last: {last})"));
            return format!("{}{}", report.violations, last.unwrap_or_default());
        }
        "recent" => {
            let call = |(tool, target): &(&str, &str)| format!("{tool}({target})");
            return report.recent.iter().map(call).collect::<Vec<_>>().join(", ");
        }
        _ => {}
    }
    let set = report.sets.iter().find(|(name, _)| *name == key);
    let counter = report.counters.iter().find(|(name, _)| *name == key);
    let flag = report.flags.iter().find(|(name, _)| *name == key);
    match (set, counter, flag) {
        (Some((_, targets)), ..) => format!("[{}]", targets.join(", ")),
        (_, Some((_, value)), _) => value.to_string(),
        (_, _, Some((_, value))) => value.to_string(),
        _ => "nothing of this name".to_owned(),
    }
}

/// The text that a `text` block of this title is about.
pub fn text(
    title: &str,
    compilations: &[Compilation],
    layers: &Layers,
    outcomes: &[Outcome<'_>],
) -> String {
    let last_state = || outcomes.iter().rev().find_map(|outcome| outcome.state.as_ref());
    match title {
        "prompt" => layers.own().prompt().to_owned(),
        "rules" => lines(layers.rules().iter().map(|rule| {
            let action = rule.action.name();
            let (phase, origin) = (rule.phase.name(), rule.origin.name());
            format!("{} ({origin}): {phase}, {action}, {}", rule.id, rule.trigger)
        })),
        "permissions" => lines(layers.policy().iter().map(|rule| {
            let mode = rule.mode.map(|mode| format!(", only in {}", mode.name()));
            let (action, priority) = (rule.action.name(), rule.priority.name());
            let (mode, file) = (mode.unwrap_or_default(), rule.place.file);
            format!("{}: {action} {}, {priority}{mode}, {file}", rule.name, rule.pattern)
        })),
        "thresholds" => {
            lines(layers.own().thresholds().map(|(name, value)| format!("{name} = {value}")))
        }
        "state" => {
            let list = |names: Vec<&str>| names.join(", ");
            let (sets, counters) =
                (list(layers.own().sets().collect()), list(layers.own().counters().collect()));
            let flags = list(layers.own().flags().collect());
            format!("sets: {sets}\ncounters: {counters}\nflags: {flags}")
        }
        "on_error" => {
            layers.own().on_error().map_or("not said", behavior_runtime::Verdict::name).to_owned()
        }
        "files" => lines(compilations.iter().flat_map(|compilation| {
            compilation.documents.iter().filter_map(|document| {
                let name = &compilation.sources.get(document.file)?.name;
                let is_own = !name.starts_with("builtin:");
                is_own.then(|| format!("{name}: {}", document.kind.describe()))
            })
        })),
        "rendered" => {
            let findings = outcomes.iter().flat_map(|outcome| &outcome.decision.findings);
            let text = |finding: &behavior_runtime::Finding| {
                finding.rendered(layers.rules().get(finding.rule).map_or("?", |rule| rule.id))
            };
            findings.map(text).collect::<Vec<_>>().join("\n\n")
        }
        "snapshot" => last_state().map(Session::snapshot).unwrap_or_default(),
        "directive" => {
            let mut directives = outcomes.iter().rev();
            let last = directives.find_map(|outcome| outcome.decision.besides().directive.clone());
            last.unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}
