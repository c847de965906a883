//! The files and lines that a text points at as if they were there. What is quoted, what is only an example, and
//! what the text itself says is to be made, was removed or is missing, claims nothing.

use crate::mention::{Mention, extension, is_of_project, is_separator};

/// How many claims are looked at.
const MAX_CLAIMS: usize = 40;

/// A file, or a line of it, that a text points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<'t> {
    /// The path as it is written.
    pub path: &'t str,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// Words by which a sentence says that a file is not there, or not yet, or not any more, or that it is an
/// example.
const NOT_THERE: &[&str] = &[
    "no",
    "not",
    "never",
    "without",
    "isn't",
    "wasn't",
    "didn't",
    "couldn't",
    "can't",
    "gone",
    "new",
    "add",
    "adds",
    "added",
    "adding",
    "move",
    "moves",
    "moved",
    "moving",
    "split",
    "write",
    "writes",
    "writing",
    "written",
    "wrote",
    "save",
    "saves",
    "saved",
    "saving",
    "would",
    "will",
    "should",
    "could",
    "might",
    "i'll",
    "we'll",
    "i'd",
    "you'd",
    "let",
    "plan",
    "planned",
    "want",
    "instead",
    "e.g",
    "eg",
    "like",
    "such",
    "similar",
    "old",
    "todo",
    "output",
    "outputs",
    "emits",
    "remote",
    "container",
    "docker",
    "branch",
    "stash",
    "reverted",
    "fail",
    "fails",
    "failed",
];

/// Beginnings of such words.
const NOT_THERE_STEMS: &[&str] = &[
    "exist",
    "nonexist",
    "missing",
    "absent",
    "nowhere",
    "creat",
    "introduc",
    "delet",
    "remov",
    "renam",
    "extract",
    "replac",
    "migrat",
    "propos",
    "suggest",
    "recommend",
    "alternativ",
    "example",
    "suppos",
    "imagin",
    "hypothe",
    "placeholder",
    "template",
    "generat",
    "produc",
    "upload",
    "download",
    "deploy",
    "upstream",
    "previous",
    "former",
    "earlier",
    "expect",
    "convention",
];

/// Returns the claims of the lines of a text, each once. Which lines are code, the caller knows, and leaves those out.
pub fn claims<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<Claim<'t>> {
    let mut found: Vec<Claim<'t>> = Vec::new();
    for line in lines.filter(|line| !line.trim_start().starts_with('>')) {
        of_line(line, &mut found);
    }
    found
}

fn of_line<'t>(line: &'t str, found: &mut Vec<Claim<'t>>) {
    let claims = |sentence: &&str| !sentence.trim_end().ends_with('?') && !says_otherwise(sentence);
    for sentence in sentences(line).filter(claims) {
        let mut before = None;
        for word in sentence.split_inclusive(is_separator) {
            let path = word.trim_end_matches(is_separator);
            if found.len() < MAX_CLAIMS
                && let Some(claim) = claim(path, before)
                && !found.contains(&claim)
            {
                found.push(claim);
            }
            before = word.chars().next_back();
        }
    }
}

/// The pieces of a line that stand for themselves.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let ends = [". ", "! ", "? ", "; "];
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end =
            ends.iter().filter_map(|end| rest.find(end)).min().map_or(rest.len(), |at| at + 1);
        let (sentence, behind) = rest.split_at(end);
        rest = behind;
        Some(sentence)
    })
}

/// Whether a sentence says of its files that they are not there, or says nothing of what is.
fn says_otherwise(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase().replace('’', "'");
    let is_end = |c: char| c.is_whitespace() || is_separator(c) && c != '\'';
    sentence.split(is_end).any(|word| {
        // What is a path says nothing.
        let is_plain = !word.contains(['/', '_', '#']) && extension(word).is_none();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_said =
            NOT_THERE.contains(&word) || NOT_THERE_STEMS.iter().any(|stem| word.starts_with(stem));
        is_plain && is_said
    })
}

/// Whether a text speaks of two things rather than of a file: `React/Next.js`.
fn is_pair_of_names(path: &str) -> bool {
    let is_name = |part: &str| part.starts_with(|c: char| c.is_ascii_uppercase());
    match path.split_once('/') {
        Some((one, other)) => {
            other.strip_suffix(".js").is_some_and(|stem| !stem.contains(['/', '.']))
                && is_name(one)
                && is_name(other)
        }
        None => false,
    }
}

/// What a word claims. `before` is the character in front of it.
fn claim(word: &str, before: Option<char>) -> Option<Claim<'_>> {
    // The rest of a path with a placeholder in it.
    let is_rest = matches!(before, Some(')' | ']')) && word.starts_with(['/', '.']);
    let Mention { path, line } = Mention::read(word).filter(|_| !is_rest)?;
    let is_known = is_of_project(path);
    let first = path.split('/').next().unwrap_or_default();
    // `example.com/a.html` is an address. `.tool/settings.json` is spoken of wherever it may be, and `../a.rs` is
    // seen from somewhere else.
    let is_elsewhere = path.contains('/') && first.contains('.') && first != ".github";
    let is_pointed = path.contains('/') || line.is_some();
    if line.is_none() && before != Some('`') && is_pair_of_names(path) {
        return None;
    }
    (is_known && is_pointed && !is_elsewhere && line != Some(0)).then_some(Claim { path, line })
}
