//! One event, as conditions and messages look at it: the call with its parameters, the text, the
//! result. A call that waits for its result is kept here too, in buffers that are used again.

use crate::permission::{COMMAND_PARAMS, command_of};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use crate::decision::Phase;
use crate::event::{Call, Value};
use crate::image::format::{Section, SetRecord};
use crate::image::{Image, View};
use crate::path;

/// A value of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueRef<'a> {
    Text(&'a str),
    Json(&'a str),
}

impl<'a> From<&'a Value<'_>> for ValueRef<'a> {
    fn from(value: &'a Value<'_>) -> Self {
        match value {
            Value::Text(text) => ValueRef::Text(text),
            Value::Json(json) => ValueRef::Json(json),
        }
    }
}

impl<'a> ValueRef<'a> {
    /// The value as conditions see a whole value: a string's text, or compact JSON.
    pub fn text(self) -> Cow<'a, str> {
        match self {
            ValueRef::Text(text) => Cow::Borrowed(text),
            ValueRef::Json(json) => match serde_json::from_str::<serde_json::Value>(json) {
                Ok(value) => Cow::Owned(value.to_string()),
                Err(_) => Cow::Borrowed(json),
            },
        }
    }

    /// Whether `test` holds of the text, or of any element's text if this is a list.
    pub fn any_text(self, mut test: impl FnMut(&str) -> bool) -> bool {
        let json = match self {
            ValueRef::Text(text) => return test(text),
            ValueRef::Json(json) => json,
        };
        match serde_json::from_str::<serde_json::Value>(json) {
            Ok(serde_json::Value::Array(items)) => items.iter().any(|item| match item {
                serde_json::Value::String(text) => test(text),
                other => test(&other.to_string()),
            }),
            Ok(value) => test(&value.to_string()),
            Err(_) => test(json),
        }
    }
}

/// The parameters of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Params<'a> {
    None,
    Call(&'a Call<'a>),
    Kept(&'a KeptCall),
}

impl<'a> Params<'a> {
    #[inline]
    pub fn get(self, name: impl AsRef<[u8]>) -> Option<ValueRef<'a>> {
        match self {
            Params::None => None,
            Params::Call(call) => call.param_of(name.as_ref()).map(Into::into),
            Params::Kept(kept) => kept.get(name.as_ref()),
        }
    }

    /// The command line in a parameter, where there is the parameter: of a call to a shell, whatever its
    /// parameters are. `Some(None)` is one that nobody knows.
    pub fn command_line(self, name: &str, is_shell: bool) -> Option<Option<ValueRef<'a>>> {
        let of_shell = is_shell && name == COMMAND_PARAMS[0] && !matches!(self, Params::None);
        if of_shell { Some(command_of(|name| self.get(name))) } else { self.get(name).map(Some) }
    }

    /// All names, and those that the agent itself uses.
    pub fn for_each_name(self, mut visit: impl FnMut(&[u8])) {
        match self {
            Params::None => {}
            Params::Call(call) => {
                for param in &call.params {
                    visit(param.name.as_bytes());
                    param.native.iter().for_each(|native| visit(native.as_bytes()));
                }
            }
            Params::Kept(kept) => {
                for param in &kept.params {
                    visit(kept.slice(&param.name).as_bytes());
                    param.native.iter().for_each(|native| visit(kept.slice(native).as_bytes()));
                }
            }
        }
    }

    /// All values.
    pub fn for_each(self, mut visit: impl FnMut(ValueRef<'a>)) {
        match self {
            Params::None => {}
            Params::Call(call) => call.params.iter().for_each(|param| visit((&param.value).into())),
            Params::Kept(kept) => kept.params.iter().for_each(|param| visit(kept.value(param))),
        }
    }
}

/// One event in the light of which rules are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub phase: Phase,
    /// The index of the tool, where there is one.
    pub tool: Option<u32>,
    /// Whether it runs command lines.
    pub is_shell: bool,
    pub params: Params<'a>,
    pub text: &'a str,
    pub result: Option<ValueRef<'a>>,
    pub ok: bool,
    /// How often the same tool ran in a row, counting a call that is about to run.
    pub consecutive: u32,
}

/// A call's target and whether it is a file path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub text: &'a str,
    pub is_path: bool,
}

/// The parameters that hold a call's target where a set does not say otherwise, in order.
pub const TARGET_PARAMS: [&str; 7] =
    ["file_path", "path", "filepath", "url", "query", "pattern", "target"];

fn target_in<'a>(params: Params<'a>, name: &[u8]) -> Option<Target<'a>> {
    match params.get(name)? {
        ValueRef::Text(text) if !text.is_empty() => {
            Some(Target { text, is_path: path::is_path_param(name) })
        }
        _ => None,
    }
}

/// The target of a call, for everything but sets.
pub(crate) fn target(params: Params<'_>) -> Option<Target<'_>> {
    // Most calls of shells have none of them.
    let mut there = 0;
    params.for_each_name(|name| there |= target_param(name));
    while there != 0 {
        let name = TARGET_PARAMS.get(there.trailing_zeros() as usize)?;
        if let Some(target) = target_in(params, name.as_bytes()) {
            return Some(target);
        }
        there &= there - 1;
    }
    None
}

/// The bit of a name's place in [`TARGET_PARAMS`]; 0 for another name.
fn target_param(name: &[u8]) -> u32 {
    let place = TARGET_PARAMS.iter().position(|param| param.as_bytes() == name);
    place.map_or(0, |at| 1 << at)
}

/// The target of a call as a set takes it.
pub(crate) fn target_of_set<'a>(
    view: View<'_>,
    params: Params<'a>,
    set: u32,
) -> Option<Target<'a>> {
    let record: SetRecord = view.row(Section::Sets, set);
    view.list(record.targets, record.targets_len)
        .find_map(|name| target_in(params, view.string_bytes(name)))
        .or_else(|| target(params))
}

