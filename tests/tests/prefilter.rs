//! A first look at a command line never changes what is decided: rules decide alike where every line
//! is read and where most are only looked at.
//!
//! `BEHAVIOR_PREFILTER_CASES` sets how many generated lines are tried; which ones is fixed.
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
use behavior_runtime::decision::Permission;
use behavior_tests::commands::load;
use behavior_tests::samples::image_of_files;
use behavior_tests::script;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

const CASES: u32 = 30_000;

/// Rules on what commands run, with names, subcommands and beginnings of names.
const RULES: &str = r#"
rules: { confirm_destructive: true, no_bash_for_files: true, no_blind_exploration: true }
rule_definitions:
  - id: named
    trigger: bash
    action: warn
    condition:
      runs: { any: [{ program: "mkfs.*" }, { program: terraform, subcommand: "env:*" }, "gh pr close", "deploy prodé", "npm install", { program: pip, subcommand: uninstall }, "docker image rm", "docker-compose down"] }
    message: m
  - id: turned_around
    trigger: bash
    action: warn
    condition: { all: [{ not: { runs: "make install" } }, { param_contains: { param: command, value: install } }] }
    message: m
"#;

/// A rule that asks for any program, so that every line is read.
const ANY_PROGRAM: &str = r#"
  - { id: any_program, trigger: bash, action: warn, condition: { runs: opaque }, message: m }
"#;

/// A policy on commands, of which some allow and some are wary.
const POLICY: &str = r#"
[[rules]]
name = "sudo"
priority = "admin"
action = "deny"
pattern = "bash(sudo *)"

[[rules]]
name = "push"
priority = "user"
action = "ask_user"
tool_pattern = "bash"
arg_pattern = "git push *"

[[rules]]
name = "keys"
priority = "user"
action = "deny"
pattern = "bash(tar * *-rf*)|bash(mkfs* *)|bash(cat */fd/0)|bash(docker image rm *)|bash(pip uninstall *)|bash(find * -delete)"

[[rules]]
name = "building"
priority = "default"
action = "allow"
pattern = "bash(make *)|bash(npm install)|bash(git status *)|bash(echo *)|bash(x)"
"#;

fn image(rules: &str) -> Arc<Image> {
    Arc::new(image_of_files(&[("behavior.yaml", rules), ("policy.toml", POLICY)]))
}

static PREFILTERING: LazyLock<Arc<Image>> = LazyLock::new(|| image(RULES));
static READING: LazyLock<Arc<Image>> = LazyLock::new(|| image(&format!("{RULES}{ANY_PROGRAM}")));

/// The rules without a policy, which would speak of commands of its own.
static ALONE: LazyLock<Arc<Image>> =
    LazyLock::new(|| Arc::new(image_of_files(&[("behavior.yaml", RULES)])));

type Outcome<'i> = (BTreeSet<(&'i str, bool)>, Vec<Option<Permission>>);

/// The rules that fire on a command line, those that cannot be decided, and what the policy says.
fn outcome<'i>(image: &'i Arc<Image>, command: &str) -> Outcome<'i> {
    let steps = script::short(0, "bash", json!({ "command": command }), None);
    let outcomes = script::run(image, &steps).unwrap();
    let permissions = outcomes.iter().map(|outcome| outcome.decision.permission).collect();
    let decisions = || outcomes.iter().map(|outcome| &outcome.decision);
    let fired = decisions().flat_map(|decision| &decision.findings).map(|f| (f.rule, true));
    let open = decisions().flat_map(|decision| &decision.undecided).map(|u| (u.rule, false));
    let named =
        fired.chain(open).filter_map(|(rule, what)| Some((image.rules().get(rule)?.id, what)));
    (named.filter(|(id, _)| *id != "any_program").collect(), permissions)
}

#[track_caller]
fn check(line: &str) {
    assert_eq!(outcome(&PREFILTERING, line), outcome(&READING, line), "{line:?}");
}

static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let entries = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("commands")).unwrap();
    entries.into_iter().map(|entry| entry.command).collect()
});

/// Pieces of lines: what is asked for, what runs others, and all that shells give a meaning to.
const PIECES: [&str; 143] = [
    "rm",
    "-rf",
    "-r",
    "x",
    "git",
    "push",
    "-f",
    "--force",
    "+main",
    "clean",
    "status",
    "commit",
    "-m",
    "-c",
    "alias.x=",
    "x=",
    "core.pager=",
    "ls",
    "-la",
    "find",
    ".",
    "-delete",
    "-exec",
    "+",
    "xargs",
    "-I%",
    "%m",
    "sudo",
    "env",
    "A=1",
    "sh",
    "bash",
    "watch",
    "ssh",
    "host",
    "time",
    "-p",
    "nohup",
    "timeout",
    "5",
    "docker",
    "run",
    "exec",
    "--entrypoint",
    "psql",
    "psql-15",
    "'drop'",
    "table",
    "mkfs.ext4",
    "mkfs",
    "terraform",
    "env:",
    "gh",
    "pr",
    "close",
    "make",
    "install",
    "cat",
    "head",
    "/dev/stdin",
    "/dev/fd/0",
    "/bin/",
    "./",
    "~/",
    ".exe",
    "RM",
    "echo",
    "source",
    "if",
    "then",
    "fi",
    "do",
    "done",
    "for",
    "!",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "*",
    "?",
    ";",
    "&&",
    "||",
    "|",
    "|&",
    "&",
    "&>",
    ">",
    ">>",
    "2>&1",
    "<",
    "<<",
    "<<<",
    "'",
    "\"",
    "\\",
    "$x",
    "$(",
    "`",
    "#",
    "=",
    "rg",
    "--pre",
    "--pr=",
    "config",
    "clone",
    "ext::",
    "tar",
    "-xIf",
    "--to-command=",
    "submodule",
    "foreach",
    "bisect",
    "kubectl",
    "-it",
    "--",
    "export",
    "declare",
    "PAGER=",
    "EDITOR='",
    "LESSOPEN=|",
    "BASH_FUNC_x%%=",
    "parallel",
    ":::",
    "setarch",
    "sed",
    "'1e",
    "s/a/",
    "/e",
    "awk",
    "system(\"",
    "npm",
    "i",
    "podman",
    "image",
    "rmi",
    "compose",
    "down",
    "pip",
    "uninstall",
];

