//! Our hooks in an agent's settings: which they are, and what may be wrong with them. Knows no agent but by its
//! name, and reads and writes nothing.

use sha2::{Digest, Sha256};

use crate::tools::Tool;
use crate::tree::{self, Node};
use crate::wiring::{Place, Shape, Source};

/// What our program is called.
pub const PROGRAM: &str = "behavior";

/// What stands behind the command at an event before a call, where the agent lets the call happen if a hook fails
/// or answers nothing that it understands. Our program, told that it is guarded, ends with one code where it
/// answered and with another where it refused; whatever else comes back refuses the call, be it that the program is
/// not there, is killed, or is another one that ends well and says nothing.
pub(crate) const GUARD: &str = " --guarded; case $? in 77) exit 0;; 78) exit 2;; *) echo 'behavior gave no answer, so \
     the call is refused: install or repair the program, or take its hook out of the settings' >&2; exit 2;; esac";
/// The exit code of a guarded program that answered.
pub const ANSWERED: u8 = 77;
/// The exit code of a guarded program that refused, and said why on standard error.
pub const REFUSED: u8 = 78;

/// What `init` wrote in place of it before: a program that ends well and says nothing passes there.
const EARLIER_GUARDS: [&str; 1] = [
    " || { [ $? = 2 ] || echo 'behavior gave no answer, so the call is refused: repair the program, or take its \
     hook out of the settings' >&2; exit 2; }",
];

/// A command without what stands behind it.
pub(crate) fn unguarded(line: &str) -> &str {
    let mut guards = [GUARD].into_iter().chain(EARLIER_GUARDS);
    guards.find_map(|guard| line.strip_suffix(guard)).unwrap_or(line)
}

/// What an agent is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
}

impl Names {
    /// Tells whether a word names the agent. Dashes, underscores and capitals make no difference.
    pub(crate) fn has(self, word: &str) -> bool {
        let plain = |text: &str| {
            text.chars().filter(|sign| !matches!(sign, '-' | '_' | ' ')).collect::<String>()
        };
        let is = |name: &str| plain(name).eq_ignore_ascii_case(&plain(word));
        word == self.name || is(self.name) || self.aliases.iter().any(|alias| is(alias))
    }
}

/// The program and what follows, if that runs our hook for the agent of that name.
pub(crate) fn hook_words(agent: Names, words: &[String]) -> Option<&[String]> {
    let is_setting = |word: &String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let start = words.iter().position(|word| !is_setting(word))?;
    let words = words.get(start..)?;
    let [program, hook, name, ..] = words else { return None };
    let file = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_program = file.strip_suffix(".exe").unwrap_or(file) == PROGRAM;
    (is_program && hook == "hook" && agent.has(name)).then_some(words)
}

fn is_name(text: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.starts_with(|first: char| !first.is_ascii_digit()) && text.chars().all(is_part)
}

/// Something that keeps a hook from being called or heard.
#[derive(Clone, Debug)]
pub struct Hindrance {
    /// Where it stands in its file, from 1.
    pub line: usize,
    /// How much of it.
    pub effect: Effect,
    /// What it is and what to do about it, for people.
    pub message: String,
    /// The tools at which the hook is not called, where it is called at others.
    pub tools: Vec<&'static Tool>,
}

/// What comes of a hindrance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The hook is not called, or not heard, at some calls or at some times.
    Weakens,
    /// No call is ever stopped.
    Silences,
}

/// A hook file, and what else its agent goes by.
pub struct Installation<'a> {
    /// The whole path of the file.
    pub path: &'a str,
    /// What is in it.
    pub text: &'a str,
    /// The whole path of the project, where the hook is the project's.
    pub project: Option<&'a str>,
    /// The agent's other files, as far as they are there.
    pub others: &'a [(Source, String)],
}

impl Installation<'_> {
    /// Returns what is in another file of the agent's user.
    pub(crate) fn user_file(&self, name: &str) -> Option<Node> {
        let is_it = |source: &Source| source.place == Place::User && source.file == name;
        let (_, text) = self.others.iter().find(|(source, _)| is_it(source))?;
        tree::read(name, text)
    }

    /// Returns the hooks of the agent of that name in it.
    pub(crate) fn hooks(&self, agent: Names, shape: Shape) -> Vec<OwnHook> {
        tree::read("", self.text).map_or_else(Vec::new, |root| own_hooks(agent, shape, &root))
    }
}

/// A hook of ours, with what stands around it.
pub(crate) struct OwnHook {
    pub(crate) event: String,
    /// Its group in the list of the event, and its place in the group.
    pub(crate) index: (usize, usize),
    pub(crate) matcher: Option<Node>,
    /// The object that it is.
    pub(crate) entry: Node,
    /// What it runs.
    pub(crate) line: String,
}

impl Hindrance {
    pub(crate) fn new(line: usize, effect: Effect, message: impl Into<String>) -> Self {
        Self { line, effect, message: message.into(), tools: Vec::new() }
    }
}

/// Our hooks in a file, in its order.
pub(crate) fn own_hooks(agent: Names, shape: Shape, root: &Node) -> Vec<OwnHook> {
    let mut found = Vec::new();
    for (event, list) in root.member("hooks").map(Node::members).unwrap_or_default() {
        for (group, element) in list.items().iter().enumerate() {
            let entries = match shape {
                Shape::Flat => std::slice::from_ref(element),
                Shape::Grouped { .. } => {
                    element.member("hooks").map(Node::items).unwrap_or_default()
                }
            };
            for (at, entry) in entries.iter().enumerate() {
                let Some(line) = entry.member("command").and_then(Node::text) else { continue };
                let words = shlex::split(line).unwrap_or_default();
                if hook_words(agent, &words).is_none() {
                    continue;
                }
                found.push(OwnHook {
                    event: event.clone(),
                    index: (group, at),
                    matcher: element.member("matcher").cloned(),
                    entry: entry.clone(),
                    line: line.to_owned(),
                });
            }
        }
    }
    found
}

/// The variables that a command sets for our program.
pub(crate) fn assignments(agent: Names, line: &str) -> Vec<(String, String)> {
    let words = shlex::split(line).unwrap_or_default();
    let Some(own) = hook_words(agent, &words) else { return Vec::new() };
    let before = words.len() - own.len();
    let pair = |word: &String| {
        word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    words.iter().take(before).filter_map(pair).collect()
}

/// Returns the hash in hexadecimal.
pub(crate) fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
