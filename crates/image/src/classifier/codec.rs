//! The classifier as words of an image: numbers, and strings by their index.

use super::{ClassifierTable, ContextOptions, DirectivePart, Frequency, Level, Template};
use crate::words::{WordReader, WordWriter};

/// The words of a classifier; `intern` gives the index of a string.
pub fn encode(classifier: &ClassifierTable, intern: &mut dyn FnMut(&str) -> u32) -> Vec<u32> {
    let mut writer = WordWriter::new(intern);
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
    writer.wide(c.timeout_seconds.to_bits());
    writer.number(c.max_directives);
    write_levels(&mut writer, &c.complexity);
    write_levels(&mut writer, &c.approaches);
    write_levels(&mut writer, &c.risks);
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
    write_template(&mut writer, c.prefix.as_ref());
    write_template(&mut writer, c.high_risk_warning.as_ref());
    write_template(&mut writer, c.footer.as_ref());
    writer.optional_number(c.high_risk_threshold);
    writer.optional(c.profile_description.as_deref());
    writer.finish()
}

fn write_levels(writer: &mut WordWriter<'_>, levels: &[Level]) {
    writer.count(levels.len());
    for level in levels {
        writer.string(&level.name);
        writer.optional(level.label.as_deref());
        writer.optional(level.when.as_deref());
        writer.optional(level.behavior.as_deref());
    }
}

fn write_template(writer: &mut WordWriter<'_>, template: Option<&Template>) {
    let Some(parts) = template else { return writer.optional_number(None) };
    writer.count(parts.len());
    for part in parts {
        match part {
            DirectivePart::Text(text) => {
                writer.number(0);
                writer.string(text);
            }
            DirectivePart::Complexity => writer.number(1),
            DirectivePart::Approach => writer.number(2),
            DirectivePart::Risk => writer.number(3),
            DirectivePart::ApproachLabel => writer.number(4),
        }
    }
}

/// Reads what [`encode`] wrote; `None` for anything else.
pub fn decode(words: &[u32], string: impl Fn(u32) -> Option<String>) -> Option<ClassifierTable> {
    let mut reader = WordReader::new(words, string);
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
        timeout_seconds: f64::from_bits(reader.wide()?),
        max_directives: reader.number()?,
        complexity: reader.list(level)?,
        approaches: reader.list(level)?,
        risks: reader.list(level)?,
        context: ContextOptions {
            tool_inventory: reader.flag()?,
            session_state: reader.flag()?,
            workspace_info: reader.flag()?,
            recent_history: reader.flag()?,
            history_depth: reader.number()?,
        },
        system_prompt: reader.optional()?,
        prefix: template(&mut reader)?,
        high_risk_warning: template(&mut reader)?,
        footer: template(&mut reader)?,
        high_risk_threshold: reader.optional_number()?,
        profile_description: reader.optional()?,
    };
    reader.is_at_end().then_some(classifier)
}

fn level<F: Fn(u32) -> Option<String>>(reader: &mut WordReader<'_, F>) -> Option<Level> {
    Some(Level {
        name: reader.string()?,
        label: reader.optional()?,
        when: reader.optional()?,
        behavior: reader.optional()?,
    })
}

/// `None` when it does not decode, `Some(None)` when there is no template.
fn template<F: Fn(u32) -> Option<String>>(
    reader: &mut WordReader<'_, F>,
) -> Option<Option<Template>> {
    let Some(count) = reader.optional_count()? else { return Some(None) };
    let part = |_| {
        Some(match reader.number()? {
            0 => DirectivePart::Text(reader.string()?),
            1 => DirectivePart::Complexity,
            2 => DirectivePart::Approach,
            3 => DirectivePart::Risk,
            4 => DirectivePart::ApproachLabel,
            _ => return None,
        })
    };
    (0..count).map(part).collect::<Option<Template>>().map(Some)
}
