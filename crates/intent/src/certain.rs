//! Whether what a sentence asks for is to be done now, whatever comes, and of which part of it that is so. Knows no acts.

use super::acts::DOERS;
use super::lexicon::deletes;
use super::wish::{is_path, name};

/// Whether what a sentence asks for is to be done now, whatever comes: not "if it fails, delete x", and not "in CI, run x" or
/// "the script should run x".
pub(super) fn is_certain(lower: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["if ", "when ", "whenever ", "in ", "the ", "unless ", "every ", "each "];
    const INNER: &[&str] = &[
        " so that ",
        " should ",
        " will ",
        " each ",
        " whenever ",
        " every time ",
        " tells ",
        // What is left of it then, nobody can tell.
        " except",
        " but ",
        " keep ",
        "keeping ",
        " leave ",
        "apart from",
        "other than",
        " unless ",
        " if ",
        " after ",
        "back up",
        "backup",
        "save ",
        "stash it",
        "stash them",
        "stash the changes",
        "stash my changes",
        "and stash",
        "then stash",
        "stash first",
        // Elsewhere, or in somebody else's words.
        " on the server",
        "ssh ",
        ": ",
    ];
    let is_for_you = ["if you ", "when you", "if possible"].iter().any(|it| lower.starts_with(it));
    let depends = BEGINNINGS.iter().any(|it| lower.starts_with(it)) && !is_for_you;
    // "The folder x can go" is about that folder, and depends on nothing.
    const PASSIVE: [&str; 9] = [
        "can go",
        "should go",
        "be deleted",
        "be removed",
        "gone",
        "we should remove",
        "we should delete",
        "we can remove",
        "we can delete",
    ];
    let is_passive = PASSIVE
        .iter()
        .any(|end| lower.trim_end().ends_with(end) || lower.contains(&format!("{end},")));
    // Who has a copy need not make one.
    let rest = [
        "i have a backup",
        "i have backups",
        "we have a backup",
        "we have backups",
        "there is a backup",
        "i've got a backup",
        "i’ve got a backup",
        "i've got backups",
        "i’ve got backups",
        "we've got backups",
    ]
    .iter()
    .fold(lower.to_owned(), |rest, copy| rest.replace(copy, ""));
    // A command that is to be run may stand behind a colon, and what is to stay as it is is no part of it.
    let rest = [
        "execute: ",
        "run: ",
        "do: ",
        "command: ",
        "then: ",
        "and leave the rest",
        "leave the rest alone",
        "leave the others alone",
        "leave the others",
        "keep the others",
        // What is found out in the end changes nothing before.
        "see if ",
        "check if ",
        "know if ",
        "find out if ",
        "tell me if ",
    ]
    .iter()
    .fold(rest, |rest, before| rest.replace(before, " "));
    let rest = without_label(&rest).to_owned();
    let rest = if is_list_of_names(lower) { rest.replace(": ", " ") } else { rest };
    let rest = without_other_places(&rest);
    (!depends || is_passive && lower.starts_with("the "))
        && !INNER.iter().any(|it| rest.contains(it) && !(is_passive && *it == " should "))
}

/// The last part of a sentence, where all that makes the sentence uncertain is what an earlier step is to leave: "undo the
/// commit but keep the changes, then throw away changes in a.txt".
pub(super) fn certain_in_the_end(sentence: &str) -> Option<&str> {
    const THEN: [&str; 3] = [", then ", " and then ", "; then "];
    /// Sentences with more names are lists, and no steps.
    const MAX_NAMES: usize = 32;
    const KEEPING: [&str; 6] =
        [" but keep ", " and keep ", " keep ", "keeping ", " but leave ", " but "];
    // Bytes of other letters keep their places in this lower case.
    let lower = sentence.to_ascii_lowercase();
    let at = THEN.iter().filter_map(|then| Some(lower.rfind(then)? + then.len())).max()?;
    let (before, last) = (lower.get(..at)?, lower.get(at..)?);
    let rest = KEEPING.iter().fold(before.to_owned(), |rest, keeping| rest.replace(keeping, " "));
    let names = |text: &'_ str| -> Vec<String> {
        let words = text.split_whitespace().filter_map(name);
        words.filter(|name| is_path(name)).map(str::to_owned).collect()
    };
    // What is named in both may be what is to be kept.
    let (kept, named) = (names(before), names(last));
    if kept.len() + named.len() > MAX_NAMES {
        return None;
    }
    let is_apart = named
        .iter()
        .all(|one| kept.iter().all(|other| !lies_in(one, other) && !lies_in(other, one)));
    (!named.is_empty() && is_apart && is_certain(&rest) && is_certain(last))
        .then(|| sentence.get(at..))
        .flatten()
}

