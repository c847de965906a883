//! `behavior inspect`: what compiled rules consist of.

use std::fmt::Write;
use std::sync::Arc;

use behavior_image::code::{ApprovalMode, Repeat, VerifierMode};
use behavior_image::format::{FORMAT_VERSION, LANGUAGE_VERSION};
use behavior_image::{ExceptionInfo, MonitorInfo, VerifierConfig};
use behavior_runtime::classifier::{ClassifierTable, Frequency};
use behavior_runtime::{Image, Layer, Layers};
use serde_json::{Map, Value, json};

use crate::args::{InspectArgs, PlainFormat};
use crate::compile::with_entry;
use crate::number::day;
use crate::render::{json, one_line, shorten_texts, table};
use crate::report::counted;
use crate::screen::{Screen, clip};
use crate::terminal::{BOLD, DIM, Exit, Failure, RED, Terminal, YELLOW};
use crate::{permissions, ready, tracking, workflow, written};

/// Runs the command.
///
/// # Errors
/// When the rules cannot be read or have errors.
pub fn run(args: &InspectArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let rules = with_entry(&args.rules, args.entry.as_deref());
    let ready = ready::load(&rules, terminal)?;
    ready.warn(terminal);
    let (layers, mode) = (&ready.layers, args.mode.mode);
    terminal.print(&match args.format {
        PlainFormat::Json => json::to_text(&all_as_json(layers, mode))?,
        PlainFormat::Pretty => all_as_text(layers, mode, terminal),
    })?;
    Ok(Exit::Clean)
}

/// The least trusted layer, with those above it under `layers`.
fn all_as_json(layers: &Layers, mode: Option<ApprovalMode>) -> Value {
    let part = |(layer, image): (Layer, &Arc<Image>)| {
        let mut value = as_json(image, mode);
        if let Value::Object(map) = &mut value {
            map.insert("workflows".to_owned(), json!(workflow::in_image(image, layer)));
            map.insert("layer".to_owned(), layer.name().into());
        }
        value
    };
    let mut parts: Vec<Value> = layers.iter().map(part).collect();
    let mut own = parts.pop().unwrap_or_default();
    if let (Value::Object(map), false) = (&mut own, parts.is_empty()) {
        map.insert("layers".to_owned(), parts.into());
    }
    own
}

fn all_as_text(layers: &Layers, mode: Option<ApprovalMode>, terminal: &Terminal) -> String {
    let mut out = String::new();
    for (layer, image) in layers.iter() {
        if layers.are_several() {
            let gap = if out.is_empty() { "" } else { "\n" };
            let heading =
                terminal.paint(BOLD, &format!("rules of the {}", layer.name())).to_string();
            out.push_str(&format!("{gap}{heading}\n\n"));
        }
        out.push_str(&as_text(image, mode, terminal));
    }
    out
}

/// The columns that a step of a condition takes at most: patterns may be long, and JSON has them
/// whole.
const MAX_STEP: usize = 110;

/// The numbers and infos of the rules in force.
fn rules(image: &Image) -> impl Iterator<Item = (u32, behavior_image::RuleInfo<'_>)> {
    let of_traces = image.monitors().len();
    (0..image.rules().len() - of_traces)
        .filter_map(|number| Some((number, image.rules().get(number)?)))
}

/// The rules of trace policies, with the slot that each remembers in.
fn monitors(image: &Image) -> Vec<Value> {
    let monitor = |(slot, monitor): (usize, MonitorInfo<'_>)| {
        let place = monitor.place;
        json!({
            "id": monitor.id,
            "kind": monitor.kind.name(),
            "severity": monitor.action.severity(),
            "scope": monitor.scope.name(),
            "parameters": monitor.parameters,
            "when": monitor.when,
            "slot": slot,
            "span": { "file": place.file, "line": place.line, "column": place.column },
        })
    };
    image.monitors().iter().enumerate().map(monitor).collect()
}

fn exception(image: &Image, exception: &ExceptionInfo<'_>) -> Value {
    let place = exception.place;
    json!({
        "rule": image.rules().id(exception.rule),
        "when": exception.condition,
        "reason": exception.reason,
        "until": exception.until.map(day),
        "span": { "file": place.file, "line": place.line, "column": place.column },
    })
}

