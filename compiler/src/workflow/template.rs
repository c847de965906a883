//! From the record of a template to what an image holds of it.

use behavior_image::workflow::{ModuleBehavior, StepKind, WorkflowStep, WorkflowTemplate};

use super::agents::AgentDeclaration;
use super::read::Reading;
use super::records::{ModuleAction, ModuleConfig, ModuleType, StepConfig, StepType, TemplateFile};
use crate::decode::{Spanned, did_you_mean};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::registry::diagnostics as d;
use crate::registry::schema::one_of;
use crate::source::Span;

/// A template, and where its parts stand.
pub(super) struct Lowered {
    pub template: WorkflowTemplate,
    pub name: Span,
    pub places: Vec<StepPlaces>,
}

/// Where the parts of a step stand.
#[derive(Clone, Debug)]
pub(super) struct StepPlaces {
    pub step: Span,
    pub module: Option<Span>,
    pub skip: Vec<Span>,
    pub trigger: Option<Span>,
}

/// Lowers a template. What is wrong is reported.
pub(super) fn lower(
    reading: &mut Reading<'_>,
    file: &str,
    record: TemplateFile,
    agents: &[AgentDeclaration],
) -> Option<Lowered> {
    let name = record.name.filter(|name| is_said(reading, name, "the name of a workflow"));
    let list = record.steps?;
    let Some(name) = name else {
        steps(reading, file, list, agents);
        return None;
    };
    if list.is_empty() {
        let message = "a workflow needs a step";
        let report = Diagnostic::new(&d::EMPTY_WORKFLOW, name.span, message);
        reading.report(report.help("add one to `steps`, such as `{ type: step, agentId: coder }`"));
        return None;
    }
    let sub_agents = record.sub_agent_ids.unwrap_or_default();
    for agent in &sub_agents {
        check_agent(reading, agent, agents);
    }
    let (steps, places) = steps(reading, file, list, agents);
    let description = record.description.map(|text| text.value.into());
    Some(Lowered {
        template: WorkflowTemplate {
            name: name.value.into(),
            description: description.filter(|text: &String| !text.is_empty()),
            file: file.to_owned(),
            sub_agents: sub_agents.into_iter().map(|agent| agent.value.into()).collect(),
            steps,
        },
        name: name.span,
        places,
    })
}

fn steps(
    reading: &mut Reading<'_>,
    file: &str,
    list: Vec<Spanned<StepConfig>>,
    agents: &[AgentDeclaration],
) -> (Vec<WorkflowStep>, Vec<StepPlaces>) {
    let numbered = (0..).zip(list);
    numbered.map(|(index, step)| lower_step(reading, file, index, step, agents)).unzip()
}

/// Whether a text says something; if not, that is reported.
fn is_said(reading: &mut Reading<'_>, text: &Spanned<Box<str>>, what: &str) -> bool {
    let is_said = !text.value.trim().is_empty();
    if !is_said {
        reading.report(Diagnostic::new(&d::EMPTY_WORKFLOW, text.span, format!("{what} is empty")));
    }
    is_said
}

fn lower_step(
    reading: &mut Reading<'_>,
    file: &str,
    index: u32,
    step: Spanned<StepConfig>,
    agents: &[AgentDeclaration],
) -> (WorkflowStep, StepPlaces) {
    let Spanned { value: step, span } = step;
    let kind = step.kind.as_ref().map(|kind| kind.value);
    let mut places = StepPlaces { step: span, module: None, skip: Vec::new(), trigger: None };
    match (kind, &step.agent_id, &step.label) {
        (Some(StepType::Step | StepType::Module), None, _) => {
            missing(reading, span, "agentId", "a step that runs")
        }
        (Some(StepType::Ui), _, None) => missing(reading, span, "label", "a heading"),
        (Some(StepType::Ui), _, Some(label)) => {
            is_said(reading, label, "the label of a heading");
        }
        _ => {}
    }
    if let Some(agent) = &step.agent_id {
        check_agent(reading, agent, agents);
    }
    let module = step.module.map(|module| {
        places.module = Some(module.span);
        (module.span, lower_module(reading, index, module, agents, &mut places))
    });
    let text = |text: Option<Spanned<Box<str>>>| text.map(|text| String::from(text.value));
    let prompt = step.prompt.and_then(|prompt| reading.prompt(file, &prompt));
    if let (Some((span, _)), Some(StepType::Step | StepType::Ui)) = (&module, kind) {
        let message = "the end of this step is not looked at, so that its `module` has no effect";
        reading.report(
            Diagnostic::new(&d::MODULE_WITHOUT_EFFECT, *span, message).help("write `type: module`"),
        );
    }
    let lowered = WorkflowStep {
        kind: match kind {
            Some(StepType::Module) => StepKind::Module,
            Some(StepType::Ui) => StepKind::Heading,
            Some(StepType::Step) | None => StepKind::Step,
        },
        agent: text(step.agent_id).filter(|_| kind != Some(StepType::Ui)),
        agent_name: text(step.agent_name),
        label: text(step.label),
        engine: text(step.engine),
        model: text(step.model),
        reasoning_effort: text(step.model_reasoning_effort),
        execute_once: step.execute_once.unwrap_or(false),
        checkpoint: step.checkpoint.unwrap_or(false),
        prompt: prompt.filter(|prompt| !prompt.is_empty()),
        module: module.and_then(|(_, module)| module).filter(|_| kind == Some(StepType::Module)),
    };
    (lowered, places)
}

