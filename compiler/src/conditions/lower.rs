//! How a condition in either form becomes a test.

use super::kind::ConditionKind;
use super::table::{find, names};
use crate::decode::{did_you_mean, wrong_type};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::expression;
use crate::ir::Condition;
use crate::lower::{Lowering, a_phase, with_fix};
use crate::nearest::is_surely;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Entry, Kind, Node, locate};

/// How deep conditions may nest; the evaluator's stack is made for it.
const MAX_DEPTH: u32 = 24;

/// What became of a condition.
pub(crate) enum Lowered {
    /// It was understood.
    Condition(Condition),
    /// It holds something unknown, and unknown conditions are allowed: the rule never fires.
    NotUnderstood,
    /// It is wrong, which was reported.
    Wrong,
}

/// Reads a rule's condition in either form.
pub(crate) fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Lowered {
    let understood_before = lowering.not_understood;
    let condition = match &node.kind {
        Kind::Null => Some(Condition::Always),
        Kind::Map(entries) if entries.is_empty() => Some(Condition::Always),
        Kind::String(text) if text.trim().is_empty() => Some(Condition::Always),
        _ => lower_any(node, lowering, 0),
    };
    if lowering.not_understood > understood_before {
        return Lowered::NotUnderstood;
    }
    condition.map_or(Lowered::Wrong, Lowered::Condition)
}

fn lower_any(node: &Node, lowering: &mut Lowering<'_>, depth: u32) -> Option<Condition> {
    if depth > MAX_DEPTH {
        let message = format!("conditions are nested more than {MAX_DEPTH} deep");
        lowering.report(
            Diagnostic::new(&d::TOO_LARGE, node.span, message)
                .help("put some of the conditions into a rule of their own"),
        );
        return None;
    }
    match &node.kind {
        Kind::Map(entries) => lower_mapping(node, entries, lowering, depth),
        Kind::String(text) => lower_expression(node, text, lowering, depth),
        _ => {
            wrong_type(node, Shape::Condition, lowering.reports);
            None
        }
    }
}

fn lower_expression(
    node: &Node,
    text: &str,
    lowering: &mut Lowering<'_>,
    depth: u32,
) -> Option<Condition> {
    let source = lowering.text_of(node.span);
    let (parsed, problems) = expression::parse(text);
    let mut places = Vec::new();
    for problem in problems {
        let span = locate(&source, node, problem.range);
        places.push(span);
        let mut diagnostic = Diagnostic::new(&d::INVALID_EXPRESSION, span, problem.message);
        diagnostic.help = problem.help;
        let sure = match &problem.fix {
            Some((range, new)) if is_surely(text.get(range.clone()).unwrap_or_default(), new) => {
                Applicability::Safe
            }
            _ => Applicability::Unsafe,
        };
        lowering.report(with_fix(diagnostic, &source, node, problem.fix, sure));
    }
    let parsed = parsed?;
    let mapping = expression::to_node(&parsed, &|range| locate(&source, node, range));
    // What recovery made up is looked at for further problems, but not believed.
    let reported = lowering.reports.diagnostics.len();
    let condition = lower_any(&mapping, lowering, depth);
    if places.is_empty() {
        return condition;
    }
    // A word that no condition is called, with something behind it, was told of already.
    let is_told = |one: &Diagnostic| {
        let behind = |place: &Span| source.get(one.span.end as usize..place.start as usize);
        let is_its = |between: &str| {
            let is_joined = between.split_whitespace().any(|word| matches!(word, "and" | "or"));
            between.trim().is_empty() || between.starts_with('(') && !is_joined
        };
        one.kind.name == d::UNKNOWN_CONDITION.name && places.iter().filter_map(behind).any(is_its)
    };
    let found = lowering.reports.diagnostics.split_off(reported);
    lowering.reports.diagnostics.extend(found.into_iter().filter(|one| !is_told(one)));
    None
}

fn lower_mapping(
    node: &Node,
    entries: &[Entry],
    lowering: &mut Lowering<'_>,
    depth: u32,
) -> Option<Condition> {
    let entry = match entries {
        [entry] => entry,
        [] => {
            let message = "an empty condition inside another says nothing";
            lowering.report(Diagnostic::new(&d::EMPTY_CONDITION, node.span, message));
            return None;
        }
        several => {
            report_several(node, several, lowering);
            if is_of_old_shape(several) {
                return None;
            }
            // Each is looked at all the same, so that all problems show.
            for entry in several {
                lower_entry(node, entry, lowering, depth);
            }
            return None;
        }
    };
    lower_entry(node, entry, lowering, depth)
}

