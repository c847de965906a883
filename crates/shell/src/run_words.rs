//! Words that a command runs as a command of their own, and words that it adds to them which nobody knows.

use std::ops::Range;

use super::argument::Argument;
use super::arguments::Arguments;
use super::given::{Input, input};
use super::program_name::program_name;
use super::programs::{Program, Runs, Traits};
use super::runner::{add_opaque, child};
use super::{Command, CommandLine, HOLE, Opaque, Reach, Word, listings};

pub(super) fn add_words(
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

/// Words with a hole for each `{}`, which stands for the name of a file.
pub(super) fn put_holes(line: &mut CommandLine, words: Range<u32>, index: u32) -> Range<u32> {
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
