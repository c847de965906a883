//! What an agent has looked at of late, as whoever judges its answers is told of it: calls by a line each, files by their
//! paths. How much of that a session keeps, how long, and in which order. Knows nothing of who judges.

use std::collections::VecDeque;

use behavior_facts::call_line::{cut, without_secrets};

/// What a session keeps of what the agent has looked at, where the config has a verifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// The calls that succeeded, `name target`, oldest first.
    pub calls: VecDeque<Seen>,
    /// The canonical paths of files that were read or found, the latest first.
    pub inspections: VecDeque<Seen>,
    /// The last text of the response that ended last: what is judged. It is not saved.
    pub judged: Option<Box<str>>,
    /// How many responses in a row were flagged.
    pub flags: u32,
    /// How many turns something counts. It is not saved.
    pub window: u32,
}

/// Something that was seen, and the turn of the last time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub text: Box<str>,
    pub turn: u32,
}

/// What a call that has succeeded looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    /// The tool's name and what it was called on.
    pub line: String,
    /// Canonical paths, in the order in which they were seen.
    pub paths: Vec<String>,
}

impl Evidence {
    /// How many calls, and how many paths, are kept.
    pub const KEPT: usize = 50;

    /// Nothing yet, of which each entry counts so many turns.
    pub fn of(window: u32) -> Self {
        Self { window, ..Self::default() }
    }

    /// Forgets what was seen before the window, and the response of the turn before.
    pub fn start_turn(&mut self, turn: u32, is_users: bool) {
        let is_alive = |seen: &Seen| turn.saturating_sub(seen.turn) < self.window;
        self.calls.retain(is_alive);
        self.inspections.retain(is_alive);
        self.judged = None;
        if is_users {
            self.flags = 0;
        }
    }

    /// Enters what a call that succeeded looked at.
    pub fn add(&mut self, gathered: Gathered, turn: u32) {
        self.add_call(gathered.line.into(), turn);
        gathered.paths.iter().for_each(|path| self.add_inspection(path, turn));
    }

    /// Enters a shell line that the user typed.
    pub fn add_user_shell(&mut self, command: &str, turn: u32) {
        self.add_call(format!("bash! {}", cut(command)).into(), turn);
    }

    /// One that is known keeps its place.
    fn add_call(&mut self, line: Box<str>, turn: u32) {
        match self.calls.iter_mut().find(|seen| seen.text == line) {
            Some(known) => known.turn = turn,
            None => self.calls.push_back(Seen { text: line, turn }),
        }
        if self.calls.len() > Self::KEPT {
            self.calls.pop_front();
        }
    }

    /// One that is known moves to the front.
    fn add_inspection(&mut self, path: &str, turn: u32) {
        let path: Box<str> = without_secrets(path).into();
        self.inspections.retain(|seen| seen.text != path);
        self.inspections.push_front(Seen { text: path, turn });
        self.inspections.truncate(Self::KEPT);
    }
}

/// A text that is kept, without its middle where it is long.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_TEXT: usize = 1 << 15;
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    let half = MAX_TEXT / 2;
    let head = text.get(..text.floor_char_boundary(half)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - half)..).unwrap_or_default();
    format!("{head}\n[… left out …]\n{tail}")
}
