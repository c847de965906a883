//! Configs and sessions made from bytes: any bytes give a config without errors and events to run
//! through it. Fewer and smaller bytes give simpler ones, so whoever shrinks the bytes shrinks these.

pub mod policy;

use std::fmt::Write as _;

use behavior_agents::{Item, to_native};
use behavior_compiler::conditions::{self, ConditionKind};
use behavior_compiler::registry::schema::{Field, NameKind, Shape};
use behavior_compiler::source::FileId;
use behavior_compiler::syntax;
use behavior_runtime::event::{Call, Event, FileFact, Param, SessionStart, ToolResult, Value};
use serde_json::{Value as Json, json};

use crate::documents::Documents;

/// Bytes that choices are made from; when they run out, every choice is the first.
#[derive(Clone, Debug)]
pub struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// Whether conditions ask for the files that calls touch: images are large then.
    about_files: bool,
}

impl<'b> Choices<'b> {
    /// Choices made from `bytes`.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes: bytes.iter(), about_files: false }
    }

    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// True in `one` of `of` cases; false when the bytes have run out.
    fn rarely(&mut self, of: usize) -> bool {
        self.below(of) == of - 1
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    fn some(&mut self, from: &[&str], most: usize) -> Vec<String> {
        (0..self.below(most + 1)).map(|_| self.one(from).to_owned()).collect()
    }
}

/// What a case is made from.
#[derive(Clone, Debug, Default)]
pub struct Seed {
    /// Bytes of what concerns the whole config.
    pub config: Vec<u8>,
    /// Bytes of each rule.
    pub rules: Vec<Vec<u8>>,
    /// Bytes of each event.
    pub events: Vec<Vec<u8>>,
}

const SETS: [&str; 4] = ["s0", "s1", "read_files", "searched_patterns"];
const COUNTERS: [&str; 4] = ["c0", "c1", "changes_since_test", "reads_since_search"];
const FLAGS: [&str; 3] = ["f0", "f1", "has_web_searched"];
const TRIGGERS: [&str; 18] = [
    "*",
    "edit",
    "read",
    "bash",
    "Edit",
    "write",
    "fs.read",
    "filesystem.edit",
    "grep",
    "mcp__filesystem__edit",
    "FS__Read",
    "a.b.read",
    "web_search",
    "took",
    "multi_edit",
    "glob",
    "a.edit",
    "mcp__write",
];
const TOOLS: [&str; 24] = [
    "delete",
    "delete_file",
    "fs.remove",
    "fs.move_file",
    "edit",
    "read",
    "bash",
    "write",
    "Edit",
    "grep",
    "fs.read",
    "filesystem.edit",
    "editor.edit",
    "mcp__filesystem__Edit",
    "mcp__fs__read",
    "READ",
    "a.b.read",
    "web_search",
    "TOO\u{212a}",
    "multi_edit",
    "glob",
    "fs__write",
    "mcp__mcp__edit",
    "unheard_of",
];
const ABOUT_FILES: [&str; 8] = [
    "reads",
    "writes",
    "deletes",
    "touches",
    "writes_only",
    "deletes_only",
    "touches_only",
    "target_is",
];
const KINDS: [&str; 9] =
    ["scratch", "generated", "outside", "secret", "config", "tests", "docs", "ignored", "named"];
