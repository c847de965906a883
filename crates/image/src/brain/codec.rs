//! Language models as words of an image: numbers, and strings by their index.

use super::{Backend, Brain, Brains};
use crate::words::{WordReader, WordWriter};

/// Returns the words of what a config names; `intern` gives the index of a string.
pub fn encode(brains: &Brains, intern: &mut dyn FnMut(&str) -> u32) -> Vec<u32> {
    let Brains { classifier, verifier, general, coordinator, use_agent_brain, is_waiting } = brains;
    let mut writer = WordWriter::new(intern);
    writer.flag(*use_agent_brain);
    writer.flag(*is_waiting);
    for brain in [classifier, verifier, general, coordinator] {
        writer.flag(brain.is_some());
        if let Some(brain) = brain {
            write_brain(&mut writer, brain);
        }
    }
    writer.finish()
}

fn write_brain(writer: &mut WordWriter<'_>, brain: &Brain) {
    writer.string(&brain.provider);
    writer.optional(brain.model.as_deref());
    writer.number(match brain.backend {
        Backend::OpenAiCompatible => 0,
        Backend::Anthropic => 1,
    });
    writer.optional(brain.base_url.as_deref());
    writer.optional(brain.key.as_deref());
    writer.flag(brain.needs_key);
    writer.optional_wide(brain.temperature.map(f64::to_bits));
    writer.optional_wide(brain.max_tokens);
    writer.optional_wide(brain.top_p.map(f64::to_bits));
    writer.optional_wide(brain.timeout_seconds.map(f64::to_bits));
}

/// Reads what [`encode`] wrote; `None` for anything else.
pub fn decode(words: &[u32], string: impl Fn(u32) -> Option<String>) -> Option<Brains> {
    let mut reader = WordReader::new(words, string);
    let brains = Brains {
        use_agent_brain: reader.flag()?,
        is_waiting: reader.flag()?,
        classifier: brain(&mut reader)?,
        verifier: brain(&mut reader)?,
        general: brain(&mut reader)?,
        coordinator: brain(&mut reader)?,
    };
    reader.is_at_end().then_some(brains)
}

/// `None` when it does not decode, `Some(None)` when there is no brain.
fn brain<F: Fn(u32) -> Option<String>>(reader: &mut WordReader<'_, F>) -> Option<Option<Brain>> {
    if !reader.flag()? {
        return Some(None);
    }
    Some(Some(Brain {
        provider: reader.string()?,
        model: reader.optional()?,
        backend: match reader.number()? {
            0 => Backend::OpenAiCompatible,
            1 => Backend::Anthropic,
            _ => return None,
        },
        base_url: reader.optional()?,
        key: reader.optional()?,
        needs_key: reader.flag()?,
        temperature: reader.optional_fraction()?,
        max_tokens: reader.optional_wide()?,
        top_p: reader.optional_fraction()?,
        timeout_seconds: reader.optional_fraction()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::NONE;

    fn brains() -> Brains {
        let whole = Brain {
            model: Some("small".to_owned()),
            base_url: Some("https://example.com/v1".to_owned()),
            key: Some("KEY".to_owned()),
            needs_key: true,
            temperature: Some(0.0),
            max_tokens: Some(u64::MAX),
            top_p: Some(0.5),
            timeout_seconds: Some(2.5),
            ..Brain::new("custom", Backend::Anthropic)
        };
        let bare = Brain::new("ollama", Backend::OpenAiCompatible);
        Brains {
            classifier: Some(whole),
            general: Some(bare),
            use_agent_brain: false,
            ..Brains::default()
        }
    }

    fn encoded(brains: &Brains) -> (Vec<u32>, Vec<String>) {
        let mut strings: Vec<String> = Vec::new();
        let words = encode(brains, &mut |text| {
            strings.push(text.to_owned());
            strings.len() as u32 - 1
        });
        (words, strings)
    }

    #[test]
    fn what_is_written_is_read_again() {
        for brains in [brains(), Brains::default()] {
            let (words, strings) = encoded(&brains);
            let read = decode(&words, |id| strings.get(id as usize).cloned());
            assert_eq!(read, Some(brains));
        }
    }

    #[test]
    fn other_words_are_refused_or_harmless() {
        let (words, strings) = encoded(&brains());
        let string = |id: u32| strings.get(id as usize).cloned();
        for end in 0..words.len() {
            assert_eq!(decode(&words[..end], string), None, "cut behind {end}");
        }
        for at in 0..words.len() {
            for word in [2, 0x7ff0_0000, NONE] {
                let mut changed = words.clone();
                changed[at] = word;
                if let Some(brain) = decode(&changed, string).and_then(|brains| brains.classifier) {
                    let numbers = [brain.temperature, brain.top_p, brain.timeout_seconds];
                    assert!(numbers.into_iter().flatten().all(f64::is_finite));
                }
            }
        }
    }
}
