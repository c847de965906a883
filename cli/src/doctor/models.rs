//! Which model classifies turns, and whether it answers: it is asked only where somebody wants it.

use std::time::{Duration, Instant};

use behavior_image::code::VerifierMode;
use behavior_runtime::Layers;
use behavior_runtime::brain::Brain;
use behavior_runtime::model::{ModelFailure, ModelRequest, Purpose};

use super::checks::Check;
use super::finding::Finding;
use crate::args::RuleArgs;
use crate::live::grants::Grants;
use crate::models::{self, Choice, Chosen};
use crate::rules::{self, Rules};
use crate::session;

/// How long a model may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Looks at the model for each way in which hooks ask for rules, where turns are classified; and at all of them where
/// they are to be asked.
pub fn checks(asked: &[RuleArgs], ask_models: bool) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    let mut asked_already = Asked::default();
    let own = [RuleArgs::default()];
    let asked = if asked.is_empty() { &own } else { asked };
    for args in asked {
        let Ok(Rules::Ready { layers, waiting, .. }) = rules::load(args, |_| {}) else { continue };
        let choice = Choice { layers: &layers, trusts_project: waiting.is_empty() };
        if ask_models || classifies(&layers) {
            let asks = ask_models.then_some(&mut asked_already);
            let finding = finding(choice, Purpose::Classify, asks);
            checks.push(Check { name: "model", finding });
        }
        if models::is_refused(&layers) {
            let finding = Finding::warning("none", models::REFUSED.to_owned());
            checks.push(Check { name: "model", finding });
        }
        if let Some(mode) = verifies(&layers) {
            let asks = ask_models.then_some(&mut asked_already);
            let finding = of_verifier(choice, mode, asks);
            checks.push(Check { name: "verifier", finding });
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
fn of_verifier(choice: Choice<'_>, mode: VerifierMode, asks: Option<&mut Asked>) -> Finding {
    let is_named = models::choose(choice, Purpose::Verify).is_some();
    match mode {
        VerifierMode::Absent | VerifierMode::Off => Finding::good("off"),
        VerifierMode::Auto if !is_named => {
            let message = "it begins once there is a model to ask".to_owned();
            Finding { message, ..Finding::good("off") }
        }
        VerifierMode::Auto | VerifierMode::On => finding(choice, Purpose::Verify, asks),
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

fn finding(choice: Choice<'_>, purpose: Purpose, asks: Option<&mut Asked>) -> Finding {
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