const PARAMS: [&str; 11] = [
    "command",
    "file_path",
    "path",
    "query",
    "pattern",
    "url",
    "target",
    "filepath",
    "table",
    "amount",
    "config_path",
];
const PATHS: [&str; 24] = [
    ".env",
    "tests/a.rs",
    "a.rs",
    "b.rs",
    "./a.rs",
    "src/../a.rs",
    "/repo/a.rs",
    "/repo/src/b.rs",
    "src/b.rs",
    "/repo//src/./b.rs",
    "../repo/a.rs",
    "/link.rs",
    "/real/a.rs",
    "migrations/1/up.sql",
    "A.RS",
    "../../etc/passwd",
    "/etc/passwd",
    "link.rs",
    ".",
    "/",
    "/repo",
    "...",
    "src/",
    "\u{212a}.rs",
];
const PATTERNS: [&str; 34] = [
    "rm -rf",
    "git",
    "k",
    "s",
    "UPDATE|DELETE",
    r"\brm\b",
    "^git",
    "push$",
    "stra\u{df}e",
    "\u{fc}ber",
    r"(?u)\w{5}",
    "warn.{0,9}unused",
    "[^a-z]",
    r"\d{2,}",
    "a|b|",
    ".",
    "pytest|cargo test",
    "not sure|maybe",
    r"(?-i:Git)",
    r"r(m|md)\s+-[rf]+",
    "\u{17f}",
    "\u{212a}",
    r"\.rs$",
    "null",
    "true",
    r#"\{"a":"#,
    r"\[",
    r"^\s*$",
    "x{100}",
    "(?s)git.*push",
    "(gi|ru)t",
    r"\W",
    "tak(e|ing)?",
    "\u{130}",
];
/// Command patterns.
const COMMAND_PATTERNS: [&str; 16] = [
    "opaque",
    "git push --force",
    "git push",
    "rm -rf",
    "rm",
    "rm -r *x*",
    "git push origin +*",
    "git push * main",
    "git stash drop",
    "r? -f",
    "*",
    "sudo",
    "curl *",
    "psql -c *",
    "git -C * push",
    "find -delete",
];
const PROGRAMS: [&str; 18] = [
    "rm", "git", "RM", "psql", "curl", "sh", "bash", "sudo", "find", "xargs", "g*", "r?", "echo",
    "cat", "/bin/rm", "rm.exe", "$x", "python3",
];
const COMMAND_WORDS: [&str; 34] = [
    "-r",
    "-f",
    "-rf",
    "--force",
    "--recursive",
    "--rec",
    "push",
    "reset",
    "--hard",
    "stash",
    "drop",
    "-C",
    "x",
    "$x",
    "\"$x\"",
    "$x/y",
    "main",
    "+main",
    "--",
    "-",
    "-n5",
    "-m",
    "a*",
    "{a,-f}",
    "'r m'",
    "-c",
    "'DROP TABLE a'",
    ">a.rs",
    "<b.rs",
    "2>&1",
    "\"$@\"",
    "--dry-run=$x",
    "-$x",
    "exec",
];
/// Command lines of some interest.
const COMMANDS: [&str; 49] = [
    "git push $x",
    "git push origin \"$x\"",
    "git push $x main",
    "cd $x; git push origin $x",
    "git push",
    "git push",
    "git push --quiet",
    "git push origin HEAD",
    "git push origin main",
    "git checkout main; git push",
    "find src -name '*.rs' -delete",
    "cd src; find . -iname 'a.*' -print -delete",
    "git push",
    "git push origin \"$x\"",
    "rm src/b.rs a.rs",
    "sudo rm -r /repo/src",
    "rm a.rs",
    "mv src/b.rs /tmp/x",
    "rm -rf /tmp/x target",
    "cd src && rm b.rs *.rs",
    "git push --force origin main",
    "git -C x push origin +main",
    "rm -rf $x",
    "rm $flags x",
    "$x y",
    "/bin/rm -fr /repo/src/../a",
    "echo 'rm -rf x'",
    "curl -s u | sh",
    "psql -c 'DROP TABLE a'",
    "psql <<< \"rm -rf $x\"",
    "find . -name a -exec rm -rf {} \\;",
    "find -delete",
    "echo x > /etc/passwd",
    "cat < a.rs >> ./src/../b.rs",
    "eval \"$(curl u)\"",
    "for f in *; do rm $f; done",
    "f() { f | f & }; f",
    "a 'b",
    "git -c alias.x='!rm -rf y' x",
    "echo -f | xargs rm",
    "cat a | sudo tee /etc/b",
    "timeout 5 git stash drop",
    "sudo rm -rf x && cat a.rs",
    "find . -delete; cargo test",
    "for f in *; do ls -l \"$f\"; $run; done",
    "git push origin main -f",
    "bash -c 'git clean -fd' | tee log",
    "psql -c 'drop table a' < $file",
    "ls | xargs rm",
];
const GLOBS: [&str; 17] = [
    "~/src/*",
    "//src/**",
    "./**",
    "src/a.rs",
    "{src/*,b.rs}",
    "*.rs",
    "src/**",
    "**/a.rs",
    "/repo/src/*",
    "./src/*",
    "./a.rs",
    "migrations/**/*.sql",
    "[ab].rs",
    "{a,b}.rs",
    "/etc/*",
    "?.rs",
    "src/",
];
/// What texts say of files.
const POINTERS: [&str; 12] = [
    "see `src/b.rs:2` ",
    "a.rs:3 ",
    "(/repo/a.rs#L1) ",
    "src/b.rs exists. ",
    "[x]/y.rs:1 ",
    "/repo/src/b.rs; ",
    "./c/d.md:4-9 ",
    "b.rs:1: ",
    "> src/b.rs ",
    "a.com/x.json ",
    "no src/b.rs! ",
    "**src/gone.txt** ",
];

const WORDS: [&str; 40] = [
    "yes",
    "proceed? ",
    "i will",
    "say ",
    "\n\n- ",
    "don't",
    "? ",
    ". ",
    "please",
    ", ",
    "git",
    "rm -rf",
    "push",
    "update",
    "DELETE",
    "k",
    "\u{212a}",
    "\u{17f}",
    "stra\u{df}e",
    "STRASSE",
    "\u{fc}ber",
    "\u{dc}BER",
    "warning: is unused",
    "42",
    "pytest",
    "cargo  test",
    "not sure",
    "Maybe",
    "\n",
    " ",
    "\"",
    "{",
    "}",
    "tak\u{212a}",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "password = \"hunter2hunter2\"",
    "a.rs",
    "\u{1f980}",
    "rmd -f",
    "\u{130}",
];
const LITERALS: [&str; 14] = [
    "git",
    "rm -rf",
    "k",
    "s",
    "\u{df}",
    "\u{fc}ber",
    "GIT PUSH",
    "\u{212a}",
    "null",
    "",
    "{\"a\":",
    "4",
    "\u{17f}t",
    "unused",
];

/// Documents that messages quote; the last is nowhere.
const DOCUMENTS: [&str; 5] = ["rules.md", "docs/user.md", "blank.md", "long.md", "none.md"];

