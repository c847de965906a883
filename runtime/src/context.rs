//! One event, as conditions and messages look at it: the call with its parameters, the text, the
//! result. A call that waits for its result is kept here too, in buffers that are used again.

use std::sync::Arc;

use crate::decision::Phase;
use behavior_facts::commands::{COMMAND_PARAMS, Hints, command_of};
use behavior_facts::event::{Call, Value};
use behavior_facts::known_params::{KnownParam, KnownParams, target_names};
use behavior_facts::mark::{are_equal, mark};
use behavior_facts::path;
use behavior_facts::touched::{DIRECTORY_PARAMS, ToolFiles};
use behavior_facts::value::ValueRef;
use behavior_image::format::SetRecord;
use behavior_image::{Image, TARGET_PARAMS, View};

/// The parameters of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Params<'a> {
    source: Source<'a>,
    target: Option<Target<'a>>,
    /// The command line that they come to, where no one of them holds it.
    told: Option<&'a str>,
    /// What their names say of it.
    hints: Hints,
}

#[derive(Clone, Copy, Debug, Default)]
enum Source<'a> {
    #[default]
    None,
    Call(&'a Call<'a>),
    Kept(&'a KeptCall),
}

impl<'a> Params<'a> {
    /// Those of a call.
    pub fn of_call(call: &'a Call<'a>) -> Self {
        let mut search = TargetSearch::default();
        let mut best = None;
        for param in &call.params {
            if search.is_better(target_names(param), &param.value) {
                best = Some(param);
            }
        }
        let target = best.and_then(|param| {
            Target::of(TARGET_PARAMS.get(search.best as usize)?, (&param.value).into())
        });
        Self { source: Source::Call(call), target, told: None, hints: Hints::ALL }
    }

    /// The same with the command line that they come to.
    pub fn with_line(self, told: Option<&'a str>) -> Self {
        Self { told, ..self }
    }

    /// What their names say of the command line that they come to.
    #[inline]
    pub fn hints(self) -> Hints {
        self.hints
    }

