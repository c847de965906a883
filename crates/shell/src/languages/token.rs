//! Code as tokens: names, constant texts, signs. Comments are gone. Fails on nothing: what is not understood is a sign.

use super::language::Language;
use super::parts::split;
use crate::hole::{COMPUTED, HOLE};

/// How far is looked for the end of what is put into a text, or of a regular expression, in characters.
const MAX_LOOK: usize = 1_024;

/// What a pattern of Perl is called that changes what it is used on.
pub const REWRITES: &str = "rewrites";

/// Values are put into texts that are put into texts, so deep.
const MAX_DEPTH: u32 = 3;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name, a keyword or a number.
    Name(String),
    /// A constant text, with holes for what is put into it.
    Text(String),
    /// A text that code puts values into.
    Filled(Template),
    /// A text that is run: `` `…` `` in several languages.
    Command(Template),
    /// Words that are a list: `qw(…)`, `%w[…]`.
    Words(Vec<String>),
    /// Any other sign; a line break is one.
    Sign(char),
}

/// A text with values put into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// The text, with a hole for each of them.
    pub text: String,
    /// The code of each value; none where it is not read.
    pub values: Vec<Vec<Token>>,
}

/// How a language writes comments and texts.
pub struct Syntax {
    language: Language,
    comments: &'static [&'static str],
    block: Option<(&'static str, &'static str)>,
    quotes: &'static [Quote],
}

/// A way to write a text.
struct Quote {
    open: &'static str,
    close: &'static str,
    /// Whether a backslash means something before other signs than itself and the quote.
    has_escapes: bool,
    hole: Hole,
    is_command: bool,
    /// Whether the numbers of characters are decimal ones.
    is_decimal: bool,
}

/// What stands in a text for a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hole {
    None,
    /// Behind this sign in braces, such as `${x}`.
    Braces(char),
    /// A name behind `$` or `@`, or anything in braces there.
    Names,
}

const fn quote(mark: &'static str, has_escapes: bool, hole: Hole) -> Quote {
    Quote { open: mark, close: mark, has_escapes, hole, is_command: false, is_decimal: false }
}

const fn command(hole: Hole) -> Quote {
    Quote { open: "`", close: "`", has_escapes: true, hole, is_command: true, is_decimal: false }
}

const PYTHON: Syntax = Syntax {
    language: Language::Python,
    comments: &["#"],
    block: None,
    quotes: &[
        quote("\"\"\"", true, Hole::None),
        quote("'''", true, Hole::None),
        quote("\"", true, Hole::None),
        quote("'", true, Hole::None),
    ],
};
const JAVASCRIPT: Syntax = Syntax {
    language: Language::JavaScript,
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: &[
        quote("\"", true, Hole::None),
        quote("'", true, Hole::None),
        quote("`", true, Hole::Braces('$')),
    ],
};
const PERL: Syntax = Syntax {
    language: Language::Perl,
    comments: &["#"],
    block: None,
    quotes: &[quote("\"", true, Hole::Names), quote("'", false, Hole::None), command(Hole::Names)],
};
const RUBY: Syntax = Syntax {
    language: Language::Ruby,
    comments: &["#"],
    block: None,
    quotes: &[
        quote("\"", true, Hole::Braces('#')),
        quote("'", false, Hole::None),
        command(Hole::Braces('#')),
    ],
};
const PHP: Syntax = Syntax {
    language: Language::Php,
    comments: &["//", "#"],
    block: Some(("/*", "*/")),
    quotes: &[quote("\"", true, Hole::Names), quote("'", false, Hole::None), command(Hole::Names)],
};
const LUA: Syntax = Syntax {
    language: Language::Lua,
    comments: &["--"],
    block: Some(("--[[", "]]")),
    quotes: &[
        Quote {
            open: "[[",
            close: "]]",
            has_escapes: false,
            hole: Hole::None,
            is_command: false,
            is_decimal: false,
        },
        Quote { is_decimal: true, ..quote("\"", true, Hole::None) },
        Quote { is_decimal: true, ..quote("'", true, Hole::None) },
    ],
};
const AWK: Syntax = Syntax {
    language: Language::Awk,
    comments: &["#"],
    block: None,
    quotes: &[quote("\"", true, Hole::None)],
};

