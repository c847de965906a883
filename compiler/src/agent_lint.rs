//! What a named agent cannot do of what the rules say, and what is done instead. What agents can do is
//! told by the caller.

use behavior_facts::tools::{last_part, normalise, selects};
use behavior_image::code::{ApprovalMode, PermissionAction, Verdict};
use behavior_runtime::decision::{Action, Origin, Phase};

use crate::decode::Reports;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::ir::{
    Monitor, Permissions, PolicyAlternative, PolicyRule, Program, Rule, Test, ToolTest, Trigger,
};
use crate::lint::each_test;
use crate::nearest::closest;
use crate::registry::diagnostics as d;
use crate::resolve::Agent;
use crate::source::{SourceMap, Span};
use crate::tool_names;

/// Looks at the whole program.
pub(crate) fn lint(program: &Program, agent: &Agent, sources: &SourceMap, reports: &mut Reports) {
    let tools = normalised(&agent.tools);
    let mut lint = Lint { agent, tools, said_of_builtin: Vec::new(), reports };
    // Nobody can change what is built in, and each of it says what agents it is for.
    for rule in program.rules.iter().filter(|rule| rule.origin != Origin::Builtin) {
        let source = sources.get(rule.span.file);
        match source.is_some_and(|source| source.name.starts_with("builtin:")) {
            true => lint.rule_of_profile(rule),
            false => lint.rule(rule),
        }
    }
    if let Some(permissions) = &program.permissions {
        permissions.rules.iter().for_each(|rule| lint.policy(rule));
        lint.uncovered(permissions);
    }
    for monitor in &program.monitors {
        lint.monitor(monitor);
    }
}

struct Lint<'a> {
    agent: &'a Agent,
    /// Its own tools, normalised.
    tools: Vec<String>,
    /// What was said of rules of built-in profiles, of which it holds alike.
    said_of_builtin: Vec<String>,
    reports: &'a mut Reports,
}

