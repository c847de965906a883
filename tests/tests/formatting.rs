//! Every rule file of the project can be laid out, stays what it is, and is laid out only once.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::fs;
use std::path::{Path, PathBuf};

use behavior_compiler::format::{Refusal, format, meaning};
use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::syntax::Format;
use behavior_compiler::{Options, check};
use proptest::prelude::*;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
    found.sort();
}

fn format_of(name: &str) -> Option<Format> {
    match name.rsplit('.').next()? {
        "yaml" | "yml" => Some(Format::Yaml),
        "toml" => Some(Format::Toml),
        "json" => Some(Format::Json),
        _ => None,
    }
}

/// What `behavior check` finds in the file alone.
fn meaning_of(name: &str, text: &str) -> String {
    let provider = WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: MemoryFiles::new([(name, text)]),
    };
    meaning(&check(&provider, &[name.to_owned()], &Options::default()))
}

/// Lays a text out and holds it against what it was; says whether it could be.
fn holds(name: &str, text: &str, kind: Format) -> bool {
    match format(text, kind) {
        Ok(laid) => {
            let again = format(&laid, kind).unwrap_or_else(|why| panic!("{name}: {why:?}"));
            assert_eq!(again, laid, "{name}: laid out twice it is another text");
            assert_eq!(meaning_of(name, &laid), meaning_of(name, text), "{name}:\n{laid}");
            true
        }
        Err(Refusal::Broken(_)) => true,
        Err(Refusal::Unsure(why)) => {
            eprintln!("{name}: {why}");
            false
        }
    }
}

#[test]
fn rule_files_mean_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in ["examples", "stdlib-profiles", "docs/schema"] {
        files(&root.join(folder), &mut found);
    }
    let mut count = 0;
    for path in found {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(kind) = format_of(name) else { continue };
        let text = fs::read_to_string(&path).unwrap();
        assert!(holds(name, &text, kind), "{name} cannot be laid out");
        // Ours are laid out already; what is generated has a form of its own.
        let is_ours = !path.starts_with(root.join("docs"));
        let laid = format(&text, kind).ok();
        assert!(!is_ours || laid.as_deref() == Some(&*text), "{name}: run `behavior fmt`");
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn files_of_the_specification_mean_the_same() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let mut found = Vec::new();
    files(&spec, &mut found);
    let (mut count, mut unsure) = (0, 0);
    for path in found {
        let document = fs::read_to_string(&path).unwrap();
        let mut rest = document.as_str();
        while let Some(at) = rest.find("\n```") {
            let block = rest.get(at + 4..).unwrap();
            let (info, body) = block.split_once('\n').unwrap_or((block, ""));
            let (body, behind) = body.split_once("\n```").unwrap_or((body, ""));
            rest = behind;
            let title = info.split('"').nth(1).unwrap_or("behavior.yaml");
            let kind = match info.split(' ').next() {
                Some("yaml") => Format::Yaml,
                Some("toml") => Format::Toml,
                Some("json") => Format::Json,
                _ => continue,
            };
            if format_of(title) == Some(kind) {
                count += 1;
                unsure += usize::from(!holds(title, &format!("{body}\n"), kind));
            }
        }
    }
    assert!(count > 300, "{count}");
    // Keys that are no plain words and the like.
    assert!(unsure * 100 <= count, "{unsure} of {count} cannot be laid out");
}

/// A YAML text, laid out at random.
fn yaml() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("a: 1"),
        Just("- x"),
        Just("-   b: c"),
        Just("key:"),
        Just("-"),
        Just("# c"),
        Just(""),
        Just("d: |"),
        Just("e: >-"),
        Just("f: [x,"),
        Just("y]"),
        Just("g: {h: i, j: \"k"),
        Just("l\"}"),
        Just("- - z"),
        Just("m: &n o"),
        Just("p: *n"),
        Just("'q r':   s   # t"),
        Just("plain words"),
        Just("u: 'v"),
        Just("w'"),
        Just("---"),
        Just("x: |2"),
        Just("\t"),
        Just("? k"),
        Just("é: ü"),
    ];
    let line = (0..5usize, piece, 0..3usize);
    proptest::collection::vec(line, 0..12).prop_map(|lines| {
        let line = |(indent, piece, behind): (usize, &str, usize)| {
            format!("{}{piece}{}\n", " ".repeat(indent), " ".repeat(behind))
        };
        lines.into_iter().map(line).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_that_can_be_laid_out_stays_what_it_is(text in yaml()) {
        holds("behavior.yaml", &text, Format::Yaml);
    }
}
