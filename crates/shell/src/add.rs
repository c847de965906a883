//! What a command was found to run is added to the line, read as what it is. Looks for nothing itself, but for what a
//! name stands for that the line gave a meaning to before.

use std::ops::Range;

use super::archives::{self, Archive};
use super::environment::Run;
use super::escapes::{self, What};
use super::found::Found;
use super::given::{self, Input, input};
use super::programs::{Programs, Traits};
use super::run_code::run_code;
use super::run_files::{for_words, given_to, run_file, run_module, run_own, run_read, run_script};
use super::run_rules::{run_makefile, run_rules};
use super::run_text::{run_given, run_text};
use super::run_words::{add_words, put_holes};
use super::runner::{Runner, add_opaque, around, child, push_quoted};
use super::script::Path;
use super::search::{is_hole, is_own_input};
use super::stored::{Meaning, Stored};
use super::{
    Command, CommandLine, HOLE, Language, MAX_DEPTH, Opaque, Reach, Word, fetched, sed, sources,
    written,
};

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
                push_with_numbers(&mut text, line, word);
            }
            run_text(line, command, runner, &text, Reach::Text, is_open);
            if is_other {
                add_opaque(line, index, command, Opaque::Text, Reach::Text);
            }
        }
        Found::Script(word, words) => {
            push_with_numbers(&mut text, line, &word);
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
                // Of code nothing is written out.
                Input::Text(given) if is_hole(given.trim()) => {
                    add_opaque(line, index, command, Opaque::Text, Reach::Input);
                }
                Input::Text(given) => run_code(line, command, runner, &given),
                Input::Nothing => run_read(line, command, runner),
                Input::Unknown => {
                    run_read(line, command, runner);
                    let is_code = runner.program.is_some_and(|p| p.language().is_interpreted());
                    if is_code && !command.more && fetched::is_unseen(line, command) {
                        add_opaque(line, index, command, Opaque::Input, Reach::Input);
                    }
                }
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

/// Adds the text of a word that a shell runs. A number that nobody knows is written there as one that no shell knows before
/// either, so that it stays one: `trap "rm -rf /tmp/x-$$" EXIT`. In quotes that keep it from being read it stays open.
fn push_with_numbers(text: &mut String, line: &CommandLine, word: &Word) {
    let own = line.text(word);
    let is_number = word.has_hole() && !word.may_hold_slash() && !word.may_hold_syntax();
    if !is_number || own.contains(['\'', '\\', '#']) || own.contains("<<") {
        return text.push_str(own);
    }
    for (number, part) in own.split(HOLE).enumerate() {
        text.push_str(if number == 0 { "" } else { "$$" });
        text.push_str(part);
    }
}
