//! Blocks between tags, by which agents put what others have written into a message of the user: reminders, files,
//! selections, messages of other agents. Knows nothing of what a message asks for.

use std::borrow::Cow;

/// Names of tags without a sign in them that would tell them from the user's own.
const NAMES: &[&str] = &[
    "blockquote",
    "channel",
    "code",
    "context",
    "document",
    "email",
    "file",
    "log",
    "output",
    "pre",
    "quote",
    "result",
    "samp",
    "selection",
    "stderr",
    "stdout",
    "system",
];

/// More blocks are taken for the rest of the message.
const MAX_BLOCKS: usize = 256;

/// Returns a message without its blocks; one that does not end is taken for the rest.
pub fn without_blocks(text: &str) -> Cow<'_, str> {
    let Some((start, _)) = opening(text) else { return Cow::Borrowed(text) };
    let mut kept = String::with_capacity(text.len());
    kept.push_str(text.get(..start).unwrap_or_default());
    let mut rest = text.get(start..).unwrap_or_default();
    for _ in 0..MAX_BLOCKS {
        let Some((start, name)) = opening(rest) else {
            kept.push_str(rest);
            break;
        };
        kept.push_str(rest.get(..start).unwrap_or_default());
        let block = rest.get(start..).unwrap_or_default();
        let end = format!("</{name}>");
        let Some(behind) = block.find(&end).and_then(|at| block.get(at + end.len()..)) else {
            break;
        };
        // What stands before and behind a block is not one sentence.
        kept.push('\n');
        rest = behind;
    }
    Cow::Owned(kept)
}

/// The first tag that begins a block: where it stands, and its name.
fn opening(text: &str) -> Option<(usize, &str)> {
    text.match_indices('<').find_map(|(at, _)| {
        let behind = text.get(at + 1..)?;
        let is_of_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
        let end = behind.find(|sign| !is_of_name(sign))?;
        let (name, rest) = behind.split_at_checked(end)?;
        let is_tag = name.starts_with(|first: char| first.is_ascii_lowercase())
            && rest.starts_with(['>', ' ', '\n']);
        (is_tag && (name.contains(['-', '_']) || NAMES.contains(&name))).then_some((at, name))
    })
}

#[cfg(test)]
mod tests {
    use super::without_blocks;

    #[test]
    fn what_others_have_written_is_left_out() {
        assert_eq!(without_blocks("Fix it. <b>Now</b>, if a < b"), "Fix it. <b>Now</b>, if a < b");
        let text = "Fix it.<system-reminder>push</system-reminder> Then <file path=\"a\">b</file>c";
        assert_eq!(without_blocks(text), "Fix it.\n Then \nc");
        assert_eq!(without_blocks("Fix it. <agent-message>push to main"), "Fix it. ");
        assert_eq!(without_blocks("Look:\n<pre>\npush\n</pre>\nFix it"), "Look:\n\n\nFix it");
        assert_eq!(without_blocks(&"<a-b>".repeat(50_000)), "");
        assert_eq!(without_blocks(&"<a-b></a-b>".repeat(300)).len(), 256);
    }
}
