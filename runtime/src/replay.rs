//! Many sessions of one trace, side by side: each has its own state, facts about files and the
//! time hold for all.

use std::collections::HashMap;
use std::sync::Arc;

use crate::constitution::{Change, Op, Refusal, Report, SessionRule};
use crate::decision::{Decision, Finding, Undecided, Verdict};
use crate::eval::scripts::follows_scripts;
use crate::explain::Explanation;
use crate::host::{FactHost, Fingerprint, Host, JsonMismatch};
use crate::layers::{Layer, LayeredSession, Layers};
use crate::monitor::{Outcome, TraceWatch, settle_trace};
use crate::session::Session;
use crate::verifier::VerifierSetting;
use crate::workflow::{Transition, UnknownWorkflow, Workflow};
use behavior_facts::event::{Event, SessionStart};
use behavior_facts::mark::{Places, are_equal, mark};
use behavior_facts::truth::Truth;
use behavior_image::Image;
use behavior_image::code::ApprovalMode;

/// The sessions of a trace under the same rules.
pub struct Replay {
    layers: Arc<Layers>,
    by_name: HashMap<Box<str>, usize, foldhash::fast::RandomState>,
    slots: Vec<Slot>,
    /// How many of them are ready to decide.
    awake: usize,
    /// The slot of the last event, most often also that of the next.
    last: usize,
    /// The slots of other sessions, most often.
    places: Places,
    /// A session that has ended and can still be looked at.
    ended: Option<usize>,
    facts: FactHost,
    beyond: Option<Box<dyn Host>>,
    /// Where sessions work that do not say it.
    root: Option<Box<str>>,
    mode: Option<ApprovalMode>,
    verifier: VerifierSetting,
    /// What rules of trace policies remember of the whole trace, a part for each layer. While a session
    /// decides, it has it.
    traces: Vec<TraceWatch>,
    /// Whether there are such rules.
    is_watched: bool,
    /// Whether there are none, and nobody is asked beyond the trace.
    is_plain: bool,
    /// Whether some layer follows scripts that sessions wrote.
    follows_scripts: bool,
    /// Where workflows are looked for that no layer has.
    workflows: Option<FindWorkflows>,
}

/// Gives an image with workflows, once something asks for one.
pub type FindWorkflows = Box<dyn Fn() -> Option<Arc<Image>>>;

/// What is found when a trace is over.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Of each session that did not end by itself, by its number, in their order.
    pub sessions: Vec<(usize, Conclusion)>,
    /// Of the trace as a whole.
    pub trace: Conclusion,
    /// The rules that looked at a pair or a call, by their rows.
    pub asked: Vec<u32>,
}

/// What rules of trace policies say at the end of a session or a trace.
#[derive(Clone, Debug, Default)]
pub struct Conclusion {
    /// What was found.
    pub findings: Vec<Finding>,
    /// What could not be decided.
    pub undecided: Vec<Undecided>,
}

/// All that a replay remembers between two events, to go back to. It takes as much memory as the state of all
/// sessions that have not ended.
#[derive(Clone)]
pub struct Moment {
    by_name: HashMap<Box<str>, usize, foldhash::fast::RandomState>,
    slots: Vec<Slot>,
    awake: usize,
    last: usize,
    ended: Option<usize>,
    facts: FactHost,
    traces: Vec<TraceWatch>,
}

/// One session by its name.
#[derive(Clone)]
struct Slot {
    name: Box<str>,
    /// What tells most names apart.
    mark: u64,
    /// In a place of its own, since sessions are large and more and more come.
    state: Option<Box<LayeredSession>>,
    /// What is kept of a session that rests: the saved state of each layer's.
    resting: Option<Box<[Box<[u8]>]>>,
    /// Whether it has decided since somebody looked for sessions that may rest.
    is_fresh: bool,
    workflow: Option<Box<Workflow>>,
}

