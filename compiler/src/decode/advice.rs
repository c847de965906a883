//! What to write in place of a value of another type: read off what is there and what could be. It reports nothing.

use crate::diagnostic::{Applicability, Diagnostic};
use crate::registry::schema::{Field, NameKind, Record, Shape};
use crate::syntax::{Entry, Kind, Node};

/// Adds what to write instead, where that can be told.
pub(super) fn add(diagnostic: Diagnostic, node: &Node, shape: Shape) -> Diagnostic {
    match &node.kind {
        Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) if wants_text(shape) => {
            diagnostic.help("put quotes around it to make it a string")
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
        Shape::Record(record) => diagnostic.help(as_mapping(record)),
        _ => diagnostic,
    }
}

/// The fields that a mapping needs, or where it needs none, those that are written first.
fn as_mapping(record: &Record) -> String {
    const MAX: usize = 3;
    let needed: Vec<&Field> = record.fields.iter().filter(|field| field.required).collect();
    let shown: Vec<String> = match needed.is_empty() {
        true => record.fields.iter().take(1).map(|field| format!("{}: …", field.name)).collect(),
        false => needed.iter().take(MAX).map(|field| format!("{}: …", field.name)).collect(),
    };
    format!("write a mapping: `{{ {} }}`", shown.join(", "))
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
        Shape::Record(record) if record.field(first).is_none() => {
            let name = record.fields.first().map_or("…", |field| field.name);
            format!("begin each item with a dash: `- {name}: {first}`")
        }
        Shape::Record(_) => format!("begin each item with a dash: `- {first}: …`"),
        _ => "begin each item with a dash, or write `[one, another]`".to_owned(),
    }
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
        Shape::Name(NameKind::Profile) => {
            "name one; to build on it, write a profile of your own that `extends` it".to_owned()
        }
        _ => return None,
    })
}

/// The list of a record whose items have a field that it does not have itself: of several, the one with the most to say.
pub(super) fn list_with_field(record: &Record, name: &str) -> Option<(&'static str, &'static str)> {
    let lists = record.fields.iter().filter_map(|field| match field.shape {
        Shape::List(Shape::Record(item)) if item.field(name).is_some() => Some((field.name, item)),
        _ => None,
    });
    let (list, item) = lists.max_by_key(|(_, item)| item.fields.len())?;
    Some((list, item.name))
}

/// What other programs, or haste, call a field: the records that have the field, the word, the field that it stands for, and what
/// to write.
type Otherwise = (&'static [&'static str], &'static str, &'static str, &'static str);

const RULES: &[&str] = &["a rule definition"];
const FLAGS: &[&str] = &["a flag"];
const COUNTERS: &[&str] = &["a counter"];
const EXCEPTIONS: &[&str] = &["an exception"];

const OTHERWISE: &[Otherwise] = &[
    (RULES, "name", "id", "write `id: …`, one word"),
    (RULES, "tool", "trigger", "write `trigger: …`"),
    (RULES, "tools", "trigger", "write `trigger: […]`"),
    (RULES, "on", "trigger", "write `trigger: …`"),
    (RULES, "matcher", "trigger", "write `trigger: …`; several tools are a list"),
    (RULES, "event", "when", "write `when: pre_tool`, `post_tool`, `on_text` or `turn_end`"),
    (RULES, "phase", "when", "write `when: pre_tool`, `post_tool`, `on_text` or `turn_end`"),
    (RULES, "reason", "message", "write `message: …`: it says why"),
    (RULES, "msg", "message", "write `message: …`"),
    (RULES, "text", "message", "write `message: …`"),
    (RULES, "then", "action", "write `action: block`, `ask`, `warn` or `remind`"),
    (RULES, "severity", "action", "write `action: block`, `ask`, `warn` or `remind`"),
    (RULES, "if", "condition", "write `condition: …`"),
    (RULES, "matches", "condition", "write `condition: …`, such as `param(command) matches \"…\"`"),
    (RULES, "ungrantable", "grantable", "write `grantable: false`"),
    (RULES, "not_in_subagent", "in_subagent", "write `in_subagent: false`"),
    (FLAGS, "reset_on", "unset_on", "a flag is unset: write `unset_on: …`"),
    (FLAGS, "reset_when", "unset_when", "a flag is unset: write `unset_when: …`"),
    (FLAGS, "clear_on", "unset_on", "a flag is unset: write `unset_on: …`"),
    (COUNTERS, "on", "increment_on", "write `increment_on: …`"),
    (COUNTERS, "count_on", "increment_on", "write `increment_on: …`"),
    (COUNTERS, "reset", "reset_on", "write `reset_on: …`"),
    (EXCEPTIONS, "because", "reason", "write `reason: …`"),
    (EXCEPTIONS, "expires", "until", "write `until: YYYY-MM-DD`"),
    (EXCEPTIONS, "expiry", "until", "write `until: YYYY-MM-DD`"),
    (EXCEPTIONS, "unless", "when", "write `when: { not: … }`"),
    (&["a `runs` condition"], "with_operand", "operand", "write `operand: …`"),
    (&["a `runs` condition"], "not_operand", "without_operand", "write `without_operand: …`"),
    (
        &["a `runs` condition"],
        "args",
        "operand",
        "write `operand: …` for words, `flags: …` for flags",
    ),
    (&["a `runs` condition"], "command", "program", "write `program: …`"),
    (&["a policy rule"], "tool", "tool_pattern", "write `tool_pattern = \"…\"`"),
    (&["a policy rule"], "command", "pattern", "write `pattern = \"bash(git push *)\"`"),
    (&["a policy rule"], "match", "pattern", "write `pattern = \"…\"`"),
    (
        &["a policy rule"],
        "not_pattern",
        "",
        "a policy has no word for all but some: let an earlier rule decide on those",
    ),
    (&["a policy rule"], "message", "reason", "write `reason = \"…\"`"),
    (
        &["a brain"],
        "api_key",
        "config",
        "write `config: { api_key: \"{{secret.NAME}}\" }`: a key does not belong into this file",
    ),
];

fn otherwise(record: &Record, written: &str) -> Option<&'static Otherwise> {
    OTHERWISE.iter().find(|(records, word, ..)| *word == written && records.contains(&record.name))
}

/// What to write in place of a word that a record does not have, where it is known what people mean by it.
pub(super) fn said_otherwise(record: &Record, written: &str) -> Option<&'static str> {
    otherwise(record, written).map(|(.., help)| *help)
}

/// The field that such a word stands for.
pub(super) fn stands_for(record: &Record, written: &str) -> Option<&'static str> {
    otherwise(record, written).map(|(_, _, field, _)| *field)
}