/// What there is of them.
#[must_use]
pub fn documents() -> Documents {
    let long = "\u{fc}ber ".repeat(3000);
    Documents::of([
        ("rules.md", "\n - Keep it short:\n\n"),
        ("blank.md", " \n"),
        ("long.md", &long),
        ("~/.config/behavior/rules.md", "not this one"),
        ("~/.config/behavior/docs/user.md", "Be kind."),
        ("~/.config/behavior/blank.md", "Not blank."),
    ])
}

/// The config as text: JSON, which is YAML too, or YAML in blocks.
#[must_use]
pub fn config(seed: &Seed) -> String {
    let mut choices = Choices::new(&seed.config);
    let about_files = choices.rarely(3);
    let as_blocks = choices.rarely(2);
    let delivery = delivery(&mut choices);
    let preset = if choices.rarely(16) {
        json!(choices.one(&[
            "dev",
            "coding",
            "research",
            "data",
            "creative",
            "assistant",
            "read_control",
        ]))
    } else {
        Json::Null
    };
    let rules: serde_json::Map<String, Json> = switches(&mut choices, preset.is_string());
    let state = tracking(&mut choices);
    let in_custom = choices.below(4);
    let (mut definitions, mut custom, mut exceptions) = (Vec::new(), Vec::new(), Vec::new());
    for (index, bytes) in seed.rules.iter().enumerate() {
        let mut choices = Choices::new(bytes);
        choices.about_files = about_files;
        let rule = rule(index, &mut choices);
        exceptions.extend(exception(&rule, &mut choices));
        if index % 4 < in_custom { custom.push(rule) } else { definitions.push(rule) }
    }
    let reminder = if choices.rarely(2) { choices.one(&DOCUMENTS) } else { "" };
    let mut whole = json!({
        "profile": preset,
        "turn_reminder": reminder,
        "rules": rules,
        "state_tracking": state,
        "rule_definitions": definitions,
        "custom": custom,
        "exceptions": exceptions,
        "delivery": delivery,
    });
    if choices.rarely(3) {
        let brain = json!({ "provider": "ollama", "model": "small" });
        whole["verifier"] = json!({
            "brain": brain, "window_turns": 1 + choices.below(3), "max_rounds": choices.below(3),
        });
    }
    if as_blocks { blocks(&whole) } else { whole.to_string() }
}

fn delivery(choices: &mut Choices<'_>) -> Json {
    match choices.below(4) {
        1 => json!({ "max_per_turn": choices.below(4), "show_user": "all" }),
        _ => json!({}),
    }
}

fn switches(choices: &mut Choices<'_>, has_preset: bool) -> serde_json::Map<String, Json> {
    let mut rules = serde_json::Map::new();
    for rule in ["read_before_edit", "search_before_read", "test_after_changes"] {
        match choices.below(3) {
            0 => {}
            on => drop(rules.insert(rule.to_owned(), json!(on == 1))),
        }
    }
    for threshold in ["max_blind_reads", "changes_before_test_reminder", "max_sequential_same_tool"]
    {
        match choices.below(6) {
            0 => {}
            number => drop(rules.insert(threshold.to_owned(), json!(number - 1))),
        }
    }
    if has_preset && choices.rarely(2) {
        rules.insert("no_bash_for_files".to_owned(), json!(false));
    }
    rules
}

/// Whether a config needs the real standard library.
#[must_use]
pub fn has_preset(config: &str) -> bool {
    !config.contains("\"profile\":null") && !config.contains("\"profile\": null")
}

fn tools(choices: &mut Choices<'_>, most: usize) -> Json {
    let names = choices.some(&TRIGGERS, most);
    // One name need not be a list.
    match &*names {
        [name] if choices.rarely(2) => json!(name),
        _ => json!(names),
    }
}

fn tools_and(choices: &mut Choices<'_>, first: &str) -> Json {
    let mut names = choices.some(&TRIGGERS, 2);
    if names.is_empty() {
        names.push(first.to_owned());
    }
    json!(names)
}

