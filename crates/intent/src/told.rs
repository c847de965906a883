//! Whether what is said is told of somebody else, and asks for nothing. Knows no acts.

use super::acts::DOERS;

/// Whether a no, behind some words, says what somebody else does not do: "the app doesn't push", "why does it not commit".
pub(super) fn is_told(before: &str, no: &str) -> bool {
    const TELLING: &[&str] = &["does", "did", "is", "was", "were", "has", "had", "are", "why"];
    let before = own_part(before, no);
    // "I would prefer that main is not merged."
    let is_wish = |word: String| {
        matches!(
            word.as_str(),
            "prefer"
                | "rather"
                | "lovely"
                | "appreciate"
                | "appreciated"
                | "grateful"
                | "hope"
                | "request"
                | "wish"
        )
    };
    if words(before).any(is_wish) && !speaks_of_doer(before) {
        return false;
    }
    let speaks_to_agent = || words(before).any(|word| word == "you" || word == "please");
    if speaks_of_doer(before) {
        return true;
    }
    match no {
        "doesn't" | "doesn’t" => true,
        "can't" | "can’t" | "cannot" | "won't" | "won’t" => !speaks_to_agent(),
        _ => !speaks_to_agent() && words(before).any(|word| TELLING.contains(&word.as_str())),
    }
}

/// What stands before a no in its own part of a sentence: "main is frozen so don't push" tells of nobody who does not push.
fn own_part<'t>(before: &'t str, no: &str) -> &'t str {
    const JOINING: &[&str] =
        &["so", "but", "because", "since", "then", "therefore", "thus", "-", "–", "—"];
    // Who is told to is not told of.
    let is_order = matches!(no, "don't" | "don’t" | "dont" | "dnt" | "dotn" | "donot")
        || no == "not" && before.trim_end().ends_with("do");
    let mut start = 0;
    let mut from = 0;
    for word in before.split_inclusive(char::is_whitespace) {
        from += word.len();
        let plain = word.trim().to_lowercase();
        if JOINING.contains(&plain.as_str()) || is_order && plain == "and" {
            start = from;
        }
    }
    before.get(start..).unwrap_or_default()
}

/// Whether words before something are about a program that does it by itself.
pub(super) fn speaks_of_doer(before: &str) -> bool {
    words(before).any(|word| DOERS.contains(&word.as_str()))
        && !words(before).any(|word| word == "you" || word == "please")
}

/// The words of a text, in lower case; what is joined to an act by a sign is a word of its own.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_sign = |c: char| !c.is_alphanumeric();
    text.split_whitespace().flat_map(move |word| {
        let begins =
            |verb: &str| word.get(..verb.len()).is_some_and(|own| own.eq_ignore_ascii_case(verb));
        let signs: &[char] =
            if begins("commit") || begins("push") { &['/', '&', '+'] } else { &[] };
        let parts = word.split(signs).map(|part| part.trim_matches(is_sign).to_lowercase());
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>()
    })
}

/// The words of a text without the signs around them.
pub(super) fn plain_words(text: &str) -> Vec<&str> {
    let is_sign = |sign: char| !sign.is_alphanumeric();
    let plain = text.split_whitespace().map(|word| word.trim_matches(is_sign));
    plain.filter(|word| !word.is_empty()).collect()
}
