//! What came of tests, as one JSON object.

use serde_json::{Value, json};

use super::session::{Ran, Session};
use crate::render::json::to_text;

/// The version of the shape.
const VERSION: u32 = 1;

/// Writes the object.
///
/// # Errors
/// None: plain data is always written.
pub fn render(session: &Session) -> std::io::Result<String> {
    let failed = session.failed().count();
    let (fired, rules) = session.coverage.counts();
    let never = session.coverage.silent();
    let never = never.iter().map(|(file, rule)| json!({ "file": file, "rule": rule }));
    to_text(&json!({
        "version": VERSION,
        "tests": session.ran.iter().map(test).collect::<Vec<_>>(),
        "coverage": { "rules": rules, "fired": fired, "never": never.collect::<Vec<_>>() },
        "summary": {
            "tests": session.ran.len(),
            "examples": session.examples,
            "passed": session.ran.len() - failed,
            "failed": failed,
        },
    }))
}

fn test(ran: &Ran) -> Value {
    let result = &ran.result;
    let failures = result
        .failures
        .iter()
        .map(|failure| json!({ "at": failure.at, "rule": failure.rule, "message": failure.what }));
    let mut test = json!({
        "file": result.file,
        "line": result.line,
        "name": result.name,
        "passed": result.failures.is_empty(),
        "failures": failures.collect::<Vec<_>>(),
    });
    if let (Some(why), Some(fields)) = (&ran.why, test.as_object_mut()) {
        fields.insert("explanations".to_owned(), why.to_json());
    }
    test
}
