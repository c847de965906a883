//! Whether a user forbids that the project gets new dependencies, or asks for one. Knows no rules.

use super::sentences::{at_negation, clauses};
use super::told::{is_told, plain_words as words};

/// What a dependency is called.
const NOUNS: &[&str] = &[
    "dependency",
    "dependencies",
    "dep",
    "deps",
    "package",
    "packages",
    "library",
    "libraries",
    "lib",
    "libs",
    "crate",
    "crates",
    "gem",
    "gems",
    "sdk",
    "sdks",
    "module",
    "modules",
];

/// What is said without a no, and in other languages.
const PHRASES: &[&str] = &[
    "stdlib only",
    "what's in the standard library",
    "whats in the standard library",
    "what is in the standard library",
    "what's in the stdlib",
    "allergic to dependencies",
    "allergic to new dependencies",
    "what we already depend on",
    "what is already in package.json",
    "what's already in package.json",
    "what is already in the manifest",
    "what's already in the manifest",
    "what is already in the lockfile",
    "what's already in the lockfile",
    "what is already in the project",
    "what's already in the project",
    "what is already in the dependencies",
    "what's already in the dependencies",
    "what is already in the requirements",
    "what's already in the requirements",
    "what is already in the standard library",
    "what's already in the standard library",
    "what is already in the stdlib",
    "what's already in the stdlib",
    "packages we already have",
    "dependencies we already have",
    "only the stdlib",
    "only stdlib",
    "just the stdlib",
    "standard library only",
    "only the standard library",
    "zero dependencies",
    "zero deps",
    "dependency-free",
    "dependency free",
    "with the dependencies we have",
    "with the dependencies we already have",
    "with the packages we have",
    "with what's already installed",
    "with what’s already installed",
    "only existing dependencies",
    "only the existing dependencies",
    "stick to the standard library",
    "stick with the standard library",
    "stick to the stdlib",
    "stick with the stdlib",
    "use only the standard library",
    "vanilla js only",
    "no npm install",
    "no pip install",
    "no installs",
    "keep the dependencies as they are",
    "dependencies stay as they are",
    "not add a dependency",
    "not add any dependencies",
    "keine neuen abhängigkeiten",
    "keine neue abhängigkeit",
    "keine neuen pakete",
    "keine neuen packages",
    "keine neuen libs",
    "keine neuen bibliotheken",
    "keine neuen dependencies",
    "keine weiteren abhängigkeiten",
    "keine zusätzlichen abhängigkeiten",
    "keine zusätzlichen pakete",
    "ohne neue abhängigkeit",
    "ohne neue pakete",
    "ohne neue libs",
    "ohne neue dependencies",
    "ohne zusätzliche abhängigkeiten",
    "ohne zusätzliche pakete",
    "nichts installieren",
    "nichts neues installieren",
    "installiere nichts",
    "sin dependencias nuevas",
    "sin nuevas dependencias",
    "sin añadir dependencias",
    "sin agregar dependencias",
    "sin instalar nada",
    "ninguna dependencia nueva",
    "no añadas dependencias",
    "no agregues dependencias",
    "no instales nada",
    "sans nouvelle dépendance",
    "sans nouvelles dépendances",
    "sans ajouter de dépendance",
    "pas de nouvelle dépendance",
    "pas de nouvelles dépendances",
    "aucune nouvelle dépendance",
    "n'installe rien",
    "n’installe rien",
    "sem novas dependências",
    "senza nuove dipendenze",
    "不要添加新的依赖",
    "不要引入新的依赖",
    "不要加新的依赖",
];

/// What is done to get one.
const GETTING: &[&str] = &[
    "add",
    "adding",
    "install",
    "installing",
    "instal",
    "instaling",
    "introduce",
    "introducing",
    "pull",
    "pulling",
    "bring",
    "bringing",
    "use",
    "using",
    "include",
    "including",
    "need",
    "want",
    "get",
];

/// Words between a no and what is not to be had.
const BETWEEN: &[&str] = &[
    "please",
    "any",
    "a",
    "an",
    "the",
    "more",
    "other",
    "in",
    "to",
    "you",
    "just",
    "npm",
    "pip",
    "external",
    "another",
    "some",
    "third",
    "third-party",
    "party",
    "3rd",
    "3rd-party",
    "runtime",
    "dev",
    "additional",
    "extra",
    "new",
    "further",
    "yet",
];

/// What says that what there is already is not meant.
const NEW: &[&str] = &[
    "new",
    "extra",
    "additional",
    "more",
    "further",
    "any",
    "third-party",
    "external",
    "3rd-party",
];

