//! What is being debugged: a recording under rules, where it stands, and how it gets to where it is to stop.

use std::collections::HashMap;
use std::sync::Arc;

use behavior_runtime::event::Event;
use behavior_runtime::explain::Explanation;
use behavior_runtime::{Decision, Image, Layer, LayeredSession, Layers, Phase, Replay, Truth};

use crate::breakpoints::{Breakpoints, Decided, Hit, Places};
use crate::project::{Launch, Project, Watch};
use crate::recording::Recording;
use crate::timeline::{Timeline, wants_exchanges};
use crate::values::{self, Shown};

/// How many events are decided on at a time, before the client is heard again.
const SLICE: usize = 1024;
/// How many conditions are kept compiled.
const MAX_WATCHES: usize = 64;

/// Which way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To later events.
    On,
    /// To earlier ones.
    Back,
}

/// How far to go, unless a breakpoint comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// To a breakpoint.
    Breakpoint,
    /// To any event.
    Event,
    /// To an event of this session.
    EventOf(usize),
    /// To the beginning of a turn of this session.
    TurnOf(usize),
}

/// What a slice of work came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// There is more to do.
    Further,
    /// It stands now.
    Stopped,
    /// The recording is over, and was so before.
    Over,
}

/// Where it stands: at an event that is about to be taken in, and what is decided on it.
pub struct Stop {
    /// The number of the event; that behind the last is the end.
    pub at: usize,
    pub session: usize,
    pub decision: Decision,
    /// The state of the session behind the event.
    after: Vec<Shown>,
    pub hit: Hit,
}

/// A way that is being gone.
enum Run {
    On { until: Until, is_first: bool },
    Back { until: Until, low: usize, high: usize, found: Option<(usize, Hit)> },
}

/// A recording under rules.
pub struct Debuggee {
    pub layers: Arc<Layers>,
    pub timeline: Timeline,
    pub breakpoints: Breakpoints,
    pub places: Places,
    /// The whole path of the recording.
    pub path: String,
    /// What the user is to be told.
    pub said: Vec<String>,
    stops_on_entry: bool,
    stop: Option<Stop>,
    run: Option<Run>,
    watches: HashMap<Watch, Result<Arc<Image>, String>>,
}

/// What a condition came to, and its tests: each with what it looked at.
pub type Evaluated = (Truth, Vec<(String, Truth, String)>);

impl Debuggee {
    /// Compiles the rules and reads the recording.
    ///
    /// # Errors
    /// Why that cannot be, for people.
    pub fn load<P: Project>(project: &mut P, launch: &Launch) -> Result<Self, String> {
        let layers = project.rules(launch)?;
        let mut recording = Recording::new(wants_exchanges(&layers));
        let path = project.recording(launch, &mut recording)?;
        if recording.is_too_large() {
            return Err(format!("`{}` has more than 256 MiB of events", launch.trace));
        }
        if recording.events.is_empty() {
            return Err(format!("`{}` has no events", launch.trace));
        }
        let replay = project.replay(launch, Arc::clone(&layers))?;
        Ok(Self {
            places: Places::of(&layers, |name| project.path(name)),
            timeline: Timeline::new(replay, recording),
            breakpoints: Breakpoints::default(),
            layers,
            path,
            said: Vec::new(),
            stops_on_entry: launch.stop_on_entry.unwrap_or(true),
            stop: None,
            run: None,
            watches: HashMap::new(),
        })
    }

    /// Returns the recording.
    pub fn recording(&self) -> &Recording {
        self.timeline.recording()
    }

    /// Returns where it stands; `None` while it runs.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Returns whether there is work to do.
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Begins: stands at the first event, or runs on from there.
    pub fn start<P: Project>(&mut self, _: &mut P) {
        if self.stop.is_some() || self.run.is_some() {
            return;
        }
        match self.stops_on_entry {
            true => self.stand(0, hit("entry", "the first event")),
            false => self.run = Some(Run::On { until: Until::Breakpoint, is_first: false }),
        }
    }

