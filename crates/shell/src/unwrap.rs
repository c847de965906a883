//! Commands that other commands run: behind wrappers, in texts that are run, on a shell's input. What a command runs is
//! found by `search.rs`, and added to the line by `add.rs`, until nothing new comes of what was added.

use super::add::{add, run_as_git, run_meaning};
use super::argument::Argument;
use super::command::NONE;
use super::compiled::run_compiled;
use super::emptied::run_emptied;
use super::found::Found;
use super::programs::{Programs, Runs, Traits};
use super::restored::run_restored;
use super::run_fetched::run_fetched;
use super::run_files::run_own_file;
use super::run_text::run_given;
use super::runner::{Runner, around};
use super::search::search;
use super::stored::Stored;
use super::terminals::run_in_terminal;
use super::usual::run_usual;
use super::{CommandLine, MAX_DEPTH, Opaque, Reach};

/// Adds what the commands of a line run, and what those run.
pub(super) fn unwrap(line: &mut CommandLine, programs: Programs<'_>) {
    let mut found = std::mem::take(&mut line.found);
    let mut arguments = std::mem::take(&mut line.arguments);
    let own = line.commands.len();
    let mut text = String::new();
    let (mut index, mut values) = (0, 0);
    let mut stored = Stored::default();
    loop {
        if let Some(command) = line.commands.get(index) {
            let known = line.program(command).and_then(|name| programs.name(name));
            if let Some(known) = known
                && let Some(command) = line.commands.get_mut(index)
            {
                (command.name, command.known) = (known.name, known.program.unwrap_or(NONE));
                let program = known.program.map(|program| programs.at(program));
                if let Some(program) = program.filter(|program| !program.has(Traits::INERT)) {
                    let around = around(line, own, index);
                    let program = Some(program);
                    let runner = Runner { index: index as u32, around, programs, program, stored };
                    unwrap_command(line, runner, &mut arguments, &mut found);
                    run_in_terminal(line, index, own, programs);
                }
            }
            line.look_up_read(index as u32);
            line.look_up_list(index as u32);
            if let Some(command) = line.commands.get(index) {
                stored.note(line, command);
            }
            run_meaning(line, index, own, programs, stored);
            run_as_git(line, index, programs);
            run_own_file(line, index, own, programs);
            run_compiled(line, index, own, programs);
            run_emptied(line, index, programs);
            run_restored(line, index);
            run_fetched(line, index);
            run_usual(line, index);
            for number in 0..line.functions.len() {
                call(line, index, number, own, programs, &mut text);
            }
            index += 1;
        } else if let Some(&(command, run, word)) = line.values.get(values) {
            let around = around(line, own, command as usize);
            let runner = Runner { index: command, around, programs, program: None, stored };
            if let Some(command) = line.commands.get(command as usize).cloned() {
                add(line, &command, runner, Found::Value(run, word));
            }
            values += 1;
        } else {
            break;
        }
    }
    line.found = found;
    line.arguments = arguments;
    line.drop_definitions();
    line.drop_unused();
}

/// Adds what a command runs that calls a function, given its words.
fn call(
    line: &mut CommandLine,
    index: usize,
    number: usize,
    own: usize,
    programs: Programs<'_>,
    text: &mut String,
) {
    let Some(body) = line.called(index, number) else { return };
    let Some(command) = line.commands.get(index).cloned() else { return };
    if u32::from(command.depth) >= MAX_DEPTH {
        return line.fail(Opaque::TooDeep);
    }
    if line.is_full() {
        return;
    }
    text.clear();
    text.push_str(line.text(&body));
    let around = around(line, own, index);
    let stored = Stored::default();
    let runner = Runner { index: index as u32, around, programs, program: None, stored };
    let given = Some(command.words.clone()).filter(|_| !command.more);
    run_given(line, &command, runner, text, Reach::Function, false, given);
}

/// Adds what one command runs.
fn unwrap_command(
    line: &mut CommandLine,
    runner: Runner<'_>,
    arguments: &mut Vec<Argument>,
    found: &mut Vec<Found>,
) {
    let index = runner.index as usize;
    super::environment_files::take(line, runner.index);
    let Some(program) = runner.program else { return };
    let Some(command) = line.commands.get(index) else { return };
    let start = arguments.len();
    let (is_all, selected) = search(line, (command, runner.index), program, arguments, found);
    // A subcommand may run code where its program does not, or code of another language.
    let selected = runner.programs.at(selected);
    let program = if selected.runs_code() { selected } else { program };
    let runner = Runner { program: Some(program), ..runner };
    if !is_all {
        arguments.truncate(start);
    }
    let may_run = program.runs() != Runs::Nothing
        || program.runs_code()
        || program.has(Traits::STATEMENTS | Traits::RUNS_FILES);
    if may_run && line.looks_for_scripts() {
        let command = line.commands.get(index).cloned();
        command.iter().for_each(|command| line.look_up_shown(index as u32, command));
    }
    let Some(command) = line.commands.get_mut(index) else { return };
    command.arguments = is_all.then_some(start as u32..arguments.len() as u32);
    if found.is_empty() {
        return;
    }
    command.may_run_more |= found.iter().any(|found| matches!(found, Found::More));
    let command = command.clone();
    for found in found.drain(..) {
        add(line, &command, runner, found);
    }
}
