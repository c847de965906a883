//! What the client may ask, and how the session starts and ends. Notifications are only put into
//! the owner's queue, so that their order holds; see [`crate::workspace`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use behavior_compiler::SourceProvider;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    CallHierarchyServerCapability, ClientCapabilities, CodeActionOptions, CodeActionParams,
    CodeActionProviderCapability, CodeActionResponse, CodeLens, CodeLensOptions, CodeLensParams,
    CompletionOptions, CompletionParams, CompletionResponse, DiagnosticOptions,
    DiagnosticServerCapabilities, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWatchedFilesRegistrationOptions, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    DocumentFormattingParams, DocumentHighlight, DocumentHighlightParams, DocumentLink,
    DocumentLinkOptions, DocumentLinkParams, DocumentOnTypeFormattingOptions,
    DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, DocumentSymbolParams,
    DocumentSymbolResponse, ExecuteCommandOptions, ExecuteCommandParams, FileSystemWatcher,
    FoldingRange, FoldingRangeParams, FoldingRangeProviderCapability, FullDocumentDiagnosticReport,
    GlobPattern, GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams,
    HoverProviderCapability, InitializeParams, InitializeResult, InitializedParams, InlayHint,
    InlayHintParams, LSPAny, Location, OneOf, PrepareRenameResponse, ReferenceParams, Registration,
    RelatedFullDocumentDiagnosticReport, RenameOptions, RenameParams, SelectionRange,
    SelectionRangeParams, SelectionRangeProviderCapability, SemanticTokensFullOptions,
    SemanticTokensOptions, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult, SemanticTokensServerCapabilities,
    ServerCapabilities, ServerInfo, ShowDocumentParams, SignatureHelp, SignatureHelpOptions,
    SignatureHelpParams, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, TextEdit, Uri,
    WorkDoneProgressOptions, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport, WorkspaceEdit,
    WorkspaceFolder, WorkspaceFoldersServerCapabilities, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceServerCapabilities, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use tower_lsp::{Client, LanguageServer};

use crate::actions;
use crate::completion;
use crate::formatting;
use crate::framing::Unreadable;
use crate::hierarchy;
use crate::hindsight::Recordings;
use crate::hints;
use crate::hover;
use crate::lenses;
use crate::navigation;
use crate::opened;
use crate::renaming;
use crate::settings::{self, Settings};
use crate::workspace::{Command, Snapshot, Whole, Workspace};
use crate::{structure, symbols, tokens};

/// The protocol's side of the server.
pub struct Backend<P> {
    client: Client,
    commands: UnboundedSender<Command<P>>,
    watches_files: AtomicBool,
    /// Where copies of the standard library's files are, for people to read.
    library: Option<String>,
}

impl<P: SourceProvider + Clone + Send + Sync + 'static> Backend<P> {
    pub fn new(
        client: Client,
        provider: P,
        library: Option<String>,
        recordings: Arc<dyn Recordings>,
    ) -> Self {
        let (commands, queue) = unbounded_channel();
        let workspace = Workspace::new(client.clone(), provider, recordings, commands.clone());
        tokio::spawn(workspace.run(queue));
        let watches_files = AtomicBool::new(false);
        Self { client, commands, watches_files, library }
    }

    /// Answers a message that cannot be read, which `framing` passed on as this request.
    pub async fn unreadable(&self, problem: Unreadable) -> Result<()> {
        let Unreadable { code, message } = problem;
        Err(Error { code: ErrorCode::from(code), message: message.into(), data: None })
    }

    fn send(&self, command: Command<P>) {
        // The owner lives as long as the runtime; behind its end there is nobody to tell.
        let _ = self.commands.send(command);
    }

    /// Answers a question about an open document, away from the threads that read and write.
    async fn answer<A, F>(&self, uri: Uri, ask: F) -> Result<Option<A>>
    where
        A: Send + 'static,
        F: FnOnce(Snapshot<P>) -> Option<A> + Send + 'static,
    {
        self.answer_of(uri, false, ask).await
    }

    /// As [`Backend::answer`]; with `takes_recordings`, about recorded sessions, too.
    async fn answer_of<A, F>(&self, uri: Uri, takes_recordings: bool, ask: F) -> Result<Option<A>>
    where
        A: Send + 'static,
        F: FnOnce(Snapshot<P>) -> Option<A> + Send + 'static,
    {
        let (answer, snapshot) = oneshot::channel();
        self.send(Command::Look { uri, takes_recordings, answer });
        let Ok(snapshot) = snapshot.await else { return Ok(None) };
        // No answer is better than none at all and an error on the screen at every key.
        Ok(spawn_blocking(move || ask(snapshot)).await.ok().flatten())
    }
}

