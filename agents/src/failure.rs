//! Edits that failed although nothing but their text says so: some agents, and some of their versions, mark
//! such results like any other. Only tools that change files are judged by this, since their results are
//! the agent's own words, and only by how a result begins.

use behavior_facts::tool_catalogue::is_editing;
use behavior_facts::tools::normalise;
use behavior_runtime::event::Value;

/// What the results of edits begin with that changed nothing.
const FAILED: &[&str] = &[
    // Codex
    "apply_patch verification failed",
    "apply_patch handler received",
    "Failed to find expected lines",
    "invalid patch",
    "Script failed",
    // Claude Code
    "<tool_use_error>",
    "File does not exist",
    "File has been modified since read",
    "File has been unexpectedly modified",
    "File has not been read yet",
    "String to replace not found",
    // Gemini CLI
    "Failed to edit",
    "Error executing tool",
    "Error editing file",
    "Error writing to file",
    "No changes to apply",
    // OpenCode, pi and others
    "Could not find",
    "Could not edit",
    "Error:",
    "Failed to apply",
    "File not found",
    "No replacement was performed",
    "oldString not found",
    "old_string not found",
];

/// Whether the result of a call of `tool`, a canonical name, says that a file was not changed.
pub(crate) fn is_told(tool: &str, result: Option<&Value<'_>>) -> bool {
    let Some(text) = result.and_then(Value::as_text).map(str::trim_start) else { return false };
    if !FAILED.iter().any(|start| text.starts_with(start)) {
        return false;
    }
    let mut normal = String::new();
    normalise(tool, &mut normal);
    is_editing(&normal) || normal == "delete"
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn edits_tell_by_their_texts_that_they_failed() {
        let check = |tool: &str, text: &'static str, expect: bool| {
            let value = Value::Text(Cow::Borrowed(text));
            assert_eq!(is_told(tool, Some(&value)), expect, "{tool}: {text}");
        };
        check("edit", "apply_patch verification failed: Failed to find expected lines in a", true);
        check("edit", "Failed to edit, 0 occurrences found for old_string in /a.", true);
        check("write", "Error: no space left", true);
        check("delete", "Script failed\nWall time 0.1 seconds", true);
        check("str_replace", "No replacement was performed, old_str was not there", true);
        check("edit", "The file a.rs has been updated: Error: x", false);
        check("read", "Error: is what this file says", false);
        check("bash", "Error: is what a command prints", false);
        assert!(!is_told("edit", None));
    }
}
