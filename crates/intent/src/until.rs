//! What a user wants only once something is so: "don't open the PR until ci is green". Who says later that it is so, "ci is green
//! now", asks for it. Of the words nothing is kept but a hash. Knows no rules.

use super::act::Act;
use super::questions::begins_question;
use super::sentences::{at_negation, clauses};
use super::told::plain_words;

/// The acts that may wait, as patterns of rules read them.
pub const ACTS: &[&str] = &[
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
    "ive",
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
    "btw",
    "his",
    "her",
    "their",
    "slack",
    "mail",
    "phone",
    "chat",
    "ok'd",
    "ok’d",
    "okd",
    "okayed",
];

/// A longer sentence says more than that something is so.
const MAX_WORDS: usize = 12;

/// What waits for something that is to be so first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What waits, as patterns of rules read it.
    pub act: &'static str,
    /// The words for what has to be so.
    pub condition: String,
}

impl Wait {
    /// The act that waits, where it is one that may be forbidden as a whole.
    pub fn whole_act(&self) -> Option<Act> {
        self.act.split(' ').next().and_then(Act::of)
    }

    /// The act that is forbidden until then. What an agent sees to by itself forbids nothing, unless tests can show it.
    pub fn forbids(&self) -> Option<Act> {
        let says = |words: &[&str]| self.condition.split(' ').any(|word| words.contains(&word));
        let act = self.whole_act()?;
        if says(ELSEWHERE) {
            return Some(act);
        }
        if says(SHOWN) {
            return act.untested();
        }
        (!says(OWN_WORK)).then_some(act)
    }
}

/// What runs elsewhere, in the form of [`stem`].
const ELSEWHERE: &[&str] = &["ci", "cicd", "pipeline", "workflow", "action"];

/// What tests, a build or a linter can show, in the form of [`stem`].
const SHOWN: &[&str] = &[
    "test",
    "suite",
    "spec",
    "lint",
    "linter",
    "build",
    "compil",
    "typecheck",
    "type",
    "coverage",
    "check",
];

/// What an agent works at, in the form of [`stem`].
const OWN_WORK: &[&str] = &[
    "format",
    "fix",
    "work",
    "pass",
    "green",
    "clean",
    "run",
    "change",
    "doc",
    "readme",
    "changelog",
    "bug",
    "error",
    "warning",
    "conflict",
    "rebas",
    "finish",
    "updat",
    "ready",
];

/// What waits for something, and for the beginning of it, if that says something: who said "until marta signed off on the wording"
/// may say that "marta signed off".
fn for_all_or_its_head(act: &'static str, condition: &[&str]) -> Vec<Wait> {
    const TAILS: &[&str] = &["on", "about", "for", "with", "at", "in", "through"];
    const JUDGING: &[&str] = &[
        "signed",
        "signs",
        "approved",
        "approves",
        "looked",
        "looks",
        "reviewed",
        "reviews",
        "checked",
        "agreed",
        "agrees",
        "confirmed",
        "confirms",
        "seen",
        "read",
    ];
    // "The tests pass on windows" says more than that they pass.
    let is_tail = |at: &usize| {
        condition.get(*at).is_some_and(|word| TAILS.contains(word))
            && condition.iter().take(*at).any(|word| JUDGING.contains(word))
    };
    let end = (0..condition.len()).find(is_tail).unwrap_or(condition.len());
    let conditions = [condition, condition.get(..end).unwrap_or_default()];
    let mut conditions: Vec<String> = conditions.into_iter().filter_map(said_so).collect();
    conditions.dedup();
    conditions.into_iter().map(|condition| Wait { act, condition }).collect()
}

/// What a sentence, in lower case, makes wait: the same act for the same, in one way of saying it or several.
pub(super) fn waits(lower: &str) -> Vec<Wait> {
    let is_until = |word: &str| matches!(word, "until" | "till" | "before");
    let found = clauses(lower).find_map(|clause| {
        let (before, no, rest) = at_negation(clause);
        let words = plain_words(rest);
        let (act, condition) = match no {
            // "Wait with the push until …"
            "until" | "till" if puts_off(before) => (plain_words(before), words.as_slice()),
            "" | "until" | "before" | "unless" | "without" => return None,
            _ => {
                let at = words.iter().position(|word| is_until(word))?;
                (words.get(..at)?.to_vec(), words.get(at + 1..)?)
            }
        };
        non_empty(for_all_or_its_head(act_of(&act)?, condition))
    });
    let found =
        found.or_else(|| clauses(lower).find_map(waits_for_one_thing).map(|wait| vec![wait]));
    found.or_else(|| may_only_then(lower).map(|wait| vec![wait])).unwrap_or_default()
}

fn non_empty(waits: Vec<Wait>) -> Option<Vec<Wait>> {
    (!waits.is_empty()).then_some(waits)
}

