//! `behavior explain --command`: the tree of what a command line would run, what the rules and the
//! policy make of each part, and what comes of the whole.

use behavior_json::plain::escaped;
use std::sync::Arc;

use behavior_runtime::command_explanation::{CommandExplanation, Part};
use behavior_runtime::event::{Call, Event, Param, SessionStart, Value as EventValue};
use behavior_runtime::{Decision, Host, LayeredSession, Layers, Truth, Verdict};
use behavior_shell::{Command, CommandLine, HOLE, MADE, Reach};
use serde_json::{Value, json};

use crate::args::{ExplainArgs, PlainFormat};
use crate::live::host::LiveHost;
use crate::screen::{Screen, plain};
use crate::terminal::{BOLD, CYAN, DIM, Exit, Failure, GREEN, MAGENTA, RED, Terminal, YELLOW};
use crate::{permissions, project, ready};

/// Prints what a command line would run.
///
/// # Errors
/// When the rules cannot be used, or nothing can be printed.
pub fn run(line: &str, args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let ready = ready::load(&args.rules, terminal)?;
    let layers = ready.layers;
    let mut session = LayeredSession::new(Arc::clone(&layers));
    if let Some(mode) = args.mode.mode {
        session.set_mode(mode);
    }
    let explanation = session.explain_command(line);
    // The line is decided on as it would be here and now.
    let host = &mut LiveHost::default();
    session.apply(&Event::SessionStart(start(host)), host);
    if let Some(said) = &args.said {
        session.apply(&Event::TurnStart { text: Some(said.into()) }, host);
    }
    // What rules want of a turn besides is not asked about.
    session.apply(&Event::Text { text: "…".into() }, host);
    let decision = session.apply(&call(line), host);
    let asked = Asked { line, layers: &layers, explanation: &explanation, decision: &decision };
    match args.format {
        PlainFormat::Json => terminal.print(&escaped(&format!("{:#}\n", asked.to_json())))?,
        PlainFormat::Pretty => terminal.print(&asked.print(&Screen::of_stdout(terminal)))?,
    }
    Ok(Exit::Clean)
}

/// A session in the working directory.
fn start(host: &mut LiveHost<'_>) -> SessionStart<'static> {
    let cwd = std::env::current_dir().ok().map(|cwd| project::display(&cwd).into());
    SessionStart { cwd, branch: host.branch().map(Into::into), ..SessionStart::default() }
}

/// The line as a call of the shell tool.
fn call(line: &str) -> Event<'_> {
    Event::ToolCall(Call {
        id: None,
        tool: "bash".into(),
        native_tool: None,
        params: vec![Param {
            name: "command".into(),
            native: None,
            value: EventValue::Text(line.into()),
        }],
    })
}

/// A command line, and what came of it.
struct Asked<'a> {
    line: &'a str,
    layers: &'a Layers,
    explanation: &'a CommandExplanation,
    decision: &'a Decision,
}

