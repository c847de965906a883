//! What calls are given: the values of their arguments, and the settings among these.

use super::code::Scan;
use super::functions;
use super::language::Language;
use super::parts::{MAX_ARGUMENTS, closing, split, trimmed};
use super::token::Token;
use super::value::Value;

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    pub values: Vec<Value>,
    /// Whether a setting of this name is on: `shell=True`, `{ recursive: true }`.
    pub is_shell: bool,
    pub is_recursive: bool,
    pub is_in_place: bool,
    /// The list that is given by the name `args`.
    pub list: Option<Value>,
    /// The mode that is given by its name.
    pub mode: Option<Value>,
    /// The program that is run, whatever the first word is.
    pub program: Option<Value>,
    /// What the program is given to read.
    pub input: Option<Value>,
    /// The directory that it runs in.
    pub directory: Option<Value>,
    /// The variables that it is given.
    pub environment: Option<Value>,
    /// Whether the program is given something to read later.
    pub is_written_to: bool,
    /// Whether there are options of which nothing is known.
    pub has_unknown_settings: bool,
    /// The first argument, where it is given by its name.
    pub named: Option<Value>,
}

impl Arguments {
    /// The same where another program is named than the first word: `run(["x", "-rf"], executable="/bin/rm")`.
    pub fn with_own_program(&self) -> Option<Self> {
        let program = self.program.as_ref().filter(|_| !self.is_shell)?;
        let mut own = self.clone();
        if let Some(Value::List(words)) = own.values.first_mut() {
            words.first_mut()?.clone_from(program);
        }
        own.program = None;
        Some(own)
    }

    /// Takes the mode of a program that is read or written to, the last of several arguments.
    pub fn take_mode(&mut self) {
        let is_mode = |mode: &str| matches!(mode, "r" | "w" | "r+" | "w+" | "rb" | "wb");
        if self.values.len() > 1
            && let Some(Value::Text(mode)) = self.values.last()
            && is_mode(mode)
        {
            self.is_written_to = mode.contains(['w', '+']);
            self.values.pop();
        }
    }
}

/// The names by which functions call their first argument.
const FIRST: &[&str] = &[
    "path",
    "src",
    "file",
    "filename",
    "fname",
    "cmd",
    "command",
    "sql",
    "text",
    "query",
    "statement",
    "operation",
];

/// Words of Ruby and Perl that begin no argument.
const WORDS: &[&str] = &[
    "if", "unless", "and", "or", "do", "end", "then", "while", "until", "rescue", "in", "not",
    "ensure", "else",
];

