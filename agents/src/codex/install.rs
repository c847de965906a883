//! Where the hooks of Codex are set, as of 0.169. A member of the file that Codex does not know makes it
//! refuse the whole file; a hook without a matcher is for all tools.

use crate::settings::Dialect;
use crate::wiring::{Format, Hooked, Means, Shape, UserFile, Wiring};

/// The hooks file of Codex.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".codex/hooks.json",
    user: UserFile { variable: Some("CODEX_HOME"), folder: ".codex", sign: "", file: "hooks.json" },
    own_project: None,
    project_variable: None,
    switch_off: None,
    afterwards: "Codex runs no hook that you have not trusted: start it in a project that it trusts, \
                 open `/hooks`, and trust these. A hook that is changed must be trusted again",
    means: Means::Settings(Format {
        dialect: Dialect { comments: false, trailing_commas: false },
        shape: Shape::Grouped { named: false },
        events: &[
            Hooked::plain("SessionStart"),
            Hooked::plain("UserPromptSubmit"),
            Hooked::plain("PreToolUse").refusing(),
            Hooked::plain("PostToolUse"),
            Hooked::plain("Stop"),
            Hooked::plain("SubagentStart"),
            Hooked::plain("SubagentStop"),
            // More than that it cuts, and warns of it at every start.
            Hooked::within("SessionEnd", 3),
        ],
        timeout: 30,
    }),
};
