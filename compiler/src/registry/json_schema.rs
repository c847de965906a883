//! JSON Schemas (2020-12) of the kinds of files, written from the registry, for editors that know nothing else of
//! them. They say no more than the registry does.

use behavior_facts::tool_catalogue::TOOLS;
use serde_json::{Map, Value, json};

use super::schema::{Field, NameKind, Record, Shape};
use crate::ast::{
    Autonomy, BehaviorConfig, ClassifierConfig, CounterConfig, ExceptionConfig, FlagConfig,
    PolicyFile, PolicyRule, Profile, ResetWhen, RuleDefinition, Verbosity,
};
use crate::conditions;
use crate::resolve::switches::{SETTINGS, THRESHOLDS};
use crate::rule_test::{Expectation, ExpectedState, NATIVE_EVENTS, TestFile};
use crate::source::FileId;
use crate::syntax::{Format, Node, parse};
use crate::trace_policy::{
    CallOrder, JsonSchema, Limit, Obligation, TokenLimit, TracePolicy, TraceRule, TraceRuleKind,
};
use crate::workflow::{AgentsFile, TemplateFile};

/// The kinds of files that there are schemas of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaKind {
    /// An app config with a behaviour config inside.
    AppConfig,
    /// A behaviour config.
    BehaviorConfig,
    /// A profile.
    Profile,
    /// A policy, as TOML reads it.
    Policy,
    /// A trace policy.
    TracePolicy,
    /// Rule tests.
    RuleTests,
    /// Workflow templates.
    Workflow,
    /// The agents of workflows.
    Agents,
}

impl SchemaKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::AppConfig,
        Self::BehaviorConfig,
        Self::Profile,
        Self::Policy,
        Self::TracePolicy,
        Self::RuleTests,
        Self::Workflow,
        Self::Agents,
    ];

    /// Returns the name on the command line, and of its file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AppConfig => "app-config",
            Self::BehaviorConfig => "behavior-config",
            Self::Profile => "profile",
            Self::Policy => "policy",
            Self::TracePolicy => "trace-policy",
            Self::RuleTests => "rule-tests",
            Self::Workflow => "workflow",
            Self::Agents => "agents",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::AppConfig => "App config",
            Self::BehaviorConfig => "Behaviour config",
            Self::Profile => "Behaviour profile",
            Self::Policy => "Policy",
            Self::TracePolicy => "Trace policy",
            Self::RuleTests => "Rule tests",
            Self::Workflow => "Workflow template",
            Self::Agents => "Agents of workflows",
        }
    }

    fn record(self) -> &'static Record {
        match self {
            Self::AppConfig | Self::BehaviorConfig => BehaviorConfig::RECORD,
            Self::Profile => Profile::RECORD,
            Self::Policy => PolicyFile::RECORD,
            Self::TracePolicy => TracePolicy::RECORD,
            Self::RuleTests => TestFile::RECORD,
            Self::Workflow => TemplateFile::RECORD,
            Self::Agents => AgentsFile::RECORD,
        }
    }

    /// What a file is, in terms of the definitions.
    fn root(self) -> Value {
        let whole = reference(&key(self.record()));
        match self {
            Self::AppConfig => {
                json!({"allOf": [reference(APP)], "properties": {"behavior": {"anyOf": [whole, {"not": {"type": "object"}}]}}})
            }
            // The rules may stand there without more.
            Self::TracePolicy => {
                let rules = self.record().field("rules").map_or(Shape::Any, |field| field.shape);
                json!({"anyOf": [whole, shape_schema(rules)]})
            }
            Self::BehaviorConfig
            | Self::Profile
            | Self::Policy
            | Self::RuleTests
            | Self::Workflow
            | Self::Agents => whole,
        }
    }
}

