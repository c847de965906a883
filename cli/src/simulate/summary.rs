//! What simulations come to: counts, by rule and by session, and where each rule fired first.

use std::collections::{BTreeMap, BTreeSet};

use behavior_agents::{Problem, Stats};
use behavior_runtime::event::Event;
use behavior_runtime::{Decision, LayeredSession, Layers, Verdict};
use serde::Serialize;

use crate::args::FailOn;
use crate::number::{count, number};
use crate::render::one_line;
use behavior_runtime::decision::{Action, Finding, Undecided};
use behavior_runtime::replay::Settled;

/// What is said where nothing can be found.
pub const NO_RULES: &str = "no rule is in force, so nothing can be found";

/// How many places are kept of what is counted.
const KEPT: usize = 20;

/// Counts of one session, one file, or all.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Events of every kind.
    pub events: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Turns.
    pub turns: u64,
    /// Tool calls by verdict: allow, ask, deny.
    pub verdicts: [u64; 3],
    /// Findings of each rule, by what they do: one in doubt may ask where the rule blocks.
    pub findings: BTreeMap<(u32, Action), u64>,
    /// Those of which the agent was not told, since it was told before, or enough in that turn.
    pub withheld: BTreeMap<(u32, Action), u64>,
    /// Rules that could not be decided, counted for each rule.
    pub undecided: Vec<u64>,
    /// What policies asked about or denied, counted for each rule and answer.
    pub permissions: BTreeMap<Refusal, u64>,
    /// Answers that the verifier flagged.
    pub flagged: u64,
    /// Answers that the verifier could not judge.
    pub unjudged: u64,
}

/// A policy's answer that lets a call not just run: what it is, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// Whether the call was denied; otherwise the user is asked.
    pub denies: bool,
    /// The rule that says so or may say so; `None` where no rule covers the call.
    pub rule: Option<u32>,
}

impl Refusal {
    /// What a policy refused, if it did.
    #[must_use]
    pub fn of(decision: &Decision) -> Option<Self> {
        let permission = decision.permission?;
        let verdict = Verdict::from(permission.action);
        let rule = permission.doubt.or(permission.rule);
        (verdict != Verdict::Allow).then_some(Self { denies: verdict == Verdict::Deny, rule })
    }
}

/// Where something was seen first.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The number of the event in its file, from 0.
    pub index: u64,
    /// The line.
    pub line: u32,
    /// What was said.
    pub text: String,
}

/// A line that was not understood.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemLine {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// What is wrong with it.
    pub message: String,
}

/// A file without any event: nobody knows what its rules would have said.
#[derive(Clone, Debug, Serialize)]
pub struct Hollow {
    /// The file.
    pub file: String,
    /// What it holds instead.
    pub message: String,
}

/// What one file came to, and in the end all of them.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// In all.
    pub all: Counts,
    /// By session, in the order in which they were first met.
    pub sessions: Vec<(String, Counts)>,
    by_name: BTreeMap<String, usize>,
    /// The number and the line of the last event of each session of a file.
    last: Vec<(u64, u32)>,
    /// Where each rule did each of what it does first.
    pub first: BTreeMap<(u32, Action), Place>,
    /// Where each rule could not be decided first.
    pub first_undecided: BTreeMap<u32, Place>,
    /// Where policies refused first.
    pub first_refused: BTreeMap<Refusal, Place>,
    /// Lines that were not understood: how many, and the first ones.
    pub problems: u64,
    /// How many of them stand in native traces.
    pub native_problems: u64,
    /// The first of them.
    pub problem_lines: Vec<ProblemLine>,
    /// What the readers counted.
    pub stats: Stats,
    /// Files whose last line is cut off.
    pub truncated: Vec<String>,
    /// How many files.
    pub files: u64,
    /// Those without any event.
    pub hollow: Vec<Hollow>,
    /// The rules of trace policies that looked at anything.
    asked: BTreeSet<u32>,
}

impl Counts {
    fn event(&mut self, event: &Event<'_>, decision: &Decision) {
        self.events += 1;
        match event {
            Event::ToolCall(_) => {
                self.tool_calls += 1;
                let verdict = decision.verdict() as usize;
                if let Some(count) = self.verdicts.get_mut(verdict) {
                    *count += 1;
                }
            }
            Event::TurnStart { .. } => self.turns += 1,
            _ => {}
        }
        for finding in &decision.findings {
            self.finding(finding);
        }
        for undecided in &decision.undecided {
            tick(&mut self.undecided, undecided.rule);
        }
        if let Some(refusal) = Refusal::of(decision) {
            *self.permissions.entry(refusal).or_default() += 1;
        }
        self.verdict_of_model(decision);
    }

