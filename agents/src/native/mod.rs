//! The native trace: JSON Lines, one event a line. Strict about the kind of event and the types of
//! its fields, and silent about fields that it does not know.

pub(crate) mod adapter;
pub(crate) mod hook;
mod write;

use std::borrow::Cow;
use std::io::{self, BufRead};

use behavior_runtime::event::{Call, Event, FileFact, Param, SessionStart, ToolResult, Value};
use behavior_runtime::workflow::{Oversight, Resumption, StepEnd};

use crate::command_line::{is_named_shell, name_command};
use crate::json::{self, Entries, Fault, Json, Raw, Slot, Slots};
use crate::lines::{self, Line, Lines};
use crate::recording::{Format, RecordingFormat};
use crate::sink::{HashMap, Item, Problem, Sink, Stats};

pub use write::to_native;

/// The session of events that name none.
pub use behavior_runtime::replay::DEFAULT_SESSION;

pub use behavior_runtime::event::POSITIONAL;

/// The name that commands and events use, for its recordings too.
pub(crate) const NAME: &str = "native";

/// Every kind of event, by its name in the format.
pub const EVENTS: &[&str] = &[
    "session_start",
    "turn_start",
    "turn_end",
    "text",
    "tool_call",
    "tool_result",
    "request",
    "response",
    "fs",
    "clock",
    "classifier_reply",
    "verifier_reply",
    "user_shell",
    "constitution",
    "workflow_start",
    "step_end",
    "workflow_resume",
    "compaction",
    "session_end",
];

/// Every field of every kind of event.
#[derive(Default)]
struct Fields<'a> {
    event: Raw<'a>,
    session: Raw<'a>,
    ts: Raw<'a>,
    agent: Raw<'a>,
    cwd: Raw<'a>,
    mode: Raw<'a>,
    headless: Raw<'a>,
    by_exchange: Raw<'a>,
    subagent: Raw<'a>,
    branch: Raw<'a>,
    tools: Raw<'a>,
    text: Raw<'a>,
    id: Raw<'a>,
    tool: Raw<'a>,
    native_tool: Raw<'a>,
    params: Params<'a>,
    native_params: Raw<'a>,
    result: Raw<'a>,
    ok: Raw<'a>,
    path: Raw<'a>,
    exists: Raw<'a>,
    size: Raw<'a>,
    mtime: Raw<'a>,
    lines: Raw<'a>,
    real: Raw<'a>,
    now: Raw<'a>,
    raw: Raw<'a>,
    error: Raw<'a>,
    command: Raw<'a>,
    hidden: Raw<'a>,
    workflow: Raw<'a>,
    input: Raw<'a>,
    step: Raw<'a>,
    output: Raw<'a>,
    control: Raw<'a>,
    control_error: Raw<'a>,
    how: Raw<'a>,
    oversight: Raw<'a>,
}

impl<'a> Slots<'a> for Fields<'a> {
    #[inline]
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        Slot::Keep(match key {
            "event" => &mut self.event,
            "subagent" => &mut self.subagent,
            "branch" => &mut self.branch,
            "tools" => &mut self.tools,
            "session" => &mut self.session,
            "ts" => &mut self.ts,
            "id" => &mut self.id,
            "tool" => &mut self.tool,
            "params" => return Slot::Entries(&mut self.params),
            "result" => &mut self.result,
            "ok" => &mut self.ok,
            "text" => &mut self.text,
            "path" => &mut self.path,
            "exists" => &mut self.exists,
            "size" => &mut self.size,
            "mtime" => &mut self.mtime,
            "real" => &mut self.real,
            "now" => &mut self.now,
            "raw" => &mut self.raw,
            "lines" => &mut self.lines,
            "error" => &mut self.error,
            "command" => &mut self.command,
            "hidden" => &mut self.hidden,
            "workflow" => &mut self.workflow,
            "input" => &mut self.input,
            "step" => &mut self.step,
            "output" => &mut self.output,
            "control" => &mut self.control,
            "control_error" => &mut self.control_error,
            "how" => &mut self.how,
            "oversight" => &mut self.oversight,
            "agent" => &mut self.agent,
            "cwd" => &mut self.cwd,
            "mode" => &mut self.mode,
            "headless" => &mut self.headless,
            "by_exchange" => &mut self.by_exchange,
            "native_tool" => &mut self.native_tool,
            "native_params" => &mut self.native_params,
            _ => return Slot::Ignore,
        })
    }
}

