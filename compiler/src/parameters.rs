//! The parameters of the tools that rules name most, by the catalogue of tools. What is not there may well
//! be a parameter: this tells slips of the pen, and refuses nothing.

use behavior_runtime::tool_catalogue::{KnownTool, TOOLS};

use crate::diagnostic::closest;
use crate::ir::Trigger;

/// What a tool takes, where that is known; `tool` is normalised. A tool of a server, which may take
/// anything, is not known by the last part of its name.
pub(crate) fn of(tool: &str) -> Option<&'static [&'static str]> {
    let is_it = |known: &&KnownTool| known.names().any(|name| name == tool);
    TOOLS.iter().find(is_it).map(|known| known.params).filter(|params| !params.is_empty())
}

/// The parameter that was meant by a name that none of the tools has; nothing where a tool is not
/// known, or nothing is near.
pub(crate) fn meant(name: &str, triggers: &[Trigger]) -> Option<&'static str> {
    let known: Option<Vec<_>> = triggers.iter().map(|trigger| of(&trigger.name)).collect();
    let known = known?.concat();
    if known.contains(&name) {
        return None;
    }
    closest(name, known)
}
