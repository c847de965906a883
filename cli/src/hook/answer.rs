//! From decisions to what the agent is told: one reply for all that an event came to.

use behavior_agents::hook::{Agent, HookEvent, Notice, Reply};
use behavior_image::PermissionInfo;
use behavior_image::code::{PermissionAction, ShowUser};
use behavior_runtime::decision::{Action, Decision, Finding, Verdict};
use behavior_runtime::event::{Call, Event, Value};
use behavior_runtime::host::grant_of_policy;
use behavior_runtime::permission::Permission;
use behavior_runtime::{Layer, Layers, Phase};

use crate::permissions;
use crate::person;
use crate::render::one_line;

/// The reply to decisions on the events of one notice: the strictest verdict, its reasons, and what
/// the agent is told besides.
pub fn reply(
    notice: &Notice<'_>,
    decided: &[(&Event<'_>, Decision)],
    layers: &Layers,
    agent: Agent,
) -> Reply {
    let mut reply = Reply { runs_unasked: true, ..Reply::default() };
    let mut reasons = Vec::new();
    reply.nobody_is_there = nobody_is_there(decided, agent);
    let is_asked = agent.asks_about(notice) && !reply.nobody_is_there;
    for (event, decision) in decided {
        let verdict = verdict(notice.hook_event, decision);
        reply.verdict = reply.verdict.max(verdict);
        if let (Event::ToolCall(call), Some(permission)) = (event, &decision.permission) {
            let reason = of_policy(call, permission, layers, is_asked);
            reply.runs_unasked &= reason.is_none();
            reply.for_user.push_str(reason.as_deref().unwrap_or_default());
            reasons.extend(reason);
        }
        for finding in decision.delivered() {
            let text = rendered(finding, verdict, is_asked, layers);
            let stops = finding.verdict() != Verdict::Allow && verdict == Some(finding.verdict());
            let ends_turn = finding.phase == Phase::TurnEnd;
            reply.limits_itself |= ends_turn;
            let stops_call = stops && finding.phase == Phase::PreTool;
            tell_user(finding, stops_call, is_asked, layers, &mut reply);
            if stops || ends_turn {
                reasons.push(text);
            } else {
                reply.context.push(text);
            }
        }
        reply.context.extend(decision.besides().context.iter().cloned());
        reply.context.extend(decision.besides().directive.clone());
        reply.notices.extend(decision.besides().notices.iter().map(|notice| notice.text.clone()));
    }
    // What is allowed needs no reason, and an agent's own questions are left to it.
    reply.verdict = reply.verdict.filter(|verdict| *verdict != Verdict::Allow);
    if reply.verdict.is_some() {
        reply.reason = reasons.join("\n\n");
        reply.remedy = remedy(decided, layers);
    }
    reply
}

/// Says how a user lets run what was stopped; nothing where that is not to be had.
fn remedy(decided: &[(&Event<'_>, Decision)], layers: &Layers) -> String {
    let mut rules: Vec<String> =
        decided.iter().flat_map(|(_, decision)| stopping(decision, layers)).collect();
    rules.dedup();
    let commands: Vec<String> =
        rules.iter().map(|id| format!("`behavior allow {}`", as_argument(id))).collect();
    match commands.as_slice() {
        [] => String::new(),
        commands => {
            format!("They can allow it in a terminal: {}. Then try again.", commands.join(", "))
        }
    }
}

/// A rule as it is written on a command line.
fn as_argument(rule: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/');
    if rule.chars().all(is_plain) { rule.to_owned() } else { format!("'{}'", one_line(rule)) }
}

/// Returns the ids of the rules that stop a call and that its user may allow.
pub fn stopping(decision: &Decision, layers: &Layers) -> Vec<String> {
    let stops = |finding: &&Finding| {
        let rules = layers.rules();
        let is_grantable = rules.get(finding.rule).is_some_and(|rule| rule.is_grantable)
            && rules.layer(finding.rule) != Layer::Administrator;
        finding.verdict() != Verdict::Allow && finding.phase == Phase::PreTool && is_grantable
    };
    let rules = decision.findings.iter().filter(stops);
    let rules = rules.map(|finding| layers.rules().id(finding.rule).to_owned());
    rules.chain(stopping_policy(decision, layers)).collect()
}

/// The rule of a policy that stops a call and that its user may allow, as grants call it.
fn stopping_policy(decision: &Decision, layers: &Layers) -> Option<String> {
    let permission =
        decision.permission.filter(|one| Verdict::from(one.action) != Verdict::Allow)?;
    let rule = permission.doubt.or(permission.rule)?;
    let is_grantable = layers.policy().layer(rule) != Layer::Administrator;
    layers.policy().get(rule).filter(|_| is_grantable).map(|rule| grant_of_policy(rule.name))
}

/// Adds to a decision what is answered for a layer that could not decide.
pub fn add_broken(event: &Event<'_>, decision: &mut Decision, reply: &Reply) {
    let told = reply.context.iter().chain([&reply.reason]).filter(|text| !text.is_empty());
    decision.besides_mut().problems.extend(told.cloned());
    if matches!(event, Event::ToolCall(_)) {
        decision.verdict = decision.verdict.max(reply.verdict);
    }
}

/// Adds what is answered for a layer that could not decide to what the others answer.
pub fn add(reply: &mut Reply, other: Reply) {
    reply.verdict = reply.verdict.max(other.verdict);
    if !other.reason.is_empty() {
        let gap = if reply.reason.is_empty() { "" } else { "\n\n" };
        reply.reason.push_str(&format!("{gap}{}", other.reason));
    }
    reply.context.extend(other.context);
    reply.runs_unasked &= other.verdict.is_none();
    if !other.for_user.is_empty() {
        let gap = if reply.for_user.is_empty() { "" } else { "\n" };
        reply.for_user.push_str(&format!("{gap}{}", other.for_user));
    }
}

/// What a decision comes to at a moment: `block` stops a call, keeps a result from passing as good,
/// and makes an agent go on that wants to stop.
fn verdict(hook_event: HookEvent, decision: &Decision) -> Option<Verdict> {
    let goes_on = |finding: &Finding| finding.phase == Phase::TurnEnd;
    let blocks =
        decision.delivered().any(|finding| finding.verdict() == Verdict::Deny || goes_on(finding));
    match hook_event {
        HookEvent::BeforeTool => decision.verdict,
        _ => blocks.then_some(Verdict::Deny),
    }
}

/// What a policy says of a call that it does not simply allow. Where nobody can be asked about it, the
/// call is denied.
fn of_policy(
    call: &Call<'_>,
    permission: &Permission,
    layers: &Layers,
    is_asked: bool,
) -> Option<String> {
    let verdict = Verdict::from(permission.action);
    let is_denied = verdict == Verdict::Deny || !is_asked;
    let (heading, end) = match verdict {
        Verdict::Allow => return None,
        _ if is_denied => ("[BEHAVIOR BLOCKED]", "\nThe call was not run."),
        _ => ("[BEHAVIOR ASK]", ""),
    };
    let (name, why) = permissions::told(permission, layers);
    let why = unexplained(call, permission, layers).unwrap_or(why);
    Some(format!("{heading} {why}\nPolicy: {name}{end}"))
}

/// What is said of a call by a rule that does not say why.
fn unexplained(call: &Call<'_>, permission: &Permission, layers: &Layers) -> Option<String> {
    let rule = layers.policy().get(permission.doubt.or(permission.rule)?)?;
    if !rule.reason.trim().is_empty() {
        return None;
    }
    let says = match (permission.doubt, Verdict::from(rule.action)) {
        (Some(_), _) => "may be about what policy rule",
        (None, Verdict::Deny) => "is denied by policy rule",
        (None, _) => "is to be asked about by policy rule",
    };
    let end = if permission.doubt.is_some() { " is about" } else { "" };
    Some(format!("`{}` {says} `{}`{end}", subject(call), rule.name.trim()))
}

/// What a call is about, on one line: its command, else its tool.
fn subject(call: &Call<'_>) -> String {
    const MAX_LENGTH: usize = 100;
    let text = match call.param("command") {
        Some(Value::Text(command)) if !command.trim().is_empty() => &**command,
        _ => call.native_tool.as_deref().unwrap_or(&call.tool),
    };
    let line = one_line(text.trim());
    match line.char_indices().nth(MAX_LENGTH) {
        None => line,
        Some(_) => line.chars().take(MAX_LENGTH - 3).chain("...".chars()).collect(),
    }
}

/// Asks about a call of a tool of an MCP server that nobody named, where a rule of the policy is about
/// such tools: which way it decides nobody knows. What is denied stays so.
pub fn doubt_server(decision: &mut Decision, layers: &Layers) {
    let Some(permission) = &mut decision.permission else { return };
    if Verdict::from(permission.action) != Verdict::Allow {
        return;
    }
    let is_about_servers = |rule: &PermissionInfo<'_>| {
        let pattern = rule.pattern.to_ascii_lowercase();
        (pattern.contains("mcp(") || pattern.contains("mcp_") || pattern.contains("__"))
            && Verdict::from(rule.action) != Verdict::Allow
            && rule.mode.is_none_or(|mode| mode == permission.mode)
    };
    // What a rule allows that comes first, no later one of its layer forbids.
    let before = permission.rule.filter(|_| !layers.are_several()).unwrap_or(u32::MAX);
    let doubt = (0..before).zip(layers.policy().iter()).find(|(_, rule)| is_about_servers(rule));
    if let Some((index, _)) = doubt {
        permission.action = PermissionAction::Ask;
        permission.doubt = Some(index);
        decision.verdict = decision.verdict.max(Some(Verdict::Ask));
    }
}

/// Whether an ask would hang, since nobody sits before the agent.
fn nobody_is_there(decided: &[(&Event<'_>, Decision)], agent: Agent) -> bool {
    let is_asked = decided.iter().any(|(_, decision)| decision.verdict == Some(Verdict::Ask));
    is_asked && agent.hangs_without_terminal() && !person::is_at_agent()
}

/// Adds to a reply what a user is shown of a finding, as the layer of its rule says.
fn tell_user(finding: &Finding, stops: bool, is_asked: bool, layers: &Layers, reply: &mut Reply) {
    let rules = layers.rules();
    if stops {
        let rule = rules.get(finding.rule);
        reply.runs_unasked &= rule.is_some_and(|rule| rule.when_unanswered == Verdict::Allow);
    }
    let is_shown = match layers.show_user(finding.rule) {
        ShowUser::None => false,
        ShowUser::Blocks => stops,
        ShowUser::All => true,
    };
    if !is_shown {
        return;
    }
    let gap = if reply.for_user.is_empty() { "" } else { "\n" };
    let does = match finding.action {
        _ if finding.phase == Phase::TurnEnd => "kept the agent from ending its turn",
        Action::Block if stops => "blocked a call",
        Action::Ask if stops && is_asked => "asks about a call",
        Action::Ask if stops => "stopped a call",
        _ => "told the agent",
    };
    let message = finding.message.trim();
    let id = rules.id(finding.rule);
    reply.for_user.push_str(&format!("{gap}behavior {does}: {message} (rule `{id}`)"));
}

/// What a finding tells the agent. An ask is none about a call that something else denies, and where nobody can
/// be asked.
fn rendered(
    finding: &Finding,
    verdict: Option<Verdict>,
    is_asked: bool,
    layers: &Layers,
) -> String {
    let rules = layers.rules();
    let runs_unasked =
        || rules.get(finding.rule).is_some_and(|rule| rule.when_unanswered == Verdict::Allow);
    let action = match finding.action {
        Action::Ask if verdict == Some(Verdict::Deny) => Action::Warn,
        Action::Ask if is_asked => Action::Ask,
        Action::Ask if runs_unasked() => Action::Warn,
        Action::Ask => Action::Block,
        other => other,
    };
    Finding { action, ..finding.clone() }.rendered(rules.id(finding.rule))
}
