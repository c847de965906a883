//! What rules ask for of the state that is declared: which sets, counters and flags. Says nothing of whether that is
//! right.

use crate::ir::{Condition, Index, MessagePart, Paths, PolicyFact, Program, Reference, Rule};

/// Something that is declared under `state_tracking`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum State {
    /// A set.
    Set(Index),
    /// A counter.
    Counter(Index),
    /// A flag.
    Flag(Index),
}

impl State {
    /// What it is, as people call it.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Set(_) => "set",
            Self::Counter(_) => "counter",
            Self::Flag(_) => "flag",
        }
    }
}

/// Visits what a program asks for.
pub(crate) fn each_use(program: &Program, visit: &mut dyn FnMut(State)) {
    program.rules.iter().for_each(|rule| of_rule(rule, visit));
    of_the_rest(program, visit);
}

/// Visits what a program asks for besides its rules: in changes of state, and in a policy.
pub(crate) fn of_the_rest(program: &Program, visit: &mut dyn FnMut(State)) {
    program.state_conditions().flatten().for_each(|condition| of_condition(condition, visit));
    let of_policies = program.permissions.iter().flat_map(|permissions| &permissions.rules);
    for fact in of_policies.flat_map(|rule| &rule.facts) {
        if let PolicyFact::Files(_, paths) = fact {
            paths.all_sets().for_each(|set| visit(State::Set(*set)));
        }
    }
}

/// Visits what a rule asks for, in its conditions and its message.
pub(crate) fn of_rule(rule: &Rule, visit: &mut dyn FnMut(State)) {
    rule.conditions().for_each(|condition| of_condition(condition, visit));
    for part in &rule.message {
        match part {
            MessagePart::SetCount(set) => visit(State::Set(*set)),
            MessagePart::Counter(counter) => visit(State::Counter(*counter)),
            MessagePart::Flag(flag) => visit(State::Flag(*flag)),
            _ => {}
        }
    }
}

fn of_condition(condition: &Condition, visit: &mut dyn FnMut(State)) {
    match condition {
        Condition::Always => {}
        Condition::All(items) | Condition::Any(items) => {
            items.iter().for_each(|item| of_condition(item, visit));
        }
        Condition::Not(inner) => of_condition(inner, visit),
        Condition::Test { test, .. } => test.each_reference(&mut |reference| match reference {
            Reference::Set(set) => visit(State::Set(set)),
            Reference::Counter(counter) => visit(State::Counter(counter)),
            Reference::Flag(flag) => visit(State::Flag(flag)),
            Reference::Paths(paths) => paths.all_sets().for_each(|set| visit(State::Set(*set))),
            Reference::Shapes(shapes) => {
                let spared = shapes.iter().filter_map(|shape| shape.spares.as_ref());
                spared.flat_map(Paths::all_sets).for_each(|set| visit(State::Set(*set)));
            }
            _ => {}
        }),
    }
}
