//! What recorded sessions say of the rules as they stand in the editor: asked in the background, of somebody who knows
//! what recordings are. Nothing here reads one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, Compiled};
use behavior_compiler::project::{Entry, entries};
use behavior_compiler::provider::LIBRARY_PREFIX;

use crate::overlay::Overlay;
use crate::text::Text;

/// How many files are looked at alone, since no config of their folder uses them.
const MAX_ALONE: usize = 8;

/// Which recorded sessions are asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sessions {
    /// Those that paths and globs name.
    Named(Vec<String>),
    /// Those that agents recorded in the project.
    OfProject,
}

/// What is asked of recorded sessions.
#[derive(Clone, Debug)]
pub struct Question {
    /// Which sessions.
    pub sessions: Sessions,
    /// The folder of the project, from which names of sessions start.
    pub root: String,
    /// The rules as they stand in the editor.
    pub now: Arc<Compiled>,
    /// The rules as they are stored, where the two differ.
    pub saved: Option<Arc<Compiled>>,
}

/// Asks whether an answer is of no use any more.
pub type IsOver<'a> = &'a (dyn Fn() -> bool + Sync);

/// Somebody who has recorded sessions and can let rules decide on them.
pub trait Recordings: Send + Sync + 'static {
    /// Lets the rules decide on all events, and tells what came of it, perhaps in several steps, each with all that is
    /// known by then. Ends early, and tells nothing any more, once `is_over` says so.
    fn look(&self, question: &Question, is_over: IsOver<'_>, tell: &mut dyn FnMut(Hindsight));

    /// Lets rules decide on a recording that is open in the editor, and returns what they say at its lines; `None` where
    /// the text is no recording, is too large, or `is_over` says so.
    fn decide(&self, text: &str, rules: &Compiled, is_over: IsOver<'_>) -> Option<Vec<Told>>;
}

/// Nobody has any.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecordings;

impl Recordings for NoRecordings {
    fn look(&self, _: &Question, _: IsOver<'_>, _: &mut dyn FnMut(Hindsight)) {}

    fn decide(&self, _: &str, _: &Compiled, _: IsOver<'_>) -> Option<Vec<Told>> {
        None
    }
}

/// What recorded sessions say of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hindsight {
    /// How many sessions were asked.
    pub sessions: u64,
    /// How many events they have.
    pub events: u64,
    /// What was left out and why, for people.
    pub notes: Vec<String>,
    /// What came of each rule, by its id.
    pub rules: BTreeMap<String, OfRule>,
    /// What came of each rule of policies, by its name.
    pub policy: BTreeMap<String, OfRule>,
    /// What was seen of each condition last.
    pub conditions: Vec<Seen>,
    /// What changes with what is not stored yet.
    pub change: Option<Change>,
    /// The tools of servers that were called.
    pub tools: BTreeSet<String>,
}

/// What came of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfRule {
    /// How often it fired, or decided.
    pub fired: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// How many calls it blocked.
    pub blocked: u64,
    /// How many calls it asked about.
    pub asked: u64,
    /// At how many events nobody could tell whether it applies.
    pub undecided: u64,
    /// Where, as far as that is kept.
    pub spots: Vec<Spot>,
    /// Of one that never fired: where it was nearest to that.
    pub miss: Option<Miss>,
}

/// A line of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The whole path of the file.
    pub path: Arc<str>,
    /// The line, from 1.
    pub line: u32,
}

/// An event at which a rule nearly fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Where.
    pub spot: Spot,
    /// The condition that kept it from firing.
    pub condition: String,
    /// What that looked at.
    pub saw: String,
}

/// What became of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The rule file that it stands in.
    pub file: String,
    /// The line there, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The condition as an expression.
    pub condition: String,
    /// How often it was asked.
    pub asked: u64,
    /// How often it held.
    pub holds: u64,
    /// The last event that it was asked of.
    pub last: Glimpse,
    /// The last event at which it decided whether its rule fires.
    pub decided: Option<Glimpse>,
}

/// What a condition looked at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// Whether it held; `None` where nobody can tell.
    pub held: Option<bool>,
    /// What it looked at, for people.
    pub saw: String,
    /// The event.
    pub spot: Spot,
}

/// What changes with an edit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// At how many events rules fire that did not.
    pub more: u64,
    /// At how many events rules no longer fire.
    pub fewer: u64,
    /// At how many events rules do something else.
    pub other: u64,
    /// How many calls are blocked that were not.
    pub blocked: u64,
    /// How many calls are no longer blocked.
    pub freed: u64,
    /// Where, as far as that is kept.
    pub spots: Vec<Spot>,
}

/// What rules say at a line of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The line, from 1.
    pub line: u32,
    /// How much it matters.
    pub weight: Weight,
    /// The rule that says so; empty where it is no single one.
    pub rule: String,
    /// What is said.
    pub text: String,
}

