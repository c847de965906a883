//! `behavior plan run`: the steps of a plan, one after the other, inside of the working directory. The rules decide on
//! each as they do on the calls of a live agent; what changes something is asked about once, before anything runs.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use behavior_compiler::plan::{self, Arguments, Checked, Step};
use behavior_runtime::event::{Call, Event, Param, ToolResult, Value as EventValue};
use behavior_runtime::{Decision, LayeredSession, Layers, Verdict};
use serde_json::Value;

use super::check::{diagnostics_for_people, with_steps};
use super::foresight::{Foreseen, begin, foresee};
use super::outcome::{Outcome, Status, StepOutcome, Stopped};
use super::shell::Shell;
use super::workspace::Workspace;
use super::{confirm, files, history, input, secrets};
use crate::args::{PlainFormat, PlanRunArgs};
use crate::live::host::LiveHost;
use crate::live::rules::{self, Which};
use crate::live::trust::Trust;
use crate::live::usual_directory;
use crate::render::one_line;
use crate::report::Report;
use crate::terminal::{Exit, Failure, Terminal};
use crate::{project, without_secrets};

/// The most that is told of a step before it runs.
const MAX_SUMMARY: usize = 120;

/// Runs the command.
///
/// # Errors
/// When the plan or the rules cannot be used, or nothing can be printed.
pub fn run(args: &PlanRunArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let (name, text) = input::read(&args.file)?;
    let checked = plan::read(&name, &text);
    let is_json = args.format == PlainFormat::Json;
    if !checked.is_valid() {
        return refuse(&checked, &text, is_json, terminal);
    }
    let here = |error: std::io::Error| {
        Failure::Message(format!("cannot open the directory: {}", project::describe(&error)))
    };
    let workspace = Workspace::open(Path::new(".")).map_err(here)?;
    let layers = rules_as_live(args, terminal)?;
    let secret = secrets::of_plan(&checked, &text);
    let outcome = match secret {
        Some((step, _)) => stopped_before(&checked, step, is_json, terminal)?,
        None => {
            let mut run = Run::new(&checked, &workspace, &layers)?;
            run.steps(&checked, if is_json { None } else { Some(terminal) })?
        }
    };
    history::add(&workspace, None, &checked.plan, terminal);
    let end = match is_json {
        true => outcome.to_json(&[])?,
        false => outcome.end_for_people(terminal),
    };
    terminal.print(&end)?;
    Ok(if outcome.is_done() { Exit::Clean } else { Exit::Findings })
}

/// Says what is wrong with a plan that is not run.
fn refuse(
    checked: &Checked,
    text: &str,
    is_json: bool,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let report = Report::of(&checked.compilation());
    match is_json {
        true => {
            let diagnostics = with_steps(&report, checked);
            terminal.print(&Outcome::default().to_json(&diagnostics)?)?;
        }
        false => terminal.say(&diagnostics_for_people(&report, checked, text, terminal)),
    }
    Ok(Exit::Invalid)
}

/// The rules as a hook would have them: no project's word counts for more than its user trusts it with.
fn rules_as_live(args: &PlanRunArgs, terminal: &Terminal) -> Result<Arc<Layers>, Failure> {
    let state = usual_directory(|name| std::env::var_os(name));
    let trust = Trust::in_state(state.as_deref());
    let loaded = rules::load(&args.rules, Which::All, None, trust);
    if let Some(broken) = loaded.broken.first() {
        let layer = broken.layer.name();
        return Err(Failure::Message(format!("the rules of the {layer}: {}", broken.message)));
    }
    let remarks = loaded.remarks(true);
    if !terminal.quiet {
        terminal.say(&remarks);
    }
    crate::ready::waits(&loaded.waiting, terminal);
    let layers = loaded.decisive();
    layers.map(Arc::new).ok_or_else(|| Failure::Message("there are no rules".to_owned()))
}

/// A plan with a secret in it, of which nothing runs.
fn stopped_before(
    checked: &Checked,
    at: Option<usize>,
    is_json: bool,
    terminal: &Terminal,
) -> Result<Outcome, Failure> {
    let mut outcome =
        Outcome { stopped: Some(Stopped { reason: "secret", step: at }), ..Outcome::default() };
    for step in &checked.plan.steps {
        let tool = without_secrets::text(&step.canonical());
        let mut one = blank(step.number, tool, Status::Skipped);
        if at == Some(step.number) {
            one.status = Status::Failed;
            one.error = Some("it holds a secret, which is not shown".to_owned());
        }
        if !is_json {
            terminal.print(&one.for_people(terminal))?;
        }
        outcome.steps.push(one);
    }
    Ok(outcome)
}

