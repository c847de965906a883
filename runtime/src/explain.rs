//! Why rules fired, or did not: the same evaluation, watched.

use crate::decision::Decision;
use crate::eval::Observer;
use behavior_facts::truth::Truth;
use behavior_image::{Image, Place};

/// How each rule that an event concerns came to its result.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What the session decided.
    pub decision: Decision,
    /// The rules of this phase whose trigger selects the tool, in order.
    pub rules: Vec<RuleTrace>,
}

/// How one rule came to its result.
#[derive(Clone, Debug)]
pub struct RuleTrace {
    /// The rule, as [`behavior_image::RuleTable::get`] takes it.
    pub rule: u32,
    /// Whether it fired.
    pub outcome: Truth,
    /// Its message, if it fired.
    pub message: Option<String>,
    /// The tests that were made, in order. The last one decided; a rule without any always fires.
    pub steps: Vec<Step>,
}

/// One condition that was tested.
#[derive(Clone, Debug)]
pub struct Step {
    /// What was tested.
    tested: Tested,
    /// Whether it holds.
    pub result: Truth,
    /// What it looked at, for people.
    pub saw: String,
}

/// What a step tested.
#[derive(Clone, Debug)]
enum Tested {
    /// The condition of an instruction.
    Instruction(u32),
    /// A test of a pair of request and response, for a rule.
    Pair { text: String, rule: u32 },
}

impl Step {
    /// A test of a pair, for a rule.
    pub(crate) fn of_pair(text: String, rule: u32, result: Truth, saw: String) -> Self {
        Self { tested: Tested::Pair { text, rule }, result, saw }
    }

    /// The condition as an expression, and where it stands.
    #[must_use]
    pub fn condition<'a>(&'a self, image: &'a Image) -> Option<(&'a str, Place<'a>)> {
        match &self.tested {
            Tested::Instruction(at) => {
                let view = image.view();
                view.condition(*at).map(|notes| (view.string(notes.text), view.place(&notes)))
            }
            Tested::Pair { text, rule } => Some((text, image.rules().get(*rule)?.place)),
        }
    }
}

/// Keeps what it sees of the rules that are tested.
#[derive(Default)]
pub(crate) struct Recorder {
    /// The rules, in order.
    pub rules: Vec<RuleTrace>,
}

impl Observer for Recorder {
    const THOROUGH: bool = true;

    fn rule(&mut self, rule: u32) {
        self.rules.push(RuleTrace {
            rule,
            outcome: Truth::False,
            message: None,
            steps: Vec::new(),
        });
    }

    fn tested(&mut self, at: u32, result: Truth, saw: impl FnOnce() -> String) {
        if let Some(rule) = self.rules.last_mut() {
            let tested = Tested::Instruction(at);
            rule.steps.push(Step { tested, result, saw: saw() });
        }
    }

    fn outcome(&mut self, _rule: u32, result: Truth, message: Option<&str>) {
        if let Some(rule) = self.rules.last_mut() {
            rule.outcome = result;
            rule.message = message.map(str::to_owned);
        }
    }
}
