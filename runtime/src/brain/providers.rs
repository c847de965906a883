//! What is known of those who run language models: a row each. What a row says, a config may say otherwise.

use behavior_image::brain::Backend;

/// Somebody who runs language models, or a program that does so on one's own machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The name that configs use.
    pub name: &'static str,
    /// The protocol that they speak.
    pub backend: Backend,
    /// The address that the paths are under; `None` where each config has to say it.
    pub base_url: Option<&'static str>,
    /// The environment variable in which the key usually is.
    pub key: Option<&'static str>,
    /// Whether nothing is asked without a key.
    pub needs_key: bool,
}

/// All that are known, in the order of their names; `custom` stands for any other.
pub const PROVIDERS: &[Provider] = &[
    Provider {
        backend: Backend::Anthropic,
        ..remote("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY")
    },
    remote("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    Provider {
        name: "custom",
        backend: Backend::OpenAiCompatible,
        base_url: None,
        key: None,
        needs_key: false,
    },
    remote("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    remote("fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    remote("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    remote("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    local("llamacpp", "http://127.0.0.1:8080/v1"),
    local("lmstudio", "http://127.0.0.1:1234/v1"),
    remote("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    local("ollama", "http://127.0.0.1:11434/v1"),
    remote("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    remote("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    remote("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    local("vllm", "http://127.0.0.1:8000/v1"),
    remote("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
];

/// One that is reached through the network and wants a key.
const fn remote(name: &'static str, base_url: &'static str, key: &'static str) -> Provider {
    Provider {
        name,
        backend: Backend::OpenAiCompatible,
        base_url: Some(base_url),
        key: Some(key),
        needs_key: true,
    }
}

/// A program on this machine.
const fn local(name: &'static str, base_url: &'static str) -> Provider {
    Provider {
        name,
        backend: Backend::OpenAiCompatible,
        base_url: Some(base_url),
        key: None,
        needs_key: false,
    }
}

/// Returns what is known of a provider, whatever the case of its name.
#[must_use]
pub fn provider(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.name.eq_ignore_ascii_case(name.trim()))
}

#[cfg(test)]
mod tests {
    use super::PROVIDERS;

    #[test]
    fn rows_are_in_order_and_each_says_where_it_is() {
        assert!(PROVIDERS.is_sorted_by(|one, next| one.name < next.name));
        for provider in PROVIDERS {
            let is_right = match provider.base_url {
                Some(url) if provider.needs_key => url.starts_with("https://"),
                Some(url) => url.starts_with("http://127.0.0.1:"),
                None => provider.name == "custom",
            };
            assert!(is_right && provider.key.is_some() == provider.needs_key, "{provider:?}");
        }
    }
}
