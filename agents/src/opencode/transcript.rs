//! What `opencode export` writes, as of 1.18: one JSON document `{info, messages: [{info, parts}]}`. A
//! sub-agent is exported by itself. Each step of a message is one response; a result stands in its call.

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::Value;

use crate::document::{self, Document};
use crate::exchange::{Usage, together};
use crate::fields::{elements, fields, input, number, present, text, timestamp};
use crate::flow::{About, Answer, At, Exchange, Flow};
use crate::json::{self, Json, Raw};
use crate::never_run::NeverRun;
use crate::opencode::{hook, lint, tools};
use crate::payload::{numbered, share};
use crate::recording::{
    Certainty, Format, Opening, RecordingFormat, Shape, first, is_list, is_object, is_text,
};
use crate::sink::{Sink, Stats};
use crate::tools::{tool_call, value_of};

json::slots! {
    /// The document, or a message.
    struct Message { info: "info", messages: "messages", parts: "parts" }
}

json::slots! {
    /// What is known of a session, or of a message.
    struct Info {
        id: "id",
        directory: "directory",
        role: "role",
        model: "modelID",
        tokens: "tokens",
        finish: "finish",
        time: "time",
    }
}

json::slots! {
    struct Time { created: "created", start: "start", end: "end" }
}

json::slots! {
    struct Tokens { input: "input", output: "output", reasoning: "reasoning", cache: "cache" }
}

json::slots! {
    /// The parts of the input that are counted apart.
    struct Cache { read: "read", write: "write" }
}

json::slots! {
    struct Part {
        kind: "type",
        text: "text",
        synthetic: "synthetic",
        ignored: "ignored",
        tool: "tool",
        call: "callID",
        state: "state",
        tokens: "tokens",
        reason: "reason",
        time: "time",
    }
}

json::slots! {
    struct State {
        status: "status",
        input: "input",
        output: "output",
        error: "error",
        metadata: "metadata",
        time: "time",
    }
}

json::slots! {
    struct Metadata { exit: "exit", exists: "exists" }
}

/// As many results of one step are told together.
const MAX: usize = 1 << 12;

/// Kinds of part that tell nothing of what the agent did.
const SILENT: &[&str] =
    &["agent", "compaction", "file", "patch", "retry", "snapshot", "step-start", "subtask"];

/// What stands in place of an error where a call did not run.
const REFUSALS: &[(&str, NeverRun)] = &[
    ("The user rejected permission", NeverRun::Rejected),
    ("The user has specified a rule which prevents you", NeverRun::Permission),
    ("Tool execution aborted", NeverRun::Cancelled),
];

/// What `opencode export` writes.
struct Export;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&Export);

impl RecordingFormat for Export {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn description(&self) -> &'static str {
        "What `opencode export` writes"
    }

    fn detect(&self, opening: &Opening<'_>) -> Option<Certainty> {
        opening.document(|document| {
            let info: Shape<'_> = fields(document.info);
            let message: Shape<'_> = fields(first(document.messages));
            let has_infos = is_object(message.info) && document.messages.is_some();
            let is_session =
                is_text(info.id) && message.role.is_none() && is_list(document.messages);
            is_object(document.info) && (has_infos || is_session)
        })
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads an export.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut flow = Flow::new(sink, true);
    document::read(input, &mut flow, &mut export)?;
    flow.finish();
    Ok(flow.stats)
}

fn export(flow: &mut Flow<'_>, document: &Document<'_>) {
    let line = document.line(document.text);
    let mut whole = Message::default();
    if let Err(error) = json::object(document.text, &mut whole) {
        return flow.refuse(line, json::explain(document.text, &error));
    }
    let info: Info<'_> = fields(whole.info);
    if whole.messages.is_none() {
        return flow.refuse(line, "the document has no `messages`".to_owned());
    }
    let session = flow.new_session(text(info.id).as_deref());
    let (agent, cwd) = (Some("opencode".to_owned()), text(info.directory).map(Cow::into_owned));
    flow.about(session, About { agent, cwd, mode: None });
    for element in elements(whole.messages) {
        if flow.sink.stop() {
            return;
        }
        let mut message = Message::default();
        let line = document.line(element.get());
        if let Err(error) = json::object(element.get(), &mut message) {
            flow.refuse(
                line,
                format!("a message is wrong: {}", json::explain(element.get(), &error)),
            );
            continue;
        }
        let info: Info<'_> = fields(message.info);
        let time: Time<'_> = fields(info.time);
        let at = At { line, ts: timestamp(time.created) };
        match text(info.role).as_deref() {
            Some("user") => prompt(flow, session, at, &message),
            Some("assistant") => {
                Answering { flow, document, session, at, info: &info }.parts(&message);
            }
            other => flow.stats.unknown(other.unwrap_or("(no role)")),
        }
    }
    flow.end(session);
}

/// A message of the user; parts that OpenCode put there itself are not said, and a message of nothing else
/// begins no turn.
fn prompt(flow: &mut Flow<'_>, session: usize, at: At, message: &Message<'_>) {
    let (mut said, mut put, mut of_user) = (Vec::new(), 0_u64, 0_u64);
    let mut is_compaction = false;
    for element in elements(message.parts) {
        let part: Part<'_> = fields(Some(element));
        let is_put = json::is_true(part.synthetic) || json::is_true(part.ignored);
        match part.kind.map(Json::get) {
            Some("\"text\"" | "\"file\"" | "\"agent\"" | "\"subtask\"") if !is_put => {
                of_user += 1;
                said.extend(text(part.text));
            }
            Some("\"compaction\"") => {
                is_compaction = true;
                put += 1;
            }
            _ => put += 1,
        }
    }
    if is_compaction {
        flow.compaction(session, at);
    }
    if of_user == 0 && put > 0 {
        flow.stats.skipped += 1;
        return;
    }
    let said = said.join("\n");
    flow.turn(session, at, (!said.is_empty()).then_some(&*said));
}

