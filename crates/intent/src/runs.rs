//! Whether a user forbids that something of a kind is run or used, or asks for it: tests, migrations, a server, the network, a
//! database. Knows no rules.

use super::act::Act;
use super::sentences::{at_negation, clauses};
use super::told::{is_told, plain_words as words};

const RUNNING: &[&str] = &[
    "run",
    "running",
    "execute",
    "executing",
    "start",
    "starting",
    "launch",
    "launching",
    "rerun",
    "restart",
    "restarting",
    "rerunning",
    "kick",
    "kicking",
    "apply",
    "applying",
    "spin",
    "spinning",
    "boot",
    "booting",
    "fire",
    "firing",
    "bring",
    "bringing",
    "trigger",
    "triggering",
    "invoke",
    "invoking",
];

const USING: &[&str] = &[
    "use",
    "using",
    "access",
    "accessing",
    "hit",
    "hitting",
    "touch",
    "touching",
    "reach",
    "reaching",
    "query",
    "querying",
    "call",
    "calling",
    "connect",
    "connecting",
    "talk",
    "talking",
    "go",
    "going",
    "run",
    "running",
    "execute",
    "write",
    "writing",
    "send",
    "sending",
];

/// What stands before what is run or used.
const BETWEEN: &[&str] = &[
    "please",
    "bother",
    "the",
    "any",
    "my",
    "our",
    "your",
    "a",
    "another",
    "second",
    "unit",
    "e2e",
    "integration",
    "slow",
    "off",
    "up",
    "on",
    "these",
    "those",
    "again",
    "you",
    "to",
    "ever",
    "actually",
    "pytest",
    "jest",
    "playwright",
    "cypress",
    "new",
    "db",
    "database",
    "dev",
    "development",
    "local",
    "web",
    "alembic",
    "django",
    "prisma",
    "knex",
    "rails",
    "schema",
    "pending",
    "own",
];

/// The same of what is used alone.
const BETWEEN_USED: &[&str] = &[
    "anything",
    "stuff",
    "queries",
    "query",
    "commands",
    "scripts",
    "sql",
    "against",
    "at",
    "in",
    "into",
    "with",
    "onto",
    "live",
    "prod",
    "production",
    "requests",
    "calls",
    "over",
    "through",
];

/// What is run or used, by what it is called, and how no to it is said in other languages.
struct Kind {
    act: Act,
    words: &'static [&'static str],
    /// Verbs that say it alone.
    verbs: &'static [&'static str],
    is_used: bool,
    phrases: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind {
        act: Act::Test,
        words: &["tests", "test", "testsuite", "specs", "suite", "pytest", "jest"],
        verbs: &["runs", "testing"],
        is_used: false,
        phrases: &[
            "keine tests laufen",
            "die tests nicht laufen",
            "tests nicht ausführen",
            "keine tests ausführen",
            "no ejecutes los tests",
            "no corras los tests",
            "sin ejecutar los tests",
            "ne lance pas les tests",
            "sans lancer les tests",
        ],
    },
    Kind {
        act: Act::Migrate,
        words: &["migrations", "migration", "migrate"],
        verbs: &["migrate", "migrating", "migrations", "migration"],
        is_used: false,
        phrases: &[
            "keine migrationen ausführen",
            "migrationen nicht ausführen",
            "keine migration ausführen",
            "migration nicht ausführen",
            "no ejecutes las migraciones",
            "no corras las migraciones",
            "sin ejecutar las migraciones",
            "ne lance pas les migrations",
            "pas de migrations",
            "pas de migration",
            "ohne migration",
            "ne lance pas la migration",
        ],
    },
    Kind {
        act: Act::Serve,
        words: &[
            "server",
            "servers",
            "dev-server",
            "devserver",
            "app",
            "vite",
            "nodemon",
            "storybook",
            "uvicorn",
            "compose",
            "docker",
        ],
        verbs: &["server", "servers", "dev-server", "devserver"],
        is_used: false,
        phrases: &[
            "server nicht starten",
            "keinen server starten",
            "no arranques el servidor",
            "no levantes el servidor",
            "ne lance pas le serveur",
            "ne démarre pas le serveur",
        ],
    },
    Kind {
        act: Act::Network,
        words: &["network", "internet", "web", "online"],
        verbs: &[],
        is_used: true,
        phrases: &[
            "kein internet",
            "keine netzwerkzugriffe",
            "ohne internet",
            "bleib offline",
            "sin internet",
            "sans internet",
            "reste hors ligne",
        ],
    },
    Kind {
        act: Act::Database,
        words: &["db", "database", "databases", "sql"],
        verbs: &[],
        is_used: true,
        phrases: &[
            "finger weg von der datenbank",
            "no toques la base de datos",
            "lance rien sur la base",
            "touche pas à la base",
        ],
    },
];

