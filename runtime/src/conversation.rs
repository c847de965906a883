//! What was said in a session so far, as far as a model is told of it: the last messages, cut short, and the tools
//! that the agent has.

use std::collections::{HashSet, VecDeque};

use crate::classifier::{HistoryEntry, ToolInfo};
use crate::question::TurnView;
use behavior_facts::event::Event;

/// How many messages are kept.
const MAX_MESSAGES: usize = 64;
/// How much of each is kept, in characters.
const MAX_LENGTH: usize = 4000;
/// How many tools are kept.
const MAX_TOOLS: usize = 1000;

/// What was said in a session so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversation {
    messages: VecDeque<(&'static str, String)>,
    tools: Vec<String>,
}

impl Conversation {
    /// Keeps what an event says. Of others than messages and a session's start, nothing is kept.
    pub fn note(&mut self, event: &Event<'_>) {
        let (role, text) = match event {
            Event::TurnStart { text: Some(text) } => ("user", text),
            Event::Text { text } => ("assistant", text),
            Event::SessionStart(start) => {
                if let Some(tools) = &start.tools {
                    // Several of an agent's own tools may do the same.
                    let mut seen = HashSet::new();
                    let tools = tools.iter().take(MAX_TOOLS).filter(|tool| seen.insert(&***tool));
                    self.tools = tools.map(|tool| tool.clone().into_owned()).collect();
                }
                return;
            }
            _ => return,
        };
        if text.trim().is_empty() {
            return;
        }
        if self.messages.len() >= MAX_MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back((role, text.chars().take(MAX_LENGTH).collect()));
    }

    /// Forgets the last message, if the user said this: some agents write down what is said before they tell it.
    pub fn forget_last(&mut self, message: &str) {
        let start: String = message.chars().take(MAX_LENGTH).collect();
        let is_it = |(role, text): &(&str, String)| *role == "user" && text.trim() == start.trim();
        if self.messages.back().is_some_and(is_it) {
            self.messages.pop_back();
        }
    }

    /// Returns the tools that the agent has, as far as a session's start told.
    #[must_use]
    pub fn tools(&self) -> &[String] {
        &self.tools
    }

    /// Returns a turn that begins with a message, after all that was said before.
    #[must_use]
    pub fn turn<'a>(&'a self, message: &'a str) -> TurnView<'a> {
        let history = self.messages.iter().map(|(role, text)| HistoryEntry { role, text });
        let tools = self.tools.iter().map(|name| ToolInfo { name, description: "" });
        TurnView { message, tools: tools.collect(), history: history.collect(), branch: None }
    }
}
