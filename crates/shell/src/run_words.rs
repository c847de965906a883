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
    if !program.has(Traits::MORE_WORDS) {
        return add_one(line, program, added);
    }
    add_with_more_words(line, (command, index), program, added);
}

/// Adds a command that another one runs with these words.
fn add_one(line: &mut CommandLine, program: Program<'_>, mut added: Command) {
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

/// Adds a command with the words that a program takes from its input, or once for each that it puts where it is told to.
fn add_with_more_words(
    line: &mut CommandLine,
    (command, index): (&Command, u32),
    program: Program<'_>,
    added: Command,
) {
    let text = match input(line, command) {
        Input::Text(text) if !text.contains(HOLE) => Some(text),
        _ => None,
    };
    let may_read = line.may_read(text.as_ref().map_or(0, String::len));
    let sign = if may_read { placeholder(line, command, program) } else { None };
    if !may_read || sign.is_none() && text.is_none() {
        return add_one(line, program, Command { more: true, ..added });
    }
    let own = line.words.get(super::range(&added.words)).unwrap_or_default().to_vec();
    let sign = sign.filter(|sign| own.iter().any(|word| line.text(word).contains(sign)));
    let separator = separator(line, command, program);
    let items = text.as_deref().and_then(|text| separator.items(text, sign.is_some()));
    match (sign, items) {
        (None, None) => add_one(line, program, Command { more: true, ..added }),
        (None, Some(items)) => {
            let start = line.words.len() as u32;
            line.words.extend(own);
            for text in items {
                let word = line.add_text(text, command.span.clone());
                line.words.push(word);
            }
            let words = start..line.words.len() as u32;
            add_one(line, program, Command { words, ..added });
        }
        (Some(sign), Some(items)) => {
            for item in items {
                let put = put(line, &own, &sign, Put::Item(item), &added);
                add_one(line, program, put);
            }
        }
        (Some(sign), None) => {
            let are_names = text.is_none() && listings::are_names(line, index as usize, true);
            let put = put(line, &own, &sign, Put::Unknown { are_names }, &added);
            add_one(line, program, put);
        }
    }
}

/// What is put in the place of a sign.
#[derive(Clone, Copy)]
enum Put<'t> {
    Item(&'t str),
    /// Something that nobody knows, perhaps the name of a file.
    Unknown {
        are_names: bool,
    },
}

/// A command with something in the place of the sign for it.
fn put(
    line: &mut CommandLine,
    own: &[Word],
    sign: &str,
    what: Put<'_>,
    added: &Command,
) -> Command {
    let hole = HOLE.to_string();
    let text = match what {
        Put::Item(item) => item,
        Put::Unknown { .. } => &hole,
    };
    let start = line.words.len() as u32;
    for word in own {
        let mut word = *word;
        let times = line.text(&word).matches(sign).count();
        if !line.has_room(times.saturating_mul(text.len())) {
            break;
        }
        let replaced = line.text(&word).replace(sign, text);
        if replaced != line.text(&word) {
            word = line.add_text(&replaced, word.from..word.to);
            word.mark_unknown(matches!(what, Put::Unknown { .. }));
            if matches!(what, Put::Unknown { are_names: true }) {
                word.mark_name();
            }
        }
        line.words.push(word);
    }
    Command { words: start..line.words.len() as u32, ..added.clone() }
}

/// What stands between the words that a program takes from its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    /// Blanks, or ends of lines where each is put somewhere.
    Usual,
    One(char),
    Unknown,
}

impl Separator {
    /// The words in a text; `None` where nobody can tell. Each is `put` somewhere, or they follow one another.
    fn items(self, text: &str, is_put: bool) -> Option<Vec<&str>> {
        const MAX: usize = 4_000;
        /// More commands are not told one by one.
        const MAX_PUT: usize = 64;
        let items: Vec<&str> = match self {
            Self::Unknown => return None,
            Self::One(sign) => text.split(sign).filter(|item| !item.is_empty()).take(MAX).collect(),
            Self::Usual if !is_put => text.split_whitespace().take(MAX).collect(),
            Self::Usual => {
                let lines = text.lines().map(str::trim_start);
                lines.filter(|item| !item.is_empty()).take(MAX_PUT + 1).collect()
            }
        };
        (!is_put || items.len() <= MAX_PUT).then_some(items)
    }
}

fn separator(line: &CommandLine, command: &Command, program: Program<'_>) -> Separator {
    let mut found = Separator::Usual;
    for argument in Arguments::new(line, line.words(command), Some(program)) {
        let Argument::Flag(flag) = argument else { break };
        match flag.name.text(line, program) {
            "0" | "null" => found = Separator::One('\0'),
            "d" | "delimiter" => {
                let value = flag.value.filter(|value| !value.has_hole());
                found = match value.map(|value| line.text(&value)) {
                    Some("\\n") => Separator::One('\n'),
                    Some("\\t") => Separator::One('\t'),
                    Some("\\0") => Separator::One('\0'),
                    Some(text) if text.chars().count() == 1 => {
                        text.chars().next().map_or(Separator::Unknown, Separator::One)
                    }
                    _ => Separator::Unknown,
                };
            }
            _ => {}
        }
    }
    found
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
