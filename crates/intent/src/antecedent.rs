//! What "it" stands for where a user wants something away, or as it was: the one path that was named just before. Knows no
//! rules.

use super::lexicon::{deletes, restores};
use super::sentences::NEGATIONS;

/// Words that stand for what was named before.
const PRONOUNS: &[&str] = &["it", "them", "that", "this", "both"];

/// Words that may stand behind such a word where it stands for itself.
const BEHIND: &[&str] = &[
    "and",
    "then",
    "now",
    "please",
    "pls",
    "plz",
    "thanks",
    "too",
    "as",
    "completely",
    "entirely",
    "instead",
    "again",
    "here",
    "locally",
    "everywhere",
    "on",
    "so",
    "for",
    "with",
    "including",
];

/// What says no more than that nobody needs it.
const UNNEEDED: &[&str] = &[
    "need",
    "needs",
    "needed",
    "use",
    "uses",
    "used",
    "longer",
    "anymore",
    "required",
    "imported",
    "imports",
    "referenced",
    "references",
    "links",
    "linked",
    "mentions",
    "mentioned",
    "reads",
    "opens",
    "visits",
    "wants",
    "cares",
    "knows",
    "looks",
    "touches",
    "maintains",
    "calls",
    "runs",
];

/// What it may be called in the place of a pronoun.
const KINDS: &[&str] = &[
    "folder",
    "directory",
    "dir",
    "file",
    "branch",
    "folders",
    "directories",
    "files",
    "branches",
];

/// The paths that the sentence before named.
#[derive(Debug, Default)]
pub struct Antecedent {
    paths: Vec<String>,
}

impl Antecedent {
    /// Returns a sentence with the path in the place of a pronoun that stands for it, and takes note of what it names
    /// itself.
    pub fn resolve(&mut self, sentence: &str) -> String {
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let plain: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
        let mut own: Vec<String> = words.iter().filter_map(|word| path(word)).collect();
        // "That stash is garbage, drop it."
        let is_stash = |at: usize| {
            plain.get(at).is_some_and(|word| word == "stash")
                && at > 0
                && plain
                    .get(at - 1)
                    .is_some_and(|word| matches!(word.as_str(), "the" | "that" | "this" | "my"))
        };
        let stash = (0..words.len()).find(|at| own.is_empty() && is_stash(*at));
        own.extend(stash.map(|_| "the stash".to_owned()));
        let pronoun = (1..words.len()).find(|at| stands_for_another(&plain, &words, *at));
        let Some(at) = pronoun else {
            self.take(&plain, own);
            return sentence.to_owned();
        };
        let before = words.get(..at).unwrap_or_default();
        let mut named: Vec<String> = before.iter().filter_map(|word| path(word)).collect();
        named.extend(stash.filter(|stash| *stash < at).map(|_| "the stash".to_owned()));
        let is_meant = says_unneeded(plain.get(..at).unwrap_or_default());
        // Several stand for "them" and "both" alone.
        let word = plain.get(at).map_or("", String::as_str);
        let is_plural =
            matches!(word, "them" | "both" | "folders" | "directories" | "files" | "branches");
        let all = |paths: &[String]| (is_plural && paths.len() <= 4).then(|| paths.join(" and "));
        let meant = match (named.as_slice(), self.paths.as_slice()) {
            ([path], _) if is_meant => Some(path.clone()),
            ([], [path]) => Some(path.clone()),
            ([], []) => None,
            (named @ [_, ..], _) if is_meant => all(named),
            ([], paths) => all(paths),
            _ => None,
        };
        self.take(&plain, own);
        let Some(meant) = meant else { return sentence.to_owned() };
        let ending: String = words
            .get(at)
            .map(|word| word.trim_start_matches(char::is_alphanumeric).to_owned())
            .unwrap_or_default();
        let put = format!("{meant}{ending}");
        let words = words.iter().enumerate();
        words
            .map(|(index, word)| if index == at { &put } else { *word })
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn take(&mut self, plain: &[String], own: Vec<String>) {
        let names = !own.is_empty() && says_unneeded(plain);
        match names {
            // One after the other they are several.
            true => self.paths.extend(own),
            false => self.paths.clear(),
        }
    }
}

/// Whether a word is a pronoun behind a verb that wants something away, or back, and no more is said of it.
fn stands_for_another(plain: &[String], words: &[&str], at: usize) -> bool {
    let of = |at: usize| plain.get(at).map_or("", String::as_str);
    // "The whole folder".
    let leading = usize::from(at > 2 && matches!(of(at - 1), "whole" | "entire" | "complete"));
    let is_kind = KINDS.contains(&of(at))
        && at > 1
        && matches!(of(at - 1 - leading), "the" | "that" | "this" | "these" | "those" | "both");
    let verb = if is_kind { at.wrapping_sub(2 + leading) } else { at - 1 };
    let ends = words.get(at).is_some_and(|word| word.ends_with([',', ';', '.', '!', ':']))
        || words.get(at + 1).is_some_and(|word| word.starts_with('('));
    let behind = of(at + 1);
    let is_rid_of = of(verb) == "of" && verb > 0 && of(verb - 1) == "rid";
    let is_back = restores(of(verb));
    // Where it comes from says no more of it.
    let is_from = is_back
        && matches!((behind, of(at + 2)), ("from" | "to", "git" | "head" | "main" | "master"));
    (deletes(of(verb)) || is_rid_of || is_back)
        && (PRONOUNS.contains(&of(at)) || is_kind)
        && (ends || behind.is_empty() || BEHIND.contains(&behind) || is_from)
}

/// Whether words say no to nothing but to a need.
fn says_unneeded(plain: &[String]) -> bool {
    let says_no = plain.iter().any(|word| NEGATIONS.contains(&word.as_str()));
    !says_no || plain.iter().any(|word| UNNEEDED.contains(&word.as_str()))
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '/' | '_' | '-' | '~'))
        .trim_end_matches(['.', '-'])
}

