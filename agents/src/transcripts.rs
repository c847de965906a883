//! Where agents keep the recordings of a project. Nothing here knows any agent, and nothing is looked for.

use crate::hook::Agent;

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

impl Agent {
    /// Returns where it keeps the recordings of a project, by the project's whole path; `None` where that is not known.
    #[must_use]
    pub fn transcripts(self, project: &str) -> Option<Transcripts> {
        self.adapter().transcripts(project)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(agent: Agent, folder: &str, begins_with: Option<&str>) {
        let found = agent.transcripts("/home/dev/my_app.rs").expect("it keeps some");
        assert_eq!((&*found.folder, found.begins_with.as_deref()), (folder, begins_with));
    }

    #[test]
    fn recordings_of_a_project_are_where_its_agents_put_them() {
        check(Agent::ClaudeCode, "projects/-home-dev-my-app-rs", None);
        check(Agent::Pi, "sessions/--home-dev-my_app.rs--", None);
        check(Agent::Codex, "sessions", Some("\"cwd\":\"/home/dev/my_app.rs\""));
        assert_eq!(Agent::Native.transcripts("/home"), None);
    }
}
