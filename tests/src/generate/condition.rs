//! Conditions of every kind in the table of operations, in either form.

use behavior_compiler::conditions::{self, ConditionKind};
use behavior_compiler::registry::schema::{Field, NameKind, Shape};
use behavior_compiler::source::FileId;
use behavior_compiler::syntax;
use serde_json::{Value as Json, json};

use super::choices::Choices;
use super::words::*;

/// A condition in both forms, the second where it has one.
pub(super) struct Condition {
    pub(super) mapping: Json,
    pub(super) expression: Option<String>,
}

pub(super) fn condition(choices: &mut Choices<'_>, phase: &str, depth: usize) -> Condition {
    let kind = choices.below(if depth == 0 { 1 } else { 6 });
    match kind {
        1 | 2 | 5 => {
            let (name, word) = if kind == 2 { ("any", " or ") } else { ("all", " and ") };
            let parts: Vec<Condition> =
                (0..choices.below(3) + 1).map(|_| condition(choices, phase, depth - 1)).collect();
            let expressions: Option<Vec<String>> = parts
                .iter()
                .map(|part| part.expression.as_ref().map(|text| format!("({text})")))
                .collect();
            let mappings: Vec<&Json> = parts.iter().map(|part| &part.mapping).collect();
            Condition {
                mapping: json!({ name: mappings }),
                expression: expressions.map(|texts| texts.join(word)),
            }
        }
        3 => negated(condition(choices, phase, depth - 1)),
        4 => {
            // Deep, but not too deep.
            let times = choices.below(12);
            let inner = condition(choices, phase, 0);
            (0..times).fold(inner, |inner, _| negated(inner))
        }
        _ => test(choices, phase),
    }
}

fn negated(inner: Condition) -> Condition {
    Condition {
        mapping: json!({ "not": inner.mapping }),
        expression: inner.expression.map(|text| format!("not ({text})")),
    }
}

/// Any condition that can hold in the phase, with an argument of the shape that it declares.
fn test(choices: &mut Choices<'_>, phase: &str) -> Condition {
    let about_files = choices.about_files;
    let holds = |kind: &&&ConditionKind| {
        let has_phase = kind.phases.iter().any(|known| known.name() == phase);
        has_phase && (about_files || !ABOUT_FILES.contains(&kind.name))
    };
    // Where they are asked for at all, they are asked for often.
    let only_files = about_files && choices.rarely(2);
    let mut kinds: Vec<_> = conditions::ALL.iter().filter(holds).collect();
    if only_files && !["on_text", "turn_end"].contains(&phase) {
        kinds.retain(|kind| ABOUT_FILES.contains(&kind.name));
        // Few calls delete.
        let deletes: Vec<_> =
            kinds.iter().filter(|kind| kind.name.starts_with("deletes")).copied().collect();
        kinds.extend(deletes.repeat(2));
    }
    // What command lines run comes more often, where there is a call.
    let often = ["runs", "runs", "pushes_to", "target_is"][choices.below(4)];
    let often = kinds.iter().position(|kind| kind.name == often).unwrap_or(0);
    let kind = kinds.get(choices.below(kinds.len() + 10)).copied().unwrap_or(kinds[often]);
    let argument = match kind.name {
        // What is ignored nobody tells.
        "target_is" if choices.rarely(2) => json!(["secret", "tests"]),
        "target_is" => json!(choices.one(&KINDS[..7])),
        name if ABOUT_FILES.contains(&name) => paths(choices),
        "contains_secret" => secret_place(choices, phase),
        "branch" | "pushes_to" => branches(choices),
        "user_asked" => request(choices),
        // Only this set keeps fingerprints.
        "target_changed_since" => json!("s0"),
        "runs" => runs(choices, 2),
        _ => argument(choices, kind.argument),
    };
    let mapping = json!({ kind.name: argument });
    let node = syntax::parse(FileId(0), &mapping.to_string(), syntax::Format::Json).root;
    Condition { expression: behavior_compiler::expression::print(&node), mapping }
}

