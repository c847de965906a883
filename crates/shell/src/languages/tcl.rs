//! What scripts of Tcl run and do with files. Its code is words, as that of a shell is, and not calls: it is followed word by
//! word, with the values of its variables where these are constant. Knows the commands of Tcl and Expect. Sources:
//! <https://www.tcl-lang.org/man/tcl8.6/TclCmd/>, <https://core.tcl-lang.org/expect/>.

use std::collections::{HashMap, HashSet};

use super::effects::{asks_shell, emptied, files, piped, say};
use super::line::{self, Line, MAX_LINES};
use super::tcl_values::{self, Piece};
use super::value::{self, Value};
use crate::decode;
use crate::hole::{COMPUTED, HOLE, LISTED};

/// Scripts stand in scripts, so deep.
const MAX_DEPTH: u32 = 12;

/// So many commands are followed.
const MAX_STEPS: u32 = 4_096;

/// A loop over more items than this is followed once.
const MAX_ITEMS: usize = 16;

/// Commands all of whose words in braces are scripts.
const BLOCKS: &[&str] = &[
    "if",
    "while",
    "for",
    "catch",
    "try",
    "time",
    "after",
    "namespace",
    "switch",
    "expect",
    "interact",
    "uplevel",
    "dict",
    "bind",
    "coroutine",
    "else",
    "elseif",
    "trap",
    "finally",
];

/// Commands that make a text of texts, and nothing else.
const MAKING: &[&str] = &[
    "string", "format", "regsub", "binary", "encoding", "lreverse", "lrange", "lindex", "lsort",
    "split", "scan", "subst", "expr", "join", "list", "concat", "lmap", "dict", "lrepeat",
];

/// Returns what a script does, in the order of its commands.
pub fn lines(code: &str) -> Vec<Line> {
    let mut reader = Reader::default();
    reader.script(code, 0);
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Line>,
    /// What variables hold; what is not constant is not there.
    variables: HashMap<String, String>,
    procedures: HashMap<String, (String, String)>,
    /// Other names of commands.
    aliases: HashMap<String, String>,
    /// The files that were opened and written to.
    written: HashSet<String>,
    /// The program that was started to be talked to.
    spawned: Option<String>,
    steps: u32,
}

impl Reader {
    fn script(&mut self, code: &str, depth: u32) -> String {
        let mut last = String::new();
        if depth > MAX_DEPTH {
            say(line::opaque(), &mut self.found);
            return last;
        }
        for command in tcl_values::commands(code) {
            self.steps += 1;
            if self.steps > MAX_STEPS || self.found.len() >= MAX_LINES {
                say(line::opaque(), &mut self.found);
                return last;
            }
            let mut words = Vec::new();
            for word in tcl_values::words(command) {
                let text = self.word(&word.pieces, depth);
                match word.is_spread && !text.contains([HOLE, COMPUTED]) {
                    true => words.extend(tcl_values::list(&text)),
                    false => words.push(text),
                }
            }
            last = self.command(&words, depth);
        }
        last
    }

