//! Writes code that is spelled in an unusual way as usual: `a["b"]` as `a.b`, `getattr(a, "b")` too, `f.call(x, y)` as
//! `f(y)`, a function that is written out and called at once as what it is given and its body. Means the same, and knows
//! no function but those of the languages that look up and call others.

use super::calls;
use super::language::Language;
use super::parts::{chain, closing, opening, split, trimmed};
use super::token::{Code, Token};

/// Functions that are called at once stand in such ones, so deep.
const MAX_DEPTH: u32 = 8;

/// Makes the spelling of code usual.
pub fn respell(language: Language, code: &mut Code) {
    if !matches!(
        language,
        Language::Python
            | Language::JavaScript
            | Language::Lua
            | Language::Ruby
            | Language::Perl
            | Language::Php
    ) {
        return;
    }
    let tokens = std::mem::take(&mut code.tokens);
    let indents = std::mem::take(&mut code.indents);
    let has_functions = tokens.iter().any(|token| is_word(token, "sub"));
    let mut writer =
        Writer { language, has_functions, depth: 0, out: Vec::with_capacity(tokens.len()) };
    let mut at = 0;
    while at < tokens.len() {
        let taken = writer.step(&tokens, at).max(1);
        let indent = indents.get(at).copied().unwrap_or_default();
        code.indents.resize(writer.out.len(), indent);
        at += taken;
    }
    code.tokens = writer.out;
}

struct Writer {
    language: Language,
    /// Whether the code defines functions of its own.
    has_functions: bool,
    /// How many functions are around that are called at once.
    depth: u32,
    out: Vec<Token>,
}

fn is_word(token: &Token, word: &str) -> bool {
    matches!(token, Token::Name(name) if name == word)
}

fn name(text: &str) -> Option<Token> {
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_name = begins && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| Token::Name(text.to_owned()))
}

/// A constant text: one, or several with `+`, `.` or `..` between them.
fn constant(tokens: &[Token]) -> Option<String> {
    let mut text = String::new();
    let mut is_text = true;
    for token in trimmed(tokens) {
        match token {
            Token::Text(own) => {
                text.push_str(own);
                is_text = false;
            }
            Token::Sign('+' | '.') => is_text = true,
            _ => return None,
        }
    }
    (!is_text).then_some(text)
}

/// Whether a place is reached for only if it is there, with the sign for that before brackets.
fn is_optional(tokens: &[Token], at: usize) -> bool {
    matches!(
        tokens.get(at..at + 3),
        Some([Token::Sign('?'), Token::Sign('.'), Token::Sign('(' | '[')])
    )
}

impl Writer {
    /// Takes what stands at a place. Returns how many tokens that are.
    fn step(&mut self, tokens: &[Token], at: usize) -> usize {
        let taken = match self.language {
            Language::Python => self
                .item(tokens, at)
                .or_else(|| self.attribute(tokens, at))
                .or_else(|| self.at_once(tokens, at)),
            // `f?.(x)`, `a?.[b]`
            Language::JavaScript if is_optional(tokens, at) => Some(2),
            Language::JavaScript => self
                .reflected(tokens, at)
                .or_else(|| self.item(tokens, at))
                .or_else(|| self.called_by_name(tokens, at))
                .or_else(|| self.at_once(tokens, at)),
            Language::Lua => self.item(tokens, at),
            Language::Ruby => self.sent(tokens, at),
            Language::Perl => self.perl(tokens, at),
            Language::Php => self.function_by_name(tokens, at),
            _ => None,
        };
        taken.unwrap_or_else(|| {
            self.out.extend(tokens.get(at).cloned());
            1
        })
    }

