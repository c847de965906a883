//! What the verifier has to do with an event, and what the user is to be told, as decisions show it.

use behavior_runtime::decision::{UserNotice, Verification};
use serde::Serialize;

/// The verifier's part of a decision: on the end of a response whether it is asked, on its reply what it says. A live
/// event may have both.
#[derive(Serialize)]
pub struct VerifierOutput<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    asks: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<bool>,
    tool_calls: &'a [String],
    inspections: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Option<&'a str>>,
}

/// What is said of the end of a response where the config has no verifier.
const DISABLED: VerifierOutput<'static> = VerifierOutput {
    asks: Some(false),
    reason: Some("disabled"),
    asked: None,
    tool_calls: &[],
    inspections: &[],
    flag: None,
    error: None,
};

impl<'a> VerifierOutput<'a> {
    /// What a decision on an event of this name says.
    #[must_use]
    pub fn of(verification: Option<&'a Verification>, event: Option<&str>) -> Option<Self> {
        let Some(verification) = verification else {
            return (event == Some("turn_end")).then_some(DISABLED);
        };
        let answer = verification.answer.as_ref();
        Some(Self {
            asks: verification.due.map(|due| due.asks),
            reason: verification.due.map(|due| due.reason.name()),
            asked: answer.map(|_| true),
            tool_calls: &verification.tool_calls,
            inspections: &verification.inspections,
            flag: answer.map(|answer| answer.flag.as_deref()),
            error: answer.map(|answer| answer.error.as_deref()),
        })
    }
}

/// Something that the user is to be told.
#[derive(Serialize)]
pub struct NoticeOutput<'a> {
    level: &'static str,
    text: &'a str,
}

impl<'a> From<&'a UserNotice> for NoticeOutput<'a> {
    fn from(notice: &'a UserNotice) -> Self {
        Self { level: notice.level.name(), text: &notice.text }
    }
}