/// Whether a sentence, in lower case, says that the project is to get no new dependency.
pub(super) fn forbids_dependencies(lower: &str) -> bool {
    let says_no = |clause: &str| {
        let (before, no, rest) = at_negation(clause);
        // "We can't pull in any libs" is said of the project.
        let is_ours = matches!(no, "can't" | "can’t" | "cannot")
            && words(before).last().is_none_or(|who| matches!(*who, "we" | "you" | "u"));
        !matches!(no, "" | "before" | "until" | "unless" | "instead" | "rather")
            && (is_ours || !is_told(before, no))
            && are_dependencies(&words(rest))
    };
    PHRASES.iter().any(|phrase| lower.contains(phrase)) || clauses(lower).any(says_no)
}

/// Whether words behind a no are about dependencies that are to be got.
pub(super) fn are_dependencies(words: &[&str]) -> bool {
    let is_leading = |word: &&&str| GETTING.contains(*word) || BETWEEN.contains(*word);
    let leading = words.iter().take_while(is_leading).count();
    let (before, rest) = words.split_at_checked(leading).unwrap_or_default();
    let installs = before.iter().any(|word| word.starts_with("instal"));
    let gets = before.iter().any(|word| GETTING.contains(word));
    let is_new = before.iter().any(|word| NEW.contains(word));
    match rest {
        ["anything" | "stuff" | "things" | "something", rest @ ..] => {
            installs
                && rest.first().is_none_or(|next| !matches!(*next, "globally" | "on" | "outside"))
        }
        [noun, rest @ ..] if NOUNS.contains(noun) => {
            // "No package manager", "no dependency on x".
            let is_other = rest.first().is_some_and(|next| {
                matches!(
                    *next,
                    "manager"
                        | "on"
                        | "updates"
                        | "upgrades"
                        | "between"
                        | "versions"
                        | "names"
                        | "json"
                )
            });
            !is_other && (gets || is_new || before.is_empty())
        }
        _ => false,
    }
}

/// What is added to code itself.
const OF_CODE: &[&str] = &[
    "tests",
    "test",
    "types",
    "type",
    "comments",
    "comment",
    "logging",
    "logs",
    "docs",
    "documentation",
    "caching",
    "cache",
    "retries",
    "validation",
    "pagination",
    "jitter",
    "sorting",
    "support",
    "flags",
    "errors",
    "handling",
    "it",
    "them",
    "those",
    "examples",
    "coverage",
    "hints",
    "typing",
    "async",
    "await",
    "hooks",
    "state",
    "props",
    "recursion",
    "loops",
    "migrations",
    "indexes",
    "everything",
    "nothing",
    "something",
    "anything",
    "more",
    "one",
    "both",
    "care",
    "over",
];

/// A new dependency that is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Dependency {
    /// Whichever it takes.
    Any,
    /// Packages by their names.
    Named(Vec<String>),
}

/// Whether an act, its verb first, surely asks for a package: it is installed, or called one.
pub(super) fn surely_adds(act: &str) -> bool {
    let is_sure = |word: &str| {
        NOUNS.contains(&word) || word.starts_with('@') || word.contains('-') || word == "install"
    };
    asked_dependency(act).is_some() && words(&act.to_lowercase()).iter().any(|word| is_sure(word))
}

/// The new dependency that an act, its verb first, asks for.
pub(super) fn asked_dependency(act: &str) -> Option<Dependency> {
    const THERE: &[&str] =
        &["dependencies", "deps", "requirements", "everything", "packages", "it", "hooks"];
    const GETTING: &[&str] = &[
        "add",
        "use",
        "pull",
        "bring",
        "introduce",
        "include",
        "require",
        "take",
        "try",
        "go",
        "install",
        "get",
    ];
    let lower = act.to_lowercase();
    let words = words(&lower);
    let (verb, object) = words.split_first()?;
    if !GETTING.contains(verb) {
        return None;
    }
    let has_article = matches!(object.first(), Some(&("a" | "an" | "the" | "another")));
    let object = object.iter().copied().skip_while(|word| BETWEEN.contains(word));
    let object: Vec<&str> = object.filter(|word| *word != "with").collect();
    let installs = *verb == "install";
    if installs && object.first().is_none_or(|first| THERE.contains(first)) {
        return None;
    }
    let says_noun = object.iter().take(4).any(|word| NOUNS.contains(word));
    let names = names_listed(&object);
    // Who names one thing means a package, unless it is one that code consists of.
    let is_of_code =
        |name: &&str| !name.contains(['-', '/', '@']) && (has_article || OF_CODE.contains(name));
    match object.as_slice() {
        // "Use that one".
        ["that" | "it" | "this", "one"] | ["that" | "it" | "this"] => Some(Dependency::Any),
        _ if !names.is_empty() && (installs || says_noun || !names.iter().any(is_of_code)) => {
            Some(Dependency::Named(names.into_iter().map(str::to_owned).collect()))
        }
        _ => (says_noun || installs).then_some(Dependency::Any),
    }
}

