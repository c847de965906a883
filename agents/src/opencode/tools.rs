//! The one table of OpenCode's tools, as of 1.18.33. Its patches are taken apart elsewhere.

use crate::tools::{Tool, look_up, renamed, tool};

/// A tool that works on a file.
const fn file(native: &'static str, canonical: &'static str) -> Tool {
    const NAMES: &[(&str, &str)] = &[
        ("filePath", "file_path"),
        ("oldString", "old_string"),
        ("newString", "new_string"),
        ("replaceAll", "replace_all"),
    ];
    renamed(native, canonical, NAMES)
}

/// The tools, in the order of their native names.
pub const TOOLS: &[Tool] = &[
    tool("apply_patch", "apply_patch"),
    tool("bash", "bash"),
    file("edit", "edit"),
    tool("glob", "glob"),
    tool("grep", "grep"),
    tool("list", "ls"),
    file("multiedit", "edit"),
    tool("patch", "apply_patch"),
    tool("question", "ask_user"),
    file("read", "read"),
    tool("skill", "skill"),
    tool("task", "task"),
    tool("todoread", "todo_read"),
    tool("todowrite", "todo_write"),
    tool("webfetch", "web_fetch"),
    tool("websearch", "web_search"),
    file("write", "write"),
];

/// What is known of the tool that OpenCode calls `native`.
#[must_use]
pub fn find(native: &str) -> Option<&'static Tool> {
    look_up(TOOLS, native)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_finds_every_tool() {
        crate::tools::check_table(TOOLS);
        assert_eq!(find("read").map(|tool| tool.param("filePath")), Some("file_path"));
        assert!(find("github_create_issue").is_none());
    }
}
