//! What a rule may ask of the world outside the session: files and the time. An embedder answers
//! from the real world, a simulation from what the trace tells; "not known" is an answer.

use std::sync::Arc;

use behavior_image::Image;

use crate::decision::constitution::Refusal;
use behavior_facts::event::{Call, FileFact};
use behavior_facts::path;
use behavior_facts::recorded_files::RecordedFiles;
use behavior_facts::recorded_texts::RecordedTexts;
use behavior_facts::truth::Truth;

pub use behavior_facts::fingerprint::Fingerprint;

/// What a user has allowed of what a rule stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What tells it from others.
    pub id: String,
    /// Who gave it.
    pub by: String,
    /// What it is for, for people: `once`, `session`, …
    pub scope: String,
    /// A path glob that all files that the call touches must match; `None` where the grant is for this very
    /// call.
    pub paths: Option<String>,
}

/// Answers questions about the world. Paths are lexically normalised and, where the session's
/// working directory is known, absolute.
pub trait Host {
    /// Whether something exists at `path`; `None` when that is not known.
    fn exists(&mut self, path: &str) -> Option<bool>;
    /// Whether a command can make `path` its working directory; `None` when that is not known.
    fn is_directory(&mut self, path: &str) -> Option<bool> {
        self.exists(path)
    }
    /// The fingerprint of the file at `path`; `None` when it is not known.
    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint>;
    /// The canonical form of `path`; `None` when it is not known, and the path then stands for itself.
    fn canonical(&mut self, path: &str) -> Option<String>;
    /// Milliseconds since the epoch; `None` when it is not known.
    fn now(&mut self) -> Option<i64>;
    /// The text of the document `name` that the project keeps for the agent, else of the user's;
    /// `None` when there is none. With `blank_counts`, a blank one of the project hides the user's,
    /// see [`crate::document::choose`].
    ///
    /// `name` is a relative path without `..`. A host that knows of no documents has none.
    fn document(&mut self, _name: &str, _blank_counts: bool) -> Option<String> {
        None
    }
    /// The user's home; `None` when it is not known.
    fn home(&mut self) -> Option<String> {
        None
    }
    /// The root of the repository that the session works in; `None` when it is not known.
    fn repository(&mut self) -> Option<String> {
        None
    }
    /// The branch that is checked out there; `None` when it is not known, or none is.
    fn branch(&mut self) -> Option<String> {
        None
    }
    /// The branch that is checked out in another repository, by its root; `None` when it is not known, or none is.
    fn branch_in(&mut self, _root: &str) -> Option<String> {
        None
    }
    /// The addresses of the remotes of another repository, by its root: where it pushes to, and where it fetches from;
    /// `None` when they are not known, or settings may stand for others.
    fn remotes_in(&mut self, _root: &str) -> Option<Vec<String>> {
        None
    }
    /// The default branch of the repository; `None` when it is not known.
    fn default_branch(&mut self) -> Option<String> {
        None
    }
    /// Whether version control does not keep what lies at `path`, and nothing there is a secret or a database;
    /// `None` when that is not known. What is to be ignored must have been said before `since`, the start of the
    /// session in milliseconds since the epoch: what an agent writes meanwhile says nothing.
    fn ignored(&mut self, _path: &str, _since: Option<i64>) -> Option<bool> {
        None
    }
    /// Whether a shell's pattern finds files behind a link that leads out of the directory which it names: `target/*/*` looks
    /// behind a link in `target`. `None` when that is not known.
    fn passes_link(&mut self, _pattern: &str) -> Option<bool> {
        None
    }
    /// What a shell's pattern expands to, hidden files only where it says so; `None` when that is not known, or too much.
    fn expansion(&mut self, _pattern: &str) -> Option<Vec<String>> {
        None
    }
    /// What stands in the file at `path`, where it is a short text; `None` when that is not known.
    fn text(&mut self, _path: &str) -> Option<String> {
        None
    }
    /// Where the rules, what is kept for them, and the program that decides lie: files and directories
    /// that an agent has no business with. A host that knows of none has none.
    fn own_files(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// What a user has allowed of what the rule called `rule` stops, as far as it may cover the call that is
    /// decided on. Asked only of a call that the rule stops.
    ///
    /// A rule of a policy is asked for as [`grant_of_policy`] calls it.
    fn grants(&mut self, _rule: &str) -> Vec<Grant> {
        Vec::new()
    }
    /// Uses a grant that covers the call; `false` where it was used up or taken back meanwhile.
    fn use_grant(&mut self, _grant: &Grant) -> bool {
        false
    }
    /// How many lines the file at `path` has, the last one counted whether or not it ends; `None` where that is
    /// not known.
    fn line_count(&mut self, _path: &str) -> Option<u64> {
        None
    }
    /// Files of the project that lie at `tail` below whatever directory: all of them, or at least five. `None`
    /// where it is not known whether there are any.
    fn files_ending_in(&mut self, _tail: &str) -> Option<Vec<String>> {
        None
    }
    /// Whether a name, or a number, is that of the user for whom rules are decided.
    fn is_user(&mut self, _name: &str) -> bool {
        false
    }
    /// Whether something lies at `tail` below `directory`, be it deep below. Opaque where there is too much to look at.
    fn holds(&mut self, _directory: &str, _tail: &str) -> Truth {
        Truth::Unknown
    }
    /// How `text` fails to be JSON that the JSON Schema `schema` describes; `Some(None)` when it does
    /// not, `None` when the host has nothing to check it with.
    fn json_mismatch(&mut self, _schema: &str, _text: &str) -> Option<Option<JsonMismatch>> {
        None
    }
    /// Compiles the rules that a session made for itself into one image, in which each has its
    /// [`SessionRule::id`]; or says what is wrong with them. They may warn, remind, ask and block, and nothing else.
    /// `None` where nothing here compiles rules: the session then keeps texts only.
    fn compile_rules(
        &mut self,
        _rules: &[SessionRule<'_>],
    ) -> Option<Result<Arc<Image>, Vec<Refusal>>> {
        None
    }
}

/// The definition of a rule in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionRule<'a> {
    /// The place of its entry in the list.
    pub number: u32,
    /// The JSON text of an object.
    pub definition: &'a str,
}

/// Returns what grants call a rule of a policy, since a behaviour rule may have its name.
#[must_use]
pub fn grant_of_policy(name: &str) -> String {
    ["policy:", name].concat()
}

/// Why a text is not what a JSON Schema describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonMismatch {
    /// The dotted path to the value that is not as it should be, empty for the whole; `None` when
    /// the text is not JSON at all.
    pub path: Option<String>,
    /// What is wrong, for people.
    pub reason: String,
}

