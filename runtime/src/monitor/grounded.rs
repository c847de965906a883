//! How much of a response's words stands in what was retrieved. Words are runs of letters and digits
//! in lower case, at least two characters long.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::json;

type Words<'t> = HashSet<Cow<'t, str>, foldhash::fast::RandomState>;

/// The share of the different words of `response` that stand in the chunks at a path, which are a
/// text or a list of them. `None` where there are no chunks, or the response has no words.
pub(crate) fn share(response: &str, chunks: &str) -> Option<f64> {
    let mut texts = Vec::new();
    if let Some(text) = json::text_of(chunks) {
        texts.push(text);
    } else {
        json::items(chunks, |item| texts.extend(json::text(item))).ok()?;
    }
    if texts.is_empty() {
        return None;
    }
    // A response has fewer words than what was retrieved for it.
    let mut missing = Words::default();
    for_each_word(response, |word| _ = missing.insert(word));
    let all = missing.len();
    if all == 0 {
        return None;
    }
    for text in &texts {
        for_each_word(text, |word| _ = missing.remove(&word));
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
    let mut rest = text;
    while let Some(start) = rest.bytes().position(|byte| byte.is_ascii_alphanumeric()) {
        let word = rest.get(start..).unwrap_or_default();
        let length = word.bytes().position(|byte| !byte.is_ascii_alphanumeric());
        let Some((word, behind)) = word.split_at_checked(length.unwrap_or(word.len())) else {
            return;
        };
        if word.len() > 1 {
            found(lower(word));
        }
        rest = behind;
    }
}

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
