//! One session: events in, decisions out. Puts together what decides: rules and policy, the rules of trace
//! policies, and the classifier.

use std::sync::Arc;

use crate::classifier::Classifier;
use crate::command_explanation::{CommandExplanation, explain_line};
use crate::decision::{Decision, Verdict, strictest};
use crate::document::{MAX_QUOTED, quote};
use crate::engine::Engine;
use crate::eval::{Observer, Unobserved};
use crate::explain::{Explanation, Recorder};
use crate::host::Host;
use crate::model::ModelRequest;
use crate::monitor::{Monitors, Outcome};
use crate::verifier::{Verifier, VerifierSetting};
use behavior_facts::commands::command_line;
use behavior_facts::event::{Call, Event, ToolResult};
use behavior_facts::value::ValueRef;
use behavior_image::Image;
use behavior_image::code::ApprovalMode;

/// The state of one agent session under an image.
///
/// Sessions are independent of each other; an image is shared between them.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) engine: Engine,
    pub(crate) monitors: Monitors,
    pub(crate) verifier: Verifier,
}

impl Session {
    /// A session in which nothing has happened yet.
    #[must_use]
    pub fn new(image: Arc<Image>) -> Self {
        Self {
            engine: Engine::new(image),
            monitors: Monitors::default(),
            verifier: Verifier::default(),
        }
    }

    /// The image that decides.
    #[must_use]
    pub fn image(&self) -> &Arc<Image> {
        &self.engine.image
    }

