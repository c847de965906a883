//! Whether a message is a yes to what was offered. Knows nothing of what that was.

use super::sentences::NEGATIONS;

/// A longer answer is more than a yes, in bytes.
const MAX_ASSENT: usize = 80;

/// What is a yes where no more than politeness stands behind it.
const ASSENTS: &[&str] = &[
    "y",
    "ok",
    "okay",
    "sure",
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
    let words = || {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        words.filter(|word| !word.is_empty())
    };
    let is_taken_back =
        || words().any(|word| NEGATIONS.contains(&word) || REFUSALS.contains(&word));
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
    text.len() <= MAX_ASSENT && !text.contains('?') && is_yes() && !is_taken_back()
}

#[cfg(test)]
mod tests {
    use super::is_assent;

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
