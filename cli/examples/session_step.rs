//! What it costs a fresh process to take up a session and save it again, against a process that does
//! nothing. For figures as users see them, build both static and for speed, then let it measure:
//!
//! ```sh
//! export RUSTFLAGS="-C target-feature=+crt-static"
//! cargo build --release -p behavior --example empty --example session_step --target x86_64-unknown-linux-gnu
//! target/x86_64-unknown-linux-gnu/release/examples/session_step measure
//! ```
//!
//! `strace -c session_step step DIRECTORY FILES` counts what the system is asked.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a measurement: what goes wrong here ends it"
)]

#[path = "../src/live/store/mod.rs"]
#[allow(dead_code, reason = "what only the program uses")]
mod store;

use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use behavior_runtime::event::{Call, Event, Param, ToolResult, Value};
use behavior_runtime::{FactHost, Image, Session};
use store::{Key, Store};

const RUNS: usize = 3_000;
const WAIT: Duration = Duration::from_secs(5);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["image", directory] => drop(black_box(image(Path::new(directory)))),
        ["step", directory, session] => step(Path::new(directory), session),
        ["measure"] => measure(),
        _ => println!("usage: session_step measure | step DIRECTORY SESSION | image DIRECTORY"),
    }
}

fn key(session: &str) -> Key {
    Key { agent: "claude-code".into(), session: session.into(), sub_agent: None }
}

fn image(directory: &Path) -> Arc<Image> {
    let bytes = std::fs::read(directory.join("dev.bhv")).unwrap();
    Arc::new(Image::from_bytes(bytes).unwrap())
}

/// What one event costs apart from the event: the image, the session, one more file read.
fn step(directory: &Path, session: &str) {
    let image = image(directory);
    let store = Store::at(directory);
    let mut held = store.open(&key(session), WAIT).unwrap();
    let mut state = match held.record() {
        Some(record) => Session::restore(Arc::clone(&image), record.state()).unwrap(),
        None => Session::new(Arc::clone(&image)),
    };
    let files = session.rsplit('-').next().unwrap().parse().unwrap_or(50);
    let next = state.report().total_calls % files;
    state.apply(&read(next), &mut FactHost::default());
    let mut bytes = Vec::with_capacity(4096);
    state.save(&mut bytes);
    held.save(&bytes, image.identity(), SystemTime::now()).unwrap();
}

fn read(number: u64) -> Event<'static> {
    let path = format!(
        "/home/dev/project/services/billing/src/part_{:02}/module_{number:04}.rs",
        number % 40
    );
    let value = Value::Text(path.into());
    let param = Param { name: "file_path".into(), native: None, value };
    let call = Call {
        id: None,
        tool: "read".into(),
        native_tool: Some("Read".into()),
        params: vec![param],
    };
    Event::ToolResult(ToolResult { id: None, call: Some(call), result: None, ok: true })
}

/// A session that has read so many files.
fn session_of(image: &Arc<Image>, files: u64) -> Session {
    let mut session = Session::new(Arc::clone(image));
    for number in 0..files {
        session.apply(&read(number), &mut FactHost::default());
    }
    session
}

