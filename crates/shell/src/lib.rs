//! What a shell command line would run: every simple command in it, with its program, its words after
//! quoting and constant expansion, its redirections, and how it is reached.
//!
//! Reading is tolerant and never fails: what cannot be known is marked so, and what does not parse
//! is never taken for harmless. Nothing is run, nothing is asked of the machine. What is known of
//! single programs (which of them run others, which flags are the same) comes in through
//! [`Knowledge`], never from code here.
//!
//! ```
//! use behavior_shell::CommandLine;
//!
//! let mut line = CommandLine::default();
//! line.read(r#"git add . && git commit -m "remove rm -rf""#, None);
//! let programs: Vec<&str> = line.commands().iter().filter_map(|c| line.program(c)).collect();
//! assert_eq!(programs, ["git", "git"]);
//! ```

pub mod arguments;
mod braces;
mod builtins;
mod certainty;
mod decode;
mod directories;
mod environment;
mod escapes;
mod expansion;
mod filters;
mod fish;
mod functions;
pub mod given;
pub mod globs;
mod here_document;
mod hole;
pub mod keywords;
mod kinds;
mod languages;
mod operators;
pub mod programs;
mod quoting;
mod reader;
mod recipes;
mod rounds;
mod sed;
pub mod set_for;
mod settings;
mod sources;
pub mod sql;
mod stored;
pub mod tasks;
#[cfg(test)]
mod tests;
pub mod touched;
mod unwrap;
mod variables;
mod word;
mod written;

use std::ops::Range;

pub use hole::HOLE;
use kinds::kinds;
pub use languages::Language;
use programs::Programs;
pub use programs::{
    Facts, FileEffect, FilePlace, FileUse, FlagEffect, FlagValue, Knowledge, KnownFlag, KnownName,
    Program, Runs, Traits,
};
pub use word::Word;
use word::{LoopWords, Pending};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Stands for no number.
const NONE: u32 = u32::MAX;

/// No more commands than this are listed; a line with more is [`Opaque::TooLarge`].
const MAX_COMMANDS: usize = 4_096;
/// Commands within commands, and constructs within constructs.
pub const MAX_DEPTH: u32 = 48;
/// Lines longer than this are not read: a shell is given no such line, and what comes of one takes many times its
/// length in memory.
pub const MAX_LENGTH: usize = 2 << 20;
/// Words that grow out of braces and variables are bounded by this many bytes and the line's length.
const MAX_TEXT: usize = 1 << 16;

kinds! {
    /// How a command comes to run.
    Reach {
        /// It stands in the line: alone, in a list, a pipe, a loop.
        List = "list",
        /// It reads what the command before it writes.
        Pipe = "pipe",
        /// It stands in `( … )`.
        Subshell = "subshell",
        /// It stands in `$( … )`, in backticks or in `<( … )`.
        Substitution = "substitution",
        /// It stands in the body of a function.
        Function = "function",
        /// Another program runs it, given its words: `sudo`, `env`, `xargs`, `find -exec`, …
        Wrapper = "wrapper",
        /// Another program runs it out of a text: `sh -c`, `eval`, `ssh`, …
        Text = "text",
        /// A shell reads it from its input: a here-document, a pipe.
        Input = "input",
    }

    /// Why it cannot be known what runs.
    Opaque {
        /// The program is a variable or comes out of a substitution.
        Program = "the program is not written out",
        /// A text that is run is not constant.
        Text = "the text that is run is not constant",
        /// A shell runs what comes from a pipe or a file.
        Input = "a shell runs what it reads",
        /// It does not parse.
        Syntax = "the line does not parse",
        /// It is nested too deep.
        TooDeep = "commands are nested too deep",
        /// It has too many commands or grows too large.
        TooLarge = "the line is too large",
    }

    /// What a redirection does.
    RedirectKind {
        /// `<`: reads a file.
        Read = "<",
        /// `>`, `>|`, `&>`: writes a file.
        Write = ">",
        /// `>>`, `&>>`: adds to a file.
        Append = ">>",
        /// `<>`: opens a file for both.
        ReadWrite = "<>",
        /// `<<`: reads the text that follows.
        HereDocument = "<<",
        /// `<<<`: reads a word.
        HereString = "<<<",
        /// `>&1`, `<&-`: another descriptor.
        Duplicate = ">&",
    }
}

