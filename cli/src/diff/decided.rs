//! What was decided on an event, so that it can be held against what other rules decide on the same: who spoke, and what
//! that does. Everybody who compares two sets of rules goes by this.

use behavior_runtime::decision::{Action, Finding};
use behavior_runtime::{Decision, Layers, Verdict};

use crate::simulate::summary::Refusal;

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// A rule.
    Rule(u32),
    /// A rule of a policy; `None` where no rule covers the call.
    Policy(Option<u32>),
}

impl Speaker {
    /// Returns its name, by which two sets of rules are held against each other.
    #[must_use]
    pub fn name(self, layers: &Layers) -> &str {
        match self {
            Self::Rule(rule) => layers.rules().id(rule),
            Self::Policy(rule) => {
                rule.and_then(|rule| layers.policy().get(rule)).map_or("policy", |rule| rule.name)
            }
        }
    }
}

/// Returns what was said on an event: who, what it does, and its words. What somebody allowed all the same does not
/// count.
pub fn spoken(decision: &Decision) -> impl Iterator<Item = (Speaker, Action, &str)> {
    let refused = Refusal::of(decision).map(|refusal| {
        let verdict = if refusal.denies { Verdict::Deny } else { Verdict::Ask };
        let action = if refusal.denies { Action::Block } else { Action::Warn };
        (Speaker::Policy(refusal.rule), action, verdict.name())
    });
    found(&decision.findings).chain(found(&decision.besides().settled)).chain(refused)
}

/// Returns what findings say.
pub fn found(findings: &[Finding]) -> impl Iterator<Item = (Speaker, Action, &str)> {
    let effective = findings.iter().filter(|finding| finding.granted.is_none());
    effective.map(|finding| (Speaker::Rule(finding.rule), finding.action, finding.message.as_str()))
}

/// Returns whether nothing was said, and a call may just run.
#[must_use]
pub fn is_silent(decision: &Decision) -> bool {
    decision.findings.is_empty()
        && decision.besides().settled.is_empty()
        && decision.verdict.is_none_or(|verdict| verdict == Verdict::Allow)
}

/// In which direction what a rule does on an event changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// It fires, or does so more often.
    Fires,
    /// It no longer fires, or does so less often.
    NoLongerFires,
    /// It does something else.
    Otherwise,
}

impl Direction {
    /// Tells how what a rule does changes; `None` where it does not.
    #[must_use]
    pub fn of(before: &[Action], after: &[Action]) -> Option<Self> {
        match (before.len(), after.len()) {
            (before, after) if before < after => Some(Self::Fires),
            (before, after) if before > after => Some(Self::NoLongerFires),
            _ => (before != after).then_some(Self::Otherwise),
        }
    }

    /// Returns what it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fires => "fires",
            Self::NoLongerFires => "no longer fires",
            Self::Otherwise => "does something else",
        }
    }
}
