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
            description: "Say what the rules would decide on tool calls, or on the steps of a plan, in this \
                          order, without running or recording anything. Each is taken to succeed; of calls, \
                          those that are not denied.",
            input: input(&[("calls", calls()), ("plan", plan())], &[]),
            output: output(&[("decisions", &["array"])]),
            is_read_only: true,
        },
        Tool {
            name: "explain_decision",
            description: "Say why the last call of this session that was not simply allowed was blocked or asked \
                          about, what each rule saw, and what would satisfy it.",
            input: input(&[], &[]),
            output: output(&[("call", &["object"]), ("rules", &["array"])]),
            is_read_only: true,
        },
        Tool {
            name: "session_status",
            description: "Return what the rules know of this session: turn, calls, violations, counters, flags \
                          and the files in each set.",
            input: input(&[], &[]),
            output: output(&[
                ("agent", &["string"]),
                ("session", &["string"]),
                ("state", &["object", "null"]),
            ]),
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

/// A plan, as `behavior plan check` reads it.
fn plan() -> Value {
    json!({
        "description": "A plan in place of `calls`: the object, or the text of its file",
        "type": ["object", "string"],
        "properties": { "steps": { "type": "array" }, "explain": { "type": "string" } },
    })
}

fn entries() -> Value {
    output(&[("entries", &["array"])])
}

/// What a tool returns: its own members, each with the kinds that it can be, or what is wrong. Clients hold a refusal
/// against this, too.
fn output(own: &[(&str, &[&str])]) -> Value {
    let refusal: [(&str, &[&str]); 2] = [("error", &["string"]), ("diagnostics", &["array"])];
    let properties: Map<String, Value> = own
        .iter()
        .chain(&refusal)
        .map(|(name, kinds)| ((*name).to_owned(), json!({ "type": kinds })))
        .collect();
    let required: Vec<&str> = own.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "anyOf": [{ "required": required }, { "required": ["error"] }],
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