const GO: Syntax = Syntax {
    language: Language::Go,
    comments: &["//"],
    block: Some(("/*", "*/")),
    quotes: &[
        quote("\"", true, Hole::None),
        quote("'", true, Hole::None),
        Quote {
            open: "`",
            close: "`",
            has_escapes: false,
            hole: Hole::None,
            is_command: false,
            is_decimal: false,
        },
    ],
};
const RUST: Syntax = Syntax {
    language: Language::Rust,
    comments: &["//"],
    block: Some(("/*", "*/")),
    // A quote alone begins the name of a lifetime.
    quotes: &[
        Quote {
            open: "'\"",
            close: "'",
            has_escapes: false,
            hole: Hole::None,
            is_command: false,
            is_decimal: false,
        },
        quote("\"", true, Hole::Braces('\0')),
    ],
};

const C: Syntax = Syntax { language: Language::C, ..GO };
const JAVA: Syntax = Syntax { language: Language::Java, ..GO };

/// Returns how a language writes; `None` where it is not known.
pub fn syntax(language: Language) -> Option<&'static Syntax> {
    Some(match language {
        Language::Unknown | Language::Make | Language::Cron => return None,
        Language::Just | Language::Task | Language::Package | Language::Tcl => return None,
        Language::Python => &PYTHON,
        Language::JavaScript => &JAVASCRIPT,
        Language::Perl => &PERL,
        Language::Ruby => &RUBY,
        Language::Php => &PHP,
        Language::Lua => &LUA,
        Language::Awk => &AWK,
        Language::Go => &GO,
        Language::Rust => &RUST,
        Language::C => &C,
        Language::Java => &JAVA,
    })
}

/// Code as tokens.
#[derive(Debug, Default)]
pub struct Code {
    pub tokens: Vec<Token>,
    /// How far the line of each token is indented, in characters.
    pub indents: Vec<u32>,
}

/// Returns the tokens of code.
pub fn tokens(syntax: &Syntax, code: &str) -> Code {
    nested(syntax, code, 0)
}

/// Returns the tokens of code that so many texts are around.
fn nested(syntax: &Syntax, code: &str, depth: u32) -> Code {
    let mut lexer = Lexer { syntax, rest: code, found: Vec::new(), depth };
    let indent = |rest: &str| {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        rest.bytes().take_while(blank).count() as u32
    };
    let (mut indents, mut own) = (Vec::new(), indent(code));
    while lexer.step() {
        if lexer.found.len() == indents.len() {
            continue;
        }
        indents.resize(lexer.found.len(), own);
        if lexer.found.last() == Some(&Token::Sign('\n')) {
            own = indent(lexer.rest);
        }
    }
    Code { tokens: lexer.found, indents }
}

struct Lexer<'c> {
    syntax: &'c Syntax,
    rest: &'c str,
    found: Vec<Token>,
    /// How many texts are around the code.
    depth: u32,
}

