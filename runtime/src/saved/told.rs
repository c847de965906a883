//! What an agent was told, as it is saved: by the ids of rules.

use behavior_image::Image;

use super::bytes::{Reader, put_number, put_text};
use super::error::{SavedError, damaged};
use crate::delivery::{Told, ToldOfRule};

/// What an agent was told, read without any rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SavedTold<'b> {
    this_turn: u32,
    rules: Vec<(&'b str, ToldOfRule)>,
}

pub(super) fn save(told: &Told, image: &Image, out: &mut Vec<u8>) {
    put_number(told.this_turn.into(), out);
    put_number(told.rules.len() as u64, out);
    for (rule, of_rule) in &told.rules {
        put_text(image.rules().id(*rule), out);
        put_number(of_rule.turn.into(), out);
        put_number(of_rule.calls, out);
        put_number(of_rule.ends.into(), out);
        put_number(of_rule.targets.len() as u64, out);
        out.extend(of_rule.targets.iter().flat_map(|target| target.to_le_bytes()));
    }
}

impl<'b> Reader<'b> {
    pub(super) fn told(&mut self) -> Result<SavedTold<'b>, SavedError> {
        Ok(SavedTold {
            this_turn: self.small_number()?,
            rules: self.list(|reader| Ok((reader.text()?, reader.told_of_rule()?)))?,
        })
    }

    fn told_of_rule(&mut self) -> Result<ToldOfRule, SavedError> {
        let of_rule = ToldOfRule {
            turn: self.small_number()?,
            calls: self.number()?,
            ends: self.small_number()?,
            targets: self.list(Self::four_bytes)?,
        };
        match of_rule.targets.len() > ToldOfRule::MAX_TARGETS {
            true => Err(damaged("it remembers too much of what was told")),
            false => Ok(of_rule),
        }
    }

    pub(super) fn four_bytes(&mut self) -> Result<u32, SavedError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(damaged("it ends too early"))?;
        self.rest = rest;
        Ok(u32::from_le_bytes(*bytes))
    }
}

impl SavedTold<'_> {
    /// What of it is about rules that an image has.
    pub(super) fn resume(self, image: &Image) -> Told {
        let known = self.rules.into_iter().filter_map(|(id, told)| {
            let rule = image.rules().find(id)?;
            Some((rule, told))
        });
        Told { this_turn: self.this_turn, rules: known.collect() }
    }
}
