//! The names of files that a session has seen: in what the user says, and in calls that succeeded and their
//! results. Kept are hashes, so that neither state nor time grow with what was seen, and no text is kept.

use std::collections::VecDeque;

use serde_json::Value;

use crate::delivery::hash;
use behavior_facts::mention::{Mention, extension, is_separator};
use behavior_facts::value::ValueRef;

/// How much of a text is looked at, in bytes.
const MAX_TEXT: usize = 1 << 17;

/// Names that were seen, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(pub VecDeque<u32>);

impl Names {
    /// How many are kept.
    pub const KEPT: usize = 1024;

    /// Enters the names in a text.
    pub fn read(&mut self, text: &str) {
        let text = text.get(..text.floor_char_boundary(MAX_TEXT)).unwrap_or(text);
        let is_end = |c: char| is_separator(c) || matches!(c, '<' | '>' | '{' | '}' | '=' | '\\');
        for word in text.split(is_end) {
            // Most words are none.
            if !word.contains('.') {
                continue;
            }
            let Some(Mention { path, .. }) = Mention::read(word) else { continue };
            if extension(path).is_some() {
                tails(path).for_each(|tail| self.add(hash(tail)));
            }
        }
    }

    /// Enters the names in a value.
    pub fn read_value(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Text(text) => self.read(text),
            ValueRef::Json(json) if json.len() <= 4 * MAX_TEXT => {
                if let Ok(value) = serde_json::from_str(json) {
                    self.read_json(&value);
                }
            }
            ValueRef::Json(_) => {}
        }
    }

    fn read_json(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.read(text),
            Value::Array(items) => items.iter().for_each(|item| self.read_json(item)),
            Value::Object(fields) => fields.iter().for_each(|(name, value)| {
                self.read(name);
                self.read_json(value);
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Whether a path was seen, by its name and the directory before it where it has one.
    pub fn have(&self, path: &str) -> bool {
        let Some(longest) = tails(path).last() else { return false };
        self.0.contains(&hash(longest))
    }

    fn add(&mut self, name: u32) {
        if self.0.contains(&name) {
            return;
        }
        if self.0.len() >= Self::KEPT {
            self.0.pop_front();
        }
        self.0.push_back(name);
    }
}

/// The last part of a path, and the last two where it has them.
fn tails(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_start_matches('/');
    let mut slashes = path.rmatch_indices('/').map(|(at, _)| at);
    let one = slashes.next();
    let two = one.map(|_| slashes.next().map_or(0, |at| at + 1));
    let starts = [Some(one.map_or(0, |at| at + 1)), two];
    starts.into_iter().flatten().filter_map(move |start| path.get(start..))
}