impl Lint<'_> {
    /// Reports what is not as written: `what` goes on after the agent's name.
    fn push(&mut self, kind: &'static DiagnosticKind, span: Span, what: &str, instead: &str) {
        let message = format!("`{}` {what}", self.agent.name);
        self.reports.push(Diagnostic::new(kind, span, message).help(instead));
    }

    /// Says of a rule of a built-in profile what the agent cannot do, once for all of them. Such a rule names the tools of
    /// all agents.
    fn rule_of_profile(&mut self, rule: &Rule) {
        let before = self.reports.diagnostics.len();
        self.actions(rule);
        let said = &mut self.said_of_builtin;
        let new = self.reports.diagnostics.split_off(before);
        for diagnostic in new {
            if !said.contains(&diagnostic.message) {
                said.push(diagnostic.message.clone());
                self.reports.diagnostics.push(diagnostic);
            }
        }
    }

    fn rule(&mut self, rule: &Rule) {
        self.actions(rule);
        self.tools(rule);
        self.conditions(rule);
    }

    /// Reports what the agent cannot do of what a rule does when it does it.
    fn actions(&mut self, rule: &Rule) {
        let can = self.agent.can;
        for trigger in &rule.triggers {
            if self.is_silent(&trigger.name) {
                self.silent(&trigger.name, trigger.span);
            }
        }
        match (rule.phase, rule.action) {
            (Phase::PreTool, Action::Warn | Action::Remind) if !can.context_before_tool => {
                let when = if can.context_after_tool { "its result" } else { "the next prompt" };
                self.push(
                    &d::AGENT_TOLD_LATER,
                    rule.span,
                    "can be told nothing before a tool runs",
                    &format!("it is told with {when}; to keep the call from running, write `action: block`"),
                );
            }
            (Phase::PreTool, Action::Ask)
                if !can.asks && rule.when_unanswered != Verdict::Allow =>
            {
                self.push(
                    &d::AGENT_CANNOT,
                    rule.span,
                    "cannot ask its user about a call",
                    "the call is denied, and the agent is told how its user allows it with `behavior allow`",
                );
            }
            (Phase::PostTool, _) if !can.context_after_tool => self.push(
                &d::AGENT_TOLD_LATER,
                rule.span,
                "can be told nothing with a tool's result",
                "it is told with the next prompt",
            ),
            (Phase::OnText, _) if !can.tells_text => self.push(
                &d::AGENT_CANNOT,
                rule.span,
                "does not tell what it writes, so this rule never fires",
                "check recordings of its sessions with `behavior simulate`",
            ),
            (Phase::OnText, Action::Block) | (Phase::TurnEnd, _) if !can.keeps_going => self.push(
                &d::AGENT_CANNOT,
                rule.span,
                "cannot be made to go on when it wants to stop",
                "it is told with the next prompt or result",
            ),
            _ => {}
        }
    }

    /// Reports a rule that no tool of the agent answers to. A name of other agents' tools may stand
    /// beside one of its own; those of MCP servers are nobody's own.
    fn tools(&mut self, rule: &Rule) {
        let is_its_own = |trigger: &Trigger| {
            trigger.selects_all() || self.tools.iter().any(|tool| selects(&trigger.name, tool))
        };
        let is_of_server = |trigger: &Trigger| last_part(&trigger.name).len() < trigger.name.len();
        let (own, others): (Vec<_>, Vec<_>) =
            rule.triggers.iter().partition(|trigger| is_its_own(trigger));
        let is_answered = !own.is_empty() || others.iter().any(|trigger| is_of_server(trigger));
        let mut found = Vec::new();
        for trigger in others.into_iter().filter(|trigger| !is_of_server(trigger)) {
            let meant = tool_names::meant(&trigger.name);
            if meant.is_none() && (is_answered || self.tools.is_empty()) {
                continue;
            }
            let near = closest(&trigger.name, self.tools.iter().map(String::as_str)).or(meant);
            found.push((trigger.span, trigger.name.clone(), near.map(str::to_owned)));
        }
        for (span, name, near) in found {
            let message = format!("`{}` has no tool that `{name}` selects", self.agent.name);
            let help = near.map_or_else(
                || "one of an MCP server is named with its server: `server.tool`".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            self.reports.push(Diagnostic::new(&d::UNKNOWN_TOOL, span, message).help(help));
        }
    }

    fn conditions(&mut self, rule: &Rule) {
        let can = self.agent.can;
        let mut found = Vec::new();
        each_test(&rule.condition, &mut |test, span| {
            match test {
            Test::NoTextBeforeTools if !can.tells_text_before_tools => found.push((
                span,
                "does not tell what it writes before it uses a tool, so nobody knows whether this holds",
                "a rule that depends on it does not fire; what was written is told when the agent stops, \
                 to rules with `when: on_text`",
            )),
            Test::ResultFailed if !can.tells_failures => found.push((
                span,
                "does not tell of every call that failed",
                "look for the error in the result as well, with `result_matches`",
            )),
            _ => {}
        }
        });
        for (span, what, instead) in found {
            self.push(&d::AGENT_CANNOT, span, what, instead);
        }
    }

    fn policy(&mut self, rule: &PolicyRule) {
        let asks = matches!(rule.action, PermissionAction::Ask | PermissionAction::DryRunFirst);
        if asks && !self.agent.can.asks {
            self.push(
                &d::AGENT_CANNOT,
                rule.span,
                "cannot ask its user about a call",
                "the call is denied, and the agent is told why; write `action = \"deny\"` or \
                 `action = \"allow\"` if that is what is meant",
            );
        }
        for alternative in &rule.alternatives {
            if let ToolTest::Named(name) = &alternative.tool
                && rule.action != PermissionAction::Allow
                && self.is_silent(name)
            {
                self.silent(name, rule.pattern_span);
            }
        }
    }

    /// What no rule covers, where the mode asks about it.
    fn uncovered(&mut self, permissions: &Permissions) {
        let mode = permissions.mode.unwrap_or(ApprovalMode::Ask);
        let covers_all = |rule: &PolicyRule| {
            rule.mode.is_none() && rule.facts.is_empty() && rule.alternatives.iter().any(covers_all)
        };
        let asked = match mode {
            ApprovalMode::Ask => "what no rule of the policy covers",
            ApprovalMode::AutoEdit => "what no rule of the policy covers and changes no file",
            ApprovalMode::Yolo | ApprovalMode::Agent => return,
        };
        let Some(span) = permissions.mode_span else { return };
        if self.agent.can.asks || permissions.rules.iter().any(covers_all) {
            return;
        }
        self.push(
            &d::AGENT_CANNOT,
            span,
            &format!("cannot ask its user, so that {asked} is denied"),
            "write rules that allow what the agent needs, or `approval_mode = \"agent\"` with rules that \
             deny what it may not do",
        );
    }

    fn monitor(&mut self, monitor: &Monitor) {
        if !monitor.kind.is_about_calls() && !self.agent.can.tells_responses {
            self.push(
                &d::AGENT_CANNOT,
                monitor.span,
                &format!(
                    "does not tell its hooks of responses, which `{}` is about",
                    monitor.kind.name()
                ),
                "check recordings of its sessions with `behavior simulate`",
            );
        }
    }

    fn is_silent(&self, trigger: &str) -> bool {
        trigger != "*" && self.agent.can.silent_tools.iter().any(|tool| selects(trigger, tool))
    }

    fn silent(&mut self, tool: &str, span: Span) {
        self.push(
            &d::AGENT_CANNOT,
            span,
            &format!("calls no hook for `{tool}`"),
            "the tool runs whatever the rules say; take it from the agent in the agent's own settings",
        );
    }
}

/// Whether an alternative is about every call.
fn covers_all(alternative: &PolicyAlternative) -> bool {
    alternative.tool == ToolTest::Any
        && alternative.command.is_none()
        && alternative.argument.is_none()
}

fn normalised(names: &[String]) -> Vec<String> {
    let mut scratch = String::new();
    let each = names.iter().map(|name| {
        normalise(name, &mut scratch);
        scratch.clone()
    });
    each.collect()
}
