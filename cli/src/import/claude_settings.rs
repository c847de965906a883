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

use super::Import;
use super::command::{self, PatternError, Programs, Tail, WILD};
use super::policy::{Action, Policy, Rule, Target, name_of};

/// Settings that look like permissions, and why there is nothing for them.
const SETTINGS: &[(&str, &str)] = &[
    ("hooks", "hooks run programs; what they enforce has to be written as rules"),
    ("sandbox", "a policy decides on calls and isolates nothing"),
    ("env", "a policy sets no environment variables"),
    ("model", "a policy does not choose models"),
];

/// The shell programs whose operands `Read` rules govern as well.
const READERS: [&str; 11] =
    ["cat", "head", "tail", "sed", "grep", "awk", "od", "base64", "diff", "wc", "ls"];

/// Reads permission lists.
pub(super) fn import(import: &mut Import) -> Policy {
    let trees = import.trees(Format::Json);
    let mut reader = Reader {
        import,
        programs: Programs::new(),
        policy: Policy::new("settings of Claude Code"),
        allowed_reads: Vec::new(),
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
    reader.finish()
}

struct Reader<'a> {
    import: &'a mut Import,
    programs: Programs,
    policy: Policy,
    /// Allowances for paths, which come last, behind a question about what may lead out of them.
    allowed_reads: Vec<Rule>,
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
            self.import.lost(span, message);
            return;
        };
        match (known.native, content) {
            ("Bash", Some(content)) if content != "*" => self.bash(text, &content, span, action),
            (_, None) | ("Bash", _) => {
                let name = tool_name(known);
                self.push(text, action, Target::Pattern(vec![name.to_owned()]));
            }
            ("Read", Some(path)) => self.path(text, &path, "read", span, action),
            ("Edit", Some(path)) => self.path(text, &path, "edit|write", span, action),
            ("WebFetch", Some(content)) => self.domain(text, &content, span, action),
            ("Task" | "Agent" | "Skill" | "SlashCommand", Some(content)) => {
                self.argument(text, known.canonical, &content, span, action);
            }
            ("Write" | "MultiEdit" | "NotebookEdit" | "Grep" | "Glob" | "LS", Some(_)) => {
                let why = "paths are governed by `Read(…)` and `Edit(…)` rules only";
                self.without_effect(text, span, why);
            }
            _ => {
                let message = format!("`{text}`: what stands in the parentheses is not understood");
                self.import.lost(span, message);
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
        if content == ":*" {
            self.push(text, action, Target::Pattern(vec!["bash".to_owned()]));
            return;
        }
        let pattern = self.bash_pattern(text, content, span, action);
        match pattern {
            Ok(pattern) => self.push(text, action, Target::Pattern(vec![pattern])),
            Err(why) => self.import.lost(span, format!("`{text}`: {why}")),
        }
    }

    fn bash_pattern(
        &mut self,
        text: &str,
        content: &str,
        span: Span,
        action: Action,
    ) -> Result<String, PatternError> {
        if content.contains(WILD) {
            return Err(PatternError::UselessCharacter);
        }
        let (line, tail) = match content.strip_suffix(":*") {
            Some(prefix) => (prefix.to_owned(), Tail::Words),
            None => (with_wildcards(content), Tail::Exact),
        };
        let words = command::words(&line)?;
        if action == Action::Allow {
            for near in self.programs.allowance(&words)? {
                self.import.near(span, format!("`{text}`: {near}"));
            }
        }
        let mut parts = Parts { out: Vec::new(), near: None, action };
        let last = words.len().saturating_sub(1);
        for (index, word) in words.iter().enumerate() {
            parts.word(word, index == 0, index == last)?;
        }
        if tail == Tail::Words {
            parts.out.push("*".to_owned());
        }
        if let Some(near) = parts.near {
            self.import.near(span, format!("`{text}`: {near}"));
        }
        command::fitting(format!("bash({})", parts.out.join(" ")))
    }

    /// A rule about paths.
    fn path(&mut self, text: &str, path: &str, tool: &str, span: Span, action: Action) {
        if action == Action::Allow {
            self.allow_path(text, path, tool, span);
            return;
        }
        let paths = Paths::of(path);
        let globs = paths.globs();
        let mut what = vec!["`*` also takes a `/`".to_owned()];
        if !paths.is_rooted {
            what.push("the path is looked for in every directory".to_owned());
        }
        if tool == "read" {
            let commands = READERS.iter().flat_map(|reader| {
                globs.iter().map(move |glob| format!("bash({reader} * {} *)", word_glob(glob)))
            });
            let commands: Vec<String> = commands.collect();
            let mut rule = made_of(text, action, Target::Pattern(commands));
            rule.name += "_in_commands";
            rule.comments.push("the same in commands that read files".to_owned());
            self.push(text, action, Target::Arguments { tool: tool.to_owned(), globs });
            self.policy.push(rule);
        } else {
            what.push("what commands write is not looked at".to_owned());
            what.push("the text that is written is, beside the path".to_owned());
            self.push(text, action, Target::Arguments { tool: tool.to_owned(), globs });
        }
        self.import.near(span, format!("`{text}`: {}", what.join("; ")));
    }

    fn allow_path(&mut self, text: &str, path: &str, tool: &str, span: Span) {
        let paths = Paths::of(path);
        let stars = path.replace("/**", "");
        let why = if tool != "read" {
            "an `arg_pattern` is tried on the text that is written too, which could make it match"
        } else if !paths.is_rooted {
            "a policy knows neither the working directory nor the home directory"
        } else if stars.contains(['*', '?', '[']) {
            "a `*` of a policy also takes a `/`, so more would be allowed"
        } else {
            let globs = paths.globs();
            let target = Target::Arguments { tool: tool.to_owned(), globs };
            self.allowed_reads.push(made_of(text, Action::Allow, target));
            let message = format!("`{text}`: paths with `..` in them are asked about");
            self.import.near(span, message);
            return;
        };
        self.import.lost(span, format!("`{text}`: {why}"));
    }

    fn domain(&mut self, text: &str, content: &str, span: Span, action: Action) {
        let Some(domain) = content.strip_prefix("domain:").filter(|domain| !domain.is_empty())
        else {
            self.without_effect(text, span, "a rule about `WebFetch` names a `domain:`");
            return;
        };
        let domain = command::escaped(domain).replace("\\*", "*");
        let globs = match action {
            Action::Allow => ["https", "http"]
                .iter()
                .flat_map(|scheme| {
                    [format!("{scheme}://{domain}"), format!("{scheme}://{domain}/*")]
                })
                .collect(),
            _ => [":*", "/*", "\\?*", ""].iter().map(|end| format!("*://{domain}{end}")).collect(),
        };
        let message = format!("`{text}`: the address is matched as text, as are other arguments");
        self.import.near(span, message);
        self.push(text, action, Target::Arguments { tool: "web_fetch".to_owned(), globs });
    }

    fn argument(&mut self, text: &str, tool: &str, content: &str, span: Span, action: Action) {
        if action == Action::Allow {
            let why = "an `arg_pattern` is tried on every argument, so more would be allowed";
            self.import.lost(span, format!("`{text}`: {why}"));
            return;
        }
        let near = "every argument is looked at, not only the name";
        self.import.near(span, format!("`{text}`: {near}"));
        let globs = vec![command::escaped(content)];
        self.push(text, action, Target::Arguments { tool: tool.to_owned(), globs });
    }

    fn finish(mut self) -> Policy {
        if !self.allowed_reads.is_empty() && self.policy.mode != Some("yolo") {
            let globs = vec!["*/../*".to_owned(), "*/..".to_owned()];
            self.policy.push(Rule {
                name: "ask_read_through_parent".to_owned(),
                action: Action::Ask,
                target: Target::Arguments { tool: "read".to_owned(), globs },
                mode: None,
                reason: Some(
                    "the path may lead out of the directories that are allowed".to_owned(),
                ),
                comments: vec!["for the allowances below".to_owned()],
            });
        }
        for rule in self.allowed_reads {
            self.policy.push(rule);
        }
        self.policy
    }
}

