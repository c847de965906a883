//! Code of JavaScript that code runs with names of its own: the parameters of `new Function("a", "…")(b)`, the objects that
//! `vm` takes for all that there is. Sets them before the code as any other code would, and runs nothing.

use super::code::Scan;
use super::parts::{closing, split, trimmed};
use super::token::Token;

/// No more objects are looked for.
const MAX: usize = 16;

/// Returns the code behind settings of the names that the call at a place gives it.
pub fn with_names(scan: &Scan<'_>, at: usize, code: &str) -> String {
    let mut names = String::new();
    match scan.name(at) {
        Some("Function") => parameters(scan, at, &mut names),
        Some("Script" | "runInNewContext" | "runInContext" | "compileFunction") => {
            contexts(scan, &mut names);
        }
        _ => {}
    }
    // A function that is written out there, and called here.
    let behind = closing(scan.tokens, at + 1).map(|close| close + 1);
    let given = behind
        .filter(|open| scan.sign(*open) == Some('(') && scan.name(at) == Some("runInThisContext"))
        .and_then(|open| scan.tokens.get(open..=closing(scan.tokens, open)?))
        .and_then(spelled);
    match given {
        Some(given) => format!("{names}({code}){given}"),
        None => format!("{names}{code}"),
    }
}

fn parameters(scan: &Scan<'_>, at: usize, names: &mut String) {
    let given = |open: usize| {
        let inner = closing(scan.tokens, open).and_then(|end| scan.tokens.get(open + 1..end));
        split(inner.unwrap_or_default(), &[','])
    };
    let Some(close) = closing(scan.tokens, at + 1) else { return };
    if scan.sign(close + 1) != Some('(') {
        return;
    }
    for (name, value) in given(at + 1).iter().zip(given(close + 1)) {
        if let [Token::Text(name)] = trimmed(name) {
            set(scan, name, value, names);
        }
    }
}

/// The objects that are made a context anywhere in the code.
fn contexts(scan: &Scan<'_>, names: &mut String) {
    let takes = |token: &Token| matches!(token, Token::Name(name) if matches!(name.as_str(), "runInNewContext" | "createContext"));
    let calls = (0..scan.tokens.len()).filter(|at| scan.tokens.get(*at).is_some_and(takes));
    for at in calls.take(MAX) {
        let close = closing(scan.tokens, at + 1);
        let inner = close.and_then(|close| scan.tokens.get(at + 2..close)).unwrap_or_default();
        for part in split(inner, &[',']) {
            let [Token::Sign('{'), fields @ .., Token::Sign('}')] = trimmed(part) else { continue };
            for field in split(fields, &[',']) {
                match trimmed(field) {
                    [Token::Name(name) | Token::Text(name), Token::Sign(':'), value @ ..] => {
                        set(scan, name, value, names);
                    }
                    field @ [Token::Name(name)] => set(scan, name, field, names),
                    _ => {}
                }
            }
        }
    }
}

/// Sets a name, where the value is a library of the code, or can be written again.
fn set(scan: &Scan<'_>, name: &str, value: &[Token], names: &mut String) {
    let library = match trimmed(value) {
        [Token::Name(own)] => scan.names.origins().named(own).first(),
        _ => None,
    };
    let value = match library {
        Some(origin) if origin.of == origin.name => Some(format!("require(\"{}\")", origin.of)),
        Some(origin) => Some(format!("require(\"{}\").{}", origin.of, origin.name)),
        None => spelled(value),
    };
    if let Some(value) = value.filter(|value| value != name) {
        names.push_str(&format!("{name} = {value};\n"));
    }
}

/// Tokens as they may have been written; `None` where a text holds more than one.
fn spelled(tokens: &[Token]) -> Option<String> {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Name(name) => {
                text.push(' ');
                text.push_str(name);
            }
            Token::Text(own) => {
                let own = own.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
                text.push_str(&format!("\"{own}\""));
            }
            Token::Sign(sign) => text.push(*sign),
            Token::Filled(_) | Token::Command(_) | Token::Words(_) => return None,
        }
    }
    Some(text)
}
