//! Finds the calls in code and writes down what each does as a line of shell.

use super::arguments::Arguments;
use super::calls::{self, Effect};
use super::code::{Meant, ReadsNested, Scan};
use super::databases::Statements;
use super::effects::{emptied, inside, is_unknown, program, say, shell, wrote};
use super::functions::{self, Function};
use super::names::Names;
use super::origins::Origin;
use super::parts::{MAX_ARGUMENTS, chain, closing, object, opening, split, trimmed};
use super::token::{REWRITES, Template, Token};
use super::value::Value;
use super::{
    commands, computed, git,
    language::Language,
    line::{self, Line},
    lookups, passed, servers,
    unnamed::KeptOnce,
    writes,
};
use crate::hole::{COMPUTED, HOLE, READ};

/// Returns what calls do, in their order.
pub fn calls(
    language: Language,
    tokens: &[Token],
    defined: &[Function],
    given: &[(&str, &str)],
    nested: &dyn ReadsNested,
) -> Vec<Line> {
    let names = &Names::of(language, tokens, defined, given);
    let own = &defined.iter().map(|function| function.name.as_str()).collect();
    let statements = &Statements::default();
    let uses_git = git::is_used(language, tokens);
    let written = writes::written(tokens, names);
    let written = written.as_deref();
    let kept = &KeptOnce::new();
    let scan = Scan { language, tokens, names, own, nested, statements, uses_git, written, kept };
    let mut found = Vec::new();
    scan.all(&mut found);
    found.extend(statements.lines(tokens, names));
    found
}

impl<'t> Scan<'t> {
    /// `rm` of `ruby -run -e rm -- -r src`: the code is a program, which is given the words behind it.
    fn is_command(&self) -> Option<&str> {
        const NAMES: [&str; 9] =
            ["rm", "cp", "mv", "ln", "mkdir", "rmdir", "install", "chmod", "touch"];
        match trimmed(self.tokens) {
            [Token::Name(name)] if self.language == Language::Ruby => {
                NAMES.into_iter().find(|known| known == name)
            }
            _ => None,
        }
    }

    /// Looks at all of the code.
    fn all(&self, found: &mut Vec<Line>) {
        if let Some(name) = self.is_command() {
            found.push(Line { text: format!("{name} \"${{@:1}}\"") });
        }
        for at in 0..self.tokens.len() {
            self.at(at, found);
            if found.len() >= line::MAX_LINES {
                break;
            }
        }
    }

    /// Looks at the code of the values that are put into a text.
    fn inside(&self, template: &'t Template, found: &mut Vec<Line>) {
        for value in template.values.iter().filter(|value| value.len() > 1) {
            Scan { tokens: value, ..*self }.all(found);
        }
    }

