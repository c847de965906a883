//! What a running agent tells its hook, and the answers that it understands.
//!
//! Each agent's folder turns the text on a hook's standard input into a [`Notice`] and a [`Reply`]
//! into an [`Answer`]. Nothing here reads a file, a clock or the environment, and nothing decides.

use std::borrow::Cow;

use behavior_runtime::Verdict;
use behavior_runtime::event::{Event, SessionStart};

/// An agent whose hooks are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// Cursor.
    Cursor,
    /// OpenCode, through a plugin that runs the hook.
    OpenCode,
    /// pi and oh-my-pi, through an extension that runs the hook.
    Pi,
    /// Any program that speaks the native events and takes a decision as JSON.
    Native,
}

/// When an agent calls its hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
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
    pub moment: Moment,
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
}

/// What an agent's hooks can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Its user can be asked about a call; where not, the call is denied.
    pub asks: bool,
    /// Text can be added for the agent before a tool runs.
    pub context_before_tool: bool,
    /// Text can be added for the agent after a tool has run.
    pub context_after_tool: bool,
    /// Text can be added to what the user says.
    pub context_on_prompt: bool,
    /// The agent can be told to go on when it wants to stop.
    pub keeps_going: bool,
    /// Failed calls are told.
    pub tells_failures: bool,
    /// Calls carry an id.
    pub tells_call_ids: bool,
    /// What the agent writes is told.
    pub tells_text: bool,
    /// Sub-agents are told apart.
    pub tells_sub_agents: bool,
}