impl Slot {
    /// Begins the session, or takes it up where it was saved.
    #[cold]
    fn begin(
        &mut self,
        layers: &Arc<Layers>,
        mode: Option<ApprovalMode>,
        verifier: VerifierSetting,
    ) {
        let saved = self.resting.take().unwrap_or_default();
        let mut saved = saved.iter();
        self.state = Some(Box::new(LayeredSession::with(Arc::clone(layers), |_, image| {
            let restored =
                saved.next().and_then(|saved| Session::restore(image.clone(), saved).ok());
            let session = restored.unwrap_or_else(|| Session::new(image));
            recorded(session, mode, verifier, &self.name)
        })));
    }

    /// Whether all that it remembers is kept when it is saved.
    fn may_rest(&self) -> bool {
        let is_plain = |state: &LayeredSession| state.constitution().is_none();
        self.workflow.is_none() && self.state.as_deref().is_some_and(is_plain)
    }

    /// Saves the session, which takes a tenth of the memory.
    fn rest(&mut self) {
        let Some(state) = self.state.take() else { return };
        let saved = state.sessions().map(|(_, session)| {
            let mut bytes = Vec::new();
            session.save(&mut bytes);
            bytes.into_boxed_slice()
        });
        self.resting = Some(saved.collect());
    }
}

/// So many sessions are ready to decide. Of more, those that have been silent for long are saved, and read back when
/// something happens in them.
const MAX_AWAKE: usize = 1_024;

impl Replay {
    /// No session yet. What the trace does not tell is not known.
    #[must_use]
    pub fn new(image: Arc<Image>) -> Self {
        Self::with_layers(Arc::new(Layers::from(image)))
    }

    /// Begins with no session, and with rules of several layers.
    #[must_use]
    pub fn with_layers(layers: Arc<Layers>) -> Self {
        let follows_scripts = layers.iter().any(|(_, image)| follows_scripts(image));
        Self {
            traces: layers.iter().map(|_| TraceWatch::default()).collect(),
            is_watched: !layers.monitors().is_empty(),
            is_plain: layers.monitors().is_empty(),
            follows_scripts,
            layers,
            by_name: HashMap::default(),
            slots: Vec::new(),
            awake: 0,
            last: 0,
            places: Places::default(),
            ended: None,
            facts: FactHost::default(),
            beyond: None,
            root: None,
            mode: None,
            verifier: VerifierSetting::default(),
            workflows: None,
        }
    }

    /// Says what the rules do not tell of the verifier.
    #[must_use]
    pub fn with_verifier(mut self, setting: VerifierSetting) -> Self {
        self.verifier = setting;
        self
    }

