//! Shared pieces of the test suites: the specification runner, the runner of rule tests and the
//! naive evaluator. May use every other crate; nothing depends on it.
#[cfg(unix)]
pub mod bash;
pub mod commands;
pub mod documents;
pub mod generate;
pub mod handwritten;
pub mod lines;
pub mod oracle;
pub mod policies;
pub mod recording;
pub mod reference;
pub mod samples;
pub mod script;
pub mod spec;
pub mod stream;
pub mod workflow;

use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_stdlib as stdlib;

/// Files in memory, with the standard library.
#[must_use]
pub fn provider(files: &[(&str, &str)]) -> WithLibrary<MemoryFiles> {
    let files = files.iter().map(|&(name, text)| (name, text));
    WithLibrary {
        library: stdlib::file,
        presets: stdlib::PROFILES,
        project: MemoryFiles::new(files),
    }
}
