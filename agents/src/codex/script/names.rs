//! The names of a script that stand for one expression and never for another: constants, and the items
//! of lists that are gone through. In doubt a name stands for nothing.

use crate::codex::script::token::Token;
use crate::sink::{HashMap, HashSet};

/// What a name stands for.
pub(super) enum Origin<'t, 's> {
    /// The value of the expression that begins here.
    Value(&'t [Token<'s>]),
    /// A part of each item of a list in turn.
    Item { list: usize, part: Part },
}

/// The part of an item that a name stands for in a pattern such as `{a}` or `[a, b]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Item(usize),
    Field(String),
}

/// No more lists than these are gone through; the items of others are not known.
const MAX_LISTS: usize = 256;

/// A value of more steps, `a.b().c`, is not followed to where it begins.
const MAX_CHAIN: usize = 16;

/// What is done to the items of items is followed as far.
const MAX_ROUNDS: usize = 16;

/// A name of a pattern, its part, and how many tokens of the script follow it.
type Bound<'s> = (&'s str, Part, usize);

/// The names of a script.
pub(super) struct Names<'t, 's> {
    tokens: &'t [Token<'s>],
    /// For each closing token, where the one is that it closes; for each opening one, the other way
    /// round.
    partners: Vec<Option<usize>>,
    origins: HashMap<&'s str, Origin<'t, 's>>,
    lists: Vec<&'t [Token<'s>]>,
    /// How often each name is given to something.
    bound: HashMap<&'s str, u32>,
    /// Where names are given to something, and where lists are gone through.
    understood: HashSet<usize>,
    /// The names to whose lists and objects more may be done than to read them.
    changed: HashSet<&'s str>,
    /// Those to whose items more may be done.
    changed_inside: HashSet<&'s str>,
}

