//! The tools that plans can have: what each is called and what it takes, in the order in which it is given.

/// A tool of plans.
#[derive(Debug, PartialEq, Eq)]
pub struct PlanTool {
    /// Its name.
    pub name: &'static str,
    /// The canonical name under which rules know it.
    pub rules_name: &'static str,
    /// What it takes, in the order of `args`.
    pub parameters: &'static [Parameter],
}

/// What a tool takes.
#[derive(Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, which rules use, too.
    pub name: &'static str,
    /// What else it is called in plans.
    pub other_names: &'static [&'static str],
    /// Whether the tool needs it.
    pub required: bool,
    /// Whether it can be given by its place.
    pub by_place: bool,
    /// Whether it may stand in an object at the end of `args`.
    pub in_options: bool,
}

const fn needs(name: &'static str, other_names: &'static [&'static str]) -> Parameter {
    Parameter { name, other_names, required: true, by_place: true, in_options: true }
}

const fn takes(name: &'static str, other_names: &'static [&'static str]) -> Parameter {
    Parameter { name, other_names, required: false, by_place: true, in_options: true }
}

/// A parameter that only stands in `kwargs` or, for some, among options.
const fn option(name: &'static str, in_options: bool) -> Parameter {
    Parameter { name, other_names: &[], required: false, by_place: false, in_options }
}

const FILE: Parameter = needs("file_path", &["path", "file", "filename"]);

/// The tools.
pub const TOOLS: &[PlanTool] = &[
    PlanTool {
        name: "glob",
        rules_name: "glob",
        parameters: &[needs("pattern", &[]), takes("path", &["directory"])],
    },
    PlanTool {
        name: "ls",
        rules_name: "ls",
        parameters: &[takes("path", &["directory", "file_path"])],
    },
    PlanTool {
        name: "grep",
        rules_name: "grep",
        parameters: &[
            needs("pattern", &["query", "regex"]),
            takes("path", &["directory", "file_path"]),
            takes("glob", &["include"]),
            option("ignore_case", true),
        ],
    },
    PlanTool {
        name: "read",
        rules_name: "read",
        parameters: &[FILE, takes("offset", &[]), takes("limit", &[])],
    },
    PlanTool {
        name: "edit",
        rules_name: "edit",
        parameters: &[
            FILE,
            needs("old_string", &["old", "old_text"]),
            needs("new_string", &["new", "new_text"]),
            option("replace_all", true),
        ],
    },
    PlanTool {
        name: "multi_edit",
        rules_name: "edit",
        parameters: &[FILE, needs("edits", &[]), option("replace_all", true)],
    },
    PlanTool {
        name: "write",
        rules_name: "write",
        parameters: &[
            FILE,
            needs("content", &["contents", "text"]),
            // What replaces a file is said where it cannot be overlooked.
            option("force", false),
        ],
    },
    PlanTool {
        name: "bash",
        rules_name: "bash",
        parameters: &[
            needs("command", &["cmd"]),
            takes("timeout", &[]),
            option("description", true),
        ],
    },
    PlanTool {
        name: "todo_write",
        rules_name: "todo_write",
        parameters: &[needs("todos", &["items"])],
    },
];

/// Returns the tool called `name`, in any case, with or without lines between its words.
#[must_use]
pub fn find(name: &str) -> Option<&'static PlanTool> {
    let plain = |name: &str| -> String {
        let letters = name.trim().chars().filter(|c| !matches!(c, '_' | '-'));
        letters.flat_map(char::to_lowercase).collect()
    };
    let name = plain(name);
    TOOLS.iter().find(|tool| plain(tool.name) == name)
}

/// Returns the tools, for people.
#[must_use]
pub(super) fn listed() -> String {
    let names: Vec<String> = TOOLS.iter().map(|tool| format!("`{}`", tool.name)).collect();
    names.join(", ")
}

impl PlanTool {
    /// Returns the parameter of a name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        let is_it = |one: &&Parameter| one.name == name || one.other_names.contains(&name);
        self.parameters.iter().find(is_it)
    }
}
