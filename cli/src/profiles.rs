//! `behavior profiles`: the built-in profiles and the project's own profiles, and what one of them
//! puts in force.

mod as_yaml;

use std::fmt::Write;

use behavior_compiler::resolve::switches::SETTINGS;
use behavior_compiler::syntax::{Kind, Node};
use behavior_compiler::{Compilation, Options};
use behavior_runtime::decision::Origin;
use serde_json::{Map, Value, json};

use crate::args::{PlainFormat, ProfilesArgs};
use crate::render::{json, one_line, table};
use crate::report::counted;
use crate::screen::Screen;
use crate::terminal::{BOLD, DIM, Exit, Failure, Terminal};
use crate::{files, project, ready, tracking};

/// A profile, compiled alone.
pub(crate) struct Profile {
    name: String,
    /// Its file; none for a built-in profile.
    file: Option<String>,
    compilation: Compilation,
}

/// Runs the command.
///
/// # Errors
/// When the profile does not exist or has errors.
pub fn run(args: &ProfilesArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let own = own(&args.config);
    let Some(name) = &args.name else {
        let all = builtin().chain(own.into_iter().map(|(name, file)| Profile::own(name, file)));
        let all: Vec<Profile> = all.collect();
        terminal.print(&match args.format {
            PlainFormat::Json => json::to_text(&list_as_json(&all))?,
            PlainFormat::Pretty => list_as_text(&all, terminal),
        })?;
        return Ok(Exit::Clean);
    };
    let file = own.into_iter().find(|(known, _)| known == name);
    let profile = match file {
        Some((name, file)) if !behavior_stdlib::PROFILES.contains(&name.as_str()) => {
            Profile::own(name, file)
        }
        _ => Profile::builtin(name),
    };
    if profile.compilation.has_errors() {
        return Err(ready::refuse(&profile.compilation, terminal));
    }
    terminal.print(&if args.as_yaml {
        profile.as_yaml()
    } else if args.prompt {
        format!("{}\n", profile.compilation.program.prompt.trim_end())
    } else {
        match args.format {
            PlainFormat::Json => json::to_text(&profile.as_json())?,
            PlainFormat::Pretty => profile.as_text(terminal),
        }
    })?;
    Ok(Exit::Clean)
}

fn builtin() -> impl Iterator<Item = Profile> {
    behavior_stdlib::PROFILES.iter().map(|name| Profile::builtin(name))
}

/// The names and files of the project's profiles; `configs` are the rule files that were named.
pub(crate) fn own(configs: &[String]) -> Vec<(String, String)> {
    let config = configs.first().cloned().or_else(project::discover);
    let config = config.unwrap_or_else(|| "behavior.yaml".to_owned());
    let name = |path: &String| {
        let name = path.rsplit('/').next()?.strip_suffix(".yaml")?;
        Some((name.to_owned(), path.clone()))
    };
    files::profiles_beside(&config).iter().filter_map(name).collect()
}

impl Profile {
    /// A built-in profile, or the error of a name that there is no profile of.
    fn builtin(name: &str) -> Self {
        let options = Options { profile: Some(name.to_owned()), ..Options::default() };
        let compilation = behavior_compiler::compile_all(&project::provider(), &[], &options);
        Self { name: name.to_owned(), file: None, compilation }
    }

    fn own(name: String, file: String) -> Self {
        let entries = [file.clone()];
        let options = Options::default();
        let compilation = behavior_compiler::compile_all(&project::provider(), &entries, &options);
        Self { name, file: Some(file), compilation }
    }

    /// The file of the profile itself among those that took part.
    fn document(&self) -> Option<&Node> {
        let builtin = format!("builtin:{}.yaml", self.name);
        self.node_of(self.file.as_deref().unwrap_or(&builtin))
    }

    fn node_of(&self, file: &str) -> Option<&Node> {
        let id = self.compilation.sources.find(file)?;
        let document = self.compilation.documents.iter().find(|document| document.file == id)?;
        Some(&document.config)
    }

    fn text_field(&self, field: &str) -> Option<&str> {
        self.document()?.get(field)?.as_str()
    }

    fn description(&self) -> &str {
        self.text_field("description").unwrap_or_default()
    }

    fn rule_ids(&self) -> Vec<&str> {
        self.compilation.program.rules.iter().map(|rule| &*rule.id).collect()
    }

