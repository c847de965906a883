//! Commands that other commands run: behind wrappers, in texts that are run, on a shell's input.

use std::ops::Range;

use super::arguments::{Argument, Arguments, Flag};
use super::given::{Input, input};
use super::programs::{Program, Programs, Traits};
use super::reader::{self, Place};
use super::{Command, CommandLine, HOLE, MOST_DEPTH, Opaque, Reach, Word, program_name};
use crate::code::{FlagEffect, Runs};

/// What a command was found to run.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// Some of its words.
    Words(Range<u32>),
    /// A text, made of these words.
    Text(Range<u32>),
    /// A text that is a part of a word.
    Part(Word),
    /// What a part of a word says, as a subcommand of the same program.
    Alias(Word),
    /// What it reads.
    Input,
    /// Something that nobody knows.
    Opaque(Opaque),
}

/// Adds what the commands of a line run, and what those run.
pub(super) fn unwrap(line: &mut CommandLine, programs: Programs<'_>) {
    let mut found = std::mem::take(&mut line.found);
    let mut index = 0;
    while let Some(command) = line.commands.get(index) {
        let known = line.program(command).and_then(|name| programs.name(name));
        if let Some(known) = known
            && let Some(command) = line.commands.get_mut(index)
        {
            (command.name, command.known) = (known.name, known.program);
            let program = programs.at(known.program);
            if let Some(program) = program.filter(|program| !program.has(Traits::INERT)) {
                let command = command.clone();
                look(line, &command, program, &mut found);
                for found in found.drain(..) {
                    add(line, index as u32, &command, program, found);
                }
            }
        }
        index += 1;
    }
    line.found = found;
}

/// Looks for what a command runs.
fn look(line: &CommandLine, command: &Command, program: Program<'_>, found: &mut Vec<Found>) {
    if command.opaque.is_some() {
        return;
    }
    let words = line.words(command);
    let first = command.words.start;
    let rest = |from: usize| first + from as u32..command.words.end;
    let mut arguments = Arguments::new(line, words, Some(program));
    let mut program = program;
    let mut operands = 0;
    let mut is_script = false;
    let mut runs_words = false;
    loop {
        let at = arguments.position();
        let Some(argument) = arguments.next() else { break };
        let selected = arguments.program().unwrap_or(program);
        let is_selection = !selected.is(&program);
        program = selected;
        match argument {
            Argument::Flag(flag) => {
                let taken = arguments.taken();
                let taken = first + taken.start as u32..first + taken.end as u32;
                look_at_flag(line, program, &flag, taken, found);
                is_script |= flag.effect == FlagEffect::Script;
                runs_words |= matches!(flag.effect, FlagEffect::Line | FlagEffect::Words);
            }
            Argument::Operand(word) | Argument::Unknown(word) => {
                if program.runs() == Runs::Nothing || is_selection {
                    continue;
                }
                if program.has(Traits::ASSIGNMENTS) && is_assignment(line.text(&word)) {
                    continue;
                }
                if operands < program.skip() {
                    operands += 1;
                    continue;
                }
                runs_words = true;
                found.push(match program.runs() {
                    Runs::Line => Found::Text(rest(at)),
                    Runs::Text => Found::Text(first + at as u32..first + at as u32 + 1),
                    Runs::Shell if is_script => {
                        Found::Text(first + at as u32..first + at as u32 + 1)
                    }
                    _ => Found::Words(rest(at)),
                });
                break;
            }
        }
    }
    if !runs_words && reads_commands(program, operands) {
        found.push(Found::Input);
    }
    if program.has(Traits::STATEMENTS) && input(line, command) == Input::Unknown {
        found.push(Found::Opaque(Opaque::Input));
    }
}

/// Whether a program that was not told what to run reads that from its input.
fn reads_commands(program: Program<'_>, operands: u32) -> bool {
    match program.runs() {
        Runs::Shell => true,
        // A login on another machine, or `parallel` without a command.
        Runs::Line => {
            program.skip() > 0 && operands == program.skip() || program.has(Traits::MORE_WORDS)
        }
        Runs::Nothing | Runs::Words | Runs::Text => false,
    }
}

