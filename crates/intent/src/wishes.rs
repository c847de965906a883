//! What exactly a user wants away, or overwritten, by its name: files and folders, branches, tables, a forced push, and
//! commands that he writes out. Knows no rules.

use super::acts::acts;
use super::choice::place_of;
use super::lexicon::{Kind, Role, Verb, deletes, role, verb};
use super::phrase::{Phrase, Target};
use super::wish::{USUAL_DEFAULTS, Wish, is_path, name, stash_number, trimmed};

/// Of so many words a command may be that a user writes out.
const MAX_COMMAND_WORDS: usize = 12;

/// More commits are not taken back by their number.
const MAX_COMMITS: u32 = 20;

/// The hashes of what some clauses of a user wish for, by its name.
pub fn wishes(clauses: &[String]) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    let mut begun = Begun::default();
    for clause in clauses {
        let acts = acts(clause);
        acts.iter().for_each(|act| of_act(act, &mut found));
        let words: Vec<&str> = clause.split_whitespace().collect();
        if let Some(subject) = subject_of_passive(&words) {
            of_words(&subject, &mut found);
        }
        found.extend(allows_force(&words).then(|| Wish::ForcePush.hash()));
        for act in acts.iter().map(String::as_str).chain([clause.as_str()]) {
            let words: Vec<&str> = act.split_whitespace().collect();
            found.extend(worktrees(&words).into_iter().map(|folder| Wish::Worktree(folder).hash()));
        }
        if let Some(place) = equal_to(&words) {
            found.push(Wish::ResetTo(place).hash());
        }
        begun.go_on(&words, &acts, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What a clause began to want away, which the next one may go on with: "remove these folders: docs, notebooks".
#[derive(Debug, Default)]
struct Begun {
    /// The words of the last act that wanted something away, its verb first.
    act: Vec<String>,
    /// The names of a clause that is nothing else.
    names: Vec<String>,
}

impl Begun {
    fn go_on(&mut self, words: &[&str], acts: &[String], found: &mut Vec<u64>) {
        let item: Vec<&str> = words
            .iter()
            .copied()
            .filter(|word| !matches!(*word, "-" | "*" | "and" | "&"))
            .collect();
        if is_of_names(&item) {
            if !self.act.is_empty() {
                let whole: Vec<&str> =
                    self.act.iter().map(String::as_str).chain(item.iter().copied()).collect();
                of_words(&whole, found);
            }
            self.names = item.iter().map(|word| (*word).to_owned()).collect();
            return;
        }
        let own: Vec<&str> = acts.iter().flat_map(|act| deleting(act)).collect();
        // "docs/old: delete" wants away what stood before.
        if own.len() == 1 && !self.names.is_empty() {
            let whole: Vec<&str> =
                own.iter().copied().chain(self.names.iter().map(String::as_str)).collect();
            of_words(&whole, found);
        }
        self.names.clear();
        self.act = own.into_iter().map(str::to_owned).collect();
    }
}

/// The words of an act that wants something away; none of another one.
fn deleting(act: &str) -> Vec<&str> {
    let words: Vec<&str> = act.split_whitespace().collect();
    let lower = lower(&words);
    match verb(&lower) {
        Some((verbs, _)) if verbs.contains(&Verb::Delete) => words,
        _ => Vec::new(),
    }
}

/// Whether words are names of paths, and words that say how they are meant, and nothing else.
fn is_of_names(words: &[&str]) -> bool {
    const SAYING: &[&str] = &[
        "the",
        "folder",
        "directory",
        "file",
        "branch",
        "too",
        "also",
        "remote",
        "on",
        "origin",
        "locally",
        "remotely",
        "both",
        "here",
        "local",
        "and",
    ];
    let is_said = |word: &&str| SAYING.contains(&trimmed(word).to_lowercase().as_str());
    let names: Vec<&&str> = words.iter().filter(|word| !is_said(word)).collect();
    // A single word may be anything: the clause before has to say what it is.
    let are_names = names
        .iter()
        .all(|word| name(word).is_some_and(|name| is_path(name) || is_single_word(name)));
    let is_verb = names.iter().any(|word| deletes(&word.to_lowercase()));
    !words.is_empty() && names.len() <= 1 && are_names && !is_verb
}

fn is_single_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn lower(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| trimmed(word).to_lowercase()).collect()
}

fn of_act(act: &str, found: &mut Vec<u64>) {
    let words: Vec<&str> = act.split_whitespace().collect();
    let asked = words.iter().position(|word| !matches!(*word, "do" | "a" | "another"));
    found.append(&mut written_out(words.get(asked.unwrap_or(0)..).unwrap_or_default()));
    // "Throw them away with git reset --hard."
    let with = words.windows(2).position(|pair| matches!(pair, ["with" | "using" | "via", "git"]));
    if let Some(behind) = with.and_then(|at| words.get(at + 1..)) {
        found.append(&mut written_out(behind));
    }
    of_words(&words, found);
}

/// What the words of an act wish for by its name.
fn of_words(words: &[&str], found: &mut Vec<u64>) {
    let lower = lower(words);
    if let Some(behind) = behind_force_push(&lower) {
        let names = words.iter().skip(behind).filter_map(|word| name(word));
        found.push(Wish::ForcePush.hash());
        found.extend(names.map(|name| Wish::ForcePushOf(name).hash()));
        return;
    }
    let Some((verbs, length)) = verb(&lower) else { return };
    let is_put = lower.first().is_some_and(|word| matches!(word.as_str(), "put" | "bring"));
    if is_put && !lower.iter().any(|word| word == "back") {
        return;
    }
    let manner = Manner::of(&lower);
    let about = words.get(length..).unwrap_or_default();
    let parts = parts_by_kind(about);
    if parts.len() > 1 {
        for part in parts {
            found.append(&mut of_phrase(&verbs, part, manner));
        }
        return;
    }
    let mut wishes = of_phrase(&verbs, about, manner);
    // What else is to be done says nothing of it.
    let joint = about.iter().position(|word| matches!(*word, "and" | "then"));
    if let Some(joint) = joint.filter(|_| wishes.is_empty()) {
        let first = about.get(..joint).unwrap_or_default();
        wishes = of_phrase(&verbs, first, manner);
    }
    found.append(&mut wishes);
}

/// What an act is about, cut where each part says of what kind it is: "the folder a and the branch b".
fn parts_by_kind<'p, 'w>(about: &'p [&'w str]) -> Vec<&'p [&'w str]> {
    let parts: Vec<&[&str]> = about.split(|word| matches!(*word, "and" | "&" | "plus")).collect();
    let kinds = |part: &[&str]| {
        let lower = lower(part);
        let mut kinds = lower.iter().filter_map(|word| match role(word) {
            Role::Kind(kind) => Some(kind),
            _ => None,
        });
        // What a commit changed is no other thing.
        let is_apart = |kind: &Kind| !matches!(kind, Kind::Commit | Kind::Change | Kind::Tree);
        let mut kinds = kinds.by_ref().filter(is_apart);
        (kinds.next(), kinds.next())
    };
    let all: Vec<_> = parts.iter().map(|part| kinds(part)).collect();
    let is_told = |at: usize, part: &[&str]| match all.get(at) {
        Some((Some(_), None)) => true,
        // A path needs no word for its kind, where the one beside it says that of a single name.
        Some((None, None)) => is_of_paths(part) && names_one_before(&parts, at),
        _ => false,
    };
    let differ = all.windows(2).any(|pair| matches!(pair, [one, other] if one != other));
    match parts.iter().enumerate().all(|(at, part)| is_told(at, part)) && differ {
        true => parts,
        false => vec![about],
    }
}