fn made_of(text: &str, action: Action, target: Target) -> Rule {
    let about = text.strip_prefix("mcp__").unwrap_or(text);
    let name = name_of(action, about);
    Rule { name, action, target, mode: None, reason: None, comments: vec![text.to_owned()] }
}

/// The words of a command pattern, as they are made.
struct Parts {
    out: Vec<String>,
    /// What is different here, if anything.
    near: Option<&'static str>,
    action: Action,
}

impl Parts {
    fn word(&mut self, word: &str, is_first: bool, is_last: bool) -> Result<(), PatternError> {
        let wild: String = WILD.into();
        if !word.contains(WILD) {
            self.out.push(command::quoted(word));
        } else if word == wild {
            self.any_words(is_first, is_last);
        } else if word.starts_with('-') && !wildcard_in_value(word) {
            return self.flag(word, is_last);
        } else {
            self.out.push(command::glob_word(word));
            if word.ends_with(WILD) && is_last {
                self.out.push("*".to_owned());
            }
            if word.trim_end_matches(WILD).contains(WILD) || !is_last {
                self.near = Some("`*` stays within one word here");
            }
        }
        Ok(())
    }

    fn any_words(&mut self, is_first: bool, is_last: bool) {
        if is_first {
            // A program, and whatever follows it.
            self.out.extend(["*".to_owned(), "*".to_owned()]);
            return;
        }
        if self.action == Action::Allow && !is_last {
            // At least one word, as there; flags are no words here.
            self.out.push("?*".to_owned());
            self.near = Some("flags alone do not stand for the `*` in the middle");
        }
        self.out.push("*".to_owned());
    }

