//! What the body of a request or a response tells: its fields, the blocks of its content, values at
//! dotted paths. Reads JSON text in place; knows no rules and keeps nothing.

use std::borrow::Cow;

use behavior_json::{self, Element, Fields, Json, Raw, Slot, Slots};

/// Why a response ended, by the names that the readers of recordings give: those of Anthropic's
/// interface and a few more.
pub const STOP_REASONS: &[&str] = &[
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "pause_turn",
    "refusal",
    "content_filter",
    "model_context_window_exceeded",
    "error",
    "aborted",
];

/// Why an answer ended, by the one name that all formats get; `None` where that says nothing. Some
/// interfaces say the same of an answer that asks for tools as of any other.
#[must_use]
pub fn stop_reason(told: &str, asks_for_tools: bool) -> Option<&str> {
    Some(match told {
        "" | "unknown" | "other" | "OTHER" | "FINISH_REASON_UNSPECIFIED" | "null" => return None,
        "stop" | "STOP" | "completed" | "COMPLETE" | "eos" if asks_for_tools => "tool_use",
        "stop" | "STOP" | "completed" | "COMPLETE" | "eos" => "end_turn",
        "tool_calls" | "tool-calls" | "tool_call" | "function_call" | "toolUse" => "tool_use",
        "length" | "MAX_TOKENS" | "max_output_tokens" | "model_length" => "max_tokens",
        "content-filter" | "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT"
        | "SPII" => "content_filter",
        other => other,
    })
}

/// The parts of a pair that paths begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The request: `request.…`.
    Request,
    /// The response: `response.…`.
    Response,
    /// The model that the request asks for, else the one that the response names.
    Model,
    /// Why the response ends.
    StopReason,
}

impl Root {
    /// All of them, as they are written.
    pub const ALL: &[(&str, Root)] = &[
        ("request", Root::Request),
        ("response", Root::Response),
        ("model", Root::Model),
        ("stop_reason", Root::StopReason),
    ];

    /// The root of a path, and the rest of it; `None` where it begins with something else.
    #[must_use]
    pub fn of(path: &str) -> Option<(Root, &str)> {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let (_, root) = Root::ALL.iter().find(|(name, _)| *name == first)?;
        Some((*root, rest))
    }
}

/// The JSON object of a request or a response, opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body<'a> {
    fields: Fields<'a>,
}

impl<'a> Body<'a> {
    /// Opens a body. What is no JSON object has no fields.
    pub fn open(text: &'a str) -> Self {
        Self { fields: Fields::of(text) }
    }

    /// A field that is there and not null; of two with one name, the later.
    pub fn field(&self, name: &str) -> Option<Json<'a>> {
        self.fields.field(name).and_then(present)
    }

    /// What is wrong with a body that holds more than is looked at, for people.
    pub fn excess(&self, blocks: usize) -> Vec<String> {
        let mut problems = Vec::new();
        if self.fields.has_more() {
            problems.push(format!("only the first {} fields were looked at", Fields::MAX));
        }
        if blocks == MAX_BLOCKS {
            problems.push(format!("only the first {MAX_BLOCKS} blocks were looked at"));
        }
        problems
    }

    /// A field that is a string.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.field(name).and_then(behavior_json::text)
    }

    /// The value at a path into this body. The whole body is no value.
    pub fn at(&self, path: &str) -> Option<Json<'a>> {
        let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
        let field = self.field(first)?;
        rest.map_or(Some(field), |rest| descend(field, rest))
    }

    /// Whether nothing tells why the response ended. One that says that there is no reason tells.
    pub fn is_end_untold(&self) -> bool {
        let says_so = self.field("no_stop_reason").is_some_and(|value| value.get() == "true");
        self.field("stop_reason").is_none() && !says_so
    }

    /// The blocks of the content.
    pub fn blocks(&self) -> Vec<Block<'a>> {
        self.field("content").map_or_else(Vec::new, |content| blocks_of(content.get()))
    }
}

/// How many blocks of a response are kept. Each takes far more room than its text need have.
const MAX_BLOCKS: usize = 1 << 16;

