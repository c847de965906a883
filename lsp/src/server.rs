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
    ClientCapabilities, CompletionOptions, CompletionParams, CompletionResponse,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWatchedFilesRegistrationOptions, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DocumentFormattingParams, DocumentRangeFormattingParams,
    FileSystemWatcher, GlobPattern, Hover, HoverParams, HoverProviderCapability, InitializeParams,
    InitializeResult, InitializedParams, OneOf, Registration, ServerCapabilities, ServerInfo,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextEdit, Uri,
};
use tower_lsp::{Client, LanguageServer};

use crate::completion;
use crate::formatting;
use crate::framing::Unreadable;
use crate::hover;
use crate::overlay::Root;
use crate::text::Encoding;
use crate::workspace::{Command, Settings, Snapshot, Workspace};

/// The protocol's side of the server.
pub struct Backend<P> {
    client: Client,
    commands: UnboundedSender<Command<P>>,
    is_shut_down: Arc<AtomicBool>,
    watches_files: AtomicBool,
}

impl<P: SourceProvider + Clone + Send + Sync + 'static> Backend<P> {
    pub fn new(client: Client, provider: P, is_shut_down: Arc<AtomicBool>) -> Self {
        let (commands, queue) = unbounded_channel();
        let workspace = Workspace::new(client.clone(), provider, commands.clone());
        tokio::spawn(workspace.run(queue));
        Self { client, commands, is_shut_down, watches_files: AtomicBool::new(false) }
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
        let (answer, snapshot) = oneshot::channel();
        self.send(Command::Look { uri, answer });
        let Ok(snapshot) = snapshot.await else { return Ok(None) };
        // No answer is better than none at all and an error on the screen at every key.
        Ok(spawn_blocking(move || ask(snapshot)).await.ok().flatten())
    }
}

impl<P: SourceProvider + Clone + Send + Sync + 'static> LanguageServer for Backend<P> {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let settings = settings(&params);
        let capabilities = capabilities(settings.encoding);
        self.watches_files.store(can_watch_files(&params.capabilities), Ordering::Relaxed);
        self.send(Command::Start(settings));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let server_info = Some(ServerInfo { name: "behavior".to_owned(), version: Some(version) });
        Ok(InitializeResult { capabilities, server_info, ..InitializeResult::default() })
    }

    async fn initialized(&self, _: InitializedParams) {
        if self.watches_files.load(Ordering::Relaxed) {
            // A client that refuses has no files watched, which is no reason to stop.
            let _ = self.client.register_capability(vec![file_watcher()]).await;
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.is_shut_down.store(true, Ordering::Relaxed);
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

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams { text_document, position } =
            params.text_document_position_params;
        self.answer(text_document.uri, move |snapshot| hover::hover(&snapshot, position)).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let ask = move |snapshot: Snapshot<P>| Some(completion::complete(&snapshot, position));
        let items = self.answer(text_document.uri, ask).await?;
        Ok(items.map(CompletionResponse::Array))
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

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        self.send(Command::FilesChanged);
    }
}

fn settings(params: &InitializeParams) -> Settings {
    let general = params.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    let text = params.capabilities.text_document.as_ref();
    let diagnostics = text.and_then(|text| text.publish_diagnostics.as_ref());
    let completion = text.and_then(|text| text.completion.as_ref());
    let items = completion.and_then(|completion| completion.completion_item.as_ref());
    Settings {
        root: Root::new(folder(params)),
        encoding: Encoding::negotiate(offered.unwrap_or_default()),
        wants_related: diagnostics.and_then(|d| d.related_information).unwrap_or(false),
        wants_snippets: items.and_then(|items| items.snippet_support).unwrap_or(false),
    }
}

/// The folder that names start from: the first one of the workspace.
fn folder(params: &InitializeParams) -> Option<&Uri> {
    let first = params.workspace_folders.as_ref().and_then(|folders| folders.first());
    #[expect(deprecated, reason = "older clients name their folder nowhere else")]
    let root = params.root_uri.as_ref();
    first.map(|folder| &folder.uri).or(root)
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        ..TextDocumentSyncOptions::default()
    };
    let characters = TRIGGERS.iter().map(|&character| character.to_owned());
    let completion = CompletionOptions {
        trigger_characters: Some(characters.collect()),
        ..CompletionOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(completion),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
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

/// Asks to be told of files on disk that rule files may refer to.
fn file_watcher() -> Registration {
    let watch = |pattern: &str| FileSystemWatcher {
        glob_pattern: GlobPattern::String(pattern.to_owned()),
        kind: None,
    };
    let watchers = vec![watch("**/behavior/*.yaml"), watch("**/prompts/*.md")];
    let options = DidChangeWatchedFilesRegistrationOptions { watchers };
    let method = "workspace/didChangeWatchedFiles".to_owned();
    let options = serde_json::to_value(options).ok();
    Registration { id: method.clone(), method, register_options: options }
}