/// Whether each word that may be a name is a path, and there is one.
fn is_of_paths(part: &[&str]) -> bool {
    let names = part.iter().filter(|word| role(&trimmed(word).to_lowercase()) == Role::Name);
    let mut names = names.map(|word| name(word).is_some_and(is_path)).peekable();
    names.peek().is_some() && names.all(|is_path| is_path)
}

/// Whether a part beside another one says of what kind a single thing is, before its name: "the branch x".
fn names_one_before(parts: &[&[&str]], at: usize) -> bool {
    let beside = [at.checked_sub(1), at.checked_add(1)].into_iter().flatten();
    let mut beside = beside.filter_map(|at| parts.get(at));
    beside.any(|part| {
        let mut words = part.iter().map(|word| trimmed(word).to_lowercase());
        let first = words.find(|word| role(word) != Role::Around);
        let is_one = |kind: &String| matches!(role(kind), Role::Kind(_)) && !kind.ends_with('s');
        first.as_ref().is_some_and(is_one)
            && words.filter(|word| role(word) == Role::Name).count() == 1
    })
}

/// What the verb itself says of how much is wanted away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Clear,
    Discard,
    /// With all that is in it: "throw away", "nuke".
    Throw,
    Plain,
}

impl Manner {
    /// That of an act whose words are in lower case.
    fn of(lower: &[String]) -> Self {
        match lower.first().map_or("", String::as_str) {
            "clear" => Self::Clear,
            "discard" => Self::Discard,
            "throw" | "toss" | "nuke" | "obliterate" | "blow" | "yeet" => Self::Throw,
            _ => Self::Plain,
        }
    }
}

