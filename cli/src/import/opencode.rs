//! Permissions of OpenCode: `permission` of `opencode.json`, for each tool a word or patterns with words.
//!
//! The last entry that matches decides, so that rules come in the opposite order here. `*` is any text, `?`
//! one character, and ` *` at the end also matches nothing. `edit` is about every tool that changes files.
//! `tools` of older files switches tools off. What an agent of its own may is not told apart here.

use behavior_compiler::syntax::{Entry, Format, Kind, Node};
use behavior_facts::tool_catalogue;

use super::action::Action;
use super::command::{self, Programs, Tail, WILD};
use super::imported::Import;
use super::policy::{Fact, Policy, Rule, Target, name_of};
use super::wildcards;

/// What its tools are called here; those that are missing go by their own names.
const TOOLS: &[(&str, &str)] = &[
    ("edit", "edit|multi_edit|write|apply_patch"),
    ("list", "ls"),
    ("webfetch", "web_fetch"),
    ("websearch", "web_search"),
    ("todoread", "todo_read"),
    ("todowrite", "todo_write"),
];

/// Reads permissions.
pub(super) fn import(import: &mut Import) -> Policy {
    let trees = import.trees(Format::Json);
    let mut reader = Reader { import, programs: Programs::new(), rules: Vec::new() };
    for tree in &trees {
        reader.file(tree);
    }
    let mut rules = reader.rules;
    // The last one decides there, the first one here.
    rules.reverse();
    // What no rule is about, OpenCode allows.
    let mut policy = Policy::new("permissions of OpenCode");
    policy.mode = Some("agent");
    for rule in rules {
        policy.push(rule);
    }
    policy
}

struct Reader<'a> {
    import: &'a mut Import,
    programs: Programs,
    rules: Vec<Rule>,
}

