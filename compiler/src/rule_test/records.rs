//! What a rule test file and the examples of a rule may hold.

use super::cases;
use super::event::EventNode;
use super::impossible::impossible;
use crate::ast::{BehaviorConfig, RuleDefinition, RuleSwitches};
use crate::decode::{
    Decode, Int, Named, OneOrMany, Reports, Scalar, Spanned, choice, is_misspelt, record,
    wrong_type,
};
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// The greatest number of events of a test, so that `at` fits into a few bytes.
const MAX_EVENTS: i64 = 4_000_000_000;

record! {
    /// Tests of rules: what they say to events that are made up or were recorded.
    TestFile, "a rule test file" {
        /// The tests.
        #[required(true)]
        tests: Vec<TestCases>,
    }

    /// One test: events under rules, and what is expected of the decisions.
    ///
    /// Without `config` and `rules`, the test is about the file beside it that it is named after, else about the
    /// nearest `behavior.yaml`.
    RuleTest, "a rule test" {
        /// What the test shows, in a few words.
        name: Spanned<Box<str>>,
        /// The rule file that the test is about, from the test's folder; several compose. Or a config, written here.
        config: OwnConfig,
        /// Rules written here: a list of rule definitions, or a mapping that switches built-in rules.
        rules: OwnRules,
        /// The events: native ones, or short ones such as `edit: { file_path: a.rs }`.
        ///
        /// A tool with its params is a call and its successful result; `result` and `ok: false` beside it say what
        /// came of it. The name of a native event with its text is that event, as in `turn_start: Fix it`.
        events: Vec<EventNode>,
        /// A recording, from the test's folder, in place of `events`.
        trace: Spanned<Box<str>>,
        /// The root of the repository, an absolute path such as `/repo`. Sessions work there, unless they say where.
        root: Spanned<Box<str>>,
        /// What is expected, at some of the events.
        #[default("[]")]
        expect: Vec<Spanned<Expectation>>,
        /// Whether no other rule fires than those that are expected, at any event.
        #[default("false")]
        exactly: bool,
        /// A file, from the test's folder, that holds all decisions; `behavior test --update` writes it.
        snapshot: Spanned<Box<str>>,
        /// A table: the test runs once for each row, with `{{case.NAME}}` replaced by the row's value of that name.
        cases: Vec<Node>,
    }

    /// What is expected at one event.
    Expectation, "an expectation" {
        /// The event: its place in `events`, or in the recording, from 0.
        #[required(true)]
        at: Spanned<Int<0, MAX_EVENTS>>,
        /// Rules that fire, others may too unless the test says `exactly`. An empty list: none does.
        rules: OneOrMany<Spanned<Box<str>>>,
        /// What becomes of the call.
        verdict: Spanned<ExpectedVerdict>,
        /// The message of a rule that fires, word for word.
        message: Spanned<Box<str>>,
        /// A part of the message of a rule that fires.
        message_contains: Spanned<Box<str>>,
        /// What the policy says of the call.
        permission: Spanned<ExpectedPermission>,
        /// The rule of the policy that says it.
        permission_rule: Spanned<Box<str>>,
        /// What the agent is told because of a classifier's reply.
        directive: Spanned<Box<str>>,
        /// What the verifier has to do with the event.
        verifier: Spanned<ExpectedVerifier>,
        /// Rules of which nobody can tell whether they apply.
        undecided: OneOrMany<Spanned<Box<str>>>,
        /// What follows in the workflow of the session.
        workflow: Spanned<ExpectedTransition>,
        /// What the session remembers after the event.
        state: Spanned<ExpectedState>,
    }

    /// What the verifier is expected to do: at the end of a response whether it is asked, at its reply what it says.
    /// What is left out may be anything.
    ExpectedVerifier, "what the verifier does" {
        /// Whether a model is asked.
        asks: bool,
        /// Why, or why not: `due`, `no_text`, `headless`, `disabled`, `no_brain` or `rounds`.
        reason: Box<str>,
        /// Whether the response is flagged.
        flags: bool,
        /// Whether nobody can tell, and the user is told why.
        fails: bool,
        /// The calls that it is told of, the oldest first.
        tool_calls: OneOrMany<Box<str>>,
        /// The files that it is told of, the latest first.
        inspections: OneOrMany<Box<str>>,
    }

