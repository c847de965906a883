//! The language reference, run: every section of every document in `tests/spec`.
//!
//! `SPEC=conditions` runs the documents whose name has that in it; `UPDATE_SPEC=1` writes what is
//! into the blocks, to be read before it is committed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use behavior_compiler::conditions;
use behavior_compiler::registry::diagnostics;
use behavior_compiler::registry::json_schema;
use behavior_compiler::registry::schema::Record;
use behavior_compiler::trace_policy::TraceRuleKind;
use behavior_image::operation::Op;
use behavior_image::trace_rule::MonitorKind;
use behavior_tests::spec::{self, Checked, Coverage, document};

struct Document {
    name: String,
    path: std::path::PathBuf,
    text: String,
}

fn documents() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let document = |path: std::path::PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        let is_document = name.starts_with(|c: char| c.is_ascii_digit()) && name.ends_with(".md");
        let text = fs::read_to_string(&path).unwrap();
        is_document.then_some(Document { name, path, text })
    };
    paths.into_iter().filter_map(document).collect()
}

type CheckedDocuments = Vec<(Document, Vec<Checked>)>;

/// All documents checked, once for all tests, and what they used.
fn checked() -> &'static (Vec<(Document, Vec<Checked>)>, Coverage) {
    static CHECKED: OnceLock<(CheckedDocuments, Coverage)> = OnceLock::new();
    CHECKED.get_or_init(|| {
        let mut coverage = Coverage::default();
        let mut check = |document: Document| {
            let checked = spec::check(&document.text, &mut coverage)
                .unwrap_or_else(|error| panic!("{}: {error}", document.name));
            (document, checked)
        };
        let wanted = std::env::var("SPEC").unwrap_or_default();
        let documents = documents().into_iter();
        let documents = documents.filter(|document| document.name.contains(&wanted));
        (documents.map(&mut check).collect(), coverage)
    })
}

#[test]
fn every_section_does_what_it_says() {
    let updates = std::env::var_os("UPDATE_SPEC").is_some();
    let mut failed = Vec::new();
    for (document, checked) in &checked().0 {
        let name = &document.name;
        assert!(!checked.is_empty(), "{name} has nothing to check");
        for section in checked {
            let result = if section.failures.is_empty() { "ok" } else { "FAILED" };
            println!("{result} {name}:{} {} ({})", section.line, section.title, section.checks);
            for failure in &section.failures {
                let place = format!("{name}:{} ({})", failure.line, section.title);
                failed.push(format!("{place}\n  {}", failure.message));
            }
            let is_checked = section.checks > 0 || !section.failures.is_empty();
            assert!(is_checked, "{name}:{} checks nothing", section.line);
        }
        if updates {
            fs::write(&document.path, spec::updated(&document.text, checked)).unwrap();
        }
    }
    assert!(
        failed.is_empty(),
        "{} checks failed (UPDATE_SPEC=1 writes what is into the blocks):\n\n{}",
        failed.len(),
        failed.join("\n\n")
    );
}

#[test]
fn every_instruction_and_diagnostic_is_in_the_documents() {
    if std::env::var_os("SPEC").is_some() {
        return;
    }
    let coverage = &checked().1;
    let unused: Vec<&str> =
        Op::ALL.iter().map(|op| op.name()).filter(|op| !coverage.opcodes.contains(*op)).collect();
    assert!(unused.is_empty(), "no document compiles to {unused:?}");

    let text = documents().into_iter().find(|d| d.name.starts_with("12-")).unwrap().text;
    let sections = document::parse(&text).unwrap();
    for kind in diagnostics::ALL {
        let has_heading =
            |section: &&document::Section| section.title.ends_with(&format!(" > {}", kind.name));
        let section = sections
            .iter()
            .find(has_heading)
            .unwrap_or_else(|| panic!("no section of 12-diagnostics.md is about `{}`", kind.name));
        // Those without an example say why.
        let seen = coverage.diagnostics.contains(&(kind.name, section.title.clone()));
        assert!(
            seen || section.blocks.is_empty() && NO_EXAMPLE.contains(&kind.name),
            "the section about `{}` does not produce it",
            kind.name
        );
    }
}

