//! Who runs this program, and who sits before an agent: told by the programs above this one. What hides from them,
//! such as a program that was started in the background and given away, is not found out.

use behavior_agents::hook::Agent;

use crate::terminal::Failure;

/// No more programs above this one are looked at.
const MAX_DEPTH: usize = 64;

/// Refuses where an agent runs this program, or a program that runs it. `act` is what only a person can do.
///
/// # Errors
/// When an agent was found.
pub fn refuse_agents(act: &str) -> Result<(), Failure> {
    match agent_above() {
        None => Ok(()),
        Some((agent, _)) => Err(Failure::Message(format!(
            "`{}` runs this command, and only a person can {act}: run it in a terminal of your own",
            agent.name()
        ))),
    }
}

/// Returns the name of the agent that runs this program, where one does.
#[must_use]
pub fn agent() -> Option<&'static str> {
    agent_above().map(|(agent, _)| agent.name())
}

/// Returns whether somebody can answer what the agent above this program asks: it has a terminal, and was not
/// given a prompt that is all that it does. Where nothing tells, nobody is there.
#[must_use]
pub fn is_at_agent() -> bool {
    agent_above().is_some_and(|(agent, process)| is_interactive(agent, &process))
}

/// Returns whether the agent whose hook this is was given all that it does, with nobody before it. Where nothing tells,
/// somebody may be there.
#[must_use]
pub fn is_unattended(agent: Agent) -> bool {
    let above = agent_above().filter(|(above, _)| *above == agent);
    let words = above.iter().flat_map(|(_, process)| process.words.split('\0'));
    agent.is_unattended(words, |name| std::env::var(name).ok())
}

/// A program above this one.
struct Process {
    id: String,
    words: String,
}

/// The agent among the programs that run this one, as far as the system tells.
fn agent_above() -> Option<(Agent, Process)> {
    let mut id = std::process::id().to_string();
    for _ in 0..MAX_DEPTH {
        let process = parent(&id)?;
        let mut names =
            process.words.split('\0').take(2).filter_map(|word| word.rsplit('/').next());
        let found =
            names.find_map(|name| Agent::wired().find(|agent| is_program_of(agent.name(), name)));
        if let Some(agent) = found {
            return Some((agent, process));
        }
        if matches!(&*process.id, "0" | "1") {
            return None;
        }
        id = process.id;
    }
    None
}

#[cfg(target_os = "linux")]
fn parent(id: &str) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in parentheses may hold blanks and parentheses itself.
    let id = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.to_owned();
    let words = std::fs::read(format!("/proc/{id}/cmdline")).ok()?;
    Some(Process { id, words: String::from_utf8_lossy(&words).into_owned() })
}

#[cfg(not(target_os = "linux"))]
fn parent(_id: &str) -> Option<Process> {
    None
}

fn is_interactive(agent: Agent, process: &Process) -> bool {
    let is_terminal = |descriptor: u8| {
        let target = std::fs::read_link(format!("/proc/{}/fd/{descriptor}", process.id));
        target.is_ok_and(|target| target.starts_with("/dev/pts") || target.starts_with("/dev/tty"))
    };
    let is_unattended = || agent.is_unattended(process.words.split('\0'), |_| None);
    is_terminal(0) && is_terminal(1) && !is_unattended()
}

/// Whether a program of this name is the agent's.
fn is_program_of(agent: &str, name: &str) -> bool {
    let name = name.strip_suffix(".js").unwrap_or(name);
    match agent {
        "claude-code" => matches!(name, "claude" | "claude-code"),
        "gemini-cli" => matches!(name, "gemini" | "gemini-cli"),
        "cursor" => matches!(name, "cursor" | "cursor-agent"),
        _ => name == agent,
    }
}
