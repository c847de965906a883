//! What the verb of an act is about: names, what kind of thing they are, and what is said of them. Reads words, and knows
//! no verbs.

use super::lexicon::{Kind, Role, role};
use super::wish::{USUAL_DEFAULTS, commit_name, is_number, is_path, name, stash_number, trimmed};

/// Where something is wanted away from that is no place in a project.
const WHENCE: &[&str] = &[
    "origin",
    "remote",
    "github",
    "gitlab",
    "disk",
    "git",
    "here",
    "upstream",
    "repo",
    "repository",
    "workspace",
    "project",
    "codebase",
    "tree",
    "orbit",
];

/// What something shall be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target<'t> {
    /// What was committed last.
    Committed,
    /// What the remote has of the branch.
    Upstream,
    /// What a branch or a commit has.
    Commit(&'t str),
    /// What it was before: of a file, what was committed last.
    Before,
}

/// What an act is about.
#[derive(Debug, Default)]
pub(super) struct Phrase<'t> {
    /// The kinds that are named, in order.
    pub kinds: Vec<Kind>,
    /// What may be names, in order: not each is one.
    pub names: Vec<&'t str>,
    /// The folder in which it lies.
    pub within: Option<&'t str>,
    /// The ending of the files that are meant: "all csv files".
    pub ending: Option<String>,
    /// What it shall be like.
    pub target: Option<Target<'t>>,
    /// What it shall be like is said, and nobody can tell what it is, or it is said what it is good for.
    pub is_for_something: bool,
    /// A number that is named.
    pub count: Option<&'t str>,
    /// A word that says how something is, and may be its name.
    pub adjective: Option<&'t str>,
    pub has_plural_stash: bool,
    /// A word says which of them are meant: "old", "empty".
    pub is_narrowed: bool,
    pub is_all: bool,
    pub is_whole: bool,
    pub is_untracked: bool,
    pub is_uncommitted: bool,
    pub is_local: bool,
    pub is_remote: bool,
    pub is_also: bool,
    pub is_last: bool,
}

impl<'t> Phrase<'t> {
    /// Reads what stands behind a verb; `None` where it is a part of what is named, or more.
    pub fn of(words: &[&'t str]) -> Option<Self> {
        let lower: Vec<String> = words.iter().map(|word| trimmed(word).to_lowercase()).collect();
        let mut phrase = Self::default();
        let mut at = 0;
        while let Some(word) = lower.get(at) {
            let behind = words.get(at + 1..).unwrap_or_default();
            match role(word) {
                Role::Part => return None,
                Role::End => break,
                // The changes in files, or to them, are theirs.
                Role::To | Role::Within
                    if phrase.kinds == [Kind::Change]
                        && first_name(behind).is_some_and(is_path) => {}
                // "To the remote" is where it is wanted from in other languages.
                Role::To if is_remote(behind) => phrase.is_remote = true,
                Role::To => {
                    phrase.target = target(behind);
                    phrase.is_for_something = phrase.target.is_none();
                    break;
                }
                Role::Since => {
                    phrase.target = target(behind).filter(|target| *target == Target::Committed);
                    break;
                }
                // "On my local database" is where it lies.
                Role::From if is_in_database(behind) => break,
                Role::From => {
                    let Some(place) = first_name(behind) else {
                        phrase.target = Some(target(behind)?);
                        break;
                    };
                    let plain = trimmed(place).to_lowercase();
                    if !is_whence(place) {
                        phrase.target = target(behind);
                        phrase.within = name(place).filter(|_| phrase.target.is_none());
                        break;
                    }
                    phrase.is_remote |= matches!(
                        plain.as_str(),
                        "origin" | "remote" | "github" | "gitlab" | "upstream"
                    );
                    at += behind.iter().position(|word| *word == place).unwrap_or(0) + 1;
                }
                // "In here" says no more than that it is here.
                Role::Within if first_name(behind).is_none_or(is_whence) => {
                    at += behind.len().min(1);
                }
                Role::Within => {
                    phrase.within = Some(only_name(behind)?);
                    break;
                }
                Role::Of => {
                    if !phrase.is_all || !phrase.names.is_empty() {
                        return None;
                    }
                    phrase.within = Some(only_name(behind)?);
                    break;
                }
                role => phrase.take(
                    role,
                    words.get(at).copied().unwrap_or_default(),
                    lower.get(at + 1),
                )?,
            }
            at += 1;
        }
        Some(phrase)
    }

    /// Takes up one word; `None` where it can be no part of a name.
    fn take(&mut self, role: Role, word: &'t str, next: Option<&String>) -> Option<()> {
        match role {
            Role::Kind(kind) => {
                self.has_plural_stash |= trimmed(word).eq_ignore_ascii_case("stashes");
                if word.contains("@{") {
                    self.count = stash_number(trimmed(word));
                }
                self.kinds.push(kind);
            }
            Role::Around => {
                const PLAIN: [&str; 14] = [
                    "the", "my", "our", "your", "these", "those", "please", "now", "up", "git",
                    "rid", "get", "just", "me",
                ];
                self.is_narrowed |= !PLAIN.contains(&trimmed(word).to_lowercase().as_str());
                self.adjective = name(word);
            }
            Role::All => self.is_all = true,
            Role::Whole => self.is_whole = true,
            Role::Untracked => self.is_untracked = true,
            Role::Uncommitted => self.is_uncommitted = true,
            Role::Local => self.is_local = true,
            Role::Remote => self.is_remote = true,
            Role::Also => self.is_also = true,
            Role::Everywhere => (self.is_local, self.is_remote) = (true, true),
            Role::Last => self.is_last = true,
            Role::Name if is_number(trimmed(word)) => self.count = Some(trimmed(word)),
            Role::Name => {
                let is_of_files =
                    next.is_some_and(|next| next == "files" || next == "file" && self.is_all);
                match ending(word, is_of_files) {
                    Some(ending) => self.ending = Some(ending),
                    None => self.take_name(word)?,
                }
            }
            _ => {}
        }
        Some(())
    }

    fn take_name(&mut self, word: &'t str) -> Option<()> {
        let found = name(word)?;
        // A slash behind it says what it is.
        self.kinds.extend(trimmed(word).ends_with('/').then_some(Kind::Path));
        self.names.push(found);
        Some(())
    }

    /// Whether something of this kind is meant.
    pub fn is(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }
}

/// The ending of files that a word tells: `*.csv`, ".csv" and, before "files", "csv".
fn ending(word: &str, is_of_files: bool) -> Option<String> {
    let word = trimmed(word);
    let bare = word.strip_prefix("*.").or_else(|| word.strip_prefix('.').filter(|_| is_of_files));
    let ending = bare.or(Some(word).filter(|_| is_of_files && word.len() <= 5))?;
    let is_ending = !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_ending.then(|| ending.to_lowercase())
}

/// Whether words name the remote, and nothing there.
fn is_remote(words: &[&str]) -> bool {
    let mut words = words.iter().map(|word| trimmed(word).to_lowercase());
    let first = words.find(|word| role(word) != Role::Around);
    first.is_some_and(|word| role(&word) == Role::Remote)
}

/// Whether words say no more than that something lies in a database.
fn is_in_database(words: &[&str]) -> bool {
    let mut roles = words.iter().map(|word| role(&trimmed(word).to_lowercase())).peekable();
    let mut has_database = false;
    while let Some(Role::Around | Role::Local | Role::Kind(Kind::Database)) = roles.peek() {
        has_database |= roles.next() == Some(Role::Kind(Kind::Database));
    }
    has_database && roles.next().is_none()
}

/// Whether a word says no more than where all of it is.
fn is_whence(place: &str) -> bool {
    WHENCE.contains(&trimmed(place).to_lowercase().as_str())
}

/// The first word that may be a name.
fn first_name<'t>(words: &[&'t str]) -> Option<&'t str> {
    let is_around = |word: &&&str| {
        matches!(role(&trimmed(word).to_lowercase()), Role::Around | Role::Kind(_) | Role::Local)
    };
    words.iter().find(|word| !is_around(word)).copied()
}

