//! What exactly a user wants away, or overwritten, by its name: files and folders, branches, tables, a forced push, and
//! commands that he writes out. Kept are hashes, and a command is held against them. Knows no rules.

use crate::acts::acts;
use crate::scheduled::hash_of;

/// Of so many words a command may be that a user writes out.
const MAX_COMMAND_WORDS: usize = 12;

/// What the default branch is called where a repository does not tell.
pub(crate) const USUAL_DEFAULTS: [&str; 2] = ["main", "master"];

/// Verbs that want something away.
const DELETING: &[&str] = &[
    "delete", "remove", "rm", "drop", "erase", "wipe", "nuke", "deleting", "removing", "dropping",
];

/// Words around the name of what is wanted away that say nothing else of it.
const AROUND: &[&str] = &[
    "the",
    "a",
    "my",
    "our",
    "that",
    "this",
    "these",
    "those",
    "old",
    "whole",
    "entire",
    "stale",
    "unused",
    "local",
    "remote",
    "both",
    "also",
    "just",
    "please",
    "now",
    "and",
    "&",
    "plus",
    "named",
    "called",
    "-rf",
    "-r",
    "-f",
    "--delete",
    "-d",
    "--",
    "obsolete",
    "empty",
    "dead",
    "locally",
    "remotely",
    "completely",
    "entirely",
    "again",
    "recreate",
    "rebuild",
    "too",
    "here",
    "everywhere",
];

/// What makes it only a part of what is named, or more than that: nothing is named then.
const PARTS: &[&str] = &[
    "in",
    "of",
    "inside",
    "within",
    "under",
    "that",
    "which",
    "where",
    "whose",
    "with",
    "except",
    "if",
    "unless",
    "only",
    "matching",
    "containing",
    "older",
    "every",
    "all",
    "any",
    "anything",
    "everything",
    "some",
];

/// Where something is wanted away from, that is no place in a project.
const WHENCE: &[&str] =
    &["origin", "remote", "github", "gitlab", "disk", "git", "here", "upstream", "repo"];

