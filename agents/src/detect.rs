//! Tells formats from the first bytes of a recording, by the fields that only one of them has. A text
//! that is cut off is looked at as far as it goes. Reads nothing and keeps nothing.

use crate::Format;
use crate::document;
use crate::formats::{elements, fields, text};
use crate::json::{self, Json, Raw};
use crate::{claude_code, lines, native};

json::slots! {
    /// The fields by which documents and lines are told apart.
    struct Shape {
        kind: "kind",
        of_type: "type",
        id: "id",
        payload: "payload",
        session: "sessionId",
        project: "projectHash",
        role: "role",
        message: "message",
        content: "content",
        calls: "tool_calls",
        messages: "messages",
        input: "input",
        choices: "choices",
        system: "system",
        tools: "tools",
        model: "model",
        cwd: "cwd",
        pad: "v",
        info: "info",
        parts: "parts",
        trajectory: "trajectory",
        trajectory_format: "trajectory_format",
        history: "history",
        eval: "eval",
        status: "status",
        samples: "samples",
        plan: "plan",
        source: "source",
        action: "action",
        observation: "observation",
        resources: "resourceSpans" | "resource_spans",
        attributes: "attributes",
        context: "_spanContext" | "spanContext" | "context",
        span: "spanId" | "span_id",
        input_schema: "input_schema",
        agent: "agent",
        message_type: "message_type",
    }
}

json::slots! {
    /// What mini-swe-agent notes of a run.
    struct Run { exit: "exit_status", version: "mini_version" }
}

/// The types of a Codex record.
const CODEX: &[&str] = &[
    "compacted",
    "event_msg",
    "response_item",
    "session_meta",
    "token_usage_record",
    "turn_context",
    "world_state",
];

/// The kinds of record of an `.agentlog`.
const AGENTLOG: &[&str] = &[
    "chat_request",
    "chat_response",
    "error",
    "metadata",
    "replay_summary",
    "tool_call",
    "tool_result",
];

/// The format of a recording that begins like this.
pub(crate) fn format(first_bytes: &[u8]) -> Option<Format> {
    let whole = String::from_utf8_lossy(first_bytes);
    let mut is_first = true;
    let mut offset = 0;
    for line in whole.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = lines::trim(line.trim_end_matches('\n'));
        if !line.starts_with(['{', '[']) {
            continue;
        }
        if native::is_event(line) {
            return Some(Format::Native);
        }
        if claude_code::is_record(line) {
            return Some(Format::ClaudeCode);
        }
        // A document may go on over many lines, but only from the first on.
        let text = if is_first { whole.get(start..).unwrap_or(line) } else { line };
        if let Some(format) = beginning(lines::trim(text), is_first) {
            return Some(format);
        }
        is_first = false;
    }
    None
}

/// The format of a line or a document, as far as it goes.
fn beginning(text: &str, is_first: bool) -> Option<Format> {
    let text = text.trim_start();
    let repaired = document::repaired(text)?;
    if repaired.starts_with('[') {
        return if is_first { list(&repaired) } else { None };
    }
    let mut shape = Shape::default();
    json::object(&repaired, &mut shape).ok()?;
    line(&shape).or_else(|| if is_first { whole(&shape) } else { None })
}

fn is(raw: Raw<'_>, names: &[&str]) -> bool {
    text(raw).is_some_and(|name| names.contains(&&*name))
}

fn is_object(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get().starts_with('{'))
}

fn is_list(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get().starts_with('['))
}

fn is_text(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get().starts_with('"'))
}

/// What any line may be.
fn line(shape: &Shape<'_>) -> Option<Format> {
    if is(shape.of_type, CODEX) && shape.payload.is_some() {
        return Some(Format::Codex);
    }
    if is(shape.kind, AGENTLOG) && is_object(shape.payload) {
        return Some(Format::Agentlog);
    }
    let is_pi = is(shape.of_type, &["session"]) && is_text(shape.id) && shape.cwd.is_some();
    if is_pi || (is(shape.of_type, &["title"]) && shape.pad.is_some()) {
        return Some(Format::Pi);
    }
    if shape.session.is_some() && shape.project.is_some() {
        return Some(Format::GeminiCli);
    }
    let is_message = is(shape.role, &["user", "assistant"]);
    if is_message && is_object(shape.message) && shape.content.is_none() {
        return Some(Format::Cursor);
    }
    if shape.resources.is_some() {
        return Some(Format::Otel);
    }
    let is_span = is_object(shape.context) || is_text(shape.span);
    let speaks = shape.attributes.is_some_and(|raw| raw.get().contains("\"gen_ai."));
    if is_span && speaks {
        return Some(Format::Otel);
    }
    is_openhands(shape).then_some(Format::OpenHands)
}

