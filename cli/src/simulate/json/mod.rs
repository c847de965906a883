//! Decisions as JSON: the contract that other programs hold on to. The structs here are that contract,
//! field by field in the order in which they are written; there may be millions of decisions, so
//! each goes straight into the output.

mod constitution;
mod fields;
mod row;
mod state;
mod summary;
mod verifier;

use behavior_json::plain::escaped;
use std::borrow::Cow;

use behavior_compiler::session_rules::SESSION_FILE;
use behavior_image::code::Scope;
use behavior_image::{Place, RuleInfo};
use behavior_runtime::Layers;
use behavior_runtime::decision::{Decision, Finding, Granted, Phase, Undecided};
use behavior_runtime::event::Event;
use behavior_runtime::permission::Permission;
use behavior_runtime::replay::Settled;
use serde::Serialize;
use serde_json::value::RawValue;

pub use constitution::{ConstitutionOutput, entries};
pub use fields::Fields;
pub use row::Row;
pub use state::StateOutput;
pub use summary::SummaryOutput;
pub use verifier::{NoticeOutput, VerifierOutput};

use crate::workflow::TransitionOutput;

use super::hold::{Held, Hold};
use super::report::Report;
use super::summary::Seen;

/// What stands between the decisions of one list.
pub const SEPARATOR: &str = ",\n";

/// What decisions are to hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// One for every event.
    pub all: bool,
    /// The session's state with each.
    pub state: bool,
    /// The name of the file with each.
    pub file: bool,
    /// As items of a list, not as lines.
    pub list: bool,
}

#[derive(Serialize)]
struct DecisionOutput<'a> {
    index: Option<u64>,
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    session: Option<&'a str>,
    turn: u32,
    event: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    native_tool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    findings: Vec<FindingOutput<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undecided: Vec<UndecidedOutput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission: Option<PermissionOutput<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    problems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    classifier: Option<ClassifierOutput>,
    /// There where the agent is made to go on.
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    goes_on: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verifier: Option<VerifierOutput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workflow: Option<TransitionOutput<'a>>,
    directive: Option<&'a str>,
    context: &'a [String],
    notices: Vec<NoticeOutput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constitution: Option<ConstitutionOutput<'a>>,
    /// Of a file without events, why: there it stands last.
    #[serde(rename = "problems", skip_serializing_if = "<[String]>::is_empty")]
    problems_of_file: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a RawValue>,
}

/// A rule that fired.
#[derive(Serialize)]
pub struct FindingOutput<'a> {
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    action: &'static str,
    severity: &'static str,
    phase: &'static str,
    message: &'a str,
    rendered: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    granted: Option<GrantedOutput<'a>>,
    /// There where the agent is not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    delivered: Option<bool>,
    layer: &'static str,
    /// There for rules of trace policies; `null` where it is about a whole session or trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<Option<u64>>,
    span: PlaceOutput<'a>,
}

/// Who allowed what a rule stops.
#[derive(Serialize)]
struct GrantedOutput<'a> {
    by: &'a str,
    scope: &'a str,
}

/// Where a rule stands.
#[derive(Serialize)]
pub struct PlaceOutput<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

impl<'a> From<Place<'a>> for PlaceOutput<'a> {
    fn from(place: Place<'a>) -> Self {
        Self { file: place.file, line: place.line, column: place.column }
    }
}

#[derive(Serialize)]
struct UndecidedOutput<'a> {
    rule: &'a str,
    because: &'a str,
}

#[derive(Serialize)]
struct PermissionOutput<'a> {
    action: &'static str,
    rule: Option<&'a str>,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    granted: Vec<PolicyGrantOutput<'a>>,
}

/// A rule that would have stopped a call, and who allowed it all the same.
#[derive(Serialize)]
struct PolicyGrantOutput<'a> {
    rule: Option<&'a str>,
    by: &'a str,
    scope: &'a str,
}

#[derive(Serialize)]
struct ClassifierOutput {
    runs: bool,
    reason: &'static str,
}

/// Writes decisions as JSON.
pub struct JsonReport<'i> {
    layers: &'i Layers,
    options: Options,
    /// The rules, each with its kind if it belongs to a trace policy.
    rules: Vec<(RuleInfo<'i>, Option<&'static str>)>,
    /// The decisions that wait, where something is found only at the end.
    hold: Option<Hold>,
}

