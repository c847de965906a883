//! The same recordings under two sets of rules: which decisions change, and by which rule.

use behavior_json::plain::escaped;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use behavior_agents::{Item, Problem, Sink};
use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;
use behavior_runtime::{Decision, Layers, Replay, Verdict};
use quick_junit::TestSuite;
use serde::Serialize;
use serde_json::{Value, json};

use super::decided::{Direction, Speaker, found, is_silent, spoken};
use super::{progress, traces};
use crate::args::{DiffArgs, DiffFormat, FailOn, RuleArgs};
use crate::number::{count, number};
use crate::project::describe;
use crate::ready;
use crate::render::{json, one_line, sarif, table};
use crate::schemas::WithSchemas;
use crate::screen::clip;
use crate::simulate::compressed::Damage;
use crate::simulate::github::annotation;
use crate::simulate::input::Trace;
use crate::simulate::progress::Progress;
use crate::simulate::summary::ProblemLine;
use crate::simulate::{junit, label};
use crate::terminal::{BOLD, DIM, Exit, Failure, GREEN, RED, Terminal, YELLOW};

/// How many events are kept of each change.
const KEPT: usize = 1000;
/// How many are shown to people.
const SHOWN: usize = 5;

/// Runs the comparison.
///
/// # Errors
/// When rules or a trace cannot be used, or nothing can be printed.
pub fn run(args: &DiffArgs, old: &str, new: &str, terminal: &Terminal) -> Result<Exit, Failure> {
    if args.traces.is_empty() {
        let message = "expected at least one trace to run both sets of rules on";
        return Err(Failure::Message(message.to_owned()));
    }
    let load = |name: &str| -> Result<Arc<Layers>, Failure> {
        let rules = RuleArgs { config: vec![name.to_owned()], ..args.config.clone() };
        Ok(ready::load(&rules, terminal)?.layers)
    };
    let rules = [load(old)?, load(new)?];
    let traces = traces(&args.traces, args.input_format)?;
    let progress = progress(&traces, terminal);
    let mut changes = Changes::default();
    for trace in &traces {
        one(trace, &rules, args, &progress, &mut changes)?;
    }
    progress.end();
    let text = match args.format {
        DiffFormat::Pretty => changes.pretty(old, new, terminal),
        DiffFormat::Markdown => changes.markdown(old, new),
        DiffFormat::Json => json::to_text(&changes.document())?,
        DiffFormat::Jsonl => changes.jsonl().map_err(std::io::Error::other)?,
        DiffFormat::Github => changes.github(),
        DiffFormat::Junit => changes.junit(),
        DiffFormat::Sarif => json::to_text(&changes.sarif())?,
    };
    terminal.print(&text)?;
    for ProblemLine { file, line, message } in &changes.problem_lines {
        terminal.say(&format!("{}:{line}: {}\n", one_line(file), one_line(message)));
    }
    let is_bad = changes.problems > 0 || changes.worst() >= args.fail_on;
    let fails = args.fail_on != FailOn::None && is_bad;
    Ok(if fails { Exit::Findings } else { Exit::Clean })
}

