//! The program: everything resolved, typed and desugared. What the image says in bytes, this says
//! in types; a naive evaluator can run it as it is.

use behavior_runtime::classifier::Classifier;
use behavior_runtime::code::{Comparison, Place};
use behavior_runtime::decision::{Action, Origin, Phase};

use crate::pattern::Pattern;
use crate::source::Span;

/// Index of a set, counter, flag or pattern in its table.
pub type Index = u32;

/// Compiled rules before code generation.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The rules in force, in the order in which findings are reported.
    pub rules: Vec<Rule>,
    /// The tracked sets.
    pub sets: Vec<Set>,
    /// The counters.
    pub counters: Vec<Counter>,
    /// The flags.
    pub flags: Vec<Flag>,
    /// The patterns of conditions and resets.
    pub patterns: Vec<Pattern>,
    /// The thresholds that the rules were compiled with.
    pub thresholds: Vec<(Box<str>, i64)>,
    /// The classifier, where the config speaks of one.
    pub classifier: Option<Classifier>,
    /// The rule-list section for the agent's system prompt.
    pub prompt: String,
    /// The profile that the rules come from.
    pub profile: Option<Box<str>>,
}

/// A rule in force.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its id.
    pub id: Box<str>,
    /// What it is for.
    pub description: Box<str>,
    /// Where it stands.
    pub span: Span,
    /// The tools that it concerns.
    pub triggers: Vec<Trigger>,
    /// When it is looked at.
    pub phase: Phase,
    /// What it does.
    pub action: Action,
    /// Where it comes from.
    pub origin: Origin,
    /// What must hold.
    pub condition: Condition,
    /// What the agent is told.
    pub message: Vec<MessagePart>,
}

impl Rule {
    /// The names of its triggers.
    pub fn trigger_names(&self) -> impl Iterator<Item = &str> {
        self.triggers.iter().map(|trigger| &*trigger.name)
    }
}

/// A tool that a rule concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// The normalised tool name, or `*`.
    pub name: Box<str>,
    /// Where it stands; the rule, where it is not written.
    pub span: Span,
}

impl Trigger {
    /// Whether this is `*`.
    #[must_use]
    pub fn selects_all(&self) -> bool {
        &*self.name == "*"
    }
}

/// What must hold for a rule to fire.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Nothing: the rule always fires.
    Always,
    /// All of them. True when there are none.
    All(Vec<Condition>),
    /// Any of them. False when there are none.
    Any(Vec<Condition>),
    /// Not this one.
    Not(Box<Condition>),
    /// A test.
    Test {
        /// The test.
        test: Test,
        /// The condition that it was written as.
        text: Box<str>,
        /// Where that stands.
        span: Span,
    },
}

/// A question about the event or the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// A constant.
    Constant(bool),
    /// The call's target is in the set.
    TargetInSet(Index),
    /// The call has a target that is not in the set.
    TargetNotInSet(Index),
    /// The counter has come to the number.
    CounterAtLeast(Index, i64),
    /// The flag has the value.
    FlagIs(Index, bool),
    /// The parameter matches the pattern.
    ParamMatches(Box<str>, Index),
    /// The parameter is one of the texts.
    ParamIn(Box<str>, Vec<Box<str>>),
    /// The parameter compares to a JSON scalar.
    ParamCompare(Box<str>, Comparison, Box<str>),
    /// The agent wrote no text in this turn so far.
    NoTextBeforeTools,
    /// No call of this turn has ended.
    FirstToolThisTurn,
    /// The same tool runs at least so often in a row.
    ConsecutiveAtLeast(u32),
    /// So many calls of this turn have ended.
    TurnCallsEqual(u32),
    /// The call's target exists.
    TargetExists,
    /// The agent's text matches the pattern.
    TextMatches(Index),
    /// The result reports a lint error.
    ResultHasLintErrors,
    /// The call's target matches the path pattern.
    TargetMatches(Index),
    /// The result matches the pattern.
    ResultMatches(Index),
    /// The tool failed.
    ResultFailed,
    /// There is a secret in the place; for one parameter, its name.
    ContainsSecret(Place, Option<Box<str>>),
    /// The target differs from when it entered the set.
    TargetChangedSince(Index),
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessagePart {
    /// Text.
    Text(Box<str>),
    /// The call's target.
    Target,
    /// The tool's canonical name.
    Tool,
    /// The turn's number.
    Turn,
    /// Calls of this turn that have ended.
    TurnCalls,
    /// How often the same tool ran in a row.
    Consecutive,
    /// A parameter.
    Param(Box<str>),
    /// A counter.
    Counter(Index),
    /// The size of a set.
    SetCount(Index),
    /// A flag.
    Flag(Index),
}

/// A tracked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// The tools that add to it: normalised names, or `*`.
    pub add_on: Vec<Box<str>>,
    /// The parameters that may hold the target, in order, before the usual ones.
    pub targets: Vec<Box<str>>,
    /// How many turns an entry lives; 0 for ever.
    pub window: u32,
    /// Whether entries keep the file's fingerprint.
    pub fingerprint: bool,
}

/// A counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// The tools that count up.
    pub increment_on: Vec<Box<str>>,
    /// The tools that reset it.
    pub reset_on: Vec<Box<str>>,
    /// A reset that depends on a parameter.
    pub reset_when: Option<ResetWhen>,
}

/// A reset that depends on a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetWhen {
    /// The tools.
    pub tools: Vec<Box<str>>,
    /// The parameter.
    pub param: Box<str>,
    /// The pattern that it must match.
    pub pattern: Index,
}

/// A flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// The tools that set it.
    pub set_on: Vec<Box<str>>,
    /// The tools that unset it.
    pub unset_on: Vec<Box<str>>,
}
