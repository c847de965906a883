//! Statements of PowerShell with blocks, written as bash would have them: conditions, loops, `try`, functions, and commands
//! that are given a block. Reads no statements: who calls it does.

use super::powershell_switch;
use super::powershell_values::{closing, is_value, outside_quotes};

/// Stands for a condition of which nobody knows what it says.
pub(super) const CONDITION: &str = "test \"${powershell_condition}\"";

/// Commands that run the block which they are given once.
const RUNNERS: &[&str] =
    &["measure-command", "invoke-command", "icm", "start-job", "start-threadjob", "trace-command"];

/// Commands that run the block which they are given for each thing that comes to them.
const EACH: &[&str] = &["foreach-object", "%", "foreach"];

/// Commands that show, count or choose what comes to them.
const SHOWING: &[&str] = &[
    "where-object",
    "where",
    "?",
    "sort-object",
    "sort",
    "select-object",
    "select",
    "group-object",
    "group",
    "measure-object",
    "measure",
    "format-table",
    "ft",
    "format-list",
    "fl",
    "format-wide",
    "fw",
    "out-string",
    "out-host",
    "out-null",
    "convertto-json",
    "convertto-csv",
    "convertto-html",
    "get-unique",
    "get-member",
    "gm",
    "join-string",
    "select-string",
    "sls",
    "write-output",
    "echo",
    "write-host",
    "out-default",
    "convertfrom-json",
    "convertfrom-csv",
];

/// Reads statements, some blocks deep.
pub(super) trait Statements {
    fn statements(&self, text: &str, depth: usize) -> String;
    fn statement(&self, text: &str, depth: usize) -> String;
}

/// Whether a statement goes on one before it: `else { … }`
pub(super) fn goes_on(text: &str) -> bool {
    ["else", "elseif", "catch", "finally"].iter().any(|name| word(text, name).is_some())
}

/// What stands behind a word that is written in any letters.
fn word<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let text = text.trim_start();
    let (own, rest) = text.split_at_checked(name.len())?;
    let ends =
        !rest.starts_with(|sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-'));
    (own.eq_ignore_ascii_case(name) && ends).then(|| rest.trim_start())
}

/// What stands in the bracket that a text begins with, and behind it.
pub(super) fn bracket(text: &str, open: char) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.starts_with(open).then(|| closing(text)).flatten()?;
    Some((text.get(1..end)?.trim(), text.get(end + 1..)?.trim_start()))
}

/// A statement with blocks.
pub(super) fn block(reader: &impl Statements, text: &str, depth: usize) -> Option<String> {
    if let Some(rest) = word(text, "if") {
        return condition(reader, rest, depth);
    }
    if let Some(rest) = word(text, "while") {
        let (inner, rest) = bracket(rest, '(')?;
        let (body, rest) = bracket(rest, '{')?;
        let tested = tested(reader, inner, depth)?;
        let body = reader.statements(body, depth + 1);
        return rest.is_empty().then(|| format!("while {tested}; do\n{body}\n:\ndone"));
    }
    if let Some(rest) = word(text, "for") {
        return counted(reader, rest, depth);
    }
    if let Some(rest) = word(text, "do") {
        let (body, rest) = bracket(rest, '{')?;
        let rest = word(rest, "while").or_else(|| word(rest, "until"))?;
        let (inner, rest) = bracket(rest, '(')?;
        let tested = tested(reader, inner, depth)?;
        let body = reader.statements(body, depth + 1);
        return rest.is_empty().then(|| format!("{body}\n{tested}"));
    }
    if let Some(rest) = word(text, "switch") {
        return powershell_switch::switched(reader, rest, depth);
    }
    if let Some(rest) = word(text, "try") {
        return tried(reader, rest, depth);
    }
    if let Some(rest) = word(text, "function") {
        let (name, rest) = rest.split_once('{')?;
        let name = name.trim();
        let is_name = !name.is_empty()
            && name.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-'));
        let body = rest.trim_end().strip_suffix('}')?;
        let small = body.to_ascii_lowercase();
        let is_plain = is_name && !small.contains("param") && !small.contains("$args");
        return is_plain
            .then(|| format!("{name}() {{\n{}\n:\n}}", reader.statements(body, depth + 1)));
    }
    given(reader, text, depth)
}

/// What a condition runs, and that nobody knows what it says.
pub(super) fn tested(reader: &impl Statements, text: &str, depth: usize) -> Option<String> {
    let mut commands = Vec::new();
    if !is_value(text, &mut commands) {
        let is_command = text.starts_with(|sign: char| sign.is_ascii_alphabetic());
        return is_command.then(|| reader.statement(text, depth + 1));
    }
    commands.push(String::new());
    let mut made: Vec<String> = commands
        .iter()
        .filter(|own| !own.is_empty())
        .map(|own| reader.statement(own, depth + 1))
        .collect();
    made.push(CONDITION.to_owned());
    Some(made.join("; "))
}

