//! The grammar: lists, pipes, compound commands, simple commands. One pass over the text, with the
//! depth of nesting bounded. What bash would refuse is noted, and reading goes on behind it.

use std::ops::Range;

use super::awaited::Awaited;
use super::certainty::{Behind, Uncertainty};
use super::command::{Command, Opaque, Reach, Redirect, RedirectKind, Target};
use super::context::Context;
use super::doubts::Mark;
use super::environment;
use super::functions;
use super::keywords::{Keyword, TABLES_OF_PROGRAMS, Until, keyword};
use super::limits::MAX_DEPTH;
use super::line::CommandLine;
use super::variables::{self, BEHIND_ITEM, New, POSITIONAL, Spot, Value};
use super::word::{Doubt, Growing};

/// Where a text that is read stands: a text inside another has only one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub parent: u32,
    pub reach: Reach,
    pub span: (u32, u32),
    pub in_loop: bool,
}

/// Reads `text` into `line`: the whole line, or a text that a command of it runs.
pub(super) fn read(line: &mut CommandLine, text: &str, place: Option<Place>) {
    let depth = place.map_or(0, |place| {
        line.commands.get(place.parent as usize).map_or(0, |command| u32::from(command.depth) + 1)
    });
    let context = Context {
        parent: place.map(|place| place.parent),
        reach: place.map_or(Reach::List, |place| place.reach),
        in_loop: place.is_some_and(|place| place.in_loop),
        ..Context::default()
    };
    let place = place.map(|place| place.span);
    if depth > MAX_DEPTH {
        line.fail(Opaque::TooDeep);
        return;
    }
    let before = Before::of(line);
    let mut again = false;
    loop {
        let here_documents = Vec::new();
        let mut reader = Reader {
            line,
            text,
            at: 0,
            place,
            depth,
            here_documents,
            keyword: NO_KEYWORD,
            row: None,
        };
        reader.list(&context, Until::End);
        if !line.variables.must_read_again(before.variables) {
            return;
        }
        if again {
            return line.fail(Opaque::Program);
        }
        again = true;
        before.restore(line);
    }
}

/// What a line held before a text of it was read.
struct Before {
    text: usize,
    words: usize,
    commands: usize,
    redirects: usize,
    here_documents: usize,
    values: usize,
    set_for: usize,
    functions: usize,
    variables: variables::Mark,
    problem: Option<Opaque>,
    input_replaced: bool,
    environment_changed: bool,
    all_may_run_more: bool,
}

impl Before {
    fn of(line: &CommandLine) -> Self {
        Self {
            text: line.text.len(),
            words: line.words.len(),
            commands: line.commands.len(),
            redirects: line.redirects.len(),
            here_documents: line.here_documents.len(),
            values: line.values.len(),
            set_for: line.set_for.len(),
            functions: line.functions.len(),
            variables: line.variables.here(),
            problem: line.problem,
            input_replaced: line.input_replaced,
            environment_changed: line.environment_changed,
            all_may_run_more: line.all_may_run_more,
        }
    }

    /// Forgets what was read since.
    fn restore(&self, line: &mut CommandLine) {
        line.text.truncate(self.text);
        line.words.truncate(self.words);
        line.commands.truncate(self.commands);
        line.redirects.truncate(self.redirects);
        line.here_documents.truncate(self.here_documents);
        line.values.truncate(self.values);
        line.set_for.truncate(self.set_for);
        line.functions.truncate(self.functions);
        line.forget_doubts(self.commands);
        line.pending.clear();
        line.problem = self.problem;
        line.input_replaced = self.input_replaced;
        line.environment_changed = self.environment_changed;
        line.all_may_run_more = self.all_may_run_more;
    }
}

pub(super) struct Reader<'t, 'l> {
    pub line: &'l mut CommandLine,
    pub text: &'t str,
    pub at: usize,
    place: Option<(u32, u32)>,
    pub depth: u32,
    /// Here-documents whose text begins behind the end of this line of the script.
    pub here_documents: Vec<Awaited>,
    /// Where a keyword was looked for last, and what was there.
    keyword: (usize, Option<(Keyword, usize)>),
    /// What the next `read` without a redirection reads.
    pub row: Option<String>,
}

/// A keyword has not been looked for yet.
const NO_KEYWORD: (usize, Option<(Keyword, usize)>) = (usize::MAX, None);

/// Longer lists are not kept.
const MAX_LIST_LENGTH: usize = 4_096;

/// More keys of one list are not kept.
const MAX_KEYS: usize = 32;

/// Where the body of a loop begins in the text, and what was read when it did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub at: usize,
    pub commands: usize,
    pub values: usize,
    pub set_for: usize,
    pub functions: usize,
}

/// Pipelines joined by `&&` and `||`.
struct Chain {
    /// The next pipeline is the first.
    is_at_start: bool,
    /// Behind `||`, what follows runs whether or not what stands before it did.
    may_skip: bool,
    /// Stands for those that run only if all of them before have succeeded.
    number: u32,
    /// What stands before the next pipeline is `||`.
    is_or: bool,
    start: Mark,
    /// Behind the first pipeline, which runs for sure.
    rest: Mark,
}

impl Chain {
    fn new(here: Mark) -> Self {
        Self {
            is_at_start: true,
            may_skip: false,
            number: 0,
            is_or: false,
            start: here,
            rest: here,
        }
    }
}

