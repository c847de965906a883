//! The records of a transcript, as raw fields: which there are, and who they belong to.
//! Nothing here keeps state or makes events.

use std::borrow::Cow;

use crate::json::{self, Elements, Json, Raw, Slot, Slots};

/// One record. Fields are raw JSON text; `message` is taken apart.
#[derive(Default)]
pub(crate) struct Record<'a> {
    pub(crate) kind: Raw<'a>,
    pub(crate) subtype: Raw<'a>,
    pub(crate) session: Raw<'a>,
    pub(crate) parent: Raw<'a>,
    pub(crate) sidechain: Raw<'a>,
    pub(crate) agent: Raw<'a>,
    /// In the printed stream: the call that started the sub-agent this record is of.
    pub(crate) parent_call: Raw<'a>,
    pub(crate) task: Raw<'a>,
    pub(crate) task_call: Raw<'a>,
    pub(crate) uuid: Raw<'a>,
    pub(crate) request: Raw<'a>,
    pub(crate) timestamp: Raw<'a>,
    pub(crate) cwd: Raw<'a>,
    pub(crate) branch: Raw<'a>,
    pub(crate) mode: Raw<'a>,
    pub(crate) version: Raw<'a>,
    pub(crate) meta: Raw<'a>,
    pub(crate) synthetic: Raw<'a>,
    pub(crate) compact_summary: Raw<'a>,
    pub(crate) denial: Raw<'a>,
    pub(crate) origin: Raw<'a>,
    pub(crate) tool_result: Raw<'a>,
    pub(crate) data: Raw<'a>,
    pub(crate) attachment: Raw<'a>,
    /// What summaries and snapshots hang on.
    pub(crate) owner: Raw<'a>,
    pub(crate) message: Message<'a>,
}

impl<'a> Slots<'a> for Record<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        Slot::Keep(match key {
            "type" => &mut self.kind,
            "subtype" => &mut self.subtype,
            "sessionId" | "session_id" => &mut self.session,
            "parentUuid" => &mut self.parent,
            "isSidechain" => &mut self.sidechain,
            "agentId" => &mut self.agent,
            "parent_tool_use_id" => &mut self.parent_call,
            "task_id" => &mut self.task,
            "tool_use_id" => &mut self.task_call,
            "uuid" => &mut self.uuid,
            "requestId" => &mut self.request,
            "timestamp" => &mut self.timestamp,
            "cwd" => &mut self.cwd,
            "gitBranch" => &mut self.branch,
            "permissionMode" => &mut self.mode,
            "version" | "claude_code_version" => &mut self.version,
            "isMeta" => &mut self.meta,
            "isSynthetic" => &mut self.synthetic,
            "isCompactSummary" => &mut self.compact_summary,
            "toolDenialKind" => &mut self.denial,
            "origin" => &mut self.origin,
            "toolUseResult" | "tool_use_result" => &mut self.tool_result,
            "data" => &mut self.data,
            "attachment" => &mut self.attachment,
            "leafUuid" | "messageId" => &mut self.owner,
            "message" => return Slot::Object(&mut self.message),
            _ => return Slot::Ignore,
        })
    }
}

/// The API message inside a record.
#[derive(Default)]
pub(crate) struct Message<'a> {
    pub(crate) id: Raw<'a>,
    pub(crate) model: Raw<'a>,
    pub(crate) stop_reason: Raw<'a>,
    pub(crate) usage: Raw<'a>,
    pub(crate) content: Content<'a>,
}

impl<'a> Slots<'a> for Message<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        match key {
            "id" => Slot::Keep(&mut self.id),
            "model" => Slot::Keep(&mut self.model),
            "stop_reason" => Slot::Keep(&mut self.stop_reason),
            "usage" => Slot::Keep(&mut self.usage),
            "content" => Slot::Elements(&mut self.content),
            _ => Slot::Ignore,
        }
    }
}