/// This project's own trace: one event a line.
struct NativeTrace;

/// The format, as it is registered.
pub(crate) const FORMAT: Format = Format::new(&NativeTrace);

impl RecordingFormat for NativeTrace {
    fn name(&self) -> &'static str {
        "native"
    }

    fn description(&self) -> &'static str {
        "Events of this project"
    }

    fn is_record(&self, line: &str) -> bool {
        is_event(line)
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
        read(input, sink)
    }
}

/// Reads a native trace.
fn read(input: &mut dyn BufRead, sink: &mut dyn Sink) -> io::Result<Stats> {
    let mut stats = Stats::default();
    let mut lines = Lines::new(input, lines::LIMIT);
    let mut buffer = Vec::new();
    while !sink.stop() {
        let line = lines.next(&mut buffer)?;
        let number = lines.number();
        let problem = match line {
            Line::End => break,
            Line::Text { text, ended } => match item(lines::trim(text), number) {
                Ok(Some(item)) => {
                    stats.events += 1;
                    sink.item(item);
                    None
                }
                Ok(None) => None,
                Err(_) if !ended && is_cut_off(text) => {
                    stats.truncated = true;
                    Some(cut_off(number))
                }
                Err(message) => Some(refused(number, message)),
            },
            other => unreadable(other, number),
        };
        if let Some(problem) = problem {
            stats.problems += 1;
            sink.problem(problem);
        }
        stats.lines += 1;
    }
    stats.bytes = lines.bytes();
    Ok(stats)
}

/// The problem of a line that could not be read as text.
pub(crate) fn unreadable(line: Line<'_>, number: u32) -> Option<Problem> {
    let message = match line {
        Line::TooLong => {
            format!("the line is longer than {} MiB and was passed over", lines::LIMIT >> 20)
        }
        Line::NotUtf8 { at } => {
            format!("the line is not UTF-8: byte {} is not part of a character", at + 1)
        }
        Line::Text { .. } | Line::End => return None,
    };
    Some(Problem::new(number, message))
}

/// Whether `line` is the beginning of a JSON object that does not end.
pub(crate) fn is_cut_off(line: &str) -> bool {
    let mut fields = Fields::default();
    json::object(lines::trim(line), &mut fields).is_err_and(|error| error.fault == Fault::Ends)
}

/// The problem of a last line that was not written to its end.
pub(crate) fn cut_off(number: u32) -> Problem {
    let message = "the last line is cut off: the recording stopped while it was written";
    Problem::new(number, message.to_owned())
}

/// Whether `line`, perhaps cut off, is an event of the native format.
pub(crate) fn is_event(line: &str) -> bool {
    let mut fields = Fields::default();
    // What was read before an error is enough.
    let _ = json::object(line, &mut fields);
    fields.event.and_then(json::text).is_some_and(|name| EVENTS.contains(&&*name))
}

/// Reads one line of a native trace. `Ok(None)` for an empty line.
///
/// # Errors
///
/// A [`Problem`] with the number `line` that says what is wrong.
pub fn parse(text: &str, line: u32) -> Result<Option<Item<'_>>, Problem> {
    item(lines::trim(text), line).map_err(|message| refused(line, message))
}

/// Reads a trimmed line; says what is wrong with it.
fn item(text: &str, line: u32) -> Result<Option<Item<'_>>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let mut fields = Fields::default();
    json::object(text, &mut fields).map_err(|error| json::explain(text, &error))?;
    let Some(name) = string("event", fields.event)? else {
        return Err("`event` is missing; every line needs it to say what happened".to_owned());
    };
    let session = string("session", fields.session)?.unwrap_or(Cow::Borrowed(DEFAULT_SESSION));
    let ts = integer("ts", fields.ts)?;
    let event = event(&name, text, &mut fields)?;
    Ok(Some(Item { line, session, ts, event }))
}

