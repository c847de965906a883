//! What well-known functions and methods make of constants alone: texts that are turned around, decoded, joined, cut,
//! filled in. Knows neither tokens nor names; what it does not know for sure is `None`.

use super::language::Language;
use crate::decode;
use crate::hole::is_mark;

/// No text grows longer, in bytes, and no list, in items.
const MAX: usize = 1 << 14;

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    Text(String),
    Number(i64),
    List(Vec<Constant>),
}

use Constant::{List, Number, Text};

/// Functions that make a value of constants, and of which nothing else depends.
pub const FUNCTIONS: &[&str] = &[
    "a2b_hex",
    "array_reverse",
    "atob",
    "b64decode",
    "base64_decode",
    "bytearray",
    "bytes",
    "char",
    "chr",
    "codecs",
    "concat",
    "decode",
    "decode64",
    "decodeURIComponent",
    "decode_base64",
    "dirname",
    "explode",
    "format",
    "from",
    "fromCharCode",
    "fromCodePoint",
    "fromhex",
    "hex2bin",
    "implode",
    "int",
    "join",
    "lc",
    "list",
    "lower",
    "ltrim",
    "map",
    "ord",
    "pack",
    "parseInt",
    "range",
    "rawurldecode",
    "rep",
    "reverse",
    "reversed",
    "rot13",
    "rtrim",
    "scalar",
    "sprintf",
    "standard_b64decode",
    "str",
    "str_replace",
    "str_rot13",
    "str_split",
    "strict_decode64",
    "strrev",
    "strtolower",
    "strtoupper",
    "strtr",
    "sub",
    "substr",
    "tolower",
    "toupper",
    "trim",
    "tuple",
    "uc",
    "unescape",
    "unhexlify",
    "unquote",
    "upper",
    "urldecode",
    "urlsafe_b64decode",
    "String",
    "array_map",
    "tr",
];

/// Libraries and classes before such functions.
pub const LIBRARIES: &[&str] = &[
    "string",
    "codecs",
    "base64",
    "binascii",
    "String",
    "Buffer",
    "Array",
    "table",
    "bytes",
    "bytearray",
    "str",
    "urllib",
    "parse",
    "builtins",
    "Base64",
];

/// What a library calls a text that never changes.
pub fn named(library: &str, name: &str) -> Option<Constant> {
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    let of = match (library, name) {
        ("string", "ascii_lowercase") => LOWER.to_owned(),
        ("string", "ascii_uppercase") => LOWER.to_ascii_uppercase(),
        ("string", "ascii_letters") => format!("{LOWER}{}", LOWER.to_ascii_uppercase()),
        ("string", "digits") => "0123456789".to_owned(),
        _ => return None,
    };
    Some(Text(of))
}

fn text(of: String) -> Option<Constant> {
    (of.len() <= MAX && !of.contains(is_mark)).then_some(Text(of))
}

fn character(number: i64) -> Option<char> {
    u32::try_from(number).ok().filter(|number| *number > 0).and_then(char::from_u32)
}

/// The characters whose numbers stand in a list.
fn characters(numbers: &[Constant]) -> Option<Constant> {
    let one = |number: &Constant| match number {
        Number(number) => character(*number),
        _ => None,
    };
    text(numbers.iter().map(one).collect::<Option<String>>()?)
}

/// A text of which each byte has a number.
fn bytes(numbers: &[Constant]) -> Option<Constant> {
    let is_plain = |number: &Constant| matches!(number, Number(1..=127));
    numbers.iter().all(is_plain).then(|| characters(numbers)).flatten()
}

fn reversed(of: &str) -> Option<Constant> {
    text(of.chars().rev().collect())
}

fn rot13(of: &str) -> Option<Constant> {
    let turned = |c: char| match c {
        'a'..='z' => char::from((c as u8 - b'a' + 13) % 26 + b'a'),
        'A'..='Z' => char::from((c as u8 - b'A' + 13) % 26 + b'A'),
        other => other,
    };
    text(of.chars().map(turned).collect())
}

