//! `textDocument/semanticTokens`.

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, TokenKind};
use tower_lsp::ls_types::{
    Range, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensLegend,
};

use crate::workspace::Snapshot;

/// The kinds of tokens, and their names in the protocol.
const TYPES: [(TokenKind, SemanticTokenType); 10] = [
    (TokenKind::Keyword, SemanticTokenType::KEYWORD),
    (TokenKind::Function, SemanticTokenType::FUNCTION),
    (TokenKind::Variable, SemanticTokenType::VARIABLE),
    (TokenKind::Parameter, SemanticTokenType::PARAMETER),
    (TokenKind::Text, SemanticTokenType::STRING),
    (TokenKind::Number, SemanticTokenType::NUMBER),
    (TokenKind::Operator, SemanticTokenType::OPERATOR),
    (TokenKind::Pattern, SemanticTokenType::REGEXP),
    (TokenKind::Placeholder, SemanticTokenType::MACRO),
    (TokenKind::Choice, SemanticTokenType::ENUM_MEMBER),
];

/// What the numbers of tokens mean.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.into_iter().map(|(_, name)| name).collect(),
        token_modifiers: vec![SemanticTokenModifier::DECLARATION],
    }
}

/// The tokens of a document, or of a range of it.
pub fn tokens<P: SourceProvider>(snapshot: &Snapshot<P>, within: Option<Range>) -> SemanticTokens {
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for token in ide::tokens(snapshot.file()) {
        let range = snapshot.range(token.span);
        let is_wanted = within.is_none_or(|it| it.start <= range.end && range.start <= it.end);
        if !is_wanted || range.start.line != range.end.line {
            continue;
        }
        let kind = TYPES.iter().position(|(kind, _)| *kind == token.kind).unwrap_or_default();
        if range.start.line != line {
            column = 0;
        }
        data.push(SemanticToken {
            delta_line: range.start.line - line,
            delta_start: range.start.character - column,
            length: range.end.character - range.start.character,
            token_type: kind as u32,
            token_modifiers_bitset: u32::from(token.is_declaration),
        });
        (line, column) = (range.start.line, range.start.character);
    }
    SemanticTokens { result_id: None, data }
}
