//! OpenCode: its tools, its hooks and the plugin through which it runs ours. What the plugin sends is
//! documented at [`PLUGIN`].

pub(crate) mod adapter;
pub(crate) mod headless;
pub(crate) mod hook;
pub(crate) mod install;
mod lint;
pub mod tools;
pub(crate) mod transcript;

/// The name that commands and events use, for its recordings too.
pub(crate) const NAME: &str = "opencode";

/// The plugin, for `.opencode/plugins/`. [`crate::hook::Agent::plugin`] puts the command in.
///
/// It runs the command with one JSON object on standard input:
/// `{"hook": "tool.execute.before", "session": "…", "cwd": "…", "input": {…}, "output": {…}}`, where
/// `input` and `output` are what OpenCode gave the plugin. The hooks are `tool.execute.before`,
/// `tool.execute.after`, `chat.message`, `experimental.text.complete`, and of the events
/// `session.created`, `session.idle` and `session.deleted`. The answer is
/// `{"verdict": "allow" | "deny", "reason": "…", "context": ["…"]}`; whatever else comes back, and no
/// answer within 10 seconds, blocks a call.
pub const PLUGIN: &str = concat!(
    include_str!("plugin.head.js"),
    include_str!("../ask.js"),
    include_str!("plugin.tail.js")
);
