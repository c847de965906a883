//! Follows one session for the rules of trace policies: which response belongs to which request,
//! which call was announced by which response, and where one exchange ends and the next begins.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::look::{Around, Look, Outcome, Pair};
use super::settle::{settle, settle_turn};
use super::stretch::Stretch;
use super::watched::{Role, Watched, WatchedNames, is_tool};
use crate::exchange::{Block, Body, Root, ToolNames, Usage, goes_on, is_from_user, text_of};
use crate::host::Host;
use behavior_image::code::Scope;
use behavior_image::format::{MonitorRecord, Section};
use behavior_image::trace_rule::MonitorKind;
use behavior_image::{Image, View};

/// How many calls that responses announced may wait for their own events.
const MAX_ANNOUNCED: usize = 256;

/// What all sessions of a trace share.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceWatch {
    pub stretch: Stretch,
    /// Responses so far.
    pub pairs: u64,
    /// The rules that looked at a pair or a call: a place for each that did, and for those before it.
    pub asked: Vec<bool>,
}

impl TraceWatch {
    fn ask(&mut self, row: u32) {
        let row = row as usize;
        if self.asked.len() <= row {
            self.asked.resize(row + 1, false);
        }
        if let Some(asked) = self.asked.get_mut(row) {
            *asked = true;
        }
    }

    /// Whether a rule looked at anything.
    pub fn has_asked(&self, row: u32) -> bool {
        self.asked.get(row as usize).copied().unwrap_or(false)
    }
}

/// One session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// What the rules remember of the session, or of the exchange that it is in.
    pub stretch: Stretch,
    /// Whether the log says where sessions begin. Without that, every exchange with the user is one.
    pub is_marked: bool,
    /// Which exchange it is in.
    pub exchange: u32,
    /// Whether the last response left the agent with nothing to do.
    pub has_ended: bool,
    /// The last pair of the turn that goes on; `None` where it has none yet.
    pub turn_pair: Option<u64>,
    /// Whether anything happened in the turn that goes on.
    pub is_turn_used: bool,
    /// What the request told that has no response yet.
    pub pending: Option<Vec<Option<Box<str>>>>,
    /// What the last pair told.
    pub last: Option<Vec<Option<Box<str>>>>,
    pub(crate) announced: VecDeque<Announced>,
}

/// A call in a response, whose own event may follow.
#[derive(Clone, Debug)]
pub(crate) struct Announced {
    id: Option<Box<str>>,
    name: Box<str>,
    watched: Watched,
}

/// What is looked at together: the image, the session, and the trace that it is part of.
pub(crate) struct Watching<'a> {
    pub image: &'a Image,
    pub trace: &'a mut TraceWatch,
    pub watch: &'a mut Watch,
    pub names: &'a mut WatchedNames,
    pub out: &'a mut Outcome,
}

