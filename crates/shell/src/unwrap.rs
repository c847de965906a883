//! Commands that other commands run: behind wrappers, in texts that are run, on a shell's input.

use std::ops::Range;

use super::argument::{Argument, Flag};
use super::arguments::{Arguments, selected};
use super::command::NONE;
use super::environment::{self, Run};
use super::found::Found;
use super::given::{self, Input, input};
use super::hole::LISTED;
use super::program_name::program_name;
use super::programs::{FlagEffect, Program, Programs, Runs, Traits};
use super::reader::{self, Place};
use super::variables::{Around, New, POSITIONAL, Spot};
use super::{
    Command, CommandLine, HOLE, Language, MAX_DEPTH, Opaque, Reach, Redirect, RedirectKind, Word,
    builtins, escapes, fish, languages, recipes, sed, settings, sources, sql,
    stored::{self, Meaning, Stored},
    tasks,
    written::{self, Written},
};

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
                }
            }
            if let Some(command) = line.commands.get(index) {
                stored.note(line, command);
            }
            run_meaning(line, index, own, programs, stored);
            run_as_git(line, index, programs);
            run_own_file(line, index, own, programs);
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

/// The place of the command of the line itself that a command comes from, of which there are `own`.
fn around(line: &CommandLine, own: usize, index: usize) -> u32 {
    let mut around = index;
    while around >= own {
        let parent = line.commands.get(around).and_then(|command| command.parent);
        around = parent.unwrap_or(0) as usize;
    }
    around as u32
}

/// Adds what one command runs.
fn unwrap_command(
    line: &mut CommandLine,
    runner: Runner<'_>,
    arguments: &mut Vec<Argument>,
    found: &mut Vec<Found>,
) {
    let index = runner.index as usize;
    let Some(program) = runner.program else { return };
    let Some(command) = line.commands.get(index) else { return };
    let start = arguments.len();
    let (is_all, selected) = look(line, (command, runner.index), program, arguments, found);
    // A subcommand may run code where its program does not, or code of another language.
    let selected = runner.programs.at(selected);
    let program = if selected.runs_code() { selected } else { program };
    let runner = Runner { program: Some(program), ..runner };
    if !is_all {
        arguments.truncate(start);
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

/// Where a program that runs code of a language finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodeGiven {
    /// Nowhere yet: if nothing comes, it reads it.
    Nothing,
    /// It reads it.
    Input,
    /// In a word, or in a file.
    Somewhere,
}

/// A command that runs others.
#[derive(Clone, Copy, Debug)]
struct Runner<'p> {
    /// Its place.
    index: u32,
    /// The place of the command of the line itself that it comes from.
    around: u32,
    programs: Programs<'p>,
    /// What is known of its own program.
    program: Option<Program<'p>>,
    /// What the line has given a meaning to before.
    stored: Stored,
}