    /// What is expected to follow in a workflow. What is left out may be anything.
    ExpectedTransition, "what follows in a workflow" {
        /// What is done: `next`, `repeat`, `trigger`, `checkpoint`, `oversight`, `stop`, `finished` or `error`.
        action: Spanned<Box<str>>,
        /// The index of the step that runs next, or `none`.
        step: Spanned<Scalar>,
        /// How often the loop went back, this time included.
        iteration: Spanned<Int<0, MAX_EVENTS>>,
        /// The agent that a trigger runs.
        agent: Spanned<Box<str>>,
        /// How risky oversight finds it to go on, from 0 to 1.
        risk: Spanned<f64>,
        /// The name of what is wrong.
        error: Spanned<Box<str>>,
        /// A part of the reason.
        reason_contains: Spanned<Box<str>>,
        /// Whether the run pauses.
        paused: Spanned<bool>,
    }

    /// What a session is expected to remember. What is left out may be anything.
    ExpectedState, "the state of a session" {
        /// The turn, from 1; 0 before the first.
        turn: Int<0, MAX_EVENTS>,
        /// How many calls of this turn have ended.
        calls_this_turn: Int<0, MAX_EVENTS>,
        /// How many calls have ended.
        total_calls: Int<0, MAX_EVENTS>,
        /// The tool that ran last, and how often in a row.
        streak: ExpectedStreak,
        /// How many findings count as violations.
        violations: Int<0, MAX_EVENTS>,
        /// The rule of the last violation.
        last_violation: Box<str>,
        /// The targets in sets, in any order.
        sets: Named<OneOrMany<Box<str>>>,
        /// The values of counters.
        counters: Named<Int<{ i64::MIN }, { i64::MAX }>>,
        /// Whether flags are set.
        flags: Named<bool>,
        /// The last calls that have ended, oldest first: all that are remembered.
        recent: Vec<ExpectedCall>,
    }

    /// The same tool again and again. What is left out may be anything.
    ExpectedStreak, "a streak of calls" {
        /// The tool that ran last.
        tool: Box<str>,
        /// How often it ran in a row.
        length: Int<0, MAX_EVENTS>,
    }

    /// A call that is remembered. What is left out may be anything.
    ExpectedCall, "a call that is remembered" {
        /// The tool.
        tool: Box<str>,
        /// What it was about.
        target: Box<str>,
    }

    /// Calls on which a rule must fire and others that it must let pass. Each is a session of its own: one event, or
    /// a list of them, of which the last counts.
    RuleExamples, "the examples of a rule" {
        /// Events on which the rule fires.
        #[default("[]")]
        fires: Vec<ExampleEvents>,
        /// Events on which it does not.
        #[default("[]")]
        passes: Vec<ExampleEvents>,
    }
}

choice! {
    /// What becomes of a call.
    ExpectedVerdict {
        /// It runs.
        Allow = "allow",
        /// The user is asked.
        Ask = "ask",
        /// It does not run.
        Deny = "deny",
        /// The event is no call.
        None = "none",
    }

    /// What a policy says of a call.
    ExpectedPermission {
        /// It may run.
        Allow = "allow",
        /// The user is asked.
        Ask = "ask",
        /// It may not run.
        Deny = "deny",
        /// It is to be tried without effect first.
        DryRunFirst = "dry_run_first",
    }
}

impl ExpectedVerdict {
    /// Returns the word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::None => "none",
        }
    }
}

impl ExpectedPermission {
    /// Returns the word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::DryRunFirst => "dry_run_first",
        }
    }
}

/// The events of one example.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleEvents {
    /// The events.
    pub events: Vec<EventNode>,
    /// Where they stand.
    pub span: Span,
}

impl Decode for ExampleEvents {
    const SHAPE: Shape = Shape::OneOrMany(&EventNode::SHAPE);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        let events = OneOrMany::<EventNode>::decode(node, reports)?.0;
        if events.is_empty() && node.items().is_some_and(<[Node]>::is_empty) {
            reports.push(impossible(node.span, "an example without events shows nothing"));
        }
        Some(Self { events, span: node.span })
    }
}

/// What `config` of a test names or holds; the rules are read later, where they are needed.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnConfig(pub Node);

impl Decode for OwnConfig {
    const SHAPE: Shape =
        Shape::Either(&[Shape::Text, Shape::List(&Shape::Text), BehaviorConfig::SHAPE]);

