//! Puts what does not parse into words: what stands there, what was expected, what to do.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::registry::diagnostics::{ENCODING, SYNTAX, TOO_LARGE, YAML_TAG};
use crate::source::FileId;
use crate::syntax::{MAX_DEPTH, span};

/// Why something did not parse; the offsets are those in the file.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// A tab where only spaces count.
    Tab { at: usize },
    /// A quote that is not closed before its entry ends.
    OpenQuote { at: usize },
    /// A bracket that is not closed before its entry ends.
    OpenBracket { at: usize },
    /// A bracket that is closed by one of the other kind.
    Mismatched { open: usize },
    /// A closing bracket without one that opens.
    ClosesNothing { at: usize },
    /// Something that no comma stands before, in the bracket that opens at `open`.
    Separator { at: usize, open: usize },
    /// A character that starts no value.
    Reserved { at: usize },
    /// A value on the line of its key that would be a mapping.
    HoldsColon { value: usize },
    /// A key that is indented like the text of the value above.
    Deeper { at: usize },
    /// A line that should start with a key and has no colon.
    NoColon { start: usize },
    /// A line that fits no open collection: whether it is an item, and whether the collection that
    /// starts in its column, if one does, is a list. A deeper one continues nothing.
    Misplaced { at: usize, is_item: bool, in_list: Option<bool>, is_deeper: bool },
    /// Something behind a complete value.
    EndOfLine { at: usize },
    /// Something behind a closing quote.
    BehindQuote { at: usize, quote: u8 },
    /// An escape that is none.
    Escape { start: usize, end: usize },
    /// A dash behind a key.
    ItemBehindKey { at: usize },
    /// Something behind the `|` or `>` of a block scalar.
    BlockHeader { at: usize },
    /// Lines of a block scalar that are indented less than its first.
    BlockIndent { at: usize },
    /// A `?` where no key can start.
    QuestionMark { at: usize },
    /// Too many collections in each other.
    TooDeep { at: usize },
    /// A key that is too long for one without a `?`.
    LongKey { start: usize },
    /// A byte order mark behind the start of the file.
    ByteOrderMark { at: usize },
    /// A character that no YAML file may hold.
    Unprintable { at: usize },
    /// A tag that cannot be passed over.
    Tag { at: usize },
    /// A `%` at the start of a line.
    Directive { at: usize },
    /// A directive that is malformed, or not followed by a document.
    BadDirective { at: usize },
    /// A second anchor or tag of one value.
    TwoProperties { at: usize },
}

impl Fault {
    /// Whether what did not parse may have been meant as a key.
    pub fn is_of_key(&self) -> bool {
        matches!(self, Fault::NoColon { .. } | Fault::Misplaced { is_deeper: false, .. })
    }
}

/// The problem that a fault is.
pub fn explain(file: FileId, text: &str, fault: &Fault) -> Diagnostic {
    let account = Explainer { text }.account(fault);
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

struct Explainer<'t> {
    text: &'t str,
}

impl<'t> Explainer<'t> {
    fn account(&self, fault: &Fault) -> Account {
        match *fault {
            Fault::Tab { at } => self.tab(at),
            Fault::OpenQuote { at } => self.open_quote(at),
            Fault::OpenBracket { at } => self.open_bracket(at),
            Fault::Mismatched { open } => self.mismatched(open),
            Fault::ClosesNothing { at } => say(
                self.character(at),
                format!("`{}` closes nothing", self.met(at)),
                "delete it, or put the value in quotes if it is meant as text",
            ),
            Fault::Separator { at, open } => self.separator(at, open),
            Fault::Reserved { at } => self.reserved(at),
            Fault::HoldsColon { value } => say(
                self.to_line_end(value),
                "this value holds `: `, which would start a mapping inside it",
                "put the value in quotes",
            ),
            Fault::Deeper { at } => say(
                self.visible(self.line(at)),
                "this line is indented deeper than the one above, whose value it would continue",
                "indent it like the other keys of its mapping",
            ),
            Fault::NoColon { start } => self.no_colon(start),
            Fault::Misplaced { at, is_item, in_list, .. } => self.misplaced(at, is_item, in_list),
            Fault::EndOfLine { at } => say(
                self.to_line_end(at),
                format!("expected the end of the line, found `{}`", self.rest_of_line(at)),
                "put the whole value in quotes if it is meant as text",
            ),
            Fault::BehindQuote { at, quote } => self.behind_quote(at, quote),
            Fault::Escape { start, end } => say(
                start..end,
                format!("`{}` is no escape that YAML knows", self.get(start..end)),
                "write `\\\\` for a backslash, or use single quotes, where a backslash is plain",
            ),
            _ => self.detail(fault),
        }
    }

