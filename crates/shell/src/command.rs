//! What a line is read as: its commands, how each comes to run, its redirections. Only data.

use std::ops::Range;

use super::kinds::kinds;
use super::word::Word;

/// Stands for no number.
pub(super) const NONE: u32 = u32::MAX;

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
        /// It runs what comes from a pipe or a file.
        Input = "it runs what it reads",
        /// What runs is loaded from the network.
        Fetched = "it runs what comes from the network",
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
    pub(super) words: Range<u32>,
    /// The words behind its program, where they were read.
    pub(super) arguments: Option<Range<u32>>,
    pub(super) redirects: Range<u32>,
    /// The command that runs this one or whose words hold it.
    pub parent: Option<u32>,
    /// How it comes to run.
    pub reach: Reach,
    /// What stands for the name of its program, if that is known.
    pub(super) name: u32,
    /// What stands for its program, if that is known.
    pub(super) known: u32,
    /// What it reads: the commands before it in a pipe.
    pub input: Range<u32>,
    /// The input of the compound command around it, where that is redirected: a redirection.
    pub(super) enclosing_input: Option<u32>,
    /// The redirection of its own that it reads from.
    pub(super) own_input: Option<u32>,
    /// The pipelines joined by `&&` of which it is one by itself; 0 for none.
    pub(super) chain: u32,
    /// Those of which a compound command around it is one; 0 for none.
    pub(super) chain_around: u32,
    /// Whether it stands in a loop.
    pub in_loop: bool,
    /// Whether it runs in the body of a function of its own name, in a pipe or in the background.
    pub calls_itself: bool,
    /// Whether the line may end well although it fails: as in `a | b`, `a; b` and `a || b`.
    pub status_lost: bool,
    /// Whether nothing runs behind it where it fails.
    pub(super) status_ends: bool,
    pub(super) calls_own_function: bool,
    /// Whether more words may follow that nobody knows, as with `xargs`.
    pub more: bool,
    /// Why it cannot be known what this is.
    pub opaque: Option<Opaque>,
    /// Whether it may run something besides what is listed: its environment was changed, a word may be
    /// a flag, a setting is not known to be harmless. No allowance covers that.
    pub may_run_more: bool,
    /// Whether it stands in a file that the line does not write, see [`crate::CommandLine::look_for_scripts`].
    pub in_script: bool,
    /// Whether it reads something that the line does not tell of.
    pub(super) input_unknown: bool,
    /// Where it stands in the line, in bytes.
    pub span: Range<u32>,
    pub(super) depth: u8,
}

/// A redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// What it does.
    pub kind: RedirectKind,
    pub(super) target: Target,
}

impl Redirect {
    /// Whether the command reads from it.
    pub(super) fn reads(&self) -> bool {
        matches!(
            self.kind,
            RedirectKind::Read | RedirectKind::HereDocument | RedirectKind::HereString
        )
    }

    /// Whether the command writes into it.
    pub(super) fn writes(&self) -> bool {
        matches!(self.kind, RedirectKind::Write | RedirectKind::Append)
    }
}

/// What stands behind the sign of a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Word(Word),
    HereDocument(u32),
}

impl Default for Command {
    fn default() -> Self {
        Self::new(None, Reach::List, 0)
    }
}

impl Command {
    pub(super) fn new(parent: Option<u32>, reach: Reach, depth: u8) -> Self {
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
            chain_around: 0,
            in_loop: false,
            calls_itself: false,
            status_lost: false,
            status_ends: false,
            calls_own_function: false,
            more: false,
            opaque: None,
            may_run_more: false,
            in_script: false,
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