/// The name that words are, where they are no more than one: "the data/raw folder".
fn only_name<'t>(words: &[&'t str]) -> Option<&'t str> {
    let mut found = None;
    for word in words {
        match role(&trimmed(word).to_lowercase()) {
            Role::Around | Role::Kind(_) | Role::Whole | Role::Also => {}
            Role::End => break,
            _ if found.is_none() => found = Some(name(word)?),
            _ => return None,
        }
    }
    found
}

/// What words say that something shall be like.
fn target<'t>(words: &[&'t str]) -> Option<Target<'t>> {
    let lower: Vec<String> = words.iter().map(|word| trimmed(word).to_lowercase()).collect();
    let is_of_commit = |word: &String| {
        matches!(
            role(word),
            Role::Around
                | Role::Kind(Kind::Commit | Kind::Branch | Kind::Tree)
                | Role::Last
                | Role::All
                | Role::Local
                | Role::Remote
        ) || matches!(
            word.as_str(),
            "version"
                | "committed"
                | "head"
                | "how"
                | "way"
                | "were"
                | "has"
                | "have"
                | "had"
                | "clean"
                | "working"
                | "it"
                | "copy"
                | "on"
                | "in"
                | "from"
                | "git"
                | "last"
        )
    };
    let rest: Vec<(&String, &&'t str)> =
        lower.iter().zip(words).filter(|(word, _)| !is_of_commit(word)).collect();
    let says = |known: &[&str]| lower.iter().any(|word| known.contains(&word.as_str()));
    let is_of_remote = says(&["origin", "remote", "upstream"]);
    match rest.as_slice() {
        [] if is_of_remote => Some(Target::Upstream),
        [] if says(&["was", "were"]) => Some(Target::Before),
        [] if says(&["head", "committed", "git"])
            || says(&["last", "latest"]) && says(&["commit", "version"])
            || says(&["clean"]) && says(&["tree", "worktree", "copy"]) =>
        {
            Some(Target::Committed)
        }
        [(_, word)] => {
            // A name with a folder in it, which the command has to have, too.
            let is_branch = USUAL_DEFAULTS.contains(&trimmed(word)) || trimmed(word).contains('/');
            let named = commit_name(word).or(Some(trimmed(word)).filter(|_| is_branch));
            named.map(|name| if name == "HEAD" { Target::Committed } else { Target::Commit(name) })
        }
        _ => None,
    }
}
