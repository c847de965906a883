//! Problems as SARIF 2.1.0, as code scanning of GitHub and others read it.

use behavior_compiler::Severity;
use behavior_compiler::registry::diagnostics;
use serde_json::{Value, json};

use super::{fingerprint, json::to_text};
use crate::report::{Fix, Place, Problem, Report};

/// Writes the log, with a line break at its end.
///
/// # Errors
/// None: plain data is always written.
pub fn render(report: &Report) -> std::io::Result<String> {
    let (shown, _) = report.shown();
    let mut names: Vec<&str> = shown.iter().map(|problem| problem.name).collect();
    names.sort_unstable();
    names.dedup();
    let fingerprints = fingerprint::of(&shown);
    let results = shown.iter().zip(fingerprints).map(|(problem, fingerprint)| {
        let index = names.binary_search(&problem.name).unwrap_or_default();
        result(problem, index, &fingerprint)
    });
    let rules = names.iter().map(|name| rule(name)).collect();
    to_text(&log(rules, results.collect(), None))
}

/// Returns the log of one run: the rules that are named, what was found, and what else there is to say.
pub fn log(rules: Vec<Value>, results: Vec<Value>, notifications: Option<Vec<Value>>) -> Value {
    let mut run = json!({
        "tool": { "driver": {
            "name": "behavior",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }},
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    if let (Some(run), Some(notifications)) = (run.as_object_mut(), notifications) {
        let invocation = json!({
            "executionSuccessful": true,
            "toolExecutionNotifications": notifications,
        });
        run.insert("invocations".to_owned(), json!([invocation]));
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    })
}

fn rule(name: &str) -> Value {
    let kind = diagnostics::ALL.iter().find(|kind| kind.name == name);
    let docs = kind.map_or("", |kind| kind.docs).trim().lines().map(str::trim);
    let docs = docs.collect::<Vec<_>>().join("\n");
    let first = docs.lines().next().unwrap_or(name).trim();
    json!({
        "id": name,
        "shortDescription": { "text": if first.is_empty() { name } else { first } },
        "fullDescription": { "text": if docs.is_empty() { name } else { &docs } },
        "help": { "text": format!("`behavior explain {name}` says more") },
        "defaultConfiguration": { "level": level(kind.map_or(Severity::Error, |kind| kind.severity)) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(problem: &Problem, rule: usize, fingerprint: &str) -> Value {
    let text = match &problem.help {
        Some(help) => format!("{}\n{help}", problem.message),
        None => problem.message.clone(),
    };
    let mut result = json!({
        "ruleId": problem.name,
        "ruleIndex": rule,
        "level": level(problem.severity),
        "message": { "text": text },
        "locations": [{ "physicalLocation": physical(&problem.place) }],
        "partialFingerprints": { "behavior/v1": fingerprint },
    });
    let Some(fields) = result.as_object_mut() else { return result };
    let related = problem.labels.iter().map(|(place, message)| {
        json!({ "physicalLocation": physical(place), "message": { "text": message } })
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        fields.insert("relatedLocations".to_owned(), related.into());
    }
    let fixes: Vec<Value> = problem.fixes.iter().map(fix).collect();
    if !fixes.is_empty() {
        fields.insert("fixes".to_owned(), fixes.into());
    }
    result
}

fn physical(place: &Place) -> Value {
    json!({ "artifactLocation": { "uri": uri(&place.source.name) }, "region": region(place) })
}

/// A region; columns count characters from 1, and the end is behind the last one.
fn region(place: &Place) -> Value {
    let (start, end) = (place.source.position(place.start), place.source.position(place.end));
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

fn fix(fix: &Fix) -> Value {
    let changes = fix.edits.iter().map(|(place, text)| {
        json!({
            "artifactLocation": { "uri": uri(&place.source.name) },
            "replacements": [{ "deletedRegion": region(place), "insertedContent": { "text": text } }],
        })
    });
    json!({ "description": { "text": fix.message }, "artifactChanges": changes.collect::<Vec<_>>() })
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
