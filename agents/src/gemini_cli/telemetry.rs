//! The events that Gemini CLI logs as telemetry (`telemetry.outfile`): what the user asked, answers of the model without
//! their texts unless those are logged, and each call once it has ended. Holds for 0.61, whose names of events and
//! attributes are in its `docs/cli/telemetry.md`.
//!
//! A call is told when it is over, so that those of one answer come one after the other, each with its result.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::document::{self, Document};
use crate::exchange::Usage;
use crate::fields::{elements, embedded, fields, input, number, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::gemini_cli::{hook, tools};
use crate::json::{self, Json, Raw};
use crate::never_run::NeverRun;
use crate::payload::numbered;
use crate::recording::{Certainty, Format, Opening, RecordingFormat};
use crate::sink::{HashMap, Sink, Stats};
use crate::tools::tool_call;

/// What the names of all events begin with.
const PREFIX: &str = "gemini_cli.";

json::slots! {
    struct Record { attributes: "attributes" }
}

json::slots! {
    struct Attributes {
        event: "event.name",
        time: "event.timestamp",
        session: "session.id",
        prompt: "prompt",
        function: "function_name",
        arguments: "function_args",
        success: "success",
        decision: "decision",
        error: "error",
        error_message: "error.message",
        server: "mcp_server_name",
        model: "model",
        said: "response_text",
        input: "input_token_count",
        output: "output_token_count",
        cached: "cached_content_token_count",
        thoughts: "thoughts_token_count",
        latency: "duration_ms",
        hook: "hook_event_name",
        hook_input: "hook_input",
    }
}

json::slots! {
    /// What a hook was told.
    struct Told { cwd: "cwd", prompt: "prompt" }
}

json::slots! {
    /// A response, one of its candidates, its content, or a part of that.
    struct Said { candidates: "candidates", content: "content", parts: "parts", text: "text", thought: "thought" }
}

/// A log of events.
struct Telemetry;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Telemetry);

impl RecordingFormat for Telemetry {
    fn name(&self) -> &'static str {
        "gemini-telemetry"
    }

    fn description(&self) -> &'static str {
        "Events that Gemini CLI logs as telemetry"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.record(|record| {
            let attributes: Attributes<'_> = fields(record.attributes);
            text(attributes.event).is_some_and(|name| name.starts_with(PREFIX))
        })
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        let mut flow = Flow::new(sink, true);
        let mut log = Log::default();
        document::read(input, &mut flow, &mut |flow, document| log.record(flow, document))?;
        flow.finish();
        Ok(flow.stats)
    }
}

/// What is known while a log is read.
#[derive(Default)]
struct Log {
    /// What each session was asked and has not yet begun to do: a prompt may be told twice.
    asked: HashMap<usize, String>,
    /// How many calls there were: they have no ids.
    calls: u64,
}

impl Log {
    fn record(&mut self, flow: &mut Flow<'_>, document: &Document<'_>) {
        let line = document.line(document.text);
        let mut record = Record::default();
        if let Err(error) = json::object(document.text, &mut record) {
            return flow.refuse(line, json::explain(document.text, &error));
        }
        let event: Attributes<'_> = fields(record.attributes);
        let Some(name) = text(event.event) else {
            // Metrics and spans are written to the same file.
            flow.stats.skipped += 1;
            return;
        };
        let session = flow.session(&text(event.session).unwrap_or_default());
        let at = At { line, ts: timestamp(event.time) };
        match name.strip_prefix(PREFIX) {
            Some("user_prompt") => self.prompt(flow, session, at, text(event.prompt)),
            Some("hook_call") => self.hook(flow, session, at, &event),
            Some("tool_call") => self.call(flow, session, at, &event),
            Some("api_response") => self.said(flow, session, at, &event),
            Some("chat_compression") => flow.compaction(session, at),
            Some(_) => flow.stats.skipped += 1,
            None => flow.stats.unknown(&name),
        }
    }

    fn prompt(&mut self, flow: &mut Flow<'_>, session: usize, at: At, said: Option<Cow<'_, str>>) {
        let said = said.filter(|said| !said.trim().is_empty());
        about(flow, session, None);
        self.asked.insert(session, said.as_deref().unwrap_or_default().to_owned());
        flow.turn(session, at, said.as_deref());
    }

    /// Hooks are told what the log may leave out: where the agent works, and what it is asked.
    fn hook(&mut self, flow: &mut Flow<'_>, session: usize, at: At, event: &Attributes<'_>) {
        let given = text(event.hook_input);
        let told = given.as_deref().and_then(embedded).unwrap_or_default();
        let mut fields = Told::default();
        // What is no object tells nothing.
        let _ = json::object(told, &mut fields);
        about(flow, session, text(fields.cwd).map(Cow::into_owned));
        let prompt = text(fields.prompt);
        let is_asked = text(event.hook).as_deref() == Some("BeforeAgent");
        let is_new = is_asked && self.asked.get(&session).map(String::as_str) != prompt.as_deref();
        match is_new {
            true => self.prompt(flow, session, at, prompt),
            false => flow.stats.skipped += 1,
        }
    }

    fn said(&mut self, flow: &mut Flow<'_>, session: usize, at: At, event: &Attributes<'_>) {
        self.asked.remove(&session);
        let mut exchange = Exchange::new(flow, at);
        exchange.model = text(event.model).map(Cow::into_owned);
        exchange.latency = number(event.latency);
        exchange.usage = Usage {
            input: number(event.input),
            output: number(event.output),
            thinking: number(event.thoughts),
            cached: number(event.cached),
        };
        if let Some(said) = text(event.said) {
            match embedded(&said).filter(|json| json.starts_with(['{', '['])) {
                Some(json) => exchange.text(at, &texts(json)),
                None => exchange.text(at, &said),
            }
        }
        flow.answer(session, exchange);
    }

