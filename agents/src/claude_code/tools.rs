//! The one table of Claude Code's tools: what each is called here, and what its parameters are
//! called. It holds for versions 1.0 to 2.1; a tool that is not in it keeps its own names.

use crate::tools::{look_up, renamed, shell_here, tool};

pub use crate::tools::Tool;

/// A tool that calls its file a notebook.
const fn notebook(native: &'static str, canonical: &'static str) -> Tool {
    renamed(native, canonical, &[("notebook_path", "file_path")])
}

/// The tools, in the order of their native names. Everything that changes part of an existing file is
/// an `edit`, so that a rule about edits holds for it.
pub const TOOLS: &[Tool] = &[
    tool("Agent", "task"),
    tool("AgentOutputTool", "task_output"),
    tool("AskUserQuestion", "ask_user"),
    shell_here("Bash"),
    tool("BashOutput", "bash_output"),
    tool("Edit", "edit"),
    tool("EnterPlanMode", "enter_plan_mode"),
    tool("ExitPlanMode", "exit_plan_mode"),
    tool("Glob", "glob"),
    tool("Grep", "grep"),
    tool("KillBash", "kill_shell"),
    tool("KillShell", "kill_shell"),
    tool("LS", "ls"),
    tool("LSP", "lsp"),
    tool("MultiEdit", "edit"),
    notebook("NotebookEdit", "edit"),
    notebook("NotebookRead", "read"),
    tool("Read", "read"),
    tool("SendMessage", "send_message"),
    tool("Skill", "skill"),
    tool("SlashCommand", "slash_command"),
    tool("Task", "task"),
    tool("TaskCreate", "task_create"),
    tool("TaskGet", "task_get"),
    tool("TaskList", "task_list"),
    tool("TaskOutput", "task_output"),
    tool("TaskStop", "task_stop"),
    tool("TaskUpdate", "task_update"),
    tool("TodoRead", "todo_read"),
    tool("TodoWrite", "todo_write"),
    tool("ToolSearch", "tool_search"),
    tool("WebFetch", "web_fetch"),
    tool("WebSearch", "web_search"),
    tool("Write", "write"),
    tool("exit_plan_mode", "exit_plan_mode"),
];

/// What is known of the tool that Claude Code calls `native`.
#[must_use]
pub fn find(native: &str) -> Option<&'static Tool> {
    look_up(TOOLS, native)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_finds_every_tool() {
        for tool in TOOLS {
            assert_eq!(find(tool.native).map(|found| found.canonical), Some(tool.canonical));
        }
        assert!(find("mcp__github__edit").is_none());
        assert!(find("bash").is_none());
    }

    #[test]
    fn names_change_only_where_the_table_says_so() {
        let notebook = find("NotebookEdit").expect("in the table");
        assert_eq!(notebook.param("notebook_path"), "file_path");
        assert_eq!(notebook.param("new_source"), "new_source");
    }
}