fn one(
    trace: &Trace,
    rules: &[Arc<Layers>; 2],
    args: &DiffArgs,
    progress: &Progress,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let replay = |layers: &Arc<Layers>| {
        let replay = Replay::with_layers(Arc::clone(layers));
        let replay =
            replay.with_host(Box::new(WithSchemas::new(None::<crate::live::host::LiveHost<'_>>)));
        match args.mode.mode {
            Some(mode) => replay.with_mode(mode),
            None => replay,
        }
    };
    let [old, new] = rules;
    let mut both = Both {
        file: &trace.name,
        rules,
        replays: [replay(old), replay(new)],
        index: 0,
        line: 0,
        strict: args.strict,
        refused: None,
        changes,
    };
    let damage = Damage::default();
    let read = trace
        .open(|bytes| progress.add(bytes), &damage)
        .and_then(|mut input| behavior_agents::read(trace.format, &mut *input, &mut both));
    if let (Ok(stats), Some(message)) = (&read, damage.take()) {
        let line = u32::try_from(stats.lines).unwrap_or(u32::MAX).max(1);
        both.problem(Problem::new(line, message));
    }
    both.finish();
    if let Some(problem) = both.refused {
        let message = format!("{}:{}: {}", trace.name, problem.line, problem.message);
        return Err(Failure::Message(message));
    }
    read.map(|_| ()).map_err(|error| {
        Failure::Message(format!("cannot read `{}`: {}", trace.name, describe(&error)))
    })
}

/// What a rule said before and says now.
#[derive(Clone, Debug, Default)]
struct Change {
    count: u64,
    events: Vec<ChangedEvent>,
    examples: Vec<String>,
    worst: Option<Action>,
}

/// A rule, in which direction it changed, and from what to what where it still fires.
type Key = (String, &'static str, String);

/// How a change is called: its direction, and from what to what.
fn named((_, direction, shift): &Key) -> String {
    if shift.is_empty() { (*direction).to_owned() } else { format!("{direction}: {shift}") }
}

/// What changes, by rule and direction.
#[derive(Default)]
struct Changes {
    by_rule: BTreeMap<Key, Change>,
    verdicts: BTreeMap<(&'static str, &'static str), u64>,
    events: u64,
    changed: u64,
    files: u64,
    problems: u64,
    problem_lines: Vec<ProblemLine>,
}

/// Reads one trace under both sets of rules.
struct Both<'a> {
    file: &'a str,
    rules: &'a [Arc<Layers>; 2],
    replays: [Replay; 2],
    index: u64,
    line: u32,
    strict: bool,
    refused: Option<Problem>,
    changes: &'a mut Changes,
}

/// An event that is decided on differently.
#[derive(Clone, Debug, Serialize)]
struct ChangedEvent {
    file: String,
    index: u64,
    line: u32,
    session: String,
    event: String,
    old: Answer,
    new: Answer,
    message: String,
}

#[derive(Clone, Debug, Serialize)]
struct Answer {
    verdict: Option<&'static str>,
    actions: Vec<&'static str>,
}

/// Everything that changes, as JSON.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    changes: Vec<ChangeOutput<'a>>,
    worst: &'static str,
    summary: Summary<'a>,
}

#[derive(Serialize)]
struct ChangeOutput<'a> {
    rule: &'a str,
    change: &'a str,
    shift: Option<&'a str>,
    level: &'static str,
    count: u64,
    first: Option<&'a ChangedEvent>,
    events: &'a [ChangedEvent],
}

#[derive(Serialize)]
struct Summary<'a> {
    files: u64,
    events: u64,
    changed: u64,
    verdicts: BTreeMap<String, u64>,
    problems: u64,
    problem_lines: &'a [ProblemLine],
}

#[derive(Serialize)]
struct EventLine<'a> {
    #[serde(flatten)]
    event: &'a ChangedEvent,
    rule: &'a str,
    change: &'a str,
    shift: Option<&'a str>,
}

/// What a rule did, comparably: its name and its action.
type Said = BTreeMap<String, Vec<(Action, String)>>;

fn said<'a>(layers: &Layers, spoken: impl Iterator<Item = (Speaker, Action, &'a str)>) -> Said {
    let mut said = Said::new();
    for (speaker, action, message) in spoken {
        let name = speaker.name(layers).to_owned();
        said.entry(name).or_default().push((action, message.to_owned()));
    }
    said
}

/// What was decided, comparably.
fn decided(layers: &Layers, decision: &Decision) -> (Said, Option<Verdict>) {
    (said(layers, spoken(decision)), decision.verdict)
}

impl Both<'_> {
    fn compare(
        &mut self,
        old: (Said, Option<Verdict>),
        new: (Said, Option<Verdict>),
        session: &str,
        what: &str,
    ) {
        let mut is_changed = false;
        if let (Some(before), Some(after)) = (old.1, new.1)
            && before != after
        {
            is_changed = true;
            *self.changes.verdicts.entry((before.name(), after.name())).or_default() += 1;
        }
        let rules: BTreeSet<&String> = old.0.keys().chain(new.0.keys()).collect();
        for rule in rules {
            let none = Vec::new();
            let (before, after) =
                (old.0.get(rule).unwrap_or(&none), new.0.get(rule).unwrap_or(&none));
            let actions = |said: &[(Action, String)]| -> Vec<Action> {
                said.iter().map(|(action, _)| *action).collect()
            };
            let (first, second) = (actions(before), actions(after));
            let Some(direction) = Direction::of(&first, &second) else { continue };
            let direction = direction.name();
            is_changed = true;
            let message = after.last().or(before.last()).map_or("", |(_, message)| message);
            let answer = |verdict: Option<Verdict>, actions: &[Action]| Answer {
                verdict: verdict.map(Verdict::name),
                actions: actions.iter().map(|action| action.name()).collect(),
            };
            let event = ChangedEvent {
                file: self.file.to_owned(),
                index: self.index,
                line: self.line,
                session: session.to_owned(),
                event: what.to_owned(),
                old: answer(old.1, &first),
                new: answer(new.1, &second),
                message: message.to_owned(),
            };
            let names = |actions: &[Action]| -> String {
                actions.iter().map(|action| action.name()).collect::<Vec<_>>().join(" and ")
            };
            let shift = match first.len() == second.len() {
                true => format!("{} → {}", names(&first), names(&second)),
                false => String::new(),
            };
            let change = self.changes.by_rule.entry((rule.clone(), direction, shift)).or_default();
            change.count += 1;
            // What got weaker counts as it did before, what got stricter as it does now.
            let strictest =
                first.iter().chain(&second).min_by_key(|action| **action as u8).copied();
            change.worst = [change.worst, strictest].into_iter().flatten().min_by_key(|a| *a as u8);
            if change.events.len() < KEPT {
                change.events.push(event);
            }
            if change.examples.len() < SHOWN {
                let place = format!("{}:{}", one_line(self.file), self.line);
                let what = one_line(&format!("{what}: {message}"));
                change.examples.push(format!("{place}  {}", clip(&what, 110)));
            }
        }
        self.changes.changed += u64::from(is_changed);
    }

    /// The trace is over: what is found about sessions and the whole.
    fn finish(&mut self) {
        self.changes.files += 1;
        let [old, new] = self.rules;
        let [first, second] = &mut self.replays;
        let all = |layers: &Layers, replay: &mut Replay| {
            let settled = replay.finish();
            let sessions = settled.sessions.into_iter().flat_map(|(_, of)| of.findings);
            let findings: Vec<_> = sessions.chain(settled.trace.findings).collect();
            (said(layers, found(&findings)), None)
        };
        let (before, after) = (all(old, first), all(new, second));
        self.index = self.index.saturating_sub(1);
        self.compare(before, after, "", "the end of the trace");
    }
}

