//! However a destructive command is wrapped, quoted or put beside others, it is found; and nothing of
//! that makes a harmless one look destructive.
//!
//! `BEHAVIOR_WRAPPING_CASES` sets how many cases of each property are tried; which ones is fixed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use behavior_runtime::Image;
use behavior_runtime::decision::Finding;
use behavior_shell::CommandLine;
use behavior_tests::commands::{Entry, load};
use behavior_tests::samples::image_of;
use behavior_tests::script;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

const CASES: u32 = 2_000;

static IMAGE: LazyLock<Arc<Image>> = LazyLock::new(|| {
    let rules = "rules: { confirm_destructive: true, confirm_destructive_extended: true }\n";
    Arc::new(image_of(rules))
});

/// The rules that fire on a command line.
fn fired(command: &str) -> BTreeSet<&'static str> {
    findings(command).0
}

/// The rules that fire on a command line, and those that ask since nobody can tell whether they apply.
fn findings(command: &str) -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
    let steps = script::short(0, "bash", json!({ "command": command }), None);
    let outcomes = script::run(&IMAGE, &steps).unwrap();
    let findings = outcomes.iter().flat_map(|outcome| &outcome.decision.findings);
    let (asked, fired): (Vec<_>, Vec<_>) = findings.partition(|finding| finding.is_undecided);
    let rules = |findings: Vec<&Finding>| {
        let rules = findings.into_iter().filter_map(|finding| IMAGE.rules().get(finding.rule));
        rules.map(|rule| rule.id).collect()
    };
    (rules(fired), rules(asked))
}

/// Command lines of the data that can stand inside others, with the rules that fire on them.
static LINES: LazyLock<Vec<(String, BTreeSet<&'static str>)>> = LazyLock::new(|| {
    let entries = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("commands")).unwrap();
    let usable = entries.into_iter().filter(can_be_wrapped);
    usable.map(|Entry { command, .. }| (fired(&command), command)).map(|(f, c)| (c, f)).collect()
});

/// Whether what stands behind a line still belongs to the line: no here-document whose end it would
/// hide, no comment, nothing left open.
fn can_be_wrapped(entry: &Entry) -> bool {
    let mut line = CommandLine::default();
    line.read(&entry.command, None);
    let parses = line.commands().iter().all(|command| command.opaque.is_none());
    let ends_open = entry.command.ends_with(['\\', '&', ';', '\n', '\r']);
    parses
        && !ends_open
        && !entry.command.contains(['#', '\u{a0}'])
        && !entry.command.contains("<<")
}

fn destructive() -> impl Strategy<Value = (String, BTreeSet<&'static str>)> {
    select(LINES.iter().filter(|(_, fired)| !fired.is_empty()).cloned().collect::<Vec<_>>())
}

fn harmless() -> impl Strategy<Value = String> {
    let silent = LINES.iter().filter(|(_, fired)| fired.is_empty());
    select(silent.map(|(command, _)| command.clone()).collect::<Vec<_>>())
}

/// Lines of one simple command, of plain words only.
fn plain() -> impl Strategy<Value = (String, BTreeSet<&'static str>)> {
    let plain = |text: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+,%@ ".contains(c);
        text.chars().all(is_plain)
            && !KEYWORDS.iter().any(|word| text.split(' ').any(|w| w == *word))
    };
    let lines = LINES.iter().filter(|(text, fired)| plain(text) && !fired.is_empty());
    select(lines.cloned().collect::<Vec<_>>())
}

/// Words that mean something else once they are quoted.
const KEYWORDS: [&str; 5] = ["time", "if", "for", "while", "coproc"];