    /// Starts going.
    ///
    /// # Errors
    /// When it runs already, or has not begun.
    pub fn go(&mut self, direction: Direction, until: Until) -> Result<(), String> {
        let Some(stop) = self.stop.take() else {
            return Err("it stands at no event now".to_owned());
        };
        self.run = Some(match direction {
            Direction::On => Run::On { until, is_first: true },
            Direction::Back => {
                let low = self.timeline.before(stop.at);
                self.timeline.seek(low);
                Run::Back { until, low, high: stop.at, found: None }
            }
        });
        Ok(())
    }

    /// Stands where it is.
    pub fn pause(&mut self) {
        if let Some(run) = &mut self.run {
            let until = Until::Event;
            *run = Run::On { until, is_first: false };
        }
    }

    /// Does a slice of the work.
    pub fn work<P: Project>(&mut self, project: &mut P) -> Ran {
        match self.run.take() {
            None => Ran::Further,
            Some(Run::On { until, is_first }) => self.go_on(project, until, is_first),
            Some(Run::Back { until, low, high, found }) => {
                self.go_back(project, until, (low, high), found)
            }
        }
    }

    fn go_on<P: Project>(&mut self, project: &mut P, until: Until, is_first: bool) -> Ran {
        if is_first && self.timeline.step().is_none() {
            self.stand(self.timeline.at(), hit("step", OVER));
            return Ran::Over;
        }
        for _ in 0..SLICE {
            let at = self.timeline.at();
            match self.decide(project, until, Direction::On) {
                None => {
                    self.stand(at, hit("step", OVER));
                    return Ran::Stopped;
                }
                Some(Some(hit)) => {
                    self.stand(at, hit);
                    return Ran::Stopped;
                }
                Some(None) => {}
            }
        }
        self.run = Some(Run::On { until, is_first: false });
        Ran::Further
    }

    /// Looks through what lies between two moments for the last place to stop at, and then through what lies before.
    fn go_back<P: Project>(
        &mut self,
        project: &mut P,
        until: Until,
        (mut low, mut high): (usize, usize),
        mut found: Option<(usize, Hit)>,
    ) -> Ran {
        for _ in 0..SLICE {
            let at = self.timeline.at();
            if at < high {
                if let Some(Some(hit)) = self.decide(project, until, Direction::Back) {
                    found = Some((at, hit));
                }
                continue;
            }
            if let Some((at, hit)) = found {
                self.stand(at, hit);
                return Ran::Stopped;
            }
            if low == 0 {
                self.stand(0, hit("entry", "the first event"));
                return Ran::Stopped;
            }
            high = low;
            low = self.timeline.before(high);
            self.timeline.seek(low);
        }
        self.run = Some(Run::Back { until, low, high, found });
        Ran::Further
    }

    /// Decides on the next event, and says whether it is one to stop at; `None` where there is none.
    fn decide<P: Project>(
        &mut self,
        project: &mut P,
        until: Until,
        direction: Direction,
    ) -> Option<Option<Hit>> {
        let at = self.timeline.at();
        let recording = self.timeline.recording();
        let recorded = recording.events.get(at)?;
        let (line, session) = (recorded.line, recorded.session);
        let is_there = match until {
            Until::Breakpoint => false,
            Until::Event => true,
            Until::EventOf(wanted) => session == wanted,
            Until::TurnOf(wanted) => {
                session == wanted && matches!(recorded.event, Event::TurnStart { .. })
            }
        };
        let explains = self.breakpoints.need_explanations() && when(&recorded.event).is_some();
        let explanations = if explains { self.explain(at) } else { Vec::new() };
        let asks = self.breakpoints.ask_besides();
        let before = asks.then(|| self.timeline.replay().moment());
        let decision = self.timeline.step()?;
        let decided = Decided { line, decision: &decision, explanations: &explanations };
        let path = |name: &str| project.path(name);
        let met = self.breakpoints.met(&decided, &self.layers, &path);
        let met: Vec<(Option<String>, Hit)> =
            met.map(|(breakpoint, hit)| (breakpoint.condition.clone(), hit)).collect();
        for (condition, hit) in met {
            let Some((condition, before)) = condition.zip(before.clone()) else {
                return Some(Some(hit));
            };
            let after = self.timeline.replay().moment();
            self.timeline.replay().go_to(before);
            let holds = self.evaluate_at(project, &condition, at);
            self.timeline.replay().go_to(after);
            match holds {
                Ok((Truth::True, _)) => return Some(Some(hit)),
                Ok(_) => {}
                Err(reason) => {
                    self.said.push(format!("the condition of a breakpoint is wrong: {reason}"));
                    return Some(Some(hit));
                }
            }
        }
        let filtered = self.breakpoints.filtered(&decision, &self.layers);
        let step = match (until, direction) {
            (Until::TurnOf(_), _) => "the beginning of a turn",
            (_, Direction::On) => "the next event",
            (_, Direction::Back) => "the event before",
        };
        Some(filtered.or_else(|| is_there.then(|| hit("step", step))))
    }

