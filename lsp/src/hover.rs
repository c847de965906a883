//! `textDocument/hover`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide;
use tower_lsp::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::workspace::Snapshot;

/// Explains what stands at a position.
pub fn hover<P: SourceProvider>(snapshot: &Snapshot<P>, position: Position) -> Option<Hover> {
    let encoding = snapshot.settings.encoding;
    let offset = snapshot.text().source_offset(position, encoding);
    let found = ide::hover(snapshot.file(), snapshot.project(), offset)?;
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: found.markdown };
    Some(Hover {
        contents: HoverContents::Markup(contents),
        range: Some(snapshot.text().range(found.span.start, found.span.end, encoding)),
    })
}
