//! Puts the YAML parser's errors into words: what stands there, what was expected, what to do.

use std::ops::Range;

use granit_parser::ErrorKind;

use super::{Failure, recover::key_length};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::registry::diagnostics::{ENCODING, SYNTAX, TOO_LARGE, YAML_TAG};
use crate::source::FileId;
use crate::syntax::{MAX_DEPTH, span};

/// Whether a problem of this kind is why a piece did not parse.
pub fn stops_parsing(kind: &'static DiagnosticKind) -> bool {
    [&SYNTAX, &ENCODING, &TOO_LARGE, &YAML_TAG].iter().any(|other| std::ptr::eq(*other, kind))
}

/// The problem that a failure is, for the piece of text that failed.
pub fn explain(file: FileId, text: &str, piece: &Range<usize>, failure: &Failure) -> Diagnostic {
    let at = failure.at.min(text.len());
    let scene = Scene { text, piece: piece.clone(), at };
    let account = scene.account(&failure.kind);
    let range = account.range;
    Diagnostic::new(account.kind, span(file, range.start, range.end), account.message)
        .help(account.help)
}

/// What to say.
struct Account {
    kind: &'static DiagnosticKind,
    range: Range<usize>,
    message: String,
    help: String,
}

fn say(range: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Account {
    Account { kind: &SYNTAX, range, message: message.into(), help: help.into() }
}

/// Where it happened.
struct Scene<'t> {
    text: &'t str,
    piece: Range<usize>,
    at: usize,
}

impl<'t> Scene<'t> {
    fn account(&self, kind: &ErrorKind) -> Account {
        use ErrorKind as E;
        match kind {
            E::TabInPlainScalar
            | E::TabInBlockIndentation
            | E::TabNotAllowed
            | E::TabInIndentation
            | E::TabAtBlockScalarStart => self.tab(),
            E::UnclosedQuotedScalar
            | E::InvalidQuotedScalarIndent
            | E::DocumentIndicatorInQuotedScalar => self.open_quote(),
            E::UnclosedFlowCollection { open } => self.open_bracket(self.at, *open),
            E::InvalidColonPlacement
            | E::ExpectedFlowMappingSeparator
            | E::ExpectedFlowSequenceSeparator
            | E::UnexpectedEofFlowMapping
            | E::UnexpectedEofFlowSequence
            | E::InvalidFlowScalarIndent
            | E::BlockEntryInFlowCollection => self.in_brackets(),
            E::MismatchedFlowCollectionEnd { open, close } => say(
                self.character(),
                format!("`{close}` closes a bracket that was opened with `{open}`"),
                "make both brackets of the same kind",
            ),
            E::MisplacedFlowCollectionEnd => {
                let met = self.met();
                say(
                    self.character(),
                    format!("`{met}` closes nothing"),
                    "delete it, or put the value in quotes if it is meant as text",
                )
            }
            E::UnexpectedCharacter { character } => self.reserved(*character),
            E::MissingAnchorOrAliasName => self.reserved(self.met().chars().next().unwrap_or('*')),
            E::MappingValueNotAllowed => self.second_colon(),
            E::SimpleKeyExpected => self.no_colon(self.line(self.at)),
            E::ExpectedBlockMappingKey
            | E::ExpectedBlockSequenceEntry
            | E::ExpectedDocumentStart
            | E::InvalidIndentation => self.misplaced(),
            _ => self.detail(kind),
        }
    }

