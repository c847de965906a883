//! What a command was found to run is added to the line, read as what it is. Looks for nothing itself, but for what a
//! name stands for that the line gave a meaning to before.

use std::borrow::Cow;
use std::ops::Range;

use super::archives::{self, Archive};
use super::argument::{Argument, Flag};
use super::arguments::{Arguments, selected};
use super::environment::Run;
use super::escapes::What;
use super::found::Found;
use super::given::{self, Input, input};
use super::hole::READ;
use super::program_name::program_name;
use super::programs::{Program, Programs, Runs, Traits};
use super::reader::{self, Place};
use super::script::Path;
use super::search::{assignment, is_own_input};
use super::sed;
use super::stored::{self, Meaning, Stored};
use super::variables::{Around, BEHIND_ITEM, New, POSITIONAL, Spot};
use super::written::{self, Written};
use super::{
    Command, CommandLine, HOLE, Language, MAX_DEPTH, Opaque, Reach, Word, builtins, cmd, escapes,
    fish, goals, imported, languages, listings, powershell, powershell_file, recipes, sources,
    tasks,
};

/// A command that runs others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runner<'p> {
    /// Its place.
    pub index: u32,
    /// The place of the command of the line itself that it comes from.
    pub around: u32,
    pub programs: Programs<'p>,
    /// What is known of its own program.
    pub program: Option<Program<'p>>,
    /// What the line has given a meaning to before.
    pub stored: Stored,
}

/// The place of the command of the line itself that a command comes from, of which there are `own`.
pub(super) fn around(line: &CommandLine, own: usize, index: usize) -> u32 {
    let mut around = index;
    while around >= own {
        let parent = line.commands.get(around).and_then(|command| command.parent);
        around = parent.unwrap_or(0) as usize;
    }
    around as u32
}

/// Adds that a command opens a file: `>` writes it, `<` reads it.
fn open_file(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    (sign, name): (char, &str),
) {
    let text = format!("{sign} {}", sources::quoted(name));
    run_text(line, command, runner, &text, Reach::Text, false);
}

/// Adds what stands in a text behind signs that its program knows.
fn run_escapes(line: &mut CommandLine, command: &Command, runner: Runner<'_>, given: &str) {
    let escaped = runner.program.map(|program| escapes::places(program, given));
    for place in escaped.into_iter().flatten() {
        let range = place.start as usize..place.end as usize;
        let part = given.get(range).unwrap_or_default();
        match place.what {
            What::Written => open_file(line, command, runner, ('>', part)),
            What::Read => open_file(line, command, runner, ('<', part)),
            What::Line => run_text(line, command, runner, part, Reach::Text, true),
        }
    }
}

/// The text of a file that the line wrote, or that comes through a pipe.
fn script(line: &CommandLine, command: &Command, runner: Runner<'_>, file: Word) -> Option<String> {
    let path = line.text(&file);
    if file.is_process() {
        return written::process(line, Some(runner.index), file);
    }
    if path == "-" || is_own_input(path) {
        return match input(line, command) {
            Input::Text(text) => Some(text),
            Input::Nothing | Input::Unknown => None,
        };
    }
    written::file(line, path, runner.index as usize).map(|file| file.text)
}

/// Adds what a script of `sed` runs, reads and writes that stands in a file, or comes through a pipe.
fn run_sed(line: &mut CommandLine, command: &Command, runner: Runner<'_>, file: Word) {
    let script = script(line, command, runner, file);
    let Some(script) = script.filter(|script| line.may_read(script.len())) else { return };
    for run in sed::runs(&script) {
        if line.is_full() {
            return;
        }
        let (sed::Run::Line(range)
        | sed::Run::Input(range)
        | sed::Run::Write(range)
        | sed::Run::Read(range)) = &run;
        let part = script.get(range.clone()).unwrap_or_default();
        match run {
            sed::Run::Write(_) => open_file(line, command, runner, ('>', part)),
            sed::Run::Read(_) => open_file(line, command, runner, ('<', part)),
            sed::Run::Line(_) => run_text(line, command, runner, part, Reach::Text, false),
            sed::Run::Input(_) => {
                add_opaque(line, runner.index, command, Opaque::Text, Reach::Text);
            }
        }
    }
}

