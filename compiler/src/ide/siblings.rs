//! What stands beside a place in the same rule: the tools that it is about, the kind that it is of. Read from the
//! tree; brackets that are still open on the line are closed for that.

use std::borrow::Cow;

use super::RuleFile;
use super::index::{SymbolKind, slice};
use super::nearby::Nearby;
use crate::registry::schema::Record;
use crate::syntax::{Kind, Node};
use crate::trace_policy::TraceRuleKind;

/// What stands around an offset.
pub(super) struct Beside<'f> {
    file: Cow<'f, RuleFile>,
    offset: u32,
}

/// So many characters are shown of an event.
const MAX_EVENT: usize = 60;

/// The fields that name the tools that a mapping is about.
const TOOLS: &[&str] =
    &["trigger", "tool", "add_on", "add_on_call", "add_on_success", "increment_on", "set_on"];

impl<'f> Beside<'f> {
    pub fn new(file: &'f RuleFile, offset: u32) -> Self {
        if !is_open(file.text(), offset as usize) {
            return Self { file: Cow::Borrowed(file), offset };
        }
        let nearby = Nearby::at(file, offset as usize);
        let part = nearby.and_then(|Nearby { text, cut }| {
            let text = closed(&text, offset as usize - cut)?;
            let part = RuleFile::new(file.name(), text);
            // What else may have a say is read, too.
            part.is_regular.then(|| Self { file: Cow::Owned(part), offset: offset - cut as u32 })
        });
        let whole = || match closed(file.text(), offset as usize) {
            Some(text) => Self { file: Cow::Owned(RuleFile::new(file.name(), text)), offset },
            None => Self { file: Cow::Borrowed(file), offset },
        };
        part.unwrap_or_else(whole)
    }

    /// The mappings around the offset, the innermost first. One goes on until the next of its siblings begins, as
    /// what is typed behind its end belongs to it.
    fn around(&self) -> Vec<&Node> {
        let mut found = Vec::new();
        let mut node = Some(self.file.config());
        while let Some(here) = node {
            node = match &here.kind {
                Kind::Map(entries) => {
                    found.push(here);
                    let before = entries.iter();
                    let before = before.filter(|entry| entry.key.span.start <= self.offset);
                    before.map(|entry| &entry.value).next_back()
                }
                Kind::Seq(items) => items.iter().rfind(|item| item.span.start <= self.offset),
                _ => None,
            };
        }
        found.reverse();
        found
    }

    /// The rules that the test around defines for itself.
    pub fn own_rules(&self) -> Vec<String> {
        let own = self.file.index().of_test_at(self.offset);
        let rules = own.filter(|one| one.kind == SymbolKind::Rule && one.declares.is_some());
        rules.map(|one| one.name.to_string()).collect()
    }

    /// The config of its own that the test around has, as a file.
    pub fn config_of_test(&self) -> Option<RuleFile> {
        self.file.config_of_test(self.offset)
    }

    /// The innermost mapping around the offset that has one of some fields.
    pub fn with(&self, fields: &[&str]) -> Option<&Node> {
        let has = |node: &&Node| fields.iter().any(|field| node.get(field).is_some());
        self.around().into_iter().find(has)
    }

    /// The tools of the rule, set or other thing around; none where it is about every tool.
    pub fn tools(&self) -> Vec<String> {
        let named = self.around().into_iter().find_map(|mapping| {
            let values = TOOLS.iter().filter_map(|field| mapping.get(field));
            let names: Vec<String> = values.flat_map(names).collect();
            (!names.is_empty()).then_some(names)
        });
        named.filter(|names| names.iter().all(|name| name != "*")).unwrap_or_default()
    }

    /// The tools that the patterns of the policy's rule around name.
    pub fn tools_of_pattern(&self) -> Vec<String> {
        let fields = ["tool_pattern", "pattern"];
        let patterns = self.with(&fields).into_iter();
        let patterns =
            patterns.flat_map(|rule| fields.iter().filter_map(|it| rule.get(it)?.as_str()));
        let is_name = |name: &&str| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        };
        let names = patterns.flat_map(|pattern| pattern.split('|')).map(str::trim).filter(is_name);
        names.map(str::to_owned).collect()
    }

    /// The columns that the test around takes values of, in the order in which it names them.
    pub fn columns(&self) -> Vec<String> {
        let Some(test) = self.with(&["cases", "events"]) else { return Vec::new() };
        let text = slice(self.file.text(), test.span);
        let mut found: Vec<String> = Vec::new();
        for rest in text.split("{{case.").skip(1) {
            let name = rest.split("}}").next().unwrap_or_default().trim();
            let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
            if is_name && !name.is_empty() && !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
        found
    }

    /// The events of the test around, each in a few words.
    pub fn events(&self) -> Vec<String> {
        let events = self.with(&["events"]).and_then(|test| test.get("events")?.items());
        let in_words = |event: &Node| {
            let text = slice(self.file.text(), event.span);
            let line = text.lines().next().unwrap_or_default().trim();
            line.chars().take(MAX_EVENT).collect()
        };
        events.unwrap_or_default().iter().map(in_words).collect()
    }

    /// The parameters that the trace rule around has by its kind.
    pub fn parameters(&self) -> Option<&'static Record> {
        let kind = self.with(&["kind"])?.get("kind")?.as_str()?;
        TraceRuleKind::named(kind).map(|kind| kind.parameters)
    }
}

fn names(node: &Node) -> Vec<String> {
    let texts = match node.items() {
        Some(items) => items.iter().filter_map(Node::as_str).collect(),
        None => node.as_str().into_iter().collect::<Vec<_>>(),
    };
    texts.iter().flat_map(|text| text.split(',')).map(|name| name.trim().to_owned()).collect()
}

/// The text with what is open on the line of an offset closed there; `None` where nothing is.
fn closed(text: &str, offset: usize) -> Option<String> {
    let (before, behind) = text.split_at_checked(offset)?;
    let closing = closing(before)?;
    let rest = behind.find('\n').map_or("", |at| behind.get(at..).unwrap_or_default());
    // What stands behind a colon needs a value before what closes it.
    let value = if before.ends_with(':') { " " } else { "" };
    Some(format!("{before}{value}{closing}{rest}"))
}

/// Whether anything is open on the line of an offset.
fn is_open(text: &str, offset: usize) -> bool {
    text.get(..offset).and_then(closing).is_some()
}

/// What closes all that is open on the last line of a text; `None` where nothing is.
fn closing(text: &str) -> Option<String> {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let mut open: Vec<char> = Vec::new();
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(quoted), _) if quoted == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '{') => open.push('}'),
            (None, '[') => open.push(']'),
            (None, '}' | ']') => drop(open.pop()),
            (None, _) => {}
        }
    }
    if open.is_empty() {
        return None;
    }
    Some(quote.into_iter().chain(open.into_iter().rev()).collect())
}

#[cfg(test)]
mod tests {
    use super::closed;

    #[test]
    fn what_is_open_on_a_line_is_closed() {
        let text = |marked: &str| {
            let offset = marked.find('‸')?;
            closed(&marked.replacen('‸', "", 1), offset)
        };
        assert_eq!(text("a: { b: [‸ x\nc: d").as_deref(), Some("a: { b: []}\nc: d"));
        assert_eq!(text("a: { b: \"[‸").as_deref(), Some("a: { b: \"[\"}"));
        assert_eq!(text("a: { b: 1 }‸"), None);
        assert_eq!(text("a: b‸"), None);
    }
}
