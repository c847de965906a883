//! Branches of code that the words behind it do not take: `if args.dry_run: return`, `if (process.argv.includes("--clean"))`,
//! the functions of commands that nobody asks for. Takes them out of the code. Looks only at conditions about those words,
//! where all of the words are known; whatever is not certain stays.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::environment;
use super::language::Language;
use super::options::{Declared, Options};
use super::parts::{closing, fields_set, outside, split, statement, trimmed};
use super::switches;
use super::token::{Code, Token};
use super::told::told;
use crate::hole::HOLE;

/// No more conditions of one code are looked at.
const MAX: usize = 256;

/// Conditions that stand in conditions, and names for conditions, are followed so deep.
const MAX_DEPTH: u32 = 6;

/// A longer condition is about something else.
const MAX_TOKENS: usize = 64;

/// What the words behind code say.
struct Asked<'t> {
    language: Language,
    /// The words, with the name of the code before them.
    words: Vec<&'t str>,
    given: &'t [(&'t str, &'t str)],
    options: &'t Options,
    /// The expressions of names that are set once.
    set: HashMap<&'t str, &'t [Token]>,
    /// The code.
    tokens: &'t [Token],
    /// What functions are called with, by the names of their parameters.
    passed: HashMap<&'t str, Vec<&'t [Token]>>,
    /// How often that was asked for.
    looked_at: Cell<u32>,
    /// Fields that code sets of what options are kept in.
    changed: HashSet<&'t str>,
    /// Whether it may change what a set holds.
    changes_sets: bool,
    /// Whether it sets fields by texts, or takes them away.
    sets_keys: bool,
}

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Yes,
    No,
    Text(String),
}

impl Said {
    fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    /// Whether it counts as true.
    fn holds(&self) -> bool {
        match self {
            Self::Yes => true,
            Self::No => false,
            Self::Text(text) => !text.is_empty(),
        }
    }
}

/// Takes out of code what the words behind it do not ask for.
pub fn take(language: Language, code: &mut Code, given: &[(&str, &str)]) {
    let words = given.iter().find(|(name, _)| *name == environment::WORDS).map(|(_, words)| words);
    let is_known = matches!(language, Language::Python | Language::JavaScript);
    let Some(words) = words.filter(|words| is_known && !words.contains(HOLE)) else { return };
    if changes_words(&code.tokens) {
        return;
    }
    let options = Options::of(language, &code.tokens);
    let asked = Asked {
        language,
        words: words.split_terminator(environment::BETWEEN).collect(),
        given,
        options: &options,
        set: set_once(&code.tokens),
        tokens: &code.tokens,
        passed: switches::passed(language, code),
        looked_at: Cell::new(0),
        sets_keys: sets_keys(&code.tokens),
        changes_sets: code.tokens.windows(2).any(|pair| {
            matches!(pair, [Token::Sign('.'), Token::Name(method)]
                if matches!(method.as_str(), "add" | "delete" | "clear"))
        }),
        changed: fields_set(&code.tokens),
    };
    let mut dropped = vec![false; code.tokens.len()];
    let mut count = 0;
    for at in 0..code.tokens.len() {
        let is_if = matches!(code.tokens.get(at), Some(Token::Name(word)) if word == "if" || word == "switch");
        if !is_if || count >= MAX || dropped.get(at) == Some(&true) {
            continue;
        }
        count += 1;
        match language {
            Language::Python => asked.branch_of_python(code, at, &mut dropped),
            _ => asked.branch_of_braces(&code.tokens, at, &mut dropped),
        }
    }
    if language == Language::Python {
        asked.commands(code, &mut dropped);
    }
    if dropped.contains(&true) {
        drop_tokens(code, &dropped);
    }
}

/// Whether code may change the words that it is told, or what they are read as, in a way that is not followed.
fn changes_words(tokens: &[Token]) -> bool {
    const METHODS: [&str; 10] = [
        "append", "insert", "extend", "remove", "pop", "push", "unshift", "splice", "shift",
        "clear",
    ];
    const OTHERS: [&str; 3] = ["setattr", "__dict__", "Namespace"];
    let sets = |behind: &[Token]| match behind {
        [Token::Sign('='), next, ..] => *next != Token::Sign('='),
        [Token::Sign('+'), Token::Sign('='), ..] => true,
        [Token::Sign('.'), Token::Name(method), ..] => METHODS.contains(&method.as_str()),
        [Token::Sign('['), ..] => closing(behind, 0).is_some_and(|close| {
            behind.get(close + 1) == Some(&Token::Sign('='))
                && behind.get(close + 2) != Some(&Token::Sign('='))
        }),
        _ => false,
    };
    tokens.iter().enumerate().any(|(at, token)| match token {
        Token::Name(name) if name == "argv" => sets(tokens.get(at + 1..).unwrap_or_default()),
        Token::Name(name) => OTHERS.contains(&name.as_str()),
        _ => false,
    })
}

