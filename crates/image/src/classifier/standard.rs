//! The classifier of a config that says nothing about it. Its texts are shown to models: short,
//! and true for any kind of agent.

use super::{ClassifierTable, ContextOptions, DirectivePart, Frequency, Level};

impl ClassifierTable {
    /// The defaults: off, every turn, acknowledgements skipped, five complexities, five approaches,
    /// four risks, a warning from `medium` on.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            enabled: false,
            frequency: Frequency::EveryTurn,
            frequency_n: 3,
            skip_followups: true,
            timeout_seconds: 15.0,
            max_directives: 5,
            complexity: levels(COMPLEXITY),
            approaches: levels(APPROACHES),
            risks: levels(RISKS),
            context: ContextOptions::default(),
            system_prompt: None,
            prefix: Some(vec![
                text("[BEHAVIOR DIRECTIVE - "),
                DirectivePart::Complexity,
                text(" complexity, "),
                DirectivePart::Risk,
                text(" risk]"),
            ]),
            high_risk_warning: Some(vec![
                text("Risk level: "),
                DirectivePart::Risk,
                text(
                    ". Confirm destructive or irreversible actions with the user before proceeding.",
                ),
            ]),
            footer: Some(vec![text(FOOTER)]),
            high_risk_threshold: Some(2),
            profile_description: None,
        }
    }
}

impl Default for ContextOptions {
    fn default() -> Self {
        Self {
            tool_inventory: true,
            session_state: true,
            workspace_info: true,
            recent_history: true,
            history_depth: 8,
        }
    }
}

const FOOTER: &str = "Follow these directives. They hold for this message; where the user has \
    clearly asked for something else, do what the user asked and say so.";

/// Name, when, behavior.
type Entry = (&'static str, &'static str, &'static str);

const COMPLEXITY: &[Entry] = &[
    (
        "trivial",
        "One obvious step: a direct answer, one lookup or a one-line change.",
        "Act at once, with few words.",
    ),
    (
        "simple",
        "A few clear steps in one place, nothing to find out first.",
        "Work straight through and report the result.",
    ),
    (
        "moderate",
        "Several steps or places; some reading is needed before acting.",
        "Look at what is affected first, then work step by step and check each step.",
    ),
    (
        "complex",
        "Many parts that depend on each other, an unclear cause or a choice of design.",
        "Explore, state a plan, work in small verified steps.",
    ),
    (
        "critical",
        "A mistake would hit production, security, data or other people.",
        "Plan, get the plan confirmed, verify before and after every step.",
    ),
];

const APPROACHES: &[Entry] = &[
    (
        "direct",
        "The task is clear and the way to it is known.",
        "Start with the work itself; keep explanations short.",
    ),
    (
        "explore_first",
        "What is affected is not known well enough yet.",
        "Search and read first; change something only when the affected places are known.",
    ),
    (
        "plan_and_confirm",
        "Far-reaching or hard to undo, or the request can be read in several ways.",
        "Write down the steps, wait for the user's agreement, then carry them out.",
    ),
    (
        "delegate",
        "Large parts that do not depend on each other, or much reading for a small answer.",
        "Give each part to a helper with a clear brief and put the results together.",
    ),
    (
        "research_first",
        "The answer depends on facts outside the workspace or that may have changed.",
        "Look the facts up in reliable sources before relying on them.",
    ),
];

const RISKS: &[Entry] = &[
    ("none", "Nothing is changed: reading, explaining, answering.", "No precautions."),
    ("low", "Small changes that are easy to see and to undo.", "Check the result of the change."),
    (
        "medium",
        "Changes in many places or to shared behaviour; undoing them takes work.",
        "Name what could break and verify it; keep a way back.",
    ),
    (
        "high",
        "Deleting, overwriting, publishing, deploying, spending, or touching secrets or live data.",
        "Get the user's explicit agreement before each step that cannot be undone.",
    ),
];

fn levels(entries: &[Entry]) -> Vec<Level> {
    let owned = |text: &str| Some(text.to_owned());
    let level = |&(name, when, behavior): &Entry| Level {
        name: name.to_owned(),
        label: None,
        when: owned(when),
        behavior: owned(behavior),
    };
    entries.iter().map(level).collect()
}

fn text(text: &str) -> DirectivePart {
    DirectivePart::Text(text.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::classifier::{ClassifierTable, Frequency, Level};

    fn names(levels: &[Level]) -> Vec<&str> {
        levels.iter().map(|level| level.name.as_str()).collect()
    }

    #[test]
    fn the_defaults_are_the_documented_ones() {
        let standard = ClassifierTable::standard();
        assert!(!standard.enabled && standard.skip_followups);
        assert_eq!((standard.frequency, standard.frequency_n), (Frequency::EveryTurn, 3));
        assert_eq!((standard.timeout_seconds, standard.max_directives), (15.0, 5));
        assert_eq!(
            names(&standard.complexity),
            ["trivial", "simple", "moderate", "complex", "critical"]
        );
        assert_eq!(
            names(&standard.approaches),
            ["direct", "explore_first", "plan_and_confirm", "delegate", "research_first"]
        );
        assert_eq!(names(&standard.risks), ["none", "low", "medium", "high"]);
        let threshold = standard.high_risk_threshold.unwrap() as usize;
        assert_eq!(standard.risks[threshold].name, "medium");
        assert_eq!(standard.context.history_depth, 8);
    }
}
