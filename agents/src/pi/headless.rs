//! How pi is started with nobody at it, as of 0.74.

use crate::headless::{Headless, Keeps, ModelApi};

pub(crate) const HEADLESS: Headless = Headless {
    program: "pi",
    api: ModelApi::ChatCompletions,
    shells: &[("bash", "command")],
    arguments: &["-p", "--provider", "scripted", "--model", "scripted", "{prompt}"],
    environment: &[("PI_OFFLINE", "1")],
    files: &[
        (
            ".pi/agent/models.json",
            r#"{
  "providers": {
    "scripted": {
      "baseUrl": "{url}/v1",
      "api": "openai-completions",
      "apiKey": "none",
      "models": [{ "id": "scripted" }]
    }
  }
}
"#,
        ),
        // From 0.79 on it loads extensions only of projects that were approved.
        (".pi/agent/trust.json", "{ \"{project}\": true }\n"),
    ],
    keeps: Keeps::All,
};
