//! What of an agent's settings may go along where it is started headless to see whether its hook stops a call: our hooks,
//! and what switches hooks off. Nothing goes along that runs something else. Text in, text out: nothing is read or
//! written here.

use jsonc_parser::ast::Value;

use crate::headless::{Headless, Keeps};
use crate::install::{Command, Refusal};
use crate::own;
use crate::registry::Agent;
use crate::settings::{Document, Item, Removal};
use crate::wiring::{Format, Means, Shape};

/// Settings that may go along, and what of them does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portable {
    /// What goes along.
    pub text: String,
    /// The hooks of others, and members that have nothing to do with hooks.
    pub left_out: Vec<LeftOut>,
}

/// What does not go along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// A hook.
    Hook {
        /// Its event.
        event: String,
        /// What it runs or calls.
        command: String,
    },
    /// A setting, by its name.
    Setting(String),
    /// All of the file.
    File,
}

impl Agent {
    /// Returns how the agent is started with nobody at it, against a model on this machine.
    ///
    /// # Errors
    /// Why it cannot be, for people.
    pub fn headless(self) -> Result<&'static Headless, &'static str> {
        self.adapter().headless()
    }

    /// Returns what of a file with hooks may go along where the agent is started headless: hooks that `is_own` says
    /// yes to, and settings on which it depends whether hooks are called.
    ///
    /// # Errors
    /// When the file is not what it should be.
    pub fn portable(
        self,
        text: &str,
        is_own: &dyn Fn(&Command) -> bool,
    ) -> Result<Portable, Refusal> {
        let nothing = Portable { text: String::new(), left_out: Vec::new() };
        let (Some(wiring), Ok(headless)) = (self.wiring(), self.headless()) else {
            return Ok(nothing);
        };
        let Means::Settings(format) = &wiring.means else {
            return Ok(self.portable_plugin(text, is_own));
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document = Document::parse(text, format.dialect)?;
        format.portable(&document, &headless.keeps, is_own)
    }

    /// Returns a file with hooks and the members of another text besides, which it has not got itself.
    ///
    /// # Errors
    /// When the file is not what it should be.
    pub fn joined(self, text: &str, more: &str) -> Result<String, Refusal> {
        let Some(Means::Settings(format)) = self.wiring().map(|wiring| &wiring.means) else {
            return Ok(text.to_owned());
        };
        let document = Document::parse(text, format.dialect)?;
        let root = document.root()?;
        let more: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(more).unwrap_or_default();
        let members: Vec<(&str, serde_json::Value)> = more
            .iter()
            .filter(|(name, _)| root.get(name).is_none())
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        Ok(document.apply(document.insert(&root, &members)))
    }

    /// A plugin goes along whole, if it is as it is written today.
    fn portable_plugin(self, text: &str, is_own: &dyn Fn(&Command) -> bool) -> Portable {
        let words = self.plugin_command(text).unwrap_or_default();
        let plain: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_as_written = self.plugin(&plain).is_some_and(|written| written == text);
        if is_as_written && is_own(&Command::Program(words.clone())) {
            return Portable { text: text.to_owned(), left_out: Vec::new() };
        }
        let left = LeftOut::Hook { event: "plugin".to_owned(), command: words.join(" ") };
        Portable { text: String::new(), left_out: vec![left] }
    }
}

impl Format {
    fn portable(
        &self,
        document: &Document<'_>,
        keeps: &Keeps,
        is_own: &dyn Fn(&Command) -> bool,
    ) -> Result<Portable, Refusal> {
        let root = document.root()?;
        let (mut left_out, mut edits, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for item in &root.items {
            let is_kept = match keeps {
                Keeps::All => true,
                Keeps::Only(names) => names.contains(&item.key),
            };
            let removal = match item.key {
                "hooks" => self.portable_hooks(document, item, is_own, &mut left_out)?,
                _ if is_kept => Removal::Edits(Vec::new()),
                name => {
                    left_out.push(LeftOut::Setting(name.to_owned()));
                    Removal::Whole
                }
            };
            gone.push(matches!(removal, Removal::Whole));
            if let Removal::Edits(more) = removal {
                edits.extend(more);
            }
        }
        let text = match document.remove(&root, &gone) {
            Removal::Whole => "{}\n".to_owned(),
            Removal::Edits(more) => {
                edits.extend(more);
                document.apply(edits)
            }
        };
        Ok(Portable { text, left_out })
    }

    /// Takes the hooks of others out of the object that holds all of them.
    fn portable_hooks(
        &self,
        document: &Document<'_>,
        hooks: &Item<'_, '_>,
        is_own: &dyn Fn(&Command) -> bool,
        left_out: &mut Vec<LeftOut>,
    ) -> Result<Removal, Refusal> {
        let events = document.object(hooks.value, "`hooks`")?;
        crate::install::remove_from(document, &events, |event| {
            // Settings of hooks stand beside the events, such as whether they are on.
            let is_of_hooks = match event.value {
                Value::Object(_) => true,
                Value::Array(list) => list.elements.iter().any(|one| one.as_object().is_some()),
                _ => false,
            };
            if !is_of_hooks {
                return Ok(Removal::Edits(Vec::new()));
            }
            let groups = document.list(event.value, "a list of hooks")?;
            crate::install::remove_from(document, &groups, |group| {
                let mut is_kept = |hook: &Value<'_>| {
                    let command = self.kept_command(hook, is_own);
                    if let Err(command) = &command {
                        let event = event.key.to_owned();
                        left_out.push(LeftOut::Hook { event, command: command.clone() });
                    }
                    command.is_ok()
                };
                if self.shape == Shape::Flat {
                    return Ok(match is_kept(group.value) {
                        true => Removal::Edits(Vec::new()),
                        false => Removal::Whole,
                    });
                }
                let members = document.object(group.value, "a group of hooks")?;
                let Some(inner) = members.get("hooks").and_then(|at| members.items.get(at)) else {
                    return Ok(Removal::Whole);
                };
                let inner = document.list(inner.value, "`hooks` of a group")?;
                let gone: Vec<bool> = inner.items.iter().map(|hook| !is_kept(hook.value)).collect();
                Ok(match gone.contains(&false) {
                    true => document.remove(&inner, &gone),
                    false => Removal::Whole,
                })
            })
        })
    }