    /// The text of a word.
    fn word(&mut self, pieces: &[Piece<'_>], depth: u32) -> String {
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(own) => text.push_str(own),
                Piece::Variable(name) => match self.variables.get(*name) {
                    Some(value) => text.push_str(value),
                    None => text.push(HOLE),
                },
                Piece::Command(code) => text.push_str(&self.script(code, depth + 1)),
            }
        }
        text.truncate(text.floor_char_boundary(1 << 14));
        text
    }

    /// Follows a command. Returns what it returns.
    fn command(&mut self, words: &[String], depth: u32) -> String {
        let Some((name, rest)) = words.split_first() else { return String::new() };
        let name = self.aliases.get(name).cloned().unwrap_or_else(|| name.clone());
        let name = name.strip_prefix("::").unwrap_or(&name);
        if name.contains(COMPUTED) {
            say(line::opaque(), &mut self.found);
            return HOLE.to_string();
        }
        let texts: Vec<&str> = rest.iter().map(String::as_str).collect();
        if !matches!(name, "set" | "close") {
            let opened = rest.iter().filter(|word| word.starts_with(OPENED));
            self.written.extend(opened.cloned());
        }
        match (name, texts.as_slice()) {
            ("set", [name, value]) => return self.set(name, value),
            ("set", [name]) => return self.variables.get(*name).cloned().unwrap_or(HOLE.into()),
            ("append" | "lappend", [own, values @ ..]) => {
                let between = if name == "lappend" { " " } else { "" };
                let before = self.variables.get(*own).cloned().unwrap_or_default();
                let all: Vec<&str> =
                    std::iter::once(before.as_str()).chain(values.iter().copied()).collect();
                let all = all.join(between);
                return self.set(own, all.trim_start());
            }
            ("exec", words) => self.exec(words),
            ("spawn", words) => {
                let words = without_flags(words);
                self.exec(&words);
                self.spawned = Some(words.join(" "));
            }
            ("send" | "exp_send", [.., text]) => {
                if let Some(spawned) = self.spawned.clone() {
                    piped(text.trim_end_matches(['\r', '\n']), &spawned, &mut self.found);
                }
            }
            ("system", words) => asks_shell(&words.join(" "), &mut self.found),
            ("file", words) => return self.file(words),
            ("open", [path, ..]) if path.starts_with('|') => {
                asks_shell(path.trim_start_matches('|'), &mut self.found);
            }
            ("open", [path, mode, ..]) if mode.contains(['w', 'a', '+']) => {
                let file = Value::Text((*path).to_owned());
                files(">", [&file], false, &mut self.found);
                return match mode.starts_with('w') {
                    true => format!("{OPENED}{path}"),
                    false => HOLE.to_string(),
                };
            }
            ("open", [path] | [path, "r"]) => {
                let file = Value::Text((*path).to_owned());
                files("<", [&file], false, &mut self.found);
            }
            ("close", [opened]) => {
                if let Some(path) =
                    opened.strip_prefix(OPENED).filter(|_| !self.written.contains(*opened))
                {
                    emptied(&Value::Text(path.to_owned()), &mut self.found);
                }
            }
            ("source", [path]) => asks_shell(&format!("tclsh '{path}'"), &mut self.found),
            ("eval", words) => return self.run(&words.join(" "), depth),
            ("subst", [.., text]) => {
                let word = tcl_values::quoted(text);
                return self.word(&word, depth + 1);
            }
            ("interp", ["alias", _, own, _, target]) => {
                self.aliases.insert((*own).to_owned(), (*target).to_owned());
            }
            ("rename", [own, other]) => {
                self.aliases.insert((*other).to_owned(), (*own).to_owned());
            }
            ("proc", [name, parameters, body]) => {
                let own = ((*parameters).to_owned(), (*body).to_owned());
                self.procedures.insert((*name).to_owned(), own);
            }
            ("foreach", [name, items, body]) => self.each(name, items, body, depth),
            ("glob", words) => return listed(&without_flags(words)),
            (name, words) if BLOCKS.contains(&name) => self.blocks(words, depth),
            (name, words) => {
                if self.procedures.contains_key(name) {
                    return self.call(name, words, depth);
                }
                return made(name, words);
            }
        }
        HOLE.to_string()
    }

    fn set(&mut self, name: &str, value: &str) -> String {
        self.variables.insert(name.to_owned(), value.to_owned());
        value.to_owned()
    }

    /// A text that is run as a script.
    fn run(&mut self, code: &str, depth: u32) -> String {
        let first = code.split_whitespace().next().unwrap_or_default();
        if first.contains([HOLE, COMPUTED]) {
            say(line::opaque(), &mut self.found);
            return HOLE.to_string();
        }
        self.script(code, depth + 1)
    }

    /// Scripts of which nobody knows whether they run: what they set is not certain behind them.
    fn blocks(&mut self, words: &[&str], depth: u32) {
        let before = self.variables.clone();
        for word in words {
            if word.contains([' ', '\n']) || self.procedures.contains_key(*word) {
                self.script(word, depth + 1);
            }
        }
        self.variables.retain(|name, value| before.get(name) == Some(value));
    }

    fn each(&mut self, name: &str, items: &str, body: &str, depth: u32) {
        let values = match items.contains([HOLE, COMPUTED, LISTED]) {
            true => vec![items.to_owned()],
            false => tcl_values::list(items),
        };
        let values = if values.len() > MAX_ITEMS { vec![HOLE.to_string()] } else { values };
        for value in values {
            self.set(name, &value);
            self.script(body, depth + 1);
        }
        self.variables.remove(name);
    }

    /// A procedure that is called: its parameters are set, and nothing of what it sets stays.
    fn call(&mut self, name: &str, words: &[&str], depth: u32) -> String {
        let Some((parameters, body)) = self.procedures.get(name).cloned() else {
            return String::new();
        };
        let before = std::mem::take(&mut self.variables);
        for (number, parameter) in tcl_values::list(&parameters).iter().enumerate() {
            let own = parameter.split_whitespace().next().unwrap_or(parameter);
            let value = match words.get(number) {
                Some(_) if own == "args" => words.get(number..).unwrap_or_default().join(" "),
                Some(word) => (*word).to_owned(),
                None => parameter.split_once(' ').map_or(HOLE.to_string(), |(_, it)| it.to_owned()),
            };
            self.set(own, &value);
        }
        let last = self.script(&body, depth + 1);
        self.variables = before;
        last
    }

    /// `exec ?-flags? program words | program >file`
    fn exec(&mut self, words: &[&str]) {
        let words = without_flags(words);
        let Some(first) = words.first() else { return };
        if first.contains([HOLE, COMPUTED]) && !first.contains('/') {
            return say(line::opaque(), &mut self.found);
        }
        let (mut text, mut given) = (String::new(), None);
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match *word {
                "<<" => given = rest.next(),
                "|" | "|&" | "&" | ">" | ">>" | "<" | "2>" | ">&" | ">>&" => text.push_str(word),
                word => text.push_str(&shell_word(word)),
            }
            text.push(' ');
        }
        match given {
            Some(given) => piped(given, text.trim_end(), &mut self.found),
            None => self.found.push(Line { text: text.trim_end().to_owned() }),
        }
    }

    fn file(&mut self, words: &[&str]) -> String {
        let Some((how, rest)) = words.split_first() else { return String::new() };
        let is_forced = rest.contains(&"-force");
        let paths = without_flags(rest);
        let before = match *how {
            "delete" if is_forced => "rm -rf --",
            "delete" => "rm --",
            "rename" => "mv --",
            "copy" => "cp -r --",
            "mkdir" => "mkdir -p --",
            "join" => return paths.join("/"),
            _ => return HOLE.to_string(),
        };
        let values: Vec<Value> = paths.iter().map(|path| Value::Text((*path).to_owned())).collect();
        let is_listed = values.iter().any(Value::is_listed);
        match *how {
            "delete" if is_listed => {
                for value in &values {
                    super::effects::removed(before, [value], is_forced, &mut self.found);
                }
            }
            _ => files(before, values.iter(), is_forced, &mut self.found),
        }
        String::new()
    }
}

