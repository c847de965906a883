//! Where pi, as of 0.74, looks for extensions.

use crate::pi::EXTENSION;
use crate::wiring::{Means, UserFile, Wiring};

/// The extension of pi.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".pi/extensions/behavior.ts",
    user: UserFile {
        variable: Some("PI_CODING_AGENT_DIR"),
        folder: ".pi/agent",
        sign: "",
        file: "extensions/behavior.ts",
    },
    own_project: None,
    project_variable: None,
    switch_off: None,
    afterwards: "pi loads the extensions of a project that it trusts, when it starts: start it again, or say \
                 `/reload`",
    means: Means::Plugin(EXTENSION),
};
