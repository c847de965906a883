//! Where the hooks of Claude Code are set, as of 2.1. Its settings are plain JSON: a file with a
//! comment in it is passed over as a whole.

use crate::settings::Dialect;
use crate::wiring::{Format, Hooked, Means, Shape, UserFile, Wiring};

/// The settings of Claude Code.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".claude/settings.json",
    user: UserFile {
        variable: Some("CLAUDE_CONFIG_DIR"),
        folder: ".claude",
        sign: "",
        file: "settings.json",
    },
    own_project: Some(".claude/settings.local.json"),
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    switch_off: Some("disableAllHooks"),
    afterwards: "sessions that run already keep their hooks: start them again. `/hooks` shows what \
                 is in force, and `\"disableAllHooks\": true` in any settings switches it all off",
    means: Means::Settings(Format {
        dialect: Dialect { comments: false, trailing_commas: false },
        shape: Shape::Grouped { named: false },
        events: &[
            Hooked::plain("SessionStart"),
            Hooked::plain("UserPromptSubmit"),
            Hooked::tools("PreToolUse").refusing(),
            Hooked::tools("PostToolUse"),
            Hooked::tools("PostToolUseFailure"),
            Hooked::plain("Stop"),
            Hooked::plain("SubagentStart"),
            Hooked::plain("SubagentStop"),
            Hooked::plain("SessionEnd"),
        ],
        timeout: 30,
    }),
};
