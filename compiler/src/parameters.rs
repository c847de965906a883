//! The parameters of the tools that rules name most, by their canonical names. Agents add some of their
//! own, so what is not here may well be there: it tells slips of the pen, and refuses nothing.

use crate::diagnostic::closest;
use crate::ir::Trigger;

const EDIT: &[&str] = &[
    "file_path",
    "path",
    "old_string",
    "new_string",
    "replace_all",
    "edits",
    "notebook_path",
    "new_source",
    "cell_id",
    "cell_type",
    "edit_mode",
    "content",
    "patch",
    "instructions",
];

const WRITE: &[&str] = &["file_path", "path", "content"];

/// What a tool takes, where that is known; `tool` is normalised.
pub(crate) fn of(tool: &str) -> Option<&'static [&'static str]> {
    Some(match tool {
        "bash" => &["command", "description", "timeout", "run_in_background", "cwd", "workdir"],
        "read" => &["file_path", "path", "offset", "limit", "pages", "notebook_path"],
        "edit" | "multi_edit" | "notebook_edit" => EDIT,
        "write" => WRITE,
        "grep" => &[
            "pattern",
            "path",
            "glob",
            "type",
            "output_mode",
            "include",
            "head_limit",
            "multiline",
        ],
        "glob" => &["pattern", "path"],
        "web_search" => &["query", "allowed_domains", "blocked_domains"],
        "web_fetch" => &["url", "prompt"],
        _ => return None,
    })
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
