//! Tool names and which triggers select them.

use behavior_facts::tool_catalogue::is_shell;
use behavior_runtime::event::Call;

/// The parts of a name: lower case, `__` and `.` separate, a leading `mcp__` does not count.
pub fn parts(name: &str) -> Vec<String> {
    let lower: String = name.chars().flat_map(char::to_lowercase).collect();
    let rest = match lower.strip_prefix("mcp__") {
        Some(rest) => rest.to_owned(),
        None => lower,
    };
    rest.replace("__", ".").split('.').map(str::to_owned).collect()
}

/// The name without its namespace.
pub fn canonical(name: &str) -> String {
    parts(name).pop().unwrap_or_default()
}

/// Whether one of the triggers selects the call's tool, by its canonical or its native name.
pub fn any_selects(triggers: &[Box<str>], call: &Call<'_>) -> bool {
    let selects = |tool: &str| {
        let is_shell = is_shell(&parts(tool).join("."));
        triggers
            .iter()
            .any(|trigger| selects(trigger, tool) || is_shell && selects(trigger, "bash"))
    };
    selects(&call.tool) || call.native_tool.as_deref().is_some_and(selects)
}

fn selects(trigger: &str, tool: &str) -> bool {
    if trigger == "*" {
        return true;
    }
    let (trigger, tool) = (parts(trigger), parts(tool));
    match (trigger.len(), tool.len()) {
        (1, _) => trigger.last() == tool.last(),
        (_, 1) => trigger.last() == tool.last(),
        _ => trigger == tool,
    }
}