    /// Counts what the verifier made of an answer.
    fn verdict_of_model(&mut self, decision: &Decision) {
        let verification = decision.besides().verifier.as_ref();
        if let Some(answer) = verification.and_then(|verification| verification.answer.as_ref()) {
            self.flagged += u64::from(answer.flag.is_some());
            self.unjudged += u64::from(answer.error.is_some());
        }
    }

    /// What the verifier made of answers, for people; nothing where it had nothing to say.
    #[must_use]
    pub fn verified(&self) -> Option<String> {
        let answers = |number, what: &str| format!("{} {what}", count(number, "answer"));
        let flagged = (self.flagged > 0).then(|| answers(self.flagged, "flagged"));
        let unjudged =
            (self.unjudged > 0).then(|| answers(self.unjudged, "that it could not judge"));
        let both: Vec<String> = flagged.into_iter().chain(unjudged).collect();
        (!both.is_empty()).then(|| format!("the verifier: {}", both.join(", ")))
    }

    fn add(&mut self, other: &Counts) {
        self.events += other.events;
        self.tool_calls += other.tool_calls;
        self.turns += other.turns;
        for (mine, theirs) in self.verdicts.iter_mut().zip(other.verdicts) {
            *mine += theirs;
        }
        for (found, count) in &other.findings {
            *self.findings.entry(*found).or_default() += count;
        }
        for (found, count) in &other.withheld {
            *self.withheld.entry(*found).or_default() += count;
        }
        add_all(&mut self.undecided, &other.undecided);
        for (refusal, count) in &other.permissions {
            *self.permissions.entry(*refusal).or_default() += count;
        }
        self.flagged += other.flagged;
        self.unjudged += other.unjudged;
    }

    /// How many calls got a verdict.
    #[must_use]
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(verdict as usize).copied().unwrap_or(0)
    }

    /// How many findings do this.
    #[must_use]
    pub fn of_action(&self, action: Action) -> u64 {
        self.findings.iter().filter(|((_, of), _)| *of == action).map(|(_, count)| count).sum()
    }

    /// Returns how many findings each rule has.
    #[must_use]
    pub fn found_by_rule(&self) -> BTreeMap<u32, u64> {
        let mut counts = BTreeMap::new();
        for ((rule, _), count) in &self.findings {
            *counts.entry(*rule).or_default() += count;
        }
        counts
    }

    /// Returns how many findings there are.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.findings.values().sum()
    }

    /// Counts a finding, unless it has no effect.
    fn finding(&mut self, finding: &Finding) {
        if finding.granted.is_some() {
            return;
        }
        *self.findings.entry((finding.rule, finding.action)).or_default() += 1;
        if finding.is_withheld {
            *self.withheld.entry((finding.rule, finding.action)).or_default() += 1;
        }
    }

    /// Returns how often the agent was told something.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.found() - self.withheld.values().sum::<u64>()
    }
}

/// The rules that were counted, with their counts.
pub fn by_rule(counts: &[u64]) -> impl Iterator<Item = (u32, u64)> {
    (0..).zip(counts.iter().copied()).filter(|(_, count)| *count > 0)
}

/// The sum of the counts.
#[must_use]
pub fn total(counts: &[u64]) -> u64 {
    counts.iter().sum()
}

/// How often, for people.
#[must_use]
pub fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{} times", number(more)),
    }
}

fn tick(counts: &mut Vec<u64>, rule: u32) {
    let index = rule as usize;
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
    if let Some(count) = counts.get_mut(index) {
        *count += 1;
    }
}

fn add_all(mine: &mut Vec<u64>, theirs: &[u64]) {
    if mine.len() < theirs.len() {
        mine.resize(theirs.len(), 0);
    }
    mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
}

/// One event with what was decided on it.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The number of the event in its file, from 0.
    pub index: u64,
    /// The line.
    pub line: u32,
    /// The session's name.
    pub name: &'a str,
    /// The session's number in its file, from 0 in the order of their first events.
    pub slot: usize,
    /// The session after the event.
    pub session: &'a LayeredSession,
    /// What happened.
    pub event: &'a Event<'a>,
    /// What was decided.
    pub decision: &'a Decision,
}

