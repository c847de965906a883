//! Rounds of loops over constants: what a loop runs is read once for each value that its variable has, so that each is
//! as known as if it stood there. Those over more than a few values, and those for which no budget is left, are read once,
//! with a variable of which nobody knows the value.

use super::command::{Command, NONE, Redirect, RedirectKind, Target};
use super::context::Context;
use super::limits::MAX_COMMANDS;
use super::line::CommandLine;
use super::reader::{Reader, Start};
use super::variables::{New, Spot};

/// Loops over more values than this are read once.
const MAX_ROUNDS: usize = 256;

/// Longer texts, in bytes, are not read line by line.
pub(super) const MAX_ROWS: usize = 1 << 12;

impl Reader<'_, '_> {
    /// The place where the body of a loop begins.
    pub fn loop_start(&self) -> Start {
        Start {
            at: self.at,
            commands: self.line.commands.len(),
            values: self.line.values.len(),
            set_for: self.line.set_for.len(),
            functions: self.line.functions.len(),
        }
    }

    /// Whether the body behind a place, which was just read, may be read once more for each of some values, and leaves
    /// something open otherwise.
    pub fn has_rounds(&mut self, start: Start, count: usize) -> bool {
        let length = self.at.saturating_sub(start.at);
        let commands = self.line.commands.len().saturating_sub(start.commands);
        let body = self.line.commands.get(start.commands..).unwrap_or_default();
        let is_open = body.iter().any(|command| {
            command.opaque.is_some()
                || self.line.words(command).iter().any(super::Word::has_hole)
                || self.line.redirects(command).iter().any(|r| self.line.target(r).has_hole())
        });
        let cost = length.saturating_mul(count);
        let fits = is_open
            && self.here_documents.is_empty()
            && (1..=MAX_ROUNDS).contains(&count)
            && commands.saturating_mul(count) + self.line.commands.len() < MAX_COMMANDS / 2
            && cost <= self.line.to_read;
        if fits {
            self.line.to_read -= cost;
        }
        fits
    }

    /// Takes back what was listed of a body, up to `end`, that is read once more for each value.
    pub fn drop_round(&mut self, start: Start, end: usize) {
        if end == self.line.commands.len() {
            self.line.commands.truncate(start.commands);
        }
        let body = self.line.commands.get_mut(start.commands..end).unwrap_or_default();
        for command in body {
            (command.words, command.redirects) = (0..0, 0..0);
            (command.arguments, command.opaque) = (None, None);
            (command.name, command.known) = (NONE, NONE);
        }
        self.line.forget_doubts(start.commands);
        self.line.values.truncate(start.values);
        self.line.set_for.truncate(start.set_for);
        self.line.functions.truncate(start.functions);
        self.line.taken_back.retain(|handler| (*handler as usize) < start.commands);
    }

    /// Reads a body once more. Of a loop in a loop it is still the outer one that what it sets may come around in.
    pub fn read_round(&mut self, start: Start, is_nested: bool, read: impl FnOnce(&mut Self)) {
        let end = self.at;
        let around = (!is_nested).then(|| self.line.variables.enter_loop());
        self.at = start.at;
        read(self);
        if let Some(around) = around {
            self.line.variables.leave_loop(around);
        }
        self.at = end;
    }

    /// Sets the variable of a loop for one round.
    pub fn set_for_round(&mut self, name: &str, value: usize, spot: Spot) {
        let CommandLine { variables, text, pending, .. } = &mut *self.line;
        let (start, end) = pending.rounds.get(value).copied().unwrap_or_default();
        let value = text.get(start as usize..end as usize).unwrap_or_default();
        variables.begin_round(name);
        variables.set(name, New::Text(value), spot);
    }

    /// The here-document that one of some commands reads, and whether it is all that they write: `cat <<END`.
    fn here_document_of(&self, commands: &[Command]) -> Option<(u32, bool)> {
        let of_command = |command: &Command| {
            let mut redirects = self.line.redirects(command).iter();
            redirects.find_map(|redirect| match redirect.target {
                Target::HereDocument(index) => Some(index),
                Target::Word(_) => None,
            })
        };
        let index = commands.iter().find_map(of_command)?;
        let is_all = matches!(commands, [only] if self.line.program(only) == Some("cat")
            && self.line.words(only).len() == 1 && self.line.redirects(only).len() == 1);
        Some((index, is_all))
    }

    /// The lines that the commands of a loop read one by one, where they are constant; `first` is the first of these commands.
    pub fn rows(
        &self,
        context: &Context,
        redirect: Option<u32>,
        first: Option<&Command>,
    ) -> Option<Vec<String>> {
        let text = match redirect.and_then(|redirect| self.line.redirects.get(redirect as usize)) {
            Some(Redirect {
                kind: RedirectKind::HereDocument,
                target: Target::HereDocument(index),
            }) => self.constant_here_document(*index)?,
            Some(redirect) if redirect.kind == RedirectKind::Read && first.is_some() => {
                let word = self.line.target(redirect);
                match word.is_process() {
                    true => self.line.constant_target(redirect, context.parent)?,
                    false => super::given::list(self.line, first?, &word)?,
                }
            }
            Some(redirect) => self.line.constant_target(redirect, context.parent)?,
            None if !context.input.is_empty() => {
                let input = self.line.commands.get(super::line::range(&context.input))?;
                match self.here_document_of(input) {
                    // Its text stands behind the line.
                    Some((index, true)) => self.constant_here_document(index)?,
                    Some(_) => return None,
                    None => super::given::constant_output(self.line, input)?,
                }
            }
            None => return None,
        };
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let is_short = text.len() < MAX_ROWS && !text.contains(super::HOLE);
        is_short.then(|| text.split('\n').map(str::to_owned).collect())
    }
}
