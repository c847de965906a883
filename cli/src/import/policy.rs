//! The policy that an import makes, and its text as TOML.

use std::collections::HashSet;
use std::fmt::Write;

use behavior_compiler::policy_pattern::{MAX_ALTERNATIVES, MAX_LENGTH};

use super::{Import, Names, Rules, heading, slug};
use crate::render::one_line;

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Action {
    Allow,
    Ask,
    Deny,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Action::Allow => "allow",
            Action::Ask => "ask_user",
            Action::Deny => "deny",
        }
    }
}

/// What a rule is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// Tools or commands: alternatives of `pattern`.
    Pattern(Vec<String>),
    /// Arguments of a tool: alternatives of `arg_pattern`.
    Arguments { tool: String, globs: Vec<String> },
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
        let mut out = heading(import, "policy", self.from);
        if let Some(mode) = self.mode {
            let _ = writeln!(out, "\napproval_mode = {}", quoted(mode));
        }
        let mut names = Names::default();
        for rule in &self.rules {
            for subject in rule.target.subjects() {
                rule.write(&subject, &mut names, &mut out);
            }
        }
        Rules { text: out, count: names.len() }
    }
}

impl Target {
    /// The fields that say so: those of one rule each.
    fn subjects(&self) -> Vec<String> {
        match self {
            Target::Pattern(alternatives) => patterns(alternatives)
                .iter()
                .map(|pattern| format!("pattern = {}\n", quoted(pattern)))
                .collect(),
            Target::Arguments { tool, globs } => globs
                .iter()
                .map(|glob| {
                    let (tool, glob) = (quoted(tool), quoted(glob));
                    format!("tool_pattern = {tool}\narg_pattern = {glob}\n")
                })
                .collect(),
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
    fn write(&self, subject: &str, names: &mut Names, out: &mut String) {
        out.push_str("\n[[rules]]\n");
        for comment in &self.comments {
            let _ = writeln!(out, "# {}", one_line(comment));
        }
        let _ = writeln!(out, "name = {}", quoted(&names.unique(&self.name)));
        let _ = writeln!(out, "action = {}", quoted(self.action.name()));
        out.push_str(subject);
        if let Some(mode) = self.mode {
            let _ = writeln!(out, "approval_mode = {}", quoted(mode));
        }
        if let Some(reason) = self.reason.as_deref().filter(|reason| !reason.is_empty()) {
            let _ = writeln!(out, "reason = {}", quoted(reason));
        }
    }
}

/// The name of a rule that has none: what it does, to what.
pub(super) fn name_of(action: Action, about: &str) -> String {
    slug(&format!("{} {about}", action.name().trim_end_matches("_user")))
}

/// A TOML string. Where the text has quotes or backslashes and the literal form can hold it, that
/// one, since it is easier to read.
fn quoted(text: &str) -> String {
    let has_control = text.chars().any(char::is_control);
    if text.contains(['"', '\\']) && !text.contains('\'') && !has_control {
        return format!("'{text}'");
    }
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
