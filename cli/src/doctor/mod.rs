//! `behavior doctor`: whether the hooks that agents have do what they are there for. Each is run as
//! its agent would run it, with events like the agent's; no session of a real agent is touched.

mod called;
mod checks;
mod diagnosis;
mod finding;
mod installed;
mod live;
mod models;
mod render;
mod trial;

use std::collections::BTreeSet;
use std::path::PathBuf;

use behavior_agents::hook::Agent;
use behavior_agents::install::{Command, Hook, hook_words};

use crate::args::{Agents, DoctorArgs, PlainFormat, RuleArgs};
use crate::terminal::{Exit, Failure, Terminal};
use crate::wiring::{self, Places, Scope};
use checks::Check;
use diagnosis::Diagnosis;
use finding::{Finding, Level};
use installed::Installed;
use trial::Lab;

/// Runs the command.
///
/// # Errors
/// When there is no place to try hooks in, or the output cannot be written.
pub fn run(args: &DoctorArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if args.live {
        live::refuse(args)?;
    }
    let places = Places::here()?;
    let lab = Lab::new(&places.project)?;
    let mut installed = Vec::new();
    let mut missing = Vec::new();
    let named = Agents::of(&args.agents);
    let is_asked = |agent: &Agent| named.is_empty() || named.contains(agent);
    for agent in Agent::wired().filter(is_asked) {
        let found = examine_all(agent, &places, &lab);
        if found.is_empty() && named.contains(&agent) {
            missing.push(agent);
        }
        installed.extend(found);
    }
    let mut checks: Vec<Check> = missing.into_iter().map(checks::not_installed).collect();
    if installed.is_empty() && checks.is_empty() {
        checks.push(checks::nothing_installed());
    }
    checks.extend(checks::rules(&rules_of(&installed), &places));
    checks.extend(models::checks(&rules_of(&installed), args.ask_models));
    checks.extend(models::of_session(args.ask_models));
    checks.extend(checks::passed_over());
    checks.extend([checks::cache(), checks::state()]);
    checks.extend(checks::log());
    checks
        .extend(Agent::wired().filter(is_asked).filter_map(|agent| checks::moved(agent, &places)));
    checks.extend(checks::linked());
    checks.extend(checks::switched_off());
    let live = match args.live {
        true => live::run(args, &installed, &places, terminal)?,
        false => Some(Vec::new()),
    };
    let live = live.unwrap_or_else(|| {
        terminal.say("nothing was started\n");
        Vec::new()
    });
    let diagnosis = Diagnosis { installed, checks, failures: checks::recent_failures(), live };
    terminal.print(&match args.format {
        PlainFormat::Pretty => render::pretty(&diagnosis, terminal),
        PlainFormat::Json => render::json(&diagnosis),
    })?;
    Ok(match diagnosis.worst() {
        Level::Error => Exit::Findings,
        Level::Warning | Level::Good => Exit::Clean,
    })
}

/// The hooks of an agent in all of its files, and whether it calls them.
fn examine_all(agent: Agent, places: &Places, lab: &Lab) -> Vec<Installed> {
    let files =
        Scope::ALL.into_iter().filter_map(|scope| Some((scope, places.file(agent, scope)?)));
    let files: Vec<File> =
        files.filter_map(|(scope, path)| File::read(agent, scope, path)).collect();
    let commands = files.iter().flat_map(|file| file.hooks.iter().map(|hook| &hook.command));
    let settings = called::Settings::of(agent, places, commands);
    let mut installed: Vec<Installed> =
        files.iter().flat_map(|file| file.examine(agent, places, &settings, lab)).collect();
    // What holds for all of them is told once.
    if let Some(first) = installed.first_mut() {
        first.hindrances.splice(0..0, settings.found().iter().cloned());
    }
    installed
}

/// A file of an agent with hooks of ours, or one that cannot be read.
struct File {
    scope: Scope,
    path: PathBuf,
    text: String,
    hooks: Vec<Hook>,
    /// Why it cannot be read: the agent passes such a file over.
    problem: Option<String>,
}

