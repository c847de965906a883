//! What expressions are worth: texts and paths that are put together, lists, what well-known functions return. What is not
//! constant is unknown.

use super::computed;
use super::environment;
use super::functions;
use super::input;
use super::language::Language;
use super::makers;
use super::names::Names;
use super::options;
use super::parts::{closing, object, opening, outside, split, trimmed, value_of_awk, written};
use super::token::{Template, Token};
use super::told::told;
use super::value::{
    MADE, MAX_TEXT, Value, beginning, concatenated, decoded, join, joined, lists, pattern, spread,
    words,
};
use crate::hole::{HOLE, LISTED, READ};

/// How deep expressions nest.
const MAX_DEPTH: u32 = 16;

/// Functions that return their first argument as a path, or join all of them to one.
const JOINS: &[&str] = &[
    "Path",
    "PurePath",
    "PosixPath",
    "Pathname",
    "join",
    "resolve",
    "normalize",
    "abspath",
    "realpath",
    "str",
    "String",
    "fspath",
    "expanduser",
    "quote",
    "normpath",
    "expand_path",
    "catfile",
    "catdir",
    "Join",
];

/// What stands for the home of the user.
const HOMES: &[&str] = &["homedir", "home"];

/// Functions that return what their last argument has in it.
const SAME: &[&str] = &[
    "sorted",
    "list",
    "reversed",
    "set",
    "tuple",
    "iter",
    "filter",
    "compile",
    "sort",
    "bytes",
    "bytearray",
    "b",
    "grep",
    "array_filter",
    "trim",
    "rtrim",
    "text",
    "SQL",
    "dedent",
];

/// Methods that return what they are called on.
const SAME_METHODS: &[&str] = &[
    "decode",
    "encode",
    "toString",
    "strip",
    "trim",
    "rstrip",
    "lstrip",
    "sort",
    "filter",
    "select",
    "reject",
    "reverse",
    "slice",
    "to_s",
    "lower",
    "toLowerCase",
    "sort_by",
    "chomp",
];

/// Functions that list files that are like a pattern.
const GLOBS: &[&str] = &["glob", "iglob", "rglob", "globSync", "fdir", "bsd_glob"];

/// Functions that list the names in a directory.
const LISTS: &[&str] =
    &["listdir", "readdirSync", "readdir", "children", "entries", "scandir", "each_child"];

impl Names {
    /// The value of an expression.
    pub fn value(&self, tokens: &[Token], depth: u32) -> Value {
        if self.is_spent() {
            return Value::Unknown;
        }
        let value = self.whole(tokens, depth);
        let value = computed::marked(self, tokens, value);
        self.spend(&value);
        match value {
            Value::Text(text) if text.len() > MAX_TEXT && depth > 0 => Value::Unknown,
            value => value,
        }
    }

