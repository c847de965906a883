//! What a user has allowed of what rules stop, and the calls that were stopped last, so that one of them can be
//! allowed. Both are kept in the state directory, authenticated with the user's key: a grant is a file, which is
//! gone once it is used up.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use behavior_facts::tool_catalogue::is_shell;
use behavior_facts::tools::normalise;
use behavior_facts::touched::DIRECTORY_PARAMS;
use behavior_runtime::event::{Call, Value};
use behavior_runtime::host::Grant;
use behavior_secrets::{is_to_be_hidden, redacted};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::secret_key::SecretKey;
use crate::{atomic, project, random};

#[cfg(test)]
mod tests;

/// The folders in the state directory.
const GRANTS: &str = "grants";
const STOPPED: &str = "stopped";
/// What the file of a grant ends with that was used for the one call that it was for.
const USED: &str = "used";
/// No file of either is longer.
const MAX_LENGTH: u64 = 1 << 20;
/// No more grants are looked at.
const MAX_GRANTS: usize = 256;
/// So many calls that were stopped are kept of each project.
const MAX_STOPPED: usize = 32;
/// No longer command lines and paths are kept of calls that were stopped.
const MAX_SUBJECT: usize = 4096;
/// Longer texts are cut where they are shown.
const MAX_SHOWN: usize = 400;
/// No more parameters of a call are shown.
const MAX_PARTS: usize = 12;
/// Stands where a text is cut.
pub const CUT: char = '…';
/// For so long a hook that does not count still sees what the one that counts has used: both
/// are about one call.
const STILL_SEEN: Duration = Duration::from_secs(10);
/// A grant for one call is over after this, too.
const LASTS_ONCE: Duration = Duration::from_secs(24 * 3600);
/// A grant for a session is over after this, in milliseconds: nobody knows whether the session is.
const MAX_SESSION: i64 = 7 * 24 * 3600 * 1000;

/// Where grants are kept.
#[derive(Debug)]
pub struct Grants<'a> {
    state: &'a Path,
    key: &'a SecretKey,
}

/// What a grant is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Covers {
    /// This call, by its code.
    Call(String),
    /// Calls that touch only files that match a path glob.
    Paths(String),
}

/// How long a grant lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasts {
    /// For one call.
    Once,
    /// For a session of an agent.
    Session(String),
    /// Until a moment, in milliseconds since the epoch.
    Until(i64),
}

/// The files that a call works by, such as the script that it runs, each with what tells its text from others.
pub type Contents = BTreeMap<String, String>;

/// A grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// What tells it from others.
    pub id: String,
    /// The rule whose word it takes back.
    pub rule: String,
    /// The folder of the project in which it holds.
    pub project: PathBuf,
    /// What it is for.
    pub covers: Covers,
    /// How long it lasts.
    pub lasts: Lasts,
    /// Who gave it.
    pub by: String,
    /// When, in milliseconds since the epoch.
    pub since: i64,
    /// What it is for, for people.
    pub shown: String,
    /// What the files held by which the call worked that it is for; `None` where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<Contents>,
}

/// A call that was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoppedCall {
    /// What tells it from others.
    pub id: String,
    /// When, in milliseconds since the epoch.
    pub at: i64,
    /// The agent.
    pub agent: String,
    /// Its session.
    pub session: String,
    /// Where the agent was.
    pub directory: PathBuf,
    /// The rules that stopped it.
    pub rules: Vec<String>,
    /// What tells the same call from others.
    pub code: String,
    /// The call, for people.
    pub shown: String,
    /// What it was about, where that is kept: nothing long, and nothing with a secret in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// What the files held by which it worked.
    #[serde(default, skip_serializing_if = "Contents::is_empty")]
    pub contents: Contents,
}

/// What a call was about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A whole command line.
    Command(String),
    /// A file: `//` and its path in the repository, or its whole path.
    Path(String),
}

