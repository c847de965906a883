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
    "the", "a", "my", "our", "that", "this", "these", "those", "old", "whole", "entire", "stale",
    "unused", "local", "remote", "both", "also", "just", "please", "now", "and", "&", "plus",
    "named", "called", "-rf", "-r", "-f", "--delete", "-d", "--", "obsolete", "empty",
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
    /// The branch that is checked out pushed by force.
    ForcePush,
    /// A branch pushed by force.
    ForcePushOf(&'t str),
    /// All files that git does not keep, and does not ignore, away.
    Untracked,
    /// All that is changed and not committed as it was before.
    Uncommitted,
    /// A command as it is written, with one blank between its words.
    Command(&'t str),
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
            Self::Command(line) => ("command", line),
        };
        // Signs tell one path from another.
        let escaped: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
        hash_of(&format!("{kind}{escaped}")).unwrap_or_default()
    }
}

/// The hashes of what some clauses of a user wish for, by its name.
pub(crate) fn wishes(clauses: &[String]) -> Vec<u64> {
    let acts = clauses.iter().flat_map(|clause| acts(clause));
    let mut found: Vec<u64> = acts.flat_map(|act| of_act(&act)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn of_act(act: &str) -> Vec<u64> {
    let words: Vec<&str> = act.split_whitespace().collect();
    let asked = words.iter().position(|word| !matches!(*word, "do" | "a" | "another"));
    let mut found = written_out(words.get(asked.unwrap_or(0)..).unwrap_or_default());
    found.extend(by_name(&words));
    found
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
    match at(0) {
        _ if !loose.is_empty() => loose,
        verb if DELETING.contains(&verb) => deleted(words, &lower),
        _ => Vec::new(),
    }
}

/// What is wanted away or back that is not committed, as a whole: nothing where a word says more of it.
fn left_lying(lower: &[String]) -> Vec<u64> {
    const TAKING_BACK: &[&str] = &["discard", "revert", "undo", "reset", "throw", "clear", "clean"];
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
    let is_tree = has(&["tree", "worktree"]) && has(&["working", "worktree", "git"]);
    let mut found = Vec::new();
    if has(&["untracked"]) {
        found.push(Wish::Untracked.hash());
    }
    if has(&["uncommitted"]) || are_changes && (is_whole || verb == "discard") || is_tree {
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
        ("force-push" | "force-pushing", _) => Some(start + 1),
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
    for (word, plain) in words.iter().zip(lower).skip(1) {
        match plain.as_str() {
            "from" | "on" if ends_well(lower, plain) => break,
            "from" | "on" => return Vec::new(),
            plain if PARTS.contains(&plain) && !AROUND.contains(&plain) => return Vec::new(),
            "folder" | "folders" | "directory" | "directories" | "dir" | "dirs" | "file"
            | "files" => {
                kinds.push("path");
            }
            "branch" | "branches" => kinds.push("branch"),
            "table" | "tables" => kinds.push("table"),
            "then" | "so" | "because" | "since" | "when" | "once" | "after" | "for" | "it" => break,
            plain if AROUND.contains(&plain) => {}
            _ => match name(word) {
                Some(name) => names.push(name),
                None => return Vec::new(),
            },
        }
    }
    let is_remote =
        lower.iter().any(|word| matches!(word.as_str(), "remote" | "origin" | "upstream"));
    let is_path = |name: &str| name.contains('/') || name.trim_start_matches('.').contains('.');
    let is_single = names.len() == 1;
    let of_name = |name| match kinds.as_slice() {
        ["branch"] if is_remote => vec![Wish::RemoteBranch(name)],
        ["branch"] => vec![Wish::Branch(name)],
        ["table"] => vec![Wish::Table(name)],
        ["path", ..] => vec![Wish::Path(name)],
        // Of what kind it is, the command says; a word may name much, and a branch that others share is called one.
        [] if is_path(name) => vec![Wish::Path(name), Wish::Branch(name)],
        [] if is_single && !USUAL_DEFAULTS.contains(&name) => vec![Wish::Branch(name)],
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
    let is_odd = name.contains(['*', '?', '[', '{', '$', '~', '\\'])
        || name.split('/').any(|part| part == "..");
    (!name.is_empty() && name != "." && !is_odd).then_some(name)
}

/// What a command has to be wished for to be just what the user asked for: all of it. `None` for commands that are
/// about other things than names, or about more. `words` are the words of the command, its program first, all known.
pub(crate) fn needed<'w>(program: &str, words: &[&'w str]) -> Option<Vec<Wish<'w>>> {
    match program {
        "git" => of_git(words.get(1..)?),
        "psql" | "mysql" | "mariadb" | "sqlite3" | "duckdb" => of_client(words.get(1..)?),
        _ => None,
    }
}

fn of_git<'w>(words: &[&'w str]) -> Option<Vec<Wish<'w>>> {
    let (subcommand, rest) = words.split_first()?;
    let (flags, operands): (Vec<&str>, Vec<&'w str>) =
        rest.iter().partition(|word| word.starts_with('-'));
    let only = |known: &[&str]| flags.iter().all(|flag| known.contains(flag));
    let has = |known: &[&str]| flags.iter().any(|flag| known.contains(flag));
    match *subcommand {
        "branch" if has(&["-D"]) && only(&["-D", "-q"]) && !operands.is_empty() => {
            Some(operands.into_iter().map(Wish::Branch).collect())
        }
        // What is ignored was not spoken of.
        "clean" if operands.is_empty() && flags.iter().all(|flag| is_of_clean(flag)) => {
            Some(vec![Wish::Untracked])
        }
        "checkout" | "restore"
            if only(&["--", "-q"]) && matches!(operands.as_slice(), ["." | ":/"]) =>
        {
            Some(vec![Wish::Uncommitted])
        }
        "reset" if has(&["--hard"]) && only(&["--hard", "-q"]) => match operands.as_slice() {
            [] | ["HEAD"] => Some(vec![Wish::Uncommitted]),
            _ => None,
        },
        "push" if has(&["--delete", "-d"]) && only(&["--delete", "-d", "-q", "--no-verify"]) => {
            let names = operands.get(1..).filter(|names| !names.is_empty())?;
            Some(names.iter().map(|name| Wish::RemoteBranch(heads(name))).collect())
        }
        "push" if flags.iter().all(|flag| is_of_push(flag)) => {
            let refs = operands.get(1..).unwrap_or_default();
            let of_ref = |text: &&'w str| match text.strip_prefix(':') {
                Some(name) if !name.is_empty() => Some(Wish::RemoteBranch(heads(name))),
                _ => forced(text),
            };
            let mut wishes = refs.iter().map(of_ref).collect::<Option<Vec<_>>>()?;
            if refs.is_empty() || has(&["-f", "--force", "--force-with-lease"]) {
                wishes.push(Wish::ForcePush);
            }
            Some(wishes)
        }
        _ => None,
    }
}

