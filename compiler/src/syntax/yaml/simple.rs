//! Reads the part of YAML that rule files are mostly made of, several times as fast as the parser:
//! block collections, and on one line each flow collections, scalars and comments.
//!
//! Accepts nothing that the parser reads otherwise, to the last span, and gives up at the first
//! thing that it does not know: the parser then reads the whole text. So it reports nothing, and
//! only tells [`Builder`] what the parser would.

use std::borrow::Cow;

use granit_parser::ScalarStyle;

use super::{Builder, Children, Node, Reader, Slot};
use crate::syntax::Comment;

/// Deeper collections and longer keys are the parser's, which has limits for both.
const DEEPEST: usize = 32;
const LONGEST_KEY: usize = 128;

/// Reads a whole file; nothing where it holds anything unusual. The reader is then used up.
pub(super) fn read(reader: &mut Reader<'_>) -> Option<Node> {
    let text = reader.text;
    if !text.chars().all(is_usual) {
        return None;
    }
    let builder = Builder::new(reader, 0);
    let mut simple = Simple { builder, blocks: Vec::new(), line_end: 0 };
    let mut start = 0;
    for line in text.split('\n') {
        simple.line_end = start + line.len();
        simple.line(line)?;
        start = simple.line_end + 1;
    }
    simple.close(|_| true);
    simple.builder.root
}

/// Whether a character stands for itself in comments and scalars: no tab, no carriage return, no
/// byte order mark, nothing that the parser refuses.
fn is_usual(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{A0}'..='\u{FEFE}' | '\u{10000}'..)
}

/// A block collection that is not finished.
struct Block {
    column: usize,
    is_list: bool,
    /// Where the dash or key ends whose value has not come yet.
    awaits: Option<usize>,
}

/// Reads line by line. What is called `rest` is always the rest of the line.
struct Simple<'r, 't> {
    builder: Builder<'r, 't>,
    blocks: Vec<Block>,
    line_end: usize,
}

