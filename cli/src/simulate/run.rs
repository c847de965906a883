//! Reads recordings, lets the rules decide on every event, and hands each to the report. Nothing
//! of a recording stays in memory but the state of its sessions.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use behavior_agents::{Item, Problem, Sink};
use behavior_image::code::ApprovalMode;
use behavior_runtime::event::Event;
use behavior_runtime::model::Purpose;
use behavior_runtime::replay::{Conclusion, Settled};
use behavior_runtime::verifier::{ModelAtHand, VerifierSetting};
use behavior_runtime::{Decision, Layers, Replay};

use super::ask::{Asking, Open};
use super::compressed::Damage;
use super::gate::Gate;
use super::input::Trace;
use super::progress::Progress;
use super::report::Report;
use super::summary::{Seen, Summary};
use crate::live::host::LiveHost;
use crate::models::answers::Answers;
use crate::project::describe;
use crate::schemas::WithSchemas;
use crate::terminal::Failure;

/// How to read and decide.
#[derive(Clone, Copy, Default)]
pub struct Settings<'a> {
    /// Stop at the first line that is not understood.
    pub strict: bool,
    /// Ask the real file system and clock.
    pub live_fs: bool,
    /// The approval mode, whatever the sessions say.
    pub mode: Option<ApprovalMode>,
    /// Where the answers of models come from; no model is asked without.
    pub answers: Option<&'a Answers>,
}

/// Why a simulation stopped early.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// A line was not understood, and every line has to be.
    #[error("{file}:{}: {}", problem.line, problem.message)]
    Problem { file: String, problem: Problem },
    /// A file could not be read.
    #[error("cannot read `{file}`: {}", describe(error))]
    Unreadable { file: String, error: std::io::Error },
}

impl From<Stopped> for Failure {
    fn from(reason: Stopped) -> Self {
        Failure::Message(reason.to_string())
    }
}

/// What every file is worked on with.
struct Work<'a, W> {
    layers: &'a Arc<Layers>,
    traces: &'a [Trace],
    settings: Settings<'a>,
    gate: &'a Gate<W>,
    progress: &'a Progress,
    make_report: &'a (dyn Fn() -> Box<dyn Report + 'a> + Sync),
    stopped: Mutex<Vec<(usize, Stopped)>>,
    halt: AtomicBool,
    summaries: Mutex<Vec<(usize, Summary)>>,
}

/// Runs all recordings and prints their reports in order.
///
/// # Errors
/// Why it stopped early: the reason of the first file in order.
pub fn run_all<'a, W: Write + Send>(
    layers: &'a Arc<Layers>,
    traces: &'a [Trace],
    settings: Settings<'a>,
    gate: &'a Gate<W>,
    progress: &'a Progress,
    make_report: &'a (dyn Fn() -> Box<dyn Report + 'a> + Sync),
) -> Result<Summary, Stopped> {
    let work = Work {
        layers,
        traces,
        settings,
        gate,
        progress,
        make_report,
        stopped: Mutex::default(),
        halt: AtomicBool::new(false),
        summaries: Mutex::default(),
    };
    // Which line is the first that is not understood must not depend on who was faster.
    // Nor must who is given which answer, and how many calls are made.
    let is_one = settings.strict || settings.answers.is_some();
    let most = if is_one { 1 } else { usize::MAX };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match cores.min(traces.len()).min(most) {
        0 | 1 => work.work(),
        workers => std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| work.work());
            }
        }),
    }
    let mut stopped = work.stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
    stopped.sort_by_key(|(number, _)| *number);
    if let Some((_, first)) = stopped.into_iter().next() {
        return Err(first);
    }
    let mut parts = work.summaries.into_inner().unwrap_or_else(PoisonError::into_inner);
    parts.sort_by_key(|(number, _)| *number);
    let mut summary = Summary::default();
    parts.into_iter().for_each(|(_, part)| summary.add(part));
    Ok(summary)
}

