//! Secrets in plans and in what comes of them: found, and never repeated.

use behavior_compiler::plan::{Checked, Step};
use behavior_secrets::contains_secret;
use serde_json::Value;

/// Returns the first step whose text holds a secret, and of what kind; no step where it stands elsewhere in the plan.
#[must_use]
pub fn of_plan(checked: &Checked, text: &str) -> Option<(Option<usize>, &'static str)> {
    let in_steps = checked.plan.steps.iter().find_map(|step| {
        let kind = of_step(step).or_else(|| contains_secret(checked.sources.slice(step.span)))?;
        Some((Some(step.number), kind))
    });
    in_steps.or_else(|| Some((None, contains_secret(text)?)))
}

/// Whether what a step gives its tool holds a secret: as it is meant, not as it is written.
fn of_step(step: &Step) -> Option<&'static str> {
    let of_args = step.args.iter().find_map(of_value);
    let named = || {
        step.kwargs.iter().find_map(|(name, value)| {
            // A name and a value make a secret together, such as `password: …`.
            of_value(value).or_else(|| contains_secret(&format!("{name}={}", plain(value))))
        })
    };
    of_args.or_else(named).or_else(|| contains_secret(&step.name))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the kind of a secret that a value holds.
#[must_use]
pub fn of_value(value: &Value) -> Option<&'static str> {
    match value {
        Value::String(text) => contains_secret(text),
        Value::Array(items) => {
            items.iter().find_map(of_value).or_else(|| contains_secret(&value.to_string()))
        }
        Value::Object(entries) => entries
            .iter()
            .find_map(|(name, value)| contains_secret(name).or_else(|| of_value(value)))
            .or_else(|| contains_secret(&value.to_string())),
        _ => None,
    }
}
