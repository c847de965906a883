//! Shadow's `.agentlog`: JSON Lines of records `{version, id, kind, ts, parent, payload}`, as of version
//! 0.1. Lenient on ids, parents and the order; a kind of record that is unknown is counted.
//!
//! Each `metadata` record begins a session; where there is only one, nothing says where sessions end, and
//! the runtime is told. A turn is a request whose last message the user wrote.

use std::io::{self, BufRead, Read};

use memchr::memmem::Finder;

use crate::document::{self, Document};
use crate::exchange::{Request, Told};
use crate::fields::{elements, input, present, text, timestamp};
use crate::flow::{Answer, At, Exchange, Flow};
use crate::json::{self, Fields, Json, Raw, Slot, Slots};
use crate::notes;
use crate::recording::{Certainty, Format, Opening, RecordingFormat, is, is_object};
use crate::sink::{Sink, Stats};
use crate::tools::{tool_call, value_of};

/// How much is looked through for a second `metadata` record, in bytes.
const LOOKED_AT: usize = 64 << 20;

/// Kinds of record that hold no event.
const SILENT: &[&str] = &["error", "replay_summary", "chunk", "harness_event", "blob_ref"];

/// A record.
#[derive(Default)]
struct Record<'a> {
    kind: Raw<'a>,
    id: Raw<'a>,
    ts: Raw<'a>,
    payload: Fields<'a>,
}

impl<'a> Slots<'a> for Record<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        Slot::Keep(match key {
            "kind" => &mut self.kind,
            "id" => &mut self.id,
            "ts" => &mut self.ts,
            "payload" => return Slot::Entries(&mut self.payload),
            _ => return Slot::Ignore,
        })
    }
}

json::slots! {
    /// A message, or a block of one.
    struct Block {
        kind: "type",
        role: "role",
        content: "content",
        text: "text",
        thinking: "thinking",
        id: "id",
        name: "name",
        input: "input",
    }
}

/// A log of Shadow.
struct Agentlog;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Agentlog);

impl RecordingFormat for Agentlog {
    fn name(&self) -> &'static str {
        "agentlog"
    }

    fn description(&self) -> &'static str {
        "A log of Shadow"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.record(|fields| is(fields.kind, KINDS) && is_object(fields.payload))
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// The kinds of record.
const KINDS: &[&str] = &[
    "chat_request",
    "chat_response",
    "error",
    "metadata",
    "replay_summary",
    "tool_call",
    "tool_result",
];

/// Reads a log.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, false);
    // Only rules on exchanges ask where sessions end.
    let (first, is_marked) = if flow.exchanges { look_ahead(input)? } else { (Vec::new(), true) };
    let mut reader = Reader { is_marked, session: None, request: None };
    let mut input = first.chain(input);
    document::read(&mut input, &mut flow, &mut |flow, document| reader.record(flow, document))?;
    reader.unanswered(&mut flow);
    flow.finish();
    Ok(flow.stats)
}

/// Reads until a second `metadata` record shows that they tell sessions apart, or it is enough. What
/// was read comes with the answer.
fn look_ahead(input: &mut dyn BufRead) -> io::Result<(Vec<u8>, bool)> {
    let name = Finder::new("\"metadata\"");
    let mut read = Vec::new();
    let (mut known, mut count) = (0, 0);
    while read.len() < LOOKED_AT {
        let left = LOOKED_AT - read.len();
        if input.take(left as u64).read_until(b'\n', &mut read)? == 0 {
            break;
        }
        count += u32::from(read.get(known..).is_some_and(|line| is_metadata(line, &name)));
        known = read.len();
        if count > 1 {
            return Ok((read, true));
        }
    }
    Ok((read, false))
}

/// Whether a line is a record of that kind; `name` finds how it is written.
fn is_metadata(line: &[u8], name: &Finder<'_>) -> bool {
    let mut record = Record::default();
    name.find(line).is_some()
        && std::str::from_utf8(line).is_ok_and(|line| json::object(line, &mut record).is_ok())
        && record.kind.map(Json::get) == Some("\"metadata\"")
}

