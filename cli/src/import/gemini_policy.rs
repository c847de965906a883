//! Policies of Gemini CLI, as measured with 0.61.0: TOML with a table `[[rule]]` for each rule.
//!
//! The highest `priority` wins, ties in file order. One invalid rule makes the file invalid; keys
//! that are not known are ignored, and `[[rules]]` is one. A list in `commandPrefix` means any of
//! them; a prefix ends at the end of a word. `toolName` is a name, with `*` alone or at the end of
//! the name of an MCP server. `argsPattern` is a regular expression over the arguments as JSON.

use behavior_agents::gemini_cli::tools;
use behavior_compiler::source::Span;
use behavior_compiler::syntax::{Entry, Format, Kind, Node};

use super::action::Action;
use super::command::{self, PatternError, Programs, Tail};
use super::imported::Import;
use super::policy::{Policy, Rule, Target, name_of};
use crate::render::one_line;

/// What its policies call tools that go by another name in its hooks.
const OLD_NAMES: &[(&str, &str)] = &[("ShellTool", "bash"), ("invoke_agent", "task")];

const SHELL: &str = "run_shell_command";

/// What may stand in a rule.
const FIELDS: &[&str] = &[
    "name",
    "description",
    "source",
    "toolName",
    "decision",
    "priority",
    "mcpName",
    "argsPattern",
    "commandPrefix",
    "commandRegex",
    "modes",
    "interactive",
    "toolAnnotations",
    "allowRedirection",
    "denyMessage",
    "subagent",
    "safety_checker",
];

/// Reads policies.
pub(super) fn import(import: &mut Import) -> Policy {
    let trees = import.trees(Format::Toml);
    let mut reader = Reader { import, programs: Programs::new(), rules: Vec::new() };
    for tree in &trees {
        reader.file(tree);
    }
    let mut rules = reader.rules;
    // Stable: rules of one priority keep their order.
    rules.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
    let mut policy = Policy::new("policies of Gemini CLI");
    for (_, rule) in rules {
        policy.push(rule);
    }
    policy
}

struct Reader<'a> {
    import: &'a mut Import,
    programs: Programs,
    rules: Vec<(i64, Rule)>,
}

/// What a rule says, before it is put into our words.
struct Source<'n> {
    node: &'n Node,
    tools: Vec<&'n str>,
    action: Action,
    priority: i64,
}