fn tracking(choices: &mut Choices<'_>) -> Json {
    let mut sets = serde_json::Map::new();
    for name in ["s0", "s1"] {
        let mut add_on = tools(choices, 3);
        if add_on == json!([]) && choices.rarely(2) {
            add_on = json!(["read"]);
        }
        let mut set = json!({ "add_on": add_on, "fingerprint": name == "s0" });
        for other in ["add_on_call", "add_on_success"] {
            if choices.rarely(3) {
                set[other] = tools(choices, 2);
            }
        }
        if choices.rarely(2) {
            set["survives_compaction"] = json!(choices.rarely(2));
        }
        if choices.rarely(2) {
            set["target"] = json!(choices.one(&PARAMS));
        }
        if choices.rarely(2) {
            set["aliases"] = json!(choices.some(&PARAMS, 3));
        }
        match choices.below(5) {
            0 => {}
            turns => set["window_turns"] = json!(turns),
        }
        if choices.rarely(5) {
            set["add_when"] = change_condition(choices);
        }
        if choices.about_files && choices.rarely(2) {
            set["add_paths"] = json!(choices.some(&["read", "written", "made"], 2));
        }
        sets.insert(name.to_owned(), set);
    }
    let mut counters = serde_json::Map::new();
    // Redeclared, a name takes the place of the default of that name.
    let redeclared: &[&str] =
        if choices.rarely(4) { &["c0", "c1", "changes_since_test"] } else { &["c0", "c1"] };
    for &name in redeclared {
        let mut counter = json!({
            "increment_on": tools_and(choices, "edit"),
            "reset_on": tools(choices, 1),
        });
        if choices.rarely(2) {
            counter["reset_when"] = json!({
                "tool": choices.one(&["bash", "bash, edit", "*", "fs.read,Bash"]),
                "param": choices.one(&PARAMS),
                "matches": pattern(choices),
            });
        } else if choices.rarely(4) {
            counter["reset_when"] = change_condition(choices);
        }
        let phase = if choices.rarely(3) { "pre_tool" } else { "post_tool" };
        if phase == "pre_tool" {
            counter["count"] = json!("started");
        }
        if choices.rarely(4) {
            counter["increment_when"] = condition(choices, phase, 2).mapping;
        }
        if choices.rarely(4) {
            counter["per"] = json!(choices.one(&["turn", "session"]));
        }
        counters.insert(name.to_owned(), counter);
    }
    let mut flags = serde_json::Map::new();
    for name in ["f0", "f1"] {
        let mut flag = json!({
            "set_on": tools_and(choices, "read"),
            "unset_on": tools(choices, 2),
        });
        if choices.rarely(4) {
            flag["set_when"] = change_condition(choices);
        }
        if choices.rarely(4) {
            flag["unset_when"] = change_condition(choices);
        }
        if choices.rarely(8) {
            flag = json!({ "set_when": change_condition(choices) });
        }
        if choices.rarely(4) {
            flag["per"] = json!("turn");
        }
        flags.insert(name.to_owned(), flag);
    }
    json!({ "sets": sets, "counters": counters, "flags": flags })
}

/// What must hold of a call that changes something.
fn change_condition(choices: &mut Choices<'_>) -> Json {
    condition(choices, "post_tool", 2).mapping
}

fn rule(index: usize, choices: &mut Choices<'_>) -> Json {
    let phases = ["pre_tool", "post_tool", "pre_tool", "on_text", "turn_end"];
    let phase = choices.one(&phases);
    let mut rule = json!({ "id": format!("r{index}"), "when": phase });
    if !["on_text", "turn_end"].contains(&phase) {
        let mut triggers = choices.some(&TRIGGERS, 3);
        triggers.dedup();
        rule["trigger"] = match &*triggers {
            [] => json!("*"),
            [one] => json!(one),
            several => json!(several),
        };
    }
    let actions: &[&str] = match phase {
        "pre_tool" => &["warn", "block", "remind", "ask"],
        _ => &["warn", "block", "remind"],
    };
    rule["action"] = json!(choices.one(actions));
    if choices.rarely(3) {
        rule["when_undecided"] = json!(choices.one(&["ask", "allow", "deny"]));
    }
    rule["message"] = json!(message(choices));
    if !choices.rarely(8) {
        let condition = condition(choices, phase, 4);
        rule["condition"] = match &condition.expression {
            Some(expression) if choices.rarely(3) => json!(expression),
            _ => condition.mapping,
        };
    }
    rule["repeat"] = match choices.below(8) {
        1 => json!("target"),
        2 => json!("turn"),
        3 => json!("session"),
        4 => json!({ "calls": choices.below(4) + 1 }),
        _ => json!("always"),
    };
    if choices.rarely(6) {
        rule["in_subagent"] = json!(choices.rarely(3));
    }
    if choices.rarely(6) {
        rule["needs"] = json!(choices.some(&["read", "bash", "fs.edit"], 2));
    }
    rule
}

/// What makes a rule silent at times.
fn exception(rule: &Json, choices: &mut Choices<'_>) -> Option<Json> {
    let phase = rule["when"].as_str().filter(|_| choices.rarely(3))?;
    let condition = condition(choices, phase, 2);
    let when = match &condition.expression {
        Some(expression) if choices.rarely(3) => json!(expression),
        _ => condition.mapping,
    };
    Some(json!({ "rule": rule["id"], "when": when, "reason": format!("of {}", rule["id"]) }))
}

/// A condition in both forms, the second where it has one.
struct Condition {
    mapping: Json,
    expression: Option<String>,
}

fn condition(choices: &mut Choices<'_>, phase: &str, depth: usize) -> Condition {
    let kind = choices.below(if depth == 0 { 1 } else { 6 });
    match kind {
        1 | 2 | 5 => {
            let (name, word) = if kind == 2 { ("any", " or ") } else { ("all", " and ") };
            let parts: Vec<Condition> =
                (0..choices.below(3) + 1).map(|_| condition(choices, phase, depth - 1)).collect();
            let expressions: Option<Vec<String>> = parts
                .iter()
                .map(|part| part.expression.as_ref().map(|text| format!("({text})")))
                .collect();
            let mappings: Vec<&Json> = parts.iter().map(|part| &part.mapping).collect();
            Condition {
                mapping: json!({ name: mappings }),
                expression: expressions.map(|texts| texts.join(word)),
            }
        }
        3 => negated(condition(choices, phase, depth - 1)),
        4 => {
            // Deep, but not too deep.
            let times = choices.below(12);
            let inner = condition(choices, phase, 0);
            (0..times).fold(inner, |inner, _| negated(inner))
        }
        _ => test(choices, phase),
    }
}

