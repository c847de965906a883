//! Replies of models, kept between runs of this program for whoever asks the same again: by the brain and all that it
//! was asked. They are this user's alone.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use behavior_runtime::brain::Brain;
use behavior_runtime::model::{ModelReply, ModelRequest};
use serde::{Deserialize, Serialize};

use crate::live::cache_directory;
use crate::live::store::{create_private, private};
use crate::project;

/// A longer file is no reply of ours.
const MAX_LENGTH: u64 = 32 << 20;

/// Where replies are kept; nowhere, if nothing says where.
#[derive(Debug)]
pub struct Cache {
    directory: Option<PathBuf>,
}

/// A reply as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    raw: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

/// All that a reply depends on.
#[derive(Serialize)]
struct Key<'a> {
    provider: &'a str,
    model: Option<&'a str>,
    backend: &'static str,
    address: Option<&'a str>,
    temperature: Option<f64>,
    max_tokens: Option<u64>,
    top_p: Option<f64>,
    purpose: &'static str,
    system: &'a str,
    user: &'a str,
}

impl Cache {
    /// Returns the usual one.
    #[must_use]
    pub fn usual() -> Self {
        let directory = cache_directory(|name| std::env::var_os(name));
        Self { directory: directory.map(|directory| directory.join("models")) }
    }

    /// Returns what a brain answered to this before.
    #[must_use]
    pub fn find(&self, brain: &Brain, request: &ModelRequest) -> Option<ModelReply> {
        let bytes = project::read_own(&self.path(brain, request)?, MAX_LENGTH).ok()?;
        let Kept { raw, input_tokens, output_tokens } = serde_json::from_slice(&bytes).ok()?;
        Some(ModelReply { raw, input_tokens, output_tokens })
    }

    /// Keeps what a brain answered. What cannot be kept is asked again.
    pub fn keep(&self, brain: &Brain, request: &ModelRequest, reply: &ModelReply) {
        let Some(path) = self.path(brain, request) else { return };
        let ModelReply { raw, input_tokens, output_tokens } = reply.clone();
        let kept = Kept { raw, input_tokens, output_tokens };
        let new = path.with_extension(format!("new-{}", std::process::id()));
        let written = || -> std::io::Result<()> {
            create_private(path.parent().unwrap_or(&path))?;
            let bytes = serde_json::to_vec(&kept)?;
            private().write(true).create_new(true).open(&new)?.write_all(&bytes)?;
            fs::rename(&new, &path)
        };
        if written().is_err() {
            let _ = fs::remove_file(&new);
        }
    }

    fn path(&self, brain: &Brain, request: &ModelRequest) -> Option<PathBuf> {
        let key = Key {
            provider: &brain.provider,
            model: brain.model.as_deref(),
            backend: brain.backend.name(),
            address: brain.base_url.as_deref(),
            temperature: request.temperature.or(brain.temperature),
            max_tokens: request.max_tokens.or(brain.max_tokens),
            top_p: brain.top_p,
            purpose: request.purpose.word(),
            system: &request.system,
            user: &request.user,
        };
        let name = blake3::hash(&serde_json::to_vec(&key).ok()?).to_hex();
        Some(self.directory.as_ref()?.join(format!("{name}.json")))
    }
}