/// Whether the keys are parts of one condition that is written flat, as an older shape was.
fn is_of_old_shape(entries: &[Entry]) -> bool {
    let names = || entries.iter().map(|entry| &*entry.key.text);
    names().any(|name| matches!(name, "param" | "type")) && names().all(|name| find(name).is_none())
}

/// How a flat condition on a parameter is written.
fn of_today(entries: &[Entry]) -> &'static str {
    let has = |names: &[&str]| entries.iter().any(|entry| names.contains(&&*entry.key.text));
    if has(&["equals", "eq", "is", "value_is"]) {
        "param_compare: { param: …, op: \"==\", value: … }"
    } else if has(&["matches", "pattern", "regex"]) {
        "param_matches: { param: …, pattern: … }"
    } else if has(&["in", "values", "one_of"]) {
        "param_in: { param: …, values: […] }"
    } else {
        "param_contains: { param: …, value: … }"
    }
}

fn report_several(node: &Node, entries: &[Entry], lowering: &mut Lowering<'_>) {
    let Some(second) = entries.get(1) else { return };
    let message = "a condition has exactly one key";
    let mut diagnostic = Diagnostic::new(&d::SEVERAL_CONDITIONS, second.key.span, message);
    if let Some(first) = entries.first() {
        diagnostic = diagnostic.label(first.key.span, "the first one");
    }
    if is_of_old_shape(entries) {
        diagnostic = diagnostic.help(format!("write `{}`", of_today(entries)));
    } else {
        diagnostic = diagnostic.help("if both must hold, make them a list under `all`");
        let source = lowering.text_of(node.span);
        diagnostic.fixes.extend(wrap_in_all(node, entries, &source));
    }
    lowering.report(diagnostic);
}

/// The fix that makes several conditions a list under `all`, for block mappings.
fn wrap_in_all(node: &Node, entries: &[Entry], source: &str) -> Option<crate::diagnostic::Fix> {
    use crate::diagnostic::{Applicability, Edit, Fix};
    let line_start = source.get(..node.span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let indent = source.get(line_start..node.span.start as usize)?;
    if !indent.chars().all(|c| c == ' ') {
        return None;
    }
    let mut text = "all:".to_owned();
    for entry in entries {
        let item = source.get(entry.key.span.start as usize..entry.value.span.end as usize)?;
        let item = item.replace('\n', "\n    ");
        text.push_str(&format!("\n{indent}  - {item}"));
    }
    let edits = vec![Edit { span: node.span, text }];
    let message = "put both under `all`".to_owned();
    Some(Fix { message, applicability: Applicability::Unsafe, edits })
}

fn lower_entry(
    node: &Node,
    entry: &Entry,
    lowering: &mut Lowering<'_>,
    depth: u32,
) -> Option<Condition> {
    let name = &*entry.key.text;
    match name {
        "all" => lower_list(entry, lowering, depth).map(Condition::All),
        "any" => lower_list(entry, lowering, depth).map(Condition::Any),
        "not" => lower_any(&entry.value, lowering, depth + 1)
            .map(|inner| Condition::Not(Box::new(inner))),
        _ => match find(name) {
            Some(kind) => lower_test(kind, node, entry, lowering),
            None => {
                report_unknown(node, entry, lowering);
                None
            }
        },
    }
}

fn lower_test(
    kind: &'static ConditionKind,
    node: &Node,
    entry: &Entry,
    lowering: &mut Lowering<'_>,
) -> Option<Condition> {
    check_phase(kind, entry.key.span, lowering);
    if matches!(entry.value.kind, Kind::Broken) {
        return None;
    }
    let lowered = (kind.lower)(kind, &entry.value, lowering)?;
    let filled_in = lowering.filled_in(node);
    let text = expression::print(&filled_in).unwrap_or_else(|| on_one_line(&filled_in)).into();
    Some(Condition::Test { test: lowered, text, span: node.span })
}

/// A condition that no expression says, in the flow style of YAML and without comments; cut where it is
/// long.
fn on_one_line(node: &Node) -> String {
    const MAX_LENGTH: usize = 160;
    let mut text = String::new();
    write_flow(node, MAX_LENGTH, true, &mut text);
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Writes a node; not much more than `longest` bytes are written.
fn write_flow(node: &Node, longest: usize, is_outermost: bool, out: &mut String) {
    if out.len() > longest * 4 {
        return;
    }
    match &node.kind {
        Kind::Null | Kind::Broken => out.push_str("null"),
        Kind::Bool(value) => out.push_str(&value.to_string()),
        Kind::Int(value) => out.push_str(&value.to_string()),
        Kind::Float(value) => out.push_str(&value.to_string()),
        Kind::String(text) => {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_plain = !text.is_empty()
                && !text.starts_with(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '.'))
                && !text.contains([',', ':', '#', '{', '}', '[', ']', '"', '\'']);
            out.push_str(&if is_plain { text } else { format!("{text:?}") });
        }
        Kind::Seq(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write_flow(item, longest, false, out);
            }
            out.push(']');
        }
        Kind::Map(entries) => {
            out.push_str(if is_outermost { "" } else { "{" });
            for (index, entry) in entries.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                out.push_str(&entry.key.text);
                out.push_str(": ");
                write_flow(&entry.value, longest, false, out);
            }
            out.push_str(if is_outermost { "" } else { "}" });
        }
    }
}

