//! The generated files are as the registry says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use behavior_compiler::provider::{MemoryFiles, SourceProvider, WithLibrary};
use behavior_compiler::registry::diagnostics;
use behavior_compiler::registry::json_schema::{SchemaKind, schema};
use behavior_compiler::resolve::FileKind;
use behavior_compiler::schema::Schema;
use behavior_compiler::trace_policy::json_of;
use behavior_compiler::{Compilation, check, ide};
use behavior_tests::reference::{REGENERATE, files};
use behavior_tests::spec::document;
use serde_json::Value;

#[test]
fn generated_files_are_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, text) in files() {
        let written = std::fs::read_to_string(root.join(&name)).unwrap_or_default();
        assert!(written == text, "{name} is stale: run `{REGENERATE}` and commit what it writes");
    }
}

#[test]
fn every_reference_of_a_schema_leads_to_a_definition() {
    for (name, text) in files() {
        if !name.ends_with(".json") {
            continue;
        }
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        let definitions = schema["$defs"].as_object().unwrap();
        for part in text.split("\"#/$defs/").skip(1) {
            let target = part.split('"').next().unwrap();
            assert!(definitions.contains_key(target), "{name}: `{target}`");
        }
    }
}

/// Diagnostics of what a schema can see, too: files with one of these are refused by it.
const SEEN: &[&str] = &["unknown-field", "missing-field", "wrong-type", "unknown-value"];

/// The schema of a kind of files; none where there is none.
fn kind_of(kind: FileKind) -> Option<SchemaKind> {
    Some(match kind {
        FileKind::AppConfig => SchemaKind::AppConfig,
        FileKind::BehaviorConfig => SchemaKind::BehaviorConfig,
        FileKind::Profile => SchemaKind::Profile,
        FileKind::Policy => SchemaKind::Policy,
        FileKind::TracePolicy => SchemaKind::TracePolicy,
        FileKind::RuleTests => SchemaKind::RuleTests,
        FileKind::Workflow => SchemaKind::Workflow,
        FileKind::Agents => SchemaKind::Agents,
        FileKind::Plan => return None,
    })
}

/// The schemas of all kinds.
struct Schemas(Vec<(SchemaKind, Schema)>);

impl Schemas {
    fn new() -> Self {
        let rules = behavior_stdlib::file("rules.yaml").unwrap();
        let of = |kind: SchemaKind| {
            let text = schema(kind, rules, behavior_stdlib::PROFILES);
            (kind, Schema::new(&text).unwrap())
        };
        Self(SchemaKind::ALL.into_iter().map(of).collect())
    }

    /// What the schema of a file's kind says against it, and whether anything was looked at.
    fn mismatch(&self, compilation: &Compilation, name: &str) -> Option<Option<String>> {
        let document = compilation.documents.iter().find(|document| {
            compilation.sources.get(document.file).is_some_and(|source| source.name == name)
        })?;
        let kind = kind_of(document.kind)?;
        let (_, schema) = self.0.iter().find(|(known, _)| *known == kind)?;
        if document.root.entries().is_none() && document.root.items().is_none() {
            return None;
        }
        let text = json_of(&document.root).to_string();
        let found = schema.mismatch(&text);
        Some(found.map(|found| format!("{kind:?} at {:?}: {}", found.path, found.reason)))
    }
}

fn check_file(files: &BTreeMap<String, String>, name: &str) -> Compilation {
    let provider = WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: MemoryFiles::new(files.iter().map(|(name, text)| (name.clone(), text.clone()))),
    };
    check(&provider, &[name.to_owned()], &behavior_compiler::Options::default())
}

/// The names of what is wrong with a file itself.
fn names_in(compilation: &Compilation, name: &str) -> BTreeSet<&'static str> {
    let is_there = |one: &&behavior_compiler::Diagnostic| {
        compilation.sources.get(one.span.file).is_some_and(|source| source.name == name)
    };
    compilation.diagnostics.iter().filter(is_there).map(|one| one.kind.name).collect()
}

