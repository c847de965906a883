//! Code in other languages that a command runs: what it does is added to the line. Says which words, variables and files of data
//! the code sees, and leaves the code itself to [`super::languages`].

use std::ops::Range;

use super::argument::{Argument, Flag};
use super::arguments::Arguments;
use super::hole::READ;
use super::programs::Program;
use super::run_text::{run_given, run_text};
use super::runner::{Runner, add_opaque};
use super::search::assignment;
use super::{
    Command, CommandLine, HOLE, Language, Opaque, Reach, Word, imported, languages, recipes,
    written,
};

/// Adds what code of the language of its program runs and does with files, and the modules that it asks for.
pub(super) fn run_code(line: &mut CommandLine, command: &Command, runner: Runner<'_>, code: &str) {
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
    let (mut name, mut is_in_line) = (None, false);
    while let Some(argument) = arguments.next() {
        let at = arguments.position() - 1;
        let flag = match &argument {
            Argument::Flag(flag) => program.map(|program| flag.name.text(line, program)),
            Argument::Operand(_) | Argument::Unknown(_) => None,
        };
        match flag {
            Some(flag) if languages::is_code(language, flag) => {
                (name, is_in_line) = (Some(at), true)
            }
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
    // A sign that no flags follow, which is the program's behind code in the line. Python gives it on.
    let is_end = is_in_line
        && language != Language::Python
        && words.get(name + 1).is_some_and(|word| line.text(word) == "--");
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
