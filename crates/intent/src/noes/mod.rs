//! What a user forbids or allows as a whole beside a plain no: "committing can wait", "I do the pushes", "the tests are fine to
//! run now". The wordings stand in [`forms`], what acts are called in [`super::topics`]. Knows no rules.

mod forms;

use std::sync::LazyLock;

use self::forms::{Called, FORMS, Form, Stance};
use super::act::Act;
use super::context::{begins_statement, is_reported, own_clause};
use super::grammar::{Grammar, Meeting};
use super::told::speaks_of_doer;
use super::topics::{TIMES, acts_named};
use super::wish::plain;

/// So many words before a form say whose it is.
const MAX_BEFORE: usize = 16;

/// So many words of a sentence are looked at.
const MAX_WORDS: usize = 512;

static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::of(FORMS.iter().map(|form| form.words)));

/// What a sentence says of acts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Noes {
    pub denied: Vec<Act>,
    pub lifted: Vec<Act>,
}

/// Returns what a sentence, in lower case, says of acts.
pub(super) fn noes(sentence: &str) -> Noes {
    let words: Vec<&str> = sentence.split_whitespace().take(MAX_WORDS).collect();
    let mut found = Noes::default();
    GRAMMAR.each_meeting(&words, |meeting| {
        let Some(form) = FORMS.get(meeting.form) else { return };
        let at = meeting.words.start;
        let before = words.get(at.saturating_sub(MAX_BEFORE)..at).unwrap_or_default();
        if is_reported(before) || speaks_of_doer(&own_clause(before).join(" ")) {
            return;
        }
        let acts = acts_of(form, &words, &meeting, before);
        match form.stance {
            // "Don't skip the tests."
            Stance::Denied if is_turned(before, plain(&words, at)) => found.lifted.extend(acts),
            Stance::Denied => found.denied.extend(acts),
            Stance::Lifted if says_no(before) || is_for_later(&words, &meeting, before) => {}
            Stance::Lifted => found.lifted.extend(acts),
        }
    });
    found
}

/// Whether a no stands right before a verb that puts something off, or leaves it out.
fn is_turned(before: &[&str], verb: &str) -> bool {
    const VERBS: &[&str] =
        &["skip", "skipping", "omit", "hold", "wait", "postpone", "delay", "defer", "leave", "put"];
    const BETWEEN: &[&str] = &["just", "even", "ever", "please", "simply", "to", "you"];
    const NOES: &[&str] = &["don't", "don’t", "dont", "not", "never", "without"];
    let last = before.iter().rev().find(|word| !BETWEEN.contains(word));
    // "No wait with the push" is an answer.
    let is_no = |word: &&str| NOES.contains(word) || *word == "no" && verb.ends_with("ing");
    VERBS.contains(&verb) && last.is_some_and(is_no)
}

/// Whether what is allowed is allowed at another time: "pushing tomorrow is fine".
fn is_for_later(words: &[&str], meeting: &Meeting, before: &[&str]) -> bool {
    /// So many words behind say when.
    const MAX_BEHIND: usize = 3;
    let own = words.iter().skip(meeting.words.start);
    let own = own.take(meeting.words.len() + MAX_BEHIND).chain(own_clause(before));
    own.map(|word| plain(std::slice::from_ref(word), 0))
        .any(|word| TIMES.contains(&word) && word != "then")
}

fn says_no(before: &[&str]) -> bool {
    const NOES: &[&str] =
        &["don't", "don’t", "dont", "not", "never", "no", "if", "until", "unless"];
    own_clause(before).iter().any(|word| NOES.contains(word))
}

/// The acts that a form is about.
fn acts_of(form: &Form, words: &[&str], meeting: &Meeting, before: &[&str]) -> Vec<Act> {
    let is_name_enough = match form.called {
        Called::Said(act) => return vec![act],
        Called::Mentioned => {
            return mentioned(words.get(meeting.object.clone()).unwrap_or_default());
        }
        Called::Named => true,
        Called::Done => false,
    };
    let range = meeting.object.clone();
    if !form.words.starts_with("ACT") {
        let own = clause(words.get(range).unwrap_or_default());
        // What it waits for comes later, whatever that is.
        let waits = |word: &&str| {
            matches!(*word, "until" | "till" | "before" | "unless" | "while" | "during")
        };
        let end = own.iter().position(waits).unwrap_or(own.len());
        return acts_named(own.get(..end).unwrap_or_default(), before, is_name_enough);
    }
    let starts = range.clone().filter(|start| begins_statement(words, *start));
    let subjects = starts.filter_map(|start| words.get(start..range.end));
    let mut acts = subjects.map(|subject| (subject, acts_named(subject, &[], is_name_enough)));
    let Some((subject, acts)) = acts.find(|(_, acts)| !acts.is_empty()) else {
        return if form.stance == Stance::Lifted { named_with(words, range) } else { Vec::new() };
    };
    // "The commit is fine" tells how it is.
    let is_one = matches!(plain(subject, 0), "the" | "this" | "that" | "your");
    let tells = form.stance == Stance::Lifted && !is_name_enough && is_one;
    if tells { Vec::new() } else { acts }
}

