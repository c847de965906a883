//! What to write in place of a value of another type, or of a key that a record does not have: read off what is there and
//! what could be. It reports nothing.

use behavior_image::operation::Op;

use super::otherwise::{self, Meaning};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::nearest::{closest, is_surely};
use crate::registry::schema::{Field, NameKind, Record, Shape, all_of};
use crate::syntax::{Entry, Kind, Node};

/// Adds what to write instead, where that can be told.
pub(super) fn add(diagnostic: Diagnostic, node: &Node, shape: Shape) -> Diagnostic {
    match &node.kind {
        Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) if wants_text(shape) => {
            diagnostic.help("put quotes around it to make it a string")
        }
        Kind::Bool(true) if matches!(shape, Shape::Condition) => {
            diagnostic.help("leave the condition out for a rule that always fires")
        }
        Kind::String(text) => for_text(diagnostic, node, text, shape),
        Kind::Map(entries) => match shape {
            Shape::List(of) => diagnostic.help(with_dashes(entries, *of)),
            _ => diagnostic,
        },
        Kind::Seq(items) => match for_list(items, shape) {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        },
        _ => diagnostic,
    }
}

fn wants_text(shape: Shape) -> bool {
    use Shape::{Message, Name, Pattern, Policy, Text, Tool};
    matches!(shape, Text | Message | Pattern | Policy | Tool | Name(_))
}

/// What to write in place of a text.
fn for_text(diagnostic: Diagnostic, node: &Node, text: &str, shape: Shape) -> Diagnostic {
    let is_bare = match shape {
        Shape::Int(..) => text.parse::<i64>().is_ok(),
        Shape::Number => text.parse::<f64>().is_ok(),
        Shape::Bool => matches!(text, "true" | "false"),
        _ => false,
    };
    if is_bare {
        let diagnostic = diagnostic.help(format!("take the quotes away: `{text}`"));
        return diagnostic.replace(node.span, text, Applicability::Safe);
    }
    let meant = match &*text.to_ascii_lowercase() {
        "yes" | "on" | "y" => "true",
        "no" | "off" | "n" => "false",
        _ => "",
    };
    match shape {
        Shape::Bool if !meant.is_empty() => diagnostic
            .help(format!("write `{meant}`: in YAML 1.2 `{text}` is a string"))
            .replace(node.span, meant, Applicability::Safe),
        Shape::Record(record) => diagnostic.help(as_mapping(record, Some(text))),
        Shape::List(of) => diagnostic.help(as_list(text, *of)),
        _ => diagnostic,
    }
}

/// The fields that a mapping needs, or where it needs none, the one that is written first, which may have a text that
/// stands in the mapping's place.
fn as_mapping(record: &Record, text: Option<&str>) -> String {
    const MAX: usize = 3;
    let needed = record.fields.iter().filter(|field| field.required);
    let shown: Vec<&Field> = match needed.clone().next() {
        None => record.fields.iter().take(1).collect(),
        Some(_) => needed.take(MAX).collect(),
    };
    let mut text = text.filter(|text| is_word(text) && shown.len() < MAX);
    let value = |field: &Field| match text.take().filter(|_| wants_word(field.shape)) {
        Some(text) => format!("{}: {text}", field.name),
        None => format!("{}: …", field.name),
    };
    let shown: Vec<String> = shown.into_iter().map(value).collect();
    format!("write a mapping: `{{ {} }}`", shown.join(", "))
}

/// A list of the one thing that stands in its place.
fn as_list(text: &str, of: Shape) -> String {
    match of {
        Shape::Record(record) if record.fields.iter().any(|field| field.required) => {
            let mapping =
                as_mapping(record, None).replace("write a mapping: `", "").replace('`', "");
            format!("write a list: `[{mapping}]`")
        }
        _ if is_word(text) => format!("write a list: `[{text}]`"),
        _ => "write a list: `[one, another]`".to_owned(),
    }
}

/// Whether a text is one word, which needs no quotes.
fn is_word(text: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.' | '/');
    text.starts_with(char::is_alphabetic) && text.chars().all(is_part)
}

