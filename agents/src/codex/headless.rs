//! How Codex is started with nobody at it, as of 0.169.

use crate::headless::{Headless, Keeps, ModelApi};

pub(crate) const HEADLESS: Headless = Headless {
    program: "codex",
    api: ModelApi::Responses,
    shells: &[("exec_command", "cmd"), ("shell_command", "command"), ("shell", "command")],
    arguments: &[
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        // What the user trusted is bound to the path of the file, and the copy has another.
        "--dangerously-bypass-hook-trust",
        "{prompt}",
    ],
    environment: &[],
    files: &[(
        ".codex/config.toml",
        r#"model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
requires_openai_auth = false
[projects."{project}"]
trust_level = "trusted"
"#,
    )],
    // What it does not know in it makes it refuse the file, which is to be seen, too.
    keeps: Keeps::All,
};
