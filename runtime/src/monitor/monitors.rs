//! All that rules of trace policies have to do with one session: each event, in the one form that they
//! look at, and what they remember of it.

use super::look::Outcome;
use super::settle::settle;
use super::watch::{TraceWatch, Watch, Watching};
use super::watched::{Watched, WatchedNames};
use crate::decision::{Decision, Phase, Verdict, strictest};
use crate::host::Host;
use behavior_facts::event::{Call, Event};
use behavior_image::Image;
use behavior_image::code::Scope;

/// The rules of trace policies over one session.
#[derive(Clone, Debug)]
pub(crate) struct Monitors {
    /// What they remember of the session.
    pub watch: Watch,
    /// What they remember of the trace that it is part of.
    pub trace: TraceWatch,
    /// What they make of the names of tools.
    names: WatchedNames,
    /// Whether the session is read from a log, so that nothing can be prevented: a call counts where it
    /// was announced, and limits are looked at when they can be passed no more.
    pub is_recorded: bool,
}

impl Default for Monitors {
    fn default() -> Self {
        let watch = Watch { is_marked: true, ..Watch::default() };
        Self {
            watch,
            trace: TraceWatch::default(),
            names: WatchedNames::default(),
            is_recorded: false,
        }
    }
}

impl Monitors {
    fn watching<T>(&mut self, image: &Image, look: impl FnOnce(Watching<'_>) -> T) -> (T, Outcome) {
        let Self { watch, trace, names, .. } = self;
        let mut out = Outcome::default();
        let answer = look(Watching { image, trace, watch, names, out: &mut out });
        (answer, out)
    }

    /// Looks at an event that is no call, after everything else did.
    pub fn event(
        &mut self,
        image: &Image,
        event: &Event<'_>,
        host: &mut dyn Host,
        decision: &mut Decision,
    ) {
        let (mut out, mut settled) = (Outcome::default(), Outcome::default());
        let Self { trace, watch, names, is_recorded } = self;
        let mut watching = Watching { image, trace, watch, names, out: &mut out };
        match event {
            // A live session may be taken up again; it is still the same one.
            Event::SessionStart(start) if *is_recorded => {
                watching.session_starts(!start.by_exchange, &mut settled);
            }
            Event::TurnStart { text: Some(_) } if *is_recorded => {
                watching.turn_starts(&mut settled);
            }
            Event::TurnStart { text: Some(_) } => watching.turn_ends(&mut settled),
            Event::TurnEnd { .. } => {
                let mut found = Outcome::default();
                watching.turn_ends(&mut found);
                out = found;
            }
            Event::Request { body } => decision.complain(watching.request(body, &mut settled)),
            Event::Response { body } => {
                let problems = watching.response(body, *is_recorded, host, &mut settled);
                decision.complain(problems);
            }
            Event::SessionEnd => out = self.settle(image),
            _ => return,
        }
        decision.settle(settled.findings);
        decision.undecided.extend(settled.undecided);
        take(decision, out);
    }

    /// What they find now that the session is over.
    pub fn settle(&mut self, image: &Image) -> Outcome {
        let mut settled = Outcome::default();
        self.watching(image, |mut watching| {
            if watching.watch.stretch.is_used {
                watching.settle_session(&mut settled);
            }
        });
        if !self.is_recorded {
            settle_trace(image, &mut self.trace, &mut settled);
        }
        settled
    }

    /// Looks at a call before it runs. Live, what it would violate stops it.
    pub fn call(&mut self, image: &Image, call: &Call<'_>, decision: &mut Decision) {
        if self.is_recorded {
            return self.made_call(image, call, call.id.as_deref(), decision);
        }
        let watched = self.watched(image, call);
        let name = call.native_tool.as_deref().unwrap_or(&call.tool);
        let ((), mut out) = self.watching(image, |mut watching| watching.prospect(name, &watched));
        out.undecided.clear();
        for finding in &mut out.findings {
            finding.phase = Phase::PreTool;
        }
        take(decision, out);
        let verdict = decision.verdict.max(strictest(&decision.findings));
        if verdict != Some(Verdict::Deny) {
            self.watching(image, |mut watching| watching.made(name, &watched));
        }
    }

    /// Looks at a call that was made, in a log.
    pub fn made_call(
        &mut self,
        image: &Image,
        call: &Call<'_>,
        id: Option<&str>,
        decision: &mut Decision,
    ) {
        let watched = self.watched(image, call);
        let names = names(call);
        let mut settled = Outcome::default();
        let ((), out) = self.watching(image, |mut watching| {
            watching.call(id, &names, &watched, &mut settled);
        });
        decision.settle(settled.findings);
        decision.undecided.extend(settled.undecided);
        take(decision, out);
    }

    fn watched(&mut self, image: &Image, call: &Call<'_>) -> Watched {
        self.names.of(image, &names(call))
    }
}

/// What the tool of a call is called; last, where there is one, the recording's own name for it.
fn names<'c>(call: &'c Call<'_>) -> Vec<&'c str> {
    [Some(&*call.tool), call.native_tool.as_deref()].into_iter().flatten().collect()
}

fn take(decision: &mut Decision, out: Outcome) {
    decision.findings.extend(out.findings);
    decision.undecided.extend(out.undecided);
}

/// What is found now that a whole trace is over.
pub(crate) fn settle_trace(image: &Image, trace: &mut TraceWatch, settled: &mut Outcome) {
    settle(image, Scope::Trace, &mut trace.stretch, 0, settled);
}
