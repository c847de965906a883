//! What the rules would decide on the steps of a plan, were all before each to succeed.

use std::sync::Arc;

use behavior_compiler::plan::Plan;
use behavior_image::code::ApprovalMode;
use behavior_runtime::event::{Event, SessionStart};
use behavior_runtime::preflight::Preflight;
use behavior_runtime::{Decision, Host, LayeredSession, Layers, Verdict};

use crate::project;

/// A step, and what would become of it.
#[derive(Debug)]
pub struct Foreseen {
    /// Its place in the plan.
    pub step: usize,
    /// The canonical name of its tool.
    pub tool: String,
    /// Whether it changes what is there, or may.
    pub is_destructive: bool,
    /// What the rules would decide.
    pub decision: Decision,
}

impl Foreseen {
    /// Whether the user is asked before it.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.is_destructive || self.decision.verdict() == Verdict::Ask
    }
}

/// Begins the session of a plan in the working directory: what the plan says of itself is the agent's word before its
/// first call.
#[must_use]
pub fn begin(
    layers: &Arc<Layers>,
    mode: Option<ApprovalMode>,
    plan: &Plan,
    host: &mut dyn Host,
) -> LayeredSession {
    let mut session = LayeredSession::new(Arc::clone(layers));
    if let Some(mode) = mode {
        session.set_mode(mode);
    }
    let cwd = std::env::current_dir().ok().map(|cwd| project::display(&cwd).into());
    let branch = host.branch().map(Into::into);
    let start = SessionStart { cwd, branch, ..SessionStart::default() };
    session.apply(&Event::SessionStart(start), host);
    session.apply(&Event::TurnStart { text: None }, host);
    if let Some(explain) = &plan.explain {
        session.apply(&Event::Text { text: (&**explain).into() }, host);
    }
    session
}

/// Returns what would become of each step.
#[must_use]
pub fn foresee(plan: &Plan, session: LayeredSession, host: &mut dyn Host) -> Vec<Foreseen> {
    let mut preflight = Preflight::new(session, host);
    let of_step = |step: &behavior_compiler::plan::Step| {
        // What is not known may be there.
        let is_destructive = step.is_destructive(|path| preflight.exists(path) != Some(false));
        let decision = preflight.call(step.call());
        preflight.succeed();
        Foreseen { step: step.number, tool: step.canonical(), is_destructive, decision }
    };
    plan.steps.iter().map(of_step).collect()
}
