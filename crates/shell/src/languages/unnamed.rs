//! Calls that name no function: of an item of a list, of what another call returns, of a variable that goes through the
//! functions of a library. What code names without calling it may be called there. Follows no values: whatever is kept
//! in a list or an object is called by each such call.

use std::cell::OnceCell;

use super::calls::{self, Effect};
use super::code::{Meant, Scan};
use super::language::Language;
use super::line;
use super::line::Line;
use super::parts::{chain, closing, trimmed};
use super::token::Token;

/// No more functions are kept.
const MAX: usize = 16;

/// So many tokens may stand between `for` and the library whose functions are gone through.
const MAX_LOOP: usize = 48;

/// What code names without calling it.
#[derive(Debug, Default)]
pub struct Kept {
    /// What the functions do that stand in lists and objects.
    effects: Vec<Effect>,
    /// Whether all functions of a library that runs programs or deletes files are gone through.
    goes_through: bool,
    /// The variables of loops that do so.
    names: Vec<String>,
}

/// What code keeps, once it is asked for.
pub type KeptOnce = OnceCell<Kept>;

/// Whether it is worth calling without a name.
fn matters(effect: Effect) -> bool {
    matches!(
        effect,
        Effect::Shell
            | Effect::Program
            | Effect::ShellOrProgram
            | Effect::ProgramAndList
            | Effect::DeleteTree
            | Effect::DeleteMaybeTree
            | Effect::Delete
    )
}

impl Scan<'_> {
    /// `[f, g][0](…)`, `next(…)(…)`: the call whose bracket opens at a place, with nothing before it that has a name.
    pub fn unnamed(&self, at: usize, found: &mut Vec<Line>) {
        let before = |count: usize| at.checked_sub(count).and_then(|at| self.sign(at));
        let is_one = match self.language {
            Language::Python | Language::JavaScript => matches!(before(1), Some(')' | ']')),
            // `$f->(…)`
            Language::Perl => before(1) == Some('>') && before(2) == Some('-'),
            _ => false,
        };
        if !is_one {
            return;
        }
        let kept = self.kept.get_or_init(|| self.look_for_kept());
        if kept.goes_through {
            return found.push(line::opaque());
        }
        let Some(arguments) = self.arguments(at).filter(|_| !kept.effects.is_empty()) else {
            return;
        };
        for effect in &kept.effects {
            self.write(Meant { effect: *effect, is_certain: false }, &arguments, found);
        }
    }

    /// Whether a name is a variable of a loop over the functions of a library.
    pub fn goes_through(&self, name: &str) -> bool {
        let kept = || self.kept.get_or_init(|| self.look_for_kept());
        self.language == Language::Python && kept().names.iter().any(|known| known == name)
    }

    fn look_for_kept(&self) -> Kept {
        let mut kept = Kept::default();
        // The brackets that are open, and whether each holds values and no arguments.
        let mut open: Vec<bool> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Sign('(') => open.push(self.is_group(at)),
                Token::Sign('[' | '{') => open.push(true),
                Token::Sign(')' | ']' | '}') => {
                    open.pop();
                }
                Token::Name(_) if self.language == Language::Perl => {
                    kept.effects.extend(self.referred_to(at).filter(|_| kept.effects.len() < MAX));
                }
                Token::Name(word) if word == "for" => self.look_at_loop(at, &mut kept),
                Token::Name(_) if is_listing(token) => kept.goes_through |= self.lists(at),
                Token::Name(_) if open.last() == Some(&true) && kept.effects.len() < MAX => {
                    kept.effects.extend(self.kept_at(at));
                }
                _ => {}
            }
        }
        kept
    }

    /// Whether a bracket groups values: nothing is called before it.
    fn is_group(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        !matches!(before, Some(Token::Name(_) | Token::Sign(')' | ']')))
    }

    /// What the function does that ends at a place and is not called there: `os.remove` of `[os.remove, f]`.
    fn kept_at(&self, at: usize) -> Option<Effect> {
        let Token::Name(name) = self.tokens.get(at)? else { return None };
        let is_end = matches!(self.sign(at + 1), Some(']' | '}' | ',' | ')' | '\n'));
        calls::named(self.language, name).next().filter(|_| is_end)?;
        let whole = self.tokens.get(..=at)?;
        let whole = whole.get(chain(whole)..)?;
        let is_known = whole.len() > 1 || !self.names.origins().named(name).is_empty();
        self.named(whole).filter(|effect| is_known && matters(*effect))
    }

    /// `\&CORE::unlink`, `File::Path->can("rmtree")`: what the function does to which Perl refers.
    fn referred_to(&self, at: usize) -> Option<Effect> {
        let name = match self.tokens.get(at..)? {
            [Token::Name(can), Token::Sign('('), Token::Text(name), Token::Sign(')'), ..]
                if can == "can" =>
            {
                name
            }
            [Token::Name(name), ..] => {
                let from = chain(self.tokens.get(..=at)?);
                let before = |count: usize| from.checked_sub(count).and_then(|at| self.sign(at));
                (before(1) == Some('&') && before(2) == Some('\\')).then_some(name)?
            }
            _ => return None,
        };
        let known = calls::named(self.language, name);
        known.map(|function| function.effect).find(|effect| matters(*effect))
    }

    /// Whether all functions of a library are listed that runs programs or deletes files: `vars(os)`, `os.__dict__`.
    fn lists(&self, at: usize) -> bool {
        let Some(Token::Name(name)) = self.tokens.get(at) else { return false };
        let library = match (name.as_str(), self.sign(at + 1)) {
            ("__subclasses__", _) => return true,
            ("__dict__", _) => {
                let before = self.tokens.get(..at.saturating_sub(1)).unwrap_or_default();
                before.get(chain(before)..)
            }
            (_, Some('(')) => {
                closing(self.tokens, at + 1).and_then(|close| self.tokens.get(at + 2..close))
            }
            _ => None,
        };
        let origins = self.names.origins();
        library
            .and_then(|library| origins.reference(self.language, trimmed(library), 0))
            .is_some_and(|library| calls::RUNNING.contains(&library.name.as_str()))
    }

    /// `for name, function in vars(os).items()`
    fn look_at_loop(&self, at: usize, kept: &mut Kept) {
        let behind = self.tokens.get(at + 1..).unwrap_or_default();
        let behind = behind.get(..behind.len().min(MAX_LOOP)).unwrap_or_default();
        let is_in = |token: &Token| matches!(token, Token::Name(word) if word == "in");
        let Some(end) = behind.iter().position(is_in) else { return };
        let ends = |token: &Token| matches!(token, Token::Sign(':' | '\n'));
        let over = behind.iter().skip(end).take_while(|token| !ends(token)).count();
        if (end..end + over)
            .any(|place| behind.get(place).is_some_and(is_listing) && self.lists(at + 1 + place))
        {
            kept.names.extend(behind.iter().take(end).filter_map(|token| match token {
                Token::Name(name) => Some(name.clone()),
                _ => None,
            }));
        }
    }
}

/// Whether a name is that of what lists the functions of something.
fn is_listing(token: &Token) -> bool {
    matches!(token, Token::Name(name) if matches!(name.as_str(), "vars" | "dir" | "getmembers" | "__dict__" | "__subclasses__"))
}