    fn call(&mut self, flow: &mut Flow<'_>, session: usize, at: At, event: &Attributes<'_>) {
        self.asked.remove(&session);
        let name = text(event.function).unwrap_or_default();
        let server = text(event.server).map(|server| format!("{name} ({server} MCP Server)"));
        self.calls += 1;
        let id: Cow<'_, str> = format!("call-{}", self.calls).into();
        let written = input(event.arguments);
        let known = tools::find(&name);
        let (mut whole, _) = tool_call(known, name, Some(id.clone()), Some(&written));
        if let Some(name) = tools::mcp_name(&whole.tool, server.as_deref()) {
            hook::rename(&mut whole, Cow::Owned(name));
        }
        let error = text(event.error_message).or_else(|| text(event.error));
        let ok = event.success.is_none_or(|success| success.get() == "true");
        let never_run = (!ok).then(|| never_run(event, error.as_deref())).flatten();
        let calls = hook::expand(whole);
        let count = calls.len();
        calls.into_iter().for_each(|call| flow.call(session, at, call));
        for index in 0..count {
            let id = numbered(Some(&id), index + 1);
            let value = error.as_deref().map(|error| Value::Text(Cow::Borrowed(error)));
            let mut answer = Answer::new(id.as_deref(), value, ok);
            answer.never_run = answer.never_run.or(never_run);
            flow.result(session, at, answer);
        }
        flow.flush(session);
    }
}

/// Says who works, and where.
fn about(flow: &mut Flow<'_>, session: usize, cwd: Option<String>) {
    let agent = Some(super::NAME.to_owned());
    flow.about(session, About { agent, cwd, ..About::default() });
}

/// Why a call that failed did not run, where it did not.
fn never_run(event: &Attributes<'_>, error: Option<&str>) -> Option<NeverRun> {
    match text(event.decision).as_deref() {
        Some("reject") => Some(NeverRun::Rejected),
        _ => hook::refusal(error.unwrap_or_default()),
    }
}

/// The texts of a response, or of a list of its parts as they came; what the model thought is none.
fn texts(json: &str) -> String {
    let mut said = String::new();
    let Some(whole) = json::parsed(json) else { return said };
    let responses: Vec<Json<'_>> = match json.starts_with('[') {
        true => elements(Some(whole)).collect(),
        false => vec![whole],
    };
    for response in responses {
        let response: Said<'_> = fields(Some(response));
        for candidate in elements(response.candidates) {
            let content: Said<'_> = fields(fields::<Said<'_>>(Some(candidate)).content);
            for part in elements(content.parts) {
                let part: Said<'_> = fields(Some(part));
                if !is_true(part.thought) {
                    said.push_str(&text(part.text).unwrap_or_default());
                }
            }
        }
    }
    said
}

fn is_true(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}

#[cfg(test)]
mod tests {
    use super::FORMAT;
    use crate::testing::{check_exchanges, check_short};

    const LOG: &str = r#"
{"attributes":{"session.id":"s","event.name":"gemini_cli.config","model":"m"}}
{"attributes":{"session.id":"s","event.name":"gemini_cli.user_prompt","event.timestamp":"1970-01-01T00:00:01Z","prompt":"go"}}
{"attributes":{"session.id":"s","event.name":"gemini_cli.hook_call","hook_event_name":"BeforeAgent","hook_input":"{\n \"cwd\": \"/w\", \"prompt\": \"go\"}"}}
{"attributes":{"session.id":"s","event.name":"gemini_cli.api_response","model":"m","duration_ms":5,"input_token_count":9,"output_token_count":2,"response_text":"[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hm\",\"thought\":true},{\"text\":\"I look\"}]}}]}]"}}
{"attributes":{"session.id":"s","event.name":"gemini_cli.tool_call","function_name":"run_shell_command","function_args":"{\n  \"command\": \"make\"\n}","success":true,"decision":"auto_accept"}}
{"descriptor":{"name":"gemini_cli.tool.call.count"}}
{"attributes":{"session.id":"s","event.name":"gemini_cli.tool_call","function_name":"add","mcp_server_name":"git","function_args":"{}","success":false,"decision":"reject","error":"User denied"}}
{"attributes":{"session.id":"s","event.name":"gemini_cli.chat_compression"}}
"#;

    #[test]
    fn prompts_answers_and_calls_are_told_once() {
        check_short(
            FORMAT,
            LOG.trim_start(),
            &[
                r#"turn_start {"text":"go"}"#,
                r#"text {"text":"I look"}"#,
                r#"tool_call {"id":"call-1","tool":"bash","native_tool":"run_shell_command","params":{"command":"make"}}"#,
                r#"tool_result {"id":"call-1"}"#,
                r#"tool_call {"id":"call-2","tool":"mcp__git__add","native_tool":"add","params":{}}"#,
                r#"compaction {}"#,
            ],
        );
        check_exchanges(
            FORMAT,
            LOG.trim_start(),
            &[
                r#"{"event":"response","session":"s","model":"m","content":[{"type":"text","text":"I look"}],"usage":{"input_tokens":9,"output_tokens":2},"latency_ms":5}"#,
            ],
        );
    }
}
