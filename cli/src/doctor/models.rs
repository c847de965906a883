//! Which model classifies turns, and whether it answers: it is asked only where somebody wants it.

use std::time::{Duration, Instant};

use behavior_agents::hook::Agent;
use behavior_image::code::VerifierMode;
use behavior_runtime::brain::Brain;
use behavior_runtime::model::{ModelFailure, ModelRequest, Purpose};
use behavior_runtime::{Layers, verifier};

use super::checks::Check;
use super::finding::Finding;
use crate::args::RuleArgs;
use crate::hook::verify::MARGIN;
use crate::live::grants::Grants;
use crate::live::rules::Which;
use crate::live::trust::Trust;
use crate::live::{self, usual_directory};
use crate::models::{self, Choice, Chosen};
use crate::rules::{self, Rules};
use crate::session;

/// How long a model may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Looks at the models for each way in which hooks ask for rules: at those that something asks, and at the one that the
/// user has named for whatever may ask, where they are to be tried.
pub fn checks(asked: &[RuleArgs], ask_models: bool) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    let mut asked_already = Asked::default();
    let own = [RuleArgs::default()];
    let asked = if asked.is_empty() { &own } else { asked };
    for args in asked {
        let Ok(Rules::Ready { layers: written, .. }) = rules::load(args, |_| {}) else { continue };
        let Some(layers) = at_work(args) else { continue };
        let mut asks = ask_models.then_some(&mut asked_already);
        if let Some(finding) = of_classifier(&layers, &written, asks.as_deref_mut()) {
            checks.push(Check { name: "model", finding });
        }
        if models::is_refused(&layers) {
            let finding = Finding::warning("none", models::REFUSED.to_owned());
            checks.push(Check { name: "model", finding });
        }
        if let Some(mode) = verifies(&layers) {
            checks.push(Check { name: "verifier", finding: of_verifier(&layers, mode, asks) });
        }
        if ask_models && checks.is_empty() {
            let message = "nothing asks a model".to_owned();
            checks.push(Check {
                name: "model",
                finding: Finding { message, ..Finding::good("none") },
            });
        }
    }
    if let Some(message) = models::trouble_with_settings() {
        let finding = Finding::warning("unread", message);
        checks.push(Check { name: "config", finding });
    }
    checks
}

/// Who verifies the latest session of this project, where its user has said that for the session, and whether it answers
/// where that is to be found out.
pub fn of_session(ask_models: bool) -> Option<Check> {
    let project = Grants::project_of(&std::env::current_dir().ok()?);
    let (session, verifier) = session::verifier_of_latest(&project)?;
    let message =
        format!("{verifier} in the session `{session}`, as `behavior session verifier` says");
    let finding = match models::named(&verifier) {
        Ok(brain) if ask_models => of_brain(&brain, &message, Some(&mut Asked::default())),
        _ => Finding { message, ..Finding::good("changed") },
    };
    Some(Check { name: "verifier", finding })
}

/// The rules as hooks have them: without what waits for trust.
fn at_work(args: &RuleArgs) -> Option<Layers> {
    let state = usual_directory(|name| std::env::var_os(name));
    let trust = Trust::in_state(state.as_deref());
    live::rules::load(args, Which::All, None, trust).decisive()
}

/// For how long a model is waited for in the agent's hooks, by what it is asked for; nothing of what nobody is asked for.
pub fn limits(agent: Agent, asked: &RuleArgs) -> Vec<(Purpose, Duration)> {
    let Some(layers) = at_work(asked) else { return Vec::new() };
    let tables = layers.iter().filter_map(|(_, image)| image.classifier());
    let classifies = tables.filter(|table| table.enabled);
    let times =
        classifies.filter_map(|table| Duration::try_from_secs_f64(table.timeout_seconds).ok());
    let verifies = verifies(&layers).filter(|mode| *mode != VerifierMode::Off);
    let wanted =
        [(Purpose::Classify, times.max()), (Purpose::Verify, verifies.map(|_| verifier::TIMEOUT))];
    let limit = |(purpose, time): (Purpose, Option<Duration>)| {
        let Chosen { brain, .. } = models::choose(in_force(&layers), purpose)?;
        let own = brain.timeout_seconds.and_then(|time| Duration::try_from_secs_f64(time).ok());
        let usual = agent.patience().map(|patience| patience.saturating_sub(MARGIN));
        Some((purpose, own.into_iter().chain(usual).fold(time?, Duration::min)))
    };
    wanted.into_iter().filter_map(limit).collect()
}

