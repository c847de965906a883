//! TOML to the spanned tree: the one module that knows the TOML parser.
//!
//! That parser recovers from errors and bounds its own recursion; here its errors are thinned out
//! to one a statement, and its tree is taken over down to [`MAX_DEPTH`].

use std::borrow::Cow;
use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeArray, DeInteger, DeTable, DeValue, Error};

use super::{Comment, Entry, Key, Kind, MAX_DEPTH, Node, Parsed, Style, Text, span};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics::{DUPLICATE_KEY, SYNTAX, TOO_LARGE};
use crate::source::FileId;

/// The largest file that is read, in bytes.
const MAX_TOML_BYTES: usize = 256 << 10;

/// How many headers a file may have: the time that the parser takes grows with the square of them.
const MAX_HEADERS: usize = 8192;

/// How often a text is parsed again with an unclosed statement taken out.
const ROUNDS: usize = 16;

/// Reads one TOML document.
///
/// The parser goes on after an error, but what opens a bracket and does not close it swallows the
/// statements that follow. Such a statement gets another value, and the text is parsed again.
pub fn parse(file: FileId, text: &str) -> Parsed {
    if let Some(problem) = too_large(file, text) {
        let root = Node { span: span(file, 0, text.len()), kind: Kind::Broken };
        let diagnostics = vec![problem];
        return Parsed { root, diagnostics, comments: Vec::new(), is_regular: false };
    }
    if let Some(at) = too_dotted(text) {
        let problem = too_deep(file, &(at..at + 1));
        let root = Node { span: span(file, 0, text.len()), kind: Kind::Broken };
        let diagnostics = vec![problem];
        return Parsed { root, diagnostics, comments: Vec::new(), is_regular: false };
    }
    let mut patched = Cow::Borrowed(text);
    let mut diagnostics = Vec::new();
    let mut broken = Vec::new();
    for round in 1.. {
        let (table, errors) = DeTable::parse_recoverable(&patched);
        let mut errors: Vec<_> = errors.iter().map(|error| (place(text, error), error)).collect();
        errors.sort_by_key(|(range, _)| range.start);
        let thinned = Statements::new(&patched).thin_out(&errors);
        let again = thinned.unclosed.as_ref().filter(|_| round < ROUNDS);
        let again = again.map(|(range, error, statement)| {
            (unclosed(file, text, statement, range.clone(), error), statement.clone())
        });
        if let Some((problem, statement)) = again {
            drop(table);
            diagnostics.push(problem);
            broken.push(take_out(patched.to_mut(), &statement));
            continue;
        }
        broken.extend(errors.iter().map(|(range, _)| range.clone()));
        broken.sort_by_key(|range| range.start);
        let reports = thinned.errors.into_iter().chain(thinned.unclosed.map(|(r, e, _)| (r, e)));
        diagnostics.extend(reports.map(|(range, error)| report(file, text, range, error)));
        let mut reader = Reader { file, text, broken, diagnostics };
        let mut root = reader.table(table.into_inner(), 0..0, 0);
        root.span = span(file, 0, text.len());
        let comments = comments(file, text);
        return Parsed { root, diagnostics: reader.diagnostics, comments, is_regular: false };
    }
    // The loop ends in its last round at the latest.
    Parsed {
        root: Node { span: span(file, 0, text.len()), kind: Kind::Broken },
        diagnostics,
        comments: Vec::new(),
        is_regular: false,
    }
}

/// What the parser would take too long for.
fn too_large(file: FileId, text: &str) -> Option<Diagnostic> {
    let headers = || text.lines().filter(|line| line.trim_start().starts_with('[')).count();
    let message = if text.len() > MAX_TOML_BYTES {
        let (bytes, most) = (text.len(), MAX_TOML_BYTES >> 10);
        format!("the file has {bytes} bytes; TOML files of more than {most} KiB are not read")
    } else if headers() > MAX_HEADERS {
        let found = headers();
        format!("the file has {found} headers such as `[[rules]]`; at most {MAX_HEADERS} are read")
    } else {
        return None;
    };
    let problem = Diagnostic::new(&TOO_LARGE, span(file, 0, 0), message);
    Some(problem.help("split the file into several: policies compose"))
}

/// Where an error is.
fn place(text: &str, error: &Error) -> Range<usize> {
    on_boundaries(text, error.span().unwrap_or(0..0))
}

/// The parser's ranges may end inside a character that it did not expect.
fn on_boundaries(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start);
    start..text.ceil_char_boundary(range.end.max(start)).max(start)
}

