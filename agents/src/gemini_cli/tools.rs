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

/// The common name of a tool of an MCP server, of which Gemini CLI runs the two parts together. `display` is
/// what its user is shown, which tells them apart; names of servers hold no `_` otherwise.
pub(crate) fn mcp_name(native: &str, display: Option<&str>) -> Option<String> {
    let shown = display.and_then(|display| display.strip_suffix(" MCP Server)"));
    let told = shown.and_then(|display| display.rsplit_once(" ("));
    let (server, tool) = match told {
        Some((tool, server)) => (server, tool),
        None => native.strip_prefix("mcp_")?.split_once('_')?,
    };
    (!server.is_empty() && !tool.is_empty()).then(|| format!("mcp__{server}__{tool}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_servers_have_their_common_names() {
        let check = |native: &str, display: Option<&str>, expect: Option<&str>| {
            assert_eq!(mcp_name(native, display).as_deref(), expect, "{native} {display:?}");
        };
        check("mcp_git_make_issue", None, Some("mcp__git__make_issue"));
        check("mcp_git_hub_make", Some("make (git_hub MCP Server)"), Some("mcp__git_hub__make"));
        check("make", Some("make (git MCP Server)"), Some("mcp__git__make"));
        check("mcp__git__make", None, None);
        check("mcp_git", None, None);
        check("read_file", Some("ReadFile"), None);
    }

    #[test]
    fn the_table_is_sorted_and_finds_every_tool() {
        crate::tools::check_table(TOOLS);
        assert_eq!(find("read_file").map(|tool| tool.param("absolute_path")), Some("file_path"));
        assert!(find("bash").is_none());
    }
}
