//! The reference page and the JSON Schemas, written from the registry, and the table of agents, from
//! their adapters. Say nothing that these do not.

use std::fmt::Write as _;

use behavior_agents::hook::{Abilities, Agent};
use behavior_compiler::ast::{Autonomy, BehaviorConfig, PolicyFile, Profile, Verbosity};
use behavior_compiler::conditions;
use behavior_compiler::diagnostic::{Example, Severity};
use behavior_compiler::registry::diagnostics;
use behavior_compiler::registry::schema::{Field, Record, Shape};
use behavior_compiler::resolve::switches::{SETTINGS, THRESHOLDS};
use behavior_compiler::template::{DIRECTIVE_PLACEHOLDERS, PLACEHOLDERS, Placeholder};
use behavior_compiler::trace_policy::TracePolicy;
use serde_json::{Map, Value, json};

/// How the generated files are made again.
pub const REGENERATE: &str = "cargo run -p behavior-tests --bin reference";

/// The generated files: their path from the project's root, and their text.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    let config = schema(BehaviorConfig::RECORD, "Behaviour config");
    let profile = schema(Profile::RECORD, "Behaviour profile");
    let trace_policy = schema(TracePolicy::RECORD, "Trace policy");
    vec![
        ("docs/reference.md", page()),
        ("docs/schema/behavior-config.json", config),
        ("docs/schema/profile.json", profile),
        ("docs/schema/trace-policy.json", trace_policy),
        ("docs/live.md", with_agents(include_str!("../../docs/live.md"))),
    ]
}

/// The page with its table of agents written anew.
fn with_agents(page: &str) -> String {
    const BEGIN: &str = "<!-- agents -->\n";
    const END: &str = "<!-- /agents -->\n";
    let before = page.split_once(BEGIN).map_or(page, |(before, _)| before);
    let after = page.split_once(END).map_or("", |(_, after)| after);
    format!("{before}{BEGIN}{}{END}{after}", agents())
}

/// What can be done with each agent, from what its adapter declares.
fn agents() -> String {
    let agents: Vec<Agent> = Agent::wired().collect();
    let mut out = format!("\n<!-- Written by `{REGENERATE}`; changes here are lost. -->\n\n");
    let mut row = |name: &str, cell: &dyn Fn(Agent) -> String| {
        let cells: Vec<String> = agents.iter().map(|agent| cell(*agent)).collect();
        let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
    };
    row("", &|agent| format!("`{}`", agent.name()));
    row("---", &|_| "---".to_owned());
    row("in a project", &|agent| format!("`{}`", agent.project_file().unwrap_or_default()));
    row("of a user", &|agent| {
        let file = agent.user_file();
        file.map_or(String::new(), |file| {
            let folder = Some(file.folder).filter(|folder| !folder.is_empty());
            let parts: Vec<&str> = ["~"].into_iter().chain(folder).chain([file.file]).collect();
            format!("`{}`", parts.join("/"))
        })
    });
    row("… in place of the folder", &|agent| {
        let variable = agent.user_file().and_then(|file| file.variable);
        variable.map_or(String::new(), |name| format!("`${name}`"))
    });
    for (name, can) in ABILITIES {
        let mark = |can: bool| if can { "yes" } else { "" };
        row(name, &|agent| mark(can(&agent.abilities())).to_owned());
    }
    out.push('\n');
    out
}

/// Whether an agent has an ability.
type Ability = fn(&Abilities) -> bool;

/// What an agent can or cannot, as the table has it.
const ABILITIES: [(&str, Ability); 13] = [
    ("asks its user about a call; where not, the call is denied", |can| can.asks),
    ("takes reminders when a session begins", |can| can.context_on_start),
    ("… with what the user says", |can| can.context_on_prompt),
    ("… before a tool; where not, they come with its result", |can| can.context_before_tool),
    ("… with a tool's result", |can| can.context_after_tool),
    ("is made to go on when it wants to stop", |can| can.keeps_going),
    ("tells of calls that failed", |can| can.tells_failures),
    ("tells the ids of calls", |can| can.tells_call_ids),
    ("tells what it writes", |can| can.tells_text),
    ("… before it uses a tool", |can| can.tells_text_before_tools),
    ("tells sub-agents apart", |can| can.tells_sub_agents),
    ("tells of tokens and of why a response ended", |can| can.tells_responses),
    ("calls its hooks for every tool that it has", |can| can.silent_tools.is_empty()),
];

