//! What a user may forbid as a whole, and how it is kept. Knows no sentences.

use super::grammar::is_misspelt;
use super::sentences::NO;
use super::wish::Wish;

/// An act that a user may forbid as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// To make a commit.
    Commit,
    /// To push commits.
    Push,
    /// To merge a branch.
    Merge,
    /// To put commits onto others.
    Rebase,
    /// To take over single commits of another branch.
    CherryPick,
    /// To make commits that undo others.
    Revert,
    /// To put what is not committed aside.
    Stash,
    /// To make tags.
    Tag,
    /// To add dependencies.
    Depend,
    /// To commit what is not tested.
    CommitUntested,
    /// To push what is not tested.
    PushUntested,
    /// To merge before tests have passed.
    MergeUntested,
    /// To go to another branch, or make one.
    Switch,
    /// To run tests.
    Test,
    /// To run all tests at once.
    Suite,
    /// To run migrations.
    Migrate,
    /// To start a server.
    Serve,
    /// To use the network.
    Network,
    /// To speak to a database.
    Database,
    /// To change a commit that is made.
    Amend,
    /// To lay out code in another way.
    Reformat,
    /// To call files otherwise, or put them elsewhere.
    Rename,
    /// To make files.
    NewFile,
    /// To make migrations.
    NewMigration,
    /// To delete anything.
    Delete,
    /// To change files at all: it is forbidden for one turn, and while the user does nothing but ask.
    Change,
}

impl Act {
    /// Those that stay forbidden until the user says otherwise.
    pub const LASTING: [Self; 25] = [
        Self::Commit,
        Self::Push,
        Self::Merge,
        Self::Rebase,
        Self::CherryPick,
        Self::Revert,
        Self::Stash,
        Self::Tag,
        Self::CommitUntested,
        Self::PushUntested,
        Self::MergeUntested,
        Self::Switch,
        Self::Depend,
        Self::Test,
        Self::Suite,
        Self::Migrate,
        Self::Serve,
        Self::Network,
        Self::Database,
        Self::Amend,
        Self::Reformat,
        Self::Rename,
        Self::NewFile,
        Self::NewMigration,
        Self::Delete,
    ];
    /// What git does.
    pub const OF_GIT: [Self; 2] = [Self::Commit, Self::Push];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::LASTING.into_iter().chain([Self::Change])
    }

    /// What it is called, as patterns of rules read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Push => "push",
            Self::Merge => "merge",
            Self::Rebase => "rebase",
            Self::CherryPick => "cherry-pick",
            Self::Revert => "revert",
            Self::Stash => "stash",
            Self::Tag => "tag",
            Self::CommitUntested => "commit untested",
            Self::PushUntested => "push untested",
            Self::MergeUntested => "merge untested",
            Self::Switch => "switch",
            Self::Depend => "depend",
            Self::Test => "test",
            Self::Suite => "suite",
            Self::Migrate => "migrate",
            Self::Serve => "serve",
            Self::Network => "network",
            Self::Database => "database",
            Self::Amend => "amend",
            Self::Reformat => "reformat",
            Self::Rename => "rename",
            Self::NewFile => "new file",
            Self::NewMigration => "new migration",
            Self::Delete => "delete",
            Self::Change => "change",
        }
    }

    /// The hash that says that it is forbidden.
    pub fn hash(self) -> u64 {
        Wish::Forbidden(self.name()).hash()
    }

    /// The hash that says that what the agent has offered takes it.
    pub fn needed_hash(self) -> u64 {
        Wish::Needed(self.name()).hash()
    }

    /// The hash that says that the agent has offered just that.
    pub fn offer_hash(self) -> u64 {
        Wish::Offered(self.name()).hash()
    }

    /// What is refused, as patterns of rules read it.
    pub fn clause(self) -> String {
        // "What this does not change" is no word against changes.
        let whole = if self == Self::Change { " at all" } else { "" };
        format!("{NO}{}{whole}", self.name())
    }

    /// The same act as long as tests, a build or a linter have not shown that all is well.
    pub fn untested(self) -> Option<Self> {
        match self {
            Self::Commit => Some(Self::CommitUntested),
            Self::Push => Some(Self::PushUntested),
            Self::Merge => Some(Self::MergeUntested),
            _ => None,
        }
    }

    /// Whether it is an act as long as tests have not shown that all is well.
    pub fn waits_for_tests(self) -> bool {
        Self::all().any(|act| act.untested() == Some(self))
    }

    /// Whether it is free where some acts are: who asks for a commit does not wait for tests any more.
    pub fn is_freed_by(self, allowed: &[Self]) -> bool {
        allowed.iter().any(|act| *act == self || act.untested() == Some(self))
    }

    /// The act that a word is, in one of its forms, be it with two letters exchanged, one too few or one too many.
    pub fn of(word: &str) -> Option<Self> {
        const SPELT: &[(&str, Act)] = &[
            ("commit", Act::Commit),
            ("commits", Act::Commit),
            ("committing", Act::Commit),
            ("committed", Act::Commit),
            ("pushing", Act::Push),
            ("merging", Act::Merge),
            ("rebasing", Act::Rebase),
            ("rebase", Act::Rebase),
        ];
        let spelt =
            || SPELT.iter().find(|(known, _)| is_misspelt(word, known)).map(|(_, act)| *act);
        Self::as_spelt(word).or_else(spelt)
    }

    fn as_spelt(word: &str) -> Option<Self> {
        Some(match word {
            "commit" | "commits" | "committed" | "committing" | "git-commit" | "auto-commit" => {
                Self::Commit
            }
            "psuh" | "puhs" | "psush" | "push" | "pushs" | "pushes" | "pushed" | "pushing"
            | "git-push" | "auto-push" => Self::Push,
            "merge" | "merges" | "merged" | "merging" | "git-merge" => Self::Merge,
            "rebase" | "rebases" | "rebased" | "rebasing" | "git-rebase" => Self::Rebase,
            "cherry" | "cherry-pick" | "cherrypick" | "cherry-picks" | "cherry-picked"
            | "cherry-picking" | "cherrypicking" => Self::CherryPick,
            "revert" | "reverts" | "reverted" | "reverting" => Self::Revert,
            "stash" | "stashes" | "stashed" | "stashing" => Self::Stash,
            "tag" | "tags" | "tagged" | "tagging" => Self::Tag,
            _ => return None,
        })
    }
}
