//! The policy that an import makes, and its text as TOML.

use std::collections::HashSet;

use behavior_compiler::policy_pattern::{MAX_ALTERNATIVES, MAX_LENGTH};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

use super::action::Action;
use super::imported::Import;
use super::rules::{Names, Rules, heading, slug};
use crate::render::one_line;

/// What a rule is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// Tools or commands: alternatives of `pattern`.
    Pattern(Vec<String>),
    /// Arguments of a tool: alternatives of `arg_pattern`.
    Arguments { tool: String, globs: Vec<String> },
    /// What a call of these tools, or of any, is about by name.
    Fact { tools: Option<String>, fact: Fact },
}

/// One of the fields of a rule that look at single things of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fact {
    /// A parameter and its pattern.
    Param(&'static str, String),
    /// The host of an address.
    Host(String),
    /// Files, under the name of the field.
    Files(&'static str, Vec<String>),
    /// Files outside of the repository.
    Outside,
}

/// A rule of ours.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// What it is called; made unique when written.
    pub name: String,
    pub action: Action,
    pub target: Target,
    /// The only mode in which it holds.
    pub mode: Option<&'static str>,
    pub reason: Option<String>,
    /// What the source says, for a comment.
    pub comments: Vec<String>,
}

/// A policy of ours.
#[derive(Debug, Default)]
pub(super) struct Policy {
    /// Whose rules these were, for the head of the text.
    from: &'static str,
    pub mode: Option<&'static str>,
    /// The priority of all rules.
    pub priority: Option<&'static str>,
    /// In the order in which they are looked at.
    rules: Vec<Rule>,
    said: HashSet<(Action, Option<&'static str>, Target)>,
}

impl Policy {
    /// A policy without rules; `from` says whose rules it will have.
    pub fn new(from: &'static str) -> Self {
        Self { from, ..Self::default() }
    }

    /// Adds a rule, unless one says the same already.
    pub fn push(&mut self, rule: Rule) {
        if self.said.insert((rule.action, rule.mode, rule.target.clone())) {
            self.rules.push(rule);
        }
    }

    /// The text of the policy.
    pub fn write(&self, import: &Import) -> Rules {
        let mut document = DocumentMut::new();
        if let Some(mode) = self.mode {
            document.insert("approval_mode", value(mode));
        }
        let mut names = Names::default();
        let mut rules = ArrayOfTables::new();
        for rule in &self.rules {
            for subject in rule.target.subjects() {
                rules.push(rule.table(subject, self.priority, &mut names));
            }
        }
        document.insert("rules", Item::ArrayOfTables(rules));
        let gap = if self.mode.is_some() { "\n" } else { "" };
        let text = format!("{}{gap}{document}", heading(import, "policy", self.from));
        Rules { text, count: names.len() }
    }
}

impl Target {
    /// The fields that say so: those of one rule each.
    fn subjects(&self) -> Vec<Vec<(&'static str, Value)>> {
        match self {
            Target::Pattern(alternatives) => patterns(alternatives)
                .into_iter()
                .map(|pattern| vec![("pattern", pattern.into())])
                .collect(),
            Target::Arguments { tool, globs } => globs
                .iter()
                .map(|glob| vec![("tool_pattern", tool.into()), ("arg_pattern", glob.into())])
                .collect(),
            Target::Fact { tools, fact } => {
                let tools = tools.iter().map(|tools| ("pattern", tools.into()));
                vec![tools.chain([fact.field()]).collect()]
            }
        }
    }

    /// What it is about, for the name of a rule.
    pub fn about(&self) -> String {
        match self {
            Target::Pattern(alternatives) => alternatives.first().cloned().unwrap_or_default(),
            Target::Arguments { tool, .. } => tool.clone(),
            Target::Fact { tools, fact } => {
                format!("{} {}", tools.as_deref().unwrap_or_default(), fact.text())
            }
        }
    }
}

impl Fact {
    fn field(&self) -> (&'static str, Value) {
        match self {
            Fact::Param(name, pattern) => {
                let table = [(*name, Value::from(pattern))].into_iter().collect::<InlineTable>();
                ("params", table.into())
            }
            Fact::Host(host) => ("host", host.into()),
            Fact::Outside => {
                let table = [("is", Value::from("outside"))].into_iter().collect::<InlineTable>();
                ("path", table.into())
            }
            Fact::Files(field, globs) => match globs.as_slice() {
                [one] => (field, one.into()),
                several => (field, several.iter().collect::<Value>()),
            },
        }
    }

    fn text(&self) -> String {
        match self {
            Fact::Param(_, text) | Fact::Host(text) => text.clone(),
            Fact::Outside => "outside".to_owned(),
            Fact::Files(field, globs) => {
                format!("{field} {}", globs.first().map(String::as_str).unwrap_or_default())
            }
        }
    }
}

/// Patterns of as many alternatives as one may have.
fn patterns(alternatives: &[String]) -> Vec<String> {
    let mut out: Vec<(usize, String)> = Vec::new();
    for alternative in alternatives {
        match out.last_mut() {
            Some((count, pattern))
                if *count < MAX_ALTERNATIVES && pattern.len() + alternative.len() < MAX_LENGTH =>
            {
                *count += 1;
                pattern.push('|');
                pattern.push_str(alternative);
            }
            _ => out.push((1, alternative.clone())),
        }
    }
    out.into_iter().map(|(_, pattern)| pattern).collect()
}

impl Rule {
    fn table(
        &self,
        subject: Vec<(&'static str, Value)>,
        priority: Option<&'static str>,
        names: &mut Names,
    ) -> Table {
        let mut table = Table::new();
        table.decor_mut().set_prefix("\n");
        table.insert("name", value(names.unique(&self.name)));
        if let Some(priority) = priority {
            table.insert("priority", value(priority));
        }
        table.insert("action", value(self.action.name()));
        for (field, content) in subject {
            table.insert(field, Item::Value(content));
        }
        let reason = self.reason.as_deref().filter(|reason| !reason.is_empty());
        for (field, text) in [("approval_mode", self.mode), ("reason", reason)] {
            if let Some(text) = text {
                table.insert(field, value(text));
            }
        }
        let comments = self.comments.iter().map(|comment| format!("# {}\n", one_line(comment)));
        if let Some(mut name) = table.key_mut("name") {
            name.leaf_decor_mut().set_prefix(comments.collect::<String>());
        }
        table
    }
}

/// The name of a rule that has none: what it does, to what.
pub(super) fn name_of(action: Action, about: &str) -> String {
    slug(&format!("{} {about}", action.name().trim_end_matches("_user")))
}
