//! What is said of names that are nearly those of tools, or of their parameters, that agents are known to have. What is not known
//! may well be there: none of this is an error.

use crate::diagnostic::{Applicability, Diagnostic};
use crate::ir::Trigger;
use crate::parameters;
use crate::registry::diagnostics as d;
use crate::registry::schema::one_of;
use crate::source::{SourceMap, Span};
use crate::tool_names;

/// What is said of a tool of this normalised name; nothing where it is one, or near to none. `place` is where the name
/// stands, alone or in quotes.
pub(crate) fn tool(name: &str, place: Span, sources: &SourceMap) -> Option<Diagnostic> {
    let meant = tool_names::meant(name)?;
    let message = format!("no known agent has a tool called `{name}`");
    let diagnostic = Diagnostic::new(&d::UNKNOWN_TOOL, place, message);
    Some(with_name(diagnostic.help(format!("did you mean `{meant}`?")), name, meant, sources))
}

/// What is said of a parameter of tools that are all known, none of which has it, and one of which has one that is nearly
/// called so. `place` is where the name stands, among other things.
pub(crate) fn parameter(
    name: &str,
    tools: &[Trigger],
    place: Span,
    sources: &SourceMap,
) -> Option<Diagnostic> {
    let meant = parameters::meant(name, tools.iter().map(|tool| &*tool.name))?;
    let diagnostic = no_parameter(name, tools, place).help(format!("did you mean `{meant}`?"));
    Some(with_name(diagnostic, name, meant, sources))
}

/// That none of the tools has a parameter.
pub(crate) fn no_parameter(name: &str, tools: &[Trigger], place: Span) -> Diagnostic {
    let tools = one_of(tools.iter().map(|tool| &*tool.name));
    let message = format!("{tools} has no parameter `{name}`");
    Diagnostic::new(&d::UNKNOWN_PARAMETER, place, message)
}

/// Points to the name, where it stands once in the place, and offers to put the one that is meant there.
fn with_name(
    mut diagnostic: Diagnostic,
    name: &str,
    meant: &str,
    sources: &SourceMap,
) -> Diagnostic {
    let Some(place) = only_place(name, diagnostic.span, sources) else { return diagnostic };
    diagnostic.span = place;
    diagnostic.replace(place, meant, Applicability::Unsafe)
}

/// Where a word stands within a place, in which it stands once.
fn only_place(word: &str, within: Span, sources: &SourceMap) -> Option<Span> {
    let text = sources.slice(within);
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let is_whole = |at: &usize| {
        let (before, behind) = (text.get(..*at), text.get(at + word.len()..));
        !before.is_some_and(|text| text.ends_with(is_part))
            && !behind.is_some_and(|text| text.starts_with(is_part))
    };
    let (lower, word) = (text.to_ascii_lowercase(), &*word.to_ascii_lowercase());
    let mut places = lower.match_indices(word).map(|(at, _)| at).filter(is_whole);
    let (first, second) = (places.next()?, places.next());
    let start = within.start + first as u32;
    let place = Span::new(within.file, start, start + word.len() as u32);
    second.is_none().then_some(place)
}
