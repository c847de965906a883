//! What a user wants left as it is, by its name: "don't touch the migrations", "leave src/legacy alone". It holds until he
//! asks for a change that names it. Knows no rules.

use super::files_meant::{Meant, is_meant, meant_by, named, plain};
use super::forbidden::is_told;
use super::sentences::NO;
use super::wish::{Wish, trimmed};

/// So many things are kept; nobody says more.
pub(crate) const MAX_LEFT_ALONE: usize = 64;

/// So many words before a no say whose it is.
const MAX_BEFORE: usize = 16;

/// Verbs that change what stands behind them, in the forms that follow a no.
const CHANGING: &[&str] = &[
    "touch",
    "touching",
    "change",
    "changing",
    "edit",
    "editing",
    "modify",
    "modifying",
    "alter",
    "altering",
    "rewrite",
    "rewriting",
    "overwrite",
    "overwriting",
    "reformat",
    "reformatting",
];

/// What is made where something is changed.
const CHANGES: &[&str] = &["changes", "edits", "modifications", "change", "edit"];

/// What is done to things that are named, where that takes back a no.
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
];

/// Words that may stand between a no and its verb.
const LEADING: &[&str] =
    &["ever", "please", "you", "to", "just", "actually", "even", "also", "go", "and", "try", "be"];

/// What a sentence, in lower case, wants left as it is.
pub(super) fn left_alone(sentence: &str) -> Vec<Meant<'_>> {
    if depends(sentence) {
        return Vec::new();
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    for at in 0..words.len() {
        let before = words.get(at.saturating_sub(MAX_BEFORE)..at).unwrap_or_default();
        let behind = words.get(at..).unwrap_or_default();
        let own = forbidden_change(before, behind).or_else(|| left(before, behind));
        found.extend(own.unwrap_or_default());
    }
    found.extend(off_limits(&words).unwrap_or_default());
    found
}

/// The only files that a sentence, in lower case, wants changed; none where it leaves that open.
pub(super) fn only_of(sentence: &str) -> Vec<Meant<'_>> {
    const LIMITING: &[&str] = &["limit", "restrict", "confine"];
    if depends(sentence) {
        return Vec::new();
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
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
            (at + 1..to).any(is_change).then_some(to + 1)
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

fn is_beyond(word: &str) -> bool {
    matches!(word, "outside" | "except" | "besides" | "but" | "other")
}

/// Whether one of the last words before an act says no to it.
fn says_no(before: &[&str]) -> bool {
    const NOES: &[&str] = &["don't", "don’t", "dont", "never", "without", "not"];
    before.iter().rev().take(3).any(|word| NOES.contains(&trimmed(word)))
}

/// Whether a sentence asks, or says under which condition it holds.
fn depends(sentence: &str) -> bool {
    sentence.trim_end().ends_with('?')
        || [" if ", " when "].iter().any(|word| sentence.contains(word))
}

/// Those of some wishes, by their hashes, that hold no more since clauses ask for a change of what they name.
pub(crate) fn taken_up(left: &[u64], clauses: &[String]) -> Vec<u64> {
    let mut found = Vec::new();
    if left.is_empty() {
        return found;
    }
    for clause in clauses.iter().filter(|clause| !clause.starts_with(NO)) {
        let lower = clause.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().map(trimmed).collect();
        let Some(verb) = words.iter().position(|word| WORKING.contains(word)) else { continue };
        for meant in words.iter().skip(verb + 1).filter_map(|word| meant_by(word)) {
            let mut take = |meant: Meant<'_>| {
                found.extend(left.iter().filter(|hash| **hash == Wish::LeftAlone(meant).hash()));
                false
            };
            match meant {
                Meant::Purpose(_) => _ = take(meant),
                // Who wants a file changed gives up its folder.
                Meant::Path(path) => _ = is_meant(path, take),
            }
        }
    }
    found
}

/// What a no with a verb that changes forbids: "don't touch x", "without changing x", "no edits in x".
fn forbidden_change<'t>(before: &[&str], words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    const SAYING: &[&str] = &[
        "don't",
        "don’t",
        "dont",
        "never",
        "without",
        "avoid",
        "not",
        "no",
        "stop",
        "shouldn't",
        "shouldn’t",
        "nor",
        "mustn't",
        "mustn’t",
        "or",
    ];
    let no = trimmed(words.first()?);
    if !SAYING.contains(&no) || is_told(&before.join(" "), no) {
        return None;
    }
    // "Don't delete or edit x": a second verb takes the no of the first one.
    if no == "or" && !before.iter().any(|word| SAYING.contains(&trimmed(word))) {
        return None;
    }
    let from = match no {
        "no" => behind_change(words, 1)?,
        _ => {
            let want = usize::from(plain(words, 1) == "want");
            let leading = (1 + want..).take_while(|at| LEADING.contains(&plain(words, *at)));
            behind_verb(words, 1 + want + leading.count())?
        }
    };
    named(words.get(from..)?)
}

