//! How values of a pair are held against those of a rule. Both are JSON text; nothing is kept.

use std::cmp::Ordering;

use serde_json::Value;

use super::watched::is_tool;
use crate::exchange::{Block, ToolNames, blocks_of};
use behavior_image::code::Operator;

/// Whether `actual` stands to `expected` as the operator says. Orderings need two numbers.
pub(crate) fn holds(operator: Operator, actual: &str, expected: &str) -> bool {
    match operator {
        Operator::Equal => json_equal(actual, expected),
        Operator::NotEqual => !json_equal(actual, expected),
        Operator::Greater => order(actual, expected) == Some(Ordering::Greater),
        Operator::GreaterOrEqual => order(actual, expected).is_some_and(Ordering::is_ge),
        Operator::Less => order(actual, expected) == Some(Ordering::Less),
        Operator::LessOrEqual => order(actual, expected).is_some_and(Ordering::is_le),
        Operator::In => has_item(expected, actual),
        Operator::NotIn => !has_item(expected, actual),
        Operator::Contains => contains(actual, expected),
        Operator::NotContains => !contains(actual, expected),
    }
}

/// The content of a response, for [`content_holds`].
pub(crate) struct Content<'c> {
    /// Its JSON text.
    pub json: &'c str,
    /// Its blocks, where they are known.
    pub blocks: Option<&'c [Block<'c>]>,
    /// What else the tools in it are called.
    pub names: &'c ToolNames<'c>,
}

impl Content<'_> {
    /// Whether it contains a value: a text is looked for in texts and among the names of tools.
    fn contains(&self, expected: &str) -> bool {
        match (behavior_json::text_of(expected), self.blocks) {
            (Some(wanted), Some(blocks)) => is_in_blocks(blocks, &wanted, self.names),
            (Some(wanted), None) => is_in_blocks(&blocks_of(self.json), &wanted, self.names),
            (None, _) => contains(self.json, expected),
        }
    }
}

/// The same of the content of a response.
pub(crate) fn content_holds(operator: Operator, actual: &Content<'_>, expected: &str) -> bool {
    match operator {
        Operator::Contains => actual.contains(expected),
        Operator::NotContains => !actual.contains(expected),
        _ => holds(operator, actual.json, expected),
    }
}

fn is_in_blocks(blocks: &[Block<'_>], wanted: &str, names: &ToolNames<'_>) -> bool {
    blocks.iter().any(|block| match block {
        Block::Text(text) => text.contains(wanted),
        Block::ToolUse { name, .. } => names.of(name).any(|name| is_tool(name, wanted)),
    })
}

/// Whether two JSON values are the same: the order of keys does not count, nor does how a number is
/// written.
fn json_equal(left: &str, right: &str) -> bool {
    if left == right {
        return true;
    }
    match (left.as_bytes().first(), right.as_bytes().first()) {
        (Some(b'"'), Some(b'"')) => behavior_json::text_of(left) == behavior_json::text_of(right),
        (Some(b'{' | b'['), Some(b'{' | b'[')) => match (parse(left), parse(right)) {
            (Some(left), Some(right)) => same(&left, &right),
            _ => false,
        },
        _ => order(left, right) == Some(Ordering::Equal),
    }
}

/// serde_json bounds the depth by itself.
fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || order(&left.to_string(), &right.to_string()) == Some(Ordering::Equal)
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            let is_there = |(key, l): (&String, &Value)| right.get(key).is_some_and(|r| same(l, r));
            left.len() == right.len() && left.iter().all(is_there)
        }
        _ => left == right,
    }
}

/// How two JSON numbers compare; nothing where one is none.
fn order(left: &str, right: &str) -> Option<Ordering> {
    if let (Ok(left), Ok(right)) = (left.parse::<i64>(), right.parse::<i64>()) {
        return Some(left.cmp(&right));
    }
    let number = |text: &str| {
        let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        is_number.then(|| text.parse::<f64>().ok()).flatten()
    };
    number(left)?.partial_cmp(&number(right)?)
}

fn has_item(list: &str, wanted: &str) -> bool {
    let mut found = false;
    let read = behavior_json::items(list, |item| found |= json_equal(item.get(), wanted));
    read.is_ok() && found
}

fn contains(actual: &str, expected: &str) -> bool {
    match actual.as_bytes().first() {
        Some(b'"') => match (behavior_json::text_of(actual), behavior_json::text_of(expected)) {
            (Some(actual), Some(expected)) => actual.contains(&*expected),
            _ => false,
        },
        Some(b'[') => has_item(actual, expected),
        _ => false,
    }
}

