//! Command patterns: `git push --force *`. Words are separated by blanks; a word is a glob in which
//! `*` takes any text; `*` as a word of its own stands for any number of words; flags may come in any
//! order and in any spelling that the program takes for the same.

pub(crate) mod habit;

use std::iter::Peekable;
use std::ops::Range;

use behavior_shell::FlagValue;

use crate::fragment::Problem;
use crate::ir::{FlagTest, Index, Shape};
use crate::pattern::word::Matcher;
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
    /// Whether a pattern is also about commands that mean the same by a flag, as `python -m pip` does:
    /// what else stands before such a flag is hard to rule out.
    pub with_flags: bool,
}

/// No more commands are looked at that mean the same as the one that a pattern names.
const MAX_SAME: usize = 128;

impl ShapeBuilder<'_> {
    /// The shapes of a pattern's words, most often one. With `open`, more may follow than the pattern
    /// names. Where the words leave open which program or subcommand it is, a flag may have another
    /// spelling for each: there is a shape for each that says so.
    pub fn shapes(&mut self, words: &[PatternWord], open: bool) -> Result<Vec<Shape>, Problem> {
        let mut shapes = Vec::new();
        for words in self.same(words) {
            let mut own = vec![self.shape(&words, open)?];
            self.add_spellings(&words, open, &mut own)?;
            own.into_iter().for_each(|shape| add_same(shape, &mut shapes));
        }
        Ok(shapes)
    }

    /// The words, then those of the commands that mean the same.
    fn same(&self, words: &[PatternWord]) -> Vec<Vec<PatternWord>> {
        let mut known = vec![words.to_vec()];
        let mut at = 0;
        while let Some(words) = known.get(at).cloned() {
            let is_word = |at: usize, name: &str| {
                let literal = words.get(at).and_then(|word| literal(&word.glob));
                literal.is_some_and(|literal| literal.eq_ignore_ascii_case(name))
            };
            let first = words.first().and_then(|word| literal(&word.glob)).unwrap_or_default();
            for (length, other) in self.table.same_beginnings(&first, is_word) {
                let range = words.first().map(|word| word.range.clone()).unwrap_or_default();
                let named = |name: &str| {
                    let mut glob = String::new();
                    name.chars().for_each(|character| push_literal(&mut glob, character));
                    PatternWord { glob, range: range.clone() }
                };
                let has_flag = other.iter().any(|name| name.starts_with('-'));
                let rest = words.get(length..).unwrap_or_default();
                let other = other.iter().map(|name| named(name));
                let other: Vec<_> = other.chain(rest.iter().cloned()).collect();
                let is_new = known.len() < MAX_SAME
                    && (self.with_flags || !has_flag)
                    && !known.iter().any(|known| {
                        known.iter().map(|word| &word.glob).eq(other.iter().map(|word| &word.glob))
                    });
                if is_new {
                    known.push(other);
                }
            }
            at += 1;
        }
        known
    }

    fn add_spellings(
        &mut self,
        words: &[PatternWord],
        open: bool,
        shapes: &mut Vec<Shape>,
    ) -> Result<(), Problem> {
        let Some(base) = shapes.first().cloned() else { return Ok(()) };
        let table = self.table;
        if base.flags.is_empty() {
            return Ok(());
        }
        for path in table.paths() {
            for spelled in self.spelled(path, words, open) {
                let mut shape = self.shape(&spelled, open)?;
                // A `*` that stood for no more than was named here takes other flags all the same.
                shape.exact &= base.exact;
                if shape.flags == base.flags {
                    continue;
                }
                let same = shapes
                    .iter_mut()
                    .skip(1)
                    .find(|known| known.flags == shape.flags && known.operands == shape.operands);
                match same {
                    Some(known) => known.programs.extend(shape.programs),
                    None => shapes.push(shape),
                }
            }
        }
        Ok(())
    }

    /// The words with a program of the table, and its subcommands, in the place of those that they
    /// leave open: in each way in which they fit.
    fn spelled(
        &self,
        path: &[Box<str>],
        words: &[PatternWord],
        open: bool,
    ) -> Vec<Vec<PatternWord>> {
        let (Some((program, rest)), Some((name, subcommands))) =
            (words.split_first(), path.split_first())
        else {
            return Vec::new();
        };
        let is_as_written = literal(&program.glob).is_some() && subcommands.is_empty();
        if is_as_written || !fits(program, name) || !self.reads_flags_otherwise(path, rest) {
            return Vec::new();
        }
        let (flags, mut operands) = self.flags_apart(path, rest);
        if program.glob == "*" {
            // It stands for any words behind the program, too.
            operands.insert(0, program);
        }
        let mut ways = Vec::new();
        align(subcommands, &operands, open, &mut |operands| ways.push(operands.to_vec()));
        let named =
            |text: &str| PatternWord { glob: text.to_owned(), range: program.range.clone() };
        let spelled = ways.into_iter().map(|operands| {
            let path = std::iter::once(name).chain(subcommands).map(|part| named(part));
            path.chain(flags.iter().chain(&operands).map(|&word| word.clone())).collect()
        });
        spelled.collect()
    }

    /// The flags of a pattern with their values, as the program of a path reads them, and the other
    /// words.
    fn flags_apart<'w>(
        &self,
        path: &[Box<str>],
        words: &'w [PatternWord],
    ) -> (Vec<&'w PatternWord>, Vec<&'w PatternWord>) {
        let (mut flags, mut operands) = (Vec::new(), Vec::new());
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            if word.glob == "--" {
                operands.push(word);
                operands.extend(words);
                break;
            }
            let body = word.glob.trim_start_matches('-');
            if body.is_empty() || body.len() == word.glob.len() {
                operands.push(word);
                continue;
            }
            flags.push(word);
            let last = match word.glob.len() - body.len() {
                1 => self.table.cluster(path, body).last().copied(),
                _ => Some((body, None)),
            };
            let takes = match last {
                Some((flag, None)) if !body.contains('=') => {
                    following(self.table.canonical(path, flag).1)
                }
                _ => 0,
            };
            for _ in 0..takes {
                flags.extend(words.next_if(|next| next.glob != "*"));
            }
        }
        (flags, operands)
    }

    /// Whether a program may read the flags of a pattern otherwise than one that nobody knows.
    fn reads_flags_otherwise(&self, path: &[Box<str>], words: &[PatternWord]) -> bool {
        let table = self.table;
        words.iter().filter(|word| word.glob.starts_with('-')).any(|word| {
            let body = word.glob.trim_start_matches('-');
            let name = body.split('=').next().unwrap_or(body);
            let may_be_several = word.glob.len() == name.len() + 1;
            if may_be_several && table.cluster(path, name).len() != table.cluster(&[], name).len() {
                return true;
            }
            let listed =
                if may_be_several { table.cluster(path, name) } else { vec![(name, None)] };
            listed.iter().any(|(flag, _)| {
                let (canonical, value) = table.canonical(path, flag);
                *canonical != **flag || value != FlagValue::None
            })
        })
    }

    /// The shape of a pattern's words, with its flags as they are read where they stand.
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
                None if following(takes) > 0 => {
                    let first = rest.next_if(|next| next.glob != "*").cloned();
                    // Of two, the first is what a flag is asked for with.
                    if first.is_some() && following(takes) == 2 {
                        rest.next_if(|next| next.glob != "*");
                    }
                    first
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

/// Adds a shape, to one that differs in its programs alone where there is one.
fn add_same(shape: Shape, shapes: &mut Vec<Shape>) {
    let apart = |shape: &Shape| Shape { programs: Vec::new(), ..shape.clone() };
    let named = |shape: &Shape| !shape.programs.is_empty() && shape.program_path.is_none();
    let own = apart(&shape);
    let same = shapes.iter_mut().find(|known| named(known) && named(&shape) && apart(known) == own);
    match same {
        Some(known) => {
            for program in shape.programs {
                if !known.programs.contains(&program) {
                    known.programs.push(program);
                }
            }
        }
        None => shapes.push(shape),
    }
}

/// How many words behind a flag are its own.
fn following(value: FlagValue) -> usize {
    match value {
        FlagValue::None | FlagValue::Optional => 0,
        FlagValue::Required => 1,
        FlagValue::Two => 2,
    }
}

/// Whether a word of a pattern stands for a program or subcommand.
fn fits(word: &PatternWord, name: &str) -> bool {
    match literal(&word.glob) {
        Some(literal) => literal.rsplit('/').next().unwrap_or_default().eq_ignore_ascii_case(name),
        None if word.glob == "*" => true,
        None => Matcher::new(&word.glob).is_some_and(|names| names.is_match(name)),
    }
}

/// The operands that are left once the first of them stand for subcommands: in each way in which they
/// may. A `*` takes any number of subcommands and stays. Recursion is bounded by the number of words.
fn align<'w>(
    subcommands: &[Box<str>],
    operands: &[&'w PatternWord],
    open: bool,
    found: &mut dyn FnMut(&[&'w PatternWord]),
) {
    let Some((first, more)) = subcommands.split_first() else { return found(operands) };
    match operands.split_first() {
        Some((word, rest)) if word.glob == "*" => {
            align(more, operands, open, found);
            align(subcommands, rest, open, found);
        }
        Some((word, rest)) if word.glob == "--" => {
            align(subcommands, rest, open, &mut |rest| found(&[&[*word], rest].concat()));
        }
        Some((word, rest)) if fits(word, first) => align(more, rest, open, found),
        None if open => found(operands),
        _ => {}
    }
}
