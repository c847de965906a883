//! The store of sessions under fault: many writers, processes killed at any moment, torn and foreign
//! files, full disks, clocks that jump. This binary starts itself again as the processes that work on
//! a session.
//!
//! `BEHAVIOR_STORE_KILLS` sets how many processes are killed.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

#[path = "../src/live/store/mod.rs"]
#[allow(dead_code, reason = "what only the program uses")]
mod store;

mod common;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use common::Project;
use store::{Held, Key, Seal, Store, StoreError, Tree};

const WAIT: Duration = Duration::from_secs(60);

fn key() -> Key {
    Key { agent: "test-agent".to_owned(), session: "0f3c-1".to_owned(), sub_agent: None }
}

fn seal() -> Seal {
    Seal::new([7; 32])
}

fn named(session: &str) -> Key {
    Key { session: session.to_owned(), ..key() }
}

fn state_file(root: &Path) -> PathBuf {
    root.join("sessions/test-agent@0f3c-1.session")
}

/// A directory of its own and the store in it.
fn fresh() -> (Project, PathBuf, Store) {
    let project = Project::new(&[]);
    let root = project.path("state");
    let store = Store::at(&root, seal());
    (project, root, store)
}

fn save(store: &Store, state: &[u8]) {
    store.open(&key(), WAIT).unwrap().save(state, 7, SystemTime::now()).unwrap();
}

fn state(store: &Store) -> Option<Vec<u8>> {
    store.read(&key()).unwrap().map(|record| record.state().to_vec())
}

/// A state that tells on every byte which one it is: its number, and a filling that depends on it.
fn numbered(number: u32) -> Vec<u8> {
    let filling = 200 + number as usize * 37 % 3_000;
    let mut state = number.to_le_bytes().to_vec();
    state.extend((0..filling).map(|at| (number as usize * 31 + at * 7) as u8));
    state
}

#[track_caller]
fn number_of(state: &[u8]) -> u32 {
    let number = u32::from_le_bytes(state[..4].try_into().unwrap());
    assert_eq!(state, numbered(number), "the state is one that was saved, whole");
    number
}

/// The last numbers, each under a hash of which it is one of fifty.
fn value_of(number: u32) -> (u128, Vec<u8>) {
    // The first digits are alike, so that the tree is deep.
    (u128::from(number % 50).wrapping_mul(0x9e37_79b9_7f4a_7c15), numbered(number))
}

/// Saves a number as the state, and enters it into the tree.
fn save_both(held: &mut Held, number: u32) -> Result<(), StoreError> {
    let values = BTreeMap::from([value_of(number)]);
    held.save_with(values, &|_| true, &numbered(number), 7, SystemTime::now())
}

/// Checks that the tree holds what goes with the state.
#[track_caller]
fn check_tree(tree: &Tree, number: u32) {
    let least = number.saturating_sub(49);
    for known in least..=number {
        let (key, value) = value_of(known);
        assert_eq!(tree.get(key).unwrap(), Some(value), "{known} of {number}");
    }
    assert_eq!(tree.all().unwrap().len(), (number - least + 1) as usize);
    assert_eq!(tree.get(u128::MAX).unwrap(), None);
}

/// Starts this binary again in a role.
fn child(role: &str, root: &Path, number: u32) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "works_on_a_session", "--nocapture", "--test-threads=1", "--ignored"])
        .env("BEHAVIOR_STORE_ROLE", role)
        .env("BEHAVIOR_STORE_ROOT", root)
        .env("BEHAVIOR_STORE_NUMBER", number.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    command
}