    /// The faults that need no look around.
    fn detail(&self, fault: &Fault) -> Account {
        match *fault {
            Fault::ItemBehindKey { at } => say(
                self.character(at),
                "a list item cannot start on the line of its key",
                "put the item on a line of its own, or the value in quotes if it is meant as text",
            ),
            Fault::BlockHeader { at } => say(
                self.to_line_end(at),
                format!("`{}` must stand alone on its line", self.met(at)),
                "start the text on the next line, or put the value in quotes",
            ),
            Fault::BlockIndent { at } => say(
                self.to_line_end(at),
                "this line is indented less than the text that it belongs to",
                "indent all lines of the text alike",
            ),
            Fault::QuestionMark { at } => say(
                self.character(at),
                "`?` cannot start a value here",
                "put the value in quotes if it is meant as text",
            ),
            Fault::TooDeep { at } => Account {
                kind: &TOO_LARGE,
                range: self.character(at),
                message: format!("collections nest more than {MAX_DEPTH} levels deep here"),
                help: "nest them less deeply".to_owned(),
            },
            Fault::LongKey { start } => say(
                self.to_line_end(start),
                "this key is longer than YAML allows, or spans several lines",
                "write a key of at most 1024 characters, on one line",
            ),
            Fault::ByteOrderMark { at } => self.encoding(at, "a byte order mark"),
            Fault::Unprintable { at } => {
                let character = self.met(at).chars().next().unwrap_or_default();
                let what = format!("the control character U+{:04X}", character as u32);
                self.encoding(at, &what)
            }
            Fault::Tag { at } => Account {
                kind: &YAML_TAG,
                range: self.token(at),
                message: "tags are not supported: rule files hold plain values only".to_owned(),
                help: "delete the tag, or put the value in quotes if it is text".to_owned(),
            },
            Fault::Directive { at } => say(
                self.visible(self.line(at)),
                "a value without quotes cannot start with `%`",
                "put it in quotes",
            ),
            Fault::BadDirective { at } => say(
                self.visible(self.line(at)),
                "this directive is malformed, or no `---` follows it",
                "delete it: rule files need no directives",
            ),
            Fault::TwoProperties { at } => say(
                self.token(at),
                "a value has one anchor and one tag at most, and an alias has none",
                "delete one of them",
            ),
            _ => say(0..0, "this does not parse", "put the value in quotes if it is text"),
        }
    }

    fn get(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    /// The line that an offset stands on, without its break.
    fn line(&self, at: usize) -> Range<usize> {
        let is_break = |c| matches!(c, '\n' | '\r');
        let start = self.get(0..at).rfind(is_break).map_or(0, |at| at + 1);
        let rest = self.get(start..self.text.len());
        start..start + rest.find(is_break).unwrap_or(rest.len())
    }

    /// The range without blanks at its ends.
    fn visible(&self, range: Range<usize>) -> Range<usize> {
        let text = self.get(range.clone());
        let start = range.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    }

    /// The character at an offset, as text; empty at the end.
    fn met(&self, at: usize) -> &'t str {
        self.get(self.character(at))
    }

    fn character(&self, at: usize) -> Range<usize> {
        let rest = self.get(at..self.text.len());
        at..at + rest.chars().next().map_or(0, char::len_utf8)
    }

    /// From an offset to the next blank or comma.
    fn token(&self, at: usize) -> Range<usize> {
        let line = self.to_line_end(at);
        let end = self.get(line.clone()).find([' ', '\t', ',']).unwrap_or(line.len());
        at..at + end.max(self.character(at).len().min(line.len()))
    }

