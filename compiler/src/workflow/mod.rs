//! Workflow templates and the agents that take their steps: files of two kinds that hold no rules. They are read,
//! checked and turned into the table of an image here; nothing here runs them.

mod agents;
mod check;
mod lints;
mod place;
mod prompt;
mod read;
mod records;
mod set;
mod settings;
mod shown;
mod template;
mod worst_case;

pub use agents::{AgentDeclaration, AgentRun};
pub(crate) use check::{check, holds_no_rules};
pub use place::{is_agents_file, is_template_file};
pub(crate) use place::{kind_by_place, kind_in_first_line, root_of};
pub use records::{AgentConfig, AgentsFile, ModuleConfig, NamedAgent, StepConfig, TemplateFile};
pub use set::{Broken, Found, Origin, TemplateSource, Workflows, compile};
pub use settings::{Settings, settings};
pub(crate) use settings::{check_control_file, pause_at};
pub use worst_case::worst_case;
