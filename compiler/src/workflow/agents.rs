//! The agents that take the steps of workflows.

use super::place::{agents_of, root_of};
use super::read::Reading;
use super::records::{AgentConfig, AgentsFile, NamedAgent, RunConfig};
use crate::decode::{Spanned, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::provider::LIBRARY_PREFIX;
use crate::registry::diagnostics as d;
use crate::resolve::{FileKind, reference};
use crate::source::Span;

/// An agent that takes steps, as it was declared.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentDeclaration {
    /// Its id.
    pub id: String,
    /// What runs it.
    pub run: AgentRun,
    /// What it is told before each step's own prompt.
    pub prompt: Option<String>,
    /// A profile that its hook enforces besides.
    pub profile: Option<String>,
    /// Environment variables, by name; references to secrets stay references.
    pub env: Vec<(String, String)>,
    /// The folder that it runs in, from the project's root.
    pub cwd: Option<String>,
    /// How many seconds a step may take.
    pub timeout: Option<f64>,
    /// The file that declares it.
    pub file: String,
}

/// What runs an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentRun {
    /// A program and its arguments.
    Command(Vec<String>),
    /// An agent whose command line is known.
    Named(NamedAgent),
}

/// The file of the agents that the library declares.
pub(super) fn library() -> String {
    format!("{LIBRARY_PREFIX}agents.yaml")
}

/// Reads the agents of files, the nearest first: of two with one id, the nearer counts.
pub(super) fn declared(reading: &mut Reading<'_>, files: &[String]) -> Vec<AgentDeclaration> {
    let mut all: Vec<AgentDeclaration> = Vec::new();
    for file in files {
        if !reading.is_there(file) || reading.sources.find(file).is_some() {
            continue;
        }
        for agent in of_file(reading, file) {
            if all.iter().all(|known| known.id != agent.id) {
                all.push(agent);
            }
        }
    }
    all
}

/// The files that may declare the agents of the project that a file belongs to, nearest first; `others` are the
/// user's.
pub(super) fn files_for(file: &str, others: &[String]) -> Vec<String> {
    let mut files = agents_of(root_of(file));
    files.extend(others.iter().cloned());
    files.push(library());
    files
}

/// Reads the agents of one file.
pub(super) fn of_file(reading: &mut Reading<'_>, file: &str) -> Vec<AgentDeclaration> {
    let Some((_, record)) = reading.record::<AgentsFile>(file, FileKind::Agents) else {
        return Vec::new();
    };
    let agents = record.agents.unwrap_or_default().0;
    agents.into_iter().filter_map(|(id, agent)| lower(reading, file, id, agent.value)).collect()
}

fn lower(
    reading: &mut Reading<'_>,
    file: &str,
    id: Spanned<Box<str>>,
    config: AgentConfig,
) -> Option<AgentDeclaration> {
    if id.value.trim().is_empty() {
        let message = "the id of an agent is empty";
        reading.report(Diagnostic::new(&d::EMPTY_WORKFLOW, id.span, message));
        return None;
    }
    let prompt = config.prompt.and_then(|prompt| reading.prompt(file, &prompt));
    let profile = config.profile.as_ref().map(|profile| profile.text().to_owned());
    if let Some(profile) = &config.profile {
        check_profile(reading, file, profile.text(), profile.span());
    }
    let timeout = config.timeout.and_then(|timeout| {
        let is_right = timeout.value.is_finite() && timeout.value > 0.0;
        if !is_right {
            let message = "a timeout is a number of seconds above 0";
            reading.report(Diagnostic::new(&d::OUT_OF_RANGE, timeout.span, message));
        }
        is_right.then_some(timeout.value)
    });
    let env = config.env.unwrap_or_default().0.into_iter();
    Some(AgentDeclaration {
        id: id.value.into(),
        run: run(reading, config.run?)?,
        prompt: prompt.filter(|prompt| !prompt.is_empty()),
        profile: profile.map(|name| reference::profile_name(&name).to_owned()),
        env: env.map(|(name, value)| (name.value.into(), value.value.into())).collect(),
        cwd: config.cwd.map(|cwd| cwd.value.into()),
        timeout,
        file: file.to_owned(),
    })
}

fn run(reading: &mut Reading<'_>, run: RunConfig) -> Option<AgentRun> {
    match run {
        RunConfig::Named(agent) => Some(AgentRun::Named(agent)),
        RunConfig::Command(words, span) => match words.first() {
            Some((program, _)) if !program.trim().is_empty() => {
                Some(AgentRun::Command(words.into_iter().map(|(word, _)| word.into()).collect()))
            }
            first => {
                let span = first.map_or(span, |(_, span)| *span);
                let message = "a command needs a program to run";
                reading.report(
                    Diagnostic::new(&d::EMPTY_WORKFLOW, span, message)
                        .help("write its words, such as `[make, test]`"),
                );
                None
            }
        },
    }
}

fn check_profile(reading: &mut Reading<'_>, file: &str, profile: &str, span: Span) {
    let root = root_of(file);
    let name = reference::profile_name(profile);
    let builtin = reading.provider.list(LIBRARY_PREFIX);
    let is_known = builtin.iter().any(|known| known == name)
        || reference::is_plain_name(name)
            && reading.is_there(&format!("{root}behavior/{name}.yaml"));
    if is_known {
        return;
    }
    let message = format!("there is no profile `{name}`");
    let report = Diagnostic::new(&d::UNKNOWN_PROFILE, span, message);
    let names = builtin.iter().map(String::as_str);
    reading.report(did_you_mean(report, name, names, "profiles"));
}