impl<'t, 's> Names<'t, 's> {
    pub(super) fn of(tokens: &'t [Token<'s>]) -> Self {
        let mut names = Self {
            tokens,
            partners: partners(tokens),
            origins: HashMap::default(),
            lists: Vec::new(),
            bound: bound_names(tokens),
            understood: HashSet::default(),
            changed: HashSet::default(),
            changed_inside: HashSet::default(),
        };
        for index in 0..tokens.len() {
            names.declaration(index);
            names.each(index);
        }
        let bound = &names.bound;
        names.origins.retain(|name, _| bound.get(name) == Some(&1));
        names.look_for_changes();
        names
    }

    pub(super) fn find(&self, name: &str) -> Option<&Origin<'t, 's>> {
        self.origins.get(name)
    }

    /// The expression of a list that is gone through.
    pub(super) fn list(&self, number: usize) -> Option<&'t [Token<'s>]> {
        self.lists.get(number).copied()
    }

    /// Whether nothing is done to the list or object of this name but to read it; nor to its items, unless
    /// it is flat.
    pub(super) fn stays_as_it_is(&self, name: &str, is_flat: bool) -> bool {
        !self.changed.contains(name) && (is_flat || !self.changed_inside.contains(name))
    }

    /// Whether the script gives a name to something of its own.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.bound.contains_key(name)
    }

    /// Takes in `const NAME = …` and `for (const NAME of …)`.
    fn declaration(&mut self, index: usize) {
        let Some([Token::Name("const" | "let" | "var"), pattern @ ..]) = self.tokens.get(index..)
        else {
            return;
        };
        match (pattern, pattern_of(pattern)) {
            ([Token::Name(name), Token::Sign('='), value @ ..], _) => {
                self.understood.insert(index + 1);
                self.origins.insert(name, Origin::Value(value));
            }
            (_, Some((parts, [Token::Name("of"), list @ ..]))) => {
                let begin = self.tokens.len() - list.len();
                let head = index.checked_sub(1).and_then(|at| self.partners.get(at).copied());
                if let Some(Some(end)) = head {
                    self.items(begin, end, parts);
                }
            }
            _ => {}
        }
    }

    /// Takes in a list that is gone through with a function, `LIST.map(NAME => …)`, at its full stop.
    fn each(&mut self, index: usize) {
        let Some(
            [
                Token::Sign('.'),
                Token::Name("map" | "forEach" | "flatMap"),
                Token::Sign('('),
                rest @ ..,
            ],
        ) = self.tokens.get(index..)
        else {
            return;
        };
        let Some(parts) = parameters(rest) else { return };
        if let Some(begin) = self.begin_of(index) {
            self.understood.insert(index);
            self.items(begin, index, parts);
        }
    }

    fn items(&mut self, begin: usize, end: usize, parts: Vec<Bound<'s>>) {
        let Some(list) = self.tokens.get(begin..end) else { return };
        if self.lists.len() == MAX_LISTS {
            return;
        }
        for (name, part, behind) in parts {
            self.understood.insert(self.tokens.len() - behind - 1);
            self.origins.insert(name, Origin::Item { list: self.lists.len(), part });
        }
        self.lists.push(list);
    }

    /// Where the value begins that ends before `end`: a name, a list, what a call returns, or a field.
    fn begin_of(&self, mut end: usize) -> Option<usize> {
        let token = |at: usize| self.tokens.get(at);
        for _ in 0..MAX_CHAIN {
            let last = end.checked_sub(1)?;
            let mut begin = match token(last)? {
                Token::Name(_) => last,
                Token::Sign(']' | ')') => self.partners.get(last).copied().flatten()?,
                _ => return None,
            };
            let before = begin.checked_sub(1).and_then(token);
            match (token(last), before) {
                (Some(Token::Sign(')')), Some(Token::Name(name))) if !begins_value(name) => {
                    begin -= 1;
                }
                (Some(Token::Sign(']')), Some(before)) if ends_value(before) => return None,
                _ => {}
            }
            match begin.checked_sub(1).map(|before| (before, token(before))) {
                Some((before, Some(Token::Sign('.')))) => end = before,
                _ => return Some(begin),
            }
        }
        None
    }

    /// Finds the names to whose lists and objects more is done than to read them.
    fn look_for_changes(&mut self) {
        for (index, token) in self.tokens.iter().enumerate() {
            if let Token::Name(name) = token
                && self.origins.contains_key(name)
                && !self.only_reads(index)
            {
                self.changed.insert(name);
            }
        }
        // What is done to an item is done to its list.
        for round in 0.. {
            let changed = |(name, origin): (&&'s str, &Origin<'t, 's>)| match origin {
                Origin::Item { list, .. }
                    if self.changed.contains(name) || self.changed_inside.contains(name) =>
                {
                    Some(*list)
                }
                _ => None,
            };
            let lists: HashSet<usize> = self.origins.iter().filter_map(changed).collect();
            let count = self.changed_inside.len();
            for token in lists.iter().filter_map(|list| self.lists.get(*list)).copied().flatten() {
                if let Token::Name(name) = token {
                    self.changed_inside.insert(name);
                }
            }
            if self.changed_inside.len() == count {
                break;
            }
            if round == MAX_ROUNDS {
                self.changed_inside.extend(self.origins.keys());
                break;
            }
        }
    }

    /// Whether the name at `index` is only read there.
    fn only_reads(&self, index: usize) -> bool {
        let before = |by: usize| index.checked_sub(by).and_then(|at| self.tokens.get(at));
        let dots = (1..=3).take_while(|by| before(*by) == Some(&Token::Sign('.'))).count();
        let after = self.tokens.get(index + 1..).unwrap_or_default();
        match after {
            // The name of a field, or of another thing than is meant here.
            _ if dots == 1 || self.understood.contains(&index) => true,
            [Token::Sign(':'), ..] if matches!(before(1), Some(Token::Sign('{' | ','))) => true,
            // What is spread is copied, and a loop goes through it.
            _ if dots == 3 => true,
            [Token::Sign(')'), ..] if before(1) == Some(&Token::Name("of")) => true,
            [Token::Sign('.'), Token::Name("join"), Token::Sign('('), ..] => true,
            [Token::Sign('.'), Token::Name(_), Token::Sign('('), ..] => {
                self.understood.contains(&(index + 1))
            }
            [Token::Sign('.'), Token::Name(_), end @ ..] => is_no_change(end),
            [Token::Sign('['), ..] => {
                let end = self.partners.get(index + 1).copied().flatten();
                end.and_then(|end| self.tokens.get(end + 1..)).is_some_and(is_no_change)
            }
            [Token::Sign(')' | ','), ..] if before(1) == Some(&Token::Sign('(')) => {
                matches!(before(2), Some(Token::Name("text" | "stringify" | "entries")))
                    || before(4) == Some(&Token::Name("tools"))
            }
            _ => false,
        }
    }
}

