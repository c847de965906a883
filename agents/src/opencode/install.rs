//! Where OpenCode, as of 1.18, looks for plugins.

use crate::install::{Means, UserFile, Wiring};

/// The plugin of OpenCode.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".opencode/plugins/behavior.js",
    user: UserFile {
        variable: Some("XDG_CONFIG_HOME"),
        folder: ".config",
        sign: "opencode",
        file: "opencode/plugins/behavior.js",
    },
    project_variable: None,
    afterwards: "OpenCode reads plugins when it starts: start it again",
    means: Means::Plugin,
};
