//! Functions of a line whose bodies use positional parameters, or read: what they run is known where they are called. Their
//! definitions then list nothing, unless nothing in the line calls them.

use std::ops::Range;

use super::command::{Command, NONE};
use super::functions::{CALLED, Function};
use super::line::CommandLine;
use super::word::Word;

/// More of them than this are not kept.
pub(super) const MAX: usize = 64;

impl CommandLine {
    /// Keeps a function whose body has been read.
    pub(super) fn keep_function(
        &mut self,
        name: Word,
        body: &str,
        commands: Range<usize>,
        (is_told, is_unnamed): (bool, bool),
    ) {
        // A text that stands behind the body is not in it.
        if self.functions.len() >= MAX || body.contains("<<") || !self.has_room(body.len()) {
            return;
        }
        let body = self.add_text(body, 0..0);
        let commands = commands.start as u32..commands.end as u32;
        self.functions.push(Function {
            name,
            body,
            commands,
            is_told,
            is_called: false,
            is_unnamed,
        });
    }

    /// The body of a function of this number, if a command calls it, and not from within the same call.
    pub(super) fn called(&mut self, index: usize, number: usize) -> Option<Word> {
        let function = self.functions.get(number)?;
        let command = self.commands.get(index)?;
        if function.commands.contains(&(index as u32)) || command.opaque.is_some() {
            return None;
        }
        // Without parameters and input, the definition lists what each call does.
        let reads = !command.input.is_empty()
            || command.own_input.is_some()
            || command.enclosing_input.is_some();
        if !function.is_told && !reads {
            return None;
        }
        let words = self.words(command);
        let name = self.text(words.first()?);
        if name.strip_suffix(CALLED).unwrap_or(name) != self.text(&function.name) {
            return None;
        }
        let says_the_same = |other: &Command| {
            let others = self.words(other);
            let pairs = others.iter().zip(words);
            others.len() == words.len()
                && pairs.fold(true, |same, (a, b)| same && self.text(a) == self.text(b))
        };
        let mut parent = command.parent;
        while let Some(above) = parent.and_then(|parent| self.commands.get(parent as usize)) {
            if says_the_same(above) {
                return None;
            }
            parent = above.parent;
        }
        let body = function.body;
        self.functions.get_mut(number)?.is_called = true;
        Some(body)
    }

    /// Takes back what definitions list whose functions are called, with what came of it.
    pub(super) fn drop_definitions(&mut self) {
        let calls_back = |command: &Command| {
            matches!(self.program(command), Some("mapfile" | "readarray"))
                && self.words(command).len() > 2
        };
        // Such a builtin may call a function that is no program anywhere.
        if !self.functions.iter().any(|function| function.is_called)
            || self.commands.iter().any(calls_back)
        {
            return;
        }
        let mut is_dropped = vec![false; self.commands.len()];
        for (index, command) in self.commands.iter_mut().enumerate() {
            let at = index as u32;
            let is_own = self.functions.iter().any(|f| f.is_called && f.commands.contains(&at));
            let above = command.parent.and_then(|parent| is_dropped.get(parent as usize).copied());
            // That it calls itself is told by the definition alone.
            if !is_own && above != Some(true) || command.calls_itself {
                continue;
            }
            if let Some(place) = is_dropped.get_mut(index) {
                *place = true;
            }
            (command.words, command.redirects, command.arguments) = (0..0, 0..0, None);
            (command.opaque, command.name, command.known) = (None, NONE, NONE);
        }
    }
}
