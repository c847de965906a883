//! Custom rules of cc-safety-net, by its schema of version 1: each blocks a program, or a subcommand of it,
//! that is given any of some words. The program is compared without its directory; a flag of one letter also
//! counts within a group of such flags.

use behavior_compiler::source::Span;
use behavior_compiler::syntax::{Format, Kind, Node};

use super::action::Action;
use super::command;
use super::imported::Import;
use super::policy::{Policy, Rule, Target};

/// What may stand in a rule; all but `subcommand` must.
const FIELDS: [&str; 5] = ["name", "command", "subcommand", "block_args", "reason"];

/// Reads rules.
pub(super) fn import(import: &mut Import) -> Policy {
    let trees = import.trees(Format::Json);
    // What no rule is about stays with the agent's own permissions, as there.
    let mut policy = Policy::new("rules of cc-safety-net");
    policy.mode = Some("agent");
    for tree in &trees {
        if !matches!(tree.get("version").map(|node| &node.kind), Some(Kind::Int(1))) {
            let span = tree.get("version").map_or(tree.span, |node| node.span);
            import.invalid(span, "`version` is 1");
        }
        for entry in tree.entries().unwrap_or_default() {
            match (&*entry.key.text, &entry.value.kind) {
                ("version" | "$schema", _) => {}
                ("rules", Kind::Seq(items)) => {
                    for item in items {
                        if let Some(made) = rule(import, item) {
                            policy.push(made);
                        }
                    }
                }
                ("rules", _) => import.invalid(entry.value.span, "`rules` is a list"),
                (name, _) => import.invalid(entry.key.span, format!("there is no `{name}`")),
            }
        }
    }
    policy
}

fn rule(import: &mut Import, node: &Node) -> Option<Rule> {
    for entry in node.entries().unwrap_or_default() {
        if !FIELDS.contains(&&*entry.key.text) {
            import.invalid(entry.key.span, format!("a rule has no `{}`", entry.key.text));
        }
    }
    let name = text(import, node, "name")?;
    let program = text(import, node, "command")?;
    let reason = text(import, node, "reason")?;
    let subcommand = node.get("subcommand").and_then(Node::as_str);
    let words = node.get("block_args").and_then(Node::items).unwrap_or_default();
    if words.is_empty() {
        import.invalid(node.span, "a rule has `block_args`, a list of words");
        return None;
    }
    let mut patterns = Vec::new();
    for word in words {
        let Some(word) = word.as_str().filter(|word| !word.is_empty()) else {
            import.invalid(word.span, "each of `block_args` is a word");
            continue;
        };
        let parts = [Some(program), subcommand].into_iter().flatten().map(command::quoted);
        // An operand may have others before it.
        let before = (!word.starts_with('-')).then(|| "*".to_owned());
        let word = command::quoted(word);
        let all: Vec<String> = parts.chain(before).chain([word, "*".to_owned()]).collect();
        match command::fitting(format!("bash({})", all.join(" "))) {
            Ok(pattern) => patterns.push(pattern),
            Err(why) => import.looser(node.span, format!("`{name}`: {why}")),
        }
    }
    Some(Rule {
        name: name.to_owned(),
        action: Action::Deny,
        target: Target::Pattern(patterns),
        mode: None,
        reason: Some(reason.to_owned()),
        comments: Vec::new(),
    })
}

/// A field that every rule has.
fn text<'n>(import: &mut Import, node: &'n Node, field: &str) -> Option<&'n str> {
    let found = node.get(field).and_then(Node::as_str).filter(|text| !text.is_empty());
    if found.is_none() {
        let span: Span = node.get(field).map_or(node.span, |value| value.span);
        import.invalid(span, format!("a rule has a `{field}`: text"));
    }
    found
}