    /// The errors that need no look around.
    fn detail(&self, kind: &ErrorKind) -> Account {
        use ErrorKind as E;
        match kind {
            E::InvalidTrailingSingleQuotedScalar => say(
                self.token(),
                "there is text behind the closing quote",
                "inside single quotes write `''` for a quote, or use double quotes around the text",
            ),
            E::InvalidTrailingDoubleQuotedScalar => say(
                self.token(),
                "there is text behind the closing quote",
                "inside double quotes write `\\\"` for a quote, or put all of the value in quotes",
            ),
            E::UnknownQuotedScalarEscape
            | E::InvalidQuotedScalarHexEscape
            | E::InvalidLowSurrogateHexEscape
            | E::InvalidLowSurrogate
            | E::MissingLowSurrogate
            | E::UnpairedLowSurrogate
            | E::InvalidUnicodeEscape => self.escape(),
            E::BlockSequenceEntryNotAllowed => say(
                self.character(),
                "a list item cannot start on the line of its key",
                "put the item on a line of its own, or the value in quotes if it is meant as text",
            ),
            E::InvalidBlockScalarHeader | E::ZeroBlockScalarIndent => say(
                self.to_line_end(),
                format!("`{}` must stand alone on its line", self.met()),
                "start the text on the next line, or put the value in quotes",
            ),
            E::MappingKeyNotAllowed => say(
                self.character(),
                "`?` cannot start a value here",
                "put the value in quotes if it is meant as text",
            ),
            E::RecursionLimitExceeded => Account {
                kind: &TOO_LARGE,
                range: self.character(),
                message: format!("collections nest more than {MAX_DEPTH} levels deep here"),
                help: "nest them less deeply".to_owned(),
            },
            E::InvalidSimpleKey => say(
                self.to_line_end(),
                "this key is longer than YAML allows, or spans several lines",
                "write a key of at most 1024 characters, on one line",
            ),
            E::BomInsideDocument => self.encoding("a byte order mark"),
            E::ExpectedNodeContent | E::UnexpectedEofBlockMapping | E::UnexpectedEof => {
                self.no_value()
            }
            _ if self.met().starts_with('!') => Account {
                kind: &YAML_TAG,
                range: self.token(),
                message: "tags are not supported: rule files hold plain values only".to_owned(),
                help: "delete the tag, or put the value in quotes if it is text".to_owned(),
            },
            _ => say(self.token(), kind.to_string(), "put the value in quotes if it is text"),
        }
    }

    fn get(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    /// The line that an offset stands on, without its break.
    fn line(&self, at: usize) -> Range<usize> {
        let start = self.get(0..at).rfind('\n').map_or(0, |at| at + 1);
        let rest = self.get(start..self.text.len());
        start..start + rest.lines().next().unwrap_or_default().len()
    }

    /// The last line above an offset that is neither blank nor a comment, inside the piece.
    fn line_above(&self, at: usize) -> Option<Range<usize>> {
        let mut start = self.line(at).start;
        while start > self.piece.start {
            let line = self.line(start - 1);
            let content = self.get(line.clone()).trim();
            if !content.is_empty() && !content.starts_with('#') {
                return Some(line);
            }
            start = line.start;
        }
        None
    }

    /// The range without blanks at its ends.
    fn visible(&self, range: Range<usize>) -> Range<usize> {
        let text = self.get(range.clone());
        let start = range.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    }

    fn indent(&self, line: Range<usize>) -> usize {
        let text = self.get(line);
        text.len() - text.trim_start_matches([' ', '-']).len()
    }

    /// The character at the place, as text; empty at the end.
    fn met(&self) -> &'t str {
        self.get(self.character())
    }

    fn character(&self) -> Range<usize> {
        let rest = self.get(self.at..self.text.len());
        self.at..self.at + rest.chars().next().map_or(0, char::len_utf8)
    }

    /// From the place to the next blank.
    fn token(&self) -> Range<usize> {
        let line = self.to_line_end();
        let end = self.get(line.clone()).find([' ', '\t', ',']).unwrap_or(line.len());
        self.at..self.at + end.max(self.character().len().min(line.len()))
    }

    fn to_line_end(&self) -> Range<usize> {
        let end = self.line(self.at).end.max(self.at);
        self.at..self.at + self.get(self.at..end).trim_end().len()
    }

    fn tab(&self) -> Account {
        let from = self.line(self.at).start;
        let mut offset = from;
        let help = "indent with spaces instead";
        for line in self.get(from..self.piece.end.max(from)).split_inclusive('\n') {
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            let tab = line.get(..blanks).and_then(|blanks| blanks.find('\t'));
            if let Some(tab) = tab {
                let range = offset + tab..offset + blanks;
                return say(range, "this line is indented with a tab, which YAML forbids", help);
            }
            offset += line.len();
        }
        say(self.character(), "a tab cannot stand here", "write a blank instead")
    }

