//! The parameters of a call, as conditions look at them: by their names, as the command line that they come to, and by the
//! target that they name. Those of a call that waits for its result are kept in buffers that are used again.

use std::sync::Arc;

use crate::commands::{COMMAND_PARAMS, Hints, command_of};
use crate::event::{Call, Value};
use crate::known_params::{KnownParam, KnownParams, target_names};
use crate::path;
use crate::touched::DIRECTORY_PARAMS;
use crate::value::ValueRef;
use behavior_image::format::SetRecord;
use behavior_image::{Image, TARGET_PARAMS, View};

/// The parameters of a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Params<'a> {
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
    Kept(&'a KeptParams),
}

impl<'a> Params<'a> {
    /// Returns those of a call.
    #[must_use]
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

    /// Returns the same with the command line that they come to.
    #[inline]
    #[must_use]
    pub fn with_line(self, told: Option<&'a str>) -> Self {
        Self { told, ..self }
    }

    /// Returns what their names say of the command line that they come to.
    #[inline]
    #[must_use]
    pub fn hints(self) -> Hints {
        self.hints
    }

    /// Returns the command line that they come to, where no one of them holds it.
    #[inline]
    #[must_use]
    pub fn told_line(self) -> Option<&'a str> {
        self.told
    }

    /// Returns those of a call that has waited for its result.
    #[inline(always)]
    #[must_use]
    pub fn of_kept(kept: &'a KeptParams) -> Self {
        let target = kept.target.and_then(|target| {
            let text = &kept.params.get(target.param)?.value;
            Some(Target { text, is_path: target.is_path })
        });
        Self { source: Source::Kept(kept), target, told: kept.told.as_deref(), hints: kept.hints }
    }

    /// Returns the call's target, for everything but sets that say otherwise.
    #[inline]
    #[must_use]
    pub fn target(self) -> Option<Target<'a>> {
        self.target
    }

    /// Returns the directory that a tool which runs command lines is told to run one in; empty where it is not told.
    #[must_use]
    pub fn working_directory(self) -> &'a str {
        let texts = DIRECTORY_PARAMS.iter().filter_map(|name| match self.get(name) {
            Some(ValueRef::Text(text)) if !text.is_empty() => Some(text),
            _ => None,
        });
        texts.map(str::trim).next().unwrap_or_default()
    }

    /// Returns the call's target as a set takes it.
    #[inline(always)]
    #[must_use]
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

    /// Returns a parameter, by its name or by the agent's own name for it.
    #[inline]
    #[must_use]
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
                let param = kept.own().iter().find(|param| *param.known.name == *name)?;
                Some(param.value())
            }
        }
    }

    /// Returns the command line in a parameter, where there is the parameter: of a call to a shell, whatever its
    /// parameters are. `Some(None)` is one that nobody knows.
    #[must_use]
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

    /// Visits all parameters, by their names and the agent's own names for them.
    pub fn for_each_named(self, mut visit: impl FnMut(&'a str, Option<&'a str>, ValueRef<'a>)) {
        match self.source {
            Source::None => {}
            Source::Call(call) => call.params.iter().for_each(|param| {
                visit(&param.name, param.native.as_deref(), (&param.value).into());
            }),
            Source::Kept(kept) => kept.own().iter().for_each(|param| {
                visit(&param.known.name, param.known.native.as_deref(), param.value());
            }),
        }
    }

    /// Visits all values.
    pub fn for_each(self, mut visit: impl FnMut(ValueRef<'a>)) {
        match self.source {
            Source::None => {}
            Source::Call(call) => call.params.iter().for_each(|param| visit((&param.value).into())),
            Source::Kept(kept) => kept.own().iter().for_each(|param| visit(param.value())),
        }
    }
}

/// A call's target and whether it is a file path.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Its text.
    pub text: &'a str,
    /// Whether it is the path of a file.
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

/// The parameters of a call that waits for its result, as far as something may ask for them then: in buffers that are
/// used again for other calls.
#[derive(Clone, Debug, Default)]
pub struct KeptParams {
    /// The call's own, and behind them those of calls before it, whose memory is used again.
    params: Vec<KeptParam>,
    /// How many are its own.
    own: usize,
    target: Option<KeptTarget>,
    /// The command line that they come to, where no one of them holds it.
    told: Option<String>,
    /// What their names say of it.
    hints: Hints,
}

impl KeptParams {
    /// For how long a text there is room at once.
    const ROOM: usize = 64;

    /// Returns those of no call, with room for most calls at once.
    #[cold]
    #[must_use]
    pub fn roomy() -> Self {
        Self { params: Vec::with_capacity(4), ..Self::default() }
    }

    /// Forgets the call that they are of, and keeps the memory.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.own = 0;
        self.target = None;
        self.told = None;
        self.hints = Hints::default();
    }

    /// Takes up all that something may ask for, where there is nothing yet. Returns the call's parameters.
    #[inline]
    pub fn fill<'a>(
        &mut self,
        image: &Image,
        call: &'a Call<'a>,
        params: &KnownParams,
    ) -> Params<'a> {
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
                self.target = Some(KeptTarget { param: self.own, is_path });
                target = Some(Target { text, is_path });
            }
            self.take(known, text, is_text);
        }
        self.hints = hints;
        Params { source: Source::Call(call), target, told: None, hints }
    }

    /// Keeps one more, in the memory of one of a call before, if there is any.
    fn take(&mut self, known: &Arc<KnownParam>, text: &str, is_text: bool) {
        if self.params.len() == self.own {
            let value = String::with_capacity(Self::ROOM.max(text.len()));
            self.params.push(KeptParam { known: Arc::clone(known), value, is_text });
        }
        if let Some(param) = self.params.get_mut(self.own) {
            // Most often a call before it had the same.
            if !Arc::ptr_eq(&param.known, known) {
                param.known = Arc::clone(known);
            }
            param.value.clear();
            param.value.push_str(text);
            param.is_text = is_text;
            self.own += 1;
        }
    }

    /// Keeps the command line that they come to.
    pub fn tell(&mut self, line: &str) {
        self.told = Some(line.to_owned());
    }

    /// Returns the text of the call's target, for whoever is the last to ask for it.
    #[inline]
    pub fn target_text(&mut self) -> Option<&mut String> {
        Some(&mut self.params.get_mut(self.target?.param)?.value)
    }

    fn own(&self) -> &[KeptParam] {
        self.params.get(..self.own).unwrap_or_default()
    }

    fn get(&self, name: &[u8]) -> Option<ValueRef<'_>> {
        let is = |known: &str| known.as_bytes() == name;
        let is_named = |param: &&KeptParam| {
            is(&param.known.name) || param.known.native.as_deref().is_some_and(is)
        };
        self.own().iter().find(is_named).map(KeptParam::value)
    }
}
