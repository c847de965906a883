//! TOML 1.1 to the spanned tree.
//!
//! One pass and one [`reader`] for everything, as for YAML: what headers and dotted keys open is kept by [`tables`],
//! [`scalars`] tells what a word or a string stands for, and [`explain`] puts mistakes into words. Nothing stops at an
//! error: each is reported, and reading goes on with the next value or statement. Where a [`cursor`] is, the reader knows
//! from what it was in the middle of. Dates are strings.

mod cursor;
mod explain;
mod reader;
mod scalars;
mod tables;

pub use self::cursor::find as find_cursor;
use self::reader::Reader;
use super::{Parsed, span};
use crate::source::FileId;

/// Reads one TOML document.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut reader = Reader::new(file, text);
    reader.document();
    let Reader { tables, diagnostics, comments, .. } = reader;
    let mut root = tables.into_root();
    root.span = span(file, 0, text.len());
    Parsed { root, diagnostics, comments, is_regular: false }
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
