//! Files that are made to hurt: checking and reading them ends, in bounded time and memory, and says
//! what is wrong.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

use std::fmt::Write as _;
use std::io::{BufReader, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use behavior_agents::{Format, Item, Problem, Sink, Stats, detect, read};
use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::{Compilation, Options, compile_all};
use behavior_runtime::{Image, Replay};
use behavior_tests::samples::{image_of, small_provider};

/// Generous: for an unoptimised build on a busy machine. What is quadratic takes far longer.
const MAX_LENGTH: Duration = Duration::from_secs(90);

/// The most memory that this process may ever have taken.
const MAX_MEMORY: usize = 4 << 30;

const MEGABYTE: usize = 1 << 20;

/// How much memory this process took at its worst, where the system tells.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<usize>().ok().map(|kilobytes| kilobytes << 10)
}

#[track_caller]
fn within_bounds<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < MAX_LENGTH, "{what} took {:?}", start.elapsed());
    if let Some(peak) = peak_memory() {
        assert!(peak < MAX_MEMORY, "{what} took {} MB", peak >> 20);
    }
    result
}

/// Compiles bytes as a config.
#[track_caller]
fn compile(what: &str, bytes: impl Into<Vec<u8>>) -> Compilation {
    let project = MemoryFiles::new([("behavior.yaml", bytes)]);
    let provider = WithLibrary { project, ..small_provider(&[]) };
    within_bounds(what, || {
        compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default())
    })
}

/// The config is wrong, and one of the diagnostics is of this kind.
#[track_caller]
fn refused(what: &str, bytes: impl Into<Vec<u8>>, kind: &str) {
    let compilation = compile(what, bytes);
    let kinds: Vec<_> = compilation.diagnostics.iter().map(|d| d.kind.name).take(20).collect();
    assert!(kinds.contains(&kind), "{what}: {kinds:?}");
    assert!(compilation.image.is_none(), "{what}");
    assert!(compilation.diagnostics.len() <= 50_000, "{what}: {}", compilation.diagnostics.len());
}

/// The config compiles, to this many rules.
#[track_caller]
fn accepted(what: &str, bytes: impl Into<Vec<u8>>, rules: u32) {
    let compilation = compile(what, bytes);
    let messages: Vec<_> = compilation.diagnostics.iter().map(|d| &d.message).take(5).collect();
    let image = compilation.image.unwrap_or_else(|| panic!("{what}: {messages:#?}"));
    assert_eq!(image.rules().len(), rules, "{what}");
}

fn rule(condition: &str) -> String {
    format!("rule_definitions:\n  - id: r\n    message: m\n    condition: {condition}\n")
}

#[test]
fn rule_files_nest_too_deep() {
    const DEEP: usize = 100_000;
    refused("open brackets", "[".repeat(DEEP), "too-large");
    refused("closed brackets", "[".repeat(DEEP) + &"]".repeat(DEEP), "too-large");
    refused("open braces", "{a: ".repeat(DEEP), "too-large");
    refused("list items", "- ".repeat(DEEP), "too-large");
    let steps: String = (0..3_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    refused("indented mappings", steps, "too-large");
    let condition = "{not: ".repeat(60) + "{first_tool_this_turn: true}" + &"}".repeat(60);
    refused("negations", rule(&condition), "too-large");
    for opening in ["(", "not ", "not (", "target in s and ("] {
        let condition = format!("'{}'", opening.repeat(DEEP));
        refused(opening, rule(&condition), "invalid-expression");
    }
    let pattern = format!("{{text_matches: '{}a{}'}}", "(".repeat(5_000), ")".repeat(5_000));
    refused("groups", rule(&pattern), "pattern-too-large");
    let repeated = "{text_matches: '((((a{500}){500}){500}){500}){500}'}";
    refused("repetitions", rule(repeated), "pattern-too-large");
}

#[test]
fn rule_files_unfold_without_end() {
    let mut laughs = "a0: &a0 [ha, ha]\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        let _ = writeln!(laughs, "a{level}: &a{level} [*a{below}, *a{below}, *a{below}]");
    }
    refused("laughs", laughs, "too-large");
    let mut wide = format!("a: &a [{}]\n", "x, ".repeat(2_000));
    wide += "b: [";
    wide += &"*a, ".repeat(20_000);
    wide += "]\n";
    refused("a wide alias", wide, "too-large");
    refused("a circle", "a: &a [*a]\n", "unknown-alias");
}

