//! What a user allows of what rules stop: before a decision what was allowed is looked up, and behind it what was
//! stopped is remembered, so that it can be allowed.

use std::path::Path;

use behavior_agents::hook::Notice;
use behavior_runtime::event::{Call, Event};
use behavior_runtime::{Decision, Layers};

use super::answer;
use super::steps::Hook;
use crate::live::grants::{CallGrants, CallToGrant, Contents, Grants};
use crate::live::now;
use crate::live::state::About;
use crate::project::describe;

impl Hook<'_> {
    /// Returns what the user may have allowed of a call. A hook that does not count takes no grant away from the
    /// one that does.
    pub(super) fn grants_for<'e>(
        &'e self,
        notice: &'e Notice<'_>,
        about: &'e About,
        event: &'e Event<'_>,
    ) -> Option<CallGrants<'e>> {
        let Event::ToolCall(call) = event else { return None };
        let call = call_to_grant(notice, about, call)?;
        Some(CallGrants::new(self.grants()?, call, notice.counts_elsewhere))
    }

    /// Remembers the calls that were stopped, so that their user can allow them.
    pub(super) fn remember_stopped(
        &self,
        notice: &Notice<'_>,
        decisions: &[(&Event<'_>, Decision)],
        layers: &Layers,
        about: &About,
        contents: &Contents,
    ) {
        let agent = self.request.agent.name();
        let Some(grants) = self.grants().filter(|_| !notice.counts_elsewhere) else { return };
        for (event, decision) in decisions {
            let Event::ToolCall(call) = event else { continue };
            let rules = answer::stopping(decision, layers);
            let Some(call) = call_to_grant(notice, about, call) else { continue };
            if rules.is_empty() {
                continue;
            }
            if let Err(error) = grants.remember_call(&call, agent, rules, contents) {
                let message =
                    format!("what was stopped cannot be remembered: {}", describe(&error));
                self.log.failure(agent, Some(&notice.state_id()), &message);
            }
        }
    }

    fn grants(&self) -> Option<Grants<'_>> {
        Some(Grants::in_state(self.state.as_deref()?, self.key.as_ref()?.as_ref().ok()?))
    }
}

fn call_to_grant<'e>(
    notice: &'e Notice<'_>,
    about: &'e About,
    call: &'e Call<'_>,
) -> Option<CallToGrant<'e>> {
    let root = about.root.as_deref()?;
    let directory = notice.about.cwd.as_deref().map_or(root, Path::new);
    Some(CallToGrant { root, session: &notice.session, call, directory, now: now() })
}
