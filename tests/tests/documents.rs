//! What documents for contributors name is there: files, links and tests; and the README's example runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use behavior_runtime::Verdict;

#[path = "../examples/embed.rs"]
mod embed;

const DOCUMENTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "crates/shell/README.md",
    "docs/glossary.md",
];

/// The folders at the top: a text in backticks that begins with one of them is a path.
const FOLDERS: &[&str] = &[
    "agents/",
    "cli/",
    "compiler/",
    "crates/",
    "dap/",
    "docs/",
    "editors/",
    "lsp/",
    "mcp/",
    "runtime/",
    "stdlib-profiles/",
    "tests/",
    "xtask/",
];

#[test]
fn files_and_links_of_documents_lead_somewhere() {
    let mut missing = Vec::new();
    for (name, text) in documents() {
        let folder = root().join(&name).parent().unwrap().to_owned();
        let paths =
            code(&text).filter(|code| FOLDERS.iter().any(|folder| code.starts_with(folder)));
        let paths = paths.filter(|path| !path.contains(['*', '<', ' ', '…']));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let links = links.filter(|link| !link.is_empty() && !link.contains(':'));
        let paths = paths.filter(|path| !root().join(path).exists());
        let links = links.filter(|link| !folder.join(link).exists());
        missing.extend(paths.chain(links).map(|path| format!("{name}: {path}")));
    }
    assert!(missing.is_empty(), "not there any more: {missing:#?}");
}

#[test]
fn tests_that_the_architecture_names_exist() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, table) = text.split_once("## Invariants").unwrap();
    let mut functions = BTreeSet::new();
    let named = code(table).filter(|code| code.contains('/') && code.ends_with(".rs"));
    for file in named {
        functions.extend(functions_of(&root().join(file)));
    }
    for folder in ["tests/tests", "cli/tests"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                functions.extend(functions_of(&path));
            }
        }
    }
    let names: Vec<&str> =
        code(table).filter(|code| code.contains('_') && !code.contains('/')).collect();
    let gone: Vec<_> = names.iter().filter(|name| !functions.contains(**name)).collect();
    assert!(names.len() > 15 && gone.is_empty(), "no such tests: {gone:?}");
}

/// The names of the functions in a file of Rust.
fn functions_of(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let names = text.split("fn ").skip(1).filter_map(|rest| rest.split('(').next());
    names.map(str::to_owned).collect()
}

#[test]
fn the_readme_shows_the_example() {
    let example = std::fs::read_to_string(root().join("tests/examples/embed.rs")).unwrap();
    let shown = example.split("// [README]\n").nth(1).unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains(&format!("```rust\n{shown}```\n")), "copy it there:\n{shown}");
}

#[test]
fn the_example_decides() {
    let image = embed::image().unwrap();
    assert_eq!(embed::decide(&image, "ls"), Ok(Verdict::Allow));
    assert_eq!(embed::decide(&image, "git push --force origin main"), Ok(Verdict::Deny));
}

/// The documents by name, with the reasons for decisions among them.
fn documents() -> impl Iterator<Item = (String, String)> {
    let decisions = std::fs::read_dir(root().join("docs/adr")).unwrap();
    let decisions = decisions.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = decisions.map(|name| format!("docs/adr/{name}"));
    let names = names.chain(DOCUMENTS.iter().map(|name| (*name).to_owned()));
    names.map(|name| (name.clone(), std::fs::read_to_string(root().join(name)).unwrap()))
}

/// The texts in single backticks, without those of code blocks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|prose| prose.split('`').skip(1).step_by(2))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn every_native_event_is_in_the_documents() {
    let text = std::fs::read_to_string(root().join("docs/traces.md")).unwrap();
    for event in behavior_agents::native::EVENTS {
        assert!(text.contains(&format!("`{event}`")), "`docs/traces.md` does not name `{event}`");
    }
}
