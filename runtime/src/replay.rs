//! Many sessions of one trace, side by side: each has its own state, facts about files and the
//! time hold for all.

use std::collections::HashMap;
use std::sync::Arc;

use crate::decision::Decision;
use crate::event::Event;
use crate::explain::Explanation;
use crate::host::FactHost;
use crate::image::Image;
use crate::session::Session;

/// The sessions of a trace under one image.
#[derive(Debug)]
pub struct Replay {
    image: Arc<Image>,
    sessions: HashMap<Box<str>, usize, foldhash::fast::RandomState>,
    states: Vec<Option<Session>>,
    last: Option<(Box<str>, usize)>,
    host: FactHost,
}

impl Replay {
    /// No session yet.
    #[must_use]
    pub fn new(image: Arc<Image>) -> Self {
        Self {
            image,
            sessions: HashMap::default(),
            states: Vec::new(),
            last: None,
            host: FactHost::default(),
        }
    }

    /// Decides on one event of the session called `session`. A session's state is freed when it
    /// ends; another event of that name starts it anew.
    pub fn apply(&mut self, session: &str, event: &Event<'_>) -> Decision {
        let slot = self.slot(session);
        self.learn(slot, event);
        let Self { states, host, image, .. } = self;
        let Some(state) = states.get_mut(slot) else { return Decision::default() };
        let decision =
            state.get_or_insert_with(|| Session::new(Arc::clone(image))).apply(event, host);
        if matches!(event, Event::SessionEnd) {
            *state = None;
        }
        decision
    }

    /// How the event would be decided. Nothing changes.
    pub fn explain(&mut self, session: &str, event: &Event<'_>) -> Explanation {
        let slot = self.slot(session);
        let Self { states, host, image, .. } = self;
        let fresh = || Session::new(Arc::clone(image));
        let state = states.get(slot).and_then(Option::as_ref).cloned().unwrap_or_else(fresh);
        state.explain(event, host)
    }

    /// A session that has begun and not ended.
    #[must_use]
    pub fn session(&self, session: &str) -> Option<&Session> {
        let slot = *self.sessions.get(session)?;
        self.states.get(slot)?.as_ref()
    }

    fn slot(&mut self, session: &str) -> usize {
        if let Some((name, slot)) = &self.last
            && **name == *session
        {
            return *slot;
        }
        let next = self.states.len();
        let slot = *self.sessions.entry(session.into()).or_insert(next);
        if slot == next {
            self.states.push(None);
        }
        self.last = Some((session.into(), slot));
        slot
    }

    fn learn(&mut self, slot: usize, event: &Event<'_>) {
        match event {
            Event::Fs(fact) => {
                let cwd = self.states.get(slot).and_then(Option::as_ref).and_then(Session::cwd);
                self.host.learn(fact, cwd);
            }
            Event::Clock { now } => self.host.set_clock(*now),
            _ => {}
        }
    }
}
