//! Rule files as they were read, kept from one question to the next: reading the standard library again for each
//! would take longer than the answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::RuleFile;
use crate::asked::hash;
use crate::provider::{LIBRARY_PREFIX, SourceProvider};
use crate::source::FileId;
use crate::syntax::decode_utf8;

/// The files of projects as they were read, by name.
#[derive(Debug, Default)]
pub struct Store {
    held: Mutex<BTreeMap<String, (u64, Arc<RuleFile>)>>,
    /// Tools that were seen somewhere, such as in recorded sessions.
    tools: Mutex<BTreeSet<String>>,
}

/// More tools than this are not kept.
const MAX_TOOLS: usize = 2_000;

/// What questions about a file may look at besides it.
#[derive(Clone, Copy)]
pub struct Project<'p> {
    /// The files.
    pub provider: &'p dyn SourceProvider,
    /// Those that were read before.
    pub store: &'p Store,
}

impl Project<'_> {
    /// A file as it is now; `None` where it cannot be read.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<Arc<RuleFile>> {
        let is_library = name.starts_with(LIBRARY_PREFIX);
        if let Some((_, file)) = self.store.get(name).filter(|_| is_library) {
            return Some(file);
        }
        let bytes = self.provider.read(name).ok()?;
        let hash = hash(&bytes);
        if let Some((_, file)) = self.store.get(name).filter(|(held, _)| *held == hash) {
            return Some(file);
        }
        let text = decode_utf8(FileId(0), name, &bytes).ok()?;
        let file = Arc::new(RuleFile::new(name, text));
        self.store.put(name, hash, &file);
        Some(file)
    }
}

impl Store {
    /// Takes note of tools that rules may name.
    pub fn note_tools(&self, names: impl IntoIterator<Item = String>) {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        for name in names.into_iter().take(MAX_TOOLS) {
            if tools.len() < MAX_TOOLS {
                tools.insert(name);
            }
        }
    }

    /// The tools of which note was taken.
    pub(super) fn tools(&self) -> Vec<String> {
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        tools.iter().cloned().collect()
    }

    fn get(&self, name: &str) -> Option<(u64, Arc<RuleFile>)> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(name).cloned()
    }

    fn put(&self, name: &str, hash: u64, file: &Arc<RuleFile>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.insert(name.to_owned(), (hash, Arc::clone(file)));
    }
}
