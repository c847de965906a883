//! Constant values in code: texts, lists of them, and paths that are put together. What is not constant is unknown.

use std::cell::Cell;
use std::collections::HashMap;

use super::functions::{self, Function};
use super::language::Language;
use super::loops;
use super::origins::Origins;
use super::parts::{
    closing, is_plainly_set, object, opening, outside, sets, split, statement, trimmed, written,
};
use super::token::Token;
use super::told::{Told, told};
use crate::decode;
use crate::hole::HOLE;
use crate::hole::LISTED;

/// Stands for a file or directory that the code makes for itself, under a name that nobody else has.
const MADE: &str = "/tmp/mktemp.new";

/// How deep expressions nest.
const MAX_DEPTH: u32 = 16;

/// No text that is put together grows longer, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// No more is made of values than this, in bytes.
const MAX_SPENT: usize = 1 << 24;

/// No more values are kept that a name may have.
const MAX_EACH: usize = 256;

/// So many calls of a function are looked at.
const MAX_CALLS: u32 = 64;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, with holes for what is not known of it.
    Text(String),
    /// A list or a tuple.
    List(Vec<Value>),
    /// Each of these, one after the other.
    Each(Vec<Value>),
    /// What the code is told in the words behind it.
    Told(Told),
    /// Anything else.
    Unknown,
}

impl Value {
    /// The text, where some of it is known.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !is_unknown(text) => Some(text),
            _ => None,
        }
    }

    /// How large it is, in bytes.
    fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len() + 1,
            Self::List(items) | Self::Each(items) => {
                items.iter().map(Self::size).sum::<usize>() + 1
            }
            Self::Unknown | Self::Told(_) => 1,
        }
    }

    /// Whether it is files that are listed.
    pub fn is_listed(&self) -> bool {
        matches!(self, Self::Text(text) if text.contains(LISTED))
    }

    /// As a piece of a text.
    fn piece(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            _ => HOLE.to_string(),
        }
    }

    /// Each of some values.
    fn each(mut values: Vec<Self>) -> Self {
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
    fn items_of(self, at: Option<usize>) -> Self {
        let item = |value: Self| match (at, value) {
            (None, value) => value,
            (Some(at), Self::List(items)) => items.into_iter().nth(at).unwrap_or(Self::Unknown),
            (Some(_), _) => Self::Unknown,
        };
        match self {
            Self::List(items) => Self::each(items.into_iter().map(item).collect()),
            value if at.is_none() && (value.is_listed() || matches!(value, Self::Told(_))) => value,
            _ => Self::Unknown,
        }
    }
}

/// Whether nothing is known of a text.
fn is_unknown(text: &str) -> bool {
    text.chars().all(|character| character == HOLE)
}

/// The values of names that are set once.
#[derive(Debug, Default)]
pub struct Names {
    language: Language,
    known: HashMap<String, Value>,
    origins: Origins,
    /// How much was made of values so far, in bytes.
    spent: Cell<usize>,
}

/// Functions that return their first argument as a path, or join all of them to one.
const JOINS: &[&str] = &[
    "Path",
    "PurePath",
    "PosixPath",
    "join",
    "resolve",
    "normalize",
    "abspath",
    "realpath",
    "str",
    "String",
    "fspath",
    "expanduser",
    "quote",
    "normpath",
    "expand_path",
    "catfile",
    "catdir",
    "Join",
];

/// Functions that make a file or directory of their own.
const MAKES: &[&str] = &[
    "mkdtemp",
    "mkstemp",
    "mktemp",
    "mkdtempSync",
    "TemporaryDirectory",
    "NamedTemporaryFile",
    "gettempdir",
    "tmpdir",
    "mktmpdir",
    "tempdir",
    "tempfile",
    "tmpname",
    "tempnam",
    "sys_get_temp_dir",
    "makeTempDirSync",
    "makeTempDir",
    "TempDir",
    "MkdirTemp",
];

/// What stands for the home of the user.
const HOMES: &[&str] = &["homedir", "home"];

