//! `behavior dap`: gives the debug adapter what it asks for. Rules and recordings are found and read as `simulate`
//! finds and reads them.

use std::path::Path;
use std::sync::Arc;

use behavior_agents::{Format, Sink};
use behavior_compiler::provider::Instead;
use behavior_compiler::{COMMAND_LINE_PROFILE, Compilation, Severity};
use behavior_dap::{Launch, Project, Watch};
use behavior_runtime::permission::mode_named;
use behavior_runtime::{Image, Layers, Replay};

use crate::args::RuleArgs;
use crate::explain::trace::{one_trace, read};
use crate::live::host::LiveHost;
use crate::project;
use crate::render::one_line;
use crate::report;
use crate::rules::{self, Compiled, May, Rules};
use crate::schemas::WithSchemas;
use crate::simulate::input::{InputError, STDIN, format_not_known};
use crate::terminal::{Exit, Failure};
use crate::{library, workflow};

/// What the names of the standard library's files begin with.
const BUILT_IN: &str = "builtin:";
/// The name of the file that a condition stands in that is asked about.
const WATCH_FILE: &str = "watched_condition.json";

/// Serves one client on standard input and output.
///
/// # Errors
/// When the client does not speak the protocol, or left without a word.
pub fn run() -> Result<Exit, Failure> {
    let files = Files { rules: RuleArgs::default(), library: library::shown() };
    behavior_dap::serve(files, std::io::stdin(), std::io::stdout().lock())
        .map(|()| Exit::Clean)
        .map_err(Failure::Output)
}

/// The files on disk.
struct Files {
    /// Which rules were asked for.
    rules: RuleArgs,
    /// Where copies of the standard library's files are.
    library: Option<String>,
}

impl Project for Files {
    fn rules(&mut self, launch: &Launch) -> Result<Arc<Layers>, String> {
        if let Some(folder) = &launch.cwd {
            std::env::set_current_dir(folder).map_err(|error| {
                format!("cannot go to `{folder}`: {}", project::describe(&error))
            })?;
        }
        let (config, profile) = (launch.config.list(), launch.profile.clone());
        self.rules = RuleArgs { config, profile, ..RuleArgs::default() };
        match rules::load(&self.rules, |_| {}).map_err(|error| error.to_string())? {
            Rules::Ready { layers, .. } => Ok(Arc::new(layers)),
            Rules::Broken(compilation) => Err(first_error(&compilation, true)),
        }
    }

    fn recording(&mut self, launch: &Launch, sink: &mut dyn Sink) -> Result<String, String> {
        if launch.trace == STDIN {
            return Err("standard input is the client's: name the file of a recording".to_owned());
        }
        let format = launch.input_format.as_deref().map(format_named).transpose()?;
        let trace = one_trace(&launch.trace, format).map_err(|failure| match failure {
            // The client names it by a field.
            Failure::Input(InputError::UnknownFormat { name }) => {
                format_not_known(&name, "inputFormat")
            }
            failure => failure.to_string(),
        })?;
        read(&trace, sink).map_err(|failure| failure.to_string())?;
        Ok(self.path(&trace.name))
    }

    fn replay(&self, launch: &Launch, layers: Arc<Layers>) -> Result<Replay, String> {
        let replay = Replay::with_layers(layers)
            .with_workflows(workflow::for_replays())
            .with_host(Box::new(WithSchemas::new(None::<LiveHost<'_>>)));
        let Some(name) = &launch.mode else { return Ok(replay) };
        let mode = mode_named(name).ok_or_else(|| {
            format!(
                "`{}` is no approval mode: they are ask, autoEdit, yolo and agent",
                one_line(name)
            )
        })?;
        Ok(replay.with_mode(mode))
    }

    fn watch(&mut self, watch: &Watch) -> Result<Arc<Image>, String> {
        let found = self.rules.find();
        let mut files = found.layers.into_iter().last().ok_or("there are no rules")?;
        files.entries.push(WATCH_FILE.to_owned());
        let (disk, text) = (project::provider(), watched(watch));
        let provider = Instead { below: &disk, name: WATCH_FILE, text: &text };
        let compiled = rules::load_layer(&provider, &self.rules, &files, May::everything(), true);
        match compiled.map_err(|error| error.to_string())? {
            Compiled::Image(_) => Err("an image holds no sources to compile with it".to_owned()),
            Compiled::Rules { image: Some(image), .. } => Ok(Arc::new(image)),
            Compiled::Rules { image: None, compilation } => Err(first_error(&compilation, false)),
        }
    }

    fn path(&self, name: &str) -> String {
        let built_in = name.strip_prefix(BUILT_IN).zip(self.library.as_deref());
        let path = match built_in {
            Some((name, folder)) => Path::new(folder).join(name),
            None => Path::new(name).to_owned(),
        };
        let whole = path.canonicalize().or_else(|_| std::path::absolute(&path));
        project::display(&whole.unwrap_or(path))
    }
}

fn format_named(name: &str) -> Result<Format, String> {
    Format::named(name).ok_or_else(|| {
        let known: Vec<_> = Format::all().map(Format::name).collect();
        format!("`{}` is no format of recordings: they are {}", one_line(name), known.join(", "))
    })
}

/// A file with a rule on every tool that holds the condition.
fn watched(watch: &Watch) -> String {
    let rule = serde_json::json!({
        "id": Files::WATCH,
        "trigger": "*",
        "when": watch.when,
        "action": "remind",
        "condition": watch.expression,
        "message": Files::WATCH,
    });
    serde_json::json!({ "rule_definitions": [rule] }).to_string()
}

/// What is wrong first, with its place where that is a file of the user's.
fn first_error(compilation: &Compilation, with_place: bool) -> String {
    let problems = report::problems(compilation);
    let Some(first) = problems.iter().find(|problem| problem.severity == Severity::Error) else {
        return "the rules do not compile".to_owned();
    };
    let place = &first.place;
    match with_place {
        true if place.source.name == COMMAND_LINE_PROFILE => {
            format!("`profile`: {}", first.message)
        }
        true => {
            let line = place.source.position(place.start).line;
            format!("{}:{line}: {}", place.source.name, first.message)
        }
        false => first.message.clone(),
    }
}
