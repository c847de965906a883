//! Settings of any syntax as one tree in which each value knows its line. What cannot be read is no tree: the
//! agent that owns the file makes nothing of it either. Does no IO and knows no agent.

use jsonc_parser::ast::Value as Json;
use jsonc_parser::common::Ranged;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::settings::{Dialect, Document, name_of};

/// Larger files are no settings that anybody wrote.
const MAX_BYTES: usize = 1 << 20;
/// How many headers a TOML file may have: the time that its parser takes grows with the square of them.
const MAX_HEADERS: usize = 8192;

/// A value in a settings file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// Its line, from 1.
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Table(Vec<(String, Node)>),
    /// Of no interest here.
    Other,
}

impl Node {
    /// The member that a path of names leads to.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, name| node.member(name))
    }

    /// The member of that name; of several, the last one.
    pub(crate) fn member(&self, name: &str) -> Option<&Node> {
        self.members().iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(crate) fn members(&self) -> &[(String, Node)] {
        match &self.kind {
            Kind::Table(members) => members,
            _ => &[],
        }
    }

    pub(crate) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn is(&self, value: bool) -> bool {
        self.kind == Kind::Bool(value)
    }
}

/// Reads a file by the ending of its name: TOML, a list of variables (`.env`), else JSON with comments.
pub(crate) fn read(name: &str, text: &str) -> Option<Node> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_BYTES {
        return None;
    }
    match name.rsplit(['/', '\\']).next()? {
        ".env" => Some(variables(text)),
        file if file.ends_with(".toml") => of_toml(text),
        _ => of_json(text),
    }
}

/// The lines of a text.
struct Lines {
    /// Where line breaks are.
    breaks: Vec<usize>,
}

impl Lines {
    fn of(text: &str) -> Self {
        Self { breaks: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    fn line(&self, at: usize) -> usize {
        self.breaks.partition_point(|newline| *newline < at) + 1
    }
}

fn of_json(text: &str) -> Option<Node> {
    let document = Document::parse(text, Dialect { comments: true, trailing_commas: true }).ok()?;
    Some(json(document.value(), &Lines::of(text)))
}

/// The parser bounds how deep values are nested.
fn json(value: &Json<'_>, lines: &Lines) -> Node {
    let kind = match value {
        Json::BooleanLit(literal) => Kind::Bool(literal.value),
        Json::NumberLit(literal) => literal.value.parse().map_or(Kind::Other, Kind::Number),
        Json::StringLit(literal) => Kind::Text(literal.value.clone().into_owned()),
        Json::Array(list) => {
            Kind::List(list.elements.iter().map(|value| json(value, lines)).collect())
        }
        Json::Object(object) => {
            let member = |member: &jsonc_parser::ast::ObjectProp<'_>| {
                (name_of(&member.name).to_owned(), json(&member.value, lines))
            };
            Kind::Table(object.properties.iter().map(member).collect())
        }
        Json::NullKeyword(_) => Kind::Other,
    };
    Node { line: lines.line(value.start()), kind }
}

fn of_toml(text: &str) -> Option<Node> {
    if text.lines().filter(|line| line.trim_start().starts_with('[')).count() > MAX_HEADERS {
        return None;
    }
    let table = DeTable::parse(text).ok()?;
    Some(Node { line: 1, kind: toml_table(table.get_ref(), &Lines::of(text)) })
}

fn toml_table(table: &DeTable<'_>, lines: &Lines) -> Kind {
    let members = table.iter().map(|(key, value)| {
        (key.get_ref().clone().into_owned(), toml_value(value, lines.line(key.span().start), lines))
    });
    Kind::Table(members.collect())
}

/// The parser bounds how deep values are nested.
fn toml_value(value: &Spanned<DeValue<'_>>, line: usize, lines: &Lines) -> Node {
    let kind = match value.get_ref() {
        DeValue::Boolean(value) => Kind::Bool(*value),
        DeValue::Integer(value) => value.as_str().parse().map_or(Kind::Other, Kind::Number),
        DeValue::String(text) => Kind::Text(text.clone().into_owned()),
        DeValue::Array(list) => {
            let item = |item| {
                let line = lines.line(Spanned::span(item).start);
                toml_value(item, line, lines)
            };
            Kind::List(list.iter().map(item).collect())
        }
        DeValue::Table(table) => toml_table(table, lines),
        _ => Kind::Other,
    };
    Node { line, kind }
}

/// The variables of a `.env` file: `NAME=value` a line, with `export` before it or not, in quotes or not.
fn variables(text: &str) -> Node {
    let variable = |(number, line): (usize, &str)| {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
        let value = value.trim();
        let quoted = ['"', '\'', '`'].into_iter().find_map(|quote| {
            let inner = value.strip_prefix(quote)?;
            inner.split_once(quote).map(|(inner, _)| inner)
        });
        let plain = || value.split(" #").next().unwrap_or_default().trim_end();
        let kind = Kind::Text(quoted.unwrap_or_else(plain).to_owned());
        Some((name.trim().to_owned(), Node { line: number + 1, kind }))
    };
    Node { line: 1, kind: Kind::Table(text.lines().enumerate().filter_map(variable).collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_syntax_tells_values_and_lines() {
        let json = "{\n  // mine\n  \"a\": {\"b\": [true,\n 30]},\n}";
        let toml = "[a]\nx = 1\nb = [true,\n 30]\n";
        for (name, text, line) in [("x.json", json, 3), ("x.toml", toml, 3)] {
            let root = read(name, text).unwrap();
            let list = root.at(&["a", "b"]).unwrap();
            assert_eq!(list.line, line, "{name}");
            assert!(list.items()[0].is(true), "{name}");
            assert_eq!((list.items()[1].line, &list.items()[1].kind), (4, &Kind::Number(30.0)));
            assert_eq!(root.at(&["a", "c"]), None);
        }
        let env = "# BEHAVIOR=on\nexport BEHAVIOR = 'off' # x\nPATH=/x # y\n";
        let root = read("a/.env", env).unwrap();
        assert_eq!(root.member("BEHAVIOR").and_then(Node::text), Some("off"));
        assert_eq!(root.member("PATH").map(|node| (node.line, node.text())), Some((3, Some("/x"))));
        assert_eq!(read("x.toml", "a ="), None);
        assert_eq!(read("x.json", "{"), None);
    }

    #[test]
    fn what_nests_too_deep_is_no_tree() {
        for (name, open) in [("x.json", "["), ("x.toml", "a = [")] {
            assert_eq!(read(name, &format!("{}{}", open, "[".repeat(100_000))), None, "{name}");
        }
        assert_eq!(read("x.toml", &"[a]\n".repeat(100_000)), None);
        assert_eq!(read("x.json", &" ".repeat(2 << 20)), None);
    }
}