/// The names that words list, where they say no more than that: "zod", "the lodash package", "zod and yup please".
fn names_listed<'w>(words: &[&'w str]) -> Vec<&'w str> {
    const AROUND: &[&str] = &[
        "and", "then", "though", "too", "please", "instead", "now", "as", "a", "the", "dev", "to",
        "project", "for", "it", "this", "that", "in", "&",
    ];
    /// So many are named at once.
    const MAX_NAMES: usize = 4;
    let is_around = |word: &&str| AROUND.contains(word) || NOUNS.contains(word);
    let own = words.iter().copied().take_while(|word| !matches!(*word, "for" | "to" | "as" | "in"));
    let names: Vec<&str> = own.filter(|word| !is_around(word)).collect();
    let are_names = names.len() <= MAX_NAMES && names.iter().all(|name| is_package(name));
    // Without a word between them, they are a sentence.
    let joined = words.iter().filter(|word| matches!(**word, "and" | "&")).count();
    if are_names && names.len() <= joined + 1 { names } else { Vec::new() }
}

/// Whether a word may be the name of a package.
fn is_package(word: &str) -> bool {
    const OTHERS: &[&str] = &[
        "it",
        "that",
        "this",
        "them",
        "these",
        "those",
        "everything",
        "anything",
        "nothing",
        "something",
        "all",
        "one",
        "ones",
        "what",
        "which",
        "whatever",
        "now",
        "yet",
        "here",
        "there",
        "more",
        "problem",
        "problems",
        "worries",
        "need",
        "way",
        "idea",
        "rush",
        "hurry",
        "changes",
        "tests",
        "docs",
        "commits",
        "commit",
        "push",
        "only",
        "just",
        "any",
        "so",
        "too",
        "you",
        "me",
        "we",
        "they",
        "he",
        "she",
        "sure",
        "really",
        "even",
        "because",
        "if",
        "in",
        "on",
        "the",
        "a",
        "an",
        "to",
        "of",
        "for",
        "at",
        "as",
        "be",
        "is",
        "are",
        "longer",
        "matter",
        "back",
        "again",
        "rid",
        "out",
        "up",
        "down",
        "over",
        "away",
        "yes",
        "no",
        "ok",
        "good",
        "bad",
        "fine",
        "done",
        "else",
        "allowed",
        "sense",
        "code",
    ];
    let is_sign =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    let name = word.trim_start_matches('@');
    (2..=64).contains(&name.len())
        && name.bytes().all(is_sign)
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && !OTHERS.contains(&name)
        && !NOUNS.contains(&name)
}

/// The packages that a sentence, in lower case, allows by their names: "zod is fine", "nothing new except zod".
pub(super) fn allowed_packages(lower: &str) -> Vec<&str> {
    const FINE: &[&str] = &["fine", "ok", "okay", "allowed", "good", "acceptable", "welcome"];
    let mut found = Vec::new();
    for clause in clauses(lower) {
        let words = words(clause);
        for (at, word) in words.iter().enumerate() {
            let next = |by: usize| words.get(at + by).copied().unwrap_or_default();
            let is_fine = matches!(next(1), "is" | "are" | "would") && {
                let behind = if next(2) == "be" { next(3) } else { next(2) };
                FINE.contains(&behind) || behind == "the" && next(3) == "exception"
            };
            let leaves_out = matches!(*word, "except" | "besides" | "excluding")
                || *word == "than" && at > 0 && words.get(at - 1) == Some(&"other")
                || *word == "from" && at > 0 && words.get(at - 1) == Some(&"apart");
            let may = matches!(next(1), "can" | "may" | "should")
                && next(2) == "be"
                && matches!(next(3), "added" | "installed" | "used");
            if (is_fine || may) && is_package(word) {
                found.push(*word);
            }
            if leaves_out {
                let behind = if next(1) == "for" { next(2) } else { next(1) };
                found.extend(is_package(behind).then_some(behind));
            }
        }
    }
    found
}

/// Whether words speak of packages as such, or of choosing one.
fn speaks_of_packages(words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| NOUNS.contains(word) || matches!(*word, "install" | "npm" | "pip" | "cargo"))
}