impl Subject {
    fn of(call: &CallToGrant<'_>) -> Option<Self> {
        let text = |name| match call.call.param(name)? {
            Value::Text(text) => Some(&**text),
            Value::Json(_) => None,
        };
        let is_kept = |text: &&str| text.len() <= MAX_SUBJECT && !is_to_be_hidden(text);
        if is_shell(&call.call.tool) {
            let mut name = String::new();
            normalise(&call.call.tool, &mut name);
            let plain = plain_command(&name, call.call).filter(|(_, place)| place.is_empty());
            let line = plain.map(|(line, _)| line).filter(is_kept)?;
            return Some(Self::Command(line.to_owned()));
        }
        let path =
            ["file_path", "path", "notebook_path"].into_iter().find_map(text).filter(is_kept)?;
        let whole = call.directory.join(path);
        let is_plain = whole.components().all(|part| !matches!(part, Component::ParentDir));
        let inside = whole.strip_prefix(call.root).ok().filter(|_| call.root.join(".git").exists());
        let shown = match inside {
            Some(inside) => format!("//{}", inside.display()),
            None => whole.display().to_string(),
        };
        is_plain.then_some(Self::Path(shown))
    }
}

/// Something with what authenticates it.
#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    is: T,
    mac: String,
}

impl<'a> Grants<'a> {
    /// Makes grants that are kept in a state directory.
    #[must_use]
    pub fn in_state(state: &'a Path, key: &'a SecretKey) -> Self {
        Self { state, key }
    }

    /// Returns the project that a folder belongs to: grants hold in one.
    #[must_use]
    pub fn project_of(folder: &Path) -> PathBuf {
        let root = project::root_of(folder).unwrap_or(folder);
        root.canonicalize().unwrap_or_else(|_| root.to_owned())
    }

    /// Returns what tells a call that an agent makes in a directory from all others: of a command line that the agent's
    /// own shell runs the whole line and where, of other calls every parameter.
    #[must_use]
    pub fn code(&self, call: &Call<'_>, directory: &Path) -> String {
        let mut name = String::new();
        normalise(&call.tool, &mut name);
        if let Some((line, working_directory)) = plain_command(&name, call) {
            return self.code_of_command(line, &directory.join(working_directory));
        }
        let mut params: Vec<(&str, &str)> = call
            .params
            .iter()
            .map(|param| match &param.value {
                Value::Text(text) | Value::Json(text) => (&*param.name, &**text),
            })
            .collect();
        params.sort_unstable();
        let mut parts = vec![name.as_str()];
        parts.extend(params.iter().flat_map(|(name, value)| [*name, *value]));
        self.code_of(&parts, directory)
    }

    /// Returns the code of a command line that a shell runs in a directory.
    #[must_use]
    pub fn code_of_command(&self, line: &str, directory: &Path) -> String {
        self.code_of(&["bash", line], directory)
    }

    fn code_of(&self, parts: &[&str], directory: &Path) -> String {
        let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
        // Lengths, so that no part passes for the end of the one before.
        let lengths: Vec<[u8; 8]> =
            parts.iter().map(|part| (part.len() as u64).to_le_bytes()).collect();
        // With a slash at its end, it is the same one.
        let directory: PathBuf = directory.components().collect();
        let mut all: Vec<&[u8]> = vec![directory.as_os_str().as_encoded_bytes(), b"\0"];
        for (length, part) in lengths.iter().zip(&parts) {
            all.extend([&length[..], part]);
        }
        hexadecimal(&self.key.mac_of_parts("stopped call", 0, &all), 16)
    }