struct Reader {
    /// Whether `metadata` records tell one session from the next.
    is_marked: bool,
    session: Option<usize>,
    /// The request that waits for its response.
    request: Option<(At, Request)>,
}

impl Reader {
    fn record(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        let mut record = Record::default();
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        let Some(kind) = text(record.kind) else {
            return flow.refuse(line, "the record has no `kind` to say what it is".to_owned());
        };
        let Some(body) = present(record.payload.whole()) else {
            return flow.refuse(line, format!("the `{kind}` record has no `payload`"));
        };
        if !body.get().starts_with('{') {
            return flow.refuse(line, format!("the `payload` of the `{kind}` record is no object"));
        }
        if record.payload.has_more() {
            let most = Fields::MAX;
            let message = format!("only the first {most} fields of the `payload` were looked at");
            flow.refuse(line, message);
        }
        let payload = &record.payload;
        let at = At { line, ts: timestamp(record.ts) };
        if self.session.is_none() || (kind == "metadata" && self.is_marked) {
            self.unanswered(flow);
            if let Some(before) = self.session {
                flow.end(before);
            }
            let session = flow.new_session(text(record.id).as_deref());
            if !self.is_marked {
                flow.split_by_exchange(session);
            }
            self.session = Some(session);
        }
        let Some(session) = self.session else { return };
        match &*kind {
            "metadata" => flow.stats.skipped += 1,
            "chat_request" => self.request(flow, session, at, payload),
            "chat_response" => self.response(flow, session, at, payload),
            "tool_call" => self.call(flow, session, at, payload),
            "tool_result" => result(flow, session, at, payload),
            known if SILENT.contains(&known) => flow.stats.skipped += 1,
            other => flow.stats.unknown(other),
        }
    }

    /// A request that nothing has answered is handed on by itself.
    fn unanswered(&mut self, flow: &mut Flow<'_>) {
        if let (Some((at, request)), Some(session)) = (self.request.take(), self.session)
            && flow.exchanges
        {
            flow.request(session, at, &request);
        }
    }

    fn request(&mut self, flow: &mut Flow<'_>, session: usize, at: At, payload: &Fields<'_>) {
        self.unanswered(flow);
        let messages = payload.field("messages");
        if let Some(said) = elements(messages).last().and_then(|last| said(last.get())) {
            flow.turn(session, at, Some(&said));
        }
        if !flow.exchanges {
            return;
        }
        let mut request = Request { told: Told::of_request(payload), ..Request::default() };
        if present(messages).is_some() {
            request.set_messages(elements(messages).map(Json::get));
        }
        self.request = Some((at, request));
    }

    fn response(&mut self, flow: &mut Flow<'_>, session: usize, at: At, payload: &Fields<'_>) {
        let mut exchange = Exchange::new(flow, at);
        exchange.request = self.request.take();
        exchange.told = flow.exchanges.then(|| Told::of_response(payload));
        let content = payload.field("content");
        if let Some(said) = text(content) {
            exchange.text(at, &said);
        }
        for element in elements(content) {
            block(&mut exchange, at, element);
        }
        flow.answer(session, exchange);
    }

    /// A call by itself; one that a response held already is the same.
    fn call(&mut self, flow: &mut Flow<'_>, session: usize, at: At, payload: &Fields<'_>) {
        let id = text(payload.field("tool_call_id"));
        if id.as_deref().is_some_and(|id| flow.is_open(session, id)) {
            flow.stats.skipped += 1;
            return;
        }
        // It was made while a request waited, and comes after that.
        self.unanswered(flow);
        let params = input(payload.field("arguments"));
        let tool = text(payload.field("tool_name")).unwrap_or_default();
        let (call, _) = tool_call(None, tool, id, Some(&params));
        flow.call(session, at, call);
    }
}

/// What the user said, where the message is the user's and no result.
fn said(message: &str) -> Option<String> {
    let mut fields = Block::default();
    json::object(message, &mut fields).ok()?;
    if fields.role.map(Json::get) != Some("\"user\"") {
        return None;
    }
    let content = fields.content?;
    let said = notes::said(content.get())?;
    (!said.trim().is_empty()).then(|| said.into_owned())
}