    /// The settings that shape the prompt section; the nearest profile that has one decides.
    fn settings(&self) -> Vec<(&'static str, Value)> {
        let documents = &self.compilation.documents;
        let setting = |name: &'static str| {
            let mut values = documents.iter().filter_map(|d| d.config.get("rules")?.get(name));
            let value = values.find_map(|value| match &value.kind {
                Kind::String(text) => Some(Value::from(&**text)),
                Kind::Bool(value) => Some(Value::from(*value)),
                _ => None,
            })?;
            Some((name, value))
        };
        SETTINGS.iter().filter_map(|(name, _)| setting(name)).collect()
    }

    /// The ids and descriptions of all built-in rules, in their order.
    fn builtin_rules(&self) -> impl Iterator<Item = BuiltIn<'_>> {
        let rules =
            self.node_of("builtin:rules.yaml").and_then(|node| node.get("rule_definitions"));
        let rules = rules.and_then(Node::items).unwrap_or_default();
        rules.iter().filter_map(|rule| {
            let text = |field| rule.get(field).and_then(Node::as_str);
            Some(BuiltIn {
                id: text("id")?,
                description: text("description").unwrap_or_default(),
                action: text("action").unwrap_or("warn"),
            })
        })
    }

    /// Whether a built-in rule is in force.
    fn is_on(&self, id: &str) -> bool {
        self.compilation.program.rules.iter().any(|rule| &*rule.id == id)
    }

    fn as_json(&self) -> Value {
        let program = &self.compilation.program;
        let rules: Vec<Value> = program
            .rules
            .iter()
            .map(|rule| {
                json!({
                    "id": &*rule.id,
                    "description": &*rule.description,
                    "phase": rule.phase.name(),
                    "action": rule.action.name(),
                    "origin": rule.origin.name(),
                    "trigger": rule.trigger_names().collect::<Vec<_>>().join(", "),
                })
            })
            .collect();
        let off: Vec<&str> =
            self.builtin_rules().map(|rule| rule.id).filter(|id| !self.is_on(id)).collect();
        let settings: Map<String, Value> =
            self.settings().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        json!({
            "version": 1,
            "name": self.name,
            "description": self.description(),
            "origin": self.origin(),
            "file": self.file,
            "rules": rules,
            "off": off,
            "thresholds": self.thresholds(),
            "settings": settings,
            "state": self.compilation.image.as_ref().map(tracking::of),
            "prompt": program.prompt,
        })
    }

    fn origin(&self) -> &'static str {
        if self.file.is_some() { "project" } else { "builtin" }
    }

    fn thresholds(&self) -> Map<String, Value> {
        let thresholds = self.compilation.program.thresholds.iter();
        thresholds.map(|(name, value)| (name.to_string(), Value::from(*value))).collect()
    }

    fn as_text(&self, terminal: &Terminal) -> String {
        let mut out = String::new();
        let description = one_line(self.description());
        let _ = writeln!(out, "{}  {description}", terminal.paint(BOLD, &one_line(&self.name)));
        if let Some(file) = &self.file {
            let _ = writeln!(out, "{}", terminal.paint(DIM, &one_line(file)));
        }
        self.write_rules(terminal, &mut out);
        let program = &self.compilation.program;
        let numbers = program.thresholds.iter();
        let numbers = numbers.map(|(name, value)| vec![one_line(name), value.to_string()]);
        let settings = self.settings();
        let settings = settings.iter().map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), one_line);
            vec![(*name).to_owned(), value]
        });
        section(
            "thresholds and style",
            &numbers.chain(settings).collect::<Vec<_>>(),
            terminal,
            &mut out,
        );
        if let Some(image) = &self.compilation.image {
            let tracking = tracking::of(image);
            let rows = tracking
                .lines()
                .into_iter()
                .map(|(kind, name, what)| vec![kind.to_owned(), one_line(name), one_line(&what)]);
            section("state", &rows.collect::<Vec<_>>(), terminal, &mut out);
        }
        let _ = writeln!(
            out,
            "\n{} {} for the agent's system prompt (--prompt shows it)",
            terminal.paint(BOLD, "prompt"),
            counted(program.prompt.len(), "byte")
        );
        out
    }

    fn write_rules(&self, terminal: &Terminal, out: &mut String) {
        let row = |rule: &behavior_compiler::ir::Rule| {
            let origin = match rule.origin {
                Origin::Builtin => "",
                _ => "its own",
            };
            vec![
                one_line(&rule.id),
                rule.action.name().to_owned(),
                one_line(&rule.description),
                origin.to_owned(),
            ]
        };
        let rows: Vec<Vec<String>> = self.compilation.program.rules.iter().map(row).collect();
        section("rules", &rows, terminal, out);
        let off: Vec<&str> =
            self.builtin_rules().map(|rule| rule.id).filter(|id| !self.is_on(id)).collect();
        if !off.is_empty() {
            let _ = writeln!(out, "  {}", terminal.paint(DIM, &format!("off: {}", off.join(", "))));
        }
    }
}

/// What the standard library says of a rule.
struct BuiltIn<'p> {
    id: &'p str,
    description: &'p str,
    action: &'p str,
}

fn section(title: &str, rows: &[Vec<String>], terminal: &Terminal, out: &mut String) {
    let _ = writeln!(out, "\n{}", terminal.paint(BOLD, title));
    let room = Screen::of_stdout(terminal).width.saturating_sub(2);
    // What is cut is the description, the third of their columns.
    for line in table::render_within(rows, 2, room) {
        let _ = writeln!(out, "  {line}");
    }
}

fn list_as_json(profiles: &[Profile]) -> Value {
    let item = |profile: &Profile| {
        json!({
            "name": profile.name,
            "description": profile.description(),
            "origin": profile.origin(),
            "file": profile.file,
            "valid": !profile.compilation.has_errors(),
            "rules": profile.rule_ids(),
            "thresholds": profile.thresholds(),
        })
    };
    json!({ "version": 1, "profiles": profiles.iter().map(item).collect::<Vec<_>>() })
}

fn list_as_text(profiles: &[Profile], terminal: &Terminal) -> String {
    let mut out = String::new();
    for profile in profiles {
        let name = terminal.paint(BOLD, &one_line(&profile.name));
        let _ = writeln!(out, "{name}  {}", one_line(profile.description()));
        if profile.compilation.has_errors() {
            let file = one_line(profile.file.as_deref().unwrap_or(&profile.name));
            let _ = writeln!(out, "    has errors: run `behavior check {file}`");
            continue;
        }
        let rules = counted(profile.compilation.program.rules.len(), "rule");
        let thresholds = profile.compilation.program.thresholds.iter();
        let thresholds: Vec<String> =
            thresholds.map(|(name, value)| format!("{name} {value}")).collect();
        let line = format!("{rules}; {}", thresholds.join(", "));
        let _ = writeln!(out, "    {}", terminal.paint(DIM, &line));
    }
    if !terminal.quiet {
        out.push_str("\n`behavior profiles NAME` shows what one puts in force; --as-yaml prints it as a file to start from\n");
    }
    out
}
