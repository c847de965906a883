//! `textDocument/hover`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide;
use tower_lsp::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Uri};

use crate::hindsight::{Glimpse, Seen};
use crate::workspace::Snapshot;

/// How much is shown of what a condition looked at.
const MAX_SAW: usize = 300;

/// Explains what stands at a position; of a condition, also what it saw last in recorded sessions.
pub fn hover<P: SourceProvider>(snapshot: &Snapshot<P>, position: Position) -> Option<Hover> {
    let encoding = snapshot.settings.encoding;
    let offset = snapshot.text().source_offset(position, encoding);
    let found = ide::hover(snapshot.file(), snapshot.project(), offset);
    let seen = seen(snapshot, offset);
    let mut parts = Vec::new();
    let mut range = None;
    if let Some(found) = found {
        range = Some(snapshot.text().range(found.span.start, found.span.end, encoding));
        parts.push(found.markdown);
    }
    parts.extend(seen);
    if parts.is_empty() {
        return None;
    }
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: parts.join("\n\n---\n\n") };
    Some(Hover { contents: HoverContents::Markup(contents), range })
}

/// What the test at an offset of a condition saw last.
fn seen<P: SourceProvider>(snapshot: &Snapshot<P>, offset: u32) -> Option<String> {
    let unit = snapshot.current_unit()?;
    let hindsight = unit.hindsight.as_ref()?;
    let (_, span) = ide::condition_at(snapshot.file(), offset)?;
    let source = snapshot.file().source();
    let start = |seen: &Seen| {
        let line = source.line_start(seen.line)?;
        let rest = snapshot.file().text().get(line as usize..)?;
        let column = rest.char_indices().nth(seen.column.saturating_sub(1) as usize)?.0;
        Some(line + column as u32)
    };
    let own = hindsight.conditions.iter().filter(|seen| seen.file == snapshot.name);
    let placed = own.filter_map(|seen| Some((start(seen)?, seen)));
    let mut inside: Vec<_> =
        placed.filter(|(start, _)| (span.start..=span.end).contains(start)).collect();
    inside.sort_by_key(|(start, _)| *start);
    // Words before the first test belong to it.
    let before = inside.iter().rev().find(|(start, _)| *start <= offset);
    before.or(inside.first()).map(|(_, seen)| told(seen))
}

fn told(seen: &Seen) -> String {
    let is_last = seen.decided.as_ref() == Some(&seen.last);
    let mut text = format!(
        "{} held at {} of {} events in recorded sessions. Last, at {}, it {}{}.{}",
        code(&seen.condition),
        seen.holds,
        seen.asked,
        place(&seen.last),
        held(&seen.last),
        if is_last { ", which decided" } else { "" },
        saw(&seen.last)
    );
    if let Some(decided) = seen.decided.as_ref().filter(|_| !is_last) {
        let (place, held) = (place(decided), held(decided));
        text.push_str(&format!("\n\nIt decided last at {place}: it {held}.{}", saw(decided)));
    }
    text
}

fn held(glimpse: &Glimpse) -> &'static str {
    match glimpse.held {
        Some(true) => "held",
        Some(false) => "did not hold",
        None => "could not be decided",
    }
}

fn place(glimpse: &Glimpse) -> String {
    let Glimpse { spot, .. } = glimpse;
    let file = spot.path.rsplit('/').next().unwrap_or_default();
    let place = format!("{}:{}", code(file), spot.line);
    match Uri::from_file_path(&*spot.path) {
        Some(uri) => format!("[{place}]({}#L{})", uri.as_str(), spot.line),
        None => place,
    }
}

fn saw(glimpse: &Glimpse) -> String {
    match glimpse.saw.is_empty() {
        true => String::new(),
        false => format!("\n\nIt saw: {}", code(&glimpse.saw)),
    }
}

/// A text as Markdown shows it, whatever is in it.
fn code(text: &str) -> String {
    let mut text: String = text.replace(['\n', '\r', '\t'], " ");
    if let Some((end, _)) = text.char_indices().nth(MAX_SAW) {
        text.truncate(end);
        text.push('…');
    }
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A blank is taken away on each side, where there are both.
    format!("{fence} {text} {fence}")
}
