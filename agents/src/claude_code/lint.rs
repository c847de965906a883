//! The errors that the language server of an editor finds, which Claude Code puts beside the conversation
//! some time after the edit.

use crate::claude_code::record::{Attachment, Diagnosed, Diagnostic, text};
use crate::json::{self, Json};
use crate::lint::Errors;

/// Whether an attachment may tell of errors.
pub(crate) fn tells_errors(attachment: &str) -> bool {
    attachment.contains("\"diagnostics\"") && attachment.contains("\"Error\"")
}

/// The files with errors that an attachment tells of, each with the errors.
pub(crate) fn errors(attachment: &str) -> Vec<(String, Errors)> {
    let mut told = Attachment::default();
    // What is no object tells nothing.
    let _ = json::object(attachment, &mut told);
    let is_told = told.kind.map(Json::get) == Some("\"diagnostics\"");
    let Some(files) = told.files.filter(|_| is_told) else { return Vec::new() };
    let mut found = Vec::new();
    let _ = json::list(files.get(), |file: Diagnosed<'_>| {
        let (Some(uri), Some(list)) = (text(file.uri), file.diagnostics) else { return };
        let mut errors = Errors::default();
        let _ = json::list(list.get(), |diagnostic: Diagnostic<'_>| {
            if diagnostic.severity.map(Json::get) == Some("\"Error\"") {
                errors.push(&text(diagnostic.message).unwrap_or_default());
            }
        });
        if !errors.is_empty() {
            found.push((uri.strip_prefix("file://").unwrap_or(&uri).to_owned(), errors));
        }
    });
    found
}
