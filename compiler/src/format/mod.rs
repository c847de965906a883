//! Rule files in one form: how `behavior fmt` and editors lay them out. Text goes in, and text comes out.
//!
//! Only blanks and line breaks change, and of those only what is no part of a value. Every result is read again before it
//! is given away, and held against what was there: the same tree, the same comments. What cannot be laid out without
//! doubt stays as it is.

mod edits;
mod json;
mod lines;
mod meaning;
mod same;
mod toml;
mod yaml;
mod yaml_flow;

pub use edits::{TextEdit, format_edits, format_range};
pub use meaning::meaning;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::FileId;
use crate::syntax::{Format, Parsed, parse};

/// Why a text stays as it is.
#[derive(Debug)]
pub enum Refusal {
    /// It does not parse.
    Broken(Vec<Diagnostic>),
    /// It would not be sure to mean the same.
    Unsure(&'static str),
}

/// So often is a text laid out again until nothing changes, at most.
const MAX_ROUNDS: usize = 4;

/// A byte order mark, which may stand before a text.
const MARK: char = '\u{FEFF}';

/// Returns a text as it should be laid out; the same text where it is so already.
///
/// Line breaks stay those of the first line, and a byte order mark stays.
///
/// # Errors
/// When the text does not parse, or its layout cannot be changed without doubt.
pub fn format(text: &str, format: Format) -> Result<String, Refusal> {
    let (mark, body) = match text.strip_prefix(MARK) {
        Some(body) => ("\u{FEFF}", body),
        None => ("", text),
    };
    let breaks = if first_break_is_windows(body) { "\r\n" } else { "\n" };
    let unix = body.replace("\r\n", "\n");
    let laid = settled(&unix, format)?;
    let laid = if breaks == "\n" { laid } else { laid.replace('\n', breaks) };
    Ok(format!("{mark}{laid}"))
}

fn first_break_is_windows(text: &str) -> bool {
    text.find('\n').is_some_and(|at| text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\r'))
}

/// Lays a text out until nothing changes any more.
fn settled(text: &str, format: Format) -> Result<String, Refusal> {
    let before = read(text, format)?;
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let mut laid = text.to_owned();
    let mut parsed = before.clone();
    for _ in 0..MAX_ROUNDS {
        let next = match format {
            Format::Yaml => yaml::layout(&laid, &parsed),
            Format::Toml => Ok(toml::layout(&laid, &parsed)),
            Format::Json => Ok(json::layout(&laid)),
        }
        .map_err(Refusal::Unsure)?;
        let is_settled = next == laid;
        parsed = read(&next, format).map_err(|_| Refusal::Unsure(BROKE))?;
        laid = next;
        if is_settled {
            let is_same = same::nodes(&before.root, &parsed.root)
                && same::comments(&before.comments, &parsed.comments);
            return if is_same { Ok(laid) } else { Err(Refusal::Unsure(CHANGED)) };
        }
    }
    Err(Refusal::Unsure("its layout does not settle"))
}

const BROKE: &str = "laid out, it would not parse any more";
const CHANGED: &str = "laid out, it would not mean the same";

fn read(text: &str, format: Format) -> Result<Parsed, Refusal> {
    let parsed = parse(FileId(0), text, format);
    match parsed.diagnostics.iter().any(|one| one.severity == Severity::Error) {
        true => Err(Refusal::Broken(parsed.diagnostics)),
        false => Ok(parsed),
    }
}

#[cfg(test)]
mod tests;
