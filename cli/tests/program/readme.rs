//! What the README shows is true: its commands run, its rules compile.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("the README is there")
}

fn behavior(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_behavior"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the command starts")
}

#[test]
fn its_commands_run() {
    let readme = readme();
    let commands: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("    cargo run --release -- "))
        .collect();
    assert!(!commands.is_empty(), "the README shows how to run the program");
    for command in commands {
        let arguments: Vec<&str> = command.split(' ').collect();
        let output = behavior(&arguments, &root());
        assert!(output.status.success(), "`{command}`: {output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("blocked") && text.contains("confirm_destructive"), "{text}");
    }
    assert!(readme.contains("\n    cargo test --workspace\n"), "and how to run the tests");
}

#[test]
fn its_rules_compile() {
    let readme = readme();
    let (_, rest) = readme.split_once("```yaml\n").expect("the README shows rules");
    let (rules, _) = rest.split_once("```").expect("the block ends");
    let directory = std::env::temp_dir().join(format!("behavior-readme-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a scratch folder");
    std::fs::write(directory.join("behavior.yaml"), rules).expect("the rules are written");
    let output = behavior(&["check", "behavior.yaml", "--deny", "warnings"], &directory);
    let _ = std::fs::remove_dir_all(&directory);
    assert!(output.status.success(), "{output:?}");
}
