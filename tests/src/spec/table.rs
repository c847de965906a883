//! Tables whose rows are checked, told by the first cell of their header.

use std::sync::Arc;

use behavior_compiler::ir::{Condition, Program, Reference};
use behavior_compiler::{Compilation, compile};
use behavior_runtime::Image;

use super::document::{Table, code_spans};
use crate::script;

/// What the rows of a table say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An expression and the mapping that means the same.
    Expression,
    /// A trigger, tools that it selects and tools that it does not.
    Trigger,
    /// A pattern, texts that it matches and texts that it does not.
    Pattern,
    /// A path pattern, paths that it matches and paths that it does not.
    Path,
    /// A built-in rule or threshold and what it is in each preset.
    Preset,
}

/// What a table is for; none for one that is only read.
pub fn kind(table: &Table) -> Option<Kind> {
    match table.header.first().map(String::as_str)? {
        "Expression" => Some(Kind::Expression),
        "Trigger" => Some(Kind::Trigger),
        "Pattern" => Some(Kind::Pattern),
        "Path pattern" => Some(Kind::Path),
        "In `rules`" => Some(Kind::Preset),
        _ => None,
    }
}

/// The rows that are not as written: their lines, and what is wrong.
pub fn check(table: &Table) -> Vec<(usize, String)> {
    let Some(kind) = kind(table) else { return Vec::new() };
    let mut wrong = Vec::new();
    let presets = match kind {
        Kind::Preset => presets(&table.header),
        _ => Ok(Vec::new()),
    };
    let presets = match presets {
        Ok(presets) => presets,
        Err(why) => return vec![(table.rows.first().map_or(0, |row| row.0), why)],
    };
    for (line, cells) in &table.rows {
        let result = match (kind, cells.as_slice()) {
            (Kind::Preset, [name, values @ ..]) => preset_row(&presets, name, values),
            (Kind::Expression, [expression, mapping, ..]) => same(expression, mapping),
            (Kind::Trigger, [trigger, yes, no, ..]) => {
                selection(yes, no, |tool| selects(&only(trigger), tool))
            }
            (Kind::Pattern, [pattern, yes, no, ..]) => {
                selection(yes, no, |text| matches("param_matches", "command", &only(pattern), text))
            }
            (Kind::Path, [pattern, yes, no, ..]) => selection(yes, no, |text| {
                matches("target_matches", "file_path", &only(pattern), text)
            }),
            _ => Err("a cell is missing".to_owned()),
        };
        if let Err(message) = result {
            wrong.push((*line, message));
        }
    }
    wrong
}

fn only(cell: &str) -> String {
    code_spans(cell).into_iter().next().unwrap_or_default()
}

/// Holds a test against the cells of what it accepts and what it refuses.
fn selection(
    yes: &str,
    no: &str,
    test: impl Fn(&str) -> Result<bool, String>,
) -> Result<(), String> {
    for (cell, expected) in [(yes, true), (no, false)] {
        for text in code_spans(cell) {
            if test(&text)? != expected {
                let not = if expected { "does not hold" } else { "holds" };
                return Err(format!("it {not} for `{text}`"));
            }
        }
    }
    Ok(())
}

fn compiled(text: &str) -> Result<Compilation, String> {
    let compilation = compile(&crate::provider(&[("behavior.yaml", text)]), "behavior.yaml");
    if compilation.has_errors() {
        return Err(super::project::diagnostics(&compilation));
    }
    Ok(compilation)
}

