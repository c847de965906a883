//! Finds the calls in code and writes down what each does as a line of shell.

use super::super::HOLE;
use super::calls::{self, Effect};
use super::token::Token;
use super::value::{MAX_ARGUMENTS, Names, Value, closing, opening, split, trimmed};
use super::{Language, Line};

/// Returns what calls do, in their order.
pub fn calls(language: Language, tokens: &[Token]) -> Vec<Line> {
    let names = Names::of(language, tokens);
    let scan = Scan { language, tokens, names };
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        scan.at(at, &mut found);
        if found.len() >= super::MAX_LINES {
            break;
        }
    }
    found
}

struct Scan<'t> {
    language: Language,
    tokens: &'t [Token],
    names: Names,
}

/// The arguments of a call.
#[derive(Debug, Default)]
struct Arguments {
    values: Vec<Value>,
    /// Whether a setting of this name is on: `shell=True`, `{ recursive: true }`.
    is_shell: bool,
    is_recursive: bool,
    /// The list that is given by the name `args`.
    list: Option<Value>,
    /// The mode that is given by its name.
    mode: Option<Value>,
}

impl Scan<'_> {
    fn sign(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)? {
            Token::Sign(sign) => Some(*sign),
            _ => None,
        }
    }

    fn name(&self, at: usize) -> Option<&str> {
        match self.tokens.get(at)? {
            Token::Name(name) => Some(name),
            _ => None,
        }
    }

    fn at(&self, at: usize, found: &mut Vec<Line>) {
        match self.tokens.get(at) {
            Some(Token::Command(text)) => shell(text, found),
            // `$` with a text behind it runs that in Bun and zx; the text ends in an accent.
            Some(Token::Text(text)) if self.is_tagged(at) => shell(text, found),
            Some(Token::Text(text)) if self.language == Language::Awk && self.is_piped(at) => {
                shell(text, found);
            }
            Some(Token::Name(name)) => self.call(at, name, found),
            _ => {}
        }
    }

    fn is_tagged(&self, at: usize) -> bool {
        self.language == Language::JavaScript && at > 0 && self.sign(at - 1) == Some('$')
    }

    /// `"command" | getline`, `print | "command"`.
    fn is_piped(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.sign(at));
        let reads = self.sign(at + 1) == Some('|') && self.name(at + 2) == Some("getline");
        reads || before == Some('|') && at.checked_sub(2).and_then(|at| self.sign(at)) != Some('|')
    }

    fn call(&self, at: usize, name: &str, found: &mut Vec<Line>) {
        let Some((receiver, from)) = self.receiver(at) else { return };
        let is_definition = from
            .checked_sub(1)
            .and_then(|before| self.name(before))
            .is_some_and(|word| matches!(word, "def" | "function" | "sub" | "class"));
        if is_definition {
            return;
        }
        let has_receiver = |of: &[&str]| {
            of.is_empty() || of.contains(&receiver) || of.contains(&"") && receiver.is_empty()
        };
        let function = calls::named(self.language, name).find(|function| has_receiver(function.of));
        // A function whose list of words says what it runs, whatever it is called by.
        let effect = match function {
            Some(function) => Some(function.effect),
            None => calls::named(self.language, name)
                .map(|function| function.effect)
                .find(|effect| *effect == Effect::ShellOrProgram && self.has_list(at)),
        };
        if let Some(effect) = effect {
            let Some(arguments) = self.arguments(at + 1) else { return };
            return write(effect, &arguments, found);
        }
        let of_path = calls::of_path(self.language, name).filter(|_| !receiver.is_empty());
        if let (Some(effect), Some(mut arguments)) = (of_path, self.arguments(at + 1)) {
            let path = self.names.value(self.object(at), 0);
            if path.text().is_some() {
                // The file, then what stands in the brackets.
                arguments.values.insert(0, path);
                write(effect, &arguments, found);
            }
        }
    }

    /// The name before a name, and where the whole begins: `os` of `os.system`, empty where there is none.
    fn receiver(&self, at: usize) -> Option<(&str, usize)> {
        let Some(before) = at.checked_sub(1) else { return Some(("", at)) };
        let from = match self.sign(before) {
            Some('.') => before,
            Some(':') if before > 0 && self.sign(before - 1) == Some(':') => before - 1,
            Some('>') if before > 0 && self.sign(before - 1) == Some('-') => before - 1,
            // A variable is no function.
            Some('$' | '@' | '%') => return None,
            _ => return Some(("", at)),
        };
        let last = from.checked_sub(1)?;
        match self.tokens.get(last)? {
            Token::Name(name) => Some((name, last)),
            Token::Sign(')') => {
                let open = opening(self.tokens.get(..from)?)?;
                let name = open.checked_sub(1).and_then(|at| self.name(at)).unwrap_or("(");
                Some((name, open))
            }
            _ => Some(("(", last)),
        }
    }

    /// What a method is called on.
    fn object(&self, at: usize) -> &[Token] {
        let end = at.saturating_sub(1);
        let before = self.tokens.get(..end).unwrap_or_default();
        let mut from = match before.last() {
            Some(Token::Sign(')')) => opening(before).unwrap_or(end),
            _ => end.saturating_sub(1),
        };
        // `pathlib.Path("x")`, `(a / "b")`
        while let Some(Token::Name(_) | Token::Sign('.')) =
            from.checked_sub(1).and_then(|at| before.get(at))
        {
            from -= 1;
        }
        before.get(from..).unwrap_or_default()
    }

    /// Whether the first argument of a call is a list of constant texts.
    fn has_list(&self, at: usize) -> bool {
        let arguments = (self.sign(at + 1) == Some('(')).then(|| self.arguments(at + 1)).flatten();
        let first = arguments.and_then(|arguments| arguments.values.into_iter().next());
        matches!(first, Some(Value::List(items)) if items.first().is_some_and(|item| item.text().is_some()))
    }

    /// The arguments behind a name, in brackets or, where a language allows it, without.
    fn arguments(&self, at: usize) -> Option<Arguments> {
        let inner = match self.tokens.get(at)? {
            Token::Sign('(') => self.tokens.get(at + 1..closing(self.tokens, at)?)?,
            Token::Text(_) | Token::Words(_) | Token::Command(_) | Token::Sign('$')
                if matches!(self.language, Language::Perl | Language::Ruby | Language::Lua) =>
            {
                let rest = self.tokens.get(at..)?;
                let ends = |token: &Token| match token {
                    Token::Sign(sign) => matches!(sign, ';' | '\n' | '}' | ')'),
                    Token::Name(word) => {
                        matches!(
                            word.as_str(),
                            "if" | "unless" | "or" | "and" | "do" | "for" | "foreach"
                        )
                    }
                    _ => false,
                };
                let end = rest.iter().take(MAX_ARGUMENTS).position(ends);
                rest.get(..end.unwrap_or(rest.len().min(MAX_ARGUMENTS)))?
            }
            _ => return None,
        };
        let mut arguments = Arguments::default();
        for part in split(inner, &[',']) {
            self.argument(trimmed(part), &mut arguments);
        }
        Some(arguments)
    }

    fn argument(&self, tokens: &[Token], arguments: &mut Arguments) {
        match tokens {
            [Token::Name(name), Token::Sign('='), Token::Sign('='), ..] if !name.is_empty() => {
                arguments.values.push(Value::Unknown);
            }
            [Token::Name(name), Token::Sign('=' | ':'), value @ ..] => {
                self.setting(name, value, arguments);
            }
            [Token::Sign('{'), .., Token::Sign('}')] => {
                for part in split(tokens.get(1..tokens.len() - 1).unwrap_or_default(), &[',']) {
                    if let [Token::Name(name) | Token::Text(name), Token::Sign(':'), value @ ..] =
                        trimmed(part)
                    {
                        self.setting(name, value, arguments);
                    }
                }
            }
            // `*args`: nobody knows how many.
            [Token::Sign('*' | '.'), ..] => arguments.values.push(Value::Unknown),
            _ => arguments.values.push(self.names.value(tokens, 0)),
        }
    }

    fn setting(&self, name: &str, value: &[Token], arguments: &mut Arguments) {
        let is_on = !matches!(
            trimmed(value),
            [Token::Name(word)] if matches!(word.as_str(), "False" | "false" | "nil" | "null" | "0")
        );
        match name {
            "shell" => arguments.is_shell = is_on,
            "recursive" => arguments.is_recursive = is_on,
            "args" => arguments.list = Some(self.names.value(value, 0)),
            "mode" => arguments.mode = Some(self.names.value(value, 0)),
            _ => {}
        }
    }
}

