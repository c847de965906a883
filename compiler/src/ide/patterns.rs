//! What can be written next in a pattern of a policy: tools, calls such as `bash(…)`, and in commands
//! the programs that are known.

use std::collections::BTreeSet;

use super::RuleFile;
use crate::policy_pattern::unfinished;
use crate::syntax::{Kind, Node};

/// What a pattern may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// Tools and commands.
    Both,
    /// Tools alone.
    Tools,
    /// Commands alone.
    Arguments,
}

impl Parts {
    /// What the pattern of a field of a policy's rule may name.
    pub fn of_field(name: &str) -> Self {
        match name {
            "tool_pattern" => Self::Tools,
            "arg_pattern" => Self::Arguments,
            _ => Self::Both,
        }
    }

    pub fn has_tools(self) -> bool {
        self != Self::Arguments
    }

    /// What an alternative may begin with beside a name, and what that means.
    pub fn calls(self) -> &'static [(&'static str, &'static str)] {
        const COMMAND: (&str, &str) = ("bash(", "commands that a shell runs");
        const SERVER: (&str, &str) = ("mcp(", "tools of an MCP server");
        match self {
            Self::Both => &[COMMAND, SERVER],
            Self::Tools => &[SERVER],
            Self::Arguments => &[],
        }
    }
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<'t> {
    /// An alternative, of which so much is written.
    Alternative(&'t str),
    /// The program of a command, of which so much is written.
    Program(&'t str),
    /// A server, or a tool of one, of which so much is written.
    Server(&'t str),
    /// A word behind a program, of which so much is written.
    Subcommand(&'t str, &'t str),
    /// A flag of a program with its first word behind it, of which so much is written.
    Flag(&'t str, Option<&'t str>, &'t str),
    /// Something that nobody can know.
    Nothing,
}

/// What comes next behind `text`.
pub(super) fn next(text: &str, parts: Parts) -> Next<'_> {
    if parts == Parts::Arguments {
        return in_command(text);
    }
    let (alternative, command) = unfinished(text);
    let alternative = alternative.trim_start();
    let is_command = alternative.contains(char::is_whitespace);
    match command {
        _ if is_command && parts == Parts::Tools => Next::Nothing,
        Some(command) if parts == Parts::Both => in_command(command),
        _ if of_server(alternative).is_some() => {
            Next::Server(of_server(alternative).unwrap_or_default())
        }
        _ if alternative.contains(['(', '\'', '"']) => Next::Nothing,
        None if is_command => in_command(alternative),
        _ => Next::Alternative(alternative),
    }
}

/// What is written between the brackets of `mcp(…)`, where these are open.
fn of_server(alternative: &str) -> Option<&str> {
    alternative.strip_prefix("mcp(").filter(|inside| !inside.contains([')', ' ', '"', '\'']))
}

/// The tools of MCP servers among some names, as `mcp(…)` has them, and each server with all of its tools.
pub(super) fn of_servers<'n>(names: impl Iterator<Item = &'n String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in names {
        let Some((server, tool)) =
            name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"))
        else {
            continue;
        };
        found.insert(format!("{server}/*"));
        found.insert(format!("{server}/{tool}"));
    }
    found
}

fn in_command(text: &str) -> Next<'_> {
    let text = text.trim_start();
    let Some((program, behind)) = text.split_once(char::is_whitespace) else {
        return Next::Program(text);
    };
    let behind = behind.trim_start();
    let first = behind.split(char::is_whitespace).next().filter(|word| !word.starts_with('-'));
    let last = behind.rsplit(char::is_whitespace).next().unwrap_or_default();
    match behind.contains(char::is_whitespace) {
        _ if last.starts_with('-') => Next::Flag(program, first, last),
        true if last.is_empty() => Next::Flag(program, first, last),
        true => Next::Nothing,
        false => Next::Subcommand(program, behind),
    }
}

fn entries(file: Option<&RuleFile>) -> impl Iterator<Item = (&str, &Node)> {
    let programs = file.and_then(|file| file.config().get("programs"));
    let entries = programs.and_then(Node::entries).unwrap_or_default().iter();
    entries.map(|entry| (&*entry.key.text, &entry.value))
}

/// The other names of a program.
fn others(program: &Node) -> impl Iterator<Item = &str> {
    let also = program.get("also");
    let many = also.and_then(Node::items).unwrap_or_default().iter();
    also.into_iter().chain(many).filter_map(Node::as_str)
}

