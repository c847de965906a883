//! Permission lists of Claude Code, as measured with 2.1.197: `permissions` of `settings.json`.
//!
//! `deny` goes before `ask`, and that before `allow`, whatever is more specific. `X:*` is `X *`;
//! `X*` is a prefix without an end of a word; `*` is the only sign with a meaning, and an inner `:*`
//! has none. `Read(p)` and `Edit(p)` are about paths as in `.gitignore`: `//` is the root of the
//! file system, `/` the folder of the settings, `~/` the user's, all else the working directory.
//! `Edit` governs `Write` too. Rules that no tool answers to have no effect.

use behavior_agents::claude_code::tools;
use behavior_compiler::source::Span;
use behavior_compiler::syntax::{Format, Kind, Node};

use super::action::Action;
use super::command::{self, Programs, Tail, WILD};
use super::imported::Import;
use super::policy::{Fact, Policy, Rule, Target, name_of};
use super::wildcards;

/// Settings that look like permissions, and why there is nothing for them.
const SETTINGS: &[(&str, &str)] = &[
    ("hooks", "hooks run programs; what they enforce has to be written as rules"),
    ("sandbox", "a policy decides on calls and isolates nothing"),
    ("env", "a policy sets no environment variables"),
    ("model", "a policy does not choose models"),
];

/// The tools that `Read` and `Edit` rules of an allowance are about.
const READING: &str = "read|grep|glob|ls";
const EDITING: &str = "edit|multi_edit|write|notebook_edit";

/// The parameters of tools that a rule can name, `Bash(run_in_background:true)`, beside those that its
/// tool has a form of its own for.
const PARAMETERS: [(&str, &[&str]); 3] = [
    ("bash", &["run_in_background", "timeout", "description", "dangerouslyDisableSandbox"]),
    ("task", &["subagent_type", "model", "isolation", "run_in_background", "description"]),
    ("web_search", &["query"]),
];

/// Reads permission lists.
pub(super) fn import(import: &mut Import) -> Policy {
    let trees = import.trees(Format::Json);
    let mut reader = Reader {
        import,
        programs: Programs::new(),
        policy: Policy::new("settings of Claude Code"),
    };
    for tree in &trees {
        reader.settings(tree);
    }
    for (list, action) in [("deny", Action::Deny), ("ask", Action::Ask), ("allow", Action::Allow)] {
        for tree in &trees {
            let Some(entry) = tree.get("permissions").and_then(|node| node.get(list)) else {
                continue;
            };
            reader.list(entry, list, action);
        }
    }
    reader.policy
}

struct Reader<'a> {
    import: &'a mut Import,
    programs: Programs,
    policy: Policy,
}

