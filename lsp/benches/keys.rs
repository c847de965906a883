//! What the language server takes for a key and for the questions behind it: CPU of the whole process, in
//! milliseconds, the best and the middle of many.
//! `cargo bench -p behavior-lsp --bench keys`; an argument picks measurements by their names.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on has nothing to tell"
)]

#[path = "../tests/server/client.rs"]
#[allow(dead_code, reason = "the client of the tests can do more")]
mod client;

use std::sync::Arc;

use behavior_compiler::ide::Checks;
use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_lsp::NoRecordings;
use client::{Client, session_with, uri};
use serde_json::{Value, json};

/// How many keys are typed, and how many of the first do not count.
const KEYS: usize = 25;
const WARM_UP: usize = 5;

fn main() {
    // `cargo test --benches` and a test runner's listing only want to know that this links.
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| name.contains(&**wanted));
    let many: usize = 10_000;
    let measurements: [Measurement; 11] = [
        ("a whole check, 10,000 rules in one file", file, many, What::Check),
        ("a whole check, 10,000 rules in 100 files", file, many, What::CheckFiles),
        (
            "diagnostics, ten rules on dev",
            |rules| format!("profile: dev\n{}", file(rules)),
            10,
            What::Message,
        ),
        ("diagnostics, 10,000 rules, a message", file, many, What::Message),
        ("diagnostics, 10,000 rules, a condition", file, many, What::Condition),
        ("diagnostics, 10,000 rules, an id", file, many, What::Id),
        ("diagnostics, 10,000 rules, a quote that is open for a key", file, many, What::OpenQuote),
        ("hover right after a key, 10,000 rules", file, many, What::Hover),
        ("completion right after a key, 10,000 rules", file, many, What::Completion),
        ("rename, 10,000 rules in 100 files", file, many, What::Rename),
        ("symbols, 10,000 rules in 100 files", file, many, What::Symbols),
    ];
    for (name, text, rules, what) in measurements {
        if is_wanted(name) {
            tell(name, measure(&text(rules), rules, what));
        }
    }
}

/// Its name, the file for so many rules, how many these are, and what is done.
type Measurement = (&'static str, fn(usize) -> String, usize, What);

/// What is done and waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Check,
    CheckFiles,
    Message,
    Condition,
    Id,
    OpenQuote,
    Hover,
    Completion,
    Rename,
    Symbols,
}

/// A config of so many rules, each unlike the others.
fn file(rules: usize) -> String {
    format!("rule_definitions:\n{}", of_rules(0..rules))
}

fn of_rules(numbers: std::ops::Range<usize>) -> String {
    numbers
        .map(|number| {
            format!(
                "  - id: rule_{number}\n    trigger: [edit, bash]\n    action: block\n    condition: target not in read_files and param(command) matches \"x{number}y\"\n    message: \"Read `{{target}}` first, then go on with {number}.\"\n",
            )
        })
        .collect()
}

fn measure(text: &str, rules: usize, what: What) -> Vec<f64> {
    let mut taken = Vec::new();
    match what {
        What::Rename | What::Symbols => across_files(rules, what, &mut taken),
        What::Check => check(&[("behavior.yaml", text)], &mut taken),
        What::CheckFiles => {
            let texts = files(rules);
            let files: Vec<_> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
            check(&files, &mut taken);
        }
        _ => typing(text, rules, what, &mut taken),
    }
    taken
}