/// The act that a sentence, in lower case, wants only if tests, a build or a linter show that all is well, and says that it does
/// not want it otherwise: "run the tests, if they're green commit, otherwise tell me".
pub(super) fn depends_on_tests(lower: &str) -> Option<Act> {
    const IF: &[&str] = &["if", "once", "when", "after", "assuming", "provided"];
    const WELL: &[&str] = &[
        "pass", "passes", "passing", "passed", "green", "succeed", "succeeds", "works", "clean",
        "fine", "ok",
    ];
    const MAX_LENGTH: usize = 7;
    let words = plain_words(lower);
    let at = words.iter().position(|word| IF.contains(word)).filter(|_| says_else(&words))?;
    let end = words.iter().skip(at).take(MAX_LENGTH).position(|word| WELL.contains(word))? + at;
    let (before, condition) = (words.get(..at)?, words.get(at + 1..end)?);
    let is_about_tests = speaks_of_checks(condition)
        || condition.iter().all(|word| STANDING_FOR.contains(word)) && speaks_of_checks(before);
    if !is_about_tests {
        return None;
    }
    // What stands behind the condition, or right before it.
    let is_end = |word: &&&str| matches!(**word, "otherwise" | "else" | "if" | "but");
    let mut behind = words.get(end + 1..)?.iter().take_while(|word| !is_end(word));
    let behind = behind.find_map(|word| Act::of(word));
    let near = || before.iter().rev().take(3).find_map(|word| Act::of(word));
    behind.or_else(near).filter(|act| *act != Act::Merge)?.untested()
}

/// Words that stand for what was named before, and around them.
const STANDING_FOR: &[&str] = &[
    "they",
    "they're",
    "it",
    "it's",
    "all",
    "everything",
    "that",
    "that's",
    "those",
    "these",
    "is",
    "are",
    "still",
];

/// Whether words name tests, a build or a linter.
fn speaks_of_checks(words: &[&str]) -> bool {
    words.iter().any(|word| SHOWN.contains(&stem(word)))
}

/// Whether words say what is to be done, or not, where a condition does not hold.
fn says_else(words: &[&str]) -> bool {
    let is_else = |word: &&str| matches!(*word, "otherwise" | "else");
    let is_only = |pair: &[&str]| matches!(pair, ["only", "if"] | ["if", "not"]);
    words.iter().any(is_else) || words.windows(2).any(is_only)
}

/// What a sentence makes wait that says no to some acts in other words than a plain no: "nothing leaves this machine until marta
/// signed off".
pub(super) fn waits_denied(lower: &str, denied: &[Act]) -> Vec<Wait> {
    let act = denied.iter().find_map(|act| {
        let is_own = |own: &&&str| own.split(' ').next().and_then(Act::of) == Some(*act);
        ACTS.iter().find(is_own).copied()
    });
    let words = plain_words(lower);
    let until = words.iter().position(|word| matches!(*word, "until" | "till" | "before"));
    let condition = until.and_then(|until| words.get(until + 1..));
    act.zip(condition)
        .map(|(act, condition)| for_all_or_its_head(act, condition))
        .unwrap_or_default()
}

/// What a sentence allows once something is so, and says is not allowed before: "once the build is green you can commit, not
/// before".
fn may_only_then(lower: &str) -> Option<Wait> {
    const NOT_BEFORE: [&str; 5] =
        ["not before", "only then", "not earlier", "no earlier", "not any earlier"];
    if !NOT_BEFORE.iter().any(|phrase| lower.contains(phrase)) {
        return None;
    }
    let clause = clauses(lower).find(|clause| {
        plain_words(clause).contains(&"can") || plain_words(clause).contains(&"may")
    })?;
    let whole = plain_words(lower);
    let words = plain_words(clause);
    let can = words.iter().position(|word| matches!(*word, "can" | "may"))?;
    let act = act_of(words.get(can + 1..)?)?;
    let is_once = |word: &&str| matches!(*word, "once" | "after" | "when");
    let once = whole.iter().position(is_once)?;
    let end =
        whole.iter().skip(once).position(|word| matches!(*word, "you" | "u" | "can" | "may"))?;
    let condition = whole.get(once + 1..once + end)?;
    Some(Wait { act, condition: said_so(condition)? })
}

/// What a clause says is done only once something is so: "it gets committed only once Anna had a look", "only push after Bob
/// approved".
fn waits_for_one_thing(clause: &str) -> Option<Wait> {
    let words = plain_words(clause);
    let only = words.iter().position(|word| *word == "only")?;
    let behind = words.get(only + 1..)?;
    // The act may stand between the two: "only push it once …".
    let once =
        behind.iter().take(4).position(|word| matches!(*word, "once" | "after" | "when" | "if"))?;
    let act: Vec<&str> = words.get(..only)?.iter().chain(behind.get(..once)?).copied().collect();
    let condition = behind.get(once + 1..)?;
    // What the user says himself is no state that he would tell of.
    let is_word = condition.first().is_some_and(|who| matches!(*who, "i" | "you" | "i've" | "we"));
    if is_word {
        return None;
    }
    Some(Wait { act: act_of(&act)?, condition: said_so(condition)? })
}