/// Adds one thing that a command runs.
pub(super) fn add(line: &mut CommandLine, command: &Command, runner: Runner<'_>, found: Found) {
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
            let words = put_holes(line, words, index);
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
            let (mut is_open, mut is_other) = (false, false);
            for (number, word) in
                line.words.get(super::range(&words)).into_iter().flatten().enumerate()
            {
                is_open |= word.may_hold_syntax();
                is_other |= word.may_be_other();
                text.push_str(if number == 0 { "" } else { " " });
                text.push_str(line.text(word));
            }
            run_text(line, command, runner, &text, Reach::Text, is_open);
            if is_other {
                add_opaque(line, index, command, Opaque::Text, Reach::Text);
            }
        }
        Found::Script(word, words) => {
            text.push_str(line.text(&word));
            let given = Some(words);
            let is_open = word.may_hold_syntax();
            run_given(line, command, runner, &text, Reach::Text, is_open, given);
            if word.may_be_other() {
                add_opaque(line, index, command, Opaque::Text, Reach::Text);
            }
        }
        Found::Part(word) => {
            text.push_str(line.text(&word));
            // One program has a sign of its own for a blank.
            if runner.program.is_some_and(|program| matches!(program.name(), "env" | "genv")) {
                text = text.replace("\\_", " ");
            }
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
        Found::Line(own) => run_text(line, command, runner, &own, Reach::Text, false),
        Found::Hooks(word) => {
            for file in runner.stored.hooks(line, index as usize, line.text(&word)) {
                run_script(line, command, runner, &file, None);
            }
        }
        Found::Makefile(file) => run_makefile(line, command, runner, file),
        Found::Rules(word) => {
            let rules = line.text(&word).to_owned();
            run_rules(line, command, runner, &rules);
        }
        Found::Process(word) => match process(line, index, word) {
            Some(given) if runner.program.is_some_and(|program| program.runs_code()) => {
                run_code(line, command, runner, &given);
            }
            Some(given) => run_text(line, command, runner, &given, Reach::Input, true),
            None => add_opaque(line, index, command, Opaque::Input, Reach::Input),
        },
        Found::Input => {
            line.want_input(index, command);
            match input(line, command) {
                Input::Nothing => {}
                Input::Text(text) => run_text(line, command, runner, &text, Reach::Input, true),
                Input::Unknown => add_opaque(line, index, command, Opaque::Input, Reach::Input),
            }
        }
        Found::InputWith(words) => {
            line.want_input(index, command);
            run_input_with(line, command, runner, &words);
        }
        Found::Escapes => {
            if let Input::Text(given) = input(line, command) {
                run_escapes(line, command, runner, &given);
            }
        }
        Found::EscapesOf(word) => {
            if let Some(given) = script(line, command, runner, word) {
                run_escapes(line, command, runner, &given);
            }
        }
        Found::Writes(word) => {
            let name = line.text(&word).to_owned();
            open_file(line, command, runner, ('>', &name));
        }
        Found::Reads(word) => {
            let name = line.text(&word).to_owned();
            open_file(line, command, runner, ('<', &name));
        }
        Found::SedFile(word) => run_sed(line, command, runner, word),
        Found::Code(word) => {
            text.push_str(line.text(&word));
            run_code(line, command, runner, &text);
        }
        // Of a line that is too large nothing more is looked at.
        Found::Written(_) | Found::Module(_) | Found::Own if !line.may_read(0) => {}
        Found::Written(word) => {
            let language = runner.program.map_or(Language::Unknown, |program| program.language());
            match archives::archive(line, language, line.text(&word), index as usize) {
                Some(Archive::Unknown) => {
                    return add_opaque(line, index, command, Opaque::Text, Reach::Text);
                }
                Some(Archive::Files(files)) => {
                    return files
                        .iter()
                        .for_each(|file| run_file(line, command, runner, file, None));
                }
                None => {}
            }
            let file = written::file(line, line.text(&word), index as usize);
            if let Some(file) = file.filter(|_| !line.runs_itself(index, line.text(&word))) {
                let given = given_to(line, command, runner, word);
                let file = for_words(line, command, file);
                run_file(line, command, runner, &file, given);
            }
        }
        Found::Wanted(word) => line.want(index, Path::Word(word)),
        Found::WantedInput => line.want_input(index, command),
        Found::WantedFile(name) => line.want(index, Path::Made(name)),
        Found::LookedUpInput => line.look_up_input(command),
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
            line.want_input(index, command);
            let is_cron = runner.program.is_some_and(|p| p.language() == Language::Cron);
            let given = match is_cron {
                // What stood in the table before is not the line's doing.
                true => Input::Text(given::known_input(line, command)),
                false => input(line, command),
            };
            match given {
                Input::Text(given) => run_code(line, command, runner, &given),
                Input::Nothing | Input::Unknown => run_read(line, command, runner),
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

/// What commands write into a file that a word of a command stands for, which it runs.
fn process(line: &mut CommandLine, index: u32, word: Word) -> Option<String> {
    for (holder, file) in line.files_shown(line.loop_words.process(word.stands_for)) {
        line.want_of(index, holder, Path::Word(file));
    }
    written::process(line, Some(index), word)
}

/// Adds what a shell reads, given words that are its positional parameters.
fn run_input_with(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    words: &Range<u32>,
) {
    match input(line, command) {
        Input::Nothing => {}
        Input::Text(text) => {
            let start = line.words.len() as u32;
            let own = command.words.start as usize..command.words.start as usize + 1;
            line.words.extend_from_within(own);
            line.words.extend_from_within(super::range(words));
            let given = Some(start..line.words.len() as u32);
            run_given(line, command, runner, &text, Reach::Input, true, given);
        }
        Input::Unknown => add_opaque(line, runner.index, command, Opaque::Input, Reach::Input),
    }
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

/// What stands in a file, as far as the words that it is run with let it.
fn for_words(line: &CommandLine, command: &Command, file: Written) -> Written {
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
fn given_to(
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
fn run_file(
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
    if file.is_open && !file.is_doubtful && is_shell {
        add_opaque(line, runner.index, command, Opaque::Input, Reach::Text);
    }
}

/// Adds what code runs that stands in files which a command reads and the line did not write.
fn run_read(line: &mut CommandLine, command: &Command, runner: Runner<'_>) {
    for (_, file) in line.files_read(command) {
        if let Some(code) = line.script(line.text(&file)).map(str::to_owned) {
            run_code(line, command, runner, &code);
        }
    }
}

/// Adds what the files of a module run that the line wrote before.
fn run_module(line: &mut CommandLine, command: &Command, runner: Runner<'_>, name: &str) {
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
fn run_own(line: &mut CommandLine, command: &Command, runner: Runner<'_>) {
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
fn run_script(
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

/// Adds what a command runs whose name the line gave a meaning before.
pub(super) fn run_meaning(
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
pub(super) fn run_as_git(line: &mut CommandLine, index: usize, programs: Programs<'_>) {
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
    match file {
        Some(file) => line.want(runner.index, Path::Word(file)),
        None => tasks::files(language)
            .iter()
            .for_each(|name| line.want(runner.index, Path::Usual(name))),
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
    if let Some(mut rules) = rules {
        let included: Vec<String> = match language {
            Language::Make => tasks::included(&rules)
                .filter_map(|path| written::file(line, path, before))
                .map(|file| file.text)
                .collect(),
            _ => Vec::new(),
        };
        for text in included {
            rules.push('\n');
            rules.push_str(&text);
        }
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
    let rules = match language {
        Language::Make | Language::Just => with_settings(line, command, runner, rules),
        _ => Cow::Borrowed(rules),
    };
    let behind =
        if language == Language::Package { behind_script(line, command) } else { Vec::new() };
    let lines = tasks::lines(language, &rules, &goals, &behind);
    run_lines(line, command, runner, lines);
}

/// The words behind the name of a script of a package, which the script is given: `npm run clean -- src`, `yarn clean src`.
fn behind_script<'l>(line: &'l CommandLine, command: &Command) -> Vec<&'l str> {
    let words = line.words(command);
    let mut texts = words.iter().skip(1).map(|word| line.text(word)).peekable();
    while texts
        .next_if(|text| text.starts_with('-') || matches!(*text, "run" | "run-script"))
        .is_some()
    {}
    if matches!(texts.next(), None | Some("install" | "i" | "ci" | "add" | "exec" | "dlx" | "x")) {
        return Vec::new();
    }
    let mut is_behind = false;
    texts
        .filter(|text| {
            let is_sign = !is_behind && *text == "--";
            is_behind |= is_sign;
            !is_sign && (is_behind || !text.starts_with('-'))
        })
        .collect()
}

/// Rules of make with the variables that the words of a command set: these count more than the rules' own. What the line puts into
/// the environment counts where the rules leave it room, `NAME ?= value`.
fn with_settings<'r>(
    line: &CommandLine,
    command: &Command,
    runner: Runner<'_>,
    rules: &'r str,
) -> Cow<'r, str> {
    let words = line.words(command).iter().skip(1);
    let settings = words.filter_map(|word| assignment(line, *word));
    if runner.program.is_some_and(|program| program.language() == Language::Just) {
        let mut own: String =
            settings.map(|(name, value)| format!("{name} := '{}'\n", line.text(&value))).collect();
        for set in line.words(command).windows(3) {
            if let [flag, name, value] = set
                && line.text(flag) == "--set"
            {
                own.push_str(&format!("{} := '{}'\n", line.text(name), line.text(value)));
            }
        }
        return Cow::Owned(own + rules);
    }
    let mut own: Vec<String> = settings
        .map(|(name, value)| {
            format!(
                "{}export {} := {}\n",
                recipes::TOLD,
                name.trim_end_matches(':'),
                line.text(&value)
            )
        })
        .collect();
    for set in line.variables_for(runner.index as usize).into_iter().flatten() {
        let (name, value) = (set.name, line.text(&set.value));
        let may_be_set = [format!("{name} ?="), format!("{name}?=")];
        if may_be_set.iter().any(|text| rules.contains(text)) {
            own.push(format!("{name} := {value}\n"));
        }
    }
    match own.is_empty() {
        true => Cow::Borrowed(rules),
        false => Cow::Owned(format!("{}\n{}", rules.trim_end_matches('\n'), own.concat())),
    }
}

/// Adds what code of the language of its program runs and does with files, and the modules that it asks for.
fn run_code(line: &mut CommandLine, command: &Command, runner: Runner<'_>, code: &str) {
    run_source(line, command, runner, code);
    if written::may_write_any(line) || line.looks_for_scripts() {
        let language = runner.program.map_or(Language::Unknown, |program| program.language());
        for text in imported::texts(line, runner.index as usize, language, code) {
            run_source(line, command, runner, &text);
        }
    }
}

/// Adds what one file of code runs and does with files.
fn run_source(line: &mut CommandLine, command: &Command, runner: Runner<'_>, code: &str) {
    if !line.may_read(code.len()) {
        return;
    }
    line.mark_code(runner.index);
    let before = line.commands.len();
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
    let mut given = match language {
        Language::Awk => settings(line, command, runner.program),
        // Each line that it reads is one more thing that it is about.
        Language::Perl | Language::Ruby if runs_for_each_line(line, command, runner.program) => {
            vec![("_".to_owned(), READ.to_string())]
        }
        _ => Vec::new(),
    };
    given.extend(environment_of(line, runner.index as usize));
    given.extend(files_of(line, runner.index, code));
    let behind = behind_code(line, command, runner.program);
    given.extend(words_of(line, command, &behind));
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (&**name, &**value)).collect();
    let behind = Some(behind);
    let words = given.iter().find(|(name, _)| *name == languages::WORDS);
    let words = words.filter(|_| language == Language::Python && line.looks_for_scripts());
    let asked = words.map(|(_, words)| imported::asked_of(code, words.split('\0')));
    for found in languages::lines(language, asked.as_deref().unwrap_or(code), &given) {
        if line.is_full() {
            return;
        }
        // Of words that nobody sees, nobody can tell what the code makes.
        if command.more && found.text.contains("\"${") {
            add_opaque(line, runner.index, command, Opaque::Text, Reach::Text);
        }
        run_given(line, command, runner, &found.text, Reach::Text, false, behind.clone());
    }
    line.note_text(before, code, true);
}

/// The words that code is told, with its name before them, where nobody may add any.
fn words_of(
    line: &CommandLine,
    command: &Command,
    behind: &Range<u32>,
) -> Option<(String, String)> {
    let words = line.words.get(super::range(behind))?;
    let is_open = |word: &Word| word.may_split() || word.is_glob() || word.is_called_flags();
    if command.more || words.iter().any(is_open) {
        return None;
    }
    let words = words.iter().flat_map(|word| [line.text(word), "\0"]).collect();
    Some((languages::WORDS.to_owned(), words))
}

/// The words of a command that its code is told, with the name of the code before them.
fn behind_code(line: &CommandLine, command: &Command, program: Option<Program<'_>>) -> Range<u32> {
    let words = line.words(command);
    let language = program.map_or(Language::Unknown, |program| program.language());
    let mut arguments = Arguments::new(line, words, program);
    let mut name = None;
    while let Some(argument) = arguments.next() {
        let at = arguments.position() - 1;
        let flag = match &argument {
            Argument::Flag(flag) => program.map(|program| flag.name.text(line, program)),
            Argument::Operand(_) | Argument::Unknown(_) => None,
        };
        match flag {
            Some(flag) if languages::is_code(language, flag) => name = Some(at),
            Some("-") | None if name.is_none() => {
                // Where the code stands in a file, or is read, that has the number of a word in some languages.
                let is_counted = language == Language::JavaScript;
                name = Some(at.saturating_sub(usize::from(is_counted)));
                break;
            }
            Some(_) => {}
            None => break,
        }
        // Words behind code are no flags of the program, but for those of two languages.
        if name.is_some() && !matches!(language, Language::Perl | Language::Ruby) {
            break;
        }
    }
    let name = name.unwrap_or(words.len());
    // A sign that no flags follow.
    let is_end = words.get(name + 1).is_some_and(|word| line.text(word) == "--");
    let start = command.words.start + (name + usize::from(is_end)) as u32;
    start.min(command.words.end)..command.words.end
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

/// The variables that the line sets for a command, as code of any language is given them.
fn environment_of(line: &CommandLine, index: usize) -> Vec<(String, String)> {
    let set = line.variables_for(index).unwrap_or_default().into_iter();
    let given =
        |name: &str, value: &Word| (languages::environment_key(name), line.text(value).to_owned());
    let home = std::iter::once((languages::environment_key("HOME"), "~".to_owned()));
    home.chain(set.map(|set| given(set.name, &set.value))).collect()
}

/// The files of data that code names and of which it is known what stands in them.
fn files_of(line: &mut CommandLine, index: u32, code: &str) -> Vec<(String, String)> {
    /// No more files are looked at, and no longer paths.
    const MAX_FILES: usize = 8;
    const MAX_PATH: usize = 128;
    const ENDINGS: [&str; 4] = [".json", ".yaml", ".yml", ".toml"];
    if !line.looks_for_scripts() && !written::may_write_any(line) {
        return Vec::new();
    }
    let texts = code.split(['"', '\'', '`']).skip(1);
    let is_path = |text: &&str| {
        text.len() <= MAX_PATH
            && ENDINGS.iter().any(|ending| text.ends_with(ending))
            && !text.contains([' ', '\n', '*'])
    };
    let paths: Vec<String> = texts
        .filter(is_path)
        .map(|path| path.trim_start_matches("./").to_owned())
        .take(MAX_FILES)
        .collect();
    let mut found = Vec::new();
    for path in paths {
        line.look_up_data(index, &path);
        let file = written::file(line, &path, index as usize).filter(|file| !file.is_open);
        let file = file.or_else(|| written::file(line, &format!("{HOLE}/{path}"), index as usize));
        if let Some(file) = file.filter(|file| !file.is_open && line.may_read(file.text.len())) {
            found.push((format!("{}{path}", languages::FILE), file.text));
        }
    }
    found
}

/// Words with a hole for each `{}`, which stands for the name of a file.
fn put_holes(line: &mut CommandLine, words: Range<u32>, index: u32) -> Range<u32> {
    let own = line.words.get(super::range(&words)).unwrap_or_default();
    let is_held = |word: &Word| line.text(word).contains("{}");
    if !own.iter().any(is_held) {
        return words;
    }
    let own = own.to_vec();
    let are_names = listings::are_names(line, index as usize, false);
    let start = line.words.len() as u32;
    for mut word in own {
        if line.text(&word).contains("{}") && line.has_room((word.end - word.start) as usize * 2) {
            let text = line.text(&word).replace("{}", "\u{FDD0}");
            word = line.add_text(&text, word.from..word.to);
            if are_names {
                word.mark_name();
            }
        }
        line.words.push(word);
    }
    start..line.words.len() as u32
}

/// A command that command `index` runs.
pub(super) fn child(index: u32, command: &Command, reach: Reach) -> Command {
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
        added.more = !add_more_words(line, (command, index), program, &mut added);
    }
    // A file of commands is not read anyway, whichever of those that a pattern names.
    let is_script = |word: &&Word| program.runs() == Runs::Shell && word.is_file();
    let first = line.words(&added).first().filter(|word| !is_script(word));
    let program = first.map(|word| (word.is_glob(), word.may_be_other(), line.text(word)));
    if let Some((is_glob, may_be_other, name)) = program
        && (is_glob && name != "[" || may_be_other || program_name(name).contains(HOLE))
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
    (command, index): (&Command, u32),
    program: Program<'_>,
    added: &mut Command,
) -> bool {
    const MAX: usize = 4_000;
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
        let are_names = item.is_none() && listings::are_names(line, index as usize, true);
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
                if are_names {
                    word.mark_name();
                }
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
    let around: Vec<u32> =
        std::iter::successors(Some(index), wrapper).take(MAX_DEPTH as usize + 1).collect();
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
