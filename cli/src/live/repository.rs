//! What the repository of the working directory tells: its branches, and which files it does not keep. Reads git's
//! files and runs no git. Knows no rules.
//!
//! Sources: `gitrepository-layout(5)`, `gitformat-index(5)`, `gitignore(5)`.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
#[cfg(not(unix))]
use std::time::UNIX_EPOCH;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::links;
use crate::project::{self, bounded};

/// A longer file of git's is not read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// No more entries of a directory that is not kept are looked at: nobody knows what it holds then.
const MAX_ENTRIES: usize = 5_000;

/// If a pattern finds more than so many, each is not looked at.
const MAX_FOUND: usize = 64;

/// Endings of names of databases and of keys: what is not kept, and cannot be made again.
const PRECIOUS: &[&str] = &[
    "db", "db3", "sqlite", "sqlite3", "mdb", "rdb", "dump", "bak", "sql", "pem", "key", "p12",
    "pfx", "jks", "keystore", "kdbx", "env",
];

/// A repository of git.
#[derive(Debug)]
pub struct Repository {
    /// Where its files lie.
    root: PathBuf,
    /// Where git keeps what belongs to this working tree.
    own: PathBuf,
    /// Where git keeps what belongs to all working trees.
    common: PathBuf,
}

impl Repository {
    /// Finds the one that the working directory is in.
    #[must_use]
    pub fn current() -> Option<Self> {
        Self::at(project::current_repository()?)
    }

    /// The one with this root.
    #[must_use]
    pub fn at(root: PathBuf) -> Option<Self> {
        let git = root.join(".git");
        let own = match git.is_dir() {
            true => git,
            // A worktree, or a submodule: a file says where it is.
            false => root.join(line(&git)?.strip_prefix("gitdir: ")?),
        };
        let common = match line(&own.join("commondir")) {
            Some(common) => own.join(common),
            None => own.clone(),
        };
        Some(Self { root, own, common })
    }

    /// Returns the branch that is checked out; `None` where a commit is.
    #[must_use]
    pub fn branch(&self) -> Option<String> {
        line(&self.own.join("HEAD"))?.strip_prefix("ref: refs/heads/").map(str::to_owned)
    }

    /// Returns the addresses of all remotes, as git has them in the settings of this repository; `None` where these take
    /// in others, or give addresses another meaning.
    #[must_use]
    pub fn remotes(&self) -> Option<Vec<String>> {
        const MAX_CONFIG: u64 = 1 << 16;
        let text = String::from_utf8(bounded(&self.common.join("config"), MAX_CONFIG)?).ok()?;
        remotes(&text)
    }

    /// Returns the branch that the remote `origin` calls its own, as far as git has noted it.
    #[must_use]
    pub fn default_branch(&self) -> Option<String> {
        let head = line(&self.common.join("refs/remotes/origin/HEAD"))?;
        head.strip_prefix("ref: refs/remotes/origin/").map(str::to_owned)
    }

    /// Returns whether git keeps nothing of what lies at a path, and was told so before a moment, and nothing there
    /// looks like a secret or a database; `None` where that cannot be known.
    #[must_use]
    pub fn ignores(&self, path: &Path, since: Option<i64>) -> Option<bool> {
        let inside = path.strip_prefix(&self.root).ok()?;
        if inside.components().any(|part| part == Component::ParentDir) {
            return None;
        }
        match links::has_sign(inside) {
            true => self.ignores_found(path, inside, since),
            false => self.ignores_one(path, inside, since),
        }
    }

    /// The same of a path whose signs stand for themselves.
    fn ignores_one(&self, path: &Path, inside: &Path, since: Option<i64>) -> Option<bool> {
        let mut above = path.ancestors().take_while(|above| *above != self.root);
        let is_nested = above.any(|above| above.join(".git").symlink_metadata().is_ok());
        let is_own = inside.as_os_str().is_empty() || inside.starts_with(".git");
        // What lies in a folder is asked for below it, so that what its name says holds for all of it.
        let mut way = path.ancestors().take_while(|above| *above != self.root);
        if is_own || is_nested || way.any(is_precious) {
            return Some(false);
        }
        // What is not there yet may come to lie beside what is kept.
        let is_there = |inside: &&Path| self.root.join(inside).symlink_metadata().is_ok();
        let nearest = inside.ancestors().find(is_there).unwrap_or(inside);
        let nearest = if nearest.as_os_str().is_empty() { inside } else { nearest };
        if !self.is_matched(path, inside, since) || self.is_kept(nearest)? {
            return Some(false);
        }
        Some(!path.is_dir() || holds_nothing_precious(path)?)
    }