impl Scan<'_> {
    /// The arguments behind a name, in brackets or, where a language allows it, without.
    pub fn arguments(&self, at: usize) -> Option<Arguments> {
        let inner = match self.tokens.get(at)? {
            Token::Sign('(') => self.tokens.get(at + 1..closing(self.tokens, at)?)?,
            token
                if matches!(self.language, Language::Perl | Language::Ruby | Language::Lua)
                    && self.begins_argument(at, token) =>
            {
                let rest = self.tokens.get(at..)?;
                let mut depth = 0_usize;
                let is_perl = self.language == Language::Perl;
                let is_colon = |at: usize| rest.get(at) == Some(&Token::Sign(':'));
                let ends = |(at, token): (usize, &Token)| {
                    match token {
                        // `-d $_ ? rmdir $_ : unlink $_`
                        Token::Sign(':') if depth == 0 && is_perl => {
                            return !(is_colon(at + 1) || at > 0 && is_colon(at - 1));
                        }
                        Token::Sign('(' | '[' | '{') => depth += 1,
                        Token::Sign(')' | ']' | '}') if depth == 0 => return true,
                        Token::Sign(')' | ']' | '}') => depth -= 1,
                        Token::Sign(';' | '\n') => return depth == 0,
                        Token::Name(word) if depth == 0 => {
                            return matches!(
                                word.as_str(),
                                "if" | "unless" | "or" | "and" | "do" | "for" | "foreach" | "while"
                            );
                        }
                        _ => {}
                    }
                    false
                };
                let end = rest.iter().take(MAX_ARGUMENTS).enumerate().position(ends);
                rest.get(..end.unwrap_or(rest.len().min(MAX_ARGUMENTS)))?
            }
            _ => return None,
        };
        let mut arguments = Arguments::default();
        // `system join " ", @words`: all of it is one argument.
        let is_one = self.language == Language::Perl
            && matches!(inner, [Token::Name(word), next, ..] if *next != Token::Sign('(') && matches!(word.as_str(), "join" | "map" | "grep" | "sort"));
        if is_one {
            arguments.values.push(self.names.value(inner, 0));
            return Some(arguments);
        }
        for part in split(inner, &[',']) {
            self.argument(trimmed(part), &mut arguments);
        }
        if arguments.values.is_empty() {
            arguments.values.extend(arguments.named.take());
        }
        Some(arguments)
    }

    /// Whether a token may be the first of arguments without brackets.
    fn begins_argument(&self, at: usize, token: &Token) -> bool {
        let is_perl = self.language == Language::Perl;
        match token {
            Token::Text(_)
            | Token::Filled(_)
            | Token::Words(_)
            | Token::Command(_)
            | Token::Sign('$') => true,
            Token::Sign('@' | '<') => is_perl,
            Token::Sign('*') => self.language == Language::Ruby,
            Token::Name(word) if self.is_evaluated(at, word) => true,
            Token::Name(word) if is_perl => {
                let function = at.checked_sub(1).and_then(|at| self.name(at));
                matches!(function, Some("open" | "chmod" | "chown" | "utime" | "sysopen"))
                    || matches!(
                        word.as_str(),
                        "glob" | "join" | "pack" | "decode_base64" | "map" | "grep" | "sort"
                    )
            }
            Token::Name(word) => {
                self.language == Language::Ruby
                    && (matches!(word.as_str(), "Dir" | "ARGV") || self.is_command_call(at, word))
            }
            _ => false,
        }
    }

    /// `eval get($url)`: what a function gives is run as code.
    fn is_evaluated(&self, at: usize, word: &str) -> bool {
        let function = at.checked_sub(1).and_then(|at| self.name(at));
        function == Some("eval")
            && matches!(self.language, Language::Perl | Language::Ruby)
            && !WORDS.contains(&word)
    }

    /// `File.delete f`: a method of a class with a name behind it.
    fn is_command_call(&self, at: usize, word: &str) -> bool {
        let is_class = |name: &str| matches!(name, "File" | "FileUtils" | "Dir" | "IO");
        let before = |count: usize| at.checked_sub(count);
        !WORDS.contains(&word)
            && before(2).and_then(|at| self.sign(at)) == Some('.')
            && before(3).and_then(|at| self.name(at)).is_some_and(is_class)
    }

    pub fn argument(&self, tokens: &[Token], arguments: &mut Arguments) {
        match tokens {
            [Token::Name(name), Token::Sign('='), Token::Sign('='), ..] if !name.is_empty() => {
                arguments.values.push(Value::Unknown);
            }
            [Token::Name(name), Token::Sign('=' | ':'), value @ ..] => {
                self.setting(name, value, arguments);
            }
            [Token::Sign('{'), inner @ .., Token::Sign('}')] if !is_block(inner) => {
                self.settings(self.names.object(inner, 0), arguments);
            }
            // `**options`
            [Token::Sign('*'), Token::Sign('*'), rest @ ..] => {
                let value = self.names.value(rest, 0);
                arguments.has_unknown_settings |= value == Value::Unknown;
                self.settings(value, arguments);
            }
            // `*args`: nobody knows how many, if it is no list.
            [Token::Sign('*' | '.'), ..] => {
                let value = self.names.value(tokens, 0);
                let is_told = matches!(value, Value::Told(_));
                let is_known = value.is_listed() || is_told;
                match value {
                    Value::List(items) => {
                        for item in items {
                            match item {
                                object @ Value::Object(_) => self.settings(object, arguments),
                                other => arguments.values.push(other),
                            }
                        }
                    }
                    value => {
                        arguments.values.push(if is_known { value } else { Value::Unknown });
                    }
                }
            }
            // What is called when it is done.
            tokens if self.language == Language::JavaScript && is_function(tokens) => {}
            tokens => match self.names.value(tokens, 0) {
                object @ Value::Object(_) => self.settings(object, arguments),
                value => {
                    let is_settings = self.language == Language::JavaScript
                        && value == Value::Unknown
                        && !arguments.values.is_empty()
                        && may_be_settings(tokens);
                    arguments.has_unknown_settings |= is_settings;
                    arguments.values.push(value);
                }
            },
        }
    }

    /// Options of a call.
    fn settings(&self, object: Value, arguments: &mut Arguments) {
        let Value::Object(fields) = object else { return };
        for (name, value) in fields {
            set(&name, value, true, arguments);
        }
    }

    fn setting(&self, name: &str, value: &[Token], arguments: &mut Arguments) {
        let is_zero = matches!(trimmed(value), [Token::Name(word)] if word == "0");
        set(functions::plain(name), self.names.value(value, 0), !is_zero, arguments);
    }
}

/// Takes up a setting of a call.
fn set(name: &str, value: Value, may_be_on: bool, arguments: &mut Arguments) {
    let is_on = may_be_on && value != Value::Off;
    match name {
        "input" | "stdin_data" => arguments.input = Some(value),
        "stdin" => arguments.is_written_to = true,
        "shell" => arguments.is_shell = is_on,
        "recursive" => arguments.is_recursive = is_on,
        "inplace" => arguments.is_in_place = is_on,
        "args" => arguments.list = Some(value),
        "executable" => arguments.program = Some(value).filter(|value| value.text().is_some()),
        "mode" => arguments.mode = Some(value),
        "env" => arguments.environment = Some(value),
        "cwd" | "chdir" => arguments.directory = Some(value),
        name if FIRST.contains(&name) => {
            arguments.named = Some(value).filter(|value| *value != Value::Unknown);
        }
        _ => {}
    }
}

/// Whether what braces hold is statements, and no names with their values.
fn is_block(inner: &[Token]) -> bool {
    matches!(inner.first(), Some(Token::Sign('|'))) || inner.contains(&Token::Sign(';'))
}

/// Whether an argument is a function that is written out.
fn is_function(tokens: &[Token]) -> bool {
    let is_arrow = |pair: &[Token]| pair == [Token::Sign('='), Token::Sign('>')];
    matches!(tokens.first(), Some(Token::Name(word)) if word == "function" || word == "async")
        || tokens.windows(2).any(is_arrow)
}

/// Whether an argument of which nothing is known may be options, and is not what is called in the end.
fn may_be_settings(tokens: &[Token]) -> bool {
    const CALLED: &[&str] =
        &["cb", "callback", "done", "next", "err", "resolve", "reject", "true", "noop"];
    let last = tokens.iter().rev().find_map(|token| match token {
        Token::Name(name) => Some(functions::plain(name)),
        _ => None,
    });
    last.is_some_and(|last| !CALLED.contains(&last))
}