/// How much something matters that is told of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The call is blocked.
    Blocked,
    /// The user is asked.
    Asked,
    /// The agent is warned.
    Warned,
    /// The agent is reminded of something.
    Reminded,
    /// What is decided in the end, in a word.
    Verdict,
}

/// What was found out about rules that hold together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The moment of the texts that it is about.
    pub revision: u64,
    /// The names of the rule files.
    pub files: BTreeSet<String>,
    /// What the sessions say; `None` as long as nobody has asked them.
    pub hindsight: Option<Hindsight>,
}

/// What came of a look, so far.
#[derive(Clone, Debug)]
pub struct Looked {
    /// The moment of the texts that it is about.
    pub revision: u64,
    /// What is known of the rules of the folder.
    pub units: Vec<Arc<Unit>>,
    /// What the rules say at the lines of recordings that are open, by their names.
    pub told: BTreeMap<String, Arc<Vec<Told>>>,
}

/// What is needed to ask about the rules of a folder, all of one moment.
#[derive(Debug)]
pub struct Look<P> {
    /// The folder, empty or with its slash.
    pub folder: String,
    /// The open documents of it that may be rule files.
    pub open: Vec<String>,
    /// The files as they are.
    pub files: Overlay<P>,
    /// Which sessions are asked; `None` where there are none, or the user has not agreed.
    pub sessions: Option<Sessions>,
    /// The recordings that are open and that its rules are tried on.
    pub recordings: Vec<(String, Arc<Text>)>,
    /// The moment.
    pub revision: u64,
    /// Set once the answer is of no use any more.
    pub is_over: Arc<AtomicBool>,
}

impl<P: SourceProvider + Clone> Look<P> {
    /// Asks. Tells of each step with all that is known by then.
    pub fn run(&self, recordings: &dyn Recordings, mut tell: impl FnMut(Looked)) {
        let flag = &*self.is_over;
        let is_over = || flag.load(Ordering::Relaxed);
        let revision = self.revision;
        let rules = self.rules();
        if let Some((_, rules)) = rules.first().filter(|_| !self.recordings.is_empty()) {
            let mut told = BTreeMap::new();
            for (name, text) in &self.recordings {
                let said = recordings.decide(text.source(), rules, &is_over);
                if is_over() {
                    return;
                }
                told.insert(name.clone(), Arc::new(said.unwrap_or_default()));
            }
            tell(Looked { revision, units: Vec::new(), told });
        }
        let Some(sessions) = &self.sessions else { return };
        let mut known: Vec<Arc<Unit>> = Vec::new();
        for (entry, rules) in rules {
            if is_over() {
                return;
            }
            let files = rules.files.iter().filter(|name| !name.starts_with(LIBRARY_PREFIX));
            let unit = Unit { revision, files: files.cloned().collect(), hindsight: None };
            known.push(Arc::new(unit.clone()));
            let saved = self.saved(&entry, &rules);
            let root = self.files.root.path("");
            let question = Question { sessions: sessions.clone(), root, now: rules, saved };
            recordings.look(&question, &is_over, &mut |hindsight| {
                if let Some(last) = known.last_mut() {
                    *last = Arc::new(Unit { hindsight: Some(hindsight), ..unit.clone() });
                }
                tell(Looked { revision, units: known.clone(), told: BTreeMap::new() });
            });
        }
    }

    /// The rules of the folder that hold together, then those of open files that had no part in that, each alone.
    fn rules(&self) -> Vec<(Entry, Arc<Compiled>)> {
        let whole = entries(&self.files, &self.folder).into_iter().next();
        let mut found: Vec<(Entry, Arc<Compiled>)> = Vec::new();
        let compile = |entry: Entry| Some((entry.clone(), ide::compiled(&self.files, &entry)?));
        let alone = self.open.iter().take(MAX_ALONE).cloned().map(Entry::named);
        for entry in whole.into_iter().chain(alone) {
            let is_known = |path: &String| found.iter().any(|(_, it)| it.files.contains(path));
            if !entry.paths.is_empty() && entry.paths.iter().all(is_known) {
                continue;
            }
            let compiled = compile(entry);
            found.extend(compiled.map(|(entry, compiled)| (entry, Arc::new(compiled))));
        }
        found
    }

    /// The rules as they are stored, where that is something else.
    fn saved(&self, entry: &Entry, now: &Compiled) -> Option<Arc<Compiled>> {
        let files = &self.files;
        let mut open = now.files.iter().filter_map(|name| Some((name, files.open.get(name)?)));
        let is_changed = open.any(|(name, text)| {
            files.base.read(&files.root.path(name)).ok().as_deref() != Some(text.whole().as_bytes())
        });
        if !is_changed {
            return None;
        }
        let stored = Overlay { open: BTreeMap::new(), ..files.clone() };
        // What holds together may be something else there.
        let whole = entries(&stored, &self.folder).into_iter().next();
        let is_same = |whole: &Entry| whole.paths == entry.paths;
        let entry = whole.filter(is_same).unwrap_or_else(|| entry.clone());
        ide::compiled(&stored, &entry).map(Arc::new)
    }
}
