//! The older shape of rules, converted to rule definitions.

use crate::ast::{CustomRule, RuleDefinition};
use crate::decode::{ConditionNode, MessageText, Spanned};
use crate::syntax::{Entry, Key, Kind, Node};

/// Converts the rules of a `custom` list.
pub(super) fn convert(custom: Vec<Spanned<CustomRule>>) -> Vec<Spanned<RuleDefinition>> {
    custom.into_iter().map(convert_rule).collect()
}

fn convert_rule(custom: Spanned<CustomRule>) -> Spanned<RuleDefinition> {
    let Spanned { value: rule, span } = custom;
    let said = rule.rule.as_ref();
    let message = rule.message.or_else(|| {
        // What the rule says is for people: braces in it are no placeholders.
        let text = said?.value.replace('{', "{{").replace('}', "}}");
        let span = said?.span;
        Some(MessageText { node: Node { span, kind: Kind::String(text.into()) } })
    });
    let nameless = || Some(Spanned { value: "custom".into(), span });
    let value = RuleDefinition {
        id: rule.id.or_else(nameless),
        description: rule.description.or_else(|| said.cloned()),
        trigger: rule.trigger.filter(|trigger| !is_blank(trigger)),
        when: rule.when.or(rule.enforce),
        action: rule.action,
        condition: rule.condition.map(|condition| ConditionNode(convert_condition(condition.0))),
        message,
        when_undecided: rule.when_undecided,
        when_nobody_can_answer: rule.when_nobody_can_answer,
        grantable: rule.grantable,
        repeat: rule.repeat,
        needs: rule.needs,
        in_subagent: rule.in_subagent,
        examples: rule.examples,
    };
    Spanned { value, span }
}

fn is_blank(trigger: &crate::decode::OneOrMany<crate::decode::ToolName>) -> bool {
    matches!(trigger.0.as_slice(), [only] if only.text().is_empty())
}

/// `{ param: P, contains: X }` and its like as the condition of today; anything else as it is.
fn convert_condition(node: Node) -> Node {
    let flat = |param: &str, kinds: &[(&str, &str, &str)]| {
        let param = node.entry(param)?;
        kinds.iter().find_map(|(old, name, field)| {
            let value = node.entry(old)?;
            Some((
                param.value.clone(),
                (*name).to_owned(),
                (*field).to_owned(),
                value.value.clone(),
            ))
        })
    };
    let by_param = [
        ("contains", "param_contains", "value"),
        ("matches", "param_matches", "pattern"),
        ("not_in", "target_not_in_set", ""),
    ];
    let by_field =
        [("substring", "param_contains", "value"), ("pattern", "param_matches", "pattern")];
    // What a call is about needs no name.
    let of_target = || {
        let [only] = node.entries()? else { return None };
        let is_it = &*only.key.text == "not_in";
        is_it.then(|| {
            (only.value.clone(), "target_not_in_set".to_owned(), String::new(), only.value.clone())
        })
    };
    let found = flat("param", &by_param).or_else(|| flat("field", &by_field)).or_else(of_target);
    let Some((param, name, field, value)) = found else { return node };
    let span = node.span;
    let entry = |text: &str, value: Node| Entry { key: Key { text: text.into(), span }, value };
    let argument = if field.is_empty() {
        value
    } else {
        Node { span, kind: Kind::Map(vec![entry("param", param), entry(&field, value)]) }
    };
    Node { span, kind: Kind::Map(vec![entry(&name, argument)]) }
}
