//! The forms that a condition may take, while it is being written.

use super::RuleFile;
use super::describe;
use super::expression::last_condition;
use super::site::condition_at;
use crate::conditions;
use crate::expression::{self, Signature};

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

/// The forms of the condition that is being written at an offset, in an expression.
#[must_use]
pub fn signature_help(file: &RuleFile, offset: u32) -> Vec<SignatureHelp> {
    let Some(written) = condition_at(file, offset) else { return Vec::new() };
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
