//! pi and oh-my-pi: their tools, their events and the extension through which they run our hook. What
//! the extension sends is documented at [`EXTENSION`].

pub(crate) mod adapter;
pub(crate) mod headless;
pub(crate) mod hook;
pub(crate) mod install;
pub mod tools;
pub(crate) mod transcript;
pub(crate) mod trust;

/// The name that commands and events use, for its recordings too.
pub(crate) const NAME: &str = "pi";

/// The extension, for `.pi/extensions/`. [`crate::hook::Agent::plugin`] puts the command in.
///
/// It runs the command with one JSON object on standard input:
/// `{"hook": "tool_call", "session": "…", "cwd": "…", "headless": false, "stopped_before": false,
/// "event": {…}}`, where `event` is what pi gave the extension. The hooks are `session_start`,
/// `input`, `message_end` (of the assistant), `tool_call`, `tool_result`, `agent_end` and
/// `session_shutdown`. The answer is
/// `{"verdict": "allow" | "ask" | "deny", "reason": "…", "context": ["…"]}`; whatever else comes
/// back, and no answer within 10 seconds, blocks a call.
pub const EXTENSION: &str = concat!(
    include_str!("extension.head.ts"),
    include_str!("../ask.js"),
    include_str!("extension.tail.ts")
);
