//! Where the settings of agents are on this machine, and the command that goes into them.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use behavior_agents::hindrance::{Place, Source};
use behavior_agents::hook::Agent;
use behavior_agents::install::{PROGRAM, UserFile};

use crate::project;
use crate::terminal::Failure;

/// No settings are longer.
const MAX_LENGTH: u64 = 16 << 20;

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of the project, which everybody who works on it shares.
    Project,
    /// The user's own in the project, which nobody else sees.
    Local,
    /// Those of the user, for all projects.
    User,
}

impl Scope {
    /// All, in the order in which they are told.
    pub const ALL: [Scope; 3] = [Scope::Project, Scope::Local, Scope::User];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scope::Project => "project",
            Scope::Local => "local",
            Scope::User => "user",
        }
    }
}

/// Where things are.
#[derive(Clone, Debug)]
pub struct Places {
    /// The project: where its `behavior.yaml` is, else the working directory.
    pub project: PathBuf,
    home: Option<PathBuf>,
}

impl Places {
    /// The places of this process.
    ///
    /// # Errors
    /// When there is no working directory.
    pub fn here() -> Result<Self, Failure> {
        let here = std::env::current_dir().map_err(|error| {
            let reason = project::describe(&error);
            Failure::Message(format!("the working directory cannot be told: {reason}"))
        })?;
        let has_config = |folder: &&Path| project::has_config(folder);
        let project = here.ancestors().find(has_config).unwrap_or(&here).to_owned();
        Ok(Self::of(project))
    }

    /// The places of a project.
    #[must_use]
    pub fn of(project: PathBuf) -> Self {
        Self { project, home: absolute("HOME") }
    }

    /// The file with an agent's hooks.
    #[must_use]
    pub fn file(&self, agent: Agent, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::Project => Some(self.project.join(agent.project_file()?)),
            Scope::Local => Some(self.project.join(agent.local_file()?)),
            Scope::User => Some(self.user_folder(agent)?.join(agent.user_file()?.file)),
        }
    }

    /// The file in which an agent looks for tool servers.
    #[must_use]
    pub fn servers(&self, agent: Agent, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::Project | Scope::Local => Some(self.project.join(agent.servers_file()?)),
            Scope::User => Some(self.user_folder(agent)?.join(agent.user_servers_file()?)),
        }
    }

    /// What is there where the agent is in use.
    #[must_use]
    pub fn sign(&self, agent: Agent, scope: Scope) -> Option<PathBuf> {
        match scope {
            Scope::Project | Scope::Local => {
                let folder = agent.project_file()?.split('/').next()?;
                Some(self.project.join(folder))
            }
            Scope::User => Some(self.user_folder(agent)?.join(agent.user_file()?.sign)),
        }
    }

    /// The files that a source of settings stands for, whether they are there or not.
    #[must_use]
    pub fn source(&self, agent: Agent, source: Source) -> Vec<PathBuf> {
        let path = match source.place {
            Place::Project => Some(self.project.join(source.file)),
            Place::User => self.user_folder(agent).map(|folder| folder.join(source.file)),
            Place::Home => self.home.as_ref().map(|home| home.join(source.file)),
            Place::System => Some(PathBuf::from(source.file)).filter(|path| path.is_absolute()),
        };
        match path {
            Some(folder) if source.file.ends_with('/') => json_files(&folder),
            path => path.into_iter().collect(),
        }
    }

    /// The folder that an agent has for its user.
    #[must_use]
    pub fn user_folder(&self, agent: Agent) -> Option<PathBuf> {
        let file = agent.user_file()?;
        let named = self.named_folder(file);
        named.or_else(|| Some(self.home.as_ref()?.join(file.folder)))
    }

    /// The folder that a variable names to the agent, if it is a whole path.
    pub fn named_folder(&self, file: UserFile) -> Option<PathBuf> {
        let value = PathBuf::from(std::env::var_os(file.variable?)?);
        let of_home = value.strip_prefix("~").ok().filter(|_| file.knows_home);
        let folder = match of_home {
            Some(rest) => self.home.as_ref()?.join(rest),
            None => value,
        };
        folder.is_absolute().then_some(folder)
    }

    /// The file of a user where a variable leads the agent elsewhere: the variable, and the file in the usual place.
    #[must_use]
    pub fn left_behind(&self, agent: Agent) -> Option<(&'static str, PathBuf)> {
        let file = agent.user_file()?;
        let variable = file.variable?;
        let usual = self.home.as_ref()?.join(file.folder).join(file.file);
        let is_moved = self.file(agent, Scope::User).is_some_and(|used| used != usual);
        is_moved.then_some((variable, usual))
    }

    /// Above this no folder is taken away.
    #[must_use]
    pub fn is_above_settings(&self, folder: &Path) -> bool {
        self.project.starts_with(folder)
            || self.home.as_ref().is_some_and(|home| home.starts_with(folder))
    }

    /// A path as users know it.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        let here = std::env::current_dir().unwrap_or_default();
        if let Ok(inner) = path.strip_prefix(&here) {
            return project::display(inner);
        }
        let home = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        home.map_or_else(
            || project::display(path),
            |inner| format!("~/{}", project::display(inner)),
        )
    }
}

