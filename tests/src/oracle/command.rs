//! What a command line runs, asked the plain way: for every command and every shape, all questions are
//! answered, and the answers are put together.

use behavior_compiler::ir::{Condition, FlagTest, Shape, Test};
use behavior_facts::commands::{COMMAND_PARAMS, ProgramTable, command_shown};
use behavior_facts::tool_catalogue::{find, is_shell};
use behavior_facts::touched::TouchedFile;
use behavior_runtime::event::{Call, Value};
use behavior_shell::arguments::{
    Argument, Arguments, Flag, FlagName, drop_taken_back, says_nothing,
};
use behavior_shell::programs::Programs;
use behavior_shell::touched;
use behavior_shell::{
    Command, CommandLine, FlagEffect, HOLE, Knowledge, Reach, RedirectKind, Word,
};

use super::paths::{self, Sets};
use super::truth::{Truth, all, any};
use super::world::World;
use super::{names, values};

/// Whether a call runs a command of one of the shapes. A shell has its command line in the first of
/// several parameters that holds one; where none does, nobody knows what it runs.
pub(super) fn runs(
    world: &World<'_>,
    shapes: &[Shape],
    call: &Call<'_>,
    name: &str,
    place: Option<Place<'_>>,
    aside: &[usize],
) -> Truth {
    let of_shell = name == "command" && runs_commands(call);
    let mut line = CommandLine::default();
    if of_shell {
        read(world, call, &mut line);
        let answer = answer(world, shapes, &line, place, aside);
        let lacks_line =
            command_line(call).is_none() && told(call).is_none() && answer == Truth::Hidden;
        return if lacks_line { Truth::Missing } else { answer };
    }
    let value = given(call, name);
    if value.is_none() {
        return Truth::No;
    }
    read_value(world, value, &mut line);
    answer(world, shapes, &line, place, &[])
}

/// The parameter that holds a command line for a tool that is no shell: what an agent calls `command` may be a patch.
fn given<'c>(call: &'c Call<'_>, name: &str) -> Option<&'c Value<'c>> {
    match name {
        "command" => call.params.iter().find(|param| param.name == name).map(|param| &param.value),
        _ => values::param(call, name),
    }
}

/// What a message calls the commands that a rule is about: those that the first test of its condition holds for, else the
/// first that it may hold for; of tests that are negated only where the others find none.
pub(super) fn deciding(
    world: &World<'_>,
    condition: &Condition,
    call: &Call<'_>,
    place: Place<'_>,
) -> String {
    let found = |negated| deciding_of(world, condition, call, place, negated);
    match found(false) {
        text if text.is_empty() => found(true),
        text => text,
    }
}

/// Of the tests that are negated, or of those that are not.
fn deciding_of(
    world: &World<'_>,
    condition: &Condition,
    call: &Call<'_>,
    place: Place<'_>,
    negated: bool,
) -> String {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => {
            let found = parts.iter().map(|part| deciding_of(world, part, call, place, negated));
            found.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
        }
        Condition::Not(part) => deciding_of(world, part, call, place, !negated),
        Condition::Test { test: Test::Runs(name, shapes), .. } if !negated => {
            let value = match &**name == "command" && runs_commands(call) {
                true => command_line(call),
                false => given(call, name),
            };
            let Some(Value::Text(text)) = value else { return String::new() };
            let mut line = CommandLine::default();
            read_value(world, value, &mut line);
            let answers: Vec<(usize, Truth)> = (0..line.commands().len())
                .flat_map(|index| shapes.iter().map(move |shape| (index, shape)))
                .map(|(index, shape)| (index, one(world, &line, index, shape, Some(place))))
                .filter(|(_, answer)| *answer != Truth::No)
                .collect();
            let sure = answers.iter().filter(|(_, answer)| *answer == Truth::Yes);
            let mut indices: Vec<usize> = sure.map(|(index, _)| *index).collect();
            if indices.is_empty() {
                indices.extend(answers.first().map(|(index, _)| *index));
            }
            let mut shown: Vec<String> = Vec::new();
            for index in indices {
                // Which commands are meant is worked out here; how one is put for people, the specification holds.
                let Some(own) = command_shown(&line, text, &line.commands()[index]) else {
                    continue;
                };
                if shown.iter().any(|one| one.contains(&own)) {
                    continue;
                }
                shown.retain(|one| !own.contains(one.as_str()));
                if shown.len() < 3 {
                    shown.push(own);
                }
            }
            shown.join("; ")
        }
        Condition::Test { .. } | Condition::Always => String::new(),
    }
}