/// Whether a path is another one, or lies in it.
fn lies_in(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A sentence without what it says of places that are none of those that it named before: "undo my changes in a.rs but leave
/// b.rs alone".
fn without_other_places(lower: &str) -> String {
    const SPARING: [&str; 7] = [
        " but leave ",
        " but keep ",
        " and keep ",
        " but not ",
        ", keep ",
        ", leave ",
        " and leave ",
    ];
    let split = SPARING.iter().find_map(|sparing| lower.split_once(sparing));
    let Some((before, spared)) = split else { return lower.to_owned() };
    let names = |text: &'_ str| -> Vec<String> {
        let words = text.split_whitespace().filter_map(|word| name(word));
        words.filter(|name| is_path(name)).map(str::to_owned).collect()
    };
    let (named, spared) = (names(before), names(spared));
    // A bare name may be one in a folder that is named.
    let may_hold = |folder: &String, one: &String| {
        let last = folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        !one.contains('/') && !last.contains('.')
    };
    let is_apart = |one: &String| {
        let is_beside =
            |other: &String| !lies_in(one, other) && !lies_in(other, one) && !may_hold(other, one);
        named.iter().all(is_beside)
    };
    match !named.is_empty() && !spared.is_empty() && spared.iter().all(is_apart) {
        true => before.to_owned(),
        false => lower.to_owned(),
    }
}

/// A sentence without what its beginning says it is about: "sqlite: drop table x".
fn without_label(lower: &str) -> &str {
    const LABELS: &[&str] = &[
        "sqlite",
        "sqlite3",
        "postgres",
        "postgresql",
        "psql",
        "mysql",
        "git",
        "db",
        "database",
        "cleanup",
        "clean-up",
        "clean up",
        "todo",
        "task",
        "chore",
        "housekeeping",
        "next",
        "also",
        "docs",
        "repo",
    ];
    match lower.trim_start().split_once(": ") {
        Some((label, rest)) if LABELS.contains(&label) || announces(label) => rest,
        _ => lower,
    }
}

/// Whether the words before a colon say no more than that something is to be done, or what for: "one more thing", "uninstall
/// husky".
fn announces(label: &str) -> bool {
    const COUNTING: &[&str] = &[
        "one", "two", "three", "four", "few", "some", "couple", "of", "a", "the", "my", "last",
        "next", "final", "another", "more", "other", "small", "quick", "little", "thing", "things",
        "round", "task", "tasks", "item", "items", "request", "requests", "todo", "todos", "point",
        "points", "and", "now", "ok", "okay",
    ];
    const CHANGING: &[&str] = &[
        "uninstall",
        "refactor",
        "migrate",
        "simplify",
        "tidy",
        "clean",
        "rework",
        "prepare",
        "finish",
    ];
    const MAX_WORDS: usize = 5;
    let words: Vec<&str> = label.split_whitespace().collect();
    let changes = words.first().is_some_and(|first| CHANGING.contains(first));
    words.len() <= MAX_WORDS
        && (words.iter().all(|word| COUNTING.contains(word))
            || changes && !words.iter().any(|word| DOERS.contains(word) || word.contains('.')))
}

/// Whether the colon of a sentence stands between what is wanted away and its names ("remove these folders: a, b", "docs/old:
/// delete"), or behind a sentence of its own.
fn is_list_of_names(lower: &str) -> bool {
    /// Who is quoted, or what, is said in no more words than these.
    const MAX_LABEL: usize = 5;
    let Some((before, _)) = lower.split_once(": ") else { return false };
    let words = || before.split_whitespace();
    words().any(deletes) || words().count() == 1 && is_path(before) || words().count() > MAX_LABEL
}