impl<'c> Lexer<'c> {
    /// Takes one token; `false` at the end.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        if self.comment()
            || self.pattern(first)
            || self.words(first)
            || self.text()
            || self.regex(first)
        {
            return true;
        }
        if is_name(first) {
            self.name();
            return true;
        }
        if self.dollar() {
            return true;
        }
        self.rest = self.rest.get(first.len_utf8()..).unwrap_or_default();
        if !first.is_whitespace() || first == '\n' {
            self.found.push(Token::Sign(first));
        }
        true
    }

    fn comment(&mut self) -> bool {
        if let Some((open, close)) = self.syntax.block
            && let Some(behind) = self.rest.strip_prefix(open)
        {
            self.rest = behind.split_once(close).map_or("", |(_, rest)| rest);
            return true;
        }
        // `$#list` and `#` in a word are none.
        let is_free = !matches!(self.found.last(), Some(Token::Sign('$')));
        if !is_free || !self.syntax.comments.iter().any(|mark| self.rest.starts_with(mark)) {
            return false;
        }
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = self.rest.get(end..).unwrap_or_default();
        true
    }

    fn name(&mut self) {
        let is_script = self.syntax.language == Language::JavaScript;
        let ends = |c| !(is_name(c) || is_script && c == '$');
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        // Letters before a quote say how to read the text.
        let is_prefix = self.syntax.language == Language::Python
            && name.len() <= 2
            && rest.starts_with(['"', '\''])
            && name.bytes().all(|byte| b"rRbBuUfF".contains(&byte));
        self.rest = rest;
        if is_prefix {
            let lower = name.to_ascii_lowercase();
            let hole = if lower.contains('f') { Hole::Braces('\0') } else { Hole::None };
            let found = self.syntax.quotes.iter().find(|quote| self.rest.starts_with(quote.open));
            if let Some(quote) = found {
                let has_escapes = !lower.contains('r');
                return self.read(&Quote { has_escapes, hole, ..*quote });
            }
        }
        self.found.push(Token::Name(name.to_owned()));
    }

    /// `$` of JavaScript, which is a name where no other follows.
    fn dollar(&mut self) -> bool {
        let behind = self.rest.trim_start_matches('$');
        let is_alone = behind.len() < self.rest.len() && !behind.starts_with(is_name);
        if self.syntax.language != Language::JavaScript || !is_alone {
            return false;
        }
        let name = self.rest.get(..self.rest.len() - behind.len()).unwrap_or_default();
        self.found.push(Token::Name(name.to_owned()));
        self.rest = behind;
        true
    }

    fn text(&mut self) -> bool {
        let found = self.syntax.quotes.iter().find(|quote| self.rest.starts_with(quote.open));
        found.map(|quote| self.read(quote)).is_some()
    }

    /// `m/…/`, `s/…/…/`, `tr/…/…/`, `qr/…/` of Perl, which may hold names and quotes.
    fn pattern(&mut self, first: char) -> bool {
        let is_letter = matches!(first, 'm' | 's' | 't' | 'y' | 'q');
        let is_field = matches!(self.found.last(), Some(Token::Sign('$' | '@' | '%' | '-' | '>')));
        if self.syntax.language != Language::Perl || !is_letter || is_field {
            return false;
        }
        let found = [("qr", 1), ("tr", 2), ("m", 1), ("s", 2), ("y", 2)].iter().find_map(
            |(mark, parts)| {
                let behind = self.rest.strip_prefix(mark)?;
                behind.starts_with(['/', '{', '|', '!', '#']).then_some((behind, *parts))
            },
        );
        let Some((behind, parts)) = found else { return false };
        let open = behind.chars().next().unwrap_or('/');
        let close = if open == '{' { '}' } else { open };
        let mut rest = behind.get(1..).unwrap_or_default();
        let mut last = "";
        for part in 0..parts {
            if part > 0 && open == '{' {
                rest = rest.trim_start().strip_prefix('{').unwrap_or(rest);
            }
            let mut is_escaped = false;
            let end = rest.char_indices().take(MAX_LOOK).find(|(_, sign)| {
                let is_end = *sign == close && !is_escaped;
                is_escaped = *sign == '\\' && !is_escaped;
                is_end
            });
            let Some((end, _)) = end else { return false };
            last = rest.get(..end).unwrap_or_default();
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        self.rest = rest.trim_start_matches(|sign: char| sign.is_ascii_lowercase());
        let flags = rest.get(..rest.len() - self.rest.len()).unwrap_or_default();
        let name = if parts == 2 { REWRITES } else { "regex" };
        self.found.push(Token::Name(name.to_owned()));
        // `s/a/f()/e`: what is put there is code.
        if first == 's' && parts == 2 && flags.contains('e') && self.depth < MAX_DEPTH {
            self.found.push(Token::Sign(';'));
            self.found.extend(nested(self.syntax, last, self.depth + 1).tokens);
            self.found.push(Token::Sign(';'));
        }
        true
    }

    /// `qw(…)`, `q{…}`, `qx(…)` of Perl, `%w[…]`, `%x(…)` of Ruby.
    fn words(&mut self, first: char) -> bool {
        let (marks, start): (&[&str], usize) = match (self.syntax.language, first) {
            (Language::Perl, 'q') => (&["qw", "qq", "qx", "q"], 0),
            (Language::Ruby, '%') => (&["w", "q", "Q", "x"], 1),
            _ => return false,
        };
        let is_name_before = matches!(self.found.last(), Some(Token::Sign('$' | '@' | '%' | '-')));
        let Some(rest) = self.rest.get(start..).filter(|_| !is_name_before) else { return false };
        let found = marks.iter().find_map(|mark| {
            let behind = rest.strip_prefix(mark)?;
            let open = behind.chars().next().filter(|c| "([{<|!/".contains(*c))?;
            Some((*mark, open, behind.get(open.len_utf8()..)?))
        });
        let Some((mark, open, behind)) = found else { return false };
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        let (text, rest) = behind.split_once(close).unwrap_or((behind, ""));
        self.rest = rest;
        self.found.push(match mark {
            "qw" | "w" => Token::Words(text.split_whitespace().map(str::to_owned).collect()),
            "qx" | "x" => Token::Command(self.with_holes(text)),
            "qq" | "Q" => filled(self.with_holes(text)),
            _ => Token::Text(text.to_owned()),
        });
        true
    }

    /// A regular expression of JavaScript, which may hold quotes.
    fn regex(&mut self, first: char) -> bool {
        let language = self.syntax.language;
        if !matches!(language, Language::JavaScript | Language::Perl | Language::Ruby)
            || first != '/'
        {
            return false;
        }
        let may_begin = match self.found.last() {
            None => true,
            Some(Token::Sign(sign)) => !matches!(sign, ')' | ']' | '}'),
            Some(Token::Name(name)) if language == Language::JavaScript => {
                matches!(name.as_str(), "return" | "typeof")
            }
            Some(Token::Name(name)) => matches!(
                name.as_str(),
                "if" | "unless"
                    | "and"
                    | "or"
                    | "not"
                    | "while"
                    | "until"
                    | "when"
                    | "split"
                    | "grep"
                    | "return"
            ),
            Some(_) => false,
        };
        let line = self.rest.get(1..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
        let mut is_escaped = false;
        let end = line.char_indices().take(MAX_LOOK).find(|(_, c)| {
            let is_end = *c == '/' && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            is_end
        });
        let Some((end, _)) = end.filter(|_| may_begin) else { return false };
        self.rest = self.rest.get(end + 2..).unwrap_or_default();
        // Its flags.
        self.rest = self.rest.trim_start_matches(|sign: char| sign.is_ascii_lowercase());
        self.found.push(Token::Name("regex".to_owned()));
        true
    }

    /// Takes a text in quotes.
    fn read(&mut self, quote: &Quote) {
        let mut rest = self.rest.get(quote.open.len()..).unwrap_or_default();
        let mut template = Template::default();
        loop {
            if let Some(behind) = rest.strip_prefix(quote.close) {
                rest = behind;
                break;
            }
            let Some(next) = rest.chars().next() else { break };
            let behind = rest.get(next.len_utf8()..).unwrap_or_default();
            rest = match next {
                '\\' => {
                    let behind = escaped(behind, quote, &mut template.text);
                    let is_hole = template.text.ends_with(HOLE);
                    template.values.extend(is_hole.then(Vec::new));
                    behind
                }
                _ => match hole(quote.hole, rest) {
                    Some(put) => self.put(&put, &mut template),
                    None => {
                        template.text.push(next);
                        // What is a hole already has no code.
                        template.values.extend((next == HOLE).then(Vec::new));
                        behind
                    }
                },
            };
        }
        self.rest = rest;
        self.found.push(match quote.is_command {
            true => Token::Command(template),
            false => filled(template),
        });
    }

    /// Puts a value into a text. Returns what stands behind it.
    fn put<'h>(&self, put: &Put<'h>, template: &mut Template) -> &'h str {
        template.text.push(put.sign);
        if put.sign == HOLE {
            let is_read = self.depth < MAX_DEPTH;
            let code = if is_read { put.code } else { "" };
            let mut code = nested(self.syntax, code, self.depth + 1).tokens;
            // `{x!r:>8}`: how it is written.
            if self.syntax.language == Language::Python {
                code.truncate(split(&code, &[':', '!']).first().map_or(0, |value| value.len()));
            }
            template.values.push(code);
        }
        put.rest
    }

    /// A text between delimiters of its own, with holes.
    fn with_holes(&self, text: &str) -> Template {
        let is_ruby = self.syntax.language == Language::Ruby;
        let kind = if is_ruby { Hole::Braces('#') } else { Hole::Names };
        let mut template = Template::default();
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            rest = match hole(kind, rest) {
                Some(put) => self.put(&put, &mut template),
                None => {
                    template.text.push(next);
                    template.values.extend((next == HOLE).then(Vec::new));
                    rest.get(next.len_utf8()..).unwrap_or_default()
                }
            };
        }
        template
    }
}

