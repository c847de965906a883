//! Any bytes as a rule file: checking and compiling must not panic, hang or make an image that its
//! own verifier refuses.
#![no_main]

use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::{Options, check, compile_all};
use behavior_tests::samples::{self, look_at};
use libfuzzer_sys::fuzz_target;

/// The file's name, and with it what it is taken for.
const NAMES: [&str; 3] = ["behavior.yaml", "behavior/profile.yaml", "app.yaml"];

fuzz_target!(|data: &[u8]| {
    let name = NAMES[data.len() % NAMES.len()];
    let small = samples::small_provider(&[]);
    // The real standard library takes a while to compile, and most inputs never get that far.
    let library = if data.len() % 509 == 1 { behavior_stdlib_file } else { small.library };
    let provider = WithLibrary {
        library,
        presets: &["dev"],
        project: MemoryFiles::new([(name, data.to_vec())]),
    };
    let entries = [name.to_owned()];
    let strict = check(&provider, &entries, &Options::default());
    for diagnostic in &strict.diagnostics {
        assert_ne!(diagnostic.kind.name, "internal", "{}", diagnostic.message);
        assert!(!diagnostic.message.is_empty());
        // Spans lie inside their file, on character boundaries.
        let source = strict.sources.get(diagnostic.span.file);
        let range = diagnostic.span.start as usize..diagnostic.span.end as usize;
        assert!(
            source.is_none_or(|source| source.text.get(range.clone()).is_some()),
            "{} at {range:?}",
            diagnostic.message
        );
    }
    let options = Options { allow_unknown_conditions: true, ..Options::default() };
    let compilation = compile_all(&provider, &entries, &options);
    for diagnostic in &compilation.diagnostics {
        assert_ne!(diagnostic.kind.name, "internal", "{}", diagnostic.message);
    }
    assert_eq!(compilation.image.is_some(), !compilation.has_errors());
    if let Some(image) = compilation.image {
        look_at(&image);
    }
});

fn behavior_stdlib_file(name: &str) -> Option<&'static str> {
    (behavior_tests::provider(&[]).library)(name)
}
