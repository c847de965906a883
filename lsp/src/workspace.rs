//! The open documents and what is known about them, owned by one task.
//!
//! Whatever the client says arrives here through one queue, in order. Folders are checked one at a
//! time on another thread, so that this task is always ready to answer; what comes back about texts
//! that have changed since is thrown away and asked for again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use behavior_compiler::ide::{Checks, Project, RuleFile, Store};
use behavior_compiler::problem::Problem;
use behavior_compiler::project::folder_of;
use behavior_compiler::provider::LIBRARY_PREFIX;
use behavior_compiler::source::Span;
use behavior_compiler::{SourceProvider, ide};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::{spawn_blocking, yield_now};
use tower_lsp::Client;
use tower_lsp::ls_types::{
    Diagnostic, Position, Range, TextDocumentContentChangeEvent, TextDocumentItem, Uri,
};

use crate::diagnostics::{self, Checked, Job};
use crate::overlay::Overlay;
use crate::places::Places;
use crate::settings::Settings;
use crate::text::Text;

/// A document at one moment, with all that an answer about it may need.
#[derive(Clone, Debug)]
pub struct Snapshot<P> {
    /// Its name.
    pub name: String,
    text: Arc<Text>,
    read: Arc<OnceLock<Arc<RuleFile>>>,
    /// The files as they are.
    pub files: Overlay<P>,
    /// The rule files that were read before.
    store: Arc<Store>,
    /// What client and server agreed on.
    pub settings: Settings,
    /// The names of all open documents with their versions.
    pub versions: BTreeMap<String, (Uri, i32)>,
    /// What is known to be wrong with the document as it is.
    pub problems: Arc<Vec<Problem>>,
}

impl<P: SourceProvider> Snapshot<P> {
    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The file, read by the first question about it.
    pub fn file(&self) -> &Arc<RuleFile> {
        let read = || Arc::new(RuleFile::new(self.name.as_str(), self.text.source()));
        self.read.get_or_init(read)
    }

    /// The other files.
    pub fn project(&self) -> Project<'_> {
        Project { provider: &self.files, store: &self.store }
    }

    /// The address of a file.
    pub fn uri(&self, name: &str) -> Option<Uri> {
        self.places().uri(name)
    }

    /// Places of all files.
    pub fn places(&self) -> Places<'_, P> {
        Places::new(&self.files, &self.settings, &self.versions)
    }

    /// The byte offset of a position in the document.
    pub fn offset(&self, position: Position) -> u32 {
        self.text.source_offset(position, self.settings.encoding)
    }

    /// The position of a byte offset in the document.
    pub fn position(&self, offset: u32) -> Position {
        self.text.range(offset, offset, self.settings.encoding).start
    }

    /// The range of a span of the document.
    pub fn range(&self, span: Span) -> Range {
        self.text.range(span.start, span.end, self.settings.encoding)
    }
}

/// All files at one moment, where no document is asked about.
#[derive(Clone, Debug)]
pub struct Whole<P> {
    /// The files as they are.
    pub files: Overlay<P>,
    store: Arc<Store>,
    /// What client and server agreed on.
    pub settings: Settings,
    /// The folders of open documents, and the workspace's own.
    pub folders: BTreeSet<String>,
    /// The names of all open documents with their versions.
    pub versions: BTreeMap<String, (Uri, i32)>,
}

impl<P: SourceProvider> Whole<P> {
    /// The files.
    pub fn project(&self) -> Project<'_> {
        Project { provider: &self.files, store: &self.store }
    }
}

/// What is wrong with a file: its address, its version where it is open, and the problems.
pub type Report = (Uri, Option<i32>, Vec<Diagnostic>);

