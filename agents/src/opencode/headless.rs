//! How OpenCode is started with nobody at it, as of 1.18.

use crate::headless::{Headless, Keeps, ModelApi};

pub(crate) const HEADLESS: Headless = Headless {
    program: "opencode",
    api: ModelApi::ChatCompletions,
    shells: &[("bash", "command")],
    arguments: &["run", "--model", "scripted/scripted", "{prompt}"],
    environment: &[("OPENCODE_DISABLE_MODELS_FETCH", "1"), ("OPENCODE_DISABLE_AUTOUPDATE", "1")],
    files: &[(
        ".config/opencode/opencode.json",
        r#"{
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "scripted",
      "options": { "baseURL": "{url}/v1", "apiKey": "none" },
      "models": { "scripted": { "name": "scripted" } }
    }
  },
  "model": "scripted/scripted",
  "small_model": "scripted/scripted",
  "autoupdate": false,
  "share": "disabled"
}
"#,
    )],
    keeps: Keeps::All,
};