    fn whole(&self, tokens: &[Token], depth: u32) -> Value {
        if depth > MAX_DEPTH {
            return Value::Unknown;
        }
        let mut tokens = trimmed(tokens);
        while let [Token::Name(word), rest @ ..] = tokens
            && matches!(word.as_str(), "await" | "new" | "yield")
        {
            tokens = rest;
        }
        // A reference to it, and what becomes of a failure.
        while let ([Token::Sign('&'), rest @ ..] | [rest @ .., Token::Sign('?')], true) =
            (tokens, self.language() == Language::Rust)
        {
            tokens = rest;
        }
        if let [Token::Sign('['), .., Token::Sign(']')] | [Token::Sign('('), .., Token::Sign(')')] =
            tokens
            && closing(tokens, 0) == Some(tokens.len() - 1)
        {
            let inner = tokens.get(1..tokens.len() - 1).unwrap_or_default();
            // `[f(x) for x in …]`
            if self.language() == Language::Python
                && let Some(at) = outside(inner, "for")
            {
                let item = self.value(inner.get(..at).unwrap_or_default(), depth + 1);
                return match item {
                    Value::Each(items) => Value::List(items),
                    item if item.is_listed() => item,
                    _ => Value::Unknown,
                };
            }
            let is_single = matches!(tokens.first(), Some(Token::Sign('(')))
                && split(inner, &[',']).len() == 1
                && inner.last() != Some(&Token::Sign(','));
            return match is_single {
                true => self.value(inner, depth + 1),
                false => self.list(inner, depth),
            };
        }
        if let [Token::Sign('{'), inner @ .., Token::Sign('}')] = tokens
            && closing(tokens, 0) == Some(tokens.len() - 1)
        {
            return self.object(inner, depth);
        }
        if let [Token::Words(words)] = tokens {
            return Value::List(words.iter().cloned().map(Value::Text).collect());
        }
        // `<src/*>`
        if let [Token::Sign('<'), inner @ .., Token::Sign('>')] = tokens
            && self.language() == Language::Perl
        {
            return match inner {
                [] => Value::Text(READ.to_string()),
                [Token::Name(handle)] if handle == "STDIN" => Value::Text(READ.to_string()),
                inner => pattern(&written(inner)),
            };
        }
        if let Some(value) = self.alternative(tokens, depth) {
            return value;
        }
        // `a / b` joins paths, `a + b` and `a . b` texts, and `a % b` fills in.
        let parts = split(tokens, &['/']);
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| self.value(part, depth + 1));
            return join(parts);
        }
        let parts = split(tokens, &['+']);
        if parts.len() > 1 {
            return concatenated(parts.iter().map(|part| self.value(part, depth + 1)));
        }
        if self.language() == Language::Lua
            && let Some(text) = self.lua_texts(tokens, depth)
        {
            return text;
        }
        if self.language() == Language::Awk
            && let Some(text) = self.awk_texts(tokens, depth)
        {
            return text;
        }
        if matches!(self.language(), Language::Perl | Language::Php) {
            let parts = split(tokens, &['.']);
            if parts.len() > 1 {
                return concatenated(parts.iter().map(|part| self.value(part, depth + 1)));
            }
        }
        self.term(tokens, depth)
    }

    /// `a .. b` of Lua.
    fn lua_texts(&self, tokens: &[Token], depth: u32) -> Option<Value> {
        let is_cut = |at: &usize| {
            let is_dot = |at: usize| tokens.get(at) == Some(&Token::Sign('.'));
            is_dot(*at) && is_dot(at + 1)
        };
        let cuts: Vec<usize> = (0..tokens.len()).filter(is_cut).collect();
        let (mut parts, mut from) = (Vec::new(), 0);
        for cut in cuts.iter().copied().chain([tokens.len()]) {
            parts.push(self.value(tokens.get(from..cut)?, depth + 1));
            from = cut + 2;
        }
        (!cuts.is_empty()).then(|| concatenated(parts.into_iter()))
    }

    /// Texts of AWK side by side: `"a" name "b"`.
    fn awk_texts(&self, tokens: &[Token], depth: u32) -> Option<Value> {
        let (mut parts, mut rest) = (Vec::new(), tokens);
        while !rest.is_empty() {
            let (part, behind) = match value_of_awk(rest) {
                0 => return None,
                end => rest.split_at_checked(end)?,
            };
            if part.len() == tokens.len() {
                return None;
            }
            parts.push(self.value(part, depth + 1));
            rest = behind;
        }
        (!parts.is_empty()).then(|| concatenated(parts.into_iter()))
    }

    /// Items between commas; what is a list of its own behind `*` or `...` is so many more.
    pub fn list(&self, tokens: &[Token], depth: u32) -> Value {
        let mut items = Vec::new();
        for part in split(tokens, &[',']) {
            let (rest, is_spread) = match trimmed(part) {
                [Token::Sign('*'), rest @ ..] => (rest, true),
                [Token::Sign('.'), Token::Sign('.'), Token::Sign('.'), rest @ ..] => (rest, true),
                [Token::Sign('@'), ..] => (part, true),
                rest => (rest, false),
            };
            match self.value(rest, depth + 1) {
                list @ Value::List(_) if is_spread => items.push(list),
                other => items.push(Value::List(vec![other])),
            }
        }
        lists(items)
    }

    /// What stands between commas with a name for each.
    pub fn object(&self, tokens: &[Token], depth: u32) -> Value {
        let mut fields = Vec::new();
        for part in split(tokens, &[',']) {
            match trimmed(part) {
                [Token::Name(name) | Token::Text(name), Token::Sign(':'), value @ ..]
                | [
                    Token::Name(name) | Token::Text(name),
                    Token::Sign('='),
                    Token::Sign('>'),
                    value @ ..,
                ]
                | [Token::Name(name), Token::Sign('='), value @ ..] => {
                    fields.push((functions::plain(name).to_owned(), self.value(value, depth + 1)));
                }
                // `{recursive}`
                [name @ Token::Name(field)] => {
                    let value = self.value(std::slice::from_ref(name), depth + 1);
                    fields.push((functions::plain(field).to_owned(), value));
                }
                [Token::Sign('.'), Token::Sign('.'), Token::Sign('.'), rest @ ..]
                | [Token::Sign('*'), Token::Sign('*'), rest @ ..] => {
                    if let Value::Object(more) = self.value(rest, depth + 1) {
                        fields.extend(more);
                    }
                }
                _ => {}
            }
        }
        Value::Object(fields)
    }

    /// The value of a text that values are put into.
    pub fn filled(&self, template: &Template, depth: u32) -> Value {
        let mut values = template.values.iter();
        let mut parts = Vec::with_capacity(template.values.len() * 2 + 1);
        let mut pieces = template.text.split(HOLE);
        parts.extend(pieces.next().map(|piece| Value::Text(piece.to_owned())));
        for piece in pieces {
            let mut piece = piece;
            match values.next() {
                // `$File::Find::dir/$_`: the file is all of that.
                Some(code) if is_walked_folder(code) => {
                    piece = piece.strip_prefix('/').unwrap_or(piece);
                }
                Some(code) if !code.is_empty() => parts.push(match self.value(code, depth + 1) {
                    // `"@list"`
                    Value::List(items) => joined(&items, " "),
                    Value::Text(own) if own.len() > MAX_TEXT => Value::Unknown,
                    own => own,
                }),
                _ => parts.push(Value::Unknown),
            }
            parts.push(Value::Text(piece.to_owned()));
        }
        spread(parts, |parts| joined(parts, ""))
    }

    /// The text that a token writes out.
    fn written_out(&self, token: &Token, depth: u32) -> Option<String> {
        match token {
            Token::Text(text) => Some(text.clone()),
            Token::Filled(template) => match self.filled(template, depth) {
                Value::Text(text) => Some(text),
                _ => Some(template.text.clone()),
            },
            _ => None,
        }
    }

    /// Whether a name of digits is a number.
    fn has_numbers(&self) -> bool {
        !matches!(self.language(), Language::Awk | Language::Perl | Language::Php)
    }

    fn term(&self, tokens: &[Token], depth: u32) -> Value {
        if let Some(told) = told(self.language(), tokens) {
            // What is not there ends the code.
            let is_missing = told.is_single() && self.is_missing(told);
            return if is_missing { Value::Unknown } else { Value::Told(told) };
        }
        if let Some(name) = environment::variable(tokens) {
            return match self.known(&environment::key(name)) {
                Some(value) => value.clone(),
                // By custom, what nobody sets is not set.
                None => environment::instead(tokens)
                    .map_or(Value::Unknown, |other| self.value(other, depth + 1)),
            };
        }
        if input::is_input(self.language(), tokens) {
            return Value::Text(READ.to_string());
        }
        // `args.root`
        if let [Token::Name(of), Token::Sign('.'), Token::Name(field)] = tokens
            && let Some(value) = self.option(functions::plain(of), field, depth)
        {
            return value;
        }
        // `vars(args)["root"]`
        if let [Token::Name(of), Token::Sign('['), Token::Text(field), Token::Sign(']')] = tokens
            && let Some(value) = self.option(functions::plain(of), field, depth)
        {
            return value;
        }
        // `settings.out` of data, and of what a call reads.
        if let [of @ .., Token::Sign('.'), Token::Name(field)] = tokens
            && !of.is_empty()
            && self.has_files()
            && let Value::Object(fields) = self.value(of, depth + 1)
        {
            let field = fields.into_iter().rev().find(|(own, _)| own == field);
            return field.map_or(Value::Unknown, |(_, value)| value);
        }
        // `parser.parse_args().root`
        if let [parsed @ .., Token::Sign('.'), Token::Name(field)] = tokens
            && let [.., Token::Name(call), Token::Sign('('), Token::Sign(')')] = parsed
            && call == "parse_args"
            && let Some(value) = self.option(options::PARSED, field, depth)
        {
            return value;
        }
        match tokens {
            // The program that the code runs in.
            [Token::Name(of), Token::Sign('.'), Token::Name(field)]
                if of == "sys" && field == "executable" =>
            {
                Value::Text("python3".to_owned())
            }
            [Token::Name(of), Token::Sign('.'), Token::Name(field)]
                if of == "process" && matches!(field.as_str(), "execPath" | "argv0") =>
            {
                Value::Text("node".to_owned())
            }
            [Token::Name(word)]
                if matches!(
                    word.as_str(),
                    "False" | "false" | "nil" | "null" | "None" | "undefined"
                ) =>
            {
                Value::Off
            }
            // Of some languages it is what the code is called.
            [Token::Name(number)] if number == "0" && self.has_numbers() => Value::Off,
            [Token::Text(text)] => Value::Text(text.clone()),
            [Token::Filled(template)] => self.filled(template, depth),
            // Texts side by side are one, and what follows may change it.
            [Token::Text(_) | Token::Filled(_), Token::Text(_) | Token::Filled(_), ..] => {
                let pieces: Vec<String> =
                    tokens.iter().map_while(|token| self.written_out(token, depth)).collect();
                let first = pieces.first().cloned().unwrap_or_default();
                let is_all = pieces.len() == tokens.len();
                Value::Text(if is_all { pieces.concat() } else { format!("{first}{HOLE}") })
            }
            [
                text @ (Token::Text(_) | Token::Filled(_)),
                Token::Sign('.'),
                ..,
                Token::Sign(')'),
            ] => match self.call(tokens, depth) {
                Value::Unknown => {
                    let text = self.written_out(text, depth).unwrap_or_default();
                    kept(&text, tokens)
                }
                value => value,
            },
            // `"…{}".format(x)`, `"%s" % x`, `"a" . $x`: the beginning is known.
            [text @ (Token::Text(_) | Token::Filled(_)), ..] => {
                Value::Text(beginning(&self.written_out(text, depth).unwrap_or_default()))
            }
            [Token::Sign('*' | '&'), rest @ ..]
            | [Token::Sign('.'), Token::Sign('.'), Token::Sign('.'), rest @ ..] => {
                self.value(rest, depth + 1)
            }
            [Token::Sign('$' | '@'), rest @ ..] => self.term(rest, depth),
            [Token::Name(name)] => self.known.get(name).cloned().unwrap_or(Value::Unknown),
            // `entry.path`, `file.name`
            [.., Token::Sign('.'), Token::Name(field)]
                if matches!(field.as_str(), "path" | "name") =>
            {
                let of = self.value(tokens.get(..tokens.len() - 2).unwrap_or_default(), depth + 1);
                let is_made = of.text() == Some(MADE);
                if of.is_listed() || is_made { of } else { Value::Unknown }
            }
            // `join " ", @list`
            [Token::Name(name), Token::Text(between), Token::Sign(','), rest @ ..]
                if self.language() == Language::Perl && name == "join" =>
            {
                match self.list(rest, depth + 1) {
                    Value::List(items) => match items.as_slice() {
                        [Value::Told(told)] => Value::Told(told.joined()),
                        items => joined(items, between),
                    },
                    _ => Value::Unknown,
                }
            }
            // `$_.chomp`, `STDIN.read.split`, `path.children`
            [of @ .., Token::Sign('.'), Token::Name(method)]
                if self.language() == Language::Ruby =>
            {
                self.ruby_method(of, method, depth)
            }
            // `Dir["src/*"]`
            [Token::Name(name), Token::Sign('['), Token::Text(text), Token::Sign(']')]
                if name == "Dir" =>
            {
                pattern(text)
            }
            [Token::Name(file), Token::Sign(':'), Token::Sign(':'), rest @ ..]
                if self.language() == Language::Perl && file == "File" =>
            {
                // `$File::Find::name`
                let is_name = matches!(rest.last(), Some(Token::Name(name)) if name == "name");
                let walked = self.known("_").filter(|_| is_name);
                walked.cloned().unwrap_or(Value::Unknown)
            }
            // `readdir $d`
            [Token::Name(name), rest @ ..]
                if self.language() == Language::Perl && name == "readdir" && rest.len() < 4 =>
            {
                Value::Text(LISTED.to_string())
            }
            // `map { "src/$_" } qw(a b)`
            [Token::Name(name), Token::Sign('{'), ..]
                if self.language() == Language::Perl
                    && matches!(name.as_str(), "map" | "grep" | "sort") =>
            {
                self.mapped(name, tokens, depth)
            }
            // `Dir.mktmpdir`
            [Token::Name(of), Token::Sign('.'), Token::Name(name)]
                if self.language() == Language::Ruby && of == "Dir" && name == "mktmpdir" =>
            {
                Value::Text(MADE.to_owned())
            }
            // `glob "src/*"`
            [Token::Name(name), text @ ..]
                if self.language() == Language::Perl
                    && matches!(name.as_str(), "glob" | "decode_base64" | "pack")
                    && !text.is_empty()
                    && text.first() != Some(&Token::Sign('(')) =>
            {
                let parts = split(text, &[',']);
                let values = parts.iter().map(|part| self.value(part, depth + 1)).collect();
                made(name, values)
            }
            [.., Token::Sign(')')] => self.call(tokens, depth),
            // `cmd[0]`, `line.split()[0]`
            [of @ .., Token::Sign('['), at, Token::Sign(']')] if !of.is_empty() => {
                self.taken(of, at, depth)
            }
            _ => Value::Unknown,
        }
    }

    /// The value of a call, by the last name before its arguments.
    fn call(&self, tokens: &[Token], depth: u32) -> Value {
        let open = opening(tokens);
        let Some((Some(Token::Name(name)), open)) =
            open.map(|open| (open.checked_sub(1).and_then(|at| tokens.get(at)), open))
        else {
            return Value::Unknown;
        };
        let name = name.as_str();
        let inner = tokens.get(open + 1..tokens.len() - 1).unwrap_or_default();
        if makers::is_maker(name) && !self.makes_its_own() {
            return Value::Text(MADE.to_owned());
        }
        // `TempDir::new()`
        if name == "new"
            && matches!(tokens, [Token::Name(of), Token::Sign(':'), ..] if of == "TempDir")
        {
            return Value::Text(MADE.to_owned());
        }
        // `Pathname.new("src")`, `new RecursiveIteratorIterator(new RecursiveDirectoryIterator("src"))`
        if name == "new"
            && let [Token::Name(of), Token::Sign('.'), ..] = tokens
            && (of == "Pathname" || of == "File")
        {
            return self.value(inner, depth + 1);
        }
        if matches!(name, "RecursiveDirectoryIterator" | "DirectoryIterator" | "FilesystemIterator")
        {
            let first = split(inner, &[',']).first().map(|first| self.value(first, depth + 1));
            let top = first.unwrap_or(Value::Unknown);
            return join([top, Value::Text(LISTED.to_string())].into_iter());
        }
        if matches!(name, "RecursiveIteratorIterator" | "IteratorIterator" | "iterator_to_array") {
            let first = split(inner, &[',']).first().map(|first| self.value(first, depth + 1));
            return first.unwrap_or(Value::Unknown);
        }
        if HOMES.contains(&name) {
            return Value::Text("~".to_owned());
        }
        let is_method = open.checked_sub(2).is_some_and(|at| match tokens.get(at) {
            Some(Token::Sign('.' | '>')) => true,
            Some(Token::Sign(':')) => self.language() == Language::Lua,
            _ => false,
        });
        let before = match is_method {
            true => object(tokens, open - 1),
            false => &[],
        };
        let parts = split(inner, &[',']);
        let values = || parts.iter().map(|part| self.value(part, depth + 1)).collect::<Vec<_>>();
        if name == "join" || name == "implode" {
            let of = if is_method { self.value(before, depth + 1) } else { Value::Unknown };
            return match (of, self.language()) {
                (Value::Told(told), _) => Value::Told(told.joined()),
                // `["a", "b"].join(" ")`
                (Value::List(items), _) => {
                    let between = values().into_iter().next();
                    let between = between.as_ref().and_then(Value::text).unwrap_or("");
                    let is_given = !parts.is_empty() || self.language() == Language::Ruby;
                    joined(&items, if is_given { between } else { "," })
                }
                // `" ".join(["a", "b"])`
                (Value::Text(between), Language::Python) if matches!(before, [Token::Text(_)]) => {
                    match values().into_iter().next() {
                        Some(Value::List(items)) => joined(&items, &between),
                        Some(Value::Told(told)) => Value::Told(told.joined()),
                        _ => Value::Text(HOLE.to_string()),
                    }
                }
                (_, Language::Perl | Language::Php) => match values().split_first() {
                    Some((Value::Text(between), [Value::List(items)])) => joined(items, between),
                    Some((_, [Value::Told(told)])) => Value::Told(told.joined()),
                    Some((Value::Text(between), rest)) => joined(rest, between),
                    _ => Value::Unknown,
                },
                // `p.join("a")`
                (of, Language::Rust) if is_method => join(std::iter::once(of).chain(values())),
                _ => join(values().into_iter()),
            };
        }
        // A method of a path that gives one.
        if is_method && inner.is_empty() && matches!(name, "resolve" | "absolute" | "expanduser") {
            return self.value(before, depth + 1);
        }
        if is_method && input::gives_lines(name) {
            let of = self.value(before, depth + 1);
            if of.is_read() {
                return of;
            }
        }
        if let Some(data) = self.data(name, inner) {
            return data;
        }
        // `os.environ.copy()`: what is put into it counts.
        if is_method && name == "copy" && inner.is_empty() && environment::is_all(before) {
            return Value::Object(Vec::new());
        }
        if name == "assign" || name == "dict" {
            return self.merged(&parts, depth);
        }
        // `["rm"].concat("a", ["b"])`
        if is_method && name == "concat" {
            let of = self.value(before, depth + 1);
            return match of {
                Value::List(_) => lists(std::iter::once(of).chain(values()).collect()),
                of => concatenated(std::iter::once(of).chain(values())),
            };
        }
        if is_method && name == "split" {
            return match self.value(before, depth + 1) {
                Value::Text(text) => words(&text),
                _ => match values().into_iter().next() {
                    Some(Value::Text(text)) if matches!(before, [Token::Name(name)] if name == "shlex") => {
                        words(&text)
                    }
                    _ => Value::Unknown,
                },
            };
        }
        if is_method && self.language() == Language::Ruby && name == "children" {
            let of = self.value(before, depth + 1);
            return join([of, Value::Text(LISTED.to_string())].into_iter());
        }
        // `io.popen("ls src/*"):lines()`
        if name == "lines" && self.language() == Language::Lua {
            return self.printed(before, depth);
        }
        if is_method && name == "iterdir" {
            return join(
                [self.value(before, depth + 1), Value::Text(LISTED.to_string())].into_iter(),
            );
        }
        if is_method
            && matches!(name, "glob" | "rglob")
            && let [first] = parts.as_slice()
        {
            let of = self.value(before, depth + 1);
            let Value::Text(text) = self.value(first, depth + 1) else {
                return Value::Text(format!("{HOLE}{LISTED}"));
            };
            // It may lie at any depth.
            let below = (name == "rglob").then(|| Value::Text(LISTED.to_string()));
            return match (of, self.is_library(before)) {
                (Value::Text(top), false) => {
                    let parts = [Value::Text(top)].into_iter().chain(below);
                    join(parts.chain([pattern(&text)]))
                }
                // `p.rglob("*")` of a path that nobody knows.
                (_, false) => Value::Text(format!("{HOLE}/{LISTED}")),
                _ => pattern(&text),
            };
        }
        if is_method
            && name == "map"
            && let Some(at) =
                inner.windows(2).position(|pair| pair == [Token::Sign('='), Token::Sign('>')])
        {
            let item = self.value(inner.get(at + 2..).unwrap_or_default(), depth + 1);
            return if item.is_listed() { item } else { Value::Unknown };
        }
        // `sql.SQL("… {}").format(x)`
        if is_method && name == "format" {
            return match self.value(before, depth + 1) {
                Value::Text(text) => Value::Text(beginning(&text)),
                _ => Value::Unknown,
            };
        }
        let is_rust = self.language() == Language::Rust;
        if is_rust && is_method && matches!(name, "unwrap" | "expect" | "path" | "to_path_buf") {
            return self.value(before, depth + 1);
        }
        if is_method && SAME_METHODS.contains(&name) {
            let of = same(self.value(before, depth + 1), name, &values());
            if of != Value::Unknown {
                return of;
            }
        }
        // `map(str.strip, lines)`
        if !is_method
            && name == "map"
            && self.language() == Language::Python
            && let [function, over] = parts.as_slice()
            && matches!(function.first(), Some(Token::Name(of)) if of == "str" || of == "Path")
        {
            return self.value(over, depth + 1);
        }
        if SAME.contains(&name) {
            let at =
                if matches!(name, "filter" | "grep") { parts.len().saturating_sub(1) } else { 0 };
            return parts.get(at).map_or(Value::Unknown, |part| self.value(part, depth + 1));
        }
        // `Array.from(x)`, `Buffer.from("…", "base64")`
        if name == "from"
            && let [first, rest @ ..] = values().as_slice()
        {
            return match rest.first() {
                Some(Value::Text(form)) => decoded(form, first),
                _ => first.clone(),
            };
        }
        if JOINS.contains(&name) {
            return join(values().into_iter());
        }
        if name == "sync"
            && matches!(before, [.., Token::Name(of)] if matches!(of.as_str(), "glob" | "globby" | "fg"))
        {
            return made("glob", values());
        }
        if name == "dir" && matches!(before, [.., Token::Name(of)] if of == "lfs") {
            return made("readdir", values());
        }
        if is_method
            && matches!(name, "unpack1" | "pack")
            && let [Value::Text(form)] = values().as_slice()
        {
            let of = match self.value(before, depth + 1) {
                Value::List(items) => items.into_iter().next().unwrap_or(Value::Unknown),
                other => other,
            };
            let form = match form.as_str() {
                "m" | "m0" => "base64",
                "H*" => "hex",
                _ => return Value::Unknown,
            };
            return decoded(form, &of);
        }
        made(name, values())
    }

    /// What a method of Ruby gives that is called without brackets.
    fn ruby_method(&self, of: &[Token], method: &str, depth: u32) -> Value {
        let of = self.value(of, depth + 1);
        match (method, of) {
            ("children" | "entries" | "each_child", of) => {
                join([of, Value::Text(LISTED.to_string())].into_iter())
            }
            (method, of) if of.is_read() && input::gives_lines(method) => of,
            ("split", Value::Text(text)) => words(&text),
            (method, of) if SAME_METHODS.contains(&method) => same(of, method, &[]),
            _ => Value::Unknown,
        }
    }

    /// The files that a command names which is read: `io.popen("ls src/*")`.
    fn printed(&self, tokens: &[Token], depth: u32) -> Value {
        let Some(open) = opening(tokens) else { return Value::Unknown };
        let inner = tokens.get(open + 1..tokens.len() - 1).unwrap_or_default();
        let command = split(inner, &[',']).first().map(|first| self.value(first, depth + 1));
        let Some(Value::Text(command)) = command else { return Value::Unknown };
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["ls", rest @ ..] if !command.contains(['|', ';', '&']) => {
                let operands = || rest.iter().filter(|word| !word.starts_with('-'));
                let files: Vec<Value> = operands()
                    .map(|word| match word.contains(['*', '?']) {
                        true => pattern(word),
                        false => Value::Text(format!("{word}/{LISTED}")),
                    })
                    .collect();
                Value::List(if files.is_empty() {
                    vec![Value::Text(LISTED.to_string())]
                } else {
                    files
                })
            }
            ["find", top, ..] if !top.starts_with('-') => Value::Text(format!("{top}/{LISTED}")),
            _ => Value::Unknown,
        }
    }

    /// What `map`, `grep` and `sort` of Perl give, whose block is about `$_`, which stands for each item.
    fn mapped(&self, name: &str, tokens: &[Token], depth: u32) -> Value {
        let Some(close) = closing(tokens, 1) else { return Value::Unknown };
        if name != "map" {
            let over = tokens.get(close + 1..).unwrap_or_default();
            let over = over.strip_prefix(&[Token::Sign(',')]).unwrap_or(over);
            return self.list_or_value(over, depth);
        }
        match self.value(tokens.get(2..close).unwrap_or_default(), depth + 1) {
            Value::Each(items) => Value::List(items),
            other => other,
        }
    }

    /// What stands between commas as a list, and a value alone as itself.
    fn list_or_value(&self, tokens: &[Token], depth: u32) -> Value {
        match split(tokens, &[',']).len() {
            0 | 1 => self.value(tokens, depth + 1),
            _ => self.list(tokens, depth),
        }
    }

    /// An item of a list, or a part of what is read.
    fn taken(&self, of: &[Token], at: &Token, depth: u32) -> Value {
        match (self.value(of, depth + 1), at) {
            (Value::List(items), Token::Name(at)) => {
                let at = at.parse::<usize>().ok();
                at.and_then(|at| items.into_iter().nth(at)).unwrap_or(Value::Unknown)
            }
            (Value::Object(fields), Token::Text(name)) => {
                let field = fields.into_iter().rev().find(|(own, _)| own == name);
                field.map_or(Value::Unknown, |(_, value)| value)
            }
            (of, _) if of.is_read() => Value::Text(READ.to_string()),
            _ => Value::Unknown,
        }
    }

    /// Objects as one, and settings by their names: `Object.assign({}, a)`, `dict(a, b=1)`.
    fn merged(&self, parts: &[&[Token]], depth: u32) -> Value {
        let mut fields = Vec::new();
        for part in parts {
            let value = match trimmed(part) {
                [Token::Name(_), Token::Sign('='), ..] => self.object(part, depth + 1),
                // What is put beside them counts.
                part if environment::is_all(part) => Value::Object(Vec::new()),
                part => self.value(part, depth + 1),
            };
            match value {
                Value::Object(more) => fields.extend(more),
                _ => return Value::Unknown,
            }
        }
        Value::Object(fields)
    }

    /// Whether what a method is called on is a library, and no path.
    fn is_library(&self, tokens: &[Token]) -> bool {
        matches!(tokens, [Token::Name(name)] if !self.known.contains_key(name) && matches!(functions::plain(name), "glob" | "Dir" | "fs" | "fg" | "globby" | "File" | "_glob"))
    }
}

