//! What comes of an event under the rules: the decisions, what of them the agent can do, and what is answered where
//! nothing could be decided.

use std::sync::Arc;
use std::time::Duration;

use behavior_agents::hook::{Agent, Answer, HookEvent, Notice, Reply};
use behavior_runtime::decision::Finding;
use behavior_runtime::event::Event;
use behavior_runtime::{Decision, LayeredSession, Layers, Session, Verdict};

use super::classify::Question;
use super::opening::enter;
use super::steps::{Asking, Decided, Hook, Settled, ToKeep};
use super::trouble::{self, Trouble};
use super::{answer, calls, own_commands, verify};
use crate::live::audit;
use crate::live::grants::Contents;
use crate::live::host::LiveHost;
use crate::live::rules::Which;
use crate::live::state::About;
use crate::live::store::Key;
use crate::simulate::json;
use crate::simulate::summary::Seen;
use crate::{models, project};

impl<'a> Hook<'a> {
    /// Applies the events to the session.
    pub(super) fn apply<'e>(
        &'e self,
        notice: &'e Notice<'_>,
        mut opened: Decided<'e>,
    ) -> Result<Decided<'e>, Trouble> {
        let Decided { layers, session, about, of_broken, .. } = &mut opened;
        let mut host = LiveHost { top: about.top.clone(), ..LiveHost::default() };
        session.apply(&Event::SessionStart(notice.about.clone()), &mut host);
        if self.has_missed {
            session.apply(&Event::TurnStart { text: None }, &mut host);
            let is_call = notice.hook_event == HookEvent::BeforeTool;
            of_broken.extend(is_call.then(|| self.reply_to_missed(notice, layers)));
        }
        let is_unknown = !self.request.agent.abilities().tells_text_before_tools;
        session.each(|session| session.set_text_unknown(is_unknown));
        verify::prepare(self.request.agent, notice, session, about);
        let before = notice.counts_elsewhere.then(|| session.clone());
        let completed = self.completed(notice, about);
        let mut decisions: Vec<(&Event<'_>, Decision)> = Vec::new();
        let mut contents = Contents::new();
        for event in completed.map_or(&*notice.events, std::slice::from_ref) {
            // The disk tells better than a payload what is there now.
            if !matches!(event, Event::Fs(_)) {
                host.grants = self.grants_for(notice, about, event);
                let decision = session.apply(event, &mut host);
                if let Some(mut grants) = host.grants.take() {
                    if decision.verdict != Some(Verdict::Allow) {
                        grants.give_back();
                    }
                    contents.append(&mut grants.into_contents());
                }
                decisions.push((event, decision));
            }
        }
        if notice.is_of_unknown_server {
            decisions.iter_mut().for_each(|(_, decision)| answer::doubt_server(decision, layers));
        }
        let refusals =
            decisions.iter().filter_map(|(event, _)| own_commands::refusal(session, event));
        of_broken.extend(refusals);
        for (event, decision) in &mut decisions {
            of_broken.iter().for_each(|reply| answer::add_broken(event, decision, reply));
        }
        Ok(Decided { before, decisions, contents, ..opened })
    }

    pub(super) fn settle_decision<'e>(
        &self,
        notice: &Notice<'_>,
        mut decided: Decided<'e>,
    ) -> Settled<'e> {
        let agent = self.request.agent;
        let Decided { layers, session, about, decisions, of_broken, remarks, notes, .. } =
            &mut decided;
        let mut reply = answer::reply(notice, decisions, layers, agent);
        of_broken.drain(..).for_each(|one| answer::add(&mut reply, one));
        reply.context.append(notes);
        self.go_on_later(notice, &mut reply, about);
        let may_deny = !notice.stopped_before || reply.limits_itself;
        let is_denied = reply.verdict == Some(Verdict::Deny) && may_deny;
        // What is to be told, the hook that counts tells.
        if !notice.counts_elsewhere {
            reply.context.splice(0..0, std::mem::take(&mut about.later));
        }
        let mut answer = match agent {
            Agent::Native => decision_itself(notice, decisions, layers, session),
            _ => agent.answer(notice, &reply),
        };
        let of_response = verify::Question::of(decisions, session, &reply, about);
        let question = match of_response {
            Some(question) => Some(Asking::Response(question)),
            None => self.question(notice, decisions, session, &reply, about).map(Asking::Message),
        };
        // What waits for its moment is not said once more with what a model says.
        let is_kept = !answer.later.is_empty() && matches!(question, Some(Asking::Response(_)));
        about.later.append(&mut answer.later);
        if is_denied && notice.hook_event == HookEvent::Stop {
            about.going_on = Some(reply.reason.trim().to_owned());
        } else if notice.hook_event == HookEvent::Prompt {
            about.going_on = None;
        }
        // What stands there beside an answer that refuses is taken for the reason.
        if answer.exit_code == 0 {
            answer.stderr.insert_str(0, remarks);
        }
        let question = question.map(|question| {
            let mut reply = reply.clone();
            if is_kept {
                reply.context.clear();
            }
            Box::new((question, reply))
        });
        let denial = is_denied.then_some(reply);
        Settled { answer, to_keep: Some(ToKeep { decided, denial, question }) }
    }

    /// Returns what a model is to be asked about what the user said. That there is none to be asked, the log says
    /// once.
    pub(super) fn question(
        &self,
        notice: &Notice<'_>,
        decisions: &[(&Event<'_>, Decision)],
        session: &LayeredSession,
        reply: &Reply,
        about: &mut About,
    ) -> Option<Question> {
        let is_due = |(_, decision): &(&Event<'_>, Decision)| {
            decision.classifier.is_some_and(|due| due.runs)
        };
        let agent = self.request.agent;
        let missed = match decisions.iter().any(is_due) {
            true => {
                let question = Question::of(notice, decisions, session, agent, reply)?;
                if !question.has_nobody() {
                    return Some(question);
                }
                let choice = models::Choice { layers: session.layers(), trusts_project: true };
                format!("turns are to be classified, and {}", models::nobody(choice))
            }
            false => {
                let is_prompt = notice.hook_event == HookEvent::Prompt;
                if !is_prompt || about.brain_is_missed || !models::is_refused(session.layers()) {
                    return None;
                }
                models::REFUSED.to_owned()
            }
        };
        if !std::mem::replace(&mut about.brain_is_missed, true) {
            self.log.failure(agent.name(), Some(&notice.state_id()), &missed);
        }
        None
    }

    /// Returns the answer to an event that could not be decided on.
    #[cold]
    #[inline(never)]
    pub(super) fn undecided(&self, trouble: Trouble) -> Answer {
        let agent = self.request.agent;
        let notice = match &self.notice {
            Ok(notice) => notice,
            Err(message) => return self.not_understood(message),
        };
        if self.has_missed {
            self.note_missed(notice);
        }
        let trouble = self.with_what_holds_anyhow(notice, trouble);
        let trouble = self.with_what_rules_say(notice, trouble);
        let key = notice.state_id().into_owned();
        self.log.failure(agent.name(), Some(&key), &trouble.message);
        agent.answer(notice, &trouble::reply(&trouble, agent, notice))
    }

    /// Returns the answer to an event of which nobody knows which call it is about, so that nobody can be
    /// asked.
    #[cold]
    #[inline(never)]
    pub(super) fn not_understood(&self, message: &str) -> Answer {
        let agent = self.request.agent;
        self.log.failure(agent.name(), None, message);
        enter(None);
        match self.load(Which::All, &About::default()).on_error() {
            Some(Verdict::Allow) => agent.let_pass(message),
            _ => agent.refuse(message),
        }
    }

    /// Adds what rules say that need nothing of what was lost: those that stop a call whatever happened before.
    fn with_what_holds_anyhow(&self, notice: &Notice<'_>, trouble: Trouble) -> Trouble {
        if notice.hook_event != HookEvent::BeforeTool || trouble.knows_decision() {
            return trouble;
        }
        enter(notice.about.cwd.as_deref());
        let root = std::env::current_dir().ok();
        let about = About { top: project::top(), root, ..About::default() };
        let Some(layers) = self.load(Which::All, &about).decisive().map(Arc::new) else {
            return trouble;
        };
        let mut session = LayeredSession::with(Arc::clone(&layers), |_, image| Session::new(image));
        let mut host = LiveHost { top: about.top.clone(), ..LiveHost::default() };
        session.apply(&Event::SessionStart(notice.about.clone()), &mut host);
        let mut decisions: Vec<(&Event<'_>, Decision)> = Vec::new();
        for event in notice.events.iter() {
            host.grants = self.grants_for(notice, &about, event);
            let mut decision = session.apply(event, &mut host);
            let needs_session = |finding: &Finding| layers.rules().depends_on_session(finding.rule);
            decision.findings.retain(|finding| !needs_session(finding));
            let by_rules = decision.findings.iter().map(Finding::verdict).max();
            let by_policy = decision.permission.map(|permission| Verdict::from(permission.action));
            decision.verdict = by_rules.max(by_policy);
            decisions.push((event, decision));
        }
        let reply = answer::reply(notice, &decisions, &layers, self.request.agent);
        match reply.verdict {
            Some(Verdict::Ask | Verdict::Deny) => trouble.with_decision(&reply),
            Some(Verdict::Allow) | None => trouble,
        }
    }

    /// Adds what the rules say of failures, where it failed before they were asked for.
    pub(super) fn with_what_rules_say(&self, notice: &Notice<'_>, trouble: Trouble) -> Trouble {
        if trouble.knows_rules() {
            return trouble;
        }
        enter(notice.about.cwd.as_deref());
        let loaded = self.load(Which::All, &About::default());
        let trouble = trouble.with_broken_rules(&loaded.broken);
        loaded.layers.iter().fold(trouble, |trouble, layer| trouble.with_rules(&layer.image))
    }

    /// Returns the result with its call, of a program of one's own: the call was told before, and is kept for
    /// that.
    pub(super) fn completed<'e>(
        &self,
        notice: &'e Notice<'_>,
        about: &mut About,
    ) -> Option<&'e Event<'e>> {
        if self.request.agent != Agent::Native {
            return None;
        }
        match notice.events.first()? {
            Event::ToolResult(result) => {
                // Held for good, like the session.
                let call: &'e str = Box::leak(calls::take(&mut about.open, result)?.into());
                Some(Box::leak(Box::new(calls::completed(result, call)?)))
            }
            call @ Event::ToolCall(_) => {
                calls::keep(&mut about.open, call);
                None
            }
            _ => None,
        }
    }

    /// Some agents tell what they write before they want to stop, and only then can be made to go on:
    /// until then, what is wrong with it waits. An agent that goes on by itself is told meanwhile.
    pub(super) fn go_on_later(&self, notice: &Notice<'_>, reply: &mut Reply, about: &mut About) {
        let can = self.request.agent.abilities().keeps_going;
        match notice.hook_event {
            HookEvent::Other if can && reply.verdict == Some(Verdict::Deny) => {
                reply.verdict = None;
                about.unanswered.push(std::mem::take(&mut reply.reason));
            }
            HookEvent::Stop | HookEvent::SubAgentStop if !about.unanswered.is_empty() => {
                let mut reasons = std::mem::take(&mut about.unanswered);
                reasons.extend(reply.verdict.is_some().then(|| std::mem::take(&mut reply.reason)));
                reply.verdict = Some(Verdict::Deny);
                reply.reason = reasons.join("\n\n");
            }
            HookEvent::Other => {}
            _ => {
                reply.context.splice(0..0, std::mem::take(&mut about.unanswered));
            }
        }
    }

    /// Ends the sessions of the sub-agents of a session that is over: not every agent tells of each. What
    /// cannot be ended now is swept one day.
    pub(super) fn end_sub_agents(&self, notice: &Notice<'_>) {
        let Ok(store) = self.store() else { return };
        let name = self.request.agent.name();
        let is_of_this = |key: &Key| {
            key.agent == name && key.session == notice.session && key.sub_agent.is_some()
        };
        for listed in store.list().unwrap_or_default() {
            if listed.key.as_ref().is_some_and(is_of_this) {
                let _ = store.remove_file(&listed.path, Duration::ZERO);
            }
        }
    }

    pub(super) fn log_decisions(
        &self,
        notice: &Notice<'_>,
        decisions: &[(&Event<'_>, Decision)],
        layers: &Layers,
    ) {
        let state_id = notice.state_id();
        for (event, decision) in decisions {
            self.log.decision(&audit::Decided {
                agent: self.request.agent.name(),
                session: &state_id,
                event,
                decision,
                layers,
                took: self.started.elapsed(),
            });
        }
    }

    /// Writes down that the rules of the user and the project are switched off for a session.
    pub(super) fn log_switched_off(&self, notice: &Notice<'_>, about: &About) {
        let by =
            if about.enabled.is_some() { "`behavior session disable`" } else { "`BEHAVIOR=off`" };
        let message = format!("the rules are switched off by {by}, but for the administrator's");
        self.log.failure(self.request.agent.name(), Some(&notice.state_id()), &message);
    }
}

/// Whether some of the events changed the rules that the session made for itself.
pub(super) fn decided_itself(decisions: &[(&Event<'_>, Decision)]) -> bool {
    decisions.iter().any(|(event, _)| matches!(event, Event::Constitution { .. }))
}

/// Returns the answer for a program that takes the decision itself.
pub(super) fn decision_itself(
    notice: &Notice<'_>,
    decisions: &[(&Event<'_>, Decision)],
    layers: &Layers,
    session: &LayeredSession,
) -> Answer {
    let options = json::Options { all: true, state: false, file: false, list: false };
    let report = json::JsonReport::new(layers, options);
    let mut answer = Answer::default();
    for (index, (event, decision)) in (0..).zip(decisions) {
        let name = &*notice.session;
        let seen = Seen { file: "", index, line: 1, name, slot: 0, session, event, decision };
        answer.stdout.push_str(&report.line(&seen));
    }
    answer
}
