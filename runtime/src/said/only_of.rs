//! The only files that a user wants changed: "only touch src/parser", "fix it in a.py and nowhere else". Knows no rules.

use super::files_meant::{Meant, named, plain};
use super::left_alone::{CHANGES, CHANGING, MAX_BEFORE, WORKING, depends, is_beyond};
use super::wish::trimmed;

/// The only files that a sentence, in lower case, wants changed; none where it leaves that open.
pub(super) fn only_of(sentence: &str) -> Vec<Meant<'_>> {
    const LIMITING: &[&str] = &["limit", "restrict", "confine"];
    if depends(sentence) {
        return Vec::new();
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    if let Some(only) = at_the_end(&words).or_else(|| may_be_changed(&words)) {
        return only;
    }
    let changes = |at: usize| CHANGING.contains(&plain(&words, at));
    let is_change = |at: usize| CHANGES.contains(&plain(&words, at));
    let from = (0..words.len()).find_map(|at| match plain(&words, at) {
        // "Only touch x", "touch only x".
        "only" if changes(at + 1) => Some(at + 2),
        word if CHANGING.contains(&word) && plain(&words, at + 1) == "only" => Some(at + 2),
        // "Only make changes in x", "changes only in x".
        "only" if plain(&words, at + 1) == "make" && is_change(at + 2) => Some(at + 3),
        word if CHANGES.contains(&word) && plain(&words, at + 1) == "only" => Some(at + 2),
        // "Limit your changes to x".
        word if LIMITING.contains(&word) => {
            let to = (at + 1..at + 4).find(|at| plain(&words, *at) == "to")?;
            let is_meant = |at: usize| is_change(at) || plain(&words, at) == "yourself";
            (at + 1..to).any(is_meant).then_some(to + 1)
        }
        // "Don't touch anything outside of x".
        word if CHANGING.contains(&word) && says_no(words.get(..at)?) => {
            let any = matches!(plain(&words, at + 1), "anything" | "files" | "code" | "any");
            let beyond = (at + 1..at + 5).find(|at| is_beyond(plain(&words, *at)))?;
            any.then_some(beyond + 1)
        }
        _ => None,
    });
    let Some(from) = from else { return Vec::new() };
    let from = from + usize::from(matches!(plain(&words, from), "than" | "of" | "for"));
    words.get(from..).and_then(named).unwrap_or_default()
}

/// What stands before "and nowhere else", and before "only" at the end: "fix it in a.py only".
fn at_the_end<'t>(words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    let is_work =
        |word: &&str| WORKING.contains(&trimmed(word)) || CHANGING.contains(&trimmed(word));
    let last = words.len().checked_sub(1)?;
    let end = match (plain(words, last.checked_sub(1)?), plain(words, last)) {
        ("nowhere", "else") if plain(words, last.checked_sub(2)?) == "and" => {
            last.checked_sub(2)?
        }
        (_, "only") => last,
        _ => return None,
    };
    let from = end.saturating_sub(MAX_BEFORE);
    words.get(..end)?.iter().any(is_work).then_some(())?;
    // Just before it stands a name, and no "local".
    named(words.get(end.checked_sub(1)?..end)?)?;
    (from..end).find_map(|from| named(words.get(from..end)?))
}

/// What alone may be changed: "only src/ may be edited".
fn may_be_changed<'t>(words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    const DONE: [&str; 4] = ["changed", "edited", "touched", "modified"];
    let only = words.iter().take(MAX_BEFORE).position(|word| trimmed(word) == "only")?;
    let may = (only + 2..only + MAX_BEFORE).find(|at| {
        matches!(plain(words, *at), "may" | "can" | "should" | "must")
            && plain(words, at + 1) == "be"
            && DONE.contains(&plain(words, at + 2))
    })?;
    named(words.get(only + 1..may)?)
}

/// Whether one of the last words before an act says no to it.
fn says_no(before: &[&str]) -> bool {
    const NOES: &[&str] = &["don't", "don’t", "dont", "never", "without", "not"];
    before.iter().rev().take(3).any(|word| NOES.contains(&trimmed(word)))
}

#[cfg(test)]
mod tests {
    use super::only_of;
    use crate::said::files_meant::is_meant;

    fn is_only_of(sentence: &str, path: &str) -> bool {
        let lower = sentence.to_lowercase();
        let only = only_of(&lower);
        is_meant(path, |meant| only.contains(&meant))
    }

    #[test]
    fn who_names_the_only_files_wants_no_others_changed() {
        for sentence in [
            "only touch src/parser",
            "please edit only files in src/parser/",
            "limit your changes to src/parser",
            "don't touch anything outside src/parser",
            "do not change any files other than src/parser/mod.rs",
            "changes only in the directory parser, please",
            "only make changes to src/parser",
            "fix it in src/parser and nowhere else",
            "fix it in src/parser/mod.rs only",
            "limit yourself to src/parser pls",
            "don't touch anything apart from src/parser",
            "only src/parser may be edited",
        ] {
            assert!(is_only_of(sentence, "src/parser/mod.rs"), "{sentence}");
        }
        for sentence in [
            "only change the colour in src/parser",
            "only the parser changed in src/parser",
            "don't touch src/parser",
            "edit src/parser only if it is broken",
            "make it admin only",
            "fix it in src/parser/mod.rs, local only",
            "show it in src/parser only",
        ] {
            assert!(only_of(sentence).is_empty(), "{sentence}");
        }
    }
}
