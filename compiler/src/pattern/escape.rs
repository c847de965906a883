//! What a backslash means, outside brackets and in them.

use super::PatternProblem;
use super::parse::Parser;
use super::syntax::{ClassItem, Look, Node, Perl, PerlKind};

/// What an escape stands for where both a character and a set are allowed.
pub(super) enum Escaped {
    Character(char),
    Perl(Perl),
    Property(String),
    /// Reported.
    Broken,
}

impl From<Escaped> for Option<ClassItem> {
    fn from(escaped: Escaped) -> Self {
        match escaped {
            Escaped::Character(character) => Some(ClassItem::Range(character, character)),
            Escaped::Perl(perl) => Some(ClassItem::Perl(perl)),
            Escaped::Property(text) => Some(ClassItem::Property(text)),
            Escaped::Broken => None,
        }
    }
}

impl Parser<'_> {
    /// A backslash outside brackets.
    pub(super) fn escape(&mut self) -> Node {
        let start = self.at;
        let unicode = self.flags.unicode;
        let look = match self.rest().chars().nth(1) {
            Some('A') => Some(Look::TextStart),
            Some('Z' | 'z') => Some(Look::TextEnd),
            Some('b') => Some(Look::Word { negated: false, unicode }),
            Some('B') => Some(Look::Word { negated: true, unicode }),
            _ => None,
        };
        if let Some(look) = look {
            self.at += 2;
            return Node::Look(look);
        }
        if let Some(node) = self.reference(start) {
            return node;
        }
        match self.escaped(false) {
            Escaped::Character(character) => Node::Literal { character, fold: self.flags.fold },
            Escaped::Perl(perl) => Node::Perl(perl),
            Escaped::Property(text) => Node::Property(text),
            Escaped::Broken => Node::Broken,
        }
    }

    /// `\1`, `\k<name>`, `\g<name>`: back-references, which only stand outside brackets. Three
    /// octal digits are a character.
    fn reference(&mut self, start: usize) -> Option<Node> {
        let rest = self.rest().get(1..)?;
        let mut digits = rest.chars();
        let first = digits.next()?;
        let octal = rest.chars().take(3).filter(|c| c.is_digit(8)).count() == 3;
        if first.is_ascii_digit() && first != '0' && !octal {
            self.at += 1;
            self.eat_while(2, |c| c.is_ascii_digit());
        } else if matches!(first, 'k' | 'g') {
            self.at += 2;
            self.reference_name();
        } else {
            return None;
        }
        self.back_reference(start);
        Some(Node::Broken)
    }

    fn reference_name(&mut self) {
        let close = match self.peek() {
            Some('<') => '>',
            Some('{') => '}',
            Some('\'') => '\'',
            _ => {
                self.eat_while(2, |c| c.is_ascii_digit());
                return;
            }
        };
        let Some(length) = self.rest().get(1..).and_then(|name| name.find(close)) else { return };
        self.at += length + 2;
    }

    /// A backslash and what belongs to it, other than places and references.
    pub(super) fn escaped(&mut self, in_class: bool) -> Escaped {
        let start = self.at;
        self.next();
        let Some(character) = self.next() else {
            self.ran_out = true;
            let range = start..self.at;
            let message = "the pattern ends in a lone `\\`";
            self.problem(
                PatternProblem::invalid(range, message)
                    .help("write `\\\\` for the character")
                    .rewrite("\\\\"),
            );
            return Escaped::Broken;
        };
        let unicode = self.flags.unicode;
        let perl = |kind, negated| Escaped::Perl(Perl { kind, negated, unicode });
        match character {
            'd' => perl(PerlKind::Digit, false),
            'D' => perl(PerlKind::Digit, true),
            's' => perl(PerlKind::Space, false),
            'S' => perl(PerlKind::Space, true),
            'w' => perl(PerlKind::Word, false),
            'W' => perl(PerlKind::Word, true),
            'a' => Escaped::Character('\u{7}'),
            'b' if in_class => Escaped::Character('\u{8}'),
            'f' => Escaped::Character('\u{c}'),
            'n' => Escaped::Character('\n'),
            'r' => Escaped::Character('\r'),
            't' => Escaped::Character('\t'),
            'v' => Escaped::Character('\u{b}'),
            'x' => self.hexadecimal(start, 2),
            'u' => self.hexadecimal(start, 4),
            'U' => self.hexadecimal(start, 8),
            'p' | 'P' => self.property(start),
            '0'..='7' => self.octal(start),
            'a'..='z' | 'A'..='Z' | '8' | '9' => self.unknown_escape(start, character),
            other => Escaped::Character(other),
        }
    }

    fn octal(&mut self, start: usize) -> Escaped {
        self.eat_while(2, |c| c.is_digit(8));
        let written = self.slice(start..self.at);
        let value = u32::from_str_radix(written.trim_start_matches('\\'), 8).unwrap_or(u32::MAX);
        if value <= 0o377 {
            return char::from_u32(value).map_or(Escaped::Broken, Escaped::Character);
        }
        let message = format!("the octal escape `{written}` is larger than `\\377`");
        self.problem(
            PatternProblem::invalid(start..self.at, message)
                .help(format!("write the character's number in hexadecimal: `\\u{value:04x}`"))
                .rewrite(format!("\\u{value:04x}")),
        );
        Escaped::Broken
    }

    fn hexadecimal(&mut self, start: usize, digits: usize) -> Escaped {
        let braced = self.eat('{');
        let written = self.eat_while(if braced { 8 } else { digits }, |c| c.is_ascii_hexdigit());
        let complete = if braced { self.eat('}') } else { written.len() == digits };
        let whole = self.slice(start..self.at);
        if !complete || written.is_empty() {
            let kind = whole.chars().nth(1).unwrap_or('x');
            self.problem(
                PatternProblem::invalid(
                    start..self.at,
                    format!("the escape `{whole}` is incomplete: `\\{kind}` takes {digits} hexadecimal digits"),
                )
                .help(format!("write all {digits} digits, or `\\\\{kind}` for a backslash and `{kind}`")),
            );
            return Escaped::Broken;
        }
        let value = u32::from_str_radix(written, 16).unwrap_or(u32::MAX);
        if let Some(character) = char::from_u32(value) {
            return Escaped::Character(character);
        }
        let message = format!("`{whole}` is not the number of a character");
        let help =
            "characters go up to `\\U0010ffff`, without the surrogates `\\ud800` to `\\udfff`";
        self.problem(PatternProblem::invalid(start..self.at, message).help(help));
        Escaped::Broken
    }

    /// `\pL` and `\p{…}`, which Python does not have.
    fn property(&mut self, start: usize) -> Escaped {
        if self.peek() == Some('{') {
            self.eat_while(usize::MAX, |c| c != '}');
            self.eat('}');
        } else {
            self.next();
        }
        let written = self.slice(start..self.at);
        if regex_syntax::parse(written).is_ok() {
            return Escaped::Property(written.to_owned());
        }
        let message = format!("`{written}` names no Unicode property");
        let help = "examples are `\\p{L}` for letters, `\\p{Greek}`, `\\P{ASCII}`";
        self.problem(PatternProblem::invalid(start..self.at, message).help(help));
        Escaped::Broken
    }

    fn unknown_escape(&mut self, start: usize, character: char) -> Escaped {
        match character {
            'N' => self.named_character(start),
            'K' => self.unsupported_escape(
                start,
                "match resets",
                "",
                "delete it: only whether the pattern matches counts",
            ),
            'h' => self.unsupported_escape(start, "horizontal space", "[ \\t]", "write `[ \\t]`"),
            'R' => self.unsupported_escape(
                start,
                "any line break",
                "(?:\\r\\n|[\\n\\r])",
                "write `(?:\\r\\n|[\\n\\r])`",
            ),
            'e' => self.unsupported_escape(start, "the escape character", "\\x1b", "write `\\x1b`"),
            'Q' | 'E' => self.quoting(start),
            _ => {
                let written = self.slice(start..self.at);
                self.problem(
                    PatternProblem::invalid(start..self.at, format!("`{written}` is not an escape"))
                        .help(format!("write `{character}` for the character, or `\\\\{character}` for a backslash before it"))
                        .rewrite(character.to_string()),
                );
            }
        }
        Escaped::Broken
    }

    fn named_character(&mut self, start: usize) {
        if self.peek() == Some('{') {
            self.eat_while(usize::MAX, |c| c != '}');
            self.eat('}');
        }
        let written = self.slice(start..self.at);
        self.unsupported(
            start..self.at,
            format!("the named character `{written}` is not supported"),
            "write the character itself, or its number as `\\u20ac`",
        );
    }

    fn unsupported_escape(&mut self, start: usize, meaning: &str, rewrite: &str, help: &str) {
        let written = self.slice(start..self.at);
        self.problem(
            PatternProblem::new(
                &crate::registry::diagnostics::UNSUPPORTED_PATTERN,
                start..self.at,
                format!("`{written}` ({meaning} in other engines) is not supported"),
            )
            .help(help)
            .rewrite(rewrite),
        );
    }

    fn quoting(&mut self, start: usize) {
        let written = self.slice(start..self.at);
        self.unsupported(
            start..self.at,
            format!("quoting with `{written}` is not supported"),
            "put a `\\` before each character that has a meaning of its own",
        );
    }
}
