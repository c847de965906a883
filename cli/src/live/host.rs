//! The real file system and clock: for live events, and for `simulate --live-fs`. Everywhere else a
//! simulation knows what the trace tells and nothing more.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use behavior_compiler::schema::Schema;
use behavior_runtime::constitution::{Refusal, SessionRule};
use behavior_runtime::host::{Fingerprint, Grant, JsonMismatch};
use behavior_runtime::{Host, Image, Truth, document};

use super::below;
use super::file_names::{FileNames, line_count};
use super::grants::CallGrants;
use super::links;
use super::repository::Repository;
use super::user;
use crate::{project, schemas, session_rules};

/// Documents that are longer are none that an agent should be told at every turn.
const MAX_DOCUMENT_LENGTH: u64 = 1 << 20;
/// Longer texts that a command works by are not looked into.
const MAX_TEXT_LENGTH: u64 = 1 << 20;
/// So many links are followed, one after the other.
const MAX_LINKS: u8 = 40;

/// Asks the machine that the simulation runs on, and in a live session what its user allowed.
#[derive(Debug, Default)]
pub struct LiveHost<'a> {
    /// What the user allowed of the call that is decided on.
    pub grants: Option<CallGrants<'a>>,
    /// The folder up to which the session's rules were looked for when it began: a repository that is made below is not
    /// the one that it works in.
    pub top: Option<PathBuf>,
    /// The files of the project, once somebody asked, if there are not too many.
    pub names: Option<Option<FileNames>>,
    /// What patterns expand to that somebody asked for.
    pub expansions: HashMap<String, Option<Vec<String>>>,
    /// When somebody first asked what lies in folders.
    pub looking_since: Option<Instant>,
}

impl LiveHost<'_> {
    /// Whether there is time left to look into folders: what a line makes somebody look at is not bounded by its length.
    fn has_time(&mut self) -> bool {
        const MAX_LOOKING: Duration = Duration::from_secs(2);
        self.looking_since.get_or_insert_with(Instant::now).elapsed() < MAX_LOOKING
    }
}

/// Whether a file lies in the working directory, or in the repository around it, once links are followed.
fn is_inside(path: &Path) -> bool {
    let root = project::current_repository().or_else(|| std::env::current_dir().ok());
    let real = root.and_then(|root| root.canonicalize().ok()).zip(path.canonicalize().ok());
    real.is_some_and(|(root, file)| file.starts_with(root))
}