fn event<'a>(name: &str, text: &'a str, fields: &mut Fields<'a>) -> Result<Event<'a>, String> {
    Ok(match name {
        "tool_call" => Event::ToolCall(call(fields)?.ok_or_else(|| missing(name, "tool"))?),
        "tool_result" => Event::ToolResult(ToolResult {
            id: string("id", fields.id)?,
            call: call(fields)?,
            result: fields.result.map(Value::from),
            ok: boolean("ok", fields.ok)?.unwrap_or(true),
        }),
        "text" => {
            Event::Text { text: string("text", fields.text)?.ok_or_else(|| missing(name, "text"))? }
        }
        "turn_end" => Event::TurnEnd { text: string("text", fields.text)? },
        "turn_start" => Event::TurnStart { text: string("text", fields.text)? },
        "session_start" => Event::SessionStart(SessionStart {
            agent: string("agent", fields.agent)?,
            cwd: string("cwd", fields.cwd)?,
            mode: string("mode", fields.mode)?,
            headless: boolean("headless", fields.headless)?,
            subagent: boolean("subagent", fields.subagent)?,
            branch: string("branch", fields.branch)?,
            tools: names("tools", fields.tools)?,
            by_exchange: boolean("by_exchange", fields.by_exchange)?.unwrap_or(false),
        }),
        "request" => Event::Request { body: Cow::Borrowed(text) },
        "response" => Event::Response { body: Cow::Borrowed(text) },
        "fs" => Event::Fs(file_fact(name, fields)?),
        "clock" => {
            Event::Clock { now: integer("now", fields.now)?.ok_or_else(|| missing(name, "now"))? }
        }
        "classifier_reply" => Event::ClassifierReply {
            raw: string("raw", fields.raw)?.ok_or_else(|| missing(name, "raw"))?,
        },
        "verifier_reply" => Event::VerifierReply {
            reply: match (string("raw", fields.raw)?, string("error", fields.error)?) {
                (None, None) => return Err(missing(name, "raw")),
                (Some(raw), None) => Ok(raw),
                (_, Some(error)) => Err(error),
            },
        },
        "user_shell" => Event::UserShell {
            command: string("command", fields.command)?.ok_or_else(|| missing(name, "command"))?,
            hidden: boolean("hidden", fields.hidden)?.unwrap_or(false),
        },
        "workflow_start" => Event::WorkflowStart {
            workflow: string("workflow", fields.workflow)?
                .ok_or_else(|| missing(name, "workflow"))?,
            input: string("input", fields.input)?,
        },
        "step_end" => Event::StepEnd(step_end(name, fields)?),
        "workflow_resume" => Event::WorkflowResume { how: resumption(name, fields)? },
        "compaction" => Event::Compaction,
        "session_end" => Event::SessionEnd,
        "constitution" => Event::Constitution { body: Cow::Borrowed(text) },
        _ => return Err(unknown_event(name)),
    })
}

fn resumption(name: &str, fields: &Fields<'_>) -> Result<Resumption, String> {
    let how = string("how", fields.how)?.ok_or_else(|| missing(name, "how"))?;
    Resumption::named(&how).ok_or_else(|| {
        let names = Resumption::ALL.map(Resumption::name).join(", ");
        let shown: String = how.chars().take(60).collect();
        format!("unknown `how` `{shown}` of `{name}`: it is one of {names}")
    })
}

fn step_end<'a>(name: &str, fields: &Fields<'a>) -> Result<StepEnd<'a>, String> {
    let step = integer("step", fields.step)?.ok_or_else(|| missing(name, "step"))?;
    Ok(StepEnd {
        step: u32::try_from(step).map_err(|_| format!("`step` is out of range: {step}"))?,
        agent: string("agent", fields.agent)?,
        ok: boolean("ok", fields.ok)?.unwrap_or(true),
        output: string("output", fields.output)?,
        control: present(fields.control).map(|control| {
            // A file as it was found, or what it holds.
            json::text(control).unwrap_or(Cow::Borrowed(control.get()))
        }),
        unreadable: string("control_error", fields.control_error)?,
        oversight: oversight(fields.oversight)?,
    })
}

