//! The workflow templates of an image, as plain data: every name resolved. Who takes the steps of a workflow, and
//! what comes after each, stands elsewhere.

mod codec;

pub use codec::{decode, encode};

/// The workflow templates of an image, and what holds for all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkflowTable {
    /// The templates. No two have the same name.
    pub templates: Vec<WorkflowTemplate>,
    /// The ids of the agents that are declared.
    pub agents: Vec<String>,
    /// The risk, in hundredths, from which on a run pauses; `None` where no config says.
    pub pause_at: Option<u32>,
}

/// A workflow template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkflowTemplate {
    /// Its name, by which it is started.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The file that it stands in.
    pub file: String,
    /// Agents that its steps may hand work to.
    pub sub_agents: Vec<String>,
    /// Its steps, headings included.
    pub steps: Vec<WorkflowStep>,
}

/// One entry of a template's steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkflowStep {
    /// What it is.
    pub kind: StepKind,
    /// The agent that runs it; headings have none.
    pub agent: Option<String>,
    /// How the agent is called for people.
    pub agent_name: Option<String>,
    /// How the step is called for people.
    pub label: Option<String>,
    /// The engine that the agent is told to use.
    pub engine: Option<String>,
    /// The model that the agent is told to use.
    pub model: Option<String>,
    /// How hard the model is to think.
    pub reasoning_effort: Option<String>,
    /// Whether later passes of a loop step over it.
    pub execute_once: bool,
    /// Whether the run pauses behind it until somebody lets it go on.
    pub checkpoint: bool,
    /// What the agent is told.
    pub prompt: Option<String>,
    /// What its end is looked at for. Only of [`StepKind::Module`].
    pub module: Option<ModuleBehavior>,
}

/// What an entry of a template's steps is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepKind {
    /// An agent runs.
    #[default]
    Step,
    /// An agent runs, and its end is looked at for a behaviour.
    Module,
    /// A heading, which runs nothing.
    Heading,
}

/// What the end of a module step is looked at for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleBehavior {
    /// Going back over steps before it.
    Loop {
        /// How many entries it goes back; 0 where it never does. There are as many before the step.
        steps: u32,
        /// How often it may; `None` for any number of times.
        max_iterations: Option<u32>,
        /// The agents whose steps are stepped over on the way.
        skip: Vec<String>,
    },
    /// Running another agent right behind it.
    Trigger {
        /// The agent, where the control file names none.
        agent: Option<String>,
    },
}

impl WorkflowTable {
    /// Returns whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the template of a name.
    #[must_use]
    pub fn template(&self, name: &str) -> Option<&WorkflowTemplate> {
        self.templates.iter().find(|template| template.name == name)
    }
}

impl WorkflowStep {
    /// Returns whether an agent runs it.
    #[must_use]
    pub fn runs(&self) -> bool {
        self.kind != StepKind::Heading
    }

    /// Returns how it is called for people: its label, else its agent.
    #[must_use]
    pub fn title(&self) -> &str {
        let names = [&self.label, &self.agent_name, &self.agent];
        names.into_iter().flatten().next().map_or("", |name| name)
    }
}