/// What a verb with what it is about wishes for.
fn of_phrase(verbs: &[Verb], about: &[&str], manner: Manner) -> Vec<u64> {
    let Some(phrase) = Phrase::of(about) else { return Vec::new() };
    // What is emptied is gone, where nobody speaks of changes.
    let empties = verbs.contains(&Verb::Empty) && !phrase.is(Kind::Change);
    let takes_back = verbs.contains(&Verb::TakeBack) || verbs.contains(&Verb::Return);
    let mut wishes = of_stash(&phrase, manner == Manner::Clear);
    if wishes.is_empty() {
        wishes = of_commits(verbs, &phrase, manner == Manner::Throw);
    }
    if wishes.is_empty() && empties {
        wishes = away(verbs, &phrase);
    }
    if wishes.is_empty() && takes_back {
        wishes = taken_back(verbs, &phrase, manner == Manner::Discard);
    }
    if wishes.is_empty() { away(verbs, &phrase) } else { wishes }
}

/// What is wanted off the stash.
fn of_stash(phrase: &Phrase<'_>, is_clear: bool) -> Vec<u64> {
    const AROUND: &[&str] = &["list", "entry", "entries", "git", "top"];
    if let Some(number) = stash_entry(phrase) {
        return match number {
            0 => vec![Wish::Stash.hash()],
            number => vec![Wish::StashEntry(&number.to_string()).hash()],
        };
    }
    let is_other = |name: &&str| !AROUND.contains(name);
    if !phrase.is(Kind::Stash) || phrase.names.iter().any(is_other) || phrase.within.is_some() {
        return Vec::new();
    }
    let is_list = phrase.names.contains(&"list") || phrase.has_plural_stash;
    let all = (is_list || phrase.is_all || is_clear).then(|| Wish::Stashes.hash());
    std::iter::once(Wish::Stash.hash()).chain(all).collect()
}

/// The number of the only entry of the stash that is meant: "stash@{1}", "stash 1", "the second stash".
fn stash_entry(phrase: &Phrase<'_>) -> Option<usize> {
    if !phrase.is(Kind::Stash) || phrase.has_plural_stash || phrase.is_all {
        return None;
    }
    match (phrase.names.as_slice(), phrase.count) {
        ([], Some(count)) => stash_number(count)?.parse().ok(),
        ([name], None) => place_of(name),
        _ => None,
    }
}

/// The last commits, where they are wanted away with what they changed.
///
/// What is thrown away is gone; a commit that is only undone may leave what it changed.
fn of_commits(verbs: &[Verb], phrase: &Phrase<'_>, is_thrown: bool) -> Vec<u64> {
    let is_away = verbs.contains(&Verb::Delete) || verbs.contains(&Verb::TakeBack);
    let says_more = phrase.within.is_some() || phrase.target.is_some() || !phrase.names.is_empty();
    if !is_away || !phrase.is(Kind::Commit) || says_more {
        return Vec::new();
    }
    if phrase.is_last {
        let are_changes_meant = phrase.is_whole || phrase.is(Kind::Change) || is_thrown;
        let count: u32 = phrase.count.map_or(Some(1), |count| count.parse().ok()).unwrap_or(0);
        return match are_changes_meant && (1..=MAX_COMMITS).contains(&count) {
            true => {
                let mut back = vec![Wish::ResetTo(&format!("HEAD~{count}")).hash()];
                if count == 1 {
                    back.extend(["HEAD^", "HEAD~"].map(|place| Wish::ResetTo(place).hash()));
                }
                back
            }
            false => Vec::new(),
        };
    }
    // What is here alone is what the remote does not have.
    let is_here_alone = phrase.is_local && verbs.contains(&Verb::Delete);
    let upstream = ["@{u}", "@{upstream}"].map(|place| Wish::ResetTo(place).hash());
    if is_here_alone { upstream.to_vec() } else { Vec::new() }
}