/// Whether code sets a field that a text names, or takes fields of an object away or over.
fn sets_keys(tokens: &[Token]) -> bool {
    tokens.windows(3).any(|window| match window {
        [Token::Sign(']'), Token::Sign('='), next] => *next != Token::Sign('='),
        [Token::Name(word), ..] => matches!(word.as_str(), "delete" | "assign" | "defineProperty"),
        _ => false,
    })
}

/// Leaves out tokens; a line break stands for those of each place.
fn drop_tokens(code: &mut Code, dropped: &[bool]) {
    let tokens = std::mem::take(&mut code.tokens);
    let indents = std::mem::take(&mut code.indents);
    let mut was_dropped = false;
    for (at, token) in tokens.into_iter().enumerate() {
        let is_dropped = dropped.get(at) == Some(&true);
        if !is_dropped || !was_dropped {
            code.tokens.push(if is_dropped { Token::Sign('\n') } else { token });
            code.indents.push(indents.get(at).copied().unwrap_or_default());
        }
        was_dropped = is_dropped;
    }
}

fn mark(dropped: &mut [bool], from: usize, to: usize) {
    dropped.get_mut(from..to).into_iter().flatten().for_each(|it| *it = true);
}

/// The expressions of names that are set at one place only, and are no parameters or variables of loops.
fn set_once(tokens: &[Token]) -> HashMap<&str, &[Token]> {
    let mut count: HashMap<&str, u32> = HashMap::new();
    let mut set = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        let sign = |at: usize| match tokens.get(at) {
            Some(Token::Sign(sign)) => Some(*sign),
            _ => None,
        };
        let before = at.checked_sub(1).and_then(sign);
        let is_set = sign(at + 1) == Some('=') && !matches!(sign(at + 2), Some('=' | '>'));
        let word = at.checked_sub(1).and_then(|at| match tokens.get(at) {
            Some(Token::Name(word)) => Some(word.as_str()),
            _ => None,
        });
        let is_declared = word.is_none_or(|word| matches!(word, "const" | "let" | "var"));
        let begins =
            before.is_none() && is_declared || matches!(before, Some('\n' | ';' | '{' | '}' | ':'));
        if is_set && begins {
            *count.entry(name).or_default() += 1;
            let behind = tokens.get(at + 2..).unwrap_or_default();
            set.insert(name.as_str(), behind.get(..statement(behind)).unwrap_or_default());
        } else if is_set && before != Some('.') || is_bound(tokens, at, word) {
            *count.entry(name).or_default() += 2;
        }
    }
    set.retain(|name, _| count.get(name) == Some(&1));
    set
}

/// Whether a name at a place gets a value in another way than by being set: `x += 1`, `for x in`, `x =>`, a parameter.
fn is_bound(tokens: &[Token], at: usize, word: Option<&str>) -> bool {
    let sign = |at: usize, sign: char| tokens.get(at) == Some(&Token::Sign(sign));
    let is_changed = matches!(
        tokens.get(at + 1),
        Some(Token::Sign('+' | '-' | '*' | '/' | '|' | '&' | ':' | '?'))
    ) && sign(at + 2, '=')
        || sign(at + 1, '+') && sign(at + 2, '+');
    let is_taken = matches!(
        word,
        Some("for" | "as" | "global" | "nonlocal" | "of" | "def" | "function" | "class" | "del")
    );
    let is_arrow = sign(at + 1, '=') && sign(at + 2, '>');
    is_changed || is_taken || is_arrow || is_parameter(tokens, at)
}

