//! The grammar: lists, pipes, compound commands, simple commands. One pass over the text, with the
//! depth of nesting bounded. What bash would refuse is noted, and reading goes on behind it.

use std::ops::Range;

use super::awaited::Awaited;
use super::certainty::{Behind, Uncertainty};
use super::command::{Command, Opaque, Reach, Redirect};
use super::context::Context;
use super::doubts::Mark;
use super::function_calls;
use super::functions;
use super::keywords::{Keyword, Until, keyword};
use super::limits::MAX_DEPTH;
use super::line::CommandLine;
use super::strictness::Strictness;
use super::subscript::{Subscript, subscript};
use super::variables;
use super::variables::{POSITIONAL, Spot};
use super::word::Growing;

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
    let strictness = strictness_in(line, place);
    let place = place.map(|place| place.span);
    if depth > MAX_DEPTH {
        line.fail(Opaque::TooDeep);
        return;
    }
    let before = Before::of(line);
    let mut again = false;
    loop {
        let mut reader = Reader::new(line, text, place, depth, strictness);
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

/// How failures are told in a text, by what runs it.
fn strictness_in(line: &CommandLine, place: Option<Place>) -> Strictness {
    let runner = place.filter(|place| place.reach != Reach::Substitution);
    let runner = runner.and_then(|place| line.commands.get(place.parent as usize));
    runner.map_or(Strictness::default(), |runner| Strictness::of_shell(line, runner))
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

/// What compares numbers in `[[ … ]]`.
const COMPARING: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

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
        line.taken_back.retain(|handler| (*handler as usize) < self.commands);
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
    pub place: Option<(u32, u32)>,
    pub depth: u32,
    /// Here-documents whose text begins behind the end of this line of the script.
    pub here_documents: Vec<Awaited>,
    /// Where a keyword was looked for last, and what was there.
    keyword: (usize, Option<(Keyword, usize)>),
    /// What the next `read` without a redirection reads.
    pub row: Option<String>,
    /// The command that finds what the next `read` reads, in the round of a loop.
    pub found: Option<u32>,
    /// The places of the text that were the first to read from a pipe, each behind the place of the pipe's first command.
    pub first_reads: Vec<(usize, usize)>,
    /// How the shell tells of failures.
    pub strictness: Strictness,
    /// The depth at which its text begins.
    pub outermost: u32,
    /// Where the last `[[ … ]]` ended, and what it says.
    pub compared: (usize, Option<bool>),
    /// Whether the compound command that was read last certainly ends the shell.
    pub ends: bool,
    /// What the command leaves that was found last to end what it stands in.
    pub leave: Leave,
    /// Whether it is certain of each part of the compound command that was read last whether it runs.
    pub is_decided: bool,
    /// What the list that was read last says, where that is certain.
    pub list_status: Option<bool>,
    /// So many loops around what is read are read round by round, as they certainly go.
    pub certain_loops: u32,
    /// What the last `getopts` says, where that is certain.
    pub option_taken: Option<bool>,
    /// The word that it looks at next, and how many letters of that it has taken.
    pub option_at: (usize, usize),
}

/// What is left by a command behind which nothing is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Leave {
    /// The shell, or the function.
    #[default]
    Text,
    /// The loop: `break`.
    Loop,
    /// The round of the loop: `continue`.
    Round,
}

/// A keyword has not been looked for yet.
const NO_KEYWORD: (usize, Option<(Keyword, usize)>) = (usize::MAX, None);

/// Longer lists are not kept.
pub(super) const MAX_LIST_LENGTH: usize = 4_096;

/// More keys of one list are not kept.
pub(super) const MAX_KEYS: usize = 32;

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
    /// Whether what ran last has succeeded, where that is certain.
    status: Option<bool>,
    /// Nothing behind it is reached.
    is_end: bool,
    /// Whether each of its pipelines runs is certain.
    is_decided: bool,
    /// Its first command.
    first: usize,
    start: Mark,
    /// Behind the first pipeline, which runs for sure.
    rest: Mark,
}

impl Chain {
    fn new(here: Mark, first: usize) -> Self {
        Self {
            is_at_start: true,
            may_skip: false,
            number: 0,
            is_or: false,
            status: None,
            is_end: false,
            is_decided: true,
            first,
            start: here,
            rest: here,
        }
    }

