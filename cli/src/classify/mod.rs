//! `behavior classify`: a vocabulary tried on messages with what is expected of them, before agents meet it. Here:
//! arguments in, answers gathered; what they come to is counted in `figures` and printed in `render`.

mod answered;
mod figures;
mod render;

use std::sync::Arc;
use std::time::Instant;

use behavior_compiler::classify_cases::{self, Cases, ClassifyCase};
use behavior_compiler::closest;
use behavior_compiler::{Diagnostic, ReadError, Severity};
use behavior_runtime::brain::Brain;
use behavior_runtime::classifier::{Classifier, ClassifierTable, Level};
use behavior_runtime::event::Event;
use behavior_runtime::host::FactHost;
use behavior_runtime::model::{ModelFailure, ModelRequest, Purpose};
use behavior_runtime::{LayeredSession, Layers, TurnView};

use crate::args::{ClassifyArgs, PlainFormat};
use crate::models::recorded::Recorded;
use crate::models::{self, Choice, price};
use crate::number::{count, number};
use crate::terminal::{Exit, Failure, Terminal};
use crate::{project, ready};
use answered::{Answered, Read};
use figures::Figures;

/// Whoever answers.
enum Answerer {
    /// A model, and whether its server rejected the key: it is not asked again then.
    Model(Brain, bool),
    Recorded(Recorded),
}

/// Runs the command.
///
/// # Errors
/// When the rules or the cases cannot be used, there is nobody to ask, or nothing can be printed.
pub fn run(args: &ClassifyArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let ready = ready::load(&args.rules, terminal)?;
    let table = table(&ready.layers)?;
    let cases = cases(&args.cases, &table)?;
    let choice = Choice { layers: &ready.layers, trusts_project: ready.trusts_project };
    let answerers = answerers(args, choice)?;
    let calls = (answerers.len() * cases.len()) as u64 * u64::from(args.repeat);
    if args.models_from.is_none() {
        tell_what_is_due(calls, &cases, &ready.layers, args, terminal);
    }
    let mut all = Vec::new();
    if args.prices.len() > 1 && args.prices.len() != answerers.len() {
        let message = "tell one `--price` for all models, or one for each `--brain`";
        return Err(Failure::Message(message.to_owned()));
    }
    for (number, (name, mut answerer)) in answerers.into_iter().enumerate() {
        let mut gathered = Vec::new();
        for _ in 0..args.repeat {
            for (at, case) in cases.iter().enumerate() {
                let request = request(&ready.layers, case)?;
                gathered.push(answerer.answer(at, &request, &table));
            }
        }
        let price = args.prices.get(number).or(args.prices.last()).copied();
        all.push(Figures::of((name, price), &cases, &table, gathered));
    }
    terminal.print(&match args.format {
        PlainFormat::Json => render::json(&all, &cases)?,
        PlainFormat::Pretty => render::text(&all, &cases, &table, terminal),
    })?;
    let is_answered = all.iter().all(|figures| figures.failed() < figures.calls());
    Ok(if is_answered { Exit::Clean } else { Exit::Invalid })
}

/// The vocabularies of the rules.
fn table(layers: &Layers) -> Result<ClassifierTable, Failure> {
    let images = layers.iter().rev();
    let tables = images.filter_map(|(_, image)| image.classifier());
    tables.map(ClassifierTable::clone).next().ok_or_else(|| {
        let message =
            "the rules have no classifier: set `classify_turns: true`, or write a `classifier:`";
        Failure::Message(message.to_owned())
    })
}

