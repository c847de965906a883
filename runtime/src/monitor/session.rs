//! Where a session meets the rules of trace policies: each event, in the one form that they look at.

use super::watch::{TraceWatch, Watching};
use super::{Outcome, Watched};
use crate::decision::{Action, Decision, Finding, Phase, Verdict};
use crate::event::{Call, Event};
use crate::host::Host;
use crate::session::Session;
use behavior_image::code::Scope;

impl Session {
    /// Says that what happens is read from a log, so that nothing can be prevented: a call counts
    /// where it was announced, and limits are looked at when they can be passed no more.
    pub(crate) fn set_recorded(&mut self) {
        self.is_recorded = true;
    }

    fn watching<T>(&mut self, look: impl FnOnce(Watching<'_>) -> T) -> (T, Outcome) {
        let mut out = Outcome::default();
        let watching = Watching {
            image: &self.image,
            trace: &mut self.trace,
            watch: &mut self.watch,
            out: &mut out,
        };
        let answer = look(watching);
        (answer, out)
    }

    /// Looks at an event that is no call, after everything else did.
    pub(crate) fn watch(
        &mut self,
        event: &Event<'_>,
        host: &mut dyn Host,
        decision: &mut Decision,
    ) {
        let (mut out, mut settled) = (Outcome::default(), Outcome::default());
        let Self { image, trace, watch, tools, is_recorded, .. } = self;
        let mut watching = Watching { image, trace, watch, out: &mut out };
        match event {
            // A live session may be taken up again; it is still the same one.
            Event::SessionStart(start) if *is_recorded => {
                watching.session_starts(!start.by_exchange, &mut settled);
            }
            Event::TurnStart { text: Some(_) } if *is_recorded => {
                watching.turn_starts(&mut settled);
            }
            Event::Request { body } => decision.complain(watching.request(body, &mut settled)),
            Event::Response { body } => {
                let problems = watching.response(body, tools, *is_recorded, host, &mut settled);
                decision.complain(problems);
            }
            Event::SessionEnd => out = self.settle(),
            _ => return,
        }
        decision.settle(settled.findings);
        decision.undecided.extend(settled.undecided);
        take(decision, out);
    }

    /// What rules of trace policies find now that the session is over.
    pub(crate) fn settle(&mut self) -> Outcome {
        let mut settled = Outcome::default();
        self.watching(|mut watching| {
            if watching.watch.stretch.is_used {
                watching.settle_session(&mut settled);
            }
        });
        if !self.is_recorded {
            settle_trace(&self.image, &mut self.trace, &mut settled);
        }
        settled
    }

    /// Looks at a call before it runs. Live, what it would violate stops it.
    pub(crate) fn watch_call(&mut self, call: &Call<'_>, tool: u32, decision: &mut Decision) {
        let watched = self.tools.get(tool).map(|tool| tool.watched.clone()).unwrap_or_default();
        if self.is_recorded {
            return self.watch_recorded(call, &watched, decision);
        }
        let name = call.native_tool.as_deref().unwrap_or(&call.tool);
        let ((), mut out) = self.watching(|mut watching| watching.prospect(name, &watched));
        out.undecided.clear();
        for finding in &mut out.findings {
            finding.phase = Phase::PreTool;
        }
        take(decision, out);
        let is_denied = decision.verdict == Some(Verdict::Deny) || has_block(&decision.findings);
        if !is_denied {
            self.watching(|mut watching| watching.made(name, &watched));
        }
    }

    /// Looks at a call that was made.
    pub(crate) fn watch_recorded(
        &mut self,
        call: &Call<'_>,
        watched: &Watched,
        decision: &mut Decision,
    ) {
        let names = [Some(&*call.tool), call.native_tool.as_deref()];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        let mut settled = Outcome::default();
        let ((), out) = self.watching(|mut watching| {
            watching.call(call.id.as_deref(), &names, watched, &mut settled);
        });
        decision.settle(settled.findings);
        decision.undecided.extend(settled.undecided);
        take(decision, out);
    }
}

/// Whether something stops the call.
pub(crate) fn has_block(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.action == Action::Block)
}

fn take(decision: &mut Decision, out: Outcome) {
    decision.findings.extend(out.findings);
    decision.undecided.extend(out.undecided);
}

/// What is found now that a whole trace is over.
pub(crate) fn settle_trace(
    image: &behavior_image::Image,
    trace: &mut TraceWatch,
    settled: &mut Outcome,
) {
    super::settle::settle(image, Scope::Trace, &mut trace.stretch, 0, settled);
}
