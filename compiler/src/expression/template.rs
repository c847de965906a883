//! The forms that conditions have in expressions, read from the templates that they declare: words,
//! parentheses and holes, as in `target in {set}`. The words of the language, the grammar, the
//! reading and the printing of conditions all follow from them.
//!
//! A hole names an operand of the condition; behind a colon it may say how else the operand is
//! written. `[not]` makes two forms, the second of which negates the condition.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::hole::{Hole, Syntax};
use crate::conditions::{ALL, ConditionKind};

/// A form of a condition.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) condition: &'static str,
    /// Whether it stands for the opposite of the condition.
    pub(super) is_negated: bool,
    pub(super) parts: Vec<Part>,
}

/// A part of a form.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Word(&'static str),
    Open,
    Close,
    Hole(Hole),
}

impl Form {
    pub(super) fn holes(&self) -> impl DoubleEndedIterator<Item = &Hole> {
        self.parts.iter().filter_map(|part| match part {
            Part::Hole(hole) => Some(hole),
            _ => None,
        })
    }

    /// What its first hole with one of the syntaxes is.
    pub(super) fn hole(&self, syntaxes: &[Syntax]) -> Option<&Hole> {
        self.holes().find(|hole| syntaxes.contains(&hole.syntax))
    }
}

/// All forms, in the order of the conditions.
pub(super) static FORMS: LazyLock<Vec<Form>> =
    LazyLock::new(|| ALL.iter().flat_map(|kind| of_condition(kind)).collect());

/// The forms of a condition, the one that is printed first.
pub(super) fn forms(condition: &str) -> impl Iterator<Item = &'static Form> {
    static PLACES: LazyLock<HashMap<&'static str, Range<usize>>> = LazyLock::new(|| {
        let mut places: HashMap<&str, Range<usize>> = HashMap::new();
        for (at, form) in FORMS.iter().enumerate() {
            places.entry(form.condition).or_insert(at..at).end = at + 1;
        }
        places
    });
    let place = PLACES.get(condition).cloned().unwrap_or_default();
    FORMS.get(place).unwrap_or_default().iter()
}

/// All words that forms are made of, sorted.
pub(super) static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut words = vec!["is"];
    for part in FORMS.iter().flat_map(|form| &form.parts) {
        match part {
            Part::Word(word) => words.push(word),
            Part::Hole(Hole { syntax: Syntax::Words(choices), .. }) => words.extend(*choices),
            _ => {}
        }
    }
    words.sort_unstable();
    words.dedup();
    words
});

/// The words that open a condition, for suggestions.
pub(super) static HEADS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut heads = vec!["not"];
    for form in FORMS.iter() {
        if let Some(Part::Word(word)) = form.parts.first()
            && !heads.contains(word)
        {
            heads.push(word);
        }
    }
    heads
});

/// The forms of a condition, the one that is printed first.
fn of_condition(kind: &'static ConditionKind) -> Vec<Form> {
    let form = |template, is_negated| {
        let parts = parts(kind, template, is_negated)?;
        Some(Form { condition: kind.name, is_negated, parts })
    };
    let mut forms = Vec::new();
    for template in kind.forms {
        forms.extend(form(template, false));
        if template.contains("[not]") {
            forms.extend(form(template, true));
        }
    }
    forms
}

/// The parts of a template; `None` where it names a hole that the condition does not have.
fn parts(kind: &ConditionKind, template: &'static str, is_negated: bool) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(next) = rest.chars().next() {
        let end = match next {
            '{' => rest.find('}')? + 1,
            '[' => rest.find(']')? + 1,
            '(' | ')' | ' ' => 1,
            _ => rest.find(['(', ')', ' ']).unwrap_or(rest.len()),
        };
        let (part, behind) = rest.split_at_checked(end)?;
        rest = behind;
        match next {
            ' ' => {}
            '(' => parts.push(Part::Open),
            ')' => parts.push(Part::Close),
            '[' if is_negated => parts.push(Part::Word("not")),
            '[' => {}
            '{' => parts.push(Part::Hole(hole(kind, part.trim_matches(['{', '}']))?)),
            _ => parts.push(Part::Word(part)),
        }
    }
    Some(parts)
}

fn hole(kind: &ConditionKind, written: &str) -> Option<Hole> {
    let (name, syntax) = written.split_once(':').unzip();
    let mut hole = *kind.holes.iter().find(|hole| hole.name == name.unwrap_or(written))?;
    if let Some(syntax) = syntax {
        hole.syntax = Syntax::named(syntax)?;
    }
    Some(hole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_a_form() {
        for kind in ALL {
            let negated = kind.forms.iter().filter(|form| form.contains("[not]")).count();
            assert_eq!(of_condition(kind).len(), kind.forms.len() + negated, "{}", kind.name);
            assert!(!kind.forms.is_empty(), "{}", kind.name);
        }
    }
}