fn check_phase(kind: &ConditionKind, span: Span, lowering: &mut Lowering<'_>) {
    if kind.phases.contains(&lowering.phase) {
        return;
    }
    let places: Vec<_> =
        kind.phases.iter().map(|phase| format!("`when: {}`", phase.name())).collect();
    let message = format!("`{}` never holds in {} rule", kind.name, a_phase(lowering.phase));
    lowering.report(
        Diagnostic::new(&d::CONDITION_NEVER_HOLDS, span, message)
            .help(format!("it belongs into rules with {}", places.join(" or "))),
    );
}

fn lower_list(entry: &Entry, lowering: &mut Lowering<'_>, depth: u32) -> Option<Vec<Condition>> {
    let Some(items) = entry.value.items() else {
        wrong_type(&entry.value, Shape::List(&Shape::Condition), lowering.reports);
        return None;
    };
    if items.is_empty() && !is_constant(entry, lowering) {
        let always = if &*entry.key.text == "all" { "always" } else { "never" };
        let message = format!("an empty `{}` {always} holds", entry.key.text);
        lowering.report(
            Diagnostic::new(&d::EMPTY_CONDITION, entry.key.span, message)
                .help("list conditions, or leave the condition out for a rule that always fires"),
        );
    }
    // All are read before any is missed, so that all problems show.
    let lowered: Vec<_> = items.iter().map(|item| lower_any(item, lowering, depth + 1)).collect();
    lowered.into_iter().collect()
}

/// Whether an empty list is what an expression's `true` or `false` became.
fn is_constant(entry: &Entry, lowering: &Lowering<'_>) -> bool {
    matches!(lowering.sources.slice(entry.key.span), "true" | "false")
}

/// What conditions are called here, and what people call them who come from elsewhere.
const ELSEWHERE: &[(&str, &str)] = &[
    ("all", "and all_of every"),
    ("any", "or any_of some one_of"),
    ("not", "none none_of unless not_any"),
    ("runs", "command command_matches command_is cmd bash shell runs_command program"),
    ("target_matches", "path path_matches path_glob glob file file_path file_matches target"),
    ("target_in_set", "in_set set_contains"),
    ("target_not_in_set", "not_in_set"),
    ("target_exists_on_disk", "exists file_exists path_exists target_exists"),
    ("target_changed_since", "changed_since file_changed"),
    ("touches", "affects paths files"),
    ("writes", "edits modifies changes overwrites"),
    ("deletes", "removes"),
    ("param_compare", "param_equals param_is param_eq param"),
    ("param_matches", "param_regex regex matches args args_match"),
    ("param_contains", "contains"),
    ("param_in", "one_of_values param_one_of"),
    ("counter_gte", "counter counter_gt counter_ge counter_at_least count_gte"),
    ("flag_is", "flag flag_set flag_equals"),
    ("text_matches", "text text_contains message_matches says"),
    ("result_matches", "result output output_matches result_contains stdout"),
    ("result_failed", "failed exit_code is_error errored"),
    ("result_has_lint_errors", "lint_errors has_lint_errors"),
    ("contains_secret", "secret secrets has_secret"),
    ("branch", "branch_is on_branch current_branch git_branch"),
    ("pushes_to", "pushes push push_to"),
    ("is_subagent", "subagent in_subagent"),
    ("user_asked", "asked user_said user_wants requested"),
    ("consecutive_gte", "consecutive repeats"),
];

