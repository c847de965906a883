//! How much work a JSON Schema makes: bounded walks over what can apply to one value. Judges nothing.

use serde_json::{Map, Value};

/// No more places of a schema are looked at, each once for every way that leads to it.
const MAX_STEPS: u32 = 500_000;
/// No more places lead to one another.
const MAX_DEPTH: usize = 512;

/// Returns whether a schema is made ready in bounded time: what says something of all that others leave over is put together
/// from all that stands beside it, once for each way that leads there.
pub fn is_prepared_soon(schema: &Value) -> bool {
    let mut walk = Walk::of(schema);
    let mut left = vec![schema];
    while let Some(place) = left.pop() {
        match place {
            Value::Array(items) => left.extend(items),
            Value::Object(fields) => {
                left.extend(fields.values());
                if asks_what_is_left(fields) && walk.visit(place, None).is_none() {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// Returns whether a text is held against a schema in bounded time.
pub fn is_compared_soon(schema: &Value, text: &Value) -> bool {
    Walk::of(schema).visit(schema, Some(text)).is_some()
}

fn asks_what_is_left(fields: &Map<String, Value>) -> bool {
    fields.contains_key("unevaluatedProperties") || fields.contains_key("unevaluatedItems")
}

struct Walk<'s> {
    root: &'s Value,
    /// What has a name or an address, with the key that says so.
    named: Vec<(&'s str, &'s str, &'s Value)>,
    left: u32,
    /// The places that lead here, each with the value that it applies to.
    open: Vec<(&'s Value, Option<&'s Value>)>,
}

impl<'s> Walk<'s> {
    fn of(root: &'s Value) -> Self {
        Self { root, named: named(root), left: MAX_STEPS, open: Vec::new() }
    }

    /// Goes to all that applies where a schema does, and below where a value is given. `None` where that is too much.
    fn visit(&mut self, schema: &'s Value, value: Option<&'s Value>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let Value::Object(fields) = schema else { return Some(()) };
        let is_here = |open: &(&Value, Option<&Value>)| {
            let is_its = match (open.1, value) {
                (Some(one), Some(other)) => std::ptr::eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            };
            is_its && std::ptr::eq(open.0, schema)
        };
        // A circle ends where it began.
        if self.open.iter().any(is_here) {
            return Some(());
        }
        if self.open.len() >= MAX_DEPTH {
            return None;
        }
        self.open.push((schema, value));
        for _ in 0..=u8::from(asks_what_is_left(fields)) {
            for (name, inner) in fields {
                self.apply(name, inner, value)?;
            }
        }
        self.open.pop();
        Some(())
    }

    fn apply(&mut self, name: &str, inner: &'s Value, value: Option<&'s Value>) -> Option<()> {
        match name {
            "$ref" | "$dynamicRef" => {
                let targets = inner.as_str().map(|name| self.targets(name)).unwrap_or_default();
                // Where nobody finds it, nobody knows how much it is.
                if targets.is_empty() {
                    return None;
                }
                targets.into_iter().try_for_each(|target| self.visit(target, value))
            }
            "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies" => {
                inside(inner).into_iter().try_for_each(|one| self.visit(one, value))
            }
            "not" | "if" | "then" | "else" => self.visit(inner, value),
            "properties" => inner.as_object().into_iter().flatten().try_for_each(|(name, one)| {
                value
                    .and_then(|value| value.get(name))
                    .map_or(Some(()), |value| self.visit(one, Some(value)))
            }),
            "patternProperties" | "prefixItems" => {
                inside(inner).into_iter().try_for_each(|one| self.below(name, one, value))
            }
            "items" if inner.is_array() => {
                inside(inner).into_iter().try_for_each(|one| self.below(name, one, value))
            }
            "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "items"
            | "additionalItems"
            | "contains"
            | "unevaluatedItems" => self.below(name, inner, value),
            _ => Some(()),
        }
    }

    /// Goes to what a keyword applies to each part of a value, if it is about such values.
    fn below(&mut self, keyword: &str, schema: &'s Value, value: Option<&'s Value>) -> Option<()> {
        let is_of_lists = keyword == "contains" || keyword.to_ascii_lowercase().ends_with("items");
        let is_its = |value: &&Value| value.is_array() == is_of_lists;
        let parts = value.filter(is_its).map(inside).unwrap_or_default();
        parts.into_iter().try_for_each(|part| self.visit(schema, Some(part)))
    }

    /// Where a reference may lead in this document: by an address, and there by a pointer or by a name.
    fn targets(&self, reference: &str) -> Vec<&'s Value> {
        let (address, part) = reference.split_once('#').unwrap_or((reference, ""));
        let named = |keys: &'static [&str], wanted: &str| {
            let is_it = |(key, name, _): &&(&str, &str, &Value)| {
                keys.contains(key) && (*name == wanted || name.ends_with(&format!("/{wanted}")))
            };
            self.named.iter().filter(is_it).map(|(_, _, place)| *place).collect::<Vec<_>>()
        };
        if !part.is_empty() && !part.starts_with('/') {
            return named(&["$anchor", "$dynamicAnchor"], part);
        }
        let documents = match address {
            "" => self.documents(),
            address => named(&["$id"], address.trim_end_matches('/')),
        };
        let part = decoded(part);
        documents.into_iter().filter_map(|document| document.pointer(&part)).collect()
    }

    /// All documents of this one, itself first: a pointer starts in one of them.
    fn documents(&self) -> Vec<&'s Value> {
        let inner = self.named.iter().filter(|(key, ..)| *key == "$id").map(|(_, _, place)| *place);
        std::iter::once(self.root).chain(inner).collect()
    }
}

/// The places of a schema that have a name or an address, with what says so.
fn named(root: &Value) -> Vec<(&str, &str, &Value)> {
    let mut found = Vec::new();
    let mut left = vec![root];
    while let Some(place) = left.pop() {
        if let Value::Object(fields) = place {
            for key in ["$anchor", "$dynamicAnchor", "$id"] {
                if let Some(name) = fields.get(key).and_then(Value::as_str) {
                    // An older way to give a place a name.
                    match name.strip_prefix('#') {
                        Some(name) => found.push(("$anchor", name, place)),
                        None => found.push((key, name.trim_end_matches(['#', '/']), place)),
                    }
                }
            }
        }
        left.extend(inside(place));
    }
    found
}

/// The part of a reference with its escapes resolved, as an address has them: `%24defs`.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let digits =
            behind.get(..2).filter(|_| first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The values inside of one.
fn inside(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A schema whose places lead to one another twice, so many times.
    fn doubling(count: usize, field: &str) -> Value {
        let mut places = Map::new();
        for at in 0..count {
            let next = json!({"$ref": format!("#/$defs/{}", at + 1)});
            places.insert(at.to_string(), json!({field: [next, next]}));
        }
        places.insert(count.to_string(), json!(true));
        json!({"$ref": "#/$defs/0", "$defs": places})
    }

    #[test]
    fn what_doubles_at_each_step_is_too_much() {
        for field in ["allOf", "anyOf", "oneOf"] {
            assert!(is_compared_soon(&doubling(8, field), &json!(1)), "{field}");
            assert!(!is_compared_soon(&doubling(40, field), &json!(1)), "{field}");
        }
        let mut left = doubling(40, "allOf");
        assert!(is_prepared_soon(&left));
        left.as_object_mut().unwrap().insert("unevaluatedProperties".to_owned(), json!(false));
        assert!(!is_prepared_soon(&left));
    }

    #[test]
    fn names_addresses_and_pointers_are_followed() {
        let named = |reference: &str, name: &str| {
            let mut schema = doubling(40, "allOf");
            let places = schema["$defs"].as_object_mut().unwrap();
            let mut first = places.remove("0").unwrap();
            let (key, value) = name.split_once('=').unwrap();
            first[key] = json!(value);
            places.insert("first".to_owned(), first);
            schema["$ref"] = json!(reference);
            is_compared_soon(&schema, &json!({}))
        };
        for (reference, name) in [
            ("#a", "$anchor=a"),
            ("#a", "$id=#a"),
            ("a.json", "$id=https://example.com/a.json"),
            ("https://example.com/a.json", "$id=https://example.com/a.json"),
            ("#/%24defs/first", "title=x"),
            // Nobody knows where that leads.
            ("#b", "$anchor=a"),
        ] {
            assert!(!named(reference, name), "{reference}");
        }
    }

    #[test]
    fn trees_of_usual_size_are_compared() {
        let schema = json!({"$defs": {"node": {"oneOf": [
            {"type": "string"},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}},
            {"type": "array", "items": {"$ref": "#/$defs/node"}},
        ]}}, "$ref": "#/$defs/node"});
        let mut value = json!("x");
        for _ in 0..40 {
            value = json!({"a": [value, "y", 3]});
        }
        assert!(is_compared_soon(&schema, &value));
        assert!(is_compared_soon(&json!({"$ref": "#"}), &value), "a circle ends");
    }
}