    /// `a["b"]`, `a.__dict__["b"]`, `vars(a)["b"]`, `sys.modules["a"]`
    fn item(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        let close = match tokens.get(at)? {
            Token::Sign('[') => closing(tokens, at)?,
            _ => return None,
        };
        let member = name(&constant(tokens.get(at + 1..close)?)?)?;
        let taken = close + 1 - at;
        let is_python = self.language == Language::Python;
        match self.out.as_slice() {
            [.., Token::Sign('.'), Token::Name(dict)] if is_python && dict == "__dict__" => {
                self.out.truncate(self.out.len() - 2);
            }
            [.., sys, Token::Sign('.'), modules]
                if is_word(sys, "sys") && is_word(modules, "modules") =>
            {
                self.out.truncate(self.out.len() - 3);
                self.out.push(member);
                return Some(taken);
            }
            [.., Token::Sign(')')] if is_python => {
                let open = opening(&self.out)?;
                let before = self.out.get(open.checked_sub(1)?)?;
                if is_word(before, "globals") || is_word(before, "locals") {
                    self.out.truncate(open - 1);
                    self.out.push(member);
                    return Some(taken);
                }
                if matches!(before, Token::Name(name) if calls::is_native(self.language, name)) {
                    self.out.extend([Token::Sign('.'), member]);
                    return Some(taken);
                }
                if !is_word(before, "vars") {
                    return None;
                }
                let object = self.out.get(open + 1..self.out.len() - 1)?.to_vec();
                self.out.truncate(open - 1);
                self.out.extend(object);
            }
            // What is an item of a list or of an object of the code stays one.
            [.., Token::Name(word)] if is_python && word != "__builtins__" => return None,
            [.., Token::Name(_) | Token::Sign(')' | ']')] if !is_python => {}
            [.., Token::Name(_)] => {}
            _ => return None,
        }
        self.out.extend([Token::Sign('.'), member]);
        Some(taken)
    }

    /// `getattr(a, "b")`
    fn attribute(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        if !is_word(tokens.get(at)?, "getattr") || tokens.get(at + 1) != Some(&Token::Sign('(')) {
            return None;
        }
        let close = closing(tokens, at + 1)?;
        let parts = split(tokens.get(at + 2..close)?, &[',']);
        let (object, member) = (parts.first()?, parts.get(1)?);
        let member = name(&constant(member)?)?;
        self.inside(trimmed(object));
        self.out.extend([Token::Sign('.'), member]);
        Some(close + 1 - at)
    }

    /// Writes tokens that stand in what is spelled otherwise.
    fn inside(&mut self, tokens: &[Token]) {
        if self.depth >= MAX_DEPTH {
            return self.out.extend(tokens.iter().cloned());
        }
        self.depth += 1;
        let mut at = 0;
        while at < tokens.len() {
            at += self.step(tokens, at).max(1);
        }
        self.depth -= 1;
    }

    /// `f.call(x, a)`, `f.apply(x, [a])`, `f.bind(x, a)`, of a function that means something.
    fn called_by_name(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        let [Token::Sign('.'), Token::Name(how), Token::Sign('('), ..] = tokens.get(at..)? else {
            return None;
        };
        let Some(Token::Name(function)) = self.out.last() else { return None };
        calls::named(self.language, function).next()?;
        let close = closing(tokens, at + 2)?;
        let inner = tokens.get(at + 3..close)?;
        let this = split(inner, &[',']).first().map_or(0, |this| this.len());
        let rest = inner.get(this + 1..).unwrap_or_default();
        let mut behind = close + 1;
        self.out.push(Token::Sign('('));
        match how.as_str() {
            "call" => {}
            "apply" => self.out.extend([const { Token::Sign('.') }; 3]),
            "bind" if tokens.get(behind) == Some(&Token::Sign('(')) => behind += 1,
            // What is given to it now is as good as what it is called with.
            "bind" if !rest.is_empty() => {
                self.out.extend(rest.iter().cloned());
                self.out.push(Token::Sign(')'));
                return Some(behind - at);
            }
            // Another name for the same function.
            "bind" => {
                self.out.pop();
                return Some(behind - at);
            }
            _ => {
                self.out.pop();
                return None;
            }
        }
        self.out.extend(rest.iter().cloned());
        if how == "bind" {
            self.out.extend((!rest.is_empty()).then_some(Token::Sign(',')));
        } else {
            self.out.push(Token::Sign(')'));
        }
        Some(behind - at)
    }