/// Whether words put off what they speak of.
fn puts_off(words: &str) -> bool {
    plain_words(words).iter().any(|word| {
        matches!(*word, "wait" | "waiting" | "hold" | "holding" | "postpone" | "delay" | "defer")
    })
}

/// What a sentence, in lower case, may say is so: the acts that wait for it, and the words.
pub(super) fn states(lower: &str) -> Vec<String> {
    let is_said = |clause: &&str| {
        at_negation(clause).1.is_empty() && !begins_question(clause) && !goes_on(clause)
    };
    let clauses = clauses(lower).filter(is_said);
    clauses.filter_map(|clause| said_so(&plain_words(clause))).collect()
}

/// Whether a clause says that somebody is still at it: "marta's looking at it now".
fn goes_on(clause: &str) -> bool {
    const DOING: &[&str] = &[
        "looking",
        "reviewing",
        "checking",
        "reading",
        "testing",
        "running",
        "waiting",
        "building",
    ];
    const DONE: &[&str] = &["done", "finished", "through", "stopped"];
    let words = plain_words(clause);
    words.iter().any(|word| DOING.contains(word)) && !words.iter().any(|word| DONE.contains(word))
}

/// What waits, and for what, as one text.
pub fn waiting(act: &str, condition: &str) -> String {
    format!("{act}:{condition}")
}

fn act_of(words: &[&str]) -> Option<&'static str> {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    // "Merging" is to merge.
    let verb = |verb: &str| {
        words.iter().any(|word| word.starts_with(verb.trim_end_matches('e')) && *word != "taken")
    };
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
    // Who has looked at it has done one thing alone, and one word says so: none that asks the agent for the same, as "read it".
    const SEEN: &[&str] = &["looked", "reviewed", "checked", "seen", "saw"];
    // Who had a look has looked.
    let words: Vec<&str> = words
        .iter()
        .enumerate()
        .map(|(at, word)| match (at.checked_sub(1).and_then(|at| words.get(at)), *word) {
            (Some(&"a"), "look") => "looked",
            (_, word) => word,
        })
        .collect();
    let own = words.iter().filter(|word| !AROUND.contains(word));
    let own = own.map(|word| match *word {
        // "Through" is what people are with what they have done.
        "finished" | "through" => "done",
        "spoke" | "spoken" => "talk",
        "saw" => "seen",
        "gave" | "gives" => "given",
        word => stem(word),
    });
    let mut own: Vec<&str> = own.collect();
    own.sort_unstable();
    own.dedup();
    let is_enough = own.len() > 1 || words.iter().any(|word| SEEN.contains(word));
    (is_enough && !own.is_empty() && words.len() <= MAX_WORDS).then(|| own.join(" "))
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
    use super::{Act, Wait, states, waits};

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
            ("don't commit until i'm done reviewing", "finished reviewing, go ahead", "commit it"),
            ("hold the push until alice is done", "alice is done", "push it"),
            ("dont push till ive spoken to marta", "spoke to marta, shes fine with it", "push it"),
            ("don't push until i've looked at it", "looked at it, fine by me", "push it"),
            ("it gets committed only once anna had a look", "anna had a look", "commit it"),
            ("only push it after bob approved", "bob approved", "push it"),
        ] {
            let wait = waits(first).into_iter().next().expect("it waits");
            assert_eq!(wait.act, act, "{first}");
            assert!(
                states(second).contains(&wait.condition),
                "{second}: {wait:?} {:?}",
                states(second)
            );
        }
        for sentence in
            ["push it", "don't push", "the app must not wait until it is ready", "until then"]
        {
            assert_eq!(waits(sentence), [], "{sentence}");
        }
        let wait = waits("don't push until ci is green").into_iter().next().expect("it waits");
        for sentence in [
            "ci is red",
            "ci is not green yet",
            "is it green",
            "is ci green",
            "so is ci green",
            "look at it",
            "ci is running, green soon",
        ] {
            assert!(!states(sentence).contains(&wait.condition), "{sentence}");
        }
    }

    #[test]
    fn what_others_see_to_forbids_until_then() {
        let forbids = |sentence: &str| waits(sentence).first().and_then(Wait::forbids);
        for (sentence, act) in [
            ("don't push until bob has approved", Act::Push),
            ("wait with the push until alice is done", Act::Push),
            ("hold the commit until legal signs off", Act::Commit),
        ] {
            assert_eq!(forbids(sentence), Some(act), "{sentence}");
        }
        for (sentence, act) in [
            ("don't push until the tests pass", Act::PushUntested),
            ("don't commit before the linter is clean", Act::CommitUntested),
            ("don't push until ci is green", Act::Push),
            ("once the build is green you can commit, not before", Act::CommitUntested),
            (
                "if you could refrain from merging anything until our colleague is back on monday",
                Act::Merge,
            ),
        ] {
            assert_eq!(forbids(sentence), Some(act), "{sentence}");
        }
        for sentence in [
            "don't push until the bug is fixed",
            "don't commit until it works",
            "push until bob stops",
        ] {
            assert_eq!(forbids(sentence), None, "{sentence}");
        }
    }
}
