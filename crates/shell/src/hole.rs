//! Signs that stand in words for what the line does not write out.

/// Stands in the text of a word for a piece that nobody can know: a noncharacter of Unicode.
pub const HOLE: char = '\u{FDD0}';

/// Stands in the text of a word behind the name of what `mktemp` makes: a noncharacter of Unicode, which no line can write.
pub(super) const MADE: char = '\u{FDD2}';

/// Stands in code in a path for what a listing of files fills in: a noncharacter of Unicode.
pub(super) const LISTED: char = '\u{FDD1}';

/// Stands in code for a line that the code reads from its input: a noncharacter of Unicode.
pub(super) const READ: char = '\u{FDD3}';