/// Whether the only rule of a config fires on a call.
fn fires(config: &str, tool: &str, params: serde_json::Value) -> Result<bool, String> {
    let image = Arc::new(compiled(config)?.image.ok_or("there is no image")?);
    let steps = script::short(1, tool, params, None);
    let outcomes = script::run(&image, &steps)?;
    Ok(outcomes.iter().any(|outcome| !outcome.decision.findings.is_empty()))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn selects(trigger: &str, tool: &str) -> Result<bool, String> {
    let config = format!("rule_definitions: [{{ id: it, trigger: {trigger}, message: m }}]");
    fires(&config, tool, serde_json::json!({}))
}

fn matches(condition: &str, param: &str, pattern: &str, text: &str) -> Result<bool, String> {
    let pattern = quoted(pattern);
    let argument = match condition {
        "param_matches" => format!("{{ param: {param}, pattern: {pattern} }}"),
        _ => pattern,
    };
    let rule = format!("id: it, message: m, condition: {{ {condition}: {argument} }}");
    let text: String = serde_json::from_str(&format!("\"{text}\"")).unwrap_or(text.to_owned());
    fires(&format!("rule_definitions: [{{ {rule} }}]"), "bash", serde_json::json!({ param: text }))
}

/// The presets of a table's header, compiled.
fn presets(header: &[String]) -> Result<Vec<(String, Image)>, String> {
    let compiled = |cell: &String| {
        let preset = only(cell);
        let image = compiled(&format!("profile: {preset}\n"))?.image.ok_or("there is no image")?;
        Ok((preset, image))
    };
    header.iter().skip(1).map(compiled).collect()
}

/// A rule, threshold or setting in each preset.
fn preset_row(presets: &[(String, Image)], name: &str, values: &[String]) -> Result<(), String> {
    let name = only(name);
    for ((preset, image), written) in presets.iter().zip(values) {
        let actual = preset_value(image, preset, &name, written)?;
        if actual != *written {
            return Err(format!("in `{preset}` it is `{actual}`, not `{written}`"));
        }
    }
    Ok(())
}

fn preset_value(image: &Image, preset: &str, name: &str, written: &str) -> Result<String, String> {
    if written.parse::<i64>().is_ok() {
        let threshold = image.thresholds().find(|(known, _)| *known == name);
        return Ok(threshold.map_or("no threshold".to_owned(), |(_, value)| value.to_string()));
    }
    if written.is_empty() || written == "on" {
        let is_on = image.rules().find(name).is_some();
        return Ok(if is_on { "on".to_owned() } else { String::new() });
    }
    // What shapes the prompt is told by it: written again, it changes nothing.
    let value = if written == "yes" { "true" } else { written };
    let config = format!("profile: {preset}\nrules: {{ {name}: {value} }}\n");
    let again = compiled(&config)?.image.ok_or("there is no image")?;
    Ok(if again.prompt() == image.prompt() { written } else { "something else" }.to_owned())
}

/// What both forms of a condition may refer to.
const NAMES: &str = "state_tracking:
  sets:
    read_files: { add_on: read, fingerprint: true }
    tables_queried: { add_on: database.query, target: table }
    fetched_urls: { add_on: web.fetch, target: url }
  counters: { queries: { increment_on: database.query } }
  flags: { backup_created: { set_on: database.backup } }
";

/// Whether an expression and a mapping mean the same.
///
/// # Errors
/// When they do not, or one of them does not compile.
pub fn same(expression: &str, mapping: &str) -> Result<(), String> {
    let expression = quoted(&only(expression));
    let mapping = only(mapping);
    let left = meaning(&expression)?;
    let right = meaning(&format!("{{ {mapping} }}"))?;
    if left == right { Ok(()) } else { Err(format!("they differ:\n    {left}\n    {right}")) }
}

/// A condition, in the first phase that it fits into, with everything resolved and no places.
///
/// # Errors
/// What is wrong with it.
pub fn meaning(condition: &str) -> Result<String, String> {
    let mut problems = String::new();
    for phase in ["pre_tool", "post_tool", "on_text"] {
        let rule = format!("id: it\n    when: {phase}\n    message: m\n    condition: {condition}");
        match compiled(&format!("{NAMES}rule_definitions:\n  - {rule}\n")) {
            Ok(compilation) => {
                let program = &compilation.program;
                let rule = program.rules.first().ok_or("there is no rule")?;
                return Ok(shape(&rule.condition, program));
            }
            Err(why) if problems.is_empty() => problems = why,
            Err(_) => {}
        }
    }
    Err(problems)
}

fn shape(condition: &Condition, program: &Program) -> String {
    let list = |items: &[Condition]| {
        items.iter().map(|item| shape(item, program)).collect::<Vec<_>>().join(", ")
    };
    match condition {
        Condition::Always => "always".to_owned(),
        Condition::All(items) => format!("all({})", list(items)),
        Condition::Any(items) => format!("any({})", list(items)),
        Condition::Not(inner) => format!("not({})", shape(inner, program)),
        Condition::Test { test, .. } => {
            let mut text = format!("{test:?}");
            test.each_reference(&mut |reference| {
                if let Reference::Pattern(index) = reference {
                    text.push_str(&format!(" {}", program.patterns[index as usize].regex));
                }
            });
            text
        }
    }
}