/// The files of each section of the specification, the examples, and the standard library.
fn projects() -> Vec<(String, BTreeMap<String, String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut projects = Vec::new();
    let mut paths: Vec<_> =
        std::fs::read_dir(root.join("spec")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let text = std::fs::read_to_string(path).unwrap();
        for section in document::parse(&text).unwrap_or_default() {
            let mut files = BTreeMap::new();
            for block in &section.blocks {
                let name = match (&*block.language, block.title.as_deref()) {
                    (_, Some(title)) if title.contains('.') => title,
                    ("yaml", None) => "behavior.yaml",
                    ("toml", None) => "behavior/policy.toml",
                    _ => continue,
                };
                files.insert(name.to_owned(), block.text.clone());
            }
            projects.push((format!("{}: {}", path.display(), section.title), files));
        }
    }
    for kind in diagnostics::ALL {
        for example in kind.examples {
            for text in [Some(example.wrong()), example.right()].into_iter().flatten() {
                let files = BTreeMap::from([(example.file.to_owned(), text)]);
                projects.push((format!("the example of {}", kind.name), files));
            }
        }
    }
    for folder in ["../examples/database", "../examples/strict", "../examples/app"] {
        let mut files = BTreeMap::new();
        add_files(&root.join(folder), "", &mut files);
        projects.push((folder.to_owned(), files));
    }
    projects
}