    fn at(&self, at: usize, found: &mut Vec<Line>) {
        match self.tokens.get(at) {
            Some(Token::Command(template)) => {
                self.inside(template, found);
                self.commands(self.names.filled(template, 0), found);
            }
            Some(Token::Filled(template)) => {
                self.inside(template, found);
                let text = || self.names.filled(template, 0);
                // `$` with a text behind it runs that in Bun and zx.
                if self.is_tagged(at) {
                    self.commands(text(), found);
                } else if self.is_statement(at) {
                    self.statements.add(&text());
                }
            }
            Some(Token::Text(text)) if self.is_tagged(at) => self.command(text, found),
            Some(Token::Text(text)) if self.is_statement(at) => {
                self.statements.add(&Value::Text(text.clone()));
            }
            Some(Token::Text(text)) if self.language == Language::Awk => {
                self.pipe(at, text, found);
            }
            Some(Token::Sign('>' | '<')) if self.language == Language::Awk => {
                self.redirected(at, found);
            }
            Some(Token::Sign('|')) if self.language == Language::Awk => {
                self.joined_pipe(at, found);
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
            // `printf "" > $0`
            Some(Token::Name(_)) if self.language == Language::Awk && self.empties_field(at) => {
                emptied(&Value::Text(READ.to_string()), found);
            }
            Some(Token::Name(name)) => self.call(at, name, found),
            Some(Token::Sign('[')) => self.member(at, found),
            Some(Token::Sign('(')) => self.unnamed(at, found),
            _ => {}
        }
    }

    /// `fs[name](…)`: a function of a library that is looked up by its name, and called.
    fn member(&self, at: usize, found: &mut Vec<Line>) {
        const RUN: [&str; 4] = ["fs", "fse", "child_process", "process"];
        let Some(close) = closing(self.tokens, at) else { return };
        if self.sign(close + 1) != Some('(') {
            return;
        }
        let before = self.tokens.get(..at).unwrap_or_default();
        let value = self.tokens.get(at + 1..close).map(|name| self.names.value(name, 0));
        if value.as_ref().is_some_and(computed::is_computed) {
            return say(line::opaque(), found);
        }
        if self.language != Language::JavaScript {
            return;
        }
        let object = before.get(chain(before)..).unwrap_or_default();
        let origin = self.names.origins().reference(self.language, object, 0);
        let Some(origin) = origin.filter(|origin| RUN.contains(&origin.name.as_str())) else {
            return;
        };
        let Some(Value::Text(name)) = value else { return say(line::opaque(), found) };
        let known = calls::named(self.language, &name)
            .find(|known| known.of.is_empty() || known.of.contains(&origin.name.as_str()));
        match (known, self.arguments(close + 1)) {
            (Some(known), Some(arguments)) => {
                self.write(Meant { effect: known.effect, is_certain: true }, &arguments, found);
            }
            _ if is_unknown(&name) => say(line::opaque(), found),
            _ => {}
        }
    }

    /// Whether a text is SQL that is run by the name before it: ``sql`…` ``.
    fn is_statement(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.name(at));
        self.language == Language::JavaScript
            && matches!(before, Some("sql" | "executeRaw" | "queryRaw"))
    }

    /// Texts that a shell runs.
    fn commands(&self, value: Value, found: &mut Vec<Line>) {
        let values = match value {
            Value::Each(values) => values,
            value => vec![value],
        };
        for value in values {
            match value {
                Value::Text(text) => self.command(&text, found),
                _ => say(line::opaque(), found),
            }
        }
    }

    /// A text that a shell runs, whatever stands before it.
    fn command(&self, text: &str, found: &mut Vec<Line>) {
        match is_unknown(text) {
            true => say(line::opaque(), found),
            false => shell(text, found),
        }
    }

    /// ``$`…` ``, ``$({ cwd })`…` ``
    fn is_tagged(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let is_shell = |at: Option<usize>| at.and_then(|at| self.name(at)) == Some("$");
        let open = (self.sign(before) == Some(')'))
            .then(|| opening(self.tokens.get(..at).unwrap_or_default()))
            .flatten();
        self.language == Language::JavaScript
            && match open {
                Some(open) => is_shell(open.checked_sub(1)),
                None => is_shell(Some(before)),
            }
    }