/// The blocks of a response's content, which is JSON text. A text in place of the list, or of a block,
/// is a block of text.
pub(crate) fn blocks_of<'c>(content: &'c str) -> Vec<Block<'c>> {
    if let Some(text) = behavior_json::text_of(content) {
        return vec![Block::Text(text)];
    }
    let mut blocks = Vec::new();
    let each = |element: Element<'c, RawBlock<'c>>| {
        if blocks.len() < MAX_BLOCKS {
            blocks.extend(match element {
                Element::Object(raw) => Block::of(&raw),
                Element::Other(other) => behavior_json::text(other).map(Block::Text),
            });
        }
    };
    if behavior_json::mixed_list(content, each).is_err() {
        blocks.clear();
    }
    blocks
}

fn present(value: Json<'_>) -> Option<Json<'_>> {
    (value.get() != "null").then_some(value)
}

/// Follows a path into a value: keys of objects, numbers of list items. Null is no value.
fn descend<'a>(mut value: Json<'a>, path: &str) -> Option<Json<'a>> {
    for part in path.split('.') {
        let mut found = None;
        match value.get().as_bytes().first() {
            Some(b'{') => behavior_json::entries(value.get(), |name, value| {
                if name == part {
                    found = Some(value);
                }
            }),
            Some(b'[') => {
                let wanted: usize = part.parse().ok()?;
                let mut at = 0;
                behavior_json::items(value.get(), |value| {
                    if at == wanted {
                        found = Some(value);
                    }
                    at += 1;
                })
            }
            _ => return None,
        }
        .ok()?;
        value = found.and_then(present)?;
    }
    Some(value)
}

/// A block of a response's content, as far as rules look at it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A tool is asked for.
    ToolUse {
        /// The id that the call has.
        id: Option<Cow<'a, str>>,
        /// The tool, as the recording names it.
        name: Cow<'a, str>,
    },
}

#[derive(Default)]
struct RawBlock<'a> {
    kind: Raw<'a>,
    text: Raw<'a>,
    id: Raw<'a>,
    name: Raw<'a>,
}

impl<'a> Slots<'a> for RawBlock<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        Slot::Keep(match key {
            "type" => &mut self.kind,
            "text" => &mut self.text,
            "id" => &mut self.id,
            "name" => &mut self.name,
            _ => return Slot::Ignore,
        })
    }
}

impl<'a> Block<'a> {
    fn of(raw: &RawBlock<'a>) -> Option<Self> {
        let text = |raw: Raw<'a>| raw.and_then(behavior_json::text);
        match text(raw.kind)?.as_ref() {
            "text" => Some(Block::Text(text(raw.text)?)),
            "tool_use" => Some(Block::ToolUse {
                id: text(raw.id).filter(|id| !id.is_empty()),
                name: text(raw.name)?,
            }),
            _ => None,
        }
    }
}

/// What else the tools of a response are called: `tool_names` of its body, with a list of canonical
/// names for each name that its blocks have.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolNames<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> ToolNames<'a> {
    /// What a response tells.
    pub fn of_body(response: &Body<'a>) -> Self {
        let mut names = Self::default();
        let Some(told) = response.field("tool_names") else { return names };
        let each = |native: Cow<'a, str>, others: Json<'a>| {
            let other = |name| {
                let name = behavior_json::text(name);
                names.0.extend(name.map(|name| (native.clone(), name)));
            };
            // What is no list tells no names.
            let _ = behavior_json::items(others.get(), other);
        };
        if behavior_json::entries(told.get(), each).is_err() {
            names.0.clear();
        }
        names
    }

    /// All names of the tool that a block calls `name`.
    pub fn of<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n str> {
        let others = self.0.iter().filter(move |(native, _)| native == name);
        std::iter::once(name).chain(others.map(|(_, other)| &**other))
    }
}

/// All text of a response: its blocks of text, one a line.
pub(crate) fn text_of<'a>(blocks: &[Block<'a>]) -> Cow<'a, str> {
    let mut texts = blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text),
        Block::ToolUse { .. } => None,
    });
    let Some(first) = texts.next() else { return Cow::Borrowed("") };
    let mut all = first.clone();
    for text in texts {
        let all = all.to_mut();
        all.push('\n');
        all.push_str(text);
    }
    all
}

