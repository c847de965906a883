//! Programs that a line compiles from a source that it wrote, and then runs: what the source says is what they do. Knows how
//! compilers are told what to read and where to write; reads no source.

use super::given::{Input, input};
use super::programs::Programs;
use super::run_text::run_given;
use super::runner::{Runner, around};
use super::stored::Stored;
use super::written::{self, is_same_file};
use super::{Command, CommandLine, Language, MAX_DEPTH, Reach, languages};

/// So many commands of a line are looked at.
const MAX: usize = 256;

/// So many compilations to one path are looked at.
const MAX_MADE: usize = 4;

/// Compilers whose flags are those of `cc`.
const OF_C: [&str; 9] = ["cc", "gcc", "clang", "c99", "tcc", "g++", "c++", "clang++", "zig"];

/// What compilers call a program for which they are told no name.
const UNNAMED: &str = "a.out";

/// The endings of names of sources, by language.
const ENDINGS: [(&str, Language); 9] = [
    ("c", Language::C),
    ("cc", Language::C),
    ("cpp", Language::C),
    ("cxx", Language::C),
    ("C", Language::C),
    ("m", Language::C),
    ("rs", Language::Rust),
    ("go", Language::Go),
    ("java", Language::Java),
];

/// Adds what a command does whose program the line compiled, or which compiles a source and runs it at once.
pub(super) fn run_compiled(
    line: &mut CommandLine,
    index: usize,
    own: usize,
    programs: Programs<'_>,
) {
    let Some(command) = line.commands().get(index).filter(|command| command.opaque.is_none())
    else {
        return;
    };
    if u32::from(command.depth) >= MAX_DEPTH {
        return;
    }
    let sources = match line.program(command) {
        Some("java") => at_once(line, command, index, Language::Java),
        Some("tcc") if says(line, command, "-run") => at_once(line, command, index, Language::C),
        _ => made_before(line, command, index),
    };
    let Some(command) = line.commands().get(index).cloned().filter(|_| !sources.is_empty()) else {
        return;
    };
    let around = around(line, own, index);
    let stored = Stored::default();
    let runner = Runner { index: index as u32, around, programs, program: None, stored };
    for (language, text) in sources {
        if !line.may_read(text.len()) {
            return;
        }
        for found in languages::lines(language, &text, &[]) {
            if line.is_full() {
                return;
            }
            run_given(line, &command, runner, &found.text, Reach::Text, false, None);
        }
    }
}

fn says(line: &CommandLine, command: &Command, flag: &str) -> bool {
    line.words(command).iter().any(|word| line.text(word) == flag)
}

/// The sources that a command itself names: files, the names of classes, or its input.
fn at_once(
    line: &CommandLine,
    command: &Command,
    index: usize,
    language: Language,
) -> Vec<(Language, String)> {
    if line.commands().len() < 2 && command.input.is_empty() && command.own_input.is_none() {
        return Vec::new();
    }
    let mut words = line.words(command).iter().skip(1).map(|word| line.text(word));
    let text = words.find_map(|word| match word {
        "-" => text_of_input(line, command),
        word if word.starts_with('-') => None,
        word => {
            let class = word.rsplit('.').next().filter(|_| language == Language::Java);
            let class = || class.map(|class| format!("{}/{class}.java", super::HOLE));
            let file = written::file(line, word, index);
            let file = file.or_else(|| written::file(line, &class()?, index));
            file.map(|file| file.text)
        }
    });
    text.map(|text| (language, text)).into_iter().collect()
}

fn text_of_input(line: &CommandLine, command: &Command) -> Option<String> {
    match input(line, command) {
        Input::Text(text) => Some(text),
        Input::Nothing | Input::Unknown => None,
    }
}

/// The sources of a program that commands before compile.
fn made_before(line: &CommandLine, command: &Command, index: usize) -> Vec<(Language, String)> {
    let Some(path) = line.words(command).first().map(|word| line.text(word)) else {
        return Vec::new();
    };
    if !path.contains('/') || line.commands().len() < 2 {
        return Vec::new();
    }
    let compilers = line.commands().iter().enumerate().take(index.min(MAX));
    // What was compiled last is there; of two branches nobody knows which one was taken.
    let made = compilers.rev().filter(|(_, earlier)| makes(line, earlier, path)).take(MAX_MADE);
    made.flat_map(|(at, earlier)| sources(line, earlier, at)).collect()
}

/// Whether a command compiles a program to a path.
fn makes(line: &CommandLine, command: &Command, path: &str) -> bool {
    let Some(program) = line.program(command) else { return false };
    let words: Vec<&str> = line.words(command).iter().skip(1).map(|word| line.text(word)).collect();
    let is_c = OF_C.contains(&program);
    let is_go = program == "go" && words.first() == Some(&"build");
    if !is_c && !is_go && !matches!(program, "rustc" | "make") {
        return false;
    }
    let named = words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("-o") {
        Some("") => words.get(at + 1).copied(),
        Some(rest) if is_c => Some(rest),
        _ => None,
    });
    let is_it = |name: &str| is_same_file(line, name, path);
    match named {
        Some(name) => is_it(name) || name.ends_with('/'),
        None if is_c => is_it(UNNAMED),
        None if program == "make" => words.iter().any(|word| is_it(word)),
        // It is called as its source is, or as the folder.
        None => {
            words.iter().any(|word| {
                word.rsplit_once('.')
                    .is_some_and(|(stem, _)| is_it(stem.rsplit('/').next().unwrap_or(stem)))
            }) || is_go && !words.iter().any(|word| word.ends_with(".go"))
        }
    }
}

/// The sources that a compiler reads, as far as the line wrote them.
fn sources(line: &CommandLine, command: &Command, at: usize) -> Vec<(Language, String)> {
    let program = line.program(command).unwrap_or_default();
    let own = match program {
        "rustc" => Language::Rust,
        "go" => Language::Go,
        _ => Language::C,
    };
    let mut found = Vec::new();
    for word in line.words(command).iter().skip(1) {
        let text = line.text(word);
        if matches!(text, "-" | "/dev/stdin") {
            found.extend(text_of_input(line, command).map(|text| (own, text)));
            continue;
        }
        let file = match program {
            "make" => ["c", "cc", "cpp"].iter().find_map(|ending| {
                let path = format!("{text}.{ending}");
                written::file(line, &path, at)
            }),
            _ => written::file(line, text, at).filter(|_| !text.starts_with('-')),
        };
        let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
        let known = ENDINGS.iter().find(|(known, _)| *known == ending);
        let language = known.map_or(own, |(_, language)| *language);
        found.extend(file.map(|file| (language, file.text)));
    }
    if program == "go" && found.is_empty() {
        // A folder is built of all files that lie there.
        let paths = written::paths(line, at).into_iter().filter(|path| path.ends_with(".go"));
        let files = paths.filter_map(|path| written::file(line, &path, at));
        found.extend(files.map(|file| (own, file.text)));
    }
    found
}