/// A call that waits for its result: of its parameters, those that something may ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptCall {
    /// The index of the tool's canonical name.
    pub name: u32,
    /// The index of the tool, as long as it was not forgotten.
    pub met: u32,
    tool: Range<usize>,
    native_tool: Option<Range<usize>>,
    has_id: bool,
    id: Range<usize>,
    /// Whether it entered the sets that take a call when it is made.
    pub is_counted: bool,
    /// Whether all that is known of it was saved: which call it was, and whether it entered them.
    pub is_remnant: bool,
    buffer: String,
    params: Vec<KeptParam>,
}

#[derive(Clone, Debug)]
struct KeptParam {
    name: Range<usize>,
    native: Option<Range<usize>>,
    value: Range<usize>,
    is_text: bool,
}

impl KeptCall {
    fn fill(&mut self, image: &Image, call: &Call<'_>, name: u32) {
        self.buffer.clear();
        self.params.clear();
        self.name = name;
        self.tool = self.put(&call.tool);
        self.native_tool = call.native_tool.as_deref().map(|native| self.put(native));
        self.has_id = call.id.is_some();
        self.is_counted = false;
        self.is_remnant = false;
        self.id = self.put(call.id.as_deref().unwrap_or_default());
        for param in &call.params {
            let native = param.native.as_deref();
            let is_command =
                COMMAND_PARAMS.contains(&&*param.name) && image.wants_param(COMMAND_PARAMS[0]);
            if !is_command
                && !image.wants_param(&param.name)
                && !native.is_some_and(|n| image.wants_param(n))
            {
                continue;
            }
            let (text, is_text) = match &param.value {
                Value::Text(text) => (text, true),
                Value::Json(json) => (json, false),
            };
            let name = self.put(&param.name);
            let native = native.map(|native| self.put(native));
            let value = self.put(text);
            self.params.push(KeptParam { name, native, value, is_text });
        }
    }

    /// The tool, as it was called, and the agent's own name for it.
    pub fn tool(&self) -> (&str, Option<&str>) {
        (self.slice(&self.tool), self.native_tool.as_ref().map(|native| self.slice(native)))
    }

    fn put(&mut self, text: &str) -> Range<usize> {
        let start = self.buffer.len();
        self.buffer.push_str(text);
        start..self.buffer.len()
    }

    fn slice(&self, range: &Range<usize>) -> &str {
        self.buffer.get(range.clone()).unwrap_or_default()
    }

    fn value(&self, param: &KeptParam) -> ValueRef<'_> {
        let text = self.slice(&param.value);
        if param.is_text { ValueRef::Text(text) } else { ValueRef::Json(text) }
    }

    fn get(&self, name: &[u8]) -> Option<ValueRef<'_>> {
        let is = |range: &Range<usize>| self.buffer.as_bytes().get(range.clone()) == Some(name);
        let is_named =
            |param: &&KeptParam| is(&param.name) || param.native.as_ref().is_some_and(is);
        self.params.iter().find(is_named).map(|param| self.value(param))
    }
}

/// The calls that wait for their results, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenCalls {
    calls: VecDeque<KeptCall>,
    spare: Vec<KeptCall>,
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
}

impl OpenCalls {
    /// Calls that never get a result are forgotten from here on, oldest first.
    pub const MOST: usize = 512;

    pub fn keep(&mut self, image: &Image, call: &Call<'_>, name: u32, met: u32) {
        if self.calls.len() >= Self::MOST {
            self.spare.extend(self.calls.pop_front());
        }
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.fill(image, call, name);
        kept.met = met;
        self.calls.push_back(kept);
    }

    /// Remembers that the newest call has entered the sets that take a call when it is made.
    pub fn count_newest(&mut self) {
        if let Some(newest) = self.calls.back_mut() {
            newest.is_counted = true;
        }
    }

    /// What a saved session knows of each, oldest first.
    pub fn remnants(&self) -> impl ExactSizeIterator<Item = Remnant<'_>> {
        self.calls.iter().map(|call| Remnant {
            id: call.has_id.then(|| call.slice(&call.id)),
            name: call.name,
            is_counted: call.is_counted,
        })
    }

    /// Takes up a call that was saved.
    pub fn keep_remnant(&mut self, call: &Remnant<'_>) {
        let mut kept = KeptCall {
            name: call.name,
            has_id: call.id.is_some(),
            is_counted: call.is_counted,
            is_remnant: true,
            ..KeptCall::default()
        };
        kept.id = kept.put(call.id.unwrap_or_default());
        self.calls.push_back(kept);
    }

    /// Takes the call that a result belongs to: by id, else the oldest one of that tool, or of any
    /// when the result does not say.
    pub fn take(&mut self, id: Option<&str>, is_tool: impl Fn(u32) -> bool) -> Option<KeptCall> {
        let index = match id {
            Some(id) => {
                self.calls.iter().position(|kept| kept.has_id && kept.slice(&kept.id) == id)
            }
            None => self.calls.iter().position(|kept| is_tool(kept.name)),
        }?;
        self.calls.remove(index)
    }

    /// Gives a call's buffers back.
    pub fn give_back(&mut self, call: KeptCall) {
        self.spare.push(call);
    }

    pub fn clear(&mut self) {
        self.spare.extend(self.calls.drain(..));
    }
}
