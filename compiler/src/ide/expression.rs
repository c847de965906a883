//! What can be written next in an expression: from the text of the condition that the cursor stands
//! in, held against the forms of conditions.

use std::ops::Range;

use crate::conditions::{ALL, ConditionKind};
use crate::expression::{is_glob_behind, name_behind, words_behind};
use crate::registry::schema::NameKind;

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<'t> {
    /// A declared name, of which so much is written.
    Name(NameKind, &'t str),
    /// A name of a parameter.
    Param(&'t str),
    /// A condition, of which so much is written.
    Condition(&'t str),
    /// One of some words, of which so much is written.
    Word(&'static [&'static str], &'t str),
    /// A number that something is held against, of which so much is written.
    Number(&'t str),
    /// The words of a command, of which so much is written; whether behind its quote.
    Command(&'t str, bool),
    /// A path pattern behind its quote, of which so much is written.
    Glob(&'t str),
    /// A connective behind a condition that is whole, of which so much is written.
    Connective(&'t str),
}

/// What comes next behind `text`.
pub(super) fn next(text: &str) -> Next<'_> {
    let condition = last_condition(text);
    if let Some((command, is_quoted)) = command_begun(condition) {
        return Next::Command(command, is_quoted);
    }
    if let Some(pattern) = glob_begun(condition) {
        return Next::Glob(pattern);
    }
    if let Some(word) = behind_whole(condition) {
        return Next::Connective(word);
    }
    let word = last_word(condition);
    let before = condition.get(..condition.len() - word.len()).unwrap_or_default();
    match name_behind(before) {
        Some(NameKind::Param) => return Next::Param(word),
        Some(kind) => return Next::Name(kind, word),
        None => {}
    }
    // `is` is a word of the conditions that go on with a kind, and of others.
    match words_behind(before).filter(|_| before.ends_with(' ')) {
        Some(words) => Next::Word(words, word),
        None if counts(before) => Next::Number(word),
        None => Next::Condition(condition),
    }
}

/// What is written of the command behind `runs`, and whether its quote is: in a text in quotes, that has a backslash.
fn command_begun(condition: &str) -> Option<(&str, bool)> {
    let behind = condition.strip_prefix("runs").filter(|rest| rest.starts_with([' ', '(']))?;
    let behind = behind.trim_start_matches([' ', '(']);
    let quoted = behind.strip_prefix('\\').unwrap_or(behind);
    let is_end = |c: char| matches!(c, '"' | '\'');
    match quoted.strip_prefix(is_end) {
        Some(inside) => (!inside.contains(is_end)).then_some((inside, true)),
        None => behind.chars().all(is_word).then_some((behind, false)),
    }
}

/// What is written of a path pattern behind its quote, which is open: in a text in quotes, that has a backslash.
fn glob_begun(condition: &str) -> Option<&str> {
    let is_quote = |c: char| matches!(c, '"' | '\'');
    let (before, pattern) = condition.split_once(is_quote)?;
    let before = before.strip_suffix('\\').unwrap_or(before);
    (!pattern.contains(is_quote) && is_glob_behind(before)).then_some(pattern)
}

/// Whether the beginning of a condition counts something and ends with a comparison.
fn counts(before: &str) -> bool {
    let counted = ["counter(", "consecutive", "tool_calls_this_turn"];
    before.trim_end().ends_with(['=', '<', '>'])
        && counted.iter().any(|word| before.starts_with(word))
}

/// What is written behind a blank after a whole condition.
fn behind_whole(condition: &str) -> Option<&str> {
    let word = last_word(condition);
    let before = condition.get(..condition.len() - word.len())?;
    let parses = |whole: &str| {
        let (parsed, problems) = crate::expression::parse(whole);
        parsed.is_some() && problems.is_empty()
    };
    // In a text in quotes, a quote has a backslash.
    let is_whole = || {
        let whole = before.trim();
        parses(whole) || whole.contains("\\\"") && parses(&whole.replace("\\\"", "\""))
    };
    let is_open = ["and", "or"].iter().any(|connective| connective.starts_with(word));
    (is_open && before.ends_with([' ', ')']) && !before.trim().is_empty() && is_whole())
        .then_some(word)
}

/// What is written of the condition at the end of a chain.
pub(super) fn last_condition(text: &str) -> &str {
    let mut start = 0;
    let mut rest = text;
    let mut quote = None;
    let mut open = Vec::new();
    while let Some(character) = rest.chars().next() {
        let at = text.len() - rest.len();
        let mut length = character.len_utf8();
        match (quote, character) {
            (Some(quoted), _) if character == quoted => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(') => {
                // Behind a word, a parenthesis holds its argument; else it groups conditions.
                let is_group = text.get(start..at).is_none_or(|before| before.trim().is_empty());
                open.push(is_group);
                if is_group {
                    start = at + 1;
                }
            }
            (None, ')') => drop(open.pop()),
            (None, _) if is_word(character) => {
                length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let is_first = text.get(start..at).is_none_or(|before| before.trim().is_empty());
                let word = rest.get(..length).unwrap_or_default();
                let is_over = length < rest.len();
                if is_over && (matches!(word, "and" | "or") || word == "not" && is_first) {
                    start = at + length;
                }
            }
            (None, '&' | '|') => start = at + length,
            (None, _) => {}
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    text.get(start..).unwrap_or_default().trim_start()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.')
}

fn last_word(text: &str) -> &str {
    let start = text.trim_end_matches(is_word).len();
    text.get(start..).unwrap_or_default()
}

/// Where an expression has its first name, and of what that is one.
pub(super) fn name_in(expression: &str) -> Option<(Range<usize>, NameKind)> {
    let mut at = 0;
    for word in expression.split_inclusive(|c| !is_word(c)) {
        let name = word.trim_end_matches(|c| !is_word(c));
        let before = expression.get(..at).unwrap_or_default();
        if let Some(kind) = name_behind(before).filter(|_| !name.is_empty()) {
            return Some((at..at + name.len(), kind));
        }
        at += word.len();
    }
    None
}

/// The conditions whose expression goes on from what is written, and that expression with the
/// argument that is written already.
pub(super) fn matching(written: &str) -> Vec<(&'static ConditionKind, String)> {
    let fits = |kind: &&'static ConditionKind| {
        let expression = with_argument(kind.expression, written);
        expression.starts_with(written).then_some((*kind, expression))
    };
    ALL.iter().filter_map(fits).collect()
}

/// Puts what is written in parentheses into an expression of the same beginning.
fn with_argument(expression: &str, written: &str) -> String {
    let replaced = || {
        let (head, behind) = written.split_once('(')?;
        let (argument, _) = behind.split_once(')')?;
        let (own, rest) = expression.split_once('(')?;
        let (_, rest) = rest.split_once(')')?;
        (own == head).then(|| format!("{head}({argument}){rest}"))
    };
    replaced().unwrap_or_else(|| expression.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_wanted_where_the_registry_has_names() {
        assert_eq!(next("counter(re"), Next::Name(NameKind::Counter, "re"));
        assert_eq!(next("not flag("), Next::Name(NameKind::Flag, ""));
        assert_eq!(next("target not in "), Next::Name(NameKind::Set, ""));
        assert_eq!(next("text matches \"a or b\" and target in r"), Next::Name(NameKind::Set, "r"));
        assert_eq!(next("target changed since "), Next::Name(NameKind::Set, ""));
        assert_eq!(next("param(fi"), Next::Param("fi"));
    }

    #[test]
    fn conditions_are_wanted_everywhere_else() {
        assert_eq!(next(""), Next::Condition(""));
        assert_eq!(next("tar"), Next::Condition("tar"));
        assert_eq!(next("flag(a) and "), Next::Condition(""));
        assert_eq!(next("not (flag(a) or target m"), Next::Condition("target m"));
        assert_eq!(next("param(x) ma"), Next::Condition("param(x) ma"));
        assert_eq!(next("orange"), Next::Condition("orange"));
    }

    #[test]
    fn values_are_wanted_where_conditions_have_places_for_them() {
        assert_eq!(next("runs "), Next::Command("", false));
        assert_eq!(next("runs g"), Next::Command("g", false));
        assert_eq!(next("not runs \"git pu"), Next::Command("git pu", true));
        assert_eq!(next("runs(\\\"git "), Next::Command("git ", true));
        assert!(matches!(next("target is s"), Next::Word(words, "s") if words.contains(&"secret")));
        assert!(matches!(next("reads is "), Next::Word(words, "") if words.contains(&"tests")));
        assert_eq!(next("writes \"sr"), Next::Glob("sr"));
        assert_eq!(next("not target matches \\\"src/"), Next::Glob("src/"));
        assert!(!matches!(next("writes \"src/**\" "), Next::Glob(_)));
        assert!(!matches!(next("text matches \"sr"), Next::Glob(_)));
        assert_eq!(next("counter(a) >= 1"), Next::Number("1"));
        assert_eq!(next("runs \"git push\" "), Next::Connective(""));
        assert_eq!(next("runs"), Next::Condition("runs"));
    }

    #[test]
    fn connectives_are_wanted_behind_conditions() {
        assert_eq!(next("flag(a) "), Next::Connective(""));
        assert_eq!(next("flag(a) an"), Next::Connective("an"));
        assert_eq!(next("flag(a) and counter(b) >= 3 "), Next::Connective(""));
        assert_eq!(next(r#"runs \"git push\" o"#), Next::Connective("o"));
        assert_eq!(next("target in "), Next::Name(NameKind::Set, ""));
    }

    #[test]
    fn the_argument_that_is_written_stays() {
        let found = matching("param(amount) ");
        let names: Vec<&str> = found.iter().map(|(kind, _)| kind.name).collect();
        assert_eq!(names, ["param_matches", "param_contains", "param_in", "param_compare"]);
        assert!(found.iter().all(|(_, text)| text.starts_with("param(amount) ")));
        assert!(matching("nonsense").is_empty());
    }
}
