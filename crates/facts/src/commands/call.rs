//! Where in a call its command line stands.

use super::runs::{COMMAND_PARAMS, Runs};
use super::told::told;
use crate::event::Call;
use crate::tool_catalogue::{is_shell, last_part};
use crate::tools::normalise;
use crate::value::ValueRef;

/// The command line of a call to a shell: the first of [`COMMAND_PARAMS`] that holds one. `None` means
/// that nobody knows what the call runs.
pub fn command_of<'v>(mut param: impl FnMut(&str) -> Option<ValueRef<'v>>) -> Option<ValueRef<'v>> {
    let holds_one = |value: &ValueRef<'_>| match value {
        ValueRef::Text(_) => true,
        ValueRef::Json(json) => json.starts_with('['),
    };
    COMMAND_PARAMS.iter().find_map(|name| param(name).filter(holds_one))
}

/// The command line of a call, as it is given or as what is given comes to.
pub enum CallLine<'c> {
    /// A parameter holds it.
    Given(ValueRef<'c>),
    /// The parameters come to it.
    Told(String),
}

impl CallLine<'_> {
    /// Returns the line as a value.
    #[inline]
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        match self {
            Self::Given(value) => *value,
            Self::Told(line) => ValueRef::Text(line),
        }
    }
}

/// The command line of a call; `None` where the tool runs none, by neither of its names nor its parameters.
pub fn command_line<'c>(call: &'c Call<'_>) -> Option<CallLine<'c>> {
    let names = [Some(&*call.tool), call.native_tool.as_deref()];
    let mut normal = String::new();
    let mut is_shell_named = |name: &str| {
        normalise(name, &mut normal);
        is_shell(&normal)
    };
    let is_shell = names.into_iter().flatten().any(&mut is_shell_named);
    normalise(&call.tool, &mut normal);
    let runs = Runs::of(&normal);
    let each = |visit: &mut dyn FnMut(&str, ValueRef<'_>)| {
        call.params.iter().for_each(|param| visit(&param.name, (&param.value).into()));
    };
    if let Some(line) = told(is_shell, runs, last_part(&normal), &each) {
        return Some(CallLine::Told(line));
    }
    let param = |name: &str| call.param(name).map(ValueRef::from);
    let runs = is_shell || runs.commands(param);
    command_of(param).filter(|_| runs).map(CallLine::Given)
}
