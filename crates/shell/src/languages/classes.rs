//! Fields of classes of Python that are set where the class is defined, as constants and the fields of a `dataclass` are: each
//! becomes one name, so that what it is set to can be told.

use std::collections::{HashMap, HashSet};

use super::parts::{closing, fields_set};
use super::token::{Code, Token};

/// No more classes are looked at.
const MAX: usize = 64;

/// A class and its fields.
struct Class {
    name: String,
    /// The tokens of its body.
    from: usize,
    to: usize,
    /// How far in its fields stand.
    indent: u32,
    /// The places where its fields are set, by their names.
    fields: HashMap<String, usize>,
}

/// Makes one name of `Class.field`, of `self.field` in the class, and of `made.field` of what is made by `made = Class()`.
pub fn join(code: &mut Code) {
    let classes: Vec<Class> =
        (0..code.tokens.len()).filter_map(|at| class(code, at)).take(MAX).collect();
    if classes.iter().all(|class| class.fields.is_empty()) {
        return;
    }
    let tokens = std::mem::take(&mut code.tokens);
    let indents = std::mem::take(&mut code.indents);
    let (made, set_later) = (made(&tokens, &classes), fields_set(&tokens));
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let around = classes.iter().rev().find(|class| (class.from..class.to).contains(&at));
        let (name, length) = match named(&tokens, at, around, &classes, &made, &set_later) {
            Some(name) => (Some(name), 3),
            None => (own_field(&tokens, &indents, at, around), 1),
        };
        // What it is declared as stands between its name and what it is set to.
        let is_set = around
            .zip(name.as_ref())
            .is_some_and(|(class, _)| class.fields.values().any(|place| *place == at));
        code.indents.extend(indents.get(at));
        code.tokens.push(name.map_or_else(|| token.clone(), Token::Name));
        at += length;
        if is_set && let Some(declared) = declared_as(&tokens, at) {
            at += declared;
        }
    }
}

/// The class whose definition a token begins.
fn class(code: &Code, at: usize) -> Option<Class> {
    let tokens = &code.tokens;
    let [Token::Name(word), Token::Name(name), rest @ ..] = tokens.get(at..)? else { return None };
    let begins = at.checked_sub(1).is_none_or(|at| tokens.get(at) == Some(&Token::Sign('\n')));
    if word != "class" || !begins {
        return None;
    }
    let head = match rest.first()? {
        Token::Sign('(') => closing(tokens, at + 2)? + 1,
        _ => at + 2,
    };
    let is_break = |at: &usize| tokens.get(*at) == Some(&Token::Sign('\n'));
    let own = code.indents.get(at).copied()?;
    let from = (head..tokens.len()).find(|at| *at > head && !is_break(at))?;
    let indent = code.indents.get(from).copied().filter(|indent| *indent > own)?;
    let ends = |at: &usize| !is_break(at) && code.indents.get(*at).is_some_and(|it| *it <= own);
    let to = (from..tokens.len()).find(ends).unwrap_or(tokens.len());
    let mut fields = HashMap::new();
    let mut twice = Vec::new();
    for at in from..to {
        let begins = at == from || is_break(&(at - 1));
        if let Some(Token::Name(field)) = tokens.get(at)
            && begins
            && code.indents.get(at) == Some(&indent)
            && is_set(tokens, at)
            && fields.insert(field.clone(), at).is_some()
        {
            twice.push(field.clone());
        }
    }
    fields.retain(|field, _| !twice.contains(field));
    Some(Class { name: name.clone(), from, to, indent, fields })
}

/// Whether a name is set at the beginning of a line: `a = 1`, `a: int = 1`.
fn is_set(tokens: &[Token], at: usize) -> bool {
    let behind = declared_as(tokens, at + 1).unwrap_or(0);
    let is_equal = |at: usize| tokens.get(at) == Some(&Token::Sign('='));
    is_equal(at + 1 + behind) && !is_equal(at + 2 + behind)
}

/// How many tokens say as what a name is declared, before what it is set to: `: int`.
fn declared_as(tokens: &[Token], at: usize) -> Option<usize> {
    /// Longer ones are not looked at.
    const MAX_LENGTH: usize = 16;
    if tokens.get(at) != Some(&Token::Sign(':')) {
        return None;
    }
    let behind = tokens.get(at..)?.iter().take(MAX_LENGTH);
    let ends = |token: &&Token| matches!(token, Token::Sign('=' | '\n' | ';'));
    let length = behind.take_while(|token| !ends(token)).count();
    (tokens.get(at + length) == Some(&Token::Sign('='))).then_some(length)
}

/// The names that are set once, to what a class makes that is given nothing.
fn made<'t>(tokens: &'t [Token], classes: &[Class]) -> HashMap<&'t str, usize> {
    let mut made = HashMap::new();
    for (at, window) in tokens.windows(5).enumerate() {
        let [
            Token::Name(name),
            Token::Sign('='),
            Token::Name(class),
            Token::Sign('('),
            Token::Sign(')'),
        ] = window
        else {
            continue;
        };
        let number = classes.iter().position(|known| known.name == *class);
        let is_field = at > 0 && tokens.get(at - 1) == Some(&Token::Sign('.'));
        if let Some(number) = number.filter(|_| !is_field) {
            made.insert(name.as_str(), number);
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        if let Token::Name(name) = token
            && let Some(number) = made.get(name.as_str()).copied()
            && tokens.get(at + 1) == Some(&Token::Sign('='))
            && tokens.get(at + 2)
                != classes.get(number).map(|it| Token::Name(it.name.clone())).as_ref()
        {
            made.remove(name.as_str());
        }
    }
    made
}

/// The one name of what three tokens say at a place.
fn named(
    tokens: &[Token],
    at: usize,
    around: Option<&Class>,
    classes: &[Class],
    made: &HashMap<&str, usize>,
    set_later: &HashSet<&str>,
) -> Option<String> {
    let [Token::Name(of), Token::Sign('.'), Token::Name(field)] = tokens.get(at..at + 3)? else {
        return None;
    };
    let is_inner = at.checked_sub(1).is_some_and(|at| tokens.get(at) == Some(&Token::Sign('.')));
    let class = match of.as_str() {
        "self" | "cls" => around,
        of => classes
            .iter()
            .find(|class| class.name == of)
            .or_else(|| made.get(of).and_then(|number| classes.get(*number))),
    }?;
    let is_own = class.fields.contains_key(field) && !set_later.contains(field.as_str());
    (is_own && !is_inner).then(|| format!("{}.{field}", class.name))
}

/// The one name of a field that stands alone in its class.
fn own_field(
    tokens: &[Token],
    indents: &[u32],
    at: usize,
    around: Option<&Class>,
) -> Option<String> {
    let class = around.filter(|class| indents.get(at) == Some(&class.indent))?;
    let Some(Token::Name(field)) = tokens.get(at) else { return None };
    let is_inner = at.checked_sub(1).is_some_and(|at| tokens.get(at) == Some(&Token::Sign('.')));
    let is_setting =
        at.checked_sub(1).is_some_and(|at| matches!(tokens.get(at), Some(Token::Sign('(' | ','))))
            && tokens.get(at + 1) == Some(&Token::Sign('='));
    let is_own = class.fields.get(field).is_some_and(|place| *place <= at);
    (is_own && !is_inner && !is_setting).then(|| format!("{}.{field}", class.name))
}
