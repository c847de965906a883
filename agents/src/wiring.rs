//! Where and how agents' hooks are set: the types of what each agent's folder says of it. Nothing here knows any
//! agent, and nothing is read or written.

use behavior_runtime::model::Purpose;

use crate::matcher::Matching;
use crate::settings::Dialect;

/// Where and how an agent's hooks are set.
pub(crate) struct Wiring {
    /// The file in a project.
    pub(crate) project: &'static str,
    /// The file of a user.
    pub(crate) user: UserFile,
    /// The user's own file in a project, which is not shared. Its hooks and settings count as well.
    pub(crate) local: Option<&'static str>,
    /// The files in which something may stand that keeps hooks from being called, or their answers from counting.
    pub(crate) sources: &'static [Source],
    /// The settings in these files that do.
    pub(crate) switches: &'static [Switch],
    /// The setting that holds variables for the agent and what it starts.
    pub(crate) variables: Option<&'static str>,
    /// The variable in which the agent tells its hooks where the project is.
    pub(crate) project_variable: Option<&'static str>,
    /// What the user has to do once it is there, and what else is good to know.
    pub(crate) afterwards: &'static str,
    /// The latest version that the hook was tried with, and where the agent writes down its own.
    pub(crate) tried: Option<Tried>,
    /// What the user has to do once a hook that was there has been changed.
    pub(crate) when_changed: Option<&'static str>,
    /// What the file is.
    pub(crate) means: Means,
    /// Where it looks for tool servers; `None` for an agent that takes none.
    pub(crate) servers: Option<ServersFile>,
}

/// Where an agent looks for tool servers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServersFile {
    /// The file in a project, from its root.
    pub(crate) project: &'static str,
    /// The file of a user, in the folder that [`UserFile`] leads to; `None` where the agent writes that file itself all
    /// the time.
    pub(crate) user: Option<&'static str>,
    /// What the file is.
    pub(crate) format: ServersFormat,
}

/// How tool servers stand in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ServersFormat {
    /// A member of the outermost object holds the servers, each with `command` and `args`.
    Servers { member: &'static str, dialect: Dialect },
    /// The same, where the command is a list with the program and its arguments.
    CommandList { member: &'static str, dialect: Dialect },
    /// Tables `[mcp_servers.NAME]` in TOML.
    Toml,
}

/// A file with settings of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it is.
    pub place: Place,
    /// Its path from there; one that ends with a slash stands for all JSON files in that folder.
    pub file: &'static str,
    /// Whether it is the administrator's, whose settings nobody else can change.
    pub is_managed: bool,
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the project.
    Project,
    /// In the folder that the agent has for its user.
    User,
    /// In the user's home.
    Home,
    /// The path is a whole one.
    System,
}

impl Source {
    pub(crate) const fn project(file: &'static str) -> Self {
        Self { place: Place::Project, file, is_managed: false }
    }

    pub(crate) const fn user(file: &'static str) -> Self {
        Self { place: Place::User, file, is_managed: false }
    }

    pub(crate) const fn home(file: &'static str) -> Self {
        Self { place: Place::Home, file, is_managed: false }
    }

    pub(crate) const fn system(file: &'static str) -> Self {
        Self { place: Place::System, file, is_managed: true }
    }
}

/// The latest version of an agent that the hook was tried with.
pub(crate) struct Tried {
    pub(crate) version: (u32, u32),
    /// The file among the sources in which the agent writes down which version runs, and the setting in it.
    pub(crate) file: &'static str,
    pub(crate) setting: &'static str,
}

/// A setting that keeps hooks from being called.
pub(crate) struct Switch {
    /// The names that lead to it.
    pub(crate) path: &'static [&'static str],
    pub(crate) off: Off,
    /// It counts only where the administrator sets it.
    pub(crate) is_managed: bool,
    /// What it does and what to do about it, behind its name.
    pub(crate) does: &'static str,
}

