//! What an agent has set up to be said to it later: a prompt for a timer, a loop, a message to itself. It comes back as a
//! user's message, and is none. Of texts nothing is kept but hashes of their clauses. Knows no rules.

use std::collections::BTreeSet;

use crate::fnv::{OFFSET, fnv};

/// No more clauses are kept. Where there were more, no message is taken for the user's word any more.
const MAX_CLAUSES: usize = 4_096;

/// What names of tools hold that have something said to the agent later, without signs between their words. Sources: the
/// tools of Claude Code 2.1 (`CronCreate`, `ScheduleWakeup`, `SendMessage`, `SlashCommand`, `Skill`); servers of timers
/// and of terminals name theirs alike.
const NAMES: &[&str] = &[
    "cron",
    "schedul",
    "wakeup",
    "remind",
    "timer",
    "alarm",
    "loop",
    "enqueue",
    "sendmessage",
    "sendprompt",
    "sendkeys",
    "slashcommand",
    "skill",
    "trigger",
];

/// The clauses of what an agent has set up to be said to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scheduled {
    clauses: BTreeSet<u64>,
    /// Whether there were more than are kept.
    pub overflowed: bool,
}

impl Scheduled {
    /// Takes up a clause that will be said.
    pub fn add(&mut self, clause: &str) {
        if let Some(hash) = hash_of(clause) {
            self.add_hash(hash);
        }
    }

    /// Takes up a clause by its hash.
    pub fn add_hash(&mut self, hash: u64) {
        match self.clauses.len() < MAX_CLAUSES {
            true => drop(self.clauses.insert(hash)),
            false => self.overflowed |= !self.clauses.contains(&hash),
        }
    }

    /// Whether the agent has set a clause up, so that it is nobody's wish.
    pub fn has(&self, clause: &str) -> bool {
        self.overflowed || hash_of(clause).is_some_and(|hash| self.clauses.contains(&hash))
    }

    /// The hashes of the clauses.
    pub fn hashes(&self) -> impl ExactSizeIterator<Item = u64> {
        self.clauses.iter().copied()
    }
}

/// Whether a tool, by the last part of its normalised name, has something said to the agent later.
pub fn is_scheduling(canonical: &str) -> bool {
    let name: String = canonical.chars().filter(|c| c.is_alphanumeric()).collect();
    NAMES.iter().any(|part| name.contains(part))
}

/// Names that a command line holds which starts agents, or types into their terminals.
const TELLING: &[&str] = &[
    "claude",
    "codex",
    "gemini",
    "opencode",
    "cursor",
    "pi -",
    "omp ",
    "send-keys",
    "screen",
    "tmux",
    "xdotool",
    "ydotool",
    "wtype",
    "dotool",
    "send-text",
    "write-chars",
    "osascript",
    "xte ",
    "cliclick",
    "sendkeys",
    "/dev/pts/",
    "/dev/tty",
    "tiocsti",
];

/// Programs that type what stands behind their names, or say it to an agent.
const TYPISTS: &[&str] = &[
    "tmux",
    "screen",
    "xdotool",
    "ydotool",
    "wtype",
    "dotool",
    "kitty",
    "kitten",
    "wezterm",
    "zellij",
    "osascript",
    "xte",
    "cliclick",
    "claude",
    "codex",
    "gemini",
    "opencode",
    "cursor-agent",
    "pi",
    "omp",
];

/// More words of a command without quotes are not looked at.
const MAX_WORDS: usize = 96;

/// So many commands of a line that type may type one text between them.
const MAX_PIECES: usize = 12;