    /// `Reflect.get(a, "b")` as `a.b`, `Reflect.apply(f, a, [x])` as `f(x)`, `new (a.B)(x)` as `new a.B(x)`, `{["a"]: b}` as `{a: b}`
    fn reflected(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        let rest = tokens.get(at..)?;
        match rest {
            [Token::Sign('['), Token::Text(field), Token::Sign(']'), Token::Sign(':'), ..]
                if matches!(self.out.last(), Some(Token::Sign('{' | ','))) =>
            {
                self.out.push(name(field)?);
                Some(3)
            }
            [Token::Sign('('), ..] if self.out.last().is_some_and(|last| is_word(last, "new")) => {
                let close = closing(tokens, at)?;
                let inner = tokens.get(at + 1..close)?;
                (tokens.get(close + 1) == Some(&Token::Sign('('))).then(|| {
                    self.out.extend(inner.iter().cloned());
                    close + 1 - at
                })
            }
            [Token::Name(object), Token::Sign('.'), Token::Name(method), Token::Sign('('), ..]
                if object == "Reflect" && method == "get" =>
            {
                let close = closing(tokens, at + 3)?;
                let parts = split(tokens.get(at + 4..close)?, &[',']);
                let member = name(&constant(parts.get(1)?)?)?;
                self.inside(trimmed(parts.first()?));
                self.out.extend([Token::Sign('.'), member]);
                Some(close + 1 - at)
            }
            [Token::Name(object), Token::Sign('.'), Token::Name(method), Token::Sign('('), ..]
                if object == "Reflect" && method == "apply" =>
            {
                let close = closing(tokens, at + 3)?;
                let parts = split(tokens.get(at + 4..close)?, &[',']);
                let [function, _, list] = parts.as_slice() else { return None };
                let [Token::Sign('['), given @ .., Token::Sign(']')] = trimmed(list) else {
                    return None;
                };
                self.out.extend(function.iter().cloned());
                self.out.push(Token::Sign('('));
                self.out.extend(given.iter().cloned());
                self.out.push(Token::Sign(')'));
                Some(close + 1 - at)
            }
            _ => None,
        }
    }

    /// `(lambda a: …)(b)`, `((a) => …)(b)`, `(function (a) { … })(b)`: the values of its parameters are set, and its body
    /// follows as any other code.
    fn at_once(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        if tokens.get(at) != Some(&Token::Sign('(')) || self.depth >= MAX_DEPTH {
            return None;
        }
        let close = closing(tokens, at)?;
        let end = (tokens.get(close + 1) == Some(&Token::Sign('(')))
            .then(|| closing(tokens, close + 1))
            .flatten()?;
        let (names, body) = parameters(self.language, tokens.get(at + 1..close)?)?;
        let given = split(tokens.get(close + 2..end)?, &[',']);
        if names.is_empty() || names.len() != given.len() {
            return None;
        }
        let is_name = |value: &[Token], own: &str| matches!(trimmed(value), [Token::Name(name)] if name == own);
        for (own, value) in names.iter().zip(given) {
            if !is_name(value, own) {
                self.out.extend([Token::Sign('\n'), Token::Name(own.clone()), Token::Sign('=')]);
                self.out.extend(value.iter().cloned());
            }
        }
        self.out.push(Token::Sign('\n'));
        self.inside(body);
        self.out.push(Token::Sign('\n'));
        Some(end + 1 - at)
    }

    /// `a.send(:b, c)`, `send :b, c`, `a.method(:b)`, `a.method(:b).call(c)`, `a.const_get(:B)`
    fn sent(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        let Token::Name(how) = tokens.get(at)? else { return None };
        let is_sent = matches!(how.as_str(), "send" | "public_send" | "__send__");
        let is_constant = how == "const_get";
        if !is_sent && !is_constant && !matches!(how.as_str(), "method" | "instance_method") {
            return None;
        }
        let bracket = usize::from(tokens.get(at + 1) == Some(&Token::Sign('(')));
        let mut behind = at + 1 + bracket;
        let member = match tokens.get(behind..)? {
            [Token::Sign(':'), Token::Name(member), ..] => {
                behind += 2;
                member.clone()
            }
            [Token::Text(member), ..] => {
                behind += 1;
                member.clone()
            }
            _ => return None,
        };
        let member = name(&member)?;
        if is_constant {
            if self.out.last() == Some(&Token::Sign('.')) {
                let before = self.out.len() - 1;
                let from = chain(self.out.get(..before).unwrap_or_default());
                self.out.truncate(from);
            }
            self.out.push(member);
            return Some(behind + bracket - at);
        }
        self.out.push(member);
        if is_sent {
            self.out.extend((bracket > 0).then_some(Token::Sign('(')));
            behind += usize::from(tokens.get(behind) == Some(&Token::Sign(',')));
        } else {
            behind += usize::from(tokens.get(behind) == Some(&Token::Sign(')')));
            behind += method_called(tokens.get(behind..).unwrap_or_default());
            if let Some(close) = closing(tokens, behind)
                && tokens.get(behind) == Some(&Token::Sign('['))
            {
                self.out.push(Token::Sign('('));
                self.inside(tokens.get(behind + 1..close)?);
                self.out.push(Token::Sign(')'));
                behind = close + 1;
            }
        }
        Some(behind - at)
    }