/// Functions that return what their last argument has in it.
const SAME: &[&str] = &[
    "sorted",
    "list",
    "reversed",
    "set",
    "tuple",
    "iter",
    "filter",
    "compile",
    "sort",
    "bytes",
    "bytearray",
    "b",
    "grep",
    "array_filter",
    "text",
    "SQL",
    "dedent",
];

/// Methods that return what they are called on.
const SAME_METHODS: &[&str] = &[
    "decode",
    "encode",
    "toString",
    "strip",
    "trim",
    "rstrip",
    "lstrip",
    "sort",
    "filter",
    "select",
    "reject",
    "reverse",
    "slice",
    "to_s",
    "lower",
    "toLowerCase",
    "sort_by",
    "chomp",
];

/// Functions that list files that are like a pattern.
const GLOBS: &[&str] = &["glob", "iglob", "rglob", "globSync", "fdir", "bsd_glob"];

/// Functions that list the names in a directory.
const LISTS: &[&str] =
    &["listdir", "readdirSync", "readdir", "children", "entries", "scandir", "each_child"];

impl Names {
    /// Takes up what is set in code, where it is set once and nothing else is known to change it.
    pub fn of(
        language: Language,
        tokens: &[Token],
        defined: &[Function],
        given: &[(&str, &str)],
    ) -> Self {
        let mut names =
            Self { language, origins: Origins::of(language, tokens), ..Self::default() };
        let given: HashMap<String, Value> = given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), Value::Text((*value).to_owned())))
            .collect();
        names.set(tokens, &given);
        let mut parameters = names.parameters(tokens, defined);
        if !parameters.is_empty() {
            parameters.extend(given);
            names.known.clear();
            names.set(tokens, &parameters);
        }
        names
    }

    /// What names stand for that are functions or libraries.
    pub fn origins(&self) -> &Origins {
        &self.origins
    }

    /// The value of a name.
    pub fn known(&self, name: &str) -> Option<&Value> {
        self.known.get(name)
    }

    /// Takes up what names are set to, knowing some.
    fn set(&mut self, tokens: &[Token], given: &HashMap<String, Value>) {
        let found = loops::loops(self.language, tokens);
        // How often a name is set, and how often by a loop.
        let mut seen: HashMap<&str, (u32, u32)> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            if let (Token::Name(name), true) = (token, sets(tokens, at)) {
                seen.entry(name).or_default().0 += 1;
            }
        }
        for name in found.values().flatten().flat_map(|found| found.names.iter().copied()) {
            seen.entry(name).or_default().1 += 1;
        }
        for (name, value) in given {
            if !seen.contains_key(name.as_str()) {
                self.known.insert(name.clone(), value.clone());
            }
        }
        let mut same: HashMap<&str, (Value, u32)> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            for found in found.get(&at).into_iter().flatten() {
                for (number, name) in found.names.iter().copied().enumerate() {
                    if seen.get(name).is_some_and(|(set, _)| *set == 0) && !given.contains_key(name)
                    {
                        let item = self.item(found.over, number, found.names.len());
                        self.add(name, item);
                    }
                }
            }
            let Token::Name(name) = token else { continue };
            let (set, by_loops) = seen.get(&**name).copied().unwrap_or_default();
            let is_open = set > 0 && by_loops == 0 && !given.contains_key(name);
            if !is_open || self.language == Language::Unknown {
                continue;
            }
            let value = match self.managed(tokens, at) {
                Some(value) => value,
                None if self.is_set(tokens, at) => {
                    let from = self.begins(tokens, at);
                    let behind = tokens.get(from..).unwrap_or_default();
                    let end = statement(behind);
                    self.value(behind.get(..end).unwrap_or_default(), 0)
                }
                None => continue,
            };
            // What is always set to the same is as good as what is set once.
            let (before, count) = same.entry(name).or_insert_with(|| (value.clone(), 0));
            *count += u32::from(*before == value);
            if *count == set && value != Value::Unknown {
                self.known.insert(name.clone(), value);
            }
        }
    }

    /// Whether a name is set to a value, at the beginning of a statement.
    fn is_set(&self, tokens: &[Token], at: usize) -> bool {
        let begins = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            matches!(before, None | Some(Token::Sign('\n' | ';' | '{' | '}' | ')')))
        };
        match self.language {
            Language::Go => begins(at) && self.begins(tokens, at) > at,
            _ => is_plainly_set(tokens, at),
        }
    }

    /// Where the value begins that a name is set to: behind `a =`, and in Go behind `a :=` and `a, err :=`.
    fn begins(&self, tokens: &[Token], at: usize) -> usize {
        let behind = tokens.get(at + 1..).unwrap_or_default();
        match (self.language, behind) {
            (Language::Go, [Token::Sign(':'), Token::Sign('='), ..]) => at + 3,
            (
                Language::Go,
                [Token::Sign(','), Token::Name(_), Token::Sign(':'), Token::Sign('='), ..],
            ) => at + 5,
            (_, [Token::Sign('='), ..]) => at + 2,
            _ => at,
        }
    }

    /// What a name is set to by `with … as name`.
    fn managed(&self, tokens: &[Token], at: usize) -> Option<Value> {
        const MAX: usize = 64;
        let is_word =
            |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
        let before = tokens.get(at.saturating_sub(MAX)..at.checked_sub(1)?)?;
        let is_bound = tokens.get(at - 1).is_some_and(|token| is_word(token, "as"));
        if self.language != Language::Python || !is_bound {
            return None;
        }
        let from = before.iter().rposition(|token| is_word(token, "with"))?;
        let behind = before.get(from + 1..)?;
        // Behind a colon it is bound by something else.
        let is_whole = split(behind, &[':']).len() == 1;
        split(behind, &[',']).last().filter(|_| is_whole).map(|value| self.value(value, 0))
    }

    /// Adds a value that a name may have.
    fn add(&mut self, name: &str, value: Value) {
        let value = match self.known.remove(name) {
            None => value,
            Some(Value::Each(mut values)) if values.len() <= MAX_EACH => {
                match value {
                    Value::Each(more) => values.extend(more),
                    other => values.push(other),
                }
                Value::each(values)
            }
            Some(Value::Each(values)) => Value::Each(values),
            Some(before) if before == value => value,
            Some(before) => Value::each(vec![before, value]),
        };
        self.known.insert(name.to_owned(), value);
    }

    /// What the name with a number is given by a loop over something.
    fn item(&self, over: &[Token], number: usize, names: usize) -> Value {
        let walked = match trimmed(over) {
            [.., Token::Sign(')')] => opening(over).filter(|open| {
                *open > 0 && matches!(over.get(open - 1), Some(Token::Name(name)) if name == "walk")
            }),
            _ => None,
        };
        if let (Some(open), true) = (walked, names > 1) {
            // A directory, then the names in it.
            let inner = over.get(open + 1..over.len().saturating_sub(1)).unwrap_or_default();
            return match (number, split(inner, &[',']).first()) {
                (0, Some(top)) => self.value(top, 1),
                (0, None) => self.value(object(over, open - 1), 1),
                _ => Value::Text(LISTED.to_string()),
            };
        }
        self.value(over, 0).items_of((names > 1).then_some(number))
    }

    /// What the functions of the code are called with.
    fn parameters(&self, tokens: &[Token], defined: &[Function]) -> HashMap<String, Value> {
        // Two functions may have one name: what is given to it is given to both.
        let mut by_name: HashMap<&str, (Vec<&Function>, u32)> = HashMap::new();
        for function in defined {
            by_name.entry(function.name.as_str()).or_default().0.push(function);
        }
        let parameters = defined.iter().flat_map(|function| function.parameters.iter());
        let mut given: HashMap<String, Vec<Value>> =
            parameters.map(|parameter| (parameter.clone(), Vec::new())).collect();
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            let Some((functions, count)) = by_name.get_mut(name.as_str()) else { continue };
            let Some(call) = functions::call(tokens, at).filter(|_| *count <= MAX_CALLS) else {
                continue;
            };
            *count += 1;
            let call = call.filter(|_| *count <= MAX_CALLS);
            for function in functions.iter() {
                for (number, parameter) in function.parameters.iter().enumerate() {
                    let value = match (&call, function.rest) {
                        (Some(parts), Some(rest)) if rest == number => Value::List(
                            parts.iter().skip(number).map(|part| self.value(part, 0)).collect(),
                        ),
                        (Some(parts), _) => argument(parts, number, parameter)
                            .map_or(Value::Unknown, |part| self.value(part, 0)),
                        (None, _) => Value::Unknown,
                    };
                    let Some(values) = given.get_mut(parameter) else { continue };
                    match value {
                        Value::Each(more) => values.extend(more),
                        other => values.push(other),
                    }
                }
            }
        }
        // What a runner of tests gives is made for the test.
        let fixture = |name: &str| {
            self.language == Language::Python
                && matches!(functions::plain(name), "tmp_path" | "tmpdir")
        };
        given
            .into_iter()
            .map(|(name, values)| match values.is_empty() && fixture(&name) {
                true => (name, Value::Text(MADE.to_owned())),
                false => (name, Value::each(values)),
            })
            .collect()
    }

    /// The value of an expression.
    pub fn value(&self, tokens: &[Token], depth: u32) -> Value {
        if self.spent.get() > MAX_SPENT {
            return Value::Unknown;
        }
        let value = self.whole(tokens, depth);
        self.spent.set(self.spent.get() + value.size());
        match value {
            Value::Text(text) if text.len() > MAX_TEXT && depth > 0 => Value::Unknown,
            value => value,
        }
    }

    fn whole(&self, tokens: &[Token], depth: u32) -> Value {
        if depth > MAX_DEPTH {
            return Value::Unknown;
        }
        let mut tokens = trimmed(tokens);
        while let [Token::Name(word), rest @ ..] = tokens
            && matches!(word.as_str(), "await" | "new" | "yield")
        {
            tokens = rest;
        }
        // A reference to it, and what becomes of a failure.
        while let ([Token::Sign('&'), rest @ ..] | [rest @ .., Token::Sign('?')], true) =
            (tokens, self.language == Language::Rust)
        {
            tokens = rest;
        }
        if let [Token::Sign('['), .., Token::Sign(']')] | [Token::Sign('('), .., Token::Sign(')')] =
            tokens
            && closing(tokens, 0) == Some(tokens.len() - 1)
        {
            let inner = tokens.get(1..tokens.len() - 1).unwrap_or_default();
            // `[f(x) for x in …]`
            if self.language == Language::Python
                && let Some(at) = outside(inner, "for")
            {
                let item = self.value(inner.get(..at).unwrap_or_default(), depth + 1);
                return match item {
                    Value::Each(items) => Value::List(items),
                    item if item.is_listed() => item,
                    _ => Value::Unknown,
                };
            }
            let items: Vec<Value> =
                split(inner, &[',']).into_iter().map(|item| self.value(item, depth + 1)).collect();
            let is_list = matches!(tokens.first(), Some(Token::Sign('['))) || items.len() != 1;
            return match is_list {
                true => Value::List(items),
                false => items.into_iter().next().unwrap_or(Value::Unknown),
            };
        }
        if let [Token::Words(words)] = tokens {
            return Value::List(words.iter().cloned().map(Value::Text).collect());
        }
        // `<src/*>`
        if let [Token::Sign('<'), inner @ .., Token::Sign('>')] = tokens
            && self.language == Language::Perl
        {
            return pattern(&written(inner));
        }
        // `a / b` joins paths, `a + b` and `a . b` texts, and `a % b` fills in.
        let parts = split(tokens, &['/']);
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| self.value(part, depth + 1));
            return join(parts);
        }
        let parts = split(tokens, &['+']);
        if parts.len() > 1 {
            return concatenated(parts.iter().map(|part| self.value(part, depth + 1)));
        }
        if matches!(self.language, Language::Perl | Language::Php) {
            let parts = split(tokens, &['.']);
            if parts.len() > 1 {
                return concatenated(parts.iter().map(|part| self.value(part, depth + 1)));
            }
        }
        self.term(tokens, depth)
    }

    fn term(&self, tokens: &[Token], depth: u32) -> Value {
        if let Some(told) = told(self.language, tokens) {
            return Value::Told(told);
        }
        match tokens {
            [Token::Text(text)] => Value::Text(text.clone()),
            // Texts side by side are one, and what follows may change it.
            [Token::Text(text), Token::Text(_), ..] => {
                let pieces = tokens.iter().map_while(|token| match token {
                    Token::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                let all: String = pieces.clone().collect();
                let is_all = pieces.count() == tokens.len();
                Value::Text(if is_all { all } else { format!("{text}{HOLE}") })
            }
            [Token::Text(text), Token::Sign('.'), .., Token::Sign(')')] => {
                match self.call(tokens, depth) {
                    Value::Unknown => Value::Text(beginning(text)),
                    value => value,
                }
            }
            // `"…{}".format(x)`, `"%s" % x`, `"a" . $x`: the beginning is known.
            [Token::Text(text), ..] => Value::Text(beginning(text)),
            [Token::Sign('$' | '@' | '*' | '&'), rest @ ..] => self.term(rest, depth),
            [Token::Sign('.'), Token::Sign('.'), Token::Sign('.'), rest @ ..] => {
                self.term(rest, depth)
            }
            [Token::Name(name)] => self.known.get(name).cloned().unwrap_or(Value::Unknown),
            // `entry.path`, `file.name`
            [.., Token::Sign('.'), Token::Name(field)]
                if matches!(field.as_str(), "path" | "name") =>
            {
                let of = self.value(tokens.get(..tokens.len() - 2).unwrap_or_default(), depth + 1);
                let is_made = of.text() == Some(MADE);
                if of.is_listed() || is_made { of } else { Value::Unknown }
            }
            // `$_.chomp`
            [.., Token::Sign('.'), Token::Name(method)]
                if self.language == Language::Ruby && SAME_METHODS.contains(&method.as_str()) =>
            {
                self.value(tokens.get(..tokens.len() - 2).unwrap_or_default(), depth + 1)
            }
            // `Dir["src/*"]`
            [Token::Name(name), Token::Sign('['), Token::Text(text), Token::Sign(']')]
                if name == "Dir" =>
            {
                pattern(text)
            }
            // `glob "src/*"`
            [Token::Name(name), text @ ..]
                if self.language == Language::Perl
                    && (name == "glob" || name == "decode_base64" || name == "pack")
                    && !text.is_empty()
                    && text.first() != Some(&Token::Sign('(')) =>
            {
                let parts = split(text, &[',']);
                let values = parts.iter().map(|part| self.value(part, depth + 1)).collect();
                made(name, values)
            }
            [.., Token::Sign(')')] => self.call(tokens, depth),
            _ => Value::Unknown,
        }
    }

    /// The value of a call, by the last name before its arguments.
    fn call(&self, tokens: &[Token], depth: u32) -> Value {
        let open = opening(tokens);
        let Some((Some(Token::Name(name)), open)) =
            open.map(|open| (open.checked_sub(1).and_then(|at| tokens.get(at)), open))
        else {
            return Value::Unknown;
        };
        let name = name.as_str();
        let inner = tokens.get(open + 1..tokens.len() - 1).unwrap_or_default();
        if MAKES.contains(&name) {
            return Value::Text(MADE.to_owned());
        }
        // `TempDir::new()`
        if name == "new"
            && matches!(tokens, [Token::Name(of), Token::Sign(':'), ..] if of == "TempDir")
        {
            return Value::Text(MADE.to_owned());
        }
        if HOMES.contains(&name) {
            return Value::Text("~".to_owned());
        }
        let is_method = open
            .checked_sub(2)
            .is_some_and(|at| matches!(tokens.get(at), Some(Token::Sign('.' | '>'))));
        let before = match is_method {
            true => object(tokens, open - 1),
            false => &[],
        };
        let parts = split(inner, &[',']);
        let values = || parts.iter().map(|part| self.value(part, depth + 1)).collect::<Vec<_>>();
        if name == "join" || name == "implode" {
            let of = if is_method { self.value(before, depth + 1) } else { Value::Unknown };
            return match (of, self.language) {
                (Value::Told(told), _) => Value::Told(told.joined()),
                // `["a", "b"].join(" ")`
                (Value::List(items), _) => {
                    let between = values().into_iter().next();
                    let between = between.as_ref().and_then(Value::text).unwrap_or("");
                    let is_given = !parts.is_empty() || self.language == Language::Ruby;
                    joined(&items, if is_given { between } else { "," })
                }
                // `" ".join(["a", "b"])`
                (Value::Text(between), Language::Python) if matches!(before, [Token::Text(_)]) => {
                    match values().into_iter().next() {
                        Some(Value::List(items)) => joined(&items, &between),
                        Some(Value::Told(told)) => Value::Told(told.joined()),
                        _ => Value::Text(HOLE.to_string()),
                    }
                }
                (_, Language::Perl | Language::Php) => match values().split_first() {
                    Some((Value::Text(between), [Value::List(items)])) => joined(items, between),
                    Some((_, [Value::Told(told)])) => Value::Told(told.joined()),
                    Some((Value::Text(between), rest)) => joined(rest, between),
                    _ => Value::Unknown,
                },
                // `p.join("a")`
                (of, Language::Rust) if is_method => join(std::iter::once(of).chain(values())),
                _ => join(values().into_iter()),
            };
        }
        // A method of a path that gives one.
        if is_method && inner.is_empty() && matches!(name, "resolve" | "absolute" | "expanduser") {
            return self.value(before, depth + 1);
        }
        if is_method && name == "split" {
            return match self.value(before, depth + 1) {
                Value::Text(text) => words(&text),
                _ => match values().into_iter().next() {
                    Some(Value::Text(text)) if matches!(before, [Token::Name(name)] if name == "shlex") => {
                        words(&text)
                    }
                    _ => Value::Unknown,
                },
            };
        }
        if is_method && name == "iterdir" {
            return join(
                [self.value(before, depth + 1), Value::Text(LISTED.to_string())].into_iter(),
            );
        }
        if is_method
            && matches!(name, "glob" | "rglob")
            && let [first] = parts.as_slice()
        {
            let of = self.value(before, depth + 1);
            let Value::Text(text) = self.value(first, depth + 1) else {
                return Value::Text(format!("{HOLE}{LISTED}"));
            };
            // It may lie at any depth.
            let below = (name == "rglob").then(|| Value::Text(LISTED.to_string()));
            return match (of, self.is_library(before)) {
                (Value::Text(top), false) => {
                    let parts = [Value::Text(top)].into_iter().chain(below);
                    join(parts.chain([pattern(&text)]))
                }
                // `p.rglob("*")` of a path that nobody knows.
                (_, false) => Value::Text(format!("{HOLE}/{LISTED}")),
                _ => pattern(&text),
            };
        }
        if is_method
            && name == "map"
            && let Some(at) =
                inner.windows(2).position(|pair| pair == [Token::Sign('='), Token::Sign('>')])
        {
            let item = self.value(inner.get(at + 2..).unwrap_or_default(), depth + 1);
            return if item.is_listed() { item } else { Value::Unknown };
        }
        // `sql.SQL("… {}").format(x)`
        if is_method && name == "format" {
            return match self.value(before, depth + 1) {
                Value::Text(text) => Value::Text(beginning(&text)),
                _ => Value::Unknown,
            };
        }
        let is_rust = self.language == Language::Rust;
        if is_rust && is_method && matches!(name, "unwrap" | "expect" | "path" | "to_path_buf") {
            return self.value(before, depth + 1);
        }
        if is_method && SAME_METHODS.contains(&name) {
            let of = self.value(before, depth + 1);
            if of != Value::Unknown {
                return of;
            }
        }
        if SAME.contains(&name) {
            let at =
                if matches!(name, "filter" | "grep") { parts.len().saturating_sub(1) } else { 0 };
            return parts.get(at).map_or(Value::Unknown, |part| self.value(part, depth + 1));
        }
        // `Array.from(x)`, `Buffer.from("…", "base64")`
        if name == "from"
            && let [first, rest @ ..] = values().as_slice()
        {
            return match rest.first() {
                Some(Value::Text(form)) => decoded(form, first),
                _ => first.clone(),
            };
        }
        if JOINS.contains(&name) {
            return join(values().into_iter());
        }
        if name == "sync"
            && matches!(before, [.., Token::Name(of)] if matches!(of.as_str(), "glob" | "globby" | "fg"))
        {
            return made("glob", values());
        }
        if is_method
            && matches!(name, "unpack1" | "pack")
            && let [Value::Text(form)] = values().as_slice()
        {
            let of = match self.value(before, depth + 1) {
                Value::List(items) => items.into_iter().next().unwrap_or(Value::Unknown),
                other => other,
            };
            let form = match form.as_str() {
                "m" | "m0" => "base64",
                "H*" => "hex",
                _ => return Value::Unknown,
            };
            return decoded(form, &of);
        }
        made(name, values())
    }

    /// Whether what a method is called on is a library, and no path.
    fn is_library(&self, tokens: &[Token]) -> bool {
        matches!(tokens, [Token::Name(name)] if !self.known.contains_key(name) && matches!(functions::plain(name), "glob" | "Dir" | "fs" | "fg" | "globby" | "File" | "_glob"))
    }
}

/// The argument of a call that a parameter is given, by its name or by its number.
fn argument<'t>(parts: &[&'t [Token]], number: usize, parameter: &str) -> Option<&'t [Token]> {
    let named = parts.iter().find_map(|part| match trimmed(part) {
        [Token::Name(name), Token::Sign('='), value @ ..]
            if functions::plain(name) == functions::plain(parameter) =>
        {
            Some(value)
        }
        _ => None,
    });
    named.or_else(|| parts.get(number).copied())
}

