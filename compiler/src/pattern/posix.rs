//! The names of POSIX classes (`[:alpha:]`), which neither patterns nor globs have, and what they
//! stand for inside brackets.

const MAX_NAME_LENGTH: usize = 6;

/// The members of the class that `text` starts with the name of, and how long the name is with its
/// `[:` and `:]`. The members are given as they would be written between brackets.
pub(super) fn class_at(text: &str) -> Option<(usize, &'static str)> {
    let name = text.strip_prefix("[:")?;
    let length = name.bytes().take(MAX_NAME_LENGTH + 1).position(|byte| byte == b':')?;
    let (name, rest) = name.split_at_checked(length)?;
    if !rest.starts_with(":]") {
        return None;
    }
    let members = match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => "\\x00-\\x7f",
        "blank" => "\\t ",
        "cntrl" => "\\x00-\\x1f\\x7f",
        "digit" => "0-9",
        "graph" => "!-~",
        "lower" => "a-z",
        "print" => " -~",
        "punct" => "!-/:-@\\[-`{-~",
        "space" => "\\t-\\r ",
        "upper" => "A-Z",
        "word" => "0-9A-Za-z_",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    };
    Some((name.len() + 4, members))
}
