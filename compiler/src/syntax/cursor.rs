//! Where a cursor is in text that is being typed: the keys and items on the way there, and what can be
//! written at it.

/// A step from the root of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list.
    Item,
}

/// Where a cursor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The way to the mapping whose key stands here, or to the value.
    pub path: Vec<Step>,
    /// What stands here.
    pub site: Site,
    /// Where what is being written starts.
    pub start: usize,
}

/// What the answer to where a cursor is depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// On the entry that it is in, and those around it.
    OnEntry,
    /// On other parts of the text, too.
    OnMore,
}

/// What can be written at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// A key of a mapping.
    Key {
        /// The keys that the mapping has.
        others: Vec<String>,
    },
    /// A new item of a block list, from its dash on.
    Dash,
    /// A value on a line of its own or behind a dash, which may become a mapping.
    Fresh,
    /// The header of a table, from its bracket on.
    Header,
    /// A value behind its key or in brackets.
    Inline {
        /// The quote that it is in.
        quote: Option<char>,
        /// Whether it stands in brackets.
        flow: bool,
    },
}
