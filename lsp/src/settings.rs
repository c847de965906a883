//! What client and server agreed on when the session started.

use std::str::FromStr;

use behavior_compiler::provider::LIBRARY_PREFIX;
use serde::Deserialize;
use tower_lsp::ls_types::{InitializeParams, ResourceOperationKind, Uri};

use crate::hindsight::Sessions;
use crate::overlay::Root;
use crate::text::Encoding;

/// The command that shows lines of recordings.
pub const SHOW_FINDINGS: &str = "behavior.showFindings";
/// What Visual Studio Code calls its own command for lists of places.
pub const SHOW_REFERENCES: &str = "editor.action.showReferences";

/// What client and server agreed on.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where the names of files start from.
    pub root: Root,
    /// The folders of the workspace: the root's is empty, others are whole paths with a slash.
    pub folders: Vec<String>,
    /// The unit of columns.
    pub encoding: Encoding,
    /// Whether the client shows related places of diagnostics.
    pub wants_related: bool,
    /// Whether the client takes completions with places to fill in.
    pub wants_snippets: bool,
    /// Whether the client asks for diagnostics itself, and again when it is told that there is news.
    pub pulls: bool,
    /// Whether the client takes document symbols that have others inside.
    pub nests_symbols: bool,
    /// Whether edits may say which version of a document they are of.
    pub versions_edits: bool,
    /// Whether edits may create files and give them other names.
    pub changes_files: bool,
    /// Whether the client asks for lenses again when it is told that there is news.
    pub refreshes_lenses: bool,
    /// Whether the client asks for inlay hints again when it is told that there is news.
    pub refreshes_hints: bool,
    /// Whether the client shows that something is being worked on.
    pub shows_progress: bool,
    /// Whether the client can show a document when it is told to.
    pub shows_documents: bool,
    /// Whether the client shows findings itself.
    pub shows_findings: bool,
    /// Whether the client has a command for lists of places as Visual Studio Code has it.
    pub shows_references: bool,
    /// What the client's user set.
    pub options: Options,
}

/// What a user may set, in the client's `initializationOptions`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Options {
    /// The address of the language reference, to which diagnostics link.
    reference: Option<String>,
    /// Whether the most steps that a rule takes are shown behind it.
    show_steps: Option<bool>,
    /// The recorded sessions that rules are tried on.
    sessions: Option<SessionNames>,
}

/// Names of recorded sessions, as a user may write them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum SessionNames {
    One(String),
    Several(Vec<String>),
}

/// The name that stands for those that agents recorded in the project.
const AUTO: &str = "auto";

impl Options {
    /// Whether the most steps that a rule takes are shown.
    pub fn shows_steps(&self) -> bool {
        self.show_steps.unwrap_or(true)
    }

    /// The recorded sessions that rules are tried on, if any.
    pub fn sessions(&self) -> Option<Sessions> {
        match self.sessions.as_ref()? {
            SessionNames::One(name) if name == AUTO => Some(Sessions::OfProject),
            SessionNames::One(name) => Some(Sessions::Named(vec![name.clone()])),
            SessionNames::Several(names) if names.is_empty() => None,
            SessionNames::Several(names) if *names == [AUTO] => Some(Sessions::OfProject),
            SessionNames::Several(names) => Some(Sessions::Named(names.clone())),
        }
    }
}

impl Settings {
    /// What a client says when it starts.
    pub fn of(params: &InitializeParams, library: Option<&str>) -> Self {
        let general = params.capabilities.general.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_deref());
        let text = params.capabilities.text_document.as_ref();
        let diagnostics = text.and_then(|text| text.publish_diagnostics.as_ref());
        let completion = text.and_then(|text| text.completion.as_ref());
        let items = completion.and_then(|completion| completion.completion_item.as_ref());
        let workspace = params.capabilities.workspace.as_ref();
        let refresh = workspace.and_then(|workspace| workspace.diagnostics.as_ref());
        let refreshes = refresh.and_then(|refresh| refresh.refresh_support).unwrap_or(false);
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let versions_edits = edits.and_then(|edits| edits.document_changes).unwrap_or(false);
        let operations = edits.and_then(|edits| edits.resource_operations.as_deref());
        let can = |operation| operations.unwrap_or_default().contains(&operation);
        let changes_files =
            can(ResourceOperationKind::Create) && can(ResourceOperationKind::Rename);
        let symbols = text.and_then(|text| text.document_symbol.as_ref());
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        let refreshes_lenses = lenses.and_then(|lenses| lenses.refresh_support).unwrap_or(false);
        let own_commands = params.capabilities.experimental.as_ref();
        let own_commands = own_commands.and_then(|it| it.get("commands")?.get("commands"));
        let own_commands = own_commands.and_then(|commands| commands.as_array());
        let has_command =
            |wanted: &str| own_commands.is_some_and(|all| all.iter().any(|name| name == wanted));
        let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
        let refreshes_hints = hints.and_then(|hints| hints.refresh_support).unwrap_or(false);
        let window = params.capabilities.window.as_ref();
        let shows_documents = window.and_then(|window| window.show_document.as_ref());
        let options = params.initialization_options.clone();
        let options = options.and_then(|options| serde_json::from_value(options).ok());
        let root = Root::new(folder(params), library);
        let all = params.workspace_folders.as_deref().unwrap_or_default();
        let mut folders: Vec<String> = all.iter().map(|it| root.folder(&it.uri)).collect();
        if folders.is_empty() {
            folders.push(String::new());
        }
        Self {
            root,
            folders,
            encoding: Encoding::negotiate(offered.unwrap_or_default()),
            wants_related: diagnostics.and_then(|d| d.related_information).unwrap_or(false),
            wants_snippets: items.and_then(|items| items.snippet_support).unwrap_or(false),
            pulls: text.is_some_and(|text| text.diagnostic.is_some()) && refreshes,
            nests_symbols: symbols
                .and_then(|symbols| symbols.hierarchical_document_symbol_support)
                .unwrap_or(false),
            versions_edits,
            changes_files: versions_edits && changes_files,
            refreshes_lenses,
            refreshes_hints,
            shows_progress: window.and_then(|window| window.work_done_progress).unwrap_or(false),
            shows_documents: shows_documents.is_some_and(|it| it.support),
            shows_findings: has_command(SHOW_FINDINGS),
            shows_references: has_command(SHOW_REFERENCES),
            options: options.unwrap_or_default(),
        }
    }

    /// The address of the page on a kind of diagnostic: in the reference, where the user said where that is, else beside
    /// the copies of the standard library.
    pub fn page_of(&self, diagnostic: &str) -> Option<Uri> {
        let Some(reference) = self.options.reference.as_deref() else {
            return self.root.uri(&format!("{LIBRARY_PREFIX}diagnostics/{diagnostic}.md"));
        };
        Uri::from_str(&format!("{}#{diagnostic}", reference.trim_end_matches('#'))).ok()
    }
}

/// The folder that names start from: the first one of the workspace.
fn folder(params: &InitializeParams) -> Option<&Uri> {
    let first = params.workspace_folders.as_ref().and_then(|folders| folders.first());
    #[expect(deprecated, reason = "older clients name their folder nowhere else")]
    let root = params.root_uri.as_ref();
    first.map(|folder| &folder.uri).or(root)
}
