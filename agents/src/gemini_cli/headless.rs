//! How Gemini CLI is started with nobody at it, as of 0.61.

use crate::headless::{Headless, Keeps, ModelApi};

pub(crate) const HEADLESS: Headless = Headless {
    program: "gemini",
    api: ModelApi::GenerateContent,
    shells: &[("run_shell_command", "command")],
    arguments: &["--yolo", "-m", "gemini-2.5-flash", "-p", "{prompt}"],
    environment: &[
        ("GEMINI_API_KEY", "none"),
        ("GOOGLE_GEMINI_BASE_URL", "{url}"),
        // `--skip-trust` comes too late for it: the hooks of the project are not read then.
        ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
    ],
    files: &[(
        // Defaults of the system would do, but are only taken from a folder of the administrator's.
        ".gemini/settings.json",
        r#"{
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false }
}
"#,
    )],
    keeps: Keeps::Only(&["$schema", "hooksConfig"]),
};
