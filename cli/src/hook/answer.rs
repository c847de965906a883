//! From decisions to what the agent is told: one reply for all that an event came to.

use behavior_agents::hook::{Moment, Notice, Reply};
use behavior_runtime::decision::{Action, Decision, Finding, Verdict};
use behavior_runtime::event::Event;
use behavior_runtime::{Image, Session};

use crate::permissions;

/// The reply to decisions on the events of one notice: the strictest verdict, its reasons, and what
/// the agent is told besides.
pub fn reply(
    notice: &Notice<'_>,
    decided: &[(&Event<'_>, Decision)],
    image: &Image,
    _session: &Session,
) -> Reply {
    let mut reply = Reply::default();
    let mut reasons = Vec::new();
    for (_, decision) in decided {
        let verdict = verdict(notice.moment, decision);
        reply.verdict = reply.verdict.max(verdict);
        reasons.extend(of_policy(decision, image));
        for finding in &decision.findings {
            let text = rendered(finding, image);
            if verdict == Some(Verdict::Deny) && finding.action == Action::Block {
                reasons.push(text);
            } else {
                reply.context.push(text);
            }
        }
        reply.context.extend(decision.context.iter().cloned());
        reply.context.extend(decision.directive.clone());
    }
    // What is allowed needs no reason, and an agent's own questions are left to it.
    reply.verdict = reply.verdict.filter(|verdict| *verdict != Verdict::Allow);
    if reply.verdict.is_some() {
        reply.reason = reasons.join("\n\n");
    }
    reply
}

/// What a decision comes to at a moment: `block` stops a call, keeps a result from passing as good,
/// and makes an agent go on that wants to stop.
fn verdict(moment: Moment, decision: &Decision) -> Option<Verdict> {
    let blocks = decision.findings.iter().any(|finding| finding.action == Action::Block);
    match moment {
        Moment::BeforeTool => decision.verdict,
        _ => blocks.then_some(Verdict::Deny),
    }
}

fn of_policy(decision: &Decision, image: &Image) -> Option<String> {
    let permission = decision.permission.as_ref()?;
    let heading = match Verdict::from(permission.action) {
        Verdict::Allow => return None,
        Verdict::Ask => "[BEHAVIOR ASKS]",
        Verdict::Deny => "[BEHAVIOR BLOCKED]",
    };
    let (name, why) = permissions::told(permission, image);
    Some(format!("{heading} {why}\nPolicy: {name}"))
}

fn rendered(finding: &Finding, image: &Image) -> String {
    finding.rendered(image.rule(finding.rule).map_or("", |rule| rule.id))
}