/// What is wanted as it was before: a file or a folder, or all as a branch or a commit has it.
fn taken_back(verbs: &[Verb], phrase: &Phrase<'_>, is_discard: bool) -> Vec<u64> {
    if phrase.is_for_something {
        return Vec::new();
    }
    // The last change is one of several.
    if phrase.within.is_some() || phrase.is_last && phrase.is(Kind::Change) {
        return Vec::new();
    }
    // "Reset main to origin" is about that branch.
    let is_reset = verbs.contains(&Verb::Return) && phrase.target.is_some();
    let is_said = |name: &&str| {
        let is_loose = LOOSE.contains(&name.to_lowercase().as_str());
        // "Reset topic to origin/topic", too.
        let is_same = matches!(phrase.target, Some(Target::Commit(commit)) if commit.rsplit('/').next() == Some(*name));
        let is_own_branch = is_reset && (USUAL_DEFAULTS.contains(name) || is_same);
        !is_loose && !is_own_branch
    };
    let paths: Vec<&str> = phrase.names.iter().copied().filter(is_said).collect();
    let is_delete = verbs.contains(&Verb::Delete) && !phrase.is(Kind::Change);
    if !paths.is_empty() {
        if is_delete || !paths.iter().all(|path| is_path(path)) {
            return Vec::new();
        }
        // As it was before is as it was committed, of a file.
        let of_path = |path| match phrase.target {
            Some(Target::Commit(commit)) => Wish::ChangesFrom { commit, path },
            _ => Wish::Changes(path),
        };
        return paths.into_iter().map(|path| of_path(path).hash()).collect();
    }
    match phrase.target {
        Some(Target::Commit(commit)) if verbs.contains(&Verb::Return) => {
            vec![Wish::ResetTo(commit).hash()]
        }
        Some(Target::Upstream) if verbs.contains(&Verb::Return) => {
            ["@{u}", "@{upstream}"].map(|place| Wish::ResetTo(place).hash()).to_vec()
        }
        Some(Target::Commit(_) | Target::Upstream | Target::Before) => Vec::new(),
        Some(Target::Committed) => vec![Wish::Uncommitted.hash(), Wish::ResetTo("HEAD").hash()],
        None => left_lying(phrase, is_discard),
    }
}

/// Words that say of all that is not committed no more than that it lies about.
const LOOSE: &[&str] = &[
    "stuff",
    "things",
    "work",
    "working",
    "copy",
    "repo",
    "repository",
    "unstaged",
    "staged",
    "lying",
    "laying",
    "around",
    "loose",
    "git",
    "new",
    "not",
    "yet",
    "that's",
    "like",
    "clean",
    "away",
    "out",
    "off",
    "garbage",
    "junk",
    "i",
];

/// What is wanted away or back that is not committed, as a whole: nothing where a word says more of it.
fn left_lying(phrase: &Phrase<'_>, is_discard: bool) -> Vec<u64> {
    let lower: Vec<String> = phrase.names.iter().map(|name| name.to_lowercase()).collect();
    let says_more = lower.iter().any(|name| !LOOSE.contains(&name.as_str()));
    if says_more
        || phrase.within.is_some()
        || phrase.count.is_some()
        || phrase.ending.is_some()
        || phrase.is_last
    {
        return Vec::new();
    }
    let has = |word: &str| lower.iter().any(|name| name == word);
    let are_changes = phrase.is(Kind::Change);
    let is_tree =
        phrase.is(Kind::Tree) && (has("working") || has("git") || phrase.kinds.len() == 1);
    let is_whole = phrase.is_all || phrase.is_local || has("unstaged") || phrase.is(Kind::Tree);
    // What is discarded is what was not committed, and nothing else.
    let is_all_of_it = is_discard && phrase.is_all && phrase.kinds.is_empty() && lower.is_empty();
    let is_uncommitted =
        phrase.is_uncommitted || are_changes && (is_whole || is_discard) || is_tree || is_all_of_it;
    // What is not committed may be a file that git never saw.
    let is_untracked =
        phrase.is_untracked || phrase.is_uncommitted && !are_changes || is_tree && has("clean");
    let untracked = is_untracked.then(|| Wish::Untracked.hash());
    untracked.into_iter().chain(is_uncommitted.then(|| Wish::Uncommitted.hash())).collect()
}

