//! Where the hooks of Gemini CLI are set, as of 0.61. Its settings may hold comments; it counts the
//! time of a hook in milliseconds.

use behavior_runtime::model::Purpose;

use crate::matcher::Matching;
use crate::own::PROGRAM;
use crate::settings::Dialect;
use crate::wiring::{
    Format, Hooked, Means, Off, ServersFile, ServersFormat, Shape, Source, Switch, UserFile, Wiring,
};

pub(crate) const SETTINGS: &str = ".gemini/settings.json";
/// The folders that the user trusts.
pub(crate) const TRUSTED_FOLDERS: &str = ".gemini/trustedFolders.json";
const NO_HOOKS: &str = "switches all hooks of Gemini CLI off: take it out";

/// The settings of Gemini CLI.
pub(crate) const WIRING: Wiring = Wiring {
    project: ".gemini/settings.json",
    // The variable stands for the home, in which the folder is.
    user: UserFile {
        variable: Some("GEMINI_CLI_HOME"),
        knows_home: false,
        folder: "",
        sign: ".gemini",
        file: ".gemini/settings.json",
    },
    local: None,
    sources: &[
        Source::project(".gemini/settings.json"),
        Source::user(SETTINGS),
        Source::user(TRUSTED_FOLDERS),
        Source::system("/etc/gemini-cli/settings.json"),
        Source::system("/etc/gemini-cli/system-defaults.json"),
        Source::system("/Library/Application Support/GeminiCli/settings.json"),
        Source::system("C:\\ProgramData\\gemini-cli\\settings.json"),
        // It takes variables from these when it starts, and hands them to its hooks.
        Source::project(".gemini/.env"),
        Source::project(".env"),
        Source::user(".gemini/.env"),
        Source::home(".env"),
    ],
    switches: &[
        Switch {
            path: &["hooksConfig", "enabled"],
            off: Off::Is(false),
            is_managed: false,
            does: NO_HOOKS,
        },
        Switch {
            path: &["hooksConfig", "disabled"],
            off: Off::Names { name: PROGRAM, signs: &[] },
            is_managed: false,
            does: "switches the hook off: take its name out, or say `/hooks enable behavior`",
        },
        // Where these stood before 0.26.
        Switch {
            path: &["hooks", "enabled"],
            off: Off::Is(false),
            is_managed: false,
            does: NO_HOOKS,
        },
        Switch {
            path: &["tools", "enableHooks"],
            off: Off::Is(false),
            is_managed: false,
            does: NO_HOOKS,
        },
        Switch {
            path: &["hooks", "disabled"],
            off: Off::Names { name: PROGRAM, signs: &[] },
            is_managed: false,
            does: "switches the hook off: take its name out, or say `/hooks enable behavior`",
        },
    ],
    variables: None,
    project_variable: Some("GEMINI_PROJECT_DIR"),
    afterwards: "Gemini CLI runs the hooks of a project only in a folder that it trusts, and warns \
                 once of hooks that are new. `/hooks panel` shows what is in force",
    tried: None,
    when_changed: None,
    means: Means::Settings(Format {
        dialect: Dialect { comments: true, trailing_commas: false },
        shape: Shape::Grouped { named: true },
        events: &[
            Hooked::plain("SessionStart"),
            Hooked::plain("BeforeAgent").asking(Purpose::Classify),
            Hooked::tools("BeforeTool").refusing(),
            Hooked::tools("AfterTool"),
            Hooked::plain("AfterAgent").asking(Purpose::Verify),
            Hooked::plain("PreCompress"),
            Hooked::plain("SessionEnd"),
        ],
        timeout: 30_000,
        per_second: 1_000,
        matching: Matching::Pattern,
        mcp_tool: "mcp_server_tool",
    }),
    servers: Some(ServersFile {
        project: ".gemini/settings.json",
        user: Some(SETTINGS),
        format: ServersFormat::Servers {
            member: "mcpServers",
            dialect: Dialect { comments: true, trailing_commas: false },
        },
    }),
};