/// Where statements start, judged by the looks of the lines: `key =` and `[header]`.
struct Statements<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// The errors worth reporting.
struct Thinned<'e> {
    /// The first error of each statement up to the first that is not closed.
    errors: Vec<(Range<usize>, &'e Error)>,
    /// The first error in a statement that is not closed, and that statement.
    unclosed: Option<(Range<usize>, &'e Error, Range<usize>)>,
}

impl<'t> Statements<'t> {
    fn new(text: &'t str) -> Self {
        let mut starts = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if starts_statement(line) {
                starts.push(at);
            }
            at += line.len();
        }
        Self { text, starts }
    }

    /// The statement that an offset lies in.
    fn around(&self, at: usize) -> Range<usize> {
        let next = self.starts.partition_point(|start| *start <= at);
        let start = next.checked_sub(1).and_then(|index| self.starts.get(index));
        start.copied().unwrap_or(0)..self.starts.get(next).copied().unwrap_or(self.text.len())
    }

    /// The first statement before an offset that is not closed; each is looked at once.
    fn unclosed_before(&self, end: usize, checked: &mut usize) -> Option<Range<usize>> {
        while let Some(&start) = self.starts.get(*checked).filter(|start| **start < end) {
            *checked += 1;
            let statement = start..self.starts.get(*checked).copied().unwrap_or(self.text.len());
            if !is_closed(self.text.get(statement.clone()).unwrap_or_default()) {
                return Some(statement);
            }
        }
        None
    }

    fn line(&self, at: usize) -> Range<usize> {
        let start = self.text.get(..at).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        start..start + rest.find('\n').unwrap_or(rest.len())
    }

    fn thin_out<'e>(&self, errors: &[(Range<usize>, &'e Error)]) -> Thinned<'e> {
        let mut thinned = Thinned { errors: Vec::new(), unclosed: None };
        let mut last = None;
        let mut checked = 0;
        for (range, error) in errors {
            // What is missing was missed behind the token before.
            let before = self.text.get(..range.start).unwrap_or_default().trim_end().len();
            let at = if range.is_empty() { before.saturating_sub(1) } else { range.start };
            // The parser stops for good at a key without a value, so that line goes as well.
            if error.message().starts_with("key with no value") {
                thinned.unclosed = Some((range.clone(), *error, self.line(at)));
                break;
            }
            let statement = self.around(at);
            // What swallows the statements behind it is met in one of those.
            if let Some(open) = self.unclosed_before(statement.start, &mut checked) {
                thinned.unclosed = Some((range.clone(), *error, open));
                break;
            }
            if last.as_ref() == Some(&statement) {
                continue;
            }
            if !is_closed(self.text.get(statement.clone()).unwrap_or_default()) {
                thinned.unclosed = Some((range.clone(), *error, statement));
                break;
            }
            thinned.errors.push((range.clone(), *error));
            last = Some(statement);
        }
        thinned
    }
}

fn starts_statement(line: &str) -> bool {
    let line = line.trim();
    let is_key = |text: &str| {
        let text = text.trim();
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'' | ' ');
        !text.is_empty() && text.chars().all(word)
    };
    if let Some(header) = line.strip_prefix('[') {
        let header = header.split('#').next().unwrap_or_default().trim_end();
        let inner = header.trim_start_matches('[');
        return is_key(inner.trim_end_matches(']'));
    }
    line.split_once('=').is_some_and(|(key, _)| is_key(key))
}

/// Whether brackets and multi-line strings that open in a text also close in it.
fn is_closed(text: &str) -> bool {
    let mut open = 0usize;
    let mut at = 0;
    let marks = ['#', '"', '\'', '[', ']', '{', '}'];
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(marks)) {
        at += found;
        let rest = text.get(at..).unwrap_or_default();
        at += match rest.chars().next() {
            Some('#') => rest.find('\n').unwrap_or(rest.len()),
            Some('"' | '\'') => {
                let length = string_length(rest);
                let triple = rest.starts_with("\"\"\"") || rest.starts_with("'''");
                let delimiter = rest.get(..3).unwrap_or_default();
                let string = rest.get(..length).unwrap_or_default();
                if triple && (length < 6 || !string.ends_with(delimiter)) {
                    return false;
                }
                length
            }
            Some('[' | '{') => {
                open += 1;
                1
            }
            _ => {
                open = open.saturating_sub(1);
                1
            }
        };
    }
    open == 0
}

/// Overwrites a statement that is not closed: its value by `0`, or all of it by blanks. Answers
/// with the range that is broken now.
fn take_out(text: &mut String, statement: &Range<usize>) -> Range<usize> {
    let mut statement = statement.clone();
    let source = text.get(statement.clone()).unwrap_or_default();
    if source.trim_start().starts_with('[') {
        // What stands below a header that is none belongs to nothing.
        let below = text.get(statement.end..).unwrap_or_default().split_inclusive('\n');
        let below = below.take_while(|line| !line.trim_start().starts_with('['));
        statement.end += below.map(str::len).sum::<usize>();
    }
    let source = text.get(statement.clone()).unwrap_or_default();
    let is_header = source.trim_start().starts_with('[');
    let value = source.find('=').filter(|_| !is_header).map_or(0, |at| at + 1);
    let placeholder = if value > 0 { "0" } else { " " };
    let blanks: String = source
        .get(value..)
        .unwrap_or_default()
        .bytes()
        .enumerate()
        .map(|(index, byte)| match byte {
            _ if index == 0 => placeholder,
            b'\n' => "\n",
            _ => " ",
        })
        .collect();
    let start = statement.start + value;
    let range = start..start + blanks.len();
    text.replace_range(range.clone(), &blanks);
    range
}

