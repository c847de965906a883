//! The policy of an image for people and as JSON: its mode, and its rules in the order in which they
//! are looked at.

use std::fmt::Write;

use behavior_runtime::Image;
use behavior_runtime::code::{ApprovalMode, PermissionAction};
use behavior_runtime::permission::PermissionInfo;
use serde_json::{Value, json};

use crate::render::{one_line, table};
use crate::terminal::{BOLD, DIM, GREEN, RED, Terminal, YELLOW};

/// The mode in which a policy decides.
#[must_use]
pub fn mode_of(image: &Image, asked: Option<ApprovalMode>) -> ApprovalMode {
    asked.or(image.approval_mode()).unwrap_or(ApprovalMode::Ask)
}

/// What is done with calls that no rule covers.
#[must_use]
pub fn fallback(mode: ApprovalMode) -> &'static str {
    match mode {
        ApprovalMode::Ask => "other calls are asked about",
        ApprovalMode::AutoEdit => "other calls are allowed if they change files, else asked about",
        ApprovalMode::Yolo => "other calls are allowed",
    }
}

/// The rules as JSON.
#[must_use]
pub fn as_json(image: &Image) -> Value {
    image.permissions().map(|rule| rule_as_json(&rule)).collect()
}

fn rule_as_json(rule: &PermissionInfo<'_>) -> Value {
    json!({
        "name": rule.name,
        "action": rule.action.name(),
        "priority": rule.priority.name(),
        "mode": rule.mode.map(ApprovalMode::name),
        "pattern": rule.pattern,
        "reason": rule.reason,
        "span": {
            "file": rule.place.file, "line": rule.place.line, "column": rule.place.column,
        },
    })
}

/// Appends the policy for people; nothing where there is none.
pub fn write(image: &Image, asked: Option<ApprovalMode>, terminal: &Terminal, out: &mut String) {
    if !image.has_policy() {
        return;
    }
    let mode = mode_of(image, asked);
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "\n{} in mode {}: {}",
        terminal.paint(BOLD, "permissions"),
        mode.name(),
        fallback(mode)
    );
    let rules: Vec<PermissionInfo<'_>> = image.permissions().collect();
    if rules.is_empty() {
        out.push_str("  no rules\n");
    }
    let row = |rule: &PermissionInfo<'_>| {
        let only = rule.mode.map(|mode| format!("only in {}", mode.name()));
        vec![
            rule.action.name().to_owned(),
            one_line(rule.name),
            rule.priority.name().to_owned(),
            only.unwrap_or_default(),
            format!("{}:{}:{}", one_line(rule.place.file), rule.place.line, rule.place.column),
        ]
    };
    let rows: Vec<Vec<String>> = rules.iter().map(row).collect();
    for (rule, line) in rules.iter().zip(table::render(&rows)) {
        let style = match rule.action {
            PermissionAction::Deny => RED,
            PermissionAction::Ask | PermissionAction::DryRunFirst => YELLOW,
            PermissionAction::Allow => GREEN,
        };
        let action = rule.action.name();
        let rest = line.strip_prefix(action).unwrap_or_default();
        let _ = writeln!(out, "  {}{rest}", terminal.paint(style, action));
        let _ = writeln!(out, "      {}", terminal.paint(DIM, &one_line(rule.pattern)));
    }
}
