//! Text patterns: from what an author wrote, in the spelling of Python's `re` or of Rust's `regex`,
//! to what the image carries.
//!
//! A pattern is a case-insensitive, unanchored search, and only whether it matches counts. So
//! groups capture nothing here, greediness is dropped, and what cannot be matched in linear time
//! is refused with its exact range. Where Python and Rust read the same text differently, Python's
//! reading holds; the exceptions are listed at [`compile`].
//!
//! This module knows nothing of rules or files: ranges are bytes of the pattern as written.

mod around;
mod automaton;
mod class;
mod emit;
mod escape;
pub mod glob;
mod limits;
mod literal;
mod parse;
mod pieces;
mod posix;
mod problem;
mod syntax;
pub mod word;

pub use automaton::{AUTOMATON_SIZE_LIMIT, Budget, NFA_SIZE_LIMIT};
pub use pieces::Pieces;
pub use problem::PatternProblem;

use crate::diagnostic::Severity;
use crate::registry::diagnostics::{MISREAD_PATTERN, PATTERN_MATCHES_EVERYTHING};

/// A pattern that is ready for the image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// As the author wrote it.
    pub source: Box<str>,
    /// The same in Rust's `regex` syntax, flags included, with nothing that the default
    /// configuration of a parser would refuse. It is what runs where there is no automaton.
    pub regex: Box<str>,
    /// The minimised unanchored sparse automaton, as `sparse::DFA::to_bytes_little_endian` gives
    /// it, at most [`AUTOMATON_SIZE_LIMIT`] bytes. It answers only whether there is a match: where
    /// a match ends is not what the author's greediness would say.
    pub dfa: Option<Vec<u8>>,
    /// Every text that matches contains at least one of these, once [`fold`]ed. ASCII, lower-case,
    /// never empty; `None` when nothing useful is required.
    pub literals: Option<Vec<Box<str>>>,
    /// The whole pattern is one plain ASCII text: it matches exactly the texts that contain it,
    /// [`fold`]ed. Then `literals` holds that one and there is no automaton.
    pub exact_literal: bool,
    /// A text matches exactly when, [`fold`]ed, it contains one of `literals`. True for every
    /// `exact_literal`, and for alternatives of plain texts.
    pub literals_suffice: bool,
    /// What the pattern comes down to, where no engine is needed for it.
    pub plain: Option<Plain>,
    /// It is a path pattern that [`behavior_image::glob`] matches as it is written, too; one that is no list has no
    /// automaton then.
    pub is_glob: bool,
}

/// A pattern that is nothing but texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plain {
    /// It matches its source and nothing else, case included.
    Whole,
    /// It matches what begins with this text.
    Beginning(Box<str>),
    /// It matches what has these texts in their order.
    Pieces(Pieces),
}

/// What a literal of a [`Pattern`] is looked for in: ASCII letters lower-cased, and the two other
/// characters that equal an ASCII letter when case is ignored (U+017F `ſ`, U+212A `K`) replaced by
/// that letter. All other characters stay.
#[must_use]
pub fn fold(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\u{17f}' => 's',
            '\u{212a}' => 'k',
            other => other.to_ascii_lowercase(),
        })
        .collect()
}

/// The pattern that finds exactly the texts that contain `text`, ignoring case.
#[must_use]
pub fn literal(text: &str) -> Pattern {
    if text.is_ascii() && !text.is_empty() {
        return plain(text);
    }
    let regex = format!("(?i){}", regex_syntax::escape(text)).into();
    Pattern {
        source: text.into(),
        regex,
        dfa: None,
        literals: None,
        exact_literal: false,
        literals_suffice: false,
        plain: None,
        is_glob: false,
    }
}

