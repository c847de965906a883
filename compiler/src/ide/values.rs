//! Values that are plain text for the registry and of which some are known all the same: ids of rules, names of
//! programs and their flags, classes, branches, paths into pairs, files.

use std::collections::BTreeSet;

use super::index::SymbolKind;
use super::names::Surroundings;
use super::patterns;
use super::related::related_names;
use super::{Project, RuleFile};
use crate::ast::{BehaviorConfig, ExceptionConfig, Profile};
use crate::project::folder_of;
use crate::registry::schema::Record;
use crate::resolve::FileKind;
use crate::rule_test::{Expectation, ExpectedState, RuleTest};
use crate::syntax::Node;

/// A text that a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The text.
    pub text: String,
    /// What it is.
    pub detail: String,
}

impl Known {
    fn new(text: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { text: text.into(), detail: detail.into() }
    }
}

/// Where a value of a request or a response may stand.
const PAIR_PATHS: &[(&str, &str)] = &[
    ("model", "the model that was asked"),
    ("stop_reason", "why the response ended"),
    ("request.model", "the model that was asked"),
    ("request.messages", "the messages, a list"),
    ("request.messages.0.role", "whose the first message is"),
    ("request.messages.0.content", "the first message"),
    ("request.system", "the system prompt"),
    ("request.tools", "the tools, a list"),
    ("request.max_tokens", "the most tokens of a response"),
    ("request.temperature", "how freely the model chooses"),
    ("request.metadata", "what the caller adds"),
    ("response.content", "what the model answers"),
    ("response.model", "the model that answered"),
    ("response.stop_reason", "why the response ended"),
    ("response.usage.input_tokens", "how many tokens were read"),
    ("response.usage.output_tokens", "how many tokens were written"),
];

/// Why responses end.
const STOP_REASONS: &[&str] =
    &["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal", "pause_turn"];

const BRANCHES: &[&str] = &["main", "master", "release/*", "production"];

/// What a text in a field of a record may be, by what is written of it.
pub(super) fn of_field(
    record: &Record,
    field: &str,
    file: &RuleFile,
    project: Project<'_>,
    surroundings: &Surroundings<'_>,
) -> Vec<Known> {
    let is = |wanted: &Record| record.name == wanted.name;
    let names = |kind| names(project, file, kind);
    match field {
        "rule" if is(ExceptionConfig::RECORD) => rules(project, file, surroundings),
        "rules" | "undecided" if is(Expectation::RECORD) => rules(project, file, surroundings),
        "last_violation" if is(ExpectedState::RECORD) => rules(project, file, surroundings),
        "permission_rule" if is(Expectation::RECORD) => names(SymbolKind::Rule),
        "config" | "trace" | "snapshot" if is(RuleTest::RECORD) => files(project, file, field),
        "protected_branches" => {
            BRANCHES.iter().map(|branch| Known::new(*branch, "branch")).collect()
        }
        "turn_reminder" if is(BehaviorConfig::RECORD) || is(Profile::RECORD) => {
            documents(project, file)
        }
        "path" | "retrieval_path" if file.kind == FileKind::TracePolicy => {
            PAIR_PATHS.iter().map(|(path, detail)| Known::new(*path, *detail)).collect()
        }
        "stop_reasons" | "reasons" | "allowed" if file.kind == FileKind::TracePolicy => {
            STOP_REASONS.iter().map(|reason| Known::new(*reason, "stop reason")).collect()
        }
        "apiVersion" => vec![Known::new("shadow.dev/v1alpha1", "version")],
        _ => Vec::new(),
    }
}

/// The names that keys of a mapping may be, by the field that it stands in.
pub(super) fn keys_of_field(
    record: &Record,
    field: &str,
    file: &RuleFile,
    project: Project<'_>,
) -> Vec<Known> {
    if record.name != ExpectedState::RECORD.name {
        return Vec::new();
    }
    match field {
        "sets" => names(project, file, SymbolKind::Set),
        "counters" => names(project, file, SymbolKind::Counter),
        "flags" => names(project, file, SymbolKind::Flag),
        _ => Vec::new(),
    }
}

