//! What a session answers to an event.

pub(crate) mod constitution;
pub(crate) mod transition;

use behavior_image::code::{ApprovalMode, PermissionAction};
use behavior_image::format::RuleRecord;

use constitution::Report;
use transition::Transition;

pub use behavior_image::code::{Action, Origin, Phase, Verdict};

/// The answer to one event. Empty, and free of allocations, when no rule has anything to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// Whether the call may run; `None` for events that are not tool calls.
    pub verdict: Option<Verdict>,
    /// The turn it happened in, from 1; 0 before the first.
    pub turn: u32,
    /// The rules that fired, in the order of the image.
    pub findings: Vec<Finding>,
    /// The rules of which nobody can tell whether they apply.
    pub undecided: Vec<Undecided>,
    /// The tool of a call or a result, as [`crate::Session::tool_name`] takes it.
    pub tool: Option<u32>,
    /// On a call, what the policy says, where one is in force.
    pub permission: Option<Permission>,
    /// Set on a result whose call nobody saw and that does not say which tool it was.
    pub orphan: bool,
    /// On a turn's start, whether the classifier runs.
    pub classifier: Option<Due>,
    /// What few events are answered with, apart from what all are: a decision is made and dropped for
    /// each event. Best read with [`Decision::besides`].
    pub besides: Option<Box<Besides>>,
    /// Memory of messages, for whoever lets decisions be written over others.
    pub spare: SpareMessages,
}

/// Memory that messages had which nobody needs any more. It says nothing: all are equal, and a copy has none.
#[derive(Debug, Default)]
pub struct SpareMessages(Vec<Finding>);

impl SpareMessages {
    /// For how many messages it is kept, and how long each may be.
    const MAX: usize = 16;
    const MAX_LENGTH: usize = 1 << 10;

    /// An empty message.
    #[inline]
    pub(crate) fn take(&mut self) -> String {
        let Some(Finding { mut message, .. }) = self.0.pop() else { return String::new() };
        message.clear();
        message
    }

    /// Takes findings that nobody needs any more, for their messages. Those of which more is known than others have are
    /// not taken.
    #[inline]
    fn give_all(&mut self, findings: &mut Vec<Finding>) {
        let is_usual = |finding: &Finding| {
            finding.message.capacity() <= Self::MAX_LENGTH
                && finding.granted.is_none()
                && finding.violation.is_none()
        };
        match self.0.len() + findings.len() <= Self::MAX && findings.iter().all(is_usual) {
            true => self.0.append(findings),
            false => findings.clear(),
        }
    }
}

impl Clone for SpareMessages {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for SpareMessages {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What a decision says besides, mostly on events that are neither calls nor results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Besides {
    /// On a classifier's reply, what to tell the agent.
    pub directive: Option<String>,
    /// What was wrong with a classifier's reply, a request or a response.
    pub problems: Vec<String>,
    /// On a turn's start, texts to put before the agent besides the user's message.
    pub context: Vec<String>,
    /// On the end of a response, whether the verifier is asked about it; on its reply, what it says.
    pub verifier: Option<Verification>,
    /// What the user is to be told.
    pub notices: Vec<UserNotice>,
    /// What rules of trace policies found in a session that was over before this event. They belong
    /// to its last decision, and have no effect on this one.
    pub settled: Vec<Finding>,
    /// On a call, the rules of policies that would have stopped it, by their numbers, and who allowed it all the same.
    pub granted: Vec<(u32, Granted)>,
    /// On an event about the session's own rules, what came of it.
    pub constitution: Option<Report>,
    /// On a workflow's start and the end of a step, what follows.
    pub workflow: Option<Transition>,
}

/// Nothing besides.
static NOTHING: Besides = Besides {
    directive: None,
    problems: Vec::new(),
    context: Vec::new(),
    verifier: None,
    notices: Vec::new(),
    settled: Vec::new(),
    granted: Vec::new(),
    workflow: None,
    constitution: None,
};

/// What the verifier has to do with an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// On the end of a response, whether a model is asked about it.
    pub due: Option<VerifierDue>,
    /// What the model answered, where it was asked.
    pub answer: Option<VerifierAnswer>,
    /// The calls that it is told of, the oldest first: `name target`.
    pub tool_calls: Vec<String>,
    /// The files that it is told of, the latest first.
    pub inspections: Vec<String>,
}

/// What the verifier's model says of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifierAnswer {
    /// Why the response is not grounded; `None` where it passes, or nobody can tell.
    pub flag: Option<String>,
    /// Why nobody can tell.
    pub error: Option<String>,
}

