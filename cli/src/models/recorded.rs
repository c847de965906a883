//! Replies that were recorded, or written by hand: lines of JSON, taken in their order for each purpose and session.

use std::collections::{HashMap, VecDeque};

use behavior_runtime::model::{ModelReply, Purpose};
use serde::Deserialize;
use serde_json::Value;

use crate::project;
use crate::terminal::Failure;

/// What a line looks like, for people.
const EXPECTED: &str = "a recorded reply is a line such as `{\"purpose\": \"classify\", \"raw\": \"…\"}`, with \
                        `error` in place of `raw` where the model did not answer";

/// A line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    purpose: String,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    raw: Option<String>,
    #[serde(default)]
    error: Option<String>,
}

/// What a model answered, or why it did not.
type Recording = Result<String, String>;

/// Replies that wait to be taken.
#[derive(Debug, Default)]
pub struct Recorded {
    /// By purpose, and by session where a line names one.
    waiting: HashMap<(Purpose, Option<String>), VecDeque<Recording>>,
}

impl Recorded {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or a line is none of a recorded reply.
    pub fn read(name: &str) -> Result<Self, Failure> {
        let unread = |reason: &str| Failure::Message(format!("cannot read `{name}`: {reason}"));
        let bytes = project::read_once(name).map_err(|error| unread(&project::describe(&error)))?;
        let text = String::from_utf8(bytes).map_err(|_| unread("it is not valid UTF-8"))?;
        let mut recorded = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let number: usize = number;
            if line.trim().is_empty() {
                continue;
            }
            let (key, recording) = parse(line)
                .map_err(|reason| Failure::Message(format!("{name}:{number}: {reason}")))?;
            recorded.waiting.entry(key).or_default().push_back(recording);
        }
        Ok(recorded)
    }

    /// Takes the next reply for a purpose: one for this session, else one that is for any.
    ///
    /// # Errors
    /// Why the model did not answer, as recorded; or that nothing is left.
    pub fn take(&mut self, purpose: Purpose, session: &str) -> Result<ModelReply, String> {
        let mut next = |session: Option<String>| {
            self.waiting.get_mut(&(purpose, session)).and_then(VecDeque::pop_front)
        };
        let found = next(Some(session.to_owned())).or_else(|| next(None));
        let word = purpose.word();
        let raw = found.ok_or_else(|| format!("no recorded reply is left to `{word}`"))??;
        Ok(ModelReply { raw, ..ModelReply::default() })
    }
}

fn parse(line: &str) -> Result<((Purpose, Option<String>), Recording), String> {
    let wrong = |what: &str| format!("{what}; {EXPECTED}");
    let value: Value = serde_json::from_str(line)
        .map_err(|error| wrong(&format!("this is no JSON at column {}", error.column())))?;
    if !value.is_object() {
        return Err(wrong("this is no object"));
    }
    let Line { purpose, session, raw, error } =
        serde_json::from_value(value).map_err(|error| wrong(&error.to_string()))?;
    let known =
        Purpose::ALL.into_iter().find(|known| known.word() == purpose).ok_or_else(|| {
            format!(
                "`{purpose}` is no purpose: they are `classify`, `verify`, `oversee` and `plan`"
            )
        })?;
    let recording = match (raw, error) {
        (Some(raw), None) => Ok(raw),
        (None, Some(error)) => Err(error),
        (Some(_), Some(_)) => return Err(wrong("there are both `raw` and `error`")),
        (None, None) => return Err(wrong("there is neither `raw` nor `error`")),
    };
    Ok(((known, session), recording))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_taken_in_order_for_each_purpose_and_session() {
        let lines = [
            r#"{"purpose": "classify", "raw": "any 1"}"#,
            r#"{"purpose": "classify", "session": "a", "raw": "a 1"}"#,
            r#"{"purpose": "verify", "raw": "verdict"}"#,
            r#"{"purpose": "classify", "error": "no answer came in time"}"#,
        ];
        let mut recorded = Recorded::default();
        for line in lines {
            let (key, recording) = parse(line).expect("they are right");
            recorded.waiting.entry(key).or_default().push_back(recording);
        }
        let mut take = |session| recorded.take(Purpose::Classify, session).map(|reply| reply.raw);
        assert_eq!(take("a").as_deref(), Ok("a 1"));
        assert_eq!(take("a").as_deref(), Ok("any 1"));
        assert_eq!(take("b"), Err("no answer came in time".to_owned()));
        assert_eq!(take("b"), Err("no recorded reply is left to `classify`".to_owned()));
    }

    #[test]
    fn other_lines_are_refused() {
        for (line, begins) in [
            ("", "this is no JSON at column 0; a recorded reply is a line such as"),
            ("nothing", "this is no JSON at column 2; a recorded reply is a line such as"),
            ("[]", "this is no object; a recorded reply is"),
            (r#"{"purpose": "classify"}"#, "there is neither `raw` nor `error`; a recorded"),
            (r#"{"purpose": "classify", "raw": "a", "error": "b"}"#, "there are both `raw` and"),
            (r#"{"purpose": "judge", "raw": "a"}"#, "`judge` is no purpose"),
            (r#"{"purpose": "classify", "raw": "a", "more": 1}"#, "unknown field `more`"),
            (
                r#"{"purpose": "classify", "raw": 5}"#,
                "invalid type: integer `5`, expected a string; ",
            ),
        ] {
            let reason = parse(line).map(drop).expect_err(line);
            assert!(reason.starts_with(begins), "{line}: {reason}");
            assert!(!reason.contains("line 1"), "{reason}");
        }
    }
}