/// `File::Find::dir` of Perl.
fn is_walked_folder(code: &[Token]) -> bool {
    let first = code.first();
    let last = code.last();
    matches!((first, last), (Some(Token::Name(first)), Some(Token::Name(last))) if first == "File" && last == "dir")
}

/// What is left of a text of which a method makes another one: its beginning, where that is what is filled in, and up to
/// what is replaced.
fn kept(text: &str, tokens: &[Token]) -> Value {
    let known = match tokens {
        [_, Token::Sign('.'), Token::Name(name), Token::Sign('('), Token::Text(from), ..]
            if matches!(name.as_str(), "replace" | "replaceAll" | "sub" | "gsub") =>
        {
            text.split_once(from.as_str()).map_or(text, |(known, _)| known)
        }
        [_, Token::Sign('.'), Token::Name(name), ..] if !changes(name) => {
            return Value::Text(beginning(text));
        }
        _ => return Value::Unknown,
    };
    Value::Text(format!("{known}{HOLE}"))
}

/// Whether a method makes a text of another one of which nothing is left as it was.
fn changes(name: &str) -> bool {
    const CHANGES: &[&str] = &[
        "replace",
        "replaceAll",
        "sub",
        "gsub",
        "reverse",
        "slice",
        "substring",
        "substr",
        "charAt",
        "at",
        "tr",
        "translate",
        "split",
        "rsplit",
        "partition",
        "unpack",
        "unpack1",
        "swapcase",
        "chars",
        "sub!",
        "map",
        "match",
        "scan",
    ];
    CHANGES.contains(&name)
}