fn measure() {
    let directory = std::env::temp_dir().join(format!("behavior-measure-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let provider = behavior_compiler::provider::WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PRESETS,
        project: behavior_compiler::provider::MemoryFiles::new([(
            "behavior.yaml",
            "profile: dev\n",
        )]),
    };
    let compiled = behavior_compiler::compile(&provider, "behavior.yaml").image.unwrap();
    std::fs::write(directory.join("dev.bhv"), compiled.as_bytes()).unwrap();
    let image = Arc::new(compiled);
    in_one_process(&image, &directory);
    processes(&directory);
    let _ = std::fs::remove_dir_all(&directory);
}

fn show(what: &str, time: Duration, note: &str) {
    println!("{what:<44} {:>10} {note}", format!("{time:.1?}"));
}

/// The best time of several, each of so many repetitions.
fn best(repetitions: u32, mut run: impl FnMut()) -> Duration {
    let mut once = || {
        let start = Instant::now();
        (0..repetitions).for_each(|_| run());
        start.elapsed() / repetitions
    };
    (0..30).map(|_| once()).min().unwrap()
}

fn in_one_process(image: &Arc<Image>, directory: &Path) {
    for files in [50, 2_000] {
        let session = session_of(image, files);
        let mut bytes = Vec::new();
        session.save(&mut bytes);
        let note = format!("{} bytes", bytes.len());
        let time = best(100, || {
            bytes.clear();
            session.save(black_box(&mut bytes));
        });
        show(&format!("{files} files: saved as bytes"), time, &note);
        let time = best(100, || {
            black_box(Session::restore(Arc::clone(image), black_box(&bytes)).unwrap());
        });
        show(&format!("{files} files: restored"), time, "");
        let store = Store::at(directory);
        store.open(&key("warm"), WAIT).unwrap().save(&bytes, 1, SystemTime::now()).unwrap();
        let mut number = 0;
        let time = best(200, || {
            number += 1;
            let mut held = store.open(&key("warm"), WAIT).unwrap();
            held.save(&bytes, number, SystemTime::now()).unwrap();
        });
        show(&format!("{files} files: opened, read, written"), time, "compaction included");
    }
    let mut file = std::fs::File::create(directory.join("synced")).unwrap();
    let bytes = vec![7; 4_000];
    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            file.write_all(&bytes).unwrap();
            let start = Instant::now();
            file.sync_data().unwrap();
            start.elapsed()
        })
        .collect();
    times.sort();
    show("4 KB appended: `sync_data`", times[0], &format!("median {:.1?}", times[100]));
    let store = Store::at(&directory.join("many"));
    for number in 0..1_000 {
        let key = key(&format!("session-{number}"));
        store.open(&key, WAIT).unwrap().save(&bytes, 1, SystemTime::now()).unwrap();
    }
    let time = best(1, || {
        let week = Duration::from_secs(7 * 86_400);
        assert_eq!(store.sweep(week, SystemTime::now()).unwrap(), 0);
    });
    show("1,000 sessions swept, none stale", time, "");
}

/// Fresh processes, taking turns so that all meet the machine in the same mood.
fn processes(directory: &Path) {
    let own = std::env::current_exe().unwrap();
    let empty = own.with_file_name("empty");
    let directory = directory.to_str().unwrap();
    let kinds: [(&str, PathBuf, Vec<&str>); 4] = [
        ("empty process", empty, vec![]),
        ("image loaded", own.clone(), vec!["image", directory]),
        ("image, session of 50 files saved", own.clone(), vec!["step", directory, "of-50"]),
        ("image, session of 2,000 files saved", own, vec!["step", directory, "of-2000"]),
    ];
    let image = image(Path::new(directory));
    for files in [50, 2_000] {
        let mut bytes = Vec::new();
        session_of(&image, files).save(&mut bytes);
        let key = key(&format!("of-{files}"));
        let store = Store::at(Path::new(directory));
        store.open(&key, WAIT).unwrap().save(&bytes, 1, SystemTime::now()).unwrap();
    }
    let mut times = vec![Vec::with_capacity(RUNS); kinds.len()];
    for _ in 0..RUNS {
        for ((_, program, arguments), times) in kinds.iter().zip(&mut times) {
            let start = Instant::now();
            let status = Command::new(program).args(arguments).status().unwrap();
            times.push(start.elapsed());
            assert!(status.success());
        }
    }
    let at = |times: &mut Vec<Duration>, part: usize| {
        times.sort();
        times[times.len() * part / 100]
    };
    let base = at(&mut times[0], 50);
    for ((name, ..), times) in kinds.iter().zip(&mut times) {
        let median = at(times, 50);
        let more = median.saturating_sub(base);
        let note = format!(
            "median; 10th {:.1?}, 99th {:.1?}; {more:.1?} more than empty",
            at(times, 10),
            at(times, 99)
        );
        show(name, median, &note);
    }
}