impl Host for LiveHost<'_> {
    fn grants(&mut self, rule: &str) -> Vec<Grant> {
        self.grants.as_mut().map(|grants| grants.for_rule(rule)).unwrap_or_default()
    }

    fn use_grant(&mut self, grant: &Grant) -> bool {
        self.grants.as_mut().is_some_and(|grants| grants.use_up(grant))
    }

    fn exists(&mut self, path: &str) -> Option<bool> {
        std::fs::exists(path).ok()
    }

    /// One that may not be searched is none.
    fn is_directory(&mut self, path: &str) -> Option<bool> {
        Some(std::fs::metadata(Path::new(path).join(".")).is_ok())
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        let metadata = std::fs::metadata(path).ok()?;
        let mtime = millis(metadata.modified().ok()?);
        Some(Fingerprint { size: Some(metadata.len()), mtime: Some(mtime) })
    }

    fn canonical(&mut self, path: &str) -> Option<String> {
        let path = Path::new(path);
        text(std::fs::canonicalize(path).ok().or_else(|| behind_link(path, MAX_LINKS)))
    }

    /// Of the working directory, which is the project's; of the user, beside the user's policy.
    fn document(&mut self, name: &str, blank_counts: bool) -> Option<String> {
        let read = |path: &Path| {
            let metadata = std::fs::metadata(path).ok()?;
            let is_short = metadata.is_file() && metadata.len() <= MAX_DOCUMENT_LENGTH;
            is_short.then(|| std::fs::read(path).ok()).flatten()
        };
        let text = |path: &Path| Some(String::from_utf8_lossy(&read(path)?).into_owned());
        let users = || text(&project::users_directory()?.join(name));
        // A file of the project's that is a link may be any file of the user's.
        let of_project = Some(Path::new(name)).filter(|path| is_inside(path)).and_then(text);
        document::choose(of_project, users, blank_counts)
    }

    fn compile_rules(
        &mut self,
        rules: &[SessionRule<'_>],
    ) -> Option<Result<Arc<Image>, Vec<Refusal>>> {
        Some(session_rules::compile(rules))
    }

    fn now(&mut self) -> Option<i64> {
        Some(millis(SystemTime::now()))
    }

    fn home(&mut self) -> Option<String> {
        text(std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute()))
    }

    fn repository(&mut self) -> Option<String> {
        let began_in = self.top.clone().filter(|top| project::is_repository(top));
        text(began_in.or_else(project::current_repository))
    }

    fn passes_link(&mut self, pattern: &str) -> Option<bool> {
        Some(!self.has_time() || links::pass_out(pattern))
    }

    fn expansion(&mut self, pattern: &str) -> Option<Vec<String>> {
        if let Some(known) = self.expansions.get(pattern) {
            return known.clone();
        }
        if !self.has_time() {
            return None;
        }
        let found = links::expansion(Path::new(pattern));
        let found =
            found.map(|paths| paths.into_iter().filter_map(|path| text(Some(path))).collect());
        self.expansions.insert(pattern.to_owned(), found.clone());
        found
    }

    fn text(&mut self, path: &str) -> Option<String> {
        let text = String::from_utf8(project::bounded(Path::new(path), MAX_TEXT_LENGTH)?).ok()?;
        if let Some(grants) = &mut self.grants {
            grants.looked_at(path, &text);
        }
        Some(text)
    }

    fn branch(&mut self) -> Option<String> {
        Repository::current()?.branch()
    }

    fn branch_in(&mut self, root: &str) -> Option<String> {
        Repository::at(PathBuf::from(root))?.branch()
    }

    fn remotes_in(&mut self, root: &str) -> Option<Vec<String>> {
        Repository::at(PathBuf::from(root))?.remotes()
    }

    fn default_branch(&mut self) -> Option<String> {
        Repository::current()?.default_branch()
    }

    fn ignored(&mut self, path: &str, since: Option<i64>) -> Option<bool> {
        if !self.has_time() {
            return None;
        }
        Repository::current()?.ignores(Path::new(path), since)
    }

    /// Where the rules of all layers, what is kept for them, and this program lie.
    fn own_files(&mut self) -> Vec<String> {
        let variable = |name: &str| std::env::var_os(name);
        let folders = [
            Some(PathBuf::from(project::ADMINISTRATORS)),
            project::users_directory(),
            super::usual_directory(variable),
            super::cache_directory(variable),
            std::env::current_exe().ok(),
        ];
        let names = |path: PathBuf| [path.canonicalize().ok(), Some(path)];
        let all = folders.into_iter().flatten().flat_map(names);
        all.filter_map(text).collect()
    }

    fn line_count(&mut self, path: &str) -> Option<u64> {
        line_count(Path::new(path))
    }

    fn files_ending_in(&mut self, tail: &str) -> Option<Vec<String>> {
        let names = self.names.get_or_insert_with(FileNames::of_project);
        names.as_ref().map(|names| names.ending_in(tail))
    }

    fn is_user(&mut self, name: &str) -> bool {
        user::is_own(name)
    }

    fn holds(&mut self, directory: &str, tail: &str) -> Truth {
        let found = self.has_time().then(|| below::holds(Path::new(directory), Path::new(tail)));
        found.flatten().map_or(Truth::Opaque, Truth::from)
    }

    fn json_mismatch(&mut self, schema: &str, text: &str) -> Option<Option<JsonMismatch>> {
        schemas::mismatch(Schema::new(schema).ok().as_ref(), text)
    }
}

/// Where a link leads that leads to nothing yet: who writes to it makes what is there.
fn behind_link(path: &Path, links: u8) -> Option<PathBuf> {
    let target = path.parent()?.join(std::fs::read_link(path).ok()?);
    let next = || behind_link(&target, links.checked_sub(1)?);
    // Its directory may be a link, too.
    let made = || Some(target.parent()?.canonicalize().ok()?.join(target.file_name()?));
    target.canonicalize().ok().or_else(next).or_else(made).or(Some(target))
}

/// A path as text; `None` where it is none.
fn text(path: Option<PathBuf>) -> Option<String> {
    path?.into_os_string().into_string().ok()
}

/// Milliseconds since the epoch; negative before it.
fn millis(time: SystemTime) -> i64 {
    let whole = |duration: std::time::Duration| i64::try_from(duration.as_millis());
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => whole(after).unwrap_or(i64::MAX),
        Err(before) => whole(before.duration()).map_or(i64::MIN, |millis| -millis),
    }
}
