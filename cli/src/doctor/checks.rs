//! What all hooks need besides their settings: valid rules, and places to write to.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use behavior_agents::hook::Agent;
use serde_json::Value;

use super::finding::Finding;
use crate::args::RuleArgs;
use crate::live::{self, audit};
use crate::report::{Report, counted};
use crate::rules::{self, DEFAULT_PRESET, Rules};
use crate::wiring::{self, Places, Scope};
use crate::{neighbours, project};

/// Failures of longer ago are history.
const RECENT: Duration = Duration::from_secs(24 * 60 * 60);
/// So much of the log is looked at, from its end.
const TAIL: u64 = 256 << 10;

/// Something that was looked at.
pub struct Check {
    /// What it is about.
    pub name: &'static str,
    /// What was found.
    pub finding: Finding,
}

/// A failure of a live hook.
pub struct Failed {
    /// In milliseconds since the epoch.
    pub time: i64,
    /// The agent's name.
    pub agent: String,
    /// What went wrong, for people.
    pub message: String,
}

/// An agent that was asked for and has no hook.
pub fn not_installed(agent: Agent) -> Check {
    let name = agent.name();
    let message = format!("{name} does not have the hook: `behavior init --agent {name}` sets it");
    Check { name: "installed", finding: Finding::error("no", message) }
}

/// No agent has the hook.
pub fn nothing_installed() -> Check {
    let message = "no agent has the hook: `behavior init` sets it".to_owned();
    Check { name: "installed", finding: Finding::error("no", message) }
}

/// Whether the rules can be used, for each way in which hooks ask for them.
pub fn rules(asked: &[RuleArgs], places: &Places) -> Vec<Check> {
    asked
        .iter()
        .map(|rules| Check { name: "rules", finding: rules_finding(rules, places) })
        .collect()
}

fn rules_finding(args: &RuleArgs, places: &Places) -> Finding {
    let named: Vec<String> =
        args.find().own_entries().iter().map(|entry| places.shown(Path::new(entry))).collect();
    let named = match (named.as_slice(), &args.profile) {
        ([], None) => format!("no `behavior.yaml`: the preset `{DEFAULT_PRESET}`"),
        ([], Some(profile)) => format!("the profile `{profile}`"),
        (entries, None) => entries.join(", "),
        (entries, Some(profile)) => format!("{} with the profile `{profile}`", entries.join(", ")),
    };
    match rules::load(args, |_| {}) {
        Ok(Rules::Ready { layers, compilations, waiting }) => {
            let rules = counted(layers.rules().len() as usize, "rule");
            let policy = if layers.policy().is_in_force() { " and a policy" } else { "" };
            let message = format!("{named}: {rules}{policy}");
            let known = compilations.iter().flatten();
            let unknown: Vec<String> = known.flat_map(rules::not_understood).collect();
            if let Some(first) = waiting.first() {
                let waits = format!("{message}; waits for `behavior trust`: {first}");
                return Finding::warning("not trusted", waits);
            }
            if unknown.is_empty() {
                return Finding { message, ..Finding::good("valid") };
            }
            let unknown = unknown.join("; ");
            Finding::warning("valid", format!("{message}, and some that never fire: {unknown}"))
        }
        Ok(Rules::Broken(compilation)) => {
            let summary = Report::of(&compilation).summary();
            let message = format!("{named}: {summary}; `behavior check` shows them");
            Finding::error("invalid", message)
        }
        Err(error) => Finding::error("invalid", error.to_string()),
    }
}

/// Files that look like rules and are read by nothing.
pub fn passed_over() -> impl Iterator<Item = Check> {
    neighbours::passed_over()
        .into_iter()
        .map(|note| Check { name: "files", finding: Finding::warning("unread", note) })
}

/// Whether compiled rules can be kept.
pub fn cache() -> Check {
    let place = live::cache_directory(|name| std::env::var_os(name));
    let finding = match writable(place, "BEHAVIOR_CACHE_DIR") {
        Ok(finding) => finding,
        Err(reason) => {
            Finding::warning("no", format!("{reason}; every event compiles the rules anew"))
        }
    };
    Check { name: "cache", finding }
}

/// Whether sessions can be kept.
pub fn state() -> Check {
    let place = live::usual_directory(|name| std::env::var_os(name));
    let finding = match writable(place, "BEHAVIOR_STATE_DIR") {
        Ok(finding) => finding,
        Err(reason) => Finding::error("no", format!("{reason}; no event can be decided")),
    };
    Check { name: "state", finding }
}

/// Whether what is decided can be written down; nothing where the directory says it all.
pub fn log() -> Option<Check> {
    let path = live::usual_directory(|name| std::env::var_os(name))?.join(audit::FILE);
    // One that is not there yet is made with the first line.
    path.symlink_metadata().ok()?;
    let error = audit::open(&path).err()?;
    let finding = Finding::warning("no", audit::unwritten(&path, &error));
    Some(Check { name: "log", finding })
}

