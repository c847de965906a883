//! `behavior log`: what was decided on live events, from the audit log; whether that is as it was written; and the
//! same for other places.

mod forward;
mod labels;
mod opened;
mod summary;
mod verifier;
mod verify;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use behavior_image::TARGET_PARAMS;
use jiff::Timestamp;
use serde_json::Value;

use crate::args::{LogArgs, LogCommand, PlainFormat};
use crate::live;
use crate::live::audit::{self, FILE};
use crate::render::one_line;
use crate::terminal::{CYAN, DIM, Exit, Failure, GREEN, RED, Terminal, YELLOW};

/// How often a log that is followed is looked at.
const PAUSE: Duration = Duration::from_millis(200);
/// Longer targets are cut.
const TARGET_SHOWN: usize = 80;

/// Runs the command.
///
/// # Errors
/// When nothing says where the log is, or it cannot be read.
pub fn run(args: &LogArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let Some(directory) = live::usual_directory(|name| std::env::var_os(name)) else {
        return Err(Failure::Message(
            "nothing says where the log is kept; set `BEHAVIOR_STATE_DIR` to a directory"
                .to_owned(),
        ));
    };
    match &args.command {
        Some(LogCommand::Verify(args)) => verify::run(args, &directory, terminal),
        Some(LogCommand::Forward(args)) => forward::run(args, &directory, terminal),
        None => match args.right.map(|number| (number, true)).or(args.wrong.map(|n| (n, false))) {
            Some(label) => keep_label(label, args, &directory, terminal),
            None if args.summary => summary::run(args, &directory, terminal),
            None => show(args, &directory, terminal),
        },
    }
}

/// Keeps what a user thinks of an event, by its number.
fn keep_label(
    (number, is_right): (u64, bool),
    args: &LogArgs,
    directory: &Path,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let mut found = None;
    for path in audit::files(directory) {
        read_from(&path, 0, &mut |line| {
            found =
                found.take().or(Entry::read(line).filter(|entry| entry.number() == Some(number)));
        })?;
    }
    let Some(entry) = found else {
        return Err(Failure::Message(format!("the log has no event with the number {number}")));
    };
    labels::keep(&entry.fields, is_right, args.rule.as_deref(), directory, terminal)
}

/// Shows the last lines.
fn show(args: &LogArgs, directory: &Path, terminal: &Terminal) -> Result<Exit, Failure> {
    let path = directory.join(FILE);
    let mut entries = VecDeque::new();
    let mut end = 0;
    for path in audit::files(directory) {
        end = read_from(&path, 0, &mut |line| {
            entries.extend(Entry::read(line).filter(|entry| entry.is_wanted(args)));
            // Only the last ones are shown, and a log is long.
            if entries.len() > args.lines {
                entries.pop_front();
            }
        })?;
    }
    for entry in &entries {
        terminal.print(&entry.shown(args, terminal))?;
    }
    if entries.is_empty() && !args.follow {
        terminal.note(&format!("nothing in `{}` yet that was asked for", path.display()));
    }
    if args.follow {
        follow(&path, end, args, terminal)?;
    }
    Ok(Exit::Clean)
}

/// Shows what is written from now on; ends with the process.
fn follow(path: &Path, mut end: u64, args: &LogArgs, terminal: &Terminal) -> Result<(), Failure> {
    loop {
        std::thread::sleep(PAUSE);
        if std::fs::metadata(path).is_ok_and(|metadata| metadata.len() < end) {
            // Another log was begun.
            end = 0;
        }
        let mut entries = Vec::new();
        end = read_from(path, end, &mut |line| entries.extend(Entry::read(line)))?;
        for entry in entries.iter().filter(|entry| entry.is_wanted(args)) {
            terminal.print(&entry.shown(args, terminal))?;
        }
    }
}

/// Hands on the whole lines of a file behind an offset; returns the offset behind them.
fn read_from(path: &Path, offset: u64, take: &mut dyn FnMut(String)) -> Result<u64, Failure> {
    let failed = |error: std::io::Error| {
        let reason = crate::project::describe(&error);
        Failure::Message(format!("cannot read `{}`: {reason}", path.display()))
    };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(offset),
        Err(error) => return Err(failed(error)),
    };
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    let mut reader = BufReader::new(file);
    let mut end = offset;
    loop {
        let mut line = Vec::new();
        let length = reader.read_until(b'\n', &mut line).map_err(failed)?;
        if length == 0 || line.last() != Some(&b'\n') {
            return Ok(end);
        }
        end += length as u64;
        take(String::from_utf8_lossy(&line).trim_end().to_owned());
    }
}

/// A line of the log.
struct Entry {
    line: String,
    fields: Value,
}

