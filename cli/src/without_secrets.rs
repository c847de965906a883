//! Texts and data as they may be shown and kept: without the secrets in them.

use behavior_secrets::{contains_secret, redacted};
use serde::Serialize;
use serde_json::Value;

/// Returns a text without its secrets.
#[must_use]
pub fn text(text: &str) -> String {
    match contains_secret(text) {
        None => text.to_owned(),
        Some(_) => redacted(text, usize::MAX),
    }
}

/// Returns plain data without the secrets in its texts.
///
/// # Errors
/// When the data has a form that JSON lacks.
pub fn data(data: &impl Serialize) -> std::io::Result<Value> {
    let mut value = serde_json::to_value(data).map_err(std::io::Error::other)?;
    clean(&mut value);
    Ok(value)
}

fn clean(value: &mut Value) {
    match value {
        Value::String(text) if contains_secret(text).is_some() => {
            *text = redacted(text, usize::MAX);
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(entries) => entries.values_mut().for_each(clean),
        _ => {}
    }
}

/// Returns the text of a JSON value without the secrets in it, be they written with escapes. A text that is no JSON loses
/// those that can be seen.
#[must_use]
pub fn json(text: &str) -> String {
    let shown = redacted(text, usize::MAX);
    if !text.contains('\\') {
        return shown;
    }
    let Ok(before) = serde_json::from_str::<Value>(text) else { return shown };
    match data(&before) {
        Ok(after) if after != before => after.to_string(),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_hide_nothing() {
        let secret = "a1B2c3D4e5F6".repeat(3);
        let text = format!("{{\"reason\": \"use \\u0067hp_{secret} now\"}}");
        assert!(json(&text).contains("use "), "{}", json(&text));
        assert!(!json(&text).contains(&secret), "{}", json(&text));
        let plain = r#"{"action":"loop","reason":"a \" mark"}"#;
        assert_eq!(json(plain), plain);
    }
}