fn condition(reader: &impl Statements, text: &str, depth: usize) -> Option<String> {
    let (inner, rest) = bracket(text, '(')?;
    let (body, rest) = bracket(rest, '{')?;
    let mut made = format!(
        "if {}; then\n{}\n:\n",
        tested(reader, inner, depth)?,
        reader.statements(body, depth + 1)
    );
    if let Some(rest) = word(rest, "elseif") {
        let other = condition(reader, rest, depth + 1).filter(|_| depth < 16)?;
        made.push_str(&format!("else\n{other}\nfi"));
        return Some(made);
    }
    let rest = match word(rest, "else") {
        None => rest,
        Some(rest) => {
            let (body, rest) = bracket(rest, '{')?;
            made.push_str(&format!("else\n{}\n:\n", reader.statements(body, depth + 1)));
            rest
        }
    };
    made.push_str("fi");
    rest.trim().is_empty().then_some(made)
}

/// `for ($i = 0; $i -lt 3; $i++) { … }`
fn counted(reader: &impl Statements, text: &str, depth: usize) -> Option<String> {
    let (head, rest) = bracket(text, '(')?;
    let (body, rest) = bracket(rest, '{')?;
    let mut parts = head.splitn(3, ';').map(str::trim);
    let (first, tested_text, last) = (parts.next()?, parts.next()?, parts.next()?);
    let is_step = |text: &str| {
        let own = text.strip_suffix("++").or_else(|| text.strip_suffix("--"));
        let set = text
            .split_once('=')
            .map(|(name, value)| (name.trim_end_matches(['+', '-', ' ']), value));
        let is_name = |name: &str| {
            name.strip_prefix('$')
                .is_some_and(|name| name.chars().all(|sign| sign.is_ascii_alphanumeric()))
        };
        text.is_empty()
            || own.is_some_and(is_name)
            || set.is_some_and(|(name, value)| {
                let mut commands = Vec::new();
                is_name(name) && is_value(value, &mut commands) && commands.is_empty()
            })
    };
    if !is_step(first) || !is_step(last) || !rest.is_empty() {
        return None;
    }
    let tested = tested(reader, tested_text, depth)?;
    Some(format!("while {tested}; do\n{}\n:\ndone", reader.statements(body, depth + 1)))
}

/// `try { … } catch { … } finally { … }`: nobody knows whether something fails.
fn tried(reader: &impl Statements, text: &str, depth: usize) -> Option<String> {
    let (body, mut rest) = bracket(text, '{')?;
    let mut made =
        format!("if {CONDITION}; then\n:\nelse\n{}\n:\nfi", reader.statements(body, depth + 1));
    while let Some(more) = word(rest, "catch") {
        let start = more.find('{')?;
        let (body, behind) = bracket(more.get(start..)?, '{')?;
        let body = reader.statements(body, depth + 1);
        made.push_str(&format!("\nif {CONDITION}; then\n{body}\n:\nfi"));
        rest = behind;
    }
    if let Some(more) = word(rest, "finally") {
        let (body, behind) = bracket(more, '{')?;
        made.push_str(&format!("\n{}", reader.statements(body, depth + 1)));
        rest = behind;
    }
    rest.is_empty().then_some(made)
}

