//! Writes out the texts that code puts together of constants while it runs: `chr(114) + "m"` as `"rm"`. Means the same; what
//! is made of constants says `constants.rs`, and what a name is set to counts only where nothing else may change it.

use std::collections::HashMap;

use super::constants::{self, Constant, FUNCTIONS, LIBRARIES};
use super::language::Language;
use super::lookups;
use super::parts::{closing, is_plainly_set, outside, sets, split, trimmed};
use super::rebound;
use super::token::{Code, Template, Token};
use crate::hole::{HOLE, is_mark};

/// Expressions stand in others, so deep.
const MAX_DEPTH: u32 = 16;

/// So much is looked at for each token of the code, and so much at least.
const STEPS: usize = 64;
const MIN_STEPS: usize = 1 << 16;

/// Writes out the texts of code.
pub fn fold(language: Language, code: &mut Code) {
    let is_known = |token: &Token| match token {
        Token::Name(name) => FUNCTIONS.contains(&name.as_str()) || is_method(name),
        Token::Filled(_) => true,
        _ => false,
    };
    let is_cut = |pair: &[Token]| match pair {
        [Token::Text(_), Token::Sign('%' | '+' | '[')] => true,
        [Token::Text(_), Token::Sign('.')] => {
            matches!(language, Language::Perl | Language::Php | Language::Lua)
        }
        [Token::Sign(']' | '+'), Token::Sign('[')] | [Token::Sign('+'), Token::Text(_)] => true,
        [Token::Name(_), Token::Sign('[')] => true,
        [Token::Text(_), Token::Name(_)] => language == Language::Awk,
        [Token::Sign(')'), Token::Sign('[')] => true,
        _ => false,
    };
    if !code.tokens.iter().any(is_known) && !code.tokens.windows(2).any(is_cut) {
        return;
    }
    let tokens = std::mem::take(&mut code.tokens);
    let indents = std::mem::take(&mut code.indents);
    let mut folder = Folder::new(language, &tokens);
    folder.learn();
    let mut at = 0;
    while at < tokens.len() {
        let taken = folder.step(at, &mut code.tokens).max(1);
        code.indents.resize(code.tokens.len(), indents.get(at).copied().unwrap_or_default());
        at += taken;
    }
}

/// Whether a name may be that of a method which makes a text of another one.
fn is_method(name: &str) -> bool {
    matches!(
        name,
        "replace"
            | "replaceAll"
            | "lower"
            | "upper"
            | "toLowerCase"
            | "downcase"
            | "slice"
            | "substring"
            | "charAt"
            | "toString"
            | "strip"
            | "encode"
            | "gsub"
            | "split"
            | "chars"
    )
}

struct Folder<'t> {
    language: Language,
    tokens: &'t [Token],
    known: HashMap<String, Constant>,
    /// Names that the code gives a meaning, with how often it does so.
    set: HashMap<&'t str, u32>,
    /// What is done: a function or an operator for each.
    work: u32,
    left: usize,
}

impl<'t> Folder<'t> {
    fn new(language: Language, tokens: &'t [Token]) -> Self {
        let left = MIN_STEPS.max(tokens.len().saturating_mul(STEPS));
        Self { language, tokens, known: HashMap::new(), set: HashMap::new(), work: 0, left }
    }

