//! `textDocument/codeLens`: above rules, what they did in recorded sessions, and what can be run for them.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, RulePlace};
use serde_json::{Value, json};
use tower_lsp::ls_types::{CodeLens, Command, Location, Position, Range, Uri};

use crate::hindsight::{Change, Hindsight, Miss, OfRule, Spot};
use crate::settings::{SHOW_FINDINGS, SHOW_REFERENCES};
use crate::workspace::Snapshot;

/// The command that runs rule tests.
const RUN_TESTS: &str = "behavior.runTests";
/// The command that explains a rule.
const EXPLAIN: &str = "behavior.explain";

/// How many lines are named of rules that do not stand in a document.
const MAX_OTHERS: usize = 200;
/// How much of what a condition saw is shown in a lens.
const MAX_SAW: usize = 80;

/// What is said above the lines of a document.
pub fn lenses<P: SourceProvider>(snapshot: &Snapshot<P>) -> Vec<CodeLens> {
    let Some(uri) = snapshot.uri(&snapshot.name) else { return Vec::new() };
    let unit = snapshot.unit();
    let hindsight = unit.as_ref().and_then(|unit| unit.hindsight.as_ref());
    // Nothing is said of nothing.
    let hindsight = hindsight.filter(|hindsight| hindsight.sessions > 0);
    let lenses = Lenses { snapshot, uri };
    let mut found = Vec::new();
    if let Some(change) = hindsight.and_then(|hindsight| hindsight.change.as_ref())
        && snapshot.is_unsaved()
    {
        found.push(lenses.change(change));
    }
    if ide::holds_tests(snapshot.file()) {
        found.push(lenses.run_tests(Range::default(), ""));
    }
    let places = ide::rule_places(snapshot.file());
    if let Some((hindsight, (_, span))) = hindsight.zip(ide::base_place(snapshot.file())) {
        found.extend(lenses.others(&places, snapshot.range(span), hindsight));
    }
    for place in places {
        let range = snapshot.range(place.span);
        if let Some(hindsight) = hindsight {
            found.extend(lenses.fired(&place, range, hindsight));
        }
        if place.is_definition && !place.is_policy {
            found.extend(lenses.commands(&place, range));
        }
    }
    found
}

struct Lenses<'s, P> {
    snapshot: &'s Snapshot<P>,
    uri: Uri,
}

impl<P: SourceProvider> Lenses<'_, P> {
    /// What a rule did.
    fn fired(&self, place: &RulePlace, range: Range, hindsight: &Hindsight) -> Option<CodeLens> {
        let of = if place.is_policy { &hindsight.policy } else { &hindsight.rules };
        let of_rule = of.get(&place.id)?;
        let title = told(of_rule, hindsight.sessions, place.is_policy);
        let spots = match &of_rule.miss {
            Some(miss) if of_rule.fired == 0 => std::slice::from_ref(&miss.spot),
            _ => &of_rule.spots,
        };
        Some(self.showing(title, range, spots))
    }

    /// What rules did that hold without standing in the document.
    fn others(
        &self,
        places: &[RulePlace],
        range: Range,
        hindsight: &Hindsight,
    ) -> Option<CodeLens> {
        let is_here = |id: &String| places.iter().any(|place| place.id == *id);
        let others = hindsight.rules.iter().filter(|(id, _)| !is_here(id)).map(|(_, of)| of);
        let others: Vec<&OfRule> = others.collect();
        if others.is_empty() {
            return None;
        }
        let spoke = others.iter().filter(|of| of.fired > 0).count();
        let mut title = format!("{spoke} of {} other rules fired", others.len());
        let sum = |of: fn(&OfRule) -> u64| others.iter().map(|it| of(it)).sum::<u64>();
        if spoke > 0 {
            title.push_str(&format!(" {}×", sum(|of| of.fired)));
        }
        title.push_str(&format!(" in {}", count(hindsight.sessions, "session")));
        title.push_str(&stopped(sum(|of| of.blocked), sum(|of| of.asked), "blocked"));
        let spots = others.iter().flat_map(|of| &of.spots).take(MAX_OTHERS).cloned();
        Some(self.showing(title, range, &spots.collect::<Vec<_>>()))
    }

    /// What an edit changes.
    fn change(&self, change: &Change) -> CodeLens {
        self.showing(changed(change), Range::default(), &change.spots)
    }

    /// A lens that shows lines of recordings.
    fn showing(&self, title: String, range: Range, spots: &[Spot]) -> CodeLens {
        let own = self.snapshot.settings.shows_references;
        let command = if own { SHOW_REFERENCES } else { SHOW_FINDINGS };
        let locations: Vec<Location> = spots.iter().filter_map(location).collect();
        let arguments = vec![json!(self.uri), json!(range.start), json!(locations)];
        // What cannot be shown is only said: a command without a name does nothing.
        let command = if locations.is_empty() { "" } else { command };
        lens(range, title, command, (!locations.is_empty()).then_some(arguments))
    }

    /// What can be run for a rule.
    fn commands(&self, place: &RulePlace, range: Range) -> Vec<CodeLens> {
        let mut found = Vec::new();
        if place.has_examples {
            found.push(self.run_tests(range, &place.id));
        }
        let explain = self.arguments(&place.id, &["explain", &place.id]);
        found.push(lens(range, "explain".to_owned(), EXPLAIN, Some(explain)));
        found
    }

    /// A lens that runs the tests and examples of the document.
    fn run_tests(&self, range: Range, rule: &str) -> CodeLens {
        let path = self.snapshot.settings.root.path(&self.snapshot.name);
        let arguments = self.arguments(rule, &["test", &path]);
        lens(range, "run tests".to_owned(), RUN_TESTS, Some(arguments))
    }

    fn arguments(&self, rule: &str, arguments: &[&str]) -> Vec<Value> {
        let cwd = self.snapshot.settings.root.path("");
        vec![json!({ "uri": self.uri, "rule": rule, "cwd": cwd, "arguments": arguments })]
    }
}

