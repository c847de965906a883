//! Command shapes as languages: flags as sets, operands as sequences of words. What is not decided
//! exactly, such as where a command stands, is compared word for word and never guessed.

use super::call::{Command, Flag};
use super::language::{Automaton, Languages, SearchOutcome, readable, split};
use std::cell::OnceCell;
use std::rc::Rc;

use crate::ir::{FlagTest, Index, Shape};
use crate::programs::Table;
use behavior_shell::FlagValue;

/// Stands for any program, and for any value, where an example needs one.
const SOME_PROGRAM: &str = "program";
const SOME_VALUE: &str = "x";

/// What two shapes have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// Such a command.
    Command(Command),
    /// What nobody knows.
    Opaque,
    /// Nothing.
    Nothing,
    /// It is not known.
    Unknown,
}

/// Whether a shape asks for more than a program, flags and operands.
fn has_surroundings(shape: &Shape) -> bool {
    let lists = [&shape.piped_from, &shape.substitutes, &shape.under];
    let patterns = [&shape.some_operand, &shape.without_operand, &shape.writes, &shape.reads];
    lists.iter().any(|list| !list.is_empty())
        || patterns.iter().any(|list| !list.is_empty())
        || !shape.variables.is_empty()
        || shape.given.is_some()
        || shape.in_loop
        || shape.calls_itself
        || shape.status_lost
        || shape.unknown_operand
        || shape.pattern_operand
}

/// Whether a shape takes any program.
fn takes_any_program(shape: &Shape) -> bool {
    shape.programs.is_empty() && shape.program_pattern.is_none()
}

/// The program that an alternative is about, one at a time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Program<'a> {
    Any,
    Named(&'a str),
    Pattern(Index),
}

/// The programs of a shape.
pub(super) fn programs(shape: &Shape) -> Vec<Program<'_>> {
    if takes_any_program(shape) {
        return vec![Program::Any];
    }
    let named = shape.programs.iter().map(|name| Program::Named(name));
    named.chain(shape.program_pattern.map(Program::Pattern)).collect()
}

fn takes_program(shape: &Shape, name: &str, languages: &Languages<'_>) -> bool {
    takes_any_program(shape)
        || shape.programs.iter().any(|known| known.eq_ignore_ascii_case(name))
        || shape.program_pattern.is_some_and(|pattern| languages.takes(pattern, name))
}

/// Whether a flag that fits `inner` fits `outer`.
fn implies(inner: &FlagTest, outer: &FlagTest, languages: &Languages<'_>) -> bool {
    inner.name == outer.name
        && match (inner.value, outer.value) {
            (_, None) => true,
            (Some(inner), Some(outer)) => languages.contains(outer, inner),
            (None, Some(_)) => false,
        }
}

/// Whether every command that fits `inner` fits all of `outer` but its operands, given the program.
pub(super) fn covers_but_operands(
    outer: &Shape,
    inner: &Shape,
    program: Program<'_>,
    languages: &Languages<'_>,
) -> bool {
    if outer.opaque || inner.opaque {
        return outer.opaque && inner.opaque;
    }
    let is_program = match program {
        Program::Any => takes_any_program(outer),
        Program::Named(name) => takes_program(outer, name, languages),
        Program::Pattern(pattern) => {
            let wider = outer.program_pattern.filter(|wider| languages.contains(*wider, pattern));
            takes_any_program(outer) || wider.is_some()
        }
    };
    is_program && covers_surroundings(outer, inner) && covers_flags(outer, inner, languages)
}

