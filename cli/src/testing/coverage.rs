//! Which rules some test made fire, and which none did.

use std::collections::BTreeMap;

use behavior_compiler::provider::LIBRARY_PREFIX;
use behavior_rule_tests::{Rules, TestResult};

/// The rules that tests are about: by the file that they stand in and their id, whether they fired.
#[derive(Default)]
pub struct Coverage {
    rules: BTreeMap<(String, String), bool>,
    /// The rules whose tables were looked at, so that each is looked at once.
    known: Vec<*const Rules>,
}

impl Coverage {
    /// Adds rules that tests are about.
    pub fn know(&mut self, rules: &std::sync::Arc<Rules>) {
        let pointer = std::sync::Arc::as_ptr(rules);
        if self.known.contains(&pointer) {
            return;
        }
        self.known.push(pointer);
        for rule in rules.layers.rules().iter() {
            self.rules.entry((rule.place.file.to_owned(), rule.id.to_owned())).or_insert(false);
        }
    }

    /// Adds what a test made fire.
    pub fn add(&mut self, result: &TestResult) {
        let Some(rules) = &result.rules else { return };
        self.know(rules);
        for rule in &result.fired {
            let Some(rule) = rules.layers.rules().get(*rule) else { continue };
            self.rules.insert((rule.place.file.to_owned(), rule.id.to_owned()), true);
        }
    }

    /// Returns how many rules fired, of how many.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.rules.values().filter(|fired| **fired).count(), self.rules.len())
    }

    /// Returns the rules that no test made fire, by file and id; the author's own first.
    #[must_use]
    pub fn silent(&self) -> Vec<(&str, &str)> {
        let silent = self.rules.iter().filter(|(_, fired)| !**fired);
        let mut silent: Vec<_> =
            silent.map(|((file, id), _)| (file.as_str(), id.as_str())).collect();
        silent.sort_by_key(|(file, _)| file.starts_with(LIBRARY_PREFIX));
        silent
    }
}
