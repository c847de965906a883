//! Where the hooks of Cursor are set, as its documents of 2.7 have it. Before something happens a hook
//! that fails refuses; afterwards there is nothing to refuse.

use behavior_runtime::model::Purpose;

use crate::matcher::Matching;
use crate::settings::Dialect;
use crate::wiring::{
    Format, Hooked, Means, ServersFile, ServersFormat, Shape, Source, UserFile, Wiring,
};

/// The hooks file of Cursor.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".cursor/hooks.json",
    user: UserFile {
        variable: None,
        knows_home: false,
        folder: ".cursor",
        sign: "",
        file: "hooks.json",
    },
    local: None,
    // Nothing is known of a setting that switches hooks off.
    sources: &[Source::system("/etc/cursor/hooks.json")],
    switches: &[],
    variables: None,
    project_variable: Some("CURSOR_PROJECT_DIR"),
    afterwards: "Cursor runs the hooks of a project only in a workspace that it trusts; its settings \
                 show them under Hooks",
    tried: None,
    when_changed: None,
    means: Means::Settings(Format {
        dialect: Dialect { comments: true, trailing_commas: true },
        shape: Shape::Flat,
        events: &[
            Hooked::plain("sessionStart"),
            // Where the hook fails, the user can still say what is to be done about it.
            Hooked::plain("beforeSubmitPrompt"),
            Hooked::any_tool("preToolUse").closed(),
            Hooked::plain("beforeShellExecution").closed(),
            Hooked::plain("beforeMCPExecution").closed(),
            Hooked::plain("beforeReadFile").closed(),
            Hooked::any_tool("postToolUse"),
            Hooked::any_tool("postToolUseFailure"),
            Hooked::plain("afterFileEdit"),
            Hooked::plain("afterAgentResponse"),
            Hooked::plain("subagentStart").closed(),
            Hooked::plain("subagentStop"),
            Hooked::plain("stop").asking(Purpose::Verify),
            Hooked::plain("sessionEnd"),
        ],
        timeout: 30,
        per_second: 1,
        matching: Matching::Pattern,
        mcp_tool: "MCP:tool",
    }),
    servers: Some(ServersFile {
        project: ".cursor/mcp.json",
        user: Some("mcp.json"),
        format: ServersFormat::Servers {
            member: "mcpServers",
            dialect: Dialect { comments: true, trailing_commas: true },
        },
    }),
};
