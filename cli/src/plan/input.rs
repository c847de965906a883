//! The text of a plan, from a file or from standard input.

use std::io::Read;

use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{MAX_BYTES, decode_utf8};
use behavior_compiler::{ReadError, SourceProvider};

use crate::project;
use crate::terminal::Failure;

/// What the plan of standard input is called.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Reads the text of a plan, and says what it is called in diagnostics.
///
/// # Errors
/// When it cannot be read, or is no text.
pub fn read(file: &str) -> Result<(String, String), Failure> {
    let name = if file == "-" { STANDARD_INPUT } else { file };
    let failed = |why: &dyn std::fmt::Display| {
        Failure::Message(format!("cannot read the plan `{name}`: {why}"))
    };
    let bytes = match file {
        "-" => {
            let mut bytes = Vec::new();
            let mut limited = std::io::stdin().lock().take(MAX_BYTES as u64 + 1);
            limited.read_to_end(&mut bytes).map_err(|error| failed(&project::describe(&error)))?;
            bytes
        }
        _ => project::provider().read(file).map_err(|error: ReadError| failed(&error))?,
    };
    let text = decode_utf8(FileId(0), name, &bytes)
        .map_err(|undecodable| failed(&undecodable.diagnostic.message))?;
    Ok((name.to_owned(), text))
}