fn oversight<'a>(raw: Raw<'a>) -> Result<Option<Oversight<'a>>, String> {
    let Some(raw) = present(raw) else { return Ok(None) };
    let entries = json::Fields::of(raw.get());
    let advice = string("advice", entries.field("advice"))?.map(Oversight::Advice);
    let error = string("error", entries.field("error"))?.map(Oversight::Failed);
    let said = error.or(advice);
    said.map(Some).ok_or_else(|| "`oversight` needs `advice` or `error`".to_owned())
}

/// A list of names.
fn names<'a>(name: &str, raw: Raw<'a>) -> Result<Option<Vec<Cow<'a, str>>>, String> {
    let Some(raw) = present(raw) else { return Ok(None) };
    let mut names = Vec::new();
    let mut is_right = true;
    json::items(raw.get(), |item| match json::text(item) {
        // No agent has more tools than this, and a trace is from anybody.
        Some(text) if names.len() < Params::MAX => names.push(text),
        Some(_) => {}
        None => is_right = false,
    })
    .map_err(|_| mismatch(name, "a list of names", raw))?;
    match is_right {
        true => Ok(Some(names)),
        false => Err(mismatch(name, "a list of names", raw)),
    }
}

fn file_fact<'a>(name: &str, fields: &Fields<'a>) -> Result<FileFact<'a>, String> {
    let size = amount("size", fields.size)?;
    Ok(FileFact {
        path: string("path", fields.path)?.ok_or_else(|| missing(name, "path"))?,
        exists: boolean("exists", fields.exists)?.ok_or_else(|| missing(name, "exists"))?,
        size,
        lines: amount("lines", fields.lines)?,
        mtime: integer("mtime", fields.mtime)?,
        real: string("real", fields.real)?,
    })
}

/// The call that an event holds, if it names a tool.
fn call<'a>(fields: &mut Fields<'a>) -> Result<Option<Call<'a>>, String> {
    let Some(tool) = string("tool", fields.tool)? else {
        return Ok(None);
    };
    if tool.is_empty() {
        return Err("`tool` is empty; it must name the tool".to_owned());
    }
    let mut params = params(std::mem::take(&mut fields.params))?;
    if let Some(names) = present(fields.native_params) {
        native_names(names, &mut params)?;
    }
    let native_tool = string("native_tool", fields.native_tool)?;
    if [Some(&tool), native_tool.as_ref()].into_iter().flatten().any(|name| is_named_shell(name)) {
        name_command(&mut params);
    }
    Ok(Some(Call { id: string("id", fields.id)?, tool, native_tool, params }))
}

fn params(params: Params<'_>) -> Result<Vec<Param<'_>>, String> {
    let Some(raw) = present(params.whole) else {
        return Ok(Vec::new());
    };
    match raw.get().as_bytes().first() {
        Some(b'{') if params.overflowed => {
            Err(format!("`params` has more than {} entries", Params::MAX))
        }
        Some(b'{') => Ok(params.list),
        Some(b'[') => {
            let value = Value::from(raw);
            Ok(vec![Param { name: Cow::Borrowed(POSITIONAL), native: None, value }])
        }
        _ => Err(format!("`params` must be an object or a list, but is {}", json::kind(raw.get()))),
    }
}

/// Sets the agent's own names of parameters: an object from the canonical name to the native one.
fn native_names<'a>(raw: Json<'a>, params: &mut [Param<'a>]) -> Result<(), String> {
    let mut names = HashMap::default();
    json::entries(raw.get(), |name, value| {
        // Names of parameters that there cannot be are not worth keeping.
        if names.len() < Params::MAX {
            names.insert(name, json::text(value));
        }
    })
    .map_err(|_| mismatch("native_params", "an object", raw))?;
    for param in params {
        param.native = names.remove(&param.name).flatten();
    }
    Ok(())
}

/// Parameters in the order given; of two with one name, the later value counts, as in JSON.
#[derive(Default)]
pub(crate) struct Params<'a> {
    pub(crate) list: Vec<Param<'a>>,
    /// Where each name is, once there are too many to look through.
    index: Option<HashMap<Cow<'a, str>, usize>>,
    /// The JSON text that they come from.
    whole: Raw<'a>,
    /// Whether there were more than are kept.
    pub(crate) overflowed: bool,
}

impl<'a> Params<'a> {
    /// How many are kept. Each takes far more room than its text need have.
    pub(crate) const MAX: usize = 1 << 16;