    fn call(&self, at: usize, name: &str, found: &mut Vec<Line>) {
        if self.includes_data(at, name) {
            return say(line::opaque(), found);
        }
        let Some((receiver, from)) = self.receiver(at) else {
            return self.variable(at, name, found);
        };
        let before = from.checked_sub(1).and_then(|before| self.name(before));
        if before.is_some_and(|word| {
            matches!(word, "def" | "function" | "sub" | "class" | "func" | "fn")
        }) {
            return;
        }
        if let Some(caller) = passed::caller_of(self.language, self.usual_name(receiver, name)) {
            return self.passed(at, caller, found);
        }
        if receiver.is_empty() && self.own.contains(name) {
            return;
        }
        if self.language == Language::Python && name == "getattr" {
            return self.looked_up(at, found);
        }
        // Elsewhere that is a statement, and what stands behind it are names.
        let may_find = name != "import" || self.language == Language::JavaScript;
        let is_found = may_find && lookups::finds(name).is_some() && self.is_computed(at);
        if is_found || self.looks_up(at, name) {
            return say(line::opaque(), found);
        }
        if receiver.is_empty() && self.sign(at + 1) == Some('(') && self.goes_through(name) {
            return say(line::opaque(), found);
        }
        if name == "write" && self.wrote(at, found) {
            return;
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
        let is_method = !matches!(receiver, "" | "regex" | REWRITES);
        let effect = effect.filter(|meant| meant.effect != Effect::Statements || is_method);
        if let Some(meant) = effect {
            match meant.effect {
                Effect::Code => return self.code(at, found),
                Effect::CodeLater if !receiver.is_empty() || name != "constructor" => {
                    return self.code_later(at, found);
                }
                Effect::Payload => return self.payload(at, found),
                Effect::Hidden if self.sign(at + 1) == Some('(') => {
                    return say(line::opaque(), found);
                }
                _ => {}
            }
            let behind = self.called(at).map_or(at + 1, |(_, behind)| behind);
            let arguments = self.arguments(behind).or_else(|| self.usual(name));
            let Some(mut arguments) = arguments else {
                return;
            };
            if name == "popen" {
                arguments.take_mode();
            }
            if meant.effect == Effect::Open && self.empties(at, &arguments) {
                arguments.values.iter().take(1).for_each(|path| emptied(path, found));
            }
            return self.write(meant, &arguments, found);
        }
        if servers::look(self, at, receiver, name, found) {
            return;
        }
        let of_path = calls::of_path(self.language, name).filter(|_| !receiver.is_empty());
        let without = || (self.language == Language::Ruby).then(Arguments::default);
        let arguments = || self.arguments(at + 1).or_else(without);
        if let (Some(effect), Some(mut arguments)) = (of_path, of_path.and_then(|_| arguments())) {
            let path = self.names.value(object(self.tokens, at), 0);
            // A text of Ruby has methods that are called so, too.
            let may_be_path = self.language != Language::Ruby || self.is_path(at, &arguments);
            let empties = effect == Effect::Open && self.empties_own(at, &arguments);
            if may_be_path && (path.text().is_some() || matches!(path, Value::Each(_))) {
                if empties {
                    emptied(&path, found);
                }
                // The file, then what stands in the brackets.
                arguments.values.insert(0, path);
                self.write(Meant { effect, is_certain: true }, &arguments, found);
            }
        }
    }

    /// Whether a call opens a file to be written, and nothing is.
    fn empties(&self, at: usize, arguments: &Arguments) -> bool {
        let mode = arguments.mode.as_ref().or(arguments.values.get(1));
        matches!(mode, Some(Value::Text(mode)) if mode.contains('w') && !mode.contains(':'))
            && self.is_closed_at_once(at)
    }

    /// The same of a method of a path: `p.open("w").close()`.
    fn empties_own(&self, at: usize, arguments: &Arguments) -> bool {
        let mode = arguments.mode.as_ref().or(arguments.values.first());
        matches!(mode, Some(Value::Text(mode)) if mode.contains('w') && !mode.contains(':'))
            && self.is_closed_at_once(at)
    }

    /// The name of a function where it is at home, whatever the code calls it.
    fn usual_name<'n>(&'n self, receiver: &str, name: &'n str) -> &'n str {
        match self.names.origins().named(name) {
            [origin, ..] if receiver.is_empty() && !origin.of.is_empty() => &origin.name,
            _ => name,
        }
    }

    /// `operator.methodcaller("system", "…")(os)`: a function that is looked up by its name wherever that may be.
    fn looks_up(&self, at: usize, name: &str) -> bool {
        let is_python = self.language == Language::Python;
        if !is_python || !matches!(name, "methodcaller" | "attrgetter") {
            return false;
        }
        let arguments = self.arguments(at + 1);
        let first = arguments.and_then(|arguments| arguments.values.into_iter().next());
        let Some(Value::Text(function)) = first else { return false };
        function.split('.').any(|function| calls::named(self.language, function).next().is_some())
    }

    /// Whether what a function is given first is computed.
    fn is_computed(&self, at: usize) -> bool {
        let arguments = self.arguments(at + 1);
        let first = arguments.and_then(|arguments| arguments.values.into_iter().next());
        first.as_ref().is_some_and(computed::is_computed)
    }

    /// `$run("rm -rf src")` of PHP: a function whose name is the value of a variable.
    fn variable(&self, at: usize, name: &str, found: &mut Vec<Line>) {
        let is_indirect = match self.language {
            Language::Php => true,
            Language::Awk => at.checked_sub(1).and_then(|at| self.sign(at)) == Some('@'),
            _ => false,
        };
        if !is_indirect || self.sign(at + 1) != Some('(') {
            return;
        }
        let Some(Value::Text(function)) = self.names.known(name) else { return };
        if function.contains(COMPUTED) {
            return say(line::opaque(), found);
        }
        let known = calls::named(self.language, function).find(|known| known.of.contains(&""));
        match (known, self.arguments(at + 1)) {
            (Some(calls::Function { effect: Effect::Code, .. }), _) => self.code(at, found),
            (Some(known), Some(arguments)) => {
                self.write(Meant { effect: known.effect, is_certain: true }, &arguments, found);
            }
            _ => {}
        }
    }

    /// `getattr(os, "sys" + "tem")("rm -rf src")`: a function that is looked up by its name, and called.
    fn looked_up(&self, at: usize, found: &mut Vec<Line>) {
        let Some(close) = closing(self.tokens, at + 1) else { return };
        let inner = self.tokens.get(at + 2..close).unwrap_or_default();
        let (Some(object), Some(name)) =
            (split(inner, &[',']).first().copied(), split(inner, &[',']).get(1).copied())
        else {
            return;
        };
        let module = object.iter().rev().find_map(|token| match token {
            Token::Name(name) | Token::Text(name) => {
                calls::RUNNING.iter().find(|known| *known == name)
            }
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
        if let Some(words) = commands::words(self.tokens, at, inner, self.names) {
            return Some(words);
        }
        match self.language {
            Language::JavaScript if self.uses_git && !receiver.is_empty() => {
                git::simple(name, inner, self.names)
            }
            Language::Python if receiver == "git" && before == Some('.') => {
                Some(git::python(name, inner, self.names))
            }
            Language::Python if self.uses_git && !receiver.is_empty() => {
                git::object(object(self.tokens, at), name, inner, self.names)
            }
            _ => None,
        }
    }

    /// What a call means by the name of its function and what stands before that.
    fn meaning(&self, at: usize, receiver: &str, name: &str) -> Option<Meant> {
        let look = |of: &str, name: &str, is_certain: bool| {
            // A library of C has the functions of that.
            let is_native = calls::is_native(self.language, of);
            let (language, of) = if is_native { (Language::C, "") } else { (self.language, of) };
            let has_receiver = |of_: &[&str]| of_.is_empty() || of_.contains(&of);
            calls::named(language, name)
                .find(|function| has_receiver(function.of))
                .map(|function| Meant { effect: function.effect, is_certain })
        };
        let receiver = functions::plain(receiver);
        let origins = self.names.origins();
        if name == "promisify"
            && let Some((called, _)) = self.called(at)
        {
            return look(&called.of, &called.name, true);
        }
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
            Some(origin) => look(functions::plain(&origin.name), name, true),
            None => look(receiver, name, true),
        }
    }

    /// Whether what a method is called on is a path, in Ruby.
    fn is_path(&self, at: usize, arguments: &Arguments) -> bool {
        let is_class = |token: &Token| matches!(token, Token::Name(name) if name == "Pathname");
        let is_made = object(self.tokens, at).iter().any(is_class);
        let uses_paths = self.tokens.iter().take(MAX_ARGUMENTS).any(is_class);
        is_made || uses_paths && arguments.values.is_empty()
    }

    /// Whether what a method is called on is a name alone.
    fn is_alone(&self, at: usize) -> bool {
        matches!(object(self.tokens, at), [Token::Name(_)])
    }

    /// The function that a call returns, where it is called at once, and where its arguments stand:
    /// `require("rimraf")("src")`.
    fn called(&self, at: usize) -> Option<(Origin, usize)> {
        let is_loader =
            self.name(at).is_some_and(|name| lookups::loads(name) || name == "promisify");
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

    /// `open("a", "w").write("…")`, `f.write("…")`
    fn wrote(&self, at: usize, found: &mut Vec<Line>) -> bool {
        let Some(path) = self.names.opened(object(self.tokens, at)) else { return false };
        let content = self.arguments(at + 1).and_then(|given| given.values.into_iter().next());
        wrote(&path, &content.unwrap_or(Value::Unknown), found);
        true
    }

    /// What a function does that is only named: `os.remove`, `"unlink"`.
    pub fn named(&self, tokens: &[Token]) -> Option<Effect> {
        let tokens = match trimmed(tokens) {
            [Token::Sign('&'), rest @ ..] => rest,
            rest => rest,
        };
        let function = match tokens {
            [Token::Text(name)] => Origin { of: String::new(), name: name.clone() },
            [Token::Sign(':'), Token::Name(method)] => {
                return calls::of_path(self.language, method);
            }
            [Token::Name(name)] if self.own.contains(name.as_str()) => return None,
            tokens => self.names.origins().reference(self.language, tokens, 0)?,
        };
        let known = calls::named(self.language, &function.name)
            .find(|known| known.of.is_empty() || known.of.contains(&function.of.as_str()));
        let of_path =
            (function.of == "Path").then(|| calls::of_path(self.language, &function.name));
        known.map(|known| known.effect).or(of_path.flatten())
    }

    /// A function that is passed on to one that calls it: `map(os.remove, files)`, `Thread(target=f, args=[a])`.
    fn passed(&self, at: usize, caller: &passed::Caller, found: &mut Vec<Line>) {
        let Some(close) = closing(self.tokens, at + 1) else { return };
        let inner = self.tokens.get(at + 2..close).unwrap_or_default();
        let parts = split(inner, &[',']);
        let target = parts.iter().find_map(|part| match trimmed(part) {
            [Token::Name(name), Token::Sign('='), value @ ..]
                if passed::is_target(functions::plain(name)) =>
            {
                Some(value)
            }
            _ => None,
        });
        let Some(function) = target.or_else(|| parts.get(caller.at).copied()) else { return };
        let Some(effect) = self.named(function) else { return };
        let skipped = match (caller.given, caller.at) {
            (passed::Given::BehindNext, at) => at + 2,
            // The list stands before the function.
            (passed::Given::Each, 1) => 0,
            (_, at) => at + 1,
        };
        if caller.given == passed::Given::Unknown {
            let is_run = matches!(effect, Effect::Shell | Effect::ShellOrProgram | Effect::Code);
            if is_run {
                say(line::opaque(), found);
            }
            return;
        }
        let mut arguments = Arguments::default();
        for part in parts.iter().skip(skipped).filter(|_| target.is_none()) {
            self.argument(trimmed(part), &mut arguments);
        }
        if target.is_some() {
            parts.iter().for_each(|part| self.argument(trimmed(part), &mut arguments));
            arguments.values = arguments.list.take().into_iter().collect();
        }
        if caller.given == passed::Given::Items {
            arguments.values = vec![self.names.value(object(self.tokens, at), 0)];
        }
        let first = arguments.values.first().cloned();
        match (caller.given, first) {
            (passed::Given::List, Some(Value::List(items))) => arguments.values = items,
            (passed::Given::List, None) => {}
            (passed::Given::Each | passed::Given::Items, Some(Value::List(items))) => {
                arguments.values = vec![Value::Each(items)];
            }
            (passed::Given::EachList, Some(Value::List(lists))) => {
                let firsts = lists.into_iter().map(|list| match list {
                    Value::List(items) => items.into_iter().next().unwrap_or(Value::Unknown),
                    other => other,
                });
                arguments.values = vec![Value::Each(firsts.collect())];
            }
            _ => {}
        }
        match effect {
            Effect::Code => self.run(arguments.values.into_iter().next(), at, found),
            effect => self.write(Meant { effect, is_certain: true }, &arguments, found),
        }
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
}