/// Looks for what a command runs, and keeps the arguments that it reads. Returns whether those are all, and the program
/// that its words select, by its number.
fn look(
    line: &CommandLine,
    (command, index): (&Command, u32),
    program: Program<'_>,
    read: &mut Vec<Argument>,
    found: &mut Vec<Found>,
) -> (bool, u32) {
    if command.opaque.is_some() {
        return (false, program.id());
    }
    let words = line.words(command);
    let first = command.words.start;
    let rest = |from: usize| first + from as u32..command.words.end;
    let mut arguments = Arguments::new(line, words, Some(program));
    let mut program = program;
    let mut operands = 0;
    let (mut is_script, mut reads_file, mut runs_words) = (false, false, false);
    let (mut entry, mut setting) = (None, None);
    let (mut sed_script, mut has_sed_script) = (None, false);
    let mut code = CodeGiven::Nothing;
    let (mut is_aliased, mut reads_input, mut is_idle) = (false, false, false);
    let mut tests = false;
    let mut is_interactive = false;
    let is_all = loop {
        let at = arguments.position();
        let Some(argument) = arguments.next() else { break true };
        read.push(argument);
        let selected = arguments.program().unwrap_or(program);
        let is_selection = !selected.is(&program);
        program = selected;
        match argument {
            Argument::Flag(flag) => {
                let taken = arguments.taken();
                let taken = first + taken.start as u32..first + taken.end as u32;
                look_at_flag(line, index, program, &flag, taken, found);
                is_script |= flag.effect == FlagEffect::Script;
                is_interactive |=
                    program.runs() == Runs::Shell && flag.name.text(line, program) == "i";
                reads_input |= flag.effect == FlagEffect::Input && program.runs() == Runs::Shell;
                reads_file |= flag.effect == FlagEffect::File;
                is_idle |= flag.effect == FlagEffect::Idle;
                if flag.effect == FlagEffect::Entry {
                    entry = flag.value.filter(|value| !line.text(value).is_empty());
                }
                if flag.effect == FlagEffect::Instead {
                    operands = program.skip();
                }
                runs_words |= matches!(flag.effect, FlagEffect::Line | FlagEffect::Words);
                runs_words |= flag.effect == FlagEffect::Encoded;
                if program.has(Traits::SED) && flag.name.text(line, program) == "e" {
                    has_sed_script = true;
                    flag.value.into_iter().for_each(|value| look_at_sed(line, value, found));
                }
                let flag_name = flag.name.text(line, program);
                let is_file = flag.effect == FlagEffect::File;
                let is_code = languages::is_code(program.language(), flag_name);
                let is_module = languages::is_module(program.language(), flag_name);
                let gives_code = takes_code(program)
                    && !program.has(Traits::FINDS_CODE)
                    && (is_code || is_file || is_module);
                tests |= languages::is_for_tests(program.language(), flag_name);
                if let Some(value) = flag.value.filter(|_| gives_code) {
                    found.push(match is_code && is_hole(line.text(&value)) {
                        true => Found::Opaque(Opaque::Text),
                        false if is_file && value.is_process() => Found::Process(value),
                        false if is_file && is_written(line, value, index) => Found::Written(value),
                        false if is_module => Found::Module(value),
                        false => Found::Code(value),
                    });
                    code = CodeGiven::Somewhere;
                }
                if let Some(value) = flag.value.filter(|_| program.has_escapes()) {
                    look_for_escapes(line, program, value, found);
                }
            }
            Argument::Operand(word) | Argument::Unknown(word) => {
                if matches!(argument, Argument::Unknown(_)) && program.has(Traits::FLAGS_RUN) {
                    found.push(Found::More);
                }
                if program.has(Traits::ALIASES) {
                    found.push(Found::More);
                    let alias = match is_aliased {
                        true => None,
                        false => stored::git_alias(line, index as usize, line.text(&word)),
                    };
                    is_aliased = true;
                    found.extend(alias.map(|alias| Found::Alias(alias, rest(at + 1))));
                }
                if is_selection {
                    found.push(Found::Hooks(word));
                }
                if program.has_escapes() {
                    look_for_escapes(line, program, word, found);
                }
                if takes_code(program)
                    && code == CodeGiven::Nothing
                    && !is_selection
                    && !program.has(Traits::FINDS_CODE)
                {
                    let given = match is_written(line, word, index) {
                        true => Some(Found::Written(word)),
                        false if word.is_process() => Some(Found::Process(word)),
                        false if is_plain_name(line.text(&word)) => None,
                        false => Some(Found::Code(word)),
                    };
                    found.extend(given);
                    code = match line.text(&word) {
                        "-" => CodeGiven::Input,
                        _ => CodeGiven::Somewhere,
                    };
                }
                if program.has(Traits::SED) {
                    sed_script.get_or_insert(word);
                }
                if program.has(Traits::SETTINGS) && !is_selection {
                    if matches!(argument, Argument::Unknown(_)) {
                        found.push(Found::More);
                    }
                    look_at_setting(line, program, word, found);
                    if let Some(name) = setting.replace(word) {
                        look_at_pair(line, program, name, word, found);
                    }
                }
                let assigned = program.has(Traits::ASSIGNMENTS).then(|| assignment(line, word));
                if let Some((name, value)) = assigned.flatten() {
                    let end = word.start + name.len() as u32;
                    found.push(Found::Assigned(word.until(end), value));
                    found.extend(environment::run(name).map(|run| Found::Value(run, value)));
                    // What is not run here is no part of what this does.
                    if program.runs() != Runs::Nothing && !environment::is_harmless(name) {
                        found.push(Found::More);
                    }
                    continue;
                }
                if program.runs() == Runs::Nothing || is_selection {
                    continue;
                }
                if operands < program.skip() {
                    operands += 1;
                    if operands == program.skip()
                        && let Some(entry) = entry.take()
                    {
                        // All that follows is what it is given.
                        runs_words = true;
                        found.push(Found::Entry(entry, rest(at + 1)));
                        break false;
                    }
                    continue;
                }
                runs_words = true;
                if let Some(entry) = entry.take() {
                    found.push(Found::Entry(entry, rest(at)));
                    break false;
                }
                let own = first + at as u32..first + at as u32 + 1;
                found.push(match program.runs() {
                    Runs::Line if program.has(Traits::SOURCES) => Found::Sources(rest(at)),
                    Runs::Line => Found::Text(rest(at)),
                    Runs::Text => Found::Text(own),
                    Runs::Texts => {
                        found.push(Found::Text(own));
                        continue;
                    }
                    Runs::Shell if reads_input => Found::InputWith(rest(at)),
                    Runs::Shell if is_script => Found::Script(word, rest(at + 1)),
                    _ if is_own_input(line.text(&word)) => Found::Input,
                    _ if word.is_process() && reads_scripts(program) => Found::Process(word),
                    Runs::Words if reads_scripts(program) && is_written(line, word, index) => {
                        Found::Written(word)
                    }
                    Runs::Shell if is_device(line.text(&word)) => Found::Opaque(Opaque::Input),
                    Runs::Shell if is_written(line, word, index) => Found::Written(word),
                    _ => Found::Words(rest(at)),
                });
                break false;
            }
        }
    };
    if !has_sed_script && !reads_file {
        sed_script.into_iter().for_each(|script| look_at_sed(line, script, found));
    }
    if let Some(entry) = entry.filter(|_| !runs_words && program.skip() == 0) {
        let end = command.words.end;
        found.push(Found::Entry(entry, end..end));
    } else if !runs_words && command.more && program.runs() != Runs::Nothing {
        // What follows is what it runs.
        found.push(Found::Opaque(Opaque::Text));
    } else if !runs_words && reads_commands(program, operands) {
        let is_file = reads_file && program.has(Traits::MORE_WORDS);
        found.push(if is_file { Found::Opaque(Opaque::Input) } else { Found::Input });
    }
    if command.more && program.has(Traits::FLAGS_RUN) {
        found.push(Found::More);
    }
    if program.has(Traits::FINDS_CODE) || tests {
        found.push(Found::Own);
    } else if takes_code(program) && code != CodeGiven::Somewhere {
        found.push(Found::InputCode);
    }
    if tasks::is_runner(program.language()) && !reads_file {
        found.push(Found::Makefile(None));
    }
    if program.has(Traits::UNSEEN) {
        found.push(Found::More);
    }
    // A shell that is talked to reads a file before: POSIX, of `sh`.
    if is_interactive {
        let set = line.variables_for(index as usize).unwrap_or_default().into_iter();
        let named = set.filter(|variable| variable.name == "ENV");
        found.extend(named.map(|variable| Found::Value(Run::File, variable.value)));
    }
    if is_configured_by_environment(line, command) {
        let settings = settings::of(line, index as usize);
        found.extend(settings.is_open.then_some(Found::More));
        found.extend((!settings.set.is_empty()).then_some(Found::Configured(settings.set)));
    }
    if program.has(Traits::STATEMENTS) {
        for word in words.iter().skip(1) {
            for name in sql::files(line.text(word)) {
                let start = word.start + name.start as u32;
                let part = word.part(start).until(word.start + name.end as u32);
                found.extend(is_written(line, part, index).then_some(Found::Included(part)));
            }
        }
        match input(line, command) {
            Input::Unknown if !reads_named_file(line, command) => {
                found.push(Found::Opaque(Opaque::Input));
            }
            Input::Text(text) if !escapes::places(program, &text).is_empty() => {
                found.push(Found::Escapes)
            }
            _ => {}
        }
    }
    if is_idle {
        found.clear();
    }
    (is_all, program.id())
}

