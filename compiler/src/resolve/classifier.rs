//! The classifier's tables: what the config and its profiles say, on top of the standard ones.

use behavior_runtime::brain::Brains;
use behavior_runtime::classifier::{
    ClassifierTable, ContextOptions, DirectivePart, Frequency, Level, Template,
};

use super::{Layer, Resolver, reference};
use crate::ast::{self, BehaviorConfig, ClassifierConfig};
use crate::decode::{DirectiveText, RiskName, Spanned, did_you_mean};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lower::{literal_placeholders, template_problem};
use crate::registry::diagnostics as d;
use crate::template::{self, Part};

impl Resolver<'_> {
    /// The classifier, where anything speaks of it.
    pub(super) fn classifier(
        &mut self,
        config: &BehaviorConfig,
        layers: &[Layer],
        brains: &Brains,
    ) -> Option<ClassifierTable> {
        let turns_on = config.classify_turns.as_ref().is_some_and(|on| on.value);
        let spoken_of = turns_on || layers.iter().any(|layer| layer.classifier.is_some());
        if !spoken_of {
            return None;
        }
        let refused = config.use_agent_brain.as_ref().filter(|use_it| !use_it.value);
        let is_named = brains.classifier.is_some() || brains.general.is_some();
        let has_brain = is_named || refused.is_none();
        if let (true, false, Some(refused)) = (turns_on, is_named, refused) {
            let message = "turns are to be classified, and there is no model to ask";
            self.report(
                Diagnostic::new(&d::CLASSIFIER_WITHOUT_BRAIN, refused.span, message)
                    .help("name one under `brain:`, or let the agent's own model do it"),
            );
        }
        let is_nowhere = !is_named && refused.is_none() && brains.coordinator.is_none();
        if let Some(on) = config.classify_turns.as_ref().filter(|_| turns_on && is_nowhere)
            && self.nobody_names_a_brain()
        {
            let message = "turns are to be classified, and nobody names a model to ask";
            self.report(
                Diagnostic::new(&d::CLASSIFIER_WITHOUT_BRAIN, on.span, message)
                    .severity(Severity::Info)
                    .help(
                        "name one under `brain:`, or as `default_brain` in your own `config.yaml`",
                    ),
            );
        }
        if let (Some(on), Some(agent)) = (&config.classify_turns, &self.options.agent)
            && turns_on
            && !agent.can.context_on_prompt
        {
            let message = format!(
                "`{}` takes no text with what the user says: its turns are not classified",
                agent.name
            );
            self.report(
                Diagnostic::new(&d::AGENT_CANNOT, on.span, message)
                    .help("what it is to be told in each turn can stand in its own rules file"),
            );
        }
        let mut classifier =
            ClassifierTable { enabled: turns_on && has_brain, ..ClassifierTable::standard() };
        classifier.profile_description =
            layers.iter().find_map(|layer| layer.description.clone()).map(Into::into);
        let mut threshold = None;
        for layer in layers.iter().rev() {
            if let Some(config) = &layer.classifier {
                self.apply_classifier(&mut classifier, config);
                threshold = config.high_risk_threshold.clone().or(threshold);
            }
        }
        self.apply_threshold(&mut classifier, threshold.as_ref());
        Some(classifier)
    }

    /// Whether it is known that nobody outside of these rules names a model.
    pub(super) fn nobody_names_a_brain(&self) -> bool {
        let given = self.options.has_default_brain;
        given.or_else(|| self.provider.has_default_brain()) == Some(false)
    }

    fn apply_classifier(&mut self, classifier: &mut ClassifierTable, config: &ClassifierConfig) {
        if let Some(frequency) = config.frequency {
            classifier.frequency = match frequency {
                ast::Frequency::EveryTurn => Frequency::EveryTurn,
                ast::Frequency::FirstTurn => Frequency::FirstTurn,
                ast::Frequency::EveryNTurns => Frequency::EveryNTurns,
                ast::Frequency::OnNewMessage => Frequency::OnNewMessage,
            };
        }
        if let Some(n) = config.frequency_n {
            classifier.frequency_n = n.0 as u32;
        }
        if let Some(skip) = config.skip_followups {
            classifier.skip_followups = skip;
        }
        if let Some(timeout) = &config.timeout {
            if timeout.value > 0.0 && timeout.value.is_finite() {
                classifier.timeout_seconds = timeout.value;
            } else {
                let message = "a timeout is a number of seconds above 0";
                self.report(Diagnostic::new(&d::OUT_OF_RANGE, timeout.span, message));
            }
        }
        if let Some(most) = config.max_directives {
            classifier.max_directives = most.0 as u32;
        }
        for (table, written, placeholder) in [
            (&mut classifier.complexity, &config.complexity_levels, Some("{complexity}")),
            (&mut classifier.approaches, &config.approaches, None),
            (&mut classifier.risks, &config.risk_levels, Some("{risk}")),
        ] {
            if let Some(written) = written {
                *table = self.levels(written);
                self.check_labels(written, placeholder);
            }
        }
        if let Some(context) = &config.context {
            apply_context(&mut classifier.context, context);
        }
        if let Some(prompt) = &config.system_prompt {
            let text = self.prompt_text(&prompt.value, prompt.span);
            classifier.system_prompt = text.map(Into::into);
        }
        for (slot, written) in [
            (&mut classifier.prefix, &config.directive_prefix),
            (&mut classifier.high_risk_warning, &config.high_risk_warning),
            (&mut classifier.footer, &config.directive_footer),
        ] {
            if let Some(text) = written {
                *slot = self.directive(text);
            }
        }
    }

    fn levels(&mut self, written: &[Spanned<ast::Level>]) -> Vec<Level> {
        let text =
            |text: &Option<Spanned<Box<str>>>| text.as_ref().map(|text| text.value.to_string());
        let mut levels: Vec<Level> = Vec::new();
        for entry in written {
            let config = &entry.value.0;
            let Some(name) = &config.name else { continue };
            if levels.iter().any(|level| level.name.eq_ignore_ascii_case(&name.value)) {
                let message = format!("`{}` stands twice in this vocabulary", name.value);
                self.report(
                    Diagnostic::new(&d::DUPLICATE_KEY, name.span, message)
                        .help("delete or rename one of the two"),
                );
                continue;
            }
            levels.push(Level {
                name: name.value.to_string(),
                label: text(&config.label),
                when: text(&config.when),
                behavior: text(&config.behavior),
            });
        }
        levels
    }

    /// Reports the labels that nobody is shown: where a placeholder gives the name, there is none for the label.
    fn check_labels(&mut self, written: &[Spanned<ast::Level>], placeholder: Option<&str>) {
        let Some(placeholder) = placeholder else { return };
        for label in written.iter().filter_map(|entry| entry.value.0.label.as_ref()) {
            let message =
                format!("only the `label` of an approach is shown: `{placeholder}` gives the name");
            let help = "write what the agent is to read as the `name`";
            self.report(Diagnostic::new(&d::NO_EFFECT, label.span, message).help(help));
        }
    }

    /// A directive text in pieces; none where it is empty.
    fn directive(&mut self, text: &DirectiveText) -> Option<Template> {
        let source = self.sources.get(text.span().file).cloned()?;
        let written = match reference::parse(text.text()) {
            Some(_) => self.prompt_text(text.text(), text.span())?,
            None => text.text().into(),
        };
        let (parsed, problems) = template::parse(&written, template::DIRECTIVE_PLACEHOLDERS);
        for problem in problems {
            self.report(template_problem(&source.text, &text.node, problem));
        }
        let known = template::DIRECTIVE_PLACEHOLDERS;
        let literal = literal_placeholders(&source.text, &text.node, known);
        // What is a reference is none.
        let is_own = reference::parse(text.text()).is_none();
        self.reports.diagnostics.extend(literal.into_iter().filter(|_| is_own));
        let parts: Template = parsed
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Text(text) => Some(DirectivePart::Text(text.to_string())),
                Part::Placeholder { name, .. } => match name.value {
                    "complexity" => Some(DirectivePart::Complexity),
                    "approach" => Some(DirectivePart::Approach),
                    "risk" => Some(DirectivePart::Risk),
                    "approach_label" => Some(DirectivePart::ApproachLabel),
                    _ => None,
                },
            })
            .collect();
        (!parts.is_empty()).then_some(parts)
    }

    /// A threshold that was written must be one of the risks; the default that is none never warns.
    fn apply_threshold(&mut self, classifier: &mut ClassifierTable, written: Option<&RiskName>) {
        const DEFAULT: &str = "medium";
        let name = written.map_or(DEFAULT, RiskName::text);
        let index = classifier.risks.iter().position(|risk| risk.name == name);
        classifier.high_risk_threshold = index.map(|index| index as u32);
        if let (None, Some(written)) = (index, written) {
            let message = format!("`{name}` is none of the risk levels");
            let diagnostic = Diagnostic::new(&d::UNDECLARED_NAME, written.span(), message);
            let names = classifier.risks.iter().map(|risk| risk.name.as_str());
            self.report(did_you_mean(diagnostic, name, names, "risk levels"));
        }
    }
}

fn apply_context(options: &mut ContextOptions, context: &ast::ClassifierContext) {
    let set = |slot: &mut bool, written: Option<bool>| *slot = written.unwrap_or(*slot);
    set(&mut options.tool_inventory, context.tool_inventory);
    set(&mut options.session_state, context.session_state);
    set(&mut options.workspace_info, context.workspace_info);
    set(&mut options.recent_history, context.recent_history);
    if let Some(depth) = context.history_depth {
        options.history_depth = depth.0 as u32;
    }
}
