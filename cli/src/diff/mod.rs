//! `behavior diff`: two recordings under one set of rules, or recordings under two sets of rules.
//! Here: arguments in, exit codes out. What was found is gathered in `gather`, held against each
//! other in `compare`, and printed in `render`; `rules` does the second kind.

mod compare;
pub mod decided;
mod gather;
mod json;
mod render;
mod rules;

use std::io::IsTerminal;
use std::sync::Arc;

use behavior_agents::Format;
use behavior_runtime::Layers;

use crate::args::{DiffArgs, FailOn};
use crate::ready;
use crate::simulate::input::{self, Trace};
use crate::simulate::never_asked;
use crate::simulate::progress::Progress;
use crate::simulate::run::Settings;
use crate::terminal::{Exit, Failure, Terminal};
use compare::Comparison;
use gather::{Side, gather};

/// Runs the command.
///
/// # Errors
/// When the rules or a trace cannot be used, or nothing can be printed.
pub fn run(args: &DiffArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if let [old, new] = args.rules.as_slice() {
        return rules::run(args, old, new, terminal);
    }
    let [baseline, candidate] = args.traces.as_slice() else {
        let message = "expected two traces, BASELINE and CANDIDATE; to compare two sets of rules on \
                       any number of traces, name them with `--rules OLD NEW`";
        return Err(Failure::Message(message.to_owned()));
    };
    let ready = ready::load(&args.config, terminal)?;
    ready::point_at_warnings(&ready, &args.config, terminal);
    let layers = ready.layers;
    if layers.rules().is_empty() && !layers.policy().is_in_force() {
        terminal.note(crate::simulate::summary::NO_RULES);
    }
    let baseline = side(baseline, args, &layers, terminal)?;
    let candidate = side(candidate, args, &layers, terminal)?;
    let comparison = Comparison::of(&layers, &baseline, &candidate);
    let text =
        render::render(&layers, [&baseline, &candidate], &comparison, args.format, terminal)?;
    terminal.print(&text)?;
    for (name, side) in [("the baseline", &baseline), ("the candidate", &candidate)] {
        render::say_not_understood(name, &side.summary, args.format, terminal);
        let unasked = side.summary.unasked(&layers);
        if terminal.verbose && !unasked.is_empty() {
            let unasked = never_asked(&unasked);
            terminal.note(&format!("{unasked}: no pair or call of {name} met them"));
        }
    }
    Ok(exit_code(args.fail_on, &comparison, &[&baseline, &candidate]))
}

/// A line that was not understood, a recording without events and a session that is missing may hide
/// any finding, so they never pass where findings are to fail.
fn exit_code(limit: FailOn, comparison: &Comparison, sides: &[&Side]) -> Exit {
    let is_read = |side: &&Side| side.summary.problems == 0 && side.summary.hollow.is_empty();
    let is_understood = sides.iter().all(is_read);
    let is_whole = is_understood && comparison.missing.sessions == 0;
    let is_bad = comparison.worst() >= limit || !is_whole;
    if limit != FailOn::None && is_bad { Exit::Findings } else { Exit::Clean }
}

/// One side: what is found in a trace, or in all traces of a directory.
fn side(
    name: &str,
    args: &DiffArgs,
    layers: &Arc<Layers>,
    terminal: &Terminal,
) -> Result<Side, Failure> {
    let traces = traces(std::slice::from_ref(&name.to_owned()), args.input_format)?;
    let progress = progress(&traces, terminal);
    let settings = Settings { strict: args.strict, mode: args.mode.mode, ..Settings::default() };
    let side = gather(name, layers, &traces, settings, &progress);
    progress.end();
    Ok(side?)
}

fn traces(names: &[String], format: Option<Format>) -> Result<Vec<Trace>, Failure> {
    Ok(input::find(names, format)?.traces)
}

fn progress(traces: &[Trace], terminal: &Terminal) -> Progress {
    let size = traces.iter().map(|trace| trace.size).sum();
    Progress::new(size, terminal.quiet || !std::io::stdout().is_terminal())
}