fn write_exceptions(image: &Image, terminal: &Terminal, out: &mut String) {
    for (index, exception) in image.rules().exceptions().enumerate() {
        if index == 0 {
            let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "exceptions"));
        }
        let until = exception.until.map(|second| format!(", until {}", day(second)));
        let reason = if exception.reason.is_empty() { "no reason given" } else { exception.reason };
        let id = one_line(image.rules().id(exception.rule));
        let _ = writeln!(
            out,
            "  {} {}{}",
            terminal.paint(YELLOW, &id),
            one_line(reason),
            until.unwrap_or_default()
        );
        let condition = shortened(exception.condition, terminal.verbose);
        let _ = writeln!(out, "      {}", terminal.paint(DIM, &format!("when {condition}")));
    }
}

/// How often the agent is told, as it is written.
fn repeat(rule: &behavior_image::RuleInfo<'_>) -> Value {
    match rule.repeat {
        Repeat::Calls => json!({ "calls": rule.repeat_calls }),
        other => json!(other.name()),
    }
}

fn as_json(image: &Image, mode: Option<ApprovalMode>) -> Value {
    let rule = |(number, rule): (u32, behavior_image::RuleInfo<'_>)| {
        json!({
            "id": rule.id,
            "phase": rule.phase.name(),
            "action": rule.action.name(),
            "origin": rule.origin.name(),
            "description": rule.description,
            "trigger": rule.trigger,
            "repeat": repeat(&rule),
            "in_subagent": rule.in_subagent,
            "needs": image.rules().needs(number).collect::<Vec<_>>(),
            "condition": rule.condition,
            "span": {
                "file": rule.place.file, "line": rule.place.line, "column": rule.place.column,
            },
            "worst_case_steps": image.rules().worst_case_steps(number),
            "disassembly": image.rules().disassemble(number),
        })
    };
    let thresholds: Map<String, Value> =
        image.thresholds().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let sections: Map<String, Value> =
        image.sections().map(|(name, bytes)| (name.to_owned(), bytes.into())).collect();
    json!({
        "version": 1,
        "profile": image.profile(),
        "entry": image.entry(),
        "producer": image.producer(),
        "rules": rules(image).map(rule).collect::<Vec<_>>(),
        "thresholds": thresholds,
        "state": tracking::of(image),
        "classifier": image.classifier().map(|classifier| json!({
            "runs": classifier.enabled,
            "frequency": frequency_name(classifier.frequency),
            "frequency_n": classifier.frequency_n,
        })),
        "verifier": image.verifier().map(|verifier| json!({
            "enabled": verifier.mode.name(),
            "window_turns": verifier.window_turns,
            "max_rounds": verifier.max_rounds,
            "headless": verifier.headless,
            "has_brain": verifier.has_brain,
        })),
        "turn_reminder": image.turn_reminder(),
        "exceptions": image.rules().exceptions().map(|one| exception(image, &one)).collect::<Vec<_>>(),
        "on_error": image.on_error().map(behavior_runtime::Verdict::name),
        "approval_mode": image.policy().is_in_force().then(|| permissions::mode_of(image, mode).name()),
        "permissions": permissions::as_json(image),
        "monitors": monitors(image),
        "image": {
            "format": FORMAT_VERSION,
            "language": LANGUAGE_VERSION,
            "bytes": image.as_bytes().len(),
            "sections": sections,
            "identity": identity(image),
        },
        "prompt": image.prompt(),
    })
}

fn identity(image: &Image) -> String {
    format!("{:016x}", image.identity())
}

fn frequency_name(frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::EveryTurn => "every_turn",
        Frequency::FirstTurn => "first_turn",
        Frequency::EveryNTurns => "every_n_turns",
        Frequency::OnNewMessage => "on_new_message",
    }
}

