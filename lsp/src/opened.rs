//! A recorded session that is open: what rules say at its lines, as diagnostics and hints.

use behavior_compiler::SourceProvider;
use tower_lsp::ls_types::{
    Diagnostic, DiagnosticSeverity, Hover, HoverContents, InlayHint, InlayHintLabel, MarkupContent,
    MarkupKind, NumberOrString, Position, Range,
};

use crate::diagnostics::SOURCE;
use crate::hindsight::{Told, Weight};
use crate::text::{Encoding, Text};
use crate::workspace::Snapshot;

/// What rules find at the lines of a recording.
pub fn diagnostics(
    text: &Text,
    told: &[Told],
    encoding: Encoding,
) -> impl Iterator<Item = Diagnostic> {
    let found = told.iter().filter(|told| told.weight != Weight::Verdict);
    found.map(move |told| Diagnostic {
        range: text.line(told.line.saturating_sub(1), encoding),
        severity: Some(severity(told.weight)),
        code: Some(NumberOrString::String(told.rule.clone())),
        source: Some(SOURCE.to_owned()),
        message: match told.text.is_empty() {
            true => told.rule.clone(),
            false => told.text.clone(),
        },
        ..Diagnostic::default()
    })
}

fn severity(weight: Weight) -> DiagnosticSeverity {
    match weight {
        Weight::Blocked => DiagnosticSeverity::ERROR,
        Weight::Asked | Weight::Warned => DiagnosticSeverity::WARNING,
        Weight::Reminded | Weight::Verdict => DiagnosticSeverity::INFORMATION,
    }
}

/// What rules say at the line of a position.
pub fn explained<P: SourceProvider>(snapshot: &Snapshot<P>, position: Position) -> Option<Hover> {
    let here = snapshot.told.iter().filter(|told| told.line == position.line + 1);
    let (verdicts, found): (Vec<&Told>, Vec<&Told>) =
        here.partition(|told| told.weight == Weight::Verdict);
    let mut lines: Vec<String> = verdicts.iter().map(|told| format!("**{}**", told.text)).collect();
    lines.extend(found.iter().map(|told| {
        let what = match told.weight {
            Weight::Blocked => "blocks",
            Weight::Asked => "asks",
            Weight::Warned | Weight::Verdict => "warns",
            Weight::Reminded => "reminds",
        };
        format!("- `{}` {what}: {}", told.rule, told.text.replace('\n', "\n  "))
    }));
    if lines.is_empty() {
        return None;
    }
    let value = lines.join("\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    let range = snapshot.text().line(position.line, snapshot.settings.encoding);
    Some(Hover { contents, range: Some(range) })
}

/// What is decided on the calls of a recording, before their lines: lines of recordings are long.
pub fn verdicts<P: SourceProvider>(snapshot: &Snapshot<P>, range: Range) -> Vec<InlayHint> {
    let verdicts = snapshot.told.iter().filter(|told| told.weight == Weight::Verdict);
    let hint = |told: &Told| InlayHint {
        position: Position::new(told.line.saturating_sub(1), 0),
        label: InlayHintLabel::String(told.text.clone()),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: Some(true),
        data: None,
    };
    let all = verdicts.map(hint);
    all.filter(|hint| range.start <= hint.position && hint.position <= range.end).collect()
}
