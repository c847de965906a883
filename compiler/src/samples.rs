//! What a pattern takes, shown: a text that it matches, and one that is nearly the same and that it does not match.

use regex_automata::Input;
use regex_automata::dfa::{Automaton as _, dense};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::pattern::{Budget, Pattern, compile, glob};

/// Samples are no longer than this, in bytes.
const MAX_LENGTH: usize = 120;
/// An automaton takes no more memory than this, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// A text that a pattern matches, and one that it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Samples {
    pub matches: String,
    /// Whether the empty text matches, too.
    pub takes_nothing: bool,
    pub misses: Option<String>,
}

/// Samples of a regular expression.
pub(crate) fn of_pattern(source: &str) -> Option<Samples> {
    samples(&compile(source, &mut Budget::none()).ok()?.0)
}

/// Samples of a path pattern.
pub(crate) fn of_glob(source: &str) -> Option<Samples> {
    samples(&glob::compile(source, &mut Budget::none()).ok()?)
}

/// Samples of a pattern.
pub(crate) fn samples(pattern: &Pattern) -> Option<Samples> {
    let config = dense::Config::new()
        .dfa_size_limit(Some(MAX_BYTES))
        .determinize_size_limit(Some(MAX_BYTES));
    let automaton = dense::Builder::new().configure(config).build(&pattern.regex).ok()?;
    let takes = |text: &str| {
        let found = automaton.try_search_fwd(&Input::new(text).earliest(true));
        found.ok().map(|found| found.is_some())
    };
    let parsed = regex_syntax::Parser::new().parse(&pattern.regex).ok()?;
    let mut matches = String::new();
    write(&parsed, &mut matches)?;
    // Where case does not count, texts are shown as the author writes.
    let lower = matches.to_lowercase();
    let is_lower = !pattern.source.contains(char::is_uppercase);
    if is_lower && takes(&lower) == Some(true) {
        matches = lower;
    } else if takes(&matches) != Some(true) {
        return None;
    }
    let misses = nearly(&matches).into_iter().find(|text| takes(text) == Some(false));
    let takes_nothing = takes("") == Some(true);
    Some(Samples { matches, misses, takes_nothing })
}

/// Texts that differ from one in as little as can be.
fn nearly(text: &str) -> Vec<String> {
    let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
    let without_last = text.get(..last).unwrap_or_default();
    let without_first = text.chars().skip(1).collect::<String>();
    let near = [
        without_last.to_owned(),
        format!("{without_last}_"),
        without_first,
        format!("x{text}"),
        format!("{text}x"),
    ];
    near.into_iter().filter(|near| !near.is_empty()).collect()
}

/// Writes the plainest text that an expression stands for; `None` where there is none, or a long one. The parser
/// bounds how deep it nests.
fn write(hir: &Hir, out: &mut String) -> Option<()> {
    if out.len() > MAX_LENGTH {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => out.push(letter(class)?),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            // What may be left out and may also come often is shown once.
            let times = if most > 1 { repetition.min.max(1) } else { repetition.min };
            for _ in 0..times {
                write(&repetition.sub, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, out)?;
            }
        }
        HirKind::Alternation(parts) => write(parts.first()?, out)?,
    }
    Some(())
}

/// A class of so few characters is a letter with its other cases, or a choice of the author's.
const FEW: u32 = 4;

/// A letter of a class, the plainest that it has.
fn letter(class: &Class) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|it| (it.start(), it.end())).collect(),
        Class::Bytes(class) => {
            let ranges = class.ranges().iter();
            ranges.map(|it| (char::from(it.start()), char::from(it.end()))).collect()
        }
    };
    // Of a letter in both cases, the first is as it is most often written.
    let size = |(from, to): &(char, char)| (*to as u32).saturating_sub(*from as u32) + 1;
    if ranges.iter().map(size).fold(0, u32::saturating_add) <= FEW {
        return Some(ranges.first()?.0);
    }
    let has = |letter: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&letter));
    let plain = ['a', '1', ' ', '/'].into_iter().find(has);
    plain.or_else(|| Some(ranges.first()?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: Option<Samples>, matches: &str, misses: Option<&str>) {
        let found = found.map(|found| (found.matches, found.misses));
        assert_eq!(found, Some((matches.to_owned(), misses.map(str::to_owned))));
    }

    #[test]
    fn patterns_are_shown_by_texts() {
        check(of_pattern("UPDATE|DELETE"), "UPDATE", Some("UPDAT"));
        check(of_pattern("^git +push$"), "git push", Some("git pus"));
        check(of_pattern(".*"), "a", None);
        assert_eq!(of_pattern("a{900}"), None);
        assert_eq!(of_pattern("("), None);
    }

    #[test]
    fn globs_are_shown_by_paths() {
        check(of_glob("docs/**"), "docs/a", Some("docs/"));
        check(of_glob("*.md"), "a.md", Some("a.m"));
    }
}
