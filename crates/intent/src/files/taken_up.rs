//! What a user asks to be changed, by its name: that takes back a no, and widens what alone is to be changed. Knows no rules.

use super::meant::{Meant, is_meant, meant_by, name_of};
use super::undone::asks_for_undo;
use crate::sentences::NO;
use crate::wish::{Wish, is_path, name, trimmed};

/// So many things are kept; nobody says more.
pub const MAX_LEFT_ALONE: usize = 256;

/// What is done to things that are named.
const WORKING: &[&str] = &[
    "edit",
    "change",
    "update",
    "modify",
    "rewrite",
    "touch",
    "fix",
    "add",
    "write",
    "create",
    "rename",
    "move",
    "delete",
    "remove",
    "refactor",
    "reformat",
    "format",
    "clean",
    "extend",
    "adapt",
    "adjust",
    "alter",
    "improve",
    "simplify",
    "generate",
    "regenerate",
    "implement",
    "convert",
    "replace",
    "drop",
    "overwrite",
    "bump",
    "sync",
    "squash",
    "split",
    "merge",
    "renaming",
    "fixing",
    "refactoring",
    "patch",
    "raise",
    "raising",
    "lower",
    "lowering",
    "changing",
    "editing",
    "updating",
    "adding",
    "tweak",
    "correct",
    "wire",
    "migrate",
    "upgrade",
    "tidy",
    "lint",
    "set",
    "put",
    "document",
    "describe",
    "mention",
    "insert",
    "append",
    "include",
    "tackle",
    "configure",
    "enable",
    "disable",
    "increase",
    "decrease",
    "switch",
    "comment",
    "register",
    "note",
    "ändern",
    "anpassen",
    "aktualisiere",
    "ergänze",
    "passe",
    "umstellen",
    "revert",
    "reset",
    "prettier",
    "codemod",
    "wipe",
    "port",
    "translate",
    "strip",
    "apply",
    "corrige",
    "renomme",
    "renombra",
    "cambia",
    "arregla",
    "benenne",
    "ändere",
    "lösche",
    "supprime",
    "borra",
    "formate",
    "formatea",
    "formatiere",
];

/// Words behind which a clause says no more of what is changed: why, until when, or what for.
const BEHIND: &[&str] = &[
    "so",
    "that",
    "until",
    "till",
    "because",
    "since",
    "while",
    "when",
    "after",
    "before",
    "if",
    "like",
    "using",
    "according",
    "where",
    "which",
    "without",
    "as",
];

/// So many places are where "there" is.
const MAX_PLACES: usize = 4;

/// Whether a verb that changes something is among some words.
pub(super) fn asks_for_work(words: &[&str]) -> bool {
    words.iter().any(|word| WORKING.contains(&trimmed(word)))
}

/// Those of some wishes, by their hashes, that hold no more since clauses ask for a change of what they name.
pub fn taken_up(left: &[u64], clauses: &[String]) -> Vec<u64> {
    let mut found = Vec::new();
    if left.is_empty() {
        return found;
    }
    worked_on(clauses, |meant| found.extend(lifted(left, &hashes_of(meant))));
    found
}

/// What clauses want changed though it lies among what some wishes are about: who wants a file changed says nothing of the others
/// in its folder.
pub fn excepted(left: &[u64], clauses: &[String]) -> Vec<u64> {
    let mut found = Vec::new();
    if left.is_empty() {
        return found;
    }
    worked_on(clauses, |meant| {
        let Meant::Path(path) = meant else { return };
        let is_part = |part: Meant<'_>| {
            part != meant && hashes_of(part).iter().any(|named| left.contains(named))
        };
        if is_meant(path, is_part) {
            found.push(Wish::Excepted(meant).hash());
        }
    });
    found
}

/// The wishes about what is called so.
pub(super) fn hashes_of(meant: Meant<'_>) -> [u64; 2] {
    [Wish::LeftAlone(meant).hash(), Wish::Kept(meant).hash()]
}