/// Where the things stand that the verb at a place is about, if it changes them.
fn behind_verb(words: &[&str], at: usize) -> Option<usize> {
    let is_into = |at: usize| matches!(plain(words, at), "to" | "in" | "into");
    match (plain(words, at), plain(words, at + 1)) {
        ("make" | "making", "any") => behind_change(words, at + 2),
        ("make" | "making", _) => behind_change(words, at + 1),
        ("mess" | "fiddle" | "tamper", "with") => Some(at + 2),
        ("add" | "put" | "write", "anything") => is_into(at + 2).then_some(at + 3),
        ("add" | "put" | "write", _) => is_into(at + 1).then_some(at + 2),
        (verb, _) if CHANGING.contains(&verb) => {
            // "Don't edit or move x".
            let is_verb = |word: &str| CHANGING.contains(&word) || WORKING.contains(&word);
            let joined = (at + 1..).step_by(2).take_while(|at| {
                matches!(plain(words, *at), "or" | "and") && is_verb(plain(words, at + 1))
            });
            Some(at + 1 + 2 * joined.count())
        }
        _ => None,
    }
}

/// Where the things stand to which changes are made that are named at a place: "changes to x".
fn behind_change(words: &[&str], at: usize) -> Option<usize> {
    let is_of = matches!(plain(words, at + 1), "to" | "in" | "under" | "inside" | "of");
    (CHANGES.contains(&plain(words, at)) && is_of).then_some(at + 2)
}

/// What is to be left, or kept as it is: "leave x alone", "stay out of x", "hands off x".
fn left<'t>(before: &[&str], words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    const TAILS: &[&[&str]] = &[
        &["alone"],
        &["untouched"],
        &["unchanged"],
        &["as", "is"],
        &["as-is"],
        &["as", "it", "is"],
        &["as", "they", "are"],
        &["the", "way", "it", "is"],
        &["the", "way", "they", "are"],
        &["be"],
        &["intact"],
        &["out", "of", "it"],
        &["out", "of", "this"],
    ];
    let at = |index: usize| plain(words, index);
    let says_no = before.last().is_some_and(|word| {
        matches!(trimmed(word), "don't" | "not" | "never" | "don’t" | "can" | "did" | "could")
    });
    if says_no {
        return None;
    }
    match (at(0), at(1), at(2)) {
        ("stay" | "keep", "out", "of") | ("stay" | "keep", "away", "from") => {
            named(words.get(3..)?)
        }
        ("hands", "off", _) => named(words.get(2..)?),
        ("leave" | "keep" | "leaving" | "keeping", ..) => {
            let rest = words.get(1..)?;
            let begins = |from: usize, tail: &[&str]| {
                tail.iter().enumerate().all(|(index, word)| {
                    rest.get(from + index).is_some_and(|own| trimmed(own) == *word)
                })
            };
            let end = (1..rest.len().min(16))
                .find(|from| TAILS.iter().any(|tail| begins(*from, tail)))?;
            named(rest.get(..end)?)
        }
        _ => None,
    }
}

/// What a sentence says of things that it begins with: "src/legacy is off limits", "the migrations must not be changed".
fn off_limits<'t>(words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    const NOES: &[&str] =
        &["not", "never", "mustn't", "mustn’t", "shouldn't", "shouldn’t", "can't", "cannot"];
    const DUTIES: &[&str] = &["must", "should", "may", "can", "shall", "are", "is", "has", "have"];
    const DONE: &[&str] = &["touched", "changed", "edited", "modified", "altered", "overwritten"];
    let is_off = |from: usize| {
        matches!(plain(words, from), "is" | "are")
            && (matches!(plain(words, from + 1), "off-limits" | "untouchable" | "taboo")
                || plain(words, from + 1) == "off" && plain(words, from + 2) == "limits")
    };
    // "Must not be changed", "are never to be touched".
    let may_not_be = |from: usize| {
        let no = from + usize::from(DUTIES.contains(&plain(words, from)));
        let be = (no + 1..no + 4).take_while(|at| matches!(plain(words, *at), "to" | "be" | "get"));
        NOES.contains(&plain(words, no)) && DONE.contains(&plain(words, no + 1 + be.count()))
    };
    let end = (1..words.len().min(12)).find(|from| is_off(*from) || may_not_be(*from))?;
    named(words.get(..end)?)
}

