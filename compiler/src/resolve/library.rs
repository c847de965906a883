//! Files of the standard library as they were read, kept for as long as the process lives: they are large, and
//! always the same. A file that turns out to be another one is read again.

use std::sync::{Arc, Mutex, PoisonError};

use crate::source::{FileId, Source};
use crate::syntax::{Comment, Node};

/// A file that was read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// Its name and text.
    pub source: Arc<Source>,
    /// Its number, which the places in the tree have.
    pub file: FileId,
    /// What it holds.
    pub root: Arc<Node>,
    /// Its comments.
    pub comments: Arc<[Comment]>,
}

/// More are not kept: numbers are few, as files of the library are read in much the same order.
const MAX_KEPT: usize = 128;

static KEPT: Mutex<Vec<Read>> = Mutex::new(Vec::new());

/// The file of this name and text, by whatever number it was read.
pub(super) fn source(name: &str, text: &[u8]) -> Option<Arc<Source>> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = |read: &&Read| read.source.name == name && read.source.text.as_bytes() == text;
    kept.iter().find(is_it).map(|read| Arc::clone(&read.source))
}

/// The file as it was read under this number.
pub(super) fn read(source: &Arc<Source>, file: FileId) -> Option<Read> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = |read: &&Read| Arc::ptr_eq(&read.source, source) && read.file == file;
    kept.iter().find(is_it).cloned()
}

/// Keeps a file in which nothing was wrong.
pub(super) fn keep(read: Read) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let is_known = kept
        .iter()
        .any(|known| known.file == read.file && Arc::ptr_eq(&known.source, &read.source));
    if !is_known && kept.len() < MAX_KEPT {
        kept.push(read);
    }
}
