//! Code whose calls are looked for, and what is known of it before. Looks for nothing.

use std::collections::HashSet;

use super::calls::Effect;
use super::databases::Statements;
use super::language::Language;
use super::line::Line;
use super::names::Names;
use super::token::Token;
use super::unnamed::KeptOnce;

/// What reads code that code runs.
pub trait ReadsNested {
    /// Returns what code does that code runs; `None` where nobody looks.
    fn inside(&self, language: Language, code: &str) -> Option<Vec<Line>>;
}

/// Code whose calls are looked for.
#[derive(Clone, Copy)]
pub struct Scan<'t> {
    pub language: Language,
    pub tokens: &'t [Token],
    pub names: &'t Names,
    /// The functions that the code defines.
    pub own: &'t HashSet<&'t str>,
    /// Reads the code that it runs.
    pub nested: &'t dyn ReadsNested,
    /// What databases are asked to run.
    pub statements: &'t Statements,
    /// Whether it uses a library for git whose methods are called as git's subcommands.
    pub uses_git: bool,
    /// What the code writes to the programs that it starts.
    pub written: Option<&'t str>,
    /// What it names without calling it.
    pub kept: &'t KeptOnce,
}

/// A call that means something.
#[derive(Clone, Copy, Debug)]
pub struct Meant {
    pub effect: Effect,
    /// Whether no other function can be meant.
    pub is_certain: bool,
}

impl Scan<'_> {
    /// The sign at a place.
    pub fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)? {
            Token::Sign(sign) => Some(*sign),
            _ => None,
        }
    }

    /// The name at a place.
    pub fn name(&self, at: usize) -> Option<&str> {
        match self.tokens.get(at)? {
            Token::Name(name) => Some(name),
            _ => None,
        }
    }
}