/// What it costs that the program asks for libraries when it starts, if it does. Every event starts it.
pub fn linked() -> Option<Check> {
    let is_dynamic = cfg!(all(target_os = "linux", not(target_feature = "crt-static")));
    let message = "this program is linked dynamically: each event takes about 0.3 ms longer than \
                   with one that `cargo static` builds";
    let finding = Finding { message: message.to_owned(), ..Finding::good("dynamic") };
    is_dynamic.then_some(Check { name: "program", finding })
}

/// That a variable leads an agent to another folder than usual, and the hook is only in one of the two.
pub fn moved(agent: Agent, places: &Places) -> Option<Check> {
    let file = agent.user_file()?;
    let variable = file.variable?;
    let name = agent.name();
    let found = |finding| Some(Check { name: "moved", finding });
    if std::env::var_os(variable).is_some() && places.named_folder(file).is_none() {
        let message = format!(
            "`{variable}` is no whole path, so that nobody can tell from here where {name} looks for its hooks"
        );
        return found(Finding::warning("unknown", message));
    }
    let (_, usual) = places.left_behind(agent)?;
    let used = places.file(agent, Scope::User)?;
    let has_hook = |path: &Path| {
        let text = wiring::read(path).ok().flatten();
        text.is_some_and(|text| agent.installed(&text).is_ok_and(|hooks| !hooks.is_empty()))
    };
    let in_project =
        [Scope::Project, Scope::Local].iter().filter_map(|scope| places.file(agent, *scope));
    let is_in_project = in_project.into_iter().any(|path| has_hook(&path));
    let (used_shown, usual_shown) = (places.shown(&used), places.shown(&usual));
    match (has_hook(&used), has_hook(&usual)) {
        (false, true) => {
            let message = format!(
                "`{variable}` leads {name} to `{used_shown}`, where the hook is not; it is in `{usual_shown}`. \
                 `behavior init --user --agent {name}` puts it where the variable leads"
            );
            found(match is_in_project {
                true => Finding::warning("moved", message),
                false => Finding::error("moved", message),
            })
        }
        (true, false) if !is_in_project => {
            let message = format!(
                "the hook is only in `{used_shown}`, where `{variable}` leads {name}; started without the variable, \
                 it looks into `{usual_shown}`, where there is none"
            );
            found(Finding::warning("moved", message))
        }
        _ => None,
    }
}

/// The switch that turns all hooks off, if it is set.
pub fn switched_off() -> Option<Check> {
    let message =
        "`BEHAVIOR=off` is set: agents that are started like this have no rules".to_owned();
    let finding = Finding::warning("off", message);
    is_switched_off().then_some(Check { name: "switch", finding })
}

/// Whether the environment switches rules off.
pub fn is_switched_off() -> bool {
    std::env::var("BEHAVIOR").is_ok_and(|value| value.eq_ignore_ascii_case("off"))
}

/// Why no file can be made in a directory.
#[derive(Debug, thiserror::Error)]
enum WriteError {
    #[error("nothing says where: set `{0}`")]
    Unknown(&'static str),
    #[error("`{}` cannot be written to: {}", place.display(), project::describe(error))]
    Refused { place: PathBuf, error: std::io::Error },
}

/// Whether files can be made in a directory, which `variable` can name.
fn writable(place: Option<PathBuf>, variable: &'static str) -> Result<Finding, WriteError> {
    let place = place.ok_or(WriteError::Unknown(variable))?;
    let probe = place.join(format!("doctor-{}", std::process::id()));
    let made = live::store::create_private(&place).and_then(|()| File::create_new(&probe));
    match made.and_then(|_| std::fs::remove_file(&probe)) {
        Ok(()) => Ok(Finding { message: place.display().to_string(), ..Finding::good("writable") }),
        Err(error) => Err(WriteError::Refused { place, error }),
    }
}

/// What went wrong lately in live hooks, oldest first.
pub fn recent_failures() -> Vec<Failed> {
    let Some(directory) = live::usual_directory(|name| std::env::var_os(name)) else {
        return Vec::new();
    };
    let Ok(text) = tail(&directory.join(audit::FILE)) else { return Vec::new() };
    let since = SystemTime::now() - RECENT;
    let since = since.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let failed = |line: &str| {
        let line: Value = serde_json::from_str(line).ok()?;
        let text = |name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
        let time = line.get("ts").and_then(Value::as_i64)?;
        let failed = Failed { time, agent: text("agent")?, message: text("failure")? };
        u128::try_from(time).is_ok_and(|time| time >= since).then_some(failed)
    };
    text.lines().filter_map(failed).collect()
}

/// The last part of a file.
fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
