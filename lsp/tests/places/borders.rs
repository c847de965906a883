//! At every border of words of every example and of every file in the documents, what is offered can be taken as
//! editors take it.

use std::path::{Path, PathBuf};

use behavior_compiler::ide::{RuleFile, Store};
use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{Format, parse};

use crate::{fault, offered};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder and below.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Names and texts of all rule files there are.
fn texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut examples = Vec::new();
    files(&root().join("examples"), &mut examples);
    for path in examples {
        let name = path.strip_prefix(root().join("examples")).unwrap().display().to_string();
        let is_rules = [".yaml", ".toml"].iter().any(|ending| name.ends_with(ending));
        if is_rules && let Ok(text) = std::fs::read_to_string(&path) {
            found.push((name, text));
        }
    }
    let mut documents = Vec::new();
    files(&root().join("tests/spec"), &mut documents);
    for path in documents.iter().filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(path).unwrap();
        for block in text.split("```").skip(1).step_by(2) {
            let (language, body) = block.split_once('\n').unwrap_or((block, ""));
            let name = match language.split(' ').next().unwrap_or_default() {
                "toml" => "behavior/policy.toml",
                "yaml" if body.contains("kind:") && body.contains("params:") => {
                    "behavior/a.policy.yaml"
                }
                "yaml" => "behavior.yaml",
                _ => continue,
            };
            found.push((name.to_owned(), body.to_owned()));
        }
    }
    found
}

/// Where a word begins or ends.
fn borders(text: &str) -> Vec<usize> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        '\n' => 1,
        ' ' => 2,
        _ => 3,
    };
    let mut last = 4;
    let mut found = Vec::new();
    for (at, character) in text.char_indices() {
        if class(character) != last {
            found.push(at);
        }
        last = class(character);
    }
    found.push(text.len());
    found
}

#[test]
fn what_is_offered_can_be_taken() {
    let store = Store::default();
    let mut faults = Vec::new();
    let (mut places, mut items) = (0_usize, 0_usize);
    for (number, (name, text)) in texts().into_iter().enumerate() {
        // A part of them in each run of the walk is enough: they are much alike.
        let step = if text.len() > 4000 { 7 } else { 3 };
        let file = RuleFile::new(name.as_str(), text.as_str());
        let format = if name.ends_with(".toml") { Format::Toml } else { Format::Yaml };
        let before = parse(FileId(0), &text, format).diagnostics.len();
        for offset in borders(&text).into_iter().skip(number % step).step_by(step) {
            places += 1;
            let mut kinds = Vec::new();
            for item in offered(&file, &store, offset as u32) {
                items += 1;
                if let Some(fault) = fault(&text, offset, &item) {
                    faults.push(format!("{name}: {fault} at {:?}", around(&text, offset)));
                }
                if kinds.contains(&item.kind) || before > 0 {
                    continue;
                }
                kinds.push(item.kind);
                let mut taken = text.clone();
                let new = item.snippet.as_deref().map_or(item.insert.clone(), filled_in);
                taken.replace_range(item.start as usize..item.end as usize, &new);
                let after = parse(FileId(0), &taken, format).diagnostics;
                if after.len() > before && !is_begun(&text, offset) {
                    let problem = &after[0].message;
                    let place = around(&text, offset);
                    faults
                        .push(format!("{name}: `{}` gives `{problem}` at {place:?}", item.insert));
                }
            }
        }
    }
    assert!(places > 2000 && items > 10 * places, "{places} places, {items} offers");
    let shown: Vec<&str> = faults.iter().map(String::as_str).take(40).collect();
    assert!(faults.is_empty(), "{} of {items}:\n{}", faults.len(), shown.join("\n"));
}

/// A snippet with its places left empty, or filled with the first that is proposed.
fn filled_in(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        match behind.strip_prefix('{') {
            Some(inside) => {
                let (place, after) = inside.split_once('}').unwrap_or((inside, ""));
                let proposed = place.trim_start_matches(|c: char| c.is_ascii_digit());
                let proposed = proposed.trim_start_matches([':', '|']);
                out.push_str(proposed.split([',', '|']).next().unwrap_or_default());
                rest = after;
            }
            None => rest = behind.trim_start_matches(|c: char| c.is_ascii_digit()),
        }
    }
    out + rest
}

/// Whether what stands at a place goes on behind it, so that anything new before it stands in its way.
fn is_begun(text: &str, offset: usize) -> bool {
    let behind = text[offset..].lines().next().unwrap_or_default();
    let before = text[..offset].rsplit('\n').next().unwrap_or_default();
    // Between braces there is room for one more before a key.
    let is_pair = before.trim_end().ends_with(['{', ',', ':']) && before.contains('{');
    let has_room = is_pair && begins_pair(behind);
    !behind.trim().is_empty() && !has_room
}

/// Whether a key and its value begin behind a blank.
fn begins_pair(behind: &str) -> bool {
    let Some(rest) = behind.strip_prefix(' ') else { return false };
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    word > 0 && rest[word..].starts_with(": ")
}

fn around(text: &str, offset: usize) -> String {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    format!("{}‸{}", &text[start..offset], &text[offset..end])
}
