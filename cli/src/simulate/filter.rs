//! What of the timeline a person wants to see. Filters hide; they change neither what is decided nor what is counted.

use behavior_runtime::decision::{Action, Decision, Finding, Undecided};
use behavior_runtime::{Layers, Verdict};

use super::summary::Refusal;
use crate::args::{Only, SimulateArgs, Turns};
use crate::terminal::Failure;

/// What is shown. Without any restriction, everything is.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The rules, by their indexes. Rules of policies stand in `policies`.
    rules: Vec<u32>,
    /// The rules of policies, by their indexes.
    policies: Vec<u32>,
    actions: Vec<Action>,
    turns: Option<Turns>,
    only: Option<Only>,
}

impl Filter {
    /// Reads the filters of a command line.
    ///
    /// # Errors
    /// When no rule has a name that is asked for.
    pub fn of(args: &SimulateArgs, layers: &Layers) -> Result<Self, Failure> {
        let (mut rules, mut policies) = (Vec::new(), Vec::new());
        for name in &args.rule {
            let before = rules.len() + policies.len();
            let named = |id: &str| id == name;
            rules.extend(
                (0..)
                    .zip(layers.rules().iter())
                    .filter(|(_, rule)| named(rule.id))
                    .map(|(at, _)| at),
            );
            policies.extend(
                (0..)
                    .zip(layers.policy().iter())
                    .filter(|(_, rule)| named(rule.name))
                    .map(|(at, _)| at),
            );
            if rules.len() + policies.len() == before {
                return Err(Failure::Message(format!(
                    "no rule in force is called `{name}`: `behavior inspect` lists them"
                )));
            }
        }
        let actions = args.action.iter().map(|name| name.meaning()).collect();
        Ok(Self { rules, policies, actions, turns: args.turn, only: args.only })
    }

    fn names_rules(&self) -> bool {
        !self.rules.is_empty() || !self.policies.is_empty()
    }

    /// Whether all is shown.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.names_rules()
            && self.actions.is_empty()
            && self.turns.is_none()
            && self.only.is_none()
    }

    /// Whether anything of this turn is shown.
    #[must_use]
    pub fn shows_turn(&self, turn: u32) -> bool {
        self.turns.is_none_or(|turns| turns.contains(turn))
    }

    /// Whether a finding is shown.
    #[must_use]
    pub fn shows(&self, finding: &Finding) -> bool {
        let stops =
            matches!(finding.action, Action::Block | Action::Ask) && finding.granted.is_none();
        let is_of_kind = match self.only {
            None => true,
            Some(Only::Stopped) => stops,
            Some(Only::Told) => !finding.is_withheld && finding.granted.is_none(),
            Some(Only::Undecided) => false,
        };
        is_of_kind
            && (!self.names_rules() || self.rules.contains(&finding.rule))
            && (self.actions.is_empty() || self.actions.contains(&finding.action))
    }

    /// Whether it is shown that a rule could not be decided.
    #[must_use]
    pub fn shows_undecided(&self, undecided: &Undecided) -> bool {
        self.only.is_none_or(|only| only == Only::Undecided)
            && self.actions.is_empty()
            && (!self.names_rules() || self.rules.contains(&undecided.rule))
    }

    /// Whether it is shown what a policy refused.
    #[must_use]
    pub fn shows_refusal(&self, decision: &Decision) -> bool {
        let Some(refusal) = Refusal::of(decision) else { return false };
        let action =
            if decision.verdict == Some(Verdict::Deny) { Action::Block } else { Action::Ask };
        self.only.is_none_or(|only| only != Only::Undecided)
            && (!self.names_rules()
                || refusal.rule.is_some_and(|rule| self.policies.contains(&rule)))
            && (self.actions.is_empty() || self.actions.contains(&action))
    }
}
