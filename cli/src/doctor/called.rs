//! Whether an agent calls the hooks that it has, and hears what they answer: what in its settings, in what it was told
//! to trust and in its environment keeps it from that, although the hook answers when it is run.

use std::path::Path;

use behavior_agents::hindrance::{Effect, Hindrance, Installation, Source};
use behavior_agents::hook::Agent;
use behavior_agents::install::{Command, hook_words};
use behavior_agents::tools::Tool;
use behavior_facts::tools::{normalise, selects};
use behavior_runtime::{Layers, Phase};

use super::finding::{Finding, Level};
use super::models;
use crate::args::RuleArgs;
use crate::project;
use crate::rules::{self, Rules};
use crate::wiring::{self, Places, Scope};

/// So many tools are named.
const TOOLS_SHOWN: usize = 5;

/// What an agent goes by besides the file with its hooks.
pub struct Settings {
    agent: Agent,
    files: Vec<(Source, String)>,
    /// What of it keeps hooks from being called or heard.
    found: Vec<Finding>,
}

impl Settings {
    /// Reads what there is. `commands` are what the agent's hooks run.
    pub fn of<'a>(
        agent: Agent,
        places: &Places,
        commands: impl Iterator<Item = &'a Command>,
    ) -> Self {
        let is_searched = is_searched(agent, commands);
        let mut settings = Self { agent, files: Vec::new(), found: Vec::new() };
        for source in agent.sources() {
            for path in places.source(agent, *source) {
                // A file that cannot be read says nothing to the agent either.
                let Ok(Some(text)) = wiring::read(&path) else { continue };
                let found = agent.hindrances_in(*source, &text, is_searched);
                settings.found.extend(found.iter().map(|one| told(one, &path, places)));
                settings.files.push((*source, text));
            }
        }
        settings
    }

    /// What keeps the agent from calling or hearing any hook.
    pub fn found(&self) -> &[Finding] {
        &self.found
    }

    /// What keeps it from calling or hearing the hooks of a file.
    pub fn of_file(
        &self,
        scope: Scope,
        path: &Path,
        text: &str,
        asked: &RuleArgs,
        places: &Places,
    ) -> Vec<Finding> {
        let mut own = self.agent.hindrances(text);
        own.extend(self.agent.too_short_for_models(text, &models::limits(self.agent, asked)));
        let all = own.into_iter().chain(self.trust(scope, path, text, places));
        all.map(|one| told(&with_tools(one, asked), path, places)).collect()
    }

    /// Whether something keeps the agent from calling the hooks of a file that does not stand in that file.
    pub fn keep_out(&self, scope: Scope, path: &Path, text: &str, places: &Places) -> bool {
        let silences = |one: &Hindrance| one.effect == Effect::Silences;
        self.found.iter().any(|finding| finding.level == Level::Error)
            || self.trust(scope, path, text, places).iter().any(silences)
    }

    /// What the agent has not been told yet, so that it does not call the hooks of a file.
    fn trust(&self, scope: Scope, path: &Path, text: &str, places: &Places) -> Vec<Hindrance> {
        let whole = |path: &Path| {
            project::display(&path.canonicalize().unwrap_or_else(|_| path.to_owned()))
        };
        let project = whole(&places.project);
        let installation = Installation {
            path: &whole(path),
            text,
            project: (scope != Scope::User).then_some(project.as_str()),
            others: &self.files,
        };
        self.agent.trust(&installation)
    }
}

/// Whether a hook names a program that is looked for where `PATH` says.
fn is_searched<'a>(agent: Agent, mut commands: impl Iterator<Item = &'a Command>) -> bool {
    commands.any(|command| {
        let words = command.words();
        let program = hook_words(agent, &words).and_then(<[String]>::first);
        program.is_some_and(|program| !program.contains(['/', '\\']))
    })
}

/// The word for the table: whether the hook is called, for what was found.
pub fn summary<'a>(found: impl Iterator<Item = &'a Finding>) -> Finding {
    match found.map(|finding| finding.level).max() {
        None | Some(Level::Good) => Finding::good("yes"),
        Some(Level::Warning) => Finding::warning("perhaps", String::new()),
        Some(Level::Error) => Finding::error("no", String::new()),
    }
}

/// That the program lies where builds put it, and may be gone or half written at any time.
pub fn in_build_folder(agent: Agent, command: &Command) -> Option<Finding> {
    let words = command.words();
    let path = wiring::resolve(hook_words(agent, &words)?.first()?)?;
    let path = path.canonicalize().unwrap_or(path);
    // Cargo marks the folder that it builds in, wherever that is.
    let is_of_builds =
        |folder: &Path| folder.ends_with("target") || folder.join("CACHEDIR.TAG").is_file();
    let mut debugs = path.ancestors().filter(|folder| folder.ends_with("debug"));
    let is_debug = debugs.any(|debug| debug.ancestors().skip(1).any(is_of_builds));
    is_debug.then(|| {
        let message = format!(
            "`{}` lies in a build folder, where every build changes it and `cargo clean` takes it away: install \
             the program, and run `behavior init` again with that one",
            path.display()
        );
        Finding::warning("build", message)
    })
}

fn told(one: &Hindrance, path: &Path, places: &Places) -> Finding {
    let message = format!("{}:{}: {}", places.shown(path), one.line, one.message);
    match one.effect {
        Effect::Silences => Finding::error("never", message),
        Effect::Weakens => Finding::warning("not always", message),
    }
}

/// A hindrance that leaves tools out, with those that rules are about: then the rules do not hold.
fn with_tools(one: Hindrance, asked: &RuleArgs) -> Hindrance {
    if one.tools.is_empty() {
        return one;
    }
    let layers = match rules::load(asked, |_| {}) {
        Ok(Rules::Ready { layers, .. }) => Some(layers),
        _ => None,
    };
    let is_ruled =
        |tool: &&&'static Tool| layers.as_ref().is_none_or(|layers| is_ruled(layers, tool));
    let ruled: Vec<&'static Tool> = one.tools.iter().filter(is_ruled).copied().collect();
    let (effect, tools, which) = match ruled.is_empty() {
        true => (one.effect, &one.tools, "is not called for"),
        false => (Effect::Silences, &ruled, "rules are about tools for which it is not called:"),
    };
    let mut names: Vec<String> =
        tools.iter().take(TOOLS_SHOWN).map(|tool| format!("`{}`", tool.native)).collect();
    if tools.len() > TOOLS_SHOWN {
        names.push(format!("{} more", tools.len() - TOOLS_SHOWN));
    }
    let message = format!("{} ({which} {})", one.message, names.join(", "));
    Hindrance { effect, message, ..one }
}

/// Whether a rule may stop a call of a tool.
fn is_ruled(layers: &Layers, tool: &Tool) -> bool {
    if layers.policy().is_in_force() {
        return true;
    }
    let (mut trigger, mut name) = (String::new(), String::new());
    layers.rules().iter().filter(|rule| rule.phase == Phase::PreTool).any(|rule| {
        rule.trigger.split(", ").any(|one| {
            normalise(one, &mut trigger);
            [tool.native, tool.canonical].iter().any(|tool| {
                normalise(tool, &mut name);
                selects(&trigger, &name)
            })
        })
    })
}
