//! Finds the calls in code and writes down what each does as a line of shell.

use std::collections::HashSet;

use super::calls::{self, Effect};
use super::databases::Statements;
use super::functions::{self, Function};
use super::origins::Origin;
use super::parts::{MAX_ARGUMENTS, closing, object, opening, split, trimmed};
use super::token::Token;
use super::told::Told;
use super::value::{Names, Value};
use super::{
    git,
    language::Language,
    line::{self, Line},
    nested::Nested,
};
use crate::hole::HOLE;
use crate::hole::LISTED;

/// Returns what calls do, in their order.
pub fn calls(
    language: Language,
    tokens: &[Token],
    defined: &[Function],
    given: &[(&str, &str)],
    nested: &Nested,
) -> Vec<Line> {
    let names = Names::of(language, tokens, defined, given);
    let own = defined.iter().map(|function| function.name.as_str()).collect();
    let statements = Statements::default();
    let uses_git = git::is_used(language, tokens);
    let scan = Scan { language, tokens, names, own, nested, statements, uses_git };
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        scan.at(at, &mut found);
        if found.len() >= line::MAX_LINES {
            break;
        }
    }
    found.extend(scan.statements.lines(tokens, &scan.names));
    found
}

struct Scan<'t> {
    language: Language,
    tokens: &'t [Token],
    names: Names,
    /// The functions that the code defines.
    own: HashSet<&'t str>,
    nested: &'t Nested,
    /// What databases are asked to run.
    statements: Statements,
    /// Whether it uses a library for git whose methods are called as git's subcommands.
    uses_git: bool,
}

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
struct Arguments {
    values: Vec<Value>,
    /// Whether a setting of this name is on: `shell=True`, `{ recursive: true }`.
    is_shell: bool,
    is_recursive: bool,
    /// The list that is given by the name `args`.
    list: Option<Value>,
    /// The mode that is given by its name.
    mode: Option<Value>,
    /// What the program is given to read.
    input: Option<Value>,
    /// The directory that it runs in.
    directory: Option<Value>,
    /// The first argument, where it is given by its name.
    named: Option<Value>,
}

/// The names by which functions call their first argument.
const FIRST: &[&str] =
    &["path", "src", "file", "cmd", "command", "sql", "text", "query", "statement", "operation"];

