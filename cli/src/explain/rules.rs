//! What rules and profiles mean: those of the standard library and those of the project.

use behavior_compiler::provider::{LIBRARY_PREFIX, MemoryFiles, WithLibrary};
use behavior_compiler::syntax::{self, Format};
use behavior_compiler::{Compilation, Options, compile_all, source::FileId};
use behavior_image::MonitorInfo;
use behavior_image::PermissionInfo;
use behavior_image::RuleInfo;
use behavior_image::code::Placeholder;
use behavior_image::format::{MessagePart, Section};
use behavior_runtime::{Image, Layer, Layers};
use behavior_stdlib::{PRESETS, PROFILES};
use std::sync::Arc;

use super::meaning::{AS_WRITTEN, Meaning};
use crate::args::RuleArgs;
use crate::rules::{self, Rules};
use crate::{profiles, project, written};

/// The meanings that rules and profiles give a name.
pub fn meanings(name: &str, args: &RuleArgs) -> Vec<Meaning> {
    let id = name.strip_prefix("rules.").unwrap_or(name);
    let mut found = of_project(id, args);
    found.extend(builtin(id));
    if PROFILES.contains(&name) {
        found.push(builtin_profile(name));
    } else {
        found.extend(own_profile(name, args));
    }
    found
}

/// The ids of the rules that are known, and the profiles.
pub fn names(args: &RuleArgs) -> Vec<String> {
    let mut names = builtin_ids();
    names.extend(PROFILES.iter().map(|&profile| profile.to_owned()));
    names.extend(profiles::own(&args.config).into_iter().map(|(name, _)| name));
    if let Some(InForce { layers, .. }) = in_force(args) {
        names.extend(layers.rules().iter().map(|rule| rule.id.to_owned()));
        names.extend(layers.policy().iter().map(|rule| rule.name.to_owned()));
    }
    names
}

/// The rules that the arguments name.
struct InForce {
    layers: Layers,
    /// What their own rules are called.
    kind: &'static str,
}

/// The rules of the config or image, where there is one.
fn in_force(args: &RuleArgs) -> Option<InForce> {
    if args.find().is_nothing() {
        return None;
    }
    match rules::load(args, |_| {}) {
        Ok(Rules::Ready { layers, compilations, .. }) => {
            let is_config = compilations.last().is_some_and(Option::is_some);
            let kind = if is_config { "rule of the config" } else { "rule of the image" };
            Some(InForce { layers, kind })
        }
        // What is wrong with the config is the business of `check`; names mean the same without it.
        Ok(Rules::Broken(_)) | Err(_) => None,
    }
}

fn of_project(id: &str, args: &RuleArgs) -> Vec<Meaning> {
    let Some(InForce { layers, kind }) = in_force(args) else { return Vec::new() };
    // Those that come built in are told of whatever is in force.
    let is_builtin = |rule: &RuleInfo<'_>| {
        rule.place.file.starts_with(LIBRARY_PREFIX) && builtin_ids().iter().any(|known| known == id)
    };
    let is_own = |rule: &RuleInfo<'_>| rule.id == id && !is_builtin(rule);
    let of_layer = |(_, image): (Layer, &Arc<Image>)| -> Vec<Meaning> {
        let rules = (0..).zip(image.rules().iter()).filter(|(_, rule)| is_own(rule));
        let found = rules.map(|(number, rule)| match image.monitors().of_rule(number) {
            Some(monitor) => of_monitor(&monitor, &rule),
            None => of_rule(kind, &rule, image, number),
        });
        found.collect()
    };
    let found = layers.iter().flat_map(of_layer);
    let of_policies = layers.policy().iter().filter(|rule| rule.name == id);
    found.chain(of_policies.map(|rule| of_permission(&rule))).collect()
}

fn of_monitor(monitor: &MonitorInfo<'_>, rule: &RuleInfo<'_>) -> Meaning {
    let place = rule.place;
    Meaning::new("rule of a trace policy", rule.id, rule.description)
        .fact("kind", monitor.kind.name())
        .fact("parameters", &monitor.parameters)
        .fact("when", monitor.when.join("\n"))
        .fact("severity", monitor.action.severity())
        .fact("scope", monitor.scope.name())
        .fact("written at", format!("{}:{}:{}", place.file, place.line, place.column))
}

fn of_permission(rule: &PermissionInfo<'_>) -> Meaning {
    let place = rule.place;
    let mode = rule.mode.map(|mode| format!("only in {}", mode.name()));
    Meaning::new("rule of a policy", rule.name, rule.reason)
        .fact("action", rule.action.name())
        .fact("pattern", rule.pattern)
        .fact("priority", rule.priority.name())
        .fact("mode", mode.unwrap_or_default())
        .fact("written at", format!("{}:{}:{}", place.file, place.line, place.column))
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
        presets: PROFILES,
        project: MemoryFiles::new([("behavior.yaml", text)]),
    };
    let entries: &[String] = if text.is_empty() { &[] } else { &["behavior.yaml".to_owned()] };
    compile_all(&provider, entries, options)
}