    /// Takes up what names are set to that are set once, and changed by nothing.
    fn learn(&mut self) {
        let tokens = self.tokens;
        for (at, token) in tokens.iter().enumerate() {
            if let Token::Name(name) = token
                && sets(tokens, at)
            {
                *self.set.entry(name).or_default() += 1;
            }
        }
        for name in rebound::names(self.language, tokens) {
            *self.set.entry(name).or_default() += 2;
        }
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            if self.set.get(name.as_str()) != Some(&1) || !is_plainly_set(tokens, at) {
                continue;
            }
            let Some((value, end)) = self.expression(tokens, at + 2, 0) else { continue };
            let is_whole = match tokens.get(end) {
                None | Some(Token::Sign(';' | '\n' | '}')) => true,
                Some(Token::Sign(',')) => self.language == Language::JavaScript,
                Some(Token::Name(_)) => self.language == Language::Lua,
                _ => false,
            };
            let is_fixed = !matches!(value, Constant::List(_)) || self.is_only_read(name);
            if is_whole && is_fixed {
                self.known.insert(name.clone(), value);
            }
        }
        self.work = 0;
    }

    /// Whether a list is only read: nothing that the code hands it to may change it.
    fn is_only_read(&self, name: &str) -> bool {
        const READ: &[&str] = &["join", "map", "concat", "slice", "reverse", "pack"];
        let is_own =
            |at: &usize| matches!(self.tokens.get(*at), Some(Token::Name(own)) if own == name);
        let at = |at: usize| self.tokens.get(at);
        let reads = |place: usize| {
            let mark = usize::from(matches!(
                place.checked_sub(1).and_then(at),
                Some(Token::Sign('$' | '@'))
            ));
            let before = |count: usize| place.checked_sub(count + mark).and_then(at);
            let is_reader = |token: Option<&Token>| matches!(token, Some(Token::Name(own)) if FUNCTIONS.contains(&own.as_str()));
            let is_argument = matches!(before(1), Some(Token::Sign('(' | ',')))
                && (is_reader(before(2)) || is_reader(before(3)) || is_reader(before(4)));
            let is_over = matches!(before(1), Some(Token::Name(word)) if word == "in" || FUNCTIONS.contains(&word.as_str()));
            match at(place + 1) {
                Some(Token::Sign('=')) => sets(self.tokens, place),
                Some(Token::Sign('[')) => {
                    let close = closing(self.tokens, place + 1);
                    close.is_some_and(|close| at(close + 1) != Some(&Token::Sign('=')))
                }
                Some(Token::Sign('.')) => {
                    matches!(at(place + 2), Some(Token::Name(method)) if READ.contains(&method.as_str()) && (method != "reverse" || self.language == Language::Ruby))
                }
                _ => is_argument || is_over,
            }
        };
        (0..self.tokens.len()).filter(is_own).all(reads)
    }

    /// Takes what stands at a place. Returns how many tokens that are.
    fn step(&mut self, at: usize, out: &mut Vec<Token>) -> usize {
        self.work = 0;
        if self.may_begin(at)
            && let Some((value, end)) = self.expression(self.tokens, at, 0)
            && (self.work > 0 || self.is_looked_up(at, end))
            && self.write(&value, out)
        {
            return end - at;
        }
        match self.tokens.get(at) {
            Some(Token::Filled(template)) => {
                let template = self.template(template);
                out.push(Token::Filled(template));
            }
            token => out.extend(token.cloned()),
        }
        1
    }

    /// A text with the values that are put into it, where some of these may be written out.
    fn template(&mut self, template: &Template) -> Template {
        let fold = |folder: &mut Self, code: &Vec<Token>| match folder.expression(code, 0, 1) {
            Some((Constant::Text(text), end)) if end == code.len() => vec![Token::Text(text)],
            _ => code.clone(),
        };
        let values = template.values.iter().map(|code| fold(self, code)).collect();
        Template { text: template.text.clone(), values }
    }

    /// Whether a name stands alone where a function or a library is looked up by it.
    fn is_looked_up(&self, at: usize, end: usize) -> bool {
        let before = |count: usize| at.checked_sub(count).and_then(|at| self.tokens.get(at));
        let is_name = matches!(self.tokens.get(at), Some(Token::Name(_) | Token::Sign('$')));
        let is_end = matches!(self.tokens.get(end), Some(Token::Sign(')' | ',' | ']')));
        let is_loader = |token: Option<&Token>| matches!(token, Some(Token::Name(name)) if lookups::finds(name).is_some());
        let is_member = before(1) == Some(&Token::Sign('['))
            && matches!(before(2), Some(Token::Name(_) | Token::Sign(')' | ']')));
        let is_behind =
            before(1) == Some(&Token::Sign(',')) && before(3) == Some(&Token::Sign('('));
        is_name
            && is_end
            && (is_member
                || is_loader(before(1))
                || before(1) == Some(&Token::Sign('(')) && is_loader(before(2))
                || is_behind && is_loader(before(4)))
    }

    /// Writes a value as code.
    fn write(&self, value: &Constant, out: &mut Vec<Token>) -> bool {
        match value {
            Constant::Text(text) => out.push(Token::Text(text.clone())),
            Constant::List(items) => {
                let text = |item: &Constant| match item {
                    Constant::Text(text) => Some(Token::Text(text.clone())),
                    _ => None,
                };
                let Some(texts) = items.iter().map(text).collect::<Option<Vec<_>>>() else {
                    return false;
                };
                let (open, close) = match self.language {
                    Language::Perl => ('(', ')'),
                    Language::Lua => ('{', '}'),
                    _ => ('[', ']'),
                };
                out.push(Token::Sign(open));
                for (number, text) in texts.into_iter().enumerate() {
                    out.extend((number > 0).then_some(Token::Sign(',')));
                    out.push(text);
                }
                out.push(Token::Sign(close));
            }
            Constant::Number(_) => return false,
        }
        true
    }

    /// Whether an expression may begin at a place, and nothing before it takes a part of it.
    fn may_begin(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        let before = |count: usize| at.checked_sub(count).and_then(|at| self.tokens.get(at));
        let is_bracket = matches!(token, Some(Token::Sign('(' | '[')));
        match token {
            Some(Token::Text(_) | Token::Filled(_) | Token::Words(_) | Token::Name(_)) => {}
            Some(Token::Sign('(' | '[')) => {}
            Some(Token::Sign('$' | '@')) => {
                return matches!(before(1), Some(Token::Sign('(' | '[' | ',' | '=' | '.')))
                    || matches!(before(1), Some(Token::Name(_)));
            }
            _ => return false,
        }
        match before(1) {
            None => true,
            Some(Token::Sign('.')) => {
                matches!(self.language, Language::Perl | Language::Php)
                    || self.language == Language::Lua && before(2) == Some(&Token::Sign('.'))
            }
            Some(Token::Sign('>')) => before(2) == Some(&Token::Sign('=')),
            Some(Token::Sign(sign)) => {
                matches!(
                    sign,
                    '(' | '['
                        | '{'
                        | ','
                        | '='
                        | ':'
                        | ';'
                        | '\n'
                        | '+'
                        | '|'
                        | '&'
                        | '?'
                        | '!'
                        | '}'
                ) || *sign == ')' && !is_bracket
            }
            Some(Token::Name(word)) if is_bracket => matches!(
                word.as_str(),
                "return" | "in" | "and" | "or" | "not" | "if" | "print" | "yield" | "await" | "of"
            ),
            Some(Token::Name(word)) => {
                !matches!(word.as_str(), "def" | "function" | "sub" | "class" | "fn" | "func")
            }
            Some(_) => false,
        }
    }

    /// Counts what is looked at.
    fn spend(&mut self, count: usize) -> Option<()> {
        self.left = self.left.checked_sub(count)?;
        Some(())
    }

    /// The constant that begins at a place, as far as it goes, and where it ends.
    fn expression(&mut self, tokens: &[Token], at: usize, depth: u32) -> Option<(Constant, usize)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (mut value, mut end) = self.term(tokens, at, depth)?;
        loop {
            let (skipped, combine) = match self.operator(tokens, end) {
                Some(found) => found,
                None => return Some((value, end)),
            };
            let is_all = combine == '^';
            let right = match is_all {
                true => self.expression(tokens, end + skipped, depth + 1),
                false => self.term(tokens, end + skipped, depth + 1),
            };
            let next = right.and_then(|(right, behind)| {
                Some((self.combined(&value, combine, &right)?, behind))
            });
            let Some(next) = next else { return Some((value, end)) };
            self.work += 1;
            (value, end) = next;
            self.spend(size(&value))?;
        }
    }

    /// The operator between two values at a place: how many tokens it has, and what it does.
    fn operator(&self, tokens: &[Token], at: usize) -> Option<(usize, char)> {
        use Language::{Awk, Lua, Perl, Php};
        let is_sign = |at: usize, sign: char| tokens.get(at) == Some(&Token::Sign(sign));
        match tokens.get(at)? {
            Token::Sign(sign @ ('+' | '-' | '^'))
                if !is_sign(at + 1, '=') && !is_sign(at + 1, *sign) && !is_sign(at + 1, '>') =>
            {
                Some((1, *sign)).filter(|_| *sign != '^' || !matches!(self.language, Lua | Awk))
            }
            Token::Sign('.') if self.language == Lua && is_sign(at + 1, '.') => Some((2, '.')),
            Token::Sign('.')
                if matches!(self.language, Perl | Php)
                    && !is_sign(at + 1, '=')
                    && !is_sign(at + 1, '.') =>
            {
                Some((1, '.'))
            }
            Token::Text(_) if self.language == Awk => Some((0, '.')),
            Token::Name(name)
                if self.language == Awk
                    && (FUNCTIONS.contains(&name.as_str()) || self.known.contains_key(name)) =>
            {
                Some((0, '.'))
            }
            _ => None,
        }
    }

    fn combined(&self, left: &Constant, how: char, right: &Constant) -> Option<Constant> {
        use Constant::{List, Number, Text};
        let is_script = self.language == Language::JavaScript;
        let has_sums = matches!(
            self.language,
            Language::Python
                | Language::JavaScript
                | Language::Ruby
                | Language::Java
                | Language::Go
        );
        match (left, how, right) {
            (Number(left), '+', Number(right)) => left.checked_add(*right).map(Number),
            (Number(left), '-', Number(right)) => left.checked_sub(*right).map(Number),
            (Number(left), '^', Number(right)) => Some(Number(left ^ right)),
            (Text(_), '+', Text(_)) if has_sums => {
                constants::joined(&[left.clone(), right.clone()], "")
            }
            (Text(_), '+', Number(_)) if is_script => {
                constants::joined(&[left.clone(), right.clone()], "")
            }
            (List(left), '+', List(right)) if has_sums && !is_script => {
                Some(List(left.iter().chain(right).cloned().collect()))
            }
            (Text(_) | Number(_), '.', Text(_) | Number(_)) => {
                constants::joined(&[left.clone(), right.clone()], "")
            }
            _ => None,
        }
    }

    fn term(&mut self, tokens: &[Token], at: usize, depth: u32) -> Option<(Constant, usize)> {
        let (mut value, mut end) = self.item(tokens, at, depth)?;
        loop {
            let sign = match tokens.get(end) {
                Some(Token::Sign(sign @ ('*' | '%' | '/'))) => *sign,
                _ => return Some((value, end)),
            };
            let (right, behind) = self.item(tokens, end + 1, depth)?;
            value = match (&value, sign, right) {
                (Constant::Number(left), '*', Constant::Number(right)) => {
                    Constant::Number(left.checked_mul(right)?)
                }
                (Constant::Number(left), '%', Constant::Number(right))
                    if right > 0 && *left >= 0 =>
                {
                    Constant::Number(left % right)
                }
                (Constant::Text(template), '%', right)
                    if matches!(self.language, Language::Python | Language::Ruby) =>
                {
                    let values = match right {
                        Constant::List(values) => values,
                        value => vec![value],
                    };
                    constants::filled(template, &values)?
                }
                (text @ Constant::Text(_), '*', count @ Constant::Number(_))
                    if matches!(self.language, Language::Python | Language::Ruby) =>
                {
                    constants::function(self.language, "rep", &[text.clone(), count])?
                }
                _ => return None,
            };
            self.work += 1;
            self.spend(size(&value))?;
            end = behind;
        }
    }

    /// A value with the methods and places behind it.
    fn item(&mut self, tokens: &[Token], at: usize, depth: u32) -> Option<(Constant, usize)> {
        self.spend(1)?;
        let (mut value, mut end) = self.primary(tokens, at, depth)?;
        let has_methods = !matches!(self.language, Language::Perl | Language::Php | Language::Awk);
        loop {
            let method = match tokens.get(end..)? {
                [Token::Sign(sign), Token::Name(method), rest @ ..] if has_methods => {
                    let is_lua = self.language == Language::Lua;
                    let is_method = *sign == if is_lua { ':' } else { '.' };
                    let is_called = rest.first() == Some(&Token::Sign('('));
                    let is_alone = self.language == Language::Ruby && !is_called;
                    is_method
                        .then_some((method.as_str(), is_called))
                        .filter(|_| is_called || is_alone)
                }
                _ => None,
            };
            if let Some((method, is_called)) = method {
                let (next, behind) = match is_called {
                    true => self.method(&value, method, (tokens, end + 2), depth)?,
                    false => (constants::method(self.language, &value, method, &[])?, end + 2),
                };
                (value, end) = (next, behind);
            } else if tokens.get(end) == Some(&Token::Sign('[')) {
                let close = closing(tokens, end)?;
                let inner = tokens.get(end + 1..close)?;
                value = self.place(&value, inner, depth)?;
                end = close + 1;
            } else {
                let is_more = match tokens.get(end..)? {
                    [Token::Sign('.'), Token::Sign('.'), ..] => false,
                    [Token::Sign('.'), Token::Name(_), ..] => has_methods,
                    [Token::Sign(':'), Token::Name(_), Token::Sign('('), ..] => {
                        self.language == Language::Lua
                    }
                    [Token::Sign('('), ..] => self.language != Language::Php,
                    [Token::Sign('-'), Token::Sign('>'), ..]
                    | [Token::Sign(':'), Token::Sign(':'), ..]
                    | [Token::Sign('?'), Token::Sign('.'), ..] => true,
                    _ => false,
                };
                return (!is_more).then_some((value, end));
            }
            self.work += 1;
            self.spend(size(&value))?;
        }
    }

    fn method(
        &mut self,
        of: &Constant,
        name: &str,
        (tokens, open): (&[Token], usize),
        depth: u32,
    ) -> Option<(Constant, usize)> {
        let close = closing(tokens, open)?;
        let inner = trimmed(tokens.get(open + 1..close)?);
        if name == "map" {
            return Some((self.mapped(of, inner, depth)?, close + 1));
        }
        let given = self.arguments(inner, depth)?;
        Some((constants::method(self.language, of, name, &given)?, close + 1))
    }

    /// What a function that is written out makes of each item: `x => f(x)`, `lambda x: f(x)`, `&:chr`.
    fn mapped(&mut self, of: &Constant, function: &[Token], depth: u32) -> Option<Constant> {
        let items = constants::items(of.clone())?;
        let (name, body) = match function {
            [Token::Sign('&'), Token::Sign(':'), Token::Name(method)] => {
                let made = |item: &Constant| constants::method(self.language, item, method, &[]);
                return Some(Constant::List(items.iter().map(made).collect::<Option<_>>()?));
            }
            [Token::Name(name)] if FUNCTIONS.contains(&name.as_str()) && !self.is_own(name) => {
                let made = |item: &Constant| {
                    constants::function(self.language, name, std::slice::from_ref(item))
                };
                return Some(Constant::List(items.iter().map(made).collect::<Option<_>>()?));
            }
            [Token::Name(lambda), Token::Name(name), Token::Sign(':'), body @ ..]
                if lambda == "lambda" =>
            {
                (name, body)
            }
            [Token::Name(name), Token::Sign('='), Token::Sign('>'), body @ ..]
            | [
                Token::Sign('('),
                Token::Name(name),
                Token::Sign(')'),
                Token::Sign('='),
                Token::Sign('>'),
                body @ ..,
            ]
            | [
                Token::Name(_),
                Token::Sign('('),
                Token::Sign('$'),
                Token::Name(name),
                Token::Sign(')'),
                Token::Sign('='),
                Token::Sign('>'),
                body @ ..,
            ] => (name, body),
            _ => return None,
        };
        self.each(name, items, body, depth)
    }

    /// What an expression is for each of some values of a name.
    fn each(
        &mut self,
        name: &str,
        items: Vec<Constant>,
        body: &[Token],
        depth: u32,
    ) -> Option<Constant> {
        let before = self.known.remove(name);
        let mut found = Some(Vec::with_capacity(items.len()));
        for item in items {
            self.known.insert(name.to_owned(), item);
            let one = self.expression(body, 0, depth + 1);
            match (one.filter(|(_, end)| *end == body.len()), &mut found) {
                (Some((value, _)), Some(all)) => all.push(value),
                _ => {
                    found = None;
                    break;
                }
            }
        }
        self.known.remove(name);
        self.known.extend(before.map(|before| (name.to_owned(), before)));
        found.map(Constant::List)
    }

    /// An item or a part of a value: `[3]`, `[1:]`, `[::-1]`, `[0..2]`
    fn place(&mut self, of: &Constant, inner: &[Token], depth: u32) -> Option<Constant> {
        let language = self.language;
        let mut number = |tokens: &[Token]| -> Option<Option<i64>> {
            match (tokens, self.expression(tokens, 0, depth + 1)) {
                ([], _) => Some(None),
                (tokens, Some((Constant::Number(number), end))) if end == tokens.len() => {
                    Some(Some(number))
                }
                _ => None,
            }
        };
        let colons: Vec<&[Token]> = inner.split(|token| *token == Token::Sign(':')).collect();
        match (language, colons.as_slice()) {
            (Language::Python, [from, to]) => constants::cut(of, number(from)?, number(to)?, 1),
            (Language::Python, [from, to, step]) => {
                let step = number(step)?.unwrap_or(1);
                constants::cut(of, number(from)?, number(to)?, step)
            }
            (Language::Ruby, [_]) => {
                let two = [Token::Sign('.'), Token::Sign('.')];
                let Some(at) = inner.windows(2).position(|pair| pair == two) else {
                    return constants::item(of, number(inner)??);
                };
                let is_open = inner.get(at + 2) == Some(&Token::Sign('.'));
                let to = number(inner.get(at + 2 + usize::from(is_open)..)?)?;
                let to = match to {
                    Some(-1) if !is_open => None,
                    Some(to) if !is_open => Some(to.checked_add(1)?),
                    to => to,
                };
                constants::cut(of, number(inner.get(..at)?)?, to, 1)
            }
            // In Perl a text is no list, and in Lua places count from one.
            (Language::Perl, [_]) if matches!(of, Constant::Text(_)) => None,
            (Language::Lua | Language::Awk, _) => None,
            (Language::JavaScript | Language::Php, [_]) => {
                constants::item(of, number(inner)??.checked_abs()?)
            }
            (_, [_]) => constants::item(of, number(inner)??),
            _ => None,
        }
    }

    fn is_own(&self, name: &str) -> bool {
        self.set.contains_key(name)
    }

    fn primary(&mut self, tokens: &[Token], at: usize, depth: u32) -> Option<(Constant, usize)> {
        let rest = tokens.get(at..)?;
        match rest {
            [Token::Text(text), ..] if !text.contains(is_mark) => {
                Some((Constant::Text(text.clone()), at + 1))
            }
            [Token::Filled(template), ..] => Some((self.filled(template, depth)?, at + 1)),
            [Token::Words(words), ..] => {
                let words = words.iter().cloned().map(Constant::Text).collect();
                Some((Constant::List(words), at + 1))
            }
            [Token::Sign(open @ ('(' | '[')), ..] => {
                let close = closing(tokens, at)?;
                let inner = trimmed(tokens.get(at + 1..close)?);
                let items = self.list(inner, depth)?;
                let is_single = *open == '(' && inner.last() != Some(&Token::Sign(','));
                match <[Constant; 1]>::try_from(items) {
                    Ok([item]) if is_single && outside(inner, "for").is_none() => {
                        Some((item, close + 1))
                    }
                    Ok([item]) => Some((Constant::List(vec![item]), close + 1)),
                    Err(items) => {
                        let is_list = *open == '['
                            || matches!(self.language, Language::Python | Language::Perl);
                        is_list.then_some((Constant::List(items), close + 1))
                    }
                }
            }
            [Token::Sign('-'), Token::Name(digits), ..] => {
                Some((Constant::Number(number(digits)?.checked_neg()?), at + 2))
            }
            [Token::Sign('$' | '@'), Token::Name(name), ..] => {
                Some((self.known.get(name)?.clone(), at + 2))
            }
            [Token::Name(library), Token::Sign('.'), Token::Name(name), ..]
                if constants::named(library, name).is_some() =>
            {
                Some((constants::named(library, name)?, at + 3))
            }
            [Token::Name(name), ..] => {
                if let Some(value) = self.known.get(name) {
                    return Some((value.clone(), at + 1));
                }
                match number(name) {
                    Some(number) => Some((Constant::Number(number), at + 1)),
                    None => self.call(tokens, at, depth),
                }
            }
            _ => None,
        }
    }

    /// A text into which only constants are put.
    fn filled(&mut self, template: &Template, depth: u32) -> Option<Constant> {
        let mut text = String::new();
        let mut pieces = template.text.split(HOLE);
        text.push_str(pieces.next()?);
        let mut values = template.values.iter();
        for piece in pieces {
            let code = values.next()?;
            match self.expression(code, 0, depth + 1)? {
                (Constant::Text(own), end) if end == code.len() => text.push_str(&own),
                // Of Python it may stand there in another form.
                (Constant::Number(number), end)
                    if end == code.len() && self.language == Language::JavaScript =>
                {
                    text.push_str(&number.to_string());
                }
                _ => return None,
            }
            text.push_str(piece);
        }
        self.work += 1;
        (!text.contains(is_mark)).then_some(Constant::Text(text))
    }

    /// The parts of a list. In Perl a function without brackets takes all that follows.
    fn parts<'c>(&self, inner: &'c [Token]) -> Vec<&'c [Token]> {
        const TAKING: &[&str] = &["map", "reverse", "join", "pack", "sprintf", "scalar"];
        let mut parts = split(inner, &[',']);
        let takes = |part: &&[Token]| match trimmed(part) {
            [Token::Name(name), next, ..] => {
                TAKING.contains(&name.as_str()) && *next != Token::Sign('(')
            }
            _ => false,
        };
        let first = parts.iter().position(takes).filter(|_| self.language == Language::Perl);
        if let Some(first) = first {
            let before: usize = parts.iter().take(first).map(|part| part.len() + 1).sum();
            parts.truncate(first);
            parts.extend(inner.get(before..));
        }
        parts
    }

    /// What a call is given: what is made of each item of something is one list.
    fn arguments(&mut self, inner: &[Token], depth: u32) -> Option<Vec<Constant>> {
        let is_one = self.language == Language::Python && outside(inner, "for").is_some();
        let given = self.list(inner, depth)?;
        Some(if is_one { vec![Constant::List(given)] } else { given })
    }

    /// Values between commas, or what an expression is for each item of another.
    fn list(&mut self, inner: &[Token], depth: u32) -> Option<Vec<Constant>> {
        if self.language == Language::Python
            && let Some(at) = outside(inner, "for")
        {
            let (body, behind) = (trimmed(inner.get(..at)?), inner.get(at + 1..)?);
            let [Token::Name(name), Token::Name(word), over @ ..] = behind else { return None };
            let (over, end) = self.expression(over, 0, depth + 1).filter(|_| word == "in")?;
            if behind.len() != end + 2 {
                return None;
            }
            let each = self.each(name, constants::items(over)?, body, depth)?;
            return constants::items(each);
        }
        let mut values = Vec::new();
        for part in self.parts(inner) {
            let part = trimmed(part);
            let (part, is_spread) = match part {
                [Token::Sign('.'), Token::Sign('.'), Token::Sign('.'), rest @ ..] => (rest, true),
                [Token::Sign('*'), rest @ ..] => (rest, true),
                part => (part, self.language == Language::Perl),
            };
            let (value, end) = self.expression(part, 0, depth + 1)?;
            if end != part.len() {
                return None;
            }
            match value {
                Constant::Text(text) if is_spread && self.language != Language::Perl => {
                    values.extend(constants::items(Constant::Text(text))?);
                }
                Constant::List(items) if is_spread => values.extend(items),
                value => values.push(value),
            }
            self.spend(values.len())?;
        }
        Some(values)
    }

    /// A call of a function that makes a value of constants.
    fn call(&mut self, tokens: &[Token], at: usize, depth: u32) -> Option<(Constant, usize)> {
        let name = |at: usize| match tokens.get(at) {
            Some(Token::Name(name)) => Some(name.as_str()),
            _ => None,
        };
        let mut last = at;
        if name(last) == Some("new") {
            last += 1;
        }
        while LIBRARIES.contains(&name(last)?) && tokens.get(last + 1) == Some(&Token::Sign('.')) {
            last += 2;
        }
        let function = name(last)?;
        if !FUNCTIONS.contains(&function) || self.is_own(function) {
            return None;
        }
        let (inner, end) = self.given(tokens, last)?;
        self.work += 1;
        let inner = trimmed(inner);
        let parts = split(inner, &[',']);
        let value = match (self.language, function) {
            (Language::Python, "map") => match parts.as_slice() {
                [function, over] => {
                    let (over, end) = self.expression(trimmed(over), 0, depth + 1)?;
                    (end == trimmed(parts.get(1)?).len()).then_some(())?;
                    self.mapped(&over, trimmed(function), depth)?
                }
                _ => return None,
            },
            (Language::Php, "array_map") => match parts.as_slice() {
                [function, over] => {
                    let over = self.list(over, depth)?;
                    let [over] = over.as_slice() else { return None };
                    let own;
                    let function = match trimmed(function) {
                        [Token::Text(name)] => {
                            own = [Token::Name(name.clone())];
                            &own[..]
                        }
                        other => other,
                    };
                    self.mapped(over, function, depth)?
                }
                _ => return None,
            },
            (Language::Perl, "map") => self.perl_map(inner, depth)?,
            (Language::Perl, "scalar") => match inner {
                [Token::Name(reverse), ..] if reverse == "reverse" => {
                    let (given, _) = self.given(inner, 0)?;
                    let given = self.list(given, depth)?;
                    let whole = constants::joined(&given, "")?;
                    constants::function(Language::Php, "strrev", &[whole])?
                }
                _ => return None,
            },
            (_, function) => {
                let given = self.arguments(inner, depth)?;
                constants::function(self.language, function, &given)?
            }
        };
        self.spend(size(&value))?;
        Some((value, end))
    }

    /// What a function is given: in brackets, and in Perl without.
    fn given<'c>(&self, tokens: &'c [Token], at: usize) -> Option<(&'c [Token], usize)> {
        const UNARY: &[&str] = &["chr", "ord", "lc", "uc"];
        let name = match tokens.get(at) {
            Some(Token::Name(name)) => name.as_str(),
            _ => return None,
        };
        if tokens.get(at + 1) == Some(&Token::Sign('(')) {
            let close = closing(tokens, at + 1)?;
            return Some((tokens.get(at + 2..close)?, close + 1));
        }
        if self.language != Language::Perl {
            return None;
        }
        let behind = tokens.get(at + 1..)?;
        let end = match UNARY.contains(&name) {
            true => match behind {
                [Token::Sign('$'), Token::Name(_), ..] => 2,
                [Token::Name(_) | Token::Text(_) | Token::Filled(_), ..] => 1,
                _ => return None,
            },
            false => {
                let whole = super::parts::statement(behind);
                let is_end = |token: &Token| matches!(token, Token::Name(word) if matches!(word.as_str(), "if" | "unless" | "for" | "foreach" | "or" | "and"));
                behind.get(..whole)?.iter().position(is_end).unwrap_or(whole)
            }
        };
        (end > 0).then_some((behind.get(..end)?, at + 1 + end))
    }

    /// `map { chr } 114, 109`, `map chr, 114, 109`
    fn perl_map(&mut self, inner: &[Token], depth: u32) -> Option<Constant> {
        let (body, over) = match inner {
            [Token::Sign('{'), ..] => {
                let close = closing(inner, 0)?;
                (inner.get(1..close)?, inner.get(close + 1..)?)
            }
            inner => {
                let first = split(inner, &[',']).first()?.len();
                (inner.get(..first)?, inner.get(first + 1..)?)
            }
        };
        let items = self.list(over, depth)?;
        match trimmed(body) {
            [name @ Token::Name(_)] => {
                self.mapped(&Constant::List(items), std::slice::from_ref(name), depth)
            }
            body => self.each("_", items, body, depth),
        }
    }
}

/// A number as it is written.
fn number(digits: &str) -> Option<i64> {
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => None,
        None => digits.parse().ok(),
    }
}

/// How large a value is.
fn size(of: &Constant) -> usize {
    match of {
        Constant::Text(text) => text.len(),
        Constant::Number(_) => 1,
        Constant::List(items) => items.len() + items.iter().map(size).sum::<usize>(),
    }
}
