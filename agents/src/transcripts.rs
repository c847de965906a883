//! Where agents keep the recordings of a project. Nothing here knows any agent, and nothing is looked for.

/// Where an agent keeps the recordings of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcripts {
    /// The folder, from the one that the agent has for its user. They stand in it and below.
    pub folder: String,
    /// What a recording has in its beginning that is one of the project, where the folder is for all projects.
    pub begins_with: Option<String>,
}

impl Transcripts {
    /// Names a folder that is for one project.
    pub(crate) fn of_project(folder: String) -> Self {
        Self { folder, begins_with: None }
    }

    /// Names a folder that is for all projects, and the field by which a recording names its own.
    pub(crate) fn of_all(folder: &str, field: &str, project: &str) -> Self {
        let value = serde_json::Value::from(project);
        Self { folder: folder.to_owned(), begins_with: Some(format!("\"{field}\":{value}")) }
    }
}
