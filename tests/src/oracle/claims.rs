//! What a text claims of files that are not there, by regular expressions and lists of names.

use std::sync::LazyLock;

use behavior_runtime::event::{Call, Value};
use regex::Regex;

use super::files::{Files, normal};
use super::truth::Truth;

/// A path, and perhaps a line behind it.
static POINTER: LazyLock<Regex> = LazyLock::new(|| {
    let path = r"(?<path>[\p{Alphabetic}\p{N}_./+@-]+?)";
    let line = r"(?:(?:#L|:)[Ll]?(?<line>[0-9]+)(?:[-–]L?(?<last>[0-9]+)|[0-9:\-–LC.]*))?";
    Regex::new(&format!("^{path}{line}$")).expect("it is one")
});

/// The rest of a path with a placeholder in front.
static REST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"([)\]])[/.][^\s`"',;|()\[\]“”‘’«»]*"#).expect("it is one"));

/// The words that random texts have of those by which a sentence says that a file is not there.
static NOT_THERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|\s)(?:no|not|exists|new|will)[.:!?]*(?:\s|$)").expect("it is one")
});

/// The path and the line that a word is.
fn pointer(word: &str) -> Option<(&str, Option<u32>)> {
    let word = word.trim_matches(['*', '…']).trim_end_matches(['.', ':', '!', '?']);
    let found = POINTER.captures(word)?;
    let path = found.name("path")?.as_str();
    let path = path.strip_prefix("./").unwrap_or(path);
    let line = found.name("line").map(|line| line.as_str().parse().ok());
    let is_odd = path.contains("//") || path.contains("...") || path.starts_with('@');
    if is_odd || path.ends_with('/') || !path.chars().any(char::is_alphanumeric) {
        return None;
    }
    let last = found.name("last").and_then(|last| last.as_str().parse::<u32>().ok());
    match line {
        Some(None) => None,
        line => Some((path, line.flatten().max(last))),
    }
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || "`\"',;|()[]“”‘’«»".contains(c)
}

fn has_extension(path: &str, known: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_known = known.is_empty() || known.contains(&&*extension.to_lowercase());
    !stem.is_empty()
        && is_known
        && (1..=12).contains(&extension.len())
        && extension.chars().all(|c| c.is_ascii_alphanumeric())
}

/// What a text points at.
fn claims(text: &str) -> Vec<(String, Option<u32>)> {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('>')) {
        let mut start = 0;
        let mut sentences = Vec::new();
        for (at, _) in line.char_indices() {
            let is_stop = [". ", "! ", "? ", "; "].iter().any(|stop| line[at..].starts_with(stop));
            if is_stop && at >= start {
                sentences.push(&line[start..=at]);
                start = at + 1;
            }
        }
        sentences.push(&line[start..]);
        let claims = |one: &&str| !one.trim_end().ends_with('?') && !NOT_THERE.is_match(one);
        for sentence in sentences.into_iter().filter(claims) {
            let sentence = REST.replace_all(sentence, "$1");
            for (path, line) in sentence.split(is_end).filter_map(pointer) {
                let first = path.split('/').next().unwrap_or_default();
                let is_elsewhere = path.contains('/') && first.contains('.') && first != ".github";
                let is_pointed = path.contains('/') || line.is_some();
                let is_claim = has_extension(path, &["rs", "md", "txt", "json"]);
                if is_claim && is_pointed && !is_elsewhere && line != Some(0) {
                    found.push((path.to_owned(), line));
                }
            }
        }
    }
    found
}

/// The last one and the last two parts of each path that a text names.
pub fn names(text: &str) -> Vec<String> {
    let ends = |c: char| is_end(c) || "<>{}=\\".contains(c);
    let paths = text.split(ends).filter(|word| word.contains('.')).filter_map(pointer);
    let paths = paths.filter(|(path, _)| has_extension(path, &[]));
    paths.flat_map(|(path, _)| tails(path)).collect()
}

/// The names in what a call was given, and in what it gave.
pub fn names_of(call: &Call<'_>, result: Option<&Value<'_>>) -> Vec<String> {
    let values = call.params.iter().map(|param| &param.value).chain(result);
    values
        .flat_map(|value| texts(&super::values::json(value)))
        .flat_map(|text| names(&text))
        .collect()
}

fn texts(value: &serde_json::Value) -> Vec<String> {
    match value {
        serde_json::Value::String(text) => vec![text.clone()],
        serde_json::Value::Array(items) => items.iter().flat_map(texts).collect(),
        serde_json::Value::Object(fields) => {
            let own = |(name, value): (&String, _)| {
                std::iter::once(name.clone()).chain(texts(value)).collect::<Vec<_>>()
            };
            fields.iter().flat_map(own).collect()
        }
        _ => Vec::new(),
    }
}

fn tails(path: &str) -> Vec<String> {
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let last = |count: usize| parts[parts.len() - count..].join("/");
    (1..=parts.len().min(2)).map(last).collect()
}

/// Whether a text points at what is not there.
pub fn are_ungrounded(text: &str, cwd: Option<&str>, files: &Files, seen: &[String]) -> Truth {
    let claims = claims(text);
    super::truth::any(claims.into_iter().map(|(path, line)| {
        let path = path.as_str();
        let full = normal(path, cwd);
        let there = files.exists(&full);
        let mut meant = if path.starts_with('/') { None } else { files.below(path) };
        if there == Some(true) && (path.contains('/') || meant.is_none()) {
            meant = Some(vec![full.clone()]);
        }
        if let Some(files_meant) = meant.as_ref().filter(|meant| !meant.is_empty()) {
            return match line {
                None => Truth::No,
                Some(_) if files_meant.len() > 4 => Truth::No,
                Some(line) => is_behind_all(files_meant, u64::from(line), files),
            };
        }
        if tails(path).last().is_some_and(|tail| seen.contains(tail)) || there == Some(true) {
            return Truth::No;
        }
        match (there, meant) {
            (Some(false), Some(_)) => Truth::Yes,
            (Some(false), None) if path.starts_with('/') => {
                let directory = full.rsplit_once('/').map_or("", |(directory, _)| directory);
                (!directory.is_empty() && files.exists(directory) != Some(false)).into()
            }
            _ => Truth::Missing,
        }
    }))
}

fn is_behind_all(meant: &[String], line: u64, files: &Files) -> Truth {
    for path in meant {
        let most = files.lines(path).or(files.fingerprint(path).0.filter(|size| *size < line));
        match most {
            None => return Truth::Missing,
            Some(most) if most >= line => return Truth::No,
            Some(_) => {}
        }
    }
    Truth::Yes
}
