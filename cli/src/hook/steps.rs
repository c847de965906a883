//! What one event of an agent is on its way from its hook to the answer, step by step. Does nothing.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use behavior_agents::hook::{Agent, Answer, Notice, Reply};
use behavior_runtime::event::Event;
use behavior_runtime::{Decision, LayeredSession, Layers};

use super::classify::Question;
use super::sessions::Shelves;
use super::verify;
use crate::args::RuleArgs;
use crate::live::audit::Log;
use crate::live::cache::Cache;
use crate::live::grants::Contents;
use crate::live::secret_key::SecretKey;
use crate::live::state::About;
use crate::live::store::Held;

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose event it is.
    pub agent: Agent,
    /// Which rules to go by.
    pub rules: RuleArgs,
    /// Whether the shell that runs it takes only exit codes of its own for an answer.
    pub is_guarded: bool,
}

/// One event on its way.
pub(super) struct Hook<'a> {
    pub request: &'a Request,
    /// The event, or why it was not understood.
    pub notice: Result<Notice<'a>, String>,
    /// Where sessions are kept.
    pub state: Option<PathBuf>,
    /// What authenticates them, or why it cannot be had.
    pub key: Option<io::Result<SecretKey>>,
    /// Where compiled rules are kept.
    pub cache: Option<Cache>,
    pub log: Log,
    pub started: Instant,
    /// Whether a message of the user was missed before this.
    pub has_missed: bool,
}

/// What was decided on the events of a notice.
pub(super) struct Decided<'a> {
    pub layers: Arc<Layers>,
    pub session: &'static mut LayeredSession,
    /// The session before it, where another hook is the one that counts.
    pub before: Option<LayeredSession>,
    pub about: About,
    pub held: Held,
    /// The names under which the layers keep their state.
    pub names: Vec<String>,
    /// Where the layers keep the targets of their sets.
    pub shelves: Shelves,
    /// The state of layers that could not decide now.
    pub resting: Vec<(String, Vec<u8>)>,
    pub decisions: Vec<(&'a Event<'a>, Decision)>,
    /// What the files hold by which the calls work that were decided on.
    pub contents: Contents,
    /// What is answered for layers that could not decide.
    pub of_broken: Vec<Reply>,
    /// What people are to be told of the rules.
    pub remarks: String,
    /// What the agent is to tell its user.
    pub notes: Vec<String>,
}

/// What is answered, and what stays of it.
pub(super) struct Settled<'a> {
    pub answer: Answer,
    /// Nothing stays of what was not decided on.
    pub to_keep: Option<ToKeep<'a>>,
}

/// What stays of a decision.
pub(super) struct ToKeep<'a> {
    pub decided: Decided<'a>,
    /// What was replied, if that was a denial.
    pub denial: Option<Reply>,
    /// What a model is to be asked, with what is replied besides.
    pub question: Option<Box<(Asking, Reply)>>,
}

/// What a model is asked.
pub(super) enum Asking {
    /// About what the user said.
    Message(Question),
    /// About what the agent answered.
    Response(verify::Question),
}

/// What is answered once all is kept that is to stay.
pub(super) struct KeptAnswer<'a> {
    pub answer: Answer,
    /// What a model is asked before.
    pub open: Option<OpenQuestion<'a>>,
}

/// A question to a model, and what the answer is made of once that has answered.
pub(super) struct OpenQuestion<'a> {
    pub question: Box<(Asking, Reply)>,
    pub layers: Arc<Layers>,
    pub session: &'static LayeredSession,
    pub decisions: Vec<(&'a Event<'a>, Decision)>,
}
