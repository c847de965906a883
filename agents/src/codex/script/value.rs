//! What a constant expression of a script is worth: texts, numbers, lists and objects that are written
//! out, their sums, names that stand for them, and the few methods that scripts use on them. Nothing is
//! run, and nothing is guessed: what is not known has no value.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::codex::script::names::{Names, Origin, Part};
use crate::codex::script::token::Token;

/// A value that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    /// A number, `true`, `false` or `null`, as JSON has it.
    Word(String),
    List(Vec<Value>),
    Object(Object),
}

/// An object, some of whose fields may not be known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Object {
    fields: Vec<(String, Option<Value>)>,
    /// Whether it may have other fields, too.
    is_open: bool,
}

impl Object {
    fn set(&mut self, key: String, value: Option<Value>) {
        match self.fields.iter_mut().find(|(known, _)| *known == key) {
            Some(field) => field.1 = value,
            None => self.fields.push((key, value)),
        }
    }

    /// Something that is not known is put over it.
    fn blur(&mut self) {
        self.fields.clear();
        self.is_open = true;
    }

    /// The value of the first of these fields that it has. The outer `None` if nobody knows, the inner
    /// one if it has none of them.
    pub(super) fn field(&self, names: &[&str]) -> Option<Option<&Value>> {
        let find = |name: &&str| self.fields.iter().find(|(known, _)| known == name);
        match names.iter().find_map(find) {
            Some((_, value)) => value.as_ref().map(Some),
            None if self.is_open => None,
            None => Some(None),
        }
    }
}

impl Value {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is in a sum with a text.
    fn printed(&self) -> Option<&str> {
        match self {
            Value::Text(text) | Value::Word(text) => Some(text),
            _ => None,
        }
    }

    /// Its JSON text, if all of it is known.
    pub(super) fn json(&self) -> Option<String> {
        Some(match self {
            Value::Text(text) => quoted(text),
            Value::Word(word) => word.clone(),
            Value::List(items) => {
                let items: Option<Vec<String>> = items.iter().map(Value::json).collect();
                format!("[{}]", items?.join(","))
            }
            Value::Object(object) if object.is_open => return None,
            Value::Object(object) => object.known_json(true)?,
        })
    }

    /// How much room it takes, about.
    fn size(&self) -> usize {
        match self {
            Value::Text(text) | Value::Word(text) => text.len() + 1,
            Value::List(items) => items.iter().map(Value::size).sum::<usize>() + 1,
            Value::Object(object) => {
                let field = |(key, value): &(String, Option<Value>)| {
                    key.len() + value.as_ref().map_or(0, Value::size)
                };
                object.fields.iter().map(field).sum::<usize>() + 1
            }
        }
    }

    fn is_scalar(&self) -> bool {
        matches!(self, Value::Text(_) | Value::Word(_))
    }

    /// Whether it is a list of texts and numbers, so that nothing can be done to its items.
    fn is_flat(&self) -> bool {
        matches!(self, Value::List(items) if items.iter().all(Value::is_scalar))
    }

    /// The part of it that a name stands for in a pattern.
    fn part(self, part: &Part) -> Option<Value> {
        match (part, self) {
            (Part::Whole, value) => Some(value),
            (Part::Item(index), Value::List(items)) => items.into_iter().nth(*index),
            (Part::Field(name), Value::Object(object)) => object.field(&[name])??.clone().into(),
            _ => None,
        }
    }
}

impl Object {
    /// The JSON text of its fields; of those that are known unless `all` must be.
    pub(super) fn known_json(&self, all: bool) -> Option<String> {
        let mut fields = Vec::new();
        for (key, value) in &self.fields {
            match value.as_ref().and_then(Value::json) {
                Some(value) => fields.push(format!("{}:{value}", quoted(key))),
                None if all => return None,
                None => {}
            }
        }
        Some(format!("{{{}}}", fields.join(",")))
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A value, and the tokens behind it.
type Found<'t, 's> = (Value, &'t [Token<'s>]);

/// Works constant expressions out.
pub(super) struct Evaluator<'t, 's, 'n> {
    names: &'n Names<'t, 's>,
    /// Which item each list is at that is gone through; those that were asked for.
    at: RefCell<BTreeMap<usize, usize>>,
    /// How much was copied, in bytes: names may double a text again and again.
    copied: Cell<usize>,
}