/// What stands behind such a word where that is another thing: "the test script".
const OTHER: &[&str] = &[
    "script",
    "scripts",
    "server",
    "database",
    "db",
    "data",
    "env",
    "in",
    "with",
    "for",
    "file",
    "files",
    "folder",
    "runner",
    "module",
    "layer",
    "code",
    "schema",
    "models",
    "model",
    "tests",
    "page",
    "section",
    "component",
    "config",
    "settings",
    "state",
    "tab",
    "name",
    "logic",
    "card",
];

/// Whether words behind a no say the act itself: "don't migrate", "no migrations yet", "no dev server please".
fn is_bare(words: &[&str], kind: &Kind) -> bool {
    const BEHIND: &[&str] = &[
        "yet", "please", "pls", "for", "now", "runs", "ok", "needed", "anything", "until", "till",
        "on",
    ];
    let mut words = words
        .iter()
        .skip_while(|word| matches!(**word, "dev" | "test" | "any" | "db" | "off" | "on"));
    words.next().is_some_and(|word| kind.verbs.contains(word))
        && words.next().is_none_or(|next| BEHIND.contains(next))
}

/// Whether words name all tests there are: "the full test suite", "all of the tests".
fn is_suite(words: &[&str]) -> bool {
    const WHOLE: &[&str] = &["full", "whole", "entire", "complete", "all"];
    const BETWEEN: &[&str] =
        &["the", "our", "my", "of", "test", "unit", "integration", "e2e", "pytest", "jest", "slow"];
    const TESTS: &[&str] = &["suite", "testsuite", "tests", "specs"];
    let plain: Vec<&str> = words.iter().map(|word| singular(word)).collect();
    let whole = plain.iter().take_while(|word| BETWEEN.contains(word)).count();
    let rest = plain.get(whole..).unwrap_or_default();
    let Some((first, rest)) = rest.split_first() else { return false };
    let mut rest = rest.iter().skip_while(|word| BETWEEN.contains(word) || **word == "suite's");
    WHOLE.contains(first)
        && rest.next().is_some_and(|noun| TESTS.contains(noun))
        && rest.next().is_none_or(|next| !OTHER.contains(next) || matches!(*next, "for" | "with"))
}

/// Whether words begin with a run of all tests.
fn runs_suite(words: &[&str]) -> bool {
    const BEFORE: &[&str] = &["to", "you", "please", "ever", "actually", "bother"];
    let before = words.iter().take_while(|word| BEFORE.contains(word)).count();
    let rest = words.get(before..).unwrap_or_default();
    rest.split_first().is_some_and(|(verb, rest)| RUNNING.contains(verb) && is_suite(rest))
}

