//! What a user wants left as it is, or not deleted, by its name: "don't touch the migrations", "leave src/legacy alone". It
//! holds until he asks for a change that names it. Knows no rules.

use super::files_meant::{Meant, is_meant, meant_by, named, plain};
use super::forbidden::is_told;
use super::off_limits::off_limits;
use super::sentences::NO;
use super::wish::{Wish, trimmed};

/// So many things are kept; nobody says more.
pub(crate) const MAX_LEFT_ALONE: usize = 64;

/// So many words before a no say whose it is.
pub(super) const MAX_BEFORE: usize = 16;

/// Verbs that change what stands behind them, in the forms that follow a no.
pub(super) const CHANGING: &[&str] = &[
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
pub(super) const CHANGES: &[&str] = &["changes", "edits", "modifications", "change", "edit"];

/// What is done to things that are named, where that takes back a no.
pub(super) const WORKING: &[&str] = &[
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
const LEADING: &[&str] = &[
    "ever", "please", "you", "to", "just", "actually", "even", "also", "go", "and", "try", "be",
    "by", "dare",
];

/// Words that say no to the verb behind them.
const NOES: &[&str] = &["don't", "don’t", "dont", "never", "without", "w/o", "not"];

/// What a sentence, in lower case, wants left as it is. Of a question, only what is to be done without a change of it counts.
pub(super) fn left_alone(sentence: &str, is_question: bool) -> Vec<Meant<'_>> {
    if depends(sentence) {
        return Vec::new();
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut found = Vec::new();
    for at in 0..words.len() {
        let before = words.get(at.saturating_sub(MAX_BEFORE)..at).unwrap_or_default();
        let behind = words.get(at..).unwrap_or_default();
        if is_question && !matches!(plain(behind, 0), "without" | "w/o") {
            continue;
        }
        let own = forbidden_change(before, behind)
            .or_else(|| left(before, behind))
            .or_else(|| left_out(before, behind));
        found.extend(own.unwrap_or_default());
    }
    if !is_question {
        found.extend(off_limits(&words).unwrap_or_default());
    }
    found
}

/// What a sentence, in lower case, says not to delete, to move or to rename: "don't delete schema.sql".
pub(super) fn kept(sentence: &str) -> Vec<Meant<'_>> {
    const TAKING: &[&str] =
        &["delete", "deleting", "remove", "removing", "rename", "renaming", "move", "moving", "rm"];
    if depends(sentence) {
        return Vec::new();
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let of_no = |no: usize| {
        let before = words.get(no.saturating_sub(MAX_BEFORE)..no)?;
        if is_told(&before.join(" "), plain(&words, no)) || is_reported(before) {
            return None;
        }
        let leading = (no + 1..).take_while(|at| LEADING.contains(&plain(&words, *at)));
        let verb = no + 1 + leading.count();
        let takes = |word: &str| TAKING.contains(&word);
        takes(plain(&words, verb)).then_some(())?;
        named(words.get(behind_joined(&words, verb, takes)..)?)
    };
    let noes = (0..words.len()).filter(|at| NOES.contains(&plain(&words, *at)));
    noes.filter_map(of_no).flatten().collect()
}

/// Whether a sentence says under which condition it holds.
pub(super) fn depends(sentence: &str) -> bool {
    [" if ", " when "].iter().any(|word| sentence.contains(word)) || sentence.starts_with("if ")
}

/// Those of some wishes, by their hashes, that hold no more since clauses ask for a change of what they name.
pub(crate) fn taken_up(left: &[u64], clauses: &[String]) -> Vec<u64> {
    let mut found = Vec::new();
    if left.is_empty() {
        return found;
    }
    worked_on(clauses, |meant| {
        let mut take = |meant: Meant<'_>| {
            let wishes = [Wish::LeftAlone(meant).hash(), Wish::Kept(meant).hash()];
            found.extend(left.iter().filter(|hash| wishes.contains(hash)));
            false
        };
        match meant {
            Meant::Purpose(_) => _ = take(meant),
            // Who wants a file changed gives up its folder.
            Meant::Path(path) => _ = is_meant(path, take),
        }
    });
    found
}

/// Calls `take` with all that clauses name behind a verb that changes something.
pub(crate) fn worked_on(clauses: &[String], mut take: impl FnMut(Meant<'_>)) {
    for clause in clauses.iter().filter(|clause| !clause.starts_with(NO)) {
        let lower = clause.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().map(trimmed).collect();
        let Some(verb) = words.iter().position(|word| WORKING.contains(word)) else { continue };
        words.iter().skip(verb + 1).filter_map(|word| meant_by(word)).for_each(&mut take);
    }
}

/// What a no with a verb that changes forbids: "don't touch x", "without changing x", "no edits in x".
fn forbidden_change<'t>(before: &[&str], words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    const SAYING: &[&str] = &[
        "don't",
        "don’t",
        "dont",
        "never",
        "without",
        "w/o",
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
    if !SAYING.contains(&no) || is_told(&before.join(" "), no) || is_reported(before) {
        return None;
    }
    // "Don't delete or edit x": a second verb takes the no of the first one.
    if no == "or" && !before.iter().any(|word| SAYING.contains(&trimmed(word))) {
        return None;
    }
    let any = |at: usize| at + usize::from(plain(words, at) == "any");
    let from = match (no, plain(words, 1)) {
        // "No test changes".
        ("no", _) if CHANGES.contains(&plain(words, 2)) => return named(words.get(1..2)?),
        ("no" | "without" | "w/o", _) if CHANGES.contains(&plain(words, any(1))) => {
            behind_change(words, any(1))?
        }
        // "I don't want any changes to x".
        (_, "want") if CHANGES.contains(&plain(words, any(2))) => behind_change(words, any(2))?,
        // "Fix the code, not the tests".
        ("not", "the") if is_contrast(before) => 1,
        (_, second) => {
            let want = usize::from(second == "want");
            let leading = (1 + want..).take_while(|at| LEADING.contains(&plain(words, *at)));
            behind_verb(words, 1 + want + leading.count())?
        }
    };
    named(words.get(from..)?)
}

/// Whether words ask for a change of something else than what follows.
fn is_contrast(before: &[&str]) -> bool {
    const TELLING: [&str; 7] = ["is", "are", "was", "were", "it's", "it’s", "that's"];
    asks_for_work(before) && !before.iter().any(|word| TELLING.contains(&trimmed(word)))
}

/// Whether a verb that changes something is among some words.
fn asks_for_work(words: &[&str]) -> bool {
    words.iter().any(|word| WORKING.contains(&trimmed(word)))
}

/// Whether words say that somebody else, or a text, says what follows.
fn is_reported(before: &[&str]) -> bool {
    before.windows(2).any(|pair| match pair {
        ["told" | "asked", "me" | "us"] => true,
        [who, "says" | "said" | "say"] => !matches!(*who, "i" | "we" | "i've" | "as"),
        _ => false,
    })
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
        (verb, _) if CHANGING.contains(&verb) => Some(behind_joined(words, at, |word| {
            CHANGING.contains(&word) || WORKING.contains(&word)
        })),
        _ => None,
    }
}

