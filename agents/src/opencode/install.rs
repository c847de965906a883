//! Where OpenCode, as of 1.18, looks for plugins.

use crate::opencode::PLUGIN;
use crate::settings::Dialect;
use crate::wiring::{Means, ServersFile, ServersFormat, UserFile, Wiring};

/// The plugin of OpenCode.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".opencode/plugins/behavior.js",
    user: UserFile {
        variable: Some("XDG_CONFIG_HOME"),
        knows_home: false,
        folder: ".config",
        sign: "opencode",
        file: "opencode/plugins/behavior.js",
    },
    local: None,
    // A plugin in the folder for plugins is always loaded.
    sources: &[],
    switches: &[],
    variables: None,
    project_variable: None,
    afterwards: "OpenCode reads plugins when it starts: start it again",
    tried: None,
    when_changed: None,
    means: Means::Plugin(PLUGIN),
    servers: Some(ServersFile {
        project: "opencode.json",
        user: Some("opencode/opencode.json"),
        format: ServersFormat::CommandList {
            member: "mcp",
            dialect: Dialect { comments: true, trailing_commas: true },
        },
    }),
};
