//! Runs rule tests: files `*.test.yaml` with `tests:`, each of which says which rules fire at which
//! event. Their form is described in the interfaces of `behavior test`; this runner is the
//! reference for it.

use std::path::Path;
use std::sync::Arc;

use behavior_compiler::provider::{MemoryFiles, SourceProvider, WithLibrary};
use behavior_compiler::{Options, Severity, compile_all};
use behavior_runtime::Verdict;
use serde_json::{Map, Value};

use crate::script::{self, Step};

/// What came of one test.
#[derive(Debug)]
pub struct TestResult {
    /// The test's name.
    pub name: String,
    /// What was not as expected, a line each.
    pub failures: Vec<String>,
}

/// Where the rules of tests without `config` and `rules` are.
#[derive(Debug)]
pub struct Neighbour {
    /// The project's files, by their path from the test file's folder.
    pub files: MemoryFiles,
    /// The rule file that the tests are about.
    pub entry: String,
}

impl Neighbour {
    /// The file beside a test file that it is named after, and every file below its folder.
    ///
    /// # Errors
    /// When a file or folder cannot be read.
    pub fn of(test_file: &Path) -> Result<Self, String> {
        let folder = test_file.parent().ok_or("the test file has no folder")?;
        let name = test_file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let entry = name.replace(".test.yaml", ".yaml");
        let mut files = MemoryFiles::default();
        add_files(folder, "", &mut files).map_err(|error| error.to_string())?;
        Ok(Self { files, entry })
    }
}

fn add_files(folder: &Path, prefix: &str, files: &mut MemoryFiles) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            add_files(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.files.insert(name, std::fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Runs every test of a file.
///
/// # Errors
/// When it is no rule test file, or has no tests.
pub fn run(text: &str, neighbour: &Neighbour) -> Result<Vec<TestResult>, String> {
    let file: Value = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
    let known = ["tests"];
    refuse_others(&file, &known, "a rule test file")?;
    let tests = file.get("tests").and_then(Value::as_array).ok_or("there is no list `tests`")?;
    if tests.is_empty() {
        return Err("the list `tests` is empty".to_owned());
    }
    Ok(tests.iter().enumerate().map(|(index, test)| run_test(index, test, neighbour)).collect())
}

fn refuse_others(value: &Value, known: &[&str], what: &str) -> Result<(), String> {
    let fields = value.as_object().ok_or_else(|| format!("{what} is a mapping"))?;
    match fields.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!("unknown field `{name}` in {what}")),
        None => Ok(()),
    }
}

fn run_test(index: usize, test: &Value, neighbour: &Neighbour) -> TestResult {
    let name = test.get("name").and_then(Value::as_str);
    let name = name.map_or_else(|| format!("test {index}"), str::to_owned);
    let failures = check(test, neighbour).unwrap_or_else(|why| vec![why]);
    TestResult { name, failures }
}

/// What happened at one entry of `events`.
#[derive(Default)]
struct Seen {
    rules: Vec<String>,
    messages: Vec<String>,
    verdict: Option<Verdict>,
}

fn check(test: &Value, neighbour: &Neighbour) -> Result<Vec<String>, String> {
    let known = ["name", "config", "rules", "events", "expect", "exactly"];
    refuse_others(test, &known, "a rule test")?;
    let image = compile(test, neighbour)?;
    let events = test.get("events").and_then(Value::as_array).ok_or("there is no `events`")?;
    let mut steps = Vec::new();
    for (number, event) in events.iter().enumerate() {
        steps.extend(self::steps(number, event)?);
    }
    let mut seen: Vec<Seen> = events.iter().map(|_| Seen::default()).collect();
    for outcome in script::run(&image, &steps)? {
        let Some(seen) = seen.get_mut(outcome.step.number) else { continue };
        seen.verdict = outcome.decision.verdict.or(seen.verdict);
        for finding in outcome.decision.findings {
            seen.rules.push(image.rules().get(finding.rule).map_or("?", |rule| rule.id).to_owned());
            seen.messages.push(finding.message);
        }
    }
    let expected = test.get("expect").and_then(Value::as_array).ok_or("there is no `expect`")?;
    let mut failures = Vec::new();
    let mut expected_at = Vec::new();
    for entry in expected {
        refuse_others(entry, &["at", "rules", "verdict", "message"], "an expectation")?;
        let at = entry.get("at").and_then(Value::as_u64).ok_or("an expectation lacks `at`")?;
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let seen = seen.get(at).ok_or_else(|| format!("there is no event {at}"))?;
        expected_at.push(at);
        compare(at, entry, seen, &mut failures);
    }
    if test.get("exactly").and_then(Value::as_bool) == Some(true) {
        for (at, seen) in seen.iter().enumerate() {
            if !expected_at.contains(&at) && !seen.rules.is_empty() {
                failures.push(format!("at {at}: nothing was expected, found {:?}", seen.rules));
            }
        }
    }
    Ok(failures)
}

