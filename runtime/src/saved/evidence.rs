//! What the agent has looked at, as it is saved. Of a response that has not ended, the text is kept without secrets.

use behavior_image::VerifierConfig;
use behavior_secrets::{is_to_be_hidden, redacted};

use super::bytes::{Reader, put_number, put_optional, put_text};
use super::error::{SavedError, damaged};
use crate::state::State;
use crate::state::evidence::{Evidence, Seen};
use crate::state::names::Names;

/// What the agent has looked at, read without any rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SavedEvidence<'b> {
    evidence: Option<SavedSeen<'b>>,
    response: Option<&'b str>,
    names: Vec<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct SavedSeen<'b> {
    flags: u32,
    calls: Vec<(&'b str, u32)>,
    inspections: Vec<(&'b str, u32)>,
}

pub(super) fn save(state: &State, out: &mut Vec<u8>) {
    out.push(u8::from(state.evidence.is_some()));
    if let Some(evidence) = &state.evidence {
        put_number(evidence.flags.into(), out);
        for list in [&evidence.calls, &evidence.inspections] {
            put_number(list.len() as u64, out);
            for seen in list {
                put_text(&seen.text, out);
                put_number(seen.turn.into(), out);
            }
        }
    }
    let response = state.response.as_deref();
    match response.filter(|text| is_to_be_hidden(text)) {
        Some(text) => put_optional(Some(&redacted(text, usize::MAX)), out),
        None => put_optional(response, out),
    }
    let names = state.names.as_deref().map(|names| &names.0);
    put_number(names.map_or(0, |names| names.len()) as u64, out);
    out.extend(names.into_iter().flatten().flat_map(|name| name.to_le_bytes()));
}

impl<'b> Reader<'b> {
    pub(super) fn evidence(&mut self) -> Result<SavedEvidence<'b>, SavedError> {
        let evidence = if self.yes_or_no()? { Some(self.seen()?) } else { None };
        let response = self.optional()?;
        let names = self.list(Self::four_bytes)?;
        if names.len() > Names::KEPT {
            return Err(damaged("it remembers too many names of files"));
        }
        Ok(SavedEvidence { evidence, response, names })
    }

    fn seen(&mut self) -> Result<SavedSeen<'b>, SavedError> {
        let flags = self.small_number()?;
        let mut list = || self.list(|reader| Ok((reader.text()?, reader.small_number()?)));
        let seen = SavedSeen { flags, calls: list()?, inspections: list()? };
        match seen.calls.len().max(seen.inspections.len()) > Evidence::KEPT {
            true => Err(damaged("it remembers too much of what was looked at")),
            false => Ok(seen),
        }
    }
}

impl SavedEvidence<'_> {
    /// Puts it into a state that asks for it.
    pub(super) fn resume(self, state: &mut State) {
        let list = |saved: Vec<(&str, u32)>| {
            saved.into_iter().map(|(text, turn)| Seen { text: text.into(), turn }).collect()
        };
        if let Some(saved) = self.evidence {
            // What is kept where the rules have no verifier is kept since the user wants one.
            let usual = || Box::new(Evidence::of(VerifierConfig::STANDARD.window_turns));
            let evidence = state.evidence.get_or_insert_with(usual);
            **evidence = Evidence {
                calls: list(saved.calls),
                inspections: list(saved.inspections),
                judged: None,
                flags: saved.flags,
                window: evidence.window,
            };
        }
        if state.evidence.is_some() || state.names.is_some() {
            state.response = self.response.map(Into::into);
        }
        if let Some(names) = &mut state.names {
            names.0 = self.names.into();
        }
    }
}
