//! The tokens of JavaScript, as far as calls and constants need them: names, strings with what their
//! escapes stand for, templates, signs. Where a text can be read in two ways, it counts as broken.

/// What stands in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    Name(&'s str),
    /// A string that is constant.
    Text(String),
    /// The pieces of a template with something between them, in `${…}`: the first one, those between,
    /// and the last. `None` for a piece with an escape that is not known.
    Head(Option<String>),
    Middle(Option<String>),
    Tail(Option<String>),
    /// A value that is no constant: a regular expression, or a string that is not understood.
    Value,
    Sign(char),
}

impl Token<'_> {
    /// Whether it opens what [`Token::closes`] closes.
    pub(super) fn opens(&self) -> bool {
        matches!(self, Token::Sign('(' | '[' | '{') | Token::Head(_))
    }

    pub(super) fn closes(&self) -> bool {
        matches!(self, Token::Sign(')' | ']' | '}') | Token::Tail(_))
    }
}

/// What a slash is that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slash {
    Divides,
    BeginsRegex,
    /// Only a whole parser could tell.
    Unclear,
}

/// Words before which a value has ended only if they are the name of something.
const UNCLEAR_WORDS: [&str; 4] = ["of", "await", "yield", "async"];

/// Words that a value follows.
const OPERATORS: [&str; 11] = [
    "return",
    "typeof",
    "case",
    "in",
    "do",
    "delete",
    "void",
    "throw",
    "new",
    "instanceof",
    "else",
];

/// Words whose parentheses a statement follows.
const HEADS: [&str; 4] = ["if", "while", "for", "with"];

/// Reads the tokens of a text, in linear time.
pub(super) struct Tokens<'s> {
    rest: &'s str,
    /// The templates that are open, innermost last: how many braces are open in each.
    templates: Vec<u32>,
    /// Whether each open parenthesis is that of an `if`, `while` or `for`.
    parentheses: Vec<bool>,
    slash: Slash,
    /// The last token, if it was a name, and whether it was a full stop.
    last_name: Option<&'s str>,
    after_dot: bool,
    /// Whether something does not end, or is not understood.
    pub(super) broken: bool,
}

impl<'s> Tokens<'s> {
    pub(super) fn of(source: &'s str) -> Self {
        Self {
            rest: source,
            templates: Vec::new(),
            parentheses: Vec::new(),
            slash: Slash::BeginsRegex,
            last_name: None,
            after_dot: false,
            broken: false,
        }
    }
}

impl<'s> Iterator for Tokens<'s> {
    type Item = Token<'s>;

    fn next(&mut self) -> Option<Token<'s>> {
        self.pass_blanks();
        let first = self.rest.chars().next()?;
        if is_of_name(first) {
            return self.name();
        }
        self.rest = self.rest.get(first.len_utf8()..)?;
        let slash = std::mem::replace(&mut self.slash, Slash::Divides);
        let last_name = self.last_name.take();
        self.after_dot = first == '.';
        match first {
            '"' | '\'' => return Some(self.string(first)),
            '`' if last_name == Some("raw") => return Some(self.raw()),
            '`' => return Some(self.template(Token::Head)),
            '/' if slash == Slash::BeginsRegex => return Some(self.regular_expression()),
            '/' if slash == Slash::Unclear => self.broken = true,
            '\\' => self.broken = true,
            '<' if self.rest.starts_with("!--") => self.broken = true,
            '-' if self.rest.starts_with("->") => self.broken = true,
            '}' if self.templates.last() == Some(&0) => {
                self.templates.pop();
                return Some(self.template(Token::Middle));
            }
            _ => {}
        }
        self.sign(first, last_name);
        Some(Token::Sign(first))
    }
}

fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$'
}