/// The acts that words speak of, be it by their names alone.
fn mentioned(words: &[&str]) -> Vec<Act> {
    let act = |word: &&str| {
        let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        match word {
            "tests" | "suite" | "testing" => Some(Act::Test),
            "migration" | "migrations" => Some(Act::Migrate),
            _ => Act::of(word),
        }
    };
    words.iter().filter_map(act).collect()
}

/// The act that stands first where it is done to one thing: "pushing topic is fine" takes a no to pushes back.
fn named_with(words: &[&str], range: std::ops::Range<usize>) -> Vec<Act> {
    const MAX_WORDS: usize = 3;
    let starts = range.clone().filter(|start| begins_statement(words, *start));
    let near = starts.filter(|start| range.end - start <= MAX_WORDS);
    let act = |start: usize| {
        Act::of(plain(words, start)).filter(|_| plain(words, start).ends_with("ing"))
    };
    near.filter_map(act).collect()
}

/// The words of a clause.
fn clause<'w, 't>(words: &'w [&'t str]) -> &'w [&'t str] {
    let ends = |word: &&str| word.ends_with([',', ';', ':', '!', '.']);
    let is_dash = |at: &usize| matches!(plain(words, *at), "-" | "–" | "—");
    let dash = (0..words.len()).find(is_dash).unwrap_or(words.len());
    let end = words.iter().position(ends).map_or(words.len(), |at| at + 1);
    words.get(..end.min(dash)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::forms::{FORMS, Form, Stance};
    use super::{Act, noes};

    #[test]
    fn each_form_is_met_by_its_example() {
        let is_met = |form: &&Form| {
            let (example, act) = form.example;
            let found = noes(&example.to_lowercase());
            let acts = if form.stance == Stance::Denied { found.denied } else { found.lifted };
            acts.contains(&act)
        };
        let missed = FORMS.iter().filter(|form| !is_met(form));
        let missed: Vec<_> = missed.map(|form| (form.example.0, form.words)).collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }

    #[test]
    fn acts_are_denied_in_many_words() {
        for (sentence, act) in [
            ("hold off on running the migration till i've taken a backup", Act::Migrate),
            ("i'll run the migrations myself", Act::Migrate),
            ("skip the tests, they take ages", Act::Test),
            ("you edit files, i do the git part", Act::Commit),
            ("commit only once i've reviewed all three files", Act::Commit),
            ("the commits can wait until tomorrow", Act::Commit),
            ("i'm on a train, so please stay off the network", Act::Network),
            ("i'd rather you didn't start the server", Act::Serve),
            ("stay away from the db", Act::Database),
            ("no wait with the push", Act::Push),
            ("no hold off on the push please", Act::Push),
        ] {
            assert!(noes(sentence).denied.contains(&act), "{sentence}: {:?}", noes(sentence));
        }
    }

    #[test]
    fn a_no_to_leaving_out_wants_it_done() {
        for (sentence, act) in [
            ("don't skip the tests", Act::Test),
            ("never skip the tests please", Act::Test),
            ("no skipping the tests", Act::Test),
            ("don't hold off on the push", Act::Push),
        ] {
            let found = noes(sentence);
            assert!(
                found.lifted.contains(&act) && found.denied.is_empty(),
                "{sentence}: {found:?}"
            );
        }
    }

    #[test]
    fn other_sentences_deny_nothing() {
        for sentence in [
            "skip the flaky tests in ci",
            "i'll push the button",
            "the script will commit it",
            "wait for the server",
            "stop the server",
            "leave the tests to me",
            "commit only the docs",
            "commit after the tests pass",
            "let me know when the tests pass",
            "i want to commit this",
            "the docs say i'll push it later",
            "it is pushed already",
            "i don't mind if you push",
            "the bug is in code that you pushed",
        ] {
            assert_eq!(noes(sentence).denied, [], "{sentence}");
        }
        for sentence in
            ["the tests are fine", "the commit is fine", "the database is fine with that"]
        {
            assert_eq!(noes(sentence).lifted, [], "{sentence}");
        }
    }
}
