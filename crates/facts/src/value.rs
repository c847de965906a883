//! A value of an event: a parameter or a result, as conditions look at it.

use std::borrow::Cow;

use crate::event::Value;
use behavior_image::code::Comparison;

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

    /// Returns whether a comparison with a value, which is given as JSON, holds: of numbers by their size, of all else
    /// by whether both are equal.
    #[must_use]
    pub fn compares(self, comparison: Comparison, expected: &str) -> bool {
        let Ok(expected) = serde_json::from_str::<serde_json::Value>(expected) else {
            return false;
        };
        let actual = match self {
            ValueRef::Text(text) => serde_json::Value::String(text.to_owned()),
            ValueRef::Json(json) => match serde_json::from_str(json) {
                Ok(value) => value,
                Err(_) => return false,
            },
        };
        let equal = match (actual.as_f64(), expected.as_f64()) {
            (Some(actual), Some(expected)) => actual == expected,
            _ => actual == expected,
        };
        let order = || match (actual.as_f64(), expected.as_f64()) {
            (Some(actual), Some(expected)) => actual.partial_cmp(&expected),
            _ => None,
        };
        match comparison {
            Comparison::Equal => equal,
            Comparison::NotEqual => !equal,
            Comparison::Less => order().is_some_and(|order| order.is_lt()),
            Comparison::LessOrEqual => order().is_some_and(|order| order.is_le()),
            Comparison::Greater => order().is_some_and(|order| order.is_gt()),
            Comparison::GreaterOrEqual => order().is_some_and(|order| order.is_ge()),
        }
    }
}
