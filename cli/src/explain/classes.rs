//! The classes of commands that are built in, as the standard library writes them.

use super::meaning::Meaning;

/// The meaning of a class, where there is one of the name.
pub fn meanings(name: &str) -> impl Iterator<Item = Meaning> {
    classes().filter(move |class| class.name == name).map(move |class| {
        let docs = format!(
            "{}\n\nRules ask for it with `class`; `command_classes` in a config adds to it.",
            class.docs
        );
        let condition = format!("condition: {{ runs: {{ class: {name} }} }}");
        Meaning::new("class of commands", name, docs)
            .example("in a rule", condition)
            .example("what is in it", class.commands)
    })
}

/// The names of all classes.
pub fn names() -> impl Iterator<Item = String> {
    classes().map(|class| class.name.to_owned())
}

struct Class {
    name: &'static str,
    docs: String,
    commands: String,
}

/// The classes of the file: each a key, with comments before it that say what it is, and its items behind it.
fn classes() -> impl Iterator<Item = Class> {
    let text = behavior_stdlib::file("classes.yaml").unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let keys: Vec<_> =
        lines.iter().enumerate().filter_map(|(at, line)| key(line).map(|k| (at, k))).collect();
    keys.into_iter().map(move |(at, name)| {
        let before = lines.get(..at).unwrap_or_default().iter().rev();
        let mut docs: Vec<&str> = before.map_while(|line| line.trim().strip_prefix("# ")).collect();
        docs.reverse();
        let behind = lines.get(at + 1..).unwrap_or_default().iter();
        let commands = behind.take_while(|line| line.starts_with("    "));
        let commands: Vec<&str> = commands.map(|line| line.get(4..).unwrap_or_default()).collect();
        Class { name, docs: docs.join("\n"), commands: commands.join("\n") }
    })
}

/// The name of a class that a line declares.
fn key(line: &str) -> Option<&str> {
    let name = line.strip_prefix("  ")?.strip_suffix(':')?;
    (!name.starts_with([' ', '#', '-'])).then_some(name)
}
