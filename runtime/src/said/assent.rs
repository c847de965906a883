//! Whether a message is a yes to what was offered. Knows nothing of what that was.

use super::acts::acts;
use super::sentences::NEGATIONS;
use super::wish::Wish;

/// A longer answer is more than a yes, in bytes.
const MAX_ASSENT: usize = 80;

/// What is a yes where no more than politeness stands behind it.
const ASSENTS: &[&str] = &[
    "y",
    "ok",
    "okay",
    "sure",
    "go",
    "please",
    "both",
    "all three",
    "all of them",
    "weg damit",
    "go for it",
    "do that",
    "do so",
    "let's do it",
    "let’s do it",
    "let's go",
    "let’s go",
    "sounds good",
    "sounds great",
    "looks good",
    "looks great",
    "look good",
    "all good",
    "works for me",
    "that works",
    "fine",
    "perfect",
    "great",
    "agreed",
    "confirm",
    "confirmed",
    "correct",
    "approve",
    "lgtm",
    "proceed",
    "continue",
    "go on",
    "👍",
    "absolutely",
    "of course",
    "好",
    "好的",
    "可以",
    "行",
    "嗯",
    "对",
    "继续",
    "可以的",
    "没问题",
    "はい",
    "お願いします",
    "네",
    "응",
];

/// What is a yes whatever else is said behind it.
const STRONG: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "yup",
    "sure thing",
    "surely",
    "definitely",
    "go ahead",
    "do it",
    "please do",
    "approved",
    "ja",
    "mach das",
    "mach es",
    "oui",
    "vas-y",
    "sí",
    "hazlo",
    "dale",
    "adelante",
    "sim",
    "sì",
    "да",
    "давай",
    "是的",
];

/// Words that say nothing of their own behind a yes.
const POLITE: &[&str] = &[
    "please", "thanks", "thank", "you", "go", "ahead", "do", "it", "that", "this", "so", "yes",
    "ok", "sure", "good", "great", "looks", "sounds", "lgtm", "proceed", "continue", "to", "me",
    "all", "then", "now", "perfect", "fine",
];

/// Words that take back what sounds like a yes.
const REFUSALS: &[&str] = &[
    "cancel", "abort", "wait", "leave", "nope", "forget", "later", "myself", "risky", "actually",
    // One of what was offered.
    "second", "latter", "former", "option",
];

/// Whether a message says yes, and nothing that takes it back.
pub(crate) fn is_assent(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let behind = |phrase: &&str| {
        let rest = text.strip_prefix(*phrase)?;
        rest.chars().next().is_none_or(|c| !c.is_alphanumeric()).then_some(rest)
    };
    // What may be mere politeness is a yes where nothing else is said.
    let is_polite = || {
        ASSENTS.iter().filter_map(behind).any(|rest| {
            let mut words =
                rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.all(|word| POLITE.contains(&word))
        })
    };
    let is_yes = || STRONG.iter().find_map(behind).is_some() || is_polite();
    text.len() <= MAX_ASSENT && !text.contains('?') && is_yes() && !refuses(&text)
}

/// The hashes of the spellings of an answer: two answers that share one differ in a letter at most, or in a blank.
pub(crate) fn spellings(answer: &str) -> Vec<u64> {
    /// A word is told from others by more letters than these.
    const MAX_CERTAIN: usize = 3;
    if answer.len() > MAX_ASSENT {
        return Vec::new();
    }
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let first =
        answer.split_whitespace().next().map(plain).filter(|first| first.len() > MAX_CERTAIN);
    let mut found = Vec::new();
    for whole in
        [Some(plain(answer)), first].into_iter().flatten().filter(|whole| !whole.is_empty())
    {
        found.push(Wish::Reply(&whole).hash());
        let letters = whole.char_indices().filter(|_| whole.len() > MAX_CERTAIN);
        found.extend(letters.map(|(at, letter)| {
            let behind = whole.get(at + letter.len_utf8()..).unwrap_or_default();
            let shorter = format!("{}{behind}", whole.get(..at).unwrap_or_default());
            Wish::Reply(&shorter).hash()
        }));
    }
    found
}

/// The hashes of answers that say of an offer once more what is to be done, and not to what: "drop it" to "Should I drop
/// the stash?".
pub(crate) fn echoes(offer: &str) -> Vec<u64> {
    let verbs = acts(offer).into_iter().filter_map(|act| {
        let verb = act.split_whitespace().next()?.to_lowercase();
        (verb.len() > 1 && verb.chars().all(char::is_alphabetic)).then_some(verb)
    });
    verbs
        .flat_map(|verb| {
            ["it", "them", "that", "this", "both", "all"]
                .map(|it| Wish::Reply(&format!("{verb}{it}")).hash())
        })
        .collect()
}

/// Whether words say no, so that they are a yes to nothing.
pub(crate) fn refuses(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    words.any(|word| NEGATIONS.contains(&word) || REFUSALS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::{is_assent, spellings};

    #[test]
    fn an_answer_may_be_spelt_in_haste() {
        let is_same = |asked: &str, said: &str| {
            spellings(asked).iter().any(|spelling| spellings(said).contains(spelling))
        };
        assert!(is_same("file it", "file it!"));
        assert!(is_same("file it", "fileit"));
        assert!(is_same("file it", "filre"));
        assert!(is_same("go", "Go."));
        assert!(!is_same("go", "no"));
        assert!(!is_same("file it", "fix the tests first"));
        assert!(!is_same("merge", "wait"));
    }

    #[test]
    fn a_yes_is_short_and_has_no_but() {
        for yes in [
            "yes",
            "yes, and add a test",
            "Yes, go ahead",
            "ok!",
            "go ahead",
            "y",
            "Sure.",
            "Looks good!",
            "👍",
        ] {
            assert!(is_assent(yes), "{yes}");
        }
        let others = [
            "yesterday",
            "yes, but do not push",
            "ok?",
            "no",
            "",
            "ok cancel that",
            "fine, leave it",
            "ok, I'll push it myself",
            "great, but wait",
            "ok\nrun the tests",
            "yes: first of all I want you to look at everything that is wrong here and then come back",
        ];
        for other in others {
            assert!(!is_assent(other), "{other}");
        }
    }
}
