//! A file as resolving has read it.

use std::sync::Arc;

use super::kind::FileKind;
use crate::source::FileId;
use crate::syntax::{Comment, Node};

/// A file that was read: its tree and the tree of its behaviour config.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub file: FileId,
    /// What kind of file it was taken as, and why.
    pub kind: FileKind,
    /// The whole tree.
    pub root: Arc<Node>,
    /// The part that is about behaviour; the whole for most kinds.
    pub config: Arc<Node>,
    /// Its comments.
    pub comments: Vec<Comment>,
}
