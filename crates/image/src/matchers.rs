//! Patterns that were made ready, kept with the image that they are of.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;

use regex_automata::dfa::sparse;
use regex_automata::meta;

use crate::literals::Literals;

/// The patterns of an image that were searched for, shared by all who search.
#[derive(Debug, Default)]
pub(crate) struct Matchers {
    /// One for each pattern.
    pub(crate) all: OnceLock<Box<[OnceLock<Box<Matcher>>]>>,
    /// For how many that have an automaton the faster engine was built.
    pub(crate) built: AtomicU32,
    /// How many bytes patterns that are one of several texts were searched for in, until automata are made.
    pub(crate) searched: AtomicU32,
    /// For how many that are one of several texts an automaton was made.
    pub(crate) made: AtomicU32,
}

/// A pattern made ready to search. The automaton of the image is ready at once; the engine that is
/// built from the pattern is several times faster, and worth building for one that is searched often.
#[derive(Debug)]
pub(crate) struct Matcher {
    pub(crate) automaton: Option<sparse::DFA<Vec<u8>>>,
    /// How many bytes the automaton has searched, until the engine is built.
    pub(crate) searched: AtomicU32,
    pub(crate) regex: OnceLock<Option<Box<meta::Regex>>>,
    /// Of a pattern that is one of several texts, their automaton.
    pub(crate) literals: OnceLock<Option<Literals>>,
}
