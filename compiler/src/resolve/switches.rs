//! The `rules` mapping: which built-in rules are on, which of a profile's own are off, thresholds, and what shapes
//! the prompt. Nearer layers win.

use std::collections::HashSet;

use behavior_runtime::decision::Origin;

use super::{Layer, Resolver};
use crate::ast::{Autonomy, RuleDefinition, Verbosity};
use crate::decode::{Decode, Reports, Spanned, did_you_mean, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::syntax::{Kind, Node};

/// A number that a built-in rule works with.
#[derive(Debug)]
pub struct ThresholdKind {
    /// Its name in `rules`.
    pub name: &'static str,
    /// The rule that uses it; 0 switches it off.
    pub rule: &'static str,
    /// Where nothing sets it.
    pub default: i64,
    /// What it means.
    pub docs: &'static str,
}

/// The thresholds, in the order of the reference.
pub static THRESHOLDS: &[ThresholdKind] = &[
    ThresholdKind {
        name: "max_blind_reads",
        rule: "search_before_read",
        default: 3,
        docs: "How many files may be read without a search before `search_before_read` warns.",
    },
    ThresholdKind {
        name: "changes_before_test_reminder",
        rule: "test_after_changes",
        default: 3,
        docs: "After how many changes without a test run `test_after_changes` reminds.",
    },
    ThresholdKind {
        name: "max_sequential_same_tool",
        rule: "max_sequential_same_tool",
        default: 8,
        docs: "At how many calls of one tool in a row `max_sequential_same_tool` warns.",
    },
];

/// What else `rules` may hold: it shapes the prompt section.
pub static SETTINGS: &[(&str, &str)] = &[
    ("verbosity", "How much the agent writes: `concise`, `normal` or `detailed`."),
    ("autonomy", "How much the agent does without asking: `low`, `medium` or `high`."),
    ("confirm_complex_plans", "Whether the agent has complex plans confirmed before it starts."),
];

/// The keys that `rules` may have.
pub(super) struct Known {
    rules: Vec<Box<str>>,
    of_profiles: Vec<Box<str>>,
    /// The ids of all rules that files define.
    declared: HashSet<Box<str>>,
    /// Whether all profiles were found.
    is_whole: bool,
}

impl Known {
    /// `is_whole` says whether all profiles were found.
    pub fn new(
        builtin: &Option<Vec<Spanned<RuleDefinition>>>,
        layers: &[Layer],
        is_whole: bool,
    ) -> Self {
        fn ids<'r>(
            rules: impl IntoIterator<Item = &'r Spanned<RuleDefinition>>,
        ) -> impl Iterator<Item = Box<str>> {
            let ids = rules.into_iter().filter_map(|rule| rule.value.id.as_ref());
            ids.map(|id| id.value.clone())
        }
        let rules: Vec<_> = ids(builtin.iter().flatten()).collect();
        let profiles = layers.iter().filter(|layer| layer.origin == Origin::Profile);
        let of_profiles =
            ids(profiles.flat_map(|layer| layer.definitions.iter().chain(&layer.custom)));
        let of_profiles = of_profiles.filter(|id| !rules.contains(id)).collect();
        let declared =
            layers.iter().flat_map(|layer| layer.definitions.iter().chain(&layer.custom));
        Self { of_profiles, declared: ids(declared).collect(), is_whole, rules }
    }

    /// Whether a file has a rule of that id, which may be wrong otherwise.
    pub fn is_declared(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let thresholds = THRESHOLDS.iter().map(|threshold| threshold.name);
        let settings = SETTINGS.iter().map(|(name, _)| *name);
        let only_thresholds = thresholds.filter(|name| !self.is_rule(name));
        let rules = self.of_profiles.iter().chain(&self.rules).map(|rule| &**rule);
        rules.chain(only_thresholds).chain(settings)
    }

    /// Whether it is a rule that can be switched: a built-in one, or one that a profile brings.
    fn can_switch(&self, name: &str) -> bool {
        self.is_rule(name) || self.of_profiles.iter().any(|rule| **rule == *name)
    }

    pub fn is_rule(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| **rule == *name)
    }
}

/// A rule that `rules` switches.
#[derive(Debug)]
struct Switch {
    rule: Box<str>,
    is_on: bool,
    /// The layer that says so.
    layer: usize,
}

/// What `rules` comes to, all layers together.
#[derive(Debug, Default)]
pub(super) struct Settings {
    switches: Vec<Switch>,
    /// The thresholds of this program.
    pub thresholds: Vec<(Box<str>, i64)>,
    pub verbosity: Option<Verbosity>,
    pub autonomy: Option<Autonomy>,
    pub confirm_complex_plans: Option<bool>,
}