/// Characters written as numbers behind a percent sign.
fn percent(of: &str) -> Option<Constant> {
    let mut out = Vec::with_capacity(of.len());
    let mut rest = of;
    while let Some((before, behind)) = rest.split_once('%') {
        out.extend(before.bytes());
        out.push(u8::from_str_radix(behind.get(..2)?, 16).ok()?);
        rest = behind.get(2..)?;
    }
    out.extend(rest.bytes());
    text(String::from_utf8(out).ok()?)
}

/// A text as part of another.
pub fn piece(of: &Constant) -> Option<String> {
    match of {
        Text(own) => Some(own.clone()),
        Number(number) => Some(number.to_string()),
        List(_) => None,
    }
}

/// The characters of a text, or the items of a list.
pub fn items(of: Constant) -> Option<Vec<Constant>> {
    let items = match of {
        Text(own) => own.chars().map(|c| Text(c.to_string())).collect(),
        List(items) => items,
        Number(_) => return None,
    };
    (items.len() <= MAX).then_some(items)
}

pub fn joined(items: &[Constant], between: &str) -> Option<Constant> {
    let pieces = items.iter().map(piece).collect::<Option<Vec<String>>>()?;
    let size: usize = pieces.iter().map(|piece| piece.len() + between.len()).sum();
    (size <= MAX).then(|| text(pieces.join(between))).flatten()
}

/// The characters of one text put in the place of those of another.
fn exchanged(of: &str, from: &str, to: &str) -> Option<Constant> {
    let set = |set: &str| -> Option<Vec<char>> {
        let signs: Vec<char> = set.chars().collect();
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(first) = signs.get(at) {
            match (signs.get(at + 1), signs.get(at + 2)) {
                (Some('-'), Some(last)) => {
                    out.extend(*first..=*last);
                    at += 3;
                }
                _ => {
                    out.push(*first);
                    at += 1;
                }
            }
            if out.len() > 512 {
                return None;
            }
        }
        (!matches!(signs.first(), Some('^')) && !signs.contains(&'\\')).then_some(out)
    };
    let (from, to) = (set(from)?, set(to)?);
    let last = *to.last()?;
    let one = |c: char| match from.iter().position(|own| *own == c) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => c,
    };
    text(of.chars().map(one).collect())
}

fn replaced(of: &str, from: &str, to: &str, all: bool) -> Option<Constant> {
    let size = of.len() + of.matches(from).count() * to.len();
    if from.is_empty() || size > MAX {
        return None;
    }
    text(if all { of.replace(from, to) } else { of.replacen(from, to, 1) })
}

fn decoded(form: &str, of: &str) -> Option<Constant> {
    let plain = match form.to_ascii_lowercase().as_str() {
        "base64" | "base64url" | "m" | "m0" => decode::base64(of),
        "hex" | "h*" => decode::hexadecimal(of),
        "rot13" | "rot_13" | "rot-13" => return rot13(of),
        "utf8" | "utf-8" | "ascii" | "latin1" | "binary" => Some(of.to_owned()),
        _ => None,
    };
    text(plain?)
}

/// A part of a text or a list, by places of which negative ones count from the end.
pub fn cut(of: &Constant, from: Option<i64>, to: Option<i64>, step: i64) -> Option<Constant> {
    let all = items(of.clone())?;
    let length = all.len() as i64;
    let place = |at: i64| if at < 0 { (length + at).max(0) } else { at.min(length) };
    let found: Vec<Constant> = match (step, from, to) {
        (1.., _, _) => {
            let (from, to) = (place(from.unwrap_or(0)), place(to.unwrap_or(length)));
            let count = (to - from).max(0) as usize;
            all.into_iter().skip(from as usize).take(count).step_by(step as usize).collect()
        }
        (i64::MIN..=-1, None, None) => {
            all.into_iter().rev().step_by(step.unsigned_abs() as usize).collect()
        }
        _ => return None,
    };
    match of {
        Text(_) => joined(&found, ""),
        _ => Some(List(found)),
    }
}

