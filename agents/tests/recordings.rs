//! Recordings that are cut off, changed or of another format than they are said to be: whatever comes,
//! reading ends, nothing panics, and every event can be written and read again.
#![expect(clippy::expect_used, clippy::panic, reason = "a panic is how a test fails")]

use std::path::Path;

use behavior_agents::{Format, Item, Problem, Sink, Stats, detect, native, read, to_native};
use proptest::prelude::*;

/// Checks what it is given.
#[derive(Default)]
struct Checked {
    events: u64,
    problems: u64,
}

impl Sink for Checked {
    fn item(&mut self, item: Item<'_>) {
        let written = to_native(&item);
        assert!(!written.contains(['\n', '\r']), "{written}");
        let again = native::parse(&written, item.line);
        let Ok(Some(again)) = again else { panic!("{again:?} of {written}") };
        assert_eq!((again.event.name(), &again.session), (item.event.name(), &item.session));
        assert!(item.line > 0, "{written}");
        self.events += 1;
    }

    fn problem(&mut self, problem: Problem) {
        assert!(!problem.message.is_empty() && problem.message.len() < 1_000, "{problem:?}");
        self.problems += 1;
    }
}

fn run(format: Format, bytes: &[u8]) -> (Checked, Stats) {
    let mut checked = Checked::default();
    let stats = read(format, &mut &*bytes, &mut checked).expect("memory can be read");
    assert_eq!(stats.events, checked.events);
    assert_eq!(stats.problems, checked.problems);
    (checked, stats)
}

/// The samples, by file name.
fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut samples: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("the samples are there")
        .map(|entry| {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("a sample can be read"))
        })
        .collect();
    samples.sort();
    assert!(samples.len() >= 18);
    samples
}

#[test]
fn every_sample_is_told_for_one_format_and_read() {
    for (name, bytes) in samples() {
        let format = detect(&bytes).unwrap_or_else(|| panic!("{name} is told"));
        let (checked, stats) = run(format, &bytes);
        assert!(checked.events > 2, "{name}");
        assert_eq!(stats.bytes, bytes.len() as u64, "{name}");
    }
}

#[test]
fn every_format_has_a_name_of_its_own_and_its_row_in_the_documents() {
    let documents = include_str!("../../docs/traces.md");
    let mut names = std::collections::BTreeSet::new();
    for format in Format::all() {
        let row = format!("\n| `{}` |", format.name());
        assert!(documents.contains(&row), "{} is not told in docs/traces.md", format.name());
        for name in std::iter::once(&format.name()).chain(format.aliases()) {
            assert!(names.insert(*name), "{name}");
            assert_eq!(Format::named(name), Some(format));
        }
    }
}

#[test]
fn a_sample_may_be_cut_off_anywhere() {
    for (name, bytes) in samples() {
        let format = detect(&bytes).expect("told");
        let mut most = 0;
        for end in (0..bytes.len()).step_by(11) {
            let (checked, _) = run(format, bytes.get(..end).unwrap_or_default());
            most = most.max(checked.events);
        }
        assert!(most > 0, "{name}");
    }
}

#[test]
fn a_recording_may_be_of_another_format() {
    for (_, bytes) in samples() {
        for format in Format::all() {
            run(format, &bytes);
        }
    }
}

#[test]
fn nesting_does_not_overflow_the_stack() {
    let deep = "[".repeat(200_000);
    let objects = "{\"messages\":[".repeat(100_000);
    let inside = format!(
        "{{\"messages\":[{{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"a\",\"function\":{{\"name\":\"x\",\
         \"arguments\":\"{}{}\"}}}}]}}]}}",
        "[".repeat(110),
        "]".repeat(110),
    );
    for format in Format::all() {
        for text in [&deep, &objects, &inside] {
            run(format, text.as_bytes());
        }
    }
}

#[test]
fn hostile_bytes_do_no_harm() {
    let circle = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n\
        {\"type\":\"message\",\"id\":\"a\",\"parentId\":\"b\",\"message\":{}}\n\
        {\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{}}\n";
    run(Format::named("pi").expect("registered"), circle.as_bytes());
    for format in Format::all() {
        for bytes in
            [&b"\xff\xfe\n\xff"[..], b"\0\0\0", b"{\n\xff\n}", b"[[[[", b"{}", b"[]", b"null"]
        {
            run(format, bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_samples_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6),
        which in any::<prop::sample::Index>(),
    ) {
        const BYTES: &[u8] = b"\"{}[],:0n\\ \n";
        let samples = samples();
        let (_, bytes) = which.get(&samples);
        let format = detect(bytes).expect("told");
        let mut bytes = bytes.clone();
        for (place, byte, kind) in changes {
            let at = place.index(bytes.len());
            let special = BYTES.get(usize::from(byte) % BYTES.len()).copied().unwrap_or(byte);
            match kind {
                0 => drop(bytes.splice(at..=at, [byte])),
                1 => drop(bytes.splice(at..=at, [special])),
                2 => bytes.insert(at, special),
                _ => drop(bytes.remove(at)),
            }
            if bytes.is_empty() {
                bytes.push(b' ');
            }
        }
        run(format, &bytes);
        let _ = detect(&bytes);
    }
}
