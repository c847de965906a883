//! Where the hooks of Cursor are set, as its documents of 2.7 have it. Before something happens a hook
//! that fails refuses; afterwards there is nothing to refuse.

use crate::settings::Dialect;
use crate::wiring::{Format, Hooked, Means, Shape, UserFile, Wiring};

/// The hooks file of Cursor.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".cursor/hooks.json",
    user: UserFile { variable: None, folder: ".cursor", sign: "", file: "hooks.json" },
    own_project: None,
    project_variable: Some("CURSOR_PROJECT_DIR"),
    switch_off: None,
    afterwards: "Cursor runs the hooks of a project only in a workspace that it trusts; its settings \
                 show them under Hooks",
    means: Means::Settings(Format {
        dialect: Dialect { comments: true, trailing_commas: true },
        shape: Shape::Flat,
        events: &[
            Hooked::plain("sessionStart"),
            Hooked::closed("beforeSubmitPrompt"),
            Hooked::closed("preToolUse"),
            Hooked::closed("beforeShellExecution"),
            Hooked::closed("beforeMCPExecution"),
            Hooked::closed("beforeReadFile"),
            Hooked::plain("postToolUse"),
            Hooked::plain("postToolUseFailure"),
            Hooked::plain("afterFileEdit"),
            Hooked::plain("afterAgentResponse"),
            Hooked::closed("subagentStart"),
            Hooked::plain("subagentStop"),
            Hooked::plain("stop"),
            Hooked::plain("sessionEnd"),
        ],
        timeout: 30,
    }),
};
