//! From text to one spanned tree, whatever the format: YAML, TOML or JSON. Knows nothing of rules.
//!
//! Parsing never fails: it answers with what could be read, and with every problem found. Nothing
//! here may recurse deeper than [`MAX_DEPTH`] or build more than a fixed multiple of what it read.

pub mod cursor;
mod duplicates;
pub mod items;
mod json;
mod locate;
pub mod node;
mod parsed;
mod scalar;
mod toml;
mod yaml;

pub use locate::{locate, locate_exactly, written_at};
pub use node::{Entry, Key, Kind, Node, Text};
use parsed::span;
pub use parsed::{Comment, Items, MAX_BYTES, MAX_DEPTH, Parsed};
pub use scalar::Style;

use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::{ENCODING, TOO_LARGE};
use crate::source::FileId;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YAML 1.2 with the core schema, one document, no tags.
    Yaml,
    /// JSON as in RFC 8259.
    Json,
    /// TOML 1.1; dates are strings.
    Toml,
}

/// Reads a text. Problems are collected, and what is broken becomes [`Kind::Broken`].
#[must_use]
pub fn parse(file: FileId, text: &str, format: Format) -> Parsed {
    if let Some(problem) = refused(file, text) {
        let root = Node { span: span(file, 0, text.len().min(MAX_BYTES)), kind: Kind::Broken };
        let diagnostics = vec![problem];
        return Parsed { root, diagnostics, comments: Vec::new(), is_regular: false };
    }
    let mut parsed = match format {
        Format::Yaml => yaml::parse(file, text),
        Format::Json => json::parse(file, text),
        Format::Toml => toml::parse(file, text),
    };
    parsed.diagnostics.sort_by_key(|problem| problem.span.start);
    parsed.comments.sort_by_key(|comment| comment.span.start);
    parsed
}

/// Where a cursor is in a YAML text that is being typed; `None` in comments and behind values that
/// are complete, where nothing can be written.
#[must_use]
pub fn cursor_in_yaml(text: &str, offset: usize) -> Option<cursor::Cursor> {
    yaml::find_cursor(text, offset).0
}

/// Where a cursor is in a TOML text that is being typed; `None` in comments, in headers that are closed, and behind values
/// that are complete.
#[must_use]
pub fn cursor_in_toml(text: &str, offset: usize) -> Option<cursor::Cursor> {
    toml::find_cursor(text, offset)
}

/// As [`cursor_in_yaml`], where entries that stand beside the one with the cursor are left out of the text; `None`
/// where these may have a say.
#[must_use]
pub fn cursor_in_part_of_yaml(text: &str, offset: usize) -> Option<Option<cursor::Cursor>> {
    let (cursor, depends) = yaml::find_cursor(text, offset);
    (depends == cursor::Dependence::OnEntry).then_some(cursor)
}

/// What rules a text out before any parser sees it.
fn refused(file: FileId, text: &str) -> Option<Diagnostic> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "the file has {} bytes; files of more than {} MiB are not read",
            text.len(),
            MAX_BYTES >> 20
        );
        return Some(
            Diagnostic::new(&TOO_LARGE, span(file, 0, 0), message)
                .help("split the file into several"),
        );
    }
    let at = text.find('\0')?;
    Some(nul(file, at))
}

fn nul(file: FileId, at: usize) -> Diagnostic {
    let message = format!("there is a NUL character at byte {at}, which no text file may hold");
    Diagnostic::new(&ENCODING, span(file, at, at + 1), message)
        .help("delete it, or check that this is a text file")
}

/// A file that is not UTF-8 text.
#[derive(Clone, Debug)]
pub struct Undecodable {
    /// The text with `U+FFFD` where there were no characters: what the problem's span points into.
    pub text: String,
    /// What is wrong and where.
    pub diagnostic: Diagnostic,
}

/// Turns the bytes of a file into text, without the byte order mark that it may start with.
///
/// Spans point into the text that comes back, so that is what belongs into the source map.
///
/// # Errors
///
/// Where the bytes are not UTF-8, or hold a NUL.
pub fn decode_utf8(file: FileId, name: &str, bytes: &[u8]) -> Result<String, Box<Undecodable>> {
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let bytes = bytes.get(mark..).unwrap_or_default();
    let diagnostic = match std::str::from_utf8(bytes) {
        Ok(text) => match text.find('\0') {
            None => return Ok(text.to_owned()),
            Some(at) => nul(file, at),
        },
        Err(error) => not_utf8(file, name, bytes, mark, error.valid_up_to()),
    };
    let text = String::from_utf8_lossy(bytes).into_owned();
    Err(Box::new(Undecodable { text, diagnostic }))
}

fn not_utf8(file: FileId, name: &str, bytes: &[u8], mark: usize, at: usize) -> Diagnostic {
    let place = span(file, at, at + '\u{FFFD}'.len_utf8());
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        let message = format!("`{name}` is UTF-16; rule files are UTF-8");
        return Diagnostic::new(&ENCODING, place, message).help("save the file as UTF-8");
    }
    let byte = bytes.get(at).copied().unwrap_or_default();
    let offset = at + mark;
    let message = format!("`{name}` is not UTF-8: byte {offset} is 0x{byte:02X}");
    Diagnostic::new(&ENCODING, place, message).help("save the file as UTF-8")
}

#[cfg(test)]
mod tests;
