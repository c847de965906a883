//! What the user asked for, as it is saved: by the patterns that rules ask for, since of messages nothing is kept.

use behavior_image::format::{PatternRecord, Section};
use behavior_image::{Image, View};
use behavior_intent::scheduled::Scheduled;

use super::bytes::{Reader, put_number, put_text};
use super::error::SavedError;
use crate::asked::{Asked, patterns};

/// What was asked for, read without any rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SavedAsked<'b> {
    asked: Vec<&'b str>,
    offered: Vec<&'b str>,
    scheduled: Scheduled,
    named: Vec<u64>,
    offered_named: Vec<u64>,
    left_alone: Vec<u64>,
    scope: Vec<u64>,
}

fn source(view: View<'_>, pattern: u32) -> &str {
    view.string(view.row::<PatternRecord>(Section::Patterns, pattern).source)
}

pub(super) fn save(asked: &Asked, image: &Image, out: &mut Vec<u8>) {
    for list in [&asked.asked, &asked.offered] {
        put_number(list.len() as u64, out);
        list.iter().for_each(|pattern| put_text(source(image.view(), *pattern), out));
    }
    out.push(u8::from(asked.scheduled.overflowed));
    put_number(asked.scheduled.hashes().len() as u64, out);
    asked.scheduled.hashes().for_each(|hash| put_number(hash, out));
    for list in [&asked.named, &asked.offered_named, &asked.left_alone, &asked.scope] {
        put_number(list.len() as u64, out);
        list.iter().for_each(|hash| put_number(*hash, out));
    }
}

impl<'b> Reader<'b> {
    pub(super) fn asked(&mut self) -> Result<SavedAsked<'b>, SavedError> {
        let (asked, offered) = (self.list(Self::text)?, self.list(Self::text)?);
        let overflowed = self.yes_or_no()?;
        let mut scheduled = Scheduled::default();
        scheduled.overflowed = overflowed;
        self.list(Self::number)?.into_iter().for_each(|hash| scheduled.add_hash(hash));
        let (named, offered_named) = (self.list(Self::number)?, self.list(Self::number)?);
        let (left_alone, scope) = (self.list(Self::number)?, self.list(Self::number)?);
        Ok(SavedAsked { asked, offered, scheduled, named, offered_named, left_alone, scope })
    }
}

impl SavedAsked<'_> {
    /// What of it is about patterns that an image asks for.
    pub(super) fn resume(&self, image: &Image) -> Asked {
        let known = |texts: &[&str]| {
            // Pages of an image are read when they are asked for: the length of a text needs none.
            let view = image.view();
            let is_known = |pattern: &u32| {
                let source = view.row::<PatternRecord>(Section::Patterns, *pattern).source;
                texts.iter().any(|text| view.is_string(source, text.as_bytes()))
            };
            let mut known: Vec<u32> =
                patterns(image).filter(|_| !texts.is_empty()).filter(is_known).collect();
            known.sort_unstable();
            known
        };
        let scheduled = self.scheduled.clone();
        let (asked, offered) = (known(&self.asked), known(&self.offered));
        let mut named = self.named.clone();
        named.sort_unstable();
        let (offered_named, mut left_alone) = (self.offered_named.clone(), self.left_alone.clone());
        left_alone.sort_unstable();
        let mut scope = self.scope.clone();
        scope.sort_unstable();
        Asked { asked, offered, scheduled, named, offered_named, left_alone, scope }
    }
}
