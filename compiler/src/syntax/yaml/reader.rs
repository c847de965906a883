//! What all parts of the reader of YAML share: where it is in the text, which block collections are
//! open, and the tree so far.

use super::explain::Fault;
use super::tree::{AnchorId, TreeBuilder};
use crate::source::FileId;
use crate::syntax::cursor::Step;
use crate::syntax::scalar::{behind_break, byte, is_blank};

/// The longest key without a `?`, in characters.
pub(super) const MAX_KEY_CHARACTERS: usize = 1024;

/// So many brackets may be left open in a file before lines between brackets must be indented, which
/// keeps the time linear: each may be looked for down to the end of the file.
pub(super) const MAX_OPEN_BRACKETS: usize = 64;

pub(super) type Result<T> = std::result::Result<T, Fault>;

/// What may stand before a value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Properties {
    pub anchor: Option<AnchorId>,
    pub has_tag: bool,
    /// Where the first stands.
    pub start: usize,
}

impl Properties {
    pub fn any(self) -> bool {
        self.anchor.is_some() || self.has_tag
    }
}

/// What the reader was in the middle of at the end of the text.
#[derive(Debug)]
pub(super) struct End {
    pub what: Unfinished,
    pub path: Vec<Step>,
    /// Where the mapping starts whose key comes, and its keys so far; `None` where no key comes.
    pub keys: Option<(usize, Vec<String>)>,
    /// The column of the innermost block collection.
    pub column: isize,
}

/// Something that the text ends in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unfinished {
    /// A comment, or something complete behind which nothing can be written.
    Nothing,
    /// Text without quotes that starts here, on a line of its own or behind a dash if it is `fresh`.
    Plain { start: usize, is_fresh: bool, in_flow: bool },
    /// Text behind a quote, which stands at `start`.
    Quoted { start: usize, in_flow: bool },
    /// The lines of a block scalar, whose header ends here.
    Block { start: usize },
    /// The place behind a bracket, comma or colon in brackets.
    Flow,
    /// The place behind a key.
    Value,
    /// A value on a line of its own or behind a dash; or a key there.
    Fresh,
    /// The dash of a further item.
    Dash,
}

/// Reads one document.
pub(super) struct Reader<'t> {
    pub file: FileId,
    pub text: &'t str,
    pub tree: TreeBuilder<'t>,
    /// Where reading is.
    pub at: usize,
    /// Where the line starts that reading is on.
    pub line_start: usize,
    pub blocks: Vec<Block>,
    /// What stands before a value that has not come yet, on the lines above.
    pub properties: Properties,
    /// Where the root's value is to come; `None` once it has.
    pub root: Option<usize>,
    /// Whether a `---` was seen.
    pub has_marker: bool,
    /// Whether the document is over: `...` was seen, or something was that ends all reading.
    pub is_over: bool,
    /// Up to which column tabs may not stand at the start of a line.
    pub tab_limit: isize,
    /// The first line between brackets that is not indented, and what is wrong if they stay open.
    pub breach: Option<(usize, Fault)>,
    pub open_brackets: usize,
    /// The innermost bracket that is open.
    pub bracket: usize,
    /// Whether a value stands between it, or the last comma or colon in it, and where reading is.
    pub is_complete: bool,
    /// The line to go on with where something was left open above it.
    pub resume: Option<usize>,
    /// Where characters are that no YAML file may hold, ascending.
    pub unprintable: Vec<usize>,
    /// Whether anything failed to parse.
    pub has_failed: bool,
    /// Whether something was looked at that is no part of the entry at hand, or stands for something else: an anchor, an
    /// alias or a tag; brackets that lines run out of; a quote that goes on in an entry behind.
    pub is_entangled: bool,
    /// Where the key or dash of the entry at hand starts.
    pub entry_start: usize,
    /// Whether the end of the text is a cursor, and what it is in the middle of.
    is_up_to_cursor: bool,
    pub end: Option<End>,
    /// How many diagnostics there were when the value at hand began.
    pub known: usize,
}

/// A block collection that is not finished.
pub(super) struct Block {
    pub column: isize,
    pub is_list: bool,
    pub state: State,
}