/// Whether the environment of a command may bring settings of its program.
fn is_configured_by_environment(line: &CommandLine, command: &Command) -> bool {
    !line.set_for.is_empty() && line.program(command) == Some("git")
}

/// Whether what a command reads is a file with a name.
fn reads_named_file(line: &CommandLine, command: &Command) -> bool {
    let last = line.redirects(command).iter().rev().find(|redirect| redirect.reads());
    let redirect = last.or(match command.input.is_empty() {
        true => line.enclosing_input(command),
        false => None,
    });
    redirect.is_some_and(|redirect| {
        let target = line.target(redirect);
        redirect.kind == RedirectKind::Read
            && !line.text(&target).bytes().all(|byte| byte.is_ascii_digit())
            && !is_device(line.text(&target))
            // `<( … )`
            && line.text(&target) != "\u{FDD0}"
    })
}

/// Whether a path is a descriptor of whoever opens it.
fn is_device(path: &str) -> bool {
    path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin"
}

/// Whether a path is what its reader reads anyway.
fn is_own_input(path: &str) -> bool {
    matches!(path, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// Whether a program that was not told what to run reads that from its input.
fn reads_commands(program: Program<'_>, operands: u32) -> bool {
    match program.runs() {
        Runs::Shell => true,
        // A login on another machine, or `parallel` without a command.
        Runs::Line => {
            program.skip() > 0 && operands == program.skip() || program.has(Traits::MORE_WORDS)
        }
        Runs::Nothing | Runs::Words | Runs::Text | Runs::Texts => false,
    }
}

/// Whether a program takes code as a value of its flags, as an operand, or to read.
fn takes_code(program: Program<'_>) -> bool {
    program.runs_code() && !tasks::is_runner(program.language())
}

/// Whether nothing is known of a text.
fn is_hole(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character == HOLE)
}

/// Whether a program runs the commands in a file that its first operand names.
fn reads_scripts(program: Program<'_>) -> bool {
    program.runs() == Runs::Shell || matches!(program.name(), "source" | ".")
}

fn look_at_flag(
    line: &CommandLine,
    index: u32,
    program: Program<'_>,
    flag: &Flag,
    words: Range<u32>,
    found: &mut Vec<Found>,
) {
    match flag.effect {
        FlagEffect::Line => found.extend(flag.value.map(Found::Part)),
        FlagEffect::Words if !words.is_empty() => found.push(Found::Each(words)),
        // A shell reads its input whatever stands behind that.
        FlagEffect::Input if program.runs() == Runs::Shell => {}
        FlagEffect::Input => found.push(Found::Input),
        FlagEffect::Setting => {
            if let Some(value) = flag.value {
                look_at_setting(line, program, value, found);
            }
        }
        FlagEffect::Hidden if program.language() == Language::Make => {
            found.push(Found::More);
            found.extend(flag.value.map(Found::Rules));
        }
        FlagEffect::Hidden => found.push(Found::More),
        FlagEffect::Encoded => found.push(Found::Opaque(Opaque::Text)),
        FlagEffect::Directory => {
            let leads_out = |value| is_elsewhere(line.text(&value));
            if flag.value.is_some_and(leads_out) {
                found.push(Found::More);
            }
        }
        FlagEffect::File if tasks::is_runner(program.language()) => {
            found.extend(flag.value.map(|value| Found::Makefile(Some(value))));
        }
        // What a shell reads before anything else runs beside that.
        FlagEffect::File if program.runs() == Runs::Shell => {
            found.push(Found::More);
            let written = flag.value.filter(|value| is_written(line, *value, index));
            found.extend(written.map(Found::Written));
        }
        _ => {}
    }
}

/// Whether a path may lead out of the directory that it is seen from.
fn is_elsewhere(path: &str) -> bool {
    path.starts_with(['/', '\\', '~', HOLE])
        || path.contains([':', HOLE])
        || path.split(['/', '\\']).any(|part| part == "..")
}

/// A script of `sed`, which may run commands, or what it makes of its input, or write files.
fn look_at_sed(line: &CommandLine, word: Word, found: &mut Vec<Found>) {
    for run in sed::runs(line.text(&word)) {
        let (sed::Run::Line(range) | sed::Run::Input(range) | sed::Run::Write(range)) = &run;
        let start = word.start + range.start as u32;
        let part = word.part(start).until(start + range.len() as u32);
        if !range.is_empty() {
            found.push(match run {
                sed::Run::Write(_) => Found::Writes(part),
                sed::Run::Line(_) | sed::Run::Input(_) => Found::Part(part),
            });
        }
        if matches!(run, sed::Run::Input(_)) {
            found.push(Found::Opaque(Opaque::Text));
        }
    }
}

/// `NAME=VALUE`, which may set a command; some programs take a blank for the `=`.
fn look_at_setting(line: &CommandLine, program: Program<'_>, word: Word, found: &mut Vec<Found>) {
    let text = line.text(&word);
    let cut = text.find(['=', ' ', '\t']);
    let (name, set) = text.split_at_checked(cut.unwrap_or(text.len())).unwrap_or((text, ""));
    let set = set.get(1..).unwrap_or_default();
    let start = word.start + name.len() as u32 + 1;
    // A command line of the user's own, which runs where its name is used.
    let own = match name.strip_prefix("alias.") {
        None if program.setting_is_command("*") => Some(name),
        own => own,
    };
    // An operand without a value only asks for the setting.
    if program.has(Traits::SETTINGS) && cut.is_none() {
        return;
    }
    if program.has(Traits::SETTINGS) && own.is_some_and(|own| !is_used(line, own)) {
        return;
    }
    let is_looked_up = program.name() == "git" && name.starts_with("alias.");
    if is_looked_up {
        // It is looked at where it is used.
    } else if set.starts_with('!') {
        found.push(Found::Part(word.part(start + 1)));
    } else if program.setting_is_command(name) {
        if !set.is_empty() {
            found.push(Found::Part(word.part(start)));
        }
    } else if !program.setting_is_harmless(name) {
        found.push(Found::More);
    }
}

/// Whether a word of the line, of those that come first, is a name.
fn is_used(line: &CommandLine, name: &str) -> bool {
    const MAX: usize = 512;
    line.words.iter().take(MAX).any(|word| line.text(word) == name) || line.words.len() > MAX
}

/// A setting and its value, which may be a command.
fn look_at_pair(
    line: &CommandLine,
    program: Program<'_>,
    name: Word,
    value: Word,
    found: &mut Vec<Found>,
) {
    let (name, text) = (line.text(&name), line.text(&value));
    if name.starts_with("alias.") {
        // It runs where it is used: where the line does not, nobody looks.
        found.push(Found::More);
        return;
    }
    if let Some(command) = text.strip_prefix('!') {
        let start = value.end.saturating_sub(command.len() as u32);
        found.push(Found::Part(value.part(start)));
    } else if program.setting_is_command(name) {
        found.push(Found::Part(value));
    } else if name.contains('.') && !program.setting_is_harmless(name) {
        found.push(Found::More);
    }
}

/// Command lines in a word, behind signs that the program knows.
fn look_for_escapes(line: &CommandLine, program: Program<'_>, word: Word, found: &mut Vec<Found>) {
    let text = line.text(&word);
    // What may stand in code of another language is for that to know.
    let may_be_escape =
        |escape: &str| !escape.starts_with('>') && escapes::closing_quote(escape).is_none();
    if word.has_hole() && text.starts_with(HOLE) && program.escapes().any(may_be_escape) {
        found.push(Found::More);
    }
    for place in escapes::places(program, text) {
        let part = word.part(word.start + place.start).until(word.start + place.end);
        found.push(if place.is_file { Found::Writes(part) } else { Found::Part(part) });
    }
}

/// The name and the value of `NAME=VALUE`. What begins with `/` is a path.
fn assignment(line: &CommandLine, word: Word) -> Option<(&str, Word)> {
    let (name, _) = line.text(&word).split_once('=')?;
    let is_name = !name.is_empty() && !name.starts_with('/');
    is_name.then(|| (name, word.part(word.start + name.len() as u32 + 1)))
}

/// Adds that a command writes a file.
fn write_file(line: &mut CommandLine, command: &Command, runner: Runner<'_>, name: &str) {
    let text = format!("> {}", sources::quoted(name));
    run_text(line, command, runner, &text, Reach::Text, false);
}

/// Adds one thing that a command runs.
fn add(line: &mut CommandLine, command: &Command, runner: Runner<'_>, found: Found) {
    let index = runner.index;
    if u32::from(command.depth) >= MAX_DEPTH {
        return line.fail(Opaque::TooDeep);
    }
    if line.is_full() {
        return;
    }
    let mut text = std::mem::take(&mut line.run_text);
    text.clear();
    match found {
        Found::Words(words) => add_words(line, index, command, runner.program, words),
        Found::Each(words) => {
            let words = put_holes(line, words);
            add_words(line, index, command, runner.program, words);
        }
        Found::Entry(program, words) => {
            let start = line.words.len() as u32;
            line.words.push(program);
            line.words.extend_from_within(super::range(&words));
            let words = start..line.words.len() as u32;
            add_words(line, index, command, runner.program, words);
        }
        Found::Text(words) => {
            let mut is_open = false;
            for (number, word) in
                line.words.get(super::range(&words)).into_iter().flatten().enumerate()
            {
                is_open |= word.may_hold_syntax();
                text.push_str(if number == 0 { "" } else { " " });
                text.push_str(line.text(word));
            }
            run_text(line, command, runner, &text, Reach::Text, is_open);
        }
        Found::Script(word, words) => {
            text.push_str(line.text(&word));
            let given = Some(words);
            let is_open = word.may_hold_syntax();
            run_given(line, command, runner, &text, Reach::Text, is_open, given);
        }
        Found::Part(word) => {
            text.push_str(line.text(&word));
            run_text(line, command, runner, &text, Reach::Text, word.may_hold_syntax());
        }
        Found::Value(Run::Tool, word) if word.has_hole() => {}
        Found::Value(run, word) => {
            text.extend([run.before(), run.of(line.text(&word))]);
            // It reads what a program gives it, and not what that is given.
            let apart = Command {
                input: 0..0,
                own_input: None,
                enclosing_input: None,
                input_unknown: true,
                ..command.clone()
            };
            run_text(line, &apart, runner, &text, Reach::Text, word.may_hold_syntax());
        }
        Found::Alias(alias, words) => {
            let program = runner.program.map_or("", |program| program.name());
            match alias.strip_prefix('!') {
                Some(own) => text.push_str(own),
                None => text.extend([program, " ", alias.as_str()]),
            }
            push_quoted(line, &words, &mut text);
            run_text(line, command, runner, &text, Reach::Text, alias.starts_with(HOLE));
        }
        Found::Hooks(word) => {
            for file in runner.stored.hooks(line, index as usize, line.text(&word)) {
                run_script(line, command, runner, &file);
            }
        }
        Found::Makefile(file) => run_makefile(line, command, runner, file),
        Found::Rules(word) => {
            let rules = line.text(&word).to_owned();
            run_rules(line, command, runner, &rules);
        }
        Found::Process(word) => match written::process(line, Some(index), word) {
            Some(given) if runner.program.is_some_and(|program| program.runs_code()) => {
                run_code(line, command, runner, &given);
            }
            Some(given) => run_text(line, command, runner, &given, Reach::Input, true),
            None => add_opaque(line, index, command, Opaque::Input, Reach::Input),
        },
        Found::Input => match input(line, command) {
            Input::Nothing => {}
            Input::Text(text) => run_text(line, command, runner, &text, Reach::Input, true),
            Input::Unknown => add_opaque(line, index, command, Opaque::Input, Reach::Input),
        },
        Found::InputWith(words) => match input(line, command) {
            Input::Nothing => {}
            Input::Text(text) => {
                let start = line.words.len() as u32;
                let own = command.words.start as usize..command.words.start as usize + 1;
                line.words.extend_from_within(own);
                line.words.extend_from_within(super::range(&words));
                let given = Some(start..line.words.len() as u32);
                run_given(line, command, runner, &text, Reach::Input, true, given);
            }
            Input::Unknown => add_opaque(line, index, command, Opaque::Input, Reach::Input),
        },
        Found::Escapes => {
            if let Input::Text(given) = input(line, command) {
                let escaped = runner.program.map(|program| escapes::places(program, &given));
                for place in escaped.into_iter().flatten() {
                    let range = place.start as usize..place.end as usize;
                    let part = given.get(range).unwrap_or_default();
                    match place.is_file {
                        true => write_file(line, command, runner, part),
                        false => run_text(line, command, runner, part, Reach::Text, true),
                    }
                }
            }
        }
        Found::Writes(word) => {
            let name = line.text(&word).to_owned();
            write_file(line, command, runner, &name);
        }
        Found::Code(word) => {
            text.push_str(line.text(&word));
            run_code(line, command, runner, &text);
        }
        // Of a line that is too large nothing more is looked at.
        Found::Written(_) | Found::Module(_) | Found::Own if !line.may_read(0) => {}
        Found::Written(word) => {
            let file = written::file(line, line.text(&word), index as usize);
            if let Some(file) = file {
                run_file(line, command, runner, &file);
            }
        }
        Found::Included(name) => {
            let file = written::file(line, line.text(&name), index as usize);
            if let Some(file) = file.filter(|file| !file.is_open) {
                let words = line.words(command);
                for (number, word) in words.iter().enumerate() {
                    // The word itself would be read once more.
                    if word.start > name.start || word.end < name.end {
                        text.push_str(if number == 0 { "" } else { " " });
                        text.push_str(&sources::quoted(line.text(word)));
                    }
                }
                text.push_str(" <<< ");
                text.push_str(&sources::quoted(&file.text));
                run_text(line, command, runner, &text, Reach::Text, false);
            }
        }
        Found::Module(word) => {
            let name = line.text(&word).to_owned();
            let module = runner.programs.find(&name).filter(|known| known.has(Traits::FINDS_CODE));
            match module {
                Some(_) => run_own(line, command, runner),
                None => run_module(line, command, runner, &name),
            }
        }
        Found::Own => run_own(line, command, runner),
        Found::InputCode => {
            let is_cron = runner.program.is_some_and(|p| p.language() == Language::Cron);
            let given = match is_cron {
                // What stood in the table before is not the line's doing.
                true => Input::Text(given::known_input(line, command)),
                false => input(line, command),
            };
            if let Input::Text(given) = given {
                run_code(line, command, runner, &given);
            }
        }
        Found::Sources(words) => match sources::lines(line, words) {
            Some(lines) => {
                for text in &lines {
                    run_text(line, command, runner, text, Reach::Text, false);
                }
            }
            None => add_opaque(line, index, command, Opaque::TooLarge, Reach::Text),
        },
        Found::Assigned(name, value) => line.set_for.push((index, name, value)),
        Found::Configured(settings) => add_configured(line, command, index, &settings),
        Found::Opaque(reason) => add_opaque(line, index, command, reason, Reach::Text),
        Found::More => {}
    }
    line.run_text = text;
}

/// Adds a command with settings before its words, as `-c` gives them, unless it has them.
fn add_configured(line: &mut CommandLine, command: &Command, index: u32, settings: &[String]) {
    let [program, rest @ ..] = line.words(command) else { return };
    let has = |setting: &&String| !rest.iter().any(|word| line.text(word) == setting.as_str());
    let new: Vec<&String> = settings.iter().filter(has).collect();
    let size: usize = new.iter().map(|setting| setting.len() + 2).sum();
    let (program, rest) = (*program, rest.to_vec());
    if new.is_empty() || !line.has_room(size) {
        return;
    }
    let start = line.words.len() as u32;
    line.words.push(program);
    for setting in new {
        for text in ["-c", setting.as_str()] {
            let word = line.add_text(text, program.from..program.to);
            line.words.push(word);
        }
    }
    line.words.extend(rest);
    let mut added = child(index, command, Reach::Wrapper);
    added.words = start..line.words.len() as u32;
    added.more = command.more;
    line.commands.push(added);
}

/// Whether a text is no more than a name, as of a file: code that does something has other signs in it.
fn is_plain_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+@".contains(&byte))
}