impl<W: Write> Work<'_, W> {
    /// Works on one file after the other until none is left.
    fn work(&self) {
        loop {
            let number = self.gate.take();
            if self.halt.load(Ordering::Relaxed) || self.gate.is_closed() {
                return;
            }
            let Some(trace) = self.traces.get(number) else { return };
            match self.file(number, trace) {
                Ok(summary) => lock(&self.summaries).push((number, summary)),
                Err(reason) => {
                    self.halt.store(true, Ordering::Relaxed);
                    lock(&self.stopped).push((number, reason));
                    self.gate.close();
                }
            }
        }
    }

    fn file(&self, number: usize, trace: &Trace) -> Result<Summary, Stopped> {
        let host = self.settings.live_fs.then(LiveHost::default);
        let mut replay = Replay::with_layers(Arc::clone(self.layers))
            .with_workflows(crate::workflow::for_replays())
            .with_host(Box::new(WithSchemas::new(host)));
        if let Some(mode) = self.settings.mode {
            replay = replay.with_mode(mode);
        }
        if let Some(answers) = self.settings.answers {
            let model = match answers.can_answer(Purpose::Verify) {
                true => ModelAtHand::Yes,
                false => ModelAtHand::No,
            };
            let setting = VerifierSetting { model: Some(model), ..VerifierSetting::default() };
            replay = replay.with_verifier(setting);
        }
        let mut file = FileRun {
            name: &trace.name,
            replay,
            decision: Decision::default(),
            report: (self.make_report)(),
            summary: Summary::default(),
            out: Vec::new(),
            index: 0,
            last_line: 0,
            strict: self.settings.strict,
            refused: None,
            offer: &|out| self.gate.offer(number, out),
            halt: &self.halt,
            closed: false,
            wants_exchanges: !self.layers.monitors().is_empty(),
            asking: self.settings.answers.map(Asking::new),
        };
        let damage = Damage::default();
        let mut read = trace
            .open(|bytes| self.progress.add(bytes), &damage)
            .and_then(|mut input| behavior_agents::read(trace.format, &mut *input, &mut file));
        if let (Ok(stats), Some(message)) = (&mut read, damage.take()) {
            stats.problems += 1;
            stats.truncated = true;
            let line = u32::try_from(stats.lines).unwrap_or(u32::MAX).max(1);
            file.problem(Problem::new(line, message));
        }
        file.ask_rest();
        let FileRun {
            mut report, mut summary, mut out, refused, mut replay, index, last_line, ..
        } = file;
        let result = match (read, refused) {
            (_, Some(problem)) => Err(Stopped::Problem { file: trace.name.clone(), problem }),
            (Err(error), None) => Err(Stopped::Unreadable { file: trace.name.clone(), error }),
            (Ok(stats), None) => {
                let settled = replay.finish();
                summary.look_for_events(&trace.name, &stats);
                let nothing = summary.hollow.first().map(|hollow| &*hollow.message);
                if !report.finish(&trace.name, &settled, nothing, &mut out) {
                    let tell = |seen: &Seen<'_>| report.event(seen, &mut out);
                    let end = (index.saturating_sub(1), last_line);
                    tell_settled(&trace.name, (&summary, end), &replay, settled.clone(), tell);
                }
                summary.settled(&trace.name, last_line, &settled);
                summary.end(&trace.name, stats);
                report.end(&trace.name, &summary, &mut out);
                Ok(summary)
            }
        };
        self.gate.finish(number, out);
        result
    }
}

