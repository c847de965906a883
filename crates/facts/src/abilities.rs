//! What the hooks of a running agent can do. Which agent can do what is told elsewhere.

/// What an agent's hooks can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Its user can be asked about a call; where not, the call is denied.
    pub asks: bool,
    /// Text can be added for the agent before a tool runs.
    pub context_before_tool: bool,
    /// Text can be added for the agent after a tool has run.
    pub context_after_tool: bool,
    /// Text can be added when a session begins.
    pub context_on_start: bool,
    /// Text can be added to what the user says.
    pub context_on_prompt: bool,
    /// The agent can be told to go on when it wants to stop.
    pub keeps_going: bool,
    /// Failed calls are told.
    pub tells_failures: bool,
    /// Every call carries an id.
    pub tells_call_ids: bool,
    /// What the agent writes is told, at the latest when it stops.
    pub tells_text: bool,
    /// What the agent writes before it uses a tool is told before that tool. Where not, nobody can
    /// say at a tool whether text came before it.
    pub tells_text_before_tools: bool,
    /// Sub-agents are told apart.
    pub tells_sub_agents: bool,
    /// What a response took and why it ended is told: tokens, stop reasons.
    pub tells_responses: bool,
    /// Tools for which no hook is called, by the agent's own names and the common ones: whatever the
    /// rules say, they run.
    pub silent_tools: &'static [&'static str],
}
