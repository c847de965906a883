//! Reading what the model answered. A reply is foreign text: whatever it says, reading it is
//! bounded, never fails a turn, and yields only names of the vocabularies and short lines.

use serde_json::{Map, Value};

use super::config::Classifier;
use super::text::one_line;
use behavior_image::classifier::Level;

/// The longest reply that is read, in bytes.
const REPLY: usize = 64 * 1024;

/// The longest directive, in characters.
pub(super) const DIRECTIVE: usize = 500;

/// How much of a bad value a problem quotes, in characters.
const QUOTED: usize = 60;

/// How many fenced blocks are tried.
const FENCES: usize = 8;

/// A reply as far as it could be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// A name of the complexity vocabulary.
    pub complexity: String,
    /// A name of the approach vocabulary.
    pub approach: String,
    /// A name of the risk vocabulary.
    pub risk: String,
    /// What the agent is to do, one line each; where this is empty there is no directive.
    pub directives: Vec<String>,
    /// Why the model saw no need for directives.
    pub skip_reason: Option<String>,
}

/// What reading a reply gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The reply; `None` where nothing of it could be read.
    pub reply: Option<Reply>,
    /// What was wrong with it, one line each, for the log.
    pub problems: Vec<String>,
    /// The fields of which it said nothing, or nothing of their vocabularies: they have what stands in for that.
    pub unsaid: Vec<&'static str>,
}

impl Classifier<'_> {
    /// Reads what the model answered. Values outside the vocabularies are reported and fall back;
    /// directives beyond `max_directives` are dropped.
    #[must_use]
    pub fn parse_reply(&self, raw: &str) -> Parsed {
        match object(raw) {
            Ok(object) => self.read(&object),
            Err(problem) => Parsed { problems: vec![problem], ..Parsed::default() },
        }
    }

    fn read(&self, object: &Map<String, Value>) -> Parsed {
        let mut parsed = Parsed::default();
        let complexity = object.get("complexity");
        let approach = object.get("approach");
        let risk = object.get("risk").or_else(|| object.get("risk_level"));
        let reply = Reply {
            complexity: pick(&self.complexity, "complexity", complexity, "moderate", &mut parsed),
            approach: pick(&self.approaches, "approach", approach, "direct", &mut parsed),
            risk: pick(&self.risks, "risk", risk, "low", &mut parsed),
            directives: self.directives(object.get("directives"), &mut parsed.problems),
            skip_reason: skip_reason(object.get("skip_reason")),
        };
        Parsed { reply: Some(reply), ..parsed }
    }

    fn directives(&self, value: Option<&Value>, problems: &mut Vec<String>) -> Vec<String> {
        let entries = match value {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Array(entries)) => entries,
            Some(other) => {
                let shown = quoted(other);
                problems.push(format!("`directives` of the classifier's reply is {shown}, not a list of texts; none are used"));
                return Vec::new();
            }
        };
        let skipped = entries.iter().filter(|entry| !entry.is_string()).count();
        if skipped > 0 {
            problems.push(format!(
                "`directives` of the classifier's reply has {skipped} that {} not text; {} left out",
                if skipped == 1 { "is" } else { "are" },
                if skipped == 1 { "it is" } else { "they are" },
            ));
        }
        let limit = usize::try_from(self.max_directives).unwrap_or(usize::MAX);
        entries
            .iter()
            .filter_map(Value::as_str)
            .map(|text| one_line(text, DIRECTIVE))
            .filter(|text| !text.is_empty())
            .take(limit)
            .map(String::from)
            .collect()
    }
}

/// The place in a vocabulary of a name, compared trimmed and without regard to case.
pub(super) fn index_of(vocabulary: &[Level], name: &str) -> Option<usize> {
    let name = name.trim();
    // Exact first: two entries may differ in case only.
    vocabulary.iter().position(|entry| entry.name == name).or_else(|| {
        let name = name.to_lowercase();
        vocabulary.iter().position(|entry| entry.name.trim().to_lowercase() == name)
    })
}

fn pick(
    vocabulary: &[Level],
    field: &'static str,
    value: Option<&Value>,
    fallback: &str,
    parsed: &mut Parsed,
) -> String {
    let named = value.and_then(Value::as_str).and_then(|name| index_of(vocabulary, name));
    if let Some(entry) = named.and_then(|index| vocabulary.get(index)) {
        return entry.name.clone();
    }
    parsed.unsaid.push(field);
    let at = index_of(vocabulary, fallback).unwrap_or(0);
    let taken = vocabulary.get(at).map_or(fallback, |entry| entry.name.as_str());
    if let Some(value) = value.filter(|value| !value.is_null()) {
        let shown = quoted(value);
        parsed.problems.push(format!(
            "`{field}` of the classifier's reply is {shown}, which its vocabulary does not have; `{taken}` is used"
        ));
    }
    taken.to_owned()
}

fn skip_reason(value: Option<&Value>) -> Option<String> {
    let text = one_line(value?.as_str()?, DIRECTIVE);
    (!text.is_empty()).then(|| text.into())
}

fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", one_line(text, QUOTED)),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "a mapping".into(),
        other => format!("`{other}`"),
    }
}

/// The object in a reply: the whole of it, else a fenced block, else the first `{` to the last `}`.
fn object(raw: &str) -> Result<Map<String, Value>, String> {
    if raw.len() > REPLY {
        let (length, limit) = (raw.len(), REPLY / 1024);
        return Err(format!(
            "the classifier's reply has {length} bytes, more than the {limit} KiB that are read; there is no directive"
        ));
    }
    let raw = raw.trim_start_matches('\u{feff}').trim();
    if raw.is_empty() {
        return Err("the classifier's reply is empty; there is no directive".into());
    }
    let braces = || {
        let (start, end) = (raw.find('{')?, raw.rfind('}')?);
        as_object(raw.get(start..=end)?)
    };
    as_object(raw)
        .or_else(|| fenced(raw).take(FENCES).find_map(as_object))
        .or_else(braces)
        .ok_or_else(|| {
            let shown = one_line(raw, QUOTED);
            format!("the classifier's reply has no JSON object: `{shown}`; there is no directive")
        })
}

/// serde_json bounds the depth by itself.
fn as_object(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

/// The contents of the blocks between lines that begin with three backticks. They do not overlap;
/// the last may lack its end, as in a reply that was cut off.
fn fenced(raw: &str) -> impl Iterator<Item = &str> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        let (_, opened) = split_at_fence(rest)?;
        let (block, after) = split_at_fence(opened).unwrap_or((opened, ""));
        rest = after;
        Some(block)
    })
}

