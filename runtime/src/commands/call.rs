//! Where in a call its command line stands.

use crate::event::{Call, POSITIONAL};
use crate::tool_catalogue::{find, is_shell, last_part};
use crate::tools::normalise;
use crate::value::ValueRef;

/// The parameters that hold a command line, in the order in which they are looked for.
pub const COMMAND_PARAMS: [&str; 11] = [
    "command",
    "cmd",
    "script",
    "CommandLine",
    "command_line",
    "shell_command",
    "bash_command",
    "bash",
    "input",
    "code",
    POSITIONAL,
];

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

/// The command line of a call; `None` where the tool runs none, by neither of its names nor its parameters.
pub(crate) fn command_line<'c>(call: &'c Call<'_>) -> Option<ValueRef<'c>> {
    let names = [Some(&*call.tool), call.native_tool.as_deref()];
    let mut normal = String::new();
    let mut is_shell_named = |name: &str| {
        normalise(name, &mut normal);
        is_shell(&normal)
    };
    let param = |name: &str| call.param(name).map(ValueRef::from);
    let runs = names.into_iter().flatten().any(&mut is_shell_named) || {
        normalise(&call.tool, &mut normal);
        Runs::of(last_part(&normal)).commands(param)
    };
    command_of(param).filter(|_| runs)
}

/// What a tool that nobody lists may run, by its name: what it is given tells whether it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// It is listed: it runs commands if that says so.
    AsListed,
    /// Command lines.
    Commands,
    /// Command lines, and scripts of a shell.
    Scripts,
}

impl Runs {
    /// Of a tool by the last part of its normalised name.
    pub fn of(canonical: &str) -> Self {
        const RUNNING: [&str; 9] =
            ["run", "exec", "shell", "bash", "terminal", "command", "ssh", "console", "monitor"];
        const OTHER_LANGUAGES: [&str; 9] =
            ["browser", "page", "evaluate", "js", "javascript", "python", "sql", "node", "query"];
        let has = |words: &[&str]| words.iter().any(|word| canonical.contains(word));
        match find(canonical) {
            Some(_) => Self::AsListed,
            None if has(&RUNNING) && !has(&OTHER_LANGUAGES) => Self::Scripts,
            None => Self::Commands,
        }
    }

    /// Whether a call runs commands, as its parameters look.
    pub fn commands<'v>(self, param: impl Fn(&str) -> Option<ValueRef<'v>>) -> bool {
        const LINES: [&str; 7] = [
            "command",
            "cmd",
            "CommandLine",
            "command_line",
            "shell_command",
            "bash_command",
            "bash",
        ];
        let has = |name: &str| match param(name) {
            Some(ValueRef::Text(text)) => !text.trim().is_empty(),
            Some(ValueRef::Json(json)) => json.starts_with('['),
            None => false,
        };
        let is_of_a_shell = || {
            let language = ["language", "lang", "interpreter"].into_iter().find_map(&param);
            language.is_none_or(|language| language.text().ends_with("sh"))
        };
        match self {
            Self::AsListed => false,
            Self::Commands => LINES.into_iter().any(has),
            Self::Scripts => LINES.into_iter().any(has) || has("script") && is_of_a_shell(),
        }
    }
}