impl<'t, 's, 'n> Evaluator<'t, 's, 'n> {
    /// Expressions that nest deeper, by way of names too, have no value.
    const MAX_DEPTH: u32 = 32;

    /// Scripts that copy more of their constants have no values any more, in bytes.
    const MAX_COPIED: usize = 4 << 20;

    pub(super) fn new(names: &'n Names<'t, 's>) -> Self {
        Self { names, at: RefCell::default(), copied: Cell::new(0) }
    }

    /// The values that `work` comes to, one for each turn of the loops that it depends on. `None` if one
    /// of them is not known, or if there are more than `max`.
    pub(super) fn each<T>(&self, max: usize, work: impl Fn(&Self) -> Option<T>) -> Option<Vec<T>> {
        self.at.borrow_mut().clear();
        let mut values = Vec::new();
        loop {
            if values.len() == max {
                return None;
            }
            values.push(work(self)?);
            if !self.turn()? {
                return Some(values);
            }
        }
    }

    /// Goes on to the next items of the lists that were asked for; `false` after the last.
    fn turn(&self) -> Option<bool> {
        let loops: Vec<(usize, usize)> =
            self.at.borrow().iter().rev().map(|(list, item)| (*list, *item)).collect();
        for (list, item) in loops {
            let count = self.items(list, 0)?.len();
            if item + 1 < count {
                self.at.borrow_mut().insert(list, item + 1);
                return Some(true);
            }
            self.at.borrow_mut().insert(list, 0);
        }
        Some(false)
    }

    /// The items of a list that is gone through.
    fn items(&self, list: usize, depth: u32) -> Option<Vec<Value>> {
        match self.value(self.names.list(list)?, depth)? {
            (Value::List(items), []) => Some(items),
            _ => None,
        }
    }