/// One text for all spellings of a value, so that it can be kept and compared later. Long ones are
/// cut to a beginning and a sum.
pub(crate) fn canonical_json(text: &str) -> Box<str> {
    const KEPT: usize = 1024;
    let full = match text.as_bytes().first() {
        Some(b'{' | b'[') => match parse(text) {
            Some(mut value) => {
                value.sort_all_objects();
                write_canonical(&value)
            }
            None => text.to_owned(),
        },
        Some(b'"') => {
            behavior_json::text_of(text).map_or(text.to_owned(), |t| Value::from(&*t).to_string())
        }
        _ => canonical_number(text),
    };
    if full.len() <= KEPT {
        return full.into();
    }
    let mut start = 96;
    while !full.is_char_boundary(start) {
        start -= 1;
    }
    let sum = full.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |sum, byte| {
        (sum ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    });
    let beginning = full.get(..start).unwrap_or_default();
    format!("{beginning}… ({} bytes, {sum:032x})", full.len()).into()
}

fn write_canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => canonical_number(&number.to_string()),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(write_canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                format!("{}:{}", Value::from(key.as_str()), write_canonical(value))
            };
            let fields: Vec<_> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(","))
        }
        other => other.to_string(),
    }
}

/// `1.0` and `1e0` are 1.
fn canonical_number(text: &str) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if text.parse::<i64>().is_ok() {
        return text.to_owned();
    }
    match text.parse::<f64>() {
        #[expect(clippy::cast_possible_truncation, reason = "it is in range")]
        Ok(number) if number.fract() == 0.0 && number.abs() <= EXACT => (number as i64).to_string(),
        Ok(number) if number.is_finite() => number.to_string(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(actual: &str, operator: &str, expected: &str, expect: bool) {
        let operator = Operator::ALL.iter().find(|known| known.name() == operator);
        let operator = *operator.expect("an operator");
        assert_eq!(holds(operator, actual, expected), expect, "{actual} {operator:?} {expected}");
    }

    #[test]
    fn values_are_equal_however_they_are_written() {
        check("1", "==", "1.0", true);
        check("100", "==", "1e2", true);
        check("1", "==", "\"1\"", false);
        check("true", "==", "1", false);
        check("true", "==", "true", true);
        check(r#""a""#, "==", r#""\u0061""#, true);
        check(r#"{"a":1,"b":[2.0]}"#, "==", r#"{ "b": [2], "a": 1 }"#, true);
        check(r#"{"a":1}"#, "!=", r#"{"a":1,"b":2}"#, true);
        check("9007199254740993", "==", "9007199254740992", false);
    }

    #[test]
    fn orderings_need_numbers() {
        check("5", ">", "4.5", true);
        check("5", "<=", "5", true);
        check("-1", "<", "0", true);
        check("\"5\"", ">", "4", false);
        check("5", ">", "\"4\"", false);
        check("true", ">=", "0", false);
    }

    #[test]
    fn membership_goes_both_ways() {
        check("\"a\"", "in", r#"["b","a"]"#, true);
        check("3", "not_in", "[1, 2]", true);
        check("3", "in", "[1, 3.0]", true);
        check(r#"["x","y"]"#, "contains", "\"y\"", true);
        check("\"quote_total\"", "contains", "\"total\"", true);
        check("\"abc\"", "not_contains", "\"d\"", true);
        check("12", "contains", "\"1\"", false);
    }

    #[test]
    fn canonical_texts_agree_with_equality() {
        let texts = [
            "1",
            "1.0",
            "\"1\"",
            "true",
            r#"{"a":1,"b":2}"#,
            r#"{"b":2.0,"a":1}"#,
            "[1]",
            "[1.0]",
            "0.5",
            "5e-1",
            "\"é\"",
            "\"\\u00e9\"",
        ];
        for left in texts {
            for right in texts {
                let is_same = canonical_json(left) == canonical_json(right);
                assert_eq!(json_equal(left, right), is_same, "{left} and {right}");
            }
        }
        let long = |last: char| format!("\"{}{last}\"", "é".repeat(5000));
        assert_ne!(canonical_json(&long('a')), canonical_json(&long('b')));
        assert!(canonical_json(&long('a')).len() < 300);
    }
}
