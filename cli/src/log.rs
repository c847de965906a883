//! `behavior log`: what was decided on live events, from the audit log.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use behavior_runtime::TARGET_PARAMS;
use serde_json::Value;

use crate::args::{LogArgs, PlainFormat};
use crate::live;
use crate::live::audit::{BEFORE, FILE};
use crate::render::one_line;
use crate::terminal::{DIM, Exit, Failure, GREEN, RED, Terminal, YELLOW};

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
    let path = directory.join(FILE);
    let mut lines = Vec::new();
    let mut end = 0;
    for path in [directory.join(BEFORE), path.clone()] {
        end = read_from(&path, 0, &mut lines)?;
        // Only the last ones are shown, and a log is long.
        let shown: Vec<String> = lines.drain(..).filter(|line| is_wanted(line, args)).collect();
        let first = shown.len().saturating_sub(args.lines);
        lines = shown.into_iter().skip(first).collect();
    }
    let first = lines.len().saturating_sub(args.lines);
    for line in lines.iter().skip(first) {
        terminal.print(&shown(line, args, terminal))?;
    }
    if lines.is_empty() && !args.follow {
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
        let mut lines = Vec::new();
        end = read_from(path, end, &mut lines)?;
        for line in lines.iter().filter(|line| is_wanted(line, args)) {
            terminal.print(&shown(line, args, terminal))?;
        }
    }
}

/// Reads the whole lines of a file behind an offset; answers with the offset behind them.
fn read_from(path: &Path, offset: u64, lines: &mut Vec<String>) -> Result<u64, Failure> {
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
        lines.push(String::from_utf8_lossy(&line).trim_end().to_owned());
    }
}

fn is_wanted(line: &str, args: &LogArgs) -> bool {
    let Ok(entry) = serde_json::from_str::<Value>(line) else { return false };
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let is = |wanted: &Option<String>, name: &str| {
        wanted.as_deref().is_none_or(|wanted| text(name) == Some(wanted))
    };
    let rules = entry.get("rules").and_then(Value::as_array);
    let fired = |wanted: &str| {
        let named = rules.into_iter().flatten().any(|rule| rule.as_str() == Some(wanted));
        named || text("policy") == Some(wanted)
    };
    let by = text("by").or(text("agent"));
    args.session.as_deref().is_none_or(|id| text("session").is_some_and(|s| s.starts_with(id)))
        && args.agent.as_deref().is_none_or(|agent| by == Some(agent))
        && is(&args.verdict, "verdict")
        && is(&args.tool, "tool")
        && args.rule.as_deref().is_none_or(fired)
        && (!args.failures || entry.get("failure").is_some())
}

/// One line for people: when, whose, what, and what came of it.
fn shown(line: &str, args: &LogArgs, terminal: &Terminal) -> String {
    if args.format == PlainFormat::Json {
        return format!("{line}\n");
    }
    let Ok(entry) = serde_json::from_str::<Value>(line) else { return String::new() };
    let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
    let time = clock_time(entry.get("ts").and_then(Value::as_i64).unwrap_or_default());
    let session: String = one_line(text("session")).chars().take(8).collect();
    let head = terminal.paint(DIM, &format!("{time} {session:<8}"));
    if entry.get("failure").is_some() {
        let failure = one_line(text("failure"));
        return format!("{head} {} {failure}\n", terminal.paint(RED, "failure"));
    }
    let what = match text("tool") {
        "" => text("event").to_owned(),
        tool => format!("{} {}", tool, target(&entry)),
    };
    let rules: Vec<&str> = entry
        .get("rules")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .chain(entry.get("policy").and_then(Value::as_str))
        .collect();
    let verdict = match text("verdict") {
        "deny" => terminal.paint(RED, "deny "),
        "ask" => terminal.paint(YELLOW, "ask  "),
        "allow" => terminal.paint(GREEN, "allow"),
        _ => "     ".to_owned(),
    };
    let rules = match rules.join(", ") {
        rules if rules.is_empty() => rules,
        rules => format!("  {}", terminal.paint(YELLOW, &one_line(&rules))),
    };
    format!("{head} {verdict} {}{rules}\n", one_line(what.trim_end()))
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
    let seconds = milliseconds.div_euclid(1000).rem_euclid(24 * 60 * 60);
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
