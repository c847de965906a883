//! Globs over one word of a command, a tool's name or an argument: `*` takes any text, `?` one
//! character, `[…]` and `[!…]` one of a class, `\x` the character itself. The whole word is matched.

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::{Anchored, Input};

use super::{Budget, Pattern, PatternProblem, Plain, finish, limits, parse};

/// Compiles a word glob. With `fold`, case does not count.
///
/// # Errors
/// All problems of the glob, in order.
pub fn compile(
    source: &str,
    fold: bool,
    budget: &mut Budget,
) -> Result<Pattern, Vec<PatternProblem>> {
    if let Some(problem) = limits::check_length(source) {
        return Err(vec![problem]);
    }
    if !fold && let Some(text) = crate::command::literal(source) {
        return Ok(exactly(&text));
    }
    let beginning = source.strip_suffix('*').filter(|beginning| !beginning.ends_with('\\'));
    if !fold && let Some(text) = beginning.and_then(beginning_of) {
        return Ok(Pattern { source: source.into(), ..beginning_with(&text) });
    }
    let regex = to_regex(source).map_err(|problem| vec![problem])?;
    // Patterns ignore case unless they say otherwise.
    let regex = if fold { regex } else { regex.replacen("(?s:", "(?s-i:", 1) };
    let (root, _) = parse::parse(&regex);
    let compiled = finish(source, &root, fold, budget);
    compiled.map_err(|problem| vec![PatternProblem { range: 0..source.len(), ..problem }])
}

/// The text of a glob that is nothing but text, or nothing at all.
fn beginning_of(glob: &str) -> Option<String> {
    if glob.is_empty() { Some(String::new()) } else { crate::command::literal(glob) }
}

/// The pattern that matches the texts that begin with this one.
fn beginning_with(text: &str) -> Pattern {
    Pattern {
        regex: format!(r"\A{}(?s:.*)\z", regex_syntax::escape(text)).into(),
        plain: Some(Plain::Beginning(text.into())),
        ..exactly(text)
    }
}

/// The pattern that matches this text and no other.
#[must_use]
pub fn exactly(text: &str) -> Pattern {
    Pattern {
        source: text.into(),
        regex: format!(r"\A{}\z", regex_syntax::escape(text)).into(),
        dfa: None,
        literals: None,
        exact_literal: false,
        literals_suffice: false,
        plain: Some(Plain::Whole),
        is_glob: false,
    }
}

/// Finds out which names a glob matches, while rules are compiled.
pub(crate) struct Matcher(dense::DFA<Vec<u32>>);

impl Matcher {
    /// A matcher; `None` for a glob that is wrong or very large.
    pub fn new(source: &str) -> Option<Self> {
        const MAX_BYTES: usize = 256 * 1024;
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .dfa_size_limit(Some(MAX_BYTES))
            .determinize_size_limit(Some(MAX_BYTES));
        let regex = to_regex(source).ok()?;
        dense::Builder::new().configure(config).build(&regex).ok().map(Self)
    }

    /// Whether the glob matches the whole name.
    pub fn is_match(&self, name: &str) -> bool {
        let input = Input::new(name).anchored(Anchored::Yes);
        self.0.try_search_fwd(&input).is_ok_and(|found| found.is_some())
    }
}

/// The glob as a regular expression for the whole text.
///
/// # Errors
/// When a class is not closed or empty, or has a range whose ends are the wrong way round.
pub fn to_regex(source: &str) -> Result<String, PatternProblem> {
    let mut regex = String::from(r"\A(?s:");
    let mut characters = source.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            '\\' => {
                let next = characters.next().map_or('\\', |(_, next)| next);
                regex_syntax::escape_into(next.encode_utf8(&mut [0; 4]), &mut regex);
            }
            '[' => {
                let rest = source.get(at + 1..).unwrap_or_default();
                let length = class(rest, &mut regex).ok_or_else(|| {
                    PatternProblem::invalid(at..source.len(), "this `[` is not closed")
                        .help("close it with `]`, or write `\\[` for the character")
                })?;
                let end = at + 1 + length;
                if let Some([first, last]) = backward_range(source.get(at + 1..end)) {
                    let message = format!("the range `{first}-{last}` matches nothing");
                    return Err(PatternProblem::invalid(at..end, message)
                        .help(format!("write the lower end first: `{last}-{first}`")));
                }
                while characters.clone().next().is_some_and(|(next, _)| next < end) {
                    characters.next();
                }
            }
            other => regex_syntax::escape_into(other.encode_utf8(&mut [0; 4]), &mut regex),
        }
    }
    regex.push_str(r")\z");
    Ok(regex)
}

/// Writes a class behind its `[`; answers with its length, `]` included.
fn class(rest: &str, regex: &mut String) -> Option<usize> {
    let negated = rest.starts_with(['!', '^']);
    let start = usize::from(negated);
    // A `]` that comes first means itself.
    let end = start + 1 + rest.get(start + 1..)?.find(']')?;
    regex.push_str(if negated { "[^" } else { "[" });
    let inner = rest.get(start..end)?;
    for (index, character) in inner.chars().enumerate() {
        let is_range = character == '-' && index > 0;
        if !is_range && !character.is_alphanumeric() {
            regex.push('\\');
        }
        regex.push(character);
    }
    regex.push(']');
    Some(end + 1)
}

/// The ends of a range in a class that ends before it begins.
fn backward_range(class: Option<&str>) -> Option<[char; 2]> {
    let class = class?.strip_suffix(']')?;
    let class = class.strip_prefix(['!', '^']).unwrap_or(class);
    let characters: Vec<char> = class.chars().collect();
    characters.windows(3).find_map(|window| match window {
        [first, '-', last] if first > last => Some([*first, *last]),
        _ => None,
    })
}
