//! How a command changes files that are there: `sed`, and others of which nobody knows what they make. Finds the files and
//! what is made of their texts; knows no text.

use crate::substitution::Call;
use crate::{Command, CommandLine};

/// How a command changes the files that its words name.
pub(super) enum Edit<'w> {
    /// In a way that nobody knows.
    Open,
    /// It puts what a call makes of them in their place.
    InPlace(Call<'w>),
    /// It prints what a call makes of one.
    Printed(Call<'w>),
}

/// Returns how a command changes files; `None` where it does not.
pub(super) fn edit<'l>(line: &'l CommandLine, command: &Command) -> Option<Edit<'l>> {
    let program = line.program(command)?;
    if !matches!(program, "sed" | "gsed") {
        return changes_in_place(line, command, program).then_some(Edit::Open);
    }
    let words = line.words(command).get(1..)?;
    let is_known = words.iter().all(|word| !word.may_be_flag());
    let words: Vec<&str> = words.iter().map(|word| line.text(word)).collect();
    match Call::of(&words).filter(|_| is_known) {
        Some(call) if call.is_in_place => Some(Edit::InPlace(call)),
        Some(call) => (call.files.len() == 1).then_some(Edit::Printed(call)),
        None => has_flag(line, command, 'i').then_some(Edit::Open),
    }
}

/// Whether a program writes back what it makes of the files that it is given.
fn changes_in_place(line: &CommandLine, command: &Command, program: &str) -> bool {
    let says = |text: &str| line.words(command).iter().any(|word| line.text(word) == text);
    match program {
        "perl" | "ruby" => has_flag(line, command, 'i'),
        "awk" | "gawk" => says("inplace"),
        _ => false,
    }
}

/// Whether a word of single letters has one of them.
fn has_flag(line: &CommandLine, command: &Command, letter: char) -> bool {
    line.words(command).iter().skip(1).any(|word| {
        let text = line.text(word);
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        letters.is_some_and(|letters| letters.contains(letter)) || text.starts_with("--in-place")
    })
}
