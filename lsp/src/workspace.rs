//! The open documents and what is known about them, owned by one task.
//!
//! Whatever the client says arrives here through one queue, in order. Files are checked one at a
//! time on another thread, so that this task is always ready to answer; what comes back about texts
//! that have changed since is thrown away and asked for again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use behavior_compiler::ide::RuleFile;
use behavior_compiler::{SourceProvider, ide};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::{spawn_blocking, yield_now};
use tower_lsp::Client;
use tower_lsp::ls_types::{
    Diagnostic, DiagnosticSeverity, TextDocumentContentChangeEvent, TextDocumentItem, Uri,
};

use crate::diagnostics::{self, Checked, Job};
use crate::overlay::{Overlay, Root};
use crate::text::{Encoding, Text};

/// What client and server agreed on.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where the names of files start from.
    pub root: Root,
    /// The unit of columns.
    pub encoding: Encoding,
    /// Whether the client shows related places of diagnostics.
    pub wants_related: bool,
    /// Whether the client takes completions with places to fill in.
    pub wants_snippets: bool,
}

/// A document at one moment, with all that an answer about it may need.
#[derive(Clone, Debug)]
pub struct Snapshot<P> {
    name: String,
    text: Arc<Text>,
    read: Arc<OnceLock<RuleFile>>,
    /// The files as they are.
    pub files: Overlay<P>,
    /// What client and server agreed on.
    pub settings: Settings,
}

impl<P> Snapshot<P> {
    /// What the document is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The file, read by the first question about it.
    pub fn file(&self) -> &RuleFile {
        self.read.get_or_init(|| RuleFile::new(self.name.as_str(), self.text.source()))
    }
}

/// Something for the owner to do.
#[derive(Debug)]
pub enum Command<P> {
    /// The session starts.
    Start(Settings),
    /// A document was opened.
    Open(TextDocumentItem),
    /// A document was changed.
    Change { uri: Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent> },
    /// A document was closed.
    Close(Uri),
    /// Files on disk changed.
    FilesChanged,
    /// A check has ended; without an outcome where it failed.
    Checked { entry: String, outcome: Option<Checked> },
    /// A request needs a document as it is now; there is no answer where it is not open.
    Look { uri: Uri, answer: oneshot::Sender<Snapshot<P>> },
}

#[derive(Debug)]
struct Document {
    uri: Uri,
    version: i32,
    /// The moment of its last change.
    revision: u64,
    text: Arc<Text>,
    /// The text as requests read it, once one has.
    read: Arc<OnceLock<RuleFile>>,
    is_candidate: bool,
}

/// The owner of all state.
pub struct Workspace<P> {
    client: Client,
    provider: P,
    settings: Settings,
    commands: UnboundedSender<Command<P>>,
    documents: BTreeMap<String, Document>,
    /// Counts changes.
    now: u64,
    /// The files to check, the most urgent last.
    due: Vec<String>,
    /// The file that is being checked.
    running: Option<String>,
    checked: BTreeMap<String, Checked>,
    /// What the client was told last.
    published: BTreeMap<String, (i32, Vec<Diagnostic>)>,
}

