//! `behavior doctor`: whether the hooks that agents have do what they are there for. Each is run as
//! its agent would run it, with events like the agent's; no session of a real agent is touched.

mod checks;
mod finding;
mod render;
mod trial;

use std::collections::BTreeSet;
use std::path::Path;

use behavior_agents::hook::Agent;
use behavior_agents::install::{Command, hook_words};

use crate::args::{DoctorArgs, PlainFormat, RuleArgs};
use crate::terminal::{Exit, Failure, Terminal};
use crate::wiring::{self, Places, Scope};
use checks::Check;
use finding::{Finding, Level};
use trial::{Lab, Trial};

/// A hook in a settings file.
pub struct Installed {
    agent: Agent,
    scope: Scope,
    /// The file, as users know it.
    file: String,
    /// The line or the words that the agent runs; none where the file tells none.
    command: Option<Command>,
    /// Whether all events are there, and which not.
    events: Finding,
    /// What came of trying it.
    trial: Option<Trial>,
}

/// Everything that was found out.
pub struct Diagnosis {
    installed: Vec<Installed>,
    checks: Vec<Check>,
    failures: Vec<checks::Failed>,
}

/// Runs the command.
///
/// # Errors
/// When there is no place to try hooks in, or the output cannot be written.
pub fn run(args: &DoctorArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let places = Places::here()?;
    let lab = Lab::new(&places.project)?;
    let mut installed = Vec::new();
    let mut missing = Vec::new();
    for agent in Agent::wired() {
        if !args.agents.is_empty() && !args.agents.contains(&agent) {
            continue;
        }
        let before = installed.len();
        for scope in Scope::ALL {
            if let Some(path) = places.file(agent, scope) {
                installed.extend(examine(agent, scope, &path, &places, &lab));
            }
        }
        if installed.len() == before && args.agents.contains(&agent) {
            missing.push(agent);
        }
    }
    let mut checks: Vec<Check> = missing.into_iter().map(checks::not_installed).collect();
    if installed.is_empty() && checks.is_empty() {
        checks.push(checks::nothing_installed());
    }
    checks.extend(checks::rules(&rules_of(&installed), &places));
    checks.extend(checks::passed_over());
    checks.extend([checks::cache(), checks::state()]);
    checks.extend(checks::log());
    let mut agents: Vec<Agent> = installed.iter().map(|one| one.agent).collect();
    agents.dedup();
    checks.extend(checks::switched_off_in_settings(&agents, &places));
    checks.extend(checks::linked());
    checks.extend(checks::switched_off());
    let diagnosis = Diagnosis { installed, checks, failures: checks::recent_failures() };
    terminal.print(&match args.format {
        PlainFormat::Pretty => render::pretty(&diagnosis, terminal),
        PlainFormat::Json => render::json(&diagnosis),
    })?;
    Ok(match diagnosis.worst() {
        Level::Error => Exit::Findings,
        Level::Warning | Level::Good => Exit::Clean,
    })
}

/// The hooks of an agent in one file; several where their commands differ.
fn examine(agent: Agent, scope: Scope, path: &Path, places: &Places, lab: &Lab) -> Vec<Installed> {
    let file = places.shown(path);
    let unreadable = |reason: String| {
        let events = Finding::error("unreadable", reason);
        vec![Installed { agent, scope, file: file.clone(), command: None, events, trial: None }]
    };
    let text = match wiring::read(path) {
        Ok(Some(text)) => text,
        Ok(None) => return Vec::new(),
        Err(error) => return unreadable(error.to_string()),
    };
    let hooks = match agent.installed(&text) {
        Ok(hooks) => hooks,
        // The agent passes such a file over.
        Err(refusal) => {
            return unreadable(format!(
                "line {}, column {}: {}",
                refusal.line, refusal.column, refusal.message
            ));
        }
    };
    let mut lacking = agent.hooked_events();
    lacking.retain(|event| !hooks.iter().any(|hook| hook.event.as_deref() == Some(event)));
    let events = match lacking.as_slice() {
        [] => Finding::good("all"),
        lacking => Finding::warning(
            "some",
            format!("no hook for {}; `behavior init` adds it", lacking.join(", ")),
        ),
    };
    let commands: BTreeSet<Command> = hooks.into_iter().map(|hook| hook.command).collect();
    let examined = commands.into_iter().map(|command| Installed {
        agent,
        scope,
        file: file.clone(),
        trial: Some(lab.try_out(agent, &command)),
        command: Some(command),
        events: events.clone(),
    });
    examined.collect()
}

/// The rules that the hooks go by, each way of asking for them once.
fn rules_of(installed: &[Installed]) -> Vec<RuleArgs> {
    let mut found: Vec<RuleArgs> = Vec::new();
    for one in installed {
        let words = one.command.as_ref().map(Command::words).unwrap_or_default();
        let arguments = hook_words(one.agent, &words).and_then(|words| words.get(1..));
        let Some(request) = arguments.and_then(crate::hook::parse) else { continue };
        let asked = |rules: &RuleArgs| (rules.config.clone(), rules.profile.clone());
        if !found.iter().any(|known| asked(known) == asked(&request.rules)) {
            found.push(request.rules);
        }
    }
    if found.is_empty() {
        found.push(RuleArgs { allow_unknown_conditions: true, ..RuleArgs::default() });
    }
    found
}

impl Installed {
    /// Everything that was found out, each with its name.
    fn findings(&self) -> Vec<(&'static str, &Finding)> {
        let mut findings = vec![("events", &self.events)];
        if let Some(trial) = &self.trial {
            findings.extend([
                ("program", &trial.program),
                ("fires", &trial.fires),
                ("blocks", &trial.blocks),
                ("fails_closed", &trial.fails_closed),
            ]);
        }
        findings
    }
}

impl Diagnosis {
    fn levels(&self) -> impl Iterator<Item = Level> {
        let of_hooks = self.installed.iter().flat_map(Installed::findings);
        let of_hooks = of_hooks.map(|(_, finding)| finding.level);
        let of_checks = self.checks.iter().map(|check| check.finding.level);
        of_hooks.chain(of_checks).chain(self.failures.first().map(|_| Level::Warning))
    }

    fn worst(&self) -> Level {
        self.levels().max().unwrap_or(Level::Good)
    }

    fn count(&self, level: Level) -> usize {
        self.levels().filter(|found| *found == level).count()
    }
}