fn ends_line(sign: char) -> bool {
    matches!(sign, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

impl<'s> Tokens<'s> {
    fn name(&mut self) -> Option<Token<'s>> {
        let end = self.rest.find(|sign| !is_of_name(sign)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        self.slash = match name {
            _ if self.after_dot => Slash::Divides,
            name if UNCLEAR_WORDS.contains(&name) => Slash::Unclear,
            name if OPERATORS.contains(&name) => Slash::BeginsRegex,
            _ => Slash::Divides,
        };
        self.last_name = Some(name).filter(|name| *name != "raw" || self.after_dot);
        self.after_dot = false;
        Some(Token::Name(name))
    }

    /// Keeps in mind what a sign means for those after it.
    fn sign(&mut self, sign: char, before: Option<&str>) {
        self.slash = match sign {
            ')' => match self.parentheses.pop() {
                Some(true) => Slash::BeginsRegex,
                _ => Slash::Divides,
            },
            ']' => Slash::Divides,
            '}' => Slash::Unclear,
            _ => Slash::BeginsRegex,
        };
        match sign {
            '(' => self.parentheses.push(before.is_some_and(|name| HEADS.contains(&name))),
            '{' => {
                if let Some(open) = self.templates.last_mut() {
                    *open += 1;
                }
            }
            '}' => {
                if let Some(open) = self.templates.last_mut() {
                    *open = open.saturating_sub(1);
                }
            }
            _ => {}
        }
    }

    fn pass_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let end = if self.rest.starts_with("//") {
                self.rest.find(ends_line)
            } else if self.rest.starts_with("/*") {
                self.rest.get(2..).and_then(|rest| rest.find("*/")).map(|at| at + 4)
            } else {
                return;
            };
            self.rest = end.and_then(|end| self.rest.get(end..)).unwrap_or_default();
        }
    }

    /// A string, behind its opening quote.
    fn string(&mut self, quote: char) -> Token<'s> {
        let mut text = Some(String::new());
        let mut signs = self.rest.chars();
        while let Some(sign) = signs.next() {
            match sign {
                _ if sign == quote => {
                    self.rest = signs.as_str();
                    return text.map_or(Token::Value, Token::Text);
                }
                '\\' => escape(&mut signs, &mut text),
                '\n' | '\r' => break,
                _ => add(&mut text, sign),
            }
        }
        self.broken(signs.as_str())
    }

    /// A template behind its quote, or behind the end of something in it.
    fn template(&mut self, goes_on: fn(Option<String>) -> Token<'s>) -> Token<'s> {
        let is_first = matches!(goes_on(None), Token::Head(_));
        let mut text = Some(String::new());
        let mut signs = self.rest.chars();
        while let Some(sign) = signs.next() {
            match sign {
                '`' => {
                    self.rest = signs.as_str();
                    return match text {
                        text if !is_first => Token::Tail(text),
                        Some(text) => Token::Text(text),
                        None => Token::Value,
                    };
                }
                '\\' => escape(&mut signs, &mut text),
                '$' if signs.as_str().starts_with('{') => {
                    self.rest = signs.as_str().get(1..).unwrap_or_default();
                    self.templates.push(0);
                    self.slash = Slash::BeginsRegex;
                    return goes_on(text);
                }
                '\r' => {
                    // A template has `\n` for every end of a line.
                    if signs.as_str().starts_with('\n') {
                        signs.next();
                    }
                    add(&mut text, '\n');
                }
                _ => add(&mut text, sign),
            }
        }
        self.broken(signs.as_str())
    }

    /// A template behind `String.raw`, which keeps escapes as they are. One with something in it is not
    /// understood.
    fn raw(&mut self) -> Token<'s> {
        let mut text = String::new();
        let mut signs = self.rest.chars();
        while let Some(sign) = signs.next() {
            match sign {
                '`' => {
                    self.rest = signs.as_str();
                    return Token::Text(text);
                }
                '\\' => {
                    text.push('\\');
                    text.extend(signs.next());
                }
                '$' if signs.as_str().starts_with('{') => {
                    self.rest = signs.as_str().get(1..).unwrap_or_default();
                    self.templates.push(0);
                    self.slash = Slash::BeginsRegex;
                    return Token::Head(None);
                }
                _ => text.push(sign),
            }
        }
        self.broken(signs.as_str())
    }

    /// A regular expression, behind its first slash.
    fn regular_expression(&mut self) -> Token<'s> {
        let mut signs = self.rest.chars();
        let mut in_class = false;
        while let Some(sign) = signs.next() {
            match sign {
                '\\' => drop(signs.next()),
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    self.rest = signs.as_str().trim_start_matches(is_of_name);
                    return Token::Value;
                }
                sign if ends_line(sign) => break,
                _ => {}
            }
        }
        self.broken(signs.as_str())
    }

    fn broken(&mut self, rest: &'s str) -> Token<'s> {
        self.broken = true;
        self.rest = rest;
        Token::Value
    }
}

fn add(text: &mut Option<String>, sign: char) {
    if let Some(text) = text {
        text.push(sign);
    }
}

