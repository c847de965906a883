//! The generated files are as the registry says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::path::Path;

use behavior_tests::reference::{REGENERATE, files};

#[test]
fn generated_files_are_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, text) in files() {
        let written = std::fs::read_to_string(root.join(name)).unwrap_or_default();
        assert!(written == text, "{name} is stale: run `{REGENERATE}` and commit what it writes");
    }
}

#[test]
fn every_reference_of_a_schema_leads_to_a_definition() {
    for (name, text) in files() {
        if !name.ends_with(".json") {
            continue;
        }
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        let definitions = schema["$defs"].as_object().unwrap();
        for part in text.split("\"#/$defs/").skip(1) {
            let target = part.split('"').next().unwrap();
            assert!(definitions.contains_key(target), "{name}: `{target}`");
        }
    }
}