fn covers_surroundings(outer: &Shape, inner: &Shape) -> bool {
    fn narrows<T: PartialEq>(outer: &[T], inner: &[T]) -> bool {
        outer.is_empty() || !inner.is_empty() && inner.iter().all(|item| outer.contains(item))
    }
    narrows(&outer.piped_from, &inner.piped_from)
        && narrows(&outer.substitutes, &inner.substitutes)
        && narrows(&outer.under, &inner.under)
        && narrows(&outer.variables, &inner.variables)
        && narrows(&outer.some_operand, &inner.some_operand)
        && outer.without_operand.iter().all(|item| inner.without_operand.contains(item))
        && narrows(&outer.writes, &inner.writes)
        && narrows(&outer.reads, &inner.reads)
        && (outer.given.is_none()
            || outer.given == inner.given && outer.reads_statements == inner.reads_statements)
        && (!outer.in_loop || inner.in_loop)
        && (!outer.calls_itself || inner.calls_itself)
        && (!outer.status_lost || inner.status_lost)
        && (!outer.unknown_operand || inner.unknown_operand)
        && (!outer.pattern_operand || inner.pattern_operand)
}

fn covers_flags(outer: &Shape, inner: &Shape, languages: &Languages<'_>) -> bool {
    let some_implies = |tests: &[FlagTest], wanted: &FlagTest| {
        tests.iter().any(|test| implies(test, wanted, languages))
    };
    let implies_some = |test: &FlagTest, wanted: &[FlagTest]| {
        wanted.iter().any(|wanted| implies(test, wanted, languages))
    };
    let required = outer.flags.iter().all(|wanted| some_implies(&inner.flags, wanted));
    let any = outer.any_flags.is_empty()
        || inner.flags.iter().any(|test| implies_some(test, &outer.any_flags))
        || !inner.any_flags.is_empty()
            && inner.any_flags.iter().all(|test| implies_some(test, &outer.any_flags));
    // What `outer` forbids, `inner` must forbid at least as widely.
    let none = outer.no_flags.iter().all(|forbidden| implies_some(forbidden, &inner.no_flags));
    let mut named = inner.flags.iter().chain(&inner.any_flags);
    let exact = !outer.exact
        || inner.exact
            && named.all(|test| {
                implies_some(test, &outer.flags) || implies_some(test, &outer.any_flags)
            });
    required && any && none && exact
}

/// Whether the operands of `inner` surely are, or surely are not, all among those of `outer`; `None`
/// where that takes automata.
fn covers_operands_at_sight(outer: &Shape, inner: &Shape) -> Option<bool> {
    let Some(outer) = &outer.operands else { return Some(true) };
    let Some(inner) = &inner.operands else {
        return (outer.as_slice() == [None]).then_some(true);
    };
    if outer == inner {
        return Some(true);
    }
    if let Some((None, start)) = outer.split_last()
        && inner.starts_with(start)
    {
        return Some(true);
    }
    let is_open = |items: &[Option<Index>]| items.contains(&None);
    match (is_open(outer), is_open(inner)) {
        (false, true) => Some(false),
        (false, false) if outer.len() != inner.len() => Some(false),
        _ => None,
    }
}

/// Which of `outer` together take all operands of `inner`: the first that does so alone, where there is
/// one. Empty when they do not, for all one knows.
pub(super) fn covering_operands(
    outer: &[&Shape],
    inner: &Shape,
    languages: &Languages<'_>,
) -> Vec<usize> {
    const MAX: usize = 8;
    // What leaves out one text of `inner` does not take all of it: no automaton needs to be built.
    let example = OnceCell::new();
    let takes_example = |shape: &Shape| {
        let example = example.get_or_init(|| example_operands(inner, languages));
        match (example, &shape.operands) {
            (Some(words), Some(items)) => fits_items(items, words, languages),
            _ => true,
        }
    };
    let own = OnceCell::new();
    let leaves_nothing = |shapes: &[&Shape]| {
        let own = own.get_or_init(|| [sequence(inner, languages)]);
        let others: Vec<_> = shapes.iter().map(|shape| sequence(shape, languages)).collect();
        languages.search(own, &others) == SearchOutcome::Nothing
    };
    let mut parts = Vec::new();
    let mut is_example_taken = false;
    for (at, shape) in outer.iter().enumerate() {
        match covers_operands_at_sight(shape, inner) {
            Some(true) => return vec![at],
            Some(false) if !is_part(shape, inner) => continue,
            _ if are_apart(shape, inner, languages) => continue,
            _ => {}
        }
        let is_promising = takes_example(shape);
        // One alone says more than all together.
        if is_promising && leaves_nothing(&[*shape]) {
            return vec![at];
        }
        if parts.len() < MAX {
            parts.push(at);
            is_example_taken |= is_promising;
        }
    }
    let shapes: Vec<&Shape> = parts.iter().filter_map(|at| outer.get(*at).copied()).collect();
    match shapes.len() > 1 && is_example_taken && leaves_nothing(&shapes) {
        true => parts,
        false => Vec::new(),
    }
}

