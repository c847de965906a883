//! An allow on a program that runs others in a way that nobody looks into.
//!
//! What wrappers, shells and flags such as `find -exec` run is judged on its own, and what cannot be
//! known is never allowed, so an allow on those lets nothing else through. What a program runs out
//! of code in a language of its own, or later on, is not judged: the table of programs has an
//! example for each of those.

use behavior_image::code::PermissionAction;

use super::call::{Call, Command};
use super::policy::{Decided, Policy};
use super::tool;
use crate::decode::Reports;
use crate::diagnostic::Diagnostic;
use crate::fragment::excerpt;
use crate::programs::Table;
use crate::registry::diagnostics as d;

/// A command that makes a program run others, as one would type it.
pub(super) struct Example {
    program: String,
    typed: String,
    call: Call,
}

/// The examples of a table; reading them takes longer than asking about them.
pub(super) fn examples(table: &Table) -> Vec<Example> {
    let example = |(path, code): (&[Box<str>], &str)| {
        let program = path.join(" ");
        let typed = format!("{program} {code}");
        let command = Command::read(&typed, table)?;
        let call = Call::Command { tool: tool::SHELL.to_owned(), command };
        Some(Example { program, typed, call })
    };
    table.code_examples().filter_map(example).collect()
}

pub(super) fn check(
    policy: &Policy<'_>,
    index: usize,
    examples: &[Example],
    reports: &mut Reports,
) {
    let Some(rule) = policy.rule(index) else { return };
    if rule.action != PermissionAction::Allow {
        return;
    }
    let mode = policy.usual_mode(rule);
    let is_let_through =
        |example: &&Example| policy.decide(&example.call, mode) == Decided::Rule(index);
    let Some(Example { program, typed: example, .. }) = examples.iter().find(is_let_through) else {
        return;
    };
    let message = format!(
        "`{}` lets `{program}` run any other program: `{example}` is allowed, and nobody looks at what it runs",
        excerpt(&rule.pattern),
    );
    reports.push(Diagnostic::new(&d::ALLOW_RUNS_OTHERS, rule.pattern_span, message).help(format!(
        "name what `{program}` may do, with its arguments, or put a rule before this one that asks about `{example}`"
    )));
}
