//! Rules in our language: their head, and their names.

use std::collections::{HashMap, HashSet};

use super::imported::Import;
use crate::render::one_line;

/// Rules in our language.
pub(super) struct Rules {
    pub(super) text: String,
    pub(super) count: usize,
}

/// The files of an import, for the head of what is written.
pub(super) fn heading(import: &Import, kind: &str, from: &str) -> String {
    let names: Vec<String> = import.sources.iter().map(|(_, file)| one_line(&file.name)).collect();
    format!("# behavior: {kind}\n#\n# Imported from {from}: {}\n", names.join(", "))
}

/// A name for a rule, out of what it is about: letters, digits and `_`.
pub(super) fn slug(text: &str) -> String {
    pub(super) const MAX_LENGTH: usize = 48;
    let mut out = String::new();
    for character in text.chars().take(4 * MAX_LENGTH) {
        if character.is_ascii_alphanumeric() {
            out.push(character.to_ascii_lowercase());
        } else if !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
        if out.len() == MAX_LENGTH {
            break;
        }
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

/// The names of rules, each of which is there once.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// The number at which the last name of a kind ended.
    numbers: HashMap<String, u32>,
}

impl Names {
    /// The name, with a number behind it where it is taken.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        while !self.taken.insert(candidate.clone()) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            *number += 1;
            candidate = format!("{name}_{number}");
        }
        candidate
    }

    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }
}
