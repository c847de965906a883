//! Documents of a project and its user, held in memory: a host that knows nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use behavior_compiler::Severity;
use behavior_compiler::schema::Schema;
use behavior_compiler::session_rules::compile_session_rules;
use behavior_runtime::constitution::{Refusal, SessionRule};
use behavior_runtime::document::choose;
use behavior_runtime::host::{Fingerprint, JsonMismatch};
use behavior_runtime::{Host, Image};

/// The documents that there are, by name.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    /// Those of the project.
    pub project: BTreeMap<String, String>,
    /// Those of the user.
    pub user: BTreeMap<String, String>,
}

/// Where the user's documents stand among the files of a specification's section.
const USER: &str = "~/.config/behavior/";

impl Documents {
    /// The files of a project, some of which are the user's.
    #[must_use]
    pub fn of<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Self {
        let mut documents = Self::default();
        for (name, text) in files {
            match name.strip_prefix(USER) {
                Some(name) => documents.user.insert(name.to_owned(), text.to_owned()),
                None => documents.project.insert(name.to_owned(), text.to_owned()),
            };
        }
        documents
    }
}

impl Host for Documents {
    fn exists(&mut self, _path: &str) -> Option<bool> {
        None
    }

    fn fingerprint(&mut self, _path: &str) -> Option<Fingerprint> {
        None
    }

    fn canonical(&mut self, _path: &str) -> Option<String> {
        None
    }

    fn now(&mut self) -> Option<i64> {
        None
    }

    fn document(&mut self, name: &str, blank_counts: bool) -> Option<String> {
        choose(self.project.get(name).cloned(), || self.user.get(name).cloned(), blank_counts)
    }

    fn json_mismatch(&mut self, schema: &str, text: &str) -> Option<Option<JsonMismatch>> {
        let found = Schema::new(schema).ok()?.mismatch(text);
        Some(found.map(|found| JsonMismatch { path: found.path, reason: found.reason }))
    }

    fn compile_rules(
        &mut self,
        rules: &[SessionRule<'_>],
    ) -> Option<Result<Arc<Image>, Vec<Refusal>>> {
        let compiled = compile_session_rules(&crate::provider(&[]), rules);
        let errors = compiled.diagnostics.iter().filter(|one| one.severity == Severity::Error);
        let refused = || errors.map(|one| Refusal::new(one.message.clone())).collect();
        Some(compiled.image.map(Arc::new).ok_or_else(refused))
    }
}