/// Diagnostics that no document can produce.
const NO_EXAMPLE: &[&str] = &["encoding", "duplicate-workflow", "program-too-large", "internal"];

#[test]
fn both_forms_of_every_condition_mean_the_same() {
    let forms = conditions::ALL.iter().map(|kind| (kind.name, kind.example, kind.expression));
    let composites = conditions::COMPOSITES.iter().map(|c| (c.name, c.example, c.expression));
    for (name, example, expression) in forms.chain(composites) {
        let block = example.replace('\n', "\n      ");
        let mapping = spec::meaning(&format!("\n      {block}"))
            .unwrap_or_else(|why| panic!("the example of `{name}`: {why}"));
        let expression = serde_json::Value::from(expression).to_string();
        let expression = spec::meaning(&expression)
            .unwrap_or_else(|why| panic!("the expression of `{name}`: {why}"));
        assert_eq!(mapping, expression, "{name}");
    }
}

/// Where each record stands in a file; `_` is where its fields go.
fn place_of(record: &Record) -> Option<&'static str> {
    Some(match record.name {
        "a behaviour config" => "{ _ }",
        "a profile" => "{ name: x, _ }",
        "a rule definition" => "{ rule_definitions: [{ id: a, message: m, _ }] }",
        "a custom rule" => "{ custom: [{ rule: r, _ }] }",
        "state tracking" => "{ state_tracking: { _ } }",
        "a set" => "{ state_tracking: { sets: { a: { _ } } } }",
        "a counter" => "{ state_tracking: { counters: { a: { increment_on: x, _ } } } }",
        "a flag" => "{ state_tracking: { flags: { a: { set_on: x, _ } } } }",
        "a classifier" => "{ classifier: { _ } }",
        "a verifier" => "{ verifier: { _ } }",
        "a classifier context" => "{ classifier: { context: { _ } } }",
        "a vocabulary entry" => "{ classifier: { approaches: [{ name: x, _ }] } }",
        "a policy" => "{ _ }",
        "a policy rule" => "{ rules: [{ name: a, action: deny, arg_pattern: a, _ }] }",
        "a trace policy" => "{ rules: [], _ }",
        "a rule of a trace policy" => {
            "{ rules: [{ id: a, kind: no_call, params: { tool: x }, _ }] }"
        }
        "the parameters of `max_total_tokens`" => {
            "{ rules: [{ id: a, kind: max_total_tokens, params: { limit: 1, _ } }] }"
        }
        "the parameters of `must_followup`" => {
            "{ rules: [{ id: a, kind: must_followup, params: { must: { kind: tool_call, tool: x }, _ } }] }"
        }
        "the parameters of `must_be_grounded`" => {
            "{ rules: [{ id: a, kind: must_be_grounded, params: { retrieval_path: request.x, _ } }] }"
        }
        "a brain" => "{ brain: { _ } }",
        "an exception" => {
            "{ rules: { read_before_edit: true }, exceptions: [{ rule: read_before_edit, when: target matches \"a\", _ }] }"
        }
        "how much is told" => {
            "{ rules: { read_before_edit: true }, delivery: { max_per_turn: 1, _ } }"
        }
        "a program" => "{ programs: { x: { _ } } }",
        "a use of files" => "{ programs: { x: { touches: [{ _ }] } } }",
        "a conditional reset" => {
            "{ state_tracking: { counters: { a: { increment_on: x, reset_when: { tool: x, runs: x, _ } } } } }"
        }
        "a `runs` condition" => {
            "{ rule_definitions: [{ id: a, message: m, condition: { runs: { _ } } }] }"
        }
        "a `counter_gte` condition" => {
            "{ rule_definitions: [{ id: a, message: m, condition: { counter_gte: { name: changes_since_test, _ } } }] }"
        }
        "a `flag_is` condition" => {
            "{ rule_definitions: [{ id: a, message: m, condition: { flag_is: { name: has_web_searched, _ } } }] }"
        }
        "oversight" => "{ rules: { read_before_edit: true }, oversight: { _ } }",
        "a workflow template" => "{ name: w, steps: [{ type: step, agentId: codex }], _ }",
        "a step" => "{ name: w, steps: [{ type: step, agentId: codex, _ }] }",
        "a module" => {
            "{ name: w, steps: [{ type: module, agentId: codex, module: { type: loop, action: stepBack, _ } }] }"
        }
        "an agent" => "{ agents: { a: { run: codex, _ } } }",
        "a rule test" => "tests: [{ events: [edit: ], snapshot: a.snap, _ }]",
        "the examples of a rule" => {
            "rule_definitions: [{ id: a, message: m, trigger: edit, examples: { _ } }]"
        }
        _ => return None,
    })
}

