//! `behavior explain --trace`: replays a trace up to one event and watches the rules decide on it.

use behavior_json::plain::escaped;
use std::collections::HashMap;
use std::sync::Arc;

use behavior_agents::{Format, Item, Problem, Sink, Stats};
use behavior_compiler::Compilation;
use behavior_compiler::closest;
use behavior_image::code::{ApprovalMode, Scope};
use behavior_runtime::constitution::entry_of;
use behavior_runtime::conversation::Conversation;
use behavior_runtime::decision::{Finding, Undecided};
use behavior_runtime::event::Event;
use behavior_runtime::{Explanation, Image, Layer, Layers, Replay, Session};
use serde_json::Value;

use super::why::{Asked, Why};
use super::workflow::WorkflowWhy;
use crate::args::{ExplainArgs, PlainFormat};
use crate::live::host::LiveHost;
use crate::number::{count, number};
use crate::project::describe;
use crate::ready;
use crate::render::one_line;
use crate::schemas::WithSchemas;
use crate::screen::Screen;
use crate::simulate::compressed::Damage;
use crate::simulate::input::{self, Trace};
use crate::terminal::{BOLD, Exit, Failure, Terminal};

/// Prints why the rules decided as they did on event number `at`.
pub fn run(name: &str, at: u64, args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let ready = ready::load(&args.rules, terminal)?;
    let layers = ready.layers;
    let of_session = args.rule.as_deref().filter(|id| entry_of(id).is_some());
    let wanted = args.rule.as_deref().filter(|_| of_session.is_none());
    let only = wanted.map(|id| find_rule(&layers, id)).transpose()?;
    let trace = one_trace(name, args.input_format)?;
    let question = Question {
        file: &trace.name,
        layers: &layers,
        compilations: ready.compilations.iter().map(Option::as_ref).collect(),
        mode: args.mode.mode,
        root: None,
        at,
    };
    let watched = watch(&question, |sink| read(&trace, sink))?;
    let Some(whys) = watched.whys else {
        return Err(Failure::Message(out_of_range(&trace.name, at, watched.events)));
    };
    let mut only = only.map(|rule| layers.locate(rule));
    if let Some(id) = of_session {
        let image = watched.of_session.as_ref().map(|(image, _)| image);
        let Some(rule) = image.and_then(|image| image.rules().find(id)) else {
            let message = format!("the session has no rule `{}` at that event", one_line(id));
            return Err(Failure::Message(message));
        };
        only = Some((whys.len(), rule));
    }
    let shown = Shown {
        layers: &layers,
        whys: &whys,
        of_session: watched.of_session.as_ref(),
        only,
        workflow: watched.workflow.as_ref(),
    };
    match args.format {
        PlainFormat::Json => terminal.print(&escaped(&format!("{:#}\n", shown.to_json())))?,
        PlainFormat::Pretty => terminal.print(&shown.to_text(terminal))?,
    }
    Ok(Exit::Clean)
}

/// Which event of which events is asked about.
pub struct Question<'a> {
    /// The file that the events stand in.
    pub file: &'a str,
    /// The rules.
    pub layers: &'a Arc<Layers>,
    /// How each layer was compiled, where that is known.
    pub compilations: Vec<Option<&'a Compilation>>,
    /// The approval mode, in place of what the events say.
    pub mode: Option<ApprovalMode>,
    /// The root of the repository, where a test says one.
    pub root: Option<&'a str>,
    /// The number of the event, from 0.
    pub at: u64,
}

/// What was seen of the rules.
pub struct Watched {
    /// Why each layer decided as it did; `None` where there is no such event.
    pub whys: Option<Vec<Why>>,
    /// The rules that the session made for itself, and why they decided as they did.
    pub of_session: Option<(Arc<Image>, Why)>,
    /// Why a workflow goes where it goes, on an event of one.
    pub workflow: Option<WorkflowWhy>,
    /// How many events were read, up to the one asked for.
    pub events: u64,
}

