//! Loops of which it is certain how they go, as those over the words behind a script that are known: `while [ $# -gt 0 ]; do
//! case $1 in …; shift; done`, `for word in "$@"`. Each round is read as if it stood there, so that what is set in it holds
//! behind the loop. Gives up, and takes back what was read, where a round may go on or not.

use std::ops::Range;

use super::context::Context;
use super::keywords::{Keyword, Until};
use super::reader::{Leave, Reader};
use super::variables::{BEHIND_ITEM, New, POSITIONAL};

/// Loops that go on longer are read as any other.
const MAX_ROUNDS: usize = 32;

/// In so many loops of this kind no other one is read so: each multiplies what is read.
const MAX_DEPTH: u32 = 2;

/// How a round ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Another one may follow.
    Round,
    /// The loop is over.
    Loop,
    /// So is the text.
    Text,
    Unknown,
}

impl Reader<'_, '_> {
    /// Reads a loop behind `while` or `until` round by round. Says whether it is certain how it goes; the reader is where it
    /// was if not.
    pub(super) fn goes_round(&mut self, context: &Context, is_until: bool) -> bool {
        let start = self.at;
        self.rounds_from(context, |reader, round| {
            if round == MAX_ROUNDS {
                return End::Unknown;
            }
            reader.at = start;
            reader.list(context, Until::Do);
            match reader.list_status {
                None => End::Unknown,
                Some(holds) if holds == is_until => reader.skip_body(context),
                Some(_) => reader.certain_round(context),
            }
        })
    }

    /// Reads a loop behind its head once for each of the values of its variable.
    pub(super) fn goes_round_for(
        &mut self,
        context: &Context,
        name: &str,
        values: Range<usize>,
    ) -> bool {
        let start = self.at;
        self.rounds_from(context, |reader, round| {
            reader.at = start;
            let Some((Keyword::Part(Until::Done), length)) = reader.keyword_here() else {
                return End::Unknown;
            };
            reader.at += length;
            match values.clone().nth(round) {
                None => reader.skip_body(context),
                Some(_) if round == MAX_ROUNDS => End::Unknown,
                Some(value) => {
                    let spot = reader.spot(context);
                    reader.set_for_round(name, value, spot);
                    reader.certain_round(context)
                }
            }
        })
    }

    /// Reads rounds until one is the last.
    fn rounds_from(
        &mut self,
        context: &Context,
        mut round: impl FnMut(&mut Self, usize) -> End,
    ) -> bool {
        let awaits = !self.here_documents.is_empty();
        if context.comes_again() || awaits || self.certain_loops >= MAX_DEPTH {
            return false;
        }
        let (start, place) = (self.at, self.reached_here());
        let before = (self.strictness, self.line.problem);
        self.certain_loops += 1;
        self.option_at = (0, 0);
        let mut end = End::Round;
        let mut count = 0;
        while end == End::Round {
            let from = self.at.max(start);
            end = round(self, count);
            count += 1;
            let length = self.at.saturating_sub(start.min(from));
            if length > self.line.to_read || !self.here_documents.is_empty() {
                end = End::Unknown;
            }
            self.line.to_read = self.line.to_read.saturating_sub(length);
        }
        self.certain_loops -= 1;
        self.ends = end == End::Text;
        self.is_decided = end != End::Unknown;
        if end == End::Unknown {
            self.here_documents.clear();
            self.take_back(place);
            (self.strictness, self.line.problem) = before;
            self.at = start;
        }
        end != End::Unknown
    }

    /// Reads the body of a loop that certainly runs, behind `do`.
    fn certain_round(&mut self, context: &Context) -> End {
        let first = self.line.commands.len();
        (self.ends, self.leave) = (false, Leave::default());
        if !self.list(context, Until::Body) {
            return End::Unknown;
        }
        let leaves = |name: Option<&str>| matches!(name, Some("break" | "continue"));
        let read = self.line.commands.get(first..).unwrap_or_default();
        let count = read.iter().filter(|command| leaves(self.line.program(command))).count();
        match (std::mem::take(&mut self.ends), self.leave) {
            (true, Leave::Loop) if count == 1 => End::Loop,
            (true, Leave::Round) if count == 1 => End::Round,
            (true, Leave::Text) if count == 0 => End::Text,
            (false, _) if count == 0 => End::Round,
            _ => End::Unknown,
        }
    }

    /// `getopts SPEC NAME`: takes the next option of the words that the text was given, if it is certain which that is.
    pub(super) fn takes_option(&mut self, context: &Context, spec: &str, name: &str) -> bool {
        let spot = self.spot(context);
        self.option_taken = None;
        if self.certain_loops == 0 || context.comes_again() {
            return false;
        }
        let Some(words) = self.line.variables.list(POSITIONAL, spot).map(str::to_owned) else {
            return false;
        };
        let words: Vec<&str> = words.split_terminator(BEHIND_ITEM).collect();
        let (mut at, mut letter) = self.option_at;
        let word = words.get(at).copied().unwrap_or_default();
        if letter == 0 && (!word.starts_with('-') || matches!(word, "-" | "--")) {
            self.option_taken = Some(false);
            return true;
        }
        letter = letter.max(1);
        let Some(sign) = word.get(letter..).and_then(|rest| rest.chars().next()) else {
            return false;
        };
        letter += sign.len_utf8();
        let behind = spec.find(sign).and_then(|found| spec.get(found + sign.len_utf8()..));
        let is_known = behind.is_some() && sign != ':';
        if behind.is_some_and(|behind| behind.starts_with(':')) {
            let own = word.get(letter..).filter(|own| !own.is_empty());
            let value = own.or_else(|| words.get(at + 1).copied());
            let Some(value) = value else { return false };
            at += if own.is_some() { 1 } else { 2 };
            letter = 0;
            self.line.variables.set("OPTARG", New::Text(value), spot);
        } else if letter >= word.len() {
            (at, letter) = (at + 1, 0);
        }
        let mut sign_text = [0; 4];
        let taken = if is_known { &*sign.encode_utf8(&mut sign_text) } else { "?" };
        self.line.variables.set(name, New::Text(taken), spot);
        self.option_at = (at, letter);
        self.option_taken = Some(true);
        true
    }

    /// Reads the body of a loop that is over, behind `do`.
    fn skip_body(&mut self, context: &Context) -> End {
        let place = self.reached_here();
        let is_closed = self.list(context, Until::Body);
        match is_closed && self.take_back(place) {
            true => End::Loop,
            false => End::Unknown,
        }
    }
}
