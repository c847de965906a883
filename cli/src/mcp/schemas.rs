//! The tools as clients see them, and the check of what they are given.

use behavior_mcp::Tool;
use serde_json::{Map, Value, json};

use super::served::Refused;

/// Returns the tools.
pub fn tools() -> Vec<Tool> {
    vec![
        Tool {
            name: "update_constitution",
            description: "Add a rule for this session alone. A text is told in every turn; a rule definition (an \
                          object with `trigger`, `condition`, `action` and `message`) is compiled and enforced from \
                          the next call on. It can warn, remind, ask or block, never allow.",
            input: input(&[("rule", rule())], &["rule"]),
            output: entries(),
            is_read_only: false,
        },
        Tool {
            name: "reset_constitution",
            description: "Replace the rules that you added for this session. Rules of the user stay.",
            input: input(&[("rules", json!({ "type": "array", "items": rule() }))], &["rules"]),
            output: entries(),
            is_read_only: false,
        },
        Tool {
            name: "get_constitution",
            description: "Return the rules that were added for this session alone.",
            input: input(&[], &[]),
            output: entries(),
            is_read_only: true,
        },
        Tool {
            name: "preflight",
            description: "Say what the rules would decide on tool calls, in this order, without running or \
                          recording anything. Each call is taken to succeed unless it is denied.",
            input: input(&[("calls", calls())], &["calls"]),
            output: output("decisions"),
            is_read_only: true,
        },
        Tool {
            name: "explain_decision",
            description: "Say why the last call of this session that was not simply allowed was blocked or asked \
                          about, what each rule saw, and what would satisfy it.",
            input: input(&[], &[]),
            output: json!({
                "type": "object",
                "properties": { "call": { "type": "object" }, "rules": { "type": "array" } },
                "required": ["call", "rules"],
            }),
            is_read_only: true,
        },
        Tool {
            name: "session_status",
            description: "Return what the rules know of this session: turn, calls, violations, counters, flags \
                          and the files in each set.",
            input: input(&[], &[]),
            output: json!({
                "type": "object",
                "properties": {
                    "agent": { "type": "string" },
                    "session": { "type": "string" },
                    "state": { "type": ["object", "null"] },
                },
                "required": ["agent", "session", "state"],
            }),
            is_read_only: true,
        },
    ]
}

/// A rule: a text or a definition.
fn rule() -> Value {
    json!({
        "description": "A text for every turn, or the definition of a rule",
        "anyOf": [{ "type": "string" }, { "type": "object" }],
    })
}

fn calls() -> Value {
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": { "tool": { "type": "string" }, "params": { "type": "object" } },
            "required": ["tool"],
        },
    })
}

/// What a tool takes: its own arguments and the session.
fn input(own: &[(&str, Value)], required: &[&str]) -> Value {
    let mut properties: Map<String, Value> =
        own.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let session = json!({
        "type": "string",
        "description": "The id of the session; without it, the latest one of this project",
    });
    properties.insert("session".to_owned(), session);
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn entries() -> Value {
    output("entries")
}

fn output(list: &str) -> Value {
    json!({
        "type": "object",
        "properties": { list: { "type": "array" } },
        "required": [list],
    })
}

/// Checks that there are the arguments that a tool needs, and no others.
///
/// # Errors
/// What is wrong with them.
pub fn check(tool: &Tool, arguments: &Map<String, Value>) -> Result<(), Refused> {
    let known = tool.input.get("properties").and_then(Value::as_object);
    let required = tool.input.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !arguments.contains_key(name) {
            return Err(Refused::new(format!("`{}` needs `{name}`", tool.name)));
        }
    }
    for name in arguments.keys() {
        if !known.is_some_and(|known| known.contains_key(name)) {
            let shown: String = name.chars().take(60).collect();
            return Err(Refused::new(format!("`{}` knows no argument `{shown}`", tool.name)));
        }
    }
    match arguments.get("session") {
        None | Some(Value::String(_)) => Ok(()),
        Some(_) => Err(Refused::new("`session` is the id of a session")),
    }
}