fn soup() -> impl Strategy<Value = String> {
    // Mostly blanks between them, so that lines parse.
    let between = select(vec![" ", " ", " ", " ", " ", "", "", "\n", "\t", "=", "/", "' '", "\r"]);
    vec((select(PIECES.to_vec()), between), 1..9)
        .prop_map(|pieces| pieces.iter().flat_map(|(piece, between)| [*piece, *between]).collect())
}

/// A line of the data with pieces put into it.
fn disturbed() -> impl Strategy<Value = String> {
    let put = vec((any::<prop::sample::Index>(), select(PIECES.to_vec())), 0..3);
    (select(LINES.clone()), put).prop_map(|(line, put)| {
        put.into_iter().fold(line, |mut line, (at, piece)| {
            let borders: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
            let at = if borders.is_empty() { 0 } else { borders[at.index(borders.len())] };
            line.insert_str(at, piece);
            line
        })
    })
}

fn runner() -> TestRunner {
    let cases = std::env::var("BEHAVIOR_PREFILTER_CASES").ok();
    let cases = cases.map_or(CASES, |cases| cases.parse().unwrap());
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]))
}

fn same(line: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(outcome(&PREFILTERING, line), outcome(&READING, line), "{:?}", line);
    Ok(())
}

#[test]
fn lines_of_the_data_are_decided_alike() {
    for line in LINES.iter() {
        check(line);
    }
}

#[test]
fn generated_lines_are_decided_alike() {
    runner().run(&soup(), |line| same(&line)).unwrap();
}

#[test]
fn disturbed_lines_are_decided_alike() {
    runner().run(&disturbed(), |line| same(&line)).unwrap();
}

#[test]
fn a_first_look_is_enough_for_what_nobody_asks_for() {
    for line in [
        "cargo build --release --workspace --locked --message-format=short 2>&1",
        "git add services/billing/src/invoice.rs && git status --short --branch",
        "git log --oneline --since='2 weeks ago' -- docs",
        "cd web && npm run build -- --mode production > build.log || echo failed",
        "curl -sS -X POST http://localhost:8080/api -H 'content-type: application/json' -d @x",
        "mkdir -p build/reports && touch build/reports/doc; du -sh target/*",
        "rg --line-number --glob '!**/generated/**' 'fn (round|floor)' services",
        "git commit -m 'Round half up (see the notes); keep $ signs'",
        "echo \"remove the old files\"",
        "sleep 5 &\nwait",
    ] {
        assert!(!ALONE.may_matter(line), "{line}");
        assert!(READING.may_matter(line), "{line}");
    }
}

#[test]
fn what_may_hide_something_is_read() {
    for line in [
        "rm x",
        "/bin/RM x",
        "r''m x",
        "\"rm\" x",
        "$x",
        "r\\m x",
        "{rm,x}",
        "/bin/r? x",
        "git push",
        "git -c alias.x='!rm -rf x; done' x",
        "git -c core.pager=fi log",
        "git config alias.x '!rm -rf x; done'",
        "git clone 'ext::sh -c (x)' y",
        "rg --pre ./x y",
        "rg --pr=./x y",
        "docker exec x y",
        "echo x | xargs",
        "bash script.sh",
        "psql-15 -c x",
        "mkfs.ext4 /dev/sda",
        "terraform env:x",
        "deploy prodé",
        "sudo x",
        "git pu?h x",
        "tar x y*",
        "nohup 'rm' x",
        "foo )",
        "foo &&",
        "foo | | bar",
        "foo > | bar",
        "x=1",
        "time foo",
        "foo; if",
        "source /dev/stdin",
        "PAGER='rm x' git log",
        "npm i x",
        "python3 -m pip uninstall x",
        "docker rmi x",
        "docker compose down",
        "export PAGER='r\\m x'",
        "env env env env env env env env env foo",
    ] {
        assert!(PREFILTERING.may_matter(line), "{line}");
    }
    assert!(PREFILTERING.prefilters_policy());
    assert!(!READING.prefilters_policy());
    let long = "foo ".repeat(2_000);
    assert!(PREFILTERING.may_matter(&long));
}