impl Reader<'_> {
    fn file(&mut self, root: &Node) {
        let Some(entries) = root.entries() else {
            self.import.invalid(root.span, "a configuration is a JSON object");
            return;
        };
        for entry in entries {
            match &*entry.key.text {
                "permission" => self.permission(entry),
                "tools" => self.switches(entry),
                "agent" | "mode" => self.agents(entry),
                _ => {}
            }
        }
        if root.get("permission").is_none() && root.get("tools").is_none() {
            self.import.note(root.span, "there is no `permission`, so there are no rules");
        }
    }

    fn permission(&mut self, entry: &Entry) {
        match &entry.value.kind {
            Kind::String(_) => self.tool("*", &entry.value),
            Kind::Map(tools) => {
                tools.iter().for_each(|tool| self.tool(&tool.key.text, &tool.value));
            }
            _ => self.import.invalid(entry.value.span, "`permission` is a word or an object"),
        }
    }

    fn switches(&mut self, entry: &Entry) {
        for tool in entry.value.entries().unwrap_or_default() {
            if tool.value.kind == Kind::Bool(false) {
                let name = &tool.key.text;
                if let Some(pattern) = self.pattern_of(name, &tool.value) {
                    self.push(name, Action::Deny, Target::Pattern(pattern));
                }
            }
        }
    }

    /// Rules of single agents hold for none here: what they stop would run.
    fn agents(&mut self, entry: &Entry) {
        for agent in entry.value.entries().unwrap_or_default() {
            for field in ["permission", "tools"] {
                if let Some(rules) = agent.value.entry(field) {
                    let name = &agent.key.text;
                    let message = format!(
                        "`{name}`: a policy does not tell agents apart, so `{field}` of one holds for none"
                    );
                    self.import.looser(rules.key.span, message);
                }
            }
        }
    }

    fn action(&mut self, node: &Node) -> Option<Action> {
        match node.as_str() {
            Some("allow") => Some(Action::Allow),
            Some("ask") => Some(Action::Ask),
            Some("deny") => Some(Action::Deny),
            _ => {
                self.import.invalid(node.span, "a permission is `allow`, `ask` or `deny`");
                None
            }
        }
    }

    fn tool(&mut self, name: &str, node: &Node) {
        let Some(patterns) = node.entries() else {
            let Some(action) = self.action(node) else { return };
            self.whole(name, node, action);
            return;
        };
        for entry in patterns {
            let Some(action) = self.action(&entry.value) else { continue };
            let text = &*entry.key.text;
            if text == "*" {
                self.whole(name, &entry.value, action);
            } else {
                self.pattern(name, text, &entry.value, action);
            }
        }
    }

    fn whole(&mut self, name: &str, node: &Node, action: Action) {
        if name == "external_directory" {
            let fact = Fact::Outside;
            self.push(name, action, Target::Fact { tools: None, fact });
        } else if name == "doom_loop" {
            let message = "`doom_loop`: a policy counts no calls; `max_sequential_same_tool` of a profile does";
            self.import.left_out(node.span, action, message);
        } else if let Some(pattern) = self.pattern_of(name, node) {
            self.push(name, action, Target::Pattern(pattern));
        }
    }

    /// A tool, as alternatives of a pattern.
    fn pattern_of(&mut self, name: &str, node: &Node) -> Option<Vec<String>> {
        if let Some((_, ours)) = TOOLS.iter().find(|(theirs, _)| *theirs == name) {
            return Some(ours.split('|').map(str::to_owned).collect());
        }
        let is_name = |sign: char| sign.is_alphanumeric() || "_-*?".contains(sign);
        if name.is_empty() || !name.chars().all(is_name) {
            self.import.invalid(node.span, format!("no tool is called `{name}`"));
            return None;
        }
        if name == "*" || tool_catalogue::find(name).is_some() || !name.contains('_') {
            return Some(vec![name.to_owned()]);
        }
        // A tool of a server, whose name may have a `_` in it.
        let parts = name
            .match_indices('_')
            .filter_map(|(at, _)| command::mcp(name.get(..at)?, name.get(at + 1..)?));
        Some([name.to_owned()].into_iter().chain(parts).collect())
    }

    fn pattern(&mut self, name: &str, text: &str, node: &Node, action: Action) {
        let rule = format!("{name} {text}");
        let tools = TOOLS.iter().find(|(theirs, _)| *theirs == name);
        let tools = tools.map_or(name, |(_, ours)| ours).to_owned();
        let target = match name {
            "bash" if text.contains(WILD) => None,
            "bash" => {
                let line = wildcards::marked(text, &[]);
                let (line, tail) = match line.strip_suffix(&format!(" {WILD}")) {
                    Some(start) => (start, Tail::Words),
                    None => (&*line, Tail::Exact),
                };
                let of = (&*rule, node.span);
                let made =
                    wildcards::patterns(self.import, &self.programs, (line, tail), of, action);
                match made {
                    Ok(patterns) => Some(Target::Pattern(patterns)),
                    Err(why) => {
                        let message = format!("`{rule}`: {why}");
                        self.import.left_out(node.span, action, message);
                        return;
                    }
                }
            }
            "edit" | "read" | "list" => {
                let field = match (action, name) {
                    (Action::Allow, _) => "path",
                    (_, "edit") => "writes",
                    _ => "reads",
                };
                let files = Fact::Files(field, paths(text, action));
                // What stops calls holds for commands as well.
                let tools = (action == Action::Allow).then_some(tools);
                Some(Target::Fact { tools, fact: files })
            }
            "webfetch" => {
                let fact = Fact::Param("url", glob(text));
                Some(Target::Fact { tools: Some(tools), fact })
            }
            "task" => {
                let fact = Fact::Param("subagent_type", glob(text));
                Some(Target::Fact { tools: Some(tools), fact })
            }
            "skill" => {
                let fact = Fact::Param("name", glob(text));
                Some(Target::Fact { tools: Some(tools), fact })
            }
            "glob" | "grep" => {
                let fact = Fact::Param("pattern", glob(text));
                Some(Target::Fact { tools: Some(tools), fact })
            }
            "websearch" | "codesearch" => {
                let fact = Fact::Param("query", glob(text));
                Some(Target::Fact { tools: Some(tools), fact })
            }
            "external_directory" => {
                let field = if action == Action::Allow { "path" } else { "writes" };
                let fact = Fact::Files(field, paths(text, action));
                Some(Target::Fact { tools: None, fact })
            }
            _ => None,
        };
        match target {
            Some(target) => self.push(&rule, action, target),
            None => {
                let message =
                    format!("`{rule}`: what the pattern is held against is not known here");
                self.import.left_out(node.span, action, message);
            }
        }
    }

    fn push(&mut self, rule: &str, action: Action, target: Target) {
        self.rules.push(Rule {
            name: name_of(action, rule),
            action,
            target,
            mode: None,
            reason: None,
            comments: vec![rule.to_owned()],
        });
    }
}

/// A pattern of theirs as a glob over an argument.
fn glob(text: &str) -> String {
    command::escaped(text).replace("\\*", "*").replace("\\?", "?")
}

/// The path patterns of one of theirs. A `*` there also takes a `/`: what stops calls is about what lies below
/// as well.
fn paths(text: &str, action: Action) -> Vec<String> {
    let text = text.replace(['{', '['], "?");
    let stem = text.trim_end_matches("/**").trim_end_matches("/*");
    if stem != text {
        return vec![format!("{stem}/**")];
    }
    match action {
        Action::Allow => vec![text],
        Action::Ask | Action::Deny if text.contains('*') => {
            vec![text.clone(), format!("{text}/**")]
        }
        Action::Ask | Action::Deny => vec![text],
    }
}
