//! Speed, as figures and as ratios measured in one run. `cargo bench -p behavior-tests`
//!
//! Each figure is the best of several runs: what the code can do when the machine lets it.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use behavior_agents::Format;
use behavior_runtime::event::{Call, Event, Param, Value};
use behavior_runtime::{FactHost, Image, Session};
use behavior_shell::CommandLine;
use behavior_tests::handwritten::{HandWritten, Patterns};
use behavior_tests::oracle::Oracle;
use behavior_tests::{commands, provider, recording, stream};

fn main() {
    // `cargo test --benches` and a test runner's listing only want to know that this links.
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    preset_against_by_hand();
    rules_against_rules();
    policy_rules_against_rules();
    command_lines();
    compile_many();
    load_image();
    simulate_recordings();
}

/// The best of several runs, for one of `count` repetitions inside.
fn best(runs: u32, count: usize, mut run: impl FnMut()) -> Duration {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    let fastest = (0..runs).map(|_| once(&mut run)).min().unwrap_or_default();
    fastest / count as u32
}

fn show(what: &str, time: Duration, note: &str) {
    println!("{what:<58} {:>12} {note}", format!("{time:.1?}"));
}

fn preset(name: &str) -> behavior_compiler::Compilation {
    let text = format!("profile: {name}\n");
    behavior_compiler::compile(&provider(&[("behavior.yaml", &text)]), "behavior.yaml")
}

fn preset_against_by_hand() {
    const EVENTS: usize = 50_000;
    let events = stream::realistic(EVENTS, 7);
    let compilation = preset("dev");
    let patterns = Patterns;
    let image = Arc::new(compilation.image.expect("the preset compiles"));
    let (by_hand, compiled) = taking_turns(&events, &image, patterns);
    let naive = {
        let mut oracle = Oracle::new(&compilation.program);
        let few = &events[..2_000];
        best(1, few.len(), || {
            for event in few {
                black_box(oracle.apply("s", event));
            }
        })
    };
    show("dev preset by hand, an event", by_hand, "");
    let ratio = compiled.as_secs_f64() / by_hand.as_secs_f64();
    show("dev preset compiled, an event", compiled, &format!("{ratio:.2} x by hand"));
    let ratio = naive.as_secs_f64() / compiled.as_secs_f64();
    show("dev preset by the naive evaluator", naive, &format!("{ratio:.0} x compiled"));
    match python(patterns, &events) {
        Some(python) => {
            let ratio = python.as_secs_f64() / compiled.as_secs_f64();
            show("dev preset as a plain Python script", python, &format!("{ratio:.0} x compiled"));
        }
        None => println!("(no python3 here to compare with)"),
    }
}

