//! What a user wants only once something is so: "don't open the PR until ci is green". Who says later that it is so, "ci is green
//! now", asks for it. Of the words nothing is kept but a hash. Knows no rules.

use super::questions::begins_question;
use super::sentences::{at_negation, clauses};
use super::told::plain_words;

/// The acts that may wait, as patterns of rules read them.
pub(crate) const ACTS: &[&str] = &[
    "push it",
    "open a pull request",
    "merge it",
    "publish it",
    "deploy it",
    "release it",
    "commit it",
    "tag it",
];

/// Words that say nothing of what is to be so.
const AROUND: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "has",
    "have",
    "had",
    "the",
    "a",
    "an",
    "all",
    "my",
    "our",
    "your",
    "i",
    "i've",
    "i’ve",
    "we",
    "we've",
    "it",
    "it's",
    "it’s",
    "its",
    "now",
    "finally",
    "though",
    "tho",
    "yet",
    "ok",
    "okay",
    "so",
    "and",
    "just",
    "then",
    "please",
    "pls",
    "again",
    "to",
    "of",
    "on",
    "in",
    "for",
    "that",
    "this",
    "there",
    "done",
    "good",
    "alright",
    "yes",
    "yep",
    "s",
    "im",
    "i'm",
    "i’m",
    "with",
    "looks",
    "look",
    "everything",
    "too",
    "go",
    "ahead",
    "at",
    "last",
];

/// A longer sentence says more than that something is so.
const MAX_WORDS: usize = 12;

/// What a sentence, in lower case, makes wait, and the words for what has to be so.
pub(super) fn waits(lower: &str) -> Option<(&'static str, String)> {
    clauses(lower).find_map(|clause| {
        let (_, no, rest) = at_negation(clause);
        let words = plain_words(rest);
        let at = words.iter().position(|word| matches!(*word, "until" | "till" | "before"))?;
        let is_no = !matches!(no, "" | "until" | "before" | "unless" | "without");
        let (act, condition) = words.split_at_checked(at)?;
        let act = is_no.then(|| act_of(act)).flatten()?;
        Some((act, said_so(condition.get(1..)?)?))
    })
}

/// What a sentence, in lower case, may say is so: the acts that wait for it, and the words.
pub(super) fn states(lower: &str) -> Vec<String> {
    let is_said = |clause: &&str| at_negation(clause).1.is_empty() && !begins_question(clause);
    let clauses = clauses(lower).filter(is_said);
    clauses.filter_map(|clause| said_so(&plain_words(clause))).collect()
}

/// What waits, and for what, as one text.
pub(crate) fn waiting(act: &str, condition: &str) -> String {
    format!("{act}:{condition}")
}

fn act_of(words: &[&str]) -> Option<&'static str> {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let verb = |verb: &str| words.iter().any(|word| word.starts_with(verb));
    let opens = has(&["open", "create", "make", "raise", "file", "submit", "opening", "creating"]);
    if opens && has(&["pr", "mr", "pull", "prs", "request"]) {
        return Some("open a pull request");
    }
    let own = |act: &&&str| act.split(' ').next().is_some_and(verb);
    ACTS.iter().find(own).copied()
}

/// The words that say that something is so, in one order and without their endings; `None` where they are too many, or too few to
/// be about nothing else: "until I say so".
fn said_so(words: &[&str]) -> Option<String> {
    let own = words.iter().filter(|word| !AROUND.contains(word));
    let mut own: Vec<&str> = own.map(|word| stem(word)).collect();
    own.sort_unstable();
    own.dedup();
    (own.len() > 1 && words.len() <= MAX_WORDS).then(|| own.join(" "))
}

/// A word without the endings of its forms: "passes", "passed" and "passing" are "pass".
fn stem(word: &str) -> &str {
    const SHORTEST: usize = 3;
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    let cut = |ending: &str| {
        word.strip_suffix(ending).filter(|rest| {
            rest.len() >= SHORTEST
                && !rest.ends_with('s') | ending.starts_with('e') | ending.starts_with('i')
        })
    };
    ["ing", "ed", "es", "s"].into_iter().find_map(cut).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::{states, waits};

    #[test]
    fn who_says_that_it_is_so_asks_for_what_waited() {
        for (first, second, act) in [
            (
                "don't open the pr until ci is green though",
                "ci is green now",
                "open a pull request",
            ),
            ("do not push until the tests pass", "the tests are passing", "push it"),
            (
                "please don't publish before the changelog is merged",
                "ok, changelog merged",
                "publish it",
            ),
        ] {
            let (waiting, condition) = waits(first).expect("it waits");
            assert_eq!(waiting, act, "{first}");
            assert!(
                states(second).contains(&condition),
                "{second}: {condition} {:?}",
                states(second)
            );
        }
        for sentence in
            ["push it", "don't push", "the app must not wait until it is ready", "until then"]
        {
            assert_eq!(waits(sentence), None, "{sentence}");
        }
        let (_, condition) = waits("don't push until ci is green").expect("it waits");
        for sentence in
            ["ci is red", "ci is not green yet", "is it green", "is ci green", "so is ci green"]
        {
            assert!(!states(sentence).contains(&condition), "{sentence}");
        }
    }
}
