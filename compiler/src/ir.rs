//! The program: everything resolved, typed and desugared. What the image says in bytes, this says
//! in types; a naive evaluator can run it as it is.

use std::sync::Arc;

use behavior_image::code::{
    ApprovalMode, EventPart, FactKind, Operator, PermissionAction, Priority, Scope, ShowUser,
    VerifierMode,
};
use behavior_image::operand;
use behavior_image::operation::Op;
use behavior_image::operations;
use behavior_image::trace_rule::MonitorKind;
use behavior_image::workflow::WorkflowTable;
use behavior_runtime::brain::Brains;
use behavior_runtime::classifier::ClassifierTable;
use behavior_runtime::decision::{Action, Origin, Phase, Verdict};
use behavior_shell::{FileEffect, FilePlace, FlagEffect, FlagValue, Language, Runs};

use crate::ast::Repeat;
use crate::operand::Kind;
use crate::pattern::Pattern;
use crate::rule_test::RuleExamples;
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
    /// The rules of trace policies, in the order in which findings are reported.
    pub monitors: Vec<Monitor>,
    /// What is known of programs.
    pub programs: KnownPrograms,
    /// The policy, where there is one.
    pub permissions: Option<Permissions>,
    /// The thresholds that the rules were compiled with.
    pub thresholds: Vec<(Box<str>, i64)>,
    /// The classifier, where the config speaks of one.
    pub classifier: Option<ClassifierTable>,
    /// The verifier, where the config speaks of one.
    pub verifier: Option<Verifier>,
    /// The language models that the config names.
    pub brains: Brains,
    /// The rule-list section for the agent's system prompt.
    pub prompt: String,
    /// The profile that the rules come from.
    pub profile: Option<Box<str>>,
    /// The document that the agent is reminded of on every turn.
    pub turn_reminder: Option<Box<str>>,
    /// What a live agent is answered when deciding fails, where the config says so.
    pub on_error: Option<Verdict>,
    /// How many warnings and reminders the agent is told in a turn at most, if that is limited.
    pub max_per_turn: Option<u32>,
    /// What of the findings a user is shown, where the config says so.
    pub show_user: Option<ShowUser>,
    /// The workflow templates, and what holds for all of them.
    pub workflows: WorkflowTable,
}

impl Program {
    /// The conditions of all changes of state, in one order: of sets, then of counters, then of flags.
    pub fn state_conditions(&self) -> impl Iterator<Item = Option<&Condition>> {
        let sets = self.sets.iter().map(|set| set.add_when.as_ref());
        let counters = self
            .counters
            .iter()
            .flat_map(|counter| [counter.increment_when.as_ref(), counter.reset_if.as_ref()]);
        let flags =
            self.flags.iter().flat_map(|flag| [flag.set_when.as_ref(), flag.unset_when.as_ref()]);
        sets.chain(counters).chain(flags)
    }

    /// Whether a condition asks for what answers claim without ground.
    #[must_use]
    pub fn checks_claims(&self) -> bool {
        fn asks(condition: &Condition) -> bool {
            match condition {
                Condition::All(items) | Condition::Any(items) => items.iter().any(asks),
                Condition::Not(inner) => asks(inner),
                Condition::Test { test, .. } => matches!(test, Test::UngroundedClaims),
                Condition::Always => false,
            }
        }
        self.conditions().any(asks)
    }

    /// The conditions of all rules, of their exceptions, and of all changes of state.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.rules.iter().flat_map(Rule::conditions).chain(self.state_conditions().flatten())
    }
}

/// Whether a model verifies the answers of an agent, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verifier {
    /// Whether it does.
    pub mode: VerifierMode,
    /// How many turns what was looked at counts as evidence.
    pub window_turns: u32,
    /// How many flags in a row make the agent go on.
    pub max_rounds: u32,
    /// The author's rubric, in place of the built-in one.
    pub system_prompt: Option<Box<str>>,
    /// Whether it does where nobody is there, too.
    pub headless: bool,
}