/// Returns the JSON Schema of a kind of files; `builtin_rules` is the text of the rules that are built in, and `presets` are
/// the profiles that are.
#[must_use]
pub fn schema(kind: SchemaKind, builtin_rules: &str, presets: &[&str]) -> String {
    let mut definitions = Map::new();
    for record in records() {
        definitions.insert(key(record), record_schema(record));
    }
    definitions.insert("condition".to_owned(), condition_schema());
    definitions.insert(SWITCHES.to_owned(), rules_schema(builtin_rules));
    definitions.insert(TOOL.to_owned(), tool_schema(ONE_TOOL));
    definitions.insert(ANY_TOOL.to_owned(), tool_schema(r"\S"));
    definitions.insert(RULE_ID.to_owned(), rule_id_schema(builtin_rules));
    definitions.insert(PROFILE.to_owned(), json!({"type": "string", "examples": presets}));
    definitions.insert(APP.to_owned(), app_schema());
    let mut root = Map::new();
    let said = [
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("$comment", "Written by `behavior schema`."),
        ("title", kind.title()),
    ];
    root.extend(said.map(|(name, text)| (name.to_owned(), text.into())));
    if let Value::Object(own) = kind.root() {
        root.extend(own);
    }
    let used = used_definitions(&Value::from(root.clone()), &definitions);
    root.insert("$defs".to_owned(), used.into());
    let text = serde_json::to_string_pretty(&Value::from(root)).unwrap_or_default();
    format!("{text}\n")
}

/// The value of a row, as tests write it.
const ROW: &str = "\\{\\{case\\.";

/// The definition of the switches of built-in rules.
const SWITCHES: &str = "rule_switches";

/// The definitions of names that may be others, too: they are examples, which editors offer.
const TOOL: &str = "tool_name";
const ANY_TOOL: &str = "any_tool_name";
const RULE_ID: &str = "rule_id";
const PROFILE: &str = "profile_name";

/// The definition of an app config and of what lies in it: rules may stand anywhere below.
const APP: &str = "app_section";

fn app_schema() -> Value {
    let inside = json!({
        "type": "object",
        "properties": {"behavior": reference(&key(BehaviorConfig::RECORD))},
    });
    let below = json!({"anyOf": [reference(APP), {"not": {"type": "object"}}]});
    json!({"type": "object", "properties": {"security": inside}, "additionalProperties": below})
}

/// A name without blanks, commas and bars, that is no call with something in parentheses.
const ONE_TOOL: &str = r"^\s*([^\s,|(]+|[^\s,|]*\([^\s,|]*[^\s,|)])\s*$";

/// A name of a tool, of which the pattern says which there are.
fn tool_schema(pattern: &str) -> Value {
    json!({"type": "string", "pattern": pattern, "examples": tool_names()})
}

/// The names of the tools that are known, and the sign for all of them.
fn tool_names() -> Vec<&'static str> {
    TOOLS.iter().map(|tool| tool.name).chain(std::iter::once("*")).collect()
}

fn rule_id_schema(builtin_rules: &str) -> Value {
    let builtin = parse(FileId(0), builtin_rules, Format::Yaml).root;
    let rules = builtin.get("rule_definitions").and_then(Node::items).unwrap_or_default();
    let ids: Vec<&str> = rules.iter().filter_map(|rule| rule.get("id")?.as_str()).collect();
    json!({"type": "string", "examples": ids})
}