/// A text as a token; without values it is constant.
fn filled(template: Template) -> Token {
    match template.values.iter().all(Vec::is_empty) {
        true => Token::Text(template.text),
        false => Token::Filled(template),
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == HOLE
}

/// Takes what stands behind a backslash.
fn escaped<'c>(rest: &'c str, quote: &Quote, text: &mut String) -> &'c str {
    let Some(next) = rest.chars().next() else { return rest };
    match next {
        '\\' => text.push('\\'),
        '\n' if quote.has_escapes => {}
        other if rest.starts_with(quote.close) => text.push(other),
        'n' if quote.has_escapes => text.push('\n'),
        't' if quote.has_escapes => text.push('\t'),
        'x' if quote.has_escapes => return coded(rest, 1, 3, text),
        'u' if quote.has_escapes => return coded(rest, 1, 5, text),
        'U' if quote.has_escapes && rest.get(1..9).is_some_and(is_hexadecimal) => {
            return coded(rest, 1, 9, text);
        }
        // Of Python: a character by its name.
        'N' if quote.has_escapes && rest.starts_with("N{") => {
            text.push(COMPUTED);
            return rest.split_once('}').map_or("", |(_, behind)| behind);
        }
        '0'..='9' if quote.has_escapes => return in_octal(rest, quote.is_decimal, text),
        other if quote.has_escapes => text.push(other),
        other => text.extend(['\\', other]),
    }
    rest.get(next.len_utf8()..).unwrap_or_default()
}