fn block(exchange: &mut Exchange, at: At, element: Json<'_>) {
    let mut block = Block::default();
    if json::object(element.get(), &mut block).is_err() {
        return;
    }
    match block.kind.map(Json::get) {
        Some("\"text\"") => exchange.text(at, &text(block.text).unwrap_or_default()),
        Some("\"thinking\"") => {
            exchange.thinking(&text(block.thinking.or(block.text)).unwrap_or_default());
        }
        Some("\"tool_use\"") => {
            let (id, name) = (text(block.id), text(block.name).unwrap_or_default());
            let params = input(block.input);
            exchange.tool_use(id.as_deref(), &name, &params);
            let (call, _) = tool_call(None, name, id, Some(&params));
            exchange.call(at, call);
        }
        _ => {}
    }
}

fn result(flow: &mut Flow<'_>, session: usize, at: At, payload: &Fields<'_>) {
    let id = text(payload.field("tool_call_id"));
    let value = present(payload.field("output")).map(|raw| value_of(raw.get()));
    let ok = !json::is_true(payload.field("is_error"));
    flow.result(session, at, Answer::new(id.as_deref(), value, ok));
}

#[cfg(test)]
mod tests {
    use super::FORMAT;
    use crate::testing::{check, check_exchanges, events_of, stats};

