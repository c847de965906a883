//! Asks language models: takes a [`Brain`] and a [`ModelRequest`], and comes back with a [`ModelReply`] or a
//! [`ModelFailure`] within the time that the request gives.
//!
//! ```no_run
//! use behavior_models::ask;
//! use behavior_runtime::brain::{Backend, Brain};
//! use behavior_runtime::model::{ModelRequest, Purpose};
//!
//! let brain = Brain {
//!     model: Some("qwen3:4b".to_owned()),
//!     base_url: Some("http://127.0.0.1:11434/v1".to_owned()),
//!     ..Brain::new("ollama", Backend::OpenAiCompatible)
//! };
//! let request = ModelRequest {
//!     purpose: Purpose::Classify,
//!     system: "Answer in one word.".to_owned(),
//!     user: "Is this a question?".to_owned(),
//!     temperature: None,
//!     max_tokens: None,
//!     timeout: std::time::Duration::from_secs(15),
//! };
//! match ask(&brain, &request, &|name| std::env::var(name).ok()) {
//!     Ok(reply) => println!("{}", reply.raw),
//!     Err(failure) => eprintln!("no answer: {failure}"),
//! }
//! ```
//!
//! What is asked goes to the address of the brain and nowhere else: redirects are not followed. No key, no question
//! and no answer ever stands in a failure. Which brain is asked, and where its key comes from, others decide.
#![forbid(unsafe_code)]

mod protocol;
mod transport;

use std::time::Instant;

use behavior_runtime::brain::Brain;
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest};

/// Asks a model once, and once more where the server says to come back within the time. `key` is asked for the
/// environment variable that the brain names.
///
/// # Errors
/// Why there is no answer that can be used.
pub fn ask(
    brain: &Brain,
    request: &ModelRequest,
    key: &dyn Fn(&str) -> Option<String>,
) -> Result<ModelReply, ModelFailure> {
    let started = Instant::now();
    if brain.model.is_none() {
        return Err(ModelFailure::NoModel);
    }
    let key = key_of(brain, key)?;
    let url = protocol::address(brain)?;
    let of_brain = brain.timeout_seconds.map(transport::seconds);
    let limit = of_brain.map_or(request.timeout, |limit| limit.min(request.timeout));
    let message = protocol::Message {
        url,
        headers: protocol::headers(brain, key.as_deref()),
        body: protocol::body(brain, request)?,
        is_secret: key.is_some(),
    };
    let bytes = transport::post(&message, started + limit)?;
    protocol::read(brain.backend, &bytes)
}

/// The key for a brain; `None` where none is wanted.
fn key_of(
    brain: &Brain,
    key: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, ModelFailure> {
    let Some(name) = &brain.key else {
        let missing = || ModelFailure::NoKey("api_key".into());
        return if brain.needs_key { Err(missing()) } else { Ok(None) };
    };
    // What no header can hold is no key.
    let is_key = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    let found = key(name).map(|text| text.trim().to_owned()).filter(|text| is_key(text));
    // Who is named a key for is not asked without it.
    found.map(Some).ok_or_else(|| ModelFailure::NoKey(name.as_str().into()))
}