/// What is wanted away, or made anew: nothing, where something is said of it that makes it a part or more.
fn away(verbs: &[Verb], phrase: &Phrase<'_>) -> Vec<u64> {
    if verbs.contains(&Verb::Truncate) {
        let is_other =
            phrase.kinds.iter().any(|kind| !matches!(kind, Kind::Table | Kind::Database));
        let names = phrase.names.iter().filter(|_| !is_other);
        return names.map(|name| Wish::Emptied(name).hash()).collect();
    }
    let is_delete = verbs.contains(&Verb::Delete);
    let is_empty = verbs.contains(&Verb::Empty);
    if is_empty && !is_delete && phrase.is(Kind::Table) {
        return phrase.names.iter().map(|name| Wish::Emptied(name).hash()).collect();
    }
    // "The local database" has no other name.
    let is_local = phrase.is_local && phrase.names.is_empty() && phrase.within.is_none();
    if is_local && phrase.kinds.as_slice() == [Kind::Database] {
        return vec![Wish::Database("local").hash()];
    }
    if !is_delete && !is_empty {
        let is_named = verbs.contains(&Verb::Recreate) && phrase.is(Kind::Database);
        let names = phrase.names.iter().filter(|_| is_named);
        return names.map(|name| Wish::Database(name).hash()).collect();
    }
    if let Some(folder) = phrase.within {
        return in_folder(phrase, folder);
    }
    if let Some(ending) = all_of_a_kind(phrase) {
        return vec![Wish::FilesOfKind(ending).hash()];
    }
    if is_empty && !is_delete {
        let paths = phrase.names.iter().filter(|name| is_path(name) || phrase.is(Kind::Path));
        return paths.map(|name| Wish::Path(name).hash()).collect();
    }
    let names = phrase.names.iter();
    names.flat_map(|name| of_name(name, phrase)).flat_map(Wish::hashes_by_place).collect()
}

/// The ending of the files that are wanted away wherever they lie: "all .orig files".
fn all_of_a_kind<'p>(phrase: &'p Phrase<'_>) -> Option<&'p str> {
    let is_whole = phrase.is_all && phrase.kinds.as_slice() == [Kind::Path];
    let is_narrowed = phrase.is_narrowed
        || phrase.is_untracked
        || phrase.is_uncommitted
        || phrase.is_last
        || phrase.is_for_something
        || phrase.target.is_some()
        || phrase.count.is_some()
        || !phrase.names.is_empty();
    phrase.ending.as_deref().filter(|_| is_whole && !is_narrowed)
}

