//! Documents laid out, as the compiler lays out rule files.

use behavior_compiler::SourceProvider;
use behavior_compiler::format::{format_edits, format_range};
use behavior_compiler::ide;
use behavior_compiler::syntax::Format;
use tower_lsp::ls_types::{Position, Range, TextEdit};

use crate::workspace::Snapshot;

/// The edits that lay out the line above the one that was begun; that one itself is left alone.
pub fn above<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
) -> Option<Vec<TextEdit>> {
    let line = position.line.checked_sub(1)?;
    let (start, end) = (Position::new(line, 0), Position::new(position.line, 0));
    let mut edits = edits(snapshot, Some(Range::new(start, end)))?;
    edits.retain(|edit| start <= edit.range.start && edit.range.end <= end);
    Some(edits)
}

/// The edits that lay a document out, or a range of it; nothing where it is no rule file, or cannot be laid out.
pub fn edits<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    range: Option<Range>,
) -> Option<Vec<TextEdit>> {
    let (name, text) = (snapshot.name.as_str(), snapshot.text());
    if !ide::may_be_rule_file(name, text.source()) {
        return None;
    }
    let kind = match name.rsplit('.').next() {
        Some("toml") => Format::Toml,
        Some("json") => Format::Json,
        _ => Format::Yaml,
    };
    let encoding = snapshot.settings.encoding;
    let edits = match range {
        None => format_edits(text.source(), kind),
        Some(range) => {
            let start = text.source_offset(range.start, encoding) as usize;
            let end = text.source_offset(range.end, encoding) as usize;
            format_range(text.source(), kind, start..end)
        }
    };
    let in_protocol = |edit: behavior_compiler::format::TextEdit| TextEdit {
        range: text.range(edit.range.start as u32, edit.range.end as u32, encoding),
        new_text: edit.text,
    };
    Some(edits.ok()?.into_iter().map(in_protocol).collect())
}
