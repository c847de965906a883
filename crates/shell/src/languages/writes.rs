//! What code writes to the programs that it starts, so far as that is constant. Knows no program: all that is written to
//! any of them is one text.

use super::language::Language;
use super::names::Names;
use super::parts::{closing, split};
use super::token::Token;
use super::value::Value;
use crate::hole::HOLE;

/// No more is kept of what is written, in bytes.
const MAX: usize = 1 << 14;

/// Returns what the code writes to programs; `None` where it writes to none.
pub fn written(tokens: &[Token], names: &Names) -> Option<String> {
    let mut text: Option<String> = None;
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        let Some(from) = argument(names.language(), tokens, at, name) else { continue };
        let Some(close) = closing(tokens, at + 1) else { continue };
        let inner = tokens.get(at + 2..close).unwrap_or_default();
        let Some(part) = split(inner, &[',']).get(from).copied() else { continue };
        let part = match part {
            [Token::Name(name), Token::Sign('='), rest @ ..] if name == "input" => rest,
            part => part,
        };
        let text = text.get_or_insert_default();
        match names.value(part, 0) {
            Value::Text(own) if text.len() + own.len() <= MAX => text.push_str(&own),
            _ => text.push(HOLE),
        }
        text.push('\n');
    }
    text
}

/// Which argument of a call is written to a program.
fn argument(language: Language, tokens: &[Token], at: usize, name: &str) -> Option<usize> {
    let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at));
    let is_call = tokens.get(at + 1) == Some(&Token::Sign('('));
    let is_method = matches!(before(1), Some(Token::Sign('.' | ':')));
    let of_input = matches!(before(2), Some(Token::Name(of)) if of == "stdin");
    let is_written = match language {
        Language::Python => {
            is_method && name == "communicate" || of_input && matches!(name, "write" | "writelines")
        }
        Language::JavaScript => of_input && matches!(name, "write" | "end"),
        Language::Ruby => is_method && matches!(name, "puts" | "write" | "print"),
        Language::Lua => is_method && name == "write",
        Language::Php => return (is_call && matches!(name, "fwrite" | "fputs")).then_some(1),
        _ => false,
    };
    (is_call && is_written).then_some(0)
}
