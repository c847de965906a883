//! Rules of the hookify plugin of Claude Code, as its engine of 2026-08-22 reads them: Markdown files
//! with a head that is read line by line and is not YAML.
//!
//! The head ends at the next `---`. Regular expressions are searched for, case does not count; all
//! conditions must hold; an unknown operator never holds. `pattern` stands for one condition: on
//! `command` for `bash`, on `new_text` for `file`, else on `content`. A rule of `file` also sees
//! `Read`, since the plugin loads the rules of every event for tools that it does not know.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use behavior_compiler::pattern::{self, Budget};
use behavior_compiler::source::{FileId, Span};

use super::action::Action;
use super::imported::Import;
use super::rules::{Names, Rules, heading};
use crate::render::one_line;
use crate::render::yaml::{push_text, quoted};

/// Reads rule files.
pub(super) fn import(import: &mut Import) -> Rules {
    let mut out = heading(import, "config", "rules of hookify");
    let mut names = Names::default();
    let mut body = String::new();
    for (id, source) in import.texts() {
        let Some((head, message)) = head_of(&source.text) else {
            let message = "there is no head between lines of `---`, so hookify skips the file";
            import.invalid(Span::new(id, 0, 0), message);
            continue;
        };
        let head = Head::read(&source.text, head);
        let mut reader = Reader { import, file: id, head: &head };
        if let Some(rule) = reader.rule(message) {
            rule.write(&mut body, &mut names);
        }
    }
    out.push_str(if names.len() == 0 { "rule_definitions: []\n" } else { "rule_definitions:\n" });
    out.push_str(&body);
    Rules { text: out, count: names.len() }
}

/// The head and the message of a rule file.
fn head_of(text: &str) -> Option<(Range<usize>, &str)> {
    let rest = text.strip_prefix("---")?;
    let (head, message) = rest.split_once("---")?;
    Some((3..3 + head.len(), message.trim()))
}

/// A value of the head and where it stands.
#[derive(Clone, Debug)]
struct Field {
    text: String,
    at: usize,
}

type Fields = BTreeMap<String, Field>;

/// The head of a rule file, as the plugin reads it.
#[derive(Debug, Default)]
struct Head {
    fields: Fields,
    conditions: Vec<Fields>,
    conditions_at: Option<usize>,
}

impl Head {
    fn read(text: &str, range: Range<usize>) -> Self {
        let mut head = Head::default();
        let mut list: Option<String> = None;
        let mut in_item = false;
        let mut at = range.start;
        for line in text.get(range).unwrap_or_default().split('\n') {
            let start = at;
            at += line.len() + 1;
            let stripped = line.trim();
            if stripped.is_empty() || stripped.starts_with('#') {
                continue;
            }
            let start = start + (line.len() - line.trim_start().len());
            let is_top = !line.starts_with(char::is_whitespace);
            if is_top && stripped.contains(':') && !stripped.starts_with('-') {
                in_item = false;
                let Some((key, value)) = field(stripped, start) else { continue };
                list = value.text.is_empty().then(|| key.clone());
                match list.as_deref() {
                    Some("conditions") => head.conditions_at = Some(start),
                    _ => {
                        head.fields.insert(key, value);
                    }
                }
            } else if let (Some(item), Some(name)) = (stripped.strip_prefix('-'), &list) {
                in_item = head.item(item, start + 1, name == "conditions");
            } else if line.len() - line.trim_start().len() > 2
                && in_item
                && let (Some((key, value)), Some(item)) =
                    (field(stripped, start), head.conditions.last_mut())
            {
                item.insert(key, value);
            }
        }
        head
    }

    /// An item of a list; whether lines behind it may add to it.
    fn item(&mut self, item: &str, at: usize, is_condition: bool) -> bool {
        if !is_condition || !item.contains(':') {
            return false;
        }
        let is_inline = item.contains(',');
        let mut fields = Fields::new();
        let mut offset = at;
        for part in item.split(if is_inline { ',' } else { '\n' }) {
            fields.extend(field(part, offset));
            offset += part.len() + 1;
        }
        self.conditions.push(fields);
        !is_inline
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(|field| field.text.as_str())
    }
}

