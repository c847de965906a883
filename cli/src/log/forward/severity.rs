//! How grave a line of the audit log is, for logs that want to know.

use serde_json::Value;

/// How grave a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something was decided.
    Info,
    /// The user was asked.
    Notice,
    /// Something was denied.
    Warning,
    /// Something went wrong.
    Error,
}

impl Severity {
    /// Tells how grave a line is.
    #[must_use]
    pub fn of(fields: &Value) -> Self {
        match fields.get("verdict").and_then(Value::as_str) {
            _ if fields.get("failure").is_some() => Self::Error,
            Some("deny") => Self::Warning,
            Some("ask") => Self::Notice,
            _ => Self::Info,
        }
    }

    /// The number in OTLP.
    #[must_use]
    pub fn in_otlp(self) -> u8 {
        match self {
            Self::Info => 9,
            Self::Notice => 10,
            Self::Warning => 13,
            Self::Error => 17,
        }
    }

    /// The name in OTLP.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "INFO",
            Self::Notice => "INFO2",
            Self::Warning => "WARN",
            Self::Error => "ERROR",
        }
    }

    /// The number in syslog.
    #[must_use]
    pub fn in_syslog(self) -> u8 {
        match self {
            Self::Info => 6,
            Self::Notice => 5,
            Self::Warning => 4,
            Self::Error => 3,
        }
    }
}
