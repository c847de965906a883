//! Where a clause of a user begins to ask for an act: at its verb, not at a word that only sounds like one. "Implement merge
//! sort" asks for no merge, "add a push notification" for no push. Knows no rules.

/// Words that may stand before the verb of a request.
const LEADING: &[&str] = &[
    "ugh",
    "argh",
    "meh",
    "hmm",
    "hm",
    "mm",
    "ah",
    "oh",
    "eh",
    "ok",
    "okay",
    "yes",
    "yeah",
    "yep",
    "sure",
    "great",
    "good",
    "perfect",
    "cool",
    "nice",
    "fine",
    "alright",
    "right",
    "thanks",
    "thank",
    "you",
    "u",
    "now",
    "then",
    "also",
    "and",
    "so",
    "well",
    "next",
    "finally",
    "first",
    "firstly",
    "second",
    "third",
    "lastly",
    "last",
    "afterwards",
    "afterward",
    "please",
    "pls",
    "plz",
    "kindly",
    "just",
    "simply",
    "only",
    "directly",
    "immediately",
    "quickly",
    "go",
    "ahead",
    "let's",
    "let’s",
    "lets",
    "us",
    "we",
    "i",
    "want",
    "wanted",
    "wanna",
    "need",
    "would",
    "like",
    "i'd",
    "i’d",
    "should",
    "can",
    "could",
    "may",
    "must",
    "will",
    "have",
    "has",
    "to",
    "feel",
    "free",
    "make",
    "sure",
    "be",
    "remember",
    "try",
    "if",
    "possible",
    "hey",
    "claude",
    "codex",
    "gemini",
    "actually",
    "maybe",
    "it's",
    "it’s",
    "time",
    "ready",
    "approved",
    "confirmed",
    "proceed",
    "continue",
    "with",
    "or",
    "step",
    "todo",
    "-",
    "*",
    "&",
    "+",
    "→",
    "->",
    "run",
    "execute",
    "again",
    "already",
    "still",
    "once",
    "done",
    "after",
    "i'm",
    "i’m",
    "am",
    "happy",
    "mind",
    // What an agent offers begins so.
    "shall",
    "me",
    "i'll",
    "i’ll",
    "reply",
    "say",
];

/// Words behind which a request may begin.
const JOINING: &[&str] = &[
    "and",
    "then",
    "please",
    "pls",
    "also",
    "just",
    "&",
    "+",
    "→",
    "->",
    "let's",
    "let’s",
    "lets",
    "now",
    "afterwards",
    "plus",
    "or",
    "run",
    "execute",
    "must",
    "should",
    "once",
];

/// Words with which "to" begins a request, and none of something's purpose.
const WILLING: &[&str] = &[
    "you", "want", "wanna", "like", "need", "ready", "sure", "time", "free", "have", "us",
    "proceed", "continue", "remember", "try", "ahead", "ok", "okay", "fine", "good", "it", "agent",
    "due",
];

/// Words behind which "with" begins a request.
const GOING_ON: &[&str] =
    &["ahead", "proceed", "continue", "on", "fine", "ok", "okay", "happy", "good", "start"];

/// Words that say of what stands before them that it is or does something: a clause that begins with it asks for nothing.
const SAYING: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "isn't",
    "isn’t",
    "aren't",
    "aren’t",
    "has",
    "had",
    "does",
    "doesn't",
    "doesn’t",
    "did",
    "fails",
    "failed",
    "works",
    "worked",
    "seems",
    "looks",
    "shows",
    "says",
    "needs",
    "should",
    "must",
    "will",
    "would",
    "can",
    "could",
    "crashes",
    "breaks",
    "broke",
];

/// Such words behind which it is a wish: "this should be pushed".
const WISHING: &[&str] = &["should", "must", "needs", "has", "can"];

/// Words behind which nothing is said of the first word any more.
const OBJECTS: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "it",
    "them",
    "all",
    "everything",
    "my",
    "your",
    "our",
    "what",
    "which",
    "who",
    "when",
    "if",
    "once",
    "and",
    "then",
    "to",
    "whatever",
    "as",
    "so",
];

/// Words that begin what has to be so before a request.
const CONDITIONS: &[&str] = &["when", "once", "if", "as", "after", "whenever"];

/// Words with which such a condition ends.
const FULFILLED: &[&str] = &[
    "green", "pass", "passes", "passed", "passing", "done", "finished", "complete", "succeeds",
    "succeed", "works", "ready", "clean", "ok", "okay", "good",
];

