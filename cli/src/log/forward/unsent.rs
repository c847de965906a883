//! Which lines of the audit log were not sent yet: what stands behind the last line that was.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use behavior_secrets::redacted;

use crate::live::audit::chain::{self, Line, Place};

/// How far a target is: the last numbered line that was sent, and how many others behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Its number.
    pub n: u64,
    /// Its code.
    pub mac: String,
    /// So many lines behind it were sent, too, that have no number.
    pub after: u64,
}

/// A line to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What it says.
    pub fields: Value,
    /// Where a target is that has it.
    pub cursor: Cursor,
}

/// The lines behind a cursor.
#[derive(Debug, Default, PartialEq)]
pub struct Unsent {
    /// The lines, the oldest first.
    pub records: Vec<Record>,
    /// Where a target is that has them; lines that cannot be sent are passed over.
    pub end: Cursor,
    /// Whether the line that the cursor is about is not there any more.
    pub is_gone: bool,
}

/// Finds the lines behind a cursor. `files` gives what the files of the log hold, the newest first, as far as it is asked.
///
/// # Errors
/// What `files` gives as one.
pub fn unsent<E>(
    mut files: impl Iterator<Item = Result<Vec<u8>, E>>,
    cursor: &Cursor,
) -> Result<Unsent, E> {
    let mut newest_first = Vec::new();
    let mut found = None;
    while found.is_none()
        && let Some(bytes) = files.next().transpose()?
    {
        found = behind(&bytes, cursor);
        newest_first.push(bytes);
    }
    let is_gone = found.is_none() && cursor.n > 0;
    let mut end = if is_gone { Cursor::default() } else { cursor.clone() };
    let mut skip = if found.is_some() || is_gone { 0 } else { cursor.after };
    let mut records = Vec::new();
    for (bytes, from) in newest_first
        .iter()
        .rev()
        .zip(std::iter::once(found.unwrap_or(0)).chain(std::iter::repeat(0)))
    {
        for line in whole_lines(bytes.get(from..).unwrap_or_default()) {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            end = end.behind(&chain::read(line));
            if let Some(fields) = without_secrets(line) {
                records.push(Record { fields, cursor: end.clone() });
            }
        }
    }
    Ok(Unsent { records, end, is_gone })
}

/// Where the lines begin behind those that were sent; nothing where the last one of them is not in the file.
fn behind(bytes: &[u8], cursor: &Cursor) -> Option<usize> {
    let mut end = bytes.iter().rposition(|byte| *byte == b'\n')? + 1;
    loop {
        let before = bytes.get(..end.checked_sub(1)?)?;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if let Line::Numbered(link) = chain::read(bytes.get(start..end - 1)?)
            && link.place.number == cursor.n
            && hexadecimal(&link.place) == cursor.mac
        {
            let others = whole_lines(bytes.get(end..)?).take(usize::try_from(cursor.after).ok()?);
            return Some(end + others.map(|line| line.len() + 1).sum::<usize>());
        }
        end = start;
    }
}

/// Returns the lines that have their line break, without it.
fn whole_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"))
}

impl Cursor {
    /// Where a target is that has one more line.
    fn behind(&self, line: &Line<'_>) -> Self {
        match line {
            Line::Numbered(link) => {
                Self { n: link.place.number, mac: hexadecimal(&link.place), after: 0 }
            }
            _ => Self { after: self.after + 1, ..self.clone() },
        }
    }
}

fn hexadecimal(place: &Place) -> String {
    place.code.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a line says, without secrets: it was written without, but perhaps by a version that knew fewer kinds.
/// Nothing where it is no object.
fn without_secrets(line: &[u8]) -> Option<Value> {
    let mut fields: Value = serde_json::from_slice(line).ok()?;
    for (name, value) in fields.as_object_mut()? {
        // Codes look like secrets, and are none.
        if name != "chain" {
            clean(value);
        }
    }
    Some(fields)
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) => *text = redacted(text, usize::MAX),
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(fields) => {
            fields.values_mut().for_each(clean);
            // Names are what an agent wrote, too.
            if fields.keys().any(|name| redacted(name, usize::MAX) != *name) {
                let named = std::mem::take(fields).into_iter();
                *fields = named.map(|(name, value)| (redacted(&name, usize::MAX), value)).collect();
            }
        }
        _ => {}
    }
}
