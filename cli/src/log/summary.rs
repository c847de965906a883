//! `behavior log --summary`: what came of live calls, rule by rule, and which exceptions of the rules here are used.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::{Entry, read_from};
use crate::args::{LogArgs, PlainFormat, RuleArgs};
use crate::live::audit;
use crate::number::{count, number};
use crate::ready;
use crate::render::{json, one_line, table};
use crate::terminal::{BOLD, DIM, Exit, Failure, Terminal, YELLOW};

/// By whom a rule is silent where an exception makes it so; users are called otherwise.
const BY_EXCEPTION: &str = "exception";

/// What came of the calls at which one rule fired, or that one policy rule decided.
#[derive(Debug, Default, Serialize)]
struct OfRule {
    fired: u64,
    denied: u64,
    asked: u64,
    /// Grants of a user that let a call run.
    granted: u64,
    /// Calls at which an exception made it silent.
    excepted: u64,
}

/// An exception of the rules here.
#[derive(Debug, Serialize)]
struct OfException {
    rule: String,
    when: String,
    reason: String,
    used: u64,
}

#[derive(Debug, Default, Serialize)]
struct Summary {
    version: u32,
    calls: u64,
    allowed: u64,
    asked: u64,
    denied: u64,
    /// Failures of `behavior` itself.
    failures: u64,
    /// Grants that were given.
    grants: u64,
    rules: BTreeMap<String, OfRule>,
    exceptions: Vec<OfException>,
    /// How often an exception held, by its rule and its reason.
    #[serde(skip)]
    used: BTreeMap<(String, String), u64>,
}

/// Runs it.
///
/// # Errors
/// When the log cannot be read, or the rules here have errors.
pub fn run(args: &LogArgs, directory: &Path, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut summary = Summary { version: 1, ..Summary::default() };
    for path in audit::files(directory) {
        read_from(&path, 0, &mut |line| {
            let entry = Entry::read(line).filter(|entry| entry.is_wanted(args));
            entry.into_iter().for_each(|entry| summary.add(&entry));
        })?;
    }
    summary.add_exceptions(args, terminal)?;
    terminal.print(&match args.format {
        PlainFormat::Json => json::to_text(&serde_json::to_value(&summary).unwrap_or_default())?,
        PlainFormat::Pretty => summary.shown(terminal),
    })?;
    Ok(Exit::Clean)
}

impl Summary {
    fn add(&mut self, entry: &Entry) {
        if entry.fields.get("failure").is_some() {
            self.failures += 1;
            return;
        }
        if entry.fields.get("granted").is_some() {
            self.grants += 1;
            return;
        }
        let verdict = entry.text("verdict").unwrap_or_default();
        self.calls += u64::from(entry.text("event") == Some("tool_call"));
        match verdict {
            "allow" => self.allowed += 1,
            "ask" => self.asked += 1,
            "deny" => self.denied += 1,
            _ => {}
        }
        let silent = entry.fields.get("silent").and_then(Value::as_array);
        let silent: Vec<Silent<'_>> =
            silent.into_iter().flatten().filter_map(Silent::read).collect();
        for id in entry.rules() {
            let rule = self.rules.entry(id.to_owned()).or_default();
            rule.fired += 1;
            match silent.iter().find(|silent| silent.rule == id) {
                Some(silent) if silent.by == BY_EXCEPTION => {
                    rule.excepted += 1;
                    let key = (id.to_owned(), silent.scope.to_owned());
                    *self.used.entry(key).or_default() += 1;
                }
                Some(_) => rule.granted += 1,
                // What else fired at the call may have been what stopped it; that is known of the whole alone.
                None => {
                    rule.denied += u64::from(verdict == "deny");
                    rule.asked += u64::from(verdict == "ask");
                }
            }
        }
    }

    /// The exceptions of the rules that hold here, with how often each was used.
    fn add_exceptions(&mut self, args: &LogArgs, terminal: &Terminal) -> Result<(), Failure> {
        let ready = ready::load(&RuleArgs::default(), terminal)?;
        for (_, image) in ready.layers.iter() {
            for exception in image.rules().exceptions() {
                let rule = image.rules().id(exception.rule).to_owned();
                if args.rule.as_ref().is_some_and(|wanted| *wanted != rule) {
                    continue;
                }
                let key = (rule, exception.reason.to_owned());
                let used = self.used.get(&key).copied().unwrap_or(0);
                let (rule, reason) = key;
                let when = exception.condition.to_owned();
                self.exceptions.push(OfException { rule, when, reason, used });
            }
        }
        Ok(())
    }

    fn shown(&self, terminal: &Terminal) -> String {
        let mut out = format!(
            "{}: {} allowed, {} asked about, {} denied; {}, {}\n",
            count(self.calls, "call"),
            number(self.allowed),
            number(self.asked),
            number(self.denied),
            count(self.grants, "grant"),
            count(self.failures, "failure"),
        );
        let head = ["rule", "fired", "in denied calls", "in asked calls", "granted", "excepted"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(_, rule)| std::cmp::Reverse(rule.denied + rule.asked));
        for (id, rule) in rules {
            let figures = [rule.fired, rule.denied, rule.asked, rule.granted, rule.excepted];
            rows.push(std::iter::once(one_line(id)).chain(figures.map(number)).collect());
        }
        if rows.len() > 1 {
            out.push('\n');
            for (at, line) in table::render(&rows).into_iter().enumerate() {
                out.push_str(&if at == 0 { terminal.paint(BOLD, &line) } else { line });
                out.push('\n');
            }
        }
        for (at, exception) in self.exceptions.iter().enumerate() {
            if at == 0 {
                out.push_str(&format!("\n{}\n", terminal.paint(BOLD, "exceptions")));
            }
            let used = match exception.used {
                0 => "never used".to_owned(),
                times => format!("used {}", count(times, "time")),
            };
            let rule = terminal.paint(YELLOW, &one_line(&exception.rule));
            let reason = one_line(&exception.reason);
            out.push_str(&format!("  {rule}  {used}  {reason}\n"));
            let when = format!("when {}", one_line(&exception.when));
            out.push_str(&format!("      {}\n", terminal.paint(DIM, &when)));
        }
        out
    }
}

/// A rule that fired and had no say.
struct Silent<'a> {
    rule: &'a str,
    by: &'a str,
    scope: &'a str,
}

impl<'a> Silent<'a> {
    fn read(value: &'a Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        Some(Self { rule: text("rule")?, by: text("by")?, scope: text("scope")? })
    }
}
