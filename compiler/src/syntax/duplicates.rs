//! Finds keys that stand twice in a mapping, for all formats alike.

use std::collections::HashMap;

use super::Entry;
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::DUPLICATE_KEY;

/// Mappings up to this size are compared pairwise, which allocates nothing.
const PAIRWISE: usize = 12;

/// So many second keys of one mapping are reported one by one, the others together.
const MAX_REPORTED: usize = 100;

/// Takes out every entry whose key stands in an earlier one, and reports it.
pub fn remove(entries: &mut Vec<Entry>, diagnostics: &mut Vec<Diagnostic>) {
    let doubled =
        if entries.len() <= PAIRWISE { find_pairwise(entries) } else { find_hashed(entries) };
    if doubled.is_empty() {
        return;
    }
    for &(second, first) in doubled.iter().take(MAX_REPORTED) {
        if let (Some(second), Some(first)) = (entries.get(second), entries.get(first)) {
            diagnostics.push(report(second, first));
        }
    }
    let next = doubled.get(MAX_REPORTED).and_then(|(second, _)| entries.get(*second));
    if let Some(next) = next {
        diagnostics.push(report_others(next, doubled.len() - MAX_REPORTED));
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

fn report_others(next: &Entry, count: usize) -> Diagnostic {
    let message = match count {
        1 => "one more key of this mapping stands here a second time".to_owned(),
        _ => format!("from here on, {count} more keys of this mapping stand a second time"),
    };
    Diagnostic::new(&DUPLICATE_KEY, next.key.span, message).help("delete or rename one of each")
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

#[cfg(test)]
mod tests {
    use crate::source::FileId;
    use crate::syntax::{Format, parse};

    #[track_caller]
    fn check(seconds: usize, reports: usize, last: &str) {
        for (format, text) in [
            (Format::Yaml, "a: 1\n".repeat(seconds + 1)),
            (Format::Json, format!("{{{}\"a\":1}}", "\"a\":1,".repeat(seconds))),
        ] {
            let diagnostics = parse(FileId(0), &text, format).diagnostics;
            assert_eq!(diagnostics.len(), reports, "{format:?}");
            assert_eq!(diagnostics.last().map(|last| &*last.message), Some(last), "{format:?}");
        }
    }

    #[test]
    fn many_second_keys_are_reported_together() {
        check(1, 1, "the key `a` stands here a second time");
        check(100, 100, "the key `a` stands here a second time");
        check(101, 101, "one more key of this mapping stands here a second time");
        check(5000, 101, "from here on, 4900 more keys of this mapping stand a second time");
    }
}
