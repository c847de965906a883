//! Patterns as languages: automata, and the shortest text that some of them take and others do not.
//! Everything is bounded; where a bound is met, the answer is that nothing is known.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, MatchKind};

use crate::ir::Index;
use crate::pattern::{Pattern, Plain};

/// Ends each word of a sequence: no text in UTF-8 holds it.
pub(super) const WORD_END: u8 = 0xFF;

/// No automaton takes more memory than this, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// No search looks at more states than this.
const MAX_STATES: usize = 20_000;
/// All searches together take no more steps than this.
const MAX_STEPS: usize = 8_000_000;

/// Any text; any text but none; the name of a program, which has no directory.
const ANY: &str = "(?s:.)*";
const NAME: &str = "(?s:.)+";
const PROGRAM: &str = r"[^/\\]+";

/// The texts that a pattern takes.
pub(super) struct Automaton {
    dfa: dense::DFA<Vec<u32>>,
    start: StateID,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SearchOutcome {
    /// The shortest text.
    Text(Vec<u8>),
    /// There is none.
    Nothing,
    /// There may be one: the search was given up.
    Unknown,
}

impl Automaton {
    /// The automaton of a regular expression that takes whole texts; `None` where it is too large.
    fn new(regex: &str) -> Option<Self> {
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .match_kind(MatchKind::All)
            .dfa_size_limit(Some(MAX_BYTES))
            .determinize_size_limit(Some(MAX_BYTES));
        let nfa = thompson::Config::new()
            .utf8(false)
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(MAX_BYTES));
        let dfa = dense::Builder::new()
            .configure(config)
            .thompson(nfa)
            .syntax(syntax::Config::new().utf8(false))
            .build(regex)
            .ok()?;
        let start = dfa.start_state(&start::Config::new().anchored(Anchored::Yes)).ok()?;
        Some(Self { dfa, start })
    }

    fn takes_end(&self, state: StateID) -> bool {
        self.dfa.is_match_state(self.dfa.next_eoi_state(state))
    }

    fn takes(&self, text: &[u8]) -> bool {
        let end = text.iter().fold(self.start, |state, byte| self.dfa.next_state(state, *byte));
        self.takes_end(end)
    }
}

/// Bytes in the order in which an example is best made of them.
fn by_preference() -> impl Iterator<Item = u8> {
    let is_usual = |byte: u8| byte.is_ascii_lowercase();
    let is_second = |byte: u8| byte.is_ascii_digit() || b"./_".contains(&byte);
    let rank = move |byte: u8| match byte {
        byte if is_usual(byte) => 0,
        byte if is_second(byte) => 1,
        byte if byte.is_ascii_uppercase() => 2,
        byte if byte.is_ascii_graphic() => 3,
        b' ' => 4,
        _ => 5,
    };
    (0..6).flat_map(move |wanted| (0..=u8::MAX).filter(move |byte| rank(*byte) == wanted))
}

/// The automata of a policy's patterns, each built once.
pub(super) struct Languages<'a> {
    patterns: &'a [Pattern],
    /// What each pattern stands for, where it stands for one text only.
    literals: Vec<Option<Box<str>>>,
    /// What all texts of each pattern begin and end with.
    ends: Vec<[&'a str; 2]>,
    /// The longest piece that all texts of each pattern have, as far as it is seen.
    cores: Vec<String>,
    /// A text of each pattern, once somebody asked for it.
    samples: RefCell<HashMap<Index, Option<Rc<str>>>>,
    words: RefCell<HashMap<Index, Option<Rc<Automaton>>>>,
    built: RefCell<HashMap<String, Option<Rc<Automaton>>>>,
    steps: Cell<usize>,
}

impl<'a> Languages<'a> {
    pub fn new(patterns: &'a [Pattern]) -> Self {
        let literal = |pattern: &Pattern| match pattern.plain == Some(Plain::Whole) {
            true => Some(pattern.source.clone()),
            false => crate::command::literal(&pattern.source).map(Into::into),
        };
        Self {
            patterns,
            literals: patterns.iter().map(literal).collect(),
            ends: patterns.iter().map(ends_of).collect(),
            cores: patterns.iter().map(core_of).collect(),
            samples: RefCell::default(),
            words: RefCell::default(),
            built: RefCell::default(),
            steps: Cell::new(MAX_STEPS),
        }
    }