/// The JSON files in a folder, in the order of their names.
fn json_files(folder: &Path) -> Vec<PathBuf> {
    /// More than anybody writes.
    const MAX_FILES: usize = 64;
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .take(MAX_FILES)
        .collect();
    paths.sort();
    paths
}

fn absolute(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Why a settings file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The system refuses.
    #[error("{}", project::describe(.0))]
    Io(#[from] std::io::Error),
    /// It holds more than anybody writes.
    #[error("it is longer than settings are")]
    TooLong,
    /// It is no text.
    #[error("it is not UTF-8")]
    NotUtf8(#[from] std::string::FromUtf8Error),
}

/// Returns the text of a settings file, if it is there.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<Option<String>, SettingsError> {
    let mut bytes = Vec::new();
    let read = project::open_regular(path)
        .and_then(|file| file.take(MAX_LENGTH + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > MAX_LENGTH => return Err(SettingsError::TooLong),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    Ok(Some(String::from_utf8(bytes)?))
}

/// The absolute path of this program, as agents are to run it: where it is found by its name, since
/// what it is a link to may move with the next version; else where it is.
///
/// # Errors
/// When it has another name, since nobody would know then that the hook is ours.
pub fn program() -> Result<String, Failure> {
    let own = std::env::current_exe().map_err(|error| {
        Failure::Message(format!(
            "this program's path cannot be told: {}",
            project::describe(&error)
        ))
    })?;
    let is_own = |path: &PathBuf| path.is_absolute() && is_same(path, &own);
    let found = find(&std::env::var_os("PATH").unwrap_or_default(), PROGRAM).find(is_own);
    let path = found.unwrap_or(own);
    if path.file_stem().is_none_or(|name| name != PROGRAM) {
        let message = format!(
            "`{}` has to be called `{PROGRAM}`, so that its hooks can be told from others",
            path.display()
        );
        return Err(Failure::Message(message));
    }
    path.into_os_string().into_string().map_err(|path| {
        let message = format!("the path `{}` is not UTF-8: move the program", path.display());
        Failure::Message(message)
    })
}

/// The files of that name in the folders of a search path, in order.
fn find(search: &OsString, name: &str) -> impl Iterator<Item = PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders: Vec<PathBuf> = std::env::split_paths(search).collect();
    folders.into_iter().map(move |folder| folder.join(&name)).filter(|path| path.is_file())
}

/// The file that a command line's first word stands for, with variables as the shell has them left out.
#[must_use]
pub fn resolve(program: &str) -> Option<PathBuf> {
    match program.contains('/') {
        true => Some(PathBuf::from(program)).filter(|path| path.is_file()),
        false => find(&std::env::var_os("PATH").unwrap_or_default(), program).next(),
    }
}

/// Whether two paths lead to one file.
#[must_use]
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
