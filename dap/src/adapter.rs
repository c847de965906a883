//! Requests of the client in, answers and events out. Holds what is being debugged, and where it stands; the work of
//! running on is done in slices, by [`Adapter::work`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::breakpoints::{Breakpoint, FILTERS, On, in_recording};
use crate::debuggee::{Debuggee, Direction, Ran, Until};
use crate::frames;
use crate::project::{Launch, Project};
use crate::protocol::{
    BreakpointAnswer, Initialize, Message, Place, Scope, SetBreakpoints, SetExceptionBreakpoints,
    SetFunctionBreakpoints, Source, StackFrame, Variable,
};
use crate::values::{self, Shown};

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It does.
    GoOn,
    /// The client has left.
    Goodbye,
}

/// The adapter for one client.
pub struct Adapter<P> {
    project: P,
    client: Initialize,
    debuggee: Option<Debuggee>,
    /// What can be asked for by a number, from 1; valid until the session goes on.
    shown: Vec<Vec<Shown>>,
    seq: u64,
    messages: Vec<Message>,
}

/// What a request comes to: the body of its answer, or what is wrong.
type Answer = Result<Option<Value>, String>;

impl<P: Project> Adapter<P> {
    /// Begins with nothing to debug.
    pub fn new(project: P) -> Self {
        let client = Initialize::default();
        Self { project, client, debuggee: None, shown: Vec::new(), seq: 0, messages: Vec::new() }
    }

    /// Returns whether there is work to do.
    pub fn is_running(&self) -> bool {
        self.debuggee.as_ref().is_some_and(Debuggee::is_running)
    }

    /// Returns what the client is to be sent.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// Says something to the user.
    pub fn say(&mut self, text: &str) {
        self.event("output", json!({ "category": "console", "output": format!("{text}\n") }));
    }

    /// Takes a message of the client.
    pub fn hear(&mut self, message: &Value) -> Heard {
        if message.get("type").and_then(Value::as_str) != Some("request") {
            return Heard::GoOn;
        }
        let command = message.get("command").and_then(Value::as_str).unwrap_or_default().to_owned();
        let request_seq = message.get("seq").and_then(Value::as_u64).unwrap_or_default();
        let arguments = message.get("arguments").cloned().unwrap_or_default();
        let answer = self.answer(&command, arguments);
        let success = answer.is_ok();
        let (body, message) = match answer {
            Ok(body) => (body, None),
            Err(reason) => {
                let error = json!({ "id": 1, "format": reason, "showUser": true });
                (Some(json!({ "error": error })), Some(reason))
            }
        };
        let seq = self.next_seq();
        let response = Message::Response {
            seq,
            request_seq,
            success,
            command: command.clone(),
            message,
            body,
        };
        self.messages.push(response);
        match &*command {
            "launch" if success => {
                self.event("initialized", Value::Null);
                self.introduce();
            }
            "configurationDone" if success => self.tell_stop(),
            "disconnect" | "terminate" => {
                self.event("terminated", Value::Null);
                return Heard::Goodbye;
            }
            _ => {}
        }
        Heard::GoOn
    }

    fn answer(&mut self, command: &str, arguments: Value) -> Answer {
        match command {
            "initialize" => {
                self.client = parse(arguments)?;
                Ok(Some(capabilities()))
            }
            "launch" => self.launch(&parse(arguments)?),
            "attach" => Err("there is nothing to attach to: `launch` a recording".to_owned()),
            "setBreakpoints" => self.set_breakpoints(parse(arguments)?),
            "setFunctionBreakpoints" => self.set_functions(parse(arguments)?),
            "setExceptionBreakpoints" => {
                let wanted: SetExceptionBreakpoints = parse(arguments)?;
                self.debuggee()?.breakpoints.filters = wanted.filters;
                Ok(None)
            }
            "configurationDone" => {
                let Self { debuggee, project, .. } = self;
                debuggee.as_mut().ok_or_else(nothing)?.start(project);
                Ok(None)
            }
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(&parse(arguments)?),
            "scopes" => self.scopes(&parse(arguments)?),
            "variables" => self.variables(&parse(arguments)?),
            "evaluate" => self.evaluate(&parse(arguments)?),
            "pause" => {
                self.debuggee()?.pause();
                Ok(None)
            }
            "disconnect" | "terminate" => Ok(None),
            _ => self.go(command, &parse(arguments)?),
        }
    }

