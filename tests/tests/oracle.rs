//! The compiled rules and the naive evaluator decide alike, on rules and sessions that nobody
//! thought of; and what else must hold of any config: the same bytes every time, and explanations
//! that say what was decided.
//!
//! `BEHAVIOR_ORACLE_CASES` sets how many cases are tried, `BEHAVIOR_ORACLE_SEED` which ones; both
//! have a fixed default, so that a run is the same everywhere.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex};

use behavior_agents::{Format, Item, Problem, Sink, read};
use behavior_compiler::ir::Program;
use behavior_compiler::{Compilation, Options, compile_all};
use behavior_image::code::Repeat;
use behavior_image::code::{ApprovalMode, PermissionAction};
use behavior_image::operation::Op;
use behavior_runtime::event::{Call, Event, Param, Value};
use behavior_runtime::{Decision, FactHost, Image, Replay, Session, Truth};
use behavior_tests::generate::{self, Choices, Seed};
use behavior_tests::oracle::policy::{
    Action as PolicyAction, Call as OracleCall, Mode, NAMES, Ruling, decide,
};
use behavior_tests::oracle::truth::Truth as Answered;
use behavior_tests::oracle::{Answer, Fired, Oracle};
use behavior_tests::{provider, samples};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};

const CASES: u32 = 3_000;
/// Cases are tried on this many threads, whatever the machine has, so that they are the same ones.
const SHARDS: u32 = 4;

/// What tests can come to: each holds or does not, some may be unknown, and a constant does not hold.
fn outcomes() -> BTreeSet<(String, Answered)> {
    let of_test = |op: &Op| {
        let open: &[Answered] = match op {
            Op::Runs | Op::Reads | Op::Writes | Op::Deletes | Op::Touches | Op::PushesTo => {
                &[Answered::Hidden, Answered::Missing]
            }
            // That no text came is always known here.
            Op::NoTextBeforeTools => &[],
            op if op.can_be_unknown() => &[Answered::Missing],
            _ => &[],
        };
        let outcomes = [Answered::Yes, Answered::No].into_iter().chain(open.iter().copied());
        outcomes.map(|outcome| (format!("{op:?}"), outcome)).collect::<Vec<_>>()
    };
    let constant = ("Constant".to_owned(), Answered::No);
    let exceptions = [Answered::No, Answered::Missing, Answered::Hidden, Answered::Yes];
    let exceptions = exceptions.map(|outcome| ("Exception".to_owned(), outcome));
    // Whether the agent is told, by how often a rule says it, and whether a change of state happens.
    let manners = Repeat::ALL.iter().map(|repeat| format!("{repeat:?}"));
    let both = manners.chain(["Change".to_owned()]).flat_map(|what| {
        let always = what == "Always";
        let outcomes = [Some(Answered::Yes), (!always).then_some(Answered::No)];
        outcomes.into_iter().flatten().map(move |outcome| (what.clone(), outcome))
    });
    let at_end = ("AtTurnEnd".to_owned(), Answered::No);
    let tests = Op::TESTS.iter().flat_map(of_test);
    tests.chain([constant, at_end]).chain(exceptions).chain(both).collect()
}

/// The kinds of tests that any case made, with what came of them.
type Reached = Mutex<BTreeSet<(String, Answered)>>;

#[test]
fn image_and_oracle_decide_alike() {
    let cases = number("BEHAVIOR_ORACLE_CASES").unwrap_or(CASES);
    let seed = number("BEHAVIOR_ORACLE_SEED").unwrap_or(0);
    let reached = Reached::default();
    std::thread::scope(|scope| {
        for shard in 0..SHARDS {
            let reached = &reached;
            scope.spawn(move || try_cases(cases.div_ceil(SHARDS), seed, shard, reached));
        }
    });
    if cases >= CASES {
        let reached = reached.into_inner().unwrap();
        let missing: Vec<_> = outcomes().difference(&reached).cloned().collect();
        assert!(missing.is_empty(), "some condition never held, or always: {missing:?}");
        let unexpected: Vec<_> = reached.difference(&outcomes()).cloned().collect();
        assert!(unexpected.is_empty(), "nobody expects that: {unexpected:?}");
    }
}

/// How often a call came to each answer.
type Rulings = std::collections::BTreeMap<String, u32>;

