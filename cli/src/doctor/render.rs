//! A diagnosis as a table for people, and as JSON.

use anstyle::Style;
use behavior_agents::install::Command;
use serde_json::{Value, json};

use super::diagnosis::Diagnosis;
use super::finding::{Finding, Level};
use super::installed::Installed;
use super::live::{Seen, left_out};
use crate::project;
use crate::report::counted;
use crate::screen::{Screen, plain, width, wrap};
use crate::terminal::{BOLD, DIM, GREEN, PLAIN, RED, Terminal, YELLOW};

/// So many failures are shown, the last ones.
const FAILURES_SHOWN: usize = 5;

/// For people.
pub fn pretty(diagnosis: &Diagnosis, terminal: &Terminal) -> String {
    let screen = Screen::of_stdout(terminal);
    let mut out = String::new();
    if !terminal.quiet {
        table(diagnosis, &screen, &mut out);
        remarks(diagnosis, &screen, &mut out);
        failures(diagnosis, &screen, &mut out);
    }
    let (errors, warnings) = (diagnosis.count(Level::Error), diagnosis.count(Level::Warning));
    let (paint, text) = match diagnosis.worst() {
        Level::Good => (GREEN, "everything works".to_owned()),
        Level::Warning => (YELLOW, format!("works, with {}", counted(warnings, "warning"))),
        Level::Error => {
            let also = if warnings > 0 {
                format!(", {}", counted(warnings, "warning"))
            } else {
                String::new()
            };
            (RED, format!("{}{also}", counted(errors, "error")))
        }
    };
    screen.paint(&mut out, paint, &text);
    out.push('\n');
    out
}