fn as_text(image: &Image, mode: Option<ApprovalMode>, terminal: &Terminal) -> String {
    let mut out = String::new();
    if !terminal.quiet {
        let profile = image.profile().map_or("none".to_owned(), one_line);
        let _ = writeln!(out, "{} {profile}", terminal.paint(BOLD, "profile"));
        if let Some(entry) = image.entry() {
            let _ = writeln!(out, "{} {}", terminal.paint(BOLD, "compiled from"), one_line(entry));
        }
        write_rules(image, terminal, &mut out);
        write_exceptions(image, terminal, &mut out);
        write_monitors(image, terminal, &mut out);
        write_workflows(image, terminal, &mut out);
        permissions::write(image, mode, terminal, &mut out);
        write_numbers(image, terminal, &mut out);
        write_sizes(image, terminal, &mut out);
    }
    let worst: u64 =
        (0..image.rules().len()).map(|rule| u64::from(image.rules().worst_case_steps(rule))).sum();
    let _ = writeln!(
        out,
        "{}: at worst {} for all of them together, {}, identity {}",
        counted(image.rules().len() as usize, "rule"),
        counted(worst as usize, "step"),
        counted(image.as_bytes().len(), "byte"),
        identity(image)
    );
    if !terminal.quiet && !terminal.verbose {
        out.push_str("-v shows the rules as they are written, and what they were compiled to\n");
    }
    out
}

fn write_workflows(image: &Image, terminal: &Terminal, out: &mut String) {
    for (number, one) in workflow::in_image(image, Layer::Project).iter().enumerate() {
        if number == 0 {
            let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "workflows"));
        }
        let steps = counted(one.steps, "step");
        let runs = workflow::runs_of(one.worst_case_step_runs);
        let _ = writeln!(out, "  {}  {steps}, {runs}", one_line(one.name));
    }
}

fn write_rules(image: &Image, terminal: &Terminal, out: &mut String) {
    let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "rules"));
    if image.rules().is_empty() {
        out.push_str("  none are in force\n");
        return;
    }
    let row = |(_, rule): (u32, behavior_image::RuleInfo<'_>)| {
        vec![
            one_line(rule.id),
            rule.phase.name().to_owned(),
            rule.action.name().to_owned(),
            rule.origin.name().to_owned(),
            one_line(rule.trigger),
        ]
    };
    let room = Screen::of_stdout(terminal).width;
    let rows: Vec<Vec<String>> = rules(image).map(row).collect();
    let lines = table::render_within(&rows, 4, room.saturating_sub(2));
    for ((number, rule), line) in rules(image).zip(lines) {
        let style = match rule.action.severity() {
            "error" => RED,
            "warning" => YELLOW,
            _ => BOLD,
        };
        let id = one_line(rule.id);
        let rest = line.strip_prefix(&id).unwrap_or_default();
        let _ = writeln!(out, "  {}{rest}", terminal.paint(style, &id));
        let steps = counted(image.rules().worst_case_steps(number) as usize, "step");
        let (file, place) = (one_line(rule.place.file), rule.place);
        let place = format!("{file}:{}:{} · {steps}", place.line, place.column);
        let _ = writeln!(out, "      {}", terminal.paint(DIM, &place));
        let written = if terminal.verbose { written::rule(&rule) } else { None };
        if let Some(written) = &written {
            for line in written.lines() {
                let _ = writeln!(out, "      {}", terminal.paint(DIM, &one_line(line)));
            }
        } else if !rule.condition.is_empty() {
            let condition = shortened(rule.condition, terminal.verbose);
            let condition = match terminal.verbose {
                true => condition,
                false => clip(&condition, room.saturating_sub(6)),
            };
            let _ = writeln!(out, "      {}", terminal.paint(DIM, &condition));
        }
        if terminal.verbose {
            for step in image.rules().disassemble(number) {
                let _ = writeln!(out, "      {}", clip(&step, MAX_STEP));
            }
        }
    }
}