/// In single quotes, as a shell would have it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// In double quotes.
fn double_quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for letter in text.chars() {
        if matches!(letter, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted + "\""
}

/// In `$'…'`, some letters by their numbers.
fn dollar_quoted(text: &str, choice: u8) -> String {
    let mut quoted = "$'".to_owned();
    for (index, letter) in text.chars().enumerate() {
        match (letter, (usize::from(choice) + index) % 3) {
            ('\'' | '\\', _) => quoted.extend(['\\', letter]),
            (letter, 0) if letter.is_ascii() => quoted += &format!("\\x{:02x}", letter as u32),
            (letter, 1) if letter.is_ascii() => quoted += &format!("\\{:03o}", letter as u32),
            (letter, _) => quoted.push(letter),
        }
    }
    quoted + "'"
}

/// How many ways of wrapping there are.
const WAYS: u8 = 24;

/// Those in which a command may run many times: deleting one file does no harm, deleting in a loop may.
const REPEATING: [u8; 3] = [7, 8, 16];

/// The line behind another program, inside a construct, or beside another command.
fn wrapped(line: &str, way: u8) -> String {
    match way % WAYS {
        // Behind a program: only what is a text can hold any line.
        0 => format!("sudo sh -c {}", quoted(line)),
        1 => format!("env A=1 bash -c {}", double_quoted(line)),
        2 => format!("nohup timeout 5 bash -lc {} &", quoted(line)),
        3 => format!("bash -c {}", quoted(line)),
        4 => format!("bash -c {}", dollar_quoted(line, way)),
        5 => format!("eval {}", quoted(line)),
        6 => format!("eval {}", double_quoted(line)),
        7 => format!("xargs -n1 sh -c {} < list", quoted(line)),
        8 => format!("find . -exec sh -c {} \\;", quoted(line)),
        9 => format!("echo {} | bash", quoted(line)),
        10 => format!("bash <<< {}", quoted(line)),
        11 => format!("sh -e <<'END_OF_IT'\n{line}\nEND_OF_IT\necho done"),
        12 => format!("ssh host {}", quoted(line)),
        // Inside a construct.
        13 => format!("( {line} )"),
        14 => format!("{{ {line}; }}"),
        15 => format!("if true; then {line}; fi"),
        16 => format!("while true; do {line}; done"),
        17 => format!("x=$( {line} )"),
        18 => format!("echo \"$( {line} )\" | cat"),
        // Another name each time: one that calls itself is a fork bomb.
        19 => format!("run{0}() {{ {line}; }}; run{0}", line.len()),
        20 => format!("case a in a) {line};; esac"),
        // Beside another command.
        21 => format!("true && {line}"),
        22 => format!("{line} | cat"),
        _ => format!("cd /srv; {line} || echo failed"),
    }
}

/// A simple command behind programs that run others, and first behind what only a shell knows.
fn behind(line: &str, ways: &[u8]) -> String {
    const PREFIXES: [&str; 8] =
        ["", "A=1", "A=1 B='c d'", "time", "!", "exec", "command", "! time -p"];
    const PROGRAMS: [&str; 12] = [
        "sudo",
        "sudo -u www",
        "sudo -E --",
        "sudo A=1",
        "env",
        "env A=1 B=2",
        "env -i",
        "nohup",
        "timeout 5",
        "timeout -s KILL 5s",
        "nice -n 5",
        "/usr/bin/env",
    ];
    let Some((prefix, ways)) = ways.split_first() else { return line.to_owned() };
    let mut words = vec![PREFIXES[usize::from(*prefix) % PREFIXES.len()]];
    words.extend(ways.iter().map(|way| PROGRAMS[usize::from(*way) % PROGRAMS.len()]));
    words.push(line);
    words.join(" ").trim_start().to_owned()
}

/// A word in other quotes.
fn requoted(word: &str, way: u8) -> String {
    let half = word.len() / 2;
    match way % 7 {
        0 => word.to_owned(),
        1 => quoted(word),
        2 => double_quoted(word),
        3 => format!("\\{word}"),
        4 => dollar_quoted(word, way),
        5 => format!("{}''{}", &word[..half], &word[half..]),
        _ => format!("{}{}", double_quoted(&word[..half]), quoted(&word[half..])),
    }
}

/// Whether a line gives names of programs another meaning.
fn renames(line: &str) -> bool {
    ["()", "function ", "alias ", "hash "].iter().any(|sign| line.contains(sign))
}

fn runner() -> TestRunner {
    let cases = std::env::var("BEHAVIOR_WRAPPING_CASES").ok();
    let cases = cases.map_or(CASES, |cases| cases.parse().unwrap());
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

/// Whether at least the expected rules fire. A variable may have one of several values behind other commands: then
/// it is enough that the user is asked.
fn still(line: &str, expected: &BTreeSet<&'static str>) -> Result<(), TestCaseError> {
    let (mut fired, asked) = findings(line);
    if line.contains('$') {
        fired.extend(asked);
    }
    prop_assert!(fired.is_superset(expected), "{line}\nfires {fired:?}, not {expected:?}");
    Ok(())
}

#[test]
fn wrapping_hides_nothing() {
    let cases = (destructive(), vec(any::<u8>(), 1..4));
    let property = |((line, expected), ways): ((String, _), Vec<u8>)| {
        // What is set behind its use in a loop is not known at that use.
        // And `find` puts names of files in place of braces.
        let may_repeat = !line.contains('=') && !line.contains("{}");
        let ways = ways.iter().filter(|&way| may_repeat || !REPEATING.contains(&(way % WAYS)));
        still(&ways.fold(line, |line: String, way| wrapped(&line, *way)), &expected)
    };
    runner().run(&cases, property).unwrap();
}

#[test]
fn programs_that_run_others_hide_nothing() {
    let cases = (plain(), vec(any::<u8>(), 1..4));
    let property =
        |((line, expected), ways): ((String, _), Vec<u8>)| still(&behind(&line, &ways), &expected);
    runner().run(&cases, property).unwrap();
}

#[test]
fn quoting_hides_nothing() {
    let cases = (plain(), vec(any::<u8>(), 1..8));
    let property = |((line, expected), ways): ((String, _), Vec<u8>)| {
        let words = line.split_whitespace().zip(ways.iter().cycle());
        let words: Vec<String> = words.map(|(word, way)| requoted(word, *way)).collect();
        still(&words.join(" "), &expected)
    };
    runner().run(&cases, property).unwrap();
}

#[test]
fn commands_beside_it_hide_nothing() {
    let signs = select(vec!["&&", "||", ";", "|", "&", "\n"]);
    // What gives names another meaning may well hide what it stands beside, and nothing runs behind what ends the shell.
    let beside = harmless()
        .prop_filter("it gives names another meaning", |line| !renames(line))
        .prop_filter("it ends the shell", |line| !line.starts_with("exec "));
    let cases = (destructive(), beside, signs, any::<bool>());
    let property =
        |((line, expected), other, sign, is_first): ((String, _), String, &str, bool)| {
            let (first, second) = if is_first { (&line, &other) } else { (&other, &line) };
            still(&format!("{first} {sign} {second}"), &expected)
        };
    runner().run(&cases, property).unwrap();
}

#[test]
fn wrapping_a_harmless_command_brings_no_finding() {
    // Another meaning of a name is not followed into a text in a text, and what builds make here is work on another
    // machine.
    let lines = harmless().prop_filter("its meaning depends on where it runs", |line| {
        let is_spared_by_place =
            line.contains("rsync") && line.contains("--del") || line.contains("truncate -s");
        !renames(line) && !is_spared_by_place
    });
    let cases = (lines, vec(any::<u8>(), 1..4));
    let property = |(line, ways): (String, Vec<u8>)| {
        let ways = ways.iter().filter(|&way| !REPEATING.contains(&(way % WAYS)));
        let line = ways.fold(line, |line, way| wrapped(&line, *way));
        let fired = fired(&line);
        prop_assert!(fired.is_empty(), "{line}\nfires {fired:?}");
        Ok(())
    };
    runner().run(&cases, property).unwrap();
}