    pub(crate) fn push(
        &mut self,
        name: Cow<'a, str>,
        native: Option<Cow<'a, str>>,
        value: Value<'a>,
    ) {
        let earlier = self.position(&name);
        if earlier.is_none() && self.list.len() == Self::MAX {
            self.overflowed = true;
            return;
        }
        match earlier.and_then(|at| self.list.get_mut(at)) {
            Some(param) => *param = Param { name, native, value },
            None => {
                if let Some(index) = &mut self.index {
                    index.insert(name.clone(), self.list.len());
                }
                self.list.push(Param { name, native, value });
            }
        }
    }

    fn position(&mut self, name: &str) -> Option<usize> {
        const FEW: usize = 16;
        if self.list.len() < FEW {
            return self.list.iter().position(|param| param.name == name);
        }
        let list = &self.list;
        let index = self
            .index
            .get_or_insert_with(|| list.iter().map(|param| param.name.clone()).zip(0..).collect());
        index.get(name).copied()
    }
}

impl<'a> Entries<'a> for Params<'a> {
    fn entry(&mut self, key: Cow<'a, str>, value: Json<'a>) {
        self.push(key, None, Value::from(value));
    }

    fn begin(&mut self) {
        self.list.clear();
        self.index = None;
        self.overflowed = false;
    }

    fn whole(&mut self, value: Json<'a>) {
        self.whole = Some(value);
    }
}

/// A field that is there and not null.
pub(crate) fn present(raw: Raw<'_>) -> Raw<'_> {
    raw.filter(|raw| raw.get() != "null")
}

pub(crate) fn string<'a>(name: &str, raw: Raw<'a>) -> Result<Option<Cow<'a, str>>, String> {
    let Some(raw) = present(raw) else {
        return Ok(None);
    };
    json::text(raw).map(Some).ok_or_else(|| mismatch(name, "a string", raw))
}

pub(crate) fn boolean(name: &str, raw: Raw<'_>) -> Result<Option<bool>, String> {
    match present(raw).map(Json::get) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => {
            Err(raw.map_or_else(String::new, |raw| mismatch(name, "`true` or `false`", raw)))
        }
    }
}

/// A whole number; a fraction of a millisecond is dropped.
pub(crate) fn integer(name: &str, raw: Raw<'_>) -> Result<Option<i64>, String> {
    /// Beyond this, a floating-point number no longer tells milliseconds apart.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let Some(raw) = present(raw) else {
        return Ok(None);
    };
    if let Ok(whole) = raw.get().parse::<i64>() {
        return Ok(Some(whole));
    }
    match raw.get().parse::<f64>() {
        #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
        Ok(number) if number.abs() <= EXACT => Ok(Some(number.floor() as i64)),
        Ok(_) => Err(format!("`{name}` is out of range: {}", raw.get())),
        Err(_) => Err(mismatch(name, "a number", raw)),
    }
}

/// A whole number that is not negative.
fn amount(name: &str, raw: Raw<'_>) -> Result<Option<u64>, String> {
    let number = integer(name, raw)?;
    let amount =
        |number| u64::try_from(number).map_err(|_| format!("`{name}` must not be negative"));
    number.map(amount).transpose()
}

fn mismatch(name: &str, expected: &str, raw: Json<'_>) -> String {
    format!("`{name}` must be {expected}, but is {}", json::kind(raw.get()))
}

pub(crate) fn missing(event: &str, field: &str) -> String {
    format!("`{event}` needs the field `{field}`")
}

/// The problem of a line that is no event.
fn refused(line: u32, message: String) -> Problem {
    Problem { line, message, is_native: true }
}

fn unknown_event(name: &str) -> String {
    let shown: String = name.chars().take(60).collect();
    let close = EVENTS
        .iter()
        .map(|known| (strsim::damerau_levenshtein(&shown, known), known))
        .filter(|(distance, known)| *distance <= 1 + known.len() / 4)
        .min_by_key(|(distance, _)| *distance);
    let hint = close.map(|(_, known)| format!("; did you mean `{known}`?")).unwrap_or_default();
    format!("unknown event `{shown}`{hint} (known events: {})", EVENTS.join(", "))
}

#[cfg(test)]
mod tests;
