//! The directive the agent is shown. It may only say what a checked [`Reply`] and the author's
//! templates say.

use super::reply::{DIRECTIVE, index_of};
use super::text::one_line;
use super::{Classifier, DirectivePart, Level, Reply};

impl Classifier<'_> {
    /// The text the agent is shown for `reply`, without a line break at the end; `None` where the
    /// reply has no directives.
    #[must_use]
    pub fn directive(&self, reply: &Reply) -> Option<String> {
        let limit = usize::try_from(self.max_directives).unwrap_or(usize::MAX);
        let mut directives = reply
            .directives
            .iter()
            .map(|directive| one_line(directive, DIRECTIVE))
            .filter(|directive| !directive.is_empty())
            .take(limit)
            .peekable();
        directives.peek()?;
        let mut out = self.render(self.prefix.as_deref(), reply);
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str("Approach: ");
        out.push_str(self.approach_label(reply));
        out.push('\n');
        for (number, directive) in (1..).zip(directives) {
            let number: usize = number;
            out.push_str(&format!("\n{number}. {directive}"));
        }
        if self.warns(reply) {
            push_paragraph(&mut out, &self.render(self.high_risk_warning.as_deref(), reply));
        }
        push_paragraph(&mut out, &self.render(self.footer.as_deref(), reply));
        Some(out)
    }

    fn approach_label<'a>(&'a self, reply: &'a Reply) -> &'a str {
        let entry = index_of(&self.approaches, &reply.approach)
            .and_then(|index| self.approaches.get(index));
        entry.map_or(reply.approach.as_str(), Level::shown)
    }

    fn warns(&self, reply: &Reply) -> bool {
        let threshold = self.high_risk_threshold.and_then(|index| usize::try_from(index).ok());
        let risk = index_of(&self.risks, &reply.risk);
        matches!((risk, threshold), (Some(risk), Some(threshold)) if risk >= threshold)
    }

    fn render(&self, template: Option<&[DirectivePart]>, reply: &Reply) -> String {
        let mut out = String::new();
        for part in template.unwrap_or_default() {
            out.push_str(match part {
                DirectivePart::Text(text) => text,
                DirectivePart::Complexity => &reply.complexity,
                DirectivePart::Approach => &reply.approach,
                DirectivePart::Risk => &reply.risk,
                DirectivePart::ApproachLabel => self.approach_label(reply),
            });
        }
        // A block of YAML ends in a line break that the layout of the directive does not want.
        out.truncate(out.trim_end().len());
        out
    }
}