/// What the processes do that the tests start.
#[test]
#[ignore = "started by the others"]
fn works_on_a_session() {
    let Ok(role) = std::env::var("BEHAVIOR_STORE_ROLE") else { return };
    let root = std::env::var("BEHAVIOR_STORE_ROOT").unwrap();
    let store = Store::at(Path::new(&root), seal());
    let number: u32 = std::env::var("BEHAVIOR_STORE_NUMBER").unwrap().parse().unwrap();
    match role.as_str() {
        // Adds its number to a list, a few times.
        "append" | "append slowly" => {
            for _ in 0..5 {
                if role == "append slowly" {
                    std::thread::sleep(Duration::from_millis(4));
                }
                let mut held = store.open(&key(), WAIT).unwrap();
                let mut state = held.record().map_or(Vec::new(), |last| last.state().to_vec());
                state.extend(number.to_le_bytes());
                held.save(&state, 7, SystemTime::now()).unwrap();
            }
        }
        // Saves one number after the other and says so, until it is killed.
        "count" => {
            let mut out = std::io::stdout().lock();
            for number in number.. {
                save_both(&mut store.open(&key(), WAIT).unwrap(), number).unwrap();
                writeln!(out, "saved {number}").unwrap();
            }
        }
        "hold" => {
            let _held = store.open(&key(), WAIT).unwrap();
            println!("held");
            std::thread::sleep(WAIT);
        }
        // Saves as long as the disk takes it; what it says last is what it has saved.
        "fill" => {
            for number in number.. {
                let mut held = store.open(&key(), WAIT).unwrap();
                let before = held.record().map(|last| number_of(last.state()));
                match held.save(&numbered(number), 7, SystemTime::now()) {
                    Ok(()) => println!("saved {number}"),
                    Err(error) => {
                        assert!(matches!(error, StoreError::Io { .. }), "{error}");
                        assert_eq!(held.record().map(|last| number_of(last.state())), before);
                        println!("full: {error}");
                        return;
                    }
                }
            }
        }
        other => panic!("no such role: {other}"),
    }
}

fn wait_for(child: &mut Child, line: &str) {
    let out = BufReader::new(child.stdout.as_mut().unwrap());
    assert!(out.lines().any(|found| found.unwrap().ends_with(line)), "the process said nothing");
}

#[test]
fn what_is_saved_is_read_by_the_next() {
    let (_project, root, store) = fresh();
    assert!(store.read(&key()).unwrap().is_none());
    assert!(store.list().unwrap().is_empty());
    assert!(!root.exists(), "asking makes nothing");
    assert!(store.open(&key(), WAIT).unwrap().record().is_none());
    let mut largest = 0;
    for number in 0..300 {
        let mut held = store.open(&key(), WAIT).unwrap();
        let last = held.record().map(|record| number_of(record.state()));
        assert_eq!(last, u32::checked_sub(number, 1));
        held.save(&numbered(number), u64::from(number), SystemTime::now()).unwrap();
        assert_eq!(number_of(held.record().unwrap().state()), number);
        drop(held);
        let record = store.read(&key()).unwrap().unwrap();
        assert_eq!((number_of(record.state()), record.image), (number, number.into()));
        largest = largest.max(fs::metadata(state_file(&root)).unwrap().len());
    }
    assert!((28 << 10..=32 << 10).contains(&largest), "{largest} bytes at most");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&root.join("sessions")), 0o700);
    let names: Vec<_> =
        fs::read_dir(root.join("sessions")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|path| mode(path) == 0o600));
}

#[test]
fn one_process_may_save_again_and_again() {
    let (_project, root, store) = fresh();
    let mut held = store.open(&key(), WAIT).unwrap();
    for number in 0..100 {
        held.save(&numbered(number), 7, SystemTime::now()).unwrap();
        assert_eq!(number_of(&state(&store).unwrap()), number);
    }
    let length = || fs::metadata(state_file(&root)).unwrap().len();
    let before = length();
    held.save(&numbered(99), 7, SystemTime::now()).unwrap();
    assert_eq!(length(), before, "nothing new, nothing written");
    held.save(&numbered(99), 7, SystemTime::now() + Duration::from_secs(3_600)).unwrap();
    assert!(length() > before, "but that it was used");
}

#[test]
fn large_states_keep_some_records() {
    let (_project, root, store) = fresh();
    for number in 0..20u8 {
        save(&store, &vec![number; 100_000]);
        assert_eq!(state(&store).unwrap(), vec![number; 100_000]);
        let length = fs::metadata(state_file(&root)).unwrap().len();
        assert!(length <= 8 * 100_100, "{length}");
    }
    let error = store.open(&key(), WAIT).unwrap();
    let error = { error }.save(&vec![0; 65 << 20], 7, SystemTime::now()).unwrap_err();
    assert!(matches!(error, StoreError::TooLarge { .. }), "{error}");
    assert_eq!(state(&store).unwrap(), vec![19; 100_000]);
}

