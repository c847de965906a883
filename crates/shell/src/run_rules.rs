//! Rules of task runners, `make`, `just`, scripts of a package, are read for the goals that a command names, with the variables
//! that its words set.

use std::borrow::Cow;

use super::argument::Argument;
use super::arguments::Arguments;
use super::given::{Input, input};
use super::run_text::run_text;
use super::runner::{Runner, add_opaque};
use super::script::Path;
use super::search::{assignment, is_own_input};
use super::written::{self, Written};
use super::{Command, CommandLine, Language, Opaque, Reach, Word, recipes, stored, tasks};

/// Adds what a runner of tasks runs of a file that the line wrote, or that it gives it to read.
pub(super) fn run_makefile(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    file: Option<Word>,
) {
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
            Input::Text(text) => Some(Written { text, ..Written::default() }),
            Input::Nothing => None,
            Input::Unknown => {
                return add_opaque(line, runner.index, command, Opaque::Input, Reach::Input);
            }
        },
        Some(path) => written::file(line, &path, before),
        None => tasks::files(language).iter().find_map(|path| written::file(line, path, before)),
    };
    if let Some(Written { text: mut rules, is_fetched, is_doubtful, .. }) = rules {
        if is_fetched && !is_doubtful && language != Language::Package {
            add_opaque(line, runner.index, command, Opaque::Fetched, Reach::Text);
        }
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
pub(super) fn run_rules(
    line: &mut CommandLine,
    command: &Command,
    runner: Runner<'_>,
    rules: &str,
) {
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
