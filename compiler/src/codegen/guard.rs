//! What must be the case for a rule to be worth a look: something cheap that every way of firing
//! requires. The runtime looks at a rule only when its guard is met.

use behavior_image::code::{Comparison, ScanSource, Slot, SlotKind};
use behavior_image::{operations, scan};

use crate::ir::{Condition, Index, Program, Shape, Test};

/// A requirement; the rule is looked at when any of its alternatives is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// Nothing cheap is required: the rule is always looked at.
    Open,
    /// One of these. With none, the rule can never fire.
    AnyOf(Vec<Alternative>),
}

/// One alternative of a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Alternative {
    /// The text contains the literal, which is ASCII in lower case.
    Literal(Source, Box<str>),
    /// The command line in the parameter runs the program, or nobody knows what it runs.
    Program(Source, Box<str>),
    /// The number has come to the value.
    AtLeast(Slot, i64),
}

/// A text that is scanned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Source {
    pub kind: ScanSource,
    /// For a parameter, its name.
    pub param: Box<str>,
}

impl Source {
    fn param(name: &str) -> Self {
        Self { kind: ScanSource::Param, param: name.into() }
    }

    fn whole(kind: ScanSource) -> Self {
        Self { kind, param: "".into() }
    }
}

/// More alternatives than this are not worth it.
const MAX_ALTERNATIVES: usize = 64;

impl Guard {
    pub fn of(program: &Program, condition: &Condition) -> Self {
        match condition {
            Condition::Always => Guard::Open,
            Condition::All(items) => items
                .iter()
                .map(|item| Guard::of(program, item))
                .min_by_key(Guard::cost)
                .unwrap_or(Guard::Open),
            Condition::Any(items) => items
                .iter()
                .map(|item| Guard::of(program, item))
                .fold(Guard::AnyOf(vec![]), Guard::or),
            Condition::Not(inner) => negated(inner),
            Condition::Test { test, .. } => of_test(program, test),
        }
    }

    fn or(self, other: Guard) -> Guard {
        match (self, other) {
            (Guard::AnyOf(mut left), Guard::AnyOf(right)) => {
                left.extend(right);
                if left.len() > MAX_ALTERNATIVES { Guard::Open } else { Guard::AnyOf(left) }
            }
            _ => Guard::Open,
        }
    }

    /// How much a guard costs and how little it keeps out; the least is the best.
    fn cost(&self) -> (u32, usize) {
        match self {
            Guard::Open => (u32::MAX, 0),
            Guard::AnyOf(alternatives) => {
                let worst = alternatives.iter().map(Alternative::cost).max().unwrap_or(0);
                (worst, alternatives.len())
            }
        }
    }
}

impl Alternative {
    /// Numbers that are seldom high come first, then texts, then what is often the case.
    fn cost(&self) -> u32 {
        match self {
            Alternative::AtLeast(slot, _) => match slot.kind() {
                Some(SlotKind::Consecutive | SlotKind::TurnCalls | SlotKind::Counter) => 1,
                Some(SlotKind::Flag) => 3,
                _ => 4,
            },
            Alternative::Literal(..) | Alternative::Program(..) => 2,
        }
    }
}

fn negated(condition: &Condition) -> Guard {
    match condition {
        Condition::Test { test: Test::FlagIs(flag, false), .. } => {
            at_least(SlotKind::Flag, *flag, 1)
        }
        Condition::Test { test: Test::Constant(true), .. } => Guard::AnyOf(vec![]),
        _ => Guard::Open,
    }
}

fn at_least(kind: SlotKind, index: Index, least: i64) -> Guard {
    if least <= 0 {
        return Guard::Open;
    }
    Guard::AnyOf(vec![Alternative::AtLeast(Slot::new(kind, index), least)])
}

/// Finds the guard that a row of the table of operations names.
macro_rules! guard {
    (none, $program:expr, ($($operand:expr),*)) => {{
        let _ = ($program, $($operand),*);
        Guard::Open
    }};
    ($guard:ident, $program:expr, ($($operand:expr),*)) => {
        $guard($program, $($operand),*)
    };
}

