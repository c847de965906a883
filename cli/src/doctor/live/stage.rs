//! The throw-away place in which an agent is started: a copy of what of a project and of its user the hooks go by, and a
//! home, a temporary folder, a state and a cache of its own. It is below one private folder that goes away with it.
//! Nothing outside of that folder is written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use behavior_agents::headless::Stage as Filled;
use behavior_agents::hook::Agent;
use behavior_agents::install::Command;
use behavior_agents::portable::{LeftOut, Portable};

use crate::private_folder::PrivateFolder;
use crate::terminal::Failure;
use crate::wiring::{self, Places, Scope};
use crate::{project, random};

/// What of a project is copied besides the settings of the agent.
const COPIED: [&str; 3] = ["behavior.yaml", "behavior", "prompts"];
/// No more of it is copied: files, bytes of one, and folders in each other.
const MAX_FILES: usize = 1024;
const MAX_BYTES: u64 = 4 << 20;
const MAX_DEPTH: usize = 8;
/// The rule that stops the canary, and the profile that it stands in.
pub const RULE: &str = "doctor_live_canary";
/// What the agent is told to do; its model does what its script says.
const PROMPT: &str = "Try the hook.";

/// The two calls, and what is said of the one that is stopped.
pub struct Canary {
    /// A name that nothing else has.
    pub token: String,
    /// The file that the harmless call makes, which is let run.
    pub twin: String,
    /// The file that the call would make which is stopped.
    pub file: String,
    /// What the agent is told.
    pub reason: String,
}

/// A private place.
pub struct Stage {
    folder: PrivateFolder,
}

/// What was copied of an agent's settings.
#[derive(Default)]
pub struct Copied {
    /// How many files have our hook in them.
    pub files: usize,
    /// What was left out, and of which file.
    pub left_out: Vec<(String, LeftOut)>,
}

impl Canary {
    /// Makes up names that nobody uses.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn new() -> Result<Self, Failure> {
        let token = random::name::<8>()?;
        Ok(Self {
            twin: format!("doctor-twin-{token}"),
            file: format!("doctor-canary-{token}"),
            reason: format!("behavior doctor stops this call to see that it is stopped: {token}"),
            token,
        })
    }

    /// The rules that stop the canary, as a profile: it comes on top of all others and can only tighten.
    fn profile(&self) -> String {
        let (file, reason) = (&self.file, &self.reason);
        format!(
            "name: {RULE}\nrule_definitions:\n  - id: {RULE}\n    trigger: [bash]\n    action: block\n    condition:\n      \
             param_contains: {{ param: command, value: \"{file}\" }}\n    message: \"{reason}\"\n"
        )
    }
}

impl Stage {
    /// Makes the place, which nobody else may look into.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new() -> Result<Self, Failure> {
        let folder = PrivateFolder::new("behavior-live")
            .map_err(|error| Failure::Message(error.to_string()))?;
        let stage = Self { folder };
        for folder in ["home", "project", "state", "cache", "tmp"] {
            let path = stage.root().join(folder);
            fs::create_dir(&path).map_err(|error| failed(&path, &error))?;
        }
        Ok(stage)
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The folder that the agent works in.
    pub fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    /// The home of the agent.
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// Where the log may be of what was decided here: an agent may hand no variable on to its hooks but the home.
    pub fn logs(&self) -> [PathBuf; 2] {
        ["state", "home/.local/state/behavior"]
            .map(|state| self.root().join(state).join("audit.jsonl"))
    }

    /// Puts everything there that the agent needs, and the rule that stops the canary.
    ///
    /// # Errors
    /// When something cannot be copied.
    pub fn set(
        &self,
        agent: Agent,
        places: &Places,
        canary: &Canary,
        is_own: &dyn Fn(&Command) -> bool,
    ) -> Result<Copied, Failure> {
        self.copy_rules(places)?;
        let copied = self.copy_settings(agent, places, is_own)?;
        let profile = self.project().join("behavior").join(format!("{RULE}.yaml"));
        write(&profile, canary.profile().as_bytes())?;
        // The rules of folders above are not looked for.
        for folder in ["objects", "refs"] {
            let path = self.project().join(".git").join(folder);
            fs::create_dir_all(&path).map_err(|error| failed(&path, &error))?;
        }
        write(&self.project().join(".git/HEAD"), b"ref: refs/heads/main\n")?;
        Ok(copied)
    }