impl Verifier {
    /// Whether it is not switched off.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.mode != VerifierMode::Off
    }
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
    /// What is answered where nobody can tell whether it applies, if it stops calls.
    pub when_undecided: Verdict,
    /// What becomes of a call that it asks about where nobody can answer: it is allowed or denied.
    pub when_unanswered: Verdict,
    /// Whether a user may allow what it stops.
    pub is_grantable: bool,
    /// How often the agent is told.
    pub repeat: Repeat,
    /// The normalised tools without which it makes no sense.
    pub needs: Vec<Box<str>>,
    /// Whether it holds in sub-agents.
    pub in_subagent: bool,
    /// Where it comes from.
    pub origin: Origin,
    /// What must hold.
    pub condition: Condition,
    /// What makes it silent.
    pub exceptions: Vec<Exception>,
    /// What the agent is told.
    pub message: Vec<MessagePart>,
    /// Calls on which it must fire and others that it must let pass.
    pub examples: RuleExamples,
}

/// What makes a rule silent.
#[derive(Clone, Debug, PartialEq)]
pub struct Exception {
    /// When it does.
    pub condition: Condition,
    /// Why it was made.
    pub reason: Box<str>,
    /// The second since the epoch at which it ends, if it does.
    pub until: Option<u32>,
    /// Where it stands.
    pub span: Span,
}

impl Rule {
    /// Its own condition and those of its exceptions.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let exceptions = self.exceptions.iter().map(|exception| &exception.condition);
        std::iter::once(&self.condition).chain(exceptions)
    }

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

/// A rule of a trace policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// Its id.
    pub id: Box<str>,
    /// What it is for.
    pub description: Box<str>,
    /// Where it stands.
    pub span: Span,
    /// What it asserts.
    pub kind: MonitorKind,
    /// What a violation does.
    pub action: Action,
    /// Over what it holds.
    pub scope: Scope,
    /// What must hold of a pair for the rule to look at it.
    pub when: Vec<PairTest>,
    /// What it asserts it of.
    pub assertion: Assertion,
}

/// What a rule of a trace policy asserts it of.
#[derive(Clone, Debug, PartialEq)]
pub enum Assertion {
    /// A tool.
    Tool(Box<str>),
    /// A tool that must be called once in each turn.
    ToolEachTurn(Box<str>),
    /// A tool, and the one that may only be called after it.
    Order(Box<str>, Box<str>),
    /// A number that must not be passed.
    Limit(u64),
    /// A number of tokens that must not be passed, and the thousandths that one read from a cache counts.
    Tokens(u64, u32),
    /// Reasons to end for.
    StopReasons(Vec<Box<str>>),
    /// A text.
    Text(Box<str>),
    /// A JSON Schema, as JSON.
    Schema(Box<str>),
    /// A path whose value stays.
    Path(Box<str>),
    /// What obliges, the tool that must be called in answer, and within how many responses.
    CallFollows(Vec<PairTest>, Box<str>, u32),
    /// What obliges, the text that must be said in answer, and within how many responses.
    TextFollows(Vec<PairTest>, Box<str>, u32),
    /// The path of retrieved text, and the share of words that must stand in it.
    Grounded(Box<str>, f64),
}

/// A test of a pair of request and response.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTest {
    /// The dotted path.
    pub path: Box<str>,
    /// How its value is held against the other.
    pub operator: Operator,
    /// The other value, as JSON.
    pub value: Box<str>,
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

impl Condition {
    /// Returns how many tests it has. Conditions nest no deeper than the compiler lets them.
    #[must_use]
    pub fn tests(&self) -> usize {
        match self {
            Self::Always => 0,
            Self::All(all) | Self::Any(all) => all.iter().map(Self::tests).sum(),
            Self::Not(inner) => inner.tests(),
            Self::Test { .. } => 1,
        }
    }
}