    fn open_quote(&self) -> Account {
        let line = match self.met() {
            "\"" | "'" => Some(self.at..self.line(self.at).end),
            _ => self.line_above(self.at),
        };
        let line = line.unwrap_or_else(|| self.line(self.at));
        let start =
            self.get(line.clone()).rfind(['"', '\'']).map_or(line.start, |at| line.start + at);
        let start = if self.met().starts_with(['"', '\'']) { self.at } else { start };
        let quote = self.get(start..start + 1);
        say(
            self.visible(start..line.end.max(start)),
            "the quote that opens here is not closed",
            format!("close it with `{quote}`; if the text goes on, indent the lines below"),
        )
    }

    fn open_bracket(&self, at: usize, open: char) -> Account {
        let close = if open == '[' { ']' } else { '}' };
        let end = self.line(at).end.max(at);
        say(
            self.visible(at..end),
            format!("the `{open}` that opens here is not closed"),
            format!("close it with `{close}`, or put the value in quotes if it is meant as text"),
        )
    }

    /// An error between brackets: the bracket was forgotten if its line is over and the next is
    /// not indented deeper; otherwise something between is missing.
    fn in_brackets(&self) -> Account {
        let Some((open_at, open)) = self.innermost_open() else { return self.misplaced() };
        let (own, opening) = (self.line(self.at), self.line(open_at));
        let own_indent = self.get(own.clone()).len() - self.get(own.clone()).trim_start().len();
        if own.start > open_at && own_indent <= self.indent(opening) {
            return self.open_bracket(open_at, open);
        }
        let close = if open == '[' { ']' } else { '}' };
        let met = self.get(self.token());
        let message = match met {
            "" => format!("expected `,` or `{close}`"),
            met => format!("expected `,` or `{close}`, found `{met}`"),
        };
        let help = "separate what stands between the brackets by commas; put text that holds `: ` \
                    or brackets in quotes";
        say(self.token(), message, help)
    }

    /// The innermost bracket that is open at the place.
    fn innermost_open(&self) -> Option<(usize, char)> {
        let mut open = Vec::new();
        let mut quote = None;
        let mut last = ' ';
        for (at, c) in self.get(self.piece.start..self.at).char_indices() {
            let starts = last.is_whitespace() || matches!(last, '[' | '{' | ',' | ':');
            match (quote, c) {
                (Some(q), _) if q == c => quote = None,
                (Some('#'), '\n') => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') if starts => quote = Some(c),
                (None, '#') if last.is_whitespace() => quote = Some('#'),
                (None, '[' | '{') if starts || !open.is_empty() => {
                    open.push((self.piece.start + at, c));
                }
                (None, ']' | '}') => {
                    open.pop();
                }
                _ => {}
            }
            last = c;
        }
        open.pop()
    }

    fn reserved(&self, character: char) -> Account {
        if character.is_control() {
            return self.encoding(&format!("the control character U+{:04X}", character as u32));
        }
        say(
            self.token(),
            match character {
                '`' => "a value without quotes cannot start with a backtick".to_owned(),
                _ => format!("a value without quotes cannot start with `{character}`"),
            },
            "put the value in quotes",
        )
    }

    fn encoding(&self, what: &str) -> Account {
        Account {
            kind: &ENCODING,
            range: self.character(),
            message: format!("there is {what} here, which YAML does not allow"),
            help: "delete it, or write it as an escape between double quotes".to_owned(),
        }
    }

    /// A colon that would start a mapping where none can start.
    fn second_colon(&self) -> Account {
        let line = self.line(self.at);
        let content = self.visible(line.clone());
        let text = self.get(content.clone());
        let dashless = text.trim_start_matches(['-', ' ']);
        let start = content.end - dashless.len();
        if let Some(length) = key_length(dashless)
            && start + length < self.at
        {
            let value = start + length + 1;
            return say(
                self.visible(value..content.end),
                "this value holds `: `, which would start a mapping inside it",
                "put the value in quotes",
            );
        }
        let Some(above) = self.line_above(self.at) else { return self.misplaced() };
        let above_text = self.get(above.clone()).trim().trim_start_matches(['-', ' ']);
        if key_length(above_text).is_none() {
            return self.no_colon(above);
        }
        say(
            content,
            "this line is indented deeper than the one above, whose value it would continue",
            "indent it like the other keys of its mapping",
        )
    }

