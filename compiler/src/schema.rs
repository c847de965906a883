//! JSON Schemas: whether one is valid, and how a text fails it. The library that knows them stays in
//! here. References to other documents are refused, so that nothing is ever fetched.

#[cfg(feature = "json-schema")]
mod work;

/// A JSON Schema that is ready to use.
#[derive(Debug)]
pub struct Schema {
    #[cfg(feature = "json-schema")]
    validator: jsonschema::Validator,
    #[cfg(feature = "json-schema")]
    schema: serde_json::Value,
}

/// Why a schema cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong with it.
    pub reason: String,
    /// What to do about it.
    pub help: &'static str,
}

/// How a text fails a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The dotted path to the value that is not as it should be, empty for the whole; `None` when
    /// the text is not JSON at all.
    pub path: Option<String>,
    /// What is wrong, for people.
    pub reason: String,
}

#[cfg(feature = "json-schema")]
mod library {
    use jsonschema::{PatternOptions, Retrieve, Uri};
    use serde_json::Value;

    use super::{Fault, Mismatch, Schema, work};

    /// Fetches nothing.
    struct Refuse;

    impl Retrieve for Refuse {
        fn retrieve(
            &self,
            uri: &Uri<String>,
        ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
            Err(format!("`{uri}` is another document").into())
        }
    }

    /// The draft of a schema that says it is of one that is not known. The library would take it for
    /// what it may not be.
    fn other_draft(schema: &Value) -> Option<&'static str> {
        let named = schema.get("$schema")?.as_str()?;
        ["03", "04", "06"]
            .into_iter()
            .find(|draft| named.contains(&format!("draft-{draft}")))
            .map(|draft| draft.trim_start_matches('0'))
            .or_else(|| named.contains("2019-09").then_some("2019-09"))
    }

    impl Schema {
        /// Reads a schema from JSON text.
        ///
        /// # Errors
        /// When it is not JSON, not a valid schema, or refers to another document.
        pub fn new(text: &str) -> Result<Self, Fault> {
            let fault = |reason: String, help| Err(Fault { reason, help });
            let schema: Value = match serde_json::from_str(text) {
                Ok(schema) => schema,
                Err(error) => {
                    return fault(
                        format!("the schema is not valid JSON: {error}"),
                        "a schema is a JSON object",
                    );
                }
            };
            if !schema.is_object() && !schema.is_boolean() {
                return fault(
                    "a JSON Schema is a mapping".to_owned(),
                    "write it as one, such as `{type: object}`",
                );
            }
            if let Some(draft) = other_draft(&schema) {
                return fault(
                    format!("the schema is of draft {draft}, which is not known"),
                    "drafts 7 and 2020-12 are known: rewrite it as one of them, or leave out `$schema`",
                );
            }
            if !work::is_prepared_soon(&schema) {
                return fault(
                    "the schema leads to too many places to be made ready".to_owned(),
                    "write what `unevaluatedProperties` and `unevaluatedItems` look at with fewer references",
                );
            }
            // Others take a time that nobody can tell.
            let patterns = PatternOptions::regex();
            let options = jsonschema::options().with_retriever(Refuse);
            match options.with_pattern_options(patterns).build(&schema) {
                Ok(validator) => Ok(Self { validator, schema }),
                Err(error) => fault(
                    format!("the schema is not valid: {}", lower(&error.to_string())),
                    "drafts 7 and 2020-12 are known; references to other documents are not followed",
                ),
            }
        }

        /// How `text` fails the schema, if it does: the first thing that is wrong.
        #[must_use]
        pub fn mismatch(&self, text: &str) -> Option<Mismatch> {
            let value: Value = match serde_json::from_str(text) {
                Ok(value) => value,
                Err(error) => return Some(Mismatch { path: None, reason: error.to_string() }),
            };
            if !work::is_compared_soon(&self.schema, &value) {
                let reason = "the schema leads to too many places for this text".to_owned();
                return Some(Mismatch { path: Some(String::new()), reason });
            }
            let error = self.validator.validate(&value).err()?;
            let path = error.instance_path().as_str().trim_start_matches('/');
            let parts: Vec<_> =
                path.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect();
            let reason: String = lower(&error.to_string()).chars().take(300).collect();
            Some(Mismatch { path: Some(parts.join(".")), reason })
        }
    }

    /// The library's messages, in the style of ours.
    fn lower(text: &str) -> String {
        let mut characters = text.chars();
        match characters.next() {
            Some(first) if characters.as_str().starts_with(char::is_lowercase) => {
                first.to_lowercase().chain(characters).collect()
            }
            _ => text.to_owned(),
        }
    }
}

