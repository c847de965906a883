//! Reading the verdict of a model. A reply is foreign text: whatever it says, reading it is bounded, and yields a
//! verdict and one short line.

use serde_json::Value;

use super::request::one_line;

/// The longest reply that is read, in bytes.
const MAX_REPLY: usize = 1 << 18;

/// The reason where the model gives none.
const NO_REASON: &str = "it says more than what was looked at shows.";

/// What a model says of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is grounded.
    Passed,
    /// It is not.
    Flagged {
        /// Why, on one line.
        reason: String,
    },
    /// The reply is no verdict.
    Unreadable {
        /// What is wrong with it.
        problem: String,
    },
}

impl Verdict {
    /// Reads a reply: the whole of it as JSON, else what stands from the first `{` to the last `}`.
    #[must_use]
    pub fn read(raw: &str) -> Self {
        if raw.len() > MAX_REPLY {
            return unreadable("the verdict cannot be read: it is too long");
        }
        let braced = || raw.get(raw.find('{')?..=raw.rfind('}')?);
        let parsed = serde_json::from_str::<Value>(raw).ok().filter(Value::is_object);
        let parsed = parsed.or_else(|| serde_json::from_str(braced()?).ok());
        let Some(Value::Object(fields)) = parsed else {
            return unreadable("the verdict cannot be read: it is no JSON object");
        };
        let reason = match fields.get("reason") {
            None | Some(Value::Null) => None,
            Some(Value::String(reason)) => Some(one_line(reason)).filter(|one| !one.is_empty()),
            Some(_) => return unreadable("the verdict cannot be read: `reason` is no text"),
        };
        match fields.get("ok") {
            Some(Value::Bool(true)) => Self::Passed,
            Some(Value::Bool(false)) => {
                Self::Flagged { reason: reason.unwrap_or_else(|| NO_REASON.to_owned()) }
            }
            _ => unreadable("the verdict cannot be read: `ok` is neither true nor false"),
        }
    }
}

fn unreadable(problem: &str) -> Verdict {
    Verdict::Unreadable { problem: problem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{NO_REASON, Verdict};

    #[track_caller]
    fn flags(raw: &str, expect: &str) {
        assert_eq!(Verdict::read(raw), Verdict::Flagged { reason: expect.to_owned() }, "{raw}");
    }

    #[track_caller]
    fn is_unreadable(raw: &str) {
        assert!(matches!(Verdict::read(raw), Verdict::Unreadable { .. }), "{raw}");
    }

    #[test]
    fn a_verdict_is_read_from_whatever_stands_around_it() {
        assert_eq!(Verdict::read(r#"{"ok": true}"#), Verdict::Passed);
        assert_eq!(
            Verdict::read("```json\n{\"ok\": true, \"reason\": null}\n```"),
            Verdict::Passed
        );
        flags(r#"Sure: {"ok": false, "reason": "no\ncitation"} Bye"#, "no citation");
        flags(r#"{"ok": false}"#, NO_REASON);
        flags(r#"{"ok": false, "reason": " "}"#, NO_REASON);
    }

    #[test]
    fn anything_else_is_unreadable() {
        for raw in [
            "",
            "ok",
            "[]",
            "null",
            "{}",
            "{\"ok\": \"true\"}",
            "{\"ok\": 1}",
            "{\"ok\": true",
            "{\"ok\": false, \"reason\": 3}",
            "{\"ok\": true} {\"ok\": false}",
            "} {",
        ] {
            is_unreadable(raw);
        }
        is_unreadable(&"[".repeat(100_000));
        is_unreadable(&format!("{{\"ok\": true}}{}", " ".repeat(1 << 20)));
    }
}