#[test]
fn two_hundred_processes_lose_no_update() {
    let (_project, root, store) = fresh();
    let mut children: Vec<Child> =
        (0..200).map(|number| child("append", &root, number).spawn().unwrap()).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let state = state(&store).unwrap();
    let (numbers, rest) = state.as_chunks::<4>();
    assert!(rest.is_empty());
    let mut numbers: Vec<u32> = numbers.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    numbers.sort_unstable();
    let expect: Vec<u32> = (0..200).flat_map(|number| [number; 5]).collect();
    assert_eq!(numbers, expect);
}

#[test]
fn a_process_killed_at_any_moment_leaves_a_whole_state() {
    let kills = std::env::var("BEHAVIOR_STORE_KILLS").ok();
    let kills: u32 = kills.map_or(300, |text| text.parse().expect("a number of kills"));
    let (_project, root, store) = fresh();
    let mut next = 0;
    let mut random = 0x2545_f491_4f6c_dd1du64;
    for round in 0..kills {
        let mut child = child("count", &root, next).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let number = |line: String| line.rsplit_once("saved ")?.1.parse::<u32>().ok();
        // Every other one is let come to its first save; the rest may die on the way there.
        let first = if round % 2 == 0 { said.by_ref().find_map(number) } else { None };
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(Duration::from_micros(random % 4_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let least = said.filter_map(number).last().or(first).or(next.checked_sub(1));
        let found = state(&store).map(|state| number_of(&state));
        // The save that was reported last, or the one after, which it died in.
        let most = Some(least.map_or(0, |least| least + 1));
        assert!(found == least || found == most, "{found:?}, but {least:?} was reported");
        if let Some(found) = found {
            check_tree(store.open(&key(), WAIT).unwrap().tree(), found);
        }
        next = found.map_or(0, |found| found + 1);
    }
    assert!(next >= kills / 2, "{next} saves only");
}

#[test]
fn a_torn_end_leaves_the_state_before_it() {
    let (_project, root, store) = fresh();
    save(&store, &numbered(1));
    let first = fs::read(state_file(&root)).unwrap();
    save(&store, &numbered(2));
    let both = fs::read(state_file(&root)).unwrap();
    for length in first.len()..both.len() {
        for ending in [&[][..], &[0; 40], &both[..100]] {
            if length == first.len() && ending.is_empty() {
                continue;
            }
            let torn = [&both[..length], ending].concat();
            fs::write(state_file(&root), &torn).unwrap();
            // Zeros may be just what was missing.
            let expect = if torn.starts_with(&both) { 2 } else { 1 };
            let found = number_of(&state(&store).unwrap());
            assert_eq!(found, expect, "{length} bytes, {}", ending.len());
        }
        if length % 50 == 0 {
            // Whatever the next one saves is found again, and the torn end is gone.
            save(&store, &numbered(3));
            assert_eq!(number_of(&state(&store).unwrap()), 3);
            save(&store, &numbered(4));
            assert_eq!(number_of(&state(&store).unwrap()), 4);
            // Torn again, the state before is found behind no older tear.
            let whole = fs::read(state_file(&root)).unwrap();
            fs::write(state_file(&root), &whole[..whole.len() - 1]).unwrap();
            assert_eq!(number_of(&state(&store).unwrap()), 3);
        }
    }
    // A record lost in the middle does not matter as long as the last one is there.
    let mut holed = both.clone();
    holed[..first.len()].fill(0);
    fs::write(state_file(&root), &holed).unwrap();
    assert_eq!(number_of(&state(&store).unwrap()), 2);
}

/// The file of the tree that was written last, and what is in it.
fn tree_file(root: &Path) -> (PathBuf, Vec<u8>) {
    let named = |name: &str| root.join("sessions/test-agent@0f3c-1").with_extension(name);
    let written = |path: &PathBuf| fs::metadata(path).and_then(|found| found.modified()).ok();
    let path = [named("targets"), named("targets2")].into_iter().max_by_key(written).unwrap();
    let bytes = fs::read(&path).unwrap_or_default();
    (path, bytes)
}

#[test]
fn wherever_a_save_breaks_off_the_tree_goes_with_the_state() {
    let (_project, root, store) = fresh();
    let mut random = 0x2545_f491_4f6c_dd1du64;
    let mut next = |most: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % most as u64) as usize
    };
    save_both(&mut store.open(&key(), WAIT).unwrap(), 0).unwrap();
    let (mut number, mut lost) = (0, 0);
    while number < 400 {
        let (before, (file, tree)) = (fs::read(state_file(&root)).unwrap(), tree_file(&root));
        save_both(&mut store.open(&key(), WAIT).unwrap(), number + 1).unwrap();
        let (after, (file_after, tree_after)) =
            (fs::read(state_file(&root)).unwrap(), tree_file(&root));
        number += 1;
        if next(2) == 0 && after.starts_with(&before) {
            // The state is cut, and the tree may be whole, cut or as it was: the tree is written first.
            let cut = before.len() + next(after.len() - before.len());
            fs::write(state_file(&root), &after[..cut]).unwrap();
            if file == file_after {
                let cut = tree.len() + next(tree_after.len() - tree.len() + 1);
                fs::write(&file, &tree_after[..cut]).unwrap();
            } else {
                fs::write(&file, &tree).unwrap();
                fs::write(&file_after, &tree_after[..next(tree_after.len())]).unwrap();
            }
            number -= 1;
            lost += 1;
        }
        let held = store.open(&key(), WAIT).unwrap();
        assert_eq!(number_of(held.record().unwrap().state()), number);
        check_tree(held.tree(), number);
    }
    assert!(lost > 100, "{lost} saves broke off");
    let largest = tree_file(&root).1.len();
    assert!(largest < 64 * 3_300 * 8, "what is of the past goes: {largest} bytes");
}