    /// The status of the whole, where what was read last has one: what stands before that may have been the last to run.
    fn joined(&self, own: Option<bool>) -> Option<bool> {
        match self.status {
            None if !self.is_at_start => own.filter(|status| *status == self.is_or),
            _ => own,
        }
    }
}

/// Which branches of an `if` are taken for certain, and which are not.
#[derive(Debug, Default)]
struct Branches {
    /// One before was taken for certain.
    is_taken: bool,
    /// The one that is read is not.
    is_skipped: bool,
    /// The one that is read is.
    is_certain: bool,
    /// Some condition before may hold.
    may_hold: bool,
    /// Nothing of the part that is read is reached any more.
    is_ended: bool,
    /// Nothing behind the whole is, either.
    ends: bool,
    /// Whether some part runs is not certain.
    is_open: bool,
    /// What is not reached of the part that is read could not be taken back.
    is_left: bool,
}

impl Branches {
    /// Looks at what stands where a part may begin, with the status of what was read before it.
    fn turn(&mut self, text: &str, status: Option<bool>) {
        let begins = |word: &str| {
            text.strip_prefix(word).is_some_and(|rest| rest.bytes().next().is_none_or(ends_word))
        };
        if begins("then") {
            self.is_open |= status.is_none() && !self.is_skipped;
            self.is_skipped |= status == Some(false);
            let holds = status == Some(true) && !self.is_skipped;
            self.is_certain = holds && !self.may_hold;
            self.is_taken |= holds;
            self.may_hold |= status != Some(false);
        } else if begins("elif") || begins("else") {
            self.is_skipped = self.is_taken;
            self.is_certain = begins("else") && !self.may_hold;
            self.is_ended = false;
        }
    }

    /// Whether what the part that was read has set may not have been set, where that part ends.
    fn leaves_doubt(&mut self) -> bool {
        let is_left = std::mem::take(&mut self.is_left);
        self.is_open |= is_left;
        is_left || self.may_hold && !self.is_skipped && !self.is_certain
    }

    /// Takes note that nothing of the part is reached any more.
    fn end(&mut self, is_end: bool) {
        self.is_ended |= is_end;
        self.ends |= is_end && self.is_certain;
    }
}

