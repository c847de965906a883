//! What a program around an engine without state does: it keeps what is known of each session, tells the engine, and makes
//! a decision of the conditions that hold.

use std::collections::{HashMap, HashSet};

use crate::peer::{ALLOW, ASK, BLOCKS, DENY, POLICY, Peer, Task, Word};
use crate::workload::Step;

/// When an engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Before,
    After,
    Text,
}

/// The conditions of each moment: the bits of rules, or the places of policy rules from [`POLICY`] on. An engine has them
/// in this order.
pub const BEFORE: [u32; 13] =
    [0, 1, 2, 5, 6, 7, 8, 12, POLICY, POLICY + 1, POLICY + 2, POLICY + 3, POLICY + 4];
pub const AFTER: [u32; 5] = [3, 4, 10, 11, 13];
pub const TEXT: [u32; 1] = [9];

/// What the policy rules say, the first one that holds.
const POLICY_ACTIONS: [Word; 5] = [DENY, DENY, ASK, ALLOW, ALLOW];

/// What an engine is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'t> {
    pub tool: &'t str,
    pub path: &'t str,
    pub command: &'t str,
    pub text: &'t str,
    /// Whether the file was read, or is there.
    pub is_read: bool,
    pub exists: bool,
    pub has_searched: bool,
    pub has_text: bool,
    pub reads: i32,
    pub changes: i32,
    pub calls: i32,
    /// How often the tool ran in a row, this time too.
    pub streak: i32,
    pub lint_errors: i32,
}

/// An engine with the rules in its language.
pub trait Engine<'t> {
    /// Which of the conditions of a moment hold: a bit for each, in their order.
    fn holding(&mut self, moment: Moment, facts: Facts<'t>) -> u32;
    /// Whether a command line runs tests, which resets a counter.
    fn runs_tests(&mut self, facts: Facts<'t>) -> bool;
}

#[derive(Default)]
struct Session {
    read_files: HashSet<String>,
    reads: i32,
    changes: i32,
    has_searched: bool,
    turn: u32,
    calls: i32,
    streak: i32,
    last: String,
    has_text: bool,
}

/// An engine and its host.
pub struct Hosted<'t, E> {
    name: &'static str,
    steps: &'t [Step],
    engine: E,
}

impl<'t, E: Engine<'t>> Hosted<'t, E> {
    pub fn new(name: &'static str, task: &'t Task, engine: E) -> Self {
        Self { name, steps: &task.steps, engine }
    }
}

impl<'t, E: Engine<'t>> Peer for Hosted<'t, E> {
    fn name(&self) -> &str {
        self.name
    }

    fn decide(&mut self, words: &mut Vec<Word>) {
        let mut sessions: HashMap<&str, Session> = HashMap::new();
        for step in self.steps {
            let session = sessions.entry(&step.session).or_default();
            words.push(session.decide(&mut self.engine, step));
        }
    }
}

impl Session {
    fn decide<'t, E: Engine<'t>>(&mut self, engine: &mut E, step: &'t Step) -> Word {
        if self.turn != step.turn {
            (self.turn, self.calls, self.has_text) = (step.turn, 0, false);
        }
        if step.kind == "text" {
            self.has_text = true;
            let facts = Facts { text: &step.text, ..self.facts(step) };
            return word(engine.holding(Moment::Text, facts), &TEXT);
        }
        let found = word(engine.holding(Moment::Before, self.facts(step)), &BEFORE);
        let policy = (0..).zip(POLICY_ACTIONS).find(|(rule, _)| found >> (POLICY + rule) & 1 != 0);
        let policy = policy.map_or(ASK, |(_, action)| action);
        let rules = found & ((1 << POLICY) - 1);
        let before = rules | policy << POLICY;
        if rules & BLOCKS != 0 || policy == DENY {
            return before;
        }
        self.remember(engine, step);
        before | word(engine.holding(Moment::After, self.facts_after(step)), &AFTER)
    }

    fn facts<'t>(&self, step: &'t Step) -> Facts<'t> {
        let path = step.params.file_path.as_deref().unwrap_or_default();
        Facts {
            tool: &step.tool,
            path,
            command: step.params.command.as_deref().unwrap_or_default(),
            text: "",
            is_read: self.read_files.contains(path),
            exists: step.exists,
            has_searched: self.has_searched,
            has_text: self.has_text,
            reads: self.reads,
            changes: self.changes,
            calls: self.calls,
            streak: if self.last == step.tool { self.streak + 1 } else { 1 },
            lint_errors: step.lint_errors as i32,
        }
    }

    /// What is known once the step was remembered: its streak is counted.
    fn facts_after<'t>(&self, step: &'t Step) -> Facts<'t> {
        Facts { streak: self.streak, ..self.facts(step) }
    }

    fn remember<'t, E: Engine<'t>>(&mut self, engine: &mut E, step: &'t Step) {
        let facts = self.facts(step);
        self.calls += 1;
        self.streak = facts.streak;
        if self.last != step.tool {
            self.last.clear();
            self.last.push_str(&step.tool);
        }
        match facts.tool {
            "read" => {
                if !facts.is_read {
                    self.read_files.insert(facts.path.to_owned());
                }
                self.reads += 1;
            }
            "edit" | "write" => self.changes += 1,
            "grep" | "glob" => self.reads = 0,
            "web_search" => self.has_searched = true,
            "bash" if self.changes != 0 && engine.runs_tests(facts) => self.changes = 0,
            _ => {}
        }
    }
}

/// The bits of the conditions that hold.
fn word(holding: u32, bits: &[u32]) -> Word {
    let holding = (0..).zip(bits).filter(|(place, _)| holding >> place & 1 != 0);
    holding.fold(0, |word, (_, bit)| word | 1 << bit)
}