    /// `system {"rm"} "a", "-rf"`, `CORE::system(…)`, `system shift`
    fn perl(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        let rest = tokens.get(at..)?;
        match rest {
            [core, Token::Sign(':'), Token::Sign(':'), Token::Name(_), ..]
                if is_word(core, "CORE") =>
            {
                Some(3)
            }
            // `&{"CORE::unlink"}(…)`, `&{\&unlink}(…)`
            [Token::Sign('&'), Token::Sign('{'), ..] => {
                let close = closing(tokens, at + 1)?;
                let function = match tokens.get(at + 2..close)? {
                    [Token::Text(path)] => name(path.rsplit("::").next()?)?,
                    [Token::Sign('\\'), Token::Sign('&'), .., function @ Token::Name(_)] => {
                        function.clone()
                    }
                    _ => return None,
                };
                self.out.push(function);
                Some(close + 1 - at)
            }
            // `File::Path->can("rmtree")->(…)`
            [
                can,
                Token::Sign('('),
                Token::Text(function),
                Token::Sign(')'),
                Token::Sign('-'),
                Token::Sign('>'),
                Token::Sign('('),
                ..,
            ] if is_word(can, "can") => {
                let function = name(function)?;
                let before = self.out.len().saturating_sub(2);
                let from = chain(self.out.get(..before).unwrap_or_default());
                self.out.truncate(from);
                self.out.push(function);
                Some(6)
            }
            [function, Token::Sign('{'), ..]
                if is_word(function, "system") || is_word(function, "exec") =>
            {
                self.in_block(tokens, at)
            }
            [shift, next, ..] if is_word(shift, "shift") && !self.has_functions => {
                self.shifted(next)
            }
            [shift] if is_word(shift, "shift") && !self.has_functions => {
                self.shifted(&Token::Sign('\n'))
            }
            _ => None,
        }
    }

    fn shifted(&mut self, next: &Token) -> Option<usize> {
        let is_other = matches!(next, Token::Sign('@' | '(' | '$' | '='))
            || matches!(self.out.last(), Some(Token::Sign('$' | '@' | '%' | '-' | '>')));
        if is_other {
            return None;
        }
        let first = [Token::Sign('$'), Token::Name("ARGV".to_owned()), Token::Sign('[')];
        self.out.extend(first.into_iter().chain([Token::Name("0".to_owned()), Token::Sign(']')]));
        Some(1)
    }

    /// The program stands in braces, and the first of the words is only its name.
    fn in_block(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        let close = closing(tokens, at + 1)?;
        let program = tokens.get(at + 2..close)?;
        let behind = tokens.get(close + 1..)?;
        self.out.extend(tokens.get(at).cloned());
        if behind.first() == Some(&Token::Sign('@')) {
            return Some(close + 1 - at);
        }
        let first = split(behind.get(..behind.len().min(64))?, &[',', ';']).first()?.len();
        self.out.extend(program.iter().cloned());
        Some(close + 1 - at + first)
    }

