//! Files that code opens only to have nothing left in them. Knows how a file is opened and closed, and not which.

use super::code::Scan;
use super::parts::{closing, object};
use super::token::Token;

impl Scan<'_> {
    /// Whether the file that a call opens is closed at once, or nothing is done with it: `open(f, "w").close()`,
    /// `with open(f, "w"): pass`, `fs.closeSync(fs.openSync(f, "w"))`.
    pub fn is_closed_at_once(&self, at: usize) -> bool {
        let Some(close) = closing(self.tokens, at + 1) else { return false };
        let own = object(self.tokens, at).len();
        let start = at - own.min(at);
        // The sign between what it is called on and its name.
        let start = if own == 0 { at } else { start.saturating_sub(self.signs_before(at)) };
        let before = |count: usize| start.checked_sub(count).and_then(|at| self.tokens.get(at));
        let is_name = |token: Option<&Token>, names: &[&str]| matches!(token, Some(Token::Name(name)) if names.contains(&name.as_str()));
        if before(1) == Some(&Token::Sign('(')) && is_name(before(2), &["closeSync", "fclose"]) {
            return true;
        }
        let rest = self.tokens.get(close + 1..).unwrap_or_default();
        if is_name(before(1), &["with"]) {
            return is_passed_over(rest);
        }
        match rest {
            [Token::Sign('.'), Token::Name(name), ..] => name == "close",
            // `File.open(f, "w") {}`
            [Token::Sign('{'), Token::Sign('}'), ..] => true,
            [] | [Token::Sign('\n' | ';' | '}'), ..] => {
                matches!(before(1), None | Some(Token::Sign('\n' | ';' | '{' | ':')))
            }
            _ => false,
        }
    }

    /// How many signs stand before the name of a method: `.`, `::`, `->`.
    fn signs_before(&self, at: usize) -> usize {
        let is_sign = |back: usize| {
            let sign = at.checked_sub(back).and_then(|at| self.sign(at));
            matches!(sign, Some('.' | ':' | '>' | '-' | '?'))
        };
        (1..=2).take_while(|back| is_sign(*back)).count()
    }
}

/// Whether what a `with` holds does nothing.
fn is_passed_over(rest: &[Token]) -> bool {
    let end = rest.iter().take(8).position(|token| *token == Token::Sign(':'));
    let Some(body) = end.and_then(|end| rest.get(end + 1..)) else { return false };
    let first = body.iter().find(|token| **token != Token::Sign('\n'));
    matches!(first, Some(Token::Name(word)) if word == "pass")
}
