//! The layout that `cargo static` links with still names functions that there are: one that does not
//! would do no harm, and no good.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The file that the alias hands to the linker.
fn layout() -> String {
    let config = fs::read_to_string(root().join(".cargo/config.toml")).unwrap();
    let (_, rest) = config.split_once("-Wl,-T,").expect("the alias names a layout");
    let (path, _) = rest.split_once('"').expect("the argument ends");
    fs::read_to_string(root().join(path)).expect("the layout is there")
}

/// The last two parts of a mangled path, such as `hook` and `run`; none where one is no plain name.
fn last_parts(mangled: &str) -> Option<(&str, &str)> {
    let mut rest = mangled.strip_prefix("_ZN")?;
    let mut parts = Vec::new();
    while !rest.starts_with("17h") {
        let digits = rest.find(|sign: char| !sign.is_ascii_digit())?;
        let (length, behind) = rest.split_at(digits);
        let (part, behind) = behind.split_at_checked(length.parse().ok()?)?;
        parts.push(part);
        rest = behind;
    }
    let is_plain =
        |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    parts.iter().all(is_plain).then_some(())?;
    let [.., module, function] = parts[..] else { return None };
    Some((module, function))
}

/// The names of all functions of a crate.
fn functions(directory: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let names = text.split("fn ").skip(1).map(|rest| {
                rest.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect()
            });
            found.extend(names);
        }
    }
}

#[test]
fn the_layout_names_functions_that_there_are() {
    let layout = layout();
    let mut known = BTreeSet::new();
    for source in ["runtime/src", "agents/src", "cli/src"] {
        functions(&root().join(source), &mut known);
    }
    let own = ["_ZN8behavior", "_ZN16behavior_runtime", "_ZN15behavior_agents"];
    let named: BTreeSet<(&str, &str)> = layout
        .split_whitespace()
        .filter_map(|word| word.rsplit_once(".text.").map(|(_, name)| name))
        .filter(|name| own.iter().any(|own| name.starts_with(own)))
        .filter_map(last_parts)
        .collect();
    let gone: Vec<_> = named.iter().filter(|(_, function)| !known.contains(*function)).collect();
    assert!(named.len() > 100, "only {} functions are named", named.len());
    assert!(
        gone.len() * 5 < named.len(),
        "of {} functions, these are gone: {gone:?}; run `tests/layout/generate.py` again",
        named.len()
    );
}