/// What stands behind the verb at a place and those joined to it: "edit or move".
fn behind_joined(words: &[&str], at: usize, is_verb: impl Fn(&str) -> bool) -> usize {
    let joined = (at + 1..).step_by(2).take_while(|at| {
        matches!(plain(words, *at), "or" | "and") && is_verb(plain(words, at + 1))
    });
    at + 1 + 2 * joined.count()
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
    // "You can leave x alone" wants nothing, nor does "why did you".
    const OTHERWISE: &[&str] =
        &["don't", "don’t", "dont", "not", "never", "can", "did", "could", "used", "why", "should"];
    let says_no = before.iter().rev().take(3).any(|word| OTHERWISE.contains(&trimmed(word)));
    if says_no || is_reported(before) {
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
                tail.iter().enumerate().all(|(index, word)| plain(rest, from + index) == *word)
            };
            let (end, tail) = (1..rest.len().min(MAX_BEFORE)).find_map(|from| {
                let tail = TAILS.iter().find(|tail| begins(from, tail))?;
                Some((from, tail.len()))
            })?;
            // "Keep it as it is except for the port".
            let has_exception = is_beyond(plain(rest, end + tail));
            if has_exception { None } else { named(rest.get(..end)?) }
        }
        _ => None,
    }
}

/// Whether a word says that what follows is left out.
pub(super) fn is_beyond(word: &str) -> bool {
    matches!(word, "outside" | "except" | "besides" | "but" | "other" | "apart" | "excluding")
}

/// What is left out of a change that is asked for: "rename it everywhere except in docs/".
fn left_out<'t>(before: &[&str], words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    let is_exception = matches!(plain(words, 0), "except" | "excluding");
    let is_no = |word: &&str| matches!(trimmed(word), "don't" | "don’t" | "dont" | "not" | "never");
    if !is_exception || !asks_for_work(before) || before.iter().any(is_no) {
        return None;
    }
    let names = 1 + usize::from(plain(words, 1) == "for");
    named(words.get(names..)?)
}

#[cfg(test)]
mod tests {
    use super::{Wish, is_meant, kept, left_alone, taken_up};

