//! Names that a line gives a meaning before it uses them: aliases of the shell, programs behind `hash -p`, aliases of
//! git, and the hooks that git runs. Finds what they mean where that stands in the line, and runs nothing.

use super::written::{self, Written};
use super::{Command, CommandLine, HOLE, MAX_DEPTH, Word, settings, tasks};

/// Where git keeps settings that a line may write by itself.
const SETTINGS: [&str; 3] = [".git/config", "~/.gitconfig", "~/.config/git/config"];

/// What commands so far have given a meaning to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stored {
    /// Names of programs.
    names: bool,
    /// Hooks of git.
    hooks: bool,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A command line, which what stands behind the name is put behind.
    Line(String),
    /// A program.
    Program(Word),
}

impl Stored {
    /// Takes note of what a command stores.
    pub fn note(&mut self, line: &CommandLine, command: &Command) {
        let program = line.program(command);
        self.names |= matches!(program, Some("alias" | "hash"));
        self.hooks = self.hooks || hook_files(line, command, copies(program)).next().is_some();
    }

    /// What the name of a command stands for, if the line says so before.
    pub fn meaning(self, line: &CommandLine, index: usize) -> Option<Meaning> {
        let command = line.commands().get(index).filter(|_| self.names)?;
        let name = line.text(line.words(command).first()?);
        if name.contains('/') || is_inside(line, command, name) {
            return None;
        }
        line.before(index).find_map(|earlier| match line.program(earlier)? {
            "alias" => line.words(earlier).iter().skip(1).find_map(|word| {
                let (own, value) = line.text(word).split_once('=')?;
                (own == name).then(|| Meaning::Line(value.to_owned()))
            }),
            "hash" => {
                let words = line.words(earlier);
                let flag = words.iter().position(|word| line.text(word) == "-p")?;
                let [program, names @ ..] = words.get(flag + 1..)? else { return None };
                let is_own = names.iter().any(|own| line.text(own) == name);
                is_own.then_some(Meaning::Program(*program))
            }
            _ => None,
        })
    }

    /// What stands in the hooks that a subcommand of git runs, where the line writes them before.
    pub fn hooks(self, line: &CommandLine, index: usize, subcommand: &str) -> Vec<Written> {
        if !self.hooks {
            return Vec::new();
        }
        let mut found: Vec<(String, Written)> = Vec::new();
        let written = |earlier| hook_files(line, earlier, copies(line.program(earlier)));
        for target in line.before(index).flat_map(written) {
            let name = target.rsplit('/').next().unwrap_or_default();
            let is_new = !found.iter().any(|(known, _)| known == target);
            if is_new && is_triggered(name, subcommand) {
                let written = written::file(line, target, index);
                found.extend(written.map(|written| (target.to_owned(), written)));
            }
        }
        found.into_iter().map(|(_, written)| written).collect()
    }
}

/// What an alias of git stands for: set in the same command, in one before, or in a file of settings that the line
/// writes.
pub(super) fn git_alias(line: &CommandLine, index: usize, name: &str) -> Option<String> {
    if name.is_empty() || name.contains(HOLE) {
        return None;
    }
    let own = line.commands().get(index)?;
    let key = format!("alias.{name}");
    let is_key = |text: &str| text.eq_ignore_ascii_case(&key);
    // What an alias stands for sees the settings that its command was given.
    let around = || own_and_above(line, own).flat_map(|command| line.words(command));
    let given = around().find_map(|word| {
        let (name, value) = line.text(word).split_once('=')?;
        is_key(name).then(|| value.to_owned())
    });
    let configured = || {
        line.before(index).filter(|earlier| line.program(earlier) == Some("git")).find_map(|c| {
            let words = line.words(c);
            let at = words.iter().position(|word| is_key(line.text(word)))?;
            words.get(at + 1).map(|value| line.text(value).to_owned())
        })
    };
    let in_file = |path: &&str| {
        let file = written::file(line, path, index)?;
        let set = file.text.lines().filter_map(|line| line.split_once('='));
        let mut values = set.filter(|(own, _)| own.trim().eq_ignore_ascii_case(name));
        values.next().map(|(_, value)| value.trim().trim_matches('"').to_owned())
    };
    let included = || {
        let mut paths = around().filter_map(|word| {
            let (name, path) = line.text(word).split_once('=')?;
            name.eq_ignore_ascii_case("include.path").then_some(path)
        });
        let file = paths.find_map(|path| written::file(line, path, index))?;
        settings::of_file(&file.text).into_iter().find_map(|setting| {
            let (name, value) = setting.split_once('=')?;
            is_key(name).then(|| value.to_owned())
        })
    };
    given.or_else(included).or_else(configured).or_else(|| SETTINGS.iter().find_map(in_file))
}

/// A command of git and the ones that run it.
fn own_and_above<'l>(
    line: &'l CommandLine,
    own: &'l Command,
) -> impl Iterator<Item = &'l Command> + use<'l> {
    let above = |command: &&'l Command| line.commands().get(command.parent? as usize);
    let all = std::iter::successors(Some(own), above).take(MAX_DEPTH as usize);
    all.filter(|command| line.program(command) == Some("git"))
}

