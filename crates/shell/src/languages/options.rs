//! Options that code declares for the words behind it, by the signs of `argparse`, `click` and `typer`, and of `parseArgs` and
//! `minimist` in JavaScript. Knows no values.

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
    /// How the words call that a switch is off: `--no-dry-run`.
    pub negations: Vec<String>,
    /// What it is unless the words say so.
    pub default: Vec<Token>,
    /// Whether a parameter of a function has its value.
    pub is_parameter: bool,
}

impl Declared {
    /// Takes up how the words call it: `--dry-run`, or `--dry-run/--no-dry-run`.
    fn take_flag(&mut self, text: &str) {
        let mut parts = text.split('/').map(|part| part.trim().to_owned());
        self.flags.extend(parts.next());
        self.negations.extend(parts.filter(|part| part.starts_with('-')));
    }

    /// Has each of its long flags taken back by the one that says so.
    fn negate_all(&mut self) {
        let long = self.flags.iter().filter_map(|flag| flag.strip_prefix("--"));
        let negations: Vec<String> = long.map(|name| format!("--no-{name}")).collect();
        self.negations.extend(negations);
    }
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
        if language == Language::JavaScript {
            options.take_parsed(tokens);
            return options;
        }
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
        options.takes_others |= gives_words(tokens);
        options.take_parameters(tokens);
        for (at, token) in tokens.iter().enumerate() {
            if matches!(token, Token::Name(name) if name == "set_defaults") {
                options.set_defaults(tokens, at);
            }
        }
        options
    }

    /// `parseArgs({ options: { out: { type: "string", short: "o", default: "src" } } })`, and the fields of what `minimist`
    /// and its like return.
    fn take_parsed(&mut self, tokens: &[Token]) {
        const ANY: [&str; 5] = ["minimist", "mri", "yargs", "yargsParser", "parseArgv"];
        let mut any = HashSet::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Name(name) if name == "parseArgs" => self.take_parse_args(tokens, at),
                // What the library is asked for by its name is no name of its own.
                Token::Name(name) if ANY.contains(&name.as_str()) => {
                    any.extend(set_before(tokens, at));
                }
                Token::Text(name) if ANY.contains(&name.as_str()) => {
                    let is_called = tokens.get(at + 1) == Some(&Token::Sign(')'))
                        && tokens.get(at + 2) == Some(&Token::Sign('('));
                    any.extend(set_before(tokens, at).filter(|_| is_called));
                }
                _ => {}
            }
        }
        for window in tokens.windows(3) {
            if let [Token::Name(of), Token::Sign('.'), Token::Name(field)] = window
                && any.contains(of)
                && self.declared.len() < MAX
            {
                let flags = vec![format!("--{field}")];
                let own = Declared { flags, takes_value: true, ..Declared::default() };
                self.declared.entry(field.clone()).or_insert(own);
            }
        }
        self.kept.extend(any);
    }

    fn take_parse_args(&mut self, tokens: &[Token], at: usize) {
        let inner = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close));
        let inner = inner.unwrap_or_default();
        // Words of its own, or those behind it, as they are.
        self.takes_others |= split(inner, &[',']).iter().any(|part| {
            let part = trimmed(part.strip_prefix(&[Token::Sign('{')]).unwrap_or(part));
            matches!(part, [Token::Name(args), rest @ ..] if args == "args" && !are_usual(rest))
        });
        let Some(at) = inner.windows(3).position(|window| {
            matches!(window, [Token::Name(name), Token::Sign(':'), Token::Sign('{')] if name == "options")
        }) else {
            return;
        };
        let fields = closing(inner, at + 2).and_then(|close| inner.get(at + 3..close));
        for part in split(fields.unwrap_or_default(), &[',']) {
            let [
                Token::Name(name) | Token::Text(name),
                Token::Sign(':'),
                Token::Sign('{'),
                said @ ..,
                Token::Sign('}'),
            ] = trimmed(part)
            else {
                continue;
            };
            let mut own = Declared { flags: vec![format!("--{name}")], ..Declared::default() };
            for field in split(said, &[',']) {
                match trimmed(field) {
                    [Token::Name(key), Token::Sign(':'), Token::Text(kind)] if key == "type" => {
                        own.takes_value = kind == "string";
                        own.is_switch = kind == "boolean";
                    }
                    [Token::Name(key), Token::Sign(':'), Token::Text(short)] if key == "short" => {
                        own.flags.push(format!("-{short}"));
                    }
                    [Token::Name(key), Token::Sign(':'), value @ ..]
                        if key == "default" && value.len() <= MAX_USUAL =>
                    {
                        own.default = value.to_vec();
                    }
                    _ => {}
                }
            }
            if own.is_switch {
                own.negate_all();
            }
            if self.declared.len() < MAX {
                self.declared.entry(name.clone()).or_insert(own);
            }
        }
        self.kept.insert("values".to_owned());
    }

    /// The parameters of functions that are commands of `typer`: `def clean(out: str = typer.Option("src", "--out"))`.
    fn take_parameters(&mut self, tokens: &[Token]) {
        let is_word =
            |token: &Token, word: &str| matches!(token, Token::Name(name) if name == word);
        if !tokens.iter().any(|token| is_word(token, "typer")) {
            return;
        }
        let run = tokens.windows(5).filter_map(|window| match window {
            [typer, Token::Sign('.'), run, Token::Sign('('), Token::Name(function)]
                if is_word(typer, "typer") && is_word(run, "run") =>
            {
                Some(function.as_str())
            }
            _ => None,
        });
        let run: HashSet<&str> = run.collect();
        let mut commands = 0_u32;
        for (at, window) in tokens.windows(3).enumerate() {
            let [def, Token::Name(function), Token::Sign('(')] = window else { continue };
            let before = tokens.get(at.saturating_sub(MAX_USUAL)..at).unwrap_or_default();
            let line = split(before, &['\n']).into_iter().rev().find(|line| !line.is_empty());
            let is_offered = line.is_some_and(|line| {
                line.first() == Some(&Token::Sign('@'))
                    && line.iter().any(|it| is_word(it, "command"))
            });
            if !is_word(def, "def") || !(is_offered || run.contains(function.as_str())) {
                continue;
            }
            commands += 1;
            let inner = closing(tokens, at + 2).and_then(|close| tokens.get(at + 3..close));
            let mut places = 0;
            for part in split(inner.unwrap_or_default(), &[',']) {
                self.take_parameter(trimmed(part), &mut places);
            }
        }
        self.has_commands |= commands > 1;
    }

    fn take_parameter(&mut self, part: &[Token], places: &mut usize) {
        let Some((Token::Name(name), rest)) = part.split_first() else { return };
        let at = rest.iter().position(|token| *token == Token::Sign('='));
        let kind = rest.get(..at.unwrap_or(rest.len())).unwrap_or_default();
        let usual = at.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
        let is_switch =
            kind.iter().any(|token| matches!(token, Token::Name(kind) if kind == "bool"));
        let mut own = Declared {
            takes_value: !is_switch,
            is_switch,
            is_parameter: true,
            ..Declared::default()
        };
        let flag = || format!("--{}", name.replace('_', "-"));
        match usual {
            [
                Token::Name(typer),
                Token::Sign('.'),
                Token::Name(sort),
                Token::Sign('('),
                said @ ..,
                Token::Sign(')'),
            ] if typer == "typer" => {
                let parts = split(said, &[',']);
                for part in &parts {
                    if let [Token::Text(text)] = trimmed(part)
                        && text.starts_with('-')
                    {
                        own.take_flag(text);
                    }
                }
                let first = parts.first().map(|part| trimmed(part)).unwrap_or_default();
                if !matches!(
                    first,
                    [] | [Token::Sign('.'), ..] | [Token::Name(_), Token::Sign('='), ..]
                ) {
                    own.default = first.to_vec();
                }
                if own.flags.is_empty() && sort == "Option" {
                    own.flags.push(flag());
                }
            }
            [] => {}
            usual => {
                own.flags.push(flag());
                own.default = usual.to_vec();
            }
        }
        // Each switch of it has a flag that takes it back, but where the flags are written out.
        if own.is_switch && own.flags.iter().eq([&flag()]) && own.negations.is_empty() {
            own.negate_all();
        }
        if own.flags.is_empty() {
            own.place = *places;
            *places += 1;
        }
        if own.default.len() <= MAX_USUAL && self.declared.len() < MAX {
            self.declared.entry(name.clone()).or_insert(own);
        }
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
        let (mut own, mut field, mut negates) = (Declared::default(), None, false);
        (own.takes_value, own.is_parameter) = (true, name != "add_argument");
        for part in split(inner, &[',']) {
            match trimmed(part) {
                [Token::Text(flag)] if flag.starts_with('-') => own.take_flag(flag),
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
                    ("action", [.., Token::Name(action)]) if action == "BooleanOptionalAction" => {
                        (own.takes_value, own.is_switch, negates) = (false, true, true);
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
        if negates {
            own.negate_all();
        }
        if !own.negations.is_empty() {
            (own.takes_value, own.is_switch) = (false, true);
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

/// Whether code may call a function that takes options with words of its own: `main(["--out", "x"])`.
fn gives_words(tokens: &[Token]) -> bool {
    const CALLING: [&str; 4] = ["callback", "invoke", "CliRunner", "standalone_mode"];
    let declares = |token: &Token| matches!(token, Token::Name(word) if matches!(word.as_str(), "click" | "typer"));
    let gives = |window: &[Token]| match window {
        [Token::Name(def), Token::Sign('('), Token::Sign('[')] => def != "print",
        [Token::Sign('('), Token::Name(args), Token::Sign('=')] => args == "args",
        [Token::Name(word), ..] => CALLING.contains(&word.as_str()),
        _ => false,
    };
    tokens.iter().any(declares) && tokens.windows(3).any(gives)
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

/// The name that a statement sets in which a token stands.
fn set_before(tokens: &[Token], at: usize) -> Option<String> {
    const MAX_BEFORE: usize = 8;
    let before = tokens.get(at.saturating_sub(MAX_BEFORE)..at)?;
    let ends = |token: &Token| matches!(token, Token::Sign('\n' | ';'));
    let from = before.iter().rposition(ends).map_or(0, |end| end + 1);
    let is_declared = |token: &Token| matches!(token, Token::Name(word) if matches!(word.as_str(), "const" | "let" | "var"));
    let rest = before.get(from..)?;
    let rest = rest.strip_prefix(
        rest.get(..1).filter(|first| first.iter().all(is_declared)).unwrap_or_default(),
    )?;
    match rest {
        [Token::Name(name), Token::Sign('='), ..] => Some(name.clone()),
        _ => None,
    }
}

/// Whether what stands behind the name of a field is `: process.argv.slice(2)`.
fn are_usual(behind: &[Token]) -> bool {
    let name = |token: &Token, name: &str| matches!(token, Token::Name(own) if own == name);
    match behind {
        [Token::Sign(':'), process, Token::Sign('.'), argv, Token::Sign('.'), slice, ..] => {
            name(process, "process") && name(argv, "argv") && name(slice, "slice")
        }
        _ => false,
    }
}
