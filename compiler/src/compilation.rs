//! What a compilation comes to. Only data.

use behavior_runtime::Image;

use crate::authority::Loosening;
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::Program;
use crate::resolve::Document;
use crate::source::SourceMap;

/// What became of rule files.
#[derive(Debug)]
pub struct Compilation {
    /// The image; `None` when there are errors.
    pub image: Option<Image>,
    /// The program, as far as it could be understood.
    pub program: Program,
    /// All problems, by file and offset.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that took part.
    pub sources: SourceMap,
    /// The rule files among them.
    pub documents: Vec<Document>,
    /// What takes trust, whether or not the author has it.
    pub loosening: Vec<Loosening>,
}

impl Compilation {
    /// Whether anything must be mended before the rules compile.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}
