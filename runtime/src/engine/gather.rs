//! What a call that has succeeded looked at: its line, and the files that it read or found.

use behavior_shell::touched::Effect;

use crate::eval::Machine;
use crate::state::evidence::Gathered;
use behavior_facts::path;
use behavior_facts::value::ValueRef;
use behavior_facts::{call_line, surfaced};

/// Words in the names of tools that only list what there is.
const LISTS: [&str; 7] = ["ls", "list", "dir", "tree", "stat", "info", "describe"];

/// Gathers from a call that has succeeded. `tool` is its canonical name.
pub(super) fn gather(tool: &str, machine: &mut Machine<'_>) -> Gathered {
    let line = call_line::of_call(tool, machine.context.params);
    let mut paths = Vec::new();
    if surfaced::is_search(tool) {
        let found = machine.context.result.map(surfaced::paths).unwrap_or_default();
        let below = match machine.context.params.get("path") {
            Some(ValueRef::Text(path)) if !path.is_empty() => Some(path.to_owned()),
            _ => None,
        };
        let found =
            found.into_iter().filter_map(|path| canonical(machine, &path, below.as_deref()));
        paths.extend(found);
    } else if !tool.split(['_', '-']).any(|word| LISTS.contains(&word)) {
        for (_, path) in machine.known_files(&[Effect::Read]) {
            paths.extend(canonical(machine, &path, None));
        }
    }
    Gathered { line, paths }
}

/// The canonical form of a path that a result names: from the working directory, else from where the search
/// began. Nothing where it is known not to exist.
fn canonical(machine: &mut Machine<'_>, path: &str, below: Option<&str>) -> Option<String> {
    let mut scratch = String::new();
    let own = match path::on_drive(path, machine.cwd) {
        Some(path) => path,
        None => path::normalise(path, machine.cwd, &mut scratch).to_owned(),
    };
    let full = if machine.host.exists(&own) != Some(false) {
        own
    } else {
        let from_there = format!("{}/{path}", below?);
        let there = path::normalise(&from_there, machine.cwd, &mut scratch);
        machine.host.exists(there).filter(|exists| *exists)?;
        there.to_owned()
    };
    Some(machine.host.canonical(&full).unwrap_or(full))
}
