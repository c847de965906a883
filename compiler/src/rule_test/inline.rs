//! Configs that stand in a test, as texts to compile. Where it can be, lines and columns are those of the test file,
//! so that what is said of a rule points to where it stands.

use super::records::RuleTest;
use crate::source::{FileId, Source};
use crate::syntax::{Format, Node, parse};
use crate::trace_policy::json_of;

/// Says that a text is a config, whatever its file is called.
const FIRST_LINE: &str = "# behavior: config\n";

/// A config out of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineConfig {
    /// The name under which it is compiled: the test file's, where its lines are the same.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The same for configs that say the same, wherever they stand.
    pub key: String,
}

/// Returns the config that stands in a test of a file; `None` where it has none of its own.
#[must_use]
pub fn inline_config(file: &Source, test: &RuleTest) -> Option<InlineConfig> {
    let (node, field) = match (&test.rules, &test.config) {
        (Some(rules), _) if rules.items().is_some() => (rules, Some("rule_definitions")),
        (Some(rules), _) => (rules, Some("rules")),
        (None, Some(config)) if config.entries().is_some() => (config, None),
        _ => return None,
    };
    let value = json_of(node);
    let value = match field {
        Some(field) => serde_json::Map::from_iter([(field.to_owned(), value)]).into(),
        None => value,
    };
    let key = value.to_string();
    if let Some(text) = in_place(file, node, field, &value) {
        return Some(InlineConfig { name: file.name.clone(), text, key });
    }
    // JSON is YAML too.
    let text = format!("{FIRST_LINE}{key}\n");
    Some(InlineConfig { name: format!("{}.yaml", file.name), text, key })
}

/// The text of a node where it stands, under a field where it is one's value; `None` where it says something else
/// without what stands around it.
fn in_place(
    file: &Source,
    node: &Node,
    field: Option<&str>,
    value: &serde_json::Value,
) -> Option<String> {
    if file.name.ends_with(".json") {
        return None;
    }
    let start = file.position(node.span.start);
    // The first line says what the text is, and the line before the node has the field.
    let lines_before = (start.line as usize).checked_sub(2)?;
    let mut text = FIRST_LINE.to_owned();
    match field {
        None => text.push_str(&"\n".repeat(lines_before)),
        Some(field) => {
            text.push_str(&"\n".repeat(lines_before.checked_sub(1)?));
            text.push_str(field);
            text.push_str(":\n");
        }
    }
    text.push_str(&" ".repeat(start.column.saturating_sub(1) as usize));
    text.push_str(file.slice(node.span));
    text.push('\n');
    let parsed = parse(FileId(0), &text, Format::Yaml);
    let is_same = parsed.diagnostics.is_empty() && json_of(&parsed.root) == *value;
    is_same.then_some(text)
}
