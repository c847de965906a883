//! The registry in words: Markdown for hover and completion.

use std::fmt::Write as _;

use behavior_facts::tool_catalogue::{TOOLS, ToolEffect};
use behavior_runtime::decision::Phase;

use super::names::{Declared, Surroundings, text};
use crate::conditions::{Composite, ConditionKind};
use crate::expression::Expr;
use crate::provider::LIBRARY_PREFIX;
use crate::registry::schema::{Choice, Field, NameKind};
use crate::resolve::FileKind;
use crate::resolve::switches::{SETTINGS, THRESHOLDS};
use crate::rule_test::{docs_of, fields_of};
use crate::samples::Samples;
use crate::syntax::{Kind, Node};
use crate::template::Placeholder;
use crate::trace_policy::TraceRuleKind;

/// Documentation as it was written: declarations keep the blank that follows `///`.
pub(super) fn tidy(docs: &str) -> String {
    let lines = docs.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// A headline, and paragraphs below it.
fn article(name: &str, what: &str, paragraphs: impl IntoIterator<Item = String>) -> String {
    let mut out = format!("**`{name}`** — {what}");
    for paragraph in paragraphs.into_iter().filter(|paragraph| !paragraph.is_empty()) {
        out.push_str("\n\n");
        out.push_str(&paragraph);
    }
    out
}

pub(super) fn field(field: &Field) -> String {
    let must = match (field.required, field.default) {
        (true, _) => "Required.".to_owned(),
        (false, Some(default)) => format!("Default: `{default}`"),
        (false, None) => String::new(),
    };
    article(field.name, &field.shape.describe(), [tidy(field.docs), must])
}

pub(super) fn choice(choice: &Choice) -> String {
    article(choice.name, "value", [tidy(choice.docs)])
}

pub(super) fn condition(kind: &ConditionKind) -> String {
    let phases = match kind.phases.len() == Phase::ALL.len() {
        true => String::new(),
        false => {
            let names: Vec<_> = kind.phases.iter().map(|p| format!("`{}`", p.name())).collect();
            format!("Holds only in rules with `when:` {}.", names.join(" or "))
        }
    };
    let forms = forms(kind.example, kind.expression);
    article(kind.name, "condition", [tidy(kind.docs), forms, phases])
}

/// A condition that is `true` or `false` and nothing else.
pub(super) fn constant(condition: &Expr) -> Option<String> {
    let (name, says) = match condition {
        Expr::All(parts) if parts.is_empty() => ("true", "Always holds."),
        Expr::Any(parts) if parts.is_empty() => ("false", "Never holds."),
        _ => return None,
    };
    Some(article(name, "condition", [says.to_owned()]))
}

pub(super) fn composite(composite: &Composite) -> String {
    let forms = forms(composite.example, composite.expression);
    article(composite.name, "composes conditions", [tidy(composite.docs), forms])
}

fn forms(example: &str, expression: &str) -> String {
    format!("```yaml\n{example}\n```\nAs an expression:\n```yaml\ncondition: {expression}\n```")
}

pub(super) fn placeholder(placeholder: &Placeholder) -> String {
    let name = match placeholder.argument {
        Some(_) => format!("{{{}:…}}", placeholder.name),
        None => format!("{{{}}}", placeholder.name),
    };
    let example = format!("Example: `{}`", placeholder.example.replace('`', "'"));
    article(&name, "placeholder", [placeholder.docs.to_owned(), example])
}

/// A key of `rules`; `None` where there is none of that name.
pub(super) fn switch(name: &str, surroundings: &Surroundings<'_>) -> Option<String> {
    let threshold = THRESHOLDS.iter().find(|threshold| threshold.name == name);
    let about_threshold = threshold.map(|threshold| {
        format!(
            "{}\n\nDefault: `{}`; `0` switches the rule off.",
            threshold.docs, threshold.default
        )
    });
    if let Some(rule) = surroundings.builtin_rule(name) {
        let paragraphs = [rule_facts(rule), about_threshold.unwrap_or_default()];
        return Some(article(name, "built-in rule", paragraphs));
    }
    if let Some(about) = about_threshold {
        return Some(article(name, "threshold", [about]));
    }
    let (_, docs) = SETTINGS.iter().find(|(setting, _)| *setting == name)?;
    Some(article(name, "setting", [(*docs).to_owned()]))
}

/// A tool: what it does, what agents call it, what it takes.
pub(super) fn tool(name: &str) -> String {
    if name == "*" {
        return article(name, "every tool", []);
    }
    let lower = name.to_lowercase().replace("__", ".");
    let known = TOOLS.iter().find(|tool| tool.names().any(|known| known == lower));
    let Some(known) = known else {
        let what = match lower.split('.').count() {
            1 => "tool, none of those that are known",
            _ => "tool of a server",
        };
        return article(name, what, []);
    };
    let does = match known.effect {
        ToolEffect::RunsCommands => "Runs command lines.",
        ToolEffect::ChangesFiles => "Changes files.",
        ToolEffect::ReadsFiles => "Reads files.",
        ToolEffect::DeletesFiles => "Deletes files.",
        ToolEffect::Other => "",
    };
    let listed = |names: &[&str]| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let others: Vec<&str> = known.names().filter(|other| *other != lower).collect();
    let called = match others.is_empty() {
        true => String::new(),
        false => format!("Also called: {}", listed(&others)),
    };
    let takes = match known.params.is_empty() {
        true => String::new(),
        false => format!("Takes: {}", listed(known.params)),
    };
    article(name, "tool", [does.to_owned(), called, takes])
}

/// A name in quotes of Markdown.
fn code(name: &str) -> String {
    format!("`{}`", name.replace('`', "'"))
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ")
}

/// A value that is known, or one of a field.
pub(super) fn value(text: &str, what: &str, field: Option<&Field>) -> String {
    let about = field.map(|field| format!("`{}`: {}", field.name, tidy(field.docs)));
    article(&text.replace('`', "'"), what, [about.unwrap_or_default()])
}

/// A pattern: what it matches, and what it just does not.
pub(super) fn pattern(text: &str, what: &str, samples: Option<Samples>) -> String {
    let shown = samples.map(|samples| {
        let misses = samples.misses.map(|text| format!("  \nDoes not match: {}", code(&text)));
        format!("Matches: {}{}", code(&samples.matches), misses.unwrap_or_default())
    });
    article(&text.replace('`', "'"), what, [shown.unwrap_or_default()])
}

/// A command pattern: the spellings that it covers.
pub(super) fn command(text: &str, spellings: &[(String, Vec<String>)]) -> String {
    let same =
        spellings.iter().map(|(word, others)| format!("{} is also {}", code(word), listed(others)));
    let same = same.collect::<Vec<_>>().join("  \n");
    let anywhere = "Covered wherever it runs: behind `sudo` or `env`, in `bash -c`, in a loop, a pipe or a substitution, \
                    with any quotes and its flags in any order.";
    article(&text.replace('`', "'"), "command pattern", [same, anywhere.to_owned()])
}

/// A parameter of tools, and of which it is one.
pub(super) fn param(name: &str, tools: &[String]) -> String {
    let takes = |tool: &&String| {
        crate::parameters::of(&tool.to_lowercase()).is_some_and(|params| params.contains(&name))
    };
    let of: Vec<String> = tools.iter().filter(takes).cloned().collect();
    let what = match of.is_empty() {
        true => "parameter".to_owned(),
        false => format!("parameter of {}", listed(&of)),
    };
    let others = TOOLS.iter().filter(|tool| tool.params.contains(&name));
    let others: Vec<String> = others.map(|tool| tool.name.to_owned()).collect();
    let taken = match others.is_empty() {
        true => String::new(),
        false => format!("Taken by: {}", listed(&others)),
    };
    article(name, &what, [taken])
}

/// A native event.
pub(super) fn native_event(name: &str) -> String {
    let fields: Vec<String> = fields_of(name).map(str::to_owned).collect();
    let fields = format!("Fields: {}", listed(&fields));
    article(name, "native event", [docs_of(name).unwrap_or_default().to_owned(), fields])
}

/// A program, the names that mean the same, and the words that select a part of it.
pub(super) fn program(name: &str, others: &[String], subcommands: &[String]) -> String {
    let said = |says: &str, names: &[String]| match names.is_empty() {
        true => String::new(),
        false => format!("{says}: {}", listed(names)),
    };
    let parts = said("Parts of it that are known", subcommands);
    article(name, "program", [said("Also called", others), parts])
}

/// A flag of a command, and its other spellings.
pub(super) fn flag(name: &str, dashed: &str, command: &str, others: &[String]) -> String {
    let also = match others.is_empty() {
        true => String::new(),
        false => format!("Also written: {}", listed(others)),
    };
    article(name, &format!("flag {} of {}", code(dashed), code(command)), [also])
}

/// More lines than this of a document are not shown.
const MAX_LINES: usize = 12;

/// A document that is quoted or shown to the agent, by its first lines; `None` where the project has none.
pub(super) fn document(name: &str, text: Option<&str>) -> String {
    let Some(text) = text else {
        return article(name, "document, which is not in the project", []);
    };
    let mut shown: Vec<String> = text
        .lines()
        .take(MAX_LINES)
        .map(|line| format!("> {line}").trim_end().to_owned())
        .collect();
    if text.lines().nth(MAX_LINES).is_some() {
        shown.push("> …".to_owned());
    }
    article(name, "document", [shown.join("\n")])
}

/// A rule as it is written, of whatever kind of file.
pub(super) fn rule(name: &str, kind: FileKind, rule: &Node) -> String {
    match kind {
        FileKind::Policy => {
            let said = |field: &str| text(rule, field).map(str::to_owned);
            let pattern =
                said("pattern").or_else(|| said("tool_pattern")).or_else(|| said("arg_pattern"));
            let action = said("action").unwrap_or_default();
            let about = match pattern {
                Some(pattern) => format!("`{action}` for `{pattern}`"),
                None => format!("`{action}`"),
            };
            article(name, "policy rule", [about, said("reason").unwrap_or_default()])
        }
        FileKind::TracePolicy => {
            let kind = text(rule, "kind").unwrap_or_default();
            let docs = TraceRuleKind::named(kind).map(|kind| tidy(kind.docs)).unwrap_or_default();
            let own = text(rule, "description").unwrap_or_default().to_owned();
            article(name, &format!("trace rule, `{kind}`"), [own, docs])
        }
        _ => {
            let condition = rule.get("condition").and_then(|condition| match condition.as_str() {
                Some(text) => Some(text.to_owned()),
                None => crate::expression::print(condition),
            });
            let holds = condition.map(|text| format!("Fires when `{text}`")).unwrap_or_default();
            article(name, "rule", [rule_facts(rule), holds])
        }
    }
}

/// A word of the classifier.
pub(super) fn level(kind: &str, name: &str, node: Option<&Node>) -> String {
    let said = |field: &str, says: &str| {
        let text = node.and_then(|node| text(node, field));
        text.map(|text| format!("{says}: {text}")).unwrap_or_default()
    };
    let what = format!("{kind} of the classifier");
    article(
        name,
        &what,
        [said("label", "Shown as"), said("when", "When"), said("behavior", "Then")],
    )
}

/// A class of commands, and what it covers: the lists that say so, that of the nearest file first.
pub(super) fn class(name: &str, file: &str, lists: &[&Node]) -> String {
    let place = match file.starts_with(LIBRARY_PREFIX) {
        true => "built in".to_owned(),
        false => format!("declared in `{file}`"),
    };
    let commands = lists.iter().filter_map(|list| list.items()).flatten();
    let mut covered: Vec<String> = commands.map(command_words).collect();
    let more = covered.len().saturating_sub(MAX_COMMANDS);
    covered.truncate(MAX_COMMANDS);
    let mut covers = listed(&covered);
    if more > 0 {
        let _ = write!(covers, " and {more} more");
    }
    let covers = if covered.is_empty() { covers } else { format!("Covers: {covers}") };
    article(name, &format!("class of commands, {place}"), [covers])
}

/// More commands than this of a class are counted.
const MAX_COMMANDS: usize = 20;

/// A command as `runs` describes it, in words: `(npm | pnpm) publish --tag`.
fn command_words(command: &Node) -> String {
    let all = |field: &str| -> Vec<&str> {
        let value = command.get(field);
        let many = value.and_then(Node::items).unwrap_or_default();
        value.into_iter().chain(many).filter_map(Node::as_str).collect()
    };
    if let Some(text) = command.as_str() {
        return text.to_owned();
    }
    let classes: Vec<String> =
        all("class").into_iter().map(|class| format!("the class {class}")).collect();
    let one_of = |names: Vec<&str>| match names.as_slice() {
        [] | [_] => names.concat(),
        _ => format!("({})", names.join(" | ")),
    };
    let mut words = vec![one_of(all("program")), one_of(all("subcommand"))];
    let flags = ["flags", "any_flag"].into_iter().flat_map(all);
    words.extend(flags.map(|flag| match flag.split('=').next().map(str::len) {
        _ if flag.starts_with('-') => flag.to_owned(),
        Some(1) => format!("-{flag}"),
        _ => format!("--{flag}"),
    }));
    words.extend(["operands", "target"].into_iter().flat_map(all).map(str::to_owned));
    words.extend(classes);
    words.retain(|word| !word.is_empty());
    if words.is_empty() { "…".to_owned() } else { words.join(" ") }
}

/// What a rule enforces: its description, when it is looked at, what it says.
pub(super) fn rule_facts(rule: &Node) -> String {
    let mut out = text(rule, "description").unwrap_or_default().to_owned();
    let action = text(rule, "action").unwrap_or("warn");
    let when = text(rule, "when").unwrap_or("pre_tool");
    let tools = rule.get("trigger").map_or_else(|| "`*`".to_owned(), tools);
    let _ = write!(out, "\n\n`{action}` at `{when}` of {tools}");
    if let Some(message) = text(rule, "message") {
        let _ = write!(out, "\n\n> {}", message.replace('\n', "\n> "));
    }
    out
}

/// A set, counter or flag: where it is declared and what changes it.
pub(super) fn declared(kind: NameKind, declared: Declared<'_>) -> String {
    let node = &declared.entry.value;
    let facts: &[(&str, &str)] = match kind {
        NameKind::Set => &[
            ("add_on", "Added to by"),
            ("add_on_call", "Added to by calls of"),
            ("add_on_success", "Added to by success of"),
            ("target", "Holds the parameter"),
            ("aliases", "or"),
            ("window_turns", "Entries live for turns:"),
        ],
        NameKind::Counter => &[("increment_on", "Counted up by"), ("reset_on", "Reset by")],
        _ => &[("set_on", "Set by"), ("unset_on", "Unset by")],
    };
    let facts = facts.iter().filter_map(|(field, says)| {
        let listed = tools(node.get(field)?);
        (!listed.is_empty()).then(|| format!("{says} {listed}"))
    });
    let reset = node.get("reset_when").and_then(|reset| {
        let param = text(reset, "param")?;
        Some(format!("Reset by {} when `{param}` matches a pattern", tools(reset.get("tool")?)))
    });
    let facts: Vec<String> = facts.chain(reset).collect();
    let file = declared.file.called();
    let place = match file.strip_prefix(LIBRARY_PREFIX) {
        Some("rules.yaml") => "built in".to_owned(),
        Some(preset) => format!("of the preset `{}`", preset.trim_end_matches(".yaml")),
        None => format!("declared in `{file}`"),
    };
    let what = format!("{}, {place}", kind.describe());
    article(&declared.entry.key.text, &what, [facts.join("  \n")])
}

/// A name or a list of names, in words.
fn tools(node: &Node) -> String {
    let shown = |node: &Node| match &node.kind {
        Kind::String(text) => Some(format!("`{text}`")),
        Kind::Int(number) => Some(format!("`{number}`")),
        _ => None,
    };
    match node.items() {
        Some(items) => items.iter().filter_map(shown).collect::<Vec<_>>().join(", "),
        None => shown(node).unwrap_or_default(),
    }
}

/// A preset or a profile of the project.
pub(super) fn profile(name: &str, surroundings: &Surroundings<'_>) -> Option<String> {
    let profile = surroundings.profile(name)?;
    let config = profile.config();
    let is_builtin = profile.called().starts_with(LIBRARY_PREFIX);
    let what = match is_builtin {
        true => "built-in preset".to_owned(),
        false => format!("profile, `{}`", profile.called()),
    };
    let description = text(config, "description").unwrap_or_default().to_owned();
    let extends = text(config, "extends").map(|base| format!("Extends `{base}`."));
    let switches = config.get("rules").and_then(Node::entries).unwrap_or_default();
    let is_on = |node: &Node| match node.kind {
        Kind::Bool(on) => on,
        Kind::Int(number) => number > 0,
        _ => false,
    };
    let on = switches.iter().filter(|entry| is_on(&entry.value));
    let on = on.filter(|entry| surroundings.builtin_rule(&entry.key.text).is_some());
    let on: Vec<String> = on.map(|entry| format!("`{}`", entry.key.text)).collect();
    let on = match on.is_empty() {
        true => String::new(),
        false => format!("Switches on: {}", on.join(", ")),
    };
    let own = config.get("rule_definitions").and_then(Node::items).unwrap_or_default();
    let own: Vec<String> =
        own.iter().filter_map(|rule| text(rule, "id")).map(|id| format!("`{id}`")).collect();
    let own = match own.is_empty() {
        true => String::new(),
        false => format!("Its rules: {}", own.join(", ")),
    };
    Some(article(name, &what, [description, extends.unwrap_or_default(), on, own]))
}