/// The program that the line makes for a subcommand of git, or for a kind of remote, where git looks for it by its name.
pub(super) fn git_program(line: &CommandLine, index: usize, name: &str) -> Option<String> {
    let own = match name.split_once("::") {
        Some((kind, _)) => format!("git-remote-{kind}"),
        None => format!("git-{name}"),
    };
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "-_".contains(sign);
    if own.len() == 4 || !own.chars().all(is_name) || line.commands().len() < 2 {
        return None;
    }
    let path = written::paths(line, index).into_iter().find(|path| {
        let (folder, last) = path.rsplit_once('/').unwrap_or((".", path));
        !folder.is_empty() && last == own
    })?;
    let path = if path.contains('/') { path } else { format!("./{path}") };
    // A program that is called so is one of git's as well, which would look for it again.
    let above = |command: &&Command| line.commands().get(command.parent? as usize);
    let mut all = std::iter::successors(line.commands().get(index), above).take(MAX_DEPTH as usize);
    let is_it = |word: &Word| line.text(word) == path;
    let is_inside = all.any(|command| line.words(command).first().is_some_and(is_it));
    (!is_inside).then_some(path)
}

/// The scripts of a package that a command runs, where the line sets them one by one before: `npm pkg set`.
pub(super) fn scripts(line: &CommandLine, index: usize) -> Vec<String> {
    let Some(own) = line.commands().get(index) else { return Vec::new() };
    let is_set = |earlier: &&Command| {
        let words = line.words(earlier);
        let has = |at: usize, text| words.get(at).is_some_and(|word| line.text(word) == text);
        line.program(earlier) == Some("npm") && has(1, "pkg") && has(2, "set")
    };
    let mut sets = line.before(index).filter(is_set).peekable();
    if sets.peek().is_none() {
        return Vec::new();
    }
    let goals: Vec<String> = line
        .words(own)
        .iter()
        .skip(1)
        .flat_map(|word| tasks::scripts_of(line.text(word)))
        .map(|name| format!("scripts.{name}"))
        .collect();
    let words = sets.flat_map(|earlier| line.words(earlier));
    let set = words.filter_map(|word| line.text(word).split_once('='));
    set.filter(|(name, _)| goals.iter().any(|goal| goal == name))
        .map(|(_, value)| value.to_owned())
        .collect()
}

/// Whether a command is run by one whose name is the same.
fn is_inside(line: &CommandLine, command: &Command, name: &str) -> bool {
    let mut parent = command.parent;
    while let Some(above) = parent.and_then(|parent| line.commands().get(parent as usize)) {
        if line.words(above).first().is_some_and(|word| line.text(word) == name) {
            return true;
        }
        parent = above.parent;
    }
    false
}

/// Whether a program puts files where its words say.
fn copies(program: Option<&str>) -> bool {
    matches!(program, Some("tee" | "cp" | "mv" | "ln" | "install" | "dd"))
}

/// The hooks of git that a command writes; `copies` tells whether its program does by its words.
fn hook_files<'l>(
    line: &'l CommandLine,
    command: &'l Command,
    copies: bool,
) -> impl Iterator<Item = &'l str> + use<'l> {
    let redirects = line.redirects(command).iter().filter(|redirect| redirect.writes());
    let targets = redirects.map(|redirect| line.target(redirect));
    let words = line.words(command).iter().skip(1).filter(move |_| copies).copied();
    let texts = targets.chain(words).map(|word| line.text(&word));
    texts.map(|text| text.strip_prefix("of=").unwrap_or(text)).filter(|text| is_hook(line, text))
}

/// Whether a path is that of a hook: a file of one of their names, in a folder for them.
fn is_hook(line: &CommandLine, path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    HOOKS.iter().any(|(hook, _)| *hook == name)
        && (folder.ends_with("hooks") || is_hooks_folder(line, folder))
}

/// Whether the line tells git that its hooks are in a folder.
fn is_hooks_folder(line: &CommandLine, folder: &str) -> bool {
    const KEY: &str = "core.hookspath";
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().map(str::to_owned);
    let mut words = line.words.iter().map(|word| line.text(word));
    while let Some(text) = words.next() {
        let Some((key, value)) = text.split_at_checked(KEY.len()) else { continue };
        let is_key = key.eq_ignore_ascii_case(KEY);
        let value = match value.strip_prefix('=') {
            Some(value) if is_key => Some(value),
            None if is_key && value.is_empty() => words.next(),
            _ => None,
        };
        if value.is_some_and(|value| last(value) == last(folder)) {
            return true;
        }
    }
    false
}

fn is_triggered(hook: &str, subcommand: &str) -> bool {
    // `git hook run` names it.
    HOOKS
        .iter()
        .any(|(name, by)| *name == hook && (by.contains(&subcommand) || subcommand == "hook"))
}

/// The hooks of git, and the subcommands that run them; see its manual page `githooks`.
const HOOKS: [(&str, &[&str]); 15] = [
    ("applypatch-msg", &["am"]),
    ("pre-applypatch", &["am"]),
    ("post-applypatch", &["am"]),
    ("pre-commit", &["commit"]),
    ("pre-merge-commit", &["merge", "pull"]),
    ("prepare-commit-msg", &["commit", "merge", "rebase", "cherry-pick", "revert", "pull"]),
    ("commit-msg", &["commit", "merge", "rebase", "cherry-pick", "revert", "pull"]),
    ("post-commit", &["commit", "merge", "rebase", "cherry-pick", "revert", "pull"]),
    ("pre-rebase", &["rebase", "pull"]),
    ("post-checkout", &["checkout", "switch", "clone", "worktree", "rebase"]),
    ("post-merge", &["merge", "pull"]),
    ("pre-push", &["push"]),
    ("post-rewrite", &["commit", "rebase"]),
    ("pre-auto-gc", &["gc", "maintenance"]),
    ("reference-transaction", &["commit", "push", "fetch", "pull", "branch", "tag", "reset"]),
];
