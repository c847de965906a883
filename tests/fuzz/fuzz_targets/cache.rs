//! Entries of the cache with damaged and forged fields: each is refused, or stands for the very rules that were kept.
//!
//! The first byte says which entry is damaged: the one that is asked for, or a genuine one of other rules. Changes of
//! eight bytes each follow.
#![no_main]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use behavior_agents::{Format, Item, Problem, Sink, read};
use behavior_runtime::{Image, Replay};
use behavior_tests::samples::{self, look_at};
use libfuzzer_sys::fuzz_target;

#[allow(dead_code, missing_docs, reason = "what only the program uses")]
#[path = "../../../cli/src/live"]
mod live {
    pub mod cache;
    pub mod secret_key;
    pub mod store;
}
#[allow(dead_code, reason = "what only the program uses")]
#[path = "../../../cli/src/project.rs"]
mod project;

use live::cache::{Cache, Entry, Recorder};
use live::secret_key::SecretKey;

const WAITING: &str = "a rule that allows calls";
/// The head of an entry, and how long a page of its image is.
const FRAME: usize = 12 + 32;
const PAGE: usize = behavior_image::PAGE;

/// An entry, and what it was made of.
struct Kept {
    entry: Entry,
    path: PathBuf,
    bytes: Vec<u8>,
    image: Vec<u8>,
    decisions: String,
}

static KEPT: LazyLock<[Kept; 2]> = LazyLock::new(|| {
    let directory = std::env::temp_dir().join(format!("behavior-fuzz-{}", std::process::id()));
    live::store::create_private(&directory).unwrap();
    let key = SecretKey::of_user(&directory).unwrap();
    let config = directory.join("behavior.yaml");
    fs::write(&config, samples::EVERYTHING).unwrap();
    // What was changed a moment ago is not believed to have settled.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let other = "rule_definitions:\n  - id: other\n    trigger: [bash]\n    action: block\n    \
                 condition: 'param(command) contains \"x\"'\n    message: Other.\n";
    [(samples::EVERYTHING, "a"), (other, "b")].map(|(rules, folder)| {
        let cache = Cache::at(&directory.join(folder), key.clone());
        let entry = cache.entry(&folder);
        let image = image_of(rules);
        let recorder = Recorder::new(project::Disk);
        recorder.note(config.to_str().unwrap());
        entry.keep(&recorder.inputs(), &[WAITING.to_owned()], &image).unwrap();
        let path = fs::read_dir(directory.join(folder)).unwrap().next().unwrap().unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let image_bytes = image.as_bytes().to_vec();
        Kept { entry, path, bytes, image: image_bytes, decisions: decisions(&Arc::new(image)) }
    })
});

/// Compiles rules with what is known of a few programs only, so that an entry is written in a moment.
fn image_of(rules: &str) -> Image {
    let provider = samples::few_programs(&[("behavior.yaml", rules)]);
    let compilation = behavior_compiler::compile(&provider, "behavior.yaml");
    compilation.image.unwrap_or_else(|| panic!("{:#?}", compilation.diagnostics))
}

/// What an image decides on a trace that reaches all of its conditions.
fn decisions(image: &Arc<Image>) -> String {
    struct Run(Replay, String);
    impl Sink for Run {
        fn item(&mut self, item: Item<'_>) {
            let decision = self.0.apply(&item.session, &item.event);
            write!(self.1, "{decision:?}").unwrap();
        }
        fn problem(&mut self, _: Problem) {}
    }
    let mut run = Run(Replay::new(image.clone()), String::new());
    let native = Format::named("native").unwrap();
    read(native, &mut samples::EVENTS.as_bytes(), &mut run).unwrap();
    run.1
}

fuzz_target!(|data: &[u8]| {
    let Some((&which, changes)) = data.split_first() else { return };
    let asked = &KEPT[0];
    let mut bytes = KEPT[usize::from(which % 4 == 3)].bytes.clone();
    for change in changes.chunks_exact(8).take(16) {
        let (one, other) = (place(&change[1..4], bytes.len()), place(&change[4..7], bytes.len()));
        apply(&mut bytes, change[0], one, other, change[7]);
    }
    let is_genuine = bytes == asked.bytes;
    let _ = fs::remove_file(&asked.path);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options.open(&asked.path).unwrap().write_all(&bytes).unwrap();

    let loaded = asked.entry.load();
    assert!(!is_genuine || loaded.is_some(), "a genuine entry is taken");
    if let Some((image, waiting)) = loaded {
        assert_eq!(waiting, [WAITING]);
        look_at(&image);
        let image = Arc::new(image);
        // What is found to be damaged decides nothing.
        let decided = image.is_sound().then(|| decisions(&image));
        assert!(!is_genuine || image.is_sound());
        assert!(
            !image.is_sound() || decided.as_ref() == Some(&asked.decisions),
            "a damaged entry decides"
        );
    }
    if let Some(image) = asked.entry.last() {
        assert_eq!(image.as_bytes(), asked.image, "a damaged entry is taken for the last one");
    }
});

/// A place among so many bytes, the first of which matter most.
fn place(bytes: &[u8], length: usize) -> usize {
    let number = usize::from(bytes[0]) | usize::from(bytes[1]) << 8 | usize::from(bytes[2]) << 16;
    number % length.max(1)
}

fn apply(bytes: &mut Vec<u8>, kind: u8, one: usize, other: usize, value: u8) {
    if bytes.is_empty() {
        return;
    }
    let page = |at: usize| at / PAGE * PAGE;
    match kind % 10 {
        0 => bytes[one] = value,
        1 => bytes[one] ^= 1 << (value % 8),
        // The two lengths.
        2 | 3 => {
            let field = if kind % 10 == 2 { 4 } else { 8 };
            if let Some(length) = bytes.get_mut(field..field + 4) {
                length.copy_from_slice(&(one as u32).wrapping_sub(u32::from(value)).to_le_bytes());
            }
        }
        4 => bytes.truncate(one),
        5 => bytes.extend(vec![value; other % (2 * PAGE)]),
        // Two pages change places, or one takes the place of the other.
        6 | 7 => {
            let start = bytes.len().saturating_sub(KEPT[0].image.len());
            let (one, other) = (start + page(one), start + page(other));
            let (Some(first), Some(second)) = (
                bytes.get(one..one + PAGE).map(<[u8]>::to_vec),
                bytes.get(other..other + PAGE).map(<[u8]>::to_vec),
            ) else {
                return;
            };
            bytes[one..one + PAGE].copy_from_slice(&second);
            if kind % 10 == 6 {
                bytes[other..other + PAGE].copy_from_slice(&first);
            }
        }
        // A part of the other entry.
        8 => {
            let from = &KEPT[1].bytes;
            let length = usize::from(value).min(from.len() - other % from.len());
            let other = other % from.len();
            let part = &from[other..other + length];
            if let Some(into) = bytes.get_mut(one..one + length) {
                into.copy_from_slice(part);
            }
        }
        // A text among the inputs, which stand behind the head.
        _ => {
            let at = (FRAME + one % 512).min(bytes.len());
            bytes.insert(at, value);
        }
    }
}