fn is_openhands(shape: &Shape<'_>) -> bool {
    let kind = text(shape.kind).unwrap_or_default();
    let is_v1 = shape.source.is_some()
        && (kind.ends_with("Event") || kind.ends_with("Observation") || kind == "Condensation");
    let acts = is_text(shape.action) || is_text(shape.observation);
    is_v1 || (acts && (shape.source.is_some() || is_text(shape.content) || shape.message.is_some()))
}

/// What a document that is the first may be; a later line is too weak a hint.
fn whole(shape: &Shape<'_>) -> Option<Format> {
    let history: Vec<Json<'_>> = elements(shape.history).collect();
    let first: Shape<'_> = fields(history.first().copied());
    let run: Run<'_> = fields(shape.info);
    let is_run = shape.messages.is_some() && (run.exit.is_some() || run.version.is_some());
    if is_list(shape.trajectory) || is_text(shape.trajectory_format) || is_run {
        return Some(Format::SweAgent);
    }
    if first.action.is_some() || first.observation.is_some() {
        let is_step = first.role.is_some();
        return Some(if is_step { Format::SweAgent } else { Format::OpenHands });
    }
    if let Some(pair) = history.first().filter(|pair| pair.get().starts_with('[')) {
        let inner: Shape<'_> = fields(elements(Some(*pair)).next());
        return inner.action.map(|_| Format::OpenHands);
    }
    if first.message_type.is_some() || (first.role.is_some() && first.agent.is_some()) {
        return Some(Format::SweAgent);
    }
    if first.role.is_some() && first.parts.is_some() {
        return Some(Format::GeminiCli);
    }
    let is_log = is_object(shape.eval)
        && (shape.status.is_some() || shape.plan.is_some() || shape.samples.is_some());
    if is_log {
        return Some(Format::Inspect);
    }
    let messages: Vec<Json<'_>> = elements(shape.messages).collect();
    let first: Shape<'_> = fields(messages.first().copied());
    if is_object(shape.info) && is_object(first.info) && shape.messages.is_some() {
        return Some(Format::OpenCode);
    }
    if is_object(shape.info) && is_text(fields::<Shape<'_>>(shape.info).id) && first.role.is_none()
    {
        return is_list(shape.messages).then_some(Format::OpenCode);
    }
    if is_list(shape.messages) && first.role.is_some() {
        return Some(dialect(shape, &messages));
    }
    if is_list(shape.messages) || shape.choices.is_some() {
        return messages.is_empty().then_some(Format::OpenAi);
    }
    if shape.input.is_some() && is_text(shape.model) {
        return Some(Format::OpenAi);
    }
    let is_message = is(shape.role, &["user", "assistant", "system", "developer", "tool"]);
    let says = shape.content.is_some() || shape.calls.is_some();
    (is_message && says && shape.session.is_none()).then(|| one_message(shape))
}

/// A bare list.
fn list(text: &str) -> Option<Format> {
    let found: Vec<Json<'_>> = json::values(text).collect();
    let first = *found.first()?;
    if first.get().starts_with('[') {
        return list(first.get());
    }
    let shape: Shape<'_> = fields(Some(first));
    if is_openhands(&shape) {
        return Some(Format::OpenHands);
    }
    let is_span = is_object(shape.context) || is_text(shape.span);
    if is_span && shape.attributes.is_some() {
        return Some(Format::Otel);
    }
    if is_list(shape.messages) {
        return Some(dialect(&shape, &elements(shape.messages).collect::<Vec<_>>()));
    }
    let is_message = is(shape.role, &["user", "assistant", "system", "developer", "tool"]);
    let is_item =
        is(shape.of_type, &["message", "function_call", "function_call_output", "reasoning"]);
    (is_message || is_item).then(|| dialect(&shape, &found))
}

/// A single message that is a line.
fn one_message(shape: &Shape<'_>) -> Format {
    if elements(shape.content).any(is_anthropic_block) { Format::Anthropic } else { Format::OpenAi }
}

/// Which interface messages are of. Where nothing tells, it makes no difference.
fn dialect(shape: &Shape<'_>, messages: &[Json<'_>]) -> Format {
    let tool: Shape<'_> = fields(elements(shape.tools).next());
    if shape.system.is_some() || tool.input_schema.is_some() {
        return Format::Anthropic;
    }
    for message in messages {
        let message: Shape<'_> = fields(Some(*message));
        if message.calls.is_some() || is(message.role, &["tool", "system", "developer"]) {
            return Format::OpenAi;
        }
        if elements(message.content).any(is_anthropic_block) {
            return Format::Anthropic;
        }
    }
    let is_claude = text(shape.model).is_some_and(|model| model.contains("claude"));
    if is_claude { Format::Anthropic } else { Format::OpenAi }
}

fn is_anthropic_block(block: Json<'_>) -> bool {
    let block: Shape<'_> = fields(Some(block));
    is(block.of_type, &["tool_use", "tool_result", "thinking"])
}