fn negated(inner: Condition) -> Condition {
    Condition {
        mapping: json!({ "not": inner.mapping }),
        expression: inner.expression.map(|text| format!("not ({text})")),
    }
}

/// Any condition that can hold in the phase, with an argument of the shape that it declares.
fn test(choices: &mut Choices<'_>, phase: &str) -> Condition {
    let about_files = choices.about_files;
    let holds = |kind: &&&ConditionKind| {
        let has_phase = kind.phases.iter().any(|known| known.name() == phase);
        has_phase && (about_files || !ABOUT_FILES.contains(&kind.name))
    };
    // Where they are asked for at all, they are asked for often.
    let only_files = about_files && choices.rarely(2);
    let mut kinds: Vec<_> = conditions::ALL.iter().filter(holds).collect();
    if only_files && !["on_text", "turn_end"].contains(&phase) {
        kinds.retain(|kind| ABOUT_FILES.contains(&kind.name));
        // Few calls delete.
        let deletes: Vec<_> =
            kinds.iter().filter(|kind| kind.name.starts_with("deletes")).copied().collect();
        kinds.extend(deletes.repeat(2));
    }
    // What command lines run comes more often, where there is a call.
    let often = ["runs", "runs", "pushes_to", "target_is"][choices.below(4)];
    let often = kinds.iter().position(|kind| kind.name == often).unwrap_or(0);
    let kind = kinds.get(choices.below(kinds.len() + 10)).copied().unwrap_or(kinds[often]);
    let argument = match kind.name {
        // What is ignored nobody tells.
        "target_is" if choices.rarely(2) => json!(["secret", "tests"]),
        "target_is" => json!(choices.one(&KINDS[..7])),
        name if ABOUT_FILES.contains(&name) => paths(choices),
        "contains_secret" => secret_place(choices, phase),
        "branch" | "pushes_to" => branches(choices),
        // Only this set keeps fingerprints.
        "target_changed_since" => json!("s0"),
        "runs" => runs(choices, 2),
        _ => argument(choices, kind.argument),
    };
    let mapping = json!({ kind.name: argument });
    let node = syntax::parse(FileId(0), &mapping.to_string(), syntax::Format::Json).root;
    Condition { expression: behavior_compiler::expression::print(&node), mapping }
}

/// Any argument of a shape.
fn argument(choices: &mut Choices<'_>, shape: Shape) -> Json {
    const SCALARS: &str = r#"["git", "a.rs", 5, true, "null", "42", 1.5, -3]"#;
    let scalars: Json = serde_json::from_str(SCALARS).unwrap();
    match shape {
        Shape::Bool => json!(!choices.rarely(6)),
        Shape::Int(..) => json!(choices.below(5)),
        Shape::Any => json!(choices.below(6) as i64 - 1),
        Shape::Name(NameKind::Set) => json!(choices.one(&SETS)),
        Shape::Name(NameKind::Counter) => json!(choices.one(&COUNTERS)),
        Shape::Name(NameKind::Flag) => json!(choices.one(&FLAGS)),
        Shape::Name(NameKind::Param) => json!(choices.one(&PARAMS)),
        Shape::Pattern => json!(pattern(choices)),
        Shape::Glob => json!(choices.one(&GLOBS)),
        Shape::Text => json!(choices.one(&LITERALS)),
        Shape::Choice(words) => json!(words[choices.below(words.len())].name),
        Shape::List(_) => scalars,
        Shape::Either(_) => scalars[choices.below(8)].clone(),
        Shape::Record(record) => {
            let field = |field: &Field| (field.name.to_owned(), argument(choices, field.shape));
            record.fields.iter().map(field).collect()
        }
        other => panic!("there is no generator of {}", other.describe()),
    }
}

/// Names that a branch may have.
fn branches(choices: &mut Choices<'_>) -> Json {
    const NAMES: [&str; 5] = ["main", "default", "protected", "f*", "*"];
    match choices.below(3) {
        0 => json!([choices.one(&NAMES), choices.one(&NAMES)]),
        _ => json!(choices.one(&NAMES)),
    }
}

/// Paths that files may have.
fn paths(choices: &mut Choices<'_>) -> Json {
    let one = |choices: &mut Choices<'_>| match choices.below(6) {
        4 => json!({ "in": choices.one(&SETS) }),
        5 => json!({ "is": choices.one(&KINDS), "not": choices.one(&GLOBS) }),
        0 => json!({ "is": choices.one(&KINDS) }),
        1 => json!({ "is": [choices.one(&KINDS), choices.one(&KINDS)] }),
        _ => json!(choices.one(&GLOBS)),
    };
    match choices.below(3) {
        0 => (0..choices.below(2) + 1).map(|_| one(choices)).collect(),
        _ => one(choices),
    }
}

/// A place that the phase has.
fn secret_place(choices: &mut Choices<'_>, phase: &str) -> Json {
    let places = match phase {
        "on_text" => vec![json!("text"), json!(true)],
        "pre_tool" => vec![json!("params"), json!(true), json!({ "param": "command" })],
        _ => vec![json!("params"), json!(true), json!("result"), json!({ "param": "command" })],
    };
    places[choices.below(places.len())].clone()
}