/// Whether a value may be one word.
fn wants_word(shape: Shape) -> bool {
    match shape {
        Shape::OneOrMany(of) => wants_text(*of),
        shape => wants_text(shape),
    }
}

/// How the items of a list are written, in whose place a mapping stands.
fn with_dashes(entries: &[Entry], of: Shape) -> String {
    let first = entries.first().map_or("…", |entry| &*entry.key.text);
    if let Some(key) = first.strip_prefix('-') {
        return format!("put a blank behind the dash: `- {key}: …`");
    }
    match of {
        // A policy is written in TOML.
        Shape::Record(record) if record.name == "a policy rule" => {
            "begin each rule with a line of its own, `[[rules]]`".to_owned()
        }
        // A mapping from names to the items.
        Shape::Record(record) if record.field(first).is_none() && has_mappings(entries) => {
            let name = record.fields.first().map_or("…", |field| field.name);
            format!("begin each item with a dash: `- {name}: {first}`")
        }
        Shape::Record(record) if record.field(first).is_none() => {
            let name = record.fields.first().map_or("…", |field| field.name);
            format!("begin each item with a dash: `- {name}: …`")
        }
        Shape::Record(_) => format!("begin each item with a dash: `- {first}: …`"),
        _ => "begin each item with a dash, or write `[one, another]`".to_owned(),
    }
}

fn has_mappings(entries: &[Entry]) -> bool {
    entries.iter().any(|entry| matches!(entry.value.kind, Kind::Map(_)))
}

/// What to write in place of a list.
fn for_list(items: &[Node], shape: Shape) -> Option<String> {
    let first = items.first().and_then(Node::as_str).unwrap_or("NAME");
    let has = |record: &Record, name: &str| record.field(name).is_some();
    Some(match shape {
        Shape::Map(_) if items.iter().any(|item| item.entry("id").is_some()) => {
            "rules of your own stand in a list of another name: write `rule_definitions:`"
                .to_owned()
        }
        Shape::Map(_) => format!("write names with values, without dashes: `{first}: …`"),
        Shape::Condition => {
            "put `all:` before the list where every one must hold, `any:` where one is enough"
                .to_owned()
        }
        Shape::Either(shapes) => {
            let any = |shape: &Shape| matches!(shape, Shape::Record(record) if has(record, "any"));
            shapes.iter().any(any).then(|| "for one of several, write `{ any: […] }`".to_owned())?
        }
        Shape::Record(record) if has(record, "rule_definitions") => {
            "rules stand in a list of that name: begin with `rule_definitions:`".to_owned()
        }
        Shape::Policy => {
            let all: Vec<&str> = items.iter().filter_map(Node::as_str).collect();
            format!("write one text with `|` between: `\"{}\"`", all.join("|"))
        }
        Shape::Record(record) if has(record, "fires") => {
            "write `fires: […]` for those on which it fires, `passes: […]` for the others"
                .to_owned()
        }
        Shape::Record(record) if has(record, "tests") => {
            "tests stand in a list of that name: begin with `tests:`".to_owned()
        }
        Shape::Name(NameKind::Profile) => {
            "name one; to build on it, write a profile of your own that `extends` it".to_owned()
        }
        _ => return None,
    })
}

/// Adds what a key that a record does not have was meant to be. `node` is the mapping it stands in.
pub(super) fn on_key(
    diagnostic: Diagnostic,
    entry: &Entry,
    node: &Node,
    record: &'static Record,
) -> Diagnostic {
    let written = &*entry.key.text;
    let is_there = |name: &str| node.entry(name).is_some();
    let free = || record.fields.iter().map(|field| field.name).filter(|name| !is_there(name));
    match otherwise::meaning(record, written, is_there) {
        Some(Meaning::Field(field)) => return renamed(diagnostic, written, field),
        Some(Meaning::Told { fields, help }) => {
            return diagnostic.help(help).stands_for(fields);
        }
        Some(Meaning::Twice(field)) => return said_twice(diagnostic, field),
        None => {}
    }
    if let Some(field) = closest(written, free()).or_else(|| with_choice(entry, node, record)) {
        return renamed(diagnostic, written, field);
    }
    if let Some(field) = closest(written, record.fields.iter().map(|field| field.name)) {
        return said_twice(diagnostic, field);
    }
    if let Some(field) = only_missing(node, record) {
        return renamed(diagnostic, written, field);
    }
    match below(record, written) {
        Some((field, help)) => diagnostic.help(help).stands_for(&[field]),
        None => among_all(diagnostic, entry, node, record),
    }
}