/// `key: value`, without the quotes around the value.
fn field(text: &str, at: usize) -> Option<(String, Field)> {
    let (key, value) = text.split_once(':')?;
    let value = value.trim().trim_matches('"').trim_matches('\'');
    Some((key.trim().to_owned(), Field { text: value.to_owned(), at }))
}

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Command,
    Path,
    NewText,
    OldText,
    Content,
}

impl About {
    fn of(field: &str) -> Option<Self> {
        Some(match field {
            "command" => About::Command,
            "file_path" => About::Path,
            "new_text" | "new_string" => About::NewText,
            "old_text" | "old_string" => About::OldText,
            "content" => About::Content,
            _ => return None,
        })
    }

    /// The parameters that hold it: any of them may.
    fn params(self) -> &'static [&'static str] {
        match self {
            About::Command => &["command"],
            About::Path => &["file_path"],
            About::NewText => &["new_string", "edits"],
            About::OldText => &["old_string"],
            About::Content => &["content", "new_string", "edits"],
        }
    }

    /// The tools that have it.
    fn tools(self) -> &'static [&'static str] {
        match self {
            About::Command => &["bash"],
            About::Path => &["edit", "write", "read"],
            About::NewText | About::OldText => &["edit"],
            About::Content => &["edit", "write"],
        }
    }
}

/// A rule of ours.
struct Rule {
    id: String,
    tools: Vec<&'static str>,
    action: &'static str,
    /// Conditions in flow style, all of which must hold.
    conditions: Vec<String>,
    message: String,
}

impl Rule {
    fn write(&self, out: &mut String, names: &mut Names) {
        let id = names.unique(&self.id);
        let _ = writeln!(out, "  - id: {}", quoted(&id));
        let _ = writeln!(out, "    trigger: [{}]", self.tools.join(", "));
        let _ = writeln!(out, "    when: pre_tool\n    action: {}", self.action);
        match self.conditions.as_slice() {
            [] => {}
            [condition] => {
                let _ = writeln!(out, "    condition: {condition}");
            }
            all => {
                out.push_str("    condition:\n      all:\n");
                for condition in all {
                    let _ = writeln!(out, "        - {condition}");
                }
            }
        }
        push_text(out, "    ", "message", &self.message);
    }
}

struct Reader<'a> {
    import: &'a mut Import,
    file: FileId,
    head: &'a Head,
}

