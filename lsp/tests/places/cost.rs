//! What a key costs. Counts of instructions are told by callgrind:
//! `valgrind --tool=callgrind target/debug/deps/places-… --ignored a_key`.

use behavior_compiler::ide::Checks;
use behavior_compiler::provider::{MemoryFiles, WithLibrary};

/// A config of ten rules on a preset; `typed` is what stands in one of its messages.
fn config(typed: &str) -> String {
    let mut text = "profile: dev\nrule_definitions:\n".to_owned();
    for number in 0..10 {
        let message = if number == 5 { typed } else { "Read `{target}` first." };
        text.push_str(&format!(
            "  - id: rule_{number}\n    trigger: [edit, bash]\n    action: block\n    condition: target not in read_files and param(command) matches \"x{number}\"\n    message: \"{message}\"\n",
        ));
    }
    text
}

#[test]
#[ignore = "counts are for people"]
fn a_key() {
    let keys: usize = std::env::var("KEYS").ok().and_then(|keys| keys.parse().ok()).unwrap_or(20);
    let (library, presets) = (behavior_stdlib::file, behavior_stdlib::PROFILES);
    let mut checks = Checks::default();
    let mut typed = String::new();
    for _ in 0..keys {
        typed.push('a');
        let project = MemoryFiles::new([("behavior.yaml", config(&typed))]);
        let provider = WithLibrary { library, presets, project };
        let checked = checks.folder(&provider, "", &["behavior.yaml".to_owned()]);
        assert!(checked.problems.contains_key("behavior.yaml"));
    }
}
