//! Any bytes as a command line, with what is known of programs: reading must not panic
//! or take more time than its length allows, and what comes of it must fit together.
#![no_main]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use behavior_runtime::Image;
use behavior_facts::commands::ProgramTable;
use behavior_shell::{CommandLine, HOLE, Word};
use behavior_compiler::{Options, compile_all};
use behavior_tests::samples::small_provider;
use libfuzzer_sys::fuzz_target;

/// What is known of programs is the same in every image; this one compiles in a moment.
static IMAGE: LazyLock<Image> = LazyLock::new(|| {
    let provider = small_provider(&[("behavior.yaml", "{}\n")]);
    let compilation = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    compilation.image.expect("an empty config compiles")
});

/// The limit of the reader, and what it may still be in the middle of when it comes to it.
const MAX_COMMANDS: usize = 4_096 + 256;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut line = CommandLine::default();
    line.read(&text, None);
    check(&line, &text);
    let table = ProgramTable::of(&IMAGE);
    let programs = table.as_ref().map(|table| table as _);
    let allowed = Duration::from_millis(50) + Duration::from_micros(100) * text.len() as u32;
    let is_quick = (0..4).any(|_| {
        let start = Instant::now();
        line.read(&text, programs);
        start.elapsed() < allowed
    });
    assert!(is_quick, "{} bytes take too long", text.len());
    check(&line, &text);
    // The words of one line, without a shell: texts of programs that run texts.
    line.read_words(text.split('\n'), programs);
    check(&line, "");
});

fn check(line: &CommandLine, text: &str) {
    let commands = line.commands();
    assert!(commands.len() <= MAX_COMMANDS, "{} commands", commands.len());
    for (index, command) in commands.iter().enumerate() {
        // What runs a command stands before it, so there are no circles.
        assert!(command.parent.is_none_or(|parent| (parent as usize) < index), "{command:?}");
        let span = command.span.start as usize..command.span.end as usize;
        assert!(text.get(span).is_some(), "{command:?}");
        let input = command.input.start as usize..command.input.end as usize;
        assert!(input.is_empty() || input.end <= index, "{index}: {command:?}");
        for word in line.words(command) {
            check_word(line, word, text);
        }
        for redirect in line.redirects(command) {
            check_word(line, &line.target(redirect), text);
        }
        let _ = (line.program(command), line.input(command), line.input_text(command));
    }
}

fn check_word(line: &CommandLine, word: &Word, text: &str) {
    assert!(text.get(word.from as usize..word.to as usize).is_some(), "{word:?}");
    // Words that come of the same braces share their doubts.
    assert!(!line.text(word).contains(HOLE) || word.has_hole(), "{word:?}: {:?}", line.text(word));
}
