//! The parameters of the tools that rules name most, by the catalogue of tools. What is not there may well
//! be a parameter: this tells slips of the pen, and refuses nothing.

use behavior_facts::tool_catalogue::{KnownTool, TOOLS};

use crate::nearest::closest;

/// What a tool takes, where that is known; `tool` is normalised. A tool of a server, which may take
/// anything, is not known by the last part of its name.
pub(crate) fn of(tool: &str) -> Option<&'static [&'static str]> {
    let is_it = |known: &&KnownTool| known.names().any(|name| name == tool);
    TOOLS.iter().find(is_it).map(|known| known.params).filter(|params| !params.is_empty())
}

/// The tool that has a parameter of this name, where none of those that are triggered by has it and all are known.
pub(crate) fn owner<'t>(
    name: &str,
    tools: impl Iterator<Item = &'t str> + Clone,
) -> Option<&'static str> {
    let has_it = |tool: &str| of(tool).is_none_or(|params| params.contains(&name));
    if tools.clone().next().is_none() || tools.clone().any(has_it) {
        return None;
    }
    TOOLS.iter().find(|tool| tool.params.contains(&name)).map(|tool| tool.name)
}

/// What parameters are called elsewhere, and what they are called here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cmd", "command"),
    ("commandline", "command"),
    ("command_line", "command"),
    ("script", "command"),
    ("shell", "command"),
    ("file", "file_path"),
    ("filename", "file_path"),
    ("file_name", "file_path"),
    ("filepath", "file_path"),
    ("path", "file_path"),
    ("uri", "url"),
    ("link", "url"),
    ("address", "url"),
    ("regex", "pattern"),
    ("text", "content"),
    ("contents", "content"),
    ("body", "content"),
];

/// The parameter that was meant by a name that none of the tools has; nothing where a tool is not
/// known, or nothing is near.
pub(crate) fn meant<'t>(name: &str, tools: impl Iterator<Item = &'t str>) -> Option<&'static str> {
    let known: Option<Vec<_>> = tools.map(of).collect();
    let known = known?.concat();
    if known.contains(&name) {
        return None;
    }
    let same = |entry: &&(&str, &str)| entry.0.eq_ignore_ascii_case(name);
    let usual = ELSEWHERE
        .iter()
        .find(same)
        .and_then(|(_, here)| known.iter().copied().find(|known| known == here));
    usual.or_else(|| closest(name, known))
}