/// The parts of a pipeline.
fn pipeline(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, sign) in outside_quotes(text) {
        match sign {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                parts.push(text.get(from..at).unwrap_or_default().trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(from..).unwrap_or_default().trim());
    parts
}

/// Commands that are given blocks, in a pipeline.
fn given(reader: &impl Statements, text: &str, depth: usize) -> Option<String> {
    let parts = pipeline(text);
    let name = |part: &str| {
        part.split(|sign: char| sign.is_whitespace() || sign == '{')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    let (first, rest) = parts.split_first()?;
    if rest.is_empty() {
        let is_runner = RUNNERS.contains(&name(first).as_str());
        let start = first.find('{').filter(|_| is_runner)?;
        let (body, behind) = bracket(first.get(start..)?, '{')?;
        let words = first.get(..start)?.trim();
        let is_plain =
            !words.contains(['$', '(', '&', '"', '\'']) && !behind.contains(['{', '(', '&', '$']);
        return is_plain.then(|| reader.statements(body, depth + 1));
    }
    let is_block = |part: &&str| part.contains('{');
    let mut commands = Vec::new();
    let is_head = is_value(first, &mut commands);
    if !is_head && !rest.iter().any(is_block) {
        return None;
    }
    let runs =
        RUNNERS.contains(&name(first).as_str()).then(|| given(reader, first, depth)).flatten();
    let mut made = match (is_head, runs) {
        (_, Some(run)) => format!("{{\n{run}\n}}"),
        (true, None) => {
            let own: Vec<String> = commands
                .iter()
                .map(|own| format!("{}; ", reader.statement(own, depth + 1)))
                .collect();
            format!("{{ {}Write-Output \"${{powershell_value}}\"; }}", own.concat())
        }
        (false, None) => reader.statement(first, depth + 1),
    };
    for part in rest {
        let name = name(part);
        let own = part.get(name.len()..)?.trim_start();
        if EACH.contains(&name.as_str()) && own.starts_with('{') {
            let (body, behind) = bracket(own, '{')?;
            let body = reader.statements(&body.replace("$_", "$powershell_item"), depth + 1);
            made.push_str(&format!(" | while read -r powershell_item; do\n{body}\n:\ndone"));
            behind.is_empty().then_some(())?;
        } else if SHOWING.contains(&name.as_str()) {
            let is_chosen = name.starts_with("where") || name == "?";
            let is_plain = shows(own, &mut commands)?;
            // What is left of a list is a list.
            if !(is_chosen && is_plain) {
                made.push_str(&format!(" | {name}"));
            }
        } else if !is_head && !part.contains('{') {
            made.push_str(&format!(" | {}", reader.statement(part, depth + 1)));
        } else {
            return None;
        }
    }
    Some(made)
}

/// Whether what stands behind a command that shows only says what; `None` where it may do more.
fn shows(text: &str, commands: &mut Vec<String>) -> Option<bool> {
    let mut rest = text;
    let before = commands.len();
    while let Some(start) = rest.find('{') {
        let head = rest.get(..start)?;
        head_is_plain(head.strip_suffix('@').unwrap_or(head)).then_some(())?;
        let (inner, behind) = bracket(rest.get(start..)?, '{')?;
        let is_value = match head.ends_with('@') {
            // `@{ Name = "a"; Expression = { $_.b } }`
            true => inner.split(';').all(|field| {
                field.split_once('=').is_some_and(|(_, value)| {
                    let value = value.trim();
                    let value = value
                        .strip_prefix('{')
                        .and_then(|value| value.strip_suffix('}'))
                        .unwrap_or(value);
                    is_value(value, commands)
                })
            }),
            false => is_value(inner, commands),
        };
        (is_value && commands.len() == before).then_some(())?;
        rest = behind;
    }
    head_is_plain(rest).then_some(true)
}

/// `Set-Alias a b`: another name for a command.
pub(super) fn alias(text: &str) -> Option<String> {
    let rest = ["set-alias", "new-alias", "sal", "nal"].iter().find_map(|name| word(text, name))?;
    let is_plain = |word: &&str| {
        word.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-'))
    };
    let words: Vec<&str> = rest.split_whitespace().filter(|word| !word.starts_with('-')).collect();
    match words.as_slice() {
        [name, program] if words.iter().all(is_plain) => {
            Some(format!("{name}() {{ {program} \"$@\"; }}"))
        }
        _ => None,
    }
}

/// A statement that was made already, and behind it what stands in the blocks that it is given, which may run.
pub(super) fn with_blocks(
    reader: &impl Statements,
    text: &str,
    depth: usize,
    mut made: String,
) -> String {
    let mut rest = text;
    while let Some(start) = rest.find(['{', '"', '\'', '`']) {
        let (before, behind) = rest.split_at(start);
        let mut signs = behind.chars();
        let sign = signs.next().unwrap_or_default();
        rest = match sign {
            '`' => {
                signs.next();
                signs.as_str()
            }
            '{' if !before.ends_with(['@', '$']) => match bracket(behind, '{') {
                Some((body, behind)) => {
                    let body = reader.statements(body, depth + 1);
                    made.push_str(&format!("\nif {CONDITION}; then\n{body}\n:\nfi"));
                    behind
                }
                None => return made,
            },
            '{' => signs.as_str(),
            quote => match signs.as_str().split_once(quote) {
                Some((_, behind)) => behind,
                None => return made,
            },
        };
    }
    made
}

/// Whether words are only words: names of properties, flags, texts.
fn head_is_plain(text: &str) -> bool {
    !text.contains(['(', '&', '{', '}', '`', ';', '\n', '>', '<']) && !text.contains("$(")
}
