//! The section for the agent's system prompt: which rules are in force, the profile's guide, the
//! author's own instructions.

use behavior_runtime::decision::{Action, Phase};

use super::{Layer, switches::Settings};
use crate::ast::{Autonomy, Verbosity};
use crate::ir::{Program, Rule};

/// The section; empty where there is nothing to say.
pub(super) fn section(program: &Program, layers: &[Layer], settings: &Settings) -> String {
    let title = layers.iter().find_map(|layer| layer.name.as_deref());
    let mut blocks = Vec::new();
    if !program.rules.is_empty() {
        let title = title.map_or_else(String::new, |title| format!(": {title}"));
        let mut list =
            format!("# Behaviour rules{title}\n\nThese rules are enforced while you work:\n");
        for rule in &program.rules {
            list.extend(["\n- ", &*rule.id, ": "]);
            say(rule, &mut list);
        }
        blocks.push(list);
    }
    let style = style(settings);
    if !style.is_empty() {
        blocks.push(style.join("\n"));
    }
    // What a profile extends comes first, so that the nearer one has the last word.
    let guides = layers.iter().rev().filter_map(|layer| layer.prompt.as_deref());
    blocks.extend(guides.map(|guide| guide.trim().to_owned()).filter(|guide| !guide.is_empty()));
    blocks.join("\n\n")
}

fn say(rule: &Rule, list: &mut String) {
    let effect = match (rule.action, rule.phase) {
        (Action::Block, Phase::PreTool) => "blocks the call",
        (Action::Ask, _) => "asks the user",
        (Action::Block | Action::Warn, _) => "warns",
        (Action::Remind, _) => "reminds",
    };
    match rule.description.trim() {
        "" => list.extend(["(", effect, ")"]),
        description => list.extend([description, " (", effect, ")"]),
    }
}

fn style(settings: &Settings) -> Vec<&'static str> {
    let verbosity = settings.verbosity.map(|verbosity| match verbosity {
        Verbosity::Concise => "Be brief: say what matters and leave out the rest.",
        Verbosity::Normal => "Explain what you do as far as it helps to follow it.",
        Verbosity::Detailed => "Explain what you do and why, step by step.",
    });
    let autonomy = settings.autonomy.map(|autonomy| match autonomy {
        Autonomy::Low => "Ask before you change anything.",
        Autonomy::Medium => "Decide small things yourself; ask before larger changes.",
        Autonomy::High => "Work on your own; ask only before what cannot be undone.",
    });
    let plans = settings
        .confirm_complex_plans
        .filter(|confirm| *confirm)
        .map(|_| "Have a complex plan confirmed before you carry it out.");
    [verbosity, autonomy, plans].into_iter().flatten().collect()
}
