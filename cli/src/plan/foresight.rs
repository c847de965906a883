//! What the rules would decide on the steps of a plan, were all before each to succeed.

use std::sync::Arc;

use behavior_compiler::plan::{Plan, Step};
use behavior_image::code::ApprovalMode;
use behavior_runtime::event::{Event, SessionStart};
use behavior_runtime::preflight::Preflight;
use behavior_runtime::{Decision, Host, LayeredSession, Layers, Verdict};

use super::confinement::Confinement;
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
    /// Why its command would not be run whatever they decide, as the workspace is now.
    pub refusal: Option<String>,
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
pub fn foresee(
    plan: &Plan,
    session: LayeredSession,
    confinement: Option<&Confinement>,
    host: &mut dyn Host,
) -> Vec<Foreseen> {
    let mut preflight = Preflight::new(session, host);
    let of_step = |step: &Step| {
        // What is not known may be there.
        let is_destructive = step.is_destructive(|path| preflight.exists(path) != Some(false));
        let decision = preflight.call(step.call());
        preflight.succeed();
        let command = command_of(step);
        let refusal = confinement.zip(command).and_then(|(own, line)| own.refusal(&line));
        Foreseen { step: step.number, tool: step.canonical(), is_destructive, decision, refusal }
    };
    plan.steps.iter().map(of_step).collect()
}

/// The command line that a step would run.
#[must_use]
pub fn command_of(step: &Step) -> Option<String> {
    let is_shell = step.tool.is_some_and(|tool| tool.name == "bash");
    let params = is_shell.then(|| step.arguments().params)?;
    params.get("command").and_then(|command| command.as_str()).map(str::to_owned)
}