/// Whether the line writes a file before it comes to a command.
fn is_written(line: &CommandLine, path: Word, before: u32) -> bool {
    let writes =
        |redirect: &Redirect| matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append);
    // Most lines write nothing, and are long where they do.
    let may_write = line.redirects.iter().any(writes) || line.commands.len() > 1;
    may_write && written::file(line, line.text(&path), before as usize).is_some()
}

/// Adds what a file that the line wrote runs, in the language of the program that is given it.
fn run_file(line: &mut CommandLine, command: &Command, runner: Runner<'_>, file: &Written) {
    match runner.program.filter(|program| program.runs_code()) {
        Some(_) => run_code(line, command, runner, &file.text),
        None => run_text(line, command, runner, &file.text, Reach::Text, true),
    }
    // Code that is not known is looked at no more than that in any other file.
    let is_shell = runner.program.is_none_or(|program| !program.runs_code());
    if file.is_open && is_shell {
        add_opaque(line, runner.index, command, Opaque::Input, Reach::Text);
    }
}

/// Adds what the files of a module run that the line wrote before.
fn run_module(line: &mut CommandLine, command: &Command, runner: Runner<'_>, name: &str) {
    let path = name.replace('.', "/");
    for path in [format!("{path}.py"), format!("{path}/__main__.py")] {
        if let Some(file) = written::file(line, &path, runner.index as usize) {
            run_file(line, command, runner, &file);
        }
    }
}

