//! Finds workflow templates and agents: in the project, in the user's folder, in the standard library.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use behavior_compiler::SourceProvider;
use behavior_compiler::provider::LIBRARY_PREFIX;
use behavior_compiler::workflow::{Origin, TemplateSource, Workflows, compile, is_template_file};
use behavior_image::workflow::WorkflowTable;
use behavior_runtime::Image;
use behavior_runtime::replay::FindWorkflows;

use crate::files;
use crate::project::{self, display};

/// The folder of templates, from the root of a project and in the user's folder.
const FOLDER: &str = "templates/workflows";
/// The agents of a project.
const AGENTS: &str = "behavior/agents.yaml";
/// The user's agents, in the user's folder.
const USERS_AGENTS: &str = "agents.yaml";

/// Where the workflows of a project are, and where they run.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The folder, as it is written in messages; empty for the working directory.
    pub shown: PathBuf,
}

impl Workspace {
    /// Finds the workspace of the working directory: the nearest folder that has workflows, agents or a config, up to
    /// the root of the repository; else that root; outside of one, the working directory.
    #[must_use]
    pub fn find() -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let mut up = PathBuf::new();
        for directory in here.ancestors() {
            let has = |name: &str| directory.join(name).symlink_metadata().is_ok();
            if has(FOLDER) || has(AGENTS) || project::has_config(directory) || has(".git") {
                return Self { shown: up };
            }
            up.push("..");
        }
        Self { shown: PathBuf::new() }
    }

    /// Returns the path of something in it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.shown.join(name)
    }

    /// Returns the files of templates, the nearest first.
    #[must_use]
    pub fn templates(&self) -> Vec<TemplateSource> {
        let mut found = in_folder(&self.path(FOLDER), Origin::Project);
        if let Some(users) = project::users_directory() {
            found.extend(in_folder(&users.join(FOLDER), Origin::User));
        }
        let library = behavior_stdlib::files().filter(|(name, _)| name.starts_with("workflows/"));
        found.extend(library.map(|(name, _)| TemplateSource {
            file: format!("{LIBRARY_PREFIX}{name}"),
            origin: Origin::Library,
        }));
        found
    }

    /// Returns the files that may declare agents, the nearest first.
    #[must_use]
    pub fn agents(&self) -> Vec<String> {
        std::iter::once(display(&self.path(AGENTS))).chain(users_agents()).collect()
    }

    /// Returns the project's own templates and agents.
    #[must_use]
    pub fn rule_files(&self) -> Vec<String> {
        let agents = self.path(AGENTS);
        let agents = agents.is_file().then(|| display(&agents));
        let templates = in_folder(&self.path(FOLDER), Origin::Project).into_iter();
        agents.into_iter().chain(templates.map(|source| source.file)).collect()
    }

    /// Compiles the project's own templates, as far as they have no errors; nothing where it has none.
    #[must_use]
    pub fn own(&self) -> Option<WorkflowTable> {
        let templates = in_folder(&self.path(FOLDER), Origin::Project);
        if templates.is_empty() {
            return None;
        }
        let compiled = compile(&project::provider(), &templates, &self.agents());
        compiled.image.and_then(|image| image.workflows().cloned())
    }

    /// Compiles all templates.
    #[must_use]
    pub fn compile(&self) -> Workflows {
        compile(&project::provider(), &self.templates(), &self.agents())
    }
}

/// Returns the file of the user's own agents.
#[must_use]
pub fn users_agents() -> Option<String> {
    Some(display(&project::users_directory()?.join(USERS_AGENTS)))
}

/// Finds the templates in a folder.
fn in_folder(folder: &Path, origin: Origin) -> Vec<TemplateSource> {
    let names = project::Disk.list(&display(folder)).into_iter();
    let paths = names.map(|name| display(&folder.join(name)));
    let is_ours = |path: &String| {
        is_template_file(path) && Path::new(path).is_file() && !files::is_foreign(path)
    };
    paths.filter(is_ours).map(|file| TemplateSource { file, origin }).collect()
}

/// Returns the templates of the workspace for replays, compiled when the first one asks.
#[must_use]
pub fn for_replays() -> FindWorkflows {
    static IMAGE: OnceLock<Option<Arc<Image>>> = OnceLock::new();
    Box::new(|| IMAGE.get_or_init(|| Workspace::find().compile().image.map(Arc::new)).clone())
}