/// Whether a call runs commands: its tool is a shell, or one that nobody lists and that is given a command.
pub(super) fn runs_commands(call: &Call<'_>) -> bool {
    let mut tools = std::iter::once(&call.tool).chain(&call.native_tool);
    let is_listed = find(names::parts(&call.tool).last().map_or("", String::as_str)).is_some();
    // Random calls have a command under no other name.
    let is_given = match values::param(call, "command") {
        Some(Value::Text(text)) => !text.trim().is_empty(),
        Some(Value::Json(json)) => json.starts_with('['),
        None => false,
    };
    tools.any(|tool| is_shell(&names::parts(tool).join(".")))
        || !is_listed && (is_given || told(call).is_some())
}

/// What a call of a server's tool comes to as a command line: of the random ones, only one says by its name that it does
/// something.
pub(super) fn told(call: &Call<'_>) -> Option<String> {
    if names::canonical(&call.tool) != "remove" {
        return None;
    }
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let mut paths = Vec::new();
    for param in &call.params {
        let name = param.name.to_lowercase();
        let is_place = name == "target" || name.ends_with("path");
        let texts: Vec<String> = match &param.value {
            Value::Text(text) => vec![text.to_string()],
            Value::Json(json) => serde_json::from_str(json).unwrap_or_default(),
        };
        if is_place {
            paths.extend(texts.into_iter().filter(|text| !text.is_empty()));
        }
    }
    let is_file = |path: &String| {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        name.trim_start_matches('.').contains('.')
    };
    let program = if paths.iter().all(is_file) { "rm" } else { "rm -r" };
    let words: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
    let line = (!words.is_empty()).then(|| format!("{program} -- {}", words.join(" ")))?;
    match values::param(call, "command") {
        Some(Value::Text(text)) if !text.trim().is_empty() => Some(format!("{text}\n{line}")),
        Some(Value::Json(json)) => match serde_json::from_str::<Vec<String>>(json) {
            Ok(words) if !words.is_empty() => {
                let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                Some(format!("{}\n{line}", words.join(" ")))
            }
            _ => Some(line),
        },
        _ => Some(line),
    }
}

/// Where a push goes.
pub(super) enum Pushed {
    To(String),
    CheckedOut,
    Everything,
    Unknown,
}