impl Reader<'_> {
    /// Everything but the lists.
    fn settings(&mut self, root: &Node) {
        let Some(entries) = root.entries() else {
            self.import.invalid(root.span, "settings are a JSON object");
            return;
        };
        for entry in entries {
            let name = &*entry.key.text;
            if matches!(name, "permissions" | "$schema") {
                continue;
            }
            let why = SETTINGS.iter().find(|(known, _)| *known == name);
            let why = why.map_or("it is no rule about tool calls", |(_, why)| why);
            self.import.lost(entry.key.span, format!("`{name}`: {why}"));
        }
        let Some(permissions) = root.get("permissions") else {
            self.import.note(root.span, "there is no `permissions`, so there are no rules");
            return;
        };
        let Some(entries) = permissions.entries() else {
            self.import.invalid(permissions.span, "`permissions` is a JSON object");
            return;
        };
        for entry in entries {
            match &*entry.key.text {
                "allow" | "ask" | "deny" => {}
                "defaultMode" => self.mode(&entry.value),
                name => {
                    let message = format!("`permissions.{name}`: a policy has nothing like it");
                    self.import.lost(entry.key.span, message);
                }
            }
        }
    }

    fn mode(&mut self, node: &Node) {
        let mode = match node.as_str() {
            Some("default") => "ask",
            Some("acceptEdits") => "autoEdit",
            Some("bypassPermissions") => "yolo",
            Some(other) => {
                let message = format!("`defaultMode` `{other}`: there is no such approval mode");
                self.import.lost(node.span, message);
                return;
            }
            None => {
                self.import.invalid(node.span, "`defaultMode` is a string");
                return;
            }
        };
        if self.policy.mode.is_some_and(|known| known != mode) {
            self.import
                .near(node.span, "an earlier file has another `defaultMode`; this one holds");
        }
        self.policy.mode = Some(mode);
    }

    fn list(&mut self, node: &Node, name: &str, action: Action) {
        let Kind::Seq(items) = &node.kind else {
            self.import.invalid(node.span, format!("`permissions.{name}` is a list of strings"));
            return;
        };
        for item in items {
            match item.as_str() {
                Some(text) => self.rule(text, item.span, action),
                None => self.import.invalid(item.span, "a permission rule is a string"),
            }
        }
    }

    fn rule(&mut self, text: &str, span: Span, action: Action) {
        let (tool, content) = match split(text) {
            Ok(parts) => parts,
            Err(why) => {
                self.without_effect(text, span, why);
                return;
            }
        };
        if let Some(rest) = tool.strip_prefix("mcp__") {
            self.mcp(text, rest, content.is_some(), span, action);
            return;
        }
        let Some(known) = tools::find(tool) else {
            let message =
                format!("`{text}`: no tool of Claude Code that is known here is called so");
            self.import.left_out(span, action, message);
            return;
        };
        if let Some((name, value)) = content.as_deref().and_then(|it| parameter(known, it)) {
            self.parameter(text, known, (name, value), span, action);
            return;
        }
        match (known.native, content) {
            ("Bash", Some(content)) if content != "*" => self.bash(text, &content, span, action),
            (_, None) | ("Bash", _) => {
                let name = tool_name(known);
                self.push(text, action, Target::Pattern(vec![name.to_owned()]));
            }
            ("Read", Some(path)) => self.path(text, &path, ("reads", READING), action),
            ("Edit", Some(path)) => self.path(text, &path, ("writes", EDITING), action),
            ("WebFetch", Some(content)) => self.domain(text, &content, span, action),
            ("Task" | "Agent", Some(content)) => {
                self.named(text, known, &["subagent_type"], &content, action);
            }
            ("Skill", Some(content)) => {
                self.named(text, known, &["skill", "command"], &content, action);
            }
            ("SlashCommand", Some(content)) => {
                self.named(text, known, &["command"], &content, action);
            }
            ("Write" | "MultiEdit" | "NotebookEdit" | "Grep" | "Glob" | "LS", Some(_)) => {
                let why = "paths are governed by `Read(…)` and `Edit(…)` rules only";
                self.without_effect(text, span, why);
            }
            _ => {
                let message = format!("`{text}`: what stands in the parentheses is not understood");
                self.import.left_out(span, action, message);
            }
        }
    }

    /// A rule that Claude Code never applies: nothing is missing without it.
    fn without_effect(&mut self, text: &str, span: Span, why: &str) {
        let message = format!("`{text}` has no effect in Claude Code and is left out: {why}");
        self.import.note(span, message);
    }

    fn push(&mut self, text: &str, action: Action, target: Target) {
        let rule = made_of(text, action, target);
        self.policy.push(rule);
    }

    fn mcp(&mut self, text: &str, rest: &str, has_content: bool, span: Span, action: Action) {
        let (server, tool) = rest.split_once("__").unwrap_or((rest, "*"));
        if has_content {
            self.without_effect(text, span, "rules about MCP tools take no parentheses");
        } else if rest == "*" && action != Action::Allow {
            self.push(text, action, Target::Pattern(vec!["mcp(*)".to_owned()]));
        } else if server.is_empty() || server.contains('*') || tool.is_empty() {
            self.without_effect(text, span, "a rule about MCP tools names their server");
        } else if let Some(pattern) = command::mcp(server, tool) {
            self.push(text, action, Target::Pattern(vec![pattern]));
        } else {
            self.without_effect(text, span, "no MCP tool is called so");
        }
    }

    fn bash(&mut self, text: &str, content: &str, span: Span, action: Action) {
        if content.is_empty() || content.trim() != content {
            self.without_effect(text, span, "no command is written so");
            return;
        }
        if content.contains(WILD) {
            let why = command::PatternError::UselessCharacter;
            self.import.left_out(span, action, format!("`{text}`: {why}"));
            return;
        }
        if content == ":*" {
            self.push(text, action, Target::Pattern(vec!["bash".to_owned()]));
            return;
        }
        let (line, tail) = match content.strip_suffix(":*") {
            Some(prefix) => (prefix.to_owned(), Tail::Words),
            _ => (wildcards::marked(content, &[':', '\\']), Tail::Exact),
        };
        match wildcards::patterns(self.import, &self.programs, (&line, tail), (text, span), action)
        {
            Ok(patterns) => self.push(text, action, Target::Pattern(patterns)),
            Err(why) => self.import.left_out(span, action, format!("`{text}`: {why}")),
        }
    }

    /// A rule about paths: for what stops calls, whichever tool or command uses them so.
    fn path(
        &mut self,
        text: &str,
        path: &str,
        (field, tools): (&'static str, &str),
        action: Action,
    ) {
        let fact = Fact::Files(if action == Action::Allow { "path" } else { field }, globs(path));
        let tools = (action == Action::Allow).then(|| tools.to_owned());
        self.push(text, action, Target::Fact { tools, fact });
    }

    fn domain(&mut self, text: &str, content: &str, span: Span, action: Action) {
        let Some(domain) = content.strip_prefix("domain:").filter(|domain| !domain.is_empty())
        else {
            self.without_effect(text, span, "a rule about `WebFetch` names a `domain:`");
            return;
        };
        if domain.contains(|sign: char| !(sign.is_alphanumeric() || "*.-_".contains(sign))) {
            let message = format!("`{text}`: `{domain}` is not the name of a host");
            self.import.left_out(span, action, message);
            return;
        }
        if domain.starts_with("*.") && action == Action::Allow {
            let message = format!("`{text}`: `{}` itself is allowed as well", &domain[2..]);
            self.import.near(span, message);
        }
        let fact = Fact::Host(domain.to_ascii_lowercase());
        self.push(text, action, Target::Fact { tools: Some("web_fetch".to_owned()), fact });
    }

    /// A rule about the parameter that says what a tool starts, under any of its names.
    fn named(
        &mut self,
        text: &str,
        tool: &tools::Tool,
        names: &[&'static str],
        content: &str,
        action: Action,
    ) {
        let patterns = match content.strip_suffix(":*") {
            Some(start) => vec![command::escaped(start), format!("{} *", command::escaped(start))],
            None => vec![command::escaped(content).replace("\\*", "*")],
        };
        for name in names {
            for pattern in &patterns {
                let fact = Fact::Param(name, pattern.clone());
                let tools = Some(tool.canonical.to_owned());
                self.push(text, action, Target::Fact { tools, fact });
            }
        }
    }

    /// A rule about one parameter, `Bash(run_in_background:true)`.
    fn parameter(
        &mut self,
        text: &str,
        tool: &tools::Tool,
        (name, value): (&'static str, &str),
        span: Span,
        action: Action,
    ) {
        if action == Action::Allow {
            let message = format!("`{text}`: a parameter alone allows nothing");
            self.import.lost(span, message);
            return;
        }
        let fact = Fact::Param(name, command::escaped(value).replace("\\*", "*"));
        self.push(text, action, Target::Fact { tools: Some(tool.canonical.to_owned()), fact });
    }
}

/// The parameter of a tool that stands in the parentheses, and its value.
fn parameter<'c>(tool: &tools::Tool, content: &'c str) -> Option<(&'static str, &'c str)> {
    let (name, value) = content.split_once(':')?;
    let (_, names) = PARAMETERS.iter().find(|(canonical, _)| *canonical == tool.canonical)?;
    let name = names.iter().find(|known| **known == name)?;
    (!value.is_empty() && value != "*").then_some((*name, value))
}

fn made_of(text: &str, action: Action, target: Target) -> Rule {
    let about = text.strip_prefix("mcp__").unwrap_or(text);
    let name = name_of(action, about);
    Rule { name, action, target, mode: None, reason: None, comments: vec![text.to_owned()] }
}

/// A tool's name and what stands in its parentheses.
fn split(text: &str) -> Result<(&str, Option<String>), &'static str> {
    let Some((tool, rest)) = text.split_once('(') else {
        return Ok((text, None));
    };
    if tool.is_empty() || tool.ends_with(char::is_whitespace) {
        return Err("a `(` stands right behind the tool's name");
    }
    let Some(content) = rest.strip_suffix(')') else {
        return Err("its parenthesis is not closed");
    };
    if content.is_empty() {
        return Err("nothing stands in its parentheses");
    }
    let mut out = String::new();
    let mut characters = content.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('(' | ')' | '\\')) => out.extend(characters.next()),
            _ => out.push(character),
        }
    }
    Ok((tool, Some(out)))
}