impl<P: SourceProvider + Clone + Send + Sync + 'static> Backend<P> {
    /// Answers a question about an open document and what is wrong with it, once that is known.
    async fn answer_checked<A, F>(&self, uri: Uri, ask: F) -> Result<Option<A>>
    where
        A: Send + 'static,
        F: FnOnce(Snapshot<P>) -> Option<A> + Send + 'static,
    {
        let (answer, checked) = oneshot::channel();
        self.send(Command::Diagnose { uri: uri.clone(), answer });
        // Where the owner is gone, nobody answers below either.
        let _ = checked.await;
        self.answer(uri, ask).await
    }

    /// Answers a question about all files.
    async fn answer_of_all<A, F>(&self, ask: F) -> Result<Option<A>>
    where
        A: Send + 'static,
        F: FnOnce(Whole<P>) -> Option<A> + Send + 'static,
    {
        let (answer, whole) = oneshot::channel();
        self.send(Command::LookAll { answer });
        let Ok(whole) = whole.await else { return Ok(None) };
        Ok(spawn_blocking(move || ask(whole)).await.ok().flatten())
    }
}

impl<P: SourceProvider + Clone + Send + Sync + 'static> LanguageServer for Backend<P> {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let settings = Settings::of(&params, self.library.as_deref());
        let capabilities = capabilities(&settings);
        self.watches_files.store(can_watch_files(&params.capabilities), Ordering::Relaxed);
        self.send(Command::Start(Box::new(settings)));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let server_info = Some(ServerInfo { name: "behavior".to_owned(), version: Some(version) });
        Ok(InitializeResult { capabilities, server_info, ..InitializeResult::default() })
    }

    async fn initialized(&self, _: InitializedParams) {
        if self.watches_files.load(Ordering::Relaxed) {
            // A client that refuses has no files watched, which is no reason to stop; one that goes away without an answer
            // is not waited for.
            let client = self.client.clone();
            tokio::spawn(async move { client.register_capability(vec![file_watcher()]).await });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.send(Command::Open(params.text_document));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let DidChangeTextDocumentParams { text_document, content_changes: changes } = params;
        let (uri, version) = (text_document.uri, text_document.version);
        self.send(Command::Change { uri, version, changes });
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.send(Command::Close(params.text_document.uri));
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        // What is stored is what an edit is held against.
        self.send(Command::Saved);
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let ask = |snapshot: Snapshot<P>| Some(lenses::lenses(&snapshot));
        self.answer(params.text_document.uri, ask).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        if params.command != settings::SHOW_FINDINGS {
            return Err(refused(format!("`{}` is no command of this server", params.command)));
        }
        // A client that has no list for places is shown the first.
        let Some(place) = lenses::first_place(&params.arguments) else { return Ok(None) };
        let shown = ShowDocumentParams {
            uri: place.uri,
            external: Some(false),
            take_focus: Some(true),
            selection: Some(place.range),
        };
        // One that cannot show it does nothing, and one that goes away is not waited for.
        let client = self.client.clone();
        tokio::spawn(async move { drop(client.show_document(shown).await) });
        Ok(None)
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams { text_document, position } =
            params.text_document_position_params;
        let ask = move |snapshot: Snapshot<P>| match snapshot.is_recording {
            true => opened::explained(&snapshot, position),
            false => hover::hover(&snapshot, position),
        };
        self.answer_of(text_document.uri, true, ask).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let ask = move |snapshot: Snapshot<P>| Some(completion::complete(&snapshot, position));
        let items = self.answer(text_document.uri, ask).await?;
        Ok(items.map(CompletionResponse::Array))
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let TextDocumentPositionParams { text_document, position } =
            params.text_document_position_params;
        let ask = move |snapshot: Snapshot<P>| Some(navigation::definition(&snapshot, position));
        let found = self.answer(text_document.uri, ask).await?;
        Ok(found.map(GotoDefinitionResponse::Array))
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let with_declarations = params.context.include_declaration;
        let ask = move |snapshot: Snapshot<P>| {
            Some(navigation::references(&snapshot, position, with_declarations))
        };
        self.answer(text_document.uri, ask).await
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let TextDocumentPositionParams { text_document, position } =
            params.text_document_position_params;
        let ask = move |snapshot: Snapshot<P>| Some(navigation::highlights(&snapshot, position));
        self.answer(text_document.uri, ask).await
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        let TextDocumentPositionParams { text_document, position } = params;
        let ask = move |snapshot: Snapshot<P>| Some(renaming::prepare(&snapshot, position));
        self.answer(text_document.uri, ask).await?.transpose().map_err(refused)
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let new = params.new_name;
        let ask = move |snapshot: Snapshot<P>| Some(renaming::rename(&snapshot, position, &new));
        self.answer(text_document.uri, ask).await?.transpose().map_err(refused)
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        let ask = |snapshot: Snapshot<P>| Some(symbols::of_document(&snapshot));
        self.answer(params.text_document.uri, ask).await
    }

    async fn symbol(
        &self,
        params: WorkspaceSymbolParams,
    ) -> Result<Option<WorkspaceSymbolResponse>> {
        let ask = move |whole: Whole<P>| Some(symbols::of_workspace(&whole, &params.query));
        let found = self.answer_of_all(ask).await?;
        Ok(found.map(WorkspaceSymbolResponse::Flat))
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        let ask = |snapshot: Snapshot<P>| Some(structure::folds(&snapshot));
        self.answer(params.text_document.uri, ask).await
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        let positions = params.positions;
        let ask = move |snapshot: Snapshot<P>| Some(structure::selections(&snapshot, &positions));
        self.answer(params.text_document.uri, ask).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        let ask = |snapshot: Snapshot<P>| Some(structure::links(&snapshot));
        self.answer(params.text_document.uri, ask).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let (range, context) = (params.range, params.context);
        let ask = move |snapshot: Snapshot<P>| Some(actions::actions(&snapshot, range, &context));
        self.answer_checked(params.text_document.uri, ask).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let range = params.range;
        let ask = move |snapshot: Snapshot<P>| {
            Some(match snapshot.is_recording {
                true => opened::verdicts(&snapshot, range),
                false => hints::hints(&snapshot, range),
            })
        };
        self.answer_of(params.text_document.uri, true, ask).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let TextDocumentPositionParams { text_document, position } =
            params.text_document_position_params;
        let ask = move |snapshot: Snapshot<P>| hints::signatures(&snapshot, position);
        self.answer(text_document.uri, ask).await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        let ask = |snapshot: Snapshot<P>| Some(tokens::tokens(&snapshot, None));
        let found = self.answer(params.text_document.uri, ask).await?;
        Ok(found.map(SemanticTokensResult::Tokens))
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let range = params.range;
        let ask = move |snapshot: Snapshot<P>| Some(tokens::tokens(&snapshot, Some(range)));
        let found = self.answer(params.text_document.uri, ask).await?;
        Ok(found.map(SemanticTokensRangeResult::Tokens))
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let TextDocumentPositionParams { text_document, position } =
            params.text_document_position_params;
        let ask = move |snapshot: Snapshot<P>| Some(hierarchy::prepare(&snapshot, position));
        self.answer(text_document.uri, ask).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        self.answer_of_all(move |whole| hierarchy::incoming(&whole, &params.item)).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        self.answer_of_all(move |whole| hierarchy::outgoing(&whole, &params.item)).await
    }

    async fn diagnostic(
        &self,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        let (answer, found) = oneshot::channel();
        self.send(Command::Diagnose { uri: params.text_document.uri, answer });
        let items = found.await.unwrap_or_default();
        let full_document_diagnostic_report =
            FullDocumentDiagnosticReport { result_id: None, items };
        let report = RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report,
        };
        Ok(DocumentDiagnosticReport::Full(report).into())
    }

    async fn workspace_diagnostic(
        &self,
        _: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        let (answer, found) = oneshot::channel();
        self.send(Command::DiagnoseAll { answer });
        let found = found.await.unwrap_or_default();
        let report = |(uri, version, items): (Uri, Option<i32>, Vec<_>)| {
            WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version: version.map(i64::from),
                full_document_diagnostic_report: FullDocumentDiagnosticReport {
                    result_id: None,
                    items,
                },
            })
        };
        let items = found.into_iter().map(report).collect();
        Ok(WorkspaceDiagnosticReport { items }.into())
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let uris = |folders: Vec<WorkspaceFolder>| folders.into_iter().map(|it| it.uri).collect();
        let (added, removed) = (uris(params.event.added), uris(params.event.removed));
        self.send(Command::FoldersChanged { added, removed });
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let ask = |snapshot: Snapshot<P>| formatting::edits(&snapshot, None);
        self.answer(params.text_document.uri, ask).await
    }

    async fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let range = params.range;
        let ask = move |snapshot: Snapshot<P>| formatting::edits(&snapshot, Some(range));
        self.answer(params.text_document.uri, ask).await
    }

    async fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let ask = move |snapshot: Snapshot<P>| formatting::above(&snapshot, position);
        self.answer(text_document.uri, ask).await
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        self.send(Command::FilesChanged);
    }
}