/// What a command must look like: a pattern or a mapping.
fn runs(choices: &mut Choices<'_>, depth: usize) -> Json {
    match choices.below(8) {
        0..=2 => json!(choices.one(&COMMAND_PATTERNS)),
        3 if depth > 0 => {
            let count = choices.below(3) + 1;
            let any: Vec<Json> = (0..count).map(|_| runs(choices, depth - 1)).collect();
            match choices.about_files && choices.rarely(2) {
                true => json!({ "any": any, "spares": paths(choices) }),
                false => json!({ "any": any }),
            }
        }
        _ => described(choices),
    }
}

/// A mapping of some of the fields that `runs` has.
fn described(choices: &mut Choices<'_>) -> Json {
    let mut fields = serde_json::Map::new();
    if !choices.rarely(5) {
        fields.insert("program".to_owned(), one_or_many(choices, &PROGRAMS));
    }
    let texts: [(&str, &[&str]); 12] = [
        ("subcommand", &["push", "stash drop", "reset", "p*", "exec"]),
        ("flags", &["r", "f", "force", "-r", "--hard", "m=a*", "c"]),
        ("any_flag", &["f", "force", "hard", "d", "c=*x*"]),
        ("no_flag", &["n", "dry-run", "f", "m=a*"]),
        ("operand", &["+*", "main", "*x*", "/", "*", "a.rs", "HEAD~?"]),
        ("writes", &["/etc/**", "*.rs", "/repo/*", "**", "~/*"]),
        ("reads", &["a.rs", "**/b.rs", "/dev/*", "*"]),
        ("substitutes", &["curl", "cat", "git"]),
        ("piped_from", &["curl", "echo", "CAT", "git"]),
        ("under", &["sudo", "xargs", "bash", "find", "eval"]),
        ("without_operand", &["*:*", "a*", "-*"]),
        ("variable", &["A", "A=1", "X=*", "GIT_DIR=?*"]),
    ];
    for _ in 0..choices.below(3) {
        let (name, values) = texts[choices.below(texts.len())];
        fields.insert(name.to_owned(), one_or_many(choices, values));
    }
    match choices.below(12) {
        0 => drop(fields.insert("no_operand".to_owned(), json!(true))),
        1 => drop(fields.insert("unknown_operand".to_owned(), json!(true))),
        8 => drop(fields.insert("pattern_operand".to_owned(), json!(true))),
        2 => drop(fields.insert("in_loop".to_owned(), json!(true))),
        9 => drop(fields.insert("overwrites".to_owned(), json!(true))),
        3 => drop(fields.insert("calls_itself".to_owned(), json!(true))),
        4 | 5 => drop(fields.insert("given".to_owned(), json!(pattern(choices)))),
        6 => drop(fields.insert("param".to_owned(), json!("query"))),
        7 => drop(fields.insert("statement".to_owned(), json!(pattern(choices)))),
        _ => {}
    }
    if fields.contains_key("subcommand") {
        fields.remove("no_operand");
    }
    if fields.is_empty() {
        fields.insert("program".to_owned(), json!("git"));
    }
    Json::Object(fields)
}

fn one_or_many(choices: &mut Choices<'_>, from: &[&str]) -> Json {
    let first = choices.one(from);
    if choices.rarely(3) { json!([first, choices.one(from)]) } else { json!(first) }
}

/// A command line: simple commands, put together and into one another.
fn command_line(choices: &mut Choices<'_>) -> String {
    let mut line = simple_command(choices);
    for _ in 0..choices.below(4) {
        line = match choices.below(16) {
            0 => format!("sudo {line}"),
            1 => format!("env A=1 {line}"),
            2 => format!("bash -c '{}'", line.replace('\'', r"'\''")),
            3 => format!("eval \"{}\"", line.replace(['"', '\\', '`'], "")),
            4 => format!("{line} | {}", simple_command(choices)),
            5 => format!("{} && {line}", simple_command(choices)),
            6 => format!("( {line}; {} )", simple_command(choices)),
            7 => format!("for f in a *.rs; do {line}; done"),
            8 => format!("f() {{ {line} | f & }}; f"),
            9 => format!("{} \"$({line})\"", choices.one(&PROGRAMS)),
            10 => format!("echo '{}' | sh", line.replace('\'', "")),
            11 => format!("xargs {line}"),
            12 => format!("x={}; {line}", choices.one(&["rm", "-rf", "'a b'", "$(git a)"])),
            13 => format!("{} <<E\n{line}\nE", choices.one(&PROGRAMS)),
            14 => format!("{{ {line}; }} > {}", choices.one(&PATHS)),
            _ => format!("{line} < {}", choices.one(&PATHS)),
        };
    }
    line
}

fn simple_command(choices: &mut Choices<'_>) -> String {
    if choices.rarely(3) {
        return choices.one(&COMMANDS).to_owned();
    }
    let mut line = choices.one(&PROGRAMS).to_owned();
    for _ in 0..choices.below(5) {
        line.push(' ');
        line += choices.one(&COMMAND_WORDS);
    }
    line
}