impl Seen<'_> {
    /// The canonical name of the tool, where there is one.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.decision.tool.map(|tool| self.session.own().tool_name(tool))
    }

    fn place(&self, text: &str) -> Place {
        let (file, text) = (self.file.to_owned(), text.to_owned());
        Place { file, index: self.index, line: self.line, text }
    }
}

impl Summary {
    /// Counts an event of a file. Session numbers are those of the file.
    #[inline]
    pub fn event(&mut self, seen: &Seen<'_>) {
        if self.sessions.len() <= seen.slot {
            self.sessions.push((seen.name.to_owned(), Counts::default()));
        }
        if let Some((_, counts)) = self.sessions.get_mut(seen.slot) {
            counts.event(seen.event, seen.decision);
        }
        if !seen.decision.besides().settled.is_empty() {
            let (index, line) = self.last_of(seen.slot).unwrap_or((seen.index, seen.line));
            let at = Place { index, line, ..seen.place("") };
            self.late(seen.slot, &seen.decision.besides().settled, at);
        }
        if self.last.len() <= seen.slot {
            self.last.resize(seen.slot + 1, (seen.index, seen.line));
        }
        if let Some(last) = self.last.get_mut(seen.slot) {
            *last = (seen.index, seen.line);
        }
        for finding in seen.decision.effective() {
            self.first
                .entry((finding.rule, finding.action))
                .or_insert_with(|| seen.place(&finding.message));
        }
        for undecided in &seen.decision.undecided {
            self.first_undecided
                .entry(undecided.rule)
                .or_insert_with(|| seen.place(&undecided.needs));
        }
        if let Some(refusal) = Refusal::of(seen.decision) {
            self.first_refused.entry(refusal).or_insert_with(|| seen.place(""));
        }
    }

    /// The number and the line of the last event of a session of the file, which is where stands what
    /// is found about all of it.
    #[must_use]
    pub fn last_of(&self, slot: usize) -> Option<(u64, u32)> {
        self.last.get(slot).copied()
    }

    /// Counts what was found of a session once it was over.
    fn late(&mut self, slot: usize, findings: &[Finding], at: Place) {
        for finding in findings {
            if let Some((_, counts)) = self.sessions.get_mut(slot) {
                counts.finding(finding);
            }
            let place = || Place { text: finding.message.clone(), ..at.clone() };
            self.first.entry((finding.rule, finding.action)).or_insert_with(place);
        }
    }

    /// Counts what a model made of an answer of a session: it is no event of the recording.
    pub fn answered(&mut self, slot: usize, decision: &Decision) {
        if let Some((_, counts)) = self.sessions.get_mut(slot) {
            counts.verdict_of_model(decision);
        }
    }

    /// Counts what was found at the end of sessions and of the trace, whose last line is `line`.
    pub fn settled(&mut self, file: &str, line: u32, settled: &Settled) {
        self.asked.extend(&settled.asked);
        let events: u64 = self.sessions.iter().map(|(_, counts)| counts.events).sum();
        let (file, text) = (file.to_owned(), String::new());
        let end = Place { file, index: events.saturating_sub(1), line, text };
        for (slot, conclusion) in &settled.sessions {
            let (index, line) = self.last_of(*slot).unwrap_or((end.index, end.line));
            let at = Place { index, line, ..end.clone() };
            self.late(*slot, &conclusion.findings, at.clone());
            self.doubts(Some(*slot), &conclusion.undecided, &at);
        }
        for finding in &settled.trace.findings {
            self.all.finding(finding);
            let place = || Place { text: finding.message.clone(), ..end.clone() };
            self.first.entry((finding.rule, finding.action)).or_insert_with(place);
        }
        self.doubts(None, &settled.trace.undecided, &end);
    }

    /// Counts what could not be decided at the end of a session, or of the trace.
    fn doubts(&mut self, slot: Option<usize>, undecided: &[Undecided], at: &Place) {
        for undecided in undecided {
            let session = slot.and_then(|slot| self.sessions.get_mut(slot));
            let counts = session.map_or(&mut self.all, |(_, counts)| counts);
            tick(&mut counts.undecided, undecided.rule);
            let place = || Place { text: undecided.needs.clone(), ..at.clone() };
            self.first_undecided.entry(undecided.rule).or_insert_with(place);
        }
    }