#[test]
fn a_flipped_bit_in_the_tree_is_found_or_is_of_the_past() {
    let (_project, root, store) = fresh();
    for number in 0..60 {
        save_both(&mut store.open(&key(), WAIT).unwrap(), number).unwrap();
    }
    let (file, whole) = tree_file(&root);
    let mut found = 0;
    for at in (0..whole.len()).step_by(397) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&file, &flipped).unwrap();
        let held = store.open(&key(), WAIT).unwrap();
        let mut is_found = held.tree().all().is_err();
        for number in 10..60 {
            let (key, value) = value_of(number);
            match held.tree().get(key) {
                Ok(known) => assert_eq!(known, Some(value)),
                Err(error) => {
                    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
                    is_found = true;
                }
            }
        }
        found += usize::from(is_found);
    }
    assert!(found > 20, "{found} flipped bits mattered");
    fs::remove_file(&file).unwrap();
    let error = store.open(&key(), WAIT).unwrap().tree().get(value_of(59).0).unwrap_err();
    assert!(error.to_string().contains("the file of its targets is missing"), "{error}");
}

#[test]
fn what_a_save_writes_does_not_grow_with_what_is_kept() {
    let (_project, root, store) = fresh();
    let mut held = store.open(&key(), WAIT).unwrap();
    let hash = |number: u32| seal().of_target("project", "files_read", &number.to_string());
    let many = |range: std::ops::Range<u32>| range.map(|n| (hash(n), vec![1; 100])).collect();
    held.save_with(many(0..5_000), &|_| true, b"state", 7, SystemTime::now()).unwrap();
    for number in 5_000..5_100 {
        let before = tree_file(&root).1.len();
        held.save_with(many(number..number + 1), &|_| true, b"state", 7, SystemTime::now())
            .unwrap();
        let written = tree_file(&root).1.len() - before;
        assert!((100..600).contains(&written), "{written} bytes for one more");
    }
    // What holds no more is forgotten where the past is.
    for _ in 0..40 {
        held.save_with(many(0..1_000), &|_| false, b"state", 7, SystemTime::now()).unwrap();
    }
    assert_eq!(held.tree().all().unwrap().len(), 1_000);
    drop(held);
    assert!(store.remove_file(&state_file(&root), WAIT).unwrap());
    assert_eq!(fs::read_dir(root.join("sessions")).unwrap().count(), 0);
}

