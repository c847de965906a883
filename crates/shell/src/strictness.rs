//! The settings of a shell by which it tells of more failures. Reads only what sets them.

use super::command::Command;
use super::line::CommandLine;

/// Shells that take the settings below as flags.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// By which settings of the shell more failures are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Strictness {
    /// `set -e`: what fails ends the shell.
    pub ends: bool,
    /// `set -o pipefail`: what fails in a pipe makes the pipe fail.
    pub pipes: bool,
}

impl Strictness {
    /// That of a shell which a command starts.
    pub fn of_shell(line: &CommandLine, command: &Command) -> Self {
        let mut strictness = Self::default();
        if line.program(command).is_some_and(|program| SHELLS.contains(&program)) {
            strictness.set(line, command);
        }
        strictness
    }

    /// Takes the settings that stand behind `set`, or behind the name of a shell.
    pub fn set(&mut self, line: &CommandLine, command: &Command) {
        let words = line.words(command).iter().skip(1).map(|word| line.text(word));
        let mut names = None;
        for word in words {
            if let Some(on) = names.take() {
                match word {
                    "pipefail" => self.pipes = on,
                    "errexit" => self.ends = on,
                    _ => {}
                }
                continue;
            }
            let (letters, on) = match (word.strip_prefix('-'), word.strip_prefix('+')) {
                (Some(letters), _) => (letters, true),
                (None, Some(letters)) => (letters, false),
                (None, None) => return,
            };
            if letters.starts_with('-') {
                continue;
            }
            if letters.contains('e') {
                self.ends = on;
            }
            names = letters.contains('o').then_some(on);
        }
    }
}
