//! What the tables of all agents' tools have in common: an entry, and how a call is given canonical
//! names by it. Which tools there are, each agent's own folder says.

use std::borrow::Cow;

use behavior_runtime::event::{Call, Value};

use crate::json;
use crate::native::{POSITIONAL, Params};

/// A tool of an agent.
#[derive(Debug)]
pub struct Tool {
    /// The agent's own name for it.
    pub native: &'static str,
    /// The canonical name, which rules use.
    pub canonical: &'static str,
    /// The parameters that are called otherwise: the agent's name, then the canonical one.
    pub params: &'static [(&'static str, &'static str)],
}

impl Tool {
    /// The canonical name of the parameter that the agent calls `native`.
    #[must_use]
    pub fn param<'a>(&self, native: &'a str) -> &'a str {
        self.params.iter().find(|(theirs, _)| *theirs == native).map_or(native, |(_, ours)| ours)
    }
}

/// A tool whose parameters have canonical names already.
pub(crate) const fn tool(native: &'static str, canonical: &'static str) -> Tool {
    Tool { native, canonical, params: &[] }
}

/// A tool some of whose parameters are called otherwise.
pub(crate) const fn renamed(
    native: &'static str,
    canonical: &'static str,
    params: &'static [(&'static str, &'static str)],
) -> Tool {
    Tool { native, canonical, params }
}

/// What `table`, which is sorted by native names, knows of a tool.
pub(crate) fn look_up(table: &'static [Tool], native: &str) -> Option<&'static Tool> {
    let at = table.binary_search_by(|tool| tool.native.cmp(native)).ok()?;
    table.get(at)
}

/// A call with canonical names, and whether it had more parameters than are kept. `input` is valid
/// JSON.
pub(crate) fn tool_call<'a>(
    known: Option<&'static Tool>,
    native: Cow<'a, str>,
    id: Option<Cow<'a, str>>,
    input: Option<&'a str>,
) -> (Call<'a>, bool) {
    let params = params(known, input);
    let Some(tool) = known else {
        let call = Call { id, tool: native, native_tool: None, params: params.list };
        return (call, params.overflowed);
    };
    let native_tool = (native != tool.canonical).then_some(native);
    let tool = Cow::Borrowed(tool.canonical);
    (Call { id, tool, native_tool, params: params.list }, params.overflowed)
}

fn params<'a>(tool: Option<&'static Tool>, input: Option<&'a str>) -> Params<'a> {
    let mut params = Params::default();
    match input {
        None | Some("null" | "") => {}
        Some(object) if object.starts_with('{') => {
            // The text was read as JSON before; there is nothing left to go wrong.
            let _ = json::entries(object, |name, value| {
                let value = Value::from(value);
                match tool.map(|tool| tool.param(&name)).filter(|canonical| *canonical != name) {
                    Some(canonical) => {
                        params.push(Cow::Owned(canonical.to_owned()), Some(name), value);
                    }
                    None => params.push(name, None, value),
                }
            });
        }
        Some(other) => params.push(Cow::Borrowed(POSITIONAL), None, value_of(other)),
    }
    params
}

/// Valid JSON text as a value of an event.
pub(crate) fn value_of(json: &str) -> Value<'_> {
    json::text_of(json).map_or_else(|| Value::Json(Cow::Borrowed(json)), Value::Text)
}

/// Checks that `table` can be searched and holds no name twice.
#[cfg(test)]
#[track_caller]
pub(crate) fn check_table(table: &'static [Tool]) {
    for tool in table {
        let found = look_up(table, tool.native).map(std::ptr::from_ref);
        assert_eq!(found, Some(std::ptr::from_ref(tool)), "{}", tool.native);
    }
}

#[cfg(test)]
mod tests {
    use behavior_runtime::tool_catalogue;
    use behavior_runtime::tools::normalise;

    use crate::hook::Agent;

    /// What the catalogue says of a tool by an agent's own name is what it says of the canonical one, so
    /// that no policy depends on which of them it is asked about.
    #[test]
    fn each_tool_of_an_agent_is_in_the_catalogue() {
        let mut name = String::new();
        for agent in Agent::ALL {
            for tool in agent.tools() {
                normalise(tool.native, &mut name);
                let known = tool_catalogue::find(&name).map(|known| known.name);
                assert_eq!(known, Some(tool.canonical), "{}: {}", agent.name(), tool.native);
            }
            for name in agent.tool_names() {
                let is_listed = |known: &str| known.eq_ignore_ascii_case(name);
                let names = tool_catalogue::TOOLS.iter().flat_map(|known| known.names());
                assert!(names.into_iter().any(is_listed), "{}: {name}", agent.name());
            }
        }
    }
}