/// Every record that a rule file may hold, each once, in the order in which they are met.
#[must_use]
pub fn records() -> Vec<&'static Record> {
    let mut found =
        vec![BehaviorConfig::RECORD, Profile::RECORD, PolicyFile::RECORD, TracePolicy::RECORD];
    let mut next = 0;
    while let Some(record) = found.get(next).copied() {
        record.fields.iter().for_each(|field| add_records(field.shape, &mut found));
        next += 1;
    }
    for kind in conditions::ALL {
        add_records(kind.argument, &mut found);
    }
    found
}

fn add_records(shape: Shape, found: &mut Vec<&'static Record>) {
    match shape {
        Shape::Record(record) if !found.iter().any(|known| known.name == record.name) => {
            found.push(record);
        }
        Shape::Map(of) | Shape::List(of) | Shape::OneOrMany(of) => add_records(*of, found),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| add_records(*shape, found)),
        _ => {}
    }
}

/// The name without its article.
fn bare(record: &Record) -> &str {
    record.name.trim_start_matches("a ").trim_start_matches("an ")
}

fn summary(docs: &str) -> &str {
    docs.trim().split("\n\n").next().unwrap_or_default().trim()
}

/// A text on one line, fit for a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn paragraphs(docs: &str) -> String {
    let lines = docs.trim().lines().map(str::trim);
    lines.collect::<Vec<_>>().join("\n")
}

fn page() -> String {
    let mut out = format!(
        "# Reference\n\n<!-- Written by `{REGENERATE}`; changes here are lost. -->\n\n\
         Every field, condition, placeholder and diagnostic of the rule language, as the compiler \
         declares them.\nHow they work together is told, and run, in [the language \
         reference](../tests/spec/README.md).\n"
    );
    out.push_str("\n## Files\n");
    let is_condition = |record: &&&Record| record.name.ends_with("condition");
    let records = records();
    for record in records.iter().filter(|record| !is_condition(record)) {
        record_section(record, &mut out);
    }
    rules_section(&mut out);
    conditions_section(&mut out);
    placeholders_section("Placeholders of messages", PLACEHOLDERS, &mut out);
    placeholders_section("Placeholders of directives", DIRECTIVE_PLACEHOLDERS, &mut out);
    diagnostics_section(&mut out);
    out
}

fn record_section(record: &Record, out: &mut String) {
    let _ = writeln!(out, "\n### {}\n\n{}\n", bare(record), paragraphs(record.docs));
    out.push_str("| field | value | default | meaning |\n|---|---|---|---|\n");
    for field in record.fields {
        field_row(field, out);
    }
    let mut told: Vec<String> = Vec::new();
    for field in record.fields {
        let value = field.shape.describe();
        if !told.contains(&value) {
            choices(field, out);
            told.push(value);
        }
    }
}

fn field_row(field: &Field, out: &mut String) {
    let default = match (field.required, field.default) {
        (true, _) => "**required**".to_owned(),
        (false, Some(default)) => format!("`{}`", cell(default)),
        (false, None) => String::new(),
    };
    let value = cell(&field.shape.describe());
    let _ = writeln!(out, "| `{}` | {value} | {default} | {} |", field.name, cell(field.docs));
}

fn choices(field: &Field, out: &mut String) {
    let Shape::Choice(choices) = field.shape else { return };
    let _ = writeln!(out, "\nThe values of `{}`:\n", field.name);
    for choice in choices {
        let _ = writeln!(out, "- `{}`: {}", choice.name, cell(choice.docs));
    }
}

fn rules_section(out: &mut String) {
    out.push_str(
        "\n### rules\n\nThe ids of built-in rules, each `true` or `false`, and:\n\n\
         | key | value | default | meaning |\n|---|---|---|---|\n",
    );
    for threshold in THRESHOLDS {
        let _ = writeln!(
            out,
            "| `{}` | a whole number, 0 or more; 0 switches `{}` off | `{}` | {} |",
            threshold.name,
            threshold.rule,
            threshold.default,
            cell(threshold.docs)
        );
    }
    for (name, docs) in SETTINGS {
        let value = setting_shape(name).describe();
        let _ = writeln!(out, "| `{name}` | {} | | {} |", cell(&value), cell(docs));
    }
}

/// What a setting of `rules` may be.
fn setting_shape(name: &str) -> Shape {
    match name {
        "verbosity" => Shape::Choice(Verbosity::CHOICES),
        "autonomy" => Shape::Choice(Autonomy::CHOICES),
        _ => Shape::Bool,
    }
}