    fn to_line_end(&self, at: usize) -> Range<usize> {
        let rest = self.get(at..self.text.len());
        let line = rest.find(['\n', '\r']).map_or(rest, |end| rest.get(..end).unwrap_or_default());
        at..at + line.trim_end().len()
    }

    fn rest_of_line(&self, at: usize) -> &'t str {
        self.get(self.to_line_end(at))
    }

    fn tab(&self, at: usize) -> Account {
        let before = self.get(self.line(at).start..at);
        if !before.trim_matches([' ', '\t']).is_empty() {
            return say(self.character(at), "a tab cannot stand here", "write a blank instead");
        }
        let rest = self.get(at..self.text.len());
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let message = "this line is indented with a tab, which YAML forbids";
        say(at..at + blanks, message, "indent with spaces instead")
    }

    fn open_quote(&self, at: usize) -> Account {
        say(
            self.to_line_end(at),
            "the quote that opens here is not closed",
            format!(
                "close it with `{}`; if the text goes on, indent the lines below",
                self.met(at)
            ),
        )
    }

    fn open_bracket(&self, at: usize) -> Account {
        let open = self.met(at);
        let close = if open == "[" { ']' } else { '}' };
        say(
            self.to_line_end(at),
            format!("the `{open}` that opens here is not closed"),
            format!("close it with `{close}`, or put the value in quotes if it is meant as text"),
        )
    }

    fn mismatched(&self, at: usize) -> Account {
        let open = self.met(at);
        let close = if open == "[" { '}' } else { ']' };
        say(
            self.character(at),
            format!("`{close}` closes a bracket that was opened with `{open}`"),
            "make both brackets of the same kind",
        )
    }

    fn separator(&self, at: usize, open: usize) -> Account {
        let close = if self.met(open) == "[" { ']' } else { '}' };
        let message = match self.get(self.token(at)) {
            "" => format!("expected `,` or `{close}`"),
            met => format!("expected `,` or `{close}`, found `{met}`"),
        };
        let help = "separate what stands between the brackets by commas; put text that holds `: ` \
                    or brackets in quotes";
        say(self.token(at), message, help)
    }

    fn reserved(&self, at: usize) -> Account {
        let message = match self.met(at) {
            "`" => "a value without quotes cannot start with a backtick".to_owned(),
            met => format!("a value without quotes cannot start with `{met}`"),
        };
        say(self.token(at), message, "put the value in quotes")
    }

    fn encoding(&self, at: usize, what: &str) -> Account {
        Account {
            kind: &ENCODING,
            range: self.character(at),
            message: format!("there is {what} here, which YAML does not allow"),
            help: "delete it, or write it as an escape between double quotes".to_owned(),
        }
    }

    fn behind_quote(&self, at: usize, quote: u8) -> Account {
        let help = match quote {
            b'\'' => {
                "inside single quotes write `''` for a quote, or use double quotes around the text"
            }
            _ => "inside double quotes write `\\\"` for a quote, or put all of the value in quotes",
        };
        say(self.token(at), "there is text behind the closing quote", help)
    }

    fn no_colon(&self, start: usize) -> Account {
        let range = self.to_line_end(start);
        let text = self.get(range.clone());
        let word = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')));
        let word = word.unwrap_or(text.len());
        if word > 0 && text.get(word..).is_some_and(|rest| rest.starts_with(':') && rest.len() > 1)
        {
            let key = text.get(..word).unwrap_or_default();
            return say(
                start..start + word + 1,
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
    fn misplaced(&self, at: usize, is_item: bool, in_list: Option<bool>) -> Account {
        let message = match (is_item, in_list) {
            (true, Some(false)) => "a list item stands here among the keys of a mapping",
            (false, Some(true)) => "a key stands here among the items of a list",
            _ => "the indentation of this line fits none of the lines above",
        };
        let help = "indent it exactly like the lines that it belongs with";
        say(self.to_line_end(at), message, help)
    }
}
