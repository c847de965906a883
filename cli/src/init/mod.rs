//! `behavior init`: first rule files, and the hook in the settings of agents. Every change is shown
//! before it is made, and what others wrote stays as it is.

mod outlook;
mod own_folder;
mod questions;
mod starter;

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use behavior_agents::hook::Agent;
use behavior_agents::install::{Left, PROGRAM, Refusal};

use crate::args::{Agents, InitArgs, RuleArgs};
use crate::render::diff::unified;
use crate::report::counted;
use crate::terminal::{Exit, Failure, Terminal};
use crate::wiring::{self, Places, Scope};
use crate::{atomic, project, ready};

/// The config of a project.
const CONFIG: &str = "behavior.yaml";

/// A file that is to change.
struct Change {
    path: PathBuf,
    /// The path as users know it.
    shown: String,
    before: Option<String>,
    /// Nothing where the file is to go.
    after: Option<String>,
    /// Whose settings it holds.
    agent: Option<Agent>,
}

/// Runs the command.
///
/// # Errors
/// When settings cannot be read or written, the rules are not valid, or nobody is there to be asked.
pub fn run(args: &InitArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let places = Places::here()?;
    let scope = match (args.user, args.local) {
        (true, _) => Scope::User,
        (false, true) => Scope::Local,
        (false, false) => Scope::Project,
    };
    let agents = agents(args, &places, scope, terminal)?;
    let changes = match args.uninstall {
        true => removals(&agents, &places, scope)?,
        false => additions(args, &agents, &places, scope, terminal)?,
    };
    if changes.is_empty() {
        terminal.say("nothing to change\n");
        return Ok(Exit::Clean);
    }
    if !terminal.quiet {
        for change in &changes {
            terminal.print(&change.diff(terminal))?;
        }
    }
    if !args.uninstall && scope != Scope::User {
        own_folder::tell(&places.project, terminal);
    }
    if args.dry_run || !agreed(args, changes.len(), terminal)? {
        terminal.say("nothing was changed\n");
        return Ok(Exit::Clean);
    }
    for change in &changes {
        change.make(&places)?;
        if !terminal.quiet {
            let what = if change.after.is_some() { "wrote" } else { "removed" };
            terminal.say(&format!("{what} {}\n", change.shown));
        }
    }
    if !args.uninstall && scope == Scope::Project && args.config.is_empty() {
        crate::trust::ask_for_own(terminal)?;
    }
    let is_start = |change: &Change| change.path.ends_with(CONFIG) && change.before.is_none();
    if !terminal.quiet && changes.iter().any(is_start) {
        tell_outlook(&places, terminal);
    }
    if args.team {
        terminal.note(
            "commit these files. Everybody needs `behavior` on the `PATH` of their agent: where it is missing, calls \
             are refused, and the agent is told why",
        );
    }
    if args.local && !args.uninstall {
        terminal.note("these settings are yours alone: see to it that git ignores them");
    }
    if !args.uninstall {
        changes.iter().filter_map(Change::to_trust_again).for_each(|note| terminal.note(&note));
        tell_what_is_left(&agents, &places, scope, terminal);
    }
    Ok(Exit::Clean)
}