/// The packages that a sentence, in lower case, refuses by their names: "no lodash please", "don't use moment", "not axios".
pub(super) fn refused_packages(lower: &str) -> Vec<&str> {
    /// So many of one sentence are kept.
    const MAX_NAMES: usize = 4;
    const ENDING: &[&str] =
        &["please", "pls", "though", "and", "or", "again", "thanks", "here", "ever"];
    let mut found = Vec::new();
    // "Whatever you like, anything but moment."
    let all = words(lower);
    let is_but = |four: &&[&str]| {
        matches!(four, ["anything" | "everything" | "whatever" | "any", "but", ..])
    };
    let left_out = all.windows(3).filter(is_but).filter_map(|three| three.last().copied());
    found.extend(left_out.filter(|name| is_package(name) && speaks_of_packages(&all)));
    for clause in clauses(lower) {
        let own = words(clause);
        let is_barred = |trio: &&[&str]| {
            matches!(trio, [_, "is" | "are", "banned" | "forbidden" | "verboten" | "disallowed"])
        };
        let barred = own.windows(3).filter(is_barred).filter_map(|trio| trio.first().copied());
        found.extend(barred.filter(|name| is_package(name)));
        let (before, no, rest) = at_negation(clause);
        let is_no =
            matches!(no, "not" | "no" | "without" | "don't" | "don’t" | "dont" | "never" | "avoid");
        if !is_no || is_told(before, no) {
            continue;
        }
        let words = words(rest);
        let is_leading = |word: &&&str| GETTING.contains(*word) || BETWEEN.contains(*word);
        let leading = words.iter().take_while(is_leading).count();
        let Some((name, behind)) = words.get(leading..).and_then(<[_]>::split_first) else {
            continue;
        };
        let ends = behind.first().is_none_or(|next| ENDING.contains(next) || NOUNS.contains(next));
        found.extend((ends && is_package(name)).then_some(*name));
        found.extend(
            behind
                .windows(2)
                .filter(|pair| pair.first() == Some(&"or"))
                .filter_map(|pair| pair.last().copied().filter(|name| is_package(name))),
        );
    }
    found.truncate(MAX_NAMES);
    found
}

#[cfg(test)]
mod tests {
    use super::{
        Dependency, allowed_packages, asked_dependency, forbids_dependencies, refused_packages,
    };

    #[test]
    fn a_no_to_new_dependencies_is_heard() {
        for sentence in [
            "no new dependencies in this project",
            "no new packages",
            "please don't add any dependencies",
            "don't install anything new",
            "write tests with what we have, don't install anything",
            "do it without adding a library",
            "without any third-party libs",
            "no dependencies please",
            "never add new crates",
            "can't pull in any libs for that",
            "we can't add any new packages here",
            "use the stdlib only",
            "keine neuen abhängigkeiten bitte",
            "sin dependencias nuevas",
        ] {
            assert!(forbids_dependencies(sentence), "{sentence}");
        }
        for sentence in [
            "don't change the dependencies",
            "there is no dependency on react",
            "the script doesn't install anything",
            "it can't install new packages without root",
            "why does it not use a library?",
            "no package manager is needed",
            "don't use that function",
            "don't install it globally",
            "before adding dependencies, ask me",
        ] {
            assert!(!forbids_dependencies(sentence), "{sentence}");
        }
    }

    #[test]
    fn who_asks_for_a_dependency_is_heard() {
        for act in [
            "install lodash",
            "add the lodash package",
            "use a library for it",
            "use that",
            "go with date-fns",
        ] {
            assert!(asked_dependency(act).is_some(), "{act}");
        }
        for act in ["install the dependencies", "add a test", "use a map", "add tests"] {
            assert_eq!(asked_dependency(act), None, "{act}");
        }
    }

    #[test]
    fn packages_are_told_by_their_names() {
        let named = |act: &str| match asked_dependency(act) {
            Some(Dependency::Named(names)) => names.join(" "),
            Some(Dependency::Any) => "any".to_owned(),
            None => String::new(),
        };
        assert_eq!(named("install zod"), "zod");
        assert_eq!(named("add the lodash package"), "lodash");
        assert_eq!(named("add date-fns and zod please"), "date-fns zod");
        assert_eq!(named("add prettier as a dev dependency"), "prettier");
        assert_eq!(named("install whatever you need"), "any");
        assert_eq!(named("use a library for it"), "any");
        assert_eq!(allowed_packages("hmm ok, zod is fine, but nothing else"), ["zod"]);
        assert_eq!(allowed_packages("no new packages except zod"), ["zod"]);
        assert_eq!(allowed_packages("that is fine"), [""; 0]);
        assert_eq!(refused_packages("and not lodash, for the love of god"), ["lodash"]);
        assert_eq!(refused_packages("don't use moment or axios"), ["moment", "axios"]);
        assert_eq!(refused_packages("no problem"), [""; 0]);
        assert_eq!(
            refused_packages("pick whatever package you like, anything but moment"),
            ["moment"]
        );
        assert_eq!(refused_packages("change anything but config"), [""; 0]);
        assert_eq!(refused_packages("don't use the old function"), [""; 0]);
    }
}
