//! What a result says of a linter. Reads the fields that matter, and builds no tree.

use std::sync::LazyLock;

use behavior_json::{Raw, Slot, Slots, list, object, text};
use memchr::memchr;
use memchr::memmem::{self, Finder};

use crate::value::ValueRef;

/// Whether `lint` or `data.lint` of a result lists something of severity `error`.
#[must_use]
pub fn has_lint_errors(result: ValueRef<'_>) -> bool {
    let ValueRef::Json(json) = result else { return false };
    if !may_tell(json.as_bytes()) {
        return false;
    }
    let mut result = Linted::default();
    if object(json, &mut result).is_err() {
        return false;
    }
    let mut data = Linted::default();
    if let Some(inner) = result.data.filter(|inner| inner.get().starts_with('{')) {
        // It was read as JSON already.
        let _ = object(inner.get(), &mut data);
    }
    [result.lint, data.lint].into_iter().flatten().any(|found| {
        let mut has_error = false;
        let _ = list(found.get(), |item: Problem<'_>| {
            has_error |= item.severity.and_then(text).as_deref() == Some("error");
        });
        has_error
    })
}

/// Whether a result may tell of errors of a linter: most say nothing of it. An escape such as `\u006c` may hide a word.
fn may_tell(json: &[u8]) -> bool {
    static LINT: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("lint"));
    static ERROR: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("error"));
    // Fewer results speak of errors than of a linter.
    ERROR.find(json).is_some() && LINT.find(json).is_some()
        || memchr(b'\\', json).is_some_and(|at| {
            json.get(at..).is_some_and(|rest| memmem::find(rest, b"\\u00").is_some())
        })
}

/// What a result says of the linter.
#[derive(Default)]
struct Linted<'a> {
    lint: Raw<'a>,
    data: Raw<'a>,
}

impl<'a> Slots<'a> for Linted<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        match key {
            "lint" => Slot::Keep(&mut self.lint),
            "data" => Slot::Keep(&mut self.data),
            _ => Slot::Ignore,
        }
    }
}

/// One of the things that a linter found.
#[derive(Default)]
struct Problem<'a> {
    severity: Raw<'a>,
}

impl<'a> Slots<'a> for Problem<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        match key {
            "severity" => Slot::Keep(&mut self.severity),
            _ => Slot::Ignore,
        }
    }
}