/// A message of the model that is taken apart.
struct Answering<'m, 's, 'a> {
    flow: &'m mut Flow<'s>,
    document: &'m Document<'m>,
    session: usize,
    at: At,
    info: &'m Info<'a>,
}

/// One step of it.
struct Step {
    exchange: Exchange,
    results: Vec<(At, Answer)>,
}

impl Answering<'_, '_, '_> {
    fn step(&self) -> Step {
        let mut exchange = Exchange::new(self.flow, self.at);
        exchange.model = text(self.info.model).map(Cow::into_owned);
        Step { exchange, results: Vec::new() }
    }

    fn parts(mut self, message: &Message<'_>) {
        let mut step = self.step();
        for element in elements(message.parts) {
            let part: Part<'_> = fields(Some(element));
            let time: Time<'_> = fields(part.time);
            let ts = timestamp(time.start).or(self.at.ts);
            let at = At { line: self.document.line(element.get()), ts };
            match text(part.kind).as_deref() {
                Some("text") => step.exchange.text(at, &text(part.text).unwrap_or_default()),
                Some("reasoning") => {
                    step.exchange.thinking(&text(part.text).unwrap_or_default());
                }
                Some("tool") => {
                    self.tool(&mut step, at, &part);
                    if step.exchange.is_full() || step.results.len() > MAX {
                        let next = self.step();
                        self.hand_on(std::mem::replace(&mut step, next));
                    }
                }
                Some("step-finish") => {
                    step.exchange.usage = usage(part.tokens);
                    step.exchange.stop_reason = text(part.reason).map(Cow::into_owned);
                    let next = self.step();
                    self.hand_on(std::mem::replace(&mut step, next));
                }
                Some(known) if SILENT.contains(&known) => self.flow.stats.skipped += 1,
                other => self.flow.stats.unknown(other.unwrap_or("(no type)")),
            }
        }
        if !step.exchange.is_empty() || !step.results.is_empty() {
            step.exchange.usage = usage(self.info.tokens);
            step.exchange.stop_reason = text(self.info.finish).map(Cow::into_owned);
            self.hand_on(step);
        }
    }

    fn hand_on(&mut self, step: Step) {
        self.flow.answer(self.session, step.exchange);
        for (at, answer) in step.results {
            self.flow.result(self.session, at, answer);
        }
    }

    /// A call with its result.
    fn tool(&mut self, step: &mut Step, at: At, part: &Part<'_>) {
        let state: State<'_> = fields(part.state);
        let (id, name) = (text(part.call), text(part.tool).unwrap_or_default());
        let written = input(state.input);
        let time: Time<'_> = fields(state.time);
        let at = At { line: at.line, ts: timestamp(time.start).or(at.ts) };
        step.exchange.tool_use(id.as_deref(), &name, &written);
        let (whole, _) = tool_call(tools::find(&name), name, id.clone(), Some(&written));
        let calls = match hook::expand(whole) {
            Ok(calls) => calls,
            Err(message) => return self.flow.refuse(at.line, message),
        };
        let count = calls.len();
        let names: Vec<_> = calls.iter().map(|call| call.tool.clone().into_owned()).collect();
        calls.into_iter().for_each(|call| step.exchange.call(at, call));
        let metadata: Metadata<'_> = fields(state.metadata);
        let (value, completed) = match text(state.status).as_deref() {
            Some("completed") => (state.output, true),
            Some("error") => (state.error, false),
            // Pending or running: the export was made before it ended.
            _ => return,
        };
        let value = present(value).map(|raw| value_of(raw.get()));
        let ok = completed && present(metadata.exit).is_none_or(|code| code.get() == "0");
        let said = value.as_ref().and_then(Value::as_text).unwrap_or_default();
        let refused = REFUSALS.iter().find(|(start, _)| !completed && said.starts_with(start));
        let existed = match metadata.exists.map(Json::get) {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => (!completed && said.starts_with("File not found")).then_some(false),
        };
        let at = At { line: at.line, ts: timestamp(time.end).or(at.ts) };
        for (index, name) in names.iter().enumerate() {
            let id = numbered(id.as_ref(), index + 1);
            let part = lint::with_errors(name, share(value.as_ref(), index, count));
            let mut answer = Answer::new(id.as_deref(), part, ok);
            answer.never_run = answer.never_run.or(refused.map(|(_, reason)| *reason));
            answer.existed = existed;
            step.results.push((at, answer));
        }
    }
}

fn usage(raw: Raw<'_>) -> Usage {
    let tokens: Tokens<'_> = fields(raw);
    let cache: Cache<'_> = fields(tokens.cache);
    Usage {
        input: together([tokens.input, cache.read, cache.write].map(number)),
        output: number(tokens.output),
        thinking: number(tokens.reasoning),
        cached: number(cache.read),
    }
}

#[cfg(test)]
mod tests;
