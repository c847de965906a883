//! Files that a command runs and of which is known what stands in them, by what they are: scripts of a shell, code, tables of
//! tasks. Reads no file that nobody has handed in.

use std::borrow::Cow;
use std::ops::Range;

use super::programs::{Programs, Runs};
use super::run_code::run_code;
use super::run_text::{run_given, run_text};
use super::runner::{Runner, add_opaque, around, child, push_quoted};
use super::script::Path;
use super::stored::Stored;
use super::written::{self, Written};
use super::{
    Command, CommandLine, HOLE, Language, MAX_DEPTH, Opaque, Reach, Word, goals, languages,
    powershell_file, sources,
};

/// What stands in a file, as far as the words that it is run with let it.
pub(super) fn for_words(line: &CommandLine, command: &Command, file: Written) -> Written {
    if !matches!(line.program(command), Some("pwsh" | "powershell")) || command.more {
        return file;
    }
    let words = line.words(command).iter().skip(1);
    match words.clone().any(|word| word.has_hole()) {
        true => file,
        false => {
            let words = words.map(|word| line.text(word));
            Written { text: powershell_file::with_words(&file.text, words), ..file }
        }
    }
}

/// The words that a shell gives a file: its name, which is one of the words of a command, and what stands behind it. A
/// shell that reads one itself goes on with what it was given, unless there are some.
pub(super) fn given_to(
    line: &CommandLine,
    command: &Command,
    runner: Runner<'_>,
    file: Word,
) -> Option<Range<u32>> {
    let is_it = |word: &Word| (word.start, word.end) == (file.start, file.end);
    let at = line.words(command).iter().position(is_it)? as u32;
    let words = command.words.start + at..command.words.end;
    let is_read = runner.program.is_some_and(|program| program.runs() != Runs::Shell);
    (!is_read || words.len() > 1).then_some(words)
}

/// Adds what a file that the line wrote runs, in the language of the program that is given it. `given` are its name and
/// what stands behind it, where a shell is given that.
pub(super) fn run_file(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    file: &Written,
    given: Option<Range<u32>>,
) {
    match runner.program.filter(|program| program.runs_code()) {
        Some(_) => run_code(line, command, runner, &file.text),
        None => run_given(line, command, runner, &file.text, Reach::Text, true, given),
    }
    // Code that is not known is looked at no more than that in any other file.
    let is_shell = runner.program.is_none_or(|program| !program.runs_code());
    if file.is_open && !file.is_doubtful && (is_shell || file.is_fetched) {
        let why = if file.is_fetched { Opaque::Fetched } else { Opaque::Input };
        add_opaque(line, runner.index, command, why, Reach::Text);
    }
}

/// Adds what code runs that stands in files which a command reads and the line did not write.
pub(super) fn run_read(line: &mut CommandLine, command: &Command, runner: Runner<'_>) {
    for (_, file) in line.files_read(command) {
        if let Some(code) = line.script(line.text(&file)).map(str::to_owned) {
            run_code(line, command, runner, &code);
        }
    }
}

/// Adds what the files of a module run that the line wrote before.
pub(super) fn run_module(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    name: &str,
) {
    let path = name.replace('.', "/");
    for file in [format!("{path}.py"), format!("{path}/__main__.py")] {
        line.want(runner.index, Path::Made(file));
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    // It may be looked for in another folder.
    let elsewhere = format!("{HOLE}/{last}.py");
    for path in [format!("{path}.py"), format!("{path}/__main__.py"), elsewhere] {
        if let Some(file) = written::file(line, &path, runner.index as usize) {
            run_file(line, command, runner, &file, None);
        }
    }
}

/// Adds what the files run that the line wrote before and that a program finds without being told.
pub(super) fn run_own(line: &mut CommandLine, command: &Command, runner: Runner<'_>) {
    let language = runner.program.map_or(Language::Unknown, |program| program.language());
    let before = runner.index as usize;
    run_tasks(line, command, runner);
    let found = written::paths(line, before).into_iter();
    let own: Vec<String> = found.filter(|path| languages::is_found(language, path)).collect();
    for path in own {
        if let Some(file) = written::file(line, &path, before) {
            run_file(line, command, runner, &file, None);
        }
    }
}

/// Adds what a runner of tasks runs of a file that it finds and the line did not write.
fn run_tasks(line: &mut CommandLine, command: &Command, runner: Runner<'_>) {
    let Some(program) = runner.program else { return };
    let Some((files, goals)) = goals::asked(line, command, program) else { return };
    files.iter().for_each(|name| line.want(runner.index, Path::Made(name.clone())));
    let Some(text) = files.iter().find_map(|name| line.script(name)) else { return };
    let code = goals::reached(program.language(), text, &goals);
    run_code(line, command, runner, &code);
}

/// Adds what a command runs whose program the line wrote, copied or linked before.
pub(super) fn run_own_file(
    line: &mut CommandLine,
    index: usize,
    own: usize,
    programs: Programs<'_>,
) {
    let Some(command) = line.commands.get(index).filter(|command| command.opaque.is_none()) else {
        return;
    };
    let Some(&first) = line.words(command).first() else { return };
    if index == 0 && !line.looks_for_scripts() || u32::from(command.depth) >= MAX_DEPTH {
        return;
    }
    if line.text(&first).contains('/') || line.changes_path() {
        line.want(index as u32, Path::Word(first));
    }
    let Some(command) = line.commands.get(index) else { return };
    // Where a name alone is looked for, the line may say.
    let path = match line.text(&first) {
        name if name.contains('/') => Cow::Borrowed(name),
        name if line.changes_path() => Cow::Owned(format!("{HOLE}/{name}")),
        _ => return,
    };
    if !written::may_be_own(line, &path, index) {
        return;
    }
    let path = path.into_owned();
    let command = command.clone();
    let around = around(line, own, index);
    if let Some(source) = written::copied(line, &path, index) {
        let start = line.words.len() as u32;
        line.words.push(source);
        let rest = command.words.start + 1..command.words.end;
        line.words.extend_from_within(super::range(&rest));
        let mut added = child(index as u32, &command, Reach::Wrapper);
        added.words = start..line.words.len() as u32;
        return line.commands.push(added);
    }
    let Some(file) = written::file(line, &path, index) else { return };
    if line.runs_itself(index as u32, &path) {
        return;
    }
    let stored = Stored::default();
    let runner = Runner { index: index as u32, around, programs, program: None, stored };
    let given = Some(command.words.clone());
    run_script(line, &command, runner, &file, given);
}

/// Adds what a file that the line wrote runs when it is called as a program.
pub(super) fn run_script(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    file: &Written,
    given: Option<Range<u32>>,
) {
    let program = runner.programs.find(written::interpreter(&file.text));
    let is_shell = matches!(program, Some(program) if program.runs() == Runs::Shell);
    let program = program.filter(|program| program.runs_code());
    if is_shell || program.is_some() {
        return run_file(line, command, Runner { program, ..runner }, file, given);
    }
    // Another program is given what stands behind it in the first line, then the file, then the words.
    let Some(first) = file.text.strip_prefix("#!").and_then(|text| text.lines().next()) else {
        return;
    };
    let (program, given) = first.trim().split_once([' ', '\t']).unwrap_or((first.trim(), ""));
    let mut text = sources::quoted(program);
    if !given.trim().is_empty() {
        text.push(' ');
        text.push_str(&sources::quoted(given.trim()));
    }
    push_quoted(line, &command.words, &mut text);
    run_text(line, command, runner, &text, Reach::Text, false);
}
