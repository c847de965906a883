//! Tells formats from the first bytes of a recording, by what each format says of itself. A text that is cut off
//! is looked at as far as it goes. Reads nothing and keeps nothing.

use crate::document;
use crate::fields::fields;
use crate::json::{self, Json};
use crate::lines;
use crate::recording::{Certainty, Format, Opening, Shape};

/// Returns the format of a recording that begins like this.
pub(crate) fn format(first_bytes: &[u8]) -> Option<Format> {
    let whole = String::from_utf8_lossy(first_bytes);
    let mut is_first = true;
    let mut offset = 0;
    for line in whole.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = lines::trim(line.trim_end_matches('\n'));
        if !line.starts_with(['{', '[']) {
            continue;
        }
        if let Some(format) = Format::all().find(|format| format.is_record(line)) {
            return Some(format);
        }
        // A document may go on over many lines, but only from the first on.
        let text = if is_first { whole.get(start..).unwrap_or(line) } else { line };
        if let Some(format) = beginning(lines::trim(text), is_first) {
            return Some(format);
        }
        is_first = false;
    }
    None
}

/// Returns the format of a line or a document, as far as it goes.
fn beginning(text: &str, is_first: bool) -> Option<Format> {
    let repaired = document::repaired(text.trim_start())?;
    let opening = match repaired.starts_with('[') {
        true if is_first => list(&repaired)?,
        true => return None,
        false => {
            let mut shape = Shape::default();
            json::object(&repaired, &mut shape).ok()?;
            Opening::Object { shape, is_document: is_first }
        }
    };
    surest(&opening)
}

/// Returns the list that a text is; one that is the first element of another stands for that.
fn list(text: &str) -> Option<Opening<'_>> {
    let elements: Vec<Json<'_>> = json::values(text).collect();
    let first = *elements.first()?;
    if first.get().starts_with('[') {
        return list(first.get());
    }
    Some(Opening::List { shape: fields(Some(first)), elements })
}

fn surest(opening: &Opening<'_>) -> Option<Format> {
    let mut found: Option<(Certainty, Format)> = None;
    for format in Format::all() {
        let certainty = format.detect(opening);
        if certainty > found.map(|(certainty, _)| certainty) {
            found = certainty.map(|certainty| (certainty, format));
        }
    }
    found.map(|(_, format)| format)
}