/// Whether a byte ends an unquoted word.
pub(super) fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t, 'l> Reader<'t, 'l> {
    /// A reader at the beginning of a text.
    fn new(
        line: &'l mut CommandLine,
        text: &'t str,
        place: Option<(u32, u32)>,
        depth: u32,
        strictness: Strictness,
    ) -> Self {
        Self {
            line,
            text,
            at: 0,
            place,
            depth,
            here_documents: Vec::new(),
            keyword: NO_KEYWORD,
            row: None,
            found: None,
            first_reads: Vec::new(),
            strictness,
            outermost: depth,
            compared: (0, None),
            ends: false,
            leave: Leave::default(),
            is_decided: false,
            list_status: None,
            certain_loops: 0,
            option_taken: None,
            option_at: (0, 0),
        }
    }
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
        Reader::new(self.line, text, Some(place), self.depth, self.strictness)
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

    pub fn skip_blanks(&mut self) {
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

    /// Skips what joins a line with the next, wherever it stands outside of single quotes. Returns whether there was some.
    pub fn skip_joints(&mut self) -> bool {
        let start = self.at;
        while self.take("\\\n") {}
        self.at > start
    }

    /// Skips blanks and ends of lines, with the here-documents behind them.
    pub fn skip_lines(&mut self) {
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
        let mut first = self.line.commands.len();
        let mut chain = Chain::new(self.line.here(), first);
        let mut part = self.line.here();
        // What is read is not reached: behind what ends the list, or in a branch that is not taken.
        let is_whole = until != Until::Fi;
        let mut branches = Branches { is_certain: is_whole, ..Branches::default() };
        // `if` needs its `then`, loops need their `do`.
        let mut is_parted = !matches!(until, Until::Fi | Until::Done);
        self.is_decided = false;
        loop {
            self.skip_lines();
            if self.line.is_full() {
                self.at = self.text.len();
            }
            let Some(byte) = self.peek() else {
                if until != Until::End {
                    self.broken();
                }
                self.is_decided = false;
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
                b';' if until == Until::Clause && self.ends_clause() => {
                    self.ends = branches.ends;
                    return true;
                }
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
                    let mut leaves_doubt = true;
                    if until == Until::Fi && self.is_part() {
                        leaves_doubt = branches.leaves_doubt();
                        branches.turn(self.text.get(self.at..).unwrap_or_default(), chain.status);
                    }
                    let word = self.rest();
                    if let Some(closed) = self.close(until, &mut is_parted, &mut part, leaves_doubt)
                    {
                        self.ends = branches.ends;
                        self.is_decided = until == Until::Fi && !branches.is_open;
                        self.list_status = chain.status;
                        if !is_parted {
                            self.broken();
                        }
                        return closed;
                    }
                    if self.rest().len() < word.len() {
                        self.pass_part(&mut first, word);
                    }
                    if self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b' ' | b'\t')) {
                        if chain.is_at_start {
                            self.pass_by(first);
                        }
                        let before = self.at;
                        let (place, leave) = (self.reached_here(), self.leave);
                        self.and_or(context, &mut chain);
                        if branches.is_skipped || branches.is_ended {
                            branches.is_left |= !self.take_back(place);
                            self.leave = leave;
                        }
                        branches.end(chain.is_end);
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

    /// Whether a part of an `if` ends here.
    fn is_part(&mut self) -> bool {
        let word = self.keyword_here().map(|(word, _)| word);
        matches!(word, Some(Keyword::Part(Until::Fi) | Keyword::Close(Until::Fi)))
    }

    /// Looks for a keyword that ends this list or another one, or parts its sections.
    fn close(
        &mut self,
        until: Until,
        is_parted: &mut bool,
        part: &mut Mark,
        leaves_doubt: bool,
    ) -> Option<bool> {
        let (word, length) = self.keyword_here()?;
        match word {
            Keyword::Part(Until::Done) if until == Until::Do => {
                self.at += length;
                Some(true)
            }
            Keyword::Part(of) => {
                self.at += length;
                *is_parted |= of == until;
                // What stands before `do` has run whenever what stands behind it does.
                if of != Until::Done && leaves_doubt {
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
                if end == until || end == Until::Done && until == Until::Body {
                    return Some(true);
                }
                self.broken();
                None
            }
            _ => None,
        }
    }

    pub fn keyword_here(&mut self) -> Option<(Keyword, usize)> {
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
            *chain = Chain::new(self.line.here(), first);
            chain.number = self.next_chain();
        }
        let is_negated = self.peek() == Some(b'!');
        let from = self.at;
        // Behind `&&` what failed, and behind `||` what did not.
        let is_skipped = !chain.is_at_start && chain.status == Some(chain.is_or);
        let is_certain = chain.is_at_start || chain.status == Some(!chain.is_or);
        let place = self.reached_here();
        self.ends = false;
        self.pipeline(context);
        let ends = std::mem::take(&mut self.ends) && !context.comes_again();
        match is_skipped {
            true => chain.is_decided &= self.take_back(place),
            false => {
                chain.is_decided &= is_certain;
                chain.status = chain.joined(self.status(context, first, from));
                self.take_strictness(first, from);
                if chain.is_or && !chain.is_at_start {
                    self.pass_or(chain.first, first, from);
                }
            }
        }
        if is_negated {
            self.lose_status(first);
        }
        self.skip_blanks();
        self.line.note_chain(first, if is_negated { 0 } else { chain.number });
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
            } else if chain.may_skip && !chain.is_decided {
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
        chain.is_end = is_certain
            && self.peek() != Some(b'&')
            && (ends || self.ends_list(context, first, from));
        let behind = match (is_alone, chain.is_or) {
            (true, _) => Behind::Alone,
            (false, true) => Behind::LastOr,
            (false, false) => Behind::List,
        };
        if !is_alone || is_negated || !self.ends_where_failing(context) {
            self.line.note_doubt(chain.start, Uncertainty::Failed(behind));
        }
        match (is_alone, chain.may_skip) {
            (true, _) => {}
            _ if chain.is_decided => {}
            (false, true) => self.line.doubt(chain.rest),
            (false, false) => self.line.doubt_behind(chain.rest, chain.start),
        }
        match self.peek() {
            Some(b'&') => {
                self.at += 1;
                // What goes on beside the others says nothing of how it ends.
                chain.status = None;
                self.set_aside(first);
                self.lose_status(chain.first);
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

    /// Notes that the commands from `first` on go on beside the others.
    fn set_aside(&mut self, first: usize) {
        for command in self.line.commands.iter_mut().skip(first) {
            command.calls_itself |= command.calls_own_function;
        }
    }

    fn pipeline(&mut self, context: &Context) {
        let mut context = context.clone();
        let start = self.line.commands.len();
        let (mut piped, mut told) = (false, None);
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
            if self.pass_pipe(first as usize, !piped) {
                told = Some(self.line.commands.len());
            }
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
            self.ends = false;
            self.set_aside(start);
            self.leave_pipe(start, told);
        }
    }

    fn command(&mut self, context: &Context) {
        let before = self.line.here();
        let first = self.line.commands.len();
        if self.skip_prefixes() {
            self.bare_command(context);
            self.ends = false;
            self.lose_status(first);
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
        let first = self.line.commands.len();
        let is_loop = matches!(word, Keyword::Loop | Keyword::For);
        self.keyword_command(context, word, length);
        if is_loop {
            self.pass_loop(first);
        }
    }

    /// A command that begins with a keyword.
    fn keyword_command(&mut self, context: &Context, word: Keyword, length: usize) {
        let in_loop = Context { in_loop: true, ..context.clone() };
        match word {
            Keyword::If => self.perhaps(context, |reader| {
                reader.at += length;
                reader.list(context, Until::Fi);
            }),
            Keyword::Loop => {
                let is_until = self.starts_with("until");
                self.at += length;
                self.while_loop(context, &in_loop, is_until);
            }
            Keyword::For => self.repeated(context, |reader| {
                reader.at += length;
                reader.for_loop(&in_loop, context);
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
                self.ends = false;
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
        let mut is_decided = false;
        self.compound(context, |reader| {
            read(reader);
            is_decided = reader.is_decided;
        });
        if !is_decided {
            self.line.doubt(before);
        }
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
    pub fn compound(&mut self, context: &Context, read: impl FnOnce(&mut Self)) {
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
    pub fn redirect_inner(&mut self, command: &Command, first: usize, context: &Context) {
        let Some(redirect) = command.own_input else { return };
        for inner in self.line.commands.iter_mut().skip(first) {
            if inner.input == context.input && inner.enclosing_input.is_none() {
                inner.input = 0..0;
                inner.enclosing_input = Some(redirect);
            }
        }
    }

    pub fn new_command(&self, context: &Context, from: usize) -> Command {
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
    pub fn take_redirects(&mut self, base: usize) -> (Range<u32>, Option<u32>) {
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
        let (first, strictness) = (self.line.commands.len(), self.strictness);
        self.compound(context, |reader| {
            reader.at += 1;
            reader.list(&inner, Until::Parenthesis);
            reader.ends = false;
        });
        self.strictness = strictness;
        self.leave_shell(first);
        self.line.roll_back(before);
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
        let from = self.at;
        self.word(context);
        let mut subject = self.certain_subject(context, base, from);
        let (mut is_taken, mut ends) = (false, false);
        // Whether it is certain of each clause whether it runs.
        let mut is_decided = subject.is_some();
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
            let patterns = (self.at, self.line.pending.words.len());
            if !self.case_patterns(context) {
                self.broken();
            }
            let is_met = subject.as_deref().and_then(|text| self.meets_pattern(text, patterns));
            let (before, place) = (self.line.here(), self.reached_here());
            self.ends = false;
            self.list(context, Until::Clause);
            let is_skipped = is_taken || is_met == Some(false);
            is_decided &= match is_skipped {
                true => self.take_back(place),
                false => is_met == Some(true),
            };
            if !is_decided {
                self.line.doubt(before);
            }
            ends |= self.ends && is_met == Some(true) && !is_taken;
            // What `;&` ends goes on with the next clause.
            let is_closed = self.text.get(..self.at).is_some_and(|read| read.ends_with(";;"));
            is_taken |= is_met == Some(true) && is_closed;
            is_decided &= is_closed || self.is_last_clause();
            subject = subject.filter(|_| is_closed);
        }
        (self.ends, self.is_decided) = (ends, is_decided);
        self.line.pending.words.truncate(base);
    }

    /// Whether the clause that was just read stands before `esac`.
    fn is_last_clause(&mut self) -> bool {
        self.skip_lines();
        matches!(self.keyword_here(), Some((Keyword::Close(Until::Clause), _)))
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
        let (mut before, mut is_compared) = ("", false);
        let mut joints = Vec::new();
        let closed = loop {
            self.skip_lines();
            if self.starts_with("]]") && self.peek_at(2).is_none_or(ends_word) {
                self.at += 2;
                break true;
            }
            match self.peek() {
                None => break false,
                Some(byte) if ends_word(byte) => {
                    let is_double = self.starts_with("&&") || self.starts_with("||");
                    joints.push((self.line.pending.words.len(), if is_double { byte } else { 0 }));
                    self.at += if is_double { 2 } else { 1 };
                }
                Some(_) => {
                    let start = self.at;
                    self.word(context);
                    let written = self.text.get(start..self.at).unwrap_or_default();
                    let compares = COMPARING.contains(&written);
                    // What a variable holds is evaluated, too, with a `$` before its name or without.
                    if is_compared || compares {
                        self.note_arithmetic(context, if compares { before } else { written });
                    }
                    (before, is_compared) = (written, compares);
                }
            }
        };
        if !closed {
            self.broken();
        }
        self.evaluates_numbers(context, base);
        let written = self.text.get(from..self.at).unwrap_or_default();
        self.compared = (self.at, self.compare(context, written, base, &joints));
        self.line.pending.words.truncate(base);
        let text = self.line.add_text("[[", self.span(from, from + 2));
        let start = self.line.words.len() as u32;
        self.line.words.push(text);
        let mut command = self.new_command(context, from);
        command.words = start..start + 1;
        self.line.commands.push(command);
    }

    /// What stands beside a comparison of numbers is evaluated, and so is what `-v` asks for: the subscripts in it run.
    fn evaluates_numbers(&mut self, context: &Context, base: usize) {
        let text = |reader: &Self, at: usize| {
            let word = reader.line.pending.words.get(at).copied();
            word.map_or(Subscript::Plain, |word| subscript(reader.line.text(&word)))
        };
        for at in base..self.line.pending.words.len() {
            let Some(word) = self.line.pending.words.get(at) else { continue };
            let operator = self.line.text(word);
            let compares = COMPARING.contains(&operator);
            if !compares && operator != "-v" {
                continue;
            }
            if compares && at > base {
                let before = text(self, at - 1);
                self.evaluates_subscript(context, before);
            }
            let behind = text(self, at + 1);
            self.evaluates_subscript(context, behind);
        }
    }

    pub fn function(&mut self, context: &Context, name: &str) {
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
        let (start, strictness) = (self.line.here(), self.strictness);
        self.deeper(|reader| reader.command(&inner));
        (self.strictness, self.ends) = (strictness, false);
        // It runs where it is called, if it is.
        self.line.note_doubt(start, Uncertainty::Skipped);
        self.line.variables.leave_function(around);
        let body = self.text.get(from..self.at).unwrap_or_default();
        // What it uses may be set before it is called.
        let is_told =
            self.line.variables.used_parameters || body.contains('$') || body.contains("return");
        if is_told || self.line.commands.len() > first {
            let is_unnamed = self.is_unnamed(name, from);
            let kind = (is_told, is_unnamed);
            self.line.keep_function(name, body, first..self.line.commands.len(), kind);
        }
        self.line.variables.used_parameters |= before;
        let name = self.line.text(&name).to_owned();
        if functions::may_shadow(&name) {
            let spot = self.spot(context);
            let exits = functions::exits(body);
            self.line.variables.set_function(&name, Some(exits), spot);
        }
        // Not all shells find what they have built in first.
        self.line.renames |= functions::may_rename(&name);
    }

    /// Whether nothing of the line that the user wrote says the name of a function whose body begins at a place and has
    /// just been read.
    fn is_unnamed(&self, name: super::Word, body: usize) -> bool {
        let name = self.line.text(&name);
        let is_kept = self.line.functions.len() < function_calls::MAX && !name.is_empty();
        if self.place.is_some() || !is_kept || !CommandLine::waits_for_call(name) {
            return false;
        }
        let header = self.text.get(..body).and_then(|before| {
            let start = before.rfind(name)?;
            let behind = before.get(start + name.len()..)?;
            let is_plain = |sign: char| sign.is_whitespace() || matches!(sign, '(' | ')');
            behind.chars().all(is_plain).then_some(start)
        });
        header.is_some_and(|start| !CommandLine::is_named(self.text, name, &(start..self.at)))
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
