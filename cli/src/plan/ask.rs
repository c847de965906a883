//! `behavior plan ask`: a plan for a request, from a language model. Nothing of it is run.

use std::path::Path;
use std::time::Duration;

use behavior_compiler::plan::{Answer, Asking, Next, Question};
use behavior_runtime::brain::Brain;
use behavior_runtime::model::{ModelRequest, Purpose};
use serde::Serialize;
use serde_json::Value;

use super::check::{StepDiagnostic, diagnostics_for_people, with_steps};
use super::history;
use super::workspace::Workspace;
use crate::args::{PlainFormat, PlanAskArgs};
use crate::live::trust::Trust;
use crate::live::usual_directory;
use crate::models::recorded::Recorded;
use crate::models::{self, Choice};
use crate::project;
use crate::render::json;
use crate::report::Report;
use crate::terminal::{Exit, Failure, Terminal};
use crate::without_secrets;

/// The version of the shape.
const VERSION: u32 = 1;
/// So long a model may take for one answer.
const TIMEOUT: Duration = Duration::from_secs(60);
/// So many lines of the history are told.
const HISTORY: usize = 5;

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    ok: bool,
    plan: Option<Value>,
    diagnostics: Vec<StepDiagnostic<'a>>,
    calls: u32,
}

/// Who answers.
enum Answerer {
    Recorded(Recorded),
    Model(Box<Brain>),
}

/// Runs the command.
///
/// # Errors
/// When nobody can be asked or answers, or nothing can be printed.
pub fn run(args: &PlanAskArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if let Some(kind) = behavior_secrets::contains_secret(&args.request) {
        return Err(Failure::Message(format!(
            "the request holds a secret ({kind}), which is not sent anywhere: name it, and leave its value out"
        )));
    }
    let here = |error: std::io::Error| {
        Failure::Message(format!("cannot open the directory: {}", project::describe(&error)))
    };
    let workspace = Workspace::open(Path::new(".")).map_err(here)?;
    let mut answerer = answerer(args, terminal)?;
    let mut asking = Asking::new(&args.request, history::latest(&workspace, HISTORY));
    let mut question = asking.question();
    let (answer, raw) = loop {
        let raw = answerer.answer(&question)?;
        match asking.reply(&raw) {
            Next::Ask(next) => question = next,
            Next::Done(answer) => break (answer, raw),
        }
    };
    history::add(&workspace, Some(&args.request), &answer.checked.plan, terminal);
    print(&answer, &raw, args, terminal)
}

fn print(
    answer: &Answer,
    raw: &str,
    args: &PlanAskArgs,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let checked = &answer.checked;
    let is_valid = checked.is_valid();
    let report = Report::of(&checked.compilation());
    let plan = is_valid.then(|| behavior_compiler::trace_policy::json_of(&checked.root));
    match args.format {
        PlainFormat::Json => {
            let diagnostics = with_steps(&report, checked);
            let output =
                Output { version: VERSION, ok: is_valid, plan, diagnostics, calls: answer.calls };
            terminal.print(&json::to_text(&without_secrets::data(&output)?)?)?;
        }
        PlainFormat::Pretty => {
            if !report.problems.is_empty() {
                terminal.say(&diagnostics_for_people(&report, checked, raw, terminal));
            }
            if let Some(plan) = &plan {
                terminal.print(&json::to_text(&without_secrets::data(plan)?)?)?;
            }
        }
    }
    Ok(if is_valid { Exit::Clean } else { Exit::Findings })
}

/// Who is asked: recorded replies, the model that is named, else the one of the rules or of the user.
fn answerer(args: &PlanAskArgs, terminal: &Terminal) -> Result<Answerer, Failure> {
    if let Some(name) = &args.models_from {
        return Ok(Answerer::Recorded(Recorded::read(name)?));
    }
    if let Some(name) = &args.brain {
        return Ok(Answerer::Model(Box::new(models::named(name).map_err(Failure::Message)?)));
    }
    let state = usual_directory(|name| std::env::var_os(name));
    let trust = Trust::in_state(state.as_deref());
    let which = crate::live::rules::Which::All;
    // What a project names waits for its user's trust there.
    let loaded = crate::live::rules::load(&args.rules, which, None, trust);
    let layers =
        loaded.decisive().ok_or_else(|| Failure::Message("there are no rules".to_owned()))?;
    crate::ready::waits(&loaded.waiting, terminal);
    let choice = Choice { layers: &layers, trusts_project: true };
    let chosen = models::choose(choice, Purpose::Plan)
        .ok_or_else(|| Failure::Message(models::nobody(choice)))?;
    Ok(Answerer::Model(Box::new(chosen.brain)))
}

impl Answerer {
    fn answer(&mut self, question: &Question) -> Result<String, Failure> {
        let request = ModelRequest {
            purpose: Purpose::Plan,
            system: question.system.clone(),
            user: question.user.clone(),
            // The same request gets the same plan, as far as the model can.
            temperature: Some(0.0),
            max_tokens: None,
            timeout: TIMEOUT,
        };
        let answered = match self {
            Answerer::Recorded(recorded) => recorded.take(Purpose::Plan, ""),
            Answerer::Model(brain) => {
                let answered = models::ask_for("plan ask", "", brain, &request);
                answered.map_err(|failure| failure.to_string())
            }
        };
        let failed = |why: String| Failure::Message(format!("there is no plan: {why}"));
        answered.map(|reply| reply.raw).map_err(failed)
    }
}