impl<'i> JsonReport<'i> {
    /// Writes decisions under `layers`.
    pub fn new(layers: &'i Layers, options: Options) -> Self {
        let kind = |number| layers.monitors().of_rule(number).map(|monitor| monitor.kind.name());
        let rules =
            (0..).zip(layers.rules().iter()).map(|(number, rule)| (rule, kind(number))).collect();
        let settles = Scope::ALL.iter().any(|scope| layers.monitors().settles(*scope));
        Self { layers, options, rules, hold: settles.then(Hold::default) }
    }

    /// Returns what a decision found.
    pub fn findings<'a>(&'a self, decision: &'a Decision) -> Vec<FindingOutput<'a>> {
        decision.findings.iter().filter_map(|one| self.finding(one)).collect()
    }

    /// Returns one decision as a line of its own.
    #[must_use]
    pub fn line(&self, seen: &Seen<'_>) -> String {
        let mut line = Vec::new();
        self.write(seen.file, &self.row(seen), &mut line);
        String::from_utf8(line).unwrap_or_default()
    }

    fn row<'a>(&self, seen: &Seen<'a>) -> Row<'a> {
        let names = |tool| {
            [seen.session.own().tool_name(tool), seen.session.own().native_tool_name(tool)]
                .map(Cow::Borrowed)
        };
        let state = || state::of_layers(seen.session);
        Row {
            index: Some(seen.index),
            line: Some(seen.line),
            session: Some(seen.name.into()),
            event: Some(seen.event.name()),
            tool: seen.decision.tool.map(names),
            decision: Cow::Borrowed(seen.decision),
            state: self.options.state.then(state).and_then(Result::ok),
        }
    }

    fn write(&self, file: &str, row: &Row<'_>, out: &mut Vec<u8>) {
        if self.options.list {
            out.extend_from_slice(SEPARATOR.as_bytes());
        }
        let start = out.len();
        // Neither plain data nor memory refuses.
        let _ = serde_json::to_writer(&mut *out, &self.output(file, row));
        let written = out.get(start..).unwrap_or_default();
        if let Ok(text) = std::str::from_utf8(written)
            && let Cow::Owned(safe) = escaped(text)
        {
            out.truncate(start);
            out.extend_from_slice(safe.as_bytes());
        }
        if !self.options.list {
            out.push(b'\n');
        }
    }

    fn write_ready(&mut self, file: &str, out: &mut Vec<u8>) {
        while let Some(row) = self.hold.as_mut().and_then(Hold::next_ready) {
            self.write(file, &row, out);
        }
    }

    fn output<'a>(&'a self, file: &'a str, row: &'a Row<'_>) -> DecisionOutput<'a> {
        let decision = &*row.decision;
        let besides = decision.besides();
        let (problems, problems_of_file): (&[String], &[String]) = match row.event {
            Some(_) => (&besides.problems, &[]),
            None => (&[], &besides.problems),
        };
        DecisionOutput {
            index: row.index,
            line: row.line,
            file: self.options.file.then_some(file),
            session: row.session.as_deref(),
            turn: decision.turn,
            event: row.event,
            tool: row.tool.as_ref().map(|[tool, _]| &**tool),
            native_tool: row.tool.as_ref().map(|[_, native]| &**native),
            verdict: decision.verdict.map(|verdict| verdict.name()),
            findings: self.findings(decision),
            undecided: decision.undecided.iter().map(|one| self.undecided(one)).collect(),
            permission: decision
                .permission
                .as_ref()
                .map(|one| self.permission(one, &decision.besides().granted)),
            problems,
            classifier: decision
                .classifier
                .map(|due| ClassifierOutput { runs: due.runs, reason: due.reason.name() }),
            goes_on: goes_on(decision).then_some(true),
            verifier: VerifierOutput::of(besides.verifier.as_ref(), row.event),
            workflow: besides.workflow.as_ref().map(TransitionOutput::from),
            directive: besides.directive.as_deref(),
            context: &besides.context,
            constitution: besides.constitution.as_ref().map(ConstitutionOutput::of),
            notices: besides.notices.iter().map(NoticeOutput::from).collect(),
            problems_of_file,
            state: row.state.as_deref(),
        }
    }

    fn finding<'a>(&'a self, finding: &'a Finding) -> Option<FindingOutput<'a>> {
        let rules = self.layers.rules();
        let known = self.rules.get(finding.rule as usize);
        // Rules of a session come and go: they stand in no table, and each on the line of its entry.
        let span = match rules.of_session(finding.rule) {
            Some(entry) => PlaceOutput { file: SESSION_FILE, line: entry + 1, column: 1 },
            None => known?.0.place.into(),
        };
        let id = rules.id(finding.rule);
        Some(FindingOutput {
            rule: id,
            kind: known.and_then(|(_, kind)| *kind),
            action: finding.action.name(),
            severity: finding.action.severity(),
            phase: finding.phase.name(),
            message: &finding.message,
            rendered: finding.rendered(id),
            granted: finding
                .granted
                .as_deref()
                .map(|granted| GrantedOutput { by: &granted.by, scope: &granted.scope }),
            delivered: (!finding.is_delivered()).then_some(false),
            layer: rules.layer(finding.rule).name(),
            pair: finding.violation.as_ref().map(|violation| violation.pair),
            span,
        })
    }

    fn undecided<'a>(&'a self, undecided: &'a Undecided) -> UndecidedOutput<'a> {
        UndecidedOutput { rule: self.layers.rules().id(undecided.rule), because: &undecided.needs }
    }

    fn permission<'a>(
        &'a self,
        permission: &Permission,
        granted: &'a [(u32, Granted)],
    ) -> PermissionOutput<'a> {
        let granted = granted.iter().map(|(rule, granted)| PolicyGrantOutput {
            rule: self.layers.policy().get(*rule).map(|rule| rule.name),
            by: &granted.by,
            scope: &granted.scope,
        });
        let name = |rule| self.layers.policy().get(rule).map(|rule| rule.name);
        PermissionOutput {
            action: permission.action.name(),
            rule: permission.rule.and_then(name),
            mode: permission.mode.name(),
            doubt: permission.doubt.map(name),
            granted: granted.collect(),
        }
    }
}