/// An item of a text or a list.
pub fn item(of: &Constant, at: i64) -> Option<Constant> {
    let all = items(of.clone())?;
    let at = if at < 0 { all.len() as i64 + at } else { at };
    all.into_iter().nth(usize::try_from(at).ok()?)
}

/// A template with `%s`, `%c` and `%d` filled in.
pub fn filled(template: &str, values: &[Constant]) -> Option<Constant> {
    let mut values = values.iter();
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('%') {
        out.push_str(before);
        let sign = behind.chars().next()?;
        match (sign, (sign != '%').then(|| values.next()).flatten()) {
            ('%', _) => out.push('%'),
            ('c', Some(Number(number))) => out.push(character(*number)?),
            ('c', Some(Text(own))) => out.push(own.chars().next()?),
            ('s', Some(value)) => out.push_str(&piece(value)?),
            ('d' | 'i', Some(Number(number))) => out.push_str(&number.to_string()),
            _ => return None,
        }
        rest = behind.get(1..)?;
    }
    out.push_str(rest);
    text(out)
}

/// A template with `{}` and `{0}` filled in.
fn formatted(template: &str, values: &[Constant]) -> Option<Constant> {
    let mut next = 0;
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(rest.get(..at)?);
        let behind = rest.get(at..)?;
        if let Some(more) = behind.strip_prefix("{{").or_else(|| behind.strip_prefix("}}")) {
            out.push(behind.chars().next()?);
            rest = more;
            continue;
        }
        let (inner, more) = behind.strip_prefix('{')?.split_once('}')?;
        let number = match inner {
            "" => next,
            digits => digits.parse::<usize>().ok()?,
        };
        next += 1;
        out.push_str(&piece(values.get(number)?)?);
        rest = more;
    }
    out.push_str(rest);
    text(out)
}

/// What `pack` makes of a list.
fn packed(form: &str, values: &[Constant]) -> Option<Constant> {
    match (form, values) {
        ("C*" | "c*", numbers) => bytes(numbers),
        ("U*" | "W*", numbers) => characters(numbers),
        ("A*" | "a*", [Text(own)]) => text(own.clone()),
        ("H*", [Text(digits)]) => decoded("hex", digits),
        _ => None,
    }
}

/// A part of a text as `substr` takes it: from a place, so many.
fn part(of: &Constant, from: i64, count: Option<i64>) -> Option<Constant> {
    let length = items(of.clone())?.len() as i64;
    let from = if from < 0 { (length + from).max(0) } else { from };
    let to = match count {
        None => None,
        Some(count) if count < 0 => Some(count),
        Some(count) => Some(from.checked_add(count)?),
    };
    cut(of, Some(from), to, 1)
}

