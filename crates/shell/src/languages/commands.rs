//! Libraries whose functions are programs: `sh` of Python, `shelljs` of JavaScript. A call of one is a command.

use super::language::Language;
use super::names::Names;
use super::parts::{object, split, trimmed};
use super::token::Token;
use super::value::Value;

/// Functions of shelljs that do what the program of their name does. Source: https://github.com/shelljs/shelljs
const SHELLJS: &[&str] =
    &["rm", "mv", "cp", "mkdir", "chmod", "ln", "touch", "cat", "ls", "sed", "cd"];

/// Returns the words of the command that a call of such a library runs, by the name of the function at a place.
pub fn words(tokens: &[Token], at: usize, inner: &[Token], names: &Names) -> Option<Vec<Value>> {
    let Some(Token::Name(name)) = tokens.get(at) else { return None };
    let before = object(tokens, at);
    let mut words = match names.language() {
        Language::Python => subcommands(before, name, names)?,
        Language::JavaScript => {
            let is_library = match before {
                [] => names.origins().named(name).iter().any(|origin| origin.of == "shelljs"),
                before => names
                    .origins()
                    .reference(Language::JavaScript, before, 0)
                    .is_some_and(|origin| origin.name == "shelljs"),
            };
            let own = match names.origins().named(name) {
                [first, ..] if before.is_empty() => first.name.as_str(),
                _ => name.as_str(),
            };
            (is_library && SHELLJS.contains(&own)).then(|| vec![own.to_owned()])?
        }
        _ => return None,
    }
    .into_iter()
    .map(Value::Text)
    .collect::<Vec<_>>();
    for part in split(inner, &[',']) {
        match trimmed(part) {
            [Token::Name(name), Token::Sign('='), value @ ..] => {
                if name.starts_with('_') {
                    continue;
                }
                let dashes = if name.len() == 1 { "-" } else { "--" };
                words.push(Value::Text(format!("{dashes}{}", name.replace('_', "-"))));
                if let value @ Value::Text(_) = names.value(value, 0) {
                    words.push(value);
                }
            }
            part => match names.value(part, 0) {
                Value::List(items) => words.extend(items),
                Value::Object(_) => {}
                value => words.push(value),
            },
        }
    }
    Some(words)
}

/// `sh.git.push`, `rm` of `from sh import rm`.
fn subcommands(before: &[Token], name: &str, names: &Names) -> Option<Vec<String>> {
    let is_library =
        |name: &str| names.origins().named(name).iter().any(|origin| origin.of == "sh");
    let mut words: Vec<&str> = Vec::new();
    for token in before.iter().chain(std::iter::once(&Token::Name(name.to_owned()))) {
        match token {
            Token::Name(_) | Token::Sign('.') => {}
            _ => return None,
        }
    }
    words.extend(before.iter().filter_map(|token| match token {
        Token::Name(name) => Some(name.as_str()),
        _ => None,
    }));
    words.push(name);
    let first = *words.first()?;
    let origin = names.origins().named(first).iter().find(|origin| origin.of == "sh")?;
    if !is_library(first) || words.len() == 1 && origin.name == "sh" {
        return None;
    }
    let mut own: Vec<String> = words.into_iter().map(str::to_owned).collect();
    match origin.name.as_str() {
        "sh" => {
            own.remove(0);
        }
        function => {
            if let Some(first) = own.first_mut() {
                function.clone_into(first);
            }
        }
    }
    Some(own.into_iter().filter(|word| word != "bake").collect())
}
