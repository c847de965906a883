//! Constant values in code: texts, lists of them, and paths that are put together. What is not constant is unknown.

use super::told::Told;
use crate::data::Data;
use crate::decode;
use crate::hole::{COMPUTED, HOLE, LISTED, READ};

/// Stands for a file or directory that the code makes for itself, under a name that nobody else has.
pub const MADE: &str = "/tmp/mktemp.new";

/// No text that is put together grows longer, in bytes.
pub const MAX_TEXT: usize = 1 << 16;

/// No more values are kept that a name may have.
pub const MAX_EACH: usize = 256;

/// No list that is put together grows longer, in items.
const MAX_ITEMS: usize = 512;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, with holes for what is not known of it.
    Text(String),
    /// A list or a tuple.
    List(Vec<Value>),
    /// Each of these, one after the other.
    Each(Vec<Value>),
    /// What has names for its values: options, as most often.
    Object(Vec<(String, Value)>),
    /// What the code is told in the words behind it.
    Told(Told),
    /// What says no, or nothing.
    Off,
    /// Anything else.
    Unknown,
}

impl Value {
    /// The value of data.
    pub(super) fn of_data(data: Data) -> Self {
        match data {
            Data::Text(text) => Self::Text(text),
            Data::Object(fields) => Self::Object(
                fields.into_iter().map(|(name, value)| (name, Self::of_data(value))).collect(),
            ),
            Data::List(items) => Self::List(items.into_iter().map(Self::of_data).collect()),
            Data::Other => Self::Unknown,
        }
    }

    /// The text, where some of it is known.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !is_unknown(text) => Some(text),
            _ => None,
        }
    }

    /// How large it is, in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len() + 1,
            Self::List(items) | Self::Each(items) => {
                items.iter().map(Self::size).sum::<usize>() + 1
            }
            Self::Object(fields) => {
                fields.iter().map(|(name, value)| name.len() + value.size()).sum::<usize>() + 1
            }
            Self::Unknown | Self::Told(_) | Self::Off => 1,
        }
    }

    /// Whether it is files that are listed.
    pub fn is_listed(&self) -> bool {
        matches!(self, Self::Text(text) if text.contains(LISTED))
    }

    /// Whether it lies where the code makes a place for itself.
    pub fn is_made(&self) -> bool {
        let below = |text: &str| text.strip_prefix(MADE).is_some_and(|rest| !rest.contains(".."));
        matches!(self, Self::Text(text) if below(text))
    }

    /// Whether it is what the code reads, line by line.
    pub fn is_read(&self) -> bool {
        matches!(self, Self::Text(text) if text.contains(READ))
    }

    /// The first word of a list, where it is known.
    pub fn program(&self) -> Option<&str> {
        match self {
            Self::List(items) => items.first().and_then(Self::text),
            _ => None,
        }
    }

    /// As a piece of a text.
    fn piece(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            _ => HOLE.to_string(),
        }
    }

    /// Each of some values.
    pub fn each(mut values: Vec<Self>) -> Self {
        if values.len() == 1 {
            return values.pop().unwrap_or(Self::Unknown);
        }
        if values.len() > MAX_EACH {
            values.truncate(MAX_EACH);
            values.push(Self::Unknown);
        }
        Self::Each(values)
    }

    /// What a loop over it gives; of each, item `at`, where several names take it apart.
    pub fn items_of(self, at: Option<usize>) -> Self {
        let item = |value: Self| match (at, value) {
            (None, value) => value,
            (Some(at), Self::List(items)) => items.into_iter().nth(at).unwrap_or(Self::Unknown),
            (Some(_), _) => Self::Unknown,
        };
        match self {
            Self::List(items) => Self::each(items.into_iter().map(item).collect()),
            value
                if at.is_none()
                    && (value.is_listed() || value.is_read() || matches!(value, Self::Told(_))) =>
            {
                value
            }
            _ => Self::Unknown,
        }
    }
}

/// Whether nothing is known of a text.
pub fn is_unknown(text: &str) -> bool {
    text.chars().all(|character| matches!(character, HOLE | COMPUTED))
}

/// A text that is written in another form.
pub fn decoded(form: &str, value: &Value) -> Value {
    let Value::Text(text) = value else { return Value::Unknown };
    let text = match form {
        "base64" | "base64url" => decode::base64(text),
        "hex" => decode::hexadecimal(text),
        "utf8" | "utf-8" | "ascii" | "latin1" | "binary" => Some(text.clone()),
        _ => None,
    };
    text.map_or(Value::Unknown, Value::Text)
}

/// A pattern of files as what it lists.
pub fn pattern(text: &str) -> Value {
    Value::Text(text.replace("**", "*").replace(['*', '?'], &LISTED.to_string()))
}

/// Words between blanks.
pub fn words(text: &str) -> Value {
    match text.contains(['"', '\'', '\\']) {
        true => Value::Unknown,
        false => {
            Value::List(text.split_whitespace().map(|word| Value::Text(word.to_owned())).collect())
        }
    }
}

/// Items as one text.
pub fn joined(items: &[Value], between: &str) -> Value {
    let mut text = String::new();
    for (number, item) in items.iter().enumerate() {
        if text.len() > MAX_TEXT {
            return Value::Unknown;
        }
        text.push_str(if number == 0 { "" } else { between });
        text.push_str(&item.piece());
    }
    Value::Text(text)
}

/// Texts or lists one behind the other.
pub fn concatenated(parts: impl Iterator<Item = Value>) -> Value {
    let parts: Vec<Value> = parts.collect();
    match parts.iter().any(|part| matches!(part, Value::List(_))) {
        true => lists(parts),
        false => spread(parts, |parts| joined(parts, "")),
    }
}

/// What is made of values, once for each that one of them may be.
pub fn spread(mut values: Vec<Value>, make: impl Fn(&[Value]) -> Value) -> Value {
    let at = values.iter().position(|value| matches!(value, Value::Each(_)));
    let Some((at, slot)) = at.and_then(|at| Some((at, values.get_mut(at)?))) else {
        return make(&values);
    };
    let Value::Each(items) = std::mem::replace(slot, Value::Unknown) else { return make(&values) };
    let mut all: Vec<Value> = Vec::with_capacity(items.len());
    for item in items {
        if let Some(slot) = values.get_mut(at) {
            *slot = item;
        }
        let one = make(&values);
        if all.last() != Some(&one) {
            all.push(one);
        }
    }
    Value::each(all)
}

/// Lists one behind the other; what is none may be any number of items.
pub fn lists(parts: Vec<Value>) -> Value {
    let mut items = Vec::new();
    for part in parts {
        match part {
            Value::List(more) => items.extend(more),
            other => items.push(other),
        }
        if items.len() > MAX_ITEMS {
            return Value::Unknown;
        }
    }
    Value::List(items)
}

/// A text up to where something is put into it.
pub fn beginning(text: &str) -> String {
    let end = text.find(['%', '{']).unwrap_or(text.len());
    format!("{}{HOLE}", text.get(..end).unwrap_or_default())
}

/// Pieces of a path as one.
pub fn join(parts: impl Iterator<Item = Value>) -> Value {
    spread(parts.collect(), path)
}

fn path(parts: &[Value]) -> Value {
    let mut path = String::new();
    for part in parts {
        let piece = part.piece();
        if path.len() > MAX_TEXT {
            return Value::Unknown;
        }
        // What begins at the root replaces what stands before it.
        if path.is_empty() || piece.starts_with(['/', '~']) {
            path = piece;
        } else {
            path = format!("{}/{piece}", path.trim_end_matches('/'));
        }
    }
    Value::Text(path)
}