#[test]
fn a_flipped_bit_is_never_read_as_a_state() {
    let (_project, root, store) = fresh();
    save(&store, &numbered(1));
    save(&store, &numbered(2));
    let whole = fs::read(state_file(&root)).unwrap();
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(state_file(&root), &flipped).unwrap();
        match store.read(&key()) {
            Ok(record) => assert!(matches!(number_of(record.unwrap().state()), 1 | 2)),
            Err(error) => assert!(matches!(error, StoreError::Damaged { .. }), "{error}"),
        }
    }
}

#[test]
fn what_was_written_with_another_key_is_refused() {
    let (_project, root, store) = fresh();
    save(&Store::at(&root, Seal::new([8; 32])), &numbered(1));
    let error = store.read(&key()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(store.set_aside(&key(), WAIT).unwrap().is_some());
    save(&store, &numbered(2));
    // What somebody appends is not believed either: the state is the last one that is authentic.
    save(&Store::at(&root.join("forger"), Seal::new([8; 32])), &numbered(3));
    let forged = fs::read(state_file(&root.join("forger"))).unwrap();
    let both = [fs::read(state_file(&root)).unwrap(), forged].concat();
    fs::write(state_file(&root), both).unwrap();
    assert_eq!(number_of(&state(&store).unwrap()), 2);
}

#[test]
fn a_file_without_a_state_is_damaged_until_it_is_set_aside() {
    let whole = {
        let (_project, root, store) = fresh();
        save(&store, &numbered(1));
        fs::read(state_file(&root)).unwrap()
    };
    let garbage: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"{}\n".to_vec(),
        b"SQLite format 3\0".to_vec(),
        vec![0; 100],
        vec![0xff; 100_000],
        whole[..whole.len() - 1].to_vec(),
        [b"BhS1", &whole[4..]].concat(),
    ];
    for bytes in garbage {
        let (_project, root, store) = fresh();
        fs::create_dir_all(root.join("sessions")).unwrap();
        fs::write(state_file(&root), &bytes).unwrap();
        for _ in 0..2 {
            let error = store.open(&key(), WAIT).unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
            let message = error.to_string();
            assert_eq!(
                message.contains("another version"),
                bytes.starts_with(b"BhS1"),
                "{message}"
            );
        }
        assert_eq!(fs::read(state_file(&root)).unwrap(), bytes, "nothing happens by itself");
        let aside = store.set_aside(&key(), WAIT).unwrap().unwrap();
        assert_eq!(fs::read(&aside).unwrap(), bytes);
        assert!(store.open(&key(), WAIT).unwrap().record().is_none());
        assert_eq!(store.list().unwrap().len(), 1, "what was set aside is listed");
        save(&store, &numbered(5));
        assert_eq!(store.set_aside(&key(), WAIT).unwrap(), None, "there is nothing to set aside");
        assert_eq!(number_of(&state(&store).unwrap()), 5);
        let file = state_file(&root);
        assert!(store.remove_file(&file, WAIT).unwrap());
        assert_eq!(fs::read_dir(root.join("sessions")).unwrap().count(), 0);
    }
}

#[test]
fn a_state_of_no_use_can_be_set_aside_by_who_holds_it() {
    let (_project, _root, store) = fresh();
    save(&store, b"what no version can read");
    let mut held = store.open(&key(), WAIT).unwrap();
    held.set_aside().unwrap();
    assert!(held.record().is_none());
    held.save(&numbered(1), 7, SystemTime::now()).unwrap();
    drop(held);
    assert_eq!(number_of(&state(&store).unwrap()), 1);
}

#[test]
fn who_waits_too_long_is_told() {
    let (_project, root, store) = fresh();
    save(&store, &numbered(1));
    let mut child = child("hold", &root, 0).spawn().unwrap();
    wait_for(&mut child, "held");
    let error = store.open(&key(), Duration::from_millis(30)).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    assert!(error.to_string().contains("did not end within 30 ms"), "{error}");
    assert_eq!(number_of(&state(&store).unwrap()), 1, "reading needs no lock");
    let later = SystemTime::now() + Duration::from_secs(1 << 30);
    assert_eq!(store.sweep(Duration::from_secs(1), later).unwrap(), 0, "it is in use");
    // Other sessions are free.
    store.open(&named("other"), Duration::ZERO).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(store.open(&key(), WAIT).unwrap().record().is_some(), "the dead hold no locks");
}

