//! Agents, as they are named on the command line.

use behavior_agents::hook::Agent;
use behavior_compiler::closest;

/// One agent, or all of them.
#[derive(Clone, Copy, Debug)]
pub enum Agents {
    /// All whose settings are known.
    All,
    /// This one.
    One(Agent),
}

impl Agents {
    /// Returns the agents that are meant, each once, in the order of their names.
    #[must_use]
    pub fn of(chosen: &[Agents]) -> Vec<Agent> {
        let agents = |one: &Agents| match one {
            Agents::All => Agent::wired().collect(),
            Agents::One(agent) => vec![*agent],
        };
        let mut agents: Vec<Agent> = chosen.iter().flat_map(agents).collect();
        agents.sort_by_key(|agent| agent.name());
        agents.dedup();
        agents
    }
}

pub(super) fn agents(text: &str) -> Result<Agents, String> {
    match text {
        "all" => Ok(Agents::All),
        name => agent(name).map(Agents::One),
    }
}

pub(super) fn agent(text: &str) -> Result<Agent, String> {
    let found = Agent::named(text).filter(|agent| Agent::wired().any(|wired| wired == *agent));
    found.ok_or_else(|| unknown_agent(text, Agent::wired()))
}

/// The name of an agent that events and sessions are kept under, for whatever spelling.
pub(super) fn kept_agent(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(Agent::named(text).map_or_else(|| text.to_owned(), |agent| agent.name().to_owned()))
}

/// That there is no agent of a name, with the one that was meant.
pub(super) fn unknown_agent(text: &str, agents: impl Iterator<Item = Agent>) -> String {
    let names: Vec<&str> = agents.map(Agent::name).collect();
    let lower = text.to_lowercase();
    let begins = |name: &&&str| lower.len() > 2 && name.starts_with(&lower);
    let meant = names.iter().find(begins).copied().or_else(|| closest(text, names.iter().copied()));
    match meant {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("the agents are {}", names.join(", "))
        }
    }
}
