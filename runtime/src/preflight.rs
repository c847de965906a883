//! What would be decided on calls that nobody has made yet, were each to succeed. Nothing stays of it: neither a grant is
//! used, nor a session remembers anything that its owner did not give away.

use std::collections::{HashMap, HashSet};

use behavior_shell::touched::Effect;

use crate::decision::Decision;
use crate::host::{Fingerprint, Grant, Host, JsonMismatch};
use crate::layers::LayeredSession;
use behavior_facts::event::{Call, Event, ToolResult};
use behavior_facts::path;
use behavior_facts::touched::{TouchedFile, of_call};
use behavior_facts::truth::Truth;

/// A session that goes on in thought.
pub struct Preflight<'h> {
    session: LayeredSession,
    cwd: Option<String>,
    host: Supposed<'h>,
    calls: u64,
    /// What the last call does to files, until it is supposed to have succeeded.
    pending: Option<Vec<TouchedFile>>,
}

impl<'h> Preflight<'h> {
    /// Goes on from a session as it is. What the calls do to files is supposed to have happened; all else is asked of
    /// `host`, which is told nothing.
    #[must_use]
    pub fn new(session: LayeredSession, host: &'h mut dyn Host) -> Self {
        let cwd = session.own().cwd().map(str::to_owned);
        let host = Supposed { host, files: HashMap::new(), used: HashSet::new(), changes: 0 };
        Self { session, cwd, host, calls: 0, pending: None }
    }

    /// Returns what would be decided on a call.
    pub fn call(&mut self, call: Call<'_>) -> Decision {
        self.calls += 1;
        let call = Call { id: Some(self.id().into()), ..call };
        self.pending = Some(of_call(&call));
        self.session.apply(&Event::ToolCall(call), &mut self.host)
    }

    /// Goes on as if the last call had succeeded, whatever was decided. Without this it was not made.
    pub fn succeed(&mut self) {
        let Some(files) = self.pending.take() else { return };
        for file in files.iter().filter(|file| file.is_known()) {
            let exists = match file.effect {
                Some(Effect::Write) => true,
                Some(Effect::Delete) => false,
                Some(Effect::Read) | None => continue,
            };
            let mut scratch = String::new();
            let path = path::normalise(&file.path, self.cwd.as_deref(), &mut scratch);
            self.host.suppose(path, exists);
        }
        let result = ToolResult { id: Some(self.id().into()), ok: true, ..ToolResult::default() };
        self.session.apply(&Event::ToolResult(result), &mut self.host);
    }

    /// What tells the last call from the others.
    fn id(&self) -> String {
        format!("preflight-{}", self.calls)
    }

    /// The session, as it is after what was called and succeeded.
    #[must_use]
    pub fn session(&self) -> &LayeredSession {
        &self.session
    }

    /// Returns whether something would be at a path by now; relative ones start from the session's directory.
    /// `None` when that is not known.
    pub fn exists(&mut self, path: &str) -> Option<bool> {
        let mut scratch = String::new();
        let path = path::normalise(path, self.cwd.as_deref(), &mut scratch);
        self.host.exists(path)
    }
}

/// The world, with what calls are supposed to have done to it.
struct Supposed<'h> {
    host: &'h mut dyn Host,
    /// Whether there is something at a path, and what tells it from what was there.
    files: HashMap<String, (bool, Fingerprint)>,
    /// Grants that a call would have used up.
    used: HashSet<String>,
    changes: i64,
}

impl Supposed<'_> {
    fn suppose(&mut self, path: &str, exists: bool) {
        self.changes += 1;
        let fingerprint = match exists {
            true => Fingerprint { size: None, mtime: Some(-self.changes) },
            false => Fingerprint::ABSENT,
        };
        self.files.insert(path.to_owned(), (exists, fingerprint));
    }
}

impl Host for Supposed<'_> {
    fn exists(&mut self, path: &str) -> Option<bool> {
        match self.files.get(path) {
            Some((exists, _)) => Some(*exists),
            None => self.host.exists(path),
        }
    }

    fn is_directory(&mut self, path: &str) -> Option<bool> {
        self.host.is_directory(path)
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        match self.files.get(path) {
            Some((_, fingerprint)) => Some(*fingerprint),
            None => self.host.fingerprint(path),
        }
    }

    fn canonical(&mut self, path: &str) -> Option<String> {
        self.host.canonical(path)
    }

    fn now(&mut self) -> Option<i64> {
        self.host.now()
    }

    fn document(&mut self, name: &str, blank_counts: bool) -> Option<String> {
        self.host.document(name, blank_counts)
    }

    fn home(&mut self) -> Option<String> {
        self.host.home()
    }

    fn repository(&mut self) -> Option<String> {
        self.host.repository()
    }

    /// Nobody knows what calls in thought would write.
    fn text(&mut self, path: &str) -> Option<String> {
        self.host.text(path).filter(|_| !self.files.contains_key(path))
    }

    fn branch(&mut self) -> Option<String> {
        self.host.branch()
    }

    fn default_branch(&mut self) -> Option<String> {
        self.host.default_branch()
    }

    fn passes_link(&mut self, pattern: &str) -> Option<bool> {
        self.host.passes_link(pattern)
    }

    fn ignored(&mut self, path: &str, since: Option<i64>) -> Option<bool> {
        self.host.ignored(path, since)
    }

    fn own_files(&mut self) -> Vec<String> {
        self.host.own_files()
    }

    fn grants(&mut self, rule: &str) -> Vec<Grant> {
        let mut grants = self.host.grants(rule);
        grants.retain(|grant| !self.used.contains(&grant.id));
        grants
    }

    /// Uses it in thought: what holds for one call covers no second one.
    fn use_grant(&mut self, grant: &Grant) -> bool {
        match &*grant.scope {
            "once" => self.used.insert(grant.id.clone()),
            _ => true,
        }
    }

    fn holds(&mut self, directory: &str, tail: &str) -> Truth {
        self.host.holds(directory, tail)
    }

    fn json_mismatch(&mut self, schema: &str, text: &str) -> Option<Option<JsonMismatch>> {
        self.host.json_mismatch(schema, text)
    }
}