fn missing(reading: &mut Reading<'_>, span: Span, field: &str, of: &str) {
    let message = format!("missing field `{field}` in {of}");
    let report = Diagnostic::new(&d::MISSING_FIELD, span, message);
    reading.report(report.help(format!("add `{field}` with a string")));
}

/// Reports an agent that nobody declares.
fn check_agent(reading: &mut Reading<'_>, agent: &Spanned<Box<str>>, agents: &[AgentDeclaration]) {
    if agents.iter().any(|known| *known.id == *agent.value) {
        return;
    }
    let message = format!("nobody declares the agent `{}`", agent.value);
    let report = Diagnostic::new(&d::UNKNOWN_AGENT, agent.span, message);
    let names = || agents.iter().map(|known| &*known.id);
    let mut report = did_you_mean(report, &agent.value, names(), "agents");
    if report.fixes.is_empty() {
        let known = one_of(names()).replace(" or ", " and ");
        report.help = Some(match agents.is_empty() {
            true => "declare it in `behavior/agents.yaml`".to_owned(),
            false => format!("declare it in `behavior/agents.yaml`; declared are {known}"),
        });
    }
    reading.report(report);
}

fn lower_module(
    reading: &mut Reading<'_>,
    index: u32,
    module: Spanned<ModuleConfig>,
    agents: &[AgentDeclaration],
    places: &mut StepPlaces,
) -> Option<ModuleBehavior> {
    let Spanned { value: module, .. } = module;
    let kind = module.kind.as_ref()?.value;
    if let Some(action) = &module.action {
        check_action(reading, kind, action);
    }
    match kind {
        ModuleType::Loop => {
            if let Some(agent) = &module.trigger_agent_id {
                of_other(reading, "triggerAgentId", agent.span, "a trigger", "a loop");
            }
            let skip = module.skip.unwrap_or_default();
            places.skip = skip.iter().map(|agent| agent.span).collect();
            Some(ModuleBehavior::Loop {
                steps: match &module.steps {
                    Some(steps) => steps_back(reading, index, steps.value.0, steps.span)?,
                    None => 0,
                },
                max_iterations: module.max_iterations.map(|most| number(most.value.0)),
                skip: skip.into_iter().map(|agent| agent.value.into()).collect(),
            })
        }
        ModuleType::Trigger => {
            let of_loops = [
                ("steps", module.steps.map(|one| one.span)),
                ("maxIterations", module.max_iterations.map(|one| one.span)),
                ("skip", module.skip.and_then(|skip| skip.first().map(|one| one.span))),
            ];
            for (field, span) in of_loops {
                if let Some(span) = span {
                    of_other(reading, field, span, "a loop", "a trigger");
                }
            }
            if let Some(agent) = &module.trigger_agent_id {
                check_agent(reading, agent, agents);
                places.trigger = Some(agent.span);
            }
            Some(ModuleBehavior::Trigger {
                agent: module.trigger_agent_id.map(|one| one.value.into()),
            })
        }
    }
}

fn check_action(reading: &mut Reading<'_>, kind: ModuleType, action: &Spanned<ModuleAction>) {
    let (right, what) = match kind {
        ModuleType::Loop => (ModuleAction::StepBack, "stepBack"),
        ModuleType::Trigger => (ModuleAction::MainAgentCall, "mainAgentCall"),
    };
    if action.value != right {
        let of = if kind == ModuleType::Loop { "a loop" } else { "a trigger" };
        let message = format!("the action of {of} is `{what}`");
        let mut report = Diagnostic::new(&d::UNKNOWN_VALUE, action.span, message);
        let is_quoted = reading.sources.slice(action.span).starts_with(['"', '\'']);
        let text = if is_quoted { format!("\"{what}\"") } else { what.to_owned() };
        report = report.replace(action.span, text, Applicability::Unsafe);
        reading.report(report);
    }
}

fn of_other(reading: &mut Reading<'_>, field: &str, span: Span, of: &str, here: &str) {
    let message = format!("`{field}` belongs to {of}, and this is {here}");
    reading.report(Diagnostic::new(&d::CONFLICTING_FIELDS, span, message).help("delete it"));
}

/// How many entries a loop goes back, if there are as many.
fn steps_back(reading: &mut Reading<'_>, index: u32, steps: i64, span: Span) -> Option<u32> {
    let message = match steps {
        0 => "a loop that goes back no step repeats nothing".to_owned(),
        steps if steps > i64::from(index) => {
            let before = match index {
                0 => "there is none before this one".to_owned(),
                1 => "there is 1 before this one".to_owned(),
                count => format!("there are {count} before this one"),
            };
            format!("the loop goes back {steps} steps, and {before}")
        }
        steps => return Some(number(steps)),
    };
    let help = match index {
        0 => "put the step behind those that it repeats".to_owned(),
        1 => "write 1".to_owned(),
        most => format!("write a number from 1 to {most}"),
    };
    reading.report(Diagnostic::new(&d::INVALID_LOOP, span, message).help(help));
    None
}

fn number(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX - 1)
}