    fn no_colon(&self, line: Range<usize>) -> Account {
        let range = self.visible(line);
        let text = self.get(range.clone());
        let word = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')));
        let word = word.unwrap_or(text.len());
        if word > 0 && text.get(word..).is_some_and(|rest| rest.starts_with(':') && rest.len() > 1)
        {
            let key = text.get(..word).unwrap_or_default();
            return say(
                range.start..range.start + word + 1,
                format!("there must be a blank behind the colon of `{key}:`"),
                format!("write `{key}: …`"),
            );
        }
        say(
            range,
            "expected `key: value`, but there is no colon",
            "write a colon and a blank behind the key",
        )
    }

    /// Something that fits no open collection.
    fn misplaced(&self) -> Account {
        let line = self.line(self.at);
        let content = self.visible(line.clone());
        if self.at > content.start
            && !self.get(content.start..self.at).trim_start_matches(['-', ' ']).is_empty()
        {
            let met = self.get(self.to_line_end());
            return say(
                self.to_line_end(),
                format!("expected the end of the line, found `{met}`"),
                "put the whole value in quotes if it is meant as text",
            );
        }
        let text = self.get(content.clone());
        if text.starts_with('%') {
            return say(
                content,
                "a value without quotes cannot start with `%`",
                "put it in quotes",
            );
        }
        let Some(above) = self.line_above(self.at) else {
            return say(content, "this fits nothing above it", "check its indentation");
        };
        let same = self.indent(above.clone()) == content.start - line.start
            || self.indent_of_some_above(content.start - line.start);
        let message = match (text.starts_with("- ") || text == "-", same) {
            (true, true) => "a list item stands here among the keys of a mapping",
            (false, true) if key_length(text).is_some() => {
                "a key stands here among the items of a list"
            }
            (false, true) => "expected `key: value` or a list item",
            _ => "the indentation of this line fits none of the lines above",
        };
        say(content, message, "indent it exactly like the lines that it belongs with")
    }

    /// Whether some line of the piece above starts its content at this column.
    fn indent_of_some_above(&self, column: usize) -> bool {
        let above = self.get(self.piece.start..self.line(self.at).start);
        above
            .lines()
            .filter(|line| !line.trim().is_empty())
            .any(|line| line.len() - line.trim_start_matches(' ').len() == column)
    }

    fn escape(&self) -> Account {
        let rest = self.get(self.at..self.piece.end.max(self.at));
        let mut characters = rest.char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            if c != '\\' {
                continue;
            }
            let Some((_, escaped)) = characters.next() else { break };
            let digits = match escaped {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                '0' | 'a' | 'b' | 't' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\'
                | 'N' | '_' | 'L' | 'P' | '\n' | '\r' | '\t' => continue,
                _ => 0,
            };
            let start = self.at + at;
            let head = start + 1 + escaped.len_utf8();
            let found = self.get(head..self.text.len()).chars().take(digits);
            let found: String = found.take_while(char::is_ascii_hexdigit).collect();
            let value = u32::from_str_radix(&found, 16).ok().and_then(char::from_u32);
            if digits > 0 && found.len() == digits && value.is_some() {
                continue;
            }
            let range = start..head + found.len();
            let written = self.get(range.clone());
            return say(
                range.clone(),
                format!("`{written}` is no escape that YAML knows"),
                "write `\\\\` for a backslash, or use single quotes, where a backslash is plain",
            );
        }
        say(
            self.to_line_end(),
            "there is an invalid escape in this string",
            "write `\\\\` for a backslash, or use single quotes, where a backslash is plain",
        )
    }

    fn no_value(&self) -> Account {
        match self.met() {
            "" => say(
                self.character(),
                "expected a value, found the end of the file",
                "write a value",
            ),
            met if met.trim().is_empty() => say(
                self.character(),
                "expected a value, found the end of the line",
                "write a value",
            ),
            met => say(
                self.token(),
                format!("expected a value, found `{met}`"),
                "put the value in quotes if it is meant as text",
            ),
        }
    }
}
