//! The rules that a command runs with, or the exit code and the words on standard error when they
//! cannot be had.

use std::process::ExitCode;
use std::sync::Arc;

use behavior_compiler::{Compilation, Diagnostic, Severity};
use behavior_runtime::Image;

use crate::args::{OutputArgs, RuleArgs};
use crate::rules::{self, Rules};

/// The exit code for usage, unreadable input and invalid rules.
pub const UNUSABLE: u8 = 2;

/// Rules that run.
pub struct Loaded {
    /// The image.
    pub image: Arc<Image>,
    /// The compilation, where there was one.
    pub compilation: Option<Box<Compilation>>,
}

/// Loads the rules, or says on standard error why that is not possible.
///
/// # Errors
/// The exit code, when there are no rules to run.
pub fn load(args: &RuleArgs, output: &OutputArgs) -> Result<Loaded, ExitCode> {
    let say = |message: &str| {
        if !output.quiet {
            eprintln!("note: {message}");
        }
    };
    match rules::load(args, say) {
        Ok(Rules::Ready { image, compilation }) => {
            if let Some(compilation) = &compilation {
                say_what_is_not_enforced(compilation);
            }
            Ok(Loaded { image: Arc::from(image), compilation })
        }
        Ok(Rules::Broken(compilation)) => {
            let errors = compilation.diagnostics.iter().filter(|d| d.severity == Severity::Error);
            let count = errors.clone().count();
            errors.for_each(|diagnostic| eprintln!("{}", concise(&compilation, diagnostic)));
            let errors = if count == 1 { "an error" } else { "errors" };
            Err(fail(&format!("the rules have {errors}: nothing was run")))
        }
        Err(error) => Err(fail(&error.0)),
    }
}

/// A rule that never fires because it holds something unknown is said here too, once.
fn say_what_is_not_enforced(compilation: &Compilation) {
    let unknown = &behavior_compiler::registry::diagnostics::UNKNOWN_CONDITION;
    for diagnostic in compilation.diagnostics.iter().filter(|d| d.kind.name == unknown.name) {
        eprintln!("{}", concise(compilation, diagnostic));
    }
}

/// A diagnostic in one line.
fn concise(compilation: &Compilation, diagnostic: &Diagnostic) -> String {
    let level = diagnostic.severity.name();
    let name = diagnostic.kind.name;
    let message = &diagnostic.message;
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    match compilation.sources.get(diagnostic.span.file) {
        Some(source) => {
            let at = source.position(diagnostic.span.start);
            let (file, line, column) = (&source.name, at.line, at.column);
            format!("{file}:{line}:{column}: {level}[{name}]: {message}{help}")
        }
        None => format!("{level}[{name}]: {message}{help}"),
    }
}

/// Says what is wrong; the exit code is that for unusable input.
pub fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(UNUSABLE)
}
