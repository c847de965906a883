//! The runtime's workflows held against the simplest interpreter, and the static worst case against trying everything.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::sync::Arc;

use behavior_compiler::ide;
use behavior_compiler::provider::MemoryFiles;
use behavior_compiler::workflow::{Origin, TemplateSource, compile, worst_case};
use behavior_image::workflow::{
    ModuleBehavior, StepKind, WorkflowStep, WorkflowTable, WorkflowTemplate, decode, encode,
};
use behavior_runtime::Image;
use behavior_runtime::workflow::{StepEnd, Workflow};
use behavior_tests::workflow::{Ask, Naive, most_runs};
use proptest::prelude::*;
use serde_json::{Value, json};

const AGENTS: [&str; 3] = ["a", "b", "c"];

/// A template of a few steps, any of which may be any module.
fn template(steps: usize, most: u32, triggers: bool) -> impl Strategy<Value = WorkflowTemplate> {
    template_of(steps, most, triggers, u32::MAX)
}

/// The same, where a loop that would have `endless` repeats has no limit.
fn template_of(
    steps: usize,
    most: u32,
    triggers: bool,
    endless: u32,
) -> impl Strategy<Value = WorkflowTemplate> {
    let step = (0..10_u8, 0..AGENTS.len(), any::<u32>(), 0..=most, any::<bool>(), 0..4_u8);
    prop::collection::vec(step, 1..=steps).prop_map(move |steps| {
        let steps =
            steps.into_iter().enumerate().map(|(index, (kind, agent, back, most, once, skip))| {
                let agent = AGENTS[agent].to_owned();
                let back = if index == 0 { 0 } else { back % (index as u32 + 1) };
                let skip = AGENTS.iter().filter(|_| skip == 0).take(1).map(|one| (*one).to_owned());
                let module = match kind {
                    0..=3 => Some(ModuleBehavior::Loop {
                        steps: back,
                        max_iterations: Some(most).filter(|most| *most != endless),
                        skip: skip.collect(),
                    }),
                    4..=5 if triggers => {
                        Some(ModuleBehavior::Trigger { agent: once.then(|| "b".to_owned()) })
                    }
                    _ => None,
                };
                WorkflowStep {
                    kind: match (&module, kind) {
                        (Some(_), _) => StepKind::Module,
                        (None, 9) => StepKind::Heading,
                        _ => StepKind::Step,
                    },
                    agent: (kind != 9 || module.is_some()).then_some(agent),
                    execute_once: once && kind % 2 == 0,
                    checkpoint: once && kind % 4 == 1,
                    module,
                    ..WorkflowStep::default()
                }
            });
        WorkflowTemplate {
            name: "w".to_owned(),
            steps: steps.collect(),
            ..WorkflowTemplate::default()
        }
    })
}

fn ask() -> impl Strategy<Value = Ask> {
    prop_oneof![
        3 => Just(Ask::Nothing),
        6 => Just(Ask::Loop),
        2 => Just(Ask::Trigger(None)),
        2 => Just(Ask::Trigger(Some("a".to_owned()))),
        1 => Just(Ask::Trigger(Some("zzz".to_owned()))),
        1 => Just(Ask::Checkpoint),
        1 => Just(Ask::Continue),
        1 => Just(Ask::Stop),
        1 => Just(Ask::Vibecheck),
        1 => Just(Ask::Rubbish),
        1 => Just(Ask::Failure),
    ]
}

fn control(ask: &Ask) -> Option<String> {
    let action = match ask {
        Ask::Nothing | Ask::Failure => return None,
        Ask::Rubbish => return Some("{\"action\": \"lop\"}".to_owned()),
        Ask::Trigger(Some(agent)) => {
            return Some(json!({"action": "trigger", "triggerAgentId": agent}).to_string());
        }
        Ask::Trigger(None) => "trigger",
        Ask::Loop => "loop",
        Ask::Checkpoint => "checkpoint",
        Ask::Continue => "continue",
        Ask::Stop => "stop",
        Ask::Vibecheck => "vibecheck",
    };
    Some(json!({ "action": action }).to_string())
}