/// The agents that are named, else those that are in use.
fn agents(
    args: &InitArgs,
    places: &Places,
    scope: Scope,
    terminal: &Terminal,
) -> Result<Vec<Agent>, Failure> {
    if !args.agents.is_empty() {
        let agents = Agents::of(&args.agents);
        let lacks = agents.iter().find(|agent| places.file(**agent, scope).is_none());
        // Of all, those that have such a file are meant.
        let is_one = |chosen: &Agents| matches!(chosen, Agents::One(_));
        return match lacks.filter(|_| args.agents.iter().any(is_one)) {
            None => Ok(agents),
            Some(agent) => {
                let name = agent.name();
                Err(Failure::Message(format!(
                    "{name} has no settings in a project that are the user's own: leave out `--local`, or set the \
                     hook for all your projects with `--user`"
                )))
            }
        };
    }
    if args.uninstall {
        return Ok(Agent::wired().collect());
    }
    let mut found = Vec::new();
    for agent in Agent::wired() {
        // An agent that the user has is likely to be used in the project.
        let scopes = if scope == Scope::User { &[Scope::User][..] } else { &Scope::ALL };
        let signs = scopes.iter().filter_map(|scope| places.sign(agent, *scope));
        if let Some(sign) = signs.into_iter().find(|sign| sign.exists()) {
            terminal.note(&format!("found {}: `{}` is there", agent.name(), places.shown(&sign)));
            found.push(agent);
        }
    }
    if found.is_empty() {
        let names: Vec<String> =
            Agent::wired().map(|agent| format!("`{}`", agent.name())).collect();
        let message = format!(
            "no agent was found by its folder; name one with `--agent NAME`: {}",
            names.join(", ")
        );
        if scope == Scope::User {
            return Err(Failure::Message(message));
        }
        terminal.note(&message);
    }
    Ok(found)
}

fn removals(agents: &[Agent], places: &Places, scope: Scope) -> Result<Vec<Change>, Failure> {
    let mut changes = Vec::new();
    for agent in agents {
        let Some(path) = places.file(*agent, scope) else { continue };
        let (before, mut after) = both(read(&path, places)?);
        let refused = |path: &Path, refusal: Refusal| refuse(path, places, &refusal);
        // What its agent does not take, and names nothing of ours, has nothing to do with it.
        let is_foreign =
            |text: &String| !text.contains("behavior") && agent.uninstall(text).is_err();
        if before.as_ref().is_some_and(is_foreign) {
            continue;
        }
        if let Some(text) = &after {
            after = left(agent.uninstall(text).map_err(|refusal| refused(&path, refusal))?);
        }
        let servers = places.servers(*agent, scope).filter(|_| scope != Scope::Local);
        if let Some(text) = after.as_ref().filter(|_| servers.as_ref() == Some(&path)) {
            after = left(agent.unregister(text).map_err(|refusal| refused(&path, refusal))?);
        }
        changes.extend(Change::of(path.clone(), places, before, after));
        let Some(servers) = servers.filter(|servers| *servers != path) else { continue };
        let Some(before) = read(&servers, places)? else { continue };
        // What cannot be read holds nothing of ours: `init` would not have written into it.
        let Ok(rest) = agent.unregister(&before) else { continue };
        changes.extend(Change::of(servers, places, Some(before), left(rest)));
    }
    Ok(changes)
}

/// A text as it is, and as it may become.
fn both(text: Option<String>) -> (Option<String>, Option<String>) {
    (text.clone(), text)
}

fn left(left: Left) -> Option<String> {
    match left {
        Left::Nothing => None,
        Left::Text(text) => Some(text),
    }
}

