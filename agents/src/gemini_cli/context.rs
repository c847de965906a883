//! What Gemini CLI writes where the user would speak: the surroundings, the conversation in short, and
//! that the model is to go on. It begins no turn.

/// What such texts begin with.
const CONTEXT: &[&str] = &[
    "<hook_context>",
    "<session_context>",
    "<state_snapshot>",
    "System: Please continue.",
    "This is the Gemini CLI. We are setting up the context",
];

/// Whether Gemini CLI has written a text, and not the user.
pub(crate) fn is_context(text: &str) -> bool {
    let text = text.trim_start();
    CONTEXT.iter().any(|start| text.starts_with(start))
}
