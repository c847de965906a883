//! Options that code declares for the words behind it, and what each is then: what the words say, or else what the code
//! says. Knows the signs of `argparse` and `click`, and of functions whose parameters are options.

use std::collections::{HashMap, HashSet};

use super::language::Language;
use super::names::Names;
use super::parts::{closing, split, trimmed};
use super::token::Token;
use super::value::Value;
use crate::hole::HOLE;

/// No more options are kept.
const MAX: usize = 128;

/// What an option is unless told is no longer than so, in tokens.
const MAX_USUAL: usize = 32;

/// So deep it counts as the option itself: what an option is may be made of others, which are made of others.
const DEPTH: u32 = 8;

/// Names by which code most often keeps what options say.
const KEPT: [&str; 8] = ["args", "opts", "options", "opt", "arguments", "parsed", "ns", "cli_args"];

/// An option.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// How the words call it; empty where it has a place among them.
    flags: Vec<String>,
    /// Its number among those that have a place.
    place: usize,
    /// Whether all words from that place on are meant.
    is_list: bool,
    /// Whether a word behind it is its value.
    takes_value: bool,
    /// What it is unless the words say so.
    default: Vec<Token>,
    /// Whether a parameter of a function has its value.
    is_parameter: bool,
}

/// The options that code declares, by the names under which it asks for them.
#[derive(Debug, Default)]
pub struct Options {
    declared: HashMap<String, Declared>,
    /// The names of what they are kept in.
    kept: HashSet<String>,
    /// Whether nobody knows which place a word has.
    has_commands: bool,
}

impl Options {
    /// Takes up what code declares.
    pub fn of(language: Language, tokens: &[Token]) -> Self {
        let mut options = Self::default();
        if language != Language::Python {
            return options;
        }
        let mut places = 0;
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            match name.as_str() {
                "add_argument" | "option" | "argument" if options.declared.len() < MAX => {
                    options.declare(tokens, (at, name), &mut places);
                }
                "add_subparsers" | "group" => options.has_commands = true,
                "parse_args" | "parse_known_args" => options.keep(tokens, at),
                _ => {}
            }
        }
        options
    }

    /// `p.add_argument("--root", "-r", dest="top", default="src")`
    fn declare(&mut self, tokens: &[Token], (at, name): (usize, &str), places: &mut usize) {
        let Some(inner) = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close))
        else {
            return;
        };
        let (mut own, mut field) = (Declared::default(), None);
        (own.takes_value, own.is_parameter) = (true, name != "add_argument");
        for part in split(inner, &[',']) {
            match trimmed(part) {
                [Token::Text(flag)] if flag.starts_with('-') => own.flags.push(flag.clone()),
                [Token::Text(name)] => field = Some(name.clone()),
                [Token::Name(name), Token::Sign('='), value @ ..] => match (name.as_str(), value) {
                    ("default", value) if value.len() <= MAX_USUAL => {
                        own.default = value.to_vec();
                    }
                    ("dest", [Token::Text(name)]) => field = Some(name.clone()),
                    ("action", [Token::Text(action)]) => own.takes_value = action == "store",
                    ("is_flag", [Token::Name(word)]) => own.takes_value = word != "True",
                    ("nargs", [Token::Text(count)]) => own.is_list = count != "?",
                    ("nargs", _) => own.is_list = true,
                    _ => {}
                },
                _ => {}
            }
        }
        if own.flags.is_empty() {
            own.place = *places;
            *places += 1;
        }
        let long = own.flags.iter().find(|flag| flag.starts_with("--")).or(own.flags.first());
        let called = long.map(|flag| flag.trim_start_matches('-').replace('-', "_"));
        if let Some(field) = field.or(called) {
            self.declared.entry(field).or_insert(own);
        }
    }

    /// `args = p.parse_args()`, `args, rest = p.parse_known_args()`
    fn keep(&mut self, tokens: &[Token], at: usize) {
        const MAX_BEFORE: usize = 24;
        let before = tokens.get(at.saturating_sub(MAX_BEFORE)..at).unwrap_or_default();
        let ends = |token: &Token| matches!(token, Token::Sign('\n' | ';'));
        let from = before.iter().rposition(ends).map_or(0, |end| end + 1);
        if let Some([Token::Name(name), Token::Sign('=' | ','), ..]) = before.get(from..) {
            self.kept.insert(name.clone());
        }
    }

    /// The option that a field of an object is, as in `args.root`.
    fn field(&self, of: &str, field: &str) -> Option<&Declared> {
        let is_kept = self.kept.contains(of) || KEPT.contains(&of);
        self.declared.get(field).filter(|_| is_kept)
    }
}

impl Names {
    /// What an option is that a field of an object stands for.
    pub fn option(&self, of: &str, field: &str, depth: u32) -> Option<Value> {
        let declared = self.options().field(of, field)?;
        Some(self.said(declared, depth))
    }

    /// What an option is that a parameter of a function stands for.
    pub fn option_of_parameter(&self, name: &str) -> Option<Value> {
        let declared = self.options().declared.get(name).filter(|it| it.is_parameter)?;
        Some(self.said(declared, 0))
    }

    /// What the words say of an option, or the code.
    fn said(&self, declared: &Declared, depth: u32) -> Value {
        if !declared.takes_value {
            return Value::Unknown;
        }
        let usual = match declared.default.as_slice() {
            [] => Value::Unknown,
            default => self.value(default, depth + DEPTH),
        };
        let Some(words) = self.words() else { return usual.or_unknown() };
        let words = words.get(1..).unwrap_or_default();
        let said = match declared.flags.is_empty() {
            true => self.placed(declared, words),
            false => flagged(&declared.flags, words).map(Value::Text),
        };
        match said {
            Some(value) => value,
            None if words.iter().any(|word| word.starts_with(HOLE)) => usual.or_unknown(),
            None => usual,
        }
    }

    /// The word at a place, or those from there on.
    fn placed(&self, declared: &Declared, words: &[String]) -> Option<Value> {
        let options = self.options();
        if options.has_commands {
            return Some(Value::Unknown);
        }
        let takes_value = |flag: &str| {
            let mut all = options.declared.values();
            all.any(|it| it.takes_value && it.flags.iter().any(|known| known == flag))
        };
        let (mut operands, mut is_value) = (Vec::new(), false);
        for word in words {
            match word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                _ if std::mem::take(&mut is_value) => {}
                Some(_) => is_value = takes_value(word),
                None => operands.push(word),
            }
        }
        let mut behind = operands.into_iter().skip(declared.place).cloned().map(Value::Text);
        match declared.is_list {
            true => {
                Some(Value::List(behind.collect())).filter(|list| *list != Value::List(Vec::new()))
            }
            false => behind.next(),
        }
    }
}

/// The value of a flag among words: the next one, or what stands in the same one.
fn flagged(flags: &[String], words: &[String]) -> Option<String> {
    let mut words = words.iter();
    let mut found = None;
    while let Some(word) = words.next() {
        for flag in flags {
            let Some(rest) = word.strip_prefix(flag.as_str()) else { continue };
            let is_short = !flag.starts_with("--");
            match rest.strip_prefix('=') {
                _ if rest.is_empty() => found = words.next().cloned(),
                Some(value) => found = Some(value.to_owned()),
                None if is_short => found = Some(rest.to_owned()),
                None => continue,
            }
            break;
        }
    }
    found
}