/// What a method makes of what it is called on, which is as good as that where files are listed or lines are read.
fn same(of: Value, method: &str, given: &[Value]) -> Value {
    let is_taken = |text: &str| !text.contains([LISTED, READ]);
    match (method, of) {
        ("lower" | "toLowerCase", Value::Text(text)) if is_taken(&text) => {
            Value::Text(text.to_lowercase())
        }
        ("reverse" | "slice", Value::Text(text)) if is_taken(&text) => Value::Unknown,
        ("reverse", Value::List(items)) => Value::List(items.into_iter().rev().collect()),
        ("slice", Value::List(items)) => match given {
            [Value::Text(from)] => match from.parse::<usize>() {
                Ok(from) => Value::List(items.into_iter().skip(from).collect()),
                Err(_) => Value::List(items),
            },
            _ => Value::List(items),
        },
        (_, of) => of,
    }
}

/// What a function makes of its arguments that needs to know nothing else.
fn made(name: &str, values: Vec<Value>) -> Value {
    let first = values.first().unwrap_or(&Value::Unknown);
    match name {
        _ if GLOBS.contains(&name) => match first {
            Value::Text(text) => pattern(text),
            Value::List(items) => {
                let patterns = items.iter().map(|item| match item {
                    Value::Text(text) => pattern(text),
                    _ => Value::Unknown,
                });
                Value::List(patterns.collect())
            }
            _ => Value::Text(format!("{HOLE}{LISTED}")),
        },
        _ if LISTS.contains(&name) => Value::Text(LISTED.to_string()),
        "b64decode" | "decode64" | "strict_decode64" | "urlsafe_b64decode"
        | "standard_b64decode" | "base64_decode" | "decode_base64" | "atob" => {
            decoded("base64", first)
        }
        "fromhex" | "unhexlify" | "hex2bin" | "a2b_hex" => decoded("hex", first),
        "decode" => match values.as_slice() {
            [text, Value::Text(form)] => decoded(form, text),
            _ => Value::Unknown,
        },
        "pack" => match values.as_slice() {
            [Value::Text(form), text] if form == "H*" => decoded("hex", text),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}
