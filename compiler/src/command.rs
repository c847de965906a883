//! Command patterns: `git push --force *`. Words are separated by blanks; a word is a glob in which
//! `*` takes any text; `*` as a word of its own stands for any number of words; flags may come in any
//! order and in any spelling that the program takes for the same.

pub(crate) mod habit;

use std::iter::Peekable;
use std::ops::Range;

use behavior_runtime::code::FlagValue;

use crate::fragment::Problem;
use crate::ir::{FlagTest, Index, Shape};
use crate::programs::Table;

/// A word of a command pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternWord {
    /// The word as a glob, with `\` before what means itself.
    pub glob: String,
    /// Where it stands in the pattern.
    pub range: Range<usize>,
}

/// Cuts a command pattern into words. Quotes and backslashes make signs mean themselves.
pub(crate) fn words(text: &str) -> Result<Vec<PatternWord>, Problem> {
    let mut words: Vec<PatternWord> = Vec::new();
    let mut characters = text.char_indices().peekable();
    let mut quote: Option<(usize, char)> = None;
    let mut in_word = false;
    while let Some((at, character)) = characters.next() {
        let end = at + character.len_utf8();
        if quote.is_none() && character.is_whitespace() {
            in_word = false;
            continue;
        }
        if !in_word {
            words.push(PatternWord { glob: String::new(), range: at..end });
            in_word = true;
        }
        let Some(word) = words.last_mut() else { continue };
        word.range.end = end;
        match (quote, character) {
            (Some((_, sign)), character) if sign == character => quote = None,
            (None, '\'' | '"') => quote = Some((at, character)),
            (Some((_, '\'')), character) => push_literal(&mut word.glob, character),
            (_, '\\') => {
                let Some((at, next)) = characters.next() else {
                    return Err(Problem::new(at..end, "there is nothing behind the `\\`")
                        .help("write `\\\\` for a backslash"));
                };
                word.range.end = at + next.len_utf8();
                push_literal(&mut word.glob, next);
            }
            (Some(_), character) => push_literal(&mut word.glob, character),
            (None, character) => word.glob.push(character),
        }
    }
    match quote {
        Some((at, sign)) => {
            Err(Problem::new(at..text.len(), format!("this `{sign}` is not closed"))
                .help(format!("close it, or write `\\{sign}` for the character")))
        }
        None => Ok(words),
    }
}

fn push_literal(glob: &mut String, character: char) {
    if matches!(character, '*' | '?' | '[' | ']' | '\\') {
        glob.push('\\');
    }
    glob.push(character);
}

/// A glob without anything that stands for other text, as that text.
pub(crate) fn literal(glob: &str) -> Option<String> {
    let mut text = String::with_capacity(glob.len());
    let mut characters = glob.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            '*' | '?' | '[' => return None,
            other => text.push(other),
        }
    }
    Some(text)
}

/// Reads command patterns into shapes. `glob` gives the index of a word's glob, or `None` after
/// reporting what is wrong with it.
pub(crate) struct ShapeBuilder<'a> {
    pub table: &'a Table,
    pub glob: &'a mut dyn FnMut(&PatternWord) -> Option<Index>,
}

impl ShapeBuilder<'_> {
    /// The shape of a pattern's words. With `open`, more may follow than the pattern names.
    pub fn shape(&mut self, words: &[PatternWord], open: bool) -> Result<Shape, Problem> {
        let mut shape = Shape { exact: true, ..Shape::default() };
        let Some((program, rest)) = words.split_first() else { return Ok(shape) };
        let mut path = self.program(program, &mut shape);
        // A `*` that begins a pattern stands for the program and any number of words behind it.
        let mut operands = Vec::new();
        if program.glob == "*" {
            operands.push(None);
            shape.exact = false;
        }
        let mut only_operands = false;
        let mut rest = rest.iter().peekable();
        while let Some(word) = rest.next() {
            let text = literal(&word.glob);
            if word.glob == "*" {
                if operands.last() != Some(&None) {
                    operands.push(None);
                }
                shape.exact = false;
                continue;
            }
            if text.as_deref() == Some("--") && !only_operands {
                only_operands = true;
                continue;
            }
            if word.glob.starts_with('-') && word.glob.len() > 1 && !only_operands {
                self.flags(word, &path, &mut rest, &mut shape)?;
                continue;
            }
            if let Some(text) = text
                && self.table.has_subcommands(&path)
            {
                path.push(text.to_ascii_lowercase().into());
            }
            operands.push((self.glob)(word));
        }
        if open {
            shape.exact = false;
            if operands.last() != Some(&None) {
                operands.push(None);
            }
        }
        shape.operands = Some(operands);
        Ok(shape)
    }

    /// The program that a pattern begins with; answers with its path in the table.
    fn program(&mut self, word: &PatternWord, shape: &mut Shape) -> Vec<Box<str>> {
        if word.glob == "*" {
            return Vec::new();
        }
        match literal(&word.glob) {
            Some(name) => {
                if name.contains('/') {
                    shape.program_path = Some(name.as_str().into());
                }
                let name: Box<str> =
                    name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase().into();
                shape.programs.push(name.clone());
                vec![name]
            }
            None => {
                shape.program_pattern = (self.glob)(word);
                Vec::new()
            }
        }
    }

    fn flags<'w>(
        &mut self,
        word: &PatternWord,
        path: &[Box<str>],
        rest: &mut Peekable<impl Iterator<Item = &'w PatternWord>>,
        shape: &mut Shape,
    ) -> Result<(), Problem> {
        let body = word.glob.trim_start_matches('-');
        let dashes = word.glob.len() - body.len();
        let (name, value) = match body.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (body, None),
        };
        let Some(plain) = literal(name).filter(|name| !name.is_empty()) else {
            return Err(Problem::new(word.range.clone(), "a flag cannot be a pattern")
                .help("name the flag, or write `*` for any flags and operands"));
        };
        let listed = if dashes == 1 && value.is_none() {
            self.table.cluster(path, &plain)
        } else {
            vec![(plain.as_str(), None)]
        };
        for (letter, attached) in listed {
            let (canonical, takes) = self.table.canonical(path, letter);
            let value = value
                .or(attached)
                .map(|glob| PatternWord { glob: glob.to_owned(), range: word.range.clone() });
            let value = match value {
                Some(value) => Some(value),
                // A `*` takes the value with whatever else follows.
                None if takes == FlagValue::Required => {
                    rest.next_if(|next| next.glob != "*").cloned()
                }
                None => None,
            };
            let value = match value {
                Some(value) if value.glob != "*" => (self.glob)(&value),
                _ => None,
            };
            shape.flags.push(FlagTest { name: canonical, value });
        }
        Ok(())
    }
}
