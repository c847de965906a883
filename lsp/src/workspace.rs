//! The open documents and what is known about them, owned by one task.
//!
//! Whatever the client says arrives here through one queue, in order. Folders are checked one at a
//! time on another thread, so that this task is always ready to answer; what comes back about texts
//! that have changed since is thrown away and asked for again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use behavior_compiler::ide::{Checks, Project, RuleFile, Store};
use behavior_compiler::problem::Problem;
use behavior_compiler::project::{folder_of, has_config};
use behavior_compiler::provider::LIBRARY_PREFIX;
use behavior_compiler::source::Span;
use behavior_compiler::{SourceProvider, ide};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::task::{spawn_blocking, yield_now};
use tower_lsp::Client;
use tower_lsp::ls_types::{
    Diagnostic, MessageActionItem, MessageType, Position, ProgressToken, Range,
    TextDocumentContentChangeEvent, TextDocumentItem, Uri,
};

use crate::diagnostics::{self, Checked, Job};
use crate::hindsight::{Look, Looked, Recordings, Sessions, Told, Unit};
use crate::opened;
use crate::overlay::Overlay;
use crate::places::Places;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::text::Text;

/// A document at one moment, with all that an answer about it may need.
#[derive(Clone, Debug)]
pub struct Snapshot<P> {
    /// Its name.
    pub name: String,
    text: Arc<Text>,
    read: Arc<Reading>,
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
    /// What is known of the rules of the document, perhaps as they were some edits ago.
    unit: Option<Arc<Unit>>,
    /// The moment of the document's last change.
    revision: u64,
    /// Whether it may be a recorded session.
    pub is_recording: bool,
    /// Of one, what rules say at its lines.
    pub told: Arc<Vec<Told>>,
}

impl<P: SourceProvider> Snapshot<P> {
    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The file, read by the first question about it.
    pub fn file(&self) -> &Arc<RuleFile> {
        self.read.file(&self.name, self.text.source())
    }

    /// The other files.
    pub fn project(&self) -> Project<'_> {
        Project { provider: &self.files, store: &self.store }
    }

    /// What is known of the rules of the document, perhaps as they were some edits ago.
    pub fn unit(&self) -> Option<Arc<Unit>> {
        self.unit.clone()
    }

    /// What is known of the rules of the document as it is: places in it are those of the text.
    pub fn current_unit(&self) -> Option<Arc<Unit>> {
        self.unit.clone().filter(|unit| unit.revision >= self.revision)
    }

    /// Whether the document is something else than what is stored.
    pub fn is_unsaved(&self) -> bool {
        let stored = self.files.base.read(&self.files.root.path(&self.name));
        stored.ok().as_deref() != Some(self.text.whole().as_bytes())
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
    /// A document was stored.
    Saved,
    /// The user was asked whether the sessions of the project may be read.
    Agreed(bool),
    /// Recorded sessions were asked about the rules of a folder, or were not to be any more.
    Looked { folder: String, looked: Looked },
    /// Nobody asks them any more.
    LookedLast { folder: String, was_over: bool },
    /// The workspace has other folders.
    FoldersChanged { added: Vec<Uri>, removed: Vec<Uri> },
    /// A check has ended; without an outcome where it failed.
    Checked { folder: String, outcome: Option<Box<(Checked, Checks)>> },
    /// A request needs a document as it is now; there is no answer where it is not open, or a recording and the
    /// request is none about those.
    Look { uri: Uri, takes_recordings: bool, answer: oneshot::Sender<Snapshot<P>> },
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
    read: Arc<Reading>,
    is_candidate: bool,
    /// Whether it may be a recorded session.
    is_recording: bool,
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
    recordings: Arc<dyn Recordings>,
    consent: Consent,
    /// What is known of the rules of each folder.
    units: BTreeMap<String, Vec<Arc<Unit>>>,
    /// What rules say at the lines of recordings that are open, and the moment that this is about.
    told: BTreeMap<String, (u64, Arc<Vec<Told>>)>,
    /// What was left out of the sessions, as it was said last.
    notes: Vec<String>,
    /// The folders whose rules are to be tried on recorded sessions, the most urgent last.
    due_looks: Vec<String>,
    /// Set to end the look that runs.
    looking: Option<Arc<AtomicBool>>,
    /// How many looks the client was told of.
    looks: u64,
    /// The folders below the workspace's own that have a config, once they were looked for.
    below: Option<Vec<String>>,
}

