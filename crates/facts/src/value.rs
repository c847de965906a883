//! A value of an event: a parameter or a result, as conditions look at it.

use std::borrow::Cow;

use crate::event::Value;

/// A value of an event.
#[derive(Clone, Copy, Debug)]
pub enum ValueRef<'a> {
    /// A string, without quotes and escapes.
    Text(&'a str),
    /// Valid JSON text of a value that is not a string.
    Json(&'a str),
}

impl<'a> From<&'a Value<'_>> for ValueRef<'a> {
    #[inline]
    fn from(value: &'a Value<'_>) -> Self {
        match value {
            Value::Text(text) => ValueRef::Text(text),
            Value::Json(json) => ValueRef::Json(json),
        }
    }
}

impl<'a> ValueRef<'a> {
    /// The value as conditions see a whole value: a string's text, or compact JSON.
    #[inline]
    #[must_use]
    pub fn text(self) -> Cow<'a, str> {
        match self {
            ValueRef::Text(text) => Cow::Borrowed(text),
            ValueRef::Json(json) => match serde_json::from_str::<serde_json::Value>(json) {
                Ok(value) => Cow::Owned(value.to_string()),
                Err(_) => Cow::Borrowed(json),
            },
        }
    }

    /// Whether `test` holds of the text, or of any element's text if this is a list.
    pub fn any_text(self, mut test: impl FnMut(&str) -> bool) -> bool {
        let json = match self {
            ValueRef::Text(text) => return test(text),
            ValueRef::Json(json) => json,
        };
        match serde_json::from_str::<serde_json::Value>(json) {
            Ok(serde_json::Value::Array(items)) => items.iter().any(|item| match item {
                serde_json::Value::String(text) => test(text),
                other => test(&other.to_string()),
            }),
            Ok(value) => test(&value.to_string()),
            Err(_) => test(json),
        }
    }
}