    fn explain(&mut self, at: usize) -> Vec<(Layer, Explanation)> {
        self.timeline.with(|replay, recording| {
            let recorded = recording.events.get(at);
            recorded
                .map(|recorded| replay.explain(recording.session_of(recorded), &recorded.event))
                .unwrap_or_default()
        })
    }

    /// Stands at an event.
    fn stand(&mut self, at: usize, hit: Hit) {
        self.timeline.seek(at);
        self.run = None;
        let last = self.timeline.recording().events.len().saturating_sub(1);
        let session = self
            .timeline
            .recording()
            .events
            .get(at.min(last))
            .map_or(0, |recorded| recorded.session);
        let (decision, after) =
            self.timeline.aside(|replay, recording| match recording.events.get(at) {
                Some(recorded) => {
                    let decision = replay.apply(recording.session_of(recorded), &recorded.event);
                    let state = replay.latest().map(|(_, state)| values::of_session(state));
                    (decision, state.unwrap_or_default())
                }
                None => (concluded(replay), Vec::new()),
            });
        self.stop = Some(Stop { at, session, decision, after, hit });
    }

    /// Returns what is shown at the event: each group with its name.
    pub fn scopes(&mut self) -> Option<Vec<(&'static str, Vec<Shown>)>> {
        let stop = self.stop.as_ref()?;
        let decision = values::of_decision(&stop.decision, &self.layers);
        let (at, session, after) = (stop.at, stop.session, stop.after.clone());
        let recording = self.timeline.recording();
        let event = recording.events.get(at).map(|recorded| {
            values::of_event(&recording.native(recorded), recording.session_of(recorded))
        });
        let state = self.state_of(session);
        let mut scopes = Vec::new();
        scopes.extend(event.map(|event| ("Event", event)));
        scopes.push(("Decision", decision));
        scopes.push(("State", state));
        if !after.is_empty() {
            scopes.push(("State afterwards", after));
        }
        Some(scopes)
    }

    /// Returns what is shown of a session that the event is not of.
    pub fn scopes_of_other(&mut self, session: usize) -> Vec<(&'static str, Vec<Shown>)> {
        vec![("State", self.state_of(session))]
    }

    fn state_of(&mut self, session: usize) -> Vec<Shown> {
        self.in_state(session, values::of_session).unwrap_or_default()
    }

    /// Returns a part of the state by its name; a counter also as conditions write it, `counter(name)`.
    pub fn named(&mut self, name: &str) -> Option<Shown> {
        let session = self.stop.as_ref()?.session;
        let counter = name.strip_prefix("counter(").and_then(|rest| rest.strip_suffix(')'));
        let look = |state: &LayeredSession| match counter {
            Some(name) => values::counter(state, name.trim()),
            None => values::named(state, name),
        };
        self.in_state(session, look).flatten()
    }

    /// Looks at the state of a session; one that has not begun, or is over, has a new one.
    fn in_state<T>(
        &mut self,
        session: usize,
        look: impl FnOnce(&LayeredSession) -> T,
    ) -> Option<T> {
        let layers = &self.layers;
        self.timeline.with(|replay, recording| {
            let name = recording.sessions.get(session)?;
            Some(match replay.by_session(name) {
                Some((_, state)) => look(state),
                None => look(&LayeredSession::new(Arc::clone(layers))),
            })
        })
    }

    /// Asks a condition of the event and the state that the rules see.
    ///
    /// # Errors
    /// When it runs, or the condition is wrong.
    pub fn evaluate<P: Project>(
        &mut self,
        project: &mut P,
        expression: &str,
    ) -> Result<Evaluated, String> {
        let stop = self.stop.as_ref().ok_or_else(|| "it stands at no event now".to_owned())?;
        self.evaluate_at(project, expression, stop.at)
    }

