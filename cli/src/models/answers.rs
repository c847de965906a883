//! Where a command gets the answers of models from: from a file in which they were recorded, from models that are
//! asked, or from nowhere, to count what would be asked. What was answered once is not asked again.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use behavior_runtime::brain::Brain;
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest, Purpose};

use super::cache::Cache;
use super::price::{self, Price};
use super::recorded::Recorded;
use super::{Choice, Chosen, ask_for, choose};
use crate::args::ModelArgs;
use crate::number::{count, number};
use crate::terminal::Failure;

/// How many characters a token has, about.
const CHARACTERS_PER_TOKEN: u64 = 4;

/// Where answers come from.
pub struct Answers {
    source: Source,
    counts: Mutex<Counts>,
    /// The models whose servers rejected the key: they are not asked again.
    rejected: Mutex<Vec<Brain>>,
    /// Whether it is shown how far it has come.
    is_shown: bool,
    /// Whether that stands on the screen now.
    is_on_screen: AtomicBool,
    /// How many calls are due, where that was counted.
    due: AtomicU64,
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// How many calls each model got, by its name.
    pub by_brain: Vec<(String, u64)>,
}

impl Counts {
    fn call(&mut self, brain: &str) {
        self.calls += 1;
        match self.by_brain.iter_mut().find(|(known, _)| known == brain) {
            Some((_, calls)) => *calls += 1,
            None => self.by_brain.push((brain.to_owned(), 1)),
        }
    }
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
        Ok(Some(Self::new(source, is_shown)))
    }

    fn new(source: Source, is_shown: bool) -> Self {
        let (counts, rejected, is_on_screen, due) = Default::default();
        Self { source, counts, rejected, is_shown, is_on_screen, due }
    }

    /// Takes how many calls are due in all.
    pub fn expect(&self, calls: u64) {
        self.due.store(calls, Ordering::Relaxed);
    }

    /// Takes what is shown of the progress off the screen, so that something else can be printed there.
    pub fn clear(&self) {
        if self.is_on_screen.swap(false, Ordering::Relaxed) {
            eprint!("\r\x1b[K");
        }
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
        Some(Self::new(Source::Models(models), false))
    }

    /// Returns the answer to a question of a session.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub fn answer(&self, session: &str, request: &ModelRequest) -> Result<ModelReply, String> {
        match &self.source {
            Source::Recorded(recorded) => lock(recorded).take(request.purpose, session),
            Source::Models(models) => self.ask(models, session, request),
        }
    }

    fn ask(
        &self,
        models: &Models,
        session: &str,
        request: &ModelRequest,
    ) -> Result<ModelReply, String> {
        let chosen = models.chosen(request.purpose).ok_or(ModelFailure::NoBrain.to_string())?;
        if let Some(reply) = models.cache.find(&chosen.brain, request) {
            lock(&self.counts).kept += 1;
            return Ok(reply);
        }
        if lock(&self.rejected).contains(&chosen.brain) {
            return Err(ModelFailure::KeyRejected.to_string());
        }
        {
            let mut counts = lock(&self.counts);
            if models.max_calls.is_some_and(|most| counts.calls >= most) {
                return Err(format!("the limit of {} is reached", count(counts.calls, "call")));
            }
            counts.call(&chosen.brain.name());
            if models.only_counts {
                let length = request.system.chars().count() + request.user.chars().count();
                counts.input_tokens += length as u64 / CHARACTERS_PER_TOKEN;
                return Err(String::new());
            }
        }
        let answered = ask_for("simulate", session, &chosen.brain, request);
        let mut counts = lock(&self.counts);
        match &answered {
            Ok(reply) => {
                counts.input_tokens += reply.input_tokens.unwrap_or_default();
                counts.output_tokens += reply.output_tokens.unwrap_or_default();
                models.cache.keep(&chosen.brain, request, reply);
            }
            Err(failure) => {
                counts.failed += 1;
                if *failure == ModelFailure::KeyRejected {
                    lock(&self.rejected).push(chosen.brain.clone());
                }
            }
        }
        if self.is_shown {
            show(&counts, self.due.load(Ordering::Relaxed));
            self.is_on_screen.store(true, Ordering::Relaxed);
        }
        answered.map_err(|failure| failure.to_string())
    }

    /// Returns what was asked so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        lock(&self.counts).clone()
    }

    /// Says what was asked, once all is over; nothing where nothing was.
    #[must_use]
    pub fn summary(&self, price: Option<Price>) -> Option<String> {
        let Counts { calls, kept, failed, input_tokens, output_tokens, .. } = self.counts();
        self.clear();
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
            if let Some(price) = price {
                let cost = price::shown(price.of(input_tokens, output_tokens));
                text.push_str(&format!(", which cost {cost}"));
            }
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
fn show(counts: &Counts, due: u64) {
    const WIDTH: u64 = 20;
    let (calls, tokens) = (counts.calls, counts.input_tokens + counts.output_tokens);
    let calls = match due {
        0 => count(calls, "call"),
        due => {
            let done = (calls * WIDTH / due).min(WIDTH);
            let bar =
                format!("{}{}", "━".repeat(done as usize), " ".repeat((WIDTH - done) as usize));
            format!("{bar} {} of {}", number(calls), count(due.max(calls), "call"))
        }
    };
    let mut stderr = std::io::stderr().lock();
    // It is only for show: where it cannot be shown, nothing is lost.
    let _ = write!(stderr, "\r\x1b[K{calls}, {}", count(tokens, "token"));
    let _ = stderr.flush();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
