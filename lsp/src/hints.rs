//! `textDocument/inlayHint` and `signatureHelp`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide;
use tower_lsp::ls_types::{
    Documentation, InlayHint, InlayHintLabel, InlayHintTooltip, MarkupContent, MarkupKind,
    ParameterInformation, ParameterLabel, Position, Range, SignatureHelp, SignatureInformation,
};

use crate::workspace::Snapshot;

/// What holds in a range and is not written there.
pub fn hints<P: SourceProvider>(snapshot: &Snapshot<P>, range: Range) -> Vec<InlayHint> {
    let (project, file) = (snapshot.project(), snapshot.file());
    let mut found = ide::hints(project, file);
    if snapshot.settings.options.shows_steps() {
        found.extend(ide::step_hints(project, file));
    }
    let of = |hint: ide::Hint| {
        let position = snapshot.position(hint.offset);
        let tooltip = (!hint.markdown.is_empty()).then(|| {
            let value = hint.markdown;
            InlayHintTooltip::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
        });
        InlayHint {
            position,
            label: InlayHintLabel::String(hint.label),
            kind: None,
            text_edits: None,
            tooltip,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    };
    let all = found.into_iter().map(of);
    all.filter(|hint| range.start <= hint.position && hint.position <= range.end).collect()
}

/// The forms of the condition that is being written.
pub fn signatures<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
) -> Option<SignatureHelp> {
    let found = ide::signature_help(snapshot.file(), snapshot.offset(position));
    let active_parameter = found.first()?.active.map(|active| active as u32);
    let of = |help: ide::SignatureHelp| {
        // Labels are made of letters that take one unit in every encoding.
        let value = |range: &std::ops::Range<usize>| ParameterInformation {
            label: ParameterLabel::LabelOffsets([range.start as u32, range.end as u32]),
            documentation: None,
        };
        let markdown = MarkupContent { kind: MarkupKind::Markdown, value: help.markdown };
        SignatureInformation {
            parameters: Some(help.values.iter().map(value).collect()),
            label: help.label,
            documentation: Some(Documentation::MarkupContent(markdown)),
            active_parameter: help.active.map(|active| active as u32),
        }
    };
    let signatures = found.into_iter().map(of).collect();
    Some(SignatureHelp { signatures, active_signature: Some(0), active_parameter })
}