/// A pattern that compiles: a usual one, or one put together from small pieces.
fn pattern(choices: &mut Choices<'_>) -> String {
    if !choices.rarely(3) {
        return choices.one(&PATTERNS).to_owned();
    }
    let mut pattern = String::new();
    for index in 0..choices.below(4) + 1 {
        if index > 0 && choices.rarely(4) {
            pattern.push('|');
        }
        pattern += choices.one(&[
            "a", "b", "k", "git", "K", "\u{17f}", ".", r"\d", "[ab]", "\u{e9}", "(?:ab|k)", r"\b",
            "^", "(s|t)", "[^k]", r"\s", "rm",
        ]);
        let repeatable = !pattern.ends_with('^') && !pattern.ends_with(r"\b");
        if repeatable {
            pattern += choices.one(&["", "", "?", "*", "+", "{2}", "{0,3}", "*?"]);
        }
    }
    pattern
}

fn message(choices: &mut Choices<'_>) -> String {
    let mut message = "m ".to_owned();
    for _ in 0..choices.below(4) {
        message += &match choices.below(14) {
            0 => "{target} ".to_owned(),
            1 => "{tool} ".to_owned(),
            2 => "{turn} ".to_owned(),
            3 => "{tool_calls_this_turn} ".to_owned(),
            4 => "{consecutive_same_tool} ".to_owned(),
            5 | 6 => format!("{{param:{}}} ", choices.one(&PARAMS)),
            7 => format!("{{counter:{}}} ", choices.one(&COUNTERS)),
            8 => format!("{{set_count:{}}} ", choices.one(&SETS)),
            9 => format!("{{flag:{}}} ", choices.one(&FLAGS)),
            10 => "{{braces}} ".to_owned(),
            11 => "about:\n".to_owned(),
            12 => format!("{{file:{}}} ", choices.one(&DOCUMENTS)),
            _ => "\u{fc}\n\"quoted\" ".to_owned(),
        };
    }
    message
}

/// YAML in blocks, every text in quotes.
fn blocks(value: &Json) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

fn block(value: &Json, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Json::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                let _ = write!(out, "{pad}{}:", json!(key));
                nested(value, indent + 2, out);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for item in items {
                let _ = write!(out, "{pad}-");
                nested(item, indent + 2, out);
            }
        }
        scalar => {
            let _ = writeln!(out, "{pad}{scalar}");
        }
    }
}

fn nested(value: &Json, indent: usize, out: &mut String) {
    let is_block = match value {
        Json::Object(entries) => !entries.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_block {
        out.push('\n');
        block(value, indent, out);
    } else {
        let _ = writeln!(out, " {value}");
    }
}

/// The events as a native trace.
#[must_use]
pub fn trace(seed: &Seed) -> String {
    let mut lines = String::new();
    for bytes in &seed.events {
        let mut choices = Choices::new(bytes);
        let session = choices.one(&["default", "s1", "default", "s2"]);
        let events =
            if choices.rarely(12) { episode(&mut choices) } else { vec![event(&mut choices)] };
        for event in events {
            let item = Item { line: 0, session: session.into(), ts: None, event };
            lines += &to_native(&item);
            lines.push('\n');
        }
    }
    lines
}

/// What single events seldom come to: a file is used, changes, and is used again.
fn episode(choices: &mut Choices<'_>) -> Vec<Event<'static>> {
    let path = choices.one(&["a.rs", "/repo/a.rs", "src/b.rs", "/link.rs"]);
    let fact = |choices: &mut Choices<'_>| {
        Event::Fs(FileFact {
            path: path.into(),
            exists: !choices.rarely(8),
            size: Some(u64::from(choices.byte() % 3)),
            ..FileFact::default()
        })
    };
    let on_path = |tool: &'static str| {
        let value = Value::Text(path.into());
        let params = vec![Param { name: "file_path".into(), native: None, value }];
        Call { tool: tool.into(), params, ..Call::default() }
    };
    let result = |tool, ok| {
        Event::ToolResult(ToolResult { call: Some(on_path(tool)), ok, ..ToolResult::default() })
    };
    let mut events = vec![fact(choices), result(choices.one(&["read", "edit", "fs.read"]), true)];
    if choices.rarely(3) {
        events.push(Event::TurnStart { text: None });
    }
    events.push(fact(choices));
    if choices.rarely(3) {
        events.push(result(choices.one(&["edit", "write"]), !choices.rarely(3)));
    }
    events.push(Event::ToolCall(on_path(choices.one(&["edit", "write", "read"]))));
    let program = choices.one(&["rm", "rm -rf", "git rm", "mv"]);
    let command = format!("{program} {path} {}", choices.one(&["", "b.rs", "$X"]));
    let value = Value::Text(command.into());
    let params = vec![Param { name: "command".into(), native: None, value }];
    events.push(Event::ToolCall(Call { tool: "bash".into(), params, ..Call::default() }));
    events
}

