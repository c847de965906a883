//! The rules that an agent adds for its session: `update_constitution`, `reset_constitution`, `get_constitution`.

use behavior_runtime::constitution::{Author, Change, Content, Op};
use serde_json::{Map, Value, json};

use super::served::{Refused, Served};
use crate::live::audit::Log;
use crate::live::constitution;
use crate::simulate::json::{ConstitutionOutput, entries};

/// Adds a rule.
pub fn update(served: &Served, arguments: &Map<String, Value>) -> Result<Value, Refused> {
    let rules = arguments.get("rule").map(content).transpose()?;
    change(served, arguments, Op::Update, rules.into_iter().collect())
}

/// Puts other rules in the place of the agent's.
pub fn reset(served: &Served, arguments: &Map<String, Value>) -> Result<Value, Refused> {
    let Some(rules) = arguments.get("rules").and_then(Value::as_array) else {
        return Err(Refused::new("`rules` is a list of texts and rule definitions"));
    };
    let rules = rules.iter().map(content).collect::<Result<Vec<_>, _>>()?;
    change(served, arguments, Op::Reset, rules)
}

/// Reads the rules.
pub fn get(served: &Served, arguments: &Map<String, Value>) -> Result<Value, Refused> {
    change(served, arguments, Op::Get, Vec::new())
}

fn content(rule: &Value) -> Result<Content, Refused> {
    // Some clients hand a definition on as the text of one.
    let definition = rule.as_str().filter(|text| text.trim_start().starts_with('{'));
    let definition = definition.map(serde_json::from_str::<Value>).transpose();
    let definition = definition
        .map_err(|error| Refused::new(format!("the rule definition is no JSON: {error}")))?;
    let rule = definition.as_ref().unwrap_or(rule);
    if rule.as_object().is_some_and(Map::is_empty) {
        return Err(Refused::new(
            "the rule definition is empty: it needs a `trigger` and an `action`",
        ));
    }
    Content::from_json(&rule.to_string())
        .ok_or_else(|| Refused::new("a rule is a text or a rule definition"))
}

/// Changes or reads the list. What is refused is an error with all that the compiler says.
fn change(
    served: &Served,
    arguments: &Map<String, Value>,
    op: Op,
    rules: Vec<Content>,
) -> Result<Value, Refused> {
    let store = served.store()?;
    let sessions = served.chosen(&store, arguments)?;
    let by = Author::Agent;
    let change = Change { op, by, rules };
    let report = constitution::change(&store, &sessions, &change)?;
    let log = Log::beside(Some(&served.state), Some(served.key()?));
    constitution::log(&log, &sessions, &change, &report);
    let read = Change { op: Op::Get, by, rules: Vec::new() };
    let list = match &report.entries {
        Some(list) => list.clone(),
        None => constitution::change(&store, &sessions, &read)?.entries.unwrap_or_default(),
    };
    let who: Vec<&str> = list.iter().map(|entry| entry.by.name()).collect();
    let mut result = json!({ "entries": entries(&list), "by": who });
    if report.refused.is_empty() {
        return Ok(result);
    }
    let output = serde_json::to_value(ConstitutionOutput::of(&report))?;
    if let (Some(result), Some(refused)) = (result.as_object_mut(), output.get("refused")) {
        let first = refused.get(0).and_then(|one| one.get("message"));
        let error = first.and_then(Value::as_str).unwrap_or("a rule was not kept");
        result.insert("error".to_owned(), error.into());
        result.insert("diagnostics".to_owned(), refused.clone());
    }
    Err(Refused(result))
}