/// Watches the rules decide on one of the events that `feed` hands over.
///
/// # Errors
/// As `feed`.
pub fn watch<E>(
    question: &Question<'_>,
    feed: impl FnOnce(&mut dyn Sink) -> Result<(), E>,
) -> Result<Watched, E> {
    let layers = question.layers;
    let sizes = question.compilations.iter();
    let sizes = sizes.map(|one| one.map(condition_counts).unwrap_or_default()).collect();
    let schemas = WithSchemas::new(None::<LiveHost<'_>>);
    let replay = Replay::with_layers(Arc::clone(layers))
        .with_host(Box::new(schemas))
        .with_workflows(crate::workflow::for_replays());
    let replay = match question.root {
        Some(root) => replay.with_root(root),
        None => replay,
    };
    let mut replayer = Replayer {
        file: question.file,
        settles: Scope::ALL.iter().any(|scope| layers.monitors().settles(*scope)),
        layers: Arc::clone(layers),
        replay: match question.mode {
            Some(mode) => replay.with_mode(mode),
            None => replay,
        },
        at: question.at,
        index: 0,
        sizes,
        conversations: HashMap::new(),
        whys: None,
        of_session: None,
        workflow: None,
        slot: None,
        is_last: true,
        awaiting: None,
    };
    feed(&mut replayer)?;
    replayer.conclude();
    Ok(Watched {
        whys: replayer.whys,
        of_session: replayer.of_session,
        workflow: replayer.workflow,
        events: replayer.index,
    })
}

/// Why each layer decided as it did.
pub struct Shown<'a> {
    pub layers: &'a Layers,
    /// One for each layer, the most trusted first.
    pub whys: &'a [Why],
    /// The rules that the session made for itself, and why they decided as they did.
    pub of_session: Option<&'a (Arc<Image>, Why)>,
    /// The layer and the rule that was asked for.
    pub only: Option<(usize, u32)>,
    /// Why a workflow goes where it goes.
    pub workflow: Option<&'a WorkflowWhy>,
}

impl Shown<'_> {
    /// The layers to show, with the rule to show of each; the least trusted that has files first, and the session's
    /// own rules at the end.
    fn parts(&self) -> impl Iterator<Item = (Layer, &Image, &Why, Option<u32>)> {
        let parts: Vec<_> = self.layers.iter().zip(self.whys).enumerate().collect();
        let of_session = self.of_session.map(|(image, why)| ((Layer::Session, image), why));
        let of_session = of_session.map(|part| (self.whys.len(), part));
        parts.into_iter().rev().chain(of_session).filter_map(|(index, ((layer, image), why))| {
            match self.only {
                Some((asked, rule)) => {
                    (asked == index).then_some((layer, &**image, why, Some(rule)))
                }
                None => Some((layer, &**image, why, None)),
            }
        })
    }

    /// Returns the least trusted layer's, with the others' under `layers`.
    pub fn to_json(&self) -> Value {
        let mut parts = self.parts().map(|(layer, image, why, only)| {
            let mut value = why.to_json(image, only);
            if let Value::Object(map) = &mut value {
                map.insert("layer".to_owned(), layer.name().into());
            }
            value
        });
        let mut first = parts.next().unwrap_or_default();
        let others: Vec<Value> = parts.collect();
        if let (Value::Object(map), Some(workflow)) = (&mut first, self.workflow) {
            map.insert("workflow".to_owned(), workflow.to_json());
        }
        if let (Value::Object(map), false) = (&mut first, others.is_empty()) {
            map.insert("layers".to_owned(), others.into());
        }
        first
    }

    /// Returns it for people.
    pub fn to_text(&self, terminal: &Terminal) -> String {
        let screen = Screen::of_stdout(terminal);
        let mut out = String::new();
        if let Some(workflow) = self.workflow {
            out.push_str(&workflow.to_text(terminal));
        }
        for (layer, image, why, only) in self.parts() {
            if self.layers.are_several() || self.of_session.is_some() {
                let heading = format!("rules of the {}\n", layer.name());
                screen.paint(&mut out, BOLD, &heading);
            }
            out.push_str(&why.print(image, &screen, only, terminal.verbose));
        }
        out
    }
}

