//! Patterns that are nothing but texts with anything between them, such as `*.env` or `git push *`: most
//! of those that people write. They are matched by looking for the texts, and nothing is made ready for
//! it.

use memchr::memmem;

use crate::code::Matching;
use crate::fold::fold_odd_letters;
use crate::format::PatternRecord;
use crate::image::View;
use crate::scan::find_literal;

/// Bits of [`PatternRecord::traits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits;

impl Traits {
    /// The first piece stands where the text begins.
    pub const STARTS: u32 = 1;
    /// The last piece stands where the text ends.
    pub const ENDS: u32 = 1 << 1;
    /// Case does not count: pieces are ASCII in lower case.
    pub const FOLDS: u32 = 1 << 2;
    /// All of it stands in one line. Then it neither starts nor ends where the text does.
    pub const LINE: u32 = 1 << 3;
    /// Its source is a path pattern that [`crate::glob`] matches, with the same answer.
    pub const GLOB: u32 = 1 << 4;
    /// All bits that mean something.
    pub const ALL: u32 = (1 << 5) - 1;
}

/// The strings that stand in every text which a pattern matches, case included; none where that does not
/// tell. `listed` are its pieces.
pub fn texts(record: &PatternRecord, listed: impl Iterator<Item = u32>) -> Vec<u32> {
    let counts_case = record.traits & (Traits::FOLDS | Traits::LINE) == 0;
    match Matching::from_number(record.matching) {
        Some(Matching::Whole | Matching::Beginning) => vec![record.text],
        Some(Matching::Pieces) if counts_case => listed.collect(),
        _ => Vec::new(),
    }
}

/// The longest part of the texts without a blank or a slash. However the arguments of a call are joined and
/// its paths are spelled, it stands in one argument of every call that has the texts.
pub fn key<'t>(texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let parts = texts.flat_map(|text| text.split([' ', '/']));
    // The shortest form of no path at all is `.`.
    parts.max_by_key(|part| part.len()).filter(|part| !matches!(*part, "" | "."))
}

/// Whether a text has the pieces of a pattern.
pub(crate) fn has_pieces(
    view: &View<'_>,
    record: &PatternRecord,
    text: &str,
    scratch: &mut String,
) -> bool {
    let folds = record.traits & Traits::FOLDS != 0;
    let text = if folds { fold_odd_letters(text, scratch) } else { text };
    let pieces = || view.list(record.pieces, record.pieces_len).map(|id| view.string_bytes(id));
    if record.traits & Traits::LINE != 0 {
        return text.split('\n').any(|line| in_order(pieces(), record.traits, line.as_bytes()));
    }
    in_order(pieces(), record.traits, text.as_bytes())
}

/// Whether pieces stand in a text in their order. Each is looked for as early as it may stand: what is
/// found later leaves no more room to the others.
fn in_order<'p>(
    mut pieces: impl DoubleEndedIterator<Item = &'p [u8]> + ExactSizeIterator,
    traits: u32,
    text: &[u8],
) -> bool {
    let folds = traits & Traits::FOLDS != 0;
    let is = |there: &[u8], piece: &[u8]| match folds {
        true => there.eq_ignore_ascii_case(piece),
        false => there == piece,
    };
    let (starts, ends) = (traits & Traits::STARTS != 0, traits & Traits::ENDS != 0);
    let mut rest = text;
    if starts && ends && pieces.len() == 1 {
        return pieces.next().is_some_and(|only| is(rest, only));
    }
    if starts && let Some(first) = pieces.next() {
        match rest.split_at_checked(first.len()) {
            Some((there, behind)) if is(there, first) => rest = behind,
            _ => return false,
        }
    }
    if ends && let Some(last) = pieces.next_back() {
        let at = rest.len().checked_sub(last.len());
        match at.and_then(|at| rest.split_at_checked(at)) {
            Some((before, there)) if is(there, last) => rest = before,
            _ => return false,
        }
    }
    pieces.all(|piece| {
        let found = if folds { find_literal(rest, piece) } else { memmem::find(rest, piece) };
        let behind = found.and_then(|at| rest.get(at + piece.len()..));
        rest = behind.unwrap_or_default();
        behind.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::{Traits, in_order};

    #[track_caller]
    fn check(pieces: &[&str], traits: u32, text: &str, expect: bool) {
        let found = in_order(pieces.iter().map(|piece| piece.as_bytes()), traits, text.as_bytes());
        assert_eq!(found, expect, "{pieces:?} {traits} {text:?}");
    }

    #[test]
    fn pieces_stand_in_their_order_and_do_not_overlap() {
        check(&[], 0, "", true);
        check(&["a", "b"], 0, "xaxbx", true);
        check(&["a", "b"], 0, "ba", false);
        check(&["ab", "bc"], 0, "abc", false);
        check(&["ab", "bc"], 0, "abbc", true);
        check(&["ab", "b"], Traits::STARTS | Traits::ENDS, "ab", false);
        check(&["ab", "b"], Traits::STARTS | Traits::ENDS, "abb", true);
        check(&["ab"], Traits::STARTS | Traits::ENDS, "ab", true);
        check(&["ab"], Traits::STARTS | Traits::ENDS, "abab", false);
        check(&["a", "b"], Traits::STARTS, "ab-", true);
        check(&["a", "b"], Traits::STARTS, "-ab", false);
        check(&["a", "b"], Traits::ENDS, "-ab", true);
        check(&["a", "b"], Traits::ENDS, "-ab-", false);
        check(&["a", "b"], Traits::FOLDS, "xAxBx", true);
        check(&["a", "b"], 0, "xAxBx", false);
    }
}