#[test]
fn policies_decide_as_their_definition_says() {
    let cases = number("BEHAVIOR_ORACLE_CASES").unwrap_or(CASES);
    let seed = number("BEHAVIOR_ORACLE_SEED").unwrap_or(0);
    let rulings = Mutex::new(Rulings::new());
    std::thread::scope(|scope| {
        for shard in 0..SHARDS {
            let rulings = &rulings;
            scope.spawn(move || try_policies(cases.div_ceil(SHARDS), seed, shard, rulings));
        }
    });
    let rulings = rulings.into_inner().unwrap();
    // Seven kinds of answers, none of them rare.
    let is_even = rulings.len() == 7 && rulings.values().all(|&times| times > 1_000);
    assert!(cases < CASES || is_even, "some answer is hardly given: {rulings:?}");
}

fn try_policies(cases: u32, seed: u32, shard: u32, rulings: &Mutex<Rulings>) {
    let seeds = (vec(any::<u8>(), 8..90), vec(vec(any::<u8>(), 6..24), 1..24));
    let outcome = runner(cases, seed, shard).run(&seeds, |(policy, calls)| {
        try_policy(&policy, &calls, rulings).map_err(TestCaseError::fail)
    });
    if let Err(proptest::test_runner::TestError::Fail(reason, (policy, _))) = &outcome {
        let policy = generate::policy::policy(&mut Choices::new(policy));
        let written = generate::policy::written(&policy);
        panic!("with BEHAVIOR_ORACLE_SEED={seed}, shard {shard}: {reason}\n\n{written}");
    }
    outcome.unwrap();
}

/// Rules that match no call that is made: where there are many, those that may match are found by a scan.
static OTHERS: LazyLock<String> = LazyLock::new(|| {
    let rule = |number: usize| {
        let text = if number.is_multiple_of(2) { "zq" } else { "nothing-of-that-" };
        format!(
            "[[rules]]\nname = \"other{number}\"\npriority = \"default\"\naction = \"deny\"\n\
             tool_pattern = \"edit|re*|write|apply_patch\"\narg_pattern = \"*{text}{number:02}\"\n\n"
        )
    };
    (0..40).map(rule).collect()
});

fn try_policy(policy: &[u8], calls: &[Vec<u8>], rulings: &Mutex<Rulings>) -> Result<(), String> {
    let has_others = policy.len().is_multiple_of(2);
    let policy = generate::policy::policy(&mut Choices::new(policy));
    let mut text = generate::policy::written(&policy);
    if has_others {
        text += "\n";
        text += &OTHERS;
    }
    let files = samples::few_programs(&[("p.toml", &text)]);
    let compilation = compile_all(&files, &["p.toml".to_owned()], &Options::default());
    let messages: Vec<_> = compilation.diagnostics.iter().map(|d| &d.message).collect();
    let Some(image) = compilation.image else { return Err(format!("no image: {messages:#?}")) };
    let image = Arc::new(image);
    for bytes in calls {
        let mut choices = Choices::new(bytes);
        let mode = generate::policy::mode(&mut choices, 3);
        let (call, line) = generate::policy::call(&mut choices);
        let expected = decide(&policy, &call, mode);
        let actual = ruled(&image, &call, &line, mode);
        // Which rule decided a line of several commands is not settled by the definition alone.
        let is_single = matches!(&call, OracleCall::Other(..))
            || matches!(&call, OracleCall::Shell(parts) if parts.len() == 1);
        let is_same =
            actual.action == expected.action && (!is_single || actual.rule == expected.rule);
        if !is_same {
            let mode = mode.map_or("no mode".to_owned(), |mode| format!("{mode:?}"));
            return Err(format!("{call:?}\n{line}\nin {mode}: {actual:?}, expected {expected:?}"));
        }
        let by = if actual.rule.is_some() { "a rule" } else { "none" };
        let kind = format!("{:?} by {by}", actual.action);
        *rulings.lock().unwrap().entry(kind).or_default() += 1;
    }
    Ok(())
}

/// What the compiled policy makes of a call.
fn ruled(image: &Arc<Image>, call: &OracleCall, line: &str, mode: Option<Mode>) -> Ruling {
    let param = |name: &'static str, value: &str| Param {
        name: name.into(),
        native: None,
        value: Value::Text(value.to_owned().into()),
    };
    let (tool, params) = match call {
        OracleCall::Shell(_) => ("bash", vec![param("command", line)]),
        OracleCall::Other(tool, arguments) => {
            let named = NAMES.into_iter().zip(arguments);
            (*tool, named.map(|(name, value)| param(name, value)).collect())
        }
    };
    let call = Call { id: None, tool: tool.into(), native_tool: None, params };
    let mut session = Session::new(Arc::clone(image));
    if let Some(mode) = mode {
        session.set_mode(match mode {
            Mode::Ask => ApprovalMode::Ask,
            Mode::AutoEdit => ApprovalMode::AutoEdit,
            Mode::Yolo => ApprovalMode::Yolo,
            Mode::Agent => ApprovalMode::Agent,
        });
    }
    let decision = session.apply(&Event::ToolCall(call), &mut FactHost::default());
    let permission = decision.permission.expect("a policy is in force");
    let rule = permission.rule.and_then(|rule| image.policy().get(rule));
    Ruling {
        action: match permission.action {
            PermissionAction::Allow => PolicyAction::Allow,
            PermissionAction::None => PolicyAction::None,
            PermissionAction::DryRunFirst => PolicyAction::DryRunFirst,
            PermissionAction::Ask => PolicyAction::Ask,
            PermissionAction::Deny => PolicyAction::Deny,
        },
        rule: rule.map(|rule| rule.name.to_owned()),
    }
}