fn look_at_flag(
    line: &CommandLine,
    program: Program<'_>,
    flag: &Flag,
    words: Range<u32>,
    found: &mut Vec<Found>,
) {
    match flag.effect {
        FlagEffect::Line => found.extend(flag.value.map(Found::Part)),
        FlagEffect::Words if !words.is_empty() => found.push(Found::Words(words)),
        FlagEffect::Input => found.push(Found::Input),
        FlagEffect::Setting => {
            let Some(value) = flag.value else { return };
            let text = line.text(&value);
            let Some((name, set)) = text.split_once('=') else { return };
            let start = value.start + name.len() as u32 + 1;
            if set.starts_with('!') {
                found.push(Found::Part(value.part(start + 1)));
            } else if set.starts_with(HOLE) && name.starts_with("alias.") {
                found.push(Found::Opaque(Opaque::Text));
            } else if name.starts_with("alias.") {
                // Another subcommand of the same program.
                found.push(Found::Alias(value.part(start)));
            } else if program.setting_is_command(name) {
                found.push(Found::Part(value.part(start)));
            }
        }
        _ => {}
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(reader::is_name)
            && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// Adds one thing that command `index` runs.
fn add(line: &mut CommandLine, index: u32, command: &Command, program: Program<'_>, found: Found) {
    if u32::from(command.depth) >= MOST_DEPTH {
        return line.fail(Opaque::TooDeep);
    }
    if line.is_full() {
        return;
    }
    let mut text = std::mem::take(&mut line.run_text);
    text.clear();
    match found {
        Found::Words(words) => add_words(line, index, command, program, words),
        Found::Text(words) => {
            for (number, word) in
                line.words.get(super::range(&words)).into_iter().flatten().enumerate()
            {
                text.push_str(if number == 0 { "" } else { " " });
                text.push_str(line.text(word));
            }
            run_text(line, index, command, &text, Reach::Text);
        }
        Found::Part(word) => {
            text.push_str(line.text(&word));
            run_text(line, index, command, &text, Reach::Text);
        }
        Found::Alias(word) => {
            // Another subcommand of the same program.
            text.extend([program.name(), " ", line.text(&word)]);
            run_text(line, index, command, &text, Reach::Text);
        }
        Found::Input => match input(line, command) {
            Input::Nothing => {}
            Input::Text(text) => run_text(line, index, command, &text, Reach::Input),
            Input::Unknown => add_opaque(line, index, command, Opaque::Input, Reach::Input),
        },
        Found::Opaque(reason) => add_opaque(line, index, command, reason, Reach::Text),
    }
    line.run_text = text;
}

/// A command that command `index` runs.
fn child(index: u32, command: &Command, reach: Reach) -> Command {
    Command {
        input: command.input.clone(),
        enclosing_input: command.own_input.or(command.enclosing_input),
        in_loop: command.in_loop,
        span: command.span.clone(),
        ..Command::new(Some(index), reach, command.depth.saturating_add(1))
    }
}

fn add_opaque(line: &mut CommandLine, index: u32, command: &Command, why: Opaque, reach: Reach) {
    line.commands.push(Command { opaque: Some(why), ..child(index, command, reach) });
}

fn add_words(
    line: &mut CommandLine,
    index: u32,
    command: &Command,
    program: Program<'_>,
    words: Range<u32>,
) {
    let mut added = child(index, command, Reach::Wrapper);
    added.words = words;
    if program.has(Traits::MORE_WORDS) {
        added.more = !add_more_words(line, command, program, &mut added);
    }
    let program = line.words(&added).first().map(|word| (word.is_glob(), line.text(word)));
    if let Some((is_glob, name)) = program
        && (is_glob && name != "[" || program_name(name).contains(HOLE))
    {
        added.opaque = Some(Opaque::Program);
    }
    // The place of the words, where they have one of their own.
    let spans = line.words(&added).iter().filter(|word| word.to > word.from);
    if let Some(from) = spans.clone().map(|word| word.from).min() {
        added.span = from..spans.map(|word| word.to).max().unwrap_or(from);
    }
    line.commands.push(added);
}

/// Adds the words that a program takes from its input, or puts them where it is told to. Says whether
/// no more may follow.
fn add_more_words(
    line: &mut CommandLine,
    command: &Command,
    program: Program<'_>,
    added: &mut Command,
) -> bool {
    const MOST: usize = 256;
    let text = match input(line, command) {
        Input::Text(text) if !text.contains(HOLE) => Some(text),
        _ => None,
    };
    if !line.may_read(text.as_ref().map_or(0, String::len)) {
        return false;
    }
    let sign = placeholder(line, command, program);
    if sign.is_none() && text.is_none() {
        return false;
    }
    let own = line.words.get(super::range(&added.words)).unwrap_or_default().to_vec();
    let start = line.words.len() as u32;
    if let Some(sign) = sign.filter(|sign| own.iter().any(|word| line.text(word).contains(sign))) {
        let item = text.as_deref().and_then(|text| text.lines().next());
        let hole = HOLE.to_string();
        let put = item.unwrap_or(&hole);
        for mut word in own {
            let times = line.text(&word).matches(&sign).count();
            if !line.has_room(times.saturating_mul(put.len())) {
                break;
            }
            let replaced = line.text(&word).replace(&sign, put);
            if replaced != line.text(&word) {
                word = line.add_text(&replaced, word.from..word.to);
                word.mark_unknown(item.is_none());
            }
            line.words.push(word);
        }
        added.words = start..line.words.len() as u32;
        return true;
    }
    let Some(text) = text else { return false };
    line.words.extend(own);
    for text in text.split_whitespace().take(MOST) {
        let word = line.add_text(text, command.span.clone());
        line.words.push(word);
    }
    added.words = start..line.words.len() as u32;
    true
}

/// The sign in the words of a command for which its input is put.
fn placeholder(line: &CommandLine, command: &Command, program: Program<'_>) -> Option<String> {
    for argument in Arguments::new(line, line.words(command), Some(program)) {
        match argument {
            Argument::Flag(flag)
                if matches!(flag.name.text(line, program.view()), "I" | "replace" | "i") =>
            {
                let sign = flag.value.map(|value| line.text(&value).to_owned());
                let sign = sign.filter(|sign| !sign.is_empty());
                return Some(sign.unwrap_or_else(|| "{}".to_owned()));
            }
            Argument::Flag(_) => {}
            Argument::Operand(_) | Argument::Unknown(_) => break,
        }
    }
    // What runs a command line has its sign without being told.
    (program.runs() == Runs::Line).then(|| "{}".to_owned())
}

fn run_text(line: &mut CommandLine, index: u32, command: &Command, text: &str, reach: Reach) {
    let span = (command.span.start, command.span.end);
    let place = Place { parent: index, reach, span, in_loop: command.in_loop };
    let before = line.commands.len();
    if !line.may_read(text.len()) {
        return;
    }
    reader::read(line, text, Some(place));
    let redirect = command.own_input.or(command.enclosing_input);
    let mut is_known = false;
    for inner in line.commands.iter_mut().skip(before) {
        is_known |= inner.runs();
        let reads = inner.own_input.is_some() || inner.enclosing_input.is_some();
        // A shell that reads its commands leaves nothing of them to read.
        let inherits = reach == Reach::Text && inner.parent == Some(index);
        if inherits && inner.input.is_empty() && !reads {
            inner.input = command.input.clone();
            inner.enclosing_input = redirect;
        }
    }
    // What is put into a text may hold any command.
    let evaluates = line.program(command).is_some_and(|name| name.eq_ignore_ascii_case("eval"));
    if text.contains(HOLE) && (evaluates || !is_known) {
        add_opaque(line, index, command, Opaque::Text, reach);
    }
}