impl Settings {
    /// Whether a built-in rule is in force. A threshold of 0 switches its rule off.
    pub fn is_on(&self, rule: &str) -> bool {
        let is_switched_on = self.switches.iter().any(|it| *it.rule == *rule && it.is_on);
        let threshold = THRESHOLDS.iter().find(|threshold| threshold.rule == rule);
        is_switched_on && threshold.is_none_or(|threshold| self.threshold(threshold.name) != 0)
    }

    /// Whether a layer nearer than the one that defines a rule switches it off.
    pub fn is_off(&self, rule: &str, layer: usize) -> bool {
        self.switches.iter().any(|it| *it.rule == *rule && !it.is_on && it.layer < layer)
    }

    fn threshold(&self, name: &str) -> i64 {
        let found = self.thresholds.iter().find(|(known, _)| **known == *name);
        found.map_or(0, |(_, value)| *value)
    }

    fn set_threshold(&mut self, name: &str, value: i64) {
        if let Some((_, slot)) = self.thresholds.iter_mut().find(|(known, _)| **known == *name) {
            *slot = value;
        } else {
            self.thresholds.push((name.into(), value));
        }
    }

    fn switch(&mut self, rule: &str, is_on: bool, layer: usize) {
        self.switches.retain(|it| *it.rule != *rule);
        self.switches.push(Switch { rule: rule.into(), is_on, layer });
    }
}

impl Resolver<'_> {
    pub(super) fn switches(&mut self, known: &Known, layers: &[Layer]) -> Settings {
        let mut settings = Settings::default();
        for threshold in THRESHOLDS {
            settings.set_threshold(threshold.name, threshold.default);
        }
        // The farthest first, so that nearer layers win.
        for (at, layer) in layers.iter().enumerate().rev() {
            for (name, value) in layer.switches.iter().flat_map(|switches| &switches.0.0) {
                apply(&mut settings, known, (name, value), at, self.reports);
            }
        }
        for layer in layers.iter().filter(|layer| layer.origin == Origin::Config) {
            for (name, value) in layer.switches.iter().flat_map(|switches| &switches.0.0) {
                self.report_idle_threshold(&settings, known, name, value);
            }
        }
        settings
    }

    /// A threshold that the config sets for a rule that is off.
    fn report_idle_threshold(
        &mut self,
        settings: &Settings,
        known: &Known,
        name: &Spanned<Box<str>>,
        value: &Node,
    ) {
        let threshold = THRESHOLDS.iter().find(|threshold| threshold.name == &*name.value);
        let is_number = matches!(value.kind, Kind::Int(1..));
        let idle = threshold.filter(|threshold| !settings.is_on(threshold.rule));
        let Some(threshold) = idle.filter(|_| is_number && !known.is_rule(&name.value)) else {
            return;
        };
        let message = format!("`{}` has no effect: `{}` is off", threshold.name, threshold.rule);
        self.report(
            Diagnostic::new(&d::NO_EFFECT, name.span, message)
                .help(format!("switch the rule on: `{}: true`", threshold.rule)),
        );
    }
}

fn apply(
    settings: &mut Settings,
    known: &Known,
    (name, value): (&Spanned<Box<str>>, &Node),
    layer: usize,
    reports: &mut Reports,
) {
    let text = &*name.value;
    let threshold = THRESHOLDS.iter().find(|threshold| threshold.name == text);
    match (&value.kind, threshold) {
        (Kind::Null | Kind::Broken, _) => {}
        _ if text == "verbosity" => {
            settings.verbosity = Verbosity::decode(value, reports).or(settings.verbosity);
        }
        _ if text == "autonomy" => {
            settings.autonomy = Autonomy::decode(value, reports).or(settings.autonomy);
        }
        _ if text == "confirm_complex_plans" => {
            settings.confirm_complex_plans =
                bool::decode(value, reports).or(settings.confirm_complex_plans);
        }
        (Kind::Int(number), Some(threshold)) if *number >= 0 => {
            settings.set_threshold(threshold.name, *number);
            // The one threshold that is named as its rule also switches it.
            if known.is_rule(text) {
                settings.switch(text, *number > 0, layer);
            }
        }
        (Kind::Int(number), Some(_)) => {
            let message = format!("expected a whole number, 0 or more, found `{number}`");
            reports.push(Diagnostic::new(&d::OUT_OF_RANGE, value.span, message));
        }
        (Kind::Bool(on), _) if known.can_switch(text) => settings.switch(text, *on, layer),
        (_, Some(_)) => wrong_type(value, Shape::Int(0, i64::MAX), reports),
        _ if known.can_switch(text) => wrong_type(value, Shape::Bool, reports),
        // The profile that nobody found may have such a rule, which is there to be switched off.
        (Kind::Bool(false), _) if !known.is_whole => {}
        _ => {
            let message = format!("unknown field `{text}` in `rules`");
            let diagnostic = Diagnostic::new(&d::UNKNOWN_FIELD, name.span, message);
            reports.push(did_you_mean(diagnostic, text, known.names(), "fields"));
        }
    }
}
