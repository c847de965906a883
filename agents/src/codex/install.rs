//! Where the hooks of Codex are set, as of 0.169. A member of the file that Codex does not know makes it
//! refuse the whole file; a hook without a matcher is for all tools.

use behavior_runtime::model::Purpose;

use crate::matcher::Matching;
use crate::settings::Dialect;
use crate::wiring::{
    Format, Hooked, Means, Off, ServersFile, ServersFormat, Shape, Source, Switch, UserFile, Wiring,
};

/// The file of a user in which Codex keeps its settings, and whom it trusts.
pub(crate) const CONFIG: &str = "config.toml";
const NO_HOOKS: &str = "switches all hooks of Codex off: take it out";

/// The hooks file of Codex.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".codex/hooks.json",
    user: UserFile {
        variable: Some("CODEX_HOME"),
        knows_home: false,
        folder: ".codex",
        sign: "",
        file: "hooks.json",
    },
    local: None,
    sources: &[
        Source::project(".codex/config.toml"),
        Source::user(CONFIG),
        // It takes variables from there when it starts, but for those of its own.
        Source::user(".env"),
        Source::system("/etc/codex/config.toml"),
        Source::system("/etc/codex/managed_config.toml"),
        Source::system("/etc/codex/requirements.toml"),
    ],
    switches: &[
        Switch {
            path: &["features", "hooks"],
            off: Off::Is(false),
            is_managed: false,
            does: NO_HOOKS,
        },
        // The name of before 0.124, which is still taken.
        Switch {
            path: &["features", "codex_hooks"],
            off: Off::Is(false),
            is_managed: false,
            does: NO_HOOKS,
        },
        Switch {
            path: &["allow_managed_hooks_only"],
            off: Off::Is(true),
            is_managed: true,
            does: "lets only the administrator's hooks run: the hook has to go into this file",
        },
    ],
    variables: None,
    project_variable: None,
    afterwards: "Codex runs no hook that you have not trusted: start it in a project that it trusts, \
                 open `/hooks`, and trust these. A hook that is changed must be trusted again",
    tried: None,
    when_changed: Some(
        "the hook was changed, and Codex does not run it until you trust it again: start Codex, open `/hooks`, and \
         trust it",
    ),
    means: Means::Settings(Format {
        dialect: Dialect { comments: false, trailing_commas: false },
        shape: Shape::Grouped { named: false },
        events: &[
            Hooked::plain("SessionStart"),
            Hooked::plain("UserPromptSubmit").asking(Purpose::Classify),
            Hooked::any_tool("PreToolUse").refusing(),
            Hooked::any_tool("PostToolUse"),
            Hooked::plain("Stop").asking(Purpose::Verify),
            Hooked::plain("SubagentStart"),
            Hooked::plain("SubagentStop"),
            // More than that it cuts, and warns of it at every start.
            Hooked::within("SessionEnd", 3),
        ],
        timeout: 30,
        per_second: 1,
        matching: Matching::NamesOrPattern { separators: &['|'], signs: &[] },
        mcp_tool: "mcp__server__tool",
    }),
    servers: Some(ServersFile {
        project: ".codex/config.toml",
        user: Some(CONFIG),
        format: ServersFormat::Toml,
    }),
};
