//! The sessions at any event of a recording. Replay is deterministic: to go back, a moment before is taken up again
//! and the events since are decided on once more.

use behavior_runtime::replay::Moment;
use behavior_runtime::{Decision, Layers, Replay};

use crate::recording::Recording;

/// How many moments are kept at most. Where there would be more, every other one is dropped.
const MAX_KEPT: usize = 32;
/// How many sessions may be kept in all moments together: where there are many, fewer moments are.
const MAX_KEPT_SESSIONS: usize = 64_000;
/// How many events lie between two moments at first.
const SPACING: usize = 256;

/// A replay of a recording that can be at any event.
pub struct Timeline {
    replay: Replay,
    recording: Recording,
    /// How many events were decided on.
    at: usize,
    /// Moments, by the number of events before them; the first is the beginning.
    kept: Vec<(usize, Moment)>,
    spacing: usize,
}

impl Timeline {
    /// Begins before the first event.
    pub fn new(replay: Replay, recording: Recording) -> Self {
        let kept = vec![(0, replay.moment())];
        Self { replay, recording, at: 0, kept, spacing: SPACING }
    }

    /// Returns the recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Returns how many events were decided on: the number of the next event.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the sessions as they are now.
    pub fn replay(&mut self) -> &mut Replay {
        &mut self.replay
    }

    /// Decides on the next event; `None` behind the last.
    pub fn step(&mut self) -> Option<Decision> {
        let recorded = self.recording.events.get(self.at)?;
        let decision = self.replay.apply(self.recording.session_of(recorded), &recorded.event);
        self.at += 1;
        self.keep();
        Some(decision)
    }

    /// Goes to where so many events have been decided on.
    pub fn seek(&mut self, at: usize) {
        let (from, moment) = match self.kept.iter().rev().find(|(kept, _)| *kept <= at) {
            Some((kept, moment)) if *kept > self.at || self.at > at => (*kept, Some(moment)),
            _ => (self.at, None),
        };
        if let Some(moment) = moment {
            self.replay.go_to(moment.clone());
            self.at = from;
        }
        while self.at < at && self.step().is_some() {}
    }

    /// Returns the last moment before an event, by the number of events before it: from there, what lies between is
    /// found out in one go.
    pub fn before(&self, at: usize) -> usize {
        self.kept.iter().rev().map(|(kept, _)| *kept).find(|kept| *kept < at).unwrap_or(0)
    }

    /// Asks the sessions something.
    pub fn with<T>(&mut self, ask: impl FnOnce(&mut Replay, &Recording) -> T) -> T {
        ask(&mut self.replay, &self.recording)
    }

    /// Does something to the sessions that leaves no trace.
    pub fn aside<T>(&mut self, act: impl FnOnce(&mut Replay, &Recording) -> T) -> T {
        let moment = self.replay.moment();
        let done = act(&mut self.replay, &self.recording);
        self.replay.go_to(moment);
        done
    }

    fn keep(&mut self) {
        let is_new = self.kept.last().is_none_or(|(last, _)| *last < self.at);
        if !is_new || !self.at.is_multiple_of(self.spacing) {
            return;
        }
        self.kept.push((self.at, self.replay.moment()));
        let sessions = self.recording.sessions.len().max(1);
        let most = (MAX_KEPT_SESSIONS / sessions).clamp(2, MAX_KEPT);
        while self.kept.len() > most {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.kept.retain(|(at, _)| at.is_multiple_of(spacing));
        }
    }
}

/// Returns whether rules look at requests and responses.
pub fn wants_exchanges(layers: &Layers) -> bool {
    !layers.monitors().is_empty()
}
