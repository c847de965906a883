//! Whether an expression that nobody here follows is put together of constants alone. What is given from outside (words,
//! variables of the environment, files) is what a program is for; what code makes of its own constants, and does not write
//! out, may be anything.

use super::constants::{FUNCTIONS, LIBRARIES};
use super::names::Names;
use super::rebound;
use super::token::Token;
use super::value::Value;
use crate::hole::{COMPUTED, HOLE, LISTED, READ};

/// No longer expressions are looked at, in tokens.
const MAX: usize = 512;

/// Functions, classes and words of languages that need nothing from outside, besides those that `constants.rs` knows.
const OWN: &[&str] = &[
    "zlib",
    "decompress",
    "gzip",
    "bz2",
    "lzma",
    "gzinflate",
    "gzuncompress",
    "gzdecode",
    "inflate",
    "inflateSync",
    "gunzipSync",
    "functools",
    "reduce",
    "operator",
    "add",
    "lambda",
    "for",
    "in",
    "if",
    "else",
    "and",
    "or",
    "not",
    "new",
    "int",
    "hex",
    "oct",
    "len",
    "length",
    "max",
    "min",
    "sorted",
    "sort",
    "zip",
    "enumerate",
    "set",
    "dict",
    "iter",
    "next",
    "filter",
    "ord",
    "sum",
    "bytes",
    "maketrans",
    "uudecode",
    "convert_uudecode",
    "unpack",
    "vec",
    "sprintf",
    "ucfirst",
    "lcfirst",
    "str_pad",
    "str_repeat",
    "array_values",
    "array_flip",
    "Number",
    "parseInt",
    "Math",
    "floor",
    "Uint8Array",
    "TextDecoder",
    "Function",
    "itertools",
    "chain",
    "repr",
    "ascii",
    "a85decode",
    "b85decode",
    "b32decode",
    "b16decode",
    "a2b_uu",
    "a2b_base64",
    "querystring",
    "unescape",
    "escape",
    "encodeURIComponent",
    "json",
    "loads",
    "JSON",
    "grep",
    "keys",
    "values",
    "regex",
    "rewrites",
    "tuple",
    "divmod",
    "pow",
    "abs",
    "round",
    "bool",
    "True",
    "False",
    "join",
    "gensub",
    "index",
    "strtonum",
    "tostring",
    "tonumber",
    "select",
    "utf8",
    "unichr",
    "x",
];

/// Functions by which code makes texts of numbers and other texts.
const DECODERS: &[&str] = &[
    "chr",
    "ord",
    "fromCharCode",
    "fromCodePoint",
    "charCodeAt",
    "b64decode",
    "decode_base64",
    "base64_decode",
    "atob",
    "fromhex",
    "unhexlify",
    "pack",
    "unpack",
    "unpack1",
    "translate",
    "maketrans",
    "rot13",
    "str_rot13",
    "strrev",
    "reversed",
    "decompress",
    "gzinflate",
];

/// Returns whether code uses functions that make texts of numbers and other texts.
pub fn decodes(tokens: &[Token]) -> bool {
    tokens
        .iter()
        .any(|token| matches!(token, Token::Name(name) if DECODERS.contains(&name.as_str())))
}

/// Returns a value with signs for what is computed, where it is not known, and made of constants alone.
pub fn marked(names: &Names, tokens: &[Token], value: Value) -> Value {
    let is_open = match &value {
        Value::Unknown => true,
        Value::Text(text) => text.contains(HOLE) && !text.contains([LISTED, READ]),
        _ => false,
    };
    if !is_open || tokens.len() > MAX || !is_made(names, tokens) {
        return value;
    }
    match value {
        Value::Text(text) => Value::Text(text.replace(HOLE, &COMPUTED.to_string())),
        _ => Value::Text(COMPUTED.to_string()),
    }
}

/// Whether an expression is made of constants alone, of which at least one is a text.
fn is_made(names: &Names, tokens: &[Token]) -> bool {
    let bound = rebound::names(names.language(), tokens);
    let mut has_text = false;
    let mut before = None;
    for token in tokens {
        match token {
            Token::Text(text) if text.contains([HOLE, LISTED, READ]) => return false,
            Token::Text(_) | Token::Words(_) => has_text = true,
            Token::Filled(template) => {
                let is_made = |code: &Vec<Token>| !code.is_empty() && parts_are_made(names, code);
                if !template.values.iter().all(is_made) {
                    return false;
                }
                has_text = true;
            }
            Token::Command(_) => return false,
            Token::Name(name) => match part(names, name, before, &bound) {
                Some(is_text) => has_text |= is_text,
                None => return false,
            },
            Token::Sign(_) => {}
        }
        before = Some(token);
    }
    has_text
}

/// The same of a value that is put into a text, which need be none itself.
fn parts_are_made(names: &Names, tokens: &[Token]) -> bool {
    let is_number = |token: &Token| matches!(token, Token::Name(name) if is_number(name));
    is_made(names, tokens)
        || tokens.iter().all(|token| is_number(token) || matches!(token, Token::Sign(_)))
}

fn is_number(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether a name in an expression stands for a text; `None` where it may be given from outside.
fn part(names: &Names, name: &str, before: Option<&Token>, bound: &[&str]) -> Option<bool> {
    if is_number(name) || bound.contains(&name) {
        return Some(false);
    }
    if let Some(value) = names.known(name) {
        return is_constant(value).then_some(true);
    }
    match before {
        Some(Token::Sign('.')) => Some(false),
        _ if FUNCTIONS.contains(&name) => Some(true),
        _ if OWN.contains(&name) || LIBRARIES.contains(&name) => Some(false),
        _ if names.decodes(name) => Some(true),
        _ => None,
    }
}

/// Whether nothing of a value is given from outside.
fn is_constant(value: &Value) -> bool {
    match value {
        Value::Text(text) => !text.contains([HOLE, LISTED, READ]),
        Value::List(items) | Value::Each(items) => items.iter().all(is_constant),
        Value::Object(fields) => fields.iter().all(|(_, value)| is_constant(value)),
        Value::Off => true,
        Value::Told(_) | Value::Unknown => false,
    }
}

/// Whether a value is a text of which a part is computed.
pub fn is_computed(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.contains(COMPUTED))
}
