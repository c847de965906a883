//! What a command has of the terminal: colours or none, how much to print, and how it ends.

use behavior_json::plain::{neutral, neutral_plain};
use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use crate::args::{Color, OutputArgs};
use crate::live::store::StoreError;
use crate::project::describe;
use crate::rules::LoadError;
use crate::simulate::input::InputError;

/// How a command ends; the numbers are its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Nothing to complain about.
    Clean = 0,
    /// Findings at or above the level that fails.
    Findings = 1,
    /// Wrong usage, unreadable input, or invalid rules where valid ones were needed.
    Invalid = 2,
    /// A bug of ours.
    Bug = 3,
}

/// Why a command could not go on. What only one command knows becomes a message where it is declared.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong usage or unreadable input, with what to do about it.
    #[error("{0}")]
    Message(String),
    /// What was said on standard error already.
    #[error("")]
    Said(Exit),
    /// Writing to standard output failed.
    #[error("cannot write the output: {}", describe(.0))]
    Output(#[from] io::Error),
    /// There are no rules to work with.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// A recording cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The store of sessions cannot be used.
    #[error("{}", crate::live::describe(.0))]
    Store(#[from] StoreError),
}

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Whether standard output takes colours.
    pub color: bool,
    /// Whether standard error does.
    pub error_color: bool,
    /// Print the summary at most.
    pub quiet: bool,
    /// Print more.
    pub verbose: bool,
}

/// As it is.
pub const PLAIN: Style = Style::new();
/// A heading or a name that matters.
pub const BOLD: Style = Style::new().bold();
/// What is less important than its surroundings.
pub const DIM: Style = Style::new().dimmed();
/// For what is allowed.
pub const GREEN: Style = AnsiColor::Green.on_default().bold();
/// Errors, and what blocks.
pub const RED: Style = AnsiColor::Red.on_default().bold();
/// Warnings.
pub const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
/// Information.
pub const BLUE: Style = AnsiColor::Blue.on_default().bold();
/// What is not known.
pub const MAGENTA: Style = AnsiColor::Magenta.on_default();
/// Names.
pub const CYAN: Style = AnsiColor::Cyan.on_default();

impl Terminal {
    /// What the arguments, the environment and the streams come to.
    #[must_use]
    pub fn new(args: &OutputArgs) -> Self {
        let wants = |is_terminal: bool| match args.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !is_plain(),
        };
        Self {
            color: wants(io::stdout().is_terminal()),
            error_color: wants(io::stderr().is_terminal()),
            quiet: args.quiet,
            verbose: args.verbose,
        }
    }

    /// The text in a style, for standard output.
    #[must_use]
    pub fn paint(&self, style: Style, text: &str) -> String {
        paint(self.color, style, text)
    }

    /// Prints to standard output, without characters that deceive. JSON comes here with escapes for them.
    ///
    /// # Errors
    /// When writing fails; a reader who has gone away is an error of kind `BrokenPipe`.
    pub fn print(&self, text: &str) -> io::Result<()> {
        self.print_bytes(neutral(text).as_bytes())
    }

    /// Prints bytes to standard output.
    ///
    /// # Errors
    /// As [`Terminal::print`].
    pub fn print_bytes(&self, bytes: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()
    }

    /// Says on standard error what is wrong.
    pub fn error(&self, message: &str) {
        self.say_as(RED, "error", message);
    }

    /// Says on standard error what is good to know, unless told to be quiet.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            self.say_as(BLUE, "note", message);
        }
    }

    /// Writes to standard error, without characters that deceive. Where even that fails, nobody is there to be told.
    pub fn say(&self, text: &str) {
        let _ = io::stderr().lock().write_all(neutral(text).as_bytes());
    }

    fn say_as(&self, style: Style, level: &str, message: &str) {
        let message = neutral_plain(message);
        self.say(&format!("{}: {message}\n", paint(self.error_color, style, level)));
    }
}

/// The text in a style, or as it is.
#[must_use]
pub fn paint(color: bool, style: Style, text: &str) -> String {
    if color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// Whether the environment asks for no colours.
fn is_plain() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
