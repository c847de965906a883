//! `behavior log verify`: whether the audit log is as it was written, from its chain.

use behavior_json::plain::escaped;
use std::path::Path;

use serde_json::{Value, json};

use super::opened::{Opened, open_all, read, unread};
use super::verifier::{KnownHead, Report, Text, verify};
use crate::args::{LogVerifyArgs, PlainFormat};
use crate::live::secret_key::{self, SecretKey};
use crate::live::store::regular;
use crate::report::counted;
use crate::terminal::{DIM, Exit, Failure, GREEN, RED, Terminal, YELLOW};

/// Runs the command.
///
/// # Errors
/// When there is no key, or a file cannot be read.
pub fn run(args: &LogVerifyArgs, state: &Path, terminal: &Terminal) -> Result<Exit, Failure> {
    let (texts, head, key) = match &*args.files {
        [] => of_state(state)?,
        files => (named(files)?, KnownHead::NotAsked, key(state)?),
    };
    let report = verify(&texts, head, &key);
    match args.format {
        PlainFormat::Json => {
            terminal.print(&escaped(&format!("{}\n", as_json(&report, &texts))))?
        }
        PlainFormat::Pretty => terminal.print(&pretty(&report, &texts, terminal))?,
    }
    Ok(if report.findings.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// The key with which the log was written. A new one would be good for nothing here, so none is made.
fn key(state: &Path) -> Result<SecretKey, Failure> {
    let path = state.join(secret_key::FILE);
    let failed = |reason: &str| {
        Failure::Message(format!(
            "without the key `{}` nothing can be verified: {reason}",
            path.display()
        ))
    };
    match path.symlink_metadata() {
        Err(error) => Err(failed(&crate::project::describe(&error))),
        Ok(_) => {
            SecretKey::of_user(state).map_err(|error| failed(&crate::project::describe(&error)))
        }
    }
}

/// The files of the state directory, the head and the key.
fn of_state(state: &Path) -> Result<(Vec<Text>, KnownHead, SecretKey), Failure> {
    let key = key(state)?;
    let (opened, head) = open_all(state, Some(&key))?;
    let text = |opened: Opened| {
        let (name, age) = (opened.path.display().to_string(), Some(opened.age));
        Ok(Text { name, age, bytes: opened.read()? })
    };
    let texts = opened.into_iter().map(text).collect::<Result<_, Failure>>()?;
    Ok((texts, head.map_or(KnownHead::Lost, KnownHead::Says), key))
}

fn named(files: &[String]) -> Result<Vec<Text>, Failure> {
    let open = |name: &String| {
        let path = Path::new(name);
        let file = std::fs::File::open(path).and_then(regular);
        let bytes = read(path, file.map_err(|error| unread(path, &error))?)?;
        Ok(Text { name: name.clone(), age: None, bytes })
    };
    files.iter().map(open).collect()
}

/// For programs.
fn as_json(report: &Report, texts: &[Text]) -> Value {
    let name = |file: usize| texts.get(file).map(|text| text.name.clone());
    let findings = report.findings.iter().map(|finding| {
        json!({
            "file": name(finding.file),
            "line": finding.line,
            "found": finding.problem.name(),
            "message": finding.problem.message(),
        })
    });
    let torn = report.torn.iter().map(|(file, line)| json!({ "file": name(*file), "line": line }));
    json!({
        "version": 1,
        "whole": report.findings.is_empty(),
        "files": texts.iter().map(|text| &text.name).collect::<Vec<_>>(),
        "genuine": report.genuine,
        "first": report.first_and_last.map(|(first, _)| first),
        "last": report.first_and_last.map(|(_, last)| last),
        "apart": report.apart,
        "unchained": report.unchained,
        "torn": torn.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
        "more": report.more,
    })
}

/// For people: where the chain is broken first, and what else is to be known.
fn pretty(report: &Report, texts: &[Text], terminal: &Terminal) -> String {
    let mut out = String::new();
    let name = |file: usize| texts.get(file).map_or("the log", |text| text.name.as_str());
    let note = |out: &mut String, text: String| {
        if !terminal.quiet {
            out.push_str(&format!("{} {text}\n", terminal.paint(DIM, "note:")));
        }
    };
    if let Some(first) = report.findings.first() {
        let place = match first.line {
            0 => name(first.file).to_owned(),
            line => format!("{}:{line}", name(first.file)),
        };
        let found = terminal.paint(RED, first.problem.name());
        out.push_str(&format!("{place}: {found}: {}\n", first.problem.message()));
    }
    if report.unchained > 0 {
        let lines = counted(report.unchained as usize, "line");
        note(
            &mut out,
            format!("{lines} at the beginning are older than the chain, and cannot be verified"),
        );
    }
    if report.apart > 0 {
        let lines = counted(report.apart as usize, "line");
        note(
            &mut out,
            format!("{lines} were written apart, since another process kept the log too long"),
        );
    }
    for (file, line) in &report.torn {
        note(&mut out, format!("{}:{line} was cut when its writer died", name(*file)));
    }
    let others = (report.findings.len() as u64 + report.more).saturating_sub(1);
    out.push_str(&match (report.findings.is_empty(), report.first_and_last) {
        (false, _) if others > 0 => {
            format!(
                "{}, and in {} behind\n",
                terminal.paint(RED, "the log is broken there"),
                counted(others as usize, "place")
            )
        }
        (false, _) => format!("{}\n", terminal.paint(RED, "the log is broken there")),
        (true, None) => {
            format!("{}\n", terminal.paint(YELLOW, "nothing in the log can be verified yet"))
        }
        (true, Some((first, last))) => {
            let lines = counted(report.genuine as usize, "line");
            format!(
                "{}: {lines}, number {first} to {last}\n",
                terminal.paint(GREEN, "the log is whole")
            )
        }
    });
    out
}