    /// Counts a line that was not understood.
    pub fn problem(&mut self, file: &str, problem: &Problem) {
        self.problems += 1;
        self.native_problems += u64::from(problem.is_native);
        if self.problem_lines.len() < KEPT {
            let (file, message) = (file.to_owned(), problem.message.clone());
            self.problem_lines.push(ProblemLine { file, line: problem.line, message });
        }
    }

    /// Notes whether a file that is read to its end held no event, so that nothing was decided on.
    pub fn look_for_events(&mut self, file: &str, stats: &Stats) {
        if stats.events > 0 {
            return;
        }
        let unknown = unknown_records(stats);
        let message = if unknown.is_some() {
            "nothing in it was understood".to_owned()
        } else if self.problems > 0 {
            "none of its lines was understood".to_owned()
        } else if stats.skipped > 0 {
            format!("it has {} and no event", count(stats.skipped, "record"))
        } else {
            "it is empty".to_owned()
        };
        let message = unknown.into_iter().fold(message, |text, more| format!("{text}: {more}"));
        self.hollow.push(Hollow { file: file.to_owned(), message });
    }

    /// A file is done: its sessions are added up.
    pub fn end(&mut self, file: &str, stats: Stats) {
        self.files = 1;
        if stats.truncated {
            self.truncated.push(file.to_owned());
        }
        self.stats = stats;
        let Self { all, sessions, .. } = self;
        sessions.iter().for_each(|(_, counts)| all.add(counts));
    }

    /// Adds what another file, which comes after, came to. Sessions of one name are one.
    pub fn add(&mut self, other: Summary) {
        self.files += other.files;
        self.hollow.extend(other.hollow);
        self.asked.extend(other.asked);
        self.all.add(&other.all);
        for (name, counts) in other.sessions {
            let next = self.sessions.len();
            let at = *self.by_name.entry(name.clone()).or_insert(next);
            match self.sessions.get_mut(at) {
                Some((_, mine)) => mine.add(&counts),
                None => self.sessions.push((name, counts)),
            }
        }
        for (found, place) in other.first {
            self.first.entry(found).or_insert(place);
        }
        for (rule, place) in other.first_undecided {
            self.first_undecided.entry(rule).or_insert(place);
        }
        for (refusal, place) in other.first_refused {
            self.first_refused.entry(refusal).or_insert(place);
        }
        self.problems += other.problems;
        self.native_problems += other.native_problems;
        let room = KEPT.saturating_sub(self.problem_lines.len());
        self.problem_lines.extend(other.problem_lines.into_iter().take(room));
        self.truncated.extend(other.truncated);
        add_stats(&mut self.stats, other.stats);
    }

    /// The rules of trace policies that met no pair and no call.
    #[must_use]
    pub fn unasked<'i>(&self, layers: &'i Layers) -> Vec<&'i str> {
        let unasked =
            layers.monitors().iter().filter(|monitor| !self.asked.contains(&monitor.rule));
        unasked.map(|monitor| monitor.id).collect()
    }

    /// The worst that was found.
    #[must_use]
    pub fn worst(&self) -> FailOn {
        let found = Action::ALL.iter().filter(|action| self.all.of_action(**action) > 0);
        let levels = found.map(|action| FailOn::from(*action));
        let denied = self.all.permissions.keys().filter(|refusal| refusal.denies);
        levels.chain(denied.map(|_| FailOn::Severe)).max().unwrap_or(FailOn::None)
    }
}

/// The records of kinds that are not known, for people; `None` where there are none.
#[must_use]
pub fn unknown_records(stats: &Stats) -> Option<String> {
    let all: u64 = stats.unknown.values().sum();
    let kinds: Vec<_> = stats.unknown.keys().map(|kind| format!("`{}`", one_line(kind))).collect();
    let text = || format!("{} of unknown kinds ({})", count(all, "record"), kinds.join(", "));
    (all > 0).then(text)
}

fn add_stats(mine: &mut Stats, theirs: Stats) {
    mine.lines += theirs.lines;
    mine.bytes += theirs.bytes;
    mine.events += theirs.events;
    mine.problems += theirs.problems;
    mine.skipped += theirs.skipped;
    mine.repeated += theirs.repeated;
    mine.orphan_results += theirs.orphan_results;
    mine.open_calls += theirs.open_calls;
    mine.truncated |= theirs.truncated;
    for (kind, count) in theirs.unknown {
        *mine.unknown.entry(kind).or_default() += count;
    }
    for (reason, count) in theirs.never_run {
        *mine.never_run.entry(reason).or_default() += count;
    }
}
