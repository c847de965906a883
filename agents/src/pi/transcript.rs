//! The sessions of pi (0.74) and oh-my-pi: JSON Lines with a header `{type: session, version, id, cwd}`.
//! Version 1 is a line of messages. Versions 2 and 3 are a tree, of which the branch is read that ends
//! in the last record: what was left for another try is not told, as the session did not go on from it.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::content::content_text;
use crate::document::{self, Document};
use crate::exchange::{Usage, together};
use crate::fields::{elements, input, number, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::json::{self, Json};
use crate::pi::tools;
use crate::recording::{Certainty, Format, Opening, RecordingFormat, is, is_text};
use crate::sink::{HashMap, Sink, Stats};
use crate::tools::tool_call;

/// How much of a tree is kept until its end, in bytes.
const MAX: usize = 256 << 20;

/// Kinds of record, and roles of messages, that tell nothing of what the agent did.
const SILENT: &[&str] = &[
    "bashExecution",
    "branchSummary",
    "branch_summary",
    "compactionSummary",
    "credential_pin",
    "custom",
    "custom_message",
    "hookMessage",
    "label",
    "leaf",
    "model_change",
    "session_info",
    "session_init",
    "thinking_level_change",
    "title",
];

json::slots! {
    struct Record {
        kind: "type",
        version: "version",
        id: "id",
        parent: "parentId",
        cwd: "cwd",
        time: "timestamp",
        message: "message",
    }
}

json::slots! {
    struct Message {
        role: "role",
        content: "content",
        model: "model",
        stop: "stopReason",
        usage: "usage",
        call: "toolCallId",
        is_error: "isError",
    }
}

json::slots! {
    struct Tokens {
        input: "input",
        cache_read: "cacheRead",
        cache_write: "cacheWrite",
        output: "output",
    }
}

json::slots! {
    struct Block {
        kind: "type",
        text: "text",
        thinking: "thinking",
        id: "id",
        name: "name",
        arguments: "arguments",
    }
}

/// A session of pi or oh-my-pi.
struct SessionFile;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&SessionFile);

impl RecordingFormat for SessionFile {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn description(&self) -> &'static str {
        "A session of pi or oh-my-pi"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.record(|fields| {
            let is_session =
                is(fields.of_type, &["session"]) && is_text(fields.id) && fields.cwd.is_some();
            is_session || is(fields.of_type, &["title"]) && fields.pad.is_some()
        })
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads a session.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, true);
    let mut reader = Reader::default();
    document::read(input, &mut flow, &mut |flow, document| reader.record(flow, document))?;
    reader.tell(&mut flow);
    flow.finish();
    Ok(flow.stats)
}

/// A record of a tree.
struct Held {
    line: u32,
    parent: Option<String>,
    text: String,
}

#[derive(Default)]
struct Reader {
    session: Option<usize>,
    is_tree: bool,
    tree: Vec<Held>,
    /// The records of each id, of which there is one unless something is wrong.
    by_id: HashMap<String, Vec<usize>>,
    held: usize,
    full: bool,
}

impl Reader {
    fn record(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        let mut record = Record::default();
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        if record.kind.map(Json::get) == Some("\"session\"") {
            self.tell(flow);
            if let Some(before) = self.session {
                flow.end(before);
            }
            let session = flow.new_session(text(record.id).as_deref());
            let agent = Some("pi".to_owned());
            let cwd = text(record.cwd).map(Cow::into_owned);
            flow.about(session, About { agent, cwd, mode: None });
            self.session = Some(session);
            self.is_tree = number(record.version).is_some_and(|version| version >= 2);
        } else if self.is_tree && record.id.is_some() {
            self.hold(flow, line, &record, document.text);
        } else {
            let session = self.session(flow);
            self::record(flow, session, line, document.text);
        }
    }

    fn session(&mut self, flow: &mut Flow<'_>) -> usize {
        *self.session.get_or_insert_with(|| flow.new_session(None))
    }

    fn hold(&mut self, flow: &mut Flow<'_>, line: u32, record: &Record<'_>, whole: &str) {
        self.held += whole.len() + size_of::<Held>();
        if self.held > MAX {
            if !std::mem::replace(&mut self.full, true) {
                let most = MAX >> 20;
                let message =
                    format!("the session is longer than {most} MiB; the rest was left out");
                flow.refuse(line, message);
            }
            return;
        }
        if let Some(id) = text(record.id) {
            self.by_id.entry(id.into_owned()).or_default().push(self.tree.len());
        }
        let parent = text(record.parent).map(Cow::into_owned);
        self.tree.push(Held { line, parent, text: whole.to_owned() });
    }