    /// Starts running on or back.
    fn go(&mut self, command: &str, place: &Place) -> Answer {
        let session = usize::try_from(place.thread_id - 1).unwrap_or(0);
        let (direction, until) = match command {
            "continue" => (Direction::On, Until::Breakpoint),
            "next" => (Direction::On, Until::EventOf(session)),
            "stepIn" => (Direction::On, Until::Event),
            "stepOut" => (Direction::On, Until::TurnOf(session)),
            "stepBack" => (Direction::Back, Until::EventOf(session)),
            "reverseContinue" => (Direction::Back, Until::Breakpoint),
            _ => return Err(format!("the request `{command}` is not known here")),
        };
        self.shown.clear();
        self.debuggee()?.go(direction, until)?;
        Ok((command == "continue").then(|| json!({ "allThreadsContinued": true })))
    }

    /// Does a slice of the work, and tells the client where it ends.
    pub fn work(&mut self) {
        let Self { debuggee, project, .. } = self;
        let Some(debuggee) = debuggee else { return };
        let ran = debuggee.work(project);
        let said = std::mem::take(&mut debuggee.said);
        said.iter().for_each(|text| self.say(text));
        match ran {
            Ran::Further => {}
            Ran::Stopped => self.tell_stop(),
            Ran::Over => self.event("terminated", Value::Null),
        }
    }

    fn tell_stop(&mut self) {
        let Some(stop) = self.debuggee.as_ref().and_then(Debuggee::stop) else { return };
        let mut body = json!({
            "reason": stop.hit.reason,
            "description": stop.hit.description,
            "text": stop.hit.description,
            "threadId": stop.session + 1,
            "allThreadsStopped": true,
        });
        if let (Some(id), Value::Object(fields)) = (stop.hit.id, &mut body) {
            fields.insert("hitBreakpointIds".to_owned(), json!([id]));
        }
        self.shown.clear();
        self.event("stopped", body);
    }

    fn launch(&mut self, launch: &Launch) -> Answer {
        if self.debuggee.is_some() {
            return Err("a recording is being debugged already".to_owned());
        }
        if launch.trace.is_empty() {
            return Err("`trace` is missing: the path of a recording".to_owned());
        }
        self.debuggee = Some(Debuggee::load(&mut self.project, launch)?);
        Ok(None)
    }

    fn introduce(&mut self) {
        let Some(debuggee) = &self.debuggee else { return };
        let recording = debuggee.recording();
        let (events, sessions) = (recording.events.len(), recording.sessions.len());
        let mut text = format!("events: {events}, sessions: {sessions}");
        if recording.problems > 0 {
            text.push_str(&format!(", lines that were not understood: {}", recording.problems));
        }
        self.say(&text);
    }

    fn debuggee(&mut self) -> Result<&mut Debuggee, String> {
        self.debuggee.as_mut().ok_or_else(nothing)
    }