/// A simple command that would run, or the redirections of a compound one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    words: Range<u32>,
    /// The words behind its program, where they were read.
    arguments: Option<Range<u32>>,
    redirects: Range<u32>,
    /// The command that runs this one or whose words hold it.
    pub parent: Option<u32>,
    /// How it comes to run.
    pub reach: Reach,
    /// What stands for the name of its program, if that is known.
    name: u32,
    /// What stands for its program, if that is known.
    known: u32,
    /// What it reads: the commands before it in a pipe.
    pub input: Range<u32>,
    /// The input of the compound command around it, where that is redirected: a redirection.
    enclosing_input: Option<u32>,
    /// The redirection of its own that it reads from.
    own_input: Option<u32>,
    /// The pipelines joined by `&&` of which it is one by itself; 0 for none.
    chain: u32,
    /// Whether it stands in a loop.
    pub in_loop: bool,
    /// Whether it runs in the body of a function of its own name, in a pipe or in the background.
    pub calls_itself: bool,
    calls_own_function: bool,
    /// Whether more words may follow that nobody knows, as with `xargs`.
    pub more: bool,
    /// Why it cannot be known what this is.
    pub opaque: Option<Opaque>,
    /// Whether it may run something besides what is listed: its environment was changed, a word may be
    /// a flag, a setting is not known to be harmless. No allowance covers that.
    pub may_run_more: bool,
    /// Whether it reads something that the line does not tell of.
    input_unknown: bool,
    /// Where it stands in the line, in bytes.
    pub span: Range<u32>,
    depth: u8,
}

/// A redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// What it does.
    pub kind: RedirectKind,
    target: Target,
}

impl Redirect {
    /// Whether the command reads from it.
    fn reads(&self) -> bool {
        matches!(
            self.kind,
            RedirectKind::Read | RedirectKind::HereDocument | RedirectKind::HereString
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Word(Word),
    HereDocument(u32),
}

/// A command line that was read. Its buffers are used again by the next [`CommandLine::read`].
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    text: String,
    words: Vec<Word>,
    commands: Vec<Command>,
    redirects: Vec<Redirect>,
    here_documents: Vec<Word>,
    variables: variables::Variables,
    /// What is not certain of the commands before, where they change the directory.
    uncertain: Vec<certainty::Uncertain>,
    /// How many commands were read on which the directory of others may depend.
    directory_changes: u32,
    pending: Pending,
    /// The words that variables of loops stand for.
    loop_words: LoopWords,
    /// The value of a variable while it is put into a word.
    value: String,
    /// A text that is run while it is read.
    run_text: String,
    /// What a command was found to run.
    found: Vec<unwrap::Found>,
    /// Variables that are set for one command alone: that command, their names and values.
    set_for: Vec<(u32, Word, Word)>,
    /// Values of variables that programs run, each with the command that sets it.
    values: Vec<(u32, environment::Run, Word)>,
    /// Functions that use positional parameters.
    functions: Vec<functions::Function>,
    /// The arguments of commands that were looked into.
    arguments: Vec<arguments::Argument>,
    problem: Option<Opaque>,
    /// Whether what follows reads what the line does not tell of.
    input_replaced: bool,
    /// Whether what follows runs in another environment.
    environment_changed: bool,
    /// Whether any command may run something besides what is listed.
    all_may_run_more: bool,
    /// How many chains of pipelines were read.
    chains: u32,
    /// How much text may come of the line.
    limit: usize,
    /// How many bytes of texts that commands run may still be read.
    to_read: usize,
}

impl CommandLine {
    /// Reads a command line. Takes time in proportion to its length.
    ///
    /// Without a table of programs, no program is known to run others.
    pub fn read(&mut self, line: &str, knowledge: Option<&dyn Knowledge>) {
        self.clear();
        self.set_limits(line.len());
        if line.len() > MAX_LENGTH {
            self.fail(Opaque::TooLarge);
            return self.report_problem(0);
        }
        // What a shell makes of such signs is its own affair.
        if line.as_bytes().contains(&0) || line.contains(hole::MADE) {
            self.fail(Opaque::Syntax);
        }
        reader::read(self, line, None);
        self.mark_all();
        if let Some(knowledge) = knowledge {
            unwrap::unwrap(self, Programs::new(knowledge));
            self.mark_all();
        }
        self.report_problem(line.len());
    }

