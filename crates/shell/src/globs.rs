//! Whether a glob that a shell expands and one of a pattern have a text in common. Those of a shell
//! take no `/`.

/// Longer globs are taken to have one.
const MAX_LENGTH: usize = 512;

/// A piece of a glob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    One(char),
    /// A class of digits alone: `[0-9]`.
    Digit,
    /// `?`, or another class, whose members are not looked at.
    Any,
    Many,
}

fn pieces(glob: &str) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(glob.len());
    let mut characters = glob.chars();
    while let Some(character) = characters.next() {
        pieces.push(match character {
            '*' => Piece::Many,
            '?' => Piece::Any,
            '[' => {
                // A `]` that comes first is a member.
                let (mut is_first, mut are_digits) = (true, true);
                while let Some(member) = characters.next() {
                    match member {
                        '!' | '^' if is_first => {
                            are_digits = false;
                            continue;
                        }
                        ']' if !is_first => break,
                        '\\' => drop(characters.next()),
                        _ => {}
                    }
                    are_digits &= matches!(member, '0'..='9' | '-');
                    is_first = false;
                }
                if are_digits { Piece::Digit } else { Piece::Any }
            }
            '\\' => Piece::One(characters.next().unwrap_or('\\')),
            // `@(a|b)`: what stands in it is not looked at.
            '(' => Piece::Many,
            other => Piece::One(other),
        });
    }
    pieces
}

/// Whether some text fits both, the first being the shell's.
pub fn meet(one: &str, other: &str) -> bool {
    if one.len() > MAX_LENGTH || other.len() > MAX_LENGTH || one.contains('(') {
        return true;
    }
    let is_deep = one.contains("**");
    let (one, other) = (pieces(one), pieces(other));
    // Row by row: which lengths of `other` a length of `one` can end at together.
    let mut row = vec![false; other.len() + 1];
    let mut last = row.clone();
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            let left = i.checked_sub(1).and_then(|at| one.get(at)).copied();
            let right = j.checked_sub(1).and_then(|at| other.get(at)).copied();
            let at = |row: &[bool], at: Option<usize>| {
                at.and_then(|at| row.get(at)).copied().unwrap_or(false)
            };
            let (above, before) = (at(&last, Some(j)), at(&row, j.checked_sub(1)));
            let both = at(&last, j.checked_sub(1));
            let takes = is_deep || right != Some(Piece::One('/'));
            let holds = match (left, right) {
                (None, None) => true,
                (Some(Piece::Many), _) if above => true,
                (_, Some(Piece::Many)) if before => true,
                (Some(Piece::Many), Some(_)) => before && takes,
                (Some(_), Some(Piece::Many)) => above,
                (Some(Piece::One(a)), Some(Piece::One(b))) => both && a == b,
                (Some(Piece::One(a)), Some(Piece::Digit))
                | (Some(Piece::Digit), Some(Piece::One(a))) => both && a.is_ascii_digit(),
                (Some(Piece::Any | Piece::Digit), Some(_)) => both && takes,
                (Some(_), Some(_)) => both,
                (None, _) | (_, None) => false,
            };
            if let Some(place) = row.get_mut(j) {
                *place = holds;
            }
        }
        std::mem::swap(&mut row, &mut last);
    }
    last.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::meet;

    #[track_caller]
    fn check(one: &str, other: &str, expect: bool) {
        assert_eq!(meet(one, other), expect, "{one} and {other}");
    }

    #[test]
    fn globs_meet_where_a_text_fits_both() {
        check("a", "a", true);
        check("a", "b", false);
        check("*", "", true);
        check(".e*", "*.env", true);
        check(".en?", ".env", true);
        check("*.rs", "*.env", false);
        check("src/*.rs", "*.env", false);
        check("src/*", "*.env", true);
        check("[a-z]*", "/", false);
        check("*.rs", "~/.ssh/*", false);
        check("**/id", "~/.ssh/*", true);
        check("a/*", "*", true);
        check("*", "a/*", false);
        check("a*b*c", "ab", false);
        check("a*b*", "*b", true);
        check("[0-9]*", "behavior.yaml", false);
        check("[0-9]*", "1.yaml", true);
        check("a[0-9]", "a[12]", true);
        check("a[!0-9]", "ab", true);
        check("??", "a", false);
    }
}
