//! `textDocument/definition`, `references`, `documentHighlight`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, Target};
use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, Location, Position};

use crate::workspace::Snapshot;

/// Where what stands at a position is declared.
pub fn definition<P: SourceProvider>(snapshot: &Snapshot<P>, position: Position) -> Vec<Location> {
    let found = ide::definition(snapshot.project(), snapshot.file(), snapshot.offset(position));
    let mut locations = locations(snapshot, &found);
    if locations.is_empty() {
        let offset = snapshot.offset(position);
        let links = ide::links(snapshot.project(), snapshot.file());
        let link = links.into_iter().find(|link| link.span.touches(offset));
        let uri = link.and_then(|link| snapshot.uri(&link.file));
        locations.extend(uri.map(|uri| Location { uri, range: Default::default() }));
    }
    locations
}

/// All places of what stands at a position.
pub fn references<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
    with_declarations: bool,
) -> Vec<Location> {
    let offset = snapshot.offset(position);
    let mut found = ide::references(snapshot.project(), snapshot.file(), offset);
    found.retain(|target| with_declarations || !target.is_declaration);
    locations(snapshot, &found)
}

fn locations<P: SourceProvider>(snapshot: &Snapshot<P>, found: &[Target]) -> Vec<Location> {
    let mut places = snapshot.places();
    found.iter().filter_map(|it| places.location(it.file.source(), it.span)).collect()
}

/// The places in the document of what stands at a position.
pub fn highlights<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
) -> Vec<DocumentHighlight> {
    let found = ide::highlights(snapshot.file(), snapshot.offset(position));
    let of = |one: &ide::Occurrence| DocumentHighlight {
        range: snapshot.range(one.span),
        kind: Some(match one.declares {
            Some(_) => DocumentHighlightKind::WRITE,
            None => DocumentHighlightKind::READ,
        }),
    };
    found.into_iter().map(of).collect()
}
