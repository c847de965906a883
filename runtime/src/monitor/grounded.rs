//! How much of a response's words stands in what was retrieved. Words are runs of letters and digits
//! in lower case, at least two characters long.

use std::borrow::Cow;
use std::collections::HashSet;

type Words<'t> = HashSet<Cow<'t, str>, foldhash::fast::RandomState>;

/// The share of the different words of `response` that stand in the chunks at a path, which are a
/// text or a list of them. `None` where there are no chunks, or the response has no words.
pub(crate) fn share(response: &str, chunks: &str) -> Option<f64> {
    // A response has fewer words than what was retrieved for it.
    let mut missing = Words::default();
    for_each_word(response, |word| _ = missing.insert(word));
    let all = missing.len();
    let mut has_chunks = false;
    let mut look_in = |chunk: Cow<'_, str>| {
        has_chunks = true;
        for_each_word(&chunk, |word| _ = missing.remove(&*word));
    };
    match behavior_json::text_of(chunks) {
        Some(chunk) => look_in(chunk),
        None => {
            behavior_json::items(chunks, |item| {
                behavior_json::text(item).into_iter().for_each(&mut look_in)
            })
            .ok()?;
        }
    }
    if !has_chunks || all == 0 {
        return None;
    }
    let found = all - missing.len();
    #[expect(clippy::cast_precision_loss, reason = "there are not that many words")]
    Some(found as f64 / all as f64)
}

/// Calls `found` with each word. Most are in lower case already, and are not copied.
fn for_each_word<'t>(text: &'t str, mut found: impl FnMut(Cow<'t, str>)) {
    if !text.is_ascii() {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.chars().nth(1).is_some());
        return words.for_each(|word| found(lower(word)));
    }
    let (mut start, mut signs) = (0, 0);
    // A blank behind the text ends its last word.
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        #[expect(clippy::indexing_slicing, reason = "there is one for each byte")]
        let sign = SIGNS[byte as usize];
        signs |= sign;
        if sign != GAP {
            continue;
        }
        if at > start + 1
            && let Some(word) = text.get(start..at)
        {
            found(if signs & UPPER == 0 {
                Cow::Borrowed(word)
            } else {
                word.to_lowercase().into()
            });
        }
        (start, signs) = (at + 1, 0);
    }
}

const GAP: u8 = 0;
const LOWER: u8 = 1;
const UPPER: u8 = 2;

/// What each byte is in a word.
#[expect(clippy::indexing_slicing, reason = "the compiler would notice")]
const SIGNS: [u8; 256] = {
    let mut signs = [GAP; 256];
    let mut byte = 0;
    while byte < signs.len() {
        signs[byte] = match byte as u8 {
            b'a'..=b'z' | b'0'..=b'9' => LOWER,
            b'A'..=b'Z' => UPPER,
            _ => GAP,
        };
        byte += 1;
    }
    signs
};

fn lower(word: &str) -> Cow<'_, str> {
    let is_lower = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is_lower { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[track_caller]
    fn check(response: &str, chunks: &str, expect: Option<f64>) {
        assert_eq!(share(response, chunks), expect, "{response} in {chunks}");
    }

    #[test]
    fn different_words_count_once() {
        check("the cat the cat sat", r#"["The CAT, slept"]"#, Some(2.0 / 3.0));
        check("a b c", r#""a""#, None);
        check("cat.", r#""a""#, Some(0.0));
        check("cat", "[]", None);
        check("cat", "[1, {}]", None);
        check("Été 42", r#"["l'été", "42"]"#, Some(1.0));
        check("cat", "12", None);
    }
}