impl Reader<'_> {
    fn file(&mut self, root: &Node) {
        for entry in root.entries().unwrap_or_default() {
            match (&*entry.key.text, &entry.value.kind) {
                ("rule", Kind::Seq(items)) => items.iter().for_each(|item| self.rule(item)),
                ("rule", _) => self.import.invalid(entry.key.span, "rules are tables `[[rule]]`"),
                ("safety_checker", _) => {
                    let message = "`safety_checker`: a policy runs no checks of its own";
                    self.import.lost(entry.key.span, message);
                }
                ("rules", _) => {
                    let message = "`rules` has no effect in Gemini CLI, which reads `[[rule]]`";
                    self.import.note(entry.key.span, message);
                }
                (name, _) => {
                    let message = format!("`{name}`: it is no rule about tool calls");
                    self.import.lost(entry.key.span, message);
                }
            }
        }
    }

    fn rule(&mut self, node: &Node) {
        let Some(source) = self.source(node) else { return };
        let modes = self.modes(node, source.action);
        if let (Some(_), Some(modes)) = (self.conditions(&source), modes) {
            for target in self.targets(&source) {
                for mode in &modes {
                    self.push(&source, target.clone(), *mode);
                }
            }
        }
    }

    fn push(&mut self, source: &Source<'_>, target: Target, mode: Option<&'static str>) {
        let text = |field| source.node.get(field).and_then(Node::as_str);
        let about = target.about();
        let name = text("name").map(one_line).filter(|name| !name.trim().is_empty());
        let rule = Rule {
            name: name.unwrap_or_else(|| name_of(source.action, &about)),
            action: source.action,
            target,
            mode,
            reason: text("denyMessage").map(str::to_owned),
            comments: vec![format!("priority {}", source.priority)],
        };
        self.rules.push((source.priority, rule));
    }

    /// The fields that every rule has.
    fn source<'n>(&mut self, node: &'n Node) -> Option<Source<'n>> {
        let Some(entries) = node.entries() else {
            self.import.invalid(node.span, "a rule is a table");
            return None;
        };
        for entry in entries {
            if !FIELDS.contains(&&*entry.key.text) {
                let name = &entry.key.text;
                let message = format!("`{name}` has no effect in Gemini CLI, so none here");
                self.import.note(entry.key.span, message);
            }
        }
        let tools = self.tools(node);
        let action = self.action(node);
        let priority = self.priority(node);
        Some(Source { node, tools: tools?, action: action?, priority: priority? })
    }

    fn missing(&mut self, node: &Node, field: &str, what: &str) {
        let span = node.get(field).map_or(node.span, |value| value.span);
        self.import.invalid(span, format!("a rule has a `{field}`: {what}"));
    }

    fn tools<'n>(&mut self, node: &'n Node) -> Option<Vec<&'n str>> {
        let names = node.get("toolName").and_then(strings).filter(|names| !names.is_empty());
        if names.is_none() {
            self.missing(node, "toolName", "a name or a list of names");
        }
        names
    }

    fn action(&mut self, node: &Node) -> Option<Action> {
        let action = match node.get("decision").and_then(Node::as_str) {
            Some("allow") => Some(Action::Allow),
            Some("deny") => Some(Action::Deny),
            Some("ask_user") => Some(Action::Ask),
            _ => None,
        };
        if action.is_none() {
            self.missing(node, "decision", "`allow`, `deny` or `ask_user`");
        }
        action
    }

    fn priority(&mut self, node: &Node) -> Option<i64> {
        let priority = match node.get("priority").map(|value| &value.kind) {
            Some(Kind::Int(number @ 0..=999)) => Some(*number),
            _ => None,
        };
        if priority.is_none() {
            self.missing(node, "priority", "a whole number from 0 to 999");
        }
        priority
    }

    /// The modes that a rule holds in: `None` in the list for all of them.
    fn modes(&mut self, node: &Node, action: Action) -> Option<Vec<Option<&'static str>>> {
        let Some(entry) = node.entry("modes") else { return Some(vec![None]) };
        let known = |name: &str| matches!(name, "default" | "autoEdit" | "yolo" | "plan");
        let names = match &entry.value.kind {
            Kind::Seq(_) => strings(&entry.value).filter(|names| names.iter().all(|n| known(n))),
            _ => None,
        };
        let Some(names) = names else {
            let what = "`default`, `autoEdit`, `yolo` and `plan`";
            self.import.invalid(entry.value.span, format!("`modes` is a list of {what}"));
            return None;
        };
        // An empty list is as good as none.
        if names.is_empty() {
            return Some(vec![None]);
        }
        let modes: Vec<_> = [("default", "ask"), ("autoEdit", "autoEdit"), ("yolo", "yolo")]
            .iter()
            .filter(|(theirs, _)| names.contains(theirs))
            .map(|(_, ours)| Some(*ours))
            .collect();
        if names.contains(&"plan") {
            let what = if modes.is_empty() { "the rule is left out" } else { "the others hold" };
            let message = format!("`modes`: there is no approval mode `plan`; {what}");
            self.import.left_out(entry.value.span, action, message);
        }
        match modes.len() {
            0 => None,
            3 => Some(vec![None]),
            _ => Some(modes),
        }
    }

    /// Whether a rule can be said, for all but its tools and arguments.
    fn conditions(&mut self, source: &Source<'_>) -> Option<()> {
        let node = source.node;
        if let Some(entry) = node.entry("interactive") {
            self.interactive(entry, source.action)?;
        }
        if let Some(entry) = node.entry("toolAnnotations") {
            let why = "a policy does not see what MCP servers say of their tools";
            self.left_out(entry, source.action, why);
            return None;
        }
        if let Some(entry) = node.entry("subagent") {
            let why = "a policy does not tell sub-agents apart";
            if source.action == Action::Allow {
                self.left_out(entry, source.action, why);
                return None;
            }
            self.import.near(entry.key.span, format!("`subagent`: {why}; the rule holds for all"));
        }
        if let Some(entry) = node.entry("safety_checker") {
            self.left_out(entry, source.action, "a policy runs no checks of its own");
            return None;
        }
        let is_true = |entry: &&Entry| entry.value.kind == Kind::Bool(true);
        if let Some(entry) = node.entry("allowRedirection").filter(is_true) {
            let message = "`allowRedirection`: in the mode `ask`, a command that writes a file with a \
                           redirection is asked about; in `autoEdit` and `yolo` it is allowed";
            self.import.near(entry.key.span, message);
        }
        Some(())
    }

    fn left_out(&mut self, entry: &Entry, action: Action, why: &str) {
        let message = format!("`{}`: {why}; the rule is left out", entry.key.text);
        self.import.left_out(entry.key.span, action, message);
    }

    fn interactive(&mut self, entry: &Entry, action: Action) -> Option<()> {
        match (&entry.value.kind, action) {
            (Kind::Bool(true), Action::Ask) => Some(()),
            (Kind::Bool(true), _) => {
                let message = "`interactive`: the rule holds without a user, too";
                self.import.near(entry.key.span, message);
                Some(())
            }
            (Kind::Bool(false), Action::Allow) => {
                self.left_out(entry, action, "a policy does not know whether there is a user");
                None
            }
            (Kind::Bool(false), _) => {
                let message = "`interactive`: the rule holds with a user, too";
                self.import.near(entry.key.span, message);
                Some(())
            }
            _ => {
                self.import.invalid(entry.value.span, "`interactive` is `true` or `false`");
                None
            }
        }
    }

    /// What a rule is about; nothing where that cannot be said.
    fn targets(&mut self, source: &Source<'_>) -> Vec<Target> {
        let node = source.node;
        let conditions: Vec<&Entry> = ["commandPrefix", "commandRegex", "argsPattern"]
            .iter()
            .filter_map(|field| node.entry(field))
            .collect();
        match conditions.as_slice() {
            [] => {
                let mcp = node.entry("mcpName");
                let names = source.tools.clone();
                let span = node.get("toolName").map_or(node.span, |value| value.span);
                let pattern: Vec<_> =
                    names.iter().flat_map(|name| self.tool(name, mcp, span)).collect();
                if pattern.is_empty() { Vec::new() } else { vec![Target::Pattern(pattern)] }
            }
            [entry] if &*entry.key.text == "argsPattern" => self.arguments(source, entry),
            [entry] if source.node.get("toolName").and_then(Node::as_str) != Some(SHELL) => {
                let name = &entry.key.text;
                let message = format!("`{name}` goes with `toolName = \"{SHELL}\"` only");
                self.import.invalid(entry.key.span, message);
                Vec::new()
            }
            [entry] if &*entry.key.text == "commandRegex" => {
                let why = "commands are matched by their words, not as text";
                self.left_out(entry, source.action, why);
                Vec::new()
            }
            [entry] => self.prefixes(source, &entry.value),
            [_, entry, ..] => {
                let name = &entry.key.text;
                let message = format!("`{name}` does not go with the other condition of the rule");
                self.import.invalid(entry.key.span, message);
                Vec::new()
            }
        }
    }

    /// A tool, as patterns: where the name of a server may have a `_` in it, each way to read it.
    fn tool(&mut self, name: &str, mcp: Option<&Entry>, span: Span) -> Vec<String> {
        let of_servers: Option<Vec<(&str, &str)>> = match mcp.and_then(|it| it.value.as_str()) {
            Some(server) => Some(vec![(server, name)]),
            None => match name.strip_prefix("mcp_").filter(|rest| !rest.is_empty()) {
                Some(rest) => Some(readings(rest)),
                None => name.split_once("__").map(|parts| vec![parts]),
            },
        };
        if let Some(readings) = of_servers {
            let pattern = |(server, tool): (&str, &str)| {
                command::mcp(server, if tool.is_empty() { "*" } else { tool })
            };
            let patterns: Vec<String> = readings.into_iter().filter_map(pattern).collect();
            if patterns.is_empty() {
                self.import.note(span, format!("no MCP tool is called `{name}`: it has no effect"));
            }
            return patterns;
        }
        let is_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let stem = name.strip_suffix('*').unwrap_or(name);
        if !stem.chars().all(is_name) || stem.starts_with('.') {
            let message = format!("`{name}` is the name of no tool, so the rule has no effect");
            self.import.note(span, message);
            return Vec::new();
        }
        let old = || OLD_NAMES.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
        let known = tools::find(name).map(|tool| tool.canonical).or_else(old);
        vec![known.unwrap_or(name).to_owned()]
    }

    fn prefixes(&mut self, source: &Source<'_>, value: &Node) -> Vec<Target> {
        let Some(items) = strings(value) else {
            self.import.invalid(value.span, "`commandPrefix` is a string or a list of strings");
            return Vec::new();
        };
        let mut patterns = Vec::new();
        for (index, prefix) in items.iter().enumerate() {
            let span = value.items().and_then(|items| items.get(index)).unwrap_or(value).span;
            if prefix.trim().is_empty() {
                patterns.push("bash".to_owned());
                continue;
            }
            match self.prefix(prefix, span, source.action) {
                Ok(pattern) => patterns.push(pattern),
                Err(why) => {
                    self.import.left_out(span, source.action, format!("`{prefix}`: {why}"));
                }
            }
        }
        if patterns.is_empty() { Vec::new() } else { vec![Target::Pattern(patterns)] }
    }

    fn prefix(&mut self, prefix: &str, span: Span, action: Action) -> Result<String, PatternError> {
        let words = command::words(prefix.trim())?;
        if action == Action::Allow {
            for near in self.programs.allowance(&words)? {
                self.import.near(span, format!("`{prefix}`: {near}"));
            }
        }
        command::fitting(command::literal(&words, Tail::Words))
    }

    fn arguments(&mut self, source: &Source<'_>, entry: &Entry) -> Vec<Target> {
        let Some(regex) = entry.value.as_str() else {
            self.import.invalid(entry.value.span, "`argsPattern` is a string");
            return Vec::new();
        };
        let Some(globs) = globs_of(regex) else {
            let why = "an `arg_pattern` is a glob, not a regular expression";
            self.left_out(entry, source.action, why);
            return Vec::new();
        };
        let mcp = source.node.entry("mcpName");
        let span = source.node.get("toolName").map_or(source.node.span, |value| value.span);
        let mut tools = Vec::new();
        for name in &source.tools {
            match *name {
                SHELL => {
                    let message =
                        format!("`argsPattern`: commands of `{SHELL}` are not texts here");
                    self.import.left_out(entry.key.span, source.action, message);
                }
                name => tools.extend(self.tool(name, mcp, span)),
            }
        }
        if tools.is_empty() {
            return Vec::new();
        }
        let message = if tools.iter().any(|tool| tool == "*") {
            "`argsPattern`: shell commands are left out, and names of arguments are not looked at"
        } else {
            "`argsPattern`: the values are looked at, not the names of the arguments"
        };
        self.import.near(entry.key.span, message);
        vec![Target::Arguments { tool: tools.join("|"), globs }]
    }
}

