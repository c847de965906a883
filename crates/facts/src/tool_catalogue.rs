//! The tools that are known by name: what each does, what else it is called, and what the best known take.
//! This is the one table of them: policies, triggers, lints and the tables of the agents go by it. Names are
//! normalised, and only their last parts count, so that `filesystem.edit` is an `edit`.

use ToolEffect::{ChangesFiles, DeletesFiles, Other, ReadsFiles, RunsCommands};

/// A tool with a canonical name.
#[derive(Debug)]
pub struct KnownTool {
    /// The canonical name, which rules use.
    pub name: &'static str,
    /// What it does.
    pub effect: ToolEffect,
    /// What known agents call it, too.
    pub agent_names: &'static [&'static str],
    /// What programs that are no known agents call it. Such a name is never proposed to anybody.
    pub other_names: &'static [&'static str],
    /// The canonical names of what it takes; empty where nobody wrote them down. Agents add some of their
    /// own, so what is not here may well be there.
    pub params: &'static [&'static str],
}

/// What a tool does, as far as something depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolEffect {
    /// Runs command lines.
    RunsCommands,
    /// Changes what files hold: `autoEdit` allows it, and a file that it changed is as well known as before.
    ChangesFiles,
    /// Reads files.
    ReadsFiles,
    /// Deletes files, which is not changing what they hold.
    DeletesFiles,
    /// Anything else.
    Other,
}

/// Every known tool.
pub static TOOLS: &[KnownTool] = &[
    tool(
        RunsCommands,
        "bash",
        &[
            "shell",
            "container.exec",
            "exec_command",
            "local_shell",
            "run_shell_command",
            "run_terminal_cmd",
            "shell_command",
            "unified_exec",
        ],
        &[
            "sh",
            "zsh",
            "fish",
            "powershell",
            "pwsh",
            "cmd",
            "exec",
            "terminal",
            "bash_tool",
            "shell_tool",
            "run_bash",
            "run_shell",
            "run_terminal",
            "run_in_terminal",
            "execute_bash",
            "execute_shell",
            "shell_exec",
            "run_terminal_command",
            "run_command",
            "execute_command",
        ],
    )
    .taking(&["command", "description", "timeout", "run_in_background", "cwd", "workdir"]),
    tool(
        ChangesFiles,
        "edit",
        &[
            "multi_edit",
            "multiedit",
            "notebook_edit",
            "notebookedit",
            "editnotebook",
            "edit_file",
            "replace",
            "search_replace",
            "strreplace",
        ],
        &["str_replace", "update_file", "modify_file"],
    )
    .taking(&[
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
    ]),
    tool(ChangesFiles, "write", &["write_file"], &["create_file"]).taking(&[
        "file_path",
        "path",
        "content",
    ]),
    tool(ChangesFiles, "apply_patch", &["patch"], &[]),
    tool(DeletesFiles, "delete", &["delete_file"], &[]),
    tool(ReadsFiles, "read", &["read_file", "notebookread"], &[]).taking(&[
        "file_path",
        "path",
        "offset",
        "limit",
        "pages",
        "notebook_path",
    ]),
    tool(ReadsFiles, "read_many_files", &[], &[]),
    tool(ReadsFiles, "glob", &["find"], &["fd"]).taking(&["pattern", "path"]),
    tool(ReadsFiles, "grep", &["grep_files", "grep_search", "search_file_content"], &["rg"])
        .taking(&[
            "pattern",
            "path",
            "glob",
            "type",
            "output_mode",
            "include",
            "head_limit",
            "multiline",
        ]),
    tool(ReadsFiles, "ls", &["list", "list_dir", "list_directory"], &["dir", "tree"]),
    tool(Other, "semantic_search", &["semanticsearch"], &[]),
    tool(Other, "web_search", &["websearch", "google_web_search"], &[]).taking(&[
        "query",
        "allowed_domains",
        "blocked_domains",
    ]),
    tool(Other, "web_fetch", &["webfetch"], &[]).taking(&["url", "prompt"]),
    tool(Other, "task", &["agent", "delegate_to_agent", "spawn_agent"], &[]),
    tool(Other, "task_create", &["taskcreate"], &[]),
    tool(Other, "task_get", &["taskget"], &[]),
    tool(Other, "task_list", &["tasklist"], &[]),
    tool(Other, "task_output", &["agentoutputtool", "taskoutput"], &[]),
    tool(Other, "task_stop", &["taskstop"], &[]),
    tool(Other, "task_update", &["taskupdate"], &[]),
    tool(Other, "todo_read", &["todoread"], &[]),
    tool(Other, "todo_write", &["todowrite", "update_plan", "write_todos"], &[]),
    tool(Other, "ask_user", &["askuserquestion", "question", "request_user_input"], &[]),
    tool(Other, "bash_output", &["bashoutput"], &[]),
    tool(Other, "kill_shell", &["killbash", "killshell"], &[]),
    tool(Other, "enter_plan_mode", &["enterplanmode"], &[]),
    tool(Other, "exit_plan_mode", &["exitplanmode"], &[]),
    tool(Other, "lsp", &[], &[]),
    tool(Other, "python", &[], &[]),
    tool(Other, "send_message", &["sendmessage"], &[]),
    tool(Other, "skill", &["activate_skill"], &[]),
    tool(Other, "slash_command", &["slashcommand"], &[]),
    tool(Other, "tool_search", &["toolsearch"], &[]),
];

