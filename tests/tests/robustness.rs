//! Images that were damaged on the way: refused, or harmless.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use behavior_agents::{Format, Item, Problem, Sink, read};
use behavior_image::format::{
    FORMAT_VERSION, HEADER_SIZE, LANGUAGE_VERSION, SECTION_ENTRY_SIZE, SECTIONS,
};
use behavior_runtime::{Image, ImageError, Replay};
use behavior_tests::documents::Documents;
use behavior_tests::samples::{self, Made, image_of, image_of_files, look_at, run_through};

/// Opens the bytes; an image that opens is looked at and run. True when they were refused.
fn refused(bytes: Vec<u8>) -> bool {
    let Ok(image) = Image::from_bytes(bytes) else { return true };
    let image = Arc::new(image);
    look_at(&image);
    for events in [samples::EVENTS, samples::EXCHANGES] {
        run_through(&image, Made::ByForger, events.as_bytes(), Format::NATIVE);
    }
    false
}

#[test]
fn a_flipped_byte_is_refused_or_harmless() {
    let with_policy = [("behavior.yaml", "profile: null\n"), ("all.policy.yaml", samples::POLICY)];
    for image in
        [image_of("profile: dev\n"), image_of(samples::EVERYTHING), image_of_files(&with_policy)]
    {
        let bytes = image.as_bytes();
        let opened = (0..bytes.len()).filter(|&at| {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << (at % 8);
            !refused(flipped)
        });
        // Only what no checksum covers: padding between the sections.
        let opened: Vec<usize> = opened.collect();
        let head = HEADER_SIZE + SECTIONS * SECTION_ENTRY_SIZE;
        let in_head = opened.iter().find(|at| **at < head);
        assert_eq!(in_head, None, "a flip in the header went unnoticed");
        let opened = opened.len();
        assert!(opened < 300, "{opened} flips of {} bytes went unnoticed", bytes.len());
    }
}

#[test]
fn the_samples_reach_every_rule_of_the_policy() {
    struct Rules(Replay, BTreeSet<u32>);
    impl Sink for Rules {
        fn item(&mut self, item: Item<'_>) {
            let decision = self.0.apply(&item.session, &item.event);
            let found = decision.findings.iter().chain(&decision.besides().settled);
            self.1.extend(found.map(|finding| finding.rule));
        }
        fn problem(&mut self, problem: Problem) {
            panic!("{problem:?}");
        }
    }
    let image = Arc::new(image_of_files(&[("all.policy.yaml", samples::POLICY)]));
    let replay = Replay::new(Arc::clone(&image)).with_host(Box::new(Documents::default()));
    let mut rules = Rules(replay, BTreeSet::new());
    read(Format::NATIVE, &mut samples::EXCHANGES.as_bytes(), &mut rules).unwrap();
    let settled = rules.0.finish();
    let of_sessions = settled.sessions.iter().flat_map(|(_, conclusion)| &conclusion.findings);
    rules.1.extend(of_sessions.chain(&settled.trace.findings).map(|finding| finding.rule));
    let silent = image.monitors().iter().filter(|rule| !rules.1.contains(&rule.rule));
    assert_eq!(silent.map(|rule| rule.id.to_owned()).collect::<Vec<_>>(), [] as [&str; 0]);
}

#[test]
fn an_image_that_ends_early_is_refused() {
    let image = image_of("profile: dev\n");
    let bytes = image.as_bytes();
    for length in 0..bytes.len() {
        assert!(Image::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    let longer = [bytes, &[0]].concat();
    assert!(Image::from_bytes(longer).is_err());
}

#[test]
fn bytes_of_something_else_are_no_image() {
    for bytes in [&b""[..], b"profile: dev\n", b"BHV", b"\x7fELF\x02\x01\x01", &[0; 4096]] {
        assert_eq!(Image::from_bytes(bytes).unwrap_err(), ImageError::NotAnImage);
    }
}

#[test]
fn an_image_of_another_version_names_its_writer() {
    let image = image_of(samples::EVERYTHING);
    for (at, format, language) in
        [(4, FORMAT_VERSION + 1, LANGUAGE_VERSION), (6, FORMAT_VERSION, LANGUAGE_VERSION + 1)]
    {
        let mut bytes = image.as_bytes().to_vec();
        bytes[at] += 1;
        // Nothing else of another version can be relied on.
        let end = bytes.len() - 1;
        bytes[end] ^= 1;
        let error = Image::from_bytes(bytes).unwrap_err();
        let ImageError::Version { writer, .. } = &error else { panic!("{error}") };
        assert!(writer.starts_with("behavior "), "{writer}");
        let message = error.to_string();
        let versions = format!("(format {format}, language {language})");
        assert!(message.contains(&versions), "{message}");
        assert!(message.ends_with("compile the rules again"), "{message}");
    }
}