/// A host that knows only what it was told by `fs` and `clock` events.
#[derive(Clone, Debug, Default)]
pub struct FactHost {
    files: RecordedFiles,
    now: Option<i64>,
    repository: Option<Box<str>>,
    texts: RecordedTexts,
}

impl FactHost {
    /// Remembers a fact; it replaces what was known of the same path. What is told of a file under
    /// one of its names holds under its canonical one, too.
    pub fn learn(&mut self, fact: &FileFact<'_>, cwd: Option<&str>) {
        self.files.learn(fact, cwd);
    }

    /// Remembers what a call writes into files, as far as it says that itself. `cwd` is where its session works.
    pub fn learn_call(&mut self, call: &Call<'_>, cwd: Option<&str>) {
        self.texts.learn(call, cwd);
    }

    /// Sets the time, in milliseconds since the epoch.
    pub fn set_clock(&mut self, now: i64) {
        self.now = Some(now);
    }

    /// Sets the root of the repository that sessions work in: an absolute path.
    pub fn set_repository(&mut self, root: &str) {
        let mut scratch = String::new();
        self.repository = Some(path::normalise(root, None, &mut scratch).into());
    }
}

impl Host for FactHost {
    fn exists(&mut self, path: &str) -> Option<bool> {
        self.files.get(path).map(|file| file.exists)
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        self.files.get(path).and_then(|file| file.fingerprint)
    }

    fn canonical(&mut self, path: &str) -> Option<String> {
        self.files.canonical(path).map(str::to_owned)
    }

    fn now(&mut self) -> Option<i64> {
        self.now
    }

    fn repository(&mut self) -> Option<String> {
        self.repository.as_deref().map(str::to_owned)
    }

    fn text(&mut self, path: &str) -> Option<String> {
        self.texts.get(path).map(str::to_owned)
    }

    fn line_count(&mut self, path: &str) -> Option<u64> {
        self.files.get(path).and_then(|file| file.lines)
    }

    fn holds(&mut self, directory: &str, tail: &str) -> Truth {
        self.files.holds(directory, tail)
    }

    /// Nothing is known of a tail of which nothing was told.
    fn files_ending_in(&mut self, tail: &str) -> Option<Vec<String>> {
        self.files.ending_in(tail)
    }
}