    fn decode(node: &Node, _: &mut Reports) -> Option<Self> {
        Some(Self(node.clone()))
    }
}

/// The rules that stand in a test, likewise.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnRules(pub Node);

impl Decode for OwnRules {
    const SHAPE: Shape = Shape::Either(&[Shape::List(&RuleDefinition::SHAPE), RuleSwitches::SHAPE]);

    fn decode(node: &Node, _: &mut Reports) -> Option<Self> {
        Some(Self(node.clone()))
    }
}

/// A test, or one for each row of its table.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCases(pub Vec<Spanned<RuleTest>>);

impl Decode for TestCases {
    const SHAPE: Shape = RuleTest::SHAPE;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        let rows = match node.get("cases").map(|cases| &cases.kind) {
            Some(Kind::Seq(rows)) => rows,
            None | Some(Kind::Null) => return decode_one(node, reports).map(|one| Self(vec![one])),
            Some(_) => {
                wrong_type(node.get("cases")?, Vec::<Node>::SHAPE, reports);
                return None;
            }
        };
        let expanded = cases::expand(node, rows, reports);
        let tests = expanded.iter().filter_map(|node| decode_one(node, reports));
        Some(Self(tests.collect()))
    }
}

fn decode_one(node: &Node, reports: &mut Reports) -> Option<Spanned<RuleTest>> {
    let test = RuleTest::decode(node, reports)?;
    check_test(&test, node, reports);
    Some(Spanned { value: test, span: node.span })
}

/// Reports what no test can mean.
fn check_test(test: &RuleTest, node: &Node, reports: &mut Reports) {
    let span = |field: &str| node.entry(field).map_or(node.span, |entry| entry.key.span);
    let misspelt = |field: &str, reports: &Reports| is_misspelt(node, field, reports);
    if test.config.is_some() && test.rules.is_some() {
        reports.push(
            impossible(span("rules"), "`config` and `rules` exclude each other")
                .help("write the rules into the config, as `rule_definitions`"),
        );
    }
    match (node.get("events").is_some(), node.get("trace").is_some()) {
        (true, true) => {
            reports.push(impossible(span("trace"), "`events` and `trace` exclude each other"));
        }
        (false, false) if misspelt("events", reports) || misspelt("trace", reports) => {}
        (false, false) => reports.push(
            impossible(node.span, "a test needs events")
                .help("add `events`, or a recording at `trace`"),
        ),
        _ => {}
    }
    if let Some(root) = test.root.as_ref().filter(|root| !is_absolute(&root.value)) {
        reports.push(
            impossible(root.span, "the root of a test is a whole path")
                .help("nothing is looked for there: write any, such as `/repo`"),
        );
    }
    let expects = test.expect.is_some() || test.snapshot.is_some() || test.exactly.is_some();
    if !expects && node.get("expect").is_none() && !misspelt("expect", reports) {
        reports.push(
            impossible(node.span, "a test that expects nothing cannot fail")
                .help("add `expect`, such as `expect: [{ at: 0, rules: [some_rule] }]`"),
        );
    }
    if let Some(path) = test.snapshot.as_ref().filter(|path| leads_out(&path.value)) {
        reports.push(
            impossible(path.span, "a snapshot lies in the folder of its test, or below it")
                .help("name it from there, such as `snapshots/commit.txt`"),
        );
    }
    let Some(events) = node.get("events").and_then(Node::items) else { return };
    for expectation in test.expect.iter().flatten() {
        let Some(at) = &expectation.value.at else { continue };
        if usize::try_from(at.value.0).is_ok_and(|at| at >= events.len()) {
            let message = format!("there is no event {}", at.value.0);
            let last = events.len().saturating_sub(1);
            reports.push(
                impossible(at.span, message)
                    .help(format!("`at` counts the entries of `events` from 0 to {last}")),
            );
        }
    }
}

/// Whether a path begins at the root of a file system, or at a drive of Windows.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..).is_some_and(|rest| rest.starts_with([':']))
}

/// Whether a path may name something outside of the folder that it is seen from.
fn leads_out(path: &str) -> bool {
    let is_absolute = path.starts_with(['/', '\\', '~']) || path.contains(':');
    is_absolute || path.split(['/', '\\']).any(|part| part == "..")
}
