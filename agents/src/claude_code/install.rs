//! Where the hooks of Claude Code are set, as of 2.1. Its settings are plain JSON: a file with a
//! comment in it is passed over as a whole.

use crate::install::{Format, Hooked, Means, Shape, UserFile, Wiring};
use crate::settings::Dialect;

/// A user's own settings in a project.
pub(crate) const OWN_SETTINGS: &str = ".claude/settings.local.json";

/// Set in any of the settings, it switches all hooks off.
pub(crate) const SWITCH_OFF: &str = "disableAllHooks";

/// The settings of Claude Code.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".claude/settings.json",
    user: UserFile {
        variable: Some("CLAUDE_CONFIG_DIR"),
        folder: ".claude",
        sign: "",
        file: "settings.json",
    },
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    afterwards: "sessions that run already keep their hooks: start them again. `/hooks` shows what \
                 is in force, and `\"disableAllHooks\": true` in any settings switches it all off",
    means: Means::Settings(Format {
        dialect: Dialect { comments: false, trailing_commas: false },
        shape: Shape::Grouped { named: false },
        events: &[
            Hooked::plain("SessionStart"),
            Hooked::plain("UserPromptSubmit"),
            Hooked::tools("PreToolUse"),
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