/// Whether words begin with a run of something of a kind: whichever it is, and not all of it at once. "Them" is what the words
/// before speak of.
fn is_run(words: &[&str], before: &[&str], kind: &Kind) -> bool {
    let verbs = if kind.is_used { USING } else { RUNNING };
    let is_leading = |word: &&&str| {
        BETWEEN.contains(*word) && !kind.words.contains(*word)
            || kind.is_used && BETWEEN_USED.contains(*word)
    };
    let mut rest = words.iter().skip_while(|word| is_leading(word) && !verbs.contains(*word));
    let runs = rest.next().is_some_and(|verb| verbs.contains(verb));
    // "Running it against the db."
    let is_at = |at: &str| matches!(at, "against" | "at" | "on" | "over");
    let mut rest = rest.peekable();
    let mut ahead = rest.clone();
    let is_it_there = matches!(ahead.next(), Some(&("it" | "that" | "this" | "them" | "these")))
        && ahead.next().is_some_and(|next| is_at(next));
    if kind.is_used && is_it_there {
        rest.next();
    }
    let mut rest = rest.skip_while(is_leading);
    let names = |word: &&str| kind.words.contains(&singular(word));
    let is_it = |word: &str| matches!(word, "them" | "it" | "those" | "that" | "one" | "ones");
    let named_before = || {
        let plain =
            before.iter().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
        plain.into_iter().any(|word| names(&word))
    };
    let is_named = rest.next().is_some_and(|noun| names(noun) || is_it(noun) && named_before());
    runs && is_named && rest.next().is_none_or(|next| !OTHER.contains(next))
}

