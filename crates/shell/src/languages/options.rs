//! Options that code declares for the words behind it, by the signs of `argparse` and `click`. Knows no values.

use std::collections::{HashMap, HashSet};

use super::language::Language;
use super::parts::{closing, split, trimmed};
use super::token::Token;

/// No more options are kept.
const MAX: usize = 128;

/// What an option is unless told is no longer than so, in tokens.
const MAX_USUAL: usize = 32;

/// Names by which code most often keeps what options say.
const KEPT: [&str; 8] = ["args", "opts", "options", "opt", "arguments", "parsed", "ns", "cli_args"];

/// What options are kept in where code gives that no name of its own.
pub const PARSED: &str = "args";

/// An option.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// How the words call it; empty where it has a place among them.
    pub flags: Vec<String>,
    /// Its number among those that have a place.
    pub place: usize,
    /// Whether all words from that place on are meant.
    pub is_list: bool,
    /// Whether a word behind it is its value.
    pub takes_value: bool,
    /// Whether it is on where the words say it, and off where not.
    pub is_switch: bool,
    /// What it is unless the words say so.
    pub default: Vec<Token>,
    /// Whether a parameter of a function has its value.
    pub is_parameter: bool,
}

/// The options that code declares, by the names under which it asks for them.
#[derive(Debug, Default)]
pub struct Options {
    pub declared: HashMap<String, Declared>,
    /// The names of what they are kept in.
    kept: HashSet<String>,
    /// Whether nobody knows which place a word has.
    pub has_commands: bool,
    /// The name under which code asks which command is meant.
    pub command: Option<String>,
    /// The words that the code itself has taken for those behind it.
    pub words: Option<Vec<String>>,
    /// Whether it takes others that nobody knows.
    takes_others: bool,
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
                "add_subparsers" | "group" => {
                    options.has_commands = true;
                    options.command = option_text(tokens, at, "dest").or(options.command);
                }
                "parse_args" | "parse_known_args" => {
                    options.keep(tokens, at);
                    options.take_words(tokens, at);
                }
                _ => {}
            }
        }
        for (at, token) in tokens.iter().enumerate() {
            if matches!(token, Token::Name(name) if name == "set_defaults") {
                options.set_defaults(tokens, at);
            }
        }
        options
    }

    /// `p.set_defaults(out="src")`
    fn set_defaults(&mut self, tokens: &[Token], at: usize) {
        let inner = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close));
        for part in split(inner.unwrap_or_default(), &[',']) {
            if let [Token::Name(name), Token::Sign('='), value @ ..] = trimmed(part)
                && value.len() <= MAX_USUAL
                && self.declared.len() < MAX
            {
                let own = self.declared.entry(name.clone()).or_insert_with(|| Declared {
                    // No word says it.
                    flags: vec!["\0".to_owned()],
                    takes_value: true,
                    ..Declared::default()
                });
                own.default = value.to_vec();
            }
        }
    }

    /// `p.parse_args(["--out", "src"])`: those are the words.
    fn take_words(&mut self, tokens: &[Token], at: usize) {
        let inner = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close));
        let inner = trimmed(inner.unwrap_or_default());
        let words: Option<Vec<String>> = match inner {
            // The usual ones.
            [] => return,
            [Token::Name(sys), Token::Sign('.'), Token::Name(argv), ..]
                if sys == "sys" && argv == "argv" =>
            {
                return;
            }
            [Token::Sign('['), list @ .., Token::Sign(']')] => {
                let word = |part: &&[Token]| match trimmed(part) {
                    [Token::Text(word)] => Some(word.clone()),
                    _ => None,
                };
                split(list, &[',']).iter().map(word).collect()
            }
            _ => None,
        };
        match words {
            Some(words) if self.words.is_none() => self.words = Some(words),
            _ => self.takes_others = true,
        }
    }

    /// Whether the words are not those behind the code.
    pub fn has_own_words(&self) -> bool {
        self.words.is_some() || self.takes_others
    }

    /// Whether options are kept in what is called so.
    pub fn is_kept(&self, of: &str) -> bool {
        self.kept.contains(of) || KEPT.contains(&of)
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
                    ("action", [Token::Text(action)]) => {
                        own.takes_value = action == "store";
                        own.is_switch = action == "store_true";
                    }
                    ("is_flag", [Token::Name(word)]) => {
                        own.is_switch = word == "True";
                        own.takes_value = !own.is_switch;
                    }
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
    pub fn field(&self, of: &str, field: &str) -> Option<&Declared> {
        self.declared.get(field).filter(|_| self.is_kept(of))
    }
}

/// The text of an argument that is given by its name: `add_subparsers(dest="command")`.
fn option_text(tokens: &[Token], at: usize, name: &str) -> Option<String> {
    let inner = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close))?;
    split(inner, &[',']).into_iter().find_map(|part| match trimmed(part) {
        [Token::Name(own), Token::Sign('='), Token::Text(text)] if own == name => {
            Some(text.clone())
        }
        _ => None,
    })
}
