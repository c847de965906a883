//! The words of acts that take something away or bring it back, each declared once: verbs with all their forms, and what the
//! words around a name say of it.

/// What an act does to what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// It shall not be there any more.
    Delete,
    /// Nothing shall be in it any more.
    Empty,
    /// It shall be as it was before.
    TakeBack,
    /// The branch shall be as another one is.
    Return,
    /// It shall be made anew.
    Recreate,
    /// A table shall have no rows any more.
    Truncate,
}

/// Verbs, each with what it may do; the first that a clause begins with counts, so that longer ones stand first.
const VERBS: &[(&[&str], &[Verb])] = &[
    (&["get", "rid", "of"], &[Verb::Delete, Verb::TakeBack]),
    (&["getting", "rid", "of"], &[Verb::Delete, Verb::TakeBack]),
    (&["get", "me", "back", "to"], &[Verb::TakeBack]),
    (&["do", "away", "with"], &[Verb::Delete]),
    (&["git", "rm"], &[Verb::Delete]),
    (&["throw", "out"], &[Verb::TakeBack, Verb::Delete]),
    (&["throw", "away"], &[Verb::TakeBack, Verb::Delete]),
    (&["throw"], &[Verb::TakeBack, Verb::Delete]),
    (&["blow", "away"], &[Verb::TakeBack, Verb::Delete]),
    (&["clean", "out"], &[Verb::Empty, Verb::TakeBack]),
    (&["clear", "out"], &[Verb::Empty, Verb::TakeBack]),
    (&["clean", "up"], &[Verb::TakeBack]),
    (&["clean"], &[Verb::TakeBack]),
    (&["put", "back"], &[Verb::TakeBack]),
    (&["bring", "back"], &[Verb::TakeBack]),
    (&["roll", "back"], &[Verb::TakeBack]),
    (&["go", "back"], &[Verb::Return]),
    (&["hard", "reset"], &[Verb::Return]),
    (&["drop", "and", "recreate"], &[Verb::Delete]),
    (&["empty"], &[Verb::Empty]),
    (&["clear"], &[Verb::TakeBack, Verb::Empty]),
    (&["reset"], &[Verb::Return, Verb::TakeBack, Verb::Recreate]),
    (&["restore"], &[Verb::Return, Verb::TakeBack]),
    (&["recreate"], &[Verb::Recreate]),
    (&["rebuild"], &[Verb::Recreate]),
];

/// Verbs of one word with each of their forms.
const PLAIN: &[(Verb, &[&str])] = &[
    (
        Verb::Delete,
        &[
            "delete",
            "deleting",
            "remove",
            "removing",
            "rm",
            "drop",
            "dropping",
            "erase",
            "erasing",
            "wipe",
            "wiping",
            "nuke",
            "nuking",
            "trash",
            "trashing",
            "kill",
            "killing",
            "purge",
            "purging",
            "scrap",
            "scrapping",
            "ditch",
            "ditching",
            "bin",
            "binning",
            "axe",
            "zap",
            "toss",
            "tossing",
            "obliterate",
            "yeet",
        ],
    ),
    (
        Verb::TakeBack,
        &[
            "revert",
            "reverting",
            "undo",
            "undoing",
            "discard",
            "discarding",
            "restoring",
            "put",
            "bring",
        ],
    ),
    (Verb::Truncate, &["truncate", "truncating"]),
    (Verb::Return, &["back", "return", "hard-reset", "hard", "go"]),
];

/// What the words of an act begin with, as what it may do, and how many of them say so.
pub(super) fn verb(lower: &[String]) -> Option<(Vec<Verb>, usize)> {
    let begins = |phrase: &[&str]| {
        phrase.len() <= lower.len() && phrase.iter().zip(lower).all(|(word, own)| word == own)
    };
    if let Some((phrase, verbs)) = VERBS.iter().find(|(phrase, _)| begins(phrase)) {
        return Some((verbs.to_vec(), phrase.len()));
    }
    let first = lower.first()?.as_str();
    let (verb, _) = PLAIN.iter().find(|(_, forms)| forms.contains(&first))?;
    let also = matches!(verb, Verb::Delete).then_some(Verb::TakeBack);
    Some((std::iter::once(*verb).chain(also).collect(), 1))
}