/// What both take for an event, in short turns, so that both meet the machine in the same mood: of each
/// stretch of the stream the best of several passes.
fn taking_turns(
    events: &[Event<'static>],
    image: &Arc<Image>,
    patterns: Patterns,
) -> (Duration, Duration) {
    const PASSES: u32 = 30;
    const STRETCH: usize = 1_000;
    let stretches = events.len().div_ceil(STRETCH);
    let mut times = vec![(Duration::MAX, Duration::MAX); stretches];
    for _ in 0..PASSES {
        let mut reference = HandWritten::new(patterns);
        let mut session = Session::new(Arc::clone(image));
        let mut host = FactHost::default();
        for (stretch, (by_hand, compiled)) in events.chunks(STRETCH).zip(&mut times) {
            *by_hand = (*by_hand).min(best(1, 1, || {
                for event in stretch {
                    black_box(reference.apply(event));
                }
            }));
            *compiled = (*compiled).min(best(1, 1, || {
                for event in stretch {
                    black_box(session.apply(event, &mut host));
                }
            }));
        }
    }
    let count = events.len() as u32;
    let (by_hand, compiled): (Vec<_>, Vec<_>) = times.into_iter().unzip();
    (by_hand.iter().sum::<Duration>() / count, compiled.iter().sum::<Duration>() / count)
}

/// What the Python script takes for an event, where there is Python.
fn python(patterns: Patterns, events: &[Event<'static>]) -> Option<Duration> {
    let mut text = patterns.to_json();
    text.push('\n');
    text.push_str(&recording::native(events));
    let path = std::env::temp_dir().join(format!("behavior-bench-{}.jsonl", std::process::id()));
    std::fs::write(&path, text).ok()?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/plain.py");
    let output = std::process::Command::new("python3").arg(script).arg(&path).output();
    let _ = std::fs::remove_file(&path);
    let output = String::from_utf8(output.ok()?.stdout).ok()?;
    output.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// So many rules on shell commands, in the given shape.
fn many(rules: usize, condition: impl Fn(usize) -> String) -> Arc<Image> {
    let mut text = "rule_definitions:\n".to_owned();
    for index in 0..rules {
        text.push_str(&format!(
            "  - id: rule_{index:05}\n    trigger: [bash]\n    action: warn\n    condition:\n      \
             {}\n    message: \"No {{param:command}} here.\"\n",
            condition(index)
        ));
    }
    let files = [("behavior.yaml", text.as_str())];
    let compilation = behavior_compiler::compile(&provider(&files), "behavior.yaml");
    Arc::new(compilation.image.expect("generated rules compile"))
}

fn command(text: String) -> Event<'static> {
    Event::ToolCall(Call {
        id: None,
        tool: "bash".into(),
        native_tool: None,
        params: vec![Param {
            name: "command".into(),
            native: None,
            value: Value::Text(text.into()),
        }],
    })
}

fn rules_against_rules() {
    const CALLS: usize = 20_000;
    let contains = |index: usize| {
        format!("param_contains: {{ param: command, value: \"secret_{index:05}\" }}")
    };
    let matches = |index: usize| {
        format!(
            "param_matches: {{ param: command, pattern: \"deploy\\\\s+--to=stage{index:05}\\\\b\" }}"
        )
    };
    let base = "cd services/billing && cargo build --release --workspace --locked --message-format";
    let none = command(format!("{base}=short 2>&1"));
    let hit = command(format!("{base} secret_00003"));
    let deploy = command(format!("{base} deploy --to=stage00003"));
    for (name, event, shape) in [
        ("contains, no match", &none, &contains as &dyn Fn(usize) -> String),
        ("contains, one match", &hit, &contains),
        ("matches, no match", &none, &matches),
        ("matches, one match", &deploy, &matches),
    ] {
        let time = |rules| {
            let image = many(rules, shape);
            let mut session = Session::new(image);
            let mut host = FactHost::default();
            best(15, CALLS, || {
                for _ in 0..CALLS {
                    black_box(session.apply(event, &mut host));
                }
            })
        };
        let (few, lots) = (time(10), time(10_000));
        show(&format!("10 rules: {name}"), few, "");
        let ratio = lots.as_secs_f64() / few.as_secs_f64();
        show(&format!("10,000 rules: {name}"), lots, &format!("{ratio:.2} x 10 rules"));
    }
}

/// Rules of a policy on commands, none of which covers the one that is called.
fn policy_rules_against_rules() {
    const CALLS: usize = 20_000;
    let event = command("cargo build --release --workspace --locked 2>&1".to_owned());
    let time = |rules: usize| {
        let rule = |index| {
            format!(
                "[[rules]]\nname = \"r{index}\"\naction = \"deny\"\npattern = \"deploy{index:04} --to=*\"\n"
            )
        };
        let text: String = (0..rules).map(rule).collect();
        let files = [("behavior.yaml", "profile: null\n"), ("behavior/policy.toml", text.as_str())];
        let entries = files.map(|(name, _)| name.to_owned());
        let options = behavior_compiler::Options::default();
        let compilation = behavior_compiler::compile_all(&provider(&files), &entries, &options);
        let mut session = Session::new(Arc::new(compilation.image.expect("the policy compiles")));
        let mut host = FactHost::default();
        best(15, CALLS, || {
            for _ in 0..CALLS {
                black_box(session.apply(&event, &mut host));
            }
        })
    };
    let (few, lots) = (time(10), time(1_000));
    show("10 rules of a policy, a call", few, "");
    let ratio = lots.as_secs_f64() / few.as_secs_f64();
    show("1,000 rules of a policy, a call", lots, &format!("{ratio:.2} x 10 rules"));
}

/// Command lines, read, and read and decided on.
fn command_lines() {
    let image = preset("dev").image.expect("the preset compiles");
    let image = Arc::new(image);
    for (name, count, make) in [
        ("100 bytes", 5_000, commands::everyday as fn(usize) -> String),
        ("10 KB", 50, commands::script),
    ] {
        // Two, since the line that was read last is not read again.
        let texts = [make(0), make(1)];
        let events = texts.clone().map(command);
        let mut line = CommandLine::default();
        let time = best(15, count * 2, || {
            for _ in 0..count {
                for text in &texts {
                    let table = behavior_facts::commands::ProgramTable::of(&image);
                    line.read(text, table.as_ref().map(|table| table as _));
                    black_box(line.commands().len());
                }
            }
        });
        let commands = line.commands().len();
        show(&format!("command line of {name}, read"), time, &format!("{commands} commands"));
        let mut session = Session::new(Arc::clone(&image));
        let mut host = FactHost::default();
        let time = best(15, count * 2, || {
            for _ in 0..count {
                for event in &events {
                    black_box(session.apply(event, &mut host));
                }
            }
        });
        let note = format!("{:.0} MB/s", texts[0].len() as f64 / time.as_secs_f64() / 1e6);
        show(&format!("command line of {name}, read and decided on"), time, &note);
    }
}

fn compile_many() {
    let text = stream::many_rules(10_000);
    let files = [("behavior.yaml", text.as_str())];
    let provider = provider(&files);
    let time = best(9, 1, || {
        black_box(behavior_compiler::compile(&provider, "behavior.yaml"));
    });
    let size = text.len() as f64 / 1e6;
    show("10,000 rules checked and compiled", time, &format!("{size:.1} MB of YAML"));
    let read = |text: &str| {
        best(9, 1, || {
            let file = behavior_compiler::source::FileId(0);
            let format = behavior_compiler::syntax::Format::Yaml;
            black_box(behavior_compiler::syntax::parse(file, text, format));
        })
    };
    show("  of which reading the YAML", read(&text), "");
    let quoted = text.replace("message:", "\"message\":").replace("trigger:", "'trigger':");
    show("  and with keys in quotes", read(&quoted), "");
    let folded = text.replace("message: ", "message: >-\n      ").replace("id: ", "id: &a ");
    show("  and with anchors and texts over lines", read(&folded), "");
}

fn load_image() {
    let image = preset("dev").image.expect("the preset compiles");
    let bytes = image.as_bytes().to_vec();
    let time = best(50, 100, || {
        for _ in 0..100 {
            black_box(Image::from_bytes(bytes.clone()).is_ok());
        }
    });
    show("dev image loaded and verified", time, &format!("{} bytes", bytes.len()));
}

/// Recordings in memory, read and decided on by one core.
fn simulate_recordings() {
    const EVENTS: usize = 100_000;
    let events = stream::realistic(EVENTS, 7);
    let image = Arc::new(preset("dev").image.expect("the preset compiles"));
    for (name, format, recording) in [
        ("native trace", Format::NATIVE, recording::native(&events)),
        ("transcript of short lines", Format::CLAUDE_CODE, recording::claude_code(&events)),
    ] {
        let time = best(15, EVENTS, || {
            black_box(recording::simulate(format, &recording, &image));
        });
        let per_second = time.as_secs_f64().recip();
        let megabytes = per_second * recording.len() as f64 / EVENTS as f64 / 1e6;
        let note = format!("{:.2} M events/s, {megabytes:.0} MB/s", per_second / 1e6);
        show(&format!("{name} simulated, an event"), time, &note);
    }
}
