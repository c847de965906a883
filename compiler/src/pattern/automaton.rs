//! Builds the automaton of a pattern, within limits that keep any one pattern in the low
//! milliseconds and a whole program within its [`Budget`].

use regex_automata::dfa::{StartKind, dense};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::syntax;

use super::syntax::{Item, Look, Node, Repeat};
use super::{PatternProblem, emit, limits};

/// The largest automaton that is kept, in bytes.
pub const AUTOMATON_SIZE_LIMIT: usize = 8 * 1024;

/// The most heap, in bytes, that the NFA of an accepted pattern takes. Whoever builds one from
/// [`super::Pattern::regex`] may rely on it.
pub const NFA_SIZE_LIMIT: usize = 4 * 1024 * 1024;

/// States, as [`limits::states`] reckons, up to which a pattern surely stays under
/// [`NFA_SIZE_LIMIT`], so that there is no need to try.
const SURELY_SMALL: u64 = 4_000;

/// States above which no automaton is tried: its size would not be under the limit.
const WORTH_TRYING: u64 = 2_000;

/// NFA states above which no automaton is tried: each state of the automaton is a set of them.
const MAX_NFA_STATES: usize = 600;

/// Heap of the automaton before it is made small, and of the work to build it. Most that need more are too large in the end;
/// with twice as much, the profile `guard` has four automata fewer, since its lists of paths are split later, and takes
/// twice as long to build them.
const DENSE_SIZE_LIMIT: usize = 32 * 1024;
const DETERMINIZE_SIZE_LIMIT: usize = 48 * 1024;

/// How many automata an attempt that came to nothing counts for.
const FAILED: u32 = 8;

/// What the patterns of one program may still spend on automata. Counts, not clocks: the same
/// program gives the same image on any machine. Patterns compiled when it is used up have no
/// automaton, and work all the same.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Whether there are to be any automata at all.
    is_meant: bool,
    automata: u32,
    bytes: usize,
}

impl Budget {
    /// The usual budget of a program of `patterns` patterns: an automaton for each in a program of
    /// up to 512, for the first 128 in a larger one, which must not take long to compile; 2 MiB of
    /// them together.
    #[must_use]
    pub fn for_program(patterns: usize) -> Self {
        Self::new(if patterns <= 512 { 512 } else { 128 }, 2 * 1024 * 1024)
    }

    /// A budget of `automata`, `bytes` of them together.
    #[must_use]
    pub fn new(automata: u32, bytes: usize) -> Self {
        Self { is_meant: automata > 0, automata, bytes }
    }

    /// No automata at all, for checks that keep no pattern.
    #[must_use]
    pub fn none() -> Self {
        Self::new(0, 0)
    }

    /// Whether it was ever for any.
    pub(crate) fn is_any(&self) -> bool {
        self.is_meant
    }

    fn is_open(&self) -> bool {
        self.automata > 0 && self.bytes > 0
    }

    fn charge(&mut self, automata: u32, bytes: usize) {
        self.automata = self.automata.saturating_sub(automata);
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// The automaton of a pattern, where it is small enough and `budget` lasts. `regex` is the pattern as it was emitted,
/// with `fold` for letters of either case.
///
/// # Errors
/// A pattern that is too large to be matched at all.
pub(super) fn build(
    source: &str,
    root: &Item,
    regex: &str,
    fold: bool,
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>, PatternProblem> {
    let states = limits::states(root);
    let try_automaton = budget.is_open() && states <= WORTH_TRYING;
    if !try_automaton && states <= SURELY_SMALL {
        return Ok(None);
    }
    if !try_automaton {
        return nfa(source, regex).map(|_| None);
    }
    let shortened = without_tail(root).map(|root| emit::emit(&root, fold));
    let nfa = nfa(source, shortened.as_deref().unwrap_or(regex))?;
    let automaton = automaton(&nfa);
    match &automaton {
        Some(bytes) => budget.charge(1, bytes.len()),
        None => budget.charge(FAILED, 0),
    }
    Ok(automaton)
}

/// A pattern that ends in any text up to the end, without that text: whether there is a match is the same, and the automaton
/// is a small part of the one that reads on. `None` where no end is required.
fn without_tail(root: &Item) -> Option<Item> {
    let Node::Concat(items) = &root.node else { return None };
    let (end, items) = items.split_last()?;
    if !matches!(end.node, Node::Look(Look::TextEnd)) {
        return None;
    }
    let (last, before) = items.split_last()?;
    let mut items = before.to_vec();
    items.push(ended(last, end));
    Some(Item::new(Node::Concat(items), root.range.clone()))
}

/// What is left of an item behind which the text ends.
fn ended(item: &Item, end: &Item) -> Item {
    let both = || Node::Concat(vec![item.clone(), end.clone()]);
    let node = match &item.node {
        Node::Repeat(Repeat { item: any, min, max: None, operator })
            if matches!(any.node, Node::Dot { newline: true }) =>
        {
            let (item, operator) = (any.clone(), operator.clone());
            Node::Repeat(Repeat { item, min: *min, max: Some(*min), operator })
        }
        Node::Group(inner) => Node::Group(Box::new(ended(inner, end))),
        Node::Alternation(branches) => {
            Node::Alternation(branches.iter().map(|branch| ended(branch, end)).collect())
        }
        Node::Concat(items) => match items.split_last() {
            Some((last, before)) => {
                let items = before.iter().cloned().chain([ended(last, end)]);
                Node::Concat(items.collect())
            }
            None => both(),
        },
        _ => both(),
    };
    Item::new(node, item.range.clone())
}

/// Whether there is a match does not depend on greediness. With every repetition lazy, the
/// automaton stops at the first sign of a match, which makes it smaller.
fn nfa(source: &str, regex: &str) -> Result<NFA, PatternProblem> {
    let config = thompson::Config::new()
        .utf8(true)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(NFA_SIZE_LIMIT));
    thompson::Compiler::new()
        .syntax(syntax::Config::new().swap_greed(true))
        .configure(config)
        .build(regex)
        .map_err(|error| refused(source, &error))
}

fn refused(source: &str, error: &thompson::BuildError) -> PatternProblem {
    if error.size_limit().is_some() {
        return limits::too_large(0..source.len());
    }
    PatternProblem::invalid(0..source.len(), format!("the pattern does not compile: {error}"))
}

fn automaton(nfa: &NFA) -> Option<Vec<u8>> {
    if nfa.states().len() > MAX_NFA_STATES || nfa.look_set_any().contains_word_unicode() {
        return None;
    }
    let config = dense::Config::new()
        .start_kind(StartKind::Unanchored)
        .minimize(true)
        .dfa_size_limit(Some(DENSE_SIZE_LIMIT))
        .determinize_size_limit(Some(DETERMINIZE_SIZE_LIMIT));
    let dense = dense::Builder::new().configure(config).build_from_nfa(nfa).ok()?;
    let bytes = dense.to_sparse().ok()?.to_bytes_little_endian();
    (bytes.len() <= AUTOMATON_SIZE_LIMIT).then_some(bytes)
}
