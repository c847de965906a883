//! Where and how agents' hooks are set: the types of what each agent's folder says of it. Nothing here knows any
//! agent, and nothing is read or written.

use crate::settings::Dialect;

/// Where and how an agent's hooks are set.
pub(crate) struct Wiring {
    /// The file in a project.
    pub(crate) project: &'static str,
    /// The file of a user.
    pub(crate) user: UserFile,
    /// A file beside that of a project whose settings count as well.
    pub(crate) own_project: Option<&'static str>,
    /// The variable in which the agent tells its hooks where the project is.
    pub(crate) project_variable: Option<&'static str>,
    /// The setting with which all of the agent's hooks are switched off.
    pub(crate) switch_off: Option<&'static str>,
    /// What the user has to do once it is there, and what else is good to know.
    pub(crate) afterwards: &'static str,
    /// What the file is.
    pub(crate) means: Means,
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
    /// It is about tools, and told which.
    pub(crate) has_matcher: bool,
    /// Where the agent can be told so: a hook that fails refuses.
    pub(crate) fails_closed: bool,
    /// Where the agent cannot be told so: the command line refuses if the hook fails.
    pub(crate) refuses: bool,
    /// The timeout, where the agent has no patience for that of the others.
    pub(crate) timeout: Option<u32>,
}

impl Hooked {
    /// An event that is about no tool.
    pub(crate) const fn plain(name: &'static str) -> Self {
        Hooked { name, has_matcher: false, fails_closed: false, refuses: false, timeout: None }
    }

    /// An event of all tools.
    pub(crate) const fn tools(name: &'static str) -> Self {
        Hooked { name, has_matcher: true, fails_closed: false, refuses: false, timeout: None }
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
    pub(crate) const fn closed(name: &'static str) -> Self {
        Hooked { name, has_matcher: false, fails_closed: true, refuses: false, timeout: None }
    }
}

/// Where a user's own settings of an agent are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserFile {
    /// The variable that names the folder, where there is one.
    pub variable: Option<&'static str>,
    /// The folder in the user's home, where the variable is not set.
    pub folder: &'static str,
    /// The part of the path below that folder that is there when the agent is used.
    pub sign: &'static str,
    /// The file in that folder.
    pub file: &'static str,
}
