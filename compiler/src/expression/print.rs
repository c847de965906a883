//! The expression of a condition in mapping form: the inverse of reading one.

use std::borrow::Cow;

use super::hole::{Hole, Syntax};
use super::node::to_node;
use super::parse::{MAX_DEPTH, MAX_LENGTH, pair_parentheses, parse};
use super::template::{Form, Part, forms};
use super::token::{Comparator, Kind as Token, is_name_character, quote, tokenize};
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
    let mut forms = forms(&entry.key.text);
    forms.find_map(|form| match form.hole(&[Syntax::Equal]) {
        Some(_) => in_form(form, &entry.value, Some(Comparator::NotEqual)),
        None => form.is_negated.then(|| in_form(form, &entry.value, None)).flatten(),
    })
}

/// What a condition says is at least a number, and the number.
fn at_least(node: &Node) -> Option<(String, i64)> {
    let entry = only(node)?;
    let form = forms(&entry.key.text).find(|form| form.hole(&[Syntax::AtLeast]).is_some())?;
    let (Part::Hole(hole), subject) = form.parts.split_last()? else { return None };
    let limit = match hole.field.map(|field| entry.value.get(field)) {
        None => int(&entry.value),
        Some(Some(limit)) => int(limit),
        Some(None) => hole.default?.parse().ok(),
    };
    if can_say(form, &entry.value) { parts(subject, &entry.value, None).zip(limit) } else { None }
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

/// One condition of the registry, in a form of its own where it has one, else as a call.
fn test(condition: &str, value: &Node) -> Option<String> {
    let own = forms(condition).filter(|form| !form.is_negated);
    let own = own.filter_map(|form| in_form(form, value, None)).next();
    own.or_else(|| call(condition, value))
}

/// A condition in one of its forms, where that can say it; a hole with a comparison compares as
/// its condition does, or by `comparator`.
fn in_form(form: &Form, value: &Node, comparator: Option<Comparator>) -> Option<String> {
    if can_say(form, value) { parts(&form.parts, value, comparator) } else { None }
}

/// Whether a form has a hole for everything that a condition is given.
fn can_say(form: &Form, value: &Node) -> bool {
    let is_known = |entry: &Entry| form.holes().any(|hole| hole.field == Some(&*entry.key.text));
    match form.holes().next() {
        None => value.kind == Kind::Bool(true),
        Some(Hole { field: None, .. }) => true,
        Some(_) => value.entries().is_some_and(|entries| entries.iter().all(is_known)),
    }
}

fn parts(parts: &[Part], value: &Node, comparator: Option<Comparator>) -> Option<String> {
    let mut out = String::new();
    for part in parts {
        let text = match part {
            Part::Word(word) => Cow::Borrowed(*word),
            Part::Open => "(".into(),
            Part::Close => ")".into(),
            Part::Hole(hole) => in_hole(hole, value, comparator)?.into(),
        };
        let is_joined = matches!(part, Part::Open | Part::Close) || out.ends_with('(');
        if !out.is_empty() && !is_joined && !text.is_empty() {
            out.push(' ');
        }
        out.push_str(&text);
    }
    Some(out)
}

/// The operand of a condition, as it is written in a hole.
fn in_hole(hole: &Hole, value: &Node, comparator: Option<Comparator>) -> Option<String> {
    let compare = |usual: Comparator, limit: &str| {
        format!("{} {limit}", comparator.unwrap_or(usual).symbol())
    };
    let node = match hole.field.map(|field| value.get(field)) {
        None => value,
        Some(Some(field)) => field,
        Some(None) => {
            return match hole.syntax {
                Syntax::AtLeast => Some(compare(Comparator::GreaterOrEqual, hole.default?)),
                Syntax::Is if hole.default == Some("true") => Some(String::new()),
                _ => None,
            };
        }
    };
    match hole.syntax {
        Syntax::Name(_) => name(node),
        Syntax::Pattern | Syntax::Glob | Syntax::Text | Syntax::Command => text(node),
        Syntax::Integer => int(node).map(|number| number.to_string()),
        Syntax::AtLeast => Some(compare(Comparator::GreaterOrEqual, &int(node)?.to_string())),
        Syntax::Equal => Some(compare(Comparator::Equal, &int(node)?.to_string())),
        Syntax::Comparison => {
            let sign = node.as_str()?;
            let known = Comparator::ALL.into_iter().find(|known| known.symbol() == sign)?;
            Some(known.symbol().to_owned())
        }
        Syntax::Value => scalar(node),
        Syntax::Values => {
            let values: Option<Vec<String>> = node.items()?.iter().map(scalar).collect();
            Some(format!("[{}]", values?.join(", ")))
        }
        Syntax::Words(words) => {
            let word = node.as_str()?;
            words.contains(&word).then(|| word.to_owned())
        }
        Syntax::Is => match node.kind {
            Kind::Bool(true) => Some(String::new()),
            Kind::Bool(false) => Some("is false".to_owned()),
            _ => None,
        },
    }
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
