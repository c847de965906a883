//! A form that is met in a sentence: whether the user says it and wants it, and which files it is about. Knows no wishes.

use super::forms::{Form, Place, Stance};
use super::meant::{self, Meant, is_kind, is_polite_if, may_end_with, name_of, named, named_whole};
use super::taken_up::asks_for_work;
use crate::context::{
    begins_clause, begins_statement, is_all, is_beyond, is_no, is_otherwise, is_reported,
    own_clause, tells,
};
use crate::grammar::Meeting;
use crate::told::is_told;
use crate::wish::{plain, trimmed};

/// So many words before a form say whose it is.
const MAX_BEFORE: usize = 16;

/// So many words before "it" name what that is.
const MAX_FAR: usize = 40;

/// So many files are what "it" or "they" stands for.
const MAX_NAMED_BEFORE: usize = 4;

/// A form that is met in a sentence.
pub(super) struct Found<'f, 't> {
    pub words: &'f [&'t str],
    pub form: &'static Form,
    pub meeting: &'f Meeting,
    /// The files that the sentence before is about.
    pub before: &'f [String],
    /// The files that it names, be it only to say where something is.
    pub beside: &'f [String],
}

impl<'t> Found<'_, 't> {
    fn begins_with_files(&self) -> bool {
        self.form.words.starts_with("FILES")
    }

    /// The last words before the form.
    fn words_before(&self) -> &[&'t str] {
        let at = self.meeting.words.start;
        self.words.get(at.saturating_sub(MAX_BEFORE)..at).unwrap_or_default()
    }

    /// Whether the user says that what he said holds no more.
    pub fn is_taken_back(&self) -> bool {
        own_clause(self.words_before())
            .windows(2)
            .any(|pair| matches!(pair, ["forget" | "ignore" | "disregard" | "scratch", "what"]))
    }

    /// Whether the user says that something may be changed: no question, no condition, and nobody else says so.
    pub fn is_lifting(&self) -> bool {
        let before = self.words_before();
        // "You can change it once I have looked" waits; "after all" does not.
        let from = self.meeting.words.start;
        let waits = (from..self.words.len()).take(MAX_FAR).any(|at| {
            let word = plain(self.words, at);
            word == "once" || word == "after" && plain(self.words, at + 1) != "all"
        });
        !is_reported(before)
            && !self.depends()
            && !waits
            && !own_clause(before).iter().any(|word| is_no(trimmed(word)))
            && (self.form.place != Place::Clause || begins_clause(before))
    }

    /// Whether it may be "it" that may be changed.
    pub fn lifts_it(&self) -> bool {
        let range = self.meeting.object.clone();
        !self.begins_with_files()
            && self.is_lifting()
            && is_pronoun(plain(self.words, range.start))
            && meant::ends(plain(self.words, range.start + 1))
    }

    /// Whether the user says it, and wants it.
    pub fn is_wanted(&self) -> bool {
        let before = self.words_before();
        let at = self.meeting.words.start;
        let rest = self.words.get(self.meeting.words.end..).unwrap_or_default();
        let has_no = || before.iter().any(|word| is_no(trimmed(word)));
        // Behind a comma only what stands there first: "…, it is linked from outside" leaves nothing out.
        let end = self.meeting.words.end.checked_sub(1).and_then(|last| self.words.get(last));
        let near = if end.is_some_and(|word| word.ends_with(',')) { 2 } else { 4 };
        let is_left_out = (0..near).any(|at| match plain(rest, at) {
            "but" => plain(rest, at + 1) == "for",
            word => is_beyond(word),
        });
        if is_reported(before) || self.depends() {
            return false;
        }
        let no = plain(self.words, at);
        match self.form.place {
            Place::No if no.starts_with("didn") => before
                .iter()
                .any(|word| matches!(trimmed(word), "rather" | "prefer" | "wish" | "glad")),
            Place::No => !is_told(&own_clause(before).join(" "), no),
            Place::SecondNo => has_no() && !is_told(&before.join(" "), no),
            Place::Wish => !is_otherwise(before) && !is_left_out && may_end_with(rest),
            Place::Fact => !is_left_out && may_end_with(rest),
            Place::BehindWork => {
                asks_for_work(before)
                    && !has_no()
                    && (no != "not"
                        || before.ends_with(&["but"])
                        || !before.iter().any(|it| tells(trimmed(it))))
                    && (no != "but" || before.iter().any(|it| is_all(trimmed(it))))
            }
            Place::Clause => begins_clause(before) && !has_no(),
        }
    }

    /// What the form says, as the words before it tell.
    pub fn stance(&self) -> Stance {
        let takes = |word: &&str| {
            matches!(trimmed(word), "delete" | "remove" | "rm" | "wipe" | "drop" | "clean")
        };
        match self.form.stance {
            Stance::Spared if self.words_before().iter().any(takes) => Stance::Kept,
            Stance::Spared => Stance::Left,
            other => other,
        }
    }

    /// Whether it holds under a condition.
    fn depends(&self) -> bool {
        let begins = matches!(plain(self.words, 0), "if" | "when" | "whenever" | "once");
        let is_polite = match plain(self.words, 1) {
            "possible" => true,
            "you" | "u" => {
                matches!(plain(self.words, 2), "can" | "could" | "would" | "please" | "may")
            }
            _ => false,
        };
        let behind = self.words.get(self.meeting.words.start..).unwrap_or_default();
        let behind = behind.get(..behind.len().min(MAX_FAR)).unwrap_or_default();
        let end =
            behind.iter().position(|word| word.ends_with([';', ':', '-', '–', '—', '!', '.']));
        let clause = behind.get(..end.map_or(behind.len(), |end| end + 1)).unwrap_or_default();
        let asks_politely = |at: usize| is_polite_if(clause.get(at..).unwrap_or_default());
        begins && !is_polite
            || clause.windows(2).enumerate().any(|(at, pair)| match pair {
                ["if", _] => !asks_politely(at + 1),
                ["when", next] => !next.ends_with("ing") && *next != "you",
                _ => false,
            })
    }

    /// The files that it is about.
    pub fn files(&self) -> Option<Vec<Meant<'_>>> {
        let range = self.meeting.object.clone();
        if !self.begins_with_files() {
            let words = self.words.get(range.clone())?;
            let is_last = self.form.words.ends_with("FILES");
            let own = if is_last { named(words) } else { named_whole(words) };
            return own
                .or_else(|| self.referred(words, range.start, is_last))
                .or_else(|| meant::bare_name(words).filter(|_| self.is_about_files()))
                .or_else(|| self.begins_with_other().then(|| meant::subject(words)).flatten());
        }
        let is_start = |start: &usize| {
            self.form.place == Place::BehindWork || begins_statement(self.words, *start)
        };
        // "The tests themselves stay as they are."
        let is_self = |at: &usize| {
            matches!(plain(self.words, *at), "itself" | "themselves" | "selbst" | "however")
        };
        let end = range.end - usize::from(range.clone().next_back().is_some_and(|at| is_self(&at)));
        let of_start = (range.start..end).filter(is_start).find_map(|start| {
            let words = self.words.get(start..end)?;
            named_whole(words).or_else(|| self.referred(words, start, false))
        });
        of_start.or_else(|| self.of_subject(end)).or_else(|| self.apposed())
    }

    /// Whether what is to be done stands behind the files: "instead of changing x do y".
    fn begins_with_other(&self) -> bool {
        let at = self.meeting.words.start;
        at == 0
            && matches!(plain(self.words, 0), "instead" | "rather" | "except" | "apart" | "besides")
    }

    /// The files that the clause begins with which what is said before a place goes on: "x is reviewed and must not change".
    fn of_subject(&self, end: usize) -> Option<Vec<Meant<'_>>> {
        let last = end.checked_sub(1)?;
        let goes_on = matches!(
            plain(self.words, last),
            "and" | "und" | "et" | "y" | "but" | "so" | "thus" | "hence"
        );
        let far = end.saturating_sub(MAX_BEFORE);
        let is_start = |start: &usize| begins_statement(self.words, *start);
        let subject = |start: usize| self.words.get(start..last).and_then(meant::subject);
        let subjects = (far..last).rev().filter(is_start).filter_map(subject);
        goes_on.then_some(subjects)?.next()
    }

    /// The files in brackets behind what is said of them.
    fn apposed(&self) -> Option<Vec<Meant<'_>>> {
        let rest = self.words.get(self.meeting.words.end..)?;
        rest.first().is_some_and(|word| word.starts_with('(')).then_some(())?;
        let mut last = rest.iter().take(MAX_BEFORE);
        let end = last.position(|word| word.trim_end_matches([',', '.']).ends_with(')'))?;
        named_whole(rest.get(..=end)?)
    }

    /// Whether the words of the form are said of files, whatever these are called.
    fn is_about_files(&self) -> bool {
        const SAYING: &[&str] =
            &["touch", "touching", "alone", "untouched", "hands", "off-limits", "near"];
        let words = self.words.get(self.meeting.words.clone()).unwrap_or_default();
        words.iter().any(|word| SAYING.contains(&trimmed(word)))
            || matches!(
                words,
                ["stay" | "keep", "out" | "away", ..] | ["now" | "next" | "then", ..]
            )
    }

    /// The files that a word stands for which were named before it, at a place; `may_go_on` where more may follow.
    fn referred(&self, words: &[&str], at: usize, may_go_on: bool) -> Option<Vec<Meant<'_>>> {
        let is_short = matches!(plain(words, 0), "this" | "that" | "these" | "those" | "the")
            && (is_kind(plain(words, 1)) || matches!(plain(words, 1), "one" | "ones"));
        let is_alone = is_pronoun(plain(words, 0)) || plain(words, 0) == "there";
        let count = if is_short { 2 } else { 1 };
        let ends = words.len() == count
            || may_go_on
                && (words.get(count - 1)?.ends_with([',', '.', ';', '!'])
                    || meant::ends(plain(words, count)));
        if !(is_short || is_alone) || !ends {
            return None;
        }
        let own = about(self.words.get(at.saturating_sub(MAX_FAR)..at)?);
        // "That file" may be one that only said where something is.
        let is_of_kind = is_short && matches!(plain(words, 1), "file" | "folder" | "directory")
            || self.form.stance == Stance::Only && self.form.words.starts_with("FILES IS the only");
        let before = if self.before.is_empty() && is_of_kind { self.beside } else { self.before };
        let names = if own.is_empty() { before.iter().map(String::as_str).collect() } else { own };
        let is_clear = !names.is_empty() && names.len() <= MAX_NAMED_BEFORE;
        is_clear.then(|| names.into_iter().filter_map(|name| name_of(name, true)).collect())
    }
}

