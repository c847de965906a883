//! Exceptions of rules whose last day is over: the rules speak again, and nothing of the file shows it.

use std::time::{SystemTime, UNIX_EPOCH};

use behavior_compiler::Compilation;

use crate::number::day;
use crate::terminal::Terminal;

/// Says which exceptions have ended.
pub fn note(compilation: &Compilation, terminal: &Terminal) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    for rule in &compilation.program.rules {
        for exception in &rule.exceptions {
            let Some(until) = exception.until.filter(|until| u64::from(*until) <= now) else {
                continue;
            };
            let source = compilation.sources.get(exception.span.file);
            let place = source.map(|source| {
                format!("{}:{}", source.name, source.position(exception.span.start).line)
            });
            terminal.note(&format!(
                "an exception of `{}` ended on {} ({}): delete it, or give it another `until`",
                rule.id,
                day(until),
                place.unwrap_or_default()
            ));
        }
    }
}
