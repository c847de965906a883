//! Shadow's `.agentlog`: JSON Lines of records `{version, id, kind, ts, parent, payload}`, as of version
//! 0.1. Lenient on ids, parents and the order; a kind of record that is unknown is counted.
//!
//! Each `metadata` record begins a session. A turn is a request whose last message the user wrote.

use std::io::{self, BufRead};

use crate::document::{self, Document};
use crate::exchange::{Request, Usage};
use crate::flow::{Answer, At, Exchange, Flow};
use crate::formats::{elements, input, number, present, text, timestamp};
use crate::json::{self, Json, Raw};
use crate::tools::{tool_call, value_of};
use crate::{Sink, Stats};

/// Kinds of record that hold no event.
const SILENT: &[&str] = &["error", "replay_summary", "chunk", "harness_event", "blob_ref"];

json::slots! {
    /// A record.
    struct Record { kind: "kind", id: "id", ts: "ts", payload: "payload" }
}

json::slots! {
    /// What the payloads of all kinds hold.
    struct Payload {
        model: "model",
        messages: "messages",
        params: "params",
        tools: "tools",
        content: "content",
        stop_reason: "stop_reason",
        usage: "usage",
        latency: "latency_ms",
        call: "tool_call_id",
        tool: "tool_name",
        arguments: "arguments",
        output: "output",
        is_error: "is_error",
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

json::slots! {
    struct Tokens { input: "input_tokens", output: "output_tokens", thinking: "thinking_tokens" }
}

/// Reads a log.
pub(crate) fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, false);
    let mut reader = Reader { session: None, request: None };
    document::read(input, &mut flow, &mut |flow, document| reader.record(flow, document))?;
    reader.unanswered(&mut flow);
    flow.finish();
    Ok(flow.stats)
}

struct Reader {
    session: Option<usize>,
    /// The request that waits for its response.
    request: Option<(At, Request)>,
}