/// The tokens that a response used, and what is odd about what it says of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Input, output and thinking together; `None` where it tells nothing.
    pub tokens: Option<u64>,
    /// Those of the input that were read from a cache.
    pub cached: u64,
    /// What does not count, for people.
    pub problems: Vec<String>,
}

impl Usage {
    /// What a response says of tokens.
    pub fn of(response: &Body<'_>) -> Self {
        const COUNTED: [&str; 3] = ["input_tokens", "output_tokens", "thinking_tokens"];
        let mut usage = Usage::default();
        let Some(told) = response.field("usage") else { return usage };
        let told = Body::open(told.get());
        for name in COUNTED {
            let Some(value) = told.field(name) else { continue };
            match count(value.get()) {
                Some(count) => {
                    usage.tokens = Some(usage.tokens.unwrap_or(0).saturating_add(count));
                }
                None => {
                    let value: String = value.get().chars().take(40).collect();
                    usage.problems.push(format!(
                        "`usage.{name}` is `{value}`, which is no number of tokens, and was not counted"
                    ));
                }
            }
        }
        let input = told.field("input_tokens").and_then(|value| count(value.get())).unwrap_or(0);
        let cached = told.field("cached_tokens").and_then(|value| count(value.get()));
        usage.cached = cached.unwrap_or(0).min(input);
        usage
    }

    /// The tokens, of which those that were read from a cache count so many thousandths.
    pub fn weighed(&self, thousandths: u32) -> Option<u64> {
        let left_out = 1000u64.saturating_sub(thousandths.into());
        let saved = u128::from(self.cached) * u128::from(left_out) / 1000;
        Some(self.tokens?.saturating_sub(u64::try_from(saved).unwrap_or(u64::MAX)))
    }
}

/// A whole number that is not negative. What some write with a fraction of zero is one too.
fn count(text: &str) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if let Ok(count) = text.parse() {
        return Some(count);
    }
    let number: f64 = text.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
}

/// Whether a request begins what a user asks for: its last message that is not the system's is the
/// user's, and brings more than results of tools.
pub(crate) fn is_from_user(request: &Body<'_>) -> bool {
    let Some(messages) = request.field("messages") else { return false };
    let mut last = false;
    let each = |message: RawMessage<'_>| {
        let role = message.role.and_then(behavior_json::text).unwrap_or_default();
        if !matches!(&*role, "system" | "developer") {
            last = role == "user" && !message.content.is_some_and(is_tool_result);
        }
    };
    behavior_json::list(messages.get(), each).is_ok() && last
}

/// Whether the content of a message is nothing but results of tools, which some write as the user's.
fn is_tool_result(content: Json<'_>) -> bool {
    let (mut results, mut others) = (0, 0);
    let each = |block: RawBlock<'_>| match block.kind.and_then(behavior_json::text).as_deref() {
        Some("tool_result" | "function_call_output") => results += 1,
        _ => others += 1,
    };
    behavior_json::list(content.get(), each).is_ok() && results > 0 && others == 0
}

#[derive(Default)]
struct RawMessage<'a> {
    role: Raw<'a>,
    content: Raw<'a>,
}

impl<'a> Slots<'a> for RawMessage<'a> {
    fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
        Slot::Keep(match key {
            "role" => &mut self.role,
            "content" => &mut self.content,
            _ => return Slot::Ignore,
        })
    }
}

