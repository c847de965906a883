//! What an image remembers during a session, read from its tables: sets, counters and flags, and the
//! tools that change them.

use behavior_image::code::Change;
use behavior_image::format::{Record, Section, SetRecord, Transition, TriggerGroup};
use behavior_runtime::Image;
use serde::Serialize;
use serde_json::{Map, Value};

/// What is remembered; each part by name, in the order of the program.
#[derive(Debug, Serialize)]
pub struct Tracking {
    /// Sets of targets.
    pub sets: Map<String, Value>,
    /// Numbers.
    pub counters: Map<String, Value>,
    /// Switches.
    pub flags: Map<String, Value>,
}

#[derive(Default, Serialize)]
struct Set<'i> {
    add_on: Vec<&'i str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    add_on_call: Vec<&'i str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    add_on_success: Vec<&'i str>,
    targets: Vec<&'i str>,
    window_turns: Option<u32>,
    fingerprint: bool,
}

#[derive(Default, Serialize)]
struct Counter<'i> {
    increment_on: Vec<&'i str>,
    /// When a call counts, where that is not when it has run.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<&'i str>,
    reset_on: Vec<&'i str>,
    reset_when: Vec<Reset<'i>>,
}

#[derive(Serialize)]
struct Reset<'i> {
    tool: &'i str,
    param: &'i str,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<&'i str>,
    /// Whether it depends on what a command line runs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    runs: bool,
}

#[derive(Default, Serialize)]
struct Flag<'i> {
    set_on: Vec<&'i str>,
    unset_on: Vec<&'i str>,
}

/// Reads the tables.
#[must_use]
pub fn of(image: &Image) -> Tracking {
    let view = image.view();
    let mut sets: Vec<Set<'_>> = (0u32..).zip(image.sets()).map(|(at, _)| set(image, at)).collect();
    let mut counters: Vec<Counter<'_>> = image.counters().map(|_| Counter::default()).collect();
    let mut flags: Vec<Flag<'_>> = image.flags().map(|_| Flag::default()).collect();
    for (tool, transition) in transitions(image) {
        let at = transition.target as usize;
        let Some(change) = Change::from_number(transition.change) else { continue };
        let list = match change {
            Change::Add => sets.get_mut(at).map(|set| &mut set.add_on),
            Change::AddOnCall => sets.get_mut(at).map(|set| &mut set.add_on_call),
            Change::AddOnSuccess => sets.get_mut(at).map(|set| &mut set.add_on_success),
            Change::Increment => counters.get_mut(at).map(|counter| &mut counter.increment_on),
            Change::IncrementOnCall => counters.get_mut(at).map(|counter| {
                counter.count = Some("started");
                &mut counter.increment_on
            }),
            Change::Reset => counters.get_mut(at).map(|counter| &mut counter.reset_on),
            Change::Set => flags.get_mut(at).map(|flag| &mut flag.set_on),
            Change::Unset => flags.get_mut(at).map(|flag| &mut flag.unset_on),
            Change::ResetWhen | Change::ResetWhenRuns => {
                let param = view.string(transition.param);
                let runs = change == Change::ResetWhenRuns;
                let matches = (!runs).then(|| view.pattern_source(transition.pattern));
                if let Some(counter) = counters.get_mut(at) {
                    counter.reset_when.push(Reset { tool, param, matches, runs });
                }
                None
            }
        };
        list.into_iter().for_each(|list| list.push(tool));
    }
    Tracking {
        sets: named(image.sets(), &sets),
        counters: named(image.counters(), &counters),
        flags: named(image.flags(), &flags),
    }
}

fn named<'i>(
    names: impl Iterator<Item = &'i str>,
    values: &[impl Serialize],
) -> Map<String, Value> {
    let value = |value| serde_json::to_value(value).unwrap_or_default();
    names.zip(values).map(|(name, item)| (name.to_owned(), value(item))).collect()
}

fn set(image: &Image, at: u32) -> Set<'_> {
    let view = image.view();
    let record: SetRecord = view.row(Section::Sets, at);
    Set {
        targets: view
            .list(record.targets, record.targets_len)
            .map(|name| view.string(name))
            .collect(),
        window_turns: (record.window > 0).then_some(record.window),
        fingerprint: record.fingerprint != 0,
        ..Set::default()
    }
}

/// All changes of state, each with the tool that brings it about.
fn transitions(image: &Image) -> impl Iterator<Item = (&str, Transition)> {
    let view = image.view();
    let name = Section::Triggers.name();
    let bytes = image.sections().find(|(section, _)| *section == name).map_or(0, |(_, len)| len);
    (0..(bytes / TriggerGroup::SIZE) as u32).flat_map(move |group| {
        let group: TriggerGroup = view.row(Section::Triggers, group);
        let end = group.transitions.saturating_add(group.transitions_len);
        (group.transitions..end)
            .map(move |at| (view.string(group.full), view.row(Section::Transitions, at)))
    })
}

impl Tracking {
    /// The names and what changes each, a line each, for people.
    #[must_use]
    pub fn lines(&self) -> Vec<(&'static str, &str, String)> {
        let kinds = [("set", &self.sets), ("counter", &self.counters), ("flag", &self.flags)];
        kinds
            .into_iter()
            .flat_map(|(kind, items)| items.iter().map(move |(name, value)| (kind, name, value)))
            .map(|(kind, name, value)| (kind, name.as_str(), describe(value)))
            .collect()
    }
}

fn describe(value: &Value) -> String {
    let list = |field: &str, before: &str| {
        let items = value.get(field)?.as_array()?;
        let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
        (!items.is_empty()).then(|| format!("{before} {}", items.join(", ")))
    };
    let resets = value.get("reset_when").and_then(Value::as_array).filter(|all| !all.is_empty());
    let resets = resets.map(|resets| {
        let text = |reset: &Value, field| {
            reset.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let each = resets.iter().map(|reset| {
            let runs = reset.get("runs").and_then(Value::as_bool) == Some(true);
            let does = if runs { "runs a certain command" } else { "matches a pattern" };
            format!("{} whose {} {does}", text(reset, "tool"), text(reset, "param"))
        });
        format!("reset by {}", each.collect::<Vec<_>>().join(", "))
    });
    let window = value.get("window_turns").and_then(Value::as_u64);
    let has_fingerprint = value.get("fingerprint").and_then(Value::as_bool) == Some(true);
    [
        list("add_on", "added to by"),
        list("add_on_call", "added to by calls of"),
        list("add_on_success", "added to by success of"),
        list("targets", "target"),
        list("increment_on", "counted up by"),
        list("reset_on", "reset by"),
        resets,
        list("set_on", "set by"),
        list("unset_on", "unset by"),
        window.map(|turns| format!("for {turns} turns")),
        has_fingerprint.then(|| "with fingerprints".to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join("; ")
}
