//! A session that shows a problem, as it is kept.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::diagnostic::{Happening, Wanted, Witness};

/// Writes a test of a rule file, which stands in the folder of the test, that expects what was meant.
#[must_use]
pub fn as_test(file: &str, witness: &Witness) -> String {
    let config = file.rsplit('/').next().unwrap_or_default();
    let mut text = "tests:\n".to_owned();
    let _ = writeln!(text, "  - name: {}", Value::from(&*witness.spelled));
    let _ = writeln!(text, "    config: {}", Value::from(config));
    text += "    events:\n";
    for one in &witness.events {
        let _ = writeln!(text, "      - {}", short(one));
    }
    text += "    expect:\n";
    let last = witness.events.len().saturating_sub(1);
    match &witness.wanted {
        Wanted::Permission(action) => {
            let _ = writeln!(text, "      - {{ at: {last}, permission: {} }}", action.name());
        }
        Wanted::Fires { rule } => {
            let _ = writeln!(text, "      - {{ at: {last}, rules: {} }}", json!([rule]));
        }
        Wanted::Says { rule, message } => {
            let (rules, message) = (json!([rule]), Value::from(&**message));
            let _ = writeln!(text, "      - {{ at: {last}, rules: {rules}, message: {message} }}");
        }
        Wanted::Passes { others, .. } => {
            for (at, rules) in others.iter().enumerate() {
                if at == last || !rules.is_empty() {
                    let _ = writeln!(text, "      - {{ at: {at}, rules: {} }}", json!(rules));
                }
            }
            text += "    exactly: true\n";
        }
    }
    text
}

/// Writes a session in which it happens, in the native format.
#[must_use]
pub fn as_session(witness: &Witness) -> String {
    let start = json!({ "event": "session_start", "session": "shown" });
    let mut text = format!("{start}\n");
    for (number, one) in (1..).zip(&witness.events) {
        for event in native(one, number) {
            let _ = writeln!(text, "{event}");
        }
    }
    text
}

/// As tests write it.
fn short(one: &Happening) -> Value {
    match one {
        Happening::Call { tool, params, .. } => json!({ tool: values(params) }),
        Happening::Text(text) => json!({ "text": text }),
        Happening::TurnEnd(text) => json!({ "turn_end": text }),
    }
}

/// As recordings have it.
fn native(one: &Happening, number: usize) -> Vec<Value> {
    match one {
        Happening::Call { tool, params, has_result } => {
            let id = number.to_string();
            let call = json!({
                "event": "tool_call",
                "session": "shown",
                "id": id,
                "tool": tool,
                "params": values(params),
            });
            let result = json!({ "event": "tool_result", "session": "shown", "id": id });
            if *has_result { vec![call, result] } else { vec![call] }
        }
        Happening::Text(text) => vec![json!({ "event": "text", "session": "shown", "text": text })],
        Happening::TurnEnd(text) => {
            vec![json!({ "event": "turn_end", "session": "shown", "text": text })]
        }
    }
}

fn values(params: &[(String, String)]) -> Value {
    let given = params.iter().map(|(name, text)| (name.clone(), Value::from(&**text)));
    Value::Object(given.collect::<Map<String, Value>>())
}
