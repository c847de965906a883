//! What all answers have in common: what a reply comes to once what the agent cannot do is replaced
//! by the nearest stricter thing. How an agent wants it written, its own folder says.

use behavior_runtime::Verdict;

use crate::notice::{Abilities, Answer, HookEvent, Notice, Reply};
use crate::object::Object;

/// Stands in for a reason that nobody gave: some agents take no refusal without one.
const NO_REASON: &str = "a rule does not allow this";

/// What is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Act {
    /// Nothing: the agent goes its own way.
    #[default]
    Nothing,
    /// The user is asked. Only before a tool.
    Ask,
    /// The call, the prompt or the stop is refused.
    Deny,
}

/// What is to be said, within what the agent can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) act: Act,
    /// Not empty unless nothing is done.
    pub(crate) reason: String,
    pub(crate) context: Vec<String>,
    /// What the user is shown, if anything.
    pub(crate) for_user: Option<String>,
}

/// What `reply` comes to for an agent.
pub(crate) fn settle(can: Abilities, notice: &Notice<'_>, reply: &Reply) -> Said {
    let mut reason = reply.reason.trim().to_owned();
    let texts = reply.context.iter().filter(|text| !text.trim().is_empty());
    let mut context: Vec<String> = texts.cloned().collect();
    let act = act(can, notice, reply);
    if act == Act::Nothing {
        if notice.counts_elsewhere {
            // What is to be told, the hook that counts tells.
            context.clear();
        } else if !reason.is_empty() {
            context.insert(0, reason);
        }
        let for_user = (!reply.for_user.is_empty()).then(|| reply.for_user.clone());
        return Said { context, for_user, ..Said::default() };
    }
    if reason.is_empty() {
        NO_REASON.clone_into(&mut reason);
    }
    if act == Act::Deny
        && reply.verdict == Some(Verdict::Ask)
        && notice.hook_event == HookEvent::BeforeTool
    {
        let why = if can.asks { "nobody is there" } else { "this agent cannot do that" };
        reason = format!("{reason}\n\nIts user would have been asked, but {why}.");
        if !reply.remedy.is_empty() {
            reason = format!("{reason} {}", reply.remedy);
        }
    }
    let is_shown = !reply.for_user.is_empty();
    Said { act, reason, context, for_user: is_shown.then(|| reply.for_user.clone()) }
}

fn act(can: Abilities, notice: &Notice<'_>, reply: &Reply) -> Act {
    let headless = notice.about.headless == Some(true) || reply.nobody_is_there;
    match (notice.hook_event, reply.verdict.unwrap_or(Verdict::Allow)) {
        (_, Verdict::Allow) => Act::Nothing,
        // The hook that counts asks.
        (HookEvent::BeforeTool, Verdict::Ask) if notice.counts_elsewhere => Act::Nothing,
        (HookEvent::BeforeTool, Verdict::Ask) if can.asks && !headless => Act::Ask,
        (HookEvent::BeforeTool, Verdict::Ask) if reply.runs_unasked => Act::Nothing,
        (HookEvent::BeforeTool | HookEvent::Prompt | HookEvent::AfterTool, _) => Act::Deny,
        // An agent that is kept going once for a reason is not kept going for ever, unless the reason ends
        // by itself.
        (HookEvent::Stop | HookEvent::SubAgentStop, Verdict::Deny)
            if can.keeps_going && (!notice.stopped_before || reply.limits_itself) =>
        {
            Act::Deny
        }
        _ => Act::Nothing,
    }
}

impl Said {
    /// The reason with the context behind it, for where there is no other place for context.
    pub(crate) fn whole(&self) -> String {
        let texts = std::iter::once(&self.reason).chain(&self.context);
        let texts: Vec<&str> = texts.map(String::as_str).filter(|text| !text.is_empty()).collect();
        texts.join("\n\n")
    }

