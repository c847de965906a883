//! The same decisions by this project and by hand, in one run: a table of ratios.
//!
//! ```sh
//! cd tests/benches/peers && cargo run --release                     # the neutral workload
//! cd tests/benches/peers && cargo run --release --features engines  # with engines that others have written
//! cd tests/benches/peers && cargo run --release -- flat             # from ten rules to ten thousand
//! ```
//!
//! `SEED` and `STEPS` choose another workload. `count NAME PASSES` runs one of the peers so many times, and
//! `flat KIND RULES PASSES` so many rules of a kind, for an instruction counter; `guard` fails where this project takes
//! many more instructions than it did.

#[cfg(feature = "engines")]
mod engines;
mod flat;
mod guard;
mod ours;
mod peer;
mod python;
mod workload;
mod yardstick;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use peer::{Peer, Task, Word};

/// How often each peer runs, in turns.
const ROUNDS: usize = 15;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("flat") => match arguments.next() {
            Some(kind) => {
                let mut number = || arguments.next().and_then(|number| number.parse().ok());
                flat::count(&kind, number().unwrap_or(10), number().unwrap_or(1));
            }
            None => flat::measure(),
        },
        Some("guard") => return guard::run(),
        Some("count") => {
            let name = arguments.next().unwrap_or_default();
            let passes = arguments.next().and_then(|passes| passes.parse().ok()).unwrap_or(1);
            count(&name, passes);
        }
        _ => {
            let task = task();
            let mut peers = peers(&task);
            if let Some(python) = python::Python::new(&task) {
                peers.push(Box::new(python));
            }
            #[cfg(feature = "engines")]
            peers.extend(engines::peers(&task));
            check(&mut peers);
            measure(&mut peers, task.steps.len());
        }
    }
    ExitCode::SUCCESS
}

/// Those that decide in this process, the one that the others are held against first.
fn peers(task: &Task) -> Vec<Box<dyn Peer + '_>> {
    vec![Box::new(yardstick::Yardstick::new(task)), Box::new(ours::Ours::new(task))]
}

/// The workload: made up, or another one of the same form.
fn task() -> Task {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let file = |name, own: &str| match std::env::var(name) {
        Ok(path) => std::fs::read_to_string(path).expect("the file can be read"),
        Err(_) => own.to_owned(),
    };
    let steps = match std::env::var("EVENTS") {
        Ok(path) => {
            let text = std::fs::read_to_string(path).expect("the events can be read");
            text.lines().map(|line| serde_json::from_str(line).expect("a step a line")).collect()
        }
        Err(_) => {
            let seed = number("SEED").unwrap_or(1);
            workload::generate(number("STEPS").unwrap_or(10_000) as usize, seed)
        }
    };
    Task {
        steps,
        behavior: file("RULES", include_str!("../rules/behavior.yaml")),
        policy: file("POLICY", include_str!("../rules/policy.toml")),
    }
}

/// Sees that all decide alike.
fn check(peers: &mut [Box<dyn Peer + '_>]) {
    let mut decided: Option<Vec<Word>> = None;
    for peer in peers {
        let mut words = Vec::new();
        peer.decide(&mut words);
        let expected = decided.get_or_insert_with(|| words.clone());
        let other = expected.iter().zip(&words).position(|(one, other)| one != other);
        if let Some(step) = other {
            let (expected, found) = (expected[step], words[step]);
            panic!("{} decides step {step} as {found:#x}, not {expected:#x}", peer.name());
        }
    }
    let decided = decided.unwrap_or_default();
    let found: u32 = decided.iter().map(|word| (word & 0xFFFF).count_ones()).sum();
    println!("{} steps, {found} findings; all decide alike\n", decided.len());
}

/// Lets them take turns, so that what else the machine does meets all alike.
fn measure(peers: &mut [Box<dyn Peer + '_>], steps: usize) {
    let mut times = vec![Vec::new(); peers.len()];
    let mut words = Vec::with_capacity(steps);
    for _ in 0..ROUNDS {
        for (peer, times) in peers.iter_mut().zip(&mut times) {
            words.clear();
            times.push(peer.timed(&mut words));
            black_box(&words);
        }
    }
    println!("{:<24}{:>12}{:>12}", "", "ns a step", "ratio");
    let by_hand = times[0].clone();
    for (peer, times) in peers.iter().zip(&times) {
        let mut ratios: Vec<f64> = times
            .iter()
            .zip(&by_hand)
            .map(|(one, other)| one.as_secs_f64() / other.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        let least = times.iter().min().copied().unwrap_or(Duration::ZERO);
        let nanoseconds = least.as_secs_f64() * 1e9 / steps as f64;
        println!("{:<24}{nanoseconds:>12.0}{:>12.2}", peer.name(), ratios[ratios.len() / 2]);
    }
}

fn count(name: &str, passes: usize) {
    let task = task();
    let mut peers = peers(&task);
    let peer = peers.iter_mut().find(|peer| peer.name() == name);
    let peer = peer.expect("one of the peers is named");
    let mut words = Vec::with_capacity(task.steps.len());
    for _ in 0..passes {
        words.clear();
        measured(&mut **peer, &mut words);
    }
}

/// What is counted: with `--toggle-collect='*measured*'` nothing else is.
#[inline(never)]
fn measured(peer: &mut dyn Peer, words: &mut Vec<Word>) {
    peer.decide(words);
    black_box(words);
}
