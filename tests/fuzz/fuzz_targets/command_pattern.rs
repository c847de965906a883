//! Any text as the pattern of a `runs` condition: checking must not panic, and what compiles must
//! run on command lines, its own text among them.
#![no_main]

use std::sync::Arc;

use behavior_agents::Format;
use behavior_compiler::{Options, check, compile_all};
use behavior_tests::samples::{Made, run_through, small_provider};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// Command lines that patterns are about.
const COMMANDS: [&str; 4] =
    ["git push -f origin +main", "sudo bash -lc \"rm -rf $x/y\" > a", "$x | xargs -0 rm", ""];

fuzz_target!(|data: &[u8]| {
    let pattern = String::from_utf8_lossy(data);
    // Texts that are patterns, and lists of bytes that name the fields of a mapping.
    let runs = match pattern.split_once('\0') {
        Some((fields, text)) => mapping(fields, text),
        None => json!(pattern),
    };
    let rule = json!({ "id": "r", "trigger": "bash", "message": "m", "condition": { "runs": runs } });
    let config = json!({ "rule_definitions": [rule] }).to_string();
    let provider = small_provider(&[("behavior.yaml", &config)]);
    let entries = ["behavior.yaml".to_owned()];
    let report = check(&provider, &entries, &Options::default());
    for diagnostic in &report.diagnostics {
        assert_ne!(diagnostic.kind.name, "internal", "{}", diagnostic.message);
        let range = diagnostic.span.start as usize..diagnostic.span.end as usize;
        let source = report.sources.get(diagnostic.span.file);
        assert!(
            source.is_none_or(|source| source.text.get(range.clone()).is_some()),
            "{} at {range:?}",
            diagnostic.message
        );
    }
    let compilation = compile_all(&provider, &entries, &Options::default());
    assert_eq!(compilation.image.is_some(), !compilation.has_errors());
    let Some(image) = compilation.image else { return };
    let call = |command: &str| {
        json!({ "event": "tool_call", "tool": "bash", "params": { "command": command } }).to_string()
    };
    let commands = COMMANDS.into_iter().chain([&*pattern]);
    let trace: Vec<String> = commands.map(call).collect();
    run_through(&Arc::new(image), Made::ByCompiler, trace.join("\n").as_bytes(), Format::NATIVE);
});

/// A mapping whose fields the bytes choose; the parts of the text are their values.
fn mapping(fields: &str, text: &str) -> Value {
    const FIELDS: [&str; 14] = [
        "program", "subcommand", "flags", "any_flag", "no_flag", "operand", "writes", "reads",
        "given", "substitutes", "piped_from", "under", "variable",
        "without_operand",
    ];
    let mut mapping = serde_json::Map::new();
    for (byte, value) in fields.bytes().zip(text.split('\0').chain(std::iter::repeat("x"))) {
        let field = FIELDS[usize::from(byte) % FIELDS.len()];
        mapping.insert(field.to_owned(), json!(value));
    }
    Value::Object(mapping)
}
