//! What a user may want exactly, by its name, and how a name is told from other words. Kept are hashes, and a command is
//! held against them.

use super::files::meant::Meant;
use super::scheduled::hash_of;

/// What the default branch is called where a repository does not tell.
pub const USUAL_DEFAULTS: [&str; 2] = ["main", "master"];

/// What a user may want exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish<'t> {
    /// A file or a folder away, or all files of one kind in a folder: `data/*.csv`.
    Path(&'t str),
    /// All files of one kind away, wherever they lie in the project, by their ending.
    FilesOfKind(&'t str),
    /// A branch of this repository away.
    Branch(&'t str),
    /// A branch of the remote away.
    RemoteBranch(&'t str),
    /// A tag of the remote away.
    RemoteTag(&'t str),
    /// A table away.
    Table(&'t str),
    /// All rows of a table away.
    Emptied(&'t str),
    /// A database away.
    Database(&'t str),
    /// The branch that is checked out pushed by force.
    ForcePush,
    /// A branch pushed by force.
    ForcePushOf(&'t str),
    /// All files that git does not keep, and does not ignore, away.
    Untracked,
    /// All that is changed and not committed as it was before.
    Uncommitted,
    /// The same of one file or folder.
    Changes(&'t str),
    /// A file or folder as another commit has it.
    ChangesFrom {
        /// The branch or the commit.
        commit: &'t str,
        /// The file or the folder.
        path: &'t str,
    },
    /// The branch that is checked out as another one is, or a commit.
    ResetTo(&'t str),
    /// What was put on the stash last.
    Stash,
    /// What was put there before, by its number.
    StashEntry(&'t str),
    /// All that was put there.
    Stashes,
    /// Another tree of this repository away, by the name of its folder.
    Worktree(&'t str),
    /// A command as it is written, with one blank between its words.
    Command(&'t str),
    /// A file or a folder written.
    Place(&'t str),
    /// Files left as they are.
    LeftAlone(Meant<'t>),
    /// Files that may be changed though others, among which they are, may not.
    Excepted(Meant<'t>),
    /// A package that may become a dependency, whatever may not.
    Package(&'t str),
    /// A package that may not.
    NoPackage(&'t str),
    /// An act that waits for something, with the words for that.
    Until(&'t str),
    /// Files as they were before.
    Undone(Meant<'t>),
    /// Files neither deleted, nor moved or renamed.
    Kept(Meant<'t>),
    /// Of what is to be left as it is, what is there already: what is new may be made.
    LeftIfThere,
    /// No other files changed than some.
    Only,
    /// Files changed, and no others.
    OnlyOf(Meant<'t>),
    /// That no others are changed holds until the user says otherwise.
    OnlyLasts,
    /// What the agent asked to be answered with, in one of the ways in which haste may spell it.
    Reply(&'t str),
    /// What the user forbids as a whole, by the name of the act.
    Forbidden(&'t str),
    /// The same as the agent offers it.
    Offered(&'t str),
    /// The same as it is needed for what the agent offers.
    Needed(&'t str),
}

impl<'t> Wish<'t> {
    /// All that may be wanted of what is called so.
    pub fn all_of(name: &'t str) -> [Self; 10] {
        [
            Self::Path(name),
            Self::Branch(name),
            Self::RemoteBranch(name),
            Self::RemoteTag(name),
            Self::Table(name),
            Self::Emptied(name),
            Self::Database(name),
            Self::ForcePushOf(name),
            Self::Changes(name),
            Self::Worktree(name),
        ]
    }

    /// Its hash, and of what lies at the remote the same under a mark that says so.
    pub fn hashes_by_place(self) -> impl Iterator<Item = u64> {
        let is_remote = matches!(self, Self::RemoteBranch(_) | Self::RemoteTag(_));
        let hash = self.hash();
        std::iter::once(hash).chain(is_remote.then(|| Self::at_remote(hash)))
    }

    /// The hash of something that lies at the remote, under the mark that says so.
    pub fn at_remote(hash: u64) -> u64 {
        hash ^ hashed("at", "remote")
    }

    /// Its hash.
    pub fn hash(self) -> u64 {
        let (kind, name) = match self {
            Self::Path(name) => ("path", name),
            Self::FilesOfKind(ending) => ("filesofkind", ending),
            Self::Branch(name) => ("branch", name),
            Self::RemoteBranch(name) => ("remote", name),
            Self::RemoteTag(name) => ("remotetag", name),
            Self::Table(name) => ("table", name),
            Self::Emptied(name) => ("emptied", name),
            Self::ForcePush => ("force", ""),
            Self::ForcePushOf(name) => ("forceof", name),
            Self::Untracked => ("untracked", ""),
            Self::Uncommitted => ("uncommitted", ""),
            Self::Database(name) => ("database", name),
            Self::Changes(name) => ("changes", name),
            Self::ChangesFrom { commit, path } => {
                return hashed("from", &format!("{commit}:{path}"));
            }
            Self::ResetTo(name) => ("resetto", name),
            Self::Stash => ("stash", ""),
            Self::StashEntry(number) => ("stashentry", number),
            Self::Stashes => ("stashes", ""),
            Self::Worktree(folder) => ("worktree", folder),
            Self::Command(line) => ("command", line),
            Self::Place(name) => ("place", name),
            Self::Excepted(Meant::Path(path)) => ("excepted", path),
            Self::Excepted(Meant::Purpose(purpose)) => ("exceptedby", purpose),
            Self::Excepted(Meant::Name(name)) => ("exceptedname", name),
            Self::Until(waiting) => ("until", waiting),
            Self::Package(name) => ("package", name),
            Self::NoPackage(name) => ("nopackage", name),
            Self::Undone(Meant::Path(path)) => ("undone", path),
            Self::Undone(Meant::Purpose(purpose)) => ("undoneby", purpose),
            Self::Undone(Meant::Name(name)) => ("undonename", name),
            Self::LeftAlone(Meant::Path(path)) => ("left", path),
            Self::LeftAlone(Meant::Purpose(purpose)) => ("leftby", purpose),
            Self::LeftAlone(Meant::Name(name)) => ("leftname", name),
            Self::Kept(Meant::Name(name)) => ("keptname", name),
            Self::OnlyOf(Meant::Name(name)) => ("onlyname", name),
            Self::Kept(Meant::Path(path)) => ("kept", path),
            Self::Kept(Meant::Purpose(purpose)) => ("keptby", purpose),
            Self::LeftIfThere => ("leftifthere", ""),
            Self::Only => ("only", ""),
            Self::OnlyLasts => ("onlylasts", ""),
            Self::OnlyOf(Meant::Path(path)) => ("onlyof", path),
            Self::OnlyOf(Meant::Purpose(purpose)) => ("onlyby", purpose),
            Self::Reply(spelling) => ("reply", spelling),
            Self::Forbidden(act) => ("forbidden", act),
            Self::Offered(act) => ("offered", act),
            Self::Needed(act) => ("needed", act),
        };
        hashed(kind, name)
    }
}

/// The hash of a thing of a kind by its name.
pub(super) fn hashed(kind: &str, name: &str) -> u64 {
    // Signs tell one path from another.
    let escaped: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    hash_of(&format!("{kind}{escaped}")).unwrap_or_default()
}

/// Whether a text is the number of a request or an issue.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of an entry of git's stash: `stash@{2}`, or the number alone.
pub(super) fn stash_number(word: &str) -> Option<&str> {
    let inside = word.strip_prefix("stash@{").map_or(Some(word), |rest| rest.strip_suffix('}'))?;
    let is_short = inside.len() <= 3 && inside.bytes().all(|byte| byte.is_ascii_digit());
    (is_short && !inside.is_empty()).then_some(inside)
}

/// A word without what people put around it.
pub(super) fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| {
        matches!(c, '`' | '\'' | '"' | '(' | ')' | ',' | ':' | ';' | '!' | '?')
    })
    .trim_end_matches('.')
}

/// The word at a place without what people put around it; an empty one where there is none.
pub(super) fn plain<'w>(words: &[&'w str], at: usize) -> &'w str {
    words.get(at).map_or("", |word| trimmed(word))
}

/// The name that a word is, in its shortest form; `None` for a pattern, and for what leads out of where it stands.
pub(super) fn name(word: &str) -> Option<&str> {
    let name = trimmed(word);
    let name = name.strip_prefix("./").unwrap_or(name).trim_end_matches('/');
    // What lies in the user's home is told from there.
    let below = name.strip_prefix("~/").unwrap_or(name);
    let is_odd = below.contains(['*', '?', '[', '{', '$', '~', '\\'])
        || name.split('/').any(|part| part == "..");
    (!name.is_empty() && name != "." && !is_odd).then_some(name)
}

/// Whether a name is one of a file or a folder, and of nothing else but perhaps a branch.
pub(super) fn is_path(name: &str) -> bool {
    name.contains('/')
        || name.get(1..).is_some_and(|rest| rest.contains('.'))
        || name.len() > 1 && name.starts_with('.')
}

/// The name of a branch or a commit that a word is, where it can be nothing else.
pub(super) fn commit_name(word: &str) -> Option<&str> {
    let name = trimmed(word);
    let is_commit = name.starts_with("HEAD")
        || ["origin/", "upstream/"].iter().any(|remote| name.starts_with(remote))
        || (7..=40).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then_some(name)
}
