//! A condition in its other form: an expression as a mapping, a mapping as an expression.

use super::RuleFile;
use super::action::{Action, ActionKind};
use super::index::slice;
use super::navigate::FileEdit;
use super::place::{CursorPlace, alternatives};
use crate::conditions::COMPOSITES;
use crate::expression;
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Entry, Format, Kind, Node};

/// The change of the condition around an offset into its other form.
pub(super) fn other_form(file: &RuleFile, offset: u32) -> Option<Action> {
    if file.format != Format::Yaml {
        return None;
    }
    let entry = outermost(file.config(), CursorPlace::root(file.kind), offset)?;
    let value = &entry.value;
    if has_anchor(file.text(), entry) {
        return None;
    }
    let edit = |text: String| {
        let span = Span::new(value.span.file, entry.key.span.end, value.span.end);
        FileEdit { file: file.name().to_owned(), span, text: format!(": {text}") }
    };
    if let Some(text) = value.as_str() {
        let (Some(parsed), problems) = expression::parse(text) else { return None };
        if !problems.is_empty() {
            return None;
        }
        let nowhere = |_| value.span;
        let mapping = expression::to_node(&parsed, &nowhere);
        if holds_constant(&mapping) {
            return None;
        }
        let action = edit(in_flow(&mapping)?);
        return Some(Action::new(
            "write the condition as a mapping",
            ActionKind::Rewrite,
            vec![action],
        ));
    }
    let text = expression::print(value)?;
    let has_comment = slice(file.text(), value.span).contains('#');
    if has_comment {
        return None;
    }
    // A block ends at the start of the line below it.
    let ends_line = slice(file.text(), value.span).ends_with('\n');
    let text = format!("{}{}", quoted(&text), if ends_line { "\n" } else { "" });
    Some(Action::new("write the condition as an expression", ActionKind::Rewrite, vec![edit(text)]))
}

/// The entry whose value is the outermost condition around an offset.
fn outermost(node: &Node, place: CursorPlace, offset: u32) -> Option<&Entry> {
    match &node.kind {
        Kind::Map(entries) => entries.iter().find_map(|entry| {
            let is_here = entry.key.span.touches(offset) || entry.value.span.touches(offset);
            if !is_here {
                return None;
            }
            let (_, behind) = place.key(&entry.key.text)?;
            let is_condition = matches!(behind, CursorPlace::Shape(shape)
                if alternatives(shape).iter().any(|it| matches!(it, Shape::Condition)));
            match is_condition {
                true => Some(entry),
                false => outermost(&entry.value, behind, offset),
            }
        }),
        Kind::Seq(items) => {
            let item = items.iter().find(|item| item.span.touches(offset))?;
            outermost(item, place.item()?, offset)
        }
        _ => None,
    }
}

/// Whether something of a value has an anchor, or is written somewhere else by way of an alias: others would lose
/// it, or it would not be what is replaced.
fn has_anchor(text: &str, entry: &Entry) -> bool {
    let mut written = Vec::new();
    scalars(&entry.value, &mut written);
    written.sort_unstable();
    let mut at = entry.key.span.end;
    let end = entry.value.span.end;
    for (start, behind) in written {
        let is_elsewhere = start < at || end < behind;
        let own = text.get(start as usize..behind as usize).unwrap_or_default();
        if is_elsewhere || own.starts_with(['*', '&']) || holds_mark(text, at, start) {
            return true;
        }
        at = behind;
    }
    holds_mark(text, at, end)
}

/// Whether what stands between values has the mark of an anchor or an alias.
fn holds_mark(text: &str, start: u32, end: u32) -> bool {
    text.get(start as usize..end as usize).is_none_or(|between| between.contains(['*', '&']))
}

/// Notes where the keys and scalars of a value stand.
fn scalars(node: &Node, into: &mut Vec<(u32, u32)>) {
    match &node.kind {
        Kind::Seq(items) => items.iter().for_each(|item| scalars(item, into)),
        Kind::Map(entries) => entries.iter().for_each(|entry| {
            into.push((entry.key.span.start, entry.key.span.end));
            scalars(&entry.value, into);
        }),
        _ => into.push((node.span.start, node.span.end)),
    }
}

/// Whether `true` or `false` is a part of a condition: no mapping that says so can be written.
fn holds_constant(condition: &Node) -> bool {
    let entries = condition.entries().unwrap_or_default();
    entries.iter().any(|entry| {
        let is_composite = COMPOSITES.iter().any(|composite| composite.name == &*entry.key.text);
        let parts = entry.value.items().unwrap_or(std::slice::from_ref(&entry.value));
        is_composite && (parts.is_empty() || parts.iter().any(holds_constant))
    })
}

/// A text in quotes, if it needs any.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A tree in one line.
fn in_flow(node: &Node) -> Option<String> {
    Some(match &node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(value) => value.to_string(),
        Kind::Int(value) => value.to_string(),
        Kind::Float(value) => value.to_string(),
        Kind::String(text) if is_plain(text) => text.to_string(),
        Kind::String(text) => quoted(text),
        Kind::Seq(items) => {
            let items: Option<Vec<String>> = items.iter().map(in_flow).collect();
            format!("[{}]", items?.join(", "))
        }
        Kind::Map(entries) => {
            let entries = entries.iter();
            let entries =
                entries.map(|it| Some(format!("{}: {}", it.key.text, in_flow(&it.value)?)));
            let entries: Option<Vec<String>> = entries.collect();
            format!("{{ {} }}", entries?.join(", "))
        }
        Kind::Broken => return None,
    })
}

/// Whether YAML takes a word without quotes for that text.
fn is_plain(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(is_word)
        && !["true", "false", "null", "yes", "no", "on", "off"]
            .contains(&text.to_lowercase().as_str())
}