/// The path that a word is.
pub(super) fn path(word: &str) -> Option<String> {
    let name = bare(word);
    let is_address = name.contains("://") || name.contains('@');
    let has_folder = name.trim_end_matches('/').contains('/') || name.ends_with('/');
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && end.len() <= 8 && end.starts_with(char::is_alphabetic)
    });
    let is_plain = name.chars().any(char::is_alphanumeric) && !is_address;
    (is_plain && (has_folder || has_extension || name.starts_with('.'))).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Antecedent;

    #[track_caller]
    fn becomes(sentences: &[&str], expect: &str) {
        let mut before = Antecedent::default();
        let mut last = String::new();
        for sentence in sentences {
            last = before.resolve(sentence);
        }
        assert_eq!(last, expect);
    }

    #[test]
    fn a_pronoun_is_the_one_path_that_was_named() {
        becomes(
            &["src/legacy is dead code, please delete it"],
            "src/legacy is dead code, please delete src/legacy",
        );
        becomes(
            &["We don't need docs/old anymore, remove it"],
            "We don't need docs/old anymore, remove docs/old",
        );
        becomes(&["docs/old is unused", "Delete it and push"], "Delete docs/old and push");
        becomes(&["Nobody uses docs/old", "Remove the folder"], "Remove the docs/old");
        becomes(
            &["nobody reads docs/old, delete the whole folder pls"],
            "nobody reads docs/old, delete the whole docs/old pls",
        );
        becomes(
            &["docs/old and docs/new are dead code, remove both directories"],
            "docs/old and docs/new are dead code, remove both docs/old and docs/new",
        );
        becomes(
            &["1. a/b: unused", "2. c/d: unused", "Shall I remove both"],
            "Shall I remove a/b and c/d",
        );
        becomes(&["a/b is unused", "c/d is used by a/b", "delete it"], "delete it");
        becomes(
            &["I overwrote notes.md by accident, restore it from git"],
            "I overwrote notes.md by accident, restore notes.md from git",
        );
        becomes(&["I broke src/a.ts", "revert it"], "revert src/a.ts");
        becomes(&["that stash is garbage, drop it"], "that stash is garbage, drop the stash");
        becomes(
            &["fix/a is in main now, delete that branch on origin"],
            "fix/a is in main now, delete that fix/a on origin",
        );
    }

    #[test]
    fn where_two_were_named_or_none_it_stays() {
        for sentences in [
            &["move src/a.ts to src/b.ts, then delete it"][..],
            &["the function is unused", "delete it"],
            &["don't touch docs/old", "delete it"],
            &["docs/old is unused", "delete it from the index"],
            &["docs/old is unused", "fine", "delete it"],
        ] {
            becomes(sentences, sentences.last().expect("there is one"));
        }
    }
}
