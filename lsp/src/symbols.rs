//! `textDocument/documentSymbol` and `workspace/symbol`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, Symbol, SymbolKind};
use tower_lsp::ls_types::{self as lsp, DocumentSymbol, DocumentSymbolResponse, SymbolInformation};

use crate::places::Places;
use crate::workspace::{Snapshot, Whole};

/// The parts of a document.
pub fn of_document<P: SourceProvider>(snapshot: &Snapshot<P>) -> DocumentSymbolResponse {
    let found = ide::outline(snapshot.file());
    match snapshot.settings.nests_symbols {
        true => DocumentSymbolResponse::Nested(
            found.iter().map(|symbol| nested(snapshot, symbol)).collect(),
        ),
        false => DocumentSymbolResponse::Flat(flat(snapshot, &found, None)),
    }
}

#[expect(deprecated, reason = "the protocol's record has the field all the same")]
fn nested<P: SourceProvider>(snapshot: &Snapshot<P>, symbol: &Symbol) -> DocumentSymbol {
    let children: Vec<_> = symbol.children.iter().map(|it| nested(snapshot, it)).collect();
    DocumentSymbol {
        name: shown(&symbol.name),
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: snapshot.range(symbol.extent),
        selection_range: snapshot.range(symbol.span),
        children: (!children.is_empty()).then_some(children),
    }
}

/// Clients refuse symbols without a name.
fn shown(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { name.to_owned() }
}

#[expect(deprecated, reason = "the protocol's record has the field all the same")]
fn flat<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    symbols: &[Symbol],
    container: Option<&str>,
) -> Vec<SymbolInformation> {
    let Some(uri) = snapshot.uri(&snapshot.name) else { return Vec::new() };
    let mut all = Vec::new();
    for symbol in symbols {
        all.push(SymbolInformation {
            name: shown(&symbol.name),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: lsp::Location { uri: uri.clone(), range: snapshot.range(symbol.extent) },
            container_name: container.map(str::to_owned),
        });
        all.extend(flat(snapshot, &symbol.children, Some(&symbol.name)));
    }
    all
}

/// The names that the workspace declares.
#[expect(deprecated, reason = "the protocol's record has the field all the same")]
pub fn of_workspace<P: SourceProvider>(whole: &Whole<P>, query: &str) -> Vec<SymbolInformation> {
    let found = ide::workspace_symbols(whole.project(), whole.folders.iter().cloned(), query);
    let mut places = Places::new(&whole.files, &whole.settings, &whole.versions);
    let information = |symbol: ide::WorkspaceSymbol| {
        Some(SymbolInformation {
            name: shown(&symbol.name),
            kind: kind(Some(symbol.kind)),
            tags: None,
            deprecated: None,
            location: places.location(symbol.file.source(), symbol.span)?,
            container_name: Some(symbol.file.name().to_owned()),
        })
    };
    found.into_iter().filter_map(information).collect()
}

/// What comes nearest in the protocol.
pub fn kind(kind: Option<SymbolKind>) -> lsp::SymbolKind {
    match kind {
        None => lsp::SymbolKind::NAMESPACE,
        Some(SymbolKind::Rule) => lsp::SymbolKind::FUNCTION,
        Some(SymbolKind::Set) => lsp::SymbolKind::ARRAY,
        Some(SymbolKind::Counter) => lsp::SymbolKind::NUMBER,
        Some(SymbolKind::Flag) => lsp::SymbolKind::BOOLEAN,
        Some(SymbolKind::Profile) => lsp::SymbolKind::MODULE,
        Some(SymbolKind::Class) => lsp::SymbolKind::CLASS,
        Some(SymbolKind::Test) => lsp::SymbolKind::METHOD,
        Some(SymbolKind::Complexity | SymbolKind::Approach | SymbolKind::Risk) => {
            lsp::SymbolKind::ENUM_MEMBER
        }
    }
}
