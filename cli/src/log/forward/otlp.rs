//! Lines of the audit log as log records of OpenTelemetry, in JSON.
//!
//! <https://opentelemetry.io/docs/specs/otlp/> and, for files of them,
//! <https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/>.

use serde_json::{Value, json};

use super::severity::Severity;
use super::unsent::Record;

/// One line of a file: an object with all these records.
#[must_use]
pub fn line(records: &[Record]) -> String {
    let records: Vec<Value> = records.iter().map(|record| log_record(&record.fields)).collect();
    let version = env!("CARGO_PKG_VERSION");
    let document = json!({
        "resourceLogs": [{
            "resource": { "attributes": [attribute("service.name", &json!("behavior"))] },
            "scopeLogs": [{
                "scope": { "name": "behavior.audit", "version": version },
                "logRecords": records,
            }],
        }],
    });
    format!("{document}\n")
}

fn log_record(fields: &Value) -> Value {
    // 64-bit numbers are texts in this format.
    let time = fields.get("ts").and_then(Value::as_i64).and_then(|ts| ts.checked_mul(1_000_000));
    let time = time.unwrap_or_default().to_string();
    let severity = Severity::of(fields);
    let named = [
        ("session.id", "session"),
        ("behavior.agent", if fields.get("by").is_some() { "by" } else { "agent" }),
        ("behavior.tool", "tool"),
        ("behavior.verdict", "verdict"),
        ("behavior.rules", "rules"),
        ("behavior.policy", "policy"),
        ("behavior.turn", "turn"),
        ("behavior.chain", "chain"),
    ];
    let attributes =
        named.iter().filter_map(|(name, field)| Some(attribute(name, fields.get(*field)?)));
    json!({
        "timeUnixNano": time,
        "observedTimeUnixNano": time,
        "severityNumber": severity.in_otlp(),
        "severityText": severity.name(),
        "eventName": format!("behavior.{}", event(fields)),
        "body": { "stringValue": fields.to_string() },
        "attributes": attributes.collect::<Vec<_>>(),
    })
}

/// What a line is about.
fn event(fields: &Value) -> &str {
    let event = fields.get("event").and_then(Value::as_str).unwrap_or("event");
    ["failure", "changed"].into_iter().find(|kind| fields.get(kind).is_some()).unwrap_or(event)
}

fn attribute(name: &str, value: &Value) -> Value {
    json!({ "key": name, "value": any_value(value) })
}

fn any_value(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(value) => json!({ "boolValue": value }),
        Value::Number(value) if value.is_i64() => json!({ "intValue": value.to_string() }),
        Value::Number(value) => json!({ "doubleValue": value }),
        Value::String(value) => json!({ "stringValue": value }),
        Value::Array(items) => {
            let values: Vec<Value> = items.iter().map(any_value).collect();
            json!({ "arrayValue": { "values": values } })
        }
        Value::Object(fields) => {
            let values: Vec<Value> =
                fields.iter().map(|(name, value)| attribute(name, value)).collect();
            json!({ "kvlistValue": { "values": values } })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::unsent::Cursor;
    use super::*;

    #[test]
    fn a_line_is_a_log_record() {
        let fields = json!({
            "event": "tool_call", "session": "s", "ts": 5, "tool": "bash", "verdict": "deny",
            "rules": ["a"], "by": "pi", "chain": { "n": 7, "mac": "00" },
        });
        let text = line(&[Record { fields: fields.clone(), cursor: Cursor::default() }]);
        assert!(text.ends_with("}\n") && text.lines().count() == 1);
        let document: Value = serde_json::from_str(&text).unwrap();
        let record = &document["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
        assert_eq!(record["timeUnixNano"], "5000000");
        assert_eq!(
            (&record["severityNumber"], &record["severityText"]),
            (&json!(13), &json!("WARN"))
        );
        assert_eq!(record["eventName"], "behavior.tool_call");
        assert_eq!(record["body"]["stringValue"], fields.to_string());
        let rules = json!({ "key": "behavior.rules", "value": { "arrayValue": { "values": [{ "stringValue": "a" }] } } });
        assert!(record["attributes"].as_array().unwrap().contains(&rules), "{record:#}");
    }
}
