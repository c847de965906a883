//! What rules say of a session.

use std::borrow::Cow;
use std::sync::Arc;

use behavior_image::code::PermissionAction;
use behavior_runtime::decision::Decision;
use behavior_runtime::event::{Call, Event, Param, ToolResult, Value};
use behavior_runtime::{Image, Replay};

use crate::diagnostic::Happening;

/// What was found of one thing that happened.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The rules that fired, with what they tell the agent.
    pub rules: Vec<(String, String)>,
    /// What the policy says of a call.
    pub permission: Option<PermissionAction>,
}

impl Said {
    /// What a rule says, if it fires.
    pub fn by(&self, rule: &str) -> Option<&str> {
        self.rules.iter().find(|(id, _)| id == rule).map(|(_, message)| &**message)
    }
}

/// Has rules decide on a session.
pub(super) fn play(image: &Arc<Image>, session: &[Happening]) -> Vec<Said> {
    let mut replay = Replay::new(Arc::clone(image));
    session.iter().map(|one| said(&mut replay, image, one)).collect()
}

fn said(replay: &mut Replay, image: &Image, one: &Happening) -> Said {
    let mut said = Said::default();
    for event in events(one) {
        let decision = replay.apply("shown", &event);
        add(&mut said, image, &decision);
        // A call that does not run has no result.
        if decision.verdict() == behavior_runtime::decision::Verdict::Deny {
            break;
        }
    }
    said
}

fn add(said: &mut Said, image: &Image, decision: &Decision) {
    let rules = image.rules();
    for finding in decision.findings.iter().filter(|finding| !finding.is_undecided) {
        let id = rules.get(finding.rule).map_or("", |rule| rule.id);
        said.rules.push((id.to_owned(), finding.message.clone()));
    }
    said.permission = said.permission.or(decision.permission.map(|it| it.action));
}

/// The events that it is: of a call its result, too.
fn events(one: &Happening) -> Vec<Event<'_>> {
    match one {
        Happening::Call { tool, params, .. } => {
            let value = |text: &'_ str| Value::Text(Cow::Owned(text.to_owned()));
            let param = |(name, text): &(String, String)| Param {
                name: Cow::Owned(name.clone()),
                native: None,
                value: value(text),
            };
            let params = params.iter().map(param).collect();
            let call = Call { tool: Cow::Borrowed(tool), params, ..Call::default() };
            let result = ToolResult { call: Some(call.clone()), ok: true, ..ToolResult::default() };
            vec![Event::ToolCall(call), Event::ToolResult(result)]
        }
        Happening::Text(text) => vec![Event::Text { text: Cow::Borrowed(text) }],
        Happening::TurnEnd(text) => vec![Event::TurnEnd { text: Some(Cow::Borrowed(text)) }],
    }
}