fn additions(
    args: &InitArgs,
    agents: &[Agent],
    places: &Places,
    scope: Scope,
    terminal: &Terminal,
) -> Result<Vec<Change>, Failure> {
    let mut changes = Vec::new();
    // Where the rules are in the project, they say there which profile they use.
    let is_projects = scope == Scope::Project && args.config.is_empty();
    let config = places.project.join(CONFIG);
    let has_config = config.exists();
    if is_projects && has_config && args.profile.is_some() {
        let shown = places.shown(&config);
        terminal.note(&format!(
            "`{shown}` is there already and stays as it is: `profile:` in it says which profile is used"
        ));
    }
    let profile =
        args.profile.as_deref().or((is_projects && !has_config).then_some(starter::PROFILE));
    let asked = RuleArgs {
        config: args.config.clone(),
        profile: profile.filter(|_| !(is_projects && has_config)).map(str::to_owned),
        allow_unknown_conditions: true,
        also_from: None,
        up_to: None,
        users_profile: None,
        also_profile: None,
    };
    // A hook whose rules are not valid stops everything.
    let _ = ready::load(&asked, terminal)?;
    if let (true, false, Some(profile)) = (is_projects, has_config, profile) {
        changes.extend(starting_files(args, profile, places, terminal)?);
    }
    let options = if is_projects { Vec::new() } else { options(&asked)? };
    let program = if args.team { PROGRAM.to_owned() } else { wiring::program()? };
    for agent in agents {
        let Some(path) = places.file(*agent, scope) else { continue };
        let before = read(&path, places)?;
        let mut command = vec![program.as_str(), "hook", agent.name()];
        command.extend(options.iter().map(String::as_str));
        let refused = |path: &Path, refusal: Refusal| refuse(path, places, &refusal);
        let mut after = agent
            .install(before.as_deref(), &command)
            .map_err(|refusal| refused(&path, refusal))?;
        let servers = places.servers(*agent, scope).filter(|_| args.mcp);
        if servers.as_ref() == Some(&path) {
            let registered = agent.register(Some(&after), &program);
            after = registered.map_err(|refusal| refused(&path, refusal))?;
        }
        let change = Change::of(path.clone(), places, before, Some(after));
        changes.extend(change.map(|change| change.of_agent(*agent)));
        match servers {
            Some(servers) if servers != path => {
                let before = read(&servers, places)?;
                let after = agent
                    .register(before.as_deref(), &program)
                    .map_err(|refusal| refused(&servers, refusal))?;
                changes.extend(Change::of(servers, places, before, Some(after)));
            }
            None if args.mcp => terminal.note(&without_servers(*agent, scope)),
            _ => {}
        }
    }
    Ok(changes)
}

/// Says that an agent is not told of the tool server.
fn without_servers(agent: Agent, scope: Scope) -> String {
    let name = agent.name();
    match agent.servers_file() {
        Some(_) if scope == Scope::User => format!(
            "{name}: it keeps the tool servers of a user among what it writes itself, and is left alone: leave out \
             `--user`, or add `behavior mcp` with its own command"
        ),
        _ => format!("{name}: it takes no tool servers"),
    }
}

/// The options for the hook. An agent may run it anywhere, so that paths are absolute.
fn options(rules: &RuleArgs) -> Result<Vec<String>, Failure> {
    let mut options = Vec::new();
    for path in &rules.config {
        let absolute = std::path::absolute(path).map_err(|error| {
            Failure::Message(format!("`{path}` is no path: {}", project::describe(&error)))
        })?;
        options.extend(["-c".to_owned(), project::display(&absolute)]);
    }
    if let Some(profile) = &rules.profile {
        options.extend(["--profile".to_owned(), profile.clone()]);
    }
    Ok(options)
}

/// The rule files that a project starts with. Who sits at a terminal and names no profile is asked how strict they are
/// to be.
fn starting_files(
    args: &InitArgs,
    profile: &str,
    places: &Places,
    terminal: &Terminal,
) -> Result<Vec<Change>, Failure> {
    let is_asked =
        args.profile.is_none() && !args.yes && !args.dry_run && io::stdin().is_terminal();
    let choices = if is_asked { questions::ask(terminal)? } else { starter::Choices::default() };
    let config = Some(starter::config(profile, &choices));
    let mut changes = Vec::new();
    changes.extend(Change::of(places.project.join(CONFIG), places, None, config));
    let policy = places.project.join(starter::POLICY);
    if !policy.exists() {
        changes.extend(Change::of(policy, places, None, Some(starter::policy().to_owned())));
    }
    Ok(changes)
}

/// Says what the rules that were just written will do.
fn tell_outlook(places: &Places, terminal: &Terminal) {
    let config = project::display(&places.project.join(CONFIG));
    let compilation = behavior_compiler::compile(&project::provider(), &config);
    outlook::tell(&compilation, terminal);
}

fn read(path: &Path, places: &Places) -> Result<Option<String>, Failure> {
    wiring::read(path).map_err(|reason| {
        Failure::Message(format!("cannot read `{}`: {reason}", places.shown(path)))
    })
}