/// A call that means something.
#[derive(Clone, Copy, Debug)]
struct Meant {
    effect: Effect,
    /// Whether no other function can be meant.
    is_certain: bool,
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
            Some(Token::Command(text)) if is_unknown(text) => say(line::opaque(), found),
            Some(Token::Command(text)) => shell(text, found),
            // `$` with a text behind it runs that in Bun and zx; the text ends in an accent.
            Some(Token::Text(text)) if self.is_tagged(at) => shell(text, found),
            Some(Token::Text(text)) if self.is_statement(at) => {
                self.statements.add(&Value::Text(text.clone()));
            }
            Some(Token::Text(text)) if self.language == Language::Awk => {
                self.pipe(at, text, found);
            }
            // `print | name`
            Some(Token::Name(name)) if self.language == Language::Awk && self.is_pipe(at) => {
                if let Some(Value::Text(text)) = self.names.known(name) {
                    self.pipe(at, text, found);
                }
            }
            // `name | getline`
            Some(Token::Name(name))
                if self.language == Language::Awk && self.is_read(at) && name != "getline" =>
            {
                if let Some(Value::Text(text)) = self.names.known(name) {
                    shell(text, found);
                }
            }
            Some(Token::Name(name)) => self.call(at, name, found),
            _ => {}
        }
    }

    /// Whether a text is SQL that is run by the name before it: ``sql`…` ``.
    fn is_statement(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.name(at));
        self.language == Language::JavaScript
            && matches!(before, Some("sql" | "executeRaw" | "queryRaw"))
    }

    fn is_tagged(&self, at: usize) -> bool {
        self.language == Language::JavaScript && at > 0 && self.sign(at - 1) == Some('$')
    }

    /// `"command" | getline`
    fn is_read(&self, at: usize) -> bool {
        let pipe = usize::from(self.sign(at + 2) == Some('&'));
        self.sign(at + 1) == Some('|') && self.name(at + 2 + pipe) == Some("getline")
    }

    /// `print | "command"`, `print |& "command"`
    fn is_pipe(&self, at: usize) -> bool {
        let before = |count: usize| at.checked_sub(count).and_then(|at| self.sign(at));
        match before(1) {
            Some('|') => before(2) != Some('|'),
            Some('&') => before(2) == Some('|'),
            _ => false,
        }
    }

    /// What AWK writes into a command, or reads of it.
    fn pipe(&self, at: usize, text: &str, found: &mut Vec<Line>) {
        if self.is_read(at) {
            return shell(text, found);
        }
        if self.takes_in(at) {
            return files("<", [&Value::Text(text.to_owned())], false, found);
        }
        let writes = self.writes(at);
        if !writes && !self.is_pipe(at) {
            return;
        }
        let Some(written) = self.printed(at) else { return };
        if writes {
            return files(">", [&Value::Text(text.to_owned())], false, found);
        }
        let end = written.iter().rposition(|token| *token == Token::Sign('|')).unwrap_or(0);
        let parts = split(written.get(..end).unwrap_or_default(), &[',']);
        let values: Vec<Value> = parts.iter().map(|part| self.names.value(part, 0)).collect();
        let given = match values.as_slice() {
            [Value::Text(text)] => text.clone(),
            _ => HOLE.to_string(),
        };
        piped(&given, text, found);
    }

    /// `getline < "file"`, `getline line < "file"`
    fn takes_in(&self, at: usize) -> bool {
        let before = |count: usize| at.checked_sub(count);
        before(1).and_then(|at| self.sign(at)) == Some('<')
            && [2, 3]
                .into_iter()
                .any(|count| before(count).and_then(|at| self.name(at)) == Some("getline"))
    }

    /// `print > "file"`, `print >> "file"`
    fn writes(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|at| self.sign(at)) == Some('>')
    }

    /// What stands behind the `print` or `printf` of the same statement, up to here.
    fn printed(&self, at: usize) -> Option<&[Token]> {
        let start = at.saturating_sub(MAX_ARGUMENTS);
        let before = self.tokens.get(start..at)?;
        let ends = |token: &Token| matches!(token, Token::Sign(';' | '\n' | '{' | '}'));
        let begin = before.iter().rposition(ends).map_or(0, |at| at + 1);
        let before = before.get(begin..)?;
        let prints = |token: &Token| matches!(token, Token::Name(word) if word == "print" || word == "printf");
        before.get(before.iter().position(prints)? + 1..)
    }

    fn call(&self, at: usize, name: &str, found: &mut Vec<Line>) {
        let Some((receiver, from)) = self.receiver(at) else { return };
        let before = from.checked_sub(1).and_then(|before| self.name(before));
        if before.is_some_and(|word| matches!(word, "def" | "function" | "sub" | "class")) {
            return;
        }
        // `map(os.remove, files)`, `array_map("unlink", $files)`
        if matches!(name, "map" | "array_map" | "array_walk" | "submit") {
            return self.map(at, found);
        }
        if receiver.is_empty() && self.own.contains(name) {
            return;
        }
        if self.language == Language::Python && name == "getattr" {
            return self.looked_up(at, found);
        }
        if let Some(words) = self.git(at, (receiver, from), name) {
            return program(words.iter(), found);
        }
        if self.language == Language::Rust && receiver == "Command" && name == "new" {
            return self.built(at, found);
        }
        let effect = self.meaning(at, receiver, name).or_else(|| {
            // A function whose list of words says what it runs, whatever it is called by.
            calls::named(self.language, name)
                .map(|function| Meant { effect: function.effect, is_certain: false })
                .find(|meant| meant.effect == Effect::ShellOrProgram && self.has_list(at))
        });
        // Of a connection, and of nothing that is called alike.
        let is_method = !matches!(receiver, "" | "regex");
        let effect = effect.filter(|meant| meant.effect != Effect::Statements || is_method);
        if let Some(meant) = effect {
            if meant.effect == Effect::Code {
                return self.code(at, found);
            }
            let behind = self.called(at).map_or(at + 1, |(_, behind)| behind);
            let Some(arguments) = self.arguments(behind).or_else(|| self.usual(name)) else {
                return;
            };
            return self.write(meant, &arguments, found);
        }
        let of_path = calls::of_path(self.language, name).filter(|_| !receiver.is_empty());
        if let (Some(effect), Some(mut arguments)) = (of_path, self.arguments(at + 1)) {
            let path = self.names.value(object(self.tokens, at), 0);
            if path.text().is_some() || matches!(path, Value::Each(_)) {
                // The file, then what stands in the brackets.
                arguments.values.insert(0, path);
                self.write(Meant { effect, is_certain: true }, &arguments, found);
            }
        }
    }

    /// `getattr(os, "sys" + "tem")("rm -rf src")`: a function that is looked up by its name, and called.
    fn looked_up(&self, at: usize, found: &mut Vec<Line>) {
        const RUN: [&str; 5] = ["os", "subprocess", "shutil", "builtins", "__builtins__"];
        let Some(close) = closing(self.tokens, at + 1) else { return };
        let inner = self.tokens.get(at + 2..close).unwrap_or_default();
        let (Some(object), Some(name)) =
            (split(inner, &[',']).first().copied(), split(inner, &[',']).get(1).copied())
        else {
            return;
        };
        let module = object.iter().rev().find_map(|token| match token {
            Token::Name(name) | Token::Text(name) => RUN.iter().find(|known| *known == name),
            _ => None,
        });
        let (Some(module), Some('(')) = (module, self.sign(close + 1)) else { return };
        let Value::Text(name) = self.names.value(name, 0) else {
            return say(super::line::opaque(), found);
        };
        let known = calls::named(self.language, &name)
            .find(|known| known.of.is_empty() || known.of.contains(module));
        let (Some(function), Some(arguments)) = (known, self.arguments(close + 1)) else {
            if is_unknown(&name) {
                say(super::line::opaque(), found);
            }
            return;
        };
        match function.effect {
            Effect::Code => say(super::line::opaque(), found),
            effect => self.write(Meant { effect, is_certain: true }, &arguments, found),
        }
    }

    /// `Command::new("rm").arg("-rf").args(["src"])`
    fn built(&self, at: usize, found: &mut Vec<Line>) {
        let mut words: Vec<Value> = Vec::new();
        let mut directory = None;
        let mut method = Some("new");
        let mut open = at + 1;
        while let (Some(name), Some(close)) = (method, closing(self.tokens, open)) {
            if words.len() > MAX_ARGUMENTS {
                return;
            }
            let inner = self.tokens.get(open + 1..close).unwrap_or_default();
            let inner = match inner {
                [Token::Sign('&'), rest @ ..] => rest,
                inner => inner,
            };
            match (name, self.names.value(inner, 0)) {
                ("args", Value::List(items)) => words.extend(items),
                ("current_dir", value) => directory = Some(value),
                ("new" | "arg" | "args", value) => words.push(value),
                _ => {}
            }
            let from = (close + 1..close + 4).find(|at| self.sign(*at) == Some('.'));
            let is_blank = |at: usize| self.sign(at) == Some('\n');
            let from = from.filter(|from| (close + 1..*from).all(is_blank));
            method = from.and_then(|from| self.name(from + 1));
            open = from.map_or(open, |from| from + 2);
            if self.sign(open) != Some('(') {
                break;
            }
        }
        let mut lines = Vec::new();
        program(words.iter(), &mut lines);
        let directory = directory.filter(|it| it.text().is_some_and(|text| !text.contains(HOLE)));
        found.extend(lines.into_iter().map(|line| match &directory {
            Some(directory) => inside(directory, &line),
            None => line,
        }));
    }

    /// The words of the command of git that a method of a library runs.
    fn git(&self, at: usize, (receiver, from): (&str, usize), name: &str) -> Option<Vec<Value>> {
        let inner = self.tokens.get(at + 2..closing(self.tokens, at + 1)?)?;
        if self.sign(at + 1) != Some('(') {
            return None;
        }
        let before = from.checked_sub(1).and_then(|at| self.sign(at));
        match self.language {
            Language::JavaScript if self.uses_git && !receiver.is_empty() => {
                git::simple(name, inner, &self.names)
            }
            Language::Python if receiver == "git" && before == Some('.') => {
                Some(git::python(name, inner, &self.names))
            }
            _ => None,
        }
    }

    /// What a call means by the name of its function and what stands before that.
    fn meaning(&self, at: usize, receiver: &str, name: &str) -> Option<Meant> {
        let look = |of: &str, name: &str, is_certain: bool| {
            let has_receiver = |of_: &[&str]| of_.is_empty() || of_.contains(&of);
            calls::named(self.language, name)
                .find(|function| has_receiver(function.of))
                .map(|function| Meant { effect: function.effect, is_certain })
        };
        let origins = self.names.origins();
        if receiver.is_empty() {
            // `require("rimraf")("src")`
            if let Some((called, _)) = self.called(at) {
                return look(&called.of, &called.name, true);
            }
            let known = origins.named(name);
            if known.is_empty() {
                let is_builtin = !matches!(self.language, Language::JavaScript | Language::Python);
                return look("", name, is_builtin);
            }
            return known.iter().find_map(|origin| look(&origin.of, &origin.name, true));
        }
        let reference = origins.reference(self.language, object(self.tokens, at), 0);
        match reference {
            // Several libraries may be meant by one name.
            Some(_) if !origins.named(receiver).is_empty() && self.is_alone(at) => {
                origins.named(receiver).iter().find_map(|origin| look(&origin.name, name, true))
            }
            Some(origin) => look(&origin.name, name, true),
            None => look(receiver, name, true),
        }
    }

    /// Whether what a method is called on is a name alone.
    fn is_alone(&self, at: usize) -> bool {
        matches!(object(self.tokens, at), [Token::Name(_)])
    }

    /// The function that a call returns, where it is called at once, and where its arguments stand:
    /// `require("rimraf")("src")`.
    fn called(&self, at: usize) -> Option<(Origin, usize)> {
        let is_loader = matches!(self.name(at), Some("require" | "import_module" | "__import__"));
        let close = closing(self.tokens, at + 1).filter(|_| is_loader)?;
        let whole = self.tokens.get(at..=close).filter(|_| self.sign(close + 1) == Some('('))?;
        Some((self.names.origins().reference(self.language, whole, 0)?, close + 1))
    }

    /// What a function is given that is called without anything.
    fn usual(&self, name: &str) -> Option<Arguments> {
        let is_usual = self.language == Language::Perl && matches!(name, "unlink" | "rmdir");
        let value = self.names.known("_").filter(|_| is_usual)?;
        Some(Arguments { values: vec![value.clone()], ..Arguments::default() })
    }

    /// A function that is called with each item of a list.
    fn map(&self, at: usize, found: &mut Vec<Line>) {
        let Some(close) = closing(self.tokens, at + 1) else { return };
        let inner = self.tokens.get(at + 2..close).unwrap_or_default();
        let parts = split(inner, &[',']);
        let (Some(mut function), Some(mut over)) =
            (parts.first().copied().map(trimmed), parts.get(1).copied())
        else {
            return;
        };
        if self.name(at) == Some("array_walk") {
            std::mem::swap(&mut function, &mut over);
        }
        let function = match trimmed(function) {
            [Token::Text(name)] => Some(Origin { of: String::new(), name: name.clone() }),
            tokens => self.names.origins().reference(self.language, tokens, 0),
        };
        let Some(function) = function else { return };
        let known = calls::named(self.language, &function.name)
            .find(|known| known.of.is_empty() || known.of.contains(&function.of.as_str()));
        let is_path = function.of == "Path";
        let of_path = calls::of_path(self.language, &function.name).filter(|_| is_path);
        let Some(effect) = known.map(|known| known.effect).or(of_path) else { return };
        let value = match self.names.value(over, 0) {
            Value::List(items) => Value::Each(items),
            other => other,
        };
        let arguments = Arguments { values: vec![value], ..Arguments::default() };
        self.write(Meant { effect, is_certain: true }, &arguments, found);
    }

    /// Code that is run: a text of the same language.
    fn code(&self, at: usize, found: &mut Vec<Line>) {
        let Some(arguments) = self.arguments(at + 1) else { return };
        let values = match arguments.values.into_iter().next() {
            Some(Value::Each(values)) => values,
            Some(value) => vec![value],
            None => return,
        };
        for value in values {
            match value {
                Value::Text(code) if !is_unknown(&code) => {
                    match self.nested.inside(self.language, &code) {
                        Some(lines) => found.extend(lines),
                        None => say(line::opaque(), found),
                    }
                }
                _ if self.is_file(at) => {}
                _ => say(line::opaque(), found),
            }
        }
    }

    /// Whether what a function is given comes out of a file with a name, which is as known as any script.
    fn is_file(&self, at: usize) -> bool {
        let inner = closing(self.tokens, at + 1).and_then(|close| self.tokens.get(at + 2..close));
        let is_reader = |token: &Token| matches!(token, Token::Name(name) if matches!(name.as_str(), "open" | "read_text" | "readFileSync" | "file_get_contents"));
        inner.unwrap_or_default().iter().any(is_reader)
    }

    /// The name before a name, and where the whole begins: `os` of `os.system`, empty where there is none.
    fn receiver(&self, at: usize) -> Option<(&str, usize)> {
        let Some(before) = at.checked_sub(1) else { return Some(("", at)) };
        let from = match self.sign(before) {
            Some('.') => before,
            Some(':') if before > 0 && self.sign(before - 1) == Some(':') => before - 1,
            Some('>') if before > 0 && self.sign(before - 1) == Some('-') => before - 1,
            // `prisma.$executeRawUnsafe`
            Some('$') if before > 0 && self.sign(before - 1) == Some('.') => before - 1,
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
            token
                if matches!(self.language, Language::Perl | Language::Ruby | Language::Lua)
                    && self.begins_argument(at, token) =>
            {
                let rest = self.tokens.get(at..)?;
                let mut depth = 0_usize;
                let ends = |token: &Token| {
                    match token {
                        Token::Sign('(' | '[' | '{') => depth += 1,
                        Token::Sign(')' | ']' | '}') if depth == 0 => return true,
                        Token::Sign(')' | ']' | '}') => depth -= 1,
                        Token::Sign(';' | '\n') => return depth == 0,
                        Token::Name(word) if depth == 0 => {
                            return matches!(
                                word.as_str(),
                                "if" | "unless" | "or" | "and" | "do" | "for" | "foreach"
                            );
                        }
                        _ => {}
                    }
                    false
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
        if arguments.values.is_empty() {
            arguments.values.extend(arguments.named.take());
        }
        Some(arguments)
    }

    /// Whether a token may be the first of arguments without brackets.
    fn begins_argument(&self, at: usize, token: &Token) -> bool {
        let is_perl = self.language == Language::Perl;
        match token {
            Token::Text(_) | Token::Words(_) | Token::Command(_) | Token::Sign('$') => true,
            Token::Sign('@' | '<') => is_perl,
            Token::Sign('*') => self.language == Language::Ruby,
            Token::Name(word) if is_perl => {
                let function = at.checked_sub(1).and_then(|at| self.name(at));
                matches!(function, Some("open" | "chmod" | "chown" | "utime" | "sysopen"))
                    || matches!(word.as_str(), "glob" | "join" | "pack" | "decode_base64")
            }
            Token::Name(word) => {
                self.language == Language::Ruby && matches!(word.as_str(), "Dir" | "ARGV")
            }
            _ => false,
        }
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
            [Token::Sign('*' | '.'), ..] => {
                let value = self.names.value(tokens, 0);
                let is_told = matches!(value, Value::Told(_));
                let is_known = value.is_listed() || is_told;
                arguments.values.push(if is_known { value } else { Value::Unknown });
            }
            _ => arguments.values.push(self.names.value(tokens, 0)),
        }
    }

    fn setting(&self, name: &str, value: &[Token], arguments: &mut Arguments) {
        let is_on = !matches!(
            trimmed(value),
            [Token::Name(word)] if matches!(word.as_str(), "False" | "false" | "nil" | "null" | "0")
        );
        match functions::plain(name) {
            "input" => arguments.input = Some(self.names.value(value, 0)),
            "shell" => arguments.is_shell = is_on,
            "recursive" => arguments.is_recursive = is_on,
            "args" => arguments.list = Some(self.names.value(value, 0)),
            "mode" => arguments.mode = Some(self.names.value(value, 0)),
            "cwd" | "chdir" => arguments.directory = Some(self.names.value(value, 0)),
            name if FIRST.contains(&name) => {
                let value = self.names.value(value, 0);
                arguments.named = Some(value).filter(|value| *value != Value::Unknown);
            }
            _ => {}
        }
    }
}

impl Scan<'_> {
    /// Writes down what a call does, once for each value that it may be given.
    fn write(&self, meant: Meant, arguments: &Arguments, found: &mut Vec<Line>) {
        let at = arguments.values.iter().position(|value| matches!(value, Value::Each(_)));
        let Some((at, Value::Each(values))) =
            at.and_then(|at| Some((at, arguments.values.get(at)?)))
        else {
            return self.write_one(meant, arguments, found);
        };
        for value in values {
            let mut one = arguments.clone();
            for (number, slot) in one.values.iter_mut().enumerate() {
                match (number == at, &slot) {
                    (true, _) => *slot = value.clone(),
                    (false, Value::Each(_)) => *slot = Value::Unknown,
                    (false, _) => {}
                }
            }
            self.write_one(meant, &one, found);
        }
    }

    fn write_one(&self, meant: Meant, arguments: &Arguments, found: &mut Vec<Line>) {
        let start = found.len();
        let first = arguments.values.first();
        match meant.effect {
            Effect::Statements => {
                // What it runs in may stand before the statement.
                let is_behind = self.language == Language::Go && first == Some(&Value::Unknown);
                let text = arguments.values.get(usize::from(is_behind));
                return text.into_iter().for_each(|text| self.statements.add(text));
            }
            Effect::DropsTables => {
                return self.statements.add(&Value::Text("drop table x".to_owned()));
            }
            _ => {}
        }
        let is_line = match meant.effect {
            Effect::Shell => true,
            // In Python and JavaScript this is a list, most often.
            Effect::ShellOrProgram => {
                let is_text =
                    matches!(self.language, Language::Perl | Language::Ruby | Language::Php);
                arguments.is_shell || is_text && arguments.values.len() == 1
            }
            Effect::Program | Effect::ProgramAndList => arguments.is_shell,
            _ => false,
        };
        let is_opaque = match first {
            Some(Value::Text(text)) => !text.is_empty() && is_unknown(text),
            Some(Value::Unknown) => true,
            _ => false,
        };
        match is_line && is_opaque && (meant.is_certain || arguments.is_shell) {
            true => say(line::opaque(), found),
            false => write(meant.effect, arguments, found),
        }
        // What is given to a program to read, a shell runs.
        let mut lines = found.split_off(start);
        let runs = matches!(
            meant.effect,
            Effect::Shell | Effect::ShellOrProgram | Effect::Program | Effect::ProgramAndList
        );
        if let Some(input) = arguments.input.as_ref().filter(|_| runs) {
            let given = match input {
                Value::Text(text) => text.clone(),
                _ => HOLE.to_string(),
            };
            let own = std::mem::take(&mut lines);
            own.iter().for_each(|line| piped(&given, &line.text, &mut lines));
        }
        let known = |directory: &&Value| directory.text().is_some_and(|text| !text.contains(HOLE));
        if let Some(directory) = arguments.directory.as_ref().filter(known).filter(|_| runs) {
            lines.iter_mut().for_each(|line| *line = inside(directory, line));
        }
        found.extend(lines);
    }
}

