//! What code reads of its environment by the name of a variable: `os.environ["F"]`, `process.env.F`, `$ENV{F}`. Knows the
//! signs of all languages at once, since none of them means anything else by these names.

use super::parts::opening;
use super::token::Token;

/// Returns the name by which the value of a variable is given to code: no name of its own is written so.
pub fn key(name: &str) -> String {
    format!("${name}")
}

/// Returns the name of the variable that an expression asks for, if it asks for one.
pub fn variable(tokens: &[Token]) -> Option<&str> {
    match tokens {
        // `os.environ["F"]`, `$ENV{F}`, `process.env["F"]`
        [
            ..,
            Token::Name(of),
            Token::Sign('[' | '{'),
            Token::Text(name) | Token::Name(name),
            Token::Sign(']' | '}'),
        ] if is_list(of) => Some(name),
        // `process.env.F`
        [.., Token::Name(of), Token::Sign('.'), Token::Name(name)] if of == "env" => Some(name),
        [.., Token::Sign(')')] => asked(tokens),
        _ => None,
    }
}

/// `os.getenv("F")`, `os.environ.get("F")`, `ENV.fetch("F", "x")`
fn asked(tokens: &[Token]) -> Option<&str> {
    let open = opening(tokens)?;
    let name = match tokens.get(open + 1..)? {
        [Token::Text(name), Token::Sign(')' | ','), ..] => name,
        _ => return None,
    };
    let is_asked = match tokens.get(..open)? {
        [.., Token::Name(of), Token::Sign('.'), Token::Name(get)]
            if matches!(get.as_str(), "get" | "fetch") =>
        {
            is_list(of)
        }
        [.., Token::Name(get)] => matches!(get.as_str(), "getenv" | "Getenv"),
        _ => false,
    };
    is_asked.then_some(name)
}

/// Whether a name is that of all variables.
fn is_list(of: &str) -> bool {
    matches!(of, "environ" | "ENVIRON" | "ENV" | "_ENV" | "_SERVER" | "env")
}
