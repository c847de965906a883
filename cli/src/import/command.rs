//! Commands as other tools write them, as command patterns of ours. A text is read as a shell reads
//! it; what is not one plain command has no pattern.

use behavior_compiler::{Options, compile_all};
use behavior_facts::commands::ProgramTable;
use behavior_runtime::Image;
use behavior_shell::programs::{self, Traits};
use behavior_shell::{CommandLine, HOLE, Opaque};

use crate::project;
use behavior_compiler::policy_pattern::MAX_LENGTH;

/// Stands for any text in a command that is read: a character that no command has.
pub(super) const WILD: char = '\u{F8FF}';

/// A pattern that names what nobody can know, so a program of this name is quoted.
const OPAQUE: &str = "opaque";

/// Why a command of another tool has no pattern here.
#[derive(Debug, thiserror::Error)]
pub(super) enum PatternError {
    #[error("it only runs another command, which is decided on; allow `{0}`")]
    OnlyRunsAnother(String),
    #[error("it is no complete shell command")]
    Incomplete,
    #[error("it runs nothing")]
    RunsNothing,
    #[error("it runs several commands, and each is decided on its own")]
    RunsSeveral,
    #[error("nobody can know what it runs")]
    Opaque,
    #[error("it redirects, which a command pattern cannot say")]
    Redirects,
    #[error(
        "something stands before its program, such as a variable that is set, which a command \
         pattern cannot say"
    )]
    Prefixed,
    #[error("it holds a variable or a substitution, so its words are not known")]
    UnknownWords,
    #[error("it holds a character that is of no use in commands")]
    UselessCharacter,
    #[error("a flag of a command pattern cannot be a pattern")]
    FlagPattern,
    #[error("it is longer than {MAX_LENGTH} bytes, as patterns may be")]
    TooLong,
}

/// What may follow the words of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    Exact,
    /// Any words.
    Words,
}

/// What is known of programs, from the standard library.
pub(super) struct Programs {
    image: Option<Image>,
}

impl Programs {
    pub fn new() -> Self {
        let options = Options { profile: Some("dev".to_owned()), ..Options::default() };
        Self { image: compile_all(&project::provider(), &[], &options).image }
    }

    /// What is different here about an allowance for a command of these words.
    ///
    /// # Errors
    /// Why it would allow nothing.
    pub fn allowance(&self, words: &[String]) -> Result<Vec<String>, PatternError> {
        let mut near = Vec::new();
        let inner = self.inner(words).filter(|(inner, _)| !inner.is_empty());
        if let Some((inner, is_all)) = inner {
            if is_all {
                return Err(PatternError::OnlyRunsAnother(inner));
            }
            near.push(format!(
                "the command that it runs is decided on, too; allow `{inner}` as well"
            ));
        }
        if words.first().is_some_and(|program| program.contains('/')) {
            let message = "a program of that name on the `PATH` is allowed as well, and none in \
                           another directory";
            near.push(message.to_owned());
        }
        Ok(near)
    }

    /// The long flags of the program of these words that begin like this.
    pub fn flags(&self, words: &[String], start: &str) -> Vec<String> {
        let Some(table) = self.image.as_ref().and_then(ProgramTable::of) else { return Vec::new() };
        let mut words = words.iter();
        let mut program = words.next().and_then(|name| programs::Programs::new(&table).find(name));
        for word in words.take_while(|word| !word.starts_with('-')) {
            program = program.and_then(|program| program.subcommand(word)).or(program);
        }
        let flags = program.into_iter().flat_map(|program| table.flags(program.id()));
        let begins =
            |flag: &&str| flag.len() > 1 && flag.starts_with(start.trim_start_matches('-'));
        let mut found: Vec<String> = flags.filter(begins).map(|flag| format!("--{flag}")).collect();
        found.sort();
        found
    }

    /// The command that these words make their program run, and whether that is all it does.
    fn inner(&self, words: &[String]) -> Option<(String, bool)> {
        let table = ProgramTable::of(self.image.as_ref()?)?;
        let programs = programs::Programs::new(&table);
        let mut line = CommandLine::default();
        line.read_words(words.iter().map(String::as_str), Some(&table));
        let inner = line.commands().iter().find(|command| command.parent.is_some())?;
        let outer = line.commands().first().and_then(|command| line.program(command));
        let outer = outer.and_then(|name| programs.find(name));
        let words: Vec<&str> = line.words(inner).iter().map(|word| line.text(word)).collect();
        let command = words.join(" ").replace(WILD, "*").replace(HOLE, "…");
        Some((command, outer.is_some_and(|program| program.has(Traits::TRANSPARENT))))
    }
}

/// The words of a command.
///
/// # Errors
/// Why it is not one plain command whose words are known.
pub(super) fn words(text: &str) -> Result<Vec<String>, PatternError> {
    let mut line = CommandLine::default();
    line.read(text, None);
    if line.commands().iter().any(|command| command.opaque == Some(Opaque::Syntax)) {
        return Err(PatternError::Incomplete);
    }
    let [command] = line.commands() else {
        return Err(match line.commands() {
            [] => PatternError::RunsNothing,
            _ => PatternError::RunsSeveral,
        });
    };
    if command.opaque.is_some() {
        return Err(PatternError::Opaque);
    }
    if !line.redirects(command).is_empty() {
        return Err(PatternError::Redirects);
    }
    let words = line.words(command);
    let starts_with_word =
        words.first().is_some_and(|word| text.get(..word.from as usize).is_some_and(is_blank));
    if !starts_with_word || command.in_loop {
        return Err(PatternError::Prefixed);
    }
    if words.iter().any(|word| word.has_hole()) {
        return Err(PatternError::UnknownWords);
    }
    Ok(words.iter().map(|word| line.text(word).to_owned()).collect())
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// A pattern for commands of these words, none of which has a meaning of its own.
pub(super) fn literal(words: &[String], tail: Tail) -> String {
    let mut parts: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    if tail == Tail::Words {
        parts.push("*".to_owned());
    }
    format!("bash({})", parts.join(" "))
}

/// A pattern, if it is no longer than patterns may be.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn fitting(pattern: String) -> Result<String, PatternError> {
    if pattern.len() <= MAX_LENGTH { Ok(pattern) } else { Err(PatternError::TooLong) }
}

/// A part of the name of an MCP tool, if it can stand in a pattern.
pub(super) fn mcp(server: &str, tool: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-.*".contains(c);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_plain);
    (is_name(server) && is_name(tool)).then(|| format!("mcp({server}/{tool})"))
}

/// A word of a command pattern that stands for itself.
pub(super) fn quoted(word: &str) -> String {
    let is_plain =
        |character: char| character.is_alphanumeric() || "_-./:@%+=,~^{}#".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) && word != OPAQUE {
        return word.to_owned();
    }
    if !word.contains('\'') {
        return format!("'{word}'");
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text that stands for itself in a glob.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if is_special(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// A word with [`WILD`] in it, as a glob.
pub(super) fn glob_word(word: &str) -> String {
    let mut out = String::new();
    for character in word.chars() {
        match character {
            WILD => out.push('*'),
            other if is_special(other) || other.is_whitespace() => {
                out.push('\\');
                out.push(other);
            }
            other => out.push(other),
        }
    }
    out
}

fn is_special(character: char) -> bool {
    "*?[]\\|()'\"".contains(character)
}
