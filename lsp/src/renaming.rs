//! `textDocument/prepareRename` and `rename`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide;
use tower_lsp::ls_types::{Position, PrepareRenameResponse, WorkspaceEdit};

use crate::places::Changes;
use crate::workspace::Snapshot;

/// What would be renamed at a position.
///
/// # Errors
/// When nothing can be, with the reason for people.
pub fn prepare<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
) -> Result<PrepareRenameResponse, String> {
    let offset = snapshot.offset(position);
    let (span, placeholder) = ide::prepare_rename(snapshot.project(), snapshot.file(), offset)?;
    let range = snapshot.range(span);
    Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
}

/// The edits that give what stands at a position another name.
///
/// # Errors
/// When that cannot be, with the reason for people.
pub fn rename<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let offset = snapshot.offset(position);
    let (project, file) = (snapshot.project(), snapshot.file());
    let renamed = ide::rename(project, file, offset, new)?;
    let mut places = snapshot.places();
    let mut changes = Changes::default();
    for edit in renamed.edits {
        let read = match edit.file == file.name() {
            true => Some(std::sync::Arc::clone(file)),
            false => project.file(&edit.file),
        };
        if let Some(read) = read {
            let range = places.range(read.source(), edit.span);
            changes.edit(&edit.file, range, edit.text);
        }
    }
    renamed.files.into_iter().for_each(|(from, to)| changes.rename(from, to));
    changes.into_edit(&places).ok_or_else(|| {
        "a profile's name is that of its file, and this editor cannot rename files for the server"
            .to_owned()
    })
}