    /// Takes words that are run as they are, without a shell.
    pub fn read_words<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        knowledge: Option<&dyn Knowledge>,
    ) {
        self.clear();
        for text in words {
            let word = self.add_text(text, 0..0);
            self.words.push(word);
        }
        self.set_limits(self.text.len());
        let words = 0..self.words.len() as u32;
        self.commands.push(Command { words, ..Command::new(None, Reach::List, 0) });
        if let Some(knowledge) = knowledge {
            unwrap::unwrap(self, Programs::new(knowledge));
        }
        self.report_problem(0);
    }

    /// Takes a command of which nothing is known.
    pub fn read_nothing(&mut self) {
        self.clear();
        self.fail(Opaque::Text);
        self.report_problem(0);
    }

    /// Marks every command where something may run beside any of them.
    fn mark_all(&mut self) {
        if self.all_may_run_more {
            for command in &mut self.commands {
                command.may_run_more = true;
            }
        }
    }

    fn set_limits(&mut self, length: usize) {
        self.limit = length * 4 + MAX_TEXT;
        self.to_read = length * 16 + MAX_TEXT;
    }

    fn clear(&mut self) {
        self.text.clear();
        self.words.clear();
        self.commands.clear();
        self.redirects.clear();
        self.here_documents.clear();
        self.values.clear();
        self.set_for.clear();
        self.functions.clear();
        self.arguments.clear();
        self.variables.clear();
        self.uncertain.clear();
        self.directory_changes = 0;
        self.pending.clear();
        self.loop_words.clear();
        self.chains = 0;
        self.problem = None;
        self.input_replaced = false;
        self.environment_changed = false;
        self.all_may_run_more = false;
    }

    /// A line that does not parse, or is too large, has a command of which nothing else is known.
    fn report_problem(&mut self, end: usize) {
        if let Some(problem) = self.problem {
            let command = Command::new(None, Reach::List, 0);
            self.commands.push(Command { opaque: Some(problem), span: 0..end as u32, ..command });
        }
    }

    /// The commands: those of the line in its order, then those that they run.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The words of a command, its program first.
    #[must_use]
    pub fn words(&self, command: &Command) -> &[Word] {
        self.words.get(range(&command.words)).unwrap_or_default()
    }

    /// The words behind a command's program, where they were all looked into when the line was read.
    #[must_use]
    pub fn arguments(&self, command: &Command) -> Option<&[arguments::Argument]> {
        self.arguments.get(self::range(command.arguments.as_ref()?))
    }

    /// The redirections of a command.
    #[must_use]
    pub fn redirects(&self, command: &Command) -> &[Redirect] {
        self.redirects.get(range(&command.redirects)).unwrap_or_default()
    }

