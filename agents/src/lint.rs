//! The errors that a language server finds after an edit, as results tell them: a list `lint` whose items
//! have a `severity` and a `message`. What an agent calls them, its own folder knows.

use crate::object::Object;

/// Errors of one file, as they are collected.
#[derive(Debug, Default)]
pub(crate) struct Errors(String);

impl Errors {
    /// As many errors of a file are told, in bytes of their texts.
    const MAX: usize = 64 << 10;

    /// Adds an error.
    pub(crate) fn push(&mut self, message: &str) {
        if self.0.len() + message.len() > Self::MAX && !self.is_empty() {
            return;
        }
        let mut item = Object::new();
        item.text("severity", "error");
        item.text("message", message);
        self.0.push(if self.0.is_empty() { '[' } else { ',' });
        self.0.push_str(&item.finish());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the JSON text of the list.
    pub(crate) fn list(&self) -> String {
        if self.is_empty() { "[]".to_owned() } else { format!("{}]", self.0) }
    }
}