/// Verbs of which the act is the noun behind them: "do the push", "retry the merge".
const DOING: &[&str] = &[
    "do", "redo", "retry", "repeat", "perform", "execute", "finish", "complete", "start",
    "trigger", "try", "attempt",
];

/// What may stand between such a verb and its noun.
const ARTICLES: &[&str] = &["the", "a", "an", "another", "that", "this", "your", "my"];

/// Words that say of a whole clause that something is or happens.
const STATING: &[&str] = &[
    "is",
    "was",
    "isn't",
    "isn’t",
    "wasn't",
    "wasn’t",
    "does",
    "doesn't",
    "doesn’t",
    "did",
    "didn't",
    "didn’t",
    "fails",
    "failed",
    "crashes",
    "crashed",
    "died",
    "dies",
    "timed",
    "choked",
    "blew",
    "exploded",
    "breaks",
    "broke",
    "hangs",
    "hung",
    "returns",
    "returned",
    "gives",
    "gave",
    "throws",
    "threw",
    "takes",
    "took",
    "works",
    "worked",
    "got",
    "gets",
    "keeps",
    "shows",
    "says",
    "seems",
    "results",
    "stopped",
    "stalls",
    "errors",
    "errored",
];

/// Words behind which a clause speaks of something else.
const TURNING: &[&str] = &[
    "and",
    "then",
    "when",
    "if",
    "once",
    "that",
    "which",
    "what",
    "whatever",
    "who",
    "because",
    "since",
    "so",
    "where",
    "until",
    "but",
    "it",
    "this",
    "everything",
    "after",
    "before",
    "as",
    "while",
    "unless",
];

/// Verbs of others' eyes that mean something else where they are about the data of a program.
const PUBLISHING: &[&str] =
    &["push", "merge", "release", "publish", "ship", "tag", "deploy", "upload", "submit", "land"];

/// Programs whose subcommands are acts.
const PROGRAMS: &[&str] = &[
    "gem", "docker", "podman", "npm", "pnpm", "yarn", "cargo", "twine", "helm", "pod", "poetry",
    "uv",
];

/// What programs are made of and work on: nobody pushes it to a server.
const DATA: &[&str] = &[
    "notification",
    "notifications",
    "stack",
    "queue",
    "array",
    "arrays",
    "list",
    "lists",
    "vector",
    "heap",
    "dict",
    "dicts",
    "dictionary",
    "dictionaries",
    "map",
    "maps",
    "hashmap",
    "object",
    "objects",
    "sort",
    "sorted",
    "buffer",
    "buffers",
    "button",
    "buttons",
    "handler",
    "handlers",
    "lock",
    "locks",
    "mutex",
    "semaphore",
    "memory",
    "resource",
    "resources",
    "connection",
    "connections",
    "event",
    "events",
    "item",
    "items",
    "element",
    "elements",
    "value",
    "values",
    "node",
    "nodes",
    "cell",
    "cells",
    "row",
    "rows",
    "column",
    "columns",
    "function",
    "functions",
    "method",
    "methods",
    "class",
    "classes",
    "notes",
    "route",
    "router",
    "history",
    "props",
    "style",
    "styles",
    "interval",
    "intervals",
    "string",
    "strings",
    "counter",
    "counters",
    "timer",
    "cursor",
    "variable",
    "variables",
    "halves",
    "key",
    "keys",
    "endpoint",
    "endpoints",
    "param",
    "params",
    "parameter",
    "parameters",
    "option",
    "options",
    "field",
    "fields",
    "form",
    "message",
    "messages",
    "conflict",
    "conflicts",
    "plan",
    "sets",
    "iterator",
    "iterators",
    "dataframe",
    "dataframes",
    "tree",
    "trees",
];

/// What of a repository others see.
const SHARED: &[&str] = &[
    "pr",
    "prs",
    "mr",
    "mrs",
    "branch",
    "branches",
    "main",
    "master",
    "develop",
    "commit",
    "commits",
    "change",
    "changes",
    "pull",
    "origin",
    "remote",
    "upstream",
    "tag",
    "tags",
    "repo",
    "repository",
    "github",
    "gitlab",
    "prod",
    "production",
    "staging",
    "npm",
    "pypi",
    "registry",
    "version",
];