/// Where the pushes of a call go, each with the command that pushes.
pub(super) fn pushes(world: &World<'_>, call: &Call<'_>) -> Vec<(usize, Pushed)> {
    let is_of_shell = runs_commands(call);
    let mut line = CommandLine::default();
    if is_of_shell {
        if command_line(call).is_none() && told(call).is_none() {
            return Vec::new();
        }
        read(world, call, &mut line);
    } else {
        let Some(value) = values::param(call, "command") else { return Vec::new() };
        read_value(world, Some(value), &mut line);
    }
    let shape = Shape::default();
    let (mut found, mut on): (Vec<(usize, Pushed)>, Option<Option<String>>) = (Vec::new(), None);
    for (index, command) in line.commands().iter().enumerate() {
        if line.program(command) != Some("git") {
            continue;
        }
        let asked = Asked::new(world, &line, index, &shape);
        let (mut operands, mut flags) = (Vec::new(), Vec::new());
        for argument in &asked.arguments {
            match argument {
                Argument::Flag(flag) => flags.push((asked.name(flag).to_owned(), flag.value)),
                Argument::Operand(word) | Argument::Unknown(word) => operands.push(*word),
            }
        }
        let has = |names: &[&str]| flags.iter().any(|(name, _)| names.contains(&&**name));
        let named = |word: &Word| (!word.has_hole()).then(|| line.text(word).to_owned());
        let Some(subcommand) = operands.first().map(|word| line.text(word)) else { continue };
        if ["checkout", "switch"].contains(&subcommand) {
            let names = ["b", "B", "c", "C", "create", "force-create", "orphan"];
            let new = flags.iter().find(|(name, _)| names.contains(&&**name));
            match (new.and_then(|(_, value)| *value), &operands[1..]) {
                (Some(name), _) => on = Some(named(&name)),
                _ if has(&["-"]) => on = Some(None),
                (None, [name]) => on = Some(named(name)),
                _ => {}
            }
        }
        if subcommand != "push" || has(&["n", "dry-run", "h", "help"]) {
            continue;
        }
        let current = || match &on {
            None => Pushed::CheckedOut,
            Some(None) => Pushed::Unknown,
            Some(Some(name)) => Pushed::To(name.clone()),
        };
        match &operands[1..] {
            _ if has(&["all", "mirror", "branches"]) => found.push((index, Pushed::Everything)),
            [word] if word.has_hole() => found.push((index, Pushed::Unknown)),
            [] | [_] => found.push((index, current())),
            [_, refspecs @ ..] => {
                let mut skips = false;
                for refspec in refspecs {
                    let (skipped, is_tag) = (skips, line.text(refspec) == "tag");
                    skips = is_tag && !skipped;
                    if skipped || skips {
                        continue;
                    }
                    let text = line.text(refspec).trim_start_matches('+');
                    let to = &text[text.rfind(':').map_or(0, |at| at + 1)..];
                    let to = to.strip_prefix("refs/heads/").unwrap_or(to);
                    if to.starts_with("refs/tags/") {
                        continue;
                    }
                    let pushed = match to {
                        to if to.contains(HOLE) => Pushed::Unknown,
                        "" if text == ":" => Pushed::Everything,
                        "" | "HEAD" | "@" => current(),
                        to if to.contains('*') => Pushed::Everything,
                        to => Pushed::To(to.to_owned()),
                    };
                    found.push((index, pushed));
                }
            }
        }
    }
    found
}

/// Reads the command line of a call to a shell.
pub(super) fn read(world: &World<'_>, call: &Call<'_>, line: &mut CommandLine) {
    match told(call) {
        Some(text) => read_value(world, Some(&Value::Text(text.into())), line),
        None => read_value(world, command_line(call), line),
    }
}

fn command_line<'c>(call: &'c Call<'_>) -> Option<&'c Value<'c>> {
    let values = COMMAND_PARAMS.iter().filter_map(|name| values::param(call, name));
    let mut values = values.filter(|value| match value {
        Value::Text(_) => true,
        Value::Json(json) => json.starts_with('['),
    });
    values.next()
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

/// The working directory, the sets, and where the call says that its line runs: what spared files are seen from.
pub(super) type Place<'a> = (Option<&'a str>, &'a dyn Sets, &'a str);

/// Whether all that a command writes and deletes is spared.
fn is_spared(
    world: &World<'_>,
    line: &CommandLine,
    index: usize,
    shape: &Shape,
    place: Option<Place<'_>>,
) -> bool {
    let (Some(paths), Some((cwd, sets, directory))) = (&shape.spares, place) else { return false };
    let Some(table) = ProgramTable::of(&world.programs) else { return false };
    let files = touched::files_of_programs(line, &table as &dyn Knowledge).into_iter();
    let changed =
        files.filter(|file| file.command as usize == index && file.effect != touched::Effect::Read);
    let changed: Vec<TouchedFile> =
        changed.map(|file| TouchedFile::from(file).run_in(directory)).collect();
    let asked = paths::Asked { world, paths, cwd, sets };
    let made = touched::made(line, &table as &dyn Knowledge).into_iter();
    let made: Vec<String> = made
        .filter(|file| file.is_known() && line.runs_after(index as u32, file.command))
        .map(|file| asked.full(&TouchedFile::from(file).run_in(directory)))
        .collect();
    let is_new = |file: &TouchedFile| {
        let full = asked.full(file);
        let lies_in = |place: &String| full == *place || full.starts_with(&format!("{place}/"));
        file.is_known() && made.iter().any(lies_in)
    };
    !changed.is_empty()
        && changed.iter().all(|file| is_new(file) || asked.is_all_in(file) == Truth::Yes)
}

