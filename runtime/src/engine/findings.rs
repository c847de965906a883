//! The rules that may fire on an event, looked at in their order, and what becomes of those that do. Changes no state but what
//! is counted of findings.

use super::{Engine, Started};
use crate::context::EvaluationContext;
use crate::decision::{Action, Decision, Finding, Phase, Undecided, action_in_doubt};
use crate::delivery::{Moment, hash};
use crate::eval::{Machine, Observer, set_key};
use crate::host::Host;
use crate::met_tools::Tools;
use crate::prepared_rule::PreparedRule;
use crate::prepared_rules::PreparedRules;
use crate::select::PhaseRules;
use crate::state::State;
use behavior_facts::truth::Truth;
use behavior_image::RuleTest;
use behavior_image::format::RuleRecord;

impl Engine {
    /// Looks at the rules that may fire on the context, in order.
    pub(super) fn look<O: Observer>(
        &mut self,
        tool: u32,
        context: &EvaluationContext<'_>,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        let Self {
            image,
            state,
            tools,
            open,
            scratch,
            start,
            text_unknown,
            takes_grants,
            wants,
            ..
        } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return };
        let Some(rules) = entry.phases.get(context.phase as usize) else { return };
        if rules.is_empty() && !O::THOROUGH {
            return;
        }
        let prepared = match O::THOROUGH {
            true => None,
            false => rules.prepared(image, context.phase, &entry.groups, &entry.transitions),
        };
        let by_numbers = prepared.map(|some| some.by_numbers(state, context.consecutive));
        let by_numbers = by_numbers.unwrap_or_default();
        if let Some(prepared) = prepared.filter(|prepared| prepared.is_by_numbers()) {
            let selected = by_numbers.open;
            if selected == 0 {
                return;
            }
            let are_remarks = prepared.are_remarks(selected) && prepared.are_certain(selected);
            if are_remarks && start.counts_all() {
                add_remarks((prepared, selected), context.phase, decision, |_, _| true);
                return tell_remarks(state, wants.max_per_turn, decision);
            }
        }
        let mut machine = Machine::new(image, state, context, start.cwd.as_deref(), host, scratch);
        machine.text_unknown = *text_unknown;
        machine.told_branch = start.branch.as_deref();
        machine.is_subagent = start.is_subagent;
        machine.takes_grants = *takes_grants;
        match prepared {
            Some(prepared) => {
                let selected = prepared.selected(by_numbers, &mut machine, &entry.groups);
                if context.phase == Phase::PreTool {
                    open.note_resets(selected.resets);
                }
                let rules = (prepared, selected.rules);
                if selected.rules == 0 {
                    return;
                }
                if prepared.are_remarks(selected.rules) && start.counts_all() {
                    add_remarks(rules, context.phase, decision, |rule, decision| {
                        rule.is_certain || holds(&mut machine, rule, tools, observer, decision)
                    });
                    return tell_remarks(state, wants.max_per_turn, decision);
                }
                test_prepared(&mut machine, rules, start, tools, observer, decision);
            }
            None => {
                let rules = (rules, &*entry.groups);
                test_selected(&mut machine, rules, start, tools, observer, decision);
            }
        }
        if decision.findings.is_empty() {
            return;
        }
        count_violations(state, &decision.findings);
        let moment = Moment { turn: state.turn, calls: state.total_calls };
        state.told.deliver(image, moment, &mut decision.findings, || {
            let target = context.params.target()?;
            Some(hash(&set_key(target, start.cwd.as_deref(), host, &mut scratch.path)))
        });
    }
}

/// Adds those of some prepared rules whose bits are set and whose conditions hold, all of which are
/// [remarks](PreparedRules::are_remarks).
#[inline]
fn add_remarks(
    (prepared, mut selected): (&PreparedRules, u64),
    phase: Phase,
    decision: &mut Decision,
    mut holds: impl FnMut(&PreparedRule, &mut Decision) -> bool,
) {
    while selected != 0 {
        let bit = selected.trailing_zeros();
        selected &= selected - 1;
        let Some(rule) = prepared.rule(bit) else { return };
        if holds(rule, decision) {
            add_remark(rule, phase, decision);
        }
    }
}

/// Adds what is found where a rule that is a [remark](PreparedRule::remark) fires.
#[inline(never)]
fn add_remark(rule: &PreparedRule, phase: Phase, decision: &mut Decision) {
    if let (Some(action), Some(message)) = (rule.remark, rule.message.as_deref()) {
        decision.add_found(rule.index, action, phase, message);
    }
}

/// Does for remarks what is done for any finding, as far as that matters for these.
#[inline]
fn tell_remarks(state: &mut State, max_per_turn: u32, decision: &mut Decision) {
    for finding in &mut decision.findings {
        finding.is_withheld = !state.told.has_room(max_per_turn);
        if is_violation(finding) {
            state.violations = state.violations.saturating_add(1);
            state.last_violation = Some(finding.rule);
        }
    }
}

/// Whether the condition of a prepared rule that is a [remark](PreparedRule::remark) holds. That it may is recorded.
fn holds<O: Observer>(
    machine: &mut Machine<'_>,
    rule: &PreparedRule,
    tools: &Tools,
    observer: &mut O,
    decision: &mut Decision,
) -> bool {
    match machine.test(rule, observer) {
        Truth::True => true,
        Truth::False => false,
        open => {
            let rule = (rule.index, &rule.record, rule.message.as_deref());
            consider(machine, rule, open, tools, observer, decision);
            false
        }
    }
}