/// What is to be said of the model that classifies turns, where some layer has them classified or would once it is
/// trusted.
fn of_classifier(layers: &Layers, written: &Layers, asks: Option<&mut Asked>) -> Option<Finding> {
    if classifies(layers) {
        return Some(finding(layers, Purpose::Classify, asks));
    }
    if classifies(written) {
        let message = "turns are classified once you trust the project: run `behavior trust`";
        return Some(Finding::warning("waiting", message.to_owned()));
    }
    asks.filter(|_| models::choose(in_force(layers), Purpose::Classify).is_some())
        .map(|asks| finding(layers, Purpose::Classify, Some(asks)))
}

/// What a model is chosen from.
fn in_force(layers: &Layers) -> Choice<'_> {
    Choice { layers, trusts_project: true }
}

fn classifies(layers: &Layers) -> bool {
    let mut tables = layers.iter().filter_map(|(_, image)| image.classifier());
    tables.any(|table| table.enabled)
}

/// How answers are verified, where some layer speaks of it.
fn verifies(layers: &Layers) -> Option<VerifierMode> {
    let modes = layers.iter().filter_map(|(_, image)| Some(image.verifier()?.mode));
    modes.max_by_key(|mode| *mode as u8)
}

/// What is to be said of the verifier: without a model, one that runs wherever there is one is simply off.
fn of_verifier(layers: &Layers, mode: VerifierMode, asks: Option<&mut Asked>) -> Finding {
    let choice = in_force(layers);
    let waits = || models::missing(choice) == ModelFailure::WaitsForTrust;
    let off = |message: &str| Finding { message: message.to_owned(), ..Finding::good("off") };
    match mode {
        VerifierMode::Absent | VerifierMode::Off => off("the rules switch it off"),
        VerifierMode::Auto if models::choose(choice, Purpose::Verify).is_none() && !waits() => {
            off("it begins once there is a model to ask")
        }
        VerifierMode::Auto | VerifierMode::On => finding(layers, Purpose::Verify, asks),
    }
}

/// What models have answered, each of which is asked once.
#[derive(Default)]
struct Asked(Vec<(Brain, Result<Duration, ModelFailure>)>);

impl Asked {
    fn ask(&mut self, brain: &Brain) -> Result<Duration, ModelFailure> {
        if let Some((_, answered)) = self.0.iter().find(|(known, _)| known == brain) {
            return answered.clone();
        }
        let started = Instant::now();
        let answered = models::ask_for("doctor", "", brain, &question()).map(|_| started.elapsed());
        self.0.push((brain.clone(), answered.clone()));
        answered
    }
}

fn finding(layers: &Layers, purpose: Purpose, asks: Option<&mut Asked>) -> Finding {
    let choice = in_force(layers);
    let Some(Chosen { brain, source }) = models::choose(choice, purpose) else {
        return Finding::warning("none", models::nobody(choice));
    };
    of_brain(&brain, &format!("{} ({})", brain.name(), source.describe()), asks)
}

/// Looks at a model that is called so, and asks it where that is wanted.
fn of_brain(brain: &Brain, named: &str, asks: Option<&mut Asked>) -> Finding {
    if let Some(trouble) = brain.trouble() {
        return Finding::warning("unusable", format!("{named} {}", trouble.describe()));
    }
    if let Some(key) = brain.key.as_ref().filter(|key| std::env::var_os(key).is_none()) {
        let message = format!("{named}: the environment variable `{key}` is not set here");
        return Finding::warning("no key", message);
    }
    let Some(asked) = asks else {
        return Finding { message: named.to_owned(), ..Finding::good("named") };
    };
    match asked.ask(brain) {
        Ok(took) => {
            let took = took.as_millis();
            let message = format!("{named} answered within {took} ms");
            Finding { message, ..Finding::good("answers") }
        }
        Err(failure) => Finding::error("no answer", format!("{named}: {failure}")),
    }
}

/// Something small.
fn question() -> ModelRequest {
    ModelRequest {
        purpose: Purpose::Classify,
        system: "You are being tried. Answer with the one word `ready`.".to_owned(),
        user: "Are you ready?".to_owned(),
        temperature: None,
        max_tokens: None,
        timeout: PATIENCE,
    }
}
