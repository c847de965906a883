//! The names in a description of a command: programs and flags that are written so that nothing could
//! ever be called so. Reports only; what the description means is none of its business.

use super::{RunsConfig, list};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::fragment::Problem;
use crate::lower::Lowering;
use crate::nearest::closest;
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// Looks at the names of a description; `None` when one of them is no name at all.
pub(super) fn check(config: &RunsConfig, node: &Node, lowering: &mut Lowering<'_>) -> Option<()> {
    for item in items(node, "program") {
        program(item, lowering);
    }
    for item in items(node, "under") {
        runner(item, lowering);
    }
    let path = path(config);
    let mut is_good = true;
    for field in ["flags", "any_flag", "no_flag"] {
        for item in items(node, field) {
            is_good &= flag(field, item, &path, node, lowering);
        }
    }
    is_good.then_some(())
}

/// What stands in a field of one or many.
fn items<'n>(node: &'n Node, field: &str) -> &'n [Node] {
    let Some(value) = node.get(field) else { return &[] };
    value.items().unwrap_or(std::slice::from_ref(value))
}

/// The program and the words of the first subcommand.
fn path(config: &RunsConfig) -> Vec<Box<str>> {
    let program = list(&config.program).first().map(|name| name.to_ascii_lowercase().into());
    let subcommand = list(&config.subcommand).first();
    let words = subcommand.iter().flat_map(|words| words.split_whitespace()).map(Box::from);
    program.into_iter().chain(words).collect()
}

fn program(item: &Node, lowering: &mut Lowering<'_>) {
    let Some(written) = item.as_str() else { return };
    let problem = |message: String| Problem::new(0..written.len(), message);
    if let Some((first, rest)) = written.trim().split_once(char::is_whitespace) {
        let message = format!("`{written}` is no name of a program: it has a blank");
        let help = match rest.trim().starts_with('-') {
            true => format!("write `program: {first}` and the flags in `flags`"),
            false => format!("write `program: {first}, subcommand: {}`", rest.trim()),
        };
        lowering.misread(item, problem(message).help(help), false);
    } else if let Some(name) = written.rsplit('/').next().filter(|name| name.len() < written.len())
    {
        let message = format!("`{written}` has a directory: programs are compared without it");
        let help = format!("write `{name}`");
        let fix = problem(message).help(help).fix(0..written.len(), name);
        lowering.misread(item, fix, false);
    }
}

/// A program in `under`, of which something must be known for anything to run under it.
fn runner(item: &Node, lowering: &mut Lowering<'_>) {
    let Some(name) = item.as_str() else { return };
    if lowering.programs.is_program(name) {
        return;
    }
    let message = format!("nothing is known of a program `{name}` that runs others");
    let paths = lowering.programs.paths();
    let names = paths.filter(|path| path.len() == 1).flatten().map(|name| &**name);
    let diagnostic = Diagnostic::new(&d::UNKNOWN_PROGRAM, item.span, message);
    let diagnostic = match closest(name, names) {
        Some(near) => {
            let near = near.to_owned();
            let help = format!("did you mean `{near}`?");
            diagnostic.help(help).replace(item.span, near, Applicability::Unsafe)
        }
        None => diagnostic.help(format!("say it under `programs`: `{name}: {{ runs: words }}`")),
    };
    lowering.report(diagnostic);
}

