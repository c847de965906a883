//! Patterns that are nothing but texts with anything between them: they are matched by looking for the
//! texts, and need no automaton.

use behavior_image::pieces::Traits;

use super::syntax::{Item, Look, Node, Repeat};

/// Texts that stand in their order, with anything between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The texts; in lower case and ASCII where case does not count.
    pub texts: Vec<Box<str>>,
    /// Bits of [`Traits`].
    pub traits: u32,
}

/// What a pattern comes down to, if it is nothing but that.
pub(super) fn of(root: &Item) -> Option<Pieces> {
    let mut reading = Reading::default();
    reading.item(root)?;
    reading.finish()
}

#[derive(Default)]
struct Reading {
    texts: Vec<String>,
    /// The last text goes on.
    is_open: bool,
    starts: bool,
    ends: bool,
    /// A gap came before the first text, or behind the last.
    begins_with_gap: bool,
    /// Whether case counts, once a letter told.
    folds: Option<bool>,
    /// Whether what stands between texts may hold a line's end, once that was told.
    spans_lines: Option<bool>,
}

/// Notes what one part says and another may have said before; `None` where they do not agree.
fn agree(known: &mut Option<bool>, next: bool) -> Option<()> {
    (*known.get_or_insert(next) == next).then_some(())
}

impl Reading {
    fn item(&mut self, item: &Item) -> Option<()> {
        if self.ends {
            return None;
        }
        match &item.node {
            Node::Group(inner) => self.item(inner),
            Node::Concat(items) => items.iter().try_for_each(|item| self.item(item)),
            Node::Literal { character, fold } => self.letter(*character, *fold),
            Node::Repeat(Repeat { item, min: 0, max: None, .. }) => match item.node {
                Node::Dot { newline } => self.gap(newline),
                _ => None,
            },
            Node::Look(Look::TextStart) if self.texts.is_empty() && !self.begins_with_gap => {
                self.starts = true;
                Some(())
            }
            Node::Look(Look::TextEnd) => {
                self.ends = true;
                Some(())
            }
            _ => None,
        }
    }

    fn letter(&mut self, letter: char, fold: bool) -> Option<()> {
        if fold && !letter.is_ascii() {
            return None;
        }
        if letter.is_ascii_alphabetic() || !letter.is_ascii() {
            agree(&mut self.folds, fold)?;
        }
        if !self.is_open {
            self.texts.push(String::new());
            self.is_open = true;
        }
        self.texts.last_mut()?.push(letter);
        Some(())
    }

    fn gap(&mut self, newline: bool) -> Option<()> {
        agree(&mut self.spans_lines, newline)?;
        self.begins_with_gap |= self.texts.is_empty();
        self.is_open = false;
        Some(())
    }

    fn finish(self) -> Option<Pieces> {
        let folds = self.folds == Some(true);
        let in_line = self.spans_lines == Some(false);
        let ends_with_gap = !self.is_open;
        // A gap at an end of the text, whatever it holds, leaves nothing to ask for there.
        let starts = self.starts && !self.begins_with_gap;
        let ends = self.ends && !ends_with_gap;
        let has_break = self.texts.iter().any(|text| text.contains('\n'));
        if in_line && (self.starts || self.ends || has_break) {
            return None;
        }
        // Nothing but the empty text.
        if self.texts.is_empty() && self.starts && self.ends && !self.begins_with_gap {
            return None;
        }
        let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        let traits = bit(starts && !self.texts.is_empty(), Traits::STARTS)
            | bit(ends && !self.texts.is_empty(), Traits::ENDS)
            | bit(folds, Traits::FOLDS)
            | bit(in_line && self.texts.len() > 1, Traits::LINE);
        let text = |text: String| if folds { text.to_ascii_lowercase() } else { text };
        let texts = self.texts.into_iter().map(|one| text(one).into_boxed_str()).collect();
        Some(Pieces { texts, traits })
    }
}
