//! Here-documents that a line has announced: how each ends, and where its text goes.

use super::context::Context;

/// A here-document whose text has not come yet.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    /// The line that ends it.
    pub delimiter: String,
    /// Whether tabs before each line are dropped.
    pub strips_tabs: bool,
    /// Whether the text stands for itself.
    pub literal: bool,
    /// Where its text goes.
    pub index: u32,
    pub context: Context,
}

impl Awaited {
    /// Whether a line, with its end and those that are joined to it, ends the text.
    pub fn ends_at(&self, line: &str) -> bool {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = if self.strips_tabs { line.trim_start_matches('\t') } else { line };
        if self.literal || !line.contains('\n') {
            return line == self.delimiter;
        }
        let mut rest = self.delimiter.as_str();
        let joined = line.split("\\\n").all(|part| match rest.strip_prefix(part) {
            Some(behind) => {
                rest = behind;
                true
            }
            None => false,
        });
        joined && rest.is_empty()
    }
}
