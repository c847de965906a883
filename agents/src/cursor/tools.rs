//! The one table of Cursor's tools. Its documents name few of them; older versions wrote the names in
//! snake case.

use crate::tools::{Tool, look_up, renamed, tool};

/// A tool with a file that goes by several names.
const fn file(native: &'static str, canonical: &'static str) -> Tool {
    const NAMES: &[(&str, &str)] =
        &[("path", "file_path"), ("target_file", "file_path"), ("contents", "content")];
    renamed(native, canonical, NAMES)
}

/// The tools, in the order of their native names.
pub const TOOLS: &[Tool] = &[
    file("Delete", "delete"),
    file("Edit", "edit"),
    file("EditNotebook", "edit"),
    renamed("Glob", "glob", &[("glob_pattern", "pattern"), ("target_directory", "path")]),
    tool("Grep", "grep"),
    renamed("LS", "ls", &[("target_directory", "path")]),
    file("Read", "read"),
    tool("SemanticSearch", "semantic_search"),
    tool("Shell", "bash"),
    file("StrReplace", "edit"),
    tool("Task", "task"),
    tool("TodoWrite", "todo_write"),
    tool("WebFetch", "web_fetch"),
    renamed("WebSearch", "web_search", &[("search_term", "query")]),
    file("Write", "write"),
    file("delete_file", "delete"),
    file("edit_file", "edit"),
    tool("grep_search", "grep"),
    renamed("list_dir", "ls", &[("relative_workspace_path", "path")]),
    file("read_file", "read"),
    tool("run_terminal_cmd", "bash"),
    file("search_replace", "edit"),
    renamed("web_search", "web_search", &[("search_term", "query")]),
    file("write_file", "write"),
];

/// What is known of the tool that Cursor calls `native`.
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
        assert_eq!(find("Shell").map(|tool| tool.canonical), Some("bash"));
        assert!(find("MCP:Shell").is_none());
    }
}