    /// A pattern as it was written.
    pub fn source(&self, pattern: Index) -> &'a str {
        self.patterns.get(pattern as usize).map_or("", |pattern| &*pattern.source)
    }

    /// The text that a pattern stands for, where it stands for one only.
    pub fn literal(&self, pattern: Index) -> Option<&str> {
        self.literals.get(pattern as usize)?.as_deref()
    }

    /// What a pattern takes, as a part of a larger regular expression.
    fn regex(&self, pattern: Index) -> Option<String> {
        let pattern = self.patterns.get(pattern as usize)?;
        let inner = pattern.regex.strip_prefix(r"\A")?.strip_suffix(r"\z")?;
        Some(format!("(?:{inner})"))
    }

    /// A text of a pattern, if one is known.
    fn sample(&self, pattern: Index) -> Option<Rc<str>> {
        if let Some(sample) = self.samples.borrow().get(&pattern) {
            return sample.clone();
        }
        let sample = match self.example(pattern) {
            SearchOutcome::Text(text) => String::from_utf8(text).ok().map(Rc::from),
            _ => None,
        };
        self.samples.borrow_mut().insert(pattern, sample.clone());
        sample
    }

    /// The shortest text of a pattern.
    pub fn example(&self, pattern: Index) -> SearchOutcome {
        if let Some(literal) = self.literal(pattern) {
            return SearchOutcome::Text(literal.into());
        }
        let source = self.source(pattern);
        if source.contains(['[', '\\']) {
            return self.search(&[self.word(pattern)], &[]);
        }
        SearchOutcome::Text(source.replace('*', "").replace('?', "a").into())
    }

    /// Whether it is seen that no text fits both patterns.
    pub fn are_apart(&self, a: Index, b: Index) -> bool {
        if a == b {
            return false;
        }
        match (self.literal(a), self.literal(b)) {
            (Some(a), Some(b)) => return a != b,
            (Some(text), None) => return !self.may_take(b, text),
            (None, Some(text)) => return !self.may_take(a, text),
            (None, None) => {}
        }
        let (a, b) = (self.source(a), self.source(b));
        let is_start = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a);
        let is_end = |a: &str, b: &str| a.ends_with(b) || b.ends_with(a);
        !is_start(start(a), start(b)) || !is_end(end(a), end(b))
    }

    /// Whether a pattern takes a text, as far as it is known.
    fn may_take(&self, pattern: Index, text: &str) -> bool {
        self.word(pattern).is_none_or(|automaton| automaton.takes(text.as_bytes()))
    }

    fn build(&self, regex: String) -> Option<Rc<Automaton>> {
        let mut built = self.built.borrow_mut();
        let make = |regex: &String| Automaton::new(regex).map(Rc::new);
        built.entry(regex).or_insert_with_key(make).clone()
    }

    /// The texts of a pattern.
    pub fn word(&self, pattern: Index) -> Option<Rc<Automaton>> {
        let mut words = self.words.borrow_mut();
        let make = || Automaton::new(&self.regex(pattern)?).map(Rc::new);
        words.entry(pattern).or_insert_with(make).clone()
    }

    /// All texts.
    pub fn any(&self) -> Option<Rc<Automaton>> {
        self.build(ANY.to_owned())
    }

    /// All names, which are not empty.
    pub fn names(&self) -> Option<Rc<Automaton>> {
        self.build(NAME.to_owned())
    }

    /// All names that a program may have where it is compared.
    pub fn program_names(&self) -> Option<Rc<Automaton>> {
        self.build(PROGRAM.to_owned())
    }

    /// Sequences of words, each with [`WORD_END`] behind it; `None` stands for any number of words.
    pub fn sequence(&self, items: &[Option<Index>]) -> Option<Rc<Automaton>> {
        let mut regex = String::new();
        for item in items {
            match item {
                None => regex.push_str(r"(?:(?s:.)*(?-u:\xFF))*"),
                Some(pattern) => {
                    regex.push_str(&self.regex(*pattern)?);
                    regex.push_str(r"(?-u:\xFF)");
                }
            }
        }
        self.build(regex)
    }

    /// Whether a pattern takes a text; not when it is too large to know.
    pub fn takes(&self, pattern: Index, text: &str) -> bool {
        match (self.literal(pattern), self.ends.get(pattern as usize)) {
            (Some(literal), _) => literal == text,
            (None, Some([start, end])) if !text.starts_with(start) || !text.ends_with(end) => false,
            _ => self.word(pattern).is_some_and(|automaton| automaton.takes(text.as_bytes())),
        }
    }

    /// Whether every text of `inner` is one of `outer`; not when it is too large to know.
    pub fn contains(&self, outer: Index, inner: Index) -> bool {
        if outer == inner || self.source(outer) == "*" {
            return true;
        }
        if self.are_apart(outer, inner) {
            return false;
        }
        if let Some(text) = self.literal(inner) {
            return self.takes(outer, text);
        }
        // One text of the inner pattern that the outer one cannot take settles most pairs.
        let core = self.cores.get(outer as usize).map_or("", String::as_str);
        if self.sample(inner).is_some_and(|sample| !sample.contains(core)) {
            return false;
        }
        self.search(&[self.word(inner)], &[self.word(outer)]) == SearchOutcome::Nothing
    }

    /// The shortest text that all of `inside` take and none of `outside`.
    pub fn search(
        &self,
        inside: &[Option<Rc<Automaton>>],
        outside: &[Option<Rc<Automaton>>],
    ) -> SearchOutcome {
        let all = inside.iter().chain(outside);
        let automata: Option<Vec<&Automaton>> = all.map(|one| one.as_deref()).collect();
        match automata {
            Some(automata) => Search::new(&automata, inside.len()).run(&self.steps),
            None => SearchOutcome::Unknown,
        }
    }
}

