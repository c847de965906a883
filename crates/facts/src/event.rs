//! What happens in a session, as the runtime sees it: borrowed, already canonical, free of any
//! agent's own format. Readers of transcripts and hooks build these; nothing here parses a format.

use std::borrow::Cow;

use behavior_json::Json;

use crate::resumption::Resumption;
use crate::step_end::StepEnd;

/// One thing that happened in one session.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// The session begins, or tells more about where it runs.
    SessionStart(SessionStart<'a>),
    /// A new turn. `text` is the user's message; `None` for a turn that no user began.
    TurnStart {
        /// The user's message.
        text: Option<Cow<'a, str>>,
    },
    /// The agent ends its response.
    TurnEnd {
        /// Its last message, where that is told.
        text: Option<Cow<'a, str>>,
    },
    /// Text of the agent to the user.
    Text {
        /// The text, as the user would see it.
        text: Cow<'a, str>,
    },
    /// A tool is about to run.
    ToolCall(Call<'a>),
    /// A tool has run.
    ToolResult(ToolResult<'a>),
    /// A request to the model: the raw JSON object of the event.
    Request {
        /// The event's own JSON text.
        body: Cow<'a, str>,
    },
    /// A response of the model: the raw JSON object of the event.
    Response {
        /// The event's own JSON text.
        body: Cow<'a, str>,
    },
    /// A fact about the file system that holds from here on, for every session.
    Fs(FileFact<'a>),
    /// The time, in milliseconds since the epoch, from here on, for every session.
    Clock {
        /// Milliseconds since the epoch.
        now: i64,
    },
    /// What the classifier model answered for the current turn.
    ClassifierReply {
        /// The reply, as it came.
        raw: Cow<'a, str>,
    },
    /// What the verifier's model answered for the response that ended last.
    VerifierReply {
        /// The reply, as it came, or why there is none.
        reply: Result<Cow<'a, str>, Cow<'a, str>>,
    },
    /// The user ran a shell line of their own.
    UserShell {
        /// The line.
        command: Cow<'a, str>,
        /// Whether the agent is not told of it.
        hidden: bool,
    },
    /// A change of the session's own rules: the raw JSON object of the event. A layered session takes it; a single
    /// one has no such rules.
    Constitution {
        /// The event's own JSON text.
        body: Cow<'a, str>,
    },
    /// A run of a workflow begins.
    WorkflowStart {
        /// The name of its template.
        workflow: Cow<'a, str>,
        /// What it is started with.
        input: Option<Cow<'a, str>>,
    },
    /// A step of the session's workflow has ended.
    StepEnd(StepEnd<'a>),
    /// Somebody lets the session's workflow go on that pauses, or ends it.
    WorkflowResume {
        /// How.
        how: Resumption,
    },
    /// The agent's context was put in short: what it has read before is not before its eyes any more.
    Compaction,
    /// The session is over; its obligations are settled and its state may be freed.
    SessionEnd,
}

/// What is known when a session begins. Absent fields leave what was known before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionStart<'a> {
    /// The agent's name, such as `claude-code`.
    pub agent: Option<Cow<'a, str>>,
    /// The working directory that relative paths start from.
    pub cwd: Option<Cow<'a, str>>,
    /// The approval mode, such as `ask`.
    pub mode: Option<Cow<'a, str>>,
    /// Whether nobody is there to answer questions.
    pub headless: Option<bool>,
    /// Whether it is another agent that gave the agent its task, and not a user.
    pub subagent: Option<bool>,
    /// The branch that is checked out in the repository that it works in.
    pub branch: Option<Cow<'a, str>>,
    /// The canonical names of the tools that the agent has. Where they are told, rules that need another
    /// one are off.
    pub tools: Option<Vec<Cow<'a, str>>>,
    /// Whether the log names the session and yet does not say where it ends: to rules on sessions,
    /// every exchange that a user begins is then one.
    pub by_exchange: bool,
}

/// A tool call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call<'a> {
    /// The call's id, which its result repeats. Without one, a result belongs to the oldest open
    /// call of the same tool.
    pub id: Option<Cow<'a, str>>,
    /// The canonical name, such as `edit`; the native one where no adapter knows the tool.
    pub tool: Cow<'a, str>,
    /// The agent's own name for the tool, where it differs from `tool`.
    pub native_tool: Option<Cow<'a, str>>,
    /// The parameters, in the order given.
    pub params: Vec<Param<'a>>,
}

/// The name of the one parameter that an array of parameters becomes.
pub const POSITIONAL: &str = "args";

/// One parameter of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct Param<'a> {
    /// The canonical name, such as `file_path`.
    pub name: Cow<'a, str>,
    /// The agent's own name for it, where it differs from `name`.
    pub native: Option<Cow<'a, str>>,
    /// The value.
    pub value: Value<'a>,
}

/// A JSON value: a string already unescaped, or the JSON text of anything else.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// A string, without quotes and escapes.
    Text(Cow<'a, str>),
    /// Valid JSON text of a value that is not a string.
    Json(Cow<'a, str>),
}

/// The outcome of a tool call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult<'a> {
    /// The id of the call.
    pub id: Option<Cow<'a, str>>,
    /// The call itself, where the source repeats it or there was no call event.
    pub call: Option<Call<'a>>,
    /// What the tool returned.
    pub result: Option<Value<'a>>,
    /// Whether the tool succeeded.
    pub ok: bool,
}

/// A fact about one path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileFact<'a> {
    /// The path, absolute or relative to the session's working directory.
    pub path: Cow<'a, str>,
    /// Whether something is there.
    pub exists: bool,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Its modification time, in milliseconds since the epoch.
    pub mtime: Option<i64>,
    /// How many lines it has.
    pub lines: Option<u64>,
    /// Its canonical path, symbolic links resolved.
    pub real: Option<Cow<'a, str>>,
}

