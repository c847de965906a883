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
    "another dependency",
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
        !matches!(no, "" | "before" | "until" | "unless" | "instead" | "rather")
            && !is_told(before, no)
            && are_dependencies(&words(rest))
    };
    PHRASES.iter().any(|phrase| lower.contains(phrase)) || clauses(lower).any(says_no)
}

/// Whether words behind a no are about dependencies that are to be got.
fn are_dependencies(words: &[&str]) -> bool {
    let is_leading = |word: &&&str| GETTING.contains(*word) || BETWEEN.contains(*word);
    let leading = words.iter().take_while(is_leading).count();
    let (before, rest) = words.split_at_checked(leading).unwrap_or_default();
    let installs = before.iter().any(|word| word.starts_with("install"));
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

/// Whether what is asked for, its verb first, is a new dependency.
pub(super) fn asks_for_dependency(act: &str) -> bool {
    const THERE: &[&str] =
        &["dependencies", "deps", "requirements", "everything", "packages", "it", "hooks"];
    let lower = act.to_lowercase();
    let words = words(&lower);
    let Some((verb, object)) = words.split_first() else { return false };
    let has_article = matches!(object.first(), Some(&("a" | "an" | "the" | "another")));
    let mut object = object.iter().skip_while(|word| BETWEEN.contains(word));
    match *verb {
        "install" => object.next().is_some_and(|first| !THERE.contains(first)),
        "add" | "use" | "pull" | "bring" | "introduce" | "include" | "require" | "take" | "try"
        | "go" => {
            let object: Vec<&str> = object.copied().filter(|word| *word != "with").collect();
            // "Use that one", "add date-fns".
            let is_named = match object.as_slice() {
                ["that" | "it" | "this", "one"] | ["that" | "it" | "this"] => true,
                // Who names one thing means a package, unless it is one that code consists of.
                [name] | [name, "then" | "though" | "too" | "please" | "instead" | "now"] => {
                    name.contains(['-', '/', '@']) || !has_article && !OF_CODE.contains(name)
                }
                _ => false,
            };
            is_named || object.iter().take(4).any(|word| NOUNS.contains(word))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{asks_for_dependency, forbids_dependencies};

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
            assert!(asks_for_dependency(act), "{act}");
        }
        for act in ["install the dependencies", "add a test", "use a map", "add tests"] {
            assert!(!asks_for_dependency(act), "{act}");
        }
    }
}
