//! Where in a call its command line stands.

use crate::event::{Call, POSITIONAL};
use crate::tool_catalogue::is_shell;
use crate::tools::normalise;
use crate::value::ValueRef;

/// The parameters that hold a command line, in the order in which they are looked for.
pub const COMMAND_PARAMS: [&str; 8] =
    ["command", "cmd", "script", "CommandLine", "command_line", "input", "code", POSITIONAL];

/// The command line of a call to a shell: the first of [`COMMAND_PARAMS`] that holds one. `None` means
/// that nobody knows what the call runs.
pub(crate) fn command_of<'v>(
    mut param: impl FnMut(&str) -> Option<ValueRef<'v>>,
) -> Option<ValueRef<'v>> {
    let holds_one = |value: &ValueRef<'_>| match value {
        ValueRef::Text(_) => true,
        ValueRef::Json(json) => json.starts_with('['),
    };
    COMMAND_PARAMS.iter().find_map(|name| param(name).filter(holds_one))
}

/// The command line of a call; `None` where the tool is no shell, by neither of its names.
pub(crate) fn command_line<'c>(call: &'c Call<'_>) -> Option<ValueRef<'c>> {
    let names = [Some(&*call.tool), call.native_tool.as_deref()];
    let is_shell = |name: &str| {
        let mut normal = String::new();
        normalise(name, &mut normal);
        is_shell(&normal)
    };
    let of_shell = names.into_iter().flatten().any(is_shell);
    command_of(|name| call.param(name).map(ValueRef::from)).filter(|_| of_shell)
}