/// What a function makes of constants.
pub fn function(language: Language, name: &str, of: &[Constant]) -> Option<Constant> {
    let is_perl = language == Language::Perl;
    match (name, of) {
        ("chr" | "char" | "fromCharCode" | "fromCodePoint", numbers) => characters(numbers),
        ("ord", [Text(own)]) => Some(Number(own.chars().next()? as i64)),
        ("reverse", list) if is_perl && list.len() > 1 => {
            Some(List(list.iter().rev().cloned().collect()))
        }
        ("strrev", [Text(own)]) => reversed(own),
        ("reverse", [Text(own)]) if language == Language::Lua => reversed(own),
        ("reversed", [own]) => Some(List(items(own.clone())?.into_iter().rev().collect())),
        ("array_reverse", [List(list)]) => Some(List(list.iter().rev().cloned().collect())),
        ("str_rot13" | "rot13", [Text(own)]) => rot13(own),
        ("lc" | "strtolower" | "tolower" | "lower", [Text(own)]) => text(own.to_lowercase()),
        ("uc" | "strtoupper" | "toupper" | "upper", [Text(own)]) => text(own.to_uppercase()),
        ("trim", [Text(own)]) => text(own.trim().to_owned()),
        ("ltrim", [Text(own)]) => text(own.trim_start().to_owned()),
        ("rtrim", [Text(own)]) => text(own.trim_end().to_owned()),
        ("substr", [own @ Text(_), Number(from), rest @ ..]) => {
            let count = match rest {
                [] => None,
                [Number(count)] => Some(*count),
                _ => return None,
            };
            match language {
                Language::Awk if *from < 1 => None,
                Language::Awk => part(own, from - 1, count),
                Language::Lua => None,
                _ => part(own, *from, count),
            }
        }
        ("sub", [own @ Text(_), rest @ ..]) if language == Language::Lua => from_one(own, rest),
        ("rep", [Text(own), Number(count)]) => repeated(own, *count),
        ("format", [Text(template), values @ ..]) if language == Language::Lua => {
            filled(template, values)
        }
        ("sprintf", [Text(template), values @ ..]) => filled(template, values),
        ("implode" | "join", [Text(between), List(list)]) => joined(list, between),
        ("join", [Text(between), list @ ..]) if is_perl => joined(list, between),
        ("concat", [List(list), rest @ ..]) if language == Language::Lua => match rest {
            [] => joined(list, ""),
            [Text(between)] => joined(list, between),
            _ => None,
        },
        ("explode", [Text(between), Text(own)]) => split(own, between),
        ("str_split", [own @ Text(_)]) => Some(List(items(own.clone())?)),
        ("str_replace", [Text(from), Text(to), Text(own)]) => replaced(own, from, to, true),
        ("strtr", [Text(own), Text(from), Text(to)]) if from.len() == to.len() => {
            exchanged(own, &from.replace('-', ""), &to.replace('-', ""))
                .filter(|_| !from.contains('-') && !to.contains('-'))
        }
        (
            "atob" | "b64decode" | "base64_decode" | "decode64" | "strict_decode64"
            | "urlsafe_b64decode" | "standard_b64decode" | "decode_base64",
            [Text(own)],
        ) => decoded("base64", own),
        ("fromhex" | "unhexlify" | "a2b_hex" | "hex2bin", [Text(own)]) => decoded("hex", own),
        ("decode", [Text(own), Text(form)]) => decoded(form, own),
        (
            "decodeURIComponent" | "unescape" | "urldecode" | "rawurldecode" | "unquote",
            [Text(own)],
        ) if !own.contains('+') => percent(own),
        ("bytes" | "bytearray", [List(numbers)]) => bytes(numbers),
        ("bytes" | "bytearray" | "str", [Text(own), ..]) => text(own.clone()),
        ("str" | "String", [own @ (Number(_) | Text(_))]) => text(piece(own)?),
        ("from", [Text(own), Text(form)]) => decoded(form, own),
        ("from", [List(numbers)]) if numbers.iter().all(|one| matches!(one, Number(_))) => {
            bytes(numbers)
        }
        ("from", [List(list)]) => Some(List(list.clone())),
        ("pack", [Text(form), values @ ..]) => packed(form, values),
        ("list" | "tuple", [own]) => Some(List(items(own.clone())?)),
        ("int" | "parseInt", [Text(own)]) => Some(Number(own.parse().ok()?)),
        ("int" | "parseInt", [Text(own), Number(base @ 2..=36)]) => {
            Some(Number(i64::from_str_radix(own, *base as u32).ok()?))
        }
        ("range", numbers) if language == Language::Python => range(numbers),
        _ => None,
    }
}

fn range(of: &[Constant]) -> Option<Constant> {
    let (from, to) = match of {
        [Number(to)] => (0, *to),
        [Number(from), Number(to)] => (*from, *to),
        _ => return None,
    };
    let is_short = to.checked_sub(from)? <= MAX as i64;
    is_short.then(|| List((from..to).map(Number).collect()))
}

fn repeated(of: &str, count: i64) -> Option<Constant> {
    let count = usize::try_from(count).ok()?;
    (of.len().checked_mul(count)? <= MAX).then(|| text(of.repeat(count))).flatten()
}