fn conditions_section(out: &mut String) {
    out.push_str("\n## Conditions\n");
    for kind in conditions::ALL {
        let phases: Vec<_> =
            kind.phases.iter().map(|phase| format!("`{}`", phase.name())).collect();
        let _ = writeln!(
            out,
            "\n### {}\n\n{}\n\nTakes {}. Can hold in {} rules.",
            kind.name,
            paragraphs(kind.docs),
            kind.argument.describe(),
            phases.join(", ")
        );
        let mut nested = Vec::new();
        add_records(kind.argument, &mut nested);
        for record in nested {
            out.push_str("\n| field | value | default | meaning |\n|---|---|---|---|\n");
            record.fields.iter().for_each(|field| field_row(field, out));
        }
        forms(kind.example, kind.expression, out);
    }
    for composite in conditions::COMPOSITES {
        let docs = paragraphs(composite.docs);
        let _ = writeln!(out, "\n### {}\n\n{docs}", composite.name);
        forms(composite.example, composite.expression, out);
    }
}

fn forms(example: &str, expression: &str, out: &mut String) {
    let _ = writeln!(out, "\n```yaml\n{example}\n```\n\nAs an expression: `` {expression} ``");
}

fn placeholders_section(title: &str, placeholders: &[Placeholder], out: &mut String) {
    let _ = writeln!(out, "\n## {title}\n\n| placeholder | meaning | example |\n|---|---|---|");
    for placeholder in placeholders {
        let argument = if placeholder.argument.is_some() { ":NAME" } else { "" };
        let docs = cell(placeholder.docs);
        let name = placeholder.name;
        let _ = writeln!(out, "| `{{{name}{argument}}}` | {docs} | `{}` |", placeholder.example);
    }
}

fn diagnostics_section(out: &mut String) {
    out.push_str("\n## Diagnostics\n");
    for kind in diagnostics::ALL {
        let level = match kind.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        let _ = writeln!(out, "\n### {}\n\n*{level}*\n\n{}", kind.name, paragraphs(kind.docs));
        kind.examples.iter().for_each(|example| example_of_diagnostic(example, out));
    }
}

fn example_of_diagnostic(example: &Example, out: &mut String) {
    let options = match example.options {
        "" => String::new(),
        options => format!(", with `{options}`"),
    };
    let language = example.file.rsplit('.').next().unwrap_or_default();
    let mut block = |title: &str, text: &str| {
        let _ = writeln!(out, "\n{title}:\n\n```{language}\n{}\n```", text.trim_end());
    };
    block(&format!("In `{}`{options}", example.file), &example.wrong());
    if let Some(right) = example.right() {
        block("Instead", &right);
    }
}

/// A JSON Schema (2020-12) of a record and of everything in it.
fn schema(record: &'static Record, title: &str) -> String {
    let mut definitions = Map::new();
    for record in records() {
        definitions.insert(key(record), record_schema(record));
    }
    definitions.insert("condition".to_owned(), condition_schema());
    definitions.insert("rules".to_owned(), rules_schema());
    let mut root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": format!("Written by `{REGENERATE}`."),
        "title": title,
        "$ref": format!("#/$defs/{}", key(record)),
    });
    if let Some(fields) = root.as_object_mut() {
        let used = used_definitions(record, &definitions);
        fields.insert("$defs".to_owned(), used.into());
    }
    let text = serde_json::to_string_pretty(&root).unwrap_or_default();
    format!("{text}\n")
}

