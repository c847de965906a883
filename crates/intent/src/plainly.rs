//! Noes that are put strongly, or the other way round, as plain ones: "under no circumstances are you to push" becomes "do not
//! push". Knows no rules.

use std::borrow::Cow;

/// What is said, in lower case, and what it says plainly: longer phrases first.
const PHRASES: &[(&str, &str)] = &[
    ("under no circumstances are you to ", "do not "),
    ("under no circumstances should you ", "do not "),
    ("under no circumstances may you ", "do not "),
    ("under no circumstances must you ", "do not "),
    ("under no circumstances to ", "not to "),
    ("under no circumstances ", "do not "),
    ("under any circumstances ", ""),
    ("on no account are you to ", "do not "),
    ("on no account should you ", "do not "),
    ("on no account to ", "not to "),
    ("on no account ", "do not "),
    ("in no case ", "do not "),
    ("never ever ", "never "),
    ("whatever you do, ", ""),
];

/// Words that people write without the apostrophe or in short, and cannot mean otherwise.
const CONTRACTIONS: &[(&str, &str)] = &[
    ("dont", "don't"),
    ("doesnt", "doesn't"),
    ("didnt", "didn't"),
    ("isnt", "isn't"),
    ("arent", "aren't"),
    ("wasnt", "wasn't"),
    ("werent", "weren't"),
    ("wont", "won't"),
    ("cant", "can't"),
    ("couldnt", "couldn't"),
    ("shouldnt", "shouldn't"),
    ("wouldnt", "wouldn't"),
    ("mustnt", "mustn't"),
    ("thats", "that's"),
    ("theyre", "they're"),
    ("youre", "you're"),
    ("til", "until"),
    ("untill", "until"),
    ("untl", "until"),
];

/// Verbs with which "nothing" says that it is not to be done: "install nothing".
const VERBS: &[&str] = &[
    "install", "add", "delete", "remove", "run", "start", "deploy", "publish", "download",
    "change", "edit", "touch", "modify", "rename",
];

/// Returns a sentence in which each no is a plain one.
pub(super) fn plainly(sentence: &str) -> Cow<'_, str> {
    let spelt = with_apostrophes(sentence);
    let mut lower = spelt.to_lowercase();
    // Where letters change their length, places in one are none in the other.
    if lower.len() != spelt.len() {
        return spelt;
    }
    let mut found = spelt;
    for (phrase, plain) in PHRASES {
        let Some(at) = lower.find(phrase).filter(|at| starts_word(&lower, *at)) else { continue };
        let place = at..at + phrase.len();
        if found.get(place.clone()).is_some() {
            found.to_mut().replace_range(place.clone(), plain);
            lower.replace_range(place, plain);
        }
    }
    let first = lower.trim_start().trim_start_matches("please ").trim_start_matches("pls ");
    let nothing = VERBS.iter().find_map(|verb| {
        let rest = first.strip_prefix(verb)?.strip_prefix(" nothing")?;
        (rest.is_empty() || rest.starts_with([',', '.', ' '])).then_some((verb, rest.len()))
    });
    match nothing {
        Some((verb, rest)) => {
            let behind = found.get(found.len() - rest..).unwrap_or_default();
            Cow::Owned(format!("do not {verb} anything{behind}"))
        }
        None => found,
    }
}

/// A sentence with the apostrophes that were left out in haste.
fn with_apostrophes(sentence: &str) -> Cow<'_, str> {
    let spelt = |word: &str| {
        let plain = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        let known = CONTRACTIONS.iter().find(|(own, _)| plain.eq_ignore_ascii_case(own));
        known.map(|(_, spelt)| word.replacen(plain, spelt, 1))
    };
    if !sentence.split_whitespace().any(|word| spelt(word).is_some()) {
        return Cow::Borrowed(sentence);
    }
    let words = sentence.split_inclusive(char::is_whitespace);
    Cow::Owned(words.map(|word| spelt(word).unwrap_or_else(|| word.to_owned())).collect())
}

/// Whether a word begins at a place of a sentence.
fn starts_word(sentence: &str, at: usize) -> bool {
    let before = sentence.get(..at).unwrap_or_default();
    before.is_empty() || before.ends_with([' ', ',', '('])
}

#[cfg(test)]
mod tests {
    use super::plainly;

    #[test]
    fn strong_noes_are_plain() {
        for (sentence, plain) in [
            ("Under no circumstances are you to push", "do not push"),
            ("under no circumstances delete files here", "do not delete files here"),
            ("do not under any circumstances commit", "do not commit"),
            ("never ever push", "never push"),
            ("you are on no account to push", "you are not to push"),
            ("install nothing", "do not install anything"),
            ("delete nothing, please", "do not delete anything, please"),
            ("there is nothing to delete", "there is nothing to delete"),
            ("add nothingness", "add nothingness"),
            (
                "i'd rather you didnt touch it, thats all",
                "i'd rather you didn't touch it, that's all",
            ),
            ("Dont push", "don't push"),
            ("İ under no circumstances push", "İ under no circumstances push"),
            ("ǅ, on no account push", "ǅ, do not push"),
        ] {
            assert_eq!(plainly(sentence), plain);
        }
    }
}