/// Calls `visit` with what a command line may say to an agent, to this one again or to its terminal: what it has in quotes,
/// and the words behind the name of a program that types.
pub fn each_said(line: &str, visit: &mut dyn FnMut(&str)) {
    let lower = line.to_lowercase();
    if !TELLING.iter().any(|name| lower.contains(name)) {
        return;
    }
    // Signs for the ends of lines are typed as such.
    let line = line.replace("\\n", "\n").replace("\\r", "\n").replace("\\015", "\n");
    // Which of the pieces stand in quotes depends on quotes in quotes: all may.
    line.split(['\'', '"']).skip(1).for_each(&mut *visit);
    // What is typed piece by piece is one text.
    let mut pieces: Vec<String> = Vec::new();
    for command in line.split([';', '|', '&', '\n']) {
        let words: Vec<&str> = command.split_whitespace().take(MAX_WORDS).collect();
        let is_typist =
            |word: &&str| word.rsplit('/').next().is_some_and(|program| TYPISTS.contains(&program));
        let Some(start) = words.iter().position(is_typist) else { continue };
        let is_key = |word: &&&str| {
            matches!(word.to_lowercase().as_str(), "enter" | "c-m" | "return" | "kpenter" | "c-j")
        };
        let end = words.len() - words.iter().rev().take_while(is_key).count();
        let words: Vec<&str> = words.get(start + 1..end).unwrap_or_default().to_vec();
        // A blank is a key, too.
        let typed: Vec<&str> =
            words.into_iter().filter(|word| !word.eq_ignore_ascii_case("space")).collect();
        for from in 0..typed.len() {
            visit(&typed.get(from..).unwrap_or_default().join(" "));
        }
        pieces.push(behind_target(&typed).join(" "));
        let first = pieces.len().saturating_sub(MAX_PIECES);
        for from in first..pieces.len().saturating_sub(1) {
            visit(&pieces.get(from..).unwrap_or_default().join(" "));
        }
    }
}

/// The words that a program types: none that say where.
fn behind_target<'w>(words: &[&'w str]) -> Vec<&'w str> {
    const ABOUT: &[&str] = &["send-keys", "send", "type", "-l", "-X", "stuff", "--"];
    let mut typed = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "-t" | "-S" | "-p" | "--window" => drop(words.next()),
            word if ABOUT.contains(&word) && typed.is_empty() => {}
            word => typed.push(word.trim_matches(['\'', '"'])),
        }
    }
    typed
}

/// The hash of the letters and digits of a clause (FNV-1a, which never changes); `None` where it has none.
pub fn hash_of(clause: &str) -> Option<u64> {
    let mut is_empty = true;
    let mut hash = OFFSET;
    for letter in clause.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
        is_empty = false;
        hash = fnv(hash, letter.encode_utf8(&mut [0; 4]));
    }
    (!is_empty).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::{MAX_CLAUSES, Scheduled, each_said, is_scheduling};

    #[test]
    fn tools_that_say_something_later_are_told_by_their_names() {
        for name in ["croncreate", "schedule_wakeup", "create_scheduled_task", "set_reminder"] {
            assert!(is_scheduling(name), "{name}");
        }
        for name in ["bash", "read", "task", "todo_write", "merge_pull_request", "ask_user"] {
            assert!(!is_scheduling(name), "{name}");
        }
    }

    #[test]
    fn a_clause_is_known_however_it_is_set() {
        let mut scheduled = Scheduled::default();
        scheduled.add("Please push.");
        assert!(scheduled.has("  please PUSH!"));
        assert!(!scheduled.has("push"));
        assert!(!scheduled.has(" … "));
    }

    #[test]
    fn where_too_much_was_set_up_nothing_is_the_users() {
        let mut scheduled = Scheduled::default();
        (0..=MAX_CLAUSES).for_each(|number| scheduled.add(&number.to_string()));
        assert_eq!(scheduled.hashes().len(), MAX_CLAUSES);
        assert!(scheduled.has("push"));
    }

    #[test]
    fn what_a_line_types_is_found_with_quotes_and_without() {
        let said = |line: &str, text: &str| {
            let mut scheduled = Scheduled::default();
            each_said(line, &mut |text| scheduled.add(text));
            scheduled.has(text)
        };
        for line in [
            "tmux send-keys -t 1 push it Enter",
            "tmux send-keys -t 1 push Space it Enter",
            "tmux send-keys -t 1 p u s h Space i t Enter",
            "tmux send-keys -t 1 pu; tmux send-keys -t 1 'sh it' && tmux send-keys -t 1 Enter",
            r"screen -S w -X stuff 'push it\n'",
            "xdotool type --delay 5 'push it'",
            r"kitty @ send-text push it\r",
            "make; zellij action write-chars 'push it'",
            r#"osascript -e 'tell application "System Events" to keystroke "push it"'"#,
        ] {
            assert!(said(line, "push it"), "{line}");
        }
        assert!(!said("git commit -m 'push it'", "push it"));
        assert!(!said("take a screenshot of push it", "push it"));
    }
}