/// The wishes about the files in which a project lists what it depends on: who wants a dependency wants them changed.
pub fn of_manifests() -> Vec<u64> {
    const NAMES: &[&str] = &[
        "package.json",
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "Cargo.toml",
        "cargo.toml",
        "Cargo.lock",
        "cargo.lock",
        "pyproject.toml",
        "requirements.txt",
        "go.mod",
        "go.sum",
        "Gemfile",
        "gemfile",
        "composer.json",
        "pubspec.yaml",
        "poetry.lock",
        "uv.lock",
    ];
    NAMES.iter().filter_map(|name| meant_by(name)).flat_map(hashes_of).collect()
}

/// What is kept beside a wish about a path, so that it is known again by what the path is for, and by its last part.
pub(super) fn also_called(meant: Meant<'_>, wish: u64) -> Vec<u64> {
    let Meant::Path(path) = meant else { return Vec::new() };
    let mut also = Vec::new();
    let last = path.rsplit('/').next().unwrap_or(path);
    is_meant(path, |called| {
        let is_own_name =
            matches!(called, Meant::Name(name) if last.split('.').next() == Some(name));
        let is_called =
            is_own_name || matches!(called, Meant::Purpose(_)) || called == Meant::Path(last);
        if called != meant && is_called {
            also.push(wish ^ Wish::LeftAlone(called).hash());
        }
        false
    });
    also
}

/// Those of some wishes that what is named now is about, by its own name or by another one.
pub fn lifted(left: &[u64], named: &[u64]) -> Vec<u64> {
    let is_lifted =
        |wish: &&u64| named.iter().any(|name| name == *wish || left.contains(&(**wish ^ name)));
    left.iter().filter(is_lifted).copied().collect()
}

/// Calls `take` with all that clauses name behind a verb that changes something.
pub fn worked_on(clauses: &[String], mut take: impl FnMut(Meant<'_>)) {
    each_worked_on(clauses, |word| {
        if let Some(meant) = meant_by(word) {
            take(meant);
        }
    });
}

/// Whether clauses name a file behind a verb that changes something, and not just some word.
pub fn names_work(clauses: &[String]) -> bool {
    let mut names = false;
    each_worked_on(clauses, |word| names |= name_of(word, false).is_some());
    names
}

fn each_worked_on(clauses: &[String], mut take: impl FnMut(&str)) {
    const PROBLEMS: &[&str] =
        &["problem", "culprit", "wrong", "broken", "obsolete", "fault", "cause"];
    let mut before: Vec<String> = Vec::new();
    let mut is_problem = false;
    for clause in clauses.iter().filter(|clause| !clause.starts_with(NO)) {
        let lower = clause.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().map(trimmed).collect();
        // Who wants a file as it was before wants no other change of it.
        if asks_for_undo(&words) {
            continue;
        }
        // "Then do the old ones as well."
        let adds = words.last().is_some_and(|last| matches!(*last, "too" | "also" | "well"));
        let does = || words.iter().take(4).position(|word| adds && *word == "do");
        // "Make the column nullable in a.sql", but not "make sure that a.sql is as it was".
        let makes = || {
            words.windows(2).position(
                |pair| matches!(pair, ["make", next] if !matches!(*next, "sure" | "certain")),
            )
        };
        let works = words.iter().position(|word| WORKING.contains(word));
        let Some(verb) = works.or_else(does).or_else(makes) else {
            is_problem = words.iter().any(|word| PROBLEMS.contains(word));
            let named = |word: &&&str| {
                name(word).is_some_and(is_path) || is_problem && name_of(word, false).is_some()
            };
            let named = words.iter().filter(named);
            before = named.take(MAX_PLACES).map(|word| (*word).to_owned()).collect();
            continue;
        };
        let objects = words.iter().skip(verb + 1).take_while(|word| !BEHIND.contains(word));
        objects.for_each(|word| take(word));
        // "Fix it there": where the words before said. What is the problem is what "it" is.
        let refers =
            |word: &&str| *word == "there" || is_problem && matches!(*word, "it" | "its" | "that");
        if words.get(verb + 1..).is_some_and(|rest| rest.iter().any(refers)) {
            before.iter().for_each(|place| take(place));
        }
    }
}
