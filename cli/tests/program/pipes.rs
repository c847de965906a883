//! A pipe that somebody names gives its bytes only once, and is read as any file is; one in the place of a file is not waited for.
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

#[test]
fn what_lies_in_the_place_of_a_file_is_not_waited_for() {
    let folder = std::env::temp_dir().join(format!("behavior-places-{}", std::process::id()));
    let script = |kind: &str, line: &str| {
        let folder = folder.display();
        shell(&format!(
            "rm -rf {folder} && mkdir -p {folder}/behavior {folder}/.claude {folder}/home && cd {folder} && \
             export HOME=$PWD/home && {kind} && exec timeout 20 \"$behavior\" {line}"
        ))
    };
    let lines =
        ["check", "fmt --check", "doctor", "init --yes", "simulate", "inspect", "profiles", "test"];
    for kind in [
        "mkfifo behavior.yaml behavior/a.yaml behavior/policy.toml behavior/a.test.yaml",
        "ln -s /dev/zero behavior.yaml",
        "mkfifo .claude/settings.json",
        "ln -s /dev/zero .claude/settings.json",
    ] {
        for line in lines {
            let output = script(kind, line);
            // 124 is out of time, 3 a bug, above that a signal.
            assert!(matches!(output.status.code(), Some(0..=2)), "{kind}: {line}: {output:?}");
        }
    }
    std::fs::remove_dir_all(&folder).expect("ours");
}