/// The operands of a shape, as an automaton.
fn sequence(shape: &Shape, languages: &Languages<'_>) -> Option<Rc<Automaton>> {
    languages.sequence(shape.operands.as_deref().unwrap_or(&[None]))
}

/// Some operands that a shape takes; `None` where none are known.
fn example_operands(shape: &Shape, languages: &Languages<'_>) -> Option<Vec<String>> {
    let items = shape.operands.as_deref().unwrap_or(&[None]);
    let word = |pattern: &Index| match languages.example(*pattern) {
        SearchOutcome::Text(word) => Some(readable(word)),
        SearchOutcome::Nothing | SearchOutcome::Unknown => None,
    };
    let words: Vec<String> = items.iter().flatten().map(word).collect::<Option<_>>()?;
    fits_items(items, &words, languages).then_some(words)
}

/// Whether a shape may take some of the operands of another, so that it helps to cover it.
fn is_part(outer: &Shape, inner: &Shape) -> bool {
    // A finite number of lengths is no help against any number of words.
    let is_open = |shape: &Shape| shape.operands.as_ref().is_none_or(|list| list.contains(&None));
    !is_open(inner) && is_open(outer)
}

/// Whether two shapes have operands that are seen to differ without automata.
fn are_apart(a: &Shape, b: &Shape, languages: &Languages<'_>) -> bool {
    let (Some(a), Some(b)) = (&a.operands, &b.operands) else { return false };
    for pair in a.iter().zip(b) {
        let (Some(a), Some(b)) = pair else { return false };
        if languages.are_apart(*a, *b) {
            return true;
        }
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let behind = long.get(short.len()..).unwrap_or_default();
    behind.iter().any(Option::is_some)
}

/// What shapes have in common, with the shortest operands.
pub(super) fn shared(shapes: &[&Shape], languages: &Languages<'_>, table: &Table) -> Shared {
    let opaque = shapes.iter().filter(|shape| shape.opaque).count();
    if opaque > 0 {
        return if opaque == shapes.len() { Shared::Opaque } else { Shared::Nothing };
    }
    if let [a, b] = shapes
        && are_apart(a, b, languages)
    {
        return Shared::Nothing;
    }
    let program = match shared_program(shapes, languages) {
        Ok(Some(name)) => name,
        Ok(None) => return Shared::Nothing,
        Err(Unclear) => return Shared::Unknown,
    };
    let flags = match shared_flags(shapes, languages) {
        Ok(Some(flags)) => flags,
        Ok(None) => return Shared::Nothing,
        Err(Unclear) => return Shared::Unknown,
    };
    let operands = match shared_operands(shapes, languages) {
        Ok(Some(operands)) => operands,
        Ok(None) => return Shared::Nothing,
        Err(Unclear) => return Shared::Unknown,
    };
    if shapes.iter().any(|shape| has_surroundings(shape)) {
        return Shared::Unknown;
    }
    let mut command = Command { program, flags, operands };
    command.place_flags(table);
    let path = command.path(table);
    for flag in &mut command.flags {
        let program = path.get(..1).unwrap_or_default();
        let place = if flag.is_global { program } else { &path };
        let needs_value = table.canonical(place, &flag.name).1 == FlagValue::Required;
        if flag.value.is_none() && needs_value {
            flag.value = Some(SOME_VALUE.to_owned());
        }
    }
    let fits = shapes.iter().all(|shape| takes(shape, &command, languages) == Some(true));
    if fits { Shared::Command(command) } else { Shared::Unknown }
}

/// It takes more than is looked at here to know.
struct Unclear;

/// The shortest operands that all shapes take; `None` when there are none such.
fn shared_operands(
    shapes: &[&Shape],
    languages: &Languages<'_>,
) -> Result<Option<Vec<String>>, Unclear> {
    let mut sequences: Vec<&[Option<Index>]> =
        shapes.iter().filter_map(|shape| shape.operands.as_deref()).collect();
    sequences.dedup();
    if let [items] = sequences.as_slice() {
        let words = items.iter().flatten().map(|pattern| match languages.example(*pattern) {
            SearchOutcome::Text(word) => Ok(Some(readable(word))),
            SearchOutcome::Nothing => Ok(None),
            SearchOutcome::Unknown => Err(Unclear),
        });
        return words.collect();
    }
    let sequences: Vec<_> = sequences.iter().map(|items| languages.sequence(items)).collect();
    match languages.search(&sequences, &[]) {
        SearchOutcome::Text(bytes) => Ok(Some(split(&bytes))),
        SearchOutcome::Nothing => Ok(None),
        SearchOutcome::Unknown => Err(Unclear),
    }
}

/// A program that all shapes take; `None` when there is none.
fn shared_program(shapes: &[&Shape], languages: &Languages<'_>) -> Result<Option<String>, Unclear> {
    let mut names = shapes.iter().flat_map(|shape| &shape.programs);
    let fits = |name: &str| {
        let is_name = !name.contains(['/', '\\']) && !name.ends_with(".exe") && !name.is_empty();
        is_name && shapes.iter().all(|shape| takes_program(shape, name, languages))
    };
    if let Some(name) = names.find(|name| fits(name)) {
        return Ok(Some(name.to_string()));
    }
    let patterns: Vec<Index> = shapes.iter().filter_map(|shape| shape.program_pattern).collect();
    let with_pattern = shapes.iter().filter(|shape| shape.program_pattern.is_some());
    let restricted = shapes.iter().filter(|shape| !takes_any_program(shape));
    if with_pattern.count() < restricted.count() {
        return Ok(None);
    }
    if patterns.is_empty() {
        return Ok(Some(SOME_PROGRAM.to_owned()));
    }
    let mut inside: Vec<_> = patterns.iter().map(|pattern| languages.word(*pattern)).collect();
    inside.push(languages.program_names());
    match languages.search(&inside, &[]) {
        SearchOutcome::Text(name) => Ok(Some(readable(name))),
        SearchOutcome::Nothing => Ok(None),
        SearchOutcome::Unknown => Err(Unclear),
    }
}

/// Flags that all shapes take; `None` when there are none such.
fn shared_flags(
    shapes: &[&Shape],
    languages: &Languages<'_>,
) -> Result<Option<Vec<Flag>>, Unclear> {
    let required = shapes.iter().flat_map(|shape| &shape.flags);
    let chosen = shapes.iter().filter_map(|shape| shape.any_flags.first());
    let mut tests: Vec<(&str, Vec<Index>)> = Vec::new();
    for test in required.chain(chosen) {
        match tests.iter_mut().find(|(name, _)| *name == &*test.name) {
            Some((_, values)) => values.extend(test.value),
            None => tests.push((&test.name, test.value.into_iter().collect())),
        }
    }
    let mut flags = Vec::new();
    for (name, mut values) in tests {
        values.dedup();
        let is_refused = |shape: &&Shape| {
            let mut named = shape.flags.iter().chain(&shape.any_flags);
            shape.exact && !named.any(|test| *test.name == *name)
                || shape.no_flags.iter().any(|test| *test.name == *name && test.value.is_none())
        };
        if shapes.iter().any(is_refused) {
            // Another of the flags of which one is asked for might do.
            let is_choice = shapes.iter().any(|shape| shape.any_flags.len() > 1);
            return if is_choice { Err(Unclear) } else { Ok(None) };
        }
        let value = match values.as_slice() {
            [] => None,
            patterns => {
                let inside: Vec<_> =
                    patterns.iter().map(|pattern| languages.word(*pattern)).collect();
                match languages.search(&inside, &[]) {
                    SearchOutcome::Text(text) => Some(readable(text)),
                    SearchOutcome::Nothing if patterns.len() == 1 => return Ok(None),
                    // It may be given twice.
                    SearchOutcome::Nothing | SearchOutcome::Unknown => return Err(Unclear),
                }
            }
        };
        flags.push(Flag { name: name.to_owned(), value, is_global: false });
    }
    Ok(Some(flags))
}

/// Whether a shape takes a command; `None` when it asks for what the command does not tell.
pub(super) fn takes(shape: &Shape, command: &Command, languages: &Languages<'_>) -> Option<bool> {
    if shape.opaque || !takes_program(shape, &command.program, languages) {
        return Some(false);
    }
    let fits = |test: &FlagTest, flag: &Flag| {
        *test.name == *flag.name
            && match (test.value, &flag.value) {
                (None, _) => true,
                (Some(pattern), Some(value)) => languages.takes(pattern, value),
                (Some(_), None) => false,
            }
    };
    let has = |test: &FlagTest| command.flags.iter().any(|flag| fits(test, flag));
    let is_named = |flag: &Flag| {
        let mut named = shape.flags.iter().chain(&shape.any_flags);
        flag.is_global || named.any(|test| fits(test, flag))
    };
    let flags = shape.flags.iter().all(has)
        && (shape.any_flags.is_empty() || shape.any_flags.iter().any(has))
        && !shape.no_flags.iter().any(has)
        && (!shape.exact || command.flags.iter().all(is_named));
    let operands = || match &shape.operands {
        Some(items) => fits_items(items, &command.operands, languages),
        None => true,
    };
    match flags && operands() {
        true if has_surroundings(shape) => None,
        fits => Some(fits),
    }
}

/// Whether words fit items, of which `None` stands for any number of words.
fn fits_items(items: &[Option<Index>], words: &[String], languages: &Languages<'_>) -> bool {
    // Whether the items so far take the words up to each place.
    let mut reached = vec![false; words.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for item in items {
        let mut next = vec![false; words.len() + 1];
        match item {
            None => {
                let from = reached.iter().position(|is_reached| *is_reached);
                let open = next.iter_mut().skip(from.unwrap_or(words.len() + 1));
                open.for_each(|place| *place = true);
            }
            Some(pattern) => {
                for ((word, is_reached), place) in
                    words.iter().zip(&reached).zip(next.iter_mut().skip(1))
                {
                    *place = *is_reached && languages.takes(*pattern, word);
                }
            }
        }
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}

/// Whether a shape takes every command that is known.
pub(super) fn takes_all(shape: &Shape, languages: &Languages<'_>) -> bool {
    let any = Shape::default();
    let is_any_program = takes_any_program(shape)
        || shape.programs.is_empty()
            && shape.program_pattern.is_some_and(|pattern| {
                let names = [languages.program_names()];
                languages.search(&names, &[languages.word(pattern)]) == SearchOutcome::Nothing
            });
    let anywhere = Shape { program_pattern: None, ..shape.clone() };
    is_any_program
        && covers_but_operands(&anywhere, &any, Program::Any, languages)
        && !covering_operands(&[&anywhere], &any, languages).is_empty()
}
