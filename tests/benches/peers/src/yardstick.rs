//! The rules written by hand in Rust, as somebody would who has a day for it: one automaton for all patterns on
//! command lines, state in plain fields. What an engine costs is held against this.

use std::collections::{HashMap, HashSet};

use regex_automata::dfa::{Automaton, dense};
use regex_automata::{Anchored, Input, MatchKind};

use crate::peer::{ALLOW, ASK, BLOCKS, DENY, POLICY, Peer, Task, Word};
use crate::workload::Step;

const FILES: &str = r"(?i)(^|\| |; |&& )(cat|head|tail|less|more|bat|sed|awk|perl -[pi]) ";
const SEARCHING: &str = r"(?i)find \. |ls -lra|ls -r |tree |dir /s";
const DESTRUCTIVE: &str = "(?i)rm -rf|git reset --hard|git push --force|git push -f|git clean -fd|\
                           drop table|drop database|truncate table";
const TESTS: &str = "(?i)pytest|npm test|cargo test|go test";
const UNSURE: &str = "(?i)not sure|unsure|don't know|uncertain|can't remember";

/// The automata: they are made once.
pub struct Automata {
    commands: dense::DFA<Vec<u32>>,
    text: dense::DFA<Vec<u32>>,
}

impl Automata {
    fn new() -> Self {
        Self {
            commands: automaton(&[FILES, SEARCHING, DESTRUCTIVE, "sudo ", "^git push", TESTS]),
            text: automaton(&[UNSURE]),
        }
    }
}

fn automaton(patterns: &[&str]) -> dense::DFA<Vec<u32>> {
    let all = dense::Config::new().match_kind(MatchKind::All);
    dense::Builder::new().configure(all).build_many(patterns).expect("the patterns are small")
}

/// A bit for each pattern that is found.
fn scan(automaton: &dense::DFA<Vec<u32>>, text: &str) -> u32 {
    let input = Input::new(text).anchored(Anchored::No);
    let mut state = automaton.start_state_forward(&input).expect("any text may be searched");
    let mut found = 0;
    let mut note = |state| {
        for index in 0..automaton.match_len(state) {
            found |= 1 << automaton.match_pattern(state, index).as_usize();
        }
    };
    for byte in text.bytes() {
        state = automaton.next_state(state, byte);
        if automaton.is_special_state(state) {
            if automaton.is_match_state(state) {
                note(state);
            } else if automaton.is_dead_state(state) {
                return found;
            }
        }
    }
    state = automaton.next_eoi_state(state);
    if automaton.is_match_state(state) {
        note(state);
    }
    found
}

/// What is known of a session.
#[derive(Default)]
struct Session {
    read_files: HashSet<String>,
    reads: u32,
    changes: u32,
    has_searched: bool,
    turn: u32,
    calls: u32,
    streak: u32,
    last: String,
    has_text: bool,
}

impl Session {
    fn decide(&mut self, automata: &Automata, step: &Step) -> Word {
        if self.turn != step.turn {
            (self.turn, self.calls, self.has_text) = (step.turn, 0, false);
        }
        if step.kind == "text" {
            self.has_text = true;
            let is_told = !self.has_searched && scan(&automata.text, &step.text) != 0;
            return u32::from(is_told) << 9;
        }
        let path = step.params.file_path.as_deref().unwrap_or_default();
        let command = step.params.command.as_deref().unwrap_or_default();
        let tool = step.tool.as_str();
        let is_read = self.read_files.contains(path);
        let streak = if self.last == tool { self.streak + 1 } else { 1 };
        let mut word = 0;
        let mut policy = ASK;
        let mut runs_tests = false;
        match tool {
            "edit" | "write" => {
                let is_missed = !is_read && (tool == "edit" || step.exists);
                word |= u32::from(is_missed) << u32::from(tool == "write");
                if path.ends_with(".env") {
                    policy = DENY;
                } else if path.starts_with("src/") {
                    policy = ALLOW;
                }
            }
            "read" => {
                word |= u32::from(self.reads >= 3) << 2;
                policy = ALLOW;
            }
            "grep" | "glob" | "web_search" => policy = ALLOW,
            "bash" => {
                let found = scan(&automata.commands, command);
                word |= (found & 0b111) << 5;
                runs_tests = found >> 5 & 1 != 0;
                if found >> 3 & 1 != 0 {
                    policy = DENY;
                }
            }
            _ => {}
        }
        word |= u32::from(!self.has_text && self.calls == 0) << 8 | u32::from(streak >= 8) << 12;
        word |= policy << POLICY;
        if word & BLOCKS != 0 || policy == DENY {
            return word;
        }
        // It runs.
        self.calls += 1;
        self.streak = streak;
        if self.last != tool {
            self.last.clear();
            self.last.push_str(tool);
        }
        match tool {
            "read" => {
                if !is_read {
                    self.read_files.insert(path.to_owned());
                }
                self.reads += 1;
                word |= u32::from(streak >= 5) << 11;
            }
            "edit" | "write" => {
                self.changes += 1;
                word |= u32::from(tool == "edit") << 3
                    | u32::from(self.changes >= 3) << 4
                    | u32::from(step.lint_errors > 0) << 13;
            }
            "grep" | "glob" => self.reads = 0,
            "web_search" => self.has_searched = true,
            "bash" if runs_tests => self.changes = 0,
            _ => {}
        }
        word | u32::from(self.calls == 8) << 10
    }
}

/// The rules by hand.
pub struct Yardstick<'t> {
    automata: Automata,
    steps: &'t [Step],
}

impl<'t> Yardstick<'t> {
    pub fn new(task: &'t Task) -> Self {
        Self { automata: Automata::new(), steps: &task.steps }
    }
}

impl Peer for Yardstick<'_> {
    fn name(&self) -> &str {
        "Rust by hand"
    }

    fn decide(&mut self, words: &mut Vec<Word>) {
        let mut sessions: HashMap<String, Session> = HashMap::new();
        for step in self.steps {
            let session = match sessions.get_mut(&step.session) {
                Some(session) => session,
                None => sessions.entry(step.session.clone()).or_default(),
            };
            words.push(session.decide(&self.automata, step));
        }
    }
}