    fn leaves(sentence: &str, path: &str) -> bool {
        let lower = sentence.to_lowercase();
        let plain = lower.trim_end_matches('?');
        let left = left_alone(plain, plain.len() < lower.len());
        is_meant(path, |meant| left.contains(&meant))
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
            ("can you do it without touching a.py?", "a.py"),
            ("w/o touching models.py", "models.py"),
            ("as i said, don't touch models.py", "models.py"),
            ("whatever you do, requirements.txt stays untouched", "requirements.txt"),
            ("config.yaml should stay exactly like it is tho", "config.yaml"),
            ("the conftest.py has to stay how it is", "conftest.py"),
            ("config.py can't change", "config.py"),
            ("config.py should not change", "config.py"),
            ("config.py remains unchanged", "config.py"),
            ("the tests should stay the same", "tests/a.py"),
            ("generated/ is read-only for you", "generated/a.py"),
            ("fix the code and not the tests", "tests/a.py"),
            ("make it green, but not by editing the tests", "tests/a.py"),
            ("no test changes please", "tests/a.py"),
            ("I don't want any changes to the migrations", "migrations/a.sql"),
            ("do it without changes to the Dockerfile", "Dockerfile"),
            ("nothing under db/ changes", "db/a.sql"),
            ("nothing in db/ should change", "db/a.sql"),
            ("don't touch src", "src/a.py"),
            ("don't you dare touch config.py", "config.py"),
            ("rename foo to bar everywhere except in docs/", "docs/a.md"),
            ("update everything except the lockfile", "Cargo.lock"),
            ("bitte fass die Tests nicht an", "tests/a.py"),
            ("config.py nicht ändern", "config.py"),
            ("mach es, ohne die Tests zu ändern", "tests/a.py"),
            ("Finger weg von config.py", "config.py"),
            ("lass config.py in Ruhe", "config.py"),
            ("ne touche pas au Dockerfile", "Dockerfile"),
            ("corrige-le sans modifier les tests", "tests/a.py"),
            ("no toques package.json", "package.json"),
            ("deja el README.md como está", "README.md"),
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
            ("why did you leave utils.py alone?", "utils.py"),
            ("why did you leave utils.py alone", "utils.py"),
            ("should I leave config.py as it is or change it?", "config.py"),
            ("keep config.py as it is except for the port", "config.py"),
            ("the tests must not be changed by the formatter", "tests/a.py"),
            ("the Dockerfile must not be changed to alpine", "Dockerfile"),
            ("you don't have to leave config.py alone", "config.py"),
            ("we used to keep hands off the Makefile", "Makefile"),
            ("the guide says don't touch config.py", "config.py"),
            ("Jonas told me to leave utils.py alone", "utils.py"),
            ("the readme says don't touch config.py", "config.py"),
            ("run everything except the tests", "tests/a.py"),
            ("the bug is in the code, not the tests", "tests/a.py"),
            ("config.py should not change its format", "config.py"),
            ("don't touch anything except src/a.py", "src/a.py"),
        ] {
            assert!(!leaves(sentence, path), "{sentence}: {path}");
        }
    }

    #[test]
    fn what_is_not_to_be_deleted_is_kept() {
        let keeps = |sentence: &str, path: &str| {
            let kept = kept(sentence);
            is_meant(path, |meant| kept.contains(&meant))
        };
        assert!(keeps("don't delete schema.sql", "db/schema.sql"));
        assert!(keeps("do not move or rename the tests, please", "tests/a.rs"));
        assert!(keeps("clean it up without removing docs/old", "docs/old/a.md"));
        assert!(!keeps("don't delete the row in schema.sql", "schema.sql"));
        assert!(!keeps("delete schema.sql", "schema.sql"));
        assert!(!keeps("the script does not delete schema.sql", "schema.sql"));
    }

    #[test]
    fn who_asks_for_a_change_takes_his_no_back() {
        let takes_up = |clause: &str, sentence: &str| {
            let left: Vec<u64> = left_alone(sentence, false)
                .iter()
                .map(|meant| Wish::LeftAlone(*meant).hash())
                .collect();
            !left.is_empty() && taken_up(&left, &[clause.to_owned()]) == left
        };
        assert!(takes_up("add a test for it", "don't touch the tests"));
        assert!(takes_up("now update src/legacy/a.rs", "leave src/legacy alone"));
        assert!(takes_up("you can edit the migrations now", "leave the migrations alone"));
        assert!(!takes_up("run the tests", "don't touch the tests"));
        assert!(!takes_up("look at src/legacy", "leave src/legacy alone"));
        assert!(!takes_up("update src", "leave src/legacy alone"));
    }
}
