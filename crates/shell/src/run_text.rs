//! A text that a command runs is read as a part of the line: with the words that it is given, the variables that are set for
//! it, and where its functions see those of others. Looks for no texts itself.

use std::ops::Range;

use super::arguments::selected;
use super::programs::Traits;
use super::reader::{self, Place};
use super::runner::{Runner, add_opaque};
use super::variables::{Around, BEHIND_ITEM, New, POSITIONAL, Spot};
use super::{
    Command, CommandLine, HOLE, MAX_DEPTH, Opaque, Reach, Word, builtins, cmd, fish, powershell,
};

/// Reads a text that a command runs; `is_open` says that what is not known of it may hold any sign.
pub(super) fn run_text(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    text: &str,
    reach: Reach,
    is_open: bool,
) {
    run_given(line, command, runner, text, reach, is_open, None);
}

/// The same with words that are the name of the shell and its positional parameters.
pub(super) fn run_given(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    text: &str,
    reach: Reach,
    is_open: bool,
    given: Option<Range<u32>>,
) {
    let index = runner.index;
    let span = (command.span.start, command.span.end);
    let place = Place { parent: index, reach, span, in_loop: command.in_loop };
    let before = line.commands.len();
    if !line.may_read(text.len()) || is_printed(line, runner, text) {
        return;
    }
    let whole = text;
    let name = line.program(command).unwrap_or_default();
    let translated = match name {
        _ if reach == Reach::Function => None,
        "fish" => Some(fish::as_bash(text)),
        "pwsh" | "powershell" => Some(powershell::as_bash(text)),
        "cmd" => Some(cmd::as_bash(text)),
        _ => None,
    };
    let text = translated.as_deref().unwrap_or(text);
    let same_shell = reach == Reach::Function || matches!(name, "eval" | "trap" | "alias");
    let at_end = same_shell && builtins::runs_at_end(line, command);
    let frame = if reach == Reach::Function { frame_of(line, index) } else { None };
    let place_of_call = frame.map_or(runner.around, |(_, place)| place);
    let call = line.commands.get(place_of_call as usize);
    let comes_again = call.is_none_or(|call| call.in_loop || call.reach == Reach::Function);
    let around = Around { command: runner.around, same_shell, at_end, comes_again, frame };
    let functions = line.functions.len();
    let variables = line.variables.enter_text(around);
    if let Some(words) = given {
        give(line, super::range(&words), command.more);
    }
    set_for(line, index);
    reader::read(line, text, Some(place));
    let defines = line.functions.len() > functions;
    let own = before as u32..line.commands.len() as u32;
    line.variables.leave_text(variables, defines.then_some(own));
    let redirect = command.own_input.or(command.enclosing_input);
    let mut is_known = false;
    for inner in line.commands.iter_mut().skip(before) {
        is_known |= inner.runs() || !inner.redirects.is_empty();
        inner.may_run_more |= command.may_run_more;
        inner.input_unknown |= command.input_unknown && inner.input.is_empty();
        let reads = inner.own_input.is_some() || inner.enclosing_input.is_some();
        // A shell that reads its commands leaves nothing of them to read.
        let inherits =
            matches!(reach, Reach::Text | Reach::Function) && inner.parent == Some(index);
        if inherits && inner.input.is_empty() && !reads {
            inner.input = command.input.clone();
            inner.enclosing_input = redirect;
        }
    }
    // What is put into a text may hold any command: quotes around it do not keep it in.
    if text.contains(HOLE) && (is_open || !is_known) {
        add_opaque(line, index, command, Opaque::Text, reach);
    }
    line.note_text(before, whole, false);
}

/// What the text has set that defines the function which a command calls, and the command of it that comes to the call.
fn frame_of(line: &CommandLine, call: u32) -> Option<(u32, u32)> {
    let above = |command: &u32| line.commands.get(*command as usize)?.parent;
    let around = std::iter::successors(Some(call), above).take(MAX_DEPTH as usize + 1);
    { around }.find_map(|place| Some((line.variables.frame_of(place)?, place)))
}

/// Sets the variables that are set for a command alone.
fn set_for(line: &mut CommandLine, index: u32) {
    let spot = Spot { commands: line.commands.len(), in_loop: false, in_function: false };
    // What is set before a program that only runs the shell, as `env` does, is set for the shell.
    let of = |index: u32| line.commands.get(index as usize);
    let wrapper = |index: &u32| {
        of(*index).filter(|command| command.reach == Reach::Wrapper).and_then(|it| it.parent)
    };
    let mut around = [index; MAX_DEPTH as usize + 1];
    let found = std::iter::successors(Some(index), wrapper);
    around.iter_mut().zip(found).for_each(|(place, own)| *place = own);
    set_before(line, index, &around, spot);
    let CommandLine { set_for, variables, text, .. } = line;
    for (_, name, value) in set_for.iter().filter(|(command, ..)| around.contains(command)) {
        let written = |word: &Word| text.get(word.start as usize..word.end as usize);
        let (name, value_text) = (written(name).unwrap_or_default(), written(value));
        match value_text.filter(|_| !value.has_hole()) {
            Some(value) => variables.set(name, New::Text(value), spot),
            None => variables.lose(name, spot),
        }
    }
}

/// Sets the variables that the text around a command, which is no text of the line any more, has put into the environment.
fn set_before(line: &mut CommandLine, index: u32, own: &[u32], spot: Spot) {
    let set = line.variables_for(index as usize).unwrap_or_default().into_iter();
    let set = set.filter(|set| !own.contains(&set.command) && !set.value.has_hole());
    let set: Vec<(String, String)> =
        set.map(|set| (set.name.to_owned(), line.text(&set.value).to_owned())).collect();
    for (name, value) in set {
        if !line.variables.is_seen_set(&name) {
            line.variables.set(&name, New::Text(&value), spot);
            line.variables.set_perhaps(&name, false);
        }
    }
}

/// Sets the name of a shell and its positional parameters, as far as they are known. `more` may follow.
fn give(line: &mut CommandLine, words: Range<usize>, more: bool) {
    let spot = Spot { commands: line.commands.len(), in_loop: false, in_function: false };
    let behind = (words.start + 1).min(words.end)..words.end;
    if let Some(name) = line.constant_list(words.start..behind.start).filter(|_| !words.is_empty())
    {
        line.variables.set("0", New::Text(name.trim_end_matches('\0')), spot);
    }
    if let Some(mut list) = line.constant_list(behind) {
        if more {
            list.extend([HOLE, BEHIND_ITEM]);
        }
        line.variables.set(POSITIONAL, New::List(&list), spot);
    }
}

/// Whether a text is what programs print that print harmless commands.
fn is_printed(line: &CommandLine, runner: Runner<'_>, text: &str) -> bool {
    if !text.trim().chars().eq([HOLE]) {
        return false;
    }
    let behind = line.commands.iter().skip(runner.index as usize + 1);
    let mut inside = behind
        .take_while(|command| command.parent.is_some_and(|parent| parent >= runner.index))
        .filter(|command| command.parent == Some(runner.index))
        .filter(|command| command.reach == Reach::Substitution)
        .peekable();
    let programs = runner.programs;
    let prints = |command: &Command| {
        let program = line.program(command).and_then(|name| programs.find(name));
        let program = selected(line, line.words(command), program);
        command.opaque.is_none()
            && program.is_some_and(|program| program.has(Traits::PRINTS_COMMANDS))
    };
    inside.peek().is_some() && inside.all(prints)
}