    /// Gives a grant.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn give(&self, given: &Given) -> io::Result<()> {
        self.write(&self.file(&given.id), "grant", given)
    }

    /// Takes a grant back; says whether it was there.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn take_back(&self, id: &str) -> io::Result<bool> {
        match std::fs::remove_file(self.file(id)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Takes a grant that is for one call, unless another call did; says whether it was there.
    ///
    /// Of two calls at once, one makes the file that says so. That one stays as long as the grant could have
    /// lasted, so that a copy of the grant that is put back is used up as well.
    fn take(&self, id: &str) -> bool {
        let file = self.file(id);
        let marked = std::fs::File::options().append(true).open(&file);
        let marked = marked.and_then(|file| file.set_modified(SystemTime::now()));
        let taken = marked.and_then(|()| std::fs::hard_link(&file, self.used_file(id)));
        taken.and_then(|()| std::fs::remove_file(file)).is_ok()
    }

    /// Lists the grants that still hold, the oldest first; what is over is removed.
    #[must_use]
    pub fn list(&self, now: i64) -> Vec<Given> {
        let mut holding = self.all(now, |grants, given| grants.file(&given.id));
        holding.sort_by_key(|given| given.since);
        holding
    }

    /// Lists the grants for one call that were used just now.
    fn just_used(&self, now: i64) -> Vec<Given> {
        let mut used = self.all(now, |grants, given| grants.used_file(&given.id));
        used.retain(|given| !is_older(&self.used_file(&given.id), STILL_SEEN));
        used
    }

    fn all(&self, now: i64, file: impl Fn(&Self, &Given) -> PathBuf) -> Vec<Given> {
        let entries = std::fs::read_dir(self.state.join(GRANTS)).into_iter().flatten().flatten();
        let mut all = Vec::new();
        for path in entries.take(MAX_GRANTS).map(|entry| entry.path()) {
            let is_used = path.extension().is_some_and(|end| end == USED);
            let Some(given) = self.read::<Given>(&path, "grant") else { continue };
            let is_over = if is_used { is_older(&path, LASTS_ONCE) } else { !given.holds(now) };
            if is_over {
                let _ = std::fs::remove_file(&path);
            } else if path == file(self, &given) && (is_used || !self.used_file(&given.id).exists())
            {
                all.push(given);
            }
        }
        all
    }

    /// Lists the calls that were stopped last in a project, the newest last.
    #[must_use]
    pub fn stopped(&self, project: &Path) -> Vec<StoppedCall> {
        self.read(&self.stopped_file(project), "stopped calls").unwrap_or_default()
    }

    /// Remembers a call that was stopped in a project. Of two that are stopped at once, one may be forgotten.
    fn remember(&self, project: &Path, call: StoppedCall) -> io::Result<()> {
        let mut calls = self.stopped(project);
        calls.push(call);
        let older = calls.len().saturating_sub(MAX_STOPPED);
        calls.drain(..older);
        self.write(&self.stopped_file(project), "stopped calls", &calls)
    }

    /// Remembers a call that rules stopped.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn remember_call(
        &self,
        call: &CallToGrant<'_>,
        agent: &str,
        rules: Vec<String>,
        contents: &Contents,
    ) -> io::Result<()> {
        let stopped = StoppedCall {
            id: new_id()?,
            at: call.now,
            agent: agent.to_owned(),
            session: call.session.to_owned(),
            directory: call.directory.to_owned(),
            rules,
            code: self.code(call.call, call.directory),
            shown: describe(call.call),
            subject: Subject::of(call),
            contents: contents.clone(),
        };
        self.remember(&Self::project_of(call.root), stopped)
    }

    fn file(&self, id: &str) -> PathBuf {
        self.state.join(GRANTS).join(format!("{id}.json"))
    }

    fn used_file(&self, id: &str) -> PathBuf {
        self.state.join(GRANTS).join(format!("{id}.{USED}"))
    }

    fn stopped_file(&self, project: &Path) -> PathBuf {
        let name = blake3::hash(project.as_os_str().as_encoded_bytes()).to_hex();
        self.state.join(STOPPED).join(format!("{}.json", name.get(..32).unwrap_or_default()))
    }

    fn write<T: Serialize>(&self, path: &Path, purpose: &str, value: &T) -> io::Result<()> {
        let mac = self.mac(purpose, value)?;
        super::store::create_private(path.parent().unwrap_or(Path::new("")))?;
        atomic::write(path, &serde_json::to_vec_pretty(&Sealed { is: value, mac })?)
    }

    fn read<T: Serialize + DeserializeOwned>(&self, path: &Path, purpose: &str) -> Option<T> {
        let bytes = project::read_own(path, MAX_LENGTH).ok()?;
        let sealed: Sealed<T> = serde_json::from_slice(&bytes).ok()?;
        (self.mac(purpose, &sealed.is).ok()? == sealed.mac).then_some(sealed.is)
    }

    fn mac<T: Serialize>(&self, purpose: &str, value: &T) -> io::Result<String> {
        Ok(hexadecimal(&self.key.mac(purpose, 0, &serde_json::to_vec(value)?), 32))
    }
}

impl Given {
    /// As a decision takes it up; `None` where it can cover nothing.
    fn into_grant(self) -> Option<Grant> {
        let scope = self.lasts.name().to_owned();
        let paths = match self.covers {
            Covers::Call(_) => None,
            Covers::Paths(glob) => Some(in_project(glob, &self.project)?),
        };
        Some(Grant { id: self.id, by: self.by, scope, paths })
    }

    /// Whether the files that were looked at hold what they held when it was given.
    fn is_for(&self, contents: &Contents) -> bool {
        let is_known =
            |given: &Contents| contents.iter().all(|(path, text)| given.get(path) == Some(text));
        self.contents.as_ref().is_none_or(is_known)
    }

