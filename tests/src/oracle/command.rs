//! What a command line runs, asked the plain way: for every command and every shape, all questions are
//! answered, and the answers are put together. `None` means that nothing tells.

use behavior_compiler::ir::{FlagTest, Shape};
use behavior_runtime::commands::{COMMAND_PARAMS, ProgramTable};
use behavior_runtime::event::{Call, Value};
use behavior_runtime::tool_catalogue::is_shell;
use behavior_shell::arguments::{Argument, Arguments, Flag, FlagName, says_nothing};
use behavior_shell::programs::Programs;
use behavior_shell::{
    Command, CommandLine, FlagEffect, HOLE, Knowledge, Reach, RedirectKind, Word,
};

use super::world::World;
use super::{names, values};

/// Whether a call runs a command of one of the shapes. A shell has its command line in the first of
/// several parameters that holds one; where none does, nobody knows what it runs.
pub(super) fn runs(
    world: &World<'_>,
    shapes: &[Shape],
    call: &Call<'_>,
    name: &str,
) -> Option<bool> {
    let mut tools = std::iter::once(&call.tool).chain(&call.native_tool);
    let of_shell = name == "command" && tools.any(|tool| is_shell(&names::parts(tool).join(".")));
    let mut line = CommandLine::default();
    if of_shell {
        read(world, call, &mut line);
        return answer(world, shapes, &line);
    }
    let value = values::param(call, name);
    if value.is_none() {
        return Some(false);
    }
    read_value(world, value, &mut line);
    answer(world, shapes, &line)
}

/// Reads the command line of a call to a shell.
pub(super) fn read(world: &World<'_>, call: &Call<'_>, line: &mut CommandLine) {
    let values = COMMAND_PARAMS.iter().filter_map(|name| values::param(call, name));
    let mut values = values.filter(|value| match value {
        Value::Text(_) => true,
        Value::Json(json) => json.starts_with('['),
    });
    read_value(world, values.next(), line);
}

fn read_value(world: &World<'_>, value: Option<&Value<'_>>, line: &mut CommandLine) {
    let table = ProgramTable::of(&world.programs);
    let knowledge = table.as_ref().map(|table| table as &dyn Knowledge);
    match value {
        None => line.read_nothing(),
        Some(Value::Text(text)) => line.read(text, knowledge),
        Some(Value::Json(json)) => match serde_json::from_str::<Vec<String>>(json) {
            Ok(words) => line.read_words(words.iter().map(String::as_str), knowledge),
            Err(_) => line.read_nothing(),
        },
    }
}

fn answer(world: &World<'_>, shapes: &[Shape], line: &CommandLine) -> Option<bool> {
    let one = |index: usize, shape: &Shape| Asked::new(world, line, index, shape).answer();
    any((0..line.commands().len())
        .flat_map(|i| shapes.iter().map(move |s| (i, s)))
        .map(|(i, s)| one(i, s)))
}

/// Whether one of the answers is yes.
pub(super) fn any(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let answers: Vec<_> = answers.into_iter().collect();
    if answers.contains(&Some(true)) {
        Some(true)
    } else if answers.contains(&None) {
        None
    } else {
        Some(false)
    }
}

/// Whether all answers are yes.
pub(super) fn all(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    any(answers.into_iter().map(|answer| answer.map(|holds| !holds))).map(|some_fails| !some_fails)
}

/// One command, asked about one shape.
struct Asked<'a> {
    world: &'a World<'a>,
    line: &'a CommandLine,
    index: usize,
    command: &'a Command,
    shape: &'a Shape,
    arguments: Vec<Argument>,
}

impl<'a> Asked<'a> {
    fn new(world: &'a World<'a>, line: &'a CommandLine, index: usize, shape: &'a Shape) -> Self {
        let command = &line.commands()[index];
        let table = ProgramTable::of(&world.programs);
        let table = table.as_ref().map(|table| Programs::new(table));
        let program = line.program(command).and_then(|name| table?.find(name));
        let words = line.words(command);
        let arguments = Arguments::new(line, words, program).filter(|argument| match argument {
            Argument::Flag(flag) => !says_nothing(line, words, flag, command.more),
            _ => true,
        });
        let arguments = arguments.collect();
        Self { world, line, index, command, shape, arguments }
    }

