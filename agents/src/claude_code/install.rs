//! Where the hooks of Claude Code are set, as of 2.1. Its settings are plain JSON: a file with a
//! comment in it is passed over as a whole.

use behavior_runtime::model::Purpose;

use crate::matcher::Matching;
use crate::settings::Dialect;
use crate::wiring::{
    Format, Hooked, Means, Off, ServersFile, ServersFormat, Shape, Source, Switch, Tried, UserFile,
    Wiring,
};

/// The settings of Claude Code.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".claude/settings.json",
    user: UserFile {
        variable: Some("CLAUDE_CONFIG_DIR"),
        knows_home: false,
        folder: ".claude",
        sign: "",
        file: "settings.json",
    },
    local: Some(".claude/settings.local.json"),
    // Where managed settings lie and what they alone can switch, its settings reference says (2.1).
    sources: &[
        Source::project(".claude/settings.json"),
        Source::project(".claude/settings.local.json"),
        Source::user("settings.json"),
        Source::home(".claude.json"),
        Source::system("/etc/claude-code/managed-settings.json"),
        Source::system("/etc/claude-code/managed-settings.d/"),
        Source::system("/Library/Application Support/ClaudeCode/managed-settings.json"),
        Source::system("/Library/Application Support/ClaudeCode/managed-settings.d/"),
        Source::system("C:\\Program Files\\ClaudeCode\\managed-settings.json"),
    ],
    switches: &[
        Switch {
            path: &["disableAllHooks"],
            off: Off::Is(true),
            is_managed: false,
            does: "switches all hooks of Claude Code off: take it out",
        },
        Switch {
            path: &["allowManagedHooksOnly"],
            off: Off::Is(true),
            is_managed: true,
            does: "lets only the administrator's hooks run: the hook has to go into these settings",
        },
        Switch {
            path: &["strictPluginOnlyCustomization"],
            off: Off::Is(true),
            is_managed: true,
            does: "lets only hooks of plugins and the administrator run: the hook has to go into these settings",
        },
        Switch {
            path: &["strictPluginOnlyCustomization"],
            off: Off::Names { name: "hooks", signs: &[] },
            is_managed: true,
            does: "lets only hooks of plugins and the administrator run: the hook has to go into these settings",
        },
    ],
    variables: Some("env"),
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    afterwards: "sessions that run already keep their hooks: start them again. `/hooks` shows what \
                 is in force, and `\"disableAllHooks\": true` in any settings switches it all off",
    tried: Some(Tried { version: (2, 1), file: ".claude.json", setting: "lastReleaseNotesSeen" }),
    when_changed: None,
    means: Means::Settings(Format {
        dialect: Dialect { comments: false, trailing_commas: false },
        shape: Shape::Grouped { named: false },
        events: &[
            Hooked::plain("SessionStart"),
            Hooked::plain("UserPromptSubmit").asking(Purpose::Classify),
            Hooked::tools("PreToolUse").refusing(),
            Hooked::tools("PostToolUse"),
            Hooked::tools("PostToolUseFailure"),
            Hooked::plain("Stop").asking(Purpose::Verify),
            Hooked::plain("SubagentStart"),
            Hooked::plain("SubagentStop"),
            Hooked::plain("SessionEnd"),
        ],
        timeout: 30,
        per_second: 1,
        // As its hooks reference says for 2.1.
        matching: Matching::NamesOrPattern { separators: &['|', ','], signs: &['-', ' '] },
        mcp_tool: "mcp__server__tool",
    }),
    // Those of a user stand in `~/.claude.json`, which it writes itself all the time.
    servers: Some(ServersFile {
        project: ".mcp.json",
        user: None,
        format: ServersFormat::Servers {
            member: "mcpServers",
            dialect: Dialect { comments: false, trailing_commas: false },
        },
    }),
};
