//! Names for functions and libraries of a language: what imports and assignments call by which name.

use std::collections::HashMap;

use super::language::Language;
use super::lookups;
use super::parts::{MAX_ARGUMENTS, chain, closing, object, opening, split, statement, trimmed};
use super::token::Token;

/// A function of a library; a library itself is called as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The library, or the object.
    pub of: String,
    pub name: String,
}

/// No more meanings of one name are kept.
const MAX_MEANINGS: usize = 4;

/// So many names are looked through one after the other.
const MAX_DEPTH: u32 = 4;

/// What names stand for.
#[derive(Debug, Default)]
pub struct Origins {
    known: HashMap<String, Vec<Origin>>,
}

impl Origins {
    /// Takes up what is imported and what names are set to functions.
    pub fn of(language: Language, tokens: &[Token]) -> Self {
        let mut origins = Self::default();
        if !matches!(language, Language::Python | Language::JavaScript | Language::Lua) {
            return origins;
        }
        for at in 0..tokens.len() {
            match (language, tokens.get(at)) {
                (Language::Python, Some(Token::Name(word))) if word == "import" => {
                    origins.python(tokens, at);
                }
                (Language::JavaScript, Some(Token::Name(word))) if word == "import" => {
                    origins.javascript(tokens, at);
                }
                (Language::JavaScript, Some(Token::Name(word))) if word == "then" => {
                    origins.then(language, tokens, at);
                }
                (_, Some(Token::Sign('='))) => origins.assignment(language, tokens, at),
                _ => {}
            }
        }
        origins
    }

    /// What a name stands for; empty where nobody says so.
    pub fn named(&self, name: &str) -> &[Origin] {
        self.known.get(name).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, name: &str, of: &str, function: &str) {
        let meanings = self.known.entry(name.to_owned()).or_default();
        if meanings.len() < MAX_MEANINGS {
            meanings.push(Origin { of: of.to_owned(), name: function.to_owned() });
        }
    }

    /// `import a, b.c as d`, `from a import b, c as d`.
    fn python(&mut self, tokens: &[Token], at: usize) {
        let behind = tokens.get(at + 1..).unwrap_or_default();
        let listed = match behind.first() {
            Some(Token::Sign('(')) => {
                closing(behind, 0).and_then(|close| behind.get(1..close)).unwrap_or_default()
            }
            _ => behind.get(..statement(behind)).unwrap_or_default(),
        };
        let from = from_module(tokens, at);
        for part in split(listed, &[',']) {
            let part = trimmed(part);
            let is_as = |token: &Token| matches!(token, Token::Name(word) if word == "as");
            let cut = part.iter().position(is_as).unwrap_or(part.len());
            let own = dotted(part.get(..cut).unwrap_or_default());
            let alias = match part.get(cut + 1) {
                Some(Token::Name(alias)) => alias.as_str(),
                _ => own.as_str(),
            };
            match &from {
                Some(module) => self.add(alias, library(Language::Python, module), &own),
                None if alias.contains('.') => {}
                None => {
                    let own = library(Language::Python, &own);
                    self.add(alias, own, own);
                }
            }
        }
    }

    /// `import a, {b as c} from "d"`, `import * as a from "d"`.
    fn javascript(&mut self, tokens: &[Token], at: usize) {
        const MAX: usize = 128;
        let behind = tokens.get(at + 1..).unwrap_or_default();
        let is_text = |token: &Token| matches!(token, Token::Text(_) | Token::Sign('(' | ';'));
        let Some(end) = behind.iter().take(MAX).position(is_text) else { return };
        let Some(Token::Text(module)) = behind.get(end) else { return };
        let module = library(Language::JavaScript, module);
        let mut before: Option<&str> = None;
        let mut is_inside = false;
        for (at, token) in behind.get(..end).unwrap_or_default().iter().enumerate() {
            match token {
                Token::Sign('{') => is_inside = true,
                Token::Sign('}') => is_inside = false,
                Token::Name(word) if word == "from" && at + 1 == end => {}
                Token::Name(word) if word == "as" => {
                    if let Some(Token::Name(alias)) = behind.get(at + 1) {
                        let own = before.filter(|_| is_inside).unwrap_or(module);
                        self.add(alias, module, if own == "default" { module } else { own });
                    }
                }
                Token::Name(name) => {
                    let is_alias = matches!(at.checked_sub(1).and_then(|at| behind.get(at)), Some(Token::Name(word)) if word == "as");
                    if !is_alias {
                        self.add(name, module, if is_inside { name } else { module });
                        before = Some(name);
                    }
                }
                _ => {}
            }
        }
    }

    /// `import("a").then(b => …)`, `.then(({ b }) => …)`.
    fn then(&mut self, language: Language, tokens: &[Token], at: usize) {
        let Some(origin) = self.reference(language, object(tokens, at), 0) else { return };
        let behind = tokens.get(at + 2..).unwrap_or_default();
        let behind = match behind {
            [Token::Name(word), rest @ ..] if word == "async" => rest,
            rest => rest,
        };
        match behind {
            [Token::Name(name), Token::Sign('='), Token::Sign('>'), ..] => {
                self.add(name, &origin.name, &origin.name);
            }
            [Token::Sign('('), Token::Name(name), Token::Sign(')'), ..] => {
                self.add(name, &origin.name, &origin.name);
            }
            [Token::Sign('('), Token::Sign('{'), ..] => {
                let inner = closing(behind, 1).and_then(|close| behind.get(2..close));
                self.parts(&origin.name, inner.unwrap_or_default(), 0);
            }
            _ => {}
        }
    }