/// Compiles a pattern: translated, checked, its required literals found and, while `budget` lasts,
/// its automaton built. With the pattern come warnings; without it, everything that is wrong, and
/// the warnings.
///
/// Where the result differs from Python's `re.search(…, re.IGNORECASE)` on purpose:
/// - `\b \w \d \s` and their negations are ASCII unless the pattern starts with `(?u)`.
/// - Case folding is Unicode's simple one: `i` does not equal `ı` or `İ`.
/// - `(?i)`, `(?m)`, `(?s)`, `(?x)` may stand anywhere and hold to the end of their group.
/// - `$` that something must follow never matches, not even a final newline; it is warned about.
/// - `\b` behind `$` sees the end of the text, not the final newline; `\B` holds in an empty text.
/// - Also accepted: `\z`, `\p{…}`, `\x{…}`, `\u{…}`, `(?<name>…)`.
///
/// # Errors
/// All problems of the pattern, in the order of their ranges, at least one of them an error.
pub fn compile(
    source: &str,
    budget: &mut Budget,
) -> Result<(Pattern, Vec<PatternProblem>), Vec<PatternProblem>> {
    if let Some(problem) = limits::check_length(source) {
        return Err(vec![problem]);
    }
    if let Some(at) = source.find('\u{8}') {
        let message = "a backspace stands here: in double quotes, `\\b` is read as one";
        let help = "write the pattern in single quotes, in which a backslash is a backslash";
        return Err(vec![PatternProblem::invalid(at..at + 1, message).help(help)]);
    }
    let fenced = fenced(source);
    if is_plain(source) {
        return Ok((plain(source), fenced.into_iter().collect()));
    }
    let (root, mut problems) = parse::parse(source);
    problems.extend(fenced);
    around::report(source, &root, &mut problems);
    if let Some(problem) = limits::check_size(source, &root) {
        problems.push(problem);
    }
    problems.sort_by_key(|problem| (problem.range.start, problem.range.end));
    if problems.iter().any(|problem| problem.kind.severity == Severity::Error) {
        return Err(problems);
    }
    if matches_everything(&root, source) {
        problems.push(everything(source));
    }
    match finish(source, &root, true, budget) {
        Ok(pattern) => Ok((pattern, problems)),
        Err(problem) => {
            problems.push(problem);
            Err(problems)
        }
    }
}

/// A pattern between slashes with flags behind it, as other languages write one: `/push/i`.
fn fenced(source: &str) -> Option<PatternProblem> {
    let (inner, flags) = source.strip_prefix('/')?.rsplit_once('/')?;
    let is_flags = !flags.is_empty() && flags.chars().all(|flag| "gimsuy".contains(flag));
    if inner.is_empty() || inner.contains('/') || !is_flags {
        return None;
    }
    let message = format!("the slashes and `{flags}` are part of what is looked for");
    let problem = PatternProblem::new(&MISREAD_PATTERN, 0..source.len(), message);
    let help = format!("write `{inner}`: patterns stand without slashes, and case is ignored");
    Some(problem.help(help).rewrite(inner))
}

/// The steps after parsing, which regular expressions and globs share.
fn finish(
    source: &str,
    root: &syntax::Item,
    fold: bool,
    budget: &mut Budget,
) -> Result<Pattern, PatternProblem> {
    let regex = emit::emit(root, fold);
    let required = literal::required(root);
    let pieces = if required.suffice { None } else { pieces::of(root) };
    let is_plain = required.suffice || pieces.is_some();
    let dfa = if is_plain { None } else { automaton::build(source, root, &regex, fold, budget)? };
    Ok(Pattern {
        source: source.into(),
        regex: regex.into(),
        dfa,
        literals: required.literals,
        exact_literal: required.exact,
        literals_suffice: required.suffice,
        plain: pieces.map(Plain::Pieces),
        is_glob: false,
    })
}

/// Whether the text has no character that means anything but itself, and is ASCII: most patterns
/// that people write, and not worth a parse.
fn is_plain(source: &str) -> bool {
    !source.is_empty()
        && source.bytes().all(|byte| byte.is_ascii() && !br"\.+*?()|[]{}^$".contains(&byte))
}

fn plain(source: &str) -> Pattern {
    let mut regex = String::with_capacity(source.len() + 16);
    regex.push_str("(?i)");
    regex_syntax::escape_into(source, &mut regex);
    Pattern {
        source: source.into(),
        regex: regex.into(),
        dfa: None,
        literals: Some(vec![source.to_ascii_lowercase().into()]),
        exact_literal: true,
        literals_suffice: true,
        plain: None,
        is_glob: false,
    }
}

/// Whether the empty text matches wherever it stands, and not because the author wrote `.*`.
fn matches_everything(root: &syntax::Item, source: &str) -> bool {
    root.always_matches() && !matches!(source, ".*" | ".*?" | "(.*)" | "(?s).*" | "(?s:.*)")
}

fn everything(source: &str) -> PatternProblem {
    let help = if source.contains('|') {
        "an alternative that can be empty always matches; is there a `|` too many?"
    } else {
        "require at least one character, or write `.*` to mean any text"
    };
    let message = match source {
        "" => "an empty pattern matches every text".to_owned(),
        _ => format!("`{source}` matches every text, because it can match nothing at all"),
    };
    PatternProblem::new(&PATTERN_MATCHES_EVERYTHING, 0..source.len(), message).help(help)
}

#[cfg(test)]
mod tests;
