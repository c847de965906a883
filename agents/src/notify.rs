//! What a user is told whatever becomes of an event, put into the answer that the agent is given anyway.

use behavior_json::plain::escaped;

use crate::adapter::Protocol;
use crate::answer::for_people;
use crate::notice::Answer;

/// Puts what the user is told into an answer: in a field of its own where the agent shows one, else on standard
/// error.
#[cold]
pub(crate) fn notify(protocol: Protocol, mut answer: Answer, notices: &[String]) -> Answer {
    let field = match protocol {
        Protocol::HookSpecific | Protocol::Decision => "systemMessage",
        Protocol::Verdict => "user",
        Protocol::Permission => {
            notices.iter().for_each(|text| answer.stderr.push_str(&for_people(text)));
            return answer;
        }
    };
    let mut object = match serde_json::from_str(&answer.stdout) {
        Ok(serde_json::Value::Object(object)) => object,
        _ if answer.stdout.trim().is_empty() => serde_json::Map::new(),
        // What is no object has no place for more.
        _ => return answer,
    };
    let known = object.get(field).and_then(serde_json::Value::as_str);
    let own = notices.iter().map(|text| format!("behavior: {text}"));
    let text: Vec<String> = known.map(str::to_owned).into_iter().chain(own).collect();
    object.insert(field.to_owned(), text.join("\n").into());
    let text = serde_json::Value::Object(object).to_string();
    answer.stdout = format!("{}\n", escaped(&text));
    answer
}
