//! What the registry declares: diagnostics, conditions, fields and their values, placeholders.

use behavior_compiler::ast;
use behavior_compiler::conditions::{self, Composite, ConditionKind};
use behavior_compiler::diagnostic::{DiagnosticKind, Example};
use behavior_compiler::registry::diagnostics;
use behavior_compiler::registry::schema::{Choice, Field, Record, Shape};
use behavior_compiler::resolve::{SETTINGS, THRESHOLDS};
use behavior_compiler::template::{DIRECTIVE_PLACEHOLDERS, PLACEHOLDERS, Placeholder};
use behavior_compiler::trace_policy::{TracePolicy, TraceRuleKind};

use super::meaning::Meaning;

/// How deep records are looked into; they nest less.
const MAX_DEPTH: u32 = 8;

/// A field and the places in a document where it may stand.
struct Place {
    paths: Vec<String>,
    owner: &'static Record,
    field: &'static Field,
}

/// The meanings that the registry gives a name.
pub fn meanings(name: &str) -> Vec<Meaning> {
    let mut found = Vec::new();
    found.extend(conditions::find(name).map(condition));
    found.extend(conditions::COMPOSITES.iter().filter(|c| c.name == name).map(composite));
    found.extend(diagnostics::ALL.iter().filter(|d| d.name == name).map(|d| diagnostic(d)));
    found.extend(TraceRuleKind::named(name).map(trace_kind));
    found.extend(placeholders(name));
    found.extend(switches(name));
    let places = places();
    found.extend(fields(name, &places));
    if TraceRuleKind::named(name).is_none() {
        found.extend(values(name, &places));
    }
    found.extend(records(name, &places));
    found
}

/// The fields of a rule definition, in the order in which they are written.
pub fn fields_of_definitions() -> impl Iterator<Item = Meaning> {
    let owner = ast::RuleDefinition::RECORD;
    let place = move |field| Place { paths: Vec::new(), owner, field };
    owner.fields.iter().map(move |one| field(&place(one)))
}

/// All conditions.
pub fn all_conditions() -> impl Iterator<Item = Meaning> {
    conditions::COMPOSITES
        .iter()
        .map(composite)
        .chain(conditions::ALL.iter().map(|kind| condition(kind)))
}

/// What messages can hold.
pub fn all_placeholders() -> impl Iterator<Item = Meaning> {
    PLACEHOLDERS.iter().map(|one| placeholder("placeholder of messages", one))
}

/// Every name that [`meanings`] knows.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = conditions::names().map(str::to_owned).collect();
    names.extend(diagnostics::ALL.iter().map(|kind| kind.name.to_owned()));
    names.extend(PLACEHOLDERS.iter().chain(DIRECTIVE_PLACEHOLDERS).map(|p| p.name.to_owned()));
    names.extend(THRESHOLDS.iter().map(|threshold| threshold.name.to_owned()));
    names.extend(TraceRuleKind::CHOICES.iter().map(|kind| kind.name.to_owned()));
    names.extend(SETTINGS.iter().map(|(name, _)| (*name).to_owned()));
    for place in places() {
        names.push(place.field.name.to_owned());
        names.extend(place.paths);
        names.extend(choices(place.field.shape).iter().map(|choice| choice.name.to_owned()));
    }
    names
}

fn condition(kind: &'static ConditionKind) -> Meaning {
    let phases: Vec<_> = kind.phases.iter().map(|phase| phase.name()).collect();
    let meaning = Meaning::new("condition", kind.name, kind.docs)
        .fact("argument", kind.argument.describe())
        .fact("phases", phases.join(", "));
    with_fields(meaning, kind.argument)
        .example("as a mapping", kind.example)
        .example("as an expression", kind.expression)
}

fn composite(kind: &'static Composite) -> Meaning {
    Meaning::new("condition of conditions", kind.name, kind.docs)
        .fact("argument", kind.argument.describe())
        .example("as a mapping", kind.example)
        .example("as an expression", kind.expression)
}

