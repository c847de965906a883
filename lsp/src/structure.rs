//! `textDocument/foldingRange`, `selectionRange` and `documentLink`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide;
use tower_lsp::ls_types::{DocumentLink, FoldingRange, FoldingRangeKind, Position, SelectionRange};

use crate::workspace::Snapshot;

/// What can be folded.
pub fn folds<P: SourceProvider>(snapshot: &Snapshot<P>) -> Vec<FoldingRange> {
    let encoding = snapshot.settings.encoding;
    let of = |fold: ide::Fold| {
        let mut range = snapshot.text().range(fold.start, fold.end, encoding);
        // A block ends behind its last line, at the start of the next.
        if range.end.character == 0 && range.end.line > range.start.line {
            range.end.line -= 1;
        }
        FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        }
    };
    let folds = ide::folds(snapshot.file()).into_iter().map(of);
    folds.filter(|fold| fold.end_line > fold.start_line).collect()
}

/// What encloses each position, from the inside out.
pub fn selections<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    positions: &[Position],
) -> Vec<SelectionRange> {
    let of = |position: &Position| {
        let spans = ide::enclosing(snapshot.file(), snapshot.offset(*position));
        let around = spans.into_iter().rev().fold(None, |parent, span| {
            Some(SelectionRange { range: snapshot.range(span), parent: parent.map(Box::new) })
        });
        around.unwrap_or_default()
    };
    positions.iter().map(of).collect()
}

/// The files that the document names.
pub fn links<P: SourceProvider>(snapshot: &Snapshot<P>) -> Vec<DocumentLink> {
    let found = ide::links(snapshot.project(), snapshot.file());
    let of = |link: ide::Link| {
        Some(DocumentLink {
            range: snapshot.range(link.span),
            target: Some(snapshot.uri(&link.file)?),
            tooltip: Some(link.file),
            data: None,
        })
    };
    found.into_iter().filter_map(of).collect()
}
