//! Places and edits of files, open or not, in the protocol's words.

use std::collections::{BTreeMap, HashMap};

use behavior_compiler::SourceProvider;
use behavior_compiler::source::{Source, Span};
use tower_lsp::ls_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, Location, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, RenameFile, ResourceOp, TextDocumentEdit,
    TextEdit, Uri, WorkspaceEdit,
};

use crate::overlay::Overlay;
use crate::settings::Settings;
use crate::text::Text;

/// Turns spans into ranges; the lines of files that are not open are found once.
pub struct Places<'f, P> {
    files: &'f Overlay<P>,
    settings: &'f Settings,
    versions: &'f BTreeMap<String, (Uri, i32)>,
    texts: BTreeMap<String, Text>,
}

impl<'f, P: SourceProvider> Places<'f, P> {
    pub fn new(
        files: &'f Overlay<P>,
        settings: &'f Settings,
        versions: &'f BTreeMap<String, (Uri, i32)>,
    ) -> Self {
        Self { files, settings, versions, texts: BTreeMap::new() }
    }

    /// The address of a file; `None` where it has none.
    pub fn uri(&self, name: &str) -> Option<Uri> {
        let open = self.versions.get(name).map(|(uri, _)| uri.clone());
        open.or_else(|| self.settings.root.uri(name))
    }

    /// The range of a span in a file as it was read.
    pub fn range(&mut self, source: &Source, span: Span) -> Range {
        let encoding = self.settings.encoding;
        if let Some(text) = self.files.open.get(&source.name) {
            return text.range(span.start, span.end, encoding);
        }
        let text = self.texts.entry(source.name.clone());
        let text = text.or_insert_with(|| Text::new(source.text.clone()));
        text.range(span.start, span.end, encoding)
    }

    /// The place of a span.
    pub fn location(&mut self, source: &Source, span: Span) -> Option<Location> {
        let uri = self.uri(&source.name)?;
        Some(Location { uri, range: self.range(source, span) })
    }
}

/// Changes of files, gathered into one edit.
#[derive(Debug, Default)]
pub struct Changes {
    edits: BTreeMap<String, Vec<TextEdit>>,
    created: Vec<(String, String)>,
    renamed: Vec<(String, String)>,
}

impl Changes {
    /// Adds an edit of a file.
    pub fn edit(&mut self, file: &str, range: Range, new_text: String) {
        self.edits.entry(file.to_owned()).or_default().push(TextEdit { range, new_text });
    }

    /// Adds a file with a text.
    pub fn create(&mut self, file: String, text: String) {
        self.created.push((file, text));
    }

    /// Gives a file another name.
    pub fn rename(&mut self, from: String, to: String) {
        self.renamed.push((from, to));
    }

    /// The edit as a client takes it; `None` where the client cannot do what it takes.
    pub fn into_edit<P: SourceProvider>(self, places: &Places<'_, P>) -> Option<WorkspaceEdit> {
        let needs_files = !self.created.is_empty() || !self.renamed.is_empty();
        if needs_files && !places.settings.changes_files {
            return None;
        }
        if !places.settings.versions_edits {
            let changes: Option<HashMap<Uri, Vec<TextEdit>>> = self
                .edits
                .into_iter()
                .map(|(file, edits)| Some((places.uri(&file)?, edits)))
                .collect();
            return Some(WorkspaceEdit { changes: Some(changes?), ..WorkspaceEdit::default() });
        }
        let mut operations = Vec::new();
        for (file, text) in self.created {
            let uri = places.uri(&file)?;
            let options =
                CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
            operations.push(DocumentChangeOperation::Op(ResourceOp::Create(CreateFile {
                uri: uri.clone(),
                options: Some(options),
                annotation_id: None,
            })));
            let edit = TextEdit { range: Range::default(), new_text: text };
            operations.push(DocumentChangeOperation::Edit(edit_of(uri, None, vec![edit])));
        }
        for (file, edits) in self.edits {
            let version = places.versions.get(&file).map(|(_, version)| *version);
            let edit = edit_of(places.uri(&file)?, version, edits);
            operations.push(DocumentChangeOperation::Edit(edit));
        }
        for (from, to) in self.renamed {
            operations.push(DocumentChangeOperation::Op(ResourceOp::Rename(RenameFile {
                old_uri: places.uri(&from)?,
                new_uri: places.uri(&to)?,
                options: None,
                annotation_id: None,
            })));
        }
        let changes = Some(DocumentChanges::Operations(operations));
        Some(WorkspaceEdit { document_changes: changes, ..WorkspaceEdit::default() })
    }
}

fn edit_of(uri: Uri, version: Option<i32>, edits: Vec<TextEdit>) -> TextDocumentEdit {
    let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
    TextDocumentEdit { text_document, edits: edits.into_iter().map(OneOf::Left).collect() }
}