/// Stands before the path of a file that has been opened to be written.
const OPENED: char = '\u{2}';

/// The words behind the flags of a command.
fn without_flags<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut rest = words;
    while let [first, behind @ ..] = rest
        && first.starts_with('-')
        && first.len() > 1
    {
        rest = behind;
        if *first == "--" {
            break;
        }
        if *first == "-directory" {
            rest = behind.get(1..).unwrap_or_default();
        }
    }
    rest.to_vec()
}

/// What a pattern of files lists.
fn listed(patterns: &[&str]) -> String {
    match patterns {
        [pattern] => value::pattern(pattern).text().unwrap_or_default().to_owned(),
        _ => LISTED.to_string(),
    }
}

/// What a command makes of constant texts; a sign for what is computed where nobody here follows it.
fn made(name: &str, words: &[&str]) -> String {
    if !MAKING.contains(&name) || words.iter().any(|word| word.contains([HOLE, LISTED])) {
        return HOLE.to_string();
    }
    let known = match (name, words) {
        ("string", ["reverse", text]) => Some(text.chars().rev().collect()),
        ("string", ["cat", texts @ ..]) => Some(texts.concat()),
        ("string", ["tolower", text]) => Some(text.to_lowercase()),
        ("string", ["trim", text]) => Some(text.trim().to_owned()),
        ("string", ["range" | "length" | "index" | "first" | "compare" | "equal", ..]) => None,
        ("join", [items]) => Some(tcl_values::list(items).join(" ")),
        ("join", [items, between]) => Some(tcl_values::list(items).join(between)),
        ("list" | "concat", texts) => Some(texts.join(" ")),
        ("lindex", [items, at]) => {
            at.parse().ok().and_then(|at: usize| tcl_values::list(items).into_iter().nth(at))
        }
        ("binary", ["decode", "base64", text]) => decode::base64(text),
        ("binary", ["decode", "hex", text]) => decode::hexadecimal(text),
        ("binary", ["format", "H*", text]) => decode::hexadecimal(text),
        ("format", ["%s%s", one, other]) => Some(format!("{one}{other}")),
        // A number.
        ("expr", _) => return HOLE.to_string(),
        _ => None,
    };
    known.unwrap_or_else(|| COMPUTED.to_string())
}

/// A word as a shell would have it.
fn shell_word(word: &str) -> String {
    let text = word.replace([LISTED, COMPUTED], "\u{FDD0}");
    match text.contains(HOLE) {
        true => format!("\"{}\"", text.replace(['"', '\\', '`', '$'], "")),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}
