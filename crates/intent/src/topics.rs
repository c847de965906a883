//! What people call the acts that they forbid or allow as a whole: the words behind a no, or before "can wait". Says nothing of
//! whether it is a no. Knows no rules.

use super::act::Act;
use super::dependencies::are_dependencies;
use super::lexicon::deletes;
use super::reshaping::reshapings_named;
use super::runs::runs_named;
use super::told::words;

/// The acts that words name as a whole, behind other words; where `is_name_enough`, a name for what is run or used is enough.
pub(super) fn acts_named(words: &[&str], before: &[&str], is_name_enough: bool) -> Vec<Act> {
    const LEADING: &[&str] = &[
        "the", "that", "this", "any", "all", "your", "my", "our", "doing", "about", "no", "not",
        "more", "new",
    ];
    let is_leading = |word: &&&str| LEADING.contains(*word);
    let plain: Vec<&str> =
        words.iter().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric())).collect();
    let leading = plain.iter().take_while(is_leading).count();
    let own = plain.get(leading..).unwrap_or_default();
    let mut found = whole_acts(&own.join(" "));
    let is_package = are_dependencies(&plain) || is_name_enough && are_dependencies(own);
    found.extend(is_package.then_some(Act::Depend));
    found.extend(runs_named(own, before, is_name_enough));
    // "A backup of the database is running, hands off it."
    let is_it = matches!(own, ["it" | "them" | "that", ..]) && is_name_enough && found.is_empty();
    let named = (0..before.len()).rev().filter(|_| is_it).find_map(|at| {
        let named = runs_named(before.get(at..)?, &[], true);
        (!named.is_empty()).then_some(named)
    });
    found.extend(named.unwrap_or_default());
    found.extend(reshapings_named(own, is_name_enough));
    found.extend(reshapings_named(&plain, is_name_enough));
    found.extend(deletes_anything(own).then_some(Act::Delete));
    found
}

/// Words that may stand between a no and the act that it is about.
const LEADING: &[&str] = &[
    "off",
    "on",
    "with",
    "the",
    "any",
    "to",
    "from",
    "make",
    "making",
    "do",
    "doing",
    "create",
    "creating",
    "run",
    "running",
    "actually",
    "ever",
    "please",
    "automatically",
    "or",
    "and",
    "nor",
    "more",
    "further",
    "you",
    "your",
    "need",
    "bother",
    "want",
    "allowed",
    "should",
    "be",
    "gets",
    "get",
    "didn't",
    "didn’t",
    "don't",
    "don’t",
    "go",
    "a",
    "single",
    "new",
    "attempt",
    "try",
    "start",
    "hagas",
    "hagan",
    "hacer",
    "hagáis",
    "bitte",
    "mach",
    "mache",
];

/// Words behind an act that leave it as a whole.
const WHOLE: &[&str] = &[
    "myself",
    "tho",
    "though",
    "rn",
    "atm",
    "around",
    "ourselves",
    "later",
    "tomorrow",
    "afterwards",
    "manually",
    "hand",
    "part",
    "parts",
    "side",
    "bit",
    "half",
    "anymore",
    "either",
    "please",
    "pls",
    "plz",
    "thx",
    "thanks",
    "anything",
    "nothing",
    "it",
    "yet",
    "this",
    "that",
    "them",
    "these",
    "those",
    "everything",
    "anywhere",
    "now",
    "for",
    "in",
    "session",
    "today",
    "encore",
    "todavia",
    "heute",
    "hoy",
    "aujourd'hui",
    "aujourd’hui",
    "on",
    "yourself",
    "at",
    "all",
    "ever",
    "still",
    "first",
    "here",
    "by",
    "the",
    "my",
    "your",
    "our",
    "any",
    "own",
    "change",
    "changes",
    "code",
    "work",
    "fix",
    "fixes",
    "result",
    "results",
    "stuff",
    "things",
    "files",
    "branch",
    "to",
    "remote",
    "from",
    "origin",
    "github",
    "gitlab",
    "server",
    "upstream",
    "or",
    "and",
    "nor",
    "me",
    "needed",
    "necessary",
    "required",
    "moment",
    "time",
    "being",
    "then",
    "after",
    "every",
    "each",
    "step",
    "steps",
    "edit",
    "edits",
    "task",
    "constantly",
    "always",
    "you",
    "claude",
    "whatsoever",
    "thank",
    "ok",
    "okay",
    "meantime",
    "meanwhile",
    "again",
    "mate",
    "dude",
    "bro",
    "tonight",
    "automatically",
    "progress",
    "wip",
    "commit",
    "commits",
    "behalf",
    "under",
    "circumstances",
    "pick",
    "picking",
    "bitte",
    "todavía",
    "aún",
    "por",
    "favor",
    "noch",
    "jetzt",
    "stp",
    "svp",
];

