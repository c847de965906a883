//! The rule files of a section, compiled as the command line would.

use behavior_agents::hook::Agent;
use behavior_compiler::resolve::FileKind;
use behavior_compiler::{Compilation, Options, Severity, compile_all};
use behavior_runtime::Layer;

/// Files and options.
#[derive(Debug, Default)]
pub struct Project {
    files: Vec<(String, String)>,
    entries: Vec<String>,
    options: Options,
    has_command: bool,
    tools: Option<String>,
}

/// What discovery finds, in this order.
const PLACES: &[&str] = &["behavior.yaml", "app.yaml"];

/// Where the files of the administrator and the user stand.
const ABOVE: &[(Layer, &str)] =
    &[(Layer::Administrator, "/etc/behavior/"), (Layer::User, "~/.config/behavior/")];

/// The project's policy.
const POLICY: &str = "behavior/policy.toml";

impl Project {
    /// Whether there is nothing to compile.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.has_command
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), String> {
        if self.files.iter().any(|(known, _)| known == name) {
            return Err(format!("the section has two files called `{name}`"));
        }
        self.files.push((name.to_owned(), text.to_owned()));
        Ok(())
    }

    /// The files, by name.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Takes files and options from a command line: `behavior check app.yaml --profile dev`.
    pub fn command(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        if words.next() != Some("behavior") || words.next() != Some("check") {
            return Err("a command starts with `behavior check`".to_owned());
        }
        self.has_command = true;
        while let Some(word) = words.next() {
            match word {
                "--allow-unknown-conditions" => self.options.allow_unknown_conditions = true,
                "--profile" => self.options.profile = words.next().map(str::to_owned),
                "--agent" => self.options.agent = words.next().map(agent).transpose()?,
                "--tools" => self.tools = words.next().map(str::to_owned),
                option if option.starts_with('-') => {
                    return Err(format!("documents do not know the option `{option}`"));
                }
                file => self.entries.push(file.to_owned()),
            }
        }
        Ok(())
    }

    /// Compiles the layers, the most trusted first.
    pub fn compile(&self) -> Result<Vec<(Layer, Compilation)>, String> {
        let files: Vec<(&str, &str)> = self.files().collect();
        let mut options = self.options.clone();
        if let Some(name) = &self.tools {
            options.tools = Some(self.tools(name)?);
        }
        let is_there = |name: &&str| self.files.iter().any(|(known, _)| known == *name);
        let mut layers = Vec::new();
        for (layer, folder) in ABOVE.iter().filter(|_| self.entries.is_empty()) {
            let named = ["behavior.yaml", "policy.toml"].map(|name| format!("{folder}{name}"));
            let entries: Vec<String> =
                named.into_iter().filter(|name| is_there(&name.as_str())).collect();
            if !entries.is_empty() {
                let options = Options::default();
                let compiled = compile_all(&crate::provider(&files), &entries, &options);
                layers.push((*layer, compiled));
            }
        }
        if self.entries.is_empty() {
            options.policies = [POLICY]
                .iter()
                .filter(|name| is_there(name))
                .map(|name| (*name).to_owned())
                .collect();
        }
        let is_of_others =
            |name: &str| name == POLICY || ABOVE.iter().any(|(_, folder)| name.starts_with(folder));
        let entries = match PLACES.iter().find(|name| is_there(name)) {
            _ if !self.entries.is_empty() => self.entries.clone(),
            Some(found) => vec![(*found).to_owned()],
            None => {
                let first = self.files.first().map(|(name, _)| name.clone());
                first.filter(|name| !is_of_others(name)).into_iter().collect()
            }
        };
        let is_any = !entries.is_empty() || !options.policies.is_empty() || layers.is_empty();
        if is_any || options.profile.is_some() {
            let provider = crate::provider(&files);
            let checked = behavior_compiler::check(&provider, &entries, &options);
            let holds_none =
                |kind| matches!(kind, FileKind::RuleTests | FileKind::Agents | FileKind::Plan);
            let is_tests = checked.documents.iter().any(|one| holds_none(one.kind));
            // Rule tests, agents and plans are checked and never compiled.
            let compiled =
                if is_tests { checked } else { compile_all(&provider, &entries, &options) };
            layers.push((Layer::Project, compiled));
        }
        Ok(layers)
    }

    /// The names in a `--tools` file.
    fn tools(&self, name: &str) -> Result<Vec<String>, String> {
        let file = self.files.iter().find(|(known, _)| known == name);
        let (_, text) = file.ok_or_else(|| format!("the section has no file `{name}`"))?;
        serde_yaml::from_str(text).map_err(|error| error.to_string())
    }
}

/// The agent that is called so, with what it can do.
fn agent(name: &str) -> Result<behavior_compiler::Agent, String> {
    let agent = Agent::named(name).ok_or_else(|| format!("there is no agent `{name}`"))?;
    let tools = agent.tool_names().into_iter();
    Ok(behavior_compiler::Agent {
        name: name.to_owned(),
        can: agent.abilities(),
        tools: tools.map(str::to_owned).collect(),
    })
}

/// The diagnostics, a line each.
pub fn diagnostics(compilation: &Compilation) -> String {
    let line = |diagnostic: &behavior_compiler::Diagnostic| {
        let source = compilation.sources.get(diagnostic.span.file);
        let place = source.map_or_else(String::new, |source| {
            let start = source.position(diagnostic.span.start);
            format!("{}:{}:{}", source.name, start.line, start.column)
        });
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        let help = diagnostic.help.as_ref().map(|help| format!(" — {help}")).unwrap_or_default();
        let name = diagnostic.kind.name;
        let message = &diagnostic.message;
        format!("{place} {level}[{name}] {message}{help}").replace('\n', "\\n")
    };
    compilation.diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}
