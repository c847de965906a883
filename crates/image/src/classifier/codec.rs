//! The classifier as words of an image: numbers, and strings by their index.

use super::{ClassifierTable, ContextOptions, DirectivePart, Frequency, Level, Template};
use crate::format::NONE;

/// The words of a classifier; `intern` gives the index of a string.
pub fn encode(classifier: &ClassifierTable, intern: &mut dyn FnMut(&str) -> u32) -> Vec<u32> {
    let mut writer = Writer { words: Vec::new(), intern };
    let c = classifier;
    writer.flag(c.enabled);
    writer.number(match c.frequency {
        Frequency::EveryTurn => 0,
        Frequency::FirstTurn => 1,
        Frequency::EveryNTurns => 2,
        Frequency::OnNewMessage => 3,
    });
    writer.number(c.frequency_n);
    writer.flag(c.skip_followups);
    let timeout = c.timeout_seconds.to_bits();
    writer.number((timeout >> 32) as u32);
    writer.number(timeout as u32);
    writer.number(c.max_directives);
    writer.levels(&c.complexity);
    writer.levels(&c.approaches);
    writer.levels(&c.risks);
    let context = c.context;
    for on in [
        context.tool_inventory,
        context.session_state,
        context.workspace_info,
        context.recent_history,
    ] {
        writer.flag(on);
    }
    writer.number(context.history_depth);
    writer.optional(c.system_prompt.as_deref());
    writer.template(c.prefix.as_ref());
    writer.template(c.high_risk_warning.as_ref());
    writer.template(c.footer.as_ref());
    writer.number(c.high_risk_threshold.unwrap_or(NONE));
    writer.optional(c.profile_description.as_deref());
    writer.words
}

struct Writer<'a> {
    words: Vec<u32>,
    intern: &'a mut dyn FnMut(&str) -> u32,
}

impl Writer<'_> {
    fn number(&mut self, number: u32) {
        self.words.push(number);
    }

    fn flag(&mut self, on: bool) {
        self.number(u32::from(on));
    }

    fn string(&mut self, text: &str) {
        let id = (self.intern)(text);
        self.number(id);
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.number(NONE),
        }
    }

    fn levels(&mut self, levels: &[Level]) {
        self.number(levels.len() as u32);
        for level in levels {
            self.string(&level.name);
            self.optional(level.label.as_deref());
            self.optional(level.when.as_deref());
            self.optional(level.behavior.as_deref());
        }
    }

    fn template(&mut self, template: Option<&Template>) {
        let Some(parts) = template else { return self.number(NONE) };
        self.number(parts.len() as u32);
        for part in parts {
            match part {
                DirectivePart::Text(text) => {
                    self.number(0);
                    self.string(text);
                }
                DirectivePart::Complexity => self.number(1),
                DirectivePart::Approach => self.number(2),
                DirectivePart::Risk => self.number(3),
                DirectivePart::ApproachLabel => self.number(4),
            }
        }
    }
}

/// Reads what [`encode`] wrote; `None` for anything else.
pub fn decode(words: &[u32], string: impl Fn(u32) -> Option<String>) -> Option<ClassifierTable> {
    let mut reader = Reader { words, string };
    let classifier = ClassifierTable {
        enabled: reader.flag()?,
        frequency: match reader.number()? {
            0 => Frequency::EveryTurn,
            1 => Frequency::FirstTurn,
            2 => Frequency::EveryNTurns,
            3 => Frequency::OnNewMessage,
            _ => return None,
        },
        frequency_n: reader.number()?,
        skip_followups: reader.flag()?,
        timeout_seconds: {
            let high = reader.number()?;
            f64::from_bits(u64::from(high) << 32 | u64::from(reader.number()?))
        },
        max_directives: reader.number()?,
        complexity: reader.levels()?,
        approaches: reader.levels()?,
        risks: reader.levels()?,
        context: ContextOptions {
            tool_inventory: reader.flag()?,
            session_state: reader.flag()?,
            workspace_info: reader.flag()?,
            recent_history: reader.flag()?,
            history_depth: reader.number()?,
        },
        system_prompt: reader.optional()?,
        prefix: reader.template()?,
        high_risk_warning: reader.template()?,
        footer: reader.template()?,
        high_risk_threshold: Some(reader.number()?).filter(|&index| index != NONE),
        profile_description: reader.optional()?,
    };
    reader.words.is_empty().then_some(classifier)
}

struct Reader<'a, F> {
    words: &'a [u32],
    string: F,
}

impl<F: Fn(u32) -> Option<String>> Reader<'_, F> {
    fn number(&mut self) -> Option<u32> {
        let (&first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn string(&mut self) -> Option<String> {
        let id = self.number()?;
        (self.string)(id)
    }

    /// `None` when it does not decode, `Some(None)` when there is no string.
    fn optional(&mut self) -> Option<Option<String>> {
        match self.number()? {
            NONE => Some(None),
            id => (self.string)(id).map(Some),
        }
    }

    /// A count that the remaining words can hold.
    fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.words.len()).then_some(count)
    }

    fn levels(&mut self) -> Option<Vec<Level>> {
        let count = self.count()?;
        (0..count)
            .map(|_| {
                Some(Level {
                    name: self.string()?,
                    label: self.optional()?,
                    when: self.optional()?,
                    behavior: self.optional()?,
                })
            })
            .collect()
    }

    fn template(&mut self) -> Option<Option<Template>> {
        if self.words.first() == Some(&NONE) {
            self.number()?;
            return Some(None);
        }
        let count = self.count()?;
        let part = |_| {
            Some(match self.number()? {
                0 => DirectivePart::Text(self.string()?),
                1 => DirectivePart::Complexity,
                2 => DirectivePart::Approach,
                3 => DirectivePart::Risk,
                4 => DirectivePart::ApproachLabel,
                _ => return None,
            })
        };
        (0..count).map(part).collect::<Option<Template>>().map(Some)
    }
}
