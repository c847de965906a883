//! Compiles agent rule files into a verified decision image.
//!
//! Pure: no IO, no clock, no environment. Files come from a [`SourceProvider`]; problems are
//! collected as [`Diagnostic`]s, never thrown.
//!
//! Data flows one way: sources → [`syntax`] → [`ast`] → [`ir`] → image.
#![forbid(unsafe_code)]

mod agent_lint;
pub mod asked;
pub mod ast;
mod authority;
pub mod classify_cases;
pub mod codegen;
mod command;
mod compilation;
pub mod conditions;
pub mod decode;
pub mod diagnostic;
pub mod expression;
pub mod foreign;
pub mod format;
pub mod fragment;
pub mod ide;
mod interplay;
pub mod ir;
mod lint;
mod lower;
mod misspelt;
mod nearest;
mod operand;
mod parameters;
pub mod path;
mod path_kinds;
pub mod pattern;
pub mod plan;
mod policy_lint;
pub mod policy_pattern;
pub mod problem;
mod programs;
pub mod project;
pub mod provider;
mod recheck;
pub mod registry;
pub mod resolve;
mod rule;
pub mod rule_test;
mod samples;
pub mod schema;
pub mod session_rules;
pub mod source;
pub mod syntax;
pub mod template;
pub mod tool_names;
pub mod trace_policy;
pub mod user_config;
mod uses;
pub mod witness;
pub mod workflow;

use behavior_runtime::Image;

pub use authority::{Authority, Loosening, WAS_TRUSTED};
pub use compilation::Compilation;
pub use diagnostic::{Diagnostic, Severity};
pub use nearest::closest;
pub use provider::{ReadError, SourceProvider};
pub use resolve::{Agent, COMMAND_LINE_PROFILE, Document, Options};
pub use source::SourceMap;

use decode::Reports;
use ir::Program;

/// Compiles the rule file `entry` and all that it refers to.
#[must_use]
pub fn compile(provider: &dyn SourceProvider, entry: &str) -> Compilation {
    compile_all(provider, &[entry.to_owned()], &Options::default())
}

/// Compiles rule files that compose. Without any, what the options name.
#[must_use]
pub fn compile_all(
    provider: &dyn SourceProvider,
    entries: &[String],
    options: &Options,
) -> Compilation {
    let options = Options { only_problems: false, ..options.clone() };
    let mut compilation = check(provider, entries, &options);
    let is_of_tests = |document: &Document| document.kind == resolve::FileKind::RuleTests;
    if compilation.documents.iter().any(is_of_tests) {
        compilation.diagnostics.insert(0, rule_test::holds_no_rules());
    }
    let is_of_agents = |document: &&Document| document.kind == resolve::FileKind::Agents;
    if compilation.documents.first().is_some_and(|first| is_of_agents(&first)) {
        let diagnostic = workflow::holds_no_rules(resolve::FileKind::Agents);
        compilation.diagnostics.insert(0, diagnostic);
    }
    if compilation.documents.iter().any(|document| document.kind == resolve::FileKind::Plan) {
        compilation.diagnostics.insert(0, plan::holds_no_rules());
    }
    if compilation.has_errors() {
        return compilation;
    }
    let entry = entries.first().map(String::as_str);
    match codegen::generate(&compilation.program, &compilation.sources, entry) {
        Ok(bytes) => match Image::from_bytes(bytes) {
            Ok(image) => compilation.image = Some(image),
            Err(error) => compilation.diagnostics.push(internal(&compilation.program, &error)),
        },
        Err(diagnostic) => compilation.diagnostics.push(*diagnostic),
    }
    compilation
}

/// Compiles as [`compile_all`] does; where there are errors, the image is of the rules that have none. It is good for
/// being looked at.
pub(crate) fn compile_what_is_right(
    provider: &dyn SourceProvider,
    entries: &[String],
    options: &Options,
) -> (Compilation, Option<Image>) {
    let mut compilation = compile_all(provider, entries, options);
    if let Some(image) = compilation.image.take() {
        return (compilation, Some(image));
    }
    let entry = entries.first().map(String::as_str);
    let bytes = codegen::generate(&compilation.program, &compilation.sources, entry);
    let image = bytes.ok().and_then(|bytes| Image::from_bytes(bytes).ok());
    (compilation, image)
}

