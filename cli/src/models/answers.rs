//! Where a command gets the answers of models from: from a file in which they were recorded, from models that are
//! asked, or from nowhere, to count what would be asked. What was answered once is not asked again.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest, Purpose};

use super::cache::Cache;
use super::recorded::Recorded;
use super::{Choice, Chosen, ask_brain, choose};
use crate::args::ModelArgs;
use crate::number::{count, number};
use crate::terminal::Failure;

/// How many characters a token has, about.
const CHARACTERS_PER_TOKEN: u64 = 4;

/// Where answers come from.
pub struct Answers {
    source: Source,
    counts: Mutex<Counts>,
    /// Whether it is shown how far it has come.
    is_shown: bool,
}

enum Source {
    Recorded(Mutex<Recorded>),
    Models(Models),
}

/// Models that are asked.
struct Models {
    /// The brain for each purpose.
    chosen: Vec<(Purpose, Option<Chosen>)>,
    cache: Cache,
    max_calls: Option<u64>,
    /// Whether it is only counted what would be asked.
    only_counts: bool,
}

/// What was asked so far, or would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions that went to a model.
    pub calls: u64,
    /// Questions that were answered before.
    pub kept: u64,
    /// Calls without an answer.
    pub failed: u64,
    /// Tokens of questions, as models tell them; where it is only counted, about so many.
    pub input_tokens: u64,
    /// Tokens of answers, as models tell them.
    pub output_tokens: u64,
}

impl Answers {
    /// Returns where answers come from, as the arguments say; `None` where nothing is to be asked.
    ///
    /// # Errors
    /// When the recorded answers cannot be read, or there is no model that could be asked.
    pub fn of(
        args: &ModelArgs,
        choice: Choice<'_>,
        is_shown: bool,
    ) -> Result<Option<Self>, Failure> {
        let source = match &args.models_from {
            Some(name) => Source::Recorded(Mutex::new(Recorded::read(name)?)),
            None if args.ask_models => Source::Models(Models::of(choice, args.max_calls)?),
            None => return Ok(None),
        };
        let is_shown = is_shown && std::io::stderr().is_terminal();
        Ok(Some(Self { source, counts: Mutex::default(), is_shown }))
    }

    /// Returns one that counts what this one would ask, and asks nothing; `None` where answers are recorded.
    #[must_use]
    pub fn counting(&self) -> Option<Self> {
        let Source::Models(models) = &self.source else { return None };
        let models = Models {
            chosen: models.chosen.clone(),
            cache: Cache::usual(),
            max_calls: None,
            only_counts: true,
        };
        let (source, counts) = (Source::Models(models), Mutex::default());
        Some(Self { source, counts, is_shown: false })
    }

    /// Returns the answer to a question of a session.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub fn answer(&self, session: &str, request: &ModelRequest) -> Result<ModelReply, String> {
        match &self.source {
            Source::Recorded(recorded) => lock(recorded).take(request.purpose, session),
            Source::Models(models) => self.ask(models, request),
        }
    }

    fn ask(&self, models: &Models, request: &ModelRequest) -> Result<ModelReply, String> {
        let chosen = models.chosen(request.purpose).ok_or(ModelFailure::NoBrain.to_string())?;
        if let Some(reply) = models.cache.find(&chosen.brain, request) {
            lock(&self.counts).kept += 1;
            return Ok(reply);
        }
        {
            let mut counts = lock(&self.counts);
            if models.max_calls.is_some_and(|most| counts.calls >= most) {
                return Err(format!("the limit of {} is reached", count(counts.calls, "call")));
            }
            counts.calls += 1;
            if models.only_counts {
                let length = request.system.chars().count() + request.user.chars().count();
                counts.input_tokens += length as u64 / CHARACTERS_PER_TOKEN;
                return Err(String::new());
            }
        }
        let answered = ask_brain(&chosen.brain, request);
        let mut counts = lock(&self.counts);
        match &answered {
            Ok(reply) => {
                counts.input_tokens += reply.input_tokens.unwrap_or_default();
                counts.output_tokens += reply.output_tokens.unwrap_or_default();
                models.cache.keep(&chosen.brain, request, reply);
            }
            Err(_) => counts.failed += 1,
        }
        if self.is_shown {
            show(*counts);
        }
        answered.map_err(|failure| failure.to_string())
    }

    /// Returns what was asked so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        *lock(&self.counts)
    }

    /// Says what was asked, once all is over; nothing where nothing was.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let Counts { calls, kept, failed, input_tokens, output_tokens } = self.counts();
        if self.is_shown && calls > 0 {
            eprint!("\r\x1b[K");
        }
        if calls + kept == 0 {
            return None;
        }
        let mut text = format!("models were asked {}", times(calls));
        if failed > 0 {
            text.push_str(&format!(", {} without an answer", number(failed)));
        }
        if kept > 0 {
            text.push_str(&format!("; {} kept from before", count(kept, "answer")));
        }
        if input_tokens + output_tokens > 0 {
            let (asked, answered) = (number(input_tokens), number(output_tokens));
            text.push_str(&format!("; {asked} + {answered} tokens"));
        }
        Some(text)
    }

    /// Returns whether there is somebody to ask, or something recorded to take from.
    #[must_use]
    pub fn can_answer(&self, purpose: Purpose) -> bool {
        match &self.source {
            Source::Recorded(_) => true,
            Source::Models(models) => models.chosen(purpose).is_some(),
        }
    }

    /// Returns how the brain for a purpose is called; nothing where answers are recorded.
    #[must_use]
    pub fn brain(&self, purpose: Purpose) -> Option<String> {
        match &self.source {
            Source::Recorded(_) => None,
            Source::Models(models) => models.chosen(purpose).map(|chosen| chosen.brain.name()),
        }
    }
}

impl Models {
    fn of(choice: Choice<'_>, max_calls: Option<u64>) -> Result<Self, Failure> {
        const PURPOSES: [Purpose; 2] = [Purpose::Classify, Purpose::Verify];
        let chosen = PURPOSES.map(|purpose| (purpose, choose(choice, purpose)));
        if chosen.iter().all(|(_, chosen)| chosen.is_none()) {
            return Err(Failure::Message(super::nobody(choice)));
        }
        let (cache, only_counts) = (Cache::usual(), false);
        Ok(Self { chosen: chosen.into(), cache, max_calls, only_counts })
    }

    fn chosen(&self, purpose: Purpose) -> Option<&Chosen> {
        self.chosen.iter().find(|(known, _)| *known == purpose)?.1.as_ref()
    }
}

/// How often something was done, in words.
fn times(calls: u64) -> String {
    match calls {
        1 => "once".to_owned(),
        calls => format!("{} times", number(calls)),
    }
}

/// How far it has come, on a line of standard error that is written over.
fn show(counts: Counts) {
    let (calls, tokens) = (counts.calls, counts.input_tokens + counts.output_tokens);
    let mut stderr = std::io::stderr().lock();
    // It is only for show: where it cannot be shown, nothing is lost.
    let _ = write!(stderr, "\r\x1b[K{}, {}", count(calls, "call"), count(tokens, "token"));
    let _ = stderr.flush();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
