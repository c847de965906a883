//! The expression of a condition in mapping form: the inverse of reading one.

use super::token::{Comparator, Kind as Token, is_name_character, quote, tokenize};
use super::{MAX_DEPTH, MAX_LENGTH, pair_parentheses, parse, to_node};
use crate::source::{FileId, Span};
use crate::syntax::{Entry, Kind, Node};

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Or,
    And,
    Not,
    Atom,
}

/// The expression that means what a condition in mapping form means, in the nicest form there is;
/// reading it gives the mapping again, with `all` and `any` of a single condition left out and
/// defaults filled in. None where a condition has parts that no expression can say, such as the
/// mapping forms of `runs`, or where the expression would be too long or too deep to be read.
#[must_use]
pub fn print(node: &Node) -> Option<String> {
    let (text, _) = expression(node, 0)?;
    // A level takes at least a character, so that most texts need not be looked into.
    let is_shallow = || text.len() <= MAX_DEPTH || pair_parentheses(&mut tokenize(&text)).is_ok();
    (text.len() <= MAX_LENGTH && is_shallow()).then_some(text)
}

/// How deep the mapping form is followed: a level of parentheses may be an `any` that holds an
/// `all` that holds a `not`.
const MAX_LEVELS: usize = 3 * MAX_DEPTH + 3;

type Printed = Option<(String, Tightness)>;

fn expression(node: &Node, depth: usize) -> Printed {
    if depth > MAX_LEVELS {
        return None;
    }
    if let Some(text) = node.as_str() {
        return normalised(text, depth);
    }
    let entry = only(node)?;
    match (&*entry.key.text, &entry.value.kind) {
        ("all", Kind::Seq(items)) => chain(items, Tightness::And, depth),
        ("any", Kind::Seq(items)) => chain(items, Tightness::Or, depth),
        ("not", _) => negation(&entry.value, depth),
        (name, _) => test(name, &entry.value).map(|text| (text, Tightness::Atom)),
    }
}

/// A condition that is an expression already.
fn normalised(text: &str, depth: usize) -> Printed {
    let (Some(tree), problems) = parse(text) else { return None };
    let nowhere = |_| Span::new(FileId(0), 0, 0);
    if problems.is_empty() { expression(&to_node(&tree, &nowhere), depth + 1) } else { None }
}

fn only(node: &Node) -> Option<&Entry> {
    match node.entries()? {
        [entry] => Some(entry),
        _ => None,
    }
}

fn chain(items: &[Node], tightness: Tightness, depth: usize) -> Printed {
    let (word, empty) = match tightness {
        Tightness::And => (" and ", "true"),
        _ => (" or ", "false"),
    };
    match items {
        [] => return Some((empty.to_owned(), Tightness::Atom)),
        [single] => return expression(single, depth + 1),
        [first, second] if tightness == Tightness::And => {
            if let Some(text) = equality(first, second, Comparator::Equal) {
                return Some((text, Tightness::Atom));
            }
        }
        _ => {}
    }
    let part = |item| {
        let (text, binds) = expression(item, depth + 1)?;
        Some(if binds <= tightness { format!("({text})") } else { text })
    };
    let parts: Option<Vec<String>> = items.iter().map(part).collect();
    Some((parts?.join(word), tightness))
}

fn negation(operand: &Node, depth: usize) -> Printed {
    let atom = |text| Some((text, Tightness::Atom));
    if let Some((subject, limit)) = at_least(operand) {
        return atom(comparison(&subject, Comparator::Less, limit));
    }
    let both = only(operand).filter(|entry| &*entry.key.text == "all");
    if let Some([first, second]) = both.and_then(|entry| entry.value.items())
        && let Some(text) = equality(first, second, Comparator::NotEqual)
    {
        return atom(text);
    }
    if let Some(text) = negated_test(operand) {
        return atom(text);
    }
    let (text, binds) = expression(operand, depth + 1)?;
    let text = if binds < Tightness::Not { format!("not ({text})") } else { format!("not {text}") };
    Some((text, Tightness::Not))
}

/// Tests with a negated form of their own.
fn negated_test(operand: &Node) -> Option<String> {
    let entry = only(operand)?;
    match &*entry.key.text {
        "tool_calls_this_turn_eq" => {
            Some(comparison("tool_calls_this_turn", Comparator::NotEqual, int(&entry.value)?))
        }
        "param_in" => param_in(&entry.value, "not in"),
        _ => None,
    }
}

/// What a condition says is at least a number, and the number.
fn at_least(node: &Node) -> Option<(String, i64)> {
    let entry = only(node)?;
    match &*entry.key.text {
        "counter_gte" => {
            let [name, limit] = fields(&entry.value, ["name", "value"])?;
            let limit = limit.map_or(Some(0), int)?;
            Some((format!("counter({})", self::name(name?)?), limit))
        }
        "consecutive_gte" => Some(("consecutive".to_owned(), int(&entry.value)?)),
        _ => None,
    }
}

/// `x == n`, written as x ≥ n and not x ≥ n + 1.
fn equality(first: &Node, second: &Node, comparator: Comparator) -> Option<String> {
    let (subject, limit) = at_least(first)?;
    let below = only(second).filter(|entry| &*entry.key.text == "not")?;
    let (other, next) = at_least(&below.value)?;
    let equal = subject == other && limit.checked_add(1) == Some(next);
    equal.then(|| comparison(&subject, comparator, limit))
}

fn comparison(subject: &str, comparator: Comparator, limit: i64) -> String {
    format!("{subject} {} {limit}", comparator.symbol())
}