    fn answer(&self) -> Option<bool> {
        let (shape, command) = (self.shape, self.command);
        if shape.opaque {
            return Some(command.opaque.is_some());
        }
        if !command.runs() && self.line.redirects(command).is_empty() {
            return Some(false);
        }
        all([
            self.program(),
            Some(!shape.in_loop || command.in_loop),
            Some(!shape.calls_itself || command.calls_itself),
            self.under(),
            self.redirected(&shape.writes, |kind| {
                matches!(kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite)
            }),
            self.redirected(&shape.reads, |kind| {
                matches!(kind, RedirectKind::Read | RedirectKind::ReadWrite)
            }),
            all(shape.flags.iter().map(|flag| self.has_flag(flag))),
            match &shape.any_flags[..] {
                [] => Some(true),
                flags => any(flags.iter().map(|flag| self.has_flag(flag))),
            },
            all(shape.no_flags.iter().map(|flag| self.shows_flag(flag).map(|has| !has))),
            self.exact(),
            self.operands(),
            self.some_operand(),
            Some(!shape.unknown_operand || self.varies()),
            self.piped(),
            self.substituted(),
            self.given(),
        ])
    }

    fn is_listed(names: &[Box<str>], name: &str) -> bool {
        names.iter().any(|listed| **listed == *name.to_ascii_lowercase())
    }

    fn program(&self) -> Option<bool> {
        let shape = self.shape;
        if shape.programs.is_empty() && shape.program_pattern.is_none() {
            return Some(true);
        }
        if self.command.opaque.is_some() {
            return None;
        }
        let Some(name) = self.line.program(self.command) else { return Some(false) };
        let fits = shape.program_pattern.is_some_and(|pattern| self.world.matches(pattern, name));
        Some(Self::is_listed(&shape.programs, name) || fits)
    }

    fn under(&self) -> Option<bool> {
        let mut above = Vec::new();
        let mut next = self.command.parent;
        while let Some(parent) = next.map(|parent| &self.line.commands()[parent as usize]) {
            above.extend(self.line.program(parent));
            next = parent.parent;
        }
        let names = &self.shape.under;
        Some(names.is_empty() || above.iter().any(|name| Self::is_listed(names, name)))
    }

    /// Whether a word fits a pattern: surely if it does whatever its holes are.
    fn fits(&self, pattern: u32, word: &Word) -> Option<bool> {
        let text = self.line.text(word);
        if !word.has_hole() {
            return Some(self.world.matches(pattern, text));
        }
        let tries = ["", "\u{FDD0}", "\u{FDD0}\u{FDD0}"];
        tries
            .iter()
            .all(|piece| self.world.matches(pattern, &text.replace(HOLE, piece)))
            .then_some(true)
    }

    fn redirected(&self, patterns: &[u32], counts: impl Fn(RedirectKind) -> bool) -> Option<bool> {
        if patterns.is_empty() {
            return Some(true);
        }
        let redirects = self.line.redirects(self.command).iter();
        let words = redirects.filter(|redirect| counts(redirect.kind)).map(|r| self.line.target(r));
        any(words.flat_map(|word| patterns.iter().map(move |pattern| (*pattern, word))).map(
            |(pattern, word)| {
                let text = self.line.text(&word);
                let path = super::files::normal(text, None);
                match word.has_hole() || path == text {
                    true => self.fits(pattern, &word),
                    false => Some(self.world.matches(pattern, &path)),
                }
            },
        ))
    }

    /// Whether there may be flags that nobody sees.
    fn has_doubts(&self) -> bool {
        self.command.more
            || self.command.opaque.is_some()
            || self.arguments.iter().any(|argument| matches!(argument, Argument::Unknown(_)))
    }

    fn has_flag(&self, test: &FlagTest) -> Option<bool> {
        any([self.shows_flag(test), if self.has_doubts() { None } else { Some(false) }])
    }

    fn name(&self, flag: &Flag) -> &str {
        match flag.name {
            FlagName::Known(id) => self.world.programs.view().string(id),
            FlagName::Written(word) => self.line.text(&word),
        }
    }