impl Asked<'_> {
    fn commands(&self) -> &CommandLine {
        &self.explanation.line
    }

    /// The commands that one of them runs, or those that the line itself does.
    fn below(&self, parent: Option<u32>) -> impl Iterator<Item = (usize, &Command, &Part)> {
        let commands = self.commands().commands().iter().zip(&self.explanation.parts).enumerate();
        commands
            .filter(move |(_, (command, _))| command.parent == parent)
            .map(|(index, (command, part))| (index, command, part))
    }

    fn verdict(&self) -> Verdict {
        self.decision.verdict()
    }

    fn print(&self, screen: &Screen) -> String {
        let mut out = String::new();
        screen.paint(&mut out, BOLD, &plain(self.line));
        out.push_str("\n\n");
        self.print_below(None, "", screen, &mut out);
        out.push('\n');
        self.print_verdict(screen, &mut out);
        out
    }

    fn print_below(&self, parent: Option<u32>, indent: &str, screen: &Screen, out: &mut String) {
        // Redirections of compound commands are no commands, but they belong into the picture.
        let below: Vec<_> = self
            .below(parent)
            .filter(|(index, command, _)| {
                command.runs()
                    || !self.commands().redirects(command).is_empty()
                    || self.below(Some(*index as u32)).next().is_some()
            })
            .collect();
        let last = below.len().saturating_sub(1);
        for (at, (index, command, part)) in below.into_iter().enumerate() {
            let (branch, stem) = if at == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            screen.paint(out, DIM, &format!("{indent}{branch}"));
            self.print_command(command, screen, out);
            out.push('\n');
            let inner = format!("{indent}{stem}");
            self.print_part(part, &inner, screen, out);
            // The parser bounds how deep commands nest.
            self.print_below(Some(index as u32), &inner, screen, out);
        }
    }

    fn print_command(&self, command: &Command, screen: &Screen, out: &mut String) {
        let words = words_shown(self.commands(), command);
        if let Some((program, rest)) = words.split_first() {
            screen.paint(out, CYAN, program);
            for word in rest {
                out.push(' ');
                out.push_str(word);
            }
        }
        for redirect in self.commands().redirects(command) {
            let target = self.commands().target(redirect);
            let text = shown(self.commands().text(&target));
            out.push_str(&format!(" {}{text}", redirect.kind.name()));
        }
        if command.more {
            out.push_str(" …");
        }
        if command.reach != Reach::List {
            screen.paint(out, DIM, &format!("  ({})", command.reach.name()));
        }
        if let Some(opaque) = command.opaque {
            screen.paint(out, MAGENTA, &format!("  ? {}", opaque.name()));
        }
    }

    fn print_part(&self, part: &Part, indent: &str, screen: &Screen, out: &mut String) {
        let mut line = |paint, text: &str| {
            screen.paint(out, DIM, indent);
            out.push_str("   ");
            screen.paint(out, paint, text);
            out.push('\n');
        };
        for (rule, met) in &part.rules {
            let id = self.layers.rules().id(*rule);
            match met {
                Truth::True => line(YELLOW, &format!("• meets `{id}`")),
                _ => line(MAGENTA, &format!("• may meet `{id}`")),
            }
        }
        if let Some(permission) = &part.permission {
            let (paint, text) = permissions::said(permission, self.layers);
            line(paint, &format!("• {text}"));
        }
    }

    fn print_verdict(&self, screen: &Screen, out: &mut String) {
        let (paint, word) = match self.verdict() {
            Verdict::Allow => (GREEN, "allow"),
            Verdict::Ask => (YELLOW, "ask"),
            Verdict::Deny => (RED, "deny"),
        };
        screen.paint(out, paint, word);
        let said =
            |permission| format!("  policy: {}", permissions::said(permission, self.layers).1);
        let policy = self.decision.permission.as_ref().map(said).unwrap_or_default();
        let of_policy = self.decision.permission.map(|said| Verdict::from(said.action));
        let is_of_policy = of_policy.is_some_and(|verdict| verdict == self.verdict());
        match is_of_policy {
            true => out.push_str(&format!("{policy}\n")),
            // A rule is stricter, and is told below.
            false if policy.is_empty() => out.push('\n'),
            false => out.push_str(&format!("\n{policy}\n")),
        }
        for finding in &self.decision.findings {
            let id = self.layers.rules().id(finding.rule);
            let (word, text) = match &finding.granted {
                // What is silent here would speak elsewhere.
                Some(granted) => ("silent by an exception", &*granted.scope),
                None => (finding.action.name(), &*finding.message),
            };
            out.push_str(&format!("  {word}: "));
            screen.paint(out, BOLD, id);
            out.push_str(&format!("  {}\n", plain(text)));
        }
        for undecided in &self.decision.undecided {
            let id = self.layers.rules().id(undecided.rule);
            out.push_str("  undecided: ");
            screen.paint(out, BOLD, id);
            out.push_str(&format!("  nothing tells {}\n", plain(&undecided.needs)));
        }
    }

    fn to_json(&self) -> Value {
        let parts: Vec<Value> = self
            .commands()
            .commands()
            .iter()
            .zip(&self.explanation.parts)
            .enumerate()
            .map(|(index, (command, part))| self.part_json(index, command, part))
            .collect();
        let findings: Vec<Value> = self
            .decision
            .findings
            .iter()
            .map(|finding| {
                let id = self.layers.rules().id(finding.rule);
                let granted = finding.granted.as_ref();
                json!({
                    "rule": id,
                    "action": finding.action.name(),
                    "message": finding.message,
                    "excepted": granted.map(|granted| &*granted.scope),
                })
            })
            .collect();
        json!({
            "version": 1,
            "command": self.line,
            "verdict": self.verdict().name(),
            "permission": self.decision.permission.map(|permission| permissions::said_as_json(&permission, self.layers)),
            "findings": findings,
            "undecided": self.decision.undecided.iter().map(|undecided| {
                self.layers.rules().id(undecided.rule)
            }).collect::<Vec<_>>(),
            "parts": parts,
        })
    }

    fn part_json(&self, index: usize, command: &Command, part: &Part) -> Value {
        let line = self.commands();
        let words: Vec<String> =
            line.words(command).iter().map(|word| known(line.text(word))).collect();
        let redirects: Vec<Value> = line
            .redirects(command)
            .iter()
            .map(|redirect| {
                let target = line.target(redirect);
                json!({"kind": redirect.kind.name(), "target": known(line.text(&target))})
            })
            .collect();
        let rules: Vec<Value> = part
            .rules
            .iter()
            .map(|(rule, met)| {
                let id = self.layers.rules().id(*rule);
                json!({"rule": id, "certain": *met == Truth::True})
            })
            .collect();
        json!({
            "index": index,
            "parent": command.parent,
            "reach": command.reach.name(),
            "program": line.program(command),
            "words": words,
            "redirects": redirects,
            "more": command.more,
            "opaque": command.opaque.map(|opaque| opaque.name()),
            "span": {"start": command.span.start, "end": command.span.end},
            "rules": rules,
            "permission": part.permission.map(|permission| permissions::said_as_json(&permission, self.layers)),
        })
    }
}

/// The words of a command as they would be typed.
pub(super) fn words_shown(line: &CommandLine, command: &Command) -> Vec<String> {
    line.words(command).iter().map(|word| shown(line.text(word))).collect()
}

/// A word with a sign for each piece that is not known.
fn known(text: &str) -> String {
    text.replace(HOLE, "…").replace(MADE, "")
}

/// A word as it would be typed: in quotes where a shell would cut it.
fn shown(text: &str) -> String {
    let text = plain(&known(text)).into_owned();
    let is_plain = !text.is_empty()
        && !text.contains(|sign: char| sign.is_whitespace() || "'\"\\;&|()<>`".contains(sign));
    if is_plain { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