#[cfg(not(feature = "json-schema"))]
impl Schema {
    /// Says that schemas are not known here.
    ///
    /// # Errors
    /// Always.
    pub fn new(_text: &str) -> Result<Self, Fault> {
        Err(Fault {
            reason: "this build of `behavior` does not know JSON Schema".to_owned(),
            help: "use one that was built with the feature `json-schema`",
        })
    }

    /// There is no schema to fail.
    #[must_use]
    pub fn mismatch(&self, _text: &str) -> Option<Mismatch> {
        None
    }
}

#[cfg(all(test, feature = "json-schema"))]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: &str, text: &str, expect: Option<Option<&str>>) {
        let Ok(schema) = Schema::new(schema) else { unreachable!("a valid schema") };
        let found = schema.mismatch(text).map(|mismatch| mismatch.path);
        assert_eq!(found.as_ref().map(|path| path.as_deref()), expect, "{text}");
    }

    const REFUND: &str = r#"{"type":"object","required":["amount"],"properties":{"amount":{"type":"number"},"items":{"type":"array","items":{"type":"string"}}}}"#;

    #[test]
    fn the_failing_path_is_dotted() {
        check(REFUND, r#"{"amount": 5}"#, None);
        check(REFUND, r#"{"amount": "5"}"#, Some(Some("amount")));
        check(REFUND, r#"{"amount": 5, "items": ["a", 1]}"#, Some(Some("items.1")));
        check(REFUND, "{}", Some(Some("")));
        check(REFUND, "NaN", Some(None));
        check(REFUND, r#"{"amount": Infinity}"#, Some(None));
        check(REFUND, "no JSON", Some(None));
    }

    #[test]
    fn a_schema_says_which_draft_it_is_of() {
        let draft7 =
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"number"}]}"#;
        check(draft7, r#"["a"]"#, Some(Some("0")));
        let newer = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"number"}]}"#;
        check(newer, r#"["a"]"#, Some(Some("0")));
        check(r#"{"prefixItems":[{"type":"number"}]}"#, r#"["a"]"#, Some(Some("0")));
    }

    #[test]
    fn what_is_no_schema_is_refused() {
        for text in [
            "[]",
            "3",
            "{",
            r#"{"type": 5}"#,
            r#"{"type":"objct"}"#,
            r#"{"$ref":"https://example.com/a.json"}"#,
            r#"{"$ref":"other.json"}"#,
            r##"{"$ref":"#/$defs/none"}"##,
            r#"{"pattern":"("}"#,
        ] {
            assert!(Schema::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn patterns_and_references_take_no_endless_time() {
        let text = format!("\"{}!\"", "a".repeat(60));
        check(r#"{"pattern":"^(a+)+$"}"#, &text, Some(Some("")));
        assert!(Schema::new(r#"{"pattern":"(a)\\1"}"#).is_err(), "no back-references");
        let mut places: Vec<String> = (0..40)
            .map(|at| {
                let next = format!(r##"{{"$ref":"#/$defs/{}"}}"##, at + 1);
                format!(r#""{at}":{{"allOf":[{next},{next}]}}"#)
            })
            .collect();
        places.push("\"40\":{}".to_owned());
        let places = places.join(",");
        check(&format!(r##"{{"$defs":{{{places}}},"$ref":"#/$defs/0"}}"##), "1", Some(Some("")));
        let left =
            format!(r##"{{"$defs":{{{places}}},"$ref":"#/$defs/0","unevaluatedItems":false}}"##);
        assert!(Schema::new(&left).is_err());
    }

    #[test]
    fn references_in_a_circle_end() {
        let schema = Schema::new(r##"{"$ref":"#"}"##);
        if let Ok(schema) = schema {
            let _ = schema.mismatch("{}");
        }
        let tree = r##"{"$defs":{"t":{"type":"object","additionalProperties":{"$ref":"#/$defs/t"}}},"$ref":"#/$defs/t"}"##;
        check(tree, r#"{"a":{"b":{"c":1}}}"#, Some(Some("a.b.c")));
    }
}