fn unclosed(
    file: FileId,
    text: &str,
    statement: &Range<usize>,
    range: Range<usize>,
    error: &Error,
) -> Diagnostic {
    let source = text.get(statement.clone()).unwrap_or_default();
    let first_line = source.lines().next().unwrap_or_default();
    let value = first_line.find('=').map_or(0, |at| at + 1);
    let rest = first_line.get(value..).unwrap_or_default();
    let Some(open) =
        rest.trim_start().chars().next().filter(|c| matches!(c, '[' | '{' | '"' | '\''))
    else {
        return report(file, text, range, error);
    };
    let start = statement.start + value + (rest.len() - rest.trim_start().len());
    let end = statement.start + first_line.trim_end().len();
    let (what, close) = match open {
        '[' => ("`[`", "`]`".to_owned()),
        '{' => ("`{`", "`}`".to_owned()),
        quote => ("quote", format!("`{quote}{quote}{quote}`")),
    };
    let message = format!("the {what} that opens here is not closed");
    let place = span(file, start, end.max(start));
    Diagnostic::new(&SYNTAX, place, message).help(format!("close it with {close}"))
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    /// Where errors were, ascending by start.
    broken: Vec<Range<usize>>,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn value(&mut self, value: Spanned<DeValue<'_>>, depth: usize) -> Node {
        let range = on_boundaries(self.text, value.span());
        let kind = match value.into_inner() {
            DeValue::Array(_) | DeValue::Table(_) if depth >= MAX_DEPTH => {
                self.diagnostics.push(too_deep(self.file, &range));
                Kind::Broken
            }
            DeValue::Array(items) => return self.array(items, range, depth),
            DeValue::Table(table) => return self.table(table, range, depth),
            _ if self.is_broken(&range) => Kind::Broken,
            DeValue::String(text) => {
                let style = match self.text.get(range.start..).unwrap_or_default() {
                    source if source.starts_with("\"\"\"") => Style::DoubleLines,
                    source if source.starts_with("'''") => Style::SingleLines,
                    source if source.starts_with('"') => Style::Double,
                    _ => Style::Single,
                };
                Kind::String(Text::written(text.into(), style))
            }
            DeValue::Integer(number) => integer(&number),
            DeValue::Float(number) => number.as_str().parse().map_or(Kind::Broken, Kind::Float),
            DeValue::Boolean(value) => Kind::Bool(value),
            DeValue::Datetime(_) => {
                Kind::String(self.text.get(range.clone()).unwrap_or_default().into())
            }
        };
        Node { span: span(self.file, range.start, range.end), kind }
    }

    /// Whether an error starts in the range, its ends included.
    fn is_broken(&self, range: &Range<usize>) -> bool {
        let first = self.broken.partition_point(|error| error.start < range.start);
        self.broken.get(first).is_some_and(|error| error.start <= range.end)
    }

    fn array(&mut self, items: DeArray<'_>, range: Range<usize>, depth: usize) -> Node {
        let items: Vec<Node> = items.into_iter().map(|item| self.value(item, depth + 1)).collect();
        let end = items.iter().map(|item| item.span.end as usize).max();
        let end = end.unwrap_or(range.end).max(range.end);
        Node { span: span(self.file, range.start, end), kind: Kind::Seq(items) }
    }

    /// A table: inline, or from its header to its last value.
    fn table(&mut self, table: DeTable<'_>, range: Range<usize>, depth: usize) -> Node {
        let mut end = range.end;
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            let place = on_boundaries(self.text, key.span());
            if place.is_empty() {
                continue; // a key that is missing, and reported
            }
            let key_span = span(self.file, place.start, place.end);
            let key = Key { text: key.into_inner().into(), span: key_span };
            let value = self.value(value, depth + 1);
            end = end.max(value.span.end as usize);
            entries.push(Entry { key, value });
        }
        Node { span: span(self.file, range.start, end), kind: Kind::Map(entries) }
    }
}

fn too_deep(file: FileId, range: &Range<usize>) -> Diagnostic {
    let place = span(file, range.start, range.end);
    let message = format!("collections nest more than {MAX_DEPTH} levels deep here");
    Diagnostic::new(&TOO_LARGE, place, message).help("nest them less deeply")
}

