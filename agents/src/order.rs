//! The order in which one answer of the model is handed on: its calls first, then their results, whatever
//! order a recording has them in, and what a result tells of a file where it was so: before its call what
//! was there, before the result what is there now. Knows no format, and keeps nothing but open calls.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Event, FileFact, ToolResult, Value};

use crate::failure;
use crate::never_run::NeverRun;
use crate::sink::{HashMap, Item, Sink, Stats};

/// Where something stands in the recording, and when it happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) line: u32,
    pub(crate) ts: Option<i64>,
}

/// Where the events of one session go, and what is counted on the way.
pub(crate) struct Outlet<'o> {
    pub(crate) sink: &'o mut dyn Sink,
    pub(crate) stats: &'o mut Stats,
    pub(crate) session: &'o str,
}

impl Outlet<'_> {
    pub(crate) fn emit(&mut self, at: At, event: Event<'_>) {
        self.stats.events += 1;
        let session = Cow::Borrowed(self.session);
        self.sink.item(Item { line: at.line, session, ts: at.ts, event });
    }

    fn fact(&mut self, at: At, path: &str, exists: bool) {
        let fact = FileFact { path: Cow::Borrowed(path), exists, ..FileFact::default() };
        self.emit(at, Event::Fs(fact));
    }
}

/// What a tool does with its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileAct {
    /// Reads it, or changes it where it must be there.
    Use,
    /// Makes it, or changes it.
    Make,
    Delete,
}

/// A tool's result, as a format has it.
pub(crate) trait Reply {
    fn at(&self) -> At;
    /// Returns the id of its call.
    fn id(&self) -> Option<&str>;
    /// Tells whether the tool succeeded.
    fn ok(&self) -> bool;
    /// Returns why the call did not run, where it did not. `tool` is the agent's own name for its tool.
    fn never_run(&self, tool: Option<&str>) -> Option<NeverRun>;
    /// Tells whether the file of the call was there before it, where that does not follow from success.
    fn existed(&self, act: FileAct) -> Option<bool>;
    /// Returns what the tool returned.
    fn value(&self) -> Option<Value<'_>>;
}

/// A call whose result did not come with its answer.
#[derive(Debug)]
pub(crate) struct OpenCall {
    tool: CallName<String>,
    file: Option<(String, FileAct)>,
}

/// The calls of one session that wait for a result, by id.
pub(crate) type OpenCalls = HashMap<String, OpenCall>;

/// What the tool of a call is called.
#[derive(Clone, Copy, Debug)]
struct CallName<N> {
    canonical: N,
    /// The agent's own name.
    native: N,
}

/// What a result says of its call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Outcome {
    never_run: Option<NeverRun>,
    ok: bool,
    existed: Option<bool>,
    exists: Option<bool>,
}