/// Writes down what a call does.
fn write(effect: Effect, arguments: &Arguments, found: &mut Vec<Line>) {
    let Arguments { values, is_shell, is_recursive, list, mode } = arguments;
    let listed = match list {
        Some(list) if values.is_empty() => std::slice::from_ref(list),
        _ => values.as_slice(),
    };
    match (effect, listed) {
        (Effect::Shell, [Value::Text(line), ..]) => shell(line, found),
        (Effect::ShellOrProgram, [Value::Text(line)]) => shell(line, found),
        (_, [Value::Text(line), ..]) if *is_shell => shell(line, found),
        (Effect::Program | Effect::ShellOrProgram | Effect::Shell, [Value::List(words), ..]) => {
            program(words.iter(), found);
        }
        (Effect::Program | Effect::ShellOrProgram, words @ [Value::Text(_), ..]) => {
            program(words.iter(), found);
        }
        (Effect::ProgramAndList, [first, rest @ ..]) => {
            let list = rest.first().or(list.as_ref());
            let words = list.map_or(&[][..], |list| match list {
                Value::List(words) => words.as_slice(),
                other => std::slice::from_ref(other),
            });
            program(std::iter::once(first).chain(words), found);
        }
        (Effect::ProgramAndWords, [first, Value::List(words), ..]) => {
            program(std::iter::once(first).chain(words.iter().skip(1)), found);
        }
        (Effect::DeleteTree, [first, ..]) => files("rm -rf --", [first], true, found),
        (Effect::DeleteMaybeTree, [first, ..]) if *is_recursive => {
            files("rm -rf --", [first], true, found);
        }
        (Effect::Delete | Effect::DeleteMaybeTree, paths) => {
            let paths: Vec<&Value> = paths.iter().flat_map(|path| path.items()).collect();
            files("rm --", paths, false, found);
        }
        (Effect::Move, [from, to, ..]) => files("mv --", [from, to], false, found),
        (Effect::Copy, [from, to, ..]) => files("cp --", [from, to], false, found),
        (Effect::Write, [path, ..]) => files(">", [path], false, found),
        (Effect::Read, [path, ..]) => files("<", [path], false, found),
        (Effect::Open, [path, rest @ ..]) => {
            let mode = mode.as_ref().or(rest.first());
            let writes = match mode {
                Some(Value::Text(mode)) => mode.contains(['w', 'a', 'x', '+', '>']),
                Some(_) => return,
                None => false,
            };
            files(if writes { ">" } else { "<" }, [path], false, found);
        }
        _ => {}
    }
}

