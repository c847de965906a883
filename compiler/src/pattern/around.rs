//! What to say of look-around, which depends on where it stands: often the same can be written
//! without, because only whether a pattern matches counts.

use std::ops::Range;

use super::PatternProblem;
use super::syntax::{Around, Item, Look, Node, PerlKind};
use crate::registry::diagnostics::UNSUPPORTED_PATTERN;

/// Where a look-around stands in the pattern.
#[derive(Clone, Copy)]
struct Position {
    /// Nothing stands before it.
    first: bool,
    /// Nothing but the start of the text or other look-around stands before it.
    leading: bool,
    /// Nothing stands behind it.
    last: bool,
    /// It is part of the pattern itself, not of a group or an alternative.
    top: bool,
}

const NOWHERE: Position = Position { first: false, leading: false, last: false, top: false };

/// Reports every look-around in `root`.
pub(super) fn report(source: &str, root: &Item, problems: &mut Vec<PatternProblem>) {
    let place = Position { first: true, leading: true, last: true, top: true };
    walk(source, root, place, problems);
}

fn walk(source: &str, item: &Item, place: Position, problems: &mut Vec<PatternProblem>) {
    match &item.node {
        Node::Around(around) => {
            problems.push(problem(source, item.range.clone(), around, place));
            walk(source, &around.inner, NOWHERE, problems);
        }
        Node::Group(inner) => walk(source, inner, Position { top: false, ..place }, problems),
        Node::Alternation(items) => {
            let place = Position { top: false, ..place };
            items.iter().for_each(|item| walk(source, item, place, problems));
        }
        Node::Repeat(repeat) => walk(source, &repeat.item, NOWHERE, problems),
        Node::Concat(items) => {
            let mut leading = place.leading;
            for (index, item) in items.iter().enumerate() {
                let first = place.first && index == 0;
                let last = place.last && index + 1 == items.len();
                walk(source, item, Position { first, leading, last, top: place.top }, problems);
                leading &= matches!(item.node, Node::Around(_) | Node::Look(Look::TextStart));
            }
        }
        _ => {}
    }
}

fn problem(source: &str, range: Range<usize>, around: &Around, place: Position) -> PatternProblem {
    let written = source.get(range.clone()).unwrap_or_default();
    let name = match (around.ahead, around.negated) {
        (true, false) => "look-ahead",
        (true, true) => "negative look-ahead",
        (false, false) => "look-behind",
        (false, true) => "negative look-behind",
    };
    let message =
        format!("the {name} `{written}` is not supported: it needs a backtracking engine");
    let before = source.get(..range.start).unwrap_or_default();
    let after = source.get(range.end..).unwrap_or_default();
    let (help, rewrite) = if around.negated {
        negative(source, around, place, before, after)
    } else {
        positive(source, around, place)
    };
    let mut problem = PatternProblem::new(&UNSUPPORTED_PATTERN, range, message).help(help);
    problem.rewrite = rewrite;
    problem
}

fn positive(source: &str, around: &Around, place: Position) -> (String, Option<String>) {
    let inner = inner_text(source, around);
    let at_edge = if around.ahead { place.last } else { place.first };
    if at_edge {
        let plain = grouped(around, inner);
        let help =
            format!("only whether the pattern matches counts, so match it as well: `{plain}`");
        return (help, Some(plain));
    }
    if around.ahead && place.leading {
        let inner = without_any(inner);
        return (
            format!("give `{inner}` a condition of its own, and join the two with `all`"),
            None,
        );
    }
    let side = if around.ahead { "follow" } else { "stand before" };
    (
        format!(
            "write out what may {side}, or split the pattern into conditions joined with `all`"
        ),
        None,
    )
}

fn negative(
    source: &str,
    around: &Around,
    place: Position,
    before: &str,
    after: &str,
) -> (String, Option<String>) {
    let inner = inner_text(source, around);
    let at_edge = if around.ahead { place.last } else { place.first };
    if at_edge && let Some(other) = any_other(source, &around.inner) {
        let plain =
            if around.ahead { format!("(?:{other}|\\Z)") } else { format!("(?:^|{other})") };
        let side = if around.ahead { "end" } else { "start" };
        let help = format!("match any other character, or the {side} of the text: `{plain}`");
        return (help, Some(plain));
    }
    let excluded = if around.ahead && place.leading {
        without_any(inner).to_owned()
    } else if around.ahead && place.last && place.top {
        format!("{before}{}", grouped(around, inner))
    } else if !around.ahead && place.first && place.top {
        format!("{}{after}", grouped(around, inner))
    } else {
        grouped(around, inner)
    };
    let help = format!(
        "leave it out, and exclude what it stands for with a second condition: `all` of this one and `not` of one with the pattern `{excluded}`"
    );
    (help, None)
}

fn inner_text<'s>(source: &'s str, around: &Around) -> &'s str {
    source.get(around.inner.range.clone()).unwrap_or_default()
}

/// A leading `.*` adds nothing to an unanchored search.
fn without_any(inner: &str) -> &str {
    inner.strip_prefix(".*?").or_else(|| inner.strip_prefix(".*")).unwrap_or(inner)
}

/// The inner text, fit to stand among others.
fn grouped(around: &Around, inner: &str) -> String {
    match around.inner.node {
        Node::Alternation(_) => format!("(?:{inner})"),
        _ => inner.to_owned(),
    }
}

/// The set of all characters but those that `item` matches, where it matches one character.
fn any_other(source: &str, item: &Item) -> Option<String> {
    let written = source.get(item.range.clone())?;
    match &item.node {
        Node::Literal { .. } => Some(format!("[^{written}]")),
        Node::Perl(perl) => Some(
            match (perl.kind, perl.negated) {
                (PerlKind::Digit, false) => "\\D",
                (PerlKind::Digit, true) => "\\d",
                (PerlKind::Space, false) => "\\S",
                (PerlKind::Space, true) => "\\s",
                (PerlKind::Word, false) => "\\W",
                (PerlKind::Word, true) => "\\w",
            }
            .to_owned(),
        ),
        Node::Class(class) if class.negated => {
            written.strip_prefix("[^").map(|rest| format!("[{rest}"))
        }
        Node::Class(_) => written.strip_prefix('[').map(|rest| format!("[^{rest}")),
        _ => None,
    }
}
