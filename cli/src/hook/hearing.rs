//! Whether what the user says is taken up. What he says counts as missed until it is kept: a hook may fail, be killed, or take too
//! long, and then what he forbids nobody knows.

use behavior_agents::hook::{HookEvent, Notice, Reply};
use behavior_runtime::Layers;

use super::steps::Hook;
use super::trouble::{self, Trouble};
use crate::live::missed;

impl Hook<'_> {
    /// Finds out whether a message of the user was missed. What he says now counts as missed until it is kept: this process
    /// may be ended before.
    pub(super) fn look_for_missed(&mut self) {
        let Ok(notice) = &self.notice else { return };
        if !matches!(notice.hook_event, HookEvent::Prompt | HookEvent::BeforeTool) {
            return;
        }
        self.has_missed = self.take_missed(notice);
        if notice.hook_event == HookEvent::Prompt && notice.sub_agent.is_none() {
            self.note_missed(notice);
        }
    }

    /// Notes that what the user says was taken up.
    pub(super) fn has_heard(&self) {
        if let Ok(notice) = &self.notice
            && notice.hook_event == HookEvent::Prompt
        {
            self.take_missed(notice);
        }
    }

    /// Notes that what the user says may be missed.
    pub(super) fn note_missed(&self, notice: &Notice<'_>) {
        if let Some(state) = &self.state {
            missed::note(state, self.request.agent.name(), &notice.session);
        }
    }

    /// Whether a message of the user was missed; that it was, is noted no more. A sub-agent has a session of its own, and
    /// leaves the word to whom the user spoke to.
    fn take_missed(&self, notice: &Notice<'_>) -> bool {
        let state = self.state.as_ref().filter(|_| notice.sub_agent.is_none());
        state.is_some_and(|state| missed::take(state, self.request.agent.name(), &notice.session))
    }

    /// What comes of the first call behind a message that nobody took up: it may have said no to it.
    #[cold]
    pub(super) fn reply_to_missed(&self, notice: &Notice<'_>, layers: &Layers) -> Reply {
        const MESSAGE: &str = "the user's last message was not taken up, so nobody can tell what it forbids. If it \
                               forbids anything, it has to be said again";
        let trouble = Trouble::new(MESSAGE).with_layers(layers);
        trouble::reply(&trouble, self.request.agent, notice)
    }
}
