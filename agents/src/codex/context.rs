//! What Codex writes where the user would speak: the surroundings, notes of its own, what other agents
//! send. It begins no turn.

use crate::content::content_text;
use crate::json;

/// What such texts begin with.
const CONTEXT: &[&str] = &[
    "# AGENTS.md instructions",
    "</image>",
    "<INSTRUCTIONS>",
    "<apps_instructions",
    "<collaboration_mode",
    "<environment_context",
    "<goal_context",
    "<hook_prompt",
    "<image name=",
    "<model_switch",
    "<permissions instructions",
    "<personality_spec",
    "<plugins_instructions",
    "<realtime_conversation",
    "<recommended_plugins",
    "<skill",
    "<subagent_notification",
    "<turn_aborted",
    "<user_action",
    "<user_instructions",
    "<user_shell_command",
];

json::slots! {
    /// One block of a message's content.
    struct Block { text: "text" }
}

/// Whether Codex has written a text, and not the user.
pub(crate) fn is_context(text: &str) -> bool {
    let text = text.trim_start();
    CONTEXT.iter().any(|start| text.starts_with(start))
}

/// What the user said in the content of a message, without what Codex has put beside it. The whole of it
/// where there is nothing else, so that it is known for what it is.
pub(crate) fn said(content: &str) -> String {
    let mut texts = Vec::new();
    // A list was read as JSON before, and anything else is one text.
    let _ = json::list(content, |block: Block<'_>| texts.extend(block.text.and_then(json::text)));
    let said: Vec<_> = texts.iter().filter(|text| !is_context(text)).map(|text| &**text).collect();
    match said.is_empty() {
        true => content_text(content).into_owned(),
        false => said.join("\n"),
    }
}