    /// The command line that they come to, where no one of them holds it.
    pub fn told_line(self) -> Option<&'a str> {
        self.told
    }

    /// Those of a call that has waited for its result.
    #[inline(always)]
    pub fn of_kept(kept: &'a KeptCall) -> Self {
        let target = kept.target.and_then(|target| {
            let text = &kept.params.get(target.param)?.value;
            Some(Target { text, is_path: target.is_path })
        });
        Self { source: Source::Kept(kept), target, told: kept.told.as_deref(), hints: kept.hints }
    }

    /// The call's target, for everything but sets that say otherwise.
    #[inline]
    pub fn target(self) -> Option<Target<'a>> {
        self.target
    }

    /// The directory that a tool which runs command lines is told to run one in; empty where it is not told.
    pub fn working_directory(self) -> &'a str {
        let texts = DIRECTORY_PARAMS.iter().filter_map(|name| match self.get(name) {
            Some(ValueRef::Text(text)) if !text.is_empty() => Some(text),
            _ => None,
        });
        texts.map(str::trim).next().unwrap_or_default()
    }

    /// The call's target as a set takes it.
    #[inline(always)]
    pub fn target_of_set(self, view: View<'_>, set: &SetRecord) -> Option<Target<'a>> {
        match set.has_usual_target != 0 {
            true => self.target,
            false => self.named_target(view, set),
        }
    }

    #[inline(never)]
    fn named_target(self, view: View<'_>, set: &SetRecord) -> Option<Target<'a>> {
        view.list(set.targets, set.targets_len)
            .find_map(|name| {
                let name = view.string_bytes(name);
                Target::of(name, self.get(name)?)
            })
            .or(self.target)
    }

    #[inline]
    pub fn get(self, name: impl AsRef<[u8]>) -> Option<ValueRef<'a>> {
        match self.source {
            Source::None => None,
            Source::Call(call) => call.param_of(name.as_ref()).map(Into::into),
            Source::Kept(kept) => kept.get(name.as_ref()),
        }
    }

    /// A parameter by its canonical name alone: what an agent calls `command` may be the text of a patch.
    fn get_canonical(self, name: &str) -> Option<ValueRef<'a>> {
        match self.source {
            Source::None => None,
            Source::Call(call) => call
                .params
                .iter()
                .find(|param| param.name == name)
                .map(|param| (&param.value).into()),
            Source::Kept(kept) => {
                let param = kept.params().iter().find(|param| *param.known.name == *name)?;
                Some(param.value())
            }
        }
    }

    /// The command line in a parameter, where there is the parameter: of a call to a shell, whatever its
    /// parameters are. `Some(None)` is one that nobody knows.
    pub fn command_line(self, name: &str, is_shell: bool) -> Option<Option<ValueRef<'a>>> {
        let is_call = !matches!(self.source, Source::None);
        let of_shell = is_shell && name == COMMAND_PARAMS[0] && is_call;
        match (of_shell, self.told) {
            (true, Some(told)) => Some(Some(ValueRef::Text(told))),
            (true, None) => Some(command_of(|name| self.get(name))),
            (false, _) if name == COMMAND_PARAMS[0] => self.get_canonical(name).map(Some),
            (false, _) => self.get(name).map(Some),
        }
    }

    /// All parameters, by their names and the agent's own names for them.
    pub fn for_each_named(self, mut visit: impl FnMut(&'a str, Option<&'a str>, ValueRef<'a>)) {
        match self.source {
            Source::None => {}
            Source::Call(call) => call.params.iter().for_each(|param| {
                visit(&param.name, param.native.as_deref(), (&param.value).into());
            }),
            Source::Kept(kept) => kept.params().iter().for_each(|param| {
                visit(&param.known.name, param.known.native.as_deref(), param.value());
            }),
        }
    }

    /// All values.
    pub fn for_each(self, mut visit: impl FnMut(ValueRef<'a>)) {
        match self.source {
            Source::None => {}
            Source::Call(call) => call.params.iter().for_each(|param| visit((&param.value).into())),
            Source::Kept(kept) => kept.params().iter().for_each(|param| visit(param.value())),
        }
    }
}

/// One event in the light of which rules are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvaluationContext<'a> {
    pub phase: Phase,
    /// The index of the tool, where there is one.
    pub tool: Option<u32>,
    /// Whether it runs command lines.
    pub is_shell: bool,
    /// What it does with the files that its parameters name.
    pub files: ToolFiles,
    pub params: Params<'a>,
    pub text: &'a str,
    pub result: Option<ValueRef<'a>>,
    pub ok: bool,
    /// How often the same tool ran in a row, counting a call that is about to run.
    pub consecutive: u32,
}

impl<'a> EvaluationContext<'a> {
    /// A call of a tool that is made, where nobody asks how often it was called in a row.
    pub fn of_made_call(tool: u32, is_shell: bool, files: ToolFiles, params: Params<'a>) -> Self {
        Self {
            phase: Phase::PreTool,
            tool: Some(tool),
            is_shell,
            files,
            params,
            text: "",
            result: None,
            ok: true,
            consecutive: 0,
        }
    }
}

/// A call's target and whether it is a file path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub text: &'a str,
    pub is_path: bool,
}

impl<'a> Target<'a> {
    /// The target in a parameter, if that holds one.
    fn of(name: impl AsRef<[u8]>, value: ValueRef<'a>) -> Option<Self> {
        match value {
            ValueRef::Text(text) if !text.is_empty() => {
                Some(Target { text, is_path: path::is_path_param(name) })
            }
            _ => None,
        }
    }
}

/// Looks for a call's target among its parameters, one after the other.
struct TargetSearch {
    /// The places in [`TARGET_PARAMS`] of names that came before.
    seen: u32,
    /// The place of the best of them, a high one where there is none.
    best: u32,
}

impl Default for TargetSearch {
    fn default() -> Self {
        Self { seen: 0, best: u32::BITS }
    }
}

