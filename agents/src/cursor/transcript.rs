//! The transcripts of Cursor: JSON Lines `{role, message: {content}}` without ids, times or a session.
//! Calls have no ids either, so that a result belongs to the oldest call that waits. Made up from
//! samples: Cursor does not document them.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::content::content_text;
use crate::cursor::tools;
use crate::document::{self, Document};
use crate::fields::{elements, input, text};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::json::{self, Json};
use crate::notes;
use crate::recording::{Certainty, Format, Opening, RecordingFormat, is, is_object};
use crate::sink::{Sink, Stats};
use crate::tools::tool_call;
use behavior_runtime::replay::DEFAULT_SESSION;

json::slots! {
    struct Record { role: "role", kind: "type", message: "message" }
}

json::slots! {
    struct Message { content: "content" }
}

json::slots! {
    struct Block {
        kind: "type",
        text: "text",
        thinking: "thinking",
        id: "id",
        name: "name",
        input: "input",
        call: "tool_use_id",
        content: "content",
        is_error: "is_error",
    }
}

/// A transcript of Cursor.
struct Transcript;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Transcript);

impl RecordingFormat for Transcript {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn description(&self) -> &'static str {
        "A transcript of Cursor"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.record(|fields| {
            let is_message = is(fields.role, &["user", "assistant"]);
            is_message && is_object(fields.message) && fields.content.is_none()
        })
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads a transcript.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, true);
    let session = flow.session(DEFAULT_SESSION);
    let agent = Some("cursor".to_owned());
    flow.about(session, About { agent, ..About::default() });
    let mut reader = Reader { session, waiting: VecDeque::new(), count: 0 };
    document::read(input, &mut flow, &mut |flow, document| reader.record(flow, document))?;
    flow.finish();
    Ok(flow.stats)
}

struct Reader {
    session: usize,
    /// The ids of the calls that wait for results, oldest first.
    waiting: VecDeque<String>,
    count: u64,
}

impl Reader {
    fn record(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        let (mut record, mut message) = (Record::default(), Message::default());
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        if let Some(raw) = record.message {
            // What is no object has no content.
            let _ = json::object(raw.get(), &mut message);
        }
        let at = At { line, ts: None };
        match (text(record.role).as_deref(), text(record.kind).as_deref()) {
            (Some("user"), _) => self.user(flow, at, &message),
            (Some("assistant"), _) => self.said(flow, at, &message),
            (None, Some("turn_ended")) => flow.stats.skipped += 1,
            (role, kind) => flow.stats.unknown(role.or(kind).unwrap_or("(no role)")),
        }
    }

    /// A message of the user, or results.
    fn user(&mut self, flow: &mut Flow<'_>, at: At, message: &Message<'_>) {
        let mut is_result = false;
        for element in elements(message.content) {
            let mut block = Block::default();
            // What is no object is no result.
            let _ = json::object(element.get(), &mut block);
            let kind = text(block.kind);
            if matches!(kind.as_deref(), Some("tool_result" | "tool-result")) {
                is_result = true;
                self.result(flow, at, &block);
            }
        }
        if !is_result {
            let Some(said) = notes::said(message.content.map_or("", Json::get)) else {
                flow.stats.skipped += 1;
                return;
            };
            flow.turn(self.session, at, (!said.trim().is_empty()).then_some(&*said));
        }
    }

    fn result(&mut self, flow: &mut Flow<'_>, at: At, block: &Block<'_>) {
        let named = text(block.call).map(|id| id.into_owned());
        let place = named.as_ref().and_then(|id| self.waiting.iter().position(|call| call == id));
        let id = match place {
            Some(place) => self.waiting.remove(place),
            None => self.waiting.pop_front(),
        };
        let value = block.content.map(|raw| Value::Text(content_text(raw.get())));
        let ok = !json::is_true(block.is_error);
        flow.result(self.session, at, Answer::new(id.or(named).as_deref(), value, ok));
    }

    fn said(&mut self, flow: &mut Flow<'_>, at: At, message: &Message<'_>) {
        let mut exchange = Exchange::new(flow, at);
        if let Some(said) = text(message.content) {
            exchange.text(at, &said);
        }
        for element in elements(message.content) {
            let mut block = Block::default();
            // What is no object says nothing.
            let _ = json::object(element.get(), &mut block);
            match text(block.kind).as_deref() {
                Some("thinking") => exchange.thinking(&text(block.thinking).unwrap_or_default()),
                Some("tool_use" | "tool_call" | "tool-call") => {
                    self.call(&mut exchange, at, &block);
                }
                Some("text") | None => exchange.text(at, &text(block.text).unwrap_or_default()),
                Some(other) => {
                    flow.stats.unknown(other);
                    exchange.text(at, &text(block.text).unwrap_or_default());
                }
            }
        }
        flow.answer(self.session, exchange);
    }

    fn call(&mut self, exchange: &mut Exchange, at: At, block: &Block<'_>) {
        /// As many calls wait; results of older ones come no more.
        const MAX: usize = 1 << 12;
        self.count += 1;
        let id =
            text(block.id).map_or_else(|| format!("call-{}", self.count), |id| id.into_owned());
        let name = text(block.name).unwrap_or_default();
        let written = input(block.input);
        exchange.tool_use(Some(&id), &name, &written);
        let (call, _) = tool_call(tools::find(&name), name, Some((&*id).into()), Some(&written));
        exchange.call(at, call);
        if self.waiting.len() == MAX {
            self.waiting.pop_front();
        }
        self.waiting.push_back(id);
    }
}

#[cfg(test)]
mod tests;