/// The definitions that a schema comes to use.
fn used_definitions(root: &Value, all: &Map<String, Value>) -> Map<String, Value> {
    let mut names: Vec<String> = Vec::new();
    let mut next = 0;
    let mut text = root.to_string();
    loop {
        for other in all.keys() {
            let is_used = text.contains(&format!("\"#/$defs/{other}\""));
            if is_used && !names.contains(other) {
                names.push(other.clone());
            }
        }
        let Some(name) = names.get(next) else { break };
        text = all.get(name).map(Value::to_string).unwrap_or_default();
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

/// What `yaml-language-server` offers to put in place of a whole record: the fields that must be there, and of a rule what
/// makes one. Source: "Adding custom snippets" of its documentation.
fn snippet(record: &Record) -> Value {
    const OF_RULE: [&str; 3] = ["trigger", "action", "condition"];
    let is_rule = record.name == RuleDefinition::RECORD.name;
    let is_part = |field: &&Field| field.required || is_rule && OF_RULE.contains(&field.name);
    let parts = record.fields.iter().filter(is_part).zip(1..);
    let body: Map<String, Value> = parts
        .map(|(field, number)| (field.name.to_owned(), snippet_value(field, number)))
        .collect();
    let name = record.name.split_once(' ').map_or(record.name, |(_, name)| name);
    json!({"label": format!("new {name}"), "description": summary(record.docs), "body": body})
}

/// A place for the value of a field, the one with this number in a snippet.
fn snippet_value(field: &Field, number: usize) -> Value {
    match field.shape {
        Shape::Choice(choices) => {
            let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            format!("${{{number}|{}|}}", names.join(",")).into()
        }
        Shape::List(_) => json!([format!("${number}")]),
        Shape::Text => format!("${{{number}:{}}}", field.name).into(),
        _ => format!("${number}").into(),
    }
}

fn record_schema(record: &Record) -> Value {
    let property = |field: &Field| {
        let mut schema = match (record.name, field.name) {
            ("a behaviour config" | "a profile", "rules") => reference(SWITCHES),
            ("a rule test", "rules") => own_rules_schema(),
            ("a rule test", "config") => own_config_schema(),
            ("a rule test", "events") => json!({"type": "array", "items": event_schema()}),
            (name, "rule") if name == ExceptionConfig::RECORD.name => reference(RULE_ID),
            (name, "rules" | "undecided") if name == Expectation::RECORD.name => {
                one_or_many(reference(RULE_ID), 0)
            }
            (name, "last_violation") if name == ExpectedState::RECORD.name => reference(RULE_ID),
            (name, "pattern" | "tool_pattern") if name == PolicyRule::RECORD.name => {
                json!({"type": "string", "examples": tool_names()})
            }
            ("a behaviour config" | "a profile", "command_classes") => classes_schema(),
            (name, "tool") if name == ResetWhen::RECORD.name => one_or_many(reference(ANY_TOOL), 0),
            (name, "reset_when") if name == CounterConfig::RECORD.name => reset_schema(),
            (name, _) if never_empty(name).contains(&field.name) => one_or_many(reference(TOOL), 1),
            (name, _) if name == ClassifierConfig::RECORD.name => without_doubles(field.shape),
            _ if is_of_traces(record) && matches!(field.shape, Shape::Tool) => reference(ANY_TOOL),
            ("a custom rule", "condition") => {
                json!({"anyOf": [reference("condition"), older_condition_schema()]})
            }
            _ => shape_schema(field.shape),
        };
        if let Some(fields) = schema.as_object_mut() {
            fields.insert("description".to_owned(), cell(field.docs).into());
        }
        let mut all = vec![schema];
        // A field that is written and left empty counts as not written.
        if !field.required {
            all.push(json!({"type": "null"}));
        }
        if is_of_tests(record) {
            all.push(json!({"type": "string", "pattern": ROW}));
        }
        let schema = match (all.len(), all.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                all.extend(last);
                json!({"anyOf": all})
            }
        };
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
        fields.insert("defaultSnippets".to_owned(), json!([snippet(record)]));
    }
    if let (Some(fields), Some(needs)) = (schema.as_object_mut(), needs_besides(record)) {
        fields.insert("anyOf".to_owned(), needs);
    }
    if let (Some(fields), true) = (schema.as_object_mut(), record.name == TraceRule::RECORD.name) {
        let kinds: Vec<Value> = TraceRuleKind::ALL.iter().map(kind_schema).collect();
        fields.insert("allOf".to_owned(), kinds.into());
    }
    schema
}

/// That a trace rule of a kind has the parameters of that kind.
fn kind_schema(kind: &TraceRuleKind) -> Value {
    json!({
        "if": {"properties": {"kind": {"const": kind.kind.name()}}, "required": ["kind"]},
        "then": {"properties": {"params": reference(&key(kind.parameters))}, "required": ["params"]},
    })
}

/// Classes of commands: each a list of what `runs` takes.
fn classes_schema() -> Value {
    let runs = conditions::ALL.iter().find(|kind| kind.name == "runs");
    let command = shape_schema(runs.map_or(Shape::Any, |kind| kind.argument));
    json!({"type": "object", "additionalProperties": {"type": "array", "items": command}})
}

/// What a record must have beside the fields that it must have in any case: one of these.
fn needs_besides(record: &Record) -> Option<Value> {
    let one_of = |fields: &[&str]| fields.iter().map(|field| has(field)).collect::<Vec<_>>().into();
    match record.name {
        name if name == CounterConfig::RECORD.name => {
            Some(one_of(&["increment_on", "increment_when"]))
        }
        name if name == FlagConfig::RECORD.name => Some(one_of(&["set_on", "set_when"])),
        name if name == ResetWhen::RECORD.name => Some(json!([
            {"allOf": [has("param"), has("matches"), {"not": has("runs")}]},
            {"allOf": [has("runs"), {"not": has("matches")}]},
        ])),
        name if name == CallOrder::RECORD.name => Some(one_of(&["then", "second"])),
        name if name == Limit::RECORD.name || name == TokenLimit::RECORD.name => {
            Some(one_of(&["limit", "n"]))
        }
        name if name == JsonSchema::RECORD.name => Some(one_of(&["schema", "schema_path"])),
        _ => None,
    }
}

/// That a field is there, and is not left empty.
fn has(field: &str) -> Value {
    json!({"required": [field], "properties": {field: {"not": {"type": "null"}}}})
}

/// The lists of tools of a record that are never empty.
fn never_empty(record: &str) -> &'static [&'static str] {
    match record {
        name if name == CounterConfig::RECORD.name => &["increment_on"],
        name if name == FlagConfig::RECORD.name => &["set_on"],
        _ => &[],
    }
}