impl<'t> Simple<'_, 't> {
    fn at(&self, rest: &str) -> usize {
        self.line_end - rest.len()
    }

    fn line(&mut self, line: &'t str) -> Option<()> {
        let mut rest = skip_blanks(line);
        if rest.is_empty() {
            return Some(());
        }
        if rest.starts_with('#') {
            return self.comment(rest);
        }
        let column = |rest: &str| line.len() - rest.len();
        let is_item = rest.starts_with("- ");
        let ends = |block: &Block| {
            let indent = column(rest);
            block.column > indent || (block.column == indent && block.is_list && !is_item)
        };
        self.close(ends);
        while let Some(behind) = rest.strip_prefix("- ") {
            let item = skip_blanks(behind);
            self.enter(column(rest), true, self.at(rest), self.at(item))?;
            rest = item;
        }
        if let Some((key, behind)) = key(rest) {
            let start = self.at(rest);
            let end = start + key.len();
            self.enter(column(rest), false, start, end)?;
            self.builder.scalar(key.into(), ScalarStyle::Plain, 0, start, end);
            rest = skip_blanks(behind);
            if rest.is_empty() || rest.starts_with('#') {
                return self.end_of_line(behind);
            }
        } else if !is_item {
            return None;
        }
        self.blocks.last_mut()?.awaits = None;
        let behind = self.value(rest, 0)?;
        self.end_of_line(behind)
    }

    /// Nothing more on this line, or a comment.
    fn end_of_line(&mut self, behind: &'t str) -> Option<()> {
        let rest = skip_blanks(behind);
        match rest.is_empty() {
            true => Some(()),
            false => behind.starts_with(' ').then(|| self.comment(rest))?,
        }
    }

    fn comment(&mut self, rest: &str) -> Option<()> {
        let text = rest.strip_prefix('#')?.into();
        let span = self.builder.reader.span(self.at(rest), self.line_end);
        self.builder.reader.comments.push(Comment { span, text });
        Some(())
    }

    /// Goes on with the block at a column, or opens it where a value may stand.
    fn enter(&mut self, column: usize, is_list: bool, start: usize, end: usize) -> Option<()> {
        let mut start = start;
        if let Some(block) = self.blocks.last_mut() {
            let awaited = block.awaits.replace(end);
            if block.column == column && block.is_list == is_list {
                leave_empty(&mut self.builder, awaited);
                return Some(());
            }
            block.awaits = None;
            // Items may stand right below the key; the parser then says the list starts at the first.
            let is_below = column == block.column && is_list;
            awaited.filter(|_| column > block.column || is_below)?;
            start = if is_below { end } else { start };
        } else if column > 0 || self.builder.root.is_some() {
            return None;
        }
        self.begin(is_list, start, start)?;
        self.blocks.push(Block { column, is_list, awaits: Some(end) });
        (self.blocks.len() <= DEEPEST).then_some(())
    }

    /// Closes the innermost blocks as long as they end.
    fn close(&mut self, ends: impl Fn(&Block) -> bool) {
        while let Some(block) = self.blocks.pop_if(|block| ends(block)) {
            leave_empty(&mut self.builder, block.awaits);
            self.builder.finish(0, 0);
        }
    }

    /// A scalar or flow collection inside so many flow collections; answers with what stands behind.
    fn value(&mut self, rest: &'t str, depth: usize) -> Option<&'t str> {
        match rest.starts_with(['[', '{']) {
            true => self.flow(rest, depth + 1),
            false => self.scalar(rest, depth > 0),
        }
    }

    fn flow(&mut self, rest: &'t str, depth: usize) -> Option<&'t str> {
        let (opener, behind) = rest.split_at_checked(1)?;
        let is_list = opener == "[";
        let closer = if is_list { ']' } else { '}' };
        let start = self.at(rest);
        self.begin(is_list, start, start + 1).filter(|()| depth <= DEEPEST)?;
        let mut rest = skip_blanks(behind);
        while !rest.starts_with(closer) {
            if !is_list {
                let behind = self.scalar(rest, true)?;
                let is_short = rest.len() - behind.len() <= LONGEST_KEY;
                rest = skip_blanks(behind.strip_prefix(": ").filter(|_| is_short)?);
            }
            rest = skip_blanks(self.value(rest, depth)?);
            match rest.strip_prefix(',') {
                Some(behind) => rest = skip_blanks(behind),
                None => break,
            }
        }
        let end = self.at(rest);
        self.builder.finish(end, end + 1);
        rest.strip_prefix(closer)
    }

    fn begin(&mut self, is_list: bool, start: usize, end: usize) -> Option<()> {
        let children = match is_list {
            true => Children::Seq(self.builder.items.len()),
            false => Children::Map(self.builder.entries.len(), Slot::Key),
        };
        self.builder.begin(start, end, 0, children).ok()
    }

    fn scalar(&mut self, rest: &'t str, in_flow: bool) -> Option<&'t str> {
        let (style, (value, behind)) = match rest.split_at_checked(1)? {
            ("\"", inside) => (ScalarStyle::DoubleQuoted, double_quoted(inside)?),
            ("'", inside) => (ScalarStyle::SingleQuoted, single_quoted(inside)?),
            _ => (ScalarStyle::Plain, plain(rest, in_flow)?),
        };
        self.builder.scalar(value, style, 0, self.at(rest), self.at(behind));
        Some(behind)
    }
}

/// The value of a key that has none.
fn leave_empty(builder: &mut Builder<'_, '_>, awaits: Option<usize>) {
    if let Some(at) = awaits {
        builder.scalar("~".into(), ScalarStyle::Plain, 0, at, at);
    }
}

fn skip_blanks(rest: &str) -> &str {
    rest.trim_start_matches(' ')
}

/// A key of a block mapping, and what stands behind its colon.
fn key(rest: &str) -> Option<(&str, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    let (key, behind) = rest.split_at_checked(rest.find(|c| !is_word(c))?)?;
    let behind = behind.strip_prefix(':')?;
    let is_plain = key.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let is_key = is_plain && !key.ends_with(' ') && key.len() <= LONGEST_KEY;
    (is_key && (behind.is_empty() || behind.starts_with(' '))).then_some((key, behind))
}

/// A scalar without quotes, up to where it may end; whether it does, what stands there decides.
fn plain(rest: &str, in_flow: bool) -> Option<(Cow<'_, str>, &str)> {
    let mut bytes = rest.bytes().peekable();
    let first = bytes.next()?;
    let is_number = first == b'-' && bytes.peek().is_some_and(u8::is_ascii_digit);
    if !first.is_ascii_alphanumeric() && !b"_/.$~".contains(&first) && !is_number {
        return None;
    }
    let mut length = 1;
    let mut before = first;
    while let Some(byte) = bytes.next() {
        let ends = match byte {
            b':' => in_flow || bytes.peek().is_none_or(|next| *next == b' '),
            b'#' => in_flow || before == b' ',
            b',' | b'[' | b']' | b'{' | b'}' => in_flow,
            _ => false,
        };
        if ends {
            break;
        }
        before = byte;
        length += 1;
    }
    let text = rest.get(..length)?.trim_end_matches(' ');
    Some((text.into(), rest.get(text.len()..)?))
}

fn single_quoted(inside: &str) -> Option<(Cow<'_, str>, &str)> {
    let (mut value, mut rest) = (Cow::Borrowed(""), inside);
    loop {
        let (text, behind) = rest.split_once('\'')?;
        value += text;
        match behind.strip_prefix('\'') {
            Some(behind) => rest = behind,
            None => return Some((value, behind)),
        }
        value += "'";
    }
}

fn double_quoted(inside: &str) -> Option<(Cow<'_, str>, &str)> {
    let (mut value, mut rest) = (Cow::Borrowed(""), inside);
    loop {
        let (text, behind) = rest.split_at_checked(rest.find(['"', '\\'])?)?;
        value += text;
        if let Some(behind) = behind.strip_prefix('"') {
            return Some((value, behind));
        }
        let (escape, behind) = behind.split_at_checked(2)?;
        value += match escape {
            r"\\" => "\\",
            r#"\""# => "\"",
            r"\n" => "\n",
            r"\t" => "\t",
            _ => return None,
        };
        rest = behind;
    }
}

#[cfg(test)]
mod tests;