    fn holds(&self, now: i64) -> bool {
        match self.lasts {
            Lasts::Once => now < self.since.saturating_add(LASTS_ONCE.as_millis() as i64),
            Lasts::Session(_) => now < self.since.saturating_add(MAX_SESSION),
            Lasts::Until(end) => now < end,
        }
    }
}

impl Lasts {
    /// Returns its name in decisions and in the log.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session(_) => "session",
            Self::Until(_) => "until",
        }
    }
}

/// The grants that may cover one call.
#[derive(Debug)]
pub struct CallGrants<'a> {
    grants: Grants<'a>,
    /// Those of the project and the session that are for this call, or for paths; once somebody asked.
    known: Option<Vec<Given>>,
    call: CallToGrant<'a>,
    /// Whether another hook decides on the same call, and uses what is used.
    counts_elsewhere: bool,
    /// Those that were used for it: a call that several layers stop needs one grant.
    used: Vec<Given>,
    /// What the files hold that were looked at for it so far.
    contents: Contents,
}

/// A call that may be covered by grants.
#[derive(Clone, Debug)]
pub struct CallToGrant<'a> {
    /// The directory whose rules hold.
    pub root: &'a Path,
    /// The session that makes it.
    pub session: &'a str,
    /// The call.
    pub call: &'a Call<'a>,
    /// Where it is made.
    pub directory: &'a Path,
    /// Now, in milliseconds since the epoch.
    pub now: i64,
}

impl<'a> CallGrants<'a> {
    /// Makes the grants for a call. Nothing is read until somebody asks.
    #[must_use]
    pub fn new(grants: Grants<'a>, call: CallToGrant<'a>, counts_elsewhere: bool) -> Self {
        let (used, contents) = (Vec::new(), Contents::new());
        Self { grants, known: None, call, counts_elsewhere, used, contents }
    }

    /// Takes up what a file holds by which the call works: a grant for another content is none for this.
    pub fn looked_at(&mut self, path: &str, text: &str) {
        let digest = blake3::hash(text.as_bytes()).to_hex();
        self.contents.insert(path.to_owned(), digest.as_str().to_owned());
    }

    /// Returns what the files held that were looked at.
    #[must_use]
    pub fn into_contents(self) -> Contents {
        self.contents
    }

    /// Returns the grants that may cover the call under a rule.
    #[must_use]
    pub fn for_rule(&mut self, rule: &str) -> Vec<Grant> {
        let known = self.known.get_or_insert_with(|| {
            let mut all = self.grants.list(self.call.now);
            if self.counts_elsewhere {
                all.extend(self.grants.just_used(self.call.now));
            }
            for_call(all, &self.grants, &self.call)
        });
        let is_its = |given: &&Given| given.rule == rule && given.is_for(&self.contents);
        let of_rule = known.iter().filter(is_its).cloned();
        of_rule.filter_map(Given::into_grant).collect()
    }

    /// Uses a grant; `false` where it was used up or taken back meanwhile: of two calls that want one, one
    /// takes away the file.
    #[must_use]
    pub fn use_up(&mut self, grant: &Grant) -> bool {
        if self.used.iter().any(|used| used.id == grant.id) {
            return true;
        }
        let known = self.known.iter().flatten().find(|given| given.id == grant.id);
        let Some(given) = known.cloned() else { return false };
        let is_kept = given.lasts != Lasts::Once || self.counts_elsewhere;
        let is_mine = is_kept || self.grants.take(&given.id);
        if is_mine {
            self.used.push(given);
        }
        is_mine
    }

    /// Gives back what was used, since the call does not run after all.
    pub fn give_back(&mut self) {
        let used = self.used.drain(..).filter(|given| given.lasts == Lasts::Once);
        for given in used.filter(|_| !self.counts_elsewhere) {
            // One that cannot be kept is lost: that is stricter, and not laxer.
            let (from, to) = (self.grants.used_file(&given.id), self.grants.file(&given.id));
            let _ = std::fs::rename(from, to);
        }
    }
}

/// Parameters of agents' shells that change nothing about what a command does, by their common names and their own.
const ABOUT_COMMANDS: &[&str] = &[
    "background",
    "description",
    "explanation",
    "is_background",
    "justification",
    "login",
    "max_output_tokens",
    "run_in_background",
    "timeout",
    "timeout_ms",
    "title",
    "yield_time_ms",
];