/// Any argument of a shape.
fn argument(choices: &mut Choices<'_>, shape: Shape) -> Json {
    const SCALARS: &str = r#"["git", "a.rs", 5, true, "null", "42", 1.5, -3]"#;
    let scalars: Json = serde_json::from_str(SCALARS).unwrap();
    match shape {
        Shape::Bool => json!(!choices.rarely(6)),
        Shape::Int(..) => json!(choices.below(5)),
        Shape::Any => json!(choices.below(6) as i64 - 1),
        Shape::Name(NameKind::Set) => json!(choices.one(&SETS)),
        Shape::Name(NameKind::Counter) => json!(choices.one(&COUNTERS)),
        Shape::Name(NameKind::Flag) => json!(choices.one(&FLAGS)),
        Shape::Name(NameKind::Param) => json!(choices.one(&PARAMS)),
        Shape::Pattern => json!(pattern(choices)),
        Shape::Glob => json!(choices.one(&GLOBS)),
        Shape::Text => json!(choices.one(&LITERALS)),
        Shape::Choice(words) => json!(words[choices.below(words.len())].name),
        Shape::List(_) => scalars,
        Shape::Either(_) => scalars[choices.below(8)].clone(),
        Shape::Record(record) => {
            let field = |field: &Field| (field.name.to_owned(), argument(choices, field.shape));
            record.fields.iter().map(field).collect()
        }
        other => panic!("there is no generator of {}", other.describe()),
    }
}

/// Names that a branch may have.
fn branches(choices: &mut Choices<'_>) -> Json {
    const NAMES: [&str; 5] = ["main", "default", "protected", "f*", "*"];
    match choices.below(3) {
        0 => json!([choices.one(&NAMES), choices.one(&NAMES)]),
        _ => json!(choices.one(&NAMES)),
    }
}

/// What a user may ask for: words, or an act.
fn request(choices: &mut Choices<'_>) -> Json {
    const VERBS: [&str; 5] = ["push", "fix", "roll out", "merge", "delete"];
    match choices.below(4) {
        1 => {
            json!({ "to": choices.one(&VERBS), "what": [choices.one(&["it", "test", "pull request"])] })
        }
        2 => json!({ "to": [choices.one(&VERBS), choices.one(&VERBS)] }),
        _ => json!(pattern(choices)),
    }
}

/// Paths that files may have.
fn paths(choices: &mut Choices<'_>) -> Json {
    let one = |choices: &mut Choices<'_>| match choices.below(6) {
        4 => json!({ "in": choices.one(&SETS) }),
        5 => json!({ "is": choices.one(&KINDS), "not": choices.one(&GLOBS) }),
        0 => json!({ "is": choices.one(&KINDS) }),
        1 => json!({ "is": [choices.one(&KINDS), choices.one(&KINDS)] }),
        _ => json!(choices.one(&GLOBS)),
    };
    match choices.below(3) {
        0 => (0..choices.below(2) + 1).map(|_| one(choices)).collect(),
        _ => one(choices),
    }
}

/// A place that the phase has.
fn secret_place(choices: &mut Choices<'_>, phase: &str) -> Json {
    let places = match phase {
        "on_text" => vec![json!("text"), json!(true)],
        "pre_tool" => vec![json!("params"), json!(true), json!({ "param": "command" })],
        _ => vec![json!("params"), json!(true), json!("result"), json!({ "param": "command" })],
    };
    places[choices.below(places.len())].clone()
}

/// What a command must look like: a pattern or a mapping.
fn runs(choices: &mut Choices<'_>, depth: usize) -> Json {
    match choices.below(8) {
        0..=2 => json!(choices.one(&COMMAND_PATTERNS)),
        3 if depth > 0 => {
            let count = choices.below(3) + 1;
            let any: Vec<Json> = (0..count).map(|_| runs(choices, depth - 1)).collect();
            match choices.about_files && choices.rarely(2) {
                true => json!({ "any": any, "spares": paths(choices) }),
                false => json!({ "any": any }),
            }
        }
        _ => described(choices),
    }
}

