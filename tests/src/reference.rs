//! The reference page and the JSON Schemas, written from the registry, and the table of agents, from
//! their adapters. Say nothing that these do not.

use std::fmt::Write as _;

use behavior_agents::hook::{Abilities, Agent};
use behavior_compiler::conditions;
use behavior_compiler::registry::diagnostics;
use behavior_compiler::registry::json_schema::{
    SchemaKind, add_records, bare, cell, records, schema, setting_shape,
};
use behavior_compiler::registry::page::page as diagnostic_page;
use behavior_compiler::registry::schema::{Field, Record, Shape};
use behavior_compiler::resolve::switches::{SETTINGS, THRESHOLDS};
use behavior_compiler::template::{DIRECTIVE_PLACEHOLDERS, PLACEHOLDERS, Placeholder};

/// How the generated files are made again.
pub const REGENERATE: &str = "cargo run -p behavior-tests --bin reference";

/// The generated files: their path from the project's root, and their text.
#[must_use]
pub fn files() -> Vec<(String, String)> {
    let rules = behavior_stdlib::file("rules.yaml").unwrap_or_default();
    let mut files = vec![
        ("docs/reference.md".to_owned(), page()),
        ("docs/live.md".to_owned(), with_agents(include_str!("../../docs/live.md"))),
    ];
    let schemas = SchemaKind::ALL.iter();
    files.extend(schemas.map(|kind| {
        (
            format!("docs/schema/{}.json", kind.name()),
            schema(*kind, rules, behavior_stdlib::PROFILES),
        )
    }));
    files
}

/// The page with its table of agents written anew.
fn with_agents(page: &str) -> String {
    const BEGIN: &str = "<!-- agents -->\n";
    const END: &str = "<!-- /agents -->\n";
    let before = page.split_once(BEGIN).map_or(page, |(before, _)| before);
    let after = page.split_once(END).map_or("", |(_, after)| after);
    format!("{before}{BEGIN}{}{END}{after}", agents())
}

/// What can be done with each agent, from what its adapter declares.
fn agents() -> String {
    let agents: Vec<Agent> = Agent::wired().collect();
    let mut out = format!("\n<!-- Written by `{REGENERATE}`; changes here are lost. -->\n\n");
    let mut row = |name: &str, cell: &dyn Fn(Agent) -> String| {
        let cells: Vec<String> = agents.iter().map(|agent| cell(*agent)).collect();
        let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
    };
    row("", &|agent| format!("`{}`", agent.name()));
    row("---", &|_| "---".to_owned());
    row("in a project", &|agent| format!("`{}`", agent.project_file().unwrap_or_default()));
    row("of a user", &|agent| {
        let file = agent.user_file();
        file.map_or(String::new(), |file| {
            let folder = Some(file.folder).filter(|folder| !folder.is_empty());
            let parts: Vec<&str> = ["~"].into_iter().chain(folder).chain([file.file]).collect();
            format!("`{}`", parts.join("/"))
        })
    });
    row("… in place of the folder", &|agent| {
        let variable = agent.user_file().and_then(|file| file.variable);
        variable.map_or(String::new(), |name| format!("`${name}`"))
    });
    for (name, can) in ABILITIES {
        let mark = |can: bool| if can { "yes" } else { "" };
        row(name, &|agent| mark(can(&agent.abilities())).to_owned());
    }
    out.push('\n');
    out
}

/// Whether an agent has an ability.
type Ability = fn(&Abilities) -> bool;

/// What an agent can or cannot, as the table has it.
const ABILITIES: [(&str, Ability); 13] = [
    ("asks its user about a call; where not, the call is denied", |can| can.asks),
    ("takes reminders when a session begins", |can| can.context_on_start),
    ("… with what the user says, such as the classifier's directive", |can| {
        can.context_on_prompt
    }),
    ("… before a tool; where not, they come with its result", |can| can.context_before_tool),
    ("… with a tool's result", |can| can.context_after_tool),
    (
        "is made to go on when it wants to stop, such as by the verifier (OpenCode, pi: by a message)",
        |can| can.keeps_going,
    ),
    ("tells of calls that failed", |can| can.tells_failures),
    ("tells the ids of calls", |can| can.tells_call_ids),
    ("tells what it writes", |can| can.tells_text),
    ("… before it uses a tool", |can| can.tells_text_before_tools),
    ("tells sub-agents apart", |can| can.tells_sub_agents),
    ("tells of tokens and of why a response ended", |can| can.tells_responses),
    ("calls its hooks for every tool that it has", |can| can.silent_tools.is_empty()),
];

fn paragraphs(docs: &str) -> String {
    let lines = docs.trim().lines().map(str::trim);
    lines.collect::<Vec<_>>().join("\n")
}