#[test]
fn every_field_is_documented_and_its_default_compiles() {
    for record in json_schema::records() {
        assert!(!record.docs.trim().is_empty(), "{} has no docs", record.name);
        for field in record.fields {
            let name = format!("`{}` of {}", field.name, record.name);
            assert!(!field.docs.trim().is_empty(), "{name} has no docs");
            assert!(!field.required || field.default.is_none(), "{name} is required");
            let Some(default) = field.default else { continue };
            let place = place_of(record).unwrap_or_else(|| panic!("where does {name} stand?"));
            // What the place already says of the field gives way.
            let written = format!("{}: {default}", field.name);
            let given = place.replace(&format!(" {}: m,", field.name), "");
            let text = match given.rsplit_once("_ }") {
                Some((before, after)) => format!("{before}{written} }}{after}"),
                None => panic!("{place}"),
            };
            let text = match record.name {
                "a profile" => format!("# behavior: profile\n{text}"),
                "a policy" | "a policy rule" => format!("# behavior: policy\n{text}"),
                "a rule test" => format!("# behavior: tests\n{text}"),
                "a workflow template" | "a step" | "a module" => {
                    format!("# behavior: workflow\n{text}")
                }
                "an agent" => format!("# behavior: agents\n{text}"),
                name if name.contains("trace policy") || name.starts_with("the parameters") => {
                    format!("# behavior: trace-policy\n{text}")
                }
                _ => text,
            };
            let files = behavior_tests::provider(&[("behavior.yaml", &text)]);
            let options = behavior_compiler::Options::default();
            let compilation =
                behavior_compiler::check(&files, &["behavior.yaml".to_owned()], &options);
            let errors: Vec<_> = compilation
                .diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == behavior_compiler::Severity::Error)
                .map(|diagnostic| &diagnostic.message)
                .collect();
            assert!(errors.is_empty(), "{name}: {text}\n{errors:?}");
        }
    }
}

#[test]
fn every_kind_of_trace_rule_has_an_example_that_compiles() {
    for kind in TraceRuleKind::ALL {
        let text = format!("rules:\n{}", kind.example);
        let files = behavior_tests::provider(&[("a.policy.yaml", &text)]);
        let compilation = behavior_compiler::compile(&files, "a.policy.yaml");
        assert!(compilation.diagnostics.is_empty(), "{text}\n{:?}", compilation.diagnostics);
        let image = compilation.image.expect("an image");
        let kinds: Vec<_> = image.monitors().iter().map(|monitor| monitor.kind).collect();
        assert_eq!(kinds, [kind.kind]);
        assert!(!kind.docs.trim().is_empty(), "{text}");
    }
    assert_eq!(TraceRuleKind::ALL.len(), MonitorKind::ALL.len());
}

#[test]
fn every_choice_and_condition_is_documented() {
    for kind in conditions::ALL {
        assert!(!kind.docs.trim().is_empty() && !kind.phases.is_empty(), "{}", kind.name);
    }
    for kind in diagnostics::ALL {
        assert!(!kind.docs.trim().is_empty(), "{}", kind.name);
        let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(kind.name.chars().all(is_kebab), "{}", kind.name);
    }
    let mut names: Vec<_> = diagnostics::ALL.iter().map(|kind| kind.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), diagnostics::ALL.len(), "two diagnostics share a name");
}