fn write_monitors(image: &Image, terminal: &Terminal, out: &mut String) {
    if image.monitors().is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "trace rules"));
    let row = |monitor: MonitorInfo<'_>| {
        let place = monitor.place;
        vec![
            one_line(monitor.id),
            monitor.kind.name().to_owned(),
            monitor.action.severity().to_owned(),
            monitor.scope.name().to_owned(),
            clip(&one_line(&monitor.parameters), 60),
            format!("{}:{}:{}", one_line(place.file), place.line, place.column),
        ]
    };
    let rows: Vec<Vec<String>> = image.monitors().iter().map(row).collect();
    for (monitor, line) in image.monitors().iter().zip(table::render(&rows)) {
        let _ = writeln!(out, "  {line}");
        if !monitor.when.is_empty() {
            let when = format!("when {}", one_line(&monitor.when.join(" and ")));
            let _ = writeln!(out, "      {}", terminal.paint(DIM, &when));
        }
    }
}

/// A condition on one line, its long texts cut; cut itself where it is long, unless more is wanted.
fn shortened(condition: &str, is_whole: bool) -> String {
    const MAX_LENGTH: usize = 100;
    let line = one_line(&shorten_texts(condition));
    match line.char_indices().nth(MAX_LENGTH) {
        Some((cut, _)) if !is_whole => format!("{}…", line.get(..cut).unwrap_or_default()),
        _ => line,
    }
}

fn write_numbers(image: &Image, terminal: &Terminal, out: &mut String) {
    let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "thresholds"));
    let rows: Vec<Vec<String>> =
        image.thresholds().map(|(name, value)| vec![one_line(name), value.to_string()]).collect();
    push_lines(out, &rows);
    let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "state"));
    let tracking = tracking::of(image);
    let rows: Vec<Vec<String>> = tracking
        .lines()
        .into_iter()
        .map(|(kind, name, what)| vec![kind.to_owned(), one_line(name), one_line(&what)])
        .collect();
    push_lines(out, &rows);
    let classifier = image.classifier().map_or("off".to_owned(), describe_classifier);
    let _ = writeln!(out, "\n{} {classifier}", terminal.paint(BOLD, "classifier"));
    if let Some(verifier) = image.verifier() {
        let heading = terminal.paint(BOLD, "verifier");
        let _ = writeln!(out, "{heading} {}", describe_verifier(&verifier));
    }
    if let Some(document) = image.turn_reminder() {
        let heading = terminal.paint(BOLD, "reminder of every turn");
        let _ = writeln!(out, "{heading} {}", one_line(document));
    }
    if let Some(answer) = image.on_error() {
        let _ = writeln!(out, "{} {}", terminal.paint(BOLD, "on errors"), answer.name());
    }
}

fn describe_classifier(classifier: &ClassifierTable) -> String {
    let frequency = match classifier.frequency {
        Frequency::EveryTurn => "on every turn".to_owned(),
        Frequency::FirstTurn => "on the first turn".to_owned(),
        Frequency::EveryNTurns => format!("every {} turns", classifier.frequency_n),
        Frequency::OnNewMessage => "on every new message of the user".to_owned(),
    };
    if classifier.enabled { format!("runs {frequency}") } else { "off".to_owned() }
}

fn describe_verifier(verifier: &VerifierConfig<'_>) -> String {
    let runs = match verifier.mode {
        VerifierMode::Absent | VerifierMode::Off => return "off".to_owned(),
        VerifierMode::Auto => "looks at answers where there is a model to ask",
        VerifierMode::On => "looks at every answer",
    };
    let turns = counted(verifier.window_turns as usize, "turn");
    let brain = if verifier.has_brain { "" } else { "; this config names no model" };
    format!("{runs}; what was looked at counts for {turns}{brain}")
}

fn write_sizes(image: &Image, terminal: &Terminal, out: &mut String) {
    let _ = writeln!(out, "\n{}", terminal.paint(BOLD, "sizes"));
    let rows: Vec<Vec<String>> = image
        .sections()
        .filter(|(_, bytes)| *bytes > 0)
        .map(|(name, bytes)| vec![name.to_owned(), counted(bytes, "byte")])
        .collect();
    push_lines(out, &rows);
    out.push('\n');
}

fn push_lines(out: &mut String, rows: &[Vec<String>]) {
    for line in table::render(rows) {
        let _ = writeln!(out, "  {line}");
    }
}