impl Reader {
    fn record(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        let (mut record, mut payload) = (Record::default(), Payload::default());
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        let Some(kind) = text(record.kind) else {
            return flow.refuse(line, "the record has no `kind` to say what it is".to_owned());
        };
        let Some(body) = present(record.payload) else {
            return flow.refuse(line, format!("the `{kind}` record has no `payload`"));
        };
        if json::object(body.get(), &mut payload).is_err() {
            return flow.refuse(line, format!("the `payload` of the `{kind}` record is no object"));
        }
        let at = At { line, ts: timestamp(record.ts) };
        if kind == "metadata" || self.session.is_none() {
            self.unanswered(flow);
            if let Some(before) = self.session {
                flow.end(before);
            }
            self.session = Some(flow.new_session(text(record.id).as_deref()));
        }
        let Some(session) = self.session else { return };
        match &*kind {
            "metadata" => flow.stats.skipped += 1,
            "chat_request" => self.request(flow, session, at, &payload),
            "chat_response" => self.response(flow, session, at, &payload),
            "tool_call" => call(flow, session, at, &payload),
            "tool_result" => result(flow, session, at, &payload),
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

    fn request(&mut self, flow: &mut Flow<'_>, session: usize, at: At, payload: &Payload<'_>) {
        self.unanswered(flow);
        if let Some(said) = elements(payload.messages).last().and_then(|last| said(last.get())) {
            flow.turn(session, at, Some(&said));
        }
        if !flow.exchanges {
            return;
        }
        let own = |raw: Raw<'_>| present(raw).map(|raw| raw.get().to_owned());
        let mut request = Request {
            model: text(payload.model).map(|model| model.into_owned()),
            params: own(payload.params),
            tools: own(payload.tools),
            ..Request::default()
        };
        let messages: Vec<&str> = elements(payload.messages).map(Json::get).collect();
        request.set_messages(&messages);
        self.request = Some((at, request));
    }

    fn response(&mut self, flow: &mut Flow<'_>, session: usize, at: At, payload: &Payload<'_>) {
        let mut exchange = Exchange::new(flow, at);
        exchange.request = self.request.take();
        exchange.model = text(payload.model).map(|model| model.into_owned());
        exchange.stop_reason = text(payload.stop_reason).map(|reason| reason.into_owned());
        exchange.latency = number(payload.latency);
        let mut tokens = Tokens::default();
        if let Some(usage) = payload.usage {
            // What is no object counts nothing.
            let _ = json::object(usage.get(), &mut tokens);
        }
        exchange.usage = Usage {
            input: number(tokens.input),
            output: number(tokens.output),
            thinking: number(tokens.thinking),
        };
        if let Some(said) = text(payload.content) {
            exchange.text(at, &said);
        }
        for element in elements(payload.content) {
            block(&mut exchange, at, element);
        }
        flow.answer(session, exchange);
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
    let said = crate::claude_code::content_text(content.get());
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

/// A call by itself; one that a response held already is the same.
fn call(flow: &mut Flow<'_>, session: usize, at: At, payload: &Payload<'_>) {
    let id = text(payload.call);
    if id.as_deref().is_some_and(|id| flow.is_open(session, id)) {
        flow.stats.skipped += 1;
        return;
    }
    let params = input(payload.arguments);
    let (call, _) = tool_call(None, text(payload.tool).unwrap_or_default(), id, Some(&params));
    flow.call(session, at, call);
}

fn result(flow: &mut Flow<'_>, session: usize, at: At, payload: &Payload<'_>) {
    let id = text(payload.call);
    let value = present(payload.output).map(|raw| value_of(raw.get()));
    let ok = !json::is_true(payload.is_error);
    flow.result(session, at, Answer::new(id.as_deref(), value, ok));
}

#[cfg(test)]
mod tests {
    use crate::Format::Agentlog;
    use crate::testing::{check, check_exchanges, stats};

    const LOG: &str = r#"
{"version":"0.1","id":"sha256:1","kind":"metadata","ts":"1970-01-01T00:00:01Z","parent":null,"payload":{"sdk":{}}}
{"version":"0.1","id":"sha256:2","kind":"chat_request","ts":"1970-01-01T00:00:02Z","parent":"sha256:1","payload":{"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"go"}],"params":{"temperature":0},"tools":[]}}
{"version":"0.1","id":"sha256:3","kind":"chat_response","ts":"1970-01-01T00:00:03Z","parent":"sha256:2","payload":{"model":"m","content":[{"type":"text","text":"first"},{"type":"tool_use","id":"a","name":"look","input":{"x":1}},{"type":"tool_use","id":"b","name":"look","input":{"x":2}}],"stop_reason":"tool_use","latency_ms":7,"usage":{"input_tokens":3,"output_tokens":4,"thinking_tokens":0}}}
{"version":"0.1","id":"sha256:4","kind":"tool_call","ts":"1970-01-01T00:00:03Z","parent":"sha256:3","payload":{"tool_name":"look","tool_call_id":"a","arguments":{"x":1}}}
{"version":"0.1","id":"sha256:5","kind":"tool_result","ts":"1970-01-01T00:00:03Z","parent":"sha256:4","payload":{"tool_call_id":"a","output":"one","is_error":false}}
{"version":"0.1","id":"sha256:6","kind":"tool_result","ts":"1970-01-01T00:00:03Z","parent":"sha256:4","payload":{"tool_call_id":"z","output":"lost","is_error":true}}
"#;

    #[test]
    fn calls_come_before_results_and_once() {
        check(
            Agentlog,
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
        let stats = stats(Agentlog, LOG);
        assert_eq!((stats.open_calls, stats.orphan_results, stats.skipped), (1, 1, 2));
    }

    #[test]
    fn requests_and_responses_are_told() {
        check_exchanges(
            Agentlog,
            LOG,
            &[
                r#"{"event":"request","session":"sha256:1","ts":2000,"model":"m","messages":[{"role":"system","content":"be good"},{"role":"user","content":"go"}],"params":{"temperature":0},"tools":[]}"#,
                r#"{"event":"response","session":"sha256:1","ts":3000,"model":"m","content":[{"type":"text","text":"first"},{"type":"tool_use","id":"a","name":"look","input":{"x":1}},{"type":"tool_use","id":"b","name":"look","input":{"x":2}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4,"thinking_tokens":0},"latency_ms":7}"#,
            ],
        );
    }

    #[test]
    fn each_metadata_begins_a_session_and_what_is_broken_is_told() {
        let log = "{\"kind\":\"metadata\",\"id\":\"x\",\"payload\":{}}\r\n\
            {\"kind\":\"tool_call\",\"payload\":{\"tool_name\":\"t\",\"tool_call_id\":\"1\"}}\n\
            {\"kind\":\"metadata\",\"id\":\"x\",\"payload\":{}}\n\
            {\"kind\":\"tool_call\",\"payload\":{\"tool_name\":\"t\",\"tool_call_id\":\"1\",\"arguments\":[1]}}\n\
            {\"kind\":\"tool_call\"}\n{\"kind\":\"new\",\"payload\":{}}\nx\n{\"kind\":\"to";
        check(
            Agentlog,
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
        let stats = stats(Agentlog, log);
        assert_eq!((stats.problems, stats.truncated, stats.unknown.len()), (3, true, 1));
    }
}