/// Declares the tests, a variant for each row of the table of operations.
macro_rules! declare_tests {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident = $number:literal: $key:ident $(($(
            $(#[doc = $operand_docs:literal])*
            $operand:ident: $kind:ident $(= $default:literal)?
        ),+ $(,)?))? -> $logic:ident $columns:tt
    )*) => {
        /// A question about the event or the session.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Test {
            /// A constant.
            Constant(bool),
            $(
                $(#[doc = $docs])+
                $name $(($(<operand::$kind as Kind>::Value),+))?,
            )*
        }

        impl Test {
            /// Visits what the test refers to in the program, in the order of its operands.
            pub fn each_reference<'t>(&'t self, visit: &mut dyn FnMut(Reference<'t>)) {
                match self {
                    Test::Constant(_) => {}
                    $(Test::$name $(($($operand),+))? => {
                        $($(visit(operand::$kind::reference($operand));)+)?
                    })*
                }
            }

            /// The instruction that it compiles to.
            #[must_use]
            pub fn op(&self) -> Op {
                match self {
                    Test::Constant(_) => Op::Constant,
                    $(Test::$name { .. } => Op::$name,)*
                }
            }
        }
    };
}

operations!(declare_tests);

/// What a test refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference<'t> {
    /// A set.
    Set(Index),
    /// A counter.
    Counter(Index),
    /// A flag.
    Flag(Index),
    /// A pattern.
    Pattern(Index),
    /// A parameter of the call.
    Param(&'t str),
    /// Commands.
    Shapes(&'t [Shape]),
    /// Where a secret is looked for.
    SecretPlace(&'t SecretPlace),
    /// Paths that files may have.
    Paths(&'t Paths),
    /// Branches of a repository.
    Branches(&'t Branches),
    /// A value that is nothing of the program's.
    None,
}

/// Paths that a file may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// Bits of [`behavior_image::code::PathKind`].
    pub kinds: u16,
    /// The patterns that its path may match.
    pub globs: Vec<Index>,
    /// The patterns of directories in which such files lie.
    pub folders: Vec<Index>,
    /// The sets that it may be in.
    pub sets: Vec<Index>,
    /// Those that are left out.
    pub left_out: Option<Box<Paths>>,
}

impl Paths {
    /// Gives its patterns other numbers.
    pub(crate) fn renumber(&mut self, number: &mut impl FnMut(Index) -> Index) {
        let mut paths = Some(self);
        while let Some(these) = paths {
            for index in these.globs.iter_mut().chain(&mut these.folders) {
                *index = number(*index);
            }
            paths = these.left_out.as_deref_mut();
        }
    }

    /// The sets that it names, those that are left out among them.
    pub fn all_sets(&self) -> impl Iterator<Item = &Index> {
        self.sets.iter().chain(self.left_out.iter().flat_map(|left_out| &left_out.sets))
    }
}

/// Branches of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// Whether the default branch is one of them.
    pub is_default: bool,
    /// The patterns that the name of one may match.
    pub names: Vec<Index>,
}

/// Where a secret is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretPlace {
    /// The place.
    pub place: EventPart,
    /// For one parameter, its name.
    pub param: Option<Box<str>>,
}

/// What a command must look like. An empty list asks nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// The programs that it may be, in lower case.
    pub programs: Vec<Box<str>>,
    /// Or a pattern for the program's name.
    pub program_pattern: Option<Index>,
    /// The program with its directory, where one is named.
    pub program_path: Option<Box<str>>,
    /// The operands in order; `None` stands for any number of them.
    pub operands: Option<Vec<Option<Index>>>,
    /// The flags that it must have.
    pub flags: Vec<FlagTest>,
    /// Flags of which it must have one.
    pub any_flags: Vec<FlagTest>,
    /// Flags that it must not have.
    pub no_flags: Vec<FlagTest>,
    /// Patterns of which some operand matches one.
    pub some_operand: Vec<Index>,
    /// Patterns of which no operand matches any.
    pub without_operand: Vec<Index>,
    /// Patterns of which a file that it writes by redirection matches one.
    pub writes: Vec<Index>,
    /// Patterns of which a file that it reads by redirection matches one.
    pub reads: Vec<Index>,
    /// A pattern that the text it is given matches.
    pub given: Option<Index>,
    /// The text it is given is read as statements of SQL before.
    pub reads_statements: bool,
    /// The programs of which one writes what it reads.
    pub piped_from: Vec<Box<str>>,
    /// The programs of which one's output is put into its words.
    pub substitutes: Vec<Box<str>>,
    /// The programs of which one runs it.
    pub under: Vec<Box<str>>,
    /// Variables of which one is set for it; the names are as they are written.
    pub variables: Vec<FlagTest>,
    /// Nothing may follow that the shape does not name.
    pub exact: bool,
    /// It cannot be known what runs.
    pub opaque: bool,
    /// Some operand is not known.
    pub unknown_operand: bool,
    /// Some operand is a pattern for names of files.
    pub pattern_operand: bool,
    /// It runs in a loop.
    pub in_loop: bool,
    /// It runs itself in a pipe or in the background.
    pub calls_itself: bool,
    /// The line may end well although it fails.
    pub status_lost: bool,
    /// Adding to a file is not writing it.
    pub overwrites: bool,
    /// It belongs to a class: a command with words that nobody knows is not taken for one of it.
    pub of_class: bool,
    /// Files of which it is not about, where a command changes no others.
    pub spares: Option<Paths>,
}