/// The content of a message: a string, or blocks.
#[derive(Default)]
pub(crate) struct Content<'a> {
    pub(crate) whole: Raw<'a>,
    pub(crate) blocks: Vec<Block<'a>>,
    /// Whether there were more blocks than are kept.
    pub(crate) overflowed: bool,
}

impl Content<'_> {
    /// How many blocks of a message are kept. Empty ones take far more room than they have text.
    pub(crate) const MAX: usize = 1 << 16;
}

impl<'a> Elements<'a> for Content<'a> {
    fn begin(&mut self) {
        self.blocks.clear();
    }

    fn element(&mut self) -> Option<&mut dyn Slots<'a>> {
        if self.blocks.len() == Content::MAX {
            self.overflowed = true;
            return None;
        }
        self.blocks.push(Block::default());
        self.blocks.last_mut().map(|block| block as &mut dyn Slots<'a>)
    }

    fn whole(&mut self, value: Json<'a>) {
        if !value.get().starts_with('[') {
            self.blocks.clear();
        }
        self.whole = Some(value);
    }
}

json::slots! {
    /// One block of a message's content.
    struct Block {
        kind: "type",
        text: "text",
        id: "id",
        name: "name",
        input: "input",
        call: "tool_use_id",
        content: "content",
        is_error: "is_error",
    }
}

json::slots! {
    /// What a `progress` record carries.
    struct Progress { kind: "type", agent: "agentId", message: "message" }
}

json::slots! {
    /// The tokens that an API message counts.
    struct Tokens {
        input: "input_tokens",
        cache_write: "cache_creation_input_tokens",
        cache_read: "cache_read_input_tokens",
        output: "output_tokens",
    }
}

json::slots! {
    /// Where a prompt came from.
    struct Origin { kind: "kind" }
}

json::slots! {
    /// What tells of a file's past in the result of a file tool.
    struct FileResult {
        kind: "type",
        path: "filePath",
        original: "originalFile" | "originalFileContents",
    }
}

json::slots! {
    /// What is put beside the conversation: here, what a language server found.
    struct Attachment { kind: "type", files: "files" }
}

json::slots! {
    struct Diagnosed { uri: "uri", diagnostics: "diagnostics" }
}

json::slots! {
    struct Diagnostic { severity: "severity", message: "message" }
}

/// The kinds of record that hold events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    User,
    Assistant,
    Progress,
    System,
    PermissionMode,
    Attachment,
}

impl Kind {
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "user" => Kind::User,
            "assistant" => Kind::Assistant,
            "progress" => Kind::Progress,
            "system" => Kind::System,
            "permission-mode" => Kind::PermissionMode,
            "attachment" => Kind::Attachment,
            _ => return None,
        })
    }
}

impl<'a> Record<'a> {
    /// Whether the record is not the user's, although its type says so.
    pub(crate) fn is_not_said(&self) -> bool {
        json::is_true(self.meta)
            || json::is_true(self.synthetic)
            || json::is_true(self.compact_summary)
    }

    /// What identifies the API message: its id, or the next best.
    pub(crate) fn message_key(&self) -> Option<&'a str> {
        let key = self.message.id.or(self.request)?;
        Some(key.get()).filter(|json| json.starts_with('"'))
    }

    /// Whether the text is Claude Code's own and not the model's.
    pub(crate) fn is_local(&self) -> bool {
        self.message.model.is_some_and(|model| model.get() == "\"<synthetic>\"")
    }

    pub(crate) fn timestamp(&self) -> Option<i64> {
        crate::time::milliseconds(&json::text(self.timestamp?)?)
    }

    /// Whether the prompt is a note about a task in the background.
    pub(crate) fn is_notification(&self) -> bool {
        let mut origin = Origin::default();
        self.origin.is_some_and(|raw| json::object(raw.get(), &mut origin).is_ok())
            && origin.kind.is_some_and(|kind| kind.get() == "\"task-notification\"")
    }
}

/// The text of a field, if it is a string.
pub(crate) fn text<'a>(raw: Raw<'a>) -> Option<Cow<'a, str>> {
    raw.and_then(json::text)
}
