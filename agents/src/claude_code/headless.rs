//! How Claude Code is started with nobody at it, as of 2.1.

use crate::headless::{Headless, Keeps, ModelApi};

pub(crate) const HEADLESS: Headless = Headless {
    program: "claude",
    api: ModelApi::Messages,
    shells: &[("Bash", "command")],
    arguments: &["-p", "--dangerously-skip-permissions", "{prompt}"],
    environment: &[
        ("ANTHROPIC_BASE_URL", "{url}"),
        ("ANTHROPIC_API_KEY", "none"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        // Its own guard against being run by the administrator: the folder is a throw-away one.
        ("IS_SANDBOX", "1"),
    ],
    files: &[],
    keeps: Keeps::Only(&["$schema", "disableAllHooks"]),
};
