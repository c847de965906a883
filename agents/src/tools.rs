//! What the tables of all agents' tools have in common: an entry, and how a call is given canonical
//! names by it. Which tools there are, each agent's own folder says.

use std::borrow::Cow;

use behavior_facts::tools::SHELL;
use behavior_facts::touched::DIRECTORY_PARAMS;
use behavior_runtime::event::{Call, Value};

use crate::command_line::{is_named_shell, name_command};
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
    /// Parameters that it does not have, though others of its kind do: what a call says there means nothing.
    pub ignored: &'static [&'static str],
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
    Tool { native, canonical, params: &[], ignored: &[] }
}

/// A tool some of whose parameters are called otherwise.
pub(crate) const fn renamed(
    native: &'static str,
    canonical: &'static str,
    params: &'static [(&'static str, &'static str)],
) -> Tool {
    Tool { native, canonical, params, ignored: &[] }
}

/// A shell that always runs where the agent is.
pub(crate) const fn shell_here(native: &'static str) -> Tool {
    Tool { native, canonical: SHELL, params: &[], ignored: &DIRECTORY_PARAMS }
}

/// What `table`, which is sorted by native names, knows of a tool.
pub(crate) fn look_up(table: &'static [Tool], native: &str) -> Option<&'static Tool> {
    let at = table.binary_search_by(|tool| tool.native.cmp(native)).ok()?;
    table.get(at)
}

/// A call with canonical names, and whether it had more parameters than are kept. `input` is valid
/// JSON.
///
/// Whatever runs command lines, known here or not, has its line as `command`, and as a text.
pub(crate) fn tool_call<'a>(
    known: Option<&'static Tool>,
    native: Cow<'a, str>,
    id: Option<Cow<'a, str>>,
    input: Option<&'a str>,
) -> (Call<'a>, bool) {
    let mut params = params(known, input);
    if runs_commands(known, &native) {
        name_command(&mut params.list);
    }
    let Some(tool) = known else {
        let call = Call { id, tool: native, native_tool: None, params: params.list };
        return (call, params.overflowed);
    };
    let native_tool = (native != tool.canonical).then_some(native);
    let tool = Cow::Borrowed(tool.canonical);
    (Call { id, tool, native_tool, params: params.list }, params.overflowed)
}

fn runs_commands(known: Option<&'static Tool>, native: &str) -> bool {
    match known {
        Some(tool) => tool.canonical == SHELL,
        None => is_named_shell(native),
    }
}

fn params<'a>(tool: Option<&'static Tool>, input: Option<&'a str>) -> Params<'a> {
    let mut params = Params::default();
    match input {
        None | Some("null" | "") => {}
        Some(object) if object.starts_with('{') => {
            // The text was read as JSON before; there is nothing left to go wrong.
            let _ = json::entries(object, |name, value| {
                let value = Value::from(value);
                if tool.is_some_and(|tool| tool.ignored.contains(&&*name)) {
                    return;
                }
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
    use behavior_facts::tool_catalogue;
    use behavior_facts::tools::normalise;

    use super::*;
    use crate::hook::Agent;

    #[test]
    fn a_shells_command_line_has_one_name_and_is_a_text() {
        let check = |tool: &'static str, input: &'static str, expect: Option<&str>| {
            let (call, _) = tool_call(None, Cow::Borrowed(tool), None, Some(input));
            assert_eq!(call.param("command").and_then(Value::as_text), expect, "{tool} {input}");
        };
        check("shell", r#"{"command":["bash","-lc","ls | wc"]}"#, Some("ls | wc"));
        check("shell", r#"{"command":["/bin/zsh","-c","ls"]}"#, Some("ls"));
        check("shell", r#"{"command":["rm","a b","$X"]}"#, Some("rm 'a b' '$X'"));
        check("shell", r#"{"command":["bash","-lc","ls","more"]}"#, Some("bash -lc ls more"));
        check("shell", r#"{"command":[]}"#, None);
        check("shell", r#"{"command":[1]}"#, None);
        check("exec_command", r#"{"cmd":"ls","workdir":"/"}"#, Some("ls"));
        check("mcp__box__run_command", r#"{"script":"ls"}"#, Some("ls"));
        check("shell", r#"{"cmd":"rm","command":"ls"}"#, Some("ls"));
        check("bash", r#"{"CommandLine":"ls"}"#, Some("ls"));
        check("bash", r#"{"input":"ls"}"#, Some("ls"));
        check("bash", r#"{"code":"ls"}"#, Some("ls"));
        check("bash", r#"["ls"]"#, Some("ls"));
        check("bash", r#"["ls -a",30]"#, Some("ls -a"));
        check("bash", r#"["ls -a","/tmp"]"#, Some("ls -a"));
        check("bash", r#"["ls","a b"]"#, Some("ls 'a b'"));
        check("bash", r#"["/a b/ls","x"]"#, Some("'/a b/ls' x"));
        check(
            "mcp__box__execute_command",
            r#"{"command":"rm","args":["-r","a b"]}"#,
            Some("rm -r 'a b'"),
        );
        check("bash", r#"{"command":"ls","args":[]}"#, Some("ls"));
        check("deploy", r#"{"cmd":"ls"}"#, None);
    }

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
