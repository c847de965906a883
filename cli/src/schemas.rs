//! What the hosts of a simulation know besides the trace: JSON Schemas, each built once and then used for every
//! response, and how the rules are compiled that sessions make for themselves.

use std::collections::HashMap;
use std::sync::Arc;

use behavior_compiler::schema::Schema;
use behavior_runtime::constitution::{Refusal, SessionRule};
use behavior_runtime::host::{Fingerprint, JsonMismatch};
use behavior_runtime::{Host, Image};

use crate::session_rules;

/// A host that knows JSON Schemas besides what another host knows, if there is one.
#[derive(Default)]
pub struct WithSchemas<H> {
    host: Option<H>,
    known: HashMap<Box<str>, Option<Schema>>,
}

impl<H> WithSchemas<H> {
    /// Adds schemas to a host.
    pub fn new(host: Option<H>) -> Self {
        Self { host, known: HashMap::new() }
    }
}

/// How a text fails a schema; `None` when the schema cannot be used.
pub fn mismatch(schema: Option<&Schema>, text: &str) -> Option<Option<JsonMismatch>> {
    let found = schema?.mismatch(text);
    Some(found.map(|found| JsonMismatch { path: found.path, reason: found.reason }))
}

impl<H: Host> Host for WithSchemas<H> {
    fn exists(&mut self, path: &str) -> Option<bool> {
        self.host.as_mut()?.exists(path)
    }

    fn is_directory(&mut self, path: &str) -> Option<bool> {
        self.host.as_mut()?.is_directory(path)
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        self.host.as_mut()?.fingerprint(path)
    }

    fn canonical(&mut self, path: &str) -> Option<String> {
        self.host.as_mut()?.canonical(path)
    }

    fn now(&mut self) -> Option<i64> {
        self.host.as_mut()?.now()
    }

    fn document(&mut self, name: &str, blank_counts: bool) -> Option<String> {
        self.host.as_mut()?.document(name, blank_counts)
    }

    fn json_mismatch(&mut self, schema: &str, text: &str) -> Option<Option<JsonMismatch>> {
        if !self.known.contains_key(schema) {
            self.known.insert(schema.into(), Schema::new(schema).ok());
        }
        mismatch(self.known.get(schema)?.as_ref(), text)
    }

    fn compile_rules(
        &mut self,
        rules: &[SessionRule<'_>],
    ) -> Option<Result<Arc<Image>, Vec<Refusal>>> {
        Some(session_rules::compile(rules))
    }
}
