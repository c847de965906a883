//! Calls of libraries for git as the commands of git that they run: GitPython, simple-git.

use super::language::Language;
use super::parts::{split, trimmed};
use super::token::Token;
use super::value::{Names, Value};

/// Methods of simple-git that run the subcommand that they are called as.
const METHODS: &[&str] =
    &["raw", "reset", "clean", "push", "checkout", "branch", "stash", "pull", "rm", "tag"];

/// Returns whether code uses the library for JavaScript.
pub fn is_used(language: Language, tokens: &[Token]) -> bool {
    let is_name = |token: &Token| matches!(token, Token::Text(name) if name == "simple-git");
    language == Language::JavaScript && tokens.iter().any(is_name)
}

/// Returns the words of the command that a method of simple-git runs.
pub fn simple(method: &str, inner: &[Token], names: &Names) -> Option<Vec<Value>> {
    let word = |text: &str| Value::Text(text.to_owned());
    let mut words = vec![word("git")];
    match method {
        "raw" => {}
        "deleteLocalBranch" | "deleteLocalBranches" => words.push(word("branch")),
        method if METHODS.contains(&method) => words.push(word(method)),
        _ => return None,
    }
    for part in split(inner, &[',']) {
        match (method, trimmed(part)) {
            ("deleteLocalBranch" | "deleteLocalBranches", [Token::Name(name)])
                if name == "true" =>
            {
                words.insert(2, word("-D"));
            }
            (_, [Token::Name(kind), Token::Sign('.'), Token::Name(name)])
                if matches!(kind.as_str(), "ResetMode" | "CleanOptions") =>
            {
                words.push(word(&format!("--{}", name.to_ascii_lowercase())));
            }
            ("reset", [Token::Text(mode)]) if !mode.starts_with('-') => {
                words.push(word(&format!("--{mode}")));
            }
            ("clean", [Token::Text(mode)]) if !mode.starts_with('-') => {
                words.push(word(&format!("-{mode}")));
            }
            (_, part) => match names.value(part, 0) {
                Value::List(items) => words.extend(items),
                value => words.push(value),
            },
        }
    }
    Some(words)
}

/// Returns the words of the command that `repo.git.METHOD(…)` of GitPython runs.
pub fn python(method: &str, inner: &[Token], names: &Names) -> Vec<Value> {
    let word = |text: String| Value::Text(text);
    let mut flags = Vec::new();
    let mut operands = Vec::new();
    for part in split(inner, &[',']) {
        match trimmed(part) {
            [Token::Name(name), Token::Sign('='), value @ ..] => {
                let dashes = if name.len() == 1 { "-" } else { "--" };
                match trimmed(value) {
                    [Token::Name(off)] if off == "False" || off == "None" => {}
                    _ => flags.push(word(format!("{dashes}{}", name.replace('_', "-")))),
                }
            }
            part => match names.value(part, 0) {
                Value::List(items) => operands.extend(items),
                value => operands.push(value),
            },
        }
    }
    let start = [word("git".to_owned()), word(method.replace('_', "-"))];
    start.into_iter().chain(flags).chain(operands).collect()
}