/// The definitions that a schema comes to use.
fn used_definitions(record: &Record, all: &Map<String, Value>) -> Map<String, Value> {
    let mut names = vec![key(record)];
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        let text = all.get(&name).map(Value::to_string).unwrap_or_default();
        for other in all.keys() {
            let is_used = text.contains(&format!("\"#/$defs/{other}\""));
            if is_used && !names.contains(other) {
                names.push(other.clone());
            }
        }
        next += 1;
    }
    all.iter()
        .filter(|(name, _)| names.contains(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn key(record: &Record) -> String {
    let words = bare(record).trim_end_matches(" condition").replace('`', "");
    words.replace(' ', "_")
}

fn record_schema(record: &Record) -> Value {
    let property = |field: &Field| {
        let mut schema = match (record.name, field.name) {
            (_, "rules") => reference("rules"),
            ("a custom rule", "condition") => {
                json!({"anyOf": [reference("condition"), older_condition_schema()]})
            }
            _ => shape_schema(field.shape),
        };
        if let Some(fields) = schema.as_object_mut() {
            fields.insert("description".to_owned(), cell(field.docs).into());
        }
        // A field that is written and left empty counts as not written.
        let schema =
            if field.required { schema } else { json!({"anyOf": [schema, {"type": "null"}]}) };
        (field.name.to_owned(), schema)
    };
    let properties: Map<String, Value> = record.fields.iter().map(property).collect();
    let required: Vec<&str> =
        record.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let mut schema = json!({
        "type": "object",
        "description": summary(record.docs),
        "properties": properties,
        "additionalProperties": false,
    });
    if let (Some(fields), false) = (schema.as_object_mut(), required.is_empty()) {
        fields.insert("required".to_owned(), required.into());
    }
    schema
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn shape_schema(shape: Shape) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Text
        | Shape::Name(_)
        | Shape::Pattern
        | Shape::Glob
        | Shape::Policy
        | Shape::Message
        | Shape::Directive
        | Shape::Tool => json!({"type": "string"}),
        Shape::Bool => json!({"type": "boolean"}),
        Shape::Int(least, i64::MAX) => json!({"type": "integer", "minimum": least}),
        Shape::Int(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Shape::Number => json!({"type": "number"}),
        Shape::Condition => reference("condition"),
        Shape::Choice(choices) => {
            let words: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            json!({"enum": words})
        }
        Shape::Record(record) => reference(&key(record)),
        Shape::Map(of) => json!({"type": "object", "additionalProperties": shape_schema(*of)}),
        Shape::List(of) => json!({"type": "array", "items": shape_schema(*of)}),
        Shape::OneOrMany(of) => {
            let one = shape_schema(*of);
            json!({"anyOf": [one, {"type": "array", "items": one}]})
        }
        Shape::Either(shapes) => {
            let shapes: Vec<Value> = shapes.iter().map(|shape| shape_schema(*shape)).collect();
            json!({"anyOf": shapes})
        }
    }
}

/// A condition: an expression, nothing, or a mapping with one key.
fn condition_schema() -> Value {
    let tests = conditions::ALL.iter().map(|kind| (kind.name, kind.docs, kind.argument));
    let composites = conditions::COMPOSITES.iter().map(|c| (c.name, c.docs, c.argument));
    let property = |(name, docs, argument): (&str, &str, Shape)| {
        let mut schema = shape_schema(argument);
        if let Some(fields) = schema.as_object_mut() {
            fields.insert("description".to_owned(), cell(docs).into());
        }
        (name.to_owned(), schema)
    };
    let properties: Map<String, Value> = tests.chain(composites).map(property).collect();
    json!({"anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
            "maxProperties": 1,
        },
    ]})
}

/// `{ param: command, contains: sudo }`, which only custom rules take.
fn older_condition_schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {
            "param": text, "contains": text, "matches": text, "not_in": text,
            "field": text, "substring": text, "pattern": text,
        },
        "additionalProperties": false,
        "minProperties": 2,
        "maxProperties": 2,
    })
}

fn rules_schema() -> Value {
    let mut properties = Map::new();
    let text = behavior_stdlib::file("rules.yaml").unwrap_or_default();
    let builtin: Value = serde_yaml::from_str(text).unwrap_or_default();
    let rules = builtin.get("rule_definitions").and_then(Value::as_array);
    for rule in rules.into_iter().flatten() {
        let field = |name: &str| rule.get(name).and_then(Value::as_str).unwrap_or_default();
        let schema = json!({"type": ["boolean", "null"], "description": field("description")});
        properties.insert(field("id").to_owned(), schema);
    }
    for threshold in THRESHOLDS {
        let is_rule = properties.contains_key(threshold.name);
        let types = if is_rule {
            json!(["integer", "boolean", "null"])
        } else {
            json!(["integer", "null"])
        };
        let schema = json!({"type": types, "minimum": 0, "description": threshold.docs});
        properties.insert(threshold.name.to_owned(), schema);
    }
    for (name, docs) in SETTINGS {
        let mut schema = shape_schema(setting_shape(name));
        if let Some(fields) = schema.as_object_mut() {
            fields.insert("description".to_owned(), (*docs).into());
        }
        properties.insert((*name).to_owned(), schema);
    }
    // What else may stand there are the ids of a profile's rules.
    json!({"type": "object", "properties": properties, "additionalProperties": {"type": "boolean"}})
}
