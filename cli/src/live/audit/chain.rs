//! The chain of the audit log: each line ends with a code, made with the user's key over the code of the line
//! before and over the line itself. Knows bytes; nothing of files.
//!
//! A line is a JSON object whose last field is `chain`, and that field's last one the code:
//!
//! ```json
//! {"event":"clock", …, "chain":{"n":51,"mac":"8f2a…"}}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `n` | the line's number; the first line of a chain is number 1 |
//! | `prev`, `key` | in the first line of a file: the code before it, and which key the codes are made with |
//! | `over` | so many bytes stand between the numbered line before and this one that the code covers too: lines that were written apart, or one that was cut when its writer died |
//! | `apart` | in place of `n`: the line was written without its turn, and its code stands for it alone |
//! | `mac` | the code: 16 bytes of keyed BLAKE3 |

use serde::Deserialize;

use crate::live::secret_key::SecretKey;

const CODE_LENGTH: usize = 16;
/// The code of a line.
pub type Code = [u8; CODE_LENGTH];

/// What codes are made for.
const NUMBERED: &str = "line of the audit log";
const APART: &str = "line of the audit log, apart";
const KEY: &str = "key of the audit log";

/// What stands between what a code covers and the code, and behind it.
const BEFORE_CODE: &str = ",\"mac\":\"";
const BEHIND_CODE: &str = "\"}}";

/// A line of the chain, as the next one knows it; before the first line, its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the line.
    pub number: u64,
    /// Its code.
    pub code: Code,
}

/// What stands before a line in its file.
#[derive(Clone, Copy, Debug)]
pub enum Before<'a> {
    /// Nothing: the file begins with the line.
    Nothing,
    /// The numbered line before, then these bytes.
    Line(&'a [u8]),
}

/// A line, as far as it can be told without the key.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// It has a place in the chain.
    Numbered(Link<'a>),
    /// It was written without its turn.
    Apart {
        /// What the code covers.
        sealed: &'a [u8],
        /// The code.
        code: Code,
    },
    /// It is JSON, and has no code.
    Plain,
    /// It is no JSON.
    Torn,
}

/// A line of the chain that was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Link<'a> {
    /// Its number and code.
    pub place: Place,
    /// How much of what stands before it its code covers too.
    pub over: usize,
    /// In the first line of a file: the code before it.
    pub previous: Option<Code>,
    /// In the first line of a file: which key the codes are made with.
    pub key: Option<String>,
    /// What of the line the code covers.
    sealed: &'a [u8],
}

/// The field `chain`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    n: Option<u64>,
    #[serde(default)]
    over: usize,
    prev: Option<String>,
    key: Option<String>,
    apart: Option<u64>,
    mac: String,
}

/// A line, of which only that field matters.
#[derive(Deserialize)]
struct Fields {
    chain: Option<serde_json::Value>,
}

/// Puts a line, which is a JSON object, behind another one in the chain; returns its place.
pub fn seal(key: &SecretKey, after: Place, before: Before<'_>, line: &mut String) -> Place {
    let number = after.number + 1;
    line.truncate(line.len().saturating_sub(1));
    line.push_str(",\"chain\":{\"n\":");
    line.push_str(&number.to_string());
    let between = match before {
        Before::Line(between) => between,
        Before::Nothing => {
            line.push_str(",\"prev\":\"");
            push_hexadecimal(line, &after.code);
            line.push_str("\",\"key\":\"");
            line.push_str(&name_of(key));
            line.push('"');
            &[]
        }
    };
    if !between.is_empty() {
        line.push_str(",\"over\":");
        line.push_str(&between.len().to_string());
    }
    let code = code(key, NUMBERED, number, &[&after.code, between, line.as_bytes()]);
    push_code(line, &code);
    Place { number, code }
}

/// Gives a line a code for itself, since the chain cannot be had. `nonce` tells it from others in the same words.
pub fn seal_apart(key: &SecretKey, nonce: u64, line: &mut String) {
    line.truncate(line.len().saturating_sub(1));
    line.push_str(",\"chain\":{\"apart\":");
    line.push_str(&nonce.to_string());
    let code = code(key, APART, 0, &[line.as_bytes()]);
    push_code(line, &code);
}

/// Reads a line, without its line break.
#[must_use]
pub fn read(line: &[u8]) -> Line<'_> {
    let Ok(fields) = serde_json::from_slice::<Fields>(line) else {
        let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
        return if is_json { Line::Plain } else { Line::Torn };
    };
    fields.chain.and_then(|chain| with_field(line, chain)).unwrap_or(Line::Plain)
}

fn with_field(line: &[u8], chain: serde_json::Value) -> Option<Line<'_>> {
    let field: Field = serde_json::from_value(chain).ok()?;
    let code = from_hexadecimal(&field.mac)?;
    let sealed = line.strip_suffix(BEHIND_CODE.as_bytes())?;
    let sealed = sealed.strip_suffix(field.mac.as_bytes())?;
    let sealed = sealed.strip_suffix(BEFORE_CODE.as_bytes())?;
    let previous = match &field.prev {
        Some(text) => Some(from_hexadecimal(text)?),
        None => None,
    };
    match (field.n, field.apart) {
        (Some(number), None) => Some(Line::Numbered(Link {
            place: Place { number, code },
            over: field.over,
            previous,
            key: field.key,
            sealed,
        })),
        (None, Some(_)) => Some(Line::Apart { sealed, code }),
        _ => None,
    }
}

impl Link<'_> {
    /// Returns whether the line is as it was written, behind a line with this code. `between` is what the code
    /// covers of the bytes before it.
    #[must_use]
    pub fn is_genuine(&self, key: &SecretKey, after: &Code, between: &[u8]) -> bool {
        let parts = [after, between, self.sealed];
        code(key, NUMBERED, self.place.number, &parts) == self.place.code
    }
}

/// Returns whether a line that was written apart is as it was written.
#[must_use]
pub fn is_genuine_apart(key: &SecretKey, sealed: &[u8], found: &Code) -> bool {
    code(key, APART, 0, &[sealed]) == *found
}

/// Names a key without telling anything of it.
#[must_use]
pub fn name_of(key: &SecretKey) -> String {
    let mut name = String::new();
    push_hexadecimal(&mut name, key.mac(KEY, 0, &[]).get(..4).unwrap_or_default());
    name
}

fn code(key: &SecretKey, purpose: &str, number: u64, parts: &[&[u8]]) -> Code {
    let [code @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] =
        key.mac_of_parts(purpose, number, parts);
    code
}

fn push_code(line: &mut String, code: &Code) {
    line.push_str(BEFORE_CODE);
    push_hexadecimal(line, code);
    line.push_str(BEHIND_CODE);
}

fn push_hexadecimal(text: &mut String, bytes: &[u8]) {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or_default();
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
}

/// Reads a code. Capital letters are none of ours.
fn from_hexadecimal(text: &str) -> Option<Code> {
    if text.len() != 2 * CODE_LENGTH || text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let mut code = Code::default();
    let digit =
        |byte: &u8| char::from(*byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    for (to, pair) in code.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let [high, low] = pair else { return None };
        *to = digit(high)? << 4 | digit(low)?;
    }
    Some(code)
}