/// Adds what the files run that the line wrote before and that a program finds without being told.
fn run_own(line: &mut CommandLine, command: &Command, runner: Runner<'_>) {
    let language = runner.program.map_or(Language::Unknown, |program| program.language());
    let before = runner.index as usize;
    let found = written::paths(line, before).into_iter();
    let own: Vec<String> = found.filter(|path| languages::is_found(language, path)).collect();
    for path in own {
        if let Some(file) = written::file(line, &path, before) {
            run_file(line, command, runner, &file);
        }
    }
}

/// Adds what a command runs whose program the line wrote, copied or linked before.
fn run_own_file(line: &mut CommandLine, index: usize, own: usize, programs: Programs<'_>) {
    let Some(command) = line.commands.get(index).filter(|command| command.opaque.is_none()) else {
        return;
    };
    let Some(&first) = line.words(command).first() else { return };
    if index == 0 || !line.text(&first).contains('/') || u32::from(command.depth) >= MAX_DEPTH {
        return;
    }
    let command = command.clone();
    let around = around(line, own, index);
    if let Some(source) = written::copied(line, line.text(&first), index) {
        let start = line.words.len() as u32;
        line.words.push(source);
        let rest = command.words.start + 1..command.words.end;
        line.words.extend_from_within(super::range(&rest));
        let mut added = child(index as u32, &command, Reach::Wrapper);
        added.words = start..line.words.len() as u32;
        return line.commands.push(added);
    }
    let Some(file) = written::file(line, line.text(&first), index) else { return };
    let stored = Stored::default();
    let runner = Runner { index: index as u32, around, programs, program: None, stored };
    run_script(line, &command, runner, &file);
}