fn refuse(path: &Path, places: &Places, refusal: &Refusal) -> Failure {
    let Refusal { line, column, message } = refusal;
    Failure::Message(format!("{}:{line}:{column}: {message}", places.shown(path)))
}

/// Whether the changes are to be made.
fn agreed(args: &InitArgs, count: usize, terminal: &Terminal) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    if !io::stdin().is_terminal() {
        let message = "nobody is there to be asked, so nothing was changed: look at the changes \
                       above, then run it again with `--yes`";
        return Err(Failure::Message(message.to_owned()));
    }
    crate::question::agrees(&format!("change {}?", counted(count, "file")), terminal)
}

fn tell_what_is_left(agents: &[Agent], places: &Places, scope: Scope, terminal: &Terminal) {
    for agent in agents {
        if let Some(text) = agent.afterwards() {
            terminal.note(&format!("{}: {text}", agent.name()));
        }
        let twice = Scope::ALL.into_iter().filter(|other| *other != scope).find(|other| {
            let text = places.file(*agent, *other).and_then(|path| wiring::read(&path).ok()?);
            let hooks = text.and_then(|text| agent.installed(&text).ok());
            hooks.is_some_and(|hooks| !hooks.is_empty())
        });
        if let Some(other) = twice {
            terminal.note(&format!(
                "{}: the {} settings have the hook, too, and everything is decided twice: take one \
                 out with `behavior init --uninstall`",
                agent.name(),
                other.name()
            ));
        }
    }
    if !agents.is_empty() {
        terminal.note("`behavior doctor` proves that the hooks fire");
    }
}

impl Change {
    /// The change of a file; none where it stays as it is.
    fn of(
        path: PathBuf,
        places: &Places,
        before: Option<String>,
        after: Option<String>,
    ) -> Option<Self> {
        let shown = places.shown(&path);
        (before != after).then_some(Self { path, shown, before, after, agent: None })
    }

    fn of_agent(self, agent: Agent) -> Self {
        Self { agent: Some(agent), ..self }
    }

    /// What an agent has to be told about a hook that it knew and that is another now.
    fn to_trust_again(&self) -> Option<String> {
        let agent = self.agent?;
        let hooks = agent.installed(self.before.as_ref()?).ok()?;
        let what = agent.when_changed().filter(|_| !hooks.is_empty())?;
        Some(format!("{}: {what}", agent.name()))
    }

    /// What changes, as `diff -u` shows it.
    fn diff(&self, terminal: &Terminal) -> String {
        let name = |text: &Option<String>| match text {
            Some(_) => self.shown.clone(),
            None => "/dev/null".to_owned(),
        };
        let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
        let (before, after) = (text(&self.before), text(&self.after));
        unified(&name(&self.before), &name(&self.after), &before, &after, terminal)
    }

    /// Makes the change, if the file is still as it was.
    fn make(&self, places: &Places) -> Result<(), Failure> {
        let failed = |what: &str, error: &io::Error| {
            let reason = project::describe(error);
            Failure::Message(format!("cannot {what} `{}`: {reason}", self.shown))
        };
        if read(&self.path, places)? != self.before {
            let shown = &self.shown;
            let message = format!("`{shown}` was changed meanwhile and stays as it is: try again");
            return Err(Failure::Message(message));
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let Some(after) = &self.after else {
            fs::remove_file(&self.path).map_err(|error| failed("remove", &error))?;
            remove_empty(folder, places);
            return Ok(());
        };
        atomic::stays_inside(&self.path)
            .and_then(|()| fs::create_dir_all(folder))
            .and_then(|()| atomic::write(&self.path, after.as_bytes()))
            .map_err(|error| failed("write", &error))
    }
}

/// Takes folders away that hold nothing any more.
fn remove_empty(folder: &Path, places: &Places) {
    for folder in folder.ancestors() {
        // A folder with something in it cannot be removed.
        if places.is_above_settings(folder) || fs::remove_dir(folder).is_err() {
            return;
        }
    }
}
