//! What was asked for and planned, a line each: when, what, and nothing that any file holds.

use behavior_compiler::plan::Plan;
use serde::Serialize;

use super::workspace::Workspace;
use crate::render::one_line;
use crate::terminal::Terminal;
use crate::without_secrets;

/// Where the lines are.
const FILE: &str = ".behavior/history.jsonl";
/// No longer text is kept.
const MAX_TEXT: usize = 200;

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    request: Option<&'a str>,
    summary: &'a str,
}

/// Adds a line. A history that cannot be kept stops nothing, and is told of.
pub fn add(workspace: &Workspace, request: Option<&str>, plan: &Plan, terminal: &Terminal) {
    let request = request.map(short);
    let summary = summary(plan);
    let time = jiff::Timestamp::now().strftime("%FT%TZ").to_string();
    let line = Line { time, request: request.as_deref(), summary: &summary };
    let written = serde_json::to_string(&line).map_err(|error| error.to_string());
    let kept = written.and_then(|line| {
        let line = format!("{line}\n");
        workspace.append(FILE, line.as_bytes()).map_err(|trouble| trouble.to_string())
    });
    if let Err(why) = kept {
        terminal.note(&format!("the history cannot be kept: {why}"));
    }
}

/// Returns the summaries of the latest lines, the oldest first.
#[must_use]
pub fn latest(workspace: &Workspace, count: usize) -> Vec<String> {
    let Ok(content) = workspace.read(FILE) else { return Vec::new() };
    let text = String::from_utf8_lossy(&content.bytes);
    let read = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        line.get("summary")?.as_str().map(short)
    };
    let mut latest: Vec<String> = text.lines().rev().filter_map(read).take(count).collect();
    latest.reverse();
    latest
}

/// A plan in one line.
fn summary(plan: &Plan) -> String {
    match plan.explain.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        Some(explain) => short(explain),
        None => {
            let tools: Vec<String> = plan.steps.iter().map(|step| step.canonical()).collect();
            short(&if tools.is_empty() { "no steps".to_owned() } else { tools.join(", ") })
        }
    }
}

/// One line without secrets.
fn short(text: &str) -> String {
    let text = one_line(&without_secrets::text(text.trim()));
    match text.char_indices().nth(MAX_TEXT) {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}
