//! The patterns of an image: text patterns in the four forms that there are, made ready when they are first
//! searched for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use regex_automata::dfa::sparse;
use regex_automata::{Input, meta};

use crate::code::Matching;
use crate::fold::fold_odd_letters;
use crate::format::{PatternRecord, Section};
use crate::glob;
use crate::image::Image;
use crate::literals::Literals;
use crate::matchers::Matcher;
use crate::pieces::{Traits, has_pieces};
use crate::scan::{contains_literal, find_literal};

/// After the automaton has searched about so many bytes, the faster engine is built: it saves as much again by then as
/// building it takes.
const SEARCHED_BEFORE_BUILDING: u32 = 96 << 10;

/// After so many bytes, the automaton of each pattern that is one of several texts is made when it is searched for.
const SEARCHED_BEFORE_MAKING: u32 = 2 << 10;

/// The same of lists of path patterns: after so many bytes, their automata are read. It is more than a hook searches for
/// one call, and as often as reading them takes.
const SEARCHED_BEFORE_READING: u32 = 256 << 10;

/// For so many of these an automaton is made at most.
const MAX_MADE: u32 = 256;

/// What a search costs besides what the text does, in bytes.
const SEARCH: u32 = 16;

/// For so many patterns with an automaton the faster engine is built at most: it takes a millisecond and
/// tens of kilobytes for each, and rules by the thousand are each met seldom. So many have one that also skips
/// what cannot match.
const MAX_BUILT: u32 = 64;

/// Texts of at most so many bytes are searched for one piece after the other. In longer ones the engine, which
/// searches for all at once, is faster.
const MAX_SHORT: usize = 1 << 10;

impl Image {
    /// Whether pattern `pattern` is found in `text`.
    #[must_use]
    pub fn matches(&self, pattern: u32, text: &str, scratch: &mut String) -> bool {
        let view = self.view();
        let record: PatternRecord = view.row(Section::Patterns, pattern);
        if record.matching == Matching::Whole as u32 {
            return view.string_bytes(record.text) == text.as_bytes();
        }
        if record.matching == Matching::Beginning as u32 {
            return text.as_bytes().starts_with(view.string_bytes(record.text));
        }
        if record.matching == Matching::Literal as u32 {
            return contains_literal(text, view.string(record.text), scratch);
        }
        if record.matching == Matching::Pieces as u32 {
            return has_pieces(&view, &record, text, scratch);
        }
        if record.traits & Traits::GLOB != 0 && self.is_matched_as_written(&record, text) {
            return glob::matches(view.string(record.source), text);
        }
        if record.matching == Matching::OneOf as u32 && text.len() <= MAX_SHORT {
            if let Some(literals) = self.literals(pattern) {
                return literals.search(text, 1, scratch) != 0;
            }
            self.make_literals(pattern, &record, text);
            let text = fold_odd_letters(text, scratch).as_bytes();
            let mut pieces = view.list(record.pieces, record.pieces_len);
            return pieces.any(|piece| find_literal(text, view.string_bytes(piece)).is_some());
        }
        self.matcher(pattern, &record).is_some_and(|matcher| self.search(matcher, &record, text))
    }

    /// Whether a path pattern is matched without its automaton: it has none, or this process may end with the next
    /// event, and reading the automaton takes longer than the whole list.
    fn is_matched_as_written(&self, record: &PatternRecord, text: &str) -> bool {
        record.automaton_len == 0 || !self.has_searched(text, SEARCHED_BEFORE_READING)
    }

