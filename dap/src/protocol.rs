//! The messages of the protocol that are used, as far as they are used.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message to the client.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Message {
    /// The answer to a request.
    Response {
        seq: u64,
        request_seq: u64,
        success: bool,
        command: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<Value>,
    },
    /// Something that happened.
    Event {
        seq: u64,
        event: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<Value>,
    },
}

/// A file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Source {
    /// What people call it.
    pub name: Option<String>,
    /// Where it is.
    pub path: Option<String>,
}

/// What `setBreakpoints` asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SetBreakpoints {
    pub source: Source,
    pub breakpoints: Vec<SourceBreakpoint>,
}

/// A line to stop at.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SourceBreakpoint {
    pub line: i64,
    /// What must hold besides, as an expression of the rules.
    pub condition: Option<String>,
}

/// What `setFunctionBreakpoints` asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SetFunctionBreakpoints {
    pub breakpoints: Vec<FunctionBreakpoint>,
}

/// A rule to stop at.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FunctionBreakpoint {
    pub name: String,
    pub condition: Option<String>,
}

/// What `setExceptionBreakpoints` asks for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SetExceptionBreakpoints {
    pub filters: Vec<String>,
}

/// What became of a breakpoint.
#[derive(Clone, Debug, Serialize)]
pub struct BreakpointAnswer {
    pub id: u64,
    pub verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

/// What `initialize` says of the client.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Initialize {
    pub lines_start_at1: bool,
    pub columns_start_at1: bool,
}

impl Default for Initialize {
    fn default() -> Self {
        Self { lines_start_at1: true, columns_start_at1: true }
    }
}

/// What requests about a place in the session say.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Place {
    pub thread_id: i64,
    pub frame_id: i64,
    pub variables_reference: usize,
    pub start_frame: Option<usize>,
    pub levels: Option<usize>,
    pub start: Option<usize>,
    pub count: Option<usize>,
    pub expression: String,
}

/// One frame of a stack.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StackFrame {
    pub id: usize,
    pub name: String,
    pub source: Source,
    pub line: i64,
    pub column: i64,
}

/// A group of variables.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    pub name: &'static str,
    pub variables_reference: usize,
    pub expensive: bool,
}

/// A variable.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    pub name: String,
    pub value: String,
    pub variables_reference: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<usize>,
}