    const LOG: &str = r#"
{"version":"0.1","id":"sha256:1","kind":"metadata","ts":"1970-01-01T00:00:01Z","parent":null,"payload":{"sdk":{}}}
{"version":"0.1","id":"sha256:2","kind":"chat_request","ts":"1970-01-01T00:00:02Z","parent":"sha256:1","payload":{"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"go"}],"params":{"temperature":0},"tools":[],"metadata":{"chunks":["x"]}}}
{"version":"0.1","id":"sha256:3","kind":"chat_response","ts":"1970-01-01T00:00:03Z","parent":"sha256:2","payload":{"model":"m","content":[{"type":"text","text":"first"},{"type":"tool_use","id":"a","name":"look","input":{"x":1}},{"type":"tool_use","id":"b","name":"look","input":{"x":2}}],"stop_reason":"tool_use","latency_ms":7,"usage":{"input_tokens":3,"output_tokens":4,"thinking_tokens":0}}}
{"version":"0.1","id":"sha256:4","kind":"tool_call","ts":"1970-01-01T00:00:03Z","parent":"sha256:3","payload":{"tool_name":"look","tool_call_id":"a","arguments":{"x":1}}}
{"version":"0.1","id":"sha256:5","kind":"tool_result","ts":"1970-01-01T00:00:03Z","parent":"sha256:4","payload":{"tool_call_id":"a","output":"one","is_error":false}}
{"version":"0.1","id":"sha256:6","kind":"tool_result","ts":"1970-01-01T00:00:03Z","parent":"sha256:4","payload":{"tool_call_id":"z","output":"lost","is_error":true}}
"#;

    #[test]
    fn calls_come_before_results_and_once() {
        check(
            FORMAT,
            LOG,
            &[
                r#"{"event":"session_start","session":"sha256:1","ts":2000}"#,
                r#"{"event":"turn_start","session":"sha256:1","ts":2000,"text":"go"}"#,
                r#"{"event":"text","session":"sha256:1","ts":3000,"text":"first"}"#,
                r#"{"event":"tool_call","session":"sha256:1","ts":3000,"id":"a","tool":"look","params":{"x":1}}"#,
                r#"{"event":"tool_call","session":"sha256:1","ts":3000,"id":"b","tool":"look","params":{"x":2}}"#,
                r#"{"event":"tool_result","session":"sha256:1","ts":3000,"id":"a","result":"one"}"#,
                r#"{"event":"tool_result","session":"sha256:1","ts":3000,"id":"z","result":"lost","ok":false}"#,
                r#"{"event":"session_end","session":"sha256:1","ts":3000}"#,
            ],
        );
        let stats = stats(FORMAT, LOG);
        assert_eq!((stats.open_calls, stats.orphan_results, stats.skipped), (1, 1, 2));
    }

    #[test]
    fn requests_and_responses_are_told() {
        check_exchanges(
            FORMAT,
            LOG,
            &[
                r#"{"event":"request","session":"sha256:1","ts":2000,"model":"m","params":{"temperature":0},"tools":[],"metadata":{"chunks":["x"]},"messages":[{"role":"system","content":"be good"},{"role":"user","content":"go"}]}"#,
                r#"{"event":"response","session":"sha256:1","ts":3000,"model":"m","content":[{"type":"text","text":"first"},{"type":"tool_use","id":"a","name":"look","input":{"x":1}},{"type":"tool_use","id":"b","name":"look","input":{"x":2}}],"stop_reason":"tool_use","latency_ms":7,"usage":{"input_tokens":3,"output_tokens":4,"thinking_tokens":0}}"#,
            ],
        );
    }

    #[test]
    fn one_metadata_record_tells_no_sessions_apart() {
        const MARK: &str = "{\"kind\":\"metadata\",\"id\":\"x\",\"payload\":{}}\n";
        const CALL: &str = "{\"kind\":\"tool_call\",\"payload\":{\"tool_name\":\"t\"}}\n";
        let starts = |log: &str| -> Vec<bool> {
            let events = events_of(FORMAT, log);
            let starts = events.iter().filter(|event| event.contains("session_start"));
            starts.map(|event| event.contains("by_exchange")).collect()
        };
        assert_eq!(starts(&[MARK, CALL].concat()), [true]);
        assert_eq!(starts(CALL), [true]);
        assert_eq!(starts(&[CALL, MARK, CALL, MARK, CALL].concat()), [false, false, false]);
        assert_eq!(starts(&[CALL, MARK, CALL].concat()), [true]);
        // Something else of that name is no mark.
        let other = CALL.replace("\"t\"", "\"t\",\"arguments\":{\"kind\":\"metadata\"}");
        assert_eq!(starts(&[MARK, &other].concat()), [true]);
    }

    #[test]
    fn a_call_while_a_request_waits_comes_after_it() {
        let log = "{\"kind\":\"chat_request\",\"payload\":{\"model\":\"m\"}}\n\
            {\"kind\":\"tool_call\",\"payload\":{\"tool_name\":\"t\"}}\n\
            {\"kind\":\"chat_response\",\"payload\":{\"content\":[]}}\n";
        let kinds = ["session_start", "request", "tool_call", "response", "session_end"];
        let events = events_of(FORMAT, log);
        assert_eq!(events.len(), kinds.len());
        for (event, kind) in events.iter().zip(kinds) {
            assert!(event.contains(&format!("\"event\":\"{kind}\"")), "{event}");
        }
    }

    #[test]
    fn each_metadata_begins_a_session_and_what_is_broken_is_told() {
        let log = "{\"kind\":\"metadata\",\"id\":\"x\",\"payload\":{}}\r\n\
            {\"kind\":\"tool_call\",\"payload\":{\"tool_name\":\"t\",\"tool_call_id\":\"1\"}}\n\
            {\"kind\":\"metadata\",\"id\":\"x\",\"payload\":{}}\n\
            {\"kind\":\"tool_call\",\"payload\":{\"tool_name\":\"t\",\"tool_call_id\":\"1\",\"arguments\":[1]}}\n\
            {\"kind\":\"tool_call\"}\n{\"kind\":\"new\",\"payload\":{}}\nx\n{\"kind\":\"to";
        check(
            FORMAT,
            log,
            &[
                r#"{"event":"session_start","session":"x"}"#,
                r#"{"event":"tool_call","session":"x","id":"1","tool":"t","params":{}}"#,
                r#"{"event":"session_end","session":"x"}"#,
                r#"{"event":"session_start","session":"x/2"}"#,
                r#"{"event":"tool_call","session":"x/2","id":"1","tool":"t","params":{"args":[1]}}"#,
                r#"{"event":"session_end","session":"x/2"}"#,
            ],
        );
        let stats = stats(FORMAT, log);
        assert_eq!((stats.problems, stats.truncated, stats.unknown.len()), (3, true, 1));
    }
}
