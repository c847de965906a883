//! Where the hooks of Gemini CLI are set, as of 0.61. Its settings may hold comments; it counts the
//! time of a hook in milliseconds.

use crate::settings::Dialect;
use crate::wiring::{Format, Hooked, Means, Shape, UserFile, Wiring};

/// The settings of Gemini CLI.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".gemini/settings.json",
    user: UserFile { variable: None, folder: ".gemini", sign: "", file: "settings.json" },
    own_project: None,
    project_variable: Some("GEMINI_PROJECT_DIR"),
    switch_off: None,
    afterwards: "Gemini CLI runs the hooks of a project only in a folder that it trusts, and warns \
                 once of hooks that are new. `/hooks panel` shows what is in force",
    means: Means::Settings(Format {
        dialect: Dialect { comments: true, trailing_commas: false },
        shape: Shape::Grouped { named: true },
        events: &[
            Hooked::plain("SessionStart"),
            Hooked::plain("BeforeAgent"),
            Hooked::tools("BeforeTool").refusing(),
            Hooked::tools("AfterTool"),
            Hooked::plain("AfterAgent"),
            Hooked::plain("SessionEnd"),
        ],
        timeout: 30_000,
    }),
};
