//! The tools that an agent has, as `--tools` names them: a file, or an agent that is known.

use behavior_agents::hook::Agent;
use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{Format, Kind, Node, decode_utf8, parse};
use behavior_compiler::{Severity, SourceProvider};

use crate::project;
use crate::terminal::Failure;

/// The names of the tools; a tool with two names has both.
///
/// # Errors
/// When it is neither an agent's name nor a file that holds a list of tools.
pub fn named(from: &str) -> Result<Vec<String>, Failure> {
    if let Some(agent) = Agent::wired().find(|agent| agent.name() == from) {
        return Ok(of(agent));
    }
    let bytes = project::Disk.read(from).map_err(|error| {
        Failure::Message(format!(
            "cannot read the tools from `{from}`: {error}; give a file, or the name of an agent such as `claude-code`"
        ))
    })?;
    let text = decode_utf8(FileId(0), from, &bytes)
        .map_err(|_| Failure::Message(format!("`{from}` is not UTF-8")))?;
    let format = if from.ends_with(".json") { Format::Json } else { Format::Yaml };
    let parsed = parse(FileId(0), &text, format);
    if let Some(error) = parsed.diagnostics.iter().find(|d| d.severity == Severity::Error) {
        let line = text.get(..error.span.start as usize).map_or(0, |t| t.matches('\n').count()) + 1;
        return Err(Failure::Message(format!("`{from}`, line {line}: {}", error.message)));
    }
    list(&parsed.root).ok_or_else(|| {
        Failure::Message(format!(
            "`{from}` is no list of tools: write a list of names, or of mappings with `name`"
        ))
    })
}

/// The names of an agent's own tools; a tool with two names has both.
#[must_use]
pub fn of(agent: Agent) -> Vec<String> {
    agent.tool_names().into_iter().map(str::to_owned).collect()
}

fn list(root: &Node) -> Option<Vec<String>> {
    let Kind::Seq(items) = &root.kind else { return None };
    let name = |item: &Node| {
        let name = item.as_str().or_else(|| item.get("name")?.as_str())?;
        Some(name.to_owned())
    };
    items.iter().map(name).collect()
}
