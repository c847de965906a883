//! Tool names: how spellings of one name compare, and which names a trigger selects.

use crate::tool_catalogue::is_shell;
pub use crate::tool_catalogue::last_part;

/// Writes the common form of a tool name to `out`: lower case, `__` as `.`, without `mcp__` in front.
pub fn normalise(name: &str, out: &mut String) {
    out.clear();
    if name.is_ascii() {
        out.push_str(name);
        out.make_ascii_lowercase();
    } else {
        out.extend(name.chars().flat_map(char::to_lowercase));
    }
    if let Some(rest) = out.strip_prefix("mcp__") {
        *out = rest.to_owned();
    }
    if out.contains("__") {
        *out = out.replace("__", ".");
    }
}

/// The trigger that selects every tool that runs command lines.
pub const SHELL: &str = "bash";

/// Whether a trigger selects a tool by its name; both normalised. A bare trigger selects every tool with
/// that last part, a qualified one that tool and the bare name.
#[inline]
#[must_use]
pub fn selects(trigger: &str, tool: &str) -> bool {
    let last = last_part(tool);
    let is_bare = last.len() == tool.len();
    trigger == "*" || trigger == last || trigger == tool || is_bare && last_part(trigger) == tool
}

/// The same where every tool that runs command lines is also called [`SHELL`], as it is by triggers.
#[must_use]
pub fn selects_as_trigger(trigger: &str, tool: &str) -> bool {
    selects(trigger, tool) || is_shell(tool) && selects(trigger, SHELL)
}

#[cfg(test)]
mod tests {
    use super::{normalise, selects};

    #[track_caller]
    fn check(trigger: &str, tool: &str, expect: bool) {
        let (mut left, mut right) = (String::new(), String::new());
        normalise(trigger, &mut left);
        normalise(tool, &mut right);
        assert_eq!(selects(&left, &right), expect, "{trigger} selects {tool}");
    }

    #[test]
    fn a_bare_trigger_selects_every_spelling() {
        check("edit", "edit", true);
        check("edit", "Edit", true);
        check("edit", "filesystem.edit", true);
        check("edit", "filesystem__edit", true);
        check("EDIT", "mcp__filesystem__Edit", true);
        check("edit", "multi_edit", false);
        check("edit", "edit.file", false);
    }

    #[test]
    fn a_qualified_trigger_selects_its_tool_and_the_bare_name() {
        check("filesystem.edit", "filesystem.edit", true);
        check("filesystem.edit", "edit", true);
        check("filesystem__edit", "mcp__filesystem__edit", true);
        check("filesystem.edit", "editor.edit", false);
        check("filesystem.edit", "a.filesystem.edit", false);
    }

    #[test]
    fn a_star_selects_every_tool() {
        check("*", "anything", true);
        check("*", "a.b.c", true);
    }
}
