//! A decision on its way into the output, with what is told of its event.

use std::borrow::Cow;

use behavior_runtime::Decision;
use serde_json::value::RawValue;

/// A decision and what is told of its event.
#[derive(Clone, Debug, Default)]
pub struct Row<'a> {
    /// The number of the event in its file, from 0; `None` where a file has no event.
    pub index: Option<u64>,
    /// The line.
    pub line: Option<u32>,
    /// The session's name.
    pub session: Option<Cow<'a, str>>,
    /// The kind of the event.
    pub event: Option<&'static str>,
    /// The canonical name of the tool and the agent's own.
    pub tool: Option<[Cow<'a, str>; 2]>,
    /// The decision.
    pub decision: Cow<'a, Decision>,
    /// The state of the session after the event, if asked for.
    pub state: Option<Box<RawValue>>,
}

impl Row<'_> {
    /// Keeps what it borrows.
    pub fn into_owned(self) -> Row<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Row {
            session: self.session.map(owned),
            tool: self.tool.map(|names| names.map(owned)),
            decision: Cow::Owned(self.decision.into_owned()),
            ..self
        }
    }
}
