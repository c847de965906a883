//! What is not written and holds nevertheless: the number that a threshold has, what a preset switches on, how
//! many steps a rule takes at most.

use std::collections::BTreeSet;

use super::names::{Surroundings, text};
use super::{Project, RuleFile};
use crate::ir::Rule;
use crate::project::{Entry, entries, folder_of};
use crate::resolve::switches::THRESHOLDS;
use crate::resolve::{FileKind, Options};
use crate::source::Span;
use crate::syntax::{Kind, Node};
use crate::{Compilation, Severity};

/// A few words shown behind a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Behind which offset.
    pub offset: u32,
    /// The words.
    pub label: String,
    /// More on them, in Markdown; may be empty.
    pub markdown: String,
}

/// What can be said of a config or a profile without compiling it.
#[must_use]
pub fn hints(project: Project<'_>, file: &RuleFile) -> Vec<Hint> {
    if !file.is_rule_file() {
        return Vec::new();
    }
    let config = file.config();
    let surroundings = Surroundings::new(file, project);
    let mut found = Vec::new();
    let base = if file.kind == FileKind::Profile { "extends" } else { "profile" };
    if let Some(value) = config.get(base).filter(|value| value.as_str().is_some()) {
        found.extend(switched_on(&surroundings).map(|(label, markdown)| Hint {
            offset: value.span.end,
            label,
            markdown,
        }));
    }
    for entry in config.get("rules").and_then(Node::entries).unwrap_or_default() {
        let own = THRESHOLDS.iter().find(|threshold| threshold.rule == &*entry.key.text);
        if let (Some(threshold), Kind::Bool(true)) = (own, &entry.value.kind) {
            let number = number(threshold.name, threshold.default, &surroundings);
            let label = match threshold.name == threshold.rule {
                true => format!("at {number}"),
                false => format!("{}: {number}", threshold.name),
            };
            let markdown = threshold.docs.to_owned();
            found.push(Hint { offset: entry.value.span.end, label, markdown });
        }
    }
    found.sort_by_key(|hint| hint.offset);
    found
}

/// The number that a threshold has: what the nearest file says.
pub(super) fn number(name: &str, default: i64, surroundings: &Surroundings<'_>) -> i64 {
    let said =
        surroundings.files().find_map(|file| match file.config().get("rules")?.get(name)?.kind {
            Kind::Int(number) => Some(number),
            _ => None,
        });
    said.unwrap_or(default)
}

/// The rule that a key of `rules` switches off with `0` or `false`.
fn ruled_by(key: &str) -> &str {
    THRESHOLDS.iter().find(|threshold| threshold.name == key).map_or(key, |known| known.rule)
}

/// How many rules what the file builds on switches on, and which.
fn switched_on(surroundings: &Surroundings<'_>) -> Option<(String, String)> {
    // What the file says itself is no work of the preset, and what it switches off is not in force.
    let own = surroundings.files().next().and_then(|file| file.config().get("rules"));
    let own = own.and_then(Node::entries).unwrap_or_default();
    let off =
        own.iter().filter(|entry| matches!(entry.value.kind, Kind::Bool(false) | Kind::Int(0)));
    let off: Vec<&str> = off.map(|entry| ruled_by(&entry.key.text)).collect();
    let mut seen: Vec<&str> = Vec::new();
    let mut on: Vec<&str> = Vec::new();
    for file in surroundings.files().skip(1) {
        let config = file.config();
        for entry in config.get("rules").and_then(Node::entries).unwrap_or_default() {
            let name = &*entry.key.text;
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let is_on = match entry.value.kind {
                Kind::Bool(is_on) => is_on,
                Kind::Int(number) => number > 0,
                _ => false,
            };
            if is_on && surroundings.builtin_rule(name).is_some() {
                on.push(name);
            }
        }
        let is_profile = file.kind == FileKind::Profile;
        let own = config.get("rule_definitions").filter(|_| is_profile).and_then(Node::items);
        let own = own.unwrap_or_default().iter().filter_map(|rule| text(rule, "id"));
        on.extend(own);
    }
    on.retain(|name| !off.contains(name));
    let label = match on.len() {
        0 => return None,
        1 => "1 rule".to_owned(),
        count => format!("{count} rules"),
    };
    let listed: Vec<String> = on.iter().map(|name| format!("`{name}`")).collect();
    Some((label, format!("In force: {}", listed.join(", "))))
}

/// The lines on which rules of a file begin in which there is an error.
fn broken_lines(compilation: &Compilation, name: &str) -> BTreeSet<u32> {
    let errors = compilation.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let errors: Vec<Span> = errors.map(|one| one.span).collect();
    let is_broken = |rule: &&Rule| {
        errors.iter().any(|error| rule.span.file == error.file && rule.span.contains(*error))
    };
    let broken = compilation.program.rules.iter().filter(is_broken);
    let of_file = broken.filter_map(|rule| {
        let source = compilation.sources.get(rule.span.file)?;
        (source.name == name).then(|| source.position(rule.span.start).line)
    });
    of_file.collect()
}

/// How many steps each rule of a file takes at most, behind its id. The file is compiled with all that holds with
/// it; nothing is said of rules that have errors.
#[must_use]
pub fn step_hints(project: Project<'_>, file: &RuleFile) -> Vec<Hint> {
    let name = file.name();
    let whole = entries(project.provider, folder_of(name));
    let is_of = |entry: &&Entry| entry.paths.iter().any(|path| path == name);
    let alone = Entry::named(name.to_owned());
    let entry = whole.iter().find(is_of).unwrap_or(&alone);
    let options = Options { skip_comparisons: true, ..entry.options(&Options::default()) };
    let (compilation, image) =
        crate::compile_what_is_right(project.provider, &entry.paths, &options);
    let Some(image) = image else { return Vec::new() };
    let broken = broken_lines(&compilation, name);
    let source = file.source();
    let mut found = Vec::new();
    let mut number = 0;
    while let Some(rule) = image.rules().get(number) {
        let steps = image.rules().worst_case_steps(number);
        number += 1;
        if rule.place.file != name || broken.contains(&rule.place.line) {
            continue;
        }
        let Some(start) = source.line_start(rule.place.line) else { continue };
        let rest = file.text().get(start as usize..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().trim_end();
        let label = match steps {
            // A rule of a trace policy has no condition of its own.
            0 => continue,
            1 => "≤ 1 step".to_owned(),
            steps => format!("≤ {steps} steps"),
        };
        let markdown = "The most instructions that its condition takes for a call.".to_owned();
        found.push(Hint { offset: start + line.len() as u32, label, markdown });
    }
    found
}