/// Words that people mean who write in haste.
const TYPOS: &[(&str, &str)] = &[
    ("psuh", "push"),
    ("puhs", "push"),
    ("pussh", "push"),
    ("pus", "push"),
    ("pushh", "push"),
    ("delte", "delete"),
    ("deleet", "delete"),
    ("dlete", "delete"),
    ("comit", "commit"),
    ("commti", "commit"),
    ("mereg", "merge"),
    ("mrege", "merge"),
    ("n", "and"),
    ("delet", "delete"),
    ("remvoe", "remove"),
    ("publsh", "publish"),
    ("relase", "release"),
];

/// No more words of a clause are looked at.
const MAX_WORDS: usize = 256;

/// The parts of a clause that begin where it asks for an act, without signs of markup.
pub fn acts(clause: &str) -> Vec<String> {
    let words = without_thanks(clause).split_whitespace().take(MAX_WORDS).flat_map(parts);
    let meant =
        |word| TYPOS.iter().find(|(typo, _)| *typo == word).map_or(word, |(_, meant)| *meant);
    let words: Vec<&str> = words.map(meant).collect();
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let at = |index: usize| plain.get(index).map_or("", String::as_str);
    let skip = |mut from: usize| {
        // Who is to reply to somebody is asked for that.
        let replies = |from: usize| {
            at(from) == "reply" && matches!(at(from + 1), "to" | "in" | "on" | "under")
        };
        while LEADING.contains(&at(from)) && !replies(from) || is_number(at(from)) {
            from += 1;
        }
        from
    };
    let mut starts = Vec::new();
    let first = skip(0);
    let is_conditional =
        plain.iter().take(first + 1).any(|word| CONDITIONS.contains(&word.as_str()));
    let is_gerund = first == 0 && at(first).ends_with("ing") && at(first) != "bring";
    if !says_something(&plain, first) && !is_statement(&plain, first) && !is_gerund {
        starts.push(first);
    }
    for index in 0..words.len() {
        if is_duty_of_others(&plain, index) {
            continue;
        }
        let joins = JOINING.contains(&at(index))
            || at(index) == "to"
                && index > 0
                && WILLING.contains(&at(index - 1))
                && !is_made_ready(&plain, index)
            // "Do you want me to push it?"
            || at(index) == "to"
                && index > 1
                && at(index - 1) == "me"
                && matches!(at(index - 2), "want" | "need" | "like" | "prefer" | "wish")
            || at(index) == "with" && index > 0 && GOING_ON.contains(&at(index - 1))
            || FULFILLED.contains(&at(index))
                && (is_conditional || is_under_condition(&plain, index));
        if joins && index + 1 >= first {
            let from = skip(index + 1);
            starts.push(if matches!(at(from), "the" | "a") && at(index) == "with" {
                from + 1
            } else {
                from
            });
        }
    }
    // "gem push": the program is no part of the act.
    let behind: Vec<usize> = starts
        .iter()
        .filter(|from| PROGRAMS.contains(&at(**from)) && PUBLISHING.contains(&at(**from + 1)))
        .map(|from| from + 1)
        .collect();
    starts.extend(behind);
    let nouns = starts.iter().filter(|from| DOING.contains(&at(**from)));
    let nouns: Vec<usize> =
        nouns.filter(|from| ARTICLES.contains(&at(**from + 1))).map(|from| from + 2).collect();
    starts.extend(nouns);
    let emphatic =
        starts.iter().filter(|from| at(**from) == "do" && !ARTICLES.contains(&at(**from + 1)));
    let emphatic: Vec<usize> = emphatic.map(|from| from + 1).collect();
    starts.extend(emphatic);
    // "Run the deployment": what is run is an act.
    let is_run = |from: usize| from > 0 && at(from - 1) == "run" && ARTICLES.contains(&at(from));
    let runs: Vec<usize> =
        starts.iter().filter(|from| is_run(**from)).map(|from| from - 1).collect();
    starts.extend(runs);
    starts.sort_unstable();
    starts.dedup();
    // A function of a program is called so.
    let is_call = |from: usize| words.get(from).is_some_and(|word| word.contains("()"));
    let starts = starts
        .into_iter()
        .filter(|from| *from < words.len() && !is_of_data(&plain, *from) && !is_call(*from));
    let acts = starts.map(|from| without_markup(words.get(from..).unwrap_or_default()));
    acts.filter(|act| !act.trim().is_empty()).collect()
}