/// The first place that a lens shows, by the arguments of its command.
pub fn first_place(arguments: &[Value]) -> Option<Location> {
    let places: Vec<Location> = serde_json::from_value(arguments.get(2)?.clone()).ok()?;
    places.into_iter().next()
}

fn lens(range: Range, title: String, command: &str, arguments: Option<Vec<Value>>) -> CodeLens {
    let command = Command { title, command: command.to_owned(), arguments };
    CodeLens { range, command: Some(command), data: None }
}

fn location(spot: &Spot) -> Option<Location> {
    let uri = Uri::from_file_path(&*spot.path)?;
    let start = Position::new(spot.line.saturating_sub(1), 0);
    Some(Location { uri, range: Range::new(start, start) })
}

/// What a rule did, in one line.
fn told(of: &OfRule, sessions: u64, is_policy: bool) -> String {
    let all = count(sessions, "session");
    let undecided = match of.undecided {
        0 => String::new(),
        times => format!(" · undecided {times}×"),
    };
    if of.fired == 0 {
        let never = if is_policy { "never decided" } else { "never fired" };
        let nearest = of.miss.as_ref().map(|miss| format!(" · nearest: {}", nearest(miss)));
        return format!("{never} in {all}{undecided}{}", nearest.unwrap_or_default());
    }
    let did = if is_policy { "decided" } else { "fired" };
    let stopped = stopped(of.blocked, of.asked, if is_policy { "denied" } else { "blocked" });
    format!("{did} {}× in {} of {all}{stopped}{undecided}", of.fired, of.sessions)
}

/// How many calls did not just run.
fn stopped(blocked: u64, asked: u64, word: &str) -> String {
    let part = |times: u64, what: &str| match times {
        0 => String::new(),
        _ => format!(" · {times} {what}"),
    };
    format!("{}{}", part(blocked, word), part(asked, "asked"))
}

fn nearest(miss: &Miss) -> String {
    let file = miss.spot.path.rsplit('/').next().unwrap_or_default();
    let saw = match shortened(&miss.saw) {
        saw if saw.is_empty() => saw,
        saw => format!(" ({saw})"),
    };
    format!("{file}:{}, but for `{}`{saw}", miss.spot.line, shortened(&miss.condition))
}

fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX_SAW) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// What an edit changes, in one line.
fn changed(change: &Change) -> String {
    let Change { more, fewer, other, blocked, freed, .. } = *change;
    let mut parts = Vec::new();
    if more > 0 {
        parts.push(format!("+{}", count(more, "finding")));
    }
    if fewer > 0 {
        parts.push(match more {
            0 => format!("−{}", count(fewer, "finding")),
            _ => format!("−{fewer}"),
        });
    }
    if other > 0 {
        parts.push(format!("{other} of another kind"));
    }
    if blocked > 0 {
        parts.push(format!("{blocked} more blocked"));
    }
    if freed > 0 {
        parts.push(format!("{freed} fewer blocked"));
    }
    match parts.is_empty() {
        true => "this edit changes no decision".to_owned(),
        false => format!("this edit: {}", parts.join(", ")),
    }
}

fn count(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
