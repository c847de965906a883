//! Lowers rules: their triggers, their conditions, and their messages, which are cut into parts.

use behavior_runtime::decision::{Action, Origin, Phase};

use crate::ast::{self, RuleDefinition};
use crate::conditions::{self, Lowered};
use crate::decode::{OneOrMany, Spanned, ToolName};
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::ir::{MessagePart, Rule, Trigger};
use crate::lower::{
    Lowering, SourceText, check_document, literal_placeholders, normal_tool_names, template_problem,
};
use crate::misspelt;
use crate::registry::diagnostics as d;
use crate::registry::schema::NameKind;
use crate::source::Span;
use crate::syntax::{Kind, Node, locate};
use crate::template::{self, Part, Problem};

impl Lowering<'_> {
    /// A rule; `None` when something about it is wrong, which was reported.
    pub fn rule(
        &mut self,
        definition: &RuleDefinition,
        span: Span,
        origin: Origin,
    ) -> Option<Rule> {
        self.check_id(definition);
        self.phase = match definition.when {
            None | Some(ast::When::PreTool) => Phase::PreTool,
            Some(ast::When::PostTool) => Phase::PostTool,
            Some(ast::When::OnText) => Phase::OnText,
            Some(ast::When::TurnEnd) => Phase::TurnEnd,
        };
        let triggers = match &definition.trigger {
            Some(trigger) => self.triggers(trigger, span),
            None => vec![Trigger { name: "*".into(), span }],
        };
        let condition = match &definition.condition {
            Some(node) => conditions::lower(&node.0, self),
            None => Lowered::Condition(crate::ir::Condition::Always),
        };
        let message = match &definition.message {
            Some(message) => self.message(&message.node, &triggers),
            None => Some(Vec::new()),
        };
        let Lowered::Condition(condition) = condition else { return None };
        let action = self.action(definition)?;
        let text = |text: &Option<Spanned<Box<str>>>| {
            text.as_ref().map(|text| text.value.clone()).unwrap_or_default()
        };
        Some(Rule {
            id: definition.id.as_ref()?.value.clone(),
            description: text(&definition.description),
            span,
            triggers,
            phase: self.phase,
            action,
            when_undecided: definition
                .when_undecided
                .map_or(self.defaults.when_undecided, ast::WhenUndecided::verdict),
            when_unanswered: definition
                .when_nobody_can_answer
                .map_or(self.defaults.when_unanswered, ast::WhenUnanswered::verdict),
            is_grantable: definition.grantable.as_ref().is_none_or(|grantable| grantable.value),
            repeat: definition.repeat.unwrap_or_default(),
            needs: self.needs(definition),
            in_subagent: definition.in_subagent.unwrap_or(true),
            origin,
            condition,
            exceptions: Vec::new(),
            message: message?,
            examples: definition.examples.clone().unwrap_or_default(),
        })
    }

    /// What a rule does; `None` after reporting that it asks when it is too late.
    fn action(&mut self, definition: &RuleDefinition) -> Option<Action> {
        let action = match definition.action {
            Some(ast::Action::Block) => Action::Block,
            Some(ast::Action::Ask) => Action::Ask,
            None | Some(ast::Action::Warn) => Action::Warn,
            Some(ast::Action::Remind) => Action::Remind,
        };
        if action != Action::Ask || self.phase == Phase::PreTool {
            return Some(action);
        }
        let what = match self.phase {
            Phase::OnText => "a text",
            Phase::TurnEnd => "the end of a turn",
            _ => "a call that has run",
        };
        let message = format!("`action: ask` cannot ask about {what}");
        let span = definition.id.as_ref()?.span;
        self.report(
            Diagnostic::new(&d::ASK_TOO_LATE, span, message).help(
                "a user is asked before a tool runs: leave `when` out, or write `action: warn`",
            ),
        );
        None
    }

    /// The tools without which a rule makes no sense.
    fn needs(&mut self, definition: &RuleDefinition) -> Vec<Box<str>> {
        let named = definition.needs.iter().flat_map(|needs| &needs.0);
        normal_tool_names(named, self.reports).into_iter().map(|tool| tool.name).collect()
    }

    /// Ids stand in messages and logs, on one line.
    fn check_id(&mut self, definition: &RuleDefinition) {
        let Some(id) = &definition.id else { return };
        if id.value.trim().is_empty() || id.value.contains(char::is_control) {
            let message = "the id of a rule is a word on one line";
            self.report(
                Diagnostic::new(&d::EMPTY_NAME, id.span, message).help(
                    "give the rule a name that tells it from others, such as `no_force_push`",
                ),
            );
        } else if id.value.contains(char::is_whitespace) {
            let word = id.value.split_whitespace().collect::<Vec<_>>().join("_");
            let message = format!("the id `{}` has a blank, and an id is one word", id.value);
            self.report(
                Diagnostic::new(&d::EMPTY_NAME, id.span, message)
                    .severity(Severity::Warning)
                    .help(format!("write `{word}`; what the rule is for stands in `description`"))
                    .replace(id.span, word, Applicability::Unsafe),
            );
        }
    }

    fn triggers(&mut self, trigger: &OneOrMany<ToolName>, rule: Span) -> Vec<Trigger> {
        if trigger.0.is_empty() {
            let message = "an empty trigger selects no tool, so the rule never fires";
            self.report(
                Diagnostic::new(&d::TRIGGER_NEVER_MATCHES, rule, message)
                    .help("name the tools in `trigger`, or leave it out for all tools"),
            );
        }
        let of_no_tool = match self.phase {
            Phase::OnText => "an `on_text`",
            Phase::TurnEnd => "a `turn_end`",
            _ => "",
        };
        if !of_no_tool.is_empty()
            && let Some(narrow) = trigger.0.iter().find(|name| name.text() != "*")
        {
            let message = format!("{of_no_tool} rule has no tool, so this trigger never matches");
            self.report(
                Diagnostic::new(&d::TRIGGER_NEVER_MATCHES, narrow.span(), message)
                    .help("write `trigger: \"*\"`, or leave it out")
                    .replace(narrow.span(), "\"*\"", Applicability::Unsafe),
            );
        }
        normal_tool_names(trigger.0.iter(), self.reports)
    }

    fn message(&mut self, node: &Node, triggers: &[Trigger]) -> Option<Vec<MessagePart>> {
        let text = node.as_str()?;
        if !text.contains(['{', '}']) {
            return Some(if text.is_empty() {
                vec![]
            } else {
                vec![MessagePart::Text(text.into())]
            });
        }
        let (template, problems) = template::parse(text, template::PLACEHOLDERS);
        let source = self.text_of(node.span);
        let is_good = problems.is_empty();
        for problem in problems {
            let problem = self.with_declared(text, problem);
            self.report(template_problem(&source, node, problem));
        }
        let literal = literal_placeholders(&source, node, template::PLACEHOLDERS);
        self.reports.diagnostics.extend(literal);
        self.check_parameters(&template.parts, node, triggers);
        let parts: Vec<Option<MessagePart>> =
            template.parts.iter().map(|part| self.message_part(part, node, &source)).collect();
        parts.into_iter().collect::<Option<Vec<_>>>().filter(|_| is_good)
    }

    /// A problem of a message, with what is written for state that is named alone: `{edits}`.
    fn with_declared(&self, text: &str, problem: Problem) -> Problem {
        let name = text.get(problem.range.clone()).unwrap_or_default();
        let instead = match &self.names {
            names if names.counters.has(name) => format!("counter:{name}"),
            names if names.flags.has(name) => format!("flag:{name}"),
            names if names.sets.has(name) => format!("set_count:{name}"),
            _ => return problem,
        };
        let range = problem.range.clone();
        problem.help(format!("did you mean `{instead}`?")).fix(range, instead)
    }

    /// Reports parameters that the tools of the rule do not have, under a name near to one.
    fn check_parameters(&mut self, parts: &[Part<'_>], node: &Node, triggers: &[Trigger]) {
        for part in parts {
            let Part::Placeholder { name, argument: Some(argument), .. } = part else { continue };
            if name.value != "param" {
                continue;
            }
            let span = locate(&self.text_of(node.span), node, argument.range.clone());
            let found = misspelt::parameter(argument.value, triggers, span, self.sources);
            self.reports.diagnostics.extend(found);
        }
    }

    fn message_part(
        &mut self,
        part: &Part<'_>,
        node: &Node,
        source: &SourceText,
    ) -> Option<MessagePart> {
        let (name, argument, range) = match part {
            Part::Text(text) => return Some(MessagePart::Text((&**text).into())),
            Part::Placeholder { name, argument, range } => (name.value, argument.as_ref(), range),
        };
        let placeholder = template::find(template::PLACEHOLDERS, name);
        if placeholder.is_some_and(|placeholder| placeholder.is_empty_in(self.phase)) {
            let span = locate(source, node, range.clone());
            self.report(empty_placeholder(text_of_range(node, range), self.phase, span));
        }
        let named = |this: &mut Self, kind| {
            let argument = argument?;
            let span = locate(source, node, argument.range.clone());
            this.name(kind, &Node { span, kind: Kind::String(argument.value.into()) })
        };
        Some(match name {
            "target" => MessagePart::Target,
            "tool" => MessagePart::Tool,
            "turn" => MessagePart::Turn,
            "tool_calls_this_turn" => MessagePart::TurnCalls,
            "consecutive_same_tool" => MessagePart::Consecutive,
            "param" => MessagePart::Param(argument?.value.into()),
            "counter" => MessagePart::Counter(named(self, NameKind::Counter)?),
            "set_count" => MessagePart::SetCount(named(self, NameKind::Set)?),
            "flag" => MessagePart::Flag(named(self, NameKind::Flag)?),
            "file" => {
                let name = argument?;
                let span = locate(source, node, name.range.clone());
                check_document(name.value, span, self.reports)?;
                MessagePart::Document(name.value.into())
            }
            "ungrounded_claims" => MessagePart::Claims,
            "command" => MessagePart::Command,
            "cause" => MessagePart::Cause,
            // Reported as an unknown placeholder.
            _ => return None,
        })
    }
}

/// A placeholder that has nothing to stand for in a rule that looks at no call.
fn empty_placeholder(written: &str, phase: Phase, span: Span) -> Diagnostic {
    let (kind, comes) = match phase {
        Phase::TurnEnd => ("a `turn_end`", "the end of a turn is no call"),
        _ => ("an `on_text`", "text comes from no call"),
    };
    let message = format!("`{written}` is always empty in {kind} rule");
    Diagnostic::new(&d::EMPTY_PLACEHOLDER, span, message)
        .help(format!("{comes}, so there is no target, no tool and no parameter: leave it out"))
}

fn text_of_range<'n>(node: &'n Node, range: &std::ops::Range<usize>) -> &'n str {
    node.as_str().and_then(|text| text.get(range.clone())).unwrap_or_default()
}
