//! The files that words mean: by their path, by a part of it, by the name of a folder, or by what they are for. Knows no
//! verbs and no rules.

use super::wish::{is_path, name, trimmed};

/// What files are meant by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meant<'t> {
    /// A path or a part of one, in lower case.
    Path(&'t str),
    /// What they are for, by one word for it.
    Purpose(&'t str),
}

/// Folders that are called by their bare name.
const FOLDERS: [&str; 7] =
    ["src", "lib", "infra", "scripts", "frontend", "backend", "node_modules"];

/// Names of more parts than this are not looked for within a path.
const MAX_PARTS: usize = 8;

/// Files by what they are for: what they are called, and how they are told by their path.
struct Thing {
    /// What it is called.
    words: &'static [&'static str],
    /// Folders in which all is of it.
    folders: &'static [&'static str],
    /// What the names of its files begin with.
    begins: &'static [&'static str],
    /// What their names end with, before the last dot.
    ends: &'static [&'static str],
}

/// The first word of each is its name.
const THINGS: &[Thing] = &[
    Thing {
        words: &["tests", "test", "specs", "testsuite"],
        folders: &["test", "tests", "__tests__", "spec", "specs", "e2e"],
        begins: &["test_"],
        ends: &["_test", ".test", ".spec", "_spec"],
    },
    Thing {
        words: &["migrations", "migration"],
        folders: &["migrations", "migration", "migrate"],
        begins: &[],
        ends: &[],
    },
    Thing {
        words: &["docs", "documentation"],
        folders: &["docs", "doc", "documentation"],
        begins: &[],
        ends: &[],
    },
    Thing {
        words: &["lockfile", "lockfiles", "lock-file"],
        folders: &[],
        begins: &[
            "package-lock.json",
            "yarn.lock",
            "pnpm-lock.",
            "bun.lock",
            "cargo.lock",
            "poetry.lock",
            "uv.lock",
            "pipfile.lock",
            "gemfile.lock",
            "composer.lock",
            "go.sum",
            "flake.lock",
        ],
        ends: &[],
    },
    Thing { words: &["readme", "readmes"], folders: &[], begins: &["readme"], ends: &[] },
    Thing { words: &["changelog"], folders: &[], begins: &["changelog"], ends: &[] },
    Thing {
        words: &["dockerfile", "dockerfiles"],
        folders: &[],
        begins: &["dockerfile"],
        ends: &[],
    },
    Thing { words: &["makefile", "makefiles"], folders: &[], begins: &["makefile"], ends: &[] },
    Thing { words: &["gitignore"], folders: &[], begins: &[".gitignore"], ends: &[] },
    Thing { words: &["tsconfig"], folders: &[], begins: &["tsconfig"], ends: &[] },
    Thing {
        words: &["fixtures", "fixture"],
        folders: &["fixtures", "__fixtures__", "testdata"],
        begins: &[],
        ends: &[],
    },
    Thing {
        words: &["snapshots", "snapshot"],
        folders: &["__snapshots__", "snapshots"],
        begins: &[],
        ends: &[],
    },
    Thing {
        words: &["workflows", "ci"],
        folders: &["workflows", ".circleci"],
        begins: &[".gitlab-ci", ".travis", "jenkinsfile", "azure-pipelines"],
        ends: &[],
    },
    Thing {
        words: &["vendor", "vendored"],
        folders: &["vendor", "vendored", "third_party"],
        begins: &[],
        ends: &[],
    },
];

impl Thing {
    fn called(word: &str) -> Option<&'static Self> {
        THINGS.iter().find(|thing| thing.words.contains(&word))
    }

    fn meant(&self) -> Meant<'static> {
        Meant::Purpose(self.words.first().copied().unwrap_or_default())
    }

    /// Whether a path, in lower case, is one of its files.
    fn has(&self, path: &str) -> bool {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let is_below =
            || folders.split('/').chain([file]).any(|folder| self.folders.contains(&folder));
        self.begins.iter().any(|begin| file.starts_with(begin))
            || self.ends.iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
            || is_below()
    }
}

/// Whether something that a file may be meant by, as seen from the project, is one of those that are told.
pub(crate) fn is_meant(path: &str, mut is_told: impl FnMut(Meant<'_>) -> bool) -> bool {
    let lower = path.to_lowercase();
    let parts: Vec<&str> = lower.split('/').filter(|part| !part.is_empty()).collect();
    let is_part = (0..parts.len()).any(|from| {
        let longest = MAX_PARTS.min(parts.len() - from);
        let mut lengths = 1..=longest;
        lengths.any(|length| {
            let run = parts.get(from..from + length).unwrap_or_default().join("/");
            is_told(Meant::Path(&run))
        })
    });
    is_part || THINGS.iter().filter(|thing| thing.has(&lower)).any(|thing| is_told(thing.meant()))
}

/// What a word stands for where it names something that may be changed.
pub(super) fn meant_by(word: &str) -> Option<Meant<'_>> {
    Thing::called(word).map(Thing::meant).or_else(|| name(word).map(Meant::Path))
}