impl Sink for Both<'_> {
    fn item(&mut self, item: Item<'_>) {
        let [old, new] = self.rules;
        let [first, second] = &mut self.replays;
        let before = first.apply(&item.session, &item.event);
        let after = second.apply(&item.session, &item.event);
        self.line = item.line;
        self.changes.events += 1;
        if !is_silent(&before) || !is_silent(&after) {
            let what = describe_event(&item.event);
            let (before, after) = (decided(old, &before), decided(new, &after));
            self.compare(before, after, &item.session, &what);
        }
        self.index += 1;
    }

    fn problem(&mut self, problem: Problem) {
        if self.strict {
            self.refused.get_or_insert(problem);
            return;
        }
        self.changes.problems += 1;
        if self.changes.problem_lines.len() < 20 {
            let Problem { line, message, .. } = problem;
            self.changes.problem_lines.push(ProblemLine {
                file: self.file.to_owned(),
                line,
                message,
            });
        }
    }

    fn wants_exchanges(&self) -> bool {
        self.rules.iter().any(|layers| !layers.monitors().is_empty())
    }

    fn stop(&self) -> bool {
        self.refused.is_some()
    }
}

/// An event in a few words.
fn describe_event(event: &Event<'_>) -> String {
    let call = match event {
        Event::ToolCall(call) => Some(call),
        Event::ToolResult(result) => result.call.as_ref(),
        _ => None,
    };
    match call {
        Some(call) => {
            let label: String = label::of_call(call, None).chars().take(400).collect();
            format!("{} {} {label}", label::of_kind(event), call.tool)
        }
        None => label::of_kind(event).to_owned(),
    }
}

fn level(change: &Change) -> FailOn {
    change.worst.map_or(FailOn::None, FailOn::from)
}

impl Changes {
    /// How bad the worst change is: what the new rules find more, and what they let pass.
    fn worst(&self) -> FailOn {
        self.by_rule.values().map(level).max().unwrap_or(FailOn::None)
    }

    fn summary(&self) -> String {
        let decisions = match self.changed {
            0 => "no decision changes".to_owned(),
            1 => "1 decision changes".to_owned(),
            more => format!("{} decisions change", number(more)),
        };
        let events = count(self.events, "event");
        format!("{decisions}, of {events} in {}", count(self.files, "file"))
    }