/// What is wanted away of what lies in a folder.
fn in_folder(phrase: &Phrase<'_>, folder: &str) -> Vec<u64> {
    match (phrase.names.as_slice(), &phrase.ending) {
        ([], Some(ending)) => vec![Wish::Path(&format!("{folder}/*.{ending}")).hash()],
        ([], None) if phrase.is_all && !phrase.is_untracked && !phrase.is_uncommitted => {
            vec![Wish::Path(folder).hash()]
        }
        ([name], None) if phrase.kinds.as_slice() == [Kind::Table] => {
            vec![Wish::Table(name).hash()]
        }
        ([name], None) if phrase.is(Kind::Path) || is_path(name) && !name.contains('/') => {
            vec![Wish::Path(&format!("{folder}/{name}")).hash()]
        }
        // How a folder is called may be a word that says something elsewhere.
        ([], None) if phrase.kinds.as_slice() == [Kind::Path] => {
            let called =
                phrase.adjective.map(|name| Wish::Path(&format!("{folder}/{name}")).hash());
            called.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What a name that is wanted away may be.
fn of_name<'n>(name: &'n str, phrase: &Phrase<'_>) -> Vec<Wish<'n>> {
    let is_remote = phrase.is_remote || phrase.is_also && phrase.is(Kind::Branch);
    let is_local = phrase.is_local || phrase.is_also;
    let is_single = phrase.names.len() == 1;
    match phrase.kinds.as_slice() {
        [Kind::Branch] | [] if is_remote && is_local => {
            vec![Wish::RemoteBranch(name), Wish::Branch(name)]
        }
        // `push --delete` does not say which of the two it is, and refuses where there are both.
        [Kind::Tag] if is_remote => vec![Wish::RemoteTag(name), Wish::RemoteBranch(name)],
        [Kind::Branch] | [] if is_remote => vec![Wish::RemoteBranch(name)],
        [Kind::Branch, ..] => vec![Wish::Branch(name)],
        [Kind::Table] => vec![Wish::Table(name)],
        [Kind::Database, ..] if is_path(name) => vec![Wish::Path(name)],
        [Kind::Database, ..] => vec![Wish::Database(name)],
        [Kind::Path, ..] => vec![Wish::Path(name)],
        // Of what kind it is, the command says; a word may name much, and a branch that others share is called one.
        [] if is_path(name) => vec![Wish::Path(name), Wish::Branch(name)],
        [] if is_single && !USUAL_DEFAULTS.contains(&name) => {
            // What has such signs in it is no word of a language.
            let is_coined = name.contains(['-', '_']);
            let path = is_coined.then_some(Wish::Path(name));
            [Wish::Branch(name), Wish::Database(name)].into_iter().chain(path).collect()
        }
        _ => Vec::new(),
    }
}

/// The folders of the trees beside this one that a clause wants away: "remove the worktree ../feature-x".
fn worktrees<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut words = words.iter().map(|word| trimmed(word));
    let wants_away = |verb: &str| deletes(verb) || matches!(verb, "clean" | "prune" | "cleanup");
    if !words.next().is_some_and(|verb| wants_away(&verb.to_lowercase())) {
        return Vec::new();
    }
    let (mut is_named, mut folders) = (false, Vec::new());
    for word in words {
        let lower = word.to_lowercase();
        match (lower.as_str(), role(&lower)) {
            ("worktree" | "worktrees", _) => is_named = true,
            ("for" | "at" | "in" | "of", _) | (_, Role::Around) => {}
            (_, Role::Name) => {
                let last = word.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                folders.extend(name(last));
            }
            _ => return Vec::new(),
        }
    }
    if is_named { folders } else { Vec::new() }
}

/// The words of a clause that says of something that it shall go, with a verb before them: "docs/old can go", "I'd like docs/old
/// gone".
fn subject_of_passive<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    const GOING: &[&[&str]] = &[
        &["can", "go"],
        &["should", "go"],
        &["must", "go"],
        &["needs", "to", "go"],
        &["has", "to", "go"],
        &["can", "be", "deleted"],
        &["can", "be", "removed"],
        &["should", "be", "deleted"],
        &["should", "be", "removed"],
        &["must", "be", "deleted"],
        &["must", "be", "removed"],
        &["needs", "to", "be", "deleted"],
        &["needs", "to", "be", "removed"],
        &["gone"],
        // What stands first here is what the verb is about.
        &["we", "should", "remove"],
        &["we", "should", "delete"],
        &["we", "can", "remove"],
        &["we", "can", "delete"],
        &["you", "can", "remove"],
        &["you", "can", "delete"],
    ];
    /// The same of what somebody wants so: "I need the folder cleared".
    const WANTED: &[&str] = &["cleared", "deleted", "removed", "emptied", "wiped"];
    const BEFORE: &[&str] =
        &["i'd", "i’d", "i", "we", "want", "like", "would", "need", "and", "so", "then"];
    let lower = lower(words);
    let start = lower.iter().take_while(|word| BEFORE.contains(&word.as_str())).count();
    let is_wanted = |word: &String| matches!(word.as_str(), "need" | "want" | "like");
    let is_wish = lower.iter().take(start).any(is_wanted);
    let end = (1..words.len()).find(|at| {
        let rest = lower.get(*at..).unwrap_or_default();
        GOING.iter().any(|going| rest.len() == going.len() && rest.iter().eq(going.iter()))
            || is_wish && matches!(rest, [only] if WANTED.contains(&only.as_str()))
    })?;
    let subject = words.get(start..end).filter(|subject| !subject.is_empty())?;
    Some(std::iter::once("remove").chain(subject.iter().copied()).collect())
}

/// Whether a clause says that pushing by force is allowed: "force push is fine".
fn allows_force(words: &[&str]) -> bool {
    const ALLOWED: &[&str] = &[
        "is",
        "are",
        "fine",
        "ok",
        "okay",
        "allowed",
        "good",
        "here",
        "needed",
        "necessary",
        "required",
        "expected",
        "pushes",
        "pushing",
        "there",
        "with",
        "me",
        "totally",
    ];
    let lower = lower(words);
    let behind = match lower.first().map(String::as_str) {
        Some("force") if lower.get(1).is_some_and(|word| word.starts_with("push")) => 2,
        Some("force-push" | "force-pushing" | "force-pushes") => 1,
        _ => return false,
    };
    let rest = lower.get(behind..).unwrap_or_default();
    !rest.is_empty() && rest.iter().all(|word| ALLOWED.contains(&word.as_str()))
}

/// What a clause wants the branch to be equal to: "make main identical to origin/main".
fn equal_to<'w>(words: &[&'w str]) -> Option<&'w str> {
    const EQUAL: &[&str] = &["identical", "equal", "same", "match", "matches", "mirror"];
    const AROUND: &[&str] = &[
        "make",
        "local",
        "my",
        "the",
        "branch",
        "to",
        "as",
        "exactly",
        "please",
        "completely",
        "main",
        "master",
        "it",
        "of",
        "be",
        "this",
        "should",
        "repo",
        "checkout",
        "just",
    ];
    let lower = lower(words);
    let at = lower.iter().position(|word| EQUAL.contains(&word.as_str()))?;
    let place = words.iter().skip(at + 1).find_map(|word| super::wish::commit_name(word))?;
    let are_plain = lower.iter().zip(words).all(|(word, own)| {
        AROUND.contains(&word.as_str()) || EQUAL.contains(&word.as_str()) || trimmed(own) == place
    });
    are_plain.then_some(place)
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
        let is_less = next.is_some_and(|next| {
            role(&next) == Role::Part || matches!(role(&next), Role::Within | Role::Of | Role::All)
        });
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

