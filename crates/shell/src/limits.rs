//! How much is read of a line, and how much may come of it.

/// No more commands than this are listed; a line with more is [`Opaque::TooLarge`].
pub(super) const MAX_COMMANDS: usize = 4_096;
/// Commands within commands, and constructs within constructs.
pub const MAX_DEPTH: u32 = 48;
/// Lines longer than this are not read: a shell is given no such line, and what comes of one takes many times its
/// length in memory.
pub const MAX_LENGTH: usize = 2 << 20;
/// Words that grow out of braces and variables are bounded by this many bytes and the line's length.
pub(super) const MAX_TEXT: usize = 1 << 16;