fn find_rule(layers: &Layers, id: &str) -> Result<u32, Failure> {
    layers.rules().find(id).ok_or_else(|| {
        let near = closest(id, layers.rules().iter().map(|rule| rule.id));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let id = crate::render::one_line(id);
        Failure::Message(format!("no rule called `{id}` is in force{hint}"))
    })
}

/// Finds the one recording that a name means.
///
/// # Errors
/// When there is none, or several.
pub fn one_trace(name: &str, format: Option<Format>) -> Result<Trace, Failure> {
    let found = input::find(&[name.to_owned()], format)?;
    let mut traces = found.traces.into_iter();
    match (traces.next(), traces.next()) {
        (Some(trace), None) => Ok(trace),
        _ => Err(Failure::Message(format!("`{name}` holds several traces: name one of them"))),
    }
}

/// Reads a recording.
///
/// # Errors
/// When it cannot be read.
pub fn read(trace: &Trace, sink: &mut dyn Sink) -> Result<(), Failure> {
    let stats: std::io::Result<Stats> = trace
        .open(|_| {}, &Damage::default())
        .and_then(|mut input| behavior_agents::read(trace.format, &mut *input, sink));
    match stats {
        Ok(_) => Ok(()),
        Err(error) => {
            let reason = describe(&error);
            Err(Failure::Message(format!("cannot read `{}`: {reason}", trace.name)))
        }
    }
}

/// Says that there is no event of a number.
pub fn out_of_range(name: &str, at: u64, events: u64) -> String {
    match events {
        0 => format!("`{name}` has no events"),
        _ => format!(
            "there is no event {} in `{name}`: it has {}, numbered from 0 to {}",
            number(at),
            count(events, "event"),
            number(events - 1)
        ),
    }
}

/// How many tests each rule's condition has.
fn condition_counts(compilation: &Compilation) -> Vec<usize> {
    compilation.program.rules.iter().map(|rule| rule.condition.tests()).collect()
}

/// A layer's session, its explanation, and how many tests its rules have.
type Part<'a> = (((Layer, &'a Session), &'a (Layer, Explanation)), &'a Vec<usize>);

/// Replays events until the one asked for.
struct Replayer<'a> {
    file: &'a str,
    layers: Arc<Layers>,
    replay: Replay,
    at: u64,
    index: u64,
    sizes: Vec<Vec<usize>>,
    conversations: HashMap<String, Conversation>,
    whys: Option<Vec<Why>>,
    of_session: Option<(Arc<Image>, Why)>,
    workflow: Option<WorkflowWhy>,
    /// Whether some rule decides only when a session or the trace is over.
    settles: bool,
    /// The session of the event asked for, as long as no other event of it followed.
    slot: Option<usize>,
    /// Whether no other event at all followed.
    is_last: bool,
    /// The session whose next event may be what the classifier's model answered to the one asked for.
    awaiting: Option<String>,
}