impl Entry {
    /// Reads a line; one that is no JSON is not of the log.
    fn read(line: String) -> Option<Self> {
        let fields = serde_json::from_str(&line).ok()?;
        Some(Self { line, fields })
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    /// Its number in the log.
    fn number(&self) -> Option<u64> {
        self.fields.get("chain")?.get("n")?.as_u64()
    }

    /// The rules that fired, then the policy that decided.
    fn rules(&self) -> impl Iterator<Item = &str> {
        let rules = self.fields.get("rules").and_then(Value::as_array).into_iter().flatten();
        rules.filter_map(Value::as_str).chain(self.text("policy"))
    }

    fn is_wanted(&self, args: &LogArgs) -> bool {
        let is = |wanted: &Option<String>, found: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| found == Some(wanted))
        };
        let session = self.text("session").unwrap_or_default();
        args.session.as_deref().is_none_or(|id| session.starts_with(id))
            && is(&args.agent, self.text("by").or(self.text("agent")))
            && is(&args.verdict, self.text("verdict"))
            && is(&args.tool, self.text("tool"))
            && args.rule.as_deref().is_none_or(|wanted| self.rules().any(|rule| rule == wanted))
            && (!args.failures || self.fields.get("failure").is_some())
    }

    /// One line for people: when, whose, what, and what came of it.
    fn shown(&self, args: &LogArgs, terminal: &Terminal) -> String {
        if args.format == PlainFormat::Json {
            return format!("{}\n", self.line);
        }
        let text = |name: &str| self.text(name).unwrap_or_default();
        let time = clock_time(self.fields.get("ts").and_then(Value::as_i64).unwrap_or_default());
        let session: String = one_line(text("session")).chars().take(8).collect();
        let number = self.number().map_or_else(String::new, |number| format!("#{number}"));
        let head = terminal.paint(DIM, &format!("{number:<5} {time} {session:<8}"));
        if self.fields.get("failure").is_some() {
            let failure = one_line(text("failure"));
            return format!("{head} {} {failure}\n", terminal.paint(RED, "failure"));
        }
        if self.fields.get("granted").is_some() {
            let granted = one_line(text("granted"));
            let rules = self.rules().collect::<Vec<_>>().join(", ");
            let rules = terminal.paint(YELLOW, &one_line(&rules));
            return format!("{head} {} {granted}  {rules}\n", terminal.paint(GREEN, "grant"));
        }
        if self.fields.get("changed").is_some() {
            let changed = one_line(text("changed"));
            return format!("{head} {} {changed}\n", terminal.paint(CYAN, "change"));
        }
        if let Some(model) = self.fields.get("model").filter(|model| model.is_object()) {
            return format!("{head} {} {}\n", terminal.paint(CYAN, "model"), asked(model));
        }
        let what = match text("tool") {
            "" => text("event").to_owned(),
            tool => format!("{} {}", tool, target(&self.fields)),
        };
        let verdict = match text("verdict") {
            "deny" => terminal.paint(RED, "deny "),
            "ask" => terminal.paint(YELLOW, "ask  "),
            "allow" => terminal.paint(GREEN, "allow"),
            _ => "     ".to_owned(),
        };
        let rules = match self.rules().collect::<Vec<_>>().join(", ") {
            rules if rules.is_empty() => rules,
            rules => format!("  {}", terminal.paint(YELLOW, &one_line(&rules))),
        };
        format!("{head} {verdict} {}{rules}\n", one_line(what.trim_end()))
    }
}

/// What a model was asked for, and what came of it.
fn asked(model: &Value) -> String {
    let text = |name: &str| model.get(name).and_then(Value::as_str).unwrap_or_default();
    let number = |name: &str| model.get(name).and_then(Value::as_u64);
    let took = number("took_ms").unwrap_or_default();
    let tokens = match (number("input_tokens"), number("output_tokens")) {
        (Some(asked), Some(answered)) => format!(", {asked} + {answered} tokens"),
        _ => String::new(),
    };
    let line =
        format!("{} {}: {} ({took} ms{tokens})", text("purpose"), text("brain"), text("outcome"));
    one_line(&line)
}

/// What a call is about: a command, a path.
fn target(entry: &Value) -> String {
    let params = entry.get("params");
    let param = |name: &&str| params?.get(*name)?.as_str();
    let target = ["command"].iter().chain(&TARGET_PARAMS).find_map(param).unwrap_or_default();
    let mut cut: String = target.chars().take(TARGET_SHOWN).collect();
    if cut.len() < target.len() {
        cut.push('…');
    }
    cut
}

/// The time of day, in UTC, of milliseconds since the epoch.
fn clock_time(milliseconds: i64) -> String {
    Timestamp::from_millisecond(milliseconds).unwrap_or_default().strftime("%T").to_string()
}
