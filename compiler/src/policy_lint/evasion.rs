//! Denials that a call of the same effect escapes, spelled a little differently.

use behavior_facts::tool_catalogue::is_editing;
use behavior_image::code::{ApprovalMode, PermissionAction};

use super::call::{Call, Command};
use super::outcome::done;
use super::policy::{Commands, Decided, Policy, Subject};
use super::shape::{self, Shared};
use super::tool;
use crate::decode::Reports;
use crate::diagnostic::{Diagnostic, Severity};
use crate::fragment::excerpt;
use crate::ir::{Index, PolicyRule, Shape};
use crate::registry::diagnostics as d;

/// A way around a rule.
struct Escape {
    call: Call,
    why: String,
    help: String,
    severity: Severity,
}

pub(super) fn check(policy: &Policy<'_>, index: usize, reports: &mut Reports) {
    let Some(rule) = policy.rule(index) else { return };
    if !matches!(rule.action, PermissionAction::Deny | PermissionAction::Ask) {
        return;
    }
    for subject in policy.subjects_of(index) {
        let mut escapes = Vec::new();
        if let Some(Commands::Shape(shape)) = subject.commands() {
            of_command(policy, subject, shape, &mut escapes);
        }
        if let Some(Some(pattern)) = subject.plain() {
            of_argument(policy, subject, pattern, &mut escapes);
        }
        let mut real = escapes
            .into_iter()
            .filter_map(|escape| Some((outcome(policy, rule, &escape)?, escape)));
        if let Some((outcome, escape)) = real.next() {
            let spelled = escape.call.spelled(policy.table);
            let message = format!(
                "`{}` does not cover `{spelled}`, which is {outcome}: {}",
                excerpt(&rule.pattern),
                escape.why
            );
            reports.push(
                Diagnostic::new(&d::EVADABLE_PATTERN, rule.pattern_span, message)
                    .severity(escape.severity)
                    .witness(escape.call.witness(policy.table, rule.action))
                    .help(escape.help),
            );
            return;
        }
    }
}

/// A folder from whose root files of the project may be named, too.
const ELSEWHERE: &str = "/srv/app/";

/// What is done with a call that gets around a rule; `None` when it is treated no better.
fn outcome(policy: &Policy<'_>, rule: &PolicyRule, escape: &Escape) -> Option<&'static str> {
    let mode = policy.usual_mode(rule);
    match policy.decide(&escape.call, mode) {
        Decided::Unknown => None,
        Decided::Rule(other) => {
            let action = policy.rule(other)?.action;
            (action < rule.action).then(|| done(action))
        }
        Decided::NoRule => match (mode, &escape.call) {
            (ApprovalMode::Yolo, _) => Some("allowed"),
            (ApprovalMode::Agent, _) => Some("left to the agent"),
            (ApprovalMode::AutoEdit, Call::Plain { tool, .. }) if is_editing(tool) => {
                Some("allowed")
            }
            (ApprovalMode::AutoEdit | ApprovalMode::Ask, _) => {
                (rule.action > PermissionAction::Ask).then_some("only asked about")
            }
        },
    }
}

fn of_command(
    policy: &Policy<'_>,
    subject: &Subject<'_>,
    shape: &Shape,
    escapes: &mut Vec<Escape>,
) {
    let Shared::Command(command) = shape::shared(&[shape], &policy.languages, policy.table) else {
        return;
    };
    let Some(tool) = tool::shared([&subject.alternative.tool; 2], true, &policy.languages) else {
        return;
    };
    let spelled = pattern_of(policy, shape);
    let mut add = |command: Command, why: String, help: String, severity: Severity| {
        let call = Call::Command { tool: tool.clone(), command };
        escapes.push(Escape { call, why, help, severity });
    };
    if shape.operands.as_ref().is_some_and(|items| items.last() != Some(&None)) {
        let mut more = command.clone();
        more.operands.push(another_operand(&command.program).to_owned());
        let why = "nothing may stand behind the last word of the pattern".to_owned();
        add(more, why, format!("write `{spelled} *`"), Severity::Warning);
    }
    if let Some((at, operand)) = hidden_file(&command) {
        let mut other = command.clone();
        if let Some(place) = other.operands.get_mut(at) {
            *place = format!("{ELSEWHERE}{operand}");
        }
        let why = "the same file has other names".to_owned();
        let help = format!("write `*{operand}` for the file, wherever it stands");
        add(other, why, help, Severity::Warning);
    }
    if let Some((other, why, help)) = other_flag(policy, shape, &command) {
        add(other, why, help, Severity::Info);
    }
}

/// A word that may stand behind a command.
fn another_operand(program: &str) -> &'static str {
    if program == "git" { "origin" } else { "x" }
}

