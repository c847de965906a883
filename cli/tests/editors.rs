//! The settings for editors, in the editors themselves: a file with a mistake is opened, what is told of it is waited
//! for, and completion and an explanation are asked for. What is not installed is not tried, and the test says so.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::Project;
use serde_json::Value;

const RULES: &str = "\
profile: dev
rule_definitions:
  - id: no_force
    triger: bash
    action: block
    condition: { runs: git push --force }
    message: Push without force.
";

/// How long an editor may take; its script gives up sooner.
const PATIENCE: Duration = Duration::from_secs(300);

fn editors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors").canonicalize().expect("a folder")
}

/// Opens the rules in an editor, and returns what its script prints.
fn told(mut editor: Command) -> Value {
    let project = Project::new(&[("behavior.yaml", RULES)]);
    // The root of a repository, so that nothing above it counts.
    project.make_repository();
    for name in ["home", "output"] {
        std::fs::create_dir_all(project.path(name)).expect("a folder");
    }
    let output = project.path("output/text");
    editor.current_dir(project.path(""));
    editor.env("HOME", project.path("home")).env("XDG_CONFIG_HOME", project.path("home/config"));
    editor.env("XDG_DATA_HOME", project.path("home/data"));
    editor.env("XDG_STATE_HOME", project.path("home/state"));
    editor.env("BEHAVIOR_CACHE_DIR", project.path("home/cache"));
    editor.env("BEHAVIOR_PROGRAM", env!("CARGO_BIN_EXE_behavior"));
    editor.env("BEHAVIOR_FILE", project.path("behavior.yaml"));
    editor.env("BEHAVIOR_LINE", "4").env("BEHAVIOR_COLUMN", "6");
    let file = std::fs::File::create(&output).expect("a file");
    editor.stdin(Stdio::null()).stderr(file.try_clone().expect("a file")).stdout(file);
    let mut child = editor.spawn().expect("the editor runs");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().expect("a child");
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let text = std::fs::read_to_string(&output).expect("a text");
    let line = text.lines().rev().find(|line| line.starts_with('{'));
    let line = line.unwrap_or_else(|| panic!("nothing told: {text}"));
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[track_caller]
fn shows_everything(told: &Value) {
    let diagnostics = told["diagnostics"].as_array().unwrap_or_else(|| panic!("{told}"));
    assert_eq!(diagnostics.len(), 1, "{told}");
    assert_eq!(diagnostics[0]["line"], 3, "{told}");
    let message = diagnostics[0]["message"].as_str().expect("a text");
    assert!(message.contains("unknown field `triger`"), "{told}");
    let labels = told["completion"].as_array().expect("a list");
    assert!(labels.iter().any(|label| label == "action"), "{told}");
    let hover = told["hover"].as_str().expect("a text");
    assert!(hover.contains("What happens when it fires."), "{told}");
}

/// Whether an editor is there; says so where it is not.
fn runs(program: &str) -> bool {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let runs = output.is_ok_and(|output| output.status.success());
    if !runs {
        eprintln!("`{program}` is not tried: it does not run here");
    }
    runs
}

fn in_neovim(program: &str) -> Value {
    let folder = editors().join("neovim");
    let mut command = Command::new(program);
    // A server of its own address would be that of the editor in whose terminal the tests run.
    command.env_remove("NVIM").args(["--clean", "--headless", "--cmd"]);
    command.arg(format!("set runtimepath^={}", folder.display()));
    command.arg("-c").arg(format!("luafile {}", folder.join("tests/drive.lua").display()));
    told(command)
}

#[test]
fn neovim_shows_what_is_wrong_and_completes() {
    // Two versions may be there, one of them on the path.
    let another = std::env::var("NEOVIM").ok();
    for program in [Some("nvim".to_owned()), another].into_iter().flatten() {
        if runs(&program) {
            shows_everything(&in_neovim(&program));
        }
    }
}

#[test]
fn emacs_shows_what_is_wrong_and_completes() {
    let program = std::env::var("EMACS").unwrap_or_else(|_| "emacs".to_owned());
    if !runs(&program) {
        return;
    }
    let folder = editors().join("emacs");
    let emacs = |rest: &[&str]| {
        let mut command = Command::new(&program);
        command.args(["--batch", "-Q", "-L"]).arg(&folder).args(rest);
        command
    };
    let has_packages = "(progn (require 'package) \
         (add-to-list 'package-directory-list \"/usr/share/emacs/site-lisp/elpa\") (package-initialize) \
         (kill-emacs (if (and (require 'eglot nil t) (require 'yaml-mode nil t)) 0 1)))";
    let packages = emacs(&["--eval", has_packages]).stdin(Stdio::null()).output();
    if !packages.is_ok_and(|output| output.status.success()) {
        eprintln!("`{program}` is not tried: it lacks `eglot` or `yaml-mode`");
        return;
    }
    let script = folder.join("tests/drive.el");
    shows_everything(&told(emacs(&["-l", &script.display().to_string()])));
}