/// What resets a counter: a mapping that says nothing is none.
fn reset_schema() -> Value {
    let nothing = json!({"type": "object", "maxProperties": 0});
    let condition = json!({"allOf": [reference("condition"), {"not": nothing}]});
    json!({"anyOf": [reference(&key(ResetWhen::RECORD)), condition]})
}

/// A value of the classifier: in its vocabularies, nothing stands twice.
fn without_doubles(shape: Shape) -> Value {
    let mut schema = shape_schema(shape);
    if let (Shape::List(_), Some(fields)) = (shape, schema.as_object_mut()) {
        fields.insert("uniqueItems".to_owned(), true.into());
    }
    schema
}

/// Whether a record is about what recordings hold, in which tools may be called anything.
fn is_of_traces(record: &Record) -> bool {
    record.name.starts_with("the parameters of") || record.name == Obligation::RECORD.name
}

fn one_or_many(one: Value, least: usize) -> Value {
    match least {
        0 => json!({"anyOf": [one, {"type": "array", "items": one}]}),
        _ => json!({"anyOf": [one, {"type": "array", "items": one, "minItems": least}]}),
    }
}

/// The keys of a record alone: what stands in a test may hold values of rows anywhere.
fn keys_schema(record: &Record) -> Value {
    let names: Vec<&str> = record.fields.iter().map(|field| field.name).collect();
    json!({"type": "object", "propertyNames": {"enum": names}})
}

fn own_rules_schema() -> Value {
    json!({"anyOf": [
        {"type": "array", "items": keys_schema(RuleDefinition::RECORD)},
        {"type": "object"},
    ]})
}

fn own_config_schema() -> Value {
    let text = json!({"type": "string"});
    json!({"anyOf": [text, {"type": "array", "items": text}, keys_schema(BehaviorConfig::RECORD)]})
}