impl<P: SourceProvider + Clone + Send + Sync + 'static> Workspace<P> {
    pub fn new(client: Client, provider: P, commands: UnboundedSender<Command<P>>) -> Self {
        Self {
            client,
            provider,
            settings: Settings::default(),
            commands,
            documents: BTreeMap::new(),
            now: 0,
            due: Vec::new(),
            running: None,
            checked: BTreeMap::new(),
            published: BTreeMap::new(),
        }
    }

    /// Works until nobody can send commands any more.
    pub async fn run(mut self, mut queue: UnboundedReceiver<Command<P>>) {
        while let Some(command) = queue.recv().await {
            self.apply(command).await;
            // Everything that is on its way comes first: only the newest texts are worth a check.
            loop {
                let mut is_quiet = true;
                while let Ok(command) = queue.try_recv() {
                    self.apply(command).await;
                    is_quiet = false;
                }
                if is_quiet {
                    break;
                }
                yield_now().await;
            }
            self.start_check();
        }
    }

    async fn apply(&mut self, command: Command<P>) {
        match command {
            Command::Start(settings) => self.settings = settings,
            Command::Open(document) => self.open(document),
            Command::Change { uri, version, changes } => self.change(&uri, version, changes).await,
            Command::Close(uri) => self.close(&uri).await,
            Command::FilesChanged => self.all_due(),
            Command::Checked { entry, outcome } => self.finish_check(entry, outcome).await,
            Command::Look { uri, answer } => self.look(&uri, answer),
        }
    }

    fn open(&mut self, item: TextDocumentItem) {
        self.now += 1;
        let name = self.settings.root.name(&item.uri);
        let document = Document {
            uri: item.uri,
            version: item.version,
            revision: self.now,
            is_candidate: ide::may_be_rule_file(&name, &item.text),
            text: Arc::new(Text::new(item.text)),
            read: Arc::default(),
        };
        self.documents.insert(name.clone(), document);
        self.published.remove(&name);
        // A file that others looked for in vain may be there now.
        self.all_due();
        self.make_due(&name);
    }

    async fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.get_mut(&name) else { return };
        self.now += 1;
        let text = Arc::make_mut(&mut document.text);
        for change in changes {
            text.apply(change, self.settings.encoding);
        }
        document.read = Arc::default();
        document.version = version;
        document.revision = self.now;
        document.is_candidate = ide::may_be_rule_file(&name, document.text.source());
        let is_candidate = document.is_candidate;
        let dependent: Vec<String> = self
            .documents
            .keys()
            .filter(|entry| {
                self.checked.get(*entry).is_none_or(|checked| checked.read.contains(&name))
            })
            .cloned()
            .collect();
        dependent.iter().for_each(|entry| self.make_due(entry));
        self.make_due(&name);
        if !is_candidate {
            self.checked.remove(&name);
            self.publish(&name).await;
        }
    }

    async fn close(&mut self, uri: &Uri) {
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.remove(&name) else { return };
        self.now += 1;
        self.due.retain(|due| *due != name);
        self.checked.remove(&name);
        if self.published.remove(&name).is_some_and(|(_, told)| !told.is_empty()) {
            self.client.publish_diagnostics(document.uri, Vec::new(), None).await;
        }
        self.all_due();
    }

    fn all_due(&mut self) {
        let names: Vec<String> = self.documents.keys().cloned().collect();
        names.iter().for_each(|name| self.make_due(name));
    }

    /// Makes a file the next one to be checked, if it may be a rule file.
    fn make_due(&mut self, name: &str) {
        if !self.documents.get(name).is_some_and(|document| document.is_candidate) {
            return;
        }
        self.due.retain(|due| due != name);
        self.due.push(name.to_owned());
    }

    fn files(&self) -> Overlay<P> {
        let open = self.documents.iter();
        let open = open.map(|(name, document)| (name.clone(), Arc::clone(&document.text)));
        Overlay {
            base: self.provider.clone(),
            root: self.settings.root.clone(),
            open: open.collect(),
        }
    }

    fn look(&self, uri: &Uri, answer: oneshot::Sender<Snapshot<P>>) {
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.get(&name) else { return };
        let (text, read) = (Arc::clone(&document.text), Arc::clone(&document.read));
        let (files, settings) = (self.files(), self.settings.clone());
        // Whoever asked may have gone.
        let _ = answer.send(Snapshot { name, text, read, files, settings });
    }

    fn start_check(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(entry) = self.due.pop() else { return };
        let addresses = self.documents.iter();
        let addresses = addresses.map(|(name, document)| (name.clone(), document.uri.clone()));
        let job = Job {
            entry: entry.clone(),
            files: self.files(),
            addresses: addresses.collect(),
            encoding: self.settings.encoding,
            wants_related: self.settings.wants_related,
            revision: self.now,
        };
        self.running = Some(entry.clone());
        let commands = self.commands.clone();
        tokio::spawn(async move {
            let outcome = spawn_blocking(move || diagnostics::run(&job)).await.ok();
            // Where nobody listens any more, nobody needs to know.
            let _ = commands.send(Command::Checked { entry, outcome });
        });
    }

    async fn finish_check(&mut self, entry: String, outcome: Option<Checked>) {
        self.running = None;
        let Some(mut checked) = outcome else { return };
        if self.due.contains(&entry) || !self.documents.contains_key(&entry) {
            return;
        }
        let is_outdated = checked.read.iter().any(|name| {
            self.documents.get(name).is_some_and(|document| document.revision > checked.revision)
        });
        if is_outdated {
            self.make_due(&entry);
            return;
        }
        // Reading a large file takes long, and the first question about it should not wait for that.
        if let (Some(document), Some(file)) = (self.documents.get(&entry), checked.file.take()) {
            // A question may have come first.
            let _ = document.read.set(file);
        }
        let mut concerned: BTreeSet<String> = checked.problems.keys().cloned().collect();
        if let Some(before) = self.checked.insert(entry.clone(), checked) {
            concerned.extend(before.problems.into_keys());
        }
        concerned.insert(entry);
        for name in concerned {
            self.publish(&name).await;
        }
    }

    /// Tells the client what is known about a document, if that is news.
    async fn publish(&mut self, name: &str) {
        let Some(document) = self.documents.get(name) else { return };
        let problems = self.problems(name, document);
        let told = self.published.get(name);
        let is_known = match told {
            Some((version, told)) => *version == document.version && *told == problems,
            None => problems.is_empty() && !self.is_rule_file(name),
        };
        if is_known {
            return;
        }
        let version = document.version;
        self.published.insert(name.to_owned(), (version, problems.clone()));
        self.client.publish_diagnostics(document.uri.clone(), problems, Some(version)).await;
    }

    fn is_rule_file(&self, name: &str) -> bool {
        self.checked.get(name).is_some_and(|checked| checked.is_rule_file)
    }

    /// What all checks say about the document as it is now.
    fn problems(&self, name: &str, document: &Document) -> Vec<Diagnostic> {
        let is_current = |checked: &&Checked| checked.revision >= document.revision;
        let own = self.checked.get(name).filter(is_current);
        let own_problems = own.and_then(|own| own.problems.get(name));
        let mut problems = own_problems.cloned().unwrap_or_default();
        problems.extend(own.into_iter().flat_map(|own| self.problems_elsewhere(own)));
        // Of what others say, only errors count: a warning may hold for their use of it alone.
        let others = self.checked.iter().filter(|(entry, _)| *entry != name);
        let others = others.map(|(_, checked)| checked).filter(is_current);
        for problem in others.filter_map(|checked| checked.problems.get(name)).flatten() {
            if is_error(problem) && !problems.contains(problem) {
                problems.push(problem.clone());
            }
        }
        problems
    }

    /// The errors in files that are not open, as seen from the file that builds on them.
    fn problems_elsewhere(&self, checked: &Checked) -> Vec<Diagnostic> {
        let closed =
            checked.problems.iter().filter(|(name, _)| !self.documents.contains_key(*name));
        closed
            .filter_map(|(name, problems)| {
                let errors: Vec<_> = problems.iter().filter(|problem| is_error(problem)).collect();
                let address = self.settings.wants_related.then(|| self.settings.root.uri(name));
                diagnostics::elsewhere(name, address.flatten(), &errors, checked)
            })
            .collect()
    }
}

fn is_error(problem: &Diagnostic) -> bool {
    problem.severity == Some(DiagnosticSeverity::ERROR)
}