/// A string or a list of strings.
fn strings(node: &Node) -> Option<Vec<&str>> {
    match &node.kind {
        Kind::String(text) => Some(vec![text]),
        Kind::Seq(items) => items.iter().map(Node::as_str).collect(),
        _ => None,
    }
}

/// The ways to take the name of an MCP tool, `my_server_tool`, apart into server and tool: every `_` may stand
/// between them.
fn readings(name: &str) -> Vec<(&str, &str)> {
    let found: Vec<_> = name
        .match_indices('_')
        .filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)))
        .filter(|(server, _)| !server.is_empty())
        .collect();
    if found.is_empty() { vec![(name, "*")] } else { found }
}

/// The globs that together say what a regular expression says; its alternatives stand for one each.
fn globs_of(regex: &str) -> Option<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut characters = regex.chars();
    while let Some(character) = characters.next() {
        if character == '|' {
            parts.push(String::new());
            continue;
        }
        let part = parts.last_mut()?;
        part.push(character);
        if character == '\\' {
            part.extend(characters.next());
        }
    }
    parts.iter().map(|part| glob_of(part)).collect()
}

/// A regular expression that says no more than a glob: plain text, `\.` and its like, and `.*`.
fn glob_of(regex: &str) -> Option<String> {
    let mut glob = String::from("*");
    let mut characters = regex.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '.' if characters.next_if_eq(&'*').is_some() => {
                if !glob.ends_with('*') || glob.ends_with("\\*") {
                    glob.push('*');
                }
            }
            '\\' => {
                let escaped = characters.next().filter(char::is_ascii_punctuation)?;
                glob.push_str(&command::escaped(escaped.encode_utf8(&mut [0; 4])));
            }
            '.' | '^' | '$' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '"' => {
                return None;
            }
            plain => glob.push_str(&command::escaped(plain.encode_utf8(&mut [0; 4]))),
        }
    }
    if !glob.ends_with('*') || glob.ends_with("\\*") {
        glob.push('*');
    }
    Some(glob)
}

#[cfg(test)]
mod tests {
    use super::{glob_of, globs_of};

    #[test]
    fn only_plain_expressions_are_globs() {
        let check = |regex: &str, expect: Option<&str>| {
            assert_eq!(glob_of(regex).as_deref(), expect, "{regex}");
        };
        check("secret", Some("*secret*"));
        check(r".*creds-.*\.json.*", Some("*creds-*.json*"));
        check(r"a\*", Some(r"*a\**"));
        check(r"\.env|id_rsa", None);
        let both = vec!["*.env*".to_owned(), "*id_rsa*".to_owned()];
        assert_eq!(globs_of(r"\.env|id_rsa"), Some(both));
        check(r"\d", None);
        check("a.b", None);
        check(r#""path":"x""#, None);
    }
}
