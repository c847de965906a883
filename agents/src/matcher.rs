//! Which tools a matcher of a hook lets through, as agents read it: all of them, names, or a pattern. Knows no
//! agent, and takes bounded time for any pattern.

use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{self, NFA};

/// How large a compiled pattern may be.
const MAX_PATTERN_BYTES: usize = 1 << 18;

/// How an agent reads a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matching {
    /// Letters, digits and a few signs are whole names, of which there may be several; all else is a pattern that
    /// matches anywhere in the name.
    NamesOrPattern {
        /// The signs that names are separated by.
        separators: &'static [char],
        /// Other signs that stand in names.
        signs: &'static [char],
    },
    /// It is always a pattern that matches anywhere in the name.
    Pattern,
}

/// What a matcher lets through.
pub(crate) enum Matcher<'a> {
    All,
    Names(Vec<&'a str>),
    Pattern(Box<PikeVM>),
    /// Nothing that could be told from here.
    Unknown,
}

impl<'a> Matcher<'a> {
    pub(crate) fn read(text: Option<&'a str>, matching: Matching) -> Self {
        let text = text.map(str::trim).unwrap_or_default();
        if matches!(text, "" | "*" | ".*") {
            return Matcher::All;
        }
        if let Matching::NamesOrPattern { separators, signs } = matching {
            let is_plain = |character: char| {
                character.is_ascii_alphanumeric()
                    || character == '_'
                    || signs.contains(&character)
                    || separators.contains(&character)
            };
            if text.chars().all(is_plain) {
                return Matcher::Names(text.split(separators).map(str::trim).collect());
            }
        }
        let limit = thompson::Config::new().nfa_size_limit(Some(MAX_PATTERN_BYTES));
        let nfa = NFA::compiler().configure(limit).build(text);
        match nfa.and_then(PikeVM::new_from_nfa) {
            Ok(pattern) => Matcher::Pattern(Box::new(pattern)),
            Err(_) => Matcher::Unknown,
        }
    }

    /// Tells whether it lets a tool through; nothing where that cannot be told.
    pub(crate) fn lets_through(&self, tool: &str) -> Option<bool> {
        match self {
            Matcher::All => Some(true),
            Matcher::Names(names) => Some(names.contains(&tool)),
            Matcher::Pattern(pattern) => Some(pattern.is_match(&mut pattern.create_cache(), tool)),
            Matcher::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: Matching = Matching::NamesOrPattern { separators: &['|', ','], signs: &[' '] };

    #[test]
    fn matchers_are_read_as_agents_do() {
        let check = |matcher: &str, matching, tool: &str, expect: Option<bool>| {
            let found = Matcher::read(Some(matcher), matching).lets_through(tool);
            assert_eq!(found, expect, "{matcher} {tool}");
        };
        for matching in [NAMES, Matching::Pattern] {
            for all in ["", "*", ".*", " "] {
                check(all, matching, "Bash", Some(true));
            }
            check("Edit|Bash", matching, "Bash", Some(true));
            check("Edit|Bash", matching, "Read", Some(false));
            check("^B.*h$", matching, "Bash", Some(true));
            check("(?!Bash)", matching, "Bash", None);
            check(&"(a{1000}){1000}".repeat(9), matching, "Bash", None);
        }
        check("Edit, Bash", NAMES, "Bash", Some(true));
        check("Bas", NAMES, "Bash", Some(false));
        check("Bas", Matching::Pattern, "Bash", Some(true));
        assert_eq!(Matcher::read(None, NAMES).lets_through("x"), Some(true));
    }
}