/// Writes down what a call does.
fn write(effect: Effect, arguments: &Arguments, found: &mut Vec<Line>) {
    let Arguments { values, is_shell, is_recursive, list, mode, .. } = arguments;
    let listed = match list {
        Some(list) if values.is_empty() => std::slice::from_ref(list),
        _ => values.as_slice(),
    };
    match (effect, listed) {
        (Effect::Shell, [Value::Told(told), ..]) => evaluated(*told, found),
        (Effect::ShellOrProgram, [Value::Told(told)]) if told.is_single() => {
            evaluated(*told, found)
        }
        (_, [Value::Told(told), ..]) if *is_shell => evaluated(*told, found),
        (Effect::Program | Effect::ShellOrProgram, words @ [Value::Told(_), ..]) => {
            program(words.iter(), found);
        }
        (Effect::ProgramAndWords, [first, Value::Told(told), ..]) => {
            program([first, &Value::Told(told.rest())].into_iter(), found);
        }
        (Effect::Shell, [Value::Text(line), ..]) => shell(line, found),
        (Effect::ShellOrProgram, [Value::Text(line)]) => shell(line, found),
        (_, [Value::Text(line), ..]) if *is_shell => shell(line, found),
        (Effect::Program | Effect::ShellOrProgram | Effect::Shell, [Value::List(words), ..]) => {
            program(words.iter(), found);
        }
        (Effect::Program | Effect::ShellOrProgram, words @ [Value::Text(_), ..]) => {
            program(words.iter(), found);
        }
        (Effect::ProgramBehind, [_, words @ ..]) => program(words.iter(), found),
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
        (Effect::Pipe, [_, Value::Text(mode), rest @ ..]) => {
            let mode = mode.trim();
            let mut lines = Vec::new();
            match (mode, rest) {
                ("-|" | "|-", [Value::Text(line)]) => shell(line, &mut lines),
                ("-|" | "|-", words) => program(words.iter(), &mut lines),
                (_, []) => in_one(mode, &mut lines),
                (">" | ">>" | "+>" | "+>>" | "+<", [path, ..]) => {
                    files(">", [path], false, &mut lines)
                }
                ("<", [path, ..]) => files("<", [path], false, &mut lines),
                _ => {}
            }
            match mode.starts_with('|') {
                // What is written to it is not looked for.
                true => {
                    lines.iter().for_each(|line| piped(&HOLE.to_string(), &line.text, found));
                }
                false => found.extend(lines),
            }
        }
        (Effect::DeleteTree, paths) => {
            let paths = paths.first().map_or(&[][..], Value::items);
            removed("rm -rf --", paths.iter(), true, found);
        }
        (Effect::DeleteMaybeTree, [first, ..]) if *is_recursive => {
            removed("rm -rf --", [first], true, found);
        }
        (Effect::Delete | Effect::DeleteMaybeTree, paths) => {
            removed("rm --", paths.iter().flat_map(Value::items), false, found);
        }
        (Effect::Move, [from, to, ..]) => files("mv --", [from, to], false, found),
        (Effect::Copy, [from, to, ..]) => files("cp --", [from, to], false, found),
        (Effect::Write, [path, ..]) => files(">", [path], false, found),
        (Effect::WriteSecond, [_, path, ..]) => files(">", [path], false, found),
        (Effect::Touch, [path, ..]) => files("touch --", path.items(), false, found),
        (Effect::TouchBehind, [_, paths @ ..]) => {
            files("touch --", paths.iter().flat_map(Value::items), false, found);
        }
        (Effect::Directory, [path, ..]) => files("mkdir -p --", path.items(), false, found),
        (Effect::Enter, [path @ Value::Text(text), ..]) if !is_unknown(text) => {
            files("cd --", [path], false, found);
        }
        (Effect::Link, [from, to, ..]) => files("ln -s --", [from, to], false, found),
        (Effect::Fill, [path, ..]) => files("tar -x -C", [path], false, found),
        (Effect::FillSecond, [_, path, ..]) => files("tar -x -C", [path], false, found),
        (Effect::Fill | Effect::FillSecond, _) => say(Line { text: "tar -x".to_owned() }, found),
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

/// What is opened where one text says how and what: `>file`, `command |`.
fn in_one(text: &str, found: &mut Vec<Line>) {
    let line = text.strip_prefix('|').or_else(|| text.strip_suffix('|'));
    if let Some(line) = line {
        return shell(line, found);
    }
    let path = text.trim_start_matches(['+', '>', '<']);
    let (how, path) = (text.len() - path.len(), path.trim());
    let writes = text.get(..how).is_some_and(|how| how.contains(['+', '>']));
    let path = Value::Text(path.to_owned());
    files(if writes { ">" } else { "<" }, [&path], false, found);
}

/// Files that are deleted: those that are listed, as what `find` finds, and the others.
fn removed<'v>(
    before: &str,
    paths: impl IntoIterator<Item = &'v Value>,
    always: bool,
    found: &mut Vec<Line>,
) {
    let mut others = Vec::new();
    for path in paths {
        match path {
            Value::Text(text) if text.contains(LISTED) => found.push(listed(text)),
            other => others.push(other),
        }
    }
    files(before, others, always, found);
}

/// The deletion of all files that a listing names.
fn listed(text: &str) -> Line {
    let (known, _) = text.split_once(LISTED).unwrap_or((text, ""));
    let top = known.rsplit_once('/').map(|(top, _)| if top.is_empty() { "/" } else { top });
    let top = Value::Text(top.unwrap_or(".").to_owned());
    if top.text().is_none() || known.trim_end_matches('/').ends_with(HOLE) && !known.contains('/') {
        return Line { text: format!("rm -rf -- \"{HOLE}\"") };
    }
    let name = text.rsplit('/').next().unwrap_or_default().replace([LISTED, HOLE], "*");
    let all = name.bytes().all(|byte| byte == b'*');
    let which = match all {
        true => "-mindepth 1".to_owned(),
        false => format!("-name {}", quoted(&Value::Text(name))),
    };
    Line { text: format!("find {} {which} -delete", quoted(&top)) }
}

/// A line that runs in a directory.
fn inside(directory: &Value, line: &Line) -> Line {
    Line { text: format!("cd {} && {}", quoted(directory), line.text) }
}

/// A command that reads a text.
fn piped(given: &str, command: &str, found: &mut Vec<Line>) {
    let mut lines = Vec::new();
    shell(command, &mut lines);
    for line in lines {
        let text =
            format!("printf '%s\\n' {} | {}", quoted(&Value::Text(given.to_owned())), line.text);
        found.push(Line { text });
    }
}

/// Whether nothing is known of a text.
fn is_unknown(text: &str) -> bool {
    !text.trim().is_empty()
        && text
            .chars()
            .all(|character| matches!(character, HOLE | LISTED) || character.is_whitespace())
}

/// Says something once.
fn say(line: Line, found: &mut Vec<Line>) {
    if !found.contains(&line) {
        found.push(line);
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
    if !line.trim_start().starts_with([HOLE, LISTED]) && !line.trim().is_empty() {
        found.push(Line { text: line.replace(LISTED, "\u{FDD0}") });
    }
}

/// What a shell makes of words that the code is told.
fn evaluated(told: Told, found: &mut Vec<Line>) {
    found.push(Line { text: format!("eval {}", told.quoted()) });
}

/// A program and its arguments, if it is known which.
fn program<'v>(words: impl Iterator<Item = &'v Value>, found: &mut Vec<Line>) {
    // A list among them is so many more.
    let words: Vec<String> = words.flat_map(Value::items).map(quoted).collect();
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
    let is_known = |path: &&Value| {
        path.text().is_some() && !path.is_listed() || matches!(path, Value::Told(_))
    };
    if paths.is_empty() || !always && !paths.iter().any(is_known) {
        return;
    }
    // What is not known of several adds nothing to what is.
    let is_pair = ["mv", "cp", "ln"].iter().any(|pair| before.starts_with(pair));
    let is_single = paths.len() == 1 || is_pair;
    let paths = paths.into_iter().filter(|path| is_single || is_known(path));
    let words: Vec<String> = paths.map(quoted).collect();
    found.push(Line { text: format!("{before} {}", words.join(" ")) });
}

/// A value as one word of a shell.
fn quoted(value: &Value) -> String {
    let text = match value {
        Value::Told(told) => return told.quoted(),
        Value::Text(text) => text.replace(LISTED, "\u{FDD0}"),
        _ => return format!("\"{HOLE}\""),
    };
    let (home, rest) = match text.strip_prefix("~/") {
        Some(rest) => ("~/", rest),
        None if text == "~" => return "~".to_owned(),
        None => ("", text.as_str()),
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