const fn tool(
    effect: ToolEffect,
    name: &'static str,
    agent_names: &'static [&'static str],
    other_names: &'static [&'static str],
) -> KnownTool {
    KnownTool { name, effect, agent_names, other_names, params: &[] }
}

impl KnownTool {
    const fn taking(mut self, params: &'static [&'static str]) -> Self {
        self.params = params;
        self
    }

    /// Returns the canonical name and what agents call the tool.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.agent_names.iter().copied())
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.agent_names.contains(&name) || self.other_names.contains(&name)
    }
}

/// Returns the tool that is called `name`, which is normalised, by any of its names.
#[must_use]
pub fn find(name: &str) -> Option<&'static KnownTool> {
    let last = last_part(name);
    TOOLS.iter().find(|tool| tool.is_called(last))
}

/// Tells whether a tool runs command lines; `name` is normalised.
#[must_use]
pub fn is_shell(name: &str) -> bool {
    let runs_commands = |name| has_effect(name, RunsCommands);
    // `bash_20250124`: tools of some providers have their date in their names.
    let stem = name.trim_end_matches(|end: char| end.is_ascii_digit());
    let undated = stem.strip_suffix('_').filter(|_| stem.len() < name.len());
    runs_commands(name) || undated.is_some_and(runs_commands)
}

/// Tells whether a tool changes files; `name` is normalised.
#[must_use]
pub fn is_editing(name: &str) -> bool {
    has_effect(name, ChangesFiles)
}

fn has_effect(name: &str, effect: ToolEffect) -> bool {
    let last = last_part(name);
    TOOLS.iter().any(|tool| tool.effect == effect && tool.is_called(last))
}

/// The last part of a normalised name, such as `edit` of `filesystem.edit`.
#[inline]
#[must_use]
pub fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tools::normalise;

    #[test]
    fn each_name_is_normalised_and_stands_once() {
        let mut scratch = String::new();
        let mut seen = BTreeSet::new();
        for name in
            TOOLS.iter().flat_map(|tool| tool.names().chain(tool.other_names.iter().copied()))
        {
            normalise(name, &mut scratch);
            assert_eq!(scratch, name);
            assert!(seen.insert(name), "{name}");
        }
    }

    /// The names that `autoEdit` allows and that keep a changed file known, one and all.
    #[test]
    fn what_changes_files_is_told_by_every_name() {
        for name in [
            "edit",
            "multi_edit",
            "multiedit",
            "write",
            "notebook_edit",
            "notebookedit",
            "editnotebook",
            "apply_patch",
            "patch",
            "replace",
            "search_replace",
            "strreplace",
            "str_replace",
            "write_file",
            "edit_file",
            "update_file",
            "modify_file",
            "create_file",
            "filesystem.edit_file",
        ] {
            assert!(is_editing(name), "{name}");
            assert!(!is_shell(name), "{name}");
        }
        for name in ["delete", "delete_file", "read", "bash", "edit.file", "editor", ""] {
            assert!(!is_editing(name), "{name}");
        }
    }

    #[test]
    fn shells_are_told_by_every_name() {
        for name in ["bash", "unified_exec", "container.exec", "run_in_terminal", "bash_20250124"] {
            assert!(is_shell(name), "{name}");
        }
        for name in ["bash_", "bash_output", "bash20250124", "run", "kill_shell", "edit", ""] {
            assert!(!is_shell(name), "{name}");
        }
    }
}
