//! Conditions that, side by side in one list, can never hold together, or of which one always holds. It
//! says so only where that is certain: the numbers of one counter are compared as ranges, tests that
//! are the same are told by what they ask, and what patterns have in common is not looked into.

use behavior_runtime::decision::Phase;

use crate::fragment::excerpt;
use crate::ir::{Condition, Index, Test};
use crate::source::Span;

/// More conditions in one list are not held against each other.
const MAX: usize = 64;

/// Two conditions that contradict each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash<'c> {
    first: Literal<'c>,
    second: Literal<'c>,
    /// Whether one of them always holds, rather than both never.
    is_tautology: bool,
}

impl Clash<'_> {
    /// What is wrong, for people.
    pub(crate) fn message(&self) -> String {
        let [first, second] = [self.first, self.second].map(|literal| {
            let not = if literal.is_under_not { "not " } else { "" };
            format!("`{not}{}`", excerpt(literal.text))
        });
        match self.is_tautology {
            true => format!("{first} or {second} always holds"),
            false => format!("{first} and {second} never hold together"),
        }
    }

    /// Where the second of them stands.
    pub(crate) fn span(&self) -> Span {
        self.second.span
    }

    /// Where the first of them stands.
    pub(crate) fn first_span(&self) -> Span {
        self.first.span
    }
}

/// A test, or that it does not hold.
#[derive(Clone, Copy, Debug)]
struct Literal<'c> {
    test: &'c Test,
    /// What is asked of it here.
    holds: bool,
    text: &'c str,
    span: Span,
    /// Whether it is written with a `not` before it.
    is_under_not: bool,
}

/// What a number is about.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Counter(Index),
    Consecutive,
    TurnCalls,
}

/// The contradiction among the conditions of an `all`, or of an `any` where they are to be none.
pub(crate) fn clash<'c>(condition: &'c Condition, phase: Phase) -> Option<Clash<'c>> {
    let is_tautology = match condition {
        Condition::All(_) => false,
        Condition::Any(_) => true,
        _ => return None,
    };
    let mut literals = Vec::new();
    gather(condition, !is_tautology, false, &mut literals);
    if literals.len() > MAX {
        return None;
    }
    let pairs = literals.iter().enumerate();
    pairs
        .flat_map(|(at, second)| literals.iter().take(at).map(move |first| (*first, *second)))
        .find(|(first, second)| contradicts(*first, *second, phase))
        .map(|(first, second)| Clash { first, second, is_tautology })
}

/// Gathers what must hold for the condition to be what is wanted.
fn gather<'c>(
    condition: &'c Condition,
    wanted: bool,
    is_under_not: bool,
    found: &mut Vec<Literal<'c>>,
) {
    match condition {
        Condition::All(items) if wanted => {
            items.iter().for_each(|item| gather(item, wanted, is_under_not, found));
        }
        Condition::Any(items) if !wanted => {
            items.iter().for_each(|item| gather(item, wanted, is_under_not, found));
        }
        Condition::Not(inner) => gather(inner, !wanted, !is_under_not, found),
        Condition::Test { test, text, span } => {
            found.push(Literal { test, holds: wanted, text, span: *span, is_under_not })
        }
        Condition::Always | Condition::All(_) | Condition::Any(_) => {}
    }
}

fn contradicts(first: Literal<'_>, second: Literal<'_>, phase: Phase) -> bool {
    if first.test == second.test {
        return first.holds != second.holds && !matches!(first.test, Test::Constant(_));
    }
    match (first.test, second.test) {
        // Without a target, neither holds.
        (Test::TargetInSet(one), Test::TargetNotInSet(other))
        | (Test::TargetNotInSet(one), Test::TargetInSet(other)) => {
            one == other && first.holds && second.holds
        }
        (Test::FlagIs(one, _), Test::FlagIs(other, _)) => {
            one == other && first.holds == second.holds
        }
        _ => match (range(first, phase), range(second, phase)) {
            (Some((one, [from, to])), Some((other, [low, high]))) => {
                one == other && (to < low || high < from)
            }
            _ => false,
        },
    }
}

/// The numbers with which a test comes out as wanted, where they are one range.
fn range(literal: Literal<'_>, phase: Phase) -> Option<(Number, [i64; 2])> {
    let at_least = |number, least: i64| match literal.holds {
        true => Some((number, [least, i64::MAX])),
        false => Some((number, [i64::MIN, least.saturating_sub(1)])),
    };
    match (literal.test, literal.holds) {
        (Test::CounterAtLeast(counter, least), _) => at_least(Number::Counter(*counter), *least),
        (Test::ConsecutiveAtLeast(least), _) => at_least(Number::Consecutive, i64::from(*least)),
        (Test::TurnCallsEqual(calls), true) => {
            Some((Number::TurnCalls, [i64::from(*calls), i64::from(*calls)]))
        }
        (Test::FirstToolThisTurn, true) if phase != Phase::PostTool => {
            Some((Number::TurnCalls, [0, 0]))
        }
        _ => None,
    }
}
