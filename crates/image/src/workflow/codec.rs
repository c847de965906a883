//! Workflow templates as words of an image: numbers, and strings by their index.

use super::{ModuleBehavior, StepKind, WorkflowStep, WorkflowTable, WorkflowTemplate};
use crate::words::{WordReader, WordWriter};

/// Returns the words of workflow templates, none where there are no templates; `intern` gives the index of a string.
pub fn encode(table: &WorkflowTable, intern: &mut dyn FnMut(&str) -> u32) -> Vec<u32> {
    if table.is_empty() {
        return Vec::new();
    }
    let mut writer = WordWriter::new(intern);
    writer.optional_number(table.pause_at);
    writer.strings(&table.agents);
    writer.count(table.templates.len());
    for template in &table.templates {
        writer.string(&template.name);
        writer.optional(template.description.as_deref());
        writer.string(&template.file);
        writer.strings(&template.sub_agents);
        writer.count(template.steps.len());
        template.steps.iter().for_each(|step| write_step(&mut writer, step));
    }
    writer.finish()
}

fn write_step(writer: &mut WordWriter<'_>, step: &WorkflowStep) {
    writer.number(match step.kind {
        StepKind::Step => 0,
        StepKind::Module => 1,
        StepKind::Heading => 2,
    });
    let texts = [
        &step.agent,
        &step.agent_name,
        &step.label,
        &step.engine,
        &step.model,
        &step.reasoning_effort,
        &step.prompt,
    ];
    texts.into_iter().for_each(|text| writer.optional(text.as_deref()));
    writer.number(u32::from(step.execute_once) | u32::from(step.checkpoint) << 1);
    match &step.module {
        None => writer.number(0),
        Some(ModuleBehavior::Loop { steps, max_iterations, skip }) => {
            writer.number(1);
            writer.number(*steps);
            writer.optional_number(*max_iterations);
            writer.strings(skip);
        }
        Some(ModuleBehavior::Trigger { agent }) => {
            writer.number(2);
            writer.optional(agent.as_deref());
        }
    }
}

/// Reads what [`encode`] wrote; `None` for anything else.
pub fn decode(words: &[u32], string: impl Fn(u32) -> Option<String>) -> Option<WorkflowTable> {
    let mut reader = WordReader::new(words, string);
    let pause_at = reader.optional_number()?;
    let agents = reader.strings()?;
    let templates = reader.list(template)?;
    let table = WorkflowTable { templates, agents, pause_at };
    (reader.is_at_end() && is_sound(&table)).then_some(table)
}

/// Whether names are unique, and loops lead to steps that there are.
fn is_sound(table: &WorkflowTable) -> bool {
    let mut names: Vec<&str> = table.templates.iter().map(|one| &*one.name).collect();
    names.sort_unstable();
    let is_unique = names.windows(2).all(|pair| pair.first() != pair.last());
    let steps = table.templates.iter().flat_map(|template| (0..).zip(&template.steps));
    is_unique
        && steps.into_iter().all(|(index, step): (u32, &WorkflowStep)| match &step.module {
            Some(ModuleBehavior::Loop { steps, .. }) => *steps <= index,
            _ => true,
        })
}

fn template<F: Fn(u32) -> Option<String>>(
    reader: &mut WordReader<'_, F>,
) -> Option<WorkflowTemplate> {
    Some(WorkflowTemplate {
        name: reader.string()?,
        description: reader.optional()?,
        file: reader.string()?,
        sub_agents: reader.strings()?,
        steps: reader.list(step)?,
    })
}

fn step<F: Fn(u32) -> Option<String>>(reader: &mut WordReader<'_, F>) -> Option<WorkflowStep> {
    let kind = match reader.number()? {
        0 => StepKind::Step,
        1 => StepKind::Module,
        2 => StepKind::Heading,
        _ => return None,
    };
    let mut text = || reader.optional();
    let (agent, agent_name, label) = (text()?, text()?, text()?);
    let (engine, model, reasoning_effort, prompt) = (text()?, text()?, text()?, text()?);
    let traits = reader.number().filter(|traits| *traits < 4)?;
    Some(WorkflowStep {
        kind,
        agent,
        agent_name,
        label,
        engine,
        model,
        reasoning_effort,
        prompt,
        execute_once: traits & 1 != 0,
        checkpoint: traits & 2 != 0,
        module: match reader.number()? {
            0 => None,
            1 => Some(ModuleBehavior::Loop {
                steps: reader.number()?,
                max_iterations: reader.optional_number()?,
                skip: reader.strings()?,
            }),
            2 => Some(ModuleBehavior::Trigger { agent: reader.optional()? }),
            _ => return None,
        },
    })
}
