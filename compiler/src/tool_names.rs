//! Tells slips of the pen in triggers from the names of tools that agents are known to have. Tools may be
//! called anything, so what is not known may well be there: nothing is refused by this.

use behavior_facts::tool_catalogue::{KnownTool, TOOLS};
use behavior_facts::tools::last_part;

/// Returns the canonical names and what known agents call their tools, normalised.
pub fn names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().flat_map(KnownTool::names)
}

/// Programs that no tool is called like, and that people think of as something an agent does.
const COMMANDS: &[&str] = &[
    "cargo", "curl", "eslint", "gradle", "jest", "mocha", "mvn", "mypy", "npm", "phpunit", "pip",
    "pnpm", "pytest", "rm", "rspec", "ruff", "sudo", "tox", "tsc", "vitest", "wget", "yarn",
];

/// Programs that people write where a tool is named, with words behind them.
const WITH_WORDS: &[&str] = &[
    "git",
    "go",
    "make",
    "docker",
    "node",
    "python",
    "python3",
    "npx",
    "uv",
    "kubectl",
    "terraform",
];

/// Whether a name is that of a program, and of no tool.
pub(crate) fn is_program(name: &str) -> bool {
    COMMANDS.contains(&name)
}

/// Whether the first word of several is that of a program.
pub(crate) fn begins_command(word: &str) -> bool {
    is_program(word) || WITH_WORDS.contains(&word)
}

/// Words that other tools are called nearly as often: what is near to one is no slip of it.
const PLAIN_WORDS: &[&str] =
    &["agent", "find", "list", "ls", "lsp", "patch", "python", "skill", "task"];

/// Returns the known tool that was meant by a name of none; `name` is normalised. Nothing where it is near to
/// none, or is part of a longer name: whose tools those are nobody knows here.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 3;
    let length = name.chars().count();
    if length < SHORTEST || last_part(name).len() < name.len() || names().any(|known| known == name)
    {
        return None;
    }
    // Short words are near to many others, and few people miss the first letter.
    let most = if length < 8 { 1 } else { 2 };
    let is_slip = |known: &&str| {
        let is_plural = name.strip_suffix('s') == Some(*known);
        !is_plural && !PLAIN_WORDS.contains(known) && known.chars().next() == name.chars().next()
    };
    names()
        .filter(is_slip)
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
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
}