/// Whether the verifier is asked about a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifierDue {
    /// Whether it is asked.
    pub asks: bool,
    /// Why, or why not.
    pub reason: VerifierReason,
}

/// Why the verifier is asked about a response or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifierReason {
    /// It is asked.
    Due,
    /// The response has no text.
    NoText,
    /// Nobody is there to read it.
    Headless,
    /// The verifier is off.
    Disabled,
    /// There is no model to ask.
    NoBrain,
    /// Too many responses in a row were flagged.
    Rounds,
}

impl VerifierReason {
    /// The name in a decision.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::NoText => "no_text",
            Self::Headless => "headless",
            Self::Disabled => "disabled",
            Self::NoBrain => "no_brain",
            Self::Rounds => "rounds",
        }
    }
}

/// Something that a user is to be told, whatever the agent is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserNotice {
    /// How much it matters.
    pub level: NoticeLevel,
    /// What it says, on one line.
    pub text: String,
}

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeLevel {
    /// For information.
    Info,
    /// Something may be wrong.
    Warning,
    /// Something did not work.
    Error,
}

impl NoticeLevel {
    /// The name in a decision.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a policy says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// Whether it may run.
    pub action: PermissionAction,
    /// The rule that says so, as [`behavior_image::PolicyTable::get`] takes it; `None` where none matched.
    pub rule: Option<u32>,
    /// The rule that may forbid it: the reason why the user is asked.
    pub doubt: Option<u32>,
    /// The mode in which it was decided.
    pub mode: ApprovalMode,
}

/// Whether the classifier runs on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// Whether the model is asked.
    pub runs: bool,
    /// Why, or why not.
    pub reason: Reason,
}

/// Why the classifier runs on a turn or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It runs.
    Due,
    /// The message only acknowledges.
    FollowUp,
    /// The frequency leaves this turn out.
    Frequency,
    /// The classifier is off, or there is no model to ask.
    Disabled,
}

impl Reason {
    /// The name in a decision.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::FollowUp => "follow_up",
            Self::Frequency => "frequency",
            Self::Disabled => "disabled",
        }
    }
}

/// A rule that fired.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule, as [`behavior_image::RuleTable::get`] takes it.
    pub rule: u32,
    /// What it does.
    pub action: Action,
    /// When it was looked at.
    pub phase: Phase,
    /// Its message, placeholders filled in.
    pub message: String,
    /// Whether nobody can tell if the rule applies, so that its `when_undecided` says what is done. What is
    /// not known stands in [`Decision::undecided`].
    pub is_undecided: bool,
    /// Whether the agent is not told, since it was told before, or enough in this turn.
    pub is_withheld: bool,
    /// Who allowed the call, where somebody did: then it has no effect.
    pub granted: Option<Box<Granted>>,
    /// Of a rule of a trace policy, what exactly was violated.
    pub violation: Option<Violation>,
}

impl Finding {
    /// Makes what is found where a rule fires without a doubt, and nobody has allowed it.
    #[must_use]
    #[inline]
    pub fn new(rule: u32, action: Action, phase: Phase, message: String) -> Self {
        let (is_undecided, is_withheld, granted, violation) = (false, false, None, None);
        Self { rule, action, phase, message, is_undecided, is_withheld, granted, violation }
    }
}

/// Why what a rule stops runs nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted {
    /// Who allowed it.
    pub by: String,
    /// For what: `once`, `session`, …
    pub scope: String,
}

/// What a rule of a trace policy found.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The pair of a request and its response, counted from 0 in the whole trace; `None` for the
    /// whole session or trace.
    pub pair: Option<u64>,
    /// What it is about, without figures: the tool, the path, the text. Violations of one rule with
    /// one subject are the same one when traces are compared.
    pub subject: String,
    /// Which of the exchanges of its session it is in, counted from 0, where a log without markers
    /// of its own holds several.
    pub exchange: u32,
}

/// A rule that depends on something that nobody can tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecided {
    /// The rule, as [`behavior_image::RuleTable::get`] takes it.
    pub rule: u32,
    /// What is not known, for people: ``whether `a.rs` exists``.
    pub needs: String,
    /// Whether it is the call itself that does not tell, and not the session or the disk.
    pub is_opaque: bool,
}

