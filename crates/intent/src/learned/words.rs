//! Sentences as the words that weights are kept for: in lower case, in their full spelling, without endings; what names a file
//! and what is a number is only called so.

/// Spellings in haste, and what they stand for.
const SPELLINGS: &[(&str, &str)] = &[
    ("dont", "don't"),
    ("cant", "can't"),
    ("wont", "won't"),
    ("doesnt", "doesn't"),
    ("isnt", "isn't"),
    ("shouldnt", "shouldn't"),
    ("thats", "that's"),
    ("im", "i'm"),
    ("ill", "i'll"),
    ("u", "you"),
    ("ya", "you"),
    ("yall", "you"),
    ("ur", "your"),
    ("r", "are"),
    ("y", "why"),
    ("n", "and"),
    ("&", "and"),
    ("pls", "please"),
    ("plz", "please"),
    ("til", "until"),
    ("till", "until"),
    ("w/", "with"),
    ("w/o", "without"),
    ("b4", "before"),
    ("rn", "now"),
    ("tmr", "tomorrow"),
    ("tmrw", "tomorrow"),
    ("bc", "because"),
    ("cuz", "because"),
    ("ppl", "people"),
    ("gonna", "going"),
    ("wanna", "want"),
    ("nah", "no"),
    ("nope", "no"),
    ("nvm", "nevermind"),
    ("thx", "thanks"),
];

/// What stands for a name of a file.
pub(super) const FILE: &str = "FILE";
/// What stands for a number.
const NUMBER: &str = "NUM";

/// Calls `found` with each word and sign of a sentence, and with the word as it is written, in lower case.
pub(super) fn words(sentence: &str, mut found: impl FnMut(&str, &str)) {
    for raw in sentence.split_whitespace() {
        let lower = raw.to_lowercase().replace('’', "'");
        if let Some(spelt) = spelling(&lower) {
            found(stem(spelt), spelt);
            continue;
        }
        let core = lower.trim_start_matches(is_sign);
        signs(lower.strip_suffix(core).unwrap_or_default(), &mut found);
        let word = core.trim_end_matches(is_sign);
        if let Some(first) = word.chars().next() {
            match spelling(word) {
                Some(spelt) => found(stem(spelt), word),
                None if names_file(word) => found(FILE, word),
                None if first.is_ascii_digit() => found(NUMBER, word),
                None => found(stem(word), word),
            }
        }
        signs(core.strip_prefix(word).unwrap_or_default(), &mut found);
    }
}

fn spelling(word: &str) -> Option<&'static str> {
    SPELLINGS.iter().find(|(own, _)| *own == word).map(|(_, spelt)| *spelt)
}

fn signs(text: &str, found: &mut impl FnMut(&str, &str)) {
    const KNOWN: [&str; 8] = [",", ";", ":", "?", "!", "(", ")", "."];
    for sign in text.chars() {
        if let Some(known) = KNOWN.iter().find(|known| known.starts_with(sign)) {
            found(known, known);
        }
    }
}

fn is_sign(sign: char) -> bool {
    !sign.is_alphanumeric()
}

/// Whether a word looks like a path, or a name with an extension.
fn names_file(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension);
    let is_extension = |extension: &str| {
        (1..=5).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    (word.contains('/') || extension.is_some_and(is_extension)) && !word.contains("://")
}

/// A word without the ending that it has in a sentence, so that "committing" and "commits" are one; it need not be a word any
/// more.
pub(super) fn stem(word: &str) -> &str {
    /// So much of a word stays.
    const MIN_STEM: usize = 3;
    const ENDINGS: [&str; 5] = ["ing", "ies", "ed", "es", "s"];
    let shorter = |word: &str, ending: &str| {
        word.strip_suffix(ending).filter(|stem| stem.len() >= MIN_STEM).map(str::len)
    };
    let mut length = ENDINGS.iter().find_map(|ending| shorter(word, ending)).unwrap_or(word.len());
    let left = |length: usize| word.get(..length).unwrap_or(word);
    let last = ["e", "y"].iter().find_map(|last| shorter(left(length), last));
    length = last.unwrap_or(length);
    let mut end = left(length).bytes().rev();
    let is_double = matches!((end.next(), end.next()), (Some(one), Some(other)) if one == other);
    left(if is_double && length > MIN_STEM { length - 1 } else { length })
}

#[cfg(test)]
mod tests {
    use super::{stem, words};

    #[test]
    fn words_are_spelt_out_and_have_no_endings() {
        for (sentence, expected) in [
            ("Dont push, pls", "don't push , pleas"),
            ("committing the dependencies", "commit the dependenc"),
            ("leave src/app.py (v2) for 3 days", "leav FILE ( v2 ) for NUM day"),
            ("see https://a.b/c.html", "see https://a.b/c.html"),
            ("…", ""),
        ] {
            let mut found = Vec::new();
            words(sentence, |word, _| found.push(word.to_owned()));
            assert_eq!(found.join(" "), expected);
        }
    }

    #[test]
    fn forms_of_one_word_have_one_stem() {
        for forms in [
            &["commit", "commits", "committed", "committing"][..],
            &["rename", "renames", "renamed", "renaming"],
            &["push", "pushes", "pushed", "pushing"],
            &["library", "libraries"],
            &["run", "runs", "running"],
        ] {
            for form in forms {
                assert_eq!(stem(form), stem(forms[0]), "{form}");
            }
        }
        assert_eq!(stem("is"), "is");
        assert_eq!(stem("änderung"), "änderung");
    }
}
