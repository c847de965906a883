//! The names of tools that agents are known to have, to tell slips of the pen in triggers. Tools may be
//! called anything, so what is not here may well be there: nothing is refused by this.

use behavior_runtime::tools::last_part;

/// The tools with a canonical name, and what agents call them, normalised.
pub const NAMES: &[&str] = &[
    "activate_skill",
    "agent",
    "agentoutputtool",
    "apply_patch",
    "ask_user",
    "askuserquestion",
    "bash",
    "bash_output",
    "bashoutput",
    "container.exec",
    "delegate_to_agent",
    "delete",
    "delete_file",
    "edit",
    "edit_file",
    "editnotebook",
    "enter_plan_mode",
    "enterplanmode",
    "exec_command",
    "exit_plan_mode",
    "exitplanmode",
    "find",
    "glob",
    "google_web_search",
    "grep",
    "grep_files",
    "grep_search",
    "kill_shell",
    "killbash",
    "killshell",
    "list",
    "list_dir",
    "list_directory",
    "local_shell",
    "ls",
    "lsp",
    "multi_edit",
    "multiedit",
    "notebook_edit",
    "notebookedit",
    "notebookread",
    "patch",
    "question",
    "read",
    "read_file",
    "read_many_files",
    "replace",
    "request_user_input",
    "run_shell_command",
    "run_terminal_cmd",
    "search_file_content",
    "search_replace",
    "semantic_search",
    "semanticsearch",
    "send_message",
    "sendmessage",
    "shell",
    "shell_command",
    "skill",
    "slash_command",
    "slashcommand",
    "spawn_agent",
    "strreplace",
    "task",
    "task_create",
    "task_get",
    "task_list",
    "task_output",
    "task_stop",
    "task_update",
    "taskcreate",
    "taskget",
    "tasklist",
    "taskoutput",
    "taskstop",
    "taskupdate",
    "todo_read",
    "todo_write",
    "todoread",
    "todowrite",
    "tool_search",
    "toolsearch",
    "unified_exec",
    "update_plan",
    "web_fetch",
    "web_search",
    "webfetch",
    "websearch",
    "write",
    "write_file",
    "write_todos",
];

/// Words that other tools are called nearly as often: what is near to one is no slip of it.
const PLAIN_WORDS: &[&str] = &["agent", "find", "list", "ls", "lsp", "patch", "skill", "task"];

/// The known tool that was meant by a name of none; `name` is normalised. Nothing where it is near to
/// none, or is part of a longer name: whose tools those are nobody knows here.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 3;
    let length = name.chars().count();
    if length < SHORTEST || last_part(name).len() < name.len() || NAMES.contains(&name) {
        return None;
    }
    // Short words are near to many others, and few people miss the first letter.
    let most = if length < 8 { 1 } else { 2 };
    let is_slip = |known: &&&str| {
        let is_plural = name.strip_suffix('s') == Some(**known);
        !is_plural && !PLAIN_WORDS.contains(*known) && known.chars().next() == name.chars().next()
    };
    NAMES
        .iter()
        .filter(is_slip)
        .map(|known| (strsim::damerau_levenshtein(name, known), *known))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_names_of_other_tools() {
        for (name, expect) in [
            ("bsh", "bash"),
            ("bahs", "bash"),
            ("reed", "read"),
            ("edti", "edit"),
            ("wirte", "write"),
            ("web_serach", "web_search"),
            ("multiedt", "multiedit"),
            ("run_shell_comand", "run_shell_command"),
        ] {
            assert_eq!(meant(name), Some(expect), "{name}");
        }
        for name in [
            "bash",
            "deploy",
            "query",
            "ask",
            "rm",
            "sh",
            "test",
            "move",
            "get",
            "backup",
            "search",
            "fetch",
            "lint",
            "reads",
            "github.edti",
            "database",
            "plan",
            "commit",
            "*",
            "",
        ] {
            assert_eq!(meant(name), None, "{name}");
        }
    }

    #[test]
    fn each_name_is_normalised_and_stands_once() {
        let mut scratch = String::new();
        for name in NAMES {
            behavior_runtime::tools::normalise(name, &mut scratch);
            assert_eq!(scratch, *name);
        }
        let names: std::collections::BTreeSet<_> = NAMES.iter().collect();
        assert_eq!(names.len(), NAMES.len());
    }
}
