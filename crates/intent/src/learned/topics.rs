//! The acts of which a learned reading tells whether a message forbids them, and the words in which each is spoken of. A word says
//! only where to look: what is meant by it, the weights tell.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::act::Act;

use super::words::stem;

/// The acts, each with words in which people speak of it.
const SPOKEN_OF: [(Act, &str); 20] = [
    (
        Act::Commit,
        "commit commited check-in checkin history log save record checkpoint snapshot git pre-commit land \
         uncommitted",
    ),
    (
        Act::Push,
        "push psuh upload remote origin github gitlab upstream server local machine laptop disk send sent \
         share public outside out up away leave force-push unpushed sync ship publish gerrit fork repo",
    ),
    (
        Act::Merge,
        "merge merging main master trunk develop together combine combined join fold conflict mainline \
         fast-forward bring land into pr squash branch",
    ),
    (
        Act::Rebase,
        "rebase rebasing replay linear straighten onto replant history reorder base top catch stack sha hash \
         main",
    ),
    (
        Act::CherryPick,
        "cherry-pick cherrypick cherry pick backport port copy hotfix fix grab lts carry over single across \
         bring patch",
    ),
    (Act::Revert, "revert undo undone back rollback roll out take backed inverse turn restore"),
    (
        Act::Stash,
        "stash drawer shelf shelve aside park half-done dirty uncommitted unfinished tuck half-finished tree",
    ),
    (
        Act::Tag,
        "tag tagging version label sticker release stamp mark milestone name v1 v0 v2 number",
    ),
    (
        Act::Amend,
        "amend squash fixup rewrite rewriting rewritten last previous message reword fold commit history sha \
         hash hashes amendment top",
    ),
    (
        Act::Switch,
        "branch switch checkout check topic main elsewhere here worktree hop detach bisect stay head feature \
         jump",
    ),
    (
        Act::Depend,
        "dependency dependencies dep package library libraries lib crate module import pull install add npm \
         pip cargo third-party stdlib framework vendor plugin gem depend lodash date-fns numpy pandas left- \
         pad std bundle lockfile composer",
    ),
    (Act::Test, "test suite pytest jest ci green red check run running spec execute verify fail"),
    (
        Act::Migrate,
        "migrate migration schema alembic flyway database db table column apply applied run dba ddl execute \
         script alter",
    ),
    (
        Act::Serve,
        "serve server dev port localhost start run boot up preview vite instance site page app listen \
         listener storybook uvicorn reload launch locally",
    ),
    (
        Act::Network,
        "network internet net online offline wifi download fetch curl api request external web url proxy \
         connection hotspot roaming metered air-gapped outbound vm dns traffic firewall reach packet wire",
    ),
    (
        Act::Database,
        "database db sql query queries postgres mysql psql sqlite table data row prod replica select \
         production staging connect connection pg mongo oracle warehouse dba schema",
    ),
    (
        Act::Reformat,
        "format formatter formatting reformat prettier black rustfmt gofmt style whitespace lint indentation \
         layout tidy line tab space quote import diff fmt clang-format align alignment re-indent reflow blame \
         hand-align",
    ),
    (Act::Rename, "rename move name file folder path call relocate mv become directory"),
    (
        Act::NewFile,
        "new file create make another extra add fresh separate split additional exist existing further",
    ),
    (
        Act::Delete,
        "delete remove rm drop throw away bin trash clean gone erase purge wipe get rid kill deletion prune \
         cleanup dead disappear vanish unused old",
    ),
];

/// What a message may say something of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// An act, by its place in the table.
    Act(u8),
    /// That a file is changed, by the place of the file among those that the message names.
    Change(u8),
}

impl Topic {
    /// Returns what tells the act from others: one number for a change of whatever file.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Act(place) => u64::from(place),
            Self::Change(_) => SPOKEN_OF.len() as u64,
        }
    }
}

/// Returns the topics of all acts.
pub fn acts() -> impl Iterator<Item = (Topic, Act)> {
    (0_u8..).zip(SPOKEN_OF).map(|(place, (act, _))| (Topic::Act(place), act))
}

/// Returns the topics that a stem may speak of, a bit for each.
pub(super) fn spoken_of(stem: &str) -> u32 {
    static STEMS: LazyLock<HashMap<String, u32>> = LazyLock::new(stems);
    STEMS.get(stem).copied().unwrap_or_default()
}

fn stems() -> HashMap<String, u32> {
    let mut stems = HashMap::new();
    for (topic, (_, words)) in SPOKEN_OF.iter().enumerate() {
        for word in words.split_whitespace() {
            *stems.entry(stem(word).to_owned()).or_default() |= 1 << topic;
        }
    }
    stems
}