    /// Decides by the policy in this approval mode, whatever the sessions say of themselves.
    #[must_use]
    pub fn with_mode(mut self, mode: ApprovalMode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// Looks for workflows that no layer has in this image.
    #[must_use]
    pub fn with_workflows(mut self, workflows: FindWorkflows) -> Self {
        self.workflows = Some(workflows);
        self
    }

    /// Asks `host` where the trace tells nothing of a path, or of the time.
    #[must_use]
    pub fn with_host(mut self, host: Box<dyn Host>) -> Self {
        self.beyond = Some(host);
        self.is_plain = false;
        self
    }

    /// Takes an absolute path for the root of the repository, and for the directory in which sessions work that do not say
    /// it.
    #[must_use]
    pub fn with_root(mut self, root: &str) -> Self {
        self.facts.set_repository(root);
        self.root = Some(root.into());
        self
    }

    /// Decides on one event of the session called `session`. A session's state is freed when it
    /// ends; another event of that name starts it anew.
    pub fn apply(&mut self, session: &str, event: &Event<'_>) -> Decision {
        let mut decision = Decision::default();
        self.apply_into(session, event, &mut decision);
        decision
    }

    /// Does what [`Replay::apply`] does, and writes what is decided over another decision, whose memory is used again:
    /// the quickest way for whoever needs each decision only until the next event.
    pub fn apply_into(&mut self, session: &str, event: &Event<'_>, decision: &mut Decision) {
        // Most events are one of these, and nothing but the session's.
        if self.is_plain && is_usual(event) && self.ended.is_none() {
            let at = self.slot(session);
            if let Some(slot) = self.slots.get_mut(at)
                && let Some(state) = slot.state.as_mut()
            {
                slot.is_fresh = true;
                state.apply_into(event, &mut self.facts, decision);
                return self.learn_call(at, event, decision);
            }
        }
        self.decide(session, event, decision, LayeredSession::apply_into);
    }

    /// Decides on one event as [`Replay::apply`], and says how the least trusted layer came to its answer; `None` for
    /// events that no session decides on.
    pub fn watch(&mut self, session: &str, event: &Event<'_>) -> (Decision, Option<Explanation>) {
        let mut decision = Decision::default();
        let mut explanation = None;
        self.decide(session, event, &mut decision, |state, event, host, decision| {
            let (decided, explained) = state.watch(event, host);
            *decision = decided;
            explanation = Some(explained);
        });
        (decision, explanation)
    }

    /// Lets a session decide on one event, by `ask`, and keeps what the event says of all sessions.
    #[inline(never)]
    fn decide(
        &mut self,
        session: &str,
        event: &Event<'_>,
        decision: &mut Decision,
        ask: impl FnOnce(&mut LayeredSession, &Event<'_>, &mut dyn Host, &mut Decision),
    ) {
        if self.ended.is_some() {
            self.free_ended();
        }
        let at = self.slot(session);
        if self.slots.get(at).is_some_and(|slot| slot.state.is_none()) {
            self.let_rest();
        }
        let is_usual = is_usual(event);
        if !is_usual {
            self.learn(at, event);
        }
        let Self { slots, facts, beyond, layers, mode, verifier, traces, is_watched, root, .. } =
            self;
        let Some(slot) = slots.get_mut(at) else { return };
        let is_new = slot.state.is_none() && slot.resting.is_none();
        let placed = root.as_deref().filter(|_| is_new).and_then(|root| placed(event, root));
        if slot.state.is_none() {
            slot.begin(layers, *mode, *verifier);
        }
        slot.is_fresh = true;
        let event = match (&placed, &mut slot.state) {
            (Some(start), _) if matches!(event, Event::SessionStart(_)) => start,
            (Some(start), Some(state)) => {
                state.apply_into(start, facts, &mut Decision::default());
                event
            }
            _ => event,
        };
        let Some(state) = &mut slot.state else { return };
        if !is_usual
            && session.is_empty()
            && let Event::Constitution { body } = event
        {
            *decision = of_nobody(body);
            return;
        }
        if *is_watched {
            swap_traces(state, traces);
        }
        let mut known;
        let host: &mut dyn Host = match beyond {
            None => facts,
            Some(beyond) => {
                known = Known { facts, beyond: &mut **beyond };
                &mut known
            }
        };
        ask(state, event, host, decision);
        if *is_watched {
            swap_traces(state, traces);
        }
        if is_usual {
            return self.learn_call(at, event, decision);
        }
        let report = decision.besides.as_ref().and_then(|besides| besides.constitution.as_ref());
        if report.is_some_and(|report| report.op == Op::Sweep) {
            self.sweep();
        }
        self.follow_workflow(at, event, decision);
    }

    /// Makes room for one more session that decides: those that have been silent since the last time are saved. What rules of
    /// trace policies remember is not.
    #[cold]
    fn let_rest(&mut self) {
        self.awake += 1;
        if self.awake <= MAX_AWAKE || self.is_watched {
            return;
        }
        for slot in &mut self.slots {
            if !std::mem::take(&mut slot.is_fresh) && slot.may_rest() {
                slot.rest();
                self.awake -= 1;
            }
        }
    }

    /// Frees the state of a session that has ended.
    #[cold]
    fn free_ended(&mut self) {
        if let Some(slot) = self.ended.take().and_then(|ended| self.slots.get_mut(ended)) {
            slot.state = None;
            slot.resting = None;
            slot.workflow = None;
            self.awake = self.awake.saturating_sub(1);
        }
    }

    /// Keeps what an event of the session at `at` says of all sessions.
    fn learn(&mut self, at: usize, event: &Event<'_>) {
        match event {
            Event::Fs(fact) => {
                let state = self.slots.get(at).and_then(|slot| slot.state.as_deref());
                self.facts.learn(fact, state.and_then(|state| state.own().cwd()));
            }
            Event::Clock { now } => self.facts.set_clock(*now),
            Event::SessionEnd => self.ended = Some(at),
            _ => {}
        }
    }

    /// Keeps what a call of the session at `at` writes, where rules may ask what scripts hold and the call may be made.
    #[inline]
    fn learn_call(&mut self, at: usize, event: &Event<'_>, decision: &Decision) {
        if let Event::ToolCall(call) = event
            && self.follows_scripts
            && decision.verdict != Some(Verdict::Deny)
        {
            let state = self.slots.get(at).and_then(|slot| slot.state.as_deref());
            self.facts.learn_call(call, state.and_then(|state| state.own().cwd()));
        }
    }

    /// Adds what follows in the session's workflow.
    fn follow_workflow(&mut self, at: usize, event: &Event<'_>, decision: &mut Decision) {
        let followed = match event {
            Event::WorkflowStart { workflow, .. } => self.start_workflow(workflow).map(|started| {
                let beginning = started.beginning();
                (started, beginning)
            }),
            Event::StepEnd(end) => {
                let running = self.slots.get_mut(at).and_then(|slot| slot.workflow.take());
                go_on(running, |workflow| workflow.step_ended(end))
            }
            Event::WorkflowResume { how } => {
                let running = self.slots.get_mut(at).and_then(|slot| slot.workflow.take());
                go_on(running, |workflow| workflow.resume(*how))
            }
            _ => return,
        };
        match followed {
            Ok((workflow, transition)) => {
                decision.besides_mut().workflow = Some(transition);
                if let Some(slot) = self.slots.get_mut(at) {
                    slot.workflow = Some(workflow);
                }
            }
            Err(problem) => decision.complain(vec![problem]),
        }
    }

    /// Starts a workflow of the least trusted layer that has it, else one that is found elsewhere.
    fn start_workflow(&self, name: &str) -> Result<Box<Workflow>, String> {
        let layers: Vec<&Arc<Image>> = self.layers.iter().map(|(_, image)| image).collect();
        let elsewhere = self.workflows.as_ref().and_then(|find| find());
        let images = layers.iter().rev().copied().chain(&elsewhere);
        let mut unknown = UnknownWorkflow { name: name.to_owned(), closest: None };
        for image in images {
            match Workflow::start(image, name) {
                Ok(mut workflow) => {
                    let bounds = layers.iter().filter_map(|image| image.workflows()?.pause_at);
                    bounds.for_each(|bound| workflow.pause_at_most(bound));
                    return Ok(Box::new(workflow));
                }
                Err(error) => unknown.closest = unknown.closest.or(error.closest),
            }
        }
        Err(unknown.to_string())
    }

    /// Drops what sessions added for themselves and did not use for long: time passes for all of them.
    fn sweep(&mut self) {
        let Self { slots, facts, beyond, .. } = self;
        for state in slots.iter_mut().filter_map(|slot| slot.state.as_deref_mut()) {
            match beyond {
                None => state.sweep_constitution(facts),
                Some(beyond) => {
                    state.sweep_constitution(&mut Known { facts, beyond: &mut **beyond });
                }
            }
        }
    }

    /// Returns what rules of trace policies find in the sessions that did not end by themselves, and in the
    /// whole: the trace is over.
    pub fn finish(&mut self) -> Settled {
        let mut settled = Settled::default();
        if self.layers.monitors().is_empty() {
            return settled;
        }
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Some(session) = &mut slot.state else { continue };
            if self.ended == Some(number) {
                continue;
            }
            let conclusion = conclude(session.settle());
            if !conclusion.findings.is_empty() || !conclusion.undecided.is_empty() {
                settled.sessions.push((number, conclusion));
            }
        }
        let mut whole = Outcome::default();
        if self.slots.is_empty() {
            // Rules on each session have nothing to look at, unless nothing is the session.
            let mut session = fresh(&self.layers, None, self.verifier, DEFAULT_SESSION);
            session.each(|session| session.monitors.watch.stretch.is_used = true);
            whole = session.settle();
        }
        for ((image, rules), trace) in self.layers.numbered().zip(&mut self.traces) {
            let mut outcome = Outcome::default();
            settle_trace(image, trace, &mut outcome);
            whole.append(outcome, rules);
        }
        settled.asked = self.asked();
        settled.trace = conclude(whole);
        settled
    }

    /// Returns the rules of trace policies that looked at anything. Those on calls that look at every pair
    /// did wherever anything happened.
    fn asked(&self) -> Vec<u32> {
        let mut asked = Vec::new();
        for ((image, rules), trace) in self.layers.numbered().zip(&self.traces) {
            let has_begun = trace.stretch.is_used;
            let monitors = (0..).zip(image.monitors().iter());
            let monitors = monitors.filter(|(row, monitor)| {
                let sees_all =
                    has_begun && monitor.when.is_empty() && monitor.kind.is_about_calls();
                sees_all || trace.has_asked(*row)
            });
            asked.extend(monitors.map(|(_, monitor)| monitor.rule + rules));
        }
        asked
    }

    /// Returns how each layer would decide on the event, the most trusted first. Nothing changes.
    pub fn explain(&mut self, session: &str, event: &Event<'_>) -> Vec<(Layer, Explanation)> {
        let has_ended = self.ended.is_some() && self.ended == self.by_name.get(session).copied();
        let known = self.layered(session).filter(|_| !has_ended).cloned();
        let fresh = || fresh(&self.layers, self.mode, self.verifier, session);
        let mut state = known.unwrap_or_else(fresh);
        let mut traces = self.traces.clone();
        swap_traces(&mut state, &mut traces);
        let Self { facts, beyond, .. } = self;
        match beyond {
            None => state.explain(event, facts),
            Some(beyond) => state.explain(event, &mut Known { facts, beyond: &mut **beyond }),
        }
    }

    /// Returns how another image would decide on the event, with what the least trusted layer knows of the session:
    /// sets, counters and flags of the same names. Nothing changes.
    pub fn explain_under(
        &mut self,
        session: &str,
        event: &Event<'_>,
        image: Arc<Image>,
    ) -> Explanation {
        let state = match self.session(session) {
            Some(state) => state.under(image),
            None => Session::new(image),
        };
        let Self { facts, beyond, .. } = self;
        match beyond {
            None => state.explain(event, facts),
            Some(beyond) => state.explain(event, &mut Known { facts, beyond: &mut **beyond }),
        }
    }

    /// Returns what is remembered now.
    #[must_use]
    pub fn moment(&self) -> Moment {
        let Self { by_name, slots, awake, last, ended, facts, traces, .. } = self;
        Moment {
            by_name: by_name.clone(),
            slots: slots.clone(),
            awake: *awake,
            last: *last,
            ended: *ended,
            facts: facts.clone(),
            traces: traces.clone(),
        }
    }

    /// Goes back, or ahead, to a moment of this replay.
    pub fn go_to(&mut self, moment: Moment) {
        let Moment { by_name, slots, awake, last, ended, facts, traces } = moment;
        (self.by_name, self.slots, self.awake, self.last) = (by_name, slots, awake, last);
        (self.ended, self.facts, self.traces) = (ended, facts, traces);
    }

    fn layered(&mut self, session: &str) -> Option<&LayeredSession> {
        self.by_session(session).map(|(_, state)| state)
    }

    /// Returns a session that has begun, as the least trusted layer sees it. One that has ended is there
    /// until the next event.
    #[must_use]
    pub fn session(&mut self, session: &str) -> Option<&Session> {
        self.layered(session).map(LayeredSession::own)
    }

    /// Returns a session by its number: its name and its state, unless that was freed, or saved since it has been silent for
    /// long, as no session is that rules of trace policies look at.
    #[must_use]
    pub fn by_slot(&self, slot: usize) -> Option<(&str, &LayeredSession)> {
        let slot = self.slots.get(slot)?;
        Some((&slot.name, slot.state.as_deref()?))
    }

    /// Returns a session by its name: its number and its state, unless that was freed. One that was saved is read back.
    #[must_use]
    pub fn by_session(&mut self, name: &str) -> Option<(usize, &LayeredSession)> {
        let at = *self.by_name.get(name)?;
        let slot = self.slots.get_mut(at)?;
        if slot.resting.is_some() {
            slot.begin(&self.layers, self.mode, self.verifier);
            self.awake += 1;
        }
        Some((at, slot.state.as_deref()?))
    }

    /// Returns the session of the last event: its number, counted from 0 in the order in which sessions
    /// were first met, and its state.
    #[must_use]
    pub fn latest(&self) -> Option<(usize, &LayeredSession)> {
        let state = self.slots.get(self.last)?.state.as_deref()?;
        Some((self.last, state))
    }

    /// Returns the workflow that runs in the session of the last event.
    #[must_use]
    pub fn workflow(&self) -> Option<&Workflow> {
        self.slots.get(self.last)?.workflow.as_deref()
    }

    #[inline(always)]
    fn slot(&mut self, session: &str) -> usize {
        let mark = mark(session);
        let place = self.places.get(mark) as usize;
        let is_it = |slot: &Slot| slot.mark == mark && are_equal(&slot.name, session);
        self.last = match self.slots.get(place).is_some_and(is_it) {
            true => place,
            false => self.find(session, mark),
        };
        self.last
    }

    #[inline(never)]
    fn find(&mut self, session: &str, mark: u64) -> usize {
        if let Some(&slot) = self.by_name.get(session) {
            self.places.set(mark, u32::try_from(slot).unwrap_or_default());
            return slot;
        }
        let slot = self.slots.len();
        self.by_name.insert(session.into(), slot);
        let name = session.into();
        let (state, resting, workflow) = (None, None, None);
        self.places.set(mark, u32::try_from(slot).unwrap_or_default());
        self.slots.push(Slot { name, mark, state, resting, is_fresh: false, workflow });
        slot
    }
}

/// Whether an event says nothing of other sessions, of files or of the time.
#[inline]
fn is_usual(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::ToolCall(_)
            | Event::ToolResult(_)
            | Event::Text { .. }
            | Event::TurnStart { .. }
            | Event::TurnEnd { .. }
    )
}

