//! What code reads from its input, line by line: the names that languages have for it, and the methods that give it on.

use super::language::Language;
use super::token::Token;

/// Returns whether an expression is the input of the code, or what is read from it.
pub fn is_input(language: Language, tokens: &[Token]) -> bool {
    let is_name = |token: &Token, names: &[&str]| matches!(token, Token::Name(name) if names.contains(&name.as_str()));
    let is_file = |token: &Token| matches!(token, Token::Text(name) | Token::Name(name) if matches!(name.as_str(), "/dev/stdin" | "php://stdin" | "0" | "STDIN"));
    match (language, tokens) {
        (Language::Python, [sys, Token::Sign('.'), stdin]) => {
            is_name(sys, &["sys"]) && is_name(stdin, &["stdin"])
        }
        (Language::Python, [fileinput, Token::Sign('.'), input, Token::Sign('('), ..]) => {
            is_name(fileinput, &["fileinput"]) && is_name(input, &["input"])
        }
        (Language::Python, [input, Token::Sign('('), .., Token::Sign(')')])
            if is_name(input, &["input"]) =>
        {
            true
        }
        (Language::Python, [open, Token::Sign('('), file, ..]) => {
            is_name(open, &["open"]) && is_file(file)
        }
        (Language::JavaScript, [process, Token::Sign('.'), stdin]) => {
            is_name(process, &["process", "Bun", "Deno"]) && is_name(stdin, &["stdin"])
        }
        (Language::JavaScript, [.., read, Token::Sign('('), file])
        | (Language::JavaScript, [.., read, Token::Sign('('), file, Token::Sign(')')])
        | (
            Language::JavaScript,
            [.., read, Token::Sign('('), file, Token::Sign(','), _, Token::Sign(')')],
        ) => is_name(read, &["readFileSync"]) && is_file(file),
        (Language::Ruby, [only]) => is_name(only, &["STDIN", "ARGF", "stdin", "gets", "readlines"]),
        (Language::Php, [.., read, Token::Sign('('), file, Token::Sign(')')]) => {
            const READ: &[&str] =
                &["fgets", "file", "file_get_contents", "stream_get_contents", "fgetcsv"];
            is_name(read, READ) && is_file(file)
        }
        (Language::Lua, [io, Token::Sign('.'), read, Token::Sign('('), .., Token::Sign(')')]) => {
            is_name(io, &["io"]) && is_name(read, &["lines", "read"])
        }
        (Language::Lua, [io, Token::Sign('.'), stdin]) => {
            is_name(io, &["io"]) && is_name(stdin, &["stdin"])
        }
        _ => false,
    }
}

/// Returns whether a method gives on what is read from an input.
pub fn gives_lines(method: &str) -> bool {
    matches!(
        method,
        "read"
            | "readline"
            | "readlines"
            | "readLines"
            | "splitlines"
            | "split"
            | "lines"
            | "each_line"
            | "each_line_with_index"
            | "gets"
            | "strip"
            | "chomp"
            | "trim"
            | "rstrip"
            | "decode"
            | "toString"
            | "map"
            | "filter"
            | "text"
            | "explode"
            | "to_a"
            | "uniq"
    )
}