fn is_of_clean(flag: &str) -> bool {
    let is_short = flag.strip_prefix('-').is_some_and(|letters| {
        !letters.is_empty() && letters.chars().all(|letter| matches!(letter, 'f' | 'd' | 'q'))
    });
    is_short || matches!(flag, "--force" | "--quiet")
}

fn is_of_push(flag: &str) -> bool {
    const HARMLESS: [&str; 9] = [
        "-f",
        "--force",
        "--force-if-includes",
        "-u",
        "--set-upstream",
        "-q",
        "--quiet",
        "-v",
        "--progress",
    ];
    HARMLESS.contains(&flag) || flag.starts_with("--force-with-lease")
}

/// What a refspec that may be forced has to be wished for.
fn forced(text: &str) -> Option<Wish<'_>> {
    let to = text.trim_start_matches('+').rsplit(':').next()?;
    match to {
        "HEAD" => Some(Wish::ForcePush),
        to if to.is_empty() || to.contains('*') => None,
        to => Some(Wish::ForcePushOf(heads(to))),
    }
}

fn heads(name: &str) -> &str {
    name.strip_prefix("refs/heads/").unwrap_or(name)
}

fn of_client<'w>(words: &[&'w str]) -> Option<Vec<Wish<'w>>> {
    let is_statement = |word: &&&str| {
        word.trim_start().get(..4).is_some_and(|verb| verb.eq_ignore_ascii_case("drop"))
    };
    let mut statements = words.iter().filter(is_statement);
    let (statement, None) = (statements.next()?, statements.next()) else { return None };
    let others = words.iter().filter(|word| *word != statement);
    // Another statement may do more.
    if others.into_iter().any(|word| word.contains([' ', ';'])) {
        return None;
    }
    let mut parts = statement.trim().trim_end_matches(';').split_whitespace();
    let is =
        |word: Option<&str>, known: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(known));
    if !is(parts.next(), "drop") || !is(parts.next(), "table") {
        return None;
    }
    let rest: Vec<&'w str> = parts.collect();
    let names = match rest.as_slice() {
        [first, second, names @ ..] if is(Some(first), "if") && is(Some(second), "exists") => names,
        names => names,
    };
    match names {
        [name] if !name.contains([';', ',', '(']) => {
            Some(vec![Wish::Table(name.trim_matches(['"', '`']))])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Wish, needed, wishes};

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

    #[test]
    fn a_command_needs_all_that_it_is_about() {
        let needs = |program, words: &[&'static str]| needed(program, words);
        let remote = Wish::RemoteBranch;
        assert_eq!(
            needs("git", &["git", "push", "--delete", "origin", "x"]),
            Some(vec![remote("x")])
        );
        assert_eq!(needs("git", &["git", "push", "origin", ":x"]), Some(vec![remote("x")]));
        assert_eq!(
            needs("git", &["git", "branch", "-D", "x", "y"]),
            Some(vec![Wish::Branch("x"), Wish::Branch("y")])
        );
        assert_eq!(needs("git", &["git", "push", "-f"]), Some(vec![Wish::ForcePush]));
        let both = Some(vec![Wish::ForcePushOf("main"), Wish::ForcePush]);
        assert_eq!(needs("git", &["git", "push", "-f", "origin", "main"]), both);
        assert_eq!(needs("git", &["git", "push", "-f", "--mirror"]), None);
        assert_eq!(needs("git", &["git", "reset", "--hard", "HEAD~1"]), None);
        assert_eq!(needs("git", &["git", "reset", "--hard"]), Some(vec![Wish::Uncommitted]));
        assert_eq!(needs("git", &["git", "clean", "-fd"]), Some(vec![Wish::Untracked]));
        assert_eq!(needs("git", &["git", "clean", "-fdx"]), None);
        assert_eq!(needs("git", &["git", "clean", "-fd", "src"]), None);
        assert_eq!(needs("git", &["git", "restore", "."]), Some(vec![Wish::Uncommitted]));
        let table = Some(vec![Wish::Table("users")]);
        assert_eq!(needs("psql", &["psql", "-c", "DROP TABLE IF EXISTS users;"]), table);
        assert_eq!(needs("psql", &["psql", "-c", "DROP TABLE users; DROP TABLE b"]), None);
        assert_eq!(needs("psql", &["psql", "-c", "DROP TABLE users", "-c", "DROP TABLE b"]), None);
    }
}