/// The programs that are known, by name, and what else is to say of each.
pub(super) fn programs(file: Option<&RuleFile>) -> Vec<(String, &'static str)> {
    let mut names = BTreeSet::new();
    for (name, program) in entries(file) {
        let first = name.split(' ').next().unwrap_or_default();
        names.insert(first);
        // Of a subcommand, the other names are subcommands.
        names.extend(others(program).filter(|_| !name.contains(' ')));
    }
    names.into_iter().map(|name| (name.to_owned(), "program")).collect()
}

/// The words that select parts of a program: those of which something is known, and those that `classes` of commands
/// name.
pub(super) fn subcommands(
    file: Option<&RuleFile>,
    classes: Option<&RuleFile>,
    program: &str,
) -> Vec<String> {
    let own = entries(file).filter_map(|(name, _)| name.strip_prefix(program)?.strip_prefix(' '));
    let first = own.map(|rest| rest.split(' ').next().unwrap_or_default());
    let mut names: BTreeSet<&str> = first.collect();
    let classes = classes.and_then(|file| file.config().get("command_classes"));
    for class in classes.and_then(Node::entries).unwrap_or_default() {
        of_class(&class.value, program, &mut names);
    }
    let is_word = |name: &&str| {
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    names.into_iter().filter(is_word).map(str::to_owned).collect()
}

/// Adds the words that the descriptions of a class have behind a program.
fn of_class<'n>(class: &'n Node, program: &str, names: &mut BTreeSet<&'n str>) {
    for item in class.items().unwrap_or_default() {
        let texts = |field: &str| {
            let value = item.get(field);
            let many = value.and_then(Node::items).unwrap_or_default();
            value.into_iter().chain(many).filter_map(Node::as_str)
        };
        if texts("program").any(|name| name == program) {
            names.extend(texts("subcommand").filter_map(|words| words.split(' ').next()));
        }
    }
}

/// The flags of a program and of a subcommand of it, as they are written, each once.
pub(super) fn flags(
    file: Option<&RuleFile>,
    program: &str,
    subcommand: Option<&str>,
) -> Vec<String> {
    let whole = subcommand.map(|word| format!("{program} {word}"));
    let is_it = |name: &str, node: &Node| {
        name == program && whole.is_none()
            || Some(name) == whole.as_deref()
            || whole.is_none() && others(node).any(|other| other == program)
    };
    let mut found = BTreeSet::new();
    for (name, node) in entries(file) {
        if !is_it(name, node) && name != program {
            continue;
        }
        for field in ["same", "flags", "values", "two_values", "optional"] {
            let words = node.get(field);
            let many = words.and_then(Node::items).unwrap_or_default();
            let inner = many.iter().flat_map(|item| item.items().unwrap_or_default());
            let all = words.into_iter().chain(many).chain(inner).filter_map(Node::as_str);
            found.extend(all.map(dashed));
        }
    }
    found.into_iter().collect()
}

/// The other names that words of a command have: the word, and what means the same.
pub(super) fn spellings(file: Option<&RuleFile>, command: &str) -> Vec<(String, Vec<String>)> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let Some((program, behind)) = words.split_first() else { return Vec::new() };
    let first = behind.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    let whole = format!("{program} {first}");
    let mut found = Vec::new();
    for (name, node) in entries(file) {
        let word = match name {
            _ if name == *program => *program,
            _ if name == whole => first,
            _ => continue,
        };
        let names: Vec<String> = others(node).map(str::to_owned).collect();
        if !names.is_empty() {
            found.push((word.to_owned(), names));
        }
        let groups = node.get("same").and_then(Node::items).unwrap_or_default();
        for group in groups.iter().filter_map(Node::items) {
            let flags: Vec<String> = group.iter().filter_map(Node::as_str).map(dashed).collect();
            if let Some(flag) = behind.iter().find(|word| flags.iter().any(|flag| flag == *word)) {
                let same = flags.iter().filter(|other| other != flag).cloned();
                found.push(((*flag).to_owned(), same.collect()));
            }
        }
    }
    found
}

/// The command that a line goes on with behind programs that run another one: behind `sudo -u me `, `git pu`.
pub(super) fn unwrapped<'t>(file: Option<&RuleFile>, text: &'t str) -> &'t str {
    let mut rest = text.trim_start();
    // Each program is followed by a shorter text.
    while let Some((program, behind)) = rest.split_once(char::is_whitespace) {
        let entry = entries(file)
            .find(|(name, node)| *name == program || others(node).any(|other| other == program));
        let Some(command) = entry.and_then(|(_, node)| wrapped(node, behind)) else { break };
        rest = command;
    }
    rest
}