impl Value {
    /// What is in a list; a value alone is its only item.
    fn items(&self) -> &[Value] {
        match self {
            Self::List(items) => items,
            other => std::slice::from_ref(other),
        }
    }
}

/// A line for a shell, if its beginning is known.
fn shell(line: &str, found: &mut Vec<Line>) {
    if !line.trim_start().starts_with(HOLE) && !line.trim().is_empty() {
        found.push(Line { text: line.to_owned() });
    }
}

/// A program and its arguments, if it is known which.
fn program<'v>(words: impl Iterator<Item = &'v Value>, found: &mut Vec<Line>) {
    let words: Vec<String> = words.map(quoted).collect();
    let is_known = words.first().is_some_and(|first| !first.contains(HOLE));
    if is_known {
        found.push(Line { text: words.join(" ") });
    }
}

/// What a program does with files; `always` tells that it is worth saying even if nobody knows with which.
fn files<'v>(
    before: &str,
    paths: impl IntoIterator<Item = &'v Value>,
    always: bool,
    found: &mut Vec<Line>,
) {
    let paths: Vec<&Value> = paths.into_iter().collect();
    let is_known = |path: &&Value| path.text().is_some();
    if paths.is_empty() || !always && !paths.iter().any(is_known) {
        return;
    }
    // What is not known of several adds nothing to what is.
    let is_single = paths.len() == 1 || before.starts_with(['m', 'c']);
    let paths = paths.into_iter().filter(|path| is_single || path.text().is_some());
    let words: Vec<String> = paths.map(quoted).collect();
    found.push(Line { text: format!("{before} {}", words.join(" ")) });
}

/// A value as one word of a shell.
fn quoted(value: &Value) -> String {
    let text = match value {
        Value::Text(text) => text.as_str(),
        _ => return format!("\"{HOLE}\""),
    };
    let (home, rest) = match text.strip_prefix("~/") {
        Some(rest) => ("~/", rest),
        None if text == "~" => return "~".to_owned(),
        None => ("", text),
    };
    if !rest.contains(HOLE) {
        return format!("{home}'{}'", rest.replace('\'', r"'\''"));
    }
    let mut out = format!("{home}\"");
    for character in rest.chars() {
        if matches!(character, '"' | '$' | '`' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push('"');
    out
}