/// Whether recorded sessions may be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Consent {
    /// The user was not asked yet.
    #[default]
    Open,
    /// The user is being asked, or said no.
    Withheld,
    /// The user said so, or named them.
    Given,
}

/// How deep below the workspace's folders others with a config are looked for, and in how many.
const MAX_DEPTH: u32 = 3;
const MAX_FOLDERS: usize = 400;
/// Folders that hold what others have written.
const PASSED_OVER: &[&str] = &["node_modules", "target", "vendor", "dist", "build", "venv"];

/// What is shown while rules are tried.
const TRYING: &str = "Trying the rules on recorded sessions";

/// What the user is asked before sessions are looked for.
const MAY_READ: &str = "May `behavior` read the recorded sessions of this project's agents, to show what each rule would \
                        have done in them? They are read on this machine, and nothing of them is sent anywhere.";
const YES: &str = "Read them";
const NO: &str = "Not now";

impl<P: SourceProvider + Clone + Send + Sync + 'static> Workspace<P> {
    pub fn new(
        client: Client,
        provider: P,
        recordings: Arc<dyn Recordings>,
        commands: UnboundedSender<Command<P>>,
    ) -> Self {
        Self {
            recordings,
            consent: Consent::default(),
            units: BTreeMap::new(),
            told: BTreeMap::new(),
            notes: Vec::new(),
            due_looks: Vec::new(),
            looking: None,
            looks: 0,
            below: None,
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
            self.start_look();
        }
    }

    async fn apply(&mut self, command: Command<P>) {
        match command {
            Command::Start(settings) => self.settings = *settings,
            Command::Open(document) => self.open(document).await,
            Command::Change { uri, version, changes } => self.change(&uri, version, changes),
            Command::Close(uri) => self.close(&uri).await,
            Command::FilesChanged => {
                self.below = None;
                self.all_due();
            }
            Command::Saved => self.look_again(),
            Command::Agreed(has_agreed) => {
                self.consent = if has_agreed { Consent::Given } else { Consent::Withheld };
                self.look_again();
            }
            Command::Looked { folder, looked } => self.take(folder, looked).await,
            Command::LookedLast { folder, was_over } => {
                self.looking = None;
                if was_over {
                    self.make_look_due(folder);
                }
            }
            Command::FoldersChanged { added, removed } => self.change_folders(&added, &removed),
            Command::Checked { folder, outcome } => self.finish_check(folder, outcome).await,
            Command::Look { uri, takes_recordings, answer } => {
                self.look(&uri, takes_recordings, answer);
            }
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
        self.end_look();
        let name = self.settings.root.name(&item.uri);
        let document = Document {
            uri: item.uri,
            version: item.version,
            revision: self.now,
            is_candidate: is_candidate(&name, &item.text),
            is_recording: is_recording(&name, &item.text),
            text: Arc::new(Text::new(item.text)),
            read: Arc::default(),
        };
        let uri = document.uri.clone();
        if let Some(word) = passed_over(&name) {
            self.client.show_message(MessageType::INFO, word).await;
        }
        self.documents.insert(name.clone(), document);
        let told = self.published.remove(&name).is_some_and(|(_, told)| !told.is_empty());
        if told && self.settings.pulls {
            // From now on the client asks, and would show beside the answer what it was told before.
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
        // A file that others looked for in vain may be there now.
        self.all_due();
        self.make_due(folder_of(&name).to_owned());
        if self.documents.get(&name).is_some_and(|document| document.is_recording) {
            self.make_look_due(self.folder_of_recording(&name));
        }
    }

    fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        self.end_look();
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.get_mut(&name) else { return };
        self.now += 1;
        let text = Arc::make_mut(&mut document.text);
        for change in changes {
            text.apply(change, self.settings.encoding);
        }
        document.read = Arc::new(Reading::after(std::mem::take(&mut document.read)));
        document.version = version;
        document.revision = self.now;
        document.is_candidate = is_candidate(&name, document.text.source());
        document.is_recording = is_recording(&name, document.text.source());
        let is_recording = document.is_recording;
        let asked = self.checked.iter().filter(|(_, checked)| checked.asked.contains(&name));
        let concerned: Vec<String> = asked.map(|(folder, _)| folder.clone()).collect();
        concerned.into_iter().for_each(|folder| self.make_due(folder));
        self.make_due(folder_of(&name).to_owned());
        if is_recording {
            self.make_look_due(self.folder_of_recording(&name));
        }
    }

    async fn close(&mut self, uri: &Uri) {
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.remove(&name) else { return };
        self.now += 1;
        self.told.remove(&name);
        if self.published.remove(&name).is_some_and(|(_, told)| !told.is_empty()) {
            self.client.publish_diagnostics(document.uri, Vec::new(), None).await;
        }
        // Of a folder that nobody works in, nothing is told any more.
        let folder = folder_of(&name).to_owned();
        self.all_due();
        if !self.is_wanted(&folder) {
            self.due.retain(|due| *due != folder);
            self.units.remove(&folder);
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
        let own = self.settings.folders.clone();
        let below = match self.below.take() {
            Some(below) => below,
            None => own.iter().flat_map(|folder| self.projects_below(folder)).collect(),
        };
        self.below = Some(below.clone());
        for folder in below.into_iter().chain(own) {
            if !self.checked.contains_key(&folder) && self.running.as_ref() != Some(&folder) {
                self.due.retain(|due| *due != folder);
                self.due.push(folder);
            }
        }
    }

    /// The folders below one that have a config of their own, as far as they are looked for.
    fn projects_below(&self, folder: &str) -> Vec<String> {
        let files = self.files();
        let mut found = Vec::new();
        let mut open = VecDeque::from([(folder.to_owned(), 0)]);
        let mut looked_at = 0;
        while let Some((folder, depth)) = open.pop_front() {
            if depth > 0 && has_config(&files, &folder) {
                found.push(folder.clone());
            }
            if depth == MAX_DEPTH || looked_at == MAX_FOLDERS {
                continue;
            }
            looked_at += 1;
            // What is listed may be a file: that has nothing below it.
            let names = files.list(folder.trim_end_matches('/')).into_iter();
            let inner = names.filter(|name| !name.contains('.') && !PASSED_OVER.contains(&&**name));
            open.extend(inner.map(|name| (format!("{folder}{name}/"), depth + 1)));
        }
        found
    }

    /// Takes folders into the workspace, and others out of it.
    fn change_folders(&mut self, added: &[Uri], removed: &[Uri]) {
        self.below = None;
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

    fn look(&self, uri: &Uri, takes_recordings: bool, answer: oneshot::Sender<Snapshot<P>>) {
        let name = self.settings.root.name(uri);
        let Some(document) = self.documents.get(&name) else { return };
        // To read a recording as if it were a rule file takes long, and nothing comes of it.
        if document.is_recording && !takes_recordings {
            return;
        }
        let told = self.told.get(&name).filter(|(revision, _)| *revision >= document.revision);
        let told = told.map(|(_, told)| Arc::clone(told)).unwrap_or_default();
        let (text, read) = (Arc::clone(&document.text), Arc::clone(&document.read));
        let is_current = |checked: &&Checked| checked.revision >= document.revision;
        let current = self.checked.values().filter(is_current);
        let problems = current.filter_map(|checked| checked.found.get(&name)).flatten();
        let problems = Arc::new(problems.cloned().collect());
        let (files, settings) = (self.files(), self.settings.clone());
        let (store, versions) = (Arc::clone(&self.store), self.versions());
        let units = self.units.values().flatten();
        let unit = units.filter(|unit| unit.files.contains(&name));
        let unit = unit.max_by_key(|unit| unit.revision).map(Arc::clone);
        let revision = document.revision;
        let snapshot = Snapshot {
            name,
            text,
            read,
            files,
            store,
            settings,
            versions,
            problems,
            unit,
            revision,
            is_recording: document.is_recording,
            told,
        };
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
                document.read.note(file);
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
        self.make_look_due(folder);
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

    /// Ends the look that runs: what it finds out is about texts that are not there any more.
    fn end_look(&self) {
        if let Some(is_over) = &self.looking {
            is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Has rules tried on recorded sessions, if there is anything to try them on.
    fn make_look_due(&mut self, folder: String) {
        let is_asked = self.settings.options.sessions().is_some() && self.is_wanted(&folder);
        if is_asked || !self.recordings_of(&folder).is_empty() {
            self.due_looks.retain(|due| *due != folder);
            self.due_looks.push(folder);
        }
    }

    /// The folder whose rules are tried on a recording that is open: the innermost one around it that somebody works
    /// in, else the first of the workspace.
    fn folder_of_recording(&self, name: &str) -> String {
        let candidates = self.documents.iter().filter(|(_, document)| document.is_candidate);
        let worked_in = candidates.map(|(name, _)| folder_of(name));
        let all = worked_in.chain(self.settings.folders.iter().map(String::as_str));
        let around = all.filter(|folder| name.starts_with(folder)).max_by_key(|it| it.len());
        let first = || self.settings.folders.first().map_or("", String::as_str);
        around.unwrap_or_else(first).to_owned()
    }

    /// The recordings that are open and that the rules of a folder are tried on.
    fn recordings_of(&self, folder: &str) -> Vec<(String, Arc<Text>)> {
        let open = self.documents.iter().filter(|(_, document)| document.is_recording);
        let own = open.filter(|(name, _)| self.folder_of_recording(name) == folder);
        own.map(|(name, document)| (name.clone(), Arc::clone(&document.text))).collect()
    }

    /// Has all rules tried again.
    fn look_again(&mut self) {
        self.end_look();
        let known = self.checked.keys().chain(self.units.keys());
        let folders: BTreeSet<String> = known.cloned().collect();
        folders.into_iter().for_each(|folder| self.make_look_due(folder));
    }

    /// Which sessions may be read now. Where the user has to be asked first, that is begun.
    fn sessions(&mut self) -> Option<Sessions> {
        let sessions = self.settings.options.sessions()?;
        match (&sessions, self.consent) {
            // Who names them has agreed.
            (Sessions::Named(_), _) | (Sessions::OfProject, Consent::Given) => Some(sessions),
            (Sessions::OfProject, Consent::Withheld) => None,
            (Sessions::OfProject, Consent::Open) => {
                self.consent = Consent::Withheld;
                let (client, commands) = (self.client.clone(), self.commands.clone());
                tokio::spawn(async move {
                    let choice = |title: &str| MessageActionItem {
                        title: title.to_owned(),
                        properties: std::collections::HashMap::new(),
                    };
                    let choices = Some(vec![choice(YES), choice(NO)]);
                    let answer =
                        client.show_message_request(MessageType::INFO, MAY_READ, choices).await;
                    let has_agreed =
                        answer.ok().flatten().is_some_and(|chosen| chosen.title == YES);
                    let _ = commands.send(Command::Agreed(has_agreed));
                });
                None
            }
        }
    }

    /// Tries the rules of a folder on recorded sessions, once nothing is to be checked any more.
    fn start_look(&mut self) {
        if self.looking.is_some() || self.running.is_some() || !self.due.is_empty() {
            return;
        }
        let Some(folder) = self.due_looks.pop() else { return };
        let recordings = self.recordings_of(&folder);
        // Without rules that somebody looks at, nobody looks at what they do.
        let sessions = if self.is_wanted(&folder) { self.sessions() } else { None };
        if sessions.is_none() && recordings.is_empty() {
            return;
        }
        let candidates = self.documents.iter().filter(|(_, document)| document.is_candidate);
        let own = candidates.map(|(name, _)| name).filter(|name| folder_of(name) == folder);
        let is_over = Arc::new(AtomicBool::new(false));
        let look = Look {
            folder: folder.clone(),
            open: own.cloned().collect(),
            files: self.files(),
            sessions,
            recordings,
            revision: self.now,
            is_over: Arc::clone(&is_over),
        };
        self.looking = Some(Arc::clone(&is_over));
        let (commands, recordings) = (self.commands.clone(), Arc::clone(&self.recordings));
        let shown = self.settings.shows_progress.then(|| self.show_progress());
        tokio::spawn(async move {
            let told = commands.clone();
            let about = folder.clone();
            let work = move || {
                look.run(&*recordings, |looked| {
                    let _ = told.send(Command::Looked { folder: about.clone(), looked });
                });
            };
            // Where it fails, no lens says anything, which is no reason to stop.
            drop(spawn_blocking(work).await);
            drop(shown);
            let was_over = is_over.load(Ordering::Relaxed);
            let _ = commands.send(Command::LookedLast { folder, was_over });
        });
    }

    /// Has the client show that sessions are being asked, until what is returned is dropped. A client that does not
    /// answer keeps nobody from that.
    fn show_progress(&mut self) -> oneshot::Sender<()> {
        let (ended, over) = oneshot::channel();
        self.looks += 1;
        let token = ProgressToken::String(format!("behavior/sessions/{}", self.looks));
        let client = self.client.clone();
        tokio::spawn(async move {
            if client.create_work_done_progress(token.clone()).await.is_ok() {
                let shown = client.progress(token, TRYING).begin().await;
                let _ = over.await;
                shown.finish().await;
            }
        });
        ended
    }

    /// Keeps what is known of rules. Where they have errors, that is what was known before.
    async fn take(&mut self, folder: String, looked: Looked) {
        let Looked { revision, units, told } = looked;
        let names: Vec<String> = told.keys().cloned().collect();
        for (name, told) in told {
            self.told.insert(name, (revision, told));
        }
        for name in &names {
            self.publish(name).await;
        }
        let client = self.client.clone();
        // A client that does not answer shows what it knows.
        if self.settings.pulls && !names.is_empty() {
            let client = client.clone();
            tokio::spawn(async move { drop(client.workspace_diagnostic_refresh().await) });
        }
        if self.settings.refreshes_hints && !names.is_empty() {
            let client = client.clone();
            tokio::spawn(async move { drop(client.inlay_hint_refresh().await) });
        }
        if !units.iter().any(|unit| unit.hindsight.is_some()) {
            return;
        }
        let hindsight = units.iter().filter_map(|unit| unit.hindsight.as_ref());
        for one in hindsight.clone() {
            self.store.note_tools(one.tools.iter().cloned());
        }
        let notes: Vec<String> = hindsight.flat_map(|it| it.notes.iter().cloned()).collect();
        if notes != self.notes {
            for note in &notes {
                client.log_message(MessageType::INFO, note).await;
            }
            self.notes = notes;
        }
        self.units.insert(folder, units);
        if self.settings.refreshes_lenses {
            tokio::spawn(async move { drop(client.code_lens_refresh().await) });
        }
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
        let document = self.documents.get(name);
        let told = self.told.get(name).filter(|(told, _)| *told >= revision);
        if let Some((document, (_, told))) = document.zip(told) {
            problems.extend(opened::diagnostics(&document.text, told, self.settings.encoding));
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

/// What is said of a file that is called nearly as a rule file is, and is none for that.
fn passed_over(name: &str) -> Option<String> {
    let mut parts = name.rsplit('/');
    let (file, folder) = (parts.next()?, parts.next());
    let stem = file.strip_suffix(".yml").filter(|stem| !stem.contains('.'))?;
    let is_near = stem == "behavior" || folder == Some("behavior");
    is_near.then(|| format!("`{file}` is not read as rules: call it `{stem}.yaml`"))
}

/// Whether a document may be a rule file of somebody's own.
fn is_candidate(name: &str, text: &str) -> bool {
    !name.starts_with(LIBRARY_PREFIX) && ide::may_be_rule_file(name, text)
}

/// The endings of the names of recordings.
const RECORDINGS: [&str; 4] = [".jsonl", ".json", ".agentlog", ".traj"];

/// Whether a document may be a recorded session.
fn is_recording(name: &str, text: &str) -> bool {
    RECORDINGS.iter().any(|ending| name.ends_with(ending)) && !is_candidate(name, text)
}