#[test]
fn rule_files_of_odd_bytes() {
    let good = rule("{first_tool_this_turn: true}");
    accepted("as it is", good.clone(), 1);
    accepted("line ends of Windows", good.replace('\n', "\r\n"), 1);
    accepted("a byte order mark", format!("\u{feff}{good}"), 1);
    refused("a NUL", good.replace("message: m", "message: m\0m"), "encoding");
    refused("only NULs", vec![0; 10_000], "encoding");
    let mut broken = good.clone().into_bytes();
    broken[20] = 0xff;
    refused("a byte that is not UTF-8", broken, "encoding");
    refused(
        "UTF-16",
        good.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
        "encoding",
    );
    refused(
        "a doubled key",
        good.replace("    message", "    id: r\n    message"),
        "duplicate-key",
    );
    let keys: String = (0..50_000).map(|_| "rules: {}\n").collect();
    refused("one key again and again", keys, "duplicate-key");
}

#[test]
fn rule_files_of_one_endless_line() {
    let filler = "x".repeat(100 * MEGABYTE);
    let shorter = "x".repeat(10 * MEGABYTE);
    for (what, text) in [
        ("a comment", format!("# {filler}\n{}", rule("{}"))),
        ("a message", format!("rule_definitions: [{{id: r, message: '{filler}'}}]\n")),
        ("a pattern", rule(&format!("{{text_matches: {shorter}}}"))),
        ("an expression", rule(&shorter)),
        ("a key", format!("{shorter}: 1\n")),
        ("no YAML at all", filler.clone()),
        ("blanks", format!("{}\n", " ".repeat(10 * MEGABYTE))),
    ] {
        // Any verdict will do, if it comes.
        let compilation = compile(what, text);
        for diagnostic in compilation.diagnostics.iter().take(100) {
            assert!(diagnostic.message.len() < 10_000, "{what} is quoted at length");
        }
    }
}

/// Runs a trace through the strictest preset.
struct Run {
    replay: Replay,
    events: u64,
    problems: Vec<Problem>,
    last_text: Option<String>,
}

impl Sink for Run {
    fn item(&mut self, item: Item<'_>) {
        self.events += 1;
        if let behavior_runtime::Event::Text { text } = &item.event {
            self.last_text = Some(text.chars().take(20).collect());
        }
        self.replay.apply(&item.session, &item.event);
    }

    fn problem(&mut self, problem: Problem) {
        assert!(problem.message.len() < 10_000, "quoted at length");
        self.problems.push(problem);
    }
}

fn run(what: &str, format: Format, input: impl Read) -> (Run, Stats) {
    static DEV: std::sync::LazyLock<Arc<Image>> =
        std::sync::LazyLock::new(|| Arc::new(image_of("profile: dev\n")));
    let replay = Replay::new(Arc::clone(&DEV));
    let mut run = Run { replay, events: 0, problems: Vec::new(), last_text: None };
    let stats = within_bounds(what, || read(format, &mut BufReader::new(input), &mut run).unwrap());
    (run, stats)
}

/// The trace gives this many events and problems, in the native format; as a transcript, it ends.
#[track_caller]
fn trace(what: &str, bytes: impl AsRef<[u8]>, events: u64, problems: usize) -> Run {
    let bytes = bytes.as_ref();
    let _ = detect(&bytes[..bytes.len().min(4096)]);
    run(what, Format::CLAUDE_CODE, bytes);
    let (run, _) = run(what, Format::NATIVE, bytes);
    assert_eq!((run.events, run.problems.len()), (events, problems), "{what}: {:?}", run.problems);
    run
}

const GOOD: &str = "{\"event\":\"text\",\"text\":\"good\"}\n";

