//! What is wrong with a pattern, and where.

use std::ops::Range;

use crate::diagnostic::DiagnosticKind;
use crate::registry::diagnostics::INVALID_PATTERN;

/// Something to say about a part of a pattern.
#[derive(Clone, Debug)]
pub struct PatternProblem {
    /// Bytes of the pattern as written, on character boundaries.
    pub range: Range<usize>,
    /// The kind, and with it the severity.
    pub kind: &'static DiagnosticKind,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// What to put in the place of `range`.
    pub rewrite: Option<String>,
}

impl PatternProblem {
    pub(super) fn new(
        kind: &'static DiagnosticKind,
        range: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        Self { range, kind, message: message.into(), help: None, rewrite: None }
    }

    pub(super) fn invalid(range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(&INVALID_PATTERN, range, message)
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn rewrite(mut self, rewrite: impl Into<String>) -> Self {
        self.rewrite = Some(rewrite.into());
        self
    }
}
