//! Instructions, counted by callgrind: the same on a busy machine as on an idle one.
//! `cargo bench -p behavior-tests --bench instructions`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Each workload of `examples/workload.rs` with how many events, or rules, it is run on.
const WORKLOADS: [(&str, u64, &str); 7] = [
    ("by-hand", 20_000, "an event"),
    ("compiled", 20_000, "an event"),
    ("compile", 10_000, "a rule"),
    ("native", 20_000, "an event"),
    ("transcript", 20_000, "an event"),
    ("command", 2_000, "a command line of 100 bytes"),
    ("script", 50, "a command line of 10 KB"),
];

fn main() {
    // `cargo test --benches` and a test runner's listing only want to know that this links.
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        println!("(no valgrind here to count instructions with)");
        return;
    }
    let workload = build_workload();
    for (name, count, of_what) in WORKLOADS {
        let instructions = count_instructions(&workload, name, count);
        println!("{name:<12} {:>8} instructions {of_what}", instructions / count);
    }
}

/// Builds the example, which `cargo bench` does not, and tells where it is.
fn build_workload() -> PathBuf {
    let cargo = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--example", "workload", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .status();
    assert!(cargo.is_ok_and(|status| status.success()), "the workload does not build");
    let this = std::env::current_exe().expect("a program knows where it is");
    let release = this.ancestors().nth(2).expect("benches are built in `release/deps`");
    release.join("examples/workload")
}

/// How many instructions the workload takes, without what prepares it.
fn count_instructions(workload: &Path, name: &str, count: u64) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*workload::measured*")
        .arg(workload)
        .args([name, &count.to_string()])
        .output()
        .expect("valgrind runs");
    let told = String::from_utf8_lossy(&output.stderr);
    let counted =
        told.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    counted.unwrap_or_else(|| panic!("valgrind told no count:\n{told}"))
}
