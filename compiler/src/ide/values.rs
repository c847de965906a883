//! Values that are plain text for the registry and of which some are known all the same: ids of rules, names of
//! programs and their flags, classes, branches, paths into pairs, files.

use std::collections::BTreeSet;

use behavior_runtime::brain::PROVIDERS;

use super::index::{Occurrence, SymbolKind};
use super::names::Surroundings;
use super::patterns;
use super::related::related_names;
use super::siblings::Beside;
use super::{Project, RuleFile};
use crate::ast::{BehaviorConfig, Brain, ExceptionConfig, Profile};
use crate::project::folder_of;
use crate::provider::LIBRARY_PREFIX;
use crate::registry::schema::Record;
use crate::resolve::FileKind;
use crate::rule_test::{Expectation, ExpectedState, NATIVE_EVENTS, RuleTest};
use crate::syntax::Node;
use crate::workflow::root_of;

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

/// So many folders are looked into for files, and so many files are named of each.
const MAX_FOLDERS: usize = 50;
const MAX_FILES: usize = 50;

/// Why responses end.
const STOP_REASONS: &[&str] =
    &["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal", "pause_turn"];

const BRANCHES: &[&str] = &["main", "master", "release/*", "production"];

/// What stands around a value.
#[derive(Clone, Copy)]
pub(super) struct Here<'h> {
    /// The mappings around it.
    pub beside: &'h Beside<'h>,
}

/// What a text in a field of a record may be, by what is written around it.
pub(super) fn of_field(
    record: &Record,
    field: &str,
    here: Here<'_>,
    file: &RuleFile,
    project: Project<'_>,
    surroundings: &Surroundings<'_>,
) -> Vec<Known> {
    let is = |wanted: &Record| record.name == wanted.name;
    match field {
        "rule" if is(ExceptionConfig::RECORD) => rules(project, file, surroundings),
        "rules" | "undecided" if is(Expectation::RECORD) => {
            expected(project, file, surroundings, here)
        }
        "last_violation" if is(ExpectedState::RECORD) => {
            expected(project, file, surroundings, here)
        }
        "permission_rule" if is(Expectation::RECORD) => policy_rules(project, file),
        "config" | "trace" | "snapshot" if is(RuleTest::RECORD) => files(project, file, field),
        "protected_branches" => branches(),
        "prompt" if is(BehaviorConfig::RECORD) || is(Profile::RECORD) => prompts(project, file),
        "turn_reminder" if is(BehaviorConfig::RECORD) || is(Profile::RECORD) => {
            documents(project, file)
        }
        "path" | "retrieval_path" if file.kind == FileKind::TracePolicy => {
            PAIR_PATHS.iter().map(|(path, detail)| Known::new(*path, *detail)).collect()
        }
        "stop_reasons" | "reasons" | "allowed" if file.kind == FileKind::TracePolicy => {
            STOP_REASONS.iter().map(|reason| Known::new(*reason, "stop reason")).collect()
        }
        "value" if file.kind == FileKind::TracePolicy => beside_path(here.beside),
        "schema_path" if file.kind == FileKind::TracePolicy => schemas(project, file),
        "provider" if is(Brain::RECORD) => {
            PROVIDERS.iter().map(|known| Known::new(known.name, "provider")).collect()
        }
        "backend" if is(Brain::RECORD) => {
            ["openai_compat", "anthropic"].map(|name| Known::new(name, "protocol")).into()
        }
        "agentId" | "triggerAgentId" | "skip" | "subAgentIds"
            if file.kind == FileKind::Workflow =>
        {
            agents(project, file).into_iter().map(|(id, _)| Known::new(id, "agent")).collect()
        }
        "engine" if file.kind == FileKind::Workflow => engines(project, file),
        "run" if file.kind == FileKind::Agents => engines(project, file),
        "apiVersion" => vec![Known::new("shadow.dev/v1alpha1", "version")],
        _ => Vec::new(),
    }
}

/// The names that branches have most.
pub(super) fn branches() -> Vec<Known> {
    BRANCHES.iter().map(|branch| Known::new(*branch, "branch")).collect()
}

/// The prompts of the project, as references.
fn prompts(project: Project<'_>, file: &RuleFile) -> Vec<Known> {
    let names = project.provider.list(&format!("{}prompts", folder_of(file.name())));
    let stems = names.iter().filter_map(|name| name.strip_suffix(".md"));
    stems
        .map(|stem| Known::new(format!("{{{{prompt.{stem}}}}}"), "prompt of the project"))
        .collect()
}

/// The names that keys of a mapping may be, by the field that it stands in.
pub(super) fn keys_of_field(
    record: &Record,
    field: &str,
    file: &RuleFile,
    surroundings: &Surroundings<'_>,
) -> Vec<Known> {
    let project = surroundings.project();
    let is_state = record.name == ExpectedState::RECORD.name;
    match field {
        "command_classes" => classes(surroundings),
        _ if !is_state => Vec::new(),
        "sets" => names(project, file, SymbolKind::Set),
        "counters" => names(project, file, SymbolKind::Counter),
        "flags" => names(project, file, SymbolKind::Flag),
        _ => Vec::new(),
    }
}