    /// Whether more than so many bytes were searched in this process, with these.
    fn has_searched(&self, text: &str, bytes: u32) -> bool {
        if self.matchers.searched.load(Ordering::Relaxed) >= bytes {
            return true;
        }
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX).min(bytes);
        self.matchers.searched.fetch_add(length + SEARCH, Ordering::Relaxed);
        false
    }

    /// What a pattern was made ready with.
    fn matcher(&self, pattern: u32, record: &PatternRecord) -> Option<&Matcher> {
        let all = self.matchers.all.get_or_init(|| {
            (0..self.rows::<PatternRecord>(Section::Patterns)).map(|_| OnceLock::new()).collect()
        });
        let matcher = all.get(pattern as usize)?.get_or_init(|| {
            Box::new(Matcher {
                automaton: self.automaton(record).map(|automaton| automaton.to_owned()),
                searched: AtomicU32::new(0),
                regex: OnceLock::new(),
                literals: OnceLock::new(),
            })
        });
        Some(matcher)
    }

    /// The automaton of a pattern that is one of several texts, if one was made.
    fn literals(&self, pattern: u32) -> Option<&Literals> {
        let matcher = self.matchers.all.get()?.get(pattern as usize)?.get()?;
        matcher.literals.get()?.as_ref()
    }

    /// Makes the automaton of a pattern that is one of several texts, where so many were searched for that this process
    /// does not end with the next event.
    fn make_literals(&self, pattern: u32, record: &PatternRecord, text: &str) {
        let made = &self.matchers.made;
        if !self.has_searched(text, SEARCHED_BEFORE_MAKING) {
            return;
        }
        let Some(matcher) = self.matcher(pattern, record) else { return };
        if matcher.literals.get().is_some()
            || made.load(Ordering::Relaxed) >= MAX_MADE
            || made.fetch_add(1, Ordering::Relaxed) >= MAX_MADE
        {
            return;
        }
        let view = self.view();
        let pieces = view.list(record.pieces, record.pieces_len);
        let pieces = pieces.map(|piece| (view.string(piece), 1));
        let _ = matcher.literals.set(Literals::new(pieces));
    }

    fn search(&self, matcher: &Matcher, record: &PatternRecord, text: &str) -> bool {
        use regex_automata::dfa::Automaton;
        // Once the engine is there, nothing shared is written any more.
        if let Some(Some(regex)) = matcher.regex.get() {
            return regex.is_match(text);
        }
        if let Some(automaton) = &matcher.automaton
            && !self.is_worth_building(matcher, text)
        {
            let input = Input::new(text).earliest(true);
            return matches!(automaton.try_search_fwd(&input), Ok(Some(_)));
        }
        let build = || {
            let skips = matcher.automaton.is_some()
                || self.matchers.built.fetch_add(1, Ordering::Relaxed) < MAX_BUILT;
            build_regex(self.view().string(record.text), skips).map(Box::new)
        };
        let built = matcher.regex.get_or_init(build);
        built.as_ref().is_some_and(|regex| regex.is_match(text))
    }

    /// Whether the faster engine is to be built for a pattern that has an automaton.
    fn is_worth_building(&self, matcher: &Matcher, text: &str) -> bool {
        let built = &self.matchers.built;
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX).min(SEARCHED_BEFORE_BUILDING);
        let searched = || matcher.searched.fetch_add(length + SEARCH, Ordering::Relaxed);
        // Where it could not be built, it is not tried again.
        matcher.regex.get().is_none()
            && built.load(Ordering::Relaxed) < MAX_BUILT
            && searched() >= SEARCHED_BEFORE_BUILDING
            && built.fetch_add(1, Ordering::Relaxed) < MAX_BUILT
    }

    fn automaton(&self, record: &PatternRecord) -> Option<sparse::DFA<&[u8]>> {
        let start = record.automaton as usize;
        let end = start.checked_add(record.automaton_len as usize)?;
        let bytes = self.part(Section::Automata, start..end);
        let (automaton, _) = sparse::DFA::from_bytes(bytes).ok()?;
        Some(automaton)
    }
}

/// Compiles a translated pattern, within limits that keep memory small. To skip what cannot match is fast, and takes
/// most of the time that it takes to build.
fn build_regex(pattern: &str, skips: bool) -> Option<meta::Regex> {
    meta::Regex::builder()
        .configure(
            meta::Config::new()
                .nfa_size_limit(Some(4 << 20))
                .onepass(false)
                .auto_prefilter(skips)
                .hybrid_cache_capacity(1 << 20),
        )
        .build(pattern)
        .ok()
}