/// Adds what a file that the line wrote runs when it is called as a program.
fn run_script(line: &mut CommandLine, command: &Command, runner: Runner<'_>, file: &Written) {
    let program = runner.programs.find(written::interpreter(&file.text));
    let is_shell = matches!(program, Some(program) if program.runs() == Runs::Shell);
    let program = program.filter(|program| program.runs_code());
    if is_shell || program.is_some() {
        run_file(line, command, Runner { program, ..runner }, file);
    }
}

/// Adds what a command runs whose name the line gave a meaning before.
fn run_meaning(
    line: &mut CommandLine,
    index: usize,
    own: usize,
    programs: Programs<'_>,
    stored: Stored,
) {
    let Some(command) = line.commands.get(index).filter(|command| command.opaque.is_none()) else {
        return;
    };
    if u32::from(command.depth) >= MAX_DEPTH {
        return;
    }
    let Some(meaning) = stored.meaning(line, index) else { return };
    let Some(command) = line.commands.get(index).cloned() else { return };
    let rest = command.words.start + 1..command.words.end;
    match meaning {
        Meaning::Program(program) => {
            let start = line.words.len() as u32;
            line.words.push(program);
            line.words.extend_from_within(super::range(&rest));
            let mut added = child(index as u32, &command, Reach::Wrapper);
            added.words = start..line.words.len() as u32;
            line.commands.push(added);
        }
        Meaning::Line(mut text) => {
            push_quoted(line, &rest, &mut text);
            let around = around(line, own, index);
            let runner = Runner { index: index as u32, around, programs, program: None, stored };
            run_text(line, &command, runner, &text, Reach::Text, false);
        }
    }
}