/// Something for the owner to do.
#[derive(Debug)]
pub enum Command<P> {
    /// The session starts.
    Start(Box<Settings>),
    /// A document was opened.
    Open(TextDocumentItem),
    /// A document was changed.
    Change { uri: Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent> },
    /// A document was closed.
    Close(Uri),
    /// Files on disk changed.
    FilesChanged,
    /// The workspace has other folders.
    FoldersChanged { added: Vec<Uri>, removed: Vec<Uri> },
    /// A check has ended; without an outcome where it failed.
    Checked { folder: String, outcome: Option<Box<(Checked, Checks)>> },
    /// A request needs a document as it is now; there is no answer where it is not open.
    Look { uri: Uri, answer: oneshot::Sender<Snapshot<P>> },
    /// A request needs all files as they are now.
    LookAll { answer: oneshot::Sender<Whole<P>> },
    /// A request waits for what is wrong with a document.
    Diagnose { uri: Uri, answer: oneshot::Sender<Vec<Diagnostic>> },
    /// A request waits for what is wrong with everything.
    DiagnoseAll { answer: oneshot::Sender<Vec<Report>> },
}

#[derive(Debug)]
struct Document {
    uri: Uri,
    version: i32,
    /// The moment of its last change.
    revision: u64,
    text: Arc<Text>,
    /// The text as requests read it, once one has.
    read: Arc<OnceLock<Arc<RuleFile>>>,
    is_candidate: bool,
}

/// The owner of all state.
pub struct Workspace<P> {
    client: Client,
    provider: P,
    settings: Settings,
    commands: UnboundedSender<Command<P>>,
    documents: BTreeMap<String, Document>,
    store: Arc<Store>,
    /// What checks found; away while one runs.
    checks: Checks,
    /// Counts changes.
    now: u64,
    /// The folders to check, the most urgent last.
    due: Vec<String>,
    /// The folder that is being checked.
    running: Option<String>,
    checked: BTreeMap<String, Checked>,
    /// What the client was told last.
    published: BTreeMap<String, (Option<i32>, Vec<Diagnostic>)>,
    /// Who waits for what is wrong with a document.
    waiting: Vec<(String, oneshot::Sender<Vec<Diagnostic>>)>,
    waiting_for_all: Vec<oneshot::Sender<Vec<Report>>>,
    /// Whether the client asks for what is wrong with all files, be they open or not.
    pulls_all: bool,
    /// The files with which something was wrong when it last asked for all.
    reported: BTreeSet<String>,
}