impl Replayer<'_> {
    /// What follows the event tells whether it was the last of its session, on which stands what is
    /// found about all of that.
    fn follow(&mut self, item: &Item<'_>) {
        let decision = self.replay.apply(&item.session, &item.event);
        self.is_last = false;
        let slot = self.replay.latest().map(|(slot, _)| slot);
        if self.slot.is_some() && self.slot == slot {
            self.slot = None;
            self.tell(&decision.besides().settled, &[], "of the session");
        }
    }

    /// Takes what the classifier's model answered, where that is the next event of the session.
    fn hear_reply(&mut self, item: &Item<'_>) {
        if self.awaiting.as_deref() != Some(&*item.session) {
            return;
        }
        self.awaiting = None;
        if let Event::ClassifierReply { raw } = &item.event {
            let layers = self.layers.iter();
            for (why, (_, image)) in self.whys.iter_mut().flatten().zip(layers) {
                why.hear(image, raw);
            }
        }
    }

    /// The trace is over.
    fn conclude(&mut self) {
        if self.whys.is_none() {
            return;
        }
        if self.slot.is_none() && !self.is_last {
            return;
        }
        let settled = self.replay.finish();
        for (slot, of) in &settled.sessions {
            if Some(*slot) == self.slot {
                self.tell(&of.findings, &of.undecided, "of the session");
            }
        }
        if self.is_last {
            let of = &settled.trace;
            self.tell(&of.findings, &of.undecided, "of the trace");
        }
    }

    /// Tells each layer what is found about the whole `of` something.
    fn tell(&mut self, findings: &[Finding], undecided: &[Undecided], of: &str) {
        let Some(whys) = &mut self.whys else { return };
        for (index, (why, (_, image))) in whys.iter_mut().zip(self.layers.iter()).enumerate() {
            let own = |rule: u32| Some(self.layers.locate(rule)).filter(|(at, _)| *at == index);
            let findings = findings.iter().filter_map(|finding| {
                own(finding.rule).map(|(_, rule)| Finding { rule, ..finding.clone() })
            });
            let undecided = undecided.iter().filter_map(|undecided| {
                own(undecided.rule).map(|(_, rule)| Undecided { rule, ..undecided.clone() })
            });
            let (findings, undecided): (Vec<_>, Vec<_>) = (findings.collect(), undecided.collect());
            why.conclude(image, &findings, &undecided, of);
        }
    }

    /// Keeps what the classifier would be told of the conversation.
    fn remember(&mut self, item: &Item<'_>) {
        if !self.conversations.contains_key(&*item.session) {
            self.conversations.insert(item.session.clone().into_owned(), Conversation::default());
        }
        if let Some(conversation) = self.conversations.get_mut(&*item.session) {
            conversation.note(&item.event);
        }
    }
}

impl Sink for Replayer<'_> {
    fn item(&mut self, item: Item<'_>) {
        // The last events of a reader may come after it was asked to stop.
        if self.whys.is_some() {
            self.hear_reply(&item);
            if self.settles && !self.stop() {
                self.follow(&item);
            }
            return;
        }
        if self.index == self.at {
            let explanations = self.replay.explain(&item.session, &item.event);
            let decision = self.replay.apply(&item.session, &item.event);
            let followed = decision.besides().workflow.clone();
            self.workflow =
                self.replay.workflow().zip(followed).map(|(workflow, transition)| {
                    WorkflowWhy::new(&item.event, workflow, transition)
                });
            self.slot = self.replay.latest().map(|(slot, _)| slot);
            let session = self.replay.latest().map(|(_, session)| session);
            let conversation = self.conversations.get(&*item.session);
            let nothing = Conversation::default();
            let why = |(((_, session), (_, explanation)), sizes): Part<'_>| {
                Why::new(Asked {
                    file: self.file,
                    index: self.index,
                    item: &item,
                    image: session.image(),
                    session,
                    explanation,
                    sizes,
                    conversation: conversation.unwrap_or(&nothing),
                })
            };
            let own = session.and_then(|session| session.constitution()?.session());
            let explained = explanations.last().filter(|(layer, _)| {
                *layer == Layer::Session && !matches!(item.event, Event::Constitution { .. })
            });
            self.of_session = own.zip(explained).map(|(session, explained)| {
                let part = (((Layer::Session, session), explained), &Vec::new());
                (Arc::clone(session.image()), why(part))
            });
            self.whys = session.map(|session| {
                session.sessions().zip(&explanations).zip(&self.sizes).map(why).collect()
            });
            let is_due = |why: &Why| why.asks_classifier();
            let whys = self.whys.as_deref().unwrap_or_default();
            self.awaiting = whys.iter().any(is_due).then(|| item.session.clone().into_owned());
        } else {
            self.replay.apply(&item.session, &item.event);
            self.remember(&item);
        }
        self.index += 1;
    }

    fn problem(&mut self, _problem: Problem) {}

    fn wants_exchanges(&self) -> bool {
        !self.layers.monitors().is_empty()
    }

    fn stop(&self) -> bool {
        let is_open = self.slot.is_some() || self.is_last;
        self.whys.is_some() && !(self.settles && is_open) && self.awaiting.is_none()
    }
}