/// Adds the command of git that a program stands for: each one has a program of its own, `git-push`, and `hub` takes all
/// of them and runs git. Source: `git help git`, of `--exec-path`; the manual of hub.
fn run_as_git(line: &mut CommandLine, index: usize, programs: Programs<'_>) {
    let Some(command) = line.commands.get(index).filter(|command| command.opaque.is_none()) else {
        return;
    };
    let Some(name) = line.program(command) else { return };
    let subcommand = match name.strip_prefix("git-") {
        Some(subcommand) if !subcommand.is_empty() => subcommand.to_owned(),
        None if name == "hub" => String::new(),
        _ => return,
    };
    if programs.find("git").is_none() || u32::from(command.depth) >= MAX_DEPTH {
        return;
    }
    let (rest, span) = (command.words.start + 1..command.words.end, command.span.clone());
    let mut added = child(index as u32, command, Reach::Wrapper);
    let start = line.words.len() as u32;
    for text in ["git", &subcommand].into_iter().filter(|text| !text.is_empty()) {
        let word = line.add_text(text, span.clone());
        line.words.push(word);
    }
    line.words.extend_from_within(super::range(&rest));
    added.words = start..line.words.len() as u32;
    line.commands.push(added);
}

/// Puts words behind a text, each as one word of a shell.
fn push_quoted(line: &CommandLine, words: &Range<u32>, text: &mut String) {
    for word in line.words.get(super::range(words)).unwrap_or_default() {
        text.push(' ');
        text.push_str(&sources::quoted(line.text(word)));
    }
}

/// Adds what a runner of tasks runs of a file that the line wrote, or that it gives it to read.
fn run_makefile(line: &mut CommandLine, command: &Command, runner: Runner<'_>, file: Option<Word>) {
    let before = runner.index as usize;
    let language = runner.program.map_or(Language::Unknown, |program| program.language());
    let says_only = |argument| match argument {
        Argument::Flag(flag) => {
            let name = runner.program.map_or("", |program| flag.name.text(line, program));
            tasks::says_only(language, name)
        }
        _ => false,
    };
    if Arguments::new(line, line.words(command), runner.program).any(says_only) {
        return;
    }
    if let Some(file) = file.filter(Word::is_process) {
        return match written::process(line, Some(runner.index), file) {
            Some(rules) => run_rules(line, command, runner, &rules),
            None => add_opaque(line, runner.index, command, Opaque::Input, Reach::Input),
        };
    }
    let rules = match file.map(|file| line.text(&file).to_owned()) {
        Some(path) if path == "-" || is_own_input(&path) => match input(line, command) {
            Input::Text(rules) => Some(rules),
            Input::Nothing => None,
            Input::Unknown => {
                return add_opaque(line, runner.index, command, Opaque::Input, Reach::Input);
            }
        },
        Some(path) => written::file(line, &path, before).map(|file| file.text),
        None => tasks::files(language)
            .iter()
            .find_map(|path| written::file(line, path, before))
            .map(|file| file.text),
    };
    if let Some(rules) = rules {
        run_rules(line, command, runner, &rules);
    }
    if language == Language::Package {
        run_lines(line, command, runner, stored::scripts(line, before));
    }
}

/// Adds what lines run.
fn run_lines(line: &mut CommandLine, command: &Command, runner: Runner<'_>, lines: Vec<String>) {
    for text in lines {
        if line.is_full() {
            return;
        }
        run_text(line, command, runner, &text, Reach::Text, false);
    }
}

/// Adds what a runner of tasks runs of rules for the goals that it is given.
fn run_rules(line: &mut CommandLine, command: &Command, runner: Runner<'_>, rules: &str) {
    if !line.may_read(rules.len()) {
        return;
    }
    let language = runner.program.map_or(Language::Unknown, |program| program.language());
    let words = line.words(command);
    let goals: Vec<&str> = Arguments::new(line, words, runner.program)
        .filter_map(|argument| match argument {
            Argument::Operand(word) | Argument::Unknown(word) => Some(line.text(&word)),
            Argument::Flag(_) => None,
        })
        .filter(|goal| !goal.contains('='))
        .collect();
    let lines = tasks::lines(language, rules, &goals);
    run_lines(line, command, runner, lines);
}

/// Adds what code of the language of its program runs and does with files.
fn run_code(line: &mut CommandLine, command: &Command, runner: Runner<'_>, code: &str) {
    if !line.may_read(code.len()) {
        return;
    }
    let language = runner.program.map_or(Language::Unknown, |program| program.language());
    if language == Language::Cron {
        for text in recipes::cron(code) {
            if line.is_full() {
                return;
            }
            run_text(line, command, runner, &text, Reach::Text, false);
        }
        return;
    }
    let given = match language {
        Language::Awk => settings(line, command, runner.program),
        // Each line that it reads is one more thing that it is about.
        Language::Perl | Language::Ruby if runs_for_each_line(line, command, runner.program) => {
            vec![("_".to_owned(), LISTED.to_string())]
        }
        _ => Vec::new(),
    };
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (&**name, &**value)).collect();
    for found in languages::lines(language, code, &given) {
        if line.is_full() {
            return;
        }
        run_text(line, command, runner, &found.text, Reach::Text, false);
    }
}