fn typing(text: &str, rules: usize, what: What, taken: &mut Vec<f64>) {
    let name = "behavior.yaml";
    session_with(
        &[(name, text)],
        json!({}),
        Value::Null,
        Arc::new(NoRecordings),
        |mut client| async move {
            client.open(name, text).await;
            client.diagnostics(name, 1).await;
            let first = rules / 2;
            let (line, before) = match what {
                What::Condition => (first * 5 + 4, "matches \"x"),
                What::Id => (first * 5 + 1, "id: rule_"),
                _ => (first * 5 + 5, "message: \"Read"),
            };
            let line = line + usize::from(text.starts_with("profile"));
            let column =
                text.lines().nth(line).and_then(|text| Some(text.find(before)? + before.len()));
            let mut column = column.expect("what is typed behind");
            for key in 0..KEYS {
                let version = key as i32 + 2;
                let start = cpu_time();
                let typed = if what == What::OpenQuote && key % 2 == 0 { "\"" } else { "k" };
                let is_back = what == What::OpenQuote && key % 2 == 1;
                let (from, typed) = if is_back { (column - 1, "") } else { (column, typed) };
                let range = json!({ "start": { "line": line, "character": from },
                                "end": { "line": line, "character": column } });
                client.change(name, version, json!([{ "range": range, "text": typed }])).await;
                column = from + typed.len();
                match what {
                    What::Hover => drop(ask(&mut client, "textDocument/hover", line - 1, 7).await),
                    What::Completion => {
                        drop(ask(&mut client, "textDocument/completion", line - 2, 7).await);
                    }
                    _ => drop(client.diagnostics(name, version).await),
                }
                if key >= WARM_UP {
                    taken.push(cpu_time() - start);
                }
                if matches!(what, What::Hover | What::Completion) {
                    client.diagnostics(name, version).await;
                }
            }
            client
        },
    );
}

async fn ask(client: &mut Client, method: &str, line: usize, column: usize) -> Value {
    let position = json!({ "line": line, "character": column });
    let document = json!({ "uri": uri("behavior.yaml") });
    client.request(method, json!({ "textDocument": document, "position": position })).await
}

fn check(files: &[(&str, &str)], taken: &mut Vec<f64>) {
    let provider = WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: MemoryFiles::new(files.iter().copied()),
    };
    for _ in 0..KEYS / 2 {
        let start = cpu_time();
        let checked = Checks::default().folder(&provider, "", &[]);
        taken.push(cpu_time() - start);
        assert!(checked.problems.contains_key("behavior.yaml"));
    }
}

/// A hundred profiles of so many rules together, of which the first declares a set, and a config that uses it.
fn files(rules: usize) -> Vec<(String, String)> {
    let each = rules / 100;
    let text = |file: usize| {
        let set =
            if file == 0 { "state_tracking:\n  sets:\n    mine: { add_on: [read] }\n" } else { "" };
        let base = if file == 0 { "" } else { "extends: p0\n" };
        let rules = of_rules(file * each..(file + 1) * each);
        let rules = rules.replace("in read_files", "in mine");
        format!("name: p{file}\n{base}{set}rule_definitions:\n{rules}")
    };
    let profiles = (0..100).map(|file| (format!("behavior/p{file}.yaml"), text(file)));
    profiles.chain([("behavior.yaml".to_owned(), "profile: p0\n".to_owned())]).collect()
}

fn across_files(rules: usize, what: What, taken: &mut Vec<f64>) {
    let texts = files(rules);
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    let (name, first) = files[0];
    session_with(&files, json!({}), Value::Null, Arc::new(NoRecordings), |mut client| async move {
        client.open(name, first).await;
        client.diagnostics(name, 1).await;
        for turn in 0..KEYS {
            let start = cpu_time();
            match what {
                What::Rename => {
                    let params = json!({ "textDocument": { "uri": uri(name) }, "newName": "other",
                                         "position": { "line": 3, "character": 5 } });
                    let edit = client.request("textDocument/rename", params).await;
                    assert!(edit.is_object(), "{edit}");
                }
                _ => {
                    let found =
                        client.request("workspace/symbol", json!({ "query": "rule_77" })).await;
                    assert!(found.is_array(), "{found}");
                }
            }
            if turn >= WARM_UP || KEYS <= WARM_UP {
                taken.push(cpu_time() - start);
            }
        }
        client
    });
}

fn tell(name: &str, mut taken: Vec<f64>) {
    taken.sort_by(f64::total_cmp);
    let at = |part: usize| taken.get(taken.len() * part / 4).copied().unwrap_or(f64::NAN);
    println!("{name:<60} best {:>8.2} ms, middle {:>8.2} ms", at(0), at(2));
}

/// The milliseconds that all threads of the process have run.
fn cpu_time() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux tells of its threads");
    let nanoseconds = threads.flatten().filter_map(|thread| {
        let told = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        told.split(' ').next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e6
}