impl<'a> Value<'a> {
    /// The string, if this is one.
    #[inline]
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Json(_) => None,
        }
    }
}

impl<'a> Call<'a> {
    /// The value of the parameter called `name`, by its canonical or its native name.
    #[inline]
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&Value<'a>> {
        self.param_of(name.as_bytes())
    }

    /// Returns the same for a name in bytes.
    #[inline]
    #[must_use]
    pub fn param_of(&self, name: &[u8]) -> Option<&Value<'a>> {
        let is_it = |param: &&Param<'a>| {
            let native = || param.native.as_ref().is_some_and(|native| native.as_bytes() == name);
            param.name.as_bytes() == name || native()
        };
        self.params.iter().find(is_it).map(|param| &param.value)
    }
}

impl Event<'_> {
    /// The name of this kind of event in the native trace format.
    #[inline]
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Event::SessionStart(_) => "session_start",
            Event::TurnStart { .. } => "turn_start",
            Event::TurnEnd { .. } => "turn_end",
            Event::Text { .. } => "text",
            Event::ToolCall(_) => "tool_call",
            Event::ToolResult(_) => "tool_result",
            Event::Request { .. } => "request",
            Event::Response { .. } => "response",
            Event::Fs(_) => "fs",
            Event::Clock { .. } => "clock",
            Event::ClassifierReply { .. } => "classifier_reply",
            Event::VerifierReply { .. } => "verifier_reply",
            Event::UserShell { .. } => "user_shell",
            Event::Constitution { .. } => "constitution",
            Event::WorkflowStart { .. } => "workflow_start",
            Event::StepEnd(_) => "step_end",
            Event::WorkflowResume { .. } => "workflow_resume",
            Event::Compaction => "compaction",
            Event::SessionEnd => "session_end",
        }
    }
}

/// Keeps what a text borrows, for those who look at it again later.
fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

impl Event<'_> {
    /// Returns the event with all that it borrows.
    #[must_use]
    pub fn into_owned(self) -> Event<'static> {
        match self {
            Event::SessionStart(start) => Event::SessionStart(start.into_owned()),
            Event::TurnStart { text: message } => Event::TurnStart { text: message.map(owned) },
            Event::TurnEnd { text: message } => Event::TurnEnd { text: message.map(owned) },
            Event::Text { text: written } => Event::Text { text: owned(written) },
            Event::ToolCall(call) => Event::ToolCall(call.into_owned()),
            Event::ToolResult(result) => Event::ToolResult(result.into_owned()),
            Event::Request { body } => Event::Request { body: owned(body) },
            Event::Response { body } => Event::Response { body: owned(body) },
            Event::Fs(fact) => Event::Fs(fact.into_owned()),
            Event::Clock { now } => Event::Clock { now },
            Event::ClassifierReply { raw } => Event::ClassifierReply { raw: owned(raw) },
            Event::VerifierReply { reply } => {
                Event::VerifierReply { reply: reply.map(owned).map_err(owned) }
            }
            Event::UserShell { command, hidden } => {
                Event::UserShell { command: owned(command), hidden }
            }
            Event::Constitution { body } => Event::Constitution { body: owned(body) },
            Event::WorkflowStart { workflow, input } => {
                Event::WorkflowStart { workflow: owned(workflow), input: input.map(owned) }
            }
            Event::StepEnd(end) => Event::StepEnd(end.into_owned()),
            Event::WorkflowResume { how } => Event::WorkflowResume { how },
            Event::Compaction => Event::Compaction,
            Event::SessionEnd => Event::SessionEnd,
        }
    }
}

impl SessionStart<'_> {
    fn into_owned(self) -> SessionStart<'static> {
        SessionStart {
            agent: self.agent.map(owned),
            cwd: self.cwd.map(owned),
            mode: self.mode.map(owned),
            branch: self.branch.map(owned),
            tools: self.tools.map(|tools| tools.into_iter().map(owned).collect()),
            headless: self.headless,
            subagent: self.subagent,
            by_exchange: self.by_exchange,
        }
    }
}

impl Call<'_> {
    /// Returns the call with all that it borrows.
    #[must_use]
    pub fn into_owned(self) -> Call<'static> {
        let param = |param: Param<'_>| Param {
            name: owned(param.name),
            native: param.native.map(owned),
            value: param.value.into_owned(),
        };
        Call {
            id: self.id.map(owned),
            tool: owned(self.tool),
            native_tool: self.native_tool.map(owned),
            params: self.params.into_iter().map(param).collect(),
        }
    }
}

impl Value<'_> {
    /// Returns the value with all that it borrows.
    #[must_use]
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Text(value) => Value::Text(owned(value)),
            Value::Json(value) => Value::Json(owned(value)),
        }
    }
}

impl ToolResult<'_> {
    fn into_owned(self) -> ToolResult<'static> {
        ToolResult {
            id: self.id.map(owned),
            call: self.call.map(Call::into_owned),
            result: self.result.map(Value::into_owned),
            ok: self.ok,
        }
    }
}

impl FileFact<'_> {
    fn into_owned(self) -> FileFact<'static> {
        let Self { exists, size, mtime, lines, .. } = self;
        let (path, real) = (owned(self.path), self.real.map(owned));
        FileFact { path, exists, size, mtime, lines, real }
    }
}

impl<'a> From<Json<'a>> for Value<'a> {
    fn from(json: Json<'a>) -> Self {
        match behavior_json::text(json) {
            Some(text) => Value::Text(text),
            None => Value::Json(Cow::Borrowed(json.get())),
        }
    }
}