    /// `a = b.c`, `const { a, b: c } = require("d")`.
    fn assignment(&mut self, language: Language, tokens: &[Token], at: usize) {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let behind = tokens.get(at + 1..).unwrap_or_default();
        let end = statement(behind);
        let value = behind.get(..end).unwrap_or_default();
        // `a = b, c = d`
        let value = split(value, &[',']).first().copied().unwrap_or_default();
        // Long values are no names.
        const MAX: usize = 32;
        if value.len() > MAX || matches!(value.first(), Some(Token::Sign('=' | '>'))) {
            return;
        }
        match before {
            Some(Token::Name(name)) => {
                let is_field =
                    at.checked_sub(2).and_then(|at| tokens.get(at)) == Some(&Token::Sign('.'));
                let origin = self.reference(language, value, 0).filter(|_| !is_field);
                // A name for itself says nothing.
                if let Some(Origin { of, name: own }) =
                    origin.filter(|origin| !origin.of.is_empty() || origin.name != *name)
                {
                    self.add(name, &of, &own);
                }
            }
            Some(Token::Sign('}')) if language == Language::JavaScript => {
                let before = tokens.get(..at).unwrap_or_default();
                let Some(open) = opening(before) else { return };
                let Some(origin) = self.reference(language, value, 0) else { return };
                let inner = before.get(open + 1..before.len() - 1).unwrap_or_default();
                self.parts(&origin.name, inner, 0);
            }
            _ => {}
        }
    }

    /// The names that an object is taken apart into.
    fn parts(&mut self, of: &str, tokens: &[Token], depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        for part in split(tokens, &[',']) {
            match trimmed(part) {
                [Token::Name(own), Token::Sign(':'), Token::Name(alias), ..] => {
                    // That is the library itself.
                    let own = if own == "default" { of } else { own };
                    self.add(alias, of, own);
                }
                [
                    Token::Name(own),
                    Token::Sign(':'),
                    Token::Sign('{'),
                    inner @ ..,
                    Token::Sign('}'),
                ] => {
                    self.parts(own, inner, depth + 1);
                }
                [Token::Name(own), ..] => self.add(own, of, own),
                _ => {}
            }
        }
    }

    /// What an expression stands for that only names something: `a.b`, `require("a").b`.
    pub fn reference(&self, language: Language, tokens: &[Token], depth: u32) -> Option<Origin> {
        let mut tokens = trimmed(tokens);
        if let [Token::Name(word), rest @ ..] = tokens
            && word == "await"
        {
            tokens = rest;
        }
        if depth > MAX_DEPTH || tokens.len() > MAX_ARGUMENTS || chain(tokens) != 0 {
            return None;
        }
        let own = |of: &str, name: &str| Some(Origin { of: of.to_owned(), name: name.to_owned() });
        match tokens {
            [Token::Name(name)] => match self.named(name) {
                [first, ..] => Some(first.clone()),
                [] => own("", name),
            },
            [before @ .., Token::Sign('.'), Token::Name(name)] => {
                let of = self.reference(language, before, depth + 1)?;
                match name.as_str() {
                    "default" => Some(of),
                    _ => own(&of.name, name),
                }
            }
            [.., Token::Sign(')')] => {
                let open = opening(tokens)?;
                let inner = tokens.get(open + 1..tokens.len() - 1)?;
                let function = match open.checked_sub(1).and_then(|at| tokens.get(at)) {
                    // It may be called by another name.
                    Some(Token::Name(function)) => {
                        self.named(function).first().map_or(function.as_str(), |own| &own.name)
                    }
                    Some(Token::Sign(')')) => {
                        let called = self.reference(language, tokens.get(..open)?, depth + 1)?;
                        if called.name == "require" { "require" } else { "" }
                    }
                    _ => {
                        return (open == 0)
                            .then(|| self.reference(language, inner, depth + 1))
                            .flatten();
                    }
                };
                match (function, inner) {
                    (function, [Token::Text(module), ..]) if lookups::loads(function) => {
                        let module = library(language, module);
                        own(module, module)
                    }
                    ("promisify", inner) => self.reference(language, inner, depth + 1),
                    ("createRequire", _) => own("", "require"),
                    ("CDLL" | "PyDLL" | "LoadLibrary", _) => own("CDLL", "CDLL"),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The library that `from a import b` names before its `import`.
fn from_module(tokens: &[Token], at: usize) -> Option<String> {
    const MAX: usize = 16;
    let start = at.saturating_sub(MAX);
    let before = tokens.get(start..at)?;
    let is_from = |token: &Token| matches!(token, Token::Name(word) if word == "from");
    let from = before.iter().rposition(is_from)?;
    let module = before.get(from + 1..)?;
    let is_path = |token: &Token| matches!(token, Token::Name(_) | Token::Sign('.'));
    module.iter().all(is_path).then(|| dotted(module))
}

/// Names with dots between them.
fn dotted(tokens: &[Token]) -> String {
    tokens
        .iter()
        .map_while(|token| match token {
            Token::Name(name) => Some(name.as_str()),
            Token::Sign('.') => Some("."),
            _ => None,
        })
        .collect()
}

/// The usual name of a library.
fn library(language: Language, name: &str) -> &str {
    match language {
        Language::JavaScript => match name.strip_prefix("node:").unwrap_or(name) {
            "fs/promises" | "graceful-fs" | "original-fs" | "mz/fs" => "fs",
            "fs-extra" => "fse",
            other => other,
        },
        _ => match name {
            "posix" | "nt" | "aiofiles.os" => "os",
            "os.path" => "path",
            other => other,
        },
    }
}
