//! What a line sets up and never uses: functions that nothing of it names, handlers that it takes back before anything can
//! call them. Works on a line that has been read whole; what is not certain is used.

use std::ops::Range;

use super::builtins::is_at_end;
use super::command::{Command, NONE, Reach};
use super::context::Context;
use super::functions::CALLED;
use super::line::CommandLine;
use super::reader::Reader;

/// Functions that a shell calls by itself, and how such names begin.
const CALLED_BY_SHELL: [&str; 9] = [
    "command_not_found_handle",
    "precmd",
    "preexec",
    "chpwd",
    "periodic",
    "zsh",
    "TRAP",
    "fish_",
    "prompt",
];

/// Programs behind which a function may be called that the text does not name, or a handler runs.
const RUNNING: [&str; 12] = [
    "eval", "source", ".", "exit", "exec", "kill", "pkill", "set", "return", "shopt", "setopt",
    "emulate",
];

impl CommandLine {
    /// Whether a text, but for a part of it, says a name as a whole word.
    pub(super) fn is_named(text: &str, name: &str, but: &Range<usize>) -> bool {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.+".contains(&byte);
        let bytes = text.as_bytes();
        let at = |index: Option<usize>| index.and_then(|index| bytes.get(index)).copied();
        text.match_indices(name).any(|(start, _)| {
            let (before, behind) = (at(start.checked_sub(1)), at(Some(start + name.len())));
            let is_whole = !before.is_some_and(is_part) && !behind.is_some_and(is_part);
            is_whole && !but.contains(&start)
        })
    }

    /// Whether a shell calls a function of this name only where it is named.
    pub(super) fn waits_for_call(name: &str) -> bool {
        !CALLED_BY_SHELL.iter().any(|known| name.starts_with(known))
    }

    /// Takes back what functions list that are never called, and what handlers run that are taken back.
    pub(super) fn drop_unused(&mut self) {
        let may_be_unused = self.functions.iter().any(|function| function.is_unnamed);
        if !may_be_unused && self.taken_back.is_empty() {
            return;
        }
        let mut unused: Vec<Range<u32>> = Vec::new();
        if may_be_unused && !self.may_call_any() {
            let functions = self.functions.iter().filter(|function| function.is_unnamed);
            let own = functions.filter(|function| !self.calls(self.text(&function.name)));
            unused.extend(own.map(|function| function.commands.clone()));
        }
        // A line that only defines functions does so for one that calls them.
        let is_other = |(at, command): (usize, &Command)| {
            let is_own = unused.iter().any(|range| range.contains(&(at as u32)));
            command.parent.is_none() && command.reach != Reach::Function && !is_own
        };
        if !self.commands.iter().enumerate().any(is_other) {
            unused.clear();
        }
        let handlers = std::mem::take(&mut self.taken_back);
        if unused.is_empty() && handlers.is_empty() {
            return;
        }
        let mut is_dropped = vec![false; self.commands.len()];
        for (index, command) in self.commands.iter_mut().enumerate() {
            let at = index as u32;
            let above = command.parent.and_then(|parent| is_dropped.get(parent as usize).copied());
            let is_run = command.parent.is_some_and(|parent| handlers.contains(&parent));
            let is_unused = unused.iter().any(|range| range.contains(&at));
            if !is_unused && !is_run && above != Some(true) {
                continue;
            }
            if let Some(place) = is_dropped.get_mut(index) {
                *place = true;
            }
            (command.words, command.redirects, command.arguments) = (0..0, 0..0, None);
            (command.opaque, command.name, command.known) = (None, NONE, NONE);
        }
    }

    /// Whether a function may be called whose name does not stand in the line.
    fn may_call_any(&self) -> bool {
        self.problem.is_some()
            || self.commands.iter().any(|command| {
                let program = self.program(command).unwrap_or_default();
                command.opaque.is_some() || matches!(program, "eval" | "source" | ".")
            })
    }

    /// Whether a command is called so.
    fn calls(&self, name: &str) -> bool {
        self.commands.iter().any(|command| {
            let words = self.words(command);
            let called = words.first().map(|word| self.text(word)).unwrap_or_default();
            called.strip_suffix(CALLED).unwrap_or(called) == name
        })
    }
}

