//! The rules by hand in Python, in a process of its own that times itself.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::peer::{Peer, Task, Word};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/rules.py");

/// A script, and the steps in a file.
pub struct Python {
    steps: PathBuf,
}

impl Python {
    /// The script; `None` where there is no Python.
    pub fn new(task: &Task) -> Option<Self> {
        Command::new("python3").arg("--version").output().ok()?.status.success().then_some(())?;
        let lines =
            task.steps.iter().map(|step| serde_json::to_string(step).expect("a step is JSON"));
        let name = format!("behavior-peers-{}.jsonl", std::process::id());
        let steps = std::env::temp_dir().join(name);
        std::fs::write(&steps, lines.collect::<Vec<_>>().join("\n")).ok()?;
        Some(Self { steps })
    }
}

impl Peer for Python {
    fn name(&self) -> &str {
        "Python by hand"
    }

    fn decide(&mut self, words: &mut Vec<Word>) {
        self.timed(words);
    }

    fn timed(&mut self, words: &mut Vec<Word>) -> Duration {
        let output = Command::new("python3").arg(SCRIPT).arg(&self.steps).output();
        let text = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
        let text = text.expect("the script answers");
        let mut numbers = text.lines().map(|line| line.parse::<u64>().expect("a number"));
        let time = numbers.next().unwrap_or_default();
        words.extend(numbers.map(|word| word as Word));
        Duration::from_nanos(time)
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.steps);
    }
}
