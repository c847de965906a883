//! Reads control files: what an agent that has run a step asks for. Agents write them, so that nothing about them is
//! sure; what cannot be understood is an error, and never taken for a wish to go on.

use std::borrow::Cow;
use std::fmt;

use behavior_json::{Error, Fault, Json};

/// The most bytes of a control file.
pub const MAX_BYTES: usize = 1 << 20;
/// The most characters of a reason or an agent's name that are kept.
const MAX_TEXT: usize = 4000;
/// The most slips that are told.
const MAX_WARNINGS: usize = 8;

/// What a control file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlFile {
    /// What is asked for.
    pub action: Action,
    /// Why.
    pub reason: Option<String>,
    /// The agent that is to run.
    pub trigger_agent: Option<String>,
    /// What looks like a slip, and has no effect.
    pub warnings: Vec<String>,
}

/// What a control file can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// To go back.
    Loop,
    /// To run another agent.
    Trigger,
    /// To pause.
    Checkpoint,
    /// To go on.
    Continue,
    /// To end a loop, or the run.
    Stop,
    /// To be looked at from outside.
    Vibecheck,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Loop, Self::Trigger, Self::Checkpoint, Self::Continue, Self::Stop, Self::Vibecheck];

    /// Returns the word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Loop => "loop",
            Self::Trigger => "trigger",
            Self::Checkpoint => "checkpoint",
            Self::Continue => "continue",
            Self::Stop => "stop",
            Self::Vibecheck => "vibecheck",
        }
    }
}

/// What is wrong with a control file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlFault {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ControlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the control file at {}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ControlFault {}

/// The fields.
const FIELDS: [&str; 3] = ["action", "reason", "triggerAgentId"];

impl ControlFile {
    /// Reads the text of a control file.
    ///
    /// # Errors
    /// Says what is wrong, and where: it is no JSON object, a field stands twice or is of the wrong type, or there is
    /// no such action.
    pub fn parse(text: &str) -> Result<Self, ControlFault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > MAX_BYTES {
            return Err(fault(text, 0, format!("it is larger than {} KiB", MAX_BYTES >> 10)));
        }
        if text.trim().is_empty() {
            return Err(fault(text, 0, "it is empty".to_owned()));
        }
        let mut found: [Option<Json<'_>>; 3] = [None; 3];
        let mut doubled = None;
        let mut warnings = Vec::new();
        let see = |key: Cow<'_, str>, value: Json<'_>| match FIELDS
            .iter()
            .position(|field| *field == key)
        {
            Some(at) => {
                if let Some(slot) = found.get_mut(at) {
                    if slot.is_some() {
                        doubled.get_or_insert((at, offset(text, value.get())));
                    }
                    *slot = lifetime(text, value);
                }
            }
            None => warnings.extend(near_miss(&key).filter(|_| warnings.len() < MAX_WARNINGS)),
        };
        behavior_json::entries(text, see).map_err(|error| no_object(text, &error))?;
        if let Some((field, at)) = doubled {
            let name = FIELDS.get(field).copied().unwrap_or_default();
            return Err(fault(text, at, format!("`{name}` stands twice")));
        }
        let [action, reason, agent] = found;
        Ok(Self {
            action: action_of(text, action)?,
            reason: optional_text(text, "reason", reason)?,
            trigger_agent: optional_text(text, "triggerAgentId", agent)?
                .filter(|id| !id.is_empty()),
            warnings,
        })
    }
}

/// The same value as a part of the text that it was read from.
fn lifetime<'t>(text: &'t str, value: Json<'_>) -> Option<Json<'t>> {
    let start = offset(text, value.get());
    behavior_json::parsed(text.get(start..start + value.get().len())?)
}

fn action_of(text: &str, value: Option<Json<'_>>) -> Result<Action, ControlFault> {
    let Some(value) = value else {
        return Err(fault(text, 0, "it has no `action`".to_owned()));
    };
    let at = offset(text, value.get());
    let Some(word) = behavior_json::text(value) else {
        let kind = behavior_json::kind(value.get());
        return Err(fault(text, at, format!("`action` must be a string, but is {kind}")));
    };
    if let Some(action) = Action::ALL.into_iter().find(|action| action.name() == word) {
        return Ok(action);
    }
    let shown: String = word.chars().take(60).collect();
    let names = Action::ALL.map(Action::name);
    let near = closest(&shown, names.into_iter());
    let hint = near.map_or_else(
        || format!("the actions are {}", names.join(", ")),
        |near| format!("did you mean `{near}`?"),
    );
    Err(fault(text, at, format!("there is no action `{shown}`; {hint}")))
}

