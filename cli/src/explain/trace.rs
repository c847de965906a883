//! `behavior explain --trace`: replays a trace up to one event and watches the rules decide on it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use behavior_agents::{Item, Problem, Sink, Stats};
use behavior_compiler::Compilation;
use behavior_compiler::diagnostic::closest;
use behavior_compiler::ir::Condition;
use behavior_image::code::Scope;
use behavior_runtime::event::Event;
use behavior_runtime::{Image, Replay};

use super::why::{Asked, Why};
use crate::args::{ExplainArgs, PlainFormat};
use crate::live::host::LiveHost;
use crate::project::describe;
use crate::ready;
use crate::schemas::WithSchemas;
use crate::screen::{Screen, count, number};
use crate::simulate::compressed::Damage;
use crate::simulate::input::{self, Trace};
use crate::terminal::{Exit, Failure, Terminal};

/// How many messages of a session are kept for the classifier's prompt.
const HISTORY: usize = 64;
/// How much of each is kept, in characters.
const MAX_LENGTH: usize = 4000;

/// Prints why the rules decided as they did on event number `at`.
pub fn run(name: &str, at: u64, args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let ready = ready::load(&args.rules, terminal)?;
    let image = Arc::new(ready.image);
    let only = args.rule.as_deref().map(|id| find_rule(&image, id)).transpose()?;
    let trace = one_trace(name, args)?;
    let sizes = ready.compilation.as_ref().map(condition_counts).unwrap_or_default();
    let schemas = WithSchemas::new(None::<LiveHost>);
    let replay = Replay::new(Arc::clone(&image)).with_host(Box::new(schemas));
    let mut replayer = Replayer {
        file: &trace.name,
        settles: Scope::ALL.iter().any(|scope| image.monitors().settles(*scope)),
        image: Arc::clone(&image),
        replay: match args.mode.mode {
            Some(mode) => replay.with_mode(mode),
            None => replay,
        },
        at,
        index: 0,
        sizes,
        history: HashMap::new(),
        why: None,
        slot: None,
        is_last: true,
    };
    let events = read(&trace, &mut replayer)?;
    replayer.conclude();
    let Some(why) = replayer.why else {
        return Err(Failure::Message(out_of_range(&trace.name, at, events)));
    };
    match args.format {
        PlainFormat::Json => terminal.print(&format!("{:#}\n", why.to_json(&image, only)))?,
        PlainFormat::Pretty => {
            let screen = Screen::of_stdout(terminal);
            terminal.print(&why.print(&image, &screen, only, terminal.verbose))?;
        }
    }
    Ok(Exit::Clean)
}

fn find_rule(image: &Image, id: &str) -> Result<u32, Failure> {
    image.rules().find(id).ok_or_else(|| {
        let near = closest(id, image.rules().iter().map(|rule| rule.id));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let id = crate::render::one_line(id);
        Failure::Message(format!("no rule called `{id}` is in force{hint}"))
    })
}

fn one_trace(name: &str, args: &ExplainArgs) -> Result<Trace, Failure> {
    let found = input::find(&[name.to_owned()], args.input_format)?;
    let mut traces = found.traces.into_iter();
    match (traces.next(), traces.next()) {
        (Some(trace), None) => Ok(trace),
        _ => Err(Failure::Message(format!("`{name}` holds several traces: name one of them"))),
    }
}

fn read(trace: &Trace, replayer: &mut Replayer<'_>) -> Result<u64, Failure> {
    let stats: std::io::Result<Stats> = trace
        .open(|_| {}, &Damage::default())
        .and_then(|mut input| behavior_agents::read(trace.format, &mut *input, replayer));
    match stats {
        Ok(_) => Ok(replayer.index),
        Err(error) => {
            let reason = describe(&error);
            Err(Failure::Message(format!("cannot read `{}`: {reason}", trace.name)))
        }
    }
}

fn out_of_range(name: &str, at: u64, events: u64) -> String {
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
    compilation.program.rules.iter().map(|rule| tests(&rule.condition)).collect()
}

/// The tests of a condition. Conditions nest no deeper than the compiler lets them.
fn tests(condition: &Condition) -> usize {
    match condition {
        Condition::Always => 0,
        Condition::All(all) | Condition::Any(all) => all.iter().map(tests).sum(),
        Condition::Not(inner) => tests(inner),
        Condition::Test { .. } => 1,
    }
}

/// Replays events until the one asked for.
struct Replayer<'a> {
    file: &'a str,
    image: Arc<Image>,
    replay: Replay,
    at: u64,
    index: u64,
    sizes: Vec<usize>,
    history: HashMap<String, VecDeque<(&'static str, String)>>,
    why: Option<Why>,
    /// Whether some rule decides only when a session or the trace is over.
    settles: bool,
    /// The session of the event asked for, as long as no other event of it followed.
    slot: Option<usize>,
    /// Whether no other event at all followed.
    is_last: bool,
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
            if let Some(why) = &mut self.why {
                why.conclude(&self.image, &decision.besides().settled, &[], "of the session");
            }
        }
    }

    /// The trace is over.
    fn conclude(&mut self) {
        let Some(why) = &mut self.why else { return };
        if self.slot.is_none() && !self.is_last {
            return;
        }
        let settled = self.replay.finish();
        for (slot, of) in &settled.sessions {
            if Some(*slot) == self.slot {
                why.conclude(&self.image, &of.findings, &of.undecided, "of the session");
            }
        }
        if self.is_last {
            let of = &settled.trace;
            why.conclude(&self.image, &of.findings, &of.undecided, "of the trace");
        }
    }

    /// Keeps what the classifier would be told of the conversation.
    fn remember(&mut self, item: &Item<'_>) {
        let (role, text) = match &item.event {
            Event::TurnStart { text: Some(text) } => ("user", text),
            Event::Text { text } => ("assistant", text),
            _ => return,
        };
        if !self.history.contains_key(&*item.session) {
            self.history.insert(item.session.clone().into_owned(), VecDeque::new());
        }
        let Some(history) = self.history.get_mut(&*item.session) else { return };
        if history.len() >= HISTORY {
            history.pop_front();
        }
        history.push_back((role, text.chars().take(MAX_LENGTH).collect()));
    }
}

impl Sink for Replayer<'_> {
    fn item(&mut self, item: Item<'_>) {
        // The last events of a reader may come after it was asked to stop.
        if self.why.is_some() {
            if self.settles && !self.stop() {
                self.follow(&item);
            }
            return;
        }
        if self.index == self.at {
            let explanation = self.replay.explain(&item.session, &item.event);
            self.replay.apply(&item.session, &item.event);
            self.slot = self.replay.latest().map(|(slot, _)| slot);
            let session = self.replay.latest().map(|(_, session)| session);
            let history = self.history.get(&*item.session);
            self.why = session.map(|session| {
                Why::new(Asked {
                    file: self.file,
                    index: self.index,
                    item: &item,
                    image: &self.image,
                    session,
                    explanation: &explanation,
                    sizes: &self.sizes,
                    history: history.into_iter().flatten().cloned().collect(),
                })
            });
        } else {
            self.replay.apply(&item.session, &item.event);
            self.remember(&item);
        }
        self.index += 1;
    }

    fn problem(&mut self, _problem: Problem) {}

    fn wants_exchanges(&self) -> bool {
        !self.image.monitors().is_empty()
    }

    fn stop(&self) -> bool {
        let is_open = self.slot.is_some() || self.is_last;
        self.why.is_some() && !(self.settles && is_open)
    }
}