/// The names of the files that words are about: none of those that only say where something else stands.
pub(super) fn about<'t>(words: &[&'t str]) -> Vec<&'t str> {
    let is_beside = |at: usize| {
        let article = usize::from(at > 0 && matches!(plain(words, at - 1), "the" | "my" | "our"));
        let before = at.checked_sub(1 + article).map_or("", |at| plain(words, at));
        let of = at.checked_sub(2 + article).map_or("", |at| plain(words, at));
        let works = of.starts_with("work") || is_all(of) || matches!(of, "code" | "files");
        let moves = before == "to" && !matches!(of, "get" | "come");
        !works && (moves || matches!(before, "in" | "from" | "of" | "into" | "by" | "like" | "run"))
    };
    let names = (0..words.len()).filter(|at| !is_beside(*at)).filter_map(|at| name_at(words, at));
    names.take(MAX_NAMED_BEFORE + 1).collect()
}

/// The names of all files in words.
pub(super) fn all_named<'t>(words: &[&'t str]) -> Vec<&'t str> {
    let names = (0..words.len()).filter_map(|at| name_at(words, at));
    names.take(MAX_NAMED_BEFORE + 1).collect()
}

fn name_at<'t>(words: &[&'t str], at: usize) -> Option<&'t str> {
    name_of(plain(words, at), is_kind(plain(words, at + 1))).map(|_| plain(words, at))
}

pub(super) fn is_pronoun(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "it", "them", "they", "those", "these", "that", "this", "both", "le", "les", "la", "sie",
        "lo", "los", "las",
    ];
    WORDS.contains(&word)
}