/// The JSON file of a template.
fn as_file(template: &WorkflowTemplate) -> String {
    let step = |step: &WorkflowStep| {
        let kind = match step.kind {
            StepKind::Step => "step",
            StepKind::Module => "module",
            StepKind::Heading => "ui",
        };
        let mut out =
            json!({"type": kind, "executeOnce": step.execute_once, "checkpoint": step.checkpoint});
        let map = out.as_object_mut().unwrap();
        match &step.agent {
            Some(agent) => map.insert("agentId".to_owned(), json!(agent)),
            None => map.insert("label".to_owned(), json!("heading")),
        };
        let module: Option<Value> = step.module.as_ref().map(|module| match module {
            ModuleBehavior::Loop { steps, max_iterations, skip } => {
                let mut out = json!({"type": "loop", "action": "stepBack", "skip": skip});
                if *steps > 0 {
                    out["steps"] = json!(steps);
                }
                if let Some(most) = max_iterations {
                    out["maxIterations"] = json!(most);
                }
                out
            }
            ModuleBehavior::Trigger { agent } => {
                let mut out = json!({"type": "trigger", "action": "mainAgentCall"});
                if let Some(agent) = agent {
                    out["triggerAgentId"] = json!(agent);
                }
                out
            }
        });
        if let Some(module) = module {
            map.insert("module".to_owned(), module);
        }
        out
    };
    json!({"name": template.name, "steps": template.steps.iter().map(step).collect::<Vec<_>>()})
        .to_string()
}

fn image_of(template: &WorkflowTemplate) -> (Arc<Image>, Option<u64>) {
    let agents = "agents: { a: { run: [a] }, b: { run: [b] }, c: { run: [c] } }\n";
    let name = "templates/workflows/w.json";
    let files =
        MemoryFiles::new([(name, as_file(template)), ("behavior/agents.yaml", agents.to_owned())]);
    let source = TemplateSource { file: name.to_owned(), origin: Origin::Project };
    let workflows = compile(&files, &[source], &["behavior/agents.yaml".to_owned()]);
    assert!(workflows.broken.is_empty(), "{:?}", workflows.diagnostics);
    (Arc::new(workflows.image.unwrap()), workflows.found[0].worst_case)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// What follows each step is what the simplest interpreter says.
    #[test]
    fn image_and_simplest_interpreter_agree(
        template in template(7, 3, true),
        asks in prop::collection::vec(ask(), 1..60),
    ) {
        let (image, _) = image_of(&template);
        let agents: Vec<String> = image.workflows().unwrap().agents.clone();
        let mut workflow = Workflow::start(&image, "w").unwrap();
        let mut naive = Naive::new(&template, &agents);
        for ask in &asks {
            let next = workflow.next_step().map(|next| (next.index as usize, next.depth > 0));
            prop_assert_eq!(next, naive.next().map(|(step, agent)| (step, agent.is_some())));
            let Some((step, _)) = next else { break };
            let end = StepEnd {
                step: u32::try_from(step).unwrap(),
                ok: *ask != Ask::Failure,
                control: control(ask).map(Into::into),
                ..StepEnd::default()
            };
            let found = workflow.step_ended(&end);
            let found = (
                found.action.name(),
                found.step.map(|step| step as usize),
                found.iteration,
                found.paused,
            );
            prop_assert_eq!(found, naive.ends(ask), "{:?} at step {}", ask, step);
        }
    }

    /// The worst case is the largest number of runs that any answers lead to.
    #[test]
    fn worst_case_is_the_most_that_can_happen(template in template(5, 2, false)) {
        const BOUND: u64 = 16;
        let said = worst_case(&template, true).unwrap();
        // What takes too long to try out is left to others.
        if said <= BOUND {
            prop_assert_eq!(Some(said), most_runs(&template, BOUND));
        } else {
            prop_assert_eq!(None, most_runs(&template, BOUND.min(12)));
        }
    }

    /// An agent that asks for whatever makes a run longest does not get beyond the worst case, and reaches it; where
    /// there is none, its run does not end, and only there.
    #[test]
    fn greedy_runs_reach_the_worst_case(template in template_of(8, 4, true, 4)) {
        const LONG: u64 = 20_000;
        let (image, said) = image_of(&template);
        prop_assume!(said.is_none_or(|said| said < LONG));
        let mut workflow = Workflow::start(&image, "w").unwrap();
        let mut count = 0;
        while let Some(next) = workflow.next_step().filter(|_| count <= LONG) {
            count += 1;
            prop_assert!(said.is_none_or(|said| count <= said));
            let control = match (&next.step.module, next.depth) {
                (Some(ModuleBehavior::Trigger { .. }), 0..16) => r#"{"action":"trigger","triggerAgentId":"c"}"#,
                (Some(ModuleBehavior::Loop { .. }), _) => r#"{"action":"loop"}"#,
                _ => "{\"action\":\"continue\"}",
            };
            let end = StepEnd { step: next.index, control: Some(control.into()), ..StepEnd::default() };
            workflow.step_ended(&end);
        }
        prop_assert_eq!(said, Some(count).filter(|count| *count <= LONG));
    }

    /// Control files of any bytes never panic, and what is no control file pauses.
    #[test]
    fn any_control_file_has_an_answer(text in ".{0,60}") {
        let template = WorkflowTemplate {
            name: "w".to_owned(),
            steps: vec![WorkflowStep { agent: Some("a".to_owned()), ..WorkflowStep::default() }],
            ..WorkflowTemplate::default()
        };
        let (image, _) = image_of(&template);
        let mut workflow = Workflow::start(&image, "w").unwrap();
        let end = StepEnd { control: Some(text.as_str().into()), ..StepEnd::default() };
        let transition = workflow.step_ended(&end);
        let is_object = serde_json::from_str::<Value>(&text).is_ok_and(|value| value.is_object());
        prop_assert!(is_object || transition.paused, "{}", text);
    }

    /// What is written into an image is read from it, and damaged words are refused or read as something.
    #[test]
    fn tables_go_through_images(template in template(6, 3, true), at in any::<usize>(), word in any::<u32>()) {
        let table = WorkflowTable { templates: vec![template], agents: vec!["a".to_owned()], pause_at: Some(40) };
        let mut strings: Vec<String> = Vec::new();
        let mut words = encode(&table, &mut |text| {
            let known = strings.iter().position(|one| one == text);
            known.unwrap_or_else(|| { strings.push(text.to_owned()); strings.len() - 1 }) as u32
        });
        let string = |id: u32| strings.get(id as usize).cloned();
        prop_assert_eq!(decode(&words, string), Some(table));
        let at = at % words.len();
        words[at] = word;
        let _ = decode(&words, string);
    }
}

