//! `behavior session constitution`: a user's own rules for one session, added between two of its events.

use std::fmt::Write;
use std::io::{self, IsTerminal, Read};

use behavior_compiler::source::FileId;
use behavior_compiler::syntax;
use behavior_compiler::trace_policy::json_of;
use behavior_runtime::constitution::{Author, Change, Content, Entry, MAX_ENTRIES, Op};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::args::{ConstitutionCommand, PlainFormat};
use crate::live::audit::Log;
use crate::live::constitution;
use crate::live::store::{Listed, Store};
use crate::render::{json, one_line};
use crate::report::counted;
use crate::simulate::json::entries;
use crate::terminal::{DIM, Exit, Failure, Terminal};
use crate::{person, project};

impl From<constitution::ChangeError> for Failure {
    fn from(reason: constitution::ChangeError) -> Self {
        Failure::Message(reason.to_string())
    }
}

/// What is asked for, and of which session with its sub-agents.
pub struct Asked<'a> {
    /// What to do.
    pub command: &'a ConstitutionCommand,
    /// Where sessions are kept.
    pub store: &'a Store,
    /// Where changes are written down.
    pub log: &'a Log,
    /// The session, with its sub-agents behind it.
    pub sessions: &'a [Listed],
    /// The session for people.
    pub name: &'a str,
}

/// Runs the command.
///
/// # Errors
/// When an agent runs this, something is no rule, or the session cannot be changed.
pub fn run(asked: &Asked<'_>, terminal: &Terminal) -> Result<Exit, Failure> {
    match asked.command {
        ConstitutionCommand::Add { rule, file, .. } => {
            person::refuse_agents("add rules of a user")?;
            let rules = match file {
                Some(file) => of_file(file)?,
                None => rule.iter().map(|text| of_argument(text)).collect::<Result<_, _>>()?,
            };
            asked.change(Op::Update, rules, terminal)
        }
        ConstitutionCommand::Reset { rules, .. } => {
            person::refuse_agents("replace rules of a user")?;
            if !io::stdin().is_terminal() {
                let message = "rules are taken away at a terminal: run this in one";
                return Err(Failure::Message(message.to_owned()));
            }
            let rules: Vec<Content> =
                rules.iter().map(|text| of_argument(text)).collect::<Result<_, _>>()?;
            let op = if rules.is_empty() { Op::Remove } else { Op::Reset };
            asked.change(op, rules, terminal)
        }
        ConstitutionCommand::Get { format, .. } => {
            let change = Change { op: Op::Get, by: Author::User, rules: Vec::new() };
            let report = constitution::change(asked.store, asked.sessions, &change)?;
            let entries = report.entries.unwrap_or_default();
            terminal.print(&match format {
                PlainFormat::Json => json::to_text(&List::of(&entries))?,
                PlainFormat::Pretty => as_text(&entries, asked.name, terminal),
            })?;
            Ok(Exit::Clean)
        }
    }
}

impl Asked<'_> {
    /// Changes the list, and says what came of it.
    fn change(&self, op: Op, rules: Vec<Content>, terminal: &Terminal) -> Result<Exit, Failure> {
        let change = Change { op, by: Author::User, rules };
        let report = constitution::change(self.store, self.sessions, &change)?;
        constitution::log(self.log, self.sessions, &change, &report);
        for refusal in &report.refused {
            terminal.error(&one_line(&refusal.message));
        }
        if report.dropped > 0 {
            let which = if op == Op::Reset { "last" } else { "oldest" };
            terminal.note(&format!(
                "a session keeps {MAX_ENTRIES} rules: the {which} {} not kept",
                if report.dropped == 1 {
                    "one is".to_owned()
                } else {
                    format!("{} are", report.dropped)
                }
            ));
        }
        terminal.note(&format!("{} for {}", counted(report.count, "rule"), self.name));
        Ok(if report.refused.is_empty() { Exit::Clean } else { Exit::Invalid })
    }
}

/// What an argument says.
fn of_argument(text: &str) -> Result<Content, Failure> {
    if !text.trim_start().starts_with('{') {
        return Ok(Content::Text(text.to_owned()));
    }
    let mut found = definitions("RULE", text.as_bytes())?;
    match (found.pop(), found.pop()) {
        (Some(one), None) => Ok(one),
        _ => Err(Failure::Message("one argument is one rule".to_owned())),
    }
}

/// The definitions in a file.
fn of_file(name: &str) -> Result<Vec<Content>, Failure> {
    let mut bytes = Vec::new();
    let read = match name {
        "-" => io::stdin().lock().take(project::LARGEST_FILE).read_to_end(&mut bytes).map(drop),
        _ => project::read_once(name).map(|read| bytes = read),
    };
    read.map_err(|error| {
        Failure::Message(format!("cannot read `{}`: {}", one_line(name), project::describe(&error)))
    })?;
    definitions(name, &bytes)
}

/// The definitions in a text, in YAML or JSON: one, a list, or the list of a rule file.
fn definitions(name: &str, bytes: &[u8]) -> Result<Vec<Content>, Failure> {
    let refused = |why: &str| Failure::Message(format!("`{}`: {why}", one_line(name)));
    let text = std::str::from_utf8(bytes).map_err(|_| refused("it is not UTF-8"))?;
    let parsed = syntax::parse(FileId(0), text, syntax::Format::Yaml);
    if let Some(problem) = parsed.diagnostics.first() {
        return Err(refused(&problem.message));
    }
    let root = parsed.root.get("rule_definitions").unwrap_or(&parsed.root);
    let whole = json_of(root);
    let rules = match whole {
        serde_json::Value::Array(rules) => rules,
        one => vec![one],
    };
    let content = |rule: serde_json::Value| Content::from_json(&rule.to_string());
    let found: Option<Vec<Content>> = rules.into_iter().map(content).collect();
    found
        .filter(|found| !found.is_empty())
        .ok_or_else(|| refused("it holds no definition of a rule"))
}

/// A list as JSON.
#[derive(Serialize)]
struct List {
    version: u32,
    entries: Vec<Box<RawValue>>,
    /// Who made each.
    by: Vec<&'static str>,
}

impl List {
    fn of(list: &[Entry]) -> Self {
        let by = list.iter().map(|entry| entry.by.name()).collect();
        Self { version: 1, entries: entries(list), by }
    }
}

fn as_text(list: &[Entry], name: &str, terminal: &Terminal) -> String {
    let mut out = String::new();
    for (number, entry) in list.iter().enumerate() {
        let says = match &entry.content {
            Content::Text(text) => text.clone(),
            Content::Rule(definition) => definition.clone(),
        };
        let id = format!("constitution:{number}");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{id}  {}  {}", entry.by.name(), one_line(&says));
    }
    let count = format!("{} for {name}\n", counted(list.len(), "rule"));
    out.push_str(&terminal.paint(DIM, &count));
    out
}