    /// The same of all that a shell's pattern finds. Where that is nothing, or too much, its words alone tell.
    fn ignores_found(&self, pattern: &Path, inside: &Path, since: Option<i64>) -> Option<bool> {
        // Where nothing is called so at any depth, the folders there tell nothing.
        let is_named = |folder: &&Path| !folder.ends_with("**");
        let with_signs = inside.ancestors().take_while(|folder| links::has_sign(folder));
        let mut folders = with_signs.filter(is_named);
        let first = folders.find_map(|folder| match links::found(&self.root.join(folder)) {
            Some(found) if found.is_empty() => None,
            found => Some((folder, found)),
        });
        let Some((folder, Some(found))) =
            first.filter(|(_, found)| found.as_ref().is_none_or(|found| found.len() <= MAX_FOUND))
        else {
            return self.ignores_one(pattern, inside, since);
        };
        // Beside what is kept, what comes to lie there may be kept, too.
        let is_whole = folder == inside;
        found.iter().try_fold(self.is_matched(pattern, inside, since) || is_whole, |all, found| {
            let own = found.strip_prefix(&self.root).ok()?;
            let is_ignored = match is_whole {
                true => self.ignores_one(found, own, since)?,
                false => !self.is_kept(own)?,
            };
            Some(all && is_ignored)
        })
    }

    /// Whether a file that says what is to be ignored names the path, or a directory above it.
    fn is_matched(&self, path: &Path, inside: &Path, since: Option<i64>) -> bool {
        let mut files = vec![(self.root.clone(), self.common.join("info/exclude"))];
        let above: Vec<&Path> = path.ancestors().skip(1).collect();
        let within = above.iter().rev().filter(|folder| folder.starts_with(&self.root));
        files.extend(within.map(|folder| (folder.to_path_buf(), folder.join(".gitignore"))));
        let mut is_ignored = false;
        // What stands nearer wins.
        for (folder, file) in files {
            let Some(rules) = rules(&folder, &file, since) else { continue };
            let Ok(seen) = self.root.join(inside).strip_prefix(&folder).map(Path::to_owned) else {
                continue;
            };
            let found = rules.matched_path_or_any_parents(&seen, path.is_dir());
            is_ignored = if found.is_none() { is_ignored } else { found.is_ignore() };
        }
        is_ignored
    }

    /// Whether git's index has the path, or something below it; `None` where it cannot be read.
    fn is_kept(&self, inside: &Path) -> Option<bool> {
        let index = self.own.join("index");
        if index.metadata().is_err() {
            return Some(false);
        }
        let bytes = bounded(&index, MAX_FILE)?;
        // From version 4 on, names are shortened.
        if !matches!(bytes.get(..8), Some([b'D', b'I', b'R', b'C', 0, 0, 0, 2 | 3])) {
            return None;
        }
        let name = inside.to_str()?.replace('\\', "/");
        let finds = |ending: u8| {
            let wanted = [name.as_bytes(), &[ending]].concat();
            memchr::memmem::find(&bytes, &wanted).is_some()
        };
        Some(finds(0) || finds(b'/'))
    }
}

/// The rules of a file, unless it was written since a moment, or has more to say than can be looked at in time: then nothing
/// is ignored for its sake.
fn rules(folder: &Path, file: &Path, since: Option<i64>) -> Option<Gitignore> {
    const MAX_RULES: u64 = 64 << 10;
    const MAX_LINES: usize = 2_000;
    let metadata = file.metadata().ok()?;
    let is_old =
        since.is_none_or(|since| changed(&metadata).is_some_and(|changed| changed < since));
    if !is_old {
        return None;
    }
    let text = bounded(file, MAX_RULES)?;
    let text = String::from_utf8_lossy(&text);
    if text.lines().count() > MAX_LINES {
        return None;
    }
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.lines() {
        // What of it is wrong, git passes over, too.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}

/// When a file was changed last, in milliseconds since the epoch: by the time that nobody can set, where there is
/// one.
#[cfg(unix)]
fn changed(metadata: &std::fs::Metadata) -> Option<i64> {
    use std::os::unix::fs::MetadataExt;
    Some(metadata.ctime().saturating_mul(1_000).saturating_add(metadata.ctime_nsec() / 1_000_000))
}

#[cfg(not(unix))]
fn changed(metadata: &std::fs::Metadata) -> Option<i64> {
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

fn is_precious(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return true };
    let name = name.to_ascii_lowercase();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    name.starts_with(".env")
        || name.starts_with("id_")
        || name.contains("credential")
        || name.contains("secret")
        || ending.is_some_and(|ending| PRECIOUS.contains(&ending))
}

/// Whether nothing below a directory looks like a secret or a database; `None` where there is too much of it.
fn holds_nothing_precious(folder: &Path) -> Option<bool> {
    let mut left = MAX_ENTRIES;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).ok()? {
            left = left.checked_sub(1)?;
            let entry = entry.ok()?;
            let path = entry.path();
            // A repository in it has a history of its own, or is a worktree with work in it.
            if is_precious(&path) || entry.file_name() == ".git" {
                return Some(false);
            }
            if entry.file_type().ok()?.is_dir() {
                folders.push(path);
            }
        }
    }
    Some(true)
}