/// The messages, with what is expected of them held against the vocabularies.
fn cases(name: &str, table: &ClassifierTable) -> Result<Vec<ClassifyCase>, Failure> {
    let read = classify_cases::read(&project::provider(), name).map_err(|error| {
        let reason = match error {
            ReadError::NotFound => "there is no such file".to_owned(),
            ReadError::Failed(reason) => reason,
        };
        Failure::Message(format!("cannot read `{name}`: {reason}"))
    })?;
    if let Some(first) = read.diagnostics.iter().find(|one| one.severity == Severity::Error) {
        return Err(Failure::Message(placed(&read, first)));
    }
    for case in &read.cases {
        for (what, levels, written) in [
            ("complexities", &table.complexity, &case.complexity),
            ("approaches", &table.approaches, &case.approach),
            ("risks", &table.risks, &case.risk),
        ] {
            let Some(written) = written else { continue };
            let names = || levels.iter().map(|level: &Level| level.name.as_str());
            if names().any(|name| name.eq_ignore_ascii_case(written.value.trim())) {
                continue;
            }
            let near = closest(&written.value, names());
            let hint = match near {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; they are {}", names().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("`{}` is none of the {what}{hint}", written.value);
            return Err(Failure::Message(format!("{}{message}", place(&read, written.span))));
        }
    }
    match read.cases.is_empty() {
        true => Err(Failure::Message(format!("`{name}` has no cases"))),
        false => Ok(read.cases),
    }
}

fn placed(read: &Cases, diagnostic: &Diagnostic) -> String {
    let help = diagnostic.help.as_deref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{}{}{help}", place(read, diagnostic.span), diagnostic.message)
}

fn place(read: &Cases, span: behavior_compiler::source::Span) -> String {
    let Some(source) = read.sources.get(span.file) else { return String::new() };
    let at = source.position(span.start);
    format!("{}:{}:{}: ", source.name, at.line, at.column)
}

/// Who answers, each with a name.
fn answerers(args: &ClassifyArgs, choice: Choice<'_>) -> Result<Vec<(String, Answerer)>, Failure> {
    if let Some(name) = &args.models_from {
        return Ok(vec![(name.clone(), Answerer::Recorded(Recorded::read(name)?))]);
    }
    if args.brains.is_empty() {
        let chosen = models::choose(choice, Purpose::Classify)
            .ok_or_else(|| Failure::Message(models::nobody(choice)))?;
        return Ok(vec![(chosen.brain.name(), Answerer::Model(chosen.brain, false))]);
    }
    let named = args.brains.iter().map(|name| {
        let brain = models::named(name).map_err(Failure::Message)?;
        Ok((name.clone(), Answerer::Model(brain, false)))
    });
    named.collect()
}

/// What is asked about a message: it begins a session.
fn request(layers: &Arc<Layers>, case: &ClassifyCase) -> Result<ModelRequest, Failure> {
    let message = case.message.as_ref().map_or("", |message| &message.value);
    let mut session = LayeredSession::new(Arc::clone(layers));
    session.apply(&Event::TurnStart { text: Some(message.into()) }, &mut FactHost::default());
    let turn = TurnView { message, ..TurnView::default() };
    let asking = session.sessions().filter_map(|(_, one)| one.classifier_request(&turn)).last();
    asking.ok_or_else(|| Failure::Message("the rules have no classifier".to_owned()))
}

/// Says how many calls are to be made, where they are many.
fn tell_what_is_due(
    calls: u64,
    cases: &[ClassifyCase],
    layers: &Arc<Layers>,
    args: &ClassifyArgs,
    terminal: &Terminal,
) {
    const MANY: u64 = 10;
    const CHARACTERS_PER_TOKEN: usize = 4;
    if calls < MANY {
        return;
    }
    let lengths = cases.iter().filter_map(|case| request(layers, case).ok());
    let length: usize =
        lengths.map(|request| request.system.chars().count() + request.user.chars().count()).sum();
    let rounds = u64::from(args.repeat) * args.brains.len().max(1) as u64;
    let tokens = (length / CHARACTERS_PER_TOKEN) as u64 * rounds;
    let brains = args.brains.len().max(1);
    let costs = args.prices.iter().cycle().take(brains);
    let cost: f64 = costs.map(|price| price.of(tokens / brains as u64, 0)).sum();
    let cost =
        if cost > 0.0 { format!(", which cost {}", price::shown(cost)) } else { String::new() };
    let (calls, tokens) = (count(calls, "call"), number(tokens));
    terminal.note(&format!("{calls} are due: about {tokens} tokens of questions{cost}"));
}

impl Answerer {
    fn answer(&mut self, case: usize, request: &ModelRequest, table: &ClassifierTable) -> Answered {
        let started = Instant::now();
        let (answered, took) = match self {
            Answerer::Recorded(recorded) => (recorded.take(Purpose::Classify, ""), None),
            Answerer::Model(_, true) => (Err(ModelFailure::KeyRejected.to_string()), None),
            Answerer::Model(brain, is_rejected) => {
                let answered = models::ask_for("classify", "", brain, request);
                *is_rejected = matches!(answered, Err(ModelFailure::KeyRejected));
                (answered.map_err(|failure| failure.to_string()), Some(started.elapsed()))
            }
        };
        let tokens = answered.as_ref().map(|reply| (reply.input_tokens, reply.output_tokens));
        let tokens = tokens.unwrap_or_default();
        let reply = answered.and_then(|reply| {
            let parsed = Classifier::new(table).parse_reply(&reply.raw);
            let problem = || parsed.problems.first().cloned().unwrap_or_default();
            let is_odd = !parsed.problems.is_empty() || !parsed.unsaid.is_empty();
            let read = |reply| Read { reply, unsaid: parsed.unsaid.clone(), is_odd };
            parsed.reply.clone().map(read).ok_or_else(problem)
        });
        Answered { case, reply, took, tokens }
    }
}
