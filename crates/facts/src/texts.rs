//! The texts in a value, however deep. Knows no rules.

use crate::value::ValueRef;

/// Objects in a parameter are looked into so deep.
const MAX_DEPTH: u32 = 8;

/// Calls `visit` with each text of a value.
pub fn each_text(value: ValueRef<'_>, visit: &mut dyn FnMut(&str)) {
    match value {
        ValueRef::Text(text) => visit(text),
        ValueRef::Json(json) => {
            if let Ok(inner) = serde_json::from_str(json) {
                look_inside(&inner, 0, visit);
            }
        }
    }
}

fn look_inside(value: &serde_json::Value, depth: u32, visit: &mut dyn FnMut(&str)) {
    use serde_json::Value;
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) if depth < MAX_DEPTH => {
            items.iter().for_each(|item| look_inside(item, depth + 1, visit));
        }
        Value::Object(fields) if depth < MAX_DEPTH => {
            fields.values().for_each(|item| look_inside(item, depth + 1, visit));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::each_text;
    use crate::value::ValueRef;

    #[test]
    fn texts_in_objects_are_found_in_bounded_depth() {
        let found = |json: &str| {
            let mut found = Vec::new();
            each_text(ValueRef::Json(json), &mut |text| found.push(text.to_owned()));
            found
        };
        assert_eq!(found(r#"{"job":{"prompts":["push","tag"]}}"#), ["push", "tag"]);
        assert_eq!(found(&format!("{}\"x\"{}", "[".repeat(60), "]".repeat(60))), [""; 0]);
    }
}