/// A mapping of some of the fields that `runs` has.
fn described(choices: &mut Choices<'_>) -> Json {
    let mut fields = serde_json::Map::new();
    if !choices.rarely(5) {
        fields.insert("program".to_owned(), one_or_many(choices, &PROGRAMS));
    }
    let texts: [(&str, &[&str]); 12] = [
        ("subcommand", &["push", "stash drop", "reset", "p*", "exec"]),
        ("flags", &["r", "f", "force", "-r", "--hard", "m=a*", "c"]),
        ("any_flag", &["f", "force", "hard", "d", "c=*x*"]),
        ("no_flag", &["n", "dry-run", "f", "m=a*"]),
        ("operand", &["+*", "main", "*x*", "/", "*", "a.rs", "HEAD~?"]),
        ("writes", &["/etc/**", "*.rs", "/repo/*", "**", "~/*"]),
        ("reads", &["a.rs", "**/b.rs", "/dev/*", "*"]),
        ("substitutes", &["curl", "cat", "git"]),
        ("piped_from", &["curl", "echo", "CAT", "git"]),
        ("under", &["sudo", "xargs", "bash", "find", "eval"]),
        ("without_operand", &["*:*", "a*", "-*"]),
        ("variable", &["A", "A=1", "X=*", "GIT_DIR=?*"]),
    ];
    for _ in 0..choices.below(3) {
        let (name, values) = texts[choices.below(texts.len())];
        fields.insert(name.to_owned(), one_or_many(choices, values));
    }
    match choices.below(12) {
        0 => drop(fields.insert("no_operand".to_owned(), json!(true))),
        1 => drop(fields.insert("unknown_operand".to_owned(), json!(true))),
        8 => drop(fields.insert("pattern_operand".to_owned(), json!(true))),
        2 => drop(fields.insert("in_loop".to_owned(), json!(true))),
        9 => drop(fields.insert("overwrites".to_owned(), json!(true))),
        3 => drop(fields.insert("calls_itself".to_owned(), json!(true))),
        10 => drop(fields.insert("status_lost".to_owned(), json!(true))),
        4 | 5 => drop(fields.insert("given".to_owned(), json!(pattern(choices)))),
        6 => drop(fields.insert("param".to_owned(), json!("query"))),
        7 => drop(fields.insert("statement".to_owned(), json!(pattern(choices)))),
        _ => {}
    }
    if fields.contains_key("subcommand") {
        fields.remove("no_operand");
    }
    if fields.is_empty() {
        fields.insert("program".to_owned(), json!("git"));
    }
    Json::Object(fields)
}

fn one_or_many(choices: &mut Choices<'_>, from: &[&str]) -> Json {
    let first = choices.one(from);
    if choices.rarely(3) { json!([first, choices.one(from)]) } else { json!(first) }
}

/// A pattern that compiles: a usual one, or one put together from small pieces.
pub(super) fn pattern(choices: &mut Choices<'_>) -> String {
    if !choices.rarely(3) {
        return choices.one(&PATTERNS).to_owned();
    }
    let mut pattern = String::new();
    for index in 0..choices.below(4) + 1 {
        if index > 0 && choices.rarely(4) {
            pattern.push('|');
        }
        pattern += choices.one(&[
            "a", "b", "k", "git", "K", "\u{17f}", ".", r"\d", "[ab]", "\u{e9}", "(?:ab|k)", r"\b",
            "^", "(s|t)", "[^k]", r"\s", "rm",
        ]);
        let repeatable = !pattern.ends_with('^') && !pattern.ends_with(r"\b");
        if repeatable {
            pattern += choices.one(&["", "", "?", "*", "+", "{2}", "{0,3}", "*?"]);
        }
    }
    pattern
}

pub(super) fn message(choices: &mut Choices<'_>) -> String {
    let mut message = "m ".to_owned();
    for _ in 0..choices.below(4) {
        message += &match choices.below(16) {
            0 => "{target} ".to_owned(),
            1 => "{tool} ".to_owned(),
            2 => "{turn} ".to_owned(),
            3 => "{tool_calls_this_turn} ".to_owned(),
            4 => "{consecutive_same_tool} ".to_owned(),
            5 | 6 => format!("{{param:{}}} ", choices.one(&PARAMS)),
            7 => format!("{{counter:{}}} ", choices.one(&COUNTERS)),
            8 => format!("{{set_count:{}}} ", choices.one(&SETS)),
            9 => format!("{{flag:{}}} ", choices.one(&FLAGS)),
            10 => "{{braces}} ".to_owned(),
            11 => "about:\n".to_owned(),
            12 => format!("{{file:{}}} ", choices.one(&DOCUMENTS)),
            13 => "{command} ".to_owned(),
            14 => "{cause} ".to_owned(),
            _ => "\u{fc}\n\"quoted\" ".to_owned(),
        };
    }
    message
}