    /// Writes the files that the agent needs to find its model.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn point_at(&self, agent: Agent, url: &str) -> Result<(), Failure> {
        let Ok(headless) = agent.headless() else { return Ok(()) };
        let (home, project) = (project::display(&self.home()), project::display(&self.project()));
        for (path, text) in headless.files(&filled(url, &home, &project)) {
            let path = self.home().join(path);
            let text = match wiring::read(&path) {
                Ok(Some(there)) => agent.joined(&there, &text).unwrap_or(text),
                _ => text,
            };
            write(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// The command that starts the agent, with no variable of the user's but those that say who that is and where
    /// programs are.
    pub fn command(&self, agent: Agent, program: &Path, url: &str) -> std::process::Command {
        let (home, project) = (project::display(&self.home()), project::display(&self.project()));
        let filled = filled(url, &home, &project);
        let mut process = self.bare(program);
        if let Ok(headless) = agent.headless() {
            process.args(headless.arguments(&filled)).envs(headless.environment(&filled));
        }
        process
    }

    /// A program in the place, without arguments.
    pub fn bare(&self, program: &Path) -> std::process::Command {
        let mut process = std::process::Command::new(program);
        process.current_dir(self.project()).env_clear();
        for name in ["PATH", "USER", "LOGNAME", "SHELL"] {
            if let Some(value) = std::env::var_os(name) {
                process.env(name, value);
            }
        }
        process
            .env("HOME", self.home())
            .env("TMPDIR", self.root().join("tmp"))
            .env("LANG", "C.UTF-8")
            .env("NO_COLOR", "1")
            .env("BEHAVIOR_STATE_DIR", self.root().join("state"))
            .env("BEHAVIOR_CACHE_DIR", self.root().join("cache"))
            .env(crate::workflow::PROFILE, RULE);
        process
    }

    fn copy_rules(&self, places: &Places) -> Result<(), Failure> {
        let mut left = MAX_FILES;
        for name in COPIED {
            let to = self.project().join(name);
            copy(&places.project.join(name), &to, MAX_DEPTH, &mut left)?;
        }
        match project::users_directory() {
            Some(from) => copy(&from, &self.home().join(".config/behavior"), MAX_DEPTH, &mut left),
            None => Ok(()),
        }
    }

    fn copy_settings(
        &self,
        agent: Agent,
        places: &Places,
        is_own: &dyn Fn(&Command) -> bool,
    ) -> Result<Copied, Failure> {
        let mut copied = Copied::default();
        for scope in Scope::ALL {
            let (Some(from), Some(to)) = (places.file(agent, scope), self.file(agent, scope))
            else {
                continue;
            };
            let shown = places.shown(&from);
            let unreadable =
                |reason: String| Failure::Message(format!("cannot copy `{shown}`: {reason}"));
            let text = wiring::read(&from).map_err(|reason| unreadable(reason.to_string()))?;
            let Some(text) = text else { continue };
            let Portable { text, left_out } =
                agent.portable(&text, is_own).map_err(|refusal| unreadable(refusal.message))?;
            copied.left_out.extend(left_out.into_iter().map(|left| (shown.clone(), left)));
            if text.is_empty() {
                continue;
            }
            copied.files += usize::from(agent.installed(&text).is_ok_and(|all| !all.is_empty()));
            write(&to, text.as_bytes())?;
        }
        copied.left_out.extend(others(agent, places));
        Ok(copied)
    }

    /// Where the copy of an agent's settings goes.
    fn file(&self, agent: Agent, scope: Scope) -> Option<PathBuf> {
        Some(match scope {
            Scope::Project => self.project().join(agent.project_file()?),
            Scope::Local => self.project().join(agent.local_file()?),
            Scope::User => {
                let file = agent.user_file()?;
                self.home().join(file.folder).join(file.file)
            }
        })
    }
}

/// The files that an agent goes by in a project and in the home of its user of which nothing is copied: settings, and
/// plugins beside ours.
fn others(agent: Agent, places: &Places) -> Vec<(String, LeftOut)> {
    let hooks: Vec<PathBuf> =
        Scope::ALL.into_iter().filter_map(|scope| places.file(agent, scope)).collect();
    let sources = agent.sources().iter().filter(|source| !source.is_managed);
    let mut found: Vec<PathBuf> =
        sources.flat_map(|source| places.source(agent, *source)).collect();
    if agent.hooked_events().is_empty() {
        let folders = hooks.iter().filter_map(|path| fs::read_dir(path.parent()?).ok());
        found.extend(folders.flatten().flatten().map(|entry| entry.path()).take(MAX_FILES));
    }
    found.retain(|path| path.exists() && !hooks.contains(path));
    found.sort();
    found.dedup();
    found.iter().map(|path| (places.shown(path), LeftOut::File)).collect()
}

fn filled<'a>(url: &'a str, home: &'a str, project: &'a str) -> Filled<'a> {
    Filled { url, home, project, prompt: PROMPT }
}

/// Copies a file or a folder, if it is there. Links lead anywhere and are not followed; what is too large is left.
fn copy(from: &Path, to: &Path, depth: usize, left: &mut usize) -> Result<(), Failure> {
    let Ok(kind) = from.symlink_metadata() else { return Ok(()) };
    if kind.is_dir() {
        let entries = fs::read_dir(from).map_err(|error| failed(from, &error))?;
        for entry in entries.flatten().filter(|_| depth > 0) {
            copy(&entry.path(), &to.join(entry.file_name()), depth - 1, left)?;
        }
        return Ok(());
    }
    if !kind.is_file() || kind.len() > MAX_BYTES || *left == 0 {
        return Ok(());
    }
    *left -= 1;
    let bytes = fs::read(from).map_err(|error| failed(from, &error))?;
    write(to, &bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes));
    written.map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    let reason = project::describe(error);
    Failure::Message(format!(
        "cannot make the copy to try agents in: `{}`: {reason}",
        path.display()
    ))
}
