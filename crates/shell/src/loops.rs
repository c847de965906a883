//! Loops: `while` over what is read line by line, `for` over words. Where what they are over is constant, their bodies are
//! read round by round (`rounds.rs`), and where it is certain how they go on, as they go (`certain_loops.rs`).

use std::ops::Range;

use super::Command;
use super::context::Context;
use super::keywords::{Keyword, Until};
use super::line::CommandLine;
use super::listings::{finds_names, leaves_lines_out};
use super::reader::{Reader, Start, ends_word};
use super::variables::{BEHIND_ITEM, New, POSITIONAL, Spot};
use super::word::Doubt;

impl<'t> Reader<'t, '_> {
    /// `while` and `until`, behind the word. Of what is read line by line, each line is a round.
    pub fn while_loop(&mut self, context: &Context, inner: &Context, is_until: bool) {
        let before = self.line.here();
        let start = self.loop_start();
        let around = match context.in_loop {
            true => None,
            false => Some(self.line.variables.enter_loop()),
        };
        let (mut end, mut is_certain) = (start.commands, false);
        self.compound(context, |reader| {
            is_certain = reader.goes_round(context, is_until);
            if !is_certain {
                reader.list(inner, Until::Done);
                reader.ends = false;
            }
            end = reader.line.commands.len();
        });
        if let Some(around) = around {
            self.line.variables.leave_loop(around);
        }
        if !is_certain {
            self.while_rounds(context, inner, start, end);
            self.ends = false;
            self.line.doubt(before);
        }
    }

    fn while_rounds(&mut self, context: &Context, inner: &Context, start: Start, end: usize) {
        let reads = self.line.commands.iter().skip(start.commands).find(|command| command.runs());
        // Of a function in a text that the line makes it is not known which rounds are whose: what it runs stays open.
        let is_of_text = context.function.is_some() && self.place.is_some();
        if is_of_text || reads.and_then(|command| self.line.program(command)) != Some("read") {
            return;
        }
        let from = self.span(start.at, self.at).start;
        let last = self.line.commands.last();
        let last = last.filter(|command| !command.runs() && command.span.start == from).cloned();
        let redirect = last.as_ref().and_then(|command| command.own_input);
        let first = self.line.commands.get(start.commands);
        let Some(rows) = self.rows(context, redirect, first) else {
            self.found = redirect.and_then(|redirect| self.finder_of_redirect(redirect));
            if self.found.is_some() && self.has_rounds(start, 1) {
                self.drop_round(start, end);
                self.read_round(start, context.in_loop, |reader| {
                    reader.deeper(|reader| {
                        reader.list(inner, Until::Done);
                    });
                });
            }
            self.found = None;
            return;
        };
        // The text of a here-document stands behind the line: the body is read without waiting for it.
        let awaited = std::mem::take(&mut self.here_documents);
        if self.has_rounds(start, rows.len()) {
            self.drop_round(start, end);
            let first = self.line.commands.len();
            for row in rows {
                self.row = Some(row);
                self.read_round(start, context.in_loop, |reader| {
                    reader.deeper(|reader| {
                        reader.list(inner, Until::Done);
                    });
                });
            }
            self.row = None;
            if let Some(command) = last {
                self.redirect_inner(&command, first, context);
            }
        }
        self.here_documents = awaited;
    }

    /// The command that finds the files whose names a loop reads: `done < <(find …)`.
    fn finder_of_redirect(&self, redirect: u32) -> Option<u32> {
        let redirect = self.line.redirects.get(redirect as usize)?;
        let word = Some(self.line.target(redirect)).filter(|word| word.is_process())?;
        self.finder(super::line::range(&self.line.loop_words.process(word.stands_for)))
    }

    pub fn for_loop(&mut self, context: &Context, around: &Context) {
        let is_nested = around.in_loop;
        self.is_decided = false;
        self.skip_blanks();
        let from = self.at;
        let mut values = None;
        if self.starts_with("((") && self.arithmetic_end(self.at + 2).is_some() {
            self.at += 2;
            self.arithmetic(context);
        } else {
            values = self.for_words(context);
        }
        self.skip_lines();
        if self.peek() == Some(b';') {
            self.at += 1;
            self.skip_lines();
        }
        let start = self.loop_start();
        let place = self.reached_here();
        let awaits = !self.here_documents.is_empty();
        let is_told = self.text.get(from..start.at).is_some_and(is_of_parameters);
        if let Some((name, values)) = values.clone().filter(|_| is_told)
            && self.goes_round_for(around, name, values.clone())
        {
            self.line.pending.rounds.truncate(values.start);
            self.is_decided = true;
            return;
        }
        self.for_body(context);
        self.ends = false;
        if self.text.get(from..start.at).is_some_and(is_of_nothing) {
            self.take_back(place);
        }
        let Some((name, values)) = values else { return };
        if !awaits {
            self.for_rounds(context, name, values.clone(), start, is_nested);
        }
        self.line.pending.rounds.truncate(values.start);
        (self.ends, self.is_decided) = (false, false);
    }

    /// Reads the body of a loop, which was just read, once more for each of its values.
    fn for_rounds(
        &mut self,
        context: &Context,
        name: &str,
        values: Range<usize>,
        start: Start,
        is_nested: bool,
    ) {
        let body = self.text.get(start.at..self.at).unwrap_or_default();
        if !body.contains(name) || !self.has_rounds(start, values.len()) {
            return;
        }
        self.drop_round(start, self.line.commands.len());
        let spot = self.spot(context);
        for value in values {
            self.set_for_round(name, value, spot);
            self.read_round(start, is_nested, |reader| reader.for_body(context));
        }
    }

    fn for_body(&mut self, context: &Context) {
        if let Some((Keyword::OpenBrace, length)) = self.keyword_here() {
            self.at += length;
            self.list(context, Until::Brace);
        } else {
            self.list(context, Until::Done);
        }
    }

    /// `NAME in words`: the variable is any of them. Returns it and the words, where they are constant.
    fn for_words(&mut self, context: &Context) -> Option<(&'t str, Range<usize>)> {
        let name = self.name();
        self.skip_lines();
        let listed = self.starts_with("in") && self.peek_at(2).is_none_or(ends_word);
        let base = self.line.pending.words.len();
        let first = self.line.commands.len();
        if listed {
            self.at += 2;
            loop {
                self.skip_blanks();
                if !self.word(context) {
                    break;
                }
            }
        }
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        let is_constant = |word: &super::Word| !word.has_hole() && !word.is_glob();
        let may_be_flag = !listed
            || words.iter().any(|word| word.may_be_flag() || self.line.text(word).starts_with('-'));
        // Of words without blanks in them, each is one operand.
        let is_listed = listed
            && words.iter().all(|word| {
                is_constant(word)
                    && !self.line.text(word).contains([' ', '\t', '\n', '*', '?', '['])
            });
        let is_file = listed
            && !may_be_flag
            && words.iter().any(super::Word::is_glob)
            && words.iter().all(|word| !word.has_hole());
        let spot = self.spot(context);
        let finder = self.finder_of_words(base, first);
        let values = self.values_of_rounds(base, listed, spot);
        let CommandLine { variables, text, pending, loop_words, .. } = &mut *self.line;
        match pending.words.get(base..).unwrap_or_default() {
            [word] if is_constant(word) => {
                let text = text.get(word.start as usize..word.end as usize);
                variables.set(name, New::Text(text.unwrap_or_default()), spot);
            }
            _ if finder.is_some() => {
                let number = finder.map_or(0, |finder| loop_words.keep_finder(finder));
                variables.set(name, New::Unknown(Doubt::found(number, false)), spot);
            }
            words => {
                let is_one = |word: &super::Word| !word.may_split() && word.stands_for == 0;
                let are_words = listed && words.iter().all(is_one);
                let stands_for = if are_words { loop_words.keep(words) } else { 0 };
                let doubt = Doubt::word(may_be_flag, may_be_flag);
                let doubt = Doubt { is_listed, is_file, stands_for, ..doubt };
                variables.set(name, New::Unknown(doubt), spot);
            }
        }
        self.line.pending.words.truncate(base);
        values.map(|values| (name, values))
    }

    /// The command that the words of a loop, those from `base` on, come from, which is the only one since `first`.
    fn finder_of_words(&self, base: usize, first: usize) -> Option<u32> {
        let [word] = self.line.pending.words.get(base..)? else { return None };
        let is_found = word.may_split() || self.line.found_by(word).is_some();
        let is_whole = self.line.text(word).chars().eq([super::HOLE]) && is_found;
        let finder = first..self.line.commands.len();
        self.finder(finder).filter(|_| is_whole)
    }

    /// The last one of some commands, if the first lists files by their names, and each of the others leaves some of them out.
    pub fn finder(&self, commands: Range<usize>) -> Option<u32> {
        let (command, filters) = self.line.commands.get(commands.clone())?.split_first()?;
        let reads_one_before = |(at, filter): (usize, &Command)| {
            let before = commands.start + at;
            super::line::range(&filter.input) == (before..before + 1)
                && leaves_lines_out(self.line, filter)
        };
        if !filters.iter().enumerate().all(reads_one_before) {
            return None;
        }
        let last = commands.start + filters.len();
        finds_names(self.line, command).then_some(last as u32)
    }

    /// Notes the values of a loop, where they are known: those of the words from `base` on, else what the line was
    /// given.
    fn values_of_rounds(&mut self, base: usize, listed: bool, spot: Spot) -> Option<Range<usize>> {
        let CommandLine { variables, text, pending, .. } = &mut *self.line;
        let first = pending.rounds.len();
        if listed {
            let words = pending.words.get(base..).unwrap_or_default();
            if !words.iter().all(|word| !word.has_hole() && !word.is_glob()) {
                return None;
            }
            pending.rounds.extend(words.iter().map(|word| (word.start, word.end)));
            return Some(first..pending.rounds.len());
        }
        for item in variables.list(POSITIONAL, spot)?.split_terminator(BEHIND_ITEM) {
            let start = text.len() as u32;
            text.push_str(item);
            pending.rounds.push((start, text.len() as u32));
        }
        Some(first..pending.rounds.len())
    }
}

/// Whether the head of a loop is over what the text was given: `NAME in "$@"`, `NAME`.
fn is_of_parameters(head: &str) -> bool {
    let mut words = head.split(|sign: char| sign.is_whitespace() || sign == ';');
    let mut words = words.by_ref().filter(|word| !word.is_empty()).skip(1);
    match words.next() {
        Some("in") => words.next() == Some("\"$@\"") && words.next().is_none(),
        other => other.is_none(),
    }
}

/// Whether the head of a loop names no words: `NAME in;`.
fn is_of_nothing(head: &str) -> bool {
    let mut words = head
        .split(|sign: char| sign.is_whitespace() || sign == ';')
        .filter(|word| !word.is_empty());
    words.next().is_some() && words.next() == Some("in") && words.next().is_none()
}
