//! Reads plans: from the text to steps, with every fault at its place.

use serde_json::{Map, Value};

use super::step::{Checked, Plan, Step};
use super::{lint, tools};
use crate::Compilation;
use crate::decode::{Reports, did_you_mean, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::provider::SourceProvider;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::{Entry, Format, Kind, Node, decode_utf8, parse};
use crate::trace_policy::json_of;

/// The fields of a plan.
const FIELDS: &[&str] = &["steps", "explain"];
/// The fields of a step.
const STEP_FIELDS: &[&str] = &["tool", "args", "kwargs"];

/// Returns whether a file is a plan, by its name.
#[must_use]
pub fn is_plan_file(name: &str) -> bool {
    name.ends_with(".plan.json")
}

/// Reads the text of a plan. `name` is what its file is called in diagnostics.
#[must_use]
pub fn read(name: &str, text: &str) -> Checked {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let parsed = parse(file, text, Format::Json);
    let mut reports = Reports { diagnostics: parsed.diagnostics };
    let mut spans = Vec::new();
    let plan = plan(&parsed.root, &mut spans, &mut reports);
    // What does not parse is mended first: what was read of it may be anything.
    if reports.diagnostics.iter().all(|one| one.kind.name != d::SYNTAX.name) {
        let entries = parsed.root.entries().unwrap_or_default();
        let explains_elsewhere = is_meant(entries, FIELDS, "explain");
        lint::lint(&plan, &parsed.root, explains_elsewhere, &mut reports);
    }
    let mut diagnostics = reports.diagnostics;
    diagnostics.sort_by_key(|one| one.span.start);
    Checked { plan, diagnostics, spans, sources, root: parsed.root }
}

/// What is wrong with a plan; `None` where the entry is none.
pub(crate) fn check(provider: &dyn SourceProvider, entry: &str) -> Option<Compilation> {
    if !is_plan_file(entry) {
        return None;
    }
    let bytes = provider.read(entry).ok()?;
    let text = decode_utf8(FileId(0), entry, &bytes).ok()?;
    Some(read(entry, &text).compilation())
}

impl Checked {
    /// Returns what is wrong with the plan as the result of a compilation, which has no rules.
    #[must_use]
    pub fn compilation(&self) -> Compilation {
        let root = std::sync::Arc::new(self.root.clone());
        let document = crate::Document {
            is_regular: false,
            file: FileId(0),
            kind: crate::resolve::FileKind::Plan,
            config: std::sync::Arc::clone(&root),
            root,
            comments: Vec::new(),
        };
        Compilation {
            image: None,
            program: crate::ir::Program::default(),
            diagnostics: self.diagnostics.clone(),
            sources: self.sources.clone(),
            documents: vec![document],
            loosening: Vec::new(),
        }
    }
}

/// That a file holds a plan and no rules.
pub(crate) fn holds_no_rules() -> Diagnostic {
    let nowhere = Span::new(FileId(0), 0, 0);
    let message = "this file holds a plan, which no rules are read from";
    Diagnostic::new(&d::UNSUPPORTED_KIND, nowhere, message)
        .help("look at it with `behavior plan check`")
}

fn plan(root: &Node, spans: &mut Vec<Span>, reports: &mut Reports) -> Plan {
    let Kind::Map(entries) = &root.kind else {
        if !matches!(root.kind, Kind::Broken) {
            let message = format!("a plan is an object with `steps`, found {}", of_json(root));
            reports.push(Diagnostic::new(&d::WRONG_TYPE, root.span, message).help(FORM));
        }
        return Plan::default();
    };
    unknown_fields(entries, FIELDS, "a plan", reports);
    let steps = match root.get("steps") {
        Some(node) => steps(node, spans, reports),
        None if is_meant(entries, FIELDS, "steps") => Vec::new(),
        None => {
            let message = "missing field `steps` in a plan";
            reports.push(Diagnostic::new(&d::MISSING_FIELD, root.span, message).help(FORM));
            Vec::new()
        }
    };
    let explain = root.get("explain").and_then(|node| match &node.kind {
        Kind::String(text) => Some(Box::from(text.value())),
        Kind::Null => None,
        _ => {
            wrong_type(node, Shape::Text, reports);
            None
        }
    });
    Plan { steps, explain }
}

/// What a plan looks like.
const FORM: &str = r#"a plan is written like `{"steps": [{"tool": "read", "args": ["a.txt"]}], "explain": "look at a.txt"}`"#;

fn steps(node: &Node, spans: &mut Vec<Span>, reports: &mut Reports) -> Vec<Step> {
    let Kind::Seq(items) = &node.kind else {
        if !matches!(node.kind, Kind::Broken) {
            let message = format!("`steps` is a list, found {}", of_json(node));
            reports.push(Diagnostic::new(&d::WRONG_TYPE, node.span, message).help(FORM));
        }
        return Vec::new();
    };
    spans.extend(items.iter().map(|item| item.span));
    let numbered = items.iter().enumerate();
    numbered.filter_map(|(number, node)| step(number, node, reports)).collect()
}

fn step(number: usize, node: &Node, reports: &mut Reports) -> Option<Step> {
    let Kind::Map(entries) = &node.kind else {
        if !matches!(node.kind, Kind::Broken) {
            let message = format!("a step is an object with a `tool`, found {}", of_json(node));
            reports.push(Diagnostic::new(&d::WRONG_TYPE, node.span, message));
        }
        return None;
    };
    unknown_fields(entries, STEP_FIELDS, "a step", reports);
    let args = node.get("args").and_then(|node| match &node.kind {
        Kind::Seq(items) => Some(items.iter().map(json_of).collect::<Vec<Value>>()),
        _ => complain(node, "`args` is a list", "what goes by name stands in `kwargs`", reports),
    });
    let kwargs = node.get("kwargs").and_then(|node| match &node.kind {
        Kind::Map(entries) => Some(object(entries)),
        Kind::Null => None,
        _ => {
            complain(node, "`kwargs` is an object", "what goes by place stands in `args`", reports)
        }
    });
    let name = tool_name(node, entries, reports)?;
    Some(Step {
        number,
        span: node.span,
        tool: tools::find(&name),
        name,
        args: args.unwrap_or_default(),
        kwargs: kwargs.unwrap_or_default(),
    })
}

fn complain<T>(node: &Node, what: &str, help: &str, reports: &mut Reports) -> Option<T> {
    if !matches!(node.kind, Kind::Broken) {
        let message = format!("{what}, found {}", of_json(node));
        reports.push(Diagnostic::new(&d::WRONG_TYPE, node.span, message).help(help));
    }
    None
}

fn tool_name(node: &Node, entries: &[Entry], reports: &mut Reports) -> Option<Box<str>> {
    let Some(named) = node.get("tool") else {
        if !is_meant(entries, STEP_FIELDS, "tool") {
            let message = "missing field `tool` in a step";
            reports.push(
                Diagnostic::new(&d::MISSING_FIELD, node.span, message)
                    .help(format!("the tools are {}", tools::listed())),
            );
        }
        return None;
    };
    match &named.kind {
        Kind::String(text) if text.trim().is_empty() => {
            let message = "the tool of a step has no name";
            let help = format!("the tools are {}", tools::listed());
            reports.push(Diagnostic::new(&d::EMPTY_NAME, named.span, message).help(help));
            None
        }
        Kind::String(text) => Some(text.value().into()),
        _ => {
            let help = format!("the tools are {}", tools::listed());
            complain(named, "`tool` is the name of a tool", &help, reports)
        }
    }
}

fn object(entries: &[Entry]) -> Map<String, Value> {
    let pair = |entry: &Entry| (entry.key.text.to_string(), json_of(&entry.value));
    entries.iter().map(pair).collect()
}

/// Reports fields that are not there: what a plan says and nobody reads would be no part of what is run.
fn unknown_fields(entries: &[Entry], fields: &[&'static str], of: &str, reports: &mut Reports) {
    for entry in entries.iter().filter(|entry| !fields.contains(&&*entry.key.text)) {
        if matches!(entry.value.kind, Kind::Broken) {
            continue;
        }
        let written = &*entry.key.text;
        let message = format!("unknown field `{written}` in {of}");
        let diagnostic = Diagnostic::new(&d::UNKNOWN_FIELD, entry.key.span, message);
        reports.push(did_you_mean(diagnostic, written, fields.iter().copied(), "fields"));
    }
}

/// Whether some unknown field most likely stands for this one, which was reported.
fn is_meant(entries: &[Entry], fields: &[&'static str], field: &str) -> bool {
    let unknown = entries.iter().map(|entry| &*entry.key.text);
    unknown
        .filter(|key| !fields.contains(key))
        .any(|key| crate::nearest::closest(key, fields.iter().copied()) == Some(field))
}

/// What a value is, in the words of JSON.
fn of_json(node: &Node) -> &'static str {
    match node.kind {
        Kind::Null => "null",
        Kind::Map(_) => "an object",
        _ => node.describe(),
    }
}
