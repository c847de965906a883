//! What the user said in a message of a recording that belongs to no agent: interfaces of models hand on
//! what any agent puts where its user would speak.

use std::borrow::Cow;

use crate::claude_code::transcript;
use crate::codex;
use crate::content::content_text;
use crate::gemini_cli;
use crate::json;

json::slots! {
    /// One block of a message's content.
    struct Block { text: "text" }
}

/// Whether an agent has written a text: what surrounds the conversation, an interruption, the end of a task in
/// the background, the output of a command that the user ran.
pub(crate) fn is_note(text: &str) -> bool {
    !transcript::is_said(text)
        || codex::context::is_context(text)
        || gemini_cli::context::is_context(text)
}

/// What the user said in the content of a message, which may be nothing but a picture. `None` where all
/// of it was written by an agent.
pub(crate) fn said(content: &str) -> Option<Cow<'_, str>> {
    let mut texts = Vec::new();
    let mut others = 0;
    // A list was read as JSON before, and anything else is one text.
    let list = json::list(content, |block: Block<'_>| match block.text.and_then(json::text) {
        Some(text) => texts.push(text),
        None => others += 1,
    });
    if list.is_err() || texts.is_empty() {
        return Some(content_text(content)).filter(|text| !is_note(text));
    }
    let said: Vec<&str> = texts.iter().map(|text| &**text).filter(|text| !is_note(text)).collect();
    (!said.is_empty() || others > 0).then(|| Cow::Owned(said.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agents_write_is_not_said() {
        let check = |content: &str, expect: Option<&str>| {
            assert_eq!(said(content).as_deref(), expect, "{content}");
        };
        check(r#""go""#, Some("go"));
        check(r#""[Request interrupted by user]""#, None);
        check(r#"[{"type":"text","text":"<system-reminder>x</system-reminder>"}]"#, None);
        check(
            r#"[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"go"}]"#,
            Some("go"),
        );
        check(r#"[{"type":"text","text":"<task-notification>done"},{"type":"image"}]"#, Some(""));
        check(r#"[{"type":"image"}]"#, Some(""));
        check(r#""<environment_context>here""#, None);
        check(r#""""#, Some(""));
    }
}
