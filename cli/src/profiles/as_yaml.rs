//! A profile as a file to start from: for a preset, every built-in rule switched explicitly, with
//! what it does beside it; for any other, its file.

use std::fmt::Write;

use behavior_compiler::resolve::switches::{SETTINGS, THRESHOLDS};

use super::Profile;
use crate::render::yaml::{push_text, quoted};

impl Profile {
    /// The file. A profile of the project, and a built-in one with rules of its own, is a file
    /// already and is given as it is.
    pub(super) fn as_yaml(&self) -> String {
        let sources = &self.compilation.sources;
        let own = self.file.as_deref().and_then(|file| sources.get(sources.find(file)?));
        match own {
            Some(source) => source.text.clone(),
            None if behavior_stdlib::PRESETS.contains(&self.name.as_str()) => self.preset_as_yaml(),
            None => {
                let text = behavior_stdlib::file(&format!("{}.yaml", self.name));
                format!("# behavior: profile\n{}", text.unwrap_or_default())
            }
        }
    }

    fn preset_as_yaml(&self) -> String {
        let mut out = format!(
            "# behavior: profile\n#\n\
             # The built-in profile `{name}`, with every rule switched on or off explicitly. Change\n\
             # what you like, add your own rules under `rule_definitions`, and run `behavior check`.\n\
             name: {name}\n",
            name = self.name
        );
        if !self.description().is_empty() {
            let _ = writeln!(out, "description: {}", quoted(self.description()));
        }
        out.push_str("\nrules:\n");
        for rule in self.builtin_rules() {
            let _ = writeln!(out, "  # {} ({}s)", rule.description, rule.action);
            let _ = writeln!(out, "  {}: {}", rule.id, self.switch(rule.id));
        }
        self.push_thresholds(&mut out);
        for (name, value) in self.settings() {
            let docs = SETTINGS.iter().find(|(known, _)| *known == name).map_or("", |(_, d)| *d);
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let _ = writeln!(out, "  # {docs}\n  {name}: {value}");
        }
        if let Some(prompt) = self.text_field("prompt") {
            out.push_str("\n# Added to the agent's system prompt, behind the list of rules.\n");
            push_text(&mut out, "", "prompt", prompt);
        }
        out
    }

    /// What a rule's switch says: a number for the rule that is named as its threshold.
    fn switch(&self, id: &str) -> String {
        let threshold = self.compilation.program.thresholds.iter().find(|(name, _)| &**name == id);
        match (self.is_on(id), threshold) {
            (true, Some((_, number))) => number.to_string(),
            (on, _) => on.to_string(),
        }
    }

    fn push_thresholds(&self, out: &mut String) {
        out.push('\n');
        for (name, value) in &self.compilation.program.thresholds {
            if self.builtin_rules().any(|rule| rule.id == &**name) {
                continue;
            }
            let kind = THRESHOLDS.iter().find(|kind| kind.name == &**name);
            let docs = kind.map_or("", |kind| kind.docs);
            let _ = writeln!(out, "  # {docs}\n  {name}: {value}");
        }
    }
}
