//! The list of rules that a session made for itself, as it is kept with the session's state.

use behavior_runtime::constitution::{Author, Constitution, Content, Entry};
use serde::{Deserialize, Serialize};

/// A list as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptList {
    entries: Vec<KeptRule>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    used_at: Option<i64>,
    /// Whether it was changed since the rules last judged, so that what is saved of their state is of other rules.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_changed: bool,
}

/// One entry as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptRule {
    /// Whether the user made it.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    is_users: bool,
    /// What it says, as JSON.
    says: String,
}

impl KeptList {
    /// Returns what is kept of a list; `None` of one without entries.
    #[must_use]
    pub fn of(list: &Constitution) -> Option<Self> {
        let entry = |entry: &Entry| KeptRule {
            is_users: entry.by == Author::User,
            says: entry.content.to_json(),
        };
        let entries: Vec<KeptRule> = list.entries().iter().map(entry).collect();
        (!entries.is_empty()).then_some(Self {
            entries,
            used_at: list.used_at(),
            is_changed: false,
        })
    }

    /// Returns the list. What is authentic is of a known form.
    #[must_use]
    pub fn list(&self) -> Constitution {
        let entry = |kept: &KeptRule| {
            let by = if kept.is_users { Author::User } else { Author::Agent };
            Some(Entry { by, content: Content::from_json(&kept.says)? })
        };
        Constitution::new(self.entries.iter().filter_map(entry).collect(), self.used_at)
    }
}
