//! A file as resolving has read it.

use std::sync::Arc;

use super::kind::FileKind;
use crate::source::FileId;
use crate::syntax::{Comment, Kind, Node};

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
    /// Whether each part of it is what it is by itself.
    pub is_regular: bool,
}

impl Document {
    /// Returns where an application's file names the model of its coordinator: the agent that is marked as such,
    /// else the only one.
    pub(crate) fn coordinator_brain(&self) -> Option<&Node> {
        if self.kind != FileKind::AppConfig {
            return None;
        }
        let agents = self.root.get("agents")?;
        let listed = agents.items().unwrap_or_default().iter();
        let named = agents.entries().unwrap_or_default().iter().map(|entry| &entry.value);
        let agents: Vec<&Node> = listed.chain(named).collect();
        let is_marked = |agent: &&&Node| {
            let says = |key: &str| agent.get(key).and_then(Node::as_str) == Some("coordinator");
            let is_set = agent.get("coordinator").map(|mark| &mark.kind) == Some(&Kind::Bool(true));
            says("role") || says("type") || is_set
        };
        let only = match agents.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        let brain = agents.iter().find(is_marked).copied().or(only)?.get("brain")?;
        brain.entries().is_some().then_some(brain)
    }
}