/// Whether a program runs its code once for each line that it reads: `perl -ne`, `ruby -pe`.
fn runs_for_each_line(line: &CommandLine, command: &Command, program: Option<Program<'_>>) -> bool {
    let name = |flag: &Flag| program.map_or("", |program| flag.name.text(line, program));
    Arguments::new(line, line.words(command), program).any(
        |argument| matches!(argument, Argument::Flag(flag) if matches!(name(&flag), "n" | "p")),
    )
}

/// The variables that a command sets for the code that it runs: `-v NAME=VALUE`, `NAME=VALUE`.
fn settings(
    line: &CommandLine,
    command: &Command,
    program: Option<Program<'_>>,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for argument in Arguments::new(line, line.words(command), program) {
        let word = match argument {
            Argument::Flag(flag) => {
                let name = program.map_or("", |program| flag.name.text(line, program));
                flag.value.filter(|_| name == "v")
            }
            Argument::Operand(word) | Argument::Unknown(word) => Some(word),
        };
        let set = word.and_then(|word| assignment(line, word));
        found.extend(set.map(|(name, value)| (name.to_owned(), line.text(&value).to_owned())));
    }
    found
}

/// Words with a hole for each `{}`, which stands for the name of a file.
fn put_holes(line: &mut CommandLine, words: Range<u32>) -> Range<u32> {
    let own = line.words.get(super::range(&words)).unwrap_or_default();
    let is_held = |word: &Word| line.text(word).contains("{}");
    if !own.iter().any(is_held) {
        return words;
    }
    let own = own.to_vec();
    let start = line.words.len() as u32;
    for mut word in own {
        if line.text(&word).contains("{}") && line.has_room((word.end - word.start) as usize * 2) {
            let text = line.text(&word).replace("{}", "\u{FDD0}");
            word = line.add_text(&text, word.from..word.to);
        }
        line.words.push(word);
    }
    start..line.words.len() as u32
}

/// A command that command `index` runs.
fn child(index: u32, command: &Command, reach: Reach) -> Command {
    Command {
        input: command.input.clone(),
        enclosing_input: command.own_input.or(command.enclosing_input),
        in_loop: command.in_loop,
        may_run_more: command.may_run_more,
        input_unknown: command.input_unknown,
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
    program: Option<Program<'_>>,
    words: Range<u32>,
) {
    let Some(program) = program else { return };
    let first = line.words.get(words.start as usize).map(|word| line.text(word));
    if program.runs() == Runs::Shell && first.is_some_and(|first| first.starts_with('-')) {
        // These are words for the shell that it starts, and no program.
        return add_opaque(line, index, command, Opaque::Text, Reach::Text);
    }
    let mut added = child(index, command, Reach::Wrapper);
    added.words = words;
    if program.has(Traits::MORE_WORDS) {
        added.more = !add_more_words(line, command, program, &mut added);
    }
    // A file of commands is not read anyway, whichever of those that a pattern names.
    let is_script = |word: &&Word| program.runs() == Runs::Shell && word.is_file();
    let first = line.words(&added).first().filter(|word| !is_script(word));
    let program = first.map(|word| (word.is_glob(), line.text(word)));
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
    const MAX: usize = 256;
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
    for text in text.split_whitespace().take(MAX) {
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
                if matches!(flag.name.text(line, program), "I" | "replace" | "i") =>
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

/// Reads a text that a command runs; `is_open` says that what is not known of it may hold any sign.
fn run_text(
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
fn run_given(
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
    let name = line.program(command).unwrap_or_default();
    let translated = (name == "fish" && reach != Reach::Function).then(|| fish::as_bash(text));
    let text = translated.as_deref().unwrap_or(text);
    let same_shell = reach == Reach::Function || matches!(name, "eval" | "trap" | "alias");
    let at_end = same_shell && builtins::runs_at_end(line, command);
    let around = Around { command: runner.around, same_shell, at_end };
    let variables = line.variables.enter_text(around);
    if let Some(words) = given {
        give(line, super::range(&words));
    }
    set_for(line, index);
    reader::read(line, text, Some(place));
    line.variables.leave_text(variables);
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
}

/// Sets the variables that are set for a command alone.
fn set_for(line: &mut CommandLine, index: u32) {
    let spot = Spot { commands: line.commands.len(), in_loop: false, in_function: false };
    let CommandLine { set_for, variables, text, .. } = line;
    for (_, name, value) in set_for.iter().filter(|(command, ..)| *command == index) {
        let written = |word: &Word| text.get(word.start as usize..word.end as usize);
        let (name, value_text) = (written(name).unwrap_or_default(), written(value));
        match value_text.filter(|_| !value.has_hole()) {
            Some(value) => variables.set(name, New::Text(value), spot),
            None => variables.lose(name, spot),
        }
    }
}

/// Sets the name of a shell and its positional parameters, as far as they are known.
fn give(line: &mut CommandLine, words: Range<usize>) {
    let spot = Spot { commands: line.commands.len(), in_loop: false, in_function: false };
    let behind = (words.start + 1).min(words.end)..words.end;
    if let Some(name) = line.constant_list(words.start..behind.start).filter(|_| !words.is_empty())
    {
        line.variables.set("0", New::Text(name.trim_end_matches('\0')), spot);
    }
    if let Some(list) = line.constant_list(behind) {
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
