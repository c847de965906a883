//! The state of a session as JSON.

use behavior_runtime::LayeredSession;
use behavior_runtime::report::StateReport;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::fields::Fields;

/// A session's state.
#[derive(Serialize)]
pub struct StateOutput<'a> {
    turn: u32,
    calls_this_turn: u32,
    total_calls: u64,
    streak: Streak<'a>,
    violations: u64,
    last_violation: Option<&'a str>,
    sets: Fields<'a, &'a [&'a str]>,
    counters: Fields<'a, i64>,
    flags: Fields<'a, bool>,
    recent: Vec<RecentCall<'a>>,
}

#[derive(Serialize)]
struct Streak<'a> {
    tool: Option<&'a str>,
    length: u32,
}

#[derive(Serialize)]
struct RecentCall<'a> {
    tool: &'a str,
    target: &'a str,
}

impl<'a> StateOutput<'a> {
    /// Tells what `report` tells.
    #[must_use]
    pub fn new(report: &'a StateReport<'a>) -> Self {
        let (tool, length) = report.streak.unzip();
        let recent = report.recent.iter();
        Self {
            turn: report.turn,
            calls_this_turn: report.calls_this_turn,
            total_calls: report.total_calls,
            streak: Streak { tool, length: length.unwrap_or(0) },
            violations: report.violations,
            last_violation: report.last_violation,
            sets: Fields(report.sets.iter().map(|(name, set)| (*name, &**set)).collect()),
            counters: Fields(report.counters.clone()),
            flags: Fields(report.flags.clone()),
            recent: recent.map(|&(tool, target)| RecentCall { tool, target }).collect(),
        }
    }
}

/// The state of the least trusted layer, with those of the others.
#[derive(Serialize)]
struct LayeredState<'a> {
    #[serde(flatten)]
    own: StateOutput<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layers: Vec<LayerState<'a>>,
}

#[derive(Serialize)]
struct LayerState<'a> {
    layer: &'static str,
    #[serde(flatten)]
    state: StateOutput<'a>,
}

/// Tells what each layer knows of a session: the least trusted one at the top, the others under `layers`.
///
/// # Errors
/// None: plain data is always written.
pub fn of_layers(session: &LayeredSession) -> serde_json::Result<Box<RawValue>> {
    let own = session.own().report();
    if !session.layers().are_several() {
        return to_raw_value(&StateOutput::new(&own));
    }
    let mut above: Vec<_> =
        session.sessions().map(|(layer, session)| (layer, session.report())).collect();
    above.pop();
    let layers = above
        .iter()
        .map(|(layer, report)| LayerState { layer: layer.name(), state: StateOutput::new(report) });
    let layers = layers.collect();
    to_raw_value(&LayeredState { own: StateOutput::new(&own), layers })
}