    fn set_breakpoints(&mut self, wanted: SetBreakpoints) -> Answer {
        let first = self.first_line();
        let Self { debuggee, project, .. } = self;
        let debuggee = debuggee.as_mut().ok_or_else(nothing)?;
        let path = project.path(&wanted.source.path.unwrap_or_default());
        let mut lines = Vec::new();
        let find = |line: i64| {
            let asked = u32::try_from(line + 1 - first).unwrap_or(1);
            let (on, line) = if path == debuggee.path {
                let on = in_recording(debuggee.timeline.recording(), asked);
                let line = if let On::Event(line) = on { line } else { asked };
                (on, line)
            } else {
                debuggee.places.find(&path, asked)
            };
            lines.push(i64::from(line) + first - 1);
            on
        };
        debuggee.breakpoints.set_lines(&path, wanted.breakpoints, find);
        debuggee.check_conditions(project);
        let set = debuggee.breakpoints.lines.get(&path).into_iter().flatten();
        let answers = set.zip(lines).map(|(set, line)| answer_of(set, Some(line)));
        body(json!({ "breakpoints": answers.collect::<Vec<_>>() }))
    }

    fn set_functions(&mut self, wanted: SetFunctionBreakpoints) -> Answer {
        let Self { debuggee, project, .. } = self;
        let debuggee = debuggee.as_mut().ok_or_else(nothing)?;
        debuggee.breakpoints.set_functions(wanted.breakpoints, &debuggee.layers);
        debuggee.check_conditions(project);
        let set = debuggee.breakpoints.functions.iter();
        let answers: Vec<_> = set.map(|set| answer_of(set, None)).collect();
        body(json!({ "breakpoints": answers }))
    }

    fn threads(&mut self) -> Answer {
        let sessions = &self.debuggee()?.recording().sessions;
        let thread = |(id, name): (usize, &String)| json!({ "id": id, "name": name });
        let threads: Vec<Value> = (1..).zip(sessions).map(thread).collect();
        body(json!({ "threads": threads }))
    }

    fn stack_trace(&mut self, place: &Place) -> Answer {
        let first = self.first_line();
        let first_column = i64::from(self.client.columns_start_at1);
        let Self { debuggee, project, .. } = self;
        let debuggee = debuggee.as_ref().ok_or_else(nothing)?;
        let stop = debuggee.stop().ok_or_else(|| "it stands at no event now".to_owned())?;
        let session = usize::try_from(place.thread_id - 1).unwrap_or(0);
        let recording = debuggee.recording();
        let mut all = Vec::new();
        if session == stop.session {
            all = frames::of_rules(&stop.decision, &debuggee.layers, &|name| project.path(name));
            all.push(frames::of_event(recording, stop.at, &debuggee.path));
        } else {
            // Another session stands at its last event.
            let mut before = recording.events.iter().take(stop.at);
            let last = before.rposition(|recorded| recorded.session == session);
            all.extend(last.map(|at| frames::of_event(recording, at, &debuggee.path)));
        }
        let total = all.len();
        let start = place.start_frame.unwrap_or(0);
        let levels = place.levels.filter(|levels| *levels > 0).unwrap_or(usize::MAX);
        let frames = all.into_iter().enumerate().skip(start).take(levels);
        let frames = frames.map(|(id, frame)| StackFrame {
            // Frames of other sessions come behind those of this one.
            id: if session == stop.session { id + 1 } else { OTHERS + session },
            name: frame.name,
            source: Source { name: file_name(&frame.path), path: Some(frame.path) },
            line: i64::from(frame.line) + first - 1,
            column: i64::from(frame.column) + first_column - 1,
        });
        let frames: Vec<StackFrame> = frames.collect();
        body(json!({ "stackFrames": frames, "totalFrames": total }))
    }

    fn scopes(&mut self, place: &Place) -> Answer {
        let Self { debuggee, shown, .. } = self;
        let debuggee = debuggee.as_mut().ok_or_else(nothing)?;
        let groups = match usize::try_from(place.frame_id).unwrap_or(0) {
            other if other >= OTHERS => debuggee.scopes_of_other(other - OTHERS),
            _ => debuggee.scopes().ok_or_else(|| "it stands at no event now".to_owned())?,
        };
        let scopes = groups.into_iter().map(|(name, variables)| {
            shown.push(variables);
            Scope { name, variables_reference: shown.len(), expensive: false }
        });
        let scopes: Vec<_> = scopes.collect();
        body(json!({ "scopes": scopes }))
    }

