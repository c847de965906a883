//! The names of code and what they are set to, as far as that is constant. Knows what a value is, and leaves expressions to
//! `expressions.rs`.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::changes::{self, Change};
use super::computed;
use super::environment;
use super::functions::{self, Function};
use super::language::Language;
use super::loops;
use super::makers;
use super::options::Options;
use super::origins::Origins;
use super::parts::{is_plainly_set, object, opening, sets, split, statement, trimmed};
use super::rebound;
use super::token::Token;
use super::value::{MADE, MAX_EACH, Value, concatenated, join, lists};
use crate::data;
use crate::hole::{COMPUTED, LISTED, READ};

/// No more is made of values than this, in bytes.
const MAX_SPENT: usize = 1 << 24;

/// So many calls of a function are looked at.
const MAX_CALLS: u32 = 64;

/// Functions that call others with what they are given are followed so deep.
const MAX_CALLERS: usize = 2;

/// No more different values of one name are told apart.
const MAX_VALUES: usize = 16;

/// The values of names that are set once.
#[derive(Debug, Default)]
pub struct Names {
    language: Language,
    pub(super) known: HashMap<String, Value>,
    origins: Origins,
    /// The options that the code declares, and the words behind it, with its name before them, where all are known.
    options: Options,
    words: Option<Vec<String>>,
    /// The files that names stand for which are open to be written; unknown where that may be several.
    handles: HashMap<String, Value>,
    /// Whether a function that makes a directory of its own may be another one.
    makes_its_own: bool,
    /// Texts that are changed where they are.
    rewritten: HashSet<String>,
    /// The functions of the code, where it uses such as make texts of numbers and other texts.
    decoding: HashSet<String>,
    /// The variables of the environment that the code sets.
    environment: Vec<(String, Value)>,
    /// The data of files that the code may read, by their paths, and which of these names were set to.
    files: HashMap<String, Value>,
    read_from: HashMap<String, String>,
    /// How much was made of values so far, in bytes.
    spent: Cell<usize>,
}

/// How often a name is set.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// To a value.
    sets: u32,
    /// To a value that is made of its own.
    own: u32,
    /// By a loop.
    loops: u32,
}

/// What a name was set to so far.
#[derive(Debug, Default)]
struct Set {
    /// Different values; what is changed is what stands last.
    values: Vec<Value>,
    /// How often it was set.
    count: u32,
}

impl Set {
    fn add(&mut self, value: Value) {
        if self.values.last() != Some(&value) && self.values.len() <= MAX_VALUES {
            self.values.push(value);
        }
    }

    fn change(&mut self, value: Value) {
        self.values.pop();
        self.values.push(value);
    }

    fn last(&self) -> Option<Value> {
        self.values.last().cloned()
    }

    /// What it may be altogether. Of several values only words of commands are told apart.
    fn whole(&self) -> Value {
        match self.values.as_slice() {
            [value] => value.clone(),
            values if values.len() > MAX_VALUES => Value::Unknown,
            // Each test has one of its own.
            values if values.iter().all(Value::is_made) => Value::each(values.to_vec()),
            values if values.iter().any(|value| value.program().is_some()) => {
                let is_list = |value: &&Value| matches!(value, Value::List(_));
                let known = values.iter().filter(is_list).cloned();
                let rest = values.iter().find(|value| !is_list(value)).cloned();
                Value::each(known.chain(rest).collect())
            }
            _ => Value::Unknown,
        }
    }
}

/// The innermost bracket around each token.
fn around(tokens: &[Token]) -> Vec<Option<char>> {
    let mut open = Vec::new();
    let mut around = Vec::with_capacity(tokens.len());
    for token in tokens {
        if let Token::Sign(')' | ']' | '}') = token {
            open.pop();
        }
        around.push(open.last().copied());
        if let Token::Sign(sign @ ('(' | '[' | '{')) = token {
            open.push(*sign);
        }
    }
    around
}

/// Whether a name is that of an argument: `f(x=1)` of Python.
fn is_setting(language: Language, tokens: &[Token], around: &[Option<char>], at: usize) -> bool {
    language == Language::Python
        && around.get(at) == Some(&Some('('))
        && tokens.get(at + 1) == Some(&Token::Sign('='))
}