    /// The value of an expression, which ends where something begins that is no part of it.
    pub(super) fn value(&self, tokens: &'t [Token<'s>], depth: u32) -> Option<Found<'t, 's>> {
        if depth > Self::MAX_DEPTH {
            return None;
        }
        let (mut sum, mut rest) = self.term(tokens, depth)?;
        while let [Token::Sign('+'), after @ ..] = rest {
            let (more, end) = self.term(after, depth)?;
            if sum.text().is_none() && more.text().is_none() {
                return None;
            }
            self.spend(sum.size() + more.size())?;
            sum = Value::Text(format!("{}{}", sum.printed()?, more.printed()?));
            rest = end;
        }
        Some((sum, rest))
    }

    fn spend(&self, size: usize) -> Option<()> {
        self.copied.set(self.copied.get().saturating_add(size));
        (self.copied.get() <= Self::MAX_COPIED).then_some(())
    }

    fn term(&self, tokens: &'t [Token<'s>], depth: u32) -> Option<Found<'t, 's>> {
        let (mut value, mut rest) = self.primary(tokens, depth)?;
        self.spend(value.size())?;
        while let [Token::Sign('.'), Token::Name(name), after @ ..] = rest {
            (value, rest) = match after.split_first() {
                Some((Token::Sign('('), after)) => {
                    let (arguments, end) = self.items_until(after, ')', depth)?;
                    (method(&value, name, &arguments)?, end)
                }
                _ => (value.part(&Part::Field((*name).to_owned()))?, after),
            };
        }
        Some((value, rest))
    }

    fn primary(&self, tokens: &'t [Token<'s>], depth: u32) -> Option<Found<'t, 's>> {
        let (first, rest) = tokens.split_first()?;
        match (first, rest) {
            (Token::Text(text), _) => Some((Value::Text(text.clone()), rest)),
            (Token::Head(text), _) => self.template(text.as_ref()?, rest, depth),
            (Token::Sign('['), _) => {
                let (items, rest) = self.items_until(rest, ']', depth)?;
                Some((Value::List(items), rest))
            }
            (Token::Sign('{'), _) => self.object(rest, depth),
            (Token::Sign('('), _) => match self.value(rest, depth + 1)? {
                (value, [Token::Sign(')'), rest @ ..]) => Some((value, rest)),
                _ => None,
            },
            (Token::Name(name), [Token::Sign('.'), Token::Name(method), ..])
                if matches!(*name, "String" | "JSON" | "Object") =>
            {
                // A script may have put something else in their place.
                if self.names.is_bound(name) || self.names.is_bound(method) {
                    return None;
                }
                self.function(name, method, rest.get(2..)?, depth)
            }
            (Token::Name(word @ ("true" | "false" | "null")), _) => {
                Some((Value::Word((*word).to_owned()), rest))
            }
            (Token::Name(name), _) if name.starts_with(|first: char| first.is_ascii_digit()) => {
                let number = name.parse::<u32>().ok()?.to_string();
                (number == **name).then_some((Value::Word(number), rest))
            }
            (Token::Name(name), _) => Some((self.name(name, depth)?, rest)),
            _ => None,
        }
    }

    /// What a name stands for.
    fn name(&self, name: &str, depth: u32) -> Option<Value> {
        let value = match self.names.find(name)? {
            Origin::Value(tokens) => {
                let (value, end) = self.value(tokens, depth + 1)?;
                ends(end).then_some(value)?
            }
            Origin::Item { list, part } => {
                let at = *self.at.borrow_mut().entry(*list).or_insert(0);
                self.items(*list, depth + 1)?.into_iter().nth(at)?.part(part)?
            }
        };
        let is_believed = value.is_scalar() || self.names.stays_as_it_is(name, value.is_flat());
        is_believed.then_some(value)
    }

    fn template(&self, head: &str, tokens: &'t [Token<'s>], depth: u32) -> Option<Found<'t, 's>> {
        let (mut text, mut rest) = (head.to_owned(), tokens);
        loop {
            let (value, end) = self.value(rest, depth + 1)?;
            self.spend(text.len())?;
            text.push_str(value.printed()?);
            let (piece, after) = end.split_first()?;
            match piece {
                Token::Middle(piece) => text.push_str(piece.as_ref()?),
                Token::Tail(piece) => {
                    text.push_str(piece.as_ref()?);
                    return Some((Value::Text(text), after));
                }
                _ => return None,
            }
            rest = after;
        }
    }

    /// A function of the language that scripts make texts and lists with.
    fn function(
        &self,
        object: &str,
        name: &str,
        tokens: &'t [Token<'s>],
        depth: u32,
    ) -> Option<Found<'t, 's>> {
        match (object, name, tokens.split_first()?) {
            ("String", "raw", (Token::Text(text), rest)) => Some((Value::Text(text.clone()), rest)),
            ("JSON", "stringify", (Token::Sign('('), rest)) => {
                let (arguments, rest) = self.items_until(rest, ')', depth)?;
                let [value] = arguments.as_slice() else { return None };
                Some((Value::Text(value.json()?), rest))
            }
            ("Object", "entries", (Token::Sign('('), rest)) => {
                let (arguments, rest) = self.items_until(rest, ')', depth)?;
                let [Value::Object(Object { fields, is_open: false })] = arguments.as_slice()
                else {
                    return None;
                };
                let pair = |(key, value): &(String, Option<Value>)| {
                    // Numbers come first, whatever the order.
                    let is_number = key.bytes().all(|digit| digit.is_ascii_digit());
                    let key = Some(key.clone()).filter(|_| !is_number)?;
                    Some(Value::List(vec![Value::Text(key), value.clone()?]))
                };
                Some((Value::List(fields.iter().map(pair).collect::<Option<_>>()?), rest))
            }
            _ => None,
        }
    }

    /// The values up to a closing sign, with commas between them.
    fn items_until(
        &self,
        tokens: &'t [Token<'s>],
        close: char,
        depth: u32,
    ) -> Option<(Vec<Value>, &'t [Token<'s>])> {
        let (mut items, mut rest) = (Vec::new(), tokens);
        loop {
            match rest {
                [Token::Sign(sign), rest @ ..] if *sign == close => return Some((items, rest)),
                _ => {}
            }
            let (value, end) = self.value(rest, depth + 1)?;
            items.push(value);
            rest = after_item(end, close)?;
        }
    }

    /// An object, behind its opening brace. Fields whose values are not known are passed over.
    fn object(&self, tokens: &'t [Token<'s>], depth: u32) -> Option<Found<'t, 's>> {
        let (mut object, mut rest) = (Object::default(), tokens);
        loop {
            let (key, value) = match rest {
                [Token::Sign('}'), rest @ ..] => return Some((Value::Object(object), rest)),
                [Token::Sign('.'), Token::Sign('.'), Token::Sign('.'), after @ ..] => {
                    rest = self.spread(&mut object, after, depth)?;
                    continue;
                }
                [Token::Sign('['), after @ ..] => match self.value(after, depth + 1) {
                    Some((Value::Text(key), [Token::Sign(']'), Token::Sign(':'), value @ ..])) => {
                        (key, value)
                    }
                    _ => {
                        object.blur();
                        rest = after_item(self.behind_item(rest)?, '}')?;
                        continue;
                    }
                },
                [Token::Name(key), Token::Sign(':'), value @ ..] => ((*key).to_owned(), value),
                [Token::Text(key), Token::Sign(':'), value @ ..] => (key.clone(), value),
                [Token::Name(key), Token::Sign(',' | '}'), ..] => ((*key).to_owned(), rest),
                _ => return None,
            };
            // What a prototype brings with it is not seen here.
            if key == "__proto__" {
                return None;
            }
            let found = self.value(value, depth + 1);
            let found = found.filter(|(_, end)| after_item(end, '}').is_some());
            let (value, end) = match found {
                Some((value, end)) => (Some(value), end),
                None => (None, self.behind_item(value)?),
            };
            object.set(key, value);
            rest = after_item(end, '}')?;
        }
    }

    /// The comma or the closing sign behind an item, whatever that is.
    fn behind_item(&self, tokens: &'t [Token<'s>]) -> Option<&'t [Token<'s>]> {
        let (mut depth, mut rest) = (0_u32, tokens);
        while let Some((token, after)) = rest.split_first() {
            if depth == 0 && (token.closes() || *token == Token::Sign(',')) {
                break;
            }
            if token.opens() {
                depth += 1;
            } else if token.closes() {
                depth -= 1;
            }
            self.spend(1)?;
            rest = after;
        }
        Some(rest)
    }

    /// Puts the fields of another object over those of one.
    fn spread(
        &self,
        object: &mut Object,
        tokens: &'t [Token<'s>],
        depth: u32,
    ) -> Option<&'t [Token<'s>]> {
        let found = self.value(tokens, depth + 1);
        match found.filter(|(_, end)| after_item(end, '}').is_some()) {
            Some((Value::Object(other), end)) if !other.is_open => {
                for (key, value) in other.fields {
                    object.set(key, value.filter(Value::is_scalar));
                }
                after_item(end, '}')
            }
            _ => {
                object.blur();
                after_item(self.behind_item(tokens)?, '}')
            }
        }
    }
}

