//! What stands around an offset, without the other rules of a long list: where those have no say, nobody need read them.

use super::RuleFile;
use crate::syntax::cursor::Cursor;
use crate::syntax::{Format, cursor_in_part_of_yaml, cursor_in_toml, cursor_in_yaml};

/// A text from which rules are left out that stand before an offset, and behind.
pub(super) struct Nearby {
    /// What is left.
    pub text: String,
    /// How many bytes before the offset are left out.
    pub cut: usize,
}

impl Nearby {
    /// What stands around an offset; `None` where no rule can be left out.
    pub fn at(file: &RuleFile, offset: usize) -> Option<Self> {
        let layout = file.layout().filter(|layout| layout.is_end_known())?;
        // What stands before the dash of a rule may belong to the one above.
        let item = layout.item_at(offset as u32)?;
        let own = layout.range(item.saturating_sub(1))?.start..layout.range(item)?.end;
        let list = layout.range(0)?.start..layout.range(layout.len().checked_sub(1)?)?.end;
        let part = |start: u32, end: u32| file.text().get(start as usize..end as usize);
        let rest = file.text().get(list.end as usize..)?;
        let text = [part(0, list.start)?, part(own.start, own.end)?, rest].concat();
        Some(Self { text, cut: (own.start - list.start) as usize })
    }
}

/// Where an offset is in a file that is being typed.
pub(super) fn cursor_at(file: &RuleFile, offset: usize) -> Option<Cursor> {
    if file.format == Format::Toml {
        return cursor_in_toml(file.text(), offset);
    }
    let nearby = Nearby::at(file, offset);
    let found = nearby.and_then(|nearby| {
        let found = cursor_in_part_of_yaml(&nearby.text, offset - nearby.cut)?;
        Some(found.map(|cursor| Cursor { start: cursor.start + nearby.cut, ..cursor }))
    });
    found.unwrap_or_else(|| cursor_in_yaml(file.text(), offset))
}