    /// The variables that the line sets for a command: before it, before what runs it, and by `export` before that;
    /// `None` where they are too many. What it takes away again is among them.
    #[must_use]
    pub fn variables_for(&self, index: usize) -> Option<Vec<set_for::Variable<'_>>> {
        set_for::variables(self, index)
    }

    /// The text of a word, with a [`HOLE`] for each piece that is not known.
    #[must_use]
    pub fn text(&self, word: &Word) -> &str {
        self.text.get(word.start as usize..word.end as usize).unwrap_or_default()
    }

    /// The words of a loop that the one hole of a word stands for; none where nobody knows.
    fn stands_for(&self, word: &Word) -> &[Word] {
        self.loop_words.of(word.stands_for)
    }

    /// The command that finds what the one hole of a word stands for, where a loop is over that.
    fn found_by(&self, word: &Word) -> Option<u32> {
        self.loop_words.finder(word.stands_for)
    }

    /// Whether a redirection of a command writes a file that keeps what is written.
    #[must_use]
    pub fn writes_files(&self, command: &Command) -> bool {
        use RedirectKind::{Append, ReadWrite, Write};
        self.redirects(command).iter().any(|redirect| {
            let target = self.target(redirect);
            let is_device = matches!(
                self.text(&target),
                "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"
            );
            matches!(redirect.kind, Write | Append | ReadWrite) && !is_device
        })
    }

    /// The word behind a redirection; for a here-document its body.
    #[must_use]
    pub fn target(&self, redirect: &Redirect) -> Word {
        match redirect.target {
            Target::Word(word) => word,
            Target::HereDocument(index) => {
                self.here_documents.get(index as usize).copied().unwrap_or_default()
            }
        }
    }

    /// The name of a command's program, without the directory; `None` when it has none or it is not
    /// known.
    #[must_use]
    pub fn program(&self, command: &Command) -> Option<&str> {
        if command.opaque == Some(Opaque::Program) {
            return None;
        }
        let first = self.words(command).first()?;
        Some(program_name(self.text(first)))
    }

    /// Whether a command's program is the one that its bare name stands for.
    #[must_use]
    pub fn is_from_system(&self, command: &Command) -> bool {
        self.words(command).first().is_none_or(|first| is_system_path(self.text(first)))
    }

    /// Whether a command runs only after another one has succeeded: `other && … && command`.
    #[must_use]
    pub fn runs_after(&self, command: u32, other: u32) -> bool {
        let chain = |at: u32| self.commands.get(at as usize).map_or(0, |command| command.chain);
        other < command && chain(other) != 0 && chain(other) == chain(command)
    }

    /// The text that the line writes into a file before it comes to a command, where it is all that stands there.
    #[must_use]
    pub fn written_text(&self, path: &Word, before: usize) -> Option<String> {
        if path.is_process() {
            return written::process(self, Some(before as u32), *path);
        }
        let file = written::file(self, self.text(path), before)?;
        (!file.is_open).then_some(file.text)
    }

    /// The names of the variables that are set for single commands.
    fn sets_for_commands(&self) -> impl Iterator<Item = &str> {
        self.set_for.iter().map(|(_, name, _)| self.text(name))
    }

    /// The commands that a command reads from through a pipe.
    #[must_use]
    pub fn input(&self, command: &Command) -> &[Command] {
        self.commands.get(range(&command.input)).unwrap_or_default()
    }

    /// The text that a command reads from its input: of a here-document, a here-string, or what
    /// `echo` writes into a pipe, with a [`HOLE`] for each piece that is not known. Empty when there
    /// is none, `None` when the line does not hold it.
    #[must_use]
    pub fn input_text(&self, command: &Command) -> Option<String> {
        match given::input(self, command) {
            given::Input::Nothing => Some(String::new()),
            given::Input::Text(text) => Some(text),
            given::Input::Unknown => None,
        }
    }

    /// The text that a redirection gives to read, where it is constant.
    fn constant_target(&self, redirect: &Redirect, holder: Option<u32>) -> Option<String> {
        let word = self.target(redirect);
        match redirect.kind {
            RedirectKind::HereString if !word.has_hole() => Some(self.text(&word).to_owned()),
            RedirectKind::Read if word.is_process() => written::process(self, holder, word),
            _ => None,
        }
    }

    fn enclosing_input(&self, command: &Command) -> Option<&Redirect> {
        self.redirects.get(command.enclosing_input? as usize)
    }

    fn add_text(&mut self, text: &str, span: Range<u32>) -> Word {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let mut word = Word::new(start..self.text.len() as u32, span);
        word.mark_unknown(text.contains(HOLE));
        word
    }

    /// Words as the items of a list, where each is known and stays one word.
    fn constant_list(&mut self, words: Range<usize>) -> Option<String> {
        let words = self.words.get(words)?;
        let is_constant = |word: &Word| !word.has_hole() && !word.is_glob();
        let size: usize = words.iter().map(|word| (word.end - word.start) as usize + 1).sum();
        if !words.iter().all(is_constant) {
            return None;
        }
        let items = words.iter().flat_map(|word| [self.text(word), "\0"]).collect();
        self.has_room(size).then_some(items)
    }

    fn fail(&mut self, problem: Opaque) {
        self.problem.get_or_insert(problem);
    }

    /// Whether so much more text may be added; if not, says so in the line.
    fn has_room(&mut self, more: usize) -> bool {
        let held = self.text.len() + self.pending.buffer.len() + self.variables.size();
        let has_room = held.saturating_add(more) <= self.limit;
        if !has_room {
            self.fail(Opaque::TooLarge);
        }
        has_room
    }

    /// Whether so many more bytes that commands run or read may be looked at; if not, says so.
    fn may_read(&mut self, length: usize) -> bool {
        match self.to_read.checked_sub(length) {
            Some(left) => self.to_read = left,
            None => self.fail(Opaque::TooLarge),
        }
        self.problem != Some(Opaque::TooLarge)
    }

    /// Whether no more may be added; says so in the line.
    fn is_full(&mut self) -> bool {
        let full = self.commands.len() >= MAX_COMMANDS
            || self.text.len() > self.limit
            || self.words.len() > self.limit;
        if full {
            self.fail(Opaque::TooLarge);
        }
        full
    }
}