impl Report for JsonReport<'_> {
    fn event(&mut self, seen: &Seen<'_>, out: &mut Vec<u8>) {
        let is_wanted = self.options.all || is_decided_on(seen.event) || says_something(seen);
        let settled = &seen.decision.besides().settled;
        if self.hold.is_none() && !is_wanted {
            return;
        }
        let row = self.row(seen);
        let Some(hold) = &mut self.hold else { return self.write(seen.file, &row, out) };
        hold.add(Some(seen.slot), settled, &[]);
        let is_over = matches!(seen.event, Event::SessionEnd);
        hold.push(Held { slot: seen.slot, row: row.into_owned(), is_wanted, is_over });
        self.write_ready(seen.file, out);
    }

    fn takes_settled(&self) -> bool {
        true
    }

    fn finish(
        &mut self,
        file: &str,
        settled: &Settled,
        nothing: Option<&str>,
        out: &mut Vec<u8>,
    ) -> bool {
        let mut hold = self.hold.take().unwrap_or_default();
        if let Some(message) = nothing.filter(|_| !self.layers.monitors().is_empty()) {
            let mut row = Row::default();
            row.decision.to_mut().besides_mut().problems.push(message.to_owned());
            hold.push(Held { slot: 0, row, is_wanted: true, is_over: true });
        }
        for (slot, conclusion) in &settled.sessions {
            hold.add(Some(*slot), &conclusion.findings, &conclusion.undecided);
        }
        hold.add(None, &settled.trace.findings, &settled.trace.undecided);
        for row in hold.into_rows() {
            self.write(file, &row, out);
        }
        true
    }
}

/// Whether an agent that has ended its response is made to go on.
fn goes_on(decision: &Decision) -> bool {
    let answer = decision.besides().verifier.as_ref().and_then(|verifier| verifier.answer.as_ref());
    decision.delivered().any(|finding| finding.phase == Phase::TurnEnd)
        || answer.is_some_and(|answer| answer.flag.is_some())
}

/// Whether something was found, or could not be, on an event that is not decided on otherwise.
fn says_something(seen: &Seen<'_>) -> bool {
    let decision = seen.decision;
    !decision.findings.is_empty()
        || !decision.undecided.is_empty()
        || !decision.besides().problems.is_empty()
}

/// Whether anything is decided on such an event.
fn is_decided_on(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::ToolCall(_)
            | Event::ToolResult(_)
            | Event::Text { .. }
            | Event::TurnStart { .. }
            | Event::TurnEnd { .. }
            | Event::ClassifierReply { .. }
            | Event::Constitution { .. }
            | Event::VerifierReply { .. }
            | Event::WorkflowStart { .. }
            | Event::StepEnd(_)
            | Event::WorkflowResume { .. }
    )
}