/// The key is another field of the same record.
fn renamed(diagnostic: Diagnostic, written: &str, field: &'static str) -> Diagnostic {
    let sure = match is_surely(written, field) {
        true => Applicability::Safe,
        false => Applicability::Unsafe,
    };
    let span = diagnostic.span;
    diagnostic
        .help(format!("did you mean `{field}`?"))
        .replace(span, field, sure)
        .stands_for(&[field])
}

fn said_twice(diagnostic: Diagnostic, field: &str) -> Diagnostic {
    diagnostic.help(format!("`{field}` stands here already: make one of the two"))
}

/// The field that is not there and may have the value of a key, where no other may.
fn with_choice(entry: &Entry, node: &Node, record: &Record) -> Option<&'static str> {
    let word = entry.value.as_str()?;
    let takes = |field: &&Field| match field.shape {
        Shape::Choice(choices) => {
            node.entry(field.name).is_none() && choices.iter().any(|choice| choice.name == word)
        }
        _ => false,
    };
    let mut taking = record.fields.iter().filter(takes);
    let only = taking.next()?;
    taking.next().is_none().then_some(only.name)
}

/// The field that a small mapping misses, where it misses one and has one that is unknown: the one most likely stands for
/// the other, whatever it is called.
fn only_missing(node: &Node, record: &Record) -> Option<&'static str> {
    const MAX_FIELDS: usize = 4;
    let entries = node.entries().filter(|_| record.fields.len() <= MAX_FIELDS)?;
    let mut unknown = entries.iter().filter(|entry| record.field(&entry.key.text).is_none());
    let mut missing =
        record.fields.iter().filter(|field| field.required && node.entry(field.name).is_none());
    match (unknown.next(), unknown.next(), missing.next(), missing.next()) {
        (Some(_), None, Some(field), None) => Some(field.name),
        _ => None,
    }
}

/// The field of a record below which a key belongs, and how it is written there.
fn below(record: &Record, key: &str) -> Option<(&'static str, String)> {
    let lists = record.fields.iter().filter_map(|field| match field.shape {
        Shape::List(Shape::Record(item)) if item.field(key).is_some() => Some((field.name, *item)),
        _ => None,
    });
    // Of several, the one with the most to say.
    if let Some((list, item)) = lists.max_by_key(|(_, item)| item.fields.len()) {
        let help = format!("it is a field of {}: write it in an item of `{list}`", item.name);
        return Some((list, help));
    }
    let has_it = |shape: &Shape| match shape {
        Shape::Record(below) => below.field(key).is_some(),
        Shape::Condition => is_condition(key),
        _ => false,
    };
    let field = record.fields.iter().find(|field| match field.shape {
        Shape::Either(shapes) => shapes.iter().any(has_it),
        shape => has_it(&shape),
    })?;
    Some((field.name, format!("write it below `{0}`: `{0}: {{ {key}: … }}`", field.name)))
}

fn is_condition(name: &str) -> bool {
    matches!(name, "all" | "any" | "not") || Op::TESTS.iter().any(|test| test.name() == name)
}

/// What a mapping needs where nothing is right in it, or the names of all fields.
fn among_all(
    diagnostic: Diagnostic,
    entry: &Entry,
    node: &Node,
    record: &'static Record,
) -> Diagnostic {
    let needed: Vec<&str> =
        record.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let is_alone = node.entries().is_some_and(|entries| entries.len() == 1);
    if is_alone && needed.len() > 1 && entry.value.entries().is_none() {
        return diagnostic.help(as_mapping(record, None)).stands_for(&needed);
    }
    let names = record.fields.iter().map(|field| field.name);
    diagnostic.help(format!("the fields are {}", all_of(names)))
}