/// Words that say no more of a thing than that it is meant.
const AROUND: &[&str] = &[
    "the",
    "my",
    "our",
    "your",
    "any",
    "anything",
    "files",
    "file",
    "folder",
    "folders",
    "directory",
    "directories",
    "dir",
    "code",
    "of",
    "all",
    "in",
    "inside",
    "under",
    "below",
    "within",
    "from",
    "a",
    "this",
    "that",
    "those",
    "these",
    "to",
    "contents",
    "content",
    "whole",
    "entire",
    "at",
    "generated",
    "committed",
    "either",
    "both",
    "following",
    // In other languages.
    "die",
    "der",
    "das",
    "den",
    "dem",
    "le",
    "la",
    "les",
    "el",
    "los",
    "las",
    "au",
    "aux",
    "du",
];

/// Words that say of what kind the thing is that they stand beside.
const KINDS: &[&str] = &[
    "folder",
    "directory",
    "dir",
    "file",
    "files",
    "package",
    "module",
    "crate",
    "tree",
    "subtree",
];

/// The files that words name, which begin at the first one; `None` where something else is among them.
pub(super) fn named<'t>(words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    let mut found = Vec::new();
    // Whether a name may follow: at the start, and behind what joins names.
    let mut is_open = true;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let (own, next) = (plain(words, at), plain(words, at + 1));
        if matches!(own, "or" | "and" | "nor" | "&" | "") {
            is_open = true;
        } else if is_folder(own) && is_open && is_bare_name(next) {
            // "The folder legacy", and no "file format".
            found.push(Meant::Path(next));
            at += 1;
            is_open = false;
        } else if KINDS.contains(&own) || is_open && AROUND.contains(&own) {
            // Says nothing of its own.
        } else if !is_open {
            let rest = words.get(at..).unwrap_or_default();
            return (ends(own) && may_end_with(rest)).then_some(found);
        } else if let Some(meant) = name_of(own, KINDS.contains(&next)) {
            found.push(meant);
            is_open = false;
        } else if at > 0 && words.get(at - 1).is_some_and(|word| word.ends_with(',')) {
            // Behind a comma, the user may go on with something else.
            break;
        } else {
            return None;
        }
        is_open |= word.ends_with(',');
        if word.ends_with([';', '!', '.', ':']) || matches!(*word, "-" | "–" | "—") {
            break;
        }
        at += 1;
    }
    (!found.is_empty()).then_some(found)
}

fn is_folder(word: &str) -> bool {
    matches!(word, "folder" | "directory" | "dir")
}

/// What a word names: a path, a name that stands beside the word for its kind, or what files are for.
fn name_of(word: &str, is_of_kind: bool) -> Option<Meant<'_>> {
    if let Some(thing) = Thing::called(word) {
        return Some(thing.meant());
    }
    let name = name(word)?;
    if FOLDERS.contains(&name) {
        return Some(Meant::Path(name));
    }
    let is_meant = (is_path(name) || word.contains('/')) && !name.starts_with("http");
    (is_meant || is_of_kind && is_bare_name(name)).then_some(Meant::Path(name))
}

fn is_bare_name(word: &str) -> bool {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    !word.is_empty()
        && word.bytes().all(is_plain)
        && !AROUND.contains(&word)
        && !KINDS.contains(&word)
        && !ends(word)
        && !matches!(
            word,
            "existing" | "other" | "right" | "same" | "current" | "new" | "old" | "main"
        )
}

/// Whether a word stands behind what is named, and says why or how long.
pub(super) fn ends(word: &str) -> bool {
    const ENDING: &[&str] = &[
        "please",
        "pls",
        "yet",
        "for",
        "now",
        "at",
        "here",
        "until",
        "till",
        "before",
        "unless",
        "because",
        "since",
        "as",
        "so",
        "it",
        "they",
        "them",
        "we",
        "i",
        "you",
        "just",
        "only",
        "while",
        "but",
        "then",
        "ever",
        "again",
        "either",
        "itself",
        "themselves",
        "in",
        "though",
        "to",
        "alone",
        "thanks",
        "is",
        "are",
        "who",
        "which",
    ];
    ENDING.contains(&word)
}

/// Whether what stands behind the things leaves them forbidden: not where it depends on something else than the user.
fn may_end_with(words: &[&str]) -> bool {
    const USERS: &[&str] =
        &["i", "i've", "we", "told", "asked", "asking", "my", "explicitly", "you"];
    let first = words.first().map_or("", |word| trimmed(word));
    match first {
        "until" | "till" | "before" | "unless" => {
            words.iter().skip(1).take(3).any(|word| USERS.contains(&trimmed(word)))
        }
        "as" => matches!(
            words.get(1).map(|word| trimmed(word)),
            Some("they" | "it" | "we" | "i" | "that")
        ),
        _ => true,
    }
}

/// A word without what people put around it; an empty one where there is none.
pub(super) fn plain<'w>(words: &[&'w str], at: usize) -> &'w str {
    words.get(at).map_or("", |word| trimmed(word))
}