/// What was asked for cannot be, for a reason that people are told.
fn refused(reason: String) -> Error {
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: reason.into(), data: None }
}

/// The number of that error in the protocol.
const REQUEST_FAILED: i64 = -32803;

fn capabilities(settings: &Settings) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    let characters = TRIGGERS.iter().map(|&character| character.to_owned());
    let completion = CompletionOptions {
        trigger_characters: Some(characters.collect()),
        ..CompletionOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(settings.encoding.kind()),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(completion),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(actions::KINDS.to_vec()),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".to_owned(), " ".to_owned()]),
            ..SignatureHelpOptions::default()
        }),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: tokens::legend(),
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            },
        )),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        diagnostic_provider: settings.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("behavior".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                work_done_progress_options: WorkDoneProgressOptions::default(),
            })
        }),
        // A client that registers what it is told of here would do so twice.
        execute_command_provider: (settings.shows_documents && !settings.shows_findings).then(
            || ExecuteCommandOptions {
                commands: vec![settings::SHOW_FINDINGS.to_owned()],
                work_done_progress_options: WorkDoneProgressOptions::default(),
            },
        ),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "\n".to_owned(),
            more_trigger_character: None,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        ..ServerCapabilities::default()
    }
}

/// What asks for completions when it is typed: a blank behind a colon or dash, a brace in a message,
/// a parenthesis in an expression, a colon in a placeholder; in a policy a header, a string and another
/// alternative of a pattern.
const TRIGGERS: &[&str] = &[" ", "{", "(", ":", "[", "\"", "|"];

fn can_watch_files(capabilities: &ClientCapabilities) -> bool {
    let workspace = capabilities.workspace.as_ref();
    let watching = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
    watching.and_then(|watching| watching.dynamic_registration).unwrap_or(false)
}

/// Files that a check may depend on: configs and files that could be taken for one, profiles, policies, rule tests,
/// prompts, quoted documents, schemas, recordings of tests.
const WATCHED: &[&str] = &["**/*.{yaml,yml,json,jsonl,toml}", "**/prompts/*.md", "**/*.{md,txt}"];

/// Asks to be told of files on disk that rule files may refer to.
fn file_watcher() -> Registration {
    let watch = |pattern: &str| FileSystemWatcher {
        glob_pattern: GlobPattern::String(pattern.to_owned()),
        kind: None,
    };
    // Documents that messages quote and schemas that rules name may stand anywhere and be called anything like
    // this; of others, one learns when their folder is looked at again.
    let watchers = WATCHED.iter().map(|pattern| watch(pattern)).collect();
    let options = DidChangeWatchedFilesRegistrationOptions { watchers };
    let method = "workspace/didChangeWatchedFiles".to_owned();
    let options = serde_json::to_value(options).ok();
    Registration { id: method.clone(), method, register_options: options }
}
