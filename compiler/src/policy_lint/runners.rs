//! An allow on a program that runs others in a way that nobody looks into.
//!
//! What wrappers, shells and flags such as `find -exec` run is judged on its own, and what cannot be
//! known is never allowed, so an allow on those lets nothing else through. What a program runs out
//! of code in a language of its own, or later on, is not judged: the table of programs has an
//! example for each of those.

use behavior_runtime::code::PermissionAction;

use super::call::{Call, Command};
use super::policy::{Decided, Policy};
use super::tool;
use crate::decode::Reports;
use crate::diagnostic::Diagnostic;
use crate::fragment::excerpt;
use crate::registry::diagnostics as d;

pub(super) fn check(policy: &Policy<'_>, index: usize, reports: &mut Reports) {
    let Some(rule) = policy.rule(index) else { return };
    if rule.action != PermissionAction::Allow {
        return;
    }
    let mode = policy.usual_mode(rule);
    let lets_through = |path: &[Box<str>], code: &str| {
        let command = Command::read(&format!("{} {code}", path.join(" ")), policy.table)?;
        let call = Call::Command { tool: tool::SHELL.to_owned(), command };
        (policy.decide(&call, mode) == Decided::Rule(index)).then_some(())?;
        Some(format!("{} {code}", path.join(" ")))
    };
    let mut examples = policy.table.code_examples();
    let Some((path, example)) =
        examples.find_map(|(path, code)| Some((path, lets_through(path, code)?)))
    else {
        return;
    };
    let program = path.join(" ");
    let message = format!(
        "`{}` lets `{program}` run any other program: `{example}` is allowed, and nobody looks at what it runs",
        excerpt(&rule.pattern),
    );
    reports.push(Diagnostic::new(&d::ALLOW_RUNS_OTHERS, rule.pattern_span, message).help(format!(
        "name what `{program}` may do, with its arguments, or put a rule before this one that asks about `{example}`"
    )));
}
