//! `behavior test --from-trace`: a test made of what happened, for the rules as they are now.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

use behavior_agents::{Item, Problem, Sink, to_native};
use behavior_compiler::format::format;
use behavior_compiler::syntax::Format;
use behavior_image::code::PermissionAction;
use behavior_runtime::decision::Decision;
use behavior_runtime::event::Event;
use behavior_runtime::{Layers, Replay};

use crate::args::TestArgs;
use crate::explain::trace::{one_trace, out_of_range, read};
use crate::ready;
use crate::render::yaml::{push_text, quoted};
use crate::terminal::{Exit, Failure, Terminal};

/// Prints the test.
///
/// # Errors
/// When the rules or the recording cannot be read, or there is no such event.
pub fn run(name: &str, at: u64, args: &TestArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let ready = ready::load(&args.rules, terminal)?;
    let trace = one_trace(name, args.input_format)?;
    let mut recorder = Recorder {
        replay: Replay::with_layers(Arc::clone(&ready.layers))
            .with_host(super::host::host())
            .with_workflows(crate::workflow::for_replays()),
        at,
        index: 0,
        events: Vec::new(),
        last: None,
        layers: &ready.layers,
    };
    read(&trace, &mut recorder)?;
    let Some((session, decision)) = recorder.last else {
        return Err(Failure::Message(out_of_range(&trace.name, at, recorder.index)));
    };
    let events: Vec<&str> = recorder
        .events
        .iter()
        .filter(|event| event.is_for_all || event.session == session)
        .map(|event| event.line.as_str())
        .collect();
    let title = format!("event {at} of {}", trace.name);
    let test = test(&title, &args.rules.config, &events, &decision, &ready.layers);
    // What cannot be laid out is printed as it is: it is right all the same.
    terminal.print(&format(&test, Format::Yaml).unwrap_or(test))?;
    Ok(Exit::Clean)
}

/// An event that was read.
struct Recorded {
    session: String,
    line: String,
    /// Whether it says something of the world, which holds for every session.
    is_for_all: bool,
}

/// Keeps the events up to the one asked for.
struct Recorder<'a> {
    replay: Replay,
    at: u64,
    index: u64,
    events: Vec<Recorded>,
    last: Option<(String, Decision)>,
    layers: &'a Layers,
}

impl Sink for Recorder<'_> {
    fn item(&mut self, item: Item<'_>) {
        if self.last.is_some() {
            return;
        }
        let decision = self.replay.apply(&item.session, &item.event);
        let session = item.session.clone().into_owned();
        self.events.push(Recorded {
            line: to_native(&item),
            session: session.clone(),
            is_for_all: matches!(item.event, Event::Fs(_) | Event::Clock { .. }),
        });
        if self.index == self.at {
            self.last = Some((session, decision));
        }
        self.index += 1;
    }

    fn problem(&mut self, _problem: Problem) {}

    fn stop(&self) -> bool {
        self.last.is_some()
    }

    fn wants_exchanges(&self) -> bool {
        !self.layers.monitors().is_empty()
    }
}

/// The test as a file. An event as JSON is YAML, too.
fn test(
    title: &str,
    configs: &[String],
    events: &[&str],
    decision: &Decision,
    layers: &Layers,
) -> String {
    let mut out = String::from("tests:\n");
    let _ = writeln!(out, "  - name: {}", quoted(title));
    match configs {
        [] => {}
        configs => {
            let configs: Vec<String> = configs.iter().map(|config| quoted(config)).collect();
            let _ = writeln!(out, "    config: [{}]", configs.join(", "));
        }
    }
    out.push_str("    events:\n");
    for event in events {
        let _ = writeln!(out, "      - {event}");
    }
    let last = events.len().saturating_sub(1);
    let _ = writeln!(out, "    expect:\n      - at: {last}");
    let mut seen = HashSet::new();
    let id = |rule: u32| layers.rules().id(rule);
    let rules = decision.effective().map(|finding| id(finding.rule));
    let rules: Vec<String> = rules.filter(|rule| seen.insert(*rule)).map(quoted).collect();
    let _ = writeln!(out, "        rules: [{}]", rules.join(", "));
    if let Some(verdict) = decision.verdict {
        let _ = writeln!(out, "        verdict: {}", verdict.name());
    }
    // A policy that has no say is none that a test could expect.
    let permission = decision.permission.filter(|one| one.action != PermissionAction::None);
    if let Some(permission) = permission {
        let _ = writeln!(out, "        permission: {}", permission.action.name());
    }
    if let Some(finding) = decision.effective().find(|finding| !finding.message.is_empty()) {
        push_text(&mut out, "        ", "message", &finding.message);
    }
    if let Some(directive) = &decision.besides().directive {
        push_text(&mut out, "        ", "directive", directive);
    }
    out
}
