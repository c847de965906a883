//! What stands beside a place in the same rule: the tools that it is about, the kind that it is of. Read from the
//! tree, so nothing is known where the text around is too broken to be read.

use super::RuleFile;
use crate::registry::schema::Record;
use crate::syntax::{Kind, Node};
use crate::trace_policy::TraceRuleKind;

/// The mappings around an offset, the innermost first. One goes on until the next of its siblings begins, as
/// what is typed behind its end belongs to it.
fn around(file: &RuleFile, offset: u32) -> Vec<&Node> {
    let mut found = Vec::new();
    let mut node = Some(file.config());
    while let Some(here) = node {
        node = match &here.kind {
            Kind::Map(entries) => {
                found.push(here);
                let before = entries.iter().filter(|entry| entry.key.span.start <= offset);
                before.map(|entry| &entry.value).last()
            }
            Kind::Seq(items) => items.iter().filter(|item| item.span.start <= offset).last(),
            _ => None,
        };
    }
    found.reverse();
    found
}

/// The innermost mapping around an offset.
pub(super) fn innermost(file: &RuleFile, offset: u32) -> Option<&Node> {
    around(file, offset).into_iter().next()
}

/// The fields that name the tools that a mapping is about.
const TOOLS: &[&str] =
    &["trigger", "tool", "add_on", "add_on_call", "add_on_success", "increment_on", "set_on"];

/// The tools of the rule, set or other thing around an offset; none where it is about every tool.
pub(super) fn tools(file: &RuleFile, offset: u32) -> Vec<String> {
    let named = around(file, offset).into_iter().find_map(|mapping| {
        let values = TOOLS.iter().filter_map(|field| mapping.get(field));
        let names: Vec<String> = values.flat_map(names).collect();
        (!names.is_empty()).then_some(names)
    });
    named.filter(|names| names.iter().all(|name| name != "*")).unwrap_or_default()
}

fn names(node: &Node) -> Vec<String> {
    let texts = match node.items() {
        Some(items) => items.iter().filter_map(Node::as_str).collect(),
        None => node.as_str().into_iter().collect::<Vec<_>>(),
    };
    texts.iter().flat_map(|text| text.split(',')).map(|name| name.trim().to_owned()).collect()
}

/// The parameters that the trace rule around an offset has by its kind.
pub(super) fn parameters(file: &RuleFile, offset: u32) -> Option<&'static Record> {
    let kind =
        around(file, offset).into_iter().find_map(|mapping| mapping.get("kind")?.as_str())?;
    TraceRuleKind::named(kind).map(|kind| kind.parameters)
}