/// What a method of a constant returns.
fn method(value: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
    let text = match (value, name, arguments) {
        (Value::List(items), "join", [Value::Text(between)]) => joined(items, between)?,
        (Value::List(items), "join", []) => joined(items, ",")?,
        (Value::Text(text), "trim", []) => text.trim().trim_matches('\u{feff}').to_owned(),
        (Value::Text(text), "toString", []) => text.clone(),
        (Value::Text(text), "replaceAll", [Value::Text(from), Value::Text(to)])
            if !from.is_empty() && !to.contains('$') =>
        {
            let count = text.matches(from.as_str()).count();
            // No more than the text itself may be added to it.
            (count.checked_mul(to.len())? <= (1 << 20)).then(|| text.replace(from, to))?
        }
        _ => return None,
    };
    Some(Value::Text(text))
}

fn joined(items: &[Value], between: &str) -> Option<String> {
    let texts: Option<Vec<&str>> = items.iter().map(Value::text).collect();
    let texts = texts?;
    (texts.len().checked_mul(between.len())? <= (1 << 20)).then(|| texts.join(between))
}

/// What follows an item of an object or a list, behind its comma.
fn after_item<'t, 's>(tokens: &'t [Token<'s>], close: char) -> Option<&'t [Token<'s>]> {
    match tokens {
        [Token::Sign(','), rest @ ..] => Some(rest),
        [Token::Sign(sign), ..] if *sign == close => Some(tokens),
        _ => None,
    }
}

/// Whether an expression that is given to a name ends where these tokens begin.
fn ends(tokens: &[Token<'_>]) -> bool {
    match tokens.first() {
        None | Some(Token::Sign(';' | ',' | '}')) => true,
        Some(Token::Name(name)) => !matches!(*name, "in" | "instanceof" | "as"),
        _ => false,
    }
}
