//! Takes secrets out of texts before anything is shown or written down, and cuts what is long.

use std::borrow::Cow;

use crate::options;
use crate::scan::contains_secret;

/// Whether a text holds something that is neither kept nor shown: a secret, or a password that a command line hands to a
/// program.
#[must_use]
pub fn is_to_be_hidden(text: &str) -> bool {
    contains_secret(text).is_some() || options::password(text.as_bytes(), 0).is_some()
}

/// The text in at most so many bytes, without the secrets that it holds: of a line that holds one, the
/// word is replaced, or the whole line where the secret is more than a word.
#[must_use]
pub fn redacted(text: &str, longest: usize) -> String {
    let text = &*without_passwords(text);
    let mut cut = cut(text, longest);
    if contains_secret(text).is_none() {
        return cut;
    }
    if text.len() > longest {
        // The last word may be the beginning of a secret.
        cut.truncate(cut.rfind([' ', '\n']).map_or(0, |blank| blank + 1));
        cut.push('…');
    }
    let mut out = String::with_capacity(cut.len());
    let mut in_key = false;
    for line in cut.split_inclusive('\n') {
        if in_key {
            in_key = !line.contains("-----END");
            continue;
        }
        // The lines of a key are no secrets by their looks.
        if line.contains("-----BEGIN") && line.contains("PRIVATE KEY") {
            in_key = !line.contains("-----END");
            out.push_str(&sign("private key"));
            out.push('\n');
            continue;
        }
        match contains_secret(line) {
            None => out.push_str(line),
            Some(kind) => out.push_str(&redacted_line(line, kind)),
        }
    }
    // What only shows when lines are read together.
    match contains_secret(&out) {
        Some(kind) => sign(kind),
        None => out,
    }
}

/// The text without the passwords that its command lines hand to programs.
fn without_passwords(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut kept = 0;
    while let Some(found) = options::password(text.as_bytes(), kept) {
        let (Some(before), true) = (text.get(kept..found.start), text.is_char_boundary(found.end))
        else {
            break;
        };
        out.push_str(before);
        out.push_str(&sign("password"));
        kept = found.end;
    }
    match kept {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(out + text.get(kept..).unwrap_or_default()),
    }
}

fn redacted_line(line: &str, kind: &str) -> String {
    let words: Vec<String> = line.split(' ').map(redacted_word).collect();
    let words = words.join(" ");
    let end = if line.ends_with('\n') { "\n" } else { "" };
    match contains_secret(&words) {
        None if words != line => words,
        _ => format!("{}{end}", sign(kind)),
    }
}

/// The word without the piece that is a secret, so that its quotes stay; without all of it where the
/// secret is more than a piece.
fn redacted_word(word: &str) -> String {
    let Some(kind) = contains_secret(word) else { return word.to_owned() };
    let is_border =
        |letter: char| matches!(letter, '\'' | '"' | '`' | ';' | ',' | '(' | ')' | '\n');
    let piece = |piece: &str| {
        let inner = piece.trim_end_matches(is_border);
        let border = piece.get(inner.len()..).unwrap_or_default();
        contains_secret(inner).map_or(piece.to_owned(), |kind| format!("{}{border}", sign(kind)))
    };
    let pieces: String = word.split_inclusive(is_border).map(piece).collect();
    if contains_secret(&pieces).is_none() { pieces } else { sign(kind) }
}

/// What stands for a secret: one word, whatever reads it.
fn sign(kind: &str) -> String {
    format!("[redacted:{}]", kind.replace(' ', "-"))
}

/// The beginning of a text, with a sign where something is left out.
fn cut(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(longest);
    format!("{}…", text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{is_to_be_hidden, redacted};

    const TOKEN: &str = concat!("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");

    #[test]
    fn secrets_go_and_the_rest_stays() {
        let line = format!("curl -H {TOKEN} https://example.org\nls");
        let out = redacted(&line, 4096);
        assert!(!out.contains(TOKEN) && out.ends_with("https://example.org\nls"), "{out}");
        let out = redacted(&format!("export GITHUB_TOKEN={TOKEN}"), 4096);
        assert!(!out.contains(TOKEN), "{out}");
        assert_eq!(redacted("cargo test", 4096), "cargo test");
    }

    #[test]
    fn passwords_that_programs_are_handed_go() {
        let line =
            "mysql -uroot -pcanary1 db && sshpass -p canary2 ssh h; docker login -p 'canary 3' r";
        let out = redacted(line, 4096);
        assert!(!out.contains("canary"), "{out}");
        assert_eq!(out.matches("[redacted:password]").count(), 3, "{out}");
        assert!(is_to_be_hidden(line) && is_to_be_hidden(TOKEN) && !is_to_be_hidden("ls -p a"));
    }

    #[test]
    fn a_key_goes_with_all_its_lines() {
        let begin = concat!("-----BEGIN RSA PRIVATE", " KEY-----");
        let end = concat!("-----END RSA PRIVATE", " KEY-----");
        let body = "MIIEowIBAAKCAQEAx4UbaDzY5xjW6hc9jwN0mX33XpTDVW9WqHp5AKaRbtAC3DqX";
        let out = redacted(&format!("a\n{begin}\n{body}\n{body}\n{end}\nb"), 4096);
        assert!(!out.contains("MIIEow"), "{out}");
        assert!(out.starts_with("a\n") && out.ends_with('b'), "{out}");
    }

    #[test]
    fn what_is_cut_is_still_held_against_the_whole() {
        let text = format!("{} {TOKEN}", "x".repeat(90));
        let out = redacted(&text, 110);
        assert!(!out.contains(TOKEN.get(..15).unwrap_or_default()), "{out}");
        assert_eq!(redacted("äöü", 3), "ä…");
    }
}
