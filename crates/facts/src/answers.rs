//! What a user answered when the agent asked with a tool of its own: the questions and the answers, as the results of
//! such tools tell them. Knows no agent by name.

use serde_json::Value;

use crate::tool_catalogue::TOOLS;
use crate::value::ValueRef;

/// A longer result is not read, in bytes.
const MAX_RESULT: usize = 1 << 16;

/// So many answers are read.
const MAX_ANSWERS: usize = 32;

/// Whether a tool, as its agent names it, asks the user. One of a server may say anything, and has the server's name in
/// its own.
#[must_use]
pub fn is_asking_tool(native: &str) -> bool {
    let asking = TOOLS.iter().find(|tool| tool.name == "ask_user");
    asking.is_some_and(|tool| tool.names().any(|name| name.eq_ignore_ascii_case(native)))
}

/// What the user answered to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The question; a mere key of it where the result tells no more.
    pub question: String,
    /// What the user answered.
    pub answer: String,
    /// Whether the result keeps questions and answers apart.
    pub(crate) is_apart: bool,
}

/// The answers that a result holds: `{"answers": {"QUESTION": "ANSWER"}}` as an object or as its text, or `"QUESTION"="ANSWER"`
/// somewhere in a text. A text is believed where the questions are known and none has a quote in it: the agent writes
/// them, and one could hold an answer of its own.
#[must_use]
pub fn answers(result: ValueRef<'_>, questions: Option<ValueRef<'_>>) -> Vec<Answer> {
    let is_plain = questions.is_some_and(|questions| {
        let (ValueRef::Text(text) | ValueRef::Json(text)) = questions;
        !text.contains("\\\"") && !text.contains("\\u")
    });
    let mut found = told(result);
    if !is_plain {
        found.retain(|answer| answer.is_apart);
    }
    found
}

fn told(result: ValueRef<'_>) -> Vec<Answer> {
    let text = match result {
        ValueRef::Text(text) | ValueRef::Json(text) => text.trim(),
    };
    if text.len() > MAX_RESULT {
        return Vec::new();
    }
    let mut found = Vec::new();
    match serde_json::from_str::<Value>(text) {
        Ok(value) => of_value(&value, &mut found),
        Err(_) => of_text(text, &mut found),
    }
    found.truncate(MAX_ANSWERS);
    found
}

fn of_value(value: &Value, found: &mut Vec<Answer>) {
    match value {
        Value::String(text) => of_text(text, found),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            texts.for_each(|text| of_text(text, found));
        }
        Value::Object(fields) => match fields.get("answers") {
            Some(Value::Object(answers)) => {
                for (question, answer) in answers {
                    chosen(question, answer, found);
                }
            }
            Some(Value::Array(answers)) => {
                answers.iter().for_each(|answer| chosen("", answer, found))
            }
            _ => {}
        },
        _ => {}
    }
}

/// An answer is a text, a list of texts, or an object with `answers` in it.
fn chosen(question: &str, answer: &Value, found: &mut Vec<Answer>) {
    match answer {
        Value::String(text) => {
            found.push(Answer {
                question: question.to_owned(),
                answer: text.clone(),
                is_apart: true,
            });
        }
        Value::Array(texts) => {
            for text in texts.iter().filter_map(Value::as_str) {
                found.push(Answer {
                    question: question.to_owned(),
                    answer: text.to_owned(),
                    is_apart: true,
                });
            }
        }
        Value::Object(fields) => {
            if let Some(texts @ Value::Array(_)) = fields.get("answers") {
                chosen(question, texts, found);
            }
        }
        _ => {}
    }
}

/// Reads `"QUESTION"="ANSWER"` in a text, and a text that is an object.
fn of_text(text: &str, found: &mut Vec<Answer>) {
    if text.trim_start().starts_with('{') {
        if let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(text) {
            of_value(&value, found);
        }
        return;
    }
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\"=\"") {
        let question = before.rsplit_once('"').map_or(before, |(_, question)| question);
        let Some((answer, after)) = behind.split_once('"') else { return };
        if found.len() == MAX_ANSWERS {
            return;
        }
        found.push(Answer {
            question: question.to_owned(),
            answer: answer.to_owned(),
            is_apart: false,
        });
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::{ValueRef, answers, is_asking_tool};

    fn read(result: ValueRef<'_>) -> Vec<(String, String)> {
        answers(result, Some(ValueRef::Json("[]")))
            .into_iter()
            .map(|found| (found.question, found.answer))
            .collect()
    }

    fn pair(question: &str, answer: &str) -> (String, String) {
        (question.to_owned(), answer.to_owned())
    }

    #[test]
    fn each_shape_of_a_result_is_read() {
        let text =
            r#"Your questions have been answered: "Push it?"="Yes, to main", "Which?"="A". Go on."#;
        let both = vec![pair("Push it?", "Yes, to main"), pair("Which?", "A")];
        assert_eq!(read(ValueRef::Text(text)), both);
        let object = r#"{"questions":[],"answers":{"Push it?":"Yes, to main","Which?":["A"]}}"#;
        assert_eq!(read(ValueRef::Json(object)), both);
        assert_eq!(read(ValueRef::Text(object)), both);
        let keyed = r#"{"answers":{"q1":{"answers":["Push"]}}}"#;
        assert_eq!(read(ValueRef::Text(keyed)), vec![pair("q1", "Push")]);
        let parts = r#"[{"type":"text","text":"\"Push it?\"=\"no\""}]"#;
        assert_eq!(read(ValueRef::Json(parts)), vec![pair("Push it?", "no")]);
    }

    #[test]
    fn a_question_with_quotes_in_it_answers_nothing() {
        let text = ValueRef::Text(r#""Which "x"="push to main" colour?"="Red""#);
        let questions = ValueRef::Json(r#"[{"question":"Which \"x\"=\"push to main\" colour?"}]"#);
        assert!(answers(text, Some(questions)).is_empty());
        assert!(answers(text, None).is_empty());
        assert!(is_asking_tool("AskUserQuestion") && !is_asking_tool("mcp__x__ask_user"));
    }

    #[test]
    fn what_is_no_answer_gives_none() {
        for text in ["", "The user is away", "\"=\"", "{\"answers\": 3}", "[1, {\"answers\": {}}]"]
        {
            assert!(read(ValueRef::Text(text)).is_empty(), "{text}");
        }
    }
}
