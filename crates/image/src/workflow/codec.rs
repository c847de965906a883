//! Workflow templates as words of an image: numbers, and strings by their index.

use super::{ModuleBehavior, StepKind, WorkflowStep, WorkflowTable, WorkflowTemplate};
use crate::format::NONE;

/// The most bytes of all texts together: words that name one long text many times would take any amount.
const MAX_TEXT: usize = 64 << 20;

/// Returns the words of workflow templates, none where there are no templates; `intern` gives the index of a string.
pub fn encode(table: &WorkflowTable, intern: &mut dyn FnMut(&str) -> u32) -> Vec<u32> {
    if table.is_empty() {
        return Vec::new();
    }
    let mut writer = Writer { words: Vec::new(), intern };
    writer.number(table.pause_at.unwrap_or(NONE));
    writer.strings(&table.agents);
    writer.number(table.templates.len() as u32);
    for template in &table.templates {
        writer.string(&template.name);
        writer.optional(template.description.as_deref());
        writer.string(&template.file);
        writer.strings(&template.sub_agents);
        writer.number(template.steps.len() as u32);
        template.steps.iter().for_each(|step| writer.step(step));
    }
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

    fn strings(&mut self, texts: &[String]) {
        self.number(texts.len() as u32);
        texts.iter().for_each(|text| self.string(text));
    }

    fn step(&mut self, step: &WorkflowStep) {
        self.number(match step.kind {
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
        texts.into_iter().for_each(|text| self.optional(text.as_deref()));
        self.number(u32::from(step.execute_once) | u32::from(step.checkpoint) << 1);
        match &step.module {
            None => self.number(0),
            Some(ModuleBehavior::Loop { steps, max_iterations, skip }) => {
                self.number(1);
                self.number(*steps);
                self.number(max_iterations.unwrap_or(NONE));
                self.strings(skip);
            }
            Some(ModuleBehavior::Trigger { agent }) => {
                self.number(2);
                self.optional(agent.as_deref());
            }
        }
    }
}

/// Reads what [`encode`] wrote; `None` for anything else.
pub fn decode(words: &[u32], string: impl Fn(u32) -> Option<String>) -> Option<WorkflowTable> {
    let mut reader = Reader { words, string, left: MAX_TEXT };
    let pause_at = reader.optional_number()?;
    let agents = reader.strings()?;
    let count = reader.count()?;
    let templates = (0..count).map(|_| reader.template()).collect::<Option<_>>()?;
    let table = WorkflowTable { templates, agents, pause_at };
    (reader.words.is_empty() && is_sound(&table)).then_some(table)
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

struct Reader<'a, F> {
    words: &'a [u32],
    string: F,
    /// How many bytes of texts there may still be.
    left: usize,
}

impl<F: Fn(u32) -> Option<String>> Reader<'_, F> {
    fn number(&mut self) -> Option<u32> {
        let (&first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    fn optional_number(&mut self) -> Option<Option<u32>> {
        Some(Some(self.number()?).filter(|&number| number != NONE))
    }

    fn string(&mut self) -> Option<String> {
        let id = self.number()?;
        self.text(id)
    }

    fn text(&mut self, id: u32) -> Option<String> {
        let text = (self.string)(id)?;
        self.left = self.left.checked_sub(text.len())?;
        Some(text)
    }

    /// `None` when it does not decode, `Some(None)` when there is no string.
    fn optional(&mut self) -> Option<Option<String>> {
        match self.number()? {
            NONE => Some(None),
            id => self.text(id).map(Some),
        }
    }

    /// A count that the remaining words can hold.
    fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.words.len()).then_some(count)
    }

    fn strings(&mut self) -> Option<Vec<String>> {
        let count = self.count()?;
        (0..count).map(|_| self.string()).collect()
    }

    fn template(&mut self) -> Option<WorkflowTemplate> {
        Some(WorkflowTemplate {
            name: self.string()?,
            description: self.optional()?,
            file: self.string()?,
            sub_agents: self.strings()?,
            steps: {
                let count = self.count()?;
                (0..count).map(|_| self.step()).collect::<Option<_>>()?
            },
        })
    }

    fn step(&mut self) -> Option<WorkflowStep> {
        let kind = match self.number()? {
            0 => StepKind::Step,
            1 => StepKind::Module,
            2 => StepKind::Heading,
            _ => return None,
        };
        let mut text = || self.optional();
        let (agent, agent_name, label) = (text()?, text()?, text()?);
        let (engine, model, reasoning_effort, prompt) = (text()?, text()?, text()?, text()?);
        let traits = self.number().filter(|traits| *traits < 4)?;
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
            module: match self.number()? {
                0 => None,
                1 => Some(ModuleBehavior::Loop {
                    steps: self.number()?,
                    max_iterations: self.optional_number()?,
                    skip: self.strings()?,
                }),
                2 => Some(ModuleBehavior::Trigger { agent: self.optional()? }),
                _ => return None,
            },
        })
    }
}
