//! What stands for a piece that nobody can know.

/// Stands in the text of a word for a piece that nobody can know: a noncharacter of Unicode.
pub const HOLE: char = '\u{FDD0}';