fn names(project: Project<'_>, file: &RuleFile, kind: SymbolKind) -> Vec<Known> {
    let names = related_names(project, file, |one| one.kind == kind && !one.is_of_policy());
    names.into_iter().map(|name| Known::new(name, kind.describe())).collect()
}

/// The classes of commands that are built in.
fn classes(surroundings: &Surroundings<'_>) -> Vec<Known> {
    let classes = surroundings.classes().into_iter();
    classes.map(|name| Known::new(name, "class of commands")).collect()
}

/// The native events.
pub(super) fn native_events() -> Vec<Known> {
    NATIVE_EVENTS.iter().map(|name| Known::new(*name, "native event")).collect()
}

/// The rules that may be expected of the test around: its own, or those of the project.
fn expected(
    project: Project<'_>,
    file: &RuleFile,
    surroundings: &Surroundings<'_>,
    here: Here<'_>,
) -> Vec<Known> {
    let own = here.beside.own_rules().into_iter();
    let own = own.map(|name| Known::new(name, "rule of this test"));
    own.chain(rules(project, file, surroundings)).collect()
}

/// The values of what a path of a request or a response leads to.
fn beside_path(beside: &Beside<'_>) -> Vec<Known> {
    let path = beside.with(&["path"]).and_then(|node| node.get("path")?.as_str());
    match path {
        Some("stop_reason" | "response.stop_reason") => {
            STOP_REASONS.iter().map(|reason| Known::new(*reason, "stop reason")).collect()
        }
        _ => Vec::new(),
    }
}

/// The JSON files that a policy may name, from its folder.
fn schemas(project: Project<'_>, file: &RuleFile) -> Vec<Known> {
    let folder = file.name().rfind('/').and_then(|at| file.name().get(..=at)).unwrap_or_default();
    let places = ["", "schemas/"];
    let found = places.iter().flat_map(|place| {
        let names = project.provider.list(format!("{folder}{place}").trim_end_matches('/'));
        let schemas = names.into_iter().filter(|name| {
            name.ends_with(".json")
                && !name.ends_with(".test.json")
                && !name.ends_with(".policy.json")
        });
        schemas.map(move |name| Known::new(format!("{place}{name}"), "JSON file"))
    });
    found.collect()
}

/// The agents that workflows of a project may name, and what runs each where that is a name.
fn agents(project: Project<'_>, file: &RuleFile) -> Vec<(String, Option<String>)> {
    let own = format!("{}behavior/agents.yaml", root_of(file.name()));
    let files = [own, format!("{LIBRARY_PREFIX}agents.yaml")];
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    for file in files.iter().filter_map(|name| project.file(name)) {
        let agents = file.root.get("agents").and_then(Node::entries).unwrap_or_default();
        for entry in agents {
            if found.iter().all(|(known, _)| **known != *entry.key.text) {
                let run = entry.value.get("run").and_then(Node::as_str).map(str::to_owned);
                found.push((entry.key.text.to_string(), run));
            }
        }
    }
    found
}

/// The programs of agents whose command lines are known.
fn engines(project: Project<'_>, file: &RuleFile) -> Vec<Known> {
    let names: BTreeSet<String> =
        agents(project, file).into_iter().filter_map(|(_, run)| run).collect();
    names.into_iter().map(|name| Known::new(name, "agent's program")).collect()
}

fn policy_rules(project: Project<'_>, file: &RuleFile) -> Vec<Known> {
    let names = related_names(project, file, Occurrence::is_of_policy);
    names.into_iter().map(|name| Known::new(name, "rule of the policy")).collect()
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
    let listed = project.provider.list(directory);
    let is_recording = |path: &str| field != "trace" || !is_schema(project, path);
    let here = |name: &str| match directory {
        "" => name.to_owned(),
        directory => format!("{directory}/{name}"),
    };
    let names = listed.iter().filter(|name| is_wanted(name) && is_recording(&here(name)));
    let mut found: Vec<Known> = names.map(|name| Known::new(name, "file")).collect();
    // Recordings and snapshots mostly have a folder of their own.
    let is_folder = |name: &&String| !name.contains('.') && *name != "target";
    let folders = listed.iter().filter(is_folder).take(MAX_FOLDERS);
    for folder in folders.filter(|_| field != "config") {
        let inside = project.provider.list(&here(folder)).into_iter().filter(is_wanted);
        let wanted = inside.take(MAX_FILES);
        let wanted = wanted.filter(|name| is_recording(&here(&format!("{folder}/{name}"))));
        found.extend(wanted.map(|name| Known::new(format!("{folder}/{name}"), "file")));
    }
    if field == "config" && directory.ends_with("behavior") {
        found.push(Known::new("../behavior.yaml", "the config"));
    }
    found
}

/// Whether a file is a JSON Schema, by what it begins with: no recording is one.
fn is_schema(project: Project<'_>, path: &str) -> bool {
    const BEGINNING: usize = 2_000;
    if !path.ends_with(".json") {
        return false;
    }
    let bytes = project.provider.read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(bytes.get(..BEGINNING).unwrap_or(&bytes)).into_owned();
    let says = |key: &str| text.contains(key);
    says("\"$schema\"")
        || says("\"$defs\"")
        || says("\"type\"") && (says("\"properties\"") || says("\"object\""))
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
            .map(|program| surroundings.subcommands(program))
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
            found.extend(classes(surroundings));
            found
        }
        _ => Vec::new(),
    }
}