/// Whether a field is only read, behind which these tokens follow.
fn is_no_change(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [Token::Sign('+'), Token::Sign(next), ..] => !matches!(next, '+' | '='),
        [end, ..] => matches!(
            end,
            Token::Sign(',' | ')' | '}' | ']' | ';' | '+')
                | Token::Name(_)
                | Token::Middle(_)
                | Token::Tail(_)
        ),
        [] => true,
    }
}

/// The parameters of an arrow function that is given an item, and its number at most.
fn parameters<'s>(tokens: &[Token<'s>]) -> Option<Vec<Bound<'s>>> {
    let tokens = match tokens {
        [Token::Name("async"), rest @ ..] => rest,
        rest => rest,
    };
    let (parts, rest) = match tokens {
        [Token::Sign('('), rest @ ..] => match pattern_of(rest)? {
            (parts, [Token::Sign(','), Token::Name(_), Token::Sign(')'), rest @ ..])
            | (parts, [Token::Sign(')'), rest @ ..]) => (parts, rest),
            _ => return None,
        },
        [Token::Name(_), ..] => pattern_of(tokens)?,
        _ => return None,
    };
    matches!(rest, [Token::Sign('='), Token::Sign('>'), ..]).then_some(parts)
}

/// The names of a pattern, and what follows it.
fn pattern_of<'t, 's>(tokens: &'t [Token<'s>]) -> Option<(Vec<Bound<'s>>, &'t [Token<'s>])> {
    let (close, mut rest) = match tokens {
        [Token::Name(name), rest @ ..] => {
            return Some((vec![(name, Part::Whole, rest.len())], rest));
        }
        [Token::Sign('{'), rest @ ..] => ('}', rest),
        [Token::Sign('['), rest @ ..] => (']', rest),
        _ => return None,
    };
    let mut parts = Vec::new();
    loop {
        let (name, part, after) = match rest {
            [Token::Sign(sign), rest @ ..] if *sign == close => return Some((parts, rest)),
            [Token::Name(field), Token::Sign(':'), Token::Name(name), after @ ..]
                if close == '}' =>
            {
                (name, Part::Field((*field).to_owned()), after)
            }
            [Token::Name(name), after @ ..] if close == '}' => {
                (name, Part::Field((*name).to_owned()), after)
            }
            [Token::Name(name), after @ ..] => (name, Part::Item(parts.len()), after),
            _ => return None,
        };
        parts.push((*name, part, after.len()));
        rest = match after {
            [Token::Sign(','), after @ ..] => after,
            [Token::Sign(sign), ..] if *sign == close => after,
            _ => return None,
        };
    }
}

/// Whether a value may begin behind this word, and no call.
fn begins_value(word: &str) -> bool {
    matches!(word, "return" | "await" | "of" | "in" | "case" | "typeof" | "void" | "new" | "else")
}

/// Whether a value may end with a token, so that `[` behind it asks for one of its fields.
fn ends_value(token: &Token<'_>) -> bool {
    match token {
        Token::Name(name) => !begins_value(name),
        Token::Sign(sign) => matches!(sign, ')' | ']' | '}'),
        Token::Head(_) | Token::Middle(_) => false,
        _ => true,
    }
}

/// Which token each opening or closing one belongs to.
fn partners(tokens: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.opens() {
            open.push(index);
        } else if token.closes()
            && let Some(begin) = open.pop()
        {
            for (at, partner) in [(begin, index), (index, begin)] {
                if let Some(entry) = partners.get_mut(at) {
                    *entry = Some(partner);
                }
            }
        }
    }
    partners
}

