//! A plan and its steps, as typed values: what each is, and which call it comes to.

use behavior_runtime::event::{Call, Param, Value as EventValue};
use serde_json::{Map, Value};

use super::bind::{self, Arguments};
use super::tools::PlanTool;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{SourceMap, Span};
use crate::syntax::Node;

/// A plan, as far as it could be understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The steps that could be read.
    pub steps: Vec<Step>,
    /// What the plan does, for the user.
    pub explain: Option<Box<str>>,
}

/// One step of a plan: a call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its place in `steps`, from 0.
    pub number: usize,
    /// Where it stands.
    pub span: Span,
    /// The tool's name, as it is written.
    pub name: Box<str>,
    /// The tool, where it is one that plans can have.
    pub tool: Option<&'static PlanTool>,
    /// What it is given by position.
    pub args: Vec<Value>,
    /// What it is given by name.
    pub kwargs: Map<String, Value>,
}

/// What became of the text of a plan.
#[derive(Debug)]
pub struct Checked {
    /// The plan.
    pub plan: Plan,
    /// All problems, by their places. Those of the level error are faults: such a plan is not run.
    pub diagnostics: Vec<Diagnostic>,
    /// Where each entry of `steps` stands, those that could not be read included.
    pub spans: Vec<Span>,
    /// The text.
    pub sources: SourceMap,
    /// The whole tree.
    pub root: Node,
}

impl Checked {
    /// Returns whether the plan has no faults.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.diagnostics.iter().all(|one| one.severity != Severity::Error)
    }

    /// Returns the step, from 0, that a place belongs to; `None` for what is said of the whole plan.
    #[must_use]
    pub fn step_at(&self, span: Span) -> Option<usize> {
        let next = self.spans.partition_point(|step| step.end < span.start);
        self.spans.get(next).is_some_and(|step| step.contains(span)).then_some(next)
    }
}

impl Step {
    /// Returns the tool's canonical name; of a tool that plans cannot have, its own in lower case.
    #[must_use]
    pub fn canonical(&self) -> String {
        self.tool.map_or_else(|| self.name.trim().to_lowercase(), |tool| tool.name.to_owned())
    }

    /// Returns what the tool is given, by the names of its parameters.
    #[must_use]
    pub fn arguments(&self) -> Arguments {
        bind::bind(self.tool, &self.args, &self.kwargs)
    }

    /// Returns the call that the step is, as rules see it.
    #[must_use]
    pub fn call(&self) -> Call<'static> {
        let arguments = self.arguments();
        let param = |(name, value): (String, Value)| {
            let value = match value {
                Value::String(text) => EventValue::Text(text.into()),
                other => EventValue::Json(other.to_string().into()),
            };
            Param { name: name.into(), native: None, value }
        };
        let (tool, native_tool) = match self.tool {
            Some(tool) => (tool.rules_name.to_owned(), Some(tool.name.to_owned())),
            None => (self.canonical(), None),
        };
        Call {
            id: Some(format!("step-{}", self.number).into()),
            native_tool: native_tool.filter(|native| *native != tool).map(Into::into),
            tool: tool.into(),
            params: arguments.params.into_iter().map(param).collect(),
        }
    }

    /// Returns the text of a parameter that the step has.
    #[must_use]
    pub fn text(&self, parameter: &str) -> Option<String> {
        self.arguments().params.get(parameter)?.as_str().map(str::to_owned)
    }

    /// Returns whether the step changes what is there, or may: an edit, a command, a write that may replace a file,
    /// and a write to a path that `exists`.
    #[must_use]
    pub fn is_destructive(&self, exists: impl FnOnce(&str) -> bool) -> bool {
        match self.tool.map(|tool| tool.name) {
            Some("edit" | "multi_edit" | "bash") => true,
            Some("write") => {
                let path = self.text("file_path");
                self.forces() || path.is_some_and(|path| exists(&path))
            }
            _ => false,
        }
    }

    /// Returns whether a write may replace a file: `force` is exactly true, in kwargs.
    #[must_use]
    pub fn forces(&self) -> bool {
        self.kwargs.get("force") == Some(&Value::Bool(true))
    }
}