/// What a user may want exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish<'t> {
    /// A file or a folder away.
    Path(&'t str),
    /// A branch of this repository away.
    Branch(&'t str),
    /// A branch of the remote away.
    RemoteBranch(&'t str),
    /// A table away.
    Table(&'t str),
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
    /// The branch that is checked out as another one is, or a commit.
    ResetTo(&'t str),
    /// What was put on the stash last.
    Stash,
    /// All that was put there.
    Stashes,
    /// A command as it is written, with one blank between its words.
    Command(&'t str),
    /// A file or a folder written.
    Place(&'t str),
    /// A request or an issue that was spoken of, by its number; without one: that any was.
    Request(&'t str),
}

impl Wish<'_> {
    /// Its hash.
    pub fn hash(self) -> u64 {
        let (kind, name) = match self {
            Self::Path(name) => ("path", name),
            Self::Branch(name) => ("branch", name),
            Self::RemoteBranch(name) => ("remote", name),
            Self::Table(name) => ("table", name),
            Self::ForcePush => ("force", ""),
            Self::ForcePushOf(name) => ("forceof", name),
            Self::Untracked => ("untracked", ""),
            Self::Uncommitted => ("uncommitted", ""),
            Self::Database(name) => ("database", name),
            Self::Changes(name) => ("changes", name),
            Self::ResetTo(name) => ("resetto", name),
            Self::Stash => ("stash", ""),
            Self::Stashes => ("stashes", ""),
            Self::Command(line) => ("command", line),
            Self::Place(name) => ("place", name),
            Self::Request(number) => ("request", number),
        };
        // Signs tell one path from another.
        let escaped: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
        hash_of(&format!("{kind}{escaped}")).unwrap_or_default()
    }
}

/// The hashes of what some clauses of a user wish for, by its name.
pub(crate) fn wishes(clauses: &[String]) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    for clause in clauses {
        found.extend(acts(clause).iter().flat_map(|act| of_act(act)));
        found.extend(requests_spoken_of(clause));
        found.extend(
            subject_of_passive(clause).map(|subject| by_name(&subject)).unwrap_or_default(),
        );
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The requests and issues that a clause names by their numbers: "PR 41", "#41", "pull/41".
fn requests_spoken_of(clause: &str) -> Vec<u64> {
    const KINDS: &[&str] = &[
        "pr", "prs", "mr", "mrs", "request", "requests", "pull", "issue", "issues", "and", "or",
        "&",
    ];
    let mut found = Vec::new();
    let mut before = String::new();
    for word in clause.split_whitespace() {
        let plain = trimmed(word).to_lowercase();
        let is_listed =
            KINDS.contains(&before.as_str()) && (is_number(&plain) || !found.is_empty());
        let number = plain
            .strip_prefix(['#', '!'])
            .or_else(|| plain.rsplit_once("/pull/").map(|(_, number)| number))
            .or_else(|| plain.rsplit_once("/issues/").map(|(_, number)| number))
            .or_else(|| plain.rsplit_once('#').map(|(_, number)| number))
            .or_else(|| plain.strip_prefix("pr").or_else(|| plain.strip_prefix("mr")))
            .or(is_listed.then_some(plain.as_str()));
        if let Some(number) = number.filter(|number| is_number(number)) {
            found.push(Wish::Request(number).hash());
        }
        before = plain;
    }
    if !found.is_empty() {
        found.push(Wish::Request("").hash());
    }
    found
}

/// Whether a text is the number of a request or an issue.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn of_act(act: &str) -> Vec<u64> {
    let words: Vec<&str> = act.split_whitespace().collect();
    let asked = words.iter().position(|word| !matches!(*word, "do" | "a" | "another"));
    let mut found = written_out(words.get(asked.unwrap_or(0)..).unwrap_or_default());
    found.extend(by_name(&with_one_verb(&words)));
    found
}

/// The hashes of the places that some clauses want something put to, whatever else they depend on.
pub(crate) fn places(clauses: &[String]) -> Vec<u64> {
    let acts = clauses.iter().flat_map(|clause| acts(clause));
    acts.flat_map(|act| places_written(&act.split_whitespace().collect::<Vec<_>>())).collect()
}

/// The places that an act wants something put to: each path in it that is told from its root, or from the user's home.
fn places_written(words: &[&str]) -> Vec<u64> {
    const WRITING: &[&str] = &[
        "add",
        "append",
        "write",
        "put",
        "save",
        "store",
        "copy",
        "move",
        "edit",
        "change",
        "update",
        "set",
        "create",
        "install",
        "export",
        "replace",
        "fix",
        "insert",
        "dump",
        "generate",
        "output",
        "link",
        "download",
        "clone",
        "extract",
        "unpack",
        "back",
        "backup",
        "configure",
        "place",
        "render",
        "log",
        "symlink",
    ];
    let verb = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    if !WRITING.contains(&verb.as_str()) {
        return Vec::new();
    }
    let is_place = |name: &&str| {
        let below = name.strip_prefix('~').unwrap_or(name);
        below.len() > 1
            && below.starts_with('/')
            && !name.contains(['*', '?', '[', '{', '$', '\\'])
            && !name.split('/').any(|part| part == "..")
    };
    let names = words.iter().skip(1).map(|word| trimmed(word).trim_end_matches('/'));
    names.filter(is_place).map(|name| Wish::Place(name).hash()).collect()
}

/// The words of an act, whose verb is one word then: "get rid of docs", "git rm docs".
fn with_one_verb<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let lower = |at: usize| words.get(at).map(|word| word.to_lowercase()).unwrap_or_default();
    let length = match (&*lower(0), &*lower(1), &*lower(2)) {
        ("get" | "getting", "rid", "of") => 3,
        ("git", "rm", _) => 2,
        _ => return words.to_vec(),
    };
    std::iter::once("remove").chain(words.iter().skip(length).copied()).collect()
}

/// The words of an act that says of something that it shall go: "docs/old can go", "I'd like docs/old gone".
fn subject_of_passive(clause: &str) -> Option<Vec<&str>> {
    const GOING: &[&[&str]] = &[
        &["can", "go"],
        &["should", "go"],
        &["must", "go"],
        &["needs", "to", "go"],
        &["can", "be", "deleted"],
        &["can", "be", "removed"],
        &["should", "be", "deleted"],
        &["should", "be", "removed"],
        &["must", "be", "deleted"],
        &["must", "be", "removed"],
        &["needs", "to", "be", "deleted"],
        &["needs", "to", "be", "removed"],
        &["gone"],
    ];
    const BEFORE: &[&str] =
        &["i'd", "i’d", "i", "we", "want", "like", "would", "need", "and", "so", "then"];
    let words: Vec<&str> = clause.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| trimmed(word).to_lowercase()).collect();
    let end = (1..words.len()).find(|at| {
        let rest = lower.get(*at..).unwrap_or_default();
        GOING.iter().any(|going| rest.len() == going.len() && rest.iter().eq(going.iter()))
    })?;
    let start = lower.iter().take_while(|word| BEFORE.contains(&word.as_str())).count();
    let subject = words.get(start..end).filter(|subject| !subject.is_empty())?;
    Some(std::iter::once("remove").chain(subject.iter().copied()).collect())
}

/// The commands that an act may begin with, each as long as it can be: where it ends, nobody can tell. `None` of one word,
/// which may be a verb, and none before a word that makes it less.
fn written_out(words: &[&str]) -> Vec<u64> {
    let mut found = Vec::new();
    let mut line = String::new();
    for (index, word) in words.iter().take(MAX_COMMAND_WORDS).enumerate() {
        let is_first = index == 0;
        if !is_first {
            line.push(' ');
        }
        line.push_str(bare(word));
        let next = words.get(index + 1).map(|next| trimmed(next).to_lowercase());
        let is_less = next.is_some_and(|next| PARTS.contains(&next.as_str()));
        if !is_first && !is_less {
            found.push(Wish::Command(&line).hash());
        }
    }
    found
}

/// A word of a command without what people put around it, and without the end of a sentence, which a path may be.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| matches!(c, '\'' | '(' | ')' | ',' | ';' | '!'));
    match word.strip_suffix('.') {
        Some(rest) if !rest.is_empty() && !rest.ends_with(['.', '/']) => rest,
        _ => word,
    }
}

fn by_name(words: &[&str]) -> Vec<u64> {
    let lower: Vec<String> = words.iter().map(|word| trimmed(word).to_lowercase()).collect();
    let at = |index: usize| lower.get(index).map_or("", String::as_str);
    if let Some(behind) = behind_force_push(&lower) {
        let names = words.iter().skip(behind).filter_map(|word| name(word));
        let named = names.map(|name| Wish::ForcePushOf(name).hash());
        return [Wish::ForcePush.hash()].into_iter().chain(named).collect();
    }
    let loose = left_lying(&lower);
    let loose = match lower.iter().position(|word| matches!(word.as_str(), "and" | "then")) {
        // What else is to be done says nothing of it.
        Some(end) if loose.is_empty() => left_lying(lower.get(..end).unwrap_or_default()),
        _ => loose,
    };
    if let Some(back) = taken_back(words, &lower) {
        return back;
    }
    match at(0) {
        _ if !loose.is_empty() => loose,
        verb if DELETING.contains(&verb) => deleted(words, &lower),
        _ => Vec::new(),
    }
}

/// What is wanted as it was before: a file or a folder, the stash, or all as a branch or a commit has it.
fn taken_back(words: &[&str], lower: &[String]) -> Option<Vec<u64>> {
    const VERBS: &[&str] =
        &["revert", "undo", "discard", "reset", "restore", "throw", "drop", "clear"];
    const GOING_TO: &[&str] = &["reset", "go", "back", "return", "restore", "hard-reset", "hard"];
    const LATEST: &[&str] = &["latest", "last", "most", "recent", "newest", "top", "stash@{0}"];
    const LAST_STATE: &[&str] = &["head", "back", "committed", "version"];
    const BETWEEN: &[&str] = &[
        "all",
        "my",
        "the",
        "your",
        "our",
        "any",
        "local",
        "uncommitted",
        "unstaged",
        "change",
        "changes",
        "edits",
        "modifications",
        "in",
        "to",
        "of",
        "on",
        "from",
        "away",
        "out",
        "file",
        "files",
        "that",
        "those",
        "these",
        "and",
        "made",
        "you",
        "what",
        "changed",
    ];
    let verb = lower.first()?.as_str();
    let rest = || lower.iter().zip(words).skip(1);
    if matches!(verb, "drop" | "clear" | "throw") || DELETING.contains(&verb) {
        let is_stash = rest().all(|(word, _)| {
            matches!(&**word, "stash" | "stashes" | "stashed" | "changes" | "git" | "list")
                || BETWEEN.contains(&&**word)
                || LATEST.contains(&&**word)
        });
        let has = |what: &str| lower.iter().any(|word| word == what);
        if is_stash && (has("stash") || has("stashes") || has("stashed")) {
            let is_all = has("stashes") || has("all") || has("list") || verb == "clear";
            let all = is_all.then(|| Wish::Stashes.hash());
            return Some(std::iter::once(Wish::Stash.hash()).chain(all).collect());
        }
    }
    if GOING_TO.contains(&verb)
        && let Some(wishes) = reset_to(words, lower)
    {
        return Some(wishes);
    }
    // "put src/a.ts back" is what "restore src/a.ts" is.
    let is_put_back = verb == "put" && lower.iter().any(|word| word == "back");
    if !VERBS.contains(&verb) && !is_put_back {
        return None;
    }
    let named: Vec<&str> = rest()
        .filter(|(word, _)| {
            !BETWEEN.contains(&word.as_str()) && !LAST_STATE.contains(&word.as_str())
        })
        .take_while(|(word, _)| !matches!(word.as_str(), "then" | "leave" | "keep" | "rest"))
        .map(|(_, word)| name(word).filter(|name| is_path(name)).unwrap_or_default())
        .collect();
    let are_paths = !named.is_empty() && named.iter().all(|name| !name.is_empty());
    are_paths.then(|| named.into_iter().map(|name| Wish::Changes(name).hash()).collect())
}

/// What is wanted as something else has it: "reset to origin/main", "go back to what origin/main has".
fn reset_to(words: &[&str], lower: &[String]) -> Option<Vec<u64>> {
    const AROUND_PLACE: &[&str] = &[
        "back",
        "everything",
        "all",
        "it",
        "hard",
        "--hard",
        "reset",
        "branch",
        "my",
        "the",
        "this",
        "local",
        "exactly",
        "what",
        "state",
        "of",
        "that",
        "current",
        "completely",
    ];
    const BEHIND: &[&str] = &["has", "is", "now", "please", "again", "state"];
    let to = lower.iter().position(|word| word == "to" || word == "as")?;
    let before = lower.get(1..to)?;
    let are_plain = before.iter().all(|word| AROUND_PLACE.contains(&word.as_str()));
    let mut behind = lower.iter().zip(words).skip(to + 1);
    let (_, place) = behind.find(|(word, _)| !AROUND_PLACE.contains(&word.as_str()))?;
    let place = name_of_commit(place)?;
    let ends = behind.all(|(word, _)| BEHIND.contains(&word.as_str()));
    (are_plain && ends).then(|| {
        let all = (place == "HEAD").then(|| Wish::Uncommitted.hash());
        std::iter::once(Wish::ResetTo(place).hash()).chain(all).collect()
    })
}

/// The name of a branch or a commit that a word is, where it can be nothing else.
fn name_of_commit(word: &str) -> Option<&str> {
    let name = trimmed(word);
    let is_commit = name.starts_with("HEAD")
        || ["origin/", "upstream/"].iter().any(|remote| name.starts_with(remote))
        || (7..=40).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then_some(name)
}

/// Whether a name is one of a file or a folder, and of nothing else but perhaps a branch.
fn is_path(name: &str) -> bool {
    name.contains('/')
        || name.get(1..).is_some_and(|rest| rest.contains('.'))
        || name.len() > 1 && name.starts_with('.')
}

/// What is wanted away or back that is not committed, as a whole: nothing where a word says more of it.
fn left_lying(lower: &[String]) -> Vec<u64> {
    const TAKING_BACK: &[&str] =
        &["discard", "revert", "undo", "reset", "throw", "clear", "clean", "restore"];
    const AWAY: &[&str] = &["away", "up", "out", "off", "rid", "get"];
    const ALL: &[&str] = &["all", "any", "every", "everything", "anything", "of"];
    const WHAT: &[&str] = &[
        "change",
        "changes",
        "changed",
        "modification",
        "modifications",
        "edit",
        "edits",
        "file",
        "files",
        "stuff",
        "things",
        "work",
        "folder",
        "folders",
        "directory",
        "directories",
        "dirs",
        "working",
        "tree",
        "worktree",
        "copy",
        "repo",
        "repository",
        "local",
        "locally",
        "unstaged",
        "staged",
        "lying",
        "laying",
        "around",
        "loose",
        "git",
        "new",
        "is",
        "that",
        "that's",
        "which",
        "are",
        "not",
        "yet",
    ];
    let Some((verb, rest)) = lower.split_first() else { return Vec::new() };
    let is_get_rid = verb == "get" && rest.first().is_some_and(|word| word == "rid");
    if !is_get_rid && !TAKING_BACK.contains(&&**verb) && !DELETING.contains(&&**verb) {
        return Vec::new();
    }
    let has = |words: &[&str]| rest.iter().any(|word| words.contains(&word.as_str()));
    let are_known = rest.iter().all(|word| {
        [AWAY, ALL, WHAT, AROUND, &["untracked", "uncommitted"]]
            .iter()
            .any(|known| known.contains(&word.as_str()))
    });
    if !are_known {
        return Vec::new();
    }
    let is_whole = has(&["all", "everything", "local", "unstaged", "tree", "worktree"]);
    let are_changes = has(&["change", "changes", "modifications", "edits"]);
    // What is discarded is what was not committed, and nothing else.
    let is_all_of_it =
        verb == "discard" && matches!(rest, [all] if matches!(all.as_str(), "everything" | "all"));
    let is_tree = has(&["tree", "worktree"]) && has(&["working", "worktree", "git"]);
    let mut found = Vec::new();
    if has(&["untracked"]) {
        found.push(Wish::Untracked.hash());
    }
    if has(&["uncommitted"])
        || are_changes && (is_whole || verb == "discard")
        || is_tree
        || is_all_of_it
    {
        found.push(Wish::Uncommitted.hash());
    }
    // What is not committed may be a file that git never saw.
    if has(&["uncommitted"]) && !are_changes {
        found.push(Wish::Untracked.hash());
    }
    found
}

/// Where the words begin that say what is pushed by force; `None` where nothing is.
fn behind_force_push(lower: &[String]) -> Option<usize> {
    let at = |index: usize| lower.get(index).map_or("", String::as_str);
    let start = usize::from(at(0) == "git");
    let is_flag = |word: &str| word.starts_with("--force") || word == "-f";
    match (at(start), at(start + 1)) {
        ("force-push" | "force-pushing" | "forcepush" | "f-push", _) => Some(start + 1),
        ("overwrite", _) if lower.iter().any(|word| word == "remote") => Some(lower.len()),
        ("force", "push" | "pushing") => Some(start + 2),
        ("push", flag) if is_flag(flag) => Some(start + 2),
        ("push", _) if lower.iter().any(|word| is_flag(word)) => Some(start + 1),
        ("push", _)
            if lower
                .windows(2)
                .any(|pair| pair == ["with", "force"] || pair == ["by", "force"]) =>
        {
            Some(start + 1)
        }
        _ => None,
    }
}

/// What is wanted away: nothing, where something is said of it that makes it a part or more.
fn deleted(words: &[&str], lower: &[String]) -> Vec<u64> {
    let (mut names, mut kinds) = (Vec::new(), Vec::new());
    for (at, (word, plain)) in words.iter().zip(lower).enumerate().skip(1) {
        match plain.as_str() {
            // Where a folder lies may be said behind it.
            "under" | "in" | "inside" | "within" if kinds == ["path"] && names.len() <= 1 => {
                // What else says no more than how it is may be its name here.
                let called = words.get(at.saturating_sub(2)).and_then(|word| name(word));
                let called = names.first().copied().or(called.filter(|_| at > 2));
                let behind = words.get(at + 1..).unwrap_or_default();
                let mut behind = behind
                    .iter()
                    .skip_while(|word| matches!(**word, "the" | "our" | "my"))
                    .filter_map(|word| name(word));
                return match (behind.next(), behind.next(), called) {
                    (Some(place), None, Some(name)) => {
                        vec![Wish::Path(&format!("{place}/{name}")).hash()]
                    }
                    _ => Vec::new(),
                };
            }
            "from" | "on" if ends_well(lower, plain) => break,
            "from" | "on" => return Vec::new(),
            plain if PARTS.contains(&plain) && !AROUND.contains(&plain) => return Vec::new(),
            "folder" | "folders" | "directory" | "directories" | "dir" | "dirs" | "file"
            | "files" => {
                kinds.push("path");
            }
            "branch" | "branches" => kinds.push("branch"),
            "table" | "tables" => kinds.push("table"),
            "database" | "db" => kinds.push("database"),
            "then" | "so" | "because" | "since" | "when" | "once" | "after" | "for" | "it" => break,
            plain if AROUND.contains(&plain) => {}
            _ => match name(word) {
                Some(name) => {
                    // A slash behind it says what it is.
                    kinds.extend(trimmed(word).ends_with('/').then_some("path"));
                    names.push(name);
                }
                None => return Vec::new(),
            },
        }
    }
    let is_remote = lower.iter().any(|word| {
        matches!(
            word.as_str(),
            "remote" | "remotely" | "origin" | "upstream" | "everywhere" | "both"
        )
    });
    let is_local = lower
        .iter()
        .any(|word| matches!(word.as_str(), "local" | "locally" | "both" | "here" | "everywhere"));
    let is_single = names.len() == 1;
    let of_name = |name| match kinds.as_slice() {
        ["branch"] if is_remote && is_local => vec![Wish::RemoteBranch(name), Wish::Branch(name)],
        ["branch"] if is_remote => vec![Wish::RemoteBranch(name)],
        ["branch"] => vec![Wish::Branch(name)],
        ["table"] => vec![Wish::Table(name)],
        ["database"] => vec![Wish::Database(name)],
        ["path", ..] => vec![Wish::Path(name)],
        // Of what kind it is, the command says; a word may name much, and a branch that others share is called one.
        [] if is_remote && is_local => vec![Wish::RemoteBranch(name), Wish::Branch(name)],
        [] if is_remote => vec![Wish::RemoteBranch(name)],
        [] if is_path(name) => vec![Wish::Path(name), Wish::Branch(name)],
        [] if is_single && !USUAL_DEFAULTS.contains(&name) => {
            vec![Wish::Branch(name), Wish::Database(name)]
        }
        _ => Vec::new(),
    };
    names.into_iter().flat_map(of_name).map(Wish::hash).collect()
}

/// Whether what stands behind a word is where something is wanted away from.
fn ends_well(lower: &[String], word: &str) -> bool {
    let behind = lower.iter().skip_while(|other| *other != word).skip(1);
    let mut behind = behind.skip_while(|word| matches!(word.as_str(), "the" | "our" | "my"));
    behind.next().is_some_and(|place| WHENCE.contains(&place.as_str()))
}

/// A word without what people put around it.
fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| {
        matches!(c, '`' | '\'' | '"' | '(' | ')' | ',' | ':' | ';' | '!' | '?')
    })
    .trim_end_matches('.')
}

/// The name that a word is, in its shortest form; `None` for a pattern, and for what leads out of where it stands.
fn name(word: &str) -> Option<&str> {
    let name = trimmed(word);
    let name = name.strip_prefix("./").unwrap_or(name).trim_end_matches('/');
    // What lies in the user's home is told from there.
    let below = name.strip_prefix("~/").unwrap_or(name);
    let is_odd = below.contains(['*', '?', '[', '{', '$', '~', '\\'])
        || name.split('/').any(|part| part == "..");
    (!name.is_empty() && name != "." && !is_odd).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{Wish, wishes};

    fn wants(clause: &str, wish: Wish<'_>) -> bool {
        wishes(&[clause.to_owned()]).contains(&wish.hash())
    }

    #[test]
    fn what_is_named_is_wished_for() {
        assert!(wants("delete the docs/old folder", Wish::Path("docs/old")));
        assert!(wants("please remove `docs/old/` and a.txt", Wish::Path("docs/old")));
        assert!(wants("please remove `docs/old/` and a.txt", Wish::Path("a.txt")));
        assert!(wants("delete the folder build2", Wish::Path("build2")));
        assert!(wants("delete the remote branch x from origin", Wish::RemoteBranch("x")));
        assert!(wants("delete branch topic/a", Wish::Branch("topic/a")));
        assert!(wants("delete topic-a", Wish::Branch("topic-a")));
        assert!(wants("delete topic/a", Wish::Branch("topic/a")));
        assert!(!wants("delete the topic-a function", Wish::Branch("topic-a")));
        assert!(!wants("delete main", Wish::Branch("main")));
        assert!(wants("drop the users table", Wish::Table("users")));
        assert!(wants("force-push my branch", Wish::ForcePush));
        assert!(wants("git push --force origin topic", Wish::ForcePushOf("topic")));
        assert!(wants("push it with force", Wish::ForcePush));
    }

    #[test]
    fn a_command_that_is_written_out_is_wished_for() {
        assert!(wants("git reset --hard", Wish::Command("git reset --hard")));
        assert!(wants("run `git reset --hard HEAD~1`.", Wish::Command("git reset --hard HEAD~1")));
        assert!(wants("please run git clean -fdx, then", Wish::Command("git clean -fdx")));
        assert!(wants("git checkout .", Wish::Command("git checkout .")));
        assert!(wants("do a git reset --hard", Wish::Command("git reset --hard")));
        assert!(!wants("git clean -fdx only in docs", Wish::Command("git clean -fdx")));
        assert!(!wants("what does git reset --hard do", Wish::Command("git reset --hard")));
        assert!(!wants("git reset --hard", Wish::Command("git")));
    }

    #[test]
    fn what_is_not_committed_is_wished_away_as_a_whole() {
        for clause in [
            "discard the changes",
            "discard all my local changes",
            "throw away the uncommitted changes",
            "revert all changes",
            "undo everything that is uncommitted",
            "clean the working tree",
            "restore the working tree",
            "discard everything",
            "get rid of all uncommitted work",
        ] {
            assert!(wants(clause, Wish::Uncommitted), "{clause}");
        }
        for clause in ["remove the untracked files", "clean up all untracked stuff"] {
            assert!(wants(clause, Wish::Untracked), "{clause}");
            assert!(!wants(clause, Wish::Uncommitted), "{clause}");
        }
        for clause in [
            "revert the change in src/a",
            "undo the last change",
            "clean up the code",
            "remove all files",
            "clear the cache",
            "discard the changes to README.md",
            "remove untracked files from the report",
            "reset the counter",
            "fix the uncommitted changes",
        ] {
            assert!(!wants(clause, Wish::Uncommitted), "{clause}");
            assert!(!wants(clause, Wish::Untracked), "{clause}");
        }
    }

    #[test]
    fn what_shall_go_is_wished_for_in_many_words() {
        for clause in [
            "get rid of docs/old",
            "the folder docs/old can go",
            "docs/old should be deleted",
            "I'd like docs/old gone",
            "git rm the docs/old folder",
            "delete the old directory under docs",
        ] {
            assert!(wants(clause, Wish::Path("docs/old")), "{clause}");
        }
        assert!(wants("delete my .env", Wish::Path(".env")));
        assert!(wants("delete ~/old-logs", Wish::Path("~/old-logs")));
        assert!(!wants("delete ~", Wish::Path("~")));
        assert!(wants("drop and recreate app_dev", Wish::Database("app_dev")));
        assert!(wants("delete topic/a locally and on origin", Wish::RemoteBranch("topic/a")));
        assert!(wants("delete topic/a locally and on origin", Wish::Branch("topic/a")));
        assert!(!wants("docs/old can go to the archive", Wish::Path("docs/old")));
        assert!(!wants("the docs/old folder should be moved", Wish::Path("docs/old")));
    }

    #[test]
    fn places_are_spoken_of_where_something_is_put_there() {
        let puts = |clause: &str, wish: Wish<'_>| {
            super::places(&[clause.to_owned()]).contains(&wish.hash())
        };
        assert!(puts("add the alias gs to my ~/.bashrc", Wish::Place("~/.bashrc")));
        assert!(puts("save it to /srv/out/a.md.", Wish::Place("/srv/out/a.md")));
        assert!(!puts("look at ~/.bashrc", Wish::Place("~/.bashrc")));
        assert!(!puts("add it to ~/../x", Wish::Place("~/../x")));
        assert!(!puts("write it to /", Wish::Place("/")));
    }

    #[test]
    fn requests_are_told_apart_by_their_numbers() {
        for clause in
            ["merge PR 41", "merge #41", "close pr41", "look at acme/app#41", "merge 40 and PR 41"]
        {
            assert!(wants(clause, Wish::Request("41")), "{clause}");
        }
        assert!(wants("merge PRs 41 and 42", Wish::Request("42")));
        assert!(!wants("merge it in 41 days", Wish::Request("41")));
    }

    #[test]
    fn what_is_taken_back_is_named() {
        assert!(wants("revert my changes in src/a.ts", Wish::Changes("src/a.ts")));
        assert!(wants("undo the changes to src/a.ts", Wish::Changes("src/a.ts")));
        assert!(wants("restore src/a.ts and src/b.ts", Wish::Changes("src/b.ts")));
        assert!(wants("undo what you changed in src/a.ts", Wish::Changes("src/a.ts")));
        assert!(wants("restore src/a.ts to HEAD", Wish::Changes("src/a.ts")));
        assert!(wants("put src/a.ts back to the committed version", Wish::Changes("src/a.ts")));
        assert!(wants("reset src/a.ts", Wish::Changes("src/a.ts")));
        assert!(wants("drop the stash", Wish::Stash));
        assert!(wants("delete the stash", Wish::Stash));
        assert!(wants("clear the stash list", Wish::Stashes));
        assert!(!wants("drop the stash", Wish::Stashes));
        assert!(wants("drop all the stashes", Wish::Stashes));
        assert!(wants("reset everything to HEAD", Wish::Uncommitted));
        assert!(wants("reset hard to origin/main", Wish::ResetTo("origin/main")));
        assert!(wants("go back to exactly what origin/topic has", Wish::ResetTo("origin/topic")));
        assert!(!wants(
            "undo the last change in the parser of src/a.ts",
            Wish::Changes("src/a.ts")
        ));
        assert!(!wants("reset the counter to 0", Wish::ResetTo("0")));
        assert!(!wants("restore the old behaviour of src/a.ts", Wish::Changes("src/a.ts")));
    }

    #[test]
    fn what_is_a_part_or_more_is_not() {
        for clause in [
            "delete the unused imports in docs/old",
            "remove everything under docs/old",
            "delete files from docs/old",
            "remove docs/old only if it is empty",
            "write a script to delete docs/old",
            "delete docs/*",
            "the docs/old folder was deleted",
            "delete docs",
            "implement delete for docs/old",
            "push docs/old",
        ] {
            let found = wishes(&[clause.to_owned()]);
            for path in ["docs/old", "docs", "docs/*"] {
                assert!(!found.contains(&Wish::Path(path).hash()), "{clause}: {path}");
            }
        }
        assert!(!wants("push it", Wish::ForcePush));
        assert!(!wants("delete branch x", Wish::RemoteBranch("x")));
    }
}