/// A clause without what is only polite at its end: "… pls", "… thx 🙏".
pub fn without_thanks(clause: &str) -> &str {
    const POLITE: &[&str] = &[
        "pls", "plz", "plss", "please", "thx", "thanks", "thank", "you", "ty", "tyvm", "asap",
        "lol", "haha", "bitte", "danke", "porfa", "merci", "obrigado", "gracias", "kthx", "cheers",
    ];
    let mut kept = clause.trim_end();
    loop {
        let last = kept.rsplit(char::is_whitespace).next().unwrap_or_default();
        let before = kept.get(..kept.len() - last.len()).unwrap_or_default();
        let bare = last.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        // Signs alone may be a path, or a star.
        let is_sign = bare.is_empty() && !last.is_empty() && !last.is_ascii();
        let stands_for_thanks = bare != "you" || before.trim_end().ends_with("thank");
        let is_thanks = POLITE.contains(&bare.as_str()) && stands_for_thanks;
        if before.trim().is_empty() || !(is_sign || is_thanks) {
            return kept;
        }
        kept = before.trim_end();
    }
}

/// Whether a condition begins shortly before a place: "run the tests and if they are green push".
fn is_under_condition(words: &[String], at: usize) -> bool {
    const MAX_LENGTH: usize = 5;
    let before = words.get(at.saturating_sub(MAX_LENGTH)..at).unwrap_or_default();
    before.iter().any(|word| matches!(word.as_str(), "when" | "once" | "if"))
}

/// Whether "should" or "to" at a place says what a program does, or the user has to: "the release script should push",
/// "which requests I should merge".
fn is_duty_of_others(words: &[String], at: usize) -> bool {
    const MAX_LENGTH: usize = 5;
    let word = words.get(at).map_or("", String::as_str);
    if !matches!(word, "should" | "must" | "to" | "shall") {
        return false;
    }
    let before = words.get(at.saturating_sub(MAX_LENGTH)..at).unwrap_or_default();
    let is_own =
        |word: &String| matches!(word.as_str(), "i" | "i'd" | "i’d" | "we" | "users" | "people");
    let first = at.saturating_sub(MAX_LENGTH);
    let own = before.iter().rposition(is_own).map(|place| place + first);
    let names_agent = before
        .iter()
        .any(|word| matches!(word.as_str(), "you" | "want" | "like" | "need" | "wanted"));
    let is_of_user = own.is_some_and(|place| place > 1) && !names_agent;
    is_of_user
        || word != "to" && before.iter().any(|word| DOERS.contains(&word.as_str())) && !names_agent
}

/// Programs, and parts of them, that do things by themselves.
pub const DOERS: &[&str] = &[
    "script",
    "job",
    "service",
    "button",
    "workflow",
    "pipeline",
    "action",
    "hook",
    "command",
    "cli",
    "bot",
    "cron",
    "tool",
    "function",
    "method",
    "endpoint",
    "handler",
    "app",
    "page",
    "class",
    "module",
    "server",
    "plugin",
    "target",
    "makefile",
    "task",
    "daemon",
    "worker",
    "webhook",
    "component",
    "program",
];

/// Whether "to" at a place says what something is made ready for: "get the request ready to merge".
fn is_made_ready(words: &[String], to: usize) -> bool {
    const MAKING: [&str; 8] =
        ["get", "getting", "make", "making", "have", "prepare", "bring", "keep"];
    let mut before = words.iter().take(to).rev();
    before.next().is_some_and(|word| word == "ready")
        && before.take(6).any(|word| MAKING.contains(&word.as_str()))
}

/// The verbs in one word: `commit/push`, `commit&push`.
fn parts(word: &str) -> Vec<&str> {
    const BEFORE: [&str; 9] =
        ["add", "commit", "build", "tag", "test", "merge", "rebase", "squash", "stage"];
    let is_list = word
        .split_once(['/', '&', '+'])
        .is_some_and(|(first, _)| BEFORE.contains(&first.to_lowercase().as_str()));
    match is_list {
        true => word
            .split_inclusive(['/', '&', '+'])
            .flat_map(|part| {
                let verb = part.trim_end_matches(['/', '&', '+']);
                [verb, if verb.len() < part.len() { "&" } else { "" }]
            })
            .filter(|part| !part.is_empty())
            .collect(),
        false => vec![word],
    }
}

fn plain(word: &str) -> String {
    let kept = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '*' | '&' | '+' | '→' | '>');
    match word.trim_matches(kept) {
        "" => word.to_lowercase(),
        word if word.chars().any(char::is_alphanumeric) => {
            word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
        }
        word => word.to_lowercase(),
    }
}

