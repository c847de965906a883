//! `textDocument/codeAction`.

use std::sync::Arc;

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, Action, ActionKind};
use tower_lsp::ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, Diagnostic, Range,
};

use crate::places::Changes;
use crate::workspace::Snapshot;

/// The kinds of actions that are offered.
pub const KINDS: [CodeActionKind; 4] = [
    CodeActionKind::QUICKFIX,
    FIX_ALL,
    CodeActionKind::REFACTOR_REWRITE,
    CodeActionKind::REFACTOR_EXTRACT,
];

/// Fixes of everything, of this server alone.
const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.behavior");

/// What can be changed in a range.
pub fn actions<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    range: Range,
    context: &CodeActionContext,
) -> Vec<CodeActionOrCommand> {
    let (start, end) = (snapshot.offset(range.start), snapshot.offset(range.end));
    let (project, file) = (snapshot.project(), snapshot.file());
    let found = ide::actions(project, file, &snapshot.problems, start, end);
    let is_wanted = |kind: &CodeActionKind| {
        context.only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| {
                let rest = kind.as_str().strip_prefix(wanted.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        })
    };
    let wanted = found.into_iter().filter(|action| is_wanted(&kind(action.kind)));
    wanted.filter_map(|action| converted(snapshot, action, &context.diagnostics)).collect()
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::Fix => CodeActionKind::QUICKFIX,
        ActionKind::FixAll => FIX_ALL,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
    }
}

/// An action in the protocol's words; none where the client cannot make its changes.
fn converted<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    action: Action,
    told: &[Diagnostic],
) -> Option<CodeActionOrCommand> {
    let mended = action.mends.and_then(|number| snapshot.problems.get(number)).map(|problem| {
        let place = &problem.place;
        let range = snapshot.text().range(place.start, place.end, snapshot.settings.encoding);
        let is_it =
            |told: &&Diagnostic| told.range == range && told.message.starts_with(&problem.message);
        told.iter().filter(is_it).cloned().collect::<Vec<_>>()
    });
    let mut places = snapshot.places();
    let mut changes = Changes::default();
    for edit in action.edits {
        let read = match edit.file == snapshot.name {
            true => Arc::clone(snapshot.file()),
            false => snapshot.project().file(&edit.file)?,
        };
        let range = places.range(read.source(), edit.span);
        changes.edit(&edit.file, range, edit.text);
    }
    action.creates.into_iter().for_each(|(file, text)| changes.create(file, text));
    Some(CodeActionOrCommand::CodeAction(CodeAction {
        title: action.title,
        kind: Some(kind(action.kind)),
        diagnostics: mended.filter(|mended| !mended.is_empty()),
        edit: Some(changes.into_edit(&places)?),
        is_preferred: action.is_preferred.then_some(true),
        ..CodeAction::default()
    }))
}