fn number(variable: &str) -> Option<u32> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

fn runner(cases: u32, seed: u32, shard: u32) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&seed.to_le_bytes());
    bytes[4..8].copy_from_slice(&shard.to_le_bytes());
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 30_000,
        max_shrink_time: 120_000,
        ..ProptestConfig::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn try_cases(cases: u32, seed: u32, shard: u32, reached: &Reached) {
    let seeds = (
        vec(any::<u8>(), 0..60),
        vec(vec(any::<u8>(), 0..40), 1..9),
        vec(vec(any::<u8>(), 0..30), 1..60),
    );
    let seeds = seeds.prop_map(|(config, rules, events)| Seed { config, rules, events });
    let outcome = runner(cases, seed, shard)
        .run(&seeds, |seed| try_case(&seed, reached).map_err(TestCaseError::fail));
    if let Err(proptest::test_runner::TestError::Fail(reason, case)) = outcome {
        panic!(
            "with BEHAVIOR_ORACLE_SEED={seed}, shard {shard}: {reason}\n\n{}\n{}",
            generate::config(&case),
            generate::trace(&case)
        );
    }
    outcome.unwrap();
}

/// What must hold of any case.
fn try_case(seed: &Seed, reached: &Reached) -> Result<(), String> {
    let config = generate::config(seed);
    let trace = generate::trace(seed);
    let compilation = compile(&config);
    let messages: Vec<_> = compilation.diagnostics.iter().map(|d| &d.message).collect();
    let Some(image) = compilation.image else { return Err(format!("no image: {messages:#?}")) };
    // Compiling takes most of the time, so not every config is compiled twice.
    if config.len().is_multiple_of(4) {
        let again = compile(&config).image.expect("it compiled before");
        if again.as_bytes() != image.as_bytes() {
            return Err("compiled twice, the bytes differ".to_owned());
        }
    }
    samples::look_at(&image);
    let documents = generate::documents();
    let replay = Replay::new(Arc::new(image)).with_host(Box::new(documents.clone()));
    let oracle = Oracle::new(&compilation.program).with_documents(documents);
    let (program, decision) = (&compilation.program, Decision::default());
    let mut contest = Contest { program, replay, oracle, decision, failure: None };
    read(Format::NATIVE, &mut trace.as_bytes(), &mut contest).unwrap();
    reached.lock().unwrap().append(&mut contest.oracle.take_reached());
    contest.failure.map_or(Ok(()), Err)
}

fn compile(config: &str) -> Compilation {
    let files = [("behavior.yaml", config)];
    let full = provider(&files);
    let small = samples::small_provider(&files);
    let provider = if generate::has_preset(config) { full } else { small };
    compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default())
}

/// Both evaluators, side by side.
struct Contest<'p> {
    program: &'p Program,
    replay: Replay,
    oracle: Oracle<'p>,
    /// The last one: each is written over the one before, of which nothing may stay.
    decision: Decision,
    failure: Option<String>,
}

impl Sink for Contest<'_> {
    fn item(&mut self, item: Item<'_>) {
        let explained = self.replay.explain(&item.session, &item.event).remove(0).1;
        let mut decided = std::mem::take(&mut self.decision);
        self.replay.apply_into(&item.session, &item.event, &mut decided);
        let expected = self.oracle.apply(&item.session, &item.event);
        let actual = self.answer(&item.session, &decided);
        let line = item.line;
        if actual != expected {
            self.failure = Some(format!("line {line}: {actual:#?}\nbut expected {expected:#?}"));
        } else if explained.decision != decided {
            self.failure = Some(format!("line {line}: explained as {explained:#?}, {decided:#?}"));
        } else if let Some(problem) = wrong_outcomes(&explained, &decided) {
            self.failure = Some(format!("line {line}: {problem}"));
        } else if let Err(problem) = self.states_agree(&item.session) {
            self.failure = Some(format!("line {line}: {problem}"));
        }
        self.decision = decided;
    }

    fn problem(&mut self, problem: Problem) {
        self.failure = Some(format!("the trace does not read: {problem:?}"));
    }

    fn stop(&self) -> bool {
        self.failure.is_some()
    }
}

