//! Loops of which it is certain how they go, as those over the words behind a script that are known: `while [ $# -gt 0 ]; do
//! case $1 in …; shift; done`, `for word in "$@"`. Each round is read as if it stood there, so that what is set in it holds
//! behind the loop. Gives up, and takes back what was read, where a round may go on or not.

use std::ops::Range;

use super::context::Context;
use super::keywords::{Keyword, Until};
use super::reader::{Leave, Reader};

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