    /// The same of an event that is about to be taken in. Where rules are not looked at on it, the condition is asked
    /// of the state behind it, as if the agent wrote an empty text then.
    fn evaluate_at<P: Project>(
        &mut self,
        project: &mut P,
        expression: &str,
        at: usize,
    ) -> Result<Evaluated, String> {
        let recording = self.timeline.recording();
        let phase = recording.events.get(at).and_then(|recorded| when(&recorded.event));
        let when = phase.unwrap_or(Phase::OnText).name();
        let image = self.watch(project, Watch { expression: expression.to_owned(), when })?;
        let id = image.rules().find(P::WATCH);
        let ask = |replay: &mut Replay, recording: &Recording| {
            let last = recording.events.len().saturating_sub(1);
            let recorded = recording.events.get(at.min(last))?;
            let session = recording.session_of(recorded);
            if phase.is_some() {
                let event = recording.whole(recorded);
                return Some(replay.explain_under(session, &event, Arc::clone(&image)));
            }
            if at <= last {
                replay.apply(session, &recorded.event);
            }
            let text = Event::Text { text: "".into() };
            Some(replay.explain_under(session, &text, Arc::clone(&image)))
        };
        let explanation = match phase {
            Some(_) => self.timeline.with(ask),
            None => self.timeline.aside(ask),
        };
        let rules = explanation.map(|explanation| explanation.rules).unwrap_or_default();
        let Some(rule) = rules.into_iter().find(|rule| Some(rule.rule) == id) else {
            return Err(
                "no condition can be asked of this event: nothing tells which call it is the \
                        result of"
                    .to_owned(),
            );
        };
        let steps = rule.steps.into_iter().map(|step| {
            let text = step.condition(&image).map_or("", |(text, _)| text).to_owned();
            (text, step.result, step.saw)
        });
        Ok((rule.outcome, steps.collect()))
    }

    /// Finds out which conditions of breakpoints cannot be understood, whatever the event.
    pub fn check_conditions<P: Project>(&mut self, project: &mut P) {
        let mut breakpoints = std::mem::take(&mut self.breakpoints);
        breakpoints.note_trouble(|condition| self.trouble_with(project, condition));
        self.breakpoints = breakpoints;
    }

    fn trouble_with<P: Project>(&mut self, project: &mut P, condition: &str) -> Option<String> {
        let mut first = None;
        for phase in [Phase::PreTool, Phase::PostTool, Phase::OnText, Phase::TurnEnd] {
            let watch = Watch { expression: condition.to_owned(), when: phase.name() };
            match self.watch(project, watch) {
                Ok(_) => return None,
                Err(why) => first = first.or(Some(why)),
            }
        }
        first
    }

    fn watch<P: Project>(&mut self, project: &mut P, watch: Watch) -> Result<Arc<Image>, String> {
        if let Some(known) = self.watches.get(&watch) {
            return known.clone();
        }
        if self.watches.len() >= MAX_WATCHES {
            self.watches.clear();
        }
        let made = project.watch(&watch);
        self.watches.insert(watch, made.clone());
        made
    }
}

/// What people are told at the end.
const OVER: &str = "the recording is over";

fn hit(reason: &'static str, description: &str) -> Hit {
    Hit { reason, description: description.to_owned(), id: None }
}

/// Returns the phase in which rules are looked at on an event.
fn when(event: &Event<'_>) -> Option<Phase> {
    match event {
        Event::ToolCall(_) => Some(Phase::PreTool),
        Event::ToolResult(_) => Some(Phase::PostTool),
        Event::Text { .. } => Some(Phase::OnText),
        Event::TurnEnd { .. } => Some(Phase::TurnEnd),
        _ => None,
    }
}

/// Returns what is found now that the recording is over.
fn concluded(replay: &mut Replay) -> Decision {
    let settled = replay.finish();
    let mut decision = Decision::default();
    for conclusion in settled.sessions.into_iter().map(|(_, of)| of).chain([settled.trace]) {
        decision.findings.extend(conclusion.findings);
        decision.undecided.extend(conclusion.undecided);
    }
    decision
}