fn compare(at: usize, entry: &Value, seen: &Seen, failures: &mut Vec<String>) {
    if let Some(rules) = entry.get("rules").and_then(Value::as_array) {
        let expected: Vec<&str> = rules.iter().filter_map(Value::as_str).collect();
        if seen.rules != expected {
            failures.push(format!("at {at}: expected {expected:?}, found {:?}", seen.rules));
        }
    }
    if let Some(expected) = entry.get("verdict").and_then(Value::as_str) {
        let found = seen.verdict.map_or("none", Verdict::name);
        if found != expected {
            failures.push(format!("at {at}: expected the verdict {expected}, found {found}"));
        }
    }
    if let Some(expected) = entry.get("message").and_then(Value::as_str)
        && !seen.messages.iter().any(|message| message == expected)
    {
        failures.push(format!("at {at}: expected {expected:?}, found {:?}", seen.messages));
    }
}

/// A native event, or the short form `edit: { file_path: a.rs }`.
fn steps(number: usize, event: &Value) -> Result<Vec<Step>, String> {
    let fields: &Map<String, Value> =
        event.as_object().ok_or_else(|| format!("event {number} is no mapping"))?;
    if fields.contains_key("event") {
        return Ok(vec![Step { number, event: event.clone(), is_result_of_short: false }]);
    }
    let mut fields = fields.iter();
    match (fields.next(), fields.next()) {
        (Some((tool, params)), None) => {
            let params = if params.is_null() { Map::new().into() } else { params.clone() };
            Ok(script::short(number, tool, params, None))
        }
        _ => Err(format!("event {number} is neither a native event nor one tool with its params")),
    }
}

fn compile(test: &Value, neighbour: &Neighbour) -> Result<Arc<behavior_runtime::Image>, String> {
    let inline = match (test.get("config"), test.get("rules")) {
        (Some(_), Some(_)) => return Err("`config` and `rules` exclude each other".to_owned()),
        (Some(config), None) => Some(config.clone()),
        (None, Some(rules)) if rules.is_array() => {
            Some(serde_json::json!({"rule_definitions": rules}))
        }
        (None, Some(rules)) => Some(serde_json::json!({"rules": rules})),
        (None, None) => None,
    };
    let mut project = neighbour.files.clone();
    let entry = match inline {
        Some(Value::String(file)) => file,
        Some(config) => {
            // JSON is YAML too; the name keeps the project's own files in reach.
            let text = format!("# behavior: config\n{config}\n");
            project.files.insert("(inline).yaml".to_owned(), text.into_bytes());
            "(inline).yaml".to_owned()
        }
        None => neighbour.entry.clone(),
    };
    let library = behavior_stdlib::file;
    let provider = WithLibrary { library, presets: behavior_stdlib::PROFILES, project };
    compile_entry(&provider, &entry)
}

fn compile_entry(
    provider: &dyn SourceProvider,
    entry: &str,
) -> Result<Arc<behavior_runtime::Image>, String> {
    let compilation = compile_all(provider, &[entry.to_owned()], &Options::default());
    let errors = compilation.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let errors: Vec<&str> = errors.map(|diagnostic| diagnostic.message.as_str()).collect();
    match compilation.image {
        Some(image) => Ok(Arc::new(image)),
        None => Err(format!("{entry} does not compile: {}", errors.join("; "))),
    }
}