impl Shape {
    /// Gives its patterns other numbers.
    pub(crate) fn renumber(&mut self, mut number: impl FnMut(Index) -> Index) {
        let operands = self.operands.iter_mut().flatten().flatten();
        let lists =
            [&mut self.some_operand, &mut self.without_operand, &mut self.writes, &mut self.reads];
        let flags = [&mut self.flags, &mut self.any_flags, &mut self.no_flags, &mut self.variables];
        let values = flags.into_iter().flatten().filter_map(|test| test.value.as_mut());
        let alone = [&mut self.program_pattern, &mut self.given].into_iter().flatten();
        for index in operands.chain(lists.into_iter().flatten()).chain(values).chain(alone) {
            *index = number(*index);
        }
        if let Some(spares) = &mut self.spares {
            spares.renumber(&mut number);
        }
    }
}

/// A flag that a shape asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagTest {
    /// The spelling that stands for all that mean the same, without dashes.
    pub name: Box<str>,
    /// A pattern that its value matches.
    pub value: Option<Index>,
}

/// Who may run what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Permissions {
    /// What is done with calls that no rule covers, where a file says so.
    pub mode: Option<ApprovalMode>,
    /// Where that is said; else the start of a policy.
    pub mode_span: Option<Span>,
    /// The rules, in the order in which they are looked at.
    pub rules: Vec<PolicyRule>,
}

/// A rule of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyRule {
    /// Its name.
    pub name: Box<str>,
    /// Where it stands.
    pub span: Span,
    /// Where its pattern stands.
    pub pattern_span: Span,
    /// Its pattern, as written.
    pub pattern: Box<str>,
    /// Whose word it is.
    pub priority: Priority,
    /// What it says.
    pub action: PermissionAction,
    /// The only mode in which it holds.
    pub mode: Option<ApprovalMode>,
    /// What it is about: any of these.
    pub alternatives: Vec<PolicyAlternative>,
    /// What must hold of the call as well: all of these.
    pub facts: Vec<PolicyFact>,
    /// What people are told.
    pub reason: Box<str>,
}

/// One of the things that a rule of a policy is about.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyAlternative {
    /// The tools.
    pub tool: ToolTest,
    /// What a command must look like, where the tool runs commands.
    pub command: Option<Shape>,
    /// A pattern for one argument or all of them, where it does not.
    pub argument: Option<Index>,
}

/// What must hold of a call beside what its tool and its arguments match.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyFact {
    /// The parameter of that name matches the pattern.
    Param(Box<str>, Index),
    /// The host of its addresses matches the pattern.
    Host(Index),
    /// It touches, reads or writes such files, which the kind says; for a rule that allows, no others.
    Files(FactKind, Paths),
}

/// Which tools a rule of a policy is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolTest {
    /// All.
    Any,
    /// Those that run command lines.
    Shell,
    /// One, by its normalised name.
    Named(Box<str>),
    /// Those whose normalised name, or its last part, matches the pattern.
    Pattern(Index),
}

/// What is known of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramKnowledge {
    /// Its name in lower case, and those of the subcommands behind it.
    pub path: Arc<[Box<str>]>,
    /// What is known of it.
    pub facts: Arc<ProgramFacts>,
}

/// What is known of programs, as far as it is of use.
#[derive(Clone, Debug, Default)]
pub struct KnownPrograms {
    /// What is of use wherever command lines are read, sorted by path: one and the same list for all programs that know
    /// no other names, so that it need not be laid out anew for each.
    pub base: Arc<[ProgramKnowledge]>,
    /// What is of use beside, and in the place of what stands there under the same path; sorted by path.
    pub own: Vec<ProgramKnowledge>,
}

