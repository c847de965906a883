//! Chores of this workspace, as `cargo xtask NAME`. Each runs the commands that do the work; nothing is
//! generated here.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::{Command, ExitCode};

/// A chore: its name, what it does, and the commands that it runs.
struct Chore {
    name: &'static str,
    about: &'static str,
    steps: &'static [Step],
    /// Whether `all` runs it.
    is_in_all: bool,
}

/// A command: a variable that is set for it, if any, its program and its arguments.
struct Step {
    variable: Option<(&'static str, &'static str)>,
    words: &'static [&'static str],
}

const CHORES: &[Chore] = &[
    Chore {
        name: "reference",
        about: "writes docs/reference.md, docs/schema and the tables of docs/live.md",
        steps: &[Step {
            variable: None,
            words: &["cargo", "run", "--package", "behavior-tests", "--bin", "reference"],
        }],
        is_in_all: true,
    },
    Chore {
        name: "spec",
        about: "writes what happens into the blocks of tests/spec: read the changes",
        steps: &[Step {
            variable: Some(("UPDATE_SPEC", "1")),
            words: &["cargo", "test", "--package", "behavior-tests", "--test", "spec"],
        }],
        is_in_all: true,
    },
    Chore {
        name: "snapshots",
        about: "writes tests/hooks/*/events.snap: read the changes",
        steps: &[Step {
            variable: Some(("INSTA_UPDATE", "always")),
            words: &["cargo", "test", "--package", "behavior-agents", "--test", "hooks"],
        }],
        is_in_all: true,
    },
    Chore {
        name: "weights",
        about: "learns crates/intent/src/learned/weights.bin from crates/intent/training: read the figures",
        steps: &[Step {
            variable: None,
            words: &[
                "cargo",
                "run",
                "--release",
                "--package",
                "behavior-intent",
                "--example",
                "train",
            ],
        }],
        is_in_all: false,
    },
    Chore {
        name: "sbom",
        about: "lists all that the program is made of, as CycloneDX, into cli/behavior.cdx.json; needs cargo-cyclonedx",
        steps: &[Step {
            variable: None,
            words: &[
                "cargo",
                "cyclonedx",
                "--manifest-path",
                "cli/Cargo.toml",
                "--format",
                "json",
                "--override-filename",
                "behavior.cdx",
            ],
        }],
        is_in_all: false,
    },
    Chore {
        name: "static",
        about: "builds the static program into target/release",
        steps: &[Step { variable: None, words: &["cargo", "static"] }],
        is_in_all: false,
    },
    Chore {
        name: "release",
        about: "builds it with what hooks run side by side; needs valgrind and Python",
        steps: &[Step { variable: None, words: &["python3", "tests/layout/generate.py"] }],
        is_in_all: false,
    },
];

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let chores: Vec<&Chore> = match names.as_slice() {
        [name] if name == "all" => CHORES.iter().filter(|chore| chore.is_in_all).collect(),
        [name] => CHORES.iter().filter(|chore| chore.name == name).collect(),
        _ => Vec::new(),
    };
    if chores.is_empty() {
        eprint!("{}", usage());
        return ExitCode::from(2);
    }
    for step in chores.iter().flat_map(|chore| chore.steps) {
        if let Err(message) = run(step) {
            eprintln!("error: {message}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn usage() -> String {
    let lines = CHORES.iter().map(|chore| format!("  {:<10} {}\n", chore.name, chore.about));
    let all: Vec<&str> =
        CHORES.iter().filter(|chore| chore.is_in_all).map(|chore| chore.name).collect();
    let lines: String = lines.collect();
    format!("usage: cargo xtask NAME\n\n{lines}  {:<10} {}\n", "all", all.join(", "))
}

/// Runs a command in the folder of the workspace.
fn run(step: &Step) -> Result<(), String> {
    let line = step.words.join(" ");
    let (program, arguments) = step.words.split_first().ok_or("a step without a command")?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root).envs(step.variable);
    eprintln!("{line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{line}` failed: {status}")),
        Err(error) => Err(format!("`{program}` cannot be started: {error}")),
    }
}
