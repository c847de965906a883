//! What a person sees of a text that an agent wrote in Markdown: an offer that nobody was shown is none. Leaves out what
//! is never shown, and changes nothing else.

use std::borrow::Cow;

const OPENS: &str = "<!--";
const CLOSES: &str = "-->";

/// Returns a text without its comments, and without lines that only say where a link leads: `[//]: # (text)`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(OPENS) && !text.contains("]:") {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once(OPENS) {
        seen.push_str(before);
        // One that stays open hides all that follows.
        rest = comment.split_once(CLOSES).map_or("", |(_, behind)| behind);
    }
    seen.push_str(rest);
    let lines = seen.split_inclusive('\n').filter(|line| !is_definition(line));
    Cow::Owned(lines.collect())
}

/// Whether a line says where a link leads, and no more: `[name]: address "title"`.
fn is_definition(line: &str) -> bool {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let name =
        line.trim_start_matches(' ').strip_prefix('[').and_then(|line| line.split_once("]:"));
    indent < 4 && name.is_some_and(|(name, _)| !name.contains([']', '\n']) && !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_is_not_shown_is_left_out() {
        for (text, seen) in [
            ("Done. <!-- Shall I push? --> Anything else?", "Done.  Anything else?"),
            ("Done.\n<!-- Shall I push?\nReally?", "Done.\n"),
            ("Done.\n[//]: # (Shall I push?)\nOk?", "Done.\nOk?"),
            ("Done.\n[c]: <x> \"Shall I push?\"\n", "Done.\n"),
            ("a --> b", "a --> b"),
            ("- [x]: done", "- [x]: done"),
            ("<!---->", ""),
        ] {
            assert_eq!(visible(text), seen, "{text}");
        }
    }
}
