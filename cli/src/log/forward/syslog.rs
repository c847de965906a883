//! Lines of the audit log as messages of syslog: <https://www.rfc-editor.org/rfc/rfc5424>, through the socket of this
//! machine's log.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::severity::Severity;

/// Messages on audits.
const FACILITY: u8 = 13;
/// Longer messages are not taken everywhere.
const MAX_LENGTH: usize = 8 << 10;
/// What stays of a line that is longer.
const SHORT: [&str; 9] =
    ["event", "session", "ts", "tool", "by", "verdict", "rules", "policy", "chain"];

/// The message for a line. `process` is the number of the process that sends it.
#[must_use]
pub fn message(fields: &Value, process: u32) -> String {
    let priority = FACILITY * 8 + Severity::of(fields).in_syslog();
    let time = fields
        .get("ts")
        .and_then(Value::as_i64)
        .and_then(|ts| Timestamp::from_millisecond(ts).ok());
    let time = time
        .map_or_else(|| "-".to_owned(), |time| time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string());
    let event = fields.get("event").and_then(Value::as_str).unwrap_or("-");
    // At most 32 characters, none of them a blank.
    let event: String = event.chars().filter(char::is_ascii_graphic).take(32).collect();
    let whole = fields.to_string();
    let text = if whole.len() > MAX_LENGTH { shortened(fields) } else { whole };
    format!("<{priority}>1 {time} - behavior {process} {event} - {text}")
}

/// What a line says, without what makes it long.
fn shortened(fields: &Value) -> String {
    let mut short = Map::new();
    for name in SHORT {
        if let Some(value) =
            fields.get(name).filter(|value| value.to_string().len() < MAX_LENGTH / 16)
        {
            short.insert(name.to_owned(), value.clone());
        }
    }
    short.insert("shortened".to_owned(), true.into());
    Value::Object(short).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_has_the_form_of_rfc_5424() {
        let fields =
            json!({ "event": "tool_call", "ts": 1_700_000_000_123_i64, "verdict": "deny" });
        let expected = format!("<108>1 2023-11-14T22:13:20.123Z - behavior 7 tool_call - {fields}");
        assert_eq!(message(&fields, 7), expected);
        assert!(message(&json!({}), 7).starts_with("<110>1 - - behavior 7 - - {"));
    }

    #[test]
    fn a_long_line_is_shortened_to_json() {
        let long = "x".repeat(MAX_LENGTH);
        let fields = json!({ "event": "tool_call", "params": { "content": long }, "session": long, "chain": { "n": 1 } });
        let message = message(&fields, 7);
        assert!(message.len() < 200, "{message}");
        assert!(
            message.ends_with(r#"- {"event":"tool_call","chain":{"n":1},"shortened":true}"#),
            "{message}"
        );
    }
}
