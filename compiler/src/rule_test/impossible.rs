//! What is said of tests that nobody can run.

use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics as d;
use crate::source::Span;

/// That a test cannot be run as it is written.
pub(super) fn impossible(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&d::IMPOSSIBLE_TEST, span, message)
}
