//! `textDocument/completion`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, Completion, CompletionKind};
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, Position, TextEdit,
};

use crate::workspace::Snapshot;

/// What can be written at a position.
pub fn complete<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
) -> Vec<CompletionItem> {
    let offset = snapshot.text().source_offset(position, snapshot.settings.encoding);
    let found = ide::complete(snapshot.file(), snapshot.project(), offset);
    found.into_iter().enumerate().filter_map(|(rank, found)| item(snapshot, rank, found)).collect()
}

/// A completion in the protocol's words; none where its edit would cross lines, which the protocol
/// forbids.
fn item<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    rank: usize,
    found: Completion,
) -> Option<CompletionItem> {
    let range = snapshot.text().range(found.start, found.end, snapshot.settings.encoding);
    if range.start.line != range.end.line {
        return None;
    }
    let snippet = found.snippet.filter(|_| snapshot.settings.wants_snippets);
    let format = snippet.as_ref().map(|_| InsertTextFormat::SNIPPET);
    let new_text = snippet.unwrap_or(found.insert);
    let documentation = (!found.markdown.is_empty()).then(|| {
        let value = found.markdown;
        Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
    });
    Some(CompletionItem {
        filter_text: (found.filter != found.label).then_some(found.filter),
        label: found.label,
        kind: Some(kind(found.kind)),
        detail: (!found.detail.is_empty()).then_some(found.detail),
        documentation,
        // Their order says what is useful.
        sort_text: Some(format!("{rank:05}")),
        insert_text_format: format,
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
        ..CompletionItem::default()
    })
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Condition => CompletionItemKind::FUNCTION,
        CompletionKind::Name => CompletionItemKind::VARIABLE,
        CompletionKind::Profile => CompletionItemKind::MODULE,
        CompletionKind::Placeholder => CompletionItemKind::VARIABLE,
        CompletionKind::Switch => CompletionItemKind::PROPERTY,
    }
}
