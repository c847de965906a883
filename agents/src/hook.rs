//! What a running agent tells its hook, and the answers that it understands.
//!
//! Each agent's folder turns the text on a hook's standard input into a [`Notice`] and a [`Reply`]
//! into an [`Answer`]. Nothing here reads a file, a clock or the environment, and nothing decides.

use std::borrow::Cow;

pub use behavior_runtime::Abilities;
use behavior_runtime::Verdict;
use behavior_runtime::event::{Event, SessionStart};

use crate::answer::Said;
use crate::tools::Tool;
use crate::{answer, claude_code, codex, cursor, gemini_cli, native, opencode, pi};

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

impl Agent {
    /// Every agent.
    pub const ALL: [Agent; 7] = [
        Agent::ClaudeCode,
        Agent::Codex,
        Agent::GeminiCli,
        Agent::Cursor,
        Agent::OpenCode,
        Agent::Pi,
        Agent::Native,
    ];

    /// The name that commands and events use, such as `claude-code`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Agent::ClaudeCode => "claude-code",
            Agent::Codex => "codex",
            Agent::GeminiCli => "gemini-cli",
            Agent::Cursor => "cursor",
            Agent::OpenCode => "opencode",
            Agent::Pi => "pi",
            Agent::Native => "native",
        }
    }

    /// The agent of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Agent> {
        Agent::ALL.into_iter().find(|agent| agent.name() == name)
    }

    /// What its hooks can do.
    #[must_use]
    pub fn abilities(self) -> Abilities {
        match self {
            Agent::ClaudeCode => claude_code::hook::ABILITIES,
            Agent::Codex => codex::hook::ABILITIES,
            Agent::GeminiCli => gemini_cli::hook::ABILITIES,
            Agent::Cursor => cursor::hook::ABILITIES,
            Agent::OpenCode => opencode::hook::ABILITIES,
            Agent::Pi => pi::hook::ABILITIES,
            Agent::Native => native::hook::ABILITIES,
        }
    }

    /// The tools that are known of it, in the order of their native names.
    #[must_use]
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Agent::ClaudeCode => claude_code::tools::TOOLS,
            Agent::Codex => codex::tools::TOOLS,
            Agent::GeminiCli => gemini_cli::tools::TOOLS,
            Agent::Cursor => cursor::tools::TOOLS,
            Agent::OpenCode => opencode::tools::TOOLS,
            Agent::Pi => pi::tools::TOOLS,
            Agent::Native => &[],
        }
    }

    /// The names under which rules know its own tools, native and canonical.
    #[must_use]
    pub fn tool_names(self) -> Vec<&'static str> {
        // Its patches and shell commands are told as calls of these, too.
        let told: &[&str] = match self {
            Agent::Codex => &["edit", "write", "delete", "read"],
            _ => &[],
        };
        let tools = self.tools().iter().flat_map(|tool| [tool.native, tool.canonical]);
        tools.chain(told.iter().copied()).collect()
    }

    /// Reads what the agent wrote to its hook's standard input. Takes time and memory in proportion
    /// to the text; a hook that is not known is a notice without events.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, for people. [`Agent::refuse`] is the safe answer then.
    pub fn read(self, text: &str) -> Result<Notice<'_>, String> {
        match self {
            Agent::ClaudeCode => claude_code::hook::read(text),
            Agent::Codex => codex::hook::read(text),
            Agent::GeminiCli => gemini_cli::hook::read(text),
            Agent::Cursor => cursor::hook::read(text),
            Agent::OpenCode => opencode::hook::read(text),
            Agent::Pi => pi::hook::read(text),
            Agent::Native => native::hook::read(text),
        }
    }

    /// The answer that makes the agent do what `reply` says, or the nearest stricter thing that it can
    /// do. Where nothing is to be said the answer leaves everything to the agent: it never allows
    /// what the agent itself would ask its user about.
    #[must_use]
    pub fn answer(self, notice: &Notice<'_>, reply: &Reply) -> Answer {
        let said = answer::settle(self.abilities(), notice, reply);
        match self {
            Agent::ClaudeCode => claude_code::hook::answer(notice, said),
            Agent::Codex => codex::hook::answer(notice, said),
            Agent::GeminiCli => gemini_cli::hook::answer(notice, said),
            Agent::Cursor => cursor::hook::answer(notice, said),
            Agent::OpenCode | Agent::Pi | Agent::Native => answer::plain(said),
        }
    }

    /// Whether the user is asked about the call of a notice, if that is what is replied.
    #[must_use]
    pub fn asks_about(self, notice: &Notice<'_>) -> bool {
        let can_here = self != Agent::Cursor || cursor::hook::asks(&notice.name);
        self.abilities().asks && can_here && notice.about.headless != Some(true)
    }

    /// The file through which the agent runs `command`, for agents whose hooks are programs of their
    /// own: OpenCode's plugin and pi's extension.
    #[must_use]
    pub fn plugin(self, command: &[&str]) -> Option<String> {
        let text = match self {
            Agent::OpenCode => opencode::PLUGIN,
            Agent::Pi => pi::EXTENSION,
            _ => return None,
        };
        let stands = format!("const COMMAND = [\"behavior\", \"hook\", \"{}\"];", self.name());
        let words = serde_json::Value::from(command.to_vec());
        Some(text.replacen(&stands, &format!("const COMMAND = {words};"), 1))
    }

    /// The answer that lets the agent go its own way where not even its event was understood, and says
    /// why on standard error.
    #[must_use]
    pub fn let_pass(self, message: &str) -> Answer {
        let answer = match self {
            Agent::ClaudeCode | Agent::Codex | Agent::GeminiCli => Answer::default(),
            // No text at all may be taken for a refusal.
            Agent::Cursor => answer::json(crate::object::Object::new()),
            Agent::OpenCode | Agent::Pi | Agent::Native => answer::plain(Said::default()),
        };
        Answer { stderr: answer::for_people(message), ..answer }
    }

    /// The answer that keeps whatever was about to happen from happening, for when nothing could be
    /// decided: every agent takes exit code 2 with a text on standard error for a refusal. When the
    /// agent wants to stop, a refusal makes it go on.
    #[must_use]
    pub fn refuse(self, message: &str) -> Answer {
        Answer { stderr: answer::for_people(message), exit_code: 2, ..Answer::default() }
    }
}

impl Notice<'_> {
    /// The session whose state this is about: the sub-agent's own where there is one.
    #[must_use]
    pub fn state_id(&self) -> Cow<'_, str> {
        match &self.sub_agent {
            Some(sub_agent) => Cow::Owned(format!("{}/{sub_agent}", self.session)),
            None => Cow::Borrowed(&self.session),
        }
    }
}
