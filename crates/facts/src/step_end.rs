//! What is told of a step that has ended.

use std::borrow::Cow;

/// A step has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepEnd<'a> {
    /// Its index among all entries of the template's steps, from 0. An inserted step has that of the step it follows.
    pub step: u32,
    /// The agent that ran, where that is told.
    pub agent: Option<Cow<'a, str>>,
    /// Whether the agent succeeded.
    pub ok: bool,
    /// What the agent said.
    pub output: Option<Cow<'a, str>>,
    /// The text of the control file that it left, where it left one.
    pub control: Option<Cow<'a, str>>,
    /// Why the control file that it left cannot be read as a text, where that is so.
    pub unreadable: Option<Cow<'a, str>>,
    /// What came of oversight, where the control file asked for it.
    pub oversight: Option<Oversight<'a>>,
}

/// What came of asking for oversight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oversight<'a> {
    /// The advice.
    Advice(Cow<'a, str>),
    /// Nobody answered, for this reason.
    Failed(Cow<'a, str>),
}

impl Default for StepEnd<'_> {
    fn default() -> Self {
        Self {
            step: 0,
            agent: None,
            ok: true,
            output: None,
            control: None,
            unreadable: None,
            oversight: None,
        }
    }
}

impl StepEnd<'_> {
    /// Returns it with all that it borrows.
    #[must_use]
    pub fn into_owned(self) -> StepEnd<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        StepEnd {
            step: self.step,
            agent: self.agent.map(own),
            ok: self.ok,
            output: self.output.map(own),
            control: self.control.map(own),
            unreadable: self.unreadable.map(own),
            oversight: self.oversight.map(|oversight| match oversight {
                Oversight::Advice(advice) => Oversight::Advice(own(advice)),
                Oversight::Failed(reason) => Oversight::Failed(own(reason)),
            }),
        }
    }
}
