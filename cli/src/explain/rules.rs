//! What rules and presets mean: those of the standard library and those of the project.

use behavior_compiler::ir::{MessagePart, Program};
use behavior_compiler::provider::{LIBRARY_PREFIX, MemoryFiles, WithLibrary};
use behavior_compiler::syntax::{self, Format};
use behavior_compiler::{Compilation, Options, compile_all, source::FileId};
use behavior_runtime::image::RuleInfo;
use behavior_stdlib::PRESETS;

use super::meaning::Meaning;
use crate::args::RuleArgs;
use crate::rules::{self, Rules};

/// The meanings that rules and presets give a name.
pub fn meanings(name: &str, args: &RuleArgs) -> Vec<Meaning> {
    let id = name.strip_prefix("rules.").unwrap_or(name);
    let mut found = of_project(id, args);
    found.extend(builtin(id));
    found.extend(
        PRESETS.iter().filter(|preset| **preset == name).map(|preset| self::preset(preset)),
    );
    found
}

/// The ids of the rules that are known, and the presets.
pub fn names(args: &RuleArgs) -> Vec<String> {
    let mut names = builtin_ids();
    names.extend(PRESETS.iter().map(|&preset| preset.to_owned()));
    if let Some(compilation) = project(args) {
        names.extend(compilation.program.rules.iter().map(|rule| rule.id.to_string()));
    }
    names
}

/// The rules of the config, where there is one.
fn project(args: &RuleArgs) -> Option<Box<Compilation>> {
    if args.entries().is_empty() && args.profile.is_none() {
        return None;
    }
    match rules::load(args, |_| {}) {
        Ok(Rules::Ready { image, compilation }) => {
            let mut compilation = compilation?;
            compilation.image = Some(*image);
            Some(compilation)
        }
        // What is wrong with the config is the business of `check`; names mean the same without it.
        Ok(Rules::Broken(_)) | Err(_) => None,
    }
}

fn of_project(id: &str, args: &RuleArgs) -> Vec<Meaning> {
    let Some(compilation) = project(args) else { return Vec::new() };
    let Some(image) = &compilation.image else { return Vec::new() };
    let is_own =
        |rule: &RuleInfo<'_>| rule.id == id && !rule.place.file.starts_with(LIBRARY_PREFIX);
    let rule = image.rules().enumerate().filter(|(_, rule)| is_own(rule));
    rule.map(|(index, rule)| of_rule("rule of the config", &rule, &compilation.program, index))
        .collect()
}

/// The ids of all rules of the standard library.
fn builtin_ids() -> Vec<String> {
    let text = behavior_stdlib::file("rules.yaml").unwrap_or_default();
    let parsed = syntax::parse(FileId(0), text, Format::Yaml);
    let rules = parsed.root.get("rule_definitions").and_then(|rules| rules.items());
    let ids = rules.into_iter().flatten().filter_map(|rule| rule.get("id")?.as_str());
    ids.map(str::to_owned).collect()
}

/// Compiles a config that nobody wrote.
fn compile_text(text: &str, options: &Options) -> Compilation {
    let provider = WithLibrary {
        library: behavior_stdlib::file,
        presets: PRESETS,
        project: MemoryFiles::new([("behavior.yaml", text)]),
    };
    let entries: &[String] = if text.is_empty() { &[] } else { &["behavior.yaml".to_owned()] };
    compile_all(&provider, entries, options)
}

fn builtin(id: &str) -> Option<Meaning> {
    builtin_ids().iter().find(|known| *known == id)?;
    let compilation = compile_text(&format!("rules:\n  {id}: true\n"), &Options::default());
    let image = compilation.image.as_ref()?;
    let index = image.find_rule(id)?;
    let rule = image.rule(index)?;
    let meaning = of_rule("built-in rule", &rule, &compilation.program, index as usize);
    let on: Vec<_> = PRESETS
        .iter()
        .copied()
        .filter(|preset| of_preset(preset).program.rules.iter().any(|rule| &*rule.id == id))
        .collect();
    let on = if on.is_empty() { "no preset".to_owned() } else { on.join(", ") };
    let config = format!("rules:\n  {id}: true");
    Some(meaning.fact("switched on by", on).example("to switch it on", config))
}

fn of_rule(kind: &'static str, rule: &RuleInfo<'_>, program: &Program, index: usize) -> Meaning {
    let place = rule.place;
    let message = program.rules.get(index).map(|rule| template(&rule.message, program));
    let condition =
        if rule.condition.is_empty() { "none: it always fires" } else { rule.condition };
    Meaning::new(kind, rule.id, rule.description)
        .fact("trigger", rule.trigger)
        .fact("when", rule.phase.name())
        .fact("action", rule.action.name())
        .fact("condition", condition)
        .fact("message", message.unwrap_or_default())
        .fact("written at", format!("{}:{}:{}", place.file, place.line, place.column))
}

/// A message as its author wrote it.
fn template(parts: &[MessagePart], program: &Program) -> String {
    let set = |index: u32| program.sets.get(index as usize).map_or("", |set| &set.name);
    let counter = |index: u32| program.counters.get(index as usize).map_or("", |c| &c.name);
    let flag = |index: u32| program.flags.get(index as usize).map_or("", |flag| &flag.name);
    let part = |part: &MessagePart| match part {
        MessagePart::Text(text) => text.replace('{', "{{").replace('}', "}}"),
        MessagePart::Target => "{target}".to_owned(),
        MessagePart::Tool => "{tool}".to_owned(),
        MessagePart::Turn => "{turn}".to_owned(),
        MessagePart::TurnCalls => "{tool_calls_this_turn}".to_owned(),
        MessagePart::Consecutive => "{consecutive_same_tool}".to_owned(),
        MessagePart::Param(name) => format!("{{param:{name}}}"),
        MessagePart::Counter(index) => format!("{{counter:{}}}", counter(*index)),
        MessagePart::SetCount(index) => format!("{{set_count:{}}}", set(*index)),
        MessagePart::Flag(index) => format!("{{flag:{}}}", flag(*index)),
    };
    parts.iter().map(part).collect()
}

fn of_preset(name: &str) -> Compilation {
    compile_text("", &Options { profile: Some(name.to_owned()), ..Options::default() })
}

fn preset(name: &str) -> Meaning {
    let text = behavior_stdlib::file(&format!("{name}.yaml")).unwrap_or_default();
    let parsed = syntax::parse(FileId(0), text, Format::Yaml);
    let description = parsed.root.get("description").and_then(|node| node.as_str());
    let compilation = of_preset(name);
    let rules: Vec<_> = compilation.program.rules.iter().map(|rule| rule.id.to_string()).collect();
    let thresholds = compilation.program.thresholds.iter();
    let thresholds: Vec<_> = thresholds.map(|(name, value)| format!("{name} {value}")).collect();
    Meaning::new("preset", name, description.unwrap_or_default())
        .fact("rules", rules.join(", "))
        .fact("thresholds", thresholds.join(", "))
        .fact("written at", format!("{LIBRARY_PREFIX}{name}.yaml"))
        .example("in a behaviour config", format!("profile: {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_rule_and_preset_means_something() {
        let ids = builtin_ids();
        assert!(ids.len() >= 14);
        for id in ids {
            let meaning = builtin(&id).expect(&id);
            for fact in ["trigger", "when", "action", "condition", "message", "switched on by"] {
                assert!(meaning.facts.iter().any(|(what, _)| *what == fact), "{id} lacks {fact}");
            }
        }
        for name in PRESETS {
            assert!(!preset(name).docs.is_empty(), "{name}");
        }
    }
}