fn builtin(id: &str) -> Option<Meaning> {
    builtin_ids().iter().find(|known| *known == id)?;
    let compilation = compile_text(&format!("rules:\n  {id}: true\n"), &Options::default());
    let image = compilation.image.as_ref()?;
    let index = image.rules().find(id)?;
    let rule = image.rules().get(index)?;
    let meaning = of_rule("built-in rule", &rule, image, index);
    let on: Vec<_> = PRESETS
        .iter()
        .copied()
        .filter(|preset| of_preset(preset).program.rules.iter().any(|rule| &*rule.id == id))
        .collect();
    let on = if on.is_empty() { "no preset".to_owned() } else { on.join(", ") };
    let config = format!("rules:\n  {id}: true");
    Some(meaning.fact("switched on by", on).example("to switch it on", config))
}

fn of_rule(kind: &'static str, rule: &RuleInfo<'_>, image: &Image, number: u32) -> Meaning {
    let place = rule.place;
    let condition =
        if rule.condition.is_empty() { "none: it always fires" } else { rule.condition };
    let meaning = Meaning::new(kind, rule.id, rule.description)
        .fact("trigger", rule.trigger)
        .fact("when", rule.phase.name())
        .fact("action", rule.action.name())
        .fact("condition", condition)
        .fact("message", template(image, number))
        .fact("written at", format!("{}:{}:{}", place.file, place.line, place.column));
    match written::rule(rule) {
        Some(text) => meaning.example(AS_WRITTEN, text),
        None => meaning,
    }
}

/// A message as its author wrote it.
fn template(image: &Image, rule: u32) -> String {
    let view = image.view();
    let record = view.rule(rule);
    let rows = record.message..record.message + record.message_len;
    rows.map(|row| part(image, view.row(Section::Messages, row))).collect()
}

fn part(image: &Image, part: MessagePart) -> String {
    let text = || image.view().string(part.argument);
    let index = part.argument as usize;
    match Placeholder::from_number(part.kind) {
        Some(Placeholder::Literal) => text().replace('{', "{{").replace('}', "}}"),
        Some(Placeholder::Target) => "{target}".to_owned(),
        Some(Placeholder::Tool) => "{tool}".to_owned(),
        Some(Placeholder::Turn) => "{turn}".to_owned(),
        Some(Placeholder::TurnCalls) => "{tool_calls_this_turn}".to_owned(),
        Some(Placeholder::Consecutive) => "{consecutive_same_tool}".to_owned(),
        Some(Placeholder::Param) => named("param", Some(text())),
        Some(Placeholder::Counter) => named("counter", image.counters().nth(index)),
        Some(Placeholder::SetCount) => named("set_count", image.sets().nth(index)),
        Some(Placeholder::Flag) => named("flag", image.flags().nth(index)),
        Some(Placeholder::Claims) => "{ungrounded_claims}".to_owned(),
        Some(Placeholder::Command) => "{command}".to_owned(),
        Some(Placeholder::Cause) => "{cause}".to_owned(),
        Some(Placeholder::Document) => named("file", Some(text())),
        None => String::new(),
    }
}

fn named(placeholder: &str, name: Option<&str>) -> String {
    format!("{{{placeholder}:{}}}", name.unwrap_or_default())
}

fn of_preset(name: &str) -> Compilation {
    compile_text("", &Options { profile: Some(name.to_owned()), ..Options::default() })
}

fn builtin_profile(name: &str) -> Meaning {
    let text = behavior_stdlib::file(&format!("{name}.yaml")).unwrap_or_default();
    let parsed = syntax::parse(FileId(0), text, Format::Yaml);
    let description = parsed.root.get("description").and_then(|node| node.as_str());
    let file = format!("{LIBRARY_PREFIX}{name}.yaml");
    let kind = if PRESETS.contains(&name) { "preset" } else { "built-in profile" };
    of_profile(kind, name, description, &file, &of_preset(name))
}

/// A profile of the project, in `behavior/`.
fn own_profile(name: &str, args: &RuleArgs) -> Option<Meaning> {
    let (_, file) = profiles::own(&args.config).into_iter().find(|(known, _)| known == name)?;
    let entries = [file.clone()];
    let compilation = compile_all(&project::provider(), &entries, &Options::default());
    let id = compilation.sources.find(&file);
    let document = compilation.documents.iter().find(|document| Some(document.file) == id);
    let description = document.and_then(|document| document.config.get("description")?.as_str());
    Some(of_profile("profile of the project", name, description, &file, &compilation))
}

fn of_profile(
    kind: &'static str,
    name: &str,
    description: Option<&str>,
    file: &str,
    compilation: &Compilation,
) -> Meaning {
    let rules: Vec<_> = compilation.program.rules.iter().map(|rule| rule.id.to_string()).collect();
    let thresholds = compilation.program.thresholds.iter();
    let thresholds: Vec<_> = thresholds.map(|(name, value)| format!("{name} {value}")).collect();
    Meaning::new(kind, name, description.unwrap_or_default())
        .fact("rules", rules.join(", "))
        .fact("thresholds", thresholds.join(", "))
        .fact("written at", file)
        .example("in a behaviour config", format!("profile: {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_rule_and_profile_means_something() {
        let ids = builtin_ids();
        assert!(ids.len() >= 14);
        for id in ids {
            let meaning = builtin(&id).expect(&id);
            for fact in ["trigger", "when", "action", "condition", "message", "switched on by"] {
                assert!(meaning.facts.iter().any(|(what, _)| *what == fact), "{id} lacks {fact}");
            }
        }
        for name in PROFILES {
            assert!(!builtin_profile(name).docs.is_empty(), "{name}");
        }
    }
}