impl TargetSearch {
    /// Whether this parameter is the target, unless a later one is. `names` are what
    /// [`target_names`] says of its names.
    #[inline]
    fn is_better(&mut self, names: u32, value: &Value<'_>) -> bool {
        let place = (names & !self.seen).trailing_zeros();
        self.seen |= names;
        let is_better = place < self.best && matches!(value, Value::Text(text) if !text.is_empty());
        if is_better {
            self.best = place;
        }
        is_better
    }
}

/// A call that waits for its result: of its parameters, those that something may ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptCall {
    /// The index of the tool's canonical name.
    pub name: u32,
    /// The index of the tool, as long as it was not forgotten.
    pub met: u32,
    /// The tool, where its index may soon be another one's.
    named: Option<NamedTool>,
    has_id: bool,
    id: String,
    /// Whether it entered the sets that take a call when it is made.
    pub is_counted: bool,
    /// The counters in which it counts before it has run.
    pub started: Vec<u32>,
    /// The files that it makes if the user lets it.
    pub made: Vec<String>,
    /// What was found in it before it ran, by [`PreparedRules::resets`](crate::prepared_rules::PreparedRules), where its
    /// tool keeps its index.
    resets: Option<u64>,
    /// Whether all that is known of it was saved: which call it was, and whether it entered them.
    pub is_remnant: bool,
    /// Its parameters, and behind them those of calls before it, whose memory is used again.
    params: Vec<KeptParam>,
    /// How many parameters are its own.
    own_params: usize,
    target: Option<KeptTarget>,
    /// The command line that its parameters come to, where no one of them holds it.
    told: Option<String>,
    /// What the names of its parameters say of it.
    hints: Hints,
}

/// A tool, as it was called, and the agent's own name for it.
#[derive(Clone, Debug)]
struct NamedTool {
    tool: String,
    native: Option<String>,
}

/// The target of a call that waits for its result.
#[derive(Clone, Copy, Debug)]
struct KeptTarget {
    /// Which of the parameters holds it.
    param: usize,
    is_path: bool,
}

#[derive(Clone, Debug)]
struct KeptParam {
    /// Its names.
    known: Arc<KnownParam>,
    value: String,
    is_text: bool,
}

impl KeptParam {
    fn value(&self) -> ValueRef<'_> {
        if self.is_text { ValueRef::Text(&self.value) } else { ValueRef::Json(&self.value) }
    }
}

impl KeptCall {
    /// For how long an id and a parameter there is room at once.
    const ROOM: usize = 64;

    /// A blank one, with room for most calls at once.
    #[cold]
    fn roomy() -> Box<Self> {
        let (id, params) = (String::with_capacity(Self::ROOM), Vec::with_capacity(4));
        Box::new(Self { id, params, ..Self::default() })
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.own_params = 0;
        self.target = None;
        self.told = None;
        self.hints = Hints::default();
        self.resets = None;
        self.named = None;
        self.has_id = false;
        self.is_counted = false;
        self.is_remnant = false;
        self.started.clear();
        // Most calls make none.
        if !self.made.is_empty() {
            self.made.clear();
        }
    }

    /// Of a blank one: all that something may ask for. Returns the call's parameters.
    fn fill<'a>(&mut self, image: &Image, call: &'a Call<'a>, params: &KnownParams) -> Params<'a> {
        self.take_id(call.id.as_deref());
        let mut search = TargetSearch::default();
        let (mut target, mut hints) = (None, Hints::default());
        for (at, param) in call.params.iter().enumerate() {
            let found;
            let known = match params.at(at, param) {
                Some(known) => known,
                None => {
                    found = params.find(image, param);
                    &*found
                }
            };
            hints = hints.and(known.hints, matches!(param.value, Value::Text(_)));
            if !known.is_wanted {
                continue;
            }
            let (text, is_text) = match &param.value {
                Value::Text(text) => (&**text, true),
                Value::Json(json) => (&**json, false),
            };
            if search.is_better(known.target_names, &param.value) {
                let is_path = known.target_paths >> search.best & 1 != 0;
                self.target = Some(KeptTarget { param: self.own_params, is_path });
                target = Some(Target { text, is_path });
            }
            self.take_param(known, text, is_text);
        }
        self.hints = hints;
        Params { source: Source::Call(call), target, told: None, hints }
    }