/// Tells what was found at the end of sessions and of the trace, each as the end of a session: at the
/// last event of it.
fn tell_settled(
    file: &str,
    (summary, end): (&Summary, (u64, u32)),
    replay: &Replay,
    settled: Settled,
    mut tell: impl FnMut(&Seen<'_>),
) {
    let latest = replay.latest().map(|(slot, _)| slot);
    let of_trace = latest.map(|slot| (slot, settled.trace));
    let of_sessions = settled.sessions.into_iter().map(|(slot, conclusion)| {
        let place = summary.last_of(slot).unwrap_or(end);
        (slot, place, conclusion)
    });
    let of_trace = of_trace.into_iter().map(|(slot, conclusion)| (slot, end, conclusion));
    for (slot, (index, line), conclusion) in of_sessions.chain(of_trace) {
        let Some((name, session)) = replay.by_slot(slot) else { continue };
        let Conclusion { findings, undecided } = conclusion;
        if findings.is_empty() && undecided.is_empty() {
            continue;
        }
        let decision = Decision { findings, undecided, ..Decision::default() };
        let event = &Event::SessionEnd;
        tell(&Seen { file, index, line, name, slot, session, event, decision: &decision });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One file being read.
struct FileRun<'a> {
    name: &'a str,
    replay: Replay,
    /// The last one, over which the next is written.
    decision: Decision,
    report: Box<dyn Report + 'a>,
    summary: Summary,
    out: Vec<u8>,
    index: u64,
    last_line: u32,
    strict: bool,
    refused: Option<Problem>,
    offer: &'a dyn Fn(&mut Vec<u8>) -> bool,
    halt: &'a AtomicBool,
    closed: bool,
    wants_exchanges: bool,
    asking: Option<Asking<'a>>,
}

impl Sink for FileRun<'_> {
    fn item(&mut self, item: Item<'_>) {
        let open = self.asking.as_mut().and_then(|asking| asking.take(&item.session, &item.event));
        if let Some(open) = open {
            self.ask(&item.session, &open);
        }
        self.replay.apply_into(&item.session, &item.event, &mut self.decision);
        let decision = &self.decision;
        let Some((slot, session)) = self.replay.latest() else { return };
        if !decision.besides().settled.is_empty() && !self.report.takes_settled() {
            let findings = decision.besides().settled.clone();
            let here = (self.index, item.line);
            let (index, line) = self.summary.last_of(slot).unwrap_or(here);
            let seen = Seen {
                file: self.name,
                index,
                line,
                name: &item.session,
                slot,
                session,
                event: &Event::SessionEnd,
                decision: &Decision { findings, turn: decision.turn, ..Decision::default() },
            };
            self.report.event(&seen, &mut self.out);
        }
        let seen = Seen {
            file: self.name,
            index: self.index,
            line: item.line,
            name: &item.session,
            slot,
            session,
            event: &item.event,
            decision,
        };
        if let Some(asking) = &mut self.asking {
            let place = (self.index, item.line);
            asking.note(&item.session, place, &item.event, decision, session);
        }
        self.index += 1;
        self.last_line = item.line;
        self.summary.event(&seen);
        self.report.event(&seen, &mut self.out);
        self.print();
    }

    fn problem(&mut self, problem: Problem) {
        if self.strict {
            self.refused.get_or_insert(problem);
            return;
        }
        self.summary.problem(self.name, &problem);
        self.report.problem(self.name, problem.line, &problem.message, &mut self.out);
        self.print();
    }

    fn stop(&self) -> bool {
        self.refused.is_some() || self.closed || self.halt.load(Ordering::Relaxed)
    }

    fn wants_exchanges(&self) -> bool {
        self.wants_exchanges
    }
}

impl FileRun<'_> {
    /// Asks what nobody answered until the recording was over.
    fn ask_rest(&mut self) {
        let rest = self.asking.as_mut().map(Asking::take_all).unwrap_or_default();
        for (name, open) in rest {
            if self.stop() {
                return;
            }
            self.ask(&name, &open);
        }
    }

    /// Asks a question of a session, and tells what is decided on the answer, at the event that it is about.
    fn ask(&mut self, name: &str, open: &Open) {
        let Some(asking) = &self.asking else { return };
        let (raw, failure) = match asking.answer(name, open) {
            Ok(raw) => (raw, None),
            Err(failure) => (String::new(), Some(failure)),
        };
        let event = match (open.request.purpose, &failure) {
            (Purpose::Verify, Some(failure)) => {
                Event::VerifierReply { reply: Err(failure.clone().into()) }
            }
            (Purpose::Verify, None) => Event::VerifierReply { reply: Ok(raw.into()) },
            _ => Event::ClassifierReply { raw: raw.into() },
        };
        let decision = match failure.filter(|_| open.request.purpose != Purpose::Verify) {
            None => self.replay.apply(name, &event),
            Some(failure) => {
                let mut decision = Decision::default();
                let problem = format!("the classifier's model did not answer: {failure}");
                decision.besides_mut().problems.push(problem);
                decision
            }
        };
        let Some((slot, session)) = self.replay.by_session(name) else { return };
        let decision = Decision { turn: session.own().report().turn, ..decision };
        let seen = Seen {
            file: self.name,
            index: open.index,
            line: open.line,
            name,
            slot,
            session,
            event: &event,
            decision: &decision,
        };
        self.summary.answered(slot, &decision);
        self.report.event(&seen, &mut self.out);
        self.print();
    }

    fn print(&mut self) {
        if !self.out.is_empty() && !(self.offer)(&mut self.out) {
            self.closed = true;
        }
    }
}