    fn document<'a>(&'a self) -> Document<'a> {
        let change = |((rule, direction, shift), change): (&'a Key, &'a Change)| ChangeOutput {
            rule,
            change: direction,
            shift: Some(&**shift).filter(|shift| !shift.is_empty()),
            level: super::render::level_name(level(change)),
            count: change.count,
            first: change.events.first(),
            events: &change.events,
        };
        let verdicts = self.verdicts.iter();
        Document {
            version: 1,
            changes: self.by_rule.iter().map(change).collect(),
            worst: super::render::level_name(self.worst()),
            summary: Summary {
                files: self.files,
                events: self.events,
                changed: self.changed,
                verdicts: verdicts
                    .map(|((before, after), count)| (format!("{before} → {after}"), *count))
                    .collect(),
                problems: self.problems,
                problem_lines: &self.problem_lines,
            },
        }
    }

    fn jsonl(&self) -> serde_json::Result<String> {
        let mut lines = Vec::new();
        for ((rule, change, shift), found) in &self.by_rule {
            let shift = Some(&**shift).filter(|shift| !shift.is_empty());
            for event in &found.events {
                let line = EventLine { event, rule, change, shift };
                lines.push(format!("{}\n", escaped(&serde_json::to_string(&line)?)));
            }
        }
        Ok(lines.concat())
    }

    fn pretty(&self, old: &str, new: &str, terminal: &Terminal) -> String {
        let mut out = String::new();
        if !terminal.quiet {
            let (old, new) = (one_line(old), one_line(new));
            let _ = writeln!(out, "{} {old} → {new}\n", terminal.paint(BOLD, "rules"));
            for (key, change) in &self.by_rule {
                let (rule, direction, _) = key;
                let (sign, style) = match *direction {
                    "fires" => ("+", RED),
                    "no longer fires" => ("-", GREEN),
                    _ => ("~", YELLOW),
                };
                let head = format!("{sign} {} {}", one_line(rule), named(key));
                let times = crate::simulate::summary::times(change.count);
                let _ = writeln!(out, "  {}  {times}", terminal.paint(style, &head));
                for example in &change.examples {
                    let _ = writeln!(out, "      {}", terminal.paint(DIM, example));
                }
                let more = change.count.saturating_sub(change.examples.len() as u64);
                if more > 0 {
                    let _ = writeln!(out, "      and {} more", number(more));
                }
            }
            if !self.verdicts.is_empty() {
                let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "verdicts"));
                let row = |((before, after), count): (&(&str, &str), &u64)| {
                    vec![format!("{before} → {after}"), number(*count)]
                };
                let rows: Vec<_> = self.verdicts.iter().map(row).collect();
                for line in table::render(&rows) {
                    let _ = writeln!(out, "  {line}");
                }
            }
            if !self.by_rule.is_empty() || !self.verdicts.is_empty() {
                out.push('\n');
            }
        }
        let _ = writeln!(out, "{}", self.summary());
        out
    }

    fn markdown(&self, old: &str, new: &str) -> String {
        use crate::simulate::markdown::{code, escape};
        let mut out = String::from("### Agent rules: what changes\n\n");
        let _ = writeln!(out, "**{}**. {} → {}\n", self.summary(), code(old), code(new));
        if !self.by_rule.is_empty() {
            out.push_str("| rule | change | count | first at |\n|---|---|---:|---|\n");
        }
        for (key, change) in &self.by_rule {
            let first = change.examples.first().map_or("", String::as_str);
            let count = number(change.count);
            let _ = writeln!(
                out,
                "| {} | {} | {count} | {} |",
                code(&key.0),
                escape(&named(key)),
                code(first)
            );
        }
        out
    }

    /// A case for each change; all of them fail.
    fn junit(&self) -> String {
        let mut suite = TestSuite::new("rules");
        suite.add_test_cases(junit::not_understood(self.problems, None));
        for (key, change) in &self.by_rule {
            let times = crate::simulate::summary::times(change.count);
            let (kind, message) =
                (super::render::level_name(level(change)), format!("{} {times}", named(key)));
            let status = junit::failure(kind, &message, &change.examples.join("\n"));
            suite.add_test_case(junit::case(&key.0, "rule", status));
        }
        junit::document("behavior diff", [suite])
    }

    fn sarif(&self) -> Value {
        let result = |key: &Key, change: &Change, event: &ChangedEvent| {
            let level = super::render::severity(level(change), "note");
            let text = format!("{}: {}: {}", named(key), event.event, event.message);
            json!({
                "ruleId": key.0,
                "level": level,
                "message": { "text": text },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": super::render::uri(&event.file) },
                    "region": { "startLine": event.line.max(1) },
                }}],
            })
        };
        let changes = self.by_rule.iter();
        let results: Vec<_> = changes
            .flat_map(|(key, change)| {
                change.events.iter().map(move |event| result(key, change, event))
            })
            .collect();
        let names: BTreeSet<&String> = self.by_rule.keys().map(|key| &key.0).collect();
        let rules: Vec<_> = names.iter().map(|name| json!({ "id": name })).collect();
        sarif::log(rules, results, None)
    }

    fn github(&self) -> String {
        let mut out = String::new();
        for (key, change) in &self.by_rule {
            let Some(first) = change.events.first() else { continue };
            let line = first.line.max(1);
            let title = format!("{} {}", key.0, named(key));
            let times = crate::simulate::summary::times(change.count);
            let what = change.examples.first().map_or("", String::as_str);
            let command = super::render::severity(level(change), "notice");
            let text = format!("{times}; first at {what}");
            out.push_str(&annotation(command, &first.file, line, &title, &text));
        }
        out
    }
}