/// Whether an expression has a name in it.
fn mentions(tokens: &[Token], name: &str) -> bool {
    tokens.iter().any(|token| match token {
        Token::Name(own) => own == name,
        Token::Filled(template) => template.values.iter().any(|value| mentions(value, name)),
        _ => false,
    })
}

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
        names.options = Options::of(language, tokens);
        let words = given.iter().find(|(name, _)| *name == environment::WORDS);
        names.words = words.map(|(_, words)| {
            words.split_terminator(environment::BETWEEN).map(str::to_owned).collect()
        });
        names.files = given
            .iter()
            .filter_map(|(name, text)| {
                let path = name.strip_prefix(environment::FILE)?;
                Some((path.to_owned(), Value::of_data(data::read(path, text)?)))
            })
            .collect();
        names.makes_its_own = makers::makes_its_own(tokens, defined);
        names.rewritten =
            rebound::changed(language, tokens).into_iter().map(str::to_owned).collect();
        if computed::decodes(tokens) {
            names.decoding = defined.iter().map(|function| function.name.clone()).collect();
        }
        let mut given: HashMap<String, Value> = given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), Value::Text((*value).to_owned())))
            .collect();
        names.set(tokens, &given);
        names.set_environment(tokens, &mut given);
        // What a function is given may be what the one around the call is given.
        for _ in 0..MAX_CALLERS {
            let mut parameters = names.parameters(tokens, defined);
            if parameters.is_empty() {
                break;
            }
            let is_open = parameters.values().any(|value| *value == Value::Unknown);
            parameters.extend(given.clone());
            names.known.clear();
            names.set(tokens, &parameters);
            if !is_open {
                break;
            }
        }
        names
    }

    /// Whether the data of some files is known.
    pub(super) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The file among those that are known which an expression names, or which a name in it stands for.
    fn file_in(&self, tokens: &[Token]) -> Option<String> {
        /// Longer expressions do more than to read a file.
        const MAX_LENGTH: usize = 32;
        if self.files.is_empty() || tokens.len() > MAX_LENGTH {
            return None;
        }
        tokens.iter().find_map(|token| match token {
            Token::Text(path) => {
                let path = path.trim_start_matches("./");
                self.files.contains_key(path).then(|| path.to_owned())
            }
            Token::Name(name) => self.read_from.get(name).cloned(),
            _ => None,
        })
    }

    /// The data that a call reads, by its arguments: `json.load(open("x.json"))`, `require("./x.json")`.
    pub(super) fn data(&self, function: &str, arguments: &[Token]) -> Option<Value> {
        const READERS: [&str; 8] = [
            "load",
            "loads",
            "safe_load",
            "full_load",
            "parse",
            "require",
            "readJsonSync",
            "load_file",
        ];
        let reads = READERS.contains(&function);
        let path = self.file_in(arguments).filter(|_| reads)?;
        self.files.get(&path).cloned()
    }

    /// Takes up the variables of the environment that the code sets.
    fn set_environment(&mut self, tokens: &[Token], given: &mut HashMap<String, Value>) {
        /// No more of them are kept.
        const MAX: usize = 64;
        for at in 0..tokens.len() {
            let Some((name, value, may_be_set)) = environment::set(tokens, at) else { continue };
            if self.environment.len() >= MAX
                || may_be_set && given.contains_key(&environment::key(name))
            {
                continue;
            }
            let value = self.value(value, 0);
            match self.environment.iter_mut().find(|(own, _)| own == name) {
                Some((_, own)) if *own != value => *own = Value::Unknown,
                Some(_) => {}
                None => self.environment.push((name.to_owned(), value)),
            }
        }
        if self.environment.is_empty() {
            return;
        }
        let set = self.environment.iter();
        given.extend(set.map(|(name, value)| (environment::key(name), value.clone())));
        self.known.clear();
        self.set(tokens, given);
    }

    /// The variables of the environment that the code sets.
    pub fn own_environment(&self) -> &[(String, Value)] {
        &self.environment
    }

    /// What names stand for that are functions or libraries.
    pub fn origins(&self) -> &Origins {
        &self.origins
    }

    /// The options that the code declares.
    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// The words behind the code, with its name before them, where all are known.
    pub(super) fn words(&self) -> Option<&[String]> {
        self.words.as_deref()
    }

    /// The file that an expression stands for which is open to be written: `open("a", "w")`, or a name for it.
    pub fn opened(&self, tokens: &[Token]) -> Option<Value> {
        if let [Token::Name(name)] = tokens {
            return self.handles.get(name).cloned();
        }
        let [.., Token::Sign(')')] = tokens else { return None };
        let open = opening(tokens)?;
        let Some(Token::Name(function)) = open.checked_sub(1).and_then(|at| tokens.get(at)) else {
            return None;
        };
        let parts = split(tokens.get(open + 1..tokens.len() - 1)?, &[',']);
        let mode = parts.iter().skip(1).find_map(|part| match trimmed(part) {
            [Token::Name(name), Token::Sign('='), Token::Text(mode)] if name == "mode" => {
                Some(mode)
            }
            [Token::Text(mode)] => Some(mode),
            _ => None,
        });
        let is_open = matches!(function.as_str(), "open" | "fopen")
            && mode.is_some_and(|mode| mode.contains(['w', 'a', 'x']));
        is_open.then(|| parts.first().map(|path| self.value(path, 0))).flatten()
    }

    /// The language of the code.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Whether a function that makes a directory of its own may be another one.
    pub(super) fn makes_its_own(&self) -> bool {
        self.makes_its_own
    }

    /// Whether a name is that of a function of the code, which may make texts of numbers and other texts.
    pub(super) fn decodes(&self, name: &str) -> bool {
        self.decoding.contains(name)
    }

    /// Counts what was made of values.
    pub(super) fn spend(&self, value: &Value) {
        self.spent.set(self.spent.get() + value.size());
    }

    /// Whether too much was made of values.
    pub(super) fn is_spent(&self) -> bool {
        self.spent.get() > MAX_SPENT
    }

    /// The value of a name.
    pub fn known(&self, name: &str) -> Option<&Value> {
        self.known.get(name)
    }

    /// Takes up what names are set to, knowing some.
    fn set(&mut self, tokens: &[Token], given: &HashMap<String, Value>) {
        let found = loops::loops(self.language, tokens);
        let around = around(tokens);
        let seen = self.seen(tokens, &around, &found);
        for (name, value) in given {
            if seen.get(name.as_str()).is_none_or(|seen| seen.sets == seen.own && seen.loops == 0) {
                self.known.insert(name.clone(), value.clone());
            }
        }
        let mut set: HashMap<&str, Set> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            for found in found.get(&at).into_iter().flatten() {
                for (number, name) in found.names.iter().copied().enumerate() {
                    let is_own = seen.get(name).is_some_and(|seen| seen.sets == seen.own);
                    if is_own && !given.contains_key(name) {
                        let item = self.item(found, number);
                        self.add(name, item);
                    }
                }
            }
            let Token::Name(name) = token else { continue };
            if self.language == Language::Unknown {
                continue;
            }
            let own = seen.get(name.as_str()).copied().unwrap_or_default();
            if is_setting(self.language, tokens, &around, at) {
                continue;
            }
            let value = self.set_to(tokens, &around, at);
            if let Some(path) = value.and_then(|value| self.opened(value)) {
                let is_same = self.handles.get(name).is_none_or(|known| *known == path);
                let path = if is_same { path } else { Value::Unknown };
                self.handles.insert(name.clone(), path);
            }
            if let Some(path) = value.and_then(|value| self.file_in(value)) {
                self.read_from.insert(name.clone(), path);
            }
            match value {
                Some(value) if own.loops == 0 && !given.contains_key(name) => {
                    let is_own = mentions(value, name);
                    let value = self.own_value(name, &set, value);
                    let value = self.as_list(tokens, at, value);
                    let before = set.entry(name).or_default();
                    match is_own && before.count > 0 {
                        true => before.change(value),
                        false => before.add(value),
                    }
                    before.count += 1;
                    if before.count == own.sets {
                        let value = before.whole();
                        self.know(name, value);
                    }
                }
                // `line = line.strip()` of what a loop or a call gives
                Some(tokens) => {
                    let value = self.value(tokens, 0);
                    if value != Value::Unknown && own.sets == own.own {
                        self.know(name, value);
                    }
                }
                None => self.changed(tokens, at, &mut set, own),
            }
        }
    }

    /// Knows what a name stands for, or that nobody does.
    fn know(&mut self, name: &str, value: Value) {
        let value = match value {
            Value::Text(text)
                if self.rewritten.contains(name) && !text.contains([LISTED, READ]) =>
            {
                Value::Text(COMPUTED.to_string())
            }
            value => value,
        };
        match value {
            Value::Unknown => self.known.remove(name),
            value => self.known.insert(name.to_owned(), value),
        };
    }

    /// The value of an expression that a name is set to, which may stand in it itself.
    fn own_value(&mut self, name: &str, set: &HashMap<&str, Set>, tokens: &[Token]) -> Value {
        let before = set.get(name).filter(|_| mentions(tokens, name)).map(Set::last);
        let Some(before) = before.flatten() else { return self.value(tokens, 0) };
        self.known.insert(name.to_owned(), before);
        let value = self.value(tokens, 0);
        self.known.remove(name);
        value
    }

    /// The value of a list of Perl, of which one item is one, too: `@a = ("b")`.
    fn as_list(&self, tokens: &[Token], at: usize, value: Value) -> Value {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_list = self.language == Language::Perl && before == Some(&Token::Sign('@'));
        match value {
            Value::Text(text) if is_list && !text.contains([LISTED, READ]) => {
                Value::List(vec![Value::Text(text)])
            }
            value => value,
        }
    }

    /// Takes up a change of what a name stands for.
    fn changed<'t>(
        &mut self,
        tokens: &'t [Token],
        at: usize,
        set: &mut HashMap<&'t str, Set>,
        seen: Seen,
    ) {
        let Some(Token::Name(name)) = tokens.get(at) else { return };
        if self.is_spent() {
            return;
        }
        let known = self.known.get(name).cloned();
        let last = set.get(name.as_str()).and_then(Set::last).or_else(|| known.clone());
        let Some(last) = last.filter(|last| *last != Value::Unknown) else { return };
        let Some(change) = changes::change(self.language, tokens, at) else { return };
        let value = match (change, last) {
            (Change::Added(tokens), Value::Object(fields)) => match self.value(tokens, 0) {
                Value::Object(more) => Value::Object(fields.into_iter().chain(more).collect()),
                _ => Value::Object(fields),
            },
            (Change::Field(field, tokens), Value::Object(mut fields)) => {
                fields.push((field.to_owned(), self.value(tokens, 0)));
                Value::Object(fields)
            }
            (Change::Added(tokens), last @ (Value::List(_) | Value::Text(_))) => {
                let tokens = split(tokens, &[',']).first().copied().unwrap_or_default();
                concatenated([last, self.value(tokens, 0)].into_iter())
            }
            // `a << b << c`
            (Change::Pushed(tokens), Value::List(items)) if self.language == Language::Ruby => {
                let parts = split(tokens, &['<', ',']).into_iter().filter(|part| !part.is_empty());
                let parts = parts.map(|part| self.value(part, 0));
                lists(vec![Value::List(items), Value::List(parts.collect())])
            }
            (Change::Pushed(tokens), Value::List(items)) => {
                lists(vec![Value::List(items), self.list(tokens, 0)])
            }
            (Change::Before(tokens), Value::List(items)) => {
                lists(vec![self.list(tokens, 0), Value::List(items)])
            }
            (Change::Reversed, Value::List(items)) => {
                Value::List(items.into_iter().rev().collect())
            }
            _ => return,
        };
        self.spend(&value);
        let is_whole = match set.get_mut(name.as_str()) {
            Some(set) => {
                set.change(value.clone());
                set.count == seen.sets
            }
            None => true,
        };
        let value = set.get(name.as_str()).map_or(value, Set::whole);
        if is_whole {
            self.know(name, value);
        }
    }

    /// How often each name is set.
    fn seen<'t>(
        &self,
        tokens: &'t [Token],
        around: &[Option<char>],
        found: &HashMap<usize, Vec<loops::Loop<'t>>>,
    ) -> HashMap<&'t str, Seen> {
        let mut seen: HashMap<&str, Seen> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            if !sets(tokens, at) || is_setting(self.language, tokens, around, at) {
                continue;
            }
            // What is put behind it is a change, and sets nothing.
            let is_change = changes::change(self.language, tokens, at).is_some();
            let seen = seen.entry(name).or_default();
            seen.sets += u32::from(!is_change);
            let value = self.set_to(tokens, around, at);
            seen.own += u32::from(value.is_some_and(|value| mentions(value, name)));
        }
        for name in found.values().flatten().flat_map(|found| found.names.iter().copied()) {
            seen.entry(name).or_default().loops += 1;
        }
        seen
    }

    /// The expression that a name is set to at a place.
    fn set_to<'t>(
        &self,
        tokens: &'t [Token],
        around: &[Option<char>],
        at: usize,
    ) -> Option<&'t [Token]> {
        if let Some(value) = self.managed(tokens, at) {
            return Some(value);
        }
        // `const a = 1, b = 2`
        let is_list = self.language == Language::JavaScript
            && !matches!(around.get(at), Some(Some('(' | '[')));
        let is_next = is_list
            && at.checked_sub(1).and_then(|at| tokens.get(at)) == Some(&Token::Sign(','))
            && tokens.get(at + 1) == Some(&Token::Sign('='))
            && !matches!(tokens.get(at + 2), Some(Token::Sign('=' | '>')));
        if !is_next && !self.is_set(tokens, at) {
            return None;
        }
        let behind = tokens.get(self.begins(tokens, at)..).unwrap_or_default();
        let mut value = behind.get(..statement(behind)).unwrap_or_default();
        if self.language == Language::Lua {
            // Nothing has to stand between two statements.
            let ends = |pair: &[Token]| matches!(pair, [Token::Text(_) | Token::Sign(')' | '}'), Token::Name(word)] if word != "and" && word != "or");
            let end = value.windows(2).position(ends);
            value = value.get(..end.map_or(value.len(), |end| end + 1)).unwrap_or_default();
        }
        match is_list {
            true => split(value, &[',']).first().copied(),
            false => Some(value),
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
    fn managed<'t>(&self, tokens: &'t [Token], at: usize) -> Option<&'t [Token]> {
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
        split(behind, &[',']).last().copied().filter(|_| is_whole)
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
    fn item(&self, found: &loops::Loop<'_>, number: usize) -> Value {
        let (over, names) = (found.over, found.names.len());
        if found.is_walk {
            let below = |top: Value| join([top, Value::Text(LISTED.to_string())].into_iter());
            return match self.list(over, 0) {
                Value::List(folders) => Value::each(folders.into_iter().map(below).collect()),
                other => below(other),
            };
        }
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
        let value = match split(over, &[',']).len() {
            0 | 1 => self.value(over, 0),
            _ => self.list(over, 0),
        };
        value.items_of((names > 1).then_some(number))
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
        let mut called: HashSet<&str> = HashSet::new();
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            let Some((functions, count)) = by_name.get_mut(name.as_str()) else { continue };
            let Some(call) = functions::call(tokens, at).filter(|_| *count <= MAX_CALLS) else {
                continue;
            };
            *count += 1;
            let call = call.filter(|_| *count <= MAX_CALLS);
            if call.is_some() {
                called.insert(name.as_str());
            }
            for function in functions.iter() {
                for (number, parameter) in function.parameters.iter().enumerate() {
                    let value = match (&call, function.rest) {
                        (Some(parts), Some(rest)) if rest == number => Value::List(
                            parts.iter().skip(number).map(|part| self.value(part, 0)).collect(),
                        ),
                        (Some(parts), _) => match argument(parts, number, parameter) {
                            Some(part) => self.value(part, 0),
                            None => self.usual(function, number),
                        },
                        (None, _) => self.usual(function, number).or_unknown(),
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
        // What is only passed on is called with what the words say, where that is known.
        let called: HashSet<&String> = defined
            .iter()
            .filter(|function| called.contains(function.name.as_str()))
            .flat_map(|function| &function.parameters)
            .collect();
        given
            .into_iter()
            .map(|(name, values)| {
                let is_open =
                    !called.contains(&name) || values.iter().all(|value| *value == Value::Unknown);
                let said = self.option_of_parameter(functions::plain(&name));
                match said.filter(|_| is_open) {
                    Some(value) => (name, value),
                    None if values.is_empty() && fixture(&name) => {
                        (name, Value::Text(MADE.to_owned()))
                    }
                    None => (name, Value::each(values)),
                }
            })
            .collect()
    }

    /// What a parameter is unless a call says so.
    fn usual(&self, function: &Function, number: usize) -> Value {
        let usual = function.usual.get(number).filter(|tokens| !tokens.is_empty());
        usual.map_or(Value::Unknown, |tokens| self.value(tokens, 0))
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
    let is_named = |part: &&[Token]| matches!(trimmed(part), [Token::Name(_), Token::Sign('='), next, ..] if *next != Token::Sign('='));
    named.or_else(|| parts.get(number).copied().filter(|part| !is_named(part)))
}