/// What a function makes of its arguments that needs to know nothing else.
fn made(name: &str, values: Vec<Value>) -> Value {
    let first = values.first().unwrap_or(&Value::Unknown);
    match name {
        _ if GLOBS.contains(&name) => match first {
            Value::Text(text) => pattern(text),
            Value::List(items) => {
                let patterns = items.iter().map(|item| match item {
                    Value::Text(text) => pattern(text),
                    _ => Value::Unknown,
                });
                Value::List(patterns.collect())
            }
            _ => Value::Text(format!("{HOLE}{LISTED}")),
        },
        _ if LISTS.contains(&name) => Value::Text(LISTED.to_string()),
        "b64decode" | "decode64" | "strict_decode64" | "urlsafe_b64decode"
        | "standard_b64decode" | "base64_decode" | "decode_base64" | "atob" => {
            decoded("base64", first)
        }
        "fromhex" | "unhexlify" | "hex2bin" | "a2b_hex" => decoded("hex", first),
        "decode" => match values.as_slice() {
            [text, Value::Text(form)] => decoded(form, text),
            _ => Value::Unknown,
        },
        "pack" => match values.as_slice() {
            [Value::Text(form), text] if form == "H*" => decoded("hex", text),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// A text that is written in another form.
fn decoded(form: &str, value: &Value) -> Value {
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
fn pattern(text: &str) -> Value {
    Value::Text(text.replace("**", "*").replace(['*', '?'], &LISTED.to_string()))
}

/// Words between blanks.
fn words(text: &str) -> Value {
    match text.contains(['"', '\'', '\\']) {
        true => Value::Unknown,
        false => {
            Value::List(text.split_whitespace().map(|word| Value::Text(word.to_owned())).collect())
        }
    }
}

/// Items as one text.
fn joined(items: &[Value], between: &str) -> Value {
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

/// Texts one behind the other.
fn concatenated(parts: impl Iterator<Item = Value>) -> Value {
    let parts: Vec<Value> = parts.collect();
    joined(&parts, "")
}

/// A text up to where something is put into it.
fn beginning(text: &str) -> String {
    let end = text.find(['%', '{']).unwrap_or(text.len());
    format!("{}{HOLE}", text.get(..end).unwrap_or_default())
}

/// Pieces of a path as one.
fn join(parts: impl Iterator<Item = Value>) -> Value {
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