impl Watching<'_> {
    /// The log says that a session begins here, and where `is_marked`, also where the next one does.
    pub fn session_starts(&mut self, is_marked: bool, settled: &mut Outcome) {
        self.next_exchange(settled);
        self.watch.is_marked = is_marked;
    }

    /// A user asks for something.
    pub fn turn_starts(&mut self, settled: &mut Outcome) {
        self.turn_ends(settled);
        if !self.watch.is_marked {
            self.next_exchange(settled);
        }
    }

    /// The agent has ended its turn, or a user broke in.
    pub fn turn_ends(&mut self, settled: &mut Outcome) {
        let pair = self.watch.turn_pair.take();
        if std::mem::take(&mut self.watch.is_turn_used) {
            let Watch { stretch, exchange, .. } = &mut *self.watch;
            settle_turn(self.image, stretch, *exchange, pair, settled);
        }
    }

    /// What happened so far was one session; what follows is another.
    fn next_exchange(&mut self, settled: &mut Outcome) {
        if !self.watch.stretch.is_used {
            return;
        }
        self.settle_session(settled);
        let exchange = self.watch.exchange + 1;
        let is_marked = self.watch.is_marked;
        *self.watch = Watch { exchange, is_marked, ..Watch::default() };
    }

    /// The session is over.
    pub fn settle_session(&mut self, settled: &mut Outcome) {
        self.turn_ends(settled);
        let exchange = self.watch.exchange;
        settle(self.image, Scope::Session, &mut self.watch.stretch, exchange, settled);
        self.watch.stretch = Stretch::default();
    }

    /// After a final answer, what comes without a user's word is another exchange all the same.
    fn go_on(&mut self, settled: &mut Outcome) {
        if self.watch.has_ended && !self.watch.is_marked {
            self.next_exchange(settled);
        }
    }

    /// Looks at a request. Gives what is wrong with it, for people.
    pub fn request(&mut self, text: &str, settled: &mut Outcome) -> Vec<String> {
        let body = Body::open(text);
        if self.watch.has_ended || is_from_user(&body) {
            self.turn_starts(settled);
        }
        let view = self.image.view();
        let values = paths(view, path_count(self.image)).map(|(root, rest)| {
            let value = match root {
                Root::Request => body.at(rest),
                Root::Model => body.field("model"),
                Root::Response | Root::StopReason => None,
            };
            value.map(|value| value.get().into())
        });
        self.watch.pending = Some(values.collect());
        self.watch.has_ended = false;
        self.begin();
        body.excess(0)
    }

    fn begin(&mut self) {
        self.watch.is_turn_used = true;
        self.watch.stretch.is_used = true;
        self.trace.stretch.is_used = true;
    }

    /// Looks at a response. Calls in it count as made where `counts_calls`; live, their own events
    /// decide. Gives what is wrong with it, for people.
    pub fn response(
        &mut self,
        text: &str,
        counts_calls: bool,
        host: &mut dyn Host,
        settled: &mut Outcome,
    ) -> Vec<String> {
        if self.watch.pending.is_none() {
            self.go_on(settled);
        }
        let body = Body::open(text);
        let blocks = body.blocks();
        let mut problems = body.excess(blocks.len());
        let requested = self.watch.pending.take();
        let values = values(self.image, &body, requested.as_deref());
        let stop_reason = body.text("stop_reason");
        let pair = Pair {
            number: self.trace.pairs,
            values,
            text: text_of(&blocks),
            stop_reason,
            is_end_untold: body.is_end_untold(),
            usage: Usage::of(&body),
            calls: if counts_calls { self.announce(&blocks) } else { Vec::new() },
            names: ToolNames::of_body(&body),
            blocks,
        };
        self.trace.pairs += 1;
        self.watch.turn_pair = Some(pair.number);
        self.watch.has_ended = !goes_on(pair.stop_reason.as_deref(), &pair.blocks);
        self.begin();
        let mut asked = Vec::new();
        self.each_monitor(|look, stretch, out| {
            let around = pair.around();
            let (start, len) = (look.monitor.when, look.monitor.when_len);
            if !around.hold(look.view, start, len) {
                if around.hang_on_end(look.view, start, len) {
                    look.end_is_untold(out);
                }
                return;
            }
            asked.push(look.row);
            let slot = stretch.slot(look.row);
            look.pair(&pair, slot, host, out);
            for call in pair.calls.iter().filter_map(|(tool, call)| look.called(tool, call)) {
                look.call(call, pair.number, slot, out);
            }
        });
        asked.into_iter().for_each(|row| self.trace.ask(row));
        if self.watch.has_ended {
            let mut found = Outcome::default();
            self.turn_ends(&mut found);
            self.out.append(found, 0);
        }
        self.keep(&pair);
        problems.extend(pair.usage.problems);
        problems
    }

    /// Calls that are not in a response may be held against the last pair.
    fn keep(&mut self, pair: &Pair<'_>) {
        let view = self.image.view();
        let is_asked = (0..self.image.monitors().len()).any(|row| {
            let monitor: MonitorRecord = view.row(Section::Monitors, row);
            let kind = MonitorKind::from_number(monitor.kind);
            monitor.when_len > 0 && kind.is_some_and(MonitorKind::is_about_calls)
        });
        if !is_asked {
            return;
        }
        let owned = |value: &Option<Cow<'_, str>>| value.as_deref().map(Box::from);
        self.watch.last = Some(pair.values.iter().map(owned).collect());
    }

    /// What the calls in a response are to the rules. They are remembered until their own events.
    fn announce(&mut self, blocks: &[Block<'_>]) -> Vec<(Box<str>, Watched)> {
        let mut calls = Vec::new();
        for block in blocks {
            let Block::ToolUse { id, name } = block else { continue };
            if name.is_empty() {
                continue;
            }
            let watched = self.names.of(self.image, &[name]);
            if self.watch.announced.len() >= MAX_ANNOUNCED {
                self.watch.announced.pop_front();
            }
            let (id, name): (_, Box<str>) = (id.as_deref().map(Box::from), Box::from(&**name));
            calls.push((name.clone(), watched.clone()));
            self.watch.announced.push_back(Announced { id, name, watched });
        }
        calls
    }

    /// A call that was made, in a log. What its response announced was looked at there. The last of
    /// `names` is the recording's own.
    pub fn call(
        &mut self,
        id: Option<&str>,
        names: &[&str],
        watched: &Watched,
        settled: &mut Outcome,
    ) {
        let known = self.take_announced(id, names);
        let pair = self.pair_of_call();
        if known.is_none() {
            self.go_on(settled);
            self.begin();
        }
        // A name that only the call's own event tells may concern more rules.
        let is_new =
            |entry: &(u32, Role)| known.as_ref().is_none_or(|known| !known.contains(entry));
        let watched: Watched = watched.iter().copied().filter(is_new).collect();
        if watched.is_empty() {
            return;
        }
        let tool = names.last().copied().unwrap_or_default();
        self.around_call(|look, stretch, out| {
            if let Some(call) = look.called(tool, &watched) {
                look.call(call, pair, stretch.slot(look.row), out);
            }
        });
    }

    /// A call of `tool` that is about to be made, live.
    pub fn prospect(&mut self, tool: &str, watched: &Watched) {
        let pair = self.pair_of_call();
        self.around_call(|look, stretch, out| {
            let slot = stretch.slot(look.row);
            match look.called(tool, watched) {
                Some(call) => look.prospect(call, pair, slot, out),
                None if look.is_limit() => look.limit(slot, out),
                None => {}
            }
        });
    }

    /// A call that is made, live: it violates nothing, or nothing that stops it. What is found was
    /// found before the call and is not to be said again.
    pub fn made(&mut self, tool: &str, watched: &Watched) {
        self.begin();
        let pair = self.pair_of_call();
        self.around_call(|look, stretch, out| {
            if let Some(call) = look.called(tool, watched) {
                look.call(call, pair, stretch.slot(look.row), out);
            }
        });
    }

    /// Calls each limit, and each rule on calls whose `when` holds for what is known around a call.
    fn around_call(&mut self, mut each: impl FnMut(&Look<'_>, &mut Stretch, &mut Outcome)) {
        // They are taken out for a moment, since the rules' slots change meanwhile.
        let (pending, last) = (self.watch.pending.take(), self.watch.last.take());
        let values = around_call(pending.as_deref(), last.as_deref(), self.watch.has_ended);
        let names = ToolNames::default();
        let around = Around { values: &values, blocks: None, names: &names, is_end_untold: false };
        let mut asked = Vec::new();
        self.each_monitor(|look, stretch, out| {
            let is_limit = look.is_limit();
            let is_asked = look.kind.is_about_calls()
                && around.hold(look.view, look.monitor.when, look.monitor.when_len);
            if is_asked {
                asked.push(look.row);
            }
            if is_limit || is_asked {
                each(look, stretch, out);
            }
        });
        asked.into_iter().for_each(|row| self.trace.ask(row));
        (self.watch.pending, self.watch.last) = (pending, last);
    }

    fn each_monitor(&mut self, mut each: impl FnMut(&Look<'_>, &mut Stretch, &mut Outcome)) {
        let view = self.image.view();
        for row in 0..self.image.monitors().len() {
            let monitor: MonitorRecord = view.row(Section::Monitors, row);
            let Some(kind) = MonitorKind::from_number(monitor.kind) else { continue };
            let exchange = self.watch.exchange;
            let look = Look { view, monitor: &monitor, kind, row, exchange };
            let stretch = if monitor.scope == Scope::Trace as u8 {
                &mut self.trace.stretch
            } else {
                &mut self.watch.stretch
            };
            each(&look, stretch, self.out);
        }
    }

    /// The pair that a call outside of any response belongs to: the one whose response came last, or
    /// the next where a request waits or the last response was final.
    fn pair_of_call(&self) -> u64 {
        let is_next = self.watch.pending.is_some() || self.watch.has_ended;
        if is_next { self.trace.pairs } else { self.trace.pairs.saturating_sub(1) }
    }

    /// What a response said of a call, by its id; without one, by its name.
    fn take_announced(&mut self, id: Option<&str>, names: &[&str]) -> Option<Watched> {
        let is_same = |announced: &Announced| match (id, announced.id.as_deref()) {
            (Some(id), Some(known)) => id == known,
            _ => names.iter().any(|name| is_tool(name, &announced.name)),
        };
        let at = self.watch.announced.iter().position(is_same)?;
        self.watch.announced.remove(at).map(|announced| announced.watched)
    }
}

/// The roots of the paths that an image asks for, with the rest of each.
fn paths<'i>(view: View<'i>, count: u32) -> impl Iterator<Item = (Root, &'i str)> {
    (0..count).map(move |row| {
        let path = view.string(view.row(Section::PairPaths, row));
        // The compiler lets no other path through; one without a root has no value.
        Root::of(path).unwrap_or((Root::Response, ""))
    })
}

/// The values at the paths of an image, of a pair whose request told what it did.
pub(super) fn values<'b>(
    image: &Image,
    response: &Body<'b>,
    requested: Option<&[Option<Box<str>>]>,
) -> Vec<Option<Cow<'b, str>>> {
    let told = |at: usize| -> Option<Cow<'b, str>> {
        requested?.get(at)?.as_ref().map(|value| Cow::Owned(value.to_string()))
    };
    let own = |name: &str| response.field(name).map(|value| Cow::Borrowed(value.get()));
    paths(image.view(), path_count(image))
        .enumerate()
        .map(|(at, (root, rest))| match root {
            Root::Request => told(at),
            Root::Model => told(at).or_else(|| own("model")),
            Root::StopReason => own("stop_reason"),
            Root::Response => response.at(rest).map(|value| Cow::Borrowed(value.get())),
        })
        .collect()
}

fn path_count(image: &Image) -> u32 {
    image.rows::<u32>(Section::PairPaths)
}

impl Watch {
    /// The values that a call outside of any response is held against.
    pub(super) fn around(&self) -> Vec<Option<Cow<'_, str>>> {
        around_call(self.pending.as_deref(), self.last.as_deref(), self.has_ended)
    }
}

/// What is known around a call: the request that waits for its response, else the last pair unless
/// that was final.
fn around_call<'w>(
    pending: Option<&'w [Option<Box<str>>]>,
    last: Option<&'w [Option<Box<str>>]>,
    has_ended: bool,
) -> Vec<Option<Cow<'w, str>>> {
    let told = pending.or(last.filter(|_| !has_ended)).unwrap_or_default();
    told.iter().map(|value| value.as_deref().map(Cow::Borrowed)).collect()
}