impl Reader<'_, '_> {
    /// Notes which handlers a `trap` takes back that stands at a place of the line and has just been read, and nothing
    /// before it may have called.
    pub(super) fn takes_back(&mut self, context: &Context, index: usize) {
        let is_plain = context.parent.is_none() && !context.in_loop && context.function.is_none();
        let ends = matches!(
            self.rest().trim_start_matches([' ', '\t']).as_bytes(),
            [] | [b'\n', ..] | [b';', ..]
        );
        if self.place.is_some() || !is_plain || !ends || !self.here_documents.is_empty() {
            return;
        }
        let Some(command) = self.line.commands.get(index) else { return };
        let Some((handler, back)) = handler(self.line, command) else { return };
        let start = command.span.start as usize;
        if !matches!(handler, "-" | "") || !back.iter().all(|signal| is_at_end(signal)) {
            return;
        }
        // The shell may end anywhere then.
        let sets = |command: &Command| {
            matches!(self.line.program(command), Some("set" | "shopt" | "setopt" | "emulate"))
        };
        if self.line.commands.iter().take(index).any(sets) {
            return;
        }
        let mut found = Vec::new();
        for (number, before) in self.line.commands.iter().enumerate().take(index).rev() {
            let program = self.line.program(before).unwrap_or_default();
            if before.opaque.is_some() || RUNNING.contains(&program) {
                break;
            }
            let Some((handler, signals)) = handler_of(self.line, before) else { continue };
            let is_back = signals.iter().all(|signal| back.contains(signal));
            let is_own = before.parent.is_none() && before.reach == Reach::List && !before.in_loop;
            let between = self.text.get(before.span.end as usize..start).unwrap_or("(");
            if handler != "-" && is_own && is_back && runs_on(between) {
                found.push(number as u32);
            }
        }
        self.line.taken_back.extend(found);
    }
}

/// The handler of a `trap` and its signals.
fn handler<'l>(line: &'l CommandLine, command: &Command) -> Option<(&'l str, Vec<&'l str>)> {
    let words: Vec<&str> = line.words(command).iter().skip(1).map(|word| line.text(word)).collect();
    let words = words.strip_prefix(&["--"]).unwrap_or(&words);
    let (handler, signals) = words.split_first()?;
    (!signals.is_empty()).then(|| (*handler, signals.to_vec()))
}

fn handler_of<'l>(line: &'l CommandLine, command: &Command) -> Option<(&'l str, Vec<&'l str>)> {
    handler(line, command).filter(|_| line.program(command) == Some("trap"))
}

/// Whether the commands of a text run one after the other in the same shell, whatever they say, and so does what follows.
fn runs_on(text: &str) -> bool {
    const WORDS: [&str; 9] =
        ["if", "then", "else", "while", "until", "for", "case", "select", "do"];
    let text = text.trim_end_matches([' ', '\t']);
    let is_word = |word: &str| WORDS.contains(&word);
    text.ends_with([';', '\n'])
        && !text.contains(['(', ')', '{', '}', '|'])
        && !text.replace("&&", "").replace(">&", "").replace("&>", "").contains('&')
        && !text.split(|sign: char| !sign.is_ascii_alphanumeric()).any(is_word)
}

#[cfg(test)]
mod tests {
    use crate::CommandLine;

    fn programs(text: &str) -> Vec<String> {
        let mut line = CommandLine::default();
        line.read(text, None);
        line.drop_unused();
        line.commands()
            .iter()
            .filter_map(|command| line.program(command))
            .map(|name| name.trim_end_matches("()").to_owned())
            .collect()
    }

    #[test]
    fn functions_that_nothing_names_are_not_called() {
        for (line, expect) in [
            ("f(){ rm x; }; echo hi", &["echo"][..]),
            ("function f { rm x; }\necho hi", &["echo"]),
            ("f(){ g; }; g(){ rm x; }; echo hi", &["rm", "echo"]),
            // It is named, or may be.
            ("f(){ rm x; }; f", &["rm", "f"]),
            ("f(){ rm x; }; x=f; $x", &["rm", "f"]),
            ("f(){ rm x; }; trap f EXIT", &["rm", "trap"]),
            ("f(){ rm x; }; echo $y; $y", &["rm", "echo"]),
            ("f(){ rm x; }; eval \"$y\"", &["rm", "eval"]),
            ("command_not_found_handle(){ rm x; }; y", &["rm", "y"]),
            // Nothing else is there to call it.
            ("f(){ rm x; }", &["rm"]),
        ] {
            assert_eq!(programs(line), expect, "{line}");
        }
    }

    #[test]
    fn handlers_are_taken_back_where_nothing_may_call_them() {
        let taken = |text: &str| {
            let mut line = CommandLine::default();
            line.read(text, None);
            line.taken_back.clone()
        };
        for text in [
            "trap 'x' EXIT; trap - EXIT",
            "trap 'x' INT TERM\necho >&2 && ls\ntrap '' INT TERM",
            "trap -- 'x' EXIT; trap -- - EXIT",
        ] {
            assert_eq!(taken(text), [0], "{text}");
        }
        for text in [
            "trap 'x' EXIT; trap - INT",
            "trap 'x' EXIT; exit; trap - EXIT",
            "trap 'x' EXIT; a && trap - EXIT",
            "trap 'x' EXIT; if a; then trap - EXIT; fi",
            "trap 'x' EXIT; (trap - EXIT)",
            "trap 'x' EXIT; trap - EXIT | cat",
            "trap 'x' EXIT; trap - EXIT &",
            "trap 'x' DEBUG; trap - DEBUG",
            "trap 'x' INT; kill $$; trap - INT",
            "set -e; trap 'x' EXIT; a; trap - EXIT",
            "f() { trap 'x' EXIT; }; trap - EXIT",
        ] {
            assert!(taken(text).is_empty(), "{text}");
        }
    }
}