    /// `--force*`: flags cannot be patterns.
    fn flag(&mut self, word: &str, is_last: bool) -> Result<(), PatternError> {
        let name = word.trim_end_matches(WILD);
        if name.contains(WILD) || name.trim_matches('-').is_empty() || !is_last {
            return Err(PatternError::FlagPattern);
        }
        self.out.extend([command::quoted(name), "*".to_owned()]);
        self.near = Some("flags that only begin like this one do not match");
        Ok(())
    }
}

fn wildcard_in_value(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| !name.contains(WILD))
}

/// A command with `*` as [`WILD`], where it is a wildcard.
fn with_wildcards(content: &str) -> String {
    let mut out = String::new();
    let mut before = None;
    for character in content.chars() {
        let is_wild = character == '*' && !matches!(before, Some(':' | '\\'));
        out.push(if is_wild { WILD } else { character });
        before = Some(character);
    }
    out
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

/// A path rule, taken apart.
struct Paths {
    /// The path behind what anchors it, as a glob of ours.
    glob: String,
    /// Whether it starts at the root of the file system.
    is_rooted: bool,
    /// Whether everything below is meant already.
    takes_all: bool,
}

impl Paths {
    fn of(path: &str) -> Self {
        let (rest, is_rooted) = match path.strip_prefix("//") {
            Some(rest) => (format!("/{rest}"), true),
            None => {
                let rest = path.strip_prefix("~/").or_else(|| path.strip_prefix("./"));
                let rest = rest.or_else(|| path.strip_prefix('/')).unwrap_or(path);
                (rest.trim_start_matches("**/").to_owned(), false)
            }
        };
        let rest = rest.trim_end_matches('/');
        let (rest, takes_all) = match rest.strip_suffix("/**") {
            Some(rest) => (rest, true),
            None => (rest, rest == "**"),
        };
        let glob = rest.replace("/**/", "/*").replace("**", "*");
        // Unclosed, it means itself there.
        let glob = if glob.contains(']') { glob } else { glob.replace('[', "\\[") };
        Self { glob, is_rooted, takes_all }
    }

    /// The globs for the paths that are meant: the path itself and what is below it.
    fn globs(&self) -> Vec<String> {
        let glob = &self.glob;
        if glob == "*" {
            return vec!["*".to_owned()];
        }
        let ends: &[&str] = if self.takes_all { &["/*"] } else { &["", "/*"] };
        let starts: &[&str] = if self.is_rooted { &[""] } else { &["", "*/"] };
        let globs = starts.iter().flat_map(|start| ends.iter().map(move |end| (start, end)));
        globs.map(|(start, end)| format!("{start}{glob}{end}")).collect()
    }
}

/// A glob as a word of a command pattern.
fn word_glob(glob: &str) -> String {
    let mut out = String::new();
    for character in glob.chars() {
        if character.is_whitespace() || "()'\"|&;<>".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
