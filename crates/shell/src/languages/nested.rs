//! Reads code, and the code that this runs.

use std::cell::Cell;

use super::code::ReadsNested;
use super::language::Language;
use super::line::{self, Line};
use super::{
    declared, ends, fields, folded, functions, mocks, respelled, scan, taken_apart, tcl, token,
    unasked,
};

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
        if language == Language::Tcl {
            return tcl::lines(code);
        }
        let Some(syntax) = token::syntax(language) else { return Vec::new() };
        let mut found = self.in_patterns(language, code);
        let mut code = token::tokens(syntax, &ends::code_of(language, code));
        declared::respell(language, &mut code);
        folded::fold(language, &mut code);
        respelled::respell(language, &mut code);
        taken_apart::respell(language, &mut code);
        unasked::take(language, &mut code, given);
        fields::join(language, &mut code);
        let defined = functions::take(language, &mut code);
        mocks::take(language, &mut code);
        found.extend(scan::calls(language, &code.tokens, &defined, given, self));
        found
    }

    /// What the code of Perl does that stands in regular expressions: `(?{ … })`.
    fn in_patterns(&self, language: Language, code: &str) -> Vec<Line> {
        const SIGNS: [&str; 2] = ["(?{", "(??{"];
        let mut found = Vec::new();
        if language != Language::Perl || !SIGNS.iter().any(|sign| code.contains(sign)) {
            return found;
        }
        for part in code.split("(?").skip(1) {
            let inner = part.strip_prefix('?').unwrap_or(part).strip_prefix('{');
            let inner = inner.and_then(|inner| inner.rsplit_once('}'));
            if let Some((inner, _)) = inner {
                match self.inside(language, inner) {
                    Some(lines) => found.extend(lines),
                    None => found.push(line::opaque()),
                }
            }
        }
        found
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