/// Whether a name stands among the parameters of a function.
fn is_parameter(tokens: &[Token], at: usize) -> bool {
    /// Longer lists of parameters are not looked at.
    const MAX_BEFORE: usize = 48;
    let mut depth = 0_i32;
    let from = at.saturating_sub(MAX_BEFORE);
    for place in (from..at).rev() {
        match tokens.get(place) {
            Some(Token::Sign(')' | ']' | '}')) => depth += 1,
            Some(Token::Sign('(')) if depth == 0 => {
                let word = |back: usize| match place.checked_sub(back).and_then(|at| tokens.get(at))
                {
                    Some(Token::Name(word)) => Some(word.as_str()),
                    _ => None,
                };
                let defines = |word: Option<&str>| matches!(word, Some("def" | "function"));
                let behind = closing(tokens, place).unwrap_or(place);
                let is_arrow = tokens.get(behind + 1) == Some(&Token::Sign('='))
                    && tokens.get(behind + 2) == Some(&Token::Sign('>'));
                return defines(word(1)) || defines(word(2)) || is_arrow;
            }
            Some(Token::Sign('(' | '[' | '{')) if depth == 0 => return false,
            Some(Token::Sign('(' | '[' | '{')) => depth -= 1,
            Some(Token::Sign('\n' | ';')) if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

impl<'t> Asked<'t> {
    /// What an expression says, where the words tell.
    fn said(&self, tokens: &'t [Token], depth: u32) -> Option<Said> {
        let tokens = trimmed(tokens);
        if depth > MAX_DEPTH || tokens.len() > MAX_TOKENS || tokens.is_empty() {
            return None;
        }
        if let [Token::Sign('('), inner @ .., Token::Sign(')')] = tokens
            && closing(tokens, 0) == Some(tokens.len() - 1)
        {
            return self.said(inner, depth + 1);
        }
        if let Some(joined) = self.joined(tokens, depth) {
            return joined;
        }
        match tokens {
            [Token::Name(word), rest @ ..]
                if word == "not" && self.language == Language::Python =>
            {
                return self.said(rest, depth + 1).map(|said| Said::of(!said.holds()));
            }
            [Token::Sign('!'), rest @ ..]
                if self.language == Language::JavaScript
                    && rest.first() != Some(&Token::Sign('=')) =>
            {
                let is_term =
                    !rest.iter().any(|token| matches!(token, Token::Sign('=' | '<' | '>')));
                let said = self.said(rest, depth + 1).filter(|_| is_term);
                return said.map(|said| Said::of(!said.holds()));
            }
            _ => {}
        }
        if let Some(compared) = self.compared(tokens, depth) {
            return compared.map(Said::of);
        }
        self.term(tokens, depth)
    }

    /// `a and b`, `a || b`; `None` where it is neither.
    fn joined(&self, tokens: &'t [Token], depth: u32) -> Option<Option<Said>> {
        let (parts, is_or) = match self.language {
            Language::Python => {
                let (at, is_or) = outside(tokens, "or")
                    .map(|at| (at, true))
                    .or_else(|| outside(tokens, "and").map(|at| (at, false)))?;
                ([tokens.get(..at)?, tokens.get(at + 1..)?], is_or)
            }
            _ => {
                let at = |sign: char| {
                    let parts = split(tokens, &[sign]);
                    let first = parts.first().map(|part| part.len())?;
                    (tokens.get(first) == Some(&Token::Sign(sign))
                        && tokens.get(first + 1) == Some(&Token::Sign(sign)))
                    .then_some(first)
                };
                let (at, is_or) =
                    at('|').map(|at| (at, true)).or_else(|| at('&').map(|at| (at, false)))?;
                ([tokens.get(..at)?, tokens.get(at + 2..)?], is_or)
            }
        };
        let [one, other] = parts.map(|part| self.said(part, depth + 1));
        let decides = |said: &Option<Said>| said.as_ref().is_some_and(|said| said.holds() == is_or);
        Some(match (one, other) {
            (one, _) if decides(&one) => one,
            (Some(_), other) => other,
            // Whatever the first says.
            (None, other) if decides(&other) => Some(Said::of(is_or)),
            _ => None,
        })
    }

    /// `a == b`, `a in b`, `len(a) > 1`; `None` where nothing is compared.
    fn compared(&self, tokens: &'t [Token], depth: u32) -> Option<Option<bool>> {
        if self.language == Language::Python
            && let Some(at) = outside(tokens, "in")
        {
            let (before, list) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            let (before, is_negated) = match before {
                [before @ .., Token::Name(word)] if word == "not" => (before, true),
                before => (before, false),
            };
            return Some(self.holds_word(before, list, depth).map(|holds| holds != is_negated));
        }
        let is_sign = |token: &Token| matches!(token, Token::Sign('=' | '!' | '<' | '>'));
        let mut nested = 0_usize;
        let at = tokens.iter().position(|token| {
            match token {
                Token::Sign('(' | '[' | '{') => nested += 1,
                Token::Sign(')' | ']' | '}') => nested = nested.saturating_sub(1),
                _ => {}
            }
            nested == 0 && is_sign(token)
        })?;
        let behind = tokens.get(at..)?;
        let length = behind.iter().take_while(|token| is_sign(token)).count();
        let operator: String = behind
            .iter()
            .take(length)
            .filter_map(|token| match token {
                Token::Sign(sign) => Some(*sign),
                _ => None,
            })
            .collect();
        let (one, other) = (trimmed(tokens.get(..at)?), trimmed(behind.get(length..)?));
        if let Some(count) = self.count(one) {
            let [Token::Name(number)] = other else { return Some(None) };
            let holds = number.parse::<usize>().ok().and_then(|number| match operator.as_str() {
                "==" | "===" => Some(count == number),
                "!=" | "!==" => Some(count != number),
                "<" => Some(count < number),
                "<=" => Some(count <= number),
                ">" => Some(count > number),
                ">=" => Some(count >= number),
                _ => None,
            });
            return Some(holds);
        }
        let is_negated = match operator.as_str() {
            "==" | "===" => false,
            "!=" | "!==" => true,
            _ => return Some(None),
        };
        let [one, other] = [one, other].map(|part| self.said(part, depth + 1));
        Some(match (one, other) {
            (Some(Said::Text(one)), Some(Said::Text(other))) => Some((one == other) != is_negated),
            // What is not there is no text.
            (Some(Said::No), Some(Said::Text(_))) | (Some(Said::Text(_)), Some(Said::No)) => {
                Some(is_negated)
            }
            _ => None,
        })
    }

    /// Whether a text is among words, or a word among texts.
    fn holds_word(&self, text: &'t [Token], list: &'t [Token], depth: u32) -> Option<bool> {
        let Some(Said::Text(text)) = self.said(text, depth + 1) else { return None };
        if let Some(words) = self.words_of(list, depth) {
            return Some(words.contains(&text.as_str()));
        }
        let ([Token::Sign('('), inner @ .., Token::Sign(')')]
        | [Token::Sign('['), inner @ .., Token::Sign(']')]
        | [Token::Sign('{'), inner @ .., Token::Sign('}')]) = trimmed(list)
        else {
            return None;
        };
        let mut is_there = false;
        for part in split(inner, &[',']) {
            let [Token::Text(one)] = trimmed(part) else { return None };
            is_there |= *one == text;
        }
        Some(is_there)
    }

    /// The words that an expression means.
    fn words_of(&self, tokens: &'t [Token], depth: u32) -> Option<&[&'t str]> {
        let tokens = trimmed(tokens);
        if let [Token::Name(name)] = tokens
            && depth <= MAX_DEPTH
            && let Some(set) = self.set.get(name.as_str())
        {
            return self.words_of(set, depth + 1);
        }
        // `new Set(process.argv.slice(2))`, which nothing is put into or taken out of.
        if let [Token::Name(new), Token::Name(set), Token::Sign('('), list @ .., Token::Sign(')')] =
            tokens
            && new == "new"
            && set == "Set"
            && !self.changes_sets
        {
            return self.words_of(list, depth + 1);
        }
        let told = told(self.language, tokens).filter(|told| told.is_all && !told.is_joined)?;
        self.words.get((told.from as usize).min(self.words.len())..)
    }

    /// How many words there are: `len(sys.argv)`, `process.argv.length`.
    fn count(&self, tokens: &'t [Token]) -> Option<usize> {
        let list = match tokens {
            [Token::Name(len), Token::Sign('('), list @ .., Token::Sign(')')] if len == "len" => {
                list
            }
            [list @ .., Token::Sign('.'), Token::Name(length)] if length == "length" => list,
            _ => return None,
        };
        self.words_of(list, 0).map(<[&str]>::len)
    }

    /// What an expression without operators says.
    fn term(&self, tokens: &'t [Token], depth: u32) -> Option<Said> {
        if let Some(told) = told(self.language, tokens).filter(|told| told.is_single()) {
            let word = self.words.get(told.from as usize);
            // What is not there ends code of Python.
            return match word {
                Some(word) => Some(Said::Text((*word).to_owned())),
                None => (self.language == Language::JavaScript).then_some(Said::No),
            };
        }
        if let Some(name) = environment::variable(tokens) {
            let key = environment::key(name);
            let value = self.given.iter().find(|(name, _)| *name == key)?.1;
            return Some(Said::Text(value.to_owned()));
        }
        match tokens {
            [Token::Text(text)] => Some(Said::Text(text.clone())),
            [Token::Name(word)] if matches!(word.as_str(), "True" | "true") => Some(Said::Yes),
            [Token::Name(word)]
                if matches!(word.as_str(), "False" | "false" | "None" | "null" | "undefined") =>
            {
                Some(Said::No)
            }
            [Token::Name(name)] => match self.set.get(name.as_str()) {
                Some(set) => self.said(set, depth + 1),
                None => self.parameter(name).or_else(|| self.passed(name, depth)),
            },
            // `values["dry-run"]`
            [Token::Name(of), Token::Sign('['), Token::Text(field), Token::Sign(']')]
                if self.language == Language::JavaScript && !self.sets_keys =>
            {
                self.field(of, field)
            }
            // `args.dry_run`
            [Token::Name(of), Token::Sign('.'), Token::Name(field)] => self.field(of, field),
            // `process.argv.includes("--clean")`
            [
                list @ ..,
                Token::Sign('.'),
                Token::Name(includes),
                Token::Sign('('),
                Token::Text(text),
                Token::Sign(')'),
            ] if includes == "includes" || includes == "has" => {
                let words = self.words_of(list, depth)?;
                Some(Said::of(words.contains(&text.as_str())))
            }
            _ => None,
        }
    }

    /// What a parameter says of a function that is called with the same everywhere.
    fn passed(&self, name: &str, depth: u32) -> Option<Said> {
        /// More of what is passed is not looked at: functions may pass on what they are given.
        const MAX_PASSED: u32 = 1 << 10;
        let count = self.looked_at.get();
        self.looked_at.set(count.saturating_add(1));
        let mut given = self.passed.get(name).filter(|_| count < MAX_PASSED)?.iter();
        let first = self.said(given.next()?, depth + 1)?;
        given.all(|other| self.said(other, depth + 1).as_ref() == Some(&first)).then_some(first)
    }

    /// What a parameter of a command says that is a switch.
    fn parameter(&self, name: &str) -> Option<Said> {
        let declared = self.options.declared.get(name)?;
        if self.options.has_own_words() || switches::is_set_again(self.language, self.tokens, name)
        {
            return None;
        }
        (declared.is_parameter && declared.is_switch).then(|| self.option(declared)).flatten()
    }

    /// What a field of what options are kept in says.
    fn field(&self, of: &str, field: &str) -> Option<Said> {
        if self.changed.contains(field) || self.options.has_own_words() {
            return None;
        }
        if self.options.command.as_deref() == Some(field) && self.options.is_kept(of) {
            return self
                .command()
                .map(|word| word.map_or(Said::No, |word| Said::Text(word.to_owned())));
        }
        self.option(self.options.field(of, field)?)
    }

    /// What an option says.
    fn option(&self, declared: &Declared) -> Option<Said> {
        if declared.flags.is_empty() || declared.is_list {
            return None;
        }
        let words = self.words.get(1..).unwrap_or_default();
        let is_flag = |word: &&str| declared.flags.iter().any(|flag| flag == word);
        let may_be_flag = |word: &&str| may_be_one(word, &declared.flags);
        if declared.is_switch {
            return self.switch(declared, words);
        }
        if !declared.takes_value {
            return None;
        }
        if !words.iter().any(may_be_flag) {
            return match declared.default.as_slice() {
                [] => Some(Said::No),
                [Token::Text(text)] => Some(Said::Text(text.clone())),
                [Token::Name(word)] if word == "None" || word == "False" => Some(Said::No),
                _ => None,
            };
        }
        let at = words
            .iter()
            .position(is_flag)
            .filter(|_| words.iter().filter(|word| may_be_flag(word)).count() == 1)?;
        words.get(at + 1).map(|value| Said::Text((*value).to_owned()))
    }

    /// What a switch says: the last of the words that put it on or off, or else what the code says.
    fn switch(&self, declared: &Declared, words: &[&str]) -> Option<Said> {
        let mut said = match declared.default.as_slice() {
            [] => false,
            [Token::Name(word)] if matches!(word.as_str(), "False" | "None" | "false") => false,
            [Token::Name(word)] if matches!(word.as_str(), "True" | "true") => true,
            _ => return None,
        };
        // Without a word that puts it off, one that is on says nothing.
        if said && declared.negations.is_empty() {
            return None;
        }
        let is_one = |word: &str, flags: &[String]| flags.iter().any(|flag| flag == word);
        for (at, word) in words.iter().enumerate() {
            let (puts_on, puts_off) =
                (is_one(word, &declared.flags), is_one(word, &declared.negations));
            // It may be the value of another option, or a word like others.
            let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
            let is_value = before.is_some_and(|before| {
                let mut all = self.options.declared.values();
                all.any(|own| own.takes_value && is_one(before, &own.flags))
            });
            let is_behind = words.get(..at).is_some_and(|before| before.contains(&"--"));
            let may_be = may_be_one(word, &declared.flags) || may_be_one(word, &declared.negations);
            match (puts_on, puts_off) {
                (true, _) | (_, true) if is_value || is_behind => return None,
                (true, _) => said = true,
                (_, true) => said = false,
                _ if may_be => return None,
                _ => {}
            }
        }
        Some(Said::of(said))
    }

    /// The word that says which command is meant, or that there is none; `None` where nobody knows.
    fn command(&self) -> Option<Option<&'t str>> {
        for word in self.words.get(1..)? {
            if !word.starts_with('-') {
                return Some(Some(word));
            }
            let mut all = self.options.declared.values();
            let is_switch =
                all.any(|own| own.is_switch && own.flags.iter().any(|flag| flag == word));
            if !is_switch {
                return None;
            }
        }
        Some(None)
    }

    /// `if …: …`, `elif`, `else` of Python.
    fn branch_of_python(&self, code: &'t Code, at: usize, dropped: &mut [bool]) {
        let tokens = &code.tokens;
        let begins = at.checked_sub(1).is_none_or(|at| tokens.get(at) == Some(&Token::Sign('\n')));
        if !begins {
            return;
        }
        let own = code.indents.get(at).copied().unwrap_or_default();
        let (mut head, mut is_taken, mut is_open) = (at, false, false);
        loop {
            let Some(body) = header_end(tokens, head) else { return };
            let end = block_end(code, body, own);
            let word = match tokens.get(head) {
                Some(Token::Name(word)) => word.as_str(),
                _ => return,
            };
            let condition = tokens.get(head + 1..body).unwrap_or_default();
            let holds = match word {
                "else" => Some(!is_taken).filter(|_| !is_open || is_taken),
                _ => self.said(condition, 0).map(|said| said.holds()),
            };
            if is_taken || holds == Some(false) {
                mark(dropped, body + 1, end);
            } else if holds == Some(true) {
                if !is_open && self.leaves(code, (body + 1, end), own) {
                    mark(dropped, end, enclosing_end(code, end, own));
                    return;
                }
                is_taken = true;
            } else {
                is_open = true;
            }
            let next = tokens.get(end);
            let is_next = code.indents.get(end) == Some(&own)
                && matches!(next, Some(Token::Name(word)) if word == "elif" || word == "else");
            if !is_next || word == "else" {
                return;
            }
            head = end;
        }
    }

    /// Whether a block certainly ends what is around it: `return`, `sys.exit()`, `raise` stand in it by themselves.
    fn leaves(&self, code: &Code, (from, to): (usize, usize), own: u32) -> bool {
        let first = (from..to).find(|at| code.tokens.get(*at) != Some(&Token::Sign('\n')));
        let inner = first.and_then(|at| code.indents.get(at)).copied().unwrap_or_default();
        (from..to).any(|at| {
            let begins = at == from
                || matches!(code.tokens.get(at - 1), Some(Token::Sign('\n' | ';' | ':')));
            let is_own = code.indents.get(at) == Some(&inner) && (inner > own || first == Some(at));
            begins && is_own && ends_code(code.tokens.get(at..).unwrap_or_default())
        })
    }

    /// `if (…) {…} else {…}`, `switch (…) {…}` of JavaScript.
    fn branch_of_braces(&self, tokens: &'t [Token], at: usize, dropped: &mut [bool]) {
        if tokens.get(at + 1) != Some(&Token::Sign('(')) {
            return;
        }
        let Some(close) = closing(tokens, at + 1) else { return };
        let condition = tokens.get(at + 2..close).unwrap_or_default();
        if tokens.get(at) == Some(&Token::Name("switch".to_owned())) {
            return self.cases(tokens, (condition, close), dropped);
        }
        let Some(holds) = self.said(condition, 0).map(|said| said.holds()) else { return };
        let Some(end) = part_end(tokens, close + 1) else { return };
        let other = skip_lines(tokens, end);
        let other = matches!(tokens.get(other), Some(Token::Name(word)) if word == "else")
            .then_some(other + 1);
        let other_end = other.and_then(|other| part_end(tokens, other));
        if !holds {
            return mark(dropped, close + 1, end);
        }
        if let Some((other, end)) = other.zip(other_end) {
            mark(dropped, other, end);
        }
        let body = tokens.get(close + 1..end).unwrap_or_default();
        if leaves_braces(body) {
            let behind = other_end.unwrap_or(end);
            mark(dropped, behind, unreached_end(tokens, behind));
        }
    }

    /// The cases of a `switch` over a word that are not met.
    fn cases(
        &self,
        tokens: &'t [Token],
        (over, close): (&'t [Token], usize),
        dropped: &mut [bool],
    ) {
        let word = match self.said(over, 0) {
            Some(Said::Text(word)) => Some(word),
            Some(Said::No) => None,
            _ => return,
        };
        let open = skip_lines(tokens, close + 1);
        if tokens.get(open) != Some(&Token::Sign('{')) {
            return;
        }
        let end = enclosing_brace(tokens, open + 1);
        let labels = labels(tokens, open, end);
        let is_met = |label: &Option<&str>| label.is_some() && *label == word.as_deref();
        let any_met = labels.iter().any(|(_, _, label)| is_met(label));
        let mut goes_on = false;
        for (number, (_, from, label)) in labels.iter().enumerate() {
            let to = labels.get(number + 1).map_or(end, |(at, _, _)| *at);
            let is_run = goes_on || is_met(label) || label.is_none() && !any_met;
            let body = tokens.get(*from..to).unwrap_or_default();
            let is_left = split(body, &['\n', ';']).iter().any(|part| {
                matches!(part.first(), Some(Token::Name(word)) if matches!(word.as_str(), "break" | "return" | "throw"))
            });
            if !is_run {
                mark(dropped, *from, to);
            }
            goes_on = is_run && !is_left;
        }
    }

    /// Takes out the functions of commands that are not asked for: `p.add_parser("clean").set_defaults(func=clean)`.
    fn commands(&self, code: &'t Code, dropped: &mut [bool]) {
        let tokens = &code.tokens;
        let Some(command) = self.command() else { return };
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut unasked: Vec<&str> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match (token, tokens.get(at + 1..)) {
                (
                    Token::Name(add),
                    Some([Token::Sign('('), Token::Text(name), Token::Sign(sign), ..]),
                ) if add == "add_parser" && matches!(sign, ')' | ',') => {
                    let from = tokens
                        .get(..at)
                        .and_then(|before| before.iter().rposition(|it| *it == Token::Sign('\n')));
                    let start = from.map_or(0, |from| from + 1);
                    let close = closing(tokens, at + 1).unwrap_or(at);
                    let has_others = tokens
                        .get(at..close)
                        .is_some_and(|inner| inner.contains(&Token::Name("aliases".to_owned())));
                    if let Some([Token::Name(variable), Token::Sign('='), ..]) = tokens.get(start..)
                    {
                        // A name that stands for two commands is none.
                        names
                            .entry(variable)
                            .and_modify(|own| *own = "")
                            .or_insert(if has_others { "" } else { name });
                    }
                }
                (
                    Token::Name(variable),
                    Some(
                        [
                            Token::Sign('.'),
                            Token::Name(sets),
                            Token::Sign('('),
                            Token::Name(func),
                            Token::Sign('='),
                            Token::Name(function),
                            Token::Sign(')'),
                            ..,
                        ],
                    ),
                ) if sets == "set_defaults"
                    && matches!(
                        func.as_str(),
                        "func" | "fn" | "handler" | "run" | "command" | "action"
                    ) =>
                {
                    let name = names.get(variable.as_str()).copied().unwrap_or_default();
                    let is_asked = name.is_empty() || command == Some(name);
                    unasked.extend((!is_asked).then_some(function.as_str()));
                }
                _ => {}
            }
        }
        for function in unasked {
            let is_it = |token: &&Token| matches!(token, Token::Name(name) if name == function);
            let is_named_twice = tokens.iter().filter(is_it).count() == 2;
            let definition = tokens.windows(2).position(|pair| {
                pair == [Token::Name("def".to_owned()), Token::Name(function.to_owned())]
            });
            let Some(at) = definition.filter(|_| is_named_twice) else { continue };
            let Some(body) = header_end(tokens, at) else { continue };
            let own = code.indents.get(at).copied().unwrap_or_default();
            mark(dropped, body + 1, block_end(code, body, own));
        }
    }
}

/// Whether a word may be one of some flags: one may be cut short, and a letter may stand among others.
fn may_be_one(word: &str, flags: &[String]) -> bool {
    let own = word.split('=').next().unwrap_or(word);
    let is_long = own.len() > 2 && own.starts_with("--");
    flags.iter().any(|flag| match is_long {
        true => flag.starts_with(own),
        false => {
            own.starts_with('-')
                && flag.len() == 2
                && own.len() > 1
                && own.contains(flag.get(1..).unwrap_or("-"))
        }
    })
}

/// The labels of a `switch`: where each begins, where what it labels does, and its text; none of `default`.
fn labels(tokens: &[Token], open: usize, end: usize) -> Vec<(usize, usize, Option<&str>)> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for at in open + 1..end {
        match tokens.get(at..) {
            Some([Token::Sign('(' | '[' | '{'), ..]) => depth += 1,
            Some([Token::Sign(')' | ']' | '}'), ..]) => depth = depth.saturating_sub(1),
            Some([Token::Name(case), Token::Text(text), Token::Sign(':'), ..])
                if depth == 0 && case == "case" =>
            {
                found.push((at, at + 3, Some(text.as_str())));
            }
            // What it is compared with is not known: nothing is left out.
            Some([Token::Name(case), ..]) if depth == 0 && case == "case" => return Vec::new(),
            Some([Token::Name(word), Token::Sign(':'), ..]) if depth == 0 && word == "default" => {
                found.push((at, at + 2, None));
            }
            _ => {}
        }
    }
    found
}

fn skip_lines(tokens: &[Token], mut at: usize) -> usize {
    while tokens.get(at) == Some(&Token::Sign('\n')) {
        at += 1;
    }
    at
}

/// Where a statement or a block ends that begins at a place.
fn part_end(tokens: &[Token], at: usize) -> Option<usize> {
    let at = skip_lines(tokens, at);
    match tokens.get(at)? {
        Token::Sign('{') => {
            Some(enclosing_brace(tokens, at + 1) + 1).filter(|end| *end <= tokens.len())
        }
        // Those have parts of their own.
        Token::Name(word)
            if matches!(word.as_str(), "if" | "for" | "while" | "try" | "switch" | "do") =>
        {
            None
        }
        _ => {
            let end = at + statement(tokens.get(at..)?);
            Some(end + usize::from(tokens.get(end) == Some(&Token::Sign(';'))))
        }
    }
}

/// Whether a block in braces certainly ends what is around it.
fn leaves_braces(body: &[Token]) -> bool {
    let body = trimmed(body);
    let inner = match body {
        [Token::Sign('{'), inner @ .., Token::Sign('}')] => inner,
        body => body,
    };
    split(inner, &['\n', ';']).iter().any(|part| ends_code(trimmed(part)))
}

/// Where what is around a place is closed.
fn enclosing_brace(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => return at,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Up to where nothing is reached behind a statement that leaves what is around it: to the end of that, or to what another
/// one comes to.
fn unreached_end(tokens: &[Token], from: usize) -> usize {
    let end = enclosing_brace(tokens, from);
    let mut depth = 0_usize;
    for at in from..end {
        match tokens.get(at) {
            Some(Token::Sign('(' | '[' | '{')) => depth += 1,
            Some(Token::Sign(')' | ']' | '}')) => depth = depth.saturating_sub(1),
            Some(Token::Name(word))
                if depth == 0
                    && matches!(word.as_str(), "case" | "default" | "function" | "async") =>
            {
                return at;
            }
            _ => {}
        }
    }
    end
}

/// Whether a statement ends the code, or the function, or what of a loop comes behind it.
fn ends_code(tokens: &[Token]) -> bool {
    match tokens {
        [Token::Name(word), ..]
            if matches!(word.as_str(), "return" | "raise" | "throw" | "continue" | "break") =>
        {
            true
        }
        [Token::Name(exit), Token::Sign('('), ..] => matches!(exit.as_str(), "exit" | "quit"),
        [Token::Name(of), Token::Sign('.'), Token::Name(exit), Token::Sign('('), ..] => {
            matches!((of.as_str(), exit.as_str()), ("sys" | "process", "exit") | ("os", "_exit"))
        }
        _ => false,
    }
}

/// Where the colon stands that ends the head of a block of Python.
fn header_end(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(at).take(MAX_TOKENS * 2) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.checked_sub(1)?,
            Token::Sign(':') if depth == 0 => return Some(place),
            Token::Sign('\n') if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Where the first line begins behind a block of Python, whose head ends at a place and is so far in.
fn block_end(code: &Code, body: usize, own: u32) -> usize {
    let is_break = |at: &usize| code.tokens.get(*at) == Some(&Token::Sign('\n'));
    let line = (body..code.tokens.len()).find(is_break).unwrap_or(code.tokens.len());
    (line..code.tokens.len())
        .find(|at| !is_break(at) && code.indents.get(*at).is_some_and(|indent| *indent <= own))
        .unwrap_or(code.tokens.len())
}

/// Where the block of Python ends whose lines are so far in.
fn enclosing_end(code: &Code, from: usize, own: u32) -> usize {
    let is_break = |at: &usize| code.tokens.get(*at) == Some(&Token::Sign('\n'));
    (from..code.tokens.len())
        .find(|at| !is_break(at) && code.indents.get(*at).is_some_and(|indent| *indent < own))
        .unwrap_or(code.tokens.len())
}

#[cfg(test)]
mod tests {
    use super::take;
    use crate::languages::environment::WORDS;
    use crate::languages::language::Language;
    use crate::languages::token::{self, Token};

    /// Whether code names something once what the words do not ask for is gone.
    fn names(language: Language, code: &str, words: &[&str], name: &str) -> bool {
        let Some(syntax) = token::syntax(language) else { return true };
        let mut code = token::tokens(syntax, code);
        let words: String = words.iter().flat_map(|word| [*word, "\0"]).collect();
        take(language, &mut code, &[(WORDS, &words)]);
        code.tokens.contains(&Token::Name(name.to_owned()))
    }

    #[test]
    fn branches_that_the_words_do_not_take_are_gone() {
        let python = |code: &str, words: &[&str]| names(Language::Python, code, words, "rm");
        let code = "if '-x' in sys.argv:\n  rm()\nelif len(sys.argv) > 2:\n  a()\nelse:\n  b()\n";
        assert!(python(code, &["c.py", "-x"]) && !python(code, &["c.py"]));
        let code = "def f():\n  if not sys.argv[1] == 'a':\n    return\n  rm()\nf()\n";
        assert!(python(code, &["c.py", "a"]) && !python(code, &["c.py", "b"]));
        let code = "if x and '-y' in sys.argv:\n  rm()\n";
        assert!(python(code, &["c.py", "-y"]) && !python(code, &["c.py"]));
        let code = "sys.argv = ['-x']\nif '-x' in sys.argv:\n  rm()\n";
        assert!(python(code, &["c.py"]));
        let javascript =
            |code: &str, words: &[&str]| names(Language::JavaScript, code, words, "rm");
        let code = "if (process.argv[2] !== 'a') { return; }\nrm();";
        assert!(javascript(code, &["node", "c.js", "a"]) && !javascript(code, &["node", "c.js"]));
        let code =
            "switch (process.argv[2]) { case 'a': b(); case 'c': rm(); break; default: d(); }";
        assert!(
            javascript(code, &["node", "c.js", "a"]) && javascript(code, &["node", "c.js", "c"])
        );
        assert!(!javascript(code, &["node", "c.js", "e"]));
    }

    #[test]
    fn what_nests_deep_ends() {
        let code = "if (".repeat(10_000);
        assert!(!names(Language::JavaScript, &code, &["node"], "rm"));
        let code = "if not ".repeat(10_000);
        assert!(!names(Language::Python, &code, &["x"], "rm"));
    }
}