fn add_files(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            add_files(&entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, std::fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// What compiles is valid under the schema of its kind, and what the compiler refuses for its shape is not.
#[test]
fn schemas_take_what_the_compiler_takes() {
    let schemas = Schemas::new();
    let (mut wrong, mut valid, mut refused) = (Vec::new(), 0, 0);
    for (place, files) in projects() {
        for (name, text) in &files {
            let is_test = name.contains(".test.");
            if !is_test && !ide::may_be_rule_file(name, text) {
                continue;
            }
            let compilation = check_file(&files, name);
            let names = names_in(&compilation, name);
            let Some(mismatch) = schemas.mismatch(&compilation, name) else { continue };
            let is_seen = names.iter().any(|name| SEEN.contains(name));
            match mismatch {
                // What stands in strings, and what other spellings mean, a schema does not know.
                None if is_seen => {}
                None => valid += 1,
                Some(_) if is_seen => refused += 1,
                Some(_) if names.contains("other-spelling") => {}
                Some(why) if !compilation.has_errors() => {
                    wrong.push(format!("{place}, {name}: {why}\n{text}"));
                }
                Some(_) => {}
            }
        }
    }
    println!("{valid} valid, {refused} refused");
    assert!(wrong.is_empty(), "{} files are refused:\n{}", wrong.len(), wrong.join("\n"));
    assert!(valid > 600 && refused >= 30, "{valid} valid, {refused} refused");
}

/// What the compiler reads in another spelling, the schema takes, too.
#[test]
fn schemas_take_other_spellings() {
    let schemas = Schemas::new();
    for mode in ["autoEdit", "autoedit", "auto_edit"] {
        let (name, text) = ("behavior/policy.toml", format!("approval_mode = \"{mode}\"\n"));
        let files = BTreeMap::from([(name.to_owned(), text)]);
        let found = schemas.mismatch(&check_file(&files, name), name);
        assert_eq!(found, Some(None), "{mode}");
    }
}

/// The rule files of the README and of the standard library are valid.
#[test]
fn schemas_take_the_standard_library() {
    let schemas = Schemas::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = BTreeMap::new();
    add_files(&root.join("stdlib-profiles"), "", &mut files);
    for name in files.keys().filter(|name| name.ends_with(".yaml")) {
        let compilation = check_file(&files, name);
        if compilation.has_errors() {
            continue;
        }
        if let Some(Some(why)) = schemas.mismatch(&compilation, name) {
            panic!("{name}: {why}");
        }
    }
}

/// Each of these has a mistake that its schema must see.
#[test]
fn schemas_refuse_mistakes() {
    let schemas = Schemas::new();
    for (name, text) in [
        ("behavior.yaml", "profil: dev\n"),
        ("behavior.yaml", "rules: { max_blind_reads: often }\n"),
        ("behavior.yaml", "rule_definitions: [{ id: a, triger: edit, message: m }]\n"),
        ("behavior.yaml", "rule_definitions: [{ message: m }]\n"),
        ("behavior.yaml", "rule_definitions: [{ id: a, message: m, action: forbid }]\n"),
        ("behavior.yaml", "rule_definitions: [{ id: a, message: m, examples: { fire: [] } }]\n"),
        ("behavior/strict.yaml", "name: [a]\n"),
        ("behavior/policy.toml", "[[rules]]\nname = \"a\"\nactoin = \"deny\"\npattern = \"rm\"\n"),
        ("behavior/policy.toml", "approval_mode = 3\n"),
        ("a.policy.yaml", "rules: [{ id: a, kind: max_total_tokens, parms: { limit: 1 } }]\n"),
        ("a.policy.yaml", "rules: [{ id: a, kind: max_tokens, params: { limit: 1 } }]\n"),
        ("a.policy.yaml", "rules: { max_blind_reads: 3 }\n"),
        ("a.test.yaml", "tests: [{ evens: [], expect: [] }]\n"),
        ("a.test.yaml", "tests: [{ events: [edit: ], expect: [{ at: 0, verdict: block }] }]\n"),
        ("a.test.yaml", "tests: [{ events: [edit: ], expect: [{ rules: [a] }] }]\n"),
        ("a.test.yaml", "tests: [{ rules: [{ idd: r }], events: [bash: ], expect: [] }]\n"),
        ("a.test.yaml", "tests: [{ config: { profil: dev }, events: [bash: ], expect: [] }]\n"),
        ("a.test.yaml", "tests: [{ events: [turn_strat], expect: [] }]\n"),
        ("a.test.yaml", "tests: [{ events: [{ event: turn_strat }], expect: [] }]\n"),
        ("app.yaml", "security: { behavior: { profil: dev } }\n"),
        ("app.yaml", "agents: { x: { security: { behavior: { profil: dev } } } }\n"),
        ("a.policy.yaml", "rules: [{ kind: no_call, params: { limit: 3 } }]\n"),
        ("a.policy.yaml", "[{ kind: no_call, params: { } }]\n"),
        ("a.policy.yaml", "rules: [{ kind: max_turns }]\n"),
        ("a.policy.yaml", "rules: [{ kind: max_turns, params: { } }]\n"),
        ("a.policy.yaml", "rules: [{ kind: must_call_before, params: { first: a } }]\n"),
        ("a.policy.yaml", "rules: [{ kind: must_match_json_schema, params: { } }]\n"),
        ("behavior.yaml", "command_classes: { x: [{ program: a, klass: b }] }\n"),
        ("behavior.yaml", "command_classes: { x: { program: a } }\n"),
    ] {
        let files = BTreeMap::from([(name.to_owned(), text.to_owned())]);
        let compilation = check_file(&files, name);
        let found = schemas.mismatch(&compilation, name);
        assert!(matches!(found, Some(Some(_))), "{name}: {text}");
    }
    let _ = MemoryFiles::default().list("");
}

/// Of counters, flags and the vocabularies of the classifier, a schema takes what the compiler takes, and nothing else.
#[test]
fn schemas_of_state_and_vocabularies_say_what_check_says() {
    const TOOLS: [&str; 9] = [
        "edit",
        "[edit, write]",
        "[]",
        "null",
        "\"\"",
        "3",
        "{ a: b }",
        "[edit, 3]",
        "\"edit, write\"",
    ];
    const CONDITIONS: [&str; 6] = ["null", "result failed", "{ runs: x }", "[]", "true", "3"];
    const RESETS: [&str; 10] = [
        "{}",
        "{ tool: bash }",
        "{ tool: bash, param: command }",
        "{ tool: bash, matches: x }",
        "{ tool: bash, runs: x }",
        "{ tool: \"bash, shell\", param: command, matches: x }",
        "{ tool: bash, param: command, matches: x, runs: y }",
        "{ tool: bash, param: null, matches: x }",
        "{ param: command, matches: x }",
        "{ runs: x }",
    ];
    const LEVELS: [&str; 12] = [
        "[low]",
        "[]",
        "low",
        "[3]",
        "[null]",
        "[{ name: low }]",
        "[{}]",
        "[{ name: null }]",
        "[{ label: x }]",
        "[{ name: low, when: 3 }]",
        "[low, low]",
        "[{ id: low }]",
    ];
    let counter = |text: String| format!("state_tracking: {{ counters: {{ c: {text} }} }}\n");
    let flag = |text: String| format!("state_tracking: {{ flags: {{ f: {text} }} }}\n");
    let mut texts =
        vec![counter("{}".to_owned()), counter("edit".to_owned()), flag("{}".to_owned())];
    for tools in TOOLS {
        texts.push(counter(format!("{{ increment_on: {tools} }}")));
        texts.push(counter(format!("{{ increment_on: edit, reset_on: {tools} }}")));
        texts.push(flag(format!("{{ set_on: {tools} }}")));
        texts.push(flag(format!("{{ set_on: edit, unset_on: {tools} }}")));
    }
    for condition in CONDITIONS {
        texts.push(counter(format!("{{ increment_when: {condition} }}")));
        texts.push(counter(format!("{{ increment_on: edit, reset_when: {condition} }}")));
        texts.push(flag(format!("{{ set_when: {condition} }}")));
    }
    texts.extend(RESETS.map(|it| counter(format!("{{ increment_on: edit, reset_when: {it} }}"))));
    for list in ["complexity_levels", "approaches", "risk_levels"] {
        let text = |it| format!("classifier: {{ high_risk_threshold: null, {list}: {it} }}\n");
        texts.extend(LEVELS.map(text));
    }
    let schemas = Schemas::new();
    for text in texts {
        let files = BTreeMap::from([("behavior.yaml".to_owned(), text.clone())]);
        let compilation = check_file(&files, "behavior.yaml");
        let refused = schemas.mismatch(&compilation, "behavior.yaml");
        let is_refused = matches!(refused, Some(Some(_)));
        assert_eq!(is_refused, compilation.has_errors(), "{text}{refused:?}");
    }
}

/// What editors put in place of a whole rule is one, once its places are filled in.
#[test]
fn the_snippet_of_a_rule_makes_a_rule() {
    let schema = schema(SchemaKind::BehaviorConfig, "", &[]);
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let definitions = schema["$defs"].as_object().unwrap();
    let bodies = definitions.values().filter_map(|it| it["defaultSnippets"][0]["body"].as_object());
    let mut rules = bodies.filter(|body| body.contains_key("condition") && body.contains_key("id"));
    let body = rules.next().expect("a snippet of a rule");
    let filled = |(name, value): (&String, &Value)| {
        let given = match name.as_str() {
            "condition" => "target is secret",
            "trigger" => "bash",
            "action" => value.as_str()?.split_once('|')?.1.split([',', '|']).next()?,
            _ => "given",
        };
        Some((name.clone(), Value::from(given)))
    };
    let rule: serde_json::Map<String, Value> = body.iter().filter_map(filled).collect();
    assert_eq!(rule.len(), body.len(), "{body:?}");
    let text = format!("{}\n", serde_json::json!({ "rule_definitions": [rule] }));
    let files = BTreeMap::from([("behavior.yaml".to_owned(), text.clone())]);
    let compilation = check_file(&files, "behavior.yaml");
    assert!(!compilation.has_errors(), "{text}");
}

/// Names that only an author can know are offered where the built-in ones are.
#[test]
fn schemas_offer_presets_tools_and_rules() {
    let rules = behavior_stdlib::file("rules.yaml").unwrap();
    for (kind, name, offered) in [
        (SchemaKind::BehaviorConfig, "profile_name", "dev"),
        (SchemaKind::Profile, "profile_name", "dev"),
        (SchemaKind::RuleTests, "rule_id", "read_before_edit"),
    ] {
        let schema: Value =
            serde_json::from_str(&schema(kind, rules, behavior_stdlib::PROFILES)).unwrap();
        let examples = schema["$defs"][name]["examples"].as_array().unwrap();
        assert!(examples.iter().any(|example| example == offered), "{kind:?}: {examples:?}");
    }
    let policy = schema(SchemaKind::Policy, rules, behavior_stdlib::PROFILES);
    let policy: Value = serde_json::from_str(&policy).unwrap();
    let pattern = policy["$defs"]["policy_rule"]["properties"]["pattern"].to_string();
    assert!(pattern.contains("\"examples\":[") && pattern.contains("\"edit\""), "{pattern}");
}