macro_rules! declare_guards {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident = $number:literal: $key:ident $(($(
            $(#[doc = $operand_docs:literal])*
            $operand:ident: $kind:ident $(= $default:literal)?
        ),+ $(,)?))? -> $logic:ident {
            phases: $phases:ident,
            argument: $argument:ident,
            guard: $guard:ident,
            session: $session:ident,
            $($columns:tt)*
        }
    )*) => {
        fn of_test(program: &Program, test: &Test) -> Guard {
            match test {
                Test::Constant(true) => Guard::Open,
                Test::Constant(false) => Guard::AnyOf(vec![]),
                $(Test::$name $(($($operand),+))? => guard!($guard, program, ($($($operand),+)?)),)*
            }
        }
    };
}

operations!(declare_guards);

fn set_is_not_empty(_: &Program, set: &Index) -> Guard {
    at_least(SlotKind::SetCount, *set, 1)
}

fn counter_at_least(_: &Program, counter: &Index, least: &i64) -> Guard {
    at_least(SlotKind::Counter, *counter, *least)
}

fn flag_is(_: &Program, flag: &Index, value: &bool) -> Guard {
    if *value { at_least(SlotKind::Flag, *flag, 1) } else { Guard::Open }
}

/// One call in a row is always reached before a tool; 0 always.
fn consecutive_at_least(_: &Program, least: &u32) -> Guard {
    if *least > 1 { at_least(SlotKind::Consecutive, 0, (*least).into()) } else { Guard::Open }
}

fn turn_calls_at_least(_: &Program, count: &u32) -> Guard {
    at_least(SlotKind::TurnCalls, 0, (*count).into())
}

fn param_matches(program: &Program, param: &str, pattern: &Index) -> Guard {
    by_pattern(program, Source::param(param), *pattern)
}

fn text_matches(program: &Program, pattern: &Index) -> Guard {
    by_pattern(program, Source::whole(ScanSource::Text), *pattern)
}

fn target_matches(program: &Program, glob: &Index) -> Guard {
    by_pattern(program, Source::whole(ScanSource::Target), *glob)
}

fn result_matches(program: &Program, pattern: &Index) -> Guard {
    by_pattern(program, Source::whole(ScanSource::Result), *pattern)
}

fn param_in(_: &Program, param: &str, values: &[Box<str>]) -> Guard {
    by_literals(&Source::param(param), values.iter().map(|value| value.to_ascii_lowercase()))
}

fn param_compares(_: &Program, param: &str, comparison: &Comparison, value: &str) -> Guard {
    match (comparison, serde_json::from_str::<String>(value)) {
        (Comparison::Equal, Ok(text)) => {
            by_literals(&Source::param(param), [text.to_ascii_lowercase()])
        }
        _ => Guard::Open,
    }
}

/// The programs that shapes name; one that names none is always looked for.
fn runs(_: &Program, param: &str, shapes: &[Shape]) -> Guard {
    let source = Source { kind: ScanSource::Programs, param: param.into() };
    let mut alternatives = Vec::new();
    for shape in shapes {
        // A command of which nobody knows what it runs brings in every rule of its scan.
        let is_bounded = shape.opaque || !shape.programs.is_empty();
        if !is_bounded || alternatives.len() + shape.programs.len() > MAX_ALTERNATIVES {
            return Guard::Open;
        }
        if shape.opaque {
            alternatives.push(Alternative::Program(source.clone(), "".into()));
        }
        let named = shape.programs.iter();
        alternatives.extend(named.map(|name| Alternative::Program(source.clone(), name.clone())));
    }
    alternatives.dedup();
    Guard::AnyOf(alternatives)
}

fn by_pattern(program: &Program, source: Source, pattern: Index) -> Guard {
    let literals = program.patterns.get(pattern as usize).and_then(|p| p.literals.as_ref());
    match literals {
        Some(literals) => by_literals(&source, literals.iter().map(|text| text.to_string())),
        None => Guard::Open,
    }
}

fn by_literals(source: &Source, literals: impl IntoIterator<Item = String>) -> Guard {
    let mut alternatives = Vec::new();
    for literal in literals {
        let can_scan = scan::gram_of(&literal).is_some() && literal.is_ascii();
        if !can_scan || alternatives.len() >= MAX_ALTERNATIVES {
            return Guard::Open;
        }
        alternatives.push(Alternative::Literal(source.clone(), literal.into()));
    }
    Guard::AnyOf(alternatives)
}