fn push_paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push_str("\n\n");
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use crate::classifier::{
        Classifier, ClassifierTable, DirectivePart as Part, Level, Reply, Template,
    };

    fn reply(risk: &str, directives: &[&str]) -> Reply {
        Reply {
            complexity: "complex".into(),
            approach: "plan_and_confirm".into(),
            risk: risk.into(),
            directives: directives.iter().map(|&text| text.into()).collect(),
            skip_reason: None,
        }
    }

    fn text(text: &str) -> Template {
        vec![Part::Text(text.into())]
    }

    fn classifier() -> ClassifierTable {
        let mut classifier =
            ClassifierTable { footer: Some(text("Follow these.")), ..ClassifierTable::standard() };
        classifier.approaches[2].label = Some("Plan, then ask".to_owned());
        classifier
    }

    #[track_caller]
    fn check(classifier: &ClassifierTable, reply: &Reply, expect: &[&str]) {
        assert_eq!(Classifier::new(classifier).directive(reply).unwrap(), expect.join("\n"));
    }

    #[test]
    fn the_directive_is_laid_out_line_by_line() {
        let label = classifier().approaches[2].label.clone().unwrap();
        check(
            &classifier(),
            &reply("low", &["Read the router first.", "Ask before migrating."]),
            &[
                "[BEHAVIOR DIRECTIVE - complex complexity, low risk]",
                &format!("Approach: {label}"),
                "",
                "1. Read the router first.",
                "2. Ask before migrating.",
                "",
                "Follow these.",
            ],
        );
    }

    #[test]
    fn the_warning_appears_when_risks_index_reaches_the_thresholds() {
        let warned = |risk| {
            let text = Classifier::new(&classifier()).directive(&reply(risk, &["Go."])).unwrap();
            text.contains(&format!("\n\nRisk level: {risk}. Confirm destructive"))
        };
        assert_eq!(["none", "low", "medium", "high"].map(warned), [false, false, true, true]);
    }

    #[test]
    fn the_warning_stands_between_directives_and_footer() {
        let mut classifier = classifier();
        classifier.high_risk_warning = Some(text("Careful."));
        classifier.approaches = vec![Level { name: "plan_and_confirm".into(), ..Level::default() }];
        check(
            &classifier,
            &reply("high", &["Go."]),
            &[
                "[BEHAVIOR DIRECTIVE - complex complexity, high risk]",
                "Approach: plan_and_confirm",
                "",
                "1. Go.",
                "",
                "Careful.",
                "",
                "Follow these.",
            ],
        );
    }

    #[test]
    fn without_a_threshold_nothing_warns() {
        let classifier =
            ClassifierTable { high_risk_threshold: None, footer: None, ..classifier() };
        let text = Classifier::new(&classifier).directive(&reply("high", &["Go."])).unwrap();
        assert!(text.ends_with("\n\n1. Go."), "{text}");
    }

    #[test]
    fn parts_that_are_absent_or_empty_leave_no_blank_lines() {
        let classifier = ClassifierTable {
            prefix: None,
            high_risk_warning: None,
            footer: Some(text("\n")),
            ..classifier()
        };
        let text = Classifier::new(&classifier).directive(&reply("high", &["Go."])).unwrap();
        assert!(text.starts_with("Approach: ") && text.ends_with("\n\n1. Go."), "{text}");
    }

    #[test]
    fn all_four_placeholders_work_in_prefix_warning_and_footer() {
        let all = |name: &str| {
            Some(vec![
                Part::Text(format!("{name} ")),
                Part::Complexity,
                Part::Text("/".into()),
                Part::Approach,
                Part::Text("/".into()),
                Part::Risk,
                Part::Text("/".into()),
                Part::ApproachLabel,
            ])
        };
        let mut classifier = classifier();
        classifier.prefix = all("prefix");
        classifier.high_risk_warning = all("warning");
        classifier.footer = all("footer");
        classifier.approaches[2].label = Some("Ask first".into());
        let rest = "complex/plan_and_confirm/high/Ask first";
        check(
            &classifier,
            &reply("high", &["Go."]),
            &[
                &format!("prefix {rest}"),
                "Approach: Ask first",
                "",
                "1. Go.",
                "",
                &format!("warning {rest}"),
                "",
                &format!("footer {rest}"),
            ],
        );
    }

    #[test]
    fn directives_are_capped_and_stay_on_their_line() {
        let classifier = ClassifierTable { max_directives: 2, footer: None, ..classifier() };
        let text = Classifier::new(&classifier)
            .directive(&reply("low", &["a\n9. b", "", "c", "d"]))
            .unwrap();
        assert!(text.ends_with("\n\n1. a 9. b\n2. c"), "{text}");
    }

    #[test]
    fn no_directives_give_none() {
        assert_eq!(Classifier::new(&classifier()).directive(&reply("high", &[])), None);
        assert_eq!(Classifier::new(&classifier()).directive(&reply("high", &[" \n"])), None);
        let none = ClassifierTable { max_directives: 0, ..classifier() };
        assert_eq!(Classifier::new(&none).directive(&reply("high", &["Go."])), None);
    }

    #[test]
    fn the_default_directive_reads_as_documented() {
        let standard = ClassifierTable::standard();
        let parsed = Classifier::new(&standard)
            .parse_reply(r#"{"risk": "high", "directives": ["Back up."]}"#);
        let directive = Classifier::new(&standard).directive(&parsed.reply.unwrap()).unwrap();
        let expect = "[BEHAVIOR DIRECTIVE - moderate complexity, high risk]\nApproach: direct\n\n\
            1. Back up.\n\nRisk level: high. Confirm destructive or irreversible actions with the \
            user before proceeding.\n\nFollow these directives. ";
        assert!(directive.starts_with(expect), "{directive}");
    }
}
