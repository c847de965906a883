//! Rules that match nothing, and rules that match everything.

use std::collections::HashSet;

use behavior_image::code::PermissionAction;

use super::call::{Call, Command};
use super::language::SearchOutcome;
use super::outcome::done;
use super::policy::{Commands, Decided, Policy, Subject};
use super::{shape, tool};
use crate::decode::Reports;
use crate::diagnostic::{Diagnostic, Severity};
use crate::fragment::excerpt;
use crate::ir::{PolicyRule, Shape, ToolTest};
use crate::registry::diagnostics as d;

/// The rules that match nothing, and those that match everything.
#[derive(Default)]
pub(super) struct Extent {
    pub nothing: HashSet<usize>,
    pub all: HashSet<usize>,
}

/// Calls of which one shows best what a rule for everything lets through.
const TELLING: [&str; 3] = ["rm -rf ~", "git push --force", "curl https://example.com"];

pub(super) fn check(policy: &Policy<'_>, reports: &mut Reports) -> Extent {
    let mut extent = Extent::default();
    for (index, rule) in policy.permissions.rules.iter().enumerate() {
        let subjects: Vec<_> = policy.subjects_of(index).collect();
        let empty: Vec<_> =
            subjects.iter().filter_map(|subject| nothing(policy, subject)).collect();
        if let Some((why, help)) = empty.first() {
            let is_whole = empty.len() == subjects.len();
            let what = if is_whole { "matches no call" } else { "has a part that matches no call" };
            let message = format!("`{}` {what}: {why}", excerpt(&rule.pattern));
            let mut diagnostic =
                Diagnostic::new(&d::RULE_MATCHES_NOTHING, rule.pattern_span, message);
            diagnostic.help = Some(help.clone());
            reports.push(diagnostic);
            if is_whole {
                extent.nothing.insert(index);
            }
            continue;
        }
        if policy.has_facts(index) {
            continue;
        }
        let widest = subjects.iter().filter_map(|subject| everything(policy, subject)).max();
        if let Some(width) = widest {
            extent.all.insert(index);
            reports.push(too_wide(policy, index, rule, width));
        }
    }
    extent
}

/// Why an alternative matches nothing, and what to do about it.
pub(super) fn nothing(policy: &Policy<'_>, subject: &Subject<'_>) -> Option<(String, String)> {
    let languages = &policy.languages;
    let is_empty = |pattern| languages.example(pattern) == SearchOutcome::Nothing;
    let alternative = subject.alternative;
    if let ToolTest::Pattern(pattern) = alternative.tool
        && is_empty(pattern)
    {
        let why = format!("no tool has a name such as `{}`", languages.source(pattern));
        return Some((why, "write the name of a tool".to_owned()));
    }
    if subject.plain().is_some() {
        let pattern = alternative.argument.filter(|pattern| is_empty(*pattern))?;
        let why = format!("no argument is like `{}`", languages.source(pattern));
        return Some((why, "write a pattern that some text matches".to_owned()));
    }
    match subject.commands() {
        None => {
            let why = "it is about a command, and the tool runs none".to_owned();
            Some((why, "name a tool that runs commands, such as `bash`".to_owned()))
        }
        Some(Commands::All) => None,
        Some(Commands::Shape(shape)) => nothing_in_shape(policy, shape),
    }
}

fn nothing_in_shape(policy: &Policy<'_>, shape: &Shape) -> Option<(String, String)> {
    let languages = &policy.languages;
    if let ([name], None) = (&*shape.programs, shape.program_pattern)
        && let Some(stem) = name.strip_suffix(".exe")
    {
        let why = format!("a program is compared without its ending, so none is called `{name}`");
        return Some((why, format!("write `{stem}`")));
    }
    if let Some(pattern) = shape.program_pattern.filter(|_| shape.programs.is_empty()) {
        let found = languages.search(&[languages.word(pattern), languages.program_names()], &[]);
        if found == SearchOutcome::Nothing {
            let source = languages.source(pattern);
            let why =
                format!("a program is compared without its directory, so none is like `{source}`");
            let name = source.rsplit(['/', '\\']).next().unwrap_or_default();
            return Some((why, format!("write `{name}` for the program, wherever it stands")));
        }
    }
    if shape::shared(&[shape], languages, policy.table) == shape::Shared::Nothing {
        let why = "no command has all that it asks for".to_owned();
        let help = "look for a class such as `[!…]` that leaves nothing, and for a flag that is \
                    asked for and excluded";
        return Some((why, help.to_owned()));
    }
    None
}

/// How much of everything an alternative takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    Commands,
    Calls,
}

fn everything(policy: &Policy<'_>, subject: &Subject<'_>) -> Option<Width> {
    let languages = &policy.languages;
    let test = &subject.alternative.tool;
    let is_any_tool = tool::takes_all(test, languages);
    let is_any_argument = || match subject.plain() {
        Some(None) => true,
        Some(Some(pattern)) => {
            languages.source(pattern) == "*"
                || languages.search(&[languages.any()], &[languages.word(pattern)])
                    == SearchOutcome::Nothing
        }
        None => false,
    };
    if is_any_tool && is_any_argument() {
        return Some(Width::Calls);
    }
    let is_shell = is_any_tool || tool::takes(test, tool::SHELL, languages);
    match subject.commands() {
        Some(Commands::All) if is_shell => Some(Width::Commands),
        Some(Commands::Shape(shape)) if is_shell && shape::takes_all(shape, languages) => {
            Some(Width::Commands)
        }
        _ => None,
    }
}

fn too_wide(policy: &Policy<'_>, index: usize, rule: &PolicyRule, width: Width) -> Diagnostic {
    let what = match width {
        Width::Commands => "every command line",
        Width::Calls => "every call of every tool",
    };
    let is_allow = rule.action == PermissionAction::Allow;
    let mut message = format!("`{}` is about {what}", excerpt(&rule.pattern));
    let telling = TELLING.iter().filter_map(|text| Command::read(text, policy.table));
    let mut calls = telling.map(|command| Call::Command { tool: tool::SHELL.to_owned(), command });
    let mode = policy.usual_mode(rule);
    if let Some(call) = calls.find(|call| policy.decide(call, mode) == Decided::Rule(index)) {
        let spelled = call.spelled(policy.table);
        message += &format!(", so that `{spelled}` is {}", done(rule.action));
    }
    let diagnostic = Diagnostic::new(&d::RULE_MATCHES_EVERYTHING, rule.pattern_span, message);
    if is_allow {
        diagnostic.help("name what may be done, such as `bash(git status *)`, and leave the rest to `approval_mode`")
    } else {
        diagnostic
            .severity(Severity::Info)
            .help("rules behind it that hold in the same mode decide nothing")
    }
}