    /// Whether a flag is there to see.
    fn shows_flag(&self, test: &FlagTest) -> Option<bool> {
        let seen = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Flag(flag) if self.name(flag) == &*test.name => Some(flag.value),
            _ => None,
        });
        let fits = |value: Option<Word>| match (test.value, value) {
            (None, _) => Some(true),
            (Some(pattern), Some(value)) => self.fits(pattern, &value),
            (Some(_), None) => Some(false),
        };
        any(seen.map(fits))
    }

    fn exact(&self) -> Option<bool> {
        if !self.shape.exact {
            return Some(true);
        }
        let named = |name: &str| {
            self.shape.flags.iter().chain(&self.shape.any_flags).any(|test| *test.name == *name)
        };
        let extra = self.arguments.iter().any(|argument| match argument {
            Argument::Flag(flag) => !flag.is_global && !named(self.name(flag)),
            _ => false,
        });
        match (extra, self.has_doubts()) {
            (true, _) => Some(false),
            (false, true) => None,
            (false, false) => Some(true),
        }
    }

    fn operand_words(&self) -> Vec<Word> {
        let operand = |argument: &Argument| match argument {
            Argument::Operand(word) | Argument::Unknown(word) => Some(*word),
            Argument::Flag(_) => None,
        };
        self.arguments.iter().filter_map(operand).collect()
    }

    fn varies(&self) -> bool {
        self.command.more || self.operand_words().iter().any(Word::varies)
    }

    fn operands(&self) -> Option<bool> {
        let Some(items) = &self.shape.operands else { return Some(true) };
        let words = self.operand_words();
        if self.sequence(items, &words, &|answer| answer == Some(true), false) {
            Some(true)
        } else if self.sequence(items, &words, &|answer| answer != Some(false), self.has_doubts()) {
            None
        } else {
            Some(false)
        }
    }

    fn sequence(
        &self,
        items: &[Option<u32>],
        words: &[Word],
        accepts: &dyn Fn(Option<bool>) -> bool,
        more: bool,
    ) -> bool {
        let splits = |word: &Word| more && word.may_split();
        match (items, words) {
            ([], []) => true,
            ([None, rest @ ..], words) => {
                (0..=words.len()).any(|taken| self.sequence(rest, &words[taken..], accepts, more))
            }
            ([Some(_), ..], []) => more,
            ([Some(pattern), rest @ ..], [word, behind @ ..]) => {
                accepts(self.fits(*pattern, word)) && self.sequence(rest, behind, accepts, more)
                    || splits(word)
                        && (0..words.len())
                            .any(|t| self.sequence(items, &words[t + 1..], accepts, more))
            }
            // It may be a flag that takes the words behind it.
            ([], [word, ..]) => splits(word),
        }
    }

    fn some_operand(&self) -> Option<bool> {
        let patterns = &self.shape.some_operand;
        if patterns.is_empty() {
            return Some(true);
        }
        let words = self.operand_words();
        let fits = words.iter().flat_map(|word| patterns.iter().map(|p| self.fits(*p, word)));
        any(fits.chain([if self.has_doubts() { None } else { Some(false) }]))
    }

    fn piped(&self) -> Option<bool> {
        if self.shape.piped_from.is_empty() {
            return Some(true);
        }
        let is_source = |command: &Command| match self.line.program(command) {
            Some(name) => Some(Self::is_listed(&self.shape.piped_from, name)),
            None if command.opaque.is_some() => None,
            None => Some(false),
        };
        let mut sources = Vec::new();
        let mut reading = Some(self.command);
        while let Some(command) = reading {
            let input = self.line.input(command);
            sources.extend(input.iter().map(is_source));
            reading = input.iter().find(|command| command.runs());
        }
        any(sources)
    }

    fn substituted(&self) -> Option<bool> {
        let names = &self.shape.substitutes;
        if names.is_empty() {
            return Some(true);
        }
        let mut around = vec![self.index as u32];
        while let Some(parent) = self.line.commands()[*around.last().unwrap() as usize].parent {
            around.push(parent);
        }
        let inside = self.line.commands().iter().filter(|command| {
            command.reach == Reach::Substitution
                && command.parent.is_some_and(|parent| around.contains(&parent))
        });
        any(inside.map(|command| match self.line.program(command) {
            Some(name) => Some(Self::is_listed(names, name)),
            None if command.opaque.is_some() => None,
            None => Some(false),
        }))
    }

    fn given(&self) -> Option<bool> {
        let Some(pattern) = self.shape.given else { return Some(true) };
        let in_words = self.arguments.iter().map(|argument| match argument {
            Argument::Flag(flag) if flag.effect == FlagEffect::File => None,
            Argument::Flag(flag) => {
                flag.value.map_or(Some(false), |value| self.mentions(pattern, &value))
            }
            Argument::Operand(word) | Argument::Unknown(word) => self.mentions(pattern, word),
        });
        let is_unknown = self.command.more || self.command.opaque.is_some();
        let more = if is_unknown { None } else { Some(false) };
        let read = match self.line.input_text(self.command) {
            None => None,
            Some(text) if !text.is_empty() && self.world.matches(pattern, &text) => Some(true),
            Some(text) if text.contains(HOLE) => None,
            Some(_) => Some(false),
        };
        any(in_words.chain([more, read]))
    }

    fn mentions(&self, pattern: u32, word: &Word) -> Option<bool> {
        match (self.world.matches(pattern, self.line.text(word)), word.has_hole()) {
            (true, _) => Some(true),
            (false, true) => None,
            (false, false) => Some(false),
        }
    }
}