#[cfg(test)]
mod tests {
    use super::{Wish, wishes};

    fn wants(clause: &str, wish: Wish<'_>) -> bool {
        wishes(&[clause.to_owned()]).contains(&wish.hash())
    }

    #[test]
    fn a_branch_may_be_set_to_any_that_is_named() {
        assert!(wants("reset hard to backup/monday", Wish::ResetTo("backup/monday")));
        assert!(wants("reset my local main to what's on origin", Wish::ResetTo("@{u}")));
        assert!(wants("delete the folder a/b and the branch c/d", Wish::Path("a/b")));
        assert!(wants("delete the folder a/b and the branch c/d", Wish::Branch("c/d")));
        assert!(wants("empty the table import_log", Wish::Emptied("import_log")));
        assert!(wants("storybook-old can go", Wish::Path("storybook-old")));
        assert!(!wants("delete the tests", Wish::Path("tests")));
        assert!(wants("delete src/legacy and the branch old-exp", Wish::Path("src/legacy")));
        assert!(wants("delete the branch x and docs/old", Wish::Path("docs/old")));
        assert!(!wants("delete the branches a/x and a/y", Wish::Path("a/y")));
        assert!(wants("delete all .orig files", Wish::FilesOfKind("orig")));
        assert!(!wants("delete all old .orig files", Wish::FilesOfKind("orig")));
        assert!(!wants("delete all .orig files in src", Wish::FilesOfKind("orig")));
        assert!(wants("drop the local database", Wish::Database("local")));
    }

