//! What a program is laid out into, and what several of its parts have there. The files beside this one each lay out
//! one part.

use std::collections::HashMap;

use behavior_image::Draft;

use crate::source::{SourceMap, Span};

/// Lays one program out.
pub(crate) struct Generator<'a> {
    pub draft: Draft,
    params: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
    /// The conditions as they were written, by instruction.
    pub written: Vec<Written>,
    sources: &'a SourceMap,
}

/// A condition as it was written, and the instruction that tests it.
pub(super) struct Written {
    pub at: u32,
    pub text: Box<str>,
    pub span: Span,
}

impl<'a> Generator<'a> {
    /// Begins with what is laid out already.
    pub fn new(draft: Draft, sources: &'a SourceMap) -> Self {
        Self { draft, params: HashMap::default(), written: Vec::new(), sources }
    }

    /// The index of a parameter's name.
    pub(crate) fn param(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.params.get(name) {
            return index;
        }
        let index = self.params.len() as u32;
        let id = self.draft.string(name);
        self.draft.params.push(id);
        self.params.insert(name.into(), index);
        index
    }

    /// A place: file, line and column.
    pub(super) fn place(&mut self, span: Span) -> (u32, u32, u32) {
        let Some(source) = self.sources.get(span.file) else {
            return (self.draft.string(""), 0, 0);
        };
        let position = source.position(span.start);
        (self.draft.string(&source.name), position.line, position.column)
    }
}