fn is_hexadecimal(digits: &str) -> bool {
    digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Takes a character by its number, in hexadecimal digits, or as many as stand in braces.
fn coded<'c>(rest: &'c str, from: usize, to: usize, text: &mut String) -> &'c str {
    let braced = rest.get(from..).and_then(|behind| behind.strip_prefix('{')?.split_once('}'));
    let (digits, behind) = match braced {
        Some((digits, behind)) => (Some(digits), Some(behind)),
        None => (rest.get(from..to), rest.get(to..)),
    };
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match number.and_then(char::from_u32) {
        Some(character) => {
            text.push(character);
            behind.unwrap_or_default()
        }
        None => {
            text.push(HOLE);
            rest.get(1..).unwrap_or_default()
        }
    }
}

/// Takes a character by its number, in up to three octal digits, or in Lua decimal ones.
fn in_octal<'c>(rest: &'c str, is_decimal: bool, text: &mut String) -> &'c str {
    let radix = if is_decimal { 10 } else { 8 };
    let end = rest.bytes().take(3).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let number = rest.get(..end).and_then(|digits| u32::from_str_radix(digits, radix).ok());
    match number.and_then(char::from_u32).filter(|character| *character != '\0') {
        Some(character) => {
            text.push(character);
            rest.get(end..).unwrap_or_default()
        }
        None => {
            text.push(HOLE);
            rest.get(1..).unwrap_or_default()
        }
    }
}

/// What is put into a text.
struct Put<'h> {
    /// What stands for it in the text.
    sign: char,
    /// Its code.
    code: &'h str,
    /// What stands behind it.
    rest: &'h str,
}

/// How long what braces hold is, with the braces, at the beginning of a text.
fn braces(rest: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in rest.char_indices().take(MAX_LOOK) {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at + 1),
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// What is put into a text here, in braces.
fn in_braces(rest: &str) -> Option<Put<'_>> {
    let end = braces(rest)?;
    let code = rest.get(1..end.checked_sub(1)?)?;
    Some(Put { sign: HOLE, code, rest: rest.get(end..)? })
}

/// What is put into a text here.
fn hole(kind: Hole, rest: &str) -> Option<Put<'_>> {
    match kind {
        Hole::None => None,
        // Of Python, where doubled braces are braces.
        Hole::Braces('\0') => match rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
            Some(behind) => Some(Put { sign: rest.chars().next()?, code: "", rest: behind }),
            None if rest.starts_with('{') => in_braces(rest),
            None => None,
        },
        Hole::Braces(mark) => {
            in_braces(rest.strip_prefix(mark).filter(|behind| behind.starts_with('{'))?)
        }
        Hole::Names => {
            let behind = rest.strip_prefix(['$', '@'])?;
            if behind.starts_with('{') {
                return in_braces(behind);
            }
            let mut end = behind.find(|c: char| !is_name(c)).unwrap_or(behind.len());
            if end == 0 {
                return None;
            }
            // `$File::Find::name`
            while let Some(more) =
                behind.get(end..)?.strip_prefix("::").filter(|it| it.starts_with(is_name))
            {
                end += 2 + more.find(|c: char| !is_name(c)).unwrap_or(more.len());
            }
            // `$ARGV[0]`
            let behind_name = behind.get(end..)?;
            let item = behind_name.strip_prefix('[').and_then(|inner| inner.find(']'));
            let is_number = |at: &usize| {
                let inner = behind_name.get(1..*at + 1).unwrap_or_default();
                !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit())
            };
            let end = end + item.filter(is_number).map_or(0, |at| at + 2);
            Some(Put { sign: HOLE, code: behind.get(..end)?, rest: behind.get(end..)? })
        }
    }
}