#[cfg(test)]
mod tests {
    use super::{Wish, is_meant, left_alone, only_of, taken_up};

    fn leaves(sentence: &str, path: &str) -> bool {
        let lower = sentence.to_lowercase();
        let left = left_alone(&lower);
        is_meant(path, |meant| left.contains(&meant))
    }

    fn is_only_of(sentence: &str, path: &str) -> bool {
        let lower = sentence.to_lowercase();
        let only = only_of(&lower);
        is_meant(path, |meant| only.contains(&meant))
    }

    #[test]
    fn what_is_to_be_left_is_told_by_its_name() {
        for (sentence, path) in [
            ("don't touch the migrations", "db/migrations/0001_init.sql"),
            ("leave the migrations alone please", "app/migrations/0001.py"),
            ("Leave src/legacy alone", "src/legacy/a.rs"),
            ("do not edit config.py or src/api/, I am working on them", "app/config.py"),
            ("do not edit config.py or src/api/, I am working on them", "src/api/x.py"),
            ("fix it without changing the tests", "tests/a.rs"),
            ("fix it without changing the tests", "src/a.test.ts"),
            ("fix it without touching package.json", "package.json"),
            ("no changes to the lockfile", "Cargo.lock"),
            ("stay out of vendor/", "vendor/x/y.go"),
            ("hands off the CI", ".github/workflows/ci.yml"),
            ("please don't make any changes in src/core", "src/core/lib.rs"),
            ("don't touch anything under infra/", "infra/main.tf"),
            ("leave the legacy folder as it is", "src/legacy/a.py"),
            ("don't touch the folder legacy", "legacy/a.py"),
            ("the migrations must not be changed", "migrations/1.sql"),
            ("src/gen is off limits", "src/gen/a.rs"),
            ("keep the README as is", "README.md"),
            ("never modify Makefile", "Makefile"),
            ("don't edit the tests until I say so", "tests/a.py"),
            ("I don't want you to touch the docs", "docs/a.md"),
            ("don't mess with the Dockerfile", "Dockerfile"),
        ] {
            assert!(leaves(sentence, path), "{sentence}: {path}");
        }
    }

    #[test]
    fn other_noes_leave_nothing() {
        for (sentence, path) in [
            ("don't change the test names", "tests/a.rs"),
            ("don't change the file format", "src/format/a.rs"),
            ("don't change the API in src/api.py", "src/api.py"),
            ("don't edit Cargo.toml directly", "Cargo.toml"),
            ("don't touch files outside src/", "src/a.rs"),
            ("don't edit the tests if they pass", "tests/a.rs"),
            ("why don't you touch the tests?", "tests/a.rs"),
            ("the formatter doesn't touch the docs", "docs/a.md"),
            ("you don't need to touch the docs", "docs/a.md"),
            ("don't touch the migrations unless it is necessary", "migrations/a.sql"),
            ("don't leave the tests as they are", "tests/a.rs"),
            ("change the tests", "tests/a.rs"),
            ("don't touch src/legacy", "src/other.rs"),
            ("don't touch the migrations", "src/app.py"),
            ("keep the tests green", "tests/a.rs"),
            ("leave a comment in src/a.rs", "src/a.rs"),
        ] {
            assert!(!leaves(sentence, path), "{sentence}: {path}");
        }
    }

    #[test]
    fn who_asks_for_a_change_takes_his_no_back() {
        let takes_up = |clause: &str, sentence: &str| {
            let left: Vec<u64> =
                left_alone(sentence).iter().map(|meant| Wish::LeftAlone(*meant).hash()).collect();
            !left.is_empty() && taken_up(&left, &[clause.to_owned()]) == left
        };
        assert!(takes_up("add a test for it", "don't touch the tests"));
        assert!(takes_up("now update src/legacy/a.rs", "leave src/legacy alone"));
        assert!(takes_up("you can edit the migrations now", "leave the migrations alone"));
        assert!(!takes_up("run the tests", "don't touch the tests"));
        assert!(!takes_up("look at src/legacy", "leave src/legacy alone"));
        assert!(!takes_up("update src", "leave src/legacy alone"));
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
        ] {
            assert!(is_only_of(sentence, "src/parser/mod.rs"), "{sentence}");
        }
        for sentence in [
            "only change the colour in src/parser",
            "only the parser changed in src/parser",
            "don't touch src/parser",
            "edit src/parser only if it is broken",
            "why did you only touch src/parser?",
        ] {
            assert!(only_of(sentence).is_empty(), "{sentence}");
        }
    }
}
