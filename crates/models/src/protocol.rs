//! The two protocols: what is sent, and what is read of an answer. Sends nothing.

use std::fmt;

use behavior_runtime::brain::{Backend, Brain};
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest};
use serde::{Deserialize, Serialize};

/// The most tokens of an answer where nobody says how many, for the protocol that wants a number.
const USUAL_TOKENS: u64 = 1024;

/// What is sent to a server.
pub(crate) struct Message {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// Whether a key is among the headers.
    pub is_secret: bool,
}

/// Says nothing of what is sent.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("url", &self.url).finish_non_exhaustive()
    }
}

/// Returns where a brain is asked.
pub(crate) fn address(brain: &Brain) -> Result<String, ModelFailure> {
    let Some(base) = brain.base_url.as_deref().map(|base| base.trim_end_matches('/')) else {
        let reason = format!(
            "there is no address of `{}` that can be asked: give it a `config.base_url`, or see what `behavior check` \
                 says of the one that it has",
            brain.provider
        );
        return Err(ModelFailure::Network(reason.into()));
    };
    let path = match brain.backend {
        Backend::OpenAiCompatible => "/chat/completions",
        // Addresses of this protocol are written with and without the version.
        Backend::Anthropic if base.ends_with("/v1") => "/messages",
        Backend::Anthropic => "/v1/messages",
    };
    Ok(if base.ends_with(path) { base.to_owned() } else { format!("{base}{path}") })
}

/// Returns the headers, with the key as the protocol wants it.
pub(crate) fn headers(brain: &Brain, key: Option<&str>) -> Vec<(&'static str, String)> {
    let mut headers = vec![("content-type", "application/json".to_owned())];
    match brain.backend {
        Backend::OpenAiCompatible => {
            headers.extend(key.map(|key| ("authorization", format!("Bearer {key}"))));
        }
        Backend::Anthropic => {
            headers.push(("anthropic-version", "2023-06-01".to_owned()));
            headers.extend(key.map(|key| ("x-api-key", key.to_owned())));
        }
    }
    headers
}

#[derive(Serialize)]
struct Said<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    messages: Vec<Said<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    stream: bool,
}

/// Returns what is sent. What the request says goes before what the brain says.
pub(crate) fn body(brain: &Brain, request: &ModelRequest) -> Result<Vec<u8>, ModelFailure> {
    let most = request.max_tokens.or(brain.max_tokens);
    let is_anthropic = brain.backend == Backend::Anthropic;
    // OpenAI's own newer models refuse the name that everybody else knows.
    let is_renamed = !is_anthropic && brain.provider == "openai";
    let system = Some(request.system.as_str()).filter(|system| !system.trim().is_empty());
    let first = system.filter(|_| !is_anthropic).map(|content| Said { role: "system", content });
    let second = Said { role: "user", content: &request.user };
    let body = Body {
        model: brain.model.as_deref().unwrap_or_default(),
        system: system.filter(|_| is_anthropic),
        messages: first.into_iter().chain([second]).collect(),
        max_tokens: match is_anthropic {
            true => Some(most.unwrap_or(USUAL_TOKENS)),
            false => most.filter(|_| !is_renamed),
        },
        max_completion_tokens: most.filter(|_| is_renamed),
        temperature: request.temperature.or(brain.temperature),
        top_p: brain.top_p,
        stream: false,
    };
    serde_json::to_vec(&body).map_err(|_| unreadable("the question cannot be written as JSON"))
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Answer,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    content: Option<Content>,
}

/// A text, or the parts of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct Messages {
    content: Vec<Part>,
    #[serde(default)]
    usage: Option<Usage>,
}

/// Tokens, by the names of both protocols.
#[derive(Default, Deserialize)]
struct Usage {
    #[serde(default, alias = "prompt_tokens")]
    input_tokens: Option<u64>,
    #[serde(default, alias = "completion_tokens")]
    output_tokens: Option<u64>,
}

/// Reads an answer.
pub(crate) fn read(backend: Backend, bytes: &[u8]) -> Result<ModelReply, ModelFailure> {
    let text = std::str::from_utf8(bytes).map_err(|_| unreadable("it is not valid UTF-8"))?;
    let (raw, usage) = match backend {
        Backend::OpenAiCompatible => {
            let completion: Completion = serde_json::from_str(text).map_err(|_| foreign(text))?;
            let first = completion.choices.into_iter().next();
            let raw = match first.and_then(|choice| choice.message.content) {
                Some(Content::Text(text)) => text,
                Some(Content::Parts(parts)) => joined(parts),
                None => String::new(),
            };
            (raw, completion.usage)
        }
        Backend::Anthropic => {
            let messages: Messages = serde_json::from_str(text).map_err(|_| foreign(text))?;
            (joined(messages.content), messages.usage)
        }
    };
    if raw.trim().is_empty() {
        return Err(unreadable("it holds no text"));
    }
    let usage = usage.unwrap_or_default();
    Ok(ModelReply { raw, input_tokens: usage.input_tokens, output_tokens: usage.output_tokens })
}

fn joined(parts: Vec<Part>) -> String {
    let is_text = |part: &Part| matches!(part.kind.as_str(), "text" | "output_text");
    parts.into_iter().filter(is_text).filter_map(|part| part.text).collect()
}

/// What an answer is that is none of the protocol, without repeating any of it.
fn foreign(text: &str) -> ModelFailure {
    let start = text.trim_start();
    unreadable(match () {
        () if start.is_empty() => "it is empty",
        () if start.starts_with('<') => "it is a page of HTML or XML: is this the right address?",
        () if start.starts_with("data:") || start.starts_with("event:") => {
            "it is streamed, which was not asked for"
        }
        () if start.starts_with('{') => "it is JSON of another form: is this the right `backend`?",
        () => "it is no JSON",
    })
}

pub(crate) fn unreadable(reason: &str) -> ModelFailure {
    ModelFailure::Unreadable(reason.into())
}
