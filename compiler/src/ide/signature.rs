//! The forms that a condition may take, while it is being written.

use super::RuleFile;
use super::describe;
use super::expression::last_condition;
use super::nearby::cursor_at;
use super::place::alternatives;
use super::site::{condition_around, condition_at};
use crate::conditions::{self, ConditionKind};
use crate::expression::{self, Signature};
use crate::registry::schema::Shape;
use crate::syntax::cursor::Site;

/// A form and what there is to say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The form.
    pub label: String,
    /// Where its values stand in it, in bytes.
    pub values: Vec<std::ops::Range<usize>>,
    /// Which value comes next.
    pub active: Option<usize>,
    /// On the condition, in Markdown.
    pub markdown: String,
}

/// More forms than this help nobody.
const MAX_FORMS: usize = 12;

/// The forms of the condition that is being written at an offset: in an expression, or the fields of its mapping.
#[must_use]
pub fn signature_help(file: &RuleFile, offset: u32) -> Vec<SignatureHelp> {
    let Some(written) = condition_at(file, offset) else {
        return of_mapping(file, offset).into_iter().collect();
    };
    let beginning = last_condition(written);
    if beginning.is_empty() {
        return Vec::new();
    }
    let forms = expression::signatures(beginning).into_iter().take(MAX_FORMS);
    let help = |form: Signature| SignatureHelp {
        markdown: conditions::find(form.condition).map(describe::condition).unwrap_or_default(),
        label: form.label,
        values: form.values,
        active: form.active,
    };
    forms.map(help).collect()
}

/// The fields that a condition has where it is written as a mapping.
fn of_mapping(file: &RuleFile, offset: u32) -> Option<SignatureHelp> {
    let cursor = cursor_at(file, offset as usize)?;
    let (kind, field) = condition_around(file, &cursor.path)?;
    let written = match &cursor.site {
        Site::Key { others } => others.as_slice(),
        _ => &[],
    };
    fields(kind, field, written)
}

/// The form of a condition's mapping; `field` is the one whose value is being written, `written` are those that are.
fn fields(kind: &ConditionKind, field: Option<&str>, written: &[String]) -> Option<SignatureHelp> {
    let record = alternatives(kind.argument).into_iter().find_map(|shape| match shape {
        Shape::Record(record) => Some(record),
        _ => None,
    })?;
    let mut label = format!("{}: {{ ", kind.name);
    let mut values = Vec::new();
    let mut active = None;
    for (number, known) in record.fields.iter().enumerate() {
        if number > 0 {
            label.push_str(", ");
        }
        let start = label.len();
        label.push_str(&format!("{}: …", known.name));
        values.push(start..label.len());
        let is_next = match field {
            Some(field) => known.name == field,
            None => !written.iter().any(|name| name == known.name),
        };
        active = active.or(is_next.then_some(number));
    }
    label.push_str(" }");
    Some(SignatureHelp { label, values, active, markdown: describe::condition(kind) })
}
