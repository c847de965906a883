//! The language models that a config names, as plain data: who is asked where, and under which name the key is
//! found. A key itself is never here. Asks nothing.

use std::net::IpAddr;

pub use codec::{decode, encode};

mod codec;

/// A language model that can be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Brain {
    /// Who runs it, as the config says.
    pub provider: String,
    /// The model's name; without one nothing can be asked.
    pub model: Option<String>,
    /// The protocol that it speaks.
    pub backend: Backend,
    /// The address that its paths are under; `None` where nobody says it.
    pub base_url: Option<String>,
    /// The environment variable that holds the key; `None` where none is sent.
    pub key: Option<String>,
    /// Whether nothing is asked without a key.
    pub needs_key: bool,
    /// How freely the model chooses, 0 or more; `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u64>,
    /// The share of likely tokens that are considered, above 0 and up to 1.
    pub top_p: Option<f64>,
    /// How long an answer may take, in seconds.
    pub timeout_seconds: Option<f64>,
}

impl Brain {
    /// Makes a brain of which nothing is known but who runs it and how it is spoken to.
    #[must_use]
    pub fn new(provider: &str, backend: Backend) -> Self {
        let (model, base_url, key) = (None, None, None);
        let (temperature, max_tokens, top_p, timeout_seconds) = (None, None, None, None);
        let (provider, needs_key) = (provider.to_owned(), false);
        Self {
            provider,
            model,
            backend,
            base_url,
            key,
            needs_key,
            temperature,
            max_tokens,
            top_p,
            timeout_seconds,
        }
    }

    /// Returns how the brain is called in logs and reports: provider and model.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model.as_deref().unwrap_or("?"))
    }

    /// Returns what keeps the brain from ever being asked, if anything in what is written does.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        match (&self.model, &self.base_url) {
            (None, _) => Some(Trouble::NoModel),
            (_, None) => Some(Trouble::NoAddress),
            (_, Some(address)) if self.key.is_some() && is_unencrypted(address) => {
                Some(Trouble::Unencrypted)
            }
            _ => None,
        }
    }
}

/// What keeps a brain from being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Nobody says which model it is.
    NoModel,
    /// Nobody says where it is.
    NoAddress,
    /// Its key would go to another machine in the clear.
    Unencrypted,
}

impl Trouble {
    /// Says it to people, as what follows "this" or a brain's name.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Trouble::NoModel => "names no `model`, so that nothing can be asked",
            Trouble::NoAddress => {
                "says no address, so that nothing can be asked: name a `provider`, or write it as `config.base_url`"
            }
            Trouble::Unencrypted => {
                "would send its key to another machine without encryption, and is not asked: use an `https` address"
            }
        }
    }
}

/// Whether what is sent to an address can be read on its way: by plain HTTP, to another machine.
fn is_unencrypted(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    !is_this_machine(host)
}

/// Returns whether the host of an address is this machine.
#[must_use]
pub fn is_this_machine(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The protocol of a server of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Chat completions, as OpenAI defined them.
    OpenAiCompatible,
    /// Messages, as Anthropic defined them.
    Anthropic,
}

impl Backend {
    /// All of them.
    pub const ALL: [Backend; 2] = [Backend::OpenAiCompatible, Backend::Anthropic];

    /// Returns the name that configs use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Backend::OpenAiCompatible => "openai_compat",
            Backend::Anthropic => "anthropic",
        }
    }
}

/// The models that a config names, by what they are for.
#[derive(Clone, Debug, PartialEq)]
pub struct Brains {
    /// The one that classifies, where it has one of its own.
    pub classifier: Option<Brain>,
    /// The one that verifies, where it has one of its own.
    pub verifier: Option<Brain>,
    /// The one for all purposes that have none of their own.
    pub general: Option<Brain>,
    /// The one of the application's coordinator.
    pub coordinator: Option<Brain>,
    /// Whether the coordinator's, or what the user usually takes, may stand in where none is named.
    pub use_agent_brain: bool,
    /// Whether models that are named are left out here, since they wait for the user's trust.
    pub is_waiting: bool,
}

impl Default for Brains {
    fn default() -> Self {
        let (classifier, verifier, general, coordinator) = (None, None, None, None);
        let (use_agent_brain, is_waiting) = (true, false);
        Self { classifier, verifier, general, coordinator, use_agent_brain, is_waiting }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_asked_says_why() {
        let brain = |model: Option<&str>, address: Option<&str>, key: Option<&str>| {
            let brain = Brain::new("custom", Backend::OpenAiCompatible);
            let text = |it: Option<&str>| it.map(str::to_owned);
            Brain { model: text(model), base_url: text(address), key: text(key), ..brain }
        };
        let far = Some("http://models.example:4000/v1");
        assert_eq!(brain(None, far, None).trouble(), Some(Trouble::NoModel));
        assert_eq!(brain(Some("m"), None, None).trouble(), Some(Trouble::NoAddress));
        assert_eq!(brain(Some("m"), far, None).trouble(), None);
        assert_eq!(brain(Some("m"), far, Some("K")).trouble(), Some(Trouble::Unencrypted));
        let here =
            ["http://localhost", "http://127.0.0.1:4000/v1", "http://[::1]:8080", "http://[::1]"];
        let safe = ["https://models.example"];
        for address in here.into_iter().chain(safe) {
            assert_eq!(brain(Some("m"), Some(address), Some("K")).trouble(), None, "{address}");
        }
    }
}