/// Adds what an escape stands for; the text is no constant behind one that is not known here.
fn escape(signs: &mut std::str::Chars<'_>, text: &mut Option<String>) {
    let sign = match signs.next() {
        Some('\r') => {
            if signs.as_str().starts_with('\n') {
                signs.next();
            }
            return;
        }
        Some(sign) if ends_line(sign) => return,
        Some('n') => Some('\n'),
        Some('t') => Some('\t'),
        Some('r') => Some('\r'),
        Some('b') => Some('\u{8}'),
        Some('f') => Some('\u{c}'),
        Some('v') => Some('\u{b}'),
        Some('0') if !signs.as_str().starts_with(|next: char| next.is_ascii_digit()) => Some('\0'),
        Some('x') => digits(signs, 2).and_then(char::from_u32),
        Some('u') => code_point(signs),
        Some(sign) if !sign.is_ascii_digit() => Some(sign),
        _ => None,
    };
    match sign {
        Some(sign) => add(text, sign),
        None => *text = None,
    }
}

/// The character of an escape behind `\u`; two of them may stand for one.
fn code_point(signs: &mut std::str::Chars<'_>) -> Option<char> {
    if let Some(rest) = signs.as_str().strip_prefix('{') {
        let (code, rest) = rest.split_once('}')?;
        let code = u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?;
        *signs = rest.chars();
        return Some(code);
    }
    let unit = digits(signs, 4)?;
    if !(0xd800..0xdc00).contains(&unit) {
        return char::from_u32(unit);
    }
    let mut ahead = signs.as_str().strip_prefix("\\u")?.chars();
    let low = digits(&mut ahead, 4).filter(|low| (0xdc00..0xe000).contains(low))?;
    *signs = ahead;
    char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
}

fn digits(signs: &mut std::str::Chars<'_>, count: usize) -> Option<u32> {
    let written = signs.as_str().get(..count)?;
    let is_hexadecimal = written.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = u32::from_str_radix(written, 16).ok().filter(|_| is_hexadecimal)?;
    *signs = signs.as_str().get(count..)?.chars();
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn text(source: &str, expect: &str) {
        let tokens: Vec<_> = Tokens::of(source).collect();
        assert_eq!(tokens, [Token::Text(expect.to_owned())], "{source}");
    }

    #[track_caller]
    fn broken(source: &str, expect: bool) {
        let mut tokens = Tokens::of(source);
        tokens.by_ref().for_each(drop);
        assert_eq!(tokens.broken, expect, "{source}");
    }

    #[test]
    fn escapes_stand_for_what_they_do() {
        text(r#""a\n\t\\\"\/\d""#, "a\n\t\\\"/d");
        text(r"'\x72m \u0072m \u{1F600} \ud83d\ude00'", "rm rm 😀 😀");
        text("'a\\\nb\\\r\nc'", "abc");
        text("`a\r\nb`", "a\nb");
        text(r"'\0'", "\0");
        for source in [r"'\07'", r"'\1'", r"'\x7'", r"'\ud83d'", r"'\u{110000}'"] {
            assert_eq!(Tokens::of(source).collect::<Vec<_>>(), [Token::Value], "{source}");
        }
    }

    #[test]
    fn templates_are_told_in_their_pieces() {
        let piece = |text: &str| Some(text.to_owned());
        assert_eq!(
            Tokens::of("`a${b}c${`d${{}}`}e`").collect::<Vec<_>>(),
            [
                Token::Head(piece("a")),
                Token::Name("b"),
                Token::Middle(piece("c")),
                Token::Head(piece("d")),
                Token::Sign('{'),
                Token::Sign('}'),
                Token::Tail(piece("")),
                Token::Tail(piece("e")),
            ]
        );
    }

    #[test]
    fn comments_end_where_their_lines_do() {
        for end in ["\n", "\r", "\u{2028}", "\u{2029}"] {
            let source = format!("// a{end}b");
            assert_eq!(Tokens::of(&source).collect::<Vec<_>>(), [Token::Name("b")], "{source:?}");
        }
        assert_eq!(Tokens::of("/*/ a */ b").collect::<Vec<_>>(), [Token::Name("b")]);
    }

    #[test]
    fn a_slash_that_may_be_two_things_breaks_a_script() {
        broken("x = 1 / 2; y = (1) / 2; z = a[0] / 2", false);
        broken("x = /\"/; if (x) /'/.test(y); return /`/", false);
        broken("x.of / 2 / x.in", false);
        broken("x = {} / 2", true);
        broken("for (x of /'/) y", true);
        broken("a <!-- b", true);
        broken("while (a --> 0) b", true);
        broken("'a", true);
        broken("`a${b`", true);
        broken("/a", true);
    }
}