/// The name of the session of events that name none. Nothing then says where sessions begin.
pub const DEFAULT_SESSION: &str = "default";

fn fresh(
    layers: &Arc<Layers>,
    mode: Option<ApprovalMode>,
    verifier: VerifierSetting,
    name: &str,
) -> LayeredSession {
    LayeredSession::with(Arc::clone(layers), |_, image| {
        recorded(Session::new(image), mode, verifier, name)
    })
}

/// A session with what holds for all of a recording.
fn recorded(
    mut session: Session,
    mode: Option<ApprovalMode>,
    verifier: VerifierSetting,
    name: &str,
) -> Session {
    session.monitors.is_recorded = true;
    session.set_verifier(verifier);
    session.monitors.watch.is_marked = name != DEFAULT_SESSION;
    if let Some(mode) = mode {
        session.set_mode(mode);
    }
    session
}

/// What comes of a change of rules of a session without a name: there is none that could have any.
fn of_nobody(body: &str) -> Decision {
    let mut decision = Decision::default();
    match Change::read(body) {
        Ok(change) => decision.besides_mut().constitution = Some(Report::empty(change.op)),
        Err(problem) => decision.complain(vec![problem]),
    }
    decision
}

/// Lets the workflow of a session go on.
fn go_on(
    running: Option<Box<Workflow>>,
    by: impl FnOnce(&mut Workflow) -> Transition,
) -> Result<(Box<Workflow>, Transition), String> {
    let Some(mut workflow) = running else {
        return Err("no workflow was started in this session".to_owned());
    };
    let transition = by(&mut workflow);
    Ok((workflow, transition))
}