/// What a block collection waits for; the offsets are those behind the indicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The next item or key.
    Entry,
    /// The key behind a `?`.
    Key(usize),
    /// The `:` of such a key.
    Colon(usize),
    /// The value behind a `:` or a dash.
    Value(usize),
}

impl<'t> Reader<'t> {
    pub(super) fn new(file: FileId, text: &'t str) -> Self {
        Self {
            file,
            text,
            tree: TreeBuilder::new(file, text),
            at: 0,
            line_start: 0,
            blocks: Vec::new(),
            properties: Properties::default(),
            root: Some(0),
            has_marker: false,
            is_over: false,
            tab_limit: -1,
            breach: None,
            open_brackets: 0,
            bracket: 0,
            is_complete: false,
            resume: None,
            unprintable: unprintable(text),
            has_failed: false,
            is_entangled: false,
            entry_start: 0,
            is_up_to_cursor: false,
            end: None,
            known: 0,
        }
    }

    /// Whether each entry of what was read is what it is by itself, be it something that did not parse, and the text
    /// did not end early.
    pub(super) fn is_regular(&self) -> bool {
        !self.is_entangled && !self.is_over
    }

    /// Reads a text that ends at a cursor.
    pub(super) fn up_to_cursor(text: &'t str) -> Self {
        Self { is_up_to_cursor: true, ..Self::new(FileId(0), text) }
    }

    /// Notes what the text ends in the middle of, the first time that its end is met.
    pub(super) fn note_end(&mut self, what: Unfinished) {
        if !self.is_up_to_cursor || self.byte(self.at) != 0 || self.end.is_some() {
            return;
        }
        let (path, keys) = (self.tree.path(), self.tree.keys());
        self.end = Some(End { what, path, keys, column: self.block_column() });
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        byte(self.text, at)
    }

    pub(super) fn get(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Whether an indicator ends at an offset: a blank, a line break or the end of the text is there.
    pub(super) fn is_space(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\t' | b'\n' | b'\r' | 0)
    }

    pub(super) fn is_line_end(&self, at: usize) -> bool {
        matches!(self.byte(at), b'\n' | b'\r' | 0)
    }

    pub(super) fn skip_blanks(&mut self) {
        while is_blank(self.byte(self.at)) {
            self.at += 1;
        }
    }

    pub(super) fn skip_break(&mut self) {
        self.at = behind_break(self.text, self.at);
        self.line_start = self.at;
    }

    /// The column of an offset on the line at hand, in characters.
    pub(super) fn column(&self, at: usize) -> isize {
        self.get(self.line_start, at).chars().count() as isize
    }

    /// The column of the innermost block collection; -1 where there is none.
    pub(super) fn block_column(&self) -> isize {
        self.blocks.last().map_or(-1, |block| block.column)
    }

    /// Goes behind a comment.
    pub(super) fn comment(&mut self) {
        let start = self.at;
        while !self.is_line_end(self.at) {
            self.at += 1;
        }
        self.note_end(Unfinished::Nothing);
        self.tree.comment(start, self.at);
    }

    /// Goes to the end of the line, behind a comment at most.
    pub(super) fn end_of_line(&mut self) -> Result<()> {
        self.skip_blanks();
        match self.byte(self.at) {
            b'\n' | b'\r' | 0 => Ok(()),
            b'#' if is_blank(self.byte(self.at - 1)) => {
                self.comment();
                Ok(())
            }
            _ => Err(Fault::EndOfLine { at: self.at }),
        }
    }
}

/// The places of characters that YAML allows nowhere.
fn unprintable(text: &str) -> Vec<usize> {
    // Without a branch for each byte, which lets the compiler look at many of them at once.
    let is_suspicious = |byte: &u8| {
        ((*byte < b' ') & !matches!(*byte, b'\t' | b'\n' | b'\r'))
            | (*byte == 0x7F)
            | (*byte == 0xC2)
            | (*byte == 0xEF)
    };
    let mut pieces = text.as_bytes().chunks(4096);
    if !pieces.any(|piece| piece.iter().fold(false, |any, byte| any | is_suspicious(byte))) {
        return Vec::new();
    }
    let is_bad = |c: char| {
        matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{84}'
            | '\u{86}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
    };
    text.char_indices().filter(|(_, c)| is_bad(*c)).map(|(at, _)| at).collect()
}