    /// Tells the branch that ends in the last record.
    fn tell(&mut self, flow: &mut Flow<'_>) {
        let tree = std::mem::take(&mut self.tree);
        let by_id = std::mem::take(&mut self.by_id);
        let mut on_branch = vec![false; tree.len()];
        let mut lost = Vec::new();
        let mut at = tree.len().checked_sub(1);
        while let Some(index) = at
            && let Some(on) = on_branch.get_mut(index)
            && let Some(held) = tree.get(index)
        {
            *on = true;
            let Some(parent) = held.parent.as_deref() else { break };
            // What a record goes on from stands before it, so that there are no circles.
            let before = |known: &Vec<usize>| {
                let earlier = known.partition_point(|at| *at < index);
                known.get(earlier.checked_sub(1)?).copied()
            };
            at = by_id.get(parent).and_then(before);
            if at.is_none() {
                lost.push((held.line, parent));
                at = index.checked_sub(1);
            }
        }
        for (line, parent) in lost.iter().rev() {
            let parent: String = parent.chars().take(40).collect();
            let message = format!(
                "the record goes on from `{parent}`, which is not before it; it is taken to go on \
                 from the record before it"
            );
            flow.refuse(*line, message);
        }
        let session = self.session;
        for (held, on) in tree.iter().zip(on_branch) {
            match session {
                _ if flow.sink.stop() => return,
                Some(session) if on => record(flow, session, held.line, &held.text),
                _ => flow.stats.skipped += 1,
            }
        }
    }
}

fn record(flow: &mut Flow<'_>, session: usize, line: u32, whole: &str) {
    let (mut record, mut message) = (Record::default(), Message::default());
    // It was read as an object before.
    let _ = json::object(whole, &mut record);
    let Some(kind) = text(record.kind) else {
        return flow.refuse(line, "the record has no `type` to say what it is".to_owned());
    };
    if kind == "compaction" {
        return flow.compaction(session, At { line, ts: timestamp(record.time) });
    }
    if kind != "message" {
        match SILENT.contains(&&*kind) {
            true => flow.stats.skipped += 1,
            false => flow.stats.unknown(&kind),
        }
        return;
    }
    let is_object = record.message.is_some_and(|raw| json::object(raw.get(), &mut message).is_ok());
    if !is_object {
        return flow.refuse(line, "the record has no `message`".to_owned());
    }
    let at = At { line, ts: timestamp(record.time) };
    match text(message.role).as_deref() {
        Some("user") => {
            let said = content_text(message.content.map_or("", Json::get));
            flow.turn(session, at, (!said.trim().is_empty()).then_some(&*said));
        }
        Some("assistant") => said(flow, session, at, &message),
        Some("toolResult") => result(flow, session, at, &message),
        Some(known) if SILENT.contains(&known) => flow.stats.skipped += 1,
        other => flow.stats.unknown(other.unwrap_or("(no role)")),
    }
}

fn said(flow: &mut Flow<'_>, session: usize, at: At, message: &Message<'_>) {
    let mut exchange = Exchange::new(flow, at);
    exchange.model = text(message.model).map(Cow::into_owned);
    exchange.stop_reason = text(message.stop).map(Cow::into_owned);
    let mut tokens = Tokens::default();
    if let Some(raw) = message.usage {
        // What is no object counts nothing.
        let _ = json::object(raw.get(), &mut tokens);
    }
    let read = together([tokens.input, tokens.cache_read, tokens.cache_write].map(number));
    exchange.usage = Usage {
        input: read,
        output: number(tokens.output),
        thinking: None,
        cached: number(tokens.cache_read),
    };
    if let Some(said) = text(message.content) {
        exchange.text(at, &said);
    }
    for element in elements(message.content) {
        let mut block = Block::default();
        // What is no object says nothing.
        let _ = json::object(element.get(), &mut block);
        match block.kind.map(Json::get) {
            Some("\"text\"") => exchange.text(at, &text(block.text).unwrap_or_default()),
            Some("\"thinking\"") => {
                exchange.thinking(&text(block.thinking).unwrap_or_default());
            }
            Some("\"toolCall\"") => {
                let (id, name) = (text(block.id), text(block.name).unwrap_or_default());
                let written = input(block.arguments);
                exchange.tool_use(id.as_deref(), &name, &written);
                let (call, _) = tool_call(tools::find(&name), name, id, Some(&written));
                exchange.call(at, call);
            }
            _ => {}
        }
    }
    flow.answer(session, exchange);
}

fn result(flow: &mut Flow<'_>, session: usize, at: At, message: &Message<'_>) {
    let id = text(message.call);
    let said = content_text(message.content.map_or("", Json::get));
    let ok = !json::is_true(message.is_error);
    let existed = (!ok && said.starts_with("ENOENT")).then_some(false);
    let mut answer = Answer::new(id.as_deref(), Some(Value::Text(said)), ok);
    answer.existed = existed;
    flow.result(session, at, answer);
}

#[cfg(test)]
mod tests;