/// What stands behind "git" where all of it is meant.
const OF_GIT: &[&str] = &[
    "stuff",
    "command",
    "commands",
    "operation",
    "operations",
    "ops",
    "action",
    "actions",
    "things",
    "thing",
    "work",
    "activity",
    "part",
    "parts",
    "side",
    "bit",
    "half",
];

/// When something is, that no agent sees to.
pub(super) const TIMES: &[&str] = &[
    "tomorrow",
    "tonight",
    "lunch",
    "dinner",
    "morning",
    "noon",
    "afternoon",
    "evening",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "weekend",
    "week",
    "month",
    "notice",
    "freeze",
    "demo",
    "standup",
    "meeting",
    "later",
    "then",
];

/// Words behind the name of an act that say which of them are meant: "no commits to main".
const NARROWING: &[&str] = &[
    "to",
    "of",
    "with",
    "in",
    "on",
    "into",
    "onto",
    "that",
    "which",
    "without",
    "containing",
    "from",
    "for",
    "like",
    "via",
    "through",
    "except",
    "besides",
    "beyond",
    "other",
    "than",
    "over",
    "under",
    "above",
    "about",
    "but",
];

/// Whose word what is forbidden waits for.
const USERS: &[&str] = &[
    "i",
    "i've",
    "i’ve",
    "i'm",
    "i’m",
    "im",
    "ive",
    "we",
    "we've",
    "we’ve",
    "my",
    "asking",
    "permission",
    "approval",
    "confirmation",
    "further",
    "told",
    "asked",
    "explicit",
    "telling",
    "me",
];

/// The acts of git that words name as a whole: none where they say more of it ("commit the lockfile", "push to main").
pub(super) fn whole_acts(text: &str) -> Vec<Act> {
    let words: Vec<String> = words(text).collect();
    let at = |index: usize| words.get(index).map_or("", String::as_str);
    let (mut found, mut index) = (Vec::new(), 0);
    while index < words.len() {
        match Act::of(at(index)) {
            Some(act) => found.push(act),
            None if at(index) == "git" && Act::of(at(index + 1)).is_some() => {}
            None if matches!(at(index), "git" | "touch" | "use") && found.is_empty() => {
                index += usize::from(matches!(at(index), "touch" | "use"));
                if at(index) != "git" {
                    return Vec::new();
                }
                found.extend(Act::OF_GIT);
                index += usize::from(OF_GIT.contains(&at(index + 1)));
            }
            None if LEADING.contains(&at(index)) && found.is_empty() => {}
            None if JOINING.contains(&at(index)) && has_act(&words, index) => {}
            None => break,
        }
        index += 1;
    }
    index += match found.last() {
        Some(Act::Merge | Act::Rebase) => named_branch(words.get(index..).unwrap_or_default()),
        _ => 0,
    };
    // Of commits that are named, what follows says which, or when: nothing is done to it.
    let is_name = index > 0 && matches!(at(index - 1), "commits" | "pushes" | "merges" | "rebases");
    let mut is_narrowed = false;
    for index in index..words.len() {
        if begins_reason(&words, index) || begins_request(&words, index) {
            return found;
        }
        let is_of = |known: &[&str]| {
            words.iter().skip(index + 1).take(3).any(|word| known.contains(&word.as_str()))
        };
        match at(index) {
            "until" | "till" | "before" | "unless" | "without" | "while" => {
                return if is_of(USERS) || is_of(TIMES) { found } else { Vec::new() };
            }
            "because" | "since" | "so" | "as" => return found,
            "when" | "once" | "after" if is_of(USERS) => return found,
            _ => {}
        }
        is_narrowed |= NARROWING.contains(&at(index));
        if !WHOLE.contains(&at(index)) && (is_narrowed || !is_name) {
            return Vec::new();
        }
    }
    found
}

