//! Finds keys that stand twice in a mapping, for all formats alike.

use std::collections::HashMap;

use super::Entry;
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::DUPLICATE_KEY;

/// Mappings up to this size are compared pairwise, which allocates nothing.
const PAIRWISE: usize = 12;

/// Takes out every entry whose key stands in an earlier one, and reports it.
pub fn remove(entries: &mut Vec<Entry>, diagnostics: &mut Vec<Diagnostic>) {
    let doubled =
        if entries.len() <= PAIRWISE { find_pairwise(entries) } else { find_hashed(entries) };
    if doubled.is_empty() {
        return;
    }
    for &(second, first) in &doubled {
        if let (Some(second), Some(first)) = (entries.get(second), entries.get(first)) {
            diagnostics.push(report(second, first));
        }
    }
    let mut doubled = doubled.into_iter().map(|(second, _)| second).peekable();
    let mut index = 0;
    entries.retain(|_| {
        let drop = doubled.next_if_eq(&index).is_some();
        index += 1;
        !drop
    });
}

fn report(second: &Entry, first: &Entry) -> Diagnostic {
    let message = format!("the key `{}` stands here a second time", second.key.text);
    Diagnostic::new(&DUPLICATE_KEY, second.key.span, message)
        .label(first.key.span, "first here, and this one is used")
        .help("delete or rename one of them")
}

/// Indexes of second entries, each with that of its first, ascending.
fn find_pairwise(entries: &[Entry]) -> Vec<(usize, usize)> {
    let mut doubled = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let first = entries.iter().take(index).position(|other| other.key.text == entry.key.text);
        doubled.extend(first.map(|first| (index, first)));
    }
    doubled
}

fn find_hashed(entries: &[Entry]) -> Vec<(usize, usize)> {
    let mut seen = HashMap::with_capacity(entries.len());
    let mut doubled = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let first = *seen.entry(&*entry.key.text).or_insert(index);
        if first != index {
            doubled.push((index, first));
        }
    }
    doubled
}
