//! `behavior precision`: of labelled events of recorded sessions, how often each rule spoke where it should, and how
//! often it should have. The labels are lines of JSON, by hand or from `behavior log --right` and `--wrong`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use behavior_runtime::Layers;
use behavior_runtime::event::Event;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::args::{PlainFormat, PrecisionArgs};
use crate::number::number;
use crate::project::describe;
use crate::ready;
use crate::render::{json, one_line, table};
use crate::simulate::gate::Gate;
use crate::simulate::input;
use crate::simulate::progress::Progress;
use crate::simulate::report::Report;
use crate::simulate::run::{Settings, run_all};
use crate::simulate::summary::Seen;
use crate::terminal::{BOLD, Exit, Failure, Terminal};

/// Somebody's word on whether a rule should speak at an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The trace, by its path or the end of it; with `line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The line of the event in its trace, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The session; with `call`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The rule.
    pub rule: String,
    /// Whether it should speak there.
    pub right: bool,
    /// What its author thinks of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When the rules, the labels or a trace cannot be used, or nothing can be printed.
pub fn run(args: &PrecisionArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let labels = read(&args.labels)?;
    let ready = ready::load(&args.rules, terminal)?;
    let found = input::find(&args.traces, args.input_format)?;
    let spoken = Mutex::new(Spoken::default());
    let gate = Gate::new(std::io::sink(), None);
    let progress = Progress::new(found.traces.iter().map(|trace| trace.size).sum(), true);
    let settings = Settings::default();
    let make = || -> Box<dyn Report + '_> {
        Box::new(OfFile { layers: &ready.layers, labels: &labels, spoken: &spoken })
    };
    let ran = run_all(&ready.layers, &found.traces, settings, &gate, &progress, &make);
    progress.end();
    ran?;
    let spoken = spoken.into_inner().unwrap_or_else(PoisonError::into_inner);
    let figures = figures(&labels, &spoken);
    let missing = labels.len() - spoken.met.len();
    if missing > 0 {
        terminal.note(&format!(
            "{} of {} labels are of no event of these traces",
            number(missing as u64),
            number(labels.len() as u64)
        ));
    }
    terminal.print(&match args.format {
        PlainFormat::Json => json::to_text(&to_json(&figures))?,
        PlainFormat::Pretty => to_text(&figures, terminal),
    })?;
    let is_low = |of: &OfRule| {
        let below = |share: Option<f64>, least: Option<f64>| {
            share.zip(least).is_some_and(|(share, least)| share * 100.0 < least)
        };
        below(of.precision(), args.min_precision) || below(of.recall(), args.min_recall)
    };
    let is_met = !figures.values().any(is_low);
    Ok(if is_met { Exit::Clean } else { Exit::Findings })
}

/// Reads labels, a line each.
fn read(path: &str) -> Result<Vec<Label>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Message(format!("cannot read `{path}`: {}", describe(&error))))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            let place = |what: &str| Failure::Message(format!("{path}:{}: {what}", at + 1));
            let label: Label =
                serde_json::from_str(line).map_err(|error| place(&error.to_string()))?;
            let has_line = label.trace.is_some() && label.line.is_some();
            let has_call = label.session.is_some() && label.call.is_some();
            match has_line || has_call {
                true => Ok(label),
                false => Err(place(
                    "a label names its event by `trace` and `line`, or by `session` and `call`",
                )),
            }
        })
        .collect()
}

/// Which labels have an event, and at which of those the rule spoke.
#[derive(Debug, Default)]
struct Spoken {
    met: BTreeSet<usize>,
    fired: BTreeSet<usize>,
}

struct OfFile<'a> {
    layers: &'a Layers,
    labels: &'a [Label],
    spoken: &'a Mutex<Spoken>,
}

impl Report for OfFile<'_> {
    fn event(&mut self, seen: &Seen<'_>, _out: &mut Vec<u8>) {
        let call = match seen.event {
            Event::ToolCall(call) => call.id.as_deref(),
            Event::ToolResult(result) => result.id.as_deref(),
            _ => None,
        };
        let is_here = |label: &Label| {
            let by_line = label.line == Some(seen.line)
                && label.trace.as_deref().is_some_and(|trace| is_end_of(seen.file, trace));
            let by_call = label.call.is_some()
                && label.call.as_deref() == call
                && label.session.as_deref() == Some(seen.name);
            by_line || by_call
        };
        let spoke = |label: &Label| {
            let mut findings = seen.decision.findings.iter();
            findings.any(|finding| self.layers.rules().id(finding.rule) == label.rule)
        };
        for (at, label) in self.labels.iter().enumerate().filter(|(_, label)| is_here(label)) {
            let mut spoken = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
            spoken.met.insert(at);
            if spoke(label) {
                spoken.fired.insert(at);
            }
        }
    }
}

/// Whether a path ends with another, part by part.
fn is_end_of(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// How a rule does on labelled events.
#[derive(Clone, Debug, Default, PartialEq)]
struct OfRule {
    /// It spoke and should.
    right: u64,
    /// It spoke and should not.
    wrong: u64,
    /// It should have spoken.
    missed: u64,
}

#[allow(clippy::cast_precision_loss, reason = "these are figures for people")]
impl OfRule {
    /// Of what it said, the share that was right.
    fn precision(&self) -> Option<f64> {
        let all = self.right + self.wrong;
        (all > 0).then(|| self.right as f64 / all as f64)
    }

    /// Of what it should have said, the share that it said.
    fn recall(&self) -> Option<f64> {
        let all = self.right + self.missed;
        (all > 0).then(|| self.right as f64 / all as f64)
    }
}

fn figures(labels: &[Label], spoken: &Spoken) -> BTreeMap<String, OfRule> {
    let mut figures = BTreeMap::<String, OfRule>::new();
    for &at in &spoken.met {
        let Some(label) = labels.get(at) else { continue };
        let of = figures.entry(label.rule.clone()).or_default();
        match (spoken.fired.contains(&at), label.right) {
            (true, true) => of.right += 1,
            (true, false) => of.wrong += 1,
            (false, true) => of.missed += 1,
            (false, false) => {}
        }
    }
    figures
}

fn to_text(figures: &BTreeMap<String, OfRule>, terminal: &Terminal) -> String {
    let share = |share: Option<f64>| {
        share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
    };
    let mut rows = vec![
        ["rule", "right", "wrong", "missed", "precision", "recall"].map(str::to_owned).to_vec(),
    ];
    for (id, of) in figures {
        rows.push(vec![
            one_line(id),
            number(of.right),
            number(of.wrong),
            number(of.missed),
            share(of.precision()),
            share(of.recall()),
        ]);
    }
    let lines = table::render(&rows).into_iter().enumerate();
    lines
        .map(|(at, line)| if at == 0 { terminal.paint(BOLD, &line) + "\n" } else { line + "\n" })
        .collect()
}

fn to_json(figures: &BTreeMap<String, OfRule>) -> Value {
    let rules: Vec<Value> = figures
        .iter()
        .map(|(id, of)| {
            json!({
                "rule": id,
                "right": of.right,
                "wrong": of.wrong,
                "missed": of.missed,
                "precision": of.precision(),
                "recall": of.recall(),
            })
        })
        .collect();
    json!({ "version": 1, "rules": rules })
}