/// Gives a session what is remembered of the whole trace, or takes it back.
fn swap_traces(session: &mut LayeredSession, traces: &mut [TraceWatch]) {
    let mut traces = traces.iter_mut();
    session.each(|session| {
        if let Some(trace) = traces.next() {
            std::mem::swap(&mut session.monitors.trace, trace);
        }
    });
}

/// What says where a session works whose first event does not; `None` where it does.
fn placed(first: &Event<'_>, root: &str) -> Option<Event<'static>> {
    let start = match first.clone().into_owned() {
        Event::SessionStart(start) if start.cwd.is_some() => return None,
        Event::SessionStart(start) => start,
        _ => SessionStart::default(),
    };
    Some(Event::SessionStart(SessionStart { cwd: Some(root.to_owned().into()), ..start }))
}

fn conclude(outcome: Outcome) -> Conclusion {
    Conclusion { findings: outcome.findings, undecided: outcome.undecided }
}

/// What the trace tells comes first. Of a path that it tells something of, it tells everything.
struct Known<'a> {
    facts: &'a mut FactHost,
    beyond: &'a mut dyn Host,
}

impl Known<'_> {
    fn host(&mut self, path: &str) -> &mut dyn Host {
        if self.facts.exists(path).is_some() { self.facts } else { self.beyond }
    }
}

