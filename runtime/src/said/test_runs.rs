//! Whether a user forbids that tests are run, or asks for it. Knows no rules.

use super::forbidden::is_told;
use super::sentences::{before_negation, clauses};

const RUNNING: &[&str] = &[
    "run",
    "running",
    "execute",
    "executing",
    "start",
    "starting",
    "launch",
    "rerun",
    "kick",
    "do",
];

/// What stands before the tests that are run.
const BETWEEN: &[&str] = &[
    "please",
    "the",
    "any",
    "my",
    "our",
    "your",
    "unit",
    "e2e",
    "integration",
    "slow",
    "off",
    "these",
    "those",
    "again",
    "you",
    "to",
    "ever",
    "actually",
    "pytest",
    "jest",
    "playwright",
    "cypress",
];

const TESTS: &[&str] = &["tests", "test", "testsuite", "specs", "suite", "pytest", "jest"];

/// What is said in other languages.
const PHRASES: &[&str] = &[
    "keine tests laufen",
    "die tests nicht laufen",
    "tests nicht ausführen",
    "keine tests ausführen",
    "no ejecutes los tests",
    "no corras los tests",
    "sin ejecutar los tests",
    "ne lance pas les tests",
    "sans lancer les tests",
];

fn words(text: &str) -> Vec<&str> {
    let is_sign = |sign: char| !sign.is_alphanumeric();
    let plain = text.split_whitespace().map(|word| word.trim_matches(is_sign));
    plain.filter(|word| !word.is_empty()).collect()
}

/// Whether words are about running tests: whichever they are, and not all of them at once.
fn are_runs(words: &[&str]) -> bool {
    let is_leading = |word: &&&str| BETWEEN.contains(*word);
    let mut rest = words.iter().skip_while(is_leading);
    let runs = rest.next().is_some_and(|verb| RUNNING.contains(verb));
    let mut rest = rest.skip_while(is_leading);
    // "Run the test script" and "run tests/x.py" are other things.
    runs && rest.next().is_some_and(|noun| TESTS.contains(noun))
        && rest.next().is_none_or(|next| {
            !matches!(
                *next,
                "script"
                    | "server"
                    | "database"
                    | "db"
                    | "data"
                    | "migration"
                    | "env"
                    | "in"
                    | "with"
                    | "for"
            )
        })
}

/// Whether a sentence, in lower case, says that no tests are to be run.
pub(super) fn forbids_tests(lower: &str) -> bool {
    let says_no = |clause: &str| {
        let before = before_negation(clause);
        let behind = clause.get(before.len()..).unwrap_or_default().trim();
        let (no, rest) = behind.split_once(char::is_whitespace).unwrap_or((behind, ""));
        let is_no =
            !matches!(no, "" | "before" | "until" | "unless" | "instead" | "rather" | "except");
        let needs = words(rest).first().is_some_and(|first| matches!(*first, "need" | "have"));
        is_no && !needs && !is_told(before, no) && are_runs(&words(rest))
    };
    PHRASES.iter().any(|phrase| lower.contains(phrase)) || clauses(lower).any(says_no)
}

/// Whether what is asked for, its verb first, is a run of tests.
pub(super) fn asks_for_tests(act: &str) -> bool {
    let lower = act.to_lowercase();
    let words = words(&lower);
    let runs = words
        .first()
        .is_some_and(|verb| RUNNING.contains(verb) || matches!(*verb, "test" | "retest"));
    runs && words.iter().take(6).any(|word| TESTS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{asks_for_tests, forbids_tests};

    #[test]
    fn a_no_to_runs_of_tests_is_heard() {
        for sentence in [
            "don't run the tests",
            "fix it without running any tests",
            "please never run the e2e tests",
            "don't kick off the test suite",
            "bitte die tests nicht laufen lassen",
        ] {
            assert!(forbids_tests(sentence), "{sentence}");
        }
        for sentence in [
            "no need to run the tests",
            "why does it not run the tests?",
            "don't run the test script",
            "ci doesn't run the tests",
            "don't run the full test suite",
            "don't skip the tests",
        ] {
            assert!(!forbids_tests(sentence), "{sentence}");
        }
        assert!(asks_for_tests("run the unit tests") && !asks_for_tests("fix the tests"));
    }
}