    fn variables(&mut self, place: &Place) -> Answer {
        let at = place.variables_reference.checked_sub(1);
        let group = at.and_then(|at| self.shown.get_mut(at)).map(std::mem::take);
        let Some(group) = group else {
            return Err("these variables are gone: the session went on".to_owned());
        };
        let start = place.start.unwrap_or(0);
        let count = place.count.filter(|count| *count > 0).unwrap_or(usize::MAX);
        let page = group.iter().skip(start).take(count).cloned();
        let variables: Vec<Variable> = page.map(|one| self.variable(one)).collect();
        if let Some(place) = at.and_then(|at| self.shown.get_mut(at)) {
            *place = group;
        }
        body(json!({ "variables": variables }))
    }

    fn variable(&mut self, shown: Shown) -> Variable {
        let Shown { name, value, inside } = shown;
        let is_list = inside.len() > 1 && inside.iter().all(|part| part.name.starts_with('['));
        let indexed_variables = is_list.then_some(inside.len());
        let variables_reference = match inside.is_empty() {
            true => 0,
            false => {
                self.shown.push(inside);
                self.shown.len()
            }
        };
        Variable { name, value, variables_reference, indexed_variables }
    }

    fn evaluate(&mut self, place: &Place) -> Answer {
        let Self { debuggee, project, .. } = self;
        let debuggee = debuggee.as_mut().ok_or_else(nothing)?;
        let expression = place.expression.trim();
        if expression.is_empty() {
            return Err("there is nothing to evaluate".to_owned());
        }
        let found = match debuggee.named(expression) {
            Some(part) => part,
            None => {
                let (truth, steps) = debuggee.evaluate(project, expression)?;
                let steps = steps.into_iter().map(|(condition, truth, saw)| {
                    let gap = if saw.is_empty() { "" } else { ": " };
                    Shown::plain(condition, format!("{}{gap}{saw}", values::of_truth(truth)))
                });
                Shown {
                    name: expression.to_owned(),
                    value: values::of_truth(truth).to_owned(),
                    inside: steps.collect(),
                }
            }
        };
        let Variable { value, variables_reference, .. } = self.variable(found);
        body(json!({ "result": value, "variablesReference": variables_reference }))
    }

    /// The number of the first line, as the client counts.
    fn first_line(&self) -> i64 {
        i64::from(self.client.lines_start_at1)
    }

    fn event(&mut self, event: &'static str, body: Value) {
        let seq = self.next_seq();
        let body = (!body.is_null()).then_some(body);
        self.messages.push(Message::Event { seq, event, body });
    }

    fn next_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }
}

/// The numbers of frames of other sessions begin here.
const OTHERS: usize = 1 << 20;

fn nothing() -> String {
    "nothing is being debugged: `launch` a recording first".to_owned()
}

fn parse<T: DeserializeOwned>(arguments: Value) -> Result<T, String> {
    // Where nothing is said, what holds then is.
    let arguments = if arguments.is_null() { json!({}) } else { arguments };
    serde_json::from_value(arguments).map_err(|error| format!("the request is wrong: {error}"))
}

fn body(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map(Some).map_err(|error| error.to_string())
}

fn answer_of(set: &Breakpoint, line: Option<i64>) -> BreakpointAnswer {
    let message = match &set.on {
        On::Nothing(why) => Some(why.clone()),
        _ => set.trouble.clone(),
    };
    BreakpointAnswer { id: set.id, verified: message.is_none(), message, line }
}

fn file_name(path: &str) -> Option<String> {
    path.rsplit(['/', '\\']).next().map(str::to_owned)
}

fn capabilities() -> Value {
    let filters = FILTERS.map(
        |(filter, label, default)| json!({ "filter": filter, "label": label, "default": default }),
    );
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsStepBack": true,
        "supportsEvaluateForHovers": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "exceptionBreakpointFilters": filters,
    })
}
