//! The texts that clients may read: the active rules, the prompt of the profile, and the language of rules.

use std::fmt::Write;

use behavior_mcp::Resource;
use serde_json::{Map, Value, json};

use super::served::{Refused, Served};
use crate::explain::language;
use crate::live::rules::Loaded;

const RULES: &str = "behavior://rules";
const PROMPT: &str = "behavior://prompt";
const LANGUAGE: &str = "behavior://language";

/// Returns all of them.
pub fn all() -> Vec<Resource> {
    vec![
        Resource {
            uri: RULES,
            name: "rules",
            description: "The rules that are active, of each layer and of the session itself",
            mime_type: "application/json",
        },
        Resource {
            uri: PROMPT,
            name: "prompt",
            description: "What the profile tells the agent of how to work",
            mime_type: "text/markdown",
        },
        Resource {
            uri: LANGUAGE,
            name: "language",
            description: "How a rule definition is written: its fields, the conditions and the words that join them",
            mime_type: "text/markdown",
        },
    ]
}

/// Returns a text; `None` where there is none of that address.
pub fn read(served: &Served, uri: &str) -> Option<Result<String, String>> {
    let told = match uri {
        RULES => rules(served),
        PROMPT => prompt(served),
        LANGUAGE => Ok(language().to_owned()),
        _ => return None,
    };
    Some(told.map_err(|Refused(why)| {
        let error = why.get("error").and_then(Value::as_str);
        error.unwrap_or("the rules cannot be read").to_owned()
    }))
}

fn rules(served: &Served) -> Result<String, Refused> {
    let taken = served.take(&Map::new())?;
    let own = taken.session.constitution().and_then(|layer| layer.session());
    let own = own.map(|session| (behavior_runtime::Layer::Session, session.image()));
    let mut rules = Vec::new();
    for (layer, image) in taken.layers.iter().chain(own) {
        rules.extend(image.rules().iter().map(|rule| {
            json!({
                "id": rule.id,
                "layer": layer.name(),
                "phase": rule.phase.name(),
                "action": rule.action.name(),
                "trigger": rule.trigger,
                "condition": rule.condition,
                "description": rule.description,
            })
        }));
    }
    Ok(serde_json::to_string_pretty(&json!({ "version": 1, "rules": rules }))?)
}

fn prompt(served: &Served) -> Result<String, Refused> {
    std::env::set_current_dir(&served.folder)?;
    let loaded: Loaded = served.load(crate::live::rules::Which::All)?;
    let mut text = String::new();
    for layer in &loaded.layers {
        let prompt = layer.image.prompt().trim();
        if !prompt.is_empty() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{prompt}\n");
        }
    }
    Ok(text)
}