#[test]
fn traces_nest_too_deep() {
    const DEEP: usize = 200_000;
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let inner = open.repeat(DEEP) + "1" + &close.repeat(DEEP);
        let result =
            format!("{{\"event\":\"tool_result\",\"tool\":\"edit\",\"result\":{inner}}}\n");
        let call = format!(
            "{{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{{\"command\":{inner}}}}}\n"
        );
        let cut = format!("{{\"event\":\"tool_result\",\"result\":{}", open.repeat(DEEP));
        let run = trace(open, format!("{result}{call}{GOOD}{cut}"), 1, 3);
        assert_eq!(run.last_text.as_deref(), Some("good"));
    }
}

#[test]
fn traces_of_odd_bytes() {
    trace("line ends of Windows", GOOD.replace('\n', "\r\n"), 1, 0);
    trace("a byte order mark", format!("\u{feff}{GOOD}"), 1, 0);
    trace("a NUL", format!("{}{GOOD}", GOOD.replace("good", "go\0od")), 1, 1);
    // What a file system leaves behind after a crash.
    trace("only NULs", vec![0; 100_000], 0, 0);
    trace(
        "not UTF-8",
        [GOOD.as_bytes(), b"{\"event\":\"\xff\"}\n", GOOD.as_bytes()].concat(),
        2,
        1,
    );
    let run = trace("half a surrogate", GOOD.replace("good", "\\ud800"), 1, 0);
    assert!(run.last_text.is_some_and(|text| text.starts_with('\u{fffd}')));
    let doubled = GOOD.replace("\"text\":", "\"text\":\"bad\",\"text\":");
    let run = trace("a doubled key", doubled, 1, 0);
    assert_eq!(run.last_text.as_deref(), Some("good"));
}

#[test]
fn traces_of_one_endless_line() {
    let filler = "x".repeat(100 * MEGABYTE);
    trace("a text", GOOD.replace("good", &filler) + GOOD, 2, 0);
    let call = |value: &str| {
        format!(
            "{{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{{\"command\":{value}}}}}\n{GOOD}"
        )
    };
    // Patterns look at every byte of these.
    trace("a command", call(&format!("\"{}\"", "cat ".repeat(2 * MEGABYTE))), 2, 0);
    trace("a list", call(&format!("[{}1]", "1,".repeat(MEGABYTE))), 2, 0);
    trace("no JSON at all", filler.clone() + "\n" + GOOD, 1, 1);
    let cut_off = GOOD.replace("good\"}\n", &filler);
    trace("a text without an end", GOOD.to_owned() + &cut_off, 1, 1);
    drop(filler);
    // Longer than any line may be; never held as a whole.
    let endless = std::io::repeat(b'x').take(300 << 20).chain(&b"\n"[..]).chain(GOOD.as_bytes());
    let (run, _) = run("beyond the limit", Format::NATIVE, endless);
    assert_eq!((run.events, run.problems.len()), (1, 1));
}

#[test]
fn traces_of_many_names() {
    const MANY: usize = 30_000;
    let lines = |line: fn(usize) -> String| (0..MANY).map(line).collect::<String>();
    let sessions =
        lines(|n| format!("{{\"event\":\"text\",\"session\":\"{n}\",\"text\":\"a\"}}\n"));
    trace("sessions", sessions, MANY as u64, 0);
    let tools =
        lines(|n| format!("{{\"event\":\"tool_result\",\"tool\":\"t{n}\",\"params\":{{}}}}\n"));
    trace("tools", tools, MANY as u64, 0);
    let open = lines(|n| {
        format!("{{\"event\":\"tool_call\",\"id\":\"{n}\",\"tool\":\"t\",\"params\":{{}}}}\n")
    });
    trace("calls without results", open, MANY as u64, 0);
    let files = lines(|n| {
        format!(
            "{{\"event\":\"tool_result\",\"tool\":\"read\",\"params\":{{\"file_path\":\"{n}\"}}}}\n"
        )
    });
    trace("files", files, MANY as u64, 0);
    let params: String = (0..MANY).map(|n| format!("\"p{n}\":1,")).collect();
    let call = format!(
        "{{\"event\":\"tool_call\",\"tool\":\"t\",\"params\":{{{params}\"command\":\"ls\"}}}}\n"
    );
    trace("parameters", call, 1, 0);
}