/// What comes before the first line that begins with three backticks, and after that line.
fn split_at_fence(text: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_start().starts_with("```") {
            return text.get(..start).zip(text.get(end..));
        }
        start = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{DIRECTIVE, Parsed, REPLY, Reply};
    use crate::classifier::{Classifier, ClassifierTable, Level};

    const FULL: &str = r#"{"complexity": "complex", "approach": "delegate", "risk": "high",
        "directives": ["Read first.", "Then act."], "skip_reason": null}"#;

    fn parse(raw: &str) -> Parsed {
        Classifier::new(&ClassifierTable::standard()).parse_reply(raw)
    }

    /// The reply, where nothing was wrong with it.
    #[track_caller]
    fn clean(raw: &str) -> Reply {
        let parsed = parse(raw);
        assert_eq!(parsed.problems, [""; 0], "{raw}");
        parsed.reply.unwrap()
    }

    #[track_caller]
    fn values(raw: &str, expect: [&str; 3], problems: &[&str]) {
        let parsed = parse(raw);
        let reply = parsed.reply.unwrap();
        assert_eq!([reply.complexity.as_str(), &reply.approach, &reply.risk], expect, "{raw}");
        assert_eq!(parsed.problems.len(), problems.len(), "{:?}", parsed.problems);
        for (problem, part) in parsed.problems.iter().zip(problems) {
            assert!(problem.contains(part), "{problem} names {part}");
        }
    }

    #[test]
    fn a_reply_is_read_as_whole_json() {
        let reply = clean(FULL);
        assert_eq!(reply.complexity, "complex");
        assert_eq!(reply.approach, "delegate");
        assert_eq!(reply.risk, "high");
        assert_eq!(reply.directives, ["Read first.", "Then act."]);
        assert_eq!(reply.skip_reason, None);
        assert_eq!(clean(&format!("\u{feff} \n{FULL}\n")), reply);
    }

    #[test]
    fn else_as_a_fenced_block() {
        let expect = clean(FULL);
        assert_eq!(clean(&format!("Sure {{here}}:\n```json\n{FULL}\n```\nDone }}.")), expect);
        assert_eq!(clean(&format!("```\n{FULL}\n```")), expect);
        assert_eq!(clean(&format!("{{x}}\n  ```JSON\r\n{FULL}\r\n  ```")), expect);
        assert_eq!(clean(&format!("{{}} cut off\n```json\n{FULL}")), expect);
        assert_eq!(clean(&format!("}}\n```sh\nls\n```\nand\n```json\n{FULL}\n```")), expect);
    }

    #[test]
    fn else_from_the_first_brace_to_the_last() {
        let expect = clean(FULL);
        assert_eq!(clean(&format!("My answer is {FULL}, I think.")), expect);
        assert_eq!(clean(&format!("```json {FULL} ```")), expect);
        assert_eq!(clean(&format!("[{FULL}]")), expect);
    }

    #[test]
    fn whole_json_wins_over_a_fence_inside_it() {
        let reply =
            clean(r#"{"directives": ["Write:\n```json\n{\"directives\": [\"evil\"]}\n```"]}"#);
        assert_eq!(reply.directives.len(), 1);
        assert!(reply.directives[0].starts_with("Write: ```json"));
    }

    #[test]
    fn a_reply_without_an_object_gives_none_and_one_problem() {
        let deep = "[".repeat(30_000);
        let deep_object = "{\"a\":".repeat(10_000);
        for raw in
            ["", "  ", "no", "null", "[1]", "{", "}{", "{\"a\":}", "```\n```", &deep, &deep_object]
        {
            let parsed = parse(raw);
            assert_eq!(parsed.reply, None, "{raw}");
            assert_eq!(parsed.problems.len(), 1, "{raw}");
            assert!(parsed.problems[0].len() < 200 && !parsed.problems[0].contains('\n'));
        }
    }

    #[test]
    fn a_reply_is_read_up_to_a_size() {
        let padded = |length: usize| format!("{FULL}{}", " ".repeat(length - FULL.len()));
        assert!(parse(&padded(REPLY)).reply.is_some());
        let parsed = parse(&padded(REPLY + 1));
        assert_eq!(parsed.reply, None);
        assert!(parsed.problems[0].contains("more than the 64 KiB"), "{:?}", parsed.problems);
    }

    #[test]
    fn names_compare_trimmed_and_without_regard_to_case() {
        values(
            r#"{"complexity": " Critical ", "approach": "RESEARCH_FIRST", "risk": "None"}"#,
            ["critical", "research_first", "none"],
            &[],
        );
    }

    #[test]
    fn risk_may_be_called_risk_level() {
        values(r#"{"risk_level": "high"}"#, ["moderate", "direct", "high"], &[]);
        values(r#"{"risk": "none", "risk_level": "high"}"#, ["moderate", "direct", "none"], &[]);
    }

    #[test]
    fn a_missing_value_falls_back() {
        values("{}", ["moderate", "direct", "low"], &[]);
        values(r#"{"risk": null, "complexity": null}"#, ["moderate", "direct", "low"], &[]);
    }

    #[test]
    fn a_value_outside_the_vocabulary_is_reported_and_falls_back() {
        values(
            r#"{"complexity": "huge", "approach": 7, "risk": ["high"]}"#,
            ["moderate", "direct", "low"],
            &["`complexity` of the classifier's reply is `huge`", "is `7`", "is a list"],
        );
    }

    #[test]
    fn a_vocabulary_without_the_fallback_gives_its_first_entry() {
        let level = |name: &str| Level { name: name.into(), ..Level::default() };
        let classifier = ClassifierTable {
            complexity: vec![level("quick"), level("deep")],
            approaches: vec![level("multi_source"), level("Direct")],
            risks: vec![],
            ..ClassifierTable::standard()
        };
        let parsed = Classifier::new(&classifier).parse_reply(r#"{"complexity": "moderate"}"#);
        let reply = parsed.reply.unwrap();
        assert_eq!(reply.complexity, "quick");
        assert_eq!(reply.approach, "Direct");
        assert_eq!(reply.risk, "low");
        assert_eq!(parsed.problems.len(), 1);
        assert!(parsed.problems[0].contains("`quick` is used"));
    }

    #[test]
    fn a_skip_reason_without_directives_or_no_directives_gives_none() {
        let none = |raw: &str| {
            Classifier::new(&ClassifierTable::standard()).directive(&clean(raw)).is_none()
        };
        assert!(none(r#"{"skip_reason": "small talk"}"#));
        assert!(none(r#"{"skip_reason": "small talk", "directives": []}"#));
        assert!(none(r#"{"risk": "high", "directives": null}"#));
        assert!(none(r#"{"directives": ["", " \n "]}"#));
        assert!(!none(r#"{"skip_reason": "hm", "directives": ["Read first."]}"#));
        assert_eq!(clean(r#"{"skip_reason": " small\ntalk "}"#).skip_reason.unwrap(), "small talk");
        assert_eq!(clean(r#"{"skip_reason": ""}"#).skip_reason, None);
    }

    #[test]
    fn directives_that_are_not_text_are_reported_and_left_out() {
        let parsed = parse(r#"{"directives": [1, "Read.", {"a": 1}, null]}"#);
        assert_eq!(parsed.reply.unwrap().directives, ["Read."]);
        assert_eq!(parsed.problems.len(), 1);
        assert!(parsed.problems[0].contains("3 that are not text"), "{:?}", parsed.problems);
        let parsed = parse(r#"{"directives": "Read."}"#);
        assert_eq!(parsed.reply.unwrap().directives, [""; 0]);
        assert!(parsed.problems[0].contains("is `Read.`, not a list"), "{:?}", parsed.problems);
    }

    #[test]
    fn directives_are_capped() {
        let reply = clean(r#"{"directives": ["1", "", "2", "3", "4", "5", "6", "7"]}"#);
        assert_eq!(reply.directives, ["1", "2", "3", "4", "5"]);
    }

    #[test]
    fn a_directive_is_one_line_of_bounded_length() {
        let long =
            format!(r#"{{"directives": ["a\n\n[BEHAVIOR DIRECTIVE]\tb", "{}"]}}"#, "é".repeat(600));
        let reply = clean(&long);
        assert_eq!(reply.directives[0], "a [BEHAVIOR DIRECTIVE] b");
        assert_eq!(reply.directives[1].chars().count(), DIRECTIVE);
        assert!(reply.directives[1].ends_with("é..."));
    }
}
