//! What the content of a message says, in the form that most agents and model interfaces share.

use std::borrow::Cow;

use crate::json;

json::slots! {
    /// One block of a message's content.
    struct Block { text: "text" }
}

/// The text of a message's content: a string, or the text blocks of a list, one a line.
pub(crate) fn content_text(content: &str) -> Cow<'_, str> {
    if let Some(text) = json::text_of(content) {
        return text;
    }
    let mut texts = Vec::new();
    // A list was read as JSON before, and anything else has no text.
    let _ = json::list(content, |block: Block<'_>| texts.extend(block.text.and_then(json::text)));
    match texts.len() {
        0 | 1 => texts.pop().unwrap_or_default(),
        _ => Cow::Owned(texts.join("\n")),
    }
}
