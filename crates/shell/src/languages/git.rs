//! Calls of libraries for git as the commands of git that they run: GitPython, simple-git.

use super::language::Language;
use super::names::Names;
use super::parts::{split, trimmed};
use super::token::Token;
use super::value::Value;

/// Methods of simple-git that run the subcommand that they are called as.
const METHODS: &[&str] =
    &["raw", "reset", "clean", "push", "checkout", "branch", "stash", "pull", "rm", "tag"];

/// Returns whether code uses the library for its language.
pub fn is_used(language: Language, tokens: &[Token]) -> bool {
    let is_name = |token: &Token| matches!(token, Token::Text(name) if name == "simple-git");
    let is_import = |pair: &[Token]| matches!(pair, [Token::Name(word), Token::Name(name)] if name == "git" && (word == "import" || word == "from"));
    match language {
        Language::JavaScript => tokens.iter().any(is_name),
        Language::Python => {
            let is_repository = |pair: &[Token]| matches!(pair, [Token::Name(name), Token::Sign('(')] if name == "Repo");
            tokens.windows(2).any(|pair| is_import(pair) || is_repository(pair))
        }
        _ => false,
    }
}

/// Returns the words of the command that a method of an object of GitPython amounts to, where that takes something away
/// or gives something to others. Source: https://gitpython.readthedocs.io/en/stable/reference.html
pub fn object(
    object: &[Token],
    method: &str,
    inner: &[Token],
    names: &Names,
) -> Option<Vec<Value>> {
    let last = object.iter().rev().find_map(|token| match token {
        Token::Name(name) => Some(name.as_str()),
        _ => None,
    });
    let is_remote = object
        .iter()
        .any(|token| matches!(token, Token::Name(name) if matches!(name.as_str(), "remote" | "remotes" | "origin" | "create_remote")));
    let is_on = |setting: &str| {
        split(inner, &[',']).into_iter().any(|part| match trimmed(part) {
            [Token::Name(name), Token::Sign('='), value @ ..] => {
                name == setting && names.value(value, 0) != Value::Off
            }
            _ => false,
        })
    };
    let words: &[&str] = match (method, last) {
        ("push", _) if is_remote && is_on("force") => &["push", "--force"],
        ("push", _) if is_remote => &["push"],
        ("reset", Some("head")) if is_on("working_tree") => &["reset", "--hard"],
        ("checkout", _) if is_on("force") => &["checkout", "--force"],
        ("delete_head", _) if is_on("force") => &["branch", "-D"],
        ("delete_head", _) => &["branch", "-d"],
        ("delete_tag", _) => &["tag", "-d"],
        ("remove", Some("index")) if is_on("working_tree") => &["rm"],
        _ => return None,
    };
    let mut words: Vec<Value> =
        ["git"].iter().chain(words).map(|word| Value::Text((*word).to_owned())).collect();
    for part in split(inner, &[',']) {
        let value = match trimmed(part) {
            [Token::Name(name), Token::Sign('='), value @ ..] => match name.as_str() {
                "refspec" | "commit" => names.value(value, 0),
                _ => continue,
            },
            part => names.value(part, 0),
        };
        match value {
            Value::List(items) => words.extend(items),
            value => words.push(value),
        }
    }
    Some(words)
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