/// An image that its own verifier refuses: our mistake, said loudly rather than run.
fn internal(program: &Program, error: &behavior_runtime::ImageError) -> Diagnostic {
    let nowhere = source::Span::new(source::FileId(0), 0, 0);
    let span = program.rules.first().map_or(nowhere, |rule| rule.span);
    let message = format!("the compiler made an image that does not verify: {error}");
    Diagnostic::new(&registry::diagnostics::INTERNAL, span, message)
        .help("this is a mistake in `behavior`: please report it with the rule files")
}

/// Takes out what follows from a profile that nobody found: it may declare every name, and use every state; and what is
/// missing in a table of TOML that could not be read as a whole, and may stand in the rest.
fn without_consequences(diagnostics: &mut Vec<Diagnostic>, sources: &SourceMap) {
    use registry::diagnostics as d;
    let is = |one: &Diagnostic, kind: &diagnostic::DiagnosticKind| one.kind.name == kind.name;
    let is_table = |file| sources.get(file).is_some_and(|source| source.name.ends_with(".toml"));
    let broken = diagnostics.iter().filter(|one| is(one, &d::SYNTAX)).map(|one| one.span.file);
    let broken: Vec<source::FileId> = broken.filter(|file| is_table(*file)).collect();
    diagnostics.retain(|one| !is(one, &d::MISSING_FIELD) || !broken.contains(&one.span.file));
    let follows = [&d::UNDECLARED_NAME, &d::UNKNOWN_RULE, &d::UNUSED_STATE, &d::NO_EFFECT];
    if diagnostics.iter().any(|diagnostic| diagnostic.kind.name == d::UNKNOWN_PROFILE.name) {
        diagnostics.retain(|one| follows.iter().all(|kind| kind.name != one.kind.name));
    }
}

/// What is wrong with a file of a kind that no rules are read from; `None` where the entry is none.
fn without_rules(
    provider: &dyn SourceProvider,
    entries: &[String],
    options: &Options,
) -> Option<Compilation> {
    let [only] = entries else { return None };
    if provider.config_inside(only).is_some() {
        return None;
    }
    rule_test::check(provider, only)
        .or_else(|| workflow::check(provider, only, options))
        .or_else(|| plan::check(provider, only))
}

/// Everything but code generation: what is wrong with rule files.
#[must_use]
pub fn check(provider: &dyn SourceProvider, entries: &[String], options: &Options) -> Compilation {
    check_on_ground(provider, entries, options).0
}

/// As [`check`], with what rules were lowered on, and where they come from.
pub(crate) fn check_on_ground(
    provider: &dyn SourceProvider,
    entries: &[String],
    options: &Options,
) -> (Compilation, Option<(resolve::Ground, resolve::Origins)>) {
    if let Some(checked) = without_rules(provider, entries, options) {
        return (checked, None);
    }
    let mut sources = SourceMap::default();
    let mut reports = Reports::default();
    let resolver = resolve::Resolver::new(provider, &mut sources, &mut reports, options);
    let resolved = resolver.run(entries);
    let (tools, has_agent) = (options.tools.as_deref(), options.agent.is_some());
    lint::lint(&resolved.program, &sources, tools, has_agent, &mut reports);
    if let Some(agent) = &options.agent {
        agent_lint::lint(&resolved.program, agent, &sources, &mut reports);
    }
    lint::no_rules(&resolved.program, &resolved.documents, entries, &sources, &mut reports);
    let resolve::Resolved { mut program, documents, ground, origins } = resolved;
    let loosening = authority::list(&program, &documents, &sources);
    if options.authority == Authority::TightenOnly {
        authority::restrict(&mut program, &loosening, &options.granted, &sources);
    }
    let mut diagnostics = reports.diagnostics;
    without_consequences(&mut diagnostics, &sources);
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
    // What stands behind an anchor is read once for each alias.
    let mut seen = std::collections::HashSet::new();
    diagnostics.retain(|diagnostic| {
        seen.insert((diagnostic.kind.name, diagnostic.span, diagnostic.message.clone()))
    });
    let compilation =
        Compilation { image: None, program, diagnostics, sources, documents, loosening };
    (compilation, Some((ground, origins)))
}
