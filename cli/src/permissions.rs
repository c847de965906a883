//! The policy of an image for people and as JSON: its mode, its rules in the order in which they are
//! looked at, and what it says of a call.

use anstyle::Style;
use std::fmt::Write;

use behavior_image::PermissionInfo;
use behavior_image::code::{ApprovalMode, PermissionAction};
use behavior_runtime::permission::Permission;
use behavior_runtime::{Image, Layers};
use serde_json::{Value, json};

use crate::render::{one_line, table};
use crate::screen::plain;
use crate::terminal::{BOLD, DIM, GREEN, RED, Terminal, YELLOW};

/// The mode in which a policy decides.
#[must_use]
pub fn mode_of(image: &Image, asked: Option<ApprovalMode>) -> ApprovalMode {
    asked.or(image.policy().approval_mode()).unwrap_or(ApprovalMode::Ask)
}

/// What is done with calls that no rule covers.
#[must_use]
pub fn fallback(mode: ApprovalMode) -> &'static str {
    match mode {
        ApprovalMode::Ask => "other calls are asked about",
        ApprovalMode::AutoEdit => "other calls are allowed if they change files, else asked about",
        ApprovalMode::Yolo => "other calls are allowed",
        ApprovalMode::Agent => "other calls are left to the agent",
    }
}

/// The rules as JSON.
#[must_use]
pub fn as_json(image: &Image) -> Value {
    image.policy().iter().map(|rule| rule_as_json(&rule)).collect()
}

/// One rule as JSON.
#[must_use]
pub fn rule_as_json(rule: &PermissionInfo<'_>) -> Value {
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

/// Where the rules of policies are looked up: in those of one layer, or of all.
pub trait PolicyRules {
    /// Returns what is known of a rule that a permission names.
    fn policy_rule(&self, rule: u32) -> Option<PermissionInfo<'_>>;
}

impl PolicyRules for Image {
    fn policy_rule(&self, rule: u32) -> Option<PermissionInfo<'_>> {
        self.policy().get(rule)
    }
}

impl PolicyRules for Layers {
    fn policy_rule(&self, rule: u32) -> Option<PermissionInfo<'_>> {
        self.policy().get(rule)
    }
}

/// What the policy says of a call or a command, and which rule or default says so.
#[must_use]
pub fn said(permission: &Permission, rules: &impl PolicyRules) -> (Style, String) {
    let paint = match permission.action {
        PermissionAction::Allow | PermissionAction::None => GREEN,
        PermissionAction::DryRunFirst | PermissionAction::Ask => YELLOW,
        PermissionAction::Deny => RED,
    };
    let rule = |rule: u32| rules.policy_rule(rule);
    let name = |rule: &PermissionInfo<'_>| plain(rule.name).into_owned();
    let because = match (permission.doubt.and_then(rule), permission.rule.and_then(rule)) {
        (Some(doubt), _) => format!("since `{}` may hold", name(&doubt)),
        (None, Some(rule)) if rule.action == permission.action => format!("by `{}`", name(&rule)),
        (None, Some(rule)) => {
            format!("since it writes a file, and `{}` is about the command alone", name(&rule))
        }
        (None, None) => format!("by default, in mode {}", permission.mode.name()),
    };
    (paint, format!("{} {because}", permission.action.name()))
}

/// The name of what decided on a call, and why, for a line about the call.
#[must_use]
pub fn told<'a>(permission: &Permission, rules: &'a impl PolicyRules) -> (&'a str, String) {
    let rule = |rule: Option<u32>| rule.and_then(|rule| rules.policy_rule(rule));
    let mode = permission.mode.name();
    let (name, text) = match (rule(permission.doubt), rule(permission.rule)) {
        (Some(doubt), _) => (doubt.name, format!("may be about this call; {}", doubt.reason)),
        (None, Some(rule)) => (rule.name, rule.reason.to_owned()),
        (None, None) => ("policy", format!("no rule covers this call, and the mode is {mode}")),
    };
    (name, text.trim_end_matches([' ', ';']).to_owned())
}

/// What the policy says, as JSON.
#[must_use]
pub fn said_as_json(permission: &Permission, rules: &impl PolicyRules) -> Value {
    let name = |rule: u32| rules.policy_rule(rule).map(|rule| rule.name);
    json!({
        "action": permission.action.name(),
        "rule": permission.rule.and_then(name),
        "mode": permission.mode.name(),
        "doubt": permission.doubt.and_then(name),
    })
}

/// Appends the policy for people; nothing where there is none.
pub fn write(image: &Image, asked: Option<ApprovalMode>, terminal: &Terminal, out: &mut String) {
    if !image.policy().is_in_force() {
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
    let rules: Vec<PermissionInfo<'_>> = image.policy().iter().collect();
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
            PermissionAction::Allow | PermissionAction::None => GREEN,
        };
        let action = rule.action.name();
        let rest = line.strip_prefix(action).unwrap_or_default();
        let _ = writeln!(out, "  {}{rest}", terminal.paint(style, action));
        let _ = writeln!(out, "      {}", terminal.paint(DIM, &one_line(rule.pattern)));
    }
}