/// An event of a test: a native one by its name or with its fields, or a tool with its parameters.
fn event_schema() -> Value {
    let native = json!({"anyOf": [{"enum": NATIVE_EVENTS}, {"type": "string", "pattern": ROW}]});
    let mut properties: Map<String, Value> =
        TOOLS.iter().map(|tool| (tool.name.to_owned(), json!({}))).collect();
    properties.insert("event".to_owned(), native.clone());
    json!({"anyOf": [native, {"type": "object", "properties": properties}]})
}

/// Whether values of a row may stand in place of those of a record.
fn is_of_tests(record: &Record) -> bool {
    matches!(
        record.name,
        "a rule test"
            | "an expectation"
            | "the state of a session"
            | "a streak of calls"
            | "a call that is remembered"
    )
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn shape_schema(shape: Shape) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Name(NameKind::Profile) => reference(PROFILE),
        Shape::Text
        | Shape::Name(_)
        | Shape::Pattern
        | Shape::Glob
        | Shape::Policy
        | Shape::Message
        | Shape::Directive => json!({"type": "string"}),
        Shape::Tool => reference(TOOL),
        Shape::Bool => json!({"type": "boolean"}),
        Shape::Int(least, i64::MAX) => json!({"type": "integer", "minimum": least}),
        Shape::Int(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Shape::Number => json!({"type": "number"}),
        Shape::Condition => reference("condition"),
        Shape::Choice(choices) => {
            let words: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            let others: Vec<&str> =
                choices.iter().flat_map(|choice| choice.others).copied().collect();
            match others.is_empty() {
                true => json!({"enum": words}),
                false => json!({"anyOf": [{"enum": words}, {"enum": others, "deprecated": true}]}),
            }
        }
        Shape::Record(record) => reference(&key(record)),
        Shape::Map(of) => json!({"type": "object", "additionalProperties": shape_schema(*of)}),
        Shape::List(of) => json!({"type": "array", "items": shape_schema(*of)}),
        Shape::OneOrMany(of) => one_or_many(shape_schema(*of), 0),
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
        "minProperties": 1,
        "maxProperties": 2,
    })
}

fn rules_schema(builtin_rules: &str) -> Value {
    let mut properties = Map::new();
    let builtin = parse(FileId(0), builtin_rules, Format::Yaml).root;
    let rules = builtin.get("rule_definitions").and_then(Node::items);
    for rule in rules.into_iter().flatten() {
        let field = |name: &str| rule.get(name).and_then(Node::as_str).unwrap_or_default();
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

/// Every record that a rule file may hold, each once, in the order in which they are met.
#[must_use]
pub fn records() -> Vec<&'static Record> {
    let mut found = vec![
        BehaviorConfig::RECORD,
        Profile::RECORD,
        PolicyFile::RECORD,
        TracePolicy::RECORD,
        TestFile::RECORD,
        TemplateFile::RECORD,
        AgentsFile::RECORD,
    ];
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

/// Adds the records of a shape to those that were found.
pub fn add_records(shape: Shape, found: &mut Vec<&'static Record>) {
    match shape {
        Shape::Record(record) if !found.iter().any(|known| known.name == record.name) => {
            found.push(record);
        }
        Shape::Map(of) | Shape::List(of) | Shape::OneOrMany(of) => add_records(*of, found),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| add_records(*shape, found)),
        _ => {}
    }
}

/// Returns the name of a record without its article.
#[must_use]
pub fn bare(record: &Record) -> &str {
    record.name.trim_start_matches("a ").trim_start_matches("an ")
}

/// Returns the first paragraph.
#[must_use]
pub fn summary(docs: &str) -> &str {
    docs.trim().split("\n\n").next().unwrap_or_default().trim()
}

/// Returns a text on one line, fit for a cell of a table.
#[must_use]
pub fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// What a setting of `rules` may be.
#[must_use]
pub fn setting_shape(name: &str) -> Shape {
    match name {
        "verbosity" => Shape::Choice(Verbosity::CHOICES),
        "autonomy" => Shape::Choice(Autonomy::CHOICES),
        _ => Shape::Bool,
    }
}