/// Tests those of some prepared rules whose bits are set, in order.
#[inline]
fn test_prepared<O: Observer>(
    machine: &mut Machine<'_>,
    (prepared, mut selected): (&PreparedRules, u64),
    start: &Started,
    tools: &Tools,
    observer: &mut O,
    decision: &mut Decision,
) {
    while selected != 0 {
        let bit = selected.trailing_zeros();
        selected &= selected - 1;
        let Some(rule) = prepared.rule(bit) else { return };
        if start.is_off(rule.index, rule.record.in_subagent != 0) {
            continue;
        }
        if rule.is_certain && rule.remark.is_some() {
            add_remark(rule, machine.context.phase, decision);
            continue;
        }
        let result = match rule.is_certain {
            true => Truth::True,
            false => machine.test(rule, observer),
        };
        match result {
            Truth::False => {}
            open => {
                let rule = (rule.index, &rule.record, rule.message.as_deref());
                consider(machine, rule, open, tools, observer, decision);
            }
        }
    }
}

/// Tests those rules that may fire, or all that the tool triggers for an observer who wants to know of each. They are
/// given with the trigger groups.
fn test_selected<O: Observer>(
    machine: &mut Machine<'_>,
    (rules, groups): (&PhaseRules, &[u32]),
    start: &Started,
    tools: &Tools,
    observer: &mut O,
    decision: &mut Decision,
) {
    let mut candidates = std::mem::take(&mut machine.scratch.candidates);
    candidates.clear();
    match O::THOROUGH {
        true => all_triggered(machine, groups, &mut candidates),
        false => rules.select(machine, groups, &mut candidates),
    }
    for &index in &candidates {
        let RuleTest { code, code_len, in_subagent } = machine.view.rule_test(index);
        if start.is_off(index, in_subagent) {
            continue;
        }
        observer.rule(index);
        match machine.run_code(code, code_len, observer) {
            Truth::False => observer.outcome(index, Truth::False, None),
            open => {
                let rule = (index, &machine.view.rule(index), None);
                consider(machine, rule, open, tools, observer, decision);
            }
        }
    }
    machine.scratch.candidates = candidates;
}

/// Records what comes of a rule whose condition holds, or may hold. It is given with its message, if that is known.
fn consider<O: Observer>(
    machine: &mut Machine<'_>,
    (index, rule, fixed): (u32, &RuleRecord, Option<&str>),
    result: Truth,
    tools: &Tools,
    observer: &mut O,
    decision: &mut Decision,
) {
    let phase = machine.context.phase;
    let (action, doubt) = match result {
        Truth::True => (Action::from_number(rule.action), None),
        open => in_doubt(machine, index, rule, open, decision),
    };
    let Some(action) = action else { return observer.outcome(index, result, None) };
    let mut message = match fixed {
        Some(fixed) => {
            let mut message = decision.spare.take();
            message.push_str(fixed);
            message
        }
        None => {
            let tool = machine.context.tool.map_or("", |tool| tools.canonical(tool));
            machine.message(rule, tool, decision.spare.take())
        }
    };
    if let Some(doubt) = doubt {
        message.insert_str(0, &doubt);
    }
    observer.outcome(index, result, Some(&message));
    let stops = phase == Phase::PreTool && matches!(action, Action::Block | Action::Ask);
    let granted = machine.granted(rule, stops).map(Box::new);
    let finding = Finding::new(index, action, phase, message);
    decision.findings.push(Finding { is_undecided: result.is_open(), granted, ..finding });
}

/// What a rule does whose condition may hold, if anything, and how its message begins then. That it may is recorded.
#[cold]
fn in_doubt(
    machine: &mut Machine<'_>,
    index: u32,
    rule: &RuleRecord,
    result: Truth,
    decision: &mut Decision,
) -> (Option<Action>, Option<String>) {
    let needs = machine.take_missing().unwrap_or_default();
    let is_opaque = result == Truth::Opaque;
    let doubt = format!("nobody can tell {needs}. It may be that this applies: ");
    decision.undecided.push(Undecided { rule: index, needs, is_opaque });
    let is_asked = is_opaque && machine.context.phase == Phase::PreTool;
    (if is_asked { action_in_doubt(rule) } else { None }, Some(doubt))
}

/// Counts the violations among findings.
fn count_violations(state: &mut State, findings: &[Finding]) {
    for finding in findings.iter().filter(|finding| is_violation(finding)) {
        state.violations = state.violations.saturating_add(1);
        state.last_violation = Some(finding.rule);
    }
}

/// Every hit before a tool counts as a violation, after it those that warn or block; hits on text
/// do not.
fn is_violation(finding: &Finding) -> bool {
    finding.granted.is_none()
        && match finding.phase {
            Phase::PreTool => true,
            Phase::PostTool => finding.action != Action::Remind,
            Phase::OnText | Phase::TurnEnd | Phase::Exchange => false,
        }
}

/// The rules of this phase whose trigger selects the tool, whether they can fire or not.
fn all_triggered(machine: &Machine<'_>, groups: &[u32], candidates: &mut Vec<u32>) {
    let view = machine.view;
    candidates.extend((0..machine.image.rules().len()).filter(|&index| {
        let rule = view.rule(index);
        rule.phase == machine.context.phase as u8
            && view.list(rule.triggers, rule.triggers_len).any(|group| groups.contains(&group))
    }));
}
