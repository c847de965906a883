//! What can be written behind `{{`: profiles, prompts and names of secrets. In YAML, braces without quotes begin a
//! mapping, so what is chosen there gets some.

use std::collections::BTreeSet;

use super::RuleFile;
use super::completion::{Completion, CompletionKind};
use super::describe;
use super::names::Surroundings;
use super::place::{CursorPlace, alternatives};
use super::siblings::Beside;
use crate::project::folder_of;
use crate::registry::schema::{NameKind, Shape};
use crate::resolve::FileKind;
use crate::syntax::cursor::Step;
use crate::syntax::{Kind, Node};
use crate::workflow::root_of;

/// A reference that is being written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Open {
    /// Where its braces begin.
    pub start: usize,
    /// Where what is written behind them ends, with closing braces that follow.
    end: usize,
    /// Whether it stands in quotes.
    pub is_quoted: bool,
}

/// Finds the reference that an offset stands in: two braces before it on its line, and nothing but a name since.
pub(super) fn open(text: &str, offset: usize) -> Option<Open> {
    let before = text.get(..offset)?;
    let start = before.rfind("{{")?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    if !before.get(start + 2..)?.chars().all(is_name) {
        return None;
    }
    let ahead = before.get(..start)?.chars().next_back();
    // In a text, two braces are one that is meant.
    if !ahead.is_none_or(|c| matches!(c, '"' | '\'' | ' ' | ':' | '\t' | '[' | ',')) {
        return None;
    }
    let behind = text.get(offset..)?;
    let word = behind.find(|c| !is_name(c) || c == ' ').unwrap_or(behind.len());
    let rest = behind.get(word..)?;
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let closing = rest.get(blanks..)?.chars().take(2).take_while(|c| *c == '}').count();
    let end = offset + word + if closing > 0 { blanks + closing } else { 0 };
    Some(Open { start, end, is_quoted: matches!(ahead, Some('"' | '\'')) })
}

/// Names of variables that hold keys.
const SECRETS: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
];

/// What the reference may be, by what is expected where it stands.
pub(super) fn complete(
    open: &Open,
    path: &[Step],
    place: Option<CursorPlace>,
    file: &RuleFile,
    surroundings: &Surroundings<'_>,
) -> Vec<Completion> {
    let is_key = |step: &Step, wanted: &str| matches!(step, Step::Key(key) if key == wanted);
    let is_profile = |shape: &Shape| matches!(shape, Shape::Name(NameKind::Profile));
    let shapes = match place {
        Some(CursorPlace::Shape(shape)) => alternatives(shape),
        _ => Vec::new(),
    };
    let mut list = Vec::new();
    if file.kind == FileKind::RuleTests {
        for name in columns(file, open.start as u32) {
            list.push(item(open, "case", &name, "column of `cases`", String::new()));
        }
    } else if shapes.iter().any(is_profile) {
        for name in surroundings.profiles() {
            let markdown = describe::profile(&name, surroundings).unwrap_or_default();
            list.push(item(open, "behavior", &name, "profile", markdown));
        }
    } else if path
        .last()
        .is_some_and(|step| is_key(step, "prompt") || is_key(step, "system_prompt"))
    {
        let is_of_workflow = matches!(file.kind, FileKind::Workflow | FileKind::Agents);
        let root = if is_of_workflow { root_of(file.name()) } else { folder_of(file.name()) };
        for name in surroundings.prompts(root) {
            list.push(item(open, "prompt", &name, "prompt file", String::new()));
        }
    } else if path.iter().any(|step| is_key(step, "brain") || is_key(step, "env")) {
        let mut named = BTreeSet::new();
        collect_secrets(file.config(), &mut named);
        let usual = SECRETS.iter().map(|name| (*name).to_owned());
        let usual = usual.filter(|name| !named.contains(name));
        let is_set = |name: &String| surroundings.has_secret(name);
        // Those that are set come first, then those that are named here.
        let (mut names, others): (Vec<_>, Vec<_>) =
            named.iter().cloned().chain(usual).partition(is_set);
        names.extend(others);
        for name in names {
            let detail = match surroundings.has_secret(&name) {
                true => "environment variable",
                false => "environment variable, not set",
            };
            list.push(item(open, "secret", &name, detail, String::new()));
        }
    }
    list
}

/// The columns of the table of the test around an offset.
fn columns(file: &RuleFile, offset: u32) -> BTreeSet<String> {
    let beside = Beside::new(file, offset);
    let rows = beside.with(&["cases"]).and_then(|test| test.get("cases")?.items());
    let columns = rows.unwrap_or_default().iter().filter_map(Node::entries).flatten();
    columns.map(|entry| entry.key.text.to_string()).collect()
}

/// The secrets that a file names elsewhere.
fn collect_secrets(node: &Node, names: &mut BTreeSet<String>) {
    match &node.kind {
        Kind::Map(entries) => entries.iter().for_each(|entry| collect_secrets(&entry.value, names)),
        Kind::Seq(items) => items.iter().for_each(|item| collect_secrets(item, names)),
        Kind::String(text) => {
            let named = crate::resolve::reference::parse(text);
            let named = named.filter(|named| named.namespace == "secret" && !named.name.is_empty());
            names.extend(named.map(|named| named.name.to_owned()));
        }
        _ => {}
    }
}

fn item(open: &Open, space: &str, name: &str, detail: &str, markdown: String) -> Completion {
    let whole = format!("{{{{{space}.{name}}}}}");
    Completion {
        label: format!("{space}.{name}"),
        kind: CompletionKind::Profile,
        detail: detail.to_owned(),
        markdown,
        start: open.start as u32,
        end: open.end as u32,
        // Blanks may stand behind the braces.
        filter: format!("{{{{ {space}.{name}}}}}"),
        insert: if open.is_quoted { whole } else { format!("\"{whole}\"") },
        snippet: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_told_from_texts() {
        let at = |marked: &str| {
            let offset = marked.find('‸')?;
            open(&marked.replacen('‸', "", 1), offset)
        };
        let open = |start, end, is_quoted| Some(Open { start, end, is_quoted });
        assert_eq!(at("a: {{‸"), open(3, 5, false));
        assert_eq!(at("a: {{ beh‸avior.x }} # y"), open(3, 19, false));
        assert_eq!(at("a: \"{{b‸}}\""), open(4, 9, true));
        assert_eq!(at("a: \"{{b‸\""), open(4, 7, true));
        assert_eq!(at("a: \"text{{b‸\""), None);
        assert_eq!(at("a: {{b}} ‸"), None);
    }
}