fn answer(
    world: &World<'_>,
    shapes: &[Shape],
    line: &CommandLine,
    place: Option<Place<'_>>,
    aside: &[usize],
) -> Truth {
    any((0..line.commands().len())
        .filter(|index| !aside.contains(index))
        .flat_map(|i| shapes.iter().map(move |s| (i, s)))
        .map(|(i, s)| one(world, line, i, s, place)))
}

/// What one command answers to one shape.
fn one(
    world: &World<'_>,
    line: &CommandLine,
    index: usize,
    shape: &Shape,
    place: Option<Place<'_>>,
) -> Truth {
    let answer = Asked::new(world, line, index, shape).answer();
    let is_spared = answer != Truth::No && is_spared(world, line, index, shape, place);
    if is_spared { Truth::No } else { answer }
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
        let mut arguments = arguments.collect();
        drop_taken_back(line, words, program, &mut arguments);
        Self { world, line, index, command, shape, arguments }
    }

    /// A command of which some values are not known is none of a class: only where the program, what it is to do, or
    /// what it is given is hidden may it be.
    fn answer(&self) -> Truth {
        match self.plain_answer() {
            Truth::Hidden if self.shape.of_class && !self.hides_more() => Truth::Missing,
            answer => answer,
        }
    }

    fn hides_more(&self) -> bool {
        let (shape, words) = (self.shape, self.operand_words());
        let says_nothing = |text: &str| {
            let is_sign = |sign: char| sign.is_alphanumeric() || sign == '/';
            text.contains(HOLE) && !text.chars().any(is_sign)
        };
        let first = words.first().filter(|first| says_nothing(self.line.text(first)));
        let subcommand = shape.operands.as_ref().and_then(|items| items.first().copied()).flatten();
        let hides_subcommand = match (first, subcommand) {
            (Some(first), Some(subcommand)) => self.fits(subcommand, first) != Truth::Yes,
            _ => false,
        };
        let texts = ["c", "command", "e", "execute", "q", "Q", "query", "cmd", "eval"];
        let flags = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Flag(flag) => flag.value.filter(|_| texts.contains(&self.name(flag))),
            _ => None,
        });
        let mut values: Vec<Word> = flags.collect();
        if values.is_empty() {
            values.clone_from(&words);
        }
        let read = self.line.input_text(self.command).unwrap_or_default();
        let hides_text = shape.given.is_some()
            && (shape.reads_statements
                || says_nothing(&read)
                || values.into_iter().any(|word| says_nothing(self.line.text(&word))));
        self.command.opaque.is_some()
            || !shape.piped_from.is_empty()
            || !shape.substitutes.is_empty()
            || words.iter().any(Word::is_called_flags)
            || hides_subcommand
            || hides_text
    }

    fn plain_answer(&self) -> Truth {
        let (shape, command) = (self.shape, self.command);
        if shape.opaque {
            return command.opaque.is_some().into();
        }
        if !command.runs() && self.line.redirects(command).is_empty() {
            return Truth::No;
        }
        all([
            self.program(),
            (!shape.in_loop || command.in_loop).into(),
            (!shape.calls_itself || command.calls_itself).into(),
            (!shape.status_lost || command.status_lost).into(),
            self.under(),
            self.variables(),
            self.without_operand(),
            self.redirected(&shape.writes, |kind| {
                matches!(kind, RedirectKind::Write | RedirectKind::ReadWrite)
                    || kind == RedirectKind::Append && !shape.overwrites
            }),
            self.redirected(&shape.reads, |kind| {
                matches!(kind, RedirectKind::Read | RedirectKind::ReadWrite)
            }),
            all(shape.flags.iter().map(|flag| self.has_flag(flag))),
            match &shape.any_flags[..] {
                [] => Truth::Yes,
                flags => any(flags.iter().map(|flag| self.has_flag(flag))),
            },
            all(shape.no_flags.iter().map(|flag| self.shows_flag(flag).opposite())),
            self.exact(),
            self.operands(),
            self.some_operand(),
            (!shape.unknown_operand || self.varies()).into(),
            (!shape.pattern_operand
                || self.operand_words().iter().any(|word| self.line.is_of_files(word)))
            .into(),
            self.piped(),
            self.substituted(),
            self.given(),
        ])
    }

    fn is_listed(names: &[Box<str>], name: &str) -> bool {
        names.iter().any(|listed| **listed == *name.to_ascii_lowercase())
    }

    fn program(&self) -> Truth {
        let shape = self.shape;
        if shape.programs.is_empty() && shape.program_pattern.is_none() {
            return Truth::Yes;
        }
        if self.command.opaque.is_some() {
            return Truth::Hidden;
        }
        let Some(name) = self.line.program(self.command) else { return Truth::No };
        let fits = shape.program_pattern.is_some_and(|pattern| self.world.matches(pattern, name));
        (Self::is_listed(&shape.programs, name) || fits).into()
    }

    fn under(&self) -> Truth {
        let mut above = Vec::new();
        let mut next = self.command.parent;
        while let Some(parent) = next.map(|parent| &self.line.commands()[parent as usize]) {
            above.extend(self.line.program(parent));
            next = parent.parent;
        }
        let names = &self.shape.under;
        (names.is_empty() || above.iter().any(|name| Self::is_listed(names, name))).into()
    }

    /// Whether a word fits a pattern: surely if it does whatever its holes are.
    fn fits(&self, pattern: u32, word: &Word) -> Truth {
        let text = self.line.text(word);
        if !word.has_hole() {
            return self.world.matches(pattern, text).into();
        }
        let tries = ["", "\u{FDD0}", "\u{FDD0}\u{FDD0}"];
        let fits = |piece: &&str| self.world.matches(pattern, &text.replace(HOLE, piece));
        if tries.iter().all(fits) { Truth::Yes } else { Truth::Hidden }
    }

    fn redirected(&self, patterns: &[u32], counts: impl Fn(RedirectKind) -> bool) -> Truth {
        if patterns.is_empty() {
            return Truth::Yes;
        }
        let redirects = self.line.redirects(self.command).iter();
        let words = redirects.filter(|redirect| counts(redirect.kind)).map(|r| self.line.target(r));
        any(words.flat_map(|word| patterns.iter().map(move |pattern| (*pattern, word))).map(
            |(pattern, word)| {
                let text = self.line.text(&word);
                let path = super::files::normal(text, None);
                match word.has_hole() || path == text {
                    true => self.fits(pattern, &word),
                    false => self.world.matches(pattern, &path).into(),
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

    fn has_flag(&self, test: &FlagTest) -> Truth {
        any([self.shows_flag(test), if self.has_doubts() { Truth::Hidden } else { Truth::No }])
    }

    fn name(&self, flag: &Flag) -> &str {
        match flag.name {
            FlagName::Known(id) => self.world.programs.view().string(id),
            FlagName::Written(word) => self.line.text(&word),
        }
    }

    /// Whether a flag is there to see.
    fn shows_flag(&self, test: &FlagTest) -> Truth {
        let seen = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Flag(flag) if self.name(flag) == &*test.name => Some(flag.value),
            _ => None,
        });
        let fits = |value: Option<Word>| match (test.value, value) {
            (None, Some(value))
                if !value.has_hole()
                    && matches!(&*self.line.text(&value).to_lowercase(), "false" | "none") =>
            {
                Truth::No
            }
            (None, _) => Truth::Yes,
            (Some(pattern), Some(value)) => self.fits(pattern, &value),
            (Some(_), None) => Truth::No,
        };
        any(seen.map(fits))
    }

    fn exact(&self) -> Truth {
        if !self.shape.exact {
            return Truth::Yes;
        }
        let named = |name: &str| {
            self.shape.flags.iter().chain(&self.shape.any_flags).any(|test| *test.name == *name)
        };
        let extra = self.arguments.iter().any(|argument| match argument {
            Argument::Flag(flag) => !flag.is_global && !named(self.name(flag)),
            _ => false,
        });
        match (extra, self.has_doubts()) {
            (true, _) => Truth::No,
            (false, true) => Truth::Hidden,
            (false, false) => Truth::Yes,
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

    fn operands(&self) -> Truth {
        let Some(items) = &self.shape.operands else { return Truth::Yes };
        let words = self.operand_words();
        if self.sequence(items, &words, &|answer| answer == Truth::Yes, false) {
            Truth::Yes
        } else if self.sequence(items, &words, &|answer| answer != Truth::No, self.has_doubts()) {
            Truth::Hidden
        } else {
            Truth::No
        }
    }

    fn sequence(
        &self,
        items: &[Option<u32>],
        words: &[Word],
        accepts: &dyn Fn(Truth) -> bool,
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

    fn some_operand(&self) -> Truth {
        let patterns = &self.shape.some_operand;
        if patterns.is_empty() {
            return Truth::Yes;
        }
        let words = self.operand_words();
        let fits = words.iter().flat_map(|word| patterns.iter().map(|p| self.fits(*p, word)));
        any(fits.chain([if self.has_doubts() { Truth::Hidden } else { Truth::No }]))
    }

    fn without_operand(&self) -> Truth {
        let patterns = &self.shape.without_operand;
        let words = self.operand_words();
        let mut fits = words.iter().flat_map(|word| patterns.iter().map(|p| self.fits(*p, word)));
        (!fits.any(|fits| fits == Truth::Yes)).into()
    }

    fn variables(&self) -> Truth {
        let wanted = &self.shape.variables;
        if wanted.is_empty() {
            return Truth::Yes;
        }
        let Some(set) = self.line.variables_for(self.index) else { return Truth::Hidden };
        let pairs = set.iter().flat_map(|set| wanted.iter().map(move |test| (set, test)));
        any(pairs.filter(|(set, test)| set.name == &*test.name).map(|(set, test)| {
            match test.value {
                Some(pattern) => self.fits(pattern, &set.value),
                None => Truth::Yes,
            }
        }))
    }

    fn piped(&self) -> Truth {
        if self.shape.piped_from.is_empty() {
            return Truth::Yes;
        }
        let is_source = |command: &Command| match self.line.program(command) {
            Some(name) => Self::is_listed(&self.shape.piped_from, name).into(),
            None if command.opaque.is_some() => Truth::Hidden,
            None => Truth::No,
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

    fn substituted(&self) -> Truth {
        let names = &self.shape.substitutes;
        if names.is_empty() {
            return Truth::Yes;
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
            Some(name) => Self::is_listed(names, name).into(),
            None if command.opaque.is_some() => Truth::Hidden,
            None => Truth::No,
        }))
    }

    fn given(&self) -> Truth {
        let Some(pattern) = self.shape.given else { return Truth::Yes };
        let in_words = self.arguments.iter().map(|argument| match argument {
            Argument::Flag(flag) if flag.effect == FlagEffect::File => {
                match flag.value.and_then(|path| self.line.written_text(&path, self.index)) {
                    Some(text) => self.matches_given(pattern, &text).into(),
                    None => Truth::Missing,
                }
            }
            Argument::Flag(flag) => {
                flag.value.map_or(Truth::No, |value| self.mentions(pattern, &value))
            }
            Argument::Operand(word) | Argument::Unknown(word) => self.mentions(pattern, word),
        });
        let is_unknown = self.command.more || self.command.opaque.is_some();
        let more = if is_unknown { Truth::Hidden } else { Truth::No };
        let read = match self.line.input_text(self.command) {
            None => Truth::Missing,
            Some(text) if !text.is_empty() && self.matches_given(pattern, &text) => Truth::Yes,
            Some(text) if self.hides(&text) => Truth::Hidden,
            Some(_) => Truth::No,
        };
        any(in_words.chain([more, read]))
    }

    fn hides(&self, text: &str) -> bool {
        match self.shape.reads_statements {
            true => behavior_shell::sql::is_open(text),
            false => text.contains(HOLE),
        }
    }

    fn matches_given(&self, pattern: u32, text: &str) -> bool {
        match self.shape.reads_statements {
            true => self.world.matches(pattern, &behavior_shell::sql::statements(text)),
            false => self.world.matches(pattern, text),
        }
    }

    fn mentions(&self, pattern: u32, word: &Word) -> Truth {
        let text = self.line.text(word);
        let is_value = self.shape.reads_statements && text.contains(HOLE) && !self.hides(text);
        let is_hidden = word.has_hole() && !is_value;
        match (self.matches_given(pattern, self.line.text(word)), is_hidden) {
            (true, _) => Truth::Yes,
            (false, true) => Truth::Hidden,
            (false, false) => Truth::No,
        }
    }
}