    fn take_id(&mut self, id: Option<&str>) {
        self.has_id = id.is_some();
        self.id.clear();
        self.id.push_str(id.unwrap_or_default());
    }

    /// Keeps one more parameter, in the memory of one of a call before, if there is any.
    fn take_param(&mut self, known: &Arc<KnownParam>, text: &str, is_text: bool) {
        if self.params.len() == self.own_params {
            let value = String::with_capacity(Self::ROOM.max(text.len()));
            self.params.push(KeptParam { known: Arc::clone(known), value, is_text });
        }
        if let Some(param) = self.params.get_mut(self.own_params) {
            // Most often a call before it had the same.
            if !Arc::ptr_eq(&param.known, known) {
                param.known = Arc::clone(known);
            }
            param.value.clear();
            param.value.push_str(text);
            param.is_text = is_text;
            self.own_params += 1;
        }
    }

    fn params(&self) -> &[KeptParam] {
        self.params.get(..self.own_params).unwrap_or_default()
    }

    /// The text of its target, for whoever is the last to ask for it.
    #[inline]
    pub fn target_text(&mut self) -> Option<&mut String> {
        Some(&mut self.params.get_mut(self.target?.param)?.value)
    }

    /// What was found in it before it ran, if somebody looked.
    #[inline]
    pub fn resets(&self) -> Option<u64> {
        self.resets.filter(|_| self.named.is_none())
    }

    /// Notes the names of the tool, whose index may soon be another one's.
    #[cold]
    fn name_tool(&mut self, call: &Call<'_>) {
        let native = call.native_tool.as_deref().map(str::to_owned);
        self.named = Some(NamedTool { tool: call.tool.clone().into_owned(), native });
    }

    /// The tool, as it was called, and the agent's own name for it, where its index may be another one's.
    #[inline]
    pub fn named_tool(&self) -> Option<(&str, Option<&str>)> {
        let named = self.named.as_ref()?;
        Some((&named.tool, named.native.as_deref()))
    }

    fn get(&self, name: &[u8]) -> Option<ValueRef<'_>> {
        let is = |known: &str| known.as_bytes() == name;
        let is_named = |param: &&KeptParam| {
            is(&param.known.name) || param.known.native.as_deref().is_some_and(is)
        };
        self.params().iter().find(is_named).map(KeptParam::value)
    }
}

/// The calls that wait for their results, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenCalls {
    calls: Vec<OpenCall>,
    #[expect(clippy::vec_box, reason = "they go to and fro between here and the calls")]
    spare: Vec<Box<KeptCall>>,
}

/// A call that waits for its result.
#[derive(Clone, Debug)]
struct OpenCall {
    /// What tells most ids apart.
    mark: u64,
    call: Box<KeptCall>,
}

/// What a saved session knows of a call that waits for its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remnant<'a> {
    /// Its id, where it has one.
    pub id: Option<&'a str>,
    /// The index of the tool's canonical name.
    pub name: u32,
    /// Whether it entered the sets that take a call when it is made.
    pub is_counted: bool,
    /// The counters in which it counts already.
    pub started: &'a [u32],
    /// The files that it makes if the user lets it.
    pub made: &'a [String],
}

/// What is to be remembered of a call that is made until it has run.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// The counters in which it counts before it has run.
    pub started: Vec<u32>,
    /// The files that it makes if the user lets it.
    pub made: Vec<String>,
}

impl OpenCalls {
    /// Calls that never get a result are forgotten from here on, oldest first.
    pub const MAX: usize = 512;