impl<P: SourceProvider + Clone + Send + Sync + 'static> Workspace<P> {
    pub fn new(client: Client, provider: P, commands: UnboundedSender<Command<P>>) -> Self {
        Self {
            client,
            provider,
            settings: Settings::default(),
            commands,
            documents: BTreeMap::new(),
            store: Arc::default(),
            checks: Checks::default(),
            now: 0,
            due: Vec::new(),
            running: None,
            checked: BTreeMap::new(),
            published: BTreeMap::new(),
            waiting: Vec::new(),
            waiting_for_all: Vec::new(),
            pulls_all: false,
            reported: BTreeSet::new(),
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
            self.answer_waiting();
        }
    }

    async fn apply(&mut self, command: Command<P>) {
        match command {
            Command::Start(settings) => self.settings = *settings,
            Command::Open(document) => self.open(document).await,
            Command::Change { uri, version, changes } => self.change(&uri, version, changes),
            Command::Close(uri) => self.close(&uri).await,
            Command::FilesChanged => self.all_due(),
            Command::FoldersChanged { added, removed } => self.change_folders(&added, &removed),
            Command::Checked { folder, outcome } => self.finish_check(folder, outcome).await,
            Command::Look { uri, answer } => self.look(&uri, answer),
            Command::LookAll { answer } => self.look_at_all(answer),
            Command::Diagnose { uri, answer } => {
                let name = self.settings.root.name(&uri);
                self.waiting.push((name, answer));
            }
            Command::DiagnoseAll { answer } => {
                self.want_own_folders();
                self.waiting_for_all.push(answer);
                self.tell_no_more().await;
            }
        }
    }

    /// Takes back what the client was told: it asks now, and would show both.
    async fn tell_no_more(&mut self) {
        self.pulls_all = true;
        if !self.settings.pulls {
            return;
        }
        for (name, (_, told)) in std::mem::take(&mut self.published) {
            let Some(uri) = self.settings.root.uri(&name) else { continue };
            if !told.is_empty() {
                self.client.publish_diagnostics(uri, Vec::new(), None).await;
            }
        }
    }

    async fn open(&mut self, item: TextDocumentItem) {
        self.now += 1;
        let name = self.settings.root.name(&item.uri);
        let document = Document {
            uri: item.uri,
            version: item.version,
            revision: self.now,
            is_candidate: is_candidate(&name, &item.text),
            text: Arc::new(Text::new(item.text)),
            read: Arc::default(),
        };
        let uri = document.uri.clone();
        self.documents.insert(name.clone(), document);
        let told = self.published.remove(&name).is_some_and(|(_, told)| !told.is_empty());
        if told && self.settings.pulls {
            // From now on the client asks, and would show beside the answer what it was told before.
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
        // A file that others looked for in vain may be there now.
        self.all_due();
        self.make_due(folder_of(&name).to_owned());
    }

    fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
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
        document.is_candidate = is_candidate(&name, document.text.source());
        let asked = self.checked.iter().filter(|(_, checked)| checked.asked.contains(&name));
        let concerned: Vec<String> = asked.map(|(folder, _)| folder.clone()).collect();
        concerned.into_iter().for_each(|folder| self.make_due(folder));
        self.make_due(folder_of(&name).to_owned());
    }

    async fn close(&mut self, uri: &Uri) {
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.remove(&name) else { return };
        self.now += 1;
        if self.published.remove(&name).is_some_and(|(_, told)| !told.is_empty()) {
            self.client.publish_diagnostics(document.uri, Vec::new(), None).await;
        }
        // Of a folder that nobody works in, nothing is told any more.
        let folder = folder_of(&name).to_owned();
        self.all_due();
        if !self.is_wanted(&folder) {
            self.due.retain(|due| *due != folder);
            let before = self.checked.remove(&folder);
            for name in before.into_iter().flat_map(|before| before.problems.into_keys()) {
                self.publish(&name).await;
            }
        }
    }

    /// Whether a folder is one of an open document that may be a rule file.
    fn is_wanted(&self, folder: &str) -> bool {
        let mut candidates = self.documents.iter().filter(|(_, document)| document.is_candidate);
        candidates.any(|(name, _)| folder_of(name) == folder)
    }

    fn all_due(&mut self) {
        let names: Vec<String> = self.documents.keys().cloned().collect();
        let folders: BTreeSet<String> =
            names.iter().map(|name| folder_of(name).to_owned()).collect();
        let known: Vec<String> = self.checked.keys().cloned().collect();
        folders.into_iter().chain(known).for_each(|folder| self.make_due(folder));
    }

    /// Has the workspace's own folders checked, be none of their files open.
    fn want_own_folders(&mut self) {
        for folder in self.settings.folders.clone() {
            if !self.checked.contains_key(&folder) && self.running.as_ref() != Some(&folder) {
                self.due.retain(|due| *due != folder);
                self.due.push(folder);
            }
        }
    }

    /// Takes folders into the workspace, and others out of it.
    fn change_folders(&mut self, added: &[Uri], removed: &[Uri]) {
        let root = &self.settings.root;
        let removed: Vec<String> = removed.iter().map(|uri| root.folder(uri)).collect();
        let added = added.iter().map(|uri| root.folder(uri));
        let kept = self.settings.folders.iter().filter(|folder| !removed.contains(folder)).cloned();
        self.settings.folders = kept.chain(added).collect();
    }

    /// Makes a folder the next one to be checked, if there is anything to check in it.
    fn make_due(&mut self, folder: String) {
        if self.is_wanted(&folder) || self.checked.contains_key(&folder) {
            self.due.retain(|due| *due != folder);
            self.due.push(folder);
        }
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

    fn versions(&self) -> BTreeMap<String, (Uri, i32)> {
        let all = self.documents.iter();
        all.map(|(name, document)| (name.clone(), (document.uri.clone(), document.version)))
            .collect()
    }

    fn look(&self, uri: &Uri, answer: oneshot::Sender<Snapshot<P>>) {
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.get(&name) else { return };
        let (text, read) = (Arc::clone(&document.text), Arc::clone(&document.read));
        let is_current = |checked: &&Checked| checked.revision >= document.revision;
        let current = self.checked.values().filter(is_current);
        let problems = current.filter_map(|checked| checked.found.get(&name)).flatten();
        let problems = Arc::new(problems.cloned().collect());
        let (files, settings) = (self.files(), self.settings.clone());
        let (store, versions) = (Arc::clone(&self.store), self.versions());
        let snapshot = Snapshot { name, text, read, files, store, settings, versions, problems };
        // Whoever asked may have gone.
        let _ = answer.send(snapshot);
    }

    fn look_at_all(&self, answer: oneshot::Sender<Whole<P>>) {
        let folders = self.documents.keys().map(|name| folder_of(name).to_owned());
        let whole = Whole {
            files: self.files(),
            store: Arc::clone(&self.store),
            settings: self.settings.clone(),
            folders: folders.chain(self.settings.folders.iter().cloned()).collect(),
            versions: self.versions(),
        };
        let _ = answer.send(whole);
    }

    fn start_check(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(folder) = self.due.pop() else { return };
        let candidates = self.documents.iter().filter(|(_, document)| document.is_candidate);
        let own = candidates.map(|(name, _)| name).filter(|name| folder_of(name) == folder);
        let addresses = self.documents.iter();
        let addresses = addresses.map(|(name, document)| (name.clone(), document.uri.clone()));
        let job = Job {
            folder: folder.clone(),
            open: own.cloned().collect(),
            files: self.files(),
            addresses: addresses.collect(),
            settings: self.settings.clone(),
            revision: self.now,
        };
        self.running = Some(folder.clone());
        let commands = self.commands.clone();
        let mut checks = std::mem::take(&mut self.checks);
        tokio::spawn(async move {
            let work = move || Box::new((diagnostics::run(&job, &mut checks), checks));
            let outcome = spawn_blocking(work).await.ok();
            // Where nobody listens any more, nobody needs to know.
            let _ = commands.send(Command::Checked { folder, outcome });
        });
    }

    async fn finish_check(&mut self, folder: String, outcome: Option<Box<(Checked, Checks)>>) {
        self.running = None;
        let Some(outcome) = outcome else { return };
        let (mut checked, checks) = *outcome;
        self.checks = checks;
        // Reading a large file takes long, and the first question about it should not wait for that.
        for file in std::mem::take(&mut checked.read) {
            let document = self.documents.get(file.name());
            if let Some(document) = document.filter(|it| it.revision <= checked.revision) {
                // A question may have come first.
                let _ = document.read.set(Arc::new(file));
            }
        }
        let documents = &self.documents;
        let is_newer = |name: &String| {
            documents.get(name).is_some_and(|document| document.revision > checked.revision)
        };
        if checked.asked.iter().any(is_newer) {
            self.make_due(folder);
            return;
        }
        let mut concerned: BTreeSet<String> = checked.problems.keys().cloned().collect();
        let own = self.documents.keys().filter(|name| folder_of(name) == folder);
        concerned.extend(own.cloned());
        if let Some(before) = self.checked.insert(folder.clone(), checked) {
            concerned.extend(before.problems.into_keys());
        }
        for name in concerned {
            self.publish(&name).await;
        }
        if self.settings.pulls && !self.is_asked() {
            // A client that does not answer shows what it knows.
            let client = self.client.clone();
            tokio::spawn(async move { drop(client.workspace_diagnostic_refresh().await) });
        }
        let folders: BTreeSet<&str> = self.checked.keys().map(String::as_str).collect();
        self.checks.forget(|entry| {
            let mut files = entry.paths.iter().chain(&entry.policies);
            files.any(|path| folders.contains(folder_of(path)))
        });
    }

    /// Tells the client what is known about a file, if that is news.
    async fn publish(&mut self, name: &str) {
        if name.starts_with(LIBRARY_PREFIX) {
            return;
        }
        let document = self.documents.get(name);
        let Some(problems) = self.problems(name) else { return };
        let version = document.map(|document| document.version);
        let is_known = match self.published.get(name) {
            Some((told_version, told)) => *told_version == version && *told == problems,
            None => problems.is_empty() && (document.is_none() || !self.took_part(name)),
        };
        let address = document.map(|document| document.uri.clone());
        let Some(uri) = address.or_else(|| self.settings.root.uri(name)) else { return };
        if is_known || self.settings.pulls && (self.pulls_all || document.is_some()) {
            return;
        }
        match document.is_none() && problems.is_empty() {
            true => drop(self.published.remove(name)),
            false => drop(self.published.insert(name.to_owned(), (version, problems.clone()))),
        }
        self.client.publish_diagnostics(uri, problems, version).await;
    }

    /// Whether somebody waits for problems anyway.
    fn is_asked(&self) -> bool {
        !self.waiting.is_empty() || !self.waiting_for_all.is_empty()
    }

    fn took_part(&self, name: &str) -> bool {
        self.checked.values().any(|checked| checked.problems.contains_key(name))
    }

    /// What all checks say about a file as it is now; nothing where one of them is older than that.
    fn problems(&self, name: &str) -> Option<Vec<Diagnostic>> {
        let revision = self.documents.get(name).map_or(0, |document| document.revision);
        let mut problems: Vec<Diagnostic> = Vec::new();
        for checked in self.checked.values() {
            let Some(found) = checked.problems.get(name) else { continue };
            if checked.revision < revision {
                return None;
            }
            for problem in found {
                if !problems.contains(problem) {
                    problems.push(problem.clone());
                }
            }
        }
        Some(problems)
    }

    /// Answers those who wait for problems, once everything that they may depend on is checked.
    fn answer_waiting(&mut self) {
        if self.running.is_some() || !self.due.is_empty() {
            return;
        }
        for (name, answer) in std::mem::take(&mut self.waiting) {
            let _ = answer.send(self.problems(&name).unwrap_or_default());
        }
        if self.waiting_for_all.is_empty() {
            return;
        }
        let known = self.checked.values().flat_map(|checked| checked.problems.keys());
        // A client keeps what it knows of a file of which nothing is said any more.
        let all: BTreeSet<&String> = known.chain(&self.reported).collect();
        let report = |name: &String| {
            let document = self.documents.get(name);
            let address = document.map(|document| document.uri.clone());
            let uri = address.or_else(|| self.settings.root.uri(name))?;
            let version = document.map(|document| document.version);
            Some((name.clone(), (uri, version, self.problems(name).unwrap_or_default())))
        };
        let reports: Vec<(String, Report)> = all
            .into_iter()
            .filter(|name| !name.starts_with(LIBRARY_PREFIX))
            .filter_map(report)
            .collect();
        let wrong = reports.iter().filter(|(_, (.., problems))| !problems.is_empty());
        self.reported = wrong.map(|(name, _)| name.clone()).collect();
        let reports: Vec<Report> = reports.into_iter().map(|(_, report)| report).collect();
        for answer in std::mem::take(&mut self.waiting_for_all) {
            let _ = answer.send(reports.clone());
        }
    }
}

/// Whether a document may be a rule file of somebody's own.
fn is_candidate(name: &str, text: &str) -> bool {
    !name.starts_with(LIBRARY_PREFIX) && ide::may_be_rule_file(name, text)
}
