//! The policy of an image, as people and other programs ask for it.

use crate::code::{ApprovalMode, FactKind, PermissionAction, Priority};
use crate::format::{PermissionFact, PermissionRecord, Section};
use crate::image::Image;
use crate::operand::Paths;
use crate::rules::Place;

impl PermissionFact {
    /// What of a call it looks at; `None` for what the verifier refuses.
    #[must_use]
    pub fn test(&self) -> Option<FactKind> {
        FactKind::from_number(self.kind)
    }

    /// The paths of a fact about files; `None` for another fact, and for what the verifier refuses.
    #[must_use]
    pub fn files(&self) -> Option<Paths> {
        use FactKind::{Reads, Touches, Writes};
        let (Touches | Reads | Writes) = self.test()? else { return None };
        let kinds = u16::try_from(self.name).ok()?;
        Some(Paths { kinds, globs: self.pattern })
    }
}

/// What is known of a rule of a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PermissionInfo<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it says.
    pub action: PermissionAction,
    /// Whose word it is.
    pub priority: Priority,
    /// The only mode in which it holds.
    pub mode: Option<ApprovalMode>,
    /// Its pattern, as written.
    pub pattern: &'a str,
    /// What people are told.
    pub reason: &'a str,
    /// Where it stands.
    pub place: Place<'a>,
}

/// Who may run what: the rules of a policy, in the order in which they are looked at.
#[derive(Clone, Copy, Debug)]
pub struct PolicyTable<'a> {
    image: &'a Image,
}

impl Image {
    /// The policy: who may run what.
    #[must_use]
    pub fn policy(&self) -> PolicyTable<'_> {
        PolicyTable::new(self)
    }
}

impl<'a> PolicyTable<'a> {
    pub(crate) fn new(image: &'a Image) -> Self {
        Self { image }
    }

    /// Whether a policy is in force; one may be that has no rules.
    #[must_use]
    pub fn is_in_force(self) -> bool {
        self.image.program().has_policy != 0
    }

    /// The approval mode that it sets, if it does.
    #[must_use]
    pub fn approval_mode(self) -> Option<ApprovalMode> {
        ApprovalMode::from_number(self.image.program().mode)
    }

    /// How many rules it has.
    #[must_use]
    pub fn len(self) -> u32 {
        self.image.rows::<PermissionRecord>(Section::Permissions)
    }

    /// Whether it has no rules.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// What is known of a rule, by its place in the order in which they are looked at.
    #[must_use]
    pub fn get(self, rule: u32) -> Option<PermissionInfo<'a>> {
        if rule >= self.len() {
            return None;
        }
        let view = self.image.view();
        let record: PermissionRecord = view.row(Section::Permissions, rule);
        let PermissionRecord { line, column, .. } = record;
        Some(PermissionInfo {
            name: view.string(record.name),
            action: PermissionAction::from_number(record.action)?,
            priority: Priority::from_number(record.priority)?,
            mode: ApprovalMode::from_number(record.mode),
            pattern: view.string(record.pattern),
            reason: view.string(record.reason),
            place: Place { file: view.string(record.file), line, column },
        })
    }

    /// All rules.
    pub fn iter(self) -> impl Iterator<Item = PermissionInfo<'a>> {
        (0..self.len()).filter_map(move |rule| self.get(rule))
    }
}
