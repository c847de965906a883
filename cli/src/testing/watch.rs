//! `behavior test --watch`: runs the tests again whenever a file changes that they may depend on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::kept::Kept;
use crate::args::TestArgs;
use crate::terminal::{Exit, Failure, Terminal};

/// How long files are left alone between two looks at them.
const PAUSE: Duration = Duration::from_millis(300);
/// How deep folders are looked into, and at how many files.
const MAX_DEPTH: u32 = 8;
const MAX_FILES: usize = 20_000;
/// The endings of files that rules and tests are written in, or quote.
const ENDINGS: &[&str] = &["yaml", "yml", "json", "jsonl", "toml", "md", "txt", "snap"];
/// Folders that hold what others have written.
const PASSED_OVER: &[&str] = &["node_modules", "target"];

/// What tells whether a file has changed.
type Stamps = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

/// Runs the tests until the process is ended, or nobody reads what it says.
///
/// # Errors
/// When the output cannot be written.
pub fn run(args: &TestArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut kept = Kept::default();
    loop {
        // What changes while tests run is looked at after that.
        let before = stamps();
        match super::once::run(args, &mut kept, terminal) {
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => terminal.error(&failure.to_string()),
            Ok(_) => {}
        }
        let (again, all) = kept.counts;
        if again < all {
            terminal
                .note(&format!("{again} of {all} files were run again: the others did not change"));
        }
        terminal.note("the tests run again when a file changes; Ctrl-C ends this");
        while stamps() == before {
            std::thread::sleep(PAUSE);
        }
    }
}

fn stamps() -> Stamps {
    let mut found = Stamps::new();
    collect(Path::new("."), 0, &mut found);
    found
}

fn collect(folder: &Path, depth: u32, found: &mut Stamps) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else { continue };
        let is_hidden = name.starts_with('.') || PASSED_OVER.contains(&&*name);
        if kind.is_dir() && !is_hidden && depth < MAX_DEPTH {
            collect(&path, depth + 1, found);
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if kind.is_dir() || !ENDINGS.contains(&ending) || found.len() == MAX_FILES {
            continue;
        }
        let Ok(metadata) = std::fs::metadata(&path) else { continue };
        found.insert(path, (metadata.len(), metadata.modified().ok()));
    }
}