/// When a switch keeps hooks from being called.
pub(crate) enum Off {
    /// It has this value.
    Is(bool),
    /// It is a list that names our hook: by its name, or its file behind one of these signs.
    Names { name: &'static str, signs: &'static [char] },
}

/// What a file with hooks is.
pub(crate) enum Means {
    /// JSON with an object `hooks` in it.
    Settings(Format),
    /// A program of its own, which is ours: its text.
    Plugin(&'static str),
}

/// How an agent's settings hold hooks.
pub(crate) struct Format {
    pub(crate) dialect: Dialect,
    pub(crate) shape: Shape,
    pub(crate) events: &'static [Hooked],
    /// After how long the agent gives a hook up, in the agent's own unit. It lets the call happen then,
    /// so there is more time than anything here takes.
    pub(crate) timeout: u32,
    /// How many of that unit are a second.
    pub(crate) per_second: u32,
    /// How the agent reads matchers.
    pub(crate) matching: Matching,
    /// What it calls a tool of an MCP server, for an example.
    pub(crate) mcp_tool: &'static str,
}

/// What a hook of an event looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `{"matcher": …, "hooks": [{"type": "command", …}]}`; some want a name in the inner object.
    Grouped {
        /// The hook has a name.
        named: bool,
    },
    /// `{"command": …}`, in a file with a version.
    Flat,
}

/// An event that is hooked.
pub(crate) struct Hooked {
    pub(crate) name: &'static str,
    /// It is about tools.
    pub(crate) is_of_tools: bool,
    /// It has to be told about which.
    pub(crate) has_matcher: bool,
    /// Where the agent can be told so: a hook that fails refuses.
    pub(crate) fails_closed: bool,
    /// Where the agent cannot be told so: the command line refuses if the hook fails.
    pub(crate) refuses: bool,
    /// The timeout, where the agent has no patience for that of the others.
    pub(crate) timeout: Option<u32>,
    /// What a model may be asked for here, which takes longer than anything else.
    pub(crate) asks: Option<Purpose>,
}

impl Hooked {
    /// An event that is about no tool.
    pub(crate) const fn plain(name: &'static str) -> Self {
        Hooked {
            name,
            is_of_tools: false,
            has_matcher: false,
            fails_closed: false,
            refuses: false,
            timeout: None,
            asks: None,
        }
    }

    /// An event of tools, of all of them where nothing is said.
    pub(crate) const fn any_tool(name: &'static str) -> Self {
        Hooked { is_of_tools: true, ..Hooked::plain(name) }
    }

    /// An event of all tools, which has to be said.
    pub(crate) const fn tools(name: &'static str) -> Self {
        Hooked { has_matcher: true, ..Hooked::any_tool(name) }
    }

    /// An event of which the agent waits for no hook longer than this.
    pub(crate) const fn within(name: &'static str, timeout: u32) -> Self {
        Hooked { timeout: Some(timeout), ..Hooked::plain(name) }
    }

    /// The same event, at which a call is refused if the hook gives no answer.
    pub(crate) const fn refusing(self) -> Self {
        Hooked { refuses: true, ..self }
    }

    /// An event whose hook must not fail.
    pub(crate) const fn closed(self) -> Self {
        Hooked { fails_closed: true, ..self }
    }

    /// The same event, at which a model may be asked.
    pub(crate) const fn asking(self, purpose: Purpose) -> Self {
        Hooked { asks: Some(purpose), ..self }
    }

    /// Tells whether what is about to happen can be refused here.
    pub(crate) const fn comes_before(&self) -> bool {
        self.refuses || self.fails_closed
    }
}

/// Where a user's own settings of an agent are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// The variable that names the folder, where there is one.
    pub variable: Option<&'static str>,
    /// Whether the agent takes `~/` in the variable for the home.
    pub knows_home: bool,
    /// The folder in the user's home, where the variable is not set.
    pub folder: &'static str,
    /// The part of the path below that folder that is there when the agent is used.
    pub sign: &'static str,
    /// The file in that folder.
    pub file: &'static str,
}
