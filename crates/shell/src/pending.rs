//! The buffers in which words grow. While a word is read, commands inside it may be read too, so
//! everything unfinished lies on stacks: what is inner is finished first.

use super::command::Redirect;
use super::word::{Growing, Word};

/// Everything unfinished.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// The text of unfinished words.
    pub buffer: String,
    /// The words of unfinished commands.
    pub words: Vec<Word>,
    /// The redirections of unfinished commands.
    pub redirects: Vec<Redirect>,
    /// Where unquoted `{`, `,` and `}` stand in the buffer.
    pub braces: Vec<u32>,
    /// Where the names stand that unfinished commands set before their program.
    pub names: Vec<(u32, u32)>,
    /// Where the values of unfinished loops stand in the text of the line.
    pub rounds: Vec<(u32, u32)>,
}

impl Pending {
    pub fn clear(&mut self) {
        self.buffer.clear();
        self.words.clear();
        self.rounds.clear();
        self.redirects.clear();
        self.braces.clear();
        self.names.clear();
    }

    pub fn grow(&self, from: usize) -> Growing {
        Growing::new(self.buffer.len(), self.braces.len(), from)
    }

    /// Takes a finished word's text off the buffer and puts it behind `text`.
    pub fn finish(&mut self, growing: &Growing, to: usize, text: &mut String) -> Word {
        let start = text.len() as u32;
        let grown = self.buffer.get(growing.base..).unwrap_or_default();
        text.push_str(grown);
        let word = growing.word(grown, start..text.len() as u32, to);
        self.drop_text(growing);
        word
    }

    /// Forgets a growing word.
    pub fn drop_text(&mut self, growing: &Growing) {
        self.buffer.truncate(growing.base);
        self.braces.truncate(growing.braces);
    }
}
