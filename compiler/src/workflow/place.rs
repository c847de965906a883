//! Which files are workflow templates or declare agents, and where the project is that they belong to.

use crate::resolve::kind::FileKind;

/// The folder of templates, from the root of a project.
const FOLDER: &str = "templates/workflows";
/// The folder and the file of agents, from the root of a project.
const AGENTS: (&str, &str) = ("behavior", "agents.yaml");

/// The parts of a path, from its end.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.rsplit(['/', '\\'])
}

/// Returns whether a file is a workflow template by its place: `templates/workflows/*.json`, `.yaml` or `.yml`.
#[must_use]
pub fn is_template_file(name: &str) -> bool {
    let mut parts = parts(name);
    let file = parts.next().unwrap_or_default();
    let is_tree = [".json", ".yaml", ".yml"].iter().any(|ending| {
        file.strip_suffix(ending).is_some_and(|stem| !stem.is_empty() && !stem.ends_with(".test"))
    });
    let builtin = name.strip_prefix(crate::provider::LIBRARY_PREFIX);
    let is_builtin = builtin.is_some_and(|name| name.starts_with("workflows/"));
    is_tree
        && (is_builtin || parts.next() == Some("workflows") && parts.next() == Some("templates"))
}

/// Returns whether a file declares agents by its place: `behavior/agents.yaml`.
#[must_use]
pub fn is_agents_file(name: &str) -> bool {
    let mut parts = parts(name);
    let is_builtin = name.strip_prefix(crate::provider::LIBRARY_PREFIX) == Some(AGENTS.1);
    is_builtin || parts.next() == Some(AGENTS.1) && parts.next() == Some(AGENTS.0)
}

/// The kind of a file by its place, if it is one of these.
pub(crate) fn kind_by_place(name: &str) -> Option<FileKind> {
    match () {
        () if is_template_file(name) => Some(FileKind::Workflow),
        () if is_agents_file(name) => Some(FileKind::Agents),
        () => None,
    }
}

/// The kind that the word of a file's first line names, if it is one of these.
pub(crate) fn kind_in_first_line(word: &str) -> Option<FileKind> {
    match word {
        "workflow" => Some(FileKind::Workflow),
        "agents" => Some(FileKind::Agents),
        _ => None,
    }
}

/// The root of the project that a file belongs to, empty or with its slash.
pub(crate) fn root_of(name: &str) -> &str {
    let folder = name.rfind('/').and_then(|slash| name.get(..=slash)).unwrap_or_default();
    let below = [format!("{FOLDER}/"), format!("{}/", AGENTS.0)];
    let root = below.iter().find_map(|below| folder.strip_suffix(below.as_str()));
    root.filter(|root| root.is_empty() || root.ends_with('/')).unwrap_or(folder)
}

/// The files that may declare the agents of a project, nearest first. The user's own folder is called as the folder in
/// a project is.
pub(super) fn agents_of(root: &str) -> Vec<String> {
    let (folder, file) = AGENTS;
    let mut files = vec![format!("{root}{folder}/{file}")];
    if root.strip_suffix('/').is_some_and(|root| parts(root).next() == Some(folder)) {
        files.push(format!("{root}{file}"));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_tell_templates_and_agents() {
        for name in [
            "templates/workflows/a.json",
            "/p/templates/workflows/a.yaml",
            "builtin:workflows/a.json",
        ] {
            assert!(is_template_file(name), "{name}");
        }
        for name in
            ["workflows/a.json", "templates/workflows/a.md", "templates/workflows/a.test.yaml"]
        {
            assert!(!is_template_file(name), "{name}");
        }
        assert!(
            is_agents_file("behavior/agents.yaml")
                && is_agents_file("C:\\p\\behavior\\agents.yaml")
        );
        assert!(!is_agents_file("agents.yaml"));
    }

    #[test]
    fn files_know_their_project() {
        assert_eq!(root_of("templates/workflows/a.json"), "");
        assert_eq!(root_of("p/templates/workflows/a.json"), "p/");
        assert_eq!(root_of("p/behavior/agents.yaml"), "p/");
        assert_eq!(root_of("p/a.json"), "p/");
        assert_eq!(
            agents_of("/c/behavior/"),
            ["/c/behavior/behavior/agents.yaml", "/c/behavior/agents.yaml"]
        );
    }
}