    #[test]
    fn what_is_named_is_wished_for() {
        assert!(wants("delete the docs/old folder", Wish::Path("docs/old")));
        assert!(wants("please remove `docs/old/` and a.txt", Wish::Path("docs/old")));
        assert!(wants("please remove `docs/old/` and a.txt", Wish::Path("a.txt")));
        assert!(wants("delete the folder build2", Wish::Path("build2")));
        assert!(wants("delete the remote branch x from origin", Wish::RemoteBranch("x")));
        assert!(wants("remove the worktree ../feature-x", Wish::Worktree("feature-x")));
        assert!(wants("clean up the worktree for feature-x", Wish::Worktree("feature-x")));
        assert!(wants("please remove the worktree feature-x", Wish::Worktree("feature-x")));
        assert!(!wants("remove the worktrees but keep feature-x", Wish::Worktree("feature-x")));
        assert!(!wants("add a worktree for feature-x", Wish::Worktree("feature-x")));
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
            "anything that's like just laying around uncommitted we should remove",
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
            "I need the docs/old folder cleared",
            "git rm the docs/old folder",
            "delete the old directory under docs",
        ] {
            assert!(wants(clause, Wish::Path("docs/old")), "{clause}");
        }
        assert!(wants("delete my .env", Wish::Path(".env")));
        assert!(wants("delete ~/old-logs", Wish::Path("~/old-logs")));
        assert!(!wants("delete ~", Wish::Path("~")));
        assert!(wants("drop and recreate app_dev", Wish::Database("app_dev")));
        assert!(wants("drop the test database", Wish::Database("test")));
        assert!(wants("recreate the test database", Wish::Database("test")));
        assert!(wants("delete topic/a locally and on origin", Wish::RemoteBranch("topic/a")));
        assert!(wants("delete topic/a locally and on origin", Wish::Branch("topic/a")));
        assert!(!wants("docs/old can go to the archive", Wish::Path("docs/old")));
        assert!(!wants("the docs/old folder should be moved", Wish::Path("docs/old")));
    }

    #[test]
    fn all_that_lies_in_a_folder_is_wished_away_with_it() {
        for clause in [
            "remove everything under docs/old",
            "delete all files in the docs/old folder",
            "delete the contents of docs/old",
            "empty docs/old",
            "empty the docs/old folder",
            "clean out docs/old entirely",
        ] {
            assert!(wants(clause, Wish::Path("docs/old")), "{clause}");
        }
        for clause in ["delete all csv files in data/raw", "remove every .csv file in data/raw"] {
            assert!(wants(clause, Wish::Path("data/raw/*.csv")), "{clause}");
            assert!(!wants(clause, Wish::Path("data/raw")), "{clause}");
        }
        for clause in
            ["clean up docs/old", "clear the list in docs/old", "remove files from docs/old"]
        {
            assert!(!wants(clause, Wish::Path("docs/old")), "{clause}");
        }
    }

    #[test]
    fn a_clause_may_go_on_with_what_another_began() {
        let wants = |clauses: &[&str], wish: Wish<'_>| {
            let clauses: Vec<String> = clauses.iter().map(|clause| (*clause).to_owned()).collect();
            wishes(&clauses).contains(&wish.hash())
        };
        assert!(wants(
            &["remove the following folders", "docs", "notebooks"],
            Wish::Path("notebooks")
        ));
        assert!(wants(&["Delete these", "- docs/old", "- a.txt"], Wish::Path("a.txt")));
        assert!(wants(&["delete docs/old", "docs/new and push"], Wish::Path("docs/old")));
        assert!(wants(&["docs/old", "delete"], Wish::Path("docs/old")));
        assert!(wants(&["delete the dev database", "prisma/dev.db"], Wish::Path("prisma/dev.db")));
        assert!(wants(&["delete the branch x", "locally and remotely"], Wish::RemoteBranch("x")));
        assert!(wants(&["delete the branch x", "locally and remotely"], Wish::Branch("x")));
        assert!(!wants(&["fix docs/old", "docs/new"], Wish::Path("docs/new")));
        assert!(!wants(&["delete it", "fix src/a.ts", "src/b.ts"], Wish::Path("src/b.ts")));
    }

    #[test]
    fn commits_are_taken_back_with_what_they_changed() {
        for clause in [
            "throw away the last commit completely",
            "remove the last commit and its changes",
            "drop my last local commit entirely",
        ] {
            assert!(wants(clause, Wish::ResetTo("HEAD~1")), "{clause}");
        }
        assert!(wants("drop the last 2 commits and their changes", Wish::ResetTo("HEAD~2")));
        assert!(wants("drop my local commits", Wish::ResetTo("@{u}")));
        assert!(wants("hard reset to HEAD~1", Wish::ResetTo("HEAD~1")));
        assert!(wants("reset this branch hard to whats on origin", Wish::ResetTo("@{u}")));
        assert!(wants("drop stash@{0}", Wish::Stash));
        assert!(wants("remove every untracked file in here", Wish::Untracked));
        assert!(wants("revert src/a.ts to what's committed", Wish::Changes("src/a.ts")));
        assert!(wants("make main identical to origin/main", Wish::ResetTo("origin/main")));
        assert!(wants("undo everything since the last commit", Wish::Uncommitted));
        assert!(wants("reset everything to the last commit", Wish::Uncommitted));
        assert!(wants("get me back to a clean working tree", Wish::Untracked));
        let from_main = Wish::ChangesFrom { commit: "main", path: "src/a.ts" };
        assert!(wants("restore src/a.ts to the version on main", from_main));
        assert!(wants("restore src/a.ts from main", from_main));
        assert!(wants("bring src/a.ts back to the version on main", from_main));
        assert!(!wants("bring src/a.ts into the bundle", Wish::Changes("src/a.ts")));
        assert!(wants("restore src/a.ts from git", Wish::Changes("src/a.ts")));
        for clause in ["undo the last commit", "revert the last commit", "drop the commit hook"] {
            assert!(!wants(clause, Wish::ResetTo("HEAD~1")), "{clause}");
        }
        assert!(wants("force push is fine", Wish::ForcePush));
        assert!(!wants("force push is broken", Wish::ForcePush));
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
        for clause in ["drop stash@{1}", "drop stash 1", "delete the second stash"] {
            assert!(wants(clause, Wish::StashEntry("1")), "{clause}");
            assert!(!wants(clause, Wish::Stash) && !wants(clause, Wish::Stashes), "{clause}");
        }
        assert!(!wants("drop the oldest stash", Wish::Stash));
        assert!(wants("delete the tag v1.2 on the remote", Wish::RemoteTag("v1.2")));
        assert!(wants("remove tag nightly from origin", Wish::RemoteTag("nightly")));
        assert!(!wants("remove branch nightly from origin", Wish::RemoteTag("nightly")));
        assert!(!wants("delete the tag v1.2", Wish::RemoteTag("v1.2")));
        assert!(wants("throw away the last commit", Wish::ResetTo("HEAD~1")));
        assert!(!wants("drop the last commit", Wish::ResetTo("HEAD~1")));
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