fn names(project: Project<'_>, file: &RuleFile, kind: SymbolKind) -> Vec<Known> {
    let names = related_names(project, file, kind);
    names.into_iter().map(|name| Known::new(name, kind.describe())).collect()
}

/// The rules that there are: those of the project first, then those that are built in.
fn rules(project: Project<'_>, file: &RuleFile, surroundings: &Surroundings<'_>) -> Vec<Known> {
    let mut found = names(project, file, SymbolKind::Rule);
    let built_in = surroundings.builtin_rules().iter().filter_map(|rule| rule.get("id")?.as_str());
    found.extend(built_in.map(|id| Known::new(id, "built-in rule")));
    let mut seen = BTreeSet::new();
    found.retain(|known| seen.insert(known.text.clone()));
    found
}

/// The files that a test may name, from its folder.
fn files(project: Project<'_>, file: &RuleFile, field: &str) -> Vec<Known> {
    let directory = file.name().rfind('/').and_then(|at| file.name().get(..at)).unwrap_or_default();
    let endings: &[&str] = match field {
        "config" => &[".yaml", ".toml"],
        "trace" => &[".jsonl", ".json", ".ndjson"],
        _ => &[".json", ".jsonl", ".snap"],
    };
    let is_wanted = |name: &String| {
        endings.iter().any(|ending| name.ends_with(ending)) && !name.contains(".test.")
    };
    let names = project.provider.list(directory).into_iter().filter(is_wanted);
    let mut found: Vec<Known> = names.map(|name| Known::new(name, "file")).collect();
    if field == "config" && directory.ends_with("behavior") {
        found.push(Known::new("../behavior.yaml", "the config"));
    }
    found
}

/// The documents of the project that messages may quote.
pub(super) fn documents(project: Project<'_>, file: &RuleFile) -> Vec<Known> {
    let folder = folder_of(file.name());
    let names = project.provider.list(folder.trim_end_matches('/'));
    let is_document = |name: &String| name.ends_with(".md") || name.ends_with(".txt");
    names.into_iter().filter(is_document).map(|name| Known::new(name, "document")).collect()
}

/// What a field of a `runs` condition may be; `written` is what stands of it, `beside` the mapping that it is in.
pub(super) fn of_runs(
    field: &str,
    beside: Option<&Node>,
    file: &RuleFile,
    project: Project<'_>,
    surroundings: &Surroundings<'_>,
) -> Vec<Known> {
    let programs = surroundings.programs();
    let program = beside
        .and_then(|node| node.get("program"))
        .and_then(|program| program.as_str().or_else(|| program.items()?.first()?.as_str()));
    let subcommand = beside.and_then(|node| node.get("subcommand")).and_then(Node::as_str);
    match field {
        "program" | "substitutes" | "piped_from" | "under" => {
            patterns::programs(programs.as_deref())
                .into_iter()
                .map(|(name, detail)| Known::new(name, detail))
                .collect()
        }
        "subcommand" => program
            .map(|program| patterns::subcommands(programs.as_deref(), program))
            .unwrap_or_default()
            .into_iter()
            .map(|name| Known::new(name, "subcommand"))
            .collect(),
        "flags" | "any_flag" | "no_flag" => program
            .map(|program| patterns::flags(programs.as_deref(), program, subcommand))
            .unwrap_or_default()
            .into_iter()
            .map(|flag| Known::new(flag.trim_start_matches('-'), format!("flag `{flag}`")))
            .collect(),
        "class" => {
            let mut found = names(project, file, SymbolKind::Class);
            found.extend(
                surroundings
                    .classes()
                    .into_iter()
                    .map(|name| Known::new(name, "class of commands")),
            );
            found
        }
        _ => Vec::new(),
    }
}