/// Whether a word wants away what stands behind it.
pub(super) fn deletes(word: &str) -> bool {
    PLAIN.iter().any(|(verb, forms)| *verb == Verb::Delete && forms.contains(&word))
}

/// Whether a word wants back as it was what stands behind it.
pub(super) fn restores(word: &str) -> bool {
    matches!(word, "restore" | "restoring" | "revert" | "reverting")
}

/// What a thing is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Path,
    Branch,
    Table,
    Database,
    Stash,
    Tag,
    Change,
    Commit,
    /// All that is checked out.
    Tree,
}

/// What a word says of the thing that an act is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing of its own.
    Around,
    /// What kind of thing it is.
    Kind(Kind),
    /// All of it.
    All,
    /// All of it, and nothing left: "completely".
    Whole,
    Untracked,
    Uncommitted,
    Local,
    Remote,
    /// Here and at the remote.
    Everywhere,
    /// This besides something else: "too".
    Also,
    Last,
    /// Where it lies.
    Within,
    /// What it is taken from.
    From,
    /// All of it, or a part.
    Of,
    /// What it shall be like.
    To,
    /// Since when.
    Since,
    /// It is only a part of what is named, or more: nothing is named then.
    Part,
    /// What stands behind it is about something else.
    End,
    /// Perhaps a name.
    Name,
}

/// What a word says, in lower case and without signs.
pub(super) fn role(word: &str) -> Role {
    match word {
        "the" | "a" | "an" | "my" | "our" | "your" | "that" | "this" | "these" | "those"
        | "old" | "unused" | "stale" | "both" | "just" | "please" | "now" | "and" | "&"
        | "plus" | "named" | "called" | "-rf" | "-r" | "-f" | "--delete" | "-d" | "--"
        | "obsolete" | "dead" | "empty" | "again" | "recreate" | "rebuild" | "following"
        | "outdated" | "me" | "up" | "back" | "current" | "git" | "whatever" | "is" | "are"
        | "made" | "you" | "what" | "was" | "entire" | "whole" | "exactly" | "state" | "rid"
        | "get" | "hard" | "--hard" | "its" | "their" | "what's" | "what’s" | "whats" | "first" => {
            Role::Around
        }
        "folder" | "folders" | "directory" | "directories" | "dir" | "dirs" | "file" | "files" => {
            Role::Kind(Kind::Path)
        }
        "branch" | "branches" => Role::Kind(Kind::Branch),
        "table" | "tables" => Role::Kind(Kind::Table),
        "database" | "db" | "databases" => Role::Kind(Kind::Database),
        "stash" | "stashes" | "stashed" => Role::Kind(Kind::Stash),
        entry if entry.starts_with("stash@{") => Role::Kind(Kind::Stash),
        "tag" | "tags" => Role::Kind(Kind::Tag),
        "change" | "changes" | "changed" | "modification" | "modifications" | "edit" | "edits" => {
            Role::Kind(Kind::Change)
        }
        "commit" | "commits" => Role::Kind(Kind::Commit),
        "tree" | "worktree" => Role::Kind(Kind::Tree),
        "all" | "any" | "every" | "everything" | "anything" | "contents" | "content" => Role::All,
        "completely" | "entirely" | "altogether" | "fully" | "totally" | "permanently" => {
            Role::Whole
        }
        "untracked" => Role::Untracked,
        "uncommitted" => Role::Uncommitted,
        "local" | "locally" | "here" => Role::Local,
        "remote" | "remotely" | "origin" | "upstream" => Role::Remote,
        "everywhere" => Role::Everywhere,
        "too" | "also" | "well" => Role::Also,
        "last" | "latest" | "newest" | "recent" | "most" => Role::Last,
        "from" | "on" | "off" => Role::From,
        "of" => Role::Of,
        "in" | "inside" | "within" | "under" => Role::Within,
        "to" | "as" => Role::To,
        "since" => Role::Since,
        "which" | "where" | "whose" | "with" | "except" | "if" | "unless" | "only" | "matching"
        | "containing" | "older" | "some" | "but" | "keep" | "leave" => Role::Part,
        "then" | "so" | "because" | "when" | "once" | "after" | "for" | "it" | "them" => Role::End,
        _ => Role::Name,
    }
}