impl Decision {
    /// What it says besides.
    #[must_use]
    pub fn besides(&self) -> &Besides {
        self.besides.as_deref().unwrap_or(&NOTHING)
    }

    /// What it says besides, to be changed.
    pub fn besides_mut(&mut self) -> &mut Besides {
        self.besides.get_or_insert_default()
    }

    /// Makes an empty decision of it, for another event, and keeps the memory.
    #[inline(always)]
    pub(crate) fn empty(&mut self) {
        // Each field is named, so that none that comes later is forgotten.
        let Self {
            verdict,
            turn,
            findings,
            undecided,
            tool,
            permission,
            orphan,
            classifier,
            besides,
            spare,
        } = self;
        (*verdict, *turn, *tool, *permission) = (None, 0, None, None);
        (*orphan, *classifier) = (false, None);
        if !undecided.is_empty() {
            undecided.clear();
        }
        if besides.is_some() {
            *besides = None;
        }
        if !findings.is_empty() {
            spare.give_all(findings);
        }
    }

    /// Adds what is found where a rule fires without a doubt, in the memory of what nobody needs any more.
    pub(crate) fn add_found(&mut self, rule: u32, action: Action, phase: Phase, text: &str) {
        let spare = self.spare.0.pop();
        self.findings
            .push(spare.unwrap_or_else(|| Finding::new(rule, action, phase, String::new())));
        if let Some(finding) = self.findings.last_mut() {
            (finding.rule, finding.action, finding.phase) = (rule, action, phase);
            (finding.is_undecided, finding.is_withheld) = (false, false);
            finding.message.clear();
            finding.message.push_str(text);
        }
    }

    /// Adds what was found in a session that was over before.
    pub(crate) fn settle(&mut self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.besides_mut().settled.extend(findings);
        }
    }

    /// Adds what was wrong with what the event holds.
    pub(crate) fn complain(&mut self, problems: Vec<String>) {
        if !problems.is_empty() {
            self.besides_mut().problems.extend(problems);
        }
    }

    /// Whether the call may run. Events that are no tool calls are allowed.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict.unwrap_or(Verdict::Allow)
    }

    /// The rules that fired.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The rules that fired and were neither excepted nor allowed.
    pub fn effective(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.granted.is_none())
    }

    /// The rules of which the agent is told.
    pub fn delivered(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.is_delivered())
    }
}

impl Finding {
    /// The text for the agent, where `id` is the id of the rule.
    #[must_use]
    pub fn rendered(&self, id: &str) -> String {
        let heading = heading(self.action);
        let gap = if self.message.is_empty() { "" } else { " " };
        let mut text = format!("{heading}{gap}{}\nRule: {id}", self.message);
        match (self.action, self.phase) {
            (Action::Block, Phase::PreTool) => text.push_str("\nThe call was not run."),
            (Action::Ask, _) => text.push_str("\nThe user is asked whether it may run."),
            _ => {}
        }
        text
    }

    /// Whether the agent is told.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.granted.is_none() && !self.is_withheld
    }

    /// What it makes of a call that has not run yet.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.action {
            _ if !self.is_delivered() => Verdict::Allow,
            Action::Block => Verdict::Deny,
            Action::Ask => Verdict::Ask,
            Action::Warn | Action::Remind => Verdict::Allow,
        }
    }
}

fn heading(action: Action) -> &'static str {
    match action {
        Action::Block => "[BEHAVIOR BLOCKED]",
        Action::Ask => "[BEHAVIOR ASK]",
        Action::Warn => "[BEHAVIOR WARNING]",
        Action::Remind => "[BEHAVIOR REMINDER]",
    }
}

/// What a rule does of which nobody can tell whether it applies to a call.
pub(crate) fn action_in_doubt(rule: &RuleRecord) -> Option<Action> {
    let stops = [Action::Block as u8, Action::Ask as u8].contains(&rule.action);
    match Verdict::from_number(rule.when_undecided).filter(|_| stops)? {
        Verdict::Allow => None,
        Verdict::Ask => Some(Action::Ask),
        Verdict::Deny => Some(Action::Block),
    }
}

/// The strictest of what findings make of a call; `None` where there are none.
pub(crate) fn strictest(findings: &[Finding]) -> Option<Verdict> {
    findings.iter().map(Finding::verdict).max()
}
