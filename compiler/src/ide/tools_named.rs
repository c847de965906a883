//! The tools that the files of a project name, whoever has them, and the parameters that are asked of each: what rules,
//! tests and policies say of tools that no agent is known to have.

use std::sync::Arc;

use super::place::{CursorPlace, alternatives, visit_scalars};
use super::related::related;
use super::{Project, RuleFile};
use crate::ast::RuleDefinition;
use crate::decode::Decode;
use crate::expression;
use crate::policy_pattern::{self, Alternative};
use crate::registry::schema::{NameKind, Shape};
use crate::rule_test::call_in;
use crate::syntax::{Kind, Node};
use crate::template::{self, Argument, Part};

/// More tools, and more parameters of one, than these are not listed.
const MAX_TOOLS: usize = 500;
const MAX_PARAMS: usize = 100;

/// A tool and the parameters that something asks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedTool {
    pub name: String,
    pub params: Vec<String>,
}

/// The tools that a file and those that it has to do with name, the file's own first.
pub(super) fn of_project(project: Project<'_>, file: &RuleFile) -> Vec<NamedTool> {
    let mut found = Found::default();
    for file in related(project, &Arc::new(file.clone())) {
        found.file(&file);
    }
    found.tools
}

/// The parameters that the project asks of a tool.
pub(super) fn params_of(project: Project<'_>, file: &RuleFile, tool: &str) -> Vec<String> {
    let tools = of_project(project, file).into_iter();
    tools.filter(|known| known.name == tool).flat_map(|known| known.params).collect()
}

#[derive(Default)]
struct Found {
    tools: Vec<NamedTool>,
}

impl Found {
    fn file(&mut self, file: &RuleFile) {
        visit_scalars(file.config(), CursorPlace::root(file.kind), &mut |node, shape| {
            let Some(text) = node.as_str() else { return };
            for shape in alternatives(shape) {
                match shape {
                    Shape::Tool => self.note(text, &[]),
                    Shape::Policy => self.pattern(text),
                    _ => {}
                }
            }
        });
        self.rules(file.config());
        calls(file.config(), &mut |tool, params| {
            let names = params.and_then(Node::entries).unwrap_or_default().iter();
            let names: Vec<String> = names.map(|entry| entry.key.text.to_string()).collect();
            self.note(tool, &names);
        });
    }

    fn note(&mut self, name: &str, params: &[String]) {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        if name.is_empty() || !name.chars().all(is_name) {
            return;
        }
        if !self.tools.iter().any(|known| known.name == name) {
            if self.tools.len() >= MAX_TOOLS {
                return;
            }
            self.tools.push(NamedTool { name: name.to_owned(), params: Vec::new() });
        }
        let Some(known) = self.tools.iter_mut().find(|known| known.name == name) else { return };
        for param in params {
            if known.params.len() < MAX_PARAMS && !known.params.contains(param) {
                known.params.push(param.clone());
            }
        }
    }

    /// The tools that a policy's pattern names as they are called.
    fn pattern(&mut self, text: &str) {
        for alternative in policy_pattern::parse(text).unwrap_or_default() {
            if let Alternative::Tool(range) = alternative {
                self.note(text.get(range).unwrap_or_default().trim(), &[]);
            }
        }
    }

    /// What rules ask of the tools that trigger them. Trees are as deep as the parsers allow, which is little.
    fn rules(&mut self, node: &Node) {
        match &node.kind {
            Kind::Seq(items) => items.iter().for_each(|item| self.rules(item)),
            Kind::Map(entries) => match node.get("trigger") {
                Some(trigger) => self.rule(node, trigger),
                None => entries.iter().for_each(|entry| self.rules(&entry.value)),
            },
            _ => {}
        }
    }

    fn rule(&mut self, rule: &Node, trigger: &Node) {
        let mut params = Vec::new();
        asked(rule, CursorPlace::Shape(RuleDefinition::SHAPE), &mut params);
        let texts = trigger.items().unwrap_or(std::slice::from_ref(trigger)).iter();
        let names = texts.filter_map(Node::as_str).flat_map(|text| text.split(','));
        for name in names.map(str::trim).filter(|name| *name != "*") {
            self.note(name, &params);
        }
    }
}

/// The parameters that a rule names: in conditions of either form, and in its message.
fn asked(node: &Node, place: CursorPlace, into: &mut Vec<String>) {
    visit_scalars(node, place, &mut |node, shape| {
        let Some(text) = node.as_str() else { return };
        for shape in alternatives(shape) {
            match shape {
                Shape::Name(NameKind::Param) => into.push(text.to_owned()),
                Shape::Condition => {
                    let (parsed, _) = expression::parse(text);
                    let anywhere = |_| node.span;
                    if let Some(parsed) = parsed {
                        let mapping = expression::to_node(&parsed, &anywhere);
                        let is_text = mapping.as_str().is_some();
                        if !is_text {
                            asked(&mapping, CursorPlace::Shape(Shape::Condition), into);
                        }
                    }
                }
                Shape::Message => {
                    for part in template::split(text).0.parts {
                        let Part::Placeholder { name, argument: Some(argument), .. } = part else {
                            continue;
                        };
                        let known = template::find(template::PLACEHOLDERS, name.value);
                        if known.and_then(|known| known.argument) == Some(Argument::Param) {
                            into.push(argument.value.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
    });
}

/// Shows the calls of the tests and examples in a tree: each tool with its parameters.
fn calls<'n>(node: &'n Node, see: &mut impl FnMut(&'n str, Option<&'n Node>)) {
    match &node.kind {
        Kind::Seq(items) => items.iter().for_each(|item| calls(item, see)),
        Kind::Map(entries) => {
            for entry in entries {
                match entry.value.items().filter(|_| is_list_of_events(&entry.key.text)) {
                    Some(events) => {
                        let found = events.iter().filter_map(call_in);
                        found.for_each(|(tool, _, params)| see(tool, params));
                    }
                    None => calls(&entry.value, see),
                }
            }
        }
        _ => {}
    }
}

/// Whether a key has a list of events behind it.
pub(super) fn is_list_of_events(key: &str) -> bool {
    matches!(key, "events" | "fires" | "passes")
}