fn blank(step: usize, tool: String, status: Status) -> StepOutcome {
    StepOutcome { step, tool, status, result: None, error: None, remarks: Vec::new() }
}

/// A plan on its way.
struct Run<'a> {
    workspace: &'a Workspace,
    layers: &'a Arc<Layers>,
    shell: Shell,
    session: LayeredSession,
    host: LiveHost<'static>,
    foreseen: Vec<Foreseen>,
    /// The steps that the user agreed to.
    agreed: HashSet<usize>,
}

impl<'a> Run<'a> {
    fn new(
        checked: &Checked,
        workspace: &'a Workspace,
        layers: &'a Arc<Layers>,
    ) -> Result<Self, Failure> {
        let mut host = LiveHost::default();
        let shell = Shell::new(workspace.path()).map_err(Failure::Message)?;
        let session = begin(layers, None, &checked.plan, &mut host);
        let foreseen =
            foresee(&checked.plan, session.clone(), Some(shell.confinement()), &mut host);
        Ok(Self { workspace, layers, shell, session, host, foreseen, agreed: HashSet::new() })
    }

    /// Runs all steps. Each is told at once where there is a terminal to tell it.
    fn steps(&mut self, checked: &Checked, tell: Option<&Terminal>) -> Result<Outcome, Failure> {
        let mut outcome = Outcome { asked: self.ask(checked), ..Outcome::default() };
        let mut has_failed = false;
        for (at, step) in checked.plan.steps.iter().enumerate() {
            let foreseen = self.foreseen.get(at);
            let is_destructive = foreseen.is_some_and(|one| one.is_destructive);
            let is_asked = foreseen.is_some_and(Foreseen::asks);
            let mut one = blank(step.number, step.canonical(), Status::Skipped);
            match () {
                () if outcome.stopped.is_some() => {}
                () if is_asked && !self.agreed.contains(&step.number) => {
                    one.status = Status::Declined;
                }
                () if has_failed && is_destructive => {
                    one.error = Some("a step before it failed".to_owned());
                }
                () => {
                    self.step(step, &mut one);
                    if one.result.as_ref().is_some_and(|result| secrets::of_value(result).is_some())
                        || one.error.as_ref().is_some_and(|error| is_secret(error))
                    {
                        outcome.stopped =
                            Some(Stopped { reason: "secret", step: Some(step.number) });
                        one.status = Status::Failed;
                        one.result = None;
                        one.error =
                            Some("its result holds a secret, which is not shown".to_owned());
                    }
                    has_failed |= one.status == Status::Failed && !is_destructive;
                }
            }
            if let Some(terminal) = tell {
                terminal.print(&one.for_people(terminal))?;
            }
            outcome.steps.push(one);
        }
        Ok(outcome)
    }

    /// Asks whether the steps that change something may run; says whether there was anything to ask.
    fn ask(&mut self, checked: &Checked) -> bool {
        let asked: Vec<&Foreseen> = self.foreseen.iter().filter(|one| one.asks()).collect();
        if asked.is_empty() {
            return false;
        }
        let mut summary = String::new();
        if let Some(explain) = checked.plan.explain.as_deref().map(str::trim) {
            let _ = writeln!(summary, "{}", short(explain));
        }
        for one in &asked {
            let step = checked.plan.steps.iter().find(|step| step.number == one.step);
            let what = step.map(described).unwrap_or_default();
            let _ = writeln!(summary, "  {}  {} {what}", one.step, one.tool);
            for finding in one.decision.effective() {
                let id = self.layers.rules().id(finding.rule);
                let message = short(&finding.message);
                let _ = writeln!(summary, "       {} {id}: {message}", finding.action.name());
            }
            if let Some(refusal) = &one.refusal {
                let _ = writeln!(summary, "       will not be run: {}", short(refusal));
            }
        }
        if confirm::confirms(&without_secrets::text(&summary)) {
            self.agreed = asked.iter().map(|one| one.step).collect();
        }
        true
    }

    /// Runs one step, if the rules let it.
    fn step(&mut self, step: &Step, one: &mut StepOutcome) {
        one.status = Status::Failed;
        let Some(tool) = step.tool else {
            let known: Vec<&str> = plan::TOOLS.iter().map(|tool| tool.name).collect();
            one.error = Some(format!("there is no such tool; the tools are {}", known.join(", ")));
            return;
        };
        let arguments = step.arguments();
        if let Some(problem) = &arguments.problem {
            one.error = Some(problem.clone());
            return;
        }
        let mut call = step.call();
        if let Err(refusal) = self.decide(&call, step.number, one) {
            one.error = Some(refusal);
            return;
        }
        let done = match tool.name {
            "read" => match self.find(&mut call, step, one) {
                Ok(path) => files::read(self.workspace, &path, &arguments.params),
                Err(refusal) => Err(refusal),
            },
            name => self.run_tool(name, step, &arguments),
        };
        self.tell_result(&call, &done, one);
        match done {
            Ok(result) => (one.status, one.result) = (Status::Done, Some(result)),
            Err(error) => one.error = Some(error),
        }
    }

