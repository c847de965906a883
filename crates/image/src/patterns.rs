//! The patterns of an image: text patterns in the four forms that there are, made ready when they are first
//! searched for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use regex_automata::dfa::sparse;
use regex_automata::{Input, meta};

use crate::code::Matching;
use crate::format::{PatternRecord, Section};
use crate::image::Image;
use crate::matchers::Matcher;
use crate::pieces::has_pieces;
use crate::scan::{contains_literal, find_literal, fold_odd_letters};

/// After so many searches with the automaton, the faster engine is built.
const SEARCHES_BEFORE_BUILDING: u32 = 64;

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
        if record.matching == Matching::OneOf as u32 && text.len() <= MAX_SHORT {
            let text = fold_odd_letters(text, scratch).as_bytes();
            let mut pieces = view.list(record.pieces, record.pieces_len);
            return pieces.any(|piece| find_literal(text, view.string_bytes(piece)).is_some());
        }
        let all = self.matchers.all.get_or_init(|| {
            (0..self.rows::<PatternRecord>(Section::Patterns)).map(|_| OnceLock::new()).collect()
        });
        let Some(cell) = all.get(pattern as usize) else { return false };
        let matcher = cell.get_or_init(|| {
            Box::new(Matcher {
                automaton: self.automaton(&record).map(|automaton| automaton.to_owned()),
                searches: AtomicU32::new(0),
                regex: OnceLock::new(),
            })
        });
        self.search(matcher, &record, text)
    }

    fn search(&self, matcher: &Matcher, record: &PatternRecord, text: &str) -> bool {
        use regex_automata::dfa::Automaton;
        // Once the engine is there, nothing shared is written any more.
        if let Some(Some(regex)) = matcher.regex.get() {
            return regex.is_match(text);
        }
        if let Some(automaton) = &matcher.automaton
            && !self.is_worth_building(matcher)
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
    fn is_worth_building(&self, matcher: &Matcher) -> bool {
        let built = &self.matchers.built;
        // Where it could not be built, it is not tried again.
        matcher.regex.get().is_none()
            && built.load(Ordering::Relaxed) < MAX_BUILT
            && matcher.searches.fetch_add(1, Ordering::Relaxed) >= SEARCHES_BEFORE_BUILDING
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