/// What a program runs that is given `words`; `None` where it runs nothing, or still has flags written.
fn wrapped<'t>(program: &Node, words: &'t str) -> Option<&'t str> {
    let runs = program.get("runs").and_then(Node::as_str)?;
    if !matches!(runs, "words" | "shell") {
        return None;
    }
    let list = |field: &str| program.get(field).and_then(Node::items).unwrap_or_default();
    let takes_value = |flag: &str| {
        list("values").iter().filter_map(Node::as_str).any(|known| dashed(known) == flag)
    };
    let mut left = match program.get("skip").map(|skip| &skip.kind) {
        Some(Kind::Int(number)) => usize::try_from(*number).unwrap_or(0),
        _ => 0,
    };
    let mut rest = words.trim_start();
    loop {
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        let is_assignment = || {
            let is_name = |name: &str| {
                !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || sign == '_')
            };
            word.split_once('=').is_some_and(|(name, _)| is_name(name))
        };
        let skipped = match word {
            _ if word.starts_with('-') && takes_value(word) => 2,
            _ if word.starts_with('-') || is_assignment() => 1,
            _ if left > 0 => {
                left -= 1;
                1
            }
            _ => return Some(rest),
        };
        for _ in 0..skipped {
            rest = rest.split_once(char::is_whitespace)?.1.trim_start();
        }
    }
}

/// A flag as it is written; `f` becomes `-f`, `force` `--force`.
pub(super) fn dashed(flag: &str) -> String {
    match flag.chars().count() {
        _ if flag.starts_with('-') => flag.to_owned(),
        1 => format!("-{flag}"),
        _ => format!("--{flag}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Next<'_>) {
        assert_eq!(next(text, Parts::Both), expect, "{text}");
    }

    #[test]
    fn alternatives_begin_anew_behind_each_bar() {
        check("", Next::Alternative(""));
        check("ed", Next::Alternative("ed"));
        check("edit|wr", Next::Alternative("wr"));
        check("edit | ", Next::Alternative(""));
        check("bash(rm *)|", Next::Alternative(""));
        check("bash(rm *)", Next::Nothing);
        check("edit|mcp(git", Next::Server("git"));
        check("mcp(git/status)", Next::Nothing);
    }

    #[test]
    fn commands_begin_with_programs() {
        check("bash(", Next::Program(""));
        check("edit|shell(gi", Next::Program("gi"));
        check("bash(git pu", Next::Subcommand("git", "pu"));
        check("git pu", Next::Subcommand("git", "pu"));
        check("edit|git ", Next::Subcommand("git", ""));
        check("git push --f", Next::Flag("git", Some("push"), "--f"));
        check("git push ", Next::Flag("git", Some("push"), ""));
        check("rm -", Next::Flag("rm", None, "-"));
        check("git push origin", Next::Nothing);
        check("echo 'a", Next::Nothing);
        check("bash(echo 'a|b", Next::Subcommand("echo", "'a|b"));
    }

    #[test]
    fn programs_that_run_others_are_left_behind() {
        let programs = "programs:\n  sudo: { runs: shell, values: [u, user] }\n  env: { runs: words }\n  timeout: { runs: words, skip: 1 }\n  xargs: { also: [gxargs], runs: words }\n  bash: { runs: line }\n";
        let programs = RuleFile::new("builtin:programs.yaml", programs);
        for (line, expect) in [
            ("sudo git ", "git "),
            ("sudo -u root git pu", "git pu"),
            ("sudo -n env A=b timeout 5 git", "git"),
            ("gxargs rm -", "rm -"),
            ("sudo ", ""),
            ("sudo -", "sudo -"),
            ("sudo -u ro", "sudo -u ro"),
            ("timeout 5", "timeout 5"),
            ("sudo", "sudo"),
            ("bash -c x", "bash -c x"),
            ("git push ", "git push "),
        ] {
            assert_eq!(unwrapped(Some(&programs), line), expect, "{line}");
        }
    }

    #[test]
    fn classes_know_subcommands() {
        let programs =
            RuleFile::new("builtin:programs.yaml", "programs:\n  npm: {}\n  npm test: {}\n");
        let classes = "command_classes:\n  a:\n    - { program: [npm, pnpm], subcommand: [publish, owner add, \"** x\"] }\n    - { program: cargo, subcommand: yank }\n";
        let classes = RuleFile::new("builtin:classes.yaml", classes);
        let found = subcommands(Some(&programs), Some(&classes), "npm");
        assert_eq!(found, ["owner", "publish", "test"]);
    }

    #[test]
    fn fields_name_parts() {
        assert_eq!(next("bash(", Parts::Tools), Next::Nothing);
        assert_eq!(next("git ", Parts::Tools), Next::Nothing);
        assert_eq!(next("gi", Parts::Arguments), Next::Program("gi"));
        assert_eq!(next("git st", Parts::Arguments), Next::Subcommand("git", "st"));
    }
}
