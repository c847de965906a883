//! Documents that a project or its user keeps for the agent, as messages and turns quote them: which
//! names they have, which one counts, how much of it is told. Reads no file.

use std::borrow::Cow;

/// The most bytes of documents that one message quotes.
pub const MAX_QUOTED: usize = 16 << 10;

/// The document that counts: the project's, else the user's. With `blank_counts`, the project's
/// also where it is blank.
pub fn choose(
    project: Option<String>,
    user: impl FnOnce() -> Option<String>,
    blank_counts: bool,
) -> Option<String> {
    project.filter(|text| blank_counts || !text.trim().is_empty()).or_else(user)
}

/// A document's text without the blank end, cut with `...` where it is longer than `most` bytes;
/// `None` for a blank one.
pub(crate) fn quote(text: &str, most: usize) -> Option<Cow<'_, str>> {
    const CUT: &str = "...";
    let text = text.trim_end();
    if text.is_empty() {
        return None;
    }
    if text.len() <= most {
        return Some(Cow::Borrowed(text));
    }
    let end = text.floor_char_boundary(most.saturating_sub(CUT.len()));
    Some(Cow::Owned(format!("{}{CUT}", text.get(..end).unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_choice(project: Option<&str>, blank_counts: bool, expect: Option<&str>) {
        let user = || Some("user".to_owned());
        let chosen = choose(project.map(str::to_owned), user, blank_counts);
        assert_eq!(chosen.as_deref(), expect, "{project:?}, {blank_counts}");
    }

    #[test]
    fn the_document_of_the_project_comes_first() {
        check_choice(None, true, Some("user"));
        check_choice(None, false, Some("user"));
        check_choice(Some("project"), true, Some("project"));
        check_choice(Some("project"), false, Some("project"));
        check_choice(Some(" \n"), true, Some(" \n"));
        check_choice(Some(" \n"), false, Some("user"));
    }

    #[track_caller]
    fn check_quote(text: &str, most: usize, expect: Option<&str>) {
        assert_eq!(quote(text, most).as_deref(), expect, "{text:?} in {most}");
    }

    #[test]
    fn long_documents_are_cut_between_characters() {
        check_quote("", 9, None);
        check_quote(" \n\t", 9, None);
        check_quote("  - a\n\n", 9, Some("  - a"));
        check_quote("123456789", 9, Some("123456789"));
        check_quote("1234567890", 9, Some("123456..."));
        check_quote("12345\u{e4}7890", 9, Some("12345..."));
        check_quote("1234567890", 1, Some("..."));
    }
}
