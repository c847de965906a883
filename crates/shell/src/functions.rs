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

/// Whether a body certainly ends the shell when it is called: `exit` stands at its end by itself, and nothing returns before.
pub(super) fn exits(body: &str) -> bool {
    let inner = body.trim().strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    let inner = inner.map(|inner| inner.trim_end().trim_end_matches(';').trim_end());
    let Some(inner) = inner.filter(|inner| !inner.contains("return")) else { return false };
    let line = inner.rfind('\n').map_or(0, |end| end + 1);
    let statement = inner.rfind([';', '\n']).map_or(0, |end| end + 1);
    let is_plain = |text: &str| !text.contains(['#', '"', '\'', '`', '\\']);
    let (Some(before), Some(last), Some(own_line)) =
        (inner.get(..statement), inner.get(statement..), inner.get(line..))
    else {
        return false;
    };
    let before = before.trim_end_matches(|sign: char| sign.is_whitespace() || sign == ';');
    let goes_on = ["&&", "||", "|", "\\", "then", "else", "do", "(", "{"];
    let mut words = last.split_whitespace();
    let is_exit = words.next() == Some("exit")
        && words.next().is_none_or(|status| status.bytes().all(|byte| byte.is_ascii_digit()))
        && words.next().is_none();
    // What stands in quotes or a comment is no statement.
    let is_own = before.is_empty() || line == statement || is_plain(own_line);
    is_exit && is_own && !goes_on.iter().any(|sign| before.ends_with(sign))
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