fn optional_text(
    text: &str,
    field: &str,
    value: Option<Json<'_>>,
) -> Result<Option<String>, ControlFault> {
    let Some(value) = value.filter(|value| value.get() != "null") else { return Ok(None) };
    match behavior_json::text(value) {
        Some(found) => Ok(Some(found.chars().take(MAX_TEXT).collect())),
        None => {
            let kind = behavior_json::kind(value.get());
            let at = offset(text, value.get());
            Err(fault(text, at, format!("`{field}` must be a string or null, but is {kind}")))
        }
    }
}

/// What is said of a field that nobody knows and that looks like one of ours.
fn near_miss(key: &str) -> Option<String> {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    if key.len() > 60 {
        return None;
    }
    let written = plain(key);
    let same = FIELDS.into_iter().find(|field| plain(field) == written);
    let meant = match &*written {
        "agent" | "agentid" | "triggeragent" => Some("triggerAgentId"),
        _ => same.or_else(|| closest(key, FIELDS.into_iter())),
    };
    meant.map(|field| format!("`{key}` has no effect; did you mean `{field}`?"))
}

/// The closest of some names, near enough to be a slip of the pen.
pub(super) fn closest<'n>(written: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let cutoff = 1 + written.chars().count() / 4;
    let lower = written.to_lowercase();
    names
        .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= cutoff)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn no_object(text: &str, error: &Error) -> ControlFault {
    if error.fault == Fault::Kind
        && let Some(value) = behavior_json::parsed(text.trim())
    {
        let kind = behavior_json::kind(value.get());
        return fault(text, 0, format!("it must be a JSON object, but is {kind}"));
    }
    fault(text, error.at as usize, format!("it is no valid JSON: {}", error.fault))
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

fn fault(text: &str, at: usize, message: String) -> ControlFault {
    let before = text.get(..at).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(start..).map_or(0, |line| line.chars().count());
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    ControlFault { line: number(line), column: number(column), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match ControlFile::parse(text) {
            Ok(file) => format!(
                "{} {:?} {:?} {}",
                file.action.name(),
                file.reason,
                file.trigger_agent,
                file.warnings.join("; ")
            ),
            Err(fault) => format!("{}:{} {}", fault.line, fault.column, fault.message),
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(shown(text).trim_end(), expected, "{text}");
    }

    #[test]
    fn what_is_right_is_read() {
        check(r#"{"action": "loop", "reason": "tests fail"}"#, r#"loop Some("tests fail") None"#);
        check("\u{feff}{\"action\":\"stop\",\"reason\":null,\"more\":[{}]}", "stop None None");
        check(
            r#"{"action": "trigger", "triggerAgentId": "re\u0076iewer"}"#,
            r#"trigger None Some("reviewer")"#,
        );
    }

    #[test]
    fn near_misses_are_told() {
        check(
            r#"{"action": "trigger", "trigger_agent_id": "reviewer"}"#,
            "trigger None None `trigger_agent_id` has no effect; did you mean `triggerAgentId`?",
        );
        check(
            r#"{"action": "loop", "reson": "x"}"#,
            "loop None None `reson` has no effect; did you mean `reason`?",
        );
    }

    #[test]
    fn what_is_wrong_is_an_error_with_its_place() {
        check("", "1:1 it is empty");
        check("{\"action\":", "1:11 it is no valid JSON: the text ends before the value does");
        check("[]", "1:1 it must be a JSON object, but is a list");
        check("{}", "1:1 it has no `action`");
        check(
            "{\n  \"action\": \"Loop\"\n}",
            "2:13 there is no action `Loop`; did you mean `loop`?",
        );
        check("{\"action\": 3}", "1:12 `action` must be a string, but is a number");
        check(
            "{\"action\": \"loop\", \"reason\": 3}",
            "1:30 `reason` must be a string or null, but is a number",
        );
        check("{\"action\": \"loop\", \"action\": \"stop\"}", "1:30 `action` stands twice");
    }
}
