//! Everything that is found in the traces of one side, in the order of the files and their events.
//! Only findings stay in memory, not the traces.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;
use behavior_runtime::replay::Settled;
use behavior_runtime::{Layers, Verdict};

use crate::simulate::gate::Gate;
use crate::simulate::input::Trace;
use crate::simulate::label;
use crate::simulate::progress::Progress;
use crate::simulate::report::Report;
use crate::simulate::run::{Settings, Stopped, run_all};
use crate::simulate::summary::{Refusal, Seen, Summary};

/// What was found on one side.
#[derive(Debug)]
pub struct Side {
    /// The name, as the user gave it.
    pub name: String,
    /// What was found.
    pub found: Vec<Found>,
    /// The files, as seen from the side.
    pub files: Vec<String>,
    /// The sessions in the order in which they were met, by file.
    pub sessions: Vec<(String, String)>,
    /// What everything came to.
    pub summary: Summary,
}

/// Something that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Which rule.
    pub rule: Rule,
    /// What it does.
    pub action: Action,
    /// What is wrong, for people.
    pub message: String,
    /// What it is about, without figures.
    pub subject: String,
    /// The pair of request and response, for rules of trace policies that are about one.
    pub pair: Option<u64>,
    /// Which exchange of its session it is in.
    pub exchange: u32,
    /// The file, as seen from the side.
    pub file: String,
    /// The session.
    pub session: String,
    /// The number of the event, from 0; `None` for a trace without any.
    pub index: Option<u64>,
    /// The line; `None` for a trace without any.
    pub line: Option<u32>,
}

/// A rule that found something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A rule of the layers.
    Rule(u32),
    /// A rule of the policy; `None` where no rule covers a call.
    Permission(Option<u32>),
}

/// Finds what there is to find.
///
/// # Errors
/// When a trace cannot be read, or holds something that is not understood and has to be.
pub fn gather(
    name: &str,
    layers: &Arc<Layers>,
    traces: &[Trace],
    settings: Settings<'_>,
    progress: &Progress,
) -> Result<Side, Stopped> {
    let gate = Gate::new(io::sink(), None);
    let all = Mutex::new(Vec::new());
    let make_report = || -> Box<dyn Report + '_> {
        Box::new(Collect {
            side: name,
            file: String::new(),
            found: Vec::new(),
            sessions: Vec::new(),
            all: &all,
        })
    };
    let summary = run_all(layers, traces, settings, &gate, progress, &make_report)?;
    let mut parts = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let place = |file: &str| traces.iter().position(|trace| trace.name == file);
    parts.sort_by_key(|part: &Part| place(&part.file));
    let (mut found, mut files, mut sessions) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        found.extend(part.found);
        let file = within(name, &part.file);
        files.push(file.clone());
        sessions.extend(part.sessions.into_iter().map(|session| (file.clone(), session)));
    }
    Ok(Side { name: name.to_owned(), found, files, sessions, summary })
}

/// A file's name as seen from the directory that was named; empty where it was named itself.
fn within(side: &str, file: &str) -> String {
    file.strip_prefix(side).unwrap_or(file).trim_start_matches('/').to_owned()
}

struct Part {
    file: String,
    found: Vec<Found>,
    sessions: Vec<String>,
}

/// Keeps what is found in one file.
struct Collect<'a> {
    side: &'a str,
    file: String,
    found: Vec<Found>,
    sessions: Vec<String>,
    all: &'a Mutex<Vec<Part>>,
}

impl Report for Collect<'_> {
    fn event(&mut self, seen: &Seen<'_>, _out: &mut Vec<u8>) {
        if self.sessions.len() <= seen.slot {
            self.sessions.push(seen.name.to_owned());
        }
        for finding in seen.decision.effective() {
            let violation = finding.violation.as_ref();
            let subject = violation.map_or_else(|| subject(seen), |v| v.subject.clone());
            self.found.push(Found {
                rule: Rule::Rule(finding.rule),
                action: finding.action,
                message: finding.message.clone(),
                pair: violation.and_then(|violation| violation.pair),
                exchange: violation.map_or(0, |violation| violation.exchange),
                ..place(self.side, seen, subject)
            });
        }
        if let Some(refusal) = Refusal::of(seen.decision) {
            let verdict = if refusal.denies { Verdict::Deny } else { Verdict::Ask };
            let subject = subject(seen);
            self.found.push(Found {
                rule: Rule::Permission(refusal.rule),
                action: if refusal.denies { Action::Block } else { Action::Warn },
                message: format!("{}: {subject}", verdict.name()),
                ..place(self.side, seen, subject)
            });
        }
    }

    fn finish(
        &mut self,
        file: &str,
        settled: &Settled,
        _nothing: Option<&str>,
        _out: &mut Vec<u8>,
    ) -> bool {
        self.file = file.to_owned();
        let is_empty = self.sessions.is_empty();
        if is_empty {
            // Nobody tells the events of a trace that has none.
            self.found.extend(settled.trace.findings.iter().map(|finding| Found {
                rule: Rule::Rule(finding.rule),
                action: finding.action,
                message: finding.message.clone(),
                subject: finding.violation.as_ref().map(|v| v.subject.clone()).unwrap_or_default(),
                pair: None,
                exchange: 0,
                file: within(self.side, file),
                session: String::new(),
                index: None,
                line: None,
            }));
        }
        is_empty
    }

    fn end(&mut self, file: &str, _summary: &Summary, _out: &mut Vec<u8>) {
        let (found, sessions) =
            (std::mem::take(&mut self.found), std::mem::take(&mut self.sessions));
        let part = Part { file: file.to_owned(), found, sessions };
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(part);
    }
}

fn place(side: &str, seen: &Seen<'_>, subject: String) -> Found {
    Found {
        rule: Rule::Permission(None),
        action: Action::Warn,
        message: String::new(),
        subject,
        pair: None,
        exchange: 0,
        file: within(side, seen.file),
        session: seen.name.to_owned(),
        index: Some(seen.index),
        line: Some(seen.line),
    }
}

/// What a finding on an event is about: the tool and its target.
fn subject(seen: &Seen<'_>) -> String {
    let call = match seen.event {
        Event::ToolCall(call) => Some(call),
        Event::ToolResult(result) => result.call.as_ref(),
        _ => None,
    };
    let tool = seen.tool().unwrap_or_default();
    match call {
        Some(call) => format!("{tool} {}", label::of_call(call, seen.session.own().cwd())),
        None => tool.to_owned(),
    }
}