/// The outcomes of an explanation's rules are those of the decision.
fn wrong_outcomes(explained: &behavior_runtime::Explanation, decided: &Decision) -> Option<String> {
    let of = |outcome| {
        let rules = explained.rules.iter().filter(move |rule| rule.outcome == outcome);
        rules.map(|rule| rule.rule).collect::<Vec<_>>()
    };
    let sure = decided.findings.iter().filter(|finding| !finding.is_undecided);
    let fired: Vec<u32> = sure.map(|finding| finding.rule).collect();
    let undecided = |is_opaque| {
        let of_kind = decided.undecided.iter().filter(move |one| one.is_opaque == is_opaque);
        of_kind.map(|undecided| undecided.rule).collect::<Vec<_>>()
    };
    let is_right = of(Truth::True) == fired
        && of(Truth::Opaque) == undecided(true)
        && of(Truth::Unknown) == undecided(false);
    (!is_right).then(|| format!("explained {explained:#?}, decided {decided:#?}"))
}

impl Contest<'_> {
    fn id(&self, rule: u32) -> String {
        self.program.rules[rule as usize].id.to_string()
    }

    fn answer(&mut self, session: &str, decision: &Decision) -> Answer {
        let tool = decision.tool.map(|tool| {
            let session = self.replay.session(session).expect("a session with a tool");
            session.tool_name(tool).to_owned()
        });
        let fired = |finding: &behavior_runtime::Finding| Fired {
            rule: self.id(finding.rule),
            action: finding.action,
            phase: finding.phase,
            // What is not known, people are told before.
            message: match finding.message.split_once(". It may be that this applies: ") {
                Some((_, message)) if finding.is_undecided => message.to_owned(),
                _ => finding.message.clone(),
            },
            is_undecided: finding.is_undecided,
            is_withheld: finding.is_withheld,
            excepted: finding.granted.as_ref().map(|granted| granted.scope.clone()),
        };
        Answer {
            verdict: decision.verdict,
            turn: decision.turn,
            findings: decision.findings.iter().map(fired).collect(),
            undecided: decision
                .undecided
                .iter()
                .map(|rule| (self.id(rule.rule), rule.is_opaque))
                .collect(),
            tool,
            orphan: decision.orphan,
            context: decision.besides().context.clone(),
        }
    }

    fn states_agree(&mut self, session: &str) -> Result<(), String> {
        let (actual, expected) = match (self.replay.session(session), self.oracle.state(session)) {
            // One that has just ended can still be looked at.
            (_, None) => return Ok(()),
            (Some(actual), Some(expected)) => (actual.report(), expected),
            (None, Some(_)) => return Err("only the oracle has the session".to_owned()),
        };
        let (state, cwd) = expected;
        let sets: Vec<(&str, Vec<String>)> = (0..)
            .zip(&state.sets)
            .map(|(i, (name, ..))| (&**name, state.targets(i, cwd)))
            .collect();
        let actual_sets: Vec<(&str, Vec<String>)> = actual
            .sets
            .iter()
            .map(|(name, targets)| (*name, targets.iter().map(|&t| t.to_owned()).collect()))
            .collect();
        agree("turn", &actual.turn, &state.turn)?;
        agree("calls this turn", &actual.calls_this_turn, &state.turn_calls)?;
        agree("calls", &actual.total_calls, &state.total_calls)?;
        agree("streak", &actual.streak, &state.streak.as_ref().map(|(name, n)| (&**name, *n)))?;
        agree("violations", &actual.violations, &state.violations)?;
        agree("last violation", &actual.last_violation, &state.last_violation.as_deref())?;
        agree("sets", &actual_sets, &sets)?;
        let counters: Vec<_> = state.counters.iter().map(|(name, n)| (&**name, *n)).collect();
        agree("counters", &actual.counters, &counters)?;
        let flags: Vec<_> = state.flags.iter().map(|(name, is)| (&**name, *is)).collect();
        agree("flags", &actual.flags, &flags)?;
        let recent: Vec<_> = state.recent.iter().map(|(tool, on)| (&**tool, &**on)).collect();
        agree("recent calls", &actual.recent, &recent)
    }
}

fn agree<T: PartialEq + std::fmt::Debug>(
    what: &str,
    actual: &T,
    expected: &T,
) -> Result<(), String> {
    if actual == expected {
        return Ok(());
    }
    Err(format!("{what}: {actual:?}, but expected {expected:?}"))
}