/// A kind of rule of trace policies.
fn trace_kind(kind: TraceRuleKind) -> Meaning {
    let meaning = Meaning::new("kind of trace rule", kind.kind.name(), kind.docs);
    with_fields(meaning, Shape::Record(kind.parameters))
        .example("in a trace policy", format!("rules:\n{}", indented(kind.example)))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

fn diagnostic(kind: &'static DiagnosticKind) -> Meaning {
    let meaning =
        Meaning::new("diagnostic", kind.name, kind.docs).fact("level", kind.severity.name());
    kind.examples.iter().fold(meaning, |meaning, example| {
        let meaning = meaning.example(place(example), example.wrong());
        match example.right() {
            Some(right) => meaning.example("instead", right),
            None => meaning,
        }
    })
}

/// Where an example gets its diagnostic.
fn place(example: &Example) -> String {
    match example.options {
        "" => format!("in {}", example.file),
        options => format!("in {}, with {options}", example.file),
    }
}

/// `target`, `{target}`, `counter:`, `counter:NAME` and `{counter:NAME}` are the same kind.
fn placeholders(name: &str) -> Vec<Meaning> {
    let name = name.trim_start_matches('{').trim_end_matches('}');
    let name = name.split(':').next().unwrap_or(name);
    let find = |list: &'static [Placeholder], kind| {
        list.iter().find(|placeholder| placeholder.name == name).map(|p| placeholder(kind, p))
    };
    [
        find(PLACEHOLDERS, "placeholder of messages"),
        find(DIRECTIVE_PLACEHOLDERS, "placeholder of directives"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn placeholder(kind: &'static str, placeholder: &'static Placeholder) -> Meaning {
    let name = placeholder.name;
    let (shown, argument) = match placeholder.argument {
        Some(argument) => (format!("{{{name}:NAME}}"), argument.describe()),
        None => (format!("{{{name}}}"), ""),
    };
    Meaning::new(kind, shown, placeholder.docs)
        .fact("NAME is", argument)
        .example("in a message", placeholder.example)
}

fn switches(name: &str) -> Vec<Meaning> {
    let name = name.strip_prefix("rules.").unwrap_or(name);
    let thresholds = THRESHOLDS.iter().filter(|threshold| threshold.name == name);
    let settings = SETTINGS.iter().filter(|(known, _)| *known == name);
    thresholds
        .map(|threshold| {
            Meaning::new("threshold", format!("rules.{}", threshold.name), threshold.docs)
                .fact("default", threshold.default.to_string())
                .fact("rule", threshold.rule)
                .fact("off", "0 switches the rule off")
                .example(
                    "in a behaviour config",
                    format!("rules:\n  {name}: {}", threshold.default),
                )
        })
        .chain(settings.map(|(known, docs)| {
            Meaning::new("setting of the prompt", format!("rules.{known}"), *docs)
        }))
        .collect()
}

/// Every field of every record that rule files may hold.
fn places() -> Vec<Place> {
    let mut places = Vec::new();
    let roots = [
        ast::BehaviorConfig::RECORD,
        ast::Profile::RECORD,
        ast::PolicyFile::RECORD,
        TracePolicy::RECORD,
    ];
    for root in roots {
        collect("", root, &mut places, 0);
    }
    for kind in conditions::ALL {
        for record in records_in(kind.argument) {
            collect(kind.name, record, &mut places, 0);
        }
    }
    places
}

fn collect(prefix: &str, record: &'static Record, places: &mut Vec<Place>, depth: u32) {
    if depth > MAX_DEPTH {
        return;
    }
    for field in record.fields {
        let dot = if prefix.is_empty() { "" } else { "." };
        let path = format!("{prefix}{dot}{}", field.name);
        let known = places
            .iter_mut()
            .find(|place| place.owner.name == record.name && place.field.name == field.name);
        match known {
            Some(place) if place.paths.contains(&path) => {}
            Some(place) => place.paths.push(path.clone()),
            None => places.push(Place { paths: vec![path.clone()], owner: record, field }),
        }
        for inner in records_in(field.shape) {
            collect(&path, inner, places, depth + 1);
        }
    }
}

fn records_in(shape: Shape) -> Vec<&'static Record> {
    match shape {
        Shape::Record(record) => vec![record],
        Shape::Map(of) | Shape::List(of) | Shape::OneOrMany(of) => records_in(*of),
        Shape::Either(shapes) => shapes.iter().flat_map(|shape| records_in(*shape)).collect(),
        _ => Vec::new(),
    }
}

fn choices(shape: Shape) -> &'static [Choice] {
    match shape {
        Shape::Choice(choices) => choices,
        Shape::Map(of) | Shape::List(of) | Shape::OneOrMany(of) => choices(*of),
        Shape::Either(shapes) => shapes
            .iter()
            .map(|shape| choices(*shape))
            .find(|found| !found.is_empty())
            .unwrap_or(&[]),
        _ => &[],
    }
}

/// Fields whose name, or the end of whose path, is `name`.
fn fields(name: &str, places: &[Place]) -> Vec<Meaning> {
    let name = without_indexes(name);
    let ending = format!(".{name}");
    let is_meant =
        |place: &&Place| place.paths.iter().any(|path| *path == name || path.ends_with(&ending));
    places.iter().filter(is_meant).map(field).collect()
}

fn field(place: &Place) -> Meaning {
    let field = place.field;
    let need = if field.required { "must be there" } else { "" };
    let meaning = Meaning::new("field", field.name, field.docs)
        .fact("of", place.owner.name)
        .fact("written at", place.paths.join(", "))
        .fact("takes", field.shape.describe())
        .fact("required", need)
        .fact("default", field.default.unwrap_or_default());
    let words = choices(field.shape).iter().map(|c| format!("{}: {}", c.name, c.docs.trim()));
    let meaning = meaning.fact("values", words.collect::<Vec<_>>().join("\n"));
    with_fields(meaning, field.shape)
}

/// The first paragraph of a documentation as one line.
fn first_paragraph(docs: &str) -> String {
    let lines = docs.lines().map(str::trim).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

fn with_fields(meaning: Meaning, shape: Shape) -> Meaning {
    let mut seen = Vec::new();
    // One that may stand alone and in a list is told once.
    let records = records_in(shape).into_iter().filter(|record| {
        let is_new = !seen.contains(&record.name);
        seen.push(record.name);
        is_new
    });
    let list = records.map(|record| {
        let fields = record.fields.iter().map(|field| {
            let summary = first_paragraph(field.docs);
            let need = match field.default {
                _ if field.required => " (must be there)".to_owned(),
                Some(default) => format!(" (default: `{default}`)"),
                None => String::new(),
            };
            format!("{}: {summary}{need}", field.name)
        });
        fields.collect::<Vec<_>>().join("\n")
    });
    let list: Vec<_> = list.collect();
    meaning.fact("fields", list.join("\n"))
}

/// `rule_definitions[0].trigger` is any rule's trigger.
fn without_indexes(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut inside = false;
    for character in name.chars() {
        match character {
            '[' => inside = true,
            ']' => inside = false,
            other if !inside => out.push(other),
            _ => {}
        }
    }
    out
}

/// Words that a field may be.
fn values(name: &str, places: &[Place]) -> Vec<Meaning> {
    let mut found: Vec<(&'static Choice, Vec<String>)> = Vec::new();
    for place in places {
        for choice in choices(place.field.shape).iter().filter(|choice| choice.name == name) {
            let at = format!("`{}` of {}", place.field.name, place.owner.name);
            match found.iter_mut().find(|(known, _)| known.docs == choice.docs) {
                Some((_, fields)) => fields.push(at),
                None => found.push((choice, vec![at])),
            }
        }
    }
    let meaning = |(choice, fields): (&'static Choice, Vec<String>)| {
        Meaning::new("value", choice.name, choice.docs).fact("of", fields.join(", "))
    };
    found.into_iter().map(meaning).collect()
}

/// Records by what they are called: `rule definition`, `a rule definition` or `rule_definition`.
fn records(name: &str, places: &[Place]) -> Vec<Meaning> {
    let asked = name.replace('_', " ").to_lowercase();
    let mut found: Vec<&'static Record> = Vec::new();
    for place in places {
        let called = place.owner.name.split_once(' ').map_or("", |(_, rest)| rest);
        let is_meant = called == asked || place.owner.name == asked;
        if is_meant && !found.iter().any(|record| record.name == place.owner.name) {
            found.push(place.owner);
        }
    }
    let meaning = |record: &'static Record| {
        with_fields(Meaning::new("record", record.name, record.docs), Shape::Record(record))
    };
    found.into_iter().map(meaning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_something() {
        for name in names() {
            assert!(!meanings(&name).is_empty(), "{name}");
        }
    }

    #[test]
    fn fields_are_found_by_their_path() {
        let check = |name: &str, owners: &[&str]| {
            let found = meanings(name);
            let of = found.iter().flat_map(|m| &m.facts).filter(|(what, _)| *what == "of");
            assert_eq!(of.map(|(_, of)| of.as_str()).collect::<Vec<_>>(), owners, "{name}");
        };
        check("rule_definitions.trigger", &["a rule definition"]);
        check("rule_definitions[3].trigger", &["a rule definition"]);
        let all = ["a custom rule", "a rule definition", "the parameters of `must_followup`"];
        check("trigger", &all);
        check("classifier.frequency", &["a classifier"]);
        check("state_tracking.sets.window_turns", &["a set"]);
    }

    #[test]
    fn placeholders_are_found_in_every_spelling() {
        for name in ["{target}", "counter:", "{counter:changes_since_test}", "counter:x"] {
            assert!(meanings(name).iter().any(|m| m.kind == "placeholder of messages"), "{name}");
        }
    }
}