/// Whether a response leaves the agent at work: it asked for tools, or was only paused.
pub(crate) fn goes_on(stop_reason: Option<&str>, blocks: &[Block<'_>]) -> bool {
    match stop_reason {
        Some(reason) => matches!(
            reason,
            "tool_use" | "tool_calls" | "function_call" | "toolUse" | "tool-calls" | "pause_turn"
        ),
        None => blocks.iter().any(|block| matches!(block, Block::ToolUse { .. })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, path: &str, expect: Option<&str>) {
        assert_eq!(Body::open(body).at(path).map(Json::get), expect, "{path} of {body}");
    }

    #[test]
    fn paths_lead_through_objects_and_lists() {
        let body = r#"{"model":"m","params":{"amount":5,"a.b":1,"no":null},"messages":[{"role":"user"},{"x":[1,2]}]}"#;
        check(body, "model", Some("\"m\""));
        check(body, "params.amount", Some("5"));
        check(body, "params.no", None);
        check(body, "params.none", None);
        check(body, "messages.0.role", Some("\"user\""));
        check(body, "messages.1.x.1", Some("2"));
        check(body, "messages.2", None);
        check(body, "messages.-1", None);
        check(body, "model.x", None);
        check(r#"{"a":1,"a":2}"#, "a", Some("2"));
        check("[1]", "0", None);
        check("{", "a", None);
    }

    #[test]
    fn reasons_of_all_interfaces_have_one_name() {
        let check = |told: &str, asks: bool, expect: Option<&str>| {
            assert_eq!(stop_reason(told, asks), expect, "{told}");
        };
        for told in ["stop", "STOP", "completed", "end_turn"] {
            check(told, false, Some("end_turn"));
        }
        for told in ["tool_calls", "tool-calls", "tool_call", "toolUse", "function_call", "STOP"] {
            check(told, true, Some("tool_use"));
        }
        for told in ["length", "MAX_TOKENS", "max_output_tokens", "max_tokens"] {
            check(told, true, Some("max_tokens"));
        }
        check("SAFETY", false, Some("content_filter"));
        check("stop_sequence", false, Some("stop_sequence"));
        check("unknown", false, None);
        check("a new one", false, Some("a new one"));
    }

    #[test]
    fn content_is_texts_and_blocks() {
        let check = |content: &str, expect: &[&str]| {
            let blocks = blocks_of(content);
            let told: Vec<&str> = blocks
                .iter()
                .map(|block| match block {
                    Block::Text(text) => &**text,
                    Block::ToolUse { name, .. } => &**name,
                })
                .collect();
            assert_eq!(told, expect, "{content}");
        };
        check(r#""all""#, &["all"]);
        check(
            r#"[{"type":"text","text":"a"},"b",3,{"type":"tool_use","name":"c"}]"#,
            &["a", "b", "c"],
        );
        check(r#"[{"type":"text","text":"a"},"#, &[]);
        check("null", &[]);
    }

    #[test]
    fn of_too_much_only_the_beginning_is_kept_and_that_is_told() {
        let fields = format!(r#"{{{}"z":1}}"#, r#""a":0,"#.repeat(Fields::MAX));
        let body = Body::open(&fields);
        assert_eq!((body.field("z"), body.excess(0).len()), (None, 1));
        let body = Body::open(r#"{"z":1}"#);
        assert_eq!((body.field("z").is_some(), body.excess(0).len()), (true, 0));

        let content = format!("[{}]", vec![r#""a""#; MAX_BLOCKS + 1].join(","));
        let blocks = blocks_of(&content);
        assert_eq!((blocks.len(), body.excess(blocks.len()).len()), (MAX_BLOCKS, 1));
    }

    #[test]
    fn tokens_that_are_none_are_told() {
        let usage = |text: &str| Usage::of(&Body::open(text));
        assert_eq!(usage("{}").tokens, None);
        assert_eq!(usage(r#"{"usage":{"input_tokens":3,"output_tokens":2.0}}"#).tokens, Some(5));
        let negative = usage(r#"{"usage":{"input_tokens":-5,"thinking_tokens":2}}"#);
        assert_eq!((negative.tokens, negative.problems.len()), (Some(2), 1));
        assert_eq!(
            usage(r#"{"usage":{"input_tokens":18446744073709551615,"output_tokens":9}}"#).tokens,
            Some(u64::MAX)
        );
    }

    #[test]
    fn a_user_speaks_last_unless_tools_do() {
        let is_from_user =
            |messages: &str| is_from_user(&Body::open(&format!(r#"{{"messages":{messages}}}"#)));
        assert!(is_from_user(
            r#"[{"role":"assistant"},{"role":"user","content":"hi"},{"role":"system"}]"#
        ));
        assert!(!is_from_user(r#"[{"role":"user"},{"role":"tool"}]"#));
        assert!(!is_from_user(r#"[{"role":"user","content":[{"type":"tool_result"}]}]"#));
        assert!(is_from_user(
            r#"[{"role":"user","content":[{"type":"tool_result"},{"type":"text"}]}]"#
        ));
        assert!(!is_from_user("[]"));
    }
}