    fn run_tool(&self, name: &str, step: &Step, arguments: &Arguments) -> files::Done {
        let params = &arguments.params;
        match name {
            "glob" => files::glob(self.workspace, params),
            "ls" => files::ls(self.workspace, params),
            "grep" => files::grep(self.workspace, params),
            "edit" => files::edit(self.workspace, params),
            "multi_edit" => files::multi_edit(self.workspace, params),
            "write" => files::write(self.workspace, params, step.forces()),
            "bash" => self.shell.run(params),
            "todo_write" => files::todo_write(arguments),
            other => Err(format!("nothing runs `{other}`")),
        }
    }

    /// Lets the rules decide on a call, and says why it is not made.
    fn decide(
        &mut self,
        call: &Call<'_>,
        number: usize,
        one: &mut StepOutcome,
    ) -> Result<(), String> {
        let decision = self.session.apply(&Event::ToolCall(call.clone()), &mut self.host);
        let said = self.said(&decision);
        match decision.verdict() {
            Verdict::Allow => {
                one.remarks.extend(said);
                Ok(())
            }
            Verdict::Ask if self.agreed.contains(&number) => Ok(()),
            Verdict::Ask => Err(format!(
                "it has to be asked about, which could not be foreseen: {}",
                said.join("; ")
            )),
            Verdict::Deny => Err(format!("blocked: {}", said.join("; "))),
        }
    }

    /// What rules and policy say of a call, in the order of the rules.
    fn said(&self, decision: &Decision) -> Vec<String> {
        let mut said: Vec<String> = decision
            .delivered()
            .map(|finding| format!("{}: {}", self.layers.rules().id(finding.rule), finding.message))
            .collect();
        let rule = decision.permission.and_then(|permission| permission.rule.or(permission.doubt));
        if decision.verdict() > Verdict::Allow
            && let Some(rule) = rule.and_then(|rule| self.layers.policy().get(rule))
        {
            said.push(format!("{}: {}", rule.name, rule.reason));
        } else if decision.verdict() > Verdict::Allow && said.is_empty() {
            said.push("the policy does not allow it".to_owned());
        }
        said
    }

    /// Where the file is that a step reads. Where it is not what the step says, the rules decide once more.
    fn find(
        &mut self,
        call: &mut Call<'static>,
        step: &Step,
        one: &mut StepOutcome,
    ) -> Result<String, String> {
        let path = step.text("file_path").ok_or("`file_path` is no text")?;
        let Some(found) = files::find(self.workspace, &path)? else { return Ok(path) };
        for param in call.params.iter_mut().filter(|param| param.name == "file_path") {
            *param = Param {
                value: EventValue::Text(found.clone().into()),
                name: "file_path".into(),
                native: None,
            };
        }
        call.id = Some(format!("step-{}-found", step.number).into());
        self.decide(call, step.number, one)?;
        one.remarks.push(format!("there is no `{path}`: read `{found}`"));
        Ok(found)
    }

    /// Tells the rules what a call returned.
    fn tell_result(&mut self, call: &Call<'_>, done: &files::Done, one: &mut StepOutcome) {
        let (ok, result) = match done {
            Ok(Value::String(text)) => (true, EventValue::Text(text.into())),
            Ok(value) => (true, EventValue::Json(value.to_string().into())),
            Err(error) => (false, EventValue::Text(error.into())),
        };
        let result =
            ToolResult { id: call.id.clone(), result: Some(result), ok, ..ToolResult::default() };
        let decision = self.session.apply(&Event::ToolResult(result), &mut self.host);
        let remarks = self.said(&decision);
        one.remarks.extend(remarks);
    }
}

fn is_secret(text: &str) -> bool {
    secrets::of_value(&Value::from(text)).is_some()
}

/// What a step works on, in one line.
fn described(step: &Step) -> String {
    let arguments = step.arguments();
    let named = ["file_path", "command", "pattern", "path"];
    let what = named.iter().find_map(|name| arguments.params.get(*name)).and_then(Value::as_str);
    short(what.unwrap_or_default())
}

/// One line that is not too long.
fn short(text: &str) -> String {
    let line = one_line(text.trim());
    match line.char_indices().nth(MAX_SUMMARY) {
        None => line,
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
    }
}
