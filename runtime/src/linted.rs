//! What a result says of a linter. Reads the fields that matter, and builds no tree.

use behavior_json::{Raw, Slot, Slots, list, object, text};
use memchr::memmem;

use crate::value::ValueRef;

/// Whether `lint` or `data.lint` of a result lists something of severity `error`.
pub(crate) fn has_lint_errors(result: ValueRef<'_>) -> bool {
    let ValueRef::Json(json) = result else { return false };
    // Most results say nothing of it. An escape such as `\u006c` may hide a word.
    let has = |word: &str| memmem::find(json.as_bytes(), word.as_bytes()).is_some();
    let may_tell = has("lint") && has("error") || has("\\u00");
    if !may_tell {
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