/// One condition of the registry, in its own form where it has one, else as a call.
fn test(condition: &str, value: &Node) -> Option<String> {
    let on = value.kind == Kind::Bool(true);
    let own = match condition {
        "counter_gte" => {
            let [counter, limit] = fields(value, ["name", "value"])?;
            let limit = limit.map_or(Some(0), int)?;
            let subject = format!("counter({})", name(counter?)?);
            Some(comparison(&subject, Comparator::GreaterOrEqual, limit))
        }
        "consecutive_gte" => {
            int(value).map(|limit| comparison("consecutive", Comparator::GreaterOrEqual, limit))
        }
        "tool_calls_this_turn_eq" => {
            int(value).map(|limit| comparison("tool_calls_this_turn", Comparator::Equal, limit))
        }
        "flag_is" => flag(value),
        "target_in_set" => name(value).map(|set| format!("target in {set}")),
        "target_not_in_set" => name(value).map(|set| format!("target not in {set}")),
        "target_changed_since" => name(value).map(|set| format!("target changed since {set}")),
        "target_matches" => text(value).map(|glob| format!("target matches {glob}")),
        "text_matches" => text(value).map(|pattern| format!("text matches {pattern}")),
        "result_matches" => text(value).map(|pattern| format!("result matches {pattern}")),
        "runs" => text(value).map(|command| format!("runs {command}")),
        "target_exists_on_disk" if on => Some("target exists".to_owned()),
        "result_failed" if on => Some("result failed".to_owned()),
        "result_has_lint_errors" if on => Some("result has lint errors".to_owned()),
        "no_text_before_tools" if on => Some("no text before tools".to_owned()),
        "first_tool_this_turn" if on => Some("first tool this turn".to_owned()),
        "contains_secret" => secret(value),
        "param_matches" => param_text(value, "pattern", "matches"),
        "param_contains" => param_text(value, "value", "contains"),
        "param_in" => param_in(value, "in"),
        "param_compare" => param_compare(value),
        _ => None,
    };
    own.or_else(|| call(condition, value))
}

fn flag(value: &Node) -> Option<String> {
    let [flag, state] = fields(value, ["name", "value"])?;
    let flag = name(flag?)?;
    match state.map(|state| &state.kind) {
        None | Some(Kind::Bool(true)) => Some(format!("flag({flag})")),
        Some(Kind::Bool(false)) => Some(format!("flag({flag}) is false")),
        _ => None,
    }
}

fn secret(value: &Node) -> Option<String> {
    match &value.kind {
        Kind::Bool(true) => Some("contains secret".to_owned()),
        Kind::String(place) if matches!(&**place, "params" | "result" | "text") => {
            Some(format!("secret in {place}"))
        }
        _ => {
            let [param] = fields(value, ["param"])?;
            Some(format!("secret in param({})", name(param?)?))
        }
    }
}

fn param_text(value: &Node, field: &'static str, word: &str) -> Option<String> {
    let [param, operand] = fields(value, ["param", field])?;
    Some(format!("param({}) {word} {}", name(param?)?, text(operand?)?))
}

fn param_in(value: &Node, words: &str) -> Option<String> {
    let [param, values] = fields(value, ["param", "values"])?;
    let values: Option<Vec<String>> = values?.items()?.iter().map(scalar).collect();
    Some(format!("param({}) {words} [{}]", name(param?)?, values?.join(", ")))
}

fn param_compare(value: &Node) -> Option<String> {
    let [param, op, operand] = fields(value, ["param", "op", "value"])?;
    let op = op?.as_str()?;
    let known = Comparator::ALL.into_iter().find(|comparator| comparator.symbol() == op)?;
    Some(format!("param({}) {} {}", name(param?)?, known.symbol(), scalar(operand?)?))
}

/// `name` or `name(argument)`, for every condition that takes one value.
fn call(condition: &str, value: &Node) -> Option<String> {
    if !is_bare(condition) || matches!(condition, "all" | "any" | "not") {
        return None;
    }
    match value.kind {
        Kind::Bool(true) => Some(condition.to_owned()),
        _ => scalar(value).map(|argument| format!("{condition}({argument})")),
    }
}

/// The values of these fields; none where there are others, or where it is no mapping.
fn fields<'n, const N: usize>(node: &'n Node, names: [&str; N]) -> Option<[Option<&'n Node>; N]> {
    let known = |entry: &Entry| names.contains(&&*entry.key.text);
    node.entries()?.iter().all(known).then(|| names.map(|name| node.get(name)))
}

fn int(node: &Node) -> Option<i64> {
    match node.kind {
        Kind::Int(value) => Some(value),
        _ => None,
    }
}

fn text(node: &Node) -> Option<String> {
    node.as_str().map(quote)
}

/// The name of a counter, flag, set or parameter, in quotes if it must be.
fn name(node: &Node) -> Option<String> {
    let name = node.as_str()?;
    Some(if is_bare(name) { name.to_owned() } else { quote(name) })
}

fn scalar(node: &Node) -> Option<String> {
    match &node.kind {
        Kind::Bool(value) => Some(value.to_string()),
        Kind::Int(value) => Some(value.to_string()),
        Kind::Float(value) => value.is_finite().then(|| format!("{value:?}")),
        Kind::String(value) => Some(quote(value)),
        Kind::Null | Kind::Seq(_) | Kind::Map(_) | Kind::Broken => None,
    }
}

/// Whether a name can stand without quotes and is no word of the language, in any case.
fn is_bare(name: &str) -> bool {
    let starts_well = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    starts_well
        && name.chars().all(is_name_character)
        && Token::of_word(&name.to_ascii_lowercase()).is_none()
}
