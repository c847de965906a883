//! What can be asked of a compilation besides the rule files.

use behavior_image::workflow::WorkflowTable;
use behavior_runtime::Abilities;

use crate::authority::Authority;

/// The name that a profile asked for in the [`Options`] has among the sources.
pub const COMMAND_LINE_PROFILE: &str = "--profile";

/// What can be asked of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A preset or profile to use in place of the config's own.
    pub profile: Option<String>,
    /// Unknown conditions are warnings, and rules with one never fire.
    pub allow_unknown_conditions: bool,
    /// Policies that hold besides those among the entries, and come before them.
    pub policies: Vec<String>,
    /// Trace policies that hold besides those among the entries, and come before them.
    pub trace_policies: Vec<String>,
    /// Files that declare agents for workflows besides the project's own, such as the user's.
    pub agents: Vec<String>,
    /// Templates of workflows that go into the image beside the rules, as [`crate::workflow::compile`] made them.
    pub workflows: Option<WorkflowTable>,
    /// Where this is given, tools that the agent does not have are reported.
    pub tools: Option<Vec<String>>,
    /// Where this is given, what the agent cannot do of what the rules say is reported.
    pub agent: Option<Agent>,
    /// What the author of the rules may do with them.
    pub authority: Authority,
    /// The identities of what the author may say all the same, where it stands alone.
    pub granted: Vec<String>,
    /// Whether the user names a model that stands in where nobody else does; where that is not known, the provider
    /// is asked, and where it does not know, nothing is said of it.
    pub has_default_brain: Option<bool>,
    /// Whether the rules of a policy are not held against each other. That finds what was probably not meant, takes
    /// longer than all the rest, and changes no decision.
    pub skip_comparisons: bool,
    /// Whether sets, counters and flags that are built in are left out where no file names them. They are then not
    /// among what is told of the state.
    pub only_named_state: bool,
    /// Whether nothing but what is wrong is asked for. What an image alone needs is then left out of the program:
    /// automata of patterns and what is known of programs.
    pub only_problems: bool,
    /// Whether patterns get no automata. These take most of the time of a compilation and spare a process that decides
    /// once the making of an engine; decisions are the same without.
    pub without_automata: bool,
}

/// A running agent that rules are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// What its hooks can do.
    pub can: Abilities,
    /// Its own tools, by all their names; none where they are not known.
    pub tools: Vec<String>,
}
