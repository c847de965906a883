//! The command that runs an agent for a step: its words, its environment, and how it is told the prompt.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use behavior_compiler::workflow::{AgentDeclaration, AgentRun, NamedAgent};
use behavior_runtime::workflow::NextStep;

/// The variable that names a profile which the hook of an agent enforces besides.
pub const PROFILE: &str = "BEHAVIOR_WORKFLOW_PROFILE";
/// What stands in a command for the prompt.
const PROMPT: &str = "{prompt}";

/// A command that takes a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// What stands on its standard input.
    pub stdin: Option<String>,
    /// Its environment, besides ours.
    pub env: Vec<(String, String)>,
    /// The folder that it runs in, from the workspace.
    pub cwd: PathBuf,
    /// How long it may take.
    pub timeout: Option<Duration>,
}

impl AgentCommand {
    /// Returns the command of an agent for a step, told a prompt.
    ///
    /// # Errors
    /// When a secret that it needs is not set, or its folder leads out of the workspace.
    pub fn new(
        agent: &AgentDeclaration,
        step: &NextStep<'_>,
        prompt: &str,
    ) -> Result<Self, String> {
        let prompt = prompt.replace('\0', "");
        let fill = |word: &String| filled(word, step, &prompt);
        let (words, takes_prompt) = match &agent.run {
            AgentRun::Named(named) => (headless(*named, step), false),
            AgentRun::Command(words) => {
                let takes_prompt = words.iter().any(|word| word.contains(PROMPT));
                (words.iter().map(fill).collect(), takes_prompt)
            }
        };
        Ok(Self {
            words,
            stdin: (!takes_prompt).then_some(prompt),
            env: environment(agent, step)?,
            cwd: folder(agent)?,
            timeout: agent.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        })
    }
}

/// A word with what it names filled in, in one go: what is filled in is not looked at again.
fn filled(word: &str, step: &NextStep<'_>, prompt: &str) -> String {
    let entry = step.step;
    let value = |name: &str| match name {
        "prompt" => Some(prompt),
        "model" => Some(entry.model.as_deref().unwrap_or_default()),
        "engine" => Some(entry.engine.as_deref().unwrap_or_default()),
        _ => None,
    };
    replaced(word, value)
}

/// A text in which `{name}` stands for a value, where there is one.
pub fn replaced<'v>(text: &str, value: impl Fn(&str) -> Option<&'v str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        match behind.split_once('}').and_then(|(name, after)| Some((value(name)?, after))) {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push('{');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The command line of an agent that nobody sits at: each reads its prompt from standard input.
fn headless(agent: NamedAgent, step: &NextStep<'_>) -> Vec<String> {
    let model = step.step.model.as_deref();
    let effort = step.step.reasoning_effort.as_deref();
    let (words, model_flag): (&[&str], &str) = match agent {
        NamedAgent::ClaudeCode => (&["claude", "-p"], "--model"),
        NamedAgent::Codex => (&["codex", "exec"], "--model"),
        NamedAgent::GeminiCli => (&["gemini"], "--model"),
        NamedAgent::OpenCode => (&["opencode", "run"], "--model"),
        NamedAgent::Pi => (&["pi", "-p"], "--model"),
    };
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    if let Some(model) = model {
        words.extend([model_flag.to_owned(), model.to_owned()]);
    }
    match (agent, effort) {
        (NamedAgent::Codex, Some(effort)) => {
            words.extend(["-c".to_owned(), format!("model_reasoning_effort={effort}")]);
        }
        (NamedAgent::Pi, Some(effort)) => {
            words.extend(["--thinking".to_owned(), effort.to_owned()])
        }
        _ => {}
    }
    if agent == NamedAgent::Codex {
        words.push("-".to_owned());
    }
    words
}

/// What the command can know of its step, and what the agent's declaration sets.
fn environment(
    agent: &AgentDeclaration,
    step: &NextStep<'_>,
) -> Result<Vec<(String, String)>, String> {
    let entry = step.step;
    let told = [
        ("BEHAVIOR_STEP", Some(step.index.to_string())),
        ("BEHAVIOR_ITERATION", Some(step.iteration.to_string())),
        ("BEHAVIOR_AGENT_ID", Some(agent.id.clone())),
        ("BEHAVIOR_AGENT_NAME", entry.agent_name.clone()),
        ("BEHAVIOR_LABEL", entry.label.clone()),
        ("BEHAVIOR_ENGINE", entry.engine.clone()),
        ("BEHAVIOR_MODEL", entry.model.clone()),
        ("BEHAVIOR_MODEL_REASONING_EFFORT", entry.reasoning_effort.clone()),
        (PROFILE, agent.profile.clone()),
    ];
    let told = told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let mut all: Vec<(String, String)> = Vec::new();
    // What begins like ours is nobody's to set: it says which rules hold.
    let own = |(name, _): &&(String, String)| !name.starts_with("BEHAVIOR");
    for (name, value) in agent.env.iter().filter(own) {
        all.push((name.clone(), resolved(name, value)?));
    }
    // What we say of the step counts.
    all.extend(told);
    Ok(all)
}

/// A value, or that of the environment variable that it refers to.
fn resolved(name: &str, value: &str) -> Result<String, String> {
    let inner = value.trim().strip_prefix("{{secret.").and_then(|rest| rest.strip_suffix("}}"));
    let Some(secret) = inner.map(str::trim) else { return Ok(value.to_owned()) };
    std::env::var(secret).map_err(|_| {
        format!("`{name}` needs the environment variable `{secret}`, which is not set")
    })
}

/// The folder of an agent, which stays inside of the workspace.
fn folder(agent: &AgentDeclaration) -> Result<PathBuf, String> {
    let path = Path::new(agent.cwd.as_deref().unwrap_or("."));
    let stays =
        path.components().all(|part| matches!(part, Component::CurDir | Component::Normal(_)));
    match stays {
        true => Ok(path.to_owned()),
        false => Err(format!(
            "the folder `{}` of `{}` is not inside of the workspace",
            path.display(),
            agent.id
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let value = |name: &str| match name {
            "input" => Some("{previous}"),
            "previous" => Some("x"),
            _ => None,
        };
        assert_eq!(
            replaced("{input} {previous} {other} {\"a\": {input}}", value),
            "{previous} x {other} {\"a\": {previous}}"
        );
        assert_eq!(replaced("{{input}", value), "{{previous}");
    }
}
