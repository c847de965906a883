//! Where pi, as of 0.74, looks for extensions.

use crate::install::{Means, UserFile, Wiring};

/// The extension of pi.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".pi/extensions/behavior.ts",
    user: UserFile {
        variable: Some("PI_CODING_AGENT_DIR"),
        folder: ".pi/agent",
        sign: "",
        file: "extensions/behavior.ts",
    },
    project_variable: None,
    afterwards: "pi loads the extensions of a project that it trusts, when it starts: start it again, or say \
                 `/reload`",
    means: Means::Plugin,
};
