//! The examples of diagnostics do what they say: each gets its diagnostic and no other, and what is
//! written instead gets none.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;

use behavior_compiler::diagnostic::Example;
use behavior_compiler::registry::diagnostics;
use behavior_tests::spec::Project;

/// Diagnostics without an example, and why.
const NO_EXAMPLE: &[(&str, &str)] = &[
    ("encoding", "bytes that are no text, or that nobody sees, cannot be shown"),
    ("duplicate-workflow", "it takes two files"),
    ("program-too-large", "it takes tens of thousands of names"),
    ("internal", "no file should lead to it"),
];

/// Diagnostics whose example shows nothing to write instead, and why.
const NO_REMEDY: &[(&str, &str)] = &[("too-large", "no value that grows so much is any use")];

/// The most lines of an example, and the widest of them: it is read in a terminal.
const LINES: usize = 10;
const COLUMNS: usize = 76;

/// The names of the diagnostics that a text gets as the file of an example.
fn reported(example: &Example, text: &str) -> BTreeSet<&'static str> {
    let mut project = Project::default();
    project.add(example.file, text).unwrap();
    let line = format!("behavior check {} {}", example.file, example.options);
    project.command(&line).unwrap_or_else(|why| panic!("{line}: {why}"));
    let layers = project.compile().unwrap();
    let all = layers.iter().flat_map(|(_, compilation)| &compilation.diagnostics);
    all.map(|diagnostic| diagnostic.kind.name).collect()
}

#[test]
fn every_example_gets_its_diagnostic_and_no_other() {
    for kind in diagnostics::ALL {
        for example in kind.examples {
            let wrong = example.wrong();
            assert_eq!(reported(example, &wrong), BTreeSet::from([kind.name]), "{wrong}");
        }
    }
}

#[test]
fn what_is_written_instead_is_right() {
    for kind in diagnostics::ALL {
        for example in kind.examples {
            let Some(right) = example.right() else { continue };
            assert_eq!(reported(example, &right), BTreeSet::new(), "{}:\n{right}", kind.name);
        }
    }
}

#[test]
fn every_diagnostic_has_an_example_or_a_reason_for_none() {
    let without = |is: fn(&[Example]) -> bool| {
        let kinds = diagnostics::ALL.iter().filter(move |kind| is(kind.examples));
        kinds.map(|kind| kind.name).collect::<BTreeSet<_>>()
    };
    let names = |list: &[(&'static str, &str)]| list.iter().map(|(name, _)| *name).collect();
    let none: BTreeSet<_> = names(NO_EXAMPLE);
    assert_eq!(without(|examples| examples.is_empty()), none);
    let no_remedy: BTreeSet<_> = names(NO_REMEDY);
    assert_eq!(without(|examples| examples.iter().any(|e| e.right().is_none())), no_remedy);
}

#[test]
fn examples_are_short() {
    for example in diagnostics::ALL.iter().flat_map(|kind| kind.examples) {
        for text in [Some(example.wrong()), example.right()].into_iter().flatten() {
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(text.lines().count() <= LINES && widest <= Some(COLUMNS), "{text}");
        }
    }
}