fn event(choices: &mut Choices<'_>) -> Event<'static> {
    match choices.below(20) {
        0..=5 => Event::ToolCall(call(choices, false)),
        6..=12 => {
            let id = id(choices);
            let call = (id.is_none() || choices.rarely(4)).then(|| call(choices, true));
            // Sometimes nothing tells which call it was.
            let call = if choices.rarely(10) { None } else { call };
            let result = (!choices.rarely(6)).then(|| result_value(choices));
            Event::ToolResult(ToolResult { id, call, result, ok: !choices.rarely(5) })
        }
        13 | 14 => Event::TurnStart { text: choices.rarely(2).then(|| text(choices).into()) },
        15 if choices.rarely(2) => {
            Event::TurnEnd { text: (!choices.rarely(4)).then(|| text(choices).into()) }
        }
        15 | 16 => Event::Text { text: text(choices).into() },
        17 => Event::Fs(FileFact {
            path: choices.one(&PATHS).into(),
            exists: !choices.rarely(4),
            size: (!choices.rarely(4)).then(|| u64::from(choices.byte() % 3)),
            mtime: (!choices.rarely(4)).then(|| i64::from(choices.byte() % 3)),
            lines: choices.rarely(3).then(|| u64::from(choices.byte() % 8)),
            real: choices.rarely(4).then(|| choices.one(&["/real/a.rs", "/repo/a.rs"]).into()),
        }),
        18 => match choices.below(8) {
            5 => Event::VerifierReply { reply: Ok(r#"{"ok": false}"#.into()) },
            6 => Event::VerifierReply { reply: Err("no answer".into()) },
            7 => Event::UserShell { command: text(choices).into(), hidden: choices.rarely(3) },
            4 => Event::Compaction,
            0 => Event::Clock { now: i64::from(choices.byte()) },
            1 => Event::SessionEnd,
            2 => Event::ClassifierReply { raw: "{}".into() },
            _ => Event::Request { body: r#"{"event":"request","model":"m"}"#.into() },
        },
        _ => Event::SessionStart(SessionStart {
            cwd: Some(choices.one(&["/repo", "/repo/", "/", "/repo/./src/..", "relative"]).into()),
            subagent: choices.rarely(2).then(|| choices.rarely(2)),
            branch: choices.rarely(2).then(|| choices.one(&["main", "feature", "x"]).into()),
            tools: choices.rarely(2).then(|| {
                let tools = choices.some(&["read", "bash", "fs__edit", "shell"], 3);
                tools.into_iter().map(Into::into).collect()
            }),
            ..SessionStart::default()
        }),
    }
}

fn id(choices: &mut Choices<'_>) -> Option<std::borrow::Cow<'static, str>> {
    match choices.below(5) {
        0 => None,
        number => Some(format!("id{number}").into()),
    }
}

fn call(choices: &mut Choices<'_>, is_repeated: bool) -> Call<'static> {
    let tool = choices.one(&TOOLS);
    let native_tool = choices.rarely(6).then(|| choices.one(&TOOLS).into());
    let mut params: Vec<Param<'static>> = Vec::new();
    let count = choices.below(4);
    for _ in 0..count {
        let name = choices.one(&PARAMS);
        if params.iter().any(|param| param.name == name) {
            continue;
        }
        let native = choices.rarely(8).then(|| choices.one(&PARAMS).into());
        params.push(Param { name: name.into(), native, value: value(choices, name) });
    }
    if choices.rarely(8) {
        let name = choices.one(&["workdir", "cwd"]);
        let value = Value::Text(choices.one(&["src", "/repo/src", "", "/tmp", ".."]).into());
        params.push(Param { name: name.into(), native: None, value });
    }
    let id = if is_repeated { None } else { id(choices) };
    Call { id, tool: tool.into(), native_tool, params }
}

fn value(choices: &mut Choices<'_>, name: &str) -> Value<'static> {
    let is_path = name.ends_with("path") || name == "target";
    match choices.below(8) {
        0..=4 if is_path => Value::Text(choices.one(&PATHS).into()),
        1..=4 if name == "command" || name == "query" => Value::Text(command_line(choices).into()),
        5 if name == "command" => {
            let words = choices.some(&COMMAND_WORDS, 4);
            Value::Json(json!([&["rm".to_owned()], &words[..]].concat()).to_string().into())
        }
        0..=4 => Value::Text(text(choices).into()),
        5 => Value::Text("".into()),
        6 => {
            let items =
                [json!(text(choices)), json!(42), json!({ "a": text(choices) }), Json::Null];
            Value::Json(json!(&items[..choices.below(5)]).to_string().into())
        }
        _ => Value::Json(
            choices
                .one(&["5", "true", "null", "1.5", "-3", "{ \"a\" : [1, 2] }", "1e2", "false"])
                .into(),
        ),
    }
}

fn result_value(choices: &mut Choices<'_>) -> Value<'static> {
    match choices.below(6) {
        0..=2 => Value::Text(text(choices).into()),
        3 => {
            let lint = json!([{ "severity": choices.one(&["error", "warning"]) }, 5]);
            Value::Json(json!({ "lint": lint, "text": text(choices) }).to_string().into())
        }
        4 => Value::Json(
            choices
                .one(&[
                    r#"{"data": {"lint": [{"severity": "error"}]}}"#,
                    r#"{"l\u0069nt": [{"severity": "error"}]}"#,
                    r#"{"lint": {"severity": "error"}}"#,
                    "[]",
                    "null",
                ])
                .into(),
        ),
        _ => Value::Json(json!([text(choices), 5]).to_string().into()),
    }
}

fn text(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    if choices.rarely(4) {
        text += choices.one(&POINTERS);
    }
    for index in 0..choices.below(5) {
        if index > 0 && !choices.rarely(4) {
            text.push(' ');
        }
        text += choices.one(&WORDS);
        if choices.rarely(16) {
            text += &choices.one(&["x", "k", "\u{fc}"]).repeat(98 + choices.below(8));
        }
    }
    text
}