fn page() -> String {
    let mut out = format!(
        "# Reference\n\n<!-- Written by `{REGENERATE}`; changes here are lost. -->\n\n\
         Every field, condition, placeholder and diagnostic of the rule language, as the compiler \
         declares them.\nHow they work together is told, and run, in [the language \
         reference](../tests/spec/README.md).\n"
    );
    out.push_str("\n## Files\n");
    let is_condition = |record: &&&Record| record.name.ends_with("condition");
    let records = records();
    for record in records.iter().filter(|record| !is_condition(record)) {
        record_section(record, &mut out);
    }
    rules_section(&mut out);
    conditions_section(&mut out);
    placeholders_section("Placeholders of messages", PLACEHOLDERS, &mut out);
    placeholders_section("Placeholders of directives", DIRECTIVE_PLACEHOLDERS, &mut out);
    diagnostics_section(&mut out);
    out
}

fn record_section(record: &Record, out: &mut String) {
    let _ = writeln!(out, "\n### {}\n\n{}\n", bare(record), paragraphs(record.docs));
    out.push_str("| field | value | default | meaning |\n|---|---|---|---|\n");
    for field in record.fields {
        field_row(field, out);
    }
    let mut told: Vec<String> = Vec::new();
    for field in record.fields {
        let value = field.shape.describe();
        if !told.contains(&value) {
            choices(field, out);
            told.push(value);
        }
    }
}

fn field_row(field: &Field, out: &mut String) {
    let default = match (field.required, field.default) {
        (true, _) => "**required**".to_owned(),
        (false, Some(default)) => format!("`{}`", cell(default)),
        (false, None) => String::new(),
    };
    let value = cell(&field.shape.describe());
    let _ = writeln!(out, "| `{}` | {value} | {default} | {} |", field.name, cell(field.docs));
}

fn choices(field: &Field, out: &mut String) {
    let Shape::Choice(choices) = field.shape else { return };
    let _ = writeln!(out, "\nThe values of `{}`:\n", field.name);
    for choice in choices {
        let _ = writeln!(out, "- `{}`: {}", choice.name, cell(choice.docs));
    }
}

fn rules_section(out: &mut String) {
    out.push_str(
        "\n### rules\n\nThe ids of built-in rules, each `true` or `false`, and:\n\n\
         | key | value | default | meaning |\n|---|---|---|---|\n",
    );
    for threshold in THRESHOLDS {
        let _ = writeln!(
            out,
            "| `{}` | a whole number, 0 or more; 0 switches `{}` off | `{}` | {} |",
            threshold.name,
            threshold.rule,
            threshold.default,
            cell(threshold.docs)
        );
    }
    for (name, docs) in SETTINGS {
        let value = setting_shape(name).describe();
        let _ = writeln!(out, "| `{name}` | {} | | {} |", cell(&value), cell(docs));
    }
}

fn conditions_section(out: &mut String) {
    out.push_str("\n## Conditions\n");
    for kind in conditions::ALL {
        let phases: Vec<_> =
            kind.phases.iter().map(|phase| format!("`{}`", phase.name())).collect();
        let _ = writeln!(
            out,
            "\n### {}\n\n{}\n\nTakes {}. Can hold in {} rules.",
            kind.name,
            paragraphs(kind.docs),
            kind.argument.describe(),
            phases.join(", ")
        );
        let mut nested = Vec::new();
        add_records(kind.argument, &mut nested);
        for record in nested {
            out.push_str("\n| field | value | default | meaning |\n|---|---|---|---|\n");
            record.fields.iter().for_each(|field| field_row(field, out));
        }
        forms(kind.example, kind.expression, out);
        let all: Vec<String> =
            kind.forms.iter().map(|form| format!("`` {} ``", shown(form))).collect();
        let _ = writeln!(out, "\nForms of it: {}", all.join(", "));
    }
    for composite in conditions::COMPOSITES {
        let docs = paragraphs(composite.docs);
        let _ = writeln!(out, "\n### {}\n\n{docs}", composite.name);
        forms(composite.example, composite.expression, out);
    }
}

fn forms(example: &str, expression: &str, out: &mut String) {
    let _ = writeln!(out, "\n```yaml\n{example}\n```\n\nAs an expression: `` {expression} ``");
}

/// A form of a condition with its values in braces: what else the compiler is told of them is written out.
fn shown(form: &str) -> String {
    let holes = form.split_inclusive('}').map(|part| {
        let (before, hole) = part.rsplit_once('{').unwrap_or((part, ""));
        match hole.trim_end_matches('}').split_once(':') {
            Some((name, "at_least")) => format!("{before}>= {{{name}}}"),
            Some((name, "equal")) => format!("{before}== {{{name}}}"),
            Some((name, "is")) => format!("{before}[is {{{name}}}]"),
            _ => part.to_owned(),
        }
    });
    holes.collect()
}

fn placeholders_section(title: &str, placeholders: &[Placeholder], out: &mut String) {
    let _ = writeln!(out, "\n## {title}\n\n| placeholder | meaning | example |\n|---|---|---|");
    for placeholder in placeholders {
        let argument = if placeholder.argument.is_some() { ":NAME" } else { "" };
        let docs = cell(placeholder.docs);
        let name = placeholder.name;
        let _ = writeln!(out, "| `{{{name}{argument}}}` | {docs} | `{}` |", placeholder.example);
    }
}

fn diagnostics_section(out: &mut String) {
    out.push_str("\n## Diagnostics\n");
    for kind in diagnostics::ALL {
        out.push('\n');
        out.push_str(&diagnostic_page(kind, "###"));
    }
}