impl Host for Known<'_> {
    fn exists(&mut self, path: &str) -> Option<bool> {
        self.host(path).exists(path)
    }

    fn is_directory(&mut self, path: &str) -> Option<bool> {
        self.host(path).is_directory(path)
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        self.host(path).fingerprint(path)
    }

    fn canonical(&mut self, path: &str) -> Option<String> {
        self.host(path).canonical(path)
    }

    fn now(&mut self) -> Option<i64> {
        self.facts.now().or_else(|| self.beyond.now())
    }

    fn repository(&mut self) -> Option<String> {
        self.facts.repository()
    }

    fn document(&mut self, name: &str, blank_counts: bool) -> Option<String> {
        self.beyond.document(name, blank_counts)
    }

    fn text(&mut self, path: &str) -> Option<String> {
        self.facts.text(path).or_else(|| self.host(path).text(path))
    }

    fn branch(&mut self) -> Option<String> {
        self.beyond.branch()
    }

    fn default_branch(&mut self) -> Option<String> {
        self.beyond.default_branch()
    }

    fn ignored(&mut self, path: &str, since: Option<i64>) -> Option<bool> {
        self.beyond.ignored(path, since)
    }

    fn line_count(&mut self, path: &str) -> Option<u64> {
        self.facts.line_count(path).or_else(|| self.host(path).line_count(path))
    }

    fn files_ending_in(&mut self, tail: &str) -> Option<Vec<String>> {
        let told = self.facts.files_ending_in(tail);
        told.or_else(|| self.beyond.files_ending_in(tail))
    }

    fn holds(&mut self, directory: &str, tail: &str) -> Truth {
        match self.facts.holds(directory, tail) {
            Truth::Unknown => self.beyond.holds(directory, tail),
            told => told,
        }
    }

    fn json_mismatch(&mut self, schema: &str, text: &str) -> Option<Option<JsonMismatch>> {
        self.beyond.json_mismatch(schema, text)
    }

    fn compile_rules(
        &mut self,
        rules: &[SessionRule<'_>],
    ) -> Option<Result<Arc<Image>, Vec<Refusal>>> {
        self.beyond.compile_rules(rules)
    }
}
