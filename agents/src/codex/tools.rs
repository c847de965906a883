//! The one table of Codex's tools, as of 0.169.0. `apply_patch` and `exec` stand for several calls
//! and are taken apart elsewhere.

use crate::tools::{Tool, look_up, renamed, tool};

/// A tool that runs a command line.
const fn shell(native: &'static str) -> Tool {
    renamed(native, "bash", &[("cmd", "command")])
}

/// The tools, in the order of their native names.
pub const TOOLS: &[Tool] = &[
    shell("Bash"),
    tool("apply_patch", "apply_patch"),
    renamed("container.exec", "bash", &[("cmd", "command")]),
    shell("exec_command"),
    tool("grep_files", "grep"),
    renamed("list_dir", "ls", &[("dir_path", "path")]),
    shell("local_shell"),
    tool("read_file", "read"),
    tool("request_user_input", "ask_user"),
    shell("shell"),
    shell("shell_command"),
    renamed("spawn_agent", "task", &[("message", "prompt")]),
    shell("unified_exec"),
    tool("update_plan", "todo_write"),
    tool("web_search", "web_search"),
];

/// What is known of the tool that Codex calls `native`.
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
        assert_eq!(find("exec_command").map(|tool| tool.param("cmd")), Some("command"));
        assert!(find("mcp__github__edit").is_none());
    }
}