/// What is known of a program, whatever its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramFacts {
    /// Its flags, sorted by spelling.
    pub flags: Vec<KnownFlag>,
    /// What it does with its operands.
    pub runs: Runs,
    /// How many operands stand before what it runs.
    pub skip: u32,
    /// Bits of [`behavior_shell::programs::Traits`].
    pub traits: u32,
    /// Settings that name commands.
    pub settings: Vec<Box<str>>,
    /// Settings that run nothing, in lower case.
    pub harmless: Vec<Box<str>>,
    /// Texts behind which a command line stands.
    pub escapes: Vec<Box<str>>,
    /// The language whose code it is given to run.
    pub language: Language,
    /// The flag that an operand with `+` before it means too.
    pub plus: Option<Box<str>>,
    /// What it does with files.
    pub uses: Vec<Arc<FileUse>>,
}

/// What a program does with some of the files that its words name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUse {
    /// What it does.
    pub effect: FileEffect,
    /// Which words name them.
    pub place: FilePlace,
    /// The flag or the text before the name, where the place asks for one.
    pub name: Option<Box<str>>,
    /// The flags that must all be there.
    pub with: Vec<Box<str>>,
    /// The flags of which none may be there.
    pub without: Vec<Box<str>>,
}

/// A flag of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KnownFlag {
    /// As it is written, without dashes.
    pub spelling: Arc<str>,
    /// The spelling that stands for all that mean the same.
    pub canonical: Arc<str>,
    /// Whether it has a value.
    pub value: FlagValue,
    /// What it makes the program run.
    pub effect: FlagEffect,
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
    /// The text of a document.
    Document(Box<str>),
    /// What the text claims without ground.
    Claims,
    /// The command of the line that a condition `runs` holds for.
    Command,
    /// The file that a condition on paths holds for, else the command.
    Cause,
}

/// A tracked set.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// The tools that add to it once they have run: normalised names, or `*`.
    pub add_on: Vec<Box<str>>,
    /// The tools that add to it when they are called.
    pub add_on_call: Vec<Box<str>>,
    /// The tools that add to it once they have succeeded.
    pub add_on_success: Vec<Box<str>>,
    /// What must hold of a call that has run for it to add to the set.
    pub add_when: Option<Condition>,
    /// The parameters that may hold the target, in order, before the usual ones.
    pub targets: Vec<Box<str>>,
    /// How many turns an entry lives; 0 for ever.
    pub window: u32,
    /// Whether entries keep the file's fingerprint.
    pub fingerprint: bool,
    /// Whether entries stay when the agent's context is put in short.
    pub survives_compaction: bool,
    /// Which files that calls touch are added besides: bits of [`behavior_image::code::PathUse`].
    pub paths: u32,
}

/// A counter.
#[derive(Clone, Debug, PartialEq)]
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
    /// Whether a call counts before it runs.
    pub counts_started: bool,
    /// What must hold of a call besides for it to count up.
    pub increment_when: Option<Condition>,
    /// What else resets it.
    pub reset_if: Option<Condition>,
    /// Whether each turn starts at 0.
    pub is_per_turn: bool,
}

/// A reset that depends on a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ResetWhen {
    /// The tools.
    pub tools: Vec<Box<str>>,
    /// The parameter.
    pub param: Box<str>,
    /// What it must match or run.
    pub test: ResetTest,
}

/// What a parameter must be for a reset.
#[derive(Clone, Debug, PartialEq)]
pub enum ResetTest {
    /// It matches the pattern.
    Matches(Index),
    /// The command line in it runs a command of one of the shapes.
    Runs(Vec<Shape>),
}

/// A flag.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// The tools that set it.
    pub set_on: Vec<Box<str>>,
    /// The tools that unset it.
    pub unset_on: Vec<Box<str>>,
    /// What must hold of a call besides for it to set the flag.
    pub set_when: Option<Condition>,
    /// What else unsets it.
    pub unset_when: Option<Condition>,
    /// Whether it is false at the start of each turn.
    pub is_per_turn: bool,
}
