//! Tables of test cases: a test once for each row, with the row's values put in where it names them.

use super::impossible::impossible;
use crate::decode::{Reports, did_you_mean};
use crate::syntax::{Entry, Kind, Node};

/// What a reference to a column begins with, and what it ends with.
const START: &str = "{{case.";
const END: &str = "}}";

/// The most rows of a table.
const MAX_ROWS: usize = 10_000;

/// Returns the test once for each row.
pub(super) fn expand(test: &Node, rows: &[Node], reports: &mut Reports) -> Vec<Node> {
    if rows.is_empty() || rows.len() > MAX_ROWS {
        let span = test.entry("cases").map_or(test.span, |entry| entry.key.span);
        let message = match rows.len() {
            0 => "the table `cases` has no rows".to_owned(),
            _ => format!("the table `cases` has more than {MAX_ROWS} rows"),
        };
        reports.push(impossible(span, message));
        return Vec::new();
    }
    let numbered = rows.iter().enumerate();
    numbered.filter_map(|(number, row)| with_row(test, number, row, reports)).collect()
}

/// The test with the values of one row.
fn with_row(test: &Node, number: usize, row: &Node, reports: &mut Reports) -> Option<Node> {
    let Some(columns) = row.entries() else {
        reports.push(impossible(row.span, "a row of `cases` is a mapping from names to values"));
        return None;
    };
    let Kind::Map(entries) = &test.kind else { return None };
    let names_case = entries.iter().any(|entry| {
        &*entry.key.text == "name" && entry.value.as_str().is_some_and(|name| name.contains(START))
    });
    let entries = entries.iter().filter(|entry| &*entry.key.text != "cases").map(|entry| {
        let mut value = filled(&entry.value, columns, reports);
        if &*entry.key.text == "name"
            && !names_case
            && let Kind::String(name) = &value.kind
        {
            value.kind = Kind::String(format!("{name} ({number})").into());
        }
        Entry { key: entry.key.clone(), value }
    });
    let entries: Vec<Entry> = entries.collect();
    // What fails is shown where its row stands.
    Some(Node { span: row.span, kind: Kind::Map(entries) })
}

/// A value with the row's values put in. The parser bounds how deep it nests.
fn filled(node: &Node, columns: &[Entry], reports: &mut Reports) -> Node {
    let kind = match &node.kind {
        Kind::String(text) if text.contains(START) => {
            return filled_text(node, text, columns, reports);
        }
        Kind::Seq(items) => {
            Kind::Seq(items.iter().map(|item| filled(item, columns, reports)).collect())
        }
        Kind::Map(entries) => Kind::Map(
            entries
                .iter()
                .map(|entry| Entry {
                    key: entry.key.clone(),
                    value: filled(&entry.value, columns, reports),
                })
                .collect(),
        ),
        other => other.clone(),
    };
    Node { span: node.span, kind }
}

fn filled_text(node: &Node, text: &str, columns: &[Entry], reports: &mut Reports) -> Node {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(START) {
        let Some((name, after)) = behind.split_once(END) else { break };
        out.push_str(before);
        let Some(value) = column(name.trim(), node, columns, reports) else {
            return Node { span: node.span, kind: Kind::Broken };
        };
        if before.is_empty() && after.is_empty() && out.is_empty() {
            // Alone it stands for the value, whatever its type.
            return value.clone();
        }
        out.push_str(&as_text(value));
        rest = after;
    }
    out.push_str(rest);
    Node { span: node.span, kind: Kind::String(out.into()) }
}

fn column<'r>(
    name: &str,
    node: &Node,
    columns: &'r [Entry],
    reports: &mut Reports,
) -> Option<&'r Node> {
    let found = columns.iter().find(|entry| &*entry.key.text == name);
    if found.is_none() {
        let diagnostic = impossible(node.span, format!("this row of `cases` has no `{name}`"));
        let names = columns.iter().map(|entry| &*entry.key.text);
        let mut diagnostic = did_you_mean(diagnostic, name, names, "columns");
        // What stands there is more than the name.
        diagnostic.fixes.clear();
        reports.push(diagnostic);
    }
    found.map(|entry| &entry.value)
}

fn as_text(value: &Node) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => crate::trace_policy::json_of(value).to_string(),
    }
}
