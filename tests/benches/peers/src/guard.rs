//! Instructions, counted by callgrind: the same on a busy machine as on an idle one. A guard against decisions
//! that become slower without anybody noticing.

use std::process::{Command, ExitCode, Stdio};

/// How many times the instructions of the rules by hand this project may take. It is what was reached, and
/// some more: lower it when less is.
const LIMIT: f64 = 3.85;
const STEPS: &str = "2000";
/// What the rules by hand take depends on the keys of their hash tables, which differ in each run: their mean counts.
const RUNS_BY_HAND: u64 = 25;

/// Counts, and fails where it is too much. Without valgrind there is nothing to count with.
pub fn run() -> ExitCode {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        println!("skipped: there is no valgrind here to count instructions with");
        return ExitCode::SUCCESS;
    }
    let ours = count("behavior");
    let by_hand: u64 = (0..RUNS_BY_HAND).map(|_| count("Rust by hand")).sum();
    let ratio = (ours * RUNS_BY_HAND) as f64 / by_hand as f64;
    println!(
        "{ours} instructions, {ratio:.2} times those of the rules by hand; at most {LIMIT:.2}"
    );
    if ratio <= LIMIT { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many instructions three passes take.
fn count(peer: &str) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*measured*"])
        .arg(std::env::current_exe().expect("a program knows where it is"))
        .args(["count", peer, "3"])
        .env("STEPS", STEPS)
        .output()
        .expect("valgrind runs");
    let told = String::from_utf8_lossy(&output.stderr);
    let counted =
        told.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    counted.unwrap_or_else(|| panic!("valgrind told no count:\n{told}"))
}
