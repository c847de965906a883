//! How large a pattern may be, and what to say of one that is larger.

use std::ops::Range;

use super::PatternProblem;
use super::syntax::{Class, ClassItem, Item, Node, Repeat};
use crate::registry::diagnostics::PATTERN_TOO_LARGE;

/// The most characters of a pattern.
pub(super) const LENGTH: usize = 10_000;

/// The deepest nesting of groups. A group costs up to four levels of a regex parser, whose usual
/// limit is 250.
pub(super) const NESTING: usize = 60;

/// The most states that a pattern may need, by [`states`]'s reckoning.
const STATES: u64 = 40_000;

/// States of a character of any script, and of a set that Unicode defines.
const ANY_CHARACTER: u64 = 12;
const UNICODE_SET: u64 = 800;

pub(super) fn check_length(source: &str) -> Option<PatternProblem> {
    // A pattern of few bytes has few characters: no need to count.
    if source.len() <= LENGTH {
        return None;
    }
    let length = source.chars().count();
    (length > LENGTH).then(|| {
        PatternProblem::new(
            &PATTERN_TOO_LARGE,
            0..source.len(),
            format!("the pattern is {length} characters long; at most {LENGTH} are allowed"),
        )
        .help("split it into several conditions joined with `any`")
    })
}

pub(super) fn too_deep(range: Range<usize>) -> PatternProblem {
    PatternProblem::new(
        &PATTERN_TOO_LARGE,
        range,
        format!("groups are nested more than {NESTING} deep"),
    )
    .help("drop the parentheses that group nothing, or split the pattern")
}

/// Refuses what would need too many states, pointing at the repetition that grows most.
pub(super) fn check_size(source: &str, root: &Item) -> Option<PatternProblem> {
    if states(root) <= STATES {
        return None;
    }
    let mut worst = None;
    largest_repetition(root, 1, &mut worst);
    Some(match worst {
        Some((_, repeat)) => repetition_grows(source, repeat),
        None => too_large(0..source.len()),
    })
}

pub(super) fn too_large(range: Range<usize>) -> PatternProblem {
    PatternProblem::new(&PATTERN_TOO_LARGE, range, "the pattern is too large to be compiled")
        .help("split it into several conditions joined with `any`")
}

fn repetition_grows(source: &str, repeat: &Repeat) -> PatternProblem {
    let operator = source.get(repeat.operator.clone()).unwrap_or_default();
    PatternProblem::new(
        &PATTERN_TOO_LARGE,
        repeat.operator.clone(),
        format!("`{operator}` makes the pattern too large: what it repeats is copied that often"),
    )
    .help("write a smaller count, or `*` or `+` where the exact count does not matter")
}

/// Roughly the states of an automaton for `item` that has not been made deterministic.
pub(super) fn states(item: &Item) -> u64 {
    match &item.node {
        Node::Literal { character, .. } => character.len_utf8() as u64 * 2,
        Node::Dot { .. } => ANY_CHARACTER,
        Node::Perl(perl) => set(perl.unicode, perl.negated),
        Node::Property(_) => UNICODE_SET,
        Node::Class(class) => class_states(class),
        Node::Look(_) | Node::Broken => 1,
        Node::Group(inner) => states(inner),
        Node::Concat(items) => items.iter().fold(0, |sum, item| sum.saturating_add(states(item))),
        Node::Alternation(items) => {
            items.iter().fold(1, |sum, item| sum.saturating_add(states(item)))
        }
        Node::Repeat(repeat) => {
            states(&repeat.item).saturating_add(1).saturating_mul(copies(repeat))
        }
        Node::Around(around) => states(&around.inner),
    }
}

fn set(unicode: bool, negated: bool) -> u64 {
    match (unicode, negated) {
        (true, _) => UNICODE_SET,
        (false, true) => ANY_CHARACTER,
        (false, false) => 1,
    }
}

fn class_states(class: &Class) -> u64 {
    let items = class.items.iter().map(|item| match item {
        ClassItem::Range(from, to) => (from.len_utf8() + to.len_utf8()) as u64 / 2,
        ClassItem::Perl(perl) => set(perl.unicode, perl.negated),
        ClassItem::Property(_) => UNICODE_SET,
    });
    items.fold(if class.negated { ANY_CHARACTER } else { 1 }, u64::saturating_add)
}

/// How often a repetition copies what it repeats.
fn copies(repeat: &Repeat) -> u64 {
    u64::from(repeat.max.unwrap_or(repeat.min)).max(1)
}

/// Finds the counted repetition that stands for the most copies, itself and those around it.
fn largest_repetition<'i>(item: &'i Item, around: u64, worst: &mut Option<(u64, &'i Repeat)>) {
    match &item.node {
        Node::Group(inner) => largest_repetition(inner, around, worst),
        Node::Around(inner) => largest_repetition(&inner.inner, around, worst),
        Node::Concat(items) | Node::Alternation(items) => {
            items.iter().for_each(|item| largest_repetition(item, around, worst));
        }
        Node::Repeat(repeat) => {
            let growth = around.saturating_mul(copies(repeat));
            let cost = growth.saturating_mul(states(&repeat.item));
            if copies(repeat) > 1 && worst.is_none_or(|(most, _)| cost > most) {
                *worst = Some((cost, repeat));
            }
            largest_repetition(&repeat.item, growth, worst);
        }
        _ => {}
    }
}