/// What a tool is called here. Where several are one for us, the narrower ones keep their own name.
fn tool_name(tool: &tools::Tool) -> &'static str {
    match tool.native {
        "MultiEdit" | "NotebookEdit" | "NotebookRead" => tool.native,
        _ => tool.canonical,
    }
}

/// The path patterns of a rule: what it names, and everything below. As in `.gitignore`, a path without a
/// `/` in its middle is looked for in every directory. `//` is the root of the file system, `/` the folder of
/// the settings, which is the project's.
fn globs(path: &str) -> Vec<String> {
    let anchored = match path.strip_prefix("//") {
        Some(rest) => format!("/{rest}"),
        None if path.starts_with("~/") || path.starts_with("**/") => path.to_owned(),
        None => match path.strip_prefix('/') {
            Some(rest) => format!("//{rest}"),
            None => {
                let rest = path.strip_prefix("./").unwrap_or(path);
                let has_folder = rest.trim_end_matches('/').contains('/');
                if has_folder { format!("./{rest}") } else { rest.to_owned() }
            }
        },
    };
    // Unclosed, it means itself there. Braces have no meaning.
    let open = if anchored.contains(']') { anchored } else { anchored.replace('[', "\\[") };
    let glob = open.replace('{', "\\{").replace('}', "\\}");
    let glob = glob.trim_end_matches('/');
    if glob.ends_with("**") {
        vec![glob.to_owned()]
    } else {
        vec![glob.to_owned(), format!("{glob}/**")]
    }
}