impl Default for Command {
    fn default() -> Self {
        Self::new(None, Reach::List, 0)
    }
}

impl Command {
    fn new(parent: Option<u32>, reach: Reach, depth: u8) -> Self {
        Self {
            words: 0..0,
            arguments: None,
            redirects: 0..0,
            parent,
            reach,
            name: NONE,
            known: NONE,
            input: 0..0,
            enclosing_input: None,
            own_input: None,
            chain: 0,
            in_loop: false,
            calls_itself: false,
            calls_own_function: false,
            more: false,
            opaque: None,
            may_run_more: false,
            input_unknown: false,
            span: 0..0,
            depth,
        }
    }

    /// What stands for the name of its program, if the knowledge that it was read with has it.
    #[must_use]
    pub fn name(&self) -> Option<u32> {
        (self.name != NONE).then_some(self.name)
    }

    /// What stands for its program, if the knowledge that it was read with has it.
    #[must_use]
    pub fn known(&self) -> Option<u32> {
        (self.known != NONE).then_some(self.known)
    }

    /// Whether it runs anything; if not, it holds assignments or redirections only.
    #[must_use]
    pub fn runs(&self) -> bool {
        !self.words.is_empty() || self.opaque.is_some()
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The directories that hold the programs of a system.
const SYSTEM: [&str; 6] =
    ["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"];

/// Whether a program stands where its bare name would be looked for: it has no directory, or one of
/// the system.
fn is_system_path(path: &str) -> bool {
    match path.rfind(['/', '\\']) {
        None => true,
        Some(end) => path.get(..end).is_some_and(|directory| SYSTEM.contains(&directory)),
    }
}

/// A program without the version with which managers of packages are asked for it: `npm@latest`.
fn without_version(name: &str) -> &str {
    match name.split_once('@') {
        Some((name, version)) if !name.is_empty() && !version.is_empty() => name,
        _ => name,
    }
}

/// A program without its directory, without its version, without the ending that Windows gives it, and without the `=`
/// with which zsh asks for its path.
fn program_name(path: &str) -> &str {
    let path = path
        .strip_prefix('=')
        .filter(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))
        .unwrap_or(path);
    let behind = path.bytes().rposition(|byte| matches!(byte, b'/' | b'\\'));
    let name = behind.and_then(|at| path.get(at + 1..)).unwrap_or(path);
    let name = without_version(name);
    match name.len().checked_sub(4) {
        Some(stem) if name.get(stem..).is_some_and(|end| end.eq_ignore_ascii_case(".exe")) => {
            name.get(..stem).unwrap_or(name)
        }
        _ => name,
    }
}