#[test]
fn what_never_ends_has_no_worst_case() {
    let step = |module| WorkflowStep {
        kind: StepKind::Module,
        agent: Some("a".to_owned()),
        module,
        ..WorkflowStep::default()
    };
    let endless = ModuleBehavior::Loop { steps: 1, max_iterations: None, skip: Vec::new() };
    let mut template = WorkflowTemplate {
        steps: vec![step(None), step(Some(endless))],
        ..WorkflowTemplate::default()
    };
    assert_eq!(worst_case(&template, true), None);
    // A step that runs once for all ends its loop.
    template.steps[1].execute_once = true;
    assert_eq!(worst_case(&template, true), Some(3));
}

#[test]
fn deep_nesting_is_worked_out_quickly() {
    let steps = (0..60).map(|index| WorkflowStep {
        kind: StepKind::Module,
        agent: Some(AGENTS[index % 3].to_owned()),
        module: Some(ModuleBehavior::Loop {
            steps: index as u32,
            max_iterations: Some(1_000_000),
            skip: vec![AGENTS[index % 2].to_owned()],
        }),
        ..WorkflowStep::default()
    });
    let template = WorkflowTemplate { steps: steps.collect(), ..WorkflowTemplate::default() };
    assert_eq!(worst_case(&template, true), Some(u64::MAX));
}

/// Editors complete and explain templates and agents like every rule file.
#[test]
fn editors_know_templates_and_agents() {
    let files = MemoryFiles::default();
    let store = ide::Store::default();
    let project = ide::Project { provider: &files, store: &store };
    let labels = |name: &str, marked: &str| {
        let offset = marked.find('‸').unwrap();
        let file = ide::RuleFile::new(name, marked.replacen('‸', "", 1));
        assert!(file.is_rule_file(), "{name}");
        let all = ide::complete(&file, project, u32::try_from(offset).unwrap());
        all.into_iter().map(|one| one.label).collect::<Vec<_>>()
    };
    let template = "templates/workflows/ship.yaml";
    assert!(labels(template, "name: ship\nsteps:\n  - agent‸").contains(&"agentId".to_owned()));
    assert_eq!(labels(template, "name: ship\nsteps:\n  - type: ‸"), ["step", "module", "ui"]);
    let of_agents = labels("behavior/agents.yaml", "agents:\n  dev:\n    ‸");
    assert!(of_agents.contains(&"profile".to_owned()) && of_agents.contains(&"run".to_owned()));

    let text = r#"{"name": "w", "steps": [{"type": "module", "module": {"maxIterations": 3}}]}"#;
    let file = ide::RuleFile::new("templates/workflows/w.json", text);
    let offset = u32::try_from(text.find("maxIterations").unwrap()).unwrap();
    let hover = ide::hover(&file, project, offset).unwrap();
    assert!(hover.markdown.contains("how often it may go back"), "{}", hover.markdown);
}