    /// The agent's name, where it was told.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        self.engine.start.agent.as_deref()
    }

    /// The working directory, lexically normalised, where it was told.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        self.engine.start.cwd.as_deref()
    }

    /// The approval mode, where it was told.
    #[must_use]
    pub fn mode(&self) -> Option<&str> {
        self.engine.start.mode.as_deref()
    }

    /// Returns whether the user said no to something, and has not taken it back.
    #[must_use]
    pub fn has_noes(&self) -> bool {
        let refused = self.engine.state.asked.refused();
        !refused.left_alone.is_empty() || !refused.forbidden.is_empty()
    }

    /// The turn, from 1; 0 before the first.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.engine.state.turn
    }

    /// Whether nobody is there to answer questions.
    #[must_use]
    pub fn is_headless(&self) -> bool {
        self.engine.start.headless
    }

    /// The canonical name of a tool that a decision names.
    #[must_use]
    pub fn tool_name(&self, tool: u32) -> &str {
        self.engine.tools.canonical(tool)
    }

    /// The agent's own name of a tool that a decision names.
    #[must_use]
    pub fn native_tool_name(&self, tool: u32) -> &str {
        self.engine.tools.native(tool)
    }

    /// Decides on one event and remembers it. Nothing is allocated unless a rule fires, or a target, a
    /// tool or a parameter of it is new.
    #[inline]
    pub fn apply(&mut self, event: &Event<'_>, host: &mut dyn Host) -> Decision {
        let mut decision = Decision::default();
        self.apply_into(event, host, &mut decision);
        decision
    }

    /// Does what [`Session::apply`] does, and writes what it decides over another decision, whose memory is used
    /// again: the quickest way for whoever needs each decision only until the next event.
    #[inline(always)]
    pub fn apply_into(&mut self, event: &Event<'_>, host: &mut dyn Host, decision: &mut Decision) {
        decision.empty();
        self.decide(event, host, decision, true);
    }

    /// Decides on one event and remembers it, but does not enter a call into the sets that take it when it
    /// is made: whether it is made, others may decide, too.
    pub(crate) fn judge(&mut self, event: &Event<'_>, host: &mut dyn Host) -> Decision {
        let mut decision = Decision::default();
        self.decide(event, host, &mut decision, false);
        decision
    }

    /// Decides on one event and remembers it. Where nobody else decides, too, a call is counted unless it is denied.
    fn decide(
        &mut self,
        event: &Event<'_>,
        host: &mut dyn Host,
        decision: &mut Decision,
        is_alone: bool,
    ) {
        self.process(event, host, &mut Unobserved, decision);
        if let Event::ToolCall(call) = event
            && is_alone
        {
            self.count_judged(call, decision, host);
        }
    }

    /// Enters the call that was judged last into the sets that take it when it is made, unless it is denied.
    #[inline]
    pub(crate) fn count_judged(
        &mut self,
        call: &Call<'_>,
        decision: &Decision,
        host: &mut dyn Host,
    ) {
        if let Some(tool) = decision.tool.filter(|_| decision.verdict != Some(Verdict::Deny)) {
            self.engine.count_made(tool, call, decision.verdict == Some(Verdict::Ask), host);
        }
    }

    /// Returns what rules of trace policies find now that the session is over.
    pub(crate) fn settle(&mut self) -> Outcome {
        self.monitors.settle(&self.engine.image)
    }

    /// What [`Session::apply`] would answer to `event`, and how it would come to it. The session
    /// itself stays as it is.
    pub fn explain(&self, event: &Event<'_>, host: &mut dyn Host) -> Explanation {
        let Explanation { decision, mut rules } = self.clone().observe(event, host);
        rules.extend(self.monitors.explain(self.image(), event, &decision));
        Explanation { decision, rules }
    }

    /// Decides on one event and remembers it, as [`Session::apply`], and says how it came to that.
    pub fn watch(&mut self, event: &Event<'_>, host: &mut dyn Host) -> Explanation {
        let explanation = self.observe(event, host);
        if let Event::ToolCall(call) = event {
            self.count_judged(call, &explanation.decision, host);
        }
        explanation
    }

    /// Decides on one event and remembers it, as [`Session::judge`], and says how it came to that.
    fn observe(&mut self, event: &Event<'_>, host: &mut dyn Host) -> Explanation {
        let mut recorder = Recorder::default();
        let mut decision = Decision::default();
        self.process(event, host, &mut recorder, &mut decision);
        Explanation { decision, rules: recorder.rules }
    }

    fn process<O: Observer>(
        &mut self,
        event: &Event<'_>,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        // No session begins with a result.
        if self.engine.state.since.is_none() && !matches!(event, Event::ToolResult(_)) {
            self.engine.state.since = host.now();
        }
        match event {
            Event::ToolCall(call) => self.tool_call(call, host, observer, decision),
            Event::ToolResult(result) => self.tool_result(result, host, observer, decision),
            Event::Text { text } => self.engine.text(text, host, observer, decision),
            Event::TurnEnd { text } => {
                let text = text.as_deref().unwrap_or_default();
                self.engine.turn_end(text, host, observer, decision);
                self.verifier.end_response(&mut self.engine, decision);
            }
            Event::TurnStart { text } => self.turn_start(text.as_deref(), host, decision),
            Event::SessionStart(start) => self.engine.session_start(start),
            Event::ClassifierReply { raw } => self.classifier_reply(raw, decision),
            Event::VerifierReply { reply } => {
                let reply = reply.as_deref().map_err(|error| &**error);
                self.verifier.take_reply(&mut self.engine, reply, decision);
            }
            Event::UserShell { command, hidden: false } => self.engine.user_shell(command),
            Event::Compaction => self.engine.compaction(),
            Event::SessionEnd => self.engine.open.clear(),
            Event::Request { .. }
            | Event::Response { .. }
            | Event::Constitution { .. }
            | Event::UserShell { .. }
            | Event::WorkflowStart { .. }
            | Event::StepEnd(_)
            | Event::WorkflowResume { .. }
            | Event::Fs(_)
            | Event::Clock { .. } => {}
        }
        if self.engine.has_monitors() {
            self.monitors.event(&self.engine.image, event, host, decision);
        }
        decision.turn = self.engine.state.turn;
    }

    fn tool_call<O: Observer>(
        &mut self,
        call: &Call<'_>,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        self.engine.tool_call(call, host, observer, decision);
        if self.engine.has_monitors() {
            self.monitors.call(&self.engine.image, call, decision);
        }
        decision.verdict = decision.verdict.max(strictest(&decision.findings));
    }

    fn tool_result<O: Observer>(
        &mut self,
        result: &ToolResult<'_>,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        let is_unseen = self.engine.tool_result(result, host, observer, decision);
        if !is_unseen || !self.monitors.is_recorded || !self.engine.has_monitors() {
            return;
        }
        // Nobody saw the call, but it was made.
        if let Some(call) = &result.call {
            let id = result.id.as_deref().or(call.id.as_deref());
            self.monitors.made_call(&self.engine.image, call, id, decision);
        }
    }

    fn turn_start(&mut self, text: Option<&str>, host: &mut dyn Host, decision: &mut Decision) {
        self.engine.start_turn(text);
        let due =
            crate::classifier::due(self.engine.image.classifier(), self.engine.state.turn, text);
        let reminder =
            self.engine.image.turn_reminder().and_then(|name| host.document(name, false));
        let reminder = reminder.as_deref().and_then(|text| quote(text, MAX_QUOTED));
        decision.classifier = Some(due);
        if let Some(reminder) = reminder {
            decision.besides_mut().context.push(reminder.into_owned());
        }
    }

    fn classifier_reply(&mut self, raw: &str, decision: &mut Decision) {
        let (directive, problems) = self.directive_of(raw);
        decision.besides_mut().directive = directive;
        decision.complain(problems);
    }

    /// Returns what the agent is told of what the classifier's model answered, if anything, and what was wrong with
    /// the answer. Changes nothing.
    #[must_use]
    pub fn directive_of(&self, raw: &str) -> (Option<String>, Vec<String>) {
        let Some(config) = self.engine.image.classifier() else {
            return (None, vec!["the config has no classifier that runs".to_owned()]);
        };
        let classifier = Classifier::new(config);
        let parsed = classifier.parse_reply(raw);
        let directive = parsed.reply.and_then(|reply| classifier.directive(&reply));
        (directive, parsed.problems)
    }

    /// What the verifier's model is asked about the response that ended last, if it is asked.
    #[must_use]
    pub fn verifier_request(&self) -> Option<ModelRequest> {
        self.verifier.request(&self.engine)
    }

    /// Says what the config does not tell of the verifier.
    pub fn set_verifier(&mut self, setting: VerifierSetting) {
        self.verifier.set(setting, &mut self.engine);
    }

    /// Whether its rules or its user have answers verified.
    pub(crate) fn verifies(&self) -> bool {
        self.verifier.config(&self.engine.image).is_some()
    }

    /// What the rules and the policy make of each command of a command line. Changes nothing.
    #[must_use]
    pub fn explain_command(&self, command: &str) -> CommandExplanation {
        explain_line(&self.engine, ValueRef::Text(command), "bash", None)
    }

    /// The same for the command line of a call; `None` for a call of another tool than a shell.
    #[must_use]
    pub fn explain_call(&self, call: &Call<'_>) -> Option<CommandExplanation> {
        let line = command_line(call)?;
        let native = call.native_tool.as_deref();
        Some(explain_line(&self.engine, line.value(), &call.tool, native))
    }

    /// Sets the approval mode, whatever the session says of itself.
    pub fn set_mode(&mut self, mode: ApprovalMode) {
        self.engine.mode = Some(mode);
    }

    /// Says whether a user may allow what rules stop, which is so unless they are the administrator's.
    pub(crate) fn set_takes_grants(&mut self, takes_grants: bool) {
        self.engine.takes_grants = takes_grants;
    }

    /// Says whether the agent may write text that this session never sees. Then, as long as no text
    /// was seen in a turn, whether there was some is not known.
    pub fn set_text_unknown(&mut self, is_unknown: bool) {
        self.engine.text_unknown = is_unknown;
    }
}