/// How many words name the branch that is merged, or that something is merged into: "main into this", "the feature branch". "The two
/// functions" are none.
fn named_branch(words: &[String]) -> usize {
    const AROUND: &[&str] = &[
        "into", "in", "onto", "on", "from", "with", "to", "against", "this", "it", "that", "the",
        "my", "your", "our", "branch", "here", "back",
    ];
    const BRANCHES: &[&str] = &[
        "main", "master", "develop", "dev", "trunk", "staging", "upstream", "topic", "release",
        "branch", "branches", "remote",
    ];
    let is_around = |word: &&String| AROUND.contains(&word.as_str());
    let is_branch = |at: usize| {
        let word = words.get(at).map_or("", String::as_str);
        let next = words.get(at + 1).map_or("", String::as_str);
        BRANCHES.contains(&word) || word.contains(['-', '/']) || next.starts_with("branch")
    };
    let mut end = 0;
    loop {
        let at = end + words.get(end..).unwrap_or_default().iter().take_while(is_around).count();
        if !is_branch(at) {
            // "Main into this branch": what follows the name says where. Where it stands before, that is said alone.
            let word = |at: usize| words.get(at).map_or("", String::as_str);
            let is_here = at > 1
                && word(at - 1) == "branch"
                && matches!(word(at - 2), "this" | "my" | "our" | "the");
            return if end == 0 && !is_here { 0 } else { at };
        }
        end = at + 1;
    }
}

/// Whether words go on with why, as people write it without a comma: "don't commit yet i want to look first".
fn begins_reason(words: &[String], at: usize) -> bool {
    const PERSONS: &[&str] = &[
        "i", "i'm", "i’m", "im", "i'll", "i’ll", "ill", "i've", "i’ve", "ive", "i'd", "we",
        "we'll", "let", "lemme",
    ];
    const BEFORE: &[&str] = &[
        "yet", "it", "this", "that", "anything", "now", "nothing", "please", "pls", "anymore",
        "today", "first", "here", "stuff",
    ];
    let word = |index: usize| words.get(index).map_or("", String::as_str);
    let before = at.checked_sub(1).map_or("", word);
    PERSONS.contains(&word(at)) && (BEFORE.contains(&before) || Act::of(before).is_some())
}

/// Whether words go on with something else that is wanted: "don't push anything and leave the docs alone".
fn begins_request(words: &[String], at: usize) -> bool {
    const VERBS: &[&str] = &[
        "leave", "keep", "don't", "don’t", "dont", "do", "never", "just", "only", "then", "please",
        "let", "make", "stay", "wait", "stop", "show", "tell", "ask", "touch", "change", "run",
        "fix", "use", "update", "add", "write", "create", "check", "test", "focus", "stick",
        "also", "not", "without", "give", "report", "explain", "review", "edit", "delete",
        "remove", "rename", "move", "work",
    ];
    let word = |index: usize| words.get(index).map_or("", String::as_str);
    matches!(word(at), "and" | "but" | "or")
        && VERBS.contains(&word(at + 1))
        && Act::of(word(at + 2)).is_none()
}

/// Words between two acts that one no is about.
const JOINING: &[&str] =
    &["or", "and", "nor", "any", "to", "do", "not", "don't", "don’t", "dont", "no", "ni", "und"];

/// Whether one of the next words is an act.
fn has_act(words: &[String], at: usize) -> bool {
    words.iter().skip(at + 1).take(3).any(|word| Act::of(word).is_some())
}

/// Whether words say that anything is deleted, whatever it is.
pub(super) fn deletes_anything(words: &[&str]) -> bool {
    const LEADING: &[&str] =
        &["please", "ever", "actually", "just", "go", "and", "you", "to", "or", "move", "rename"];
    const ANY: &[&str] = &["anything", "any", "files", "stuff", "things"];
    const AROUND: &[&str] = &[
        "files", "file", "of", "them", "it", "code", "yet", "please", "pls", "for", "now", "at",
        "all", "here", "in", "this", "the", "repo", "project", "even", "if", "they", "look",
        "looks", "unused", "old", "away", "out", "session", "whole", "from", "on", "today",
    ];
    let mut words = words.iter().skip_while(|word| LEADING.contains(word));
    let is_verb = |verb: &&str| {
        deletes(verb) || matches!(*verb, "deleting" | "removing" | "throw" | "throwing")
    };
    words.next().is_some_and(is_verb)
        && words.next().is_some_and(|object| ANY.contains(object))
        && words.all(|word| AROUND.contains(word))
}
