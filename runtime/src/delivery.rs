//! What of the findings an agent is told: each as often as its rule says, and no more in a turn than the
//! config admits. Changes no finding but for whether it is told, and no verdict.

use indexmap::IndexMap;

use behavior_image::Image;
use behavior_image::code::{Action, Phase, Repeat};
use behavior_image::format::{NONE, RuleRecord};

use crate::decision::Finding;

/// How often a rule may keep an agent from ending its turn, without anything happening in between.
const MAX_ENDS: u32 = 2;

/// What an agent was told in a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// How many warnings and reminders in this turn.
    pub this_turn: u32,
    /// What of rules that are not told each time, by their number.
    pub rules: IndexMap<u32, ToldOfRule, foldhash::fast::RandomState>,
}

/// When an agent was told of a rule last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ToldOfRule {
    pub turn: u32,
    /// How many calls had ended.
    pub calls: u64,
    /// How often at the end of that turn.
    pub ends: u32,
    /// Of which targets, as [`hash`] gives them: the last ones.
    pub targets: Vec<u32>,
}

impl ToldOfRule {
    /// How many targets are kept. Of one that is told before them, the agent is told again.
    pub const MAX_TARGETS: usize = 32;
}

/// The moment that findings belong to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub turn: u32,
    pub calls: u64,
}

impl Told {
    /// Begins a turn.
    pub fn start_turn(&mut self) {
        self.this_turn = 0;
    }

    /// Forgets everything: the agent does not have before its eyes what it was told.
    pub fn clear(&mut self) {
        self.rules.clear();
    }

    /// Says of each finding whether the agent is told, and remembers that. `target` is called where it
    /// matters what the findings are about.
    pub fn deliver(
        &mut self,
        image: &Image,
        moment: Moment,
        findings: &mut [Finding],
        mut target: impl FnMut() -> Option<u32>,
    ) {
        let view = image.view();
        let max_per_turn = max_per_turn(image);
        for finding in findings.iter_mut().filter(|finding| finding.granted.is_none()) {
            let rule: RuleRecord = view.rule(finding.rule);
            let is_end = finding.phase == Phase::TurnEnd;
            if is_end && self.has_said_enough(finding.rule, moment) {
                finding.is_withheld = true;
                continue;
            }
            if matches!(finding.action, Action::Block | Action::Ask) {
                if is_end {
                    self.remember(finding, moment, None);
                }
                continue;
            }
            let repeat = Repeat::from_number(rule.repeat).unwrap_or(Repeat::Always);
            let target = if repeat == Repeat::Target { Some(target().unwrap_or(0)) } else { None };
            let is_known = self.is_known(finding.rule, repeat, rule.repeat_calls, moment, target);
            finding.is_withheld = is_known || !self.has_room(max_per_turn);
            if finding.is_withheld {
                continue;
            }
            if repeat != Repeat::Always || is_end {
                self.remember(finding, moment, target);
            }
        }
    }

    /// Whether an agent may be told of one more thing in this turn, which it then is.
    #[inline]
    pub fn has_room(&mut self, max_per_turn: u32) -> bool {
        let has_room = self.this_turn < max_per_turn;
        self.this_turn = self.this_turn.saturating_add(u32::from(has_room));
        has_room
    }

    /// Whether a rule has kept the agent from ending this turn often enough.
    fn has_said_enough(&self, rule: u32, moment: Moment) -> bool {
        let told = self.rules.get(&rule);
        told.is_some_and(|told| told.turn == moment.turn && told.ends >= MAX_ENDS)
    }

    /// Whether the agent was told of a rule so that it is not told again.
    fn is_known(
        &self,
        rule: u32,
        repeat: Repeat,
        calls: u32,
        moment: Moment,
        target: Option<u32>,
    ) -> bool {
        if repeat == Repeat::Always {
            return false;
        }
        let Some(told) = self.rules.get(&rule) else { return false };
        match repeat {
            Repeat::Always => false,
            Repeat::Target => target.is_some_and(|target| told.targets.contains(&target)),
            Repeat::Turn => told.turn == moment.turn,
            Repeat::Session => true,
            Repeat::Calls => moment.calls.saturating_sub(told.calls) < calls.into(),
        }
    }

    fn remember(&mut self, finding: &Finding, moment: Moment, target: Option<u32>) {
        let told = self.rules.entry(finding.rule).or_default();
        let is_same_turn = told.turn == moment.turn;
        let ends = if is_same_turn { told.ends } else { 0 };
        told.ends = ends + u32::from(finding.phase == Phase::TurnEnd);
        (told.turn, told.calls) = (moment.turn, moment.calls);
        if let Some(target) = target {
            if told.targets.len() == ToldOfRule::MAX_TARGETS {
                told.targets.remove(0);
            }
            told.targets.push(target);
        }
    }
}

/// How many warnings and reminders an agent is told in a turn.
pub(crate) fn max_per_turn(image: &Image) -> u32 {
    match image.max_per_turn() {
        NONE => u32::MAX,
        most => most,
    }
}

/// A number for a target, the same in each process: the Fowler–Noll–Vo hash, variant 1a.
pub(crate) fn hash(target: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    target.bytes().fold(0x811c_9dc5, step)
}