/// Whether a byte ends an unquoted word.
pub(super) fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Reader<'t, '_> {
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    pub fn rest(&self) -> &'t str {
        debug_assert!(self.text.is_char_boundary(self.at), "{} in {:?}", self.at, self.text);
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub fn take(&mut self, text: &str) -> bool {
        let there = self.starts_with(text);
        if there {
            self.at += text.len();
        }
        there
    }

    pub fn broken(&mut self) {
        self.line.fail(Opaque::Syntax);
    }

    /// Where something stands in the line that the user wrote.
    pub fn span(&self, from: usize, to: usize) -> Range<u32> {
        match self.place {
            Some((from, to)) => from..to,
            None => from as u32..to as u32,
        }
    }

    /// Goes one level deeper; too deep, the rest is given up.
    pub fn deeper(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            self.line.fail(Opaque::TooDeep);
            self.at = self.text.len();
            return;
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    /// A reader of a text inside this one, which stands at one place of the line.
    pub fn nested<'n>(&'n mut self, text: &'n str, place: (u32, u32)) -> Reader<'n, 'n> {
        Reader {
            line: self.line,
            text,
            at: 0,
            place: Some(place),
            depth: self.depth,
            here_documents: Vec::new(),
            keyword: NO_KEYWORD,
            row: None,
        }
    }

    /// Where a variable is used or set.
    pub fn spot(&self, context: &Context) -> Spot {
        Spot {
            commands: self.line.commands.len(),
            in_loop: context.in_loop,
            in_function: context.function.is_some(),
        }
    }

    /// Notes that what is being read may run something that the line does not list.
    pub fn note_more(&mut self, context: &Context) {
        match context.parent.and_then(|parent| self.line.commands.get_mut(parent as usize)) {
            Some(command) => command.may_run_more = true,
            None => self.line.all_may_run_more = true,
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\r') if matches!(self.peek_at(1), Some(b'\n') | None) => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                _ => return,
            }
        }
    }

    /// Skips blanks and ends of lines, with the here-documents behind them.
    fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.at += 1;
            self.read_here_documents();
        }
    }

    /// Reads commands until what ends them, and that too. Says whether it was there.
    pub fn list(&mut self, context: &Context, until: Until) -> bool {
        let start = self.at;
        let mut chain = Chain::new(self.line.here());
        let mut part = self.line.here();
        // `if` needs its `then`, loops need their `do`.
        let mut is_parted = !matches!(until, Until::Fi | Until::Done);
        loop {
            self.skip_lines();
            if self.line.is_full() {
                self.at = self.text.len();
            }
            let Some(byte) = self.peek() else {
                if until != Until::End {
                    self.broken();
                }
                return until == Until::End;
            };
            match byte {
                b')' if until == Until::Parenthesis => {
                    let read = self.text.get(start..self.at).unwrap_or_default();
                    if read.trim().is_empty() && context.reach != Reach::Substitution {
                        self.broken();
                    }
                    self.at += 1;
                    return true;
                }
                b';' if until == Until::Clause && self.ends_clause() => return true,
                b';' | b'&' => {
                    // `;` alone before any command is refused by bash; `&&` belongs to no command.
                    self.broken();
                    self.at += 1;
                }
                b')' | b'|' => {
                    self.broken();
                    self.at += 1;
                }
                _ => {
                    if let Some(closed) = self.close(until, &mut is_parted, &mut part) {
                        if !is_parted {
                            self.broken();
                        }
                        return closed;
                    }
                    if self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b' ' | b'\t')) {
                        let before = self.at;
                        self.and_or(context, &mut chain);
                        if self.at == before {
                            // Whatever a line holds, reading it ends.
                            self.broken();
                            self.at = self.text.len();
                        }
                    }
                }
            }
        }
    }

    fn ends_clause(&mut self) -> bool {
        self.take(";;&") || self.take(";;") || self.take(";&")
    }

    /// Looks for a keyword that ends this list or another one, or parts its sections.
    fn close(&mut self, until: Until, is_parted: &mut bool, part: &mut Mark) -> Option<bool> {
        let (word, length) = self.keyword_here()?;
        match word {
            Keyword::Part(of) => {
                self.at += length;
                *is_parted |= of == until;
                // What stands before `do` has run whenever what stands behind it does.
                if of != Until::Done {
                    self.line.doubt(*part);
                }
                *part = self.line.here();
                if of != until {
                    self.broken();
                }
                None
            }
            Keyword::Close(Until::Clause) if until == Until::Clause => Some(true),
            Keyword::Close(end) => {
                self.at += length;
                if end == until {
                    return Some(true);
                }
                self.broken();
                None
            }
            _ => None,
        }
    }

    fn keyword_here(&mut self) -> Option<(Keyword, usize)> {
        if self.keyword.0 != self.at {
            self.keyword = (self.at, self.find_keyword());
        }
        self.keyword.1
    }

    fn find_keyword(&self) -> Option<(Keyword, usize)> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let length = bytes.iter().take(9).position(|&byte| ends_word(byte) || byte == b'\r');
        let length = length.or((bytes.len() < 9).then_some(bytes.len()))?;
        keyword(rest.get(..length)?).map(|word| (word, length))
    }

    /// A pipeline and the `&&`, `||` or end behind it.
    fn and_or(&mut self, context: &Context, chain: &mut Chain) {
        let first = self.line.commands.len();
        if chain.is_at_start {
            *chain = Chain::new(self.line.here());
            chain.number = self.next_chain();
        }
        let is_negated = self.peek() == Some(b'!');
        self.pipeline(context);
        self.skip_blanks();
        self.note_chain(first, if is_negated { 0 } else { chain.number });
        let is_or = self.starts_with("||");
        if is_or {
            chain.number = self.next_chain();
        }
        if is_or || self.starts_with("&&") {
            self.at += 2;
            chain.may_skip |= is_or;
            chain.is_or = is_or;
            if is_or {
                self.line.note_doubt(chain.start, Uncertainty::Failed(Behind::Or));
            }
            if chain.is_at_start {
                chain.rest = self.line.here();
                chain.is_at_start = false;
            } else if chain.may_skip {
                self.line.doubt(chain.rest);
                chain.rest = self.line.here();
            }
            self.skip_lines();
            if self.peek().is_none() {
                self.broken();
            }
            return;
        }
        let is_alone = std::mem::replace(&mut chain.is_at_start, true);
        let behind = match (is_alone, chain.is_or) {
            (true, _) => Behind::Alone,
            (false, true) => Behind::LastOr,
            (false, false) => Behind::List,
        };
        self.line.note_doubt(chain.start, Uncertainty::Failed(behind));
        match (is_alone, chain.may_skip) {
            (true, _) => {}
            (false, true) => self.line.doubt(chain.rest),
            (false, false) => self.line.doubt_behind(chain.rest, chain.start),
        }
        match self.peek() {
            Some(b'&') => {
                self.at += 1;
                self.set_aside(first);
                self.line.roll_back(chain.start);
            }
            Some(b';') if !matches!(self.peek_at(1), Some(b';' | b'&')) => self.at += 1,
            _ => {}
        }
    }

    fn next_chain(&mut self) -> u32 {
        self.line.chains = self.line.chains.saturating_add(1);
        self.line.chains
    }

    /// Notes the chain of a pipeline that is one command.
    fn note_chain(&mut self, first: usize, number: u32) {
        let mut commands = self.line.commands.iter_mut().skip(first);
        if commands.next().is_none() {
            return;
        }
        let is_inside = |other: &mut super::Command| {
            other.parent.is_some_and(|parent| parent as usize >= first)
        };
        if commands.all(is_inside)
            && let Some(command) = self.line.commands.get_mut(first)
        {
            command.chain = number;
        }
    }

    /// Notes that the commands from `first` on go on beside the others.
    fn set_aside(&mut self, first: usize) {
        for command in self.line.commands.iter_mut().skip(first) {
            command.calls_itself |= command.calls_own_function;
        }
    }

    fn pipeline(&mut self, context: &Context) {
        let mut context = context.clone();
        let start = self.line.commands.len();
        let mut piped = false;
        loop {
            let first = self.line.commands.len() as u32;
            let before = self.at;
            let variables = self.line.here();
            self.command(&context);
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.peek_at(1) == Some(b'|') {
                if piped {
                    // Some shells run the last part themselves.
                    self.line.doubt(variables);
                }
                break;
            }
            self.line.roll_back(variables);
            if self.at == before {
                self.broken();
            }
            self.at += if self.peek_at(1) == Some(b'&') { 2 } else { 1 };
            self.skip_lines();
            context.input = first..self.line.commands.len() as u32;
            if context.reach == Reach::List {
                context.reach = Reach::Pipe;
            }
            piped = true;
            if self.peek().is_none() {
                self.broken();
            }
        }
        if piped {
            self.set_aside(start);
        }
    }

    fn command(&mut self, context: &Context) {
        let before = self.line.here();
        if self.skip_prefixes() {
            self.bare_command(context);
            return self.line.roll_back(before);
        }
        self.bare_command(context);
    }

    /// A command without what may stand before it.
    fn bare_command(&mut self, context: &Context) {
        if self.peek() == Some(b'(') {
            return self.parenthesis(context);
        }
        let Some((word, length)) = self.keyword_here() else { return self.simple(context) };
        let in_loop = Context { in_loop: true, ..context.clone() };
        match word {
            Keyword::If => self.perhaps(context, |reader| {
                reader.at += length;
                reader.list(context, Until::Fi);
            }),
            Keyword::Loop => {
                self.at += length;
                self.while_loop(context, &in_loop);
            }
            Keyword::For => self.repeated(context, |reader| {
                reader.at += length;
                reader.for_loop(&in_loop, context.in_loop);
            }),
            Keyword::Case => self.perhaps(context, |reader| {
                reader.at += length;
                reader.case(context);
            }),
            Keyword::OpenBrace => self.compound(context, |reader| {
                reader.at += length;
                reader.list(context, Until::Brace);
            }),
            Keyword::Function => {
                self.at += length;
                self.skip_blanks();
                let from = self.at;
                while self.peek().is_some_and(|byte| !ends_word(byte)) {
                    self.at += 1;
                }
                let name = self.text.get(from..self.at).unwrap_or_default();
                self.skip_blanks();
                if self.take("(") {
                    self.skip_blanks();
                    self.take(")");
                }
                self.function(context, name);
            }
            Keyword::Test => self.test(context, length),
            // `close` has dealt with these; at the start of a pipe's part they are out of place.
            Keyword::Close(_) | Keyword::Part(_) => {
                self.broken();
                self.at += length;
            }
            // More of them than are sensible.
            Keyword::Prefix | Keyword::Time | Keyword::Coproc => {
                self.broken();
                self.at += length;
            }
        }
    }

    /// A compound command whose parts may not run.
    fn perhaps(&mut self, context: &Context, read: impl FnOnce(&mut Self)) {
        let before = self.line.here();
        self.compound(context, read);
        self.line.doubt(before);
    }

    /// A loop.
    fn repeated(&mut self, context: &Context, read: impl FnOnce(&mut Self)) {
        if context.in_loop {
            return self.perhaps(context, read);
        }
        let around = self.line.variables.enter_loop();
        self.perhaps(context, read);
        self.line.variables.leave_loop(around);
    }

    /// `!`, `time -p` and `coproc NAME`: what follows is the command. Says whether it runs beside the
    /// others.
    fn skip_prefixes(&mut self) -> bool {
        let mut is_aside = false;
        for _ in 0..MAX_DEPTH {
            let Some((word, length)) = self.keyword_here() else { return is_aside };
            match word {
                Keyword::Prefix => self.at += length,
                Keyword::Time => {
                    self.at += length;
                    self.skip_blanks();
                    while self.take_word("-p") || self.take_word("--") {
                        self.skip_blanks();
                    }
                }
                Keyword::Coproc => {
                    self.at += length;
                    self.skip_blanks();
                    self.skip_coproc_name();
                    is_aside = true;
                }
                _ => return is_aside,
            }
            self.skip_blanks();
        }
        is_aside
    }

    /// Takes a word that stands alone.
    fn take_word(&mut self, word: &str) -> bool {
        let there = self.starts_with(word) && self.peek_at(word.len()).is_none_or(ends_word);
        self.at += if there { word.len() } else { 0 };
        there
    }

    /// A name before a compound command; a simple one has none.
    fn skip_coproc_name(&mut self) {
        let start = self.at;
        let name = self.name();
        let has_name = !name.is_empty() && keyword(name).is_none();
        self.skip_blanks();
        let is_compound = self.peek() == Some(b'(')
            || matches!(
                self.keyword_here(),
                Some((
                    Keyword::OpenBrace | Keyword::If | Keyword::Loop | Keyword::For | Keyword::Case,
                    _
                ))
            );
        if !(has_name && is_compound) {
            self.at = start;
        }
    }

    /// A command around others, and the redirections behind it.
    fn compound(&mut self, context: &Context, read: impl FnOnce(&mut Self)) {
        let first = self.line.commands.len();
        let from = self.at;
        self.deeper(read);
        let redirects = self.line.pending.redirects.len();
        loop {
            self.skip_blanks();
            if !self.redirect(context) {
                break;
            }
        }
        if self.line.pending.redirects.len() == redirects {
            return;
        }
        let mut command = self.new_command(context, from);
        (command.redirects, command.own_input) = self.take_redirects(redirects);
        command.span.end = self.span(from, self.at).end;
        self.redirect_inner(&command, first, context);
        self.line.commands.push(command);
    }

    /// What is redirected into a compound command is what the commands in it read.
    fn redirect_inner(&mut self, command: &Command, first: usize, context: &Context) {
        let Some(redirect) = command.own_input else { return };
        for inner in self.line.commands.iter_mut().skip(first) {
            if inner.input == context.input && inner.enclosing_input.is_none() {
                inner.input = 0..0;
                inner.enclosing_input = Some(redirect);
            }
        }
    }

    fn new_command(&self, context: &Context, from: usize) -> Command {
        Command {
            input: context.input.clone(),
            in_loop: context.in_loop,
            input_unknown: self.line.input_replaced,
            may_run_more: self.line.environment_changed,
            span: self.span(from, self.at),
            ..Command::new(context.parent, context.reach, self.depth.min(255) as u8)
        }
    }

    /// The redirections that were read since there were `base`, and the one of them that is read from.
    fn take_redirects(&mut self, base: usize) -> (Range<u32>, Option<u32>) {
        let CommandLine { redirects, pending, .. } = &mut *self.line;
        let start = redirects.len() as u32;
        let taken = pending.redirects.get(base..).unwrap_or_default();
        redirects.extend_from_slice(taken);
        let own = taken.iter().rposition(Redirect::reads);
        pending.redirects.truncate(base);
        (start..redirects.len() as u32, own.map(|offset| start + offset as u32))
    }

    /// `( … )`, or arithmetic in `(( … ))`.
    fn parenthesis(&mut self, context: &Context) {
        if self.starts_with("((") && self.arithmetic_end(self.at + 2).is_some() {
            return self.compound(context, |reader| {
                reader.at += 2;
                reader.arithmetic(context);
            });
        }
        let reach = if context.reach == Reach::List { Reach::Subshell } else { context.reach };
        let inner = Context { reach, ..context.clone() };
        let before = self.line.here();
        self.compound(context, |reader| {
            reader.at += 1;
            reader.list(&inner, Until::Parenthesis);
        });
        self.line.roll_back(before);
    }

    /// `while` and `until`, behind the word. Of what is read line by line, each line is a round.
    fn while_loop(&mut self, context: &Context, inner: &Context) {
        let before = self.line.here();
        let start = self.loop_start();
        let around = match context.in_loop {
            true => None,
            false => Some(self.line.variables.enter_loop()),
        };
        let mut end = start.commands;
        self.compound(context, |reader| {
            reader.list(inner, Until::Done);
            end = reader.line.commands.len();
        });
        if let Some(around) = around {
            self.line.variables.leave_loop(around);
        }
        self.while_rounds(context, inner, start, end);
        self.line.doubt(before);
    }

    fn while_rounds(&mut self, context: &Context, inner: &Context, start: Start, end: usize) {
        let reads = self.line.commands.iter().skip(start.commands).find(|command| command.runs());
        // Of a function in a text that the line makes it is not known which rounds are whose: what it runs stays open.
        let is_of_text = context.function.is_some() && self.place.is_some();
        if context.in_loop
            || is_of_text
            || reads.and_then(|command| self.line.program(command)) != Some("read")
        {
            return;
        }
        let from = self.span(start.at, self.at).start;
        let last = self.line.commands.last();
        let last = last.filter(|command| !command.runs() && command.span.start == from).cloned();
        let redirect = last.as_ref().and_then(|command| command.own_input);
        let Some(rows) = self.rows(context, redirect) else { return };
        if !self.has_rounds(start, rows.len(), context.in_loop) {
            return;
        }
        self.drop_round(start, end);
        let first = self.line.commands.len();
        for row in rows {
            self.row = Some(row);
            self.read_round(start, |reader| {
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

    fn for_loop(&mut self, context: &Context, is_nested: bool) {
        self.skip_blanks();
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
        let awaits = !self.here_documents.is_empty();
        self.for_body(context);
        let Some((name, values)) = values else { return };
        if !awaits {
            self.for_rounds(context, name, values.clone(), start, is_nested);
        }
        self.line.pending.rounds.truncate(values.start);
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
        if !body.contains(name) || !self.has_rounds(start, values.len(), is_nested) {
            return;
        }
        self.drop_round(start, self.line.commands.len());
        let spot = self.spot(context);
        for value in values {
            self.set_for_round(name, value, spot);
            self.read_round(start, |reader| reader.for_body(context));
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
        let is_whole = self.line.text(word).chars().eq([super::HOLE]) && word.may_split();
        let finder = first..self.line.commands.len();
        self.finder(finder).filter(|_| is_whole)
    }

    /// The only one of some commands, if that is one that lists files by their names.
    pub fn finder(&self, commands: Range<usize>) -> Option<u32> {
        let [command] = self.line.commands.get(commands.clone())? else { return None };
        let is_finder = matches!(self.line.program(command), Some("find" | "gfind" | "bfs"));
        let words = self.line.words(command);
        // What it finds begins as it was told to look.
        let is_plain = words
            .get(1)
            .is_some_and(|word| !word.has_hole() && !self.line.text(word).starts_with('-'));
        (is_finder && is_plain).then_some(commands.start as u32)
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

    pub fn name(&mut self) -> &'t str {
        let from = self.at;
        while self.peek().is_some_and(is_name) {
            self.at += 1;
        }
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn case(&mut self, context: &Context) {
        let base = self.line.pending.words.len();
        self.skip_blanks();
        self.word(context);
        self.skip_lines();
        if !self.take("in") {
            self.broken();
        }
        loop {
            self.skip_lines();
            if let Some((Keyword::Close(Until::Clause), length)) = self.keyword_here() {
                self.at += length;
                break;
            }
            if self.peek().is_none() {
                self.broken();
                break;
            }
            self.take("(");
            if !self.case_patterns(context) {
                self.broken();
            }
            let before = self.line.here();
            self.list(context, Until::Clause);
            self.line.doubt(before);
        }
        self.line.pending.words.truncate(base);
    }

    /// `a | b)`. Says whether the parenthesis was there.
    fn case_patterns(&mut self, context: &Context) -> bool {
        loop {
            self.skip_blanks();
            let before = self.at;
            self.word(context);
            self.skip_blanks();
            match self.peek() {
                Some(b'|') => self.at += 1,
                Some(b')') => {
                    self.at += 1;
                    return true;
                }
                None => return false,
                Some(_) if self.at == before => {
                    self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                    return false;
                }
                Some(_) => {}
            }
        }
    }

    /// `[[ … ]]`: nothing in it runs but substitutions.
    fn test(&mut self, context: &Context, length: usize) {
        let base = self.line.pending.words.len();
        let from = self.at;
        self.at += length;
        let closed = loop {
            self.skip_lines();
            if self.starts_with("]]") && self.peek_at(2).is_none_or(ends_word) {
                self.at += 2;
                break true;
            }
            match self.peek() {
                None => break false,
                Some(byte) if ends_word(byte) => self.at += 1,
                Some(_) => {
                    self.word(context);
                }
            }
        };
        if !closed {
            self.broken();
        }
        self.line.pending.words.truncate(base);
        let text = self.line.add_text("[[", self.span(from, from + 2));
        let start = self.line.words.len() as u32;
        self.line.words.push(text);
        let mut command = self.new_command(context, from);
        command.words = start..start + 1;
        self.line.commands.push(command);
    }

    fn function(&mut self, context: &Context, name: &str) {
        let span = 0..0;
        let name = self.line.add_text(name, span);
        let inner = Context {
            reach: Reach::Function,
            function: Some((name.start, name.end)),
            input: 0..0,
            ..context.clone()
        };
        self.skip_lines();
        // The body is a compound command.
        let is_compound = self.peek() == Some(b'(')
            || matches!(
                self.keyword_here(),
                Some((word, _)) if !matches!(word, Keyword::Close(_) | Keyword::Part(_))
            );
        if !is_compound {
            self.broken();
        }
        let around = self.line.variables.enter_function();
        // A call brings parameters of its own.
        let spot = self.spot(&inner);
        self.line.variables.lose(POSITIONAL, spot);
        self.line.variables.mark(POSITIONAL, false, true);
        let (from, first) = (self.at, self.line.commands.len());
        let before = std::mem::take(&mut self.line.variables.used_parameters);
        let start = self.line.here();
        self.deeper(|reader| reader.command(&inner));
        // It runs where it is called, if it is.
        self.line.note_doubt(start, Uncertainty::Skipped);
        self.line.variables.leave_function(around);
        let body = self.text.get(from..self.at).unwrap_or_default();
        // What it uses may be set before it is called.
        if self.line.variables.used_parameters || body.contains('$') {
            self.line.keep_function(name, body, first..self.line.commands.len());
        }
        self.line.variables.used_parameters |= before;
        let name = self.line.text(&name).to_owned();
        if functions::may_shadow(&name) {
            let spot = self.spot(context);
            self.line.variables.set_function(&name, true, spot);
        }
    }

    /// Assignments, words and redirections.
    fn simple(&mut self, context: &Context) {
        let from = self.at;
        let index = self.line.commands.len();
        self.line.commands.push(self.new_command(context, from));
        let inner = Context { parent: Some(index as u32), ..context.clone() };
        let words = self.line.pending.words.len();
        let redirects = self.line.pending.redirects.len();
        let names = self.line.pending.names.len();
        let set_for = self.line.set_for.len();
        let before = self.line.variables.here();
        let (mut prefix, mut lists, mut separators) = (true, Vec::new(), None);
        loop {
            self.skip_blanks();
            if self.redirect(&inner) {
                continue;
            }
            if prefix && self.assignment(&inner) {
                continue;
            }
            if self.line.is_full() {
                break;
            }
            if prefix && self.line.pending.names.len() > names && self.is_word_here() {
                // What stands before a program is set for that alone.
                if self.line.pending.names.len() == names + 1 {
                    let spot = self.spot(context);
                    separators = self.line.variables.own_separators(spot);
                }
                self.line.variables.roll_back(before);
            }
            let start = self.at;
            if !self.word(&inner) {
                break;
            }
            if self.peek() == Some(b'(')
                && self.text.get(start..self.at).is_some_and(|word| word.ends_with('='))
            {
                // `declare -a list=(a b)`
                let name = self.text.get(start..self.at).unwrap_or_default();
                self.at += 1;
                let is_map =
                    self.line.pending.words.get(words..).into_iter().flatten().any(|word| {
                        let text = self.line.text(word);
                        text.starts_with('-') && text.contains('A')
                    });
                self.declared_list(&inner, name.trim_end_matches('='), is_map);
                lists.push(name.trim_end_matches(['=', '+']));
            }
            prefix &= self.line.pending.words.len() == words;
            // What has commands or redirections before it is no head of a function.
            let is_bare = self.line.commands.len() == index + 1
                && self.line.pending.redirects.len() == redirects;
            if is_bare && self.is_function_head(words) {
                let name = self.text.get(start..self.at).unwrap_or_default().trim_end();
                let name = name.trim_end_matches([')', '(', ' ', '\t']);
                self.line.pending.words.truncate(words);
                self.line.pending.names.truncate(names);
                self.line.commands.truncate(index);
                return self.function(context, name);
            }
        }
        self.finish_simple(context, index, words, redirects, from);
        self.line.count_change(index);
        let has_program =
            self.line.commands.get(index).is_some_and(|command| !command.words.is_empty());
        let is_bare = self.line.pending.names.len() == names;
        if !has_program {
            // What stands in the values runs with what is set for it; what follows, with what is in the environment.
            let CommandLine { set_for: all, variables, text, .. } = &mut *self.line;
            let mut at = 0;
            all.retain(|(command, name, _)| {
                at += 1;
                let name = text.get(name.start as usize..name.end as usize).unwrap_or_default();
                at <= set_for || *command != index as u32 || variables.exports(name)
            });
        }
        let sets_separators = self.line.pending.names.len() == names + 1
            && self.line.pending.names.last().is_some_and(|(from, to)| {
                self.text.get(*from as usize..*to as usize) == Some("IFS")
            });
        self.note_assignments(context, index, names, has_program);
        if is_bare {
            let spot = self.spot(context);
            separators = self.line.variables.own_separators(spot);
        }
        let separators = separators.filter(|_| is_bare || sets_separators);
        self.note_builtin(context, index, &lists, separators.as_deref());
    }

    /// Whether a word begins here.
    fn is_word_here(&self) -> bool {
        self.peek().is_some_and(|byte| !ends_word(byte))
            || self.starts_with("<(")
            || self.starts_with(">(")
    }

    /// What the assignments of a command change besides values.
    fn note_assignments(
        &mut self,
        context: &Context,
        index: usize,
        base: usize,
        has_program: bool,
    ) {
        let spot = self.spot(context);
        while self.line.pending.names.len() > base {
            let Some((from, to)) = self.line.pending.names.pop() else { break };
            let name = self.text.get(from as usize..to as usize).unwrap_or_default();
            let variables = &mut self.line.variables;
            if has_program {
                // Some shells keep it for some programs.
                if name != "IFS" {
                    variables.lose(name, spot);
                }
                let is_harmless = environment::is_harmless(name);
                if let Some(command) = self.line.commands.get_mut(index).filter(|_| !is_harmless) {
                    command.may_run_more = true;
                }
            } else if environment::is_looked_at(name)
                || variables.exports_all && !environment::is_harmless(name)
            {
                self.change_environment(context);
            }
        }
    }

    /// Notes that what follows runs in an environment of which it is not known what it does.
    pub fn change_environment(&mut self, context: &Context) {
        self.line.environment_changed = true;
        // It may have run before what stands before it.
        self.line.all_may_run_more |= context.in_loop || context.function.is_some();
    }

    /// `name ( )` defines a function.
    fn is_function_head(&mut self, words: usize) -> bool {
        if self.line.pending.words.len() != words + 1 || self.line.commands.is_empty() {
            return false;
        }
        let blanks = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if self.peek_at(blanks) != Some(b'(') {
            return false;
        }
        let inner = self.text.get(self.at + blanks + 1..).unwrap_or_default();
        let Some(behind) = inner.trim_start_matches([' ', '\t']).strip_prefix(')') else {
            return false;
        };
        self.at = self.text.len() - behind.len();
        true
    }

    fn finish_simple(
        &mut self,
        context: &Context,
        index: usize,
        words: usize,
        redirects: usize,
        from: usize,
    ) {
        let span = self.span(from, self.trimmed_end(from));
        let (redirects, own_input) = self.take_redirects(redirects);
        let CommandLine { words: all, pending, commands, text, .. } = &mut *self.line;
        let start = all.len() as u32;
        all.extend_from_slice(pending.words.get(words..).unwrap_or_default());
        pending.words.truncate(words);
        let Some(command) = commands.get_mut(index) else { return };
        command.words = start..all.len() as u32;
        (command.redirects, command.own_input) = (redirects, own_input);
        command.span = span;
        if let Some(first) = all.get(start as usize) {
            let part = |from: u32, to: u32| text.get(from as usize..to as usize);
            let path = part(first.start, first.end).unwrap_or_default();
            let behind = path.bytes().rposition(|byte| byte == b'/').map_or(0, |at| at + 1);
            let name = path.get(behind..).unwrap_or_default();
            let is_unknown = first.has_hole() && name.contains(super::HOLE);
            if (first.is_glob() && name != "[") || is_unknown {
                command.opaque = Some(Opaque::Program);
            }
            let function = context.function.and_then(|(from, to)| part(from, to));
            command.calls_own_function = function.is_some_and(|function| function == name);
        }
        self.note_call(context, start as usize);
        let nothing = self.at == from;
        // `time` alone is a command.
        let ends = self.peek().is_none_or(|byte| matches!(byte, b'\n' | b';'));
        if nothing && ends && self.text.get(..from).is_some_and(|text| text.ends_with("time")) {
            self.line.commands.truncate(index);
        } else if nothing {
            // Something that no rule of the grammar takes, such as a lone `)`.
            self.broken();
            self.line.commands.truncate(index);
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
    }

    /// Marks a command whose program is a function of the line.
    fn note_call(&mut self, context: &Context, first: usize) {
        let spot = self.spot(context);
        let CommandLine { words, variables, text, .. } = &mut *self.line;
        let Some(word) = words.get_mut(first).filter(|word| !word.has_hole() && !word.is_glob())
        else {
            return;
        };
        let name = text.get(word.start as usize..word.end as usize).unwrap_or_default();
        if !variables.is_function(name, spot) {
            return;
        }
        let name = [name, functions::CALLED].concat();
        let span = word.from..word.to;
        let called = self.line.add_text(&name, span);
        if let Some(word) = self.line.words.get_mut(first) {
            *word = called;
        }
    }

    fn trimmed_end(&self, from: usize) -> usize {
        let read = self.text.get(from..self.at).unwrap_or_default();
        from + read.trim_end().len()
    }

    /// `NAME=value`, `NAME+=value`, `NAME[i]=value`, `NAME=( … )`. Says whether there was one.
    fn assignment(&mut self, context: &Context) -> bool {
        let start = self.at;
        let name = self.name();
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            self.at = start;
            return false;
        }
        let mut plain = true;
        let mut adds = false;
        let end = self.at;
        if self.peek() == Some(b'[') {
            plain = false;
            let end = self.rest().bytes().position(|byte| matches!(byte, b']' | b' ' | b'\n'));
            match end {
                Some(end) if self.peek_at(end) == Some(b']') => self.at += end + 1,
                _ => {
                    self.at = start;
                    return false;
                }
            }
        }
        let subscript = end..self.at;
        let key = self.text.get(subscript.clone()).unwrap_or_default();
        let key = key.trim_start_matches('[').trim_end_matches(']');
        if self.take("+=") {
            adds = true;
        } else if !self.take("=") {
            self.at = start;
            return false;
        }
        let names = &mut self.line.pending.names;
        names.push((start as u32, end as u32));
        if TABLES_OF_PROGRAMS.contains(&name) {
            // From here on, names of programs mean something else.
            self.line.fail(Opaque::Program);
        }
        if !plain {
            let subscript = self.text.get(subscript).unwrap_or_default();
            self.note_subscript(context, subscript);
        }
        let base = self.line.pending.words.len();
        if self.peek() == Some(b'(') {
            self.at += 1;
            self.array_words(context);
            self.set_list(context, name, base, plain, adds);
            self.line.pending.words.truncate(base);
            return true;
        }
        let value = self.value(context);
        if plain
            && !adds
            && let Some(command) = context.parent
        {
            let name = self.line.add_text(name, 0..0);
            self.line.set_for.push((command, name, value));
        }
        if let (Some(run), Some(command)) = (environment::run(name), context.parent) {
            self.line.values.push((command, run, value));
        }
        let spot = self.spot(context);
        let CommandLine { variables, text, .. } = &mut *self.line;
        let written = text.get(value.start as usize..value.end as usize).unwrap_or_default();
        if environment::is_expanded(name) && (value.has_hole() || written.contains(['$', '`'])) {
            self.line.fail(Opaque::Text);
        } else if plain && !adds && !value.has_hole() {
            variables.set(name, New::Text(written), spot);
        } else if plain && !adds && !value.may_hold_slash() && !value.may_split() {
            let doubt = Doubt::word(value.may_be_flag(), false);
            variables.set(name, New::Holed(written, Doubt { is_plain: true, ..doubt }), spot);
        } else if plain && !adds {
            // Of any text nobody knows what it becomes without quotes; a name stays one.
            let is_plain = !value.may_hold_syntax();
            let doubt = match is_plain {
                true => Doubt { is_plain, ..Doubt::word(value.may_be_flag(), value.may_split()) },
                false => Doubt::word(true, true),
            };
            let is_whole = written.chars().eq([super::HOLE]);
            let stands_for = if is_whole { value.stands_for } else { 0 };
            let doubt = Doubt { stands_for, ..doubt };
            variables.set(name, New::Unknown(doubt), spot);
        } else if plain && adds && !value.has_hole() {
            let written = written.to_owned();
            self.add_to(name, &written, spot);
        } else if plain || adds || value.has_hole() {
            variables.lose(name, spot);
        } else {
            let written = written.to_owned();
            self.set_item(name, key, &written, spot);
        }
        true
    }

    /// Sets a variable to the words behind `base`, or adds them to it.
    fn set_list(&mut self, context: &Context, name: &str, base: usize, plain: bool, adds: bool) {
        let spot = self.spot(context);
        if plain && !adds && self.set_keyed(name, base, spot) {
            return;
        }
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        let size: usize = words.iter().map(|word| (word.end - word.start) as usize + 1).sum();
        let is_constant = words.iter().all(|word| !word.has_hole() && !word.is_glob());
        let is_known = plain && is_constant && !words.is_empty() && size < MAX_LIST_LENGTH;
        let mut value = std::mem::take(&mut self.line.value);
        value.clear();
        let old = if adds { self.line.variables.open_list(name, spot) } else { Some("") };
        let is_known = is_known && old.is_some_and(|old| old.len() < MAX_LIST_LENGTH);
        value.push_str(old.unwrap_or_default());
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        if !value.is_empty() && !value.ends_with(BEHIND_ITEM) {
            value.push(BEHIND_ITEM);
        }
        for word in words {
            value.push_str(self.line.text(word));
            value.push(BEHIND_ITEM);
        }
        if is_known {
            self.line.variables.set(name, New::List(&value), spot);
        } else {
            self.line.variables.lose(name, spot);
        }
        self.line.value = value;
    }

    /// Puts a text behind the value of a variable.
    fn add_to(&mut self, name: &str, text: &str, spot: Spot) {
        let known = match self.line.variables.is_list(name, spot) {
            false => match self.line.variables.get(name, true, spot) {
                Value::Known(known) => Some([known, text].concat()),
                Value::Unknown(_) => None,
            },
            true => None,
        };
        let is_certain = !self.line.variables.used_perhaps();
        match known.filter(|known| is_certain && self.line.has_room(known.len())) {
            Some(known) => self.line.variables.set(name, New::Text(&known), spot),
            None => self.line.variables.lose(name, spot),
        }
    }

    /// Sets what one key of a list or a map stands for.
    fn set_item(&mut self, name: &str, key: &str, value: &str, spot: Spot) {
        let variables = &mut self.line.variables;
        let is_plain = !key.is_empty() && key.bytes().all(is_name);
        if is_plain && variables.is_map(name, spot) {
            return variables.set_item(name, key, value, spot);
        }
        let is_number = !(key.len() > 1 && key.starts_with('0'));
        let Some(index) = key.parse::<usize>().ok().filter(|_| is_number) else {
            return variables.lose(name, spot);
        };
        let mut items: Vec<String> = variables
            .list(name, spot)
            .map(|list| list.split_terminator(BEHIND_ITEM).map(str::to_owned).collect())
            .unwrap_or_default();
        let count = items.len();
        match items.get_mut(index) {
            Some(item) => value.clone_into(item),
            None if index == count && index > 0 => items.push(value.to_owned()),
            None => {
                variables.lose(name, spot);
                return variables.set_item(name, key, value, spot);
            }
        }
        let list: String = items.iter().flat_map(|item| [item.as_str(), "\0"]).collect();
        match list.len() < MAX_LIST_LENGTH {
            true => variables.set(name, New::List(&list), spot),
            false => variables.lose(name, spot),
        }
    }

    /// Reads the items of a list that is declared, `NAME=( … )` among the words of a command.
    fn declared_list(&mut self, context: &Context, name: &str, is_map: bool) {
        let base = self.line.pending.words.len();
        self.array_words(context);
        let spot = self.spot(context);
        if is_map {
            self.line.variables.lose(name, spot);
            self.line.variables.set_map(name, spot);
        }
        match name.bytes().all(is_name) {
            true => self.set_list(context, name, base, true, false),
            false => self.line.variables.lose(name.trim_end_matches('+'), spot),
        }
        self.line.pending.words.truncate(base);
    }

    /// Sets items that stand behind keys, `([KEY]=value …)`. Says whether all do.
    fn set_keyed(&mut self, name: &str, base: usize, spot: Spot) -> bool {
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        let mut pairs = Vec::new();
        for word in words {
            let text = self.line.text(word);
            let pair = text.strip_prefix('[').and_then(|text| text.split_once("]="));
            match pair.filter(|_| !word.has_hole()) {
                Some((key, value)) => pairs.push((key.to_owned(), value.to_owned())),
                None => return false,
            }
        }
        let is_map = self.line.variables.is_map(name, spot);
        let is_number = |key: &str| key.parse::<u16>().is_ok_and(|n| n.to_string() == key);
        if pairs.is_empty() || !is_map && !pairs.iter().all(|(key, _)| is_number(key)) {
            return false;
        }
        self.line.variables.lose(name, spot);
        for (key, value) in pairs.iter().take(MAX_KEYS) {
            self.line.variables.set_item(name, key, value, spot);
        }
        true
    }

    /// Reads the items of a list, up to the closing parenthesis and that too.
    fn array_words(&mut self, context: &Context) {
        loop {
            self.skip_lines();
            match self.peek() {
                None => {
                    self.broken();
                    break;
                }
                Some(b')') => {
                    self.at += 1;
                    break;
                }
                Some(_) => {
                    let before = self.at;
                    self.word(context);
                    if self.at == before {
                        self.broken();
                        self.at += 1;
                    }
                }
            }
        }
    }

    /// One redirection, if there is one.
    #[inline]
    fn redirect(&mut self, context: &Context) -> bool {
        // Most words are told by their first letter.
        matches!(self.peek(), Some(b'<' | b'>' | b'&' | b'{' | b'0'..=b'9'))
            && self.redirect_here(context)
    }

    fn redirect_here(&mut self, context: &Context) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start && self.peek() == Some(b'{') {
            // `{fd}>file`
            let end = self.rest().bytes().skip(1).position(|byte| !is_name(byte));
            if let Some(end) = end
                && self.peek_at(end + 1) == Some(b'}')
                && matches!(self.peek_at(end + 2), Some(b'<' | b'>'))
            {
                self.at += end + 2;
            }
        }
        let Some(kind) = self.redirect_sign() else {
            self.at = start;
            return false;
        };
        self.skip_blanks();
        if kind == RedirectKind::HereDocument {
            self.await_here_document(context);
            return true;
        }
        let from = self.at;
        let word = self.value(context);
        if self.at == from {
            self.broken();
        }
        let text = self.line.text(&word);
        let reads = self.text.get(start..from).is_some_and(|sign| sign.contains('<'));
        let kind = match kind {
            // `<&3` reads what that descriptor reads.
            RedirectKind::Duplicate if reads && !matches!(text, "" | "0" | "-") => {
                RedirectKind::Read
            }
            // `>&file` writes to the file; `>&1` and `>&-` name a descriptor.
            RedirectKind::Duplicate
                if !text.is_empty()
                    && !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') =>
            {
                RedirectKind::Write
            }
            kind => kind,
        };
        self.line.pending.redirects.push(Redirect { kind, target: Target::Word(word) });
        true
    }

    fn redirect_sign(&mut self) -> Option<RedirectKind> {
        use RedirectKind::{Append, Duplicate, HereDocument, HereString, Read, ReadWrite, Write};
        let (kind, length) = match (self.peek()?, self.peek_at(1), self.peek_at(2)) {
            // `<( … )` and `>( … )` are words.
            (b'<' | b'>', Some(b'('), _) => return None,
            (b'&', Some(b'>'), Some(b'>')) => (Append, 3),
            (b'&', Some(b'>'), _) => (Write, 2),
            (b'<', Some(b'<'), Some(b'<')) => (HereString, 3),
            (b'<', Some(b'<'), _) => (HereDocument, 2),
            (b'<', Some(b'>'), _) => (ReadWrite, 2),
            (b'<' | b'>', Some(b'&'), _) => (Duplicate, 2),
            (b'>', Some(b'>'), _) => (Append, 2),
            (b'>', Some(b'|'), _) => (Write, 2),
            (b'<', ..) => (Read, 1),
            (b'>', ..) => (Write, 1),
            _ => return None,
        };
        self.at += length;
        Some(kind)
    }

    /// A word that is neither split nor multiplied: a value or the target of a redirection.
    pub fn value(&mut self, context: &Context) -> super::Word {
        let mut growing = self.line.pending.grow(self.at);
        self.grow_word(&mut growing, context, false);
        self.finish_word(&growing)
    }

    pub fn finish_word(&mut self, growing: &Growing) -> super::Word {
        let CommandLine { pending, text, .. } = &mut *self.line;
        let mut word = pending.finish(growing, self.at, text);
        let span = self.span(word.from as usize, word.to as usize);
        (word.from, word.to) = (span.start, span.end);
        word
    }
}