    /// Keeps a call of the tool `met`, whose canonical name is `name`; where that index does not last, with
    /// all of its names. Returns its parameters.
    pub fn keep<'a>(
        &mut self,
        image: &Image,
        call: &'a Call<'a>,
        (met, is_lasting): (u32, bool),
        name: u32,
        known: &KnownParams,
    ) -> Params<'a> {
        if self.calls.len() >= Self::MAX {
            self.spare.push(self.calls.remove(0).call);
        }
        let mut kept = self.blank();
        let params = kept.fill(image, call, known);
        if !is_lasting {
            kept.name_tool(call);
        }
        kept.name = name;
        kept.met = met;
        let mark = mark(call.id.as_deref().unwrap_or_default());
        self.calls.push(OpenCall { mark, call: kept });
        params
    }

    /// Keeps what was found in the newest call before it runs.
    #[inline]
    pub fn note_resets(&mut self, resets: u64) {
        if let Some(newest) = self.calls.last_mut() {
            newest.call.resets = Some(resets);
        }
    }

    /// Keeps the command line that the newest call comes to.
    pub fn tell_newest(&mut self, line: &str) {
        if let Some(newest) = self.calls.last_mut() {
            newest.call.told = Some(line.to_owned());
        }
    }

    /// Remembers that the newest call has entered the sets that take a call when it is made.
    #[inline]
    pub fn mark_newest(&mut self) {
        if let Some(newest) = self.calls.last_mut() {
            newest.call.is_counted = true;
        }
    }

    /// Remembers what is left to do for the newest call once it has run.
    pub fn count_newest(&mut self, Counted { started, made }: Counted) {
        if let Some(newest) = self.calls.last_mut() {
            (newest.call.started, newest.call.made) = (started, made);
        }
    }

    /// Gives the counters in which calls count that have not run, once for each call. Those calls count no longer; if
    /// one runs after all, it counts then.
    pub fn take_started(&mut self) -> Vec<u32> {
        let mut taken = Vec::new();
        let calls = self.calls.iter_mut().map(|open| &mut open.call);
        for call in calls.filter(|call| !call.started.is_empty()) {
            taken.append(&mut call.started);
            call.is_counted = false;
        }
        taken
    }

    /// What a saved session knows of each, oldest first.
    pub fn remnants(&self) -> impl Iterator<Item = Remnant<'_>> {
        self.calls.iter().map(|open| &open.call).map(|call| Remnant {
            id: call.has_id.then_some(&*call.id),
            name: call.name,
            is_counted: call.is_counted,
            started: &call.started,
            made: &call.made,
        })
    }

    /// Takes up a call that was saved.
    pub fn keep_remnant(&mut self, call: &Remnant<'_>) {
        let mut kept = Box::new(KeptCall {
            name: call.name,
            is_counted: call.is_counted,
            started: call.started.to_vec(),
            made: call.made.to_vec(),
            is_remnant: true,
            ..KeptCall::default()
        });
        kept.take_id(call.id);
        self.calls.push(OpenCall { mark: mark(&kept.id), call: kept });
    }

    /// Takes the call that a result belongs to: by id, else the oldest one of that tool, or of any
    /// when the result does not say.
    pub fn take(
        &mut self,
        id: Option<&str>,
        is_tool: impl Fn(u32) -> bool,
    ) -> Option<Box<KeptCall>> {
        let index = match id {
            Some(id) => {
                let mark = mark(id);
                let is_it = |kept: &KeptCall| kept.has_id && are_equal(&kept.id, id);
                self.calls.iter().position(|open| open.mark == mark && is_it(&open.call))
            }
            None => self.calls.iter().position(|open| is_tool(open.call.name)),
        }?;
        // Most often it is the only one that waits, or the newest.
        let is_newest = index + 1 == self.calls.len();
        let taken = if is_newest { self.calls.pop()? } else { self.calls.remove(index) };
        Some(taken.call)
    }

    /// A call of which nothing is known.
    #[inline(always)]
    pub fn blank(&mut self) -> Box<KeptCall> {
        match self.spare.pop() {
            Some(mut kept) => {
                kept.clear();
                kept
            }
            None => KeptCall::roomy(),
        }
    }

    /// Gives a call's buffers back.
    pub fn give_back(&mut self, call: Box<KeptCall>) {
        self.spare.push(call);
    }

    pub fn clear(&mut self) {
        self.spare.extend(self.calls.drain(..).map(|open| open.call));
    }
}