/// How often a name is given to something, in doubt once too often: by a declaration, as a parameter, in a
/// pattern or by an assignment.
fn bound_names<'s>(tokens: &[Token<'s>]) -> HashMap<&'s str, u32> {
    let mut bound: HashMap<&str, u32> = HashMap::default();
    let mut open = Vec::new();
    // The ends of the groups inside which every name counts already.
    let mut counted = 0;
    let mut groups = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let next = |by: usize| tokens.get(index + by);
        match token {
            Token::Sign('(' | '[' | '{') => open.push(index),
            Token::Sign(close @ (')' | ']' | '}')) => {
                let begin = open.pop().unwrap_or(0);
                let is_arrow =
                    next(1) == Some(&Token::Sign('=')) && next(2) == Some(&Token::Sign('>'));
                let is_pattern = *close != ')'
                    && (next(1) == Some(&Token::Sign('=')) && next(2) != Some(&Token::Sign('='))
                        || matches!(next(1), Some(Token::Name("of" | "in"))));
                let before = begin.checked_sub(1).and_then(|before| tokens.get(before));
                let is_head =
                    matches!(before, Some(Token::Name("for" | "if" | "while" | "switch")));
                let is_list_of_parameters =
                    *close == ')' && next(1) == Some(&Token::Sign('{')) && !is_head;
                if is_arrow || is_pattern || is_list_of_parameters {
                    groups.push((begin, index));
                }
            }
            Token::Name(name) => {
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                let is_declared = matches!(
                    before,
                    Some(Token::Name("const" | "let" | "var" | "function" | "class"))
                );
                if is_declared || is_assigned(tokens, index) {
                    *bound.entry(name).or_default() += 1;
                }
            }
            _ => {}
        }
    }
    groups.sort_unstable();
    for (begin, end) in groups {
        for index in begin.max(counted)..end {
            let declared = index.checked_sub(1).and_then(|before| tokens.get(before));
            let is_declared = matches!(declared, Some(Token::Name("const" | "let" | "var")));
            match tokens.get(index) {
                Some(Token::Name(name)) if !is_declared => *bound.entry(name).or_default() += 1,
                _ => {}
            }
        }
        counted = counted.max(end);
    }
    bound
}

/// Whether the name at `index` may be given another value there: `=`, `+=`, `>>>=`, `++`, `of` and so on.
fn is_assigned(tokens: &[Token<'_>], index: usize) -> bool {
    let sign = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some(Token::Sign(sign)) => Some(*sign),
        _ => None,
    };
    let next = |by: usize| sign(Some(index + by));
    let counts = |sign: Option<char>| matches!(sign, Some('+' | '-'));
    let before = sign(index.checked_sub(1));
    if counts(before) && before == sign(index.checked_sub(2))
        || counts(next(1)) && next(1) == next(2)
    {
        return true;
    }
    match next(1) {
        Some('=') => next(2) != Some('='),
        Some('<' | '>') if next(2) == Some('=') => false,
        Some('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '?' | '<' | '>') => {
            (2..=4).find(|by| next(*by) != next(1)).is_some_and(|by| next(by) == Some('='))
        }
        _ => matches!(tokens.get(index + 1), Some(Token::Name("of" | "in"))),
    }
}
