//! What a running agent tells its hook, what is replied, and what the hook's process does for an answer: the
//! same types for every agent. Nothing here knows any of them, and nothing decides.

use std::borrow::Cow;

pub use behavior_runtime::Abilities;
use behavior_runtime::Verdict;
use behavior_runtime::event::{Event, SessionStart};

/// When an agent calls its hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// A session begins or goes on.
    SessionStart,
    /// The user has said something; the agent has not seen it yet.
    Prompt,
    /// A tool is about to run.
    BeforeTool,
    /// A tool has run, or has failed.
    AfterTool,
    /// The agent wants to stop and wait for the user.
    Stop,
    /// A sub-agent begins.
    SubAgentStart,
    /// A sub-agent wants to stop.
    SubAgentStop,
    /// The session is over.
    SessionEnd,
    /// Something that no rule is about.
    Other,
}

/// What an agent told its hook.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice<'a> {
    /// The agent's own name of the event, such as `PreToolUse`.
    pub name: Cow<'a, str>,
    /// When it is.
    pub hook_event: HookEvent,
    /// The session's id.
    pub session: Cow<'a, str>,
    /// The id of the sub-agent that this is about; its state is its own.
    pub sub_agent: Option<Cow<'a, str>>,
    /// What the payload says of the session: it stands in every one.
    pub about: SessionStart<'a>,
    /// What happened, in order. A call of a tool that changes several files is several calls.
    pub events: Vec<Event<'a>>,
    /// Where the agent writes its transcript.
    pub transcript: Option<Cow<'a, str>>,
    /// Whether the agent goes on because a hook did not let it stop.
    pub stopped_before: bool,
    /// Whether the agent tells the calls in here at another hook too, and that one counts. Deciding on
    /// them is to leave the session as it was, unless one is denied: then the other hook never comes.
    /// Events that are no calls count as ever.
    pub counts_elsewhere: bool,
    /// Whether this is a call of a tool of an MCP server, and nothing says of which: a rule about a
    /// server may be about it or not.
    pub is_of_unknown_server: bool,
}

/// What is to be answered, the same for every agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Whether the tool may run; at other moments than before a tool, `Deny` keeps the prompt from
    /// the agent or the agent from stopping.
    pub verdict: Option<Verdict>,
    /// Why, for the agent and its user.
    pub reason: String,
    /// What the agent is to be told besides.
    pub context: Vec<String>,
    /// What the user is shown of a call that is stopped, where the agent has a place for it.
    pub for_user: String,
    /// What the user is told, whatever becomes of the event.
    pub notices: Vec<String>,
    /// How a user lets a call run that is denied since nobody could be asked.
    pub remedy: String,
    /// Whether nobody sits at the agent's terminal.
    pub nobody_is_there: bool,
    /// Whether what keeps the agent from stopping limits itself how often it does.
    pub limits_itself: bool,
    /// Whether a call that would be asked about runs where nobody can be asked.
    pub runs_unasked: bool,
}

/// What the hook's process does for an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Standard output, all of it.
    pub stdout: String,
    /// Standard error, all of it.
    pub stderr: String,
    /// The exit code.
    pub exit_code: u8,
    /// What the agent was to be told and cannot be told at this moment. The caller keeps it and puts
    /// it into the context of the session's next reply.
    pub later: Vec<String>,
}

impl Notice<'_> {
    /// Returns the session whose state this is about: the sub-agent's own where there is one.
    #[must_use]
    pub fn state_id(&self) -> Cow<'_, str> {
        match &self.sub_agent {
            Some(sub_agent) => Cow::Owned(format!("{}/{sub_agent}", self.session)),
            None => Cow::Borrowed(&self.session),
        }
    }
}