/// Where dotted keys inside each other make too many levels. The parser limits brackets and the
/// dots of each key, but not what they come to together, and its tree is dropped recursively.
fn too_dotted(text: &str) -> Option<usize> {
    // The dots so far of the key or value at hand, for the top level and each open bracket.
    let mut open = vec![0usize];
    let mut dots = 0usize;
    let mut at = 0;
    let marks = ['#', '"', '\'', '[', ']', '{', '}', '.', ',', '\n'];
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(marks)) {
        at += found;
        let rest = text.get(at..)?;
        let own = open.last_mut()?;
        let mut length = 1;
        match rest.chars().next()? {
            '#' => length = rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => length = string_length(rest),
            '.' => {
                *own += 1;
                dots += 1;
            }
            ',' => dots -= std::mem::take(own),
            '[' | '{' => open.push(0),
            '\n' if open.len() == 1 => dots -= open.first_mut().map_or(0, std::mem::take),
            ']' | '}' if open.len() > 1 => dots -= open.pop()?,
            _ => {}
        }
        if dots > MAX_DEPTH {
            return Some(at);
        }
        at += length;
    }
    None
}

/// Numbers beyond 64 bits become the nearest float.
fn integer(number: &DeInteger<'_>) -> Kind {
    let digits = number.as_str();
    match i64::from_str_radix(digits, number.radix()) {
        Ok(whole) => Kind::Int(whole),
        Err(_) => digits.parse().map_or(Kind::Broken, Kind::Float),
    }
}

fn report(file: FileId, text: &str, range: Range<usize>, error: &Error) -> Diagnostic {
    let place = span(file, range.start, range.end);
    let message = error.message();
    if message == "duplicate key" {
        let key = text.get(range).unwrap_or_default().trim_matches(['"', '\'']);
        let message = format!("the key `{key}` stands here a second time");
        return Diagnostic::new(&DUPLICATE_KEY, place, message)
            .help("delete or rename one of them");
    }
    let problem = match message.contains("recur") {
        true => Diagnostic::new(&TOO_LARGE, place, "collections nest too deeply here"),
        false => Diagnostic::new(&SYNTAX, place, reworded(message, place.start == place.end)),
    };
    match help(message) {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// Says better what the parser says badly.
fn reworded(message: &str, nothing_met: bool) -> &str {
    match message {
        "string values must be quoted, expected literal string" if nothing_met => {
            "expected a value"
        }
        "string values must be quoted, expected literal string" => "text must stand in quotes",
        "invalid boolean, expected `false`" | "invalid boolean, expected `true`" => {
            "this is no value that TOML knows"
        }
        "invalid basic string, expected `\"`" => "a string is not closed on this line",
        "unquoted keys cannot be empty, expected letters, numbers, `-`, `_`" => "expected a key",
        _ if message.starts_with("carriage return must") => "a carriage return alone ends no line",
        "key with no value, expected `=`" => "expected `=` and a value behind the key",
        _ => message,
    }
}

/// What to do about the more common errors.
fn help(message: &str) -> Option<&'static str> {
    let helps = [
        ("string values must be quoted", "put text in double quotes"),
        ("invalid boolean", "write `true` or `false`, or put text in double quotes"),
        ("invalid basic string", "close the string on its line; write `\\\\` for a backslash"),
        ("missing comma", "separate elements by commas"),
        ("extra comma", "delete the comma"),
        (
            "carriage return must",
            "end lines with a newline: save the file with Unix or Windows line ends",
        ),
        ("key with no value", "write `key = value`"),
        ("missing value", "write a value behind the `=`"),
        ("recur", "nest them less deeply"),
    ];
    helps.iter().find(|(start, _)| message.contains(start)).map(|(_, help)| *help)
}

/// The comments of a text: every `#` outside strings.
fn comments(file: FileId, text: &str) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(['#', '"', '\''])) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or_default();
        if let Some(comment) = rest.strip_prefix('#') {
            let content = comment.lines().next().unwrap_or_default();
            at = start + 1 + content.len();
            comments.push(Comment { span: span(file, start, at), text: content.into() });
        } else {
            at = start + string_length(rest);
        }
    }
    comments
}

/// The length of the string that a text starts with, to the end of its line if it is not closed.
fn string_length(text: &str) -> usize {
    let quote = text.get(..1).unwrap_or_default();
    let triple = text.get(..3).filter(|start| start.chars().all(|c| quote.starts_with(c)));
    let delimiter = triple.unwrap_or(quote);
    let mut at = delimiter.len();
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(delimiter) {
            return at + delimiter.len();
        }
        if triple.is_none() && rest.starts_with('\n') {
            return at;
        }
        let escape = quote == "\"" && rest.starts_with('\\');
        let mut characters = rest.chars();
        at += characters.next().map_or(1, char::len_utf8);
        if escape {
            at += characters.next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