#[test]
fn sessions_that_are_removed_while_others_wait_lose_nothing() {
    let (_project, root, store) = fresh();
    let mut children: Vec<Child> =
        (0..24).map(|number| child("append slowly", &root, number).spawn().unwrap()).collect();
    let mut counted = 0;
    let mut removed = 0;
    let mut take = || {
        let held = store.open(&key(), WAIT).unwrap();
        let length = held.record().map_or(0, |last| last.state().len());
        removed += usize::from(length > 0);
        held.remove().unwrap();
        counted += length / 4;
    };
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        take();
    }
    take();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    assert_eq!(counted, 24 * 5);
    assert!(removed > 1, "only {removed} times was there anything to remove");
    assert_eq!(fs::read_dir(root.join("sessions")).unwrap().count(), 0);
}

fn touch(path: &Path, time: SystemTime) {
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn old_sessions_are_swept_and_nothing_else() {
    const DAY: Duration = Duration::from_secs(86_400);
    let (_project, root, store) = fresh();
    let now = SystemTime::now();
    let directory = root.join("sessions");
    let file = |name: &str| directory.join(name);
    for name in ["old", "new", "kept"] {
        store.open(&named(name), WAIT).unwrap().save(b"s", 7, now).unwrap();
    }
    for name in ["test-agent@old.session", "test-agent@old.lock", "test-agent@kept.lock"] {
        touch(&file(name), now - 10 * DAY);
    }
    let old = [
        "test-agent@aside.damaged",
        "test-agent@died.new",
        "test-agent@died.lock",
        // Not ours.
        "Cargo.lock",
        "notes.session",
    ];
    for name in old {
        fs::write(file(name), b"x").unwrap();
        touch(&file(name), now - 10 * DAY);
    }
    assert_eq!(store.sweep(7 * DAY, now).unwrap(), 1);
    let mut left: Vec<String> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let expect = [
        "Cargo.lock",
        "notes.session",
        "test-agent@kept.lock",
        "test-agent@kept.session",
        "test-agent@new.lock",
        "test-agent@new.session",
    ];
    assert_eq!(left, expect);
}

#[test]
fn a_clock_that_jumps_loses_nothing() {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    let (_project, root, store) = fresh();
    let now = SystemTime::now();
    let times = [now, now + YEAR, now - 20 * YEAR, SystemTime::UNIX_EPOCH, now];
    for (number, time) in (0..).zip(times) {
        let mut held = store.open(&key(), WAIT).unwrap();
        let last = held.record().map(|record| number_of(record.state()));
        assert_eq!(last, u32::checked_sub(number, 1));
        held.save(&numbered(number), 7, time).unwrap();
        drop(held);
        // The file gets the system's time, which then is as wrong as ours.
        for written in [time, SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH - YEAR] {
            touch(&state_file(&root), written);
            // Only a clock that runs ahead makes sessions look old.
            for swept in times.into_iter().filter(|swept| *swept <= now) {
                store.sweep(YEAR / 2, swept).unwrap();
                assert_eq!(number_of(&state(&store).unwrap()), number, "{written:?} {swept:?}");
            }
        }
    }
    // A state of the same bytes at an earlier time is saved, so that the age is known.
    let length = fs::metadata(state_file(&root)).unwrap().len();
    save_at(&store, &numbered(4), now - YEAR);
    assert!(fs::metadata(state_file(&root)).unwrap().len() > length);
    assert_eq!(number_of(&state(&store).unwrap()), 4);
}

fn save_at(store: &Store, state: &[u8], time: SystemTime) {
    store.open(&key(), WAIT).unwrap().save(state, 7, time).unwrap();
}

#[test]
fn sessions_of_any_name_are_told_apart() {
    let (_project, root, store) = fresh();
    let long = "x".repeat(5_000);
    let longer = format!("{long}y");
    let with_sub = |sub: &str| Key { sub_agent: Some(sub.to_owned()), ..key() };
    let keys = [
        key(),
        with_sub(""),
        with_sub("a"),
        with_sub("A"),
        named(""),
        named("."),
        named(".."),
        named("../../etc/passwd"),
        named("a@b"),
        Key { agent: "test-agent@a".to_owned(), ..named("b") },
        named("a\0b"),
        named("CON"),
        named("con"),
        named("ünï ☃ \u{202e}"),
        named("%41"),
        named(&long),
        named(&longer),
        named(&long.to_uppercase()),
    ];
    for (number, key) in (0..).zip(&keys) {
        let mut held = store.open(key, WAIT).unwrap();
        assert!(held.record().is_none(), "{key:?}");
        held.save(&numbered(number), 7, SystemTime::now()).unwrap();
    }
    for (number, key) in (0..).zip(&keys) {
        let record = store.read(key).unwrap().unwrap();
        assert_eq!((number_of(record.state()), &record.key), (number, key));
    }
    let mut listed: Vec<Key> =
        store.list().unwrap().into_iter().map(|listed| listed.record.unwrap().key).collect();
    listed.sort();
    let mut expect = keys.to_vec();
    expect.sort();
    assert_eq!(listed, expect);
    // Where a file is damaged, its name tells what it was.
    for entry in fs::read_dir(root.join("sessions")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.len() < 170 && name.is_ascii() && name == name.to_lowercase(), "{name}");
        fs::write(&path, b"").unwrap();
    }
    let mut known: Vec<Key> =
        store.list().unwrap().into_iter().filter_map(|listed| listed.key).collect();
    known.sort();
    expect.retain(|key| key.session.len() < 1_000);
    assert_eq!(known, expect);
}

