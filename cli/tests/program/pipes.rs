//! A pipe gives its bytes only once, and is read as any file is.
#![cfg(unix)]

use std::process::{Command, Output};

fn shell(script: &str) -> Output {
    Command::new("sh")
        .args(["-c", script])
        .env("behavior", env!("CARGO_BIN_EXE_behavior"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("a shell starts")
}

#[test]
fn rule_files_come_through_pipes() {
    let output = shell("echo 'rulse: {}' | \"$behavior\" check /dev/stdin --format concise");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("unknown-field"), "{output:?}");
}

#[test]
fn traces_come_through_pipes() {
    let output =
        shell("cat tests/traces/careless-refactor.jsonl | \"$behavior\" simulate -q /dev/stdin");
    assert!(String::from_utf8_lossy(&output.stdout).contains("confirm_destructive"), "{output:?}");
}
