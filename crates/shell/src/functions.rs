//! The functions that a line defines, and which names they may have.

use std::ops::Range;

use super::word::Word;

/// Stands behind the name of a command that is a function of the line, and no program.
pub(super) const CALLED: &str = "()";

/// Builtins that a shell of POSIX finds before functions, and those that look past functions.
const FIRST: [&str; 18] = [
    ".", ":", "break", "builtin", "command", "continue", "eval", "exec", "exit", "export",
    "readonly", "return", "set", "shift", "source", "times", "trap", "unset",
];

/// Whether a function of this name stands before a program or builtin of the same name.
pub(super) fn may_shadow(name: &str) -> bool {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-.+".contains(sign);
    !name.is_empty() && name.chars().all(is_plain) && !FIRST.contains(&name)
}

/// Whether a function of this name gives another meaning to what is believed to be built in, in some shell at least.
pub(super) fn may_rename(name: &str) -> bool {
    const BELIEVED: [&str; 5] = ["true", "false", "[", "test", "exec"];
    !may_shadow(name) || BELIEVED.contains(&name)
}

/// A function, and the commands that were listed where it is defined.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: Word,
    pub body: Word,
    pub commands: Range<u32>,
    /// Whether it does not do the same at each call, whatever it is given to read.
    pub is_told: bool,
    pub is_called: bool,
    /// Whether nothing of the line but itself says its name.
    pub is_unnamed: bool,
}