/// A word without what says that something is its own: "the server's".
fn singular(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// What words say is run or used; "it" is what the words before speak of. Where `is_name_enough`, the name alone does.
pub(super) fn runs_named(words: &[&str], before: &[&str], is_name_enough: bool) -> Vec<Act> {
    let is_name = |kind: &Kind| {
        let mut rest =
            words.iter().skip_while(|word| BETWEEN.contains(word) && !kind.words.contains(word));
        is_name_enough
            && rest.next().is_some_and(|noun| kind.words.contains(noun))
            && rest
                .next()
                .is_none_or(|next| !OTHER.contains(next) || matches!(*next, "for" | "in" | "with"))
    };
    let is_meant =
        |kind: &&Kind| is_run(words, before, kind) || is_bare(words, kind) || is_name(kind);
    let suite = runs_suite(words) || is_name_enough && is_suite(words);
    let meant = KINDS.iter().filter(is_meant).map(|kind| kind.act);
    meant.chain(suite.then_some(Act::Suite)).collect()
}

/// What a sentence, in lower case, says is not to be run or used.
///
/// "It" may be what the sentence before it named, which is given too.
pub(super) fn forbidden_runs(lower: &str, earlier: &str) -> Vec<Act> {
    let mut before: Vec<&str> = words(earlier);
    let mut found = Vec::new();
    for clause in clauses(lower) {
        let (kept, no, rest) = at_negation(clause);
        before.extend(words(kept));
        let rest = words(rest);
        let is_no =
            !matches!(no, "" | "before" | "until" | "unless" | "instead" | "rather" | "except");
        let needs = rest.first().is_some_and(|first| matches!(*first, "need" | "have"));
        if is_no && !needs && !is_told(kept, no) {
            let is_meant = |kind: &&Kind| is_run(&rest, &before, kind) || is_bare(&rest, kind);
            // "The full suite takes an hour, don't run it" is about all of them.
            let is_of_all = (0..before.len()).any(|at| before.get(at..).is_some_and(is_suite));
            let act = |kind: &Kind| {
                let is_named = rest.iter().any(|word| kind.words.contains(word));
                if kind.act == Act::Test && is_of_all && !is_named { Act::Suite } else { kind.act }
            };
            found.extend(KINDS.iter().filter(is_meant).map(act));
            found.extend(runs_suite(&rest).then_some(Act::Suite));
        }
        before.extend(rest);
    }
    let is_said = |kind: &&Kind| kind.phrases.iter().any(|phrase| lower.contains(phrase));
    found.extend(KINDS.iter().filter(is_said).map(|kind| kind.act));
    found
}

/// What is to be run or used of what is asked for, its verb first.
pub(super) fn asked_runs(act: &str) -> Vec<Act> {
    const FETCHING: &[&str] =
        &["download", "fetch", "curl", "wget", "google", "install", "clone", "pull", "browse"];
    let lower = act.to_lowercase();
    let words = words(&lower);
    let Some((verb, object)) = words.split_first() else { return Vec::new() };
    // "Ok run them": whatever was not to be run, and "query it" whatever was not to be used. What only says "run" before it is left out of an act.
    let is_it =
        |word: &str| matches!(word, "them" | "em" | "it" | "those" | "that" | "everything" | "all");
    let is_alone = || {
        object.first().is_none_or(|next| {
            matches!(*next, "now" | "again" | "please" | "yourself" | "then" | "too")
        })
    };
    let is_of_it = object.first().is_some_and(|next| is_it(next));
    let runs_it = RUNNING.contains(verb) && is_of_it || is_it(verb) && is_alone();
    let uses_it = matches!(*verb, "query" | "access" | "hit" | "connect" | "reach") && is_of_it;
    let is_meant = |kind: &&Kind| {
        let names = object.iter().take(5).any(|word| kind.words.contains(word));
        let verbs = if kind.is_used { USING } else { RUNNING };
        // "Migrate the db", "test it".
        let is_verb = matches!(*verb, "migrate" | "test") && kind.words.contains(verb);
        let is_any = if kind.is_used { uses_it } else { runs_it };
        is_any
            || verbs.contains(verb) && names
            || is_verb && !object.is_empty()
            || kind.act == Act::Network && FETCHING.contains(verb) && !object.is_empty()
    };
    let mut found: Vec<Act> = KINDS.iter().filter(is_meant).map(|kind| kind.act).collect();
    // Who wants tests run may want all of them run: which ones he means, nobody can tell.
    found.extend(found.contains(&Act::Test).then_some(Act::Suite));
    found
}

#[cfg(test)]
mod tests {
    use super::{Act, asked_runs, forbidden_runs};

    #[test]
    fn a_no_to_runs_is_heard() {
        for (sentence, act) in [
            ("don't run the tests", Act::Test),
            ("fix it without running any tests", Act::Test),
            ("please never run the e2e tests", Act::Test),
            ("don't kick off the test suite", Act::Test),
            ("bitte die tests nicht laufen lassen", Act::Test),
            ("don't run any migrations on this machine", Act::Migrate),
            ("migrations look fine but don't run them", Act::Migrate),
            ("tests take forever, don't run them", Act::Test),
            ("no migrations yet", Act::Migrate),
            ("don't migrate", Act::Migrate),
            ("no dev server please", Act::Serve),
            ("don't start the dev server, i have one running", Act::Serve),
            ("don't run the full test suite", Act::Suite),
            ("please don't run all of the unit tests", Act::Suite),
            ("never run the entire suite here", Act::Suite),
        ] {
            assert_eq!(forbidden_runs(sentence, ""), [act], "{sentence}");
        }
        for sentence in [
            "no need to run the tests",
            "why does it not run the tests?",
            "don't run the test script",
            "ci doesn't run the tests",
            "don't run all the scripts",
            "don't run the whole thing",
            "don't skip the tests",
            "don't run them",
        ] {
            assert_eq!(forbidden_runs(sentence, ""), [], "{sentence}");
            assert_eq!(forbidden_runs(sentence, "write a parser"), [], "{sentence}");
        }
        assert_eq!(forbidden_runs("don't run it yet", "write the migration"), [Act::Migrate]);
        assert_eq!(asked_runs("run the unit tests"), [Act::Test, Act::Suite]);
        assert_eq!(asked_runs("apply the migrations"), [Act::Migrate]);
        assert_eq!(asked_runs("fix the tests"), []);
        assert_eq!(asked_runs("migrations look fine"), []);
        assert!(asked_runs("run them").contains(&Act::Migrate));
        assert!(!asked_runs("run it").contains(&Act::Network));
        assert_eq!(asked_runs("query it now"), [Act::Network, Act::Database]);
    }
}
