//! The one table of the tools of pi (0.74.2) and oh-my-pi.

use crate::tools::{Tool, look_up, renamed, shell_here, tool};

/// A tool that works on a file.
const fn file(native: &'static str, canonical: &'static str) -> Tool {
    const NAMES: &[(&str, &str)] =
        &[("path", "file_path"), ("oldText", "old_string"), ("newText", "new_string")];
    renamed(native, canonical, NAMES)
}

/// The tools, in the order of their native names.
pub const TOOLS: &[Tool] = &[
    shell_here("bash"),
    file("edit", "edit"),
    tool("find", "glob"),
    tool("grep", "grep"),
    tool("ls", "ls"),
    file("read", "read"),
    tool("task", "task"),
    file("write", "write"),
];

/// What is known of the tool that pi calls `native`.
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
        assert_eq!(find("find").map(|tool| tool.canonical), Some("glob"));
        assert!(find("Read").is_none());
    }
}