    /// The context as one text, if there is any.
    pub(crate) fn context_text(&self) -> Option<String> {
        (!self.context.is_empty()).then(|| self.context.join("\n\n"))
    }

    /// An answer that says nothing now and keeps the context: for the next hook event, or for people once
    /// the session is over.
    pub(crate) fn kept(self, hook_event: HookEvent) -> Answer {
        if hook_event == HookEvent::SessionEnd {
            let stderr = self.context_text().map(|text| for_people(&text)).unwrap_or_default();
            return Answer { stderr, ..Answer::default() };
        }
        Answer { later: self.context, ..Answer::default() }
    }
}

/// An answer on standard output: one line of JSON.
pub(crate) fn json(object: Object) -> Answer {
    let mut stdout = object.finish();
    stdout.push('\n');
    Answer { stdout, ..Answer::default() }
}

/// A text for standard error. Some agents look for JSON there, which this never is.
pub(crate) fn for_people(text: &str) -> String {
    let text = text.trim();
    format!("behavior: {}\n", if text.is_empty() { NO_REASON } else { text })
}

/// The answer for programs of our own, which know what to do with each part of it. It is never empty,
/// so that a hook that did not run cannot be taken for one that allows.
pub(crate) fn plain(said: Said) -> Answer {
    let mut object = Object::new();
    object.text(
        "verdict",
        match said.act {
            Act::Nothing => "allow",
            Act::Ask => "ask",
            Act::Deny => "deny",
        },
    );
    if said.act != Act::Nothing {
        object.text("reason", &said.reason);
    }
    if !said.context.is_empty() {
        object.texts("context", &said.context);
    }
    if let Some(text) = &said.for_user {
        object.text("user", text);
    }
    json(object)
}

/// The answers that Claude Code and Codex have in common.
pub(crate) mod claude_like {
    use super::{Act, Answer, Said, json};
    use crate::notice::Notice;
    use crate::object::Object;

    /// `permissionDecision` with a reason, before a tool. What else is to be said goes into the reason:
    /// that the agent is told of both was not tried. `shows` says whether the user is told of a denial with a
    /// `systemMessage`, which some show by themselves.
    pub(crate) fn permission(notice: &Notice<'_>, said: &Said, shows: bool) -> Answer {
        let decision = if said.act == Act::Ask { "ask" } else { "deny" };
        let mut inner = Object::new();
        inner.text("hookEventName", &notice.name);
        inner.text("permissionDecision", decision);
        inner.text("permissionDecisionReason", &said.whole());
        let mut object = Object::new();
        // Whoever is asked is shown the reason with the question.
        if let Some(text) = said.for_user.as_ref().filter(|_| shows && said.act == Act::Deny) {
            object.text("systemMessage", text);
        }
        specific(object, inner)
    }

    /// `additionalContext`, or nothing at all where there is none.
    pub(crate) fn context(notice: &Notice<'_>, text: Option<&str>) -> Answer {
        match text {
            Some(text) => specific(Object::new(), context_of(notice, text)),
            None => Answer::default(),
        }
    }

    /// `decision: block` with everything that is to be said.
    pub(crate) fn block(said: &Said) -> Answer {
        let mut object = Object::new();
        object.text("decision", "block");
        object.text("reason", &said.whole());
        json(object)
    }

    /// `decision: block` with the reason, and the context in its own place.
    pub(crate) fn block_with_context(notice: &Notice<'_>, said: &Said) -> Answer {
        let Some(text) = said.context_text() else {
            return block(said);
        };
        let mut object = Object::new();
        object.text("decision", "block");
        object.text("reason", &said.reason);
        specific(object, context_of(notice, &text))
    }

    fn context_of(notice: &Notice<'_>, text: &str) -> Object {
        let mut inner = Object::new();
        inner.text("hookEventName", &notice.name);
        inner.text("additionalContext", text);
        inner
    }

    fn specific(mut object: Object, inner: Object) -> Answer {
        object.json("hookSpecificOutput", &inner.finish());
        json(object)
    }
}