/// The command line of a call to the agent's own shell, and the directory that the call names, empty for none; `None`
/// where other parameters may say more, or the shell is a server's.
fn plain_command<'c>(name: &str, call: &'c Call<'_>) -> Option<(&'c str, &'c str)> {
    let text = |name: &str| match call.param(name)? {
        Value::Text(text) => Some(&**text),
        Value::Json(_) => None,
    };
    let is_directory = |name: &str| DIRECTORY_PARAMS.contains(&name);
    let is_known =
        |name: &str| name == "command" || is_directory(name) || ABOUT_COMMANDS.contains(&name);
    let is_plain = is_shell(name)
        && !name.contains('.')
        && call.params.iter().all(|param| is_known(&param.name));
    let mut directories = call.params.iter().filter(|param| is_directory(&param.name));
    let directory = match directories.next() {
        Some(param) => text(&param.name)?,
        None => "",
    };
    (is_plain && directories.next().is_none()).then_some((text("command")?, directory))
}

/// A glob that a grant of a project names: without an anchor of its own it is about files of the project. `None` where
/// the project's folder reads as a glob itself.
fn in_project(glob: String, project: &Path) -> Option<String> {
    if glob.starts_with(['/', '~']) || glob.starts_with("./") {
        return Some(glob);
    }
    let folder = project.to_str().filter(|folder| !folder.contains(['*', '?', '[', '{']))?;
    let folder = folder.trim_end_matches('/');
    Some(format!("{folder}/{{{glob},**/{glob}}}"))
}

/// Whether a file was changed longer ago than this.
fn is_older(path: &Path, limit: Duration) -> bool {
    let changed = std::fs::symlink_metadata(path).and_then(|metadata| metadata.modified()).ok();
    let age = changed.and_then(|changed| changed.elapsed().ok());
    age.is_none_or(|age| age > limit)
}

/// Those of the grants that may cover a call.
fn for_call(mut all: Vec<Given>, grants: &Grants<'_>, call: &CallToGrant<'_>) -> Vec<Given> {
    let code = grants.code(call.call, call.directory);
    let project = Grants::project_of(call.root);
    all.retain(|given| {
        let is_now = match &given.lasts {
            Lasts::Session(session) => *session == call.session,
            Lasts::Once | Lasts::Until(_) => true,
        };
        let is_this = match &given.covers {
            Covers::Call(known) => *known == code,
            Covers::Paths(_) => true,
        };
        given.project == project && is_now && is_this
    });
    all
}

/// Describes a call for people, without secrets: the command line of a plain one, else its tool with every parameter that may
/// make a difference.
#[must_use]
pub fn describe(call: &Call<'_>) -> String {
    let tool = call.native_tool.as_deref().unwrap_or(&call.tool);
    let mut name = String::new();
    normalise(&call.tool, &mut name);
    if let Some((line, directory)) = plain_command(&name, call) {
        let line = redacted(line, MAX_SHOWN);
        let place = match directory {
            "" => String::new(),
            directory => format!(" (in {})", redacted(directory, MAX_SHOWN)),
        };
        return format!("{tool}: {}{place}", line.trim());
    }
    let parts = call.params.iter().filter(|param| !ABOUT_COMMANDS.contains(&&*param.name));
    let parts: Vec<(&str, String)> = parts
        .map(|param| {
            let (Value::Text(text) | Value::Json(text)) = &param.value;
            (&*param.name, redacted(text, MAX_SHOWN).trim().to_owned())
        })
        .collect();
    match parts.as_slice() {
        [(_, only)] => format!("{tool}: {only}"),
        _ => {
            let mut shown: Vec<String> =
                parts.iter().take(MAX_PARTS).map(|(name, text)| format!("{name}={text}")).collect();
            if parts.len() > MAX_PARTS {
                shown.push(CUT.to_string());
            }
            format!("{tool}: {}", shown.join("  "))
        }
    }
}

/// Makes a name that tells a grant or a call from all others of its kind.
///
/// # Errors
/// When the system has no randomness.
pub fn new_id() -> io::Result<String> {
    random::name::<4>()
}

fn hexadecimal(bytes: &[u8], count: usize) -> String {
    bytes.iter().take(count).map(|byte| format!("{byte:02x}")).collect()
}
