//! The one table of Gemini CLI's tools, as of 0.61.0.

use crate::tools::{Tool, look_up, renamed, tool};

/// The tools, in the order of their native names.
pub const TOOLS: &[Tool] = &[
    tool("activate_skill", "skill"),
    tool("ask_user", "ask_user"),
    renamed("delegate_to_agent", "task", &[("objective", "prompt")]),
    tool("enter_plan_mode", "enter_plan_mode"),
    tool("exit_plan_mode", "exit_plan_mode"),
    renamed("glob", "glob", &[("dir_path", "path")]),
    tool("google_web_search", "web_search"),
    renamed("grep_search", "grep", &[("dir_path", "path")]),
    renamed("list_directory", "ls", &[("dir_path", "path")]),
    renamed("read_file", "read", &[("absolute_path", "file_path")]),
    tool("read_many_files", "read_many_files"),
    tool("replace", "edit"),
    tool("run_shell_command", "bash"),
    renamed("search_file_content", "grep", &[("dir_path", "path")]),
    tool("web_fetch", "web_fetch"),
    tool("write_file", "write"),
    tool("write_todos", "todo_write"),
];

/// What is known of the tool that Gemini CLI calls `native`.
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
        assert_eq!(find("read_file").map(|tool| tool.param("absolute_path")), Some("file_path"));
        assert!(find("bash").is_none());
    }
}
