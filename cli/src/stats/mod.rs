//! `behavior stats`: how often each rule speaks, and what comes of it: over recorded sessions, or over what was decided
//! live, as the audit log has it.

mod collect;
mod render;

use std::io::{BufRead, BufReader};
use std::sync::{Arc, Mutex, PoisonError};

use behavior_runtime::Layers;
use behavior_runtime::event::{Call, Event, Value};
use serde_json::Value as Json;

use crate::args::{PlainFormat, StatsArgs};
use crate::live::audit;
use crate::number::count;
use crate::render::json;
use crate::simulate::gate::Gate;
use crate::simulate::input;
use crate::simulate::progress::Progress;
use crate::simulate::report::Report;
use crate::simulate::run::{Settings, run_all};
use crate::simulate::summary::{Seen, Summary};
use crate::terminal::{Exit, Failure, Terminal};
use crate::{live, ready};
use collect::{Figures, Firing, Session};

/// Runs the command.
///
/// # Errors
/// When the rules or a trace cannot be used, or nothing can be printed.
pub fn run(args: &StatsArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let ready = ready::load(&args.rules, terminal)?;
    let mut figures = match args.traces.is_empty() {
        true => of_log(terminal)?,
        false => of_traces(args, &ready.layers)?,
    };
    figures.add_silent(ready.layers.rules().iter().map(|rule| (rule.id, rule.action.name())));
    if let Some(wanted) = &args.rule {
        figures.keep(wanted);
        if figures.rules().next().is_none() {
            return Err(Failure::Message(format!("no rule is called `{wanted}`")));
        }
    }
    terminal.print(&match args.format {
        PlainFormat::Json => json::to_text(&render::to_json(&figures))?,
        PlainFormat::Pretty => render::to_text(&figures, terminal),
    })?;
    Ok(Exit::Clean)
}

/// What rules say of recorded sessions.
fn of_traces(args: &StatsArgs, layers: &Arc<Layers>) -> Result<Figures, Failure> {
    let found = input::find(&args.traces, args.input_format)?;
    let gathered = Mutex::new(Figures::default());
    let gate = Gate::new(std::io::sink(), None);
    let progress = Progress::new(found.traces.iter().map(|trace| trace.size).sum(), true);
    let settings = Settings::default();
    let make = || -> Box<dyn Report + '_> {
        Box::new(OfFile { layers, sessions: Vec::new(), own: Figures::default(), all: &gathered })
    };
    let ran = run_all(layers, &found.traces, settings, &gate, &progress, &make);
    progress.end();
    ran?;
    Ok(gathered.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Gathers the figures of a file.
struct OfFile<'a> {
    layers: &'a Layers,
    sessions: Vec<Session>,
    own: Figures,
    all: &'a Mutex<Figures>,
}

impl Report for OfFile<'_> {
    fn event(&mut self, seen: &Seen<'_>, _out: &mut Vec<u8>) {
        while self.sessions.len() <= seen.slot {
            self.sessions.push(Session::default());
        }
        let Some(session) = self.sessions.get_mut(seen.slot) else { return };
        let call = match seen.event {
            Event::ToolCall(call) => Some(target_of(call)),
            _ => None,
        };
        let firings: Vec<Firing<'_>> = seen
            .decision
            .findings
            .iter()
            .map(|finding| Firing {
                rule: self.layers.rules().id(finding.rule),
                action: finding.action.name(),
                is_told: !finding.is_withheld && finding.granted.is_none(),
                is_granted: finding.granted.is_some(),
            })
            .collect();
        self.own.observe(session, call.as_deref(), &firings);
    }

    fn end(&mut self, _file: &str, _summary: &Summary, _out: &mut Vec<u8>) {
        self.own.end(std::mem::take(&mut self.sessions));
        let own = std::mem::take(&mut self.own);
        self.all.lock().unwrap_or_else(PoisonError::into_inner).join(own);
    }
}

/// What a call is about: its command line, its file, or what else it has.
fn target_of(call: &Call<'_>) -> String {
    let mut target = call.tool.to_string();
    for param in &call.params {
        if let Value::Text(text) = &param.value
            && behavior_image::TARGET_PARAMS.contains(&&*param.name) | (param.name == "command")
        {
            target.push('\0');
            target.push_str(text);
        }
    }
    target
}

/// What was decided on live events.
fn of_log(terminal: &Terminal) -> Result<Figures, Failure> {
    let Some(directory) = live::usual_directory(|name| std::env::var_os(name)) else {
        let message = "nothing says where the log is kept; set `BEHAVIOR_STATE_DIR` to a directory";
        return Err(Failure::Message(message.to_owned()));
    };
    let (mut figures, mut unreadable) = (Figures::default(), 0);
    let mut sessions = std::collections::BTreeMap::<String, Session>::new();
    for path in audit::files(&directory) {
        let Ok(file) = std::fs::File::open(&path) else { continue };
        for line in BufReader::new(file).split(b'\n').map_while(Result::ok) {
            let Ok(entry) = serde_json::from_slice::<Json>(&line) else {
                unreadable += u64::from(!line.trim_ascii().is_empty());
                continue;
            };
            let text = |name: &str| entry.get(name).and_then(Json::as_str);
            let session =
                sessions.entry(text("session").unwrap_or_default().to_owned()).or_default();
            let is_call = text("event") == Some("tool_call");
            let target = is_call.then(|| {
                let params = entry.get("params").map(ToString::to_string).unwrap_or_default();
                format!("{}\0{params}", text("tool").unwrap_or_default())
            });
            let rules = entry.get("rules").and_then(Json::as_array);
            let firings = rules.into_iter().flatten().filter_map(Json::as_str).map(|rule| Firing {
                rule,
                action: "",
                is_told: true,
                is_granted: false,
            });
            figures.observe(session, target.as_deref(), &firings.collect::<Vec<_>>());
        }
    }
    figures.end(sessions.into_values());
    if unreadable > 0 {
        let lines = count(unreadable, "line");
        terminal.note(&format!(
            "{lines} of the log cannot be read and were left out; `behavior log verify` tells more"
        ));
    }
    match figures.calls {
        0 => terminal.note(
            "nothing was decided live yet; name recorded sessions to see what rules say of them",
        ),
        _ => terminal.note("the log does not tell projects apart: the figures are those of all"),
    }
    Ok(figures)
}