    /// Tells whether a hook is ours and nothing else; what it does, if not.
    fn kept_command(
        &self,
        hook: &Value<'_>,
        is_own: &dyn Fn(&Command) -> bool,
    ) -> Result<(), String> {
        let text = |name: &str| {
            let value = crate::install::member(hook, name)?;
            Some(value.as_string_lit().map_or_else(String::new, |text| text.value.to_string()))
        };
        let named = ["command", "url", "prompt"].into_iter().find_map(text).unwrap_or_default();
        let is_command = text("type").is_none_or(|kind| kind == "command");
        let command = Command::Shell(own::unguarded(&named).to_owned());
        match text("command").is_some() && is_command && is_own(&command) {
            true => Ok(()),
            false => Err(named),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "/opt/behavior hook gemini-cli";
    const SETTINGS: &str = r#"{
  // mine
  "hooks": {
    "disabled": ["x"],
    "BeforeTool": [
      {"matcher": "a", "hooks": [
        {"type": "command", "command": "theirs"},
        {"type": "command", "command": "/opt/behavior hook gemini-cli"}
      ]},
      {"hooks": [{"type": "http", "url": "http://x", "command": "/opt/behavior hook gemini-cli"}]}
    ],
    "AfterTool": [{"hooks": [{"command": 1}]}]
  },
  "hooksConfig": {"enabled": false},
  "mcpServers": {"x": {"command": "x"}}
}"#;

    fn is_own(command: &Command) -> bool {
        *command == Command::Shell(OURS.to_owned())
    }

    #[test]
    fn hooks_of_others_and_settings_stay_behind() {
        let found = Agent::GeminiCli.portable(SETTINGS, &is_own).unwrap();
        for gone in ["theirs", "http", "AfterTool", "mcpServers"] {
            assert!(!found.text.contains(gone), "{gone}: {}", found.text);
        }
        for kept in ["// mine", OURS, "\"matcher\": \"a\"", "hooksConfig", "disabled"] {
            assert!(found.text.contains(kept), "{kept}: {}", found.text);
        }
        assert_eq!(found.left_out.len(), 4, "{:?}", found.left_out);
        assert_eq!(Agent::GeminiCli.installed(&found.text).unwrap().len(), 1);
        let more = r#"{"a": {"b": 1}, "hooks": 1}"#;
        let joined = Agent::GeminiCli.joined(&found.text, more).unwrap();
        assert!(joined.contains("\"a\"") && joined.contains(OURS), "{joined}");
        let odd = SETTINGS.replace("[{\"hooks\": [{\"command\": 1}]}]", "{\"command\": 1}");
        assert!(Agent::GeminiCli.portable(&odd, &is_own).is_err(), "it is not understood");
    }

    #[test]
    fn a_plugin_goes_along_whole_or_not_at_all() {
        let words = ["/opt/behavior", "hook", "pi"];
        let text = Agent::Pi.plugin(&words).unwrap();
        let is_own = |command: &Command| command.words() == words;
        assert_eq!(Agent::Pi.portable(&text, &is_own).unwrap().text, text);
        let changed = text.clone() + "run();\n";
        assert_eq!(Agent::Pi.portable(&changed, &is_own).unwrap().text, "");
        assert_eq!(Agent::Pi.portable(&text, &|_| false).unwrap().text, "");
        assert_eq!(Agent::Pi.portable("", &is_own).unwrap().text, "");
    }
}
