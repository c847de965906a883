//! Variables that a line sets for a command: before it, before what runs it, and by `export` before that.

use super::{Command, CommandLine, MAX_DEPTH, Reach, Word, environment};

/// Of a line that sets more than this nobody says what it sets for a command.
const MAX: usize = 1_024;

/// A variable that is set for a command.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'l> {
    /// Its name.
    pub name: &'l str,
    /// Its value.
    pub value: Word,
    /// The command before which it stands, or that sets it.
    pub command: u32,
}

impl CommandLine {
    /// The variables that the line sets for a command: before it, before what runs it, and by `export` before that;
    /// `None` where they are too many. What it takes away again is among them.
    #[must_use]
    pub fn variables_for(&self, index: usize) -> Option<Vec<Variable<'_>>> {
        variables(self, index)
    }

    /// Whether the line sets, for whatever command, a variable that names a file into which programs write.
    pub(super) fn names_written_files(&self) -> bool {
        self.set_for.iter().any(|(_, name, _)| environment::is_written(self.text(name)))
    }
}

/// Returns the variables that are set for a command; `None` where the line sets too many.
fn variables(line: &CommandLine, index: usize) -> Option<Vec<Variable<'_>>> {
    if line.set_for.is_empty() {
        return Some(Vec::new());
    }
    if line.set_for.len() > MAX {
        return None;
    }
    let around = around(line, index);
    let is_for = |at: u32| {
        around.iter().any(|(around, has_own)| *around == at && *has_own)
            || exports(line, at) && around.iter().any(|(around, _)| is_before(line, at, *around))
    };
    let set = line.set_for.iter().filter(|(at, ..)| is_for(*at));
    Some(
        set.map(|(at, name, value)| Variable {
            name: line.text(name),
            value: *value,
            command: *at,
        })
        .collect(),
    )
}

/// A command and what runs it, each with whether what is set before it is set for the command.
fn around(line: &CommandLine, index: usize) -> Vec<(u32, bool)> {
    let mut around = vec![(index as u32, true)];
    let mut inner = line.commands.get(index);
    while let Some((command, at)) = inner.and_then(|inner| Some((inner, inner.parent?))) {
        if around.len() > MAX_DEPTH as usize {
            break;
        }
        // What stands in words runs before the command that these are for.
        around.push((at, command.reach != Reach::Substitution));
        inner = line.commands.get(at as usize);
    }
    around
}

/// Whether what a command sets is from then on in the environment.
fn exports(line: &CommandLine, at: u32) -> bool {
    let Some(command) = line.commands.get(at as usize) else { return false };
    let has_flag = |command: &Command| {
        line.words(command).iter().any(|word| {
            let text = line.text(word);
            text.starts_with('-') && text.contains('x')
        })
    };
    match line.program(command) {
        // Of what stands alone, only that was kept.
        None => !command.runs(),
        Some("export") => true,
        Some("declare" | "typeset" | "local" | "readonly") => has_flag(command),
        _ => false,
    }
}

/// Whether a command comes before another one in the same list.
fn is_before(line: &CommandLine, at: u32, other: u32) -> bool {
    let parent = |at: u32| line.commands.get(at as usize).map(|command| command.parent);
    at < other && parent(at) == parent(other)
}
