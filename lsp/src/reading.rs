//! A document as it is read for questions: by the first of them, and where it was read before an edit, from there.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use behavior_compiler::ide::RuleFile;

/// A document, read or to be read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The document as it was read last, before one edit or several.
    before: Mutex<Option<Arc<RuleFile>>>,
    now: OnceLock<Arc<RuleFile>>,
}

impl Reading {
    /// The same document after an edit. Who is the only one to hold what was read hands that on without a copy.
    pub fn after(before: Arc<Self>) -> Self {
        let read = match Arc::try_unwrap(before) {
            Ok(Self { before, now }) => {
                let before = before.into_inner().unwrap_or_else(PoisonError::into_inner);
                now.into_inner().or(before)
            }
            Err(shared) => shared.now.get().cloned(),
        };
        Self { before: Mutex::new(read), now: OnceLock::new() }
    }

    /// The document of a name and a text.
    pub fn file(&self, name: &str, text: &str) -> &Arc<RuleFile> {
        self.now.get_or_init(|| {
            let before = self.before.lock().unwrap_or_else(PoisonError::into_inner).take();
            Arc::new(match before {
                Some(before) => RuleFile::edited(before, text),
                None => RuleFile::new(name, text),
            })
        })
    }

    /// Takes note of the document as somebody else has read it; a question may have come first.
    pub fn note(&self, file: RuleFile) {
        if self.now.set(Arc::new(file)).is_ok() {
            self.before.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}