/// An operand that is surely a file, named by a path from here.
fn hidden_file(command: &Command) -> Option<(usize, &String)> {
    let is_file = |word: &str| {
        word.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    command.operands.iter().enumerate().find(|(_, word)| is_file(word))
}

/// Another spelling of a flag of a program of which no flags are known.
fn other_flag(
    policy: &Policy<'_>,
    shape: &Shape,
    command: &Command,
) -> Option<(Command, String, String)> {
    let program = shape.programs.first()?;
    if policy.table.known_path(std::slice::from_ref(program)) != [] as [Box<str>; 0] {
        return None;
    }
    let long = |name: &str| name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let at = command.flags.iter().position(|flag| long(&flag.name))?;
    let mut other = command.clone();
    let flag = other.flags.get_mut(at)?;
    let name = std::mem::take(&mut flag.name);
    let short: String = name.chars().take(1).collect();
    flag.name.clone_from(&short);
    let why = format!(
        "nothing is known of the flags of `{program}`, so `-{short}` may be another spelling of `--{name}`"
    );
    let help = format!(
        "say which flags mean the same under `programs` in a profile: `{program}: {{ same: [[{short}, {name}]] }}`"
    );
    Some((other, why, help))
}

fn of_argument(
    policy: &Policy<'_>,
    subject: &Subject<'_>,
    pattern: Index,
    escapes: &mut Vec<Escape>,
) {
    let Some(Call::Plain { tool, argument: Some(argument) }) = policy.example(subject) else {
        return;
    };
    let source = policy.languages.source(pattern);
    let mut add = |argument: String, why: &str, help: String, severity: Severity| {
        let call = Call::Plain { tool: tool.clone(), argument: Some(argument) };
        escapes.push(Escape { call, why: why.to_owned(), help, severity });
    };
    if is_path_from_here(source) {
        let why = "the same file has other names";
        let help = format!("write `*{source}`, which takes it wherever it is named from");
        add(format!("{ELSEWHERE}{argument}"), why, help, Severity::Warning);
    }
    let has_letters = argument.chars().filter(char::is_ascii_uppercase).count() > 2;
    if has_letters && !argument.contains(|c: char| c.is_ascii_lowercase()) {
        let help = format!("add `{}`, if it means the same", source.to_lowercase());
        add(argument.to_lowercase(), "case counts in arguments", help, Severity::Info);
    }
}

/// Whether a pattern is the path of a file that does not begin at a root.
fn is_path_from_here(source: &str) -> bool {
    let starts_with_name =
        source.starts_with(|c: char| c.is_alphanumeric() || c == '.') && !source.starts_with("./");
    let is_path = source.contains('/') || source.starts_with('.');
    starts_with_name && is_path && !source.contains("://") && !source.contains(' ')
}

/// A shape as a command pattern.
fn pattern_of(policy: &Policy<'_>, shape: &Shape) -> String {
    let source = |pattern: Index| policy.languages.source(pattern).to_owned();
    let program = shape.programs.first().map(|name| name.to_string());
    let mut words =
        vec![program.or(shape.program_pattern.map(source)).unwrap_or_else(|| "*".to_owned())];
    for item in shape.operands.iter().flatten() {
        words.push(item.map_or_else(|| "*".to_owned(), source));
    }
    for flag in &shape.flags {
        let dashes = if flag.name.chars().count() == 1 { "-" } else { "--" };
        let value = flag.value.map(|value| format!("={}", source(value)));
        words.push(format!("{dashes}{}{}", flag.name, value.unwrap_or_default()));
    }
    words.join(" ")
}
