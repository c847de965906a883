//! Reads code, and the code that this runs.

use std::cell::Cell;

use super::code::ReadsNested;
use super::language::Language;
use super::line::Line;
use super::{declared, ends, fields, folded, functions, mocks, respelled, scan, token};

/// Code runs code that runs code, so deep.
const MAX_NESTED: u32 = 8;

/// Code in code.
pub struct Nested {
    depth: u32,
    /// How much more of it is read, in bytes.
    left: Cell<usize>,
}

impl Nested {
    /// Code of which so many bytes are read, with what it runs.
    pub fn new(left: usize) -> Self {
        Self { depth: 0, left: Cell::new(left) }
    }

    pub fn lines(&self, language: Language, code: &str, given: &[(&str, &str)]) -> Vec<Line> {
        let Some(syntax) = token::syntax(language) else { return Vec::new() };
        let mut code = token::tokens(syntax, &ends::code_of(language, code));
        declared::respell(language, &mut code);
        folded::fold(language, &mut code);
        respelled::respell(language, &mut code);
        fields::join(language, &mut code);
        let defined = functions::take(language, &mut code);
        mocks::take(language, &mut code);
        scan::calls(language, &code.tokens, &defined, given, self)
    }
}

impl ReadsNested for Nested {
    fn inside(&self, language: Language, code: &str) -> Option<Vec<Line>> {
        let left = self.left.get().checked_sub(code.len())?;
        if self.depth >= MAX_NESTED {
            return None;
        }
        let nested = Self { depth: self.depth + 1, left: Cell::new(left) };
        let found = nested.lines(language, code, &[]);
        self.left.set(nested.left.get());
        Some(found)
    }
}
