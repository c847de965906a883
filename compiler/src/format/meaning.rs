//! What rule files come to, freed of where everything stands: to hold a compilation against another one of the same
//! files laid out otherwise.

use crate::Compilation;

/// What a place looks like in the debug form of a program.
const PLACE: &str = "Span {";

/// Returns all that a compilation means: the program with every field that it has, and the diagnostics, without places.
#[must_use]
pub fn meaning(compilation: &Compilation) -> String {
    let mut out = without_places(&format!("{:?}", compilation.program));
    for diagnostic in &compilation.diagnostics {
        out.push_str(&format!("\n{} {}", diagnostic.kind.name, diagnostic.message));
    }
    for loosening in &compilation.loosening {
        out.push_str(&format!("\n{}", loosening.what));
    }
    out
}

fn without_places(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(PLACE) {
        out.push_str(before);
        rest = behind.split_once('}').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}