/// The addresses in a file of settings of git; `None` where it may mean others.
fn remotes(config: &str) -> Option<Vec<String>> {
    let mut is_remote = false;
    let mut found = Vec::new();
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.to_ascii_lowercase();
            if section.starts_with("include") || section.starts_with("url") {
                return None;
            }
            is_remote = section.starts_with("remote");
            // A setting may stand behind its section.
            if section.split_once(']').is_none_or(|(_, rest)| !rest.trim().is_empty()) {
                return None;
            }
            continue;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        if is_remote && matches!(&*name.trim().to_ascii_lowercase(), "url" | "pushurl") {
            let value = value.trim();
            if value.contains(['\\', '"', '#', ';']) {
                return None;
            }
            found.push(value.to_owned());
        }
    }
    Some(found)
}

/// The first line of a short file.
fn line(path: &Path) -> Option<String> {
    const MAX_LINE: u64 = 4_096;
    let text = String::from_utf8(bounded(path, MAX_LINE)?).ok()?;
    text.lines().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir_all, write};
    use std::path::PathBuf;

    use super::Repository;

    /// A repository that keeps `kept.log` and says that logs and `out` are to be ignored.
    fn repository(name: &str) -> (PathBuf, Repository) {
        let root = std::env::temp_dir().join(format!("behavior-{name}-{}", std::process::id()));
        let git = root.join(".git");
        create_dir_all(git.join("refs/remotes/origin")).unwrap();
        create_dir_all(root.join("out/deep")).unwrap();
        create_dir_all(root.join("data")).unwrap();
        write(git.join("HEAD"), "ref: refs/heads/topic/a\n").unwrap();
        write(git.join("refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/trunk\n").unwrap();
        write(git.join("index"), b"DIRC\0\0\0\x02\0\0\0\x01 kept.log\0").unwrap();
        write(root.join(".gitignore"), "*.log\nout/\ndata/\n").unwrap();
        write(root.join("out/deep/a.txt"), "").unwrap();
        write(root.join("data/app.sqlite3"), "").unwrap();
        (root.clone(), Repository::at(root).unwrap())
    }

    #[test]
    fn remotes_are_told() {
        let config =
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = /tmp/a.git\n\tfetch = +refs/*\n";
        assert_eq!(super::remotes(config).unwrap(), ["/tmp/a.git"]);
        let other = format!("{config}[remote \"b\"]\n\tpushurl=git@host:a\n");
        assert_eq!(super::remotes(&other).unwrap(), ["/tmp/a.git", "git@host:a"]);
        for more in
            ["[include]\n path = x\n", "[url \"a\"]\n insteadOf = b\n", "[remote \"c\"] url = x\n"]
        {
            assert_eq!(super::remotes(&format!("{config}{more}")), None, "{more}");
        }
    }

    #[test]
    fn branches_are_told() {
        let (_, repository) = repository("branches");
        assert_eq!(repository.branch().as_deref(), Some("topic/a"));
        assert_eq!(repository.default_branch().as_deref(), Some("trunk"));
    }

    #[test]
    fn what_git_does_not_keep_is_told() {
        let (root, repository) = repository("ignored");
        let ignores = |path: &str| repository.ignores(&root.join(path), None);
        assert_eq!(ignores("a.log"), Some(true));
        assert_eq!(ignores("kept.log"), Some(false));
        assert_eq!(ignores("out"), Some(true));
        assert_eq!(ignores("out/deep/a.txt"), Some(true));
        assert_eq!(ignores("src/a.rs"), Some(false));
        // A database is not to be had again.
        assert_eq!(ignores("data"), Some(false));
        assert_eq!(repository.ignores(&root.join("../other/a.log"), None), None);
    }

    #[test]
    fn patterns_say_what_they_find() {
        let (root, repository) = repository("patterns");
        for folder in ["apps/a/out", "apps/b/out", "apps/c/src"] {
            create_dir_all(root.join(folder)).unwrap();
            write(root.join(folder).join("x.txt"), "").unwrap();
        }
        write(root.join(".git/index"), b"DIRC\0\0\0\x02\0\0\0\x01 apps/c/src/x.txt\0").unwrap();
        let ignores = |path: &str| repository.ignores(&root.join(path), None);
        assert_eq!(ignores("apps/*/out"), Some(true));
        assert_eq!(ignores("apps/*/out/q"), Some(true));
        assert_eq!(ignores("apps/**/out"), Some(true));
        assert_eq!(ignores("apps/*/src"), Some(false));
        assert_eq!(ignores("apps/*"), Some(false));
        assert_eq!(ignores("**/*.log"), Some(true));
        // One of them is kept by git.
        write(root.join(".git/index"), b"DIRC\0\0\0\x02\0\0\0\x01 apps/b/out/x.txt\0").unwrap();
        assert_eq!(ignores("apps/*/out"), Some(false));
        assert_eq!(ignores("**/out"), Some(false));
        // A database is not to be had again.
        assert_eq!(ignores("*/app.sqlite3"), Some(false));
    }

    #[test]
    fn what_was_said_since_the_session_began_says_nothing() {
        let (root, repository) = repository("since");
        assert_eq!(repository.ignores(&root.join("a.log"), Some(1)), Some(false));
        assert_eq!(repository.ignores(&root.join("a.log"), Some(i64::MAX)), Some(true));
    }
}