impl Reader<'_> {
    fn span(&self, at: usize) -> Span {
        Span::new(self.file, at as u32, at as u32 + 1)
    }

    fn place(&self, field: &str) -> Span {
        self.span(self.head.fields.get(field).map_or(0, |field| field.at))
    }

    fn lost(&mut self, span: Span, message: String) {
        let blocks = self.head.text("action") == Some("block");
        self.import.left_out(span, if blocks { Action::Deny } else { Action::Allow }, message);
    }

    fn rule(&mut self, message: &str) -> Option<Rule> {
        let name = self.head.text("name").unwrap_or("unnamed").to_owned();
        let shown = one_line(&name);
        if self.head.text("enabled").is_some_and(|value| value.eq_ignore_ascii_case("false")) {
            let place = self.place("enabled");
            self.import.note(place, format!("`{shown}` is switched off and left out"));
            return None;
        }
        let event = self.head.text("event").unwrap_or("all").to_owned();
        match &*event {
            "bash" | "file" | "all" => {}
            "stop" | "prompt" => {
                let place = self.place("event");
                let why = "rules here look at tool calls and at what the agent says";
                self.lost(place, format!("`{shown}`, `event: {event}`: {why}"));
                return None;
            }
            _ => {
                let place = self.place("event");
                self.import.note(place, format!("`{shown}` has no effect: no event is `{event}`"));
                return None;
            }
        }
        let conditions = self.conditions(&event, &shown)?;
        let tools = self.tools(&event, &conditions, &shown)?;
        let texts: Option<Vec<String>> =
            conditions.iter().map(|condition| self.condition(condition, &shown)).collect();
        Some(Rule {
            id: name,
            tools,
            action: self.action(&shown)?,
            conditions: texts?,
            // Braces are placeholders here and plain text there.
            message: message.replace('{', "{{").replace('}', "}}") + "\n",
        })
    }

    fn action(&mut self, name: &str) -> Option<&'static str> {
        match self.head.text("action") {
            None | Some("warn") => Some("warn"),
            Some("block") => Some("block"),
            Some(other) => {
                let message = format!("`{name}`: there is no action `{}`", one_line(other));
                self.lost(self.place("action"), message);
                None
            }
        }
    }

    /// The conditions: those of the list, or the one that `pattern` stands for.
    fn conditions(&mut self, event: &str, name: &str) -> Option<Vec<Condition>> {
        let head = self.head;
        let mut out = Vec::new();
        for fields in &head.conditions {
            let text = |key: &str| fields.get(key).map(|field| field.text.clone());
            let at = fields.values().map(|field| field.at).min().unwrap_or_default();
            let field = text("field").unwrap_or_default();
            let Some(about) = About::of(&field) else {
                let message = format!("`{name}`: calls have no `{}`", one_line(&field));
                self.lost(self.span(at), message);
                return None;
            };
            let operator = text("operator").unwrap_or_else(|| "regex_match".to_owned());
            let pattern = text("pattern").unwrap_or_default();
            out.push(Condition { about, operator, pattern, at });
        }
        if out.is_empty()
            && let Some(pattern) = head.fields.get("pattern")
        {
            let about = match event {
                "bash" => About::Command,
                "file" => About::NewText,
                _ => About::Content,
            };
            let operator = "regex_match".to_owned();
            out.push(Condition { about, operator, pattern: pattern.text.clone(), at: pattern.at });
        }
        if out.is_empty() {
            let place = self.span(head.conditions_at.unwrap_or_default());
            self.import.note(place, format!("`{name}` has no conditions and never fires"));
            return None;
        }
        Some(out)
    }

    /// The tools that have everything that the conditions ask for.
    fn tools(
        &mut self,
        event: &str,
        conditions: &[Condition],
        name: &str,
    ) -> Option<Vec<&'static str>> {
        let mut tools = match event {
            "bash" => vec!["bash"],
            "file" => vec!["edit", "write", "read"],
            _ => vec!["bash", "edit", "write", "read"],
        };
        tools.retain(|tool| conditions.iter().all(|c| c.about.tools().contains(tool)));
        if let Some(matcher) = self.head.text("tool_matcher").filter(|matcher| *matcher != "*") {
            let own: Vec<String> = matcher.split('|').map(str::to_ascii_lowercase).collect();
            let is_named = |tool: &&str| {
                own.iter().any(|own| own == tool || own == "multiedit" && *tool == "edit")
            };
            tools.retain(is_named);
        }
        if tools.is_empty() {
            let place = self.place("event");
            let message = format!("`{name}` never fires: no tool has what its conditions look at");
            self.import.note(place, message);
            return None;
        }
        Some(tools)
    }

    fn condition(&mut self, condition: &Condition, name: &str) -> Option<String> {
        let text = &condition.pattern;
        let exact = |before: &str, after: &str| format!("(?-i){before}{}{after}", escape(text));
        let (regex, is_negated) = match &*condition.operator {
            "regex_match" => (text.clone(), false),
            "contains" => (exact("", ""), false),
            "not_contains" => (exact("", ""), true),
            "equals" => (exact(r"\A", r"\z"), false),
            "starts_with" => (exact(r"\A", ""), false),
            "ends_with" => (exact("", r"\z"), false),
            other => {
                let message =
                    format!("`{name}` never fires: there is no operator `{}`", one_line(other));
                self.import.note(self.span(condition.at), message);
                return None;
            }
        };
        if let Err(problems) = pattern::compile(&regex, &mut Budget::none()) {
            let why = problems.first().map(|problem| problem.message.clone());
            let why = why.unwrap_or_else(|| "its pattern cannot be used".to_owned());
            self.lost(self.span(condition.at), format!("`{name}`: {why}"));
            return None;
        }
        let tests: Vec<String> = condition
            .about
            .params()
            .iter()
            .map(|param| {
                format!("{{ param_matches: {{ param: {param}, pattern: {} }} }}", quoted(&regex))
            })
            .collect();
        let test = match tests.as_slice() {
            [test] => test.clone(),
            tests => format!("{{ any: [{}] }}", tests.join(", ")),
        };
        Some(if is_negated { format!("{{ not: {test} }}") } else { test })
    }
}

/// A condition of the source.
#[derive(Debug)]
struct Condition {
    about: About,
    operator: String,
    pattern: String,
    at: usize,
}

/// A text as a regular expression that matches it.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