impl File {
    fn read(agent: Agent, scope: Scope, path: PathBuf) -> Option<Self> {
        let (text, found) = match wiring::read(&path) {
            Ok(text) => {
                let text = text?;
                let found = agent.installed(&text).map_err(|refusal| {
                    format!("line {}, column {}: {}", refusal.line, refusal.column, refusal.message)
                });
                (text, found)
            }
            Err(error) => (String::new(), Err(error.to_string())),
        };
        let (hooks, problem) = match found {
            Ok(hooks) => (hooks, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        Some(Self { scope, path, text, hooks, problem })
    }

    /// The hooks in it; several where their commands differ.
    fn examine(
        &self,
        agent: Agent,
        places: &Places,
        settings: &called::Settings,
        lab: &Lab,
    ) -> Vec<Installed> {
        let (scope, file) = (self.scope, places.shown(&self.path));
        if let Some(problem) = &self.problem {
            let events = Finding::error("unreadable", problem.clone());
            let called = Finding::error("no", String::new());
            let hindrances = Vec::new();
            return vec![Installed {
                agent,
                scope,
                file,
                command: None,
                events,
                called,
                hindrances,
                is_kept_out: true,
                trial: None,
            }];
        }
        let events = self.events(agent);
        let rules = self.hooks.iter().find_map(|hook| asked(agent, &hook.command));
        let rules = rules.unwrap_or_else(discovered);
        let is_kept_out = settings.keep_out(scope, &self.path, &self.text, places);
        let own = settings.of_file(scope, &self.path, &self.text, &rules, places);
        let commands: BTreeSet<&Command> = self.hooks.iter().map(|hook| &hook.command).collect();
        let mut installed = Vec::new();
        for (index, command) in commands.into_iter().enumerate() {
            let build = called::in_build_folder(agent, command);
            let called = called::summary(own.iter().chain(settings.found()).chain(&build));
            // What is wrong with the file is told once.
            let own = own.iter().filter(|_| index == 0).cloned();
            installed.push(Installed {
                agent,
                scope,
                file: file.clone(),
                command: Some(command.clone()),
                events: events.clone(),
                called,
                hindrances: own.chain(build).collect(),
                is_kept_out,
                trial: Some(lab.try_out(agent, command)),
            });
        }
        installed
    }

    /// Whether there is a hook for each event.
    fn events(&self, agent: Agent) -> Finding {
        let mut lacking = agent.hooked_events();
        lacking.retain(|event| !self.hooks.iter().any(|hook| hook.event.as_deref() == Some(event)));
        match lacking.as_slice() {
            [] => Finding::good("all"),
            lacking => Finding::warning(
                "some",
                format!("no hook for {}; `behavior init` adds it", lacking.join(", ")),
            ),
        }
    }
}

/// The rules that a hook asks for.
fn asked(agent: Agent, command: &Command) -> Option<RuleArgs> {
    let words = command.words();
    let arguments = hook_words(agent, &words).and_then(|words| words.get(1..))?;
    Some(crate::hook::parse(arguments)?.rules)
}

/// The rules that are found where nothing is said.
fn discovered() -> RuleArgs {
    RuleArgs { allow_unknown_conditions: true, ..RuleArgs::default() }
}

/// The rules that the hooks go by, each way of asking for them once.
fn rules_of(installed: &[Installed]) -> Vec<RuleArgs> {
    let mut found: Vec<RuleArgs> = Vec::new();
    for one in installed {
        let rules = one.command.as_ref().and_then(|command| asked(one.agent, command));
        let Some(rules) = rules else { continue };
        let of = |rules: &RuleArgs| {
            (rules.config.clone(), rules.profile.clone(), rules.users_profile.clone())
        };
        if !found.iter().any(|known| of(known) == of(&rules)) {
            found.push(rules);
        }
    }
    if found.is_empty() {
        found.push(discovered());
    }
    found
}