/// Looks at a flag; answers whether it is the name of one.
fn flag(
    field: &str,
    item: &Node,
    path: &[Box<str>],
    node: &Node,
    lowering: &mut Lowering<'_>,
) -> bool {
    let Some(written) = item.as_str() else { return true };
    let body = written.trim_start_matches('-');
    let (name, value) =
        body.split_once('=').map_or((body, None), |(name, rest)| (name, Some(rest)));
    if matches!(written, "--" | "-") {
        // What ends the flags of a command may be asked for, too, and the sign that stands by itself.
        return true;
    }
    if name.is_empty() || name.contains(char::is_whitespace) {
        let is_empty = name.trim().is_empty();
        let message = match is_empty {
            true => format!("`{written}` names no flag"),
            false => format!("`{written}` is no name of a flag: it has a blank"),
        };
        let parts: Vec<_> = written.split_whitespace().collect();
        let help = match is_empty {
            true => "write the flag's name, such as `-f` or `--force`".to_owned(),
            false => format!("write a list: `{field}: [{}]`", parts.join(", ")),
        };
        let diagnostic = Diagnostic::new(&d::INVALID_COMMAND_PATTERN, item.span, message);
        lowering.report(diagnostic.help(help));
        return false;
    }
    if value.is_none()
        && let Some(parts) = bundled(path, written, name, lowering)
    {
        report_bundle(field, item, &parts, node, lowering);
    }
    true
}

/// The flags that `-rf` is read as, where these are several or one with a value.
fn bundled(
    path: &[Box<str>],
    written: &str,
    name: &str,
    lowering: &Lowering<'_>,
) -> Option<Vec<String>> {
    let table = lowering.programs;
    let path = table.known_path(path);
    let dashes = written.len() - name.len();
    if table.has_flag(path, name) || dashes > 1 {
        return None;
    }
    let parts = table.cluster(path, name);
    let is_one = parts.first() == Some(&(name, None));
    // Without a dash it may be the name of a long flag, unless every letter is known.
    let is_letters = name.len() <= 3 && parts.iter().all(|(_, value)| value.is_none());
    let is_said =
        dashes == 1 || is_letters && parts.iter().all(|(letter, _)| table.has_flag(path, letter));
    let spelled = parts.iter().map(|(letter, value)| match value {
        Some(value) => format!("{letter}={value}"),
        None => format!("-{letter}"),
    });
    (!is_one && is_said).then(|| spelled.collect())
}

fn report_bundle(
    field: &str,
    item: &Node,
    parts: &[String],
    node: &Node,
    lowering: &mut Lowering<'_>,
) {
    let Kind::String(written) = &item.kind else { return };
    let list = parts.join(", ");
    let message =
        format!("`{written}` is looked for as one flag, and no command has a flag so called");
    let diagnostic = Diagnostic::new(&d::BUNDLED_FLAGS, item.span, message);
    let is_all = field == "flags";
    let diagnostic = match is_all {
        true => diagnostic.help(format!("write `flags: [{list}]`")),
        false => diagnostic.help(format!(
            "name each flag: `{field}: [{list}]` is about each of them, `flags: [{list}]` about \
             all of them together"
        )),
    };
    let replaced = replacement(item, parts, node.get(field), lowering).filter(|_| is_all);
    lowering.report(match replaced {
        Some(text) => diagnostic.replace(item.span, text, Applicability::Safe),
        None => diagnostic,
    });
}

/// The flags as they are written in the place of one: in brackets, as items of a list in brackets, or
/// as items that each have their line.
fn replacement(
    item: &Node,
    parts: &[String],
    value: Option<&Node>,
    lowering: &Lowering<'_>,
) -> Option<String> {
    let value = value?;
    let text = lowering.text_of(item.span);
    let at = |span: Span| text.get(span.start as usize..);
    let quote = at(item.span)?.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let quote = quote.map(String::from).unwrap_or_default();
    let quoted: Vec<_> = parts.iter().map(|part| format!("{quote}{part}{quote}")).collect();
    if value.items().is_none() {
        return Some(format!("[{}]", quoted.join(", ")));
    }
    if at(value.span)?.starts_with('[') {
        return Some(quoted.join(", "));
    }
    let before = text.get(..item.span.start as usize)?;
    let line = before.get(before.rfind('\n').map_or(0, |newline| newline + 1)..)?;
    (line.trim() == "-").then(|| quoted.join(&format!("\n{line}")))
}