fn split(of: &str, between: &str) -> Option<Constant> {
    let parts: Vec<Constant> = match between {
        "" => items(Text(of.to_owned()))?,
        between => of.split(between).map(|part| Text(part.to_owned())).collect(),
    };
    Some(List(parts))
}

/// A part of a text of Lua, whose places count from one.
fn from_one(of: &Constant, places: &[Constant]) -> Option<Constant> {
    let from = |from: i64| if from > 0 { from - 1 } else { from };
    match places {
        [Number(at)] => cut(of, Some(from(*at)), None, 1),
        [Number(at), Number(to)] if *to > 0 => cut(of, Some(from(*at)), Some(*to), 1),
        [Number(at), Number(-1)] => cut(of, Some(from(*at)), None, 1),
        _ => None,
    }
}

/// What is left of a text without blanks, or without some characters, at its ends.
fn stripped(of: &str, name: &str, given: &[Constant]) -> Option<Constant> {
    let set = match given {
        [] => None,
        [Text(set)] => Some(set),
        _ => return None,
    };
    let is_gone = |c: char| set.map_or(c.is_whitespace(), |set| set.contains(c));
    text(match name {
        "lstrip" | "trimStart" => of.trim_start_matches(is_gone).to_owned(),
        "rstrip" | "trimEnd" | "chomp" => of.trim_end_matches(is_gone).to_owned(),
        _ => of.trim_matches(is_gone).to_owned(),
    })
}

