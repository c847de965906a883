//! A recorded session that is open: what rules say at its lines, as diagnostics and hints.

use behavior_compiler::SourceProvider;
use tower_lsp::ls_types::{
    Diagnostic, DiagnosticSeverity, InlayHint, InlayHintLabel, NumberOrString, Position, Range,
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