/// Proposes what an unknown condition was probably meant to be.
fn with_proposal(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    let is_it = |elsewhere: &str| elsewhere.eq_ignore_ascii_case(name);
    let usual = ELSEWHERE.iter().find(|(_, elsewhere)| elsewhere.split(' ').any(is_it));
    let Some((here, _)) = usual else {
        return match negated(name) {
            Some(here) => diagnostic.help(format!("write `not: {{ {here}: … }}`")),
            None => did_you_mean(diagnostic, name, names(), "conditions"),
        };
    };
    let span = diagnostic.span;
    diagnostic.help(format!("did you mean `{here}`?")).replace(span, *here, Applicability::Unsafe)
}

/// The condition that a name says the opposite of.
fn negated(name: &str) -> Option<&'static str> {
    if matches!(name, "counter_lt" | "counter_lte" | "counter_less_than" | "counter_below") {
        return Some("counter_gte");
    }
    let plain = name.strip_prefix("not_").map(str::to_owned);
    let plain = plain.unwrap_or_else(|| name.replacen("_not_", "_", 1));
    names().find(|known| plain != name && **known == plain)
}

/// What was meant by a declared name that stands in place of a condition, in an expression or as a key.
fn of_declared(name: &str, is_key: bool, lowering: &Lowering<'_>) -> Option<String> {
    let names = &lowering.names;
    Some(match is_key {
        false if names.flags.has(name) => format!("flag({name})"),
        false if names.counters.has(name) => format!("counter({name}) >= 1"),
        false if names.sets.has(name) => format!("target in {name}"),
        true if names.flags.has(name) => format!("flag_is: {{ name: {name} }}"),
        true if names.counters.has(name) => format!("counter_gte: {{ name: {name}, value: 1 }}"),
        true if names.sets.has(name) => format!("target_in_set: {name}"),
        _ => return None,
    })
}

/// Proposes what a word was meant to be that stands alone in an expression.
fn with_word(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    const ASKING: &[&str] = &["contains", "includes", "has"];
    let set = name.rsplit_once('.').filter(|(_, asking)| ASKING.contains(asking));
    match (name, set) {
        ("always", _) => diagnostic.help("leave the condition out for a rule that always fires"),
        (_, Some((set, _))) => diagnostic.help(format!("did you mean `target in {set}`?")),
        _ => {
            let proposed = with_proposal(diagnostic, name);
            match proposed.fixes.is_empty() {
                true => proposed.help(
                    "write a condition, such as `target in read_files`, `flag(NAME)` or `counter(NAME) >= 3`",
                ),
                false => proposed,
            }
        }
    }
}

fn report_unknown(node: &Node, entry: &Entry, lowering: &mut Lowering<'_>) {
    let name = &*entry.key.text;
    let message = format!("behavior: unknown condition type: {name}");
    let mut diagnostic = Diagnostic::new(&d::UNKNOWN_CONDITION, entry.key.span, message);
    if lowering.allow_unknown_conditions {
        diagnostic = diagnostic.severity(crate::diagnostic::Severity::Warning);
    }
    // Of an expression, the word is the whole condition.
    let is_word = node.span == entry.key.span;
    let is_call = lowering.sources.slice(node.span).starts_with(name);
    diagnostic = match of_declared(name, !is_word, lowering) {
        Some(meant) if is_word => {
            let span = diagnostic.span;
            let help = format!("did you mean `{meant}`?");
            diagnostic.help(help).replace(span, meant, Applicability::Unsafe)
        }
        Some(meant) => diagnostic.help(format!("write `{meant}`")),
        None if is_word || is_call && name.contains('.') => with_word(diagnostic, name),
        None => with_proposal(diagnostic, name),
    };
    if lowering.allow_unknown_conditions {
        diagnostic.help =
            Some("the rule never fires: what is not understood is not enforced".into());
    }
    lowering.report(diagnostic);
    lowering.not_understood += 1;
}

#[cfg(test)]
mod tests {
    use super::{ELSEWHERE, names};

    #[test]
    fn what_is_called_otherwise_elsewhere_is_called_so_nowhere_here() {
        let known: Vec<&str> = names().collect();
        let mut met = Vec::new();
        for (here, elsewhere) in ELSEWHERE {
            assert!(known.contains(here), "there is no condition `{here}`");
            for name in elsewhere.split(' ') {
                assert!(!known.contains(&name), "`{name}` is a condition");
                assert!(!met.contains(&name), "`{name}` stands twice");
                met.push(name);
            }
        }
    }
}