/// What a method of a constant makes of others.
pub fn method(
    language: Language,
    of: &Constant,
    name: &str,
    given: &[Constant],
) -> Option<Constant> {
    use Language::{JavaScript, Lua, Python, Ruby};
    match (language, of, name, given) {
        (Python, Text(between), "join", [list]) => joined(&items(list.clone())?, between),
        (JavaScript, List(list), "join", []) => joined(list, ","),
        (Ruby, List(list), "join", []) => joined(list, ""),
        (JavaScript | Ruby, List(list), "join", [Text(between)]) => joined(list, between),
        (Python | Ruby, Text(own), "split", []) => {
            Some(List(own.split_whitespace().map(|word| Text(word.to_owned())).collect()))
        }
        (Python, Text(_), "split", [Text(between)]) if between.is_empty() => None,
        (Ruby, Text(own), "split", [Text(between)]) if between == " " => {
            Some(List(own.split_whitespace().map(|word| Text(word.to_owned())).collect()))
        }
        (_, Text(own), "split", [Text(between)]) => split(own, between),
        (Ruby, Text(_), "chars", []) => Some(List(items(of.clone())?)),
        (Ruby, Text(own), "bytes", []) => {
            Some(List(own.bytes().map(|byte| Number(i64::from(byte))).collect()))
        }
        (JavaScript | Ruby, List(list), "reverse", []) => {
            Some(List(list.iter().rev().cloned().collect()))
        }
        (JavaScript, List(list), "toReversed", []) => {
            Some(List(list.iter().rev().cloned().collect()))
        }
        (Ruby | Lua, Text(own), "reverse", []) => reversed(own),
        (Python, Text(own), "replace", [Text(from), Text(to)]) => replaced(own, from, to, true),
        (JavaScript, Text(own), "replace", [Text(from), Text(to)]) if !to.contains('$') => {
            replaced(own, from, to, false)
        }
        (JavaScript, Text(own), "replaceAll", [Text(from), Text(to)]) if !to.contains('$') => {
            replaced(own, from, to, true)
        }
        (Ruby, Text(own), "sub", [Text(from), Text(to)]) if !to.contains('\\') => {
            replaced(own, from, to, false)
        }
        (Ruby, Text(own), "gsub", [Text(from), Text(to)]) if !to.contains('\\') => {
            replaced(own, from, to, true)
        }
        (Lua, Text(own), "gsub", [Text(from), Text(to)])
            if from.chars().all(|c| c.is_alphanumeric()) && !to.contains('%') =>
        {
            replaced(own, from, to, true)
        }
        (Ruby, Text(own), "tr", [Text(from), Text(to)]) => exchanged(own, from, to),
        (_, Text(own), "strip" | "lstrip" | "rstrip" | "trim" | "trimStart" | "trimEnd", given) => {
            stripped(own, name, given)
        }
        (_, Text(own), "lower" | "toLowerCase" | "downcase" | "casefold", []) => {
            text(own.to_lowercase())
        }
        (_, Text(own), "upper" | "toUpperCase" | "upcase", []) => text(own.to_uppercase()),
        (_, Text(own), "swapcase", []) => {
            text(
                own.chars()
                    .map(|c| {
                        if c.is_lowercase() {
                            c.to_ascii_uppercase()
                        } else {
                            c.to_ascii_lowercase()
                        }
                    })
                    .collect(),
            )
        }
        (_, Text(own), "decode" | "encode" | "toString" | "to_s", given) => match given {
            [] => text(own.clone()),
            [Text(form)] => match form.to_ascii_lowercase().as_str() {
                "utf8" | "utf-8" | "ascii" | "latin1" | "binary" => text(own.clone()),
                _ => None,
            },
            _ => None,
        },
        (JavaScript, Number(number), "toString", [Number(base @ 2..=36)]) => {
            in_base(*number, *base as u32)
        }
        (JavaScript, Text(_) | List(_), "slice", [Number(from)]) => cut(of, Some(*from), None, 1),
        (JavaScript, Text(_) | List(_), "slice", [Number(from), Number(to)]) => {
            cut(of, Some(*from), Some(*to), 1)
        }
        (JavaScript, Text(_), "substring", [Number(from @ 0..)]) => cut(of, Some(*from), None, 1),
        (JavaScript, Text(_), "substring", [Number(from @ 0..), Number(to)]) if to >= from => {
            cut(of, Some(*from), Some(*to), 1)
        }
        (JavaScript, Text(_), "substr", [Number(from), rest @ ..]) => match rest {
            [] => part(of, *from, None),
            [Number(count @ 0..)] => part(of, *from, Some(*count)),
            _ => None,
        },
        (JavaScript, Text(_), "charAt" | "at", [Number(at @ 0..)]) => item(of, *at),
        (JavaScript, Text(own), "charCodeAt" | "codePointAt", [Number(at)]) => {
            let at = usize::try_from(*at).ok()?;
            Some(Number(own.chars().nth(at)? as i64))
        }
        (JavaScript, Text(own), "concat", more) => {
            text(format!("{own}{}", piece(&joined(more, "")?)?))
        }
        (JavaScript, Text(own), "repeat", [Number(count)]) => repeated(own, *count),
        (Lua, Text(own), "rep", [Number(count)]) => repeated(own, *count),
        (Lua, Text(_), "sub", places) => from_one(of, places),
        (Python, Text(template), "format", values) => formatted(template, values),
        (Ruby, Number(_), "chr", []) => characters(std::slice::from_ref(of)),
        (Ruby, Text(own), "ord", []) => Some(Number(own.chars().next()? as i64)),
        (Ruby, List(list), "pack", [Text(form)]) => match (form.as_str(), list.as_slice()) {
            ("H*", [Text(digits)]) => decoded("hex", digits),
            _ => packed(form, list),
        },
        (Ruby, Text(own), "unpack1", [Text(form)]) if matches!(form.as_str(), "m" | "m0") => {
            decoded("base64", own)
        }
        (Ruby, Text(own), "unpack", [Text(form)]) if matches!(form.as_str(), "m" | "m0") => {
            Some(List(vec![decoded("base64", own)?]))
        }
        (Ruby, List(list), "first", []) => list.first().cloned(),
        (Ruby, List(list), "last", []) => list.last().cloned(),
        _ => None,
    }
}

fn in_base(number: i64, base: u32) -> Option<Constant> {
    let (mut left, mut digits) = (u64::try_from(number).ok()?, Vec::new());
    loop {
        digits.push(char::from_digit((left % u64::from(base)) as u32, base)?);
        left /= u64::from(base);
        if left == 0 {
            break;
        }
    }
    text(digits.into_iter().rev().collect())
}
