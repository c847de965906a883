//! Every kind of diagnostic: its stable name, its level and its documentation.

use crate::diagnostic::{DiagnosticKind, Severity};

macro_rules! diagnostics {
    ($($(#[doc = $docs:literal])+ $constant:ident = $name:literal, $severity:ident;)*) => {
        $(
            $(#[doc = $docs])+
            pub static $constant: DiagnosticKind = DiagnosticKind {
                name: $name,
                severity: Severity::$severity,
                docs: concat!($($docs, "\n"),+),
            };
        )*

        /// All of them, in the order declared.
        pub static ALL: &[&DiagnosticKind] = &[$(&$constant),*];
    };
}

diagnostics! {
    /// A file that is not valid YAML, TOML or JSON.
    ///
    /// The message says what the parser met. The rest of the file is still read, so that all
    /// problems show in one run.
    SYNTAX = "syntax", Error;

    /// A file that is not valid UTF-8, or holds a character that the format forbids.
    ///
    /// Rule files are UTF-8. Save the file in that encoding.
    ENCODING = "encoding", Error;

    /// A key that stands twice in one mapping.
    ///
    /// Only one of the two values could be meant. Delete or rename one of them.
    DUPLICATE_KEY = "duplicate-key", Error;

    /// A YAML tag such as `!include`.
    ///
    /// Tags can make a loader build arbitrary values, so rule files do not have them. Write the
    /// value plainly.
    YAML_TAG = "yaml-tag", Error;

    /// An alias that names no anchor above it, or one that contains itself.
    UNKNOWN_ALIAS = "unknown-alias", Error;

    /// A file that is too large, too deeply nested, or grows too much through aliases.
    TOO_LARGE = "too-large", Error;

    /// A pattern that is not a valid regular expression.
    INVALID_PATTERN = "invalid-pattern", Error;

    /// A pattern that needs a backtracking engine: look-around, back-references and their like.
    ///
    /// Patterns run in linear time on text that an agent chooses, so what cannot be matched in
    /// linear time is refused. Often the same can be said with `all`, `any` and `not`.
    UNSUPPORTED_PATTERN = "unsupported-pattern", Error;

    /// An expression that does not parse.
    INVALID_EXPRESSION = "invalid-expression", Error;

    /// A message template with a brace that opens no placeholder, or a placeholder without its end.
    ///
    /// Write `{{` and `}}` for literal braces.
    INVALID_TEMPLATE = "invalid-template", Error;
}