/// The calls that have a result beside them, by id: their file and what the result says.
type Judged<'b> = HashMap<Cow<'b, str>, (Option<Cow<'b, str>>, Outcome)>;

/// Hands on what an answer holds, and the results that came with it or before the next.
///
/// `facts` says whether tools have canonical names, so that file tools are known by them.
pub(crate) fn hand_on<'b, R: Reply>(
    steps: impl Iterator<Item = (At, Event<'b>)>,
    replies: &'b [R],
    facts: bool,
    open: &mut OpenCalls,
    out: &mut Outlet<'_>,
) {
    let mut first: HashMap<&str, &R> = HashMap::default();
    for reply in replies {
        if let Some(id) = reply.id() {
            first.entry(id).or_insert(reply);
        }
    }
    let mut judged = Judged::default();
    for (at, event) in steps {
        if let Event::ToolCall(call) = &event {
            let file = if facts { file_of(call) } else { None };
            match &call.id {
                Some(id) => match first.get(&**id) {
                    Some(reply) => {
                        before_call(at, call, file, *reply, &mut judged, out);
                        // No call of this id is open any longer.
                        if !open.is_empty() && open.remove(&**id).is_some() {
                            out.stats.open_calls += 1;
                        }
                    }
                    None => wait(call, id, file, open, out),
                },
                None => out.stats.open_calls += 1,
            }
        }
        out.emit(at, event);
    }
    for reply in replies {
        hand_on_result(reply, &mut judged, open, out);
    }
}

/// Tells what the result of a call says of its file before it.
fn before_call<'b, R: Reply>(
    at: At,
    call: &Call<'b>,
    file: Option<(Cow<'b, str>, FileAct)>,
    reply: &R,
    judged: &mut Judged<'b>,
    out: &mut Outlet<'_>,
) {
    let act = file.as_ref().map(|(_, act)| *act);
    let outcome = judge(reply, Some(names(call)), act);
    let path = file.map(|(path, _)| path);
    if let (Some(path), Some(exists)) = (&path, outcome.existed) {
        out.fact(at, path, exists);
    }
    let Some(id) = call.id.clone() else { return };
    if judged.insert(id, (path, outcome)).is_some() {
        out.stats.open_calls += 1;
    }
}

fn wait(
    call: &Call<'_>,
    id: &str,
    file: Option<(Cow<'_, str>, FileAct)>,
    open: &mut OpenCalls,
    out: &mut Outlet<'_>,
) {
    let file = file.map(|(path, act)| (path.into_owned(), act));
    let CallName { canonical, native } = names(call);
    let tool = CallName { canonical: canonical.to_owned(), native: native.to_owned() };
    let waiting = OpenCall { tool, file };
    if open.insert(id.to_owned(), waiting).is_some() {
        out.stats.open_calls += 1;
    }
}

fn hand_on_result<R: Reply>(
    reply: &R,
    judged: &mut Judged<'_>,
    open: &mut OpenCalls,
    out: &mut Outlet<'_>,
) {
    let known = reply.id().and_then(|id| {
        judged.remove(id).or_else(|| {
            let late = open.remove(id)?;
            let act = late.file.as_ref().map(|(_, act)| *act);
            let CallName { canonical, native } = &late.tool;
            let mut outcome = judge(reply, Some(CallName { canonical, native }), act);
            // The call is past: what its result tells holds from here on only.
            outcome.exists = outcome.exists.or(outcome.existed);
            Some((late.file.map(|(path, _)| Cow::Owned(path)), outcome))
        })
    });
    let (path, outcome) = known.unwrap_or_else(|| {
        out.stats.orphan_results += 1;
        (None, judge(reply, None, None))
    });
    let at = reply.at();
    if let (Some(path), Some(exists)) = (&path, outcome.exists) {
        out.fact(at, path, exists);
    }
    if let Some(reason) = outcome.never_run {
        *out.stats.never_run.entry(reason.name()).or_default() += 1;
        if !reason.is_failure() {
            return;
        }
    }
    let id = reply.id().map(Cow::Borrowed);
    let result = ToolResult { id, call: None, result: reply.value(), ok: outcome.ok };
    out.emit(at, Event::ToolResult(result));
}

fn judge<R: Reply>(reply: &R, tool: Option<CallName<&str>>, act: Option<FileAct>) -> Outcome {
    let never_run = reply.never_run(tool.map(|tool| tool.native));
    let failed = |tool: CallName<&str>| failure::is_told(tool.canonical, reply.value().as_ref());
    let ok = reply.ok() && never_run.is_none() && !tool.is_some_and(failed);
    let Some(act) = act else { return Outcome { never_run, ok, ..Outcome::default() } };
    let had_to_be_there = || (ok && act != FileAct::Make).then_some(true);
    let exists = match act {
        FileAct::Use => None,
        FileAct::Make => Some(true),
        FileAct::Delete => Some(false),
    };
    Outcome {
        never_run,
        ok,
        existed: reply.existed(act).or_else(had_to_be_there),
        exists: exists.filter(|_| ok),
    }
}

fn names<'c>(call: &'c Call<'_>) -> CallName<&'c str> {
    let native = call.native_tool.as_deref().unwrap_or(&call.tool);
    CallName { canonical: &call.tool, native }
}

/// The file that a call works on, by its canonical name.
fn file_of<'b>(call: &Call<'b>) -> Option<(Cow<'b, str>, FileAct)> {
    let act = match &*call.tool {
        "read" => FileAct::Use,
        "edit" if may_create(call) => FileAct::Make,
        "edit" => FileAct::Use,
        "write" => FileAct::Make,
        "delete" => FileAct::Delete,
        _ => return None,
    };
    match call.param("file_path")? {
        Value::Text(path) if !path.is_empty() => Some((path.clone(), act)),
        _ => None,
    }
}

/// Whether an edit replaces the empty text, which makes the file if it is not there.
fn may_create(call: &Call<'_>) -> bool {
    match (call.param("old_string"), call.param("edits")) {
        (Some(old), _) => old.as_text() == Some(""),
        (None, Some(Value::Json(edits))) => {
            edits.contains(r#""old_string":"""#) || edits.contains(r#""old_string": """#)
        }
        _ => false,
    }
}