/// Whether a word numbers an item of a list.
fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a clause says something of what it begins with: "push notifications are broken".
fn says_something(words: &[String], first: usize) -> bool {
    for (at, word) in words.iter().enumerate().skip(first + 1).take(4) {
        let next = words.get(at + 1).map_or("", String::as_str);
        let is_wish = WISHING.contains(&word.as_str()) && matches!(next, "be" | "to" | "get");
        if OBJECTS.contains(&word.as_str()) || is_wish {
            return false;
        }
        if SAYING.contains(&word.as_str()) {
            return true;
        }
    }
    false
}

/// Whether a clause is a statement as a whole: "push to main fails with 403".
fn is_statement(words: &[String], first: usize) -> bool {
    let behind = words.iter().skip(first + 1).map(String::as_str);
    let mut own = behind.take_while(|word| !TURNING.contains(word));
    own.any(|word| STATING.contains(&word))
}

/// Whether a verb of publishing is about the data of a program.
fn is_of_data(words: &[String], from: usize) -> bool {
    let of_act =
        words.iter().skip(from).take_while(|word| !matches!(word.as_str(), "and" | "then" | "&"));
    let mut of_act = of_act.skip_while(|word| matches!(word.as_str(), "git" | "force"));
    let is_publishing = of_act.next().is_some_and(|verb| PUBLISHING.contains(&verb.as_str()));
    let rest: Vec<&str> = of_act.map(String::as_str).collect();
    is_publishing
        && rest.iter().any(|word| DATA.contains(word))
        && !rest.iter().any(|word| SHARED.contains(word))
}

fn without_markup(words: &[&str]) -> String {
    let plain = words.iter().map(|word| {
        // Behind a slash a star is one of a pattern.
        let word = word.trim_start_matches('*');
        let bare = word.trim_end_matches('*');
        if bare.ends_with('/') { word } else { bare }
    });
    plain.collect::<Vec<_>>().join(" ").replace(['`', '"'], "")
}

#[cfg(test)]
mod tests {
    use super::acts;

    fn asks(clause: &str, verb: &str) -> bool {
        acts(clause).iter().any(|act| act.to_lowercase().starts_with(verb))
    }

    #[test]
    fn acts_begin_at_their_verbs() {
        for clause in [
            "push",
            "push it",
            "please push to main",
            "fix it and push",
            "and then push the fix",
            "you can push now",
            "I want you to push",
            "ok go ahead and push to origin",
            "commit/push",
            "commit & push it",
            "3 push the tag",
            "feel free to push",
            "run `git push`, then",
            "looks good then push",
            "push the button fix to main",
            "push what is ready",
            "when you're done commit and push",
            "let's push",
            "Want me to `git push --force-with-lease`",
            "I'm fine with push",
            "can u push",
            "Do you want me to push it",
            "do you need me to push",
            "when the tests are green push",
            "once CI passes push it",
            "retry the push",
            "do another push please",
            "push it works now",
            "run the tests and if they're green push to main",
            "psuh it",
            "gem push",
            "Do push it to main",
            "all green → push",
            "push pls",
            "commit n push thx 🙏",
            "commit n push",
            "push what works",
        ] {
            assert!(
                asks(clause, "push") || asks(clause, "git push"),
                "{clause}: {:?}",
                acts(clause)
            );
        }
        assert!(asks("merge the PR", "merge") && asks("squash and merge it", "merge"));
        assert!(asks("go ahead with the merge", "merge"));
    }

    #[test]
    fn words_that_sound_like_acts_are_none() {
        for clause in [
            "add a push notification",
            "push notifications are broken",
            "push the value onto the stack",
            "Pushing is my job",
            "rename push to main_push",
            "the push failed",
            "write a script to push images",
            "how to push",
            "the button that says push",
            "that push broke everything",
            "please: push(), pushAll()",
            "the release script should push to main",
            "list the points that I'd have to push",
            "push to main fails with 403",
            "push to origin main was rejected",
            "do the push notifications",
        ] {
            assert!(!asks(clause, "push"), "{clause}: {:?}", acts(clause));
        }
        for clause in [
            "implement merge sort",
            "merge the two sorted lists",
            "resolve the merge conflicts",
            "merge sort has to be faster",
        ] {
            assert!(!asks(clause, "merge"), "{clause}: {:?}", acts(clause));
        }
        assert!(
            !asks("write the release notes", "release") && !asks("release the lock", "release")
        );
    }
}
