//! Rules as their authors wrote them, for people who want to read or copy one. Reads the file that a
//! rule says it comes from; a rule that is not there any more is not shown.

use behavior_compiler::SourceProvider;
use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{Format, Node, decode_utf8, parse};
use behavior_image::RuleInfo;

use crate::project;

/// The text of a rule as an item of a list, without what it is indented by.
#[must_use]
pub fn rule(rule: &RuleInfo<'_>) -> Option<String> {
    let place = rule.place;
    let bytes = project::provider().read(place.file).ok()?;
    let text = decode_utf8(FileId(0), place.file, &bytes).ok()?;
    let before = text.split_inclusive('\n').take(place.line.checked_sub(1)? as usize);
    let line: usize = before.map(str::len).sum();
    let indent = place.column.checked_sub(1)? as usize;
    let column = text.get(line..)?.char_indices().nth(indent)?.0;
    let format = if place.file.ends_with(".json") { Format::Json } else { Format::Yaml };
    let root = parse(FileId(0), &text, format).root;
    let node = at(&root, line + column, rule.id)?;
    let written = text.get(node.span.start as usize..node.span.end as usize)?.trim_end();
    let mut lines = written.lines();
    let mut shown = format!("- {}\n", lines.next()?);
    for line in lines {
        let own = line.len() - line.trim_start_matches(' ').len();
        let line = line.get(own.min(indent)..)?;
        shown.push_str(if line.trim().is_empty() { "" } else { "  " });
        shown.push_str(line);
        shown.push('\n');
    }
    Some(shown)
}

/// The rule that begins at an offset. The tree's depth is bounded by the parser.
fn at<'n>(node: &'n Node, offset: usize, id: &str) -> Option<&'n Node> {
    let is_it = node.span.start as usize == offset;
    if is_it && ["id", "rule"].iter().any(|key| node.get(key).and_then(Node::as_str) == Some(id)) {
        return Some(node);
    }
    let items = node.items().unwrap_or_default().iter();
    let values = node.entries().unwrap_or_default().iter().map(|entry| &entry.value);
    items.chain(values).find_map(|inner| at(inner, offset, id))
}