#[test]
fn a_file_under_another_sessions_name_is_not_taken_for_it() {
    let (_project, root, store) = fresh();
    save(&store, &numbered(1));
    let other = root.join("sessions/test-agent@other.session");
    fs::rename(state_file(&root), &other).unwrap();
    let error = store.open(&named("other"), WAIT).unwrap_err();
    assert!(error.to_string().contains("it holds another session"), "{error}");
    assert!(store.read(&named("other")).is_err());
}

/// Runs `work` as a process that must come to the end of the disk, and checks what it leaves.
fn check_full(root: &Path, command: &mut Command, then: impl FnOnce()) {
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("full: cannot write"), "{said}");
    let saved = said.lines().filter_map(|line| line.rsplit_once("saved ")?.1.parse::<u32>().ok());
    let saved = saved.max().expect("it saved before the disk was full");
    let store = Store::at(root, seal());
    assert_eq!(number_of(&state(&store).unwrap()), saved, "the last state is whole");
    then();
    save(&store, &numbered(saved + 1));
    assert_eq!(number_of(&state(&store).unwrap()), saved + 1, "and the session goes on");
}

#[test]
fn a_file_that_may_not_grow_keeps_its_state() {
    let (_project, root, store) = fresh();
    save(&store, &numbered(0));
    let inner = child("fill", &root, 1);
    // 8 blocks of 512 bytes: the second or third save is cut off in the middle of its record.
    let mut limited = Command::new("sh");
    limited.arg("-c").arg("trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"");
    limited.arg(inner.get_program()).args(inner.get_args());
    for (name, value) in inner.get_envs() {
        limited.env(name, value.unwrap());
    }
    check_full(&root, &mut limited, || {});
}

#[test]
fn a_full_disk_keeps_the_last_state() {
    let (project, ..) = fresh();
    let disk = project.path("disk");
    fs::create_dir_all(&disk).unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "behavior-test"])
        .arg(&disk)
        .stderr(Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        eprintln!("skipped: mounting a small file system is not permitted here");
        return;
    }
    let unmount = Unmount(disk.clone());
    let root = disk.join("state");
    save(&Store::at(&root, seal()), &numbered(0));
    let filling = disk.join("filling");
    fs::write(&filling, vec![0; 40 << 10]).unwrap();
    check_full(&root, &mut child("fill", &root, 1), || fs::remove_file(&filling).unwrap());
    drop(unmount);
}

struct Unmount(PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn what_the_system_refuses_is_said() {
    let (project, ..) = fresh();
    project.write("file", b"");
    let store = Store::at(&project.path("file"), seal());
    let error = store.open(&key(), WAIT).unwrap_err();
    assert!(error.to_string().starts_with("cannot open `"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
    let (_project, root, store) = fresh();
    fs::create_dir_all(state_file(&root)).unwrap();
    assert!(matches!(store.open(&key(), WAIT).unwrap_err(), StoreError::Io { .. }));
}