    /// `call_user_func("f", a)`, `"f"(a)`, `Closure::fromCallable("f")(a)`, `(new ReflectionFunction("f"))->invoke(a)`
    fn function_by_name(&mut self, tokens: &[Token], at: usize) -> Option<usize> {
        match tokens.get(at..)? {
            [Token::Name(how), Token::Sign('('), Token::Text(function), rest @ ..]
                if how == "call_user_func" || how == "register_shutdown_function" =>
            {
                self.out.extend([name(function)?, Token::Sign('(')]);
                let comma = usize::from(rest.first() == Some(&Token::Sign(',')));
                Some(3 + comma)
            }
            [Token::Text(function), Token::Sign('('), ..] => {
                self.out.push(name(function)?);
                Some(1)
            }
            [
                closure,
                Token::Sign(':'),
                Token::Sign(':'),
                from,
                Token::Sign('('),
                Token::Text(function),
                Token::Sign(')'),
                Token::Sign('('),
                ..,
            ] if is_word(closure, "Closure") && is_word(from, "fromCallable") => {
                self.out.push(name(function)?);
                Some(7)
            }
            [
                Token::Sign('('),
                new,
                reflection,
                Token::Sign('('),
                Token::Text(function),
                Token::Sign(')'),
                Token::Sign(')'),
                Token::Sign('-'),
                Token::Sign('>'),
                invoke,
                Token::Sign('('),
                ..,
            ] if is_word(new, "new")
                && is_word(reflection, "ReflectionFunction")
                && is_word(invoke, "invoke") =>
            {
                self.out.push(name(function)?);
                Some(10)
            }
            _ => None,
        }
    }
}

/// How many tokens behind a method of Ruby that is taken for a value say that it is called, and on what: `.call(`, `.(`,
/// `.bind(self).call(`, `.to_proc.call(`. Its arguments stand behind them.
fn method_called(tokens: &[Token]) -> usize {
    let mut at = 0;
    loop {
        match tokens.get(at..).unwrap_or_default() {
            [Token::Sign('.'), Token::Sign('('), ..] => return at + 1,
            [Token::Sign('.'), call, Token::Sign('('), ..] if is_word(call, "call") => {
                return at + 2;
            }
            [Token::Sign('.'), Token::Name(how), Token::Sign('('), ..] if how == "bind" => {
                let Some(close) = closing(tokens, at + 2) else { return at };
                at = close + 1;
            }
            [Token::Sign('.'), Token::Name(how), ..]
                if matches!(how.as_str(), "to_proc" | "unbind") =>
            {
                at += 2;
            }
            [Token::Sign('['), ..] => return at,
            _ => return 0,
        }
    }
}

/// The parameters of a function that is written out, and its body.
fn parameters(language: Language, tokens: &[Token]) -> Option<(Vec<String>, &[Token])> {
    let names = |tokens: &[Token]| -> Option<Vec<String>> {
        let one = |part: &&[Token]| match trimmed(part) {
            [Token::Name(name)] => Some(name.clone()),
            _ => None,
        };
        let parts = split(tokens, &[',']);
        parts.iter().map(one).collect()
    };
    match (language, tokens) {
        (Language::Python, [lambda, rest @ ..]) if is_word(lambda, "lambda") => {
            let colon = rest.iter().position(|token| *token == Token::Sign(':'))?;
            Some((names(rest.get(..colon)?)?, rest.get(colon + 1..)?))
        }
        (Language::JavaScript, [function, rest @ ..]) if is_word(function, "async") => {
            parameters(language, rest)
        }
        (Language::JavaScript, [function, rest @ ..]) if is_word(function, "function") => {
            let open = rest.iter().take(2).position(|token| *token == Token::Sign('('))?;
            let close = closing(rest, open)?;
            Some((names(rest.get(open + 1..close)?)?, rest.get(close + 1..)?))
        }
        (Language::JavaScript, [Token::Sign('('), ..]) => {
            let close = closing(tokens, 0)?;
            let arrow = tokens.get(close + 1..close + 3)?;
            (arrow == [Token::Sign('='), Token::Sign('>')]).then_some(())?;
            Some((names(tokens.get(1..close)?)?, tokens.get(close + 3..)?))
        }
        (
            Language::JavaScript,
            [Token::Name(own), Token::Sign('='), Token::Sign('>'), body @ ..],
        ) => Some((vec![own.clone()], body)),
        _ => None,
    }
}