/// What a glob begins with, up to its first sign.
fn start(source: &str) -> &str {
    source.split(['*', '?', '[', '\\']).next().unwrap_or_default()
}

/// What a glob ends with, behind its last sign: what ends a class is no end of the text.
fn end(source: &str) -> &str {
    source.rsplit(['*', '?', '[', ']', '\\']).next().unwrap_or_default()
}

/// What all texts of a pattern begin and end with, as far as its regular expression says so: case may
/// not count in it.
fn ends_of(pattern: &Pattern) -> [&str; 2] {
    let (start, end) = (start(&pattern.source), end(&pattern.source));
    let inner = pattern.regex.strip_prefix(r"\A(?:").and_then(|regex| regex.strip_suffix(r")\z"));
    let Some(inner) = inner else { return [""; 2] };
    let is_start = inner.starts_with(&regex_syntax::escape(start));
    let is_end = inner.ends_with(&regex_syntax::escape(end));
    [if is_start { start } else { "" }, if is_end { end } else { "" }]
}

/// The longest piece that all texts of a pattern have, as far as its regular expression says so: case may not count
/// in it.
fn core_of(pattern: &Pattern) -> String {
    if pattern.source.contains(['[', '{']) || pattern.regex.contains("(?i") {
        return String::new();
    }
    let mut pieces = vec![String::new()];
    let mut characters = pattern.source.chars();
    while let Some(character) = characters.next() {
        match (character, pieces.last_mut()) {
            ('*' | '?', _) => pieces.push(String::new()),
            ('\\', Some(piece)) => piece.extend(characters.next()),
            (other, Some(piece)) => piece.push(other),
            (_, None) => {}
        }
    }
    let longest = pieces.into_iter().max_by_key(String::len).unwrap_or_default();
    let is_said = pattern.regex.contains(&regex_syntax::escape(&longest));
    if is_said { longest } else { String::new() }
}

/// A search through the product of automata, breadth first.
struct Search<'a> {
    automata: &'a [&'a Automaton],
    /// How many of them, from the first, must take the text.
    inside: usize,
    /// One byte of each class that none of the automata divides.
    bytes: Vec<u8>,
}

/// A state of the product: how it was come to.
struct Step {
    from: usize,
    byte: u8,
}

impl<'a> Search<'a> {
    fn new(automata: &'a [&'a Automaton], inside: usize) -> Self {
        let mut seen = HashSet::new();
        let classes = |byte: u8| -> Vec<u8> {
            automata.iter().map(|one| one.dfa.byte_classes().get(byte)).collect()
        };
        let bytes = by_preference().filter(|byte| seen.insert(classes(*byte))).collect();
        Self { automata, inside, bytes }
    }

    fn is_goal(&self, states: &[StateID]) -> bool {
        let mut ends = self.automata.iter().zip(states).map(|(one, state)| one.takes_end(*state));
        ends.by_ref().take(self.inside).all(|takes| takes) && !ends.any(|takes| takes)
    }

    fn is_dead(&self, states: &[StateID]) -> bool {
        let mut pairs = self.automata.iter().zip(states).take(self.inside);
        pairs.any(|(one, state)| one.dfa.is_dead_state(*state))
    }

    fn run(&self, steps: &Cell<usize>) -> SearchOutcome {
        let start: Vec<StateID> = self.automata.iter().map(|one| one.start).collect();
        let mut known: HashSet<Vec<StateID>> = HashSet::from([start.clone()]);
        let mut trail = vec![Step { from: 0, byte: 0 }];
        let mut queue = VecDeque::from([(0, start)]);
        while let Some((at, states)) = queue.pop_front() {
            if self.is_goal(&states) {
                return SearchOutcome::Text(text(&trail, at));
            }
            let Some(left) = steps.get().checked_sub(self.bytes.len()) else {
                return SearchOutcome::Unknown;
            };
            steps.set(left);
            for byte in &self.bytes {
                let pairs = self.automata.iter().zip(&states);
                let next: Vec<StateID> =
                    pairs.map(|(one, state)| one.dfa.next_state(*state, *byte)).collect();
                if self.is_dead(&next) || known.contains(&next) {
                    continue;
                }
                if trail.len() >= MAX_STATES {
                    return SearchOutcome::Unknown;
                }
                known.insert(next.clone());
                queue.push_back((trail.len(), next));
                trail.push(Step { from: at, byte: *byte });
            }
        }
        SearchOutcome::Nothing
    }
}

/// The bytes on the way to a state.
fn text(trail: &[Step], mut at: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while at != 0 {
        let Some(step) = trail.get(at) else { break };
        bytes.push(step.byte);
        at = step.from;
    }
    bytes.reverse();
    bytes
}

/// A text of whole characters: bytes that a search found.
pub(super) fn readable(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The words of a sequence that a search found.
pub(super) fn split(bytes: &[u8]) -> Vec<String> {
    let words = bytes.split(|byte| *byte == WORD_END);
    let mut words: Vec<String> = words.map(|word| readable(word.to_vec())).collect();
    // Each word has its end behind it.
    words.pop();
    words
}