/// One line for each hook.
fn table(diagnosis: &Diagnosis, screen: &Screen, out: &mut String) {
    if diagnosis.installed.is_empty() {
        return;
    }
    let heading = ["agent", "where", "called", "fires", "blocks", "fails closed", "median"];
    let plain_cell = |text: String| (PLAIN, text);
    let mut rows = vec![heading.map(|name| (DIM, name.to_owned())).to_vec()];
    for installed in &diagnosis.installed {
        let trial = installed.trial.as_ref();
        let cell = |finding: Option<&Finding>| match finding {
            Some(finding) => (paint(finding.level), finding.word.to_owned()),
            None => (RED, "no".to_owned()),
        };
        let median = trial.and_then(|trial| trial.median);
        let median = median.map(|took| format!("{:.1} ms", took.as_secs_f64() * 1000.0));
        rows.push(vec![
            (BOLD, installed.agent.name().to_owned()),
            plain_cell(plain(&installed.file).into_owned()),
            cell(Some(&installed.called)),
            cell(trial.map(|trial| &trial.fires)),
            cell(trial.map(|trial| &trial.blocks)),
            cell(trial.map(|trial| &trial.fails_closed)),
            plain_cell(median.unwrap_or_default()),
        ]);
    }
    let columns = (0..heading.len()).map(|column| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|(_, text)| width(text)).max().unwrap_or(0)
    });
    let columns: Vec<usize> = columns.collect();
    for row in &rows {
        let mut line = String::new();
        for ((paint, text), columns) in row.iter().zip(&columns) {
            screen.cell(&mut line, *paint, text, *columns);
            line.push_str("  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push('\n');
}

/// What there is to say besides the table.
fn remarks(diagnosis: &Diagnosis, screen: &Screen, out: &mut String) {
    for installed in &diagnosis.installed {
        for finding in &installed.hindrances {
            remark(&format!("{} (called)", installed.agent.name()), finding, screen, out);
        }
        for (name, finding) in installed.findings() {
            if !finding.message.is_empty() {
                let about = format!("{} ({})", installed.agent.name(), name.replace('_', " "));
                remark(&about, finding, screen, out);
            }
        }
    }
    for check in &diagnosis.checks {
        remark(check.name, &check.finding, screen, out);
    }
    for seen in &diagnosis.live {
        let version = seen.program.as_ref().map_or("", |(_, version)| version);
        let about = match version {
            "" => format!("{} (live)", seen.agent.name()),
            version => format!("{} (live, {version})", seen.agent.name()),
        };
        remark(&about, &seen.finding, screen, out);
        if !seen.left_out.is_empty() {
            let message = format!("left out of the copy: {}", left_out(&seen.left_out).join("; "));
            remark(&about, &Finding { message, ..Finding::good("left out") }, screen, out);
        }
    }
    out.push('\n');
}

fn remark(about: &str, finding: &Finding, screen: &Screen, out: &mut String) {
    let level = finding.level.name();
    screen.cell(out, paint(finding.level), level, 9);
    let text = format!("{about}: {}", finding.message);
    out.push_str(&wrap(&text, screen.width.saturating_sub(9)).join("\n         "));
    out.push('\n');
}

fn failures(diagnosis: &Diagnosis, screen: &Screen, out: &mut String) {
    let count = diagnosis.failures.len();
    if count == 0 {
        return;
    }
    screen.paint(out, YELLOW, &format!("{} in the last day", counted(count, "failure")));
    out.push('\n');
    for failed in diagnosis.failures.iter().skip(count.saturating_sub(FAILURES_SHOWN)) {
        let text = format!("{}: {}", failed.agent, failed.message);
        out.push_str("  ");
        out.push_str(&wrap(&text, screen.width.saturating_sub(2)).join("\n    "));
        out.push('\n');
    }
    out.push('\n');
}

fn paint(level: Level) -> Style {
    match level {
        Level::Good => GREEN,
        Level::Warning => YELLOW,
        Level::Error => RED,
    }
}

/// For programs.
pub fn json(diagnosis: &Diagnosis) -> String {
    let checks = diagnosis.checks.iter().map(|check| {
        let name = json!({"name": check.name});
        merged(name, finding(&check.finding))
    });
    let failures = diagnosis.failures.iter().map(
        |failed| json!({"time": failed.time, "agent": failed.agent, "message": failed.message}),
    );
    let mut value = json!({
        "version": 1,
        "agents": diagnosis.installed.iter().map(installed).collect::<Vec<_>>(),
        "checks": checks.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
        "summary": {
            "errors": diagnosis.count(Level::Error),
            "warnings": diagnosis.count(Level::Warning),
        },
    });
    // Where nothing was started, nothing is said of it.
    if let (false, Some(members)) = (diagnosis.live.is_empty(), value.as_object_mut()) {
        let live = diagnosis.live.iter().map(seen).collect();
        members.insert("live".to_owned(), Value::Array(live));
    }
    format!("{value:#}\n")
}

fn seen(seen: &Seen) -> Value {
    let program = seen.program.as_ref();
    let value = json!({
        "agent": seen.agent.name(),
        "program": program.map(|(path, _)| project::display(path)),
        "program_version": program.map(|(_, version)| version),
        "left_out": left_out(&seen.left_out),
    });
    merged(value, finding(&seen.finding))
}

fn installed(installed: &Installed) -> Value {
    let command = installed.command.as_ref().map(|command| match command {
        Command::Shell(line) => json!(line),
        Command::Program(words) => json!(words),
    });
    let median = installed.trial.as_ref().and_then(|trial| trial.median);
    let value = json!({
        "agent": installed.agent.name(),
        "scope": installed.scope.name(),
        "file": installed.file,
        "command": command,
        "median_ms": median.map(|took| took.as_secs_f64() * 1000.0),
        "called": finding(&installed.called),
        "hindrances": installed.hindrances.iter().map(finding).collect::<Vec<_>>(),
    });
    let findings = installed.findings().into_iter();
    let findings = findings.map(|(name, found)| (name.to_owned(), finding(found)));
    merged(value, Value::Object(findings.collect()))
}

/// The members of two objects in one.
fn merged(one: Value, other: Value) -> Value {
    let members = [one, other].into_iter().filter_map(|value| match value {
        Value::Object(members) => Some(members),
        _ => None,
    });
    Value::Object(members.flatten().collect())
}

fn finding(finding: &Finding) -> Value {
    let level = finding.level.name();
    json!({"level": level, "found": finding.word, "message": finding.message})
}
