//! Signs that stand in words for what the line does not write out.

/// Stands in the text of a word for a piece that nobody can know: a noncharacter of Unicode.
pub const HOLE: char = '\u{FDD0}';

/// Stands in the text of a word behind the name of what `mktemp` makes: a noncharacter of Unicode, which no line can write.
pub const MADE: char = '\u{FDD2}';

/// Stands in code in a path for what a listing of files fills in: a noncharacter of Unicode.
pub(super) const LISTED: char = '\u{FDD1}';

/// Stands in code for a line that the code reads from its input: a noncharacter of Unicode.
pub(super) const READ: char = '\u{FDD3}';

/// Stands in code for a piece that the code puts together of constants, in a way that nobody here follows: a noncharacter of
/// Unicode.
pub(super) const COMPUTED: char = '\u{FDD4}';

/// Whether a character is one of these signs, or none that a shell takes.
pub(super) fn is_mark(character: char) -> bool {
    matches!(character, '\0' | '\u{FDD0}'..='\u{FDEF}')
}
